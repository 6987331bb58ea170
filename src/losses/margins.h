/* ------------------------------------------------------------------------------------------------
 * Margins, and the constants that privacy and step sizes rest on
 *
 *   X(name, formula of the loss of an ordered pair (z, z'), source)
 *
 * A margin says what phi is applied to, for an ordered pair (z, z') of records z = (x, y). Here
 * s = w.x with |x| <= R and |w| <= B; M(x, x') = (x - x')^T W (x - x') with |W|_F <= B; |L|_F <= B.
 * The risk sums both orders of each pair and divides by n (n - 1).
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_MARGIN_TABLE(X)                                                                     \
  X(ind, "phi(s - s') 1[y > y'], two label levels", "Xue et al. 2021")                             \
  X(ind_levels, "phi(s - s') 1[y > y'], three levels or more", "Herbrich et al. 2000")             \
  X(diff, "phi((y - y')(s - s')), |y| <= Y", "Kang et al. 2021")                                   \
  X(sign, "phi(sign(y - y')(s - s')), two label levels", "Agarwal and Niyogi 2009")                \
  X(sign_levels, "phi(sign(y - y')(s - s')), three levels or more", "Agarwal and Niyogi 2009")     \
  X(residual, "phi((y - y') - (s - s')), |y| <= Y", "Agarwal and Niyogi 2009; Hu et al. 2013")     \
  X(metric_psd, "phi(yy' (b - M(x, x'))), W positive semidefinite", "Jin et al. 2009")             \
  X(metric, "phi(yy' (b - M(x, x'))), W symmetric", "Yang et al. 2021 (b = 0, hinge)")             \
  X(factor, "phi(yy' (b - |L^T (x - x')|^2)), W = L L^T", "Weinberger and Saul 2009")              \
  X(similarity, "phi(yy' (x^T W x' - b)), W symmetric", "Guo and Ying 2014")

/* What of two records a loss is a function of: the rows of DPPAIR_MARGIN_TABLE. */
typedef enum dppair_margin {
#define DPPAIR_X_(name, formula, source) DPPAIR_MARGIN_##name,
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_MARGIN_COUNT
} dppair_margin;

/* The name of a margin, and its formula in *formula when formula is not NULL. NULL: no margin. */
DPPAIR_API const char *dppair_margin_name_(dppair_margin margin, const char **formula) {
#define DPPAIR_X_(name, text, source)                                                              \
  if (margin == DPPAIR_MARGIN_##name) {                                                            \
    if (formula) *formula = text;                                                                  \
    return #name;                                                                                  \
  }
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  return NULL;
}

/* What is publicly known of records and parameters. HUGE_VAL means "no bound". */
typedef struct dppair_bounds {
  double radius;       /* R: every row is clipped to it; HUGE_VAL: any scorer, and then a clip    */
  double param_radius; /* B: EVERY point at which a gradient is taken is projected on this ball,  */
                       /* the first and each noisy restart too; HUGE_VAL: unprojected             */
  double label_bound;  /* Y, for diff and residual                                                */
  double offset;       /* b, for metric, factor and similarity                                    */
  double clip;         /* each ordered pair's gradient is clipped to this norm; 0: not clipped    */
} dppair_bounds;

/*
 * The constants of the loss of one ordered pair, WITHOUT any regulariser. A regulariser that does
 * not read the data has the same gradient on both of two neighbouring data sets, so it cancels in
 * every sensitivity; dppair_constants_regularise_ says where it counts.
 */
typedef struct dppair_constants {
  double slope;       /* s: sup |phi'| over the margins that are reached                          */
  double lipschitz;   /* G: sup norm of the gradient                                              */
  double smoothness;  /* L: Lipschitz constant of the gradient; HUGE_VAL when there is none       */
  double bound;       /* M: sup |loss|; HUGE_VAL when there is none                               */
  double move;        /* Dm: largest change of (grad l(z, z') + grad l(z', z))/2 when z is        */
                      /* replaced and z' is fixed                                                 */
  double replace_one; /* 2 Dm: the mean gradient's sensitivity to one replaced record, times n    */
  double zero_out;    /* ... and to one record that is made null                                  */
  int convex;         /* the loss is convex in the parameters                                     */
  unsigned projected; /* which figures hold on the ball |w| <= B only: DPPAIR_ONLY_PROJECTED_*    */
} dppair_constants;

enum {
  DPPAIR_ONLY_PROJECTED_G = 1, /* slope, lipschitz, move, replace_one, zero_out */
  DPPAIR_ONLY_PROJECTED_L = 2,
  DPPAIR_ONLY_PROJECTED_M = 4
};
