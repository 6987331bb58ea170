/* ------------------------------------------------------------------------------------------------
 * Random allocation: the table of a + b batches, cut and charged
 *
 * Relies on combine.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_API double dppair_weight_(double l) { return l > 0.0 ? dppair_exp_(l) * 1.000001 : 1.0; }

/* The nodes [*begin, *end) that stay: from the largest value outwards while the relative error is
 * at most 1000. */
DPPAIR_API void dppair_cut_ends_(size_t *begin, size_t *end, const dppair_density_ *out,
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
DPPAIR_API dppair_status dppair_runs_cut_(const dppair_runs_ *r, dppair_density_ *out,
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
DPPAIR_API dppair_status dppair_combine_tables_(dppair_density_ *out, double *work, size_t room,
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
