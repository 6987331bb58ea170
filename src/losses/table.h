/* ------------------------------------------------------------------------------------------------
 * The table of losses
 *
 *   X(name, formula, convex, monotone, differentiable, parameters, source)
 *
 * (t)+ means max(0, t). monotone means non-increasing, as a ranking surrogate should be; the losses
 * of a residual (absolute, pinball, least_squares, huber, ...) are not meant to be. An envelope is
 * Moreau's, e(u) = min over v of phi(v) + (u - v)^2/(2 w): it is convex for convex phi, lies
 * between phi - (sup slope)^2 w/2 and phi, and is 1/w-smooth. (No envelope rounds off a concave
 * kink, such as the ramp's.)
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOSS_TABLE(X)                                                                       \
  X(logistic, "ln(1 + e^-u)", 1, 1, 1, "", "Burges et al. 2005 (RankNet)")                         \
  X(hinge, "(1 - u)+", 1, 1, 0, "", "Joachims 2002 (ranking SVM)")                                 \
  X(squared_hinge, "((1 - u)+)^2", 1, 1, 1, "", "Chapelle and Keerthi 2010")                       \
  X(smoothed_hinge, "envelope of the hinge: (1-u)+^2/(2w) if u >= 1-w, else 1-u-w/2", 1, 1, 1,     \
    "width w > 0", "Shalev-Shwartz and Zhang 2013; Moreau 1965")                                   \
  X(square, "(1 - u)^2", 1, 0, 1, "", "Gao et al. 2013 (one-pass AUC)")                            \
  X(exponential, "e^-u", 1, 1, 1, "", "Freund et al. 2003 (RankBoost)")                            \
  X(sigmoid, "1/(1 + e^u)", 0, 1, 1, "", "Yan et al. 2003 (smoothed Wilcoxon statistic)")          \
  X(ramp, "min(1, (1 - u)+)", 0, 1, 0, "", "Collobert et al. 2006")                                \
  X(least_squares, "u^2", 1, 0, 1, "", "Agarwal and Niyogi 2009 (least-squares ranking)")          \
  X(absolute, "|u|", 1, 0, 0, "", "Koenker and Bassett 1978 (median)")                             \
  X(pinball, "max(tau u, (tau - 1) u)", 1, 0, 0, "tau in (0,1)", "Koenker and Bassett 1978")       \
  X(huber, "u^2/2 if |u| <= k, else k |u| - k^2/2", 1, 0, 1, "knee k > 0", "Huber 1964")           \
  X(moreau_absolute, "envelope of |u|: u^2/(2w) if |u| <= w, else |u| - w/2", 1, 0, 1,             \
    "width w > 0", "Moreau 1965")                                                                  \
  X(moreau_pinball,                                                                                \
    "envelope of the pinball: a u - a^2 w/2, a = u/w held within [tau-1, tau]", 1, 0, 1,           \
    "tau in (0,1), width w > 0", "Moreau 1965")                                                    \
  X(welsch, "h^2 (1 - e^(-u^2/(2h^2)))", 0, 0, 1, "bandwidth h > 0",                               \
    "Hu et al. 2013 (minimum error entropy)")

/* DPPAIR_LOSS_logistic, ..., for the functions that take a loss at run time. */
typedef enum dppair_loss {
#define DPPAIR_X_(name, formula, convex, monotone, differentiable, parameters, source)             \
  DPPAIR_LOSS_##name,
  DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_LOSS_COUNT
} dppair_loss;
