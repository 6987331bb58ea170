/* SPDX-License-Identifier: MIT */
#include "support/utility_bounds.h"

#include <math.h>
#include <string.h>

#define EULER 2.718281828459045
/* A condition does not hold. */
#define REFUSED ((double)NAN)

/* --- parts ------------------------------------------------------------------------------------ */

double inverse_roots(double steps) {
  double sum = 0, t;
  if (steps < 100) {
    for (t = 1; t <= steps; t++) sum += 1 / sqrt(t);
    return sum;
  }
  /* Euler and Maclaurin; zeta(1/2) */
  return 2 * sqrt(steps) - 1.4603545088095868 + 0.5 / sqrt(steps) - 1 / (24 * steps * sqrt(steps));
}

size_t dpegd_epoch(double *share, size_t n, size_t k) {
  size_t left = n, part = n, i;
  *share = 1;
  for (i = 0; left > 0; i++) {
    size_t count;
    part /= 2;
    count = part < 4 ? left : part;
    *share /= 4;
    if (i == k) return count;
    left -= count;
  }
  return 0;
}

/* What is left of the first gap after T steps. */
static double left_over(const utility *u) {
  return pow(1 - u->curvature / u->smoothness, u->steps);
}

/* E |z| and E |z|^2 of the noise of an output of this sensitivity: Gaussian, or for delta = 0 of
 * the l2 mechanism, whose radius has the Gamma law of shape d. */
static double noise_norm(const utility *u, double sensitivity) {
  const double scale = u->multiplier * sensitivity, d = u->dimension;
  return scale * (u->delta > 0 ? sqrt(d) : d);
}

static double noise_square(const utility *u, double sensitivity) {
  const double scale = u->multiplier * sensitivity, d = u->dimension;
  return scale * scale * (u->delta > 0 ? d : d * (d + 1));
}

/*
 * What the proofs below share.
 *
 * (i) If replacing one record moves the output by at most D on average (same noise on both data
 * sets, the other records held), the mean of L_P - L_D at the output is at most 2 G D for pairs:
 * E L_P(w) - L_D(w) is the mean over i, j of l(w(S_ij); z_i, z_j) - l(w(S); z_i, z_j), where S_ij
 * has z_i and z_j replaced, and w(S_ij) is 2D from w(S). For single records it is G D.
 * (ii) The smallest L_D is on average at most the smallest L_P.
 * (iii) So the mean excess population risk is at most 2 G D plus the mean excess empirical risk.
 * (iv) A projected step of size 1/L with noise b in the gradient leaves of the gap of an
 * alpha-strongly convex L_D at most (1 - alpha/L) gap + |b|^2/(2L) + a term of mean 0: the
 * quadratic model at the step taken is lower than at the exact step by at least L/2 times their
 * squared distance r^2, and b is worth r |b|. Without a set the PL condition is enough.
 */

/* --- Kang 2021 -------------------------------------------------------------------------------- */

static double kang2021_stability(const utility *u) {
  const double t = u->steps / (u->smoothness * u->n), noise = sqrt(u->dimension) * u->sigma;
  return 16 * pow(u->lipschitz * t, 2) + pow(noise * u->steps / u->smoothness, 2) / 2 +
         4 * sqrt(2) * u->lipschitz * t * noise * u->steps / u->smoothness;
}

static double kang2021_optimisation(const utility *u) {
  return left_over(u) * u->gap + u->dimension * u->sigma * u->sigma / (2 * u->curvature);
}

double kang2021_theorem2_at(const utility *u, double tau) {
  return 2 * (tau + u->smoothness) * kang2021_stability(u) +
         u->lipschitz * u->lipschitz / (2 * tau) + kang2021_optimisation(u);
}

/* The infimum over tau is at G/(2 sqrt A), A the first bracket. */
static double kang2021_theorem2(const utility *u) {
  const double a = kang2021_stability(u);
  if (u->curvature > u->smoothness) return REFUSED;
  return 2 * a * u->smoothness + 2 * u->lipschitz * sqrt(a) + kang2021_optimisation(u);
}

/* The noise is the same on both data sets, so it leaves the distance of the runs alone, which grows
 * by move/(n L) a step and shrinks by 1 - alpha/L: (i) and (iv). */
static double kang2021_theorem2_sharp(const utility *u) {
  const double rest = left_over(u), distance = u->move / (u->n * u->curvature) * (1 - rest);
  if (u->curvature > u->smoothness) return REFUSED;
  return 2 * u->lipschitz * distance + rest * u->gap +
         u->dimension * u->sigma * u->sigma / (2 * u->curvature) * (1 - rest);
}

static double kang2021_theorem3(const utility *u) {
  const double g = u->lipschitz * u->lipschitz, p = u->dimension, n = u->n;
  const double privacy = -log(u->delta), twelve = log(12 / u->xi);
  if (!(u->delta > 0)) return REFUSED;
  return 2 * u->stability / n + 4 * (u->stability + u->largest) * sqrt(2 * twelve / n) +
         u->c1 * g / (u->smoothness * u->epsilon) * sqrt(p * twelve * privacy / n) +
         u->c2 * g / (n * n * u->smoothness * u->epsilon) * sqrt(p * privacy / u->xi) +
         u->c3 * g * p * privacy / (n * n * u->epsilon * u->epsilon * u->curvature * u->xi) +
         (u->largest + g / (2 * u->curvature)) * sqrt(log(3 / u->xi) / n);
}

/* --- Xue 2021 --------------------------------------------------------------------------------- */

/* d ln(1/delta), or d^2 for delta = 0. */
static double xue2021_price(const utility *u) {
  return u->delta > 0 ? -u->dimension * log(u->delta) : u->dimension * u->dimension;
}

static double xue2021_theorem1(const utility *u) {
  const double sharp = u->curvature * u->n * u->epsilon;
  return u->c1 * pow(u->diameter * u->lipschitz / sharp, 2) * u->smoothness * xue2021_price(u) +
         u->c2 * u->lipschitz * u->lipschitz / (u->curvature * u->n);
}

static double xue2021_theorem3(const utility *u) {
  return u->c1 * u->lipschitz * u->diameter *
         (1 / sqrt(u->n) + sqrt(xue2021_price(u)) / (u->n * u->epsilon));
}

static double xue2021_theorem2(const utility *u) {
  return u->delta > 0 ? xue2021_theorem3(u) : REFUSED;
}

/*
 * Two runs approach by q = 1 - eta alpha a step and are moved eta move/n apart. The last iterate is
 * within q^T of the first distance of the empirical minimiser. What the noise adds, projected, is at
 * most the Lipschitz constant of the whole loss on the set (G and alpha |w|) times E |z|. Where the
 * population's minimiser is inside of the set, its gradient is 0 there, L_P grows by at most L/2
 * times the squared distance, which projecting does not lengthen, and w_T is within 2/alpha times
 * its excess risk, squared: L/alpha times that risk and L/2 E |z|^2.
 */
static double xue2021_algorithm1(const utility *u) {
  const double radius = u->diameter / 2, whole = u->lipschitz + u->curvature * radius;
  const double rest = pow(1 - u->eta * u->curvature, u->steps);
  const double move = u->move / (u->n * u->curvature) * (1 - rest);
  const double exact = 2 * u->lipschitz * move + whole * radius * rest;
  const double first = exact + whole * noise_norm(u, move);
  if (u->curvature > u->smoothness || u->eta > 2 / (u->smoothness + u->curvature)) return REFUSED;
  if (u->interior < 1) return first;
  return fmin(first,
              u->smoothness / u->curvature * exact + u->smoothness / 2 * noise_square(u, move));
}

/* The mean of w_0 .. w_T, as of T + 1 steps: radius^2/(2 eta (T + 1)) + eta (G^2 + d sigma^2)/2
 * above the smallest empirical risk; a step moves two runs eta move/n apart, nothing brings smooth
 * convex ones further apart, and their mean is half as far apart as the last. */
static double xue2021_algorithm2(const utility *u) {
  const double radius = u->diameter / 2, g = u->lipschitz;
  const double noise = u->dimension * u->sigma * u->sigma;
  if (u->eta > 2 / u->smoothness) return REFUSED;
  return radius * radius / (2 * u->eta * (u->steps + 1)) + u->eta * (g * g + noise) / 2 +
         g * u->eta * u->move * u->steps / u->n;
}

/*
 * Epoch i runs m steps of size h on m fresh records, from what epoch i - 1 released. Against its
 * mean before noise, v_{i-1}, which these records know nothing of, v_i loses at most
 * E |w_{i-1} - v_{i-1}|^2/(2 h (m + 1)) + h G^2/2 + 2 G (h move/2); against w* in the first epoch
 * the distance is the radius. The sum over the epochs, and G times the last noise (after Feldman,
 * Koren and Talwar 2020).
 */
static double xue2021_algorithm3(const utility *u) {
  double total = 0, share, g = u->lipschitz, before = u->diameter * u->diameter / 4, last = 0;
  size_t k, count;
  if (u->eta / 4 > 2 / u->smoothness || u->n > 1e15) return REFUSED;
  for (k = 0; (count = dpegd_epoch(&share, (size_t)u->n, k)) > 0; k++) {
    const double h = u->eta * share, move = h * u->move / 2;
    total += before / (2 * h * ((double)count + 1)) + h * g * g / 2 + 2 * g * move;
    before = noise_square(u, move);
    last = noise_norm(u, move);
  }
  return total + g * last;
}

/* --- Yang 2021 -------------------------------------------------------------------------------- */

/* c_1 eta ceil(ln n) */
static double yang2021_factor(const utility *u) {
  const double g = u->lipschitz, c1 = 100 * sqrt(6) * pow(EULER, 1.5) * g * fmax(1, g);
  return c1 * log(6 * EULER / u->xi) * u->eta * ceil(log(u->n));
}

/* The rest of Theorem 2. */
static double yang2021_rest(const utility *u, double from_zero, double c) {
  return from_zero * from_zero / (2 * u->steps * u->eta) +
         u->eta * u->lipschitz * u->lipschitz / 2 + c * sqrt(log(6 * u->steps / u->xi) / u->n);
}

static double yang2021_common(const utility *u) {
  const double c2 = (6 + 19 * EULER) * (u->largest + u->lipschitz * u->diameter);
  return 4 * u->rademacher * u->diameter / 2 * inverse_roots(u->steps) / u->steps +
         yang2021_rest(u, u->diameter, c2);
}

/* The stability term as equation (9) gives it, sqrt(3) T ln(eT) level/n. */
static double yang2021_stable(const utility *u, double level) {
  return yang2021_factor(u) *
         (sqrt(u->steps) + sqrt(3) * u->steps * log(EULER * u->steps) * level / u->n);
}

static double yang2021_theorem2(const utility *u) {
  if (u->steps < u->n) return REFUSED;
  return yang2021_common(u) + yang2021_stable(u, log(6 / u->xi));
}

static double yang2021_theorem2_paper(const utility *u) {
  if (u->steps < u->n) return REFUSED;
  return yang2021_common(u) +
         yang2021_factor(u) *
             (sqrt(u->steps) + sqrt(3 * u->steps * log(EULER * u->steps) * log(6 / u->xi)) / u->n);
}

static double yang2021_theorem3(const utility *u) {
  const double g = u->lipschitz, m = u->largest, eta = u->eta;
  const double c3 = (7 + 12 * sqrt(2) * EULER) * m + 4 * g * u->norm + 16 * EULER * g;
  const double c4 = 3 * g * sqrt(g * g + 2 * m), c5 = 12 * sqrt(2) * EULER * c4 / 3;
  if (u->steps < u->n) return REFUSED;
  return 2 * u->rademacher *
             (sqrt((g * g + m) * eta) + u->norm * inverse_roots(u->steps) / u->steps) +
         yang2021_rest(u, u->norm, c3) + c4 * sqrt(eta * log(6 * u->steps / u->xi)) +
         c5 * sqrt(eta * u->steps * log(6 * EULER / u->xi) / u->n) +
         yang2021_factor(u) * (sqrt(u->steps) + 4 * u->steps * log(EULER * u->steps) *
                                                    sqrt(log(6 * u->n / u->xi)) / u->n);
}

static double yang2021_noise(const utility *u) {
  return 2 * u->lipschitz * u->sigma * sqrt(u->dimension) * pow(log(4 / u->xi), 0.25);
}

/* gamma > max(4 delta, exp(-d/8)) */
static int yang2021_in_range(const utility *u) {
  return u->steps >= u->n && u->delta > 0 && u->xi > 4 * u->delta && u->xi > exp(-u->dimension / 8);
}

static double yang2021_theorem5(const utility *u) {
  if (!yang2021_in_range(u)) return REFUSED;
  return yang2021_common(u) + yang2021_noise(u) + yang2021_stable(u, log(2 / u->delta));
}

static double yang2021_theorem5_paper(const utility *u) {
  if (!yang2021_in_range(u)) return REFUSED;
  return yang2021_common(u) + yang2021_noise(u) +
         yang2021_factor(u) * (sqrt(u->steps) + sqrt(3 * u->steps) * log(EULER * u->steps) *
                                                    log(2 / u->delta) / u->n);
}

/*
 * In the mean, for independent uniform draws. Descent on the losses met leaves radius^2/(2 eta T) +
 * eta G^2/2. Given the past, the next draw is uniform; the mean over t drawn partners is below that
 * over all by at most twice the complexity R_t. Both count a record's pair with itself, whose loss
 * is 0: n/(n - 1). Stability: a distance grows to sqrt(D^2 + c^2) + c r a step, c = 2 eta G, r the
 * share of pairs that are touched, of mean at most 2/n: the mean iterate moves by at most
 * c (2/3 sqrt T + T/n), and not out of the set. Noise G sigma sqrt d.
 */
static double yang2021_algorithm2(const utility *u) {
  const double g = u->lipschitz, radius = u->diameter / 2, t = u->steps;
  const double learnt = radius * radius / (2 * u->eta * t) + u->eta * g * g / 2 +
                        2 * u->rademacher * radius * inverse_roots(t) / t;
  const double move = 2 * u->eta * g * (2 * sqrt(t) / 3 + t / u->n);
  return u->n / (u->n - 1) * learnt + 2 * g * fmin(move, u->diameter) +
         g * u->sigma * sqrt(u->dimension);
}

/* --- Nie and Wang 2017 ------------------------------------------------------------------------ */

static double niewang2017_theorem4_paper(const utility *u) {
  const double b = u->exponent;
  if (b > 1) return REFUSED;
  return (2 * u->at_zero + 2 * u->omega + 3 * u->kappa * u->kappa * u->lipschitz / u->strength +
          u->approximation) *
         pow(u->n, -b / (2 * b + 1));
}

/*
 * For noise on the whole vector of d weights: Delta = 2 kappa C_L/(lambda gamma m), E |z| =
 * d Delta/epsilon, so that noise adds at most R_2 = C_L kappa E |z| to any risk. A release that is
 * epsilon-private has a mean population risk of at most e^epsilon times its mean empirical risk,
 * which is at most B_0 + lambda Omega(0) + R_2. With d = 1: the paper's scalar query, its scale
 * mended.
 */
static double niewang2017_theorem4(const utility *u) {
  const double scale = u->kappa * u->lipschitz;
  const double noise =
      2 * u->dimension * scale * scale / (u->lambda * u->strength * u->n * u->epsilon);
  if (u->exponent > 1) return REFUSED;
  return expm1(u->epsilon) * (u->at_zero + u->lambda * u->omega + noise) + noise +
         u->approximation * pow(u->lambda, u->exponent);
}

/* --- Kang 2023 -------------------------------------------------------------------------------- */

static double kang2023_theorem6_paper(const utility *u) {
  const double sharp = u->n * u->epsilon;
  if (!(u->delta > 0) || u->noised > u->n) return REFUSED;
  return u->c1 * u->noised / u->n * u->dimension * u->lipschitz * u->lipschitz * -log(u->delta) *
         log(u->n) / (sharp * sharp);
}

static double kang2023_theorem1_paper(const utility *u) {
  utility all = *u;
  all.noised = u->n;
  return kang2023_theorem6_paper(&all);
}

/* The mean square of the step is that of the mean gradient, of the noise where there is any, and of
 * what the drawn record's gradient differs from the mean: the proof of Theorem 1 drops the last. */
static double kang2023_theorem6(const utility *u) {
  const double rest = left_over(u);
  const double noise = u->noised / u->n * u->dimension * u->sigma * u->sigma;
  if (u->curvature > u->smoothness || u->noised > u->n) return REFUSED;
  return rest * u->gap + (noise + u->variance) / (2 * u->curvature) * (1 - rest);
}

static double kang2023_theorem1(const utility *u) {
  utility all = *u;
  all.noised = u->n;
  return kang2023_theorem6(&all);
}

/* 16 G^2/(n mu)^2 */
static double kang2023_stability(const utility *u) {
  return pow(4 * u->lipschitz / (u->n * u->curvature), 2);
}

double kang2023_theorem3_at(const utility *u, double tau) {
  return (tau + u->smoothness) *
             ((8 * tau + u->curvature) / (u->curvature * tau) * u->excess + kang2023_stability(u)) +
         u->smoothness / tau * u->minimum;
}

/* As a function of tau it is tau p + q + r/tau, at least q + 2 sqrt(p r). */
static double kang2023_theorem3(const utility *u) {
  const double l = u->smoothness, a = kang2023_stability(u);
  const double p = 8 * u->excess / u->curvature + a;
  if (u->curvature > l) return REFUSED;
  return u->excess * (1 + 8 * l / u->curvature) + l * a +
         2 * sqrt(p * l * (u->excess + u->minimum));
}

static double kang2023_theorem7(const utility *u) {
  utility with = *u;
  with.excess = kang2023_theorem6(u);
  return kang2023_theorem3(&with);
}

static double kang2023_theorem7_paper(const utility *u) {
  const double n = u->n, e = u->epsilon, km = u->noised * u->dimension;
  if (!(km > 0) || u->noised > n) return REFUSED;
  return u->c1 * fmin(km / (n * n * n * e * e) + 1 / n,
                      fmin(km / (pow(n, 2.5) * e * e) + pow(n, -1.5),
                           pow(km, 1.5) / (n * n * e * e * e) + e / (sqrt(km) * n)));
}

/* --- the tables ------------------------------------------------------------------------------- */

const utility_field utility_fields[] = {
#define UTILITY_FIELD(name, option, domain, text) {option, text, domain, offsetof(utility, name)},
    UTILITY_FIELDS(UTILITY_FIELD)
#undef UTILITY_FIELD
        {NULL, NULL, POSITIVE, 0}};

const char *const utility_status_names[] = {"proved", "convex only", "not checked", "shape",
                                            "wrong"};

#define POPULATION "mean excess population risk"
#define EMPIRICAL "mean excess empirical risk"
#define PROBABLE "excess population risk, but for probability xi"
#define DESCENT "n dimension steps lipschitz smoothness curvature "
#define SGD "n steps eta lipschitz diameter largest rademacher xi"
#define OPEN "the paper leaves its constants open: "

const utility_theorem utility_theorems[] = {
    {"kang2021-2", "Kang 2021, Theorem 2 (5.1)", POPULATION, "1/(n eps)",
     "noisy descent with step 1/L, last iterate; PL, printed for all smooth losses, but runs on "
     "two "
     "data sets stay T steps apart only where steps do not stretch: for convex ones. Quadratic in "
     "the noise, which the sharp form shows to be no part of the stability",
     DESCENT "sigma gap", CONVEX_ONLY, 0, 0, 0, kang2021_theorem2},
    {"kang2021-2-sharp", "the same, proved here", POPULATION, "1/n + 1/(n eps)^2",
     "strongly convex; projected on a ball or not", DESCENT "sigma gap move", PROVED, 0, 0, 0,
     kang2021_theorem2_sharp},
    {"kang2021-3", "Kang 2021, Theorem 3 (5.2)", PROBABLE, "1/sqrt n + 1/(sqrt n eps)",
     OPEN "c1, c2, c3, and T = O(ln(sqrt n eps))",
     "n epsilon delta dimension lipschitz smoothness curvature largest stability xi", SHAPE, 1, 0,
     3, kang2021_theorem3},
    {"xue2021-1", "Xue 2021, Theorem 1 (3)", POPULATION, "1/n + 1/(n eps)^2",
     OPEN "c1 of the noise, c2 of the sample; |C|^2 has the wrong unit, the proved form has none",
     "n epsilon delta dimension lipschitz smoothness curvature diameter", SHAPE, 0, 0, 2,
     xue2021_theorem1},
    {"xue2021-1-explicit", "its Algorithm 1, proved here", POPULATION, "1/n + 1/(n eps)^2",
     "strongly convex and smooth, eta <= 2/(L + alpha); noise on the output, projected",
     DESCENT "delta eta diameter move multiplier interior", PROVED, 0, 0, 0, xue2021_algorithm1},
    {"xue2021-2", "Xue 2021, Theorem 2 (4)", POPULATION, "1/sqrt n + 1/(n eps)",
     OPEN "c1; its step size G/(|C| sqrt T) is upside down",
     "n epsilon delta dimension lipschitz diameter", SHAPE, 0, 0, 1, xue2021_theorem2},
    {"xue2021-2-explicit", "its Algorithm 2, proved here", POPULATION, "1/sqrt n + 1/(n eps)",
     "convex and smooth, eta <= 2/L; noise in every gradient, mean of the iterates",
     "n dimension steps eta lipschitz smoothness diameter move sigma", PROVED, 0, 0, 0,
     xue2021_algorithm2},
    {"xue2021-3", "Xue 2021, Theorem 3 (4)", POPULATION, "1/sqrt n + 1/(n eps)", OPEN "c1",
     "n epsilon delta dimension lipschitz diameter", SHAPE, 0, 0, 1, xue2021_theorem3},
    {"xue2021-3-explicit", "its Algorithm 3, proved here", POPULATION, "1/sqrt n + 1/(n eps)",
     "convex and smooth, first step eta/4 <= 2/L; epochs on halves, as method dpegd takes them",
     "n delta dimension eta lipschitz smoothness diameter move multiplier", PROVED, 0, 0, 0,
     xue2021_algorithm3},
    {"yang2021-2", "Yang 2021, Theorem 2 (2.1)", PROBABLE, "1/sqrt n",
     "convex, G-Lipschitz, T >= n, no noise; T = n^2, eta = n^-3/2 for the rate. The last term as "
     "its equation (9) has it",
     SGD, UNCHECKED, 1, 0, 0, yang2021_theorem2},
    {"yang2021-2-paper", "the same as printed", PROBABLE, "1/sqrt n",
     "the last term reads sqrt(3 T ln(eT) ln(6/gamma))/n, less than equation (9) gives", SGD, WRONG,
     1, 0, 0, yang2021_theorem2_paper},
    {"yang2021-3", "Yang 2021, Theorem 3 (2.1)", PROBABLE, "1/n^(1/3)",
     "no bounded set, T >= n; T = n^(4/3), eta = 1/n for the rate. The ball that holds w_t has "
     "radius "
     "sqrt((G^2 + M) eta t), so R_t = r sqrt((G^2 + M) eta), printed O(eta sqrt t)",
     "n steps eta lipschitz norm largest rademacher xi", UNCHECKED, 1, 0, 0, yang2021_theorem3},
    {"yang2021-5", "Yang 2021, Theorem 5 (2.2)", PROBABLE, "1/sqrt n + 1/(sqrt n eps)",
     "xi > max(4 delta, exp(-d/8)): 30 numbers or more for xi = 0.025; T >= n, which it does not "
     "say. The last term as equation (9) has it",
     SGD " dimension delta sigma", UNCHECKED, 1, 0, 0, yang2021_theorem5},
    {"yang2021-5-paper", "the same as printed", PROBABLE, "1/sqrt n + 1/(sqrt n eps)",
     "the last term reads sqrt(3 T) ln(eT) ln(2/delta)/n, less than equation (9) gives",
     SGD " dimension delta sigma", WRONG, 1, 0, 0, yang2021_theorem5_paper},
    {"yang2021-5-explicit", "its Algorithm 2, proved here", POPULATION, "1/sqrt n + noise",
     "convex, independent draws, a record's pair with itself has loss 0; sigma = 0: Algorithm 1",
     "n dimension steps eta lipschitz diameter rademacher sigma", PROVED, 0, 0, 0,
     yang2021_algorithm2},
    {"niewang2017-4", "Nie-Wang 2017, Theorem 4 (4.3), mended", POPULATION,
     "1/n^(beta/(2 beta + 1))",
     "single records, noise on the weights; epsilon = 1/sqrt(lambda n), "
     "lambda = n^(-1/(2 beta + 1)) "
     "for the rate",
     "n epsilon dimension lipschitz kappa lambda strength at-zero omega exponent approximation",
     PROVED, 0, 0, 0, niewang2017_theorem4},
    {"niewang2017-4-paper", "the same as printed", POPULATION, "1/n^(beta/(2 beta + 1))",
     "Proposition 3 lost a C_L and half of the noise that is needed; f + b is not private at all. "
     "The "
     "term of B_rho that its last line drops is 0 in the mean",
     "n lipschitz kappa strength at-zero omega exponent approximation", WRONG, 0, 0, 0,
     niewang2017_theorem4_paper},
    {"kang2023-1", "Kang 2023, Theorem 1 (4.1.1), mended", EMPIRICAL, "1/(n eps)^2 + variance",
     "single records, step 1/L, PL; variance 0 is full batches, at most G^2 is one record a step",
     DESCENT "sigma gap variance", PROVED, 0, 1, 0, kang2023_theorem1},
    {"kang2023-1-paper", "the same as printed", EMPIRICAL, "1/(n eps)^2",
     OPEN
     "c1. The proof takes the square of a drawn record's gradient for that of the mean one; the "
     "noise is too small for its epsilon",
     "n epsilon delta dimension lipschitz", WRONG, 0, 1, 1, kang2023_theorem1_paper},
    {"kang2023-3", "Kang 2023, Theorem 3 (4.1.2)", POPULATION, "that of the excess, and 1/n",
     "single records, PL and one minimiser; of any algorithm, from its mean excess empirical risk",
     "n lipschitz smoothness curvature excess minimum", PROVED, 0, 0, 0, kang2023_theorem3},
    {"kang2023-6", "Kang 2023, Theorem 6 (5.5.1), mended", EMPIRICAL, "k/(n^3 eps^2) + variance",
     "as kang2023-1, with noise in k/n of the steps, which is NOT PRIVATE",
     DESCENT "sigma gap variance noised", PROVED, 0, 1, 0, kang2023_theorem6},
    {"kang2023-6-paper", "the same as printed", EMPIRICAL, "k/(n^3 eps^2)",
     OPEN "c1. As kang2023-1-paper; and noise in k/n of the steps is NOT PRIVATE",
     "n epsilon delta dimension lipschitz noised", WRONG, 0, 1, 1, kang2023_theorem6_paper},
    {"kang2023-7", "Kang 2023, Theorem 7 (5.5.2), mended", POPULATION,
     "that of kang2023-6, and 1/n", "kang2023-3 of kang2023-6: NOT PRIVATE",
     DESCENT "sigma gap variance noised minimum", PROVED, 0, 0, 0, kang2023_theorem7},
    {"kang2023-7-paper", "the same as printed", POPULATION, "1/n",
     OPEN "c1, and logarithms. Rests on Theorem 6; assumes a smallest risk of O(1/n); NOT PRIVATE",
     "n epsilon dimension noised", WRONG, 0, 0, 1, kang2023_theorem7_paper},
    {NULL, NULL, NULL, NULL, NULL, NULL, SHAPE, 0, 0, 0, NULL}};

/* --- looking up ------------------------------------------------------------------------------- */

void utility_clear(utility *u) {
  const utility_field *f;
  for (f = utility_fields; f->option != NULL; f++) *utility_at(u, f) = REFUSED;
}

double *utility_at(utility *u, const utility_field *field) {
  return (double *)(void *)((char *)u + field->offset);
}

const utility_theorem *utility_find(const char *name) {
  const utility_theorem *t;
  for (t = utility_theorems; t->name != NULL; t++)
    if (strcmp(t->name, name) == 0) return t;
  return NULL;
}

static int in_domain(double x, utility_domain domain) {
  if (!(x >= 0 && x <= 1e300)) return 0;
  switch (domain) {
  case COUNT_OF_TWO:
    return x >= 2 && !(floor(x) < x);
  case COUNT_OF_ONE:
    return x >= 1 && !(floor(x) < x);
  case POSITIVE:
    return x > 0;
  case INSIDE:
    return x > 0 && x < 1;
  case BELOW_ONE:
    return x < 1;
  default:
    return 1;
  }
}

/* Is the option one of the words? */
static int is_named(const char *words, const char *option) {
  const size_t length = strlen(option);
  while (*words != '\0') {
    const size_t word = strcspn(words, " ");
    if (word == length && strncmp(words, option, length) == 0) return 1;
    words += word;
    words += strspn(words, " ");
  }
  return 0;
}

const utility_field *utility_missing(const utility_theorem *t, const utility *u) {
  const utility_field *f;
  utility copy = *u;
  for (f = utility_fields; f->option != NULL; f++) {
    const double x = *utility_at(&copy, f);
    if (is_named(t->needs, f->option) && !in_domain(x, f->domain)) return f;
    if (f->option[0] == 'c' && f->option[1] >= '1' && f->option[1] <= '0' + t->constants &&
        x == x && !in_domain(x, f->domain))
      return f;
  }
  return NULL;
}

int utility_bound(double *bound, const utility_theorem *t, const utility *u) {
  utility with = *u;
  *bound = HUGE_VAL;
  if (utility_missing(t, u) != NULL) return 0;
  if (!(with.c1 > 0)) with.c1 = 1;
  if (!(with.c2 > 0)) with.c2 = 1;
  if (!(with.c3 > 0)) with.c3 = 1;
  with.c1 = t->evaluate(&with);
  if (!(with.c1 >= 0 && with.c1 <= 1e300)) return 0;
  *bound = with.c1;
  return 1;
}
