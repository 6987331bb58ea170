/* --- the search: uncertified values of log M ------------------------------------------------- */

/* Where the mass of a branch tilted by e^(cL), c in [0, cmax], can be: [*low, *high]. */
DPPAIR_API void dppair_branch_span_(double *low, double *high, const dppair_branch_ *branch,
                                    double cmax, double margin) {
  const double reach = branch->reach;
  *low = -margin;
  *high = margin;
  if (branch->shape == DPPAIR_FORWARD_) *high += (cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_OPPOSITE_) *high += (2.0 * cmax + 1.0) * reach;
  if (branch->shape == DPPAIR_BACKWARD_ && !branch->half) {
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
  *high = sqrt(-2.0 * log_spend);
  *low = branch->half ? branch->from : -*high;
  *high += reach;
  if (*high < *low) *high = *low;
}

/* Fills step t's search nodes: pairs (loss, log weight), ended by a weight of -inf. */
DPPAIR_API void dppair_contour_search_nodes_(dppair_contour_ *s, size_t t, const dppair_law_ *law,
                                             double cmax) {
  double *loss = s->search + 2 * DPPAIR_SEARCH_NODES_ * t, *weight = loss + DPPAIR_SEARCH_NODES_;
  const size_t branches = dppair_branches_(law);
  const double atom = dppair_law_atom_(law);
  size_t used = 0, i, j;
  dppair_branch_ branch;
  dppair_place_ place;
  for (i = 0; i < branches; i++) {
    const size_t room = (DPPAIR_SEARCH_NODES_ - 2) / branches;
    double low, high;
    dppair_branch_of_(&branch, law, i, s->backward);
    dppair_branch_span_(&low, &high, &branch, cmax, 8.5);
    if (s->trim < 0.0) {
      double ends[2];
      dppair_cells_ends_(&ends[0], &ends[1], &branch, s->trim);
      if (ends[0] > low) low = ends[0];
      if (ends[1] < high) high = ends[1];
    }
    if (branch.half) {
      size_t panels = (size_t)((high - low) / 2.5) + 1;
      if (high <= low) continue;
      if (16 * panels > room) panels = room / 16;
      for (j = 0; j < 16 * panels; j++) {
        const double half = 0.5 * (high - low) / (double)panels;
        double w;
        const double x =
            low + half * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, (int)(j % 16)));
        dppair_place_of_(&place, &branch, x);
        loss[used] = place.loss;
        weight[used++] = place.log_mass + log(w * half);
      }
    } else {
      double h = s->trim < 0.0 ? 0.1 : branch.reach > 1.5 ? 1.2 / branch.reach : 0.8;
      const double least = (high - low) / (double)(room - 1);
      size_t n;
      if (h < least) h = least;
      n = (size_t)((high - low) / h) + 1;
      for (j = 0; j < n; j++) {
        dppair_place_of_(&place, &branch, low + h * (double)j);
        loss[used] = place.loss;
        weight[used++] = place.log_mass + log(h);
      }
    }
  }
  if (atom > 0.0) {
    loss[used] = 0.0;
    weight[used++] = log(atom);
  }
  if (law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_) {
    const double e = law->mu, high = law->kind == DPPAIR_LAW_LAPLACE_ ? 0.5 : 1.0 / (1.0 + exp(-e));
    loss[used] = e;
    weight[used++] = log(high);
    loss[used] = -e;
    weight[used++] = log(high) - e;
    for (j = 0; law->kind == DPPAIR_LAW_LAPLACE_ && j < 64; j++) {
      double w;
      const double x = e * ((double)(2 * (j / 16) + 1) + dppair_legendre_(&w, (int)(j % 16)));
      loss[used] = 0.25 * x - e;
      weight[used] = log(w * 0.0625 * e) + 0.5 * (loss[used] - e);
      used++;
    }
  }
  loss[used] = 0.0;
  weight[used] = -HUGE_VAL;
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
    if (t > -40.0) sum += exp(t);
  }
  return top + log(sum);
}

/* The same of a table: bins with their mean losses. */
DPPAIR_API void dppair_contour_search_table_(double *loss, const dppair_loss_table *table,
                                             int backward, double h) {
  double *weight = loss + DPPAIR_SEARCH_NODES_;
  const double *mass = backward && table->backward != NULL ? table->backward : table->forward;
  const size_t size = mass == table->forward ? table->forward_size : table->backward_size;
  const int64_t first = mass == table->forward ? table->forward_first : table->backward_first;
  const size_t bin = size / (DPPAIR_SEARCH_NODES_ / 2) + 1;
  size_t used = 0, i, j;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    for (j = i; j < size && j < i + bin; j++) {
      sum += mass[j];
      mean += mass[j] * (double)(j - i);
    }
    if (!(sum > 0.0)) continue;
    loss[used] = h * ((double)first + (double)i + mean / sum);
    weight[used++] = log(sum);
  }
  loss[used] = 0.0;
  weight[used] = -HUGE_VAL;
}

/* log K(c); the nodes are made anew when c is beyond what they cover. */
DPPAIR_API dppair_status dppair_contour_search_(double *log_k, dppair_contour_ *s, double c) {
  size_t t;
  dppair_status status;
  dppair_law_ law;
  if (c > s->reach_c) {
    const double cmax = s->reach_c > 0.0 ? 4.0 * c : (c > 16.0 ? c : 16.0);
    for (t = 0; t < s->count; t++) {
      status = dppair_law_of_(&law, &s->steps[t], s->tail);
      if (status != DPPAIR_OK) return status;
      if (law.kind != DPPAIR_LAW_GAUSSIAN_ && law.steps > 0.0)
        dppair_contour_search_nodes_(s, t, &law, cmax);
      else
        s->search[2 * DPPAIR_SEARCH_NODES_ * t + DPPAIR_SEARCH_NODES_] = -HUGE_VAL;
    }
    for (t = 0; t < s->table_count; t++)
      dppair_contour_search_table_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t),
                                   &s->tables[t], s->backward, s->grid_step);
    s->reach_c = cmax;
  }
  *log_k = 0.5 * s->variance * c * (c + 1.0);
  for (t = 0; t < s->count; t++) {
    const double *loss = s->search + 2 * DPPAIR_SEARCH_NODES_ * t;
    if (loss[DPPAIR_SEARCH_NODES_] > -DBL_MAX)
      *log_k += (double)s->steps[t].steps * dppair_contour_search_step_(loss, c);
  }
  for (t = 0; t < s->table_count; t++)
    *log_k += (double)s->tables[t].steps *
              dppair_contour_search_step_(s->search + 2 * DPPAIR_SEARCH_NODES_ * (s->count + t), c);
  return dppair_isfinite_f64(*log_k) ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}

/* What the search minimises over c: a bound of epsilon at log delta, or of log delta at epsilon. */
DPPAIR_API double dppair_contour_goal_(double log_k, double c, int for_delta, double given) {
  const double bound = log_k + dppair_contour_kernel_(c);
  return for_delta ? bound - c * given : (bound - given) / c;
}
