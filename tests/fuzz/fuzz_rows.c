/* SPDX-License-Identifier: MIT */
/*
 * Rows in fewer bits, measures and contrasts, of any numbers. A quantised row is nowhere longer
 * than the row that it was made from, its radius holds, and its scores and sums are those of the
 * same numbers as floats, bit for bit; a measure is that of a loop over all pairs; a contrast that
 * moves all records by one vector does not change, so its gradients add up to zero. An error leaves
 * zeros.
 *
 * brief: 60
 */
#include "input.h"

#define DPPAIR_ROW i8
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW i16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW f16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_ROW bf16
#include "dppair.h"
#undef DPPAIR_ROW
#define DPPAIR_NAME softmax
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

enum { MOST = 24, WIDE = 6 };

/* Few values, so that there are ties; at times one of any size. */
static void in_numbers(input *in, double *x, size_t n) {
  static const double scales[] = {1.0, 1e-3, 1e-40, 1e3, 1e30, 1e-300};
  const double scale = scales[in_byte(in) % 11 < 5 ? in_choice(in, 6) : 0];
  size_t k;
  for (k = 0; k < n; k++) {
    const unsigned b = in_byte(in);
    x[k] = b < 90 && k > 0 ? x[b % k] : scale * ((double)b - 128.0) / 50.0;
  }
  if (n > 0 && in_rarely(in)) x[in_count(in, n - 1)] = in_hostile(in);
}

/* ---- rows in fewer bits ---------------------------------------------------------------------- */

/* One type of row: what it was made of, and the same numbers as floats. */
#define QUANTISED(T)                                                                               \
  static void quantised_##T(input *in, const dppair_rows_f64 *rows, const float *w,                \
                            const double *c) {                                                     \
    static dppair_element_##T##_ q[MOST * WIDE];                                                   \
    static float wide[MOST * WIDE], s[MOST], t[MOST];                                              \
    static double factor[MOST], g[WIDE], h[WIDE];                                                  \
    const size_t n = rows->n, d = rows->d;                                                         \
    dppair_rows_##T small;                                                                         \
    dppair_rows_f32 same;                                                                          \
    dppair_status status;                                                                          \
    size_t i, k;                                                                                   \
    memset(q, 0x5a, sizeof q);                                                                     \
    stain(factor, MOST);                                                                           \
    status = dppair_rows_quantise_##T##_f64(&small, q, factor, rows);                              \
    if (status != DPPAIR_OK) {                                                                     \
      REQUIRE(all_zero(q, n *d * sizeof *q) && all_zero(factor, n * sizeof *factor),               \
              "an error with rows");                                                               \
      REQUIRE(all_zero(&small, sizeof small), "an error with a block");                            \
      return;                                                                                      \
    }                                                                                              \
    REQUIRE(small.radius == rows->radius && small.positives == rows->positives, "another radius"); \
    for (i = 0; i < n; i++) {                                                                      \
      const long double f = rows->factor != NULL ? (long double)rows->factor[i] : 1.0L;            \
      const long double e = small.factor != NULL ? (long double)small.factor[i] : 1.0L;            \
      for (k = 0; k < d; k++) {                                                                    \
        const float v = dppair_number_##T##_(q[i * d + k]);                                        \
        const long double was = f * (long double)rows->x[i * rows->ld + k];                        \
        const long double is = e * (long double)v;                                                 \
        wide[i * d + k] = v;                                                                       \
        REQUIRE(fabsl(is) <= fabsl(was) && is * was >= 0.0L, "a number is longer, or turned");     \
      }                                                                                            \
    }                                                                                              \
    same = dppair_rows_make_f32(wide, n, d, d);                                                    \
    same.factor = small.factor;                                                                    \
    same.radius = small.radius;                                                                    \
    memset(s, 0x5a, sizeof s);                                                                     \
    memset(t, 0x5a, sizeof t);                                                                     \
    status = dppair_scores_##T(s, &small, w);                                                      \
    if (status != DPPAIR_OK)                                                                       \
      REQUIRE(all_zero(s, n * sizeof *s), "an error with scores");                                 \
    else if (dppair_scores_f32(t, &same, w) == DPPAIR_OK)                                          \
      REQUIRE(memcmp(s, t, n * sizeof *s) == 0, "other scores than those of floats");              \
    stain(g, WIDE);                                                                                \
    status = dppair_combine_##T(g, &small, c);                                                     \
    if (status != DPPAIR_OK)                                                                       \
      REQUIRE(all_zero(g, d * sizeof *g), "an error with a sum");                                  \
    else if (dppair_combine_f32(h, &same, c) == DPPAIR_OK)                                         \
      REQUIRE(memcmp(g, h, d * sizeof *g) == 0, "another sum than that of floats");                \
    (void)in;                                                                                      \
  }
QUANTISED(i8)
QUANTISED(i16)
QUANTISED(f16)
QUANTISED(bf16)

static void narrow(input *in) {
  static double x[MOST * WIDE], factor[MOST], c[MOST], v[WIDE];
  static float w[WIDE];
  const size_t n = 1 + in_count(in, MOST - 1), d = 1 + (size_t)in_choice(in, WIDE);
  const double radius = in_scale(in, 1e-3, 100.0);
  dppair_rows_f64 rows;
  size_t i, k;
  in_numbers(in, x, n * d);
  in_numbers(in, c, n);
  in_numbers(in, v, d);
  for (k = 0; k < d; k++) w[k] = (float)v[k];
  stain(factor, MOST);
  if (dppair_rows_clip_f64(&rows, factor, x, n, d, d, radius) != DPPAIR_OK) {
    REQUIRE(all_zero(factor, n * sizeof *factor) && all_zero(&rows, sizeof rows),
            "an error with factors");
    if (!(radius > 0.0 && radius <= 1e100)) return;
    rows = dppair_rows_make_f64(x, n, d, d); /* what nobody clipped */
  }
  for (i = 0; i < n && rows.factor != NULL; i++) {
    long double square = 0.0L;
    for (k = 0; k < d; k++) square += powl((long double)factor[i] * (long double)x[i * d + k], 2);
    REQUIRE(sqrtl(square) <= (long double)radius * (1.0L + 1e-15L), "a row beyond the radius");
  }
  rows.positives = in_count(in, n);
  quantised_i8(in, &rows, w, c);
  quantised_i16(in, &rows, w, c);
  quantised_f16(in, &rows, w, c);
  quantised_bf16(in, &rows, w, c);
}

/* ---- measures -------------------------------------------------------------------------------- */

static void near(double x, double y, const char *what) {
  REQUIRE(fabs(x - y) <= 1e-12 * (1.0 + fabs(y)), what);
}

static void pairs(input *in) {
  static double sp[MOST], sn[MOST], both[2 * MOST], label[2 * MOST];
  const size_t np = in_count(in, MOST), nn = in_count(in, MOST), n = np + nn;
  double auc = -1.0, all = -1.0, tau = -1.0, share = -1.0, sum = 0.0, untied = 0.0;
  size_t bytes = 99, i, j, k, right = 0;
  void *whole, *work;
  dppair_status status;
  in_numbers(in, sp, np);
  in_numbers(in, sn, nn);
  for (i = 0; i < n; i++) {
    both[i] = i < np ? sp[i] : sn[i - np];
    label[i] = i < np ? 1.0 : -1.0;
  }
  if (dppair_measures_workspace(&bytes, n, 0) != DPPAIR_OK) return;
  work = in_room(in, &whole, bytes);
  if (in_rarely(in) && bytes > 0) bytes--;
  status = dppair_auc_not_private_f64(&auc, sp, np, sn, nn, work, bytes);
  REQUIRE(status == DPPAIR_OK || all_zero(&auc, sizeof auc), "an error with an AUC");
  if (status == DPPAIR_OK) {
    for (i = 0; i < np; i++)
      for (j = 0; j < nn; j++) sum += sp[i] > sn[j] ? 1.0 : sp[i] < sn[j] ? 0.0 : 0.5;
    near(auc, sum / (double)(np * nn), "another AUC");
    status = dppair_partial_auc_not_private_f64(&all, sp, np, sn, nn, 1.0, work, bytes);
    REQUIRE(status == DPPAIR_OK, "no whole AUC");
    near(all, auc, "the whole of it is another AUC");
  }
  status = dppair_kendall_not_private_f64(&tau, both, label, n, work, bytes);
  REQUIRE(status == DPPAIR_OK || all_zero(&tau, sizeof tau), "an error with tau");
  if (status == DPPAIR_OK) {
    for (i = 0; i < n; i++)
      for (j = 0; j < i; j++) untied += both[i] < both[j] || both[i] > both[j];
    near(tau, (2.0 * auc - 1.0) * sqrt((double)(np * nn) / untied), "another tau");
  }
  k = in_count(in, n);
  status = dppair_precision_not_private_f64(&share, both, label, n, k, work, bytes);
  REQUIRE(status == DPPAIR_OK ? share >= 0.0 && share <= 1.0 : all_zero(&share, sizeof share),
          "no precision");
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    size_t above = 0;
    for (j = 0; j < n; j++) above += both[j] >= both[i];
    right += above <= k && label[i] > 0.0; /* surely among the first */
  }
  if (status == DPPAIR_OK) REQUIRE(share * (double)k >= (double)right - 1e-9, "too little");
  free(whole);
}

/* Recall at k against a loop over all others. Where distances nearly tie, rounding may decide. */
static void neighbours(input *in) {
  static double x[MOST * WIDE], y[MOST];
  const size_t n = in_count(in, MOST), d = 1 + (size_t)in_choice(in, WIDE), k = in_count(in, n);
  double recall = -1.0, accuracy = -1.0;
  size_t bytes = 99, i;
  void *whole, *work;
  dppair_status status;
  in_numbers(in, x, n * d);
  for (i = 0; i < n; i++) y[i] = in_choice(in, 3);
  if (dppair_measures_workspace(&bytes, n, d) != DPPAIR_OK) return;
  work = in_room(in, &whole, bytes);
  status = dppair_recall_at_not_private_f64(&recall, x, y, n, d, d, NULL, k, work, bytes);
  REQUIRE(status == DPPAIR_OK ? recall >= 0.0 && recall <= 1.0 : all_zero(&recall, 8), "a recall");
  if (status == DPPAIR_OK && k + 1 == n) { /* all others: whose label is there twice */
    size_t j, twice = 0;
    for (i = 0; i < n; i++) {
      for (j = 0; j < n && (j == i || y[j] < y[i] || y[j] > y[i]); j++) continue;
      twice += j < n;
    }
    near(recall, (double)twice / (double)n, "another recall");
  }
  status =
      dppair_knn_accuracy_not_private_f64(&accuracy, x, y, n, x, y, n, d, d, NULL, k, work, bytes);
  REQUIRE(status == DPPAIR_OK ? accuracy >= 0.0 && accuracy <= 1.0 : all_zero(&accuracy, 8),
          "an accuracy");
  free(whole);
}

/* ---- contrasts ------------------------------------------------------------------------------- */

static void contrast(input *in) {
  static double z[MOST * WIDE], y[MOST], dz[MOST * WIDE], again[MOST * WIDE];
  const size_t n = in_count(in, MOST), d = 1 + (size_t)in_choice(in, WIDE);
  dppair_contrast how;
  dppair_options options;
  dppair_rows_f64 rows;
  dppair_status status;
  void *whole;
  size_t i, k;
  memset(&how, 0, sizeof how);
  memset(&options, 0, sizeof options);
  how.compare = in_choice(in, 3) ? DPPAIR_COMPARE_DISTANCE : in_enum(in, 4);
  how.positives = in_choice(in, 3) ? DPPAIR_POSITIVE_LABEL : in_enum(in, 3);
  how.temperature = in_scale(in, 1e-3, 1e3);
  if (in_rarely(in)) how.margin = in_hostile(in);
  in_numbers(in, z, n * d);
  for (i = 0; i < n; i++) y[i] = in_rarely(in) ? in_hostile(in) : in_choice(in, 4);
  rows = dppair_rows_make_f64(z, n, d, d);
  rows.y = y;
  if (softmax_contrast_workspace(&options.bytes, n, 0, d, NULL) != DPPAIR_OK) return;
  options.work = in_room(in, &whole, options.bytes);
  stain(dz, MOST * WIDE);
  status = softmax_contrast_gradient(dz, NULL, &rows, NULL, &how, &options);
  if (status != DPPAIR_OK) REQUIRE(all_zero(dz, n * d * sizeof *dz), "an error with a gradient");
  if (status == DPPAIR_OK) {
    REQUIRE(dppair_all_finite_f64(dz, n * d), "not finite");
    for (k = 0; k < d && how.compare == DPPAIR_COMPARE_DISTANCE; k++) {
      double sum = 0.0, size = 0.0;
      for (i = 0; i < n; i++) {
        sum += dz[i * d + k];
        size += fabs(dz[i * d + k]) + fabs(z[i * d + k]) * (double)n / how.temperature;
      }
      REQUIRE(fabs(sum) <= 1e-9 * size + 1e-290, "moving all records changes it");
    }
    REQUIRE(softmax_contrast_gradient(again, NULL, &rows, NULL, &how, &options) == DPPAIR_OK &&
                memcmp(dz, again, n * d * sizeof *dz) == 0,
            "a second call differs");
  }
  free(whole);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  input source = {bytes, size}, *in = &source;
  int turn;
  for (turn = 0; turn < 8 && in->left > 0; turn++) {
    switch (in_choice(in, 4)) {
    case 0:
      narrow(in);
      break;
    case 1:
      pairs(in);
      break;
    case 2:
      neighbours(in);
      break;
    default:
      contrast(in);
    }
  }
  return 0;
}
