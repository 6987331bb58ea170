/* --- a loss on the lattice ------------------------------------------------------------------- */

/* Cells of one step: right[i], left[i] are R and L of cell first + i. */
typedef struct dppair_cells_ {
  double h, growth, *right, *left; /* growth: e^h */
  int64_t first;
  size_t size;
  double infinity;   /* upper: at infinite loss */
  double loss_error; /* largest */
  double mass_error; /* relative */
  double unseen;     /* what Q has beyond the ends */
  int table;         /* masses that the caller states */
} dppair_cells_;

/* Mass at one loss. On the lattice (within rounding) it is the left end of a cell. */
DPPAIR_API dppair_status dppair_cells_atom_(dppair_cells_ *cells, double loss, double mass) {
  const double at = loss / cells->h, near = floor(at + 0.5);
  const int on = fabs(at - near) <= 1e-9;
  const double below = on ? near : floor(at);
  const double i = below - (double)cells->first;
  double wrong = 8.0 * DPPAIR_UNIT_ * (1.0 + fabs(loss)), part = 0.0;
  if (!(i >= 0.0 && i < (double)cells->size - 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (on)
    wrong += fabs(loss - near * cells->h);
  else
    part = expm1(-(loss - below * cells->h)) / expm1(-cells->h);
  if (wrong > cells->loss_error) cells->loss_error = wrong;
  cells->right[(size_t)i] += mass * part;
  cells->left[(size_t)i] += mass * (1.0 - part);
  return DPPAIR_OK;
}

/* A mass of P at a loss, split in the cell [low, low + h]. d = loss - low
 * is clamped: what rounding puts outside is a loss that is off by rounding. */
DPPAIR_API void dppair_cells_node_(double *right, double *left, double loss, double mass,
                                   double low, double h, double scale) {
  double d = loss - low, part;
  if (d < 0.0) d = 0.0;
  if (d > h) d = h;
  /* (1 - e^-d) scale, scale = 1/(1 - e^-h): the series is exact to 1e-17 for d <= 1e-3 */
  part = (d <= 1e-3 ? d * (1.0 - d * (0.5 - d * (1.0 / 6 - d * (1.0 / 24 - d * (1.0 / 120)))))
                    : -expm1(-d)) *
         scale;
  if (part > 1.0) part = 1.0;
  *right += mass * part;
  *left += mass * (1.0 - part);
}

/* A bound of the error of the loss on [low, high]: as for one place, with the share at most 1 and
 * the spread at most what it is at the ends. */
DPPAIR_API double dppair_cells_error_(const dppair_branch_ *branch, double low, double high,
                                      double largest) {
  dppair_log_ratio_ g;
  double size = fabs(low) > fabs(high) ? fabs(low) : fabs(high), error;
  dppair_log_ratio_of_(&g, branch, low);
  error = DPPAIR_UNIT_ * (6.0 * branch->reach * (size + branch->reach) +
                          ((double)branch->terms + 12.0) * (1.0 + g.spread) + 6.0 * largest) +
          branch->slip * (1.0 + g.spread);
  return branch->shape == DPPAIR_OPPOSITE_ ? 2.0 * error + DPPAIR_UNIT_ * largest : error;
}

/* What Q has of a branch beyond low and high: of the part k ~ N(s, 1), s = 0 (forward), b_k
 * (backward), -b_k (opposite). */
DPPAIR_API double dppair_cells_unseen_(const dppair_branch_ *branch, double low, double high) {
  const double root = 0.70710678118654752440;
  const double sign = branch->shape == DPPAIR_FORWARD_    ? 0.0
                      : branch->shape == DPPAIR_BACKWARD_ ? 1.0
                                                          : -1.0;
  double sum = 0.0, none = 1.0;
  size_t k;
  for (k = 0; k <= branch->terms; k++) {
    const double shift = k < branch->terms ? sign * branch->b[k] : 0.0;
    const double p = k < branch->terms ? branch->p[k] : none;
    none -= p;
    sum += 0.5 * p * erfc((high - shift) * root);
    if (!branch->half) sum += 0.5 * p * erfc((shift - low) * root);
  }
  return sum * exp(branch->log_weight);
}

/*
 * The next boundary, where loss == target, in [low, high]; *next is a first guess. Newton's method
 * inside a bracket: the loss is monotone in x, so a place beyond the target is a new high and one
 * before it a new low. 1: *next is the boundary, and *there the branch at it with loss set to
 * target. 0: the target is beyond high; *next = high, and *there is the branch at it. -1: neither
 * was found, or a loss is not a number.
 */
DPPAIR_API int dppair_cells_boundary_(double *next, dppair_place_ *there,
                                      const dppair_branch_ *branch, double target, double low,
                                      double high, double near_enough) {
  const double sign = branch->shape == DPPAIR_BACKWARD_ ? -1.0 : 1.0, last = high;
  int k, beyond = 0;
  for (k = 0; k < 200; k++) {
    double ahead, move;
    dppair_place_of_(there, branch, *next);
    ahead = sign * (target - there->loss);
    move = ahead / (there->slope + there->mirror);
    if (!(fabs(ahead) < HUGE_VAL)) return -1;
    if (fabs(move) <= near_enough && *next + move <= last) {
      if (*next + move < low) move = low - *next;
      /* the square of the move is beyond rounding: go there along the tangent */
      there->log_mass += move * ((sign > 0.0 ? there->slope : 0.0) - *next);
      *next += move;
      there->loss = target;
      return 1;
    }
    if (ahead > 0.0) {
      low = *next;
      if (low >= last) return 0;
    } else {
      high = *next;
      beyond = 1;
    }
    if (high - low <= 4.0 * DPPAIR_UNIT_ * (1.0 + fabs(*next))) { /* between neighbours */
      there->loss = target;
      return 1;
    }
    *next += move;
    if (!(*next > low && *next < high)) *next = beyond ? 0.5 * (low + high) : high;
  }
  return -1;
}

/*
 * Adds a branch, walking in x from cell boundary to cell boundary; the loss is monotone in x. At
 * most e^log_spend of P beyond each end counts as infinite loss (upper) or nothing (lower).
 */
DPPAIR_API dppair_status dppair_cells_branch_(dppair_cells_ *cells, const dppair_branch_ *branch,
                                              double log_spend) {
  static const double inner = 0.44721359549995793928; /* 1/sqrt 5: Lobatto, 4 points */
  const double h = cells->h, scale = -1.0 / expm1(-h);
  const int down = branch->shape == DPPAIR_BACKWARD_;
  const double reach = branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  const double panel = reach > 2.0 ? 0.5 / reach : 0.25;
  const double near_enough = 3e-9 / (reach > 1.0 ? reach : 1.0);
  double x, end, low, worst, bend = 0.0, mass, here_mass;
  dppair_place_ here, there, node;
  int k, last = 0;
  dppair_cells_ends_(&x, &end, branch, log_spend);
  cells->infinity += 2.0 * exp(log_spend);
  cells->unseen += dppair_cells_unseen_(branch, x, end);
  if (x >= end) return DPPAIR_OK;
  dppair_place_of_(&here, branch, x);
  dppair_place_of_(&there, branch, end);
  worst = dppair_cells_error_(branch, x, end, fabs(here.g) + fabs(there.g));
  if (worst > cells->loss_error) cells->loss_error = worst;
  worst += DPPAIR_UNIT_ * (32.0 + 8.0 * end * end - 8.0 * log_spend) + 2e-13;
  if (worst > cells->mass_error) cells->mass_error = worst;
  low = floor(here.loss / h);
  here_mass = exp(here.log_mass);
  while (!last) {
    const double cell = low - (double)cells->first, target = (down ? low : low + 1.0) * h;
    double right = 0.0, left = 0.0;
    int inside = 1;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    while (inside && !last) {
      const double slope = here.slope + here.mirror;
      const double widest = end - x < panel ? end : x + panel;
      double gap = fabs(target - here.loss) / slope, next;
      /* No panel may be wider than `panel`, the errors' bounds rest on it. The second order only
       * makes a better guess, and a bad one where the loss is nearly flat. */
      if (bend * gap < 1.0) gap -= 0.5 * bend * gap * gap;
      next = x + gap < widest ? x + gap : widest;
      k = dppair_cells_boundary_(&next, &there, branch, target, x, widest, near_enough);
      if (k < 0) return DPPAIR_ERR_NO_CONVERGENCE;
      inside = k == 0;
      last = inside && widest >= end;
      gap = next - x;
      mass = exp(there.log_mass);
      if (gap <= panel * (1.0 / 256)) {
        const double middle = x + 0.5 * gap, spread = 0.5 * inner * gap, edge = gap * (1.0 / 12);
        dppair_cells_node_(&right, &left, here.loss, here_mass * edge, low * h, h, scale);
        for (k = 0; k < 2; k++) {
          dppair_place_of_(&node, branch, k == 0 ? middle - spread : middle + spread);
          dppair_cells_node_(&right, &left, node.loss, exp(node.log_mass) * 5.0 * edge, low * h, h,
                             scale);
        }
        dppair_cells_node_(&right, &left, there.loss, mass * edge, low * h, h, scale);
      } else {
        for (k = 0; k < 16; k++) {
          double w;
          const double at = x + 0.5 * gap * (1.0 + dppair_legendre_(&w, k));
          dppair_place_of_(&node, branch, at);
          dppair_cells_node_(&right, &left, node.loss, exp(node.log_mass) * 0.5 * gap * w, low * h,
                             h, scale);
        }
      }
      here_mass = mass;
      if (gap > 0.0) bend = (there.slope + there.mirror - slope) / gap / slope;
      x = next;
      here = there;
    }
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
    low += down ? -1.0 : 1.0;
  }
  return DPPAIR_OK;
}

/* The continuous part of a Laplace loss: density e^((l - e)/2)/4 on (-e, e). */
DPPAIR_API dppair_status dppair_cells_laplace_(dppair_cells_ *cells, double e) {
  const double h = cells->h, scale = -1.0 / expm1(-h);
  double low = floor(-e / h), x = -e;
  while (x < e) {
    const double cell = low - (double)cells->first;
    const double to = (low + 1.0) * h < e ? (low + 1.0) * h : e, gap = to - x;
    int k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (k = 0; gap > 0.0 && k < 16; k++) {
      double w, loss;
      loss = x + 0.5 * gap * (1.0 + dppair_legendre_(&w, k));
      dppair_cells_node_(&cells->right[(size_t)cell], &cells->left[(size_t)cell], loss,
                         0.125 * gap * w * exp(0.5 * (loss - e)), low * h, h, scale);
    }
    x = to;
    low += 1.0;
  }
  return DPPAIR_OK;
}

/* The losses of a law, up to its tails. */
DPPAIR_API void dppair_cells_range_(double *low, double *high, const dppair_law_ *law, int backward,
                                    double log_spend) {
  size_t i;
  dppair_branch_ branch;
  dppair_place_ place;
  *high = law->kind == DPPAIR_LAW_LAPLACE_ || law->kind == DPPAIR_LAW_RESPONSE_ ? law->mu : 0.0;
  *low = -*high;
  for (i = 0; i < dppair_branches_(law); i++) {
    double ends[2];
    int k;
    dppair_branch_of_(&branch, law, i, backward);
    dppair_cells_ends_(&ends[0], &ends[1], &branch, log_spend);
    for (k = 0; k < 2; k++) {
      dppair_place_of_(&place, &branch, ends[k]);
      if (place.loss < *low) *low = place.loss;
      if (place.loss > *high) *high = place.loss;
    }
  }
}

/* All of one law. right and left have room for size cells and are cleared. */
DPPAIR_API dppair_status dppair_cells_fill_(dppair_cells_ *cells, const dppair_law_ *law,
                                            int backward, double log_spend) {
  const double atom = dppair_law_atom_(law), e = law->mu;
  double lowest, highest;
  size_t i;
  dppair_branch_ branch;
  dppair_status status = DPPAIR_OK;
  dppair_cells_range_(&lowest, &highest, law, backward, log_spend);
  if (!((highest - lowest) / cells->h < (double)cells->size - 8.0) || !(lowest / cells->h > -1e9))
    return DPPAIR_ERR_NO_CONVERGENCE;
  cells->first = (int64_t)floor(lowest / cells->h) - 2;
  cells->infinity = cells->unseen = 0.0;
  cells->table = 0;
  cells->loss_error = DPPAIR_UNIT_ * 16.0 * (1.0 + e);
  cells->mass_error = law->slip + 1e-13 + DPPAIR_UNIT_ * 8.0 * e;
  for (i = 0; i < cells->size; i++) cells->right[i] = cells->left[i] = 0.0;
  for (i = 0; status == DPPAIR_OK && i < dppair_branches_(law); i++) {
    dppair_branch_of_(&branch, law, i, backward);
    status = dppair_cells_branch_(cells, &branch, log_spend);
  }
  if (status == DPPAIR_OK && atom > 0.0) status = dppair_cells_atom_(cells, 0.0, atom);
  if (law->kind == DPPAIR_LAW_LAPLACE_) {
    status = dppair_cells_laplace_(cells, e);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, e, 0.5);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, -e, 0.5 * exp(-e));
  } else if (law->kind == DPPAIR_LAW_RESPONSE_) {
    status = dppair_cells_atom_(cells, e, 1.0 / (1.0 + exp(-e)));
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, -e, exp(-e) / (1.0 + exp(-e)));
  }
  return status;
}
