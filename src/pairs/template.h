/* ------------------------------------------------------------------------------------------------
 * The functions of an instance over pairs: they check their arguments and choose the tier
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *risk = sum over i < np, j < nn of phi(sp[i] - sn[j]), exact O(np nn). params: the loss's own
 * parameters or NULL if it has none. NOT_FINITE when a score or the result is not finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_risk(double *risk, const DPPAIR_REAL *sp,
                                                            size_t np, const DPPAIR_REAL *sn,
                                                            size_t nn, const DPPAIR_REAL *params) {
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  DPPAIR_DISPATCH_(DPPAIR_NAME_risk, (risk, sp, np, sn, nn, params));
  if (!dppair_isfinite_f64(*risk)) {
    *risk = 0.0;
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

/* a[i] = d(sum)/d sp[i] = sum_j phi'(sp[i] - sn[j]) for i < np, b[j] = d(sum)/d sn[j] =
 * -sum_i phi'(sp[i] - sn[j]) for j < nn, exact O(np nn). With rows X+ and X-, the gradient of the
 * sum for linear scores is X+^T a + X-^T b (dppair_combine_*).
 *
 * Rounding, u = 2^-24 (float) or 2^-53: a pair's slope is computed once, in the element type, as a
 * function of its two scores alone, and the same number goes into a[i] and b[j]; at most 64 are
 * added in that type before they go to double, so a coefficient is within partners * sup |phi'| *
 * 80 u of the sum of the computed slopes. NAME_surcharge says what that costs; for private work in
 * float prefer NAME_coeffs_fast, which adds in double throughout.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs(double *a, double *b,
                                                              const DPPAIR_REAL *sp, size_t np,
                                                              const DPPAIR_REAL *sn, size_t nn,
                                                              const DPPAIR_REAL *params) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK || np == 0 || nn == 0) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (a, b, sp, np, sn, nn, params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

/*
 * What arithmetic costs: the sensitivity S, proved for the exact gradient of the SUM over pairs,
 * holds for the gradient AS COMPUTED when it is made
 *
 *     S * *factor + *rounding      (both divided by the normaliser, if S is that of a mean)
 *
 * whichever of NAME_gradient, NAME_coeffs, _coeffs_fast or _coeffs_auto computes it, followed by
 * dppair_combine; and, for f = NULL, NAME_clip_gradient, _clip_coeffs and _clip_cached.
 *   n        records in all, each of norm at most `radius`
 *   f        the prepared state in use, or NULL for the pair loops
 *   slope    a bound of |phi'| at the computed margins, on which S rests (with a clip S rests on
 *            the clip, and any bound will do)
 * Listed pairs: dppair_pairs_surcharge. Forms: NAME_metric_error, to be added twice.
 *
 * Proof. Every computed slope is a function K(s, s') of its pair's two scores alone, whose values
 * reach beyond those of phi' by at most f->kernel_error E (NULL: by 4 units in the last place) at
 * either end. A proof that uses only the length of their range, slope for a loss that falls or
 * rises and 2 slope else, therefore holds for exact sums of K with S (1 + 2 E/slope). The computed
 * gradient is off such a sum by half of *rounding at most, for either of two neighbours, u = 2^-53:
 *   loops     a coefficient, by 80 u (float: 2^-24) in its own type and n u in double per partner;
 *             that also covers clipped coefficients, chains of n additions in double
 *   boxes     a moment is a sum of chains of at most 1024 + n/4096 + 8 additions of powers that are
 *             each within 14 u; a translated coefficient adds at most (2 reach + 1) p/4 + 8
 *             products, Horner's rule 2p roundings; per partner all that times f->weight, the
 *             largest sum |K_kl| of a box, times u
 *   sorting   n + 8 additions of numbers of at most f->weight per partner
 *   X^T c     (n + 4) u times the sum of |c_i| |x_i|
 * with n+ n- <= n^2/4 pairs on either side. DOMAIN for a bad argument or an f that is not prepared
 * (slope 0 with a kernel error too), SIZE (n u beyond 1/1000), OVERFLOW, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_surcharge(double *factor, double *rounding,
                                                                 const dppair_fast *f, size_t n,
                                                                 double radius, double slope) {
  return dppair_surcharge_(factor, rounding, DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? f : NULL, /* else the loops run */
                           DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON, n, radius,
                           slope);
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* *bytes = the workspace of NAME_fast_init for at most n records. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_size(size_t *bytes, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap,
                                                                 const DPPAIR_REAL *params) {
  (void)accuracy;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n > SIZE_MAX / 64 || n > UINT32_MAX / 4) return DPPAIR_ERR_OVERFLOW;
  if (!dppair_isfinite_f64(cap) || cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  *bytes = (2 * n + 3) * sizeof(double) + (3 * n + 4) * sizeof(uint32_t) + 64;
  return DPPAIR_OK;
}

/* Prepares *f in the workspace. The accuracy is not used: results are exact. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap,
                                                                 const DPPAIR_REAL *params,
                                                                 double *work, size_t bytes) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  size_t needed, k;
  dppair_status status;
  (void)params;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_fast_size(&needed, n, accuracy, cap, params);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  f->kind = DPPAIR_KIND_PIECEWISE_;
  f->capacity = n;
  f->score_cap = cap;
  f->work = work;
  for (k = 0; k < sizeof pieces / sizeof *pieces; k++)
    f->weight += fabs(pieces[k].constant) + 2.0 * cap * fabs(pieces[k].factor);
  return DPPAIR_OK;
}

/* NAME_coeffs exactly, in O(n log n) or better, summed in double; counts are integers. A score
 * beyond the cap counts as the cap. NOT_FINITE for a bad score, WORKSPACE for more records
 * (np + nn) than prepared for, ENVIRONMENT; outputs are then zero. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_fast(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const DPPAIR_REAL *params,
                                                                   const dppair_fast *f) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
  dppair_status status = dppair_fast_check_(a, b, sp, np, sn, nn, f, DPPAIR_KIND_PIECEWISE_);
  (void)params;
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  DPPAIR_DISPATCH_(dppair_pieces_coeffs,
                   (&status, a, b, sp, np, sn, nn, f, pieces, count, !DPPAIR_TEMPLATE_F64_));
  return dppair_settle_(status, a, np, b, nn);
}
#endif

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* *bytes = the workspace of NAME_fast_init for at most n records with scores in [-cap, cap]. DOMAIN
 * when the accuracy, the cap or the loss's parameters are out of range. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_size(size_t *bytes, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap,
                                                                 const DPPAIR_REAL *params) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  dppair_fast f;
  dppair_status status;
  (void)n;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_box_plan_(&f, poles, accuracy, cap);
  if (status == DPPAIR_OK) *bytes = dppair_box_doubles_(&f) * sizeof(double);
  return status;
}

/* Prepares *f in the workspace, which must live as long as *f is used. It costs about as much as
 * one call with a few thousand records; do it once. On an error *f is unusable and says so. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap,
                                                                 const DPPAIR_REAL *params,
                                                                 double *work, size_t bytes) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  double hi[16][16], lo[16][16], u[256], slope[256], ends[8], low;
  size_t needed, side;
  int o, i, j, p;
  dppair_status status;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_fma_check_();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_fast_size(&needed, n, accuracy, cap, params);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  status = dppair_box_plan_(f, poles, accuracy, cap);
  if (status != DPPAIR_OK) return status;
  f->table = work + (64 - ((uintptr_t)work & 63)) % 64 / sizeof *work;
  p = f->terms;
  side = (size_t)(p * f->stride);
  f->work = f->table + (2 * (size_t)f->reach + 1) * side;
  dppair_box_basis_(hi, lo, p);
  for (i = 0; i < 8; i++) ends[i] = (i % 2 ? 64.0 : -64.0) * poles.distance;
  DPPAIR_NAME_slopes_(ends, ends, 8, params);
  f->low = ends[0];
  f->high = ends[1];
  for (o = -f->reach; o <= f->reach; o++) {
    double weight;
    for (i = 0; i < p; i++)
      for (j = 0; j < p; j++)
        u[i * p + j] = f->width * ((double)o + 0.5 * (dppair_box_cosine_(2 * i + 1, p, &low) -
                                                      dppair_box_cosine_(2 * j + 1, p, &low)));
    DPPAIR_NAME_slopes_(slope, u, (size_t)(p * p), params);
    weight =
        dppair_box_column_(f->table + (size_t)(o + f->reach) * side, slope, p, f->stride, hi, lo);
    f->weight = weight > f->weight ? weight : f->weight;
  }
  return DPPAIR_OK;
}

/* NAME_coeffs in O(n) by the box method, to within f->kernel_error per pair: see dppair_fast.
 * Always accumulated in double. A score beyond the cap counts as the cap. NOT_FINITE for a bad
 * score, WORKSPACE for an f of another kind, ENVIRONMENT; outputs are then zero. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_fast(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const DPPAIR_REAL *params,
                                                                   const dppair_fast *f) {
  dppair_status status = dppair_fast_check_(a, b, sp, np, sn, nn, f, DPPAIR_KIND_ANALYTIC_);
  (void)params;
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  DPPAIR_DISPATCH_(dppair_box_coeffs, (&status, a, b, sp, np, sn, nn, f, !DPPAIR_TEMPLATE_F64_));
  return dppair_settle_(status, a, np, b, nn);
}
#endif

#if DPPAIR_KIND_ == DPPAIR_KIND_PAIRS_
/* A loss without a near-linear algorithm: _coeffs_auto and _gradient use the pair loops. */
#define DPT_FAST(a, b, sp, np, sn, nn, params, f) DPPAIR_ERR_WORKSPACE
#else
#define DPT_FAST(a, b, sp, np, sn, nn, params, f)                                                  \
  DPPAIR_NAME_coeffs_fast(a, b, sp, np, sn, nn, params, f)
#endif

/* Part `part` of `parts` of NAME_coeffs: the rows from dppair_part_begin on of sp fill their
 * share of a, and b[0..nn) gets their contribution; dppair_join adds those of all parts. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_part(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const DPPAIR_REAL *params,
                                                                   size_t part, size_t parts) {
  size_t i;
  const dppair_status status = dppair_zero_(NULL, 0, b, nn);
  if (status != DPPAIR_OK) return status;
  if (parts == 0 || part >= parts) return DPPAIR_ERR_SIZE;
  if ((!a && np) || (!sp && np)) return DPPAIR_ERR_NULL;
  i = dppair_part_begin(np, part, parts);
  return DPPAIR_NAME_coeffs(np ? a + i : a, b, np ? sp + i : sp,
                            dppair_part_begin(np, part + 1, parts) - i, sn, nn, params);
}

/*
 * NAME_coeffs_fast when f is prepared, otherwise (or where the loss has no such algorithm)
 * NAME_coeffs. *fast = 1 or 0 says which ran; f and fast may be NULL.
 *
 * Never by the number of records: a batch of 128 has a neighbour of 127, and between two kinds of
 * arithmetic EVERY pair's slope moves, by a whole slope at a kink, which no figure covers. With f
 * fewer than 64 records take up to about three times the loops' time, but below a microsecond (10
 * where the scores spread over hundreds of boxes): whoever wants the loops there gives no f.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_auto(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const DPPAIR_REAL *params, const dppair_fast *f, int *fast) {
  const int use = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && f && f->kind != 0;
  if (fast) *fast = use;
  return use ? DPT_FAST(a, b, sp, np, sn, nn, params, f)
             : DPPAIR_NAME_coeffs(a, b, sp, np, sn, nn, params);
}

/* a and b as NAME_coeffs, summed over the m listed pairs (i[k], j[k]) only, each times weight[k],
 * or 1 when weight is NULL: mini-batches, matchings, rankings by query. O(m). SIZE when an index is
 * out of range, NOT_FINITE for a bad score, weight or result. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const size_t *i, const size_t *j, const double *weight, size_t m, const DPPAIR_REAL *params) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  size_t k, wrong = 0;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn) || ((!i || !j) && m)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (weight && !dppair_all_finite_f64(weight, m)) return DPPAIR_ERR_NOT_FINITE;
  for (k = 0; k < m; k++) wrong |= (size_t)(i[k] >= np) | (size_t)(j[k] >= nn);
  if (wrong) return DPPAIR_ERR_SIZE;
  DPPAIR_DISPATCH_(DPPAIR_NAME_pairs, (a, b, sp, sn, i, j, weight, m, params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

/* *bytes = the workspace of NAME_gradient for n = np + nn records and this many parts. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_gradient_size(size_t *bytes, size_t n,
                                                                     size_t d, size_t parts) {
  size_t sums;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (parts == 0) return DPPAIR_ERR_SIZE;
  if (n > SIZE_MAX / 64 || parts > SIZE_MAX / 64 || dppair_size_mul(&sums, 2 * parts, d) ||
      sums > SIZE_MAX / 64)
    return DPPAIR_ERR_OVERFLOW;
  *bytes = (n + sums) * sizeof(double) + n * sizeof(DPPAIR_REAL);
  return DPPAIR_OK;
}

/*
 * g[0..d) = sum over i < np, j < nn of phi'(<xp_i - xn_j, w>) (xp_i - xn_j): the gradient in w of
 * the sum of phi over all pairs, for the linear score <x, w>. Rows as in dppair_scores; w has d
 * numbers. f: from NAME_fast_init, for the near-linear coefficients; NULL for the exact pair loops
 * (see NAME_coeffs_auto). parts: NULL for one part. The normaliser, n(n-1) or another public
 * number, and the noise are the caller's; for the sensitivity see NAME_surcharge. g is summed in
 * double. Errors zero g: NULL, SIZE (ld < d), OVERFLOW, WORKSPACE, NOT_FINITE, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient(double *g, const DPPAIR_REAL *xp, size_t np, const DPPAIR_REAL *xn, size_t nn,
                     size_t d, size_t ld, const DPPAIR_REAL *w, const DPPAIR_REAL *params,
                     const dppair_fast *f, const dppair_parts *parts, double *work, size_t bytes) {
  dppair_rows_ r;
  dppair_runner *run = parts && parts->run ? parts->run : dppair_run_serial;
  void *self = parts ? parts->self : NULL;
  const size_t count = parts ? parts->parts : 1;
  size_t needed;
  dppair_status status = dppair_array_(g, d);
  if (status != DPPAIR_OK) return status;
  if (d) memset(g, 0, d * sizeof *g);
  if ((!xp && np && d) || (!xn && nn && d) || (!w && d)) return DPPAIR_ERR_NULL;
  if (ld < d) return DPPAIR_ERR_SIZE;
  if (np > SIZE_MAX - nn || dppair_area_(dppair_area_(np + nn, ld), sizeof *g) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  status = DPPAIR_NAME_gradient_size(&needed, np + nn, d, count);
  if (status != DPPAIR_OK) return status;
  if (!work && needed) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (!DPT_FINITE(w, d)) return DPPAIR_ERR_NOT_FINITE;
  memset(&r, 0, sizeof r);
  r.is_f32 = !DPPAIR_TEMPLATE_F64_;
  r.x[0] = xp;
  r.x[1] = xn;
  r.w = w;
  r.n[0] = np;
  r.n[1] = nn;
  r.d = d;
  r.ld = ld;
  r.parts = count;
  r.c[0] = work;
  r.c[1] = work + np;
  r.g = work + np + nn;
  r.s[0] = r.g + 2 * count * d;
  r.s[1] = (DPPAIR_REAL *)r.s[0] + np;
  run(dppair_rows_scores_, &r, count, self);
  status = DPPAIR_NAME_coeffs_auto(r.c[0], r.c[1], (const DPPAIR_REAL *)r.s[0], np,
                                   (const DPPAIR_REAL *)r.s[1], nn, params, f, NULL);
  if (status != DPPAIR_OK) return status;
  run(dppair_rows_combine_, &r, count, self);
  if (d) dppair_join(r.g, d, 2 * count);
  if (d) memcpy(g, r.g, d * sizeof *g);
  return dppair_finish_(g, d);
}
#undef DPT_FAST
DPPAIR_FP_END_
