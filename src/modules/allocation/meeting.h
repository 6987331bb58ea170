/* ------------------------------------------------------------------------------------------------
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
DPPAIR_API double *dppair_pool_take_(dppair_pool_ *pool, size_t n) {
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
DPPAIR_API double dppair_meeting_gain_(double *g, int64_t *ahead, const dppair_meeting_ *m,
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
DPPAIR_API int dppair_meeting_stride_(dppair_meeting_ *m) {
  double g = 0.0;
  for (m->stride = (int64_t)(1.0 / dppair_sqrt_(m->bend)); m->stride > 0; m->stride--)
    if ((m->stride % 2 == 0 || m->stride == 1) &&
        dppair_meeting_gain_(&g, &m->ahead, m, m->h * (double)m->stride) >= 45.0)
      break;
  m->trapezoid = 2.0001 * dppair_exp_(-g);
  return m->stride > 0;
}

/* s(d)/h, and *error >= its error. */
DPPAIR_API long double dppair_meeting_place_(double *error, const dppair_meeting_ *m, double d) {
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
DPPAIR_API void dppair_meeting_shifts_(dppair_meeting_ *m) {
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

DPPAIR_API double *dppair_meeting_upper_(dppair_pool_ *pool, const dppair_density_ *d) {
  double *const up = dppair_pool_take_(pool, d->size);
  size_t i;
  for (i = 0; up != NULL && i < d->size; i++) up[i] = d->f[i] * (1.0 + d->error[i]) * 1.000001;
  return up;
}

/* Prepares the sum over d; z, n_a, n_b, a, b and split are given. NO_CONVERGENCE: h is too wide. */
DPPAIR_API dppair_status dppair_meeting_open_(dppair_meeting_ *m, dppair_pool_ *pool) {
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
DPPAIR_API double dppair_meeting_term_(const dppair_meeting_ *m, int64_t i, int64_t shift) {
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
DPPAIR_API double dppair_meeting_sum_(const dppair_meeting_ *m, int64_t j, size_t phase,
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
DPPAIR_API double dppair_falling_(double l) { return l > 0.0 ? dppair_exp_(-l) * 1.000001 : 1.0; }
