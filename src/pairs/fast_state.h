/* ------------------------------------------------------------------------------------------------
 * Near-linear coefficients: what a loss says of its slope, and the prepared state
 *
 * A loss L says, in one macro L_KIND beside L_VALUE and L_SLOPE, whether the sums over all partners
 * can be had without visiting all pairs, and why:
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
 *
 * And it may say that the slope of a pair is a function of a product, one exponential per record
 * instead of one per pair, for scores of size at most 43 (float) or 350 (double):
 *
 *   #define L_SPLIT dppair_split        slope(s - s') = L_JOIN(L_FACTOR(s, p) L_FACTOR(-s', p), p)
 * ---------------------------------------------------------------------------------------------- */

typedef struct dppair_piece {
  double knot, constant, factor;
  int closed;
} dppair_piece;

typedef struct dppair_poles {
  double distance, strength;
  int order;
} dppair_poles;

/* How far the coefficients of an analytic loss may be from exact, per pair: see dppair_fast. Losses
 * that are piecewise linear are exact at every setting. */
typedef enum dppair_accuracy {
  DPPAIR_ACCURACY_1E6 = 0,
  DPPAIR_ACCURACY_1E9 = 1,
  DPPAIR_ACCURACY_1E12 = 2
} dppair_accuracy;

/*
 * The prepared state of NAME_coeffs_fast, made by NAME_fast_init in the caller's workspace. One
 * state serves one thread at a time, any number of calls.
 *
 * kernel_error   E: what is computed for an analytic loss is, but for rounding, the pair sum of
 *                another slope K(s, s') with |K(s, s') - slope(s - s')| <= E for all scores. K is a
 *                fixed function of the two scores alone, on a grid fixed in score coordinates, so
 *                any sensitivity proof that uses only the range of the slope holds with that range
 *                widened by E at both ends (NAME_surcharge). Zero for piecewise linear losses.
 * weight         what rounding is measured by: per partner a coefficient is off by at most a small
 *                multiple of weight 2^-53; NAME_surcharge has the whole bound.
 * score_cap      public. A score beyond it counts as the cap: K(s, s') is then that of the held
 *                scores, a fixed function of the two with the same range, so sensitivities hold and
 *                no status tells of a score; only the fidelity to phi is lost there.
 */
typedef struct dppair_fast {
  int kind, terms, stride, reach;
  size_t capacity; /* records, or boxes */
  double width, score_cap, low, high, kernel_error, weight;
  double *table, *work;
} dppair_fast;

/* The boxes that a call uses: `count` of this width, for scores in [low, high], into which they are
 * held when some are not; and the bits of the number of the first box. */
typedef struct dppair_boxes_ {
  double low, high, width;
  uint64_t first;
  size_t count;
  int hold;
} dppair_boxes_;

/* The sorted scores of one class and the grid that finds places in them. */
typedef struct dppair_grid_ {
  double *key, *sum; /* n scores and two guards; n + 1 prefix sums */
  uint32_t *start, *bucket;
  size_t n;
  double low, span, scale;
} dppair_grid_;

#define DPPAIR_KIND_PAIRS_ 0
#define DPPAIR_KIND_PIECEWISE_ 1
#define DPPAIR_KIND_ANALYTIC_ 2

/* DPPAIR_WORD_(word, other): the number of a word that a template's parameter may be, `other` for
 * any other word. The pasted DPPAIR_PROBE_word puts the number in second place if it is a macro. */
#define DPPAIR_PROBE_float ~, 0
#define DPPAIR_PROBE_double ~, 1
#define DPPAIR_PROBE_dppair_pairs ~, 0
#define DPPAIR_PROBE_dppair_piecewise ~, 1
#define DPPAIR_PROBE_dppair_analytic ~, 2
#define DPPAIR_PROBE_dppair_split ~, 1
#define DPPAIR_WORD_(word, other) DPPAIR_WORD_1_(DPPAIR_CAT(DPPAIR_PROBE_, word), other, ~)
#define DPPAIR_WORD_1_(...) DPPAIR_SECOND_(__VA_ARGS__)
#define DPPAIR_SECOND_(a, b, ...) b
