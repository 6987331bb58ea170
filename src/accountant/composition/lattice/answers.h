/* ------------------------------------------------------------------------------------------------
 * Answers of the lattice route
 *
 * Composes all steps in a direction, asks for delta or epsilon, and combines the directions. Relies
 * on setup.h, bounds.h and the search for c of the contour route.
 * ---------------------------------------------------------------------------------------------- */

/* About log M(c) of step t, of the plain Gaussian steps (t = count), of tables (t > count). */
DPPAIR_API double dppair_contour_search_log_(const dppair_contour_ *s, size_t t, double c) {
  if (t == s->count) return 0.5 * s->variance * c * (c + 1.0);
  if (t > s->count) t--;
  return dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t, c);
}

/* Multiplies a step's law, or a table, into K as often as it runs. */
DPPAIR_API dppair_status dppair_lattice_add_law_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                 dppair_contour_ *s, size_t t, double log_spend) {
  const size_t times = t < s->count ? dppair_step_runs_(&s->steps[t]) : 1;
  dppair_law_ law;
  dppair_status status = dppair_lattice_law_(&law, s, t);
  if (status != DPPAIR_OK || law.kind == DPPAIR_LAW_NONE_) return status;
  if (law.kind == DPPAIR_LAW_TABLE_) return dppair_table_multiply_(l, cells, s, t, &law);
  status = dppair_cells_fill_(cells, &law, s->backward, log_spend);
  if (status != DPPAIR_OK) return status;
  if (l->trimmed) return dppair_lattice_multiply_small_(l, cells, s->right, times);
  return dppair_lattice_multiply_(l, cells, dppair_contour_search_log_(s, t, s->c),
                                  dppair_contour_search_log_(s, t, s->right), s->right, times);
}

DPPAIR_API dppair_status dppair_lattice_add_table_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                   const dppair_contour_ *s, size_t t) {
  const dppair_loss_table_ *table = &s->tables[t];
  const int backward = s->backward && table->backward != NULL;
  const double *mass = backward ? table->backward : table->forward;
  const size_t size = backward ? table->backward_size : table->forward_size;
  const size_t place = s->count + 1 + t; /* among the laws of the search */
  if (size + 2 > l->n) return DPPAIR_ERR_NO_CONVERGENCE;
  memset(cells->right, 0, l->n * sizeof *cells->right);
  memset(cells->left, 0, l->n * sizeof *cells->left);
  memcpy(cells->left, mass, size * sizeof *mass);
  cells->first = backward ? table->backward_first : table->forward_first;
  cells->infinity = backward ? table->backward_infinity : table->forward_infinity;
  cells->loss_error = cells->mass_error = 0.0;
  cells->table = 1;
  return dppair_lattice_multiply_(l, cells, dppair_contour_search_log_(s, place, s->c),
                                  dppair_contour_search_log_(s, place, s->right), s->right,
                                  table->steps);
}

/* Composes the laws of all steps in one direction; s->c and s->right have been chosen. */
DPPAIR_API dppair_status dppair_lattice_compose_(dppair_lattice_ *l, dppair_contour_ *s,
                                                 double log_spend) {
  size_t t, k;
  int d;
  dppair_cells_ cells;
  dppair_status status = DPPAIR_OK;
  l->c = s->c;
  l->kappa = l->infinity = l->certain = l->shift = l->log_right = l->drift = 0.0;
  for (d = 0; d < 2; d++) {
    l->log_k[d] = l->error[d] = 0.0;
    for (k = 0; k <= l->n / 2; k++) {
      l->re[d][k] = 1.0;
      l->im[d][k] = 0.0;
    }
  }
  memset(&cells, 0, sizeof cells);
  cells.h = l->h;
  cells.growth = dppair_exp_(l->h);
  cells.right = l->buffer[2];
  cells.left = l->buffer[3];
  cells.size = l->n;
  for (t = 0; status == DPPAIR_OK && t <= s->count; t++)
    status = dppair_lattice_add_law_(l, &cells, s, t, log_spend);
  for (t = 0; status == DPPAIR_OK && t < s->table_count; t++)
    status = dppair_lattice_add_table_(l, &cells, s, t);
  if (status != DPPAIR_OK) return status;
  l->infinity = -dppair_expm1_(l->infinity) * (1.0 + 1e-14);
  l->certain = -dppair_expm1_(l->certain) * (1.0 - 1e-14);
  /* the product of the errors is linear within the 1 % that drift has to spare */
  if (l->trimmed && !(l->drift * (1.0 + dppair_exp_(l->c * l->h)) + l->error[1] < 2e-3))
    return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_lattice_finish_(l);
  return DPPAIR_OK;
}

/* Are fewer than 4 hits expected altogether, so that dppair_pld_refine_ can help? */
DPPAIR_API int dppair_pld_rare_(const dppair_contour_ *s, const dppair_lattice_ *l) {
  double hits = 0.0;
  size_t t;
  dppair_law_ law;
  if (!l->automatic || s->table_count > 0) return 0;
  for (t = 0; t < s->count; t++) {
    if (dppair_law_of_(&law, &s->steps[t], s->tail) != DPPAIR_OK) continue;
    if (law.kind == DPPAIR_LAW_TABLE_) return 0;
    if (dppair_branches_(&law) > 0) hits += law.steps * (1.0 - law.rest);
  }
  return hits > 0.0 && hits < 4.0;
}

/* log delta as it is used to cut tails: in [-600, -1], so that e^.. does not underflow. */
DPPAIR_API double dppair_pld_clamp_(double log_delta) {
  if (log_delta > -1.0) return -1.0;
  return log_delta < -600.0 ? -600.0 : log_delta;
}

/*
 * Composes one direction for a question: log delta at an epsilon (for_delta), or epsilon at a log
 * delta. *guess: about the answer.
 *
 * Laws are cut where together e^-28 of delta is left, and c is chosen so that aliases are below
 * e^-26 of it. With `about`, epsilon and log delta or nearly so, laws are cut where e^-14.5, or
 * 1e-6 of delta, is left, and aliases of e^-15 will do. That is for steps that are hardly ever hit:
 * their losses are spread over many orders of magnitude, and e^(cL) with a c that suits the many
 * small losses leaves only the rare large ones. Shorter laws allow a finer lattice and a larger c.
 */
DPPAIR_API dppair_status dppair_pld_prepare_(double *guess, dppair_contour_ *s, dppair_lattice_ *l,
                                             int for_delta, double given, const double *about) {
  const double digits = about != NULL ? 15.0 : 26.0;
  double best, log_spend = 0.0, c;
  dppair_status status;
  s->reach_c = 0.0;
  s->c_limit = l->automatic ? 1e4 : 0.05 / l->h; /* e^(ch): neighbours are tilted by 5 % at most */
  l->trimmed = about != NULL;
  s->trim = 0.0;
  if (about != NULL) {
    s->about[0] = about[0];
    s->about[1] = dppair_pld_clamp_(about[1]);
    s->trim = log_spend = s->about[1] - 14.5 - dppair_log_(s->total_steps + 1.0);
  }
  status = dppair_contour_saddle_(&best, s, for_delta, given);
  if (status != DPPAIR_OK) return status;
  c = s->c;
  status = dppair_contour_choose_(guess, s, for_delta, given, best, digits,
                                  about != NULL ? 0.0 : (double)l->n * l->h);
  if (status != DPPAIR_OK) return status;
  if (about == NULL)
    log_spend =
        dppair_pld_clamp_(for_delta ? *guess : given) - 28.0 - dppair_log_(s->total_steps + 1.0);
  if (l->automatic) { /* the lattice that fits, and then the line that fits the lattice */
    status = dppair_pld_fit_(&l->h, s, l->n, 2.0 * DPPAIR_PI_ / s->eta, log_spend);
    if (status != DPPAIR_OK) return status;
    s->c = c;
    status = dppair_contour_choose_(guess, s, for_delta, given, best, digits, (double)l->n * l->h);
    if (status != DPPAIR_OK) return status;
  }
  return dppair_lattice_compose_(l, s, log_spend);
}

/* Bounds of epsilon at delta in a direction that has been prepared; losses may be off by l->shift.
 * An infinite *high: mass at infinite loss exceeds delta. */
DPPAIR_API void dppair_pld_between_(double *high, double *low, const dppair_contour_ *s,
                                    const dppair_lattice_ *l, double delta, double guess) {
  *high = dppair_lattice_epsilon_(l, 0, delta - s->failure, guess, s->right);
  if (!(*high >= 0.0)) *high = HUGE_VAL;
  if (*high > 0.0) *high += l->shift + 1e-13 * *high;
  *low = dppair_lattice_epsilon_(l, 1, delta, guess, s->right);
  *low -= l->shift + 1e-13 * *low;
}

/* Bounds of delta at epsilon in a direction that has been prepared: interpolated between the
 * lattice points around an epsilon that is moved outwards by what losses may be off. */
DPPAIR_API dppair_status dppair_pld_beside_(double *high, double *low, const dppair_contour_ *s,
                                            const dppair_lattice_ *l, double epsilon) {
  double at[2];
  int d;
  at[0] = epsilon - l->shift - 1e-13 * epsilon;
  if (at[0] < 0.0) at[0] = 0.0;
  at[1] = epsilon + l->shift + 1e-13 * epsilon;
  if (!(at[1] / l->h < 1e9)) return DPPAIR_ERR_EPSILON;
  for (d = 0; d < 2; d++) {
    const int64_t j = (int64_t)dppair_floor_(at[d] / l->h);
    const double a = dppair_lattice_delta_(l, d, j, s->right);
    const double b = dppair_lattice_delta_(l, d, j + 1, s->right);
    const double part = dppair_expm1_(at[d] - (double)j * l->h) / dppair_expm1_(l->h);
    const double value = part > 0.0 ? (part < 1.0 ? a + part * (b - a) : b) : a;
    if (d == 0)
      *high = value * (1.0 + 1e-14) + s->failure;
    else
      *low = value * (1.0 - 1e-14);
  }
  return DPPAIR_OK;
}

/* Prepares a direction and asks it. */
DPPAIR_API dppair_status dppair_pld_ask_(double *high, double *low, dppair_contour_ *s,
                                         dppair_lattice_ *l, const dppair_question_ *q,
                                         const double *about) {
  double guess;
  const double given = q->for_delta ? q->given : dppair_log_(q->given);
  const dppair_status status = dppair_pld_prepare_(&guess, s, l, q->for_delta, given, about);
  if (status != DPPAIR_OK) return status;
  if (q->for_delta) return dppair_pld_beside_(high, low, s, l, q->given);
  if (!(s->failure < 0.5 * q->given)) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_pld_between_(high, low, s, l, q->given, guess);
  return DPPAIR_OK;
}

/*
 * Improves the bounds of a direction in which few hits are expected, by dppair_pld_prepare_ with
 * `about`, while they are further apart than 1e-5 of epsilon or 1e-4 of delta and exceed `other`,
 * the other direction's lower bound. Each round starts from the bounds of the one before; rounds
 * end when one gains less than a tenth.
 */
DPPAIR_API void dppair_pld_refine_(double *high, double *low, double other, dppair_contour_ *s,
                                   dppair_lattice_ *l, const dppair_question_ *q) {
  const double wide = q->for_delta ? 1e-4 : 1e-5, h = l->h;
  const int rounds = q->for_delta ? 3 : 4;
  int i;
  for (i = 0; i < rounds; i++) {
    const double before = *high, gap = before - *low;
    double about[2], less, more;
    if (!(before < HUGE_VAL && before > other && gap > wide * *low)) break;
    about[0] = q->for_delta ? q->given : *high;
    about[1] = dppair_log_(q->for_delta ? *high : q->given);
    if (dppair_pld_ask_(&less, &more, s, l, q, about) != DPPAIR_OK) break;
    if (less < *high) *high = less;
    if (more > *low) *low = more;
    if (!(q->for_delta ? *high - *low < 0.9 * gap : *high < 0.9 * before)) break;
  }
  l->h = h;
}

/* The larger of the directions' upper and lower bounds. */
DPPAIR_API dppair_status dppair_pld_answer_(double *high, double *low, dppair_contour_ *s,
                                            dppair_lattice_ *l, int directions,
                                            const dppair_question_ *q) {
  const int rare = dppair_pld_rare_(s, l);
  const double most = q->for_delta ? 1.0 : HUGE_VAL;
  int d;
  *high = *low = 0.0;
  if (!(s->variance > 0.0) && s->total_steps == 0.0) return DPPAIR_OK;
  for (d = 0; d < directions; d++) {
    double above, below;
    dppair_status status;
    if (!dppair_question_asks_(q, directions, d)) continue;
    s->backward = d;
    status = dppair_pld_ask_(&above, &below, s, l, q, NULL);
    if (status != DPPAIR_OK) return status;
    if (rare) dppair_pld_refine_(&above, &below, *low, s, l, q);
    if (!(above <= *high)) *high = above >= 0.0 && above < most ? above : most;
    if (below > *low) *low = below;
  }
  if (s->merged) *low = 0.0;
  return DPPAIR_OK;
}

/* The estimate between two bounds: the upper law adds h^2/6 of variance to a step, and the lower
 * one takes h^2/3 away. */
DPPAIR_API double dppair_pld_estimate_(double upper, double lower) {
  return dppair_estimate_(upper, lower, upper - (upper - lower) / 3.0);
}

/* Both directions, where hits beyond the cap may cost about `spend`, and did cost *paid: best[0] >=
 * the answer >= best[1]. */
DPPAIR_API dppair_status dppair_pld_try_(double *best, double *paid, const dppair_question_ *q,
                                         const dppair_pld_options_ *options, double spend) {
  dppair_contour_ s;
  dppair_lattice_ l;
  double above;
  int directions;
  dppair_status status = dppair_pld_begin_(&s, &l, &directions, q->steps, q->count, options, spend,
                                           q->work, q->doubles);
  best[0] = best[1] = *paid = 0.0;
  if (status != DPPAIR_OK) return status;
  *paid = s.failure;
  status = dppair_pld_answer_(&best[0], &best[1], &s, &l, directions, q);
  if (status != DPPAIR_OK || !s.replaced) return status;
  s.below = 1; /* the lower bound is that of another pair */
  if (dppair_pld_answer_(&above, &best[1], &s, &l, directions, q) != DPPAIR_OK) best[1] = 0.0;
  return DPPAIR_OK;
}

/*
 * What the lattice says about the steps' dominating pairs, within O(T h^2): any steps that have
 * them, and tables (options; NULL: none, the finest lattice of 2^18 points). `upper` is infinite
 * when the mass at infinite loss exceeds delta. Where delta is asked for, what hits beyond the cap
 * may cost is lowered until it is nothing beside the answer. NO_CONVERGENCE: a loss spans more than
 * the transform; other errors are those of dppair_contour_answer_.
 */
DPPAIR_API dppair_status dppair_pld_bounds_(dppair_interval *interval, const dppair_question_ *q,
                                            const dppair_pld_options_ *options) {
  const double most = q->for_delta ? 2.0 : HUGE_VAL;
  double best[2] = {most, 0.0}, spend = dppair_spend_(q->for_delta, q->given);
  memset(interval, 0, sizeof *interval);
  interval->route = DPPAIR_ROUTE_LATTICE;
  do {
    double paid, now[2];
    const dppair_status status = dppair_pld_try_(now, &paid, q, options, spend);
    if (status != DPPAIR_OK && best[0] >= most) return status;
    if (status != DPPAIR_OK || !dppair_keep_better_(best, now, 2)) break;
    spend = q->for_delta ? dppair_spend_less_(spend, paid, best) : 0.0;
  } while (spend > 0.0);
  interval->upper = best[0];
  interval->lower = best[1];
  interval->estimate = dppair_pld_estimate_(best[0], best[1]);
  return DPPAIR_OK;
}
