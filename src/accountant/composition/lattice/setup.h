/* ------------------------------------------------------------------------------------------------
 * What a composition on the lattice is made of
 *
 * The list of laws, the checks of tables, the choice of h, and the arrays in the workspace. A
 * composition keeps its steps in the dppair_contour_ of contour/theory.h.
 * ---------------------------------------------------------------------------------------------- */

/* The t-th law: of a step or, at t = count, of all plain Gaussian steps together. A law without
 * losses has the kind DPPAIR_LAW_NONE_. */
DPPAIR_API dppair_status dppair_lattice_law_(dppair_law_ *law, const dppair_contour_ *s, size_t t) {
  dppair_status status;
  if (t < s->count) {
    status = dppair_law_of_(law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && (law->kind == DPPAIR_LAW_GAUSSIAN_ || law->steps == 0.0))
      law->kind = DPPAIR_LAW_NONE_;
    return status;
  }
  memset(law, 0, sizeof *law);
  if (s->variance > 0.0) {
    law->kind = DPPAIR_LAW_MIXTURE_;
    law->terms = 1;
    law->p[0] = 1.0;
    law->slip = 16.0 * DPPAIR_UNIT_;
    law->shift[0] = dppair_sqrt_(s->variance);
  }
  return DPPAIR_OK;
}

/* Are these masses >= 0, and is their sum with the infinite one 1? */
DPPAIR_API dppair_status dppair_pld_table_check_(const double *mass, size_t size, int64_t first,
                                                 double infinity) {
  double sum = infinity;
  size_t i;
  if (mass == NULL) return DPPAIR_ERR_NULL;
  if (size == 0 || size > (size_t)1 << 26) return DPPAIR_ERR_SIZE;
  if (first > INT64_C(1000000000) || first < -INT64_C(1000000000)) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(infinity) || !dppair_all_finite_f64(mass, size))
    return DPPAIR_ERR_NOT_FINITE;
  if (infinity < 0.0) return DPPAIR_ERR_DOMAIN;
  for (i = 0; i < size; i++) {
    if (mass[i] < 0.0) return DPPAIR_ERR_DOMAIN;
    sum += mass[i];
  }
  return dppair_fabs_(sum - 1.0) <= 1e-9 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* Checks the tables and adds them to the composition; one with a law of its own backwards asks for
 * both directions. */
DPPAIR_API dppair_status dppair_pld_tables_(dppair_contour_ *s, int *directions,
                                            const dppair_pld_options_ *options) {
  size_t t;
  if (options->tables == NULL) return DPPAIR_ERR_NULL;
  s->tables = options->tables;
  s->table_count = options->table_count;
  for (t = 0; t < s->table_count; t++) {
    const dppair_loss_table_ *table = &s->tables[t];
    dppair_status status = dppair_pld_table_check_(table->forward, table->forward_size,
                                                   table->forward_first, table->forward_infinity);
    if (status == DPPAIR_OK && table->backward != NULL) {
      status = dppair_pld_table_check_(table->backward, table->backward_size, table->backward_first,
                                       table->backward_infinity);
      *directions = 2;
    }
    if (status != DPPAIR_OK) return status;
    if (table->steps == 0) return DPPAIR_ERR_STEPS;
    if (table->steps >= (size_t)1 << 30) return DPPAIR_ERR_OVERFLOW;
    s->total_steps += (double)table->steps;
  }
  return DPPAIR_OK;
}

/* The largest loss of the first step whose loss has atoms at both ends of its range, or 0. */
DPPAIR_API double dppair_pld_atom_(const dppair_contour_ *s) {
  size_t t;
  for (t = 0; t < s->count; t++) {
    if (s->steps[t].steps > 0 && dppair_mechanism_is_pure_(s->steps[t].kind))
      return dppair_step_loss_(&s->steps[t]);
  }
  return 0.0;
}

/* *h = the finest lattice on which the transform spans this period and every step's losses; an atom
 * falls on it. */
DPPAIR_API dppair_status dppair_pld_fit_(double *h, dppair_contour_ *s, size_t n, double period,
                                         double log_spend) {
  double span = period, e = dppair_pld_atom_(s);
  size_t t;
  dppair_law_ law;
  for (t = 0; t <= s->count; t++) {
    double low, high;
    dppair_status status = dppair_lattice_law_(&law, s, t);
    if (status != DPPAIR_OK) return status;
    dppair_cells_range_(&low, &high, &law, s->backward, log_spend);
    if (law.kind == DPPAIR_LAW_TABLE_) {
      status = dppair_table_widen_(&low, &high, s, t, &law);
      if (status != DPPAIR_OK) return status;
    }
    if (high - low > span) span = high - low;
  }
  *h = span / ((double)n - 16.0); /* dppair_cells_fill_ leaves at least 8 cells free */
  if (!(*h > 1e-8)) *h = 1e-8;
  if (e >= *h) *h = e / dppair_floor_(e / *h);
  return *h <= 0.25 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Lays the arrays out in the workspace, as dppair_pld_workspace_ counts them. */
DPPAIR_API void dppair_pld_layout_(dppair_contour_ *s, dppair_lattice_ *l, double *workspace) {
  double *p = workspace + (s->count + s->table_count + 1) * 2 * DPPAIR_SEARCH_NODES_;
  size_t t;
  s->search = workspace;
  for (t = 0; t < 4; t++, p += l->n) l->buffer[t] = p;
  l->rise = p;
  p += l->n;
  l->cosine = p;
  l->sine = p + l->n / 4;
  p += l->n / 2;
  for (t = 0; t < 2; t++) {
    l->re[t] = p;
    l->im[t] = p + l->n / 2 + 1;
    p += l->n + 2;
  }
}

/* What both public functions check and set up; spend: what hits beyond the cap may cost of delta.
 * *directions is 1 when both directions are the same. */
DPPAIR_API dppair_status dppair_pld_begin_(dppair_contour_ *s, dppair_lattice_ *l, int *directions,
                                           const dppair_step *steps, size_t count,
                                           const dppair_pld_options_ *options, double spend,
                                           double *workspace, size_t workspace_doubles) {
  size_t need;
  unsigned log2_size;
  int smooth;
  dppair_status status;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  memset(l, 0, sizeof *l);
  status = dppair_pld_workspace_(&need, count, options);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  status = dppair_pld_plan_(&l->h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  l->n = (size_t)1 << log2_size;
  l->automatic = l->h == 0.0;
  status = dppair_contour_begin_(s, directions, &smooth, steps, count, spend);
  if (status != DPPAIR_OK) return status;
  if (options != NULL && options->table_count > 0) {
    status = dppair_pld_tables_(s, directions, options);
    if (status != DPPAIR_OK) return status;
    if (l->h == 0.0) return DPPAIR_ERR_DOMAIN; /* tables state their lattice */
  } else if (l->h > 0.0) {
    const double e = dppair_pld_atom_(s);
    if (e > 0.0) l->h = e / dppair_ceil_(e / l->h);
  }
  s->grid_step = l->h;
  dppair_pld_layout_(s, l, workspace);
  s->spare = workspace + need;
  s->spares = workspace_doubles - need;
  dppair_fft_table_(l->cosine, l->sine, l->n);
  return DPPAIR_OK;
}
