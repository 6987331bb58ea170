/* ------------------------------------------------------------------------------------------------
 * A loss on the lattice
 *
 * Integrates the masses R and L of one step's loss (theory.h) cell by cell, and computes how the
 * lower law spreads them. Relies on dominating_pairs.h.
 * ---------------------------------------------------------------------------------------------- */

/* The cells of one step: right[i] and left[i] are R and L of cell first + i. */
typedef struct dppair_cells_ {
  double h, growth, *right, *left; /* growth: e^h */
  int64_t first;
  size_t size;
  double infinity;   /* mass that the upper law has at infinite loss */
  double loss_error; /* bound of the absolute error of each loss */
  double mass_error; /* bound of the relative error of each mass */
  double unseen;     /* mass that Q has beyond the ends, or where P has none */
  int table;         /* the masses are the caller's */
} dppair_cells_;

/* Adds a mass at one loss. A loss on the lattice, within rounding, is the left end of a cell. */
DPPAIR_API dppair_status dppair_cells_atom_(dppair_cells_ *cells, double loss, double mass) {
  const double at = loss / cells->h, nearby = dppair_floor_(at + 0.5);
  const int on = dppair_fabs_(at - nearby) <= 1e-9;
  const double below = on ? nearby : dppair_floor_(at);
  const double i = below - (double)cells->first;
  double wrong = 8.0 * DPPAIR_UNIT_ * (1.0 + dppair_fabs_(loss)), part = 0.0;
  if (!(i >= 0.0 && i < (double)cells->size - 1.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (on)
    wrong += dppair_fabs_(loss - nearby * cells->h);
  else
    part = dppair_expm1_(-(loss - below * cells->h)) / dppair_expm1_(-cells->h);
  if (wrong > cells->loss_error) cells->loss_error = wrong;
  cells->right[(size_t)i] += mass * part;
  cells->left[(size_t)i] += mass * (1.0 - part);
  return DPPAIR_OK;
}

/* Splits a mass of P at a loss in the cell [low, low + h]. d = loss - low is clamped to the cell:
 * where rounding puts it outside, the loss is off by that rounding only. */
DPPAIR_API void dppair_cells_node_(double *right, double *left, double loss, double mass,
                                   double low, double h, double scale) {
  double d = loss - low, part;
  if (d < 0.0) d = 0.0;
  if (d > h) d = h;
  /* (1 - e^-d) scale, scale = 1/(1 - e^-h): the series is exact to 1e-17 for d <= 1e-3 */
  part = (d <= 1e-3 ? d * (1.0 - d * (0.5 - d * (1.0 / 6 - d * (1.0 / 24 - d * (1.0 / 120)))))
                    : -dppair_expm1_(-d)) *
         scale;
  if (part > 1.0) part = 1.0;
  *right += mass * part;
  *left += mass * (1.0 - part);
}

/* A bound of the error of the loss on [low, high]: that of dppair_log_ratio_error_, with the share
 * at most 1 and the spread at most what it is at the ends. */
DPPAIR_API double dppair_cells_error_(const dppair_branch_ *branch, double low, double high,
                                      double largest) {
  dppair_log_ratio_ g;
  double size = dppair_fabs_(low) > dppair_fabs_(high) ? dppair_fabs_(low) : dppair_fabs_(high),
         error;
  dppair_log_ratio_of_(&g, branch, low);
  error = DPPAIR_UNIT_ * (6.0 * branch->reach * (size + branch->reach) +
                          ((double)branch->terms + 12.0) * (1.0 + g.spread) + 6.0 * largest) +
          branch->slip * (1.0 + g.spread);
  return branch->shape == DPPAIR_OPPOSITE_ ? 2.0 * error + DPPAIR_UNIT_ * largest : error;
}

/* The mass of Q in a branch beyond low and high: under Q the part with k hits is N(s, 1) with s = 0
 * (forward), b_k (backward) or -b_k (opposite). It serves dppair_cells_check_ alone, no bound of
 * delta. It is at most 1, and off by less than 40 u, far below the 1e-13 of a mass there: erfc's
 * 15 u, and the argument's 3 u times x |erfc'(x)| < 1/2. */
DPPAIR_API double dppair_cells_unseen_(const dppair_branch_ *branch, double low, double high) {
  const double root = 0.70710678118654752440; /* 1/sqrt 2 */
  const double sign = branch->shape == DPPAIR_FORWARD_    ? 0.0
                      : branch->shape == DPPAIR_BACKWARD_ ? 1.0
                                                          : -1.0;
  double sum = 0.0, none = 1.0;
  size_t k;
  for (k = 0; k <= branch->terms; k++) {
    const double shift = k < branch->terms ? sign * branch->b[k] : 0.0;
    const double p = k < branch->terms ? branch->p[k] : none;
    none -= p;
    sum += 0.5 * p * dppair_erfc_((high - shift) * root);
    if (!branch->half) sum += 0.5 * p * dppair_erfc_((shift - low) * root);
  }
  return sum * dppair_exp_(branch->log_weight);
}

/*
 * Searches [low, high] for the next boundary, where loss == target; *next is a first guess.
 * Newton's method inside a bracket: the loss is monotone in x, so that a place beyond the target is
 * a new high and a place before it a new low. Returns 1: *next is the boundary and *there the
 * branch at it, with loss set to target; 0: the target is beyond high; *next = high and *there is
 * the branch at it; -1: neither was found in 200 steps, or a loss is not a number.
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
    if (!(dppair_fabs_(ahead) < HUGE_VAL)) return -1;
    if (dppair_fabs_(move) <= near_enough && *next + move <= last) {
      if (*next + move < low) move = low - *next;
      /* the square of the move is below rounding: go there along the tangent */
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
    if (high - low <= 4.0 * DPPAIR_UNIT_ * (1.0 + dppair_fabs_(*next))) { /* between neighbours */
      there->loss = target;
      return 1;
    }
    *next += move;
    if (!(*next > low && *next < high)) *next = beyond ? 0.5 * (low + high) : high;
  }
  return -1;
}

/* A walk in x along one branch, from cell boundary to cell boundary. */
typedef struct dppair_walk_ {
  const dppair_branch_ *branch;
  double h, scale;    /* the lattice, and 1/(1 - e^-h) */
  double x, end;      /* where we are and where the branch is cut */
  dppair_place_ here; /* the branch at x, and the density of P there */
  double mass;
  double bend;        /* relative change of the loss's slope per unit of x on the last panel */
  double panel;       /* R of theory.h: no panel may be wider, or the error bounds fail */
  double near_enough; /* a Newton step whose square is below rounding */
} dppair_walk_;

/* Integrates the panel from w->x to w->x + gap, where the branch is `there` with density mass, into
 * the cell that begins at loss low. */
DPPAIR_API void dppair_walk_panel_(double *right, double *left, const dppair_walk_ *w, double gap,
                                   const dppair_place_ *there, double mass, double low) {
  static const double inner = 0.44721359549995793928; /* 1/sqrt 5: Lobatto, 4 points */
  dppair_place_ node;
  int k;
  if (gap <= w->panel * (1.0 / 256)) {
    const double middle = w->x + 0.5 * gap, spread = 0.5 * inner * gap, edge = gap * (1.0 / 12);
    dppair_cells_node_(right, left, w->here.loss, w->mass * edge, low, w->h, w->scale);
    for (k = 0; k < 2; k++) {
      dppair_place_of_(&node, w->branch, k == 0 ? middle - spread : middle + spread);
      dppair_cells_node_(right, left, node.loss, dppair_exp_(node.log_mass) * 5.0 * edge, low, w->h,
                         w->scale);
    }
    dppair_cells_node_(right, left, there->loss, mass * edge, low, w->h, w->scale);
    return;
  }
  for (k = 0; k < 16; k++) {
    double weight;
    const double at = w->x + 0.5 * gap * (1.0 + dppair_legendre_(&weight, k));
    dppair_place_of_(&node, w->branch, at);
    dppair_cells_node_(right, left, node.loss, dppair_exp_(node.log_mass) * 0.5 * gap * weight, low,
                       w->h, w->scale);
  }
}

/* Walks through the cell that begins at loss low, to where the loss is target. 1: the target is
 * reached; 0: the branch ends before; -1: it was not found. */
DPPAIR_API int dppair_walk_cell_(double *right, double *left, dppair_walk_ *w, double low,
                                 double target) {
  for (;;) {
    const double slope = w->here.slope + w->here.mirror;
    const double widest = w->end - w->x < w->panel ? w->end : w->x + w->panel;
    double gap = dppair_fabs_(target - w->here.loss) / slope, next, mass;
    dppair_place_ there;
    int reached;
    /* the second order makes a better guess, but a bad one where the loss is nearly flat */
    if (w->bend * gap < 1.0) gap -= 0.5 * w->bend * gap * gap;
    next = w->x + gap < widest ? w->x + gap : widest;
    reached =
        dppair_cells_boundary_(&next, &there, w->branch, target, w->x, widest, w->near_enough);
    if (reached < 0) return -1;
    gap = next - w->x;
    mass = dppair_exp_(there.log_mass);
    dppair_walk_panel_(right, left, w, gap, &there, mass, low);
    if (gap > 0.0) w->bend = (there.slope + there.mirror - slope) / gap / slope;
    w->x = next;
    w->here = there;
    w->mass = mass;
    if (reached) return 1;
    if (widest >= w->end) return 0;
  }
}

/* Charges the errors of a branch between low and high, where |log r| <= largest: those of its
 * losses, and those of its masses, which add the rounding of log_mass, an exponent, and 2e-13 for
 * the quadrature. */
DPPAIR_API void dppair_cells_charge_(dppair_cells_ *cells, const dppair_branch_ *branch, double low,
                                     double high, double largest, double log_spend) {
  double worst = dppair_cells_error_(branch, low, high, largest);
  if (worst > cells->loss_error) cells->loss_error = worst;
  worst += DPPAIR_UNIT_ * (32.0 + 8.0 * high * high - 8.0 * log_spend) + 2e-13;
  if (worst > cells->mass_error) cells->mass_error = worst;
}

/* Adds a branch, whose loss is monotone in x. At most e^log_spend of P beyond each end counts as
 * infinite loss (upper) or as nothing (lower). */
DPPAIR_API dppair_status dppair_cells_branch_(dppair_cells_ *cells, const dppair_branch_ *branch,
                                              double log_spend) {
  const int down = branch->shape == DPPAIR_BACKWARD_; /* the loss falls as x grows */
  const double reach = branch->reach * (branch->shape == DPPAIR_OPPOSITE_ ? 2.0 : 1.0);
  dppair_place_ last;
  dppair_walk_ w;
  double index; /* of the cell */
  int inside = 1;
  dppair_cells_ends_(&w.x, &w.end, branch, log_spend);
  cells->infinity += 2.0 * dppair_exp_(log_spend);
  cells->unseen += dppair_cells_unseen_(branch, w.x, w.end);
  if (w.x >= w.end) return DPPAIR_OK;
  dppair_place_of_(&w.here, branch, w.x);
  dppair_place_of_(&last, branch, w.end);
  dppair_cells_charge_(cells, branch, w.x, w.end, dppair_fabs_(w.here.g) + dppair_fabs_(last.g),
                       log_spend);
  w.branch = branch;
  w.h = cells->h;
  w.scale = -1.0 / dppair_expm1_(-cells->h);
  w.mass = dppair_exp_(w.here.log_mass);
  w.bend = 0.0;
  w.panel = reach > 2.0 ? 0.5 / reach : 0.25;
  w.near_enough = 3e-9 / (reach > 1.0 ? reach : 1.0);
  for (index = dppair_floor_(w.here.loss / w.h); inside; index += down ? -1.0 : 1.0) {
    const double cell = index - (double)cells->first;
    double right = 0.0, left = 0.0;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    inside = dppair_walk_cell_(&right, &left, &w, index * w.h, (down ? index : index + 1.0) * w.h);
    if (inside < 0) return DPPAIR_ERR_NO_CONVERGENCE;
    cells->right[(size_t)cell] += right;
    cells->left[(size_t)cell] += left;
  }
  return DPPAIR_OK;
}

/* Adds the continuous part of a Laplace loss: the density e^((l - e)/2)/4 on (-e, e). */
DPPAIR_API dppair_status dppair_cells_laplace_(dppair_cells_ *cells, double e) {
  const double h = cells->h, scale = -1.0 / dppair_expm1_(-h);
  double low = dppair_floor_(-e / h), x = -e;
  while (x < e) {
    const double cell = low - (double)cells->first;
    const double to = (low + 1.0) * h < e ? (low + 1.0) * h : e, gap = to - x;
    int k;
    if (!(cell >= 0.0 && cell < (double)cells->size - 2.0)) return DPPAIR_ERR_NO_CONVERGENCE;
    for (k = 0; gap > 0.0 && k < 16; k++) {
      double w, loss;
      loss = x + 0.5 * gap * (1.0 + dppair_legendre_(&w, k));
      dppair_cells_node_(&cells->right[(size_t)cell], &cells->left[(size_t)cell], loss,
                         0.125 * gap * w * dppair_exp_(0.5 * (loss - e)), low * h, h, scale);
    }
    x = to;
    low += 1.0;
  }
  return DPPAIR_OK;
}

/* [*low, *high] holds all losses of a law but its tails of e^log_spend each. */
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

/* Puts all of one law on the lattice. right and left have room for size cells and are cleared.
 * NO_CONVERGENCE: the losses span more cells than there are. */
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
  cells->first = (int64_t)dppair_floor_(lowest / cells->h) - 2;
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
  if (atom > 0.0 && dppair_law_atom_error_(law) > cells->mass_error)
    cells->mass_error = dppair_law_atom_error_(law);
  if (law->kind == DPPAIR_LAW_POSITIVE_) cells->unseen += 1.0 - 2.0 * atom;
  if (law->kind == DPPAIR_LAW_LAPLACE_) {
    status = dppair_cells_laplace_(cells, e);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, e, 0.5);
    if (status == DPPAIR_OK) status = dppair_cells_atom_(cells, -e, 0.5 * dppair_exp_(-e));
  } else if (law->kind == DPPAIR_LAW_RESPONSE_) {
    status = dppair_cells_atom_(cells, e, 1.0 / (1.0 + dppair_exp_(-e)));
    if (status == DPPAIR_OK)
      status = dppair_cells_atom_(cells, -e, dppair_exp_(-e) / (1.0 + dppair_exp_(-e)));
  }
  return status;
}

/*
 * rise[i] = beta_i of the lower law. In units of 1 - e^-h cell i has right[i] above ih and left[i]
 * e^h below (i+1)h; the only condition is beta_(i-1) left[i-1] e^h <= (1 - beta_i) right[i] for all
 * i, and with equality nothing of cell i is rounded down. The recurrence beta_i = 1 - beta_(i-1)
 * left[i-1] e^h/right[i] damps its errors where masses grow with i, and the same recurrence
 * downwards where they fall, so two passes meet at the largest cell. The last pass, from the right,
 * makes the condition hold whatever the first one left.
 */
DPPAIR_API void dppair_cells_rise_(double *rise, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  size_t i, peak = 0;
  for (i = 1; i < cells->size; i++)
    if (right[i] + left[i] > right[peak] + left[peak]) peak = i;
  rise[0] = 1.0;
  for (i = 1; i <= peak; i++) {
    const double below = rise[i - 1] * left[i - 1] * cells->growth;
    rise[i] = right[i] > below ? 1.0 - below / right[i] : 0.0;
  }
  rise[cells->size - 1] = 0.0;
  for (i = cells->size - 1; i > 0; i--) {
    const double above = (1.0 - rise[i]) * right[i], below = left[i - 1] * cells->growth;
    const double most = above < below ? above / below * (1.0 - 1e-15) : (below > 0.0 ? 1.0 : 0.0);
    if (i > peak || rise[i - 1] > most) rise[i - 1] = most;
  }
}

/* The cells [*begin, *end) hold all there is; 0 when there is nothing. */
DPPAIR_API int dppair_cells_used_(size_t *begin, size_t *end, const dppair_cells_ *cells) {
  const double *right = cells->right, *left = cells->left;
  *begin = 0;
  *end = cells->size;
  while (*end > 0 && !(right[*end - 1] > 0.0 || left[*end - 1] > 0.0)) --*end;
  while (*begin < *end && !(right[*begin] > 0.0 || left[*begin] > 0.0)) ++*begin;
  return *begin < *end;
}

/* A last line of defence: do the cells [begin, end) of a law hold all of P and, but for the ends,
 * all of Q, within the errors that are claimed? */
DPPAIR_API dppair_status dppair_cells_check_(const dppair_cells_ *cells, size_t begin, size_t end) {
  const double lowest = cells->h * ((double)cells->first + (double)begin);
  const double shrink = dppair_exp_(-cells->h);
  const double range = dppair_fabs_(lowest) + cells->h * (double)(end - begin);
  const double wrong = cells->mass_error + 2.0 * cells->loss_error + cells->infinity +
                       DPPAIR_UNIT_ * (400.0 + 4.0 * range + (double)(end - begin) / 64.0);
  double p = 0.0, q = 0.0;
  size_t i;
  for (i = begin; i < end;) {
    const size_t stop = end - i < 64 ? end : i + 64;
    double own = 0.0, other = 0.0;
    double w = dppair_exp_(-cells->h * ((double)cells->first + (double)i));
    for (; i < stop; i++, w *= shrink) {
      own += cells->right[i] + cells->left[i];
      other += (cells->left[i] + cells->right[i] * shrink) * w;
    }
    p += own;
    q += other;
  }
  if (!(dppair_fabs_(p - 1.0) <= wrong)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* far below, e^-loss overflows or multiplies what is no longer a normal number */
  return lowest < -600.0 || dppair_fabs_(q + cells->unseen - 1.0) <= wrong
             ? DPPAIR_OK
             : DPPAIR_ERR_NO_CONVERGENCE;
}
