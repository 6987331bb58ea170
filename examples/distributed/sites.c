/* SPDX-License-Identifier: MIT */
/*
 * sites.c - one private ranking model of the records of several sites, none of which shows its own.
 *
 *   sites [--epsilon E] [--delta D] [--steps T] [--drop SITE,STEP [--late]] [--pooled] [--seed S]
 *         FILE FILE ..
 *
 * Each FILE holds one site's records, a line each: the label 0 or 1, then the features. Each site
 * is a process that reads its own file, twice; the coordinator is another one, and reads none. All
 * they send are integers modulo 2^32: a site its masked shares, the coordinator the sums of these.
 * The public are the model after each step and how many records who has.
 *
 * A STEP. The gradient of the mean over all pairs of phi(w.(x - x')), phi logistic, x of label 1,
 * x' of label 0, also where the two are at different sites: (a) every REFRESH steps a histogram of
 * scores in both classes is released: each record counts 1 in its class, shared between the two
 * nodes next to its score w.x. Two records differ by sqrt 2 at most in l2 norm; SCALE integers are
 * 1, and a site rounds its sum, so that a replaced record moves the integers by sqrt 2 SCALE + 2
 * (they are 4 numbers at most). (b) with the histogram each site has coefficients c_i of its
 * records that need no other record (rank_coeffs_from_histogram), and releases the sum of c_i x_i,
 * each shortened to CLIP and truncated to integers: a replaced record moves it by 2 CLIP SCALE,
 * whatever the histogram. Everybody then computes the same next w from the sums: w <- project(w -
 * RATE g).
 *
 * WHAT IS PROVED. Both (a) and (b) are sums over the sites of integers with Skellam noise; a site
 * adds 1/HONEST of the variance that the sum needs, HONEST = sites - 2. At most one site may fail,
 * so at least sites - 1 shares are in each sum. A site knows its own share and can subtract it:
 * HONEST shares are left to hide the records of the others from it. So each sum is a release with
 * Skellam noise of at least the variance that is charged (modules/shares/share.h), for the coordinator,
 * for each site and for everybody else, before and after a site has failed. The two kinds of
 * releases are two plans on one account, replace-one, for the records of every site: (a) has a
 * fifth of the budget, (b) the rest, each step of either depends on the results before it, and the
 * account composes all of them: the certified epsilon that is printed. While no site has failed the
 * sums have sites/HONEST of the variance: 3 times with three sites, 4/3 with eight.
 *
 * WHAT HIDES A SHARE. Each pair of sites has a key; the one with the lower number adds the words of
 * its stream `round` to its share, the other one subtracts them, modulo 2^32. A masked share is
 * uniform and independent of the records for whoever lacks the site's keys, and the sum of all has
 * no mask left. (The key stream takes the place of uniform words; keys go from site to site over a
 * line of their own here. Elsewhere they are agreed on by public keys.)
 *
 * A SITE THAT FAILS takes its noise with it. The coordinator tells the others, and these send it
 * the sum of the masks that they shared with it in this round, unless fewer than sites - 1 are
 * left: then they end. The model goes on with the records of those that are left. (--drop ends a
 * site before it sends its share of that step, with --late after.)
 *
 * WHO IS TRUSTED. Nobody with the records of another site. The coordinator is trusted to follow the
 * protocol: one that calls a live site dead, whose masked share it has, can unmask that share,
 * which has 1/HONEST of the noise (a second mask for each site, revealed only for the living,
 * prevents that: Bonawitz et al. 2017). One site may also tell the coordinator its noise and its
 * keys: HONEST other shares remain. Two sites that tell each other their noise leave HONEST - 1
 * shares once a third has failed: more than is printed is then lost. Who waits is seen: time is not
 * hidden.
 *
 * Printed are the sites and records that are left at the end, the certified epsilon, a bound of the
 * probability that some sum passed 2^31 and came out wrong (which costs no privacy), and w; before
 * them, with --seed, that this is no release.
 *
 * --pooled computes the same in one process, with no masks and no messages: with the same keys
 * (--seed, for tests: it makes the noise known to everybody) the model is the same to the last bit.
 */
#include "distributed/site.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

/* Number `round` of the run: is it a gradient, and in which step? 0 after the last one. */
static int kind_of(int *gradient, size_t *step, size_t round, const site_options *o) {
  const size_t cycle = round / (REFRESH + 1), in = round % (REFRESH + 1);
  *gradient = in > 0;
  *step = cycle * REFRESH + (in > 0 ? in - 1 : 0);
  return *step < o->steps;
}

/* --- messages --------------------------------------------------------------------------------- */

static int sent(int to, const void *bytes, size_t size) {
  return send(to, bytes, size, 0) == (ssize_t)size;
}

static int received(int from, void *bytes, size_t size) {
  return recv(from, bytes, size, MSG_WAITALL) == (ssize_t)size;
}

/* A key for each pair: the lower number draws it. */
static void agree(site *s, int line[SITES], const site_options *o) {
  unsigned j;
  for (j = 0; j < o->sites; j++) {
    dppair_rng rng;
    int ok = 1;
    if (j == s->index) continue;
    if (j > s->index) {
      need(dppair_rng_from_os(&rng), "key");
      need(dppair_rng_bytes(s->pair_key[j], 32, &rng), "key");
      ok = sent(line[j], s->pair_key[j], 32);
    } else
      ok = received(line[j], s->pair_key[j], 32);
    if (!ok) stop("key", "a site does not answer");
    close(line[j]);
  }
}

/* The sites that the coordinator says are left; 0: all have sent. */
static void reveal(site *s, model *m, int coordinator, uint64_t round, size_t size,
                   const site_options *o) {
  uint32_t left;
  uint64_t masks[WORDS];
  if (!received(coordinator, &left, sizeof left)) stop("round", "the coordinator ended");
  if (left == m->alive) return;
  if ((left & ~m->alive) != 0 || !(left >> s->index & 1) || count_of(left) < sites_needed(o))
    stop("a sum", "too few sites are left: their shares are not unmasked");
  memset(masks, 0, sizeof masks);
  site_mask(masks, s, m->alive & ~left, round, size);
  m->alive = left;
  if (!sent(coordinator, masks, size * sizeof *masks)) stop("round", "the coordinator ended");
}

static int run_site(site *s, const site_options *o, int coordinator) {
  uint64_t share[WORDS], all[SITES + 1] = {0}, round;
  dppair_interval spent;
  double told[2];
  model m;
  size_t step, i;
  int gradient;
  model_begin(&m, o);
  all[0] = s->n, all[1] = s->d;
  if (!sent(coordinator, all, 2 * sizeof *all)) return 1;
  if (!received(coordinator, all, sizeof all)) return 1;
  for (i = 0; i < SITES; i++) m.n[i] = (size_t)all[i];
  if ((m.d = (size_t)all[SITES]) != s->d) stop("sites", "they have different columns");
  for (round = 0; kind_of(&gradient, &step, (size_t)round, o); round++) {
    const size_t size = model_size(&m, gradient);
    const int crashes = o->drop == s->index + 1 && step == o->drop_step;
    if (crashes && !o->late) return 1;
    site_share(share, s, &m, gradient, shares_counted(o));
    site_mask(share, s, m.alive, round, size);
    if (!sent(coordinator, share, size * sizeof *share)) return 1;
    if (crashes) return 1;
    reveal(s, &m, coordinator, round, size, o);
    if (!received(coordinator, share, size * sizeof *share)) return 1;
    model_apply(&m, gradient, share);
  }
  need(dppair_accountant_epsilon(&spent, &s->account, o->delta, NULL), "account");
  told[0] = spent.upper, told[1] = s->wrap;
  site_close(s);
  return !sent(coordinator, told, sizeof told);
}

/* --- the coordinator -------------------------------------------------------------------------- */

/* sum = that of the masked shares of all who sent one, without the masks of those who did not. */
static void collect(uint64_t *sum, model *m, int *line, size_t size, const site_options *o) {
  const uint32_t before = m->alive;
  uint64_t words[WORDS];
  unsigned i;
  memset(sum, 0, size * sizeof *sum);
  for (i = 0; i < SITES; i++) {
    if (!(before >> i & 1)) continue;
    if (received(line[i], words, size * sizeof *words))
      need(dppair_shares_add(sum, words, size, BITS), "sum");
    else
      m->alive &= ~(1u << i);
  }
  if (count_of(m->alive) < sites_needed(o))
    stop("a sum", "too few sites are left: nothing is released");
  /* One that ended after it sent its share is in the sum, and missed in the next round. */
  for (i = 0; i < SITES; i++)
    if (m->alive >> i & 1 && !sent(line[i], &m->alive, sizeof m->alive) && m->alive != before)
      stop("a sum", "another site ended while masks were taken off: nothing is released");
  for (i = 0; m->alive != before && i < SITES; i++) {
    size_t k;
    if (!(m->alive >> i & 1)) continue;
    if (!received(line[i], words, size * sizeof *words))
      stop("a sum", "another site ended while masks were taken off: nothing is released");
    for (k = 0; k < size; k++) words[k] = 0u - words[k];
    need(dppair_shares_add(sum, words, size, BITS), "sum");
  }
}

static void run_coordinator(model *m, double told[2], int *line, const site_options *o) {
  uint64_t sum[WORDS], all[SITES + 1] = {0}, said[2];
  size_t round, step, i;
  double of_site[2];
  int gradient;
  for (i = 0; i < o->sites; i++) {
    if (!received(line[i], said, sizeof said)) stop("start", "a site does not answer");
    m->n[i] = (size_t)said[0], all[i] = said[0], all[SITES] = m->d = (size_t)said[1];
    if (m->d > COLUMNS) stop("start", "a site has too many columns");
  }
  for (i = 0; i < o->sites; i++)
    if (!sent(line[i], all, sizeof all)) stop("start", "a site does not answer");
  for (round = 0; kind_of(&gradient, &step, round, o); round++) {
    const size_t size = model_size(m, gradient);
    collect(sum, m, line, size, o);
    for (i = 0; i < SITES; i++)
      if (m->alive >> i & 1) (void)sent(line[i], sum, size * sizeof *sum); /* missed next round */
    model_apply(m, gradient, sum);
  }
  for (i = 0; i < SITES; i++)
    if (m->alive >> i & 1 && received(line[i], of_site, sizeof of_site)) {
      told[0] = of_site[0] > told[0] ? of_site[0] : told[0];
      told[1] = of_site[1] > told[1] ? of_site[1] : told[1];
    }
}

/* Starts a process for each site, with a line to the coordinator and one to each other site. */
static void start(int *line, char **path, const site_options *o) {
  int pair[SITES][SITES], both[2], theirs[SITES];
  unsigned i, j, k;
  for (i = 0; i < o->sites; i++)
    for (j = i + 1; j < o->sites; j++) {
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0) stop("start", "no line");
      pair[i][j] = both[0], pair[j][i] = both[1];
    }
  for (i = 0; i < o->sites; i++) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, both) != 0) stop("start", "no line");
    line[i] = both[0], theirs[i] = both[1];
  }
  for (i = 0; i < o->sites; i++) {
    const pid_t child = fork();
    if (child < 0) stop("start", "no process");
    if (child == 0) {
      static site s;
      for (j = 0; j < o->sites; j++) {
        close(line[j]);
        if (j != i) close(theirs[j]);
        for (k = 0; k < o->sites; k++)
          if (j != i && j != k) close(pair[j][k]);
      }
      site_open(&s, i, path[i], o);
      agree(&s, pair[i], o);
      exit(run_site(&s, o, theirs[i]));
    }
  }
  for (i = 0; i < o->sites; i++) {
    close(theirs[i]);
    for (j = 0; j < o->sites; j++)
      if (j != i) close(pair[i][j]);
  }
}

/* --- all in one process, and the program ------------------------------------------------------ */

/* The same sums without masks and messages; the AUC of the model on all records. NOT PRIVATE. */
static double run_pooled(model *m, double told[2], char **path, const site_options *o) {
  static site s[SITES];
  uint64_t share[WORDS], sum[WORDS];
  size_t round, step, i, k, all[2] = {0, 0};
  double *score[2], auc;
  dppair_interval spent;
  int gradient;
  void *work;
  size_t bytes;
  for (i = 0; i < o->sites; i++) {
    site_open(&s[i], (unsigned)i, path[i], o);
    m->n[i] = s[i].n, m->d = s[i].d;
  }
  for (round = 0; kind_of(&gradient, &step, round, o); round++) {
    const size_t size = model_size(m, gradient);
    const uint32_t fails = o->drop > 0 && step == o->drop_step ? 1u << (o->drop - 1) : 0u;
    memset(sum, 0, sizeof sum);
    for (i = 0; i < o->sites; i++) {
      if (!((m->alive & ~fails) >> i & 1)) continue;
      site_share(share, &s[i], m, gradient, shares_counted(o));
      need(dppair_shares_add(sum, share, size, BITS), "sum");
    }
    m->alive &= ~fails;
    model_apply(m, gradient, sum);
  }
  need(dppair_accountant_epsilon(&spent, &s[0].account, o->delta, NULL), "account");
  told[0] = spent.upper;
  for (i = 0; i < o->sites; i++) told[1] = s[i].wrap > told[1] ? s[i].wrap : told[1];
  need(dppair_measures_workspace(&bytes, model_records(m), 1), "AUC");
  score[0] = (double *)malloc(2 * model_records(m) * sizeof **score);
  work = malloc(bytes);
  if (score[0] == NULL || work == NULL) stop("AUC", "no memory");
  score[1] = score[0] + model_records(m);
  for (i = 0; i < o->sites; i++)
    for (k = 0; k < s[i].n && m->alive >> i & 1; k++) {
      const int negative = k >= s[i].positives;
      dppair_rows_f64 one = s[i].rows;
      one.x += k * one.ld, one.factor += k, one.n = 1;
      need(dppair_scores_f64(score[negative] + all[negative]++, &one, m->w), "AUC");
    }
  need(dppair_auc_not_private_f64(&auc, score[0], all[0], score[1], all[1], work, bytes), "AUC");
  for (i = 0; i < o->sites; i++) site_close(&s[i]);
  free(score[0]);
  free(work);
  return auc;
}

static double number(const char *text) {
  char *end;
  const double value = strtod(text, &end);
  if (end == text || *end != 0) stop(text, "is no number");
  return value;
}

static size_t whole(const char *text, double least, double most) {
  const double value = number(text);
  if (!(value >= least && value <= most && value == floor(value))) stop(text, "is out of range");
  return (size_t)value;
}

/* SITE,STEP */
static void read_drop(site_options *o, char *text) {
  char *comma = strchr(text, ',');
  if (comma == NULL) stop(text, "is no site and step");
  *comma = 0;
  o->drop = (unsigned)whole(text, 1, SITES);
  o->drop_step = whole(comma + 1, 0, 1e9);
}

static const char usage[] =
    "sites - one private ranking model of the records of several sites, each a process\n"
    "\n"
    "usage: sites [options] FILE FILE FILE ..     3 to 8 sites, a file each\n"
    "\n"
    "A FILE has no header. A line is a record: 0 or 1, then the features, commas between, as many\n"
    "in all files. Scale them first, by public constants and alike at all sites, to about [-1, 1]\n"
    "around 0: what a record adds to a gradient is shortened to a norm of 0.25.\n"
    "\n"
    "  --epsilon E         default 1\n"
    "  --delta X           default 1e-6\n"
    "  --steps T           default 30\n"
    "  --drop SITE,STEP    for tests: that site (1 is the first) ends before this step\n"
    "  --late              for tests: it ends after it has sent its share of the step\n"
    "  --pooled            for tests: one process, and the model's AUC, NOT PRIVATE\n"
    "  --seed S            for tests: noise that everybody knows, NOT PRIVATE\n"
    "\n"
    "The last line that is printed is the model: w, one number for each feature. One site may\n"
    "fail: it is left out, and the others continue. A second one ends the run. The epsilon holds\n"
    "against the coordinator and against each site, before and after. What is proved, and who is\n"
    "trusted with what, stands at the head of examples/distributed/sites.c.\n";

int main(int argc, char **argv) {
  site_options o = {1.0, 1e-6, 30, 0, 0, 0, 0, 0, 0};
  double told[2] = {0.0, 0.0};
  int line[SITES], i = 1;
  size_t k;
  model m;
  for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
    const char *name = argv[i] + 2;
    char nothing[1] = "", *value = i + 1 < argc ? argv[i + 1] : nothing;
    if (strcmp(name, "help") == 0) {
      if (fputs(usage, stdout) < 0 || fflush(stdout) != 0) stop("the help", "cannot be written");
      return 0;
    }
    if (strcmp(name, "pooled") == 0) {
      o.pooled = 1;
      continue;
    }
    if (strcmp(name, "late") == 0) {
      o.late = 1;
      continue;
    }
    if (strcmp(name, "epsilon") == 0)
      o.epsilon = number(value);
    else if (strcmp(name, "delta") == 0)
      o.delta = number(value);
    else if (strcmp(name, "steps") == 0)
      o.steps = whole(value, 1, 1e9);
    else if (strcmp(name, "seed") == 0)
      o.seed = (uint8_t)whole(value, 0, 255);
    else if (strcmp(name, "drop") == 0)
      read_drop(&o, value);
    else
      stop(argv[i], "is no option (see --help)");
    i++;
  }
  if (argc - i < 3 || argc - i > SITES) stop("files", "3 to 8, one for each site (see --help)");
  o.sites = (size_t)(argc - i);
  if (o.drop > o.sites || (o.late && (o.drop == 0 || o.pooled)))
    stop("sites", "--drop of none of them, or --late without processes that end");
  model_begin(&m, &o);
  (void)signal(SIGPIPE, SIG_IGN);
  if (o.pooled) {
    printf("auc_not_private %.4f\n", run_pooled(&m, told, argv + i, &o));
  } else {
    start(line, argv + i, &o);
    run_coordinator(&m, told, line, &o);
  }
  if (o.seed != 0)
    printf("simulation, seed %d: noise that can be had again. NOT PRIVATE, no release\n", o.seed);
  printf("sites %zu\nrecords %zu\n", count_of(m.alive), model_records(&m));
  printf("epsilon %.9g\ndelta %g\nwrap %.3g\nw", told[0], o.delta, told[1]);
  for (k = 0; k < m.d; k++) printf(" %.17g", m.w[k]);
  printf("\n");
  if (fflush(stdout) != 0 || ferror(stdout)) stop("the results", "cannot be written");
  return 0;
}
