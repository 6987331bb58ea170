/* SPDX-License-Identifier: MIT */
/*
 * method.h - what a private ranking method is: a name, a guarantee, and a function that turns
 * training records and a budget into a model that scores records.
 *
 * A method may look at task.train only through mechanisms that it charges to (epsilon, delta);
 * n, d, the declared ranges and the settings are public. Whatever it stores in model->theta is
 * released. The programs know methods only through this table, so a new one is a file with a train
 * function and one line in methods.c.
 */
#ifndef METHOD_H
#define METHOD_H

#include <stdio.h>

#define DPPAIR_WITH_SHARES
#define DPPAIR_WITH_L2BALL
#include "dppair_allocation.h"
#include "dppair_l2ball.h"
#include "dppair_shares.h"
#include "dppair.h"
#include "dppair_accountant.h"
#include "dppair_noise.h"
#include "dppair_groups.h"
#include "dppair_tables.h"
#include "dppair_streams.h"
#include "dppair_iterates.h"
#include "dppair_papers.h"
#include "support/data.h"

/* Zero or NULL everywhere = the method's own choice, made from public numbers only. */
typedef struct settings {
  const char *loss; /* name of a link function                                             */
  size_t steps;
  double step_size;
  double radius;       /* rows are clipped to this l2 norm                                    */
  double param_radius; /* parameters are projected on this ball                               */
  double lambda;       /* regulariser (lambda/2)|w|^2 of methods that have one                */
  size_t owned;        /* of how many records of a user a method that asks for it keeps     */
  int as_printed;      /* noise with the paper's printed constants, proved or not             */
  int noiseless;       /* no noise at all, for convergence checks; epsilon becomes infinite   */
  dppair_explained *explain; /* filled by the first release of methods with OFFERS_EXPLAIN;   */
                             /* NULL: nobody asks                                             */
} settings;

/*
 * Public limits of what may be asked for, the same for every method, so that no data set can be
 * told by a number that leaves the range of doubles or of the noise. Let R, B, lambda and eta be
 * in [1e-20, 1e20], n at most 1e9, T below 2^64.
 *   - Products. The steepest slope is that of the square loss of a metric, s <= 2 (1 + 4 R^2 B), so
 *     G = 4 R^2 s <= 4e101, L <= 4e81, and the largest product in use, eta^2 G^2 T, is below 1e264;
 *     s >= 1/2 at least, so G >= 2e-40 and the smallest, eta^2 G^2/n^2, above 1e-138. Both are more
 *     than 40 orders of magnitude inside of the range of normal numbers.
 *   - Scales. Sensitivities lie in [1e-72, 1e142], mu and epsilon in [1e-11, 1e3]: scales of noise
 *     lie in [1e-75, 1e163], inside of [2^-900, 2^900].
 *   - The noise's grid holds what is below 2^40 scales. Replacing n records one by one moves an
 *     output by at most n times its sensitivity, and one class alone gives 0 (as does the mean of
 *     an output and of that with all labels turned): it is at most n epsilon scales, or n mu with
 *     mu <= 54 for epsilon <= 1e3, and 1e9 times 1e3 is below 2^40.
 */
#define SETTING_LEAST 1e-20
#define SETTING_MOST 1e20
#define EPSILON_LEAST 1e-9
#define EPSILON_MOST 1e3
#define RECORDS_MOST 1e9
#define RECORDS_EACH 100

/*
 * A training run that is watched, that may have begun in another process, or whose rows are not held
 * but read again in each pass: of methods with OFFERS_STREAM. What is NULL is not asked for. Errors
 * of these functions end the run; they have told the reason.
 */
typedef struct course {
  void *context;
  /* The secret key and the ledger's line of the plan, before it is paid for `steps` releases: OK
   * once both are where no crash loses them. */
  dppair_status (*begin)(const uint8_t *key, const char *line, size_t length, size_t steps,
                         void *context);
  /* d parameters after `step` of `steps` releases, the ones it begins with too, and the scale of the
   * latest noise. */
  dppair_status (*step)(const double *w, double sigma, size_t step, size_t steps, void *context);
  /* What an earlier process kept: nothing is paid again, and step `step` + 1 is the next. */
  const uint8_t *key;
  const char *line;
  size_t length, done;
  const double *w;
  double sigma;
  /* To the first rows; the next ones, scaled, positives first, `block` at most; 0 are the end. Where
   * task.train has groups these are whole users: count and places are set. */
  dppair_status (*rewind)(void *context);
  dppair_status (*next)(dppair_rows_f64 *rows, dppair_groups *groups, void *context);
  size_t block;
  size_t users; /* of train.groups these have records, in all processes together */
  /* Several processes with rows of their own, of which one releases and the others follow: sums of
   * `count` integers of 128 bits over all of them; the releasing one's bytes for all of them. */
  int follows;
  dppair_status (*add)(uint64_t *words, size_t count, void *context);
  dppair_status (*share)(void *bytes, size_t size, void *context);
} course;

typedef struct task {
  records train; /* without its arrays where the course has rows                                 */
  const course *course;
  const feature *features; /* declared columns, or NULL when nothing is declared              */
  scale_kind scale;        /* how train.x was made                                            */
  double epsilon, delta;   /* delta = 0 asks for pure privacy                                  */
  /* What is protected. 0: one replaced record, n public, as by DPPAIR_REPLACE_ONE; where train has
   * groups these are queries, and a record stays in its own. DPPAIR_REPLACE_USER, _ZERO_PERSON:
   * all records of one of train.groups users; DPPAIR_REPLACE_QUERY, _ZERO_QUERY: of one query.
   * The number of groups is public then, and n is as private as a record. */
  dppair_adjacency adjacency;
  size_t most; /* then a public bound of n; 0: RECORDS_EACH times the groups                  */
  settings with;
  dppair_rng *noise; /* every noise number comes from here                              */
  /* Every random index comes from here: another key. It stays as secret as the noise, and is wiped
   * with it: who knows which records a batch drew has no amplification by sampling to contend with
   * (dpsgd, dplssgd and their perceptrons). What a method releases of its draws it says itself. */
  dppair_rng *indices;
} task;

typedef struct model model;
struct model {
  /* Writes s[i], i < rows->n: larger means more likely +1. */
  void (*score)(double *s, const model *m, const records *rows);
  /* Of a metric: writes z, rows->n x d, what it measures distances of; NULL: clipped rows->x. */
  void (*place)(double *z, const model *m, const records *rows);
  /* Prints the released numbers as one JSON value; NULL means theta as an array. 0 without
   * memory. */
  int (*print)(FILE *file, const model *m, const feature *features);
  size_t d, size;
  double *theta; /* size released numbers, malloc'ed; a linear score uses the first d      */
  double radius; /* a metric is for rows clipped to this norm; 0: for any rows           */
  double sigma;  /* noise scale of the (last) release, 0 when there is none              */
  size_t steps;
  double epsilon; /* what this run is PROVED to satisfy at task.delta; at most the budget,*/
                  /* except as_printed (the true figure) and noiseless (infinity)         */
  double right;   /* how often whoever knows all other records is right at most about which of */
                  /* two records was used, both equally likely; 0: what (epsilon, delta) say   */
  char note[1024]; /* one or two lines for the reader: cost split, warnings; may be empty  */
};

/* What a method offers beyond (epsilon, delta) with its own choices. */
enum {
  OFFERS_PURE = 1,         /* delta = 0                                                         */
  OFFERS_LAMBDA = 2,       /* a regulariser                                                     */
  OFFERS_PRINTED = 4,      /* the noise that its paper prints                                   */
  OFFERS_PRINTED_PURE = 8, /* that for delta = 0                                               */
  OFFERS_LOSS = 16,        /* a choice of losses                                               */
  OFFERS_STEPS = 32,
  OFFERS_STEP_SIZE = 64,
  OFFERS_RADIUS = 128,       /* rows clipped to any norm                                       */
  OFFERS_PARAM_RADIUS = 256, /* a ball for the parameters                                      */
  OFFERS_DESCENT = OFFERS_LOSS | OFFERS_STEPS | OFFERS_STEP_SIZE | OFFERS_RADIUS,
  NEEDS_CUBES = 512, /* no offer: time grows like d^3, or memory like d^2: programs warn       */
  OFFERS_PERSONS = 1024, /* all records of a user as what is protected                       */
  OFFERS_QUERIES = 2048, /* pairs inside queries only                                          */
  NEEDS_OWNED = 4096,    /* settings.owned                                                     */
  NEEDS_SMOOTH = 8192,   /* a convex loss without a kink                                        */
  OFFERS_BY_CLASS = 16384, /* features[].by_class                                               */
  OFFERS_STREAM = 32768,   /* a course: rows in passes, checkpoints                              */
  OFFERS_EXPLAIN = 65536   /* settings.explain, where rows are held                              */
};

typedef struct method {
  const char *name;    /* for --method                                                       */
  const char *summary; /* one line                                                           */
  /* Completes "the file holds ..."; behind a "; ", what the guarantee would also cover, though no
   * file holds it. */
  const char *released;
  int offers;       /* a sum of OFFERS_ values                                            */
  int needs_ranges; /* 1: works on task.features and train.raw                            */
  dppair_status (*train)(model *out, const task *t); /* on error out is released and zeroed   */
} method;

/* The list, ended by NULL; one of it, or of another such list, by name, or NULL. */
extern const method *const methods[];
const method *method_find(const char *name);
const method *method_in(const method *const list[], const char *name);

/* Trains after checking the task (finite rows, n >= 4, budget and settings within their limits, or
 * DOMAIN); clears the model on error. */
dppair_status method_train(model *out, const method *m, const task *t) DPPAIR_MUST_CHECK;
void model_free(model *m);

/* --- parts that methods share ----------------------------------------------------------------- */

/* DPPAIR_REPLACE_ONE where nothing else is asked for; and how many records, users or queries
 * there are of which one is protected: the public one of n and groups; and a public number that n
 * does not exceed. */
dppair_adjacency task_adjacency(const task *t);
size_t task_units(const task *t);
size_t task_most(const task *t);

/* A model with size released numbers, all 0, of which a linear score uses the first d on rows->x.
 */
dppair_status model_allocate(model *m, size_t d, size_t size) DPPAIR_MUST_CHECK;
void model_score_linear(double *s, const model *m, const records *rows);

/* The row radius to clip to: the one asked for, else 1 for unit rows and 0.4 sqrt(d) otherwise. */
double task_radius(const task *t);

/* Rows of x scaled down to l2 norm at most radius where they are longer, in the given order (NULL:
 * as they stand): out is n x d. */
dppair_status rows_clip(double *out, const records *rows, const size_t *order,
                        double radius) DPPAIR_MUST_CHECK;

/* Records of class +1 first, in their old order, then -1: order[n]; returns how many are +1. */
size_t rows_by_class(size_t *order, const double *y, size_t n);

/* Area under the ROC curve of scores s with labels y, ties count 1/2; 0.5 when a class is absent.
 * NOT PRIVATE: for simulations. */
/* Memory that a method works in, zeroed; it is wiped before it is free, for gradients and averages
 * stand in it as they are before their noise. NULL without memory. */
void *working_get(size_t count, size_t size);
void working_free(void *memory);

/* NaN without memory. */
double ranking_auc(const double *s, const double *y, size_t n);

/* --- spending (mechanisms.c): releases, random choices, and what a run may claim -------------- */

/* A budget in use: the account of one run, and the plan that is open on it. It stays where it is
 * while a plan is open. */
typedef struct spending {
  const task *t;
  dppair_accountant account;
  dppair_release release; /* `sigma` and `sensitivity` of the last release may be read */
} spending;

dppair_status spending_begin(spending *s, const task *t) DPPAIR_MUST_CHECK;
void spending_end(spending *s); /* wipes the keys */

/* The epsilon of the same steps for a record that takes part or does not: zeroed, absent from its
 * batches. Infinite where there is no memory. */
double spent_if_zeroed(const spending *s);

/* Pays for `steps` releases of a vector, Gaussian, or by the l2 mechanism where delta = 0; the plan
 * before is closed. _all: within all of the task's budget. _part: within mu = part, for delta = 0
 * epsilon = part, where several plans share the budget; counts: of histograms, whose law is
 * Laplace's for delta = 0. _batches: of sums over batches that are drawn so, as
 * dppair_release_draw(.., &s->release) gives them. _multiplier: with this noise multiplier, which
 * somebody else accounts for: no claim. */
dppair_status spend_all(spending *s, size_t steps) DPPAIR_MUST_CHECK;
dppair_status spend_part(spending *s, size_t steps, double part, int counts) DPPAIR_MUST_CHECK;
dppair_status spend_batches(spending *s, size_t steps, dppair_sampling sampling) DPPAIR_MUST_CHECK;
dppair_status spend_multiplier(spending *s, size_t steps, double multiplier) DPPAIR_MUST_CHECK;

/* Pays for one perturbed fit (dppair_release_minimiser) within epsilon and the task's delta, where
 * what the account holds is mu = before; for delta = 0 epsilon is the fit's own. Its ridge is
 * `ratio` times its noise, both in the units of a loss and rows that are within 1. */
dppair_status spend_fit(spending *s, double before, double epsilon,
                        double ratio) DPPAIR_MUST_CHECK;

/* Noisy descent of which nothing but the last iterate leaves (dppair_gaussian_mu_last_iterate,
 * whose arguments these are; the sensitivity has room for all rounding). _last pays for all of it,
 * before the first step. _unseen: noise of one step, added to the iterate on a grid of
 * scale/2^fine. What comes back may be seen after the last step only. */
typedef struct last_plan {
  double sensitivity, sigma, smoothness, alpha, eta, diameter;
  size_t steps;
} last_plan;
dppair_status last_mu(double *mu, const last_plan *plan) DPPAIR_MUST_CHECK;
dppair_status spend_last(spending *s, const last_plan *plan) DPPAIR_MUST_CHECK;
dppair_status spend_unseen(double *w, size_t size, double scale, int fine,
                           spending *s) DPPAIR_MUST_CHECK;

/* A stream: pays for all its releases together (dppair_sensitivity_prefix) with all of the budget,
 * and opens it, for gradients of d numbers no longer than a pair's; its workspace is malloc'ed,
 * *work, and not freed before spend_stream_end. _prefix: one of the releases. */
dppair_status spend_stream(dppair_prefix *prefix, void **work, spending *s,
                           const dppair_pair_unit *unit, const dppair_stream *stream,
                           size_t d) DPPAIR_MUST_CHECK;
dppair_status spend_prefix(double *sum, const double *g, size_t t, dppair_prefix *prefix,
                           spending *s) DPPAIR_MUST_CHECK;
void spend_stream_end(dppair_prefix *prefix);

/* *one: an account of one run that spends mu, to compute the price of many with; it pays nothing. */
dppair_status run_account(dppair_accountant *one, const task *t, double mu) DPPAIR_MUST_CHECK;

/* One of these releases: v + noise, for a proved l2 sensitivity; counts of which one record moves
 * `most` by one each. */
dppair_status spend_on(double *v, size_t size, double sensitivity, spending *s) DPPAIR_MUST_CHECK;
dppair_status spend_on_counts(double *counts, size_t size, size_t most,
                              spending *s) DPPAIR_MUST_CHECK;
/* The draw of the next release (dppair_release_draw), and its mean over groups that are clipped:
 * sum belongs to s->release. */
dppair_status spend_draw(size_t *index, size_t *count, size_t capacity,
                         spending *s) DPPAIR_MUST_CHECK;
dppair_status spend_on_groups(double *mean, const dppair_group_sum *sum,
                              spending *s) DPPAIR_MUST_CHECK;
/* The marginals of all training records, of their raw values (dppair_release_marginals). A run
 * without noise has next to none in them. */
dppair_status spend_on_marginals(double *v, size_t size, const dppair_marginals *query,
                                 spending *s) DPPAIR_MUST_CHECK;

/* What a run is proved to satisfy: the one place that writes out->epsilon and out->right. */
void claim(model *out, double epsilon, double right);

/* Writes out->sigma and claims what the account comes to. NO_PROOF when that is more than
 * the task's budget. */
dppair_status spend_claim(model *out, const spending *s) DPPAIR_MUST_CHECK;

/* One output of known l2 sensitivity at all of the budget, and the claim. */
dppair_status release_output(model *out, double *w, size_t size, double sensitivity,
                             const task *t) DPPAIR_MUST_CHECK;

/* Noise as papers print it, for tasks that ask for it; NO_PROOF for others. The scale, from the
 * accountant's table of them; noise of that scale, which nobody accounts for; a step with it that
 * is charged for what it is (`reach`: a public bound on |v|), and what the steps come to, with a
 * sentence that says whose noise it is; an output at once (per-coordinate Laplace for delta = 0).
 */
dppair_status printed_noise(double *scale, const dppair_paper *paper) DPPAIR_MUST_CHECK;
dppair_status printed_gaussian(double *v, size_t size, double sigma,
                               const task *t) DPPAIR_MUST_CHECK;
dppair_status printed_step(double *v, size_t size, double sigma, double sensitivity, double reach,
                           spending *s) DPPAIR_MUST_CHECK;
dppair_status printed_laplace(double *v, size_t size, double scale,
                              const task *t) DPPAIR_MUST_CHECK;
dppair_status printed_claim(model *out, const spending *s, const char *whose) DPPAIR_MUST_CHECK;
dppair_status release_as_printed(model *out, double *w, size_t size, double scale,
                                 double sensitivity, const task *t) DPPAIR_MUST_CHECK;

/* From task.indices, by exact laws: a random order of 0 .. n-1; count independent draws from them;
 * n uniform numbers. */
dppair_status task_order(size_t *order, size_t n, const task *t) DPPAIR_MUST_CHECK;
dppair_status task_draws(size_t *out, size_t count, size_t n, const task *t) DPPAIR_MUST_CHECK;
dppair_status task_uniform(double *v, size_t n, const task *t) DPPAIR_MUST_CHECK;

/* Keys of simulated noise and indices; no release ever uses this key space. */
dppair_status trial_keys(dppair_rng *noise, dppair_rng *indices, uint64_t seed,
                         uint64_t run) DPPAIR_MUST_CHECK;

/* Keys of a release. A fresh one, from the operating system; and the generator of a key that is led
 * through the cipher by the digest of data and settings, eight of its bytes at a time as the
 * stream's number. Keys that differ in themselves or in the digest give independent numbers, as
 * streams do. So one key file never gives two data sets the same noise, which would cancel in the
 * difference of the two outcomes; whatever is done to the digest that the file holds. */
enum { KEY_SIZE = 32 };
dppair_status fresh_key(uint8_t key[KEY_SIZE]) DPPAIR_MUST_CHECK;
dppair_status bound_generator(dppair_rng *rng, const uint8_t key[KEY_SIZE],
                              const uint8_t digest[32]) DPPAIR_MUST_CHECK;

/* The larger of two numbers of which privacy depends; infinite when either is not finite, so that a
 * NaN is refused and not dropped, as fmax would. */
double larger(double a, double b);

/* The largest mu with an (epsilon, delta) guarantee for the task's budget. */
dppair_status task_mu(double *mu, const task *t) DPPAIR_MUST_CHECK;

/* Appends a sentence to the model's note. */
void note(model *out, const char *format, ...);

#endif /* METHOD_H */
