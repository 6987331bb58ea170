/* SPDX-License-Identifier: MIT */
/* dppair.h: every function of an instance with each argument out of its domain. */
#include <float.h>

#include "tests.h"

#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#include "dppair_pointwise.h"
#include "dppair_accountant.h"
#include "dppair_influence.h"
#include "dppair_top.h"
#include "dppair_metric.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_WEIGHTS 0
#define DPPAIR_NAME flat /* a loss that has no curvature */
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"
#define poles_KIND dppair_analytic /* slopes whose poles are where a parameter says */
#define poles_POLES(p)                                                                             \
  { (p)[0], (p)[1], 1 }
#define poles_VALUE(u, p) dppair_logistic_VALUE(u, p)
#define poles_SLOPE(u, p) dppair_logistic_SLOPE(u, p)
#define DPPAIR_WEIGHTS 0
#define DPPAIR_NAME own
#define DPPAIR_REAL double
#define DPPAIR_LOSS poles
#include "dppair.h"
/* Row losses whose slopes a parameter multiplies. */
#define softmax_KIND dppair_rowwise
#define softmax_EXPONENT(s, own, like, p) DPV_MUL(s, DPV_SET((p)[0]))
#define softmax_SLOPE(s, own, like, p) DPV_SET((p)[0])
#define triples_KIND dppair_rowwise
#define triples_ROWS dppair_whole_rows
#define triples_VALUE(u, p) DPV_MUL(DPV_SET((p)[0]), DPV_SOFTPLUS(DPV_NEG(u)))
#define triples_SLOPE(u, p) DPV_MUL(DPV_SET((p)[0]), DPV_NEG(DPV_SIGMOID(DPV_NEG(u))))
#define DPPAIR_NAME con
#define DPPAIR_REAL double
#define DPPAIR_LOSS softmax
#include "dppair_contrast.h"
#define DPPAIR_NAME tri
#define DPPAIR_REAL double
#define DPPAIR_LOSS triples
#include "dppair_contrast.h"

#include "clips.h"
#include "contract.h"

enum { N = 8, D = 2, ROOM = 30000 };
static const uint8_t KEY[32] = {1, 2, 3}, RUN[16] = {9, 8, 7};

/* Everything that a call changes or that a mark may: put back before each. */
static struct everything {
  dppair_accountant account, draw_account;
  dppair_release release, drawing;
  dppair_rows_f64 rows, others, plain;
  dppair_options options, sums_pass, clipped, persons_pass;
  dppair_clip clip;
  dppair_tasks parts;
  dppair_groups users;
  dppair_fast fast, sums, knots, knot_sums;
  dppair_curvature curve;
  dppair_sketch moments, moments_too, finished, chunk;
  dppair_sum sum, form_sum;
  dppair_ring ring;
  dppair_top top, ranks;
  dppair_bounds bounds;
  dppair_sampling sampling;
  dppair_influence of;
  dppair_contrast how, one;
  dppair_histogram histogram;
  double x[N * D], others_x[N * D], w[D * D], s[N], t[N], y[N], weight[N], node[2], count[4], c[N];
  uint64_t words[128], sum_words[128], form_words[128];
  double one_times[1];
  size_t positive[4], negative[4], i[3], j[3], partner[N];
} A, kept;

static double out[N * D + 8], more[N * D + 8];
static uint64_t work[ROOM], fast_room[ROOM], sums_room[ROOM], knots_room[ROOM], curve_room[ROOM],
    knot_sums_room[10 * ROOM], moments_room[4][4 * ROOM];
static uint16_t cache[4096];
static size_t bytes, kernels, places[4 * N];
static dppair_explained explained;
static dppair_fast made_fast;
static dppair_clip made_clip;
static dppair_curvature made_curve;
static dppair_sketch made_moments;
static dppair_sum made_sum;
static dppair_stability stability;

static void reset(void) { A = kept; }

/* A clip: good, or one that no function made, or that was changed since; of `values` 4 also one
 * without functions, and one of another instance. NO_CLIP: any is an error. */
static const dppair_clip *contract_clip(const dppair_clip *good, size_t values) {
  const size_t turn = contract_turn_(values);
  if (turn == 0) return good;
  contract_says_((int)DPPAIR_ERR_WORKSPACE, "is a wrong clip:", (double)turn);
  return turn == 1   ? clip_unmade()
         : turn == 2 ? clip_changed()
         : turn == 3 ? clip_of(dppair_clip_init, 0.5)
                     : clip_of(flat_clip_init, 0.5);
}
#define A_CLIP(good) contract_clip(good, 2)
#define OWN_CLIP(good) contract_clip(good, 4)
#define NO_CLIP (CHOICE(int, 0, 1) ? &A.clip : NULL)

#define MUST(call) assert_int_equal(call, DPPAIR_OK)

static void open_of(dppair_release *release, dppair_accountant *account, dppair_sampling sampling) {
  const dppair_release_keys keys = {KEY, RUN};
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = sampling;
  plan.noise_multiplier = 1.5;
  plan.steps = 5;
  dppair_accountant_init(account);
  MUST(dppair_release_open(release, account, &plan, &keys));
}

static void prepare(void) {
  const dppair_accuracy accuracy = DPPAIR_ACCURACY_1E6;
  size_t i;
  dppair_batch drawn;
  memset(&A, 0, sizeof A);
  for (i = 0; i < N * D; i++) {
    A.x[i] = (double)((i * 7) % 11) / 20 - 0.25;
    A.others_x[i] = (double)((i * 3) % 7) / 14 - 0.25;
  }
  for (i = 0; i < N; i++) {
    A.s[i] = (double)((i * 5) % 8) / 4 - 1;
    A.t[i] = A.c[i] = 0.125 * (double)i;
    A.y[i] = i < 4;
    A.weight[i] = 1;
    A.partner[i] = (i + 1) % N;
  }
  A.w[0] = 0.5, A.w[1] = A.w[2] = 0.125, A.w[3] = 0.25;
  A.positive[1] = A.negative[1] = 1, A.positive[2] = A.negative[2] = 3;
  A.positive[3] = A.negative[3] = 4;
  for (i = 0; i < 3; i++) A.i[i] = i, A.j[i] = (i + 2) % 4;
  A.node[0] = -1, A.node[1] = 1;
  for (i = 0; i < 4; i++) A.count[i] = 2;
  A.rows = dppair_rows_make_f64(A.x, N, D, D);
  A.rows.positives = 4, A.rows.y = A.y, A.rows.radius = 1;
  A.plain = A.rows, A.plain.positives = 0;
  A.others = A.plain, A.others.x = A.others_x;
  A.parts.count = 1;
  A.one_times[0] = 1, A.options.params = A.one_times;
  A.options.work = work, A.options.bytes = sizeof work, A.options.tasks = &A.parts;
  A.sums_pass = A.clipped = A.persons_pass = A.options;
  A.sums_pass.fast = &A.sums;
  MUST(wide_clip_init(&A.clip, 0.5));
  A.clipped.clip = &A.clip;
  A.users.count = 3, A.users.positive = A.positive, A.users.negative = A.negative;
  A.users.relation = DPPAIR_ACROSS, A.users.most = N;
  A.persons_pass.groups = &A.users;
  MUST(wide_fast_init(&A.fast, N, accuracy, 2, NULL, fast_room, sizeof fast_room));
  MUST(flat_fast_init(&A.knots, N, accuracy, 2, NULL, knots_room, sizeof knots_room));
  MUST(wide_sums_init(&A.sums, N, accuracy, 2, NULL, sums_room, sizeof sums_room));
  MUST(flat_sums_init(&A.knot_sums, N, accuracy, 2, NULL, knot_sums_room, sizeof knot_sums_room));
  MUST(wide_curvature_init(&A.curve, N, 2, accuracy, 2, NULL, curve_room, sizeof curve_room));
  MUST(wide_sketch_open(&A.moments, &A.sums, moments_room[0], sizeof moments_room[0]));
  MUST(wide_sketch_open(&A.moments_too, &A.sums, moments_room[1], sizeof moments_room[1]));
  MUST(wide_sketch_open(&A.finished, &A.sums, moments_room[2], sizeof moments_room[2]));
  MUST(wide_sketch_open(&A.chunk, &A.sums, moments_room[3], sizeof moments_room[3]));
  MUST(wide_sketch(&A.finished, A.s, N, 4, NULL, &A.sums));
  MUST(wide_sketch_finish(&A.finished, NULL, &A.sums));
  MUST(wide_chunk_sketch(&A.chunk, &A.rows, A.w, &A.sums_pass));
  MUST(wide_sketch_finish(&A.chunk, NULL, &A.sums));
  MUST(wide_sum_open(&A.sum, D, 1, &A.sums_pass, A.sum_words, sizeof A.sum_words));
  A.ring.form = DPPAIR_FORM_METRIC, A.ring.n = A.ring.block = N, A.ring.d = A.ring.k = D;
  A.ring.w = A.w, A.ring.radius = 1;
  MUST(wide_form_sum_open(&A.form_sum, &A.ring, &A.options, A.form_words, sizeof A.form_words));
  A.top.kind = DPPAIR_TOP_PARTIAL, A.top.negatives = 3;
  A.ranks.kind = DPPAIR_TOP_NDCG, A.ranks.depth = 3;
  A.bounds.radius = 1, A.bounds.param_radius = 2;
  A.sampling = dppair_sampling_all(N, DPPAIR_REPLACE_ONE);
  A.of.ridge = 0.1;
  A.how.temperature = 0.5, A.one = A.how, A.one.positives = DPPAIR_POSITIVE_LABEL;
  A.histogram.node = A.node, A.histogram.nodes = 2, A.histogram.count = A.count;
  A.histogram.records = N;
  open_of(&A.release, &A.account, A.sampling);
  open_of(&A.drawing, &A.draw_account, dppair_sampling_groups(4 * N, N, 4, DPPAIR_REPLACE_ONE));
  MUST(dppair_release_draw(&drawn, places, 4 * N, &A.drawing));
  dppair_rows_by_hand_f64(&A.plain, &drawn);
  dppair_rows_by_hand_f64(&A.others, &drawn);
  kept = A;
}

#define POSITIVE_OR_DOMAIN(v) REAL_AS(DPPAIR_ERR_DOMAIN, v, 0.0, -1.0)
#define NOT_NEGATIVE_OR_DOMAIN(v) REAL_AS(DPPAIR_ERR_DOMAIN, v, -1.0)
/* Scores of both sides. */
#define SCORES DATA(A.s, 2), MANY(4), DATA(A.s + 4, 1), MANY(4)
#define PER_SIDE OUT(out, 4 * sizeof *out), OUT(more, 4 * sizeof *more)
/* A block of rows; more positives than records; what reads no such field. */
#define BLOCK_OF(r, dimension)                                                                     \
  ((A.r.x = DATA(A.x, 3)), (A.r.n = MANY(N)), (A.r.d = UNTOUCHED(dimension)),                      \
   (A.r.ld = COUNT(MANY(D), 1, 0)), (A.r.nulls = COUNT(0, N + 1, SIZE_MAX)), UNTOUCHED(IN(&A.r)))
#define BLOCK(r) BLOCK_OF(r, MANY(D))
#define ROWS_OF(dimension) ((A.rows.positives = COUNT(4, 9)), BLOCK_OF(rows, dimension))
#define ROWS ROWS_OF(MANY(D))
/* A pass with too little workspace, no parts, and, marked besides, a clip and groups. */
#define PASS(p, ...)                                                                               \
  ((A.p.bytes = BYTES(need)), (A.p.work = IN(work)), (A.parts.count = COUNT(1, 0)), __VA_ARGS__,   \
   IN(&A.p))
#define ACCURACY CHOICE(dppair_accuracy, DPPAIR_ACCURACY_1E6, -1, 77)

static void task(void *context, size_t part) { ((size_t *)context)[part]++; }

static void loops(void) {
  size_t need;
  TRY(wide_risk_not_private, OUT(out, sizeof *out), DATA(A.s, 2), 4, DATA(A.s + 4, 1), 4, NULL);
  TRY(wide_coeffs, PER_SIDE, SCORES, NULL);
  TRY(wide_coeffs_part, IN(out), OUT(more, 4 * sizeof *more), SCORES, NULL, 1, COUNT(2, 0, 1));
  TRY(wide_pairs, PER_SIDE, SCORES, (A.i[1] = COUNT(1, 4, SIZE_MAX), IN(A.i)),
      (A.j[1] = COUNT(1, 4, SIZE_MAX), IN(A.j)), (A.weight[1] = FINITE(1.0), A.weight), 3, NULL);
  TRY(wide_allowance, OUT(out, sizeof *out), OUT(more, sizeof *more),
      (A.fast.kernel_error = NUMBER(A.fast.kernel_error, (double)NAN, -1.0), &A.fast),
      COUNT(N, SIZE_MAX), NOT_NEGATIVE_OR_DOMAIN(NUMBER(1.0, 1e308)),
      REAL_AS(DPPAIR_ERR_DOMAIN, 1.0, 0.0, -1.0));
  TRY(wide_allowance, OUT(out, sizeof *out), OUT(more, sizeof *more), NULL, N, 1.0, 0.0);
  TRY(wide_fast_workspace, OUT(&bytes, sizeof bytes), N, ACCURACY, POSITIVE_OR_DOMAIN(2.0), NULL);
  MUST(wide_fast_workspace(&need, N, DPPAIR_ACCURACY_1E6, 2.0, NULL));
  TRY(wide_fast_init, IN(&made_fast), N, ACCURACY, POSITIVE_OR_DOMAIN(2.0), NULL, IN(work),
      BYTES(need));
  TRY(flat_fast_workspace, OUT(&bytes, sizeof bytes), MANY(N), DPPAIR_ACCURACY_1E6,
      POSITIVE_OR_DOMAIN(2.0), NULL);
  MUST(flat_fast_workspace(&need, N, DPPAIR_ACCURACY_1E6, 2.0, NULL));
  TRY(flat_fast_init, IN(&made_fast), MANY(N), DPPAIR_ACCURACY_1E6, POSITIVE_OR_DOMAIN(2.0), NULL,
      IN(work), BYTES(need));
  TRY(wide_coeffs_fast, PER_SIDE, SCORES, NULL,
      (A.fast.kind = CHOICE(int, A.fast.kind, 0, 77), OPENED(&A.fast)));
  TRY(flat_coeffs_fast, PER_SIDE, SCORES, NULL, (A.knots.capacity = COUNT(N, 7), OPENED(&A.knots)));
  TRY(wide_coeffs_from_histogram, OUT(out, N * sizeof *out), IN(A.s), MANY(N), COUNT(4, 9),
      DATA(A.node, 1), DATA(A.count, 3), MANY(2), NULL);
  MUST(wide_workspace(&need, N, D, &A.persons_pass));
  TRY(wide_weighted_coeffs, PER_SIDE, SCORES, A.weight,
      (A.persons_pass.clip = NO_CLIP,
       A.users.relation = CHOICE(dppair_grouping, DPPAIR_ACROSS, -1, 0, 3),
       A.users.most = COUNT(N, 7, 3), A.users.count = COUNT(3, 2, SIZE_MAX),
       A.positive[1] = COUNT(1, 4, SIZE_MAX), A.negative[0] = COUNT(0, 1),
       A.users.positive = IN(A.positive), A.users.negative = IN(A.negative),
       A.persons_pass.work = IN(work), A.persons_pass.bytes = COUNT(need, 0, 10),
       IN(&A.persons_pass)));
  memset(places, 0, sizeof places);
  dppair_run_serial(task, places, 3, NULL);
  SAYS(dppair_run_serial, places[0] == 1 && places[2] == 1 && places[3] == 0);
}

static void curvatures(void) {
  size_t need;
#define ORDER CHOICE(int, 2, 0, 3, -1)
  TRY(wide_curvature_workspace, OUT(&bytes, sizeof bytes), N, ORDER, ACCURACY,
      POSITIVE_OR_DOMAIN(2.0), NULL);
  MUST(wide_curvature_workspace(&need, N, 2, DPPAIR_ACCURACY_1E6, 2.0, NULL));
  TRY(wide_curvature_init, IN(&made_curve), N, ORDER, ACCURACY, POSITIVE_OR_DOMAIN(2.0), NULL,
      IN(work), BYTES(need));
  TRY(wide_curvature, PER_SIDE, DATA(A.s, 2), DATA(A.t, 1), MANY(4), DATA(A.s + 4, 1),
      DATA(A.t + 4, 3), MANY(4), ORDER, NULL,
      (A.curve.order = CHOICE(int, 2, 0, 1), A.curve.fast.kind = CHOICE(int, A.curve.fast.kind, 0),
       &A.curve));
  TRY(wide_curvature, PER_SIDE, DATA(A.s, 2), DATA(A.t, 1), MANY(4), DATA(A.s + 4, 1),
      DATA(A.t + 4, 3), MANY(4), ORDER, NULL, NULL);
  TRY(wide_hessian_workspace, OUT(&bytes, sizeof bytes), MANY(N));
  MUST(wide_hessian_workspace(&need, N));
  TRY(wide_hessian, OUT(out, D * sizeof *out), ROWS, DATA(A.w, 1), DATA(A.t, 1), NULL, &A.curve,
      IN(work), BYTES(need));
  /* where there is none, there are the same functions with one answer */
  SAYS(flat_curvature, flat_curvature(out, more, A.s, A.t, 4, A.s + 4, A.t + 4, 4, 2, NULL, NULL) ==
                           DPPAIR_ERR_NO_PROOF);
  SAYS(flat_curvature_workspace, flat_curvature_workspace(&bytes, N, 2, DPPAIR_ACCURACY_1E6, 2.0,
                                                          NULL) == DPPAIR_ERR_NO_PROOF);
  SAYS(flat_curvature_workspace,
       flat_curvature_workspace(NULL, N, 2, DPPAIR_ACCURACY_1E6, 2.0, NULL) == DPPAIR_ERR_NULL);
  SAYS(flat_curvature_init, flat_curvature_init(&made_curve, N, 2, DPPAIR_ACCURACY_1E6, 2.0, NULL,
                                                work, sizeof work) == DPPAIR_ERR_NO_PROOF);
  SAYS(flat_curvature_init, flat_curvature_init(NULL, N, 2, DPPAIR_ACCURACY_1E6, 2.0, NULL, work,
                                                sizeof work) == DPPAIR_ERR_NULL);
}

static void chunks(void) {
  size_t need;
#define STATE(f) (A.f.order_free = CHOICE(int, 1, 0), OPENED(&A.f))
#define OPEN_MOMENTS(m)                                                                            \
  (STAYS(A.m.words, 8 * sizeof(uint64_t)), STAYS(&A.m, sizeof A.m), OPENED(&A.m))
#define SUM_PASS                                                                                   \
  (A.sums.order_free = CHOICE(int, 1, 0), A.sums_pass.clip = NO_CLIP,                              \
   A.sums_pass.bytes = BYTES(need), A.sums_pass.work = IN(work), A.sums_pass.fast = IN(&A.sums),   \
   IN(&A.sums_pass))
  TRY(wide_sums_workspace, OUT(&bytes, sizeof bytes), N, ACCURACY, POSITIVE_OR_DOMAIN(2.0), NULL);
  MUST(wide_sums_workspace(&need, N, DPPAIR_ACCURACY_1E6, 2.0, NULL));
  TRY(wide_sums_init, IN(&made_fast), N, ACCURACY, POSITIVE_OR_DOMAIN(2.0), NULL, IN(work),
      BYTES(need));
  TRY(flat_sums_workspace, OUT(&bytes, sizeof bytes), COUNT(N, SIZE_MAX), ACCURACY,
      POSITIVE_OR_DOMAIN(2.0), NULL);
  TRY(wide_sketch_workspace, OUT(&bytes, sizeof bytes), STATE(sums));
  MUST(wide_sketch_workspace(&need, &A.sums));
  TRY(wide_sketch_open, IN(&made_moments), STATE(sums), IN(work), BYTES(need));
  TRY(wide_sketch, OPEN_MOMENTS(moments), IN(A.s), COUNT(N, 3, SIZE_MAX), COUNT(4, 9), A.weight,
      STATE(sums));
  TRY(wide_sketch, OPENED(&A.moments), (A.s[2] = FINITE(0.5), A.s), N, 4, NULL, &A.sums);
  TRY(wide_sketch_finish, OPEN_MOMENTS(moments), NULL, STATE(sums));
  TRY(wide_coeffs_from_sketch, OUT(out, N * sizeof *out), DATA(A.s, 5), MANY(N), COUNT(4, 9), NULL,
      (A.finished.finished = CHOICE(int, 1, 0), OPENED(&A.finished)), STATE(sums));
  TRY(dppair_sketch_add, OPEN_MOMENTS(moments),
      (A.moments_too.finished = CHOICE(int, 0, 1), A.moments_too.state = COUNT(A.moments.state, 1),
       OPENED(&A.moments_too)));
  need = sizeof work;
  TRY(wide_chunk_workspace, OUT(&bytes, sizeof bytes), D,
      (A.sums.order_free = CHOICE(int, 1, 0), A.sums_pass.clip = NO_CLIP,
       A.sums_pass.fast = IN(&A.sums), IN(&A.sums_pass)));
  MUST(wide_chunk_workspace(&need, D, &A.sums_pass));
#define CHUNK                                                                                      \
  ((A.rows.positives = COUNT(4, 9)), (A.rows.radius = NUMBER(1.0, 0.0, 2e150, (double)INFINITY)),  \
   (A.rows.x = IN(A.x)), (A.rows.n = COUNT(N, SIZE_MAX)), (A.rows.d = COUNT(D, SIZE_MAX)),         \
   (A.rows.ld = COUNT(MANY(D), 1, 0)), (A.rows.nulls = COUNT(0, 5, SIZE_MAX)), IN(&A.rows))
  TRY(wide_chunk_sketch, OPEN_MOMENTS(moments), CHUNK, DATA(A.w, 1), SUM_PASS);
  TRY(wide_sum_open, OUT(&made_sum, sizeof made_sum), MANY(D),
      NUMBER(1.0, 0.0, -1.0, (double)NAN, (double)INFINITY),
      (A.sums.order_free = CHOICE(int, 1, 0), A.sums_pass.clip = NO_CLIP,
       A.sums_pass.fast = IN(&A.sums), IN(&A.sums_pass)),
      IN(A.words), COUNT(sizeof A.words, 0, 64));
  TRY(wide_chunk_sum,
      (STAYS(A.sum_words, sizeof A.sum_words), STAYS(&A.sum, sizeof A.sum), OPENED(&A.sum)), CHUNK,
      DATA(A.w, 1), (A.chunk.finished = CHOICE(int, 1, 0), OPENED(&A.chunk)), SUM_PASS);
}

#define BOUNDS                                                                                     \
  (A.bounds.radius = BAD(1.0), A.bounds.param_radius = NUMBER(2.0, -1.0, (double)NAN),             \
   OPENED(&A.bounds))
#define BAD(v) NUMBER(v, -1.0, (double)NAN, (double)INFINITY)
#define SAMPLING                                                                                   \
  (A.sampling.n = COUNT(N, 0, 1, SIZE_MAX),                                                        \
   A.sampling.adjacency = CHOICE(dppair_adjacency, DPPAIR_REPLACE_ONE, -1, 77),                    \
   OPENED(&A.sampling))

#define UNUSED_PARTS(p, ...)                                                                       \
  ((A.p.bytes = COUNT(need, 0, 64)), (A.p.work = IN(work)), __VA_ARGS__, IN(&A.p))
#define CLIP(p, v) (A.p.clip = v)

static void gradients(void) {
  size_t need;
  TRY(wide_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(D),
      (A.parts.count = COUNT(1, 0, SIZE_MAX), A.options.clip = OWN_CLIP(NULL), IN(&A.options)));
  MUST(wide_workspace(&need, N, D, &A.options));
  TRY(wide_gradient, OUT(out, D * sizeof *out), ROWS, DATA(A.w, 1),
      PASS(options, A.options.clip = OWN_CLIP(NULL)));
  TRY(wide_gradient, OUT(out, D * sizeof *out), (A.rows.radius = NUMBER(1.0, 1e151), &A.rows), A.w,
      &A.options);
  MUST(wide_workspace(&need, N, D, &A.clipped));
  TRY(wide_gradient, OUT(out, D * sizeof *out), ROWS, DATA(A.w, 1),
      PASS(clipped, A.rows.weight = NULL));
  TRY(wide_sensitivity, OUT(out, sizeof *out), D, BOUNDS, SAMPLING,
      (CLIP(options, A_CLIP(NULL)), IN(&A.options)));
  TRY(dppair_clip_init, OUT(&made_clip, sizeof made_clip),
      REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, -1.0));
  TRY(wide_clip_init, OUT(&made_clip, sizeof made_clip),
      REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, -1.0));
  TRY(wide_clip_workspace, OUT(&bytes, sizeof bytes), PAINTED(&kernels, sizeof kernels), MANY(N),
      MANY(D));
  MUST(wide_clip_workspace(&need, &kernels, N, D));
  assert_true(kernels <= sizeof cache / sizeof *cache);
  TRY(wide_clip_cache, OUT(cache, kernels * sizeof *cache), UNTOUCHED(COUNT(kernels, 0, 1)),
      ROWS_OF(COUNT(D, SIZE_MAX)), UNUSED_PARTS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
  MUST(wide_clip_cache(cache, kernels, &A.rows, &A.clipped));
  TRY(wide_clip_coeffs, PER_SIDE, DATA(A.s, 2), DATA(A.s + 4, 1),
      (A.rows.positives = UNTOUCHED(COUNT(4, 9)), A.rows.n = UNTOUCHED(COUNT(N, 3)),
       A.rows.ld = COUNT(MANY(D), 1), A.rows.x = IN(A.x), UNTOUCHED(IN(&A.rows))),
      cache, COUNT(kernels, 1), UNUSED_PARTS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
  MUST(wide_pairs_workspace(&need, D));
  TRY(wide_pairs_workspace, OUT(&bytes, sizeof bytes), MANY(D));
#define LISTED                                                                                     \
  (A.i[1] = COUNT(1, N, SIZE_MAX), IN(A.i)), (A.j[1] = COUNT(1, N, SIZE_MAX), IN(A.j)),            \
      (A.weight[1] = FINITE(1.0), A.weight), 3
  TRY(wide_pairs_gradient, OUT(out, D * sizeof *out), BLOCK(rows), UNTOUCHED(IN(&A.others)),
      DATA(A.w, 1), LISTED, UNUSED_PARTS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
}

static void forms(void) {
  size_t need;
#define FORM CHOICE(dppair_form, DPPAIR_FORM_METRIC, -1, 77)
  TRY(wide_form_workspace, OUT(&bytes, sizeof bytes), MANY(COUNT(N, 0, 1)), MANY(COUNT(D, 0)),
      MANY(COUNT(D, 0)), (A.parts.count = COUNT(1, 0, 257), A.options.clip = A_CLIP(NULL), &A.options));
  MUST(wide_form_workspace(&need, N, D, D, &A.options));
#define LABELLED (A.rows.y = IN(A.y), BLOCK_OF(rows, COUNT(D, 0, SIZE_MAX)))
  TRY(wide_form_gradient, OUT(out, D * D * sizeof *out), FORM, LABELLED, DATA(A.w, 2),
      UNTOUCHED(COUNT(D, 0, 1, 3, SIZE_MAX)), FINITE(0.5),
      (A.parts.count = COUNT(1, 0, 257), UNUSED_PARTS(options, A.options.clip = A_CLIP(NULL))));
  TRY(wide_form_risk_not_private, OUT(out, sizeof *out), FORM, LABELLED, DATA(A.w, 2),
      COUNT(D, 0, 1, 3, SIZE_MAX), FINITE(0.5), UNUSED_PARTS(options, A.rows.weight = NULL));
  need = sizeof work;
  TRY(wide_form_pairs, OUT(out, D * D * sizeof *out), LABELLED, DATA(A.w, 2), FINITE(0.5), LISTED,
      UNUSED_PARTS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
  TRY(wide_form_error, OUT(out, sizeof *out), COUNT(N, 0, 1, SIZE_MAX), COUNT(D, 0),
      NOT_NEGATIVE_OR_DOMAIN(NUMBER(1.0, 1e155)), NOT_NEGATIVE_OR_DOMAIN(1.0),
      NOT_NEGATIVE_OR_DOMAIN(1.0));
  TRY(wide_form_sensitivity, OUT(out, sizeof *out), FORM, COUNT(D, 0, 1), COUNT(D, 0), BOUNDS,
      SAMPLING, (CLIP(options, A_CLIP(NULL)), IN(&A.options)));
#define RING                                                                                       \
  (A.ring.form = FORM, A.ring.n = COUNT(N, 0, 1), A.ring.block = COUNT(N, 0),                      \
   A.ring.d = UNTOUCHED(COUNT(D, 0, SIZE_MAX)), A.ring.k = UNTOUCHED(COUNT(D, 0, 1)),              \
   A.ring.radius = BAD(1.0), SIZING(&A.ring))
#define RING_PASS                                                                                  \
  (A.options.groups = NUMBER(0.0, 1.0) > 0 ? &A.users : NULL, CLIP(options, A_CLIP(NULL)), IN(&A.options))
  TRY(wide_form_block_workspace, OUT(&bytes, sizeof bytes), RING, RING_PASS);
  MUST(wide_form_block_workspace(&need, &A.ring, &A.options));
  TRY(wide_form_sum_open, OUT(&made_sum, sizeof made_sum),
      (A.w[2] = FINITE(0.125), A.ring.offset = FINITE(0.0), A.ring.w = IN(A.w), RING), RING_PASS,
      IN(A.words), COUNT(sizeof A.words, 0, 64));
  TRY(wide_form_block,
      (STAYS(A.form_words, sizeof A.form_words), STAYS(&A.form_sum, sizeof A.form_sum),
       OPENED(&A.form_sum)),
      (A.ring.offset = NUMBER(0.0, 1.0, (double)NAN), A.ring.w = IN(A.w), RING),
      COUNT(0, 1, SIZE_MAX),
      (A.rows.y = IN(A.y), A.rows.n = COUNT(N, 7, SIZE_MAX), A.rows.d = COUNT(D, 1, SIZE_MAX),
       A.rows.ld = COUNT(D, 1), IN(&A.rows)),
      COUNT(0, 1), NULL, UNUSED_PARTS(options, CLIP(options, A_CLIP(NULL))));
  TRY(wide_form_sum_sensitivity, OUT(out, sizeof *out), RING, SAMPLING, RING_PASS);
}

static void tops(void) {
  size_t need;
#define TOP                                                                                        \
  (A.top.kind = CHOICE(dppair_top_kind, DPPAIR_TOP_PARTIAL, -1, 77),                               \
   A.top.power = (unsigned)COUNT(0, 1), A.top.depth = COUNT(0, 1),                                 \
   A.top.cap = REAL_AS(DPPAIR_ERR_DOMAIN, 0.0, -1.0), IN(&A.top))
#define RANKS                                                                                      \
  (A.ranks.power = (unsigned)COUNT(0, 1), A.ranks.negatives = COUNT(0, 1),                         \
   A.ranks.positives = COUNT(0, 1), A.ranks.cap = REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, -1.0),           \
   IN(&A.ranks))
  TRY(wide_top_coeffs_workspace, OUT(&bytes, sizeof bytes), MANY(N), TOP, IN(&A.options));
  MUST(wide_top_coeffs_workspace(&need, N, &A.top, &A.options));
  TRY(wide_top_coeffs, PER_SIDE, SCORES, TOP,
      (A.options.clip = NO_CLIP, A.options.bytes = BYTES(need), A.options.work = IN(work), IN(&A.options)));
  MUST(wide_top_coeffs_workspace(&need, N, &A.ranks, &A.options));
  TRY(wide_top_ranks, OUT(out, N * sizeof *out), DATA(A.s, 3), IN(A.y), MANY(N), RANKS,
      (A.options.bytes = BYTES(need), A.options.work = IN(work), IN(&A.options)));
  TRY(wide_top_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(D), TOP,
      (A.parts.count = COUNT(1, 0), IN(&A.options)));
  MUST(wide_top_workspace(&need, N, D, &A.top, &A.options));
  TRY(wide_top_gradient, OUT(out, D * sizeof *out), ROWS, DATA(A.w, 1), TOP,
      PASS(options, A.options.clip = NO_CLIP));
  TRY(wide_top_sensitivity, OUT(out, sizeof *out), D, BOUNDS, SAMPLING, TOP, IN(&A.options));
}

static void influences(void) {
  size_t need;
#define OF                                                                                         \
  (A.of.risk = CHOICE(dppair_influence_risk, DPPAIR_INFLUENCE_IND, -1, 77),                        \
   A.of.ridge = REAL_AS(DPPAIR_ERR_DOMAIN, 0.1, 0.0, -1.0), IN(&A.of))
#define LEFT                                                                                       \
  ((A.rows.weight = NUMBER(0.0, 1.0) > 0 ? A.weight : NULL), (A.rows.positives = COUNT(4, 9)),     \
   (A.rows.x = IN(A.x)), (A.rows.n = UNTOUCHED(COUNT(N, 0, 2, SIZE_MAX))),                         \
   (A.rows.d = UNTOUCHED(COUNT(D, 0, SIZE_MAX))), (A.rows.ld = COUNT(MANY(D), 1, 0)),              \
   UNTOUCHED(IN(&A.rows)))
  TRY(wide_influence_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(D), IN(&A.of));
  MUST(wide_influence_workspace(&need, N, D, &A.of));
  TRY(wide_minimiser_not_private, DATA_CHANGED(A.w, D * sizeof *A.w, 1), OUT(more, sizeof *more),
      LEFT, OF, NUMBER(1e-9, 0.0, -1.0, (double)NAN), COUNT(20, 0), IN(work), BYTES(need));
  TRY(wide_influence_not_private, OUT(out, N * D * sizeof *out), OUT(more, sizeof *more), LEFT,
      DATA(A.w, 1), OF, IN(work), BYTES(need));
  TRY(wide_influence_record_not_private, OUT(out, D * sizeof *out), OUT(more, sizeof *more),
      COUNT(2, N, SIZE_MAX), LEFT, DATA(A.w, 1), OF, IN(work), BYTES(need));
  TRY(wide_influence_along_not_private, OUT(out, N * sizeof *out), OUT(more, sizeof *more),
      DATA(A.t, 1), LEFT, DATA(A.w, 1), (A.of.own_hessian = CHOICE(int, 0, 1), OF), IN(work),
      BYTES(need));
  TRY(wide_influence_pair_not_private, OUT(out, D * sizeof *out), COUNT(1, 4, SIZE_MAX),
      COUNT(5, 3, N, SIZE_MAX), LEFT, DATA(A.w, 1), OF, IN(work), BYTES(need));
  TRY(wide_stability_not_private, OUT(&stability, sizeof stability), PAINTED(out, N * sizeof *out),
      DATA(A.others_x, 1), REAL_AS(DPPAIR_ERR_DOMAIN, 1.0, -1.0), LEFT, DATA(A.w, 1), OF, IN(work),
      BYTES(need));
}

static void row_losses(void) {
  size_t need;
#define OTHERS(mark)                                                                               \
  ((A.others.x = mark), (A.others.n = UNTOUCHED(COUNT(N, 7, SIZE_MAX))),                           \
   (A.others.d = UNTOUCHED(COUNT(D, 1, SIZE_MAX))), (A.others.ld = COUNT(MANY(D), 1)), &A.others)
#define HOW(h)                                                                                     \
  (A.h.compare = CHOICE(dppair_comparison, DPPAIR_COMPARE_DOT, -1, 77),                            \
   A.h.temperature = REAL_AS(DPPAIR_ERR_DOMAIN, 0.5, 0.0, -1.0),                                   \
   A.h.positives = CHOICE(dppair_positives, A.h.positives, -1, 77),                                \
   A.h.angle = BAD(NUMBER(0.0, 2.0)), IN(&A.h))
#define PLAIN_PASS PASS(options, A.options.clip = NO_CLIP)
  TRY(con_contrast_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(N), MANY(COUNT(D, 0)),
      (A.parts.count = COUNT(1, 0, 257), &A.options));
  MUST(con_contrast_workspace(&need, N, N, D, &A.options));
  TRY(con_contrast_gradient, OUT(out, N * D * sizeof *out), OUT(more, N * D * sizeof *more),
      BLOCK_OF(plain, COUNT(D, 1, SIZE_MAX)), OTHERS(DATA(A.others_x, 3)), HOW(how), PLAIN_PASS);
  TRY(con_contrast_risk_not_private, OUT(out, sizeof *out), BLOCK_OF(plain, COUNT(D, 1, SIZE_MAX)),
      OTHERS(DATA(A.others_x, 3)), HOW(how), PLAIN_PASS);
  TRY(con_contrast_groups, OUT(out, N * D * sizeof *out), OUT(more, N * D * sizeof *more),
      (A.plain.x = IN(A.x), A.plain.n = MANY(N), A.plain.ld = COUNT(MANY(D), 1),
       UNTOUCHED(IN(&A.plain))),
      OTHERS(IN(A.others_x)), COUNT(4, 0, 3), HOW(how), UNUSED_PARTS(options, A.options.clip = NO_CLIP));
  TRY(con_contrast_map_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(N), MANY(COUNT(D, 0)),
      MANY(COUNT(D, 0)), (A.parts.count = COUNT(1, 0, 257), &A.options));
  MUST(con_contrast_map_workspace(&need, N, N, D, D, &A.options));
  TRY(con_contrast_map_gradient, OUT(out, D * D * sizeof *out),
      BLOCK_OF(plain, COUNT(D, 1, SIZE_MAX)), OTHERS(DATA(A.others_x, 3)), DATA(A.w, 2),
      UNTOUCHED(COUNT(D, 0, SIZE_MAX)), HOW(how), PLAIN_PASS);
  TRY(con_softmax_workspace, OUT(&bytes, sizeof bytes), MANY(N), COUNT(D, 0), COUNT(D, 0),
      (A.parts.count = COUNT(1, 0), IN(&A.clipped)));
  MUST(con_softmax_workspace(&need, N, D, D, &A.clipped));
  TRY(con_softmax_gradient, OUT(out, D * D * sizeof *out),
      (A.plain.x = DATA(A.x, 3), A.plain.n = COUNT(N, 7, SIZE_MAX), A.plain.ld = COUNT(MANY(D), 1),
       UNTOUCHED(IN(&A.plain))),
      OTHERS(DATA(A.others_x, 3)), DATA(A.w, 2), UNTOUCHED(COUNT(D, 0, SIZE_MAX)),
      REAL(0.5, 0.0, -1.0), PASS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
  TRY(tri_contrast_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(N), MANY(COUNT(D, 0)),
      (A.parts.count = COUNT(1, 0, 257), &A.options));
  MUST(tri_contrast_workspace(&need, N, N, D, &A.options));
  TRY(tri_contrast_gradient, OUT(out, N * D * sizeof *out), OUT(more, N * D * sizeof *more),
      BLOCK_OF(plain, COUNT(D, 1, SIZE_MAX)), OTHERS(DATA(A.others_x, 3)), HOW(how), PLAIN_PASS);
  TRY(tri_contrast_gradient, OUT(out, N * D * sizeof *out), NULL,
      BLOCK_OF(plain, COUNT(D, 0, SIZE_MAX)), NULL, HOW(one),
      UNUSED_PARTS(options, A.options.clip = NO_CLIP));
  TRY(tri_contrast_risk_not_private, OUT(out, sizeof *out), BLOCK_OF(plain, COUNT(D, 1, SIZE_MAX)),
      OTHERS(DATA(A.others_x, 3)), HOW(how), PLAIN_PASS);
}

static void releases(void) {
  size_t need;
#define ONES ((A.rows.positives = COUNT(4, 9)), OF_PLAN(rows))
#define OF_PLAN(r)                                                                                 \
  ((A.r.x = IN(A.r.x)), (A.r.n = COUNT(N, 0, 7)), (A.r.d = UNTOUCHED(COUNT(D, 0, SIZE_MAX))),      \
   (A.r.ld = COUNT(D, 1, 0, SIZE_MAX)), (A.r.nulls = COUNT(0, N + 1)), UNTOUCHED(IN(&A.r)))
  MUST(wide_workspace(&need, N, D, &A.options));
  TRY(wide_release, OUT(out, D * sizeof *out), OPENED(&A.release),
      (A.rows.radius = BAD(NUMBER(1.0, 0.0)), ONES), DATA(A.w, 1),
      PASS(options, CLIP(options, A_CLIP(NULL))));
  TRY(wide_release_vector, CHANGED(out, D * sizeof *out), UNTOUCHED(COUNT(D, 0, SIZE_MAX)),
      OPENED(&A.release), (A.bounds.radius = BAD(1.0), OPENED(&A.bounds)),
      NOT_NEGATIVE_OR_DOMAIN(0.0), (CLIP(options, A_CLIP(NULL)), IN(&A.options)));
  TRY(wide_release_explain, OUT(&explained, sizeof explained), OPENED(&A.release),
      (A.rows.radius = BAD(NUMBER(1.0, 0.0)), IN(&A.rows)), (A.w[1] = FINITE(A.w[1]), A.w),
      (CLIP(options, A_CLIP(NULL)), IN(&A.options)));
  TRY(wide_release_scores_workspace, OUT(&bytes, sizeof bytes), MANY(N), MANY(D),
      (A.parts.count = COUNT(1, 0), CLIP(options, NO_CLIP), IN(&A.options)));
  MUST(wide_release_scores_workspace(&need, N, D, &A.options));
  TRY(wide_release_scores, OUT(out, D * sizeof *out), OPENED(&A.release), IN(A.s),
      (A.rows.radius = BAD(NUMBER(1.0, 0.0)), ONES), PASS(options, CLIP(options, NO_CLIP)));
  MUST(wide_form_workspace(&need, N, D, D, &A.options));
  TRY(wide_release_form, OUT(out, D * D * sizeof *out), OPENED(&A.release), FORM,
      (A.plain.radius = BAD(NUMBER(1.0, 0.0)), OF_PLAN(plain)), DATA(A.w, 2),
      UNTOUCHED(COUNT(D, 0, 1, SIZE_MAX)), FINITE(0.5), PASS(options, CLIP(options, A_CLIP(NULL))));
  reset();
  MUST(wide_form_block_workspace(&need, &A.ring, &A.options));
  MUST(wide_form_block(&A.form_sum, &A.ring, 0, &A.rows, 0, NULL, &A.options));
  kept.form_sum = A.form_sum;
  memcpy(kept.form_words, A.form_words, sizeof A.form_words);
  MUST(wide_chunk_sum(&A.sum, &A.rows, A.w, &A.chunk, &A.sums_pass));
  kept.sum = A.sum;
  memcpy(kept.sum_words, A.sum_words, sizeof A.sum_words);
  TRY(wide_release_form_sum, OUT(out, D * D * sizeof *out), OPENED(&A.release),
      (A.form_sum.count = COUNT(A.form_sum.count, 0), SIZING(&A.form_sum)), RING, RING_PASS);
  TRY(wide_release_sum, OUT(out, D * sizeof *out), OPENED(&A.release),
      (A.sum.count = COUNT(N, 0, 7), SIZING(&A.sum)), DATA(A.w, 1),
      (A.sums_pass.clip = NO_CLIP, A.sums_pass.fast = IN(&A.sums), IN(&A.sums_pass)));
  MUST(wide_top_workspace(&need, N, D, &A.top, &A.options));
  TRY(wide_release_top, OUT(out, D * sizeof *out), OPENED(&A.release),
      (A.rows.radius = BAD(NUMBER(1.0, 0.0)), ONES), DATA(A.w, 1), TOP,
      PASS(options, A.options.clip = NO_CLIP));
  MUST(wide_workspace(&need, N, D, &A.options));
  TRY(wide_release_pointwise, OUT(out, D * sizeof *out), OPENED(&A.release),
      (A.rows.radius = BAD(NUMBER(1.0, 0.0)), ONES), DATA(A.w, 1),
      (A.node[1] = NUMBER(1.0, -1.0, (double)NAN), A.count[2] = FINITE(2.0),
       A.histogram.nodes = COUNT(2, 0, 1, SIZE_MAX), A.histogram.count = IN(A.count),
       A.histogram.node = IN(A.node), A.histogram.records = NUMBER(N, 0.0, (double)NAN),
       IN(&A.histogram)),
      REAL_AS(DPPAIR_ERR_DOMAIN, 1.0, 0.0, -1.0), PASS(options, A.options.clip = NO_CLIP));
  TRY(con_release_contrast_workspace, OUT(&bytes, sizeof bytes), COUNT(4, SIZE_MAX), 1, COUNT(D, 0),
      COUNT(D, 0), IN(&A.how), (A.parts.count = COUNT(1, 0), IN(&A.clipped)));
  MUST(con_release_contrast_workspace(&need, 4, 1, D, D, &A.how, &A.clipped));
  TRY(con_release_contrast, OUT(out, D * D * sizeof *out), OPENED(&A.drawing), OF_PLAN(plain),
      &A.others, DATA(A.w, 2), UNTOUCHED(COUNT(D, 0, SIZE_MAX)), HOW(how),
      PASS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
  MUST(con_softmax_workspace(&need, N, D, D, &A.clipped));
  TRY(con_release_softmax, OUT(out, D * D * sizeof *out), OPENED(&A.release),
      (A.plain.radius = BAD(NUMBER(1.0, 0.0)), OF_PLAN(plain)), IN(&A.others), DATA(A.w, 2),
      UNTOUCHED(COUNT(D, 0, SIZE_MAX)), REAL(0.5, 0.0, -1.0),
      PASS(clipped, A.clipped.clip = A_CLIP(&A.clip)));
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

/* No scores, no rows: arrays of nothing may be NULL. */
static void nothing_is_allowed(void) {
  dppair_rows_f64 none = dppair_rows_make_f64(NULL, 0, D, D);
  none.radius = 1;
  IS(OK, NOTHING, wide_risk_not_private, out, NULL, 0, NULL, 0, NULL);
  IS(OK, NOTHING, wide_coeffs, NULL, NULL, NULL, 0, NULL, 0, NULL);
  IS(OK, NOTHING, wide_coeffs, NULL, more, NULL, 0, A.s, 4, NULL);
  IS(OK, NOTHING, wide_coeffs, out, NULL, A.s, 4, NULL, 0, NULL);
  IS(OK, NOTHING, wide_coeffs_part, NULL, NULL, NULL, 0, NULL, 0, NULL, 0, 1);
  IS(OK, NOTHING, wide_coeffs_fast, NULL, NULL, NULL, 0, NULL, 0, NULL, &A.fast);
  IS(OK, NOTHING, flat_coeffs_fast, NULL, NULL, NULL, 0, NULL, 0, NULL, &A.knots);
  IS(OK, NOTHING, wide_pairs, NULL, NULL, NULL, 0, NULL, 0, NULL, NULL, NULL, 0, NULL);
  IS(OK, NOTHING, wide_pairs, out, more, A.s, 4, A.s, 4, NULL, NULL, NULL, 0, NULL);
  IS(OK, NOTHING, wide_weighted_coeffs, NULL, NULL, NULL, 0, NULL, 0, NULL, &A.options);
  IS(OK, NOTHING, wide_curvature, NULL, NULL, NULL, NULL, 0, NULL, NULL, 0, 2, NULL, NULL);
  IS(OK, NOTHING, wide_coeffs_from_histogram, NULL, NULL, 0, 0, NULL, NULL, 0, NULL);
  IS(OK, NOTHING, wide_top_ranks, NULL, NULL, NULL, 0, &A.ranks, &A.options);
  IS(OK, NOTHING, wide_sketch, &A.moments, NULL, 0, 0, NULL, &A.sums);
  IS(OK, NOTHING, wide_coeffs_from_sketch, NULL, NULL, 0, 0, NULL, &A.finished, &A.sums);
  IS(OK, NOTHING, wide_chunk_sketch, &A.moments, &none, A.w, &A.sums_pass);
  IS(OK, NOTHING, wide_gradient, out, &none, A.w, &A.options);
  IS(OK, NOTHING, wide_clip_coeffs, NULL, NULL, NULL, NULL, &none, NULL, 0, &A.clipped);
  IS(OK, NOTHING, wide_hessian, out, &none, A.w, A.t, NULL, NULL, work, sizeof work);
  IS(OK, NOTHING, con_contrast_gradient, NULL, NULL, &none, &none, &A.how, &A.options);
  IS(OK, NOTHING, con_contrast_groups, NULL, NULL, &none, &none, 2, &A.how, &A.options);
  IS(OK, NOTHING, con_softmax_gradient, out, &none, &none, A.w, D, 0.5, &A.clipped);
  IS(OK, NOTHING, tri_contrast_gradient, NULL, NULL, &none, &none, &A.how, &A.options);
  IS(OK, A.how.positives = DPPAIR_POSITIVE_PARTNER, tri_contrast_gradient, NULL, NULL, &none, &none,
     &A.how, &A.options);
  IS(OK, NOTHING, wide_top_gradient, out, &none, A.w, &A.ranks, &A.options);
  IS(OK, NOTHING, wide_pairs_gradient, out, &A.rows, &A.rows, A.w, NULL, NULL, NULL, 0, &A.clipped);
  IS(OK, A.rows.radius = 2, wide_pairs_gradient, out, &A.rows, &A.others, A.w, A.i, A.j, NULL, 3,
     &A.clipped);
  IS(DPPAIR_ERR_SIZE, A.others.ld = 1, wide_pairs_gradient, out, &A.rows, &A.others, A.w, A.i, A.j,
     NULL, 3, &A.clipped);
  IS(DPPAIR_ERR_OVERFLOW, A.others.ld = SIZE_MAX, wide_pairs_gradient, out, &A.rows, &A.others, A.w,
     A.i, A.j, NULL, 3, &A.clipped);
  IS(DPPAIR_ERR_OVERFLOW, NOTHING, flat_fast_workspace, &bytes, UINT32_MAX, DPPAIR_ACCURACY_1E6,
     2.0, NULL);
  IS(OK, A.rows.x = NULL; A.rows.d = A.rows.ld = 0, wide_gradient, NULL, &A.rows, NULL, &A.options);
  none.d = none.ld = 0;
  IS(OK, NOTHING, wide_gradient, NULL, &none, NULL, &A.options);
  none.d = none.ld = SIZE_MAX / 64; /* too long a row for the proofs of rounding */
  IS(DPPAIR_ERR_SIZE, NOTHING, wide_clip_coeffs, NULL, NULL, NULL, NULL, &none, NULL, 0,
     &A.clipped);
  IS(DPPAIR_ERR_SIZE, NOTHING, con_softmax_workspace, &bytes, N, SIZE_MAX / 64, D, &A.clipped);
}

/* A runner whose rows go wrong after the checks. */
static void run_spoiled(dppair_task *one, void *context, size_t parts, void *self) {
  A.x[3] = (double)NAN;
  dppair_run_serial(one, context, parts, self);
}

/* What no proof covers: weights, groups and clips where they are not read. */
static void what_is_not_computed_is_refused(void) {
#define NO DPPAIR_ERR_NO_PROOF
  static const size_t all[] = {0, 4, N};
  static const dppair_groups forms_persons = {2, all, NULL, DPPAIR_ACROSS, N};
  IS(NO, A.rows.weight = A.weight, wide_hessian, out, &A.rows, A.w, A.t, NULL, NULL, work,
     sizeof work);
  IS(NO, A.rows.weight = A.weight, wide_top_gradient, out, &A.rows, A.w, &A.top, &A.options);
  IS(NO, A.rows.weight = A.weight, wide_pairs_gradient, out, &A.rows, &A.others, A.w, A.i, A.j,
     NULL, 3, &A.clipped);
  IS(NO, A.others.weight = A.weight, wide_pairs_gradient, out, &A.rows, &A.others, A.w, A.i, A.j,
     NULL, 3, &A.clipped);
  IS(NO, A.rows.weight = A.weight, wide_form_pairs, out, &A.rows, A.w, 0.5, A.i, A.j, NULL, 3,
     &A.clipped);
  IS(NO, A.persons_pass.clip = &A.clip; A.persons_pass.groups = &forms_persons, wide_form_gradient,
                                        out, DPPAIR_FORM_METRIC, &A.rows, A.w, D, 0.5,
                                        &A.persons_pass);
  IS(NO, A.clipped.groups = &A.users, wide_form_sensitivity, out, DPPAIR_FORM_METRIC, D, D,
     &A.bounds, &A.sampling, &A.clipped);
  IS(DPPAIR_ERR_DOMAIN, NOTHING, wide_form_gradient, out, DPPAIR_FORM_METRIC, &A.rows, A.w, D, 0.5,
     &A.persons_pass);
  IS(OK, A.sums_pass.groups = &A.users, wide_weighted_coeffs, out, more, A.s, 4, A.s + 4, 4, NULL,
     &A.sums_pass);
  IS(NO, NOTHING, wide_top_coeffs, out, more, A.s, 4, A.s + 4, 4, &A.top, &A.persons_pass);
  IS(NO, NOTHING, wide_top_sensitivity, out, D, &A.bounds, &A.sampling, &A.top, &A.persons_pass);
  IS(NO, A.options.clip = &A.clip, wide_top_sensitivity, out, D, &A.bounds, &A.sampling, &A.top,
     &A.options);
  IS(OK, NOTHING, wide_top_sensitivity, out, D, &A.bounds, &A.sampling, &A.top, &A.sums_pass);
  IS(NO, A.persons_pass.clip = &A.clip, wide_top_sensitivity, out, D, &A.bounds, &A.sampling,
     &A.ranks, &A.persons_pass);
  IS(NO, A.users.relation = DPPAIR_WITHIN; A.sampling.adjacency = DPPAIR_REPLACE_QUERY,
                                             wide_top_sensitivity, out, D, &A.bounds, &A.sampling,
                                             &A.ranks, &A.persons_pass);
  IS(DPPAIR_ERR_DOMAIN, A.options.groups = &forms_persons, wide_top_ranks, out, A.s, A.y, N, &A.ranks,
     &A.options);
  IS(DPPAIR_ERR_DOMAIN, NOTHING, wide_top_ranks, out, A.s, A.y, N, &A.ranks, &A.persons_pass);
#define ROW_LOSS(in)                                                                               \
  IS(NO, A.plain.weight = A.weight, in##_contrast_gradient, out, more, &A.plain, &A.others,        \
     &A.how, &A.options);                                                                             \
  IS(NO, A.others.weight = A.weight, in##_contrast_gradient, out, more, &A.plain, &A.others,       \
     &A.how, &A.options);                                                                             \
  IS(NO, A.options.groups = &A.users, in##_contrast_gradient, out, more, &A.plain, &A.others,       \
     &A.how, &A.options);                                                                             \
  IS(DPPAIR_ERR_SIZE, A.parts.count = 257, in##_contrast_gradient, out, more, &A.plain, &A.others, \
     &A.how, &A.options);                                                                             \
  IS(OK, A.parts.run = dppair_run_serial; A.plain.factor = A.others.factor = A.weight,             \
                                          in##_contrast_gradient, out, more, &A.plain, &A.others,  \
                                          &A.how, &A.options);                                        \
  IS(DPPAIR_ERR_OVERFLOW, A.x[3] = 1e160, in##_contrast_gradient, out, more, &A.plain, &A.others,  \
     &A.how, &A.options);                                                                             \
  IS(DPPAIR_ERR_OVERFLOW, A.x[3] = 1e160; A.plain.radius = A.others.radius = 0,                    \
                                          in##_contrast_gradient, out, more, &A.plain, &A.others,  \
                                          &A.how, &A.options);                                        \
  IS(DPPAIR_ERR_NOT_FINITE, A.one_times[0] = (double)NAN, in##_contrast_gradient, out, more,       \
     &A.plain, &A.others, &A.how, &A.options);                                                        \
  IS(DPPAIR_ERR_NOT_FINITE, A.one_times[0] = (double)NAN, in##_contrast_gradient, out, NULL,       \
     &A.plain, NULL, &A.one, &A.options);                                                             \
  IS(DPPAIR_ERR_NOT_FINITE, A.others.y = A.t; A.t[2] = (double)NAN, in##_contrast_gradient, out,   \
                                              more, &A.plain, &A.others, &A.one, &A.options);         \
  IS(OK, A.plain.factor = A.weight; A.weight[2] = 0; A.how.compare = DPPAIR_COMPARE_COSINE,        \
                                                     in##_contrast_gradient, out, more, &A.plain,  \
                                                     &A.others, &A.how, &A.options);                  \
  IS(OK, A.how.positives = DPPAIR_POSITIVE_PARTNER; A.how.partner = A.partner,                     \
                                                    in##_contrast_risk_not_private, out, &A.plain, \
                                                    &A.others, &A.how, &A.options);                   \
  IS(OK, NOTHING, in##_contrast_risk_not_private, out, &A.plain, NULL, &A.one, &A.options);           \
  IS(DPPAIR_ERR_NOT_FINITE, A.y[2] = (double)NAN, in##_contrast_gradient, out, NULL, &A.plain,     \
     NULL, &A.one, &A.options);                                                                       \
  IS(DPPAIR_ERR_NULL, A.plain.y = NULL, in##_contrast_gradient, out, NULL, &A.plain, NULL, &A.one, \
     &A.options);                                                                                     \
  IS(DPPAIR_ERR_NOT_FINITE, A.how.offset = A.c; A.c[3] = (double)INFINITY, in##_contrast_gradient, \
                                                out, more, &A.plain, &A.others, &A.how, &A.options);  \
  IS(DPPAIR_ERR_OVERFLOW, A.plain.n = SIZE_MAX / 64, in##_contrast_risk_not_private, out,          \
     &A.plain, &A.others, &A.one, &A.options)
  IS(DPPAIR_ERR_NOT_FINITE, (A.parts.run = run_spoiled, A.parts.count = 2), wide_gradient, out,
     &A.rows, A.w, &A.sums_pass);
  ROW_LOSS(con);
  ROW_LOSS(tri);
  IS(DPPAIR_ERR_OVERFLOW, A.how.offset = A.c;
     A.c[3] = 1e307, tri_contrast_gradient, out, more, &A.plain, &A.others, &A.how, &A.options);
  IS(DPPAIR_ERR_DOMAIN, A.how.triples = DPPAIR_TRIPLES_LIFTED, tri_contrast_gradient, out, more,
     &A.plain, &A.others, &A.how, &A.options);
  IS(DPPAIR_ERR_DOMAIN, A.how.triples = DPPAIR_TRIPLES_LIFTED;
     A.how.positives = DPPAIR_POSITIVE_PARTNER, tri_contrast_gradient, out, NULL, &A.plain, NULL,
     &A.how, &A.options);
  IS(DPPAIR_ERR_DOMAIN, A.one.triples = DPPAIR_TRIPLES_LIFTED;
     A.one.offset = A.c, tri_contrast_gradient, out, NULL, &A.plain, NULL, &A.one, &A.options);
  IS(DPPAIR_ERR_NULL, A.how.positives = DPPAIR_POSITIVE_PARTNER, tri_contrast_gradient, out, more,
     &A.plain, &A.others, &A.how, &A.options);
#define TWO(with, ...)                                                                             \
  IS(DPPAIR_ERR_DOMAIN, with, con_contrast_gradient, out, more, &A.plain, __VA_ARGS__)
  TWO(A.how.two_sided = 1; A.how.offset = A.c, &A.others, &A.how, &A.options);
  TWO(A.how.two_sided = 1; A.how.positives = DPPAIR_POSITIVE_PARTNER, &A.others, &A.how, &A.options);
  TWO(A.how.angle = 0.5; A.how.two_sided = 1, &A.others, &A.how, &A.options);
  TWO(A.how.angle = 0.5; A.how.offset = A.c, &A.others, &A.how, &A.options);
  TWO(A.one.angle = 0.5, NULL, &A.one, &A.options);
  TWO(A.how.angle = 0.5; A.how.compare = DPPAIR_COMPARE_COSINE, &A.others, &A.how, &A.options);
  IS(OK, A.how.angle = 0.5; A.plain.factor = A.weight, con_contrast_gradient, out, more, &A.plain,
                            &A.others, &A.how, &A.options);
  IS(DPPAIR_ERR_OVERFLOW, A.how.angle = 0.5; A.x[3] = 1e160; A.plain.radius = A.others.radius = 0,
                                                             con_contrast_gradient, out, more,
                                                             &A.plain, &A.others, &A.how, &A.options);
#define GROUPED(with)                                                                              \
  IS(NO, with, con_contrast_groups, out, more, &A.plain, &A.others, 4, &A.how, &A.options)
  GROUPED(A.plain.weight = A.weight);
  GROUPED(A.others.weight = A.weight);
  GROUPED(A.options.groups = &A.users);
  IS(OK, A.plain.factor = A.others.factor = A.weight, con_contrast_groups, out, more, &A.plain,
     &A.others, 4, &A.how, &A.options);
  IS(OK, NOTHING, con_contrast_groups, out, NULL, &A.plain, NULL, 4, &A.one, &A.options);
  IS(DPPAIR_ERR_NULL, A.plain.y = NULL, con_contrast_groups, out, NULL, &A.plain, NULL, 4, &A.one,
     &A.options);
  IS(DPPAIR_ERR_NULL, A.others.y = NULL, con_contrast_groups, out, more, &A.plain, &A.others, 4,
     &A.one, &A.options);
#define SOFTMAX(status, with)                                                                      \
  IS(status, with, con_softmax_gradient, out, &A.plain, &A.others, A.w, D, 0.5, &A.clipped)
  SOFTMAX(NO, A.plain.weight = A.weight);
  SOFTMAX(NO, A.others.weight = A.weight);
  SOFTMAX(NO, A.clipped.groups = &A.users);
  SOFTMAX(OK, A.parts.run = dppair_run_serial);
  SOFTMAX(DPPAIR_ERR_NOT_FINITE, A.w[1] = 1e300);
  SOFTMAX(DPPAIR_ERR_OVERFLOW, A.x[3] = 1e75);
  IS(DPPAIR_ERR_NULL, NOTHING, con_softmax_gradient, out, &A.plain, NULL, A.w, D, 0.5, &A.clipped);
  IS(DPPAIR_ERR_NOT_FINITE, A.of.risk = DPPAIR_INFLUENCE_RESIDUAL;
     A.y[3] = (double)NAN, wide_influence_not_private, out, more, &A.rows, A.w, &A.of, work,
     sizeof work);
  IS(DPPAIR_ERR_SIZE, NOTHING, wide_influence_pair_not_private, out, 4, 5, &A.rows, A.w, &A.of,
     work, sizeof work);
  IS(DPPAIR_ERR_SIZE, A.of.risk = DPPAIR_INFLUENCE_RESIDUAL, wide_influence_pair_not_private, out,
     3, 3, &A.rows, A.w, &A.of, work, sizeof work);
}

/* Forms of queries, blocks of forms, draws, and poles of one's own. */
static void the_rest(void) {
  static const size_t all[] = {0, 1, N}, past[] = {0, 5, 9};
  static const dppair_groups searches = {2, all, NULL, DPPAIR_WITHIN, N},
                             wrong = {2, past, NULL, DPPAIR_WITHIN, N};
  double at[2];
#define QUERIES(status, with)                                                                      \
  IS(status, (A.options.groups = &searches, with), wide_form_gradient, out, DPPAIR_FORM_METRIC,       \
     &A.rows, A.w, D, 0.5, &A.options)
  QUERIES(OK, A.rows.factor = A.weight);
  QUERIES(DPPAIR_ERR_WORKSPACE, A.options.bytes = 0);
  QUERIES(DPPAIR_ERR_NULL, A.options.work = NULL);
  QUERIES(DPPAIR_ERR_SIZE, A.options.groups = &wrong);
  QUERIES(DPPAIR_ERR_SIZE, A.rows.ld = 1);
  QUERIES(DPPAIR_ERR_NULL, A.rows.x = NULL);
  QUERIES(DPPAIR_ERR_NULL, A.rows.y = NULL);
  QUERIES(DPPAIR_ERR_SIZE, A.parts.count = 0);
  IS(DPPAIR_ERR_NULL, A.options.groups = &searches, wide_form_gradient, NULL, DPPAIR_FORM_METRIC,
     &A.rows, A.w, D, 0.5, &A.options);
  IS(DPPAIR_ERR_NULL, A.rows.y = NULL, wide_form_pairs, out, &A.rows, A.w, 0.5, A.i, A.j, NULL, 3,
     &A.clipped);
#define RANKED(status, with)                                                                       \
  IS(status, (A.options.groups = &searches, with), wide_top_gradient, out, &A.rows, A.w, &A.ranks,    \
     &A.options)
  RANKED(OK, A.options.clip = clip_of(dppair_clip_init, 1e-3));
  RANKED(OK, A.options.clip = clip_of(dppair_clip_init, 1e9));
  RANKED(OK, A.parts.run = dppair_run_serial);
  RANKED(DPPAIR_ERR_NULL, A.rows.y = NULL);
  IS(OK, A.sampling = dppair_sampling_matching(N, 4, DPPAIR_REPLACE_ONE), wide_form_sensitivity,
     out, DPPAIR_FORM_METRIC, D, D, &A.bounds, &A.sampling, &A.options);
  IS(OK, A.sampling = dppair_sampling_matching(N, 4, DPPAIR_REPLACE_ONE), wide_sensitivity, out, D,
     &A.bounds, &A.sampling, &A.options);
#define BLOCKS(status, with)                                                                       \
  do {                                                                                             \
    dppair_rows_f64 a = dppair_rows_make_f64(A.x, 4, D, D), b;                                     \
    reset();                                                                                       \
    a.y = A.y, a.radius = 1, b = a;                                                                \
    A.ring.block = 4;                                                                              \
    MUST(wide_form_sum_open(&made_sum, &A.ring, &A.options, A.words, sizeof A.words));                \
    with;                                                                                          \
    contract_truth_("wide_form_block", #status " with " #with,                                     \
                    wide_form_block(&made_sum, &A.ring, 0, &a, 1, &b, &A.options) == (status));       \
  } while (0)
  BLOCKS(OK, NOTHING);
  BLOCKS(OK, a.weight = A.weight);
  BLOCKS(OK, b.weight = A.weight);
  BLOCKS(DPPAIR_ERR_SIZE, b.n = 3);
  BLOCKS(DPPAIR_ERR_SIZE, b.d = 1);
  BLOCKS(DPPAIR_ERR_SIZE, b.ld = 1);
  BLOCKS(DPPAIR_ERR_OVERFLOW, b.ld = SIZE_MAX);
  BLOCKS(DPPAIR_ERR_NO_PROOF, b.radius = 2);
  BLOCKS(DPPAIR_ERR_NULL, b.x = NULL);
  BLOCKS(DPPAIR_ERR_NULL, b.y = NULL);
  IS(DPPAIR_ERR_OVERFLOW, A.w[0] = DBL_MAX;
     A.w[3] = DBL_MAX, wide_form_sum_open, &made_sum, &A.ring, &A.options, A.words, sizeof A.words);
#define POLES(status, distance, strength)                                                          \
  IS(status, (at[0] = (distance), at[1] = (strength)), own_fast_workspace, &bytes, N,              \
     DPPAIR_ACCURACY_1E6, 2.0, at)
  POLES(OK, 3.14, 1.0);
  POLES(DPPAIR_ERR_DOMAIN, 0.0, 1.0);
  POLES(DPPAIR_ERR_DOMAIN, (double)NAN, 1.0);
  POLES(DPPAIR_ERR_DOMAIN, 1e30, 1.0);
  POLES(DPPAIR_ERR_DOMAIN, 1e-300, 1.0);
  POLES(DPPAIR_ERR_DOMAIN, 3.14, -1.0);
  POLES(DPPAIR_ERR_DOMAIN, 3.14, (double)INFINITY);
  IS(DPPAIR_ERR_WORKSPACE, MUST(wide_sketch(&A.moments, A.s, 4, 2, NULL, &A.sums)),
     wide_chunk_sketch, &A.moments, &A.rows, A.w, &A.sums_pass);
  IS(DPPAIR_ERR_NO_PROOF, NOTHING, wide_top_sensitivity, out, D, &A.bounds, &A.sampling, &A.ranks,
     &A.options);
  IS(DPPAIR_ERR_NO_PROOF, A.sampling = dppair_sampling_with_replacement(N, 4, DPPAIR_REPLACE_ONE),
     wide_top_sensitivity, out, D, &A.bounds, &A.sampling, &A.top, &A.options);
  IS(OK, A.rows.x = NULL; A.rows.d = A.rows.ld = 0, wide_clip_coeffs, out, more, A.s, A.s + 4,
                          &A.rows, NULL, 0, &A.clipped);
  IS(DPPAIR_ERR_NO_PROOF, (A.rows.weight = A.weight, A.sums_pass.fast = &A.knot_sums),
     flat_chunk_sketch, &A.moments, &A.rows, A.w, &A.sums_pass);
  IS(DPPAIR_ERR_WORKSPACE, NOTHING, wide_sketch, &A.moments, A.s, N, 4, NULL, &A.knot_sums);
  IS(DPPAIR_ERR_WORKSPACE, NOTHING, wide_sketch_open, &made_moments, &A.knot_sums, work,
     sizeof work);
  IS(DPPAIR_ERR_WORKSPACE, NOTHING, wide_coeffs_fast, out, more, A.s, 4, A.s, 4, NULL, &A.knots);
  IS(DPPAIR_ERR_WORKSPACE, A.options.fast = &A.knots, wide_sensitivity, out, D, &A.bounds, &A.sampling,
     &A.options);
  IS(DPPAIR_ERR_SIZE, A.chunk.finished = 0, wide_chunk_sketch, &A.chunk, &A.rows, A.w,
     &A.sums_pass);
}

static void every_wrong_argument_is_refused(void **unused) {
  (void)unused;
  prepare();
  loops();
  curvatures();
  chunks();
  gradients();
  forms();
  tops();
  influences();
  row_losses();
  releases();
  prepare();
  nothing_is_allowed();
  what_is_not_computed_is_refused();
  the_rest();
  print_message("%zu calls\n", contract.calls);
  assert_true(contract.wrongs == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(every_wrong_argument_is_refused)};
  return RUN_TESTS(tests, NULL, NULL);
}
