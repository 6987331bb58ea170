/* ------------------------------------------------------------------------------------------------
 * The contour route: why it is a bound, and its state
 *
 * M(z) = E_P e^(zL) is the moment function of one step, K(z) = prod M_t(z)^(T_t) that of the
 * composition. For any c > 0, with z = c + iy,
 *     delta(epsilon) = (1/2 pi i) int K(z) e^(-z epsilon) / (z (z+1)) dz
 * because 1/(z(z+1)) is the Laplace transform of 1 - e^-u. The trapezoid rule of step eta in y,
 *     S(epsilon) = eta/(2 pi) sum_k K(z_k) e^(-z_k epsilon) / (z_k (z_k + 1)),  z_k = c + i k eta,
 * equals sum_m e^(2 pi m c/eta) delta(epsilon + 2 pi m/eta) by Poisson summation: the term m = 0 is
 * delta, the others are positive aliases. So S is an upper bound of delta, and S minus a bound on
 * the aliases is a lower bound:
 *   m < 0: delta <= 1, so these sum to at most 1/(e^(2 pi c/eta) - 1).
 *   m > 0: delta(e) <= K(c') k(c') e^(-c' e) for any c' > c, with k(c') = sup (1 - e^-u) e^(-c'u) =
 *          c'^c'/(1+c')^(1+c'). These form a geometric series with ratio e^(-(c'-c) 2 pi/eta).
 *
 * The computed sum differs from S by four errors, each of which is bounded:
 *   The cut at Y = N eta. The terms beyond it sum to at most K(c) e^(-c epsilon) / (pi Y) times the
 *     sup of |K(c+iy)|/K(c) over y >= Y. Suppose that the tilted law of a loss (density
 *     proportional to mass times e^(cL)) is at least the density of sum_i m_i Uniform(interval of
 *     width w_i). Then |M(c+iy)|/M(c) <= 1 - sum_i m_i (1 - |sinc(y w_i/2)|). The intervals come
 *     from a lower envelope of the density: a lower bound in each cell, made unimodal, cut into
 *     layers. In a cell [x0, x1] the log density is a concave plus a convex function of x. The
 *     chord of the first and a tangent of the second lie below them and are linear, so the smaller
 *     of the two ends bounds the cell; divided by the largest L' there it bounds the density in L.
 *     Every inequality is exact; nothing is sampled.
 *   Quadrature in x. For |Im x| <= a < pi/reach all exponentials in r turn by angles in
 *     [0, a reach], so |r(x+ia)| <= r(x), |r(x+ia)| >= r(x) cos(a reach/2) and
 *     |arg r(x+ia)| <= a reach. On the line the trapezoid rule with step h has the error
 *     |M_h - M| <= 2 M(c) E/(e^(2 pi a/h) - 1) with E = e^(a^2/2 + a reach |y|) for a forward
 *     branch, times cos^-c for a backward one, and with a reach |y| doubled and times cos^-c for an
 *     opposite one. On a half line, or where that would need too many nodes, Gauss-Legendre with 16
 *     points is used on panels, each as wide as its own bound allows: if |f| <= F on the ellipse of
 *     parameter rho, the error is at most (64/15) w F rho^-32/(1 - rho^-2) (the Chebyshev
 *     coefficients of f are at most 2 F rho^-k; the integral and the 16-point sum of T_k are at
 *     most 2).
 *   Nodes far out. log mass + c L falls at least like a Gaussian beyond some x, so that the nodes
 *     left out sum to at most a geometric series.
 *   Rounding. The sums are over M(c) - 1 = E (e^(cL) - 1) and
 *     M(z_k) - M(c) = E e^(cL) (e^(iyL) - 1), and L itself is computed from r - 1: every term keeps
 *     its relative precision, so the errors are proportional to what a step loses, not to 1. Each
 *     node counts the errors of its mass, its loss, the summation, and of turning e^(iyL) by k
 *     complex products (sqrt 5 u each, Brent, Percival and Zimmermann 2007). An error e of M
 *     relative to M(c) changes K by prod (|M_t| + e_t)^(T_t) - prod |M_t|^(T_t), which is at most
 *     prod (|M_t| + e_t)^(T_t) times sum T_t e_t/(|M_t| + e_t).
 *
 * The epsilon that is returned has been tested: S + errors <= delta there, and at the lower one
 * S - errors - aliases >= delta.
 *
 * Chapters: search (rough log K, to place the line), layers (the cut), quadrature (nodes of one
 * step), factor (one step's share of the line), line (c, eta, N and the sum), direction (answers).
 * ---------------------------------------------------------------------------------------------- */

enum {
  /* per step, for the search of c: a panel for each of the two branches per hit */
  DPPAIR_SEARCH_NODES_ = 32 * DPPAIR_AMPLIFIED_HITS_ + 32,
  DPPAIR_LAYERS_ = 512,   /* per step, for the cut */
  DPPAIR_X_NODES_ = 8192, /* of one step's quadrature: beyond, NO_CONVERGENCE */
  DPPAIR_Z_NODES_ = 4096  /* of the line, likewise */
};

/*
 * A privacy loss as a table: mass[i] is the probability of the loss (first + i) *
 * grid_step, under P in forward and under Q with P and Q exchanged in backward; the infinities are
 * the probabilities of an infinite loss; steps is how often it is composed. backward may be NULL
 * when both directions are the same. Masses are taken as exact; with the infinity they sum to 1
 * within 1e-9.
 */
typedef struct dppair_loss_table_ {
  const double *forward, *backward;
  size_t forward_size, backward_size;
  int64_t forward_first, backward_first;
  double forward_infinity, backward_infinity;
  size_t steps;
} dppair_loss_table_;

/* Everything one direction of a composition needs; the arrays lie in the caller's workspace. */
typedef struct dppair_contour_ {
  const dppair_step *steps;
  size_t count;
  const dppair_loss_table_ *tables; /* lattice route only */
  size_t table_count;
  double grid_step, c_limit;
  int backward;
  int replaced; /* the lower bounds of some step's law are another pair's */
  int below;    /* then: 1, the pair below the true one; 0, the one above */
  int made;      /* what was made for a law that is a table lies at the front of */
  double *spare; /* what is left of the workspace */
  size_t spares;
  double tail;     /* what hits beyond the cap may cost in delta, per step */
  double trim;     /* the search sees laws cut so that e^trim of P is beyond each end; 0: whole */
  double about[2]; /* with trim: epsilon and log delta are about these */
  double variance; /* sum of mu^2 over plain Gaussian steps */
  double failure;  /* what hits beyond the cap do cost in delta, together */
  int merged;      /* some law is above the true one: there are no lower bounds */
  double total_steps;
  double *search;            /* per step 2 * DPPAIR_SEARCH_NODES_ */
  double *layers;            /* per step 2 * DPPAIR_LAYERS_ */
  double *node;              /* 10 * DPPAIR_X_NODES_ */
  double *line;              /* 6 * DPPAIR_Z_NODES_, of which dppair_line_of_ uses five */
  double reach_c;            /* the search nodes cover tilts up to this c */
  double c, right, eta, cut; /* the chosen line: c, c', eta, Y */
  size_t nodes;              /* N */
  /* the certified sum: log K(c), its relative rounding, log K(c'), the bound of log |K|/K(c) beyond
   * the cut, and the error of S relative to K(c) e^(-c epsilon) */
  double log_k, log_k_rounding, log_right, log_decay, error;
} dppair_contour_;

/* The line's arrays, one number per node z_k. */
typedef struct dppair_line_ {
  double *log_abs, *arg; /* log |K| and arg K relative to K(c); later the node's share of S and
                            its phase */
  double *log_top;       /* sum T log(|M| + e) */
  double *error;         /* sum T e/(|M| + e) */
  double *rounding;      /* relative rounding of the first two */
} dppair_line_;

DPPAIR_API dppair_line_ dppair_line_of_(const dppair_contour_ *s) {
  dppair_line_ line;
  line.log_abs = s->line;
  line.arg = line.log_abs + DPPAIR_Z_NODES_;
  line.log_top = line.arg + DPPAIR_Z_NODES_;
  line.error = line.log_top + DPPAIR_Z_NODES_;
  line.rounding = line.error + DPPAIR_Z_NODES_;
  return line;
}

/* log k(c) = log of c^c/(1+c)^(1+c). */
DPPAIR_API double dppair_contour_kernel_(double c) {
  return -c * dppair_log1p_(1.0 / c) - dppair_log1p_(c);
}

/* A question about a composition: epsilon at delta `given`, or delta at epsilon `given`. */
typedef struct dppair_question_ {
  const dppair_step *steps;
  size_t count;
  int for_delta;
  double given;
  double *work;
  size_t doubles;
  int only; /* 1: one order of the neighbours alone, as laws are written; 2: the other; 0: both */
} dppair_question_;

/* Does the question ask about direction d of so many? One alone stands for both orders. */
DPPAIR_API int dppair_question_asks_(const dppair_question_ *q, int directions, int d) {
  return directions < 2 || q->only == 0 || q->only == d + 1;
}

/* Doubles that dppair_contour_answer_ needs for `count` distinct steps. */
DPPAIR_API dppair_status dppair_contour_workspace_(size_t *doubles, size_t count) {
  const size_t each = 2 * DPPAIR_SEARCH_NODES_ + 2 * DPPAIR_LAYERS_;
  const size_t fixed = 10 * (size_t)DPPAIR_X_NODES_ + 6 * (size_t)DPPAIR_Z_NODES_;
  *doubles = 0;
  if (count > (SIZE_MAX - fixed) / each / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *doubles = fixed + each * count;
  return DPPAIR_OK;
}
