/* SPDX-License-Identifier: MIT */
/* Null records: places of a data set that nobody fills. What a release computes of a block with
 * null records is what it computes of the others, bit for bit, whatever stands in the empty places;
 * no status, scale or permit tells how many there are; and of tiny universes every record that
 * becomes null moves every release by no more than the sensitivity that the noise is for. */
#include <stddef.h>
static int heard(const void *event);
#define DPPAIR_AUDIT(event) heard(event)
#include "dppair_allocation.h"
#include "dppair_accountant.h"
#include "dppair_losses.h"
#include "dppair_noise.h"
#include "dppair_scale.h"
#include "dppair_pointwise.h"
#include "dppair_influence.h"
#include "dppair_top.h"
#include "dppair_metric.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME wide
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#define DPPAIR_WEIGHTS 0
#define DPPAIR_NAME plain
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_WEIGHTS 1
#define DPPAIR_NAME small
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_hinge
#include "dppair.h"

#define DPPAIR_NAME views
#define DPPAIR_REAL double
#define DPPAIR_LOSS dppair_infonce
#include "dppair_contrast.h"

#define DPPAIR_NAME triples
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_triplet
#include "dppair_contrast.h"

#define DPPAIR_NAME bytes
#define DPPAIR_REAL float
#define DPPAIR_ROW i8
#define DPPAIR_LOSS dppair_logistic
#include "dppair.h"

#include "tests.h"
#include "clips.h"
#include "draws.h"

/* What a release hands to its noise. */
static struct {
  double values[64], sensitivity, scale;
  size_t size;
} last;

static int heard(const void *event) {
  const dppair_event *e = (const dppair_event *)event;
  if (e->kind == DPPAIR_EVENT_RELEASE && e->n <= 64) {
    memcpy(last.values, e->values, e->n * sizeof *last.values);
    last.size = e->n;
    last.sensitivity = e->sensitivity;
    last.scale = e->scale;
  }
  return e->kind == DPPAIR_EVENT_ADD; /* no noise */
}

enum { MOST = 6, D = 2, ROOM = 1 << 18 };
static const uint8_t KEY[32] = {7}, RUN[16] = {1};
static const dppair_release_keys KEYS = {KEY, RUN};
static double work[ROOM], room[4][ROOM];
static dppair_fast boxes, sorted, moments, cells, sorted32;

static int set_up(void **state) {
  (void)state;
  const size_t n = 16;
  return wide_fast_init(&boxes, n, DPPAIR_ACCURACY_1E9, 3, NULL, room[0], sizeof room[0]) ||
         plain_fast_init(&sorted, n, DPPAIR_ACCURACY_1E9, 3, NULL, room[1], sizeof room[1]) ||
         wide_sums_init(&moments, n, DPPAIR_ACCURACY_1E9, 3, NULL, room[2], sizeof room[2]) ||
         plain_sums_init(&cells, n, DPPAIR_ACCURACY_1E6, 3, NULL, room[3], ROOM / 2) ||
         small_fast_init(&sorted32, n, DPPAIR_ACCURACY_1E6, 3, NULL, room[3] + ROOM / 2, ROOM);
}

typedef struct record {
  double x[D], y;
  int up, there;
  size_t owner;
} record;

/* A block of either type, and places of its owners. */
typedef struct block {
  double x[MOST * D], factor[MOST], factor32[MOST], y[MOST], weight[MOST];
  float x32[MOST * D], y32[MOST];
  dppair_rows_f64 wide;
  dppair_rows_f32 narrow;
  size_t positive[MOST + 1], negative[MOST + 1];
  dppair_groups groups;
} block;

/* Its rows are those of the last draw: the test says which records these are. */
static void by_hand(block *b) {
  dppair_rows_by_hand_f64(&b->wide, &drawn_now);
  dppair_rows_by_hand_f32(&b->narrow, &drawn_now);
}

/* Writes a record to the next place. */
static void put(block *b, size_t at, const record *r) {
  for (size_t k = 0; k < D; k++) b->x32[at * D + k] = (float)(b->x[at * D + k] = r->x[k]);
  b->y[at] = r->y, b->y32[at] = (float)r->y;
}

/* The block of the first n records: positives first (mixed: in their order, without classes), null
 * ones last, or instead those that are there and nothing else (gone). Garbage fills empty places.
 * */
static void lay(block *b, const record *r, size_t n, int mixed, int gone) {
  size_t at = 0, up = 0, there;
  memset(b, 0xff, sizeof *b); /* NaN */
  for (size_t i = 0; i < n; i++) there = 0, (void)there;
  for (int class = mixed ? 0 : 1; class >= 0; class --) {
    size_t *place = class || mixed ? b->positive : b->negative;
    const size_t from = at;
    for (size_t owner = 0; owner < MOST; owner++) {
      place[owner] = at - from;
      for (size_t i = 0; i < n; i++)
        if (r[i].there && r[i].owner == owner && (mixed || r[i].up == class))
          put(b, at++, r + i), up += (size_t) class;
    }
    place[MOST] = at - from;
  }
  there = at;
  assert_int_equal(dppair_rows_clip_f64(&b->wide, b->factor, b->x, there, D, D, 1), DPPAIR_OK);
  b->wide.y = b->y;
  b->wide.n = gone ? there : n;
  b->wide.nulls = gone ? 0 : n - there;
  b->wide.positives = mixed ? 0 : up;
  assert_int_equal(dppair_rows_clip_f32(&b->narrow, b->factor32, b->x32, there, D, D, 1),
                   DPPAIR_OK);
  b->narrow.y = b->y32;
  b->narrow.n = b->wide.n, b->narrow.nulls = b->wide.nulls, b->narrow.positives = b->wide.positives;
  memset(&b->groups, 0, sizeof b->groups);
  b->groups.count = MOST;
  b->groups.positive = b->positive;
  b->groups.negative = mixed ? NULL : b->negative;
  b->groups.most = MOST;
}

#define WAYS(X)                                                                                    \
  X(LOOPS)                                                                                         \
  X(LOOPS32)                                                                                       \
  X(BOXES)                                                                                         \
  X(SORTED)                                                                                        \
  X(SORTED32) X(MOMENTS) X(CELLS) X(CLIP) X(CLIP32) X(METRIC) X(FACTOR) X(SIMILAR) X(METRIC_CLIP)  \
      X(FACTOR_CLIP) X(SIMILAR_CLIP) X(METRIC32) X(METRIC32_CLIP) X(PARTIAL) X(PARTIAL32) X(PUSH)  \
          X(SOFTMAX) X(HISTOGRAM) X(POINTWISE) X(CHUNKS) X(NARROW)
#define X(name) name,
enum { WAYS(X) WAYS_END };
#undef X
#define X(name) #name,
static const char *const names[] = {WAYS(X)};
#undef X

static int is_form(int way) { return way >= METRIC && way <= METRIC32_CLIP; }

/* Can this way have such a draw? */
static int can(int way, dppair_sampling s) {
  if (way == PUSH) return s.kind == DPPAIR_ALL || s.kind == DPPAIR_WITHOUT_REPLACEMENT;
  if ((way == PARTIAL || way == PARTIAL32) && s.kind == DPPAIR_WITH_REPLACEMENT) return 0;
  return 1;
}

/* The chunks of a sum: of 1 row, of the next ones, of the null records and their neighbour. */
static dppair_status in_chunks(double *g, dppair_release *release, const dppair_rows_f64 *rows,
                               const double *w, dppair_options *options) {
  static double words[ROOM / 8], sums[64];
  const size_t there = rows->n - rows->nulls,
               cut[4] = {0, there > 0, there > 1 ? there - 1 : there, rows->n};
  dppair_sketch m;
  dppair_sum sum;
  dppair_rows_f64 some[3];
  dppair_status status;
  for (size_t k = 0; k < 3; k++) {
    const size_t from = cut[k];
    some[k] = *rows;
    some[k].x += from * D, some[k].factor += from;
    some[k].n = cut[k + 1] > from ? cut[k + 1] - from : 0;
    some[k].nulls = k == 2 ? rows->nulls : 0;
    some[k].positives = rows->positives > from ? rows->positives - from : 0;
    if (some[k].positives > some[k].n - some[k].nulls)
      some[k].positives = some[k].n - some[k].nulls;
  }
  status = wide_sketch_open(&m, &moments, words, sizeof words);
  for (size_t k = 0; k < 3 && !status; k++) status = wide_chunk_sketch(&m, some + 2 - k, w, options);
  if (!status) status = wide_sketch_finish(&m, NULL, &moments);
  if (!status) status = wide_sum_open(&sum, D, 1, options, sums, sizeof sums);
  for (size_t k = 0; k < 3 && !status; k++) status = wide_chunk_sum(&sum, some + k, w, &m, options);
  return status ? status : wide_release_sum(g, release, &sum, w, options);
}

/* One release of this way: of records r[0..n), those of a plan that draws them all or, where the
 * test says which are drawn (drawn != NULL), of these. */
typedef struct answer {
  double values[64], sensitivity, scale;
  size_t size, step;
  dppair_status status;
} answer;

static answer one(int way, const record *r, size_t n, dppair_sampling sampling, int gone) {
  static block a, b;
  static int8_t elements[MOST * D];
  static double narrow_factor[MOST];
  const double w[4] = {.5, -.3, .2, .1};
  const float w32[2] = {.5F, -.3F};
  const double node[3] = {-1, 0, 1};
  double g[64] = {0}, count[6], s[MOST];
  size_t index[MOST], drawn;
  dppair_plan plan;
  dppair_accountant account;
  dppair_release release;
  dppair_options options;
  dppair_top top;
  dppair_histogram h = {node, 3, count, 0};
  dppair_rows_i8 eighths;
  answer out;
  memset(&out, 0, sizeof out), memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options);
  memset(&top, 0, sizeof top), memset(&last, 0, sizeof last);
  plan.sampling = sampling, plan.noise_multiplier = 2, plan.steps = 2;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
  if (sampling.kind != DPPAIR_ALL) {
    assert_int_equal(draw_now(index, &drawn, MOST, &release), DPPAIR_OK);
    release.drawn = n; /* the test says which ones */
    if (gone) release.drawn = 0;
    for (size_t i = 0; gone && i < n; i++) release.drawn += (size_t)r[i].there;
  }
  lay(&a, r, n, is_form(way) || way == SOFTMAX, gone);
  by_hand(&a);
  options.work = work, options.bytes = sizeof work;
  if (way == CLIP || way == CLIP32)
    options.clip = clip_of(way == CLIP ? plain_clip_init : small_clip_init, .1);
  if ((way >= METRIC_CLIP && way <= SIMILAR_CLIP) || way == METRIC32_CLIP)
    options.clip = clip_of(dppair_clip_init, .1);
  switch (way) {
  case LOOPS:
  case CLIP:
    out.status = plain_release(g, &release, &a.wide, w, &options);
    break;
  case LOOPS32:
  case CLIP32:
    out.status = small_release(g, &release, &a.narrow, w32, &options);
    break;
  case BOXES:
  case MOMENTS:
    options.fast = way == BOXES ? &boxes : &moments;
    out.status = wide_release(g, &release, &a.wide, w, &options);
    break;
  case SORTED:
  case CELLS:
    options.fast = way == SORTED ? &sorted : &cells;
    out.status = plain_release(g, &release, &a.wide, w, &options);
    break;
  case SORTED32:
    options.fast = &sorted32;
    out.status = small_release(g, &release, &a.narrow, w32, &options);
    break;
  case METRIC:
  case FACTOR:
  case SIMILAR:
  case METRIC_CLIP:
  case FACTOR_CLIP:
  case SIMILAR_CLIP: {
    const int kind = way >= METRIC_CLIP ? way - METRIC_CLIP : way - METRIC;
    out.status = plain_release_form(g, &release, (dppair_form)kind, &a.wide, w, D, .5, &options);
    break;
  }
  case METRIC32:
  case METRIC32_CLIP:
    out.status = small_release_form(g, &release, DPPAIR_FORM_METRIC, &a.narrow, w, D, .5, &options);
    break;
  case PARTIAL:
  case PUSH:
    top.kind = way == PUSH ? DPPAIR_TOP_PUSH : DPPAIR_TOP_PARTIAL;
    if (way == PUSH)
      top.power = 2;
    else
      top.positives = 2, top.negatives = 1;
    out.status = wide_release_top(g, &release, &a.wide, w, &top, &options);
    break;
  case PARTIAL32:
    top.kind = DPPAIR_TOP_PARTIAL, top.positives = 1, top.negatives = 2;
    options.fast = &sorted32;
    out.status = small_release_top(g, &release, &a.narrow, w32, &top, &options);
    break;
  case SOFTMAX:
    b = a, b.wide.x = b.x, b.wide.y = NULL;
    for (size_t i = 0; i < MOST * D; i++) b.x[i] = a.x[i] * (i % 2 ? -.5 : 1); /* the other view */
    options.clip = clip_of(dppair_clip_init, .25);
    out.status = views_release_softmax(g, &release, &a.wide, &b.wide, w, 2, 1, &options);
    break;
  case HISTOGRAM:
  case POINTWISE:
    assert_int_equal(dppair_scores_f64(s, &a.wide, w), DPPAIR_OK);
    memcpy(count, (double[6]){2, 0, 1, 1, 2, 0}, sizeof count);
    h.records = (double)n;
    if (way == HISTOGRAM)
      out.status =
          dppair_release_score_histogram(&h, &release, s, NULL, a.wide.n, a.wide.positives);
    else
      out.status = wide_release_pointwise(g, &release, &a.wide, w, &h, .3, &options);
    break;
  case CHUNKS:
    options.fast = &moments;
    out.status = in_chunks(g, &release, &a.wide, w, &options);
    break;
  default:
    assert_int_equal(dppair_rows_quantise_i8_f32(&eighths, elements, narrow_factor, &a.narrow),
                     DPPAIR_OK);
    out.status = bytes_release(g, &release, &eighths, w32, &options);
  }
  memcpy(out.values, last.values, sizeof out.values);
  out.size = last.size, out.sensitivity = last.sensitivity, out.scale = last.scale;
  out.step = release.step;
  return out;
}

static double distance(const answer *a, const answer *b) {
  double sum = 0;
  for (size_t k = 0; k < a->size; k++)
    sum += (a->values[k] - b->values[k]) * (a->values[k] - b->values[k]);
  return sqrt(sum);
}

/* Everything that is not noise's: status, S, scale, permit, size. */
static void alike(int way, const answer *a, const answer *b) {
  if (a->status == b->status && a->step == b->step && a->size == b->size &&
      !(a->sensitivity < b->sensitivity) && !(a->sensitivity > b->sensitivity) &&
      !(a->scale < b->scale) && !(a->scale > b->scale))
    return;
  fail_msg("%s: status %d, %d; S %.17g, %.17g; step %zu, %zu", names[way], (int)a->status,
           (int)b->status, a->sensitivity, b->sensitivity, a->step, b->step);
}

/* A record of a small universe: lengths up to 2 (clipped to 1), directions, ties, both classes. */
static record any(void) {
  static const double lengths[] = {0, .25, .5, 1, 1, 2}, angles[] = {0, .6, 1.6, 3.14159, 4, 5.2};
  record r;
  const double length = lengths[(size_t)(uniform() * 6) % 6],
               angle = angles[(size_t)(uniform() * 6) % 6];
  memset(&r, 0, sizeof r);
  r.x[0] = length * cos(angle), r.x[1] = length * sin(angle);
  r.up = uniform() < .5, r.y = r.up, r.there = 1;
  return r;
}

static const dppair_sampling_kind kinds[] = {DPPAIR_ALL, DPPAIR_POISSON, DPPAIR_ALLOCATION,
                                             DPPAIR_WITHOUT_REPLACEMENT, DPPAIR_WITH_REPLACEMENT};
static dppair_sampling sampling_of(size_t kind, size_t n) {
  switch (kinds[kind]) {
  case DPPAIR_ALL:
    return dppair_sampling_all(n, DPPAIR_ZERO_OUT);
  case DPPAIR_POISSON:
    return dppair_sampling_poisson(n, 2, DPPAIR_ZERO_OUT);
  case DPPAIR_ALLOCATION:
    return dppair_sampling_allocation(n, 2, 1, DPPAIR_ZERO_OUT);
  case DPPAIR_WITHOUT_REPLACEMENT: /* a null record is one that may replace another */
    return dppair_sampling_without_replacement(n, n, DPPAIR_REPLACE_ONE);
  default:
    return dppair_sampling_with_replacement(n, n, DPPAIR_REPLACE_ONE);
  }
}

/* Records of tiny universes: one after the other becomes null, down to none. Each step moves the
 * release by at most S; nothing else tells. Some pairs come as close to S as figures without kernel
 * errors can (tight). */
static void no_null_record_moves_a_release_farther_than_its_sensitivity(void **state) {
  static double worst[WAYS_END][5];
  const int rounds = few_or_all(BRIEF ? 20 : 60, 20000);
  (void)state;
  for (int way = 0; way < WAYS_END; way++)
    for (size_t kind = 0; kind < 5; kind++)
      for (int round = 0; round < rounds; round++) {
        const size_t n =
            kinds[kind] == DPPAIR_POISSON ? 2 + (size_t)round % 3 : 2 + (size_t)round % 4;
        const dppair_sampling s = sampling_of(kind, kinds[kind] == DPPAIR_POISSON ? MOST : n);
        record r[MOST];
        answer before, after;
        if (!can(way, s)) continue;
        if (kinds[kind] == DPPAIR_ALLOCATION && n % 2) continue;
        for (size_t i = 0; i < n; i++) r[i] = any();
        before = one(way, r, n, s, 0);
        for (size_t i = 0; i < n; i++) {
          double ratio;
          r[i].there = 0;
          after = one(way, r, n, s, 0);
          alike(way, &before, &after);
          if (after.status != DPPAIR_OK)
            fail_msg("%s: %s", names[way], dppair_status_string(after.status));
          ratio = distance(&before, &after) / after.sensitivity;
          if (!(ratio <= 1)) fail_msg("%s, draw %zu: %.17g of S", names[way], kind, ratio);
          worst[way][kind] = ratio > worst[way][kind] ? ratio : worst[way][kind];
          before = after;
        }
        for (size_t k = 0; k < after.size; k++) /* nothing is left */
          if (after.values[k] < 0 || after.values[k] > 0) fail_msg("%s: not 0", names[way]);
      }
  if (getenv("VERBOSE"))
    for (int way = 0; way < WAYS_END; way++)
      print_message("%-14s %.4f %.4f %.4f %.4f %.4f\n", names[way], worst[way][0], worst[way][1],
                    worst[way][2], worst[way][3], worst[way][4]);
}

/* A null record that is drawn is one that is not drawn, to the last bit: the divisor does not count
 * it. Where every record is used, what is divided is the sum over the others. */
static void a_null_record_that_is_drawn_is_not_counted(void **state) {
  (void)state;
  for (int way = 0; way < WAYS_END; way++)
    for (int round = 0; round < 60; round++) {
      const dppair_sampling s = dppair_sampling_poisson(MOST, 2, DPPAIR_ZERO_OUT);
      const size_t n = 1 + (size_t)round % 5;
      record r[MOST];
      answer with, without;
      if (!can(way, s)) continue;
      for (size_t i = 0; i < n; i++) {
        r[i] = any();
        r[i].there = uniform() < .6;
      }
      with = one(way, r, n, s, 0);
      without = one(way, r, n, s, 1);
      alike(way, &with, &without);
      if (memcmp(with.values, without.values, with.size * sizeof *with.values) != 0)
        fail_msg("%s: other bits", names[way]);
    }
}

/* The places of the old recipe: a row of zeros is a record, and moves what null records do not. */
static void a_row_of_zeros_is_a_record(void **state) {
  static const struct {
    int form;
    double clip, zero_label, zeros, null;
    size_t kind;
  } rows[] = {{0, .1, 0, 2, 1, 0},   {0, .1, 0, 2, 1, 1},           {1, .1, 1, 2, 1, 0},
              {1, 0, 1, 1.25, 1, 0}, {1, .1, 1, 4. / 3, 2. / 3, 1}, {0, 0, 0, .5, .75, 0}};
  (void)state;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const double other = rows[k].form && !(rows[k].clip > 0) ? 1 : .5;
    double farthest[2] = {0, 0};
    for (int i = -20; i <= 20; i++) {
      double seen[3];
      for (int what = 0; what < 3; what++) { /* the record, a row of zeros, a null record */
        static double x[4], factor[4], y[4], w[1] = {0}, g[1];
        const size_t there = what == 2 ? 3 : 4;
        dppair_plan plan;
        dppair_accountant account;
        dppair_release release;
        dppair_options options;
        dppair_rows_f64 data;
        dppair_status status;
        size_t index[4], count;
        memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options);
        plan.sampling = rows[k].kind ? dppair_sampling_poisson(4, 4, DPPAIR_ZERO_OUT)
                                     : dppair_sampling_all(4, DPPAIR_ZERO_OUT);
        plan.noise_multiplier = 1, plan.steps = 1;
        assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
        assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
        if (rows[k].kind)
          assert_int_equal(draw_now(index, &count, 4, &release), DPPAIR_OK);
        memset(x, 0xff, sizeof x);
        for (size_t j = 0; j < there; j++)
          x[j] = what < 2 && j == 0 ? what ? 0 : i / 20. : other,
          y[j] = what < 2 && j == 0 ? what ? rows[k].zero_label : 0 : 1;
        assert_int_equal(dppair_rows_clip_f64(&data, factor, x, there, 1, 1, 1), DPPAIR_OK);
        data.n = 4, data.nulls = 4 - there, data.positives = what < 2, data.y = y;
        if (rows[k].kind) dppair_rows_by_hand_f64(&data, &drawn_now);
        options.work = work, options.bytes = sizeof work;
        options.clip = clip_of(plain_clip_init, rows[k].clip);
        status = rows[k].form
                     ? plain_release_form(g, &release, DPPAIR_FORM_METRIC, &data, w, 1, .5, &options)
                     : plain_release(g, &release, &data, w, &options);
        assert_int_equal(status, DPPAIR_OK);
        seen[what] = last.values[0];
      }
      for (int what = 1; what < 3; what++) {
        const double far = fabs(seen[0] - seen[what]) / last.sensitivity;
        if (far > farthest[what - 1]) farthest[what - 1] = far;
      }
    }
    assert_float_equal(farthest[0], rows[k].zeros, 1e-6);
    assert_float_equal(farthest[1], rows[k].null, 1e-6);
    assert_true(farthest[1] <= 1);
  }
}

/* A batch: positives first, null records last, which are not copied; and who is drawn twice. */
static void a_batch_has_its_null_records_last(void **state) {
  const size_t index[7] = {4, 0, 3, 5, 2, 4, 0};
  record r[6];
  block a;
  double x[7 * D], y[7], factor[7];
  dppair_rows_f64 batch;
  (void)state;
  for (size_t i = 0; i < 6; i++)
    r[i] = any(), r[i].up = i < 2, r[i].there = i < 4, r[i].y = (double)i;
  lay(&a, r, 6, 0, 0);
  assert_int_equal(dppair_gather_f64(&batch, x, y, factor, BATCH_OF(index, 7), &a.wide), DPPAIR_OK);
  assert_true(batch.n == 7 && batch.positives == 2 && batch.nulls == 3 && batch.radius == 1);
  for (size_t i = 0; i < 4; i++) {
    static const size_t from[4] = {0, 0, 3, 2};
    assert_memory_equal(x + i * D, a.x + from[i] * D, D * sizeof *x);
    assert_true(y[i] == (double)from[i] && factor[i] == a.factor[from[i]]);
  }
  for (size_t i = 4; i < 7; i++) assert_true(x[i * D] == 0 && y[i] == 0 && factor[i] == 0);
  a.wide.positives = 5;
  assert_int_equal(dppair_gather_f64(&batch, x, y, factor, BATCH_OF(index, 7), &a.wide), DPPAIR_ERR_SIZE);
  a.wide.positives = 0, a.wide.nulls = 7;
  assert_int_equal(dppair_gather_f64(&batch, x, y, factor, BATCH_OF(index, 7), &a.wide), DPPAIR_ERR_SIZE);
}

/* Every function of a block: with null records, full of NaN, the bits of the block without them;
 * with more of them than rows SIZE, and outputs of 0. */
static void every_function_leaves_null_records_out(void **state) {
  static uint16_t cache[2][4096];
  (void)state;
  for (int round = 0; round < 40; round++) {
    static block with, without, mixed, alone, bad;
    const size_t n = 6, there = (size_t)round % 6, i[6] = {0, 3, 5, 2, 1, 4},
                 j[6] = {1, 2, 0, 4, 0, 5};
    size_t few_i[6], few_j[6], few = 0, needed;
    record r[6];
    double out[2][24], b[2][24], share[6] = {1, .5, 2, 1, 3, 1}, few_share[6];
    float out32[2][24];
    const double w[4] = {.5, -.3, .2, .1}, t[2] = {1, 2};
    const float w32[2] = {.5F, -.3F};
    dppair_options options;
    dppair_contrast how;
    dppair_sum sum[2];
    uint64_t words[2][64];
    memset(&options, 0, sizeof options), memset(&how, 0, sizeof how);
    options.work = work, options.bytes = sizeof work;
    how.temperature = 1, how.positives = DPPAIR_POSITIVE_LABEL;
    for (size_t k = 0; k < n; k++) r[k] = any(), r[k].there = k < there;
    lay(&with, r, n, 0, 0), lay(&without, r, n, 0, 1), lay(&mixed, r, n, 1, 0),
        lay(&alone, r, n, 1, 1);
    bad = mixed, bad.wide.nulls = bad.narrow.nulls = 7;
    for (size_t k = 0; k < 6; k++)
      if (i[k] < there && j[k] < there)
        few_i[few] = i[k], few_j[few] = j[k], few_share[few++] = share[k];
/* CALL(k, c, f): the call number k (0 with null records, 1 without, 2 with too many), blocks with
 * and without classes. Outputs out[k], of `count` numbers that are compared. */
#define TRY(array, count, zeroed, call)                                                            \
  do {                                                                                             \
    size_t k = 0;                                                                                  \
    const block *c = &with, *f = &mixed;                                                           \
    memset(array, 0x11, sizeof array);                                                             \
    if ((call) != DPPAIR_OK) fail_msg("%s", #call);                                                \
    k = 1, c = &without, f = &alone;                                                               \
    if ((call) != DPPAIR_OK) fail_msg("%s", #call);                                                \
    if (memcmp(array[0], array[1], (count) * sizeof **array) != 0) fail_msg("bits: %s", #call);    \
    c = f = &bad;                                                                                  \
    if ((call) != DPPAIR_ERR_SIZE) fail_msg("SIZE: %s", #call);                                    \
    for (size_t e = (zeroed); e-- > 0;) assert_true(!(array[1][e] < 0) && !(array[1][e] > 0));    \
    (void)c, (void)f;                                                                              \
  } while (0)
    TRY(out, there, n, dppair_scores_f64(out[k], &f->wide, w));
    TRY(out32, there, n, dppair_scores_f32(out32[k], &f->narrow, w32));
    TRY(out, D, D, dppair_combine_f64(out[k], &f->wide, share));
    TRY(out, D, D, dppair_combine_f32(out[k], &f->narrow, share));
    TRY(out, D, D, wide_gradient(out[k], &c->wide, w, &options));
    TRY(out, D, D, small_gradient(out[k], &c->narrow, w32, &options));
    TRY(out, D, D, wide_hessian(out[k], &c->wide, w, t, NULL, NULL, work, sizeof work));
    for (int clipped = 0; clipped < 2; clipped++) {
      options.clip = clip_of(dppair_clip_init, clipped ? .1 : 0);
      for (int form = 0; form < 3 && there > 1; form++) { /* a block of one row is none */
        TRY(out, 4, 4, plain_form_gradient(out[k], (dppair_form)form, &f->wide, w, D, .5, &options));
        TRY(out, 4, 4, small_form_gradient(out[k], (dppair_form)form, &f->narrow, w, D, .5, &options));
        TRY(out, 1, 1,
            plain_form_risk_not_private(out[k], (dppair_form)form, &f->wide, w, D, .5, &options));
      }
      memset(out, 0x11, sizeof out);
      assert_int_equal(
          plain_pairs_gradient(out[0], &mixed.wide, &mixed.wide, w, i, j, share, 6, &options),
          DPPAIR_OK);
      assert_int_equal(plain_pairs_gradient(out[1], &alone.wide, &alone.wide, w, few_i, few_j,
                                            few_share, few, &options),
                       DPPAIR_OK);
      for (int k = 0; k < D; k++) assert_float_equal(out[0][k], out[1][k], 1e-12);
      assert_int_equal(plain_pairs_gradient(out[1], &bad.wide, &bad.wide, w, few_i, few_j,
                                            few_share, few, &options),
                       DPPAIR_ERR_SIZE);
      assert_int_equal(plain_form_pairs(out[0], &mixed.wide, w, .5, i, j, share, 6, &options),
                       DPPAIR_OK);
      assert_int_equal(
          plain_form_pairs(out[1], &alone.wide, w, .5, few_i, few_j, few_share, few, &options),
          DPPAIR_OK);
      for (int k = 0; k < 4; k++) assert_float_equal(out[0][k], out[1][k], 1e-12);
      assert_int_equal(
          plain_form_pairs(out[1], &bad.wide, w, .5, few_i, few_j, few_share, few, &options),
          DPPAIR_ERR_SIZE);
    }
    options.clip = clip_of(dppair_clip_init, .1);
    TRY(b, there, 0,
        plain_clip_coeffs(b[k], b[k] + c->wide.positives, share, share, &c->wide, NULL, 0, &options));
    assert_int_equal(plain_clip_workspace(&needed, &needed, n, D), DPPAIR_OK);
    TRY(cache, 100, 0, plain_clip_cache(cache[k], 4096, &c->wide, &options));
    TRY(out, 4, 4, views_softmax_gradient(out[k], &f->wide, &f->wide, w, 2, 1, &options));
    options.clip = NULL;
    TRY(out, there * D, n * D, views_contrast_gradient(out[k], NULL, &f->wide, NULL, &how, &options));
    TRY(out, 1, 1, views_contrast_risk_not_private(out[k], &f->wide, NULL, &how, &options));
    TRY(out, 4, 4, views_contrast_map_gradient(out[k], &f->wide, NULL, w, 2, &how, &options));
    TRY(out32, there * D, n * D,
        triples_contrast_gradient(out32[k], NULL, &f->narrow, NULL, &how, &options));
    TRY(out, 1, 1, triples_contrast_risk_not_private(out[k], &f->narrow, NULL, &how, &options));
    for (int k = 0; k < 2; k++) {
      assert_int_equal(dppair_sum_open(sum + k, D, 8, words[k], sizeof words[k]), DPPAIR_OK);
      assert_int_equal(dppair_sum_combine_f64(sum + k, k ? &alone.wide : &mixed.wide, share),
                       DPPAIR_OK);
      assert_int_equal(dppair_sum_value(out[k], sum + k), DPPAIR_OK);
    }
    assert_memory_equal(out[0], out[1], D * sizeof **out);
    assert_true(sum[0].count == n && sum[1].count == there);
#undef TRY
  }
}

/* Weight 0 is null: the same bits, and under a draw the same divisor. The record stands last. */
/* NAME_release_sum of a block that is one chunk. */
static void in_one_chunk(double *g, dppair_release *release, const dppair_rows_f64 *rows,
                         const double *w, const dppair_options *options) {
  static double words[ROOM / 8], sums[64];
  dppair_sketch m;
  dppair_sum sum;
  assert_int_equal(wide_sketch_open(&m, options->fast, words, sizeof words), DPPAIR_OK);
  assert_int_equal(wide_chunk_sketch(&m, rows, w, options), DPPAIR_OK);
  assert_int_equal(wide_sketch_finish(&m, NULL, options->fast), DPPAIR_OK);
  assert_int_equal(wide_sum_open(&sum, D, rows->radius, options, sums, sizeof sums), DPPAIR_OK);
  assert_int_equal(wide_chunk_sum(&sum, rows, w, &m, options), DPPAIR_OK);
  assert_int_equal(wide_release_sum(g, release, &sum, w, options), DPPAIR_OK);
}

/* By rows, and by chunks. */
static void weight_0_is_null_to_the_last_bit(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    const int drawn = round % 2, prepared = round / 2 % 3;
    const size_t n = 2 + (size_t)round % 5;
    record r[MOST];
    block a;
    double values[2][D];
    for (size_t i = 0; i < n; i++) r[i] = any(), r[i].up = r[i].up && i + 1 < n;
    for (int null = 0; null < 2; null++) {
      dppair_plan plan;
      dppair_accountant account;
      dppair_release release;
      dppair_options options;
      size_t index[MOST], count;
      double g[D], w[D] = {.5, -.3};
      memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options);
      plan.sampling = drawn ? dppair_sampling_poisson(MOST, 2, DPPAIR_ZERO_OUT)
                            : dppair_sampling_all(n, DPPAIR_ZERO_OUT);
      plan.noise_multiplier = 2, plan.steps = 2;
      assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
      assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
      if (drawn) {
        assert_int_equal(draw_now(index, &count, MOST, &release), DPPAIR_OK);
        release.drawn = n;
      }
      r[n - 1].there = !null;
      lay(&a, r, n, 0, 0);
      by_hand(&a);
      for (size_t i = 0; i < n; i++) a.weight[i] = i + 1 < n ? .75 : null ? (double)NAN : 0;
      a.wide.weight = a.weight;
      options.work = work, options.bytes = sizeof work;
      options.fast = prepared == 0 ? NULL : prepared == 1 ? &boxes : &moments;
      assert_int_equal(wide_release(g, &release, &a.wide, w, &options), DPPAIR_OK);
      memcpy(values[null], last.values, sizeof *values);
      if (prepared != 2) continue;
      if (drawn) {
        assert_int_equal(draw_now(index, &count, MOST, &release), DPPAIR_OK);
        release.drawn = n;
        by_hand(&a);
      }
      in_one_chunk(g, &release, &a.wide, w, &options);
      assert_memory_equal(values[null], last.values, sizeof *values);
    }
    assert_memory_equal(values[0], values[1], sizeof *values);
  }
}

/* A histogram counts the score of a null record nowhere, and its coefficient against one is 0. */
static void the_coefficient_of_a_null_record_is_0(void **state) {
  const double node[2] = {-1, 1}, count[4] = {2, 3, 1, 4}, inf = (double)INFINITY;
  double c[4], some[3], s[4] = {.5, -.25, .75, (double)NAN};
  (void)state;
  assert_int_equal(wide_coeffs_from_histogram(some, s, 3, 1, node, count, 2, NULL), DPPAIR_OK);
  assert_int_equal(wide_coeffs_from_histogram(c, s, 4, 1, node, count, 2, NULL), DPPAIR_OK);
  assert_memory_equal(c, some, sizeof some);
  assert_true(c[3] == 0 && c[0] != 0 && c[2] != 0);
  s[0] = (double)NAN; /* of a positive */
  assert_int_equal(wide_coeffs_from_histogram(c, s, 4, 1, node, count, 2, NULL), DPPAIR_OK);
  assert_true(c[0] == 0 && c[3] == 0);
  assert_memory_equal(c + 1, some + 1, 2 * sizeof *c);
  s[1] = inf;
  assert_int_equal(wide_coeffs_from_histogram(c, s, 4, 1, node, count, 2, NULL),
                   DPPAIR_ERR_NOT_FINITE);
  assert_true(c[1] == 0 && c[2] == 0);
}

/* Users without records: one who is drawn is one who is not drawn, by rows and by chunks; a
 * user who becomes null moves the release by at most S. */
static void a_person_without_records_is_not_counted(void **state) {
  (void)state;
  for (int round = 0; round < 300; round++) {
    const int chunks = round % 2, poisson = round / 2 % 2;
    const size_t users = 2 + (size_t)round % 3; /* and one who leaves */
    record r[MOST];
    answer seen[3];
    for (size_t i = 0; i < MOST; i++) r[i] = any(), r[i].owner = i % users;
    for (int what = 0; what < 3; what++) { /* all; user 0 is null; user 0 is not drawn */
      const double w[D] = {.5, -.3};
      dppair_plan plan;
      dppair_accountant account;
      dppair_release release;
      dppair_options options;
      block a;
      size_t index[MOST], count;
      double g[D];
      if (what == 2 && !poisson) continue;
      memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options), memset(&last, 0, sizeof last);
      plan.sampling = poisson ? dppair_sampling_poisson(MOST, 2, DPPAIR_ZERO_USER)
                              : dppair_sampling_all(users, DPPAIR_ZERO_USER);
      plan.noise_multiplier = 2, plan.steps = 1;
      assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
      assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
      if (poisson) assert_int_equal(draw_now(index, &count, MOST, &release), DPPAIR_OK);
      release.drawn = users - (what == 2);
      for (size_t i = 0; i < MOST; i++) r[i].there = what == 0 || r[i].owner > 0;
      lay(&a, r, MOST, 0, 1);
      by_hand(&a);
      a.groups.count = users - (what == 2);
      if (what == 2) a.groups.positive++, a.groups.negative++; /* nobody was in the first group */
      a.groups.relation = DPPAIR_ACROSS;
      options.groups = &a.groups, options.work = work, options.bytes = sizeof work, options.fast = &moments;
      if (!chunks)
        assert_int_equal(wide_release(g, &release, &a.wide, w, &options), DPPAIR_OK);
      else
        in_one_chunk(g, &release, &a.wide, w, &options);
      memcpy(seen[what].values, last.values, sizeof last.values);
      seen[what].size = last.size, seen[what].sensitivity = last.sensitivity;
    }
    assert_true(distance(&seen[0], &seen[1]) <= seen[0].sensitivity);
    assert_true(seen[0].sensitivity == seen[1].sensitivity);
    if (poisson) assert_memory_equal(seen[1].values, seen[2].values, sizeof seen[1].values);
  }
}

/* A form in blocks, each of which has its own null records, even nothing else: what is released is
 * what all the others make, of whatever clip; and who becomes null moves it by at most S. */
static void blocks_of_a_form_have_null_records_of_their_own(void **state) {
  (void)state;
  for (int round = 0; round < 200; round++) {
    const dppair_form form = (dppair_form)(round % 3);
    const double w[4] = {.5, -.3, .2, .1};
    const dppair_ring ring = {form, MOST, 3, D, D, w, .5, 1};
    record r[MOST];
    answer seen[3];
    for (size_t i = 0; i < MOST; i++) r[i] = any(), r[i].there = uniform() < .6;
    r[0].there = 1;
    for (int what = 0; what < 3; what++) { /* blocks; the same records at once; one becomes null */
      static uint64_t sums[64];
      block a[2], all;
      dppair_plan plan;
      dppair_accountant account;
      dppair_release release;
      dppair_options options;
      dppair_sum sum;
      double g[4];
      memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options), memset(&last, 0, sizeof last);
      plan.sampling = dppair_sampling_all(MOST, DPPAIR_ZERO_OUT);
      plan.noise_multiplier = 2, plan.steps = 1;
      assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
      assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
      options.work = work, options.bytes = sizeof work;
      options.clip = clip_of(dppair_clip_init, round / 3 % 2 ? .1 : 0);
      if (what == 2) r[0].there = 0;
      lay(&a[0], r, 3, 1, 0), lay(&a[1], r + 3, 3, 1, 0), lay(&all, r, MOST, 1, 0);
      if (what == 1) {
        assert_int_equal(plain_release_form(g, &release, form, &all.wide, w, D, .5, &options),
                         DPPAIR_OK);
      } else {
        assert_int_equal(plain_form_sum_open(&sum, &ring, &options, sums, sizeof sums), DPPAIR_OK);
        for (size_t i = 0; i < 2; i++)
          for (size_t j = i; j < 2; j++)
            assert_int_equal(
                plain_form_block(&sum, &ring, i, &a[i].wide, j, i < j ? &a[j].wide : NULL, &options),
                DPPAIR_OK);
        assert_int_equal(plain_release_form_sum(g, &release, &sum, &ring, &options), DPPAIR_OK);
      }
      memcpy(seen[what].values, last.values, sizeof last.values);
      seen[what].size = last.size, seen[what].sensitivity = last.sensitivity;
    }
    assert_true(seen[0].size > 0 && distance(&seen[0], &seen[1]) <= 1e-12);
    assert_true(distance(&seen[0], &seen[2]) <= seen[0].sensitivity);
    assert_true(seen[0].sensitivity == seen[2].sensitivity);
  }
}

/* Inside a query of public size a null record is one of weight 0. A clip takes no weights, so that
 * noise is for whatever row stands there: a row of zeros moves it no farther. */
static void a_clipped_form_of_queries_has_noise_for_any_row(void **state) {
  const size_t place[3] = {0, 3, 6};
  dppair_groups queries;
  dppair_options options;
  dppair_bounds bounds;
  double s[2][2];
  (void)state;
  memset(&queries, 0, sizeof queries), memset(&options, 0, sizeof options);
  memset(&bounds, 0, sizeof bounds);
  queries.count = 2, queries.positive = place, queries.relation = DPPAIR_WITHIN;
  options.groups = &queries, bounds.radius = 1, bounds.param_radius = 1, bounds.offset = .5;
  for (int clipped = 0; clipped < 2; clipped++)
    for (int zero = 0; zero < 2; zero++) {
      const dppair_sampling all =
          dppair_sampling_all(6, zero ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE);
      options.clip = clip_of(dppair_clip_init, clipped ? .1 : 0);
      assert_int_equal(
          wide_form_sensitivity(&s[clipped][zero], DPPAIR_FORM_METRIC, D, D, &bounds, &all, &options),
          DPPAIR_OK);
    }
  assert_true(s[0][1] < s[0][0]);
  assert_true(s[1][1] >= s[1][0] && s[1][1] <= s[1][0]);
}

/* What has no null records says so before a permit is used; so do too many of them. */
static void where_there_are_no_null_records(void **state) {
  static double g[16], w[4];
  record r[4];
  block a;
  dppair_plan plan;
  dppair_accountant account;
  dppair_release release;
  dppair_options options;
  dppair_top top;
  dppair_contrast how;
  size_t index[4], count;
  (void)state;
  memset(&plan, 0, sizeof plan), memset(&options, 0, sizeof options), memset(&top, 0, sizeof top);
  memset(&how, 0, sizeof how);
  for (size_t i = 0; i < 4; i++) r[i] = any(), r[i].there = i < 3;
  lay(&a, r, 4, 0, 0);
  options.work = work, options.bytes = sizeof work;
  plan.sampling = dppair_sampling_all(4, DPPAIR_REPLACE_ONE), plan.noise_multiplier = 2,
  plan.steps = 1;
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
  top.kind = DPPAIR_TOP_PRECISION;
  assert_int_equal(wide_release_top(g, &release, &a.wide, w, &top, &options), DPPAIR_ERR_NO_PROOF);
  a.wide.nulls = 5;
  assert_int_equal(plain_release(g, &release, &a.wide, w, &options), DPPAIR_ERR_SIZE);
  assert_int_equal(plain_release_form(g, &release, DPPAIR_FORM_METRIC, &a.wide, w, D, .5, &options),
                   DPPAIR_ERR_SIZE);
  top.kind = DPPAIR_TOP_PARTIAL;
  assert_int_equal(wide_release_top(g, &release, &a.wide, w, &top, &options), DPPAIR_ERR_SIZE);
  assert_true(release.step == 0);
  for (int records = 0; records < 2;
       records++) { /* queries of public sizes; too many rows of users */
    static const size_t up[3] = {0, 1, 2}, down[3] = {0, 1, 2};
    plan.sampling = records ? dppair_sampling_all(4, DPPAIR_ZERO_OUT)
                            : dppair_sampling_all(2, DPPAIR_ZERO_USER);
    assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
    assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
    memset(&a.groups, 0, sizeof a.groups);
    a.groups.count = 2, a.groups.positive = up, a.groups.negative = down;
    a.groups.relation = records ? DPPAIR_WITHIN : DPPAIR_ACROSS;
    a.groups.most = 4, options.groups = &a.groups;
    for (size_t nulls = 1; nulls <= 4; nulls++) {
      a.wide.nulls = nulls, a.wide.n = records ? 4 : 4 + nulls, a.wide.positives = 0;
      assert_int_equal(wide_release(g, &release, &a.wide, w, &options),
                       records ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_SIZE);
      assert_true(release.step == 0);
    }
    options.groups = NULL;
  }
  plan.sampling = dppair_sampling_groups(4, 4, 2, DPPAIR_REPLACE_ONE);
  assert_int_equal(dppair_accountant_init(&account), DPPAIR_OK);
  assert_int_equal(dppair_release_open(&release, &account, &plan, &KEYS), DPPAIR_OK);
  assert_int_equal(draw_now(index, &count, 4, &release), DPPAIR_OK);
  lay(&a, r, 4, 1, 0);
  by_hand(&a);
  how.temperature = 1, how.positives = DPPAIR_POSITIVE_LABEL;
  options.clip = clip_of(dppair_clip_init, .5);
  a.wide.positives = 0;
  assert_int_equal(views_release_contrast(g, &release, &a.wide, NULL, w, 2, &how, &options),
                   DPPAIR_ERR_NO_PROOF);
  assert_true(release.step == 0);
  a.wide.nulls = 0, a.wide.n = 4;
  memset(a.x, 0, sizeof a.x), memset(a.y, 0, sizeof a.y);
  for (size_t i = 0; i < 4; i++) a.factor[i] = 1;
  assert_int_equal(views_release_contrast(g, &release, &a.wide, NULL, w, 2, &how, &options),
                   DPPAIR_OK);
}

/* What the old recipe cost: who was promised epsilon 1 by Gaussian steps, and moved so much
 * farther. */
static void rows_of_zeros_for_null_records_cost_epsilon(void **state) {
  double mu, epsilon;
  (void)state;
  assert_int_equal(dppair_gaussian_mu(&mu, 1, 1e-5), DPPAIR_OK);
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-5, 2 * mu), DPPAIR_OK);
  assert_float_equal(epsilon, 2.155, 5e-4);
  assert_int_equal(dppair_gaussian_epsilon(&epsilon, 1e-5, 1.25 * mu), DPPAIR_OK);
  assert_float_equal(epsilon, 1.278, 5e-4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(rows_of_zeros_for_null_records_cost_epsilon),
      TEST(a_row_of_zeros_is_a_record),
      TEST(a_batch_has_its_null_records_last),
      TEST(every_function_leaves_null_records_out),
      TEST(weight_0_is_null_to_the_last_bit),
      TEST(the_coefficient_of_a_null_record_is_0),
      TEST(a_person_without_records_is_not_counted),
      TEST(blocks_of_a_form_have_null_records_of_their_own),
      TEST(a_clipped_form_of_queries_has_noise_for_any_row),
      TEST(where_there_are_no_null_records),
      TEST(no_null_record_moves_a_release_farther_than_its_sensitivity),
      TEST(a_null_record_that_is_drawn_is_not_counted),
  };
  return RUN_TESTS(tests, set_up, NULL);
}
