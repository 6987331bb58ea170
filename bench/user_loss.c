/* SPDX-License-Identifier: MIT */
/*
 * user_loss - a loss of one's own on every tier of this machine, beside a plain C loop over the same
 * expression and beside two losses that are shipped. The user's file is included before this one
 * (bench/user_loss.sh). The work is X -> gradient, in double: scores, coefficients, X^T c.
 *
 *   user_loss [--n N] [--d D] and what every benchmark takes
 *
 * First, the coefficients of each tier are compared with sums in long double of the same slopes by the
 * C library. They agree when the sum of all differences is within what dppair.h states of the rounding
 * of sums and of the near-linear kernel (NAME_allowance), and 16 u of the largest slope for each pair,
 * for two ways to compute it.
 */
#include "bench.h"
#include "user_loop.h"

#include "dppair_losses.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

#if DPPAIR_WORD_(JOIN(USER_LOSS_NAME, _KIND), 9) == DPPAIR_KIND_ROWWISE_
#error "its KIND is dppair_rowwise; what is timed here are losses of pairs"
#endif

#define DPPAIR_NAME user
#define DPPAIR_REAL double
#define DPPAIR_LOSS USER_LOSS_NAME
#include "dppair.h"
#define DPPAIR_NAME logistic
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME hinge
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define NAME TEXT(USER_LOSS_NAME)
#define NEAR_LINEAR (DPPAIR_WORD_(JOIN(USER_LOSS_NAME, _KIND), 9) != DPPAIR_KIND_PAIRS_)
#ifdef USER_LOSS_PARAMETERS
static const double parameters[] = USER_LOSS_PARAMETERS, *const params = parameters;
#else
static const double *const params = NULL;
#endif

static size_t n = 2000, np, d = 64;
static double *x, *w, *s, *c, *g, *exact, *room, largest;
static int disagree;

static void plain(void *unused) {
  (void)unused;
  user_loop(g, x, np, n - np, d, w, params, room);
}

/* ------------------------------------------------------------------------------------------------
 * Each tier by its own functions, and the near-linear kernels on the widest
 * ---------------------------------------------------------------------------------------------- */

#define ON_TIER(loss, tier, p)                                                                     \
  static void loss##_on_##tier(void *unused) {                                                     \
    (void)unused;                                                                                  \
    dppair_scores_f64_##tier(s, x, n, d, d, w);                                                    \
    loss##_coeffs_##tier(c, c + np, s, np, s + np, n - np, p);                                     \
    dppair_combine_f64_##tier(g, x, n, d, d, c, NULL);                                             \
  }
#define TIER(tier)                                                                                 \
  ON_TIER(user, tier, params) ON_TIER(logistic, tier, NULL) ON_TIER(hinge, tier, NULL)
TIER(scalar)
#if DPPAIR_HAVE_SIMD128
TIER(simd128)
#endif
#if DPPAIR_HAVE_AVX2
TIER(avx2)
#endif
#if DPPAIR_HAVE_AVX512
TIER(avx512)
#endif

static const struct tier {
  int least;
  const char *name;
  bench_work user, logistic, hinge;
} tiers[] = {
#define ROW(number, tier) {number, #tier, user_on_##tier, logistic_on_##tier, hinge_on_##tier}
    ROW(DPPAIR_TIER_SCALAR, scalar),
#if DPPAIR_HAVE_SIMD128
    ROW(DPPAIR_TIER_SIMD128, simd128),
#endif
#if DPPAIR_HAVE_AVX2
    ROW(DPPAIR_TIER_AVX2, avx2),
#endif
#if DPPAIR_HAVE_AVX512
    ROW(DPPAIR_TIER_AVX512, avx512),
#endif
};

static dppair_fast fast_logistic;
static volatile int failed;

static void logistic_fast(void *unused) {
  const dppair_rows_f64 rows = dppair_rows_make_f64(x, n, d, d);
  (void)unused;
  failed |= dppair_scores_f64(s, &rows, w);
  failed |= logistic_coeffs_fast(c, c + np, s, np, s + np, n - np, NULL, &fast_logistic);
  failed |= dppair_combine_f64(g, &rows, c);
}
#if NEAR_LINEAR
static dppair_fast fast_user;
static void user_fast(void *unused) {
  const dppair_rows_f64 rows = dppair_rows_make_f64(x, n, d, d);
  (void)unused;
  failed |= dppair_scores_f64(s, &rows, w);
  failed |= user_coeffs_fast(c, c + np, s, np, s + np, n - np, params, &fast_user);
  failed |= dppair_combine_f64(g, &rows, c);
}
#endif

/* ------------------------------------------------------------------------------------------------
 * Agreement
 * ---------------------------------------------------------------------------------------------- */

static void stop(const char *sentence) {
  fprintf(stderr, "bench: %s: %s\n", NAME, sentence);
  exit(1);
}

/* Runs f and says whether its coefficients are those of the reference; the difference of a pair, over
 * the largest slope, is returned. */
static double agreement(const char *how, bench_work f, const dppair_fast *fast) {
  const double pairs = (double)np * (double)(n - np);
  double factor, rounding, bound, wrong = 0.0;
  size_t i;
  f(NULL);
  if (failed) stop("a function of the library refused these scores, or the slopes of this loss there");
  if (user_allowance(&factor, &rounding, fast, n, 1.0, largest) != DPPAIR_OK) stop("no bound of its rounding");
  bound = 0.5 * rounding + 2.0 * pairs * ((fast ? fast->kernel_error : 0.0) + 8.0 * DBL_EPSILON * largest);
  for (i = 0; i < n; i++) wrong += fabs(c[i] - exact[i]);
  if (!(wrong <= bound)) disagree = 1;
  wrong /= 2.0 * pairs * largest, bound /= 2.0 * pairs * largest;
  fprintf(bench_.json ? stderr : stdout, "%s: %s: %.1e of the largest slope off, the bound is %.1e: %s\n", NAME,
          how, wrong, bound, wrong <= bound ? "agrees with the exact loop" : "DOES NOT AGREE with the exact loop");
  return wrong;
}

static void prepare(void) {
  size_t i, k, bytes;
  double where = 0.0, cap = 1.0;
  char text[160];
  np = n / 2;
  x = bench_alloc(n * d * sizeof *x);
  w = bench_alloc(d * sizeof *w);
  s = bench_alloc(n * sizeof *s);
  c = bench_alloc(n * sizeof *c);
  g = bench_alloc(d * sizeof *g);
  exact = bench_alloc(n * sizeof *exact);
  room = bench_alloc(2 * n * sizeof *room);
  for (i = 0; i < n * d; i++) x[i] = bench_x(i / d, i % d, d);
  for (k = 0; k < d; k++) w[k] = bench_w(k);
  dppair_scores_f64_scalar(s, x, n, d, d, w);
  for (i = 0; i < n; i++) cap = fmax(cap, 2.0 * fabs(s[i]));
  largest = user_reference(exact, exact + np, &where, s, np, n - np, params);
  if (!(largest <= DBL_MAX)) {
    snprintf(text, sizeof text, "its slope is not a finite number at the margin %.17g", where);
    stop(text);
  }
  if (!(largest > 0.0)) stop("its slope is 0 at all margins of the data");
  if (logistic_fast_workspace(&bytes, n, DPPAIR_ACCURACY_1E12, cap, NULL) != DPPAIR_OK ||
      logistic_fast_init(&fast_logistic, n, DPPAIR_ACCURACY_1E12, cap, NULL, bench_alloc(bytes), bytes) != DPPAIR_OK)
    stop("no near-linear logistic loss here");
#if NEAR_LINEAR
  if (user_fast_workspace(&bytes, n, DPPAIR_ACCURACY_1E12, cap, params) != DPPAIR_OK ||
      user_fast_init(&fast_user, n, DPPAIR_ACCURACY_1E12, cap, params, bench_alloc(bytes), bytes) != DPPAIR_OK)
    stop("its PIECES or POLES give no near-linear kernel");
#endif
}

static void row(const char *tier, const char *how, const char *peer, double error, bench_work ours, bench_work theirs) {
  char name[64];
  bench_row r;
  snprintf(name, sizeof name, "%s, %s", tier, how);
  r = bench_describe(name, peer, n, d, "f64");
  r.candidate = NAME;
  r.tier = tier;
  r.error = error;
  bench_compare(&r, ours, NULL, theirs, NULL);
}

/* Takes --n and --d out of the arguments. */
static int sizes(int argc, char **argv) {
  int i, kept = 1;
  for (i = 1; i < argc; i++) {
    const int which = strcmp(argv[i], "--n") == 0 ? 1 : strcmp(argv[i], "--d") == 0 ? 2 : 0;
    if (which && i + 1 < argc) {
      const long value = strtol(argv[++i], NULL, 10);
      if (value < 2 || value > 100000) stop("--n and --d are from 2 to 100000");
      *(which == 1 ? &n : &d) = (size_t)value;
    } else {
      argv[kept++] = argv[i];
    }
  }
  return kept;
}

int main(int argc, char **argv) {
  double error[4] = {-1.0, -1.0, -1.0, -1.0}, near_error = -1.0;
  size_t k, last = 0;
  argc = sizes(argc, argv);
  bench_start(argc, argv, "user loss " NAME, 30.0);
  prepare();
  for (k = 0; k < sizeof tiers / sizeof *tiers; k++)
    if (tiers[k].least <= dppair_tier()) error[last = k] = agreement(tiers[k].name, tiers[k].user, NULL);
#if NEAR_LINEAR
  near_error = agreement("near-linear", user_fast, &fast_user);
#endif
  for (k = 0; k <= last; k++) {
    row(tiers[k].name, "exact gradient", "C loop, all flags", error[k], tiers[k].user, plain);
    row(tiers[k].name, "exact gradient", "dppair_logistic, exact", -1.0, tiers[k].user, tiers[k].logistic);
    row(tiers[k].name, "exact gradient", "dppair_hinge, exact", -1.0, tiers[k].user, tiers[k].hinge);
  }
#if NEAR_LINEAR
  row(dppair_isa_name(), "near-linear", "C loop, all flags", near_error, user_fast, plain);
  row(dppair_isa_name(), "near-linear", "dppair_logistic, near-linear", -1.0, user_fast, logistic_fast);
#else
  (void)near_error;
  row(dppair_isa_name(), "exact gradient", "dppair_logistic, near-linear", -1.0, tiers[last].user, logistic_fast);
#endif
  (void)bench_finish();
  if (failed) stop("a function of the library failed");
  return disagree;
}
