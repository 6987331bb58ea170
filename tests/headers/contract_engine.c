/* SPDX-License-Identifier: MIT */
/* dppair.h: every public function that belongs to no instance, with each argument out of its
 * domain. */
#include <fenv.h>

#include "tests.h"

#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#include "dppair_pointwise.h"
#include "dppair_accountant.h"
#include "dppair_contrast.h"
#include "dppair_evaluation.h"
#include "dppair_groups.h"
#include "dppair_tables.h"
#include "dppair_auto.h"
#include "dppair_influence.h"
#include "dppair_metric.h"
#define DPPAIR_NAME narrow
#define DPPAIR_REAL float
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_NAME half
#define DPPAIR_REAL float
#define DPPAIR_ROW f16
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "contract.h"

enum { N = 8, D = 2, ROOM = 60000 };
static const uint8_t KEY[32] = {1, 2, 3};
static uint8_t nonce[DPPAIR_NONCE_SIZE];

/* Everything that a call changes or that a mark may: put back before each. */
static struct everything {
  dppair_accountant account, pure_account, integer_account, draw_account, undrawn_account,
      objective_account, fresh, replayed;
  dppair_release release, pure, integers_of, drawing, undrawn, objective, opened;
  dppair_plan plan;
  dppair_rows_f64 rows;
  dppair_rows_f32 rows_f;
  dppair_rows_i8 rows_i8;
  dppair_rows_f16 rows_f16;
  dppair_sum sum, sum_too;
  dppair_sampling sampling;
  dppair_group_sum groups, groups_too;
  dppair_integers integers;
  dppair_histogram histogram;
  dppair_marginals query;
  dppair_column columns[D];
  dppair_evaluate_options options;
  dppair_margin_loss loss;
  dppair_margin_problem problem;
  dppair_margin_tolerance tolerance;
  dppair_ring ring;
  dppair_plan scoring;
  dppair_auto_model fitted, scored;
  dppair_auto_map maps[D], scored_maps[D];
  double x[N * D], w[D * D], s[N], y[N], c[N], weight[N], factor[N], v[8], h[8];
  float xf[N * D], wf[D], yf[N];
  int8_t x8[N * D];
  uint16_t x16[N * D];
  double group_sum[D], group_sum_too[D], node[3], thresholds[2];
  int64_t whole[D];
  uint64_t words[D * 2 + 8], words_too[D * 2 + 8], shares[D];
  size_t index[N], start[N + 1], group[N];
  dppair_batch b;
  uint32_t column[N];
} A, kept;

static double out[N * D + 8], more[N * D + 8], factors[N], weights[N];
static float out_f[N * D + 8], labels_f[N];
static int8_t out8[N * D];
static uint16_t out16[N * D];
static size_t bytes, places[N];
static dppair_batch drawn;
static uint64_t work[ROOM];
static dppair_rows_f64 made;
static dppair_rows_f32 made_f;
static dppair_rows_i8 made8;
static dppair_rows_f16 made16;
static dppair_evaluation evaluation;
static dppair_evaluate_sums pairs;
static dppair_roc_point points[1001];
static dppair_cells cells;
static dppair_sum opened_sum;
static char line[1000];
static size_t length;

static void reset(void) { A = kept; }

static double margin_loss(double margin, void *context) {
  (void)context;
  return margin < 0;
}
static double kernel_of(size_t i, size_t j, void *context) {
  (void)context;
  return (double)(i < j) * 0.5;
}

static dppair_status keep_line(const char *text, size_t size, void *unused) {
  (void)unused;
  assert_true(size < sizeof line - 1);
  memcpy(line, text, size);
  length = size;
  return DPPAIR_OK;
}

#define MUST(call) assert_int_equal(call, DPPAIR_OK)

static void open_of(dppair_release *release, dppair_accountant *account, dppair_mechanism_kind law,
                    dppair_sampling sampling) {
  const dppair_release_keys keys = {KEY, nonce};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = law == DPPAIR_SKELLAM ? 20 : 1.5;
  plan.steps = 5;
  plan.noise = law;
  if (law == DPPAIR_GAUSSIAN && sampling.kind == DPPAIR_ALL) plan.failure = 1e-6;
  if (law == DPPAIR_OBJECTIVE) plan.ridge = 4, plan.output_mu = 0.1;
  dppair_accountant_init(account);
  MUST(dppair_release_open(release, account, &plan, &keys));
}

/* Everything valid, at the start. */
static void prepare(void) {
  const dppair_sampling all = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  const dppair_sampling some = dppair_sampling_groups(4 * N, N, 4, DPPAIR_REPLACE_ONE);
  const dppair_release_keys keys = {KEY, nonce};
  size_t i;
  memset(&A, 0, sizeof A);
  for (i = 0; i < N * D; i++) {
    A.x[i] = (double)((i * 7) % 11) / 20 - 0.25;
    A.xf[i] = (float)A.x[i];
    A.x8[i] = (int8_t)i;
    A.x16[i] = (uint16_t)(0x3000 + i);
  }
  for (i = 0; i < N; i++) {
    A.s[i] = (double)((i * 5) % 8) / 4 - 1;
    A.y[i] = i < 4;
    A.yf[i] = (float)A.y[i];
    A.c[i] = 0.25 * (double)i - 1;
    A.weight[i] = A.factor[i] = 1;
    A.index[i] = N - 1 - i;
    A.start[i] = i;
    A.column[i] = (uint32_t)(i % D);
    A.group[i] = i % 2;
  }
  A.start[N] = N;
  A.w[0] = 0.5, A.w[1] = A.w[2] = 0.125, A.w[3] = 0.25, A.wf[0] = 0.5F, A.wf[1] = -0.25F;
  for (i = 0; i < 8; i++) A.v[i] = 1, A.h[i] = 0.25;
  A.node[1] = 0.5, A.node[2] = 1, A.thresholds[0] = -0.5, A.thresholds[1] = 0.5;
  MUST(dppair_release_nonce(nonce, KEY));
  open_of(&A.release, &A.account, DPPAIR_GAUSSIAN, all);
  open_of(&A.pure, &A.pure_account, DPPAIR_LAPLACE, all);
  open_of(&A.integers_of, &A.integer_account, DPPAIR_SKELLAM, all);
  open_of(&A.objective, &A.objective_account, DPPAIR_OBJECTIVE, all);
  open_of(&A.undrawn, &A.undrawn_account, DPPAIR_GAUSSIAN, some);
  open_of(&A.drawing, &A.draw_account, DPPAIR_GAUSSIAN, some);
  MUST(dppair_release_draw(&drawn, A.index, N, &A.drawing));
  for (i = 0; i < N; i++) A.index[i] = N - 1 - i;
  A.plan.sampling = all, A.plan.epsilon = 1, A.plan.delta = 1e-6, A.plan.steps = 5;
  dppair_accountant_init(&A.fresh);
  { /* a plan's line, to go on from */
    dppair_plan plan = A.plan;
    dppair_accountant account = A.fresh;
    plan.ledger = dppair_ledger_to(keep_line, NULL);
    MUST(dppair_release_open(&A.opened, &account, &plan, &keys));
    dppair_release_close(&A.opened);
    dppair_accountant_init(&A.replayed);
    line[length] = '\n';
    MUST(dppair_ledger_replay(&A.replayed, &places[0], line, length + 1));
  }
  A.rows = dppair_rows_make_f64(A.x, N, D, D);
  A.rows.positives = 4, A.rows.y = A.y, A.rows.factor = A.factor, A.rows.weight = A.weight,
  A.rows.radius = 1;
  A.rows_f = dppair_rows_make_f32(A.xf, N, D, D);
  A.rows_f.positives = 4, A.rows_f.y = A.yf, A.rows_f.factor = A.factor, A.rows_f.weight = A.weight,
  A.rows_f.radius = 1;
  A.rows_i8 = dppair_rows_make_i8(A.x8, N, D, D);
  A.rows_i8.positives = 4, A.rows_i8.y = A.yf, A.rows_i8.factor = A.factor,
  A.rows_i8.weight = A.weight, A.rows_i8.radius = 100;
  A.rows_f16 = dppair_rows_make_f16(A.x16, N, D, D);
  A.rows_f16.positives = 4, A.rows_f16.y = A.yf, A.rows_f16.factor = A.factor,
  A.rows_f16.weight = A.weight, A.rows_f16.radius = 1;
  A.sampling = dppair_sampling_poisson(N, 4, DPPAIR_ZERO_OUT);
  MUST(dppair_sum_open(&A.sum, D, 100.0, A.words, sizeof A.words));
  MUST(dppair_sum_open(&A.sum_too, D, 100.0, A.words_too, sizeof A.words_too));
  MUST(dppair_group_sum_open(&A.groups, A.group_sum, D, 1, &A.drawing));
  MUST(dppair_group_add_f64(&A.groups, A.x));
  MUST(dppair_group_sum_open(&A.groups_too, A.group_sum_too, D, 1, &A.drawing));
  MUST(dppair_group_add_f64(&A.groups_too, A.x));
  MUST(dppair_group_add_f64(&A.groups_too, A.x));
  MUST(dppair_integers_open(&A.integers, A.whole, D, DPPAIR_QUANTISED_TRUNCATED, 1.0 / 1024, 1, 0));
  MUST(dppair_quantise(&A.integers, A.x, NULL));
  A.histogram.node = A.node, A.histogram.nodes = 3, A.histogram.count = out,
  A.histogram.records = N;
  A.query.columns = A.columns, A.query.d = D, A.query.side = 2;
  for (i = 0; i < D; i++)
    A.columns[i].kind = DPPAIR_COLUMN_NUMERIC, A.columns[i].low = -1, A.columns[i].high = 1;
  A.scoring.sampling = all, A.scoring.epsilon = 1, A.scoring.delta = 1e-3;
  A.scored.map = A.scored_maps, A.scored.d = D, A.scored.epsilon = 1;
  A.scored.route = DPPAIR_AUTO_FIT;
  A.scored_maps[0].knots = 2, A.scored_maps[0].at[1] = A.scored_maps[0].value[1] = 1;
  A.options.confidence = 0.9;
  A.loss = dppair_margin_logistic();
  A.problem.loss = A.loss, A.problem.n = N, A.problem.d = D;
  A.problem.radius = A.problem.ridge = 1;
  A.ring.form = DPPAIR_FORM_METRIC, A.ring.n = N, A.ring.block = 3, A.ring.d = A.ring.k = D,
  A.ring.w = A.w, A.ring.radius = 1;
  kept = A;
}

#define POSITIVE_OR_DOMAIN(v) REAL_AS(DPPAIR_ERR_DOMAIN, v, 0.0, -1.0)

static void core(void) {
  double z = 2.0;
  float zf = 2.0F;
  size_t i;
  SAYS(dppair_isfinite_f64, dppair_isfinite_f64(1e308) && !dppair_isfinite_f64((double)NAN));
  SAYS(dppair_isfinite_f32, dppair_isfinite_f32(3e38F) && !dppair_isfinite_f32(INFINITY));
  reset();
  SAYS(dppair_all_finite_f64, dppair_all_finite_f64(A.x, N) && dppair_all_finite_f64(NULL, 0));
  SAYS(dppair_all_finite_f32, dppair_all_finite_f32(A.xf, N) && dppair_all_finite_f32(NULL, 0));
  for (i = 0; i < 7; i++) {
    reset();
    A.x[i] = (double)INFINITY, A.xf[i] = NAN;
    SAYS(dppair_all_finite_f64, !dppair_all_finite_f64(A.x, 7));
    SAYS(dppair_all_finite_f32, !dppair_all_finite_f32(A.xf, 7));
  }
  reset();
  SAYS(dppair_norm_f64, dppair_norm_f64(&z, 1) == 2.0 && dppair_norm_f64(NULL, 0) == 0.0);
  z = (double)NAN;
  SAYS(dppair_norm_f64, !dppair_isfinite_f64(dppair_norm_f64(&z, 1)));
  z = -(double)INFINITY;
  SAYS(dppair_norm_f64, dppair_norm_f64(&z, 1) == (double)INFINITY);
  (void)zf;
  dppair_sort_f64(A.c, N);
  SAYS(dppair_sort_f64, A.c[0] <= A.c[1] && A.c[N - 2] <= A.c[N - 1]);
  dppair_tasks_join(A.s, 2, 2);
  SAYS(dppair_tasks_join, A.s[0] == kept.s[0] + kept.s[2] && A.s[1] == kept.s[1] + kept.s[3]);
  work[0] = UINT64_MAX, work[1] = 0, work[2] = 1, work[3] = 7;
  dppair_words_add(NULL, work, 1);
  dppair_words_add(work, NULL, 1);
  SAYS(dppair_words_add, work[0] == UINT64_MAX && work[1] == 0);
  dppair_words_add(work, work + 2, 1);
  SAYS(dppair_words_add, work[0] == 0 && work[1] == 8);
  SAYS(dppair_tier, dppair_tier() == DPPAIR_TIER_SCALAR);
  SAYS(dppair_isa_name, strcmp(dppair_isa_name(), "scalar") == 0);
  for (i = 0; i < (size_t)DPPAIR_STATUS_COUNT_; i++)
    SAYS(dppair_status_string, strlen(dppair_status_string((dppair_status)i)) > 1);
  SAYS(dppair_status_string, dppair_status_string((dppair_status)-1) != NULL);
  SAYS(dppair_batch_make, dppair_batch_make(A.index, 3).count == 3);
  SAYS(dppair_rows_by_hand_i8, (dppair_rows_by_hand_i8(NULL, NULL), made8.serial = 0, A.b.serial = 5,
                                dppair_rows_by_hand_i8(&made8, &A.b), made8.serial == 5));
  SAYS(dppair_status_string, dppair_status_string((dppair_status)999) != NULL);
  SAYS(dppair_sampling_name, dppair_sampling_name((dppair_sampling_kind)-1) != NULL);
  SAYS(dppair_sampling_name, dppair_sampling_name((dppair_sampling_kind)999) != NULL);
  SAYS(dppair_adjacency_name, dppair_adjacency_name((dppair_adjacency)-1) != NULL);
  SAYS(dppair_adjacency_name, dppair_adjacency_name((dppair_adjacency)999) != NULL);
  TRY(dppair_environment_check, );
}

/* What a sampling is made of is checked where it is used. */
static void samplings(void) {
  double divisor;
#define TRY_SAMPLING(kind, ...)                                                                    \
  SAYS(dppair_sampling_##kind, dppair_sampling_##kind(N, __VA_ARGS__).n == N);                     \
  TRY(dppair_normaliser, OUT(&divisor, sizeof divisor),                                            \
      (A.sampling = dppair_sampling_##kind(COUNT(N, 0), __VA_ARGS__), &A.sampling), 4)
#define ADJACENT CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, -1, 0, 99)
  TRY(dppair_normaliser, OUT(&divisor, sizeof divisor), OPENED(&A.sampling), COUNT(4, 9, SIZE_MAX));
  TRY_SAMPLING(all, ADJACENT);
  TRY_SAMPLING(poisson, COUNT(4, 0, 9), CHOICE(dppair_adjacency, DPPAIR_ZERO_OUT, -1, 0, 99));
  TRY_SAMPLING(without_replacement, COUNT(4, 0, 9), ADJACENT);
  TRY_SAMPLING(with_replacement, COUNT(4, 0), ADJACENT);
  TRY_SAMPLING(matching, COUNT(4, 0, 3, 10), ADJACENT);
  TRY_SAMPLING(groups, COUNT(4, 0, 3, 10), COUNT(2, 3), ADJACENT);
  TRY_SAMPLING(allocation, COUNT(4, 0), COUNT(2, 5),
               CHOICE(dppair_adjacency, DPPAIR_ZERO_OUT, -1, 0, 99));
}

static void domains(void) {
  size_t need;
  TRY(dppair_project_l2_f64, DATA_CHANGED(A.c, sizeof A.c, 2), MANY(N), POSITIVE_OR_DOMAIN(1.0));
  TRY(dppair_project_box_f64, DATA_CHANGED(A.c, sizeof A.c, 2), MANY(N),
      REAL_AS(DPPAIR_ERR_DOMAIN, -0.5, 0.75), REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, -0.75));
  TRY(dppair_project_l1_workspace, OUT(&bytes, sizeof bytes), MANY(N));
  MUST(dppair_project_l1_workspace(&need, N));
  TRY(dppair_project_simplex_f64, DATA_CHANGED(A.c, sizeof A.c, 2), MANY(N),
      POSITIVE_OR_DOMAIN(1.0), IN(work), BYTES(need));
  TRY(dppair_project_simplex_f64, IN(A.c), COUNT(N, 0), 1.0, work, sizeof work);
  TRY(dppair_project_l1_f64, DATA_CHANGED(A.c, sizeof A.c, 2), MANY(N), POSITIVE_OR_DOMAIN(1.0),
      IN(work), BYTES(need));
  TRY(dppair_project_workspace, OUT(&bytes, sizeof bytes), MANY(D));
  MUST(dppair_project_workspace(&need, D));
  TRY(dppair_eigen_f64, OUT(out, D * sizeof *out), OUT(more, D * D * sizeof *more), DATA(A.w, 2),
      MANY(D), IN(work), BYTES(need));
  TRY(dppair_project_spectral_f64, DATA_CHANGED(A.w, sizeof A.w, 2), MANY(D),
      NUMBER(-0.5, 0.75, (double)NAN), NUMBER(0.5, -0.75, (double)NAN), IN(work), BYTES(need));
  TRY(dppair_project_psd_frobenius_f64, DATA_CHANGED(A.w, sizeof A.w, 2), MANY(D),
      POSITIVE_OR_DOMAIN(0.25), IN(work), BYTES(need));
  TRY(dppair_project_psd_trace_f64, DATA_CHANGED(A.w, sizeof A.w, 2), MANY(D),
      POSITIVE_OR_DOMAIN(0.25), IN(work), BYTES(need));
  TRY(dppair_cholesky_f64, IN(A.w), D);
  reset();
  A.w[0] = -1;
  SAYS(dppair_cholesky_f64, dppair_cholesky_f64(A.w, D) == DPPAIR_ERR_NO_CONVERGENCE);
  reset();
  dppair_symmetric_pack_f64(out, A.w, D);
  dppair_symmetric_unpack_f64(more, out, D);
  SAYS(dppair_symmetric_pack_f64, out[0] == A.w[0] && out[1] == A.w[3]);
  SAYS(dppair_symmetric_unpack_f64, fabs(more[1] - A.w[1]) < 1e-15 && more[3] == A.w[3]);
  MUST(dppair_cholesky_f64(A.w, D));
  out[0] = kept.w[0], out[1] = kept.w[2];
  dppair_cholesky_solve_f64(out, A.w, D);
  SAYS(dppair_cholesky_solve_f64, fabs(out[0] - 1) < 1e-12 && fabs(out[1]) < 1e-12);
}

/* The sizes of a block of rows, then its numbers. */
#define SIZES(r, before)                                                                           \
  (before, (A.r.n = MANY(N)), (A.r.d = MANY(D)), (A.r.ld = COUNT(MANY(D), 1, 0)),                  \
   (A.r.nulls = COUNT(0, N + 1, SIZE_MAX)), UNTOUCHED(IN(&A.r)))

static void rows(void) {
  size_t need;
#define CLIPPED(type, made, x, mark)                                                               \
  SAYS(dppair_rows_make_##type, dppair_rows_make_##type(x, N, D, D).n == N);                       \
  TRY(dppair_rows_clip_##type, OUT(&made, sizeof made), OUT(factors, sizeof factors), mark,        \
      MANY(N), D, MANY(D), POSITIVE_OR_DOMAIN(1.0));                                               \
  TRY(dppair_rows_clip_##type, OUT(&made, sizeof made), OUT(factors, sizeof factors), x, N,        \
      COUNT(D, 3, SIZE_MAX), COUNT(D, 1, 0), 1.0)
  CLIPPED(f64, made, A.x, DATA(A.x, 3));
  CLIPPED(f32, made_f, A.xf, DATA_F32(A.xf, 3));
  CLIPPED(i8, made8, A.x8, IN(A.x8));
  CLIPPED(f16, made16, A.x16, IN(A.x16));
  reset();
  A.x16[3] = 0x7C00; /* infinity */
  SAYS(dppair_rows_clip_f16,
       dppair_rows_clip_f16(&made16, factors, A.x16, N, D, D, 1.0) == DPPAIR_ERR_NOT_FINITE);
#define QUANTISED(type, made, to)                                                                  \
  TRY(dppair_rows_quantise_##type##_f64, OUT(&made, sizeof made), OUT(to, sizeof to),              \
      OUT(factors, sizeof factors), SIZES(rows, A.rows.x = DATA(A.x, 3)));                         \
  TRY(dppair_rows_quantise_##type##_f32, OUT(&made, sizeof made), OUT(to, sizeof to),              \
      OUT(factors, sizeof factors),                                                                \
      SIZES(rows_f, (A.rows_f.x = DATA_F32(A.xf, 3), A.factor[5] = FINITE(1.0))))
  QUANTISED(i8, made8, out8);
  QUANTISED(f16, made16, out16);
#define GATHERED(type, made, r, to, labels)                                                        \
  TRY(dppair_gather_weighted_##type, OUT(&made, sizeof made), OUT(to, N *D * sizeof *to),          \
      OUT(labels, N * sizeof *labels), OUT(factors, sizeof factors), OUT(weights, sizeof weights), \
      (A.index[3] = COUNT(4, 8, SIZE_MAX), A.b.index = (const size_t *)IN(A.index),                \
       A.b.count = MANY(N), UNTOUCHED(IN(&A.b))),                                                  \
      SIZES(r, A.r.positives = COUNT(4, 9)));                                                      \
  TRY(dppair_gather_##type, OUT(&made, sizeof made), OUT(to, N *D * sizeof *to),                   \
      OUT(labels, N * sizeof *labels), OUT(factors, sizeof factors),                               \
      (A.index[3] = COUNT(4, 8, SIZE_MAX), A.b.index = (const size_t *)IN(A.index),                \
       A.b.count = MANY(N), UNTOUCHED(IN(&A.b))),                                                  \
      SIZES(r, (A.r.positives = COUNT(4, 9), A.r.weight = NULL)))
  GATHERED(f64, made, rows, out, more);
  GATHERED(f32, made_f, rows_f, out_f, labels_f);
  GATHERED(i8, made8, rows_i8, out8, labels_f);
  GATHERED(f16, made16, rows_f16, out16, labels_f);
#define LINEAR(type, r, s, mark, w_mark)                                                           \
  TRY(dppair_scores_##type, OUT(s, N * sizeof *s), SIZES(r, mark), w_mark);                        \
  TRY(dppair_combine_##type, OUT(out, D * sizeof *out), SIZES(r, mark), DATA(A.c, 3));             \
  TRY(dppair_sum_combine_##type,                                                                   \
      (STAYS(&A.sum, sizeof A.sum), STAYS(A.words, sizeof A.words), OPENED(&A.sum)),               \
      (A.r.radius = REAL_AS(DPPAIR_ERR_NO_RADIUS, 1.0, 0.0, -1.0), A.r.n = MANY(N),                 \
       A.r.d = COUNT(D, 1, 0, SIZE_MAX), A.r.ld = COUNT(MANY(D), 1, 0),                            \
       A.r.x = (const void *)IN(A.r.x), IN(&A.r)),                                                 \
      DATA(A.c, 3))
  LINEAR(f64, rows, out, A.rows.x = DATA(A.x, 3), DATA(A.w, 1));
  LINEAR(f32, rows_f, out_f, A.rows_f.x = DATA_F32(A.xf, 3), DATA_F32(A.wf, 1));
  LINEAR(i8, rows_i8, out_f, A.rows_i8.x = IN(A.x8), DATA_F32(A.wf, 1));
  LINEAR(f16, rows_f16, out_f, A.rows_f16.x = IN(A.x16), DATA_F32(A.wf, 1));
  TRY(dppair_scores_f64, OUT(out, N * sizeof *out), &A.rows, (A.w[0] = NUMBER(0.5, 1e151), A.w));
  TRY(dppair_scores_f32, OUT(out_f, N * sizeof *out_f), &A.rows_f,
      (A.wf[0] = (float)NUMBER(0.5, 1e19), A.wf));
  TRY(dppair_scores_csr_f64, OUT(out, N * sizeof *out),
      (A.start[3] = COUNT(3, 1, 9), A.start[0] = COUNT(0, 1), IN(A.start)),
      (A.column[2] = (uint32_t)COUNT(0, 2, UINT32_MAX), IN(A.column)), DATA(A.c, 2), MANY(N),
      MANY(D), DATA(A.w, 1));
  TRY(dppair_combine_csr_f64, OUT(out, D * sizeof *out),
      (A.start[3] = COUNT(3, 1, 9), A.start[0] = COUNT(0, 1), IN(A.start)),
      (A.column[2] = (uint32_t)COUNT(0, 2, UINT32_MAX), IN(A.column)), DATA(A.c, 2), MANY(N),
      MANY(D), DATA(A.s, 1));
  TRY(dppair_sum_workspace, OUT(&bytes, sizeof bytes), MANY(D));
  MUST(dppair_sum_workspace(&need, D));
  TRY(dppair_sum_open, OUT(&opened_sum, sizeof opened_sum), MANY(D),
      REAL_AS(DPPAIR_ERR_DOMAIN, NUMBER(100.0, 1e300, 1e-300), 0.0, -1.0), IN(work), BYTES(need));
  TRY(dppair_sum_vector,
      (STAYS(&A.sum, sizeof A.sum), STAYS(A.words, sizeof A.words), OPENED(&A.sum)), DATA(A.c, 1));
  TRY(dppair_sum_vector, (A.sum.radius = NUMBER(0.0, 1.0), STAYS(&A.sum, sizeof A.sum)), A.c);
  TRY(dppair_sum_add, (STAYS(&A.sum, sizeof A.sum), STAYS(A.words, sizeof A.words), OPENED(&A.sum)),
      (A.sum_too.size = COUNT(D, 1), A.sum_too.bound = NUMBER(100.0, 50.0),
       A.sum_too.radius = NUMBER(0.0, 1.0), OPENED(&A.sum_too)));
  TRY(dppair_sum_value, OUT(out, D * sizeof *out), SIZING(&A.sum));
}

static void measures(void) {
  size_t need;
  TRY(dppair_measures_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(D));
  MUST(dppair_measures_workspace(&need, 2 * N, D));
  TRY(dppair_auc_not_private_f64, OUT(out, sizeof *out), DATA(A.s, 3), MANY(COUNT(N, 0)),
      DATA(A.c, 3), MANY(COUNT(N, 0)), IN(work), BYTES(need - 8 * D));
  TRY(dppair_partial_auc_not_private_f64, OUT(out, sizeof *out), DATA(A.s, 3), MANY(COUNT(N, 0)),
      DATA(A.c, 3), MANY(COUNT(N, 0)), REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, -1.0, 1.5), IN(work),
      BYTES(need - 8 * D));
  MUST(dppair_measures_workspace(&need, N, 0));
  TRY(dppair_precision_not_private_f64, OUT(out, sizeof *out), DATA(A.s, 3), DATA(A.y, 3), MANY(N),
      COUNT(2, 0, 9), IN(work), BYTES(need));
  TRY(dppair_kendall_not_private_f64, OUT(out, sizeof *out), DATA(A.s, 3), DATA(A.y, 3),
      MANY(COUNT(N, 0, 1)), IN(work), BYTES(need));
  MUST(dppair_measures_workspace(&need, N, D));
  TRY(dppair_knn_accuracy_not_private_f64, OUT(out, sizeof *out), DATA(A.x, 3), DATA(A.y, 3),
      MANY(COUNT(N, 0)), DATA(A.c, 1), DATA(A.s, 1), COUNT(4, 0), COUNT(D, 0), MANY(COUNT(D, 1)),
      (A.w[2] = FINITE(0.125), A.w), COUNT(2, 0, 9), IN(work), BYTES(need));
  TRY(dppair_recall_at_not_private_f64, OUT(out, sizeof *out), DATA(A.x, 3), DATA(A.y, 3), MANY(N),
      COUNT(D, 0), MANY(COUNT(D, 1)), (A.w[2] = FINITE(0.125), A.w), COUNT(2, 0, 8), IN(work),
      BYTES(need));
#define BOUND(x, ...) REAL_AS(DPPAIR_ERR_DOMAIN, x, __VA_ARGS__)
  TRY(dppair_influence_bound, OUT(out, sizeof *out), COUNT(N, 0, 1), DPPAIR_INFLUENCE_IND,
      BOUND(NUMBER(1.0, 1e200), -1.0), BOUND(1.0, -1.0), BOUND(1.0, -1.0), BOUND(1.0, 0.0, -1.0));
  TRY(dppair_influence_floor, OUT(out, sizeof *out), COUNT(1000, 0, 1, 4), DPPAIR_INFLUENCE_IND,
      BOUND(1.0, -1.0), BOUND(1.0, -1.0), BOUND(1.0, -1.0), BOUND(1.0, 0.0, -1.0));
  TRY(dppair_influence_floor, OUT(out, sizeof *out), COUNT(1000, 3), DPPAIR_INFLUENCE_POINTWISE,
      1.0, 0.0, 1.0, 1.0);
  TRY(dppair_stability_uniform, OUT(out, sizeof *out), COUNT(N, 0, 2), DPPAIR_INFLUENCE_IND,
      BOUND(NUMBER(1.0, 1e200), -1.0), BOUND(1.0, 0.0, -1.0), 1, BOUND(1.0, -1.0));
  TRY(dppair_stability_uniform, OUT(out, sizeof *out), N, DPPAIR_INFLUENCE_POINTWISE, 1.0, 1.0, 0,
      0.0);
  TRY(dppair_pairs_allowance_, OUT(out, sizeof *out), COUNT(N, SIZE_MAX), COUNT(N, SIZE_MAX),
      BOUND(NUMBER(1.0, DBL_MAX), -1.0));
  SAYS(dppair_contrast_angular, dppair_contrast_angular(N, 0) > N);
  SAYS(dppair_contrast_angular, dppair_contrast_angular(SIZE_MAX, 0) == SIZE_MAX);
  SAYS(dppair_contrast_angular, dppair_contrast_angular(N, SIZE_MAX) == SIZE_MAX);
  reset();
  SAYS(dppair_ring_blocks, dppair_ring_blocks(&A.ring) == 3 && dppair_ring_blocks(NULL) == 0);
  SAYS(dppair_ring_rows, dppair_ring_rows(&A.ring, 2) == 2 && dppair_ring_rows(&A.ring, 3) == 0 &&
                             dppair_ring_rows(NULL, 0) == 0);
  A.ring.block = 0;
  SAYS(dppair_ring_blocks, dppair_ring_blocks(&A.ring) == 0);
}

static void evaluations(void) {
  size_t need;
#define OPTIONS                                                                                    \
  (A.options.confidence = REAL_AS(DPPAIR_ERR_DOMAIN, 0.9, -0.5, 1.0),                              \
   A.options.promise = COUNT(0, 5, SIZE_MAX), &A.options)
#define RELEASE(law)                                                                               \
  (A.release.sampling.adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, DPPAIR_ZERO_OUT),   \
   A.release.mechanism = law, A.release.part = NUMBER(0.0, 0.5), OPENED(&A.release))
#define RECORDS COUNT(N, 0, 1, 7, SIZE_MAX)
  TRY(dppair_evaluate_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(2));
  MUST(dppair_evaluate_workspace(&need, N, 0));
  TRY(dppair_evaluate_auc, OUT(&evaluation, sizeof evaluation), OPENED(&A.release), IN(A.s),
      IN(A.y), RECORDS, OPTIONS, IN(work), BYTES(need));
  TRY(dppair_evaluate_risk, OUT(&evaluation, sizeof evaluation), OPENED(&A.release), IN(A.s),
      IN(A.y), RECORDS, (dppair_evaluate_loss)(contract_turn_(1) ? NULL : margin_loss), NULL,
      REAL_AS(DPPAIR_ERR_DOMAIN, 1.0, 0.0, -1.0), OPTIONS, IN(work), BYTES(need));
  TRY(dppair_evaluate_pairs, OUT(&pairs, sizeof pairs), OPENED(&A.release), IN(A.s), IN(A.y),
      RECORDS, IN(work), BYTES(need));
  TRY(dppair_evaluate_partial_auc, OUT(&evaluation, sizeof evaluation), OPENED(&A.release), IN(A.s),
      IN(A.y), RECORDS, REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, -1.0, 1.5), OPTIONS, IN(work),
      BYTES(need));
  TRY(dppair_evaluate_kendall, OUT(&evaluation, sizeof evaluation), OPENED(&A.release), IN(A.s),
      IN(A.c), RECORDS, (A.options.promise = COUNT(0, 1, 5), &A.options), IN(work), BYTES(need));
  TRY(dppair_evaluate_statistic, OUT(&evaluation, sizeof evaluation), OPENED(&A.release),
      (dppair_evaluate_kernel)(contract_turn_(1) ? NULL : kernel_of), NULL,
      REAL_AS(DPPAIR_ERR_DOMAIN, 0.0, 1.0, 2.0), REAL_AS(DPPAIR_ERR_DOMAIN, 1.0, 0.0, -1.0),
      RECORDS, OPTIONS, IN(work), BYTES(need));
  MUST(dppair_evaluate_workspace(&need, N, 2));
  TRY(dppair_evaluate_roc, OUT(points, 2 * sizeof *points), PAINTED(&evaluation, sizeof evaluation),
      OPENED(&A.release), IN(A.s), IN(A.y), RECORDS,
      (A.thresholds[1] = REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, -0.5, -1.0), IN(A.thresholds)),
      UNTOUCHED(COUNT(2, 0, 1001, SIZE_MAX)), OPTIONS, IN(work), BYTES(need));
}

static void releases(void) {
#define SENSITIVITY REAL(1.0, 0.0, -1.0, 1e300)
#define OF(r) (A.r.mechanism = CHOICE(dppair_mechanism_kind, A.r.mechanism, DPPAIR_SKELLAM), OPENED(&A.r))
  TRY(dppair_release_vector, (A.v[3] = NUMBER(1.0, (double)NAN), CHANGED(A.v, sizeof A.v)), MANY(8),
      OF(release), SENSITIVITY);
  TRY(dppair_release_vector, IN(A.v), COUNT(8, 0), &A.release, 1.0);
  TRY(dppair_release_vector_grid, (A.v[3] = NUMBER(1.0, (double)NAN), CHANGED(A.v, sizeof A.v)),
      MANY(8), OF(release), SENSITIVITY, CHOICE(int, 20, -1, 41));
  TRY(dppair_release_histogram, (A.v[3] = NUMBER(1.0, (double)NAN), CHANGED(A.v, sizeof A.v)),
      MANY(8), OF(pure), SENSITIVITY);
  TRY(dppair_release_draw, OUT(&drawn, sizeof drawn), OUT(places, sizeof places), ROOM(N),
      OPENED(&A.undrawn));
  TRY(dppair_release_part, (STAYS(&A.release, sizeof A.release), OPENED(&A.release)),
      REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, 1.0, -1.0));
  TRY(dppair_release_score_histogram,
      (A.histogram.count = OUT(out, 6 * sizeof *out), A.histogram.node = IN(A.node),
       A.node[1] = REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, 2.0),
       A.histogram.nodes = UNTOUCHED(COUNT(3, 0, 1, SIZE_MAX)), UNTOUCHED(IN(&A.histogram))),
      OPENED(&A.release), IN(A.s), A.weight, UNTOUCHED(COUNT(N, 0, 7, SIZE_MAX)), COUNT(4, 9));
  TRY(dppair_group_sum_open, OUT(&A.groups, sizeof A.groups), OUT(A.group_sum, sizeof A.group_sum),
      UNTOUCHED(COUNT(D, 0, SIZE_MAX)), NUMBER(1.0, (double)NAN, (double)INFINITY, 0.0, -1.0),
      OPENED(&A.drawing));
  TRY(dppair_group_add_f64,
      (STAYS(A.group_sum, sizeof A.group_sum), STAYS(&A.groups, sizeof A.groups),
       OPENED(&A.groups)),
      IN(A.x));
  TRY(dppair_group_add_f32,
      (STAYS(A.group_sum, sizeof A.group_sum), STAYS(&A.groups, sizeof A.groups),
       OPENED(&A.groups)),
      IN(A.xf));
  TRY(dppair_group_sum_join,
      (STAYS(A.group_sum, sizeof A.group_sum), STAYS(&A.groups, sizeof A.groups),
       OPENED(&A.groups)),
      (A.groups_too.size = COUNT(D, 1), A.groups_too.clip = NUMBER(1.0, 2.0),
       OPENED(&A.groups_too)));
  TRY(dppair_release_groups, OUT(out, D * sizeof *out), OPENED(&A.drawing),
      (A.groups_too.count = COUNT(2, 1, 3), SIZING(&A.groups_too)));
}

static void shares(void) {
#define BITS CHOICE(unsigned, 32, 0, 65, -1)
  TRY(dppair_release_share_variance, OUT(out, sizeof *out), OUT(more, sizeof *more),
      OPENED(&A.integers_of), OPENED(&A.integers), COUNT(1, 0));
  TRY(dppair_release_share, OUT(A.shares, sizeof A.shares), OPENED(&A.integers_of),
      SIZING(&A.integers), COUNT(1, 0), BITS);
  TRY(dppair_shares_add, CHANGED(A.shares, sizeof A.shares), IN(A.words), MANY(D), BITS);
  TRY(dppair_shares_value, OUT(out, D * sizeof *out), IN(A.words), MANY(D), BITS, POSITIVE(1024.0));
}

static void marginals(void) {
  size_t need, i;
  double part = 0.0;
#define QUERY                                                                                      \
  (A.columns[0].kind = CHOICE(dppair_column_kind, DPPAIR_COLUMN_NUMERIC, -1, 77),                  \
   A.columns[0].low = REAL(-1.0, 2.0, -1e301), A.columns[1].high = REAL(1.0, -2.0, 1e301),         \
   A.columns[1].group = COUNT(0, 1), A.query.columns = IN(A.columns),                              \
   A.query.side = COUNT(2, 0, SIZE_MAX), A.query.smooth = REAL(0.0, -0.5, 1.5),                    \
   A.query.width = REAL(0.0, 1.0, -1.0), A.query.label = REAL(0.25, -1.0), SIZING(&A.query))
  reset();
  A.query.label = 0.25;
  MUST(dppair_marginals_layout(A.start, &A.query));
  const size_t size = A.start[D + 1];
  assert_true(size <= 16);
  TRY(dppair_marginals_layout, OUT(A.start, (D + 2) * sizeof *A.start), QUERY);
  TRY(dppair_marginals_layout, OUT(A.start, (D + 2) * sizeof *A.start),
      (A.query.label = 0.25, A.query.d = MANY(D), &A.query));
  TRY(dppair_marginals_layout, OUT(A.start, (D + 2) * sizeof *A.start),
      (A.query.side = COUNT(2, 0), A.query.smooth = NUMBER(0.0, 0.5), &A.query));
  TRY(dppair_marginals_workspace, OUT(&bytes, sizeof bytes), MANY(D));
  MUST(dppair_marginals_workspace(&need, D));
  TRY(dppair_marginals_sensitivity, OUT(out, sizeof *out), OUT(more, sizeof *more), QUERY,
      CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, -1, 0, 77), IN(work), BYTES(need));
  TRY(dppair_release_marginals, OUT(out, size * sizeof *out),
      UNTOUCHED(COUNT(size, 0, 3, SIZE_MAX)), OPENED(&A.release), QUERY, IN(A.x), IN(A.y), NULL,
      COUNT(N, 0, 7, SIZE_MAX), IN(work), BYTES(need));
  TRY(dppair_marginals_classes, OUT(out, D * DPPAIR_CLASS_TERMS * sizeof *out), DATA(A.s, 1),
      DATA(A.c, 1), COUNT(size, 0, 3, SIZE_MAX), QUERY, COUNT(N, 0), REAL(1.0, -1.0),
      REAL(0.5, -0.5, 1.5), IN(work), BYTES(need));
  TRY(dppair_marginals_estimate_workspace, OUT(&bytes, sizeof bytes), MANY(D));
  MUST(dppair_marginals_estimate_workspace(&need, D));
  TRY(dppair_marginals_estimate, OUT(out, size * sizeof *out), PAINTED(more, size * sizeof *more),
      NULL, DATA(A.s, 1), UNTOUCHED(COUNT(size, 0, 3, SIZE_MAX)), QUERY, COUNT(N, 0),
      REAL(1.0, -1.0), 1, IN(work), BYTES(need));
  SAYS(dppair_label_weight, dppair_label_weight(0.25) == 0.5 && dppair_label_weight(0.0) == 0.0);
  SAYS(dppair_class_curve, dppair_class_curve(NULL, 0.5) == 0.0);
  TRY(dppair_cells_make, OUT(&cells, sizeof cells), REAL(-1.0, 2.0, -1e301), REAL(1.0, -2.0, 1e301),
      COUNT(2, 0, SIZE_MAX));
  MUST(dppair_cells_make(&cells, -1.0, 1.0, 2));
  SAYS(dppair_cells_find, dppair_cells_find(&cells, (double)NAN) == 0);
  SAYS(dppair_cells_find, dppair_cells_find(&cells, -(double)INFINITY) == 0);
  SAYS(dppair_cells_find, dppair_cells_find(&cells, (double)INFINITY) + 1 == cells.cells);
  reset();
  for (i = 0; i < 8; i++) A.h[i] = 0.0;
  SAYS(dppair_cells_quantile, dppair_cells_quantile(&cells, A.h, 0.5) == 1.0);
  SAYS(dppair_knots_find, dppair_knots_find(&i, A.node, 3, (double)NAN) == 0.0 && i == 0);
  SAYS(dppair_knots_find, dppair_knots_find(&i, A.node, 1, 0.5) == 0.0 && i == 0);
  SAYS(dppair_knots_find, dppair_knots_find(&i, A.node, 3, 9.0) == 1.0 && i == 1);
  SAYS(dppair_knots_between, dppair_knots_between(NULL, 0, 0, part) == 0.0);
  SAYS(dppair_knots_between, dppair_knots_between(A.node, 3, 1, 0.5) == 0.75);
  TRY(dppair_smoothing_workspace, OUT(&bytes, sizeof bytes), MANY(3));
  MUST(dppair_smoothing_workspace(&need, 3));
  TRY(dppair_smoothing_matrix, OUT(out, 9 * sizeof *out), MANY(3), REAL(0.5, -0.5, 1.5),
      REAL(1.0, 0.0, -1.0), IN(work), BYTES(need));
}

static void scores(void) {
  static char text[2000];
  const dppair_release_keys keys = {KEY, nonce};
  size_t need, written = 0;
  TRY(dppair_auto_workspace, OUT(&bytes, sizeof bytes), COUNT(N, 0, 1, 3, SIZE_MAX),
      COUNT(D, 0, 100001, SIZE_MAX), IN(A.columns));
  MUST(dppair_auto_workspace(&need, N, D, A.columns));
  assert_true(need <= sizeof work);
#define FITTED                                                                                     \
  (PAINTED(&A.fitted.d, sizeof A.fitted - offsetof(dppair_auto_model, d)),                         \
   PAINTED(A.maps, sizeof A.maps), A.fitted.map = UNTOUCHED(IN(A.maps)), UNTOUCHED(IN(&A.fitted)))
  TRY(dppair_auto_fit, FITTED, UNTOUCHED(OPENED(&A.fresh)),
      (A.scoring.epsilon = REAL_AS(DPPAIR_ERR_EPSILON, 1.0, 0.0, -1.0, 1e4),
       A.scoring.delta = REAL_AS(DPPAIR_ERR_DELTA, 1e-3, -1.0, 1.0, 1e-300),
       A.scoring.steps = COUNT(0, 1), A.scoring.ridge = REAL_AS(DPPAIR_ERR_UNREAD, 0.0, 1.0),
       A.scoring.output_mu = REAL_AS(DPPAIR_ERR_UNREAD, 0.0, 1.0),
       A.scoring.failure = REAL_AS(DPPAIR_ERR_UNREAD, 0.0, 1e-9),
       A.scoring.noise_multiplier = REAL_AS(DPPAIR_ERR_UNREAD, 0.0, 1.0),
       A.scoring.noise = CHOICE(dppair_mechanism_kind, 0, DPPAIR_GAUSSIAN, -1, 77),
       A.scoring.sampling.n = COUNT(N, 0, N - 1), A.scoring.sampling.q = NUMBER(0.0, 0.5),
       A.scoring.sampling.adjacency =
           CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, DPPAIR_ZERO_OUT, -1, 77),
       UNTOUCHED(OPENED(&A.scoring))),
      &keys, UNTOUCHED(IN(A.x)), UNTOUCHED(IN(A.y)), UNTOUCHED(COUNT(N, 0, 3, 7, SIZE_MAX)),
      UNTOUCHED(COUNT(D, 0, SIZE_MAX)),
      (A.columns[0].kind = CHOICE(dppair_column_kind, DPPAIR_COLUMN_NUMERIC, -1, 77),
       A.columns[0].low = REAL(-1.0, 2.0, -1e251), A.columns[1].high = REAL(1.0, -2.0, 1e-251),
       A.columns[1].group = COUNT(0, 1), UNTOUCHED(IN(A.columns))),
      UNTOUCHED(IN(work)), BYTES(need));
#define SCORED                                                                                     \
  (A.scored.d = COUNT(D, 0), A.scored.epsilon = NUMBER(1.0, 0.0, (double)NAN),                     \
   A.scored.delta = NUMBER(0.0, -1.0, 1.0, (double)NAN),                                           \
   A.scored.route = CHOICE(dppair_auto_route, DPPAIR_AUTO_FIT, 0, 1, 4),                           \
   A.scored_maps[0].knots = COUNT(2, DPPAIR_AUTO_KNOTS + 1, SIZE_MAX),                             \
   A.scored_maps[0].at[1] = NUMBER(1.0, 0.0, (double)NAN, (double)INFINITY),                       \
   A.scored_maps[0].value[0] = NUMBER(0.0, (double)NAN, 1e300), A.scored.map = IN(A.scored_maps),  \
   OPENED(&A.scored))
  TRY(dppair_auto_score, OUT(out, N * sizeof *out), SCORED, IN(A.x), MANY(N));
  TRY(dppair_auto_write, OUT(text, sizeof text), UNTOUCHED(COUNT(sizeof text, 10)),
      OUT(&written, sizeof written), SCORED, NULL);
  reset();
  MUST(dppair_auto_write(text, sizeof text, &written, &A.scored, NULL));
  TRY(dppair_auto_read, FITTED, MANY(UNTOUCHED(COUNT(D, 1, 0))), UNTOUCHED(IN(text)),
      COUNT(written, 0, 5, written - 1));
  SAYS(dppair_auto_warning_string, dppair_auto_warning_string(DPPAIR_AUTO_LOW) != NULL);
  SAYS(dppair_auto_warning_string, dppair_auto_warning_string(3) == NULL);
}

static void fits(void) {
  size_t need;
  const dppair_release_keys keys = {KEY, nonce};
  dppair_margin_tolerance reach;
  TRY(dppair_shrink_sparse_f64, (STAYS(A.w + 2, 2 * sizeof *A.w), DATA(A.w, 1)),
      (A.factor[2] = REAL(1.0, -1.0), IN(A.factor)), (A.weight[2] = REAL(1.0, -1.0), IN(A.weight)),
      MANY(4));
  TRY(dppair_shrink_workspace, OUT(&bytes, sizeof bytes), MANY(4));
  MUST(dppair_shrink_workspace(&need, 4));
  TRY(dppair_shrink_f64, (STAYS(A.w + 2, 2 * sizeof *A.w), DATA(A.w, 1)),
      (A.factor[2] = REAL(1.0, -1.0), IN(A.factor)), (A.weight[2] = REAL(1.0, -1.0), IN(A.weight)),
      (A.group[3] = COUNT(1, 5), A.group), MANY(4), IN(work), BYTES(need));
  TRY(dppair_minimiser_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(D));
  MUST(dppair_minimiser_workspace(&need, N, D));
  SAYS(dppair_margin_soft_hinge, dppair_margin_soft_hinge().steepest == 1.0);
  SAYS(dppair_margin_logistic, dppair_margin_logistic().top == 0.25);
  SAYS(dppair_margin_balance, fabs(dppair_margin_balance(&A.loss, 0.5)) < 1e-9);
#define PROBLEM                                                                                    \
  (A.problem.loss.top = REAL(0.25, 0.0, -1.0),                                                     \
   A.problem.loss.steepest = NUMBER(1.0, (double)NAN, 0.0, -1.0),                                  \
   A.problem.radius = REAL(1.0, 0.0, -1.0, 1e76), A.problem.ridge = REAL(1.0, 0.0, -1.0, 1e-30),   \
   A.problem.n = COUNT(N, 0), A.problem.d = UNTOUCHED(COUNT(D, 0)), SIZING(&A.problem))
  TRY(dppair_margin_reach, OUT(&reach, sizeof reach), PROBLEM, FINITE(0.0));
  MUST(dppair_margin_reach(&reach, &A.problem, 0.0));
  TRY(dppair_minimiser_not_private, DATA_CHANGED(A.w, D * sizeof *A.w, 1), IN(A.x),
      COUNT(MANY(D), 1, 0), A.y, PROBLEM, (A.c[1] = FINITE(0.5), A.c),
      (A.tolerance.floor = FINITE(reach.floor), A.tolerance.share = FINITE(reach.share),
       OPENED(&A.tolerance)),
      IN(work), BYTES(need));
  TRY(dppair_release_minimiser, OUT(out, D * sizeof *out), OPENED(&A.objective), OPENED(&A.loss),
      REAL(1.0, 0.0, -1.0), IN(A.x), COUNT(N, 0, 7, SIZE_MAX), MANY(UNTOUCHED(COUNT(D, 0))),
      COUNT(D, 1, 0), A.y, (A.w[1] = REAL(0.125, 1e9), A.w), IN(work), BYTES(need));
  TRY(dppair_release_nonce, IN(nonce), IN(KEY));
  TRY(dppair_release_open, OUT(&A.opened, sizeof A.opened), OPENED(&A.fresh),
      (A.plan.epsilon = REAL(1.0, -1.0), A.plan.delta = REAL(1e-6, -1.0, 1.0),
       A.plan.steps = COUNT(5, 0), A.plan.ridge = REAL(0.0, 1.0), A.plan.output_mu = REAL(0.0, 1.0),
       A.plan.failure = REAL(0.0, -1.0, 1.0), A.plan.sampling.n = COUNT(N, 0),
       A.plan.noise = CHOICE(dppair_mechanism_kind, 0, -1, 77), OPENED(&A.plan)),
      &keys);
  TRY(dppair_release_resume, OUT(&A.opened, sizeof A.opened), OPENED(&A.replayed),
      (A.plan.steps = COUNT(5, 4),
       A.plan.sampling.adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, DPPAIR_ZERO_OUT),
       OPENED(&A.plan)),
      IN(line), COUNT(length, 0, 5, length - 1), IN(KEY), COUNT(0, 6));
  dppair_release_close(NULL);
  reset();
  dppair_release_close(&A.release);
  SAYS(dppair_release_close, dppair_release_vector(A.v, 8, &A.release, 1.0) == DPPAIR_ERR_CLOSED);
}

/* After `with`, this call has this status. */
#define IS(status, with, function, ...)                                                            \
  do {                                                                                             \
    reset();                                                                                       \
    with;                                                                                          \
    contract_truth_(#function, "(" #__VA_ARGS__ ") " #status " with " #with,                       \
                    (int)function(__VA_ARGS__) == (int)(status));                                  \
  } while (0)
#define OK DPPAIR_OK
#define NOTHING (void)0

/* No rows, no columns: arrays of nothing may be NULL. Sizes that no proof or no memory covers. */
static void sizes(void) {
  static const size_t none[1] = {0};
  const double tall[2] = {1e160, 1e160};
  IS(OK, NOTHING, dppair_evaluate_roc, points, NULL, &A.release, A.s, A.y, N, A.thresholds, 2, NULL,
     work, sizeof work);
  IS(DPPAIR_ERR_UNREAD, A.options.promise = 1, dppair_evaluate_roc, points, &evaluation, &A.release,
     A.s, A.y, N, A.thresholds, 2, &A.options, work, sizeof work);
  IS(DPPAIR_ERR_NO_PROOF, NOTHING, dppair_evaluate_auc, &evaluation, &A.drawing, A.s, A.y, N, NULL,
     work, sizeof work);
#define OF_ROWS(type, made, r, to, labels, s, vector)                                              \
  IS(OK, NOTHING, dppair_rows_clip_##type, &made, NULL, NULL, 0, D, D, 1.0);                       \
  IS(OK, NOTHING, dppair_rows_clip_##type, &made, factors, NULL, N, 0, 0, 1.0);                    \
  IS(DPPAIR_ERR_SIZE, NOTHING, dppair_rows_clip_##type, &made, NULL, NULL, 0, SIZE_MAX / 64,       \
     SIZE_MAX / 64, 1.0);                                                                          \
  IS(OK, A.r.n = 0; A.r.x = NULL, dppair_scores_##type, NULL, &A.r, vector);                       \
  IS(OK, A.r.d = A.r.ld = 0; A.r.x = NULL, dppair_scores_##type, s, &A.r, NULL);                   \
  IS(OK, A.r.n = 0; A.r.x = NULL, dppair_combine_##type, out, &A.r, NULL);                         \
  IS(OK, A.r.n = 0; A.r.x = NULL, dppair_sum_combine_##type, &A.sum, &A.r, NULL);                  \
  IS(DPPAIR_ERR_WORKSPACE, A.sum.radius = 1, dppair_sum_combine_##type, &A.sum, &A.r, A.c);        \
  IS(OK, NOTHING, dppair_gather_weighted_##type, &made, NULL, NULL, NULL, NULL, BATCH_OF(NULL, 0),   \
     &A.r);                                                                                        \
  IS(OK, A.r.d = A.r.ld = 0; A.r.x = NULL, dppair_gather_weighted_##type, &made, NULL, labels,     \
                             factors, weights, BATCH_OF(A.index, N), &A.r);                          \
  IS(OK, A.r.y = NULL; A.r.factor = A.r.weight = NULL, dppair_gather_##type, &made, to, NULL,      \
                       NULL, BATCH_OF(A.index, N), &A.r);                                            \
  IS(OK, A.sum.size = 0; A.r.d = A.r.ld = 0;                                                       \
     A.r.x = NULL, dppair_sum_combine_##type, &A.sum, &A.r, A.c);                                  \
  IS(OK, NOTHING, dppair_gather_weighted_##type, &made, to, labels, factors, weights,              \
     BATCH_OF(NULL, 0), &A.r);                                                                                        \
  IS(DPPAIR_ERR_NULL, A.r.x = NULL, dppair_gather_##type, &made, to, labels, factors,              \
     BATCH_OF(A.index, N), &A.r);                                                                                        \
  IS(DPPAIR_ERR_OVERFLOW, A.r.d = 0, dppair_gather_##type, &made, NULL, NULL, NULL,                \
     BATCH_OF(A.index, SIZE_MAX / 4), &A.r)
  OF_ROWS(f64, made, rows, out, more, out, A.w);
  OF_ROWS(f32, made_f, rows_f, out_f, labels_f, out_f, A.wf);
  OF_ROWS(i8, made8, rows_i8, out8, labels_f, out_f, A.wf);
  OF_ROWS(f16, made16, rows_f16, out16, labels_f, out_f, A.wf);
#define QUANTISE(type, made, to)                                                                   \
  IS(OK, A.rows.n = 0, dppair_rows_quantise_##type##_f64, &made, NULL, NULL, &A.rows);             \
  IS(OK, A.rows.d = A.rows.ld = 0;                                                                 \
     A.rows.x = NULL, dppair_rows_quantise_##type##_f64, &made, NULL, factors, &A.rows);           \
  IS(OK, A.rows.n = 0, dppair_rows_quantise_##type##_f64, &made, to, factors, &A.rows);            \
  IS(DPPAIR_ERR_ENVIRONMENT, A.rows.n = 0;                                                         \
     fesetround(FE_UPWARD), dppair_rows_quantise_##type##_f64, &made, NULL, NULL, &A.rows);        \
  fesetround(FE_TONEAREST);                                                                        \
  IS(OK, A.rows.factor = NULL, dppair_rows_quantise_##type##_f64, &made, to, factors, &A.rows);    \
  IS(DPPAIR_ERR_NULL, A.rows.x = NULL, dppair_rows_quantise_##type##_f64, &made, to, factors,      \
     &A.rows);                                                                                     \
  IS(DPPAIR_ERR_OVERFLOW, A.rows.d = SIZE_MAX / 4;                                                 \
     A.rows.ld = 1, dppair_rows_quantise_##type##_f64, &made, to, factors, &A.rows);               \
  IS(DPPAIR_ERR_ENVIRONMENT, fesetround(FE_UPWARD), dppair_rows_quantise_##type##_f64, &made, to,  \
     factors, &A.rows);                                                                            \
  fesetround(FE_TONEAREST);                                                                        \
  IS(DPPAIR_ERR_NOT_FINITE, A.rows.d = A.rows.ld = 0;                                              \
     A.factor[2] = (double)NAN, dppair_rows_quantise_##type##_f64, &made, NULL, factors, &A.rows)
  QUANTISE(i8, made8, out8);
  QUANTISE(f16, made16, out16);
  IS(OK, A.x16[0] = A.x16[1] = 0, dppair_rows_clip_f16, &made16, factors, A.x16, N, D, D, 1.0);
  IS(OK, NOTHING, dppair_scores_csr_f64, NULL, none, NULL, NULL, 0, D, A.w);
  IS(OK, NOTHING, dppair_scores_csr_f64, NULL, none, NULL, NULL, 0, 0, NULL);
  IS(OK, NOTHING, dppair_combine_csr_f64, NULL, none, NULL, NULL, 0, 0, NULL);
  IS(OK, A.sum.size = 0, dppair_sum_vector, &A.sum, NULL);
  IS(OK, A.c[0] = -1000; A.c[1] = 1000, dppair_sum_vector, &A.sum, A.c);
  MUST(dppair_sum_value(out, &A.sum));
  SAYS(dppair_sum_value, out[0] == -100 && out[1] == 100);
  IS(OK, A.sum.words[1] = A.sum.words[2] = UINT64_C(1) << 63, dppair_sum_value, out, &A.sum);
  SAYS(dppair_sum_value, out[0] == -ldexp(A.sum.unit, 127) && out[1] == ldexp(A.sum.unit, 63));
  IS(OK, A.sum.size = 0, dppair_sum_value, NULL, &A.sum);
  IS(DPPAIR_ERR_ENVIRONMENT, fesetround(FE_UPWARD), dppair_sum_value, out, &A.sum);
  fesetround(FE_TONEAREST);
  IS(DPPAIR_ERR_WORKSPACE, A.sum.radius = A.sum_too.radius = 1;
     A.sum_too.words = A.sum.words, dppair_sum_add, &A.sum, &A.sum_too);
  IS(OK, A.sum_too.words = A.sum.words, dppair_sum_add, &A.sum, &A.sum_too); /* of no rows: twice */
  IS(OK, A.sum.radius = A.sum_too.radius = 1; A.sum.digest = 5, dppair_sum_add, &A.sum, &A.sum_too);
  IS(OK, A.sum.radius = A.sum_too.radius = 1;
     A.sum_too.digest = 5, dppair_sum_add, &A.sum, &A.sum_too);
  IS(DPPAIR_ERR_WORKSPACE, A.sum.digest = 4;
     A.sum_too.digest = 5, dppair_sum_add, &A.sum, &A.sum_too);
  IS(DPPAIR_ERR_WORKSPACE, A.sum.count = A.sum_too.count = 1;
     A.sum_too.digest = 5, dppair_sum_add, &A.sum, &A.sum_too);
  IS(DPPAIR_ERR_OVERFLOW, NOTHING, dppair_auc_not_private_f64, out, A.s, SIZE_MAX / 8, A.s, 4, work,
     sizeof work);
  IS(DPPAIR_ERR_OVERFLOW, NOTHING, dppair_knn_accuracy_not_private_f64, out, A.x, A.y, N, A.x, A.y,
     4, SIZE_MAX / 4, SIZE_MAX / 4, NULL, 2, work, sizeof work);
  IS(DPPAIR_ERR_OVERFLOW, NOTHING, dppair_recall_at_not_private_f64, out, A.x, A.y, N, SIZE_MAX / 4,
     SIZE_MAX / 4, NULL, 2, work, sizeof work);
  for (size_t i = 0; i < N; i++) kept.h[i] = 1;
  IS(DPPAIR_ERR_DOMAIN, NOTHING, dppair_kendall_not_private_f64, out, A.h, A.s, N, work,
     sizeof work);
  IS(DPPAIR_ERR_DOMAIN, NOTHING, dppair_kendall_not_private_f64, out, A.s, A.h, N, work,
     sizeof work);
  IS(DPPAIR_ERR_NOT_FINITE, A.x[0] = tall[0]; A.x[2] = -tall[1],
                                              dppair_knn_accuracy_not_private_f64, out, A.x, A.y, 2,
                                              A.x, A.y, 1, 1, 2, NULL, 1, work, sizeof work);
  IS(DPPAIR_ERR_NOT_FINITE, A.x[0] = tall[0]; A.x[2] = -tall[1], dppair_recall_at_not_private_f64,
                                              out, A.x, A.y, 3, 1, 2, NULL, 1, work, sizeof work);
  IS(DPPAIR_ERR_SIZE, NOTHING, dppair_pairs_allowance_, out, SIZE_MAX, 1, 1.0);
  IS(DPPAIR_ERR_NO_CONVERGENCE, A.w[3] = (double)INFINITY, dppair_cholesky_f64, A.w, D);
}

static void every_wrong_argument_is_refused(void **unused) {
  (void)unused;
  prepare();
  core();
  samplings();
  domains();
  rows();
  measures();
  evaluations();
  releases();
  shares();
  marginals();
  scores();
  fits();
  sizes();
  print_message("%zu calls\n", contract.calls);
  assert_true(contract.wrongs == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(every_wrong_argument_is_refused)};
  return RUN_TESTS(tests, NULL, NULL);
}
