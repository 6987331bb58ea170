/* ------------------------------------------------------------------------------------------------
 * Near-linear coefficients: kinds of losses and the state
 *
 * The types that sorting (sorted.h) and boxes (box.h, box_kernels.h) share, and the words with
 * which a loss describes its slope. It relies on core/checks.h.
 *
 * A loss L has one macro L_KIND beside L_VALUE and L_SLOPE. It says whether sums over all partners
 * can be computed without visiting all pairs, and why:
 *
 *   #define L_KIND dppair_pairs         nothing is known of the slope: exact quadratic loops
 *   #define L_KIND dppair_piecewise     the slope is piecewise linear:
 *   #define L_PIECES(p) {{knot, constant, factor, closed}, ...}     dppair_piece, at most 8
 *       slope(u) = sum over pieces with u < knot (u <= knot when closed) of constant + factor u;
 *       knot may be HUGE_VAL: always. Knots are compared in the element type, as the loops do.
 *   #define L_KIND dppair_analytic      the slope is a scaled logistic function or its derivative:
 *   #define L_POLES(p) {distance, strength, order}                  dppair_poles
 *       slope(u) = constant +- strength f(pi u/distance), f(t) = 1/(1 + e^-t) for order 1 and
 *       f(t) (1 - f(t)) for order 2: poles of that order at odd multiples of i distance.
 *   #define L_KIND dppair_rowwise       no sum over pairs: dppair_contrast.h
 *
 * A loss may also say that the slope of a pair is a function of a product of two factors. The pair
 * loops then take one exponential per record instead of one per pair, for scores of size at most 43
 * (float) or 350 (double):
 *
 *   #define L_SPLIT dppair_split        slope(s - s') = L_JOIN(L_FACTOR(s, p) L_FACTOR(-s', p), p)
 * ---------------------------------------------------------------------------------------------- */

/* One piece of a piecewise linear slope: see L_PIECES above. */
typedef struct dppair_piece {
  double knot, constant, factor;
  int closed;
} dppair_piece;

/* What the pieces without a knot add to the slope of every pair, constant + factor u; whether there
 * are pieces with a knot, and whether one of those needs sums of scores. */
typedef struct dppair_always_ {
  double constant, factor;
  int knots, sums;
} dppair_always_;

/* The poles of an analytic slope: see L_POLES above. */
typedef struct dppair_poles {
  double distance, strength;
  int order;
} dppair_poles;

/* How far the coefficients of an analytic loss may be from exact, per pair: 8, 12 or 16 terms,
 * whose error is kernel_error of dppair_fast. Piecewise linear losses are always exact. */
typedef enum dppair_accuracy {
  DPPAIR_ACCURACY_1E6 = 0,
  DPPAIR_ACCURACY_1E9 = 1,
  DPPAIR_ACCURACY_1E12 = 2
} dppair_accuracy;

/*
 * The prepared state of NAME_coeffs_fast, made by NAME_fast_init in the caller's workspace. It can
 * be used for any number of calls, by one thread at a time. All fields are read-only for callers.
 *
 * kernel_error   E. For an analytic loss the result is, but for rounding, the pair sum of another
 *                slope K(s, s') with |K(s, s') - slope(s - s')| <= E for all scores. K is a fixed
 *                function of the two scores alone, on a grid fixed in score coordinates. So any
 *                sensitivity proof that uses only the range of the slope holds with that range
 *                widened by E at both ends (NAME_allowance). 0 for piecewise linear losses.
 * weight         the unit of rounding: per partner a coefficient is off by at most a small multiple
 *                of weight 2^-53; NAME_allowance has the whole bound.
 * score_cap      a public number. A score beyond it counts as the cap, so K(s, s') is that of the
 *                capped scores: a fixed function of the two with the same range. Sensitivities
 *                still hold, and no status depends on a score; only the coefficients of such scores
 *                are no longer those of phi.
 * run            the method. It is called through the state, so that a program that prepares none
 *                compiles no boxes and no sorting. weight: NULL, or the weights of both sides, as
 *                in dppair_rows: then each sum is over weighted partners, times the own weight.
 * order_free     1: that of an analytic loss, or made by NAME_sums_init. Sums are of integers, so
 *                bits depend on no order, and coefficients can be computed in chunks
 *                (dppair_scale.h).
 * most           a public bound of the number of records in all
 * slope          of an order-free state: a public bound of |K|, so that a coefficient is at most
 *                most slope
 * loss, digest   digests of the loss with its parameters, and of this state: who takes a state
 *                compares both, so one of another loss, or that was changed, is refused
 * owner          the instance that made it. What follows are that instance's functions, by which
 *                NAME_gradient, NAME_sensitivity and NAME_weighted_coeffs compute with it: a
 *                program that prepares no state compiles none of them
 */
struct dppair_fast;
struct dppair_options;
typedef dppair_status dppair_fast_run_(double *a, double *b, const void *sp, size_t np,
                                       const void *sn, size_t nn, const struct dppair_fast *f,
                                       const dppair_piece *pieces, int count, int is_f32,
                                       const double *const *weight);
/* The methods of an order-free state: count the scores of some records, close, read
 * coefficients. */
struct dppair_sketch;
typedef void dppair_sketch_count_(struct dppair_sketch *m, const void *s, size_t n,
                                  size_t positives, const double *weight,
                                  const struct dppair_fast *f, int is_f32);
typedef void dppair_sketch_close_(struct dppair_sketch *m, const struct dppair_fast *f,
                                  const dppair_piece *pieces, int count, int is_f32);
typedef void dppair_sketch_read_(double *c, const void *s, size_t n, size_t positives,
                                 const double *weight, const struct dppair_sketch *m,
                                 const struct dppair_fast *f, int is_f32);
/* The functions of an instance: the bytes of a gradient that is a sum of integers, and that
 * gradient; coefficients of either side; whether the state is of the loss at these parameters
 * (proved: its limits too); dppair_sums_allowance_. */
typedef dppair_status dppair_fast_bytes_(size_t *bytes, size_t n, size_t d,
                                         const struct dppair_options *options);
typedef dppair_status dppair_fast_gradient_(double *g, const void *rows, const void *w,
                                            const struct dppair_options *options);
typedef dppair_status dppair_fast_coeffs_(double *a, double *b, const void *sp, size_t np,
                                          const void *sn, size_t nn, const double *params,
                                          const struct dppair_fast *f, const double *const *weight);
typedef int dppair_fast_own_(const struct dppair_fast *f, const double *params, int proved);
/* Slopes of the loss at 16 margins: whether who made a state or a clip had this loss. */
typedef dppair_status dppair_probe_(double *slope, const double *margin, const double *params);
typedef dppair_status dppair_fast_allowance_(double *factor, double *rounding,
                                             const struct dppair_fast *f, double epsilon, size_t d,
                                             double count, double mass, double spread,
                                             double radius, double slope);
typedef struct dppair_fast {
  int kind, terms, stride, reach;
  size_t capacity; /* records that sorting has room for, or boxes */
  double width, score_cap, low, high, kernel_error, weight;
  double *table, *work;
  dppair_fast_run_ *run;
  int order_free;
  uint64_t most;
  double slope, centre; /* centre: K at margin 0, as the table has it */
  uint64_t loss, digest;
  size_t cells, words, room; /* of dppair_sketch: cells of a class, words, numbers beside them */
  dppair_sketch_count_ *count;
  dppair_sketch_close_ *close;
  dppair_sketch_read_ *read;
  uint64_t owner;
  dppair_fast_bytes_ *bytes;
  dppair_fast_gradient_ *gradient;
  dppair_fast_coeffs_ *coeffs;
  dppair_fast_own_ *own;
  dppair_probe_ *probe;
  dppair_fast_allowance_ *allowance;
} dppair_fast;

/* out[i] = a derivative of the loss at u[i], i < n, a multiple of 8: slope_table.h. */
typedef void dppair_derivative_(double *out, const double *u, size_t n, const double *params);

/* The boxes that a call uses: `count` of this width, which cover scores in [low, high]. `first` has
 * the bits of the number of the first box. hold: scores outside exist and count as low or high. */
typedef struct dppair_boxes_ {
  double low, high, width;
  uint64_t first;
  size_t count;
  int hold;
} dppair_boxes_;

/* The sorted scores of one class and the grid that finds places in them: bucket b has the keys from
 * start[b] to start[b + 1]. */
typedef struct dppair_grid_ {
  double *key, *sum, *mass; /* n scores and two guards; n + 1 prefix sums, and those of weights */
  uint32_t *start, *bucket;
  size_t n;
  double low, span, scale;
} dppair_grid_;

/* Users of at most DPPAIR_OWN_ records in each class fill lanes; of others, at most DPPAIR_LEFT_
 * are listed at a time. */
#define DPPAIR_OWN_ 8
#define DPPAIR_LEFT_ 128

/* A weight as it counts: held within [0, 1], NaN as 0. */
DPPAIR_API double dppair_share_(double weight) {
  return weight > 0.0 ? (weight < 1.0 ? weight : 1.0) : 0.0;
}

/* Sums up `count` pieces. */
DPPAIR_API dppair_always_ dppair_pieces_always_(const dppair_piece *pieces, int count) {
  dppair_always_ all = {0.0, 0.0, 0, 0};
  int k;
  for (k = 0; k < count; k++) {
    const int always = !dppair_isfinite_f64(pieces[k].knot);
    all.constant += always ? pieces[k].constant : 0.0;
    all.factor += always ? pieces[k].factor : 0.0;
    all.knots |= !always;
    all.sums |= !always && pieces[k].factor != 0.0;
  }
  return all;
}

/* The bytes of workspace of a piecewise linear loss for n records. */
DPPAIR_API size_t dppair_grid_bytes_(size_t n) {
  return (3 * n + 4) * sizeof(double) + (3 * n + 4) * sizeof(uint32_t) + 64;
}

/* Sets the arrays of *g to their places in that workspace. */
DPPAIR_API void dppair_grid_layout_(dppair_grid_ *g, const dppair_fast *f) {
  g->sum = f->work;
  g->key = g->sum + f->capacity + 1;
  g->mass = g->key + f->capacity + 2;
  g->start = (uint32_t *)(void *)(g->mass + f->capacity + 1);
  g->bucket = g->start + 2 * f->capacity + 3;
}

#define DPPAIR_KIND_PAIRS_ 0
#define DPPAIR_KIND_PIECEWISE_ 1
#define DPPAIR_KIND_ANALYTIC_ 2
#define DPPAIR_KIND_ROWWISE_ 3

/* Words that parameters of the template may be, for DPPAIR_WORD_. */
#define DPPAIR_PROBE_float ~, 0
#define DPPAIR_PROBE_double ~, 1
#define DPPAIR_PROBE_dppair_pairs ~, 0
#define DPPAIR_PROBE_dppair_piecewise ~, 1
#define DPPAIR_PROBE_dppair_analytic ~, 2
#define DPPAIR_PROBE_dppair_rowwise ~, 3
#define DPPAIR_PROBE_dppair_split ~, 1

/* DPPAIR_ITEMS_(x): 2 where x is two or three items in brackets, 9 for one or four of them,
 * 0 where x is not in brackets. */
#define DPPAIR_ITEMS_(x) DPPAIR_WORD_1_(DPPAIR_ITEMS_1_ x, 0, ~)
#define DPPAIR_ITEMS_1_(...) ~, DPPAIR_FIFTH_(__VA_ARGS__, 9, 2, 2, 9, ~)
#define DPPAIR_FIFTH_(a, b, c, d, e, ...) e

/* What x expands to, as a string. */
#define DPPAIR_TEXT_(...) DPPAIR_TEXT_1_(__VA_ARGS__)
#define DPPAIR_TEXT_1_(...) #__VA_ARGS__
