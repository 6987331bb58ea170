/* ------------------------------------------------------------------------------------------------
 * Random allocation: the density of a + b batches
 *
 * Bounds at the edges of runs of 32 steps, the interpolated sums inside, their errors, and the cut
 * of the table (theory.h, 1 to 6). Relies on meeting.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LOOPS_BEGIN_

#if defined(__GNUC__)
typedef double dppair_two_ __attribute__((vector_size(16), aligned(8), may_alias));

/* sum[j] += sum_q w[q] p[j + q] for 32 outputs j: two chains of eight taps each. */
DPPAIR_API void dppair_taps_sum_(double *sum, const double *w, const double *p) {
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
DPPAIR_API void dppair_taps_sum_(double *sum, const double *w, const double *p) {
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
DPPAIR_API void dppair_products_(double *DPPAIR_RESTRICT_ p, double *DPPAIR_RESTRICT_ r,
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
DPPAIR_API void dppair_run_weights_(double *DPPAIR_RESTRICT_ w, double *DPPAIR_RESTRICT_ v,
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
DPPAIR_API void dppair_tilt_of_(dppair_tilt_ *t, double here, double next, double h) {
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
DPPAIR_API void dppair_runs_edges_(dppair_runs_ *r) {
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
DPPAIR_API double dppair_runs_most_(const dppair_runs_ *r, size_t e) {
  return r->m.block * dppair_larger_(r->bound[e], r->bound[e + 1]);
}

/* Chooses the runs that are computed: those between the first and the last that may hold `little`.
 * The sums at the others' nodes are added up, since bounds at edges alone would count what is
 * missing many times. */
DPPAIR_API void dppair_runs_choose_(dppair_runs_ *r, double little) {
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
DPPAIR_API int dppair_run_skips_(const dppair_runs_ *r, size_t k, double spare) {
  const double low = r->terms[k], high = r->terms[r->m.count + k];
  return low >= 0.0 && high >= 0.0 && r->m.block * dppair_larger_(low, high) < spare;
}

/* One run and phase: sum[j] and the bound bad[j] of its errors, both without gap. */
DPPAIR_API void dppair_run_(double *sum, double *bad, const dppair_runs_ *r,
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
DPPAIR_API void dppair_runs_fill_(dppair_runs_ *r, dppair_density_ *out) {
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
DPPAIR_API void dppair_runs_start_(dppair_runs_ *r) {
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
DPPAIR_API void dppair_runs_errors_(dppair_runs_ *r, double *error, const dppair_density_ *out,
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
DPPAIR_API void dppair_runs_missing_(const dppair_runs_ *r, double *error,
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
