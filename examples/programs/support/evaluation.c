/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "support/evaluation.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/program.h"

/* --- the ledger ------------------------------------------------------------------------------- */

/* A ledger, locked from the first line that is replayed to the one that is appended: of two runs at
 * once the second waits, and replays the line of the first. */
typedef struct ledger_file {
  const char *path;
  int file;
  size_t length;
} ledger_file;

/* Opens and locks the file, which it makes where there is none. A file that was removed while it
 * waited for the lock is not the one at this path any more. */
static int ledger_lock(ledger_file *l) {
  struct stat own, named;
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  for (;;) {
    l->file = open(l->path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
    if (l->file < 0) return complain(2, "%s: %s", l->path, strerror(errno));
    if (fstat(l->file, &own) != 0 || !S_ISREG(own.st_mode)) {
      (void)close(l->file);
      return complain(2, "%s: a ledger is a regular file", l->path);
    }
    while (fcntl(l->file, F_SETLKW, &lock) != 0) {
      if (errno == EINTR) continue;
      (void)close(l->file);
      return complain(2, "%s: cannot be locked: %s", l->path, strerror(errno));
    }
    if (fstat(l->file, &own) == 0 && stat(l->path, &named) == 0 && own.st_ino == named.st_ino &&
        own.st_dev == named.st_dev)
      break;
    (void)close(l->file);
  }
  l->length = (size_t)own.st_size;
  return 0;
}

/* Gives the lock up; nobody is to find a ledger that nothing was written to. */
static void ledger_unlock(const ledger_file *l) {
  struct stat now;
  if (fstat(l->file, &now) == 0 && now.st_size == 0) (void)unlink(l->path);
  (void)close(l->file);
}

/* Replays the file into the account. */
static int ledger_replay(dppair_accountant *account, const ledger_file *l) {
  char *text = malloc(l->length + 1);
  size_t used = 0, bad = 0;
  dppair_status status;
  if (text == NULL) return complain(1, "%s: out of memory", l->path);
  while (used < l->length) {
    const ssize_t got = read(l->file, text + used, l->length - used);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    used += (size_t)got;
  }
  if (used < l->length) {
    free(text);
    return complain(2, "%s: cannot be read", l->path);
  }
  status = dppair_ledger_replay(account, &bad, text, l->length);
  free(text);
  if (status != DPPAIR_OK) return complain(2, "%s:%zu: %s", l->path, bad, status_words(status));
  return 0;
}

/* A dppair_ledger_sink: appends a line and returns once it is on the disk. */
static dppair_status ledger_append(const char *line, size_t length, void *context) {
  const ledger_file *l = context;
  char whole[DPPAIR_LEDGER_LINE + 1];
  size_t used = 0;
  if (length > DPPAIR_LEDGER_LINE) return DPPAIR_ERR_LEDGER;
  memcpy(whole, line, length);
  whole[length] = '\n';
  while (used <= length) {
    const ssize_t put = write(l->file, whole + used, length + 1 - used);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) break;
    used += (size_t)put;
  }
  if (used == length + 1 && fsync(l->file) == 0) return DPPAIR_OK;
  (void)complain(0, "%s: %s", l->path, strerror(errno));
  /* a piece of a line would break the ledger; nothing was released, so it may go */
  if (used <= length && used > 0 && ftruncate(l->file, (off_t)l->length) != 0)
    (void)complain(0, "%s: its last line is cut off; remove it: nothing was released", l->path);
  return DPPAIR_ERR_LEDGER;
}

/* --- paying ----------------------------------------------------------------------------------- */

/* Is the deviation of Laplace noise, sqrt 2/epsilon, below that of the Gaussian? */
static int laplace_is_less(double epsilon, double delta) {
  double mu;
  if (!(delta > 0)) return 1;
  return dppair_gaussian_mu(&mu, epsilon, delta) != DPPAIR_OK || !(mu > 0) ||
         1.4142135623730951 / epsilon <= 1 / mu;
}

/* The noise of the plan where nothing else is spent: what a ledger holds does not change the price.
 */
static dppair_status price(dppair_plan *plan) {
  dppair_accountant alone;
  dppair_release priced;
  dppair_status status = dppair_accountant_init(&alone);
  if (status == DPPAIR_OK) status = dppair_release_open(&priced, &alone, plan, NULL);
  if (status != DPPAIR_OK) return status;
  plan->noise_multiplier = priced.noise_multiplier;
  plan->epsilon = plan->delta = 0;
  dppair_release_close(&priced);
  return DPPAIR_OK;
}

int evaluation_open(evaluation *e, size_t n, double epsilon, double delta, double failure,
                    dppair_mechanism_kind law, const char *ledger) {
  ledger_file file = {ledger, -1, 0};
  dppair_plan plan;
  dppair_status status;
  memset(e, 0, sizeof *e);
  memset(&plan, 0, sizeof plan);
  if (law == 0)
    law = failure > 0 || laplace_is_less(epsilon, delta) ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
  e->n = n;
  e->gaussian = law == DPPAIR_GAUSSIAN;
  e->epsilon = epsilon;
  e->delta = e->gaussian || failure > 0 ? delta : 0;
  e->ledger = ledger;
  plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
  plan.noise = law;
  plan.steps = 1;
  plan.epsilon = epsilon;
  plan.delta = e->delta;
  plan.failure = failure;
  status = dppair_accountant_init(&e->account);
  if (status == DPPAIR_OK && ledger != NULL) {
    int code = ledger_lock(&file);
    if (code != 0) return code;
    code = ledger_replay(&e->account, &file);
    if (code != 0) {
      ledger_unlock(&file);
      return code;
    }
    status = price(&plan);
    plan.ledger = dppair_ledger_to(ledger_append, &file);
  }
  if (status == DPPAIR_OK) status = dppair_release_open(&e->release, &e->account, &plan, NULL);
  if (file.file >= 0) ledger_unlock(&file);
  return status == DPPAIR_OK ? 0 : complain(1, "%s", status_words(status));
}

void evaluation_close(evaluation *e) { dppair_release_close(&e->release); }

/* --- answers ---------------------------------------------------------------------------------- */

static dppair_status answer(dppair_evaluation *v, dppair_roc_point *points, evaluation *e,
                            const question *q, const double *s, const double *y, void *work,
                            size_t bytes) {
  dppair_release *r = &e->release;
  const size_t n = e->n;
  switch (q->what) {
  case PAUC:
    return dppair_evaluate_partial_auc(v, r, s, y, n, q->rate, &q->with, work, bytes);
  case ROC:
    return dppair_evaluate_roc(points, v, r, s, y, n, q->thresholds, q->count, &q->with, work,
                               bytes);
  case KENDALL:
    return dppair_evaluate_kendall(v, r, s, y, n, &q->with, work, bytes);
  case RISK:
    return dppair_evaluate_risk(v, r, s, y, n, q->loss, NULL, q->cap, &q->with, work, bytes);
  default:
    return dppair_evaluate_auc(v, r, s, y, n, &q->with, work, bytes);
  }
}

int evaluation_answer(dppair_evaluation *v, dppair_roc_point *points, evaluation *e,
                      const question *q, const double *s, const double *y) {
  size_t bytes;
  void *work = NULL;
  dppair_status status = dppair_evaluate_workspace(&bytes, e->n, q->count);
  if (status == DPPAIR_OK) {
    work = malloc(bytes);
    status = work == NULL ? DPPAIR_ERR_OVERFLOW : answer(v, points, e, q, s, y, work, bytes);
  }
  free(work);
  return status == DPPAIR_OK ? 0 : complain(1, "%s", status_words(status));
}

/* --- what is said ----------------------------------------------------------------------------- */

void print_interval(const char *name, const dppair_evaluation *v, double confidence) {
  (void)printf("%s %.5g, %g %% confidence interval %.5g to %.5g\n", name, v->value,
               100 * confidence, v->lower, v->upper);
}

void print_population(size_t n, double confidence) {
  char text[512];
  (void)snprintf(text, sizeof text,
                 "The interval is for the population that these n = %zu records are an independent "
                 "sample of, and allows for the sample and for the noise; that it covers the "
                 "population's figure %g %% of the time holds in the limit of many records and is "
                 "no guarantee for these.",
                 n, 100 * confidence);
  print_wrapped(stdout, text);
}

void print_noise(const evaluation *e, const dppair_evaluation *v, int counted) {
  (void)printf("noise: %s %.4g", e->gaussian ? "Gaussian, deviation" : "Laplace, scale", v->noise);
  if (v->smaller > 0) (void)printf("; each class is taken to have %zu records", v->smaller);
  if (counted) (void)printf("; positives, with noise: %.0f", v->count);
  (void)putchar('\n');
  if (counted && v->smaller <= 2)
    (void)puts(
        "by that count one class may be nearly empty: too small a budget, or other labels than "
        "declared");
}

void print_spent(const evaluation *e, const char *also_public) {
  char text[640];
  (void)snprintf(text, sizeof text,
                 "spent: (epsilon, delta) = (%.6g, %.6g) for one replaced record, whatever it "
                 "holds. The number of records%s is public. Not covered: scores of a model that "
                 "learnt from these records, other figures about them, and people who own several "
                 "of them.",
                 rounded_up(e->epsilon), e->delta > 0 ? rounded_up(e->delta) : 0, also_public);
  print_wrapped(stdout, text);
  if (e->ledger == NULL) return;
  (void)printf("%s: line %lu\n", e->ledger, (unsigned long)e->account.sequence);
}

/* --- a model on other people's records -------------------------------------------------------- */

int evaluate_model(const model *fitted, const dataset *test, scale_kind scale, const char *name,
                   double epsilon, int quiet) {
  evaluation e;
  dppair_evaluation v;
  split all;
  size_t i, *order;
  int code = evaluation_open(&e, test->n, epsilon, 0, 0, DPPAIR_LAPLACE, NULL), made;
  if (code != 0) return code;
  order = malloc(test->n * sizeof *order);
  for (i = 0; i < test->n && order != NULL; i++) order[i] = i;
  made = order != NULL && split_make(&all, test, order, test->n, 0, scale);
  if (made) {
    question q;
    double *s = malloc(test->n * sizeof *s);
    memset(&q, 0, sizeof q);
    if (s != NULL) fitted->score(s, fitted, &all.train);
    code = s == NULL ? complain(1, "out of memory")
                     : evaluation_answer(&v, NULL, &e, &q, s, all.train.y);
    free(s);
    split_free(&all);
  } else {
    code = complain(1, "out of memory");
  }
  evaluation_close(&e);
  free(order);
  if (code != 0) return code;
  (void)printf("%s: ", name);
  print_interval("AUC", &v, 0.95);
  if (quiet) return 0;
  print_population(e.n, 0.95);
  print_noise(&e, &v, 1);
  print_spent(&e, "");
  print_wrapped(stdout,
                "That is an account of its own: the model's guarantee is about the records that it "
                "learnt from. A record that is in both files is charged for both, and of such "
                "records the interval says too much.");
  return 0;
}
