/* ------------------------------------------------------------------------------------------------
 * The search: rough values of log K, to place the line
 *
 * Rough values of log K(c) at real c, from a few hundred nodes per step that are computed once and
 * used at every c. They only choose c, c', eta and N; every bound is certified later (factor.h), so
 * the numbers below are accuracies that were found to be enough, not proved ones.
 * ---------------------------------------------------------------------------------------------- */

/* The panels' half width for 16 Gauss-Legendre nodes, in units of the noise. */
#define DPPAIR_SEARCH_PANEL_ 1.25
/* Trapezoid steps. On a strip of half width a < pi/reach the rule errs by about
 * e^(a^2/2 - 2 pi a/h): below 1e-6 for 1.2/reach, and for 0.8 while reach <= 1.5. A trimmed law
 * ends abruptly and needs a finer step. */
#define DPPAIR_SEARCH_STEP_ 0.8
#define DPPAIR_SEARCH_REACH_STEP_ 1.2
#define DPPAIR_SEARCH_TRIMMED_STEP_ 0.1
/* Beyond 8.5 deviations the normal density has a mass of e^-39. */
#define DPPAIR_SEARCH_MARGIN_ 8.5
/* Terms below e^-40 of the largest are beyond the digits of a sum. */
#define DPPAIR_SEARCH_DIGITS_ 40.0

/* Search nodes of one step, as they are listed: losses and log weights. */
typedef struct dppair_search_list_ {
  double *loss, *weight;
  size_t used;
} dppair_search_list_;

DPPAIR_API void dppair_search_add_(dppair_search_list_ *list, double loss, double log_weight) {
  list->loss[list->used] = loss;
  list->weight[list->used++] = log_weight;
}

DPPAIR_API dppair_search_list_ dppair_search_list_of_(double *search) {
  dppair_search_list_ list;
  list.loss = search;
  list.weight = search + DPPAIR_SEARCH_NODES_;
  list.used = 0;
  return list;
}

/* Where the mass of a branch tilted by e^(cL), c in [0, cmax], lies but for the part beyond
 * `margin` deviations: [*low, *high]. */
DPPAIR_API void dppair_branch_span_(double *low, double *high, const dppair_branch_ *branch,
                                    double cmax, double margin) {
  const double reach = branch->reach;
  *low = -margin;
  *high = margin;
  if (branch->shape == DPPAIR_FORWARD_) *high += (cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_OPPOSITE_) *high += (2.0 * cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_BACKWARD_ && !branch->half) {
    /* outwards by fifths until the tilted density falls faster than the margin asks */
    dppair_log_ratio_ g;
    for (; *low > -margin - cmax * reach; *low *= 1.2) {
      dppair_log_ratio_of_(&g, branch, *low);
      if (-*low - cmax * g.slope > margin) break;
    }
  }
  if (branch->half) *low = branch->from;
}

/* Where a branch is cut on either side so that at most e^log_spend of P is beyond each end. */
DPPAIR_API void dppair_cells_ends_(double *low, double *high, const dppair_branch_ *branch,
                                   double log_spend) {
  const double reach = branch->shape == DPPAIR_BACKWARD_ ? 0.0 : branch->reach;
  *high = dppair_sqrt_(-2.0 * log_spend);
  *low = branch->half ? branch->from : -*high;
  *high += reach;
  if (*high < *low) *high = *low;
}

/* Gauss-Legendre panels of 16 nodes on [low, high], for branches that begin in mid mass. */
DPPAIR_API void dppair_search_panels_(dppair_search_list_ *list, const dppair_branch_ *branch,
                                      double low, double high, size_t room) {
  dppair_place_ place;
  size_t panels, j;
  if (high <= low) return;
  panels = (size_t)((high - low) / (2.0 * DPPAIR_SEARCH_PANEL_)) + 1;
  if (16 * panels > room) panels = room / 16;
  for (j = 0; j < 16 * panels; j++) {
    const double half = 0.5 * (high - low) / (double)panels;
    double w;
    const double x =
        low + half * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, (int)(j % 16)));
    dppair_place_of_(&place, branch, x);
    dppair_search_add_(list, place.loss, place.log_mass + dppair_log_(w * half));
  }
}

/* The trapezoid rule on [low, high], for branches that fall off to both sides. */
DPPAIR_API void dppair_search_line_(dppair_search_list_ *list, const dppair_branch_ *branch,
                                    double low, double high, size_t room, int trimmed) {
  const double least = (high - low) / (double)(room - 1);
  double h = trimmed               ? DPPAIR_SEARCH_TRIMMED_STEP_
             : branch->reach > 1.5 ? DPPAIR_SEARCH_REACH_STEP_ / branch->reach
                                   : DPPAIR_SEARCH_STEP_;
  dppair_place_ place;
  size_t n, j;
  if (h < least) h = least;
  n = (size_t)((high - low) / h) + 1;
  for (j = 0; j < n; j++) {
    dppair_place_of_(&place, branch, low + h * (double)j);
    dppair_search_add_(list, place.loss, place.log_mass + dppair_log_(h));
  }
}

/* Laplace and randomised response: atoms at both ends, and Laplace's density between them, which is
 * e^((L - e)/2)/4 in L, by four panels. */
DPPAIR_API void dppair_search_atoms_(dppair_search_list_ *list, const dppair_law_ *law) {
  const int laplace = law->kind == DPPAIR_LAW_LAPLACE_;
  const double e = law->mu, high = laplace ? 0.5 : 1.0 / (1.0 + dppair_exp_(-e));
  int j;
  dppair_search_add_(list, e, dppair_log_(high));
  dppair_search_add_(list, -e, dppair_log_(high) - e);
  for (j = 0; laplace && j < 64; j++) {
    double w;
    const double x = e * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, j % 16));
    const double loss = 0.25 * x - e;
    dppair_search_add_(list, loss, dppair_log_(w * 0.0625 * e) + 0.5 * (loss - e));
  }
}

/* Fills step t's search nodes: pairs (loss, log weight), ended by a weight of -inf. */
DPPAIR_API void dppair_contour_search_nodes_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                             double cmax) {
  dppair_search_list_ list = dppair_search_list_of_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t);
  const size_t branches = dppair_branches_(law);
  const double atom = dppair_law_atom_(law);
  size_t i;
  dppair_branch_ branch;
  for (i = 0; i < branches; i++) {
    const size_t room = (DPPAIR_SEARCH_NODES_ - 2) / branches;
    double low, high;
    dppair_branch_of_(&branch, law, i, s->backward);
    dppair_branch_span_(&low, &high, &branch, cmax, DPPAIR_SEARCH_MARGIN_);
    if (s->trim < 0.0) {
      double ends[2];
      dppair_cells_ends_(&ends[0], &ends[1], &branch, s->trim);
      if (ends[0] > low) low = ends[0];
      if (ends[1] < high) high = ends[1];
    }
    if (branch.half)
      dppair_search_panels_(&list, &branch, low, high, room);
    else
      dppair_search_line_(&list, &branch, low, high, room, s->trim < 0.0);
  }
  if (atom > 0.0) dppair_search_add_(&list, 0.0, dppair_log_(atom));
  if (law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_)
    dppair_search_atoms_(&list, law);
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
}

/* log M(c) of one step from its search nodes. */
DPPAIR_API double dppair_contour_search_step_(const double *loss, double c) {
  const double *weight = loss + DPPAIR_SEARCH_NODES_;
  double top = -HUGE_VAL, sum = 0.0;
  size_t j, n;
  for (n = 0; weight[n] > -DBL_MAX; n++) {
    const double t = weight[n] + c * loss[n];
    if (t > top) top = t;
  }
  for (j = 0; j < n; j++) {
    const double t = weight[j] + c * loss[j] - top;
    if (t > -DPPAIR_SEARCH_DIGITS_) sum += dppair_exp_(t);
  }
  return top + dppair_log_(sum);
}

/* The search nodes of a table: up to half as many bins as there is room for, each with the mean of
 * its losses. */
DPPAIR_API void dppair_contour_search_table_(double *search, const dppair_loss_table_ *table,
                                             int backward, double h) {
  dppair_search_list_ list = dppair_search_list_of_(search);
  const double *mass = backward && table->backward != NULL ? table->backward : table->forward;
  const size_t size = mass == table->forward ? table->forward_size : table->backward_size;
  const int64_t first = mass == table->forward ? table->forward_first : table->backward_first;
  const size_t bin = size / (DPPAIR_SEARCH_NODES_ / 2) + 1;
  size_t i, j;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    for (j = i; j < size && j < i + bin; j++) {
      sum += mass[j];
      mean += mass[j] * (double)(j - i);
    }
    if (sum > 0.0)
      dppair_search_add_(&list, h * ((double)first + (double)i + mean / sum), dppair_log_(sum));
  }
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
}

/* Makes the search nodes of all steps and tables, good for tilts up to cmax. */
DPPAIR_API dppair_status dppair_contour_search_fill_(dppair_contour_ *s, double cmax) {
  dppair_law_ law;
  size_t t;
  for (t = 0; t < s->count; t++) {
    dppair_status status = dppair_law_of_(&law, &s->steps[t], s->tail);
    if (status == DPPAIR_OK && law.kind == DPPAIR_LAW_TABLE_)
      status = dppair_table_search_(s, t, &law);
    if (status != DPPAIR_OK) return status;
    if (law.kind == DPPAIR_LAW_TABLE_) continue;
    if (law.kind != DPPAIR_LAW_GAUSSIAN_ && law.steps > 0.0)
      dppair_contour_search_nodes_(s, t, &law, cmax);
    else
      s->search[2 * DPPAIR_SEARCH_NODES_ * t + DPPAIR_SEARCH_NODES_] = -HUGE_VAL;
  }
  for (t = 0; t < s->table_count; t++)
    dppair_contour_search_table_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t),
                                 &s->tables[t], s->backward, s->grid_step);
  s->reach_c = cmax;
  return DPPAIR_OK;
}

/* log K(c). Where c is beyond what the nodes cover, they are made anew, with room to spare: the
 * walk downhill seldom asks for more than 16, and then grows c by a factor below 2. */
DPPAIR_API dppair_status dppair_contour_search_(double *log_k, dppair_contour_ *s, double c) {
  size_t t;
  if (c > s->reach_c) {
    const double cmax = s->reach_c > 0.0 ? 4.0 * c : (c > 16.0 ? c : 16.0);
    const dppair_status status = dppair_contour_search_fill_(s, cmax);
    if (status != DPPAIR_OK) return status;
  }
  *log_k = 0.5 * s->variance * c * (c + 1.0);
  for (t = 0; t < s->count; t++) {
    const double *loss = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    if (loss[DPPAIR_SEARCH_NODES_] > -DBL_MAX)
      *log_k += (double)dppair_step_runs_(&s->steps[t]) * dppair_contour_search_step_(loss, c);
  }
  for (t = 0; t < s->table_count; t++)
    *log_k += (double)s->tables[t].steps *
              dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t), c);
  return dppair_isfinite_f64(*log_k) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* What the search minimises over c: the moment bound of epsilon at log delta `given`, or of log
 * delta at epsilon `given`. */
DPPAIR_API double dppair_contour_goal_(double log_k, double c, int for_delta, double given) {
  const double bound = log_k + dppair_contour_kernel_(c);
  return for_delta ? bound - c * given : (bound - given) / c;
}
