/* The t-th law: of a step, or, at t = count, of all plain Gaussian steps together. Without losses:
 * the kind is DPPAIR_LAW_NONE_. */
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
    law->shift[0] = sqrt(s->variance);
  }
  return DPPAIR_OK;
}

/* About log M(c) of step t, of the plain Gaussian steps (t = count), of tables (beyond). */
DPPAIR_API double dppair_contour_search_log_(const dppair_contour_ *s, size_t t, double c) {
  if (t == s->count) return 0.5 * s->variance * c * (c + 1.0);
  if (t > s->count) t--;
  return dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t, c);
}

/* Lattice laws of all steps in one direction, multiplied together. s->c and s->right are chosen. */
DPPAIR_API dppair_status dppair_lattice_compose_(dppair_lattice_ *l, const dppair_contour_ *s,
                                                 double log_spend) {
  const size_t n = l->n;
  size_t t, k;
  int d;
  dppair_cells_ cells;
  dppair_law_ law;
  dppair_status status;
  l->c = s->c;
  l->kappa = l->infinity = l->certain = l->shift = l->log_right = l->drift = 0.0;
  for (d = 0; d < 2; d++) {
    l->log_k[d] = l->error[d] = 0.0;
    for (k = 0; k <= n / 2; k++) {
      l->re[d][k] = 1.0;
      l->im[d][k] = 0.0;
    }
  }
  memset(&cells, 0, sizeof cells);
  cells.h = l->h;
  cells.growth = exp(l->h);
  cells.right = l->buffer[2];
  cells.left = l->buffer[3];
  cells.size = n;
  for (t = 0; t <= s->count; t++) {
    const size_t times = t < s->count ? s->steps[t].steps : 1;
    status = dppair_lattice_law_(&law, s, t);
    if (status != DPPAIR_OK) return status;
    if (law.kind == DPPAIR_LAW_NONE_) continue;
    status = dppair_cells_fill_(&cells, &law, s->backward, log_spend);
    if (status == DPPAIR_OK && l->trimmed)
      status = dppair_lattice_multiply_small_(l, &cells, s->right, times);
    else if (status == DPPAIR_OK)
      status =
          dppair_lattice_multiply_(l, &cells, dppair_contour_search_log_(s, t, s->c),
                                   dppair_contour_search_log_(s, t, s->right), s->right, times);
    if (status != DPPAIR_OK) return status;
  }
  for (t = 0; t < s->table_count; t++) {
    const dppair_loss_table *table = &s->tables[t];
    const int backward = s->backward && table->backward != NULL;
    const double *mass = backward ? table->backward : table->forward;
    const size_t size = backward ? table->backward_size : table->forward_size;
    if (size + 2 > n) return DPPAIR_ERR_NO_CONVERGENCE;
    memset(cells.right, 0, n * sizeof *cells.right);
    memset(cells.left, 0, n * sizeof *cells.left);
    memcpy(cells.left, mass, size * sizeof *mass);
    cells.first = backward ? table->backward_first : table->forward_first;
    cells.infinity = backward ? table->backward_infinity : table->forward_infinity;
    cells.loss_error = cells.mass_error = 0.0;
    cells.table = 1;
    status = dppair_lattice_multiply_(
        l, &cells, dppair_contour_search_log_(s, s->count + 1 + t, s->c),
        dppair_contour_search_log_(s, s->count + 1 + t, s->right), s->right, table->steps);
    if (status != DPPAIR_OK) return status;
  }
  l->infinity = -expm1(l->infinity) * (1.0 + 1e-14);
  l->certain = -expm1(l->certain) * (1.0 - 1e-14);
  /* the product of the errors is linear within the 1 % that drift has to spare */
  if (l->trimmed && !(l->drift * (1.0 + exp(l->c * l->h)) + l->error[1] < 2e-3))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_finish_(l);
  return DPPAIR_OK;
}

/* A table is usable: masses in [0, 1] that sum to 1 with what is infinite. */
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
  return fabs(sum - 1.0) <= 1e-9 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* The first loss that has atoms at both ends of its range, or 0. */
DPPAIR_API double dppair_pld_atom_(const dppair_contour_ *s) {
  size_t t;
  for (t = 0; t < s->count; t++) {
    const dppair_step *step = &s->steps[t];
    if (step->steps == 0) continue;
    if (step->kind == DPPAIR_LAPLACE) return 1.0 / step->noise_multiplier;
    if (step->kind == DPPAIR_PURE || step->kind == DPPAIR_RANDOMISED_RESPONSE)
      return step->noise_multiplier;
  }
  return 0.0;
}

/* The step that makes the transform span every step's losses, and this period. */
DPPAIR_API dppair_status dppair_pld_fit_(double *h, const dppair_contour_ *s, size_t n,
                                         double period, double log_spend) {
  double span = period, e = dppair_pld_atom_(s);
  size_t t;
  dppair_law_ law;
  for (t = 0; t <= s->count; t++) {
    double low, high;
    dppair_status status = dppair_lattice_law_(&law, s, t);
    if (status != DPPAIR_OK) return status;
    dppair_cells_range_(&low, &high, &law, s->backward, log_spend);
    if (high - low > span) span = high - low;
  }
  *h = span / ((double)n - 16.0);
  if (!(*h > 1e-8)) *h = 1e-8;
  if (e >= *h) *h = e / floor(e / *h);
  return *h <= 0.25 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* Everything that both public functions check and set up. */
DPPAIR_API dppair_status dppair_pld_begin_(dppair_contour_ *s, dppair_lattice_ *l, int *directions,
                                           const dppair_step *steps, size_t count,
                                           const dppair_pld_options *options, double spend,
                                           double *workspace, size_t workspace_doubles) {
  size_t need, t;
  unsigned log2_size;
  int smooth;
  double *p;
  dppair_status status;
  if (workspace == NULL || (steps == NULL && count > 0)) return DPPAIR_ERR_NULL;
  memset(l, 0, sizeof *l);
  status = dppair_pld_workspace(&need, count, options);
  if (status != DPPAIR_OK) return status;
  if (workspace_doubles < need) return DPPAIR_ERR_WORKSPACE;
  status = dppair_pld_plan_(&l->h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  l->n = (size_t)1 << log2_size;
  l->automatic = l->h == 0.0;
  status = dppair_contour_begin_(s, directions, &smooth, steps, count, spend);
  if (status != DPPAIR_OK) return status;
  if (options != NULL && options->table_count > 0) {
    if (options->tables == NULL) return DPPAIR_ERR_NULL;
    s->tables = options->tables;
    s->table_count = options->table_count;
    for (t = 0; t < s->table_count; t++) {
      const dppair_loss_table *table = &s->tables[t];
      status = dppair_pld_table_check_(table->forward, table->forward_size, table->forward_first,
                                       table->forward_infinity);
      if (status == DPPAIR_OK && table->backward != NULL) {
        status = dppair_pld_table_check_(table->backward, table->backward_size,
                                         table->backward_first, table->backward_infinity);
        *directions = 2;
      }
      if (status != DPPAIR_OK) return status;
      if (table->steps == 0) return DPPAIR_ERR_STEPS;
      if (table->steps >= (size_t)1 << 30) return DPPAIR_ERR_OVERFLOW;
      s->total_steps += (double)table->steps;
    }
    if (l->h == 0.0) return DPPAIR_ERR_DOMAIN;
  } else if (l->h > 0.0) {
    const double e = dppair_pld_atom_(s);
    if (e > 0.0) l->h = e / ceil(e / l->h);
  }
  s->grid_step = l->h;
  s->search = workspace;
  p = workspace + (count + s->table_count + 1) * 2 * DPPAIR_SEARCH_NODES_;
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
  dppair_fft_table_(l->cosine, l->sine, l->n);
  return DPPAIR_OK;
}

/* 1 when few hits are expected altogether. */
DPPAIR_API int dppair_pld_rare_(const dppair_contour_ *s, const dppair_lattice_ *l) {
  double hits = 0.0;
  size_t t;
  dppair_law_ law;
  if (!l->automatic || s->table_count > 0) return 0;
  for (t = 0; t < s->count; t++)
    if (dppair_law_of_(&law, &s->steps[t], s->tail) == DPPAIR_OK && dppair_branches_(&law) > 0)
      hits += law.steps * (1.0 - law.rest);
  return hits > 0.0 && hits < 4.0;
}

/*
 * One direction, ready for questions. *guess: epsilon, or log delta. With `about`, epsilon and the
 * logarithm of delta or nearly so, for steps that are hardly ever hit: their losses are spread over
 * many orders of magnitude, and e^(cL) with a c that suits the many small ones is all at the rare
 * large ones. So the laws are cut where 1e-6 of delta is beyond, which allows a finer lattice and a
 * larger c.
 */
DPPAIR_API dppair_status dppair_pld_prepare_(double *guess, dppair_contour_ *s, dppair_lattice_ *l,
                                             int for_delta, double given, const double *about) {
  const double digits = about != NULL ? 15.0 : 26.0;
  double best, log_delta, log_spend = 0.0, c;
  dppair_status status;
  s->reach_c = 0.0;
  s->c_limit = l->automatic ? 1e4 : 0.05 / l->h;
  l->trimmed = about != NULL;
  s->trim = 0.0;
  if (about != NULL) {
    s->about[0] = about[0];
    s->about[1] = about[1] < -1.0 ? (about[1] > -600.0 ? about[1] : -600.0) : -1.0;
    s->trim = log_spend = s->about[1] - 14.5 - log(s->total_steps + 1.0);
  }
  status = dppair_contour_saddle_(&best, s, for_delta, given);
  if (status != DPPAIR_OK) return status;
  c = s->c;
  status = dppair_contour_choose_(guess, s, for_delta, given, best, digits,
                                  about != NULL ? 0.0 : (double)l->n * l->h);
  if (status != DPPAIR_OK) return status;
  if (about == NULL) {
    log_delta = for_delta ? *guess : given;
    if (log_delta > -1.0) log_delta = -1.0;
    if (log_delta < -600.0) log_delta = -600.0;
    log_spend = log_delta - 28.0 - log(s->total_steps + 1.0);
  }
  if (l->automatic) {
    status = dppair_pld_fit_(&l->h, s, l->n, 2.0 * DPPAIR_PI_ / s->eta, log_spend);
    if (status != DPPAIR_OK) return status;
    s->c = c;
    status = dppair_contour_choose_(guess, s, for_delta, given, best, digits, (double)l->n * l->h);
    if (status != DPPAIR_OK) return status;
  }
  return dppair_lattice_compose_(l, s, log_spend);
}

/* Bounds of epsilon in a direction that has been prepared. */
DPPAIR_API void dppair_pld_between_(double *high, double *low, const dppair_contour_ *s,
                                    const dppair_lattice_ *l, double delta, double guess) {
  *high = dppair_lattice_epsilon_(l, 0, delta - s->failure, guess, s->right);
  if (!(*high >= 0.0)) *high = HUGE_VAL;
  if (*high > 0.0) *high += l->shift + 1e-13 * *high;
  *low = dppair_lattice_epsilon_(l, 1, delta, guess, s->right);
  *low -= l->shift + 1e-13 * *low;
}

/*
 * The epsilon of a composition at this delta by the lattice route: *lower <= truth <= *upper,
 * within O(T h^2), and *estimate. Any steps that have a dominating pair, and tables. Arguments and
 * errors as for dppair_contour_epsilon; options may be NULL. *upper is infinite when mass at
 * infinite loss exceeds delta. DPPAIR_ERR_NO_CONVERGENCE: a loss spans more than the transform.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_pld_epsilon(
    double *upper, double *lower, double *estimate, const dppair_step *steps, size_t count,
    double delta, const dppair_pld_options *options, double *workspace, size_t workspace_doubles) {
  dppair_contour_ s;
  dppair_lattice_ l;
  int directions, d, tries, rare;
  double best[2] = {0.0, 0.0};
  dppair_status status;
  if (upper == NULL || lower == NULL || estimate == NULL) return DPPAIR_ERR_NULL;
  *upper = *lower = *estimate = 0.0;
  if (!dppair_isfinite_f64(delta)) return DPPAIR_ERR_NOT_FINITE;
  if (!(delta >= DBL_MIN && delta < 1.0)) return DPPAIR_ERR_DELTA;
  status = dppair_pld_begin_(&s, &l, &directions, steps, count, options, 1e-12 * delta, workspace,
                             workspace_doubles);
  if (status != DPPAIR_OK) return status;
  rare = dppair_pld_rare_(&s, &l);
  for (d = 0; d < directions; d++) {
    double guess, high, low, h;
    s.backward = d;
    if (!(s.variance > 0.0) && s.total_steps == 0.0) break;
    status = dppair_pld_prepare_(&guess, &s, &l, 0, log(delta), NULL);
    if (status != DPPAIR_OK) return status;
    if (!(s.failure < 0.5 * delta)) return DPPAIR_ERR_NO_CONVERGENCE;
    dppair_pld_between_(&high, &low, &s, &l, delta, guess);
    h = l.h;
    for (tries = 0;
         rare && tries < 4 && high < HUGE_VAL && high > best[1] && high - low > 1e-5 * low;
         tries++) {
      const double about[2] = {high, log(delta)};
      double less, more;
      if (dppair_pld_prepare_(&guess, &s, &l, 0, about[1], about) != DPPAIR_OK) break;
      dppair_pld_between_(&less, &more, &s, &l, delta, guess);
      if (less < high) high = less;
      if (more > low) low = more;
      if (!(high < 0.9 * about[0])) break;
    }
    l.h = h;
    if (!(high <= best[0])) best[0] = high >= 0.0 ? high : HUGE_VAL;
    if (low > best[1]) best[1] = low;
  }
  *upper = best[0];
  *lower = best[1] = s.merged ? 0.0 : best[1];
  /* the upper law adds h^2/6 of variance to a step, the lower takes h^2/3 away */
  *estimate = dppair_estimate_(best[0], best[1], best[0] - (best[0] - best[1]) / 3.0);
  return DPPAIR_OK;
}

/* Bounds of delta in a direction that has been prepared: those at the lattice points around, moved
 * outwards by what the losses may be off. */
DPPAIR_API dppair_status dppair_pld_beside_(double *high, double *low, const dppair_contour_ *s,
                                            const dppair_lattice_ *l, double epsilon) {
  double at[2];
  int d;
  at[0] = epsilon - l->shift - 1e-13 * epsilon;
  if (at[0] < 0.0) at[0] = 0.0;
  at[1] = epsilon + l->shift + 1e-13 * epsilon;
  if (!(at[1] / l->h < 1e9)) return DPPAIR_ERR_EPSILON;
  for (d = 0; d < 2; d++) {
    const int64_t j = (int64_t)floor(at[d] / l->h);
    const double a = dppair_lattice_delta_(l, d, j, s->right);
    const double b = dppair_lattice_delta_(l, d, j + 1, s->right);
    const double part = expm1(at[d] - (double)j * l->h) / expm1(l->h);
    const double value = part > 0.0 ? (part < 1.0 ? a + part * (b - a) : b) : a;
    if (d == 0)
      *high = value * (1.0 + 1e-14) + s->failure;
    else
      *low = value * (1.0 - 1e-14);
  }
  return DPPAIR_OK;
}

/* One try, as for the contour. */
DPPAIR_API dppair_status dppair_pld_delta_(double *best, double *paid, const dppair_step *steps,
                                           size_t count, double epsilon, double spend,
                                           const dppair_pld_options *options, double *workspace,
                                           size_t workspace_doubles) {
  dppair_contour_ s;
  dppair_lattice_ l;
  int directions, d, tries, rare;
  dppair_status status = dppair_pld_begin_(&s, &l, &directions, steps, count, options, spend,
                                           workspace, workspace_doubles);
  best[0] = best[1] = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  *paid = s.failure;
  rare = dppair_pld_rare_(&s, &l);
  for (d = 0; d < directions; d++) {
    double guess, high = 1.0, low = 0.0, h;
    s.backward = d;
    if (!(s.variance > 0.0) && s.total_steps == 0.0) break;
    status = dppair_pld_prepare_(&guess, &s, &l, 1, epsilon, NULL);
    if (status != DPPAIR_OK) return status;
    status = dppair_pld_beside_(&high, &low, &s, &l, epsilon);
    if (status != DPPAIR_OK) return status;
    h = l.h;
    for (tries = 0; rare && tries < 3 && high > best[1] && high - low > 1e-4 * low; tries++) {
      const double about[2] = {epsilon, log(high)}, last = high - low;
      double less = 1.0, more = 0.0;
      if (dppair_pld_prepare_(&guess, &s, &l, 1, epsilon, about) != DPPAIR_OK ||
          dppair_pld_beside_(&less, &more, &s, &l, epsilon) != DPPAIR_OK)
        break;
      if (less < high) high = less;
      if (more > low) low = more;
      if (!(high - low < 0.9 * last)) break;
    }
    l.h = h;
    if (!(high <= best[0])) best[0] = high < 1.0 ? high : 1.0;
    if (low > best[1]) best[1] = low;
  }
  if (s.merged) best[1] = 0.0;
  return DPPAIR_OK;
}

/* The delta of a composition at this epsilon >= 0 by the lattice route, the same way. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_pld_delta(double *upper, double *lower, double *estimate, const dppair_step *steps,
                 size_t count, double epsilon, const dppair_pld_options *options, double *workspace,
                 size_t workspace_doubles) {
  double best[2] = {2.0, 0.0}, spend = 1e-24;
  if (upper == NULL || lower == NULL || estimate == NULL) return DPPAIR_ERR_NULL;
  *upper = *lower = *estimate = 0.0;
  if (!dppair_isfinite_f64(epsilon)) return DPPAIR_ERR_NOT_FINITE;
  if (epsilon < 0.0) return DPPAIR_ERR_EPSILON;
  do {
    double paid, now[2];
    const dppair_status status = dppair_pld_delta_(now, &paid, steps, count, epsilon, spend,
                                                   options, workspace, workspace_doubles);
    if (status != DPPAIR_OK && best[0] > 1.0) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 2)) break;
    spend = dppair_spend_less_(spend, paid, best);
  } while (spend > 0.0);
  *upper = best[0];
  *lower = best[1];
  *estimate = dppair_estimate_(best[0], best[1], best[0] - (best[0] - best[1]) / 3.0);
  return DPPAIR_OK;
}
