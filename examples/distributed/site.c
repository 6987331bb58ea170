/* SPDX-License-Identifier: MIT */
#include "distributed/site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DPPAIR_NAME rank
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

void stop(const char *what, const char *why) {
  fprintf(stderr, "sites: %s: %s\n", what, why);
  exit(1);
}

void need(dppair_status status, const char *what) {
  if (status != DPPAIR_OK) stop(what, dppair_status_string(status));
}

size_t count_of(uint32_t alive) {
  size_t count = 0;
  for (; alive != 0; alive &= alive - 1) count++;
  return count;
}

size_t sites_needed(const site_options *o) { return o->sites - 1; }

size_t shares_counted(const site_options *o) { return sites_needed(o) - 1; }

size_t model_records(const model *m) {
  size_t sum = 0, i;
  for (i = 0; i < SITES; i++) sum += m->alive >> i & 1 ? m->n[i] : 0;
  return sum;
}

/* --- a site ----------------------------------------------------------------------------------- */

/* One line; 0 where it is no record of d numbers (*d = 0: as many as there are). */
static int parse(double *label, double *x, size_t *d, char *line) {
  size_t k = 0;
  char *at = line, *end;
  *label = strtod(at, &end);
  if (end == at || (*label != 0.0 && *label != 1.0)) return 0;
  for (at = end; *at == ','; at = end, k++) {
    if (k == COLUMNS) return 0;
    x[k] = strtod(at + 1, &end);
    if (end == at + 1 || !dppair_isfinite_f64(x[k])) return 0;
  }
  if (*d == 0) *d = k;
  return k == *d && k > 0 && (*at == '\n' || *at == '\r' || *at == 0);
}

/* Reads the records of one class. Returns how many there are of both. */
static size_t read_class(site *s, const char *path, double wanted, size_t *room) {
  static char line[32 * COLUMNS];
  double label, x[COLUMNS];
  size_t lines = 0;
  FILE *file = fopen(path, "r");
  if (file == NULL) stop(path, "cannot be opened");
  while (fgets(line, sizeof line, file) != NULL) {
    if (!parse(&label, x, &s->d, line))
      stop(path, "a line is no record: 0 or 1, then features; no header (see --help)");
    lines++;
    if (label != wanted) continue;
    if (s->n == *room) {
      *room = 2 * *room + 64;
      s->x = (double *)realloc(s->x, *room * s->d * sizeof *s->x);
      if (s->x == NULL) stop(path, "no memory");
    }
    memcpy(s->x + s->n++ * s->d, x, s->d * sizeof *x);
  }
  if (ferror(file)) stop(path, "cannot be read");
  fclose(file);
  return lines;
}

/* Two plans on one account; the same noise multipliers at every site, since they depend on public
 * numbers alone. */
static void open_plans(site *s, const site_options *o) {
  const uint8_t key[32] = {o->seed, (uint8_t)s->index, 1}, run[16] = {1};
  const dppair_release_keys known = {key, run}, *keys = o->seed != 0 ? &known : NULL;
  dppair_plan plan;
  memset(&plan, 0, sizeof plan);
  plan.sampling = dppair_sampling_all(s->n, DPPAIR_REPLACE_ONE);
  plan.noise = DPPAIR_SKELLAM;
  plan.epsilon = o->epsilon, plan.delta = o->delta;
  plan.steps = (o->steps + REFRESH - 1) / REFRESH;
  need(dppair_accountant_init(&s->account), "account");
  need(dppair_calibrate(&plan, &s->account, NULL), "noise of histograms");
  plan.noise_multiplier /= sqrt(HISTOGRAMS);
  plan.epsilon = plan.delta = 0.0, plan.check = 0;
  need(dppair_release_open(&s->histograms, &s->account, &plan, keys), "plan of histograms");
  plan.epsilon = o->epsilon, plan.delta = o->delta, plan.steps = o->steps;
  need(dppair_calibrate(&plan, &s->account, NULL), "noise of gradients");
  need(dppair_release_open(&s->gradients, &s->account, &plan, keys), "plan of gradients");
}

void site_open(site *s, unsigned index, const char *path, const site_options *o) {
  size_t room = 0, lines;
  memset(s, 0, sizeof *s);
  s->index = index;
  lines = read_class(s, path, 1.0, &room);
  s->positives = s->n;
  /* n is public: of a pipe, which is empty the second time, it would be a count of one class */
  if (read_class(s, path, 0.0, &room) != lines || s->n != lines)
    stop(path, "is not the same when it is read again");
  if (s->n == 0) stop(path, "no records");
  s->factor = (double *)malloc(s->n * sizeof *s->factor);
  if (s->factor == NULL) stop(path, "no memory");
  need(dppair_rows_clip_f64(&s->rows, s->factor, s->x, s->n, s->d, s->d, RADIUS), path);
  s->rows.positives = s->positives;
  open_plans(s, o);
}

/* The sum of (a): a score's weight goes to the nodes on its two sides, in units of 1/SCALE. */
static void count_scores(double *sum, const site *s, const model *m, const double *score) {
  size_t i;
  for (i = 0; i < s->n; i++) {
    double *block = sum + (i < s->positives ? 0 : NODES), at, part;
    at = (score[i] - m->node[0]) / (m->node[1] - m->node[0]);
    at = at > 0.0 ? at : 0.0;
    at = at < NODES - 1.001 ? at : NODES - 1.001;
    part = floor((at - floor(at)) * SCALE) / SCALE;
    block[(size_t)at] += 1.0 - part;
    block[(size_t)at + 1] += part;
  }
}

/* Counts how likely it is that the sum of this share with the others leaves 32 bits: public. */
static void count_wrap(site *s, const model *m, const dppair_release *release,
                       const dppair_integers *q, double each, size_t honest) {
  double variance, moved, p;
  need(dppair_release_share_variance(&variance, &moved, release, q, honest), "noise");
  need(dppair_skellam_wrap(&p, variance * (double)count_of(m->alive), BITS,
                           each * SCALE * (double)model_records(m), q->size),
       "noise");
  if ((s->wrap += p) > 1e-6) stop("sums", "too many records, or too little epsilon, for 32 bits");
}

void site_share(uint64_t *share, site *s, const model *m, int gradient, size_t honest) {
  static int64_t sum[WORDS];
  static double v[WORDS];
  dppair_integers q;
  double *score = (double *)malloc(2 * s->n * sizeof *score), *c;
  size_t i, k;
  if (score == NULL) stop("share", "no memory");
  c = score + s->n;
  need(dppair_scores_f64(score, &s->rows, m->w), "scores");
  if (!gradient) {
    memset(v, 0, sizeof v);
    count_scores(v, s, m, score);
    need(dppair_integers_open(&q, sum, 2 * NODES, DPPAIR_QUANTISED_ROUNDED, SCALE,
                              1.4142135623730951, 4),
         "histogram");
    need(dppair_quantise(&q, v, NULL), "histogram");
    count_wrap(s, m, &s->histograms, &q, 1.0, honest);
    need(dppair_release_share(share, &s->histograms, &q, honest, BITS), "share");
  } else {
    need(rank_coeffs_from_histogram(c, score, s->n, s->positives, m->node, m->count, NODES, NULL),
         "coefficients");
    need(dppair_integers_open(&q, sum, s->d, DPPAIR_QUANTISED_TRUNCATED, SCALE, CLIP, 0), "sum");
    for (i = 0; i < s->n; i++) {
      for (k = 0; k < s->d; k++)
        v[k] = c[i] / (double)(model_records(m) - 1) * s->factor[i] * s->x[i * s->d + k];
      need(dppair_quantise(&q, v, NULL), "sum");
    }
    count_wrap(s, m, &s->gradients, &q, CLIP, honest);
    need(dppair_release_share(share, &s->gradients, &q, honest, BITS), "share");
  }
  free(score);
}

void site_mask(uint64_t *share, const site *s, uint32_t others, uint64_t round, size_t size) {
  uint64_t words[WORDS];
  unsigned j;
  size_t k;
  for (j = 0; j < SITES; j++) {
    dppair_rng rng;
    if (!(others >> j & 1) || j == s->index) continue;
    need(dppair_rng_from_key(&rng, s->pair_key[j], round), "mask");
    need(dppair_rng_bytes(words, size * sizeof *words, &rng), "mask");
    for (k = 0; k < size; k++) words[k] = s->index < j ? words[k] : 0u - words[k];
    need(dppair_shares_add(share, words, size, BITS), "mask");
    dppair_wipe(&rng, sizeof rng);
  }
}

void site_close(site *s) {
  dppair_release_close(&s->histograms);
  dppair_release_close(&s->gradients);
  dppair_wipe(s->pair_key, sizeof s->pair_key);
  free(s->x);
  free(s->factor);
}

/* --- what everybody computes ------------------------------------------------------------------ */

void model_begin(model *m, const site_options *o) {
  size_t k;
  memset(m, 0, sizeof *m);
  m->alive = (1u << o->sites) - 1;
  for (k = 0; k < NODES; k++) m->node[k] = BALL * RADIUS * (2.0 * (double)k / (NODES - 1) - 1.0);
}

size_t model_size(const model *m, int gradient) { return gradient ? m->d : 2 * NODES; }

void model_apply(model *m, int gradient, const uint64_t *sum) {
  double v[WORDS];
  size_t k;
  need(dppair_shares_value(v, sum, model_size(m, gradient), BITS, SCALE), "sum");
  if (!gradient) {
    memcpy(m->count, v, sizeof m->count);
    return;
  }
  for (k = 0; k < m->d; k++) m->w[k] -= RATE * v[k] / (double)model_records(m);
  need(dppair_project_l2_f64(m->w, m->d, BALL), "model");
}
