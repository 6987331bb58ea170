/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_accountant.h - how much noise is needed and what it guarantees: sensitivities, mechanisms,
 * composition, conversion and calibration for differentially private pairwise learning.
 *
 *   In a pairwise problem a record sits in n-1 pairs. This header computes what that means for the
 *   sensitivity of a mean over pairs, for the subsampling of pairs, and for the stability of
 *   pairwise stochastic gradient descent; and it turns noise into (epsilon, delta) and back.
 *
 *   With dppair_losses.h and dppair_noise.h a plan's releases know their sensitivity and noise, and
 *   nothing of what follows is typed (dppair.h, RELEASES). By hand, the 1.0 twice in the first call
 *   are yours to prove: the rows' radius and the loss's steepest slope.
 *
 *     #include "dppair_accountant.h"
 *
 *     double move, sigma, epsilon;
 *     dppair_accountant a;
 *     if (dppair_sensitivity_rank_ind(&move, 1.0, 1.0, 512) != DPPAIR_OK ||   one gradient's move
 *         dppair_gaussian_sigma(&sigma, move, 1.0, 1e-5, 100) != DPPAIR_OK)   100 steps, (1, 1e-5)
 *       return 1;
 *     dppair_accountant_init(&a);
 *     for (t = 0; t < 100; t++) {
 *       if (dppair_accountant_gaussian(&a, move, sigma, 1) != DPPAIR_OK) return 1;
 *       ... release the gradient with noise sigma, take the step ...
 *     }
 *     if (dppair_accountant_epsilon(&epsilon, &a, 1e-5) != DPPAIR_OK) return 1;    1, to 12 digits
 *
 *   A plan says what is to be released within one budget; its noise is found beside what the
 *   account already holds, for batches too:
 *
 *     dppair_plan plan = {0};
 *     plan.epsilon = 2.0, plan.delta = 1e-5, plan.steps = 1000;
 *     plan.sampling = dppair_sampling_poisson(n, 256, DPPAIR_REPLACE_ONE);
 *     if (dppair_accountant_workspace(&bytes) != DPPAIR_OK) return 1;
 *     work = malloc(bytes);
 *     if (dppair_calibrate(&plan, &a, work, bytes) != DPPAIR_OK) return 1;   plan.noise_multiplier
 *     if (dppair_accountant_certify(&interval, &a, 1e-5, work, bytes) != DPPAIR_OK) return 1;
 *
 * Gaussian curve   dppair_gaussian_delta _log_delta _epsilon _mu _sigma; of the last iterate alone
 *                  _mu_last_iterate
 * sensitivities    dppair_sensitivity_pair_mean _rank_diff _rank_ind _metric _record_clip; of
 *                  mini-batches _minibatch, by what a pair is worth _batch, matched _matched; of
 *                  persons with several records _users _users_apart
 *                  _users_batch _user_weighted, of items with owners _owners (dppair_owner_load),
 *                  of _queries, _groups of g, _softmax; of streams with a buffer _buffer, of
 *                  their prefix sums _prefix (.._workspace); of what descent returns _pgd
 *                  _pgd_average _erm; of pairwise SGD _uas_sequence (dppair_uas_workspace)
 *                  _uas_quantile, and dppair_uas_sigma; of integers _quantised. Of a loss, with all
 *                  rounding: NAME_sensitivity (dppair.h)
 * mechanisms       dppair_step, dppair_sampling (dppair.h); dppair_renyi (any order), of allocated
 *                  records by their table dppair_renyi_allocation,
 *                  dppair_mechanism_name
 * accountant       dppair_accountant_init _neighbours; _gaussian _laplace _pure _sampled_gaussian
 *                  _sampled_pairs _skellam _step _failure _merge; _epsilon _delta (upper bounds:
 *                  exact curve, best Renyi order or pure sum), _certify _certify_delta (both sides,
 *                  route and order in a dppair_interval; dppair_accountant_workspace);
 *                  dppair_renyi_order (the fixed orders), dppair_parallel_epsilon,
 *                  dppair_group_privacy
 * objectives       dppair_objective_noise _delta (of a perturbed objective beside Gaussian steps)
 * integers         dppair_skellam_sigma _variance (Skellam noise as Gaussian of the Renyi orders)
 *                  _wrap
 * composition      dppair_compose, _delta (of a list of steps, by the tightest certified route or
 *                  by a route that is named), dppair_compose_workspace
 * meaning          dppair_attack_curve (the ROC curve of the best attack, both sides) _accuracy
 *                  (how often it is right) _bayes (factor, posterior) _fit (the Gaussian mechanism
 *                  that an account is as good as)
 * selection        dppair_selection_epsilon (of the best of a random number of runs) _mean _gamma;
 *                  dppair_accountant_selection charges it; dppair_draw_runs (dppair_noise.h)
 * calibration      dppair_calibrate (a dppair_plan), dppair_calibrate_scale _count (a function),
 *                  dppair_accountant_left (what an account leaves of a budget)
 * adaptive budgets dppair_filter_init _step, dppair_individual_budget _step _sum_step
 * audit            dppair_paper_check (what papers print); dppair_ledger_step _replay _write _read
 * released texts   dppair_json_writer _reader _literal _string _holds _number _size _numbers _next
 *                  _done: JSON of a fixed shape, written and read by one walk
 *
 * Numerical contract. Logarithms are natural, numbers are doubles. No figure is optimistic:
 * epsilon, delta, sigma and sensitivities are rounded up and mu is rounded down, each by a bound on
 * the rounding error of its own computation. The exact Gaussian curve is within 1e-12 relative for
 * mu <= 1e9 (delta from 1e-300 on; its inverses for delta <= 0.9). All of this holds for rounding
 * to nearest only: curve, Renyi orders, account and composition refuse any other mode, and
 * subnormal numbers that are flushed to zero (DPPAIR_ERR_ENVIRONMENT).
 *
 * Errors. Every fallible function returns a dppair_status and zeroes its outputs first. A NaN, an
 * infinity, or a value outside its range is an error. An account that was handed a step that it
 * could not charge is broken: it refuses every later question.
 *
 * Memory. All objects are plain structs, copied by assignment: copy an account, try a step on the
 * copy, assign it back to keep it. Nothing is allocated, read or printed; the only static data are
 * constant tables. Workspaces are bytes at any alignment, as many as the `_workspace` functions
 * say.
 *
 * Neighbouring data sets (dppair_adjacency, dppair.h) are an argument wherever they matter. n, the
 * number of records, is public throughout. An account answers for the neighbours in its field
 * `adjacency`, which dppair_accountant_neighbours states; 0: some step was charged that named none,
 * so that the answer is about those that its sensitivity was computed for.
 *
 * Ledger. A program that ends, or crashes, must not forget what it spent. Charged by
 * dppair_ledger_step, or by a plan with a sink, an account has a line of JSON in a file before
 * anything is released; a program that starts again replays the file and has the same account:
 *
 *     dppair_accountant_init(&a);
 *     dppair_accountant_neighbours(&a, DPPAIR_REPLACE_ONE);
 *     if (dppair_ledger_replay(&a, &bad_line, text, length) != DPPAIR_OK) return 1;
 *     if (dppair_ledger_step(&a, &entry, append_and_sync, file) != DPPAIR_OK) return 1;
 *     ... release ...
 *
 * The charges of an account are numbered (`sequence`) and chained (`check`, 64 bits, which find
 * accidents and stop no forger), so that a line that is lost, changed or out of place does not
 * replay, nor do two programs that went on from the same line. budget --ledger FILE asks a file.
 */
/*
 * CHAPTERS, each with its first line here; written in src/, see src/README.md
 *
 *    205  core/freestanding.h                Without a C library: names for the time of one include
 *    274  accountant/interval.h              Answers that are certified on both sides
 *    315  accountant/normal.h                The normal distribution's tail
 *    444  accountant/gaussian_curve.h        The exact Gaussian curve
 *    732  accountant/binomial.h              The binomial law, and the hypergeometric one
 *    973  accountant/mechanisms/table.h      Mechanisms: the one list of them
 *   1121  accountant/steps.h                 Steps
 *   1270  accountant/plan.h                  A plan
 *   1334  accountant/sensitivity.h           Sensitivities
 *   1639  accountant/owners.h                Sensitivities where a person owns several records
 *   2024  accountant/batches.h               Sensitivities of the pairs of a batch
 *   2089  accountant/groups.h                Sensitivities of groups
 *   2293  accountant/streams.h               Sensitivities of streams
 *   2540  accountant/descents.h              Output perturbation
 *   2633  accountant/last_iterate.h          The last iterate of noisy descent
 *   2753  accountant/sgd_stability.h         Stability of pairwise stochastic gradient descent
 *   3070  accountant/sgd_hits.h              Stability by the number of hits
 *   3230  accountant/hits.h                  Hits: how often a sampled step touches a record
 *   3508  accountant/renyi.h                 Renyi curves of hits, orders a > 1
 *   3845  accountant/dominating_pairs.h      Dominating pairs
 *   4164  accountant/mechanisms/amplified.h  What the mechanisms that draw records share
 *   4230  accountant/mechanisms/gaussian.h   Gaussian noise: sensitivity / sigma = 1 / multiplier
 *   4257  accountant/mechanisms/laplace.h    Laplace noise: l1 sensitivity / scale = 1 / multiplier
 *   4313  accountant/mechanisms/pure.h       Any epsilon-private mechanism
 *   4361  accountant/mechanisms/zcdp.h       Any rho-zCDP mechanism; the multiplier is rho
 *   4387  accountant/mechanisms/persons.h    Gaussian noise on all pairs of a sample of records
 *   4414  accountant/mechanisms/allocation.h Gaussian noise on a statistic of the records that a...
 *   4508  accountant/mechanisms/sampled_gaussian.h Gaussian noise on a statistic of drawn records
 *   4582  accountant/mechanisms/sampled_pairs.h Gaussian noise on a sum over drawn pairs
 *   4658  accountant/mechanisms/randomised_response.h Randomised response with two answers
 *   4683  accountant/mechanisms/l2ball.h     Noise of density exp(-|z|_2 / scale)
 *   4712  accountant/mechanisms/skellam.h    Skellam noise on integers
 *   4804  accountant/mechanisms/objective.h  Objective perturbation
 *   4977  accountant/mechanisms/dispatch.h   From a step to its mechanism
 *   5098  accountant/ledger_entry.h          A charge
 *   5176  accountant/account.h               The accountant: what has been released so far
 *   5432  accountant/charges.h               Charging an account
 *   5625  accountant/integers.h              Integer noise
 *   5793  accountant/objective.h             Objective perturbation beside plain Gaussian steps
 *   5981  accountant/conversion.h            Conversion: the account as (epsilon, delta)
 *   6462  accountant/contour/theory.h        The contour route: why it is a bound, and its state
 *   6621  accountant/contour/search.h        The search: rough values of log K, to place the line
 *   6864  accountant/contour/layers.h        Layers: how fast |M(c+iy)| falls in y
 *   7059  accountant/contour/quadrature.h    Certified quadrature in x: the nodes of one step
 *   7434  accountant/contour/factor.h        One step's factor on the line
 *   7730  accountant/contour/line.h          The line: c, c', eta and N, and the sum over its nodes
 *   8053  accountant/contour/direction.h     The answers of the contour route
 *   8329  accountant/lattice/theory.h        The lattice route: tilted FFT
 *   8422  accountant/lattice/transform.h     The FFT of the lattice route
 *   8541  accountant/lattice/cells.h         A loss on the lattice
 *   8931  accountant/lattice/composition.h   The product of all steps on the lattice
 *   9286  accountant/allocation/theory.h     Random allocation
 *   9378  accountant/allocation/density.h    Random allocation: densities on a lattice
 *   9491  accountant/allocation/meeting.h    Random allocation: two groups of batches meet
 *   9680  accountant/allocation/combine.h    Random allocation: the density of a + b batches
 *  10001  accountant/allocation/cut.h        Random allocation
 *  10140  accountant/allocation/build.h      Random allocation: the table of t batches
 *  10253  accountant/allocation/epochs.h     Random allocation: sums of independent losses
 *  10499  accountant/allocation/curve.h      Random allocation: the privacy curve of a density
 *  10680  accountant/allocation/patch.h      Random allocation
 *  10906  accountant/allocation/comonotone.h Random allocation
 *  11113  accountant/allocation/replace_one.h Random allocation
 *  11307  accountant/allocation/answers.h    Random allocation: certified answers
 *  11635  accountant/lattice/allocated.h     Allocated records on the lattice
 *  11859  accountant/lattice/bounds.h        What the composed laws say
 *  12080  accountant/lattice/setup.h         What a composition on the lattice is made of
 *  12240  accountant/lattice/answers.h       Answers of the lattice route
 *  12535  accountant/single_run.h            One run of one step: closed forms
 *  12785  accountant/routes.h                The certified routes
 *  13035  accountant/allocation/routes.h     The route of epochs of one allocation
 *  13138  accountant/compose.h               The tightest certified route
 *  13319  accountant/certify.h               The account, certified
 *  13613  accountant/selection.h             Private selection by random stopping
 *  13837  accountant/attack.h                What an account means: the best attack
 *  14259  accountant/attack_fit.h            What an account means
 *  14412  accountant/calibrate.h             Calibration
 *  14802  accountant/filters.h               Filters
 *  14988  accountant/papers.h                What papers print
 *  15246  accountant/numbers.h               Decimal numbers
 *  15448  accountant/json.h                  JSON of a fixed shape
 *  15586  accountant/ledger.h                The text of a ledger
 *  15981  accountant/ledger_replay.h         The ledger
 *  16157  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_ACCOUNTANT_H
#define DPPAIR_ACCOUNTANT_H

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif

#define DPPAIR_CORE_ONLY_
#include "dppair.h"
#undef DPPAIR_CORE_ONLY_

/*
 * Under a host's -ffast-math, glibc's math.h declares vector versions of exp, log and others, which
 * are good to 4 ulp only, and gcc uses them in loops even inside a region without fast-math. So gcc
 * must not vectorise here, except in LOOPS regions, whose loops call nothing (and do not sum in
 * another order). The regions do not nest. All options are in one pragma, because gcc obeys only a
 * part of a second one.
 */
#if defined(__GNUC__) && !defined(__clang__)
#define DPPAIR_LIBM_(options)                                                                      \
  _Pragma("GCC push_options") DPPAIR_PRAGMA_(GCC optimize options) _Pragma("GCC diagnostic push")  \
      _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
#define DPPAIR_LIBM_BEGIN_ DPPAIR_LIBM_(("no-tree-vectorize", "no-fast-math", "fp-contract=off"))
#define DPPAIR_LOOPS_BEGIN_ DPPAIR_FP_END_ DPPAIR_LIBM_(("O3", "no-fast-math", "fp-contract=off"))
#define DPPAIR_LOOPS_END_ DPPAIR_FP_END_ DPPAIR_LIBM_BEGIN_
#else
#define DPPAIR_LIBM_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_LOOPS_BEGIN_
#define DPPAIR_LOOPS_END_
#endif

DPPAIR_LIBM_BEGIN_

/* ---- src/accountant/interval.h --------------------------------------------------------------
 * Answers that are certified on both sides, and the memory that they take
 * ---------------------------------------------------------------------------------------------- */

/* Where `upper` comes from. As an argument (dppair_compose): which route to take. */
typedef enum dppair_route {
  DPPAIR_ROUTE_BEST = 0,    /* argument only: whichever is tightest */
  DPPAIR_ROUTE_CLOSED = 1,  /* plain Gaussian steps, or one run of one step: the exact curve; one
                               perturbed objective beside Gaussian steps: a bound near it */
  DPPAIR_ROUTE_CONTOUR = 2, /* contour integral of the moment function */
  DPPAIR_ROUTE_LATTICE = 3, /* losses on a lattice, by tilted FFT */
  DPPAIR_ROUTE_BOTH = 4,    /* the smaller upper and the larger lower bound of the last two */
  DPPAIR_ROUTE_RENYI = 5,   /* the best Renyi order */
  DPPAIR_ROUTE_PURE = 6     /* the sum of the steps' pure epsilons */
} dppair_route;

/* lower <= truth <= upper. What is spent is `upper`. */
typedef struct dppair_interval {
  double lower;    /* 0 where no mechanism and no two data sets are known to attain it */
  double upper;    /* infinite where nothing bounds epsilon */
  double estimate; /* `upper` unless the two are within 1 % */
  double order;    /* the Renyi order that `upper` comes from; 0 on other routes */
  dppair_route route;
} dppair_interval;

/* The largest array of doubles in a workspace of any alignment. */
DPPAIR_FN_ double *dppair_doubles_(size_t *doubles, void *work, size_t bytes) {
  const size_t past = (size_t)((uintptr_t)work % sizeof(double));
  const size_t skip = past > 0 ? sizeof(double) - past : 0;
  *doubles = bytes > skip ? (bytes - skip) / sizeof(double) : 0;
  return work != NULL && bytes >= skip ? (double *)(void *)((char *)work + skip) : NULL;
}

/* *bytes for so many doubles at any alignment. */
DPPAIR_FN_ dppair_status dppair_doubles_bytes_(size_t *bytes, size_t doubles) {
  *bytes = 0;
  if (doubles > SIZE_MAX / sizeof(double) - 1) return DPPAIR_ERR_OVERFLOW;
  *bytes = (doubles + 1) * sizeof(double);
  return DPPAIR_OK;
}

/* ---- src/accountant/normal.h ----------------------------------------------------------------
 * The normal distribution's tail
 *
 * Rounding up and down, exact product errors, Mills' ratio and its slope, and the Gaussian density
 * with a small relative error far out. The accountant's other chapters rest on this one.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_SQRT_2PI_ 0.91893853320467274178
#define DPPAIR_INV_SQRT_2PI_ 0.39894228040143267794

/* x (1 + 2^-51) for x >= 0: more than one rounded operation can have taken away. It is a product
 * because x + x * 4e-16 is x where the host flushes subnormal numbers to zero. */
DPPAIR_FN_ double dppair_up_(double x) { return x * 1.00000000000000044; }

/* x (1 - 2^-51) for x >= 0; 0 stays 0. */
DPPAIR_FN_ double dppair_down_(double x) { return x * 0.99999999999999956; }

/* a * b - product exactly, where product = a * b rounded and |a|, |b| < 1e290 (Dekker's split).
 * fma() is not used, because under a host's -ffast-math clang turns the call into a product and a
 * sum. */
DPPAIR_FN_ double dppair_product_error_(double a, double b, double product) {
  const double a_split = 134217729.0 * a, b_split = 134217729.0 * b;
  const double a_high = a_split - (a_split - a), b_high = b_split - (b_split - b);
  const double a_low = a - a_high, b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/*
 * sum c[k] T_k(w), |w| <= 1, count even. Clenshaw's recurrence runs for the even and for the odd
 * terms side by side, which halves the chain of dependent operations: T_2k(w) = T_k(v) and
 * T_{2k+1}(w) = w (U_k(v) - U_{k-1}(v)) with v = 2 w^2 - 1.
 */
DPPAIR_FN_ double dppair_chebyshev_(const double *c, size_t count, double w) {
  const double v2 = 4.0 * w * w - 2.0;
  double e1 = 0.0, e2 = 0.0, o1 = 0.0, o2 = 0.0;
  size_t k;
  for (k = count - 2; k > 0; k -= 2) {
    const double e = (c[k] - e2) + v2 * e1, o = (c[k + 1] - o2) + v2 * o1;
    e2 = e1;
    e1 = e;
    o2 = o1;
    o1 = o;
  }
  return ((c[0] - e2) + 0.5 * v2 * e1) + w * ((c[1] - o2) + (v2 - 1.0) * o1);
}

/*
 * Mills' ratio R(x) = (1 - Phi(x)) / phi(x) = sqrt(pi/2) erfcx(x / sqrt 2) for x >= -1, within
 * 7e-16 relative, from 0 on 6e-16 (measured: tests/exhaust/elementary.c). (x + 3/2) R(x) is a
 * smooth function of w = (x - 5)/(x + 7), which maps
 * [-1, inf) to [-1, 1), and is summed as a Chebyshev series. The coefficients were computed with 50
 * digits.
 */
DPPAIR_FN_ double dppair_mills_(double x) {
  static const double c[30] = {
      1.3878196703775885,      -0.4882676686916938,     0.08171229831830493,
      0.06089347383671997,     -0.07334429450972871,    0.04767408729768181,
      -0.02349103385286079,    0.009480704044436643,    -0.003212261510583724,
      0.0009157830799177352,   -0.00021621280464091027, 4.044584267281609e-05,
      -5.299377060607836e-06,  2.445288171644698e-07,   8.459070681091039e-08,
      -2.325255612596454e-08,  1.8042694208657892e-09,  3.8505095159724805e-10,
      -1.1326241173826648e-10, 3.496034929229157e-12,   3.2529351856730526e-12,
      -4.890791376870167e-13,  -6.209462018491717e-14,  2.3156448427791205e-14,
      3.494411845978243e-16,   -8.923009454171421e-16,  4.3921061929977664e-17,
      3.2540620766400877e-17,  -3.2943344678385757e-18, 0.0};
  return dppair_chebyshev_(c, 30, (x - 5.0) / (x + 7.0)) / (x + 1.5);
}

/* -R'(x) = 1 - x R(x) for x >= -1, within 2e-15 relative (measured, too), also where the formula
 * itself cancels. The series is that of (x + 3/2)^2 (1 - x R(x)) in the same w. */
DPPAIR_FN_ double dppair_mills_slope_(double x) {
  static const double c[32] = {
      1.4741594034271435,     -0.43392028431202645,    -0.21815318223920233,
      0.3100791050133143,     -0.19093701412660785,    0.0732601121852008,
      -0.012981508235506417,  -0.005297845679572974,   0.006147007937076444,
      -0.003345662974551171,  0.0013054348454582534,   -0.0003925235168699972,
      9.035906124406828e-05,  -1.4594138564482792e-05, 1.0532158109025516e-06,
      2.0907948551322775e-07, -7.865038614370767e-08,  8.352016205556503e-09,
      1.2028888051108167e-09, -4.853289093432904e-10,  2.7650986869803698e-11,
      1.4188675060827541e-11, -2.7352976585858756e-12, -2.5259327665136084e-13,
      1.319670945215105e-13,  -1.1259603342913497e-15, -5.329797889152376e-15,
      3.9755452536290456e-16, 2.0476342718835897e-16,  -2.7051205146014418e-17,
      -7.98336123900056e-18,  1.4661536548708386e-18};
  return dppair_chebyshev_(c, 32, (x - 5.0) / (x + 7.0)) / (x + 1.5) / (x + 1.5);
}

/* exp(-(hi + lo)^2 / 2) within 3.3 u, also in the far tail: the square of the upper 26 bits of hi
 * is exact, and the rest of the exponent is small, mostly so small that three terms are its
 * exponential within 2^-60. |lo| <= an ulp of hi. */
DPPAIR_FN_ double dppair_gauss_kernel_(double hi, double lo) {
  const double head = dppair_head_(hi), whole = dppair_exp_(-0.5 * head * head);
  const double y = -0.5 * ((hi - head) * (hi + head)) - hi * lo;
  if (y < 6e-5 && y > -6e-5) return whole * (1.0 + (y + y * y * (0.5 + y * (1.0 / 6))));
  return whole * dppair_exp_(y);
}

#define DPPAIR_ERFC_ERROR_ 15.0 /* of dppair_erfc_, in u = 2^-53 */
#define DPPAIR_ERF_ERROR_ 8.0   /* of dppair_erf_, in u */

/* erfc x = sqrt(2/pi) exp(-x^2) R(sqrt(2) x). R has 5.5 u, and 1.5 u of its argument's, since |x
 * R'/R| <= 1; the exponentials 3.3 u (the head's square is exact), products and constant 4.5 u.
 * For x < 0 it is 2 - erfc(-x), which is 1 at least. */
DPPAIR_FN_ double dppair_erfc_(double x) {
  const double size = dppair_fabs_(x);
  double head, y = 0.0;
  if (x != x) return x;
  if (size < 28.0) {
    head = dppair_head_(size);
    y = 0.79788456080286536 * dppair_mills_(1.4142135623730951 * size) *
        dppair_exp_(-(size - head) * (size + head));
    head = dppair_exp_(-0.5 * head * head); /* twice: only the last product may be subnormal */
    y = y * head * head;
  }
  return x < 0.0 ? 2.0 - y : y;
}

/* erf x = 2 x/sqrt(pi) exp(-x^2) (1 + t/3 (1 + t/5 (1 + ... t/45))), t = 2 x^2, for |x| < 1: the
 * terms are positive; the innermost is below 2^-80. The series has 2 u of t, which counts less than
 * once, and 1.5 u, exp 1.1 u and u of its argument, products and constant 3.5 u. Else 1 - erfc x,
 * which is 0.84 at least: 15 u times 0.19 and u. */
DPPAIR_FN_ double dppair_erf_(double x) {
  const double size = dppair_fabs_(x), t = 2.0 * x * x;
  double sum = 1.0;
  int k;
  if (!(size < 1.0)) return x < 0.0 ? dppair_erfc_(size) - 1.0 : 1.0 - dppair_erfc_(x);
  for (k = 45; k > 1; k -= 2) sum = 1.0 + sum * t / (double)k;
  return 1.1283791670955126 * x * (dppair_exp_(-0.5 * t) * sum);
}

/* ---- src/accountant/gaussian_curve.h --------------------------------------------------------
 * The exact Gaussian curve
 *
 * N(0,1) against N(mu,1), mu = sensitivity / sigma (Balle and Wang 2018; Dong, Roth and Su 2022):
 *     delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu).
 * With t = epsilon/mu - mu/2 the second term is phi(t) R(t + mu), so
 *     delta = phi(t) [R(t) - R(t + mu)] = phi(t) * integral from t to t + mu of (1 - x R(x)) dx:
 * nothing overflows, and for small mu the integral does not cancel. T adaptive steps with
 * mu_1 .. mu_T are exactly one step with mu = sqrt(sum mu_t^2). Relies on normal.h.
 * ---------------------------------------------------------------------------------------------- */

/* One point of the curve. delta and log_delta are the computed values, not bounds. */
typedef struct dppair_curve_point_ {
  double delta; /* 0 on underflow */
  double log_delta;
  double per_mu;  /* d log_delta / d mu */
  double per_eps; /* d log_delta / d epsilon */
} dppair_curve_point_;

/* Bounds of the relative error of delta and of the absolute error of log_delta. Where the ratios
 * are subtracted, mu > (t + 2)/40, their errors of 7e-16 count (R(t) + R(t + mu))/(R(t) - R(t +
 * mu)) times, which is at most 81: 80.2 in the limit of large t, 78 at t = -1. The integral has
 * 2e-15. The rest adds a few 1e-16, and log_delta a rounding of its own. */
#define DPPAIR_CURVE_SLACK_ 6e-14
#define DPPAIR_CURVE_LARGEST_ 1e9 /* for a larger mu the curve is only an upper bound */
DPPAIR_FN_ double dppair_curve_log_slack_(double log_delta) {
  return DPPAIR_CURVE_SLACK_ + 6e-16 * dppair_fabs_(log_delta);
}

/* R(t) - R(s) for t >= -1 and s = t + mu, mu > 0. */
DPPAIR_FN_ double dppair_mills_difference_(double t, double s, double mu) {
  /* Gauss-Legendre on four nodes: error below 1e-16 relative for mu <= (t + 2)/40. */
  static const double node[4] = {0.069431844202973712388, 0.33000947820757186760,
                                 0.66999052179242813240, 0.93056815579702628761};
  static const double weight[4] = {0.17392742256872692869, 0.32607257743127307131,
                                   0.32607257743127307131, 0.17392742256872692869};
  double sum = 0.0;
  int k;
  if (mu > 0.025 * (t + 2.0)) return dppair_mills_(t) - dppair_mills_(s);
  for (k = 0; k < 4; k++) sum += weight[k] * dppair_mills_slope_(t + mu * node[k]);
  return mu * sum;
}

/* Upper bounds where t = epsilon/mu - mu/2 is huge or has lost its digits; ratio = epsilon/mu. */
DPPAIR_FN_ dppair_curve_point_ dppair_curve_far_(double ratio, double mu) {
  dppair_curve_point_ p = {0.0, -4e199, 0.0, 0.0};
  double t = ratio - 0.5 * mu;
  if (!dppair_isfinite_f64(ratio) || t > 1e100 || t < -1e100) {
    if (!(t >= 0.0)) { /* or nothing is known */
      p.delta = 1.0;
      p.log_delta = 0.0;
    }
    return p;
  }
  t -= 1e-15 * (ratio + 0.5 * mu); /* surely smaller; delta <= exp(-t^2/2) falls with t */
  p.log_delta = t > 0.0 ? -0.5 * t * t : 0.0;
  p.delta = dppair_exp_(p.log_delta);
  p.per_mu = t > 0.0 ? t * (ratio / mu + 0.5) : 0.0;
  p.per_eps = t > 0.0 ? -t / mu : 0.0;
  return p;
}

/* The rounding error of t = ratio - mu/2, ratio = epsilon/mu: what the difference lost and what the
 * quotient lost. */
DPPAIR_FN_ double dppair_curve_lost_(double epsilon, double mu, double ratio, double t) {
  const double half = 0.5 * mu, shift = t - ratio, back = ratio * mu;
  const double difference = (ratio - (t - shift)) - (half + shift);
  return difference + ((epsilon - back) - dppair_product_error_(ratio, mu, back)) / mu;
}

/* The curve at epsilon >= 0 and mu > 0, both finite. */
DPPAIR_FN_ dppair_curve_point_ dppair_curve_(double epsilon, double mu) {
  dppair_curve_point_ p;
  const double ratio = epsilon / mu, s = ratio + 0.5 * mu, t = ratio - 0.5 * mu;
  double lo, kernel;
  /* beyond 1e8 what Mills' ratio adds to t^2/2 is below 1e-14 of it, and lo may exceed 1 */
  if (!dppair_isfinite_f64(ratio) || t > 1e8 || t < -1e100 || mu > DPPAIR_CURVE_LARGEST_)
    return dppair_curve_far_(ratio, mu);
  /* t + lo is exact. lo matters where t is squared and, to first order, in Mills' ratio, when it
   * exceeds 1e-15: it is an ulp of mu. */
  lo = dppair_curve_lost_(epsilon, mu, ratio, t);
  kernel = DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, lo);
  if (t >= -1.0) {
    double difference = dppair_mills_difference_(t, s, mu);
    if (dppair_fabs_(lo) > 1e-15)
      difference -= lo * (dppair_mills_slope_(t) - dppair_mills_slope_(s));
    p.delta = kernel * difference;
    if (p.delta > 1e-290)
      p.log_delta = dppair_log_(p.delta);
    else
      p.log_delta = -0.5 * t * t - t * lo - DPPAIR_LOG_SQRT_2PI_ + dppair_log_(difference);
    p.per_mu = 1.0 / difference;
    p.per_eps = -dppair_mills_(s) / difference;
  } else {
    const double moved = dppair_fabs_(lo) > 1e-15 ? lo * dppair_mills_slope_(-t) : 0.0;
    const double rest = kernel * (dppair_mills_(-t) + moved + dppair_mills_(s));
    p.delta = 1.0 - rest;
    p.log_delta = dppair_log1p_(-rest);
    p.per_mu = kernel / p.delta;
    p.per_eps = -kernel * dppair_mills_(s) / p.delta;
  }
  return p;
}

/* An upper bound of log delta. */
DPPAIR_FN_ double dppair_curve_log_upper_(double epsilon, double mu) {
  const double log_delta = dppair_curve_(epsilon, mu).log_delta;
  const double upper = log_delta + dppair_curve_log_slack_(log_delta);
  return upper < 0.0 ? upper : 0.0;
}

/* *delta >= the exact delta at epsilon >= 0 and mu >= 0, within 1e-12 relative where delta >=
 * 1e-300 and mu <= 1e9. It is 0 only for mu = 0; on underflow it is the smallest normal number.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DOMAIN (mu); so for the functions below. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_delta(double *delta, double epsilon,
                                                                 double mu) {
  double value;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu < 0.0) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  value = dppair_curve_(epsilon, mu).delta;
  value *= 1.0 + DPPAIR_CURVE_SLACK_;
  *delta = value < DBL_MIN ? DBL_MIN : (value < 1.0 ? value : 1.0); /* 1 for a NaN */
  return DPPAIR_OK;
}

/* *log_delta: the logarithm of the same, rounded up. delta itself may be far below the smallest
 * double. Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON (< 0), DOMAIN (mu <= 0). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_log_delta(double *log_delta,
                                                                     double epsilon, double mu) {
  if (log_delta == NULL) return DPPAIR_ERR_NULL;
  *log_delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (mu <= 0.0) return DPPAIR_ERR_DOMAIN;
  *log_delta = dppair_curve_log_upper_(epsilon, mu);
  return DPPAIR_OK;
}

/* About the epsilon at which log delta is `target`: Newton's method in a bracket, stopped on the
 * safe side, where log_delta is about 1.2 times its error bound below the target. */
DPPAIR_FN_ double dppair_curve_epsilon_(double target, double mu) {
  /* Concentrated privacy (Bun and Steinke 2016) is an upper end of the bracket; 0.9 of its last
   * term is near the answer. */
  const double tail = dppair_sqrt_(-2.0 * target);
  double low = 0.0, high = dppair_up_(dppair_up_(0.5 * mu * mu + mu * tail));
  double x = 0.5 * mu * mu + 0.9 * mu * tail;
  int i;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(x, mu);
    const double excess = p.log_delta - target;
    double next, step;
    if (excess <= 0.0)
      high = x;
    else
      low = x;
    if (p.per_eps < 0.0 && dppair_fabs_(excess) <= dppair_curve_log_slack_(p.log_delta))
      return x - (excess + 1.2 * dppair_curve_log_slack_(p.log_delta)) / p.per_eps;
    next = p.per_eps < 0.0 ? x - excess / p.per_eps : low;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    step = dppair_fabs_(next - x);
    x = next;
    if (step <= 1e-15 * x || high - low <= 1e-15 * high) break;
  }
  return x;
}

/* *epsilon >= the smallest epsilon >= 0 at which a mu-Gaussian mechanism is (epsilon,
 * delta)-private. delta in (0, 1); mu in [0, 1e70] (DOMAIN). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_epsilon(double *epsilon, double delta,
                                                                   double mu) {
  double target, x, step;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(delta) || !dppair_isfinite_f64(mu)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (mu < 0.0 || mu > 1e70) return DPPAIR_ERR_DOMAIN;
  if (mu == 0.0) return DPPAIR_OK;
  target = dppair_log_(delta) * (1.0 + 3e-16); /* at most log delta, whatever log was rounded to */
  if (dppair_curve_log_upper_(0.0, mu) <= target) return DPPAIR_OK;
  x = dppair_curve_epsilon_(target, mu);
  for (step = 1e-15 * x + 1e-300; !(dppair_curve_log_upper_(x, mu) <= target); step *= 2.0) {
    x += step;
    if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_OVERFLOW;
  }
  *epsilon = dppair_up_(x);
  return DPPAIR_OK;
}

/*
 * About the mu at which log delta is `target`, from `low`, which is known to be below it: Halley's
 * method in y = log mu, stopped on the safe side. With g = log delta, g' = mu per_mu and
 * g'' = g' (1 + t (t + mu) - g').
 */
DPPAIR_FN_ double dppair_curve_mu_(double target, double epsilon, double low) {
  double high = 0.0, x = low * 1.15; /* a first guess */
  int i;
  for (i = 0; i < 200; i++) {
    const dppair_curve_point_ p = dppair_curve_(epsilon, x);
    const double excess = p.log_delta - target, slack = dppair_curve_log_slack_(p.log_delta);
    double next = 0.0, step;
    if (excess <= 0.0)
      low = x;
    else
      high = x;
    if (p.per_mu > 0.0) {
      const double slope = x * p.per_mu, r = epsilon / x;
      const double bend = 1.0 + (r - 0.5 * x) * (r + 0.5 * x) - slope;
      double move = -excess / slope, curb = 1.0 + 0.5 * move * bend;
      if (dppair_fabs_(excess) <=
          slack) { /* close enough: step back to the safe side, if it is near */
        const double back = (excess + 1.2 * slack) / slope + 2e-16;
        return back < 0.5 ? x * (1.0 - back) : x;
      }
      move /= curb > 0.5 ? (curb < 2.0 ? curb : 2.0) : 0.5;
      next = x * dppair_exp_(move);
    }
    if (high == 0.0) { /* no upper end yet: between 2 and 8 times as far */
      if (!(next > low)) next = 2.0 * low;
      if (next > 8.0 * low) next = 8.0 * low;
    } else if (!(next > low && next < high)) {
      next = dppair_sqrt_(low) * dppair_sqrt_(high);
    }
    step = dppair_fabs_(next - x);
    x = next;
    if (step <= 2e-16 * x || (high > 0.0 && high - low <= 1e-15 * high)) break;
  }
  return x;
}

/* *mu <= the largest mu for which N(mu, 1) against N(0, 1) is (epsilon, delta)-private. epsilon in
 * [0, 1e100]; delta in (0, 1). OVERFLOW: no double is small enough. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_mu(double *mu, double epsilon,
                                                              double delta) {
  double target, tail, low, x, step;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  *mu = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0 || epsilon > 1e100) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  target = dppair_log_(delta) * (1.0 + 3e-16);
  /* Two lower ends: concentrated privacy, and delta <= 2 Phi(mu/2) - 1 <= mu / sqrt(2 pi). */
  tail = dppair_sqrt_(-2.0 * target);
  low = 2.0 * epsilon / (dppair_sqrt_(tail * tail + 2.0 * epsilon) + tail);
  if (low < delta * 2.5) low = delta * 2.5;
  x = dppair_curve_mu_(target, epsilon, low * 0.999999);
  for (step = 1e-15; dppair_curve_log_upper_(epsilon, x) > target;
       step = step < 0.25 ? 2.0 * step : 0.5) {
    x -= x * step;
    if (!(x > 0.0)) return DPPAIR_ERR_OVERFLOW;
  }
  if (!dppair_isfinite_f64(x)) return DPPAIR_ERR_OVERFLOW;
  *mu = dppair_down_(x);
  return DPPAIR_OK;
}

/*
 * *sigma: the noise scale that makes `steps` >= 1 adaptive releases, each with this l2 sensitivity,
 * (epsilon, delta)-private together: sensitivity * sqrt(steps) / mu(epsilon, delta), rounded up.
 * sensitivity >= 0; 0 gives 0. Errors: those of dppair_gaussian_mu, SENSITIVITY, SIZE (steps).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gaussian_sigma(double *sigma, double sensitivity,
                                                                 double epsilon, double delta,
                                                                 size_t steps) {
  double mu, value;
  dppair_status status;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (!dppair_isfinite_f64(sensitivity)) return DPPAIR_ERR_NOT_FINITE;
  if (sensitivity < 0.0) return DPPAIR_ERR_SENSITIVITY;
  if (sensitivity > 0.0 && sensitivity < DBL_MIN) sensitivity = DBL_MIN; /* its product rounds */
  if (steps == 0) return DPPAIR_ERR_SIZE;
  status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  value = dppair_up_(dppair_up_(sensitivity * dppair_sqrt_((double)steps) / mu));
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  if (sensitivity > 0.0 && value < DBL_MIN) value = DBL_MIN;
  *sigma = value;
  return DPPAIR_OK;
}

/* ---- src/accountant/binomial.h --------------------------------------------------------------
 * The binomial law, and the hypergeometric one
 *
 * Probabilities, tails and quantiles, with relative accuracy down to 1e-300: of the hits of a
 * sampled step (hits.h) and of those of one descent (sgd_hits.h). Relies on nothing but libm.
 * ---------------------------------------------------------------------------------------------- */

/* log n! minus Stirling's formula for an integer n >= 1, within 2e-16. The series loses digits for
 * small n, whose values are listed. */
DPPAIR_FN_ double dppair_stirling_error_(double n) {
  static const double little[16] = {0.0,
                                   0.08106146679532726,
                                   0.0413406959554093,
                                   0.02767792568499834,
                                   0.020790672103765093,
                                   0.016644691189821193,
                                   0.013876128823070748,
                                   0.01189670994589177,
                                   0.010411265261972096,
                                   0.009255462182712733,
                                   0.00833056343336287,
                                   0.007573675487951841,
                                   0.00694284010720953,
                                   0.006408994188004207,
                                   0.0059513701127588475,
                                   0.005554733551962801};
  const double r = 1.0 / n, r2 = r * r;
  if (n < 16.0) return little[(int)n];
  return r * (1.0 / 12.0 -
              r2 * (1.0 / 360.0 - r2 * (1.0 / 1260.0 - r2 * (1.0 / 1680.0 - r2 * (1.0 / 1188.0)))));
}

/* x log(x/m) + m - x without cancellation near x = m. */
DPPAIR_FN_ double dppair_deviance_(double x, double m) {
  const double v = (x - m) / (x + m);
  double sum, power;
  int k;
  if (dppair_fabs_(v) > 0.1) return x * dppair_log_(x / m) + m - x;
  /* log(x/m) = 2 atanh(v) */
  sum = (x - m) * v;
  power = 2.0 * x * v;
  for (k = 3; k < 40; k += 2) {
    double next;
    power *= v * v;
    next = sum + power / k;
    if (!(next > sum || next < sum)) break;
    sum = next;
  }
  return sum;
}

/* log Pr[Bin(n, p) = k], 0 < k < n, q = 1 - p (Loader's saddle-point form, 2000). */
DPPAIR_FN_ double dppair_binomial_saddle_(double n, double p, double q, double k) {
  return dppair_stirling_error_(n) - dppair_stirling_error_(k) - dppair_stirling_error_(n - k) -
         dppair_deviance_(k, n * p) - dppair_deviance_(n - k, n * q) - DPPAIR_LOG_SQRT_2PI_ +
         0.5 * dppair_log_(n / (k * (n - k)));
}

/* log Pr[Bin(n, p) = k], 0 < p < 1, k <= n. */
DPPAIR_FN_ double dppair_binomial_log_pmf_(size_t n, double p, size_t k) {
  if (k == 0) return (double)n * dppair_log1p_(-p);
  if (k == n) return (double)n * dppair_log_(p);
  return dppair_binomial_saddle_((double)n, p, 1.0 - p, (double)k);
}

/* Bin(trials, rate). miss is 1 - rate with all its digits, odds their quotient. drawn > 0: how many
 * of the `trials` records are among `drawn` of trials + others, a uniform subset, where trials <=
 * drawn <= others; rate is drawn/(trials + others). */
typedef struct dppair_binomial_ {
  size_t trials;
  double rate, miss, odds;
  size_t drawn, others;
} dppair_binomial_;

DPPAIR_FN_ dppair_binomial_ dppair_binomial_make_(size_t trials, double rate, double miss) {
  dppair_binomial_ b;
  b.trials = trials;
  b.rate = rate;
  b.miss = miss;
  b.odds = miss > 0.0 ? rate / miss : HUGE_VAL;
  b.drawn = b.others = 0;
  return b;
}

/* How many of a person's `owned` records are among m of n, n - owned >= m. The law is the same with
 * owned and m exchanged. */
DPPAIR_FN_ dppair_binomial_ dppair_hypergeometric_make_(size_t n, size_t owned, size_t m) {
  const size_t trials = owned < m ? owned : m, drawn = owned < m ? m : owned;
  dppair_binomial_ b =
      dppair_binomial_make_(trials, (double)drawn / (double)n, (double)(n - drawn) / (double)n);
  b.drawn = drawn;
  b.others = n - trials;
  return b;
}

/* log Pr[Bin(n, p) = k] for k <= n, of p and q = 1 - p all digits. */
DPPAIR_FN_ double dppair_binomial_log_both_(size_t n, double p, double q, size_t k) {
  if (k == 0) return (double)n * (p < 0.5 ? dppair_log1p_(-p) : dppair_log_(q));
  if (k == n) return (double)n * (q < 0.5 ? dppair_log1p_(-q) : dppair_log_(p));
  return dppair_binomial_saddle_((double)n, p, q, (double)k);
}

/* log Pr[k]. Hypergeometric: trials of rate p, of which k, and others of rate p, of which the rest,
 * given that `drawn` were drawn in all. */
DPPAIR_FN_ double dppair_binomial_log_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn == 0) return dppair_binomial_log_pmf_(b->trials, b->rate, k);
  return dppair_binomial_log_both_(b->trials, b->rate, b->miss, k) +
         dppair_binomial_log_both_(b->others, b->rate, b->miss, b->drawn - k) -
         dppair_binomial_log_both_(b->trials + b->others, b->rate, b->miss, b->drawn);
}

/* Pr[k + 1] / Pr[k], which falls with k. */
DPPAIR_FN_ double dppair_binomial_up_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn > 0)
    return (double)(b->trials - k) / (double)(k + 1) * (double)(b->drawn - k) /
           (double)(b->others - b->drawn + k + 1);
  return ((double)b->trials - (double)k) / (double)(k + 1) * b->odds;
}

/* Pr[k - 1] / Pr[k], k >= 1, which rises with k. */
DPPAIR_FN_ double dppair_binomial_down_(const dppair_binomial_ *b, size_t k) {
  if (b->drawn > 0) return 1.0 / dppair_binomial_up_(b, k - 1);
  return (double)k / ((double)b->trials - (double)k + 1.0) / b->odds;
}

/* log Pr[0]. */
DPPAIR_FN_ double dppair_binomial_log_none_(const dppair_binomial_ *b) {
  if (b->drawn > 0) return dppair_binomial_log_(b, 0);
  return (double)b->trials * (b->rate < 0.5 ? dppair_log1p_(-b->rate) : dppair_log_(b->miss));
}

/* A tail is bounded by a geometric series only where that falls at least this fast. */
#define DPPAIR_TAIL_RATIO_ 0.95
/* No search for an end of a law goes farther than this from where it begins. */
#define DPPAIR_BINOMIAL_MOST_ 1000000

/* The first k from `start` on, whose probability is `value`, beyond which at most tail is left;
 * *rest bounds what is. A k beyond start + DPPAIR_BINOMIAL_MOST_: the end is farther. */
DPPAIR_FN_ size_t dppair_binomial_last_(double *rest, const dppair_binomial_ *b, size_t start,
                                        double value, double tail) {
  size_t k;
  for (k = start; k < b->trials; k++) {
    /* the next probability; the later ones fall at least as fast as it does */
    const double ratio = dppair_binomial_up_(b, k);
    *rest = value * ratio / (1.0 - ratio) * (1.0 + 1e-9) + DBL_MIN;
    if ((ratio < DPPAIR_TAIL_RATIO_ && *rest <= tail) || k - start > DPPAIR_BINOMIAL_MOST_)
      return k;
    value *= ratio;
  }
  *rest = 0.0;
  return k;
}

/* The first k from `start` down to 2 before which at most tail is left, *rest bounds it; 1 when
 * there is none. A k below start - DPPAIR_BINOMIAL_MOST_: it is farther. */
DPPAIR_FN_ size_t dppair_binomial_first_(double *rest, const dppair_binomial_ *b, size_t start,
                                         double value, double tail) {
  size_t k;
  for (k = start; k > 1; k--) {
    const double ratio = dppair_binomial_down_(b, k);
    *rest = value * ratio / (1.0 - ratio) * (1.0 + 1e-9);
    if ((ratio < DPPAIR_TAIL_RATIO_ && *rest <= tail) || start - k > DPPAIR_BINOMIAL_MOST_)
      return k;
    value *= ratio;
  }
  *rest = 0.0;
  return 1;
}

/* Pr[> k], rounded up; 0 < rate < 1, k < trials. The sum runs upwards from k + 1 until the rest,
 * which is below a geometric series, is at most 1e-17 of it, and adds that rest. Terms below
 * DBL_MIN lose their digits, so that each of them is computed by itself. */
DPPAIR_FN_ double dppair_binomial_beyond_(const dppair_binomial_ *b, size_t k) {
  double term = dppair_exp_(dppair_binomial_log_(b, k + 1)), sum = 0.0;
  size_t j;
  for (j = k + 1;; j++) {
    const int cut = term < DBL_MIN; /* digits are lost, and the next is not made of it */
    double ratio;
    sum += term;
    if (j >= b->trials) break;
    ratio = dppair_binomial_up_(b, j);
    if (ratio < 1.0 - 1e-9 && term * ratio / (1.0 - ratio) <= 1e-17 * sum) {
      sum += term * ratio / (1.0 - ratio);
      break;
    }
    term *= ratio;
    if (cut || term < DBL_MIN) {
      if (ratio < 0.9) break; /* what is left is below 10 DBL_MIN */
      term = dppair_exp_(dppair_binomial_log_(b, j + 1));
    }
  }
  sum = sum * (1.0 + 1e-10) + 16.0 * DBL_MIN; /* its rounding, and terms that underflow */
  return sum < 1.0 ? sum : 1.0;
}

/* Pr[Bin(n, p) > k], rounded up; 0 <= p <= 1. */
DPPAIR_FN_ double dppair_binomial_tail_(size_t n, double p, size_t k) {
  const dppair_binomial_ b = dppair_binomial_make_(n, p, 1.0 - p);
  if (k >= n || p <= 0.0) return 0.0;
  return p >= 1.0 ? 1.0 : dppair_binomial_beyond_(&b, k);
}

/* The smallest k for which Pr[Bin(n, p) > k] <= gamma, and that probability, rounded up.
 * 0 < gamma < 1, 0 <= p <= 1. Errors: DELTA and DOMAIN outside these ranges, NOT_FINITE,
 * ENVIRONMENT (another rounding mode), OVERFLOW where a deviation is more than a million. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_binomial_quantile_(size_t *k, double *tail,
                                                                     size_t n, double p,
                                                                     double gamma) {
  size_t low = 0, high = n;
  if (k == NULL || tail == NULL) return DPPAIR_ERR_NULL;
  *k = 0;
  *tail = 1.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(p) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  if (p < 0.0 || p > 1.0) return DPPAIR_ERR_DOMAIN;
  if (!(gamma > 0.0 && gamma < 1.0)) return DPPAIR_ERR_DELTA;
  if (dppair_sqrt_((double)n * p * (1.0 - p)) > (double)DPPAIR_BINOMIAL_MOST_)
    return DPPAIR_ERR_OVERFLOW;
  { /* Chernoff's bounds end the search: N <= mean + L/2 + sqrt(L^2/4 + 2 mean L) but for
     * probability e^-L, and N > mean - sqrt(2 mean L) but for that. */
    const double mean = (double)n * p, level = -dppair_log_(gamma) * 1.000001 + 1e-9;
    const double bound =
        dppair_ceil_(mean + 0.5 * level + dppair_sqrt_(0.25 * level * level + 2.0 * mean * level)) +
        1.0;
    const double under =
        mean - dppair_sqrt_(2.0 * mean * (-dppair_log1p_(-gamma) * 1.000001 + 1e-9)) * 1.000001;
    if (bound < (double)n) high = (size_t)bound;
    if (under > 2.0 && under - 2.0 < (double)high) low = (size_t)(under - 2.0);
  }
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (dppair_binomial_tail_(n, p, middle) <= gamma)
      high = middle;
    else
      low = middle + 1;
  }
  *k = low;
  *tail = dppair_binomial_tail_(n, p, low);
  return DPPAIR_OK;
}

/* ---- src/accountant/mechanisms/table.h ------------------------------------------------------
 * Mechanisms: the one list of them
 *
 * A mechanism is a row of this table and the file mechanisms/NAME.h, whose functions are found by
 * pasting NAME (dispatch.h), so that one that is missing does not compile. No other chapter reads
 * the kind of a step: it asks these functions.
 * ---------------------------------------------------------------------------------------------- */

/* The columns: kind; NAME; the name in texts; what it reads besides its noise multiplier, the
 * number of steps and the adjacency; what its noise multiplier is; its losses; the relations for
 * which it is proved. New rows are appended, since the check of an account reads the numbers of
 * kinds. */
#define DPPAIR_MECHANISM_TABLE(X)                                                                  \
  X(DPPAIR_GAUSSIAN, gaussian, "gaussian", 0, DPPAIR_IS_SCALE_, DPPAIR_GAUSSIAN_LOSS_,             \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_LAPLACE, laplace, "laplace", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)      \
  X(DPPAIR_PURE, pure, "pure", 0, DPPAIR_IS_EPSILON_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)             \
  X(DPPAIR_ZCDP, zcdp, "zcdp", 0, DPPAIR_IS_RHO_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                  \
  X(DPPAIR_SAMPLED_GAUSSIAN, sampled_gaussian, "sampled-gaussian", DPPAIR_READS_SAMPLING_,         \
    DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                                              \
  X(DPPAIR_SAMPLED_PAIRS, sampled_pairs, "sampled-pairs",                                          \
    DPPAIR_READS_SAMPLING_ | DPPAIR_READS_PAIR_RATE_, DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_,          \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_RANDOMISED_RESPONSE, randomised_response, "randomised-response", 0, DPPAIR_IS_EPSILON_, \
    DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)                                                               \
  X(DPPAIR_L2BALL, l2ball, "l2-ball", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)        \
  X(DPPAIR_SKELLAM, skellam, "skellam", 0, DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_BOTH_)     \
  X(DPPAIR_SAMPLED_SKELLAM, sampled_skellam, "sampled-skellam", DPPAIR_READS_SAMPLING_,            \
    DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_ZEROED_)                                          \
  X(DPPAIR_OBJECTIVE, objective, "objective-perturbation", DPPAIR_READS_RIDGE_, DPPAIR_IS_SCALE_,  \
    DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                                                                \
  X(DPPAIR_PURE_OBJECTIVE, pure_objective, "pure-objective-perturbation", DPPAIR_READS_RIDGE_,     \
    DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)

#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) kind,
/* The laws of noise, and of draws beside it, that an account can charge. */
typedef enum dppair_mechanism_kind {
  DPPAIR_NO_MECHANISM_ = 0,
  DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
} dppair_mechanism_kind;
#undef DPPAIR_X_

/* One more than the last kind. */
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) +1
enum { DPPAIR_MECHANISM_COUNT_ = 1 DPPAIR_MECHANISM_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_

/* What a row reads. PAIR_RATE: of Poisson pairs, instead of the sampling's rate. RIDGE: that of a
 * perturbed objective. */
enum { DPPAIR_READS_SAMPLING_ = 1, DPPAIR_READS_PAIR_RATE_ = 2, DPPAIR_READS_RIDGE_ = 4 };

/* What the noise multiplier is: scale / sensitivity, which calibration scales; epsilon; rho. */
enum { DPPAIR_IS_SCALE_ = 1, DPPAIR_IS_EPSILON_ = 2, DPPAIR_IS_RHO_ = 3 };

/* PURE: a loss never exceeds epsilon: dppair_step_loss_. GAUSSIAN: it
 * is a normal variable, and steps compose on the exact curve. WHOLE: its Renyi curve is known at
 * whole orders, and between them by convexity. */
enum {
  DPPAIR_ANY_LOSS_ = 0,
  DPPAIR_PURE_LOSS_ = 1,
  DPPAIR_GAUSSIAN_LOSS_ = 2,
  DPPAIR_WHOLE_LOSS_ = 3
};

/* A bit per move. */
enum {
  DPPAIR_ZEROED_ = (int)DPPAIR_ZERO_OUT,
  DPPAIR_BOTH_ = (int)DPPAIR_REPLACE_ONE | (int)DPPAIR_ZERO_OUT
};

/* A row of the table. */
typedef struct dppair_mechanism_row_ {
  const char *name;
  int reads, multiplier, loss, relations;
} dppair_mechanism_row_;

/* The row of a kind; NULL for what is no kind. */
DPPAIR_FN_ const dppair_mechanism_row_ *dppair_mechanism_row_of_(dppair_mechanism_kind kind) {
  static const dppair_mechanism_row_ row[] = {{"none", 0, 0, 0, 0},
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  {text, reads, multiplier, loss, relations},
                                              DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (int)kind > 0 && (int)kind < DPPAIR_MECHANISM_COUNT_ ? &row[kind] : NULL;
}

/* The name that texts use; "none" for 0 and for what is no such kind. A static string. */
DPPAIR_API const char *dppair_mechanism_name(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL ? row->name : "none";
}

/* 1 when the noise multiplier is a noise scale over a sensitivity: calibration scales it, and a
 * ledger may record both. */
DPPAIR_FN_ int dppair_mechanism_scales_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->multiplier == DPPAIR_IS_SCALE_;
}

/* 1 when losses never exceed an epsilon: dppair_step_loss_. */
DPPAIR_FN_ int dppair_mechanism_is_pure_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_PURE_LOSS_;
}

/* 1 for plain Gaussian noise. */
DPPAIR_FN_ int dppair_mechanism_is_gaussian_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_GAUSSIAN_LOSS_;
}

/* 1 where orders between whole ones cost more. */
DPPAIR_FN_ int dppair_mechanism_is_whole_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && row->loss == DPPAIR_WHOLE_LOSS_;
}

/* 1 when the step draws records or pairs. */
DPPAIR_FN_ int dppair_mechanism_is_sampled_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_READS_SAMPLING_) != 0;
}

/* 1 for a perturbed objective, whose noise is part of what is minimised. */
DPPAIR_FN_ int dppair_mechanism_is_objective_(dppair_mechanism_kind kind) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_READS_RIDGE_) != 0;
}

/* The kind of the plain noise that is added to the minimiser of an objective that is perturbed by
 * this law; 0 for other laws. */
DPPAIR_FN_ dppair_mechanism_kind dppair_mechanism_of_trace_(dppair_mechanism_kind law) {
  if (!dppair_mechanism_is_objective_(law)) return DPPAIR_NO_MECHANISM_;
  return dppair_mechanism_is_pure_(law) ? DPPAIR_L2BALL : DPPAIR_GAUSSIAN;
}

/* The kind of releases with noise of this law (0: Gaussian), which draw records or do not; 0 where
 * no proof covers both. */
DPPAIR_FN_ dppair_mechanism_kind dppair_mechanism_of_law_(dppair_mechanism_kind law, int drawn) {
  if (law == 0) law = DPPAIR_GAUSSIAN;
  if (drawn && law == DPPAIR_SKELLAM) return DPPAIR_SAMPLED_SKELLAM;
  if (drawn)
    return dppair_mechanism_is_gaussian_(law) ? DPPAIR_SAMPLED_GAUSSIAN : DPPAIR_NO_MECHANISM_;
  return dppair_mechanism_scales_(law) && !dppair_mechanism_is_sampled_(law) ? law
                                                                             : DPPAIR_NO_MECHANISM_;
}

/* ---- src/accountant/steps.h -----------------------------------------------------------------
 * Steps: one mechanism, its parameters, and how often it runs
 *
 * What every route of the accountant reads. A step is refused when a parameter is out of range, but
 * also when a field that it reads is missing or one that it does not read is set: both are signs of
 * a mistake that would make the step look cheaper than it is. Relies on mechanisms/table.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * noise_multiplier:
 *   DPPAIR_GAUSSIAN             sigma / sensitivity
 *   DPPAIR_LAPLACE              scale / l1 sensitivity
 *   DPPAIR_L2BALL               scale / l2 sensitivity; noise of density exp(-|z|_2/scale)
 *   DPPAIR_PURE                 epsilon of any epsilon-private mechanism
 *   DPPAIR_RANDOMISED_RESPONSE  epsilon; two answers
 *   DPPAIR_ZCDP                 rho
 *   DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE
 *                               scale of the linear term's noise / (steepest slope times radius);
 *                               both read ridge as well (mechanisms/objective.h)
 *   DPPAIR_SKELLAM, DPPAIR_SAMPLED_SKELLAM
 *                               dppair_skellam_sigma of the noise's variance / l2 sensitivity of
 * the integers; sampled: by Poisson records, over the move of a zeroed one For
 * DPPAIR_SAMPLED_GAUSSIAN and DPPAIR_SAMPLED_PAIRS it is sigma divided by Poisson records the move
 * when one record is added or zeroed (both adjacencies: replace-one is the pair of mixtures towards
 * +1 and -1) allocated records           the same: when one record is absent from the allocation.
 * `steps` counts batches, and an epoch that was begun counts whole without replacement, with
 * replacement, matching the replace-one sensitivity of the batch statistic (one slot) With `owned`
 * the same, j drawn records of a person counting as T(m, j)/(m-1), which is how far pairs of two
 * classes move. For other pairs dppair_sensitivity_users_batch says more; for a sum of vectors, one
 * of each record, twice the move of one is enough sampled pairs               the clip of one
 * pair's vector pair_rate is the probability of each unordered pair and is read for Poisson pairs
 * only, which read n besides and nothing else; elsewhere it is 0. steps >= 1. Steps without
 * sampling read of `sampling` only the adjacency, which may be 0. ridge is read for perturbed
 * objectives only, and elsewhere 0.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
  double ridge; /* ridge / (top curvature times radius^2) of a perturbed objective */
} dppair_step;

DPPAIR_FN_ int dppair_step_is_sampled_(const dppair_step *step) {
  return dppair_mechanism_is_sampled_(step->kind);
}

/* The fields that texts of a step hold besides its noise multiplier and the number of steps. */
enum {
  DPPAIR_FIELD_SAMPLING_ = 1,
  DPPAIR_FIELD_Q_ = 2,
  DPPAIR_FIELD_N_ = 4,
  DPPAIR_FIELD_M_ = 8,
  DPPAIR_FIELD_PAIR_RATE_ = 16,
  DPPAIR_FIELD_BATCHES_ = 32,
  DPPAIR_FIELD_GROUP_ = 64,
  DPPAIR_FIELD_OWNED_ = 128, /* where persons are protected and records are drawn */
  DPPAIR_FIELD_RIDGE_ = 256
};

/* The fields that this step reads, by its kind and the kind of its sampling: all others are 0. */
DPPAIR_FN_ int dppair_step_fields_(const dppair_step *step) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(step->kind);
  const dppair_sampling_row_ *sampling = dppair_sampling_row_of_(step->sampling.kind);
  int fields = DPPAIR_FIELD_SAMPLING_;
  if (row != NULL && (row->reads & DPPAIR_READS_RIDGE_)) return DPPAIR_FIELD_RIDGE_;
  if (row == NULL || sampling == NULL || !(row->reads & DPPAIR_READS_SAMPLING_)) return 0;
  if ((row->reads & DPPAIR_READS_PAIR_RATE_) && step->sampling.kind == DPPAIR_POISSON)
    return fields | DPPAIR_FIELD_N_ | DPPAIR_FIELD_PAIR_RATE_;
  if (sampling->reads & DPPAIR_READS_GROUPS_) fields |= DPPAIR_FIELD_GROUP_;
  if (sampling->reads & DPPAIR_READS_BATCHES_)
    fields |= DPPAIR_FIELD_BATCHES_ | DPPAIR_FIELD_GROUP_;
  if ((sampling->reads & DPPAIR_READS_OWNED_) &&
      dppair_adjacency_unit_(step->sampling.adjacency) == DPPAIR_OF_PERSONS_)
    fields |= DPPAIR_FIELD_OWNED_;
  if (sampling->reads & DPPAIR_READS_RATE_)
    return fields | DPPAIR_FIELD_Q_ | DPPAIR_FIELD_N_ | DPPAIR_FIELD_M_;
  if (sampling->reads & DPPAIR_READS_N_) fields |= DPPAIR_FIELD_N_;
  if (sampling->reads & DPPAIR_READS_M_) fields |= DPPAIR_FIELD_M_;
  return fields;
}

/* How often the law of a step runs: that of an allocation is one epoch of 1 of batches/group
 * batches, and an epoch that was begun counts whole. */
DPPAIR_FN_ size_t dppair_step_runs_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  size_t epochs;
  if (s->kind != DPPAIR_ALLOCATION || s->batches == 0 || s->group == 0) return step->steps;
  epochs = step->steps / s->batches + (step->steps % s->batches > 0 ? 1u : 0u);
  return epochs > SIZE_MAX / s->group ? SIZE_MAX : epochs * s->group;
}

/* How often its steepest slope times its radius the gradient of an objective moves: twice where a
 * record is replaced, or where nobody says what happens to it. */
DPPAIR_FN_ double dppair_step_moves_(const dppair_step *step) {
  return dppair_adjacency_move_(step->sampling.adjacency) == DPPAIR_ZERO_OUT ? 1.0 : 2.0;
}

/* What one run adds to every loss of its law, rounded up: the determinants of an objective, log(1 +
 * 1/ridge). 0 elsewhere. */
DPPAIR_FN_ double dppair_step_surplus_(const dppair_step *step) {
  if (!dppair_mechanism_is_objective_(step->kind)) return 0.0;
  return dppair_up_(dppair_up_(dppair_log1p_(dppair_up_(1.0 / step->ridge))));
}

/* The largest loss of one run, to nearest; 0 where there is none. */
DPPAIR_FN_ double dppair_step_loss_(const dppair_step *step) {
  if (!dppair_mechanism_is_pure_(step->kind)) return 0.0;
  if (dppair_mechanism_is_objective_(step->kind))
    return dppair_step_moves_(step) / step->noise_multiplier + dppair_step_surplus_(step);
  return dppair_mechanism_scales_(step->kind) ? 1.0 / step->noise_multiplier
                                              : step->noise_multiplier;
}

/* The pure epsilon of one run, rounded up; infinite where there is none. */
DPPAIR_FN_ double dppair_step_pure_(const dppair_step *step) {
  const double noise = step->noise_multiplier, e = dppair_step_loss_(step);
  if (!dppair_mechanism_is_pure_(step->kind)) return HUGE_VAL;
  if (!dppair_mechanism_scales_(step->kind)) return e;
  if (dppair_mechanism_is_objective_(step->kind)) return dppair_up_(e);
  return e * noise != 1.0 || dppair_product_error_(e, noise, 1.0) != 0.0 ? dppair_up_(e) : e;
}

/* Whether a pair of data sets attains the laws by which a step is charged, so that a lower bound
 * for the laws is one for the mechanism: never; by a single run alone; always. */
enum { DPPAIR_ATTAINED_NEVER_ = 0, DPPAIR_ATTAINED_ONCE_ = 1, DPPAIR_ATTAINED_ALWAYS_ = 2 };

/* What one run of a step adds to an account. At most one of mu, rho and pure is above 0; where mu
 * and rho are 0, the step itself is kept. */
typedef struct dppair_charge_ {
  double mu;    /* > 0: a plain Gaussian step with sensitivity / sigma = mu, rounded up */
  double rho;   /* > 0: zCDP */
  double pure;  /* > 0: no loss exceeds this epsilon, rounded up */
  int attained; /* DPPAIR_ATTAINED_... */
} dppair_charge_;

/* The check of a step without sampling, whose multiplier is refused by `status`: nothing but the
 * adjacency may be set in its sampling. A pure or zCDP step that costs 0 is one whose cost was
 * forgotten. */
DPPAIR_FN_ dppair_status dppair_plain_check_(const dppair_step *step, dppair_status status) {
  const dppair_sampling *s = &step->sampling;
  if (!(step->noise_multiplier > 0.0)) return status;
  return s->kind == DPPAIR_ALL && s->q == 0.0 && s->n == 0 && s->m == 0 && s->batches == 0 &&
                 s->group == 0 && s->owned == 0 && step->pair_rate == 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_UNREAD;
}

/* ---- src/accountant/plan.h ------------------------------------------------------------------
 * A plan: so many releases of one kind, within one budget
 *
 * What dppair_calibrate (calibrate.h) finds the noise of, and what a release is opened with. Relies
 * on steps.h.
 * ---------------------------------------------------------------------------------------------- */

/* Stores one line of `length` characters, which has no terminator. OK: the line is stored, and a
 * crash would not lose it. */
typedef dppair_status (*dppair_ledger_sink)(const char *line, size_t length, void *context);

/* All zero, and then what is asked for. Fields that stay 0 (NULL) are not asked for. */
typedef struct dppair_plan {
  double epsilon, delta;     /* the account is to end within these, the plan's steps included */
  size_t steps;              /* releases, >= 1 */
  dppair_sampling sampling;  /* who the neighbours are, and how each release draws its records */
  dppair_mechanism_kind law; /* of the noise: 0 or DPPAIR_GAUSSIAN; without a draw DPPAIR_LAPLACE or
                                DPPAIR_L2BALL too, and for dppair_release_minimiser
                                DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE; for
                                dppair_release_share DPPAIR_SKELLAM, all or Poisson samples */
  double ridge;              /* of the two: as in dppair_step, > 0 */
  double trace;              /* of the two: mu (pure: epsilon) > 0 of the output noise of each
                                release, which hides how far it is from the minimiser. Charged as
                                plain noise, on a line of its own before the plan's */
  double failure;            /* probability, within delta, that tests of the plan's releases may
                                pass wrongly (dppair_evaluate_partial_auc), failure/steps each */
  double noise_multiplier;   /* noise scale over sensitivity, as in dppair_step; 0: to be found */
  dppair_ledger_sink ledger; /* where the plan's line goes before it is charged */
  void *context;             /* of the sink */
  uint64_t check;            /* dppair_calibrate's: what noise_multiplier was found for */
} dppair_plan;

/* The step that the plan runs plan->steps times, at its noise multiplier. Errors: those of a
 * sampling that is not whole (sampling.h); NO_PROOF: a law that is not known for this draw.
 * dppair_step_check_ checks the rest. */
DPPAIR_FN_ dppair_status dppair_plan_step_(dppair_step *step, const dppair_plan *plan) {
  const int drawn = plan->sampling.kind != DPPAIR_ALL;
  const dppair_status status = dppair_sampling_check_(&plan->sampling);
  memset(step, 0, sizeof *step);
  if (status != DPPAIR_OK) return status;
  step->kind = dppair_mechanism_of_law_(plan->law, drawn);
  if (step->kind == DPPAIR_NO_MECHANISM_) return DPPAIR_ERR_NO_PROOF;
  if (drawn) step->sampling = plan->sampling;
  step->sampling.adjacency = plan->sampling.adjacency;
  step->noise_multiplier = plan->noise_multiplier;
  step->steps = plan->steps;
  step->ridge = plan->ridge;
  return DPPAIR_OK;
}

/* The step of that output noise. Errors: DOMAIN, none is given; UNREAD, it is and is not read. */
DPPAIR_FN_ dppair_status dppair_plan_trace_(dppair_step *step, const dppair_plan *plan) {
  memset(step, 0, sizeof *step);
  if (!dppair_isfinite_f64(plan->trace)) return DPPAIR_ERR_NOT_FINITE;
  step->kind = dppair_mechanism_of_trace_(plan->law);
  if (step->kind == DPPAIR_NO_MECHANISM_)
    return plan->trace != 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_OK;
  if (!(plan->trace >= 1e-100 && plan->trace <= 1e100)) return DPPAIR_ERR_DOMAIN;
  step->noise_multiplier = dppair_down_(1.0 / plan->trace);
  step->steps = plan->steps;
  step->sampling.adjacency = plan->sampling.adjacency;
  return DPPAIR_OK;
}

/* ---- src/accountant/sensitivity.h -----------------------------------------------------------
 * Sensitivities
 *
 * How far the l2 norm of a statistic of pairs moves with one record, each bound with its proof. n,
 * the number of records, is public. Relies on steps.h.
 *
 * G bounds the l2 norm of the gradient of ONE ordered pair's loss, without the regulariser, which
 * is the same on both data sets and cancels. It must hold at every point where a gradient is
 * evaluated. Noisy iterates leave a ball unless they are projected back, so a G that holds on a
 * ball only needs the projection, or a clip per pair. Logistic and hinge slopes are bounded
 * everywhere.
 *
 * A computed gradient differs from the exact one by rounding: add twice its certified error to the
 * sensitivity of the release. Results here are rounded up. Arguments are 0 or in [1e-90, 1e90].
 * Errors of all functions: NULL, NOT_FINITE, DOMAIN (an argument, or an unknown form), SIZE (n <
 * 2), ADJACENCY, OVERFLOW, ENVIRONMENT.
 *
 * Which function? For an instance of dppair.h NAME_sensitivity: it knows the loss, the batch, the
 * clip and all rounding. For a ranking loss of one's own program with a known slope: _rank_ind and
 * _rank_diff. If only a bound G or a clip is known: _pair_mean, and _minibatch for a batch.
 *
 * Sums over (positive, negative) pairs alone are divided by n(n-1) too. Divided by n+ n-, with
 * private labels, they have no bound that shrinks with n: with one positive, replacing it changes
 * every pair.
 * ---------------------------------------------------------------------------------------------- */

/* *out = value rounded up, where value is a few roundings to nearest away from its formula. */
DPPAIR_FN_ dppair_status dppair_sensitivity_store_(double *out, double value) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  value *= 1.0 + 2e-15;
  if (!dppair_isfinite_f64(value)) return DPPAIR_ERR_OVERFLOW;
  *out = value;
  return DPPAIR_OK;
}

/* Is x 0 or in [1e-90, 1e90]? Products of a few such numbers stay normal, so that a relative slack
 * rounds them up; with smaller ones a product would be 0 or lose its digits. */
DPPAIR_FN_ int dppair_ordinary_(double x) { return !(x > 0.0) || (x >= 1e-90 && x <= 1e90); }

/* Are a, b and c finite, >= 0 and ordinary, and is n >= 2? Zeroes *out. */
DPPAIR_FN_ dppair_status dppair_sensitivity_args_(double *out, size_t n, double a, double b,
                                                  double c) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c))
    return DPPAIR_ERR_NOT_FINITE;
  if (a < 0.0 || b < 0.0 || c < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_ordinary_(a) || !dppair_ordinary_(b) || !dppair_ordinary_(c))
    return DPPAIR_ERR_DOMAIN;
  return n < 2 ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/*
 * The mean over the n(n-1) ordered pairs (or the n(n-1)/2 unordered ones) of a vector of norm <= G:
 * 4G/n for one replaced record, 2G/n for one zeroed record. n >= 2, G >= 0. Attained.
 * Proof: 2(n-1) of the n(n-1) ordered pairs touch the record; each moves by at most 2G, or G.
 * A clip per pair may take the place of G. Removing a record, where each mean has its own
 * normaliser, also moves it by at most 4G/n, n the larger size, but then nothing else may depend on
 * n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pair_mean(
    double *sensitivity, double lipschitz, size_t n, dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, n, lipschitz, 0.0, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  return dppair_sensitivity_store_(sensitivity, (adjacency == DPPAIR_REPLACE_ONE ? 4.0 : 2.0) *
                                                    lipschitz / (double)n);
}

/* The ranking losses whose structure is known: phi does not increase, 0 <= -phi' <= slope. */
typedef enum dppair_rank_form_ {
  DPPAIR_RANK_DIFF_ = 1,        /* phi((y - y') w.(x - x')), real labels |y| <= label_bound */
  DPPAIR_RANK_IND_ = 2,         /* phi(w.(x - x')) 1[y = 1, y' = -1], two labels */
  DPPAIR_RANK_IND_LEVELS_ = 3,  /* phi(w.(x - x')) 1[y > y'], three label levels or more */
  DPPAIR_RANK_SIGN_ = 4,        /* phi(sign(y - y') w.(x - x')), two label levels */
  DPPAIR_RANK_SIGN_LEVELS_ = 5, /* the same, three label levels or more */
  DPPAIR_RANK_REGRESSION_ = 6   /* square or pinball of y - y' - w.(x - x'), real labels */
} dppair_rank_form_;

/* Checks the arguments that the ranking forms share. *value = radius slope, times the label bound
 * where the form has one; HUGE_VAL when only the clip bounds the gradient. */
DPPAIR_FN_ dppair_status dppair_rank_check_(double *value, double *out, dppair_rank_form_ form,
                                            double radius, double label_bound, double slope,
                                            double clip, size_t n) {
  const int open = radius >= HUGE_VAL || slope >= HUGE_VAL;
  const dppair_status status = dppair_sensitivity_args_(out, n, radius >= HUGE_VAL ? 0.0 : radius,
                                                        slope >= HUGE_VAL ? 0.0 : slope, clip);
  *value = HUGE_VAL;
  if (status != DPPAIR_OK) return status;
  if (form < DPPAIR_RANK_DIFF_ || form > DPPAIR_RANK_REGRESSION_) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(label_bound)) return DPPAIR_ERR_NOT_FINITE;
  if (form == DPPAIR_RANK_DIFF_ ? !(label_bound > 0.0) : label_bound != 0.0)
    return DPPAIR_ERR_DOMAIN;
  if (!dppair_ordinary_(label_bound)) return DPPAIR_ERR_DOMAIN;
  if (open && !(clip > 0.0)) return DPPAIR_ERR_NO_PROOF;
  if (!open) *value = radius * slope * (form == DPPAIR_RANK_DIFF_ ? label_bound : 1.0);
  return DPPAIR_OK;
}

/*
 * Gradient of the pairwise ranking risk, normalised by n(n-1), for rows ||x|| <= radius. The bound
 * is the same for replacing a record and for zeroing it; do not halve it for the zero-out relation.
 * slope bounds -phi' at every margin that is reached (`slope` of dppair_constants_find); clip
 * bounds each ordered pair's gradient (0: not clipped). label_bound is Y > 0 for 'diff', whose
 * margin grows with the labels; it must be 0 for the other forms, which do not read it. With a
 * clip, radius and slope may be HUGE_VAL, which covers any scorer; without one that is NO_PROOF.
 *
 *                  no clip            with clip C
 *   diff           8 radius slope Y/n min(4C, 8 radius slope Y)/n
 *   ind            2 radius slope/n   min(2C, 2 radius slope)/n
 *   ind, levels    4 radius slope/n   min(2C, 4 radius slope)/n
 *   sign           4 radius slope/n   min(4C, 4 radius slope)/n
 *   sign, levels   8 radius slope/n   min(4C, 8 radius slope)/n
 *   regression     4 radius slope/n   min(4C, 4 radius slope)/n
 *
 * 'diff' and 'ind' are a half and a quarter of 4G/n. Proof: fix the partner z'. The two orders of a
 * pair sum to a multiple in [0, k slope] of +-(x - x'), the sign given by the labels; x - x' runs
 * over the ball B(-x', radius), which contains 0 because ||x'|| <= radius, so all values lie in one
 * convex set of diameter 2 k radius slope, k = 4 Y ('diff'), 1 ('ind') or 2 ('sign'). n - 1
 * partners, divided by n(n-1). Zeroing a record stays in the set, which contains 0. Attained. With
 * real labels 'diff' has slopes a and 2 Y - a of opposite sign, which give no more. With three
 * levels both signs can occur with one partner.
 * Clipping keeps the set star-shaped about 0 and inside the ball of radius C.
 *
 * The square loss (1-u)^2, whose slope changes sign, obeys the rows 'diff' and 'ind' with slope =
 * sup |phi'|: (1 - w.a) a - (1 - w.b) b is at most |a - b| + |w| ||a a^T - b b^T|| <= 2 radius +
 * 4 radius^2 |w| for a, b in B(-x', radius). Regression: the square of a residual, |y| <= Y, has
 * slope 4 (Y + radius |w|) by the same two parts; the pinball, at any level, has 1, because the two
 * orders of a pair add up to the absolute value. On a domain that is not a ball the radius is half
 * the diameter of its convex hull.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_rank_(double *sensitivity, dppair_rank_form_ form, double radius,
                         double label_bound, double slope, double clip, size_t n) {
  static const double factor[7] = {0.0, 8.0, 2.0, 4.0, 4.0, 8.0, 4.0};
  static const double clipped[7] = {0.0, 4.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  double value;
  const dppair_status status =
      dppair_rank_check_(&value, sensitivity, form, radius, label_bound, slope, clip, n);
  if (status != DPPAIR_OK) return status;
  value *= factor[form];
  if (clip > 0.0 && clipped[form] * clip < value) value = clipped[form] * clip;
  return dppair_sensitivity_store_(sensitivity, value / (double)n);
}

/* 8 radius slope Y/n: dppair_sensitivity_rank_ for 'diff' without a clip, labels |y| <= Y. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_rank_diff(double *sensitivity,
                                                                        double radius,
                                                                        double label_bound,
                                                                        double slope, size_t n) {
  return dppair_sensitivity_rank_(sensitivity, DPPAIR_RANK_DIFF_, radius, label_bound, slope, 0.0,
                                  n);
}

/* 2 radius slope / n: dppair_sensitivity_rank_ for 'ind' without a clip. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_rank_ind(double *sensitivity,
                                                                       double radius, double slope,
                                                                       size_t n) {
  return dppair_sensitivity_rank_(sensitivity, DPPAIR_RANK_IND_, radius, 0.0, slope, 0.0, n);
}

/*
 * Gradient (in W, Frobenius norm) of the metric-learning risk with margin yy'(1 - M_W(x, x')),
 * normalised by n(n-1), rows ||x|| <= radius, V = 4 radius^2; phi convex and non-increasing, or the
 * square. slope_same and slope_opposite bound |phi'| over the margins that pairs of equal and of
 * opposite labels reach: |phi'(1 - V B)| and |phi'(-1)| for positive semidefinite ||W|| <= B,
 * |phi'(1 - V B)| and |phi'(-1 - V B)| for symmetric W. The margins are those that are computed, so
 * both ends need room (float: 2^-10 of the largest; a projected W has eigenvalues just below 0),
 * and where phi' jumps at an end, both sides count; dppair_constants_find does this. replaced  2 V
 * (slope_same + slope_opposite)/n zeroed    2 V max(slope_same, slope_opposite)/n Proof: with the
 * partner fixed, equal labels give +a v v^T and opposite ones -b w w^T, and two members of one
 * family differ by at most V sup slope (||a v v^T - b w w^T||_F <= s V for v, w in B(-x',R)).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_metric(double *sensitivity, double radius, double slope_same,
                          double slope_opposite, size_t n, dppair_adjacency adjacency) {
  const double v = 4.0 * radius * radius;
  double move;
  dppair_status status =
      dppair_sensitivity_args_(sensitivity, n, radius, slope_same, slope_opposite);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  move = adjacency == DPPAIR_REPLACE_ONE
             ? slope_same + slope_opposite
             : (slope_same > slope_opposite ? slope_same : slope_opposite);
  return dppair_sensitivity_store_(sensitivity, 2.0 * v * move / (double)n);
}

/*
 * (1/n) sum_i clip_R( mean over j of g_ij ), each ||g_ij|| <= C = pair_clip. Replacing a record
 * moves its own term by 2R and every other one by min(2R, 2C/(n-1)), so [2R + (n-1) min(2R,
 * 2C/(n-1))]/n; zeroing one moves them by R and min(2R, C/(n-1)), as a clipped term can still turn
 * around. pair_clip = 0 means unclipped pairs: then the other n-1 terms move by 2R each, and the
 * bound does not shrink with n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_record_clip(double *sensitivity, double record_clip, double pair_clip, size_t n,
                               dppair_adjacency adjacency) {
  const double times = adjacency == DPPAIR_REPLACE_ONE ? 2.0 : 1.0;
  double other = 2.0 * record_clip, touched;
  dppair_status status = dppair_sensitivity_args_(sensitivity, n, record_clip, pair_clip, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(adjacency);
  if (status != DPPAIR_OK) return status;
  touched = times * pair_clip / (double)(n - 1);
  if (pair_clip > 0.0 && touched < other) other = touched;
  return dppair_sensitivity_store_(sensitivity,
                                   (times * record_clip + (double)(n - 1) * other) / (double)n);
}

/*
 * What one record can move in a mini-batch statistic of pairs, each vector of norm <= clip, with m
 * records (or m expected ones) as in dppair_sampling. This is the `sensitivity` to pass to
 * dppair_accountant_sampled_gaussian for that kind of sampling:
 *   Poisson records      3C/m: all pairs of the batch B, divided by m(|B|-1), 0 when |B| <= 1; the
 *                        move when a record is added or zeroed (old pairs C/m, new ones 2C/m).
 *                        Dividing by a constant instead has no bound: the move grows with |B|.
 *   without replacement  4C/m: all pairs, divided by m(m-1), one record replaced
 *   with replacement     4C/m: the same over slots, one slot replaced (k slots move at most k times
 *                        as far: 2C k(2m-k-1)/(m(m-1)))
 *   matching             4C/m: m/2 disjoint pairs, divided by m/2, one record replaced; m even
 * It holds for any vectors; ranking losses move a batch by a third to a half of it, and allocated
 * batches have a value too: dppair_sensitivity_batch.
 * NO_PROOF: no sampling; RATE: an odd m of a matching.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_minibatch(double *sensitivity,
                                                                        dppair_sampling_kind kind,
                                                                        double clip, size_t m) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, m, clip, 0.0, 0.0);
  double factor;
  if (status != DPPAIR_OK) return status;
  switch (kind) {
  case DPPAIR_POISSON:
    factor = 3.0;
    break;
  case DPPAIR_MATCHING:
    if (m % 2 != 0) return DPPAIR_ERR_RATE; /* records, not pairs */
    factor = 4.0;
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    factor = 4.0;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, factor * clip / (double)m);
}

/*
 * The same for the ranking losses, with the arguments of dppair_sensitivity_rank_; all arguments
 * are public, m too. C bounds each ordered pair's gradient. There are two label levels except for
 * 'diff' (whose values are those of 'sign' with twice the slope where labels are -1 and 1) and
 * 'levels'. r = radius, s = slope, Y = label_bound:
 *
 *                  Poisson records      without or with replacement   matching
 *   diff           min(3C, 8rsY)/m      min(4C, 8rsY)/m               min(8C, 16rsY)/m
 *   ind            min(C, 2rs)/m        min(2C, 2rs)/m                min(4C, 4rs)/m
 *   ind, levels    min(3C/2, 2rs)/m     min(2C, 4rs)/m                min(4C, 8rs)/m
 *   sign           min(2C, 4rs)/m       min(4C, 4rs)/m                min(8C, 8rs)/m
 *   sign, levels   min(3C, 4rs)/m       min(4C, 8rs)/m                min(8C, 16rs)/m
 *   regression     min(3C, 4rs)/m       min(4C, 4rs)/m                min(8C, 8rs)/m
 *
 * Poisson: all pairs of the batch B divided by m(|B|-1), 0 when |B| <= 1, nulls not counted; the
 * move when a record is added or zeroed. Without replacement: all pairs of m records divided by
 * m(m-1), one replaced; with replacement the same over slots, copies of one record having no pair
 * (k slots move at most k times as far). Matching: the totals of m/2 disjoint pairs divided by m/2,
 * one record replaced; m even.
 * Proof. Replaced: dppair_sensitivity_rank_ over m records; a matched record has one partner, not
 * m - 1 of them. Poisson: a record joins b others; f is the sum of its b pairs' totals (both
 * orders), S that of the others, and the move is [f/b - S/(b(b-1))]/m. Two levels: of the b others
 * p have the other label, so |f| <= p c, |S| <= p (b-p) c with c the bound of a total, and the move
 * is at most c p(2b-1-p)/(b(b-1))/m <= c/m, p being an integer of at most b. Any labels: along a
 * unit vector a total is at most c |t - t'|/2, t = x.e/r in [-1, 1]; |f|/b + |S|/(b(b-1)) is convex
 * in every t, so each t is +-1, and p counts the others at the other end. A clipped total has no
 * such form: |f| <= b c, |S| <= b(b-1) c/2, so 3c/(2m). c = 2rs ('ind'), 4rs or 8rsY, with a clip
 * C ('ind') or 2C. Attained (regression by the square).
 * Errors: those of dppair_sensitivity_rank_ for n = m; NO_PROOF: no sampling; RATE: an odd m of a
 * matching.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_minibatch_rank_(
    double *sensitivity, dppair_sampling_kind kind, dppair_rank_form_ form, double radius,
    double label_bound, double slope, double clip, size_t m) {
  static const double total[7] = {0.0, 8.0, 2.0, 2.0, 4.0, 4.0, 4.0};
  static const double clipped[7] = {0.0, 3.0, 1.0, 1.5, 2.0, 3.0, 3.0};
  double value;
  dppair_status status =
      dppair_rank_check_(&value, sensitivity, form, radius, label_bound, slope, clip, m);
  if (status != DPPAIR_OK) return status;
  switch (kind) {
  case DPPAIR_POISSON:
    value *= total[form];
    if (clip > 0.0 && clipped[form] * clip < value) value = clipped[form] * clip;
    return dppair_sensitivity_store_(sensitivity, value / (double)m);
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    return dppair_sensitivity_rank_(sensitivity, form, radius, label_bound, slope, clip, m);
  case DPPAIR_MATCHING:
    if (m % 2 != 0) return DPPAIR_ERR_RATE;
    status = dppair_sensitivity_rank_(&value, form, radius, label_bound, slope, clip, m);
    return status == DPPAIR_OK ? dppair_sensitivity_store_(sensitivity, 2.0 * value) : status;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
}

/* ---- src/accountant/owners.h ----------------------------------------------------------------
 * Sensitivities where a person owns several records, or an item has several owners
 *
 * How far the l2 norm of a statistic of pairs moves with everything that one person owns. The
 * relation is REPLACE_PERSON or ZERO_PERSON: a person's constant is not charged to an account of
 * records. Results are rounded up; arguments are 0 or in [1e-90, 1e90]. Relies on sensitivity.h.
 *
 * Errors of all functions: NULL, NOT_FINITE, DOMAIN (an argument, or unknown levels), SIZE (a
 * count), ADJACENCY (another unit, or a relation that has no proof here), NO_PROOF (nothing bounds
 * the gradient), UNREAD (a field that the function does not read), OVERFLOW.
 *
 * Which function? All pairs count alike, and a public bound of one person's records holds: _users;
 * _users_apart where all numbers of records are public. Persons count alike: _user_weighted, u/U
 * whatever a person owns; with 10^4 records of 10^3 persons, one of whom may own 100, that is a
 * tenth of what _users asks. Steps on batches: persons are drawn (_user_weighted), or records
 * (_users_batch, whose law knows how many of a person's are drawn). Items with several owners, such
 * as pairs or groups of a public list: _owners.
 *
 * Not private, whatever the noise: a number of records per person that is found in the data and
 * then used as the bound; weights that depend on what others own; divisors that do.
 *
 * Each person's mean over his pairs clipped to R and each ordered block to C: record_clip with the
 * persons for the records, (2R + 2C)/U. Without a bound of the blocks it is 2R, whatever U is.
 * ---------------------------------------------------------------------------------------------- */

/* What is known of a loss of two records. */
typedef enum dppair_levels {
  DPPAIR_LEVELS_TWO = 1,     /* the ranking losses of dppair_sensitivity_rank_ind and _diff, and
                                phi(sign(y - y') w.(x - x')), with two label levels */
  DPPAIR_LEVELS_GENERAL = 2, /* any loss of a linear margin: more levels, pinball, square */
  DPPAIR_LEVELS_ANY = 3      /* any loss: metrics, networks, similarities */
} dppair_levels;

/*
 * The total of a pair: the gradient of one unordered pair, both orders added up. For rows of norm
 * at most R and slopes of at most s its norm is at most 2Rs ('ind'), 4Rs ('sign', and 'ind' with
 * more levels), 8Rs Y ('diff'), 2R (pinball), else twice that of one ordered pair.
 */
typedef struct dppair_pair_unit {
  dppair_levels levels;
  double unit;  /* u: the most that the norm of a total can be; HUGE_VAL: only a clip bounds it */
  double clip;  /* C: totals are clipped to this norm; 0: not */
  double block; /* _user_weighted: so is the weighted total of two persons; 0: not */
  int classes;  /* _user_weighted: 1: a person's positives and his negatives have weights of their
                   own, each summing to 1 */
} dppair_pair_unit;

/* Of a total: its norm, and how far it moves when one of its records is replaced. Two levels: the
 * totals with one partner lie in a convex set of diameter u that contains 0 (the proof of
 * dppair_sensitivity_rank_), and clipping keeps them in it. */
DPPAIR_FN_ double dppair_pair_norm_(const dppair_pair_unit *p) {
  return p->clip > 0.0 && p->clip < p->unit ? p->clip : p->unit;
}

DPPAIR_FN_ double dppair_pair_move_(const dppair_pair_unit *p) {
  const double twice = 2.0 * dppair_pair_norm_(p);
  return p->levels == DPPAIR_LEVELS_TWO && p->unit < twice ? p->unit : twice;
}

/* Zeroes *out. weighted: blocks and classes are read. */
DPPAIR_FN_ dppair_status dppair_pair_check_(double *out, const dppair_pair_unit *p, int weighted) {
  if (out == NULL) return DPPAIR_ERR_NULL;
  *out = 0.0;
  if (p == NULL) return DPPAIR_ERR_NULL;
  if ((!(p->unit >= HUGE_VAL) && !dppair_isfinite_f64(p->unit)) || !dppair_isfinite_f64(p->clip) ||
      !dppair_isfinite_f64(p->block))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(p->unit >= 0.0 && p->clip >= 0.0 && p->block >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if ((p->unit < HUGE_VAL && !dppair_ordinary_(p->unit)) || !dppair_ordinary_(p->clip) ||
      !dppair_ordinary_(p->block))
    return DPPAIR_ERR_DOMAIN;
  if ((int)p->levels < DPPAIR_LEVELS_TWO || (int)p->levels > DPPAIR_LEVELS_ANY ||
      (p->classes != 0 && p->classes != 1))
    return DPPAIR_ERR_DOMAIN;
  if (!weighted && (p->block > 0.0 || p->classes != 0)) return DPPAIR_ERR_UNREAD;
  if (p->unit >= HUGE_VAL && !(p->clip > 0.0) && !(p->block > 0.0)) return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* Is this a relation that protects `unit`? */
DPPAIR_FN_ dppair_status dppair_adjacency_of_(dppair_adjacency adjacency, int unit) {
  const dppair_status status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  return dppair_adjacency_unit_(adjacency) == unit ? DPPAIR_OK : DPPAIR_ERR_ADJACENCY;
}

/* j (n - j): pairs that a cut of j of n places separates. Doubles, since squares of sizes overflow
 * integers; exact below 2^26, else within 3 roundings. */
DPPAIR_FN_ double dppair_cut_(size_t n, size_t j) { return (double)j * (double)(n - j); }

/* T(n, k) = q (n - q) + floor(k^2/4), q = min(k, floor(n/2)), k <= n. */
DPPAIR_FN_ double dppair_owned_(size_t n, size_t k) {
  return dppair_cut_(n, k < n / 2 ? k : n / 2) + dppair_cut_(k, k / 2);
}

/* max over 0 <= q <= k of D (n-k) q + c (q (k-q) + max over r <= q of r (k-r)), c <= D <= 2c: T(n,
 * k) c where D = c. Concave in q with its top at k/2 + D (n-k)/(2c) >= n/2, or at k. */
DPPAIR_FN_ double dppair_owned_clipped_(double norm, double move, size_t n, size_t k) {
  double top, best = 0.0;
  size_t q = k, i;
  if (!(norm > 0.0)) return 0.0;
  top = 0.5 * (double)k + 0.5 * move / norm * (double)(n - k);
  if (top < (double)k) q = (size_t)top + 2 < k ? (size_t)top + 2 : k;
  for (i = 0; i < 4; i++) {
    const double inside = dppair_cut_(k, q) + dppair_cut_(k, q < k / 2 ? q : k / 2);
    const double value = move * (double)(n - k) * (double)q + norm * inside;
    if (value > best) best = value;
    if (q == 0) break;
    q--;
  }
  return best;
}

/*
 * How far the sum over all pairs of n records moves with k of them, k <= n, c = min(C, u) being the
 * norm of a total and D its move (min(2C, u) for two levels):
 *
 *                    zeroed                                    replaced
 *   two levels       c cut(n, k)                               dppair_owned_clipped_: u T(n, k)
 *   linear margin    min(u cut(n, k), C k (2n-k-1)/2)          twice that
 *   any loss         c k (2n-k-1)/2                            twice that
 *
 * cut(n, k) = q (n-q), q = min(k, floor(n/2)). Attained without a clip; two levels with one,
 * replaced, but for c k^2/4. Proof. k (2n-k-1)/2 pairs touch the records. Linear margin, along a
 * unit vector e: a total is at most u |t - t'|/2, t = x.e/R in
 * [-1, 1]; the sum over touched pairs is convex in each t, so each is +-1, and opposite ones count:
 * a cut of which one side is among the k. A clipped total has no such form but for two levels,
 * where opposite labels count in place of opposite places.
 * Two levels, replaced: let P and P' of the k be positive before and after, and a positives and b
 * negatives be among the others. A negative outside moves by at most D max(P, P'), a positive by
 * D max(k-P, k-P'); pairs inside sum to at most c (P (k-P) + P' (k-P')). Let P >= P'. The bound is
 * linear in a = n - k - b, hence largest at an end: at a = 0 q = P and r = P', at b = 0 q = k - P'
 * and r = k - P, of the stated form.
 */
DPPAIR_FN_ double dppair_owned_pairs_(const dppair_pair_unit *p, size_t n, size_t k, int replaced) {
  const double norm = dppair_pair_norm_(p), cut = dppair_cut_(n, k < n / 2 ? k : n / 2);
  const double touched = 0.5 * (double)k * ((double)(n - k) + (double)(n - 1));
  double value = norm * touched;
  if (p->levels == DPPAIR_LEVELS_TWO)
    return replaced ? dppair_owned_clipped_(norm, dppair_pair_move_(p), n, k) : norm * cut;
  if (p->levels == DPPAIR_LEVELS_GENERAL) {
    value = p->unit * cut;
    if (p->clip > 0.0 && p->clip * touched < value) value = p->clip * touched;
  }
  return replaced ? 2.0 * value : value;
}

/*
 * The mean over the n (n-1) ordered pairs of n records, n >= 2 and public, of which one person owns
 * at most `owned`, 1 <= owned <= n, a public bound: dppair_owned_pairs_ over n (n-1). Two levels,
 * replaced: u T(n, k)/(n (n-1)), 1/n of u for one record; a person's positives and negatives may
 * change in number. A person who owns fewer is one of whose records some are replaced by
 * themselves. Attained as said there.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_users(double *sensitivity,
                                                                    const dppair_pair_unit *pair,
                                                                    size_t n, size_t owned,
                                                                    dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  double value;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (n < 2 || owned < 1 || owned > n) return DPPAIR_ERR_SIZE;
  value =
      dppair_owned_pairs_(pair, n, owned, dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE);
  return dppair_sensitivity_store_(sensitivity, value / (double)n / (double)(n - 1));
}

/*
 * The sum over the pairs of records of two persons, divided by n^2 - sum k_a^2, where person a has
 * k_a = owned[a] of the n records, all public: D max k_a (n - k_a) over that, D = min(2C, u) for
 * two levels, else 2 min(C, u); zeroed min(C, u). Proof: k_a (n - k_a) totals touch a person.
 * `persons` counts >= 2, two of them with records. OVERFLOW: n >= 2^32, whose square does.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_users_apart(double *sensitivity, const dppair_pair_unit *pair,
                               const size_t *owned, size_t persons, dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  uint64_t n = 0, most = 0, apart = 0;
  double move;
  size_t a;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (owned == NULL) return DPPAIR_ERR_NULL;
  for (a = 0; a < persons; a++) {
    if ((uint64_t)owned[a] > UINT32_MAX - n) return DPPAIR_ERR_OVERFLOW;
    n += owned[a];
  }
  for (a = 0; a < persons; a++) {
    const uint64_t pairs = (uint64_t)owned[a] * (n - owned[a]);
    apart += pairs;
    if (pairs > most) most = pairs;
  }
  if (apart == 0) return DPPAIR_ERR_SIZE;
  move = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE ? dppair_pair_move_(pair)
                                                                 : dppair_pair_norm_(pair);
  return dppair_sensitivity_store_(sensitivity, move * (double)most / (double)apart);
}

/*
 * All pairs of m of n records, drawn without replacement and divided by m (m-1), where one person
 * owns at most records->owned of the n: the number that the noise multiplier of such a step divides
 * (`sensitivity` of dppair_accountant_sampled_gaussian). It is how far ONE record of the batch
 * moves it, D/m, D = u for two levels and 2u for a linear margin; the account knows how many of a
 * person's records are drawn, and counts j of them T(m, j)/(m-1) times that, which is all that
 * these losses can move. Any other loss, and clipped totals of a linear margin, move farther:
 * dppair_sampling_far_, which is 1 for owned <= 2 and at most 1.24.
 * The relation is REPLACE_PERSON: a null that is drawn or not leaves batches of different sizes, so
 * that a zeroed person is no case of its own. n - owned >= m >= 2: a person's records are exchanged
 * for those of others. Errors: also those of the sampling; NO_PROOF: another kind, or n - owned <
 * m.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_users_batch(
    double *sensitivity, const dppair_pair_unit *pair, const dppair_sampling *records) {
  const dppair_sampling *s = records;
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  double value;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_PERSONS_);
  if (status == DPPAIR_OK && s->owned < 1) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_sampling_owned_(s);
  if (status != DPPAIR_OK) return status;
  value = dppair_pair_move_(pair);
  if (pair->levels != DPPAIR_LEVELS_TWO) value *= dppair_sampling_far_(s);
  if (pair->levels == DPPAIR_LEVELS_GENERAL && 2.0 * pair->unit < value) value = 2.0 * pair->unit;
  return dppair_sensitivity_store_(sensitivity, value / (double)s->m);
}

/*
 * User-weighted pairs: persons a have weights w_i >= 0 on their records, of sum 1 at most for each
 * person, and F = sum over persons a != b of sum over i of a, j of b of w_i w_j l(z_i, z_j), pairs
 * inside a person left out. How many records a person has and which labels they bear is private and
 * may change. `persons` is a sampling whose n, m, q count persons:
 *
 *   ALL                        F/(U (U-1)), U = n: D/U replaced, c/U zeroed
 *   WITHOUT, WITH_REPLACEMENT  of the m persons drawn over m (m-1): D/m, REPLACE_PERSON only
 *   POISSON, ALLOCATION        of the batch B over mbar (|B|-1), mbar = m or n group/batches:
 * c/mbar for two levels, min(u, 3C/2)/mbar for a linear margin, else 3c/(2 mbar), under both
 * relations: when a person joins
 *
 * c = min(u, C); D = min(u, 2C) for two levels, else 2c. This is `sensitivity` for
 * dppair_accountant_sampled_gaussian (ALL: _gaussian). Attained.
 * block = B: with c at most B and D at most 2B; drawn at random (Poisson) at most 3B/2.
 * classes: weights that sum to 1 over a person's positives and to 1 over his negatives. Two levels
 * only, c and D are twice as large, and 3c/(2 mbar). A pair of persons has two sums over classes.
 *
 * Proof. With the partner b fixed, the block of a and b, sum of w_i w_j times a total, is a convex
 * combination of points of the sets in which totals with one partner lie (and of 0): so it is at
 * most c, and moves by at most D. U - 1 partners. A block clipped to B stays in that set and in the
 * ball. Batches: a person joins b others; f is the sum of his blocks, S that of the others, and the
 * move is [f/b - S/(b (b-1))]/mbar, |f| <= b c and |S| <= b (b-1) c/2. It is convex in each
 * person's weights, hence largest where each has one record: dppair_sensitivity_minibatch_rank_ has
 * the rest.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_user_weighted(
    double *sensitivity, const dppair_pair_unit *pair, const dppair_sampling *persons) {
  const dppair_sampling *s = persons;
  dppair_status status = dppair_pair_check_(sensitivity, pair, 1);
  const double sums = pair != NULL && pair->classes ? 2.0 : 1.0;
  double norm, move, joined;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (s->owned != 0) return DPPAIR_ERR_UNREAD; /* persons are drawn */
  if (s->n < 2 || (s->m == 1 && s->kind != DPPAIR_POISSON)) return DPPAIR_ERR_SIZE;
  if (pair->classes && pair->levels != DPPAIR_LEVELS_TWO) return DPPAIR_ERR_NO_PROOF;
  norm = sums * dppair_pair_norm_(pair);
  move = sums * dppair_pair_move_(pair);
  joined = pair->levels == DPPAIR_LEVELS_TWO && !pair->classes ? norm : 1.5 * norm;
  if (pair->levels == DPPAIR_LEVELS_GENERAL && pair->unit < joined) joined = pair->unit;
  if (pair->block > 0.0) {
    if (pair->block < norm) norm = pair->block;
    if (2.0 * pair->block < move) move = 2.0 * pair->block;
    if (1.5 * pair->block < joined) joined = 1.5 * pair->block;
  }
  switch (s->kind) {
  case DPPAIR_ALL:
    if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) move = norm;
    break;
  case DPPAIR_WITHOUT_REPLACEMENT:
  case DPPAIR_WITH_REPLACEMENT:
    if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) return DPPAIR_ERR_ADJACENCY;
    break;
  case DPPAIR_POISSON:
  case DPPAIR_ALLOCATION:
    move = joined;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, move / dppair_sampling_expected_(s));
}

/* How the list of items came about. */
typedef enum dppair_owner_list {
  DPPAIR_LIST_PUBLIC = 1, /* items, owners and weights are public, or fixed before the data */
  DPPAIR_LIST_PRIVATE = 2,
  DPPAIR_LIST_GREEDY = 3 /* items were let in while their owners had room */
} dppair_owner_list;

/*
 * Items (pairs, triples, groups) with several owners each: the sum over items e of w_e times a
 * vector of norm <= clip, where no person's items have weights of more than `load` together
 * (dppair_owner_load): clip load when a person is zeroed, his items contributing 0; 2 clip load
 * when his data are replaced.
 * The list must be public. NO_PROOF for the others: a person with d partners, each of whom shares
 * one more item with an outsider, has load 1, but without him the weights of those d items rise
 * from 1/2 to 1; and where items are let in one by one, one of them that is gone makes room for
 * another, and so on along a path that may run through all of them.
 * Items of the list drawn independently with a public rate, each weight 1, are charged as Poisson
 * pairs of n = 1 + the largest number of items of one person, clip over the noise of the sum.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_owners(double *sensitivity,
                                                                     double clip, double load,
                                                                     dppair_owner_list list,
                                                                     dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, load, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_PERSONS_);
  if (status != DPPAIR_OK) return status;
  if (list != DPPAIR_LIST_PUBLIC) return DPPAIR_ERR_NO_PROOF;
  return dppair_sensitivity_store_(
      sensitivity,
      clip * load * (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0));
}

/* x + y >= 0, exact where it can be, else rounded up. */
DPPAIR_FN_ double dppair_plus_up_(double x, double y) {
  const double sum = x + y, part = sum - x;
  return (x - (sum - part)) + (y - part) > 0.0 ? dppair_up_(sum) : sum;
}

/* *most = the largest load; sum: of each person, 0 before. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_owner_sums_(double *most, double *sum,
                                                              size_t persons, const size_t *owner,
                                                              const size_t *first,
                                                              const double *weight, size_t items) {
  size_t e, i;
  if (first[0] != 0) return DPPAIR_ERR_SIZE;
  for (e = 0; e < items; e++) {
    const double w = weight == NULL ? 1.0 : weight[e];
    if (!dppair_isfinite_f64(w)) return DPPAIR_ERR_NOT_FINITE;
    if (w < 0.0) return DPPAIR_ERR_DOMAIN;
    if (first[e + 1] < first[e]) return DPPAIR_ERR_SIZE;
    for (i = first[e]; i < first[e + 1]; i++) {
      if (owner[i] >= persons) return DPPAIR_ERR_SIZE;
      sum[owner[i]] = dppair_plus_up_(sum[owner[i]], w);
      if (sum[owner[i]] > *most) *most = sum[owner[i]];
    }
  }
  return dppair_isfinite_f64(*most) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/*
 * *load = the largest sum of weight[e] (NULL: 1 each) over the items of one of `persons` persons,
 * rounded up. The owners of item e are owner[first[e]] to owner[first[e + 1] - 1], below `persons`;
 * first has items + 1 places and begins with 0. sum: room for `persons` doubles, which hold the
 * loads of all afterwards, 0 after an error. Errors: NULL; ENVIRONMENT; NOT_FINITE, DOMAIN: a
 * weight; SIZE: an owner, or places out of order; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_owner_load(double *load, double *sum,
                                                             size_t persons, const size_t *owner,
                                                             const size_t *first,
                                                             const double *weight, size_t items) {
  double most = 0.0;
  size_t i;
  dppair_status status;
  if (load == NULL) return DPPAIR_ERR_NULL;
  *load = 0.0;
  status = dppair_array_(sum, persons);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < persons; i++) sum[i] = 0.0;
  if (sum == NULL || owner == NULL || first == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  status = dppair_owner_sums_(&most, sum, persons, owner, first, weight, items);
  if (status == DPPAIR_OK)
    *load = most;
  else
    for (i = 0; i < persons; i++) sum[i] = 0.0;
  return status;
}

/* ---- src/accountant/batches.h ---------------------------------------------------------------
 * Sensitivities of the pairs of a batch, from what is known of one pair
 *
 * What NAME_sensitivity says of a gradient as it is computed, for sums of one's own: ranking losses
 * move a batch by less than the clip of a pair alone says. Relies on owners.h, whose errors these
 * functions have.
 * ---------------------------------------------------------------------------------------------- */

/*
 * All pairs of the records of a step, divided by dppair_normaliser (a matching: its pairs). With c
 * the norm of a pair's total and D its move (dppair_pair_unit):
 *
 *   ALL                        D/n replaced, c/n zeroed
 *   WITHOUT, WITH_REPLACEMENT  D/m, REPLACE_ONE only
 *   MATCHING                   2 D/m, pairs only
 *   POISSON, ALLOCATION        c/mbar for two levels, min(u, 3C/2)/mbar for a linear margin, else
 *                              3c/(2 mbar), under both relations: when a record joins
 *
 * mbar records are expected, m or n group/batches. It is what the noise multiplier of the step
 * divides. Records are persons who own one: dppair_sensitivity_user_weighted has the proof. A
 * matched record has one partner, and m/2 pairs are averaged. `sampling` is one of records, n and
 * m given (not q alone).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_batch(
    double *sensitivity, const dppair_pair_unit *pair, const dppair_sampling *sampling) {
  dppair_sampling s;
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  if (status != DPPAIR_OK) return status;
  if (sampling == NULL) return DPPAIR_ERR_NULL;
  s = *sampling;
  status = dppair_sampling_check_(&s);
  if (status == DPPAIR_OK) status = dppair_adjacency_records_(s.adjacency);
  if (status != DPPAIR_OK) return status;
  if (s.n < 2) return DPPAIR_ERR_SIZE;
  if (s.kind == DPPAIR_MATCHING) {
    if (dppair_sampling_group_(&s) != 2) return DPPAIR_ERR_NO_PROOF;
    if (s.adjacency != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
    return dppair_sensitivity_store_(sensitivity, 2.0 * dppair_pair_move_(pair) / (double)s.m);
  }
  s.adjacency = (dppair_adjacency)((int)s.adjacency | DPPAIR_OF_PERSONS_);
  return dppair_sensitivity_user_weighted(sensitivity, pair, &s);
}

/*
 * A batch of a size that is random (POISSON, ALLOCATION), its records put into pairs at random, one
 * that is over left single: the sum of the pairs' totals over `divisor` > 0, a public constant,
 * moves by D/divisor when a record joins. Not by c: in a batch of even size the new record's
 * partner has left another one single, so that one pair is exchanged. (Couple the uniform matchings
 * of both batches that way; of odd size the new record joins the single one, which adds a pair.) It
 * is what the noise multiplier of a step of DPPAIR_SAMPLED_GAUSSIAN divides, under both relations.
 * A plain sum over all pairs of such a batch has no bound: it moves by more the larger the batch
 * is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_matched(double *sensitivity,
                                                                      const dppair_pair_unit *pair,
                                                                      dppair_sampling_kind kind,
                                                                      double divisor) {
  const dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(divisor)) return DPPAIR_ERR_NOT_FINITE;
  if (!(divisor > 0.0) || !dppair_ordinary_(divisor)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_sampling_is_random_(kind)) return DPPAIR_ERR_NO_PROOF;
  return dppair_sensitivity_store_(sensitivity, dppair_pair_move_(pair) / divisor);
}

/* ---- src/accountant/groups.h ----------------------------------------------------------------
 * Sensitivities of groups: pairs inside queries, groups of g records, softmax over a batch
 *
 * Conventions, ranges and errors are those of owners.h, which this chapter relies on.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Queries with m_q records each, whose pairs are inside one query. The statistic is sum_q w_q times
 * the sum over the ordered pairs of q, or the mean over the queries of h_q = (pair sum)/(m_q
 * (m_q - 1)), which is 0 for m_q <= 1. The number of queries and all that stands here is public.
 */
typedef struct dppair_queries {
  size_t count;
  const size_t *size;    /* m_q; NULL: private, and the statistic is the mean of the h_q */
  const double *weight;  /* w_q >= 0; NULL: the mean of the h_q. Public, like the sizes */
  const size_t *records; /* where persons are protected: at most so many of one person's in q */
  double clip;           /* of a mean: each h_q is clipped to this norm; 0: not */
  int moving; /* 1: a replaced record may be in another query, so that sizes are private */
} dppair_queries;

/* Which rows of dppair_sensitivity_queries's table are asked for, and is there one? */
DPPAIR_FN_ dppair_status dppair_queries_check_(const dppair_queries *q, int unit) {
  if (!dppair_isfinite_f64(q->clip)) return DPPAIR_ERR_NOT_FINITE;
  if (q->clip < 0.0 || !dppair_ordinary_(q->clip) || (q->moving != 0 && q->moving != 1))
    return DPPAIR_ERR_DOMAIN;
  if (q->count < 1) return DPPAIR_ERR_SIZE;
  if (unit != DPPAIR_OF_PERSONS_ && q->records != NULL) return DPPAIR_ERR_UNREAD;
  if (unit != DPPAIR_OF_RECORDS_ && q->moving) return DPPAIR_ERR_UNREAD;
  if (q->size == NULL)
    return q->weight == NULL && unit != DPPAIR_OF_PERSONS_ &&
                   (unit == DPPAIR_OF_QUERIES_ || q->moving)
               ? DPPAIR_OK
               : DPPAIR_ERR_NO_PROOF;
  if (unit == DPPAIR_OF_PERSONS_ && q->records == NULL) return DPPAIR_ERR_NULL;
  return q->moving || (q->weight != NULL && q->clip > 0.0) ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/* How far one query moves the statistic, `most` of whose m >= 2 records are replaced or zeroed. */
DPPAIR_FN_ double dppair_query_move_(const dppair_pair_unit *pair, const dppair_queries *q,
                                     size_t i, size_t most, int replaced) {
  const double m = (double)q->size[i];
  double move = dppair_owned_pairs_(pair, q->size[i], most, replaced), limit;
  if (q->weight != NULL) return move * q->weight[i];
  move = move / m / (m - 1.0);
  limit = !replaced && most == q->size[i] ? q->clip : 2.0 * q->clip;
  if (q->clip > 0.0 && limit < move) move = limit;
  return move / (double)q->count;
}

/*
 * How far the statistic moves, by what is protected. c = min(C, u) is the norm of a total, P(m, k)
 * what k of m records move the sum over their pairs (dppair_owned_pairs_: for two levels, replaced,
 * u T(m, k), else at most twice the sum of the totals that they touch).
 *
 *   record        stays in its query; sizes public       max w_q P(m_q, 1): with means, two
 *                                                         levels, u/(count min m_q)
 *   record        may change its query, sizes private    replaced min(4 clip, 4c/3)/count
 *                                                         zeroed half of it
 *   person        sizes public, records[q] in query q    sum w_q P(m_q, records[q])
 *   query         sizes public                           max w_q P(m_q, m_q)
 *   query         sizes private                          replaced min(2 clip, c)/count, zeroed half
 *
 * With public sizes each query's part is at most 2 clip/count too (clip/count where all of it is
 * zeroed). All else is NO_PROOF: private sizes with weights of one's own; a person and private
 * sizes; a record that stays in a query of private size; clipped h_q that are not averaged.
 *
 * Proof. Pairs touch one query each, and the queries' directions can agree. |h_q| <= c/2, as a
 * query has m (m-1)/2 totals; attained at m = 2. A record that leaves a query of m moves h_q by
 * (2/m) (M - a), M the mean total over 2 of the m - 1 others and a that of the record with them,
 * |M| and |a| halved: at most c/2 for m = 2 and 2c/3 for m >= 3 (attained, without structure); so
 * does a null that stays. One that changes its query moves two of them. Clipping is 1-Lipschitz.
 *
 * Queries that are drawn: `count` is the number of queries in a batch (a constant), and the law is
 * that of records, with the queries for them: without replacement the value for replacing, Poisson
 * that for zeroing. SIZE also: no query has a pair, or more records than it has.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_queries(double *sensitivity,
                                                                      const dppair_pair_unit *pair,
                                                                      const dppair_queries *queries,
                                                                      dppair_adjacency adjacency) {
  dppair_status status = dppair_pair_check_(sensitivity, pair, 0);
  const int unit = dppair_adjacency_unit_(adjacency);
  const int replaced = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE;
  const dppair_queries *q = queries;
  double most = 0.0, sum = 0.0;
  size_t i, paired = 0;
  if (status == DPPAIR_OK) status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  if (q == NULL) return DPPAIR_ERR_NULL;
  status = dppair_queries_check_(q, unit);
  if (status != DPPAIR_OK) return status;
  if (q->size == NULL) {
    most = (q->moving ? 2.0 / 3.0 : 0.5) * dppair_pair_norm_(pair);
    sum = q->moving ? 2.0 * q->clip : q->clip;
    if (q->clip > 0.0 && sum < most) most = sum;
    return dppair_sensitivity_store_(sensitivity,
                                     (replaced ? 2.0 * most : most) / (double)q->count);
  }
  for (i = 0; i < q->count; i++) {
    const size_t m = q->size[i];
    const size_t k = unit == DPPAIR_OF_PERSONS_ ? q->records[i] : 1;
    double move;
    if (k > m && unit == DPPAIR_OF_PERSONS_) return DPPAIR_ERR_SIZE;
    if (q->weight != NULL) {
      if (!dppair_isfinite_f64(q->weight[i])) return DPPAIR_ERR_NOT_FINITE;
      if (q->weight[i] < 0.0 || !dppair_ordinary_(q->weight[i])) return DPPAIR_ERR_DOMAIN;
    }
    if (m < 2 || k == 0) continue;
    move = dppair_query_move_(pair, q, i, unit == DPPAIR_OF_QUERIES_ ? m : k, replaced);
    if (move > most) most = move;
    sum = dppair_plus_up_(sum, move);
    paired++;
  }
  if (paired == 0) return DPPAIR_ERR_SIZE;
  return dppair_sensitivity_store_(sensitivity,
                                   (unit == DPPAIR_OF_PERSONS_ ? sum : most) * (1.0 + 1e-15));
}

/*
 * Groups of g records (contrastive losses, triplets, quadruplets), each group's vector any function
 * of its records, clipped to `clip` = C: what the noise multiplier of such a step divides, as
 * `sensitivity` of the function named. The relation is about records.
 *
 *   MATCHING          m of n records without replacement, put at random into m/g groups; the mean
 *                     over the groups: 2 C g/m, _sampled_gaussian, whose rate is m/n. All records
 *                     in groups (m = n): the same without amplification, and C g/n under ZERO_OUT
 *                     if dropped
 *   WITH_REPLACEMENT  m groups, each a uniform subset of g = group of n records (0: pairs),
 *                     independent of the others; their sum: C, _sampled_pairs, which counts 2C for
 *                     each of K ~ Bin(m, g/n) hits
 *   POISSON           the groups of a public partition, n of them, each with a coin of rate q, or
 *                     m/n; their sum: C, _sampled_gaussian (replaced: +C against -C; ZERO_OUT only
 *                     if dropped)
 *
 * dropped: groups that hold a null record contribute nothing; where they are pairs the nulls see to
 * that. A group whose member becomes null still has a vector of norm C otherwise, and moves by 2C.
 * Under sampling without replacement zeroing moves 2C/b even if dropped: "not drawn" (-C, a fresh
 * record) and "drawn" (+C) are that far apart.
 * Errors: also those of the sampling; SIZE: m or n missing; ADJACENCY: ZERO_OUT where it is not
 * covered; NO_PROOF: another kind.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_groups(
    double *sensitivity, double clip, const dppair_sampling *sampling, int dropped) {
  const dppair_sampling *s = sampling;
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, 0.0, 0.0);
  int zeroed;
  if (status != DPPAIR_OK) return status;
  if (s == NULL) return DPPAIR_ERR_NULL;
  if (dropped != 0 && dropped != 1) return DPPAIR_ERR_DOMAIN;
  status = dppair_sampling_check_(s);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(s->adjacency, DPPAIR_OF_RECORDS_);
  if (status != DPPAIR_OK) return status;
  zeroed = dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT;
  switch (s->kind) {
  case DPPAIR_MATCHING:
    if (s->m == 0) return DPPAIR_ERR_SIZE;
    clip *= zeroed && dropped && s->m == s->n ? 1.0 : 2.0;
    clip = clip * (double)dppair_sampling_group_(s) / (double)s->m;
    break;
  case DPPAIR_WITH_REPLACEMENT:
    break;
  case DPPAIR_POISSON:
    if (zeroed && !dropped) return DPPAIR_ERR_ADJACENCY;
    break;
  default:
    return DPPAIR_ERR_NO_PROOF;
  }
  return dppair_sensitivity_store_(sensitivity, clip);
}

/*
 * The SUM over b anchors i of the gradient of -S_ii + log sum_j e^{S_ij}, similarities S_ij in
 * [-1/temperature, 1/temperature], the gradient of each S_ij of norm <= clip = B. One record is
 * anchor i and its partner, row i and column i. With t = e^{2/temperature}:
 *   REPLACE_ONE  B (4 (1 - low) + 2 (b-1) high), low = 1/(1 + (b-1) t), high = 1/(1 + (b-1)/t)
 *   ZERO_OUT     B (2 (1 - low) + 2 (b-1) high): row and column leave a batch of b
 * batch = 0: for batches of any size, B (4 + 2t) and B (2 + 2t). It grows with b, so that a batch
 * of at most `batch` is covered. Useful for temperatures of order 1; else clip groups.
 * Proof. Row a has coefficients P_aj - [j = a], of absolute sum 2 (1 - P_aa) <= 2 (1 - low), before
 * and after. In another row i the vector is p G_ia + (1-p) M - G_ii, p = P_ia <= high, M the mean
 * over j != a, which does not depend on record a: it moves by p B + p' B + |p - p'| B <= 2 high B,
 * or by 2 p B when column a leaves. Attained.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_softmax(double *sensitivity,
                                                                      double clip,
                                                                      double temperature,
                                                                      size_t batch,
                                                                      dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, temperature, 0.0);
  const double others = batch > 0 ? (double)(batch - 1) : HUGE_VAL;
  double least, own, column;
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_RECORDS_);
  if (status != DPPAIR_OK) return status;
  if (!(temperature > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (batch == 1) return DPPAIR_ERR_SIZE; /* nothing to tell apart: the gradient is 0 */
  /* rounded down: exp is within 2 ulp, of an argument within one ulp of its own */
  least = temperature > 2.7e-3 ? dppair_exp_(-2.0 / temperature) : 0.0;
  least *= 1.0 - (2.0 / temperature < 750.0 ? 2.0 / temperature + 4.0 : 0.0) * 2.3e-16;
  own = batch > 0 ? others / (others + least) : 1.0;
  column = batch > 0 ? others / (1.0 + others * least) : (least > 0.0 ? 1.0 / least : HUGE_VAL);
  if (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE) own *= 2.0;
  return dppair_sensitivity_store_(sensitivity, 2.0 * clip * (own + column));
}

/* ---- src/accountant/streams.h ---------------------------------------------------------------
 * Sensitivities of streams: one pass, each record against a buffer of earlier ones
 *
 * At step t record t meets a buffer B_t of b_t earlier records (dppair_stream), and
 *
 *     g_t = (1/b_t) sum over j in B_t of the pair's total, 0 if b_t = 0.
 *
 * What w the totals are taken at may depend on all releases before. Replacing record i moves g_i by
 * at most m, and g_t by at most m/b_t at the steps t > i at which i is in the buffer: v_i = m (0 ..
 * 0, 1, 1/b, 1/b, ..), m the move of a total (owners.h). With noise sigma on (C g)_1, (C g)_2, ..,
 * C lower triangular with entries >= 0, all releases together are one Gaussian release with
 * sensitivity max over i of ||C v_i||, adaptively too: the shift of (C g)_r given what was released
 * is at most (C v_i)_r long, and mixtures of shifted Gaussians are no worse than the largest
 * shifts. Nothing is gained by sampling, and a record may arrive once.
 *
 * Buffers of the last b records with silent = b steps are the cheapest: m sqrt(1 + 1/b). What is
 * computed: a step's gradient that may be off by e is covered by a unit that is larger by 2 e b, b
 * the longest buffer. Relies on owners.h and core/stream.h.
 * ---------------------------------------------------------------------------------------------- */

/* Checks the arguments; *move: of a total, *norm: the longest of them, and of a step's gradient. */
DPPAIR_FN_ dppair_status dppair_stream_move_(double *out, double *move, double *norm,
                                             const dppair_pair_unit *pair,
                                             const dppair_stream *stream) {
  dppair_status status = dppair_pair_check_(out, pair, 0);
  *move = *norm = 0.0;
  if (status == DPPAIR_OK) status = dppair_stream_check_(stream);
  if (status != DPPAIR_OK) return status;
  *norm = dppair_pair_norm_(pair);
  *move = stream->adjacency == DPPAIR_REPLACE_ONE ? dppair_pair_move_(pair) : *norm;
  return DPPAIR_OK;
}

/* The record that moves most where C is Toeplitz: the first that is released and met by others.
 * Earlier ones have the same weights at the same steps, but not the 1; later ones smaller weights,
 * and not more of them. */
DPPAIR_FN_ size_t dppair_stream_worst_(const dppair_stream *s) {
  return s->silent > 1 ? s->silent + 1 : 2;
}

/* How many steps record i is in the buffer at; and its weight at step t > i. */
DPPAIR_FN_ size_t dppair_stream_stays_(const dppair_stream *s, size_t i) {
  return s->buffer < s->steps - i ? s->buffer : s->steps - i;
}
DPPAIR_FN_ double dppair_stream_weight_(const dppair_stream *s, size_t t) {
  return 1.0 / (double)(t - 1 < s->buffer ? t - 1 : s->buffer);
}

/* The sum of squared weights of the worst record, rounded up within 1e-6. */
DPPAIR_FN_ double dppair_stream_squares_(const dppair_stream *s) {
  const size_t i = dppair_stream_worst_(s), end = i + dppair_stream_stays_(s, i);
  const size_t cut = end - i > 1048576 ? i + 1048576 : end;
  double sum = 0.0;
  size_t t;
  for (t = i; t < cut; t++) {
    const double weight = dppair_stream_weight_(s, t + 1);
    sum += weight * weight;
  }
  if (end > cut) { /* 1/k^2 < 1/(k-1) - 1/k; in a full buffer all weights are equal */
    sum += 1.0 / (double)(cut - 1);
    if (s->buffer < SIZE_MAX) sum += (double)(end - cut) / ((double)s->buffer * (double)s->buffer);
  }
  return 1.0 + sum * (1.0 + 1e-9);
}

/*
 * *sensitivity of all releases of a stream together, independent noise on each: m times
 *
 *     all earlier records   sqrt(sum of 1/k^2) < 1.2826, although a record is met up to T times
 *     the last b            sqrt(sum over k <= b of 1/k^2 + 1/b^2); after b silent steps
 *                           sqrt(1 + 1/b)
 *     reservoir             sqrt(max over i of (1 if i > silent) + residence_i/b^2)
 *
 * A reservoir has silent >= buffer = b places; slot[i] is the place that record i (from 0) takes
 * after its step, b or more: none. slot[i] = i for i < b. The places are drawn before the first
 * step, independently of the records, and released or not; the residences are those drawn. slot
 * NULL: the last b records. Attained (but for the reservoir's first records).
 * Errors: those of dppair_sensitivity_users; SIZE, DOMAIN, ADJACENCY of the stream; NO_PROOF: noise
 * that is not independent, and a reservoir that releases before it is full; DOMAIN: slots.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_buffer(double *sensitivity,
                                                                     const dppair_pair_unit *pair,
                                                                     const dppair_stream *stream,
                                                                     const size_t *slot) {
  double move, norm, most = 0.0, side;
  size_t i, t, left;
  dppair_status status = dppair_stream_move_(sensitivity, &move, &norm, pair, stream);
  if (status != DPPAIR_OK) return status;
  if (stream->noise != DPPAIR_PREFIX_INDEPENDENT) return DPPAIR_ERR_NO_PROOF;
  if (slot == NULL)
    return dppair_sensitivity_store_(sensitivity,
                                     move * dppair_sqrt_(dppair_stream_squares_(stream)));
  if (stream->buffer > stream->silent) return DPPAIR_ERR_NO_PROOF;
  for (i = 0; i < stream->buffer; i++)
    if (slot[i] != i) return DPPAIR_ERR_DOMAIN;
  side = (double)stream->buffer;
  for (i = 0; i < stream->steps; i++) {
    double sum = i >= stream->silent ? 1.0 : 0.0;
    for (t = i + 1; slot[i] < stream->buffer && t < stream->steps; t++)
      if (slot[t] == slot[i]) break;
    if (t == stream->steps) t--; /* the step at which it is replaced still meets it */
    left = i + 1 > stream->silent ? i + 1 : stream->silent;
    if (slot[i] < stream->buffer && t >= left) sum += (double)(t - left + 1) / (side * side);
    if (sum > most) most = sum;
  }
  return dppair_sensitivity_store_(sensitivity, move * dppair_sqrt_(most * (1.0 + 1e-15)));
}

/* Numbers in the workspace of dppair_sensitivity_prefix. */
DPPAIR_FN_ size_t dppair_prefix_numbers_(const dppair_stream *s) {
  const size_t releases = s->steps - s->silent;
  if (s->noise == DPPAIR_PREFIX_INDEPENDENT) return 0;
  if (releases > SIZE_MAX / 64) return SIZE_MAX;
  return s->noise == DPPAIR_PREFIX_TREE ? releases + 1 : 3 * releases;
}

/* *bytes = the workspace of dppair_sensitivity_prefix: 24 a step for the square root, 8 for the
 * tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_prefix_workspace(size_t *bytes, const dppair_stream *stream) {
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_stream_check_(stream);
  return status == DPPAIR_OK ? dppair_work_bytes_(bytes, dppair_prefix_numbers_(stream)) : status;
}

/*
 * ||C v||, v the weights of the worst record, C the square root: the k-th entry is the sum of
 * v_j f_(k-j). Weights that fall are replaced by the largest of a run of them that is 1/256 of its
 * place long, whose sum of f is a difference of sums of f: rounded up, within 1/512 of what such
 * weights add. f, sums, h: room for as many numbers as there are releases.
 */
DPPAIR_FN_ double dppair_prefix_root_(const dppair_stream *s, double *f, double *sums, double *h) {
  const size_t i = dppair_stream_worst_(s), n = s->steps - i + 1;
  const size_t stays = dppair_stream_stays_(s, i);
  double square = 0.0;
  size_t k, a, b;
  dppair_square_root_(f, n);
  for (k = 0; k < n; k++) {
    sums[k] = (k > 0 ? sums[k - 1] : 0.0) + f[k];
    h[k] = f[k];
  }
  for (a = 1; a <= stays; a = b) { /* record i is met at step i + a with weight 1/(i + a - 1) */
    const double weight = dppair_stream_weight_(s, i + a);
    const size_t run = i + a - 1 < s->buffer ? 1 + (i + a - 1) / 256 : stays;
    b = run < stays + 1 - a ? a + run : stays + 1;
    for (k = a; k < n; k++) {
      const double error = 4.0 * DBL_EPSILON * (double)(k + 2) * sums[k - a];
      if (b == a + 1)
        h[k] += weight * f[k - a];
      else
        h[k] += weight * (sums[k - a] - (k >= b ? sums[k - b] : 0.0) + error);
    }
  }
  for (k = 0; k < n; k++) square += h[k] * h[k];
  return dppair_sqrt_(square) * (1.0 + 4.0 * DBL_EPSILON * ((double)n + 2048.0));
}

/* Adds `weight` to the blocks that hold position r; returns by how much the sum of all squares
 * grows. */
DPPAIR_FN_ double dppair_tree_add_(double *x, size_t n, size_t r, double weight) {
  double grows = 0.0;
  for (; r <= n; r += dppair_tree_block_(r)) {
    grows += weight * (2.0 * x[r] + weight);
    x[r] += weight;
  }
  return grows;
}

/*
 * The largest ||C v_i||, C the blocks of the tree: with x_r the sum over block r of i's weights in
 * the buffer, its own weight 1 adds 2 x_r + 1 to the square for each block that holds it. From
 * record to record a weight leaves and one comes. Records before the worst one of a Toeplitz matrix
 * are below it here, too; all others are tried. Every number of a block of length b is rounded at
 * most 2b times, and blocks of one length add up to n: 16 n (levels + 2)^2 units of the square of
 * the sum of weights bound all errors.
 */
DPPAIR_FN_ double dppair_prefix_tree_(const dppair_stream *s, double *x) {
  const size_t n = s->steps - s->silent, first = dppair_stream_worst_(s);
  const size_t last = first + dppair_stream_stays_(s, first);
  double square = 0.0, most = 0.0, weights = 1.0, levels = 1.0;
  size_t i, t, r;
  for (r = 0; r <= n; r++) x[r] = 0.0;
  for (r = n; r > 1; r >>= 1) levels += 1.0;
  for (t = first + 1; t <= last; t++) {
    const double weight = dppair_stream_weight_(s, t);
    square += dppair_tree_add_(x, n, t - s->silent, weight);
    weights += weight;
  }
  for (i = first;; i++) {
    double own = 0.0;
    for (r = i - s->silent; r <= n; r += dppair_tree_block_(r)) own += 2.0 * x[r] + 1.0;
    if (square + own > most) most = square + own;
    if (i == s->steps) break;
    square += dppair_tree_add_(x, n, i + 1 - s->silent, -dppair_stream_weight_(s, i + 1));
    if (s->buffer < s->steps - i) {
      t = i + 1 + s->buffer;
      square += dppair_tree_add_(x, n, t - s->silent, dppair_stream_weight_(s, t));
    }
  }
  levels += 2.0;
  return dppair_sqrt_(most + 16.0 * DBL_EPSILON * (double)n * levels * levels * weights * weights);
}

/*
 * *sensitivity of all that dppair_prefix_step releases of a stream, rounding of its sums included:
 * the account is charged dppair_accountant_gaussian(account, sensitivity, sigma, 1) once, and every
 * prefix sum, with all that is computed from them, is covered. Buffers of the last records.
 * The largest deviation of a prefix sum is then, for m = 1 and mu = 1:
 *
 *     T, buffer                     independent   tree    square root
 *     1024, all                     41.0          48.3    15.5
 *     8192, all                     116           78.4    23.4
 *     8192, the last 64, 64 silent  90.9          20.8    6.57
 *
 * Time: T log2 T for the tree; for the square root T times the length of a run of weights, which is
 * 1 for a full buffer and 256 log T for one of all records. Errors: those of
 * dppair_sensitivity_buffer, NULL and WORKSPACE of the workspace, OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_prefix(double *sensitivity,
                                                                     const dppair_pair_unit *pair,
                                                                     const dppair_stream *stream,
                                                                     void *work, size_t bytes) {
  double move, norm, n, found, levels = 2.0, *numbers;
  size_t rest;
  dppair_status status = dppair_stream_move_(sensitivity, &move, &norm, pair, stream);
  if (status != DPPAIR_OK) return status;
  if (stream->noise == DPPAIR_PREFIX_INDEPENDENT)
    return dppair_sensitivity_buffer(sensitivity, pair, stream, NULL);
  status = dppair_work_(&numbers, dppair_prefix_numbers_(stream), work, bytes);
  if (status != DPPAIR_OK) return status;
  rest = stream->steps - stream->silent;
  n = (double)rest;
  if (stream->noise == DPPAIR_PREFIX_TREE) {
    found = move * dppair_prefix_tree_(stream, numbers);
    for (; rest > 1; rest >>= 1) levels += 1.0;
    /* a block of b gradients is off by levels^2 units of b; the squares of all b add up to n^2 */
    found += 2.0 * DBL_EPSILON * levels * levels * n * norm;
  } else {
    found = move * dppair_prefix_root_(stream, numbers, numbers + rest, numbers + 2 * rest);
    /* a sum of r products is off by r + 2 units of the sum of f, below 2 sqrt(r) */
    found += 4.0 * DBL_EPSILON * n * (n + 2.0) * norm;
  }
  return dppair_sensitivity_store_(sensitivity, found);
}

/* ---- src/accountant/descents.h --------------------------------------------------------------
 * Output perturbation: the sensitivity of what gradient descent returns
 *
 * `move` is the sensitivity of the mean gradient of the data part (dppair_sensitivity_pair_mean,
 * _rank, _metric); smoothness and alpha are those of the FULL objective with its regulariser. Pairs
 * may be clipped where the margin is linear in the parameters: the clip then limits the slope of a
 * convex function of the margin, and leaves a smooth one smooth. Elsewhere clipped gradients belong
 * to no convex objective, and nothing here holds. Relies on sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/* 2 - eta (a + b), rounded down: at least -3 DBL_EPSILON if eta is 2/(a + b) as computed. */
DPPAIR_FN_ double dppair_step_gap_(double eta, double a, double b) {
  const double product = eta * (a + b);
  return (2.0 - product) - 1.5 * DBL_EPSILON * product;
}

/* The sum of `terms` powers 1 + r + r^2 + .. with r = 1 - gap, or r = 0 where the gap exceeds 1. r
 * can exceed 1 by rounding. */
DPPAIR_FN_ double dppair_geometric_(double gap, double terms) {
  double power;
  if (terms <= 0.0) return 0.0;
  if (gap >= 1.0) return 1.0;
  power = terms * dppair_log1p_(-gap);
  if (!(gap > 0.0 || gap < 0.0)) return terms;
  return -dppair_expm1_(power) / gap * (power > 0.0 ? 1.0 + 4.0 * DBL_EPSILON * power : 1.0);
}

/* The factor by which rates that exceed 1 by rounding can enlarge a sum over `steps` steps. */
DPPAIR_FN_ double dppair_growth_(double eta, double a, double b, size_t steps) {
  const double gap = dppair_step_gap_(eta, a, b);
  return gap < 0.0 ? dppair_exp_(-gap * (double)steps) * (1.0 + 1e-15) : 1.0;
}

/*
 * Last iterate of projected gradient descent, T = `steps` steps of size eta from a public start in
 * a convex set, objective alpha-strongly convex (alpha = 0: convex) and smooth: move eta (1 -
 * r^T)/(1 - r), r = max(|1 - eta alpha|, |1 - eta smoothness|), which is move (1 - (1 - eta
 * alpha)^T)/alpha for eta <= 2/(smoothness + alpha), and move eta T for alpha = 0. Proof: the
 * gradient map is r-Lipschitz, the projection 1-Lipschitz, and each step adds eta move. Attained
 * (half of Xue et al. 2021, Lemma 1, with move = 4G/n). The step size is part of the proof:
 * STEP_SIZE for eta > 2/smoothness. An eta that is 2/smoothness rounded up is accepted, and the
 * bound allows for it. NO_PROOF: no finite smoothness (hinge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pgd(double *sensitivity, double move,
                                                                  double alpha, double smoothness,
                                                                  double eta, size_t steps) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, alpha, eta);
  double fast, sum;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(smoothness)) return DPPAIR_ERR_NO_PROOF;
  if (!(smoothness > 0.0) || alpha > smoothness) return DPPAIR_ERR_DOMAIN;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  /* both ends of the spectrum: 1 - eta alpha and eta smoothness - 1 */
  sum = dppair_geometric_(eta * alpha * (1.0 - DBL_EPSILON), (double)steps);
  fast = dppair_geometric_(dppair_step_gap_(eta, smoothness, 0.0), (double)steps);
  if (fast > sum) sum = fast;
  return dppair_sensitivity_store_(sensitivity, move * eta * sum * (1.0 + 1e-14));
}

/*
 * Mean of the iterates w_0 .. w_T of projected gradient descent on a convex smooth objective,
 * eta <= 2/smoothness: move eta T/2, half of the last iterate's. (For the mean of w_1 .. w_T it
 * would be move eta (T+1)/2.) For one epoch of an algorithm that works through disjoint parts of
 * the records, pass the `move` of the part's size; the epochs compose in parallel
 * (dppair_parallel_epsilon). Errors: as dppair_sensitivity_pgd.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_pgd_average(
    double *sensitivity, double move, double smoothness, double eta, size_t steps) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, eta, 0.0);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(smoothness)) return DPPAIR_ERR_NO_PROOF;
  if (!(smoothness > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  return dppair_sensitivity_store_(sensitivity, 0.5 * move * eta * (double)steps *
                                                    dppair_growth_(eta, smoothness, 0.0, steps));
}

/*
 * The minimiser over a convex set of mean pair loss + regulariser, strong convexity alpha > 0:
 * (move + 2 tolerance)/alpha, where the solver stopped with a gradient (mapping) of norm <=
 * tolerance, and the tolerance does not depend on the data. Proof, from first-order optimality and
 * strong monotonicity: alpha ||w - w'||^2 <= <g'(w') - g(w'), w' - w> <= move ||w - w'||. With move
 * = 4G/n this is 4G/(alpha n). Smoothness is not needed, so hinge is covered. For m single records,
 * kernel bound kappa and a C_L-Lipschitz loss (Nie and Wang 2017, Theorem 2), move = 2 kappa C_L/m.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_erm(double *sensitivity, double move,
                                                                  double alpha, double tolerance) {
  const dppair_status status = dppair_sensitivity_args_(sensitivity, 2, move, alpha, tolerance);
  if (status != DPPAIR_OK) return status;
  if (!(alpha > 0.0)) return DPPAIR_ERR_DOMAIN;
  return dppair_sensitivity_store_(sensitivity, (move + 2.0 * tolerance) / alpha);
}

/* ---- src/accountant/last_iterate.h ----------------------------------------------------------
 * The last iterate of noisy descent
 *
 *     w_{t+1} = Proj( w_t - eta (g_D(w_t) + N(0, sigma^2 I)) ),  t = 0 .. T-1,
 *
 * released once, at t = T, costs less than T releases where each step forgets the one before: by
 * shifted interpolation (Bok, Su and Altschuler 2024). Relies on sensitivity.h and descents.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * With c = 1 - gap a Lipschitz constant of a step, in units of sensitivity/sigma, T = `steps`:
 * without a diameter the square root of (1 - c^T)/(1 + c^T) (1 + c)/(1 - c), which is
 * (sum of c^k)^2 / sum of c^2k over k < T, grows with c and is T at c = 1.
 */
DPPAIR_FN_ double dppair_last_free_(double gap, double steps) {
  double a, x;
  if (!(gap > 0.0)) return dppair_sqrt_(steps);
  a = gap < 1.0 ? -dppair_log1p_(-gap) : HUGE_VAL;
  x = dppair_exp_(-a * steps);
  x = -dppair_expm1_(-a * steps) / (1.0 + x) * ((2.0 - gap) / gap);
  return x < steps ? dppair_sqrt_(x) : dppair_sqrt_(steps);
}

/* With the last k steps alone, from two points that are `width` steps of eta sensitivity apart:
 * what these steps spend by themselves, and what they spend on the width. Both grow with c. */
DPPAIR_FN_ double dppair_last_within_(double gap, double width, double k) {
  double a;
  if (!(gap > 0.0))
    return dppair_sqrt_(k) +
           width / dppair_sqrt_(k) * dppair_exp_(-gap * k); /* the width grows by c^k */
  a = gap < 1.0 ? -dppair_log1p_(-gap) : HUGE_VAL;
  return dppair_last_free_(gap, k) +
         width * dppair_sqrt_(gap * (2.0 - gap) / dppair_expm1_(2.0 * a * k));
}

/*
 * *mu >= the mu with which the LAST of T = `steps` iterates, alone, is a Gaussian mechanism.
 *
 *   sensitivity   of the gradient g: |g_D(w) - g_D'(w)| at every w of the set, with all that
 *                 computing a step can add (below)
 *   sigma         of the noise in each coordinate of the gradient; that of w is eta sigma
 *   smoothness    L: g_D is the gradient of an L-smooth function, regulariser included, for D and
 *                 D' alike; HUGE_VAL (hinge: none) is NO_PROOF
 *   alpha         that function's strong convexity, regulariser included; 0 needs a diameter, else
 *                 NO_PROOF: a step then forgets nothing
 *   eta           the step size, at most 2/L (STEP_SIZE)
 *   diameter      of the closed convex set that each iterate is projected on; HUGE_VAL: no set
 *
 *     c = max(|1 - eta alpha|, |1 - eta L|),  D = sensitivity/sigma,  s = eta sensitivity
 *     mu = D sqrt((1 - c^T)/(1 + c^T) (1 + c)/(1 - c)) <= D sqrt(T); never above
 *     mu = (c^k diameter + s (1 - c^k)/(1 - c)) sqrt((1 - c^2)/(1 - c^2k)) / (eta sigma)
 *
 * for every integer k in 1 .. T. The second is least at 1 - c^k = (1 - c) diameter/s, and falls or
 * grows to both sides of it: the two integers around it are compared.
 *
 * Proof. Let X be the run on D and Y_{t+1} = Proj(l phi_D(X_t) + (1 - l) phi_D'(Y_t) + Z_t) with
 * X's noise, l = l_{t+1}, l_T = 1, so that Y_T = X_T. With d_t >= |X_t - Y_t| a step gives
 * d_{t+1} = (1 - l)(c d_t + s), and Y_{t+1} is D's neighbour's step from Y_t but for a shift of
 * norm a_{t+1} <= l (c d_t + s). The shift depends on the past; mixtures of shifted Gaussians are
 * no worse than the largest shift, so Y_T against the run on D' has mu^2 = sum of a_t^2/(eta
 * sigma)^2. a_t + d_t = c d_{t-1} + s, d_0 = 0 = d_T, hence sum of c^(T-t) a_t = s (1 - c^T)/
 * (1 - c), least for a_t in proportion to c^(T-t), which keeps d_t >= 0. Started k steps before the
 * end from d = diameter: the second form. For c > 1 by rounding equal a_t will do. Attained by a
 * linear function with the regulariser alone, L = alpha.
 *
 * Rounding. What is computed before the noise may be off by e in each run: add 2 e/eta to the
 * sensitivity. What rounds afterwards (the grid of the noise, the projection), by r in all, enters
 * the next step: add 2 c r/eta. NAME_sensitivity is about one point, and covers no such thing.
 *
 * What is needed besides. Nothing else of the run leaves it: no iterate, no loss or norm of a
 * gradient, no stop that depends on them. The start and T are public. Clipping only where it leaves
 * the gradient of a smooth and strongly convex function (slopes of linear margins), not of records'
 * norms or of networks. Averages of iterates, momentum, adaptive steps and batches have no proof.
 * Charge dppair_accountant_gaussian(account, mu, 1.0, 1) before the first step.
 *
 * Smoothness of the mean over n(n-1) ordered pairs, rows |x| <= R, logistic slope: 'ind'
 * R^2 n/(4 (n-1)), 'diff' 2 R^2 n/(n-1), since at most n^2/4 pairs have two labels; else one
 * pair's. Then alpha is added.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN, NO_PROOF, STEP_SIZE, SIZE (no steps), SIGMA,
 * OVERFLOW. An eta that is 2/smoothness rounded up is accepted.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_gaussian_mu_last_iterate(double *mu, double sensitivity, double sigma, double smoothness,
                                double alpha, double eta, size_t steps, double diameter) {
  const double total = (double)steps;
  dppair_status status = dppair_sensitivity_args_(mu, 2, sensitivity, alpha, eta);
  double gap, best, other, width, k;
  if (status != DPPAIR_OK) return status;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (smoothness != smoothness || diameter != diameter) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_isfinite_f64(sigma) || !(sigma > 0.0) || !dppair_ordinary_(sigma))
    return DPPAIR_ERR_SIGMA;
  if (!(smoothness > 0.0) || !(diameter > 0.0) || !(eta > 0.0) || alpha > smoothness)
    return DPPAIR_ERR_DOMAIN;
  if (smoothness >= HUGE_VAL) return DPPAIR_ERR_NO_PROOF;
  if (!(alpha > 0.0) && diameter >= HUGE_VAL) return DPPAIR_ERR_NO_PROOF;
  if (!dppair_ordinary_(smoothness) || (diameter < HUGE_VAL && !dppair_ordinary_(diameter)))
    return DPPAIR_ERR_DOMAIN;
  if (steps < 1) return DPPAIR_ERR_SIZE;
  if (eta * smoothness > 2.0) return DPPAIR_ERR_STEP_SIZE;
  if (!(sensitivity > 0.0)) return DPPAIR_OK;
  /* 1 - c, rounded down: the nearer of both ends of the spectrum */
  gap = dppair_step_gap_(eta, smoothness, 0.0);
  other = eta * alpha * (1.0 - 2.0 * DBL_EPSILON);
  if (other < gap) gap = other;
  best = dppair_last_free_(gap, total);
  width = diameter < HUGE_VAL ? diameter / (eta * sensitivity) : HUGE_VAL;
  if (width * gap < 1.0) { /* else the set is wider than the iterates ever are apart */
    k = gap > 0.0 ? dppair_floor_(dppair_log1p_(-width * gap) / dppair_log1p_(-gap))
                  : dppair_floor_(width);
    if (!(k >= 1.0)) k = 1.0;
    if (k > total) k = total;
    other = dppair_last_within_(gap, width, k);
    if (other < best) best = other;
    if (k < total) other = dppair_last_within_(gap, width, k + 1.0);
    if (other < best) best = other;
  }
  return dppair_sensitivity_store_(mu, sensitivity / sigma * best * (1.0 + 1e-14));
}

/* ---- src/accountant/sgd_stability.h ---------------------------------------------------------
 * Stability of pairwise stochastic gradient descent
 *
 * How far one record moves what pairwise SGD returns, for a sequence of indices (this chapter) and
 * for a number of hits (sgd_hits.h).
 *
 * w_1 = 0; step l = 1 .. T-1 draws index i_{l+1} and moves w along the mean subgradient over the l
 * pairs (i_{l+1}, i_k), k <= l, then projects on a convex set of this diameter. Released: the mean
 * of w_1 .. w_T (or w_T) with noise. Indices are drawn independently of the data and of the noise,
 * records are attached to positions without looking at their values, and step l divides by l also
 * where a pair is a self-pair. For the record at position a let r_l = 1 if i_{l+1} = a, else
 * (hits among i_1..i_l)/l, and c = 2 eta G. Then the distance d of the two runs obeys
 *
 *   convex           d <- min( sqrt(d^2 + c^2 (1-r)^2) + c r, diameter ), 0 before the first hit
 *   + lam/2 |w|^2    d <- sqrt((1 - eta lam)^2 d^2 + c^2 (1-r)^2) + c r,   eta lam <= 1
 *   smooth           d <- (1 - eta lam) d + c r,           eta <= 2/(smoothness + lam)
 *
 * (untouched subgradients are monotone and differ by at most 2G; touched ones add 2 eta G r). All
 * of this needs monotone subgradients, and so a loss that is convex in the parameters. Clipping
 * each pair's gradient to C keeps them monotone where the margin is linear in the parameters
 * (scores w.x, metrics, similarities): it clips the slope, which leaves another convex function of
 * the margin, and min(C, G) takes the place of G. Elsewhere a clipped gradient is not monotone: the
 * untouched pairs too push the runs apart, by up to 2 eta C in every step, and there is no bound.
 * For the ranking losses phi(w.(x-x')) with phi convex and non-increasing and two label levels, c =
 * eta G: touched gradients lie in a set of diameter G, untouched ones are one-signed multiples of
 * one vector. With a clip the two places of c are eta min(C, G), beside (1-r), and eta min(2C, G),
 * beside r.
 *
 * Four ways to use it, from the least noise to the most (n = 512, T = n^2, eta = n^-1.5, G = 1,
 * epsilon = 1, delta = 1e-5: noise 0.5, 2.3, 2.9 and, as printed by Yang et al. 2021, 126):
 *   the realised sequence   exact; publishing the indices is safe, sigma(I) may depend on them
 *   the binomial mixture    a sigma fixed in advance, no failure probability
 *   a binomial quantile     a sigma fixed in advance, failure probability added to delta
 *   Theorem 4 as printed    see dppair_paper
 * ---------------------------------------------------------------------------------------------- */

/* What is known of the loss. There is no default, because without convexity there is no bound. */
typedef enum dppair_uas_loss {
  DPPAIR_UAS_CONVEX = 1, /* convex in the parameters; pairs are not clipped */
  DPPAIR_UAS_LINEAR = 2, /* convex phi of a margin that is linear in the parameters */
  DPPAIR_UAS_RANKING = 3 /* convex, non-increasing phi of +-w.(x - x'), two label levels */
} dppair_uas_loss;

typedef struct dppair_uas {
  size_t n, steps;         /* records; T, the number of indices and of averaged iterates */
  dppair_uas_loss loss;    /* 0: DPPAIR_ERR_NO_PROOF */
  double eta, lipschitz;   /* step size; G of the data part, unclipped */
  double diameter;         /* of the convex set; 0: unbounded */
  double strong_convexity; /* lam of a data-independent lam/2 |w|^2; 0: none */
  double smoothness;       /* of the full objective; 0: not smooth */
  double pair_clip;        /* each pair's gradient clipped to this norm; 0: none; not for CONVEX */
  int last_iterate;        /* w_T is released, not the mean */
} dppair_uas;

/* Checks u and computes *c = eta times the largest difference of two gradients, and *cap, the
 * diameter in units of c (DBL_MAX when unbounded). */
DPPAIR_FN_ dppair_status dppair_uas_check_(double *c, double *cap, const dppair_uas *u) {
  double most;
  *c = *cap = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(u->eta) || !dppair_isfinite_f64(u->lipschitz) ||
      !dppair_isfinite_f64(u->diameter) || !dppair_isfinite_f64(u->strong_convexity) ||
      !dppair_isfinite_f64(u->smoothness) || !dppair_isfinite_f64(u->pair_clip))
    return DPPAIR_ERR_NOT_FINITE;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (u->loss != DPPAIR_UAS_CONVEX && u->loss != DPPAIR_UAS_LINEAR && u->loss != DPPAIR_UAS_RANKING)
    return DPPAIR_ERR_NO_PROOF;
  if (!(u->eta > 0.0) || !(u->lipschitz > 0.0) || u->diameter < 0.0 || u->strong_convexity < 0.0 ||
      u->smoothness < 0.0 || !dppair_ordinary_(u->eta) || !dppair_ordinary_(u->lipschitz) ||
      !dppair_ordinary_(u->diameter) || !dppair_ordinary_(u->pair_clip))
    return DPPAIR_ERR_DOMAIN;
  if (u->eta * u->strong_convexity > 1.0) return DPPAIR_ERR_STEP_SIZE;
  if (u->smoothness > 0.0 && u->eta * (u->smoothness + u->strong_convexity) > 2.0)
    return DPPAIR_ERR_STEP_SIZE;
  if (u->pair_clip < 0.0) return DPPAIR_ERR_DOMAIN;
  if (u->pair_clip > 0.0 && u->loss == DPPAIR_UAS_CONVEX) return DPPAIR_ERR_NO_PROOF;
  most = u->lipschitz;
  if (u->loss != DPPAIR_UAS_RANKING) {
    if (u->pair_clip > 0.0 && u->pair_clip < most) most = u->pair_clip;
    most *= 2.0;
  } else if (u->pair_clip > 0.0 && 2.0 * u->pair_clip < most) {
    most = 2.0 * u->pair_clip;
  }
  *c = u->eta * most;
  *cap = u->diameter > 0.0 && *c > 0.0 ? dppair_up_(u->diameter / *c) : DBL_MAX;
  return DPPAIR_OK;
}

/* The place of c beside (1 - r), for untouched pairs, as a part of c. */
DPPAIR_FN_ double dppair_uas_away_(const dppair_uas *u) {
  if (u->loss != DPPAIR_UAS_RANKING) return 1.0;
  if (!(u->pair_clip > 0.0) || u->pair_clip >= u->lipschitz) return 1.0;
  return 2.0 * u->pair_clip < u->lipschitz ? 0.5 : dppair_up_(u->pair_clip / u->lipschitz);
}

/* The factor by which rounding of a step size at its limit lets smooth runs grow apart. */
DPPAIR_FN_ double dppair_uas_growth_(const dppair_uas *u) {
  return u->smoothness > 0.0 ? dppair_growth_(u->eta, u->smoothness, u->strong_convexity, u->steps)
                             : 1.0;
}

/* Doubles that dppair_sensitivity_uas_sequence needs. */
DPPAIR_FN_ dppair_status dppair_uas_doubles_(size_t *doubles, const dppair_uas *u, double ratio) {
  *doubles = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n > SIZE_MAX / 64 || u->steps > SIZE_MAX / 64) return DPPAIR_ERR_OVERFLOW;
  *doubles = ratio > 1.0 ? u->steps + u->n + 1 : 3 * u->n;
  return DPPAIR_OK;
}

/* *bytes of workspace for dppair_sensitivity_uas_sequence, at any alignment. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_workspace(size_t *bytes, const dppair_uas *u,
                                                                double ratio) {
  size_t doubles;
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_uas_doubles_(&doubles, u, ratio);
  return status == DPPAIR_OK ? dppair_doubles_bytes_(bytes, doubles) : status;
}

/* One step of the recursion for all n positions but the one that is hit, in units of c: d and its
 * sum. hits: before the step; keep = 1 - eta lam; inverse = 1/l. */
DPPAIR_FN_ void dppair_uas_untouched_(double *d, double *sum, const double *hits, size_t n,
                                      double keep, double share, double cap, double inverse,
                                      int smooth) {
  const double keep2 = keep * keep;
  size_t a;
  if (smooth) {
    for (a = 0; a < n; a++) {
      const double next = keep * d[a] + hits[a] * inverse;
      d[a] = next < cap ? next : cap;
      sum[a] += d[a];
    }
  } else {
    for (a = 0; a < n; a++) {
      const double r = hits[a] * inverse, away = hits[a] > 0.0 ? share * (1.0 - r) : 0.0;
      const double next = dppair_sqrt_(keep2 * d[a] * d[a] + away * away) + r;
      d[a] = next < cap ? next : cap;
      sum[a] += d[a];
    }
  }
}

/* The recursion for all positions at once, in units of c. Returns the largest sum of d_1 .. d_T (or
 * the largest d_T). O(n T). */
DPPAIR_FN_ double dppair_uas_exact_(const dppair_uas *u, const size_t *indices, double cap,
                                    double *workspace) {
  const size_t n = u->n;
  double *d = workspace, *hits = workspace + n, *sum = workspace + 2 * n, largest = 0.0;
  const double gap = dppair_step_gap_(u->eta, u->smoothness, u->strong_convexity);
  const double beyond = u->smoothness > 0.0 && gap < 0.0 ? -gap : 0.0; /* see dppair_step_gap_ */
  const double keep = 1.0 - u->eta * u->strong_convexity + beyond;
  const double share = dppair_uas_away_(u);
  size_t l, a;
  for (a = 0; a < 3 * n; a++) workspace[a] = 0.0;
  hits[indices[0]] = 1.0;
  for (l = 1; l < u->steps; l++) {
    const size_t hit = indices[l];
    const double before = d[hit], sum_before = sum[hit];
    dppair_uas_untouched_(d, sum, hits, n, keep, share, cap, 1.0 / (double)l, u->smoothness > 0.0);
    /* the one that is hit has r = 1 */
    d[hit] = keep * before + 1.0;
    if (d[hit] > cap) d[hit] = cap;
    sum[hit] = sum_before + d[hit];
    hits[hit] += 1.0;
  }
  for (a = 0; a < n; a++) {
    const double value = u->last_iterate ? d[a] : sum[a];
    if (value > largest) largest = value;
  }
  return largest;
}

/* One position in the block version. */
typedef struct dppair_uas_run_ {
  double d, sum, hits, cap, share;
  int smooth;
} dppair_uas_run_;

/*
 * Steps first..last without a hit. Over a block U, d_out <= sqrt(d^2 + sum (1-r)^2) + sum r; the
 * sums over 1/l and 1/l^2 are bounded by midpoint integrals (1/x and 1/x^2 are convex); the
 * iterates inside lie below a concave function of the time, whose mean is at most its value at the
 * mean.
 */
DPPAIR_FN_ void dppair_uas_block_(dppair_uas_run_ *s, double first, double last) {
  const double k = s->hits, length = last - first + 1.0;
  const double low = first - 0.5, high = last + 0.5;
  const double harmonic = dppair_log1p_(length / low) * (1.0 + 1e-15);
  const double r_sum = k * harmonic, r_most = k / first, away = s->share * (1.0 - k / last);
  double d_out, inside, away_sum;
  const double half = 0.5 * (length + 1.0);
  if (length <= 1.0) { /* the recursion itself */
    s->d = s->smooth ? s->d + r_most : dppair_sqrt_(s->d * s->d + away * away) + r_most;
    if (s->d > s->cap) s->d = s->cap;
    s->sum += s->d;
    return;
  }
  if (s->smooth) {
    d_out = s->d + r_sum;
    inside = s->d + half * r_most;
  } else {
    const double lower =
        harmonic * (1.0 - 3e-15) - (1.0 / 24.0) * (1.0 / (low * low) - 1.0 / (high * high));
    away_sum = s->share * s->share * (length - 2.0 * k * lower + k * k * length / (low * high));
    if (away_sum > length * away * away) away_sum = length * away * away;
    if (away_sum < 0.0) away_sum = 0.0;
    d_out = dppair_sqrt_(s->d * s->d + away_sum) + r_sum;
    inside = dppair_sqrt_(s->d * s->d + half * away * away) + half * r_most;
  }
  if (inside > d_out) inside = d_out;
  if (d_out > s->cap) d_out = s->cap;
  if (inside > s->cap) inside = s->cap;
  s->sum += length * inside;
  s->d = d_out;
}

/* Blocks begin to grow at this step: before, 1/l changes too much within one. */
#define DPPAIR_UAS_SINGLE_STEPS_ 32.0

/* Steps first..last without a hit, in blocks each `ratio` times as long as its beginning. */
DPPAIR_FN_ void dppair_uas_quiet_(dppair_uas_run_ *s, double first, double last, double ratio) {
  double l = first;
  while (l <= last) {
    double end = l < DPPAIR_UAS_SINGLE_STEPS_ ? l : l * ratio;
    end = end < last ? dppair_floor_(end) : last; /* last is an integer */
    if (!(end >= l)) end = l;
    dppair_uas_block_(s, l, end);
    l = end + 1.0;
  }
}

/* The block version for the position whose hits are at place[0] < .. < place[count - 1], in 1..T:
 * the hit at place p is step p - 1, and after it steps up to the next hit's are quiet. */
DPPAIR_FN_ double dppair_uas_position_(const dppair_uas *u, const double *place, size_t count,
                                       double cap, double ratio) {
  dppair_uas_run_ s;
  size_t i;
  s.d = s.sum = s.hits = 0.0;
  s.cap = cap;
  s.share = dppair_uas_away_(u);
  s.smooth = u->smoothness > 0.0;
  for (i = 0; i < count; i++) {
    const double next = i + 1 < count ? place[i + 1] : (double)u->steps + 1.0;
    if (place[i] > 1.0) {
      s.d += 1.0;
      if (s.d > cap) s.d = cap;
      s.sum += s.d;
    }
    s.hits += 1.0;
    dppair_uas_quiet_(&s, place[i], next - 2.0, ratio);
  }
  return u->last_iterate ? s.d : s.sum;
}

/* The block version for all positions: O(T + n log_ratio T). Contraction by a regulariser is not
 * used. */
DPPAIR_FN_ double dppair_uas_blocks_(const dppair_uas *u, const size_t *indices, double cap,
                                     double ratio, double *workspace) {
  const size_t n = u->n, steps = u->steps;
  double *start = workspace, *place = workspace + n + 1, largest = 0.0;
  size_t k, a, begin = 0;
  /* Sort the positions 1..T by index, stably; afterwards start[a] is where those of a end. */
  for (a = 0; a <= n; a++) start[a] = 0.0;
  for (k = 0; k < steps; k++) start[indices[k] + 1] += 1.0;
  for (a = 0; a < n; a++) start[a + 1] += start[a];
  for (k = 0; k < steps; k++) {
    const size_t slot = (size_t)start[indices[k]];
    place[slot] = (double)(k + 1);
    start[indices[k]] += 1.0;
  }
  for (a = 0; a < n; a++) {
    const size_t end = (size_t)start[a];
    const double value = dppair_uas_position_(u, place + begin, end - begin, cap, ratio);
    if (value > largest) largest = value;
    begin = end;
  }
  return largest;
}

/*
 * The sensitivity of the released mean (or last iterate) for the realised index sequence, the
 * largest over all n positions. indices: 0-based, one per iterate, count = u->steps. ratio = 1 runs
 * the recursion exactly in O(n T); ratio > 1 (1.05, say) bounds it from above in O(T + n log T /
 * log ratio), at most a few parts in a thousand higher. work: dppair_uas_workspace bytes.
 * Release with sigma = sensitivity/mu: the pair (indices, noisy mean) is private, because the
 * indices have the same law for both data sets and each conditional release is Gaussian.
 * Errors: those of u; SIZE when count is not u->steps; DOMAIN for an index >= n or a ratio below 1.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_uas_sequence(double *sensitivity, const dppair_uas *u, const size_t *indices,
                                size_t count, double ratio, void *work, size_t bytes) {
  double c, cap, value, *doubles;
  size_t i, needed, room;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (u == NULL || indices == NULL || work == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(ratio)) return DPPAIR_ERR_NOT_FINITE;
  if (ratio < 1.0) return DPPAIR_ERR_DOMAIN;
  status = dppair_uas_check_(&c, &cap, u);
  if (status == DPPAIR_OK) status = dppair_uas_doubles_(&needed, u, ratio);
  if (status != DPPAIR_OK) return status;
  if (count != u->steps) return DPPAIR_ERR_SIZE;
  doubles = dppair_doubles_(&room, work, bytes);
  if (room < needed) return DPPAIR_ERR_WORKSPACE;
  for (i = 0; i < count; i++)
    if (indices[i] >= u->n) return DPPAIR_ERR_DOMAIN;
  value = ratio > 1.0 ? dppair_uas_blocks_(u, indices, cap, ratio, doubles) * dppair_uas_growth_(u)
                      : dppair_uas_exact_(u, indices, cap, doubles);
  if (!u->last_iterate) value /= (double)u->steps;
  value *= c * (1.0 + 1e-15 * (double)(count + 8));
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}

/* ---- src/accountant/sgd_hits.h --------------------------------------------------------------
 * Stability by the number of hits
 *
 * Bounds for sigmas that are fixed before the indices are drawn: for a number of hits, for a
 * quantile of it, and for its mixture. Relies on sgd_stability.h and binomial.h.
 * ---------------------------------------------------------------------------------------------- */

/* The harmonic number H_m: the sum below 32, the asymptotic series from there on. */
DPPAIR_FN_ double dppair_harmonic_(double m) {
  const double r2 = 1.0 / (m * m);
  double sum = 0.0, k;
  if (m < 32.0) {
    for (k = 1.0; k <= m; k += 1.0) sum += 1.0 / k;
    return sum;
  }
  return dppair_log_(m) + 0.57721566490153286061 + 0.5 / m -
         r2 * (1.0 / 12.0 - r2 * (1.0 / 120.0 - r2 / 252.0));
}

/* A bound on the sensitivity for every sequence in which the record is hit N = `hits` times:
 * c [ (2/3) sqrt T + (1/T) sum_t S(t) ], S(t) = t for t < N, N - 1 + N (H_t - H_{N-1}) afterwards
 * (the hits come first in the worst case). When smooth, without the square root; 0 for no hit. */
DPPAIR_FN_ dppair_status dppair_uas_hits_(double *sensitivity, const dppair_uas *u, size_t hits) {
  double c, cap, value, t, n;
  dppair_status status;
  *sensitivity = 0.0;
  status = dppair_uas_check_(&c, &cap, u);
  if (status != DPPAIR_OK || hits == 0) return status;
  t = (double)u->steps;
  n = (double)(hits < u->steps ? hits : u->steps);
  if (u->last_iterate) {
    value =
        n >= t ? t - 1.0 : n - 1.0 + n * (dppair_harmonic_(t - 1.0) - dppair_harmonic_(n - 1.0));
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * dppair_sqrt_(t);
  } else {
    const double hn = dppair_harmonic_(n - 1.0), ht = dppair_harmonic_(t - 1.0);
    value = 0.5 * n * (n - 1.0);
    if (n < t)
      value += (t - n) * (n - 1.0 - n * hn) + n * ((t * ht - (t - 1.0)) - (n * hn - (n - 1.0)));
    value /= t;
    if (u->smoothness <= 0.0) value += dppair_uas_away_(u) * (2.0 / 3.0) * dppair_sqrt_(t);
  }
  value *= c * (1.0 + 1e-11) * dppair_uas_growth_(u);
  if (u->diameter > 0.0 && value > u->diameter) value = u->diameter;
  return dppair_sensitivity_store_(sensitivity, value);
}

/* A sensitivity that holds with high probability, for i.i.d. uniform indices: N ~ Bin(T, 1/n) hits.
 * *hits is the exact quantile with Pr[N > hits] <= gamma, and at least 1 (with 0, every hit would
 * be a failure, and the release would need no noise). *failure is Pr[N > hits]: add it to delta by
 * dppair_accountant_failure. *sensitivity is the bound for *hits. On an error *failure is 1, which
 * no budget has, and the others are 0. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_quantile(
    double *sensitivity, double *failure, size_t *hits, const dppair_uas *u, double gamma) {
  dppair_status status;
  if (sensitivity == NULL || failure == NULL || hits == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  *failure = 1.0;
  *hits = 0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2) return DPPAIR_ERR_SIZE;
  status =
      dppair_binomial_quantile_(hits, failure, u->steps, dppair_up_(1.0 / (double)u->n), gamma);
  if (status != DPPAIR_OK) return status;
  if (*hits == 0) {
    *hits = 1;
    *failure = dppair_binomial_tail_(u->steps, dppair_up_(1.0 / (double)u->n), 1);
  }
  status = dppair_uas_hits_(sensitivity, u, *hits);
  if (status != DPPAIR_OK) {
    *failure = 1.0;
    *hits = 0;
  }
  return status;
}

/* The sum of dppair_uas_delta_ over the numbers of hits. It begins 12 deviations below the mean,
 * where fewer hits count as so many (they cost no more), and ends where the tail is nothing beside
 * the sum; the tail is looked at once in 8 terms. */
DPPAIR_FN_ dppair_status dppair_uas_mixture_(double *sum, const dppair_uas *u, double sigma,
                                             double epsilon) {
  const double rate = 1.0 / (double)u->n, mean = (double)u->steps * rate;
  const double spread = dppair_sqrt_(mean) + 1.0;
  const size_t low = mean > 12.0 * spread ? (size_t)(mean - 12.0 * spread) : 1;
  double total = 0.0, term, rest;
  size_t k;
  for (k = low; k <= u->steps; k++) {
    double sensitivity;
    dppair_status status = dppair_uas_hits_(&sensitivity, u, k);
    if (status == DPPAIR_OK)
      status = dppair_gaussian_delta(&term, epsilon, dppair_up_(sensitivity / sigma));
    if (status != DPPAIR_OK) return status;
    total += term * dppair_exp_(dppair_binomial_log_pmf_(u->steps, rate, k));
    if (k == low && low > 1) total += term * (1.0 - dppair_binomial_tail_(u->steps, rate, low - 1));
    if (!((double)k > mean && (k - low) % 8 == 0)) continue;
    rest = dppair_binomial_tail_(u->steps, rate, k);
    if (rest <= 1e-13 * total || rest < 1e-290) {
      total += rest;
      break;
    }
  }
  *sum = total * (1.0 + 1e-11);
  return DPPAIR_OK;
}

/*
 * delta at epsilon of the release with a sigma fixed in advance, for i.i.d. uniform indices and
 * without a failure probability:
 * delta(epsilon) <= sum_N Pr[Bin(T, 1/n) = N] delta_G(epsilon, sensitivity(N)/sigma)
 * (the hockey-stick divergence is jointly convex, the position is fixed, N has one law).
 * Errors: those of u; NOT_FINITE, SIGMA, EPSILON; OVERFLOW where a record expects more than 1e8
 * hits.
 */
DPPAIR_FN_ dppair_status dppair_uas_delta_(double *delta, const dppair_uas *u, double sigma,
                                           double epsilon) {
  double total;
  dppair_status status;
  *delta = 0.0;
  if (!dppair_isfinite_f64(sigma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0)) return DPPAIR_ERR_SIGMA;
  if ((double)u->steps * (1.0 / (double)u->n) > 1e8) return DPPAIR_ERR_OVERFLOW;
  status = dppair_uas_mixture_(&total, u, sigma, epsilon);
  if (status != DPPAIR_OK) return status;
  *delta = total < DBL_MIN ? DBL_MIN : (total < 1.0 ? total : 1.0);
  return DPPAIR_OK;
}

/* The sigma that makes dppair_uas_delta_ at most delta at this epsilon, within 1e-9, rounded up.
 * DELTA when delta >= Pr[N >= 1], about T/n: such a delta is met without noise, which protects
 * nobody who is drawn. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_uas_sigma(double *sigma, const dppair_uas *u,
                                                            double epsilon, double delta) {
  double low, high = 0.0, worst, reached;
  dppair_status status;
  int i;
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (u == NULL) return DPPAIR_ERR_NULL;
  if (u->n < 2 || u->steps < 1) return DPPAIR_ERR_SIZE;
  if (delta >=
      -dppair_expm1_((double)u->steps * dppair_log1p_(-1.0 / (double)u->n)) * (1.0 - 1e-12))
    return DPPAIR_ERR_DELTA;
  /* No sequence is worse than T hits: an upper end. */
  status = dppair_uas_hits_(&worst, u, u->steps);
  if (status == DPPAIR_OK) status = dppair_gaussian_sigma(&high, worst, epsilon, delta, 1);
  if (status != DPPAIR_OK || high <= 0.0) return status;
  low = high * 1e-12;
  for (i = 0; i < 100 && high > low * (1.0 + 1e-9); i++) {
    const double middle = dppair_sqrt_(low * high);
    status = dppair_uas_delta_(&reached, u, middle, epsilon);
    if (status != DPPAIR_OK) return status;
    if (reached <= delta)
      high = middle;
    else
      low = middle;
  }
  *sigma = high;
  return DPPAIR_OK;
}

/* ---- src/accountant/hits.h ------------------------------------------------------------------
 * Hits: how often a sampled step touches a record
 *
 * The law of the number of hits in one execution of a step, and how far each number of hits moves
 * the statistic. The one list of what sampling does: Renyi curves and dominating pairs both start
 * from it. Relies on binomial.h and steps.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_HIT_CAPACITY_ 256
#define DPPAIR_AMPLIFIED_HITS_ 64 /* in numerical composition, where each is two branches */
#define DPPAIR_UNIT_ 1.1102230246251565e-16 /* half an ulp of 1 */

/* Probabilities below this one are not asked for: near the smallest doubles digits are lost. */
#define DPPAIR_TAIL_LEAST_ 1e-305
/* A tail that is nothing beside Pr[no hit]. */
#define DPPAIR_TAIL_NOTHING_ 1e-17
/* Probability of few hits that may count as more. */
#define DPPAIR_TAIL_FEW_ 1e-18

/* How the two data sets' laws of one step compare. */
typedef enum dppair_comparison_ {
  DPPAIR_MIXTURE_ = 1,  /* sum_k p_k N(s_k, 1) against N(0, 1), both directions */
  DPPAIR_OPPOSED_ = 2,  /* sum_k p_k N(s_k, 1) against sum_k p_k N(-s_k, 1) */
  DPPAIR_AMPLIFIED_ = 3 /* h(t) = sum_k p_k delta_G(log(1 + (t-1)/gamma), s_k), t >= 1, both ways */
} dppair_comparison_;

/*
 * The hits k >= 1 of a step with their probabilities and their shifts in units of sigma, by rising
 * shift. gamma = Pr[k >= 1] and miss = Pr[k = 0], each with all its digits. tail bounds Pr[more
 * hits than listed], an event of the sampling alone: the listed probabilities are conditional on
 * its complement, so tail must be added to delta once per step. slip bounds the relative error of
 * each probability, of gamma and of miss. merged: some numbers of hits were counted as larger ones
 * (all comparisons increase in the shift), so the law bounds from above only.
 */
typedef struct dppair_hits_ {
  dppair_comparison_ comparison;
  int merged;
  size_t count;
  double gamma, miss, tail, slip;
  double probability[DPPAIR_HIT_CAPACITY_];
  double shift[DPPAIR_HIT_CAPACITY_];
} dppair_hits_;

/*
 * What sampling does to one record: mechanisms/sampled_gaussian.h and sampled_pairs.h say it for
 * each sampling.
 *
 * Amplified: P = (1-g) P0 + g P1 and Q = (1-g) P0 + g Q1 with the same P0; advanced joint convexity
 * (Balle, Barthe and Gaboardi 2018) turns delta(log t) into g delta(log(1 + (t-1)/g)), and coupling
 * equal draws replaces k vectors. It holds for zeroing a record too, where the shift counts a
 * replacement. Mixture and opposed: touched vectors of norm <= 1 in any directions are dominated by
 * equal ones, or by equal and opposite ones (Kahane's convexity inequality; dominating_pairs.h has
 * the proof). Zeroing under sampling without replacement has no bound of its own: use the
 * replace-one bound. Fixed-size samples have no mixture bound, because the untouched pairs depend
 * on the hits.
 */
typedef struct dppair_hit_law_ {
  dppair_comparison_ comparison;
  dppair_binomial_ hits; /* one trial: a hit or none */
  double unit;           /* the shift of one hit */
  size_t batch;          /* 0: k hits shift k times as far; else T(batch, k)/(batch - 1) times
                            (mechanisms/persons.h) */
} dppair_hit_law_;

/* The shift of k hits; for batches rounded up. */
DPPAIR_FN_ double dppair_hit_shift_(const dppair_hit_law_ *law, size_t k) {
  if (law->batch == 0 || k == 1) return (double)k * law->unit;
  return dppair_owned_(law->batch, k) / (double)(law->batch - 1) * law->unit * (1.0 + 2e-15);
}

/* One hit with the sampling's rate, amplified: what the other laws are made from. */
DPPAIR_FN_ void dppair_hit_law_once_(dppair_hit_law_ *law, const dppair_sampling *s, double unit) {
  const double n = (double)s->n;
  law->comparison = DPPAIR_AMPLIFIED_;
  law->hits =
      dppair_binomial_make_(1, s->n > 0 ? (double)s->m / n : s->q,
                            s->n > 0 && s->m <= s->n ? (double)(s->n - s->m) / n : 1.0 - s->q);
  law->unit = unit;
  law->batch = 0;
}

/* m draws with replacement, each of which hits the record with probability `times`/n. */
DPPAIR_FN_ void dppair_hit_law_draws_(dppair_hit_law_ *law, const dppair_sampling *s, double unit,
                                      size_t times) {
  const double n = (double)s->n;
  law->comparison = DPPAIR_AMPLIFIED_;
  law->hits = dppair_binomial_make_(s->m, (double)times / n, (double)(s->n - times) / n);
  law->unit = unit;
}

/* Independent trials: Poisson samples. */
DPPAIR_FN_ void dppair_hit_law_poisson_(dppair_hit_law_ *law, const dppair_sampling *s) {
  law->comparison =
      dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT ? DPPAIR_MIXTURE_ : DPPAIR_OPPOSED_;
}

/* Zeroed pairs of a fixed number are charged like replaced ones, which move twice as far; for
 * several draws with replacement, different numbers of hits have no best test in common. Otherwise
 * fixed-size samples take their pair of laws from two pairs of data sets, one for t >= 1 and one
 * for t < 1: attained by a single run alone. */
DPPAIR_FN_ int dppair_hits_attained_(const dppair_hit_law_ *law, const dppair_sampling *s) {
  if (law->comparison != DPPAIR_AMPLIFIED_) return DPPAIR_ATTAINED_ALWAYS_;
  if (dppair_adjacency_move_(s->adjacency) == DPPAIR_ZERO_OUT) return DPPAIR_ATTAINED_NEVER_;
  if (law->hits.rate >= 1.0) return DPPAIR_ATTAINED_ALWAYS_;
  return law->hits.trials <= 1 ? DPPAIR_ATTAINED_ONCE_ : DPPAIR_ATTAINED_NEVER_;
}

/* The numbers of hits that are listed: `low` to `top`, `width` of them in each place. They are
 * enumerated from `start`, near the mean and of probability `value`, by the ratios of neighbours.
 */
typedef struct dppair_hit_range_ {
  size_t start, low, top, width;
  double value;
  double below; /* probability of 1 to low - 1 hits, a bound */
} dppair_hit_range_;

/* The upper end, and in h what lies beyond it. limit: the largest number of hits that is counted.
 */
DPPAIR_FN_ void dppair_hits_upper_(dppair_hits_ *h, dppair_hit_range_ *range,
                                   const dppair_hit_law_ *law, size_t limit, double tail, int both,
                                   size_t places) {
  range->top = limit;
  if (limit < law->hits.trials) {
    h->tail = law->hits.drawn > 0 ? dppair_binomial_beyond_(&law->hits, limit)
                                  : dppair_binomial_tail_(law->hits.trials, law->hits.rate, limit);
  } else if (tail > 0.0) {
    const double less = both ? DPPAIR_TAIL_NOTHING_ * h->miss : 0.0;
    range->top = places + 1;
    if (less >= DPPAIR_TAIL_LEAST_ && less < tail)
      range->top = dppair_binomial_last_(&h->tail, &law->hits, range->start, range->value, less);
    if (range->top > places) {
      range->top = dppair_binomial_last_(&h->tail, &law->hits, range->start, range->value, tail);
      h->merged = both && !(tail <= less);
    }
  }
}

/* The lower end, where not all numbers up to the top have a place of their own: few hits, of
 * probability DPPAIR_TAIL_FEW_ together, are left out, and no hit with them. */
DPPAIR_FN_ void dppair_hits_lower_(dppair_hits_ *h, dppair_hit_range_ *range,
                                   const dppair_hit_law_ *law) {
  double below;
  const size_t k =
      dppair_binomial_first_(&below, &law->hits, range->start, range->value, DPPAIR_TAIL_FEW_);
  if (k <= 1) return;
  range->low = k;
  range->below = below;
  h->miss = 0.0;
}

/* Lists the probabilities and shifts, conditional on no more hits than `top`. */
DPPAIR_FN_ void dppair_hits_list_(dppair_hits_ *h, const dppair_hit_range_ *range,
                                  const dppair_hit_law_ *law) {
  const size_t low = range->low, top = range->top, width = range->width;
  double p;
  size_t k;
  h->count = (top - low) / width + 1;
  for (k = range->start, p = range->value; k <= top; k++) {
    if (k >= low) h->probability[(k - low) / width] += p > DBL_MIN ? p : DBL_MIN;
    p *= dppair_binomial_up_(&law->hits, k);
  }
  for (k = range->start, p = range->value; k > low; k--) {
    p *= dppair_binomial_down_(&law->hits, k);
    h->probability[(k - 1 - low) / width] += p > DBL_MIN ? p : DBL_MIN;
  }
  h->probability[0] += range->below;
  for (k = 0; k < h->count; k++) {
    const size_t last = low + (k + 1) * width - 1;
    h->probability[k] /= 1.0 - h->tail;
    h->gamma += h->probability[k];
    h->shift[k] = dppair_hit_shift_(law, last < top ? last : top);
  }
  if (h->gamma > 1.0) h->gamma = 1.0;
  h->miss /= 1.0 - h->tail;
}

/*
 * K ~ Bin(trials, rate), 0 < rate < 1, trials > 1. The probabilities come from that of the most
 * likely number of hits (Loader's form, within 64 units), on both sides by the ratios of
 * neighbours, at most 16 units each (an error of the rate turns p_k by (k - trials rate) times
 * itself and is contained in these). cap > 0: the largest number of hits that is counted. Otherwise
 * tail > 0: the probability that may be left beyond the listed ones; tail = 0: nothing is left out.
 * both: where it fits, the tail is nothing beside Pr[no hit] either, so that the law serves upper
 * and lower bounds.
 *
 * A law that fits into `places` is listed from k = 1 on. Otherwise few hits count as the first
 * number that is listed, and where that is not enough, neighbours share a place, counted as the
 * largest of them.
 */
DPPAIR_FN_ dppair_status dppair_hits_binomial_(dppair_hits_ *h, const dppair_hit_law_ *law,
                                               size_t cap, double tail, int both, size_t places) {
  const double n = (double)law->hits.trials;
  const double none = dppair_binomial_log_none_(&law->hits);
  const size_t limit = cap > 0 && cap < law->hits.trials ? cap : law->hits.trials;
  const double mode = dppair_floor_((n + 1.0) * law->hits.rate);
  dppair_hit_range_ range;
  size_t remote;
  /* What takes too long to sum and has no answer: a cap far below the hits that are likely, and a
   * law of more than a million likely hits. */
  if (!(mode - (double)limit <= (double)DPPAIR_BINOMIAL_MOST_)) return DPPAIR_ERR_NO_PROOF;
  if (dppair_sqrt_(n * law->hits.rate * law->hits.miss) > (double)DPPAIR_BINOMIAL_MOST_)
    return limit < law->hits.trials && mode > (double)limit ? DPPAIR_ERR_NO_PROOF
                                                            : DPPAIR_ERR_OVERFLOW;
  range.start = mode < (double)limit ? (size_t)mode : limit;
  range.value = dppair_exp_(dppair_binomial_log_(&law->hits, range.start));
  range.low = 1;
  range.below = 0.0;
  h->miss = dppair_exp_(none);
  dppair_hits_upper_(h, &range, law, limit, tail, both, places);
  if (!(h->tail < 0.5)) return DPPAIR_ERR_NO_PROOF;
  if (range.top > places) {
    dppair_hits_lower_(h, &range, law);
    if (range.top - range.low > DPPAIR_BINOMIAL_MOST_) return DPPAIR_ERR_OVERFLOW;
  }
  range.width = (range.top - range.low) / places + 1;
  h->merged |= range.width > 1 || !(h->miss > 0.0);
  dppair_hits_list_(h, &range, law);
  /* a last line of defence: some number of hits is certain */
  if (!(h->gamma + h->miss >= 1.0 - 1e-6)) return DPPAIR_ERR_NO_CONVERGENCE;
  remote = range.start < range.low || range.top - range.start > range.start - range.low
            ? range.top - range.start
            : range.start - range.low;
  h->slip = DPPAIR_UNIT_ * (96.0 + (double)h->count + 16.0 * (double)remote - 4.0 * none);
  if (law->hits.drawn > 0) h->slip += DPPAIR_UNIT_ * (256.0 - 64.0 * none); /* three of them */
  return DPPAIR_OK;
}

/* The hits of any law; cap, tail, both and places as for dppair_hits_binomial_. Errors: NO_PROOF
 * when more hits than the cap are likelier than not, OVERFLOW when more than a million different
 * numbers of hits are likely. */
DPPAIR_FN_ dppair_status dppair_hits_make_(dppair_hits_ *h, const dppair_hit_law_ *law, size_t cap,
                                           double tail, int both, size_t places) {
  memset(h, 0, sizeof *h);
  h->comparison = law->comparison;
  if (law->hits.trials > 1 && law->hits.rate < 1.0) {
    const dppair_status status = dppair_hits_binomial_(h, law, cap, tail, both, places);
    if (status != DPPAIR_OK) memset(h, 0, sizeof *h);
    return status;
  }
  h->count = 1;
  h->gamma = h->probability[0] = law->hits.rate;
  h->miss = law->hits.miss;
  h->slip = 4.0 * DPPAIR_UNIT_;
  h->shift[0] = dppair_hit_shift_(law, law->hits.trials);
  return DPPAIR_OK;
}

/*
 * Turns the computed law into one that dominates the exact one: shifts are rounded up, numbers of
 * hits above the likeliest gain their relative error, those below it lose theirs, and the likeliest
 * keeps what is left of 1. So no Pr[K >= k] becomes smaller, the sum is at most 1, and every
 * probability, Pr[no hit] too, keeps its digits.
 */
DPPAIR_FN_ void dppair_hits_raise_(dppair_hits_ *h) {
  const double grow = 1.0 + 2.0 * h->slip;
  double most = h->miss, others = 0.0;
  size_t pivot = h->count, k; /* count: no hit is likeliest */
  for (k = 0; k < h->count; k++) {
    h->shift[k] = dppair_up_(dppair_up_(h->shift[k]));
    if (h->probability[k] > most) {
      most = h->probability[k];
      pivot = k;
    }
  }
  for (k = 0; k < h->count; k++) {
    if (k == pivot) continue;
    h->probability[k] *= pivot < h->count && k < pivot ? 2.0 - grow : grow;
    others += h->probability[k];
  }
  if (pivot < h->count) {
    h->miss *= 2.0 - grow;
    h->probability[pivot] = 1.0 - h->miss - others;
  } else {
    h->miss -= (1.0 - h->miss) * 4.0 * h->slip;
  }
  h->gamma = h->gamma * grow < 1.0 ? h->gamma * grow : 1.0;
}

/* ---- src/accountant/renyi.h -----------------------------------------------------------------
 * Renyi curves of hits, orders a > 1
 *
 * Everything is a positive integral of f_b(u) = (1+u)^b - 1 - b u, which is >= 0 for b >= 1 and for
 * b <= 0, at u = L - 1 of mean zero, so that no digits are lost however small the rate:
 *   mixture     E_0[L^a] - 1 = E_0 f_a(u), and the other direction E_0 f_{1-a}(u)
 *   opposed     E_0[L+^a L-^(1-a)] - 1 = E_0[ L- f_a(L+/L- - 1) ]
 *   amplified   F_a(g, s) - 1 = E_0[ 1{x > s/2} (f_a(u) + f_{1-a}(u)) ], from
 *               E_Q[L^a] = 1 + a(a-1) int_1^inf t^(a-2) H_t(P,Q) + t^(-a-1) H_t(Q,P) dt.
 * E_0 is over N(0,1). The first two are trapezoid sums. With step h they converge like
 * exp(-2 pi c/h), c the distance of the zeros of L from the real axis (pi / largest shift), and
 * like exp(-2 pi^2 v/h^2) for a Gaussian of variance v. The third has an end point and uses
 * Gauss-Legendre panels. Sums are kept as a value and a scale, because L^a overflows. The integrals
 * are returned as log(A - 1); the curve is log(A)/(a - 1). Relies on hits.h and normal.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_RENYI_SLACK_ 2e-12    /* relative error of a curve, quadrature and rounding */
#define DPPAIR_RENYI_NODES_ 300000.0 /* if a sum needs more, the closed bound answers instead */

/* A question to the curve of a step, and the answer. */
typedef struct dppair_renyi_ {
  double order;
  double tail;   /* > 0: hits are capped where that is left */
  size_t cap;    /* > 0: the largest number of hits that is counted */
  double rdp;    /* the divergence, not yet rounded up */
  double unpaid; /* probability of more hits than those counted */
} dppair_renyi_;

typedef struct dppair_scaled_sum_ {
  double sum, scale; /* the value is sum * exp(scale) */
} dppair_scaled_sum_;

/* Adds weight * f_b(u) * exp(log_weight); l = log(1 + u). Returns the added term, scaled. */
DPPAIR_FN_ double dppair_add_power_(dppair_scaled_sum_ *s, double weight, double log_weight,
                                    double b, double u, double l) {
  const double y = b * l;
  double term;
  if (dppair_fabs_(u) < 0.1 && dppair_fabs_(b * u) < 0.5) {
    double part = 0.5 * b * (b - 1.0) * u * u, k = 3.0;
    term = part;
    for (; k < 60.0; k += 1.0) {
      part *= (b - k + 1.0) / k * u;
      term += part;
      if (dppair_fabs_(part) <= 1e-17 * dppair_fabs_(term)) break;
    }
    term *= dppair_exp_(log_weight - s->scale);
  } else if (y + log_weight - s->scale < 600.0 && y < 600.0) {
    term = (b > 0.0 ? (1.0 + u) * dppair_expm1_((b - 1.0) * l) - (b - 1.0) * u
                    : dppair_expm1_(y) - b * u) *
           dppair_exp_(log_weight - s->scale);
  } else {
    /* b > 1: f_b = e^l (e^((b-1) l) - 1 - (b-1)(1 - e^-l)) - (b-1)(...); e^-l is below rounding */
    const double m = (b - 1.0) * l;
    const double level =
        log_weight +
        (b > 0.0 && m < 50.0 ? l + dppair_log_(dppair_expm1_(m) - (b - 1.0)) + 1e-15 : y);
    if (level - s->scale > 600.0) {
      s->sum *= dppair_exp_(s->scale - level);
      s->scale = level;
    }
    term = dppair_exp_(level - s->scale);
  }
  term *= weight;
  s->sum += term;
  return term;
}

/* dppair_hits_excess_ where an exponential overflows: sums relative to the largest exponent, top >
 * 600. */
DPPAIR_FN_ double dppair_hits_far_(const dppair_hits_ *h, double x, double top, double *log_l,
                                   double *slope) {
  double l = 0.0, du = 0.0;
  size_t k;
  for (k = 0; k < h->count; k++) {
    const double s = h->shift[k], g = h->probability[k] * dppair_exp_(s * x - 0.5 * s * s - top);
    l += g;
    du += g * s;
  }
  *slope = du / l;
  *log_l = top + dppair_log_(l);
  return *log_l < 690.0 ? dppair_expm1_(*log_l) : 1e299;
}

/* Returns u = L(x) - 1, or 1e299 when that is too large, where only the logarithm counts; *log_l =
 * log L and *slope = d log L / dx. Where u loses digits, log L is taken from L = miss + sum p_k
 * e^(..), so that it has all of its digits however small Pr[no hit] is. */
DPPAIR_FN_ double dppair_hits_excess_(const dppair_hits_ *h, double x, double *log_l,
                                      double *slope) {
  double u = 0.0, l = h->miss, du = 0.0, top = 0.0;
  size_t k;
  for (k = 0; x > 34.0 && k < h->count; k++) { /* s x - s^2/2 <= x^2/2: only then */
    const double s = h->shift[k], t = s * x - 0.5 * s * s;
    if (t > top) top = t;
  }
  if (top > 600.0) return dppair_hits_far_(h, x, top, log_l, slope);
  for (k = 0; k < h->count; k++) {
    const double s = h->shift[k], t = s * x - 0.5 * s * s;
    const double e = dppair_expm1_(t),
                 g = h->probability[k] * (e > -0.5 ? e + 1.0 : dppair_exp_(t));
    u += h->probability[k] * e;
    l += g;
    du += g * s;
  }
  if (u > -0.5) {
    *log_l = dppair_log1p_(u);
    *slope = du / (1.0 + u);
  } else if (l > 1e-290) {
    *log_l = dppair_log_(l);
    *slope = du / l;
  } else { /* only the smallest shift still counts: a lower bound */
    *slope = h->shift[0];
    *log_l = dppair_log_(h->probability[0] > DBL_MIN ? h->probability[0] : DBL_MIN) +
             *slope * (x - 0.5 * *slope);
  }
  return u;
}

/* log L(x), and *u = L(x) - 1. */
DPPAIR_FN_ double dppair_hits_log_(const dppair_hits_ *h, double x, double *u) {
  double l, slope;
  *u = dppair_hits_excess_(h, x, &l, &slope);
  return l;
}

/* The far peak of phi L^a lies below the largest fixed point of x = 4 s + a slope(x), which is
 * approached from above. */
DPPAIR_FN_ double dppair_peak_bound_(const dppair_hits_ *h, double a, double largest) {
  double x = (4.0 + a) * largest;
  int i;
  for (i = 0; i < 60; i++) {
    double l, slope, next;
    (void)dppair_hits_excess_(h, x, &l, &slope);
    next = 4.0 * largest + a * slope;
    if (next >= x * (1.0 - 1e-3)) break;
    x = next;
  }
  return x;
}

/*
 * log E_0 f_b(u) for a mixture. The steps leave 2e-24 (0.6, N(0,1)), 4e-21 (0.42/shift, the zeros
 * of L) and, for b < 0, 3e-19: (log L)'' <= shift^2/4, so L^b narrows the integrand to a variance
 * of at least 1/(1 - b shift^2/4), and the step is 0.68 of its square root. Either side is summed
 * to 6 beyond its farthest peak (reach) and until a term is below 1e-18 of the sum.
 */
DPPAIR_FN_ double dppair_renyi_mixture_(const dppair_hits_ *h, double b) {
  const double largest = h->shift[h->count - 1];
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double step = 0.6, reach, x;
  int direction;
  if (0.42 / largest < step) step = 0.42 / largest;
  if (b < 0.0) {
    const double narrow = 0.68 / dppair_sqrt_(1.0 - 0.25 * b * largest * largest);
    if (narrow < step) step = narrow;
  }
  reach = b > 0.0 ? dppair_peak_bound_(h, b, largest) : 4.0 * largest;
  if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (direction = 0; direction < 2; direction++) {
    size_t i;
    if (direction == 1) {
      double l, slope;
      (void)dppair_hits_excess_(h, 0.0, &l, &slope);
      reach = b > 0.0 ? 0.0 : -b * slope;
      if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
    }
    for (i = (size_t)direction;; i++) {
      double u, l, term;
      x = (direction == 0 ? step : -step) * (double)i;
      l = dppair_hits_log_(h, x, &u);
      term = dppair_add_power_(&sum, 1.0, -0.5 * x * x, b, u, l);
      if (dppair_fabs_(x) > reach + 6.0 && term <= 1e-18 * sum.sum) break;
      if (dppair_fabs_(x) > reach + 40.0) break;
    }
  }
  return dppair_log_(sum.sum * step * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(A - 1) for the opposed pair. The steps leave 3e-19 (L-^(1-a) narrows the integrand as above)
 * and, for the zeros, 3e-29. */
DPPAIR_FN_ double dppair_renyi_opposed_(const dppair_hits_ *h, double a) {
  const double s = h->shift[h->count - 1];
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double step = 0.68 / dppair_sqrt_(1.0 + 0.25 * (a - 1.0) * s * s), reach = 2.0 * a * s;
  size_t direction, i;
  if (0.3 / s < step) step = 0.3 / s;
  if (!((reach + 50.0) / step <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (direction = 0; direction < 2; direction++) {
    for (i = direction;; i++) {
      const double x = (direction == 0 ? step : -step) * (double)i;
      double up, down, w, l, term;
      const double l_up = dppair_hits_log_(h, x, &up), l_down = dppair_hits_log_(h, -x, &down);
      l = l_up - l_down;
      if (down > -0.5 && up < 1e250 && down < 1e250)
        w = (up - down) / (1.0 + down);
      else
        w = l < 690.0 ? dppair_expm1_(l) : 1e299;
      if (dppair_fabs_(w) < 0.5) l = dppair_log1p_(w);
      term = dppair_add_power_(&sum, 1.0, l_down - 0.5 * x * x, a, w, l);
      if (dppair_fabs_(x) > (direction == 0 ? reach : 0.0) + 6.0 && term <= 1e-18 * sum.sum) break;
      if (dppair_fabs_(x) > reach + 40.0) break;
    }
  }
  return dppair_log_(sum.sum * step * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(F_a(g, s) - 1): one hit with probability g, shift s. Panels of width 1, or 1.5/s, where the
 * zeros of L are closer. */
DPPAIR_FN_ double dppair_renyi_amplified_(double g, double s, double a) {
  /* Gauss-Legendre, 12 nodes on [-1, 1]. */
  static const double node[6] = {0.12523340851146891547, 0.36783149899818019375,
                                 0.58731795428661744730, 0.76990267419430468704,
                                 0.90411725637047485668, 0.98156063424671925069};
  static const double weight[6] = {0.24914704581340278500, 0.23349253653835480876,
                                   0.20316742672306592175, 0.16007832854334622633,
                                   0.10693932599531843096, 0.04717533638651182719};
  dppair_scaled_sum_ sum = {0.0, 0.0};
  double width = 1.5 / s < 1.0 ? 1.5 / s : 1.0, reach, x = 0.5 * s;
  dppair_hits_ one;
  memset(&one, 0, sizeof one);
  one.count = 1;
  one.miss = 1.0 - g;
  one.probability[0] = g;
  one.shift[0] = s;
  reach = dppair_peak_bound_(&one, a, s);
  if (!(12.0 * (reach + 70.0) / width <= DPPAIR_RENYI_NODES_)) return DBL_MAX;
  for (;;) {
    const double half = 0.5 * width, middle = x + half;
    double panel = 0.0;
    const double scale = sum.scale;
    int k;
    for (k = 0; k < 12; k++) {
      const double y = k < 6 ? middle - half * node[k] : middle + half * node[k - 6];
      const double wk = weight[k % 6];
      double u;
      const double l = dppair_hits_log_(&one, y, &u);
      panel += dppair_add_power_(&sum, wk * half, -0.5 * y * y, a, u, l);
      /* from there on f_a has been rounded up to L^a, which is above the sum of both */
      if (l * a < 600.0) panel += dppair_add_power_(&sum, wk * half, -0.5 * y * y, 1.0 - a, u, l);
    }
    x += width;
    if (sum.scale > scale) continue;
    if (x > reach + 6.0 && panel <= 1e-18 * sum.sum) break;
    if (x > reach + 60.0) break;
  }
  return dppair_log_(sum.sum * DPPAIR_INV_SQRT_2PI_) + sum.scale;
}

/* log(e^x + e^y). */
DPPAIR_FN_ double dppair_log_add_(double x, double y) {
  return x > y ? x + dppair_log1p_(dppair_exp_(y - x)) : y + dppair_log1p_(dppair_exp_(x - y));
}

/*
 * An upper bound of log(A)/(a - 1) without integration, sharp where one exponential dominates. By
 * Minkowski's inequality in L^a a mixture r has log |r|_a <= log(1 - g + sum p_k e^((a-1)
 * s_k^2/2)), and A = |r|_a^a. The opposed pair has another factor (1-g)^(1-a), since L- >= 1 - g.
 * Amplified: F_a(g, s) <= 1 + |r|_a^a for each shift. Never above the curve without sampling.
 */
DPPAIR_FN_ double dppair_renyi_bound_(const dppair_hits_ *h, double a) {
  const double largest = h->shift[h->count - 1];
  const double plain = (h->comparison == DPPAIR_OPPOSED_ ? 2.0 : 0.5) * a * largest * largest;
  const double rest = h->miss > 0.0 ? dppair_log_(h->miss) : -DBL_MAX;
  const int little = 0.5 * (a - 1.0) * largest * largest < 600.0;
  double norm = rest, sum = 0.0, value = -DBL_MAX;
  size_t k;
  if (!(h->miss > 0.0) && h->comparison != DPPAIR_MIXTURE_) return plain;
  for (k = 0; k < h->count; k++) {
    const double p = h->probability[k], top = 0.5 * (a - 1.0) * h->shift[k] * h->shift[k];
    if (!(p > 0.0)) continue;
    if (h->comparison == DPPAIR_AMPLIFIED_) {
      const double one = dppair_log_add_(rest, dppair_log_(h->gamma) + top);
      const double part = dppair_log_(p / h->gamma) + dppair_log_add_(0.0, a * one);
      value = value > -DBL_MAX ? dppair_log_add_(value, part) : part;
    } else if (little) {
      sum += p * dppair_expm1_(top);
    } else {
      norm = norm > -DBL_MAX ? dppair_log_add_(norm, dppair_log_(p) + top) : dppair_log_(p) + top;
    }
  }
  if (h->comparison != DPPAIR_AMPLIFIED_) value = a * (little ? dppair_log1p_(sum) : norm);
  value = value / (a - 1.0) - (h->comparison == DPPAIR_OPPOSED_ ? rest : 0.0);
  return value < plain ? value : plain;
}

/* Does the term e^((a-1) s^2/2) of a hit dominate, so that the closed bound is good to e^-45? rest:
 * log(1 - g) for the opposed pair, whose bound divides by it, else 0. */
DPPAIR_FN_ int dppair_renyi_dominated_(double gamma, double shift, double a, double rest) {
  return 0.5 * (a - 1.0) * shift * shift > 45.0 - dppair_log_(gamma) + dppair_log_(a) - rest;
}

/* log(A - 1) for the amplified comparison, the sum of p_k/gamma (F_a(gamma, s_k) - 1). */
DPPAIR_FN_ double dppair_renyi_amplified_sum_(const dppair_hits_ *h, double a) {
  double excess = -DBL_MAX;
  size_t k;
  for (k = 0; k < h->count; k++) {
    const double tilt = 0.5 * (a - 1.0) * h->shift[k] * h->shift[k];
    double part;
    if (!(h->probability[k] > 0.0)) continue;
    if (h->gamma >= 1.0)
      part = a * tilt < 30.0 ? dppair_log_(dppair_expm1_(a * tilt)) : a * tilt;
    else if (dppair_renyi_dominated_(h->gamma, h->shift[k], a, 0.0))
      part = a * (dppair_log_(h->gamma) + tilt + 1e-15);
    else
      part = dppair_renyi_amplified_(h->gamma, h->shift[k], a);
    part += dppair_log_(h->probability[k] / h->gamma);
    excess = excess > -DBL_MAX ? dppair_log_add_(excess, part) : part;
  }
  return excess;
}

/* log(A)/(a - 1) for one execution of a sampled step, or an upper bound that is as good. */
DPPAIR_FN_ double dppair_renyi_hits_(const dppair_hits_ *h, double a) {
  const double largest = h->shift[h->count - 1];
  const int opposed = h->comparison == DPPAIR_OPPOSED_;
  double excess, bound, value;
  if (h->gamma >= 1.0 && h->count == 1) return (opposed ? 2.0 : 0.5) * a * largest * largest;
  bound = dppair_renyi_bound_(h, a);
  if (h->count == 1 &&
      dppair_renyi_dominated_(h->gamma, largest, a, opposed ? dppair_log_(h->miss) : 0.0))
    return bound;
  if (opposed) {
    excess = dppair_renyi_opposed_(h, a);
  } else if (h->comparison == DPPAIR_MIXTURE_) {
    excess = dppair_renyi_mixture_(h, a);
    /* One shift: the reflection x -> s - x proves that the other direction is smaller (Mironov,
     * Talwar and Zhang 2019, Theorem 5). Several: it is computed. */
    if (h->count > 1) {
      const double other = dppair_renyi_mixture_(h, 1.0 - a);
      if (!(other <= excess)) excess = other; /* NaN is kept: then the bound answers */
    }
  } else {
    excess = dppair_renyi_amplified_sum_(h, a);
  }
  value = (excess < 700.0 ? dppair_log1p_(dppair_exp_(excess)) : excess) / (a - 1.0);
  return value < bound ? value : bound;
}

/* ---- src/accountant/dominating_pairs.h ------------------------------------------------------
 * Dominating pairs
 *
 * A step is replaced by a pair of laws (P, Q) whose hockey-stick curve E_P (1 - t e^-L)_+,
 * L = log dP/dQ, t = e^epsilon, is at least that of the step for all neighbours; such pairs
 * compose (Zhu, Dong and Wang 2022). Let x ~ N(0,1) and r(x) = sum_k p_k exp(b_k x - b_k^2/2),
 * where p_k is the chance that the record is hit k times and b_k the shift that k hits cause in
 * units of the noise. All pairs are mixtures of an atom at loss 0 and of branches, on the line or
 * on a half line:
 *
 *   forward    mass r(x) phi(x), loss  log r(x)            P = mixture,  Q = N(0,1)
 *   backward   mass   phi(x),    loss -log r(x)            the same pair the other way round
 *   opposite   mass r(x) phi(x), loss  log r(x) - log r(-x)    mixture of +b_k against -b_k
 *
 * Zeroed record, Poisson sampling: forward and backward, each composed by itself; the larger of the
 *   two answers counts. Replaced record, Poisson sampling: opposite. Proof for both: condition on
 *   what the record does not touch (joint convexity) and centre it. The densities relative to
 *   N(0, I) are L = sum_v c_v exp(<v,x> - |v|^2/2) over the values v that the touched part takes:
 * the law of the first data set minus t times that of the second, with coefficients c_v of either
 *   sign. Replace the Gaussian field <v,x> by one with covariance K* and interpolate (Kahane 1985):
 *       d/ds E (L_s)_+ = 1/2 sum c_v c_v' (K* - K)_vv' E[(L_s)''_+ e_v e_v'] >= 0
 *   as soon as K*_vv' >= K_vv' where c_v c_v' > 0 and K*_vv' <= K_vv' where c_v c_v' < 0. With
 *   |v| at most the shift of its number of hits, both pairs above have these covariances. (So any
 *   directions, any norms below the clip, any dependence between value and hits are covered.)
 *   For a zeroed record this needs hits that are independent of the rest of the batch.
 * Fixed-size samples, replaced record: advanced joint convexity (Balle, Barthe and Gaboardi 2018,
 *   theorem 10) gives the curve sum_k p_k delta_G(log(1 + (t-1)/gamma), b_k) for t >= 1 both ways,
 *   gamma = P(k >= 1): for each k forward with r = 1 - gamma + gamma exp(b_k x - b_k^2/2) on
 *   {r > 1} = {x > b_k/2}, backward on the same half line, and the rest of the mass at loss 0.
 * Laplace: with e = sensitivity/b the losses are e on x < 0, e - 2x/b between, and -e beyond. Pure
 *   privacy is dominated by randomised response (Kairouz, Oh and Viswanath 2015): atoms at
 *   +-epsilon.
 * Positive part of a Gaussian loss (mechanisms/objective.h): forward on {r > 1} = {x > mu/2}, and
 *   the rest of P's mass at loss 0. Q has less mass there, the rest of it where P has none.
 *
 * Hits beyond a cap are not cut off. Upper bounds exclude them by conditioning and add T P(K > cap)
 * to delta (the law of K is the same on both data sets, so P(S) <= P(any K > cap) + P_c(S) and
 * Q(S) >= (1 - P(any)) Q_c(S)). Lower bounds count them as no hit, which is a pair that the true
 * one dominates (both proofs above are monotone in the shifts). The tail is so small that the two
 * laws differ by less than the rounding of their weights, so one computation serves for both.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PI_ 3.14159265358979323846

enum {
  DPPAIR_LAW_NONE_ = 0,
  DPPAIR_LAW_GAUSSIAN_,
  DPPAIR_LAW_MIXTURE_,
  DPPAIR_LAW_OPPOSITE_,
  DPPAIR_LAW_AMPLIFIED_,
  DPPAIR_LAW_LAPLACE_,
  DPPAIR_LAW_RESPONSE_,
  DPPAIR_LAW_POSITIVE_,
  DPPAIR_LAW_ALLOCATION_ /* the table of allocation/: no branches */
};

/* One step's dominating pair. */
typedef struct dppair_law_ {
  int kind;
  double steps;
  double mu;      /* Gaussian, positive part: shift; Laplace, response: the largest loss */
  double gamma;   /* amplified: chance of at least one hit */
  double rest;    /* chance of no hit */
  double failure; /* per step, added to delta */
  double slip;    /* relative error of each p_k, of gamma and of rest */
  int merged;     /* the hits are those of a law above the true one: no lower bounds */
  size_t terms;
  double p[DPPAIR_HIT_CAPACITY_], shift[DPPAIR_HIT_CAPACITY_];
  double noise;   /* allocation: the multiplier */
  size_t batches; /* of a run */
  int replaces;   /* 1: a replaced record, 0: a zeroed one */
} dppair_law_;

/* 2 when the pair the other way round is another one, and both are to be composed. */
DPPAIR_FN_ int dppair_law_directions_(const dppair_law_ *law) {
  return law->kind == DPPAIR_LAW_MIXTURE_ || (law->kind == DPPAIR_LAW_ALLOCATION_ && !law->replaces)
             ? 2
             : 1;
}

enum { DPPAIR_FORWARD_ = 0, DPPAIR_BACKWARD_ = 1, DPPAIR_OPPOSITE_ = 2 };

/* One branch: r(x) = 1 + sum p[k] (exp(b[k] x - b[k]^2/2) - 1) = rest + sum p[k] exp(..), on x >
 * from when half is set. */
typedef struct dppair_branch_ {
  int shape, half;
  double from;
  double log_weight; /* of the whole branch */
  double reach;      /* largest b: 0 <= (log r)' <= reach */
  double rest;       /* no hit */
  double slip;       /* relative error of each p and of rest */
  size_t terms;
  double p[DPPAIR_HIT_CAPACITY_], b[DPPAIR_HIT_CAPACITY_];
} dppair_branch_;

/* Beyond these the exponentials of losses, or the squares of shifts, leave the doubles, and a
 * Laplace loss loses its digits: NO_CONVERGENCE, and other routes answer. */
#define DPPAIR_LAW_PURE_MOST_ 500.0
#define DPPAIR_LAW_NOISE_LEAST_ 1e-3
#define DPPAIR_LAW_NOISE_MOST_ 1e100
#define DPPAIR_LAW_LAPLACE_MOST_ 1e12

/* Is the noise multiplier of a step that is no epsilon within the range of the doubles? */
DPPAIR_FN_ dppair_status dppair_law_scale_(double multiplier, double most) {
  return multiplier > DPPAIR_LAW_NOISE_LEAST_ && multiplier < most ? DPPAIR_OK
                                                                   : DPPAIR_ERR_NO_CONVERGENCE;
}

/* How many branches a law has: two per number of hits when amplified, else one, or none where there
 * are atoms only. */
DPPAIR_FN_ size_t dppair_branches_(const dppair_law_ *law) {
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) return 2 * law->terms;
  return law->kind == DPPAIR_LAW_MIXTURE_ || law->kind == DPPAIR_LAW_OPPOSITE_ ||
                 law->kind == DPPAIR_LAW_POSITIVE_
             ? 1
             : 0;
}

/* The i-th branch of a law; backward: the direction to compose. */
DPPAIR_FN_ void dppair_branch_of_(dppair_branch_ *branch, const dppair_law_ *law, size_t i,
                                  int backward) {
  branch->half = 0;
  branch->from = branch->log_weight = 0.0;
  branch->slip = law->slip;
  branch->rest = law->rest;
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) {
    const double shift = law->shift[i / 2];
    branch->shape = i % 2 == 0 ? DPPAIR_FORWARD_ : DPPAIR_BACKWARD_;
    branch->half = 1;
    branch->from = 0.5 * shift;
    branch->log_weight = dppair_log_(law->p[i / 2]);
    branch->terms = 1;
    branch->p[0] = law->gamma;
    branch->b[0] = shift;
  } else if (law->kind == DPPAIR_LAW_POSITIVE_) {
    branch->shape = DPPAIR_FORWARD_;
    branch->half = 1;
    branch->from = 0.5 * law->mu;
    branch->terms = 1;
    branch->p[0] = 1.0;
    branch->b[0] = law->mu;
  } else {
    branch->shape = law->kind == DPPAIR_LAW_OPPOSITE_ ? DPPAIR_OPPOSITE_
                    : backward                        ? DPPAIR_BACKWARD_
                                                      : DPPAIR_FORWARD_;
    branch->terms = law->terms;
    memcpy(branch->p, law->p, law->terms * sizeof *law->p);
    memcpy(branch->b, law->shift, law->terms * sizeof *law->shift);
  }
  branch->reach = branch->b[branch->terms - 1];
}

/* The mass of a law at loss 0 (amplified: (1 - gamma) P(|N| < shift/2); positive part: P(N >
 * mu/2)).
 */
DPPAIR_FN_ double dppair_law_atom_(const dppair_law_ *law) {
  double sum = 0.0;
  size_t k;
  if (law->kind == DPPAIR_LAW_POSITIVE_)
    return 0.5 * dppair_erfc_(law->mu * (0.5 * 0.70710678118654752440));
  if (law->kind != DPPAIR_LAW_AMPLIFIED_) return 0.0;
  for (k = 0; k < law->terms; k++)
    sum += law->p[k] * dppair_erf_(law->shift[k] * (0.5 * 0.70710678118654752440));
  return law->rest * sum;
}

/* A bound of its relative error. The argument has 1.8 u, which counts |x erfc'(x)|/erfc(x) <= 2 x^2
 * + 1 = mu^2/4 + 1 times, and for erf once; sum and products u each. */
DPPAIR_FN_ double dppair_law_atom_error_(const dppair_law_ *law) {
  return DPPAIR_UNIT_ * (law->kind == DPPAIR_LAW_POSITIVE_
                             ? DPPAIR_ERFC_ERROR_ + 2.0 + 0.5 * law->mu * law->mu
                             : DPPAIR_ERF_ERROR_ + 4.0 + (double)law->terms);
}

/* log r(x) and what belongs to it. Convex in x: r is a sum of exponentials. */
typedef struct dppair_log_ratio_ {
  double value, slope;
  double share;  /* sum p_k e^(t_k)/r, t_k = b_k x - b_k^2/2: how much of r is hits */
  double spread; /* sum p_k |e^(t_k) - 1|/r, at most 1 when r < 1/2 */
} dppair_log_ratio_;

/* log r where exponentials overflow or all of r underflows: relative to the largest term. */
DPPAIR_FN_ void dppair_log_ratio_far_(dppair_log_ratio_ *g, const dppair_branch_ *branch,
                                      double x) {
  const double none = branch->rest > 0.0 ? dppair_log_(branch->rest) : -DBL_MAX;
  double top = none, share = 0.0, slope = 0.0, r;
  size_t k;
  for (k = 0; k < branch->terms; k++) {
    const double t = branch->b[k] * (x - 0.5 * branch->b[k]) + dppair_log_(branch->p[k]);
    if (t > top) top = t;
  }
  for (k = 0; k < branch->terms; k++) {
    const double e =
        dppair_exp_(branch->b[k] * (x - 0.5 * branch->b[k]) + dppair_log_(branch->p[k]) - top);
    share += e;
    slope += e * branch->b[k];
  }
  r = share + dppair_exp_(none - top);
  g->value = top + dppair_log_(r);
  g->slope = slope / r;
  g->share = share / r;
  g->spread = 1.0;
}

/* 1 when an exponential of r may overflow at x. b (x - b/2) <= x^2/2, so none does for x <= 34. */
DPPAIR_FN_ int dppair_log_ratio_is_far_(const dppair_branch_ *branch, double x) {
  size_t k;
  if (!(x > 34.0)) return 0;
  for (k = 0; k < branch->terms; k++)
    if (branch->b[k] * (x - 0.5 * branch->b[k]) > 600.0) return 1;
  return 0;
}

/* log r(x), from r - 1 where r is above 1/2, so that a small log r keeps its digits. */
DPPAIR_FN_ void dppair_log_ratio_of_(dppair_log_ratio_ *g, const dppair_branch_ *branch, double x) {
  double excess = 0.0, spread = 0.0, share = 0.0, slope = 0.0, r;
  size_t k;
  if (branch->terms == 1 && branch->p[0] >= 1.0) { /* plain Gaussian */
    g->value = branch->reach * (x - 0.5 * branch->reach);
    g->slope = branch->reach;
    g->share = 1.0;
    g->spread = 0.0;
    return;
  }
  if (dppair_log_ratio_is_far_(branch, x)) {
    dppair_log_ratio_far_(g, branch, x);
    return;
  }
  for (k = 0; k < branch->terms; k++) {
    const double b = branch->b[k], p = branch->p[k], t = b * (x - 0.5 * b);
    double e, less;
    if (t > 0.7 || t < -1.0) { /* e^t - 1 loses no digits here */
      e = dppair_exp_(t);
      less = e - 1.0;
    } else {
      less = dppair_expm1_(t);
      e = less + 1.0;
    }
    excess += p * less;
    spread += p * dppair_fabs_(less);
    share += p * e;
    slope += p * e * b;
  }
  if (excess > -0.5) {
    r = 1.0 + excess;
    g->value = excess > 0.5 ? dppair_log_(r) : dppair_log1p_(excess);
    g->spread = spread / r;
  } else { /* a sum of positive terms, each with its own relative error only */
    r = branch->rest + share;
    if (r < 1e-250) {
      dppair_log_ratio_far_(g, branch, x);
      return;
    }
    g->value = dppair_log_(r);
    g->spread = 1.0;
  }
  r = 1.0 / r;
  g->slope = slope * r;
  g->share = share * r;
}

/* A bound of the error of log r. exp, expm1, log, log1p, sin, cos and atan2 are within 2 ulp
 * (core/math_exp.h, math_log.h, math_circle.h). The arguments carry the rounding of products and of
 * 1/noise_multiplier.
 */
DPPAIR_FN_ double dppair_log_ratio_error_(const dppair_log_ratio_ *g, const dppair_branch_ *branch,
                                          double x) {
  return DPPAIR_UNIT_ *
             (6.0 * (g->share * branch->reach * (dppair_fabs_(x) + branch->reach)) +
              ((double)branch->terms + 12.0) * g->spread + 6.0 * dppair_fabs_(g->value)) +
         branch->slip * g->spread;
}

/* A branch at one x. */
typedef struct dppair_place_ {
  double loss;
  double log_mass;   /* of the density of P in x */
  double g, slope;   /* log r(x) and its slope */
  double mirror;     /* slope of log r at -x (opposite) */
  double loss_error; /* a bound */
} dppair_place_;

DPPAIR_FN_ void dppair_place_of_(dppair_place_ *place, const dppair_branch_ *branch, double x) {
  dppair_log_ratio_ g;
  dppair_log_ratio_of_(&g, branch, x);
  place->g = g.value;
  place->slope = g.slope;
  place->mirror = 0.0;
  place->log_mass = branch->log_weight - 0.5 * x * x - DPPAIR_LOG_SQRT_2PI_;
  place->loss = g.value;
  place->loss_error = dppair_log_ratio_error_(&g, branch, x);
  if (branch->shape == DPPAIR_BACKWARD_) {
    place->loss = -g.value;
  } else {
    place->log_mass += g.value;
    if (branch->shape == DPPAIR_OPPOSITE_) {
      dppair_log_ratio_of_(&g, branch, -x);
      place->loss -= g.value;
      place->mirror = g.slope;
      place->loss_error +=
          dppair_log_ratio_error_(&g, branch, x) + DPPAIR_UNIT_ * dppair_fabs_(place->loss);
    }
  }
}

/* The i-th node of the Gauss-Legendre rule with 16 nodes on [-1, 1], and its weight. */
DPPAIR_FN_ double dppair_legendre_(double *weight, int i) {
  static const double node[8] = {0.09501250983763744018531, 0.28160355077925891323046,
                                 0.45801677765722738634241, 0.61787624440264374844667,
                                 0.75540440835500303389510, 0.86563120238783174388046,
                                 0.94457502307323257607798, 0.98940093499164993259615};
  static const double weights[8] = {0.18945061045506849628539, 0.18260341504492358886676,
                                    0.16915651939500253818931, 0.14959598881657673208150,
                                    0.12462897125553387205247, 0.09515851168249278480992,
                                    0.06225352393864789286284, 0.02715245941175409485178};
  *weight = weights[i < 8 ? 7 - i : i - 8];
  return i < 8 ? -node[7 - i] : node[i - 8];
}

/* ---- src/accountant/mechanisms/amplified.h --------------------------------------------------
 * What the mechanisms that draw records share: charge, curve and law from the hits
 *
 * Relies on hits.h, renyi.h and dominating_pairs.h.
 * ---------------------------------------------------------------------------------------------- */

/* The noise and the relation of a step that draws. */
DPPAIR_FN_ dppair_status dppair_amplified_check_(const dppair_step *step, int proved) {
  if (!(step->noise_multiplier > 1e-6)) return DPPAIR_ERR_SIGMA;
  if (!proved) return DPPAIR_ERR_NO_PROOF;
  return dppair_adjacency_check_(step->sampling.adjacency);
}

/* If every record is certain to be drawn, it is a plain Gaussian step. */
DPPAIR_FN_ void dppair_amplified_charge_(dppair_charge_ *charge, const dppair_hit_law_ *law,
                                         const dppair_sampling *s) {
  charge->attained = dppair_hits_attained_(law, s);
  if (law->hits.rate < 1.0) return;
  charge->mu = dppair_up_(dppair_up_((double)law->hits.trials * law->unit));
  if (law->comparison == DPPAIR_OPPOSED_) charge->mu *= 2.0;
}

DPPAIR_FN_ dppair_status dppair_amplified_renyi_(dppair_renyi_ *r, const dppair_hit_law_ *law) {
  dppair_hits_ hits;
  const dppair_status status =
      dppair_hits_make_(&hits, law, r->cap, r->tail, 0, DPPAIR_HIT_CAPACITY_);
  if (status != DPPAIR_OK) return status;
  dppair_hits_raise_(&hits);
  r->unpaid = hits.tail;
  r->rdp = dppair_renyi_hits_(&hits, r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_amplified_law_(dppair_law_ *law, const dppair_hit_law_ *hit_law,
                                               double tail) {
  dppair_hits_ hits;
  /* amplified laws bound from above only */
  const int both = hit_law->comparison != DPPAIR_AMPLIFIED_;
  const dppair_status status =
      dppair_hits_make_(&hits, hit_law, 0, tail > DPPAIR_TAIL_LEAST_ ? tail : DPPAIR_TAIL_LEAST_,
                        both, both ? DPPAIR_HIT_CAPACITY_ : DPPAIR_AMPLIFIED_HITS_);
  size_t k;
  if (status != DPPAIR_OK) return status;
  if (hits.count == 1 && hits.gamma >= 1.0) {
    law->kind = DPPAIR_LAW_GAUSSIAN_;
    law->mu = hits.shift[0] * (hits.comparison == DPPAIR_OPPOSED_ ? 2.0 : 1.0);
    return DPPAIR_OK;
  }
  law->terms = hits.count;
  law->gamma = hits.gamma;
  law->rest = hits.miss;
  law->failure = hits.tail;
  law->merged = hits.merged;
  law->slip = hits.slip + 2.0 * hits.tail;
  memcpy(law->p, hits.probability, hits.count * sizeof *law->p);
  memcpy(law->shift, hits.shift, hits.count * sizeof *law->shift);
  if (hits.comparison != DPPAIR_AMPLIFIED_) {
    law->kind = hits.comparison == DPPAIR_OPPOSED_ ? DPPAIR_LAW_OPPOSITE_ : DPPAIR_LAW_MIXTURE_;
    return DPPAIR_OK;
  }
  law->kind = DPPAIR_LAW_AMPLIFIED_;
  for (k = 0; k < law->terms; k++) law->p[k] /= law->gamma;
  law->slip = 2.0 * law->slip + 2.0 * hits.tail / law->gamma + 4.0 * DPPAIR_UNIT_;
  return DPPAIR_OK;
}

/* ---- src/accountant/mechanisms/gaussian.h ---------------------------------------------------
 * Gaussian noise: sensitivity / sigma = 1 / multiplier
 *
 * An account sums mu^2, which composes on the exact curve (gaussian_curve.h).
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_gaussian_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_gaussian_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->mu = dppair_up_(1.0 / step->noise_multiplier);
}

DPPAIR_FN_ dppair_status dppair_gaussian_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = 0.5 * r->order / step->noise_multiplier / step->noise_multiplier;
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_gaussian_law_(dppair_law_ *law, const dppair_step *step,
                                              double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_GAUSSIAN_;
  law->mu = 1.0 / step->noise_multiplier;
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
}

/* ---- src/accountant/mechanisms/laplace.h ----------------------------------------------------
 * Laplace noise: l1 sensitivity / scale = 1 / multiplier
 *
 * With e = sensitivity / scale the losses are e on one side, -e on the other, and linear between;
 * none exceeds e. One coordinate that moves by all of the sensitivity is the worst case.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_laplace_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_laplace_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_up_(1.0 / step->noise_multiplier);
}

/* e^y - 1 - y >= 0. */
DPPAIR_FN_ double dppair_exp_excess_(double y) {
  double part, sum, k;
  if (dppair_fabs_(y) > 0.3) return dppair_expm1_(y) - y;
  sum = part = 0.5 * y * y;
  for (k = 3.0; k < 30.0; k += 1.0) {
    part *= y / k;
    sum += part;
    if (dppair_fabs_(part) <= 1e-17 * sum) break;
  }
  return sum;
}

/* The Renyi curve of the Laplace mechanism (Mironov 2017), e = sensitivity / scale. Where the first
 * of its two exponentials is above e^30, the other is below e^-60 of it; 1e-13 covers it and the
 * rounding. */
DPPAIR_FN_ double dppair_laplace_curve_(double e, double a) {
  const double up = (a - 1.0) * e, c = 2.0 * a - 1.0;
  double value;
  if (up < 30.0)
    value =
        dppair_log1p_((a * dppair_exp_excess_(up) + (a - 1.0) * dppair_exp_excess_(-a * e)) / c) /
        (a - 1.0);
  else
    value = e + (dppair_log_(a / c) + 1e-13) / (a - 1.0);
  return value < e ? value : e;
}

DPPAIR_FN_ dppair_status dppair_laplace_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_laplace_curve_(1.0 / step->noise_multiplier, r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_laplace_law_(dppair_law_ *law, const dppair_step *step,
                                             double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_LAPLACE_;
  law->mu = 1.0 / step->noise_multiplier;
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_LAPLACE_MOST_);
}

/* ---- src/accountant/mechanisms/pure.h -------------------------------------------------------
 * Any epsilon-private mechanism; the multiplier is epsilon
 *
 * Dominated by randomised response (Kairouz, Oh and Viswanath 2015), whose Renyi curve is the
 * largest one. The other pure mechanisms are charged by these functions too.
 * ---------------------------------------------------------------------------------------------- */

/* The Renyi curve of randomised response, the largest among all epsilon-private mechanisms:
 * log( tanh(e/2) sinh(y) + 2 sinh(y/2)^2 + 1 )/(a - 1), y = (a-1) e. From y = 30 on the sum is
 * e^y/(1 + e^-e) but for a relative e^-2y < 1e-25. */
DPPAIR_FN_ double dppair_pure_curve_(double epsilon, double a) {
  const double y = (a - 1.0) * epsilon;
  double value;
  if (y < 30.0) {
    const double half = dppair_sinh_(0.5 * y);
    value = dppair_tanh_(0.5 * epsilon) * dppair_sinh_(y) + 2.0 * half * half;
    value = dppair_log1p_(value) / (a - 1.0);
  } else {
    value = epsilon - (dppair_log1p_(dppair_exp_(-epsilon)) - 1e-25) / (a - 1.0);
  }
  return value < epsilon ? value : epsilon;
}

/* The law of randomised response: atoms at +-epsilon. */
DPPAIR_FN_ dppair_status dppair_pure_atoms_(dppair_law_ *law, double epsilon) {
  law->kind = DPPAIR_LAW_RESPONSE_;
  law->mu = epsilon;
  return epsilon > DPPAIR_LAW_PURE_MOST_ ? DPPAIR_ERR_NO_CONVERGENCE : DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_pure_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_EPSILON);
}

DPPAIR_FN_ void dppair_pure_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = step->noise_multiplier;
}

DPPAIR_FN_ dppair_status dppair_pure_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(step->noise_multiplier, r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_pure_law_(dppair_law_ *law, const dppair_step *step, double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, step->noise_multiplier);
}

/* ---- src/accountant/mechanisms/zcdp.h -------------------------------------------------------
 * Any rho-zCDP mechanism; the multiplier is rho
 *
 * Only its Renyi curve a rho is known: no pair of laws that dominates it. An account sums rho.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_zcdp_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_EPSILON);
}

DPPAIR_FN_ void dppair_zcdp_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->rho = step->noise_multiplier;
}

DPPAIR_FN_ dppair_status dppair_zcdp_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = r->order * step->noise_multiplier;
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_zcdp_law_(dppair_law_ *law, const dppair_step *step, double tail) {
  (void)law;
  (void)step;
  (void)tail;
  return DPPAIR_ERR_NO_PROOF;
}

/* ---- src/accountant/mechanisms/persons.h ----------------------------------------------------
 * Gaussian noise on all pairs of a sample of records, where persons are protected
 *
 * m of n records without replacement, their pairs over m (m-1); one person owns at most k = `owned`
 * of the n, a public number, and all of his records are replaced. J ~ hypergeometric(n, k, m) of
 * them are drawn. With gamma = P(J >= 1), t = e^epsilon and z the multiplier, which divides what
 * one record of the batch moves (dppair_sensitivity_users_batch):
 *
 *   delta <= sum over j >= 1 of P(J = j) delta_G(log(1 + (t-1)/gamma), T(m, j)/((m-1) z))
 *
 * T: owners.h. One record (k = 1) is the law of records. Neither k times the epsilon of a record,
 * which is larger, nor the rate m/n for a person's, which is up to 1 - (1-m/n)^k: that is no bound.
 *
 * Proof. Both data sets have the same law of J and, given J = 0, of the batch: advanced joint
 * convexity (hits.h) leaves two comparisons. Given J = j, on both sides: couple the draws, and j of
 * the m records are replaced. Given J = j against J = 0: exchange the j records for j fresh ones of
 * others, of which there are enough when n - k >= m; a uniform subset again, and again j records
 * are replaced. Nothing but the number of the k records was used: those of a person who owns fewer
 * are among k that differ, if at all, on both sides. Relies on amplified.h.
 * ---------------------------------------------------------------------------------------------- */

/* The law of the hits of a step with owned > 0 that has been checked (dppair_sampling_owned_). */
DPPAIR_FN_ void dppair_hit_law_persons_(dppair_hit_law_ *law, const dppair_sampling *s) {
  law->hits = dppair_hypergeometric_make_(s->n, s->owned, s->m);
  law->batch = s->m;
}

/* ---- src/accountant/mechanisms/allocation.h -------------------------------------------------
 * Gaussian noise on a statistic of the records that are allocated to a batch
 *
 * What DPPAIR_SAMPLED_GAUSSIAN is with the sampling DPPAIR_ALLOCATION. An epoch is `batches` = t
 * steps, and every record is in `group` = k of them, by itself, all choices equally likely. Zeroing
 * one record (it is absent from the allocation) moves the statistic of a batch that holds it by at
 * most sigma/z, whatever else is in the batch; replacing it, by that much away from zero and by
 * that much to anywhere.
 *
 * One run of the law is one epoch of 1 of t' = floor(t/k) batches, and k runs are an epoch of k of
 * t. Proof: draw k disjoint blocks of t' steps at random, the t - k t' others at random too, and
 * then one step in each block: the k steps are uniform. Reveal the blocks (joint convexity); what
 * is left are k epochs of 1 of t', although their steps interleave: the induction of the proof for
 * one epoch (allocation/) goes through each block's sum by itself. Equal for k = 1 and k = t.
 *
 * An epoch that ends early is charged whole: its outputs are a function of those of a whole one.
 * ---------------------------------------------------------------------------------------------- */

/* The table of losses is known to be good for this many batches and these multipliers. */
#define DPPAIR_ALLOCATION_BATCHES_MOST_ 1000000
#define DPPAIR_ALLOCATION_EPOCHS_MOST_ 10000.0 /* alone: more are composed on the lattice */
#define DPPAIR_ALLOCATION_NOISE_LEAST_ 0.1
#define DPPAIR_ALLOCATION_NOISE_MOST_ 1e6

DPPAIR_FN_ dppair_status dppair_allocation_check_(const dppair_step *step) {
  const dppair_status status = dppair_amplified_check_(step, 1);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(&step->sampling);
}

/* t', the batches of one run. */
DPPAIR_FN_ size_t dppair_allocation_batches_(const dppair_sampling *s) {
  return s->batches / s->group;
}

DPPAIR_FN_ int dppair_allocation_replaces_(const dppair_sampling *s) {
  return dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE;
}

/* The shift of Gaussian noise that dominates one run, and at most two batches attain: all curves
 * fall with the number of batches (choose fewer of the steps first, alike in both worlds). One
 * batch is plain noise, 1/z or, replaced, 2/z; of two, a replaced record has the loss
 * (x_1 + x_2)/z. */
DPPAIR_FN_ double dppair_allocation_shift_(const dppair_sampling *s, double multiplier) {
  const double one = 1.0 / multiplier;
  if (!dppair_allocation_replaces_(s)) return one;
  return dppair_allocation_batches_(s) > 1 ? 1.41421356237309505 * one : 2.0 * one;
}

DPPAIR_FN_ int dppair_allocation_exact_(const dppair_sampling *s) {
  return dppair_allocation_batches_(s) <= (dppair_allocation_replaces_(s) ? 2u : 1u);
}

/* Plain Gaussian noise where that is what one run is. `lower` bounds of an epoch that ends
 * early, and of blocks that only dominate, are not known to be attained. */
DPPAIR_FN_ void dppair_allocation_charge_(dppair_charge_ *charge, const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if ((s->group > 1 && s->group < s->batches) || step->steps % s->batches != 0)
    charge->attained = DPPAIR_ATTAINED_NEVER_;
  if (dppair_allocation_exact_(s))
    charge->mu = dppair_up_(dppair_up_(dppair_allocation_shift_(s, step->noise_multiplier)));
}

/* The dominating pair of one run; where the table does not reach, of plain Gaussian noise. */
DPPAIR_FN_ dppair_status dppair_allocation_law_(dppair_law_ *law, const dppair_step *step,
                                                double tail) {
  const dppair_sampling *s = &step->sampling;
  const double z = step->noise_multiplier;
  const size_t batches = dppair_allocation_batches_(s), most = DPPAIR_ALLOCATION_BATCHES_MOST_;
  const int replaces = dppair_allocation_replaces_(s);
  (void)tail;
  law->kind = DPPAIR_LAW_GAUSSIAN_;
  law->mu = dppair_allocation_shift_(s, z) * (1.0 + 4.0 * DPPAIR_UNIT_);
  if (!dppair_allocation_exact_(s)) {
    law->merged = 1;
    if (z >= DPPAIR_ALLOCATION_NOISE_LEAST_ && z <= DPPAIR_ALLOCATION_NOISE_MOST_) {
      law->kind = DPPAIR_LAW_ALLOCATION_;
      law->merged = batches > most;
      law->batches = batches > most ? most : batches;
      law->replaces = replaces;
      law->noise = z;
    }
  }
  return dppair_law_scale_(z, DPPAIR_LAW_NOISE_MOST_);
}

/* That of the plain Gaussian noise that dominates one run. */
DPPAIR_FN_ dppair_status dppair_allocation_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double shift = dppair_allocation_shift_(&step->sampling, step->noise_multiplier);
  r->rdp = 0.5 * r->order * shift * shift;
  return DPPAIR_OK;
}

/* ---- src/accountant/mechanisms/sampled_gaussian.h -------------------------------------------
 * Gaussian noise on a statistic of drawn records
 *
 *   Poisson, zero-out      mixture, one hit with q, shift 1/z (added or zeroed)
 *   Poisson, replace-one   opposed, the same hit
 *   without replacement    replace-one: amplified, one hit with q, shift 1/z
 *   matching               the same
 *   with replacement       replace-one: amplified, K ~ Bin(m, 1/n), shift k/z
 *
 *   allocation             mechanisms/allocation.h
 *
 * The same for persons and for queries, where they are what is drawn. Where records are and persons
 * are protected (`owned`): persons.h.
 *
 * z is the multiplier (steps.h), and hits.h has the proofs. A combination that is not listed is
 * refused.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_sampled_gaussian_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_status status;
  if (s->kind == DPPAIR_ALLOCATION) return dppair_allocation_check_(step);
  status = dppair_amplified_check_(
      step, s->kind == DPPAIR_POISSON || s->kind == DPPAIR_WITHOUT_REPLACEMENT ||
                s->kind == DPPAIR_WITH_REPLACEMENT || s->kind == DPPAIR_MATCHING);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  status = dppair_sampling_fields_(s);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && s->group > 0) return DPPAIR_ERR_UNREAD; /* records */
  if (s->owned > 0) return dppair_sampling_owned_(s);
  return s->kind == DPPAIR_POISSON || dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* The law of the hits of a step that has been checked. */
DPPAIR_FN_ dppair_hit_law_ dppair_sampled_gaussian_hits_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_hit_law_ law;
  dppair_hit_law_once_(&law, s, 1.0 / step->noise_multiplier);
  if (s->kind == DPPAIR_POISSON) dppair_hit_law_poisson_(&law, s);
  if (s->kind == DPPAIR_WITH_REPLACEMENT) dppair_hit_law_draws_(&law, s, law.unit, 1);
  if (s->owned > 0) dppair_hit_law_persons_(&law, s);
  return law;
}

DPPAIR_FN_ void dppair_sampled_gaussian_charge_(dppair_charge_ *charge, const dppair_step *step) {
  dppair_hit_law_ hits;
  if (step->sampling.kind == DPPAIR_ALLOCATION) {
    dppair_allocation_charge_(charge, step);
    return;
  }
  hits = dppair_sampled_gaussian_hits_(step);
  dppair_amplified_charge_(charge, &hits, &step->sampling);
}

DPPAIR_FN_ dppair_status dppair_sampled_gaussian_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  dppair_hit_law_ hits;
  if (step->sampling.kind == DPPAIR_ALLOCATION) return dppair_allocation_renyi_(r, step);
  hits = dppair_sampled_gaussian_hits_(step);
  return dppair_amplified_renyi_(r, &hits);
}

DPPAIR_FN_ dppair_status dppair_sampled_gaussian_law_(dppair_law_ *law, const dppair_step *step,
                                                      double tail) {
  dppair_hit_law_ hits;
  dppair_status status;
  if (step->sampling.kind == DPPAIR_ALLOCATION) return dppair_allocation_law_(law, step, tail);
  hits = dppair_sampled_gaussian_hits_(step);
  status = dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
  return status == DPPAIR_OK ? dppair_amplified_law_(law, &hits, tail) : status;
}

/* ---- src/accountant/mechanisms/sampled_pairs.h ----------------------------------------------
 * Gaussian noise on a sum over drawn pairs
 *
 *   Poisson, zero-out      mixture, K ~ Bin(n-1, rate), shift k/z
 *   Poisson, replace-one   opposed, the same hits
 *   with replacement       amplified, K ~ Bin(m, 2/n), shift 2k/z (m counts pairs); of groups of g
 *                          different records, each any function of its records, Bin(m, g/n)
 *   matching               replace-one: amplified, one hit with q, shift 2/z; the same for groups
 *                          of more than two, whose vectors the multiplier then is about
 *
 * z is the multiplier (steps.h), and hits.h has the proofs. A combination that is not listed is
 * refused: pairs have no proof without replacement.
 * ---------------------------------------------------------------------------------------------- */

/* Every unordered pair is drawn with the pair rate: it and n are all that is read. A rate that was
 * lost must not make a step free. */
DPPAIR_FN_ dppair_status dppair_sampled_pairs_poisson_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  if (s->q != 0.0 || s->m != 0 || s->batches != 0 || s->group != 0 || s->owned != 0)
    return DPPAIR_ERR_UNREAD;
  if (s->n < 2) return DPPAIR_ERR_SIZE;
  if (step->pair_rate < 0.0 || step->pair_rate > 1.0) return DPPAIR_ERR_DOMAIN;
  return step->pair_rate > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
}

DPPAIR_FN_ dppair_status dppair_sampled_pairs_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_status status = dppair_amplified_check_(step, s->kind == DPPAIR_POISSON ||
                                                           s->kind == DPPAIR_WITH_REPLACEMENT ||
                                                           s->kind == DPPAIR_MATCHING);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_POISSON) return dppair_sampled_pairs_poisson_check_(step);
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  status = dppair_sampling_fields_(s);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && dppair_sampling_group_(s) > s->n)
    return DPPAIR_ERR_SIZE;
  /* the bound for draws with replacement counts a replacement, which covers zeroing */
  return s->kind == DPPAIR_WITH_REPLACEMENT ||
                 dppair_adjacency_move_(s->adjacency) == DPPAIR_REPLACE_ONE
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* The law of the hits of a step that has been checked. */
DPPAIR_FN_ dppair_hit_law_ dppair_sampled_pairs_hits_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  dppair_hit_law_ law;
  dppair_hit_law_once_(&law, s, 1.0 / step->noise_multiplier * 2.0);
  if (s->kind == DPPAIR_POISSON) {
    dppair_hit_law_poisson_(&law, s);
    law.hits = dppair_binomial_make_(s->n - 1, step->pair_rate, 1.0 - step->pair_rate);
    law.unit = 1.0 / step->noise_multiplier;
  }
  if (s->kind == DPPAIR_WITH_REPLACEMENT)
    dppair_hit_law_draws_(&law, s, law.unit, dppair_sampling_group_(s));
  return law;
}

DPPAIR_FN_ void dppair_sampled_pairs_charge_(dppair_charge_ *charge, const dppair_step *step) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  dppair_amplified_charge_(charge, &hits, &step->sampling);
}

DPPAIR_FN_ dppair_status dppair_sampled_pairs_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  return dppair_amplified_renyi_(r, &hits);
}

DPPAIR_FN_ dppair_status dppair_sampled_pairs_law_(dppair_law_ *law, const dppair_step *step,
                                                   double tail) {
  const dppair_hit_law_ hits = dppair_sampled_pairs_hits_(step);
  const dppair_status status = dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
  return status == DPPAIR_OK ? dppair_amplified_law_(law, &hits, tail) : status;
}

/* ---- src/accountant/mechanisms/randomised_response.h ----------------------------------------
 * Randomised response with two answers; the multiplier is epsilon
 *
 * The worst epsilon-private mechanism, so that all of pure.h is exact for it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_randomised_response_check_(const dppair_step *step) {
  return dppair_pure_check_(step);
}

DPPAIR_FN_ void dppair_randomised_response_charge_(dppair_charge_ *charge,
                                                   const dppair_step *step) {
  dppair_pure_charge_(charge, step);
}

DPPAIR_FN_ dppair_status dppair_randomised_response_renyi_(dppair_renyi_ *r,
                                                           const dppair_step *step) {
  return dppair_pure_renyi_(r, step);
}

DPPAIR_FN_ dppair_status dppair_randomised_response_law_(dppair_law_ *law, const dppair_step *step,
                                                         double tail) {
  return dppair_pure_law_(law, step, tail);
}

/* ---- src/accountant/mechanisms/l2ball.h -----------------------------------------------------
 * Noise of density exp(-|z|_2 / scale): l2 sensitivity / scale = 1 / multiplier
 *
 * Two outputs' densities differ by the factor exp((|z - s|_2 - |z|_2)/scale), which is at most
 * exp(|s|_2/scale) by the triangle inequality, in any number of columns. So the release is
 * epsilon-private with epsilon = sensitivity / scale at delta = 0, and is charged like the worst
 * such mechanism, which it does not attain.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_l2ball_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_l2ball_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_step_pure_(step);
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_FN_ dppair_status dppair_l2ball_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(dppair_step_pure_(step), r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_l2ball_law_(dppair_law_ *law, const dppair_step *step,
                                            double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, dppair_step_pure_(step));
}

/* ---- src/accountant/mechanisms/skellam.h ----------------------------------------------------
 * Skellam noise on integers
 *
 * Sk(m), the difference of two Poisson variables of mean m/2, on every coordinate of an integer
 * vector that a record moves by D at most in l2 norm. The multiplier is z = 1/(D sqrt kappa), kappa
 * = 2 ln(I_0(m)/I_1(m)) (dppair_skellam_sigma over D). Then with c = 1/z^2, f the fraction of a,
 *
 *   Renyi(a) <= c (a/2 + f (1 - f)/(2 (a - 1))),     the Gaussian's curve a c/2 at every whole
 * order.
 *
 * Proof. The law's pmf is e^-m I_|x|(m); put V = -ln of it. I_{x-1} I_{x+1}/I_x^2 is E cos 2t for t
 * in [0, pi/2] of density proportional to I_{2x}(2m cos t) (Neumann), which is more concentrated
 * near 0 the larger x >= 0 is, since I_{2x+2}/I_{2x} grows with its argument. So the second
 * difference of V is largest at 0, where it is kappa. For a move by k let L(x) = V(x+k) - V(x);
 * then L(x-k) >= L(x) - kappa k^2. M(b) = E e^(-b L(X)) has M(0) = M(1) = 1 and M(b+1) = sum p(x)
 * e^(-b L(x-k)) <= e^(b kappa k^2) M(b), hence M(a) <= e^(kappa k^2 a(a-1)/2) at whole a, and
 * e^((a-1) Renyi(a)) = M(a). ln M is convex: between whole orders it is below the chord.
 * Coordinates add up.
 *
 * Poisson samples, zero-out (sampled_skellam): at whole orders the curve of the sampled Gaussian of
 * this multiplier, in both directions. The mixture first: expand (1 - q + q r)^a and use the above
 * for each power of r = P_1/P_0. The other direction is smaller, as it is for every pair that an
 * involution (here x -> k - x) exchanges: with x = 1 - q + q r, y = 1 - q + q/r and h(t) = t^a -
 * t^(1-a) the difference is E_0[h(x) + r h(y)]/2, and for r >= 1 x >= 1/y and sqrt(x) sinh((a -
 * 1/2) ln x) >= r sqrt(y) sinh((a - 1/2) ln(1/y)), an equality at a = 1 whose sides' ratio grows
 * with a. Between whole orders by convexity again.
 *
 * No pair of laws is known to dominate: accounts answer by the Renyi orders. It is not the Gaussian
 * mechanism, and not z-CDP at orders between whole ones. Samples without replacement have no proof.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_skellam_check_(const dppair_step *step) {
  return dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
}

DPPAIR_FN_ void dppair_skellam_charge_(dppair_charge_ *charge, const dppair_step *step) {
  (void)step;
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_FN_ dppair_status dppair_skellam_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double z = step->noise_multiplier, part = r->order - dppair_floor_(r->order);
  r->rdp = (0.5 * r->order + 0.5 * part * (1.0 - part) / (r->order - 1.0)) / z / z;
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_skellam_law_(dppair_law_ *law, const dppair_step *step,
                                             double tail) {
  (void)law;
  (void)step;
  (void)tail;
  return DPPAIR_ERR_NO_PROOF;
}

/* --- Poisson samples -------------------------------------------------------------------------- */

DPPAIR_FN_ dppair_status dppair_sampled_skellam_check_(const dppair_step *step) {
  const dppair_sampling *s = &step->sampling;
  const dppair_status status = dppair_amplified_check_(step, s->kind == DPPAIR_POISSON);
  if (status != DPPAIR_OK) return status;
  if (step->pair_rate != 0.0) return DPPAIR_ERR_UNREAD;
  return dppair_sampling_fields_(s);
}

DPPAIR_FN_ void dppair_sampled_skellam_charge_(dppair_charge_ *charge, const dppair_step *step) {
  dppair_skellam_charge_(charge, step);
}

/* The logarithm of the moment, (a - 1) times the curve, on the chord of the whole orders around a.
 */
DPPAIR_FN_ dppair_status dppair_sampled_skellam_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  const double low = dppair_floor_(r->order), part = r->order - low;
  dppair_hit_law_ law;
  dppair_hits_ hits;
  double log_moment = 0.0;
  dppair_status status;
  dppair_hit_law_once_(&law, &step->sampling, 1.0 / step->noise_multiplier);
  dppair_hit_law_poisson_(&law, &step->sampling);
  status = dppair_hits_make_(&hits, &law, 0, 0.0, 0, DPPAIR_HIT_CAPACITY_);
  if (status != DPPAIR_OK) return status;
  dppair_hits_raise_(&hits);
  if (low > 1.0) log_moment = (1.0 - part) * (low - 1.0) * dppair_renyi_hits_(&hits, low);
  if (part > 0.0) log_moment += part * low * dppair_renyi_hits_(&hits, low + 1.0);
  r->rdp = log_moment / (r->order - 1.0);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_sampled_skellam_law_(dppair_law_ *law, const dppair_step *step,
                                                     double tail) {
  return dppair_skellam_law_(law, step, tail);
}

/* ---- src/accountant/mechanisms/objective.h --------------------------------------------------
 * Objective perturbation: the minimiser of a regularised convex loss with a random linear term
 *
 *     w = argmin  sum_i psi(w.u_i) + ridge/2 |w - centre|^2 + b.w,   |u_i| <= radius, b random
 *
 * psi is convex and falls: 0 <= -psi' <= slope and 0 <= psi'' <= curvature. In units in which
 * radius, slope and curvature are 1 the noise of b has the scale z, the noise multiplier, and the
 * ridge is the field of that name, ridge / (curvature radius^2). What is released is the exact w
 * (or a function of it; output noise that hides how far a computed one is from it is a charge of
 * its own). The centre, and the map that makes u_i of record i, may depend on earlier releases.
 *
 * Write a_i(w) = -psi'(w.u_i), in [0, 1]. The objective is ridge-strongly convex and twice
 * differentiable, so b -> w is a bijection with inverse b(w) = sum_i a_i u_i - ridge (w - centre)
 * and Jacobian -H(w), H = sum_i psi'' u_i u_i^T + ridge I. Replace u by u'. The same w needs b' = b
 * + v, v = a' u' - a u. The log-ratio of the densities of w is
 *
 *     log p(b)/p(b + v)  +  log det H/det H'.
 *
 * Determinants. With H0 the part of H without the record, det H/det H0 = 1 + psi'' u.H0^-1 u lies
 * in [1, 1 + 1/ridge], and so does det H'/det H0: the second term is at most eta = log(1 +
 * 1/ridge), the surplus.
 *
 * Pure privacy. p ~ exp(-|b|/z): the first term is at most |v|/z <= 2/z.
 *
 * Gaussian b. The first term is l(a, a') = (2 b.v + |v|^2)/(2 z^2), convex in (a, a'), hence at
 * most its maximum over the four corners (11, 10, 01, 00) of the square, where v = v_k is a FIXED
 * vector and l = l_k is the loss of a Gaussian mechanism. (v depends on b through w, so a bound on
 * the largest |v| by itself would prove nothing.) Let r = |u|, r' = |u'|, p = -u, q = u', c the
 * cosine of the angle between p and q, t = 1/z, X_k = exp(-l_k), delta_G the curve of a Gaussian
 * mechanism.
 *
 * Theorem. For real y let D(y) = E(1 - e^(y - max_k l_k))_+. For all r, r' <= 1 and c in [-1, 1],
 * D(y) <= A(y), its value at r = r' = c = 1:
 *
 *     A(y) = delta_G(y; 2t) for y >= 0,    A(y) = 1 - 2 e^y Phi(-t) for y < 0.
 *
 * Proof. D depends on the Gram matrix of p and q only. Put k = c r r' t^2: l_11 = l_10 + l_01 + k
 * and l_00 = 0. With G(m) = (1 - e^y m)_+, decreasing and convex, and K_kl = v_k.v_l t^2, Gaussian
 * integration by parts (Kahane 1986) says along any path
 *
 *     d/dt E G(min X) = (1/2) sum_kl K'_kl E[X_k X_l d_k d_l G(min X)]:
 *
 * a part with G'', of the sign of the change of |v_k|^2, k the smallest; and one that lives where
 * two corners tie for the minimum of X, of the sign of the change of |v_k - v_l|^2.
 *
 * (1) c >= 0. Let r, r', c grow to 1. Every |v_k|^2 grows, and so does
 *
 *     |v_k - v_l|^2 = (r da)^2 + (r' da')^2 + 2 c r r' da da',
 *
 * but for the pair (10, 01), which never ties for the maximum of l because l_11 + l_00 >= l_10 +
 * l_01. So D grows.
 *
 * (2) c < 0, with r, r' fixed. By the same formula (for c inside; D is continuous at the ends)
 *
 *     dD/dc = r r' t^2 { f_11(y) Pr[11 is the maximum | l_11 = y] - T },
 *
 * f_11 the density of l_11 and T the part of the tie l_10 = l_01 = l, that pair being the maximum
 * and l > y; 11 and 00 never tie at the maximum, since k < 0. The first term: l_11 = y is the
 * maximum only if l_10, l_01 >= -k, while l_10 + l_01 = y - k: it needs y >= -k. T: l >= l_11 =
 * 2l + k gives y < l <= -k: it needs y < -k. So D falls in c while -k > y and grows once -k <= y:
 * it is largest at an end of [-1, 0]. c = 0 is in (1).
 *
 * (3) c = -1. All v_k lie on one line, 0 and p + q between p and q; a loss is convex along the
 * line, so max l_k = max(l_10, l_01). |p|, |q|, |p - q| grow with r and r': worst at r = r' = 1,
 * where
 *
 *     D(y) = E(1 - e^(y - t|g| - t^2/2))_+ = 1 - 2 e^y Phi(-t)  for y <= t^2/2,
 *                                            2 delta_G(y; t)    for y >= t^2/2.
 *
 * y <= 0: equal to A. 0 < y <= t^2/2: with theta = e^y, A = E(1 - theta m)_+ is convex in theta and
 * equals 1 - 2 theta Phi(-t) for theta <= 1, hence lies above that line. y >= t^2/2: the derivative
 * of delta_G(y; m) in m is phi(d(m)), d(m) = m/2 - y/m, and d(2y/m) = -d(m). For m <= t the mirror
 * point 2t - m is >= m and <= 2y/m, because m (2t - m) <= t^2 <= 2y; so phi(d(2t - m)) >=
 * phi(d(m)), and integrated over m in [0, t], delta_G(y; 2t) - delta_G(y; t) >= delta_G(y; t). QED
 *
 * A zeroed record has u' = 0, or u = 0. Then v_k is 0 or p (q), D grows with the length of that
 * vector by (1), and A is the same with t in the place of 2t: the law of mu = 1/z, not of 2/z.
 *
 * The dominating pair. A is the curve of max(0, N(mu^2/2, mu^2)), mu = 2/z: E_P(1 - e^(y - L))_+ of
 * P with that loss and Q = e^-L P where P lives, the rest of Q's mass, 2 Phi(t) - 1, being where P
 * is not. Every loss has eta more, so the hockey stick of the mechanism at ANY real epsilon, for
 * every ordered pair of neighbours, is at most A(epsilon - eta): a dominating pair, in both orders
 * at once, since the relation of replacement is symmetric (of a zeroed record both orders were
 * covered). Such pairs compose adaptively (dominating_pairs.h): that r, r' and c depend on earlier
 * outputs costs nothing, because the bound holds for all of them. The Renyi moment of order a > 1
 * is a(a-1) int t^(a-2) H_t dt over the hockey sticks H_t, t > 0, where Q's part without P adds
 * nothing:
 *
 *     E e^((a-1) L) = Phi(-mu/2) + e^(a(a-1) mu^2/2) Phi((2a-1) mu/2).
 *
 * objective.h has the closed form beside plain Gaussian steps.
 * ---------------------------------------------------------------------------------------------- */

/* Both kinds: z and ridge, of records. One person's or one query's rows are many, for which nothing
 * is proved. */
DPPAIR_FN_ dppair_status dppair_objective_check_(const dppair_step *step) {
  const dppair_status status = dppair_plain_check_(step, DPPAIR_ERR_SIGMA);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(step->sampling.adjacency) != DPPAIR_OF_RECORDS_)
    return DPPAIR_ERR_ADJACENCY;
  return step->ridge >= 1e-280 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN; /* 0: the ridge was forgotten */
}

/* mu of the loss whose positive part the law is, rounded up. */
DPPAIR_FN_ double dppair_objective_mu_(const dppair_step *step) {
  return dppair_up_(dppair_step_moves_(step) / step->noise_multiplier);
}

DPPAIR_FN_ void dppair_objective_charge_(dppair_charge_ *charge, const dppair_step *step) {
  (void)step;
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

/*
 * log E e^((a-1) L)/(a-1) without the surplus. With v = a(a-1) mu^2/2, s = (2a-1) mu/2 and t = mu/2
 * the moment is 1 + (e^v - 1) Phi(s) + Phi(s) - Phi(t), and the last difference is at most (s - t)
 * phi(t), which is near it where it would cancel. A margin for that difference alone, the rest
 * being relative: erfc has 15 u twice, and the arguments' 1.8 u and 3.8 u count x
 * |erfc'(x)|/erfc(x)
 * <= 2 x^2 + 1 times, x^2 = t^2/2 at least, (s^2 + 1) erfc(s/sqrt 2) falling with s: 36 u + 6 u t^2
 * of Phi(-t), u = 1.2e-16.
 */
DPPAIR_FN_ double dppair_positive_curve_(double mu, double a) {
  const double root = 0.70710678118654752440, t = 0.5 * mu, s = (a - 0.5) * mu;
  const double v = 0.5 * a * (a - 1.0) * mu * mu;
  double less, most;
  if (v > 30.0) return 0.5 * a * mu * mu + 1e-13 / (a - 1.0); /* log(1 + e^-v) is above the rest */
  most = 0.5 * dppair_erfc_(t * root);
  less = most - 0.5 * dppair_erfc_(s * root) + (5e-15 + 1e-15 * t * t) * most;
  most = (a - 1.0) * mu * DPPAIR_INV_SQRT_2PI_ * dppair_exp_(-0.5 * t * t);
  return dppair_log1p_(dppair_expm1_(v) * 0.5 * dppair_erfc_(-s * root) +
                       (less < most ? less : most)) /
         (a - 1.0);
}

DPPAIR_FN_ dppair_status dppair_objective_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp =
      dppair_step_surplus_(step) + dppair_positive_curve_(dppair_objective_mu_(step), r->order);
  return DPPAIR_OK;
}

/* The law without the surplus, which whoever composes it adds: dppair_steps_surplus_. */
DPPAIR_FN_ dppair_status dppair_objective_law_(dppair_law_ *law, const dppair_step *step,
                                               double tail) {
  (void)tail;
  law->kind = DPPAIR_LAW_POSITIVE_;
  law->mu = dppair_objective_mu_(step);
  return dppair_law_scale_(step->noise_multiplier, DPPAIR_LAW_NOISE_MOST_);
}

/* --- Noise of density exp(-|b|/z) ----------------------------------------------------------------
 */

DPPAIR_FN_ dppair_status dppair_pure_objective_check_(const dppair_step *step) {
  return dppair_objective_check_(step);
}

DPPAIR_FN_ void dppair_pure_objective_charge_(dppair_charge_ *charge, const dppair_step *step) {
  charge->pure = dppair_step_pure_(step);
  charge->attained = DPPAIR_ATTAINED_NEVER_;
}

DPPAIR_FN_ dppair_status dppair_pure_objective_renyi_(dppair_renyi_ *r, const dppair_step *step) {
  r->rdp = dppair_pure_curve_(dppair_step_pure_(step), r->order);
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_status dppair_pure_objective_law_(dppair_law_ *law, const dppair_step *step,
                                                    double tail) {
  (void)tail;
  return dppair_pure_atoms_(law, dppair_step_pure_(step));
}

/* ---- src/accountant/mechanisms/dispatch.h ---------------------------------------------------
 * From a step to its mechanism
 *
 * The functions of mechanisms/NAME.h by the kind of a step, made from the table:
 *   dppair_NAME_check_   are the parameters in range, is every field that is read given and no
 *                        other, and is there a proof for them?
 *   dppair_NAME_charge_  what one run adds to an account
 *   dppair_NAME_renyi_   the Renyi divergence of one run
 *   dppair_NAME_law_     the dominating pair of one run, or NO_PROOF
 * The last three are for steps that have been checked.
 * ---------------------------------------------------------------------------------------------- */

/* Is this a step that can be charged? The relation may be left out where nothing is drawn. */
DPPAIR_FN_ dppair_status dppair_step_check_(const dppair_step *step) {
  const dppair_mechanism_row_ *row = dppair_mechanism_row_of_(step->kind);
  const dppair_sampling *s = &step->sampling;
  if (!dppair_isfinite_f64(step->noise_multiplier) || !dppair_isfinite_f64(s->q) ||
      !dppair_isfinite_f64(step->pair_rate) || !dppair_isfinite_f64(step->ridge))
    return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_DOMAIN;
  if (step->steps == 0) return DPPAIR_ERR_STEPS;
  if (!(row->reads & DPPAIR_READS_RIDGE_) && step->ridge != 0.0) return DPPAIR_ERR_UNREAD;
  if (s->adjacency != 0 && (dppair_adjacency_check_(s->adjacency) != DPPAIR_OK ||
                            !(row->relations & (int)dppair_adjacency_move_(s->adjacency))))
    return DPPAIR_ERR_ADJACENCY;
  switch (step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    return dppair_##name##_check_(step);
    DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_NO_MECHANISM_:
    break;
  }
  return DPPAIR_ERR_DOMAIN;
}

/* What one run of a step that has been checked adds to an account. */
DPPAIR_FN_ dppair_charge_ dppair_step_charge_(const dppair_step *step) {
  dppair_charge_ charge = {0.0, 0.0, 0.0, DPPAIR_ATTAINED_ALWAYS_};
  switch (step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    dppair_##name##_charge_(&charge, step);                                                        \
    break;
    DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_NO_MECHANISM_:
    break;
  }
  return charge;
}

/* dppair_renyi for a step that has been checked. tail > 0: hits are capped where that is left. */
DPPAIR_FN_ dppair_status dppair_renyi_step_(double *rdp, double *unpaid, const dppair_step *step,
                                            double order, size_t cap, double tail) {
  dppair_renyi_ r = {order, tail, cap, 0.0, 0.0};
  dppair_status status = DPPAIR_ERR_DOMAIN;
  *rdp = *unpaid = 0.0;
  switch (step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    status = dppair_##name##_renyi_(&r, step);                                                     \
    break;
    DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_NO_MECHANISM_:
    break;
  }
  if (status != DPPAIR_OK) return status;
  r.rdp *= 1.0 + DPPAIR_RENYI_SLACK_;
  if (!dppair_isfinite_f64(r.rdp) || r.rdp < 0.0 || r.rdp >= 1e300) return DPPAIR_ERR_OVERFLOW;
  *unpaid = r.unpaid;
  *rdp = r.rdp > DBL_MIN ? r.rdp : DBL_MIN; /* underflow must not make a step free */
  return DPPAIR_OK;
}

/*
 * *rdp = the Renyi divergence of order a in (1, 1e12] that one execution of the step costs, rounded
 * up (within 1e-10 relative); of allocated records, one epoch of 1 of batches/group batches,
 * bounded by that of plain Gaussian noise. hit_cap is 0, or the largest number of hits on one
 * record that is counted; then *unpaid, the probability of more, must be added to delta once per
 * execution: P(E)
 * <= T d0 + (1-d0)^T P_c(E), since the law of the hits is the same under both data sets. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, DOMAIN (order), OVERFLOW, and those of the step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_renyi(double *rdp, double *unpaid,
                                                        const dppair_step *step, double order,
                                                        size_t hit_cap) {
  dppair_status status;
  if (rdp == NULL || unpaid == NULL) return DPPAIR_ERR_NULL;
  *rdp = 0.0;
  *unpaid = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (step == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(order)) return DPPAIR_ERR_NOT_FINITE;
  if (!(order > 1.0) || order > 1e12) return DPPAIR_ERR_DOMAIN;
  status = dppair_step_check_(step);
  return status == DPPAIR_OK ? dppair_renyi_step_(rdp, unpaid, step, order, hit_cap, 0.0) : status;
}

/* The dominating pair of a step; `tail` is what hits beyond the cap may cost in delta, per run. */
DPPAIR_FN_ dppair_status dppair_law_of_(dppair_law_ *law, const dppair_step *step, double tail) {
  const dppair_status status = dppair_step_check_(step);
  const uint64_t runs = dppair_step_runs_(step);
  memset(law, 0, sizeof *law);
  law->steps = (double)runs;
  if (status != DPPAIR_OK) return status;
  if (runs > UINT64_C(1) << 53) return DPPAIR_ERR_OVERFLOW;
  switch (step->kind) {
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations)                            \
  case kind:                                                                                       \
    return dppair_##name##_law_(law, step, tail);
    DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_NO_MECHANISM_:
    break;
  }
  return DPPAIR_ERR_DOMAIN;
}

/* ---- src/accountant/ledger_entry.h ----------------------------------------------------------
 * A charge, and the check that chains the charges of an account
 *
 * Whatever is charged to an account is one entry, whether a ledger holds it or not. The account
 * numbers its entries and keeps a check of 64 bits over all of them, so that a ledger from which a
 * line was lost, or in which one was changed, does not replay. The check finds accidents; it is no
 * signature, since whoever can write the file can compute it. Relies on steps.h.
 * ---------------------------------------------------------------------------------------------- */

/* One entry. For mechanisms whose noise_multiplier is a noise scale over a sensitivity, sensitivity
 * and sigma (that scale) say where it comes from; both are 0 where they vary from step to step or
 * are not known. For other mechanisms both are 0. */
typedef struct dppair_ledger_entry {
  dppair_step step; /* its sampling states the neighbours, for plain steps too; or 0 */
  double sensitivity, sigma;
  double failure;    /* probability in [0, 1] that is added to delta (dppair_accountant_failure) */
  uint8_t run[16];   /* public random bits of whoever drew the noise's keys; 0: not recorded */
  uint64_t sequence; /* its number in the account, from 1 */
  uint64_t check;    /* of the account once it is charged */
} dppair_ledger_entry;

#define DPPAIR_LEDGER_LINE 512 /* characters: no line is longer */

/* Continues a check over the word at `place`; a word of 0 changes nothing. The rest is the
 * finaliser of MurmurHash3 (Appleby, public domain), which is a bijection. */
DPPAIR_FN_ uint64_t dppair_check_word_(uint64_t check, unsigned place, uint64_t word) {
  uint64_t h = (check ^ word) + place * UINT64_C(0x9e3779b97f4a7c15);
  if (word == 0) return check;
  h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
  h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
  return h ^ (h >> 33);
}

/* The same over the bits of a number; -0 is 0. */
DPPAIR_FN_ uint64_t dppair_check_number_(uint64_t check, unsigned place, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return dppair_check_word_(check, place, bits << 1 ? bits : 0);
}

/* The group of a sampling, as lines and checks have it: 0 where a matching's groups are pairs, as
 * they are unless a line says otherwise. */
DPPAIR_FN_ size_t dppair_ledger_group_(const dppair_sampling *draw) {
  return draw->kind == DPPAIR_MATCHING && draw->group == 2 ? 0 : draw->group;
}

/*
 * The check of an account whose check was `previous` and which is charged the entry: over the
 * entry's values, each at its place. Two entries that differ in one value have the same check with
 * probability 2^-64. It does not depend on the machine, nor on the text of a line.
 */
DPPAIR_FN_ uint64_t dppair_ledger_check_of_(uint64_t previous, const dppair_ledger_entry *entry) {
  const dppair_step *step = &entry->step;
  const dppair_sampling *draw = &step->sampling;
  uint64_t check = previous, half[2] = {0, 0};
  size_t i;
  for (i = 0; i < sizeof entry->run; i++) half[i / 8] = half[i / 8] << 8 | entry->run[i];
  check = dppair_check_word_(check, 1, entry->sequence);
  check = dppair_check_word_(check, 2, half[0]);
  check = dppair_check_word_(check, 3, half[1]);
  check = dppair_check_word_(check, 4, (uint64_t)step->kind);
  check = dppair_check_word_(check, 5, (uint64_t)draw->adjacency);
  check = dppair_check_word_(check, 6, (uint64_t)draw->kind);
  check = dppair_check_number_(check, 7, draw->q);
  check = dppair_check_word_(check, 8, draw->n);
  check = dppair_check_word_(check, 9, draw->m);
  check = dppair_check_number_(check, 10, step->pair_rate);
  check = dppair_check_number_(check, 11, step->noise_multiplier);
  check = dppair_check_word_(check, 12, step->steps);
  check = dppair_check_number_(check, 13, entry->failure);
  check = dppair_check_number_(check, 14, entry->sensitivity);
  check = dppair_check_number_(check, 15, entry->sigma);
  check = dppair_check_word_(check, 18, draw->batches); /* 16 and 17: dppair_accountant_merge */
  check = dppair_check_word_(check, 19, dppair_ledger_group_(draw));
  check = dppair_check_word_(check, 20, draw->owned);
  return dppair_check_number_(check, 21, step->ridge);
}

/* ---- src/accountant/account.h ---------------------------------------------------------------
 * The accountant: what has been released so far
 *
 * An account keeps plain Gaussian steps as one number, which composes on the exact curve, zCDP
 * steps as a sum of rho, and all other steps in a table of distinct mechanisms with their counts.
 * Every route evaluates the same table: Renyi orders (conversion.h) or numerical composition. When
 * the table is full, further distinct steps are added to Renyi curves at a fixed list of orders
 * (`folded`); from then on the account answers from those orders only. charges.h has the functions
 * that charge. Relies on steps.h, mechanisms/dispatch.h and ledger_entry.h.
 *
 * What is released may depend on earlier outputs. The parameters of a step and the number of steps
 * must not, because an epsilon that is itself a function of the outputs is no guarantee. If noise,
 * rates or the end of a run are chosen from outputs, use dppair_filter.
 *
 * Every answer holds for the neighbours of `adjacency`. dppair_accountant_neighbours states them;
 * plain steps, whose sensitivity rests on them, then need not. Without it `adjacency` is what all
 * steps state, and 0, unstated, once a step was charged that states nothing: the answers then hold
 * for whatever neighbours the sensitivities were computed for, and nothing can state them later.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STEP_CAPACITY 128 /* different steps that an account holds */
#define DPPAIR_ORDER_COUNT 150   /* Renyi orders */
#define DPPAIR_RECENT_CHARGES 64 /* charges that it remembers by themselves, to find one twice */

typedef struct dppair_accountant {
  uint32_t ready;             /* set by dppair_accountant_init */
  dppair_status broken;       /* why the first refused step was refused; OK: none was */
  dppair_adjacency adjacency; /* the neighbours that every answer holds for; 0: unstated */
  dppair_adjacency named;     /* what all steps state that state one, or the statement; else 0 */
  int stated;                 /* 1: by dppair_accountant_neighbours; -1: some step states none */
  int unattained;             /* some step is charged more than any two data sets attain */
  int folded;                 /* the table was full: answers come from the fixed orders */
  double gaussian;            /* sum of (sensitivity / sigma)^2 over plain Gaussian steps */
  double additions;           /* how often that sum was rounded up */
  double zcdp;                /* sum of rho */
  double pure;                /* sum of epsilon over the steps that have one */
  double failure;             /* probability that is added to delta */
  size_t count;               /* distinct steps in the table */
  uint64_t sequence;          /* charges so far */
  uint64_t check;             /* over all of them: dppair_ledger_check_of_ */
  uint64_t recent[DPPAIR_RECENT_CHARGES]; /* the latest checks, each at sequence % capacity */
  dppair_step step[DPPAIR_STEP_CAPACITY];
  double rdp[DPPAIR_ORDER_COUNT]; /* folded steps: their divergences at the fixed orders */
} dppair_accountant;

#define DPPAIR_ACCOUNTANT_READY_ UINT32_C(0x64707061)

/* The index-th fixed order, index < DPPAIR_ORDER_COUNT: 1.01 to 10001, geometric in order - 1. */
DPPAIR_API double dppair_renyi_order(size_t index) {
  const double log_million = 13.815510557964274;
  return 1.0 + 0.01 * dppair_exp_((double)index * (log_million / (DPPAIR_ORDER_COUNT - 1)));
}

/* Empties an account: nothing has been released. Errors: NULL. */
DPPAIR_API dppair_status dppair_accountant_init(dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  memset(a, 0, sizeof *a);
  a->ready = DPPAIR_ACCOUNTANT_READY_;
  a->broken = DPPAIR_OK;
  return DPPAIR_OK;
}

/* May the account be asked? */
DPPAIR_FN_ dppair_status dppair_accountant_usable_(const dppair_accountant *a) {
  if (a == NULL) return DPPAIR_ERR_NULL;
  if (a->ready != DPPAIR_ACCOUNTANT_READY_) return DPPAIR_ERR_DOMAIN;
  return a->broken != DPPAIR_OK ? a->broken : dppair_environment_check();
}

/* Breaks the account, which then refuses every question: a status that nobody looked at must not
 * become an epsilon that is too small. */
DPPAIR_FN_ dppair_status dppair_accountant_break_(dppair_accountant *a, dppair_status status) {
  if (a->broken == DPPAIR_OK) a->broken = status;
  return status;
}

/* May the account be charged? In another rounding mode sums would not be rounded up, so that breaks
 * the account too. */
DPPAIR_FN_ dppair_status dppair_accountant_open_(dppair_accountant *a) {
  const dppair_status status = dppair_accountant_usable_(a);
  return status == DPPAIR_ERR_ENVIRONMENT ? dppair_accountant_break_(a, status) : status;
}

/* x + y, rounded up, exact when one of them is 0. */
DPPAIR_FN_ double dppair_add_up_(double x, double y) {
  return x > 0.0 && y > 0.0 ? dppair_up_(x + y) : x + y;
}

/* Has a sum of charges stayed finite? Otherwise the account breaks. */
DPPAIR_FN_ dppair_status dppair_accountant_finite_(dppair_accountant *a, double x) {
  return dppair_isfinite_f64(x) ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
}

/* Joins what is known of the neighbours: a statement with steps that state none, or two relations,
 * break the account. */
DPPAIR_FN_ dppair_status dppair_accountant_relate_(dppair_accountant *a, dppair_adjacency named,
                                                   int stated) {
  if (a->stated * stated < 0 || (named != 0 && a->named != 0 && named != a->named))
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  if (named != 0) a->named = named;
  if (stated != 0) a->stated = stated;
  a->adjacency = a->stated < 0 ? (dppair_adjacency)0 : a->named;
  return DPPAIR_OK;
}

/* The neighbours of a charge that states `adjacency`: if that is 0, those of the account, if they
 * were stated. */
DPPAIR_FN_ dppair_adjacency dppair_accountant_adjacency_(const dppair_accountant *a,
                                                         dppair_adjacency adjacency) {
  return adjacency == 0 && a->stated > 0 ? a->adjacency : adjacency;
}

/* States the neighbours that all steps of the account are about; calling it again with the same
 * ones changes nothing. Another relation than what was stated before, or an account that holds a
 * step which states none: DPPAIR_ERR_ADJACENCY, and the account is broken. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_neighbours(dppair_accountant *a, dppair_adjacency adjacency) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_check_(adjacency) != DPPAIR_OK)
    return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
  return dppair_accountant_relate_(a, adjacency, 1);
}

/* Numbers a charge that was made, and chains it. */
DPPAIR_FN_ void dppair_accountant_count_(dppair_accountant *a, const dppair_ledger_entry *charge) {
  dppair_ledger_entry next = *charge;
  next.sequence = ++a->sequence;
  a->check = dppair_ledger_check_of_(a->check, &next);
  a->recent[a->sequence % DPPAIR_RECENT_CHARGES] = a->check;
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_CHARGED, dppair_mechanism_name(charge->step.kind), NULL, 0, 0,
                         NULL, charge->sigma, charge->sensitivity, charge, a, DPPAIR_OK));
}

DPPAIR_FN_ dppair_status dppair_accountant_add_gaussian_(dppair_accountant *a, double mu2) {
  const double sum = dppair_add_up_(a->gaussian, mu2);
  a->additions += 1.0;
  if (!dppair_isfinite_f64(sum)) return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
  a->gaussian = sum;
  return DPPAIR_OK;
}

/* mu^2 steps, rounded up; 1e-150 is the smallest mu whose square is a normal number. */
DPPAIR_FN_ double dppair_squared_up_(double mu, size_t steps) {
  if (mu > 0.0 && mu < 1e-150) mu = 1e-150;
  return dppair_up_(dppair_up_(mu * mu * dppair_up_((double)steps)));
}

/* The same mechanism, whatever the counts. Doubles are compared by their bits. */
DPPAIR_FN_ int dppair_same_step_(const dppair_step *x, const dppair_step *y) {
  return x->kind == y->kind && x->sampling.kind == y->sampling.kind &&
         x->sampling.adjacency == y->sampling.adjacency &&
         memcmp(&x->sampling.q, &y->sampling.q, sizeof(double)) == 0 &&
         x->sampling.n == y->sampling.n && x->sampling.m == y->sampling.m &&
         x->sampling.batches == y->sampling.batches && x->sampling.owned == y->sampling.owned &&
         x->sampling.group == y->sampling.group &&
         memcmp(&x->noise_multiplier, &y->noise_multiplier, sizeof(double)) == 0 &&
         memcmp(&x->pair_rate, &y->pair_rate, sizeof(double)) == 0 &&
         memcmp(&x->ridge, &y->ridge, sizeof(double)) == 0;
}

/* Adds `step` to the curves at the fixed orders. Its hits are capped where 1e-13 in all is left,
 * and what is left is added to the failure probability. */
DPPAIR_RARE_ dppair_status dppair_accountant_fold_(dppair_accountant *a, const dppair_step *step) {
  const double times = (double)dppair_step_runs_(step), tail = 1e-13 / times;
  size_t i;
  double unpaid = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    double rdp, paid;
    const dppair_status status =
        dppair_renyi_step_(&rdp, &paid, step, dppair_renyi_order(i), 0, tail);
    if (paid > unpaid) unpaid = paid;
    if (status == DPPAIR_ERR_OVERFLOW) {
      a->rdp[i] = DBL_MAX;
    } else if (status != DPPAIR_OK) {
      return status;
    } else if (a->rdp[i] < DBL_MAX) {
      const double total = dppair_add_up_(a->rdp[i], dppair_up_(rdp * times));
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
  }
  a->failure = dppair_add_up_(a->failure, dppair_up_(unpaid * times));
  a->folded = 1;
  return DPPAIR_OK;
}

/* Adds the step to the table, or to the fixed orders when the table is full. */
DPPAIR_FN_ dppair_status dppair_accountant_record_(dppair_accountant *a, const dppair_step *step) {
  dppair_status status;
  size_t i;
  for (i = 0; i < a->count; i++) {
    if (dppair_same_step_(&a->step[i], step)) {
      if (a->step[i].steps > SIZE_MAX - step->steps)
        return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
      a->step[i].steps += step->steps;
      return DPPAIR_OK;
    }
  }
  if (a->count < DPPAIR_STEP_CAPACITY) {
    a->step[a->count++] = *step;
    return DPPAIR_OK;
  }
  status = dppair_accountant_fold_(a, step);
  return status == DPPAIR_OK ? DPPAIR_OK : dppair_accountant_break_(a, status);
}

/* Adds a step that was checked; its neighbours were too. Every charge of allocated records begins
 * an epoch of its own, which is counted whole. */
DPPAIR_FN_ dppair_status dppair_accountant_add_(dppair_accountant *a, const dppair_step *step) {
  const dppair_charge_ charge = dppair_step_charge_(step);
  const size_t runs = dppair_step_runs_(step);
  const double times = dppair_up_((double)runs);
  if (charge.attained == DPPAIR_ATTAINED_NEVER_) a->unattained = 1;
  if (charge.mu > 0.0)
    return dppair_accountant_add_gaussian_(a, dppair_squared_up_(charge.mu, runs));
  if (charge.rho > 0.0) {
    a->zcdp = dppair_add_up_(a->zcdp, dppair_up_(charge.rho * times));
    return dppair_accountant_finite_(a, a->zcdp);
  }
  if (charge.pure > 0.0) { /* a largest loss, and a place in the table */
    dppair_status status;
    a->pure = dppair_add_up_(a->pure, dppair_up_(charge.pure * times));
    status = dppair_accountant_finite_(a, a->pure);
    if (status != DPPAIR_OK) return status;
  }
  if (step->sampling.kind == DPPAIR_ALLOCATION) {
    dppair_step whole = *step;
    const size_t part = step->steps % step->sampling.batches;
    const size_t more = part > 0 ? step->sampling.batches - part : 0;
    if (more > SIZE_MAX - step->steps || runs == SIZE_MAX)
      return dppair_accountant_break_(a, DPPAIR_ERR_OVERFLOW);
    whole.steps += more;
    return dppair_accountant_record_(a, &whole);
  }
  return dppair_accountant_record_(a, step);
}

/* Charges the entry's step and failure, and counts them. A step that is refused, or whose
 * neighbours are others than those of earlier steps, breaks the account. */
DPPAIR_FN_ dppair_status dppair_accountant_charge_(dppair_accountant *a,
                                                   const dppair_ledger_entry *entry) {
  dppair_ledger_entry charge = *entry;
  dppair_adjacency *adjacency = &charge.step.sampling.adjacency;
  dppair_status status;
  *adjacency = dppair_accountant_adjacency_(a, *adjacency);
  status = dppair_step_check_(&charge.step);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  charge.step.sampling.group = dppair_ledger_group_(&charge.step.sampling);
  status = dppair_accountant_relate_(a, *adjacency, *adjacency != 0 ? 0 : -1);
  if (status == DPPAIR_OK) status = dppair_accountant_add_(a, &charge.step);
  if (status != DPPAIR_OK) return status;
  a->failure = dppair_add_up_(a->failure, charge.failure);
  dppair_accountant_count_(a, &charge);
  return DPPAIR_OK;
}

/* ---- src/accountant/charges.h ---------------------------------------------------------------
 * Charging an account, one function for each mechanism, and adding up two accounts
 *
 * A charge that is refused breaks the account, which then refuses every question. Errors of all:
 * NULL, DOMAIN (an account without dppair_accountant_init), what broke it before, ENVIRONMENT,
 * NOT_FINITE, OVERFLOW; of a step SENSITIVITY (not > 0), SIGMA (not > 0), EPSILON, STEPS (0); of
 * what it says of a draw RATE, SIZE, UNREAD, ADJACENCY, DOMAIN, NO_PROOF. Relies on account.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * Adds any step, described as in dppair_step. A step without a valid proof, or
 * whose adjacency contradicts an earlier one, breaks the account; the reason is returned. Plain
 * steps may leave out their adjacency.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_step(dppair_accountant *a,
                                                                  const dppair_step *step) {
  dppair_ledger_entry charge;
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (step == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  memset(&charge, 0, sizeof charge);
  charge.step = *step;
  return dppair_accountant_charge_(a, &charge);
}

DPPAIR_FN_ dppair_step dppair_step_make_(dppair_mechanism_kind kind, double multiplier,
                                         size_t steps) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = kind;
  step.noise_multiplier = multiplier;
  step.steps = steps;
  return step;
}

/* Are these a sensitivity and a noise scale? If not, the account breaks. */
DPPAIR_FN_ dppair_status dppair_accountant_scale_(dppair_accountant *a, double sensitivity,
                                                  double scale) {
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(sensitivity) || !dppair_isfinite_f64(scale))
    return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (!(sensitivity > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SENSITIVITY);
  return scale > 0.0 ? DPPAIR_OK : dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
}

/* Adds `steps` >= 1 releases with Gaussian noise sigma > 0 of statistics with this l2 sensitivity
 * > 0. A sensitivity of 0 is refused: constants need no noise, and 0 is what a function leaves
 * behind whose error nobody looked at. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_gaussian(dppair_accountant *a,
                                                                      double sensitivity,
                                                                      double sigma, size_t steps) {
  dppair_ledger_entry charge;
  double mu;
  dppair_status status = dppair_accountant_scale_(a, sensitivity, sigma);
  if (status != DPPAIR_OK) return status;
  if (steps == 0) return dppair_accountant_break_(a, DPPAIR_ERR_STEPS);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(DPPAIR_GAUSSIAN, 0.0, steps);
  charge.sensitivity = sensitivity;
  charge.sigma = sigma;
  charge.step.sampling.adjacency = dppair_accountant_adjacency_(a, (dppair_adjacency)0);
  status = dppair_accountant_relate_(a, (dppair_adjacency)0, a->stated > 0 ? 0 : -1);
  if (status != DPPAIR_OK) return status;
  mu = dppair_up_(sensitivity / sigma);
  status = dppair_accountant_add_gaussian_(a, dppair_squared_up_(mu > 0.0 ? mu : 1e-150, steps));
  if (status == DPPAIR_OK) dppair_accountant_count_(a, &charge);
  return status;
}

/* Charges `steps` steps whose multiplier is scale / sensitivity, rounded down; one that is unusable
 * breaks the account. */
DPPAIR_FN_ dppair_status dppair_accountant_scaled_(dppair_accountant *a, dppair_mechanism_kind kind,
                                                   const dppair_sampling *sampling,
                                                   double pair_rate, double sensitivity,
                                                   double scale, size_t steps) {
  dppair_ledger_entry charge;
  double z;
  const dppair_status status = dppair_accountant_scale_(a, sensitivity, scale);
  if (status != DPPAIR_OK) return status;
  z = dppair_down_(scale / sensitivity);
  if (!dppair_isfinite_f64(z)) z = 1e300;
  if (!(z > 0.0)) return dppair_accountant_break_(a, DPPAIR_ERR_SIGMA);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(kind, z, steps);
  charge.step.sampling = *sampling;
  charge.step.pair_rate = pair_rate;
  charge.sensitivity = sensitivity;
  charge.sigma = scale;
  return dppair_accountant_charge_(a, &charge);
}

/* Adds `steps` releases with Laplace noise of this scale per coordinate; the sensitivity is in the
 * l1 norm. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_laplace(dppair_accountant *a,
                                                                     double l1_sensitivity,
                                                                     double scale, size_t steps) {
  dppair_sampling none;
  memset(&none, 0, sizeof none);
  return dppair_accountant_scaled_(a, DPPAIR_LAPLACE, &none, 0.0, l1_sensitivity, scale, steps);
}

/* Adds `steps` releases by any epsilon-private mechanism. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_pure(dppair_accountant *a,
                                                                  double epsilon, size_t steps) {
  const dppair_step step = dppair_step_make_(DPPAIR_PURE, epsilon, steps);
  return dppair_accountant_step(a, &step);
}

/* Adds `steps` Gaussian releases of a statistic of freshly sampled records. dppair_step says for
 * each kind of sampling which move `sensitivity` is. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_sampled_gaussian(dppair_accountant *a, dppair_sampling sampling,
                                   double sensitivity, double sigma, size_t steps) {
  return dppair_accountant_scaled_(a, DPPAIR_SAMPLED_GAUSSIAN, &sampling, 0.0, sensitivity, sigma,
                                   steps);
}

/* Adds `steps` Gaussian releases of a sum of the vectors of freshly sampled pairs, each of norm <=
 * pair_clip, n records. Poisson: every unordered pair is drawn with probability sampling.q and
 * gives one vector. With replacement: m independent uniform pairs. Matching: m records, so m/2
 * pairs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_sampled_pairs(
    dppair_accountant *a, dppair_sampling sampling, double pair_clip, double sigma, size_t steps) {
  double pair_rate = 0.0;
  if (sampling.kind == DPPAIR_POISSON) {
    pair_rate = sampling.q;
    sampling.q = 0.0;
  }
  return dppair_accountant_scaled_(a, DPPAIR_SAMPLED_PAIRS, &sampling, pair_rate, pair_clip, sigma,
                                   steps);
}

/* Adds gamma in [0, 1] to delta: the probability, under both data sets, of an event in which the
 * account may be wrong (more hits than a cap, a bound that holds with high probability). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_failure(dppair_accountant *a,
                                                                     double gamma) {
  dppair_ledger_entry charge;
  const dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(gamma)) return dppair_accountant_break_(a, DPPAIR_ERR_NOT_FINITE);
  if (gamma < 0.0 || gamma > 1.0) return dppair_accountant_break_(a, DPPAIR_ERR_DOMAIN);
  if (!(gamma > 0.0)) return DPPAIR_OK; /* no charge */
  memset(&charge, 0, sizeof charge);
  charge.failure = gamma;
  a->failure = dppair_add_up_(a->failure, gamma);
  dppair_accountant_count_(a, &charge);
  return DPPAIR_OK;
}

/*
 * Sequential composition: adds everything in b to a. Relations that differ, or a relation that one
 * of the two was told (dppair_accountant_neighbours) beside steps of the other that state none,
 * break a. a then counts the charges of both, and its check covers both checks, but it is no longer
 * the chain of one ledger: to go on, charge the two accounts and merge copies of them.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_merge(dppair_accountant *a,
                                                                   const dppair_accountant *b) {
  dppair_status status = dppair_accountant_open_(a);
  size_t i;
  if (status != DPPAIR_OK) return status;
  status = dppair_accountant_usable_(b);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  status = dppair_accountant_relate_(a, b->named, b->stated);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < b->count; i++) {
    status = dppair_accountant_add_(a, &b->step[i]);
    if (status != DPPAIR_OK) return status;
  }
  a->zcdp = dppair_add_up_(a->zcdp, b->zcdp);
  a->failure = dppair_add_up_(a->failure, b->failure);
  if (b->folded) {
    for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
      const double total = dppair_add_up_(a->rdp[i], b->rdp[i]);
      a->rdp[i] = dppair_isfinite_f64(total) ? total : DBL_MAX;
    }
    a->folded = 1;
  }
  status = dppair_accountant_finite_(a, a->zcdp);
  if (status != DPPAIR_OK) return status;
  a->additions += b->additions;
  a->unattained |= b->unattained;
  if (b->gaussian > 0.0) status = dppair_accountant_add_gaussian_(a, b->gaussian);
  if (status == DPPAIR_OK && b->sequence > 0) {
    a->sequence += b->sequence;
    a->check = dppair_check_word_(a->check, 16, b->sequence);
    a->check = dppair_check_word_(a->check, 17, b->check);
    memset(a->recent, 0, sizeof a->recent);
    a->recent[a->sequence % DPPAIR_RECENT_CHARGES] = a->check;
  }
  return status;
}

/* ---- src/accountant/integers.h --------------------------------------------------------------
 * Integer noise: the variance of Skellam noise, quantised sensitivities, wrap-around
 *
 * Sums of integers are what several sites can add up without seeing each other's: each adds Skellam
 * noise of its share of the variance, and the sum is Skellam of all of it. Relies on
 * mechanisms/skellam.h. noise/quantise.h makes the integers, noise/skellam.h the noise.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SKELLAM_LEAST_ 1e-6 /* variances that are tried */
#define DPPAIR_SKELLAM_MOST_ 1e18

/*
 * An upper end of kappa = 2 ln(I_0(m)/I_1(m)), within 1e-9, for m > 2e5 within 8e-6. With r_v =
 * I_{v+1}/I_v the recurrence of the Bessel functions is 1/r_v = 2(v+1)/m + r_{v+1}; for e = 1 - r
 * in [0, 1] it is e_v = (c - e_{v+1})/(1 + c - e_{v+1}), c = 2(v+1)/m. So bounds of e_N give bounds
 * of e_1, alternately, and each step shortens their distance by r^2, in all by about e^(-N^2/m);
 * kappa = 2 log(2/m + 1 - e_1). Large m: I_1/I_0 >= m/(1/2 + sqrt(m^2 + 9/4)) (Amos 1974).
 */
DPPAIR_FN_ double dppair_skellam_kappa_(double m) {
  const double slip = 4.0 * DBL_EPSILON;
  double low = 0.0, high = 1.0, v;
  if (m > 2e5)
    return 2.0 * dppair_log1p_((0.5 + 2.25 / (dppair_sqrt_(m * m + 2.25) + m)) / m) *
           (1.0 + 16.0 * DBL_EPSILON);
  for (v = dppair_ceil_(6.0 * dppair_sqrt_(m)) + 16.0; v >= 1.0; v -= 1.0) {
    const double c = 2.0 * (v + 1.0) / m, remote = c * (1.0 - slip) - high,
                 nearby = c * (1.0 + slip) - low;
    low = remote > 0.0 ? remote / (1.0 + remote) * (1.0 - slip) : 0.0;
    high = nearby > 0.0 ? nearby / (1.0 + nearby) * (1.0 + slip) : 0.0;
    if (high > 1.0) high = 1.0;
  }
  return 2.0 * dppair_log1p_((2.0 / m - low) * (1.0 + slip)) * (1.0 + slip);
}

/*
 * *sigma = 1/sqrt(kappa), rounded down: Skellam noise of this variance on every coordinate of an
 * integer vector has, at whole Renyi orders, a curve of at most that of Gaussian noise of standard
 * deviation sigma (mechanisms/skellam.h); sigma^2 is a little above variance - 1/2 - 1/variance. It
 * takes no l1 sensitivity and no dimension. Of N shares of which h are sure to arrive, and are not
 * known to anybody, h/N of the variance counts. variance in [1e-6, 1e18]. Errors zero *sigma: NULL,
 * NOT_FINITE, DOMAIN, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_sigma(double *sigma, double variance) {
  if (sigma == NULL) return DPPAIR_ERR_NULL;
  *sigma = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(variance)) return DPPAIR_ERR_NOT_FINITE;
  if (!(variance >= DPPAIR_SKELLAM_LEAST_ && variance <= DPPAIR_SKELLAM_MOST_))
    return DPPAIR_ERR_DOMAIN;
  *sigma = 1.0 / dppair_sqrt_(dppair_skellam_kappa_(variance)) * (1.0 - 4.0 * DBL_EPSILON);
  return DPPAIR_OK;
}

/* *variance = the least variance, within 1e-9, whose dppair_skellam_sigma is at least `sigma`: for
 * a noise multiplier z and integers of sensitivity D, sigma = z D. Errors zero *variance: NULL,
 * NOT_FINITE, SIGMA (<= 0, or beyond any variance), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_variance(double *variance, double sigma) {
  double low = DPPAIR_SKELLAM_LEAST_, high, got;
  dppair_status status;
  if (variance == NULL) return DPPAIR_ERR_NULL;
  *variance = 0.0;
  if (!dppair_isfinite_f64(sigma)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sigma > 0.0 && sigma < 1e9)) return DPPAIR_ERR_SIGMA;
  if (sigma > 1.0) low = sigma * sigma; /* kappa > 1/m there */
  high = sigma * sigma * (1.0 + 1e-5) + 2.0;
  if (high > DPPAIR_SKELLAM_MOST_) high = DPPAIR_SKELLAM_MOST_;
  status = dppair_skellam_sigma(&got, high);
  if (status != DPPAIR_OK) return status;
  if (!(got >= sigma)) return DPPAIR_ERR_SIGMA;
  while (high > low * (1.0 + 5e-10)) {
    const double middle = high > 2.0 * low ? dppair_sqrt_(low * high) : low + 0.5 * (high - low);
    status = dppair_skellam_sigma(&got, middle);
    if (status != DPPAIR_OK) return status;
    if (got >= sigma)
      high = middle;
    else
      low = middle;
  }
  *variance = high;
  return DPPAIR_OK;
}

/* Adds `steps` releases of integer vectors with Skellam noise of this variance on every coordinate.
 * sensitivity: how far a record moves the integers, in l2 norm. Errors break the account: those of
 * dppair_skellam_sigma, and of dppair_accountant_gaussian. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_skellam(dppair_accountant *a,
                                                                     double sensitivity,
                                                                     double variance,
                                                                     size_t steps) {
  double sigma;
  dppair_sampling none;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  status = dppair_skellam_sigma(&sigma, variance);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  memset(&none, 0, sizeof none);
  return dppair_accountant_scaled_(a, DPPAIR_SKELLAM, &none, 0.0, sensitivity, sigma, steps);
}

/*
 * *sensitivity = how far, in l2 norm, a record moves a sum of vectors that were multiplied by
 * `scale` and made integers.
 *
 *   TRUNCATED   length: of every record's vector, at most; nonzero is 0, which is not read.
 *               scale length (zero-out), 2 scale length (replace-one): no coordinate grows. It
 *               costs a bias below 1/scale a coordinate
 *   ROUNDED     length: how far a record moves the real sum, for the relation; nonzero: coordinates
 *               in which its vector, the old or the new one, can be other than 0 (d, where that is
 *               not known). scale length + sqrt(nonzero): a difference of two rounded numbers is
 *               off by at most 1, however many records the site has
 *   RANDOMLY    the same and 2 sqrt(nonzero) more: both sides' offsets differ
 *
 * Errors zero *sensitivity: NULL, NOT_FINITE, DOMAIN (length, scale or kind), UNREAD (a nonzero
 * that is not read), SIZE (nonzero = 0 where it is), ADJACENCY.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_sensitivity_quantised(double *sensitivity, dppair_quantised how, double length, double scale,
                             size_t nonzero, dppair_adjacency adjacency) {
  double root;
  dppair_status status;
  if (sensitivity == NULL) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!dppair_isfinite_f64(length) || !dppair_isfinite_f64(scale)) return DPPAIR_ERR_NOT_FINITE;
  if (!(length > 0.0) || !(scale > 0.0) || how < DPPAIR_QUANTISED_TRUNCATED ||
      how > DPPAIR_QUANTISED_RANDOMLY)
    return DPPAIR_ERR_DOMAIN;
  status = dppair_adjacency_check_(adjacency);
  if (status != DPPAIR_OK) return status;
  if (how == DPPAIR_QUANTISED_TRUNCATED) {
    const int replaced = dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE;
    if (nonzero != 0) return DPPAIR_ERR_UNREAD;
    return dppair_sensitivity_store_(sensitivity, (replaced ? 2.0 : 1.0) * scale * length);
  }
  if (nonzero == 0) return DPPAIR_ERR_SIZE;
  root = dppair_sqrt_((double)nonzero) * (how == DPPAIR_QUANTISED_RANDOMLY ? 3.0 : 1.0);
  return dppair_sensitivity_store_(sensitivity, scale * length + root);
}

/*
 * *probability = at most this that one of `size` coordinates with Skellam noise of this variance m,
 * added modulo 2^bits and read as numbers from -2^(bits-1) on, comes out wrong, where no true sum
 * is beyond `largest`: 2 size exp(-A asinh(A/m) + sqrt(A^2 + m^2) - m), A = 2^(bits-1) - largest.
 * (Chernoff, from E e^(tX) = exp(m (cosh t - 1)).) The modulus is post-processing: it costs
 * accuracy, no delta. 1 where A <= 0. Errors set it to 1: NULL; ENVIRONMENT; NOT_FINITE; DOMAIN:
 * variance <= 0 or above 1e18, largest < 0, bits not from 1 to 64; SIZE (size = 0).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_skellam_wrap(double *probability, double variance,
                                                               unsigned bits, double largest,
                                                               size_t size) {
  double room, root, exponent;
  if (probability == NULL) return DPPAIR_ERR_NULL;
  *probability = 1.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(variance) || !dppair_isfinite_f64(largest)) return DPPAIR_ERR_NOT_FINITE;
  if (!(variance > 0.0 && variance <= DPPAIR_SKELLAM_MOST_) || largest < 0.0 || bits < 1 ||
      bits > 64)
    return DPPAIR_ERR_DOMAIN;
  if (size == 0) return DPPAIR_ERR_SIZE;
  room = dppair_down_(dppair_ldexp_(1.0, (int)bits - 1) - largest);
  if (!(room > 0.0)) return DPPAIR_OK;
  root = dppair_sqrt_(room * room + variance * variance);
  exponent = room * dppair_asinh_(room / variance) * (1.0 - 8.0 * DBL_EPSILON);
  exponent -= room / (root + variance) * room * (1.0 + 8.0 * DBL_EPSILON); /* root - variance */
  exponent = 2.0 * (double)size * dppair_exp_(-exponent) * (1.0 + 16.0 * DBL_EPSILON);
  if (exponent < 1.0) *probability = exponent > DBL_MIN ? exponent : DBL_MIN;
  return DPPAIR_OK;
}

/* ---- src/accountant/objective.h -------------------------------------------------------------
 * Objective perturbation beside plain Gaussian steps, in closed form
 *
 * With mu_before of all plain Gaussian steps together, before or after, L their loss, mu and eta
 * those of the perturbed objective (mechanisms/objective.h) and x = epsilon - eta >= 0,
 *
 *     delta <= E A(x - L),  L ~ N(mu_before^2/2, mu_before^2)
 *           <= delta_G(x; sqrt(mu_before^2 + mu^2))
 *              + e^x Phi(-x/mu_before - mu_before/2) (2 Phi(mu/2) - 1).
 *
 * Proof. The first is the composition of the two dominating pairs. For the second, A(y) exceeds the
 * Gaussian curve E(1 - e^(y - N))_+, N ~ N(mu^2/2, mu^2), by at most e^y E(e^-N - 1)_+ = e^y (2
 * Phi(mu/2) - 1) for y < 0, and not at all for y >= 0; E e^-L over L > x is the tail. It is tight
 * but for eta and, where delta is large, a few percent. QED Below eta a chord is above the curve,
 * which is convex in e^epsilon and 1 where that is 0:
 *
 *     delta(epsilon) <= 1 - e^x (1 - delta(eta)).
 *
 * Relies on gaussian_curve.h, account.h and mechanisms/objective.h.
 * ---------------------------------------------------------------------------------------------- */

/* e^x Phi(-x/mu - mu/2) = phi(t) R(t + mu), t = x/mu - mu/2, rounded up; x >= 0. */
DPPAIR_FN_ double dppair_loss_tail_(double x, double mu) {
  const double ratio = x / mu, t = ratio - 0.5 * mu;
  if (mu <= 0.0 || dppair_fabs_(t) >= 1e100) return 0.0; /* no double is as small */
  return DPPAIR_INV_SQRT_2PI_ * dppair_gauss_kernel_(t, dppair_curve_lost_(x, mu, ratio, t)) *
         dppair_mills_(ratio + 0.5 * mu) * (1.0 + DPPAIR_CURVE_SLACK_);
}

/* A bound of delta at an epsilon that is `below` less than one where delta is at most `delta`. */
DPPAIR_FN_ double dppair_delta_chord_(double delta, double below) {
  return dppair_up_(1.0 -
                    dppair_down_(dppair_down_(dppair_exp_(-below))) * dppair_down_(1.0 - delta));
}

/* The closed form, rounded up, at most 1. All arguments are finite, mu > 0, before >= 0. */
DPPAIR_FN_ double dppair_objective_upper_(double epsilon, double before, double mu,
                                          double surplus) {
  const double over = epsilon - surplus, x = over > 0.0 ? dppair_down_(over) : 0.0;
  double delta;
  if (dppair_gaussian_delta(&delta, x, dppair_hypot_(before, mu) * (1.0 + 8.0 * DPPAIR_UNIT_)) !=
      DPPAIR_OK)
    return 1.0;
  delta += dppair_loss_tail_(x, before) * dppair_erf_(0.5 * 0.70710678118654752440 * mu);
  delta *= 1.0 + 1e-14; /* erf's 8 u, its argument's 1.8 u, which count once at most, and two u */
  if (!(over >= 0.0)) delta = dppair_delta_chord_(delta, dppair_up_(-over));
  return delta < 1.0 ? delta : 1.0; /* 1 for a NaN */
}

/* Is one run of a perturbed objective all that the account holds beside plain Gaussian steps? */
DPPAIR_FN_ int dppair_accountant_is_objective_(const dppair_accountant *a) {
  return dppair_accountant_usable_(a) == DPPAIR_OK && a->count == 1 && !a->folded &&
         a->zcdp <= 0.0 && a->step[0].steps == 1 &&
         dppair_mechanism_is_objective_(a->step[0].kind) &&
         !dppair_mechanism_is_pure_(a->step[0].kind);
}

/* The closed form of such an account at epsilon, without failures. */
DPPAIR_FN_ double dppair_objective_at_(const dppair_accountant *a, double epsilon) {
  return dppair_objective_upper_(epsilon, dppair_up_(dppair_sqrt_(a->gaussian)),
                                 dppair_objective_mu_(&a->step[0]),
                                 dppair_step_surplus_(&a->step[0]));
}

/* The smallest epsilon of such an account at which the closed form is at most delta, by bisection:
 * what is returned was asked. OVERFLOW: none up to 1e300. */
DPPAIR_FN_ dppair_status dppair_objective_epsilon_(double *epsilon, const dppair_accountant *a,
                                                   double delta) {
  double low = 0.0, high = 1.0;
  int i;
  *epsilon = 0.0;
  if (dppair_objective_at_(a, 0.0) <= delta) return DPPAIR_OK;
  while (dppair_objective_at_(a, high) > delta) {
    low = high;
    high *= 2.0;
    if (!(high < 1e300)) return DPPAIR_ERR_OVERFLOW;
  }
  for (i = 0; i < 1100 && high - low > 4.0 * DPPAIR_UNIT_ * high; i++) {
    const double middle = low + 0.5 * (high - low);
    if (dppair_objective_at_(a, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  *epsilon = high;
  return DPPAIR_OK;
}

/* What a perturbed objective may cost, and what is known of it but its noise. */
typedef struct dppair_objective_budget_ {
  double epsilon, delta, before; /* delta = 0: noise of density exp(-|b|/z) */
  double ridge, ratio;           /* the ridge is ridge + ratio z */
  dppair_adjacency adjacency;
} dppair_objective_budget_;

/* Does the noise multiplier z suffice? A trace of delta is left, so that the same question in
 * another order of rounding has the same answer. */
DPPAIR_FN_ int dppair_objective_suffices_(const dppair_objective_budget_ *b, double z) {
  dppair_step step;
  memset(&step, 0, sizeof step);
  step.kind = b->delta > 0.0 ? DPPAIR_OBJECTIVE : DPPAIR_PURE_OBJECTIVE;
  step.noise_multiplier = z;
  step.sampling.adjacency = b->adjacency;
  step.ridge = b->ridge + b->ratio * z;
  if (!(step.ridge >= 1e-280)) return 0;
  if (!(b->delta > 0.0)) return dppair_step_pure_(&step) <= b->epsilon;
  return dppair_objective_upper_(b->epsilon, b->before, dppair_up_(dppair_step_moves_(&step) / z),
                                 dppair_step_surplus_(&step)) <= b->delta * (1.0 - 1e-12);
}

/* *z: the smallest noise multiplier that suffices, to 13 digits and not below 2e-3. EXHAUSTED: none
 * up to 1e30 does. */
DPPAIR_FN_ dppair_status dppair_objective_find_(double *z, const dppair_objective_budget_ *b) {
  double low = 1e-3, high = 2e-3;
  *z = 0.0;
  while (!dppair_objective_suffices_(b, high)) {
    low = high;
    high *= 2.0;
    if (!(high < 1e30)) return DPPAIR_ERR_EXHAUSTED;
  }
  while (high - low > 1e-13 * high) {
    const double middle = low + 0.5 * (high - low);
    if (dppair_objective_suffices_(b, middle))
      high = middle;
    else
      low = middle;
  }
  *z = high;
  return DPPAIR_OK;
}

/*
 * *delta >= that of an objective perturbed with Gaussian noise (DPPAIR_OBJECTIVE) of this noise
 * multiplier and ridge, both > 0 as in dppair_step, where one record is replaced, beside releases
 * that are mu_before-Gaussian private, mu_before >= 0; at this epsilon >= 0, which should be above
 * log(1 + 1/ridge). An account that holds just that answers the same without memory. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, SIGMA, DOMAIN (mu_before, ridge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_objective_delta(double *delta, double epsilon,
                                                                  double mu_before,
                                                                  double noise_multiplier,
                                                                  double ridge) {
  dppair_step step;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  *delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(mu_before) ||
      !dppair_isfinite_f64(noise_multiplier) || !dppair_isfinite_f64(ridge))
    return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(noise_multiplier > 0.0)) return DPPAIR_ERR_SIGMA;
  if (!(mu_before >= 0.0 && ridge >= 1e-280)) return DPPAIR_ERR_DOMAIN;
  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_OBJECTIVE;
  step.noise_multiplier = noise_multiplier;
  step.ridge = ridge;
  *delta = dppair_objective_upper_(epsilon, mu_before, dppair_up_(2.0 / noise_multiplier),
                                   dppair_step_surplus_(&step));
  return DPPAIR_OK;
}

/*
 * *noise_multiplier: the smallest one with which an objective that is perturbed at the ridge `ratio
 * * noise_multiplier` stays within (epsilon, delta) beside releases that are mu_before-Gaussian
 * private: those of an account before the plan, and the plan's trace, are one by the root of the
 * sum of squares. One record is replaced. A plan with this noise_multiplier, ridge = ratio *
 * noise_multiplier and epsilon = delta = 0 then is charged as it is, and the account answers at
 * most epsilon. delta = 0: DPPAIR_PURE_OBJECTIVE at epsilon, mu_before = 0. Errors: NULL,
 * ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (mu_before, ratio); EXHAUSTED: no noise suffices.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_objective_noise(double *noise_multiplier,
                                                                  double epsilon, double delta,
                                                                  double mu_before, double ratio) {
  dppair_objective_budget_ b = {epsilon, delta, mu_before, 0.0, ratio, DPPAIR_REPLACE_ONE};
  if (noise_multiplier == NULL) return DPPAIR_ERR_NULL;
  *noise_multiplier = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta) ||
      !dppair_isfinite_f64(mu_before) || !dppair_isfinite_f64(ratio))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (!(mu_before >= 0.0 && ratio > 0.0) || (delta <= 0.0 && mu_before > 0.0))
    return DPPAIR_ERR_DOMAIN;
  b.before *= 1.0 + 1e-13; /* an account that sums squares has no less */
  return dppair_objective_find_(noise_multiplier, &b);
}

/* ---- src/accountant/conversion.h ------------------------------------------------------------
 * Conversion: the account as (epsilon, delta)
 *
 * The exact curve for Gaussian accounts, else the best Renyi order, else sums of pure epsilons.
 * ---------------------------------------------------------------------------------------------- */

/* The Renyi divergence of order a of everything but the folded steps; DBL_MAX: no bound. Hits are
 * capped where together at most `tail` is left; *unpaid is what is left, to be added to delta. */
DPPAIR_FN_ double dppair_accountant_curve_(double *unpaid, const dppair_accountant *a, double order,
                                           double tail) {
  double total = order * (0.5 * a->gaussian + a->zcdp);
  size_t i, capped = 0;
  *unpaid = 0.0;
  for (i = 0; i < a->count; i++) capped += (size_t)dppair_step_is_sampled_(&a->step[i]);
  for (i = 0; i < a->count; i++) {
    const dppair_step *step = &a->step[i];
    const double times = (double)dppair_step_runs_(step);
    const double part = capped > 0 ? tail / ((double)capped * times) : tail;
    double rdp, paid;
    if (dppair_renyi_step_(&rdp, &paid, step, order, 0, part > 1e-305 ? part : 1e-305) != DPPAIR_OK)
      return DBL_MAX;
    total += rdp * times;
    *unpaid += paid * times;
    if (!dppair_isfinite_f64(total)) return DBL_MAX;
  }
  *unpaid *= 1.0 + 1e-12;
  return total * (1.0 + 1e-14);
}

/* One question to an account: epsilon at a delta, or delta at an epsilon. */
typedef struct dppair_conversion_ {
  const dppair_accountant *a;
  double tail;    /* what capped hits may leave to delta */
  double delta;   /* > 0: asks for epsilon at this delta, from which failures are to be taken off */
  double epsilon; /* otherwise: asks for delta at this epsilon */
  double floor;   /* no order above the one converted last gives a smaller answer than this */
} dppair_conversion_;

/* epsilon of an order; see dppair_convert_. DBL_MAX when nothing is left of delta. */
DPPAIR_FN_ double dppair_convert_to_epsilon_(dppair_conversion_ *c, double order, double rdp,
                                             double unpaid) {
  const double head = dppair_log1p_(-1.0 / order);
  const double rest = c->delta - dppair_up_(dppair_add_up_(c->a->failure, unpaid));
  double value;
  if (!(rest > 0.0)) return DBL_MAX;
  value = rdp + head - (dppair_log_(rest) + dppair_log_(order)) / (order - 1.0);
  c->floor = rdp + head - dppair_log_(order) / (order - 1.0);
  value += 1e-14 * (dppair_fabs_(rdp) + dppair_fabs_(head) + 700.0 / (order - 1.0));
  return value <= 0.0 ? 0.0 : value < DBL_MAX ? value : DBL_MAX; /* DBL_MAX of a NaN */
}

/* delta of an order, solved for in the same formula. */
DPPAIR_FN_ double dppair_convert_to_delta_(dppair_conversion_ *c, double order, double rdp,
                                           double unpaid) {
  const double head = dppair_log1p_(-1.0 / order);
  double log_delta = (order - 1.0) * (rdp - c->epsilon + head) - dppair_log_(order);
  double delta;
  log_delta += 1e-14 * ((order - 1.0) * (rdp + c->epsilon - head) + dppair_log_(order) + 1.0);
  c->floor = rdp > c->epsilon - head ? DBL_MAX : 0.0;
  if (log_delta > 0.0) log_delta = 0.0;
  delta = dppair_exp_(log_delta) * (1.0 + 1e-13) + unpaid + c->a->failure;
  if (delta < DBL_MIN) delta = DBL_MIN;
  return delta < 1.0 ? delta : 1.0;
}

/*
 * (epsilon, delta) from the Renyi divergence r of order a (Canonne, Kamath and Steinke 2020,
 * Proposition 12; the same as Balle et al. 2020, Theorem 21):
 *   epsilon = r + log(1 - 1/a) - log(a delta)/(a - 1),
 * rounded up: |log delta| <= 700.
 */
DPPAIR_FN_ double dppair_convert_(dppair_conversion_ *c, double order, double rdp, double unpaid) {
  if (rdp >= DBL_MAX) {
    c->floor = DBL_MAX;
    return DBL_MAX;
  }
  c->floor = 0.0;
  return c->delta > 0.0 ? dppair_convert_to_epsilon_(c, order, rdp, unpaid)
                        : dppair_convert_to_delta_(c, order, rdp, unpaid);
}

/* What the order 1 + e^s answers. */
DPPAIR_FN_ double dppair_convert_at_(dppair_conversion_ *c, double s) {
  const double order = 1.0 + dppair_exp_(s);
  double unpaid;
  const double rdp = dppair_accountant_curve_(&unpaid, c->a, order, c->tail);
  return dppair_convert_(c, order, rdp, unpaid);
}

/* Folded accounts: the best of the fixed orders. */
DPPAIR_FN_ double dppair_convert_folded_(double *order, dppair_conversion_ *c) {
  double best = DBL_MAX;
  size_t i;
  *order = 0.0;
  for (i = 0; i < DPPAIR_ORDER_COUNT; i++) {
    const double a = dppair_renyi_order(i);
    double unpaid, rdp, value;
    if (c->a->rdp[i] >= DBL_MAX) break;
    rdp = dppair_accountant_curve_(&unpaid, c->a, a, c->tail);
    rdp = rdp < DBL_MAX ? dppair_up_(rdp + c->a->rdp[i]) : rdp;
    value = dppair_convert_(c, a, rdp, unpaid);
    if (value < best) {
      best = value;
      *order = a;
    }
    if (c->floor >= best) break;
  }
  return best;
}

/* Improves the best answer so far, at order 1 + e^at, by golden section: 22 rounds narrow the two
 * intervals of a scan beside it, each `pace` wide, to 5e-5 of their width. */
DPPAIR_FN_ void dppair_convert_narrow_(double *best, double *at, dppair_conversion_ *c,
                                       double pace) {
  const double golden = 0.61803398874989484820;
  double low = *at - pace, high = *at + pace;
  double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
  double f1 = dppair_convert_at_(c, x1), f2 = dppair_convert_at_(c, x2);
  int i;
  for (i = 0; i < 22; i++) {
    if (f1 <= f2) {
      high = x2;
      x2 = x1;
      f2 = f1;
      x1 = high - golden * (high - low);
      f1 = dppair_convert_at_(c, x1);
    } else {
      low = x1;
      x1 = x2;
      f1 = f2;
      x2 = low + golden * (high - low);
      f2 = dppair_convert_at_(c, x2);
    }
    if (f1 < *best) {
      *best = f1;
      *at = x1;
    }
    if (f2 < *best) {
      *best = f2;
      *at = x2;
    }
  }
}

/* Does the account hold steps that cost more between whole orders than at them? */
DPPAIR_FN_ int dppair_accountant_has_whole_(const dppair_accountant *a) {
  size_t i;
  for (i = 0; i < a->count; i++)
    if (dppair_mechanism_is_whole_(a->step[i].kind)) return 1;
  return 0;
}

/* The same of the whole orders on both sides of the best one. */
DPPAIR_FN_ void dppair_convert_whole_(double *best, double *at, dppair_conversion_ *c) {
  const double low = dppair_floor_(1.0 + dppair_exp_(*at));
  int k;
  for (k = 0; k < 2; k++) {
    const double order = low + k, s = dppair_log_(order - 1.0);
    double unpaid, value;
    if (!(order >= 2.0)) continue;
    value = dppair_accountant_curve_(&unpaid, c->a, order, c->tail);
    value = dppair_convert_(c, order, value, unpaid);
    if (!(value < *best)) continue;
    *best = value;
    *at = s;
  }
}

/*
 * The best order. Every order gives a valid bound, so that the search can only lose tightness: a
 * scan over s = log(order - 1), orders 1.0009 to 2.7e8, which ends where larger orders cannot win,
 * and golden section around the winner.
 */
DPPAIR_FN_ double dppair_convert_best_(double *order, dppair_conversion_ *c) {
  const double pace = 0.8;
  double best = DBL_MAX, at = 0.0, s;
  if (c->a->folded) return dppair_convert_folded_(order, c);
  *order = 0.0;
  for (s = -7.0; s < 20.0; s += pace) {
    const double value = dppair_convert_at_(c, s);
    if (value < best) {
      best = value;
      at = s;
    }
    if (c->floor >= best) break;
  }
  if (best >= DBL_MAX) return best;
  dppair_convert_narrow_(&best, &at, c, pace);
  if (dppair_accountant_has_whole_(c->a)) dppair_convert_whole_(&best, &at, c);
  *order = 1.0 + dppair_exp_(at);
  return best;
}

/* 1 while the account is usable and holds nothing but plain Gaussian steps. */
DPPAIR_FN_ int dppair_accountant_is_gaussian_(const dppair_accountant *a) {
  return dppair_accountant_usable_(a) == DPPAIR_OK && a->count == 0 && !a->folded && a->zcdp <= 0.0;
}

/* Has every step a finite pure epsilon? Their sum then bounds the account at delta = 0. */
DPPAIR_FN_ int dppair_accountant_is_pure_(const dppair_accountant *a) {
  size_t i;
  if (a->folded || a->zcdp > 0.0 || a->gaussian > 0.0) return 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_mechanism_is_pure_(a->step[i].kind)) return 0;
  return 1;
}

/* *rest = what the failure probability leaves of delta to the mechanisms. */
DPPAIR_FN_ dppair_status dppair_accountant_rest_(double *rest, const dppair_accountant *a,
                                                 double delta) {
  const dppair_status status = dppair_accountant_usable_(a);
  *rest = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  *rest = a->failure > 0.0 ? delta - dppair_up_(a->failure) : delta;
  if (*rest < 0.0 || (a->failure > 0.0 && *rest <= 0.0)) {
    *rest = 0.0;
    return DPPAIR_ERR_DELTA;
  }
  return DPPAIR_OK;
}

/* The best Renyi order for epsilon, rounded up. delta in (0, 1). OVERFLOW: no order gives a finite
 * epsilon. */
DPPAIR_FN_ dppair_status dppair_accountant_renyi_epsilon_(dppair_interval *b,
                                                          const dppair_accountant *a,
                                                          double delta) {
  dppair_conversion_ c;
  double rest, best, r, unpaid;
  const dppair_status status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (rest <= 0.0) return DPPAIR_ERR_DELTA;
  if (dppair_accountant_is_gaussian_(a) && a->gaussian <= 0.0) return DPPAIR_OK;
  c.a = a;
  c.tail = 0.01 * rest;
  c.delta = delta;
  c.epsilon = 0.0;
  best = dppair_convert_best_(&b->order, &c);
  if (best >= DBL_MAX) return DPPAIR_ERR_OVERFLOW;
  /* Bretagnolle and Huber: total variation^2 <= 1 - exp(-r) for the divergence r of every order.
   * Where that is below delta^2, epsilon is 0; the smallest order has the smallest r. */
  if (best > 0.0) {
    r = dppair_accountant_curve_(&unpaid, a, 1.001, c.tail);
    if (!a->folded && r < 1e-3 && rest > unpaid && (rest - unpaid) * (rest - unpaid) > r) {
      best = 0.0;
      b->order = 1.001;
    }
  }
  b->upper = best > 0.0 ? dppair_up_(best) : 0.0;
  return DPPAIR_OK;
}

/* The best Renyi order for delta. Capped hits may cost a hundredth of delta, which is not known
 * yet: repeat. */
DPPAIR_FN_ void dppair_accountant_renyi_delta_(dppair_interval *b, const dppair_accountant *a,
                                               double epsilon) {
  dppair_conversion_ c;
  int i;
  b->upper = 1.0;
  c.a = a;
  c.delta = 0.0;
  c.epsilon = epsilon;
  c.tail = 1e-12;
  for (i = 0; i < 4; i++) {
    double order;
    const double value = dppair_convert_best_(&order, &c);
    if (value < b->upper) {
      b->upper = value;
      b->order = order;
    }
    if (dppair_fabs_(c.tail - 0.01 * b->upper) <= 1e-3 * c.tail) break;
    c.tail = 0.01 * b->upper;
  }
}

/* The Renyi route alone: the upper bound and the order that gave it. */
DPPAIR_FN_ dppair_status dppair_accountant_renyi_(dppair_interval *b, const dppair_accountant *a,
                                                  int for_delta, double given) {
  dppair_status status = DPPAIR_OK;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_RENYI;
  if (for_delta)
    dppair_accountant_renyi_delta_(b, a, given);
  else
    status = dppair_accountant_renyi_epsilon_(b, a, given);
  if (status != DPPAIR_OK) memset(b, 0, sizeof *b);
  b->estimate = b->upper;
  return status;
}

/* Epsilon by what needs no composition: see dppair_accountant_epsilon. */
DPPAIR_FN_ dppair_status dppair_accountant_answer_epsilon_(dppair_interval *b,
                                                           const dppair_accountant *a,
                                                           double delta) {
  const int pure = dppair_accountant_is_pure_(a);
  double rest, mu;
  dppair_status status = dppair_accountant_rest_(&rest, a, delta);
  if (status != DPPAIR_OK) return status;
  if (rest <= 0.0 && !pure) return DPPAIR_ERR_DELTA;
  if (rest > 0.0 && dppair_accountant_is_gaussian_(a)) {
    b->route = DPPAIR_ROUTE_CLOSED, mu = dppair_up_(dppair_sqrt_(a->gaussian));
    return dppair_gaussian_epsilon(&b->upper, dppair_down_(rest), mu);
  }
  if (dppair_accountant_is_objective_(a)) {
    b->route = DPPAIR_ROUTE_CLOSED;
    return dppair_objective_epsilon_(&b->upper, a, dppair_down_(rest));
  }
  if (rest > 0.0) status = dppair_accountant_renyi_(b, a, 0, delta);
  if (pure && (rest <= 0.0 || status != DPPAIR_OK || a->pure < b->upper)) {
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = a->pure;
    b->order = 0.0;
    return DPPAIR_OK;
  }
  return status;
}

/* Delta, the same way. */
DPPAIR_FN_ dppair_status dppair_accountant_answer_delta_(dppair_interval *b,
                                                         const dppair_accountant *a,
                                                         double epsilon) {
  const int objective = dppair_accountant_is_objective_(a);
  dppair_status status = DPPAIR_OK;
  if (!dppair_isfinite_f64(epsilon)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (dppair_accountant_is_pure_(a) && epsilon >= a->pure) {
    b->route = DPPAIR_ROUTE_PURE;
    b->upper = a->failure < 1.0 ? a->failure : 1.0;
    return DPPAIR_OK;
  }
  if (!objective && !dppair_accountant_is_gaussian_(a))
    return dppair_accountant_renyi_(b, a, 1, epsilon);
  b->route = DPPAIR_ROUTE_CLOSED;
  if (objective)
    b->upper = dppair_objective_at_(a, epsilon);
  else
    status = dppair_gaussian_delta(&b->upper, epsilon, dppair_up_(dppair_sqrt_(a->gaussian)));
  if (status != DPPAIR_OK) return status;
  b->upper = dppair_add_up_(b->upper, a->failure);
  if (b->upper > 1.0) b->upper = 1.0;
  return DPPAIR_OK;
}

/* Epsilon at delta `given`, or delta at epsilon `given`, by what needs no composition. */
DPPAIR_FN_ dppair_status dppair_accountant_answer_(dppair_interval *b, const dppair_accountant *a,
                                                   int for_delta, double given) {
  dppair_status status = dppair_accountant_usable_(a);
  memset(b, 0, sizeof *b);
  if (status == DPPAIR_OK)
    status = for_delta ? dppair_accountant_answer_delta_(b, a, given)
                       : dppair_accountant_answer_epsilon_(b, a, given);
  if (status != DPPAIR_OK) memset(b, 0, sizeof *b);
  b->estimate = b->upper;
  return status;
}

/*
 * *epsilon of everything in the account at this delta, rounded up: from the exact Gaussian curve
 * when all steps are Gaussian, by a closed form where one perturbed objective is beside them, else
 * from the best Renyi order, or the sum of pure epsilons where that is smaller. delta in (0, 1), or
 * 0 when every step is pure. dppair_accountant_certify is tighter, and says which of the three it
 * was. Errors: those of a broken account; DELTA, also when failures leave nothing of delta;
 * OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_epsilon(double *epsilon,
                                                                     const dppair_accountant *a,
                                                                     double delta) {
  dppair_interval b;
  dppair_status status;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_answer_(&b, a, 0, delta);
  *epsilon = b.upper;
  return status;
}

/* *delta of all at this epsilon, rounded up, <= 1. Errors: of the account; NOT_FINITE, EPSILON. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_delta(double *delta,
                                                                   const dppair_accountant *a,
                                                                   double epsilon) {
  dppair_interval b;
  dppair_status status;
  if (delta == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_answer_(&b, a, 1, epsilon);
  *delta = b.upper;
  return status;
}

/* The account as a list of steps for numerical composition: the table, and all plain Gaussian steps
 * as one more. steps has room for DPPAIR_STEP_CAPACITY + 1. Accounts with zCDP or folded steps have
 * no such list: NO_PROOF. */
DPPAIR_FN_ dppair_status dppair_accountant_steps_(dppair_step *steps, size_t *count,
                                                  const dppair_accountant *a) {
  size_t i;
  *count = 0;
  if (a->folded || a->zcdp > 0.0) return DPPAIR_ERR_NO_PROOF;
  for (i = 0; i < a->count; i++) steps[i] = a->step[i];
  if (a->gaussian > 0.0)
    steps[i++] = dppair_step_make_(
        DPPAIR_GAUSSIAN, dppair_down_(dppair_down_(1.0 / dppair_up_(dppair_sqrt_(a->gaussian)))),
        1);
  *count = i;
  return DPPAIR_OK;
}

/* Parallel composition: `count` accounts of mechanisms that read disjoint parts of the records,
 * split without looking at the records. A replaced record lies in one part, so *epsilon is the
 * largest one. Errors: NULL, SIZE (count = 0), those of dppair_accountant_epsilon. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_parallel_epsilon(double *epsilon,
                                                                   const dppair_accountant *parts,
                                                                   size_t count, double delta) {
  size_t i;
  double largest = 0.0;
  if (epsilon == NULL) return DPPAIR_ERR_NULL;
  *epsilon = 0.0;
  if (parts == NULL) return DPPAIR_ERR_NULL;
  if (count == 0) return DPPAIR_ERR_SIZE;
  for (i = 0; i < count; i++) {
    double e;
    const dppair_status status = dppair_accountant_epsilon(&e, &parts[i], delta);
    if (status != DPPAIR_OK) return status;
    if (e > largest) largest = e;
  }
  *epsilon = largest;
  return DPPAIR_OK;
}

/* Group privacy: (epsilon, delta) for data sets that differ in one record implies k epsilon and
 * delta (e^(k epsilon) - 1)/(e^epsilon - 1) for k records. Gaussian accounts do better with k times
 * the sensitivity. DELTA: the group's delta exceeds 1. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_privacy(double *group_epsilon,
                                                                double *group_delta, double epsilon,
                                                                double delta, size_t k) {
  double total, factor;
  if (group_epsilon == NULL || group_delta == NULL) return DPPAIR_ERR_NULL;
  *group_epsilon = *group_delta = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (k == 0) return DPPAIR_ERR_SIZE;
  total = dppair_up_(epsilon * (double)k);
  if (!dppair_isfinite_f64(total)) return DPPAIR_ERR_OVERFLOW;
  factor = (double)k;
  if (epsilon > 0.0) factor = dppair_expm1_(total) / dppair_expm1_(epsilon) * (1.0 + 1e-14);
  if (delta > 0.0 && !(factor * delta <= 1.0)) return DPPAIR_ERR_DELTA;
  *group_epsilon = total;
  *group_delta = delta > 0.0 ? dppair_up_(factor * delta) : 0.0;
  return DPPAIR_OK;
}

/* ================================================================================================
 * Numerical composition
 *
 * dppair_compose takes a list of steps. A step may run any number of times, the order is arbitrary,
 * and what is released may depend on earlier outputs. The answer is certified on both sides:
 *
 *     dppair_step step = {DPPAIR_SAMPLED_GAUSSIAN,
 *                         {DPPAIR_POISSON, DPPAIR_ZERO_OUT, 0.01, 0, 0, 0, 0, 0},
 *                         1.0, 0.0, 10000, 0.0};            noise multiplier, pair rate, steps
 *     dppair_interval epsilon;
 *     if (dppair_compose_workspace(&bytes, 1) != DPPAIR_OK) return 1;
 *     work = malloc(bytes);
 *     if (dppair_compose(&epsilon, &step, 1, 1e-5, DPPAIR_ROUTE_BEST, work, bytes) != DPPAIR_OK)
 *       return 1;                                           6.18771239 on both sides
 *
 *   route      for                            width of [lower, upper]      time
 *   contour    sampled and plain Gaussian     about 1e-11; wider when      0.05 to 1 ms
 *              steps and pairs                steps * rate is below 1
 *   lattice    every loss, also with atoms;   O(steps h^2), h the grid     5 ms (2^15 points)
 *              the only one for a handful     step                         to 50 ms (2^18)
 *              of steps
 *
 * Epochs of allocated records are a table of densities (allocation/), about 1e-9 wide in 10 to 50
 * ms where nothing else is composed with them.
 *
 * Both routes certify: every error is bounded, none is estimated, and the bounds are added to the
 * result with their signs. The two routes share only the dominating pairs and the search for c (the
 * tilt of the losses), and the tests compare one with the other.
 * ============================================================================================== */

/* ---- src/accountant/contour/theory.h --------------------------------------------------------
 * The contour route: why it is a bound, and its state
 *
 * M(z) = E_P e^(zL) is the moment function of one step, K(z) = prod M_t(z)^(T_t) that of the
 * composition. For any c > 0, with z = c + iy,
 *     delta(epsilon) = (1/2 pi i) int K(z) e^(-z epsilon) / (z (z+1)) dz
 * because 1/(z(z+1)) is the Laplace transform of 1 - e^-u. The trapezoid rule of step eta in y,
 *     S(epsilon) = eta/(2 pi) sum_k K(z_k) e^(-z_k epsilon) / (z_k (z_k + 1)),  z_k = c + i k eta,
 * equals sum_m e^(2 pi m c/eta) delta(epsilon + 2 pi m/eta) by Poisson summation: the term m = 0 is
 * delta, the others are positive aliases. So S is an upper bound of delta, and S minus a bound on
 * the aliases is a lower bound:
 *   m < 0: delta <= 1, so these sum to at most 1/(e^(2 pi c/eta) - 1).
 *   m > 0: delta(e) <= K(c') k(c') e^(-c' e) for any c' > c, with k(c') = sup (1 - e^-u) e^(-c'u) =
 *          c'^c'/(1+c')^(1+c'). These form a geometric series with ratio e^(-(c'-c) 2 pi/eta).
 *
 * The computed sum differs from S by four errors, each of which is bounded:
 *   The cut at Y = N eta. The terms beyond it sum to at most K(c) e^(-c epsilon) / (pi Y) times the
 *     sup of |K(c+iy)|/K(c) over y >= Y. Suppose that the tilted law of a loss (density
 *     proportional to mass times e^(cL)) is at least the density of sum_i m_i Uniform(interval of
 *     width w_i). Then |M(c+iy)|/M(c) <= 1 - sum_i m_i (1 - |sinc(y w_i/2)|). The intervals come
 *     from a lower envelope of the density: a lower bound in each cell, made unimodal, cut into
 *     layers. In a cell [x0, x1] the log density is a concave plus a convex function of x. The
 *     chord of the first and a tangent of the second lie below them and are linear, so the smaller
 *     of the two ends bounds the cell; divided by the largest L' there it bounds the density in L.
 *     Every inequality is exact; nothing is sampled.
 *   Quadrature in x. For |Im x| <= a < pi/reach all exponentials in r turn by angles in
 *     [0, a reach], so |r(x+ia)| <= r(x), |r(x+ia)| >= r(x) cos(a reach/2) and
 *     |arg r(x+ia)| <= a reach. On the line the trapezoid rule with step h has the error
 *     |M_h - M| <= 2 M(c) E/(e^(2 pi a/h) - 1) with E = e^(a^2/2 + a reach |y|) for a forward
 *     branch, times cos^-c for a backward one, and with a reach |y| doubled and times cos^-c for an
 *     opposite one. On a half line, or where that would need too many nodes, Gauss-Legendre with 16
 *     points is used on panels, each as wide as its own bound allows: if |f| <= F on the ellipse of
 *     parameter rho, the error is at most (64/15) w F rho^-32/(1 - rho^-2) (the Chebyshev
 *     coefficients of f are at most 2 F rho^-k; the integral and the 16-point sum of T_k are at
 *     most 2).
 *   Nodes far out. log mass + c L falls at least like a Gaussian beyond some x, so that the nodes
 *     left out sum to at most a geometric series.
 *   Rounding. The sums are over M(c) - 1 = E (e^(cL) - 1) and
 *     M(z_k) - M(c) = E e^(cL) (e^(iyL) - 1), and L itself is computed from r - 1: every term keeps
 *     its relative precision, so the errors are proportional to what a step loses, not to 1. Each
 *     node counts the errors of its mass, its loss, the summation, and of turning e^(iyL) by k
 *     complex products (sqrt 5 u each, Brent, Percival and Zimmermann 2007). An error e of M
 *     relative to M(c) changes K by prod (|M_t| + e_t)^(T_t) - prod |M_t|^(T_t), which is at most
 *     prod (|M_t| + e_t)^(T_t) times sum T_t e_t/(|M_t| + e_t).
 *
 * The epsilon that is returned has been tested: S + errors <= delta there, and at the lower one
 * S - errors - aliases >= delta.
 *
 * Chapters: search (rough log K, to place the line), layers (the cut), quadrature (nodes of one
 * step), factor (one step's share of the line), line (c, eta, N and the sum), direction (answers).
 * ---------------------------------------------------------------------------------------------- */

enum {
  /* per step, for the search of c: a panel for each of the two branches per hit */
  DPPAIR_SEARCH_NODES_ = 32 * DPPAIR_AMPLIFIED_HITS_ + 32,
  DPPAIR_LAYERS_ = 512,   /* per step, for the cut */
  DPPAIR_X_NODES_ = 8192, /* of one step's quadrature: beyond, NO_CONVERGENCE */
  DPPAIR_Z_NODES_ = 4096  /* of the line, likewise */
};

/*
 * A privacy loss as a table: mass[i] is the probability of the loss (first + i) *
 * grid_step, under P in forward and under Q with P and Q exchanged in backward; the infinities are
 * the probabilities of an infinite loss; steps is how often it is composed. backward may be NULL
 * when both directions are the same. Masses are taken as exact; with the infinity they sum to 1
 * within 1e-9.
 */
typedef struct dppair_loss_table_ {
  const double *forward, *backward;
  size_t forward_size, backward_size;
  int64_t forward_first, backward_first;
  double forward_infinity, backward_infinity;
  size_t steps;
} dppair_loss_table_;

struct dppair_tabled_; /* lattice/allocated.h */

/* Everything one direction of a composition needs; the arrays lie in the caller's workspace. */
typedef struct dppair_contour_ {
  const dppair_step *steps;
  size_t count;
  const dppair_loss_table_ *tables; /* lattice route only */
  size_t table_count;
  double grid_step, c_limit;
  int backward;
  int replaced; /* some step replaces allocated records */
  int below;    /* then: 1, the pair below the true one; 0, the one above */
  struct dppair_tabled_ *tabled;
  double *spare; /* what is left of the workspace, for the tables of allocated records */
  size_t spares;
  double tail;     /* what hits beyond the cap may cost in delta, per step */
  double trim;     /* the search sees laws cut so that e^trim of P is beyond each end; 0: whole */
  double about[2]; /* with trim: epsilon and log delta are about these */
  double variance; /* sum of mu^2 over plain Gaussian steps */
  double failure;  /* what hits beyond the cap do cost in delta, together */
  int merged;      /* some law is above the true one: there are no lower bounds */
  double total_steps;
  double *search;            /* per step 2 * DPPAIR_SEARCH_NODES_ */
  double *layers;            /* per step 2 * DPPAIR_LAYERS_ */
  double *node;              /* 10 * DPPAIR_X_NODES_ */
  double *line;              /* 6 * DPPAIR_Z_NODES_, of which dppair_line_of_ uses five */
  double reach_c;            /* the search nodes cover tilts up to this c */
  double c, right, eta, cut; /* the chosen line: c, c', eta, Y */
  size_t nodes;              /* N */
  /* the certified sum: log K(c), its relative rounding, log K(c'), the bound of log |K|/K(c) beyond
   * the cut, and the error of S relative to K(c) e^(-c epsilon) */
  double log_k, log_k_rounding, log_right, log_decay, error;
} dppair_contour_;

/* The line's arrays, one number per node z_k. */
typedef struct dppair_line_ {
  double *log_abs, *arg; /* log |K| and arg K relative to K(c); later the node's share of S and
                            its phase */
  double *log_top;       /* sum T log(|M| + e) */
  double *error;         /* sum T e/(|M| + e) */
  double *rounding;      /* relative rounding of the first two */
} dppair_line_;

DPPAIR_FN_ dppair_line_ dppair_line_of_(const dppair_contour_ *s) {
  dppair_line_ line;
  line.log_abs = s->line;
  line.arg = line.log_abs + DPPAIR_Z_NODES_;
  line.log_top = line.arg + DPPAIR_Z_NODES_;
  line.error = line.log_top + DPPAIR_Z_NODES_;
  line.rounding = line.error + DPPAIR_Z_NODES_;
  return line;
}

/* log k(c) = log of c^c/(1+c)^(1+c). */
DPPAIR_FN_ double dppair_contour_kernel_(double c) {
  return -c * dppair_log1p_(1.0 / c) - dppair_log1p_(c);
}

/* A question about a composition: epsilon at delta `given`, or delta at epsilon `given`. */
typedef struct dppair_question_ {
  const dppair_step *steps;
  size_t count;
  int for_delta;
  double given;
  double *work;
  size_t doubles;
  int only; /* 1: one order of the neighbours alone, as laws are written; 2: the other; 0: both */
} dppair_question_;

/* Does the question ask about direction d of so many? One alone stands for both orders. */
DPPAIR_FN_ int dppair_question_asks_(const dppair_question_ *q, int directions, int d) {
  return directions < 2 || q->only == 0 || q->only == d + 1;
}

/* Doubles that dppair_contour_answer_ needs for `count` distinct steps. */
DPPAIR_FN_ dppair_status dppair_contour_workspace_(size_t *doubles, size_t count) {
  const size_t each = 2 * DPPAIR_SEARCH_NODES_ + 2 * DPPAIR_LAYERS_;
  const size_t fixed = 10 * (size_t)DPPAIR_X_NODES_ + 6 * (size_t)DPPAIR_Z_NODES_;
  *doubles = 0;
  if (count > (SIZE_MAX - fixed) / each / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *doubles = fixed + each * count;
  return DPPAIR_OK;
}

/* ---- src/accountant/contour/search.h --------------------------------------------------------
 * The search: rough values of log K, to place the line
 *
 * Rough values of log K(c) at real c, from a few hundred nodes per step that are computed once and
 * used at every c. They only choose c, c', eta and N; every bound is certified later (factor.h), so
 * the numbers below are accuracies that were found to be enough, not proved ones.
 * ---------------------------------------------------------------------------------------------- */

/* The panels' half width for 16 Gauss-Legendre nodes, in units of the noise. */
#define DPPAIR_SEARCH_PANEL_ 1.25
/* Trapezoid steps. On a strip of half width a < pi/reach the rule errs by about
 * e^(a^2/2 - 2 pi a/h): below 1e-6 for 1.2/reach, and for 0.8 while reach <= 1.5. A trimmed law
 * ends abruptly and needs a finer step. */
#define DPPAIR_SEARCH_STEP_ 0.8
#define DPPAIR_SEARCH_REACH_STEP_ 1.2
#define DPPAIR_SEARCH_TRIMMED_STEP_ 0.1
/* Beyond 8.5 deviations the normal density has a mass of e^-39. */
#define DPPAIR_SEARCH_MARGIN_ 8.5
/* Terms below e^-40 of the largest are beyond the digits of a sum. */
#define DPPAIR_SEARCH_DIGITS_ 40.0

/* Search nodes of one step, as they are listed: losses and log weights. */
typedef struct dppair_search_list_ {
  double *loss, *weight;
  size_t used;
} dppair_search_list_;

DPPAIR_FN_ void dppair_search_add_(dppair_search_list_ *list, double loss, double log_weight) {
  list->loss[list->used] = loss;
  list->weight[list->used++] = log_weight;
}

DPPAIR_FN_ dppair_search_list_ dppair_search_list_of_(double *search) {
  dppair_search_list_ list;
  list.loss = search;
  list.weight = search + DPPAIR_SEARCH_NODES_;
  list.used = 0;
  return list;
}

/* Where the mass of a branch tilted by e^(cL), c in [0, cmax], lies but for the part beyond
 * `margin` deviations: [*low, *high]. */
DPPAIR_FN_ void dppair_branch_span_(double *low, double *high, const dppair_branch_ *branch,
                                    double cmax, double margin) {
  const double reach = branch->reach;
  *low = -margin;
  *high = margin;
  if (branch->shape == DPPAIR_FORWARD_) *high += (cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_OPPOSITE_) *high += (2.0 * cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_BACKWARD_ && !branch->half) {
    /* outwards by fifths until the tilted density falls faster than the margin asks */
    dppair_log_ratio_ g;
    for (; *low > -margin - cmax * reach; *low *= 1.2) {
      dppair_log_ratio_of_(&g, branch, *low);
      if (-*low - cmax * g.slope > margin) break;
    }
  }
  if (branch->half) *low = branch->from;
}

/* Where a branch is cut on either side so that at most e^log_spend of P is beyond each end. */
DPPAIR_FN_ void dppair_cells_ends_(double *low, double *high, const dppair_branch_ *branch,
                                   double log_spend) {
  const double reach = branch->shape == DPPAIR_BACKWARD_ ? 0.0 : branch->reach;
  *high = dppair_sqrt_(-2.0 * log_spend);
  *low = branch->half ? branch->from : -*high;
  *high += reach;
  if (*high < *low) *high = *low;
}

/* Gauss-Legendre panels of 16 nodes on [low, high], for branches that begin in mid mass. */
DPPAIR_FN_ void dppair_search_panels_(dppair_search_list_ *list, const dppair_branch_ *branch,
                                      double low, double high, size_t room) {
  dppair_place_ place;
  size_t panels, j;
  if (high <= low) return;
  panels = (size_t)((high - low) / (2.0 * DPPAIR_SEARCH_PANEL_)) + 1;
  if (16 * panels > room) panels = room / 16;
  for (j = 0; j < 16 * panels; j++) {
    const double half = 0.5 * (high - low) / (double)panels;
    double w;
    const double x =
        low + half * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, (int)(j % 16)));
    dppair_place_of_(&place, branch, x);
    dppair_search_add_(list, place.loss, place.log_mass + dppair_log_(w * half));
  }
}

/* The trapezoid rule on [low, high], for branches that fall off to both sides. */
DPPAIR_FN_ void dppair_search_line_(dppair_search_list_ *list, const dppair_branch_ *branch,
                                    double low, double high, size_t room, int trimmed) {
  const double least = (high - low) / (double)(room - 1);
  double h = trimmed               ? DPPAIR_SEARCH_TRIMMED_STEP_
             : branch->reach > 1.5 ? DPPAIR_SEARCH_REACH_STEP_ / branch->reach
                                   : DPPAIR_SEARCH_STEP_;
  dppair_place_ place;
  size_t n, j;
  if (h < least) h = least;
  n = (size_t)((high - low) / h) + 1;
  for (j = 0; j < n; j++) {
    dppair_place_of_(&place, branch, low + h * (double)j);
    dppair_search_add_(list, place.loss, place.log_mass + dppair_log_(h));
  }
}

/* Laplace and randomised response: atoms at both ends, and Laplace's density between them, which is
 * e^((L - e)/2)/4 in L, by four panels. */
DPPAIR_FN_ void dppair_search_atoms_(dppair_search_list_ *list, const dppair_law_ *law) {
  const int laplace = law->kind == DPPAIR_LAW_LAPLACE_;
  const double e = law->mu, high = laplace ? 0.5 : 1.0 / (1.0 + dppair_exp_(-e));
  int j;
  dppair_search_add_(list, e, dppair_log_(high));
  dppair_search_add_(list, -e, dppair_log_(high) - e);
  for (j = 0; laplace && j < 64; j++) {
    double w;
    const double x = e * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, j % 16));
    const double loss = 0.25 * x - e;
    dppair_search_add_(list, loss, dppair_log_(w * 0.0625 * e) + 0.5 * (loss - e));
  }
}

/* Fills step t's search nodes: pairs (loss, log weight), ended by a weight of -inf. */
DPPAIR_FN_ void dppair_contour_search_nodes_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                             double cmax) {
  dppair_search_list_ list = dppair_search_list_of_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t);
  const size_t branches = dppair_branches_(law);
  const double atom = dppair_law_atom_(law);
  size_t i;
  dppair_branch_ branch;
  for (i = 0; i < branches; i++) {
    const size_t room = (DPPAIR_SEARCH_NODES_ - 2) / branches;
    double low, high;
    dppair_branch_of_(&branch, law, i, s->backward);
    dppair_branch_span_(&low, &high, &branch, cmax, DPPAIR_SEARCH_MARGIN_);
    if (s->trim < 0.0) {
      double ends[2];
      dppair_cells_ends_(&ends[0], &ends[1], &branch, s->trim);
      if (ends[0] > low) low = ends[0];
      if (ends[1] < high) high = ends[1];
    }
    if (branch.half)
      dppair_search_panels_(&list, &branch, low, high, room);
    else
      dppair_search_line_(&list, &branch, low, high, room, s->trim < 0.0);
  }
  if (atom > 0.0) dppair_search_add_(&list, 0.0, dppair_log_(atom));
  if (law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_)
    dppair_search_atoms_(&list, law);
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
}

/* log M(c) of one step from its search nodes. */
DPPAIR_FN_ double dppair_contour_search_step_(const double *loss, double c) {
  const double *weight = loss + DPPAIR_SEARCH_NODES_;
  double top = -HUGE_VAL, sum = 0.0;
  size_t j, n;
  for (n = 0; weight[n] > -DBL_MAX; n++) {
    const double t = weight[n] + c * loss[n];
    if (t > top) top = t;
  }
  for (j = 0; j < n; j++) {
    const double t = weight[j] + c * loss[j] - top;
    if (t > -DPPAIR_SEARCH_DIGITS_) sum += dppair_exp_(t);
  }
  return top + dppair_log_(sum);
}

/* The search nodes of a table: up to half as many bins as there is room for, each with the mean of
 * its losses. */
DPPAIR_FN_ void dppair_contour_search_table_(double *search, const dppair_loss_table_ *table,
                                             int backward, double h) {
  dppair_search_list_ list = dppair_search_list_of_(search);
  const double *mass = backward && table->backward != NULL ? table->backward : table->forward;
  const size_t size = mass == table->forward ? table->forward_size : table->backward_size;
  const int64_t first = mass == table->forward ? table->forward_first : table->backward_first;
  const size_t bin = size / (DPPAIR_SEARCH_NODES_ / 2) + 1;
  size_t i, j;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    for (j = i; j < size && j < i + bin; j++) {
      sum += mass[j];
      mean += mass[j] * (double)(j - i);
    }
    if (sum > 0.0)
      dppair_search_add_(&list, h * ((double)first + (double)i + mean / sum), dppair_log_(sum));
  }
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
}

/* lattice/allocated.h */
DPPAIR_RARE_ dppair_status dppair_allocated_search_(dppair_contour_ *s, size_t t,
                                                    const dppair_law_ *law);

/* Makes the search nodes of all steps and tables, good for tilts up to cmax. */
DPPAIR_FN_ dppair_status dppair_contour_search_fill_(dppair_contour_ *s, double cmax) {
  dppair_law_ law;
  size_t t;
  for (t = 0; t < s->count; t++) {
    dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && law.kind == DPPAIR_LAW_ALLOCATION_)
      status = dppair_allocated_search_(s, t, &law);
    if (status != DPPAIR_OK) return status;
    if (law.kind == DPPAIR_LAW_ALLOCATION_) continue;
    if (law.kind != DPPAIR_LAW_GAUSSIAN_ && law.steps > 0.0)
      dppair_contour_search_nodes_(s, t, &law, cmax);
    else
      s->search[2 * DPPAIR_SEARCH_NODES_ * t + DPPAIR_SEARCH_NODES_] = -HUGE_VAL;
  }
  for (t = 0; t < s->table_count; t++)
    dppair_contour_search_table_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t),
                                 &s->tables[t], s->backward, s->grid_step);
  s->reach_c = cmax;
  return DPPAIR_OK;
}

/* log K(c). Where c is beyond what the nodes cover, they are made anew, with room to spare: the
 * walk downhill seldom asks for more than 16, and then grows c by a factor below 2. */
DPPAIR_FN_ dppair_status dppair_contour_search_(double *log_k, dppair_contour_ *s, double c) {
  size_t t;
  if (c > s->reach_c) {
    const double cmax = s->reach_c > 0.0 ? 4.0 * c : (c > 16.0 ? c : 16.0);
    const dppair_status status = dppair_contour_search_fill_(s, cmax);
    if (status != DPPAIR_OK) return status;
  }
  *log_k = 0.5 * s->variance * c * (c + 1.0);
  for (t = 0; t < s->count; t++) {
    const double *loss = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    if (loss[DPPAIR_SEARCH_NODES_] > -DBL_MAX)
      *log_k += (double)dppair_step_runs_(&s->steps[t]) * dppair_contour_search_step_(loss, c);
  }
  for (t = 0; t < s->table_count; t++)
    *log_k += (double)s->tables[t].steps *
              dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t), c);
  return dppair_isfinite_f64(*log_k) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* What the search minimises over c: the moment bound of epsilon at log delta `given`, or of log
 * delta at epsilon `given`. */
DPPAIR_FN_ double dppair_contour_goal_(double log_k, double c, int for_delta, double given) {
  const double bound = log_k + dppair_contour_kernel_(c);
  return for_delta ? bound - c * given : (bound - given) / c;
}

/* ---- src/accountant/contour/layers.h --------------------------------------------------------
 * Layers: how fast |M(c+iy)| falls in y
 *
 * A lower envelope of the tilted loss density as a sum of uniform densities on intervals, which
 * bounds the terms beyond the line's end (theory.h, "the cut"). What is left out of the envelope
 * only makes the bound weaker, so the margins below decide nothing but how tight it is.
 * ---------------------------------------------------------------------------------------------- */

/* Deviations beyond which the first look for the mass does not go. */
#define DPPAIR_LAYER_MARGIN_ 7.0
/* Cells whose density is below e^-14 of the largest are not worth their place. */
#define DPPAIR_LAYER_DEPTH_ 14.0
/* Cells of one branch: with more, the bound hardly improves. */
#define DPPAIR_LAYER_CELLS_ 160
/* The cell widths and the sums are rounded a few times; 1e-9 covers that by far. */
#define DPPAIR_LAYER_SLACK_ (1.0 - 1e-9)

/* 1 - sup over v' >= v of |sin v'/v'|, from below. The local maxima beyond 2.5 are below sinc(2.5)
 * = 0.2394, and |sinc| <= 1/v. The series alternates, so it is cut after a negative term. */
DPPAIR_FN_ double dppair_contour_spread_(double v) {
  const double s = v * v;
  if (v < 2.5) return s * (1.0 / 6 - s * (1.0 / 120 - s * (1.0 / 5040 - s * (1.0 / 362880))));
  return v < 4.2 ? 0.76 : 1.0 - 1.0 / v;
}

/* The tilted law of a branch at the ends of equal cells. */
typedef struct dppair_slice_ {
  const dppair_branch_ *branch;
  double c;
  double *loss, *log_density; /* of mass e^(c loss) in x; then the cells' bounds, in the loss */
  double *convex, *slope;     /* (c+1) log r or 0, and the slope of log r */
  double *mirror, *blur;      /* the slope of log r at -x (opposite); the error of the loss */
} dppair_slice_;

DPPAIR_FN_ dppair_slice_ dppair_slice_of_(const dppair_branch_ *branch, double c, size_t cells,
                                          double *room) {
  dppair_slice_ slice;
  slice.branch = branch;
  slice.c = c;
  slice.loss = room;
  slice.log_density = slice.loss + (cells + 1);
  slice.convex = slice.log_density + (cells + 1);
  slice.slope = slice.convex + (cells + 1);
  slice.mirror = slice.slope + (cells + 1);
  slice.blur = slice.mirror + (cells + 1);
  return slice;
}

/* The convex part of the log density is this times log r. */
DPPAIR_FN_ double dppair_slice_factor_(const dppair_slice_ *slice) {
  return slice->branch->shape == DPPAIR_BACKWARD_ ? 0.0 : slice->c + 1.0;
}

/* Looks at the ends of `cells` cells of width h from low on. Returns the largest log density. */
DPPAIR_FN_ double dppair_slice_look_(dppair_slice_ *slice, double low, double h, size_t cells) {
  const double factor = dppair_slice_factor_(slice);
  double top = -HUGE_VAL;
  dppair_place_ place;
  size_t j;
  for (j = 0; j <= cells; j++) {
    dppair_place_of_(&place, slice->branch, low + h * (double)j);
    slice->loss[j] = place.loss;
    slice->convex[j] = factor * place.g;
    slice->slope[j] = place.slope;
    slice->mirror[j] = place.mirror;
    slice->blur[j] = place.loss_error;
    slice->log_density[j] = place.log_mass + slice->c * place.loss;
    if (slice->log_density[j] > top) top = slice->log_density[j];
  }
  return top;
}

/* Where the tilted mass is: narrows [*low, *high] with cells about a deviation wide. 0: nowhere. */
DPPAIR_FN_ int dppair_slice_find_(dppair_slice_ *slice, double *low, double *high, size_t cells) {
  const double most = (double)cells - 8.0, enough = *high - *low < most ? *high - *low : most;
  const size_t count = cells < 24 ? cells : (size_t)enough + 8;
  const double h = (*high - *low) / (double)count, from = *low;
  const double least = dppair_slice_look_(slice, from, h, count) - DPPAIR_LAYER_DEPTH_;
  size_t first = 0, last = count;
  while (slice->log_density[first] < least) first++; /* the largest one stops both */
  while (slice->log_density[last] < least) last--;
  if (first > 0) first--;
  if (last < count) last++;
  *low = from + h * (double)first;
  *high = from + h * (double)last;
  return *high > *low;
}

/* Turns the log densities at the cells' ends into lower bounds of the density of the loss in each
 * cell, relative to e^log_m. Returns the cell with the largest. */
DPPAIR_FN_ size_t dppair_slice_bound_(dppair_slice_ *slice, double h, double log_m, size_t cells) {
  const double factor = dppair_slice_factor_(slice);
  double *density = slice->log_density;
  const double *convex = slice->convex, *slope = slice->slope;
  size_t j, peak = 0;
  for (j = 0; j < cells; j++) {
    /* The chord of the concave part plus the tangent of the convex one, drawn at either end. The
     * true step differs from h by rounding, which the slack covers. */
    const double at_left = density[j] - (convex[j] - convex[j + 1] + h * factor * slope[j + 1]);
    const double at_right = density[j + 1] - (convex[j + 1] - convex[j] - h * factor * slope[j]);
    const double one = density[j] < at_right ? density[j] : at_right;
    const double two = density[j + 1] < at_left ? density[j + 1] : at_left;
    const double rise = slope[j + 1] + slice->mirror[j]; /* the largest L' in the cell */
    density[j] = rise > 0.0
                     ? dppair_exp_((one > two ? one : two) - log_m) / rise * DPPAIR_LAYER_SLACK_
                     : 0.0;
    if (density[j] > density[peak]) peak = j;
  }
  return peak;
}

/* Makes the cells' bounds unimodal: running minima away from the peak. */
DPPAIR_FN_ void dppair_slice_unimodal_(double *density, size_t peak, size_t cells) {
  size_t j;
  for (j = peak; j-- > 0;)
    if (density[j] > density[j + 1]) density[j] = density[j + 1];
  for (j = peak + 1; j < cells; j++)
    if (density[j] > density[j - 1]) density[j] = density[j - 1];
}

/* Cuts the area under a unimodal envelope into layers, from the bottom up. Returns how many. */
DPPAIR_FN_ size_t dppair_slice_layers_(double *mass, double *width, const dppair_slice_ *slice,
                                       size_t cells) {
  const double *density = slice->log_density, *loss = slice->loss, *blur = slice->blur;
  size_t first = 0, last = cells - 1, used = 0;
  double level = 0.0;
  for (;;) {
    const int left = density[first] <= density[last];
    const double next = left ? density[first] : density[last];
    const double w = dppair_fabs_(loss[last + 1] - loss[first]) * DPPAIR_LAYER_SLACK_ -
                     blur[first] - blur[last + 1];
    if (next > level && w > 0.0) {
      mass[used] = (next - level) * w;
      width[used++] = w;
      level = next;
    }
    if (first == last) return used;
    if (left)
      first++;
    else
      last--;
  }
}

/* Adds the layers of one branch at tilt c; returns how many. cell has room for 6 * (cells + 1). */
DPPAIR_FN_ size_t dppair_contour_slice_(double *mass, double *width, const dppair_branch_ *branch,
                                        double c, double log_m, size_t cells, double *cell) {
  dppair_slice_ slice = dppair_slice_of_(branch, c, cells, cell);
  double low, high, h;
  dppair_branch_span_(&low, &high, branch, c, DPPAIR_LAYER_MARGIN_);
  if (high <= low || !dppair_slice_find_(&slice, &low, &high, cells)) return 0;
  h = (high - low) / (double)cells;
  (void)dppair_slice_look_(&slice, low, h, cells);
  dppair_slice_unimodal_(slice.log_density, dppair_slice_bound_(&slice, h, log_m, cells), cells);
  return dppair_slice_layers_(mass, width, &slice, cells);
}

/* The layers of step t at the chosen c, ended by a mass of -1. log_m: log M(c) as the search found
 * it. */
DPPAIR_FN_ void dppair_contour_layers_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                       double log_m) {
  double *mass = s->layers + 2 * DPPAIR_LAYERS_ * t, *width = mass + DPPAIR_LAYERS_;
  const size_t branches = dppair_branches_(law);
  size_t used = 0, i, cells;
  dppair_branch_ branch;
  cells = branches == 0 ? 0 : (DPPAIR_LAYERS_ - 1) / branches;
  if (cells > DPPAIR_LAYER_CELLS_) cells = DPPAIR_LAYER_CELLS_;
  for (i = 0; i < branches; i++) {
    dppair_branch_of_(&branch, law, i, s->backward);
    used += dppair_contour_slice_(mass + used, width + used, &branch, s->c, log_m, cells, s->node);
  }
  mass[used] = -1.0;
}

/* A bound of log |M(c+iy)|/M(c) for all y >= cut; `scale` is M(c) relative to the e^log_m of the
 * layers. */
DPPAIR_FN_ double dppair_contour_decay_(const double *mass, double cut, double scale) {
  const double *width = mass + DPPAIR_LAYERS_;
  double sum = 0.0;
  size_t i;
  for (i = 0; mass[i] >= 0.0; i++) sum += mass[i] * dppair_contour_spread_(0.5 * cut * width[i]);
  sum *= DPPAIR_LAYER_SLACK_ / scale;
  return dppair_log1p_(-(sum < 1.0 - 1e-15 ? sum : 1.0 - 1e-15));
}

/* The same of the composition, by what the layers used for M(c). */
DPPAIR_FN_ double dppair_contour_decay_all_(const dppair_contour_ *s, double cut) {
  double sum = -0.5 * s->variance * cut * cut * DPPAIR_LAYER_SLACK_;
  size_t t;
  for (t = 0; t < s->count; t++)
    sum += (double)dppair_step_runs_(&s->steps[t]) *
           dppair_contour_decay_(s->layers + 2 * DPPAIR_LAYERS_ * t, cut, 1.0);
  return sum;
}

/* ---- src/accountant/contour/quadrature.h ----------------------------------------------------
 * Certified quadrature in x: the nodes of one step
 *
 * M(z) = sum over nodes of e^(log_mass + z loss), with bounds of what the sum misses at the tilts
 * c, c' and 0 and at heights y up to the cut (theory.h, "quadrature in x" and "nodes far out").
 * Each branch takes the trapezoid rule where that needs few nodes, and Gauss-Legendre panels
 * elsewhere. The searches for a strip, a panel or an end decide the cost only: their bounds hold as
 * found.
 * ---------------------------------------------------------------------------------------------- */

/* Heights at which the quadrature's error is bounded, evenly spread from 0 to the cut. The log of
 * each bound is convex in y, so that chords bound it in between. */
enum { DPPAIR_HEIGHTS_ = 6 };

/* The tilts at which the nodes are used. */
enum { DPPAIR_TILT_C_ = 0, DPPAIR_TILT_RIGHT_ = 1, DPPAIR_TILT_NONE_ = 2, DPPAIR_TILTS_ = 3 };

/* The strip's half width is at most this part of what the branch allows, pi/reach: at pi/reach
 * itself r may vanish. And at most 14, the best half width for an error of e^-98 (a^2/2 = 98). */
#define DPPAIR_STRIP_PART_ 0.98
#define DPPAIR_STRIP_WIDEST_ 14.0
/* Below this step a trapezoid needs more nodes than panels do. */
#define DPPAIR_STRIP_LEAST_STEP_ 0.02
/* Nodes before these deviations from 0 are all taken: no end is near. */
#define DPPAIR_NODES_CENTRE_ 4.0
/* What is left out beyond an end is bounded only where the mass falls at least this fast. */
#define DPPAIR_NODES_FALL_ 0.5
/* A panel is at most this half width, and is refused below the other; b at most this part of
 * pi/reach and at most 5. */
#define DPPAIR_PANEL_WIDEST_ 1.6
#define DPPAIR_PANEL_LEAST_ 1e-4
#define DPPAIR_PANEL_PART_ 0.95
#define DPPAIR_PANEL_AXIS_ 5.0
/* Each panel errs by e^-3 of what is wished for: about 20 panels share it. */
#define DPPAIR_PANEL_SHARE_ 3.0
/* Sums of a few positive terms err by less. */
#define DPPAIR_SUM_UP_ (1.0 + 1e-6)

/* The nodes of one step, each with bounds of the absolute error of its loss and the relative one of
 * its mass, and what the sum over them misses: by the quadrature (strip, as a log at each height)
 * and by the nodes that are not there (left_out), relative to e^log_m at tilt c; the same relative
 * to e^log_right at tilt c' and height 0; and both together at tilt 0. */
typedef struct dppair_nodes_ {
  double *loss, *log_mass, *loss_error, *mass_error;
  size_t n, room;
  double log_strip[DPPAIR_HEIGHTS_], left_out;
  double strip_right, left_out_right;
  double plain;
} dppair_nodes_;

/* Appends a node at x; 0 when there is no room. */
DPPAIR_FN_ int dppair_nodes_add_(dppair_nodes_ *nodes, dppair_place_ *place,
                                 const dppair_branch_ *branch, double x, double log_weight) {
  const size_t n = nodes->n;
  if (n >= nodes->room) return 0;
  dppair_place_of_(place, branch, x);
  nodes->loss[n] = place->loss;
  nodes->log_mass[n] = place->log_mass + log_weight;
  nodes->loss_error[n] = place->loss_error;
  nodes->mass_error[n] = nodes->loss_error[n] +
                         DPPAIR_UNIT_ * (16.0 + 4.0 * (x * x + dppair_fabs_(nodes->log_mass[n])));
  nodes->n = n + 1;
  return 1;
}

/* Counts the masses at the three tilts that are left out beyond an end. */
DPPAIR_FN_ void dppair_nodes_left_out_(dppair_nodes_ *nodes, const double *mass) {
  nodes->left_out += mass[DPPAIR_TILT_C_] * DPPAIR_SUM_UP_;
  nodes->left_out_right += mass[DPPAIR_TILT_RIGHT_] * DPPAIR_SUM_UP_;
  nodes->plain += mass[DPPAIR_TILT_NONE_] * DPPAIR_SUM_UP_;
}

/* How small the relative error of M(c+iy) should be: e^-digits[i] up to height y[i]. A wish only;
 * what comes out is bounded afterwards. */
typedef struct dppair_wish_ {
  double y[DPPAIR_HEIGHTS_], digits[DPPAIR_HEIGHTS_];
} dppair_wish_;

/* By how much an error that grows like e^(rate y) misses the wish, as a log, apart from its own
 * size at y = 0. */
DPPAIR_FN_ double dppair_wish_gap_(const dppair_wish_ *wish, double rate) {
  double gap = -HUGE_VAL;
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++)
    if (wish->digits[i] + rate * wish->y[i] > gap) gap = wish->digits[i] + rate * wish->y[i];
  return gap;
}

/* The log of the factor by which a strip of half width a costs more than e^(a^2/2), and the rate at
 * which its log grows with |y|. */
DPPAIR_FN_ double dppair_strip_(double *rate, const dppair_branch_ *branch, double c, double a) {
  *rate = a * branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  return branch->shape == DPPAIR_FORWARD_ ? 0.0
                                          : -c * dppair_log_(dppair_cos_(0.5 * a * branch->reach));
}

/* The largest step h at which the trapezoid's error is as wished, over 32 half widths; *best is the
 * half width. 0.7 is the log of the factor 2 in the error. */
DPPAIR_FN_ double dppair_strip_step_(double *best, const dppair_branch_ *branch, double c,
                                     const dppair_wish_ *wish) {
  const double allowed = DPPAIR_STRIP_PART_ * DPPAIR_PI_ / branch->reach;
  const double widest = allowed < DPPAIR_STRIP_WIDEST_ ? allowed : DPPAIR_STRIP_WIDEST_;
  double h = 0.0;
  int i;
  *best = 0.0;
  for (i = 1; i <= 32; i++) {
    const double a = widest * (double)i / 32.0;
    double rate, one = dppair_strip_(&rate, branch, c, a);
    one = 2.0 * DPPAIR_PI_ * a / (dppair_wish_gap_(wish, rate) + 0.7 + 0.5 * a * a + one);
    if (one > h) {
      h = one;
      *best = a;
    }
  }
  return h;
}

/* x with only its upper 20 bits: multiples by j < 2^30 are exact. */
DPPAIR_FN_ double dppair_short_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits &= ~((UINT64_C(1) << 33) - 1);
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* A lower bound of how fast log mass + cL falls beyond x, away from 0. The slope of log r increases
 * in x, from 0 to reach. */
DPPAIR_FN_ double dppair_fall_(const dppair_branch_ *branch, const dppair_place_ *place, double c,
                               double x) {
  if (branch->shape == DPPAIR_BACKWARD_) return x > 0.0 ? x : -x - c * place->slope;
  return x > 0.0 ? x - (c + 1.0) * branch->reach - c * place->mirror : -x;
}

/* log(e^v - 1), v > 0, where e^v may overflow. */
DPPAIR_FN_ double dppair_log_expm1_(double v) { return v + dppair_log_(-dppair_expm1_(-v)); }

/* Bounds what the node last added leaves beyond it, in steps of h, at each tilt: 0 when the mass
 * there is not yet below e^-digits of its level, or does not fall yet. */
DPPAIR_FN_ int dppair_nodes_done_(double *beyond, const dppair_nodes_ *nodes,
                                  const dppair_branch_ *branch, const dppair_place_ *place,
                                  const double *tilt, const double *level, double digits, double x,
                                  double h) {
  int k;
  for (k = 0; k < DPPAIR_TILTS_; k++) {
    const double fall = dppair_fall_(branch, place, tilt[k], x);
    const double log_here =
        nodes->log_mass[nodes->n - 1] + tilt[k] * nodes->loss[nodes->n - 1] - level[k];
    if (fall < DPPAIR_NODES_FALL_ || log_here > -digits) return 0;
    beyond[k] = dppair_exp_(log_here) / dppair_expm1_(h * fall);
  }
  return 1;
}

/* A branch on the line by the trapezoid with step h and a strip of half width a. tilt, level: the
 * tilts with rough values of log M there; the mass left out is made smaller than e^-digits of it.
 */
DPPAIR_FN_ dppair_status dppair_nodes_line_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                            const double *tilt, const double *level,
                                            const dppair_wish_ *wish, double a, double h) {
  const double log_h = dppair_log_(h);
  /* relative to M(c), which is at most 1.1 e^log_m: checked when M(c) is known */
  const double factor =
      dppair_log_(2.2) + 0.5 * a * a - dppair_log_expm1_(2.0 * DPPAIR_PI_ * a / h);
  double rate, out[DPPAIR_TILTS_] = {0.0, 0.0, 0.0}, beyond[DPPAIR_TILTS_];
  const double log_error = factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_C_], a);
  int side, k;
  dppair_place_ place;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] = dppair_log_add_(nodes->log_strip[k], log_error + rate * wish->y[k]);
  nodes->strip_right +=
      dppair_exp_(factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_RIGHT_], a));
  nodes->plain += dppair_exp_(factor + dppair_strip_(&rate, branch, tilt[DPPAIR_TILT_NONE_], a));
  for (side = 0; side < 2; side++) {
    size_t j = side == 0 ? 0 : 1;
    for (;; j++) {
      const double x = side == 0 ? h * (double)j : -h * (double)j;
      if (!dppair_nodes_add_(nodes, &place, branch, x, log_h)) return DPPAIR_ERR_NO_CONVERGENCE;
      if (h * (double)j >= DPPAIR_NODES_CENTRE_ &&
          dppair_nodes_done_(beyond, nodes, branch, &place, tilt, level, wish->digits[0], x, h))
        break;
    }
    for (k = 0; k < DPPAIR_TILTS_; k++) out[k] += beyond[k];
  }
  dppair_nodes_left_out_(nodes, out);
  return DPPAIR_OK;
}

/* One panel [x - w, x + w] with an ellipse of minor semi-axis b around it. */
typedef struct dppair_panel_ {
  double b;
  double log_error; /* of the 16-point rule, relative to e^log_m, at height 0 */
  double rate;      /* its growth with the height */
} dppair_panel_;

/* The largest log |mass e^(cL)| on the real points within span of x, but for the weight. -x^2/2 and
 * the concave parts -c log r(x), -c log r(-x) lie below their tangents, (c+1) log r below its
 * chord, so that the larger end counts. right: log r at x + span, mirror: at -x. */
DPPAIR_FN_ double dppair_panel_top_(const dppair_branch_ *branch, double c, double x, double span,
                                    const dppair_log_ratio_ *here, const dppair_log_ratio_ *right,
                                    const dppair_log_ratio_ *mirror) {
  double top = -HUGE_VAL;
  int side;
  for (side = -1; side <= 1; side += 2) {
    const double d = side * span;
    double value = -0.5 * x * x - x * d;
    if (branch->shape == DPPAIR_BACKWARD_) {
      value -= c * (here->value + here->slope * d);
    } else {
      dppair_log_ratio_ g = *right;
      if (side < 0) dppair_log_ratio_of_(&g, branch, x + d);
      value += (c + 1.0) * g.value;
      if (branch->shape == DPPAIR_OPPOSITE_) value -= c * (mirror->value - mirror->slope * d);
    }
    if (value > top) top = value;
  }
  return top;
}

/*
 * The error of a panel by the bound of |mass e^(zL)| on its ellipse, whose real parts are within
 * span of x. Modulus: |r| >= r cos(b reach/2) and >= r (1 - share (1 - cos(b reach))). Angle:
 * |arg r(x+ib)| is at most b (log r)'/cos(b reach/2). Share and slope increase in x.
 */
DPPAIR_FN_ void dppair_panel_of_(dppair_panel_ *panel, const dppair_branch_ *branch, double c,
                                 double log_m, double x, double w, double b) {
  const double rho = b / w + dppair_sqrt_(b * b / (w * w) + 1.0),
               span = 0.5 * w * (rho + 1.0 / rho);
  const double wedge = dppair_cos_(0.5 * b * branch->reach);
  dppair_log_ratio_ here, right, mirror, remote;
  double top, share = 0.0, slope;
  dppair_log_ratio_of_(&here, branch, x);
  dppair_log_ratio_of_(&right, branch, x + span);
  slope = right.slope;
  if (branch->shape == DPPAIR_BACKWARD_) share = right.share;
  if (branch->shape == DPPAIR_OPPOSITE_) {
    dppair_log_ratio_of_(&mirror, branch, -x);
    dppair_log_ratio_of_(&remote, branch, span - x);
    slope += remote.slope;
    share = remote.share;
  } else {
    mirror = here;
  }
  top = dppair_panel_top_(branch, c, x, span, &here, &right, &mirror);
  if (branch->shape != DPPAIR_FORWARD_) {
    const double kept = 1.0 - share * (1.0 - dppair_cos_(b * branch->reach));
    top -= c * dppair_log_(kept > wedge ? kept : wedge);
  }
  panel->b = b;
  panel->rate = b * slope / wedge;
  panel->log_error = top + branch->log_weight - DPPAIR_LOG_SQRT_2PI_ - log_m + 0.5 * b * b +
                     dppair_log_(w * (64.0 / 15.0) / (1.0 - 1.0 / (rho * rho)) * DPPAIR_SUM_UP_) -
                     32.0 * dppair_log_(rho);
}

/* The end of a branch at side +1 or -1, from `at` outwards by half deviations: where the mass has
 * fallen at all tilts. What is beyond is added to what is left out. */
DPPAIR_FN_ double dppair_nodes_end_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                    const double *tilt, const double *level, double digits,
                                    double at, int side) {
  dppair_place_ place;
  double tail[DPPAIR_TILTS_];
  int k;
  for (k = 0; k < DPPAIR_TILTS_;) {
    double fall;
    dppair_place_of_(&place, branch, at);
    fall = dppair_fall_(branch, &place, tilt[k], at);
    if (fall <= DPPAIR_NODES_FALL_ || place.log_mass + tilt[k] * place.loss - level[k] >= -digits)
      at += 0.5 * (double)side;
    else /* or NaN, which no walk ends: then so is what is left out */
      k++;
  }
  for (k = 0; k < DPPAIR_TILTS_; k++) {
    dppair_place_of_(&place, branch, at);
    tail[k] = dppair_exp_(place.log_mass + tilt[k] * place.loss - level[k]) /
              dppair_fall_(branch, &place, tilt[k], at);
  }
  dppair_nodes_left_out_(nodes, tail);
  return at;
}

/* The panel [x, x + 2w] with the best of six ellipses, from the widest that the branch allows down
 * to a sixteenth of it; b below w/2 is left out, because rho^-32 is above e^-16 there. Returns the
 * log of its error relative to the wish. */
DPPAIR_FN_ double dppair_panel_best_(dppair_panel_ *best, const dppair_branch_ *branch, double c,
                                     double log_m, double x, double w, const dppair_wish_ *wish) {
  const double allowed = branch->reach * DPPAIR_PANEL_AXIS_ < DPPAIR_PANEL_PART_ * DPPAIR_PI_
                             ? DPPAIR_PANEL_AXIS_
                             : DPPAIR_PANEL_PART_ * DPPAIR_PI_ / branch->reach;
  double gap = HUGE_VAL;
  dppair_panel_ panel;
  int i;
  memset(best, 0, sizeof *best);
  for (i = 0; i < 6; i++) {
    const double b = allowed * (i < 2 ? 1.0 - 0.3 * (double)i : dppair_pow_(0.5, (double)(i - 1)));
    double here;
    if (b < 0.5 * w) continue;
    dppair_panel_of_(&panel, branch, c, log_m, x + w, w, b);
    here = panel.log_error + dppair_wish_gap_(wish, panel.rate);
    if (here < gap) {
      gap = here;
      *best = panel;
    }
  }
  return gap;
}

/* Adds the 16 nodes of the panel [x, x + 2w], and its errors at the three tilts. */
DPPAIR_FN_ int dppair_panel_add_(dppair_nodes_ *nodes, const dppair_panel_ *panel,
                                 const dppair_branch_ *branch, const double *tilt,
                                 const double *level, const dppair_wish_ *wish, double x,
                                 double w) {
  dppair_panel_ other;
  dppair_place_ place;
  int k;
  for (k = 0; k < DPPAIR_HEIGHTS_; k++)
    nodes->log_strip[k] =
        dppair_log_add_(nodes->log_strip[k], panel->log_error + panel->rate * wish->y[k]);
  dppair_panel_of_(&other, branch, tilt[DPPAIR_TILT_RIGHT_], level[DPPAIR_TILT_RIGHT_], x + w, w,
                   panel->b);
  nodes->strip_right += dppair_exp_(other.log_error);
  dppair_panel_of_(&other, branch, 0.0, 0.0, x + w, w, panel->b);
  nodes->plain += dppair_exp_(other.log_error);
  for (k = 0; k < 16; k++) {
    double weight;
    const double offset = dppair_legendre_(&weight, k);
    if (!dppair_nodes_add_(nodes, &place, branch, x + w * (1.0 + offset), dppair_log_(w * weight)))
      return 0;
  }
  return 1;
}

/* A branch by panels of 16 nodes, each as wide as its own bound allows: a panel tries twice the
 * width of the one before, and shrinks until its error is small enough. The last one reaches beyond
 * the end; what was counted there as left out is harmlessly counted twice. */
DPPAIR_FN_ dppair_status dppair_nodes_panels_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const double *tilt, const double *level,
                                              const dppair_wish_ *wish) {
  const double digits = wish->digits[0] + 2.0; /* so that the ends cost less than the panels */
  double from = branch->from, end, x, w = DPPAIR_PANEL_WIDEST_;
  dppair_panel_ panel;
  if (!branch->half)
    from = dppair_nodes_end_(nodes, branch, tilt, level, digits, -DPPAIR_NODES_CENTRE_, -1);
  end = dppair_nodes_end_(nodes, branch, tilt, level, digits, (branch->half ? from : 0.0) + 2.0, 1);
  for (x = from; x < end; x += 2.0 * w) {
    w = w * 2.1 < DPPAIR_PANEL_WIDEST_ ? w * 2.1 : DPPAIR_PANEL_WIDEST_;
    for (;; w *= 0.7) {
      if (w < DPPAIR_PANEL_LEAST_) return DPPAIR_ERR_NO_CONVERGENCE;
      if (dppair_panel_best_(&panel, branch, tilt[DPPAIR_TILT_C_], level[DPPAIR_TILT_C_], x, w,
                             wish) < -DPPAIR_PANEL_SHARE_)
        break;
    }
    if (!dppair_panel_add_(nodes, &panel, branch, tilt, level, wish, x, w))
      return DPPAIR_ERR_NO_CONVERGENCE;
  }
  return DPPAIR_OK;
}

/* The nodes of a branch, by the cheaper rule. log_m, log_right: rough log M(c), log M(c'). */
DPPAIR_FN_ dppair_status dppair_nodes_branch_(dppair_nodes_ *nodes, const dppair_branch_ *branch,
                                              const dppair_contour_ *s, double log_m,
                                              double log_right, const dppair_wish_ *wish) {
  double tilt[DPPAIR_TILTS_] = {0.0, 0.0, 0.0}, level[DPPAIR_TILTS_] = {0.0, 0.0, 0.0};
  tilt[DPPAIR_TILT_C_] = s->c;
  tilt[DPPAIR_TILT_RIGHT_] = s->right;
  level[DPPAIR_TILT_C_] = log_m;
  level[DPPAIR_TILT_RIGHT_] = log_right;
  if (!branch->half) {
    double a, h = dppair_short_(dppair_strip_step_(&a, branch, s->c, wish));
    if (h > DPPAIR_STRIP_LEAST_STEP_)
      return dppair_nodes_line_(nodes, branch, tilt, level, wish, a, h);
  }
  return dppair_nodes_panels_(nodes, branch, tilt, level, wish);
}

/* ---- src/accountant/contour/factor.h --------------------------------------------------------
 * One step's factor on the line
 *
 * Multiplies M(z_k)^T of one step into all nodes of the line: its nodes in x (quadrature.h), the
 * sums over them at every z_k, and bounds of all errors on the way (theory.h, "rounding").
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_END_
DPPAIR_FP_BEGIN_ /* calls nothing: may become vectors */
/* Turns each node once, v <- v w + d with w = e^(i eta L) and d = a (w - 1), so that v runs through
 * a (w^k - 1), and sums all v by blocks of 256. Four running sums of each part let compilers use
 * vectors. n is a multiple of 4. */
DPPAIR_FN_ void dppair_contour_turn_(double *sum_re, double *sum_im, double *DPPAIR_RESTRICT_ re,
                                     double *DPPAIR_RESTRICT_ im,
                                     const double *DPPAIR_RESTRICT_ turn_re,
                                     const double *DPPAIR_RESTRICT_ turn_im,
                                     const double *DPPAIR_RESTRICT_ add_re,
                                     const double *DPPAIR_RESTRICT_ add_im, size_t n) {
  size_t block, j, v;
  *sum_re = *sum_im = 0.0;
  for (block = 0; block < n; block += 256) {
    const size_t end = block + 256 < n ? block + 256 : n;
    double a[4] = {0.0, 0.0, 0.0, 0.0}, b[4] = {0.0, 0.0, 0.0, 0.0};
    for (j = block; j < end; j += 4) {
      for (v = 0; v < 4; v++) {
        const size_t i = j + v;
        const double x = (re[i] * turn_re[i] - im[i] * turn_im[i]) + add_re[i];
        const double y = (re[i] * turn_im[i] + im[i] * turn_re[i]) + add_im[i];
        re[i] = x;
        im[i] = y;
        a[v] += x;
        b[v] += y;
      }
    }
    *sum_re += (a[0] + a[1]) + (a[2] + a[3]);
    *sum_im += (b[0] + b[1]) + (b[2] + b[3]);
  }
}
DPPAIR_FP_END_
DPPAIR_LIBM_BEGIN_

/* One step on its way into the line. All masses are relative to e^log_m, which the search found
 * for M(c), so that M(c) e^-log_m = m is near 1. An atom at loss 0 adds nothing to either sum. */
typedef struct dppair_factor_ {
  const double *layers;
  double times;            /* how often the step runs */
  double log_m, log_right; /* log M(c) and log M(c'), as the search found them */
  double one;              /* e^-log_m: what a mass of 1 is here */
  dppair_nodes_ nodes;
  double summed;              /* roundings of one turned sum and of its terms */
  double excess, size, wrong; /* M(c) - 1, the same with all terms positive, its error */
  double right, right_wrong;  /* M(c') relative to e^log_right, and its error */
  double dropped;             /* mass of the nodes that do not turn */
  double m, base, strip;      /* M(c); errors at every node: mass not there, quadrature */
  double turn1, turn2;        /* rounding of M(z_k) - M(c): at most k turn1 + k^2 turn2, */
  double flat, phase;         /* and at most flat + k phase */
  size_t n;                   /* nodes that turn, filled up to a multiple of 4 */
  double *re, *im;            /* a (w^k - 1), a the mass at tilt c and w = e^(i eta L) */
  double *turn_re, *turn_im;  /* w */
  double *add_re, *add_im;    /* a (w - 1) */
} dppair_factor_;

/* The largest exponent of e that is used: neither e^600 nor e^-600 leaves the normal doubles. */
#define DPPAIR_EXPONENT_ 600.0

/* Terms of relative size 1e-22 are beyond the digits of a sum: they are left out, and bounded. */
#define DPPAIR_NOTHING_ 1e-22

DPPAIR_FN_ void dppair_factor_begin_(dppair_factor_ *f, const dppair_contour_ *s,
                                     const dppair_law_ *law, size_t t) {
  const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
  double *room = s->node;
  int i;
  memset(f, 0, sizeof *f);
  f->layers = s->layers + 2 * DPPAIR_LAYERS_ * t;
  f->times = law->steps;
  f->log_m = dppair_contour_search_step_(search, s->c);
  f->log_right = dppair_contour_search_step_(search, s->right);
  f->one = dppair_exp_(-f->log_m);
  f->nodes.loss = room;
  f->nodes.log_mass = room += DPPAIR_X_NODES_;
  f->nodes.loss_error = room += DPPAIR_X_NODES_;
  f->nodes.mass_error = room += DPPAIR_X_NODES_;
  f->nodes.room = DPPAIR_X_NODES_ - 4; /* filled up to a multiple of 4 */
  for (i = 0; i < DPPAIR_HEIGHTS_; i++) f->nodes.log_strip[i] = -1e300;
  f->re = room += DPPAIR_X_NODES_;
  f->im = room += DPPAIR_X_NODES_;
  f->turn_re = room += DPPAIR_X_NODES_;
  f->turn_im = room += DPPAIR_X_NODES_;
  f->add_re = room += DPPAIR_X_NODES_;
  f->add_im = room + DPPAIR_X_NODES_;
}

/* How small the error of this step should be at each height. An error e of |M| relative to M(c)
 * makes one of T e |M|^(T-1) times the other steps' factors in K. */
DPPAIR_FN_ void dppair_factor_wish_(dppair_wish_ *wish, const dppair_factor_ *f,
                                    const dppair_contour_ *s, double digits) {
  int i;
  for (i = 0; i < DPPAIR_HEIGHTS_; i++) {
    const double y = s->cut * (double)i / (double)(DPPAIR_HEIGHTS_ - 1);
    const double own = dppair_contour_decay_(f->layers, y, 1.0);
    const double all = dppair_contour_decay_all_(s, y);
    const double least = dppair_log_(f->times + 1.0) - own;
    wish->y[i] = y;
    wish->digits[i] = digits + dppair_log_(f->times + 1.0) + all - own;
    if (wish->digits[i] < least) wish->digits[i] = least;
  }
}

/* The nodes of all branches. */
DPPAIR_FN_ dppair_status dppair_factor_nodes_(dppair_factor_ *f, const dppair_contour_ *s,
                                              const dppair_law_ *law, double digits) {
  dppair_branch_ branch;
  dppair_wish_ wish;
  size_t i;
  if (!(dppair_fabs_(f->log_m) < DPPAIR_EXPONENT_ && dppair_fabs_(f->log_right) < DPPAIR_EXPONENT_))
    return DPPAIR_ERR_NO_CONVERGENCE;
  memset(&branch, 0, sizeof branch);
  dppair_factor_wish_(&wish, f, s, digits);
  for (i = 0; i < dppair_branches_(law); i++) {
    dppair_status status;
    dppair_branch_of_(&branch, law, i, s->backward);
    status = dppair_nodes_branch_(&f->nodes, &branch, s, f->log_m, f->log_right, &wish);
    if (status != DPPAIR_OK) return status;
  }
  /* sums by blocks of 256, each in four parts */
  f->summed =
      (f->nodes.n < 256 ? 0.25 * (double)f->nodes.n : 64.0 + (double)f->nodes.n / 256.0) + 16.0;
  return DPPAIR_OK;
}

/* Adds node j to M(c) - 1 = E (e^(cL) - 1) and to M(c'). Returns its mass at tilt c, with bounds of
 * the relative errors of its mass and of e^(cL). */
DPPAIR_FN_ double dppair_factor_real_(dppair_factor_ *f, double *mass_error, double *tilt_error,
                                      const dppair_contour_ *s, size_t j) {
  const double u = DPPAIR_UNIT_, loss = f->nodes.loss[j], shift = s->c * loss;
  const double a = dppair_exp_(f->nodes.log_mass[j] + shift - f->log_m);
  const double plain = dppair_exp_(f->nodes.log_mass[j]);
  /* beyond |cL| = 30 one of the two terms of the difference is nothing beside the other */
  const double grows =
      dppair_fabs_(shift) < 30.0 ? plain * dppair_expm1_(shift) * f->one : a - plain * f->one;
  const double right = dppair_exp_(f->nodes.log_mass[j] + s->right * loss - f->log_right);
  *mass_error = f->nodes.mass_error[j] + u * (8.0 + 2.0 * dppair_fabs_(f->log_m));
  *tilt_error = s->c * f->nodes.loss_error[j] + 4.0 * u * dppair_fabs_(shift);
  f->excess += grows;
  f->size += dppair_fabs_(grows);
  f->wrong += dppair_fabs_(grows) * *mass_error + a * *tilt_error;
  f->right += right;
  f->right_wrong +=
      right * (*mass_error + s->right * f->nodes.loss_error[j] +
               4.0 * u * (s->right * dppair_fabs_(loss) + dppair_fabs_(f->log_right) + 2.0));
  return a;
}

/* Prepares node j, of mass a at tilt c, for turning, and adds its roundings: |w^k - 1| is at most
 * k |angle|, and at most 2. */
DPPAIR_FN_ void dppair_factor_turning_(dppair_factor_ *f, const dppair_contour_ *s, size_t j,
                                       double a, double mass_error, double tilt_error) {
  const double u = DPPAIR_UNIT_, angle = s->eta * f->nodes.loss[j], half = dppair_sin_(0.5 * angle);
  const double reach = dppair_fabs_(angle) < 2.0 ? dppair_fabs_(angle) : 2.0;
  const double relative = mass_error + tilt_error + u * f->summed;
  const double turned = s->eta * f->nodes.loss_error[j] + 2.0 * u * dppair_fabs_(angle);
  const size_t n = f->n++;
  f->turn1 +=
      a * (reach * relative + s->eta * f->nodes.loss_error[j] + 2.0 * u * dppair_fabs_(angle));
  f->turn2 += a * reach * 4.0 * u;
  f->flat += a * 2.0 * relative;
  f->phase += a * (turned + 16.0 * u);
  dppair_sin_cos_(&f->turn_im[n], &f->turn_re[n], angle);
  f->add_re[n] = -2.0 * a * half * half;
  f->add_im[n] = a * f->turn_im[n];
  f->re[n] = f->im[n] = 0.0;
}

/* Sums over all nodes at the tilts c and c', prepares the turning, and puts the bounds together. */
DPPAIR_FN_ dppair_status dppair_factor_settle_(dppair_factor_ *f, const dppair_contour_ *s,
                                               double atom, double atom_error) {
  const double u = DPPAIR_UNIT_, still = atom * dppair_exp_(-f->log_right);
  dppair_nodes_ *nodes = &f->nodes;
  size_t j;
  for (j = 0; j < nodes->n; j++) {
    double mass_error, tilt_error;
    const double a = dppair_factor_real_(f, &mass_error, &tilt_error, s, j);
    if (a < DPPAIR_NOTHING_)
      f->dropped += a;
    else
      dppair_factor_turning_(f, s, j, a, mass_error, tilt_error);
  }
  for (; f->n % 4 != 0; f->n++) {
    f->re[f->n] = f->im[f->n] = f->turn_re[f->n] = f->turn_im[f->n] = 0.0;
    f->add_re[f->n] = f->add_im[f->n] = 0.0;
  }
  f->m = f->one + f->excess;
  /* the bounds so far took M(c) for at most 1.1 e^log_m, and hardly less */
  if (!(f->m > 0.92 && f->m < 1.08)) return DPPAIR_ERR_NO_CONVERGENCE;
  f->wrong += f->size * u * ((double)nodes->n + 16.0) + u * 4.0 * dppair_fabs_(f->excess);
  f->right += still;
  f->right_wrong += still * (atom_error + u * (4.0 + dppair_fabs_(f->log_right)));
  f->strip = dppair_exp_(nodes->log_strip[0]) / f->m;
  nodes->strip_right /= f->right;
  f->base = (nodes->left_out + f->dropped) / f->m;
  f->wrong =
      f->wrong / f->m +
      (nodes->plain + nodes->left_out) * dppair_exp_(f->log_m < 0.0 ? -f->log_m : 0.0) / f->m +
      f->strip;
  return f->base + f->wrong < 1e-3 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Bounds of the error of M(z_k)/M(c) - 1 = x + iy: by rounding and by mass that is not there, */
DPPAIR_FN_ double dppair_factor_rounding_(const dppair_factor_ *f, size_t k, double x, double y) {
  const double count = (double)k;
  double e = count * (f->turn1 + count * f->turn2);
  if (e > f->flat + count * f->phase) e = f->flat + count * f->phase;
  return e / f->m + (k > 0 ? 2.0 * f->base : 0.0) + f->wrong * dppair_sqrt_(x * x + y * y);
}

/* and by the quadrature, from the chord between the heights around z_k. */
DPPAIR_FN_ double dppair_factor_quadrature_(const dppair_factor_ *f, size_t k, size_t nodes) {
  const double *strip = f->nodes.log_strip;
  const double at = (double)(DPPAIR_HEIGHTS_ - 1) * (double)k / (double)nodes;
  const size_t i = (size_t)at < DPPAIR_HEIGHTS_ - 2 ? (size_t)at : DPPAIR_HEIGHTS_ - 2;
  return f->strip + dppair_exp_(strip[i] + (at - (double)i) * (strip[i + 1] - strip[i])) / f->m;
}

/* Turns through all nodes of the line and multiplies the factor into them. */
DPPAIR_FN_ void dppair_factor_line_(const dppair_factor_ *f, const dppair_contour_ *s) {
  const dppair_line_ line = dppair_line_of_(s);
  const double u = DPPAIR_UNIT_, times = f->times;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    double x = 0.0, y = 0.0, q, e, size, log_size;
    if (k > 0)
      dppair_contour_turn_(&x, &y, f->re, f->im, f->turn_re, f->turn_im, f->add_re, f->add_im,
                           f->n);
    x /= f->m;
    y /= f->m;
    e = dppair_factor_rounding_(f, k, x, y);
    q = 2.0 * x + (x * x + y * y); /* |M(z)/M(c)|^2 - 1 */
    if (q > -0.5) {                /* near 1: its log keeps the digits of q */
      size = dppair_sqrt_(1.0 + q);
      log_size = 0.5 * dppair_log1p_(q);
      line.rounding[k] +=
          8.0 * u * times * (2.0 * dppair_fabs_(x) + x * x + y * y + dppair_fabs_(y));
    } else {
      size = dppair_sqrt_((1.0 + x) * (1.0 + x) + y * y);
      e += 8.0 * u * (1.0 + dppair_fabs_(x) + dppair_fabs_(y));
      if (size < 1e-300) size = 1e-300;
      log_size = dppair_log_(size);
      line.rounding[k] += 8.0 * u * times * (4.0 + dppair_fabs_(log_size));
    }
    if (k > 0) e += dppair_factor_quadrature_(f, k, s->nodes);
    line.log_abs[k] += times * log_size;
    line.arg[k] += times * dppair_atan2_(y, 1.0 + x);
    line.log_top[k] += times * (log_size + dppair_log1p_(e / size));
    line.error[k] += times * e / (size + e);
  }
}

/* Adds the factor to log K(c), to log K(c') (infinite where that is not known to 1 %: there is no
 * lower bound then) and to the decay beyond the cut. */
DPPAIR_FN_ void dppair_factor_totals_(const dppair_factor_ *f, dppair_contour_ *s) {
  const double u = DPPAIR_UNIT_, times = f->times, log_m = f->log_m;
  const double log_true = dppair_fabs_(log_m) < 1.0 ? dppair_log1p_(f->excess * dppair_exp_(log_m))
                                                    : log_m + dppair_log_(f->m);
  const double right_wrong =
      (f->right_wrong + f->nodes.left_out_right) / f->right + u * (double)f->nodes.n;
  s->log_k += times * log_true;
  s->log_k_rounding +=
      times * 8.0 * u *
      (dppair_fabs_(log_true) + (dppair_fabs_(log_m) < 1.0 ? 0.0 : dppair_fabs_(log_m)));
  /* -log(1 - e) <= 1.001 e for e <= 1e-3, and 1.1 e for e <= 0.01 */
  s->log_k_rounding += times * f->wrong * 1.001;
  if (right_wrong + f->nodes.strip_right < 0.01 && f->right < 1.08)
    s->log_right +=
        times * (f->log_right + dppair_log_(f->right) + 1.1 * (right_wrong + f->nodes.strip_right) +
                 8.0 * u * (dppair_fabs_(f->log_right) + 2.0));
  else
    s->log_right = HUGE_VAL;
  s->log_decay += times * dppair_contour_decay_(f->layers, s->cut, f->m * (1.0 + 2.0 * f->wrong));
}

/* Multiplies step t, whose pair is law, into the line. e^-digits: the error that is wished for. */
DPPAIR_FN_ dppair_status dppair_contour_multiply_(dppair_contour_ *s, const dppair_law_ *law,
                                                  size_t t, double digits) {
  dppair_factor_ f;
  dppair_status status;
  dppair_factor_begin_(&f, s, law, t);
  status = dppair_factor_nodes_(&f, s, law, digits);
  if (status == DPPAIR_OK)
    status = dppair_factor_settle_(&f, s, dppair_law_atom_(law), dppair_law_atom_error_(law));
  if (status != DPPAIR_OK) return status;
  dppair_factor_line_(&f, s);
  dppair_factor_totals_(&f, s);
  return DPPAIR_OK;
}

/* ---- src/accountant/contour/line.h ----------------------------------------------------------
 * The line: c, c', eta and N, and the sum over its nodes
 *
 * saddle, choose and extent place the line by the search's rough values; certify multiplies all
 * steps into it (factor.h) and adds up the errors; bounds reads delta off at any epsilon.
 * ---------------------------------------------------------------------------------------------- */

/* The plain Gaussian steps' factor, exp(v z (z+1)/2) with v the sum of mu^2. */
DPPAIR_FN_ void dppair_contour_gaussian_(dppair_contour_ *s) {
  const dppair_line_ line = dppair_line_of_(s);
  const double v = 0.5 * s->variance, unit = 16.0 * DPPAIR_UNIT_;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k;
    line.log_abs[k] = line.log_top[k] = -v * y * y;
    line.arg[k] = v * y * (2.0 * s->c + 1.0);
    line.error[k] = 0.0;
    line.rounding[k] = unit * (v * y * y + line.arg[k]);
  }
  s->log_k = v * s->c * (s->c + 1.0);
  s->log_k_rounding = unit * s->log_k;
  s->log_right = v * s->right * (s->right + 1.0) * (1.0 + unit);
  s->log_decay = -v * s->cut * s->cut * (1.0 - unit);
}

/* The walk to the saddle begins at c = 1 with strides of this factor, which shrink to their square
 * root at every turn but the first; after five turns c is within 6 % of the least goal, which is
 * flat there. The 200 strides and the range of c end walks that lead nowhere. */
#define DPPAIR_SADDLE_STRIDE_ 1.6
enum { DPPAIR_SADDLE_TURNS_ = 5, DPPAIR_SADDLE_STRIDES_ = 200 };
#define DPPAIR_SADDLE_LEAST_ 1e-6

/* c near the saddle: where the search's goal is least. *best is the goal there. */
DPPAIR_FN_ dppair_status dppair_contour_saddle_(double *best, dppair_contour_ *s, int for_delta,
                                                double given) {
  double c = 1.0, value, step = DPPAIR_SADDLE_STRIDE_;
  int i, turns = 0;
  dppair_status status = dppair_contour_search_(&value, s, c);
  if (status != DPPAIR_OK) return status;
  *best = dppair_contour_goal_(value, c, for_delta, given);
  /* walk downhill in log c; turn round and shorten the stride when it rises */
  for (i = 0; i < DPPAIR_SADDLE_STRIDES_ && turns < DPPAIR_SADDLE_TURNS_; i++) {
    const double next = c * step;
    double trial;
    if (!(next < s->c_limit && next > DPPAIR_SADDLE_LEAST_)) {
      if (++turns > 1) break;
      step = 1.0 / step;
      continue;
    }
    status = dppair_contour_search_(&value, s, next);
    trial = status == DPPAIR_OK ? dppair_contour_goal_(value, next, for_delta, given) : HUGE_VAL;
    if (trial < *best) {
      *best = trial;
      c = next;
    } else {
      turns++;
      step = turns == 1 ? 1.0 / step : dppair_pow_(step, -0.5);
    }
  }
  s->c = c;
  return dppair_isfinite_f64(*best) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* The values of c and c' that are tried: 24, each 1.1 times the one before, the tenth of them near
 * the saddle. c is taken from the first 13, c' from those above it. */
enum { DPPAIR_C_GRID_ = 24, DPPAIR_C_MIDDLE_ = 9, DPPAIR_C_LAST_ = DPPAIR_C_MIDDLE_ + 4 };
#define DPPAIR_C_RATIO_ 1.1

/* K(c) e^(-c epsilon) may exceed its least value by e^2.5 at first, since rounding errors are
 * relative to it; where no c does, by the fourth power of that, and so on. */
#define DPPAIR_C_EXCESS_ 2.5
#define DPPAIR_C_EXCESS_MORE_ 4.0
#define DPPAIR_C_EXCESS_MOST_ 1e3

/* What the choice of a line is made from: log K on the grid, and where the answer is expected. */
typedef struct dppair_choice_ {
  double c[DPPAIR_C_GRID_], log_k[DPPAIR_C_GRID_];
  double need[DPPAIR_C_GRID_]; /* the log of the moment bound at each c over delta */
  double epsilon, log_delta;
  double digits; /* aliases should be below e^-digits of delta */
  double period; /* 2 pi/eta where it is given; 0: eta is to be chosen, as large as possible */
} dppair_choice_;

/* Where the answer is expected, by the saddle point approximation of delta: log K(c) - c epsilon
 * minus the log of c (c+1) sqrt(2 pi K''), K'' the curvature of log K(c) - log c - log(c+1). */
DPPAIR_FN_ void dppair_choice_guess_(dppair_choice_ *choice, const dppair_contour_ *s,
                                     int for_delta, double given, double top) {
  const int m = DPPAIR_C_MIDDLE_;
  const double *grid = choice->c, *log_k = choice->log_k, c = s->c;
  const double curvature = 2.0 *
                               ((log_k[m + 1] - log_k[m]) / (grid[m + 1] - grid[m]) -
                                (log_k[m] - log_k[m - 1]) / (grid[m] - grid[m - 1])) /
                               (grid[m + 1] - grid[m - 1]) +
                           1.0 / (c * c) + 1.0 / ((c + 1.0) * (c + 1.0));
  const double saddle =
      curvature > 0.0
          ? log_k[m] - dppair_log_(c * (c + 1.0) * dppair_sqrt_(2.0 * DPPAIR_PI_ * curvature))
          : log_k[m] + dppair_contour_kernel_(c);
  if (s->trim < 0.0) {
    choice->epsilon = s->about[0];
    choice->log_delta = s->about[1];
    return;
  }
  choice->epsilon = for_delta ? given : (saddle - given) / c;
  /* the moment bound `top` is never five times too large where this approximation is of use */
  if (!for_delta && !(choice->epsilon > 0.2 * top)) choice->epsilon = 0.2 * top;
  choice->log_delta = for_delta ? saddle - c * choice->epsilon : given;
}

/* How good c = grid[i] and c' = grid[j] are. With the period to be chosen: the largest eta/(2 pi)
 * that keeps the aliases of either side below e^-digits of delta. With a given period: the digits
 * that the aliases leave, as far as they are wanted, less half of what c loses to rounding. */
DPPAIR_FN_ double dppair_choice_score_(const dppair_choice_ *choice, int i, int j, double excess) {
  const double *grid = choice->c, digits = choice->digits, need = choice->need[j];
  double score, left;
  if (choice->period > 0.0) {
    left = grid[i] * choice->period + choice->log_delta;
    score = (grid[j] - grid[i]) * choice->period - need;
    if (left < score) score = left;
    if (digits < score) score = digits;
    return score - 0.5 * excess;
  }
  left = grid[i] / (digits - choice->log_delta);
  score = digits + need > 0.0 ? (grid[j] - grid[i]) / (digits + need) : left;
  if (left < score) score = left;
  return score > 0.0 ? score : -HUGE_VAL;
}

/* The best c and c' among those where K(c) e^(-c epsilon) is at most e^allowed of its value at the
 * saddle. Returns their score, -HUGE_VAL when there are none. */
DPPAIR_FN_ double dppair_choice_best_(dppair_contour_ *s, const dppair_choice_ *choice,
                                      double allowed) {
  const int m = DPPAIR_C_MIDDLE_;
  const double *grid = choice->c, *log_k = choice->log_k;
  double best = -HUGE_VAL;
  int i, j;
  for (i = 0; i < DPPAIR_C_LAST_; i++) {
    const double excess = log_k[i] - log_k[m] - (grid[i] - grid[m]) * choice->epsilon;
    if (!(excess < allowed)) continue;
    for (j = i + 1; j < DPPAIR_C_GRID_ && dppair_isfinite_f64(log_k[j]); j++) {
      const double score = dppair_choice_score_(choice, i, j, excess);
      if (score > best) {
        best = score;
        s->c = grid[i];
        s->right = grid[j];
      }
    }
  }
  return best;
}

/*
 * From s->c near the saddle, where the goal is `top`: the line's c, c' and eta, with eta as large
 * as the aliases allow. period > 0: eta is 2 pi/period, and c, c' are those with the smallest
 * aliases. *guess: where the answer is expected, epsilon, or log delta when for_delta.
 */
DPPAIR_FN_ dppair_status dppair_contour_choose_(double *guess, dppair_contour_ *s, int for_delta,
                                                double given, double top, double digits,
                                                double period) {
  dppair_choice_ choice;
  double allowed, best = -HUGE_VAL;
  int i;
  choice.digits = digits;
  choice.period = period;
  for (i = 0; i < DPPAIR_C_GRID_; i++) {
    choice.c[i] = s->c * dppair_pow_(DPPAIR_C_RATIO_, (double)(i - DPPAIR_C_MIDDLE_));
    if (dppair_contour_search_(&choice.log_k[i], s, choice.c[i]) != DPPAIR_OK)
      choice.log_k[i] = HUGE_VAL;
  }
  dppair_choice_guess_(&choice, s, for_delta, given, top);
  *guess = for_delta ? choice.log_delta : choice.epsilon;
  for (i = 0; i < DPPAIR_C_GRID_; i++)
    choice.need[i] = choice.log_k[i] + dppair_contour_kernel_(choice.c[i]) -
                     choice.c[i] * choice.epsilon - choice.log_delta;
  for (allowed = DPPAIR_C_EXCESS_; best == -HUGE_VAL && allowed < DPPAIR_C_EXCESS_MOST_;
       allowed *= DPPAIR_C_EXCESS_MORE_)
    best = dppair_choice_best_(s, &choice, allowed);
  if (best == -HUGE_VAL) return DPPAIR_ERR_NO_CONVERGENCE;
  s->eta = 2.0 * DPPAIR_PI_ * (period > 0.0 ? 1.0 / period : best);
  return DPPAIR_OK;
}

/* 1 when a line of this many nodes loses less than e^-digits to its cut. The saddle's integral is
 * about 1/(c (c+1) width) and the cut's 1/Y: both are compared with K(c) e^(-c epsilon). */
DPPAIR_FN_ int dppair_contour_enough_(const dppair_contour_ *s, size_t nodes, double digits) {
  const double weight = dppair_log_(s->c * (s->c + 1.0)) - dppair_log_(DPPAIR_PI_);
  const double y = s->eta * (double)nodes;
  return dppair_contour_decay_all_(s, y) + weight - dppair_log_(y) < -digits;
}

/* Layers of all steps, then a number of nodes, up to 3 % too large, at which the cut costs less
 * than e^-digits. */
DPPAIR_FN_ dppair_status dppair_contour_extent_(dppair_contour_ *s, double digits) {
  size_t t, low = 4, high = 8, limit = DPPAIR_Z_NODES_ - 1;
  dppair_law_ law;
  for (t = 0; t < s->count; t++) {
    const double *search = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    const dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    dppair_contour_layers_(
        s, t, &law,
        search[DPPAIR_SEARCH_NODES_] > -DBL_MAX ? dppair_contour_search_step_(search, s->c) : 0.0);
  }
  while (!dppair_contour_enough_(s, high, digits)) {
    if (high == limit) return DPPAIR_ERR_NO_CONVERGENCE;
    low = high;
    high = high * 3 / 2 < limit ? high * 3 / 2 : limit;
  }
  while (high - low > 1 + high / 32) {
    const size_t middle = low + (high - low) / 2;
    if (dppair_contour_enough_(s, middle, digits))
      high = middle;
    else
      low = middle;
  }
  s->nodes = high;
  s->cut = s->eta * (double)high;
  return DPPAIR_OK;
}

/* All factors; then, for each node, its share of S (in log_abs) and its phase (in arg), and the
 * total of the errors, all relative to e^(log_k - c epsilon). extent bounds |epsilon| for the
 * rounding of the phases. */
DPPAIR_FN_ dppair_status dppair_contour_certify_(dppair_contour_ *s, double digits, double extent) {
  const dppair_line_ line = dppair_line_of_(s);
  const double c = s->c;
  double total = 0.0;
  size_t t, k;
  dppair_law_ law;
  dppair_contour_gaussian_(s);
  for (t = 0; t < s->count; t++) {
    dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && dppair_branches_(&law) > 0 && law.steps > 0.0)
      status = dppair_contour_multiply_(s, &law, t, digits);
    if (status != DPPAIR_OK) return status;
  }
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, re = c * (c + 1.0) - y * y, im = y * (2.0 * c + 1.0);
    const double share =
        (k == 0 ? 0.5 : 1.0) * s->eta / DPPAIR_PI_ / dppair_sqrt_(re * re + im * im);
    const double own = dppair_exp_(line.log_abs[k]) * share;
    total += dppair_exp_(line.log_top[k] + line.rounding[k]) * share * line.error[k] +
             own * (line.rounding[k] + 16.0 * DPPAIR_UNIT_ * (4.0 + y * extent));
    line.log_abs[k] = own;
    line.arg[k] -= dppair_atan2_(im, re);
  }
  total *= 1.0 + 1e-9; /* the rounding of this sum and of the next one */
  total += dppair_exp_(s->log_decay + s->log_k_rounding) / (DPPAIR_PI_ * s->cut) * (1.0 + 1e-9);
  s->error = total;
  return dppair_isfinite_f64(total) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* S e^(c epsilon - log_k), and its derivative in epsilon with that factor taken along. */
DPPAIR_FN_ double dppair_contour_sum_(double *slope, const dppair_contour_ *s, double epsilon) {
  const dppair_line_ line = dppair_line_of_(s);
  const double *share = line.log_abs;
  double sum = 0.0, turn = 0.0;
  size_t k;
  for (k = 0; k <= s->nodes; k++) {
    const double y = s->eta * (double)k, phase = line.arg[k] - y * epsilon;
    double sine, cosine;
    if (share[k] < DPPAIR_NOTHING_ * share[0]) continue;
    dppair_sin_cos_(&sine, &cosine, phase);
    sum += share[k] * cosine;
    turn += share[k] * y * sine;
  }
  *slope = turn - s->c * sum;
  return sum;
}

/* The estimate to return: `middle` where the bounds are within 1 %, else what is proved. */
DPPAIR_FN_ double dppair_estimate_(double upper, double lower, double middle) {
  if (!(lower > 0.0 && upper <= 1.01 * lower)) return upper;
  return middle < lower ? lower : (middle > upper ? upper : middle);
}

/* x e^exponent by two halves of the exponent, so that numbers near the smallest are rounded once.
 */
DPPAIR_FN_ double dppair_scaled_(double x, double exponent) {
  const double half = dppair_exp_(0.5 * exponent);
  return x * half * half;
}

/* An upper and a lower bound of delta as they are returned: in [0, 1], and never subnormal, since
 * subnormal numbers lose digits. */
DPPAIR_FN_ double dppair_delta_above_(double delta) {
  if (!(delta >= 0.0 && delta < 1.0)) return 1.0;
  return delta < DBL_MIN ? DBL_MIN : delta;
}
DPPAIR_FN_ double dppair_delta_below_(double delta) { return delta >= DBL_MIN ? delta : 0.0; }

/* A bound of the sum of all aliases of S at epsilon; infinite where K(c') is not known. */
DPPAIR_FN_ double dppair_contour_aliases_(const dppair_contour_ *s, double epsilon) {
  const double period = 2.0 * DPPAIR_PI_ / s->eta, wide = s->c * period * (1.0 - 1e-15);
  const double ratio = dppair_exp_(-(s->right - s->c) * period);
  const double left = dppair_exp_(-wide) / -dppair_expm1_(-wide) * (1.0 + 1e-14);
  if (!(ratio < 0.99 && dppair_isfinite_f64(s->log_right))) return HUGE_VAL;
  return left + dppair_exp_(s->log_right + dppair_contour_kernel_(s->right) - s->right * epsilon) *
                    ratio / (1.0 - ratio) * (1.0 + 1e-9);
}

/* Bounds of delta at epsilon, both in [0, 1]; *nearest is S, *log_slope the slope of log S. */
DPPAIR_FN_ void dppair_contour_bounds_(double *upper, double *lower, double *nearest,
                                       double *log_slope, const dppair_contour_ *s,
                                       double epsilon) {
  const double exponent = s->log_k - s->c * epsilon;
  const double slack = s->log_k_rounding +
                       4.0 * DPPAIR_UNIT_ * (dppair_fabs_(s->log_k) + dppair_fabs_(s->c * epsilon));
  double slope;
  const double sum = dppair_contour_sum_(&slope, s, epsilon), share = dppair_line_of_(s).log_abs[0];
  double wrong =
      s->error + dppair_fabs_(sum) * (dppair_expm1_(slack) * 1.001 + 16.0 * DPPAIR_UNIT_);
  wrong += (double)(s->nodes + 1) * DPPAIR_NOTHING_ * share + s->error * dppair_expm1_(slack);
  *nearest = dppair_scaled_(sum, exponent);
  *log_slope = sum > 0.0 ? slope / sum : -s->c;
  *upper = dppair_scaled_(sum + wrong, exponent) * (1.0 + 4e-15) + s->failure;
  *lower =
      dppair_scaled_(sum - wrong, exponent) * (1.0 - 4e-15) - dppair_contour_aliases_(s, epsilon);
  *upper = sum + wrong > 0.0 ? dppair_delta_above_(*upper) : 1.0;
  *lower = dppair_delta_below_(*lower);
  if (*lower > 1.0) *lower = 1.0;
}

/* ---- src/accountant/contour/direction.h -----------------------------------------------------
 * The answers of the contour route
 *
 * A line per direction (forward and, for mixtures, backward), the root in epsilon or the value of
 * delta on it, and the larger of both directions. Builds on line.h.
 * ---------------------------------------------------------------------------------------------- */

/* The questions of a composition: what epsilon is at a given delta, or delta at a given epsilon. */
DPPAIR_FN_ dppair_status dppair_given_check_(int for_delta, double given) {
  if (!dppair_isfinite_f64(given)) return DPPAIR_ERR_NOT_FINITE;
  if (for_delta) return given >= 0.0 ? DPPAIR_OK : DPPAIR_ERR_EPSILON;
  return given >= DBL_MIN && given < 1.0 ? DPPAIR_OK : DPPAIR_ERR_DELTA;
}

/* What hits beyond the cap may cost in delta at first: next to nothing of a delta that is given,
 * and less than most answers where delta is asked for (dppair_spend_less_ follows). */
DPPAIR_FN_ double dppair_spend_(int for_delta, double given) {
  return for_delta ? 1e-24 : 1e-12 * given;
}

/* The phases are good up to this |epsilon|. */
DPPAIR_FN_ double dppair_contour_extent_of_(double top) { return 2.0 + 2.0 * dppair_fabs_(top); }

/* Sets up the line for one direction, from c near the saddle; top: the goal there. The errors
 * should be e^-27 (2e-12) of delta, and e^-21 for few steps, whose lines would need too many nodes.
 */
DPPAIR_FN_ dppair_status dppair_contour_prepare_(double *guess, dppair_contour_ *s, int for_delta,
                                                 double given, double top) {
  const double digits = s->total_steps < 200.0 ? 21.0 : 27.0;
  double extent;
  dppair_status status = dppair_contour_choose_(guess, s, for_delta, given, top, digits, 0.0);
  if (status != DPPAIR_OK) return status;
  status = dppair_contour_extent_(s, digits);
  if (status != DPPAIR_OK) return status;
  extent = dppair_contour_extent_of_(for_delta ? given : top);
  return dppair_contour_certify_(s, digits, extent);
}

/* The epsilon at which S = delta, near enough. S falls in epsilon, so Newton's steps in log S are
 * kept inside a bracket; until its lower end is found, a step outside goes down from its upper end,
 * twice as far each time. */
DPPAIR_FN_ double dppair_contour_root_(const dppair_contour_ *s, double delta, double guess,
                                       double top) {
  const double extent = dppair_contour_extent_of_(top);
  double high = top + 1e-9 * (1.0 + top), low = -extent, stride = 0.02 * (0.01 + dppair_fabs_(top));
  double epsilon = guess < high ? guess : high;
  int i, found = 0, close;
  for (i = 0; i < 100; i++) {
    double above, below, nearest, slope, step;
    dppair_contour_bounds_(&above, &below, &nearest, &slope, s, epsilon);
    if (nearest > delta) {
      low = epsilon;
      found = 1;
    } else {
      high = epsilon;
    }
    step = nearest > 0.0 && slope < 0.0 ? -dppair_log_(nearest / delta) / slope : HUGE_VAL;
    close = dppair_fabs_(step) < 1e-13 * (1.0 + dppair_fabs_(epsilon));
    epsilon += step;
    if (close) break;
    if (!(epsilon > low && epsilon < high)) {
      epsilon = found ? 0.5 * (low + high) : high - stride;
      stride *= 2.0;
      if (epsilon < -extent) epsilon = -extent;
    }
    if (found && high - low < 1e-14 * (1.0 + dppair_fabs_(low))) break;
  }
  return epsilon;
}

/* From an epsilon near the root, where delta is within bound[1] .. bound[0] and log S has this
 * slope, outwards until the inequality itself holds: side 1, S + errors <= delta, side -1, S -
 * errors - aliases >= delta. The first step is what the bound misses there, and 2 % more. 0 when no
 * step up to |extent| does. */
DPPAIR_FN_ int dppair_contour_proved_(double *epsilon, const dppair_contour_ *s, double delta,
                                      double root, const double *at_root, double slope, int side,
                                      double extent) {
  double bound[2], nearest, own = at_root[side > 0 ? 0 : 1];
  double step = (own > 0.0 ? 1.02 * dppair_fabs_(dppair_log_(own / delta) / slope) : 1e-3) +
                2e-15 * (1.0 + dppair_fabs_(root));
  int i;
  for (i = 0; i < 40; i++, step *= 1.5) {
    *epsilon = root + (double)side * step;
    if (!((double)side * *epsilon <= extent)) return 0;
    dppair_contour_bounds_(&bound[0], &bound[1], &nearest, &slope, s, *epsilon);
    own = bound[side > 0 ? 0 : 1];
    if (side > 0 ? own <= delta * (1.0 - 1e-15) : own >= delta * (1.0 + 1e-15)) return 1;
  }
  return 0;
}

/* Bounds of epsilon at delta from a prepared line. top: an upper bound of epsilon, about. */
DPPAIR_FN_ void dppair_contour_solve_(double *upper, double *lower, double *estimate,
                                      const dppair_contour_ *s, double delta, double guess,
                                      double top) {
  const double extent = dppair_contour_extent_of_(top);
  double bound[2], nearest, slope;
  *estimate = dppair_contour_root_(s, delta, guess, top);
  dppair_contour_bounds_(&bound[0], &bound[1], &nearest, &slope, s, *estimate);
  if (!dppair_contour_proved_(upper, s, delta, *estimate, bound, slope, 1, extent))
    *upper = HUGE_VAL;
  if (!dppair_contour_proved_(lower, s, delta, *estimate, bound, slope, -1, extent)) *lower = 0.0;
}

/* Checks a list of steps: parameters, one adjacency throughout; sums what needs no quadrature.
 * *smooth: 1 when some loss needs quadrature, + 2 when some loss has atoms. */
DPPAIR_FN_ dppair_status dppair_contour_begin_(dppair_contour_ *s, int *directions, int *smooth,
                                               const dppair_step *steps, size_t count,
                                               double spend) {
  size_t t;
  int adjacency = 0;
  dppair_law_ law;
  memset(s, 0, sizeof *s);
  s->steps = steps;
  s->count = count;
  s->c_limit = 1e6;
  *directions = 1;
  *smooth = 0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  for (t = 0; t < count; t++) s->total_steps += (double)dppair_step_runs_(&steps[t]);
  s->tail = s->total_steps > 0.0 ? spend / s->total_steps : spend;
  for (t = 0; t < count; t++) {
    const dppair_status status = dppair_law_of_(&law, &steps[t], s->tail);
    if (status != DPPAIR_OK) return status;
    if (steps[t].sampling.adjacency != 0) {
      if (adjacency != 0 && adjacency != (int)steps[t].sampling.adjacency)
        return DPPAIR_ERR_ADJACENCY;
      adjacency = (int)steps[t].sampling.adjacency;
    }
    if (dppair_law_directions_(&law) > 1) *directions = 2;
    if (law.kind == DPPAIR_LAW_GAUSSIAN_)
      s->variance += law.mu * law.mu * law.steps;
    else if (law.kind != DPPAIR_LAW_NONE_ && law.steps > 0.0)
      *smooth |= dppair_branches_(&law) > 0 ? 1 : 2;
    s->failure += law.failure * law.steps * (1.0 + 1e-9);
    s->merged |= law.merged;
    s->replaced |= law.replaces;
  }
  return DPPAIR_OK;
}

/* Lays the arrays out in the workspace. */
DPPAIR_FN_ void dppair_contour_place_(dppair_contour_ *s, double *workspace) {
  s->node = workspace;
  s->line = s->node + 10 * (size_t)DPPAIR_X_NODES_;
  s->search = s->line + 6 * (size_t)DPPAIR_Z_NODES_;
  s->layers = s->search + 2 * (size_t)DPPAIR_SEARCH_NODES_ * s->count;
}

/* A bound of log delta at epsilon from the moment at s->c alone, log K(c) + log k(c) - c epsilon: a
 * line of the node z_0, without layers. */
DPPAIR_FN_ dppair_status dppair_contour_moment_(double *log_delta, dppair_contour_ *s,
                                                double epsilon) {
  dppair_status status;
  size_t t;
  s->right = 1.1 * s->c;
  s->eta = s->c;
  s->cut = s->eta;
  s->nodes = 0;
  for (t = 0; t < s->count; t++) s->layers[2 * (size_t)DPPAIR_LAYERS_ * t] = -1.0;
  status = dppair_contour_certify_(s, 20.0, 0.0);
  *log_delta = s->log_k + s->log_k_rounding + dppair_contour_kernel_(s->c) - s->c * epsilon +
               1e-12 * (1.0 + dppair_fabs_(s->log_k) + s->c * epsilon);
  return status;
}

/* One direction's epsilon at delta: upper and lower bound, estimate. best: the lower bound so far;
 * where one moment shows that the direction cannot exceed it, value stays 0. */
DPPAIR_FN_ dppair_status dppair_contour_epsilon_(double *value, dppair_contour_ *s, double delta,
                                                 double best) {
  double guess, top, log_delta = dppair_log_(delta);
  dppair_status status = dppair_contour_saddle_(&top, s, 0, log_delta);
  if (status != DPPAIR_OK) return status;
  if (!(s->failure < 0.5 * delta)) return DPPAIR_ERR_NO_CONVERGENCE;
  log_delta = dppair_log_(delta - s->failure);
  if (s->backward || top <= 0.0) {
    double bound;
    status = dppair_contour_moment_(&bound, s, best);
    if (status == DPPAIR_OK && bound < log_delta) return DPPAIR_OK;
  }
  status = dppair_contour_prepare_(&guess, s, 0, log_delta, top);
  if (status != DPPAIR_OK) return status;
  dppair_contour_solve_(&value[0], &value[1], &value[2], s, delta, guess, top);
  return dppair_isfinite_f64(value[0]) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* One direction's delta at epsilon, the same way. */
DPPAIR_FN_ dppair_status dppair_contour_delta_(double *value, dppair_contour_ *s, double epsilon,
                                               double best) {
  double guess, top, slope;
  dppair_status status = dppair_contour_saddle_(&top, s, 1, epsilon);
  if (status != DPPAIR_OK) return status;
  if (s->backward) {
    status = dppair_contour_moment_(&guess, s, epsilon);
    if (status == DPPAIR_OK && best > 0.0 && guess < dppair_log_(best)) return DPPAIR_OK;
  }
  status = dppair_contour_prepare_(&guess, s, 1, epsilon, top);
  if (status == DPPAIR_OK)
    dppair_contour_bounds_(&value[0], &value[1], &value[2], &slope, s, epsilon);
  return status;
}

/* The directions asked for, where hits beyond the cap may cost `spend`; *paid is what they did.
 * best: upper and lower bound, estimate. */
DPPAIR_FN_ dppair_status dppair_contour_try_(double *best, double *paid, const dppair_question_ *q,
                                             double spend) {
  dppair_contour_ s;
  int directions, smooth, d, i;
  dppair_status status = dppair_contour_begin_(&s, &directions, &smooth, q->steps, q->count, spend);
  best[0] = best[1] = best[2] = 0.0;
  *paid = s.failure;
  if (status != DPPAIR_OK) return status;
  if (smooth & 2) return DPPAIR_ERR_NO_PROOF;
  dppair_contour_place_(&s, q->work);
  if (smooth == 0 && s.variance == 0.0) return DPPAIR_OK; /* nothing was run */
  for (d = 0; d < directions; d++) {
    double value[3] = {0.0, 0.0, 0.0};
    if (!dppair_question_asks_(q, directions, d)) continue;
    s.backward = d;
    s.reach_c = 0.0;
    status = q->for_delta ? dppair_contour_delta_(value, &s, q->given, best[1])
                          : dppair_contour_epsilon_(value, &s, q->given, best[1]);
    if (status != DPPAIR_OK) return status;
    for (i = 0; i < 3; i++)
      if (value[i] > best[i]) best[i] = value[i];
  }
  if (s.merged) best[1] = 0.0;
  return DPPAIR_OK;
}

/* What hits beyond the cap may cost in the next try, where that matters: next to nothing of the
 * answer, but by at most ten digits less than before, since a longer mixture may be beyond a route.
 * 0: another try would be no better. */
DPPAIR_FN_ double dppair_spend_less_(double spend, double paid, const double *best) {
  double next = 1e-12 * (best[1] > 0.0 ? best[1] : best[0]);
  if (next < 1e-10 * spend) next = 1e-10 * spend;
  return paid > 1e-9 * best[0] && next < 0.1 * spend && next > 0.0 ? next : 0.0;
}

/* Keeps the better of two answers about the same delta: each bound is valid by itself. 0 when the
 * new one is no better. */
DPPAIR_FN_ int dppair_keep_better_(double *best, const double *now, size_t n) {
  const int better = now[0] < best[0];
  if (better) best[0] = now[0];
  if (better && n > 2) best[2] = now[2];
  if (now[1] > best[1] && now[1] <= best[0]) best[1] = now[1];
  return better;
}

/*
 * What the contour says about the steps' dominating pairs: of the mechanism `upper` is a bound,
 * `lower` only where two data sets attain them (dppair_steps_attained_). Epsilon in one try, delta
 * in as many as it takes until the hits beyond the cap cost next to nothing of it; bounds of delta
 * are in [0, 1], and none is below DBL_MIN but 0.
 * Errors: those of the steps; ADJACENCY for a mixture of neighbouring relations; NO_PROOF for
 * losses with atoms; NO_CONVERGENCE when the line would need too many nodes (a handful of steps, a
 * huge noise ratio).
 */
DPPAIR_FN_ dppair_status dppair_contour_answer_(dppair_interval *interval,
                                                const dppair_question_ *q) {
  double best[3] = {HUGE_VAL, 0.0, 0.0}, spend = dppair_spend_(q->for_delta, q->given);
  memset(interval, 0, sizeof *interval);
  interval->route = DPPAIR_ROUTE_CONTOUR;
  do {
    double paid, now[3];
    const dppair_status status = dppair_contour_try_(now, &paid, q, spend);
    if (status != DPPAIR_OK && best[0] > DBL_MAX) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 3)) break;
    spend = q->for_delta ? dppair_spend_less_(spend, paid, best) : 0.0;
  } while (spend > 0.0);
  interval->upper = best[0];
  interval->lower = best[1];
  interval->estimate = dppair_estimate_(best[0], best[1], best[2]);
  return DPPAIR_OK;
}

/* ---- src/accountant/lattice/theory.h --------------------------------------------------------
 * The lattice route: tilted FFT
 *
 * This chapter holds the theory, the options and the workspace; transform.h the FFT, cells.h one
 * step's loss on the lattice, composition.h the product of all steps, bounds.h what it says about
 * delta and epsilon, setup.h what a composition is made of, answers.h the answers.
 *
 * Every step's loss is put on the lattice h Z, twice. The losses in the cell [ih, (i+1)h] have
 * under P the two masses R_i = int (1 - e^(ih-L)) dP/(1 - e^-h) and L_i = int (e^((i+1)h-L) - 1)
 * dP/(e^h - 1), which add up to P(cell).
 *   Upper law (connect the dots, Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022): R_i goes to
 *     the right end and L_i to the left one. This keeps the masses of P and of Q and spreads their
 *     ratio.
 *   Lower law: the fraction alpha_i of cell i and the fraction beta_(i-1) of cell i-1 are merged
 *     into one outcome at ih; alpha_i R_i (1 - e^-h) = beta_(i-1) L_(i-1) (e^h - 1) makes its ratio
 *     exactly e^(ih). Merging is post-processing, so the step dominates the pair that results. The
 *     rest of cell i, 1 - alpha_i - beta_i, is rounded down to ih. Altogether the fraction beta_i
 *     of P(cell i) moves up to (i+1)h and the rest to ih.
 * Both err by O(h^2) per step. Lattice laws compose exactly: with z_k = c + 2 pi i k/(N h)
 *     S(jh) = 1/N sum_k K(z_k) e^(-z_k jh) W(z_k),
 *     W(z) = sum_n e^(-z n h) (1 - e^(-n h)) = e^(-zh) (1-e^-h) / ((1-e^-zh) (1-e^-(z+1)h)),
 * is delta(jh) plus the positive aliases of the contour route with period N h, and M(z_k) is the
 * discrete Fourier transform of the law tilted by e^(cL). Between lattice points delta is linear in
 * e^epsilon.
 * Errors, all of which are added:
 *   Cells: Gauss-Lobatto with 4 points (gaps in x up to R/256) or, where a cell is wide in x,
 *     panels of Gauss-Legendre with 16 (up to R = min(1/4, 1/(2 reach))). By the ellipse bound with
 *     rho = 4R/gap, |log g|' <= |x| + 1.05 reach within R of the panel and a split function that
 *     grows there like 1 + rho/2, the relative error is below 50 rho^-5 < 1e-13 and 50 rho^-31.
 *   Where few hits are expected altogether, M - 1 is transformed: dppair_lattice_multiply_small_.
 *   Rounding of the masses is added to that: kappa. If P has kappa times its mass more or less,
 *     delta changes by at most K(c) k(c) e^(-c epsilon) ((1 + kappa)^T - 1).
 *   Rounding of the losses gives another law, whose losses are off by at most e_l: epsilon moves by
 *     at most T e_l.
 *   Tails: the mass beyond the ends goes to infinite loss (upper) or is dropped (lower). Masses m
 *     at infinite loss add 1 - prod (1 - m)^T to delta.
 *   FFT: each output is a sum over paths. Each radix-4 stage multiplies a path by factors within 34
 *     units of the exact ones, so M(z_k) is off by at most (34 stages) u times the l1 norm.
 * ---------------------------------------------------------------------------------------------- */

/*
 * grid_step: h, in [1e-7, 0.1]. Without tables it is lowered a little so that an atom of a loss
 *   (Laplace, randomised response) falls on the lattice, and 0 means the finest lattice that fits
 *   the transform.
 * log2_size: the transform has 2^log2_size points, 10 to 26. 0 means 18 or, with a grid_step, the
 *   least that spans a loss of 26. A span that is too short for the aliases costs accuracy, never
 *   validity.
 * tables: further losses on the same lattice, or NULL.
 */
typedef struct dppair_pld_options_ {
  double grid_step;
  unsigned log2_size;
  const dppair_loss_table_ *tables;
  size_t table_count;
} dppair_pld_options_;

/* Resolves the options' defaults and checks them. */
DPPAIR_FN_ dppair_status dppair_pld_plan_(double *h, unsigned *log2_size,
                                          const dppair_pld_options_ *options) {
  *h = options != NULL ? options->grid_step : 0.0;
  *log2_size = options != NULL ? options->log2_size : 0;
  if (!dppair_isfinite_f64(*h)) return DPPAIR_ERR_NOT_FINITE;
  if (*h != 0.0 && !(*h >= 1e-7 && *h <= 0.1)) return DPPAIR_ERR_DOMAIN;
  if (*log2_size == 0) {
    *log2_size = *h > 0.0 ? 10 : 18;
    while (*h > 0.0 && *log2_size < 26 && dppair_ldexp_(*h, (int)*log2_size) < 26.0) ++*log2_size;
  }
  return *log2_size >= 10 && *log2_size <= 26 ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The doubles that the route needs for `count` distinct steps and these options (NULL: defaults).
 * Errors: NOT_FINITE, DOMAIN, SIZE (options), OVERFLOW. */
DPPAIR_FN_ dppair_status dppair_pld_workspace_(size_t *doubles, size_t count,
                                               const dppair_pld_options_ *options) {
  double h;
  unsigned log2_size;
  size_t size, search;
  dppair_status status;
  *doubles = 0;
  status = dppair_pld_plan_(&h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  if (options != NULL) {
    if (options->table_count > SIZE_MAX / 2 || count > SIZE_MAX / 2) return DPPAIR_ERR_OVERFLOW;
    count += options->table_count;
  }
  size = (size_t)1 << log2_size;
  if (dppair_size_mul_(&search, count + 1, 2 * DPPAIR_SEARCH_NODES_) ||
      search > SIZE_MAX / sizeof(double) - 8 * size - 64)
    return DPPAIR_ERR_OVERFLOW;
  *doubles = search + 7 * size + size / 2 + 64;
  return DPPAIR_OK;
}

/* ---- src/accountant/lattice/transform.h -----------------------------------------------------
 * The FFT of the lattice route
 *
 * A complex FFT of radix 4 on separate real and imaginary arrays, n a power of two.
 * ---------------------------------------------------------------------------------------------- */

/* cos and sin of 2 pi p/n for p < n/4, within 8 units. Only every 64th pair is computed directly;
 * the ones between are products with a table of 64. */
DPPAIR_FN_ void dppair_fft_table_(double *c, double *s, size_t n) {
  const size_t quarter = n / 4, block = 64;
  double fine_c[64], fine_s[64];
  size_t p, j;
  for (j = 0; j < block; j++) {
    const double angle = 2.0 * DPPAIR_PI_ * (double)j / (double)n;
    fine_c[j] = dppair_cos_(angle);
    fine_s[j] = dppair_sin_(angle);
  }
  for (p = 0; p < quarter; p += block) {
    const double angle = 2.0 * DPPAIR_PI_ * (double)p / (double)n;
    const double a = dppair_cos_(angle), b = dppair_sin_(angle);
    for (j = 0; j < block && p + j < quarter; j++) {
      c[p + j] = a * fine_c[j] - b * fine_s[j];
      s[p + j] = a * fine_s[j] + b * fine_c[j];
    }
  }
}

DPPAIR_LOOPS_BEGIN_
/* One radix-4 stage, from x to y, of s interleaved transforms of length n (Stockham's order, which
 * needs no reordering). Compilers turn this plain C into vectors; it is compiled once for any
 * processor and once for AVX2, with the same bits. */
DPPAIR_FORCE_INLINE_ void dppair_fft_stage_body_(double *DPPAIR_RESTRICT_ yr,
                                                 double *DPPAIR_RESTRICT_ yi,
                                                 const double *DPPAIR_RESTRICT_ xr,
                                                 const double *DPPAIR_RESTRICT_ xi, const double *c,
                                                 const double *sn, size_t n, size_t s) {
  const size_t m = n / 4;
  size_t p, q;
  for (p = 0; p < m; p++) {
    const double c1 = c[p * s], s1 = -sn[p * s];
    const double c2 = c1 * c1 - s1 * s1, s2 = 2.0 * c1 * s1;
    const double c3 = c1 * c2 - s1 * s2, s3 = c1 * s2 + s1 * c2;
    const double *ar = xr + s * p, *ai = xi + s * p;
    double *or_ = yr + 4 * s * p, *oi = yi + 4 * s * p;
    for (q = 0; q < s; q++) {
      const double r0 = ar[q] + ar[q + 2 * s * m], i0 = ai[q] + ai[q + 2 * s * m];
      const double r1 = ar[q] - ar[q + 2 * s * m], i1 = ai[q] - ai[q + 2 * s * m];
      const double r2 = ar[q + s * m] + ar[q + 3 * s * m], i2 = ai[q + s * m] + ai[q + 3 * s * m];
      const double r3 = ar[q + s * m] - ar[q + 3 * s * m], i3 = ai[q + s * m] - ai[q + 3 * s * m];
      const double ur = r1 + i3, ui = i1 - r3, vr = r0 - r2, vi = i0 - i2, wr = r1 - i3,
                   wi = i1 + r3;
      or_[q] = r0 + r2;
      oi[q] = i0 + i2;
      or_[q + s] = c1 * ur - s1 * ui;
      oi[q + s] = c1 * ui + s1 * ur;
      or_[q + 2 * s] = c2 * vr - s2 * vi;
      oi[q + 2 * s] = c2 * vi + s2 * vr;
      or_[q + 3 * s] = c3 * wr - s3 * wi;
      oi[q + 3 * s] = c3 * wi + s3 * wr;
    }
  }
}

DPPAIR_FN_ void dppair_fft_stage_any_(double *yr, double *yi, const double *xr, const double *xi,
                                      const double *c, const double *sn, size_t n, size_t s) {
  dppair_fft_stage_body_(yr, yi, xr, xi, c, sn, n, s);
}

#if DPPAIR_HAVE_AVX2
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
DPPAIR_FN_ void dppair_fft_stage_avx2_(double *yr, double *yi, const double *xr, const double *xi,
                                       const double *c, const double *sn, size_t n, size_t s) {
  dppair_fft_stage_body_(yr, yi, xr, xi, c, sn, n, s);
}
DPPAIR_TARGET_END_
#endif
DPPAIR_LOOPS_END_

DPPAIR_FN_ void dppair_fft_stage_(double *yr, double *yi, const double *xr, const double *xi,
                                  const double *c, const double *sn, size_t n, size_t s) {
#if DPPAIR_HAVE_AVX2
  if (dppair_tier() >= DPPAIR_TIER_AVX2) {
    dppair_fft_stage_avx2_(yr, yi, xr, xi, c, sn, n, s);
    return;
  }
#endif
  dppair_fft_stage_any_(yr, yi, xr, xi, c, sn, n, s);
}

/* X_k = sum_j x_j e^(-2 pi i jk/n), n a power of two. x and y are both overwritten; *in_y says
 * whether the result is in y. */
DPPAIR_FN_ void dppair_fft_(int *in_y, double *xr, double *xi, double *yr, double *yi,
                            const double *c, const double *sn, size_t n) {
  size_t length = n, s = 1, q;
  *in_y = 0;
  while (length >= 4) {
    double *t;
    dppair_fft_stage_(yr, yi, xr, xi, c, sn, length, s);
    t = xr;
    xr = yr;
    yr = t;
    t = xi;
    xi = yi;
    yi = t;
    *in_y = !*in_y;
    length /= 4;
    s *= 4;
  }
  if (length == 2) {
    for (q = 0; q < s; q++) {
      const double ar = xr[q], ai = xi[q], br = xr[q + s], bi = xi[q + s];
      xr[q] = ar + br;
      xi[q] = ai + bi;
      xr[q + s] = ar - br;
      xi[q + s] = ai - bi;
    }
  }
}

/* ---- src/accountant/lattice/cells.h ---------------------------------------------------------
 * A loss on the lattice
 *
 * Integrates the masses R and L of one step's loss (theory.h) cell by cell, and computes how the
 * lower law spreads them. Relies on dominating_pairs.h.
 * ---------------------------------------------------------------------------------------------- */

/* The cells of one step: right[i] and left[i] are R and L of cell first + i. */
typedef struct dppair_cells_ {
  double h, growth, *right, *left; /* growth: e^h */
  int64_t first;
  size_t size;
  double infinity;   /* mass that the upper law has at infinite loss */
  double loss_error; /* bound of the absolute error of each loss */
  double mass_error; /* bound of the relative error of each mass */
  double unseen;     /* mass that Q has beyond the ends, or where P has none */
  int table;         /* the masses are the caller's */
} dppair_cells_;

/* Adds a mass at one loss. A loss on the lattice, within rounding, is the left end of a cell. */
DPPAIR_FN_ dppair_status dppair_cells_atom_(dppair_cells_ *cells, double loss, double mass) {
  const double at = loss / cells->h, nearby = dppair_floor_(at + 0.5);
  const int on = dppair_fabs_(at - nearby) <= 1e-9;
  const double below = on ? nearby : dppair_floor_(at);
  const double i = below - (double)cells->first;
  double wrong = 8.0 * DPPAIR_UNIT_ * (1.0 + dppair_fabs_(loss)), part = 0.0;
  if (!(i >= 0.0 && i < (double)cells->size - 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (on)
    wrong += dppair_fabs_(loss - nearby * cells->h);
  else
    part = dppair_expm1_(-(loss - below * cells->h)) / dppair_expm1_(-cells->h);
  if (wrong > cells->loss_error) cells->loss_error = wrong;
  cells->right[(size_t)i] += mass * part;
  cells->left[(size_t)i] += mass * (1.0 - part);
  return DPPAIR_OK;
}

/* Splits a mass of P at a loss in the cell [low, low + h]. d = loss - low is clamped to the cell:
 * where rounding puts it outside, the loss is off by that rounding only. */
DPPAIR_FN_ void dppair_cells_node_(double *right, double *left, double loss, double mass,
                                   double low, double h, double scale) {
  double d = loss - low, part;
  if (d < 0.0) d = 0.0;
  if (d > h) d = h;
  /* (1 - e^-d) scale, scale = 1/(1 - e^-h): the series is exact to 1e-17 for d <= 1e-3 */
  part = (d <= 1e-3 ? d * (1.0 - d * (0.5 - d * (1.0 / 6 - d * (1.0 / 24 - d * (1.0 / 120)))))
                    : -dppair_expm1_(-d)) *
         scale;
  if (part > 1.0) part = 1.0;
  *right += mass * part;
  *left += mass * (1.0 - part);
}

/* A bound of the error of the loss on [low, high]: that of dppair_log_ratio_error_, with the share
 * at most 1 and the spread at most what it is at the ends. */
DPPAIR_FN_ double dppair_cells_error_(const dppair_branch_ *branch, double low, double high,
                                      double largest) {
  dppair_log_ratio_ g;
  double size = dppair_fabs_(low) > dppair_fabs_(high) ? dppair_fabs_(low) : dppair_fabs_(high),
         error;
  dppair_log_ratio_of_(&g, branch, low);
  error = DPPAIR_UNIT_ * (6.0 * branch->reach * (size + branch->reach) +
                          ((double)branch->terms + 12.0) * (1.0 + g.spread) + 6.0 * largest) +
          branch->slip * (1.0 + g.spread);
  return branch->shape == DPPAIR_OPPOSITE_ ? 2.0 * error + DPPAIR_UNIT_ * largest : error;
}

/* The mass of Q in a branch beyond low and high: under Q the part with k hits is N(s, 1) with s = 0
 * (forward), b_k (backward) or -b_k (opposite). It serves dppair_cells_check_ alone, no bound of
 * delta. It is at most 1, and off by less than 40 u, far below the 1e-13 of a mass there: erfc's
 * 15 u, and the argument's 3 u times x |erfc'(x)| < 1/2. */
DPPAIR_FN_ double dppair_cells_unseen_(const dppair_branch_ *branch, double low, double high) {
  const double root = 0.70710678118654752440; /* 1/sqrt 2 */
  const double sign = branch->shape == DPPAIR_FORWARD_    ? 0.0
                      : branch->shape == DPPAIR_BACKWARD_ ? 1.0
                                                          : -1.0;
  double sum = 0.0, none = 1.0;
  size_t k;
  for (k = 0; k <= branch->terms; k++) {
    const double shift = k < branch->terms ? sign * branch->b[k] : 0.0;
    const double p = k < branch->terms ? branch->p[k] : none;
    none -= p;
    sum += 0.5 * p * dppair_erfc_((high - shift) * root);
    if (!branch->half) sum += 0.5 * p * dppair_erfc_((shift - low) * root);
  }
  return sum * dppair_exp_(branch->log_weight);
}

/*
 * Searches [low, high] for the next boundary, where loss == target; *next is a first guess.
 * Newton's method inside a bracket: the loss is monotone in x, so that a place beyond the target is
 * a new high and a place before it a new low. Returns 1: *next is the boundary and *there the
 * branch at it, with loss set to target; 0: the target is beyond high; *next = high and *there is
 * the branch at it; -1: neither was found in 200 steps, or a loss is not a number.
 */
DPPAIR_FN_ int dppair_cells_boundary_(double *next, dppair_place_ *there,
                                      const dppair_branch_ *branch, double target, double low,
                                      double high, double near_enough) {
  const double sign = branch->shape == DPPAIR_BACKWARD_ ? -1.0 : 1.0, last = high;
  int k, beyond = 0;
  for (k = 0; k < 200; k++) {
    double ahead, move;
    dppair_place_of_(there, branch, *next);
    ahead = sign * (target - there->loss);
    move = ahead / (there->slope + there->mirror);
    if (!(dppair_fabs_(ahead) < HUGE_VAL)) return -1;
    if (dppair_fabs_(move) <= near_enough && *next + move <= last) {
      if (*next + move < low) move = low - *next;
      /* the square of the move is below rounding: go there along the tangent */
      there->log_mass += move * ((sign > 0.0 ? there->slope : 0.0) - *next);
      *next += move;
      there->loss = target;
      return 1;
    }
    if (ahead > 0.0) {
      low = *next;
      if (low >= last) return 0;
    } else {
      high = *next;
      beyond = 1;
    }
    if (high - low <= 4.0 * DPPAIR_UNIT_ * (1.0 + dppair_fabs_(*next))) { /* between neighbours */
      there->loss = target;
      return 1;
    }
    *next += move;
    if (!(*next > low && *next < high)) *next = beyond ? 0.5 * (low + high) : high;
  }
  return -1;
}

/* A walk in x along one branch, from cell boundary to cell boundary. */
typedef struct dppair_walk_ {
  const dppair_branch_ *branch;
  double h, scale;    /* the lattice, and 1/(1 - e^-h) */
  double x, end;      /* where we are and where the branch is cut */
  dppair_place_ here; /* the branch at x, and the density of P there */
  double mass;
  double bend;        /* relative change of the loss's slope per unit of x on the last panel */
  double panel;       /* R of theory.h: no panel may be wider, or the error bounds fail */
  double near_enough; /* a Newton step whose square is below rounding */
} dppair_walk_;

/* Integrates the panel from w->x to w->x + gap, where the branch is `there` with density mass, into
 * the cell that begins at loss low. */
DPPAIR_FN_ void dppair_walk_panel_(double *right, double *left, const dppair_walk_ *w, double gap,
                                   const dppair_place_ *there, double mass, double low) {
  static const double inner = 0.44721359549995793928; /* 1/sqrt 5: Lobatto, 4 points */
  dppair_place_ node;
  int k;
  if (gap <= w->panel * (1.0 / 256)) {
    const double middle = w->x + 0.5 * gap, spread = 0.5 * inner * gap, edge = gap * (1.0 / 12);
    dppair_cells_node_(right, left, w->here.loss, w->mass * edge, low, w->h, w->scale);
    for (k = 0; k < 2; k++) {
      dppair_place_of_(&node, w->branch, k == 0 ? middle - spread : middle + spread);
      dppair_cells_node_(right, left, node.loss, dppair_exp_(node.log_mass) * 5.0 * edge, low, w->h,
                         w->scale);
    }
    dppair_cells_node_(right, left, there->loss, mass * edge, low, w->h, w->scale);
    return;
  }
  for (k = 0; k < 16; k++) {
    double weight;
    const double at = w->x + 0.5 * gap * (1.0 + dppair_legendre_(&weight, k));
    dppair_place_of_(&node, w->branch, at);
    dppair_cells_node_(right, left, node.loss, dppair_exp_(node.log_mass) * 0.5 * gap * weight, low,
                       w->h, w->scale);
  }
}

/* Walks through the cell that begins at loss low, to where the loss is target. 1: the target is
 * reached; 0: the branch ends before; -1: it was not found. */
DPPAIR_FN_ int dppair_walk_cell_(double *right, double *left, dppair_walk_ *w, double low,
                                 double target) {
  for (;;) {
    const double slope = w->here.slope + w->here.mirror;
    const double widest = w->end - w->x < w->panel ? w->end : w->x + w->panel;
    double gap = dppair_fabs_(target - w->here.loss) / slope, next, mass;
    dppair_place_ there;
    int reached;
    /* the second order makes a better guess, but a bad one where the loss is nearly flat */
    if (w->bend * gap < 1.0) gap -= 0.5 * w->bend * gap * gap;
    next = w->x + gap < widest ? w->x + gap : widest;
    reached =
        dppair_cells_boundary_(&next, &there, w->branch, target, w->x, widest, w->near_enough);
    if (reached < 0) return -1;
    gap = next - w->x;
    mass = dppair_exp_(there.log_mass);
    dppair_walk_panel_(right, left, w, gap, &there, mass, low);
    if (gap > 0.0) w->bend = (there.slope + there.mirror - slope) / gap / slope;
    w->x = next;
    w->here = there;
    w->mass = mass;
    if (reached) return 1;
    if (widest >= w->end) return 0;
  }
}

/* Charges the errors of a branch between low and high, where |log r| <= largest: those of its
 * losses, and those of its masses, which add the rounding of log_mass, an exponent, and 2e-13 for
 * the quadrature. */
DPPAIR_FN_ void dppair_cells_charge_(dppair_cells_ *cells, const dppair_branch_ *branch, double low,
                                     double high, double largest, double log_spend) {
  double worst = dppair_cells_error_(branch, low, high, largest);
  if (worst > cells->loss_error) cells->loss_error = worst;
  worst += DPPAIR_UNIT_ * (32.0 + 8.0 * high * high - 8.0 * log_spend) + 2e-13;
  if (worst > cells->mass_error) cells->mass_error = worst;
}

/* Adds a branch, whose loss is monotone in x. At most e^log_spend of P beyond each end counts as
 * infinite loss (upper) or as nothing (lower). */
DPPAIR_FN_ dppair_status dppair_cells_branch_(dppair_cells_ *cells, const dppair_branch_ *branch,
                                              double log_spend) {
  const int down = branch->shape == DPPAIR_BACKWARD_; /* the loss falls as x grows */
  const double reach = branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  dppair_place_ last;
  dppair_walk_ w;
  double index; /* of the cell */
  int inside = 1;
  dppair_cells_ends_(&w.x, &w.end, branch, log_spend);
  cells->infinity += 2.0 * dppair_exp_(log_spend);
  cells->unseen += dppair_cells_unseen_(branch, w.x, w.end);
  if (w.x >= w.end) return DPPAIR_OK;
  dppair_place_of_(&w.here, branch, w.x);
  dppair_place_of_(&last, branch, w.end);
  dppair_cells_charge_(cells, branch, w.x, w.end, dppair_fabs_(w.here.g) + dppair_fabs_(last.g),
                       log_spend);
  w.branch = branch;
  w.h = cells->h;
  w.scale = -1.0 / dppair_expm1_(-cells->h);
  w.mass = dppair_exp_(w.here.log_mass);
  w.bend = 0.0;
  w.panel = reach > 2.0 ? 0.5 / reach : 0.25;
  w.near_enough = 3e-9 / (reach > 1.0 ? reach : 1.0);
  for (index = dppair_floor_(w.here.loss / w.h); inside; index += down ? -1.0 : 1.0) {
    const double cell = index - (double)cells->first;
    double right = 0.0, left = 0.0;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    inside = dppair_walk_cell_(&right, &left, &w, index * w.h, (down ? index : index + 1.0) * w.h);
    if (inside < 0) return DPPAIR_ERR_NO_CONVERGENCE;
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
  }
  return DPPAIR_OK;
}

/* Adds the continuous part of a Laplace loss: the density e^((l - e)/2)/4 on (-e, e). */
DPPAIR_FN_ dppair_status dppair_cells_laplace_(dppair_cells_ *cells, double e) {
  const double h = cells->h, scale = -1.0 / dppair_expm1_(-h);
  double low = dppair_floor_(-e / h), x = -e;
  while (x < e) {
    const double cell = low - (double)cells->first;
    const double to = (low + 1.0) * h < e ? (low + 1.0) * h : e, gap = to - x;
    int k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (k = 0; gap > 0.0 && k < 16; k++) {
      double w, loss;
      loss = x + 0.5 * gap * (1.0 + dppair_legendre_(&w, k));
      dppair_cells_node_(&cells->right[(size_t)cell], &cells->left[(size_t)cell], loss,
                         0.125 * gap * w * dppair_exp_(0.5 * (loss - e)), low * h, h, scale);
    }
    x = to;
    low += 1.0;
  }
  return DPPAIR_OK;
}

/* [*low, *high] holds all losses of a law but its tails of e^log_spend each. */
DPPAIR_FN_ void dppair_cells_range_(double *low, double *high, const dppair_law_ *law, int backward,
                                    double log_spend) {
  size_t i;
  dppair_branch_ branch;
  dppair_place_ place;
  *high = law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_ ? law->mu : 0.0;
  *low = -*high;
  for (i = 0; i < dppair_branches_(law); i++) {
    double ends[2];
    int k;
    dppair_branch_of_(&branch, law, i, backward);
    dppair_cells_ends_(&ends[0], &ends[1], &branch, log_spend);
    for (k = 0; k < 2; k++) {
      dppair_place_of_(&place, &branch, ends[k]);
      if (place.loss < *low) *low = place.loss;
      if (place.loss > *high) *high = place.loss;
    }
  }
}

/* Puts all of one law on the lattice. right and left have room for size cells and are cleared.
 * NO_CONVERGENCE: the losses span more cells than there are. */
DPPAIR_FN_ dppair_status dppair_cells_fill_(dppair_cells_ *cells, const dppair_law_ *law,
                                            int backward, double log_spend) {
  const double atom = dppair_law_atom_(law), e = law->mu;
  double lowest, highest;
  size_t i;
  dppair_branch_ branch;
  dppair_status status = DPPAIR_OK;
  dppair_cells_range_(&lowest, &highest, law, backward, log_spend);
  if (!((highest - lowest) / cells->h < (double)cells->size - 8.0) || !(lowest / cells->h > -1e9))
    return DPPAIR_ERR_NO_CONVERGENCE;
  cells->first = (int64_t)dppair_floor_(lowest / cells->h) - 2;
  cells->infinity = cells->unseen = 0.0;
  cells->table = 0;
  cells->loss_error = DPPAIR_UNIT_ * 16.0 * (1.0 + e);
  cells->mass_error = law->slip + 1e-13 + DPPAIR_UNIT_ * 8.0 * e;
  for (i = 0; i < cells->size; i++) cells->right[i] = cells->left[i] = 0.0;
  for (i = 0; status == DPPAIR_OK && i < dppair_branches_(law); i++) {
    dppair_branch_of_(&branch, law, i, backward);
    status = dppair_cells_branch_(cells, &branch, log_spend);
  }
  if (status == DPPAIR_OK && atom > 0.0) status = dppair_cells_atom_(cells, 0.0, atom);
  if (atom > 0.0 && dppair_law_atom_error_(law) > cells->mass_error)
    cells->mass_error = dppair_law_atom_error_(law);
  if (law->kind == DPPAIR_LAW_POSITIVE_) cells->unseen += 1.0 - 2.0 * atom;
  if (law->kind == DPPAIR_LAW_LAPLACE_) {
    status = dppair_cells_laplace_(cells, e);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, e, 0.5);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, -e, 0.5 * dppair_exp_(-e));
  } else if (law->kind == DPPAIR_LAW_RESPONSE_) {
    status = dppair_cells_atom_(cells, e, 1.0 / (1.0 + dppair_exp_(-e)));
    if (status == DPPAIR_OK)
      status = dppair_cells_atom_(cells, -e, dppair_exp_(-e) / (1.0 + dppair_exp_(-e)));
  }
  return status;
}

/*
 * rise[i] = beta_i of the lower law. In units of 1 - e^-h cell i has right[i] above ih and left[i]
 * e^h below (i+1)h; the only condition is beta_(i-1) left[i-1] e^h <= (1 - beta_i) right[i] for all
 * i, and with equality nothing of cell i is rounded down. The recurrence beta_i = 1 - beta_(i-1)
 * left[i-1] e^h/right[i] damps its errors where masses grow with i, and the same recurrence
 * downwards where they fall, so two passes meet at the largest cell. The last pass, from the right,
 * makes the condition hold whatever the first one left.
 */
DPPAIR_FN_ void dppair_cells_rise_(double *rise, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  size_t i, peak = 0;
  for (i = 1; i < cells->size; i++)
    if (right[i] + left[i] > right[peak] + left[peak]) peak = i;
  rise[0] = 1.0;
  for (i = 1; i <= peak; i++) {
    const double below = rise[i - 1] * left[i - 1] * cells->growth;
    rise[i] = right[i] > below ? 1.0 - below / right[i] : 0.0;
  }
  rise[cells->size - 1] = 0.0;
  for (i = cells->size - 1; i > 0; i--) {
    const double above = (1.0 - rise[i]) * right[i], below = left[i - 1] * cells->growth;
    const double most = above < below ? above / below * (1.0 - 1e-15) : (below > 0.0 ? 1.0 : 0.0);
    if (i > peak || rise[i - 1] > most) rise[i - 1] = most;
  }
}

/* The cells [*begin, *end) hold all there is; 0 when there is nothing. */
DPPAIR_FN_ int dppair_cells_used_(size_t *begin, size_t *end, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  *begin = 0;
  *end = cells->size;
  while (*end > 0 && !(right[*end - 1] > 0.0 || left[*end - 1] > 0.0)) --*end;
  while (*begin < *end && !(right[*begin] > 0.0 || left[*begin] > 0.0)) ++*begin;
  return *begin < *end;
}

/* A last line of defence: do the cells [begin, end) of a law hold all of P and, but for the ends,
 * all of Q, within the errors that are claimed? */
DPPAIR_FN_ dppair_status dppair_cells_check_(const dppair_cells_ *cells, size_t begin, size_t end) {
  const double lowest = cells->h * ((double)cells->first + (double)begin);
  const double shrink = dppair_exp_(-cells->h);
  const double range = dppair_fabs_(lowest) + cells->h * (double)(end - begin);
  const double wrong = cells->mass_error + 2.0 * cells->loss_error + cells->infinity +
                       DPPAIR_UNIT_ * (400.0 + 4.0 * range + (double)(end - begin) / 64.0);
  double p = 0.0, q = 0.0;
  size_t i;
  for (i = begin; i < end;) {
    const size_t stop = end - i < 64 ? end : i + 64;
    double own = 0.0, other = 0.0;
    double w = dppair_exp_(-cells->h * ((double)cells->first + (double)i));
    for (; i < stop; i++, w *= shrink) {
      own += cells->right[i] + cells->left[i];
      other += (cells->left[i] + cells->right[i] * shrink) * w;
    }
    p += own;
    q += other;
  }
  if (!(dppair_fabs_(p - 1.0) <= wrong)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* far below, e^-loss overflows or multiplies what is no longer a normal number */
  return lowest < -600.0 || dppair_fabs_(q + cells->unseen - 1.0) <= wrong
             ? DPPAIR_OK
             : DPPAIR_ERR_NO_CONVERGENCE;
}

/* ---- src/accountant/lattice/composition.h ---------------------------------------------------
 * The product of all steps on the lattice
 *
 * K(z_k), the product of all steps' moment functions on the line of Fourier nodes, for the upper
 * law (index 0) and the lower law (1). Both laws are real, so that one complex transform serves for
 * both. Relies on transform.h and cells.h.
 * ---------------------------------------------------------------------------------------------- */

/* One direction of a composition. */
typedef struct dppair_lattice_ {
  size_t n;
  int automatic; /* h is chosen anew for each direction */
  double h, c;
  double *buffer[4], *rise, *cosine, *sine;
  double *re[2], *im[2]; /* K(z_k) W(z_k)/n e^-log_k, k = 0 .. n/2 */
  double log_k[2];       /* log K(c) */
  double *weight;        /* scratch */
  double error[2];       /* of S, relative to e^(log_k - c j h) */
  double kappa;          /* sum of T kappa */
  double infinity;       /* upper: P(any loss is infinite); a sum of logarithms until the end */
  double certain;        /* the same, lower: only what tables state */
  double shift;          /* sum of T e_l: how far epsilon may be off */
  double log_right;      /* log K(c') of the lower law */
  size_t used[2];        /* nodes that matter */
  int trimmed;           /* laws are cut shorter, and M - 1 is transformed */
  double drift;          /* errors of K(z_k), relative to K(c), divided by |e^(z_k h) - 1| */
} dppair_lattice_;

/* cos and sin of -2 pi k/n for k <= n/2, and *turn = 1 - cos without cancellation. */
DPPAIR_FN_ void dppair_lattice_angle_(double *cosine, double *sine, double *turn,
                                      const dppair_lattice_ *l, size_t k) {
  const size_t quarter = l->n / 4;
  if (k < quarter) {
    *cosine = l->cosine[k];
    *sine = -l->sine[k];
    *turn = *sine * *sine / (1.0 + *cosine);
    return;
  }
  *cosine = k == quarter ? 0.0 : k < 2 * quarter ? -l->cosine[2 * quarter - k] : -1.0;
  *sine = k == quarter ? -1.0 : k < 2 * quarter ? -l->sine[2 * quarter - k] : 0.0;
  *turn = 1.0 - *cosine;
}

/* W(z)/n at z_k; decay[i] = e^(-(c+i)h) and rest[i] = 1 - decay[i]. */
DPPAIR_FN_ void dppair_lattice_kernel_(double *re, double *im, const dppair_lattice_ *l,
                                       const double *decay, const double *rest, size_t k) {
  double cosine, sine, turn, pr = 1.0, pi = 0.0, e;
  int i;
  dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
  for (i = 0; i < 2; i++) {
    /* 1 - e^-w, w = (z + i) h */
    const double r = rest[i] + decay[i] * turn, m = -decay[i] * sine, t = pr * r - pi * m;
    pi = pr * m + pi * r;
    pr = t;
  }
  e = decay[0] * (-dppair_expm1_(-l->h)) / (double)l->n / (pr * pr + pi * pi);
  *re = e * (cosine * pr + sine * pi);
  *im = e * (sine * pr - cosine * pi);
}

/* (re + i im)^t by repeated squaring. */
DPPAIR_FN_ void dppair_complex_power_(double *re, double *im, size_t t) {
  double ar = *re, ai = *im, r = 1.0, i = 0.0;
  for (; t > 0; t >>= 1) {
    double x;
    if (t & 1) {
      x = r * ar - i * ai;
      i = r * ai + i * ar;
      r = x;
    }
    x = ar * ar - ai * ai;
    ai = 2.0 * ar * ai;
    ar = x;
  }
  *re = r;
  *im = i;
}

/* Transforms buffers 0 and 1; the result is *xr + i *xi. */
DPPAIR_FN_ void dppair_lattice_transform_(const double **xr, const double **xi,
                                          dppair_lattice_ *l) {
  double *const *buffer = l->buffer;
  int in_y;
  dppair_fft_(&in_y, buffer[0], buffer[1], buffer[2], buffer[3], l->cosine, l->sine, l->n);
  *xr = buffer[in_y ? 2 : 0];
  *xi = buffer[in_y ? 3 : 1];
}

/* A bound of the error of one output of the transform, relative to the l1 norm of its inputs: both
 * laws, each of norm 1, go through at most 1 + log4 n stages. */
DPPAIR_FN_ double dppair_lattice_stages_(size_t n) {
  int stages = 1;
  for (; n > 1; n /= 4) stages++;
  return 2.0 * 34.0 * (double)stages;
}

/* Separates the two real inputs' transforms at node k: X = F(upper) + i F(lower), and what we need,
 * the sum over e^(z_k jh), is the conjugate of F. */
DPPAIR_FN_ void dppair_lattice_pair_(double part[2][2], const double *xr, const double *xi,
                                     size_t n, size_t k) {
  const size_t other = (n - k) & (n - 1);
  part[0][0] = 0.5 * (xr[k] + xr[other]);
  part[0][1] = 0.5 * (xi[other] - xi[k]);
  part[1][0] = 0.5 * (xi[k] + xi[other]);
  part[1][1] = 0.5 * (xr[k] - xr[other]);
}

/* Below e^-80 a node's |M(z_k)/M(c)|^t counts as 0: dppair_lattice_finish_ charges for that. */
#define DPPAIR_LATTICE_NOTHING_ 80.0

/* K(z_k) of one law times re + i im. */
DPPAIR_FN_ void dppair_lattice_times_(dppair_lattice_ *l, int d, size_t k, double re, double im) {
  const double x = l->re[d][k] * re - l->im[d][k] * im;
  l->im[d][k] = l->re[d][k] * im + l->im[d][k] * re;
  l->re[d][k] = x;
}

/* K times the t-th power of the transformed laws. */
DPPAIR_FN_ void dppair_lattice_raise_(dppair_lattice_ *l, const double *xr, const double *xi,
                                      size_t t) {
  const double times = (double)t;
  size_t k;
  int d;
  for (k = 0; k <= l->n / 2; k++) {
    double part[2][2];
    dppair_lattice_pair_(part, xr, xi, l->n, k);
    for (d = 0; d < 2; d++) {
      double re = part[d][0], im = part[d][1];
      const double size = re * re + im * im;
      if (0.5 * times * (1.0 - size) > DPPAIR_LATTICE_NOTHING_) {
        l->re[d][k] = l->im[d][k] = 0.0;
        continue;
      }
      dppair_complex_power_(&re, &im, t);
      dppair_lattice_times_(l, d, k, re, im);
    }
  }
}

/* Charges t executions for infinite losses and for the errors of losses: the ratio of a merged
 * outcome is as exact as its masses. */
DPPAIR_FN_ dppair_status dppair_lattice_charge_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                double times) {
  if (!(cells->infinity < 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  l->infinity += times * dppair_log1p_(-cells->infinity);
  if (cells->table) l->certain += times * dppair_log1p_(-cells->infinity);
  l->shift += times * (cells->loss_error + 4.0 * cells->mass_error * l->h);
  return DPPAIR_OK;
}

/* Puts the law of the cells [begin, end), tilted by e^(cL), into the transform's input, wrapped
 * around with period n. sum: M(c) e^-top of the upper and the lower law; *high: M(c') e^-top_right
 * of the lower law. */
DPPAIR_FN_ void dppair_lattice_tilt_(double sum[2], double *high, dppair_lattice_ *l,
                                     const dppair_cells_ *cells, size_t begin, size_t end,
                                     double top, double right_c, double top_right) {
  double *xr = l->buffer[0], *xi = l->buffer[1];
  const double *right = cells->right, *left = cells->left;
  const double h = l->h, grow = dppair_exp_(l->c * h), grow_right = dppair_exp_(right_c * h);
  double risen = 0.0, w = 0.0, w_right = 0.0;
  size_t i;
  sum[0] = sum[1] = *high = 0.0;
  for (i = begin; i <= end; i++) {
    const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(l->n - 1));
    const double own = right[i] + left[i], rises = own * l->rise[i];
    const double upper = left[i] + (i > 0 ? right[i - 1] : 0.0), lower = own - rises + risen;
    if ((i - begin) % 64 == 0) { /* the tilt, anew every 64 cells and multiplied on between */
      const double at = h * ((double)cells->first + (double)i);
      w = dppair_exp_(l->c * at - top);
      w_right = dppair_exp_(right_c * at - top_right);
    }
    xr[place] += upper * w;
    xi[place] += lower * w;
    sum[0] += upper * w;
    sum[1] += lower * w;
    *high += lower * w_right;
    risen = rises;
    w *= grow;
    w_right *= grow_right;
  }
}

/*
 * Multiplies the law whose cells are in buffers 2 (right) and 3 (left) into K, t times. top and
 * top_right: about log M at c and at right_c.
 */
DPPAIR_FN_ dppair_status dppair_lattice_multiply_(dppair_lattice_ *l, const dppair_cells_ *cells,
                                                  double top, double top_right, double right_c,
                                                  size_t t) {
  const size_t n = l->n;
  const double times = (double)t;
  const double range = l->h * (dppair_fabs_((double)cells->first) + (double)cells->size);
  const double *xr, *xi;
  double sum[2], high, e;
  size_t i, begin, end;
  int d;
  if (!dppair_cells_used_(&begin, &end, cells) || end + 1 > cells->size)
    return DPPAIR_ERR_NO_CONVERGENCE;
  if (!cells->table && dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(l->buffer[0], 0, n * sizeof(double));
  memset(l->buffer[1], 0, n * sizeof(double));
  dppair_lattice_tilt_(sum, &high, l, cells, begin, end, top, right_c, top_right);
  for (d = 0; d < 2; d++) {
    if (!(sum[d] > 0.0) || !dppair_isfinite_f64(sum[d])) return DPPAIR_ERR_NO_CONVERGENCE;
    l->log_k[d] += times * (top + dppair_log_(sum[d]));
    for (i = 0; i < n; i++) l->buffer[d][i] /= sum[d];
  }
  l->log_right += times * (top_right + dppair_log_(high) + DPPAIR_UNIT_ * (double)(n + 64));
  dppair_lattice_transform_(&xr, &xi, l);
  /* the transform, the tilt, and log2 t squarings and products */
  e = DPPAIR_UNIT_ *
      (dppair_lattice_stages_(n) + 300.0 + 4.0 * (dppair_fabs_(top) + dppair_fabs_(l->c * range)));
  for (d = 0; d < 2; d++) l->error[d] += times * (e + 6.0 * DPPAIR_UNIT_);
  dppair_lattice_raise_(l, xr, xi, t);
  l->kappa += times * cells->mass_error;
  return dppair_lattice_charge_(l, cells, times);
}

/* sum += x, *low takes what is rounded away (Knuth). */
DPPAIR_FN_ void dppair_sum_two_(double *sum, double *low, double x) {
  const double s = *sum + x, t = s - *sum;
  *low += (*sum - (s - t)) + (x - t);
  *sum = s;
}

/*
 * Laws that hardly lose anything: the errors should be proportional to what they lose, not to 1.
 *
 * Let m_i be the mass at ih, and put what is missing to 1 at loss 0; that only raises the upper
 * law, and changes M of the lower one by at most cells->infinity. Then M(z) - 1 = sum m_i (e^(z ih)
 * - 1) = (e^(zh) - 1) sum_j G_j e^(z jh), G_j = sum_(i > j) m_i for j >= 0,  -sum_(i <= j) m_i for
 * j < 0, and G is transformed. Let P_j be the mass of cell j and of all cells beyond it, seen from
 * loss 0, and A = sum_j P_j e^(c jh); |G_j| <= P_j for both laws. Relative errors kappa of the
 * cells' masses and of how they are split change G_j by at most 2 kappa P_j; errors of the mass at
 * loss 0 do not count. These and the rounding of the transform, e relative to the l1 norm, change
 * M(z) by at most |e^(zh) - 1| A (2 kappa + e), and (M(z)/M(c))^t, where |M(z)| <= M(c), by t/M(c)
 * times as much.
 *
 * The power is exp(t log(1 + m)), |m| = |M(z) - 1| <= |e^(zh) - 1| A. log |1 + m| and arg(1 + m),
 * which is at most pi |m|, are off by at most 40 |m|/|1 + m| and 10 |m|/|1 + m| units. Times t and
 * |M(z)/M(c)|^t that is below 60 t |m|, which is part of e. The exponent -x rounds by x e^-x < 1
 * units.
 */
typedef struct dppair_lattice_losses_ {
  double a, a_right; /* A at c and at c' */
  double high;       /* sum of G_j e^(c' jh) of the lower law */
} dppair_lattice_losses_;

/* Puts G of both laws, tilted by e^(cL), into the transform's input. */
DPPAIR_FN_ void dppair_lattice_lost_(dppair_lattice_losses_ *lost, dppair_lattice_ *l,
                                     const dppair_cells_ *cells, size_t begin, size_t end,
                                     double right_c) {
  const double *right = cells->right, *left = cells->left;
  const size_t zero = (size_t)-cells->first;
  int side;
  memset(lost, 0, sizeof *lost);
  for (side = 0; side < 2; side++) { /* losses above 0 from the last, below 0 from the first */
    const size_t length = side == 0 ? end - zero : zero - begin;
    double whole = 0.0, low = 0.0; /* whole + low: P_j */
    size_t k;
    for (k = 0; k < length; k++) {
      const double beyond = whole + low;
      const size_t i = side == 0 ? end - 1 - k : begin + k;
      const size_t place = (size_t)((cells->first + (int64_t)i) & (int64_t)(l->n - 1));
      const double at = l->h * (double)(cells->first + (int64_t)i);
      const double own = right[i] + left[i], w = dppair_exp_(l->c * at),
                   w_right = dppair_exp_(right_c * at);
      const double up = beyond + (side == 0 ? right[i] : left[i]);
      const double down = beyond + own * (side == 0 ? l->rise[i] : 1.0 - l->rise[i]);
      dppair_sum_two_(&whole, &low, own);
      lost->a += (whole + low) * w;
      lost->a_right += (whole + low) * w_right;
      lost->high += side == 0 ? down * w_right : -down * w_right;
      l->buffer[0][place] = side == 0 ? up * w : -up * w;
      l->buffer[1][place] = side == 0 ? down * w : -down * w;
    }
  }
}

/* K times the t-th power of the laws whose G was transformed; top: log M(c) of each. */
DPPAIR_FN_ void dppair_lattice_raise_small_(dppair_lattice_ *l, const double *xr, const double *xi,
                                            const double top[2], size_t t) {
  const double times = (double)t, grow = dppair_exp_(l->c * l->h),
               less = dppair_expm1_(l->c * l->h);
  size_t k;
  int d;
  for (k = 0; k <= l->n / 2; k++) {
    double part[2][2], cosine, sine, turn, fr, fi;
    dppair_lattice_pair_(part, xr, xi, l->n, k);
    dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
    fr = less - grow * turn; /* e^(zh) - 1 */
    fi = -grow * sine;
    for (d = 0; d < 2; d++) {
      const double re = part[d][0] * fr - part[d][1] * fi, im = part[d][0] * fi + part[d][1] * fr;
      const double more = re * (2.0 + re) + im * im; /* |M|^2 - 1 */
      const double size =
          more > -0.75 ? dppair_log1p_(more) : dppair_log_((1.0 + re) * (1.0 + re) + im * im);
      const double power = times * (0.5 * size - top[d]);
      double angle, x;
      if (power <= -DPPAIR_LATTICE_NOTHING_) {
        l->re[d][k] = l->im[d][k] = 0.0;
        continue;
      }
      angle = times * dppair_atan2_(im, 1.0 + re);
      x = dppair_exp_(power);
      dppair_lattice_times_(l, d, k, x * dppair_cos_(angle), x * dppair_sin_(angle));
    }
  }
}

/* dppair_lattice_multiply_ for laws that hardly lose anything, as above. The losses lie on both
 * sides of 0, and there are no tables. */
DPPAIR_FN_ dppair_status dppair_lattice_multiply_small_(dppair_lattice_ *l,
                                                        const dppair_cells_ *cells, double right_c,
                                                        size_t t) {
  const double times = (double)t, less = dppair_expm1_(l->c * l->h),
               less_right = dppair_expm1_(right_c * l->h);
  const double range = l->h * (dppair_fabs_((double)cells->first) + (double)cells->size);
  const size_t n = l->n, zero = (size_t)-cells->first;
  const double *xr, *xi;
  dppair_lattice_losses_ lost;
  double top[2], e, least;
  size_t begin, end;
  int d;
  if (!dppair_cells_used_(&begin, &end, cells) || cells->table || cells->first >= 0 ||
      !(begin < zero && zero < end) || end >= cells->size ||
      dppair_cells_check_(cells, begin, end) != DPPAIR_OK)
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_cells_rise_(l->rise, cells);
  memset(l->buffer[0], 0, n * sizeof(double));
  memset(l->buffer[1], 0, n * sizeof(double));
  dppair_lattice_lost_(&lost, l, cells, begin, end, right_c);
  if (!(lost.a > 0.0) || !dppair_isfinite_f64(lost.a) || !dppair_isfinite_f64(lost.a_right))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_transform_(&xr, &xi, l);
  top[0] = dppair_log1p_(less * xr[0]);
  top[1] = dppair_log1p_(less * xi[0]);
  least = dppair_exp_(top[0] < top[1] ? top[0] : top[1]); /* the smaller M(c) */
  if (!(least > 0.5)) return DPPAIR_ERR_NO_CONVERGENCE;
  e = DPPAIR_UNIT_ * (dppair_lattice_stages_(n) + 400.0 + 4.0 * dppair_fabs_(l->c * range));
  l->drift += times * 1.01 * lost.a / least * (2.0 * cells->mass_error + e);
  for (d = 0; d < 2; d++) {
    l->log_k[d] += times * top[d];
    l->error[d] += 16.0 * DPPAIR_UNIT_ + (d == 1 ? times * 1.01 / least * cells->infinity : 0.0);
  }
  /* what the lower law has at c', with room for the errors of its masses */
  e = 3.0 * cells->mass_error + DPPAIR_UNIT_ * (100.0 + (double)n + 8.0 * right_c * range);
  l->log_right +=
      times * dppair_log1p_(less_right * (lost.high + e * lost.a_right) + cells->infinity);
  dppair_lattice_raise_small_(l, xr, xi, top, t);
  return dppair_lattice_charge_(l, cells, times);
}

/* ---- src/accountant/allocation/theory.h ----------------------------------------------------- */
/* ================================================================================================
 * Random allocation
 *
 * An epoch has t noisy steps. Every record is put into exactly one of the t batches, uniformly and
 * independently of all other records; step i releases f_i(batch i; earlier outputs) + sigma N(0,
 * I), and zeroing a record moves f_i by at most S. z = sigma/S. Epochs draw afresh.
 *
 * The law. x_1 .. x_t are independent N(0, 1), X_i = exp(x_i/z - 1/(2z^2)), L = (X_1 + .. + X_t)/t,
 * Q is the law of x, dP = L dQ, l = log L has density f under Q and p = e^l f under P. Then
 *     remove: delta = E_Q (L - e^epsilon)_+       add: delta = E_Q (1 - e^epsilon L)_+,
 * and E epochs are the E-fold products, each direction by itself.
 *
 * Zero-out, adaptive queries. Condition on the other records' batches. Against the world without
 * the record, its world has the density (1/t) sum Y_i, Y_i = exp(r_i xi_i/z - r_i^2/(2z^2)), with
 * r_i <= 1 a function of the past and xi_i N(0, 1) given the past. Both curves are E phi of it with
 * phi convex. Y(r) is a martingale in r, so it grows in convex order with r; backwards from i = t,
 * V_i(s) = sup over r of E V_(i+1)(s + Y(r)/t) is convex and has its supremum at r = 1. So earlier
 * outputs buy nothing, and constant queries attain the law. k of t: with t' = floor(t/k), draw k
 * disjoint blocks of t' steps, then one step in each; reveal the blocks, and the same induction
 * holds in each block's sum: at most k epochs of 1 of t'. All curves fall with t: reveal a subset
 * of the steps first.
 *
 * Replace-one. One replaced record is dominated by (1/t) sum N(+e_i/z, I) against (1/t) sum
 * N(-e_i/z, I): given the past, A - cB is largest in convex order for opposite moves of full
 * length. With X*_i = exp(-x_i/z - 1/(2z^2)), X_i and -X*_i both grow with x_i, so X_i - c X*_i is
 * larger in convex order than with an independent copy (lower end: the pair "remove, then add"),
 * and mean X_i - c mean X*_i is smaller than with the comonotone coupling of the two means (upper
 * end). Both are one-dimensional and survive composition. For t = 2 the loss is (x_1 + x_2)/z:
 * sqrt(2E)/z-GDP, which bounds t > 2 too; t = 1 is 2 sqrt(E)/z-GDP.
 *
 * Facts. f_n is the density of l for n batches, K = n z^2.
 *  F1 f_n and p_n are a Gaussian of variance 1/K convolved with a probability law (rotate x into
 *     its mean and the rest), so sup f_n, sup p_n <= sqrt(K/2pi).
 *  F2 |f_n(l + iy)| <= e^(K y^2/2) f_n(l).
 *  F3 (log f_n)'' >= -K. On [u, v] f <= e^(K(v-u)^2/8) max(f(u), f(v)), and f(x) <= e^(K
 *     r^2/2)/(2r) times its integral over [x-r, x+r].
 *  F4 both pass to delta, to products f_a(x) f_b(x-d) at fixed d (K_a + K_b) and to m-fold
 *     convolutions (K/m).
 *
 * a + b batches. With n = a + b, d = l_a - l_b and s(d) = -log((a + b e^-d)/n)
 *     f_n(l) = int P_d(l + s(d)) dd,  P_d(x) = f_a(x) f_b(x - d),
 * a trapezoid sum over d = D k, D a multiple of the lattice's h, so that P_d is formed on the
 * lattice and only this product is interpolated: Lagrange, 16 nodes at -7 .. 8 steps, of P_d e^(-p
 * x/h).
 *
 * Errors, relative to the sum f~, all added at each node:
 *  1 What the tables carry: sum |w| P (E_a + E_b + E_a E_b).
 *  2 Trapezoid rule. Under d -> d + i alpha the imaginary parts of the arguments add up to alpha,
 *    and the real parts both move by the same amount in [0, s], s = -log cos(alpha/2). By F2 and F3
 *    the error is at most 2/(e^g - 1) (f_n(l) + f_n(l + s)), g = 2 pi alpha/D - z^2 max(a, b)
 *    alpha^2/2 - z^2 n s^2/8. Any larger s will do: here a multiple of the output step.
 *  3 Interpolation. By Cauchy's formula on the circle of radius R = 32 steps about the cell's
 *    centre, omega(y) = prod (y^2 - (j + 1/2)^2), the error is at most the sum over arcs {R cos
 *    theta in [rho, rho + 1]} of A_rho e^(3|p|/2 - p rho) times P_d within [rho - 1/2, rho + 3/2]
 *    steps; summed over d that is f_n (with 2) at the four nodes about rho, twice because each term
 *    is bounded by its larger end: 2 e^(5 K h^2/8) sum A_rho e^(3|p|/2 - p rho) max(f_n(rho - 1) ..
 *    f_n(rho + 2)).
 *  4 Rounding: weights, tilt, product, 16 taps, sums of 8 terms and of those: (28 + terms/8) u. The
 *    position l + s(d) is off by `slip` steps; the weights then are off by slip times their largest
 *    derivative, which is added to |w| in the sums of item 1.
 *  5 Missing. Let mu bound the mass outside of a table, under P and Q, as an integral and as h
 *    times the sum over nodes, and nu the supremum there of f max(1, e^l). What a tap q reads
 *    outside amounts to at most M min(1, e^-(l + (q-1)h)), M = 4 (n/min(a, b)) (mu_a sup f_b + mu_b
 *    sup f_a + nu_a + nu_b). Proof: where d <= 0, x_b is beyond l, sup f_b e^x bounds the other
 *    factor, and the nodes x_a are spread out: with r = 0.6/sqrt(K_a), F3 turns D times their sum
 *    into at most 1.71 (n/b) times the mass outside, apart from nodes within r of the table's ends,
 *    whose number gives 1.2 (n/b) nu_a. Where d > 0, nu_a bounds f_a e^x, and the f_b add up to
 *    1.71 (n/a). So 1.71 would do for mu and 2.92 for nu in place of 4. It needs D sqrt(K) <= 1,
 *    h sqrt(K) <= 1/8 and |a - b| <= 1. With the weights:
 *    times lam = e^|p| sum max|w_q| e^(-pq) max(1, e^((1-q)h)).
 *    Masses: for each d a tap takes nodes to nodes one to one, so that the missing parts of all
 *    nodes add up to at most lam (mu_a + mu_b); E[e^l; bad] is the same mixture under P. An
 *    integral over cells is at most twice e^(K h^2/8) the sum over their nodes.
 *  6 Upper values of f_n, for 2 and 3: at every 32nd node the sum over d of the larger of two nodes
 *    (F3), in between F3 again, from right to left because of s. Three times replaced by f~ +
 *    error.
 *  A table is cut where E > 1000; what is cut goes to mu and nu.
 *  7 E epochs: plain convolution, D sum f_A(x) f_B(l - x): trapezoid 2 e^(-2 pi^2/(D^2 (K_A +
 *    K_B))) relative, rounding (terms + 12) u; missing (D/h) (mu_A sup f_B + mu_B sup f_A) min(1,
 *    e^-l).
 *  8 Curve: the weights W_r of f(h (j + r)) are integrals of the tilted interpolant times e^u - 1,
 *    from epsilon on. Its error is 3 with g(w) = e^epsilon int (e^u - 1) f(epsilon + h w + u) du,
 *    which falls with w, in place of f_n. What is outside adds (sum |B| + sum |C| + 1) mu and the
 *    nearest taps' nu.
 * exp, log and their kin are taken to be within an ulp, those of long double within four.
 * Only the final roots choose a side. Nothing is clamped: what is not certain is an error.
 *
 * The source of the two curves is Feldman and Shenfeld (2025); dominating pairs compose adaptively
 * (Zhu, Dong and Wang 2022).
 * ============================================================================================== */

/* ---- src/accountant/allocation/density.h ----------------------------------------------------
 * Random allocation: densities on a lattice
 *
 * Values with relative errors, what is charged for the rest, the law of one batch, and the
 * 16-point interpolation that the other chapters share. Relies on theory.h and normal.h.
 * ---------------------------------------------------------------------------------------------- */

/* The density f of a loss l under Q: |f - f~| <= error f~ at the nodes l = h (first + i). */
typedef struct dppair_density_ {
  double *f, *error;
  int64_t first;
  size_t size;
  double h, curvature; /* (log f)'' >= -curvature */
  /* at least the mass outside of the nodes, under P and under Q, as an integral and as h times the
   * sum over outer nodes; at least the supremum there of f max(1, e^l) */
  double outside, beyond;
} dppair_density_;

/* Unit roundoff of long double, which is used for what is computed once per shift and may be no
 * wider than double; of a sum of two doubles LDBL_EPSILON says more than products keep. */
#define DPPAIR_WIDE_UNIT_ (LDBL_EPSILON > 1e-30L ? 0.5 * (double)LDBL_EPSILON : 1e-30)

enum {
  DPPAIR_TAPS_ = 16,  /* of the interpolation, at -7 .. 8 steps */
  DPPAIR_RUN_ = 32,   /* outputs that share a tilt */
  DPPAIR_REACH_ = 47, /* nodes that they read */
  DPPAIR_RADIUS_ = 32 /* of the circle in steps: theory.h */
};

DPPAIR_FN_ double dppair_larger_(double a, double b) { return a > b ? a : b; }

/* sup |w_q| and sup |w_q'| over a cell, q = -7 .. 8, rounded up; symmetric. */
DPPAIR_FN_ double dppair_tap_most_(size_t q) {
  static const double most[8] = {6.4e-6, 1.11e-4, 9.18e-4, 4.87e-3, 1.88e-2, 5.82e-2, 0.164, 1.0};
  return most[q < 8 ? q : 15 - q];
}
DPPAIR_FN_ double dppair_tap_slope_(size_t q) {
  static const double slope[8] = {2.23e-5, 3.89e-4, 3.27e-3, 1.77e-2, 7.08e-2, 0.234, 0.778, 1.317};
  return slope[q < 8 ? q : 15 - q];
}

/* The weights w_q(y) of the interpolation at y steps, 0 <= y <= 1. Each is a product of factors
 * that are exact up to one rounding: 48 roundings at most. */
DPPAIR_FN_ void dppair_taps_(long double *w, long double y) {
  static const double factorial[16] = {1.0,         1.0,          2.0,           6.0,
                                       24.0,        120.0,        720.0,         5040.0,
                                       40320.0,     362880.0,     3628800.0,     39916800.0,
                                       479001600.0, 6227020800.0, 87178291200.0, 1307674368000.0};
  long double left = 1.0L, right = 1.0L;
  int q;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    w[q] = left;
    left *= y - (long double)(q - 7);
  }
  for (q = DPPAIR_TAPS_ - 1; q >= 0; q--) {
    const double scale = factorial[q] * factorial[15 - q];
    w[q] *= right / (long double)(q % 2 != 0 ? scale : -scale);
    right *= y - (long double)(q - 7);
  }
}

/* arc[32 + rho] = A_rho of theory.h for curvature * h^2 = bend, rounded up. */
DPPAIR_FN_ void dppair_arcs_(double *arc, double bend) {
  const double radius = (double)DPPAIR_RADIUS_, circle = radius * radius;
  double centre = 1.0; /* |omega(0)| */
  int rho, j;
  for (j = 0; j < 8; j++) centre *= (j + 0.5) * (j + 0.5);
  for (rho = 0; rho < DPPAIR_RADIUS_; rho++) {
    /* cos from rho/R to (rho+1)/R: the smaller angle bounds |omega| below, the larger the sine */
    const double nearby = dppair_acos_((rho + 1.0) / radius), remote = dppair_acos_(rho / radius);
    const double twice = 2.0 * ((rho + 1.0) / radius) * ((rho + 1.0) / radius) - 1.0;
    const double rise = 1.0 - (rho / radius) * (rho / radius);
    double omega = 1.0;
    for (j = 0; j < 8; j++) {
      const double k = (j + 0.5) * (j + 0.5);
      omega *= circle * circle - 2.0 * circle * k * twice + k * k;
    }
    arc[DPPAIR_RADIUS_ + rho] = 1.000001 * (remote - nearby) * 0.31830988618379067 * centre /
                                dppair_sqrt_(omega) * radius / (radius - 0.5) *
                                dppair_exp_(0.5 * bend * circle * rise);
    arc[DPPAIR_RADIUS_ - 1 - rho] = arc[DPPAIR_RADIUS_ + rho];
  }
}

/* The density of one batch, with noise multiplier z, on the lattice h: normal with mean -1/(2z^2)
 * and deviation 1/z. x = z l + 1/(2z) is cut `cut` below 0 and above 1/z, where under Q and under P
 * a mass below 4e-51 (15) or 2e-60 (16.5) is left on each side. */
DPPAIR_FN_ dppair_status dppair_density_batch_(dppair_density_ *d, double *work, size_t room,
                                               double z, double h, double cut) {
  const double half = 0.5 / z, low = dppair_floor_((-cut - half) / z / h);
  const double high = dppair_ceil_((cut + 1.0 / z - half) / z / h);
  const long double scale = (long double)z * 0.39894228040143267793994605993438L;
  size_t i;
  if (!(high - low < (double)room - 1.0)) return DPPAIR_ERR_WORKSPACE;
  d->first = (int64_t)low;
  d->size = (size_t)(high - low) + 1;
  d->f = work;
  d->error = work + room;
  d->h = h;
  d->curvature = z * z;
  d->outside = cut > 16.0 ? 1e-58 : 1e-48;
  d->beyond = d->outside * z;
  for (i = 0; i < d->size; i++) {
    const double l = h * (double)(d->first + (int64_t)i);
    const long double x = (long double)z * (long double)l + 0.5L / (long double)z;
    const double size =
        dppair_fabs_((double)x) * (dppair_fabs_(z * l) + half + dppair_fabs_((double)x)) + 1.0;
    d->f[i] = (double)(scale * dppair_expl_(-0.5L * x * x));
    d->error[i] = 2.0 * DPPAIR_UNIT_ + 8.0 * DPPAIR_WIDE_UNIT_ * size;
  }
  return DPPAIR_OK;
}

/* ---- src/accountant/allocation/meeting.h ----------------------------------------------------
 * Random allocation: two groups of batches meet
 *
 * The places, weights and constants of the sum over d = l_a - l_b, its sum at a node bounded
 * without interpolation, and bounds of f_n that need no other bound (theory.h, 1, 2 and 5). Relies
 * on density.h.
 * ---------------------------------------------------------------------------------------------- */

/* Memory that is handed out from the front. */
typedef struct dppair_pool_ {
  double *at;
  size_t left;
} dppair_pool_;

/* n doubles; NULL when there are not so many. */
DPPAIR_FN_ double *dppair_pool_take_(dppair_pool_ *pool, size_t n) {
  double *const at = pool->at;
  if (n > pool->left) return NULL;
  pool->at += n;
  pool->left -= n;
  return at;
}

/* Tables a and b on one lattice h, of n_a and n_b batches. */
typedef struct dppair_meeting_ {
  const dppair_density_ *a, *b;
  double n_a, n_b, n, z, h, bend;    /* bend: the curvature of f_n times h^2 */
  int64_t split, stride, first_k;    /* outputs per h; d = stride k h, k = first_k .. */
  int64_t ahead;                     /* s of theory.h in outputs */
  size_t count;                      /* numbers k */
  int same;                          /* a is b: d >= 0 only, twice */
  double gap;                        /* stride h, twice that if same */
  double trapezoid;                  /* 2/(e^g - 1) */
  double missing;                    /* M of theory.h */
  double unit;                       /* rounding relative to sum |w| P */
  double block;                      /* e^(K (32h)^2/8) */
  double *tap, *whole, *part, *slip; /* of each k, for outputs at h j, then for h (j + 1/2) */
  double *up_a, *up_b;               /* f (1 + error) */
} dppair_meeting_;

/* The best value of g - 15 z sqrt(n) s over alpha for a step `gap`, with its g and s. */
DPPAIR_FN_ double dppair_meeting_gain_(double *g, int64_t *ahead, const dppair_meeting_ *m,
                                       double gap) {
  const double larger = dppair_larger_(m->n_a, m->n_b) * m->z * m->z,
               step = m->h / (double)m->split;
  const double root = m->z * dppair_sqrt_(m->n);
  double top = 6.2831853 / (gap * larger), best = -HUGE_VAL;
  int i;
  if (top > 3.1) top = 3.1;
  for (i = 1; i <= 64; i++) {
    const double alpha = top * i / 64.0,
                 steps = dppair_ceil_(-dppair_log_(dppair_cos_(0.5 * alpha)) / step * 1.000001);
    const double s = steps * step;
    const double rate =
        6.2831853 * alpha / gap - 0.5 * larger * alpha * alpha - 0.125 * root * root * s * s;
    if (steps < 1e6 && rate - 15.0 * root * s > best) {
      best = rate - 15.0 * root * s;
      *g = rate - 1e-6;
      *ahead = (int64_t)steps;
    }
  }
  return best;
}

/* Chooses the stride: the largest with a negligible trapezoid error, and even, since s(d) is about
 * d/2: most places then are close to nodes, where the weights amplify errors least. 0: h is too
 * wide. */
DPPAIR_FN_ int dppair_meeting_stride_(dppair_meeting_ *m) {
  double g = 0.0;
  for (m->stride = (int64_t)(1.0 / dppair_sqrt_(m->bend)); m->stride > 0; m->stride--)
    if ((m->stride % 2 == 0 || m->stride == 1) &&
        dppair_meeting_gain_(&g, &m->ahead, m, m->h * (double)m->stride) >= 45.0)
      break;
  m->trapezoid = 2.0001 * dppair_exp_(-g);
  return m->stride > 0;
}

/* s(d)/h, and *error >= its error. */
DPPAIR_FN_ long double dppair_meeting_place_(double *error, const dppair_meeting_ *m, double d) {
  const long double wide = (long double)d, n = (long double)m->n;
  const long double s =
      d > -1.0 ? -dppair_log1pl_((long double)m->n_b / n * dppair_expm1l_(-wide))
               : wide - dppair_log1pl_((long double)m->n_a / n * dppair_expm1l_(wide));
  const double size = dppair_fabs_((double)s) + (d > -1.0 ? 0.0 : 0.5 * dppair_fabs_(d));
  /* functions within 4 ulp; where long double is double, within 1 */
  *error = (LDBL_MANT_DIG > 53 ? 32.0 : 12.0) * DPPAIR_WIDE_UNIT_ * (size / m->h + 1.0);
  return s / (long double)m->h;
}

/* Fills in what depends on k alone. */
DPPAIR_FN_ void dppair_meeting_shifts_(dppair_meeting_ *m) {
  long double w[DPPAIR_TAPS_];
  size_t k, q;
  int64_t phase;
  for (k = 0; k < m->count; k++) {
    const double d = m->h * (double)(m->stride * (m->first_k + (int64_t)k));
    double error;
    const long double place = dppair_meeting_place_(&error, m, d);
    for (phase = 0; phase < m->split; phase++) {
      const long double at = place + (phase > 0 ? 0.5L : 0.0L), whole = dppair_floorl_(at);
      const size_t i = k + (size_t)phase * m->count;
      m->whole[i] = (double)whole;
      m->part[i] = (double)(at - whole);
      m->slip[i] = error;
      dppair_taps_(w, at - whole);
      for (q = 0; q < DPPAIR_TAPS_; q++) m->tap[i * DPPAIR_TAPS_ + q] = (double)w[q];
    }
  }
}

DPPAIR_FN_ double *dppair_meeting_upper_(dppair_pool_ *pool, const dppair_density_ *d) {
  double *const up = dppair_pool_take_(pool, d->size);
  size_t i;
  for (i = 0; up != NULL && i < d->size; i++) up[i] = d->f[i] * (1.0 + d->error[i]) * 1.000001;
  return up;
}

/* Prepares the sum over d; z, n_a, n_b, a, b and split are given. NO_CONVERGENCE: h is too wide. */
DPPAIR_FN_ dppair_status dppair_meeting_open_(dppair_meeting_ *m, dppair_pool_ *pool) {
  const dppair_density_ *a = m->a, *b = m->b;
  const double fewer = m->n_a < m->n_b ? m->n_a : m->n_b;
  const double top_a = 0.39895 * dppair_sqrt_(a->curvature),
               top_b = 0.39895 * dppair_sqrt_(b->curvature);
  int64_t low, high;
  size_t phases;
  m->h = a->h;
  m->n = m->n_a + m->n_b;
  m->same = a == b;
  m->bend = m->z * m->h * m->z * m->h * m->n;
  if (!dppair_meeting_stride_(m)) return DPPAIR_ERR_NO_CONVERGENCE;
  low = a->first - (b->first + (int64_t)b->size - 1);
  high = a->first + (int64_t)a->size - 1 - b->first;
  m->first_k = m->same ? 0 : low / m->stride - 1;
  m->count = (size_t)(high / m->stride + 1 - m->first_k + 1);
  m->gap = m->h * (double)m->stride * (m->same ? 2.0 : 1.0);
  m->missing =
      4.0001 * (m->n / fewer) * (a->outside * top_b + b->outside * top_a + a->beyond + b->beyond);
  /* tap 1, tilt 6, their product 1, P 1, term 1, sum of taps 8, of eight terms 8, gap 1 */
  m->unit = 28.0 * DPPAIR_UNIT_ + 100.0 * DPPAIR_WIDE_UNIT_;
  m->block = dppair_exp_(0.125 * 1024.0 * m->bend) * 1.000001;
  phases = m->count * (size_t)m->split;
  m->tap = dppair_pool_take_(pool, phases * DPPAIR_TAPS_);
  m->whole = dppair_pool_take_(pool, phases);
  m->part = dppair_pool_take_(pool, phases);
  m->slip = dppair_pool_take_(pool, phases);
  m->up_a = dppair_meeting_upper_(pool, a);
  m->up_b = m->same ? m->up_a : dppair_meeting_upper_(pool, b);
  if (m->tap == NULL || m->whole == NULL || m->part == NULL || m->slip == NULL || m->up_a == NULL ||
      m->up_b == NULL)
    return DPPAIR_ERR_WORKSPACE;
  dppair_meeting_shifts_(m);
  return DPPAIR_OK;
}

/* A bound of P_d between nodes i and i + 1, without e^(K h^2/8), where both lie in the tables;
 * where one does, the other is charged as missing. */
DPPAIR_FN_ double dppair_meeting_term_(const dppair_meeting_ *m, int64_t i, int64_t shift) {
  const int64_t at_a = i - m->a->first, at_b = i - shift - m->b->first;
  const int64_t end_a = (int64_t)m->a->size, end_b = (int64_t)m->b->size;
  double low = 0.0, high = 0.0;
  if (at_a >= 0 && at_b >= 0 && at_a < end_a && at_b < end_b) low = m->up_a[at_a] * m->up_b[at_b];
  if (at_a >= -1 && at_b >= -1 && at_a + 1 < end_a && at_b + 1 < end_b)
    high = m->up_a[at_a + 1] * m->up_b[at_b + 1];
  return low > high ? low : high;
}

/* At least the part of the sum over d at the output h (j + phase/2) that lies in the tables. terms,
 * if not NULL: the bound of each P_d there, negative where a node lies outside. */
DPPAIR_FN_ double dppair_meeting_sum_(const dppair_meeting_ *m, int64_t j, size_t phase,
                                      double *terms) {
  const double *const whole = m->whole + phase * m->count;
  const double between = 1.000001 * dppair_exp_(0.125 * m->bend);
  const int64_t end_a = (int64_t)m->a->size, end_b = (int64_t)m->b->size;
  double sum = 0.0;
  size_t k;
  for (k = 0; k < m->count; k++) {
    const int64_t shift = m->stride * (m->first_k + (int64_t)k), i = j + (int64_t)whole[k];
    const double term = between * dppair_meeting_term_(m, i, shift);
    const int64_t at_a = i - m->a->first, at_b = i - shift - m->b->first;
    sum += m->same && k == 0 ? 0.5 * term : term;
    if (terms != NULL)
      terms[k] = at_a >= 0 && at_b >= 0 && at_a + 1 < end_a && at_b + 1 < end_b ? term : -1.0;
  }
  return sum * m->gap;
}

/* min(1, e^-l), rounded up. */
DPPAIR_FN_ double dppair_falling_(double l) { return l > 0.0 ? dppair_exp_(-l) * 1.000001 : 1.0; }

/* ---- src/accountant/allocation/combine.h ----------------------------------------------------
 * Random allocation: the density of a + b batches
 *
 * Bounds at the edges of runs of 32 steps, the interpolated sums inside, their errors, and the cut
 * of the table (theory.h, 1 to 6). Relies on meeting.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LOOPS_BEGIN_

#if defined(__GNUC__)
typedef double dppair_two_ __attribute__((vector_size(16), aligned(8), may_alias));

/* sum[j] += sum_q w[q] p[j + q] for 32 outputs j: two chains of eight taps each. */
DPPAIR_FN_ void dppair_taps_sum_(double *sum, const double *w, const double *p) {
  int j, q;
  for (j = 0; j < DPPAIR_RUN_; j += 8) {
    dppair_two_ a = {0.0, 0.0}, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (q = 0; q < 8; q++) {
      const dppair_two_ low = {w[q], w[q]}, high = {w[q + 8], w[q + 8]};
      const dppair_two_ *const at = (const dppair_two_ *)(const void *)(p + j + q);
      a += low * at[0];
      b += low * at[1];
      c += low * at[2];
      d += low * at[3];
      e += high * at[4];
      f += high * at[5];
      g += high * at[6];
      h += high * at[7];
    }
    ((dppair_two_ *)(void *)(sum + j))[0] += a + e;
    ((dppair_two_ *)(void *)(sum + j))[1] += b + f;
    ((dppair_two_ *)(void *)(sum + j))[2] += c + g;
    ((dppair_two_ *)(void *)(sum + j))[3] += d + h;
  }
}
#else
DPPAIR_FN_ void dppair_taps_sum_(double *sum, const double *w, const double *p) {
  int i, j, q;
  for (j = 0; j < DPPAIR_RUN_; j += 4) {
    double s[4] = {0.0, 0.0, 0.0, 0.0}, o[4] = {0.0, 0.0, 0.0, 0.0};
    for (q = 0; q < 8; q++)
      for (i = 0; i < 4; i++) {
        s[i] += w[q] * p[j + q + i];
        o[i] += w[q + 8] * p[j + q + 8 + i];
      }
    for (i = 0; i < 4; i++) sum[j + i] += s[i] + o[i];
  }
}
#endif

/* p[low + i] = a[i] b[i] and r[low + i] = p[low + i] (its relative error + unit) below high, else
 * 0. */
DPPAIR_FN_ void dppair_products_(double *DPPAIR_RESTRICT_ p, double *DPPAIR_RESTRICT_ r,
                                 const double *a, const double *b, const double *e, const double *o,
                                 double unit, int low, int high) {
  int i;
  for (i = 0; i < low; i++) p[i] = r[i] = 0.0;
  for (i = 0; i < high - low; i++) {
    const double x = a[i] * b[i];
    p[low + i] = x;
    r[low + i] = x * (e[i] + o[i] + e[i] * o[i] + unit);
  }
  for (i = high; i < 48; i++) p[i] = r[i] = 0.0;
}

/* The tilted weights and what is to be summed of errors. */
DPPAIR_FN_ void dppair_run_weights_(double *DPPAIR_RESTRICT_ w, double *DPPAIR_RESTRICT_ v,
                                    const double *tap, const double *decay, const double *slope,
                                    double grow, double share) {
  int i;
  for (i = 0; i < DPPAIR_TAPS_; i++) {
    w[i] = tap[i] * (grow * decay[i]);
    v[i] = dppair_fabs_(w[i]) + share * slope[i];
  }
}

DPPAIR_LOOPS_END_

/* The tilted filter of one run. */
typedef struct dppair_tilt_ {
  double p, decay[DPPAIR_TAPS_], slope[DPPAIR_TAPS_];
  double spread; /* lam of theory.h */
} dppair_tilt_;

/* Chooses the tilt from the values at both edges; a multiple of 2^-8, so that p q is exact. */
DPPAIR_FN_ void dppair_tilt_of_(dppair_tilt_ *t, double here, double next, double h) {
  double p = here > 0.0 && next > 0.0 ? dppair_log_(next / here) / 32.0 : 0.0, grow;
  int q;
  if (!(p > -0.6)) p = -0.6;
  if (p > 0.6) p = 0.6;
  t->p = p = dppair_floor_(p * 256.0 + 0.5) / 256.0;
  grow = dppair_exp_(dppair_fabs_(p)) * 1.000001;
  t->spread = 0.0;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    const double most = dppair_tap_most_((size_t)q);
    t->decay[q] = dppair_exp_(-p * (q - 7));
    t->slope[q] = (dppair_tap_slope_((size_t)q) + dppair_fabs_(p) * most) * grow * t->decay[q];
    t->spread += grow * most * t->decay[q] * (q < 8 ? dppair_exp_((8 - q) * h) : 1.0);
  }
}

/* What the runs of a combination share. Edge e is the node 32 (first_run + e) of the input's
 * lattice; run e lies between edges e and e + 1. It begins as zeros. */
typedef struct dppair_runs_ {
  dppair_meeting_ m;
  int64_t first_run;
  size_t edges, begin, end;       /* runs [begin, end) are computed */
  double *sum, *bound, *terms;    /* of each edge; terms of two edges */
  double *upper, *wide, *sloping; /* bounds of f_n from `pad` before the first output */
  int64_t pad, nodes;             /* nodes: of those arrays */
  double step, spread, skipped;   /* step of outputs; the largest lam; mass not computed */
} dppair_runs_;

/* Bounds f_n at all edges, from right to left. */
DPPAIR_FN_ void dppair_runs_edges_(dppair_runs_ *r) {
  const dppair_meeting_ *m = &r->m;
  const size_t runs_ahead = (size_t)(m->ahead / (DPPAIR_RUN_ * m->split));
  const double tau = m->trapezoid;
  size_t e;
  for (e = r->edges; e-- > 0;) {
    const int64_t j = DPPAIR_RUN_ * (r->first_run + (int64_t)e);
    const double fall = dppair_falling_(m->h * (double)j);
    const double extra = 2.05 * dppair_exp_(m->h) * m->missing * fall;
    double next = 0.0;
    size_t k;
    r->sum[e] = dppair_meeting_sum_(m, j, 0, NULL);
    for (k = e + 1; k <= e + runs_ahead + 1; k++)
      next = dppair_larger_(next, k < r->edges ? r->bound[k] : extra);
    r->bound[e] =
        1.00001 * (r->sum[e] + extra + tau * m->block * next) / (1.0 - tau * (1.0 + m->block));
  }
}

/* At least f_n on run e. */
DPPAIR_FN_ double dppair_runs_most_(const dppair_runs_ *r, size_t e) {
  return r->m.block * dppair_larger_(r->bound[e], r->bound[e + 1]);
}

/* Chooses the runs that are computed: those between the first and the last which may hold `small`.
 * The sums at the others' nodes are added up, since bounds at edges alone would count what is
 * missing many times. */
DPPAIR_FN_ void dppair_runs_choose_(dppair_runs_ *r, double little) {
  const dppair_meeting_ *m = &r->m;
  const double length = m->h * (double)DPPAIR_RUN_;
  size_t e, j, phase;
  r->begin = r->edges - 1;
  for (e = 0; e + 1 < r->edges; e++) {
    const double l = length * (double)(r->first_run + (int64_t)e + 1);
    if (r->m.block * dppair_larger_(r->sum[e], r->sum[e + 1]) * length *
            (l > 0.0 ? dppair_exp_(l) : 1.0) <
        little)
      continue;
    if (r->begin > e) r->begin = e;
    r->end = e + 1;
  }
  for (e = 0; e + 1 < r->edges; e++) {
    if (e >= r->begin && e < r->end) continue;
    for (phase = 0; phase < (size_t)m->split; phase++)
      for (j = 0; j < DPPAIR_RUN_; j++) {
        const int64_t at = DPPAIR_RUN_ * (r->first_run + (int64_t)e) + (int64_t)j;
        const double l = m->h * ((double)at + 0.5 * (double)phase);
        r->skipped += dppair_meeting_sum_(m, at, phase, NULL) * (l > 0.0 ? dppair_exp_(l) : 1.0);
      }
  }
  r->skipped *= 1.0001 * r->step;
}

/* Is term k below `spare` on the whole run? */
DPPAIR_FN_ int dppair_run_skips_(const dppair_runs_ *r, size_t k, double spare) {
  const double low = r->terms[k], high = r->terms[r->m.count + k];
  return low >= 0.0 && high >= 0.0 && r->m.block * dppair_larger_(low, high) < spare;
}

/* One run and phase: sum[j] and the bound bad[j] of its errors, both without gap. */
DPPAIR_FN_ void dppair_run_(double *sum, double *bad, const dppair_runs_ *r,
                            const dppair_tilt_ *tilt, int64_t j, size_t phase, double spare) {
  const dppair_meeting_ *m = &r->m;
  const dppair_density_ *a = m->a, *b = m->b;
  const double *const low = r->terms, *const high = r->terms + m->count;
  double part[DPPAIR_RUN_], p[48], x[48], w[DPPAIR_TAPS_], v[DPPAIR_TAPS_], skip = 0.0, rounding;
  int i, used = 0;
  size_t k, terms = 0;
  for (k = 0; k < m->count; k++)
    if (!dppair_run_skips_(r, k, spare)) terms++;
  rounding = m->unit + 0.125 * (double)terms * DPPAIR_UNIT_;
  for (i = 0; i < DPPAIR_RUN_; i++) sum[i] = bad[i] = part[i] = 0.0;
  for (k = 0; k < m->count; k++) {
    const size_t at = k + phase * m->count;
    const int64_t shift = m->stride * (m->first_k + (int64_t)k);
    const int64_t from = j + (int64_t)m->whole[at] - 7;
    const int64_t at_a = from - a->first, at_b = from - shift - b->first;
    int64_t begin = at_a < at_b ? -at_a : -at_b, end = (int64_t)a->size - at_a;
    const double half = m->same && k == 0 ? 0.5 : 1.0;
    double unit, share, grow;
    if (begin < 0) begin = 0;
    if (end > (int64_t)b->size - at_b) end = (int64_t)b->size - at_b;
    if (end > DPPAIR_REACH_) end = DPPAIR_REACH_;
    if (begin >= end) continue;
    if (dppair_run_skips_(r, k, spare)) {
      skip += m->block * dppair_larger_(low[k], high[k]);
      continue;
    }
    unit = rounding + 4.0 * m->slip[at];
    share = m->slip[at] / unit;
    grow = half * dppair_exp_(tilt->p * m->part[at]);
    dppair_run_weights_(w, v, m->tap + at * DPPAIR_TAPS_, tilt->decay, tilt->slope, grow, share);
    dppair_products_(p, x, a->f + (at_a + begin), b->f + (at_b + begin), a->error + (at_a + begin),
                     b->error + (at_b + begin), unit, (int)begin, (int)end);
    dppair_taps_sum_(part, w, p);
    dppair_taps_sum_(bad, v, x);
    if (++used == 8) {
      for (i = 0; i < DPPAIR_RUN_; i++) {
        sum[i] += part[i];
        part[i] = 0.0;
      }
      used = 0;
    }
  }
  for (i = 0; i < DPPAIR_RUN_; i++) {
    sum[i] += part[i];
    bad[i] = 1.00001 * (bad[i] + skip);
  }
}

/* Computes all chosen runs into out, whose node `0` is the first output of the first run. */
DPPAIR_FN_ void dppair_runs_fill_(dppair_runs_ *r, dppair_density_ *out) {
  const dppair_meeting_ *m = &r->m;
  double sum[DPPAIR_RUN_], bad[DPPAIR_RUN_];
  size_t e, i, phase;
  for (e = r->begin; e < r->end; e++) {
    const int64_t j = DPPAIR_RUN_ * (r->first_run + (int64_t)e);
    const double here = r->sum[e], next = r->sum[e + 1];
    const double spare = 1e-20 / (double)m->count / m->gap * (here < next ? here : next);
    const size_t at = (e - r->begin) * DPPAIR_RUN_ * (size_t)m->split;
    dppair_tilt_ tilt;
    dppair_tilt_of_(&tilt, here, next, m->h);
    r->spread = dppair_larger_(r->spread, tilt.spread);
    if (e == r->begin)
      dppair_meeting_sum_(m, j, 0, r->terms);
    else
      memcpy(r->terms, r->terms + m->count, m->count * sizeof *r->terms);
    dppair_meeting_sum_(m, j + DPPAIR_RUN_, 0, r->terms + m->count);
    for (phase = 0; phase < (size_t)m->split; phase++) {
      dppair_run_(sum, bad, r, &tilt, j, phase, spare);
      for (i = 0; i < DPPAIR_RUN_; i++) {
        out->f[at + i * (size_t)m->split + phase] = m->gap * sum[i];
        out->error[at + i * (size_t)m->split + phase] = m->gap * bad[i];
      }
    }
  }
}

/* Bounds of f_n from the edges, before and after the runs and on them. */
DPPAIR_FN_ void dppair_runs_start_(dppair_runs_ *r) {
  const int64_t run = DPPAIR_RUN_ * r->m.split, last = (int64_t)r->edges - 2;
  int64_t i;
  for (i = 0; i < r->nodes; i++) {
    int64_t e = (i - r->pad + run * (int64_t)r->begin);
    e = e >= 0 ? e / run : -1;
    r->upper[i] =
        e < 0 ? dppair_runs_most_(r, 0) : dppair_runs_most_(r, (size_t)(e < last ? e : last));
  }
}

/* Errors of item 3 and of the trapezoid rule at the outputs, from the bounds in r->upper; then the
 * bounds are made smaller. own[i]: what the sums themselves carry. */
DPPAIR_FN_ void dppair_runs_errors_(dppair_runs_ *r, double *error, const dppair_density_ *out,
                                    const double *own, const double *arc) {
  const dppair_meeting_ *m = &r->m;
  const int64_t split = m->split, run = DPPAIR_RUN_ * split, size = (int64_t)out->size;
  const double tau = m->trapezoid;
  double weight[2 * DPPAIR_RADIUS_];
  int64_t i, e;
  int rho;
  for (i = 0; i < r->nodes; i++) {
    const int64_t s = i + m->ahead < r->nodes ? i + m->ahead : r->nodes - 1;
    r->wide[i] = r->upper[i] * (1.0 + tau) + tau * r->upper[s];
  }
  for (i = 0; i < r->nodes; i++) {
    double most = 0.0;
    for (rho = -1; rho <= 2; rho++) {
      const int64_t at = i + rho * split;
      most = dppair_larger_(most, r->wide[at < 0 ? 0 : (at < r->nodes ? at : r->nodes - 1)]);
    }
    r->sloping[i] = most;
  }
  for (e = 0; e < size / run; e++) {
    const size_t edge = r->begin + (size_t)e;
    const double scale = 2.002 * dppair_exp_(0.625 * m->bend);
    dppair_tilt_ tilt;
    dppair_tilt_of_(&tilt, r->sum[edge], r->sum[edge + 1], m->h);
    for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++)
      weight[rho + DPPAIR_RADIUS_] = scale *
                                     dppair_exp_(1.5 * dppair_fabs_(tilt.p) - tilt.p * rho) *
                                     arc[rho + DPPAIR_RADIUS_];
    for (i = e * run; i < (e + 1) * run; i++) {
      const double *const centre = r->sloping + (i + r->pad - DPPAIR_RADIUS_ * split);
      double sum = 0.0;
      for (rho = 0; rho < 2 * DPPAIR_RADIUS_; rho++) sum += weight[rho] * centre[rho * split];
      error[i] =
          1.00001 * (own[i] + sum + tau * (r->upper[i + r->pad] + r->upper[i + r->pad + m->ahead]));
    }
  }
}

/* error[i] += what is missing at output i. */
DPPAIR_FN_ void dppair_runs_missing_(const dppair_runs_ *r, double *error,
                                     const dppair_density_ *out) {
  const size_t run = (size_t)(DPPAIR_RUN_ * r->m.split);
  size_t i;
  for (i = 0; i < out->size; i += run) {
    const size_t edge = r->begin + i / run;
    dppair_tilt_ tilt;
    size_t k;
    dppair_tilt_of_(&tilt, r->sum[edge], r->sum[edge + 1], r->m.h);
    for (k = i; k < i + run; k++)
      error[k] += 1.00001 * tilt.spread * r->m.missing *
                  dppair_falling_(out->h * (double)(out->first + (int64_t)k));
  }
}

/* ---- src/accountant/allocation/cut.h --------------------------------------------------------
 * Random allocation: the table of a + b batches, cut and charged
 *
 * Relies on combine.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FN_ double dppair_weight_(double l) { return l > 0.0 ? dppair_exp_(l) * 1.000001 : 1.0; }

/* The nodes [*begin, *end) that stay: from the largest value outwards while the relative error is
 * at most 1000. */
DPPAIR_FN_ void dppair_cut_ends_(size_t *begin, size_t *end, const dppair_density_ *out,
                                 const double *error) {
  size_t peak = 0, i;
  for (i = 1; i < out->size; i++)
    if (out->f[i] > out->f[peak]) peak = i;
  for (*begin = peak + 1; *begin > 0; --*begin)
    if (!(error[*begin - 1] <= 1000.0 * out->f[*begin - 1])) break;
  for (*end = peak; *end < out->size; ++*end)
    if (!(error[*end] <= 1000.0 * out->f[*end])) break;
}

/* Cuts the table and charges what lies outside of it. error: all errors; safe: those but what is
 * missing. */
DPPAIR_FN_ dppair_status dppair_runs_cut_(const dppair_runs_ *r, dppair_density_ *out,
                                          const double *error, const double *safe) {
  const dppair_meeting_ *m = &r->m;
  const double between = 1.0001 * dppair_exp_(0.125 * m->bend);
  double mass = r->skipped, beyond = 0.0, ahead = 0.0, ends = 0.0, first = 0.0, last;
  size_t begin, end, i;
  int64_t k;
  dppair_cut_ends_(&begin, &end, out, error);
  if (begin >= end || end - begin < 48) return DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < out->size; i++)
    if (i < begin || i >= end)
      mass += out->h * dppair_larger_(out->f[i] + safe[i], 0.0) *
              dppair_weight_(out->h * (double)(out->first + (int64_t)i));
  /* the trapezoid error of the outer nodes reaches f_n at most `ahead` further right */
  for (k = 0; k < m->ahead + 1 + (int64_t)begin + r->pad && k < r->nodes; k++)
    ahead += out->h * r->upper[k] * dppair_weight_(out->h * (double)(out->first + k - r->pad));
  mass += r->spread * 1.0001 * (m->a->outside + m->b->outside) + 2.0 * m->trapezoid * ahead;
  for (k = 0; k < r->nodes; k++) {
    const int64_t at = k - r->pad;
    const double l = out->h * (double)(out->first + at + 1);
    if (at <= (int64_t)begin || at >= (int64_t)end - 1)
      beyond = dppair_larger_(beyond, r->upper[k] * dppair_weight_(l));
  }
  for (i = 0; i + 1 < r->edges; i++) {
    const double l = m->h * (double)DPPAIR_RUN_ * (double)(r->first_run + (int64_t)i + 1);
    if (i < r->begin || i >= r->end)
      beyond = dppair_larger_(beyond, dppair_runs_most_(r, i) * dppair_weight_(l));
  }
  for (i = 0; i + 1 < r->edges && (int64_t)i <= m->ahead / DPPAIR_RUN_ + 1; i++)
    first = dppair_larger_(first, dppair_runs_most_(r, i));
  beyond =
      dppair_larger_(beyond, 2.05 * dppair_exp_(m->h) * m->missing + 2.0 * m->trapezoid * first);
  for (i = 0; i < 2; i++) {
    const size_t at = i == 0 ? begin : end - 1;
    ends += (out->f[at] + error[at]) * dppair_weight_(out->h * (double)(out->first + (int64_t)at));
  }
  for (i = begin; i < end; i++) {
    out->f[i - begin] = out->f[i];
    out->error[i - begin] = 1.000001 * error[i] / out->f[i - begin] + 1e-18;
  }
  out->first += (int64_t)begin;
  out->size = end - begin;
  last = between * (2.0 * mass + out->h * ends) * 1.001;
  out->outside = last;
  out->beyond = beyond * between;
  return dppair_isfinite_f64(last) && dppair_isfinite_f64(out->beyond) ? DPPAIR_OK
                                                                       : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * *out = the density of n_a + n_b batches on the lattice h/split, in work (room nodes and room
 * errors). Errors: WORKSPACE; NO_CONVERGENCE, h is too wide or nothing certain is left.
 */
DPPAIR_FN_ dppair_status dppair_combine_tables_(dppair_density_ *out, double *work, size_t room,
                                                const dppair_density_ *a, double n_a,
                                                const dppair_density_ *b, double n_b, double z,
                                                int split, double little, dppair_pool_ pool) {
  dppair_runs_ r;
  double arc[2 * DPPAIR_RADIUS_], *error, *safe;
  const int64_t low = a->first < b->first ? a->first : b->first;
  int64_t high = a->first + (int64_t)a->size;
  size_t i;
  int pass;
  dppair_status status;
  if (high < b->first + (int64_t)b->size) high = b->first + (int64_t)b->size;
  memset(&r, 0, sizeof r);
  r.m.a = a;
  r.m.b = b;
  r.m.n_a = n_a;
  r.m.n_b = n_b;
  r.m.z = z;
  r.m.split = split;
  status = dppair_meeting_open_(&r.m, &pool);
  if (status != DPPAIR_OK) return status;
  r.step = r.m.h / split;
  r.first_run = low / DPPAIR_RUN_ - 3; /* the quotient may be one too large */
  r.edges = (size_t)(high / DPPAIR_RUN_ + 3 - r.first_run);
  r.sum = dppair_pool_take_(&pool, r.edges);
  r.bound = dppair_pool_take_(&pool, r.edges);
  r.terms = dppair_pool_take_(&pool, 2 * r.m.count);
  if (r.sum == NULL || r.bound == NULL || r.terms == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_runs_edges_(&r);
  dppair_runs_choose_(&r, little);
  if (r.begin >= r.end) return DPPAIR_ERR_NO_CONVERGENCE;
  out->f = work;
  out->error = work + room;
  out->h = r.step;
  out->curvature = r.m.n * z * z;
  out->first = DPPAIR_RUN_ * (r.first_run + (int64_t)r.begin) * split;
  out->size = (r.end - r.begin) * DPPAIR_RUN_ * (size_t)split;
  r.pad = 36 * split;
  r.nodes = (int64_t)out->size + 2 * r.pad + r.m.ahead;
  r.upper = dppair_pool_take_(&pool, (size_t)r.nodes);
  r.wide = dppair_pool_take_(&pool, (size_t)r.nodes);
  r.sloping = dppair_pool_take_(&pool, (size_t)r.nodes);
  error = dppair_pool_take_(&pool, out->size);
  safe = dppair_pool_take_(&pool, out->size);
  if (out->size > room || r.upper == NULL || r.wide == NULL || r.sloping == NULL || error == NULL ||
      safe == NULL)
    return DPPAIR_ERR_WORKSPACE;
  dppair_runs_fill_(&r, out);
  dppair_arcs_(arc, r.m.bend);
  dppair_runs_start_(&r);
  for (pass = 0; pass < 3; pass++) {
    dppair_runs_errors_(&r, safe, out, out->error, arc);
    memcpy(error, safe, out->size * sizeof *error);
    dppair_runs_missing_(&r, error, out);
    for (i = 0; i < out->size; i++) {
      const double upper = 1.000001 * (out->f[i] + error[i]);
      double *const bound = &r.upper[(int64_t)i + r.pad];
      if (upper < *bound) *bound = upper;
    }
  }
  return dppair_runs_cut_(&r, out, error, safe);
}

/* ---- src/accountant/allocation/build.h ------------------------------------------------------
 * Random allocation: the table of t batches
 *
 * (m, m + 1) batches are carried through the bits of t. The lattice is halved about every second
 * time, so that the last one is right for t. Relies on cut.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_LEVELS_ = 24 };

/* Products of level k, 0 the last, have at most most[k] batches and an input lattice h[k]. */
typedef struct dppair_levels_ {
  size_t count;
  double most[DPPAIR_LEVELS_], h[DPPAIR_LEVELS_];
} dppair_levels_;

/* Is the lattice h fine enough for a product of `most` batches? */
DPPAIR_FN_ int dppair_level_fits_(double z, double most, double h) {
  dppair_meeting_ m;
  memset(&m, 0, sizeof m);
  m.z = z;
  m.n = most;
  m.n_a = dppair_floor_(0.5 * most);
  m.n_b = most - m.n_a;
  m.h = h;
  m.split = 2;
  m.bend = z * h * z * h * most;
  return m.bend <= 1.0 / 64 && dppair_meeting_stride_(&m);
}

/* The lattices, from the last level to the first. h of the table of t is h[0]. */
DPPAIR_FN_ void dppair_levels_of_(dppair_levels_ *levels, double z, size_t t) {
  size_t k, left = t;
  double h = dppair_short_(0.125 / (z * dppair_sqrt_((double)t)));
  levels->count = 0;
  for (; left > 1; left /= 2) {
    k = levels->count++;
    /* m + 1 is needed where a later bit is set */
    levels->most[k] = (double)(left + ((left << k) != t ? 1 : 0));
    if (k == 0)
      while (h > 0.0 && !dppair_level_fits_(z, levels->most[k], h)) h = dppair_short_(0.9 * h);
    else if (dppair_level_fits_(z, levels->most[k], 2.0 * h))
      h *= 2.0;
    levels->h[k] = h;
  }
  if (levels->count == 0) levels->h[0] = h;
}

enum { DPPAIR_MOST_NODES_ = 1 << 16 };

/* The nodes that hold a table and those on the way to it: from where all batches are small to where
 * one batch alone is 16 deviations large. MOST_NODES: more than that are refused. */
DPPAIR_FN_ size_t dppair_allocation_nodes_(double z, size_t t) {
  const double n = (double)t, root = z * dppair_sqrt_(n);
  const double most = (16.5 + 0.5 / z) / z - dppair_log_(n); /* log of the mean's largest term */
  const double high = most < 30.0 ? dppair_log1p_(dppair_exp_(most)) : most;
  const double least = 16.0 / root, low = 0.5 / (z * z) + 16.5 / z; /* |l| below 0 */
  const double nodes = 12.0 * root * (high + (low < 4.0 * least ? low : 4.0 * least)) + 1600.0;
  return nodes < (double)DPPAIR_MOST_NODES_ ? (size_t)nodes : (size_t)DPPAIR_MOST_NODES_;
}

/* *table = the density of the loss of t batches, in work; its first 2 room doubles stay the
 * table's. small: a run of nodes with less mass is not computed. */
DPPAIR_FN_ dppair_status dppair_levels_run_(dppair_density_ *table, double z, size_t t,
                                            double *work, size_t doubles, size_t room) {
  const double cut = t > 16 ? 16.5 : 15.0, little = t > 16 ? 1e-56 : 1e-47;
  dppair_levels_ levels;
  dppair_density_ few, more, next[2];
  dppair_pool_ pool;
  double *home[4];
  size_t k, i, m = 1;
  dppair_status status;
  pool.at = work;
  pool.left = doubles;
  for (i = 0; i < 4; i++)
    if ((home[i] = dppair_pool_take_(&pool, 2 * room)) == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_levels_of_(&levels, z, t);
  if (levels.count == 0) return dppair_density_batch_(table, home[0], room, z, levels.h[0], cut);
  k = levels.count - 1;
  status = dppair_density_batch_(&few, home[0], room, z, levels.h[k], cut);
  if (status == DPPAIR_OK && (t & (t - 1)) != 0)
    status = dppair_combine_tables_(&more, home[1], room, &few, 1.0, &few, 1.0, z, 1, little, pool);
  for (; status == DPPAIR_OK && levels.count > 0; levels.count--) {
    const size_t bit = t >> (levels.count - 1) & 1;
    const int later = (t & ((((size_t)1) << (levels.count - 1)) - 1)) != 0;
    const int split =
        levels.count > 1 && levels.h[levels.count - 2] < levels.h[levels.count - 1] ? 2 : 1;
    /* bit 0: (m, m) and (m, m + 1); bit 1: (m, m + 1) and (m + 1, m + 1) */
    status = dppair_combine_tables_(&next[0], home[2], room, &few, (double)m, bit ? &more : &few,
                                    (double)(m + bit), z, split, little, pool);
    if (status == DPPAIR_OK && later)
      status =
          dppair_combine_tables_(&next[1], home[3], room, bit ? &more : &few, (double)(m + bit),
                                 &more, (double)(m + 1), z, split, little, pool);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (few.f != work) { /* to the front */
    memmove(work, few.f, few.size * sizeof *work);
    memmove(work + room, few.error, few.size * sizeof *work);
    few.f = work;
    few.error = work + room;
  }
  *table = few;
  return DPPAIR_OK;
}

/* ---- src/accountant/allocation/epochs.h -----------------------------------------------------
 * Random allocation: sums of independent losses
 *
 * Epochs are independent, so their densities are convolved; all terms are positive (theory.h, 7).
 * Relies on build.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LOOPS_BEGIN_

/* sum[k] += sum over i = 0, stride, .. < n of x[i] y[k - i], k < 8; n nodes of y lie before y. */
DPPAIR_FN_ void dppair_fold_eight_(double *DPPAIR_RESTRICT_ sum, const double *x, const double *y,
                                   size_t n, size_t stride) {
  double s[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  size_t i;
  int k;
  for (i = 0; i < n; i += stride) {
    const double *const at = y - i;
    const double factor = x[i];
    for (k = 0; k < 8; k++) s[k] += factor * at[k];
  }
  for (k = 0; k < 8; k++) sum[k] += s[k];
}

DPPAIR_LOOPS_END_

/* out[k] += sum x[i] y[k - i] over the multiples i of stride; out has nx + ny - 1 nodes. */
DPPAIR_FN_ void dppair_fold_(double *out, const double *x, size_t nx, const double *y, size_t ny,
                             size_t stride) {
  size_t k = 0, i, e;
  const size_t n = nx + ny - 1;
  while (k < n) {
    /* eight outputs share the terms for which all of k .. k + 7 lie in y */
    size_t low = k + 7 >= ny ? k + 7 - (ny - 1) : 0, high = k < nx ? k + 1 : nx;
    const size_t eight = k + 8 <= n ? 8 : n - k;
    low = (low + stride - 1) / stride * stride;
    if (eight == 8 && low < high) {
      dppair_fold_eight_(out + k, x + low, y + k - low, high - low, stride);
    } else {
      low = high = 0;
    }
    for (e = 0; e < eight; e++) { /* the terms for which only some do */
      const size_t at = k + e;
      size_t from = at >= ny ? at - (ny - 1) : 0;
      const size_t to = at < nx ? at + 1 : nx;
      from = (from + stride - 1) / stride * stride;
      for (i = from; i < to; i += stride) {
        if (i >= low && i < high) {
          i = low + (high - 1 - low) / stride * stride;
          continue;
        }
        out[at] += x[i] * y[at - i];
      }
    }
    k += eight;
  }
}

/* Every second node of d, in place. */
DPPAIR_FN_ void dppair_density_thin_(dppair_density_ *d) {
  const size_t skip = (size_t)(d->first & 1);
  const size_t size = (d->size - skip + 1) / 2;
  size_t i, k;
  d->outside *= 2.0;
  for (k = 0; k < 2; k++) { /* the ends, where the nearest node may go, count as outside */
    const size_t at = k == 0 ? 0 : d->size - 1;
    const double up = d->f[at] * (1.0 + d->error[at]) * 1.01 *
                      dppair_weight_(d->h * (double)(d->first + (int64_t)at + 1));
    d->outside += 4.0 * d->h * up;
    d->beyond = dppair_larger_(d->beyond, up);
  }
  for (i = 0; i < size; i++) {
    d->f[i] = d->f[2 * i + skip];
    d->error[i] = d->error[2 * i + skip];
  }
  d->first = (d->first + (int64_t)skip) / 2;
  d->size = size;
  d->h *= 2.0;
}

/* Trims nodes from both ends, as long as their mass is below what is outside anyhow, and those
 * whose error is too large. missing: the error at a node that is not in error[], which is relative
 * here. */
DPPAIR_FN_ dppair_status dppair_density_trim_(dppair_density_ *d, double missing) {
  const double spare = d->outside + 1e-60;
  double ends = 0.0, mass = 0.0;
  size_t begin = 0, end = d->size, k, i;
  for (k = 0; k < 2; k++) {
    double sum = 0.0;
    for (;;) {
      double l, up, weight;
      if (begin + 48 >= end) return DPPAIR_ERR_NO_CONVERGENCE;
      i = k == 0 ? begin : end - 1;
      l = d->h * (double)(d->first + (int64_t)i);
      weight = dppair_weight_(l);
      up = d->f[i] * (1.0 + d->error[i]);
      if (sum + d->h * up * weight > spare && missing * dppair_falling_(l) <= 1000.0 * d->f[i]) {
        up += missing * dppair_falling_(l);
        ends += up * weight;
        d->beyond = dppair_larger_(d->beyond, 1.01 * up * dppair_weight_(l + d->h));
        break;
      }
      sum += d->h * up * weight;
      d->beyond = dppair_larger_(d->beyond, 1.01 * (up + missing * dppair_falling_(l)) *
                                                dppair_weight_(l + d->h));
      if (k == 0)
        begin++;
      else
        end--;
    }
    mass += sum;
  }
  d->outside = 2.02 * (d->outside + mass) + 1.01 * d->h * ends;
  for (i = begin; i < end; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i), f = d->f[i];
    d->error[i - begin] = 1.00001 * (d->error[i] + missing * dppair_falling_(l) / f);
    d->f[i - begin] = f;
  }
  d->first += (int64_t)begin;
  d->size = end - begin;
  return DPPAIR_OK;
}

/* *out = the density of the sum of independent losses of a and b, on their common lattice, in work
 * with room for a->size + b->size nodes of values and of errors. Errors: WORKSPACE,
 * NO_CONVERGENCE. */
DPPAIR_FN_ dppair_status dppair_density_add_(dppair_density_ *out, double *work, size_t room,
                                             const dppair_density_ *a, const dppair_density_ *b,
                                             dppair_pool_ pool) {
  const size_t nodes = a->size + b->size - 1;
  const double together = a->curvature + b->curvature, reach = a->h * dppair_sqrt_(together);
  const size_t stride = reach <= 0.35 ? 2 : 1;
  const double step = a->h * (double)stride,
               terms = (double)(a->size < b->size ? a->size : b->size);
  const double relative =
      2.001 * dppair_exp_(-19.739208 / (step * step * together)) + (terms + 12.0) * DPPAIR_UNIT_;
  const double missing =
      1.0001 * (double)stride * 0.39895 *
      (a->outside * dppair_sqrt_(b->curvature) + b->outside * dppair_sqrt_(a->curvature));
  double *lost_a = dppair_pool_take_(&pool, a->size), *lost_b = dppair_pool_take_(&pool, b->size);
  double *up_b = dppair_pool_take_(&pool, b->size);
  size_t i;
  if (reach > 0.7 || nodes > room || lost_a == NULL || lost_b == NULL || up_b == NULL)
    return reach > 0.7 ? DPPAIR_ERR_NO_CONVERGENCE : DPPAIR_ERR_WORKSPACE;
  for (i = 0; i < a->size; i++) lost_a[i] = a->f[i] * a->error[i];
  for (i = 0; i < b->size; i++) {
    lost_b[i] = b->f[i] * b->error[i];
    up_b[i] = b->f[i] + lost_b[i];
  }
  out->f = work;
  out->error = work + room;
  for (i = 0; i < nodes; i++) out->f[i] = out->error[i] = 0.0;
  dppair_fold_(out->f, a->f, a->size, b->f, b->size, stride);
  dppair_fold_(out->error, lost_a, a->size, up_b, b->size, stride);
  dppair_fold_(out->error, a->f, a->size, lost_b, b->size, stride);
  for (i = 0; i < nodes; i++) {
    out->error[i] = 1.00001 * (out->f[i] > 0.0 ? out->error[i] / out->f[i] : 0.0) + relative;
    out->f[i] *= step;
  }
  out->first = a->first + b->first;
  out->size = nodes;
  out->h = a->h;
  out->curvature = a->curvature * b->curvature / together;
  out->outside = 1.0001 * (double)stride * (a->outside + b->outside);
  out->beyond = 1.01 * missing;
  return dppair_density_trim_(out, missing);
}

/* The law seen from the other side: f(-l) e^-l, with the losses of the pair (Q, P). */
DPPAIR_FN_ void dppair_density_mirror_(dppair_density_ *out, double *work, size_t room,
                                       const dppair_density_ *d) {
  size_t i;
  *out = *d;
  out->f = work;
  out->error = work + room;
  out->first = -(d->first + (int64_t)d->size - 1);
  for (i = 0; i < d->size; i++) {
    const size_t k = d->size - 1 - i;
    out->f[i] = d->f[k] * dppair_exp_(d->h * (double)(d->first + (int64_t)k));
    out->error[i] = d->error[k] * 1.000001 + 6.0 * DPPAIR_UNIT_;
  }
}

/* The next of the steps below: thins both tables where the lattice of the sum allows it. */
DPPAIR_FN_ void dppair_epochs_thin_(dppair_density_ *few, dppair_density_ *more, double curvature,
                                    double least) {
  while (2.0 * few->h * dppair_sqrt_(curvature / least) <= 0.125) {
    dppair_density_thin_(few);
    if (more != NULL) dppair_density_thin_(more);
  }
}

/*
 * *out = the density of the sum of `epochs` losses of one, in work, of which the first 2 room
 * doubles stay out's. (m, m + 1) epochs are carried through the bits, as in build.h. Errors:
 * WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_FN_ dppair_status dppair_epochs_run_(dppair_density_ *out, const dppair_density_ *one,
                                            size_t epochs, double *work, size_t doubles,
                                            size_t room) {
  dppair_density_ few, more, next[2];
  dppair_pool_ pool;
  double *home[4];
  size_t i, m = 1;
  int level = 0;
  dppair_status status = DPPAIR_OK;
  pool.at = work;
  pool.left = doubles;
  for (i = 0; i < 4; i++)
    if ((home[i] = dppair_pool_take_(&pool, 2 * room)) == NULL) return DPPAIR_ERR_WORKSPACE;
  if (one->size > room) return DPPAIR_ERR_WORKSPACE;
  few = more = *one;
  few.f = home[0];
  few.error = home[0] + room;
  memcpy(few.f, one->f, one->size * sizeof *one->f);
  memcpy(few.error, one->error, one->size * sizeof *one->f);
  while (epochs >> (level + 1) != 0) level++;
  if ((epochs & (epochs - 1)) != 0)
    status = dppair_density_add_(&more, home[1], room, &few, &few, pool);
  for (; status == DPPAIR_OK && level > 0; level--) {
    const size_t bit = epochs >> (level - 1) & 1;
    const int later = (epochs & ((((size_t)1) << (level - 1)) - 1)) != 0;
    const int both = later || bit;
    dppair_epochs_thin_(&few, both ? &more : NULL, one->curvature, (double)(2 * m + bit));
    status = dppair_density_add_(&next[0], home[2], room, &few, bit ? &more : &few, pool);
    if (status == DPPAIR_OK && later)
      status = dppair_density_add_(&next[1], home[3], room, bit ? &more : &few, &more, pool);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (few.f != work) { /* to the front */
    memmove(work, few.f, few.size * sizeof *work);
    memmove(work + room, few.error, few.size * sizeof *work);
    few.f = work;
    few.error = work + room;
  }
  *out = few;
  return DPPAIR_OK;
}

/* ---- src/accountant/allocation/curve.h ------------------------------------------------------
 * Random allocation: the privacy curve of a density
 *
 * delta(epsilon) = e^epsilon int_0^inf (e^u - 1) f(epsilon + u) du, the tilted interpolant
 * integrated from any epsilon on, with all errors (theory.h, 8). Relies on epochs.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_COARSE_ = 9 }; /* places -33, -25 .. 31 from a node, where g of theory.h is bounded */

/* A curve near node j: epsilon = h (j + theta), 0 <= theta <= 1. */
typedef struct dppair_slope_ {
  const dppair_density_ *d;
  double *grow; /* expm1(r h), r = 0 .. size */
  double arc[2 * DPPAIR_RADIUS_];
  int64_t j;
  double p, decay[DPPAIR_TAPS_], whole[DPPAIR_TAPS_], change[DPPAIR_TAPS_]; /* sums over q */
  double size_whole[DPPAIR_TAPS_], size_change[DPPAIR_TAPS_];               /* of |B|, of |C| */
  double mass, tail, mass_error, tail_error; /* sums of f, of f expm1(rh) from r = 9 on */
  double between;                            /* error of the interpolation, without e^epsilon */
} dppair_slope_;

DPPAIR_FN_ dppair_status dppair_slope_open_(dppair_slope_ *s, const dppair_density_ *d,
                                            dppair_pool_ *pool) {
  size_t i;
  memset(s, 0, sizeof *s);
  s->d = d;
  s->j = INT64_MIN;
  s->grow = dppair_pool_take_(pool, d->size + 64);
  if (s->grow == NULL) return DPPAIR_ERR_WORKSPACE;
  if (d->h * (double)(d->size + 64) > 700.0) return DPPAIR_ERR_NO_CONVERGENCE;
  for (i = 0; i < d->size + 64; i++) s->grow[i] = dppair_expm1_(d->h * (double)i);
  dppair_arcs_(s->arc, d->curvature * d->h * d->h);
  return DPPAIR_OK;
}

/* The sums of f (expm1(rh) or 1) (1 or error) over nodes i + r, r >= from, in out[4]. */
DPPAIR_FN_ void dppair_slope_sums_(double *out, const dppair_slope_ *s, int64_t i, int64_t from) {
  const dppair_density_ *d = s->d;
  int64_t k = i + from - d->first;
  out[0] = out[1] = out[2] = out[3] = 0.0;
  if (k < 0) k = 0;
  for (; k < (int64_t)d->size; k++) {
    const int64_t r = d->first + k - i;
    const double grow = r < (int64_t)d->size + 64 ? s->grow[r] : dppair_expm1_(d->h * (double)r);
    const double f = d->f[k], lost = f * d->error[k];
    out[0] += f;
    out[1] += f * grow;
    out[2] += lost;
    out[3] += lost * grow;
  }
}

/* Integrals over [low, 1] of the weight q times e^((h+p)(y-q)), and times expm1(h(y-q)) e^(p(y-q));
 * or, if part, of expm1((y - low) h) e^(p(y-q)) in whole. */
DPPAIR_FN_ void dppair_slope_cell_(double *whole, double *change, const dppair_slope_ *s,
                                   double low, int part) {
  const double half = 0.5 * (1.0 - low), h = s->d->h;
  long double w[DPPAIR_TAPS_];
  int k, q;
  for (q = 0; q < DPPAIR_TAPS_; q++) whole[q] = change[q] = 0.0;
  for (k = 0; k < 16; k++) {
    double weight;
    const double ahead = half * (1.0 + dppair_legendre_(&weight, k)), y = low + ahead;
    const double tilt = half * weight * dppair_exp_(s->p * y), first = dppair_expm1_(ahead * h);
    dppair_taps_(w, (long double)y);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const double share = tilt * s->decay[q] * (double)w[q], loss = h * (y - (q - 7));
      if (part) {
        whole[q] += share * first;
      } else {
        whole[q] += share * dppair_exp_(loss);
        change[q] += share * dppair_expm1_(loss);
      }
    }
  }
}

/* A bound of int_0^inf (e^u - 1) f(h i + u) du. */
DPPAIR_FN_ double dppair_slope_above_(const dppair_slope_ *s, int64_t i) {
  const dppair_density_ *d = s->d;
  const double step = dppair_expm1_(d->h);
  double sum[4];
  dppair_slope_sums_(sum, s, i, 0);
  return 1.0001 * (d->h * dppair_exp_(0.125 * d->curvature * d->h * d->h) *
                       ((2.0 + step) * (sum[1] + sum[3]) + step * (sum[0] + sum[2])) +
                   d->outside * dppair_exp_(-d->h * (double)i));
}

/* The error of the interpolation inside the integral, relative to e^epsilon. Between the places g
 * is bounded by K-convexity. */
DPPAIR_FN_ double dppair_slope_between_(const dppair_slope_ *s) {
  const double bend = s->d->curvature * s->d->h * s->d->h;
  const double scale =
      2.001 * dppair_exp_(0.5 * bend + 8.0 * bend) * dppair_exp_(1.5 * dppair_fabs_(s->p));
  double g[DPPAIR_COARSE_], sum = 0.0;
  int k, rho;
  for (k = 0; k < DPPAIR_COARSE_; k++)
    g[k] = dppair_log_(dppair_slope_above_(s, s->j - 33 + 8 * k));
  for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++) {
    const int at = rho + 32, place = at / 8; /* node j + rho - 1, from node j - 33 */
    const double share = (at - 8 * place) / 8.0;
    const double log_g =
        place + 1 < DPPAIR_COARSE_ ? (1.0 - share) * g[place] + share * g[place + 1] : g[place];
    sum += s->arc[rho + DPPAIR_RADIUS_] * dppair_exp_(log_g - s->p * rho);
  }
  return scale * sum;
}

/* Moves to node j. */
DPPAIR_FN_ void dppair_slope_move_(dppair_slope_ *s, int64_t j, int certain) {
  const dppair_density_ *d = s->d;
  const int64_t at = j - d->first;
  double sum[4], p = -0.5;
  int q;
  if (s->j != j) {
    s->between = -1.0;
    if (at >= 0 && at + 8 < (int64_t)d->size) p = 0.125 * dppair_log_(d->f[at + 8] / d->f[at]);
    if (!(p > -1.5)) p = -1.5;
    if (p > 1.5) p = 1.5;
    s->p = p;
    s->j = j;
    for (q = 0; q < DPPAIR_TAPS_; q++) s->decay[q] = dppair_exp_(-p * (q - 7));
    dppair_slope_cell_(s->whole, s->change, s, 0.0, 0);
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      s->size_whole[q] = dppair_fabs_(s->whole[q]) + (q > 0 ? s->size_whole[q - 1] : 0.0);
      s->size_change[q] = dppair_fabs_(s->change[q]) + (q > 0 ? s->size_change[q - 1] : 0.0);
      if (q > 0) {
        s->whole[q] += s->whole[q - 1];
        s->change[q] += s->change[q - 1];
      }
    }
    dppair_slope_sums_(sum, s, j, 9);
    s->mass = sum[0];
    s->tail = sum[1];
    s->mass_error = sum[2];
    s->tail_error = sum[3];
  }
  if (certain && s->between < 0.0) s->between = dppair_slope_between_(s);
}

/* delta at epsilon = h (floor(x) + theta), x = floor(x) + theta: returns the value; *error is a
 * bound of its error, if not NULL. */
DPPAIR_FN_ double dppair_slope_at_(double *error, dppair_slope_ *s, double x) {
  const dppair_density_ *d = s->d;
  const double node = dppair_floor_(x), theta = x - node, h = d->h, scale = dppair_exp_(h * x),
               unit = DPPAIR_UNIT_;
  double part[DPPAIR_TAPS_], spare[DPPAIR_TAPS_], value, bad, lost = 0.0, grow, back;
  int r;
  dppair_slope_move_(s, (int64_t)node, error != NULL);
  dppair_slope_cell_(part, spare, s, theta, 1);
  back = dppair_expm1_(-theta * h);
  grow = 1.0 + back;
  value = s->whole[15] * (grow * s->tail + back * s->mass) + s->change[15] * s->mass;
  bad = s->size_whole[15] * (s->tail_error + dppair_fabs_(back) * s->mass_error) +
        s->size_change[15] * s->mass_error;
  bad += unit * (128.0 + (double)d->size) *
         (s->size_whole[15] * (s->tail + s->mass * h) + s->size_change[15] * s->mass);
  for (r = -7; r <= 8; r++) {
    const int64_t at = s->j + r - d->first;
    const double here = dppair_expm1_((r - theta) * h), before = r > -7 ? s->whole[r + 6] : 0.0;
    const double size = r > -7 ? s->size_whole[r + 6] : 0.0;
    const double size_change = r > -7 ? s->size_change[r + 6] : 0.0;
    const double w = here * before + (r > -7 ? s->change[r + 6] : 0.0) + part[r + 7];
    const double round =
        200.0 * unit * (dppair_fabs_(here) * size + size_change + dppair_fabs_(part[r + 7]) + h);
    if (at >= 0 && at < (int64_t)d->size) {
      value += w * d->f[at];
      bad += d->f[at] *
             (dppair_fabs_(w) * (d->error[at] + 32.0 * unit) + round * (1.0 + d->error[at]));
    } else {
      lost += dppair_fabs_(w) + round;
    }
  }
  if (error != NULL)
    *error =
        1.00001 * (scale * (h * bad + s->between) + h * lost * d->beyond * dppair_exp_(8.0 * h) +
                   (s->size_whole[15] + s->size_change[15] + 1.0) * d->outside) +
        8.0 * unit * scale * h * dppair_fabs_(value);
  return scale * h * value;
}

/* ---- src/accountant/allocation/patch.h ------------------------------------------------------
 * Random allocation: a density between its nodes, its cells and its moments
 *
 * What other routes read: values at any loss, masses on a lattice of their own, E L^k. Relies on
 * curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* The tilted interpolant of d between nodes j and j + 1, all of whose taps are nodes. */
typedef struct dppair_patch_ {
  const dppair_density_ *d;
  double arc[2 * DPPAIR_RADIUS_];
  int64_t j, low, high;                  /* patches low <= j < high are used */
  double p, tilted[DPPAIR_TAPS_], wrong; /* wrong: the error, tilted */
} dppair_patch_;

/* At least f at node i, inside or outside. */
DPPAIR_FN_ double dppair_density_most_(const dppair_density_ *d, int64_t i) {
  const int64_t at = i - d->first;
  if (at >= 0 && at < (int64_t)d->size) return d->f[at] * (1.0 + d->error[at]);
  return d->beyond * dppair_falling_(d->h * (double)i);
}

/* Chooses the patches so that about `spare` of P or Q lies outside. NO_CONVERGENCE: too few. */
DPPAIR_FN_ dppair_status dppair_patch_open_(dppair_patch_ *patch, const dppair_density_ *d,
                                            double spare) {
  double sum = 0.0;
  patch->d = d;
  patch->j = INT64_MIN;
  dppair_arcs_(patch->arc, d->curvature * d->h * d->h);
  if (d->size < 48) return DPPAIR_ERR_NO_CONVERGENCE;
  for (patch->low = d->first; patch->low < d->first + (int64_t)d->size; patch->low++) {
    sum += d->h * dppair_density_most_(d, patch->low) * dppair_weight_(d->h * (double)patch->low);
    if (sum > spare && patch->low >= d->first + 7) break;
  }
  sum = 0.0;
  for (patch->high = d->first + (int64_t)d->size - 1; patch->high > patch->low; patch->high--) {
    sum += d->h * dppair_density_most_(d, patch->high) * dppair_weight_(d->h * (double)patch->high);
    if (sum > spare && patch->high <= d->first + (int64_t)d->size - 8) break;
  }
  return patch->low + 16 < patch->high ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* At least the mass outside of the patches, under P and under Q. */
DPPAIR_FN_ double dppair_patch_outside_(const dppair_patch_ *patch) {
  const dppair_density_ *d = patch->d;
  double sum = 0.0;
  int64_t i;
  for (i = d->first; i < d->first + (int64_t)d->size; i++)
    if (i <= patch->low || i >= patch->high)
      sum += dppair_density_most_(d, i) * dppair_weight_(d->h * (double)(i + 1));
  return d->outside + 2.01 * d->h * sum;
}

/* Moves to the patch of node j. */
DPPAIR_FN_ void dppair_patch_move_(dppair_patch_ *patch, int64_t j) {
  const dppair_density_ *d = patch->d;
  const double *const f = d->f + (j - d->first), *const e = d->error + (j - d->first);
  const double bend = d->curvature * d->h * d->h;
  double p = dppair_log_(f[1] / f[0]), sum = 0.0, factor;
  double a, b, c;
  int q, rho;
  if (!(p > -1.5)) p = -1.5;
  if (p > 1.5) p = 1.5;
  patch->j = j;
  patch->p = p;
  for (q = 0; q < DPPAIR_TAPS_; q++) {
    patch->tilted[q] = f[q - 7] * dppair_exp_(-p * (q - 7));
    sum += dppair_tap_most_((size_t)q) * patch->tilted[q] * (e[q - 7] + 128.0 * DPPAIR_UNIT_);
  }
  patch->wrong = sum;
  /* theory.h, 3: here the cell's centre is known */
  sum = 0.0;
  factor = dppair_exp_(p * (double)DPPAIR_RADIUS_);
  a = dppair_density_most_(d, j - DPPAIR_RADIUS_);
  b = dppair_density_most_(d, j - DPPAIR_RADIUS_ + 1);
  for (rho = -DPPAIR_RADIUS_; rho < DPPAIR_RADIUS_; rho++) {
    c = dppair_density_most_(d, j + rho + 2);
    sum += patch->arc[rho + DPPAIR_RADIUS_] * factor * dppair_larger_(a, dppair_larger_(b, c));
    factor *= dppair_exp_(-p);
    a = b;
    b = c;
  }
  patch->wrong += 1.001 * sum * dppair_exp_(0.125 * bend + 1.5 * dppair_fabs_(p));
}

/* f at x steps, low <= x <= high: the value; *error is a bound of its relative error. */
DPPAIR_FN_ double dppair_patch_at_(double *error, dppair_patch_ *patch, double x) {
  /* (-1)^q / (q! (15 - q)!) in units of the first */
  static const double c[16] = {-1.0,    15.0,   -105.0,  455.0,  -1365.0, 3003.0, -5005.0, 6435.0,
                               -6435.0, 5005.0, -3003.0, 1365.0, -455.0,  105.0,  -15.0,   1.0};
  double node = dppair_floor_(x), y, top = 0.0, bottom = 0.0, value, scale;
  int q;
  if (node >= (double)patch->high) node = (double)patch->high - 1.0;
  y = x - node;
  if ((int64_t)node != patch->j) dppair_patch_move_(patch, (int64_t)node);
  scale = dppair_exp_(patch->p * y);
  if (y > 0.0 && y < 1.0) {
    for (q = 0; q < DPPAIR_TAPS_; q++) {
      const double w = c[q] / (y - (q - 7));
      top += w * patch->tilted[q];
      bottom += w;
    }
    value = top / bottom;
  } else {
    value = patch->tilted[y > 0.0 ? 8 : 7];
  }
  *error = patch->wrong / value;
  return value * scale;
}

/*
 * Fills the cells of the lattice route: connects the dots of the pair (P, Q), or of (Q, P) if
 * mirrored. h, growth, size and first are given, and the rest is cleared. Where cells are narrow,
 * 4 nodes of Gauss-Legendre each, else 16 nodes for each step. By F3 the slope of log f passes s a
 * step only where f is below e^(-32 s^2) of its largest value, so it is at most 1.2 where more than
 * 1e-18 lies beyond. An ellipse with rho = 128 about a narrow cell reaches 2 steps: f grows by less
 * than 50 times (F2, F3), the split by 64, and 64/15 rho^-8 of that is below 2e-13. NO_CONVERGENCE:
 * it does not fit.
 */
DPPAIR_FN_ dppair_status dppair_density_cells_(dppair_cells_ *cells, const dppair_density_ *d,
                                               int mirrored) {
  static const double place[2] = {0.86113631159405257522, 0.33998104358485626480};
  static const double share[2] = {0.34785484513745385737, 0.65214515486254614263};
  const double h = cells->h, scale = -1.0 / dppair_expm1_(-h);
  const int narrow = 16.0 * h <= d->h;
  double low, high, index, worst = 0.0;
  dppair_patch_ patch;
  dppair_status status = dppair_patch_open_(&patch, d, 1e-18 + d->outside);
  if (status != DPPAIR_OK) return status;
  low = d->h * (double)(mirrored ? -patch.high : patch.low);
  high = d->h * (double)(mirrored ? -patch.low : patch.high);
  for (index = dppair_floor_(low / h); index * h < high; index += 1.0) {
    const double cell = index - (double)cells->first;
    const double from = index * h > low ? index * h : low;
    const double to = (index + 1.0) * h < high ? (index + 1.0) * h : high;
    const int panels = narrow ? 1 : (int)dppair_ceil_((to - from) / d->h);
    double right = 0.0, left = 0.0;
    int panel, k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (panel = 0; panel < panels && to > from; panel++) {
      const double half = 0.5 * (to - from) / panels, middle = from + (2.0 * panel + 1.0) * half;
      for (k = 0; k < (narrow ? 4 : 16); k++) {
        double weight, x, l, f, error;
        if (narrow) {
          x = k % 2 == 0 ? place[k / 2] : -place[k / 2];
          weight = share[k / 2];
        } else {
          x = dppair_legendre_(&weight, k);
        }
        x = middle + half * x;
        l = mirrored ? -x : x;
        l = l / d->h;
        if (l < (double)patch.low) l = (double)patch.low;
        if (l > (double)patch.high) l = (double)patch.high;
        f = dppair_patch_at_(&error, &patch, l) * half * weight;
        worst = dppair_larger_(worst, error);
        dppair_cells_node_(&right, &left, x, mirrored ? f : f * dppair_exp_(x), index * h, h,
                           scale);
      }
    }
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
  }
  /* a place is off by 4 u of itself, and log f moves by at most 2 a step */
  cells->loss_error = dppair_larger_(
      cells->loss_error,
      8.0 * DPPAIR_UNIT_ * (1.0 + dppair_larger_(dppair_fabs_(low), dppair_fabs_(high))));
  cells->mass_error = dppair_larger_(
      cells->mass_error, 1.001 * worst + 4e-13 + 4.0 * cells->loss_error * (1.0 + 1.0 / d->h));
  cells->infinity += dppair_patch_outside_(&patch);
  cells->unseen += dppair_patch_outside_(&patch);
  return worst < 0.01 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/*
 * *upper >= log E_Q L^k of one epoch, any k outside [0, 1]. The sum over the nodes is within 2
 * e^(-2 pi^2/(K h^2)) of its integral by F2; the cut tails by Hoelder's inequality: with r > 1,
 * E[L^k; outside] <= (E L^(rk))^(1/r) outside^(1 - 1/r) under Q, or the same of L^(k-1) under P,
 * and E_Q L^m <= E X^m = e^(m(m-1)/(2z^2)) for m outside [0, 1] since x^m is convex. It is at most
 * k(k-1)/(2z^2) altogether.
 */
DPPAIR_FN_ void dppair_density_log_moment_(double *upper, const dppair_density_ *d, double z,
                                           double k) {
  const double simple = 0.5 * k * (k - 1.0) / (z * z);
  double top = -HUGE_VAL, sum = 0.0, rest = HUGE_VAL, r;
  size_t i;
  *upper = simple * (1.0 + 1e-15);
  for (i = 0; i < d->size; i++) {
    const double log_f = dppair_log_(d->f[i]) + k * d->h * (double)(d->first + (int64_t)i);
    if (log_f > top) top = log_f;
  }
  for (i = 0; i < d->size; i++) {
    const double loss = k * d->h * (double)(d->first + (int64_t)i);
    sum += dppair_exp_(dppair_log_(d->f[i]) + loss - top) *
           (1.0 + d->error[i] + 8.0 * DPPAIR_UNIT_ * dppair_fabs_(loss));
  }
  top += dppair_log_(d->h * sum) + 1e-12;
  for (r = 1.01; r < 1000.0; r *= 1.1) {
    const double m = r * k, n = r * (k - 1.0) + 1.0,
                 spare = (1.0 - 1.0 / r) * dppair_log_(d->outside);
    const double bound =
        0.5 * (m * (m - 1.0) < n * (n - 1.0) ? m * (m - 1.0) : n * (n - 1.0)) / (z * z * r) + spare;
    if (bound < rest) rest = bound;
  }
  top = dppair_log_add_(top, rest) + 1e-12 * (1.0 + dppair_fabs_(top));
  if (top < *upper) *upper = top > 0.0 ? top : 0.0;
}

/* M(w) = sum over the table of h f e^((1+w) l) at w = c + iy, the law without what is outside. */
DPPAIR_FN_ void dppair_density_moment_(double *re, double *im, double *error,
                                       const dppair_density_ *d, double c, double y) {
  double size = 0.0;
  size_t i;
  *re = *im = *error = 0.0;
  for (i = 0; i < d->size; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i);
    const double mass = d->h * d->f[i] * dppair_exp_((1.0 + c) * l);
    *re += mass * dppair_cos_(y * l);
    *im += mass * dppair_sin_(y * l);
    *error += mass * (d->error[i] +
                      8.0 * DPPAIR_UNIT_ * (dppair_fabs_((1.0 + c) * l) + dppair_fabs_(y * l)));
    size += mass;
  }
  *error = 1.00001 * (*error + size * DPPAIR_UNIT_ * (16.0 + (double)d->size));
}

/* ---- src/accountant/allocation/comonotone.h -------------------------------------------------
 * Random allocation, one replaced record: the comonotone pair as atoms
 *
 * The upper end of replace-one: P~ = e^(F^-1(u)) du against Q~ = e^(F^-1(1-u)) du on [0, 1], with
 * the loss F^-1(u) - F^-1(1-u), odd about u = 1/2. For each H k, k >= 0, a place r and r' = r - H k
 * are found with F(r') = 1 - F(r) nearly. The truth for this r is within `off` of r': the errors of
 * both tails over 0.9 of the density. Between two places P~ has the mass of p in [r_k, r_k+1] and
 * Q~ that in [r'_k+1, r'_k]; the losses lie in [H k - off, H (k+1) + off]. Clipped to [H k, H
 * (k+1)] they are connected to its ends, the upper end getting all that the errors allow, and then
 * all is moved up by `off`. Below u = 1/2 the two masses change places. What the cut right tail
 * holds gets an infinite loss, what the left one holds moves up to the last atom. Relies on
 * patch.h.
 * ---------------------------------------------------------------------------------------------- */

/* P has mass[i] at the loss h (first + i), and `infinity` at infinite loss. */
typedef struct dppair_atoms_ {
  double *mass;
  int64_t first;
  size_t size;
  double h, infinity;
} dppair_atoms_;

/* Sums of a table's patches: mass under Q and P below and above each node, and errors of those. */
typedef struct dppair_tails_ {
  dppair_patch_ patch;
  double *below[3], *above[3]; /* of f, of p, and of f's errors; index node - patch.low */
  double outside;
} dppair_tails_;

/* out = integrals over [from, to] steps, within one patch, of f, p and f's error. By 16 nodes of
 * Gauss-Legendre, whose error is below 1e-30 relative (patch.h). */
DPPAIR_FN_ void dppair_tails_piece_(double out[3], dppair_patch_ *patch, double from, double to) {
  const double h = patch->d->h, half = 0.5 * (to - from);
  int k;
  out[0] = out[1] = out[2] = 0.0;
  for (k = 0; k < 16; k++) {
    double weight, error;
    const double x = from + half * (1.0 + dppair_legendre_(&weight, k));
    const double f = dppair_patch_at_(&error, patch, x) * half * weight * h;
    out[0] += f;
    out[1] += f * dppair_exp_(h * x);
    out[2] += f * error;
  }
}

DPPAIR_FN_ dppair_status dppair_tails_open_(dppair_tails_ *t, const dppair_density_ *d,
                                            dppair_pool_ *pool) {
  const dppair_status status = dppair_patch_open_(&t->patch, d, 1e-28 + d->outside);
  size_t size, i;
  int64_t at;
  int k;
  if (status != DPPAIR_OK) return status;
  for (at = t->patch.low - 1; at <= t->patch.high + 1; at++) { /* for dppair_couple_find_ */
    const double ratio = d->f[at + 1 - d->first] / d->f[at - d->first];
    if (!(ratio > 0.02 && ratio < 50.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  }
  size = (size_t)(t->patch.high - t->patch.low) + 1;
  for (k = 0; k < 3; k++) {
    t->below[k] = dppair_pool_take_(pool, size);
    t->above[k] = dppair_pool_take_(pool, size);
    if (t->below[k] == NULL || t->above[k] == NULL) return DPPAIR_ERR_WORKSPACE;
    t->below[k][0] = t->above[k][size - 1] = 0.0;
  }
  for (i = 0; i + 1 < size; i++) {
    const double node = (double)(t->patch.low + (int64_t)i);
    double out[3];
    dppair_tails_piece_(out, &t->patch, node, node + 1.0);
    for (k = 0; k < 3; k++) {
      t->below[k][i + 1] = t->below[k][i] + out[k];
      t->above[k][i] = out[k];
    }
  }
  for (i = size - 1; i-- > 0;)
    for (k = 0; k < 3; k++) t->above[k][i] += t->above[k][i + 1];
  t->outside = dppair_patch_outside_(&t->patch);
  return DPPAIR_OK;
}

/* The same integrals below x, or above it, within the patches. */
DPPAIR_FN_ void dppair_tails_at_(double out[3], dppair_tails_ *t, double x, int above) {
  double node = dppair_floor_(x);
  size_t i;
  int k;
  if (node >= (double)t->patch.high) node = (double)t->patch.high - 1.0;
  i = (size_t)((int64_t)node - t->patch.low);
  if (above)
    dppair_tails_piece_(out, &t->patch, x, node + 1.0);
  else
    dppair_tails_piece_(out, &t->patch, node, x);
  for (k = 0; k < 3; k++) out[k] += above ? t->above[k][i + 1] : t->below[k][i];
}

/* One place: r and r' in steps, the tails of both, and `off` in steps. */
typedef struct dppair_couple_ {
  double r, other, high[3], low[3], f, f_other, off;
} dppair_couple_;

/* Finds the place of the loss `loss` steps from a guess of r. 0: it lies outside of the patches, or
 * is not certain to a hundredth of a step. */
DPPAIR_FN_ int dppair_couple_find_(dppair_couple_ *c, dppair_tails_ *t, double loss, double guess) {
  const double low = (double)t->patch.low, high = (double)t->patch.high;
  double error, other_error, residual, step;
  int i;
  c->r = guess;
  for (i = 0;; i++) {
    if (!(c->r < high && c->r - loss > low)) return 0;
    c->other = c->r - loss;
    dppair_tails_at_(c->high, t, c->r, 1);
    dppair_tails_at_(c->low, t, c->other, 0);
    c->f = dppair_patch_at_(&error, &t->patch, c->r) * t->patch.d->h;
    c->f_other = dppair_patch_at_(&other_error, &t->patch, c->other) * t->patch.d->h;
    residual = c->low[0] - c->high[0];
    step = residual / (c->f + c->f_other);
    if (i == 8 || !(dppair_fabs_(step) > 1e-14 * (1.0 + dppair_fabs_(c->r)))) break;
    c->r -= step > 1.0 ? 1.0 : (step < -1.0 ? -1.0 : step);
  }
  /* within a hundredth of a step f changes by less than a tenth: it changes by less than 50 times
   * from node to node (dppair_tails_open_), and F3 bounds its slope between by those about it */
  residual = dppair_fabs_(residual) + c->low[2] + c->high[2] + 2.0 * t->outside +
             4e3 * DPPAIR_UNIT_ * (c->low[0] + c->high[0]);
  c->off = 1.2 * residual / c->f_other +
           8.0 * DPPAIR_UNIT_ * (dppair_fabs_(c->r) + dppair_fabs_(c->other));
  return c->off < 0.01 && other_error < 0.01;
}

/* The place of the median: loss 0. */
DPPAIR_FN_ int dppair_couple_first_(dppair_couple_ *c, dppair_tails_ *t) {
  const size_t size = (size_t)(t->patch.high - t->patch.low);
  size_t i = 0;
  while (i < size && t->below[0][i] < t->above[0][i]) i++;
  return dppair_couple_find_(c, t, 0.0, (double)(t->patch.low + (int64_t)i));
}

/* Puts the mass `mass` of P, whose losses lie in [H k, H (k+1)] and to which the mass `other` of Q
 * belongs, on the ends and moves it up by `off`. slack: what the upper end may get more. */
DPPAIR_FN_ void dppair_atoms_put_(dppair_atoms_ *pair, int64_t k, double mass, double other,
                                  double off, double slack) {
  double *const at = pair->mass + (k - pair->first), whole = -dppair_expm1_(-pair->h);
  const double rise = off < pair->h ? -dppair_expm1_(-off) / whole : 1.0;
  double upper = (mass - other * dppair_exp_(pair->h * (double)k - off) + slack) / whole, lower;
  /* rounding: of the exponent, and of the difference */
  upper += 32.0 * DPPAIR_UNIT_ * (2.0 + pair->h * dppair_fabs_((double)k)) * mass / whole;
  mass += slack;
  if (!(upper > 0.0)) upper = 0.0;
  if (upper > mass) upper = mass;
  lower = mass - upper;
  at[0] += 1.0000000000001 * lower * (1.0 - rise);
  at[1] += 1.0000000000001 * (lower * rise + upper * (1.0 - rise));
  at[2] += 1.0000000000001 * upper * rise;
}

/*
 * The atoms of one epoch, as many as `limit` on each side of 0, from its density d. mass has room
 * for 2 limit + 3. Errors: WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_FN_ dppair_status dppair_atoms_make_(dppair_atoms_ *pair, const dppair_density_ *d,
                                            size_t limit, dppair_pool_ pool) {
  const double steps = pair->h / d->h;
  dppair_tails_ t;
  dppair_couple_ here, next;
  double rounding;
  int64_t k;
  size_t i;
  dppair_status status = dppair_tails_open_(&t, d, &pool);
  if (status != DPPAIR_OK) return status;
  rounding = DPPAIR_UNIT_ * (64.0 + (double)d->size);
  pair->first = -(int64_t)limit - 1;
  pair->size = 2 * limit + 3;
  for (i = 0; i < pair->size; i++) pair->mass[i] = 0.0;
  if (!dppair_couple_first_(&here, &t)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* what lies between both halves, at a loss below h */
  pair->mass[limit + 2] +=
      2.0 * here.off * dppair_larger_(here.f, here.f_other) * dppair_exp_(d->h * (here.r + 1.0));
  for (k = 0; k < (int64_t)limit; k++) {
    double p, q, off, slack;
    const double guess = here.r + steps * here.f_other / (here.f + here.f_other);
    if (!dppair_couple_find_(&next, &t, steps * (double)(k + 1), guess)) break;
    if (!(next.r > here.r) || !(next.other < here.other)) break;
    off = dppair_larger_(here.off, next.off);
    p = here.high[1] - next.high[1];
    q = here.low[1] - next.low[1];
    if (!(p > 0.0 && q > 0.0)) break;
    /* each mass errs by its own region's part, by the rounding of the sums, and q by its ends */
    slack = p * dppair_exp_(pair->h) * 1.01 *
                dppair_larger_((here.high[2] - next.high[2]) / (here.high[0] - next.high[0]),
                               (here.low[2] - next.low[2]) / (here.low[0] - next.low[0])) +
            rounding * here.high[1];
    {
      const double edge =
          1.3 * off * (here.f_other + next.f_other) * dppair_exp_(d->h * here.other);
      const double scale = p / q, lost = slack / scale + rounding * here.low[1] + edge;
      dppair_atoms_put_(pair, k, p, q, off * d->h, slack + lost * dppair_exp_(pair->h * (double)k));
      dppair_atoms_put_(pair, -k - 1, q, p, off * d->h,
                        lost + slack * dppair_exp_(-pair->h * (double)(k + 1)));
    }
    here = next;
    if (here.high[1] < 1e-24) {
      k++;
      break;
    }
  }
  if (k < 16) return DPPAIR_ERR_NO_CONVERGENCE;
  pair->infinity = 1.01 * (here.high[1] + t.outside);
  pair->mass[-k - pair->first] += 1.01 * (here.low[1] + t.outside);
  return pair->infinity < 0.001 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* ---- src/accountant/allocation/replace_one.h ------------------------------------------------
 * Random allocation, one replaced record: composition of the atoms
 *
 * Direct convolution by squaring. The step doubles with every fourfold number of epochs: a mass
 * between two atoms goes to both, with P and Q kept. All is rounded up. Relies on comonotone.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_MOST_ATOMS_ = 4000 }; /* on each side of one epoch's */

/* A step that is small against the losses: a sixtieth of the deviation of l; wider where the errors
 * of the masses, which are divided by the step, would outweigh what a narrow one saves. */
DPPAIR_FN_ double dppair_atoms_step_(const dppair_density_ *d) {
  double mass = 0.0, mean = 0.0, square = 0.0, error = 0.0, root, share;
  size_t i;
  for (i = 0; i < d->size; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i);
    mass += d->f[i];
    mean += d->f[i] * l;
    square += d->f[i] * l * l;
    error += d->f[i] * d->error[i];
  }
  mean /= mass;
  root = dppair_sqrt_(square / mass - mean * mean);
  share = 5.0 * dppair_cbrt_(error / mass / root);
  return dppair_short_(root * (share > 1.0 / 60 ? (share < 0.1 ? share : 0.1) : 1.0 / 60));
}

/* Cuts atoms off: at the right at most `spare` goes to infinity, at the left at most that much
 * moves up. */
DPPAIR_FN_ void dppair_atoms_trim_(dppair_atoms_ *x, double spare) {
  double sum = 0.0;
  size_t begin = 0;
  while (x->size > 1 && sum + x->mass[x->size - 1] <= spare) sum += x->mass[--x->size];
  x->infinity += 1.0000001 * sum;
  sum = 0.0;
  while (begin + 1 < x->size && sum + x->mass[begin] <= spare) sum += x->mass[begin++];
  memmove(x->mass, x->mass + begin, (x->size - begin) * sizeof *x->mass);
  x->mass[0] += 1.0000001 * sum;
  x->first += (int64_t)begin;
  x->size -= begin;
}

/* Doubles the step, in place: an odd atom's mass goes to both neighbours. */
DPPAIR_FN_ void dppair_atoms_widen_(dppair_atoms_ *x) {
  const double up = 1.0000000000001 / (1.0 + dppair_exp_(-x->h)), down = 1.0000000000001 - up;
  const int odd = (int)(x->first & 1);
  const size_t size = (x->size + (size_t)odd) / 2 + 1;
  double carry = odd ? x->mass[0] * up : 0.0, low = odd ? x->mass[0] * down * 1.00000001 : -1.0;
  size_t i, at = (size_t)odd, out = 0;
  /* up: the share of the upper neighbour, (1 - e^-h)/(1 - e^-2h) */
  if (odd) {
    x->mass[out++] = low;
  }
  for (i = at; out < size; i += 2) {
    const double even = i < x->size ? x->mass[i] : 0.0;
    const double next = i + 1 < x->size ? x->mass[i + 1] : 0.0;
    x->mass[out++] = (carry + even + next * down * 1.00000001) * (1.0 + 1e-15);
    carry = next * up;
  }
  x->first = (x->first - odd) / 2;
  x->size = size;
  x->h *= 2.0;
}

/* *out = the sum of independent losses, with room for x->size + y->size atoms. */
DPPAIR_FN_ void dppair_atoms_add_(dppair_atoms_ *out, const dppair_atoms_ *x,
                                  const dppair_atoms_ *y, double spare) {
  const double round =
      1.0 + DPPAIR_UNIT_ * (16.0 + (double)(x->size < y->size ? x->size : y->size));
  double all_x = x->infinity, all_y = y->infinity; /* about 1, but rounded up again and again */
  size_t i;
  for (i = 0; i < x->size; i++) all_x += x->mass[i];
  for (i = 0; i < y->size; i++) all_y += y->mass[i];
  out->size = x->size + y->size - 1;
  out->first = x->first + y->first;
  out->h = x->h;
  out->infinity = 1.000001 * (x->infinity * all_y + y->infinity * all_x);
  for (i = 0; i < out->size; i++) out->mass[i] = 0.0;
  dppair_fold_(out->mass, x->mass, x->size, y->mass, y->size, 1);
  for (i = 0; i < out->size; i++) out->mass[i] *= round;
  dppair_atoms_trim_(out, spare);
}

/* The atoms of `epochs` epochs, from those of one, which are destroyed. home: four arrays of `room`
 * atoms, home[0] those of one. WORKSPACE: too little room. */
DPPAIR_FN_ dppair_status dppair_atoms_epochs_(dppair_atoms_ *one, size_t epochs, double **home,
                                              size_t room) {
  const double spare = one->infinity > 1e-30 ? one->infinity : 1e-30;
  dppair_atoms_ few = *one, more = *one, next[2];
  size_t i, m = 1, since = 1;
  int level = 0;
  while (epochs >> (level + 1) != 0) level++;
  if (2 * few.size > room) return DPPAIR_ERR_WORKSPACE;
  if ((epochs & (epochs - 1)) != 0) {
    more.mass = home[1];
    dppair_atoms_add_(&more, &few, &few, spare);
  }
  for (; level > 0; level--) {
    const size_t bit = epochs >> (level - 1) & 1;
    const int later = (epochs & ((((size_t)1) << (level - 1)) - 1)) != 0;
    const int both = later || bit;
    if (m >= 4 * since) {
      since = m;
      dppair_atoms_widen_(&few);
      if (both) dppair_atoms_widen_(&more);
    }
    if (2 * (both ? more.size : few.size) > room || 2 * few.size > room)
      return DPPAIR_ERR_WORKSPACE;
    next[0].mass = home[2];
    next[1].mass = home[3];
    dppair_atoms_add_(&next[0], &few, bit ? &more : &few, spare * (double)m);
    if (later) dppair_atoms_add_(&next[1], bit ? &more : &few, &more, spare * (double)m);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  *one = few;
  return DPPAIR_OK;
}

/* *delta >= the delta at epsilon, and *epsilon >= the epsilon at delta; the one that is asked for.
 * Infinite: the atoms at infinity alone are more than delta. */
DPPAIR_FN_ double dppair_atoms_delta_(const dppair_atoms_ *x, double epsilon) {
  double sum = x->infinity;
  size_t i;
  for (i = x->size; i-- > 0;) {
    const double over = x->h * (double)(x->first + (int64_t)i) - epsilon;
    if (!(over > 0.0)) break;
    sum += x->mass[i] * -dppair_expm1_(-over);
  }
  sum *= 1.0 + DPPAIR_UNIT_ * (32.0 + (double)x->size);
  return sum < 1.0 ? sum : 1.0;
}

DPPAIR_FN_ double dppair_atoms_epsilon_(const dppair_atoms_ *x, double delta) {
  double low = 0.0, high = x->h * (double)(x->first + (int64_t)x->size);
  int i;
  if (!(x->infinity < delta)) return HUGE_VAL;
  if (dppair_atoms_delta_(x, 0.0) <= delta) return 0.0;
  if (!(dppair_atoms_delta_(x, high) <= delta)) return HUGE_VAL;
  for (i = 0; i < 60 && high - low > 1e-12 * high; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_atoms_delta_(x, middle) <= delta)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* The atoms of one epoch of a table, in the pool; its step is the table's choice. */
DPPAIR_FN_ dppair_status dppair_atoms_of_(dppair_atoms_ *pair, const dppair_density_ *table,
                                          dppair_pool_ *pool) {
  dppair_status status;
  memset(pair, 0, sizeof *pair);
  pair->h = dppair_atoms_step_(table);
  if (!(pair->h > 0.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  pair->mass = dppair_pool_take_(pool, 2 * DPPAIR_MOST_ATOMS_ + 3);
  if (pair->mass == NULL) return DPPAIR_ERR_WORKSPACE;
  status = dppair_atoms_make_(pair, table, DPPAIR_MOST_ATOMS_, *pool);
  if (status == DPPAIR_OK) dppair_atoms_trim_(pair, 1e-3 * pair->infinity);
  return status;
}

/* The composed upper end; HUGE_VAL or 1 where it says nothing. */
DPPAIR_FN_ dppair_status dppair_replace_upper_(double *upper, const dppair_density_ *table,
                                               size_t epochs, int asks_delta, double given,
                                               dppair_pool_ pool) {
  dppair_atoms_ pair;
  double *home[4];
  size_t room, i;
  dppair_status status = dppair_atoms_of_(&pair, table, &pool);
  *upper = asks_delta ? 1.0 : HUGE_VAL;
  if (status != DPPAIR_OK) return status;
  room = pool.left / 4;
  if (epochs > 1 && pair.size > room) return DPPAIR_ERR_WORKSPACE;
  home[0] = pair.mass;
  for (i = 0; i < 4 && epochs > 1; i++) {
    double *const at = dppair_pool_take_(&pool, room);
    if (i == 0) memcpy(at, pair.mass, pair.size * sizeof *at);
    home[i] = at;
  }
  pair.mass = home[0];
  if (epochs > 1) status = dppair_atoms_epochs_(&pair, epochs, home, room);
  if (status == DPPAIR_OK)
    *upper = asks_delta ? dppair_atoms_delta_(&pair, given) : dppair_atoms_epsilon_(&pair, given);
  return status;
}

/* ---- src/accountant/allocation/answers.h ----------------------------------------------------
 * Random allocation: certified answers
 *
 * Roots of a curve from both sides, and the directions and relations that an answer is about.
 * Relies on replace_one.h.
 * ---------------------------------------------------------------------------------------------- */

/* The place, in steps, at which the computed delta is `delta`: between nodes low and low + 1. */
DPPAIR_FN_ double dppair_slope_find_(dppair_slope_ *s, double delta) {
  double low = 0.0, high = (double)s->d->first + (double)s->d->size, from, to;
  int i;
  while (high - low > 1.0) {
    const double middle = dppair_floor_(0.5 * (low + high));
    if (dppair_slope_at_(NULL, s, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  high = low + 1.0 - 1e-9; /* of the same node */
  from = dppair_log_(dppair_slope_at_(NULL, s, low) / delta);
  to = dppair_log_(dppair_slope_at_(NULL, s, high) / delta);
  for (i = 0; i < 60 && high - low > 1e-13 * (1.0 + high); i++) {
    double x = from > to ? low + (high - low) * (from / (from - to)) : 0.5 * (low + high), at;
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    at = dppair_log_(dppair_slope_at_(NULL, s, x) / delta);
    if (dppair_fabs_(at) < 1e-15) return x;
    if (at > 0.0) {
      low = x;
      from = at;
      to *= 0.5; /* Illinois: an end that stays weighs less */
    } else {
      high = x;
      to = at;
      from *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

/* lower <= the epsilon at which the curve is delta <= upper, in steps. NO_CONVERGENCE: nothing is
 * certain there. */
DPPAIR_FN_ dppair_status dppair_slope_root_(double *lower, double *upper, dppair_slope_ *s,
                                            double delta) {
  double error, value = dppair_slope_at_(&error, s, 0.0), root, move, fall;
  int side, i;
  *lower = *upper = 0.0;
  if (!(error >= 0.0 && error <= 0.5 * value)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (value + error <= delta) return DPPAIR_OK;
  root = value > delta ? dppair_slope_find_(s, delta) : 0.0;
  value = dppair_slope_at_(&error, s, root);
  if (!(error <= 0.5 * value)) return DPPAIR_ERR_NO_CONVERGENCE;
  fall = dppair_log_(value / dppair_slope_at_(NULL, s, root + 0.01)) * 100.0; /* per step */
  if (!(fall > 1e-6)) fall = 1e-6;
  for (side = 0; side < 2; side++) {
    move = 1.1 * error / value / fall + 1e-15 * (1.0 + root);
    for (i = 0;; i++, move *= 1.5) {
      const double x = side == 0 ? root + move : root - move;
      double wrong, at;
      if (i == 60) return DPPAIR_ERR_NO_CONVERGENCE;
      if (!(x > 0.0)) break; /* the lower end stays 0 */
      at = dppair_slope_at_(&wrong, s, x);
      if (side == 0 && at + wrong <= delta) {
        *upper = x;
        break;
      }
      if (side == 1 && at - wrong >= delta) {
        *lower = x;
        break;
      }
    }
  }
  return DPPAIR_OK;
}

/* lower <= epsilon <= upper of one density. */
DPPAIR_FN_ dppair_status dppair_density_epsilon_(double *lower, double *upper,
                                                 const dppair_density_ *d, double delta,
                                                 dppair_pool_ pool) {
  dppair_slope_ s;
  dppair_status status = dppair_slope_open_(&s, d, &pool);
  *lower = *upper = 0.0;
  if (status == DPPAIR_OK) status = dppair_slope_root_(lower, upper, &s, delta);
  *lower = dppair_down_(dppair_down_(*lower * d->h));
  *upper = dppair_up_(dppair_up_(*upper * d->h));
  return status;
}

/* lower <= delta <= upper of one density at epsilon. */
DPPAIR_FN_ dppair_status dppair_density_delta_(double *lower, double *upper,
                                               const dppair_density_ *d, double epsilon,
                                               dppair_pool_ pool) {
  const double x = epsilon / d->h;
  double error, value;
  dppair_slope_ s;
  dppair_status status = dppair_slope_open_(&s, d, &pool);
  *lower = *upper = 0.0;
  if (status != DPPAIR_OK) return status;
  if (x > (double)d->first + (double)d->size) {
    *upper = dppair_up_(d->outside); /* all losses above are outside */
    return DPPAIR_OK;
  }
  value = dppair_slope_at_(&error, &s, x * (1.0 - 4.0 * DPPAIR_UNIT_));
  if (!(error >= 0.0 && dppair_isfinite_f64(value + error))) return DPPAIR_ERR_NO_CONVERGENCE;
  *upper = dppair_up_(value + error);
  value = dppair_slope_at_(&error, &s, x * (1.0 + 4.0 * DPPAIR_UNIT_));
  if (value - error > 0.0) *lower = dppair_down_(value - error);
  if (*upper > 1.0) *upper = 1.0;
  return DPPAIR_OK;
}

/* Doubles for the answers below at noise multiplier z and t batches; for any of them. */
DPPAIR_FN_ size_t dppair_allocation_workspace_(double z, size_t t) {
  return 20 * dppair_allocation_nodes_(z, t) + 160000;
}
DPPAIR_FN_ size_t dppair_allocation_largest_(void) {
  return 20 * (size_t)DPPAIR_MOST_NODES_ + 160000;
}

/* Is it in the range where the tables are proved and do not underflow? */
DPPAIR_FN_ dppair_status dppair_allocation_range_(double z, size_t t, size_t epochs) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(z)) return DPPAIR_ERR_NOT_FINITE;
  if (!(z > 0.0)) return DPPAIR_ERR_SIGMA;
  if (t < 1 || t > 1000000) return DPPAIR_ERR_SIZE;
  if (epochs < 1) return DPPAIR_ERR_STEPS;
  return z >= 0.1 && z <= 1e6 && epochs <= 10000 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* *table = the density of one epoch. The table stays at the front of work; *rest is what is free
 * behind it. Errors: those of _range_, WORKSPACE, NO_CONVERGENCE. */
DPPAIR_FN_ dppair_status dppair_allocation_build_(dppair_density_ *table, dppair_pool_ *rest,
                                                  double z, size_t t, double *work,
                                                  size_t doubles) {
  const size_t room = dppair_allocation_nodes_(z, t);
  dppair_status status = dppair_allocation_range_(z, t, 1);
  if (status != DPPAIR_OK) return status;
  if (work == NULL || doubles < dppair_allocation_workspace_(z, t)) return DPPAIR_ERR_WORKSPACE;
  status = dppair_levels_run_(table, z, t, work, doubles, room);
  if (status == DPPAIR_ERR_WORKSPACE) status = DPPAIR_ERR_NO_CONVERGENCE; /* more than MOST_NODES */
  rest->at = work + 2 * room;
  rest->left = doubles - 2 * room;
  return status;
}

/* The density of `epochs` epochs, at the front of what was free. */
DPPAIR_FN_ dppair_status dppair_allocation_fold_(dppair_density_ *fold, dppair_pool_ *rest,
                                                 const dppair_density_ *table, size_t epochs) {
  const size_t room = 3 * table->size + 256;
  dppair_status status;
  if (epochs == 1) {
    *fold = *table;
    return DPPAIR_OK;
  }
  status = dppair_epochs_run_(fold, table, epochs, rest->at, rest->left, room);
  if (status == DPPAIR_OK && dppair_pool_take_(rest, 2 * room) == NULL)
    status = DPPAIR_ERR_WORKSPACE;
  return status == DPPAIR_ERR_WORKSPACE ? DPPAIR_ERR_NO_CONVERGENCE : status;
}

/* What is asked of an allocation: the delta at `epsilon`, or the epsilon at `delta`. */
typedef struct dppair_allocation_question_ {
  double z;
  size_t batches, epochs;
  int asks_delta;
  double given; /* epsilon or delta */
  dppair_adjacency adjacency;
  int only; /* zero-out: 0, the worse direction; 1, remove; 2, add */
} dppair_allocation_question_;

/* The answer of one density. */
DPPAIR_FN_ dppair_status dppair_allocated_side_(double *lower, double *upper,
                                                const dppair_allocation_question_ *q,
                                                const dppair_density_ *d, dppair_pool_ pool) {
  return q->asks_delta ? dppair_density_delta_(lower, upper, d, q->given, pool)
                       : dppair_density_epsilon_(lower, upper, d, q->given, pool);
}

/* Zero-out: the worse of both directions, or one of them. */
DPPAIR_FN_ dppair_status dppair_allocated_zero_(dppair_interval *in,
                                                const dppair_allocation_question_ *q,
                                                const dppair_density_ *d, dppair_pool_ pool) {
  double *const work = dppair_pool_take_(&pool, 2 * d->size);
  dppair_density_ mirror;
  dppair_status status = DPPAIR_OK;
  int add;
  if (work == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_density_mirror_(&mirror, work, d->size, d);
  for (add = 0; add < 2 && status == DPPAIR_OK; add++) {
    double lower, upper;
    if (q->only == 2 - add) continue;
    status = dppair_allocated_side_(&lower, &upper, q, add ? &mirror : d, pool);
    in->lower = dppair_larger_(in->lower, lower);
    in->upper = dppair_larger_(in->upper, upper);
  }
  return status;
}

/* Replace-one. The lower end: remove, then add. The upper end: the comonotone pair, or what is
 * known without tables where its atoms are too many or too uncertain. */
DPPAIR_FN_ dppair_status dppair_allocated_replaced_(dppair_interval *in,
                                                    const dppair_allocation_question_ *q,
                                                    const dppair_density_ *table,
                                                    const dppair_density_ *d, dppair_pool_ pool) {
  const dppair_pool_ all = pool;
  double *const work = dppair_pool_take_(&pool, 2 * d->size);
  double *const both = dppair_pool_take_(&pool, 4 * d->size), upper;
  dppair_density_ mirror, sum;
  dppair_status status;
  if (work == NULL || both == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_density_mirror_(&mirror, work, d->size, d);
  status = dppair_density_add_(&sum, both, 2 * d->size, d, &mirror, pool);
  if (status == DPPAIR_OK) status = dppair_allocated_side_(&in->lower, &upper, q, &sum, pool);
  if (status != DPPAIR_OK || dppair_replace_upper_(&in->upper, table, q->epochs, q->asks_delta,
                                                   q->given, all) != DPPAIR_OK)
    in->upper = HUGE_VAL;
  return status;
}

/* The answer of mu-GDP from below, where it is exact. */
DPPAIR_FN_ double dppair_allocated_below_(const dppair_allocation_question_ *q, double mu,
                                          double upper) {
  const double target = q->asks_delta ? 0.0 : dppair_log_(q->given) * (1.0 - 3e-16);
  double step;
  if (q->asks_delta) {
    const dppair_curve_point_ point = dppair_curve_(q->given, mu);
    return point.log_delta > -700.0 ? point.delta * (1.0 - 2.0 * DPPAIR_CURVE_SLACK_) : 0.0;
  }
  for (step = 1e-14; step < 1.0; step *= 4.0) {
    const double x = upper * (1.0 - step), at = dppair_curve_(x, mu).log_delta;
    if (at - dppair_curve_log_slack_(at) >= target) return x;
  }
  return 0.0;
}

/* What is known without tables: zero-out is at most sqrt(E)/z-GDP and replace-one 2 sqrt(E)/z-GDP,
 * exact for one batch; replace-one is sqrt(2E)/z-GDP for two batches and at most that for more. */
DPPAIR_FN_ dppair_status dppair_allocated_gaussian_(dppair_interval *in,
                                                    const dppair_allocation_question_ *q) {
  const int zero = dppair_adjacency_move_(q->adjacency) == DPPAIR_ZERO_OUT;
  const double square = zero ? 1.0 : (q->batches == 1 ? 4.0 : 2.0);
  const double mu = dppair_sqrt_(square * (double)q->epochs) / q->z,
               high = dppair_up_(dppair_up_(mu));
  const dppair_status status = q->asks_delta ? dppair_gaussian_delta(&in->upper, q->given, high)
                                             : dppair_gaussian_epsilon(&in->upper, q->given, high);
  if (status == DPPAIR_OK && q->batches <= (zero ? 1u : 2u)) {
    in->lower = dppair_allocated_below_(q, dppair_down_(dppair_down_(mu)), in->upper);
    in->route = DPPAIR_ROUTE_CLOSED;
  }
  return status;
}

/* The interval of an answer. On an error both ends are 0. */
DPPAIR_FN_ dppair_status dppair_allocated_answer_(dppair_interval *in,
                                                  const dppair_allocation_question_ *q,
                                                  double *work, size_t doubles) {
  dppair_interval simple;
  dppair_density_ table, fold;
  dppair_pool_ rest;
  dppair_status status = dppair_allocation_range_(q->z, q->batches, q->epochs);
  memset(in, 0, sizeof *in);
  memset(&simple, 0, sizeof simple);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(q->given)) return DPPAIR_ERR_NOT_FINITE;
  if (q->asks_delta && !(q->given >= 0.0)) return DPPAIR_ERR_EPSILON;
  if (!q->asks_delta && !(q->given > 0.0 && q->given < 1.0)) return DPPAIR_ERR_DELTA;
  if (work == NULL || doubles < dppair_allocation_workspace_(q->z, q->batches))
    return DPPAIR_ERR_WORKSPACE;
  status = dppair_allocated_gaussian_(&simple, q);
  if (status == DPPAIR_OK && simple.route != DPPAIR_ROUTE_CLOSED) {
    status = dppair_allocation_build_(&table, &rest, q->z, q->batches, work, doubles);
    if (status == DPPAIR_OK) status = dppair_allocation_fold_(&fold, &rest, &table, q->epochs);
    if (status == DPPAIR_OK)
      status = dppair_adjacency_move_(q->adjacency) == DPPAIR_ZERO_OUT
                   ? dppair_allocated_zero_(in, q, &fold, rest)
                   : dppair_allocated_replaced_(in, q, &table, &fold, rest);
    in->route = DPPAIR_ROUTE_LATTICE;
    if (!(in->upper <= simple.upper)) in->upper = simple.upper;
  } else {
    *in = simple;
  }
  if (status == DPPAIR_ERR_WORKSPACE) status = DPPAIR_ERR_NO_CONVERGENCE; /* beyond MOST_NODES_ */
  if (status == DPPAIR_OK && !(in->lower <= in->upper)) status = DPPAIR_ERR_NO_CONVERGENCE;
  if (status != DPPAIR_OK) {
    memset(in, 0, sizeof *in);
    return status;
  }
  in->estimate = in->upper;
  return DPPAIR_OK;
}

/*
 * *epsilon: the certified interval at delta in (0, 1) for `epochs` epochs of `batches` steps each,
 * in which every record is in one batch, uniformly and independently of the others. z is the noise
 * scale over what zeroing one record moves a batch's statistic, under both relations. only: of
 * zero-out 0 the worse direction, 1 remove, 2 add. Errors:
 * SIGMA, SIZE, STEPS, DOMAIN (z outside [0.1, 1e6], more than 1e6 batches or 1e4 epochs),
 * NOT_FINITE, DELTA, ENVIRONMENT, WORKSPACE, NO_CONVERGENCE. Proofs: theory.h.
 */
DPPAIR_FN_ dppair_status dppair_allocation_epsilon_(dppair_interval *epsilon, double z,
                                                    size_t batches, size_t epochs, double delta,
                                                    dppair_adjacency adjacency, int only,
                                                    double *work, size_t doubles) {
  const dppair_allocation_question_ q = {z, batches, epochs, 0, delta, adjacency, only};
  return dppair_allocated_answer_(epsilon, &q, work, doubles);
}

/* *delta: the same at epsilon >= 0. */
DPPAIR_FN_ dppair_status dppair_allocation_delta_(dppair_interval *delta, double z, size_t batches,
                                                  size_t epochs, double epsilon,
                                                  dppair_adjacency adjacency, int only,
                                                  double *work, size_t doubles) {
  const dppair_allocation_question_ q = {z, batches, epochs, 1, epsilon, adjacency, only};
  return dppair_allocated_answer_(delta, &q, work, doubles);
}

/* *pair = the atoms of one epoch of the comonotone pair, which dominates replace-one, in work. The
 * same errors. */
DPPAIR_FN_ dppair_status dppair_allocation_atoms_(dppair_atoms_ *pair, double z, size_t batches,
                                                  double *work, size_t doubles) {
  dppair_density_ table;
  dppair_pool_ rest;
  dppair_status status = dppair_allocation_build_(&table, &rest, z, batches, work, doubles);
  memset(pair, 0, sizeof *pair);
  if (status == DPPAIR_OK) status = dppair_atoms_of_(pair, &table, &rest);
  if (status != DPPAIR_OK) memset(pair, 0, sizeof *pair);
  return status;
}

/* ---- src/accountant/lattice/allocated.h -----------------------------------------------------
 * Allocated records on the lattice
 *
 * The loss of one epoch of allocated records is a table (allocation/), no mixture of branches. Here
 * its search nodes, its range and its cells are made, so that it composes with any other step. (An
 * epoch is interactive, and other steps may run between its batches: Vadhan and Zhang 2023,
 * concurrent composition.) Relies on cells.h and allocation/.
 *
 * A zeroed record has the table in both directions. A replaced one has two pairs (allocation/): one
 * that dominates, a list of atoms, and one below, "remove, then add": the table forwards and then
 * backwards. Each is composed by itself, and gives one side of the answer.
 * ---------------------------------------------------------------------------------------------- */

/* The law of allocated records that was made last, in what is left of the workspace. */
typedef struct dppair_tabled_ {
  double noise;
  size_t batches; /* 0: none */
  int atoms;      /* 1: `pair` was made, 0: `table` */
  dppair_density_ table;
  dppair_atoms_ pair;
} dppair_tabled_;

/* What one side of the law consists of: the table forwards or backwards, or the atoms. */
enum { DPPAIR_TABLE_FORWARD_ = 0, DPPAIR_TABLE_BACKWARD_ = 1, DPPAIR_TABLE_ATOMS_ = 2 };

/* The parts of the law: their kinds, and how many there are. */
DPPAIR_FN_ int dppair_allocated_parts_(int part[2], const dppair_contour_ *s,
                                       const dppair_law_ *law) {
  part[0] = !law->replaces && s->backward ? DPPAIR_TABLE_BACKWARD_ : DPPAIR_TABLE_FORWARD_;
  part[1] = DPPAIR_TABLE_BACKWARD_;
  if (law->replaces && !s->below) part[0] = DPPAIR_TABLE_ATOMS_;
  return law->replaces && s->below ? 2 : 1;
}

/* Makes the law's table in what is left of the workspace, unless it was the last one. */
DPPAIR_RARE_ dppair_status dppair_allocated_make_(dppair_contour_ *s, const dppair_law_ *law,
                                                  int atoms) {
  dppair_tabled_ *made = s->tabled;
  dppair_pool_ rest;
  dppair_status status;
  if (made->batches == law->batches && made->atoms == atoms && !(made->noise < law->noise) &&
      !(made->noise > law->noise))
    return DPPAIR_OK;
  made->batches = 0;
  status =
      atoms ? dppair_allocation_atoms_(&made->pair, law->noise, law->batches, s->spare, s->spares)
            : dppair_allocation_build_(&made->table, &rest, law->noise, law->batches, s->spare,
                                       s->spares);
  if (status != DPPAIR_OK) return status;
  made->noise = law->noise;
  made->batches = law->batches;
  made->atoms = atoms;
  return DPPAIR_OK;
}

/* The losses of a part lie in [*low, *high]. */
DPPAIR_FN_ void dppair_allocated_span_(double *low, double *high, const dppair_contour_ *s,
                                       int part) {
  const dppair_tabled_ *made = s->tabled;
  const double h = made->atoms ? made->pair.h : made->table.h;
  const double first = (double)(made->atoms ? made->pair.first : made->table.first);
  const double last = first + (double)(made->atoms ? made->pair.size : made->table.size) - 1.0;
  *low = h * (part == DPPAIR_TABLE_BACKWARD_ ? -last : first);
  *high = h * (part == DPPAIR_TABLE_BACKWARD_ ? -first : last);
}

/* Widens [*low, *high] by all losses of the law. */
DPPAIR_FN_ dppair_status dppair_allocated_range_(double *low, double *high, dppair_contour_ *s,
                                                 const dppair_law_ *law) {
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  for (i = 0; i < parts; i++) {
    double from, to;
    const dppair_status status = dppair_allocated_make_(s, law, part[i] == DPPAIR_TABLE_ATOMS_);
    if (status != DPPAIR_OK) return status;
    dppair_allocated_span_(&from, &to, s, part[i]);
    if (from < *low) *low = from;
    if (to > *high) *high = to;
  }
  return DPPAIR_OK;
}

/* Lists a part by at most `most` search nodes, each with the mean of its losses. */
DPPAIR_FN_ size_t dppair_allocated_nodes_(double *loss, double *mass, size_t most,
                                          const dppair_contour_ *s, int part) {
  const dppair_tabled_ *made = s->tabled;
  const size_t size = made->atoms ? made->pair.size : made->table.size, bin = size / most + 1;
  const double sign = part == DPPAIR_TABLE_BACKWARD_ ? -1.0 : 1.0;
  size_t i, count = 0;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    size_t j;
    for (j = i; j < size && j < i + bin; j++) {
      const double at = made->atoms ? made->pair.h * (double)(made->pair.first + (int64_t)j)
                                    : made->table.h * (double)(made->table.first + (int64_t)j);
      const double own =
          made->atoms ? made->pair.mass[j]
                      : made->table.h * made->table.f[j] * (sign > 0.0 ? dppair_exp_(at) : 1.0);
      sum += own;
      mean += own * sign * at;
    }
    if (!(sum > 0.0)) continue;
    loss[count] = mean / sum;
    mass[count++] = sum;
  }
  return count;
}

enum { DPPAIR_ALLOCATED_COARSE_ = 40 }; /* nodes of each part where there are two */

/* The search nodes of step t. */
DPPAIR_RARE_ dppair_status dppair_allocated_search_(dppair_contour_ *s, size_t t,
                                                    const dppair_law_ *law) {
  double loss[2][DPPAIR_ALLOCATED_COARSE_], mass[2][DPPAIR_ALLOCATED_COARSE_];
  dppair_search_list_ list = dppair_search_list_of_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t);
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  size_t count[2] = {1, 1}, j, k;
  const dppair_status status = dppair_allocated_make_(s, law, part[0] == DPPAIR_TABLE_ATOMS_);
  if (status != DPPAIR_OK) return status;
  if (parts == 1) {
    list.used =
        dppair_allocated_nodes_(list.loss, list.weight, DPPAIR_SEARCH_NODES_ / 2, s, part[0]);
    for (j = 0; j < list.used; j++) list.weight[j] = dppair_log_(list.weight[j]);
  } else {
    for (i = 0; i < parts; i++)
      count[i] = dppair_allocated_nodes_(loss[i], mass[i], DPPAIR_ALLOCATED_COARSE_, s, part[i]);
    for (j = 0; j < count[0]; j++)
      for (k = 0; k < count[1]; k++)
        dppair_search_add_(&list, loss[0][j] + loss[1][k],
                           dppair_log_(mass[0][j]) + dppair_log_(mass[1][k]));
  }
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
  return DPPAIR_OK;
}

/* Puts a part on the lattice. */
DPPAIR_RARE_ dppair_status dppair_allocated_cells_(dppair_cells_ *cells, const dppair_contour_ *s,
                                                   int part) {
  const dppair_tabled_ *made = s->tabled;
  double low, high;
  dppair_status status = DPPAIR_OK;
  size_t i;
  dppair_allocated_span_(&low, &high, s, part);
  if (!((high - low) / cells->h < (double)cells->size - 8.0) || !(low / cells->h > -1e9))
    return DPPAIR_ERR_NO_CONVERGENCE;
  cells->first = (int64_t)dppair_floor_(low / cells->h) - 2;
  memset(cells->right, 0, cells->size * sizeof *cells->right);
  memset(cells->left, 0, cells->size * sizeof *cells->left);
  cells->infinity = cells->unseen = cells->loss_error = cells->mass_error = 0.0;
  cells->table = 0;
  if (part != DPPAIR_TABLE_ATOMS_)
    return dppair_density_cells_(cells, &made->table, part == DPPAIR_TABLE_BACKWARD_);
  cells->table = 1; /* no lower law is read from it */
  cells->infinity = made->pair.infinity;
  for (i = 0; status == DPPAIR_OK && i < made->pair.size; i++)
    if (made->pair.mass[i] > 0.0)
      status = dppair_cells_atom_(cells, made->pair.h * (double)(made->pair.first + (int64_t)i),
                                  made->pair.mass[i]);
  return status;
}

/* About log M(c) of step t, of the plain Gaussian steps (t = count), of tables (t > count). */
DPPAIR_FN_ double dppair_contour_search_log_(const dppair_contour_ *s, size_t t, double c) {
  if (t == s->count) return 0.5 * s->variance * c * (c + 1.0);
  if (t > s->count) t--;
  return dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t, c);
}

/* Multiplies the law of step t into K. */
DPPAIR_RARE_ dppair_status dppair_lattice_add_allocated_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                         dppair_contour_ *s, size_t t,
                                                         const dppair_law_ *law) {
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  dppair_status status = dppair_allocated_make_(s, law, part[0] == DPPAIR_TABLE_ATOMS_);
  for (i = 0; status == DPPAIR_OK && i < parts; i++) {
    const double share = 1.0 / (double)parts; /* of a scale that need only be about right */
    status = dppair_allocated_cells_(cells, s, part[i]);
    if (status == DPPAIR_OK)
      status = dppair_lattice_multiply_(l, cells, share * dppair_contour_search_log_(s, t, s->c),
                                        share * dppair_contour_search_log_(s, t, s->right),
                                        s->right, dppair_step_runs_(&s->steps[t]));
  }
  return status;
}

/*
 * dppair_renyi of a step, from the table where it allocates records: *rdp of one run, one epoch of
 * 1 of batches/group batches, the larger of both directions, or of a replaced record a/z^2. What
 * the table cuts is in it (dppair_density_log_moment_), so that it is a proof at every order: a
 * filter (dppair_filter) may charge it for an epoch. Never above plain Gaussian noise. work: as
 * many bytes as dppair_compose_workspace says of one step; other steps do not read it. Errors:
 * those of dppair_renyi, WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_renyi_allocation(double *rdp,
                                                                   const dppair_step *step,
                                                                   double order, void *work,
                                                                   size_t bytes) {
  double unpaid, plain, remove, add, *doubles;
  dppair_density_ table;
  dppair_pool_ rest;
  dppair_law_ law;
  size_t room;
  dppair_status status;
  if (rdp == NULL) return DPPAIR_ERR_NULL;
  *rdp = 0.0;
  status = dppair_renyi(&plain, &unpaid, step, order, 0);
  if (status == DPPAIR_OK) status = dppair_law_of_(&law, step, 0.0);
  if (status != DPPAIR_OK) return status;
  *rdp = plain;
  if (law.kind != DPPAIR_LAW_ALLOCATION_ || law.replaces) return DPPAIR_OK;
  *rdp = 0.0;
  doubles = dppair_doubles_(&room, work, bytes);
  status = dppair_allocation_build_(&table, &rest, law.noise, law.batches, doubles, room);
  if (status != DPPAIR_OK) return status;
  dppair_density_log_moment_(&remove, &table, law.noise, order);
  dppair_density_log_moment_(&add, &table, law.noise, 1.0 - order);
  remove = dppair_up_((remove > add ? remove : add) / (order - 1.0) * (1.0 + DPPAIR_RENYI_SLACK_));
  *rdp = remove < plain ? remove : plain;
  if (!(*rdp > DBL_MIN)) *rdp = DBL_MIN; /* underflow must not make a step free */
  return DPPAIR_OK;
}

/* ---- src/accountant/lattice/bounds.h --------------------------------------------------------
 * What the composed laws say
 *
 * Bounds of delta at lattice points and of epsilon between them, with all errors of theory.h.
 * Relies on composition.h.
 * ---------------------------------------------------------------------------------------------- */

/* Sums over nodes that finish_ needs for its bounds. */
typedef struct dppair_lattice_sums_ {
  double kernel;     /* |W|/n, of all nodes */
  double size[2];    /* |K W|/n, of both laws */
  double drifted[2]; /* trimmed: |W|/n times the relative error of K */
} dppair_lattice_sums_;

/* K(z_k) times W(z_k)/n for all nodes. Only half of the nodes are kept, the others being conjugate,
 * so that those inside count twice. */
DPPAIR_FN_ void dppair_lattice_weigh_(dppair_lattice_sums_ *sums, dppair_lattice_ *l) {
  const size_t half = l->n / 2;
  const double grow = dppair_exp_(l->c * l->h), less = dppair_expm1_(l->c * l->h);
  const double decay[2] = {dppair_exp_(-l->c * l->h), dppair_exp_(-(l->c + 1.0) * l->h)};
  const double rest[2] = {-dppair_expm1_(-l->c * l->h), -dppair_expm1_(-(l->c + 1.0) * l->h)};
  size_t k;
  int d;
  memset(sums, 0, sizeof *sums);
  for (k = 0; k <= half; k++) {
    double wr, wi;
    const double twice = k == 0 || k == half ? 1.0 : 2.0;
    if (l->re[0][k] == 0.0 && l->im[0][k] == 0.0 && l->re[1][k] == 0.0 && l->im[1][k] == 0.0 &&
        k > 64) {
      /* K was set to 0, and |W| <= 1/(n h |z|^2) times a factor below 3 is all that is needed */
      const double y = 2.0 * DPPAIR_PI_ * (double)k / ((double)l->n * l->h);
      const double w = 6.0 / ((double)l->n * l->h * y * y);
      sums->kernel += w;
      for (d = 0; l->trimmed && d < 2; d++)
        sums->drifted[d] += w * dppair_expm1_(l->error[d] + l->drift * (less + grow * y * l->h));
      continue;
    }
    dppair_lattice_kernel_(&wr, &wi, l, decay, rest, k);
    sums->kernel += twice * dppair_sqrt_(wr * wr + wi * wi);
    if (l->trimmed) {
      double cosine, sine, turn, remote; /* |e^(zh) - 1|^2 = (e^(ch) - 1)^2 + 2 e^(ch) (1 - cos) */
      dppair_lattice_angle_(&cosine, &sine, &turn, l, k);
      remote = dppair_sqrt_(less * less + 2.0 * grow * turn);
      for (d = 0; d < 2; d++)
        sums->drifted[d] +=
            twice * dppair_sqrt_(wr * wr + wi * wi) *
            dppair_expm1_(l->error[d] + l->drift * remote);
    }
    for (d = 0; d < 2; d++) {
      const double re = l->re[d][k], im = l->im[d][k];
      l->re[d][k] = twice * (re * wr - im * wi);
      l->im[d][k] = twice * (re * wi + im * wr);
      sums->size[d] += dppair_fabs_(l->re[d][k]) + dppair_fabs_(l->im[d][k]);
    }
  }
}

/* Applies the kernel to K, drops the last nodes where together they are below 1e-17 of the sum, and
 * bounds the errors of S. */
DPPAIR_FN_ void dppair_lattice_finish_(dppair_lattice_ *l) {
  const double skipped = 1e-34; /* e^-DPPAIR_LATTICE_NOTHING_, rounded up */
  dppair_lattice_sums_ sums;
  int d;
  dppair_lattice_weigh_(&sums, l);
  for (d = 0; d < 2; d++) {
    double dropped = 0.0;
    l->used[d] = l->n / 2 + 1;
    while (l->used[d] > 1) {
      const size_t k = l->used[d] - 1;
      dropped += dppair_fabs_(l->re[d][k]) + dppair_fabs_(l->im[d][k]);
      if (!(dropped <= 1e-17 * sums.size[d])) break;
      l->used[d] = k;
    }
    /* transform and powers; nodes set to 0; then the kernel, the nodes dropped and the turning in
     * dppair_lattice_sum_, together below 1e-12 */
    l->error[d] = (l->trimmed ? 1.001 * (sums.drifted[d] + sums.kernel * skipped)
                              : sums.kernel * 1.001 * (dppair_expm1_(l->error[d]) + skipped)) +
                  1e-12 * sums.size[d];
  }
}

/* S(jh) of the upper (d = 0) or the lower law (1), up to the factor e^(log_k - c j h). */
DPPAIR_FN_ double dppair_lattice_sum_(const dppair_lattice_ *l, int d, int64_t j) {
  const double *re = l->re[d], *im = l->im[d];
  const double unit = 2.0 * DPPAIR_PI_ / (double)l->n;
  const uint64_t mask = (uint64_t)l->n - 1, turn = (uint64_t)j & mask;
  const double angle = -unit * (double)turn, tc = dppair_cos_(angle), ts = dppair_sin_(angle);
  double sum = 0.0;
  size_t k, block;
  for (block = 0; block < l->used[d]; block += 128) {
    /* e^(-2 pi i j k/n), exactly reduced once per block */
    const double at = -unit * (double)(((uint64_t)block * turn) & mask);
    double a = dppair_cos_(at), b = dppair_sin_(at), part = 0.0;
    const size_t end = block + 128 < l->used[d] ? block + 128 : l->used[d];
    for (k = block; k < end; k++) {
      const double t = a * tc - b * ts;
      part += re[k] * a - im[k] * b;
      b = a * ts + b * tc;
      a = t;
    }
    sum += part;
  }
  return sum;
}

/* What aliases add to S of the lower law at this epsilon at most (contour/theory.h): those of m <
 * 0, where delta <= 1, and the geometric series of those of m > 0, from the line c' = right_c. */
DPPAIR_FN_ double dppair_lattice_alias_(const dppair_lattice_ *l, double epsilon, double right_c) {
  const double period = (double)l->n * l->h, ratio = dppair_exp_(-(right_c - l->c) * period);
  double alias = dppair_exp_(-l->c * period) / -dppair_expm1_(-l->c * period);
  alias += ratio < 0.99
               ? dppair_exp_(l->log_right + dppair_contour_kernel_(right_c) - right_c * epsilon) *
                     ratio / (1.0 - ratio)
               : 1.0;
  return alias;
}

/* The bound of delta at j h: upper (d = 0) or lower (d = 1). */
DPPAIR_FN_ double dppair_lattice_delta_(const dppair_lattice_ *l, int d, int64_t j,
                                        double right_c) {
  const double epsilon = (double)j * l->h, c = l->c, exponent = l->log_k[d] - c * epsilon;
  const double slack =
      16.0 * DPPAIR_UNIT_ * (dppair_fabs_(l->log_k[d]) + dppair_fabs_(c * epsilon) + 1.0);
  double sum = dppair_lattice_sum_(l, d, j);
  const double wrong =
      l->error[d] + dppair_fabs_(sum) * slack +
      dppair_exp_(dppair_contour_kernel_(c)) * dppair_expm1_(l->kappa) * (1.0 + 1e-9);
  if (d == 0) {
    const double value = dppair_scaled_(sum + wrong, exponent) * (1.0 + 1e-14) + l->infinity;
    return sum + wrong > 0.0 ? dppair_delta_above_(value) : 1.0;
  }
  sum = dppair_scaled_(sum - wrong, exponent) * (1.0 - 1e-14) -
        dppair_lattice_alias_(l, epsilon, right_c) * (1.0 + 1e-9);
  return dppair_delta_below_((sum > 0.0 ? sum : 0.0) + l->certain);
}

/* The search for two neighbouring lattice points between which the bound crosses delta. */
typedef struct dppair_crossing_ {
  double low, at_low;   /* the last point known to be before the crossing and its bound; -1: none */
  double high, at_high; /* the first known to be behind it */
  double last, at_last; /* the point before the present one */
  double stride;        /* the shortest move while one side is missing, doubled each time */
} dppair_crossing_;

DPPAIR_FN_ int dppair_crossing_bracketed_(const dppair_crossing_ *x) {
  return x->low >= 0.0 && x->high >= 0.0;
}

/*
 * The point to try after j, where the bound is `value`. A secant in log delta, starting with the
 * slope -c h, aims at the other side of the crossing. While only one side is known, a move is at
 * least one stride and at most 10^4. A bracket cuts moves to its inside, and after 40 tries it is
 * halved.
 */
DPPAIR_FN_ double dppair_crossing_next_(dppair_crossing_ *x, double j, double value, double delta,
                                        double slope, int tries) {
  const int above = value > delta, inside = value > 0.0 && value < 1.0;
  double move;
  if (x->last >= 0.0 && x->at_last > 0.0 && inside && j != x->last) {
    const double secant = dppair_log_(value / x->at_last) / (j - x->last);
    if (secant < 0.0) slope = secant;
  }
  move = inside ? dppair_log_(delta / value) / slope : -x->stride;
  move = above ? dppair_floor_(move) + 1.0 : dppair_floor_(move);
  if (!dppair_crossing_bracketed_(x)) {
    const double longest = x->stride * 1e4;
    if (dppair_fabs_(move) > longest) move = move > 0.0 ? longest : -longest;
    if (above && move < x->stride) move = x->stride;
    if (!above && move > -x->stride) move = -x->stride;
    x->stride *= 2.0;
  }
  x->last = j;
  x->at_last = value;
  j += move;
  if (dppair_crossing_bracketed_(x)) {
    if (tries > 40)
      j = dppair_floor_(0.5 * (x->low + x->high));
    else if (j <= x->low)
      j = x->low + 1.0;
    else if (!(j < x->high))
      j = x->high - 1.0;
  }
  return j < 0.0 ? 0.0 : j;
}

/*
 * epsilon at which the bound equals delta; between lattice points the bounds are linear in
 * e^epsilon. guess: where to look first. Only two neighbouring points count, the bound above delta
 * at the one and not at the other; if none are found, the nearest safe point, 0 (lower) or infinity
 * (upper).
 */
DPPAIR_FN_ double dppair_lattice_epsilon_(const dppair_lattice_ *l, int d, double delta,
                                          double guess, double right_c) {
  const double farthest = 1e9; /* steps of the lattice */
  dppair_crossing_ x = {-1.0, 1.0, -1.0, 0.0, -1.0, 0.0, 1.0};
  double j = guess > 0.0 ? dppair_floor_(guess / l->h) : 0.0, part;
  int tries;
  for (tries = 0; tries < 120; tries++) {
    const double value = dppair_lattice_delta_(l, d, (int64_t)j, right_c);
    if (value > delta) {
      x.low = j;
      x.at_low = value;
    } else {
      x.high = j;
      x.at_high = value;
    }
    if (x.high == 0.0) return 0.0;
    if (dppair_crossing_bracketed_(&x) && x.high - x.low <= 1.0) break;
    j = dppair_crossing_next_(&x, j, value, delta, -l->c * l->h, tries);
    if (j > farthest) break;
  }
  if (!dppair_crossing_bracketed_(&x) || x.high - x.low > 1.0) {
    if (d == 1) return x.low > 0.0 ? x.low * l->h : 0.0;
    return x.high >= 0.0 ? x.high * l->h : HUGE_VAL;
  }
  part = x.at_low > x.at_high ? (x.at_low - delta) / (x.at_low - x.at_high) : 1.0;
  if (!(part >= 0.0)) part = 0.0;
  if (part > 1.0) part = 1.0;
  return x.low * l->h + dppair_log1p_(part * dppair_expm1_(l->h));
}

/* ---- src/accountant/lattice/setup.h ---------------------------------------------------------
 * What a composition on the lattice is made of
 *
 * The list of laws, the checks of tables, the choice of h, and the arrays in the workspace. A
 * composition keeps its steps in the dppair_contour_ of contour/theory.h.
 * ---------------------------------------------------------------------------------------------- */

/* The t-th law: of a step or, at t = count, of all plain Gaussian steps together. A law without
 * losses has the kind DPPAIR_LAW_NONE_. */
DPPAIR_FN_ dppair_status dppair_lattice_law_(dppair_law_ *law, const dppair_contour_ *s, size_t t) {
  dppair_status status;
  if (t < s->count) {
    status = dppair_law_of_(law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && (law->kind == DPPAIR_LAW_GAUSSIAN_ || law->steps == 0.0))
      law->kind = DPPAIR_LAW_NONE_;
    return status;
  }
  memset(law, 0, sizeof *law);
  if (s->variance > 0.0) {
    law->kind = DPPAIR_LAW_MIXTURE_;
    law->terms = 1;
    law->p[0] = 1.0;
    law->slip = 16.0 * DPPAIR_UNIT_;
    law->shift[0] = dppair_sqrt_(s->variance);
  }
  return DPPAIR_OK;
}

/* Are these masses >= 0, and is their sum with the infinite one 1? */
DPPAIR_FN_ dppair_status dppair_pld_table_check_(const double *mass, size_t size, int64_t first,
                                                 double infinity) {
  double sum = infinity;
  size_t i;
  if (mass == NULL) return DPPAIR_ERR_NULL;
  if (size == 0 || size > (size_t)1 << 26) return DPPAIR_ERR_SIZE;
  if (first > INT64_C(1000000000) || first < -INT64_C(1000000000)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(infinity) || !dppair_all_finite_f64(mass, size))
    return DPPAIR_ERR_NOT_FINITE;
  if (infinity < 0.0) return DPPAIR_ERR_DOMAIN;
  for (i = 0; i < size; i++) {
    if (mass[i] < 0.0) return DPPAIR_ERR_DOMAIN;
    sum += mass[i];
  }
  return dppair_fabs_(sum - 1.0) <= 1e-9 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* Checks the tables and adds them to the composition; one with a law of its own backwards asks for
 * both directions. */
DPPAIR_FN_ dppair_status dppair_pld_tables_(dppair_contour_ *s, int *directions,
                                            const dppair_pld_options_ *options) {
  size_t t;
  if (options->tables == NULL) return DPPAIR_ERR_NULL;
  s->tables = options->tables;
  s->table_count = options->table_count;
  for (t = 0; t < s->table_count; t++) {
    const dppair_loss_table_ *table = &s->tables[t];
    dppair_status status = dppair_pld_table_check_(table->forward, table->forward_size,
                                                   table->forward_first, table->forward_infinity);
    if (status == DPPAIR_OK && table->backward != NULL) {
      status = dppair_pld_table_check_(table->backward, table->backward_size, table->backward_first,
                                       table->backward_infinity);
      *directions = 2;
    }
    if (status != DPPAIR_OK) return status;
    if (table->steps == 0) return DPPAIR_ERR_STEPS;
    if (table->steps >= (size_t)1 << 30) return DPPAIR_ERR_OVERFLOW;
    s->total_steps += (double)table->steps;
  }
  return DPPAIR_OK;
}

/* The largest loss of the first step whose loss has atoms at both ends of its range, or 0. */
DPPAIR_FN_ double dppair_pld_atom_(const dppair_contour_ *s) {
  size_t t;
  for (t = 0; t < s->count; t++) {
    if (s->steps[t].steps > 0 && dppair_mechanism_is_pure_(s->steps[t].kind))
      return dppair_step_loss_(&s->steps[t]);
  }
  return 0.0;
}

/* *h = the finest lattice on which the transform spans this period and every step's losses; an atom
 * falls on it. */
DPPAIR_FN_ dppair_status dppair_pld_fit_(double *h, dppair_contour_ *s, size_t n, double period,
                                         double log_spend) {
  double span = period, e = dppair_pld_atom_(s);
  size_t t;
  dppair_law_ law;
  for (t = 0; t <= s->count; t++) {
    double low, high;
    dppair_status status = dppair_lattice_law_(&law, s, t);
    if (status != DPPAIR_OK) return status;
    dppair_cells_range_(&low, &high, &law, s->backward, log_spend);
    if (law.kind == DPPAIR_LAW_ALLOCATION_) {
      status = dppair_allocated_range_(&low, &high, s, &law);
      if (status != DPPAIR_OK) return status;
    }
    if (high - low > span) span = high - low;
  }
  *h = span / ((double)n - 16.0); /* dppair_cells_fill_ leaves at least 8 cells free */
  if (!(*h > 1e-8)) *h = 1e-8;
  if (e >= *h) *h = e / dppair_floor_(e / *h);
  return *h <= 0.25 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Lays the arrays out in the workspace, as dppair_pld_workspace_ counts them. */
DPPAIR_FN_ void dppair_pld_layout_(dppair_contour_ *s, dppair_lattice_ *l, double *workspace) {
  double *p = workspace + (s->count + s->table_count + 1) * 2 * DPPAIR_SEARCH_NODES_;
  size_t t;
  s->search = workspace;
  for (t = 0; t < 4; t++, p += l->n) l->buffer[t] = p;
  l->rise = p;
  p += l->n;
  l->cosine = p;
  l->sine = p + l->n / 4;
  p += l->n / 2;
  for (t = 0; t < 2; t++) {
    l->re[t] = p;
    l->im[t] = p + l->n / 2 + 1;
    p += l->n + 2;
  }
}

/* What both public functions check and set up; spend: what hits beyond the cap may cost of delta.
 * *directions is 1 when both directions are the same. */
DPPAIR_FN_ dppair_status dppair_pld_begin_(dppair_contour_ *s, dppair_lattice_ *l, int *directions,
                                           const dppair_step *steps, size_t count,
                                           const dppair_pld_options_ *options, double spend,
                                           double *workspace, size_t workspace_doubles) {
  size_t need;
  unsigned log2_size;
  int smooth;
  dppair_status status;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  memset(l, 0, sizeof *l);
  status = dppair_pld_workspace_(&need, count, options);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  status = dppair_pld_plan_(&l->h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  l->n = (size_t)1 << log2_size;
  l->automatic = l->h == 0.0;
  status = dppair_contour_begin_(s, directions, &smooth, steps, count, spend);
  if (status != DPPAIR_OK) return status;
  if (options != NULL && options->table_count > 0) {
    status = dppair_pld_tables_(s, directions, options);
    if (status != DPPAIR_OK) return status;
    if (l->h == 0.0) return DPPAIR_ERR_DOMAIN; /* tables state their lattice */
  } else if (l->h > 0.0) {
    const double e = dppair_pld_atom_(s);
    if (e > 0.0) l->h = e / dppair_ceil_(e / l->h);
  }
  s->grid_step = l->h;
  dppair_pld_layout_(s, l, workspace);
  s->spare = workspace + need;
  s->spares = workspace_doubles - need;
  dppair_fft_table_(l->cosine, l->sine, l->n);
  return DPPAIR_OK;
}

/* ---- src/accountant/lattice/answers.h -------------------------------------------------------
 * Answers of the lattice route
 *
 * Composes all steps in a direction, asks for delta or epsilon, and combines the directions. Relies
 * on setup.h, bounds.h and the search for c of the contour route.
 * ---------------------------------------------------------------------------------------------- */

/* Multiplies a step's law, or a table, into K as often as it runs. */
DPPAIR_FN_ dppair_status dppair_lattice_add_law_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                 dppair_contour_ *s, size_t t, double log_spend) {
  const size_t times = t < s->count ? dppair_step_runs_(&s->steps[t]) : 1;
  dppair_law_ law;
  dppair_status status = dppair_lattice_law_(&law, s, t);
  if (status != DPPAIR_OK || law.kind == DPPAIR_LAW_NONE_) return status;
  if (law.kind == DPPAIR_LAW_ALLOCATION_)
    return dppair_lattice_add_allocated_(l, cells, s, t, &law);
  status = dppair_cells_fill_(cells, &law, s->backward, log_spend);
  if (status != DPPAIR_OK) return status;
  if (l->trimmed) return dppair_lattice_multiply_small_(l, cells, s->right, times);
  return dppair_lattice_multiply_(l, cells, dppair_contour_search_log_(s, t, s->c),
                                  dppair_contour_search_log_(s, t, s->right), s->right, times);
}

DPPAIR_FN_ dppair_status dppair_lattice_add_table_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                   const dppair_contour_ *s, size_t t) {
  const dppair_loss_table_ *table = &s->tables[t];
  const int backward = s->backward && table->backward != NULL;
  const double *mass = backward ? table->backward : table->forward;
  const size_t size = backward ? table->backward_size : table->forward_size;
  const size_t place = s->count + 1 + t; /* among the laws of the search */
  if (size + 2 > l->n) return DPPAIR_ERR_NO_CONVERGENCE;
  memset(cells->right, 0, l->n * sizeof *cells->right);
  memset(cells->left, 0, l->n * sizeof *cells->left);
  memcpy(cells->left, mass, size * sizeof *mass);
  cells->first = backward ? table->backward_first : table->forward_first;
  cells->infinity = backward ? table->backward_infinity : table->forward_infinity;
  cells->loss_error = cells->mass_error = 0.0;
  cells->table = 1;
  return dppair_lattice_multiply_(l, cells, dppair_contour_search_log_(s, place, s->c),
                                  dppair_contour_search_log_(s, place, s->right), s->right,
                                  table->steps);
}

/* Composes the laws of all steps in one direction; s->c and s->right have been chosen. */
DPPAIR_FN_ dppair_status dppair_lattice_compose_(dppair_lattice_ *l, dppair_contour_ *s,
                                                 double log_spend) {
  size_t t, k;
  int d;
  dppair_cells_ cells;
  dppair_status status = DPPAIR_OK;
  l->c = s->c;
  l->kappa = l->infinity = l->certain = l->shift = l->log_right = l->drift = 0.0;
  for (d = 0; d < 2; d++) {
    l->log_k[d] = l->error[d] = 0.0;
    for (k = 0; k <= l->n / 2; k++) {
      l->re[d][k] = 1.0;
      l->im[d][k] = 0.0;
    }
  }
  memset(&cells, 0, sizeof cells);
  cells.h = l->h;
  cells.growth = dppair_exp_(l->h);
  cells.right = l->buffer[2];
  cells.left = l->buffer[3];
  cells.size = l->n;
  for (t = 0; status == DPPAIR_OK && t <= s->count; t++)
    status = dppair_lattice_add_law_(l, &cells, s, t, log_spend);
  for (t = 0; status == DPPAIR_OK && t < s->table_count; t++)
    status = dppair_lattice_add_table_(l, &cells, s, t);
  if (status != DPPAIR_OK) return status;
  l->infinity = -dppair_expm1_(l->infinity) * (1.0 + 1e-14);
  l->certain = -dppair_expm1_(l->certain) * (1.0 - 1e-14);
  /* the product of the errors is linear within the 1 % that drift has to spare */
  if (l->trimmed && !(l->drift * (1.0 + dppair_exp_(l->c * l->h)) + l->error[1] < 2e-3))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_finish_(l);
  return DPPAIR_OK;
}

/* Are fewer than 4 hits expected altogether, so that dppair_pld_refine_ can help? */
DPPAIR_FN_ int dppair_pld_rare_(const dppair_contour_ *s, const dppair_lattice_ *l) {
  double hits = 0.0;
  size_t t;
  dppair_law_ law;
  if (!l->automatic || s->table_count > 0) return 0;
  for (t = 0; t < s->count; t++) {
    if (dppair_law_of_(&law, &s->steps[t], s->tail) != DPPAIR_OK) continue;
    if (law.kind == DPPAIR_LAW_ALLOCATION_) return 0;
    if (dppair_branches_(&law) > 0) hits += law.steps * (1.0 - law.rest);
  }
  return hits > 0.0 && hits < 4.0;
}

/* log delta as it is used to cut tails: in [-600, -1], so that e^.. does not underflow. */
DPPAIR_FN_ double dppair_pld_clamp_(double log_delta) {
  if (log_delta > -1.0) return -1.0;
  return log_delta < -600.0 ? -600.0 : log_delta;
}

/*
 * Composes one direction for a question: log delta at an epsilon (for_delta), or epsilon at a log
 * delta. *guess: about the answer.
 *
 * Laws are cut where together e^-28 of delta is left, and c is chosen so that aliases are below
 * e^-26 of it. With `about`, epsilon and log delta or nearly so, laws are cut where e^-14.5, or
 * 1e-6 of delta, is left, and aliases of e^-15 will do. That is for steps that are hardly ever hit:
 * their losses are spread over many orders of magnitude, and e^(cL) with a c that suits the many
 * small losses leaves only the rare large ones. Shorter laws allow a finer lattice and a larger c.
 */
DPPAIR_FN_ dppair_status dppair_pld_prepare_(double *guess, dppair_contour_ *s, dppair_lattice_ *l,
                                             int for_delta, double given, const double *about) {
  const double digits = about != NULL ? 15.0 : 26.0;
  double best, log_spend = 0.0, c;
  dppair_status status;
  s->reach_c = 0.0;
  s->c_limit = l->automatic ? 1e4 : 0.05 / l->h; /* e^(ch): neighbours are tilted by 5 % at most */
  l->trimmed = about != NULL;
  s->trim = 0.0;
  if (about != NULL) {
    s->about[0] = about[0];
    s->about[1] = dppair_pld_clamp_(about[1]);
    s->trim = log_spend = s->about[1] - 14.5 - dppair_log_(s->total_steps + 1.0);
  }
  status = dppair_contour_saddle_(&best, s, for_delta, given);
  if (status != DPPAIR_OK) return status;
  c = s->c;
  status = dppair_contour_choose_(guess, s, for_delta, given, best, digits,
                                  about != NULL ? 0.0 : (double)l->n * l->h);
  if (status != DPPAIR_OK) return status;
  if (about == NULL)
    log_spend =
        dppair_pld_clamp_(for_delta ? *guess : given) - 28.0 - dppair_log_(s->total_steps + 1.0);
  if (l->automatic) { /* the lattice that fits, and then the line that fits the lattice */
    status = dppair_pld_fit_(&l->h, s, l->n, 2.0 * DPPAIR_PI_ / s->eta, log_spend);
    if (status != DPPAIR_OK) return status;
    s->c = c;
    status = dppair_contour_choose_(guess, s, for_delta, given, best, digits, (double)l->n * l->h);
    if (status != DPPAIR_OK) return status;
  }
  return dppair_lattice_compose_(l, s, log_spend);
}

/* Bounds of epsilon at delta in a direction that has been prepared; losses may be off by l->shift.
 * An infinite *high: mass at infinite loss exceeds delta. */
DPPAIR_FN_ void dppair_pld_between_(double *high, double *low, const dppair_contour_ *s,
                                    const dppair_lattice_ *l, double delta, double guess) {
  *high = dppair_lattice_epsilon_(l, 0, delta - s->failure, guess, s->right);
  if (!(*high >= 0.0)) *high = HUGE_VAL;
  if (*high > 0.0) *high += l->shift + 1e-13 * *high;
  *low = dppair_lattice_epsilon_(l, 1, delta, guess, s->right);
  *low -= l->shift + 1e-13 * *low;
}

/* Bounds of delta at epsilon in a direction that has been prepared: interpolated between the
 * lattice points around an epsilon that is moved outwards by what losses may be off. */
DPPAIR_FN_ dppair_status dppair_pld_beside_(double *high, double *low, const dppair_contour_ *s,
                                            const dppair_lattice_ *l, double epsilon) {
  double at[2];
  int d;
  at[0] = epsilon - l->shift - 1e-13 * epsilon;
  if (at[0] < 0.0) at[0] = 0.0;
  at[1] = epsilon + l->shift + 1e-13 * epsilon;
  if (!(at[1] / l->h < 1e9)) return DPPAIR_ERR_EPSILON;
  for (d = 0; d < 2; d++) {
    const int64_t j = (int64_t)dppair_floor_(at[d] / l->h);
    const double a = dppair_lattice_delta_(l, d, j, s->right);
    const double b = dppair_lattice_delta_(l, d, j + 1, s->right);
    const double part = dppair_expm1_(at[d] - (double)j * l->h) / dppair_expm1_(l->h);
    const double value = part > 0.0 ? (part < 1.0 ? a + part * (b - a) : b) : a;
    if (d == 0)
      *high = value * (1.0 + 1e-14) + s->failure;
    else
      *low = value * (1.0 - 1e-14);
  }
  return DPPAIR_OK;
}

/* Prepares a direction and asks it. */
DPPAIR_FN_ dppair_status dppair_pld_ask_(double *high, double *low, dppair_contour_ *s,
                                         dppair_lattice_ *l, const dppair_question_ *q,
                                         const double *about) {
  double guess;
  const double given = q->for_delta ? q->given : dppair_log_(q->given);
  const dppair_status status = dppair_pld_prepare_(&guess, s, l, q->for_delta, given, about);
  if (status != DPPAIR_OK) return status;
  if (q->for_delta) return dppair_pld_beside_(high, low, s, l, q->given);
  if (!(s->failure < 0.5 * q->given)) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_pld_between_(high, low, s, l, q->given, guess);
  return DPPAIR_OK;
}

/*
 * Improves the bounds of a direction in which few hits are expected, by dppair_pld_prepare_ with
 * `about`, while they are further apart than 1e-5 of epsilon or 1e-4 of delta and exceed `other`,
 * the other direction's lower bound. Each round starts from the bounds of the one before; rounds
 * end when one gains less than a tenth.
 */
DPPAIR_FN_ void dppair_pld_refine_(double *high, double *low, double other, dppair_contour_ *s,
                                   dppair_lattice_ *l, const dppair_question_ *q) {
  const double wide = q->for_delta ? 1e-4 : 1e-5, h = l->h;
  const int rounds = q->for_delta ? 3 : 4;
  int i;
  for (i = 0; i < rounds; i++) {
    const double before = *high, gap = before - *low;
    double about[2], less, more;
    if (!(before < HUGE_VAL && before > other && gap > wide * *low)) break;
    about[0] = q->for_delta ? q->given : *high;
    about[1] = dppair_log_(q->for_delta ? *high : q->given);
    if (dppair_pld_ask_(&less, &more, s, l, q, about) != DPPAIR_OK) break;
    if (less < *high) *high = less;
    if (more > *low) *low = more;
    if (!(q->for_delta ? *high - *low < 0.9 * gap : *high < 0.9 * before)) break;
  }
  l->h = h;
}

/* The larger of the directions' upper and lower bounds. */
DPPAIR_FN_ dppair_status dppair_pld_answer_(double *high, double *low, dppair_contour_ *s,
                                            dppair_lattice_ *l, int directions,
                                            const dppair_question_ *q) {
  const int rare = dppair_pld_rare_(s, l);
  const double most = q->for_delta ? 1.0 : HUGE_VAL;
  int d;
  *high = *low = 0.0;
  if (!(s->variance > 0.0) && s->total_steps == 0.0) return DPPAIR_OK;
  for (d = 0; d < directions; d++) {
    double above, below;
    dppair_status status;
    if (!dppair_question_asks_(q, directions, d)) continue;
    s->backward = d;
    status = dppair_pld_ask_(&above, &below, s, l, q, NULL);
    if (status != DPPAIR_OK) return status;
    if (rare) dppair_pld_refine_(&above, &below, *low, s, l, q);
    if (!(above <= *high)) *high = above >= 0.0 && above < most ? above : most;
    if (below > *low) *low = below;
  }
  if (s->merged) *low = 0.0;
  return DPPAIR_OK;
}

/* The estimate between two bounds: the upper law adds h^2/6 of variance to a step, and the lower
 * one takes h^2/3 away. */
DPPAIR_FN_ double dppair_pld_estimate_(double upper, double lower) {
  return dppair_estimate_(upper, lower, upper - (upper - lower) / 3.0);
}

/* Both directions, where hits beyond the cap may cost about `spend`, and did cost *paid: best[0] >=
 * the answer >= best[1]. */
DPPAIR_FN_ dppair_status dppair_pld_try_(double *best, double *paid, const dppair_question_ *q,
                                         const dppair_pld_options_ *options, double spend) {
  dppair_contour_ s;
  dppair_lattice_ l;
  dppair_tabled_ tabled;
  double above;
  int directions;
  dppair_status status = dppair_pld_begin_(&s, &l, &directions, q->steps, q->count, options, spend,
                                           q->work, q->doubles);
  best[0] = best[1] = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  *paid = s.failure;
  memset(&tabled, 0, sizeof tabled);
  s.tabled = &tabled;
  status = dppair_pld_answer_(&best[0], &best[1], &s, &l, directions, q);
  if (status != DPPAIR_OK || !s.replaced) return status;
  s.below = 1; /* the lower bound is that of another pair */
  if (dppair_pld_answer_(&above, &best[1], &s, &l, directions, q) != DPPAIR_OK) best[1] = 0.0;
  return DPPAIR_OK;
}

/*
 * What the lattice says about the steps' dominating pairs, within O(T h^2): any steps that have
 * them, and tables (options; NULL: none, the finest lattice of 2^18 points). `upper` is infinite
 * when the mass at infinite loss exceeds delta. Where delta is asked for, what hits beyond the cap
 * may cost is lowered until it is nothing beside the answer. NO_CONVERGENCE: a loss spans more than
 * the transform; other errors are those of dppair_contour_answer_.
 */
DPPAIR_FN_ dppair_status dppair_pld_bounds_(dppair_interval *interval, const dppair_question_ *q,
                                            const dppair_pld_options_ *options) {
  const double most = q->for_delta ? 2.0 : HUGE_VAL;
  double best[2] = {most, 0.0}, spend = dppair_spend_(q->for_delta, q->given);
  memset(interval, 0, sizeof *interval);
  interval->route = DPPAIR_ROUTE_LATTICE;
  do {
    double paid, now[2];
    const dppair_status status = dppair_pld_try_(now, &paid, q, options, spend);
    if (status != DPPAIR_OK && best[0] >= most) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 2)) break;
    spend = q->for_delta ? dppair_spend_less_(spend, paid, best) : 0.0;
  } while (spend > 0.0);
  interval->upper = best[0];
  interval->lower = best[1];
  interval->estimate = dppair_pld_estimate_(best[0], best[1]);
  return DPPAIR_OK;
}

/* ---- src/accountant/single_run.h ------------------------------------------------------------
 * One run of one step: closed forms
 *
 * Let x be the place where the two densities have the ratio t = e^epsilon. Subtracting 0 = (ratio -
 * t) times the tail beyond x turns the hockey stick into a sum of Gaussian ones, all of them
 * positive: with e_k = b_k x - b_k^2/2 and G(e, b) the Gaussian curve at any real e,
 *   forward   delta = sum p_k G(e_k, b_k)                           epsilon =  log r(x)
 *   backward  delta = sum p_k exp(e_k) G(-e_k, b_k) / r(x)          epsilon = -log r(x)
 *   opposite  delta = sum p_k G(e_k, b_k)
 *                   + e^epsilon sum p_k exp(f_k) G(-f_k, b_k)       epsilon = log r(x)/r(-x)
 * with f_k = -b_k x - b_k^2/2. So every x is a point of the curve, and the root in x is needed only
 * to the digits that are wanted. Amplified: gamma sum p_k G(log(1 + (t-1)/gamma), b_k).
 * Relies on dominating_pairs.h and gaussian_curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* A point of the curve: epsilon is within [low, high], log delta there within [below, above]. */
typedef struct dppair_single_point_ {
  double low, high, below, above;
} dppair_single_point_;

/* A bound of log G(epsilon, b) at any real epsilon, from above or from below. */
DPPAIR_FN_ double dppair_single_log_(double epsilon, double b, int above) {
  if (epsilon < 0.0) { /* not where it is NaN: that would come back as NaN for ever */
    const double rest = dppair_exp_(dppair_single_log_(-epsilon, b, above));
    const double value = dppair_log_(-dppair_expm1_(epsilon) + dppair_exp_(epsilon) * rest);
    return value + (above ? 1e-14 : -1e-14);
  } else {
    const double value = dppair_curve_(epsilon, b).log_delta,
                 slack = dppair_curve_log_slack_(value);
    if (!above) return value - slack;
    return value + slack < 0.0 ? value + slack : 0.0;
  }
}

/* log delta of a law with a branch at x, from below in sum[0] and from above in sum[1]. Epsilon at
 * x is the loss there; every exponent is moved outwards by its rounding. */
DPPAIR_FN_ void dppair_single_branch_(double *sum, const dppair_branch_ *branch, double x,
                                      double loss) {
  size_t k;
  int above;
  for (k = 0; k < branch->terms; k++) {
    const double b = branch->b[k], e = b * x - 0.5 * b * b, f = -b * x - 0.5 * b * b;
    const double wrong = 8.0 * DPPAIR_UNIT_ * b * (dppair_fabs_(x) + b),
                 log_p = dppair_log_(branch->p[k]);
    for (above = 0; above < 2; above++) {
      const double move = above ? wrong : -wrong;
      if (branch->shape == DPPAIR_BACKWARD_)
        sum[above] = dppair_log_add_(sum[above], log_p + e + loss + move +
                                                     dppair_single_log_(move - e, b, above));
      else
        sum[above] = dppair_log_add_(sum[above], log_p + dppair_single_log_(e - move, b, above));
      if (branch->shape == DPPAIR_OPPOSITE_)
        sum[above] = dppair_log_add_(sum[above], log_p + f + loss + move +
                                                     dppair_single_log_(move - f, b, above));
    }
  }
}

/* log delta of an amplified law at epsilon u, from above or from below. */
DPPAIR_FN_ double dppair_single_amplified_(const dppair_law_ *law, double u, int above) {
  const double unit = DPPAIR_UNIT_, sign = above ? 1.0 : -1.0;
  const double odds =
      u < 30.0 ? dppair_log1p_(dppair_expm1_(u) / law->gamma)
               : u - dppair_log_(law->gamma) + dppair_log1p_((law->gamma - 1.0) * dppair_exp_(-u));
  const double wrong = 16.0 * unit * odds + (law->slip + 16.0 * unit) * (odds < 1.0 ? odds : 1.0);
  double e = odds - sign * wrong, sum = -HUGE_VAL;
  size_t k;
  if (!(e > 0.0)) e = 0.0;
  for (k = 0; k < law->terms; k++)
    sum = dppair_log_add_(sum, dppair_log_(law->gamma * law->p[k]) +
                                   dppair_single_log_(e, law->shift[k], above));
  return sum;
}

/* The same of a law without a branch to walk along; at epsilon >= 0 the positive part of a Gaussian
 * loss has the Gaussian curve. Laplace: 1 - e^((epsilon - e)/2); randomised
 * response: (1 - e^(epsilon - e))/(1 + e^-e); both up to epsilon = e. */
DPPAIR_FN_ double dppair_single_closed_(const dppair_law_ *law, double u, int above) {
  const double mu = law->mu * (1.0 + (above ? 1.0 : -1.0) * 8.0 * DPPAIR_UNIT_), remote = u - mu;
  if (law->kind == DPPAIR_LAW_AMPLIFIED_) return dppair_single_amplified_(law, u, above);
  if (law->kind == DPPAIR_LAW_GAUSSIAN_ || law->kind == DPPAIR_LAW_POSITIVE_)
    return dppair_single_log_(u, mu, above);
  if (!(remote < 0.0)) return -HUGE_VAL;
  return law->kind == DPPAIR_LAW_LAPLACE_
             ? dppair_log_(-dppair_expm1_(0.5 * remote))
             : dppair_log_(-dppair_expm1_(remote)) - dppair_log1p_(dppair_exp_(-law->mu));
}

/* The point with parameter u, which increases with epsilon: x, -x (backward), or epsilon itself. */
DPPAIR_FN_ void dppair_single_at_(dppair_single_point_ *point, const dppair_law_ *law,
                                  const dppair_branch_ *branch, double u) {
  double sum[2] = {-HUGE_VAL, -HUGE_VAL}, slack;
  int above;
  if (branch->terms > 0) {
    const double x = branch->shape == DPPAIR_BACKWARD_ ? -u : u;
    dppair_place_ place;
    dppair_place_of_(&place, branch, x);
    point->low = place.loss - place.loss_error;
    point->high = place.loss + place.loss_error;
    slack = branch->slip + 64.0 * DPPAIR_UNIT_ + 2.0 * place.loss_error;
    dppair_single_branch_(sum, branch, x, place.loss);
  } else {
    point->low = point->high = u;
    slack = law->slip + 64.0 * DPPAIR_UNIT_;
    for (above = 0; above < 2; above++) sum[above] = dppair_single_closed_(law, u, above);
  }
  for (above = 0; above < 2; above++) {
    const double more = slack + 8.0 * DPPAIR_UNIT_ * dppair_fabs_(sum[above]);
    if (sum[above] > -DBL_MAX) sum[above] += above ? more : -more;
  }
  point->below = sum[0];
  point->above = sum[1] < 0.0 ? sum[1] : (sum[1] >= 0.0 ? 0.0 : HUGE_VAL); /* no NaN */
}

/* Questions to a point whose answers change once, from no to yes, as the parameter grows. */
enum {
  DPPAIR_SINGLE_DELTA_MET_ = 0,   /* log delta is surely at most the given one */
  DPPAIR_SINGLE_DELTA_BELOW_ = 1, /* log delta may be below the given one */
  DPPAIR_SINGLE_PASSES_ = 2,      /* epsilon may be above the given one */
  DPPAIR_SINGLE_PAST_ = 3         /* epsilon is surely at least the given one */
};

DPPAIR_FN_ int dppair_single_past_(dppair_single_point_ *point, const dppair_law_ *law,
                                   const dppair_branch_ *branch, double u, int question,
                                   double given) {
  dppair_single_at_(point, law, branch, u);
  return question == DPPAIR_SINGLE_DELTA_MET_     ? point->above <= given
         : question == DPPAIR_SINGLE_DELTA_BELOW_ ? !(point->below >= given)
         : question == DPPAIR_SINGLE_PASSES_      ? !(point->high <= given)
                                                  : point->low >= given;
}

/* No curve is followed further than this parameter. */
#define DPPAIR_SINGLE_FAR_ 1e7

/* The last parameter before the change and the first one past it, by doubling strides and
 * bisection. 0: no change was found; -1: it is at epsilon 0 or before. */
DPPAIR_FN_ int dppair_single_find_(double *before, double *past, const dppair_law_ *law,
                                   const dppair_branch_ *branch, int question, double given) {
  double low = branch->terms == 0 || branch->shape != DPPAIR_BACKWARD_ ? 0.0 : -0.5 * branch->reach;
  double high = low + 1.0, stride = 1.0;
  dppair_single_point_ point;
  int i;
  for (i = 0; dppair_single_past_(&point, law, branch, low, question, given); i++) {
    if (branch->terms == 0 || i >= 8) { /* at epsilon 0 or before it already */
      *before = *past = low;
      return -1;
    }
    low -= 0.5;
  }
  while (!dppair_single_past_(&point, law, branch, high, question, given)) {
    low = high;
    stride *= 2.0;
    high += stride;
    if (high > DPPAIR_SINGLE_FAR_) return 0;
  }
  for (i = 0; i < 100 && high - low > 2.0 * DPPAIR_UNIT_ * (dppair_fabs_(high) + 1e-3); i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_single_past_(&point, law, branch, middle, question, given))
      high = middle;
    else
      low = middle;
  }
  *before = low;
  *past = high;
  return 1;
}

/* Bounds of delta at epsilon in one direction: log delta just before the parameter passes epsilon
 * is an upper bound, log delta just past it a lower one. */
DPPAIR_FN_ void dppair_single_delta_(double *high, double *low, const dppair_law_ *law,
                                     const dppair_branch_ *branch, double epsilon) {
  const int closed = branch->terms == 0; /* epsilon itself is the parameter */
  double before = 0.0, past = 0.0;
  dppair_single_point_ point;
  int found = dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_PASSES_, epsilon);
  if (closed) before = epsilon;
  if (found >= 0 || closed) {
    /* backward losses end at -log P(no hit): then any point is before */
    dppair_single_at_(&point, law, branch, found == 0 ? DPPAIR_SINGLE_FAR_ : before);
    *high = dppair_scaled_(1.0 + 4e-15, point.above);
    if (point.above > -DBL_MAX) *high = dppair_delta_above_(*high);
  }
  found = dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_PAST_, epsilon);
  if (closed) past = epsilon;
  if (found > 0 || closed) {
    dppair_single_at_(&point, law, branch, past);
    *low = dppair_delta_below_(dppair_scaled_(1.0 - 4e-15, point.below));
  }
}

/* Bounds of epsilon in one direction. Of delta, `failure` is spent on hits beyond the cap. */
DPPAIR_FN_ dppair_status dppair_single_epsilon_(double *high, double *low, const dppair_law_ *law,
                                                const dppair_branch_ *branch, double delta,
                                                double failure) {
  const double less = dppair_log_((delta - failure) * (1.0 - 4e-16)) - 4e-16;
  const double more = dppair_log_(delta * (1.0 + 4e-16)) + 4e-16;
  double before = 0.0, past = 0.0;
  dppair_single_point_ point;
  const int found =
      dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_DELTA_MET_, less);
  if (found == 0) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_single_at_(&point, law, branch, past);
  *high = found < 0 || point.high <= 0.0 ? 0.0 : point.high;
  if (dppair_single_find_(&before, &past, law, branch, DPPAIR_SINGLE_DELTA_BELOW_, more) > 0) {
    dppair_single_at_(&point, law, branch, before);
    *low = point.low > 0.0 ? point.low : 0.0;
  }
  return DPPAIR_OK;
}

/* Epsilon at delta, or delta at epsilon, of one run of one step. spend: what hits beyond the cap
 * may cost; *paid: what they do, contained in *upper. */
DPPAIR_FN_ dppair_status dppair_single_(double *upper, double *lower, double *paid,
                                        const dppair_step *step, const dppair_question_ *q,
                                        double spend) {
  const int for_delta = q->for_delta;
  const double given = q->given;
  dppair_law_ law;
  dppair_branch_ branch;
  dppair_status status = dppair_law_of_(&law, step, spend);
  int d, directions;
  *upper = *lower = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  if (law.kind == DPPAIR_LAW_NONE_) return DPPAIR_OK;
  if (law.kind == DPPAIR_LAW_ALLOCATION_) return DPPAIR_ERR_NO_PROOF;
  *paid = law.failure;
  if (!for_delta && !(law.failure < 0.5 * given)) return DPPAIR_ERR_NO_CONVERGENCE;
  directions = law.kind == DPPAIR_LAW_MIXTURE_ ? 2 : 1;
  for (d = 0; d < directions; d++) {
    double high = HUGE_VAL, low = 0.0;
    if (!dppair_question_asks_(q, directions, d)) continue;
    memset(&branch, 0, sizeof branch);
    if (law.kind == DPPAIR_LAW_MIXTURE_ || law.kind == DPPAIR_LAW_OPPOSITE_)
      dppair_branch_of_(&branch, &law, 0, d);
    if (for_delta)
      dppair_single_delta_(&high, &low, &law, &branch, given);
    else
      status = dppair_single_epsilon_(&high, &low, &law, &branch, given, law.failure);
    if (status != DPPAIR_OK) return status;
    if (!(high <= *upper)) *upper = high >= 0.0 ? high : HUGE_VAL;
    if (low > *lower && !law.merged) *lower = low;
  }
  if (for_delta && (law.failure > 0.0 || *upper > 1.0)) {
    const double all = *upper + law.failure * (1.0 + 1e-9);
    *upper = all < 1.0 ? all : 1.0;
  }
  return dppair_isfinite_f64(*upper) && *lower <= *upper ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* ---- src/accountant/routes.h ----------------------------------------------------------------
 * The certified routes
 *
 * Each writes a bracket: the closed forms, the lattice with a transform as long as it takes, the
 * sum of pure epsilons, the Renyi orders. What one needs of memory.
 * ---------------------------------------------------------------------------------------------- */

/* The transform's length on the lattice is 2^15 at first, which is enough for few steps, and 2^18
 * at most. */
enum { DPPAIR_COMPOSE_LOG2_FIRST_ = 15, DPPAIR_COMPOSE_LOG2_ = 18 };

/* Doubles that any route needs for `count` distinct steps; allocated: some may be of allocated
 * records, whose tables lie behind the rest. */
DPPAIR_FN_ dppair_status dppair_compose_doubles_(size_t *doubles, size_t count, int allocated) {
  const size_t table = allocated ? dppair_allocation_largest_() : 0;
  dppair_pld_options_ options;
  size_t contour = 0, lattice = 0;
  dppair_status status;
  *doubles = 0;
  memset(&options, 0, sizeof options);
  options.log2_size = DPPAIR_COMPOSE_LOG2_;
  status = dppair_contour_workspace_(&contour, count);
  if (status == DPPAIR_OK) status = dppair_pld_workspace_(&lattice, count, &options);
  if (status == DPPAIR_OK && lattice > SIZE_MAX / sizeof(double) - table)
    status = DPPAIR_ERR_OVERFLOW;
  lattice += table;
  if (status == DPPAIR_OK) *doubles = contour > lattice ? contour : lattice;
  return status;
}

/* Are there allocated records among the steps? */
DPPAIR_FN_ int dppair_steps_allocated_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (steps[t].sampling.kind == DPPAIR_ALLOCATION) return 1;
  return 0;
}

/* *bytes of workspace that dppair_compose needs for `count` distinct steps (28 MB, and 33 kB a
 * step), at any alignment; 16 MB where no records are allocated. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_workspace(size_t *bytes, size_t count) {
  size_t doubles;
  dppair_status status;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_compose_doubles_(&doubles, count, 1);
  return status == DPPAIR_OK ? dppair_doubles_bytes_(bytes, doubles) : status;
}

/* 1 when a pair of data sets attains the dominating pairs of all steps at once, so that a lower
 * bound for the pairs is one for the mechanism. Fixed-size samples take their pair from two pairs
 * of data sets, one for t >= 1 and one for t < 1: attained by a single run alone. */
DPPAIR_FN_ int dppair_steps_attained_(const dppair_step *steps, size_t count) {
  double runs = 0.0;
  int single = 0;
  size_t t;
  for (t = 0; t < count; t++) {
    int attained;
    runs += (double)dppair_step_runs_(&steps[t]);
    if (dppair_step_check_(&steps[t]) != DPPAIR_OK) return 0;
    attained = dppair_step_charge_(&steps[t]).attained;
    if (attained == DPPAIR_ATTAINED_NEVER_) return 0;
    if (attained == DPPAIR_ATTAINED_ONCE_) single = 1;
  }
  return !single || runs <= 1.0;
}

/* The sum of the steps' pure epsilons, rounded up. */
DPPAIR_FN_ double dppair_steps_pure_(const dppair_step *steps, size_t count) {
  double pure = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    double e = dppair_step_pure_(&steps[t]);
    if (steps[t].steps > 1) e = dppair_up_(e * dppair_up_((double)steps[t].steps));
    pure = dppair_add_up_(pure, e);
  }
  return pure;
}

/* What the laws of all runs leave out of their losses, rounded up; pure laws leave out nothing. */
DPPAIR_FN_ double dppair_steps_surplus_(const dppair_step *steps, size_t count) {
  double sum = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (dppair_mechanism_is_pure_(steps[t].kind)) continue;
    sum = dppair_add_up_(sum, dppair_up_(dppair_step_surplus_(&steps[t]) *
                                         dppair_up_((double)steps[t].steps)));
  }
  return sum;
}

/* What dppair_accountant_answer_ says of the steps. */
DPPAIR_FN_ dppair_status dppair_steps_answer_(dppair_interval *b, const dppair_question_ *q,
                                              int renyi) {
  dppair_accountant a;
  dppair_status status = dppair_accountant_init(&a);
  size_t t;
  for (t = 0; t < q->count && status == DPPAIR_OK; t++) {
    status = dppair_accountant_step(&a, &q->steps[t]);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &a, status));
  }
  if (status != DPPAIR_OK) return status;
  return renyi ? dppair_accountant_renyi_(b, &a, q->for_delta, q->given)
               : dppair_accountant_answer_(b, &a, q->for_delta, q->given);
}

/* The sum of pure epsilons alone. For delta it says something from that sum on. */
DPPAIR_FN_ dppair_status dppair_bracket_pure_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  const dppair_status status = dppair_steps_answer_(b, q, 0); /* checks the steps */
  if (status != DPPAIR_OK && status != DPPAIR_ERR_OVERFLOW) return status;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_PURE;
  if (!(pure <= (q->for_delta ? q->given : DBL_MAX))) return DPPAIR_ERR_NO_PROOF;
  b->upper = b->estimate = q->for_delta ? 0.0 : pure;
  return DPPAIR_OK;
}

/* Is a perturbed objective among the steps? */
DPPAIR_FN_ int dppair_steps_objective_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (dppair_mechanism_is_objective_(steps[t].kind)) return 1;
  return 0;
}

/* The bounds that need no composition, where they are better: the sum of pure epsilons always; the
 * closed form of an objective; the best Renyi order, which takes longer, only when b is more than
 * 1e-3 wide. 0: none is better. */
DPPAIR_FN_ int dppair_bracket_improve_(dppair_interval *b, const dppair_question_ *q) {
  const double pure = dppair_steps_pure_(q->steps, q->count);
  dppair_interval other;
  int improved = 0;
  if (q->for_delta ? q->given >= pure : pure < b->upper) {
    b->upper = q->for_delta ? 0.0 : pure;
    b->route = DPPAIR_ROUTE_PURE;
    improved = 1;
  }
  if ((dppair_steps_objective_(q->steps, q->count) ||
       !(b->upper <= DBL_MAX && b->upper - b->lower <= 1e-3 * b->upper)) &&
      dppair_steps_answer_(&other, q, 0) == DPPAIR_OK && other.upper < b->upper) {
    b->upper = other.upper;
    b->order = other.order;
    b->route = other.route;
    improved = 1;
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return improved;
}

/* The only step with a run, when that is a single one; else NULL. */
DPPAIR_FN_ const dppair_step *dppair_steps_single_(const dppair_step *steps, size_t count) {
  const dppair_step *only = NULL;
  size_t t;
  for (t = 0; t < count; t++) {
    if (steps[t].steps == 0) continue;
    if (only != NULL || dppair_step_runs_(&steps[t]) != 1) return NULL;
    only = &steps[t];
  }
  return only;
}

/* 1 when all steps are plain Gaussian ones, which together are one with this mu, rounded up. */
DPPAIR_FN_ int dppair_steps_gaussian_(double *mu, const dppair_step *steps, size_t count) {
  double squares = 0.0;
  size_t t;
  for (t = 0; t < count; t++) {
    if (!dppair_mechanism_is_gaussian_(steps[t].kind)) return 0;
    squares += (double)steps[t].steps / steps[t].noise_multiplier / steps[t].noise_multiplier;
  }
  *mu = dppair_sqrt_(squares * (1.0 + 1e-15 * (double)(count + 4)));
  return 1;
}

/* A bracket is tight enough: further work is not worth it. */
DPPAIR_FN_ int dppair_bracket_tight_(const dppair_interval *b, double relative) {
  return b->upper - b->lower <= relative * b->lower || b->upper <= 0.0;
}

/* The exact curve of plain Gaussian steps; NO_PROOF when there are others. */
DPPAIR_FN_ dppair_status dppair_bracket_gaussian_(double *closed, const dppair_question_ *q) {
  double mu;
  if (!dppair_steps_gaussian_(&mu, q->steps, q->count)) return DPPAIR_ERR_NO_PROOF;
  return q->for_delta ? dppair_gaussian_delta(closed, q->given, mu)
                      : dppair_gaussian_epsilon(closed, q->given, mu);
}

/* The closed form of a single run of a single step; NO_PROOF when there is more. Where hits beyond
 * the cap matter beside delta, a second try spends less on them. */
DPPAIR_FN_ dppair_status dppair_bracket_single_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_step *only = dppair_steps_single_(q->steps, q->count);
  double spend = dppair_spend_(q->for_delta, q->given), paid;
  dppair_interval less;
  dppair_status status = DPPAIR_ERR_NO_PROOF;
  if (only == NULL) return status;
  memset(b, 0, sizeof *b);
  b->route = DPPAIR_ROUTE_CLOSED;
  status = dppair_single_(&b->upper, &b->lower, &paid, only, q, spend);
  if (status == DPPAIR_OK && q->for_delta) {
    const double best[2] = {b->upper, b->lower};
    spend = dppair_spend_less_(spend, paid, best);
    if (spend > 0.0 &&
        dppair_single_(&less.upper, &less.lower, &paid, only, q, spend) == DPPAIR_OK) {
      b->upper = less.upper;
      b->lower = less.lower;
    }
  }
  b->estimate = b->upper;
  return status;
}

/* The lattice's answer with a transform of 2^log2_size points. */
DPPAIR_FN_ dppair_status dppair_bracket_lattice_(dppair_interval *b, const dppair_question_ *q,
                                                 unsigned log2_size) {
  dppair_pld_options_ options;
  memset(&options, 0, sizeof options);
  options.log2_size = log2_size;
  return dppair_pld_bounds_(b, q, &options);
}

/* Does some step replace allocated records? The two pairs that enclose it are up to 40 % apart. */
DPPAIR_FN_ int dppair_steps_replaced_(const dppair_step *steps, size_t count) {
  size_t t;
  for (t = 0; t < count; t++)
    if (steps[t].sampling.kind == DPPAIR_ALLOCATION &&
        dppair_allocation_replaces_(&steps[t].sampling))
      return 1;
  return 0;
}

/* The lattice's answer, with a transform as long as it takes. The width is O(h^2), so that twice
 * the length makes a width of up to 3 times the wanted one narrow enough. */
DPPAIR_FN_ dppair_status dppair_bracket_lattices_(dppair_interval *b, const dppair_question_ *q,
                                                  double wanted) {
  unsigned log2_size = DPPAIR_COMPOSE_LOG2_FIRST_;
  if (dppair_steps_replaced_(q->steps, q->count))
    return dppair_bracket_lattice_(b, q, DPPAIR_COMPOSE_LOG2_FIRST_ + 1);
  for (;;) {
    const dppair_status status = dppair_bracket_lattice_(b, q, log2_size);
    if (log2_size == DPPAIR_COMPOSE_LOG2_) return status;
    if (status == DPPAIR_OK && dppair_bracket_tight_(b, wanted)) return status;
    if (status == DPPAIR_OK && dppair_bracket_tight_(b, 3.0 * wanted))
      log2_size++;
    else
      log2_size = DPPAIR_COMPOSE_LOG2_;
  }
}

/* ---- src/accountant/allocation/routes.h -----------------------------------------------------
 * The route of epochs of one allocation
 *
 * The table of all batches, and where it has no answer that of fewer. Relies on
 * accountant/routes.h.
 * ---------------------------------------------------------------------------------------------- */

/* The steps as epochs of one allocation: all alike but for the numbers of steps and of groups. */
DPPAIR_FN_ dppair_status dppair_steps_epochs_(dppair_law_ *law, size_t *epochs,
                                              const dppair_step *steps, size_t count) {
  const dppair_sampling *first = count > 0 ? &steps[0].sampling : NULL;
  double sum = 0.0;
  dppair_status status;
  size_t t;
  *epochs = 0;
  if (first == NULL || first->kind != DPPAIR_ALLOCATION) return DPPAIR_ERR_NO_PROOF;
  status = dppair_law_of_(law, &steps[0], 0.0);
  if (status == DPPAIR_OK && law->kind != DPPAIR_LAW_ALLOCATION_) status = DPPAIR_ERR_NO_PROOF;
  for (t = 0; status == DPPAIR_OK && t < count; t++) {
    const dppair_sampling *s = &steps[t].sampling;
    status = dppair_step_check_(&steps[t]);
    if (status == DPPAIR_OK &&
        (s->kind != DPPAIR_ALLOCATION || s->adjacency != first->adjacency ||
         dppair_allocation_batches_(s) != dppair_allocation_batches_(first) ||
         memcmp(&steps[t].noise_multiplier, &law->noise, sizeof law->noise) != 0))
      status = DPPAIR_ERR_NO_PROOF;
    sum += (double)dppair_step_runs_(&steps[t]);
  }
  if (status == DPPAIR_OK && !(sum <= DPPAIR_ALLOCATION_EPOCHS_MOST_)) status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) *epochs = (size_t)sum;
  return status;
}

/* Epochs of one law of allocation, by the table of `batches` alone. */
DPPAIR_FN_ dppair_status dppair_bracket_epochs_(dppair_interval *b, const dppair_question_ *q,
                                                const dppair_law_ *law, size_t batches,
                                                size_t epochs) {
  const dppair_adjacency adjacency = q->steps[0].sampling.adjacency;
  return q->for_delta ? dppair_allocation_delta_(b, law->noise, batches, epochs, q->given,
                                                 adjacency, q->only, q->work, q->doubles)
                      : dppair_allocation_epsilon_(b, law->noise, batches, epochs, q->given,
                                                   adjacency, q->only, q->work, q->doubles);
}

/* The same where that table has no answer: the lattice's, or what is known of the most batches, of
 * a half, a quarter .. of them, whose table has one. All curves fall with the number of batches
 * (mechanisms/allocation.h), and of one there is a closed form. */
DPPAIR_RARE_ dppair_status dppair_bracket_fewer_(dppair_interval *b, const dppair_question_ *q,
                                                 const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval other;
  dppair_status status = dppair_bracket_lattices_(b, q, 1e-3);
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, 1e-3)) return DPPAIR_OK;
  if (status != DPPAIR_OK) {
    memset(b, 0, sizeof *b);
    b->upper = HUGE_VAL;
  }
  do {
    batches /= 2;
    status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
  } while (batches > 1 && status == DPPAIR_ERR_NO_CONVERGENCE);
  if (status == DPPAIR_OK && other.upper < b->upper) {
    b->upper = b->estimate = other.upper;
    b->route = other.route;
  }
  return b->upper <= DBL_MAX ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Replace-one: where the table of all batches does not bound the comonotone pair from above, *b
 * says what plain noise does, whatever the number of batches; the table of fewer then says less. */
DPPAIR_RARE_ void dppair_bracket_replaced_(dppair_interval *b, const dppair_question_ *q,
                                           const dppair_law_ *law, size_t epochs) {
  size_t batches = law->batches;
  dppair_interval plain, other;
  if (dppair_bracket_epochs_(&plain, q, law, 2, epochs) != DPPAIR_OK) return;
  if (b->upper < plain.upper) return;
  while ((batches /= 2) > 2) {
    const dppair_status status = dppair_bracket_epochs_(&other, q, law, batches, epochs);
    if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE) return;
    if (status != DPPAIR_OK || !(other.upper < b->upper)) continue;
    b->upper = other.upper;
    b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
    return;
  }
}

/* Epochs of one allocation, and nothing else: by the table, without a transform, where it has an
 * answer. */
DPPAIR_RARE_ dppair_status dppair_bracket_allocation_(dppair_interval *b,
                                                      const dppair_question_ *q) {
  dppair_law_ law;
  size_t epochs;
  dppair_status status = dppair_steps_epochs_(&law, &epochs, q->steps, q->count);
  if (status != DPPAIR_OK) return status;
  status = dppair_bracket_epochs_(b, q, &law, law.batches, epochs);
  if (status == DPPAIR_ERR_NO_CONVERGENCE) status = dppair_bracket_fewer_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.batches > 2 &&
      dppair_adjacency_move_(q->steps[0].sampling.adjacency) == DPPAIR_REPLACE_ONE)
    dppair_bracket_replaced_(b, q, &law, epochs);
  if (status == DPPAIR_OK && law.merged) b->lower = 0.0;
  return status;
}

/* ---- src/accountant/compose.h ---------------------------------------------------------------
 * The tightest certified route
 *
 * dppair_compose: the exact curve, the contour, the lattice and the bounds that need no
 * composition, in the order in which they are usually best, until one is tight.
 * ---------------------------------------------------------------------------------------------- */

/* The answer for the dominating pairs. The contour is usually tighter by far, so that the other
 * routes are asked only where it stays wider than `enough`, or has no answer. */
DPPAIR_FN_ dppair_status dppair_bracket_of_(dppair_interval *b, const dppair_question_ *q) {
  const double enough = q->for_delta ? 1e-3 : 1e-5, wanted = q->for_delta ? 1e-3 : 5e-5;
  dppair_interval other;
  dppair_status status;
  double closed;
  if (dppair_bracket_allocation_(b, q) == DPPAIR_OK) return DPPAIR_OK;
  status = dppair_contour_answer_(b, q);
  if (status != DPPAIR_OK && status != DPPAIR_ERR_NO_CONVERGENCE && status != DPPAIR_ERR_NO_PROOF)
    return status;
  if (dppair_bracket_gaussian_(&closed, q) == DPPAIR_OK &&
      (status != DPPAIR_OK || closed <= b->upper)) {
    b->route = DPPAIR_ROUTE_CLOSED;
    b->upper = b->estimate = closed;
    if (status != DPPAIR_OK) b->lower = 0.0;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && dppair_bracket_tight_(b, enough)) return DPPAIR_OK;
  if (dppair_bracket_single_(&other, q) == DPPAIR_OK &&
      (status != DPPAIR_OK || other.upper <= b->upper)) {
    *b = other;
    return DPPAIR_OK;
  }
  if (dppair_bracket_lattices_(&other, q, wanted) != DPPAIR_OK) return status;
  if (status != DPPAIR_OK) {
    *b = other;
    return DPPAIR_OK;
  }
  b->route = DPPAIR_ROUTE_BOTH;
  if (other.upper < b->upper) b->upper = other.upper;
  if (other.lower > b->lower) b->lower = other.lower;
  return DPPAIR_OK;
}

/* A route that composes laws, asked so that its answer covers what they leave out of their losses:
 * that shifts epsilon, and below the shift a chord of the curve answers. */
DPPAIR_FN_ dppair_status dppair_compose_laws_(dppair_interval *b, const dppair_question_ *q,
                                              dppair_route route) {
  const double surplus = dppair_steps_surplus_(q->steps, q->count);
  const double over = q->given - surplus;
  dppair_question_ less = *q;
  dppair_status status;
  if (!dppair_isfinite_f64(surplus)) return DPPAIR_ERR_OVERFLOW;
  if (q->for_delta && surplus > 0.0) less.given = over > 0.0 ? dppair_down_(over) : 0.0;
  status = route == DPPAIR_ROUTE_CONTOUR   ? dppair_contour_answer_(b, &less)
           : route == DPPAIR_ROUTE_LATTICE ? dppair_pld_bounds_(b, &less, NULL)
                                           : dppair_bracket_of_(b, &less);
  if (status == DPPAIR_OK && !q->for_delta && surplus > 0.0) {
    b->upper = dppair_add_up_(b->upper, surplus);
    b->lower += dppair_down_(surplus);
    b->estimate += surplus;
  }
  if (status == DPPAIR_OK && q->for_delta && over < 0.0 && surplus > 0.0) {
    b->upper = b->estimate = dppair_delta_chord_(b->upper, dppair_up_(-over));
    b->lower = 0.0;
  }
  return status;
}

/* The tightest of all. */
DPPAIR_FN_ dppair_status dppair_compose_best_(dppair_interval *b, const dppair_question_ *q) {
  const dppair_status status = dppair_compose_laws_(b, q, DPPAIR_ROUTE_BEST);
  int improved;
  if (status == DPPAIR_ERR_NO_CONVERGENCE) { /* nothing is known */
    b->upper = b->estimate = q->for_delta ? 1.0 : HUGE_VAL;
    b->lower = 0.0;
  } else if (status != DPPAIR_OK) {
    return status;
  }
  improved = dppair_bracket_improve_(b, q);
  return improved ? DPPAIR_OK : status;
}

/* By one route, or by the tightest. */
DPPAIR_FN_ dppair_status dppair_compose_by_(dppair_interval *b, const dppair_question_ *q,
                                            dppair_route route) {
  dppair_status status;
  switch (route) {
  case DPPAIR_ROUTE_CONTOUR:
  case DPPAIR_ROUTE_LATTICE:
    return dppair_compose_laws_(b, q, route);
  case DPPAIR_ROUTE_RENYI:
    return dppair_steps_answer_(b, q, 1);
  case DPPAIR_ROUTE_PURE:
    return dppair_bracket_pure_(b, q);
  case DPPAIR_ROUTE_BEST:
  case DPPAIR_ROUTE_CLOSED:
    status = dppair_compose_best_(b, q);
    if (status == DPPAIR_OK && route == DPPAIR_ROUTE_CLOSED && b->route != route)
      return DPPAIR_ERR_NO_PROOF;
    return status;
  default:
    return DPPAIR_ERR_DOMAIN;
  }
}

/* Checks the arguments, answers, and hands a bracket for the dominating pairs out as one for the
 * mechanism. On an error *interval is all 0. */
DPPAIR_FN_ dppair_status dppair_compose_(dppair_interval *interval, const dppair_question_ *q,
                                         dppair_route route) {
  const int composes = route != DPPAIR_ROUTE_RENYI && route != DPPAIR_ROUTE_PURE;
  dppair_interval b;
  dppair_status status;
  size_t need;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if ((composes && q->work == NULL) || (q->steps == NULL && q->count > 0)) return DPPAIR_ERR_NULL;
  status = dppair_compose_doubles_(&need, q->count, 0); /* of too many steps none is read */
  if (status == DPPAIR_OK && dppair_steps_allocated_(q->steps, q->count))
    status = dppair_compose_doubles_(&need, q->count, 1);
  if (status == DPPAIR_OK && composes && q->doubles < need) return DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_given_check_(q->for_delta, q->given);
  if (status == DPPAIR_OK) status = dppair_compose_by_(&b, q, route);
  if (status != DPPAIR_OK) return status;
  if (!dppair_steps_attained_(q->steps, q->count)) b.lower = 0.0;
  b.estimate = dppair_estimate_(b.upper, b.lower, b.estimate);
  *interval = b;
  return DPPAIR_OK;
}

/*
 * The epsilon of a composition at this delta in [DBL_MIN, 1) (below, doubles lose digits):
 * lower <= truth <= upper, certified. steps: `count` distinct steps, each run step.steps times, in
 * any order, adaptively. work: dppair_compose_workspace bytes.
 *
 *   DPPAIR_ROUTE_BEST     plain Gaussian steps and one run of one step by the exact curve; epochs
 *                         of one allocation by its table (route: lattice), or one of fewer batches,
 *                         which bounds it from above, where that has no answer; the rest by the
 *                         contour, and by the lattice where the contour cannot answer (atoms, very
 *                         few steps) or stays wider than 1e-5 of epsilon. `upper` is never more
 *                         than the sum of pure epsilons, nor than the closed form of one perturbed
 *                         objective beside plain Gaussian steps, nor, where the routes stay wide,
 *                         than what the best Renyi order says.
 *   DPPAIR_ROUTE_CLOSED   the same, but NO_PROOF where no closed form is the tightest
 *   DPPAIR_ROUTE_CONTOUR  Gaussian steps, also sampled ones, pairs and perturbed objectives;
 *                         NO_PROOF for losses with atoms at both ends (Laplace, pure, randomised
 *                         response), NO_CONVERGENCE for a handful of steps or a huge noise ratio
 *   DPPAIR_ROUTE_LATTICE  every step with a dominating pair
 *   DPPAIR_ROUTE_RENYI    every step, zCDP too; lower is 0; work is not read
 *   DPPAIR_ROUTE_PURE     the sum of pure epsilons, else NO_PROOF; lower is 0; work is not read
 *
 * `lower` holds for a mechanism and two data sets that attain it. It is 0 where no data sets do, or
 * none are known: for several runs with samples of a fixed size, whose dominating pair is more than
 * any two data sets show. `upper` is infinite when a mass at infinite loss exceeds delta.
 * Errors: NULL, ENVIRONMENT, WORKSPACE, those of the steps; NOT_FINITE, DELTA; ADJACENCY for a
 * mixture of neighbouring relations; OVERFLOW; DOMAIN: no such route.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose(dppair_interval *interval,
                                                          const dppair_step *steps, size_t count,
                                                          double delta, dppair_route route,
                                                          void *work, size_t bytes) {
  dppair_question_ q = {steps, count, 0, delta, NULL, 0, 0};
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return dppair_compose_(interval, &q, route);
}

/* The delta of a composition at this epsilon >= 0, the same way. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_compose_delta(dppair_interval *interval,
                                                                const dppair_step *steps,
                                                                size_t count, double epsilon,
                                                                dppair_route route, void *work,
                                                                size_t bytes) {
  dppair_question_ q = {steps, count, 1, epsilon, NULL, 0, 0};
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  return dppair_compose_(interval, &q, route);
}

/* ================================================================================================
 * Uses of an account: certified answers, what they mean, calibration, filters, what papers print,
 * the ledger
 * ============================================================================================== */

/* ---- src/accountant/certify.h ---------------------------------------------------------------
 * The account, certified
 *
 * dppair_accountant_certify, _certify_delta: a lower and an upper bound of the epsilon, or of the
 * delta, of everything in an account: from the exact Gaussian curve, from composition (compose.h),
 * or from Renyi orders where an account cannot be composed.
 * ---------------------------------------------------------------------------------------------- */

/* *bytes of workspace that dppair_accountant_certify and dppair_calibrate need, for any account (32
 * megabytes, at any alignment; 20 are enough where no records are allocated). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_workspace(size_t *bytes) {
  return dppair_compose_workspace(bytes, DPPAIR_STEP_CAPACITY + 1);
}

/* A question to an account: epsilon at delta `given`, or delta at epsilon `given`. Without memory
 * (work == NULL, doubles == 0) what needs no composition answers. */
typedef struct dppair_certify_ {
  const dppair_accountant *a;
  int for_delta;
  double given;
  int both; /* 0: `lower` is not asked for: it may cost a second composition */
  double *work;
  size_t doubles;
  int only; /* as dppair_question_ */
} dppair_certify_;

DPPAIR_FN_ dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q);

/* The largest epsilon below `upper` at which the curve surely exceeds delta; 0 when none. */
DPPAIR_FN_ double dppair_gaussian_epsilon_below_(double upper, double delta, double mu) {
  const double target = dppair_log_(delta);
  double gap;
  if (mu > DPPAIR_CURVE_LARGEST_) return 0.0;
  for (gap = 1e-15; gap < 1.0; gap *= 2.0) {
    const double x = upper * (1.0 - gap), log_delta = dppair_curve_(x, mu).log_delta;
    if (log_delta - dppair_curve_log_slack_(log_delta) > target + 3e-16 * dppair_fabs_(target))
      return x;
  }
  return 0.0;
}

/* A lower bound of the curve's delta. */
DPPAIR_FN_ double dppair_gaussian_delta_below_(double epsilon, double mu) {
  const double delta = mu > DPPAIR_CURVE_LARGEST_ ? 0.0 : dppair_curve_(epsilon, mu).delta;
  return delta > 1e-290 ? delta * (1.0 - 2.0 * DPPAIR_CURVE_SLACK_) : 0.0;
}

/* What the true sum of mu^2 is of the account's at least. Every addition rounded it up by up to
 * 2^-51, and each term was rounded a few times. */
DPPAIR_FN_ double dppair_gaussian_less_(const dppair_accountant *a) {
  const double less = 1.0 - 4.5e-16 * (a->additions + 16.0);
  return less > 0.0 ? less : 0.0;
}

/* mu^2 terms below 1e-300 were raised to it when they were added: a sum from here on hardly
 * noticed, a smaller one is no lower bound. */
#define DPPAIR_GAUSSIAN_LEAST_ 1e-250

/* The same question about the account without its zCDP steps, or about those alone; at another
 * delta or epsilon. */
DPPAIR_FN_ dppair_status dppair_certify_part_(dppair_interval *b, const dppair_certify_ *q,
                                              const dppair_accountant *part, double given,
                                              int both) {
  dppair_certify_ less = *q;
  less.a = part;
  less.given = given;
  less.both = both;
  return dppair_certify_answer_(b, &less);
}

/*
 * An account with zCDP steps, for which no dominating pair is known, and others. `upper` is the
 * smaller of two bounds: the best Renyi order of all of it and, for epsilon, the sum of two
 * epsilons that share delta, the zCDP steps' from their Renyi curve and the other steps' from
 * composition. (Two interactive mechanisms that run at the same time, each (epsilon_i, delta_i)-
 * private, are (sum, sum)-private: Vadhan and Zhang 2023, concurrent composition.) Two shares of
 * what failures leave of delta are tried. The lower bound is that of the other steps alone.
 */
DPPAIR_FN_ dppair_status dppair_certify_zcdp_(dppair_interval *b, const dppair_certify_ *q) {
  static const double shares[2] = {0.1, 1e-3};
  dppair_accountant others = *q->a, zcdp;
  dppair_interval part, own;
  dppair_status status = dppair_accountant_answer_(b, q->a, q->for_delta, q->given);
  double rest = 0.0;
  int i;
  if (status != DPPAIR_OK) b->upper = HUGE_VAL;
  others.zcdp = 0.0;
  (void)dppair_accountant_init(&zcdp);
  zcdp.zcdp = q->a->zcdp;
  if (!q->for_delta && dppair_accountant_rest_(&rest, q->a, q->given) != DPPAIR_OK) rest = 0.0;
  for (i = 0; i < 2 && !q->for_delta; i++) {
    const double share = shares[i] * rest;
    if (!(share >= DBL_MIN)) break;
    if (dppair_accountant_renyi_(&own, &zcdp, 0, share) != DPPAIR_OK) continue;
    if (dppair_certify_part_(&part, q, &others, dppair_down_(dppair_down_(q->given - share)), 0) !=
        DPPAIR_OK)
      continue;
    if (dppair_add_up_(part.upper, own.upper) < b->upper) {
      b->upper = dppair_add_up_(part.upper, own.upper);
      b->route = part.route;
      b->order = own.order;
    }
  }
  if (!(b->upper <= DBL_MAX)) {
    memset(b, 0, sizeof *b);
    return status;
  }
  if (q->both && dppair_certify_part_(&part, q, &others, q->given, 1) == DPPAIR_OK)
    b->lower = part.lower < b->upper ? part.lower : b->upper;
  b->estimate = b->upper;
  return DPPAIR_OK;
}

/* Takes the pure steps out of the account when there are others and the pure epsilons sum to at
 * most 1e-9. Returns that sum, which is added to the others' epsilon at the same delta. (Their
 * atoms would force all of the account on the lattice.) */
DPPAIR_FN_ double dppair_take_negligible_(dppair_accountant *others, const dppair_accountant *a) {
  size_t i;
  if (a->folded || !(a->pure > 0.0 && a->pure <= 1e-9)) return 0.0;
  *others = *a;
  others->pure = 0.0;
  others->count = 0;
  for (i = 0; i < a->count; i++)
    if (!dppair_mechanism_is_pure_(a->step[i].kind)) others->step[others->count++] = a->step[i];
  return others->count > 0 || a->gaussian > 0.0 || a->zcdp > 0.0 ? a->pure : 0.0;
}

/* The others' bounds with negligible pure steps beside them, which shift epsilon by `pure`. */
DPPAIR_FN_ dppair_status dppair_certify_shifted_(dppair_interval *b, const dppair_certify_ *q,
                                                 const dppair_accountant *others, double pure) {
  dppair_interval below;
  dppair_status status;
  if (!q->for_delta) {
    status = dppair_certify_part_(b, q, others, q->given, q->both);
    if (status == DPPAIR_OK) b->upper = dppair_add_up_(b->upper, pure);
  } else {
    status = dppair_certify_part_(b, q, others, dppair_down_(q->given - pure), 0);
    if (status == DPPAIR_OK && q->both &&
        dppair_certify_part_(&below, q, others, q->given, 1) == DPPAIR_OK)
      b->lower = below.lower;
  }
  if (status == DPPAIR_OK) b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return status;
}

/* An account of plain Gaussian steps: the exact curve, and the curve at the lower mu without
 * failures. */
DPPAIR_FN_ dppair_status dppair_certify_gaussian_(dppair_interval *b, const dppair_certify_ *q) {
  const double mu = dppair_sqrt_(q->a->gaussian * dppair_gaussian_less_(q->a));
  double other;
  const dppair_status status = dppair_accountant_answer_(b, q->a, q->for_delta, q->given);
  if (status != DPPAIR_OK || !(b->upper > 0.0 && q->a->gaussian > DPPAIR_GAUSSIAN_LEAST_))
    return status;
  if (q->for_delta)
    b->lower = dppair_gaussian_delta_below_(q->given, mu);
  else if (dppair_gaussian_epsilon(&other, q->given, mu) == DPPAIR_OK && other > 0.0)
    b->lower = dppair_gaussian_epsilon_below_(other, q->given, mu);
  if (b->lower > b->upper) b->lower = b->upper;
  return DPPAIR_OK;
}

/* dppair_compose over these steps. */
DPPAIR_FN_ dppair_status dppair_certify_steps_(dppair_interval *b, const dppair_certify_ *q,
                                               const dppair_step *steps, size_t count,
                                               double given) {
  const dppair_question_ question = {steps,   count,      q->for_delta, given,
                                     q->work, q->doubles, q->only};
  return dppair_compose_(b, &question, DPPAIR_ROUTE_BEST);
}

/* The lower bound of what was really run: all of delta, no failures, and no rounding of mu. The
 * Gaussian steps are the last of the list. */
DPPAIR_FN_ double dppair_certify_below_(const dppair_certify_ *q, dppair_step *steps,
                                        size_t count) {
  const dppair_accountant *a = q->a;
  const double less = dppair_gaussian_less_(a);
  dppair_interval b;
  if (a->gaussian > 0.0 && less > 0.0 && a->gaussian > DPPAIR_GAUSSIAN_LEAST_)
    steps[count - 1].noise_multiplier = dppair_up_(1.0 / dppair_sqrt_(a->gaussian * less));
  else if (a->gaussian > 0.0)
    count--;
  return dppair_certify_steps_(&b, q, steps, count, q->given) == DPPAIR_OK ? b.lower : 0.0;
}

/* An account whose steps all have dominating pairs: by composition, with what failures leave of
 * delta. */
DPPAIR_FN_ dppair_status dppair_certify_composed_(dppair_interval *b, const dppair_certify_ *q) {
  dppair_step steps[DPPAIR_STEP_CAPACITY + 1];
  const dppair_accountant *a = q->a;
  size_t count;
  double given = q->given;
  dppair_status status = dppair_accountant_steps_(steps, &count, a);
  if (status == DPPAIR_OK && !q->for_delta && a->failure > 0.0) {
    status = dppair_accountant_rest_(&given, a, given);
    given = dppair_down_(given);
  }
  if (status == DPPAIR_OK) status = dppair_certify_steps_(b, q, steps, count, given);
  if (status != DPPAIR_OK) return status;
  if (q->for_delta) {
    b->upper = dppair_add_up_(b->upper, a->failure);
    if (b->upper > 1.0) b->upper = 1.0;
  }
  if (!q->both)
    b->lower = 0.0;
  else if (b->lower > 0.0 && (a->failure > 0.0 || a->gaussian > 0.0))
    b->lower = dppair_certify_below_(q, steps, count);
  return DPPAIR_OK;
}

/* Answers, `lower` being that of the steps' dominating pairs as far as compose.h knows them. */
DPPAIR_FN_ dppair_status dppair_certify_answer_(dppair_interval *b, const dppair_certify_ *q) {
  const dppair_accountant *a = q->a;
  dppair_accountant others;
  dppair_status status;
  double rest = 1.0, pure;
  memset(b, 0, sizeof *b);
  status =
      q->for_delta ? dppair_accountant_usable_(a) : dppair_accountant_rest_(&rest, a, q->given);
  if (status == DPPAIR_OK && !(rest >= DBL_MIN)) status = DPPAIR_ERR_DELTA;
  if (status == DPPAIR_OK) status = dppair_given_check_(q->for_delta, q->given);
  if (status != DPPAIR_OK) return status;
  if (dppair_accountant_is_gaussian_(a)) return dppair_certify_gaussian_(b, q);
  if (q->work == NULL && q->doubles == 0)
    return dppair_accountant_answer_(b, a, q->for_delta, q->given);
  pure = dppair_take_negligible_(&others, a);
  if (pure > 0.0 && !(q->for_delta && q->given <= pure))
    return dppair_certify_shifted_(b, q, &others, pure);
  if (a->zcdp > 0.0 && !a->folded && (a->count > 0 || a->gaussian > 0.0))
    return dppair_certify_zcdp_(b, q);
  status = dppair_certify_composed_(b, q);
  if (status == DPPAIR_ERR_WORKSPACE || status == DPPAIR_ERR_NULL) return status;
  if (status != DPPAIR_OK || !dppair_isfinite_f64(b->upper)) /* what the Renyi orders say */
    return dppair_accountant_answer_(b, a, q->for_delta, q->given);
  if (!q->for_delta && dppair_accountant_is_pure_(a) && a->pure < b->upper) {
    b->upper = a->pure;
    b->route = DPPAIR_ROUTE_PURE;
    b->order = 0.0;
  }
  if (b->lower > b->upper) b->lower = b->upper;
  b->estimate = dppair_estimate_(b->upper, b->lower, b->estimate);
  return DPPAIR_OK;
}

/* Checks the arguments and answers; `only` as in dppair_question_. */
DPPAIR_FN_ dppair_status dppair_accountant_certify_(dppair_interval *interval,
                                                    const dppair_accountant *a, int for_delta,
                                                    double given, void *work, size_t bytes,
                                                    int only) {
  dppair_certify_ q = {a, for_delta, given, 1, NULL, 0, 0};
  dppair_interval b;
  dppair_status status;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  q.only = only;
  q.work = dppair_doubles_(&q.doubles, work, bytes);
  if (work == NULL && bytes > 0) return DPPAIR_ERR_NULL;
  if (work != NULL && q.doubles == 0) return DPPAIR_ERR_WORKSPACE;
  status = dppair_certify_answer_(&b, &q);
  if (status != DPPAIR_OK) return status;
  if (a->unattained) {
    b.lower = 0.0;
    b.estimate = b.upper;
  }
  *interval = b;
  return DPPAIR_OK;
}

/*
 * The tightest certified enclosure lower <= epsilon <= upper of everything in the account at this
 * delta in [DBL_MIN, 1), with the best estimate between: from the exact curve for Gaussian
 * accounts, else from numerical composition; `upper` is never more than the best Renyi order or the
 * sum of pure epsilons. `lower` is 0 where it is not known to be attained (dppair_compose), and
 * where the account is beyond the reach of composition (folded steps, losses that are too wide).
 * With a failure probability, `lower` is for the mechanisms without it at the whole delta.
 * work: dppair_accountant_workspace bytes. Gaussian accounts do not read it; for others NULL with 0
 * bytes asks for what dppair_accountant_epsilon says, the route and the order that it comes from.
 * delta = 0: dppair_accountant_epsilon. Errors: NULL, WORKSPACE, those of a broken account;
 * NOT_FINITE; DELTA, also when failures leave nothing of delta; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_certify(dppair_interval *interval,
                                                                     const dppair_accountant *a,
                                                                     double delta, void *work,
                                                                     size_t bytes) {
  return dppair_accountant_certify_(interval, a, 0, delta, work, bytes, 0);
}

/* The same for delta at this epsilon >= 0. `upper` contains the failure probability, `lower` does
 * not. Errors: EPSILON in place of DELTA. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_accountant_certify_delta(dppair_interval *interval, const dppair_accountant *a,
                                double epsilon, void *work, size_t bytes) {
  return dppair_accountant_certify_(interval, a, 1, epsilon, work, bytes, 0);
}

/* ---- src/accountant/selection.h -------------------------------------------------------------
 * Private selection by random stopping
 *
 * A candidate is chosen at random, trained and scored, all of it privately; this is one run. It is
 * repeated K times, K drawn before the first run, and the run with the best score is released, its
 * score and whatever else it released too. Nothing of the others leaves, nor K, nor how long all
 * of them took. This costs about three runs, however many candidates there are (Liu and Talwar
 * 2019; Papernot and Steinke 2022, whose laws of K these are; here for whole curves
 * delta(epsilon)). Relies on certify.h.
 *
 * K = k >= 1 has the probability f_k ~ (1 - gamma)^k (1 + eta/1)(1 + eta/2) .. (1 + eta/(k - 1))/k,
 * -1 < eta <= 1, 0 < gamma <= 1: eta = 1 is the geometric law, eta = 0 the logarithmic one. Its
 * generating function f(z) = sum of f_k z^k has
 *
 *     f'(z) = E K (gamma / (gamma + (1 - gamma)(1 - z)))^(eta + 1),       f'(1) = E K.
 *
 * Theorem. Q, Q' are the laws of one run on two neighbours, A, A' those of what is released. Let
 * D(x) bound delta of Q against Q' and of Q' against Q at epsilon x. If
 *
 *     D(c) <= gamma (e^c - 1)/(1 - gamma)                                                     (1)
 *
 * then delta of A against A' at epsilon is at most E K D(epsilon - (eta + 1) c).
 *
 * Proof. Beside each run's output a uniform number is drawn, independent of all else, and decides
 * between runs of the same score; so outputs x are in a total order in which q(x), the chance under
 * Q of an output up to x, is uniform on [0, 1], atoms or not. (The first of the best runs, or the
 * last, has the same law: given what came out, all orders of the K runs are equally likely.) The
 * best of k runs has the density k q(x)^(k-1) by Q, so A has f'(q(x)) by Q. q'(x): the same by Q'.
 * Outputs above x are an event: 1 - q' <= e^c (1 - q) + D(c), so by (1)
 *
 *     gamma + (1 - gamma)(1 - q') <= gamma + (1 - gamma) D(c) + (1 - gamma) e^c (1 - q)
 *                                 <= e^c (gamma + (1 - gamma)(1 - q)),
 *
 * that is, f'(q) <= e^((eta + 1) c) f'(q'), as eta + 1 > 0. Then, with f' <= f'(1) = E K,
 *
 *     delta = int (f'(q) dQ - e^epsilon f'(q') dQ')_+
 *          <= int f'(q) (dQ - e^(epsilon - (eta + 1) c) dQ')_+ <= E K D(epsilon - (eta + 1) c).
 *
 * The left side of (1) falls and its right side grows with c: the least c is the best one.
 * ---------------------------------------------------------------------------------------------- */

/* The least gamma: a draw of K takes up to about 1/gamma coins, and K itself can be many times
 * that. */
#define DPPAIR_SELECTION_LEAST_ 1e-6

DPPAIR_FN_ dppair_status dppair_selection_check_(double eta, double gamma) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(eta) || !dppair_isfinite_f64(gamma)) return DPPAIR_ERR_NOT_FINITE;
  return eta > -1.0 && eta <= 1.0 && gamma >= DPPAIR_SELECTION_LEAST_ && gamma <= 1.0
             ? DPPAIR_OK
             : DPPAIR_ERR_DOMAIN;
}

/* E K = eta (1 - gamma)/(gamma (1 - gamma^eta)), rounded up: with y = eta log gamma it is
 * (1/gamma - 1)/(-log gamma) times y/(e^y - 1). */
DPPAIR_FN_ double dppair_selection_mean_(double eta, double gamma) {
  const double log_gamma = dppair_log_(gamma), y = eta * log_gamma;
  const double ratio = y > 0.0 || y < 0.0 ? y / dppair_expm1_(y) : 1.0;
  const double mean = gamma < 1.0 ? (1.0 - gamma) / (gamma * -log_gamma) * ratio : 1.0;
  return gamma < 1.0 ? mean * (1.0 + 1e-14) : 1.0;
}

/*
 * *mean = E K, the expected number of runs, at least 1 and rounded up. eta in (-1, 1], gamma in
 * [1e-6, 1]; gamma = 1 is one run. Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_selection_mean(double *mean, double eta,
                                                                 double gamma) {
  dppair_status status;
  if (mean == NULL) return DPPAIR_ERR_NULL;
  *mean = 0.0;
  status = dppair_selection_check_(eta, gamma);
  if (status == DPPAIR_OK) *mean = dppair_selection_mean_(eta, gamma);
  return status;
}

/*
 * *gamma for which E K is `mean` >= 1, or the least bit less. One candidate of k is among the runs
 * with probability 1 - f(1 - 1/k): for eta = 1 that is 1/2 at E K = k and 0.9 at E K = 9 k. Errors:
 * those of dppair_selection_mean; DOMAIN also where gamma would be below 1e-6.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_selection_gamma(double *gamma, double eta,
                                                                  double mean) {
  double low = dppair_log_(DPPAIR_SELECTION_LEAST_), high = 0.0;
  dppair_status status;
  int i;
  if (gamma == NULL) return DPPAIR_ERR_NULL;
  *gamma = 0.0;
  status = dppair_selection_check_(eta, 1.0);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(mean)) status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK &&
      !(mean >= 1.0 && mean <= dppair_selection_mean_(eta, DPPAIR_SELECTION_LEAST_)))
    status = DPPAIR_ERR_DOMAIN;
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < 80; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_selection_mean_(eta, dppair_exp_(middle)) > mean)
      low = middle;
    else
      high = middle;
  }
  *gamma =
      dppair_exp_(high) > DPPAIR_SELECTION_LEAST_ ? dppair_exp_(high) : DPPAIR_SELECTION_LEAST_;
  return DPPAIR_OK;
}

/* One run's account, asked again and again. */
typedef struct dppair_selection_ {
  const dppair_accountant *run;
  double gamma;
  void *work;
  size_t bytes;
  dppair_status status; /* why a question had no answer */
} dppair_selection_;

/* Is (1) certain at c > 0? */
DPPAIR_FN_ int dppair_selection_holds_(dppair_selection_ *s, double c) {
  const double most = s->gamma * dppair_expm1_(c) / (1.0 - s->gamma) * (1.0 - 1e-14);
  dppair_interval delta;
  s->status = dppair_accountant_certify_(&delta, s->run, 1, c, s->work, s->bytes, 0);
  return s->status == DPPAIR_OK && delta.upper <= most;
}

/* The least c of (1), to 1e-7 of itself and never below it; 0 for one run. */
DPPAIR_FN_ dppair_status dppair_selection_cost_(double *c, dppair_selection_ *s) {
  double low = 0.0, high = 0.25;
  int i;
  *c = 0.0;
  if (!(s->gamma < 1.0)) return DPPAIR_OK;
  while (!dppair_selection_holds_(s, high)) {
    if (s->status != DPPAIR_OK) return s->status;
    low = high;
    high *= 4.0;
    if (high > 700.0) return DPPAIR_ERR_OVERFLOW;
  }
  while (!(low > 0.0)) { /* a factor of 4 below */
    const double less = 0.25 * high;
    if (less > 1e-15 && dppair_selection_holds_(s, less))
      high = less;
    else
      low = less;
  }
  for (i = 0; i < 24; i++) {
    const double middle = dppair_sqrt_(low * high);
    if (dppair_selection_holds_(s, middle))
      high = middle;
    else
      low = middle;
  }
  *c = high;
  return DPPAIR_OK;
}

/*
 * epsilon at `delta` of what a selection by random stopping releases. `run` holds what one run
 * spends, training and score, whichever candidate it is about. K: eta and gamma as above; draw it
 * by dppair_draw_runs. A run that fails for reasons of the data must not end the selection, nor may
 * the runs be ended early; a rule for equal scores may look at the order of the runs only.
 *
 * `upper` is that of the theorem. `lower` is what one run alone attains at this delta: a score that
 * says nothing chooses one run, and the theorem is about all scores. delta in (0, 1). work, bytes:
 * as for dppair_accountant_certify; Gaussian runs need none. Errors: those of
 * dppair_accountant_certify and dppair_selection_mean; DELTA also where delta/E K leaves the range;
 * OVERFLOW, no c <= 700.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_selection_epsilon(dppair_interval *interval,
                                                                    const dppair_accountant *run,
                                                                    double eta, double gamma,
                                                                    double delta, void *work,
                                                                    size_t bytes) {
  dppair_selection_ s = {run, gamma, work, bytes, DPPAIR_OK};
  dppair_interval one, b;
  dppair_status status;
  double c, share;
  if (interval == NULL) return DPPAIR_ERR_NULL;
  memset(interval, 0, sizeof *interval);
  status = dppair_selection_check_(eta, gamma);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(delta)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  share = delta > 0.0 ? dppair_down_(delta / dppair_selection_mean_(eta, gamma)) : 0.0;
  if (!(delta < 1.0 && share >= DBL_MIN)) return DPPAIR_ERR_DELTA;
  status = dppair_accountant_certify_(&one, run, 0, delta, work, bytes, 0);
  if (status == DPPAIR_OK)
    status = dppair_accountant_certify_(&b, run, 0, gamma < 1.0 ? share : delta, work, bytes, 0);
  if (status == DPPAIR_OK) status = dppair_selection_cost_(&c, &s);
  if (status != DPPAIR_OK) return status;
  b.upper = dppair_add_up_(b.upper, dppair_up_(dppair_up_(eta + 1.0) * c));
  if (!dppair_isfinite_f64(b.upper)) return DPPAIR_ERR_OVERFLOW;
  b.lower = one.lower;
  b.estimate = dppair_estimate_(b.upper, b.lower, b.upper);
  *interval = b;
  return DPPAIR_OK;
}

/*
 * Charges a selection to `a`: that epsilon as a pure step and delta as a failure, which dominate
 * everything (epsilon, delta)-private (Kairouz, Oh and Viswanath 2015), of the neighbours that
 * `run` answers for. The runs themselves are then charged nowhere else. Errors: those of
 * dppair_selection_epsilon; ADJACENCY, other neighbours than a's. An error breaks a. In a ledger
 * the same is one entry with step.kind = DPPAIR_PURE, step.noise_multiplier = that epsilon, failure
 * = delta.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_selection(dppair_accountant *a,
                                                                       const dppair_accountant *run,
                                                                       double eta, double gamma,
                                                                       double delta, void *work,
                                                                       size_t bytes) {
  dppair_ledger_entry charge;
  dppair_interval epsilon;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  status = dppair_selection_epsilon(&epsilon, run, eta, gamma, delta, work, bytes);
  if (status == DPPAIR_OK && a->stated > 0 && run->adjacency != a->adjacency)
    status = DPPAIR_ERR_ADJACENCY; /* neighbours that nobody stated are not a's */
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  memset(&charge, 0, sizeof charge);
  charge.step = dppair_step_make_(DPPAIR_PURE, epsilon.upper, 1);
  if (!(charge.step.noise_multiplier > DBL_MIN)) charge.step.noise_multiplier = DBL_MIN;
  charge.step.sampling.adjacency = run->adjacency;
  charge.failure = delta;
  a->unattained = 1;
  return dppair_accountant_charge_(a, &charge);
}

/* ---- src/accountant/attack.h ----------------------------------------------------------------
 * What an account means: the best attack
 *
 * An attacker knows both of two neighbouring data sets, sees all that was released, and says which
 * of the two it came from. Let f be his rate of false positives (he says "the first" and it was the
 * second) and T(f) the best rate of true positives at it, over all tests, neighbours and both of
 * their orders (Wasserman and Zhou 2010; Kairouz, Oh and Viswanath 2015; Dong, Roth and Su 2022).
 * (epsilon, delta)-privacy, both ways, is
 *     T(f) <= e^epsilon f + delta,   1 - f <= e^epsilon (1 - T(f)) + delta,
 * lines of slope s = e^epsilon and 1/s under which T lies: T(f) <= min over s of s f + D(s),
 * D(s) = delta(log s) for s >= 1 and 1 - s + s delta(-log s) below. Any epsilons give an upper
 * bound, so that the search for the best can only lose tightness.
 *
 * From below. For the data sets that attain an account, in one order, T(f) = min over all s > 0 of
 * s f + D(s), with that order's delta for s >= 1 and the other order's below. D falls, is convex,
 * D(0) = 1 and D' >= -1. So beyond two points of D, whose bounds are known, D lies above the line
 * through them, and the minimum of s f + D(s) between neighbouring points is at least that over the
 * two lines that enclose D there. The place of that minimum is where the next epsilon is tried.
 * Relies on certify.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_ATTACK_NODES_ = 96, DPPAIR_ATTACK_SLOPES_ = 2 * DPPAIR_ATTACK_NODES_ };

/* No larger epsilon is of use for f >= DBL_MIN, and e^epsilon is finite. */
#define DPPAIR_ATTACK_FAR_ 700.0

/* Points of the account's curve, by epsilon; the first is at 0. */
typedef struct dppair_attack_ {
  const dppair_accountant *a;
  void *work;
  size_t bytes;
  int orders; /* 2: the orders of the neighbours have laws of their own */
  int half;   /* 1: the data sets that attain the curve do so for s >= 1 alone */
  size_t count;
  double latest; /* delta's bound at the point that was added last */
  double epsilon[DPPAIR_ATTACK_NODES_], upper[DPPAIR_ATTACK_NODES_];
  double above[2][DPPAIR_ATTACK_NODES_], below[2][DPPAIR_ATTACK_NODES_]; /* of each order */
  dppair_route route[DPPAIR_ATTACK_NODES_];
} dppair_attack_;

/* Adds the point at epsilon; the nodes are not full. */
DPPAIR_FN_ dppair_status dppair_attack_add_(dppair_attack_ *k, double epsilon) {
  dppair_interval delta[2];
  size_t i, at;
  int d;
  for (d = 0; d < k->orders; d++) {
    const dppair_status status = dppair_accountant_certify_(&delta[d], k->a, 1, epsilon, k->work,
                                                            k->bytes, k->orders > 1 ? d + 1 : 0);
    if (status != DPPAIR_OK) return status;
  }
  if (k->orders == 1) delta[1] = delta[0];
  for (at = k->count; at > 0 && k->epsilon[at - 1] > epsilon; at--) {
  }
  for (i = k->count++; i > at; i--) {
    k->epsilon[i] = k->epsilon[i - 1];
    k->upper[i] = k->upper[i - 1];
    for (d = 0; d < 2; d++) {
      k->above[d][i] = k->above[d][i - 1];
      k->below[d][i] = k->below[d][i - 1];
    }
    k->route[i] = k->route[i - 1];
  }
  d = delta[1].upper > delta[0].upper;
  k->epsilon[at] = epsilon;
  k->latest = k->upper[at] = delta[d].upper < 1.0 ? delta[d].upper : 1.0;
  k->route[at] = delta[d].route;
  for (d = 0; d < 2; d++) {
    k->above[d][at] = delta[d].upper < 1.0 ? delta[d].upper : 1.0;
    k->below[d][at] = delta[d].lower;
  }
  return DPPAIR_OK;
}

/* Begins with epsilon 0, then doubles until next to nothing is left of delta. Points that have no
 * answer are left out. */
DPPAIR_FN_ dppair_status dppair_attack_begin_(dppair_attack_ *k, const dppair_accountant *a,
                                              void *work, size_t bytes) {
  double epsilon, remote = DPPAIR_ATTACK_FAR_;
  size_t i;
  dppair_status status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  memset(k, 0, sizeof *k);
  k->a = a;
  k->work = work;
  k->bytes = bytes;
  k->orders = 1;
  for (i = 0; i < a->count; i++) {
    const dppair_step *step = &a->step[i];
    if (dppair_step_is_sampled_(step) &&
        dppair_adjacency_move_(step->sampling.adjacency) == DPPAIR_ZERO_OUT)
      k->orders = 2;
    if (dppair_step_charge_(step).attained == DPPAIR_ATTAINED_ONCE_) k->half = 1;
  }
  status = dppair_attack_add_(k, 0.0);
  if (status != DPPAIR_OK) return status;
  epsilon = k->latest > 1e-9 ? k->latest : 1e-9;
  if (dppair_accountant_is_pure_(a) && a->pure > 0.0 && a->pure < remote) { /* the largest loss */
    remote = a->pure;
    (void)dppair_attack_add_(k, remote);
    k->latest = 1.0;
  }
  for (i = 0; i < 40 && epsilon < remote && k->latest > 1e-14 + a->failure; i++, epsilon *= 2.0)
    if (dppair_attack_add_(k, epsilon) != DPPAIR_OK) break;
  return DPPAIR_OK;
}

/* The smallest of the lines at f, rounded up; *route: where it comes from. */
DPPAIR_FN_ double dppair_attack_above_(dppair_route *route, const dppair_attack_ *k, double f) {
  double best = 2.0;
  size_t i;
  if (f > 0.0 && f < DBL_MIN) f = DBL_MIN; /* products below it cannot be rounded up */
  for (i = 0; i < k->count; i++) {
    const double epsilon = k->epsilon[i], delta = k->upper[i];
    const double s = epsilon > 0.0 ? dppair_up_(dppair_up_(dppair_exp_(epsilon))) : 1.0;
    const double rest = (1.0 - delta) * (1.0 - 2.0 * DBL_EPSILON) - f;
    double line = dppair_add_up_(epsilon > 0.0 ? dppair_up_(s * f) : f, delta);
    if (rest > 0.0) {
      const double other = 1.0 - rest / s * (1.0 - 4.0 * DBL_EPSILON) + 2.0 * DBL_EPSILON;
      if (other < line) line = other;
    }
    if (line < best) {
      best = line;
      *route = k->route[i];
    }
  }
  return best < 1.0 ? best : 1.0;
}

/* Points of D by s; the first is D(0) = 1. */
typedef struct dppair_attack_slopes_ {
  size_t count;
  double s[DPPAIR_ATTACK_SLOPES_], low[DPPAIR_ATTACK_SLOPES_], high[DPPAIR_ATTACK_SLOPES_];
  /* The falls per s of two lines through (s, low) that lie under D: before s the steepest that a
   * later point proves, behind it the flattest that an earlier point proves. */
  double before[DPPAIR_ATTACK_SLOPES_], behind[DPPAIR_ATTACK_SLOPES_];
} dppair_attack_slopes_;

/* The next point, for a rounded s: s D'(s) is at least -1. */
DPPAIR_FN_ void dppair_attack_point_(dppair_attack_slopes_ *p, double s, double low, double high) {
  p->s[p->count] = s;
  p->low[p->count] = low - 1e-15;
  p->high[p->count] = high + 1e-15;
  p->count++;
}

/* Of one order (0, 1) of the neighbours; `search`: as if its lower bounds were D, or for order 2 as
 * if the upper bounds of both were. */
DPPAIR_FN_ void dppair_attack_slopes_of_(dppair_attack_slopes_ *p, const dppair_attack_ *k,
                                         int order, int search) {
  const int other = 1 - order; /* whose curve s below 1 is */
  size_t i, j;
  p->count = 0;
  dppair_attack_point_(p, 0.0, 1.0, 1.0);
  for (i = k->count; i-- > 1;) {
    const double y = dppair_exp_(-k->epsilon[i]);
    const double below = order > 1 ? k->upper[i] : k->half && !search ? 0.0 : k->below[other][i];
    const double above = search ? below : k->above[other][i];
    dppair_attack_point_(p, y, 1.0 - y * (1.0 - below), 1.0 - y * (1.0 - above));
  }
  for (i = 0; i < k->count; i++) {
    const double below = order > 1 ? k->upper[i] : k->below[order][i];
    dppair_attack_point_(p, dppair_exp_(k->epsilon[i]), below, search ? below : k->above[order][i]);
  }
  for (i = 0; i < p->count; i++) {
    p->before[i] = 0.0;
    p->behind[i] = 1.0;
    for (j = 0; j < p->count; j++) {
      const double gap = dppair_fabs_(p->s[i] - p->s[j]);
      const double fall = (j < i ? p->high[j] - p->low[i] : p->low[i] - p->high[j]) / gap;
      if (j < i && gap > 0.0 && fall < p->behind[i]) p->behind[i] = fall;
      if (j > i && gap > 0.0 && fall > p->before[i]) p->before[i] = fall;
    }
    if (p->behind[i] < 0.0) p->behind[i] = 0.0;
  }
  for (i = p->count; i-- > 1;) { /* where nothing was known from below: what a later point proves */
    const double low = p->low[i] + p->before[i] * (p->s[i] - p->s[i - 1]) - 1e-15;
    if (low > p->low[i - 1]) p->low[i - 1] = low;
  }
}

/* About the minimum over s of s f + D(s), from below within 1e-15; *at is its place. */
DPPAIR_FN_ double dppair_attack_below_(double *at, const dppair_attack_slopes_ *p, double f) {
  double best = 2.0;
  size_t i;
  int t;
  *at = 1.0;
  for (i = 0; i < p->count; i++) {
    const int last = i + 1 == p->count;
    const double s0 = p->s[i], d0 = p->low[i], left = p->behind[i];
    const double s1 = last ? 0.0 : p->s[i + 1], d1 = last ? 0.0 : p->low[i + 1];
    const double right = last ? 0.0 : p->before[i + 1];
    for (t = 0; t < 3; t++) { /* both ends, and where the lines meet: all the corners there are */
      double a, b, value, place = t == 0 ? s0 : s1;
      if (t == 2) place = (d0 + left * s0 - (d1 + right * s1)) / (left - right);
      if (!(place >= s0) || (!last && !(place <= s1))) continue;
      a = d0 - left * (place - s0);
      b = last ? 0.0 : d1 + right * (s1 - place);
      value = place * f + (a > b ? a : b);
      if (value < best) {
        best = value;
        *at = place;
      }
    }
  }
  return best;
}

/* About the epsilon between nodes i and i + 1 whose line is best at f, as if log `curve` were the
 * parabola through them and a third node; low: of the lines of slope 1/s. -1: it is not known. */
DPPAIR_FN_ double dppair_attack_guess_(const dppair_attack_ *k, const double *curve, size_t i,
                                       double f, int low) {
  const size_t j = i + 2 < k->count ? i + 2 : i - 1;
  const double e0 = k->epsilon[i], e1 = k->epsilon[i + 1];
  double h0, h01, h12, bend, left = e0, right = e1;
  int round;
  if (j >= k->count || !(curve[i + 1] > 0.0 && curve[j] > 0.0)) return -1.0;
  h0 = dppair_log_(curve[i]);
  h01 = (dppair_log_(curve[i + 1]) - h0) / (e1 - e0);
  h12 = (dppair_log_(curve[j]) - dppair_log_(curve[i + 1])) / (k->epsilon[j] - e1);
  bend = (h12 - h01) / (k->epsilon[j] - e0);
  for (round = 0; round < 40; round++) {
    const double x = 0.5 * (left + right);
    const double delta = dppair_exp_(h0 + (h01 + bend * (x - e1)) * (x - e0));
    const double fall = -delta * (h01 + bend * (2.0 * x - e0 - e1));
    if (fall > (low ? 1.0 - f - delta : dppair_exp_(x) * f))
      left = x;
    else
      right = x;
  }
  return left;
}

/* Adds a point near the one whose line is best at f, if that is still open: where it should be, or
 * where the lines that enclose D meet, or half way. 0: none was added. */
DPPAIR_FN_ int dppair_attack_refine_(dppair_attack_ *k, dppair_attack_slopes_ *p, double f,
                                     int order) {
  const double *curve;
  double at, corner, epsilon, left, right, nearby, best = 2.0;
  size_t i;
  if (k->count < 2 || k->count == DPPAIR_ATTACK_NODES_ || !(f > 0.0)) return 0;
  for (i = 0; i < p->count; i++)
    if (p->s[i] * f + p->high[i] < best) best = p->s[i] * f + p->high[i];
  if (best - dppair_attack_below_(&at, p, f) <= 3e-4 * best) return 0;
  corner = dppair_fabs_(dppair_log_(at));
  for (i = 0; i + 2 < k->count && k->epsilon[i + 1] <= corner;) i++;
  left = k->epsilon[i], right = k->epsilon[i + 1], nearby = 0.02 * (right - left);
  if (!(nearby > 1e-9 * right)) return 0;
  curve = order > 1 ? k->upper : k->below[at < 1.0 ? 1 - order : order];
  epsilon = dppair_attack_guess_(k, curve, i, f, at < 1.0);
  if (!(epsilon > left + nearby && epsilon < right - nearby)) epsilon = corner;
  if (!(epsilon > left + nearby && epsilon < right - nearby)) epsilon = 0.5 * (left + right);
  if (dppair_attack_add_(k, epsilon) != DPPAIR_OK) return 0;
  dppair_attack_slopes_of_(p, k, order, 1);
  return 1;
}

/* Refines at all rates, a point for each in turn: there may be more rates than points. */
DPPAIR_FN_ void dppair_attack_search_(dppair_attack_ *k, dppair_attack_slopes_ *p,
                                      const double *rates, size_t count, int order) {
  int added = 1;
  dppair_attack_slopes_of_(p, k, order, 1);
  while (added) {
    size_t i;
    for (added = 0, i = 0; i < count; i++) added |= dppair_attack_refine_(k, p, rates[i], order);
  }
}

/* 1 - rare, rounded up or down, for rare in [0, 1/2]. */
DPPAIR_FN_ double dppair_attack_guess_right_(double rare, int up) {
  const double x = 1.0 - rare, left = 1.0 - x; /* exact: x >= 1/2 */
  if (up && left > rare) return x + 0.5 * DBL_EPSILON;
  return !up && left < rare ? x - 0.5 * DBL_EPSILON : x;
}

/* What is left of delta however large epsilon is: *upper, where that is smaller. */
DPPAIR_FN_ void dppair_attack_limit_(double *upper, dppair_route *route, const dppair_attack_ *k) {
  double epsilon;
  for (epsilon = 1.0; epsilon < 1e12 && *upper > k->a->failure + DBL_MIN; epsilon *= 4.0) {
    dppair_interval delta;
    if (dppair_accountant_certify_(&delta, k->a, 1, epsilon, k->work, k->bytes, 0) != DPPAIR_OK)
      continue;
    if (delta.upper < *upper) {
      *upper = delta.upper;
      *route = delta.route;
    }
  }
}

/* Are all of these in [0, 1]? */
DPPAIR_FN_ dppair_status dppair_attack_rates_check_(const double *rates, size_t count) {
  size_t i;
  for (i = 0; i < count; i++) {
    if (!dppair_isfinite_f64(rates[i])) return DPPAIR_ERR_NOT_FINITE;
    if (!(rates[i] >= 0.0 && rates[i] <= 1.0)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/*
 * The ROC curve of the best attack on everything in the account: true_positive[i] encloses T(f) at
 * f = false_positive[i] in [0, 1], for i < count (1 to 2^20). `upper` holds for every test, any two
 * neighbours and both of their orders; whatever else the attacker knows, whatever he computes.
 * `lower` is attained by some test of some neighbours; it is f, that of guessing, where none are
 * known (dppair_compose), and above it where they are, without the failure probability. Chance is
 * T(f) = f; T(f) = 1 says that nothing is promised. At most 96 epsilons are asked for all
 * rates together, each as dppair_accountant_certify_delta says, whose work and errors are these,
 * too. Other errors: NULL; SIZE (count); NOT_FINITE, DOMAIN: a rate that is none. All outputs are 0
 * then.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_curve(dppair_interval *true_positive,
                                                               const double *false_positive,
                                                               size_t count,
                                                               const dppair_accountant *a,
                                                               void *work, size_t bytes) {
  dppair_attack_ k;
  dppair_attack_slopes_ p;
  dppair_status status;
  double at;
  size_t i;
  int order;
  if (true_positive == NULL) return DPPAIR_ERR_NULL;
  if (count == 0 || count > (size_t)1 << 20) return DPPAIR_ERR_SIZE;
  memset(true_positive, 0, count * sizeof *true_positive);
  if (false_positive == NULL) return DPPAIR_ERR_NULL;
  status = dppair_attack_rates_check_(false_positive, count);
  if (status == DPPAIR_OK) status = dppair_attack_begin_(&k, a, work, bytes);
  if (status != DPPAIR_OK) return status;
  dppair_attack_search_(&k, &p, false_positive, count, 2);
  for (order = 0; order < k.orders && k.orders > 1; order++)
    dppair_attack_search_(&k, &p, false_positive, count, order);
  for (i = 0; i < count; i++) {
    dppair_interval *rate = &true_positive[i];
    rate->upper = dppair_attack_above_(&rate->route, &k, false_positive[i]);
    if (false_positive[i] <= 0.0) dppair_attack_limit_(&rate->upper, &rate->route, &k);
    rate->lower = false_positive[i]; /* whoever guesses attains it */
  }
  for (order = 0; order < k.orders; order++) {
    dppair_attack_slopes_of_(&p, &k, order, 0);
    for (i = 0; i < count; i++) {
      const double below = dppair_attack_below_(&at, &p, false_positive[i]) - 4e-15;
      if (below > true_positive[i].lower) true_positive[i].lower = below;
    }
  }
  for (i = 0; i < count; i++) {
    dppair_interval *rate = &true_positive[i];
    if (rate->lower > rate->upper) rate->lower = rate->upper;
    rate->estimate = dppair_estimate_(rate->upper, rate->lower, rate->upper);
  }
  return DPPAIR_OK;
}

/*
 * How often the best attacker is right, if the first data set is used with probability `prior` and
 * the second one otherwise, and he knows that: with m = min(prior, 1 - prior),
 *     accuracy = 1 - m + m delta(|log(prior/(1 - prior))|);
 * 1 - m without the release, (1 + delta(0))/2 for prior = 1/2, where delta(0) is the total
 * variation distance and 2 accuracy - 1 = T(f) - f at its largest what is called the attacker's
 * advantage. `lower` is attained by some neighbours; it is 1 - m where none are known. prior in (0,
 * 1). Errors: NULL, NOT_FINITE, DOMAIN (prior); work and others as dppair_accountant_certify_delta.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_accuracy(dppair_interval *accuracy,
                                                                  const dppair_accountant *a,
                                                                  double prior, void *work,
                                                                  size_t bytes) {
  double rare, odds;
  dppair_interval delta;
  dppair_status status;
  if (accuracy == NULL) return DPPAIR_ERR_NULL;
  memset(accuracy, 0, sizeof *accuracy);
  status = dppair_attack_rates_check_(&prior, 1);
  if (status == DPPAIR_OK && !(prior > 0.0 && prior < 1.0)) status = DPPAIR_ERR_DOMAIN;
  if (status != DPPAIR_OK) return status;
  rare = prior < 0.5 ? prior : 1.0 - prior; /* exact: prior >= 1/2 */
  odds = rare < 0.5 ? (dppair_log1p_(-rare) - dppair_log_(rare)) * (1.0 - 8.0 * DBL_EPSILON) - 1e-15
                    : 0.0;
  status = dppair_accountant_certify_delta(&delta, a, odds > 0.0 ? odds : 0.0, work, bytes);
  if (status != DPPAIR_OK) return status;
  accuracy->route = delta.route;
  accuracy->order = delta.order;
  accuracy->upper = delta.upper > 0.0 ? 1.0 - rare * (1.0 - delta.upper) + DBL_EPSILON
                                      : dppair_attack_guess_right_(rare, 1);
  if (!(accuracy->upper < 1.0)) accuracy->upper = 1.0;
  /* delta falls by at most 1 per unit of epsilon, and odds is at most 3e-15 (1 + odds) too small */
  accuracy->lower = 1.0 - rare * (1.0 - delta.lower) - DBL_EPSILON - 1e-14 * rare * (1.0 + odds);
  prior = dppair_attack_guess_right_(rare, 0); /* whoever ignores the release */
  if (!(accuracy->lower > prior)) accuracy->lower = prior;
  if (accuracy->lower > accuracy->upper) accuracy->lower = accuracy->upper;
  accuracy->estimate = dppair_estimate_(accuracy->upper, accuracy->lower, accuracy->upper);
  return DPPAIR_OK;
}

/*
 * What it is worth to an attacker that a test says "the first": *factor = true_positive /
 * false_positive, the Bayes factor, and *posterior, the probability that he is right where the
 * first data set is used with probability `prior` (his positive predictive value), both rounded up.
 * With `upper` of dppair_attack_curve no test with this rate of false positives is worth more.
 * *factor is infinite where false_positive = 0 and true_positive > 0. prior in (0, 1). Errors:
 * NULL, ENVIRONMENT, NOT_FINITE; DOMAIN: no prior, no rate, or both rates 0, a test that never says
 * so.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_bayes(double *factor, double *posterior,
                                                               double false_positive,
                                                               double true_positive, double prior) {
  double rates[3], against;
  dppair_status status;
  if (factor != NULL) *factor = 0.0;
  if (posterior != NULL) *posterior = 0.0;
  if (factor == NULL || posterior == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  rates[0] = false_positive, rates[1] = true_positive, rates[2] = prior;
  status = dppair_attack_rates_check_(rates, 3);
  if (status == DPPAIR_OK && !(prior > 0.0 && prior < 1.0)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK && !(false_positive + true_positive > 0.0)) status = DPPAIR_ERR_DOMAIN;
  if (status != DPPAIR_OK) return status;
  *factor = false_positive > 0.0 ? dppair_up_(true_positive / false_positive) : HUGE_VAL;
  against = (1.0 - prior) / prior * (1.0 - 2.0 * DBL_EPSILON); /* to the factor's favour */
  *posterior = false_positive > 0.0 ? dppair_up_(dppair_up_(1.0 / (1.0 + against / *factor))) : 1.0;
  if (!(true_positive > 0.0)) *posterior = 0.0;
  if (*posterior > 1.0) *posterior = 1.0;
  return DPPAIR_OK;
}

/* ---- src/accountant/attack_fit.h ------------------------------------------------------------
 * What an account means: the Gaussian mechanism that it is as good as
 *
 * In s = e^epsilon delta is convex, so that it lies under its chord between two points of an
 * account's curve, and the Gaussian curve over its tangents, of slope -P(N(0,1) > epsilon/mu +
 * mu/2). A mu whose tangent lies over the chord in every cell is thereby proved for all epsilon.
 * Relies on attack.h and gaussian_curve.h.
 * ---------------------------------------------------------------------------------------------- */

/* P(N(0,1) > epsilon/mu + mu/2), the rate of false positives where the Gaussian curve has the slope
 * e^epsilon, to 12 digits. */
DPPAIR_FN_ double dppair_attack_tail_(double epsilon, double mu) {
  const double z = epsilon / mu + 0.5 * mu;
  return DPPAIR_INV_SQRT_2PI_ * dppair_exp_(-0.5 * z * z) * dppair_mills_(z);
}

/* 1 when the Gaussian curve of mu, plus `slack`, surely lies above D between nodes i and i + 1: D
 * is below its chord there, and the curve above its tangent where that is parallel to the chord. */
DPPAIR_FN_ int dppair_attack_covers_(const dppair_attack_ *k, size_t i, double mu, double slack) {
  const double s0 = dppair_exp_(k->epsilon[i]), s1 = dppair_exp_(k->epsilon[i + 1]);
  const double v0 = k->upper[i] - slack, v1 = k->upper[i + 1] - slack, fall = (v0 - v1) / (s1 - s0);
  double left = k->epsilon[i], right = k->epsilon[i + 1], delta, tail, middle;
  int round;
  for (round = 0; round < 50; round++) {
    middle = 0.5 * (left + right);
    if (dppair_attack_tail_(middle, mu) > fall)
      left = middle;
    else
      right = middle;
  }
  tail = dppair_attack_tail_(left, mu);
  if (!(tail > 1e-290)) return 0; /* a tangent whose slope has lost its digits */
  delta = dppair_gaussian_delta_below_(left, mu) - 4e-15;
  middle = dppair_exp_(left);
  return delta + tail * (1.0 - 1e-11) * (middle - s0) >= v0 &&
         delta - tail * (1.0 + 1e-11) * (s1 - middle) >= v1;
}

/* The largest |Gaussian curve of mu - delta| over the points. */
DPPAIR_FN_ double dppair_attack_distance_(const dppair_attack_ *k, double mu) {
  double most = 0.0;
  size_t i;
  for (i = 0; i < k->count; i++) {
    double delta = 1.0, gap;
    if (dppair_gaussian_delta(&delta, k->epsilon[i], mu) != DPPAIR_OK) return HUGE_VAL;
    gap = dppair_fabs_(delta - k->upper[i]);
    if (gap > most) most = gap;
  }
  return most;
}

/* mu->estimate: where that distance is smallest, by golden section (it falls, then rises). */
DPPAIR_FN_ double dppair_attack_nearest_(const dppair_attack_ *k, double high) {
  const double golden = 0.61803398874989484820;
  double low = 0.0;
  int round;
  for (round = 0; round < 80; round++) {
    const double x1 = high - golden * (high - low), x2 = low + golden * (high - low);
    if (dppair_attack_distance_(k, x1) <= dppair_attack_distance_(k, x2))
      high = x2;
    else
      low = x1;
  }
  return 0.5 * (low + high);
}

/* Adds points where `slack` begins to cover delta, which is *last then, and evenly below. 0: slack
 * never does. */
DPPAIR_FN_ int dppair_attack_spread_(double *last, dppair_attack_ *k, double slack) {
  double low = 0.0, high = HUGE_VAL;
  size_t i;
  for (i = 0; i < k->count && !(high <= DPPAIR_ATTACK_FAR_); i++) {
    if (k->upper[i] <= slack)
      high = k->epsilon[i];
    else
      low = k->epsilon[i];
  }
  if (!(high <= DPPAIR_ATTACK_FAR_)) return 0;
  for (i = 0; i < 12 && high > 0.0 && k->count + 36 < DPPAIR_ATTACK_NODES_; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_attack_add_(k, middle) != DPPAIR_OK) break;
    if (k->latest <= slack)
      high = middle;
    else
      low = middle;
  }
  for (i = 1; i < 32 && high > 0.0; i++)
    if (dppair_attack_add_(k, high * (double)i / 32.0) != DPPAIR_OK) break;
  *last = high;
  return 1;
}

/*
 * The account as one Gaussian mechanism: *mu encloses the smallest mu such that at every epsilon
 * delta <= delta of N(mu, 1) against N(0, 1) + slack, so that T(f) <= Phi(Phi^-1(f) + mu) + slack
 * for all f: `upper` is surely one such mu, and infinite where none is known; smaller than `lower`
 * is none, where neighbours are known that attain the account. `estimate` bounds nothing: it is the
 * mu whose curve is nearest, by the largest difference of delta. With slack = 0 only plain Gaussian
 * steps and pure ones have a finite mu that is worth something: a rare large loss, such as that of
 * the step that drew the record, is what slack covers. slack in [0, 1), at least the failure
 * probability for a finite `upper`. work and errors: those of dppair_accountant_certify_delta;
 * NULL, NOT_FINITE, DELTA (slack).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_attack_fit(dppair_interval *mu,
                                                             const dppair_accountant *a,
                                                             double slack, void *work,
                                                             size_t bytes) {
  dppair_attack_ k;
  dppair_status status;
  double value, mu0, low = 0.0, last = 0.0, top = 1.0;
  size_t i;
  int covered, round;
  if (mu == NULL) return DPPAIR_ERR_NULL;
  memset(mu, 0, sizeof *mu);
  if (!dppair_isfinite_f64(slack)) return DPPAIR_ERR_NOT_FINITE;
  if (!(slack >= 0.0 && slack < 1.0)) return DPPAIR_ERR_DELTA;
  status = dppair_attack_begin_(&k, a, work, bytes);
  if (status != DPPAIR_OK) return status;
  mu->route = k.route[0];
  mu0 = dppair_up_(dppair_sqrt_(a->gaussian));
  covered = dppair_attack_spread_(&last, &k, slack);
  for (i = 0; covered && i + 1 < k.count && k.epsilon[i] < last; i++) {
    double high = low > 1e-9 ? low : 1e-9;
    if (low > 0.0 && dppair_attack_covers_(&k, i, low, slack)) continue;
    while (high < 1e6 && !dppair_attack_covers_(&k, i, high, slack)) high *= 2.0;
    for (round = 0; round < 60; round++) {
      value = 0.5 * (low + high);
      if (dppair_attack_covers_(&k, i, value, slack))
        high = value;
      else
        low = value;
    }
    low = high;
  }
  mu->upper = covered && low < 1e6 ? low : HUGE_VAL;
  if (dppair_accountant_is_gaussian_(a) && a->failure <= slack && mu0 < mu->upper) mu->upper = mu0;
  for (i = 0; i < k.count; i++) {
    const double below = (k.below[0][i] > k.below[1][i] ? k.below[0][i] : k.below[1][i]) - slack;
    if (below > 0.0 && below < 1.0 &&
        dppair_gaussian_mu(&value, k.epsilon[i], dppair_down_(below)) == DPPAIR_OK &&
        value > mu->lower)
      mu->lower = value;
  }
  if (mu->lower > mu->upper) mu->lower = mu->upper;
  while (top < 1e6 && dppair_attack_distance_(&k, 2.0 * top) < dppair_attack_distance_(&k, top))
    top *= 2.0;
  if (dppair_accountant_is_gaussian_(a))
    mu->estimate = mu0;
  else if (k.upper[0] > 0.0)
    mu->estimate = k.upper[0] < 1.0 ? dppair_attack_nearest_(&k, 2.0 * top) : HUGE_VAL;
  return DPPAIR_OK;
}

/* ---- src/accountant/calibrate.h -------------------------------------------------------------
 * Calibration, over whatever composition the caller can evaluate
 *
 * The smallest noise and the largest count that meet a target epsilon, and the noise multiplier of
 * a plan beside what an account already holds. The safe end of the last bracket is returned, so
 * that no assumption on the caller's function but its direction matters.
 * ---------------------------------------------------------------------------------------------- */

/* Writes the epsilon (rounded up) of the caller's composition at this value of the parameter. */
typedef dppair_status (*dppair_epsilon_function)(double *epsilon, double value, void *context);

/* epsilon at `value`, with "no finite bound" reported as DBL_MAX. Any other error (a delta that
 * failures use up, a sigma) would occur at every value, and is returned. */
DPPAIR_FN_ dppair_status dppair_calibrate_try_(double *epsilon, double value,
                                               dppair_epsilon_function function, void *context) {
  dppair_status status = function(epsilon, value, context);
  if (status == DPPAIR_ERR_OVERFLOW || status == DPPAIR_ERR_NO_CONVERGENCE) {
    *epsilon = DBL_MAX;
    return DPPAIR_OK;
  }
  if (status == DPPAIR_OK && !(*epsilon >= 0.0)) return DPPAIR_ERR_NOT_FINITE;
  return status;
}

/* The noise that is looked for lies in (low, high], where these are known (0: not yet). */
typedef struct dppair_noise_bracket_ {
  double low, high;     /* epsilon is above the target, and at most the target */
  double e_low, e_high; /* epsilon at them; DBL_MAX and 0: not known */
  double slope;         /* of log epsilon in log noise, by the last two ends */
} dppair_noise_bracket_;

/* The range of noises that are tried, and where the first one is taken from. */
#define DPPAIR_NOISE_MOST_ 1e30
#define DPPAIR_NOISE_LEAST_ 1e-30
#define DPPAIR_NOISE_FIRST_ 1e12
/* A step goes past the expected root by this part of the tolerance, so that the bracket closes. */
#define DPPAIR_NOISE_PAST_ 0.4
/* Without a bracket, no step is longer than this factor. */
#define DPPAIR_NOISE_STRIDE_ 16.0

/* The noise to try after x, where epsilon is e, by the slope: log epsilon is nearly linear in log
 * noise. */
DPPAIR_FN_ double dppair_noise_secant_(dppair_noise_bracket_ *b, double x, double e, double target,
                                       double tolerance) {
  double next;
  if (b->low > 0.0 && b->high > 0.0 && b->e_low < DBL_MAX && b->e_high > 0.0) {
    const double fresh = dppair_log_(b->e_low / b->e_high) / dppair_log_(b->low / b->high);
    if (fresh < -1e-3) b->slope = fresh;
  }
  if (!(e > 0.0 && e < DBL_MAX)) return e > target ? 4.0 * x : 0.25 * x;
  next = x * dppair_exp_(dppair_log_(target / e) / b->slope);
  next *= e <= target ? 1.0 - DPPAIR_NOISE_PAST_ * tolerance : 1.0 + DPPAIR_NOISE_PAST_ * tolerance;
  if (next > DPPAIR_NOISE_STRIDE_ * x) next = DPPAIR_NOISE_STRIDE_ * x;
  if (next < x / DPPAIR_NOISE_STRIDE_) next = x / DPPAIR_NOISE_STRIDE_;
  return next;
}

/* Keeps the next noise inside the bracket. Where it fell outside, and at every fourth try, since
 * the secant may creep: just inside of an end that is close to it, else bisection. */
DPPAIR_FN_ double dppair_noise_inside_(const dppair_noise_bracket_ *b, double next,
                                       double tolerance, int tries) {
  if (b->low > 0.0 && b->high > 0.0) {
    if (tries % 4 != 3 && next > b->low && next < b->high) return next;
    if (next >= b->high && next < b->high * (1.0 + tolerance))
      return b->high * (1.0 - DPPAIR_NOISE_PAST_ * tolerance);
    if (next <= b->low && next > b->low * (1.0 - tolerance))
      return b->low * (1.0 + DPPAIR_NOISE_PAST_ * tolerance);
    return dppair_sqrt_(b->low) * dppair_sqrt_(b->high);
  }
  if (b->high > 0.0 && next >= b->high) return 0.5 * b->high;
  if (b->low > 0.0 && b->high <= 0.0 && next <= b->low) return 2.0 * b->low;
  return next;
}

/*
 * The smallest noise whose epsilon is at most `target`: *noise is the safe end of a bracket of
 * relative width `tolerance` (1e-9, say), *epsilon what it gives. function must decrease in the
 * noise; guess > 0 starts the search. DPPAIR_ERR_NO_CONVERGENCE when no noise up to 1e30 suffices,
 * or the bracket does not close; DPPAIR_ERR_DOMAIN when any noise down to 1e-30 does, because
 * epsilon hardly depends on it. Errors of function are returned; ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_scale(double *noise, double *epsilon,
                                                                  double target, double guess,
                                                                  double tolerance,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  dppair_noise_bracket_ b = {0.0, 0.0, DBL_MAX, 0.0, -1.0};
  double x, e;
  int i;
  if (noise == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *noise = *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target) || !dppair_isfinite_f64(guess) ||
      !dppair_isfinite_f64(tolerance))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(target > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(guess > 0.0) || !(tolerance >= 1e-14 && tolerance < 1.0)) return DPPAIR_ERR_DOMAIN;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  x = guess > DPPAIR_NOISE_FIRST_         ? DPPAIR_NOISE_FIRST_
      : guess < 1.0 / DPPAIR_NOISE_FIRST_ ? 1.0 / DPPAIR_NOISE_FIRST_
                                          : guess;
  for (i = 0; i < 300; i++) {
    const dppair_status status = dppair_calibrate_try_(&e, x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      b.high = x;
      b.e_high = e;
    } else {
      b.low = x;
      b.e_low = e;
    }
    if (b.high > 0.0 && b.high <= b.low * (1.0 + tolerance)) {
      *noise = b.high;
      *epsilon = b.e_high;
      return DPPAIR_OK;
    }
    if (x > DPPAIR_NOISE_MOST_) return DPPAIR_ERR_NO_CONVERGENCE;
    if (b.high > 0.0 && b.high < DPPAIR_NOISE_LEAST_) return DPPAIR_ERR_DOMAIN;
    x = dppair_noise_inside_(&b, dppair_noise_secant_(&b, x, e, target, tolerance), tolerance, i);
  }
  return DPPAIR_ERR_NO_CONVERGENCE;
}

/* The largest count (of steps, of batch records, ...) up to `most` whose epsilon is at most
 * `target`; 0 when even 1 is too many. function must increase in the count. The search grows
 * fourfold until a count is too large, then bisects. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate_count(size_t *count, double *epsilon,
                                                                  double target, size_t most,
                                                                  dppair_epsilon_function function,
                                                                  void *context) {
  size_t low = 0, high, x = 1;
  double e, e_low = 0.0;
  dppair_status status;
  if (count == NULL || epsilon == NULL) return DPPAIR_ERR_NULL;
  *count = 0;
  *epsilon = 0.0;
  if (function == NULL) return DPPAIR_ERR_NULL;
  if (!dppair_isfinite_f64(target)) return DPPAIR_ERR_NOT_FINITE;
  if (target < 0.0) return DPPAIR_ERR_EPSILON;
  if (most == 0 || most > SIZE_MAX / 4) return DPPAIR_ERR_SIZE;
  high = most + 1;
  while (low + 1 < high) {
    status = dppair_calibrate_try_(&e, (double)x, function, context);
    if (status != DPPAIR_OK) return status;
    if (e <= target) {
      low = x;
      e_low = e;
      x = high > most && 4 * x < high ? 4 * x : low + (high - low) / 2;
    } else {
      high = x;
      x = low + (high - low) / 2;
    }
    if (x <= low) x = low + 1;
  }
  *count = low;
  *epsilon = e_low;
  return DPPAIR_OK;
}

/* Less of a budget than this share of it is what rounding left: a plan that has the whole budget of
 * an account that is spent must not become one of nearly infinite noise. */
#define DPPAIR_LEFT_LEAST_ 1e-9

/*
 * *multiplier of a plan whose law is Gaussian and that draws nothing, beside an account that holds
 * plain Gaussian steps and failures only: from the exact curve, such that the account, charged with
 * the plan, answers at most plan->epsilon. Every other plan or account: NO_PROOF. EXHAUSTED: the
 * account holds that much already, to 9 digits.
 */
DPPAIR_FN_ dppair_status dppair_calibrate_gaussian_(double *multiplier, const dppair_plan *plan,
                                                    const dppair_accountant *a) {
  dppair_accountant charged;
  dppair_step step;
  double rest, mu, left, epsilon, grow = 2.0 * DBL_EPSILON;
  dppair_status status = dppair_plan_step_(&step, plan);
  int i;
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (!dppair_mechanism_is_gaussian_(step.kind) || !dppair_accountant_is_gaussian_(a))
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_accountant_rest_(&rest, a, plan->delta);
  if (status == DPPAIR_OK) status = dppair_gaussian_mu(&mu, plan->epsilon, dppair_down_(rest));
  if (status != DPPAIR_OK) return status;
  left = mu * mu - a->gaussian;
  if (!(left > DPPAIR_LEFT_LEAST_ * mu * mu)) return DPPAIR_ERR_EXHAUSTED;
  step.noise_multiplier = dppair_sqrt_((double)plan->steps / left);
  for (i = 0; i < 60; i++, grow *= 2.0) {
    charged = *a;
    status = dppair_accountant_step(&charged, &step);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
    if (status == DPPAIR_OK) /* what the account will answer */
      status = dppair_gaussian_epsilon(&epsilon, dppair_down_(rest),
                                       dppair_up_(dppair_sqrt_(charged.gaussian)));
    if (status != DPPAIR_OK) return status;
    if (epsilon <= plan->epsilon) {
      *multiplier = step.noise_multiplier;
      return DPPAIR_OK;
    }
    step.noise_multiplier *= 1.0 + grow;
  }
  return DPPAIR_ERR_EXHAUSTED; /* what is left is less than a rounding error of what is spent */
}

/* The same of a plan of one perturbed objective, by its closed form. */
DPPAIR_FN_ dppair_status dppair_calibrate_objective_(double *multiplier, const dppair_plan *plan,
                                                     const dppair_accountant *a) {
  dppair_objective_budget_ b = {plan->epsilon, 0.0, 0.0,
                                plan->ridge,   0.0, plan->sampling.adjacency};
  dppair_step step;
  double rest;
  dppair_status status = dppair_plan_step_(&step, plan);
  *multiplier = 0.0;
  if (status != DPPAIR_OK) return status;
  if (dppair_mechanism_is_pure_(step.kind) || step.steps != 1 || !dppair_accountant_is_gaussian_(a))
    return DPPAIR_ERR_NO_PROOF;
  status = dppair_accountant_rest_(&rest, a, plan->delta);
  if (status != DPPAIR_OK) return status;
  if (!(rest > 0.0)) return DPPAIR_ERR_DELTA;
  step.noise_multiplier = 1.0; /* all but this is checked */
  status = dppair_step_check_(&step);
  if (status != DPPAIR_OK) return status;
  b.delta = dppair_down_(rest);
  b.before = dppair_up_(dppair_sqrt_(a->gaussian));
  return dppair_objective_find_(multiplier, &b);
}

/* In closed form, whichever there is; NO_PROOF where there is none. */
DPPAIR_FN_ dppair_status dppair_calibrate_closed_(double *multiplier, const dppair_plan *plan,
                                                  const dppair_accountant *a) {
  return dppair_mechanism_is_objective_(plan->law)
             ? dppair_calibrate_objective_(multiplier, plan, a)
             : dppair_calibrate_gaussian_(multiplier, plan, a);
}

/* What dppair_calibrate leaves in plan->check: over the account as it stands and over all that the
 * plan asks for and gets. Never 0. A plan whose check is another one was changed, or the account
 * has moved on, or its noise multiplier is the caller's own. */
DPPAIR_FN_ uint64_t dppair_plan_check_(const dppair_plan *plan, const dppair_accountant *a) {
  dppair_ledger_entry charge;
  uint64_t check;
  memset(&charge, 0, sizeof charge);
  if (dppair_plan_step_(&charge.step, plan) != DPPAIR_OK) return 1;
  charge.sequence = a->sequence;
  charge.failure = plan->failure;
  check = dppair_ledger_check_of_(a->check, &charge);
  check = dppair_check_word_(check, 16, (uint64_t)plan->sampling.n); /* also where none is drawn */
  check = dppair_check_number_(check, 17, plan->epsilon);
  check = dppair_check_number_(check, 22, plan->trace);
  return dppair_check_number_(check, 18, plan->delta) | 1;
}

/* Adds to `a`, a copy of an account, what the plan costs besides its steps: its failure and its
 * output noise. */
DPPAIR_FN_ dppair_status dppair_plan_besides_(dppair_accountant *a, const dppair_plan *plan) {
  dppair_step trace;
  dppair_status status;
  if (!dppair_isfinite_f64(plan->failure)) return DPPAIR_ERR_NOT_FINITE;
  if (!(plan->failure >= 0.0 && plan->failure <= 1.0)) return DPPAIR_ERR_DELTA;
  a->failure = dppair_add_up_(a->failure, plan->failure);
  status = dppair_plan_trace_(&trace, plan);
  if (status != DPPAIR_OK || trace.kind == DPPAIR_NO_MECHANISM_) return status;
  status = dppair_step_check_(&trace);
  return status == DPPAIR_OK ? dppair_accountant_add_(a, &trace) : status;
}

/* A plan that is tried at one noise multiplier after the other. */
typedef struct dppair_plan_trial_ {
  const dppair_accountant *a;
  dppair_step step;
  double delta, *work;
  size_t doubles;
} dppair_plan_trial_;

/* The epsilon of the account and of the plan's steps (value = 0: without them). */
DPPAIR_FN_ dppair_status dppair_plan_epsilon_(double *epsilon, double value, void *context) {
  dppair_plan_trial_ *t = (dppair_plan_trial_ *)context;
  dppair_accountant charged = *t->a;
  const dppair_certify_ q = {&charged, 0, t->delta, 0, t->work, t->doubles, 0};
  dppair_interval b;
  dppair_status status = DPPAIR_OK;
  t->step.noise_multiplier = value;
  *epsilon = 0.0;
  if (value > 0.0) status = dppair_accountant_step(&charged, &t->step);
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged,
                         value > 0.0 ? status : DPPAIR_ERR_UNREAD));
  if (status != DPPAIR_OK) return status;
  status = t->delta > 0.0 ? dppair_certify_answer_(&b, &q)
                          : dppair_accountant_answer_(&b, &charged, 0, 0.0);
  *epsilon = b.upper;
  return status;
}

/*
 * plan->noise_multiplier: the smallest one, within 1e-9, with which the account `a` and plan->steps
 * releases of the plan stay within (plan->epsilon, plan->delta), by dppair_accountant_certify; from
 * the exact curve, to 13 digits, when all are plain Gaussian steps, and by a closed form, also to
 * 13 digits, when all are but one perturbed objective. The value that it had is overwritten, by 0
 * on an error; nothing is charged. delta = 0 is for laws and accounts with pure epsilons. work:
 * dppair_accountant_workspace bytes (32 MB); plain Gaussian steps do not read it, and for others
 * NULL with 0 bytes asks the Renyi orders, which want more noise. Errors: those of the account and
 * of the step that the plan describes (STEPS, RATE, SIZE, ADJACENCY; NO_PROOF: no bound is known
 * for this law and this draw), EPSILON, DELTA, WORKSPACE; EXHAUSTED: what the account holds leaves
 * less than 1e-9 of the budget.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_calibrate(dppair_plan *plan,
                                                            const dppair_accountant *a, void *work,
                                                            size_t bytes) {
  dppair_plan_trial_ t;
  dppair_accountant held;
  dppair_status status;
  double multiplier, epsilon;
  if (plan == NULL) return DPPAIR_ERR_NULL;
  plan->noise_multiplier = 0.0;
  plan->check = 0;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(plan->epsilon) || !dppair_isfinite_f64(plan->delta))
    return DPPAIR_ERR_NOT_FINITE;
  if (!(plan->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(plan->delta >= 0.0 && plan->delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (work == NULL && bytes > 0) return DPPAIR_ERR_NULL;
  t.work = dppair_doubles_(&t.doubles, work, bytes);
  if (work != NULL && t.doubles == 0) return DPPAIR_ERR_WORKSPACE;
  held = *a;
  status = dppair_plan_besides_(&held, plan);
  if (status == DPPAIR_OK) status = dppair_calibrate_closed_(&multiplier, plan, &held);
  if (status == DPPAIR_ERR_NO_PROOF) {
    t.a = &held;
    t.delta = plan->delta;
    status = dppair_plan_step_(&t.step, plan);
    if (status == DPPAIR_OK) status = dppair_plan_epsilon_(&epsilon, 0.0, &t);
    if (status != DPPAIR_OK) return status;
    if (!(epsilon < plan->epsilon * (1.0 - DPPAIR_LEFT_LEAST_))) return DPPAIR_ERR_EXHAUSTED;
    status = dppair_calibrate_scale(&multiplier, &epsilon, plan->epsilon, 1.0, 1e-9,
                                    dppair_plan_epsilon_, &t);
  }
  if (status != DPPAIR_OK) return status;
  plan->noise_multiplier = multiplier;
  plan->check = dppair_plan_check_(plan, a);
  return DPPAIR_OK;
}

/*
 * What the account leaves of (epsilon, delta), to be divided: *left is the mu of plain Gaussian
 * steps, for delta = 0 the sum of pure epsilons, that may be charged to it in as many steps as one
 * likes, but for what its sums may round; *held is the mu that it holds (0 for delta = 0). Squares
 * of mu add up. sampling: all records, and who the neighbours are (read for delta > 0).
 *
 * Errors zero both: NULL; those of the account; NOT_FINITE, EPSILON, DELTA; NO_PROOF, it holds
 * other steps than plain Gaussian ones, for delta = 0 than pure ones; EXHAUSTED, it leaves less
 * than 1e-9 of the budget; delta > 0: those of dppair_calibrate.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_accountant_left(double *left, double *held,
                                                                  const dppair_accountant *a,
                                                                  double epsilon, double delta,
                                                                  dppair_sampling sampling) {
  const int pure = !(delta > 0.0);
  dppair_plan whole;
  dppair_status status;
  if (left != NULL) *left = 0.0;
  if (held != NULL) *held = 0.0;
  if (left == NULL || held == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_usable_(a);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!(delta >= 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (a->failure > 0.0 ||
      !(pure ? dppair_accountant_is_pure_(a) : dppair_accountant_is_gaussian_(a)))
    return DPPAIR_ERR_NO_PROOF;
  if (pure) {
    if (!(epsilon - a->pure > 1e-9 * epsilon)) return DPPAIR_ERR_EXHAUSTED;
    *left = epsilon - a->pure - 1e-12 * epsilon;
    return DPPAIR_OK;
  }
  memset(&whole, 0, sizeof whole);
  whole.epsilon = epsilon;
  whole.delta = delta;
  whole.sampling = sampling;
  whole.steps = 1;
  whole.law = DPPAIR_GAUSSIAN;
  status = dppair_calibrate(&whole, a, NULL, 0);
  if (status != DPPAIR_OK) return status;
  *held = dppair_sqrt_(a->gaussian);
  *left = 1.0 / (whole.noise_multiplier * whole.noise_multiplier);
  *left = dppair_sqrt_(*left - 2e-12 * (*left + a->gaussian));
  return DPPAIR_OK;
}

/* ---- src/accountant/filters.h ---------------------------------------------------------------
 * Filters: budgets for steps that are chosen from earlier outputs
 *
 * A filter stops a run before its budget is exceeded; the individual filter keeps a budget per
 * record. Relies on gaussian_curve.h and account.h.
 * ---------------------------------------------------------------------------------------------- */

/*
 * A Renyi filter (Feldman and Zrnic 2021; Lecuyer 2021): the parameters of a step may depend on
 * earlier outputs, and the run stops before the sum of the divergences of one order, which is fixed
 * in advance, exceeds the budget. order = 0 is for Gaussian steps, which spend mu^2; the whole run
 * is then exactly sqrt(budget)-Gaussian. (Proof: pad the transcript with one Gaussian that uses up
 * the budget. The log-likelihood ratio then has conditionally Gaussian increments with a constant
 * total variance.)
 */
typedef struct dppair_filter {
  double order, budget, spent;
} dppair_filter;

/* Sets the budget that makes the whole run (epsilon, delta)-private. order = 0 or > 1. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (order), EXHAUSTED: at this order nothing
 * is left to spend. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_filter_init(dppair_filter *f, double epsilon,
                                                              double delta, double order) {
  double budget;
  if (f == NULL) return DPPAIR_ERR_NULL;
  f->order = f->budget = f->spent = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(epsilon) || !dppair_isfinite_f64(delta) || !dppair_isfinite_f64(order))
    return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  if (!(delta > 0.0 && delta < 1.0)) return DPPAIR_ERR_DELTA;
  if (order <= 0.0 && order >= 0.0) {
    double mu;
    const dppair_status status = dppair_gaussian_mu(&mu, epsilon, delta);
    if (status != DPPAIR_OK) return status;
    budget = dppair_down_(dppair_down_(mu * mu));
    if (!dppair_isfinite_f64(budget)) return DPPAIR_ERR_EPSILON;
  } else {
    if (!(order > 1.0)) return DPPAIR_ERR_DOMAIN;
    budget = epsilon - dppair_log1p_(-1.0 / order) +
             (dppair_log_(delta) + dppair_log_(order)) / (order - 1.0);
    budget -= 1e-13 * (1.0 + epsilon + 800.0 / (order - 1.0));
    if (!(budget > 0.0)) return DPPAIR_ERR_EXHAUSTED;
  }
  f->order = order;
  f->budget = budget;
  return DPPAIR_OK;
}

/* Call this BEFORE a step that costs `spend` (mu^2, or the divergence of the filter's order). OK:
 * the step has been charged. EXHAUSTED: nothing was charged, and the step must not run. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_filter_step(dppair_filter *f, double spend) {
  double total;
  if (f == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(spend)) return DPPAIR_ERR_NOT_FINITE;
  if (spend < 0.0) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(f->budget) || !(f->spent >= 0.0)) return DPPAIR_ERR_DOMAIN;
  total = dppair_add_up_(f->spent, spend);
  if (!(total <= f->budget)) return DPPAIR_ERR_EXHAUSTED;
  f->spent = total;
  return DPPAIR_OK;
}

/*
 * The individual filter for full-batch PAIRWISE gradient descent. Every record has the same budget
 * B and is charged only what it can cost itself; a record whose budget does not cover a step is
 * dropped for good, with all its pairs. Public are n, the number of steps, which is fixed in
 * advance, step sizes, sigma, B, the domain, the loss and the start.
 *
 * Before step t, for every record i that is still active, compute g_i = sup over z' in the domain
 * of
 * || (grad l(z_i,z') + grad l(z',z_i))/2 || at the released w_t, from z_i and public quantities
 * only, NEVER from the other records, and charge r_i = 2 g_i^2/(n^2 sigma^2). Then release w_t -
 * eta ( (1/(n(n-1))) sum over pairs with both ends active + N(0, sigma^2 I) ); n(n-1) must not be
 * replaced by the number of active pairs.
 *
 * CLAIM. If one record is zeroed (its pairs contribute nothing, n stays), the whole transcript is
 * B-zCDP and sqrt(2B)-Gaussian, in both directions. If one record is replaced, it is 2 sqrt(2B)-
 * Gaussian, for the two-level ranking losses 2 sqrt(B). This is one guarantee for everybody, not a
 * smaller epsilon for small records. Do not release the charges, who is active, how many are, or
 * training losses: they are not covered.
 * Proof. Given the outputs so far, the flags of all j != i are the same in both runs, because they
 * are functions of z_j and the outputs. So the means differ by (2/N) sum over active j of gbar_ij,
 * N = n(n-1), which is predictable and has a norm of at most 2 g_i/n; the squares always sum to at
 * most 2B; pad with one Gaussian as for dppair_filter. (To charge a record for its ACTUAL pairs is
 * unsound: then its presence changes who else is dropped, and nobody is charged for that.)
 */

/* *budget: the B that gives (epsilon, delta) under this adjacency, rounded down. ranking != 0: a
 * two-level ranking loss, for which replacing a record costs half. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_budget(double *budget, double epsilon,
                                                                    double delta,
                                                                    dppair_adjacency adjacency,
                                                                    int ranking) {
  double mu;
  dppair_status status;
  if (budget == NULL) return DPPAIR_ERR_NULL;
  *budget = 0.0;
  status = dppair_adjacency_records_(adjacency);
  if (status == DPPAIR_OK) status = dppair_gaussian_mu(&mu, epsilon, delta);
  if (status != DPPAIR_OK) return status;
  *budget = dppair_down_(
      dppair_down_(mu * mu / (adjacency == DPPAIR_ZERO_OUT ? 2.0 : (ranking ? 4.0 : 8.0))));
  return DPPAIR_OK;
}

/* Charges factor (norm[i]/unit)^2 to every active record, or drops the record. */
DPPAIR_FN_ dppair_status dppair_individual_charge_(double *spent, unsigned char *active,
                                                   const double *norm, size_t n, double factor,
                                                   double unit, double sigma, double budget) {
  dppair_status status = dppair_array_(active, n);
  size_t i;
  if (status != DPPAIR_OK) return status;
  if (spent == NULL || active == NULL || norm == NULL)
    status = DPPAIR_ERR_NULL;
  else if (n < 2)
    status = DPPAIR_ERR_SIZE;
  else if (!dppair_isfinite_f64(sigma) || !(sigma > 0.0))
    status = DPPAIR_ERR_SIGMA;
  else if (!dppair_isfinite_f64(budget) || !(budget >= 0.0))
    status = DPPAIR_ERR_DOMAIN;
  else
    status = dppair_environment_check();
  if (status != DPPAIR_OK) { /* fail closed */
    if (n > 0) memset(active, 0, n);
    return status;
  }
  for (i = 0; i < n; i++) {
    double ratio, total;
    if (!active[i]) continue;
    ratio = norm[i] / unit;
    total = dppair_isfinite_f64(ratio) && ratio >= 0.0 && spent[i] >= 0.0
                ? (spent[i] + factor * ratio * ratio) * (1.0 + 2e-15)
                : DBL_MAX;
    if (total <= budget)
      spent[i] = total;
    else
      active[i] = 0;
  }
  return DPPAIR_OK;
}

/*
 * One step of the filter: charges g[i] to every active record, or drops the record. spent[n] starts
 * at 0 and active[n] at 1; both are secret. A g[i] or spent[i] that is not a finite number >= 0
 * drops the record too. Errors: NULL, SIZE (n < 2), SIGMA, DOMAIN (budget), ENVIRONMENT, which make
 * all records inactive; OVERFLOW (no array has n bytes), which leaves `active` alone.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_step(double *spent,
                                                                  unsigned char *active,
                                                                  const double *g, size_t n,
                                                                  double sigma, double budget) {
  return dppair_individual_charge_(spent, active, g, n, 2.0, (double)n * sigma, sigma, budget);
}

/*
 * The same for a sum of vectors of one record each, as pairs made pointwise are (NAME_coeffs_from_
 * histogram), with what a record ACTUALLY adds. The statistic is the sum over active records of
 * a_i, with N(0, sigma^2 I); a_i depends on record i, on public numbers and on what was RELEASED
 * before, and norm[i] = |a_i|, as it stands in the statistic (clip(c_i v_i)/n in a mean gradient),
 * with its rounding. Each active record is charged norm[i]^2/(2 sigma^2) or dropped for good. A
 * histogram of scores is such a sum: every active record has norm 1 and sigma is the scale of its
 * noise. A dropped record leaves later histograms as well as later gradients (weight 0).
 *
 * Coefficients must come from the histogram WITH its noise. Those of its exact counts, or of all
 * pairs, depend on the other records: then a record changes what others are charged and who is
 * dropped, and nobody pays for that.
 *
 * CLAIM and budget: those of the filter above, for a loss that is not a ranking loss
 * (dppair_individual_budget, ranking = 0): with a record zeroed the transcript is sqrt(2 B)-
 * Gaussian; with one replaced by another it is 2 sqrt(2 B)-Gaussian.
 * Proof. Given the outputs so far, flags and vectors of all j != i are the same in both runs, so
 * the means differ by a_i while record i is active, and by nothing afterwards; the squares sum to
 * at most 2 B sigma^2. Where it is replaced they differ by a_i - a'_i, whose squares sum to at most
 * 2 B (1 + 1)^2 sigma^2 by Minkowski's inequality. Padding: as for dppair_filter.
 * Arguments and errors: dppair_individual_step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_individual_sum_step(double *spent,
                                                                      unsigned char *active,
                                                                      const double *norm, size_t n,
                                                                      double sigma, double budget) {
  return dppair_individual_charge_(spent, active, norm, n, 0.5, sigma, sigma, budget);
}

/* ---- src/accountant/papers.h ----------------------------------------------------------------
 * What papers print
 *
 * Compares the noise that a paper prints with the noise that its guarantee needs. Relies on the
 * Gaussian curve (gaussian_curve.h) and, for SGD with uniform draws, on sgd_hits.h.
 * ---------------------------------------------------------------------------------------------- */

/* The results: number, name, and the formula that the paper prints. */
#define DPPAIR_PAPER_TABLE(X)                                                                      \
  X(DPPAIR_KANG2021_THEOREM1, "kang2021-theorem1", "8 G sqrt(T ln(1/delta))/(n epsilon)")          \
  X(DPPAIR_KANG2021_APPENDIX, "kang2021-appendix", "4 G T sqrt(2 ln(1.25 T/delta))/(n epsilon)")   \
  X(DPPAIR_XUE2021_ALG1, "xue2021-alg1",                                                           \
    "8 G sqrt(2 ln(1.25/delta))/(alpha n epsilon); pure: 8 G/(alpha n epsilon) times sqrt(d)")     \
  X(DPPAIR_XUE2021_ALG2, "xue2021-alg2", "4 G sqrt(1.25 T ln(1/delta))/(n epsilon)")               \
  X(DPPAIR_XUE2021_ALG3, "xue2021-alg3",                                                           \
    "4 G eta sqrt(2 ln(1.25/delta))/epsilon per epoch; pure: 4 G eta/epsilon times sqrt(d)")       \
  X(DPPAIR_YANG2021_THEOREM4, "yang2021-theorem4",                                                 \
    "sqrt(8 eta^2 G^2 ln(2.5/delta)/epsilon^2 (T + 3 T^2 ln^2(eT) ln^2(2/delta)/n^2))")            \
  X(DPPAIR_NIEWANG2017_PROP1, "niewang2017-prop1", "scale kappa^2 C_L/(lambda n epsilon)")         \
  X(DPPAIR_KANG2023_THEOREM5, "kang2023-theorem5", "c G sqrt(T ln(1/delta))/(n epsilon), c = 1")

/* Bounds as papers print them: dppair_paper_check says what is true. */
typedef enum dppair_paper_result {
#define DPPAIR_X_(id, name, formula) id,
  DPPAIR_PAPER_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_PAPER_COUNT_
} dppair_paper_result;

/* The arguments of a printed noise. Those that a result does not read are 0. */
typedef struct dppair_paper {
  dppair_paper_result result;
  size_t n, steps;
  double lipschitz; /* G; C_L for niewang2017-prop1 */
  double epsilon, delta;
  double alpha;         /* xue2021-alg1: strong convexity */
  double eta;           /* xue2021-alg3 (the epoch's), yang2021-theorem4: step size */
  double lambda, kappa; /* niewang2017-prop1: strong convexity lambda gamma; kernel bound */
  int pure;             /* the variant with delta = 0, where there is one */
} dppair_paper;

/*
 * The printed noise and the noise that the same guarantee needs, at these arguments; whether the
 * printed one suffices; and what it really gives: the epsilon at the stated delta and the delta at
 * the stated epsilon. Noise is sigma per coordinate, or for `pure` the Laplace scale divided by
 * sqrt(d), which compares with the scale of the l2 mechanism. The noise needed is that of the
 * general constant 4G/n; ranking losses need half or a quarter of it.
 */
typedef struct dppair_paper_verdict {
  double noise_printed, noise_needed;
  int sufficient;
  double true_epsilon, true_delta; /* HUGE_VAL: no finite one */
} dppair_paper_verdict;

/* Completes the verdict for a release with this total sensitivity: Laplace noise for `pure`, where
 * sensitivity over scale is the true epsilon and delta = 1 - exp((stated - true)/2) at the stated
 * one; Gaussian noise else. */
DPPAIR_FN_ dppair_status dppair_paper_release_(dppair_paper_verdict *v, double sensitivity,
                                               const dppair_paper *p, int pure) {
  const double ratio = dppair_up_(sensitivity / v->noise_printed);
  dppair_status status;
  if (pure) {
    v->noise_needed = dppair_up_(dppair_up_(sensitivity / p->epsilon));
    v->true_epsilon = ratio;
    v->true_delta = v->true_epsilon > p->epsilon * (1.0 + 4e-15)
                        ? -dppair_expm1_(0.5 * (p->epsilon - v->true_epsilon)) * (1.0 + 1e-14)
                        : 0.0;
    return DPPAIR_OK;
  }
  status = dppair_gaussian_sigma(&v->noise_needed, sensitivity, p->epsilon, p->delta, 1);
  if (status == DPPAIR_OK) status = dppair_gaussian_epsilon(&v->true_epsilon, p->delta, ratio);
  if (status == DPPAIR_OK) status = dppair_gaussian_delta(&v->true_delta, p->epsilon, ratio);
  return status;
}

/* What one replaced record moves in the mean gradient: 4G/n. */
DPPAIR_FN_ double dppair_paper_move_(const dppair_paper *p) {
  return 4.0 * p->lipschitz / (double)p->n;
}

/* ln(1/delta) */
DPPAIR_FN_ double dppair_paper_log_(const dppair_paper *p) { return -dppair_log_(p->delta); }

/* The factor of the classical Gaussian mechanism, sqrt(2 ln(1.25/delta)); for `pure` 1. */
DPPAIR_FN_ double dppair_paper_classical_(const dppair_paper *p) {
  return p->pure ? 1.0 : dppair_sqrt_(2.0 * (dppair_log_(1.25) + dppair_paper_log_(p)));
}

/* One function per result: the printed noise, then the sensitivity of what it is added to. The
 * arguments have been checked. */
DPPAIR_FN_ dppair_status dppair_paper_kang2021_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double t = (double)p->steps;
  v->noise_printed =
      8.0 * p->lipschitz * dppair_sqrt_(t * dppair_paper_log_(p)) / ((double)p->n * p->epsilon);
  return dppair_paper_release_(v, dppair_paper_move_(p) * dppair_sqrt_(t), p, 0);
}

/* The Gaussian mechanism at (epsilon/T, delta/T), T times. */
DPPAIR_FN_ dppair_status dppair_paper_kang2021_appendix_(dppair_paper_verdict *v,
                                                         const dppair_paper *p) {
  const double t = (double)p->steps, move = dppair_paper_move_(p);
  v->noise_printed =
      move * t * dppair_sqrt_(2.0 * (dppair_log_(1.25 * t) + dppair_paper_log_(p))) / p->epsilon;
  return dppair_paper_release_(v, move * dppair_sqrt_(t), p, 0);
}

DPPAIR_FN_ dppair_status dppair_paper_xue2021_alg1_(dppair_paper_verdict *v,
                                                    const dppair_paper *p) {
  v->noise_printed =
      8.0 * p->lipschitz / (p->alpha * (double)p->n * p->epsilon) * dppair_paper_classical_(p);
  return dppair_paper_release_(v, dppair_paper_move_(p) / p->alpha, p, p->pure);
}

DPPAIR_FN_ dppair_status dppair_paper_xue2021_alg2_(dppair_paper_verdict *v,
                                                    const dppair_paper *p) {
  const double t = (double)p->steps, move = dppair_paper_move_(p);
  v->noise_printed = move * dppair_sqrt_(1.25 * t * dppair_paper_log_(p)) / p->epsilon;
  return dppair_paper_release_(v, move * dppair_sqrt_(t), p, 0);
}

/* One epoch: the mean of w_0 .. w_m after m steps on m records. */
DPPAIR_FN_ dppair_status dppair_paper_xue2021_alg3_(dppair_paper_verdict *v,
                                                    const dppair_paper *p) {
  v->noise_printed = 4.0 * p->lipschitz * p->eta / p->epsilon * dppair_paper_classical_(p);
  return dppair_paper_release_(v, 2.0 * p->lipschitz * p->eta, p, p->pure);
}

/* The epsilon at which SGD with this noise has at most the stated delta: bracketed by doubling,
 * then bisected from above to 1e-9 relative. */
DPPAIR_FN_ dppair_status dppair_paper_uas_epsilon_(double *epsilon, const dppair_uas *u,
                                                   double sigma, const dppair_paper *p) {
  double low = 0.0, high = p->epsilon, value;
  dppair_status status = DPPAIR_OK;
  int i;
  for (i = 0; status == DPPAIR_OK && i < 60; i++) {
    status = dppair_uas_delta_(&value, u, sigma, high);
    if (value <= p->delta) break;
    low = high;
    high *= 2.0;
  }
  for (i = 0; status == DPPAIR_OK && i < 60 && high - low > 1e-9 * high; i++) {
    const double middle = 0.5 * (low + high);
    status = dppair_uas_delta_(&value, u, sigma, middle);
    if (value <= p->delta)
      high = middle;
    else
      low = middle;
  }
  *epsilon = high;
  return status;
}

DPPAIR_FN_ dppair_status dppair_paper_yang2021_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double t = (double)p->steps, log_et = 1.0 + dppair_log_(t);
  const double inverse = dppair_paper_log_(p), level = dppair_log_(2.0) + inverse;
  const double spread = t * log_et * level / (double)p->n;
  dppair_uas u;
  dppair_status status;
  memset(&u, 0, sizeof u);
  u.n = p->n;
  u.steps = p->steps;
  u.eta = p->eta;
  u.lipschitz = p->lipschitz;
  u.loss = DPPAIR_UAS_CONVEX;
  v->noise_printed = p->eta * p->lipschitz / p->epsilon *
                     dppair_sqrt_(8.0 * (dppair_log_(2.5) + inverse)) *
                     dppair_sqrt_(t + 3.0 * spread * spread);
  status = dppair_uas_sigma(&v->noise_needed, &u, p->epsilon, p->delta);
  if (status == DPPAIR_OK)
    status = dppair_uas_delta_(&v->true_delta, &u, v->noise_printed, p->epsilon);
  if (status == DPPAIR_OK)
    status = dppair_paper_uas_epsilon_(&v->true_epsilon, &u, v->noise_printed, p);
  return status;
}

/* The density exp(-|b| lambda n epsilon/(kappa^2 C_L)) has half the scale that the stability
 * 2 kappa^2 C_L/(lambda n) of one predicted value needs. */
DPPAIR_FN_ dppair_status dppair_paper_niewang2017_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double n = (double)p->n;
  v->noise_printed = p->kappa * p->kappa * p->lipschitz / (p->lambda * n * p->epsilon);
  return dppair_paper_release_(v, 2.0 * p->kappa * p->kappa * p->lipschitz / (p->lambda * n), p, 1);
}

/* Noise is skipped for points of small influence. The run in which it is always skipped reveals
 * whether the differing record was ever drawn, which has probability 1 - (1-1/n)^T, at every
 * epsilon and for every constant c. No noise of this form suffices. */
DPPAIR_FN_ dppair_status dppair_paper_kang2023_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double n = (double)p->n, t = (double)p->steps;
  v->noise_printed = p->lipschitz * dppair_sqrt_(t * dppair_paper_log_(p)) / (n * p->epsilon);
  v->noise_needed = v->true_epsilon = HUGE_VAL;
  v->true_delta = -dppair_expm1_(t * dppair_log1p_(-1.0 / n));
  return DPPAIR_OK;
}

/* The results in the order of DPPAIR_PAPER_TABLE: which have a variant with delta = 0, which
 * arguments must be > 0, and the function above. */
DPPAIR_FN_ dppair_status dppair_paper_evaluate_(dppair_paper_verdict *v, const dppair_paper *p) {
  enum {
    DPPAIR_NEEDS_NONE_ = 0,
    DPPAIR_HAS_PURE_ = 1,
    DPPAIR_NEEDS_ALPHA_ = 2,
    DPPAIR_NEEDS_ETA_ = 4,
    DPPAIR_NEEDS_KERNEL_ = 8
  };
  static const struct dppair_paper_row_ {
    int reads;
    dppair_status (*evaluate)(dppair_paper_verdict *v, const dppair_paper *p);
  } rows[DPPAIR_PAPER_COUNT_] = {
      {DPPAIR_NEEDS_NONE_, dppair_paper_kang2021_},
      {DPPAIR_NEEDS_NONE_, dppair_paper_kang2021_appendix_},
      {DPPAIR_HAS_PURE_ | DPPAIR_NEEDS_ALPHA_, dppair_paper_xue2021_alg1_},
      {DPPAIR_NEEDS_NONE_, dppair_paper_xue2021_alg2_},
      {DPPAIR_HAS_PURE_ | DPPAIR_NEEDS_ETA_, dppair_paper_xue2021_alg3_},
      {DPPAIR_NEEDS_ETA_, dppair_paper_yang2021_},
      {DPPAIR_HAS_PURE_ | DPPAIR_NEEDS_KERNEL_, dppair_paper_niewang2017_},
      {DPPAIR_NEEDS_NONE_, dppair_paper_kang2023_}};
  const int known = (int)p->result >= 0 && p->result < DPPAIR_PAPER_COUNT_;
  const int reads = known ? rows[p->result].reads : DPPAIR_NEEDS_NONE_;
  if (p->pure && !(reads & DPPAIR_HAS_PURE_)) return DPPAIR_ERR_NO_PROOF;
  if (!known || ((reads & DPPAIR_NEEDS_ALPHA_) && !(p->alpha > 0.0)) ||
      ((reads & DPPAIR_NEEDS_ETA_) && !(p->eta > 0.0)) ||
      ((reads & DPPAIR_NEEDS_KERNEL_) && !(p->lambda > 0.0 && p->kappa > 0.0)))
    return DPPAIR_ERR_DOMAIN;
  return rows[p->result].evaluate(v, p);
}

/*
 * *verdict on a printed noise at these arguments: n >= 2, steps >= 1, lipschitz and epsilon > 0,
 * delta in (0, 1) unless `pure` (niewang2017-prop1 has no delta), and what the result reads > 0.
 * Errors: NULL, NOT_FINITE, SIZE, DOMAIN, EPSILON, DELTA, NO_PROOF (no pure variant), OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_paper_check(dppair_paper_verdict *verdict,
                                                              const dppair_paper *paper) {
  dppair_paper_verdict v;
  dppair_status status;
  if (verdict == NULL) return DPPAIR_ERR_NULL;
  memset(verdict, 0, sizeof *verdict);
  if (paper == NULL) return DPPAIR_ERR_NULL;
  memset(&v, 0, sizeof v);
  if (!dppair_isfinite_f64(paper->lipschitz) || !dppair_isfinite_f64(paper->epsilon) ||
      !dppair_isfinite_f64(paper->delta) || !dppair_isfinite_f64(paper->alpha) ||
      !dppair_isfinite_f64(paper->eta) || !dppair_isfinite_f64(paper->lambda) ||
      !dppair_isfinite_f64(paper->kappa))
    return DPPAIR_ERR_NOT_FINITE;
  if (paper->n < 2 || paper->steps < 1) return DPPAIR_ERR_SIZE;
  if (!(paper->lipschitz > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!(paper->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!paper->pure && paper->result != DPPAIR_NIEWANG2017_PROP1 &&
      !(paper->delta > 0.0 && paper->delta < 1.0))
    return DPPAIR_ERR_DELTA;
  status = dppair_paper_evaluate_(&v, paper);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(v.noise_printed) || !(v.noise_printed > 0.0)) return DPPAIR_ERR_OVERFLOW;
  v.sufficient = v.noise_printed >= v.noise_needed ? 1 : 0;
  *verdict = v;
  return DPPAIR_OK;
}

/* ---- src/accountant/numbers.h ---------------------------------------------------------------
 * Decimal numbers: doubles to text and back to the same double
 *
 * printf and strtod follow the locale and belong to stdio, which this header does not use. Values
 * are computed as hi + lo, an unevaluated sum of two doubles with about 106 bits. Relies on
 * normal.h (dppair_product_error_).
 * ---------------------------------------------------------------------------------------------- */

/* (hi + lo) * (a + b) and (hi + lo) / (a + b) with twice the working precision. */
DPPAIR_FN_ void dppair_wide_multiply_(double *hi, double *lo, double a, double b) {
  const double p = *hi * a, e = dppair_product_error_(*hi, a, p) + (*hi * b + *lo * a);
  *hi = p + e;
  *lo = e - (*hi - p);
}

DPPAIR_FN_ void dppair_wide_divide_(double *hi, double *lo, double a, double b) {
  const double q = *hi / a, p = q * a;
  const double r = (((*hi - p) - dppair_product_error_(q, a, p)) + *lo - q * b) / a;
  *hi = q + r;
  *lo = r - (*hi - q);
}

/* Multiplies by 10^exponent, |exponent| <= 600, in factors of at most 10^150: neither a factor nor
 * the splitting of a product can overflow. */
DPPAIR_FN_ void dppair_wide_scale_(double *hi, double *lo, int exponent) {
  const int up = exponent >= 0;
  int left = up ? exponent : -exponent;
  while (left > 0) {
    const int part = left < 150 ? left : 150;
    double p = 1.0, p_low = 0.0, b = 10.0, b_low = 0.0;
    int k = part;
    for (; k > 0; k >>= 1) {
      if (k & 1) dppair_wide_multiply_(&p, &p_low, b, b_low);
      if (k > 1) dppair_wide_multiply_(&b, &b_low, b, b_low);
    }
    if (up)
      dppair_wide_multiply_(hi, lo, p, p_low);
    else
      dppair_wide_divide_(hi, lo, p, p_low);
    left -= part;
  }
}

/* A line that grows. `used` also counts characters for which there was no room. */
typedef struct dppair_text_ {
  char *at;
  size_t used, room;
} dppair_text_;

DPPAIR_FN_ void dppair_text_char_(dppair_text_ *t, char c) {
  if (t->used < t->room) t->at[t->used] = c;
  t->used++;
}

DPPAIR_FN_ void dppair_text_string_(dppair_text_ *t, const char *s) {
  while (*s != '\0') dppair_text_char_(t, *s++);
}

DPPAIR_FN_ void dppair_text_size_(dppair_text_ *t, uint64_t value) {
  char digit[24];
  int k = 0;
  do {
    digit[k++] = (char)('0' + (int)(value % 10));
    value /= 10;
  } while (value > 0);
  while (k > 0) dppair_text_char_(t, digit[--k]);
}

/* Writes n bytes as hexadecimal digits in quotes. */
DPPAIR_FN_ void dppair_text_hex_(dppair_text_ *t, const uint8_t *bytes, size_t n) {
  size_t i;
  dppair_text_char_(t, '"');
  for (i = 0; i < 2 * n; i++)
    dppair_text_char_(t, "0123456789abcdef"[(bytes[i / 2] >> (i % 2 == 0 ? 4 : 0)) & 15]);
  dppair_text_char_(t, '"');
}

/* The 17 significant digits nearest to x, which lies in [1e-280, 1e280]: 17 digits identify a
 * double. Returns the power of ten of the first digit. */
DPPAIR_FN_ int dppair_digits_of_(char digit[17], double x) {
  double hi = x, lo = 0.0, whole, part;
  int exponent = (int)dppair_floor_(dppair_log10_(x)), k;
  uint64_t digits;
  dppair_wide_scale_(&hi, &lo, 16 - exponent);
  if (hi >= 99999999999999999.0) { /* log10 was rounded across a power of ten */
    exponent++;
    dppair_wide_divide_(&hi, &lo, 10.0, 0.0);
  } else if (hi < 1e16) {
    exponent--;
    dppair_wide_multiply_(&hi, &lo, 10.0, 0.0);
  }
  /* hi + lo to the nearest integer. hi exceeds 2^53, so that lo can be larger than 1. */
  whole = dppair_floor_(hi);
  part = (hi - whole) + lo;
  digits = (uint64_t)whole;
  if (part >= 0.5)
    digits += (uint64_t)dppair_floor_(part + 0.5);
  else if (part < -0.5)
    digits -= (uint64_t)dppair_floor_(0.5 - part);
  for (k = 16; k >= 0; k--) {
    digit[k] = (char)('0' + (int)(digits % 10));
    digits /= 10;
  }
  return exponent;
}

/* Writes x with 17 significant digits, without trailing zeros, such that it reads back to x:
 * 0.00123, 12.5, 1500, else 1.25e30. x is 0 or in [1e-280, 1e280]; returns 1 for anything else. */
DPPAIR_FN_ int dppair_text_double_(dppair_text_ *t, double x) {
  int exponent, k, last = 16, plain, whole;
  char digit[17];
  if (x == 0.0) {
    dppair_text_char_(t, '0');
    return 0;
  }
  if (!(x >= 1e-280 && x <= 1e280)) return 1;
  exponent = dppair_digits_of_(digit, x);
  while (last > 0 && digit[last] == '0') last--;
  if (exponent >= -4 && exponent < 0) {
    dppair_text_string_(t, "0.");
    for (k = exponent; k < -1; k++) dppair_text_char_(t, '0');
    for (k = 0; k <= last; k++) dppair_text_char_(t, digit[k]);
    return 0;
  }
  plain = exponent >= 0 && exponent <= 15;
  whole = plain ? exponent : 0; /* the last digit before the point */
  for (k = 0; k <= whole; k++) dppair_text_char_(t, k <= last ? digit[k] : '0');
  if (last > whole) dppair_text_char_(t, '.');
  for (k = whole + 1; k <= last; k++) dppair_text_char_(t, digit[k]);
  if (plain) return 0;
  dppair_text_char_(t, 'e');
  if (exponent < 0) dppair_text_char_(t, '-');
  dppair_text_size_(t, (uint64_t)(exponent < 0 ? -exponent : exponent));
  return 0;
}

/* Reads digits with at most one point between two of them; the value is digits * 10^exponent.
 * Returns the number of characters, 0 when there is no such number, when it has more than 18
 * significant digits (the ledger writes 17) or more than 400 behind the point. */
DPPAIR_FN_ size_t dppair_parse_digits_(uint64_t *digits, int *exponent, const char *s,
                                       size_t length) {
  size_t i, seen = 0;
  int point = 0, significant = 0;
  *digits = 0;
  *exponent = 0;
  for (i = 0; i < length; i++) {
    if (s[i] == '.' && !point && seen > 0) {
      point = 1;
      continue;
    }
    if (s[i] < '0' || s[i] > '9') break;
    seen++;
    if (significant > 0 || s[i] != '0') significant++;
    *exponent -= point;
    if (significant > 18 || *exponent < -400) return 0;
    *digits = *digits * 10 + (uint64_t)(s[i] - '0');
  }
  return seen == 0 || s[i - 1] == '.' ? 0 : i;
}

/* Reads what follows 'e': an optional sign and digits, |exponent| <= 400. Returns the number of
 * characters, 0 when it is not that. */
DPPAIR_FN_ size_t dppair_parse_exponent_(int *exponent, const char *s, size_t length) {
  const int negative = length > 0 && s[0] == '-';
  const size_t start = negative || (length > 0 && s[0] == '+') ? 1 : 0;
  size_t i;
  *exponent = 0;
  for (i = start; i < length && s[i] >= '0' && s[i] <= '9'; i++) {
    *exponent = *exponent * 10 + (s[i] - '0');
    if (*exponent > 400) return 0;
  }
  if (negative) *exponent = -*exponent;
  return i > start ? i : 0;
}

/* Reads a JSON number >= 0, 0 or with a last digit worth 10^-310 to 10^290, and returns how many
 * characters it has; 0 when there is no such number. */
DPPAIR_FN_ size_t dppair_parse_double_(double *x, const char *s, size_t length) {
  uint64_t digits;
  int exponent, more = 0;
  double hi, lo, sum;
  size_t used = dppair_parse_digits_(&digits, &exponent, s, length);
  *x = 0.0;
  if (used == 0) return 0;
  if (used < length && (s[used] == 'e' || s[used] == 'E')) {
    const size_t tail = dppair_parse_exponent_(&more, s + used + 1, length - used - 1);
    if (tail == 0) return 0;
    used += 1 + tail;
  }
  if (digits == 0) return used;
  exponent += more;
  if (exponent > 290 || exponent < -310) return 0;
  hi = (double)(digits >> 11) * 2048.0; /* 18 digits are 60 bits: both parts are exact */
  lo = (double)(digits & 2047);
  sum = hi + lo;
  lo -= sum - hi;
  hi = sum;
  dppair_wide_scale_(&hi, &lo, exponent);
  *x = hi + lo;
  return dppair_isfinite_f64(*x) ? used : 0;
}

/* ---- src/accountant/json.h ------------------------------------------------------------------
 * JSON of a fixed shape: one walk over a value writes it, or reads it
 *
 *   static void walk(dppair_json *j, double *epsilon, size_t *n) {
 *     dppair_json_literal(j, "{\"epsilon\": ");
 *     dppair_json_number(j, epsilon);
 *     dppair_json_literal(j, ", \"n\": ");
 *     dppair_json_size(j, n, 1000000);
 *     dppair_json_literal(j, "}");
 *   }
 *   dppair_json j = dppair_json_writer(text, room);    then walk; dppair_json_done(&j): it fits
 *   dppair_json j = dppair_json_reader(text, length);  then walk; dppair_json_done(&j): it is one
 *
 * What is read has the members that the walk has, in their order, and no others; blanks do not
 * count. So a text from anywhere is read safely: after the first character that is wrong nothing
 * moves on, and numbers are 0. Numbers are 0 or of 1e-280 to 1e280, and read back to the same bits.
 *
 * Relies on numbers.h.
 * ---------------------------------------------------------------------------------------------- */

/* A place in a text that is written (in: NULL) or read. */
typedef struct dppair_json {
  dppair_text_ out;
  const char *in, *end;
  int bad; /* what was read is not what it must be, or what was to be written has no text */
} dppair_json;

/* Writes into text[room]; out.used goes on where the room ends (room 0: text may be NULL). */
DPPAIR_API dppair_json dppair_json_writer(char *text, size_t room) {
  dppair_json j;
  memset(&j, 0, sizeof j);
  j.out.at = text;
  j.out.room = room;
  return j;
}

/* Reads text[length], which is not NULL. */
DPPAIR_API dppair_json dppair_json_reader(const char *text, size_t length) {
  dppair_json j;
  memset(&j, 0, sizeof j);
  j.in = text;
  j.end = text + length;
  return j;
}

/* Is c next in what is read, behind blanks? */
DPPAIR_API int dppair_json_next(dppair_json *j, char c) {
  while (j->in < j->end && (*j->in == ' ' || *j->in == '\n' || *j->in == '\r' || *j->in == '\t'))
    j->in++;
  return !j->bad && j->in < j->end && *j->in == c;
}

/* Was all of it written, or read to its end? */
DPPAIR_API int dppair_json_done(dppair_json *j) {
  if (j->in == NULL) return !j->bad && j->out.used <= j->out.room;
  (void)dppair_json_next(j, ' ');
  return !j->bad && j->in == j->end;
}

/* These characters; blanks count inside of quotes only. */
DPPAIR_API void dppair_json_literal(dppair_json *j, const char *text) {
  int quoted = 0;
  if (j->in == NULL) dppair_text_string_(&j->out, text);
  for (; j->in != NULL && !j->bad && *text != '\0'; text++) {
    if (!quoted && (*text == ' ' || *text == '\n')) continue;
    if (quoted ? j->in == j->end || *j->in != *text : !dppair_json_next(j, *text)) j->bad = 1;
    if (!j->bad) j->in++;
    quoted ^= *text == '"';
  }
}

/* A string; read: whatever it is. */
DPPAIR_API void dppair_json_string(dppair_json *j, const char *text) {
  dppair_json_literal(j, "\"");
  for (; j->in == NULL && *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') dppair_text_char_(&j->out, '\\');
    if (c >= 0x20) {
      dppair_text_char_(&j->out, *text);
      continue;
    }
    dppair_text_string_(&j->out, "\\u00");
    dppair_text_char_(&j->out, "0123456789abcdef"[c >> 4]);
    dppair_text_char_(&j->out, "0123456789abcdef"[c & 15]);
  }
  while (j->in != NULL && !j->bad && j->in < j->end && *j->in != '"') {
    if ((unsigned char)*j->in < 0x20 || (*j->in == '\\' && ++j->in == j->end))
      j->bad = 1;
    else
      j->in++;
  }
  dppair_json_literal(j, "\"");
}

/* Has x a text that reads back to it? -0 reads as 0. */
DPPAIR_API int dppair_json_holds(double x) {
  return dppair_isfinite_f64(x) && !(dppair_fabs_(x) > 1e280) &&
         (!(dppair_fabs_(x) > 0.0) || dppair_fabs_(x) >= 1e-280);
}

/* A number that dppair_json_holds. */
DPPAIR_API void dppair_json_number(dppair_json *j, double *x) {
  const int negative = j->in == NULL ? *x < 0.0 : dppair_json_next(j, '-');
  size_t used;
  if (negative) dppair_json_literal(j, "-");
  if (j->in == NULL) {
    if (!dppair_json_holds(*x) || dppair_text_double_(&j->out, dppair_fabs_(*x)) != 0) j->bad = 1;
    return;
  }
  if (!negative) (void)dppair_json_next(j, ' ');
  used = j->bad ? 0 : dppair_parse_double_(x, j->in, (size_t)(j->end - j->in));
  if (used == 0 || !dppair_json_holds(*x)) j->bad = 1;
  if (j->bad) *x = 0.0;
  if (negative && *x > 0.0) *x = -*x;
  if (!j->bad) j->in += used;
}

/* A whole number from 0 to most <= 2^53. */
DPPAIR_API void dppair_json_size(dppair_json *j, size_t *value, size_t most) {
  double x = (double)*value;
  dppair_json_number(j, &x);
  if (!(x >= 0.0 && x <= (double)most) || dppair_floor_(x) < x) j->bad = 1;
  *value = j->bad ? 0 : (size_t)x;
}

/* Numbers in brackets: v[*n]; read: at most `room`, *n becomes how many. */
DPPAIR_API void dppair_json_numbers(dppair_json *j, double *v, size_t *n, size_t room) {
  const size_t most = j->in == NULL ? *n : room;
  size_t k;
  dppair_json_literal(j, "[");
  for (k = 0; k < most && (j->in == NULL || !dppair_json_next(j, ']')); k++) {
    if (k > 0) dppair_json_literal(j, ", ");
    dppair_json_number(j, &v[k]);
  }
  dppair_json_literal(j, "]");
  *n = j->bad ? 0 : k;
}

/* ---- src/accountant/ledger.h ----------------------------------------------------------------
 * The text of a ledger
 *
 * A ledger has one line of JSON for each charge of an account:
 *
 *   {"dppair":2,"sequence":1,"run":"00112233445566778899aabbccddeeff",
 *    "mechanism":"sampled-gaussian","adjacency":"replace-one","sampling":"poisson","n":1000,"m":50,
 *    "noise_multiplier":2.5,"steps":100,"failure":0,"sensitivity":"varies","sigma":"varies",
 *    "check":"0123456789abcdef"}                                            (on one line)
 *
 *   sequence    the number of the charge in its account, from 1
 *   run         128 random bits of the program that drew the noise's keys; left out where none are
 *               recorded (dppair_ledger_step without a release)
 *   adjacency   "none" where nobody stated it
 *   sampling .. ridge       what the mechanism reads, each left out where it is 0 (the group of a
 *               matching: where it is 2)
 *   sensitivity, sigma      what noise_multiplier is the quotient of, for mechanisms where it is
 *               one; "varies" where they vary from step to step or are not known
 *   check       of the account once the line is charged: dppair_ledger_check_of_
 *
 * One table says which keys there are and where their values belong; writer and reader follow it.
 * A line is what the writer writes, byte for byte, and nothing else: spaces, another order, another
 * spelling of a number, an unknown, repeated, missing or unread key are refused. Numbers carry 17
 * significant digits and read back to the same double. Lines of version 1 are refused: they have
 * neither number nor check, so that a lost line would not show.
 *
 * Relies on ledger_entry.h, numbers.h and mechanisms/.
 * ---------------------------------------------------------------------------------------------- */

/* What follows a key. */
typedef enum dppair_ledger_type_ {
  DPPAIR_LEDGER_VERSION_, /* 2 */
  DPPAIR_LEDGER_MECHANISM_,
  DPPAIR_LEDGER_ADJACENCY_,
  DPPAIR_LEDGER_SAMPLING_,
  DPPAIR_LEDGER_NUMBER_, /* a double */
  DPPAIR_LEDGER_SCALE_,  /* a double; 0: "varies"; only where the multiplier is a quotient */
  DPPAIR_LEDGER_COUNT_,  /* a size_t of at most 2^53 */
  DPPAIR_LEDGER_GROUP_,  /* the same; left out where it is dppair_ledger_group_'s 0 */
  DPPAIR_LEDGER_LONG_,   /* a uint64_t of at most 2^53 */
  DPPAIR_LEDGER_RUN_,    /* 16 bytes, in hexadecimal digits */
  DPPAIR_LEDGER_CHECK_   /* a uint64_t, in hexadecimal digits */
} dppair_ledger_type_;

typedef struct dppair_ledger_field_ {
  const char *key;
  dppair_ledger_type_ type;
  size_t offset; /* of the value in dppair_ledger_entry */
  int optional;  /* left out where it is 0 */
} dppair_ledger_field_;

enum { DPPAIR_LEDGER_FIELDS_ = 20 };

/* The i-th field of a line. */
DPPAIR_FN_ const dppair_ledger_field_ *dppair_ledger_field_of_(size_t i) {
#define DPPAIR_X_(key, type, member, optional)                                                     \
  { key, type, offsetof(dppair_ledger_entry, member), optional }
  static const dppair_ledger_field_ field[DPPAIR_LEDGER_FIELDS_] = {
      {"dppair", DPPAIR_LEDGER_VERSION_, 0, 0},
      DPPAIR_X_("sequence", DPPAIR_LEDGER_LONG_, sequence, 0),
      DPPAIR_X_("run", DPPAIR_LEDGER_RUN_, run, 1),
      {"mechanism", DPPAIR_LEDGER_MECHANISM_, 0, 0},
      {"adjacency", DPPAIR_LEDGER_ADJACENCY_, 0, 0},
      {"sampling", DPPAIR_LEDGER_SAMPLING_, 0, 1},
      DPPAIR_X_("q", DPPAIR_LEDGER_NUMBER_, step.sampling.q, 1),
      DPPAIR_X_("n", DPPAIR_LEDGER_COUNT_, step.sampling.n, 1),
      DPPAIR_X_("m", DPPAIR_LEDGER_COUNT_, step.sampling.m, 1),
      DPPAIR_X_("batches", DPPAIR_LEDGER_COUNT_, step.sampling.batches, 1),
      DPPAIR_X_("group", DPPAIR_LEDGER_GROUP_, step.sampling.group, 1),
      DPPAIR_X_("owned", DPPAIR_LEDGER_COUNT_, step.sampling.owned, 1),
      DPPAIR_X_("pair_rate", DPPAIR_LEDGER_NUMBER_, step.pair_rate, 1),
      DPPAIR_X_("ridge", DPPAIR_LEDGER_NUMBER_, step.ridge, 1),
      DPPAIR_X_("noise_multiplier", DPPAIR_LEDGER_NUMBER_, step.noise_multiplier, 0),
      DPPAIR_X_("steps", DPPAIR_LEDGER_COUNT_, step.steps, 0),
      DPPAIR_X_("failure", DPPAIR_LEDGER_NUMBER_, failure, 0),
      DPPAIR_X_("sensitivity", DPPAIR_LEDGER_SCALE_, sensitivity, 0),
      DPPAIR_X_("sigma", DPPAIR_LEDGER_SCALE_, sigma, 0),
      DPPAIR_X_("check", DPPAIR_LEDGER_CHECK_, check, 0)};
#undef DPPAIR_X_
  return &field[i];
}

/* Is the multiplier of the entry's step its sigma/sensitivity, or is neither of the two recorded?
 * The tolerance is the rounding of the quotient, or of sigma = multiplier * sensitivity; what is
 * charged is rounded up by more. */
DPPAIR_FN_ dppair_status dppair_ledger_scale_check_(const dppair_ledger_entry *entry) {
  const double z = entry->step.noise_multiplier;
  double quotient;
  if (entry->sensitivity == 0.0 && entry->sigma == 0.0) return DPPAIR_OK;
  if (!dppair_mechanism_scales_(entry->step.kind)) return DPPAIR_ERR_UNREAD;
  if (!(entry->sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  quotient = entry->sigma / entry->sensitivity;
  return z <= quotient * (1.0 + DBL_EPSILON) && z >= quotient * (1.0 - 4.0 * DBL_EPSILON)
             ? DPPAIR_OK
             : DPPAIR_ERR_SIGMA;
}

/* May this entry be written, charged, or have been read? Sequence and check are not looked at. */
DPPAIR_FN_ dppair_status dppair_ledger_check_(const dppair_ledger_entry *entry) {
  const dppair_step *s = &entry->step;
  const uint64_t most = UINT64_C(1) << 53;
  const dppair_status status = dppair_step_check_(s);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(entry->sensitivity) || !dppair_isfinite_f64(entry->sigma) ||
      !dppair_isfinite_f64(entry->failure))
    return DPPAIR_ERR_NOT_FINITE;
  if (entry->failure < 0.0 || entry->failure > 1.0) return DPPAIR_ERR_DOMAIN;
  if ((uint64_t)s->steps > most || (uint64_t)s->sampling.n > most ||
      (uint64_t)s->sampling.m > most || (uint64_t)s->sampling.batches > most ||
      (uint64_t)s->sampling.group > most || (uint64_t)s->sampling.owned > most)
    return DPPAIR_ERR_OVERFLOW;
  return dppair_ledger_scale_check_(entry);
}

DPPAIR_FN_ int dppair_ledger_has_run_(const dppair_ledger_entry *entry) {
  uint8_t any = 0;
  size_t i;
  for (i = 0; i < sizeof entry->run; i++) any |= entry->run[i];
  return any != 0;
}

/* Has the entry's line this field? */
DPPAIR_FN_ int dppair_ledger_has_(const dppair_ledger_entry *entry,
                                  const dppair_ledger_field_ *field) {
  const char *at = (const char *)entry + field->offset;
  double number;
  size_t count;
  if (field->type == DPPAIR_LEDGER_SCALE_) return dppair_mechanism_scales_(entry->step.kind);
  if (!field->optional) return 1;
  if (field->type == DPPAIR_LEDGER_RUN_) return dppair_ledger_has_run_(entry);
  if (field->type == DPPAIR_LEDGER_SAMPLING_) return entry->step.sampling.kind != DPPAIR_ALL;
  if (field->type == DPPAIR_LEDGER_GROUP_) return dppair_ledger_group_(&entry->step.sampling) != 0;
  if (field->type == DPPAIR_LEDGER_COUNT_) {
    memcpy(&count, at, sizeof count);
    return count != 0;
  }
  memcpy(&number, at, sizeof number);
  return number > 0.0 || number < 0.0;
}

DPPAIR_FN_ void dppair_ledger_write_word_(dppair_text_ *t, const char *word) {
  dppair_text_char_(t, '"');
  dppair_text_string_(t, word);
  dppair_text_char_(t, '"');
}

/* Writes the value of a field; returns 1 for a number that has no such text. */
DPPAIR_FN_ int dppair_ledger_write_value_(dppair_text_ *t, const dppair_ledger_entry *entry,
                                          const dppair_ledger_field_ *field) {
  const char *at = (const char *)entry + field->offset;
  uint8_t bytes[16];
  double number;
  size_t count;
  uint64_t value = 2;
  switch (field->type) {
  case DPPAIR_LEDGER_MECHANISM_:
    dppair_ledger_write_word_(t, dppair_mechanism_name(entry->step.kind));
    return 0;
  case DPPAIR_LEDGER_ADJACENCY_:
    dppair_ledger_write_word_(t, dppair_adjacency_name(entry->step.sampling.adjacency));
    return 0;
  case DPPAIR_LEDGER_SAMPLING_:
    dppair_ledger_write_word_(t, dppair_sampling_name(entry->step.sampling.kind));
    return 0;
  case DPPAIR_LEDGER_SCALE_:
  case DPPAIR_LEDGER_NUMBER_:
    memcpy(&number, at, sizeof number);
    if (field->type == DPPAIR_LEDGER_NUMBER_ || number > 0.0) return dppair_text_double_(t, number);
    dppair_ledger_write_word_(t, "varies");
    return 0;
  case DPPAIR_LEDGER_RUN_:
    dppair_text_hex_(t, (const uint8_t *)at, 16);
    return 0;
  case DPPAIR_LEDGER_CHECK_:
    memcpy(&value, at, sizeof value);
    for (count = 0; count < 8; count++) bytes[count] = (uint8_t)(value >> (56 - 8 * count));
    dppair_text_hex_(t, bytes, 8);
    return 0;
  case DPPAIR_LEDGER_COUNT_:
  case DPPAIR_LEDGER_GROUP_:
    memcpy(&count, at, sizeof count);
    dppair_text_size_(t, (uint64_t)count);
    return 0;
  case DPPAIR_LEDGER_LONG_:
    memcpy(&value, at, sizeof value);
    break;
  case DPPAIR_LEDGER_VERSION_:
    break;
  }
  dppair_text_size_(t, value);
  return 0;
}

/*
 * Writes the entry's line, without newline and terminator, and its length; DPPAIR_LEDGER_LINE
 * characters always suffice. dppair_ledger_step numbers and chains entries; this writes what it is
 * given. Errors: NULL, ENVIRONMENT, WORKSPACE (capacity), those of the step, and DOMAIN for a
 * sequence that is not in [1, 2^53] or a number that is neither 0 nor in [1e-280, 1e280]. Then the
 * length is 0 and line[0] a terminator.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_write(char *line, size_t capacity,
                                                               size_t *length,
                                                               const dppair_ledger_entry *entry) {
  dppair_text_ t;
  dppair_status status;
  size_t i;
  int bad = 0;
  if (line == NULL || length == NULL) return DPPAIR_ERR_NULL;
  *length = 0;
  if (capacity > 0) line[0] = '\0';
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return status;
  if (entry->sequence < 1 || entry->sequence > UINT64_C(1) << 53) return DPPAIR_ERR_DOMAIN;
  t.at = line;
  t.used = 0;
  t.room = capacity;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
    if (!dppair_ledger_has_(entry, field)) continue;
    dppair_text_string_(&t, i == 0 ? "{\"" : ",\"");
    dppair_text_string_(&t, field->key);
    dppair_text_string_(&t, "\":");
    bad |= dppair_ledger_write_value_(&t, entry, field);
  }
  dppair_text_char_(&t, '}');
  if (bad || t.used > capacity) {
    if (capacity > 0) line[0] = '\0';
    return bad ? DPPAIR_ERR_DOMAIN : DPPAIR_ERR_WORKSPACE;
  }
  *length = t.used;
  return DPPAIR_OK;
}

/* The part of a line that has not been read yet. */
typedef struct dppair_scan_ {
  const char *at, *end;
} dppair_scan_;

/* Takes this text if it is next: 1. */
DPPAIR_FN_ int dppair_scan_text_(dppair_scan_ *s, const char *text) {
  const size_t length = strlen(text);
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0) return 0;
  s->at += length;
  return 1;
}

/* Takes this word in quotes if it is next: 1. */
DPPAIR_FN_ int dppair_scan_word_(dppair_scan_ *s, const char *word) {
  dppair_scan_ rest = *s;
  if (!dppair_scan_text_(&rest, "\"") || !dppair_scan_text_(&rest, word) ||
      !dppair_scan_text_(&rest, "\""))
    return 0;
  *s = rest;
  return 1;
}

/* Takes 2 n hexadecimal digits in quotes: 1. */
DPPAIR_FN_ int dppair_scan_hex_(uint8_t *bytes, size_t n, dppair_scan_ *s) {
  size_t i;
  if (!dppair_scan_text_(s, "\"") || (size_t)(s->end - s->at) < 2 * n) return 0;
  for (i = 0; i < 2 * n; i++) {
    const char c = *s->at++;
    const int digit = c >= '0' && c <= '9' ? c - '0' : (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
    if (digit < 0) return 0;
    bytes[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : bytes[i / 2] | digit);
  }
  return dppair_scan_text_(s, "\"");
}

/* Takes a number of at most 2^53 in digits: 1. */
DPPAIR_FN_ int dppair_scan_count_(uint64_t *value, dppair_scan_ *s) {
  int exponent;
  const size_t used = dppair_parse_digits_(value, &exponent, s->at, (size_t)(s->end - s->at));
  s->at += used;
  return used > 0 && exponent == 0 && *value <= UINT64_C(1) << 53;
}

/* Takes a name of this type and stores what it names: 1. A mechanism must not be "none". */
DPPAIR_FN_ int dppair_ledger_read_name_(dppair_ledger_entry *e, dppair_ledger_type_ type,
                                        dppair_scan_ *s) {
  int j;
  if (type == DPPAIR_LEDGER_MECHANISM_)
    for (j = 1; j < DPPAIR_MECHANISM_COUNT_; j++) {
      e->step.kind = (dppair_mechanism_kind)j;
      if (dppair_scan_word_(s, dppair_mechanism_name(e->step.kind))) return 1;
    }
  if (type == DPPAIR_LEDGER_ADJACENCY_)
    for (j = 0; j <= DPPAIR_ADJACENCY_MOST_; j++) {
      e->step.sampling.adjacency = (dppair_adjacency)j;
      if (j > 0 && dppair_adjacency_check_(e->step.sampling.adjacency) != DPPAIR_OK) continue;
      if (dppair_scan_word_(s, dppair_adjacency_name(e->step.sampling.adjacency))) return 1;
    }
  if (type == DPPAIR_LEDGER_SAMPLING_)
    for (j = 0; j < DPPAIR_SAMPLING_COUNT_; j++) {
      e->step.sampling.kind = (dppair_sampling_kind)j;
      if (dppair_scan_word_(s, dppair_sampling_name(e->step.sampling.kind))) return 1;
    }
  return 0;
}

/* Takes the value of a field and stores it: 1. */
DPPAIR_FN_ int dppair_ledger_read_value_(dppair_ledger_entry *e, const dppair_ledger_field_ *field,
                                         dppair_scan_ *s) {
  char *to = (char *)e + field->offset;
  uint8_t bytes[16];
  double number;
  uint64_t value = 0;
  size_t used;
  switch (field->type) {
  case DPPAIR_LEDGER_VERSION_:
    return dppair_scan_text_(s, "2");
  case DPPAIR_LEDGER_SCALE_:
  case DPPAIR_LEDGER_NUMBER_:
    if (field->type == DPPAIR_LEDGER_SCALE_ && dppair_scan_word_(s, "varies")) return 1;
    used = dppair_parse_double_(&number, s->at, (size_t)(s->end - s->at));
    s->at += used;
    memcpy(to, &number, sizeof number);
    return used > 0;
  case DPPAIR_LEDGER_COUNT_:
  case DPPAIR_LEDGER_GROUP_:
    if (!dppair_scan_count_(&value, s) || value > SIZE_MAX) return 0;
    used = (size_t)value;
    memcpy(to, &used, sizeof used);
    return 1;
  case DPPAIR_LEDGER_LONG_:
    if (!dppair_scan_count_(&value, s)) return 0;
    memcpy(to, &value, sizeof value);
    return 1;
  case DPPAIR_LEDGER_RUN_:
    return dppair_scan_hex_((uint8_t *)to, 16, s);
  case DPPAIR_LEDGER_CHECK_:
    if (!dppair_scan_hex_(bytes, 8, s)) return 0;
    for (used = 0; used < 8; used++) value = value << 8 | bytes[used];
    memcpy(to, &value, sizeof value);
    return 1;
  case DPPAIR_LEDGER_MECHANISM_:
  case DPPAIR_LEDGER_ADJACENCY_:
  case DPPAIR_LEDGER_SAMPLING_:
    break;
  }
  return dppair_ledger_read_name_(e, field->type, s);
}

/* Takes a whole line: 1. */
DPPAIR_FN_ int dppair_ledger_read_fields_(dppair_ledger_entry *e, dppair_scan_ *s) {
  size_t i;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
    dppair_scan_ rest = *s;
    if (field->type == DPPAIR_LEDGER_SCALE_ && !dppair_ledger_has_(e, field)) continue;
    if (!dppair_scan_text_(&rest, i == 0 ? "{" : ",") || !dppair_scan_word_(&rest, field->key) ||
        !dppair_scan_text_(&rest, ":")) {
      if (field->optional) continue;
      return 0;
    }
    *s = rest;
    if (!dppair_ledger_read_value_(e, field, s)) return 0;
  }
  return dppair_scan_text_(s, "}") && s->at == s->end;
}

/*
 * Reads one line back, with its newline or without. Its check is read, not compared: that is
 * dppair_ledger_replay. DPPAIR_ERR_FORMAT: the line is not one of this version to the last
 * character, or a count exceeds this machine's size_t; other errors are those of the step. *entry
 * is zeroed on any error.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_read(dppair_ledger_entry *entry,
                                                              const char *line, size_t length) {
  char written[DPPAIR_LEDGER_LINE];
  dppair_ledger_entry e;
  dppair_scan_ s;
  dppair_status status;
  size_t used;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  memset(entry, 0, sizeof *entry);
  memset(&e, 0, sizeof e);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (line == NULL) return DPPAIR_ERR_NULL;
  if (length > 0 && line[length - 1] == '\n') length--;
  if (length > 0 && line[length - 1] == '\r') length--;
  s.at = line;
  s.end = line + length;
  if (!dppair_ledger_read_fields_(&e, &s)) return DPPAIR_ERR_FORMAT;
  status = dppair_ledger_check_(&e);
  if (status != DPPAIR_OK) return status;
  status = dppair_ledger_write(written, sizeof written, &used, &e);
  if (status != DPPAIR_OK || used != length || memcmp(written, line, length) != 0)
    return DPPAIR_ERR_FORMAT;
  *entry = e;
  return DPPAIR_OK;
}

/* ---- src/accountant/ledger_replay.h ---------------------------------------------------------
 * The ledger: every charge is on record before its release, and gives the same account again
 *
 * A program that starts again empties an account, replays its ledger into it, and goes on. Relies
 * on ledger.h and charges.h.
 * ---------------------------------------------------------------------------------------------- */

/* Charges an entry, and with it states its neighbours, if it names any, for the account. */
DPPAIR_FN_ dppair_status dppair_ledger_charge_(dppair_accountant *a,
                                               const dppair_ledger_entry *entry) {
  const dppair_adjacency adjacency = entry->step.sampling.adjacency;
  dppair_status status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  if (adjacency != 0) status = dppair_accountant_relate_(a, adjacency, 1);
  return status == DPPAIR_OK ? dppair_accountant_charge_(a, entry) : status;
}

/*
 * Call this BEFORE a release: it hands the entry's line to the sink and then charges the account.
 * What is charged is what the line reads back to. It is stored only when that will be accepted, and
 * the sink must return only once a crash would not lose it: then a crash between the two costs what
 * is on record, and nothing was released. The entry's sequence and check are not read; neighbours
 * that it does not name are those of the account, if these were stated, and what it does name is
 * stated for the account.
 *
 * On any error the account is broken and the release must not happen. Errors: that of the sink,
 * ADJACENCY, else those of dppair_ledger_write and of the step.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_step(dppair_accountant *a,
                                                              const dppair_ledger_entry *entry,
                                                              dppair_ledger_sink sink,
                                                              void *context) {
  char line[DPPAIR_LEDGER_LINE];
  size_t length;
  dppair_accountant charged;
  dppair_ledger_entry next;
  dppair_adjacency *adjacency = &next.step.sampling.adjacency;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (entry == NULL || sink == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  charged = *a;
  next = *entry;
  *adjacency = dppair_accountant_adjacency_(a, *adjacency);
  status = dppair_ledger_charge_(&charged, &next);
  (void)DPPAIR_AUDITED_(
      (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
  next.sequence = charged.sequence;
  next.check = charged.check;
  if (status == DPPAIR_OK) status = dppair_ledger_write(line, sizeof line, &length, &next);
  if (status == DPPAIR_OK) status = dppair_ledger_read(&next, line, length);
  if (status == DPPAIR_OK) status = sink(line, length, context);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  return dppair_ledger_charge_(a, &next);
}

/* Is this entry, with its number, run and check, one of the DPPAIR_RECENT_CHARGES - 1 latest
 * charges of the account? Otherwise NO_PROOF. */
DPPAIR_FN_ dppair_status dppair_ledger_counted_(const dppair_accountant *a,
                                                const dppair_ledger_entry *entry) {
  const uint64_t *recent = a->recent, k = entry->sequence;
  if (k == 0 || k > a->sequence || a->sequence - k >= DPPAIR_RECENT_CHARGES - 1)
    return DPPAIR_ERR_NO_PROOF;
  return entry->check == recent[k % DPPAIR_RECENT_CHARGES] &&
                 entry->check ==
                     dppair_ledger_check_of_(recent[(k - 1) % DPPAIR_RECENT_CHARGES], entry)
             ? DPPAIR_OK
             : DPPAIR_ERR_NO_PROOF;
}

/* A walk over the lines of a text. */
typedef struct dppair_lines_ {
  const char *text;
  size_t length, next; /* of the text; where the next line starts */
  size_t start, end;   /* the line is text[start, end), without its newline */
  size_t number;       /* of the line, from 1 */
} dppair_lines_;

/* Goes to the next line that is not empty: 1. */
DPPAIR_FN_ int dppair_lines_next_(dppair_lines_ *l) {
  while (l->next < l->length) {
    l->number++;
    l->start = l->end = l->next;
    while (l->end < l->length && l->text[l->end] != '\n') l->end++;
    l->next = l->end + 1;
    if (l->end > l->start && l->text[l->end - 1] == '\r') l->end--;
    if (l->end > l->start) return 1;
  }
  return 0;
}

/* A line whose number was charged before: OK if it is the same line of the same run. `seen` walks
 * over the lines before it, from where it last stood. */
DPPAIR_FN_ dppair_status dppair_ledger_again_(const dppair_accountant *a,
                                              const dppair_ledger_entry *entry,
                                              const dppair_lines_ *now, dppair_lines_ *seen) {
  const size_t length = now->end - now->start;
  int round;
  if (!dppair_ledger_has_run_(entry)) return DPPAIR_ERR_RUNS;
  if (dppair_ledger_counted_(a, entry) == DPPAIR_OK) return DPPAIR_OK;
  for (round = 0; round < 2; round++) {
    while (dppair_lines_next_(seen) && seen->start < now->start) {
      dppair_ledger_entry old;
      const char *line = seen->text + seen->start;
      if (dppair_ledger_read(&old, line, seen->end - seen->start) != DPPAIR_OK ||
          old.sequence != entry->sequence)
        continue;
      if (seen->end - seen->start == length && memcmp(line, now->text + now->start, length) == 0)
        return DPPAIR_OK;
      return memcmp(old.run, entry->run, sizeof old.run) == 0 ? DPPAIR_ERR_LEDGER : DPPAIR_ERR_RUNS;
    }
    seen->next = 0;
  }
  return DPPAIR_ERR_RUNS;
}

/*
 * Reads a ledger, lines separated by newlines, into the account, which has charged none of it, or
 * its first lines. Empty lines are skipped. The account then is the one that wrote the ledger, to
 * the last bit, with neighbours stated if a line names them. On an error *bad_line is the number of
 * the line, from 1, and the account is broken:
 *
 *   FORMAT      no line of this version, to the last character (dppair_ledger_read). A last line
 *               that was cut off may be removed: its sink had not returned, nothing was released.
 *   LEDGER      a line before it is missing, or it or one before it was changed, or the ledger is
 *               of another account (a merged one, one that was charged without a ledger).
 *   RUNS        its number was charged before. A program was started again without replaying its
 *               ledger, and both lines were spent. The same line of the same run is no error and
 *               counts once: its noise is the same. Without a run, the same line twice is two. So
 *               is one that an earlier call read, more than DPPAIR_RECENT_CHARGES - 2 charges ago.
 *   ADJACENCY   it names other neighbours than the account, or none where others do.
 *   others      those of the step.
 *
 * To add up several ledgers, replay each into an account of its own (dppair_accountant_merge).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_replay(dppair_accountant *a,
                                                                size_t *bad_line, const char *text,
                                                                size_t length) {
  dppair_lines_ now, seen;
  dppair_status status;
  if (bad_line != NULL) *bad_line = 0;
  status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (bad_line == NULL || text == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  memset(&now, 0, sizeof now);
  now.text = text;
  now.length = length;
  seen = now;
  while (dppair_lines_next_(&now)) {
    dppair_ledger_entry entry;
    status = dppair_ledger_read(&entry, text + now.start, now.end - now.start);
    if (status == DPPAIR_OK) {
      if (entry.sequence <= a->sequence)
        status = dppair_ledger_again_(a, &entry, &now, &seen);
      else if (entry.sequence > a->sequence + 1 ||
               entry.check != dppair_ledger_check_of_(a->check, &entry))
        status = DPPAIR_ERR_LEDGER;
      else if (entry.step.sampling.adjacency == 0 && a->stated > 0)
        status = DPPAIR_ERR_ADJACENCY;
      else
        status = dppair_ledger_charge_(a, &entry);
    }
    if (status != DPPAIR_OK) {
      *bad_line = now.number;
      return dppair_accountant_break_(a, status);
    }
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#define DPPAIR_HAS_ACCOUNTANT_ /* with the noise there too, in either order: the releases */
#define DPPAIR_CORE_ONLY_
#include DPPAIR_SELF
#undef DPPAIR_CORE_ONLY_

/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_ACCOUNTANT_H */
#endif /* DPPAIR_DECLARE_ONLY */
