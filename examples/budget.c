/* SPDX-License-Identifier: MIT */
/*
 * budget - a privacy calculator over dppair_accountant.h.
 *
 *   build/budget COMMAND --key value ...     prints one "name value" line per result (--json: an
 *                                            object; --explain: the formula and its source too)
 *
 * Exit 0: done. 1: there is no (proved) answer. 2: wrong use; nothing is guessed, so a key that is
 * unknown, missing, repeated or without effect is an error.
 */
#include "dppair_accountant.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char usage[] =
    "usage: budget COMMAND --key value ... [--json] [--explain]\n"
    "\n"
    "  gaussian-sigma    --sensitivity X --epsilon X --delta X [--steps T]        -> sigma\n"
    "  gaussian-epsilon  --mu X --delta X                                         -> epsilon\n"
    "  gaussian-delta    --mu X --epsilon X                                       -> delta, "
    "log_delta\n"
    "  rdp               MECHANISM --order A [--hit-cap K]                        -> rdp\n"
    "  epsilon           MECHANISM [--steps T] --delta X [--accountant pld|rdp]\n"
    "                    [--route contour|fft|closed] -> epsilon_upper, _lower, _estimate\n"
    "                    (--accountant rdp: epsilon, order)\n"
    "  delta             MECHANISM [--steps T] --epsilon X [--accountant pld|rdp] [--route ...]\n"
    "                                              -> delta_upper, _lower, _estimate (rdp: delta)\n"
    "  calibrate         as epsilon, with --epsilon X and without the noise\n"
    "                                              -> noise_multiplier (laplace: scale)\n"
    "  sensitivity       --kind KIND ...                                          -> sensitivity\n"
    "  uas               --n N --steps T --eta X --lipschitz G --diameter X --epsilon X --delta X\n"
    "                    [--structure general|ranking]    noise fixed in advance  -> sigma\n"
    "  paper             --result NAME --n N --lipschitz G --epsilon X --delta X --steps T\n"
    "                    [--alpha A | --eta X | --lambda X --kappa X] [--noise gaussian|pure]\n"
    "                    -> noise_printed, noise_needed, sufficient, true_epsilon, true_delta\n"
    "  ledger            --file FILE --delta X   re-verify and merge -> epsilon_upper, ..., steps\n"
    "\n"
    "MECHANISM\n"
    "  --mechanism gaussian             --noise-multiplier Z   (sigma / sensitivity)\n"
    "  --mechanism laplace              --scale B              (scale / l1 sensitivity)\n"
    "  --mechanism pure                 --step-epsilon E       (also randomised-response)\n"
    "  --mechanism zcdp                 --rho R                (Renyi orders only)\n"
    "  --mechanism sampled-gaussian     --sampling S --adjacency A --noise-multiplier Z and\n"
    "      poisson                      --q Q          A: zero-out or replace-one\n"
    "      without-replacement          --q Q, or --n N --m M          A: replace-one\n"
    "      with-replacement             --n N --m M                    A: replace-one\n"
    "      matching                     --q Q (records drawn / n)      A: replace-one\n"
    "  --mechanism sampled-pairs        --sampling S --adjacency A --noise-multiplier Z and\n"
    "      poisson                      --n N --pair-rate G    A: zero-out or replace-one\n"
    "      with-replacement             --n N --m M (pairs)    A: zero-out or replace-one\n"
    "      matching                     --q Q (records drawn / n)      A: replace-one\n"
    "  The noise multiplier is sigma over: for poisson records the move when ONE record is added "
    "or\n"
    "  zeroed; for the other record samplings the replace-one sensitivity of the batch statistic;\n"
    "  for sampled-pairs the clip of one pair.\n"
    "\n"
    "KIND (sensitivity)\n"
    "  pair-mean      --n --lipschitz                     rank-diff, rank-ind  --n --radius "
    "--slope\n"
    "  metric         --n --radius --slope-same --slope-opposite\n"
    "  pgd            --n --lipschitz --alpha --smoothness --eta --steps        (last iterate)\n"
    "  pgd-average    --n --lipschitz --smoothness --eta --steps               (mean of w_0..w_T)\n"
    "  erm            --n --lipschitz --alpha [--tolerance]\n"
    "  minibatch      --sampling S --m M --clip C\n"
    "  record-clip    --n --record-clip --clip            class-counts  (refused, with the "
    "reason)\n"
    "  uas-sequence   --n --eta --lipschitz --diameter X|inf --indices FILE [--ratio R]\n"
    "                 [--structure general|ranking]   0-based positions, one per line\n"
    "  uas-quantile   --n --steps --eta --lipschitz --diameter X|inf --gamma X [--structure ...]\n"
    "                                                     -> sensitivity, failure, hits\n"
    "\n"
    "exit status: 0 done; 1 no proved answer; 2 wrong use\n";

enum { EXIT_FAILED = 1, EXIT_USAGE = 2, MOST_KEYS = 32, MOST_RESULTS = 16 };

typedef struct key_value {
  const char *key, *value;
  int used;
} key_value;

typedef struct result {
  const char *name;
  double value;
  int integral;
} result;

static struct {
  const char *command;
  key_value key[MOST_KEYS];
  size_t keys;
  int json, explain;
  result out[MOST_RESULTS];
  size_t results;
  char reason[1024]; /* what --explain says */
} run;

/* ---- Errors and results ---------------------------------------------------------------------- */

static void say_error(const char *format, va_list list) {
  fputs("budget: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
}

static void die_usage(const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_error(format, list);
  va_end(list);
  fputs("budget: see budget --help\n", stderr);
  exit(EXIT_USAGE);
}

#ifdef __GNUC__
static void die(const char *format, ...) __attribute__((noreturn));
#endif
static void die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_error(format, list);
  va_end(list);
  exit(EXIT_FAILED);
}

/* Stops unless OK: values out of range are wrong use, everything else is "no proved answer". */
static void need(dppair_status status) {
  switch (status) {
  case DPPAIR_OK:
    return;
  case DPPAIR_ERR_SIZE:
  case DPPAIR_ERR_NOT_FINITE:
  case DPPAIR_ERR_DOMAIN:
  case DPPAIR_ERR_EPSILON:
  case DPPAIR_ERR_DELTA:
  case DPPAIR_ERR_SIGMA:
  case DPPAIR_ERR_SENSITIVITY:
    die_usage("%s: %s", run.command, dppair_status_string(status));
    return;
  default:
    die("%s: %s", run.command, dppair_status_string(status));
  }
}

static void put(const char *name, double value) {
  run.out[run.results].name = name;
  run.out[run.results].value = value;
  run.out[run.results++].integral = 0;
}

static void put_count(const char *name, double value) {
  put(name, value);
  run.out[run.results - 1].integral = 1;
}

static void explain(const char *text) {
  const size_t used = strlen(run.reason);
  snprintf(run.reason + used, sizeof run.reason - used, "%s%s", used > 0 ? " " : "", text);
}

static void print_value(const result *r) {
  const char *quote = run.json ? "\"" : "";
  if (!dppair_isfinite_f64(r->value))
    printf("%s%s%s", quote, r->value < 0.0 ? "-inf" : "inf", quote);
  else
    printf(r->integral ? "%.0f" : "%.17g", r->value);
}

static void print_results(void) {
  size_t i;
  if (run.json) putchar('{');
  for (i = 0; i < run.results; i++) {
    if (run.json)
      printf("%s\"%s\": ", i > 0 ? ", " : "", run.out[i].name);
    else
      printf("%s ", run.out[i].name);
    print_value(&run.out[i]);
    if (!run.json) putchar('\n');
  }
  if (run.explain) printf(run.json ? ", \"explain\": \"%s\"" : "# %s\n", run.reason);
  if (run.json) puts("}");
  if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write the results");
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static const char *optional(const char *key) {
  size_t i;
  for (i = 0; i < run.keys; i++) {
    if (strcmp(run.key[i].key, key) == 0) {
      run.key[i].used = 1;
      return run.key[i].value;
    }
  }
  return NULL;
}

static const char *required(const char *key) {
  const char *value = optional(key);
  if (value == NULL) die_usage("%s: --%s is required", run.command, key);
  return value;
}

static double to_number(const char *key, const char *text) {
  char *end;
  double value;
  errno = 0;
  value = strtod(text, &end);
  if (end == text || *end != '\0') die_usage("--%s: not a number: %s", key, text);
  if (!dppair_isfinite_f64(value)) die_usage("--%s: not finite: %s", key, text);
  /* A positive number that reads as 0 would turn into a claim about nothing. */
  if (errno == ERANGE && fabs(value) < DBL_MIN) die_usage("--%s: too small: %s", key, text);
  return value;
}

static double number(const char *key) { return to_number(key, required(key)); }

static double number_or(const char *key, double otherwise) {
  const char *text = optional(key);
  return text == NULL ? otherwise : to_number(key, text);
}

static size_t to_count(const char *key, const char *text) {
  const double value = to_number(key, text);
  if (!(value >= 0.0 && value <= 9007199254740992.0) || value > floor(value))
    die_usage("--%s: not a whole number: %s", key, text);
  return (size_t)value;
}

static size_t count(const char *key) { return to_count(key, required(key)); }

static size_t count_or(const char *key, size_t otherwise) {
  const char *text = optional(key);
  return text == NULL ? otherwise : to_count(key, text);
}

/* The position of the value among the words, a NULL-terminated list. */
static int word(const char *key, const char *const *words) {
  const char *text = required(key);
  int i;
  for (i = 0; words[i] != NULL; i++)
    if (strcmp(text, words[i]) == 0) return i;
  die_usage("--%s: unknown value: %s", key, text);
  return -1;
}

/* After a command has asked for its keys and before it computes: every key had an effect. */
static void no_other_keys(void) {
  size_t i;
  for (i = 0; i < run.keys; i++)
    if (!run.key[i].used) die_usage("%s: --%s has no effect here", run.command, run.key[i].key);
}

/* ---- Mechanisms ------------------------------------------------------------------------------ */

static const char *const sampling_words[] = {
    "none", "poisson", "without-replacement", "with-replacement", "matching", NULL};

static dppair_adjacency read_adjacency(void) {
  static const char *const words[] = {"replace-one", "zero-out", NULL};
  return word("adjacency", words) == 0 ? DPPAIR_REPLACE_ONE : DPPAIR_ZERO_OUT;
}

static dppair_sampling_kind read_sampling_kind(void) {
  const int kind = word("sampling", sampling_words);
  if (kind == 0) die_usage("%s: --sampling must name a sampling scheme", run.command);
  return (dppair_sampling_kind)kind;
}

/* q, or n and m, or both when they agree; `drawn` records per m. */
static void read_rate(dppair_sampling *s, int q_enough) {
  const char *q = optional("q");
  const int sizes = q == NULL || optional("n") != NULL || optional("m") != NULL;
  if (q != NULL && !q_enough) die_usage("%s: --q has no effect here", run.command);
  if (sizes) {
    s->n = count("n");
    s->m = count("m");
    if (s->n < 2 || s->m < 1) die_usage("%s: --n must be >= 2 and --m >= 1", run.command);
    if (q_enough && s->m > s->n) die_usage("%s: --m exceeds --n", run.command);
  }
  if (q != NULL) {
    s->q = to_number("q", q);
    if (s->q < 0.0 || s->q > 1.0) die_usage("--q must lie in [0, 1]");
    if (sizes && fabs(s->q * (double)s->n - (double)s->m) > 1e-9 * (double)s->m)
      die_usage("--q disagrees with --m over --n");
    if (sizes) s->q = 0.0; /* the sizes are exact */
  }
}

/* Which key carries the noise of this mechanism, NULL when none can be calibrated. */
static const char *noise_key(dppair_mechanism_kind kind) {
  switch (kind) {
  case DPPAIR_LAPLACE:
    return "scale";
  case DPPAIR_GAUSSIAN:
  case DPPAIR_SAMPLED_GAUSSIAN:
  case DPPAIR_SAMPLED_PAIRS:
    return "noise-multiplier";
  default:
    return NULL;
  }
}

/* Reads --mechanism and its parameters; the noise too unless it is to be found. */
static dppair_step read_mechanism(int with_noise) {
  static const char *const words[] = {"gaussian",
                                      "laplace",
                                      "pure",
                                      "zcdp",
                                      "sampled-gaussian",
                                      "sampled-pairs",
                                      "randomised-response",
                                      NULL};
  dppair_step step;
  const char *key;
  memset(&step, 0, sizeof step);
  step.kind = (dppair_mechanism_kind)(word("mechanism", words) + 1);
  step.steps = 1;
  key = noise_key(step.kind);
  if (key == NULL) {
    if (!with_noise) die_usage("%s: this mechanism has no noise to calibrate", run.command);
    step.noise_multiplier = number(step.kind == DPPAIR_ZCDP ? "rho" : "step-epsilon");
    if (step.noise_multiplier < 0.0) die_usage("%s: a privacy cost is negative", run.command);
  } else if (with_noise) {
    step.noise_multiplier = number(key);
    if (!(step.noise_multiplier > 0.0)) die_usage("--%s must be positive", key);
  } else {
    step.noise_multiplier = 1.0;
  }
  switch (step.kind) {
  case DPPAIR_GAUSSIAN:
    explain("Gaussian: Renyi curve a/(2 z^2); composed exactly, mu = sqrt(T)/z.");
    break;
  case DPPAIR_LAPLACE:
    explain("Laplace (Mironov 2017): log(a/(2a-1) e^((a-1)/b) + (a-1)/(2a-1) e^(-a/b))/(a-1).");
    break;
  case DPPAIR_PURE:
  case DPPAIR_RANDOMISED_RESPONSE:
    explain("Any epsilon-private mechanism is dominated by randomised response (Kairouz, Oh and "
            "Viswanath 2015).");
    break;
  case DPPAIR_ZCDP:
    explain("zCDP (Bun and Steinke 2016): Renyi curve rho a.");
    break;
  default: {
    dppair_sampling *s = &step.sampling;
    s->kind = read_sampling_kind();
    s->adjacency = read_adjacency();
    if (step.kind == DPPAIR_SAMPLED_GAUSSIAN) {
      if (s->kind == DPPAIR_POISSON) {
        s->q = number("q");
        if (s->q < 0.0 || s->q > 1.0) die_usage("--q must lie in [0, 1]");
        explain(s->adjacency == DPPAIR_ZERO_OUT
                    ? "Poisson records, one zeroed or added: (1-q)N(0)+qN(1/z) against N(0), both "
                      "directions (Mironov, Talwar and Zhang 2019; Zhu, Dong and Wang 2022)."
                    : "Poisson records, one replaced: (1-q)N(0)+qN(1/z) against (1-q)N(0)+qN(-1/z) "
                      "(Zhu, Dong and Wang 2022).");
      } else {
        read_rate(s, s->kind != DPPAIR_WITH_REPLACEMENT);
        explain("Fixed-size samples, one record replaced: H_t <= sum_k p_k delta_G(log(1+(t-1)/"
                "gamma), k/z) (Balle, Barthe and Gaboardi 2018).");
      }
    } else if (s->kind == DPPAIR_POISSON) {
      s->n = count("n");
      step.pair_rate = number("pair-rate");
      if (step.pair_rate < 0.0 || step.pair_rate > 1.0) die_usage("--pair-rate: not in [0, 1]");
      explain("Poisson pairs: a record is hit K ~ Bin(n-1, rate) times; zeroed, sum_k p_k N(k/z) "
              "against N(0) dominates (Kahane's inequality).");
    } else {
      read_rate(s, s->kind == DPPAIR_MATCHING);
      if (s->kind == DPPAIR_MATCHING && s->m > 0 && 2 * s->m > s->n)
        die_usage("%s: --m pairs need 2 m records", run.command);
      explain("Fixed number of pairs: shift 2/z per hit, K ~ Bin(m, 2/n) or one hit with q, by "
              "advanced joint convexity (Balle, Barthe and Gaboardi 2018).");
    }
  }
  }
  return step;
}

/* ---- Accounting ------------------------------------------------------------------------------ */

typedef enum route_choice { ROUTE_BEST, ROUTE_CONTOUR, ROUTE_FFT, ROUTE_CLOSED } route_choice;

typedef struct question {
  int renyi;
  route_choice route;
  double delta;   /* epsilon at this delta, or ... */
  double epsilon; /* ... delta at this epsilon */
  int for_delta;
} question;

static void read_route(question *q) {
  static const char *const accountants[] = {"pld", "rdp", NULL};
  static const char *const routes[] = {"best", "contour", "fft", "closed", NULL};
  q->renyi = optional("accountant") != NULL && word("accountant", accountants) == 1;
  q->route = ROUTE_BEST;
  if (optional("route") != NULL) {
    if (q->renyi) die_usage("--route has no effect with --accountant rdp");
    q->route = (route_choice)word("route", routes);
  }
}

typedef struct enclosure {
  double upper, lower, estimate;
} enclosure;

static double *workspace_of(size_t doubles) {
  double *w = (double *)malloc((doubles > 0 ? doubles : 1) * sizeof *w);
  if (w == NULL) die("out of memory for %lu numbers", (unsigned long)doubles);
  return w;
}

static dppair_status closed_form(enclosure *out, const dppair_accountant *a, const question *q) {
  memset(out, 0, sizeof *out);
  if (dppair_accountant_is_gaussian(a) && !q->for_delta)
    return dppair_accountant_certify(&out->upper, &out->lower, &out->estimate, a, q->delta, NULL,
                                     0);
  if (dppair_accountant_is_gaussian(a)) {
    const dppair_status status = dppair_accountant_delta(&out->upper, a, q->epsilon);
    out->estimate = out->upper;
    out->lower = a->gaussian > 0.0 ? out->upper * (1.0 - 1e-12) : 0.0;
    if (out->lower < 2.0 * DBL_MIN) out->lower = 0.0;
    return status;
  }
  return DPPAIR_ERR_NO_PROOF;
}

static dppair_status by_composition(enclosure *out, const dppair_accountant *a, const question *q) {
  dppair_step steps[DPPAIR_STEP_CAPACITY + 1];
  dppair_route route;
  size_t used, doubles;
  double *w, *u = &out->upper, *l = &out->lower, *e = &out->estimate;
  dppair_status status = dppair_accountant_steps(steps, &used, a);
  memset(out, 0, sizeof *out);
  if (status != DPPAIR_OK) return status;
  need(q->route == ROUTE_CONTOUR ? dppair_contour_workspace(&doubles, used)
       : q->route == ROUTE_FFT   ? dppair_pld_workspace(&doubles, used, NULL)
                                 : dppair_compose_workspace(&doubles, used));
  w = workspace_of(doubles);
  if (q->route == ROUTE_CONTOUR)
    status = q->for_delta ? dppair_contour_delta(u, l, e, steps, used, q->epsilon, w, doubles)
                          : dppair_contour_epsilon(u, l, e, steps, used, q->delta, w, doubles);
  else if (q->route == ROUTE_FFT)
    status = q->for_delta ? dppair_pld_delta(u, l, e, steps, used, q->epsilon, NULL, w, doubles)
                          : dppair_pld_epsilon(u, l, e, steps, used, q->delta, NULL, w, doubles);
  else
    status = q->for_delta
                 ? dppair_compose_delta(u, l, e, &route, steps, used, q->epsilon, w, doubles)
                 : dppair_compose_epsilon(u, l, e, &route, steps, used, q->delta, w, doubles);
  free(w);
  return status;
}

/* The tightest of the certified routes, or the one that was asked for. */
static dppair_status enclose(enclosure *out, const dppair_accountant *a, const question *q) {
  dppair_status status;
  if (q->route == ROUTE_BEST || q->route == ROUTE_CLOSED) {
    status = closed_form(out, a, q);
    if (status == DPPAIR_OK || q->route == ROUTE_CLOSED) return status;
  }
  status = by_composition(out, a, q);
  if (status == DPPAIR_OK || q->route != ROUTE_BEST) return status;
  /* Beyond numerical composition (zCDP, ...): Renyi orders from above, nothing from below. */
  status = q->for_delta ? dppair_accountant_delta(&out->upper, a, q->epsilon)
                        : dppair_accountant_epsilon(&out->upper, a, q->delta);
  out->lower = 0.0;
  out->estimate = out->upper;
  return status;
}

static void make_account(dppair_accountant *a, const dppair_step *step) {
  dppair_accountant_init(a);
  need(dppair_accountant_step(a, step));
}

static void refuse_delta(double delta) {
  if (!(delta > 0.0 && delta < 1.0)) die_usage("--delta must lie strictly between 0 and 1");
}

static void command_epsilon(void) {
  dppair_accountant a;
  question q;
  enclosure e;
  double epsilon, order;
  dppair_step step;
  memset(&q, 0, sizeof q);
  step = read_mechanism(1);
  step.steps = count_or("steps", 1);
  q.delta = number("delta");
  read_route(&q);
  no_other_keys();
  refuse_delta(q.delta);
  make_account(&a, &step);
  if (q.renyi) {
    need(dppair_accountant_epsilon_renyi(&epsilon, &order, &a, q.delta));
    put("epsilon", epsilon);
    put("order", order);
    explain("epsilon = min over orders a of T r(a) + log(1-1/a) - log(a delta)/(a-1) (Canonne, "
            "Kamath and Steinke 2020, Proposition 12).");
    return;
  }
  need(enclose(&e, &a, &q));
  put("epsilon_upper", e.upper);
  put("epsilon_lower", e.lower);
  put("epsilon_estimate", e.estimate);
  explain("Certified on both sides: exact Gaussian curve (Balle and Wang 2018), or the contour "
          "integral of the composed moment function, whose aliases are positive.");
}

static void command_delta(void) {
  dppair_accountant a;
  question q;
  enclosure e;
  double delta;
  dppair_step step;
  memset(&q, 0, sizeof q);
  q.for_delta = 1;
  step = read_mechanism(1);
  step.steps = count_or("steps", 1);
  q.epsilon = number("epsilon");
  read_route(&q);
  no_other_keys();
  if (q.epsilon < 0.0) die_usage("--epsilon is negative");
  make_account(&a, &step);
  if (q.renyi) {
    need(dppair_accountant_delta(&delta, &a, q.epsilon));
    put("delta", delta);
    return;
  }
  need(enclose(&e, &a, &q));
  put("delta_upper", e.upper);
  put("delta_lower", e.lower);
  put("delta_estimate", e.estimate);
}

typedef struct calibration {
  dppair_step step;
  question q;
} calibration;

static dppair_status calibration_epsilon(double *epsilon, double value, void *context) {
  const calibration *c = (const calibration *)context;
  dppair_accountant a;
  dppair_step step = c->step;
  enclosure e;
  double order;
  dppair_status status;
  *epsilon = 0.0;
  step.noise_multiplier = value;
  dppair_accountant_init(&a);
  status = dppair_accountant_step(&a, &step);
  if (status != DPPAIR_OK) return status;
  if (c->q.renyi) return dppair_accountant_epsilon_renyi(epsilon, &order, &a, c->q.delta);
  status = enclose(&e, &a, &c->q);
  *epsilon = e.upper;
  return status;
}

static void command_calibrate(void) {
  calibration c;
  double target, noise, epsilon, guess;
  memset(&c, 0, sizeof c);
  c.step = read_mechanism(0);
  c.step.steps = count_or("steps", 1);
  c.q.delta = number("delta");
  target = number("epsilon");
  read_route(&c.q);
  no_other_keys();
  refuse_delta(c.q.delta);
  if (!(target > 0.0)) die_usage("--epsilon must be positive");
  if (c.step.steps == 0) die_usage("--steps must be at least 1");
  guess = sqrt((double)c.step.steps) / (target < 1.0 ? target : 1.0);
  if (c.step.kind == DPPAIR_SAMPLED_GAUSSIAN || c.step.kind == DPPAIR_SAMPLED_PAIRS) guess = 1.0;
  need(dppair_calibrate_noise(&noise, &epsilon, target, guess, 1e-9, calibration_epsilon, &c));
  put(c.step.kind == DPPAIR_LAPLACE ? "scale" : "noise_multiplier", noise);
  explain("The safe end of a bracket of relative width 1e-9; certified to give epsilon");
  {
    char text[32];
    snprintf(text, sizeof text, "%.17g.", epsilon);
    explain(text);
  }
}

static void command_rdp(void) {
  double order, rdp, unpaid;
  size_t cap;
  dppair_step step = read_mechanism(1);
  order = number("order");
  cap = step.kind == DPPAIR_SAMPLED_GAUSSIAN || step.kind == DPPAIR_SAMPLED_PAIRS
            ? count_or("hit-cap", 0)
            : 0;
  no_other_keys();
  if (!(order > 1.0)) die_usage("--order must be larger than 1");
  need(dppair_renyi(&rdp, &unpaid, &step, order, cap));
  put("rdp", rdp);
  if (cap > 0) put("unpaid_delta", unpaid);
}

/* ---- The Gaussian curve ---------------------------------------------------------------------- */

#define CURVE                                                                                      \
  "delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), mu = sensitivity "          \
  "sqrt(T)/sigma (Balle and Wang 2018; Dong, Roth and Su 2022)."

static void command_gaussian_sigma(void) {
  const double sensitivity = number("sensitivity"), epsilon = number("epsilon");
  const double delta = number("delta");
  const size_t steps = count_or("steps", 1);
  double sigma;
  no_other_keys();
  need(dppair_gaussian_sigma(&sigma, sensitivity, epsilon, delta, steps));
  put("sigma", sigma);
  explain(CURVE);
}

static void command_gaussian_epsilon(void) {
  const double mu = number("mu"), delta = number("delta");
  double epsilon;
  no_other_keys();
  need(dppair_gaussian_epsilon(&epsilon, delta, mu));
  put("epsilon", epsilon);
  explain(CURVE);
}

static void command_gaussian_delta(void) {
  const double mu = number("mu"), epsilon = number("epsilon");
  double delta, log_delta = -HUGE_VAL;
  no_other_keys();
  need(dppair_gaussian_delta(&delta, epsilon, mu));
  if (mu > 0.0) need(dppair_gaussian_log_delta(&log_delta, epsilon, mu));
  put("delta", delta);
  put("log_delta", log_delta);
  explain(CURVE);
}

/* ---- Sensitivities --------------------------------------------------------------------------- */

static double read_diameter(void) {
  const char *text = required("diameter");
  double value;
  if (strcmp(text, "inf") == 0) return 0.0; /* how dppair_uas says unbounded */
  value = to_number("diameter", text);
  if (!(value > 0.0)) die_usage("--diameter must be positive, or inf");
  return value;
}

static dppair_uas read_uas(void) {
  static const char *const structures[] = {"general", "ranking", NULL};
  dppair_uas u;
  memset(&u, 0, sizeof u);
  u.n = count("n");
  u.eta = number("eta");
  u.lipschitz = number("lipschitz");
  u.diameter = read_diameter();
  u.structured = optional("structure") != NULL && word("structure", structures) == 1;
  explain(u.structured ? "Stability of pairwise SGD, ranking structure: c = eta G;"
                       : "Stability of pairwise SGD: c = 2 eta G;");
  explain("d <- min(sqrt(d^2 + c^2 (1-r)^2) + c r, diameter).");
  return u;
}

/* One whole number below n per line; the array is malloc'ed. */
static size_t *read_indices(const char *path, size_t n, size_t *length) {
  FILE *file = fopen(path, "r");
  size_t room = 1024, used = 0, line = 0, *index;
  char text[64];
  if (file == NULL) die("%s: %s", path, strerror(errno));
  index = (size_t *)malloc(room * sizeof *index);
  if (index == NULL) die("%s: out of memory", path);
  while (fgets(text, sizeof text, file) != NULL) {
    char *end;
    unsigned long value;
    line++;
    if (strchr(text, '\n') == NULL && !feof(file))
      die("%s:%lu: line too long", path, (unsigned long)line);
    if (text[strspn(text, " \t\r\n")] == '\0') continue;
    errno = 0;
    value = strtoul(text, &end, 10);
    if (end == text || end[strspn(end, " \t\r\n")] != '\0' || strchr(text, '-') != NULL ||
        errno != 0 || value >= n)
      die("%s:%lu: not a position below --n", path, (unsigned long)line);
    if (used == room) {
      size_t *larger = (size_t *)realloc(index, 2 * room * sizeof *index);
      if (larger == NULL) die("%s: out of memory", path);
      index = larger;
      room *= 2;
    }
    index[used++] = (size_t)value;
  }
  if (ferror(file)) die("%s: cannot be read", path);
  fclose(file);
  if (used == 0) die("%s: no positions", path);
  *length = used;
  return index;
}

static void kind_uas_sequence(void) {
  dppair_uas u = read_uas();
  const char *path = required("indices");
  const double ratio = number_or("ratio", 1.0);
  double sensitivity, *w;
  size_t doubles, *indices;
  no_other_keys();
  indices = read_indices(path, u.n, &u.steps);
  need(dppair_uas_workspace(&doubles, &u, ratio));
  w = workspace_of(doubles);
  need(dppair_sensitivity_uas_sequence(&sensitivity, &u, indices, u.steps, ratio, w, doubles));
  put("sensitivity", sensitivity);
  free(w);
  free(indices);
}

static void kind_uas_quantile(void) {
  dppair_uas u = read_uas();
  const double gamma = number("gamma");
  double sensitivity, failure;
  size_t hits;
  u.steps = count("steps");
  no_other_keys();
  need(dppair_sensitivity_uas_quantile(&sensitivity, &failure, &hits, &u, gamma));
  put("sensitivity", sensitivity);
  put("failure", failure);
  put_count("hits", (double)hits);
}

/* The sensitivity of the mean pair gradient that the output-perturbation kinds start from. */
static double pair_move(void) {
  const size_t n = count("n");
  double move;
  need(dppair_sensitivity_pair_mean(&move, number("lipschitz"), n, DPPAIR_REPLACE_ONE));
  return move;
}

static void command_sensitivity(void) {
  static const char *const kinds[] = {"pair-mean",   "rank-diff",    "rank-ind",     "metric",
                                      "pgd",         "pgd-average",  "erm",          "minibatch",
                                      "record-clip", "class-counts", "uas-sequence", "uas-quantile",
                                      NULL};
  const int kind = word("kind", kinds);
  double s = 0.0;
  size_t n;
  switch (kind) {
  case 0:
    s = pair_move();
    no_other_keys();
    explain(
        "4 G/n: 2(n-1) of the n(n-1) ordered pairs touch the replaced record, each moves <= 2G.");
    break;
  case 1:
  case 2: {
    const double radius = number("radius"), slope = number("slope");
    n = count("n");
    no_other_keys();
    need(kind == 1 ? dppair_sensitivity_rank_diff(&s, radius, slope, n)
                   : dppair_sensitivity_rank_ind(&s, radius, slope, n));
    explain(kind == 1
                ? "8 R s/n: the pair gradients of one partner lie in one set of diameter 8Rs."
                : "2 R s/n: the pair gradients of one partner lie in one set of diameter 2Rs.");
    break;
  }
  case 3: {
    const double radius = number("radius"), same = number("slope-same");
    const double opposite = number("slope-opposite");
    n = count("n");
    no_other_keys();
    need(dppair_sensitivity_metric(&s, radius, same, opposite, n, DPPAIR_REPLACE_ONE));
    explain("2 V (s_same + s_opposite)/n, V = 4 R^2.");
    break;
  }
  case 4: {
    const double move = pair_move(), alpha = number("alpha"), smoothness = number("smoothness");
    const double eta = number("eta");
    const size_t steps = count_or("steps", 1);
    no_other_keys();
    need(dppair_sensitivity_pgd(&s, move, alpha, smoothness, eta, steps));
    explain("4G/(alpha n) (1 - (1 - eta alpha)^T), eta <= 2/(L + alpha): half of Xue et al. 2021, "
            "Lemma 1.");
    break;
  }
  case 5: {
    const double move = pair_move(), smoothness = number("smoothness"), eta = number("eta");
    const size_t steps = count_or("steps", 1);
    no_other_keys();
    need(dppair_sensitivity_pgd_average(&s, move, smoothness, eta, steps));
    explain("2 G eta T/n for the mean of w_0..w_T, eta <= 2/L.");
    break;
  }
  case 6: {
    const double move = pair_move(), alpha = number("alpha");
    const double tolerance = number_or("tolerance", 0.0);
    no_other_keys();
    need(dppair_sensitivity_erm(&s, move, alpha, tolerance));
    explain("4G/(alpha n) + 2 tolerance/alpha, by strong monotonicity of the gradient.");
    break;
  }
  case 7: {
    const dppair_sampling_kind sampling = read_sampling_kind();
    const double clip = number("clip");
    const size_t m = count("m");
    no_other_keys();
    need(dppair_sensitivity_minibatch(&s, sampling, clip, m));
    explain("3C/m (poisson, divided by m(|B|-1)), 4C/m (all pairs of m records), 2C/m (m matched "
            "pairs).");
    break;
  }
  case 8: {
    const double record = number("record-clip"), pair = number("clip");
    n = count("n");
    no_other_keys();
    need(dppair_sensitivity_record_clip(&s, record, pair, n, DPPAIR_REPLACE_ONE));
    explain("[2R + (n-1) min(2R, 2C/(n-1))]/n.");
    break;
  }
  case 9:
    no_other_keys();
    die("dividing by n+ n- of private labels has no useful bound: with a single positive, "
        "replacing "
        "it changes every pair, so the sensitivity is 2C whatever n is; divide by the public "
        "n(n-1) "
        "instead (2C/n)");
    break;
  case 10:
    kind_uas_sequence();
    return;
  default:
    kind_uas_quantile();
    return;
  }
  put("sensitivity", s);
}

static void command_uas(void) {
  dppair_uas u = read_uas();
  const double epsilon = number("epsilon"), delta = number("delta");
  double sigma;
  u.steps = count("steps");
  no_other_keys();
  refuse_delta(delta);
  need(dppair_uas_sigma(&sigma, &u, epsilon, delta));
  put("sigma", sigma);
  explain("delta <= sum over N of Pr[Bin(T, 1/n) = N] delta_G(epsilon, sensitivity(N)/sigma).");
}

/* ---- Papers and ledgers ---------------------------------------------------------------------- */

static void command_paper(void) {
  static const char *const noises[] = {"gaussian", "pure", NULL};
  dppair_paper p;
  dppair_paper_verdict v;
  const char *name = required("result");
  int i;
  memset(&p, 0, sizeof p);
  for (i = 0; i < (int)DPPAIR_PAPER_COUNT_; i++)
    if (strcmp(name, dppair_paper_name((dppair_paper_result)i)) == 0) break;
  if (i == (int)DPPAIR_PAPER_COUNT_) die_usage("--result: unknown value: %s", name);
  p.result = (dppair_paper_result)i;
  p.n = count("n");
  p.lipschitz = number("lipschitz");
  p.epsilon = number("epsilon");
  p.pure = optional("noise") != NULL && word("noise", noises) == 1;
  if (p.pure || p.result == DPPAIR_NIEWANG2017_PROP1)
    p.delta = number_or("delta", 0.0);
  else
    p.delta = number("delta");
  p.steps = count_or("steps", 1);
  if (p.result == DPPAIR_XUE2021_ALG1) p.alpha = number("alpha");
  if (p.result == DPPAIR_XUE2021_ALG3 || p.result == DPPAIR_YANG2021_THEOREM4)
    p.eta = number("eta");
  if (p.result == DPPAIR_NIEWANG2017_PROP1) {
    p.lambda = number("lambda");
    p.kappa = number("kappa");
  }
  no_other_keys();
  need(dppair_paper_check(&v, &p));
  put("noise_printed", v.noise_printed);
  put("noise_needed", v.noise_needed);
  put_count("sufficient", (double)v.sufficient);
  put("true_epsilon", v.true_epsilon);
  put("true_delta", v.true_delta);
  explain("Printed:");
  explain(dppair_paper_formula(p.result));
}

/* The whole file; malloc'ed. */
static char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  size_t room = 1 << 16;
  char *text = (char *)malloc(room);
  *length = 0;
  if (file == NULL) die("%s: %s", path, strerror(errno));
  while (text != NULL) {
    const size_t got = fread(text + *length, 1, room - *length, file);
    *length += got;
    if (*length < room) break;
    room *= 2;
    {
      char *larger = (char *)realloc(text, room);
      if (larger == NULL) free(text);
      text = larger;
    }
  }
  if (text == NULL) die("%s: out of memory", path);
  if (ferror(file)) die("%s: cannot be read", path);
  fclose(file);
  return text;
}

static void command_ledger(void) {
  dppair_accountant a;
  const char *path = required("file");
  const double delta = number("delta");
  double upper, lower, estimate, *w;
  size_t length, bad, doubles, i, distinct;
  char *text;
  dppair_status status;
  no_other_keys();
  refuse_delta(delta);
  text = read_file(path, &length);
  dppair_accountant_init(&a);
  status = dppair_ledger_replay(&a, &bad, text, length);
  if (status != DPPAIR_OK)
    die("%s:%lu: %s", path, (unsigned long)bad, dppair_status_string(status));
  need(dppair_certify_workspace(&doubles));
  w = workspace_of(doubles);
  need(dppair_accountant_certify(&upper, &lower, &estimate, &a, delta, w, doubles));
  put("epsilon_upper", upper);
  put("epsilon_lower", lower);
  put("epsilon_estimate", estimate);
  for (i = distinct = 0; i < length; i++) distinct += text[i] == '{';
  put_count("lines", (double)distinct);
  free(w);
  free(text);
}

/* ---- Main ------------------------------------------------------------------------------------ */

static const struct {
  const char *name;
  void (*act)(void);
} commands[] = {{"gaussian-sigma", command_gaussian_sigma},
                {"gaussian-epsilon", command_gaussian_epsilon},
                {"gaussian-delta", command_gaussian_delta},
                {"rdp", command_rdp},
                {"epsilon", command_epsilon},
                {"delta", command_delta},
                {"calibrate", command_calibrate},
                {"sensitivity", command_sensitivity},
                {"uas", command_uas},
                {"paper", command_paper},
                {"ledger", command_ledger}};

static void read_keys(int argc, char **argv) {
  int i;
  for (i = 2; i < argc; i++) {
    size_t k;
    const char *key = argv[i];
    if (strcmp(key, "--json") == 0 || strcmp(key, "--explain") == 0) {
      int *flag = key[2] == 'j' ? &run.json : &run.explain;
      if (*flag) die_usage("%s is given twice", key);
      *flag = 1;
      continue;
    }
    if (strncmp(key, "--", 2) != 0 || key[2] == '\0') die_usage("not a key: %s", key);
    if (i + 1 >= argc) die_usage("%s has no value", key);
    for (k = 0; k < run.keys; k++)
      if (strcmp(run.key[k].key, key + 2) == 0) die_usage("%s is given twice", key);
    if (run.keys == MOST_KEYS) die_usage("too many keys");
    run.key[run.keys].key = key + 2;
    run.key[run.keys].value = argv[++i];
    run.key[run.keys++].used = 0;
  }
}

int main(int argc, char **argv) {
  size_t i;
  for (i = 1; i < (size_t)argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(usage, stdout);
      return 0;
    }
  }
  if (argc >= 2 && strcmp(argv[1], "--version") == 0) {
    puts("budget " DPPAIR_VERSION_STRING);
    return 0;
  }
  if (argc < 2) {
    fputs(usage, stderr);
    return EXIT_USAGE;
  }
  run.command = argv[1];
  for (i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(argv[1], commands[i].name) == 0) {
      read_keys(argc, argv);
      commands[i].act();
      print_results();
      return 0;
    }
  }
  die_usage("unknown command: %s", argv[1]);
  return EXIT_USAGE;
}
