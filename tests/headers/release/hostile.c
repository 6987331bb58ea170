/* SPDX-License-Identifier: MIT */
/* Releases, evaluations and row-wise losses with one word out of its domain, of their arguments, of
 * the release or of the account behind it: refused, with zeros, or released; never a crash, never a
 * number that stays. */
struct dppair_event;
static int later(struct dppair_event *event);
#define DPPAIR_AUDIT(event) later(event)

#include "tests.h"

#define DPPAIR_CORE_ONLY_
#include "dppair.h"
#undef DPPAIR_CORE_ONLY_
#include "dppair_noise.h" /* whose bits are tested elsewhere */
#include "second_faults.h"
#undef dppair_fabs_ /* sizes are instructions, which do not say NaN */
#define dppair_fabs_(x) fabs(x)

#include "dppair_losses.h"
#define DPPAIR_WITH_SHARES
#include "dppair_allocation.h"
#include "dppair_shares.h"
#include "dppair_accountant.h"
#include "dppair_evaluation.h"
#include "dppair_groups.h"
#include "dppair_tables.h"
#include "dppair_scale.h"
#include "dppair_pointwise.h"
#include "dppair_top.h"
#include "dppair_metric.h"

#include "hostile.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME con
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#define DPPAIR_NAME tri
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"
#include "draws.h"

enum { N = 8, D = 2, ROOM = 30000 };
static const uint8_t KEY[32] = {1, 2, 3}, RUN[16] = {9, 8, 7};
static const dppair_release_keys FIXED = {KEY, RUN};
static double room[3][ROOM], work_room[300000];
static size_t needed;

static struct everything {
  dppair_accountant account, pure_account, integer_account, draw_account, fresh, objective_account,
      undrawn_account;
  dppair_release release, pure, integers_of, drawing, opened, objective, undrawn;
  dppair_plan plan;
  dppair_release_keys keys;
  dppair_rows_f64 rows, others, plain;
  dppair_options options, sums_pass, fast_pass, clipped;
  dppair_clip bound;
  dppair_fast fast, sums;
  dppair_sum sum, form_sum;
  dppair_ring ring;
  dppair_top top;
  dppair_bounds bounds;
  dppair_histogram histogram;
  dppair_group_sum groups, groups_too;
  dppair_integers integers;
  dppair_marginals query;
  dppair_column columns[D];
  dppair_contrast how, one;
  dppair_evaluate_options asked;
  dppair_evaluation evaluation;
  dppair_roc_point points[4];
  dppair_evaluate_sums pairs;
  dppair_margin_loss loss;
  dppair_margin_problem problem;
  dppair_margin_tolerance tolerance;
  double count[4], node[2], group_sum[D], group_sum_too[D + 1];
  int64_t whole[D];
  const double *w, *s, *y, *x, *weight, *thresholds, *centre;
  size_t size, n, positives, k, d, ld, cut, honest, capacity, index[N], drawn, group;
  unsigned bits;
  int ratio, others_too;
  dppair_form form;
  double sensitivity, rounding, offset, share, clip, temperature, rate, cap, low, high, radius;
  uint64_t shares[D];
  void *work;
  size_t bytes, *bytes_at;
  dppair_evaluate_loss phi;
  dppair_evaluate_kernel kernel;
  double out[N * D + 4], other_out[N * D + 4];
} A, kept[2];

static double margin_loss(double margin, void *context) {
  (void)context;
  return margin < 0;
}
static double kernel_of(size_t i, size_t j, void *context) {
  (void)context;
  return (double)(i < j) * 0.5;
}

#define CALL(name, ...)                                                                            \
  static dppair_status name(void) { return __VA_ARGS__; }
CALL(release_vector, dppair_release_vector(A.out, A.size, &A.release, A.sensitivity))
CALL(release_grid, dppair_release_vector_grid(A.out, A.size, &A.release, A.sensitivity, A.ratio))
CALL(release_histogram, dppair_release_histogram(A.out, A.size, &A.pure, A.sensitivity))
CALL(release_gradient, wide_release(A.out, &A.release, &A.rows, A.w, &A.options))
CALL(release_fast, wide_release(A.out, &A.release, &A.rows, A.w, &A.fast_pass))
CALL(release_clipped, wide_release(A.out, &A.release, &A.rows, A.w, &A.clipped))
CALL(release_chunked, wide_release(A.out, &A.release, &A.rows, A.w, &A.sums_pass))
CALL(release_bounded,
     wide_release_vector(A.out, A.size, &A.release, &A.bounds, A.rounding, &A.options))
CALL(release_form,
     wide_release_form(A.out, &A.release, A.form, &A.rows, A.w, A.k, A.offset, &A.options))
CALL(release_form_sum, wide_release_form_sum(A.out, &A.release, &A.form_sum, &A.ring, &A.options))
CALL(release_sum, wide_release_sum(A.out, &A.release, &A.sum, A.w, &A.sums_pass))
CALL(release_top, wide_release_top(A.out, &A.release, &A.rows, A.w, &A.top, &A.options))
CALL(release_top_fast, wide_release_top(A.out, &A.release, &A.rows, A.w, &A.top, &A.fast_pass))
CALL(release_pointwise,
     wide_release_pointwise(A.out, &A.release, &A.rows, A.w, &A.histogram, A.clip, &A.options))
CALL(release_scores,
     dppair_release_score_histogram(&A.histogram, &A.release, A.s, A.weight, A.n, A.positives))
CALL(release_half, dppair_release_part(&A.release, A.share))
CALL(release_contrast,
     con_release_contrast(A.out, &A.drawing, &A.plain, &A.others, A.w, A.k, &A.how, &A.clipped))
CALL(release_triplets,
     tri_release_contrast(A.out, &A.drawing, &A.plain, NULL, A.w, A.k, &A.one, &A.clipped))
CALL(release_softmax, con_release_softmax(A.out, &A.release, &A.plain, &A.others, A.w, A.k,
                                          A.temperature, &A.clipped))
CALL(softmax_gradient,
     con_softmax_gradient(A.out, &A.rows, &A.others, A.w, A.k, A.temperature, &A.clipped))
CALL(softmax_bytes, con_softmax_workspace(A.bytes_at, A.n, A.d, A.k, &A.clipped))
CALL(contrast_release_bytes, con_release_contrast_workspace(A.bytes_at, A.group, A.others_too, A.d,
                                                            A.k, &A.how, &A.clipped))
CALL(contrast_bytes, con_contrast_workspace(A.bytes_at, A.n, A.n, A.d, &A.options))
CALL(contrast_map_bytes, con_contrast_map_workspace(A.bytes_at, A.n, A.n, A.d, A.k, &A.options))
CALL(contrast_gradient,
     con_contrast_gradient(A.out, A.other_out, &A.rows, &A.others, &A.how, &A.options))
CALL(contrast_one_set, con_contrast_gradient(A.out, NULL, &A.rows, NULL, &A.one, &A.options))
CALL(contrast_risk, con_contrast_risk_not_private(A.out, &A.rows, &A.others, &A.how, &A.options))
CALL(contrast_map, con_contrast_map_gradient(A.out, &A.rows, &A.others, A.w, A.k, &A.how, &A.options))
CALL(contrast_groups,
     con_contrast_groups(A.out, A.other_out, &A.rows, &A.others, A.group, &A.how, &A.options))
CALL(triplet_bytes, tri_contrast_workspace(A.bytes_at, A.n, A.n, A.d, &A.options))
CALL(triplet_gradient,
     tri_contrast_gradient(A.out, A.other_out, &A.rows, &A.others, &A.how, &A.options))
CALL(triplet_one_set, tri_contrast_gradient(A.out, NULL, &A.rows, NULL, &A.one, &A.options))
CALL(triplet_risk, tri_contrast_risk_not_private(A.out, &A.rows, &A.others, &A.how, &A.options))
CALL(triplet_map, tri_contrast_map_gradient(A.out, &A.rows, &A.others, A.w, A.k, &A.how, &A.options))
CALL(group_open, dppair_group_sum_open(&A.groups, A.group_sum, A.size, A.clip, &A.drawing))
CALL(group_add, dppair_group_add_f64(&A.groups, A.x))
CALL(group_join, dppair_group_sum_join(&A.groups, &A.groups_too))
CALL(release_groups, dppair_release_groups(A.out, &A.drawing, &A.groups_too))
CALL(release_draw, draw_now(A.index, &A.drawn, A.capacity, &A.undrawn))
CALL(share_variance,
     dppair_release_share_variance(A.out, A.out + 1, &A.integers_of, &A.integers, A.honest))
CALL(release_share, dppair_release_share(A.shares, &A.integers_of, &A.integers, A.honest, A.bits))
CALL(shares_add, dppair_shares_add(A.shares, A.shares, A.size, A.bits))
CALL(shares_value, dppair_shares_value(A.out, A.shares, A.size, A.bits, A.offset))
CALL(release_marginals, dppair_release_marginals(A.out, 8, &A.release, &A.query, A.x, A.y, A.weight,
                                                 A.n, A.work, A.bytes))
CALL(marginals_moves,
     dppair_marginals_sensitivity(A.out, A.out + 1, &A.query, DPPAIR_REPLACE_ONE, A.work, A.bytes))
CALL(marginals_bytes, dppair_marginals_workspace(A.bytes_at, A.d))
CALL(marginals_estimate,
     dppair_marginals_estimate(A.other_out, A.other_out + 8, A.out + 18, A.x, 8, &A.query, A.n,
                               A.sensitivity, A.ratio, A.work, A.bytes))
CALL(release_minimiser, dppair_release_minimiser(A.out, &A.objective, &A.loss, A.radius, A.x, A.n,
                                                 A.d, A.ld, A.y, A.centre, A.work, A.bytes))
CALL(minimiser, dppair_minimiser_not_private(A.out, A.x, A.ld, A.y, &A.problem, NULL, &A.tolerance,
                                             A.work, A.bytes))
CALL(minimiser_bytes, dppair_minimiser_workspace(A.bytes_at, A.n, A.d))
CALL(evaluate_auc,
     dppair_evaluate_auc(&A.evaluation, &A.release, A.s, A.y, A.n, &A.asked, A.work, A.bytes))
CALL(evaluate_risk, dppair_evaluate_risk(&A.evaluation, &A.release, A.s, A.y, A.n, A.phi, NULL,
                                         A.cap, &A.asked, A.work, A.bytes))
CALL(evaluate_pairs, dppair_evaluate_pairs(&A.pairs, &A.release, A.s, A.y, A.n, A.work, A.bytes))
CALL(evaluate_partial, dppair_evaluate_partial_auc(&A.evaluation, &A.release, A.s, A.y, A.n, A.rate,
                                                   &A.asked, A.work, A.bytes))
CALL(evaluate_roc, dppair_evaluate_roc(A.points, &A.evaluation, &A.release, A.s, A.y, A.n,
                                       A.thresholds, A.cut, &A.asked, A.work, A.bytes))
CALL(evaluate_kendall,
     dppair_evaluate_kendall(&A.evaluation, &A.release, A.s, A.x, A.n, &A.asked, A.work, A.bytes))
CALL(evaluate_statistic, dppair_evaluate_statistic(&A.evaluation, &A.release, A.kernel, NULL, A.low,
                                                   A.high, A.n, &A.asked, A.work, A.bytes))
CALL(open_plan, dppair_release_open(&A.opened, &A.fresh, &A.plan, &A.keys))

static dppair_plan plan_of(dppair_mechanism_kind law, size_t steps) {
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  plan.noise_multiplier = law == DPPAIR_SKELLAM ? 20 : 1.5;
  plan.steps = steps;
  plan.noise = law;
  return plan;
}

static void open_of(dppair_release *release, dppair_accountant *account, const dppair_plan *plan) {
  dppair_accountant_init(account);
  assert_int_equal(dppair_release_open(release, account, plan, &FIXED), DPPAIR_OK);
}

#define MUST(call) assert_int_equal(call, DPPAIR_OK)

static double x[N * D], s[N], y[N], w[D * D] = {0.5, 0.1, 0.1, 0.25}, weight[N],
                                          thresholds[2] = {-0.5, 0.5};

/* Everything valid, at the start. */
static void prepare(void) {
  dppair_plan plan;
  size_t i;
  for (i = 0; i < N * D; i++) x[i] = (double)((i * 7) % 11) / 20 - 0.25;
  for (i = 0; i < N; i++) s[i] = (double)((i * 5) % 8) / 4 - 1, y[i] = i < 4, weight[i] = 1;
  memset(&A, 0, sizeof A);
  plan = plan_of(DPPAIR_GAUSSIAN, 5);
  plan.failure = 1e-6;
  open_of(&A.release, &A.account, &plan);
  plan.failure = 0;
  plan.noise = DPPAIR_LAPLACE;
  open_of(&A.pure, &A.pure_account, &plan);
  plan = plan_of(DPPAIR_SKELLAM, 5);
  open_of(&A.integers_of, &A.integer_account, &plan);
  plan = plan_of(DPPAIR_OBJECTIVE, 5);
  plan.ridge = 4, plan.output_mu = 0.1;
  open_of(&A.objective, &A.objective_account, &plan);
  plan = plan_of(DPPAIR_GAUSSIAN, 5);
  plan.sampling = dppair_sampling_groups(4 * N, N, 4, DPPAIR_REPLACE_ONE);
  open_of(&A.undrawn, &A.undrawn_account, &plan);
  open_of(&A.drawing, &A.draw_account, &plan);
  MUST(draw_now(A.index, &A.drawn, N, &A.drawing));
  A.plan = plan_of(DPPAIR_GAUSSIAN, 5);
  A.plan.noise_multiplier = 0, A.plan.epsilon = 1, A.plan.delta = 1e-6;
  dppair_accountant_init(&A.fresh);
  A.keys = FIXED;
  A.rows.x = x, A.rows.n = N, A.rows.d = A.rows.ld = D, A.rows.positives = 4, A.rows.y = y,
  A.rows.radius = 1;
  dppair_rows_by_hand_f64(&A.rows, &drawn_now);
  A.plain = A.rows, A.plain.positives = 0, A.others = A.plain;
  A.options.work = room[0], A.options.bytes = sizeof room[0];
  A.fast_pass = A.sums_pass = A.clipped = A.options;
  assert_int_equal(wide_clip_init(&A.bound, 0.5), DPPAIR_OK);
  A.clipped.clip = &A.bound, A.fast_pass.fast = &A.fast, A.sums_pass.fast = &A.sums;
  A.w = w, A.s = s, A.y = y, A.x = x, A.weight = NULL, A.thresholds = thresholds, A.centre = NULL;
  A.size = A.k = A.d = A.ld = D, A.n = N, A.positives = 4, A.cut = 2, A.honest = 1, A.capacity = N,
  A.bits = 32;
  A.group = 4, A.others_too = 1, A.sensitivity = 1, A.share = 0.5, A.clip = 1, A.temperature = 0.5,
  A.rate = 0.5;
  A.offset = 0.5, A.cap = 1, A.high = 1, A.radius = 1, A.form = DPPAIR_FORM_METRIC;
  A.bounds.radius = 1, A.bounds.param_radius = 2, A.top.kind = DPPAIR_TOP_PARTIAL,
  A.top.negatives = 3;
  A.how.temperature = 0.5, A.one = A.how, A.one.positives = DPPAIR_POSITIVE_LABEL;
  A.node[0] = -1, A.node[1] = 1, A.histogram.node = A.node, A.histogram.nodes = 2,
  A.histogram.count = A.count, A.histogram.records = N;
  A.query.columns = A.columns, A.query.d = D, A.query.side = 2;
  A.columns[0].kind = A.columns[1].kind = DPPAIR_COLUMN_NUMERIC;
  A.columns[0].low = A.columns[1].low = -1, A.columns[0].high = A.columns[1].high = 1;
  A.loss = dppair_margin_logistic();
  A.problem.loss = A.loss, A.problem.n = N, A.problem.d = D, A.problem.radius = 1,
  A.problem.ridge = 1;
  MUST(dppair_margin_reach(&A.tolerance, &A.problem, 0));
  A.work = work_room, A.bytes = sizeof work_room, A.bytes_at = &needed, A.phi = margin_loss,
  A.kernel = kernel_of;
  A.asked.confidence = 0.9;
  A.ring.form = DPPAIR_FORM_METRIC, A.ring.n = A.ring.block = N, A.ring.d = A.ring.k = D,
  A.ring.w = w, A.ring.radius = 1;
  MUST(dppair_group_sum_open(&A.groups, A.group_sum, D, 1, &A.drawing));
  MUST(dppair_group_add_f64(&A.groups, x));
  A.groups_too = A.groups;
  A.groups_too.sum = A.group_sum_too;
  MUST(dppair_group_add_f64(&A.groups_too, x));
  MUST(dppair_integers_open(&A.integers, A.whole, D, DPPAIR_QUANTISED_TRUNCATED, 1.0 / 1024, 1, 0));
  MUST(dppair_quantise(&A.integers, x, NULL));
  MUST(wide_fast_init(&A.fast, N, DPPAIR_ACCURACY_1E6, 4, NULL, room[2], sizeof room[2] / 4));
  MUST(wide_sums_init(&A.sums, N, DPPAIR_ACCURACY_1E6, 4, NULL, room[2] + ROOM / 4,
                      sizeof room[2] / 4));
  { /* the sum of one chunk, and that of one block */
    static double moments_room[ROOM], sum_room[64], form_room[64];
    dppair_sketch m;
    MUST(wide_sketch_open(&m, &A.sums, moments_room, sizeof moments_room));
    MUST(wide_sum_open(&A.sum, D, 1, &A.sums_pass, sum_room, sizeof sum_room));
    MUST(wide_chunk_sketch(&m, &A.rows, w, &A.sums_pass));
    MUST(wide_sketch_finish(&m, NULL, &A.sums));
    MUST(wide_chunk_sum(&A.sum, &A.rows, w, &m, &A.sums_pass));
    MUST(wide_form_sum_open(&A.form_sum, &A.ring, &A.options, form_room, sizeof form_room));
    MUST(wide_form_block(&A.form_sum, &A.ring, 0, &A.rows, 0, NULL, &A.options));
  }
}

#define OF_RELEASE(r)                                                                              \
  HOSTILE_COUNT(r.step), HOSTILE_COUNT(r.steps), HOSTILE_REAL(r.part), HOSTILE_REAL(r.left),       \
      HOSTILE_COUNT(r.drawn_for), HOSTILE_COUNT(r.drawn), HOSTILE_REAL(r.noise_multiplier),        \
      HOSTILE_REAL(r.ridge), HOSTILE_REAL(r.output_mu), HOSTILE_REAL(r.failure), HOSTILE_INT(r.mechanism),   \
      HOSTILE_INT(r.sampling.kind), HOSTILE_INT(r.sampling.adjacency), HOSTILE_REAL(r.sampling.q), \
      HOSTILE_SIZE(r.sampling.n), HOSTILE_SIZE(r.sampling.m), HOSTILE_SIZE(r.sampling.group),      \
      HOSTILE_SIZE(r.sampling.owned), HOSTILE_POINTER(r.account), HOSTILE_SIZE(r.sequence),        \
      HOSTILE_SIZE(r.check), HOSTILE_SIZE(r.nonce), HOSTILE_POINTER(r.home)
#define OF_ROWS(r)                                                                                 \
  HOSTILE_POINTER(r.x), HOSTILE_COUNT(r.n), HOSTILE_COUNT(r.d), HOSTILE_COUNT(r.ld),               \
      HOSTILE_SIZE(r.positives), HOSTILE_POINTER(r.y), HOSTILE_REAL(r.radius), {                   \
#r ".weight", &(r.weight), 'w'                                                                 \
  }
#define OF_PASS(p)                                                                                 \
  HOSTILE_POINTER(p.clip), HOSTILE_POINTER(p.work), HOSTILE_COUNT(p.bytes), HOSTILE_POINTER(p.fast)

static const hostile_word words[] = {OF_RELEASE(A.release),
                                     OF_RELEASE(A.pure),
                                     OF_RELEASE(A.integers_of),
                                     OF_RELEASE(A.drawing),
                                     OF_RELEASE(A.objective),
                                     OF_RELEASE(A.undrawn),
                                     HOSTILE_INT(A.account.ready),
                                     HOSTILE_INT(A.account.broken),
                                     HOSTILE_INT(A.fresh.ready),
                                     HOSTILE_INT(A.fresh.broken),
                                     HOSTILE_INT(A.pure_account.broken),
                                     HOSTILE_INT(A.draw_account.broken),
                                     HOSTILE_INT(A.integer_account.broken),
                                     HOSTILE_INT(A.objective_account.ready),
                                     HOSTILE_REAL(A.plan.epsilon),
                                     HOSTILE_REAL(A.plan.delta),
                                     HOSTILE_SIZE(A.plan.steps),
                                     HOSTILE_INT(A.plan.noise),
                                     HOSTILE_REAL(A.plan.ridge),
                                     HOSTILE_REAL(A.plan.output_mu),
                                     HOSTILE_REAL(A.plan.failure),
                                     HOSTILE_REAL(A.plan.noise_multiplier),
                                     HOSTILE_SIZE(A.plan.check),
                                     HOSTILE_INT(A.plan.sampling.kind),
                                     HOSTILE_INT(A.plan.sampling.adjacency),
                                     HOSTILE_REAL(A.plan.sampling.q),
                                     HOSTILE_SIZE(A.plan.sampling.n),
                                     HOSTILE_SIZE(A.plan.sampling.m),
                                     OF_ROWS(A.rows),
                                     OF_ROWS(A.others),
                                     OF_ROWS(A.plain),
                                     OF_PASS(A.options),
                                     OF_PASS(A.fast_pass),
                                     OF_PASS(A.sums_pass),
                                     OF_PASS(A.clipped),
                                     HOSTILE_REAL(A.bound.bound),
                                     HOSTILE_SIZE(A.bound.owner),
                                     HOSTILE_INT(A.fast.kind),
                                     HOSTILE_COUNT(A.fast.capacity),
                                     HOSTILE_INT(A.fast.order_free),
                                     HOSTILE_INT(A.sums.order_free),
                                     HOSTILE_INT(A.sums.kind),
                                     HOSTILE_COUNT(A.sums.most),
                                     HOSTILE_REAL(A.sums.slope),
                                     HOSTILE_REAL(A.sums.kernel_error),
                                     HOSTILE_COUNT(A.sum.size),
                                     HOSTILE_REAL(A.sum.radius),
                                     HOSTILE_REAL(A.sum.bound),
                                     HOSTILE_REAL(A.sum.unit),
                                     HOSTILE_SIZE(A.sum.count),
                                     HOSTILE_SIZE(A.sum.digest),
                                     HOSTILE_POINTER(A.sum.words),
                                     HOSTILE_COUNT(A.form_sum.size),
                                     HOSTILE_REAL(A.form_sum.bound),
                                     HOSTILE_REAL(A.form_sum.unit),
                                     HOSTILE_SIZE(A.form_sum.count),
                                     HOSTILE_SIZE(A.form_sum.digest),
                                     HOSTILE_POINTER(A.form_sum.words),
                                     HOSTILE_INT(A.ring.form),
                                     HOSTILE_SIZE(A.ring.n),
                                     HOSTILE_SIZE(A.ring.block),
                                     HOSTILE_COUNT(A.ring.d),
                                     HOSTILE_COUNT(A.ring.k),
                                     HOSTILE_POINTER(A.ring.w),
                                     HOSTILE_REAL(A.ring.radius),
                                     HOSTILE_REAL(A.ring.offset),
                                     HOSTILE_INT(A.top.kind),
                                     HOSTILE_SIZE(A.top.negatives),
                                     HOSTILE_SIZE(A.top.positives),
                                     HOSTILE_INT(A.top.power),
                                     HOSTILE_SIZE(A.top.depth),
                                     HOSTILE_REAL(A.top.cap),
                                     HOSTILE_REAL(A.bounds.radius),
                                     HOSTILE_REAL(A.bounds.param_radius),
                                     HOSTILE_REAL(A.bounds.clip),
                                     HOSTILE_REAL(A.bounds.offset),
                                     HOSTILE_REAL(A.bounds.label_bound),
                                     HOSTILE_POINTER(A.histogram.node),
                                     HOSTILE_COUNT(A.histogram.nodes),
                                     HOSTILE_POINTER(A.histogram.count),
                                     HOSTILE_REAL(A.histogram.records),
                                     HOSTILE_REAL(A.node[0]),
                                     HOSTILE_REAL(A.count[1]),
                                     HOSTILE_POINTER(A.groups.sum),
                                     HOSTILE_COUNT(A.groups.size),
                                     HOSTILE_REAL(A.groups.clip),
                                     HOSTILE_SIZE(A.groups.count),
                                     HOSTILE_POINTER(A.groups.release),
                                     HOSTILE_SIZE(A.groups.step),
                                     HOSTILE_SIZE(A.groups.run),
                                     HOSTILE_SIZE(A.groups.sequence),
                                     HOSTILE_POINTER(A.integers.sum),
                                     HOSTILE_COUNT(A.integers.size),
                                     HOSTILE_INT(A.integers.how),
                                     HOSTILE_REAL(A.integers.scale),
                                     HOSTILE_REAL(A.integers.length),
                                     HOSTILE_SIZE(A.integers.nonzero),
                                     HOSTILE_SIZE(A.integers.vectors),
                                     HOSTILE_POINTER(A.query.columns),
                                     HOSTILE_COUNT(A.query.d),
                                     HOSTILE_SIZE(A.query.side),
                                     HOSTILE_REAL(A.query.smooth),
                                     HOSTILE_REAL(A.query.width),
                                     HOSTILE_REAL(A.query.label),
                                     HOSTILE_INT(A.columns[0].kind),
                                     HOSTILE_REAL(A.columns[0].low),
                                     HOSTILE_REAL(A.columns[1].high),
                                     HOSTILE_SIZE(A.columns[0].group),
                                     HOSTILE_INT(A.columns[1].by_class),
                                     HOSTILE_INT(A.how.compare),
                                     HOSTILE_REAL(A.how.temperature),
                                     HOSTILE_INT(A.how.positives),
                                     HOSTILE_INT(A.how.two_sided),
                                     HOSTILE_REAL(A.how.margin),
                                     HOSTILE_REAL(A.how.angle),
                                     HOSTILE_INT(A.how.triples),
                                     {"A.how.offset", &A.how.offset, 'w'},
                                     {"A.how.partner", &A.how.partner, 'w'},
                                     HOSTILE_INT(A.one.compare),
                                     HOSTILE_REAL(A.one.temperature),
                                     HOSTILE_INT(A.one.positives),
                                     HOSTILE_INT(A.one.two_sided),
                                     HOSTILE_REAL(A.one.margin),
                                     HOSTILE_REAL(A.one.angle),
                                     HOSTILE_INT(A.one.triples),
                                     {"A.one.offset", &A.one.offset, 'w'},
                                     HOSTILE_POINTER(A.groups_too.sum),
                                     HOSTILE_COUNT(A.groups_too.size),
                                     HOSTILE_REAL(A.groups_too.clip),
                                     HOSTILE_SIZE(A.groups_too.count),
                                     HOSTILE_SIZE(A.groups_too.step),
                                     HOSTILE_REAL(A.asked.confidence),
                                     HOSTILE_SIZE(A.asked.promise),
                                     HOSTILE_REAL(A.loss.parameter),
                                     HOSTILE_REAL(A.loss.top),
                                     HOSTILE_REAL(A.loss.steepest),
                                     HOSTILE_INT(A.loss.falls),
                                     HOSTILE_POINTER(A.loss.at),
                                     HOSTILE_REAL(A.problem.loss.top),
                                     HOSTILE_REAL(A.problem.loss.steepest),
                                     HOSTILE_REAL(A.problem.loss.parameter),
                                     HOSTILE_POINTER(A.problem.loss.at),
                                     HOSTILE_COUNT(A.problem.n),
                                     HOSTILE_COUNT(A.problem.d),
                                     HOSTILE_REAL(A.problem.radius),
                                     HOSTILE_REAL(A.problem.ridge),
                                     HOSTILE_REAL(A.tolerance.floor),
                                     HOSTILE_REAL(A.tolerance.share),
                                     HOSTILE_POINTER(A.w),
                                     HOSTILE_POINTER(A.s),
                                     HOSTILE_POINTER(A.y),
                                     HOSTILE_POINTER(A.x),
                                     HOSTILE_POINTER(A.thresholds),
                                     HOSTILE_POINTER(A.bytes_at),
                                     HOSTILE_POINTER(A.work),
                                     HOSTILE_COUNT(A.bytes),
                                     HOSTILE_COUNT(A.size),
                                     HOSTILE_COUNT(A.n),
                                     HOSTILE_SIZE(A.positives),
                                     HOSTILE_COUNT(A.k),
                                     HOSTILE_COUNT(A.d),
                                     HOSTILE_COUNT(A.ld),
                                     HOSTILE_COUNT(A.cut),
                                     HOSTILE_SIZE(A.honest),
                                     HOSTILE_COUNT(A.capacity),
                                     HOSTILE_COUNT(A.group),
                                     HOSTILE_INT(A.bits),
                                     HOSTILE_INT(A.ratio),
                                     HOSTILE_INT(A.others_too),
                                     HOSTILE_INT(A.form),
                                     HOSTILE_REAL(A.sensitivity),
                                     HOSTILE_REAL(A.rounding),
                                     HOSTILE_REAL(A.offset),
                                     HOSTILE_REAL(A.share),
                                     HOSTILE_REAL(A.clip),
                                     HOSTILE_REAL(A.temperature),
                                     HOSTILE_REAL(A.rate),
                                     HOSTILE_REAL(A.cap),
                                     HOSTILE_REAL(A.low),
                                     HOSTILE_REAL(A.high),
                                     HOSTILE_REAL(A.radius),
                                     HOSTILE_POINTER(A.phi),
                                     HOSTILE_POINTER(A.kernel),
                                     HOSTILE_MODE};

#define SAYS(name, numbers)                                                                        \
  { #name, name, A.out, numbers }
static const hostile_call releases[] = {SAYS(release_vector, D),
                                        SAYS(release_grid, D),
                                        SAYS(release_histogram, D),
                                        SAYS(release_gradient, D),
                                        SAYS(release_fast, D),
                                        SAYS(release_clipped, D),
                                        SAYS(release_chunked, D),
                                        SAYS(release_bounded, D),
                                        SAYS(release_form, D *D),
                                        SAYS(release_form_sum, D *D),
                                        SAYS(release_sum, D),
                                        SAYS(release_top, D),
                                        SAYS(release_top_fast, D),
                                        SAYS(release_pointwise, D),
                                        {"release_scores", release_scores, A.count, 4},
                                        SAYS(release_half, 0),
                                        SAYS(release_groups, D),
                                        SAYS(release_draw, 0),
                                        SAYS(share_variance, 2),
                                        SAYS(release_share, 0),
                                        SAYS(shares_add, 0),
                                        SAYS(shares_value, D),
                                        SAYS(release_softmax, D *D),
                                        SAYS(release_minimiser, D),
                                        SAYS(group_open, 0),
                                        SAYS(group_add, 0),
                                        SAYS(group_join, 0)};
static const hostile_call others[] = {
    SAYS(release_contrast, D *D), SAYS(release_triplets, D *D),    SAYS(softmax_gradient, D *D),
    SAYS(softmax_bytes, 0),       SAYS(contrast_release_bytes, 0), SAYS(contrast_bytes, 0),
    SAYS(contrast_map_bytes, 0),  SAYS(contrast_gradient, N *D),   SAYS(contrast_one_set, N *D),
    SAYS(contrast_risk, 1),       SAYS(contrast_map, D *D),        SAYS(contrast_groups, N *D),
    SAYS(triplet_bytes, 0),       SAYS(triplet_gradient, N *D),    SAYS(triplet_one_set, N *D),
    SAYS(triplet_risk, 1),        SAYS(triplet_map, D *D),         SAYS(release_marginals, 8),
    SAYS(marginals_moves, 2),     SAYS(marginals_bytes, 0),        SAYS(marginals_estimate, 0),
    SAYS(minimiser, D),           SAYS(minimiser_bytes, 0)};
static const hostile_call evaluations[] = {
    {"evaluate_auc", evaluate_auc, &A.evaluation.value, 1},
    {"evaluate_risk", evaluate_risk, &A.evaluation.value, 1},
    {"evaluate_pairs", evaluate_pairs, &A.pairs.pairs, 2},
    {"evaluate_partial", evaluate_partial, &A.evaluation.value, 1},
    {"evaluate_roc", evaluate_roc, &A.evaluation.value, 1},
    {"evaluate_kendall", evaluate_kendall, &A.evaluation.value, 1},
    {"evaluate_statistic", evaluate_statistic, &A.evaluation.value, 1},
    SAYS(open_plan, 0)};

#define REFUSE(calls)                                                                              \
  prepare();                                                                                       \
  (void)state;                                                                                     \
  assert_true(hostile_calls(&A, kept, sizeof A, calls, sizeof calls / sizeof *calls, words,        \
                            sizeof words / sizeof *words) > 50);                                   \
  assert_true(hostile_faults(&A, kept, sizeof A, calls, sizeof calls / sizeof *calls) > 50)
static void releases_refuse(void **state) { REFUSE(releases); }
static void evaluations_and_plans_refuse(void **state) { REFUSE(evaluations); }
static void losses_of_rows_and_tables_refuse(void **state) { REFUSE(others); }

/* --- a machine that changes in the middle of a call ----------------------------------------------
 */

static int events, spoils = -1; /* at this event the rounding mode changes */
static int later(struct dppair_event *event) {
  (void)event;
  if (events++ == spoils) fesetround(FE_UPWARD);
  return 0;
}

/* At every event of a call, before a noise, after it, after a draw: what is refused leaves zeros,
 * and uses the permit where it was taken. Returns how many of the calls were refused. */
static size_t spoil_each(const hostile_call *calls, size_t count) {
  dppair_evaluation none;
  size_t refused = 0;
  memset(&none, 0, sizeof none);
  for (size_t c = 0; c < count; c++) {
    dppair_status status;
    int last;
    memcpy(&A, kept, sizeof A);
    events = 0;
    MUST(calls[c].call());
    last = events;
    for (spoils = 0; spoils < last; spoils++) {
      memcpy(&A, kept, sizeof A);
      memset(&A.evaluation, 0x47, sizeof A.evaluation);
      for (size_t i = 0; i < calls[c].numbers; i++) calls[c].out[i] = 777.25;
      events = 0;
      status = calls[c].call();
      fesetround(FE_TONEAREST);
      if (status != DPPAIR_OK && calls[c].out == &A.evaluation.value)
        assert_memory_equal(&A.evaluation, &none, sizeof none);
      refused += status != DPPAIR_OK;
      assert_memory_equal(A.node, kept->node, sizeof A.node); /* beside them nothing is zeroed */
      for (size_t i = 0; i < calls[c].numbers && status != DPPAIR_OK; i++)
        if (!(calls[c].out[i] == 0.0)) /* NaN, too */
          fail_msg("%s, event %d: %s leaves %g", calls[c].name, spoils,
                   dppair_status_string(status), calls[c].out[i]);
    }
    spoils = -1;
  }
  memcpy(&A, kept, sizeof A);
  return refused;
}
static void a_machine_that_changes_in_the_middle_of_a_call_leaves_zeros(void **state) {
  (void)state;
  prepare();
  memcpy(kept, &A, sizeof A);
  assert_true(spoil_each(releases, sizeof releases / sizeof *releases) >= 40);
  assert_true(spoil_each(others, sizeof others / sizeof *others) >= 6);
  assert_true(spoil_each(evaluations, sizeof evaluations / sizeof *evaluations) >= 35);
}

/* --- what no single word shows ------------------------------------------------------------------
 */

static dppair_release own;
static dppair_accountant own_account;

/* A release of a plan of its own, drawn where the plan draws. */
static void own_plan(dppair_sampling sampling, int law) {
  dppair_plan plan = plan_of((dppair_mechanism_kind)law, 5);
  static size_t index[4096];
  size_t count;
  plan.sampling = sampling;
  open_of(&own, &own_account, &plan);
  if (sampling.kind != DPPAIR_ALL)
    MUST(draw_now(index, &count, sizeof index / sizeof *index, &own));
  dppair_rows_by_hand_f64(&A.rows, &drawn_now);
  A.sum.serial = A.rows.serial;
}

static void paint(void) {
  for (size_t i = 0; i < N * D; i++) A.out[i] = 777.25;
}

#define REFUSED(status, n, call)                                                                   \
  do {                                                                                             \
    paint();                                                                                       \
    assert_int_equal(call, status);                                                                \
    for (size_t k_ = 0; k_ < (n); k_++) assert_true(A.out[k_] == 0.0);                             \
  } while (0)

/* Weights beside a clip, matchings, groups and states where the proof has none. */
static void what_has_no_proof_is_refused(void **state) {
  const size_t places[] = {0, 2, 4, 6, 8};
  const dppair_groups within = {4, places, places, DPPAIR_WITHIN, N};
  const size_t halves[] = {0, 1, 2, 3, 4};
  const dppair_groups batch = {4, halves, halves, DPPAIR_ACROSS, N};
  (void)state;
  prepare();
  A.rows.weight = weight;
  REFUSED(DPPAIR_ERR_NO_PROOF, D, wide_release(A.out, &A.release, &A.rows, w, &A.clipped));
  REFUSED(DPPAIR_ERR_NO_PROOF, D * D,
          wide_release_form(A.out, &A.release, A.form, &A.rows, w, D, 0.5, &A.clipped));
  REFUSED(DPPAIR_ERR_NO_PROOF, D, wide_release_top(A.out, &A.release, &A.rows, w, &A.top, &A.options));
  MUST(wide_release_form(A.out, &A.release, A.form, &A.rows, w, D, 0.5, &A.options)); /* without */
  A.rows.weight = NULL;
  REFUSED(DPPAIR_ERR_NO_PROOF, D, wide_release(A.out, &A.drawing, &A.rows, w, &A.options));
  REFUSED(DPPAIR_ERR_NO_PROOF, D * D,
          wide_release_form(A.out, &A.drawing, A.form, &A.rows, w, D, 0.5, &A.options));
  REFUSED(DPPAIR_ERR_NO_PROOF, D, wide_release_sum(A.out, &A.drawing, &A.sum, w, &A.sums_pass));
  REFUSED(DPPAIR_ERR_NO_PROOF, D,
          wide_release_pointwise(A.out, &A.drawing, &A.rows, w, &A.histogram, 1.0, &A.options));
  REFUSED(DPPAIR_ERR_UNREAD, D,
          wide_release_pointwise(A.out, &A.release, &A.rows, w, &A.histogram, 1.0, &A.clipped));
  REFUSED(DPPAIR_ERR_UNREAD, D,
          wide_release_pointwise(A.out, &A.release, &A.rows, w, &A.histogram, 1.0, &A.fast_pass));
  A.options.groups = &within;
  REFUSED(DPPAIR_ERR_NO_PROOF, D,
          wide_release_pointwise(A.out, &A.release, &A.rows, w, &A.histogram, 1.0, &A.options));
  A.clipped.groups = &within;
  REFUSED(DPPAIR_ERR_ADJACENCY, D * D,
          con_release_contrast(A.out, &A.drawing, &A.plain, NULL, w, D, &A.one, &A.clipped));
  A.clipped.groups = NULL;
  for (int which = 0; which < 4; which++) {
    dppair_rows_f64 rows = A.plain, second = A.others;
    if (which == 0) rows.weight = weight;
    if (which == 1) rows.positives = 2;
    if (which == 2) second.weight = weight;
    if (which == 3) second.positives = 2;
    REFUSED(DPPAIR_ERR_NO_PROOF, D * D,
            con_release_contrast(A.out, &A.drawing, &rows, &second, w, D, &A.how, &A.clipped));
  }
  own_plan(dppair_sampling_all(4, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
  REFUSED(DPPAIR_ERR_ADJACENCY, D, wide_release_sum(A.out, &own, &A.sum, w, &A.sums_pass));
  {
    dppair_sampling users = dppair_sampling_without_replacement(4 * N, N, DPPAIR_REPLACE_USER);
    users.owned = 2; /* records are drawn, and groups are not what one user owns */
    own_plan(users, DPPAIR_GAUSSIAN);
    assert_int_equal(dppair_group_sum_open(&A.groups, A.group_sum, D, 1, &own),
                     DPPAIR_ERR_NO_PROOF);
    MUST(wide_release_sum(A.out, &own, &A.sum, w, &A.sums_pass));
    prepare();
    own_plan(users, DPPAIR_GAUSSIAN);
    MUST(wide_release(A.out, &own, &A.rows, w, &A.options));
    own_plan(users, DPPAIR_GAUSSIAN); /* nor are those of a batch groups of all that is theirs */
    A.options.groups = &batch;
    paint();
    assert_true(wide_release(A.out, &own, &A.rows, w, &A.options) != DPPAIR_OK);
    assert_true(A.out[0] == 0 && A.out[1] == 0 && own.step == 0);
  }
}

/* Queries and users, all or drawn: their groups, and no others. */
static void groups_are_those_of_the_step(void **state) {
  const size_t places[] = {0, 1, 2, 3, 4}, negatives[] = {0, 1, 2, 3, 4};
  dppair_groups g = {4, places, negatives, DPPAIR_WITHIN, N};
  const dppair_top ndcg = {.kind = DPPAIR_TOP_NDCG, .depth = 3, .cap = 1};
  dppair_rows_f64 one = A.rows;
  (void)state;
  prepare();
  one = A.rows;
  own_plan(dppair_sampling_all(4, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
  A.options.groups = &g;
  paint();
  MUST(wide_release_vector(A.out, D, &own, &A.bounds, 0.25, &A.options));
  assert_true(A.out[0] != 777.25 && own.divisor == 4.0);
  one.positives = N + 1;
  REFUSED(DPPAIR_ERR_SIZE, D, wide_release(A.out, &own, &one, w, &A.options));
  one.y = NULL;
  REFUSED(DPPAIR_ERR_NULL, D, wide_release_top(A.out, &own, &one, w, &ndcg, &A.options));
  own_plan(dppair_sampling_without_replacement(8, 4, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
  MUST(wide_release_vector(A.out, D, &own, &A.bounds, 0.25, &A.options));
  own_plan(dppair_sampling_without_replacement(8, 3, DPPAIR_REPLACE_QUERY), DPPAIR_GAUSSIAN);
  REFUSED(DPPAIR_ERR_SIZE, D, wide_release_vector(A.out, D, &own, &A.bounds, 0.25, &A.options));
}

/* A batch without records is released as 0 with its noise; arrays of it may be missing. */
static void a_batch_may_be_empty(void **state) {
  dppair_rows_f64 none;
  size_t index[1000], count = 1;
  int found = 0;
  (void)state;
  prepare();
  none = A.rows;
  none.x = NULL, none.n = none.positives = 0;
  A.histogram.records = N;
  own_plan(dppair_sampling_poisson(1000, 1, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN);
  for (uint8_t tries = 0; found < 4 && tries < 100; tries++) { /* one draw in e has no record */
    const uint8_t key[32] = {tries};
    const dppair_release_keys keys = {key, RUN};
    dppair_plan plan = plan_of(DPPAIR_GAUSSIAN, 1);
    plan.sampling = dppair_sampling_poisson(1000, 1, DPPAIR_ZERO_OUT);
    dppair_accountant_init(&own_account);
    MUST(dppair_release_open(&own, &own_account, &plan, &keys));
    MUST(draw_now(index, &count, 1000, &own));
    if (count > 0) continue;
    dppair_rows_by_hand_f64(&none, &drawn_now);
    paint();
    A.histogram.records = N;
    if (found == 0) MUST(wide_release(A.out, &own, &none, w, &A.options));
    if (found == 1) MUST(wide_release_pointwise(A.out, &own, &none, w, &A.histogram, 1, &A.options));
    if (found == 2) MUST(wide_release_top(A.out, &own, &none, w, &A.top, &A.options));
    if (found == 3) MUST(dppair_release_score_histogram(&A.histogram, &own, NULL, NULL, 0, 0));
    for (size_t k = 0; k < D; k++) assert_true(found == 3 || fabs(A.out[k]) < 100);
    found++;
  }
  assert_int_equal(found, 4);
}

/* The ends of ranges: whatever is refused leaves zeros. */
static void numbers_at_the_ends_are_released_or_refused(void **state) {
  dppair_tasks parts = {0};
  dppair_histogram none = {NULL, 0, NULL, 3.0};
  dppair_integers large;
  size_t refused = 0;
  (void)state;
  prepare();
  for (double radius = 1e-300; radius < 1e300; radius *= 1e10) {
    static const double zero[D];
    for (int call = 0; call < 3; call++) {
      dppair_status status;
      prepare();
      A.rows.radius = radius;
      paint();
      status = call == 0 ? wide_release(A.out, &A.release, &A.rows, zero, &A.options)
               : call == 1
                   ? wide_release_top(A.out, &A.release, &A.rows, zero, &A.top, &A.options)
                   : wide_release_form(A.out, &A.release, A.form, &A.rows, w, D, 0.5, &A.options);
      if (status == DPPAIR_OK) continue;
      refused++;
      for (size_t k = 0; k < D; k++) assert_true(A.out[k] == 0.0);
    }
  }
  assert_true(refused > 10);
  prepare();
  A.clipped.tasks = &parts; /* its runner is that of one thread */
  parts.count = 2;
  MUST(con_release_contrast(A.out, &A.drawing, &A.plain, NULL, w, D, &A.one, &A.clipped));
  prepare();
  A.clipped.tasks = &parts;
  parts.run = dppair_run_serial;
  MUST(con_release_contrast(A.out, &A.drawing, &A.plain, NULL, w, D, &A.one, &A.clipped));
  parts.count = SIZE_MAX / 64;
  assert_int_equal(con_release_contrast_workspace(&needed, 4, 0, D, D, &A.one, &A.clipped),
                   DPPAIR_ERR_OVERFLOW);
  assert_true(needed == 0);
  A.groups.count = SIZE_MAX;
  assert_int_equal(dppair_group_add_f64(&A.groups, x), DPPAIR_ERR_DOMAIN);
  assert_int_equal(dppair_release_score_histogram(&none, &A.release, s, NULL, N, 4),
                   DPPAIR_ERR_NULL);
  assert_true(none.records == 0.0);
  if (SIZE_MAX > UINT32_MAX)
    assert_int_equal(dppair_release_score_histogram(&A.histogram, &A.release, s, NULL,
                                                    (size_t)UINT32_MAX + (N - 7), 4),
                     DPPAIR_ERR_OVERFLOW);
  large = A.integers;
  large.size = SIZE_MAX / 4;
  assert_int_equal(dppair_release_share(A.shares, &A.integers_of, &large, 1, 32),
                   DPPAIR_ERR_OVERFLOW);
  assert_int_equal(dppair_shares_add(NULL, NULL, 0, 32), DPPAIR_OK);
  assert_int_equal(dppair_shares_value(NULL, NULL, 0, 32, 1.0), DPPAIR_OK);
  A.histogram.records = N;
  for (size_t k = 0; k < 4; k++) A.count[k] = DBL_MAX; /* what is not finite is clipped */
  MUST(wide_release_pointwise(A.out, &A.release, &A.rows, w, &A.histogram, 1.0, &A.options));
  for (size_t k = 0; k < D; k++) assert_true(fabs(A.out[k]) < 100.0);
  prepare(); /* fewer than one record a step */
  own_plan(dppair_sampling_allocation(8, 16, 1, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN);
  MUST(wide_release_vector(A.out, D, &own, &A.bounds, 0.25, &A.options));
  prepare();
  A.release.noise.cipher = 0;
  REFUSED(DPPAIR_ERR_CIPHER, D, dppair_release_vector(A.out, D, &A.release, 1.0));
  prepare();
  MUST(dppair_release_part(&A.release, 0.5)); /* a permit that was begun is used up first */
  MUST(dppair_release_vector(A.out, D, &A.release, 1.0));
  assert_int_equal(draw_now(A.index, &A.drawn, N, &A.release), DPPAIR_ERR_EXHAUSTED);
}

/* A number of the output in the workspace, in w or in the rows: no permit is used. Beside them it
 * may be. */
static void outputs_share_no_memory(void **state) {
  static double *const inside = room[0] + 5, *const in_work = work_room + 5;
  const struct {
    dppair_status (*call)(void);
    size_t numbers;
    dppair_release *release;
    const double **at;
  } read[] = {{release_gradient, D, &A.release, &A.w},
              {release_gradient, D, &A.release, (const double **)&A.rows.x},
              {release_form, D * D, &A.release, &A.w},
              {release_form, D * D, &A.release, (const double **)&A.rows.x},
              {release_top, D, &A.release, &A.w},
              {release_top, D, &A.release, (const double **)&A.rows.x},
              {release_pointwise, D, &A.release, &A.w},
              {release_pointwise, D, &A.release, (const double **)&A.rows.x},
              {release_pointwise, D, &A.release, (const double **)&A.histogram.count},
              {release_contrast, D * D, &A.drawing, &A.w},
              {release_contrast, D * D, &A.drawing, (const double **)&A.plain.x},
              {release_contrast, D * D, &A.drawing, (const double **)&A.others.x},
              {release_softmax, D * D, &A.release, &A.w},
              {release_softmax, D * D, &A.release, (const double **)&A.plain.x},
              {release_softmax, D * D, &A.release, (const double **)&A.others.x},
              {release_marginals, 8, &A.release, &A.x},
              {release_marginals, 8, &A.release, &A.y},
              {release_minimiser, D, &A.objective, &A.x},
              {release_minimiser, D, &A.objective, &A.y},
              {release_gradient, D, &A.release, &A.rows.factor},
              {release_gradient, D, &A.release, &A.rows.weight},
              {release_form, D * D, &A.release, &A.rows.y},
              {release_form, D * D, &A.release, &A.rows.factor},
              {release_top, D, &A.release, &A.rows.factor},
              {release_pointwise, D, &A.release, &A.rows.factor},
              {release_pointwise, D, &A.release, &A.rows.weight},
              {release_contrast, D * D, &A.drawing, &A.plain.factor},
              {release_contrast, D * D, &A.drawing, &A.others.factor},
              {release_softmax, D * D, &A.release, &A.plain.factor},
              {release_softmax, D * D, &A.release, &A.others.factor},
              {release_minimiser, D, &A.objective, &A.centre}};
  (void)state;
  for (size_t i = 0; i < sizeof read / sizeof *read; i++) {
    prepare();
    A.options.work = A.clipped.work = room[1];
    *read[i].at = A.out + read[i].numbers - 1;
    REFUSED(DPPAIR_ERR_OVERLAP, read[i].numbers, read[i].call());
    assert_true(read[i].release->step == 0 && read[i].release->left == 0.0);
    memset(A.out, 0, sizeof A.out);
    if (read[i].at == &A.w || read[i].at == &A.centre) {
      *read[i].at = A.out + read[i].numbers; /* beside it */
      MUST(read[i].call());
    }
  }
  for (int i = 0; i < 3; i++) { /* counts, and what is counted */
    double numbers[N + 4] = {-1.0, 1.0};
    prepare();
    A.histogram.count = i == 2 ? numbers + 1 : numbers;
    if (i == 0) A.s = numbers + 3;
    if (i == 1) A.weight = numbers + 3;
    if (i == 2) A.histogram.node = numbers; /* -1 and, since it is a count, 0 */
    assert_int_equal(release_scores(), DPPAIR_ERR_OVERLAP);
    assert_true(A.release.step == 0);
  }
  for (int i = 0; i < 2; i++) { /* what stands between rows and behind the last is not theirs */
    static double wide[N * (D + 1) + D];
    const size_t end = (N - 1) * (D + 1) + D;
    prepare();
    A.rows.x = wide, A.rows.ld = D + 1;
    assert_int_equal(wide_release(wide + end - (size_t)i, &A.release, &A.rows, w, &A.options),
                     i ? DPPAIR_ERR_OVERLAP : DPPAIR_OK);
  }
  prepare();
  own_plan(dppair_sampling_all(N, DPPAIR_ZERO_OUT), DPPAIR_GAUSSIAN);
  REFUSED(DPPAIR_ERR_OVERLAP, 8,
          dppair_release_marginals(A.out, 8, &own, &A.query, x, y, A.out + 7, N, A.work, A.bytes));
  assert_true(own.step == 0);
  prepare();
  assert_int_equal(dppair_release_share((uint64_t *)(void *)(A.integers.sum + 1), &A.integers_of,
                                        &A.integers, 1, 32),
                   DPPAIR_ERR_OVERLAP);
  assert_true(A.integers_of.step == 0);
  for (int i = 0; i < 7; i++) { /* answers of evaluations, and their workspace */
    double *in = work_room + 3;
    dppair_evaluation *out = (dppair_evaluation *)(void *)in;
    prepare();
    assert_int_equal(
        i == 0 ? dppair_evaluate_auc(out, &A.release, s, y, N, NULL, A.work, A.bytes)
        : i == 1
            ? dppair_evaluate_risk(out, &A.release, s, y, N, A.phi, NULL, 1, NULL, A.work, A.bytes)
        : i == 2 ? dppair_evaluate_pairs((dppair_evaluate_sums *)(void *)in, &A.release, s, y, N,
                                         A.work, A.bytes)
        : i == 3 ? dppair_evaluate_partial_auc(out, &A.release, s, y, N, 0.5, NULL, A.work, A.bytes)
        : i == 4 ? dppair_evaluate_kendall(out, &A.release, s, x, N, NULL, A.work, A.bytes)
        : i == 5 ? dppair_evaluate_roc((dppair_roc_point *)(void *)in, NULL, &A.release, s, y, N,
                                       thresholds, 2, NULL, A.work, A.bytes)
                 : dppair_evaluate_roc(A.points, out, &A.release, s, y, N, thresholds, 2, NULL,
                                       A.work, A.bytes),
        DPPAIR_ERR_OVERLAP);
    assert_true(A.release.step == 0);
  }
  prepare();
  A.clipped.work = A.options.work;
  for (int i = 0; i < 8; i++) {
    double *out = i < 6 ? inside : in_work;
    dppair_release *release = i == 4 ? &A.drawing : i == 7 ? &A.objective : &A.release;
    const dppair_status status =
        i == 0   ? wide_release(out, release, &A.rows, w, &A.options)
        : i == 1 ? wide_release_form(out, release, A.form, &A.rows, w, D, 0.5, &A.options)
        : i == 2 ? wide_release_top(out, release, &A.rows, w, &A.top, &A.options)
        : i == 3 ? wide_release_pointwise(out, release, &A.rows, w, &A.histogram, 1, &A.options)
        : i == 4 ? con_release_contrast(out, release, &A.plain, &A.others, w, D, &A.how, &A.clipped)
        : i == 5 ? con_release_softmax(out, release, &A.plain, &A.others, w, D, 0.5, &A.clipped)
        : i == 6
            ? dppair_release_marginals(out, 8, release, &A.query, x, y, NULL, N, A.work, A.bytes)
            : dppair_release_minimiser(out, release, &A.loss, 1, x, N, D, D, y, NULL, A.work,
                                       A.bytes);
    assert_int_equal(status, DPPAIR_ERR_OVERLAP);
    for (size_t k = 0; k < D; k++) assert_true(out[k] == 0.0);
    assert_true(release->step == 0);
  }
  assert_int_equal(
      wide_release_sum((double *)(void *)A.sum.words, &A.release, &A.sum, w, &A.sums_pass),
      DPPAIR_ERR_OVERLAP);
  assert_int_equal(wide_release_form_sum((double *)(void *)A.form_sum.words, &A.release,
                                         &A.form_sum, &A.ring, &A.options),
                   DPPAIR_ERR_OVERLAP);
  assert_true(A.release.step == 0);
  assert_int_equal(dppair_release_groups(A.group_sum_too + 1, &A.drawing, &A.groups_too),
                   DPPAIR_ERR_OVERLAP); /* the whole sum may be the output */
  MUST(dppair_release_groups(A.group_sum_too, &A.drawing, &A.groups_too));
}

typedef char every_place_has_a_number[__COUNTER__ < FAULT_PLACES ? 1 : -1];

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(releases_refuse),
      TEST(evaluations_and_plans_refuse),
      TEST(losses_of_rows_and_tables_refuse),
      TEST(a_machine_that_changes_in_the_middle_of_a_call_leaves_zeros),
      TEST(what_has_no_proof_is_refused),
      TEST(groups_are_those_of_the_step),
      TEST(a_batch_may_be_empty),
      TEST(numbers_at_the_ends_are_released_or_refused),
      TEST(outputs_share_no_memory)};
  return RUN_TESTS(tests, NULL, NULL);
}
