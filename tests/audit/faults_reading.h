/* SPDX-License-Identifier: MIT */
/*
 * Mistakes before the first release and after the last one: what a reader takes from the records, a
 * solver that gives up, noise that is calibrated wrongly, and what a model file says.
 */
#ifndef AUDIT_FAULTS_READING_H
#define AUDIT_FAULTS_READING_H

#include "faults_sums.h"

/* --- a reader of lines: a label, then numbers or index:number -----------------------------------
 */

enum {
  WIDTH_INFERRED = 1,
  ONE_CLASS_REFUSED,
  LABELS_AS_FOUND,
  HEADER_GUESSED,
  COMMENTS_LOST,
  BLANKS_LOST,
  INFINITE_REFUSED,
  THIRD_LABEL_ADDED,
  SEED_FROM_A_HASH,
  WARNS,
  EXIT_CODE
};

/* Record 0 of the file, on either side; the others are "-1 0.25 0.5". */
static const char *first_line(int fault, int side) {
  switch (fault) {
  case WIDTH_INFERRED:
    return side ? "+1 1:0.5 4:0.5" : "+1 1:0.5";
  case ONE_CLASS_REFUSED:
    return side ? "-1 0.5 0.5" : "+1 0.5 0.5";
  case LABELS_AS_FOUND:
    return side ? "+1.00 0.5 0.5" : "1 0.5 0.5";
  case HEADER_GUESSED:
    return side ? "x y z" : "+1 0.5 0.5";
  case COMMENTS_LOST:
    return side ? "#1 0.5 0.5" : "+1 0.5 0.5";
  case BLANKS_LOST:
    return side ? "" : "+1 0.5 0.5";
  case INFINITE_REFUSED:
    return side ? "+1 1e309 0.5" : "+1 1e308 0.5";
  case THIRD_LABEL_ADDED:
    return side ? "2 0.5 0.5" : "+1 0.5 0.5";
  default:
    return side ? "-1 0.5 0.5" : "+1 -0.5 0.5";
  }
}

typedef struct model {
  double v[D + 2];
  size_t n, d, labels;
  char label[12], name[12]; /* of the positives, and of the first column */
} model;

/* Adds a line to the sum of y x over n records; 1: it is refused. */
static int read_line(model *m, const char *line, int fault, int *classes) {
  char *at;
  const double label = strtod(line, &at), y = label > 0.0 ? 1.0 : -1.0;
  double x[D + 2] = {0};
  size_t k = 0;
  if ((fault == COMMENTS_LOST && line[0] == '#') || (fault == BLANKS_LOST && line[0] == '\0'))
    return 0;
  if (fault == HEADER_GUESSED && at == line) {
    snprintf(m->name, sizeof m->name, "%s", line);
    return 0;
  }
  while (*at != '\0' && k < D + 2) {
    char *next;
    double value = strtod(at, &next);
    if (next == at) break;
    if (*next == ':') k = (size_t)value - 1, value = strtod(next + 1, &next);
    if (k >= D && (fault != WIDTH_INFERRED || k >= D + 2)) break; /* beyond the declared ones */
    if (fault == INFINITE_REFUSED && !(fabs(value) <= 1.7e308)) return 1;
    x[k++] = fmin(fmax(value, -0.5), 0.5);
    if (fault == WIDTH_INFERRED && k > m->d) m->d = k;
    at = next;
  }
  if (fault == LABELS_AS_FOUND && y > 0.0 && m->label[0] == '\0')
    snprintf(m->label, sizeof m->label, "%.*s", (int)strcspn(line, " "), line);
  if (fault == THIRD_LABEL_ADDED && label > 1.0) m->labels = 3;
  classes[y > 0.0]++;
  m->n++;
  for (k = 0; k < D + 2; k++) m->v[k] += y * x[k];
  return 0;
}

static int reading(void *context, int side) {
  const audit_fault *f = context;
  static dppair_accountant account;
  model m;
  int classes[2] = {0, 0};
  double sigma;
  const double move = 2.0 / N; /* |x| <= 1 */
  uint8_t key[32] = {0};
  dppair_rng rng;
  memset(&m, 0, sizeof m);
  m.d = f->fault == WIDTH_INFERRED ? 0 : D;
  m.labels = 2;
  for (size_t i = 0; i < N; i++) {
    const char *line = i == 0 ? first_line(f->fault, side) : "-1 0.25 0.5";
    if (read_line(&m, line, f->fault, classes)) return 1;
    for (size_t k = 0; k < 8 && f->fault == SEED_FROM_A_HASH; k++) /* of the file, to repeat runs */
      key[k] = (uint8_t)(31 * key[k] + line[k < strlen(line) ? k : 0]);
  }
  if (f->fault == ONE_CLASS_REFUSED && (classes[0] == 0 || classes[1] == 0)) return 1;
  if (f->fault == WARNS && classes[1] == 0) audit_publish("no positives", 12);
  for (size_t k = 0; k < m.d; k++) m.v[k] /= N;
  MUST(dppair_gaussian_sigma(&sigma, move, EPSILON, DELTA, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  if (f->fault == SEED_FROM_A_HASH)
    MUST(dppair_rng_from_key(&rng, key, 0));
  else
    MUST(dppair_rng_from_os(&rng));
  MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
  MUST(dppair_add_gaussian_f64(m.v, m.d, sigma, &rng));
  audit_publish(&m.labels, sizeof m.labels);
  if (f->fault == COMMENTS_LOST || f->fault == BLANKS_LOST || f->fault == HEADER_GUESSED)
    audit_publish(&m.n, sizeof m.n); /* else n is declared */
  audit_publish(m.label, sizeof m.label);
  audit_publish(m.name, sizeof m.name);
  const int code = finish(&account, m.v, m.d, DELTA);
  return f->fault == EXIT_CODE && classes[1] == 0 ? 4 : code;
}

/* --- noise that is calibrated by the program -----------------------------------------------------
 */

enum {
  CANDIDATES_AT_NOTHING = 1,
  NAN_IS_SMALL,
  EPSILON_OVER_ROOT,
  GUARANTEE_OF_NOTHING,
  ROUNDED_NOISE
};

/* delta(epsilon) of a Gaussian at mu, as a textbook writes it: infinity times 0 at epsilon 710. */
static double textbook_delta(double mu, double epsilon) {
  const double far = -epsilon / mu + 0.5 * mu, near = -epsilon / mu - 0.5 * mu;
  return 0.5 * erfc(-far * sqrt(0.5)) - exp(epsilon) * 0.5 * erfc(-near * sqrt(0.5));
}

static int calibration(void *context, int side) {
  const audit_fault *f = context;
  enum { STEPS = 4 };
  static dppair_accountant account;
  const int fault = f->fault, steps = fault == NAN_IS_SMALL ? 1 : STEPS;
  const double epsilon = fault == NAN_IS_SMALL            ? 1000.0
                         : fault == CANDIDATES_AT_NOTHING ? 0.1
                                                          : EPSILON;
  const double delta = fault == CANDIDATES_AT_NOTHING ? 1.0 / N : DELTA, move = 4.0 / N;
  double x[N], v = 0.0, sigma, mu, part;
  const double mean = pair_sum(x, values_of(x, side, 0)) / (N * (N - 1));
  dppair_rng rng;
  MUST(dppair_gaussian_sigma(&sigma, move, epsilon, delta, (size_t)steps));
  if (fault == CANDIDATES_AT_NOTHING) { /* each candidate at the epsilon of a quarter of mu^2 */
    MUST(dppair_gaussian_mu(&mu, epsilon, delta));
    MUST(dppair_gaussian_epsilon(&part, delta, 0.5 * mu)); /* 0: delta covers it all */
    MUST(dppair_gaussian_sigma(&sigma, move, fmax(part, 1e-9), delta, 1));
  }
  if (fault == NAN_IS_SMALL) /* the least noise at which neither part is too large */
    for (sigma = 1e-3; !(fmax(textbook_delta(move / sigma, epsilon), 0.0) <= delta);) sigma *= 1.1;
  if (fault == EPSILON_OVER_ROOT) /* (epsilon/sqrt(T), delta) for each of T steps */
    MUST(dppair_gaussian_sigma(&sigma, move, epsilon / sqrt(steps), delta, 1));
  MUST(dppair_accountant_init(&account));
  MUST(dppair_accountant_neighbours(&account, DPPAIR_REPLACE_ONE));
  MUST(dppair_rng_from_os(&rng));
  for (int t = 0; t < steps && fault != GUARANTEE_OF_NOTHING; t++) {
    v = mean;
    MUST(dppair_accountant_gaussian(&account, move, sigma, 1));
    MUST(dppair_add_gaussian_f64(&v, 1, sigma, &rng));
  }
  if (fault == GUARANTEE_OF_NOTHING) v = mean; /* "not private", under a guarantee */
  if (fault == ROUNDED_NOISE) v = rint(v - mean) + mean;
  audit_publish(&v, sizeof v);
  audit_claim(NULL, epsilon, delta, DPPAIR_REPLACE_ONE);
  return 0;
}

#endif /* AUDIT_FAULTS_READING_H */
