/* ------------------------------------------------------------------------------------------------
 * What a top-weighted loss counts, and selections of scores
 *
 * Once per translation unit: coeffs.h has the losses.
 * ---------------------------------------------------------------------------------------------- */

/* What of the top of a ranking counts (modules/top/coeffs.h). */
typedef enum dppair_top_kind {
  DPPAIR_TOP_PARTIAL = 1,   /* partial AUC */
  DPPAIR_TOP_PUSH = 2,      /* p-norm push */
  DPPAIR_TOP_PRECISION = 3, /* average precision */
  DPPAIR_TOP_NDCG = 4       /* normalised discounted cumulative gain */
} dppair_top_kind;

/* What counts. All of it is public; fields that a kind does not read are 0. */
typedef struct dppair_top {
  dppair_top_kind kind;
  size_t negatives, positives; /* PARTIAL: how many of either side; 0: all */
  unsigned power;              /* PUSH: 1 to 64 */
  size_t depth;                /* NDCG: the places that count; 0: all */
  double cap;                  /* NDCG: the largest weight of a pair; 0: 1, which is none */
} dppair_top;

/* Which scores of a side count: those above `at` fully, those at it with `share`. */
typedef struct dppair_top_cut_ {
  double at, share;
} dppair_top_cut_;

DPPAIR_FP_BEGIN_

/* Is *top one of those, and no field given that is not read? DOMAIN, UNREAD. */
DPPAIR_API dppair_status dppair_top_check_(const dppair_top *top) {
  const int partial = top->kind == DPPAIR_TOP_PARTIAL, push = top->kind == DPPAIR_TOP_PUSH;
  const int ranks = top->kind == DPPAIR_TOP_NDCG;
  if (!partial && !push && !ranks && top->kind != DPPAIR_TOP_PRECISION) return DPPAIR_ERR_DOMAIN;
  if (push && (top->power < 1 || top->power > 64)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(top->cap) || !(top->cap >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!partial && (top->negatives || top->positives)) return DPPAIR_ERR_UNREAD;
  if ((!push && top->power) || (!ranks && (top->depth || top->cap > 0.0))) return DPPAIR_ERR_UNREAD;
  return DPPAIR_OK;
}

/* The k-th largest of x[0..n), 1 <= k <= n; x is reordered. Quickselect, and sorting where pivots
 * fail too often. */
DPPAIR_API double dppair_top_threshold_(double *x, size_t n, size_t k) {
  size_t place = n - k, i;
  int depth = 8;
  for (i = n; i > 1; i /= 2) depth += 2;
  while (n > 24 && depth-- > 0) {
    const size_t m = dppair_partition_(x, n);
    if (place < m) {
      n = m;
    } else {
      x += m;
      place -= m;
      n -= m;
    }
  }
  dppair_sort_f64(x, n);
  return x[place];
}

/* The cut that leaves k of the n scores key[0..n) (0: all); sorted is room for n numbers. */
DPPAIR_API dppair_top_cut_ dppair_top_cut_find_(const double *key, double *sorted, size_t n,
                                                size_t k) {
  dppair_top_cut_ cut = {-HUGE_VAL, 1.0};
  size_t above = 0, tied = 0, i;
  if (k == 0 || k >= n) return cut;
  memcpy(sorted, key, n * sizeof *key);
  cut.at = dppair_top_threshold_(sorted, n, k);
  for (i = 0; i < n; i++) {
    above += key[i] > cut.at;
    tied += !(key[i] > cut.at) && !(key[i] < cut.at);
  }
  cut.share = (double)(k - above) / (double)tied;
  return cut;
}

/* The weight that a cut gives to a score. */
DPPAIR_API double dppair_top_weight_(const dppair_top_cut_ *cut, double key) {
  return key > cut->at ? 1.0 : key < cut->at ? 0.0 : cut->share;
}

/* A score as it counts where scores are held within +-cap. */
DPPAIR_API double dppair_top_held_(double v, double cap) {
  return v > cap ? cap : v < -cap ? -cap : v;
}

/* x^k by products: within 2 k units of the last place. */
DPPAIR_API double dppair_top_power_(double x, unsigned k) {
  double y = 1.0;
  while (k--) y *= x;
  return y;
}

/* Divides weights w[0..n) >= 0 by a power of two so that none is above 1, and returns it. */
DPPAIR_API double dppair_top_scale_(double *w, size_t n) {
  double most = 0.0, scale;
  size_t i;
  int e;
  for (i = 0; i < n; i++) most = w[i] > most ? w[i] : most;
  if (!(most > DBL_MIN) || !dppair_isfinite_f64(most)) return 1.0;
  (void)dppair_frexp_(most, &e);
  scale = dppair_ldexp_(1.0, e);
  for (i = 0; i < n; i++) w[i] /= scale;
  return scale;
}

DPPAIR_FP_END_
