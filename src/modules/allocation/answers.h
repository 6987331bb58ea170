/* ------------------------------------------------------------------------------------------------
 * Random allocation: certified answers
 *
 * Roots of a curve from both sides, and the directions and relations that an answer is about.
 * Relies on replace_one.h.
 * ---------------------------------------------------------------------------------------------- */

/* The place, in steps, at which the computed delta is `delta`: between nodes low and low + 1. */
DPPAIR_API double dppair_slope_find_(dppair_slope_ *s, double delta) {
  double low = 0.0, high = (double)s->d->first + (double)s->d->size, from, to;
  int i;
  while (high - low > 1.0) {
    const double middle = dppair_floor_(0.5 * (low + high));
    if (dppair_slope_at_(NULL, s, middle) > delta)
      low = middle;
    else
      high = middle;
  }
  high = low + 1.0 - 1e-9; /* of the same node */
  from = dppair_log_(dppair_slope_at_(NULL, s, low) / delta);
  to = dppair_log_(dppair_slope_at_(NULL, s, high) / delta);
  for (i = 0; i < 60 && high - low > 1e-13 * (1.0 + high); i++) {
    double x = from > to ? low + (high - low) * (from / (from - to)) : 0.5 * (low + high), at;
    if (!(x > low && x < high)) x = 0.5 * (low + high);
    at = dppair_log_(dppair_slope_at_(NULL, s, x) / delta);
    if (dppair_fabs_(at) < 1e-15) return x;
    if (at > 0.0) {
      low = x;
      from = at;
      to *= 0.5; /* Illinois: an end that stays weighs less */
    } else {
      high = x;
      to = at;
      from *= 0.5;
    }
  }
  return 0.5 * (low + high);
}

/* lower <= the epsilon at which the curve is delta <= upper, in steps. NO_CONVERGENCE: nothing is
 * certain there. */
DPPAIR_API dppair_status dppair_slope_root_(double *lower, double *upper, dppair_slope_ *s,
                                            double delta) {
  double error, value = dppair_slope_at_(&error, s, 0.0), root, move, fall;
  int side, i;
  *lower = *upper = 0.0;
  if (!(error >= 0.0 && error <= 0.5 * value)) return DPPAIR_ERR_NO_CONVERGENCE;
  if (value + error <= delta) return DPPAIR_OK;
  root = value > delta ? dppair_slope_find_(s, delta) : 0.0;
  value = dppair_slope_at_(&error, s, root);
  if (!(error <= 0.5 * value)) return DPPAIR_ERR_NO_CONVERGENCE;
  fall = dppair_log_(value / dppair_slope_at_(NULL, s, root + 0.01)) * 100.0; /* per step */
  if (!(fall > 1e-6)) fall = 1e-6;
  for (side = 0; side < 2; side++) {
    move = 1.1 * error / value / fall + 1e-15 * (1.0 + root);
    for (i = 0;; i++, move *= 1.5) {
      const double x = side == 0 ? root + move : root - move;
      double wrong, at;
      if (i == 60) return DPPAIR_ERR_NO_CONVERGENCE;
      if (!(x > 0.0)) break; /* the lower end stays 0 */
      at = dppair_slope_at_(&wrong, s, x);
      if (side == 0 && at + wrong <= delta) {
        *upper = x;
        break;
      }
      if (side == 1 && at - wrong >= delta) {
        *lower = x;
        break;
      }
    }
  }
  return DPPAIR_OK;
}

/* lower <= epsilon <= upper of one density. */
DPPAIR_API dppair_status dppair_density_epsilon_(double *lower, double *upper,
                                                 const dppair_density_ *d, double delta,
                                                 dppair_pool_ pool) {
  dppair_slope_ s;
  dppair_status status = dppair_slope_open_(&s, d, &pool);
  *lower = *upper = 0.0;
  if (status == DPPAIR_OK) status = dppair_slope_root_(lower, upper, &s, delta);
  *lower = dppair_down_(dppair_down_(*lower * d->h));
  *upper = dppair_up_(dppair_up_(*upper * d->h));
  return status;
}

/* lower <= delta <= upper of one density at epsilon. */
DPPAIR_API dppair_status dppair_density_delta_(double *lower, double *upper,
                                               const dppair_density_ *d, double epsilon,
                                               dppair_pool_ pool) {
  const double x = epsilon / d->h;
  double error, value;
  dppair_slope_ s;
  dppair_status status = dppair_slope_open_(&s, d, &pool);
  *lower = *upper = 0.0;
  if (status != DPPAIR_OK) return status;
  if (x > (double)d->first + (double)d->size) {
    *upper = dppair_up_(d->outside); /* all losses above are outside */
    return DPPAIR_OK;
  }
  value = dppair_slope_at_(&error, &s, x * (1.0 - 4.0 * DPPAIR_UNIT_));
  if (!(error >= 0.0 && dppair_isfinite_f64(value + error))) return DPPAIR_ERR_NO_CONVERGENCE;
  *upper = dppair_up_(value + error);
  value = dppair_slope_at_(&error, &s, x * (1.0 + 4.0 * DPPAIR_UNIT_));
  if (value - error > 0.0) *lower = dppair_down_(value - error);
  if (*upper > 1.0) *upper = 1.0;
  return DPPAIR_OK;
}

/* Doubles for the answers below at noise multiplier z and t batches. */
DPPAIR_API size_t dppair_allocation_workspace_(double z, size_t t) {
  return 20 * dppair_allocation_nodes_(z, t) + 160000;
}

/* A law of allocated records that was made (lattice.h). */
typedef struct dppair_allocated_law_ {
  double noise;
  size_t batches;
  int atoms; /* 1: `pair` was made, 0: `table` */
  dppair_density_ table;
  dppair_atoms_ pair;
} dppair_allocated_law_;

enum { /* doubles that hold it */
       DPPAIR_ALLOCATED_LAW_ = (sizeof(dppair_allocated_law_) + sizeof(double) - 1) / sizeof(double)
};

/* Doubles for any answer, and for the law behind other steps. */
DPPAIR_API size_t dppair_allocation_doubles_(void) {
  return 20 * (size_t)DPPAIR_MOST_NODES_ + 160000 + DPPAIR_ALLOCATED_LAW_;
}

/* Is it in the range where the tables are proved and do not underflow? */
DPPAIR_API dppair_status dppair_allocation_range_(double z, size_t t, size_t epochs) {
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(z)) return DPPAIR_ERR_NOT_FINITE;
  if (!(z > 0.0)) return DPPAIR_ERR_SIGMA;
  if (t < 1 || t > 1000000) return DPPAIR_ERR_SIZE;
  if (epochs < 1) return DPPAIR_ERR_STEPS;
  return z >= 0.1 && z <= 1e6 && epochs <= 10000 ? DPPAIR_OK : DPPAIR_ERR_DOMAIN;
}

/* *table = the density of one epoch. The table stays at the front of work; *rest is what is free
 * behind it. Errors: those of _range_, WORKSPACE, NO_CONVERGENCE. */
DPPAIR_API dppair_status dppair_allocation_build_(dppair_density_ *table, dppair_pool_ *rest,
                                                  double z, size_t t, double *work,
                                                  size_t doubles) {
  const size_t room = dppair_allocation_nodes_(z, t);
  dppair_status status = dppair_allocation_range_(z, t, 1);
  if (status != DPPAIR_OK) return status;
  if (work == NULL || doubles < dppair_allocation_workspace_(z, t)) return DPPAIR_ERR_WORKSPACE;
  status = dppair_levels_run_(table, z, t, work, doubles, room);
  if (status == DPPAIR_ERR_WORKSPACE) status = DPPAIR_ERR_NO_CONVERGENCE; /* more than MOST_NODES */
  rest->at = work + 2 * room;
  rest->left = doubles - 2 * room;
  return status;
}

/* The density of `epochs` epochs, at the front of what was free. */
DPPAIR_API dppair_status dppair_allocation_fold_(dppair_density_ *fold, dppair_pool_ *rest,
                                                 const dppair_density_ *table, size_t epochs) {
  const size_t room = 3 * table->size + 256;
  dppair_status status;
  if (epochs == 1) {
    *fold = *table;
    return DPPAIR_OK;
  }
  status = dppair_epochs_run_(fold, table, epochs, rest->at, rest->left, room);
  if (status == DPPAIR_OK && dppair_pool_take_(rest, 2 * room) == NULL)
    status = DPPAIR_ERR_WORKSPACE;
  return status == DPPAIR_ERR_WORKSPACE ? DPPAIR_ERR_NO_CONVERGENCE : status;
}

/* What is asked of an allocation: the delta at `epsilon`, or the epsilon at `delta`. */
typedef struct dppair_allocation_question_ {
  double z;
  size_t batches, epochs;
  int asks_delta;
  double given; /* epsilon or delta */
  dppair_adjacency adjacency;
  int only; /* zero-out: 0, the worse direction; 1, remove; 2, add */
} dppair_allocation_question_;

/* The answer of one density. */
DPPAIR_API dppair_status dppair_allocated_side_(double *lower, double *upper,
                                                const dppair_allocation_question_ *q,
                                                const dppair_density_ *d, dppair_pool_ pool) {
  return q->asks_delta ? dppair_density_delta_(lower, upper, d, q->given, pool)
                       : dppair_density_epsilon_(lower, upper, d, q->given, pool);
}

/* Zero-out: the worse of both directions, or one of them. */
DPPAIR_API dppair_status dppair_allocated_zero_(dppair_interval *in,
                                                const dppair_allocation_question_ *q,
                                                const dppair_density_ *d, dppair_pool_ pool) {
  double *const work = dppair_pool_take_(&pool, 2 * d->size);
  dppair_density_ mirror;
  dppair_status status = DPPAIR_OK;
  int add;
  if (work == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_density_mirror_(&mirror, work, d->size, d);
  for (add = 0; add < 2 && status == DPPAIR_OK; add++) {
    double lower, upper;
    if (q->only == 2 - add) continue;
    status = dppair_allocated_side_(&lower, &upper, q, add ? &mirror : d, pool);
    in->lower = dppair_larger_(in->lower, lower);
    in->upper = dppair_larger_(in->upper, upper);
  }
  return status;
}

/* Replace-one. The lower end: remove, then add. The upper end: the comonotone pair, or what is
 * known without tables where its atoms are too many or too uncertain. */
DPPAIR_API dppair_status dppair_allocated_replaced_(dppair_interval *in,
                                                    const dppair_allocation_question_ *q,
                                                    const dppair_density_ *table,
                                                    const dppair_density_ *d, dppair_pool_ pool) {
  const dppair_pool_ all = pool;
  double *const work = dppair_pool_take_(&pool, 2 * d->size);
  double *const both = dppair_pool_take_(&pool, 4 * d->size), upper;
  dppair_density_ mirror, sum;
  dppair_status status;
  if (work == NULL || both == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_density_mirror_(&mirror, work, d->size, d);
  status = dppair_density_add_(&sum, both, 2 * d->size, d, &mirror, pool);
  if (status == DPPAIR_OK) status = dppair_allocated_side_(&in->lower, &upper, q, &sum, pool);
  if (status != DPPAIR_OK || dppair_replace_upper_(&in->upper, table, q->epochs, q->asks_delta,
                                                   q->given, all) != DPPAIR_OK)
    in->upper = HUGE_VAL;
  return status;
}

/* The answer of mu-GDP from below, where it is exact. */
DPPAIR_API double dppair_allocated_below_(const dppair_allocation_question_ *q, double mu,
                                          double upper) {
  const double target = q->asks_delta ? 0.0 : dppair_log_(q->given) * (1.0 - 3e-16);
  double step;
  if (q->asks_delta) {
    const dppair_curve_point_ point = dppair_curve_(q->given, mu);
    return point.log_delta > -700.0 ? point.delta * (1.0 - 2.0 * DPPAIR_CURVE_SLACK_) : 0.0;
  }
  for (step = 1e-14; step < 1.0; step *= 4.0) {
    const double x = upper * (1.0 - step), at = dppair_curve_(x, mu).log_delta;
    if (at - dppair_curve_log_slack_(at) >= target) return x;
  }
  return 0.0;
}

/* What is known without tables: zero-out is at most sqrt(E)/z-GDP and replace-one 2 sqrt(E)/z-GDP,
 * exact for one batch; replace-one is sqrt(2E)/z-GDP for two batches and at most that for more. */
DPPAIR_API dppair_status dppair_allocated_gaussian_(dppair_interval *in,
                                                    const dppair_allocation_question_ *q) {
  const int zero = dppair_adjacency_move_(q->adjacency) == DPPAIR_ZERO_OUT;
  const double square = zero ? 1.0 : (q->batches == 1 ? 4.0 : 2.0);
  const double mu = dppair_sqrt_(square * (double)q->epochs) / q->z,
               high = dppair_up_(dppair_up_(mu));
  const dppair_status status = q->asks_delta ? dppair_gaussian_delta(&in->upper, q->given, high)
                                             : dppair_gaussian_epsilon(&in->upper, q->given, high);
  if (status == DPPAIR_OK && q->batches <= (zero ? 1u : 2u)) {
    in->lower = dppair_allocated_below_(q, dppair_down_(dppair_down_(mu)), in->upper);
    in->route = DPPAIR_ROUTE_CLOSED;
  }
  return status;
}

/* The interval of an answer. On an error both ends are 0. */
DPPAIR_API dppair_status dppair_allocated_answer_(dppair_interval *in,
                                                  const dppair_allocation_question_ *q,
                                                  double *work, size_t doubles) {
  dppair_interval simple;
  dppair_density_ table, fold;
  dppair_pool_ rest;
  dppair_status status = dppair_allocation_range_(q->z, q->batches, q->epochs);
  memset(in, 0, sizeof *in);
  memset(&simple, 0, sizeof simple);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(q->given)) return DPPAIR_ERR_NOT_FINITE;
  if (q->asks_delta && !(q->given >= 0.0)) return DPPAIR_ERR_EPSILON;
  if (!q->asks_delta && !(q->given > 0.0 && q->given < 1.0)) return DPPAIR_ERR_DELTA;
  if (work == NULL || doubles < dppair_allocation_workspace_(q->z, q->batches))
    return DPPAIR_ERR_WORKSPACE;
  status = dppair_allocated_gaussian_(&simple, q);
  if (status == DPPAIR_OK && simple.route != DPPAIR_ROUTE_CLOSED) {
    status = dppair_allocation_build_(&table, &rest, q->z, q->batches, work, doubles);
    if (status == DPPAIR_OK) status = dppair_allocation_fold_(&fold, &rest, &table, q->epochs);
    if (status == DPPAIR_OK)
      status = dppair_adjacency_move_(q->adjacency) == DPPAIR_ZERO_OUT
                   ? dppair_allocated_zero_(in, q, &fold, rest)
                   : dppair_allocated_replaced_(in, q, &table, &fold, rest);
    in->route = DPPAIR_ROUTE_LATTICE;
    if (!(in->upper <= simple.upper)) in->upper = simple.upper;
  } else {
    *in = simple;
  }
  if (status == DPPAIR_ERR_WORKSPACE) status = DPPAIR_ERR_NO_CONVERGENCE; /* beyond MOST_NODES_ */
  if (status == DPPAIR_OK && !(in->lower <= in->upper)) status = DPPAIR_ERR_NO_CONVERGENCE;
  if (status != DPPAIR_OK) {
    memset(in, 0, sizeof *in);
    return status;
  }
  in->estimate = in->upper;
  return DPPAIR_OK;
}

/*
 * *epsilon: the certified interval at delta in (0, 1) for `epochs` epochs of `batches` steps each,
 * in which every record is in one batch, uniformly and independently of the others. z is the noise
 * scale over what zeroing one record moves a batch's statistic, under both relations. only: of
 * zero-out 0 the worse direction, 1 remove, 2 add. Errors:
 * SIGMA, SIZE, STEPS, DOMAIN (z outside [0.1, 1e6], more than 1e6 batches or 1e4 epochs),
 * NOT_FINITE, DELTA, ENVIRONMENT, WORKSPACE, NO_CONVERGENCE. Proofs: theory.h.
 */
DPPAIR_API dppair_status dppair_allocation_epsilon_(dppair_interval *epsilon, double z,
                                                    size_t batches, size_t epochs, double delta,
                                                    dppair_adjacency adjacency, int only,
                                                    double *work, size_t doubles) {
  const dppair_allocation_question_ q = {z, batches, epochs, 0, delta, adjacency, only};
  return dppair_allocated_answer_(epsilon, &q, work, doubles);
}

/* *delta: the same at epsilon >= 0. */
DPPAIR_API dppair_status dppair_allocation_delta_(dppair_interval *delta, double z, size_t batches,
                                                  size_t epochs, double epsilon,
                                                  dppair_adjacency adjacency, int only,
                                                  double *work, size_t doubles) {
  const dppair_allocation_question_ q = {z, batches, epochs, 1, epsilon, adjacency, only};
  return dppair_allocated_answer_(delta, &q, work, doubles);
}

/* *pair = the atoms of one epoch of the comonotone pair, which dominates replace-one, in work. The
 * same errors. */
DPPAIR_API dppair_status dppair_allocation_atoms_(dppair_atoms_ *pair, double z, size_t batches,
                                                  double *work, size_t doubles) {
  dppair_density_ table;
  dppair_pool_ rest;
  dppair_status status = dppair_allocation_build_(&table, &rest, z, batches, work, doubles);
  memset(pair, 0, sizeof *pair);
  if (status == DPPAIR_OK) status = dppair_atoms_of_(pair, &table, &rest);
  if (status != DPPAIR_OK) memset(pair, 0, sizeof *pair);
  return status;
}
