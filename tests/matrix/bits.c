/* SPDX-License-Identifier: MIT */
/*
 * Prints one line for each thing that the headers compute: its name, its status and a hash of the
 * bits of its results, on the tier that this machine chooses. matrix.sh compares the lines of
 * compilers, languages, flags and processors.
 *
 *   bits NAME STATUS HASH           the same bits everywhere (the 128-bit tier on x86 excepted)
 *   noise NAME STATUS HASH          the same bits everywhere
 *   figure NAME STATUS HASH         the same bits everywhere: the accountant's
 *   # tier NAME                     the tier that was chosen
 */
#ifdef BITS_ISO646
#include <iso646.h>
#endif
#include <stdio.h>
#include <stdlib.h>

#include "dppair_l2ball.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_metric.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME log64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME log32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"
#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME squared
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_squared_hinge
#include "dppair.h"
#define DPPAIR_NAME welsch
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_welsch
#include "dppair.h"
#define DPPAIR_NAME softmax
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"
#ifdef BITS_ROWS /* they take long to compile */
#define DPPAIR_NAME triplet64
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_triplet_squared
#include "dppair_contrast.h"
#define DPPAIR_NAME triplet32
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_triplet_soft
#include "dppair_contrast.h"
#endif

#define DPPAIR_ROW bf16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW f16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW i16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW i8
#include "dppair.h"
#undef DPPAIR_ROW

#include "../support/random.h"
#include "../support/questions.h"
#include "../support/sensitivities.h"

enum { UP = 150, DOWN = 201, ALL = UP + DOWN, WIDTH = 37, NARROW = 9, MANY = 40000, SOME = 3001 };
static double x[ALL * WIDTH], w[WIDTH], s[ALL], c[ALL], y[ALL], g[WIDTH], work[1 << 17];
static float xf[ALL * WIDTH], wf[WIDTH], sf[ALL], yf[ALL];
static double z[MANY];
static float zf[MANY];
static int64_t whole[SOME];
static size_t chosen[2 * SOME];

/* A number below 1 or 4 that is a float, and 2 less still is: no rounding, which gcc 12.2 forgets in
 * loops at -O3 -mavx512dq where its result is both kept and widened. */
static float exact(double length) {
  return (float)((double)(random_bits() >> 42) * (length / 4194304.0));
}
static uint64_t bits_of(double v) {
  uint64_t u;
  memcpy(&u, &v, sizeof u);
  return u;
}
static uint64_t mix(uint64_t hash, uint64_t v) {
  hash = (hash ^ v) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}
static const uint64_t start = UINT64_C(0xcbf29ce484222325);

static void say(const char *kind, const char *name, dppair_status status, uint64_t hash) {
  if (status != DPPAIR_OK) printf("# refused: %s\n", dppair_status_string(status));
  printf("%s %s %d %08lx%08lx", kind, name, (int)status, (unsigned long)(hash >> 32),
         (unsigned long)(hash & 0xffffffffu));
}
static void line(const char *kind, const char *name, dppair_status status, const double *v,
                 size_t n) {
  uint64_t hash = start;
  size_t i;
  for (i = 0; i < n; i++) hash = mix(hash, bits_of(v[i]));
  say(kind, name, status, hash);
  printf("\n");
}
static void bits(const char *name, dppair_status status, const double *v, size_t n) {
  line("bits", name, status, v, n);
}
static void figure(const char *name, dppair_status status, const double *v, size_t n) {
  line("figure", name, status, v, n);
}

static void widen(const float *from, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) z[i] = (double)from[i];
}

static void pairs(void) {
  static const char *accuracy[2][3] = {
      {"boxes,double,1e-6", "boxes,double,1e-9", "boxes,double,1e-12"},
      {"boxes,float,1e-6", "boxes,float,1e-9", "boxes,float,1e-12"}};
  static double state[1 << 16];
  const dppair_tasks three = {3, NULL, NULL};
  const double scale[1] = {1.5};
  dppair_fast f;
  dppair_rows_f64 rows;
  dppair_rows_f32 rowsf;
  dppair_options options;
  dppair_clip clip;
  dppair_status status;
  double v = 0.0, two[2];
  float wn[NARROW * NARROW];
  size_t i, bytes;
  int e;
  for (i = 0; i < ALL * WIDTH; i++) x[i] = (double)(xf[i] = exact(4.0) - 2);
  for (i = 0; i < WIDTH; i++) w[i] = (double)(wf[i] = exact(1.0) - 0.5f);
  for (i = 0; i < ALL; i++) y[i] = (double)(yf[i] = i < UP ? 1.0f : -1.0f);
  rows = dppair_rows_make_f64(x, ALL, WIDTH, WIDTH);
  rowsf = dppair_rows_make_f32(xf, ALL, WIDTH, WIDTH);
  rows.positives = rowsf.positives = UP;
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  status = dppair_scores_f64(s, &rows, w);
  bits("scores,double", status, s, ALL);
  status = dppair_scores_f32(sf, &rowsf, wf);
  for (i = 0; i < ALL; i++) c[i] = (double)sf[i];
  bits("scores,float", status, c, ALL);
  status = dppair_auc_not_private_f64(&v, s, UP, s + UP, DOWN, work, sizeof work);
  bits("auc", status, &v, 1);
  for (e = 0; e < 3; e++) {
    status = log64_fast_init(&f, ALL, (dppair_accuracy)e, 20, NULL, work, sizeof work);
    if (status == DPPAIR_OK) status = log64_coeffs_fast(c, c + UP, s, UP, s + UP, DOWN, NULL, &f);
    bits(accuracy[0][e], status, c, ALL);
    status = log32_coeffs_fast(c, c + UP, sf, UP, sf + UP, DOWN, NULL, &f);
    bits(accuracy[1][e], status, c, ALL);
    status = log64_allowance(&two[0], &two[1], &f, ALL, 2.0, 1.0);
    bits("surcharge", status, two, 2);
  }
  status = log64_coeffs(c, c + UP, s, UP, s + UP, DOWN, NULL);
  bits("loops,double", status, c, ALL);
  status = dppair_combine_f64(g, &rows, c);
  bits("gradient,double", status, g, WIDTH);
  status = log32_coeffs(c, c + UP, sf, UP, sf + UP, DOWN, NULL);
  bits("loops,float", status, c, ALL);
  status = dppair_combine_f32(g, &rowsf, c);
  bits("gradient,float", status, g, WIDTH);
  status = squared_fast_init(&f, ALL, DPPAIR_ACCURACY_1E6, 100, NULL, work, sizeof work);
  if (status == DPPAIR_OK) status = squared_coeffs_fast(c, c + UP, s, UP, s + UP, DOWN, NULL, &f);
  bits("squared-hinge,sorted", status, c, ALL);
  status = welsch_risk_not_private(&v, sf, UP, sf + UP, DOWN, scale);
  bits("risk,float", status, &v, 1);
  status = log64_risk_not_private(&v, s, UP, s + UP, DOWN, NULL);
  bits("risk,double", status, &v, 1);

  options.fast = &f;
  options.tasks = &three;
  rows.radius = rowsf.radius = 16.0;
  status = log64_sums_init(&f, ALL, DPPAIR_ACCURACY_1E9, 20, NULL, state, sizeof state);
  if (status == DPPAIR_OK) status = log64_gradient(g, &rows, w, &options);
  bits("no-order,double", status, g, WIDTH);
  status = log32_sums_init(&f, ALL, DPPAIR_ACCURACY_1E9, 20, NULL, state, sizeof state);
  if (status == DPPAIR_OK) status = log32_gradient(g, &rowsf, wf, &options);
  bits("no-order,float", status, g, WIDTH);
  options.fast = NULL;
  options.tasks = NULL;
  rows.radius = rowsf.radius = 0.0;

  status = log64_clip_init(&clip, 0.5);
  options.clip = &clip;
  if (status == DPPAIR_OK) status = log64_workspace(&bytes, ALL, WIDTH, &options);
  if (status == DPPAIR_OK && bytes > sizeof work) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = log64_gradient(g, &rows, w, &options);
  bits("clips,double", status, g, WIDTH);
  status = log32_clip_init(&clip, 0.5);
  if (status == DPPAIR_OK) status = log32_gradient(g, &rowsf, wf, &options);
  bits("clips,float", status, g, WIDTH);
  for (i = 0; i < NARROW * NARROW; i++) c[i] = (double)(wn[i] = i % (NARROW + 1) ? 0.0f : 0.25f);
  rows.y = y;
  rowsf.y = yf;
  rows.d = rowsf.d = NARROW;
  status = dppair_clip_init(&clip, 3.0);
  if (status == DPPAIR_OK) status = log64_form_workspace(&bytes, ALL, NARROW, NARROW, &options);
  if (status == DPPAIR_OK && bytes > sizeof work) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK)
    status = log64_form_gradient(c + 128, DPPAIR_FORM_METRIC, &rows, c, NARROW, 1.0, &options);
  bits("metric,double", status, c + 128, NARROW * NARROW);
  status = log32_form_gradient(c + 128, DPPAIR_FORM_METRIC, &rowsf, c, NARROW, 1.0, &options);
  bits("metric,float", status, c + 128, NARROW * NARROW);
  status = dppair_project_psd_frobenius_f64(c + 128, NARROW, 2.0, work, sizeof work);
  bits("projection,psd", status, c + 128, NARROW * NARROW);
  status = dppair_project_simplex_f64(w, WIDTH, 1.0, work, sizeof work);
  bits("projection,simplex", status, w, WIDTH);
}

/* Records with weights, users, queries: loops, boxes, sorted scores, a form. */
static void groups(void) {
  enum { OWNERS = 9 };
  static const char *name[3][4] = {
      {"weights,loops", "weights,loops,float", "weights,boxes,float", "weights,sorted"},
      {"persons,loops", "persons,loops,float", "persons,boxes,float", "persons,sorted"},
      {"queries,loops", "queries,loops,float", "queries,boxes,float", "queries,sorted"}};
  static double weight[ALL], room[2 * ALL + 8];
  const uint64_t before = random_state; /* later lines keep their numbers */
  size_t up[OWNERS + 1], down[OWNERS + 1], i;
  dppair_groups g;
  dppair_options options;
  dppair_fast f;
  dppair_status status;
  int relation;
  memset(&g, 0, sizeof g);
  memset(&options, 0, sizeof options);
  for (i = 0; i < ALL; i++) weight[i] = 1.2 * uniform();
  for (i = 0; i <= OWNERS; i++) up[i] = i * UP / OWNERS, down[i] = i * DOWN / OWNERS;
  g.count = OWNERS;
  g.positive = up;
  g.negative = down;
  options.work = room;
  options.bytes = sizeof room;
  for (relation = 0; relation < 3; relation++) {
    g.relation = relation == 2 ? DPPAIR_WITHIN : DPPAIR_ACROSS;
    options.groups = relation ? &g : NULL;
    options.fast = NULL;
    status = log64_weighted_coeffs(c, c + UP, s, UP, s + UP, DOWN, weight, &options);
    bits(name[relation][0], status, c, ALL);
    status = log32_weighted_coeffs(c, c + UP, sf, UP, sf + UP, DOWN, weight, &options);
    bits(name[relation][1], status, c, ALL);
    options.fast = &f;
    status = log32_fast_init(&f, ALL, DPPAIR_ACCURACY_1E6, 20, NULL, work, sizeof work);
    if (status == DPPAIR_OK)
      status = log32_weighted_coeffs(c, c + UP, sf, UP, sf + UP, DOWN, weight, &options);
    bits(name[relation][2], status, c, ALL);
    status = squared_fast_init(&f, ALL, DPPAIR_ACCURACY_1E6, 20, NULL, work, sizeof work);
    if (status == DPPAIR_OK)
      status = squared_weighted_coeffs(c, c + UP, s, UP, s + UP, DOWN, weight, &options);
    bits(name[relation][3], status, c, ALL);
  }
  random_state = before;
}

/* Numbers that noise is added to: on no grid. */
static void inputs(size_t n) {
  volatile double wide; /* else some compilers fuse product and difference */
  size_t i;
  for (i = 0; i < n; i++) {
    wide = 200.0 * uniform();
    zf[i] = (float)(z[i] = wide - 100.0);
  }
}

static void name_of(char *out, size_t size, const char *what, int grid, const char *cipher) {
  if (grid < 0)
    snprintf(out, size, "%s,%s", what, cipher);
  else
    snprintf(out, size, "%s,grid%d,%s", what, grid, cipher);
}

static void noise(int aes) {
  static const int grids[4] = {10, 0, 24, 40};
  const char *cipher = aes ? "aes256" : "chacha20";
  uint8_t key[32];
  dppair_rng rng, part;
  dppair_status status;
  char name[64];
  size_t i, count = 0;
  int k;
  for (i = 0; i < 32; i++) key[i] = (uint8_t)(7 * i + 1);
  status = aes ? dppair_rng_from_key_aes256(&rng, key, 5) : dppair_rng_from_key(&rng, key, 5);
  if (status != DPPAIR_OK) {
    name_of(name, sizeof name, "generator", -1, cipher);
    line("noise", name, status, z, 0);
    return;
  }
  for (k = 0; k < 4; k++) {
    const size_t n = k == 0 && !aes ? MANY : SOME; /* scalar AES is slow */
    inputs(n);
    status = dppair_add_gaussian_f64_grid(z, n, 1.7, grids[k], &rng);
    name_of(name, sizeof name, "gaussian,double", grids[k], cipher);
    line("noise", name, status, z, n);
    status = dppair_add_gaussian_f32_grid(zf, n, 1.7, k == 3 ? 16 : grids[k] / 2, &rng);
    widen(zf, n);
    name_of(name, sizeof name, "gaussian,float", k == 3 ? 16 : grids[k] / 2, cipher);
    line("noise", name, status, z, n);
    inputs(SOME);
    status = dppair_add_laplace_f64_grid(z, SOME, 1.7, grids[k], &rng);
    name_of(name, sizeof name, "laplace,double", grids[k], cipher);
    line("noise", name, status, z, SOME);
  }
  inputs(SOME);
  status = dppair_add_gaussian_f32(zf, SOME, 1.7, &rng);
  widen(zf, SOME);
  name_of(name, sizeof name, "gaussian,float", -1, cipher);
  line("noise", name, status, z, SOME);
  inputs(SOME);
  status = dppair_add_laplace_f32(zf, SOME, 1.7, &rng);
  widen(zf, SOME);
  name_of(name, sizeof name, "laplace,float", -1, cipher);
  line("noise", name, status, z, SOME);
  inputs(SOME);
  status = dppair_add_l2ball_f64(z, 37, 1.7, &rng);
  name_of(name, sizeof name, "l2ball", -1, cipher);
  line("noise", name, status, z, 37);

  /* its own place in the stream, whatever was refused before it */
  status = dppair_rng_seek(&rng, 1000000);
  if (status == DPPAIR_OK) status = dppair_discrete_gaussian(whole, SOME, 23, 7, &rng);
  for (i = 0; i < SOME; i++) z[i] = (double)whole[i];
  name_of(name, sizeof name, "discrete-gaussian", -1, cipher);
  line("noise", name, status, z, SOME);
  status = dppair_discrete_laplace(whole, SOME, 23, 7, &rng);
  for (i = 0; i < SOME; i++) z[i] = (double)whole[i];
  name_of(name, sizeof name, "discrete-laplace", -1, cipher);
  line("noise", name, status, z, SOME);

  status = dppair_rng_seek(&rng, 2000000); /* those may have been refused, too */
  for (k = 0; k < 6 && status == DPPAIR_OK; k++) {
    static const char *draws[6] = {"poisson", "with-replacement", "without-replacement",
                                   "shuffle", "matching",         "sampled-pairs"};
    const dppair_sampling samplings[6] = {
        dppair_sampling_poisson(SOME, 300, DPPAIR_REPLACE_ONE),
        dppair_sampling_with_replacement(SOME, 500, DPPAIR_REPLACE_ONE),
        dppair_sampling_without_replacement(SOME, 500, DPPAIR_REPLACE_ONE),
        dppair_sampling_all(SOME, DPPAIR_REPLACE_ONE),
        dppair_sampling_matching(SOME, 1000, DPPAIR_REPLACE_ONE),
        dppair_sampling_with_replacement(SOME, 500, DPPAIR_REPLACE_ONE)};
    count = SOME;
    if (k == 3) {
      for (i = 0; i < SOME; i++) chosen[i] = i;
      status = dppair_shuffle(chosen, SOME, &rng);
    } else if (k < 5) {
      status = dppair_draw(chosen, &count, SOME, &samplings[k], &rng);
    } else {
      status = dppair_draw_pairs(chosen, &count, SOME, &samplings[k], &rng);
      count *= 2;
    }
    for (i = 0; i < count; i++) z[i] = (double)chosen[i];
    name_of(name, sizeof name, draws[k], -1, cipher);
    line("noise", name, status, z, count);
  }
  status = dppair_rng_split(&part, 3, &rng);
  if (status == DPPAIR_OK) status = dppair_rng_set_erasure(&part, 1);
  for (i = 0; i < 16 && status == DPPAIR_OK; i++) status = dppair_rng_uniform_f64(&z[i], &part);
  name_of(name, sizeof name, "split,erasing", -1, cipher);
  line("noise", name, status, z, 16);
}

static void figures(void) {
  static const double orders[3] = {1.5, 2.0, 17.0};
  static const double ones[2] = {0.5, 0.5};
  const dppair_bounds bounds = {1.0, 1.0, 1.0, 1.0, 0.0};
  dppair_accountant a;
  dppair_step step;
  dppair_constants k;
  dppair_status status;
  dppair_interval in = {0.0, 0.0, 0.0, 0.0, DPPAIR_ROUTE_BEST, 0};
  double v[8];
  void *space = NULL;
  size_t needed = 0, n;
  int i, j;
  memset(v, 0, sizeof v);
  status = dppair_gaussian_sigma(&v[0], 1.0, 1.0, 1e-5, 100);
  figure("sigma", status, v, 1);
  status = dppair_gaussian_delta(&v[0], 1.0, 1.0);
  if (status == DPPAIR_OK) status = dppair_gaussian_epsilon(&v[1], 1e-5, 1.0);
  figure("gaussian-curve", status, v, 2);
  status = sensitivity_rank(&v[0], FORM_IND, 1.0, 0.0, 1.0, 0.0, 512);
  if (status == DPPAIR_OK) status = sensitivity_mean(&v[1], 1.0, 1000, DPPAIR_REPLACE_ONE);
  bits("sensitivity", status, v, 2);

  memset(&step, 0, sizeof step);
  step.kind = DPPAIR_SAMPLED_GAUSSIAN;
  step.sampling.kind = DPPAIR_POISSON;
  step.sampling.adjacency = DPPAIR_REPLACE_ONE;
  step.sampling.q = 0.01;
  step.noise_multiplier = 1.0;
  step.steps = 1000;
  for (i = 0, status = DPPAIR_OK; i < 3 && status == DPPAIR_OK; i++)
    status = dppair_renyi(&v[2 * i], &v[2 * i + 1], &step, orders[i], 0);
  figure("renyi", status, v, 6);
  status = dppair_accountant_init(&a);
  if (status == DPPAIR_OK) status = dppair_accountant_step(&a, &step);
  if (status == DPPAIR_OK) status = dppair_accountant_gaussian(&a, 1.0, 20.0, 10);
  if (status == DPPAIR_OK) status = answer_epsilon(&v[0], &a, 1e-5);
  figure("epsilon,renyi", status, v, 1);
  if (status == DPPAIR_OK) status = dppair_composer_workspace(&needed, NULL);
  space = malloc(needed);
  if (status == DPPAIR_OK && space == NULL) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = certify(&in, &a, 1e-5, space, needed);
  v[0] = in.upper;
  v[1] = in.lower;
  v[2] = in.estimate;
  figure("epsilon,certified", status, v, 3);
  free(space);

  for (i = 0; i < (int)DPPAIR_MARGIN_COUNT; i++) {
    double all[8 * DPPAIR_LOSS_COUNT];
    char name[64];
    const char *formula = NULL;
    dppair_status refused = DPPAIR_OK; /* what has no constant is one of the answers */
    for (j = 0, n = 0; j < (int)DPPAIR_LOSS_COUNT; j += i == 0 ? 1 : 4) {
      status = dppair_constants_find(&k, (dppair_margin)i, dppair_loss_facts_of((dppair_loss)j),
                                     ones, &bounds);
      if (status == DPPAIR_ERR_ENVIRONMENT) refused = status;
      all[n++] = (double)status;
      all[n++] = k.slope;
      all[n++] = k.lipschitz;
      all[n++] = k.smoothness;
      all[n++] = k.bound;
      all[n++] = k.move;
      all[n++] = k.replace_one;
      all[n++] = k.zero_out;
    }
    snprintf(name, sizeof name, "constants,%s", dppair_margin_name_((dppair_margin)i, &formula));
    figure(name, refused, all, n);
  }
}

/* A row-wise loss, of labels and of two blocks. */
static void rowwise(void) {
  static float dz[ALL * NARROW], other[ALL * NARROW];
  const dppair_tasks parts = {3, NULL, NULL};
  dppair_rows_f32 a = dppair_rows_make_f32(xf, UP, NARROW, WIDTH);
  dppair_rows_f32 b = dppair_rows_make_f32(xf + UP * WIDTH, UP, NARROW, WIDTH);
  dppair_contrast how;
  dppair_options options;
  dppair_status status;
  memset(&how, 0, sizeof how);
  memset(&options, 0, sizeof options);
  options.work = work;
  options.bytes = sizeof work;
  options.tasks = &parts;
  how.temperature = 0.25;
  how.two_sided = 1;
  status = softmax_contrast_gradient(dz, other, &a, &b, &how, &options);
  widen(dz, UP * NARROW);
  bits("contrast,both", status, z, UP * NARROW);
  a = dppair_rows_make_f32(xf, ALL, NARROW, WIDTH);
  a.y = yf;
  how.compare = DPPAIR_COMPARE_COSINE;
  how.positives = DPPAIR_POSITIVE_LABEL;
  how.two_sided = 0;
  status = softmax_contrast_gradient(dz, NULL, &a, NULL, &how, &options);
  widen(dz, ALL * NARROW);
  bits("contrast,labels", status, z, ALL * NARROW);
}

#ifdef BITS_ROWS
/* Gradients in ALL embeddings of NARROW numbers, of labels of one in three. */
static void triplets(void) {
  static const char *triples[2][4] = {
      {"triplets,double", "semi-hard,double", "hardest,double", "lifted,double"},
      {"triplets,float", "semi-hard,float", "hardest,float", "lifted,float"}};
  static double dz[ALL * NARROW];
  static float dzf[ALL * NARROW];
  static char room[1 << 20];
  dppair_rows_f64 rows = dppair_rows_make_f64(x, ALL, NARROW, WIDTH);
  dppair_rows_f32 rowsf = dppair_rows_make_f32(xf, ALL, NARROW, WIDTH);
  dppair_contrast how;
  dppair_options options;
  dppair_status status;
  size_t i;
  int e;
  memset(&how, 0, sizeof how);
  memset(&options, 0, sizeof options);
  for (i = 0; i < ALL * WIDTH; i++) x[i] = (double)(xf[i] = exact(4.0) - 2);
  for (i = 0; i < ALL; i++) y[i] = (double)(yf[i] = (float)(i % 3));
  rows.y = y;
  rowsf.y = yf;
  options.work = room;
  options.bytes = sizeof room;
  how.positives = DPPAIR_POSITIVE_LABEL;
  how.temperature = 0.7;
  for (e = 0; e < 4; e++) {
    how.compare = (dppair_comparison)(3 - e);
    how.triples = (dppair_triples)e;
    how.margin = 0.25;
    status = triplet64_contrast_gradient(dz, NULL, &rows, NULL, &how, &options);
    bits(triples[0][e], status, dz, ALL * NARROW);
    status = triplet32_contrast_gradient(dzf, NULL, &rowsf, NULL, &how, &options);
    widen(dzf, ALL * NARROW);
    bits(triples[1][e], status, z, ALL * NARROW);
  }
}
#endif

/* Rows of 16 and 8 bits: elements, scores, X^T c. */
#define NARROW_ROWS(type)                                                                          \
  static void narrow_##type(void) {                                                                \
    static dppair_element_##type##_ few[ALL * WIDTH];                                              \
    const dppair_rows_f32 from = dppair_rows_make_f32(xf, ALL, WIDTH, WIDTH);                      \
    dppair_rows_##type rows;                                                                       \
    size_t i;                                                                                      \
    dppair_status status = dppair_rows_quantise_##type##_f32(&rows, few, c, &from);                \
    bits("factors," #type, status, c, ALL);                                                        \
    for (i = 0; i < ALL * WIDTH; i++) z[i] = (double)dppair_number_##type##_(few[i]);              \
    bits("elements," #type, status, z, ALL *WIDTH);                                                \
    status = dppair_scores_##type(sf, &rows, wf);                                                  \
    widen(sf, ALL);                                                                                \
    bits("scores," #type, status, z, ALL);                                                         \
    for (i = 0; i < ALL; i++) s[i] = (double)sf[i];                                                \
    bits("gradient," #type, dppair_combine_##type(g, &rows, s), g, WIDTH);                         \
  }
NARROW_ROWS(bf16)
NARROW_ROWS(f16)
NARROW_ROWS(i16)
NARROW_ROWS(i8)

int main(void) {
  dppair_rng rng;
  printf("# tier %s\n", dppair_isa_name());
  pairs();
  narrow_bf16();
  narrow_f16();
  narrow_i16();
  narrow_i8();
  groups();
  rowwise();
  noise(0);
  noise(1);
  line("noise", "entropy", dppair_rng_from_os(&rng), z, 0);
  figures();
#ifdef BITS_ROWS
  triplets();
#endif
  return 0;
}
