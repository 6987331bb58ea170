/* ------------------------------------------------------------------------------------------------
 * The lattice route: tilted FFT
 *
 * This chapter holds the theory, the options and the workspace; transform.h the FFT, cells.h one
 * step's loss on the lattice, composition.h the product of all steps, bounds.h what it says about
 * delta and epsilon, setup.h what a composition is made of, answers.h the answers.
 *
 * Every step's loss is put on the lattice h Z, twice. The losses in the cell [ih, (i+1)h] have
 * under P the two masses R_i = int (1 - e^(ih-L)) dP/(1 - e^-h) and L_i = int (e^((i+1)h-L) - 1)
 * dP/(e^h - 1), which add up to P(cell).
 *   Upper law (connect the dots, Doroshenko, Ghazi, Kamath, Kumar and Manurangsi 2022): R_i goes to
 *     the right end and L_i to the left one. This keeps the masses of P and of Q and spreads their
 *     ratio.
 *   Lower law: the fraction alpha_i of cell i and the fraction beta_(i-1) of cell i-1 are merged
 *     into one outcome at ih; alpha_i R_i (1 - e^-h) = beta_(i-1) L_(i-1) (e^h - 1) makes its ratio
 *     exactly e^(ih). Merging is post-processing, so the step dominates the pair that results. The
 *     rest of cell i, 1 - alpha_i - beta_i, is rounded down to ih. Altogether the fraction beta_i
 *     of P(cell i) moves up to (i+1)h and the rest to ih.
 * Both err by O(h^2) per step. Lattice laws compose exactly: with z_k = c + 2 pi i k/(N h)
 *     S(jh) = 1/N sum_k K(z_k) e^(-z_k jh) W(z_k),
 *     W(z) = sum_n e^(-z n h) (1 - e^(-n h)) = e^(-zh) (1-e^-h) / ((1-e^-zh) (1-e^-(z+1)h)),
 * is delta(jh) plus the positive aliases of the contour route with period N h, and M(z_k) is the
 * discrete Fourier transform of the law tilted by e^(cL). Between lattice points delta is linear in
 * e^epsilon.
 * Errors, all of which are added:
 *   Cells: Gauss-Lobatto with 4 points (gaps in x up to R/256) or, where a cell is wide in x,
 *     panels of Gauss-Legendre with 16 (up to R = min(1/4, 1/(2 reach))). By the ellipse bound with
 *     rho = 4R/gap, |log g|' <= |x| + 1.05 reach within R of the panel and a split function that
 *     grows there like 1 + rho/2, the relative error is below 50 rho^-5 < 1e-13 and 50 rho^-31.
 *   Where few hits are expected altogether, M - 1 is transformed: dppair_lattice_multiply_small_.
 *   Rounding of the masses is added to that: kappa. If P has kappa times its mass more or less,
 *     delta changes by at most K(c) k(c) e^(-c epsilon) ((1 + kappa)^T - 1).
 *   Rounding of the losses gives another law, whose losses are off by at most e_l: epsilon moves by
 *     at most T e_l.
 *   Tails: the mass beyond the ends goes to infinite loss (upper) or is dropped (lower). Masses m
 *     at infinite loss add 1 - prod (1 - m)^T to delta.
 *   FFT: each output is a sum over paths. Each radix-4 stage multiplies a path by factors within 34
 *     units of the exact ones, so M(z_k) is off by at most (34 stages) u times the l1 norm.
 * ---------------------------------------------------------------------------------------------- */

/*
 * grid_step: h, in [1e-7, 0.1]. Without tables it is lowered a little so that an atom of a loss
 *   (Laplace, randomised response) falls on the lattice, and 0 means the finest lattice that fits
 *   the transform.
 * log2_size: the transform has 2^log2_size points, 10 to 26. 0 means 18 or, with a grid_step, the
 *   least that spans a loss of 26. A span that is too short for the aliases costs accuracy, never
 *   validity.
 * tables: further losses on the same lattice, or NULL.
 */
typedef struct dppair_pld_options_ {
  double grid_step;
  unsigned log2_size;
  const dppair_loss_table_ *tables;
  size_t table_count;
} dppair_pld_options_;

/* Resolves the options' defaults and checks them. */
DPPAIR_API dppair_status dppair_pld_plan_(double *h, unsigned *log2_size,
                                          const dppair_pld_options_ *options) {
  *h = options != NULL ? options->grid_step : 0.0;
  *log2_size = options != NULL ? options->log2_size : 0;
  if (!dppair_isfinite_f64(*h)) return DPPAIR_ERR_NOT_FINITE;
  if (*h != 0.0 && !(*h >= 1e-7 && *h <= 0.1)) return DPPAIR_ERR_DOMAIN;
  if (*log2_size == 0) {
    *log2_size = *h > 0.0 ? 10 : 18;
    while (*h > 0.0 && *log2_size < 26 && dppair_ldexp_(*h, (int)*log2_size) < 26.0) ++*log2_size;
  }
  return *log2_size >= 10 && *log2_size <= 26 ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The doubles that the route needs for `count` distinct steps and these options (NULL: defaults).
 * Errors: NOT_FINITE, DOMAIN, SIZE (options), OVERFLOW. */
DPPAIR_API dppair_status dppair_pld_workspace_(size_t *doubles, size_t count,
                                               const dppair_pld_options_ *options) {
  double h;
  unsigned log2_size;
  size_t size, search;
  dppair_status status;
  *doubles = 0;
  status = dppair_pld_plan_(&h, &log2_size, options);
  if (status != DPPAIR_OK) return status;
  if (options != NULL) {
    if (options->table_count > SIZE_MAX / 2 || count > SIZE_MAX / 2) return DPPAIR_ERR_OVERFLOW;
    count += options->table_count;
  }
  size = (size_t)1 << log2_size;
  if (dppair_size_mul_(&search, count + 1, 2 * DPPAIR_SEARCH_NODES_) ||
      search > SIZE_MAX / sizeof(double) - 8 * size - 64)
    return DPPAIR_ERR_OVERFLOW;
  *doubles = search + 7 * size + size / 2 + 64;
  return DPPAIR_OK;
}
