/* ------------------------------------------------------------------------------------------------
 * The contour route
 *
 * M(z) = E_P e^(zL) per step, K(z) = prod M_t(z)^(T_t). For c > 0, y real, z = c + iy,
 *     delta(epsilon) = (1/2 pi i) int K(z) e^(-z epsilon) / (z (z+1)) dz
 * because 1/(z(z+1)) is the Laplace transform of 1 - e^-u. The trapezoid of step eta in y,
 *     S(epsilon) = eta/(2 pi) sum_k K(z_k) e^(-z_k epsilon) / (z_k (z_k + 1)),  z_k = c + i k eta,
 * is by Poisson summation S = sum_m e^(2 pi m c/eta) delta(epsilon + 2 pi m/eta): delta itself and
 * positive aliases. So S is an upper bound, and S minus a bound on the aliases is a lower one.
 *   m < 0: delta <= 1, at most 1/(e^(2 pi c/eta) - 1).
 *   m > 0: delta(e) <= K(c') k(c') e^(-c' e) for c' > c, k(c') = sup (1 - e^-u) e^(-c'u) =
 *          c'^c'/(1+c')^(1+c'): a geometric series with ratio e^(-(c'-c) 2 pi/eta).
 * What the computed sum misses:
 *   The cut at Y = N eta. The terms beyond are at most K(c) e^(-c epsilon) / (pi Y) times the sup
 *     of |K(c+iy)|/K(c) over y >= Y. If the tilted law of a loss (density proportional to mass
 *     times e^(cL)) is at least the density of sum_i m_i Uniform(interval of width w_i), then
 *     |M(c+iy)|/M(c) <= 1 - sum_i m_i (1 - |sinc(y w_i/2)|). We take the lower envelope of the
 *     density by cells, force it to be unimodal, and slice it into layers. On a cell [x0, x1]
 *     log density = concave + convex in x: chord of the one, tangent of the other, the smaller of
 *     the two ends; divided by the largest L' there. No sampling: both are exact inequalities.
 *   Quadrature in x. With |Im x| <= a < pi/reach all exponentials of r turn by angles in
 *     [0, a reach]: |r(x+ia)| <= r(x), |r(x+ia)| >= r(x) cos(a reach/2), |arg r(x+ia)| <= a reach.
 *     On the line the trapezoid with step h: |M_h - M| <= 2 M(c) E/(e^(2 pi a/h) - 1) with
 *     E = e^(a^2/2 + a reach |y|) (forward), times cos^-c (backward), a reach |y| doubled and
 *     cos^-c (opposite). On a half line, or where that would need too many nodes, Gauss-Legendre
 *     with 16 points on panels, each as wide as its own bound allows: with |f| <= F on the ellipse
 *     of parameter rho the error is at most (64/15) w F rho^-32/(1 - rho^-2) (the Chebyshev
 *     coefficients of f are at most 2 F rho^-k; the integral and the 16-point sum of T_k are at
 *     most 2).
 *   Nodes far out: log mass + c L falls at least like a Gaussian beyond some x, so what is left
 *     out is a geometric series.
 *   Rounding. What is summed is M(c) - 1 = E (e^(cL) - 1) and
 *     M(z_k) - M(c) = E e^(cL) (e^(iyL) - 1), and L itself is taken through r - 1: all terms keep
 *     their relative precision, so that the errors are proportional to what a step loses, not to 1.
 *     Node by node: errors of masses, losses, summation, and of turning e^(iyL) by a complex
 *     product k times (sqrt 5 u each, Brent, Percival and Zimmermann 2007). In K an error e of M
 *     relative to M(c) becomes prod (|M_t| + e_t)^(T_t) - prod |M_t|^(T_t), which is at most
 *     prod (|M_t| + e_t)^(T_t) times sum T_t e_t/(|M_t| + e_t).
 *
 * The epsilon that is returned has been tested: S + errors <= delta there, and at the lower one
 * S - errors - aliases >= delta.
 * ---------------------------------------------------------------------------------------------- */

enum {
  /* per step, for the search of c: a panel for each of the two branches per hit */
  DPPAIR_SEARCH_NODES_ = 32 * DPPAIR_AMPLIFIED_HITS_ + 32,
  DPPAIR_LAYERS_ = 512,        /* per step */
  DPPAIR_X_NODES_ = 8192,
  DPPAIR_Z_NODES_ = 4096
};

/* A privacy loss that the caller knows: mass[i] at loss (first + i) * grid_step under P, the same
 * with P and Q exchanged, what either has at infinite loss, and how often it is composed. backward
 * may be NULL when both directions are the same. Masses are taken as exact, and sum to 1 within
 * 1e-9 together with the infinity. */
typedef struct dppair_loss_table {
  const double *forward, *backward;
  size_t forward_size, backward_size;
  int64_t forward_first, backward_first;
  double forward_infinity, backward_infinity;
  size_t steps;
} dppair_loss_table;

/* Everything one direction of a composition needs; arrays live in the caller's workspace. */
typedef struct dppair_contour_ {
  const dppair_step *steps;
  size_t count;
  const dppair_loss_table *tables; /* lattice route only */
  size_t table_count;
  double grid_step, c_limit;
  int backward;
  double tail;     /* what one step may pay for hits beyond the cap */
  double trim;     /* the search sees laws cut so that e^trim of P is beyond each end; 0: whole */
  double about[2]; /* with trim: epsilon and log delta are about these */
  double variance; /* sum of mu^2 over plain Gaussian steps */
  double failure;  /* paid in delta */
  int merged;      /* some law is above the true one: there are no lower bounds */
  double total_steps;
  double *search; /* per step 2 * DPPAIR_SEARCH_NODES_ */
  double *layers; /* per step 2 * DPPAIR_LAYERS_ */
  double *node;   /* 10 * DPPAIR_X_NODES_ */
  double *line;   /* 6 * DPPAIR_Z_NODES_ */
  double reach_c; /* the search nodes are good up to this c */
  /* the chosen line */
  double c, right, eta, cut;
  size_t nodes;
  /* the certified sum: S = e^base (sum) and bounds relative to e^base */
  double log_k, log_k_rounding, log_right, log_decay, error;
} dppair_contour_;

/* log of c^c/(1+c)^(1+c). */
DPPAIR_API double dppair_contour_kernel_(double c) { return -c * log1p(1.0 / c) - log1p(c); }

/* Doubles that dppair_contour_* need for `count` distinct steps. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_contour_workspace(size_t *doubles, size_t count) {
  const size_t each = 2 * DPPAIR_SEARCH_NODES_ + 2 * DPPAIR_LAYERS_;
  const size_t fixed = 10 * (size_t)DPPAIR_X_NODES_ + 6 * (size_t)DPPAIR_Z_NODES_;
  if (doubles == NULL) return DPPAIR_ERR_NULL;
  *doubles = 0;
  if (count > (SIZE_MAX - fixed) / each / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *doubles = fixed + each * count;
  return DPPAIR_OK;
}
