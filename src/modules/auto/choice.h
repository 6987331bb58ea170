/* ------------------------------------------------------------------------------------------------
 * What public numbers decide: route, shares of the budget, number of polynomials, the two plans
 *
 * Relies on maps.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Fixed numbers; none depends on the data. */
#define DPPAIR_AUTO_CLIP_ 0.65      /* the radius over a typical row's length      */
#define DPPAIR_AUTO_INTERCEPT_ 0.15 /* the constant column over the radius         */
#define DPPAIR_AUTO_LEAN_ 0.5       /* of the way to a balance of classes          */
static const double dppair_auto_blend_[2] = {0.2, 0.5}; /* of the range in a map; many columns */
enum {
  DPPAIR_AUTO_FIT_MOST_ = 4000,  /* columns that a fit takes: it factors matrices of as many rows */
  DPPAIR_AUTO_ADDED_MOST_ = 500, /* features in all where polynomials are added                 */
  DPPAIR_AUTO_MANY_ = 24         /* numeric columns of which it is learned how many matter      */
};

/* sqrt(a^2 + b^2) for a, b >= 0 of ordinary size, one of them above 0: nearly always the nearest
 * number, and the same bits on every host. The residual of the first root is divided by its slope
 * (Borges, An Improved Algorithm for hypot(a, b), 2019). */
DPPAIR_API double dppair_auto_hypot_(double a, double b) {
  const double x = a > b ? a : b, y = a > b ? b : a, h = dppair_sqrt_(x * x + y * y);
  const double past = h <= 2.0 * y ? h - y : h - x;
  double rest;
  if (h <= 2.0 * y)
    rest = x * (2.0 * past - x) + (past - 2.0 * (x - y)) * past;
  else
    rest = 2.0 * past * (x - 2.0 * y) + ((4.0 * past - y) * y + past * past);
  return h - rest / (2.0 * h);
}

/* The most features that any budget asks for. */
DPPAIR_API size_t dppair_auto_features_most_(size_t d, size_t numeric) {
  return d + 2 * numeric <= DPPAIR_AUTO_ADDED_MOST_ ? d + 2 * numeric : d;
}

/* What is decided before anything is released. */
typedef struct dppair_auto_choice_ {
  dppair_auto_route route;
  int pure, learned;        /* is delta 0; is the prior over templates learned                */
  double before, mine, rho; /* mu, pure: epsilon, of the two releases; model.rho              */
  double ratio;             /* ridge over noise of the fit                                    */
  size_t side, degrees;     /* cells on a side of zero; 1 and the number of polynomials       */
  double size[DPPAIR_AUTO_DEGREES_ - 1]; /* of the polynomials over the map's                  */
  double label;             /* square of the label count's weight                             */
  size_t numeric, features; /* numeric columns; features in all                               */
} dppair_auto_choice_;

/* How many polynomials, and how large, for a signal that stands out by so much. */
DPPAIR_API void dppair_auto_bends_(dppair_auto_choice_ *c, size_t d, double rho) {
  c->degrees = rho < 40 ? 1 : rho < 300 ? 2 : 3;
  c->size[0] = c->degrees == 2 ? 0.3 : 0.6;
  c->size[1] = 0.6;
  c->features = d + (c->degrees - 1) * c->numeric;
}

/* The choice. budget: mu of the whole guarantee, pure: epsilon. moves: the sum of what one record
 * moves in release 1, labels aside. */
DPPAIR_API void dppair_auto_choose_(dppair_auto_choice_ *c, double budget, int pure, size_t n,
                                    size_t d, size_t numeric, double moves) {
  const double width = pure ? (double)d : dppair_sqrt_((double)d);
  double share = 0.35;
  int low;
  c->pure = pure;
  c->numeric = numeric;
  c->side = pure ? 12 : 24;
  c->label = pure ? 1 : dppair_fmax_(1, moves / 16);
  c->rho = (double)n * budget * (pure ? 1 - share : dppair_sqrt_(0.75)) / width;
  low = c->rho < (pure ? 7 : 14) || d >= DPPAIR_AUTO_FIT_MOST_;
  if (!pure) share = low ? 0.33 : 0.25;
  c->before = budget * (pure ? share : dppair_sqrt_(share));
  c->mine = budget * (pure ? 1 - share : dppair_sqrt_(1 - share));
  c->learned = pure || c->rho < 8;
  dppair_auto_bends_(c, d, low || dppair_auto_features_most_(d, numeric) == d ? 0 : c->rho);
  c->route = low ? DPPAIR_AUTO_VECTOR : DPPAIR_AUTO_FIT;
  c->ratio = 0.75 * (1 + 100 / c->rho) * (pure ? dppair_sqrt_((double)(c->features + 1)) : 1);
}

/* Checks of the plan and the columns, which are public; dppair_auto_workspace checks n and d. A
 * range's ends are 0 or of 1e-250 to 1e250, so that knots between them can be written, and so is
 * delta. */
DPPAIR_API dppair_status dppair_auto_check_(const dppair_plan *plan, size_t n, size_t d,
                                            const dppair_column *columns) {
  const dppair_sampling *s = &plan->sampling;
  size_t j;
  if (s->n != n) return DPPAIR_ERR_SIZE;
  if (s->adjacency != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  if (s->kind != DPPAIR_ALL || s->m > 0 || s->batches > 0 || s->group > 0 || s->owned > 0 ||
      s->q != 0 || plan->steps > 0 || (int)plan->noise != 0 || plan->ridge != 0 ||
      plan->output_mu != 0 || plan->failure != 0 || plan->noise_multiplier != 0 || plan->check != 0)
    return DPPAIR_ERR_UNREAD;
  if (!dppair_isfinite_f64(plan->epsilon) || !(plan->epsilon >= 1e-9 && plan->epsilon <= 1e3))
    return DPPAIR_ERR_EPSILON;
  if (!dppair_isfinite_f64(plan->delta) || !(plan->delta >= 0 && plan->delta < 1) ||
      (plan->delta > 0 && plan->delta < 1e-250))
    return DPPAIR_ERR_DELTA;
  for (j = 0; j < d; j++) {
    const double low = dppair_fabs_(columns[j].low), high = dppair_fabs_(columns[j].high);
    const dppair_status status = dppair_column_check_(&columns[j], d);
    if (status != DPPAIR_OK) return status;
    if (low > 1e250 || high > 1e250 || (low > 0 && low < 1e-250) || (high > 0 && high < 1e-250) ||
        columns[j].low > columns[j].high)
      return DPPAIR_ERR_DOMAIN;
  }
  return plan->delta > 0 ? DPPAIR_OK : dppair_mechanism_known_(DPPAIR_L2BALL); /* release 2's law */
}

/* The two plans. The trace hides what the solver and the grid of the noise may be off: more of the
 * budget where sums over many records round more and the noise matters less. */
DPPAIR_API dppair_status dppair_auto_plans_(dppair_plan plans[2], const dppair_auto_choice_ *c,
                                            const dppair_plan *plan, double held) {
  const double n = (double)plan->sampling.n;
  const double share = dppair_fmin_(3e-2, dppair_fmax_(1e-3, 1e-8 * n));
  const double both = c->pure ? c->mine : dppair_auto_hypot_(c->before, c->mine);
  dppair_plan *second = plans + 1;
  dppair_status status;
  plans[0] = *plan;
  plans[0].epsilon = plans[0].delta = 0;
  plans[0].steps = 1;
  plans[1] = plans[0];
  plans[0].noise = c->pure ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
  plans[0].noise_multiplier = (1 + 1e-12) / c->before;
  second->noise = c->pure ? DPPAIR_L2BALL : DPPAIR_GAUSSIAN;
  second->noise_multiplier = (1 + 1e-12) / c->mine;
  if (c->route != DPPAIR_AUTO_FIT) return DPPAIR_OK;
  second->noise = c->pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE;
  second->output_mu = share * both;
  if (c->pure)
    status = dppair_objective_noise(&second->noise_multiplier,
                                    (c->mine - second->output_mu) * (1 - 1e-12), plan->delta, 0,
                                    c->ratio);
  else
    status = dppair_objective_noise(
        &second->noise_multiplier, plan->epsilon, plan->delta,
        dppair_auto_hypot_(held, dppair_auto_hypot_(c->before, second->output_mu)) * (1 + 1e-12),
        c->ratio);
  second->ridge = c->ratio * second->noise_multiplier;
  return status;
}

DPPAIR_FP_END_
