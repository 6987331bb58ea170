/* ------------------------------------------------------------------------------------------------
 * What papers print
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_PAPER_TABLE(X)                                                                      \
  X(DPPAIR_KANG2021_THEOREM1, "kang2021-theorem1", "8 G sqrt(T ln(1/delta))/(n epsilon)")          \
  X(DPPAIR_KANG2021_APPENDIX, "kang2021-appendix", "4 G T sqrt(2 ln(1.25 T/delta))/(n epsilon)")   \
  X(DPPAIR_XUE2021_ALG1, "xue2021-alg1",                                                           \
    "8 G sqrt(2 ln(1.25/delta))/(alpha n epsilon); pure: 8 G/(alpha n epsilon) times sqrt(d)")     \
  X(DPPAIR_XUE2021_ALG2, "xue2021-alg2", "4 G sqrt(1.25 T ln(1/delta))/(n epsilon)")               \
  X(DPPAIR_XUE2021_ALG3, "xue2021-alg3",                                                           \
    "4 G eta sqrt(2 ln(1.25/delta))/epsilon per epoch; pure: 4 G eta/epsilon times sqrt(d)")       \
  X(DPPAIR_YANG2021_THEOREM4, "yang2021-theorem4",                                                 \
    "sqrt(8 eta^2 G^2 ln(2.5/delta)/epsilon^2 (T + 3 T^2 ln^2(eT) ln^2(2/delta)/n^2))")            \
  X(DPPAIR_NIEWANG2017_PROP1, "niewang2017-prop1", "scale kappa^2 C_L/(lambda n epsilon)")         \
  X(DPPAIR_KANG2023_THEOREM5, "kang2023-theorem5", "c G sqrt(T ln(1/delta))/(n epsilon), c = 1")

typedef enum dppair_paper_result {
#define DPPAIR_X_(id, name, formula) id,
  DPPAIR_PAPER_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_PAPER_COUNT_
} dppair_paper_result;

/* The arguments of a printed noise. Unused ones are 0. */
typedef struct dppair_paper {
  dppair_paper_result result;
  size_t n, steps;
  double lipschitz; /* G; C_L for niewang2017-prop1 */
  double epsilon, delta;
  double alpha;         /* xue2021-alg1: strong convexity */
  double eta;           /* xue2021-alg3 (the epoch's), yang2021-theorem4: step size */
  double lambda, kappa; /* niewang2017-prop1: strong convexity lambda gamma; kernel bound */
  int pure;             /* delta = 0 variant, where there is one */
} dppair_paper;

/*
 * The printed noise and the noise that the same guarantee needs, at these arguments; whether the
 * printed one suffices; what it really gives: the epsilon at the stated delta, the delta at the
 * stated epsilon. Noise is sigma per coordinate, or for `pure` the Laplace scale divided by
 * sqrt(d), which compares with the scale of the l2 mechanism. The comparison is with the general
 * constant 4G/n; ranking losses need half or a quarter of it.
 */
typedef struct dppair_paper_verdict {
  double noise_printed, noise_needed;
  int sufficient;
  double true_epsilon, true_delta; /* HUGE_VAL: no finite one */
} dppair_paper_verdict;

/* A Gaussian release with this total sensitivity. */
DPPAIR_API dppair_status dppair_paper_gaussian_(dppair_paper_verdict *v, double sensitivity,
                                                const dppair_paper *p) {
  const double mu = dppair_up_(sensitivity / v->noise_printed);
  dppair_status status =
      dppair_gaussian_sigma(&v->noise_needed, sensitivity, p->epsilon, p->delta, 1);
  if (status == DPPAIR_OK) status = dppair_gaussian_epsilon(&v->true_epsilon, p->delta, mu);
  if (status == DPPAIR_OK) status = dppair_gaussian_delta(&v->true_delta, p->epsilon, mu);
  return status;
}

/* A pure release: sensitivity over scale is the true epsilon; at the stated epsilon the Laplace
 * mechanism has delta = 1 - exp((epsilon - true)/2). */
DPPAIR_API dppair_status dppair_paper_pure_(dppair_paper_verdict *v, double sensitivity,
                                            const dppair_paper *p) {
  v->noise_needed = dppair_up_(dppair_up_(sensitivity / p->epsilon));
  v->true_epsilon = dppair_up_(sensitivity / v->noise_printed);
  v->true_delta = v->true_epsilon > p->epsilon * (1.0 + 4e-15)
                      ? -expm1(0.5 * (p->epsilon - v->true_epsilon)) * (1.0 + 1e-14)
                      : 0.0;
  return DPPAIR_OK;
}

DPPAIR_API dppair_status dppair_paper_evaluate_(dppair_paper_verdict *v, const dppair_paper *p) {
  const double n = (double)p->n, t = (double)p->steps, g = p->lipschitz, e = p->epsilon;
  const double inverse = -log(p->pure ? 0.5 : p->delta); /* ln(1/delta) */
  const double classical = sqrt(2.0 * (log(1.25) + inverse));
  const double one_step = 4.0 * g / n;
  if (p->pure && p->result != DPPAIR_XUE2021_ALG1 && p->result != DPPAIR_XUE2021_ALG3 &&
      p->result != DPPAIR_NIEWANG2017_PROP1)
    return DPPAIR_ERR_NO_PROOF;
  switch (p->result) {
  case DPPAIR_KANG2021_THEOREM1:
    v->noise_printed = 8.0 * g * sqrt(t * inverse) / (n * e);
    return dppair_paper_gaussian_(v, one_step * sqrt(t), p);
  case DPPAIR_KANG2021_APPENDIX: /* the Gaussian mechanism at (epsilon/T, delta/T), T times */
    v->noise_printed = one_step * t * sqrt(2.0 * (log(1.25 * t) + inverse)) / e;
    return dppair_paper_gaussian_(v, one_step * sqrt(t), p);
  case DPPAIR_XUE2021_ALG1:
    if (!(p->alpha > 0.0)) return DPPAIR_ERR_DOMAIN;
    v->noise_printed = 8.0 * g / (p->alpha * n * e) * (p->pure ? 1.0 : classical);
    return p->pure ? dppair_paper_pure_(v, one_step / p->alpha, p)
                   : dppair_paper_gaussian_(v, one_step / p->alpha, p);
  case DPPAIR_XUE2021_ALG2:
    v->noise_printed = one_step * sqrt(1.25 * t * inverse) / e;
    return dppair_paper_gaussian_(v, one_step * sqrt(t), p);
  case DPPAIR_XUE2021_ALG3: /* one epoch; the mean of w_0 .. w_m after m steps on m records */
    if (!(p->eta > 0.0)) return DPPAIR_ERR_DOMAIN;
    v->noise_printed = 4.0 * g * p->eta / e * (p->pure ? 1.0 : classical);
    return p->pure ? dppair_paper_pure_(v, 2.0 * g * p->eta, p)
                   : dppair_paper_gaussian_(v, 2.0 * g * p->eta, p);
  case DPPAIR_YANG2021_THEOREM4: {
    const double log_et = 1.0 + log(t), level = log(2.0) + inverse;
    const double spread = t * log_et * level / n;
    dppair_uas u;
    dppair_status status;
    double low = 0.0, high = e, value;
    int i;
    if (!(p->eta > 0.0)) return DPPAIR_ERR_DOMAIN;
    memset(&u, 0, sizeof u);
    u.n = p->n;
    u.steps = p->steps;
    u.eta = p->eta;
    u.lipschitz = g;
    u.loss = DPPAIR_UAS_CONVEX;
    v->noise_printed =
        p->eta * g / e * sqrt(8.0 * (log(2.5) + inverse)) * sqrt(t + 3.0 * spread * spread);
    status = dppair_uas_sigma(&v->noise_needed, &u, e, p->delta);
    if (status == DPPAIR_OK) status = dppair_uas_delta(&v->true_delta, &u, v->noise_printed, e);
    /* The epsilon at which the mixture reaches delta, from above. */
    for (i = 0; status == DPPAIR_OK && i < 60; i++) {
      status = dppair_uas_delta(&value, &u, v->noise_printed, high);
      if (value <= p->delta) break;
      low = high;
      high *= 2.0;
    }
    for (i = 0; status == DPPAIR_OK && i < 60 && high - low > 1e-9 * high; i++) {
      const double middle = 0.5 * (low + high);
      status = dppair_uas_delta(&value, &u, v->noise_printed, middle);
      if (value <= p->delta)
        high = middle;
      else
        low = middle;
    }
    v->true_epsilon = high;
    return status;
  }
  case DPPAIR_NIEWANG2017_PROP1: {
    dppair_paper pure = *p;
    if (!(p->lambda > 0.0) || !(p->kappa > 0.0)) return DPPAIR_ERR_DOMAIN;
    /* The density exp(-|b| lambda n epsilon/(kappa^2 C_L)) has half the scale that the stability
     * 2 kappa^2 C_L/(lambda n) of one predicted value needs. */
    v->noise_printed = p->kappa * p->kappa * g / (p->lambda * n * e);
    pure.pure = 1;
    return dppair_paper_pure_(v, 2.0 * p->kappa * p->kappa * g / (p->lambda * n), &pure);
  }
  case DPPAIR_KANG2023_THEOREM5:
    /* Noise is skipped for points of small influence: the run in which it is always skipped reveals
     * whether the differing record was ever drawn, 1 - (1-1/n)^T, at every epsilon and for every
     * constant c. No noise of this form suffices. */
    v->noise_printed = g * sqrt(t * inverse) / (n * e);
    v->noise_needed = v->true_epsilon = HUGE_VAL;
    v->true_delta = -expm1(t * log1p(-1.0 / n));
    return DPPAIR_OK;
  default:
    return DPPAIR_ERR_DOMAIN;
  }
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_paper_check(dppair_paper_verdict *verdict,
                                                              const dppair_paper *paper) {
  dppair_paper_verdict v;
  dppair_status status;
  if (verdict == NULL) return DPPAIR_ERR_NULL;
  memset(verdict, 0, sizeof *verdict);
  if (paper == NULL) return DPPAIR_ERR_NULL;
  memset(&v, 0, sizeof v);
  if (!dppair_isfinite_f64(paper->lipschitz) || !dppair_isfinite_f64(paper->epsilon) ||
      !dppair_isfinite_f64(paper->delta) || !dppair_isfinite_f64(paper->alpha) ||
      !dppair_isfinite_f64(paper->eta) || !dppair_isfinite_f64(paper->lambda) ||
      !dppair_isfinite_f64(paper->kappa))
    return DPPAIR_ERR_NOT_FINITE;
  if (paper->n < 2 || paper->steps < 1) return DPPAIR_ERR_SIZE;
  if (!(paper->lipschitz > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (!(paper->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (!paper->pure && paper->result != DPPAIR_NIEWANG2017_PROP1 &&
      !(paper->delta > 0.0 && paper->delta < 1.0))
    return DPPAIR_ERR_DELTA;
  status = dppair_paper_evaluate_(&v, paper);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(v.noise_printed) || !(v.noise_printed > 0.0)) return DPPAIR_ERR_OVERFLOW;
  v.sufficient = v.noise_printed >= v.noise_needed ? 1 : 0;
  *verdict = v;
  return DPPAIR_OK;
}

/* The name of a result ("kang2021-theorem1") and its printed formula. Never NULL. */
DPPAIR_API const char *dppair_paper_name(dppair_paper_result result) {
  switch (result) {
#define DPPAIR_X_(id, name, formula)                                                               \
  case id:                                                                                         \
    return name;
    DPPAIR_PAPER_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_PAPER_COUNT_:
    break;
  }
  return "unknown";
}

DPPAIR_API const char *dppair_paper_formula(dppair_paper_result result) {
  switch (result) {
#define DPPAIR_X_(id, name, formula)                                                               \
  case id:                                                                                         \
    return formula;
    DPPAIR_PAPER_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_PAPER_COUNT_:
    break;
  }
  return "unknown";
}
