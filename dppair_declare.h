/* SPDX-License-Identifier: MIT
 * dppair_declare.h - what the four headers and the modules declare, made by
 * `make headers`. Define DPPAIR_DECLARE_ONLY, include those as ever, and link the library, or one file
 * that defines DPPAIR_IMPLEMENTATION; in the latter this file defines the symbol that says which declarations
 * these are. The manual is in the four headers. */
#ifdef DPPAIR_IMPLEMENTATION
#ifndef DPPAIR_ABI
#if DPPAIR_VERSION_MAJOR != 0 || DPPAIR_VERSION_MINOR != 1 || DPPAIR_VERSION_PATCH != 0
#error "dppair_declare.h is of another version than dppair.h."
#endif
#define DPPAIR_ABI dppair_abi_1118639383
#ifdef __cplusplus
extern "C" const char dppair_abi_1118639383;
#else
extern const char dppair_abi_1118639383;
#endif
const char dppair_abi_1118639383 = 1;
#endif
#else
#include <stddef.h>
#include <stdint.h>
#if defined(DPPAIR_LOSS) && !defined(DPPAIR_NO_TEMPLATE_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#define DPPAIR_NO_TEMPLATE_ /* before an instance, what it refers to, which may be a module's */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#endif
#ifdef __cplusplus
extern "C" {
#endif
#ifndef DPPAIR_KEPT_ /* what refers to the definitions stays where --gc-sections drops what nothing calls */
#define DPPAIR_KEPT_
#ifdef __has_attribute
#if __has_attribute(retain)
#undef DPPAIR_KEPT_
#define DPPAIR_KEPT_ __attribute__((used, retain))
#elif __has_attribute(used)
#undef DPPAIR_KEPT_
#define DPPAIR_KEPT_ __attribute__((used))
#endif
#elif defined(__GNUC__)
#undef DPPAIR_KEPT_
#define DPPAIR_KEPT_ __attribute__((used))
#endif
#endif
#ifndef DPPAIR_STAGE_
#ifndef DPPAIR_CORE_H
#define DPPAIR_CORE_H
#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"
#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_MUST_CHECK __attribute__((warn_unused_result))
#else
#define DPPAIR_MUST_CHECK
#endif
/* Refuses -fsingle-precision-constant, which would round all constants to float. */
typedef char dppair_constants_are_double_[sizeof(1.0) == sizeof(double) ? 1 : -1];
#define DPPAIR_CAT_(a, b) a##b
#define DPPAIR_CAT(a, b) DPPAIR_CAT_(a, b)
#define DPPAIR_WORD_(word, other) DPPAIR_WORD_1_(DPPAIR_CAT(DPPAIR_PROBE_, word), other, ~)
#define DPPAIR_WORD_1_(...) DPPAIR_SECOND_(__VA_ARGS__)
#define DPPAIR_SECOND_(a, b, ...) b
#ifdef DPPAIR_FREESTANDING
/* Eight bytes at any address, of any type: a plain access, which never becomes a call. */
typedef uint64_t __attribute__((may_alias, aligned(1))) dppair_any_word_;
#endif
#define DPPAIR_STATUS_TABLE(X)                                                                     \
  X(DPPAIR_OK, "ok")                                                                               \
  X(DPPAIR_ERR_NULL,                                                                               \
    "a required pointer is NULL: give every argument that the function does not call optional")    \
  X(DPPAIR_ERR_SIZE,                                                                               \
    "a size, a count or an index is out of range: compare n, d, ld, positives and capacity with "  \
    "the arrays and the plan")                                                                     \
  X(DPPAIR_ERR_OVERFLOW,                                                                           \
    "a size or a result is too large to be represented: scale the data or the weights, or give "   \
    "fewer records")                                                                               \
  X(DPPAIR_ERR_WORKSPACE,                                                                          \
    "the workspace is too small, or a state was made for something else: ask the _workspace "      \
    "function of this call, or make the state again for this instance")                            \
  X(DPPAIR_ERR_NOT_FINITE,                                                                         \
    "an input is NaN or infinite: clean the data, and look whether the weights diverged")          \
  X(DPPAIR_ERR_DOMAIN,                                                                             \
    "a parameter is outside its declared range, or the account was never initialised: see the "    \
    "range at the function, and call dppair_accountant_init first")                                \
  X(DPPAIR_ERR_EPSILON, "epsilon is outside the supported range: set a positive, finite one")      \
  X(DPPAIR_ERR_DELTA,                                                                              \
    "delta is outside the supported range: set one above 0 and below 1; pure laws take 0")         \
  X(DPPAIR_ERR_SIGMA,                                                                              \
    "a noise scale is not a positive finite number in range: let the plan find it, or correct it") \
  X(DPPAIR_ERR_SENSITIVITY,                                                                        \
    "a sensitivity is negative, or 0 where that would make a step free: give a proved, positive "  \
    "bound")                                                                                       \
  X(DPPAIR_ERR_STEP_SIZE,                                                                          \
    "the step size is beyond the limit of the privacy proof: take a smaller one")                  \
  X(DPPAIR_ERR_NO_PROOF,                                                                           \
    "no finite constant or no valid proof covers this combination: choose one that the "           \
    "function's comment lists")                                                                    \
  X(DPPAIR_ERR_ADJACENCY,                                                                          \
    "this neighbouring relation is not covered for this mechanism, or these groups: choose "       \
    "another relation (docs/neighbours.md)")                                                       \
  X(DPPAIR_ERR_RATE,                                                                               \
    "a sampled step's rate is 0 or not m/n, or m, group and batches do not fit: make the "         \
    "sampling with a dppair_sampling_ function")                                                   \
  X(DPPAIR_ERR_STEPS, "a step is charged at least once: set the number of steps, which is 0")      \
  X(DPPAIR_ERR_UNREAD, "a field is set that this mechanism does not read: leave it 0")             \
  X(DPPAIR_ERR_ENTROPY,                                                                            \
    "the operating system gave no entropy: try again, or give a key of your own")                  \
  X(DPPAIR_ERR_FORK,                                                                               \
    "the generator was copied into a child process by fork: open it in the child")                 \
  X(DPPAIR_ERR_CIPHER,                                                                             \
    "the generator has no key, or its cipher is not available here: make it with "                 \
    "dppair_rng_from_os")                                                                          \
  X(DPPAIR_ERR_EXHAUSTED,                                                                          \
    "the counter or the privacy budget is used up: ask for no more than was paid for")             \
  X(DPPAIR_ERR_NO_CONVERGENCE,                                                                     \
    "an iteration did not reach its certified tolerance: allow a larger one, or more noise")       \
  X(DPPAIR_ERR_FORMAT,                                                                             \
    "the text could not be parsed or has an unknown version: give what this library wrote")        \
  X(DPPAIR_ERR_ENVIRONMENT,                                                                        \
    "arithmetic does not round to nearest, or flushes to zero: compile without -ffast-math and "   \
    "reset the rounding mode")                                                                     \
  X(DPPAIR_ERR_SELF_TEST,                                                                          \
    "the noise is not what it must be, compiler or machine at fault: release nothing here, and "   \
    "report it")                                                                                   \
  X(DPPAIR_ERR_CLOSED,                                                                             \
    "the release is not open here, never opened, closed, copied or moved: open it where it is "    \
    "used, and keep its account in place")                                                         \
  X(DPPAIR_ERR_LEDGER,                                                                             \
    "a line of the ledger is missing, changed, or of another account: replay the whole ledger, "   \
    "as it was written")                                                                           \
  X(DPPAIR_ERR_RUNS,                                                                               \
    "one ledger number is charged twice, a start that did not replay the ledger: replay it "       \
    "before the first plan")                                                                       \
  X(DPPAIR_ERR_OVERLAP,                                                                            \
    "an output shares memory with what is read or with the workspace: give it an array of its "    \
    "own")                                                                                         \
  X(DPPAIR_ERR_MODULE,                                                                             \
    "a kind of a module that is not here: before dppair_accountant.h, include "                    \
    "dppair_allocation.h (random allocation), dppair_l2ball.h (pure epsilon with l2 "              \
    "sensitivity) or dppair_shares.h (Skellam noise)")                                             \
  X(DPPAIR_ERR_NOT_CALIBRATED,                                                                     \
    "no closed form has the noise of this plan: call dppair_calibrate for this plan and account "  \
    "first")                                                                                       \
  X(DPPAIR_ERR_PLAN_CHANGED,                                                                       \
    "the plan, its account or its key is not the one that was calibrated or opened: set all "      \
    "fields, then call dppair_calibrate, then open the plan")                                      \
  X(DPPAIR_ERR_NOT_DRAWN,                                                                          \
    "no records are drawn for this step: call dppair_release_draw before each release of this "    \
    "plan")                                                                                        \
  X(DPPAIR_ERR_NOT_ZEROED,                                                                         \
    "a field of the plan holds a value that nothing sets: begin with dppair_plan plan = {0}")      \
  X(DPPAIR_ERR_NO_RADIUS,                                                                          \
    "no bound of the rows is known: make them with dppair_rows_clip, or set radius to a proved "   \
    "bound of every norm")                                                                         \
  X(DPPAIR_ERR_LAW,                                                                                \
    "this noise does not fit this draw or release: Laplace and l2-ball noise take no draw; "       \
    "objectives are for dppair_release_minimiser, Skellam noise for dppair_release_share, "        \
    "Laplace noise of vectors for dppair_release_histogram")                               \
  X(DPPAIR_ERR_SLOPE,                                                                              \
    "a slope of the loss is steeper than its L_RANGE declares: correct L_RANGE, or clip the "      \
    "pairs")                                                                                       \
  X(DPPAIR_ERR_NEIGHBOURS,                                                                         \
    "the account holds other neighbours, or steps that state none: take one account for each "     \
    "neighbouring relation")                                                                       \
  X(DPPAIR_ERR_BATCH,                                                                              \
    "these are not the rows of this step's draw: hand over what dppair_gather made of the batch "  \
    "that dppair_release_draw filled")
/* What a call answers. DPPAIR_OK is 0; dppair_status_string has the sentence of each. */
typedef enum dppair_status {
#define DPPAIR_X_(name, text) name,
  DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_STATUS_COUNT_
} dppair_status;
/* One sentence about a status. Never NULL; the string is static. */
const char *dppair_status_string(dppair_status status);
/* 1 for a number, 0 for NaN and the infinities. */
int dppair_isfinite_f64(double x);
int dppair_isfinite_f32(float x);
/* 1 when all n numbers of x are finite. Adding 1 to an exponent whose bits are all set carries into
 * the sign's place; the carries are collected without a branch. */
int dppair_all_finite_f64(const double *x, size_t n);
int dppair_all_finite_f32(const float *x, size_t n);
/* to[k] += from[k] for `count` integers of 128 bits, that is 2 count words, modulo 2^128: all that
 * a process or a site has to do with the sums of another. NULL does nothing. */
void dppair_words_add(uint64_t *to, const uint64_t *from, size_t count);
enum {
  DPPAIR_TIER_SCALAR = 0,
  DPPAIR_TIER_SIMD128 = 1,
  DPPAIR_TIER_AVX2 = 2,
  DPPAIR_TIER_AVX512 = 3
};
/* The widest tier of this build that this machine can run and that DPPAIR_TIER_LIMIT allows:
 * DPPAIR_TIER_*. All dispatching functions use it. A limit below the narrowest tier of the build is
 * answered by the narrowest one; where that is AVX2 or AVX-512, dppair_environment_check refuses. */
int dppair_tier(void);
/* The name of dppair_tier(): "avx512", "avx2+fma", "simd128" or "scalar". The string is static. */
const char *dppair_isa_name(void);
/*
 * DPPAIR_OK if sums are rounded to nearest, ties to even, one by one and in their own type, and
 * subnormal numbers are not zeros; else DPPAIR_ERR_ENVIRONMENT. So is a DPPAIR_TIER_LIMIT below the
 * narrowest tier of the build, where that is AVX2 or AVX-512. Every function whose proof assumes
 * this calls it first: it takes 8 to 19 ns (measured with -O2).
 *
 * Flushing to zero is a mode of the thread. gcc sets it at the start of every program, and up to
 * version 12 in every process that loads a library, that was linked with -ffast-math or -Ofast.
 * Noise keeps its bits under it; other functions do not, and their bounds count subnormal
 * differences. So it is refused: compile with these flags if need be, link without them.
 *
 * For m = 1.5 2^52 (float: 1.5 2^23), m + 1/2 and m - 1/2 are midway between m and a neighbour of
 * m, and m is the even one. So (m + 1/2) - m and (m - 1/2) - m are both 0 if sums are rounded to
 * nearest even. The first is not 0 if sums are rounded up or ties away from zero, the second if
 * they are rounded down or towards zero, and both if the type is wider or the compiler has merged
 * the two sums. Compilers may apply a flag to vectors but not to plain code, and to intrinsics,
 * which they define outside of every region, but not to operators; so both are tested, vectors by
 * intrinsics where kernels use these.
 */
DPPAIR_MUST_CHECK dppair_status dppair_environment_check(void);
/* Which data sets are neighbours: the unit that is protected, and its move. The number of units is
 * public.
 * REPLACE_ONE: one record is replaced by another. ZERO_OUT: one record is replaced by a null
 * record (`nulls` of a block of rows, rows/block.h), whose pairs contribute nothing. It keeps its
 * place: it may be drawn, it is one of the rows that a release of the draw takes, and n counts it.
 * But what divides a sum over drawn pairs counts the others only (dppair_normaliser).
 * PERSON, QUERY: the same with everything that one user owns, or with a whole query, in the place
 * of one record: a law that holds for records holds for them once the noise multiplier divides
 * their move, and n and m count them. The two low bits are the move, the others the unit. */
typedef enum dppair_adjacency {
  DPPAIR_REPLACE_ONE = 1,
  DPPAIR_ZERO_OUT = 2,
  DPPAIR_REPLACE_USER = 17,
  DPPAIR_ZERO_USER = 18,
  DPPAIR_REPLACE_QUERY = 33,
  DPPAIR_ZERO_QUERY = 34
} dppair_adjacency;
/* The units that a relation protects. */
enum { DPPAIR_OF_RECORDS_ = 0, DPPAIR_OF_USERS_ = 16, DPPAIR_OF_QUERIES_ = 32 };
#define DPPAIR_SAMPLING_TABLE(X)                                                                   \
  X(DPPAIR_ALL, "none", DPPAIR_READS_N_, DPPAIR_BY_PAIRS_, DPPAIR_MOVE_STATED_)                    \
  X(DPPAIR_POISSON, "poisson", DPPAIR_READS_RATE_, DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)            \
  X(DPPAIR_WITHOUT_REPLACEMENT, "without-replacement", DPPAIR_READS_RATE_ | DPPAIR_READS_OWNED_,   \
    DPPAIR_BY_PAIRS_, DPPAIR_MOVE_REPLACE_)                                                        \
  X(DPPAIR_WITH_REPLACEMENT, "with-replacement",                                                   \
    DPPAIR_READS_N_ | DPPAIR_READS_M_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_PAIRS_,                    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_MATCHING, "matching", DPPAIR_READS_RATE_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_MATCHES_,    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_ALLOCATION, "allocation", DPPAIR_READS_N_ | DPPAIR_READS_BATCHES_ | DPPAIR_OF_MODULE_,  \
    DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)
#define DPPAIR_X_(kind, name, reads, divisor, move) kind,
typedef enum dppair_sampling_kind { DPPAIR_SAMPLING_TABLE(DPPAIR_X_) } dppair_sampling_kind;
#undef DPPAIR_X_
#define DPPAIR_X_(kind, name, reads, divisor, move) +1
enum { DPPAIR_SAMPLING_COUNT_ = 0 DPPAIR_SAMPLING_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_
/* What a row reads. RATE: n and m, at most n, whose rate is m/n; or q instead of both. */
enum {
  DPPAIR_READS_N_ = 1,
  DPPAIR_READS_M_ = 2,
  DPPAIR_READS_RATE_ = 4,
  DPPAIR_READS_GROUPS_ = 8,   /* group >= 2 or 0; where the rate is read m is a multiple of it */
  DPPAIR_READS_BATCHES_ = 16, /* batches, and group of them */
  DPPAIR_READS_OWNED_ = 32,   /* where users are protected and records are drawn */
  DPPAIR_OF_MODULE_ = 64      /* a module has its draw and its law */
};
/* The divisor. PAIRS: k (k-1), of n records, or of the m drawn ones. DRAWN: m (count - 1), count
 * being the records that were drawn and are not null, m those that are expected. MATCHES:
 * m/group. */
enum { DPPAIR_BY_PAIRS_ = 1, DPPAIR_BY_DRAWN_ = 2, DPPAIR_BY_MATCHES_ = 3 };
/* The move. STATED: that of the adjacency. ZERO, REPLACE: that one under either adjacency. */
enum { DPPAIR_MOVE_STATED_ = 0, DPPAIR_MOVE_REPLACE_ = 1, DPPAIR_MOVE_ZERO_ = 2 };
/*
 * A sampling; the functions below make one. m always counts records (for pairs drawn with
 * replacement it counts draws). The rate of Poisson records, of samples without replacement and of
 * matchings is the probability q that a given record is drawn. Give either q in (0, 1], or n and
 * m >= 1, which mean q = m/n (q = 0: not given); if all three are given they must agree, and m/n is
 * used. Fields that a kind does not read must be 0, and those that it reads must not; only the
 * group of a matching may, which then is 2.
 */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
  size_t batches; /* of an epoch, by allocation */
  size_t group;   /* matching: records of a group. Allocation: batches that hold a record */
  size_t owned;   /* where users are protected and records are drawn: a public bound of the
                     records that one user owns. 0: what is drawn is what is protected */
} dppair_sampling;
/* The names that texts use; "none" for every record, for no adjacency, and for what is no such
 * kind. Static strings. */
const char *dppair_sampling_name(dppair_sampling_kind kind);
/* The same of neighbours: "replace-one", "zero-out", ...; "none" for what is no adjacency. */
const char *dppair_adjacency_name(dppair_adjacency adjacency);
/* The greatest number of a relation. */
enum { DPPAIR_ADJACENCY_MOST_ = DPPAIR_ZERO_QUERY };
/* Every record. */
dppair_sampling dppair_sampling_all(size_t n, dppair_adjacency adjacency);
/* Each record independently with probability m/n: m are expected. */
dppair_sampling dppair_sampling_poisson(size_t n, size_t m, dppair_adjacency adjacency);
/* A uniform subset of m records. */
dppair_sampling dppair_sampling_without_replacement(size_t n, size_t m, dppair_adjacency adjacency);
/* m independent uniform records. */
dppair_sampling dppair_sampling_with_replacement(size_t n, size_t m, dppair_adjacency adjacency);
/* A uniform subset of m records, put at random into groups of `group` >= 2, of which m is a
 * multiple. (0, which in the field means 2, becomes 1, which is refused.) */
dppair_sampling dppair_sampling_groups(size_t n, size_t m, size_t group, dppair_adjacency
    adjacency);
/* A uniform subset of m records, m even, paired at random: groups of 2. */
dppair_sampling dppair_sampling_matching(size_t n, size_t m, dppair_adjacency adjacency);
/*
 * *divisor = what the sum over the drawn pairs is divided by, so that it becomes the mean that the
 * sensitivities are about:
 *
 *   ALL                        n (n-1)
 *   POISSON                    m (count-1), `count` being the records that were drawn, without null
 *                              ones; 1 when that is 0 or 1, where the sum is 0
 *   WITHOUT, WITH_REPLACEMENT  m (m-1); 1 when m = 1
 *   MATCHING                   m/group: m/2 pairs
 *   ALLOCATION                 (n group/batches) (count-1), likewise
 *
 * A sum over pairs that were themselves drawn with replacement is divided by their number instead.
 * `count` is read for Poisson samples and allocations only, and *divisor then is private, as count
 * is. Errors: NULL; ADJACENCY; NO_PROOF, NOT_FINITE, DOMAIN, RATE, UNREAD, a sampling whose fields
 * are not those of its kind; SIZE: n or m is out of range or not given, or count > n.
 */
DPPAIR_MUST_CHECK dppair_status dppair_normaliser(double *divisor, const dppair_sampling *sampling,
    size_t count);
/* The serial is public: a function of a plan's run, its place in the account and the step, so it is
 * the same on every rank and after a stop, and no two draws share one. 0: of no plan's draw. */
typedef struct dppair_batch {
  const size_t *index; /* `count` places, in the caller's memory. Private, as the records are */
  size_t count;        /* private where the size of a draw is random */
  uint64_t serial;
} dppair_batch;
/* A batch of records that you chose yourself: of no plan's draw. A release of a plan that draws
 * refuses rows that are gathered from it. */
dppair_batch dppair_batch_make(const size_t *index, size_t count);
/* Sorts x[0..n) in ascending order: quicksort down to short runs, which are sorted by insertion,
 * and heap sort where pivots fail too often (introsort, Musser 1997). */
void dppair_sort_f64(double *x, size_t n);
#ifdef DPPAIR_AUDIT
/* What a dppair_event tells of. */
typedef enum dppair_event_kind {
  DPPAIR_EVENT_ADD = 1,     /* noise is about to be added to `values` */
  DPPAIR_EVENT_ADDED = 2,   /* it was added, or `status` says why not */
  DPPAIR_EVENT_DRAWN = 3,   /* records, pairs or bytes were drawn; "key": bytes of the system are
                             * about to be */
  DPPAIR_EVENT_CHARGED = 4, /* an account was charged; copies, on which steps are tried, too */
  DPPAIR_EVENT_RELEASE = 5, /* a release knows its sensitivity; it adds its noise next */
  DPPAIR_EVENT_TRIED = 6,   /* the last charge of this account was tried on a copy, and is void */
  DPPAIR_EVENT_FITTED = 7   /* a perturbed fit begins (`values` is NULL), or was released as them */
} dppair_event_kind;
/* What an event does not have is 0. */
typedef struct dppair_event {
  dppair_event_kind kind;
  const char *name;     /* the law of the noise, what is drawn, or the mechanism */
  void *values;         /* the vector, or the numbers drawn, */
  size_t n, width;      /* of n elements of `width` bytes: double or float, size_t, bytes */
  size_t *count;        /* DRAWN: how many records or pairs were drawn */
  double scale;         /* of the noise: sigma, the scale of Laplace and l2 noise, the variance of
                         * Skellam noise that no plan releases; of a draw by allocation: its step */
  double sensitivity;   /* RELEASE: how far `values` can move; CHARGED: what the caller said */
  const void *what;     /* DRAWN, RELEASE: a dppair_sampling; CHARGED: a dppair_ledger_entry;
                         * FITTED: a dppair_fit_ */
  const void *by;       /* the dppair_rng, dppair_accountant or dppair_release */
  dppair_status status; /* ADDED, DRAWN: what the function is about to return; TRIED: of the try */
} dppair_event;
#else
#endif
#endif /* DPPAIR_CORE_H */
#if defined(DPPAIR_HAS_NOISE_) && defined(DPPAIR_HAS_ACCOUNTANT_) && !defined(DPPAIR_RELEASE_H)
#define DPPAIR_RELEASE_H
#define DPPAIR_NONCE_SIZE 16 /* bytes of `nonce` */
/* What a caller may choose. All NULL, or no struct at all: both come from the system.
 *   key   32 secret bytes, of this purpose alone. NULL: from the system
 *   nonce   16 bytes that tell this run of the program from every other one; they are public. NULL:
 *         from the system, as in every production: a program that is started again with the same
 *         key and nonce repeats its noise, over data or weights that may have changed since. Given,
 *         together with a key, for replays and simulations only; the caller answers for it. What
 *         dppair_release_nonce completed can be gone on with */
typedef struct dppair_release_keys {
  const uint8_t *key;
  const uint8_t *nonce;
} dppair_release_keys;
/*
 * Completes a nonce of the caller's: nonce[8..16) becomes what tells that the key is its plan's, as in
 * a nonce of the system's. Then dppair_release_resume can go on with a plan that was opened with both
 * (dppair_release_keys). nonce[0..8) is the caller's and public; eight bytes of it tell nothing of
 * the key. Errors: NULL.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_nonce(uint8_t nonce[DPPAIR_NONCE_SIZE], const uint8_t
    key[32]);
/* What a program may print about a plan that was opened: bits of release->warnings. */
typedef enum dppair_warning {
  DPPAIR_WARNS_DELTA = 1,  /* delta is at least 1/n, n the plan's records, users or queries: a delta
                            * of 1/n lets a program publish one of them as it is */
  DPPAIR_WARNS_EPSILON = 2 /* epsilon is above 20: who knows all other records may tell nearly
                            * always which one was used */
} dppair_warning;
/* An open plan; the caller's memory. The first four may be read, and warnings. */
typedef struct dppair_release {
  double sensitivity, sigma; /* of the last release: S, and the scale of its noise */
  double divisor;            /* of the last gradient; private where `drawn` is */
  size_t drawn;              /* records of the last draw. Private for Poisson samples and
                              * allocations, as are the indices */
  size_t step, steps;        /* paid releases used, and paid for */
  double part, left;         /* dppair_release_part's share; of the paid release in use, what is left */
  size_t drawn_for;          /* the step that `drawn` is for, counted from 1; 0: no draw yet */
  double noise_multiplier;   /* as in dppair_step */
  double ridge, output_mu;   /* as in dppair_plan */
  double failure;            /* paid for the tests of all steps */
  dppair_mechanism_kind mechanism; /* of a step as it is charged */
  dppair_sampling sampling;
  dppair_accountant *account;
  uint64_t sequence; /* of the charge in the account, */
  uint64_t check;    /* and the account's check after it */
  uint64_t nonce;    /* the first half of the nonce under which it was opened: public */
  const void *home;  /* the address at which it was opened */
  unsigned warnings; /* dppair_warning: none refuses anything */
  dppair_rng noise, draw;
} dppair_release;
/*
 * Opens a plan: finds its noise multiplier, writes its line to plan->ledger, charges all its steps
 * to the account, and makes the keys of noise and draws. plan->ledger = dppair_ledger_to(sink,
 * context).
 *
 * The noise multiplier. With plan->epsilon > 0 the account, charged with the plan, answers at most
 * plan->epsilon at plan->delta (dppair_accountant_epsilon; the Renyi orders alone may say more).
 * Where all is plain Gaussian (every record, an account of plain Gaussian steps) it comes from the
 * exact curve, to 12 digits; for one perturbed objective beside such steps from its closed form
 * (accountant/composition/objective.h), the ridge being given; for laws with a pure epsilon beside
 * an account of such steps, the steps share what is left of epsilon. Any other plan or account
 * needs dppair_calibrate, which writes plan->noise_multiplier for the account as it then stands.
 * With plan->epsilon and delta 0, a noise_multiplier of the caller's is charged as it is.
 *
 * Of a plan of allocation whole epochs are paid, ceil(steps/batches) of them (k of t: k times as
 * many of floor(t/k) batches), since the batches of an epoch belong together; bought are `steps`
 * releases.
 *
 * A perturbed objective (DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE) has plan->ridge and
 * plan->output_mu: the output noise is a line of plain noise before the plan's own. Such a plan is
 * for dppair_release_minimiser; every other release refuses it. One of DPPAIR_SKELLAM is for
 * dppair_release_share alone, and needs dppair_calibrate.
 *
 * With plan->failure > 0 that probability is charged too, on the plan's line, and what it leaves of
 * delta is what the noise is found for: failure < delta.
 *
 * The account states the plan's neighbours from here on (dppair_accountant_neighbours). keys: NULL
 * for keys of the system; see dppair_release_keys.
 *
 * Errors leave *release zero; every call refuses it with CLOSED. Nothing is charged after: NULL,
 * ENVIRONMENT, SELF_TEST, ENTROPY; NOT_CALIBRATED (no closed form); PLAN_CHANGED (a multiplier that
 * is not of this plan and account); NOT_ZEROED (a number that nothing sets); LAW (no release adds
 * this noise, or it has no proof with this draw); EXHAUSTED (the account leaves nothing);
 * NOT_FINITE, EPSILON, DELTA, SIGMA, STEPS, UNREAD, and dppair_normaliser's. NEIGHBOURS: the
 * account is about other neighbours, or holds steps that state none; it is broken by that. An error
 * of plan->ledger, whose line may or may not have been stored, and one of the charge leave the
 * account broken: it answers no question again, and nothing was released.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_open(dppair_release *release, dppair_accountant
    *account, const dppair_plan *plan, const dppair_release_keys *keys);
/* Wipes the keys. What was paid for and not used is lost. NULL is allowed. */
void dppair_release_close(dppair_release *release);
/*
 * Releases v[0..size): adds the noise of this step, for a statistic of which the caller has proved
 * the l2 sensitivity > 0 (in a plan that draws: the move that the plan's sampling names, of the
 * statistic of the drawn records). Where the size of the batch is random, that is the move when a
 * record joins, whatever the batch holds: a sum over all its pairs has none unless it is divided by
 * dppair_normaliser, and a matching of the batch divided by a constant b moves by 2C/b, two pairs,
 * not C/b. Where records are drawn and users protected (`owned`) it is the move of one drawn
 * record; j of a user's may move it j times as far, and the noise is for that, up to twice as
 * much as for the pairs of NAME_release. v may be published. The twin _grid takes the fineness of
 * the grid, as dppair_add_gaussian_f64_grid does.
 *
 * A coordinate beyond 2^40 noise scales (_grid: 2^(50 - log2_ratio)) counts as that number, which
 * lengthens no distance; there is no error for it, because it would depend on records.
 *
 * Errors zero v. They use no paid release: NULL, SIZE (0); CLOSED (the release was never opened, or
 * was closed, copied or moved; its account does not hold its charge); FORK; a broken account's;
 * EXHAUSTED (no paid release is left); NOT_DRAWN (a plan that draws, and no draw for this step);
 * LAW (its sensitivity is in another norm, or it is of other releases); SENSITIVITY, SIGMA (z S
 * beyond 2^900), NOT_FINITE (the sensitivity), DOMAIN (log2_ratio), ENVIRONMENT; OVERFLOW (no
 * memory is that large) leaves v untouched. NOT_FINITE for a number of v, which voids the proof of
 * its sensitivity, uses the paid release.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_vector_grid(double *v, size_t size, dppair_release
    *release, double sensitivity, int log2_ratio);
DPPAIR_MUST_CHECK dppair_status dppair_release_vector(double *v, size_t size, dppair_release
    *release, double sensitivity);
/* The same for counts and other statistics with an l1 sensitivity, under the law DPPAIR_LAPLACE. */
DPPAIR_MUST_CHECK dppair_status dppair_release_histogram(double *v, size_t size, dppair_release
    *release, double l1_sensitivity);
/*
 * Draws the records of the next release, as the plan says: *batch has the places below n, as
 * dppair_draw gives them (every record: 0 .. n-1), and the draw's serial. dppair_gather makes rows
 * of it. `index` is the memory for the places and must live as long as the batch is used; it has
 * room for `capacity` >= n, also where fewer are drawn on average: an error for lack of room would
 * show how many. The draw is a function of (key, nonce, sequence, step). One draw belongs to one
 * release, which divides by this draw's divisor. batch->index and, for Poisson samples and
 * allocations, batch->count are PRIVATE. Under allocation step s is batch s % batches of epoch
 * s / batches: the batches of an epoch share its allocation, also when the plan was resumed within
 * it.
 *
 * Errors zero *batch and index[0..capacity): NULL, SIZE (capacity), EXHAUSTED (no paid release is
 * left, or this step is drawn already), and those of dppair_release_vector about the release.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_draw(dppair_batch *batch, size_t *index, size_t
    capacity, dppair_release *release);
/* What NAME_release_explain says: public numbers. */
typedef struct dppair_explained {
  double slope;     /* the steepest slope of the loss at the margins that are reached */
  double low, high; /* these margins */
  double move;      /* how far one record moves the gradient of a pair of its own, at most */
  double draw; /* what the sampling makes of that: 1/n of all records, 1/m of m drawn ones, more
                     * where batches are of random size */
  double
      divisor; /* of the sum over pairs, for a draw of the expected size; that of a draw of random
                     * size is private */
  double rounding;  /* what arithmetic adds: sensitivity_l2 = move draw + rounding */
  double clip, cap; /* of a pair's gradient, and of the scores; 0: none is in force */
  double sensitivity_l2, sensitivity; /* of the mean gradient, and in the norm of the law */
  double scale, noise_multiplier;     /* of the noise: scale = noise_multiplier sensitivity */
} dppair_explained;
/*
 * Opens a plan again that was paid before the program was stopped, at the release after the first
 * `step` ones. Nothing is charged: account is one that replayed the ledger, and line[0..length) the
 * plan's line in it, one of the latest 63 charges. key: the 32 bytes that dppair_release_open was
 * given; another key would repeat the steps with fresh noise, which nobody paid for, and is refused
 * by the line's nonce. (A nonce of the caller's own says nothing about the key, unless
 * dppair_release_nonce completed it: such a plan cannot be gone on with.) plan: as it was when it was
 * opened (its epsilon, delta, ledger and check are not read).
 *
 * Errors leave *release zero: NULL; PLAN_CHANGED (`plan` would not write this line, or the key is
 * another one); NO_PROOF (the account does not hold the line; a perturbed objective, whose output
 * noise has a line of its own: repeat it whole, as a new plan); SIZE (step beyond the plan's);
 * those of dppair_ledger_read, of the account and of the plan's sampling; SELF_TEST, ENVIRONMENT.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_resume(dppair_release *release, dppair_accountant
    *account, const dppair_plan *plan, const char *line, size_t length, const uint8_t key[32],
    size_t step);
/*
 * The next release uses this share of the paid release, 0 < share < 1; the release after it uses
 * what is left, or a share of it again. A paid release that was begun has to be used up before the
 * next draw.
 *
 * Errors, which change nothing: NULL, DOMAIN (the share is no such number, or not below what is
 * left), NOT_DRAWN, NO_PROOF (a plan that draws otherwise than Poisson samples), LAW (a law that is
 * neither Gaussian nor pure), those of dppair_release_vector about the release.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_part(dppair_release *release, double share);
#endif /* DPPAIR_RELEASE_H */
#ifndef DPPAIR_CORE_ONLY_
#ifndef DPPAIR_H
#define DPPAIR_H
#define DPPAIR_NAME_OF_(name) DPPAIR_CAT(DPPAIR_NAME, name)
#define DPPAIR_NAME_clip_cache DPPAIR_NAME_OF_(_clip_cache)
#define DPPAIR_NAME_clip_coeffs DPPAIR_NAME_OF_(_clip_coeffs)
#define DPPAIR_NAME_clip_init DPPAIR_NAME_OF_(_clip_init)
#define DPPAIR_NAME_clip_workspace DPPAIR_NAME_OF_(_clip_workspace)
#define DPPAIR_NAME_coeffs DPPAIR_NAME_OF_(_coeffs)
#define DPPAIR_NAME_coeffs_fast DPPAIR_NAME_OF_(_coeffs_fast)
#define DPPAIR_NAME_sketch_workspace DPPAIR_NAME_OF_(_sketch_workspace)
#define DPPAIR_NAME_sums_init DPPAIR_NAME_OF_(_sums_init)
#define DPPAIR_NAME_sums_workspace DPPAIR_NAME_OF_(_sums_workspace)
#define DPPAIR_NAME_weighted_coeffs DPPAIR_NAME_OF_(_weighted_coeffs)
#define DPPAIR_NAME_coeffs_part DPPAIR_NAME_OF_(_coeffs_part)
#define DPPAIR_NAME_fast_init DPPAIR_NAME_OF_(_fast_init)
#define DPPAIR_NAME_fast_workspace DPPAIR_NAME_OF_(_fast_workspace)
#define DPPAIR_NAME_gradient DPPAIR_NAME_OF_(_gradient)
#define DPPAIR_NAME_pairs DPPAIR_NAME_OF_(_pairs)
#define DPPAIR_NAME_release DPPAIR_NAME_OF_(_release)
#define DPPAIR_NAME_release_explain DPPAIR_NAME_OF_(_release_explain)
#define DPPAIR_NAME_release_scores DPPAIR_NAME_OF_(_release_scores)
#define DPPAIR_NAME_release_scores_workspace DPPAIR_NAME_OF_(_release_scores_workspace)
#define DPPAIR_NAME_release_vector DPPAIR_NAME_OF_(_release_vector)
#define DPPAIR_NAME_risk_not_private DPPAIR_NAME_OF_(_risk_not_private)
#define DPPAIR_NAME_sensitivity DPPAIR_NAME_OF_(_sensitivity)
#define DPPAIR_NAME_allowance DPPAIR_NAME_OF_(_allowance)
#define DPPAIR_NAME_workspace DPPAIR_NAME_OF_(_workspace)
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW /* but f64, then f32 where dppair.h compiles these */
#define DPPAIR_ROW_KIND_ DPPAIR_WORD_(DPPAIR_ROW_TYPE_, 9)
#define DPPAIR_ROW_OF_(name) DPPAIR_CAT(DPPAIR_CAT(name, _), DPPAIR_ROW_TYPE_)
#define dppair_rows_ROW DPPAIR_ROW_OF_(dppair_rows)
#define dppair_rows_make_ROW DPPAIR_ROW_OF_(dppair_rows_make)
#define dppair_rows_clip_ROW DPPAIR_ROW_OF_(dppair_rows_clip)
#define dppair_rows_quantise_ROW_f32 DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_quantise), _f32)
#define dppair_rows_quantise_ROW_f64 DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_quantise), _f64)
#define dppair_gather_ROW DPPAIR_ROW_OF_(dppair_gather)
#define dppair_rows_by_hand_ROW DPPAIR_ROW_OF_(dppair_rows_by_hand)
#define dppair_gather_weighted_ROW DPPAIR_ROW_OF_(dppair_gather_weighted)
#define dppair_scores_ROW DPPAIR_ROW_OF_(dppair_scores)
#define dppair_combine_ROW DPPAIR_ROW_OF_(dppair_combine)
#define dppair_sum_combine_ROW DPPAIR_ROW_OF_(dppair_sum_combine)
#define dppair_element_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_element), _)
/* One piece of a piecewise linear slope: see L_PIECES above. */
typedef struct dppair_piece {
  double knot, constant, factor;
  int closed;
} dppair_piece;
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
#define DPPAIR_KIND_PAIRS_ 0
#define DPPAIR_KIND_PIECEWISE_ 1
#define DPPAIR_KIND_ANALYTIC_ 2
#define DPPAIR_KIND_ROWWISE_ 3
#define DPPAIR_PROBE_float ~, 0
#define DPPAIR_PROBE_double ~, 1
#define DPPAIR_PROBE_dppair_pairs ~, 0
#define DPPAIR_PROBE_dppair_piecewise ~, 1
#define DPPAIR_PROBE_dppair_analytic ~, 2
#define DPPAIR_PROBE_dppair_rowwise ~, 3
#define DPPAIR_PROBE_dppair_split ~, 1
#define DPPAIR_ITEMS_(x) DPPAIR_WORD_1_(DPPAIR_ITEMS_1_ x, 0, ~)
#define DPPAIR_ITEMS_1_(...) ~, DPPAIR_FIFTH_(__VA_ARGS__, 9, 2, 2, 9, ~)
#define DPPAIR_FIFTH_(a, b, c, d, e, ...) e
/* Moments of records, opened by NAME_sketch_open in the caller's workspace. */
typedef struct dppair_sketch {
  uint64_t count[2];    /* the positives and the negatives that were added */
  uint64_t users;     /* that NAME_chunk_sketch added, where groups are users; else 0 */
  uint64_t digest;      /* of w, radius and state, where NAME_chunk_sketch made them; else 0 */
  uint64_t serial;      /* of the rows' draw, where NAME_chunk_sketch made them; else 0 */
  double radius;        /* of the rows, where NAME_chunk_sketch made them; else 0 */
  uint64_t state;       /* a digest of the state that they are opened for */
  size_t cells;         /* of each class */
  size_t low, high;     /* the cells that have words: all, but in a gradient those in use */
  size_t all;           /* the number of words */
  uint64_t *words;      /* all / 2 integers of 128 bits, low word first: what travels between ranks,
                      * with the counts (dppair_words_add) */
  uint64_t *partial;    /* sums of 64 bits that are not in `words` yet; none after a public call */
  double *coefficients; /* what NAME_sketch_finish makes */
  size_t pending[2], first[2], end[2]; /* records in `partial`, and its cells that are in use */
  int finished; /* 1: nothing can be added any more; -1: spoiled by an error */
} dppair_sketch;
/* The Euclidean norm of x[0..n), without overflow or underflow on the way; HUGE_VAL where a number
 * is not finite. */
double dppair_norm_f64(const double *x, size_t n);
#define DPPAIR_BODY_VECTORS_ 1 /* once per tier and type */
#define DPPAIR_BODY_PAIRS_ 2   /* once per instance and tier, in the type of the instance */
#define DPPAIR_BODY_ROWS_ 3    /* once per type of rows that DPPAIR_ROW asks for, tier and type */
#define DPPAIR_BODY_BLOCKS_ 4  /* once per type of rows: the functions that call its kernels */
#define DPPAIR_BODY_MODULE_ 5  /* of a module alone: once per tier, in double */
#define DPPAIR_STAGE_STATES_ 1 /* of an instance: its states, before any body, as in 6 */
#define DPPAIR_STAGE_BODIES_ 2 /* its loops, for one tier, in the type of the instance, as in 7 */
#define DPPAIR_STAGE_FUNCTIONS_ 3 /* the functions that call them, as in 8 */
#define DPPAIR_STAGE_RELEASES_ 4  /* its releases, where there are any */
#define DPPAIR_STAGE_TABLE_ 5     /* between 2 and 3, of an analytic loss: on one double */
#define DPPAIR_STAGE_KERNELS_ 6   /* of no instance: what the module itself has for one tier */
/* Does task number k of some work. */
typedef void dppair_task(void *context, size_t k);
/* Calls task(context, k) once for every k < count, and returns when all calls have. self is what
 * dppair_tasks holds. */
typedef void dppair_executor(dppair_task *task, void *context, size_t count, void *self);
typedef struct dppair_tasks {
  size_t count;         /* 1 or more */
  dppair_executor *run; /* NULL: dppair_run_serial */
  void *self;           /* handed to run */
} dppair_tasks;
/* The executor that does one task after the other. */
void dppair_run_serial(dppair_task *task, void *context, size_t count, void *self);
/* sum[k] += the results of parts 1, 2, ..., which are at sum + part * n, in this order; k < n. */
void dppair_tasks_join(double *sum, size_t n, size_t parts);
#define DPPAIR_ROWS_ dppair_rows_ROW
#define DPT_DENSE (DPPAIR_ROW_KIND_ < 6)  /* dense rows, of the types of rows/template.h */
#define DPPAIR_PROBE_f32 ~, 0
#define DPPAIR_PROBE_f64 ~, 1
#define DPPAIR_PROBE_bf16 ~, 2
#define DPPAIR_PROBE_f16 ~, 3
#define DPPAIR_PROBE_i16 ~, 4
#define DPPAIR_PROBE_i8 ~, 5
#define DPPAIR_ROW_OF_A_float f32
#define DPPAIR_ROW_OF_A_double f64
/* What an instance knows of the numbers in a row (rows/narrow.h has other types). */
typedef double dppair_element_f64_;
typedef float dppair_element_f32_;
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define DPPAIR_ROWS_LATER_ __attribute__((access(none, 1)))
#else
#define DPPAIR_ROWS_LATER_
#endif
/* A sum of vectors of `size` numbers, whose addends are at most `bound`. */
typedef struct dppair_sum {
  size_t size;
  double unit;    /* what addends are rounded to: 2^-50 of the power of two above bound */
  double bound;   /* of addends */
  double radius;  /* of rows; > 0: made by NAME_sum_open, and only NAME_chunk_sum adds rows */
  uint64_t count; /* of records so far */
  /* of NAME_chunk_sum, and travel with the count: null records, which it does not hold, and records
   * or users of weight 0 (users without records, too), which it does */
  uint64_t nulls, weightless;
  uint64_t digest; /* of w, radius, state and number of records, of NAME_chunk_sum; else 0 */
  uint64_t serial; /* of the rows of NAME_chunk_sum: of their draw, and travels with the count */
  uint64_t *words; /* size integers of 128 bits, in units: words[2k] low, words[2k + 1] high */
} dppair_sum;
/* *bytes = the workspace of a sum of `size` numbers. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_sum_workspace(size_t *bytes, size_t size);
/* Makes *s the sum 0 of `size` numbers in `bytes` bytes of workspace, which must live as long as
 * *s. bound: a public bound of every addend |c_i factor_i x_ik|. Errors zero *s: NULL, DOMAIN
 * (bound not positive and finite), OVERFLOW (bound outside 2^-900 to 2^900; size), WORKSPACE,
 * ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status dppair_sum_open(dppair_sum *s, size_t size, double bound, void
    *work, size_t bytes);
/* The same. count stays: the caller knows of how many records v is. Errors leave *s as it is: NULL,
 * WORKSPACE (not open, or made by NAME_sum_open), NOT_FINITE (a number of v), ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status dppair_sum_vector(dppair_sum *s, const double *v);
/* s += other. Both must have been opened alike, and if NAME_chunk_sum made them, at the same w and
 * state, of rows of one draw: SIZE (sizes), WORKSPACE (one that is not open; bounds, radii or
 * digests that differ; a sum of rows or of blocks to itself), BATCH, NULL; these leave *s as it is.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sum_add(dppair_sum *s, const dppair_sum *other);
/* v[0..size) = the sum, each number rounded once to nearest, ties to even. Errors zero v where its
 * size is known: NULL, WORKSPACE (not open), ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status dppair_sum_value(double *v, const dppair_sum *s);
/* s[i] = <row i, w> for i < n; w has d numbers. Errors: NULL, SIZE (start decreases or does not
 * begin with 0, or a column is >= d), NOT_FINITE (w or a score) zero s; OVERFLOW (s or w
 * would be larger than any memory) may leave it as it is. */
DPPAIR_MUST_CHECK dppair_status dppair_scores_csr_f64(double *s, const size_t *start, const uint32_t
    *column, const double *value, size_t n, size_t d, const double *w);
/* g = X^T c: g[j] = sum over i < n of c[i] times the number of row i in column j, j < d. Errors as
 * above, with g in place of s, and ENVIRONMENT. NOT_FINITE is tested on g alone. */
DPPAIR_MUST_CHECK dppair_status dppair_combine_csr_f64(double *g, const size_t *start, const
    uint32_t *column, const double *value, size_t n, size_t d, const double *c);
#define DPPAIR_BODY_ DPPAIR_BODY_VECTORS_
#undef DPPAIR_BODY_
#ifndef DPPAIR_WIDEST_ /* of declarations */
#define DPPAIR_BODY_ DPPAIR_BODY_BLOCKS_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ f64
#include "dppair_declare.h"
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ f32
#include "dppair_declare.h"
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW
#undef DPPAIR_BODY_
#endif
/* w becomes the nearest point of the ball ||w|| <= radius, radius >= DBL_MIN. The result's norm is
 * at most radius in exact arithmetic. NOT_FINITE (w zeroed), DOMAIN for a bad radius (w zeroed). */
DPPAIR_MUST_CHECK dppair_status dppair_project_l2_f64(double *w, size_t d, double radius);
/* w[k] held within [low, high] for k < d; low <= high, both finite. */
DPPAIR_MUST_CHECK dppair_status dppair_project_box_f64(double *w, size_t d, double low, double
    high);
/* *bytes = the workspace of dppair_project_simplex_f64 and _l1_f64 for d numbers. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_project_l1_workspace(size_t *bytes, size_t d);
/* w becomes the nearest point of {w >= 0, sum of w = total}, total > 0, d >= 1 (Held, Wolfe and
 * Crowder 1974). The computed sum is within d units in the last place of total. work: as
 * dppair_project_l1_workspace says. */
DPPAIR_MUST_CHECK dppair_status dppair_project_simplex_f64(double *w, size_t d, double total, void
    *work, size_t bytes);
/* w becomes the nearest point of {sum of |w[k]| <= radius}, radius >= DBL_MIN. work: as
 * dppair_project_l1_workspace says. */
DPPAIR_MUST_CHECK dppair_status dppair_project_l1_f64(double *w, size_t d, double radius, void
    *work, size_t bytes);
/* v[0..d(d+1)/2) = the symmetric part of w[d][d] in coordinates in which the Euclidean norm is the
 * Frobenius norm: the diagonal, then sqrt 2 times the entries below it, row by row. Add noise to a
 * symmetric matrix in these coordinates, because there are half as many of them as entries. */
void dppair_symmetric_pack_f64(double *v, const double *w, size_t d);
/* The inverse: w[d][d] from v[0..d(d+1)/2). */
void dppair_symmetric_unpack_f64(double *w, const double *v, size_t d);
/* *bytes = the workspace of dppair_eigen_f64 and of the three projections of a d x d matrix. Errors
 * zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_project_workspace(size_t *bytes, size_t d);
/* values[d] ascending and vectors[d][d], row k a unit eigenvector of values[k], of the symmetric
 * part of a[d][d] (a and vectors may be the same array). work: as dppair_project_workspace says.
 * Householder tridiagonalisation, then implicit QL (Golub and Van Loan, Matrix Computations, 8.3);
 * O(d^3). For d <= 500 and any spectrum, residuals and departures from orthogonality stay below
 * 1e-13 times the norm. NOT_FINITE, NULL, WORKSPACE, OVERFLOW (d*d or an eigenvalue),
 * NO_CONVERGENCE; outputs zeroed on error. */
DPPAIR_MUST_CHECK dppair_status dppair_eigen_f64(double *values, double *vectors, const double *a,
    size_t d, void *work, size_t bytes);
/* w[d][d] becomes the nearest symmetric matrix whose eigenvalues lie in [low, high]; an end may be
 * infinite. low = 0, high = INFINITY: the positive semidefinite cone. low = -cap, high = cap: the
 * spectral-norm ball. work: as dppair_project_workspace says. */
DPPAIR_MUST_CHECK dppair_status dppair_project_spectral_f64(double *w, size_t d, double low, double
    high, void *work, size_t bytes);
/* ... the nearest positive semidefinite matrix of Frobenius norm <= radius. (The projection on a
 * closed convex cone, scaled back into a ball about 0, is the projection on the intersection: with
 * p the point on the cone, <w - p, v - p> <= 0 on the cone and <w - p, p> = 0, and for |p| > r,
 * <w - r p/|p|, v - r p/|p|> <= (|p| - r) (|v| - r) <= 0 on the intersection.) */
DPPAIR_MUST_CHECK dppair_status dppair_project_psd_frobenius_f64(double *w, size_t d, double radius,
    void *work, size_t bytes);
/* ... the nearest positive semidefinite matrix of trace <= trace, that is, of nuclear norm. */
DPPAIR_MUST_CHECK dppair_status dppair_project_psd_trace_f64(double *w, size_t d, double trace, void
    *work, size_t bytes);
/* a[d][d], of which the lower triangle is read, becomes its Cholesky factor l, a = l l^T, on and
 * below the diagonal. NULL; NO_CONVERGENCE (a is not positive definite, or too nearly not) leaves a
 * in pieces. */
DPPAIR_MUST_CHECK dppair_status dppair_cholesky_f64(double *a, size_t d);
/* v becomes a^-1 v, for a factor that dppair_cholesky_f64 made of a. */
void dppair_cholesky_solve_f64(double *v, const double *factor, size_t d);
/* *bytes = the workspace of any function below for n records in all, of d features where it reads
 * rows and d = 0 elsewhere. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_measures_workspace(size_t *bytes, size_t n, size_t d);
/* Area under the ROC curve: the share of pairs with sp[i] > sn[j], ties counted one half.
 * np, nn >= 1. O(n log n), by exact integer counts. 1 - AUC is the pairwise 0-1 risk; the risk of a
 * loss is NAME_risk_not_private/(np nn). */
DPPAIR_MUST_CHECK dppair_status dppair_auc_not_private_f64(double *auc, const double *sp, size_t np,
    const double *sn, size_t nn, void *work, size_t bytes);
/* Area under the part of the ROC curve with false-positive rate <= rate, divided by rate, 0 < rate
 * <= 1: 1 is perfect, chance is rate/2. Ties are straight segments of the curve, so rate = 1 gives
 * the AUC. np, nn >= 1. */
DPPAIR_MUST_CHECK dppair_status dppair_partial_auc_not_private_f64(double *auc, const double *sp,
    size_t np, const double *sn, size_t nn, double rate, void *work, size_t bytes);
/* The share of positive labels (y > 0) among the k largest of n scores, 1 <= k <= n. Where records
 * tie for the last places, it is the mean over all their orders. */
DPPAIR_MUST_CHECK dppair_status dppair_precision_not_private_f64(double *precision, const double *s,
    const double *y, size_t n, size_t k, void *work, size_t bytes);
/* Kendall's tau-b of a[n] and b[n]: (concordant - discordant pairs)/sqrt(pairs untied in a * pairs
 * untied in b), n >= 2, O(n log n) (Knight 1966). DOMAIN also when one of them is constant. */
DPPAIR_MUST_CHECK dppair_status dppair_kendall_not_private_f64( double *tau, const double *a, const
    double *b, size_t n, void *work, size_t bytes);
/* The share of m test records whose label is the majority among their k nearest of n training
 * records in the metric (x - x')^T W (x - x'), W = w[d][d] symmetric (NULL: the identity). The
 * nearer label wins a tie of votes, the earlier record a tie of distances. x: rows of d at distance
 * ld; y: any labels; 1 <= k <= n. O(m (n d + d^2 + n k)). The neighbours are training records:
 * neither the figure nor such a classifier is private. */
DPPAIR_MUST_CHECK dppair_status dppair_knn_accuracy_not_private_f64( double *accuracy, const double
    *x, const double *y, size_t n, const double *test_x, const double *test_y, size_t m, size_t d,
    size_t ld, const double *w, size_t k, void *work, size_t bytes);
/* Recall at k, leave-one-out: the share of n records, each in turn compared with the n - 1 others,
 * of which one of the k nearest others has the same label. The metric and its ties are those of
 * dppair_knn_accuracy_not_private_f64; a record whose label no other has counts as missed. k = 1:
 * the accuracy of the nearest neighbour. 1 <= k < n, d >= 1. O(n (n d + d^2 + n k)). */
DPPAIR_MUST_CHECK dppair_status dppair_recall_at_not_private_f64( double *recall, const double *x,
    const double *y, size_t n, size_t d, size_t ld, const double *w, size_t k, void *work, size_t
    bytes);
/* Which pairs count. */
typedef enum dppair_grouping {
  DPPAIR_ACROSS = 1, /* groups are users: pairs of records of two of them */
  DPPAIR_WITHIN = 2  /* groups are queries: pairs of records of one of them */
} dppair_grouping;
/*
 * Records in groups. Those of a group stand together in either class: its positives are the rows
 * from positive[g] to positive[g + 1], its negatives those from negative[g] to negative[g + 1]
 * among the negatives. For a form, which has no classes, `positive` counts all rows and `negative`
 * is NULL. Places are as private as who owns which record. Those that do not begin with 0,
 * decrease, or do not end with the size of their class are an error (SIZE) that no data set has.
 */
typedef struct dppair_groups {
  size_t count;                      /* of groups, empty ones too; public */
  const size_t *positive, *negative; /* count + 1 places each */
  dppair_grouping relation;
  size_t most; /* a public bound of the number of rows, where that number is private (a user or a
                * query is protected): there is room for so many, and it bounds rounding. 0: 2^32
                * for NAME_sensitivity; a release then refuses it (SIZE) */
} dppair_groups;
/*
 * A clip: no gradient of a pair is longer than `bound`, or of what else a function says it cuts.
 * Made by NAME_clip_init where NAME_gradient or NAME_release clips pairs: it brings the functions
 * of its instance, so that a program that never calls it compiles none of them. Other functions
 * read the bound only; dppair_clip_init makes a clip for these. All fields are read-only for
 * callers; a copy is as good, and threads may share it.
 */
struct dppair_options;
typedef dppair_status dppair_clip_bytes_(size_t *bytes, size_t *count, size_t n, size_t d);
typedef dppair_status dppair_clip_run_(double *a, double *b, const void *sp, const void *sn,
                                       const void *rows, const struct dppair_options *options);
typedef struct dppair_clip {
  double bound;              /* public, positive */
  uint64_t owner, digest;    /* the instance, 0: any; of both fields above */
  dppair_clip_bytes_ *bytes; /* NAME_clip_workspace */
  dppair_clip_run_ *run;     /* NAME_clip_coeffs */
  dppair_probe_ *probe;      /* NAME_probe_ */
} dppair_clip;
/* What is not given is 0 or NULL. Everything here is public but the places of groups. */
typedef struct dppair_options {
  const double *params;      /* of the loss; NULL where it has none */
  const dppair_clip *clip;   /* of NAME_clip_init, or dppair_clip_init; NULL: none is clipped */
  const dppair_fast *fast;   /* a prepared state, for near-linear sums; NULL: loops over pairs */
  const dppair_tasks *tasks; /* how the work is cut, and who runs it; NULL: one part */
  void *work;                /* `bytes` bytes of any alignment */
  size_t bytes;
  const dppair_groups *groups; /* users or queries; NULL: all pairs */
} dppair_options;
/* Makes *clip a clip of this public bound, for what reads no more of it: forms, listed pairs,
 * queries of top-weighted losses, similarities and groups of row-wise losses. NAME_gradient and
 * NAME_release take one of NAME_clip_init. Errors zero *clip, and calls with it say WORKSPACE:
 * NULL, DOMAIN (a bound that is not positive and finite). */
DPPAIR_MUST_CHECK dppair_status dppair_clip_init(dppair_clip *clip, double bound);
typedef struct dppair_margin_loss {
  /* out = value, slope and curvature at t, finite for every finite t; the slope is off by at most
   * 16 units of rounding of `steepest`, or of itself where that is infinite */
  void (*at)(double out[3], double t, double parameter);
  double parameter; /* 0, or the width over which a kink is rounded off: a minimiser is then sought
                     * with wider ones first */
  double top;       /* the largest curvature: 0 <= psi'' <= top */
  double steepest;  /* the largest |psi'|; HUGE_VAL: slopes grow */
  int falls;        /* psi' <= 0 everywhere */
} dppair_margin_loss;
/* ln(1 + e^-t): logistic regression. Slopes within 1, curvature within 1/4. */
dppair_margin_loss dppair_margin_logistic(void);
/*
 * A hinge at 3/4, rounded off: psi(t) = ln(1 + e^(3 - 4t))/4, so psi'(t) = (tanh(2 (t - 3/4)) -
 * 1)/2. Slopes and curvature are within 1. A record pulls with 0.95 of the steepest slope at margin
 * 0, and never with more than 1, which is what noise has to hide; it lets go beyond a margin of
 * 3/4. The logistic loss pulls with half of its steepest slope at 0.
 */
dppair_margin_loss dppair_margin_soft_hinge(void);
/* The margin a within 4, added to all scores, at which both classes together pull equally hard at w
 * = 0 when a share `rate` of the records is positive: rate psi'(a) = (1 - rate) psi'(-a). */
double dppair_margin_balance(const dppair_margin_loss *loss, double rate);
/* What is public about a fit: n records of d numbers. */
typedef struct dppair_margin_problem {
  dppair_margin_loss loss;
  size_t n, d;
  double radius, ridge; /* both > 0; radius within 1e-75 and 1e75 */
} dppair_margin_problem;
/* A gradient of norm at most floor + share |w|. */
typedef struct dppair_margin_tolerance {
  double floor, share;
} dppair_margin_tolerance;
/*
 * *tolerance = what dppair_minimiser_not_private reaches whatever the records are: `wanted`, or
 * where that is more four times what computing a gradient may be off. A function of public numbers.
 *
 * Errors zero it: NULL; SIZE (n or d is 0); NOT_FINITE; DOMAIN (a radius beyond 1e75 or below
 * 1e-75, a ridge, top curvature or steepest slope that is not positive); NO_PROOF where share
 * exceeds ridge/8, so that it would say next to nothing about w, and where n top radius^2 exceeds
 * 1e11 ridge: then the steps that the theorem counts might have to be taken, and would take years.
 */
DPPAIR_MUST_CHECK dppair_status dppair_margin_reach(dppair_margin_tolerance *tolerance, const
    dppair_margin_problem *p, double wanted);
/* *bytes = the workspace of dppair_minimiser_not_private and dppair_release_minimiser: 2 n + d^2 +
 * (d + 24) (d + 192) doubles or less. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_minimiser_workspace(size_t *bytes, size_t n, size_t d);
/*
 * w (d numbers; in: a start) becomes a point whose gradient of
 *
 *     F(w) = sum_i psi(w.u_i) + (ridge/2) |w|^2 + b.w,      u_i = y_i x_i, shortened to radius,
 *
 * is within `tolerance`, which dppair_margin_reach gave for this problem, rounding included: within
 * (floor + share |w|)/ridge of the minimiser. Whether that succeeds is a matter of public numbers:
 * it does. NOT PRIVATE: dppair_release_minimiser releases one.
 *   x    p->n rows of p->d numbers, ld >= d apart. A row with a number that is not finite counts as
 *        0, one longer than p->radius as the point of the ball beside it
 *   y    n labels, > 0 for +1 and otherwise -1; NULL: all +1
 *   b    d numbers; NULL: 0
 *   work `bytes` bytes, as dppair_minimiser_workspace says
 *
 * Errors zero w: those of dppair_margin_reach about p; NULL; SIZE (ld < d); NOT_FINITE (w, b, the
 * tolerance); NO_PROOF (a tolerance below that of dppair_margin_reach); WORKSPACE; ENVIRONMENT;
 * OVERFLOW (w or the rows cannot be addressed). NO_CONVERGENCE would be a mistake of the loss's
 * facts.
 */
DPPAIR_MUST_CHECK dppair_status dppair_minimiser_not_private( double *w, const double *x, size_t ld,
    const double *y, const dppair_margin_problem *p, const double *b, const dppair_margin_tolerance
    *tolerance, void *work, size_t bytes);
#endif /* DPPAIR_H */
#endif /* DPPAIR_CORE_ONLY_ */
#if defined(DPPAIR_RELEASE_H) && defined(DPPAIR_H) && !defined(DPPAIR_BODY_) &&                    \
    !defined(DPPAIR_RELEASE_ROWS_H)
#define DPPAIR_RELEASE_ROWS_H
/*
 * Releases w (d numbers): the minimiser of sum_i psi(w.u_i) + (ridge/2) |w - centre|^2 + b.w, as
 * above, for a plan of the law DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE over all n records.
 *
 * The noise of b has the scale z radius steepest, release->sigma; ridge is plan->ridge top
 * radius^2; the output's noise is for plan->trace. The ball has the radius 32/radius, so that the
 * longest row has margins up to 32.
 *
 *   loss    falls and has a finite steepest slope
 *   radius  public: longer rows are shortened to it, here
 *   x, y    n rows ld numbers apart and n labels, as dppair_minimiser_not_private takes them
 *   centre  d public numbers, where w is drawn to; NULL: 0
 *   work    `bytes` bytes, as dppair_minimiser_workspace says
 *
 * Errors zero w and use no paid release: NULL, SIZE (n is not the plan's; d is 0; ld < d),
 * WORKSPACE, OVERFLOW, NOT_FINITE and DOMAIN (radius, centre, the loss's facts; a centre that pulls
 * with more than 512 scales of b's noise), SIGMA; LAW (another law); NO_PROOF (a loss that rises or
 * whose slopes grow; n, d or a ridge for which the solver's arithmetic is too coarse:
 * dppair_margin_reach); OVERLAP (w, and work or what is read); ENVIRONMENT, and those of
 * dppair_release_vector about the release. None depends on a record.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_minimiser(double *w, dppair_release *release, const
    dppair_margin_loss *loss, double radius, const double *x, size_t n, size_t d, size_t ld, const
    double *y, const double *centre, void *work, size_t bytes);
#endif
#ifndef DPPAIR_CORE_ONLY_
#if defined(DPPAIR_ROW) && !defined(DPPAIR_BODY_)
#if DPPAIR_ROW_KIND_ == 2 && !defined(DPPAIR_ROWS_BF16_)
#define DPPAIR_ROWS_BF16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 3 && !defined(DPPAIR_ROWS_F16_)
#define DPPAIR_ROWS_F16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 4 && !defined(DPPAIR_ROWS_I16_)
#define DPPAIR_ROWS_I16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 5 && !defined(DPPAIR_ROWS_I8_)
#define DPPAIR_ROWS_I8_
#define DPPAIR_ROWS_NEW_
#endif
#ifdef DPPAIR_ROWS_NEW_
#ifndef DPPAIR_ROWS_NARROW_
#define DPPAIR_ROWS_NARROW_
typedef uint16_t dppair_element_bf16_;
typedef uint16_t dppair_element_f16_;
typedef int16_t dppair_element_i16_;
typedef int8_t dppair_element_i8_;
#endif
#endif
#endif
#if defined(DPPAIR_ROWS_NEW_) && !defined(DPPAIR_BODY_) /* not there yet: body and functions */
#define DPPAIR_BODY_ DPPAIR_BODY_ROWS_
#undef DPPAIR_BODY_
#define DPPAIR_BODY_ DPPAIR_BODY_BLOCKS_
#include "dppair_declare.h"
#undef DPPAIR_BODY_
/*
 * Fills *rows with the rows of *from in fewer bits: x[n][d] and factor[0..n), n = from->n, d =
 * from->d. No row grows: every number factor[i] x[i][k] has the sign of that of from and is at most
 * as large, in exact arithmetic. So a row is within from->radius, which *rows keeps, and a
 * sensitivity that follows from a radius needs no rounding allowance for the rounding. A quantised row
 * depends on its own row and factor only: two data sets that differ in one record differ in that
 * record afterwards, in its place, and a row of zeros stays one.
 *
 *   bf16, f16   numbers are cut towards 0, less by at most 2^-7 of themselves (f16: 2^-10, or 2^-24
 *               where they are below 2^-14; bf16: 2^-133 below 2^-126). f16 holds what is above
 *               65504 at 65504, bf16 at 3.39e38. The factor stays, and where *from has none *rows
 *               has none; one below 2^-64 becomes 0, and its row zeros
 *   i16, i8     each row has a scale of its own, which makes its largest number 32767 (127); others
 *               are multiples of that over 32767 (127), less by at most one such step, and of
 *               double by 2^-23 of themselves. The factor is the scale; one below 2^-512 becomes 0,
 *               and its row zeros
 *
 * What it does to a mean gradient over pairs, of slopes at most L and curvature at most M, for rows
 * within R that become shorter by vectors of at most delta: it moves by at most 2 delta (L + 2 M R
 * |w|). delta is at most 2^-7 R (bf16), 2^-10 R + 2^-24 sqrt(d) times the factor (f16), and
 * sqrt(d) |top|/32767 or /127 + 2^-23 R (i16, i8), top the largest number of a row times its
 * factor. Measured, 4000 rows of 64 normal numbers, the logistic loss: a gradient is off by 8e-3
 * (i8), 3e-3 (bf16), 4e-4 (f16), 3e-5 (i16) of its length.
 *
 * positives, nulls, weight and, of rows of float, y and its place are those of *from; of rows of
 * double y is NULL. x and factor must not overlap *from, and must live as long as *rows is used.
 *
 * Errors zero *rows, x and factor: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (a number, a factor,
 * or a scale: none of rows of dppair_rows_clip), ENVIRONMENT; with OVERFLOW (the rows cannot be
 * addressed), or from NULL, x and factor are not touched.
 *
 * Proof: dppair_cut_bf16_, dppair_cut_f16_; dppair_whole_scale_, dppair_steps_.
 */
DPPAIR_MUST_CHECK dppair_status dppair_rows_quantise_ROW_f32( dppair_rows_ROW *rows,
    dppair_element_ROW_ *x, double *factor, const dppair_rows_f32 *from);
DPPAIR_MUST_CHECK dppair_status dppair_rows_quantise_ROW_f64( dppair_rows_ROW *rows,
    dppair_element_ROW_ *x, double *factor, const dppair_rows_f64 *from);
#undef DPPAIR_ROWS_NEW_
#endif
#if !defined(DPPAIR_BODY_) && !defined(DPPAIR_NO_TEMPLATE_) &&                                     \
    (defined(DPPAIR_NAME) || defined(DPPAIR_REAL) || defined(DPPAIR_LOSS))
#define DPPAIR_TEMPLATE_F64_ DPPAIR_WORD_(DPPAIR_REAL, 9)
#define DPPAIR_KIND_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _KIND), 9)
#define DPPAIR_RANGE_ DPPAIR_ITEMS_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE))
#ifndef DPPAIR_ROW /* rows of the type of scores */
#define DPPAIR_ROW DPPAIR_CAT(DPPAIR_ROW_OF_A_, DPPAIR_REAL)
#endif
#define DPPAIR_STOP_
#if !defined(DPPAIR_NAME)
#error "Define DPPAIR_NAME, the prefix of what is generated, before dppair.h with DPPAIR_REAL."
#elif !defined(DPPAIR_REAL)
#error "Define DPPAIR_REAL as float or double before including dppair.h for the template."
#elif !defined(DPPAIR_LOSS)
#error "Define DPPAIR_LOSS as the name of a loss before including dppair.h for the template."
#elif 1 || DPPAIR_NAME /* DPPAIR_NAME must be one identifier, without quotes */
#if DPPAIR_TEMPLATE_F64_ == 1 || DPPAIR_TEMPLATE_F64_ == 0
#if DPPAIR_ROW_KIND_ == 9 ||                                                                       \
    (DPPAIR_ROW_KIND_ != DPPAIR_TEMPLATE_F64_ &&                                                   \
     (DPPAIR_TEMPLATE_F64_ ? DPPAIR_ROW_KIND_ != 7                                                 \
                           : DPPAIR_ROW_KIND_ < 2 || DPPAIR_ROW_KIND_ > 6))
#error "DPPAIR_ROW must be f32, bf16, f16, i16 or i8 with DPPAIR_REAL float, f64 with double."
#elif DPPAIR_ROW_KIND_ > 1 && DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#error "DPPAIR_ROW: row-wise losses compare embeddings of float or double, not narrow rows."
#elif DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ && !defined(DPPAIR_CONTRAST_H)
#error "DPPAIR_LOSS is a row-wise loss: include dppair_contrast.h before the instance."
#elif DPPAIR_RANGE_ == 9
#error "DPPAIR_LOSS: its L_RANGE must be a function and flags in brackets: (my_range, 0)."
#elif DPPAIR_KIND_ >= 0 && DPPAIR_KIND_ <= 3
#undef DPPAIR_STOP_
#elif defined(DPPAIR_LOSSES_H)
#error "DPPAIR_LOSS: no such loss, or its L_KIND is not _pairs, _piecewise, _analytic or _rowwise; \
contrastive losses and triplets are those of dppair_contrast.h, which comes before the instance."
#else
#error "DPPAIR_LOSS: include dppair_losses.h first, or dppair_contrast.h for a contrastive loss or \
triplets; a loss L of your own needs L_KIND dppair_pairs."
#endif
#else
#error "DPPAIR_REAL must be the word float or the word double: no typedef, no other type."
#endif
#else
#include "dppair stops here: DPPAIR_NAME must be one identifier, without quotes"
#endif
#ifdef DPPAIR_STOP_
#undef DPPAIR_STOP_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_KIND_
#undef DPPAIR_RANGE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_ROW
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#else
/* The error "redeclaration of enumerator NAME_is_..." means that two templates have one NAME. */
enum { DPPAIR_CAT(DPPAIR_NAME, _is_the_DPPAIR_NAME_of_two_templates_) };
extern const char DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW);
DPPAIR_KEPT_ static const char *const DPPAIR_CAT(DPPAIR_NAME, _rows_) =
    &DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW);
#define DPPAIR_INSTANCE_
#define DPPAIR_HAS_INSTANCES_ /* a module that adds functions to them comes too late */
#ifndef DPPAIR_WEIGHTS
#if defined(DPPAIR_NEED_WEIGHTS_) && DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
#define DPPAIR_WEIGHTS 1
#else
#define DPPAIR_WEIGHTS 0
#endif
#endif
#endif
#endif
#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)
#define DPPAIR_STAGE_ DPPAIR_STAGE_STATES_
#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#define DPPAIR_BODY_ DPPAIR_BODY_PAIRS_
#undef DPPAIR_BODY_
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
#define DPPAIR_STAGE_ DPPAIR_STAGE_TABLE_
#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#endif
#endif
#ifdef DPPAIR_BODY_
#if DPPAIR_BODY_ != DPPAIR_BODY_BLOCKS_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#elif DPPAIR_BODY_ == DPPAIR_BODY_PAIRS_
#define DPPAIR_STAGE_ DPPAIR_STAGE_BODIES_
#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#endif
#endif
#ifdef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_BLOCKS_NOW_
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_BLOCKS_ || defined(DPPAIR_BLOCKS_NOW_)
#if DPPAIR_ROW_KIND_ == 1
#define DPPAIR_ROW_REAL_ double /* of scores, w and labels */
#else
#define DPPAIR_ROW_REAL_ float
#endif
/*
 * n records of d features; their first elements are ld apart, ld >= d. Row i is factor[i] times the
 * numbers of the elements from x + i ld on. What is not given is 0 or NULL.
 *
 * Null records. The last `nulls` of the n rows are null: no pair contains them, and no function
 * reads what stands there, in any array. So an empty place under DPPAIR_ZERO_OUT is a null record,
 * and a row of zeros is not: it is a record like any other. n counts null records, and so do plans,
 * divisors by n, workspaces, noise and prices: how many are null is private, like the rows, and no
 * status, scale or way of computing depends on it. Three releases take no null records: of
 * top-weighted PRECISION, of groups of a row-wise loss in a matching, and of queries of public
 * sizes (DPPAIR_WITHIN, a record is protected), where a null record is one of weight 0. They answer
 * NO_PROOF and use no paid release. Clip the records that are there, then say how many places are
 * empty, before anything else is done with the block:
 *
 *   dppair_rows_clip_ROW(&rows, factor, x, there, d, ld, radius);    1. the first rows
 *   rows.n = places, rows.nulls = places - there;                    2. the plan's n
 *   rows.positives = up;                                             3. up <= there
 *
 * Every array has room for n rows. nulls > n - positives is an error (SIZE) that no data set has.
 */
typedef struct dppair_rows_ROW {
  const dppair_element_ROW_ *x;
  size_t n, d, ld;
  size_t positives; /* of a ranking: the rows that stand first. Private, like the rows. (Parts
                     * that are fixed in advance must go by records, not by places here: a
                     * changed label moves the places of others) */
  const DPPAIR_ROW_REAL_ *y; /* of a metric or a similarity: n labels. Those that are not finite,
                              * NaN too, are one class: no status shows one */
  const double *factor;      /* n numbers; NULL: all 1 */
  const double *weight; /* n numbers in [0, 1], of the records in their pairs; NULL: all 1. Others
                         * count as the end that is next to them, NaN as 0: no status shows one.
                         * A record of weight 0 is a null record in its place */
  double radius;        /* a public bound of the norm of every row: a promise, if it is set by
                         * hand. 0: none is known */
  size_t nulls;         /* the rows that stand last and are null records. Private, like the rows */
  uint64_t serial;      /* of the draw that they were gathered from (dppair_batch); 0: of none */
} dppair_rows_ROW;
/* A block of the n rows of d elements of x as they are: without factors, bound, positives, labels.
 */
DPPAIR_ROWS_LATER_ dppair_rows_ROW dppair_rows_make_ROW(const dppair_element_ROW_ *x, size_t n,
    size_t d, size_t ld);
/*
 * Fills *rows with the n rows of d elements of x, and factor[0..n) so that |factor[i] x_i| <=
 * radius in exact arithmetic. A row that is within radius for certain has the factor 1; that is
 * decided by its norm, enlarged by 2 (d + 16) epsilon, so one that just touches the ball may be
 * shortened by as much. A row more than 2^512 (f64) or 2^64 (others) times too long has the factor
 * 0: it counts as a row of zeros. A factor depends on its own row and on radius only. Of integers
 * that are to have a scale, radius is in units of that.
 *
 * rows->positives and rows->nulls are 0 and rows->y NULL: set what the loss needs. x and factor
 * must live as long as *rows is used, and nobody may change them.
 *
 * Errors zero *rows and factor: NULL, SIZE (ld < d), DOMAIN (radius not positive and finite),
 * NOT_FINITE (a number of a row), ENVIRONMENT; OVERFLOW (the rows cannot be addressed) leaves
 * factor untouched.
 */
DPPAIR_MUST_CHECK dppair_status dppair_rows_clip_ROW(dppair_rows_ROW *rows, double *factor, const
    dppair_element_ROW_ *x, size_t n, size_t d, size_t ld, double radius);
/*
 * Makes *made from the records of *rows that the batch lists (dppair_release_draw), each as often
 * as it is listed: all pairs are then those of a small set. Positives come first and null records
 * last; within a class the order is that of the index. Factors, weights, labels and radius are
 * kept, and the rows have the serial of the batch.
 *   x         room for count rows of d elements
 *   y         for count labels, if rows->y is there; else it may be NULL, as may
 *   factor    for count numbers, if rows->factor is there, and
 *   weight    for count numbers, if rows->weight is there
 * made->positives and made->nulls are as private as the records. The arrays must live as long as
 * *made is used, and must not overlap the rows.
 *
 * Errors zero *made and the arrays: NULL, SIZE (ld < d, more positives or null records than there
 * are records, an index out of range); with OVERFLOW, or rows NULL, the arrays are not touched.
 */
DPPAIR_MUST_CHECK dppair_status dppair_gather_weighted_ROW( dppair_rows_ROW *made,
    dppair_element_ROW_ *x, DPPAIR_ROW_REAL_ *y, double *factor, double *weight, const dppair_batch
    *batch, const dppair_rows_ROW *rows);
/* The same of rows without weights; those that have them are NULL. */
DPPAIR_MUST_CHECK dppair_status dppair_gather_ROW(dppair_rows_ROW *made, dppair_element_ROW_ *x,
    DPPAIR_ROW_REAL_ *y, double *factor, const dppair_batch *batch, const dppair_rows_ROW *rows);
/*
 * By hand: marks rows that you gathered yourself as those of this batch, after everything else is
 * set (dppair_rows_clip and dppair_rows_make forget it). It is your promise that they are the
 * records of batch->index, all of them and no others; or, where users or queries are drawn, all
 * rows of the drawn ones. Else the account is about another program. NULL changes nothing.
 */
void dppair_rows_by_hand_ROW(dppair_rows_ROW *rows, const dppair_batch *batch);
/* s[i] = factor[i] <row i of x, w> for i < n; w has d numbers. The order of summation is fixed, so
 * a score is a function of its row, its factor and w alone. Sums run in the type of s.
 * The score of a null record is NaN: no pair may read it.
 * Errors: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (w or a score), OVERFLOW (of rows with a
 * radius, as the table above says) zero s; OVERFLOW (n ld elements cannot be addressed) and NULL
 * for rows do not touch s. A row that dppair_rows_clip accepted causes none. */
DPPAIR_MUST_CHECK dppair_status dppair_scores_ROW(DPPAIR_ROW_REAL_ *s, const dppair_rows_ROW *rows,
    const DPPAIR_ROW_REAL_ *w);
/* g = X^T c: g[k] = sum over i < n of c[i] factor[i] x[i * ld + k] for k < d, summed in double; the
 * product of c and the factor is rounded. The c of a null record is not read.
 * Errors: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (g), ENVIRONMENT
 * zero g; OVERFLOW (n ld elements cannot be addressed) and NULL for rows do not touch it. */
DPPAIR_MUST_CHECK dppair_status dppair_combine_ROW(double *g, const dppair_rows_ROW *rows, const
    double *c);
/*
 * s += X^T c: s[k] += the sum over i < n of c[i] factor[i] x[i ld + k], each addend rounded to the
 * unit. count grows by n, but null records count nothing, and their c is not read. A coefficient
 * beyond bound/radius counts as that number, so that no status depends on its size. A row that is
 * longer than rows->radius, which must not be 0, makes the sum meaningless. Each number of it is
 * off by (5/8) unit and 2^-53 |c_i| radius a record.
 *
 * Errors leave *s as it
 * is: NULL, WORKSPACE (a sum that is not open, or that NAME_sum_open made), SIZE (d, ld, nulls >
 * n), NO_RADIUS, NOT_FINITE (a coefficient), ENVIRONMENT, OVERFLOW (the rows cannot be
 * addressed).
 */
DPPAIR_MUST_CHECK dppair_status dppair_sum_combine_ROW(dppair_sum *s, const dppair_rows_ROW *rows,
    const double *c);
#undef DPPAIR_ROW_REAL_
#endif
#ifdef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW
#endif
#endif
#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
/* *risk = the sum over i < np, j < nn of phi(sp[i] - sn[j]): the loops over all pairs, O(np nn),
 * added in double. NOT PRIVATE. Errors zero *risk: NULL, NOT_FINITE (a score or the result),
 * ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_risk_not_private(double *risk, const DPPAIR_REAL *sp,
    size_t np, const DPPAIR_REAL *sn, size_t nn, const double *params);
/*
 * The derivatives of *risk above in the scores, by the loops over all pairs, O(np nn):
 *
 *   a[i] = sum over j of phi'(sp[i] - sn[j]), i < np     b[j] = -sum over i of the same, j < nn
 *
 * For linear scores of rows X+ and X- the gradient of the sum is X+^T a + X-^T b
 * (dppair_combine_*).
 *
 * Rounding, u = 2^-24 (float) or 2^-53. The slope of a pair is computed once, in the element type,
 * as a function of its two scores alone; the same number goes into a[i] and b[j]. At most 64 slopes
 * are added in that type before they go to double, so a coefficient differs from the sum of the
 * computed slopes by at most 80 u sup |phi'| per partner. NAME_allowance says what that adds to a
 * sensitivity. For private work in float prefer NAME_coeffs_fast, which adds in double throughout.
 *
 * Errors zero a and b: NULL, NOT_FINITE (a score or a result), ENVIRONMENT; with OVERFLOW (np or nn
 * beyond any memory) they are not touched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs(double *a, double *b, const DPPAIR_REAL *sp,
    size_t np, const DPPAIR_REAL *sn, size_t nn, const double *params);
/*
 * What arithmetic adds to a sensitivity. Let S be a sensitivity that is proved for the exact
 * gradient of the SUM over pairs. The gradient AS COMPUTED has the sensitivity
 *
 *     S * *factor + *rounding      (if S is that of a mean, divide *rounding by the normaliser)
 *
 * when NAME_coeffs or _coeffs_fast followed by dppair_combine computes it, or NAME_gradient but
 * with an order-free state, whose sums of rows round to a unit: NAME_sensitivity counts that. With
 * f = NULL also where pairs are clipped: by NAME_gradient and NAME_clip_coeffs.
 *   n        records in all, each of norm at most `radius`
 *   f        the prepared state in use, or NULL for the pair loops; a grid of scores, which
 *            NAME_sums_init makes for a piecewise linear loss, moves margins by what S does not
 *            count: NO_PROOF, NAME_sensitivity counts it
 *   slope    the bound of |phi'| at the computed margins that S uses; where a clip bounds S
 *            instead, any bound of |phi'| there. A computed margin may exceed 2 radius |w| by (d +
 *            24) epsilon of it: S and slope of other losses than hinge, absolute and pinball are
 *            those of a |w| that is as much larger
 * For listed pairs see dppair_pairs_allowance_; for the forms NAME_form_error, added twice.
 *
 * Proof. Every computed slope is a function K(s, s') of the two scores of its pair alone. Its
 * values exceed the range of phi' by at most E = f->kernel_error at either end (f NULL: by 4 units
 * in the last place, the rounding of parameters to the element type included). A proof that uses
 * only the length of that range, which is slope for a monotone loss and 2 slope for others,
 * therefore holds for exact sums of K with S (1 + 2 E/slope). The computed gradient differs from
 * such a sum by at most half of *rounding, for each of two neighbours. With u = 2^-53, the parts of
 * *rounding are:
 *   loops     a coefficient is off by 80 u per partner in its own type (float: u = 2^-24) and by
 *             n u in double; that also covers clipped coefficients, chains of n additions
 *   boxes     a moment is a sum of integers, of powers that are each within 14 u and 4 u; a
 *             translated coefficient adds at most (2 reach + 1) p/4 + 8 products, and Horner's rule
 *             2p roundings; 12 u for what sketch.h counts beside; per partner all that times
 *             f->weight, the largest sum |K_kl| of a box, times u
 *   grid      16 u times f->weight per partner (grid.h), of NAME_sensitivity
 *   sorting   n + 8 additions of numbers of at most f->weight per partner
 *   X^T c     (n + 4) u times the sum of |c_i| |x_i|: however n terms are added, each is in at
 *             most n - 1 sums, one product and, where rows have factors, the product of c_i and the
 *             factor. That is all that factors add: a score that was multiplied by its factor still
 *             is a function of its record and w alone, and x_i, which is factor[i] times the row
 *             exactly, is no longer than radius. (What underflows is below 2^-560 radius a record,
 *             because a factor is 0 or at least 2^-512.)
 * with n+ n- <= n^2/4 pairs on either side. Weights of records, at most 1, are covered: they round
 * twice more per partner, and these bounds leave room for that (64 additions and the sum of 16
 * lanes are 68 of the 80 roundings; sketch.h counts them, 2 of the sorted n + 8 are not used).
 *
 * Errors zero both: NULL, DOMAIN (radius or slope negative or not finite, an f that is not
 * prepared, slope 0 with a kernel error), NO_PROOF (a grid), SIZE (n u beyond 1/1000), OVERFLOW,
 * ENVIRONMENT.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_allowance(double *factor, double *rounding, const
    dppair_fast *f, size_t n, double radius, double slope);
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
/* NAME_coeffs in O(n log n) or better, added in double or in integers. A loss that is piecewise
 * linear is sorted: exactly but for the rounding of sums, counts of partners are integers. An
 * analytic one goes by boxes, to within f->kernel_error per pair (see dppair_fast). A score beyond
 * the cap counts as the cap. Errors zero a and b: NULL, NOT_FINITE (a score or a result), WORKSPACE
 * (an f that is not prepared for this loss, these parameters and so many records), ENVIRONMENT;
 * OVERFLOW as in NAME_coeffs. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_fast(double *a, double *b, const DPPAIR_REAL *sp,
    size_t np, const DPPAIR_REAL *sn, size_t nn, const double *params, const dppair_fast *f);
#endif
/* Part `part` of `parts` of NAME_coeffs, for threads: the scores sp[i] from dppair_part_begin_(np,
 * part, parts) to that of part + 1 against all of sn. a (all np numbers) is written at these places
 * only; b[0..nn) is this part's own, and dppair_tasks_join adds those of all parts. Errors as
 * NAME_coeffs, and SIZE (part not below parts); then b is zeroed. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_part(double *a, double *b, const DPPAIR_REAL *sp,
    size_t np, const DPPAIR_REAL *sn, size_t nn, const double *params, size_t part, size_t parts);
/* a and b of NAME_coeffs, summed over the m listed pairs (i[k], j[k]) only, each times weight[k],
 * or 1 when weight is NULL: for mini-batches, matchings, rankings by query. O(m); slopes in the
 * element type, sums in double. Errors zero a and b: NULL, ENVIRONMENT, SIZE (an index out of
 * range), NOT_FINITE (a score, a weight or a result); OVERFLOW as in NAME_coeffs. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs( double *a, double *b, const DPPAIR_REAL *sp,
    size_t np, const DPPAIR_REAL *sn, size_t nn, const size_t *i, const size_t *j, const double
    *weight, size_t m, const double *params);
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
/* *bytes = the workspace of moments of this order-free state; it depends on public numbers only.
 * Errors zero it: NULL, WORKSPACE (a state that is not order-free), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_workspace(size_t *bytes, const dppair_fast
    *fast);
#endif
#if DPPAIR_WEIGHTS
/*
 * NAME_coeffs, or with options->fast NAME_coeffs_fast, of weighted records and of groups:
 *
 *   a[i] = w_i sum over j of w_j phi'(sp[i] - sn[j])      b[j] = -w_j sum over i of w_i the same
 *
 * over all pairs, or those that options->groups says. ACROSS: pairs of records of two users;
 * records without given weights weigh 1/k, k being their user's records of both classes, and
 * given weights of a user that pass 1 in sum are divided by it. WITHIN: pairs inside a query of m
 * records, divided by m (m - 1).
 *   weight   of the np positives, then of the nn negatives, as in dppair_rows; NULL: none are given
 *   options  params, fast, groups; work: NAME_workspace of np + nn rows of 0 numbers
 *
 * For a network with users or queries: c = dL/ds. X+^T a + X-^T b is the gradient of linear
 * scores, as NAME_gradient computes it. The rounding of NAME_allowance covers weights too.
 *
 * Errors zero a and b: those of NAME_coeffs and NAME_coeffs_fast; NULL; DOMAIN, SIZE (groups);
 * NO_PROOF (a clip; groups with a state of NAME_sums_init of a piecewise linear loss, which rounds
 * scores: NAME_chunk_sum); WORKSPACE.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_weighted_coeffs( double *a, double *b, const DPPAIR_REAL
    *sp, size_t np, const DPPAIR_REAL *sn, size_t nn, const double *weight, const dppair_options
    *options);
#endif /* DPPAIR_WEIGHTS */
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
/* *bytes = the workspace of NAME_fast_init for at most n records. Errors zero it: NULL, OVERFLOW (n
 * beyond 2^30 or any memory), DOMAIN (cap not positive). */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_workspace(size_t *bytes, size_t n, dppair_accuracy
    accuracy, double cap, const double *params);
/* Prepares *f for at most n records in `bytes` bytes of workspace, which must live as long as *f is
 * used. Scores beyond +-cap will count as the cap. The accuracy is not used: results are exact. On
 * an error *f is unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE, those of
 * NAME_fast_workspace. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n, dppair_accuracy
    accuracy, double cap, const double *params, void *work, size_t bytes);
/* *bytes = the workspace of NAME_sums_init of a piecewise linear loss: at most 2 MB. Errors zero
 * it: those of NAME_sums_init. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_workspace(size_t *bytes, uint64_t n,
    dppair_accuracy accuracy, double cap, const double *params);
/*
 * Prepares *f as NAME_fast_init does, but order-free: what it computes of at most n records, in all
 * chunks together, does not depend on the chunks or their order. Of a piecewise linear loss:
 *
 *   Scores are held within +-cap and rounded to a grid of at most 2^16 + 1 points, multiples of a
 *   power of two between cap 2^-15 and cap 2^-14, so that a margin moves by no more than that,
 *   or twice that where a score is next to the cap.
 *   Pairs are summed exactly at the rounded scores; kernel_error is 0. So give a cap that scores
 *   come near. accuracy: DPPAIR_ACCURACY_1E6 takes 2^12 + 1 points, hence margins that move by 16
 *   times as much, but 64 KB instead of 1 MB of dppair_sketch, which is what travels between
 *   machines: as many bytes for few records as for many. Measured: 100 steps of the hinge at a cap
 *   of 8 move the AUC of Pima and Adult by 2e-6 at most, on 2^12 points by 3e-5. About 0.5 ms a
 *   step do not depend on n; from 10^5 records on it is faster than sorting.
 *   Weights count as multiples of 2^-B, rounded down: B = 50 for n < 2^13 and one less for each
 *   doubling beyond, 33 for a billion records.
 *
 * On an error *f is unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE; DOMAIN (the
 * accuracy; a cap that is not within 1e-30 and 1e30), SIZE (n beyond 2^43).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_init(dppair_fast *f, uint64_t n, dppair_accuracy
    accuracy, double cap, const double *params, void *work, size_t bytes);
#endif
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
/* *bytes = the workspace of NAME_sums_init; for an analytic loss it depends on the cap, not on n.
 * Errors zero it: NULL, DOMAIN (the accuracy, the cap or the parameters of the loss are out of
 * range), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_workspace(size_t *bytes, uint64_t n,
    dppair_accuracy accuracy, double cap, const double *params);
/*
 * Prepares *f in `bytes` bytes of workspace, which must live as long as *f is used. This takes
 * about as long as one call with a few thousand records, so do it once. The state of an analytic
 * loss is order-free: what it sums has the same bits for any order of the records, any split, any
 * number of threads or processes (chunked.h, dppair_scale.h).
 *   n        a public bound of the number of records, in all chunks together
 *   cap      public; scores beyond +-cap will count as the cap. The time and the memory of few
 *            records grow with it, 0.7 KB (at 8 terms half of that) per cap
 * f->slope is then a public bound of |K|, what a coefficient is bounded by per partner. On an error
 * *f is unusable, and calls with it say so: NULL, ENVIRONMENT (also where the C library's fma() is
 * not exact), WORKSPACE, those of NAME_sums_workspace.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_init(dppair_fast *f, uint64_t n, dppair_accuracy
    accuracy, double cap, const double *params, void *work, size_t bytes);
/* The same two, for a loss of either kind: here the state without order is the only one. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_workspace(size_t *bytes, size_t n, dppair_accuracy
    accuracy, double cap, const double *params);
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n, dppair_accuracy
    accuracy, double cap, const double *params, void *work, size_t bytes);
#endif
#endif
#ifdef DPPAIR_HAVE_LOSSES_
/*
 * *sensitivity = how far the gradient as it is computed, divided by dppair_normaliser of the
 * sampling, moves in l2 norm between neighbours: kernel errors, rounding and that division
 * included. Its quotient with sigma is what the account charges for this sampling.
 *
 *   d         features of a row
 *   bounds    radius: that of every row (0, none is known, is NO_RADIUS; HUGE_VAL, any scorer,
 *             needs a clip); param_radius: |w| at this gradient, HUGE_VAL where slopes are bounded
 *             anyway; label_bound and offset are not read; clip must be 0: it stands in the pass
 *   sampling  all fields that NAME_gradient's rows were drawn by
 *   options   params; clip; fast: then scores count as at most its score_cap, and slopes are those
 *             over +-2 score_cap at most
 *             groups: ACROSS under neighbours that differ in a user, whose number the sampling
 *             counts (n; m and a rate are of users, too): that of a record, with a user in its
 *             place, however many records there are. WITHIN, for the mean over queries: of a record
 *             that stays in its query, where all records are used and sizes are public, which are
 *             read; of a query, which the sampling counts. groups->most bounds roundings where the
 *             number of rows is private
 *
 * Rows with weights have the sensitivity of rows without.
 *
 * It holds for NAME_gradient; for NAME_coeffs, _coeffs_fast or NAME_clip_coeffs followed by
 * dppair_combine; for a matching also for NAME_pairs_gradient of its m/2 pairs. With a clip `fast`
 * is not read, as there. With an order-free state it holds for NAME_gradient and for sums of
 * NAME_chunk_sum; at param_radius HUGE_VAL, and for queries, for _coeffs_fast followed by
 * dppair_combine too. (Else NAME_allowance has what sums of doubles round.) Groups of one of a
 * piecewise linear loss are users.
 *
 * Of a network whose scores have gradients of norm at most `radius`, each clipped by its own record
 * alone: param_radius HUGE_VAL, with `fast` where the scores are to be capped, and the rounding of
 * its sum of c_i v_i to be added by the caller.
 *
 * Proof: dppair_moves_find_, dppair_moves_sampled_, NAME_allowance or dppair_sums_allowance_. What
 * else is here. A margin of computed scores is off by at most (d + 24) epsilon of its largest
 * value, with or without fused products. A clipped coefficient times its row's norm is at most
 * clip/sqrt((d + 16) epsilon), since the margin of squared distances is twice that
 * (NAME_clip_coeffs): this bounds sums of clipped coefficients where no bound of the slopes does. A
 * listed pair's difference of rows is rounded, so its gradient may leave the set of the proof by
 * epsilon of its norm.
 *
 * L_RANGE is checked at 16 of the margins; one slope outside is SLOPE. Errors zero *sensitivity:
 * ADJACENCY (groups that do not fit the neighbours, or none where they need them), NULL, DOMAIN
 * (bounds or parameters out of range), NO_RADIUS, SLOPE, NO_PROOF (slopes that nothing bounds, a
 * loss without L_RANGE and no clip), WORKSPACE (a state that was prepared for another instance,
 * loss or parameters; a clip that is not made), SIZE (n or m below 2, d too long for the type, n
 * beyond what NAME_allowance can bound or the state was made for), those of dppair_normaliser,
 * ENVIRONMENT, OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sensitivity(double *sensitivity, size_t d, const
    dppair_bounds *bounds, const dppair_sampling *sampling, const dppair_options *options);
#endif /* DPPAIR_HAVE_LOSSES_ */
#if DPT_DENSE
/* *bytes = the workspace of NAME_clip_coeffs and NAME_clip_cache for n records of d features,
 * however many are positives; *count = the numbers in a cache of caps, 2 bytes each (count may be
 * NULL). Errors zero both: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_workspace(size_t *bytes, size_t *count, size_t n,
    size_t d);
/*
 * NAME_coeffs with the gradient of every pair clipped. For linear scores that gradient is phi'(u)
 * (x_i - x_j), i a positive and j a negative, so its weight phi' is held within +-clip/|x_i - x_j|.
 * Then
 *
 *   a[i] = the sum over j of the held weights     b[j] = -the sum over i
 *
 * in double, and X+^T a + X-^T b is the gradient, X the rows with their factors.
 *   sp, sn   scores of either side. They may be those of any scorer, but the distances are those of
 *            the rows
 *   rows     the positives first, null records last, which are not read and have no number here; a
 *            and sp have rows->positives numbers, b and sn the others'
 *   cache    NULL, or count numbers that NAME_clip_cache wrote for these rows and this bound
 *   options  clip: the longest gradient of a pair; without one none is clipped. work: as
 *            NAME_clip_workspace says
 *
 * No gradient of a pair is longer than clip in exact arithmetic, that of the exact scaled rows
 * included. Squared distances come from inner products; a margin for their cancellation keeps them
 * from being too small, and makes them too large by 2 (d + 16) epsilon (|x|^2 + |x'|^2). For
 * near-duplicates the margin is the larger part: with norms 1 and d = 10 a weight is held within
 * clip/0.0035 in float (clip/1.5e-7 in double) however close the two are. If rows are far from the
 * origin, centre them first, with a public centre. NAME_pairs_gradient computes with differences
 * and has no such floor. A held weight is a function of its two records (and scores) alone. Blocks
 * in which nothing can be clipped, by their largest slope and norms, skip the distances.
 *
 * For a convex loss the clipped gradient is that of a convex loss. Its sensitivity, as a mean over
 * ordered pairs, is at most 2 clip/n when one record is replaced.
 *
 * O(positives negatives d) at the speed of a matrix product, or O(positives negatives) with a
 * cache. Errors zero a and b: NULL, SIZE (ld < d, d epsilon > 1/4, positives > n), DOMAIN (a
 * cache without a clip), WORKSPACE (also a clip that is not made, a cache of another bound or n),
 * ENVIRONMENT, OVERFLOW (a score or distance that is too large), NOT_FINITE. Without rows, or with
 * more positives and nulls than rows, a and b have no size and are not touched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs( double *a, double *b, const DPPAIR_REAL
    *sp, const DPPAIR_REAL *sn, const DPPAIR_ROWS_ *rows, const uint16_t *cache, size_t count, const
    dppair_options *options);
/* Makes *clip a clip of this public bound, with which NAME_gradient and NAME_release clip the
 * gradient of each pair: options.clip = &clip. Errors zero *clip: those of dppair_clip_init. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_init(dppair_clip *clip, double bound);
/* Writes the caps clip/|x_i - x_j| to cache[0..count) for many calls of NAME_clip_coeffs: they do
 * not depend on the scores. 2 bytes per pair, rounded down by up to 1/128. count and work: as
 * NAME_clip_workspace says. Like the rows, a cache is private. Errors are those of NAME_clip_coeffs
 * and zero the cache, but one that is too short (WORKSPACE) is not touched; no clip is DOMAIN.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache(uint16_t *cache, size_t count, const
    DPPAIR_ROWS_ *rows, const dppair_options *options);
#endif
/* *bytes = the workspace of NAME_gradient for n records of d numbers and this pass, of which clip,
 * parts and whether there are groups are read. It does not depend on how many are positives. Errors
 * zero it: NULL, SIZE (parts 0), WORKSPACE (a clip that NAME_clip_init of this instance did not
 * make), NO_PROOF (a clip, and groups), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_workspace(size_t *bytes, size_t n, size_t d, const
    dppair_options *options);
/*
 * g[0..d) = the sum over all positives i and negatives j of phi'(<v, w>) v, v = x_i - x_j: the
 * gradient in w of the sum of phi over all pairs, for the linear score <x, w>.
 *   rows     n records of d numbers, the positives first, null records last; y is not read. A row
 *            x_i is factor[i] times what is stored, exactly; its score is factor[i] times the
 *            computed product with w, rounded
 *   w        d numbers
 *   options  clip, if given, is one from NAME_clip_init: each pair's gradient is clipped to its
 *            bound first (NAME_clip_coeffs, whose bounds and errors hold; fast is not read).
 *            Otherwise fast, if given, is a state from NAME_fast_init or NAME_sums_init of this
 *            instance, and the near-linear coefficients are taken
 *            (NAME_coeffs_fast); a loss without such an algorithm does not read it. With an
 *            order-free one, which that of an analytic loss is, X^T c is a sum of integers too: no
 *            order, split or number of parts changes a bit of g, and the rows need a radius; groups
 *            are users, or queries of an analytic loss, whose X^T c is one of doubles. Otherwise
 *            the loops run (NAME_coeffs)
 *            groups: which pairs count, and how (NAME_weighted_coeffs): what is summed is then
 *            weighted by users, or divided for each query. So are rows with weights. Neither has
 *            a clip
 *            parts: how the work is cut, and who runs it
 *            work: `bytes` bytes, at least what NAME_workspace says
 *
 * The way of computing is chosen by the pass, never by the number of records. A batch of 128 has a
 * neighbour of 127; between two kinds of arithmetic the slope of EVERY pair would move, by a whole
 * slope at a kink, and no figure covers that. With a prepared state, fewer than 64 records take up
 * to three times the time of the loops, but about a microsecond (10 where the scores spread over
 * hundreds of boxes).
 *
 * g is summed in double and neither divided nor noised: divide by n(n-1) or another public number,
 * and see NAME_allowance for its sensitivity. Errors zero g, if rows are given: NULL, SIZE (ld < d,
 * more positives than records that are there, nulls > n, parts 0, places of groups, more records
 * than the state is for), DOMAIN (groups), NO_PROOF (a clip with weights or groups), WORKSPACE (too
 * little; a clip or a state that is not prepared, or by another instance), ENVIRONMENT, NOT_FINITE
 * (w, a score or a result), OVERFLOW (radius |w| above 1e150, for float 1e18; sizes; numbers too
 * large to be clipped). With rows from dppair_rows_clip no status depends on a record, unless
 * slopes overflow at margins within 2 radius |w| (those of the exponential loss).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_gradient(double *g, const DPPAIR_ROWS_ *rows, const
    DPPAIR_REAL *w, const dppair_options *options);
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_FUNCTIONS_
#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && defined(DPPAIR_RELEASE_H) && defined(DPPAIR_LOSSES_H)
/*
 * g[0..d) = the gradient of NAME_gradient, divided by the divisor of the plan's sampling, with the
 * noise of this step. g may be published, and so may the next w.
 *
 *   rows     as NAME_gradient takes them, radius > 0: all n records, or in a plan that draws those
 *            that dppair_gather made of this step's batch (or dppair_rows_by_hand marked). Their
 *            bound is public. Null records are among them, and how many there are is private. The
 *            divisor of a Poisson sample or an allocation does not count them, nor records of
 *            weight 0, nor users without records
 *   w        d numbers that are public: zero, or made of earlier releases
 *   options  as NAME_gradient takes it. work: NAME_workspace of all n records where the plan draws
 *            a random number of them; of groups->most rows, which must be given, where users or
 *            queries are protected
 *
 * A plan whose neighbours differ in a user (DPPAIR_REPLACE_USER, DPPAIR_ZERO_USER) takes
 * groups of relation ACROSS, and counts users: its n, and the groups of a draw, whose rows the
 * caller gathers. Who has how many records is private. One whose neighbours differ in a query takes
 * groups WITHIN in the same way; one whose neighbours differ in a record takes rows, or groups
 * WITHIN whose sizes are public: then a record stays in its query, and all records are used. A mean
 * over queries is divided by their number, or by that which a plan expects to draw. A plan that
 * draws records without replacement and protects users (`owned` of its sampling) takes rows.
 *
 * The noise scale is z S. S is NAME_sensitivity at rows->radius and at the norm of w as it is, for
 * the neighbours, the draw, the clip and the kernels in use; release->sensitivity and sigma hold S
 * and z S. For Laplace noise, which all numbers move at once, S is sqrt(d) times as large; pure
 * epsilon by DPPAIR_L2BALL (dppair_l2ball.h) needs less noise.
 *
 * Errors zero g. They use no paid release: those of dppair_release_vector about the release; NULL;
 * SIZE (d = 0, ld < d, records, users or queries that are not those of the step, places of groups,
 * no groups->most where a user or a query is protected); OVERLAP (g, and the workspace, w or rows:
 * keep g out of a batch's whole buffer, or this tells how many records were drawn); ADJACENCY
 * (groups that do not fit the neighbours, or none where they need them); NO_RADIUS (radius 0, which
 * is no bound); BATCH (a plan that draws, and rows of another draw, or of none); NO_PROOF (a plan
 * of matchings: NAME_release_vector; the reasons of NAME_sensitivity); WORKSPACE; NOT_FINITE (w);
 * OVERFLOW (numbers so large that a sum of them could leave the range); those of NAME_workspace and
 * NAME_sensitivity; SIZE for nulls > n. Without rows, or with d = 0, g has no size and is not
 * touched. With rows from dppair_rows_clip no other error occurs but SIZE for positives > n -
 * nulls; with others NOT_FINITE can. Then the paid release is used.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release(double *g, dppair_release *release, const
    DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w, const dppair_options *options);
/*
 * The same for a sum of pair gradients that the caller has computed: g[0..size), over the pairs of
 * all n records or of this step's draw, is divided and gets its noise.
 *
 * For a network: c = dL/ds by NAME_coeffs or _coeffs_fast (_weighted_coeffs, with groups), g = the
 * sum over the records of c_i v_i, each v_i = grad s(x_i) clipped to bounds->radius. The proof
 * needs two label levels and a scorer that reads one record and w only, hence no batch
 * normalisation. For a plan of matchings: g of NAME_pairs_gradient over the pairs (2k, 2k + 1) of
 * the draw whose labels differ. Null records have no pairs and no v_i. Where the plan draws a
 * random number of records, and k of the drawn ones are null, multiply g by (drawn - 1)/(drawn - k
 * - 1) before (by 0 if that is not positive): the divisor here counts all that were drawn.
 *
 *   bounds    radius: of every v_i, or of the rows. The slopes count over the whole line, or, if
 *             options->fast was used, over the margins that its cap leaves: param_radius is not read,
 *             because a network's scores are not bounded by the norms of v_i and w
 *   rounding  a bound of the norm of the error of that sum, beyond NAME_coeffs and X^T c
 *   options   the sum was computed with: params, fast, clip (each pair's gradient was clipped,
 *             which NAME_pairs_gradient does)
 *
 * Errors zero g, and use no paid release: as above; SIZE (size 0); DOMAIN (rounding); NO_PROOF (a
 * state of NAME_sums_init of a piecewise linear loss). NOT_FINITE for a number of g uses it.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_vector( double *g, size_t size, dppair_release
    *release, const dppair_bounds *bounds, double rounding, const dppair_options *options);
/* *bytes = the workspace of NAME_release_scores for n records with gradients of d numbers, and this
 * pass, of which parts and whether there are groups are read. Errors zero it: NULL, SIZE (parts 0),
 * WORKSPACE, NO_PROOF (a clip), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_scores_workspace( size_t *bytes, size_t n,
    size_t d, const dppair_options *options);
/*
 * g[0..d) = the gradient of the mean of phi over all pairs in the weights of any scorer, divided by
 * the divisor of the plan's sampling, with the noise of this step: coefficients dL/ds, the sum of
 * c_i v_i and the release in one. g may be published.
 *
 *   score    of the v->n records, positives first; a score that is no number counts as 0, one
 *            beyond 1e150 (float: 1e18) as that. What stands at null records is not read
 *   v        the gradients of these scores in the weights, one row for each record, clipped:
 *            dppair_rows_clip sets v->radius, which the noise is for. positives and nulls as in
 *            NAME_release. In a plan that draws, the rows of this step's batch: gathered, or, if
 *            they were computed for the batch alone, marked by dppair_rows_by_hand
 *   options  params, fast, parts; groups, as NAME_release takes them; no clip of pairs. With `fast`
 *            scores count as at most its cap, and losses of unbounded slope are allowed. work:
 *            NAME_release_scores_workspace, of all n records where the plan draws a random number
 *
 * The scorer reads one record and what is public: no batch normalisation, nor anything else that
 * looks at other records. A record with several rows (views, augmentations) is a user: add its
 * rows up first, or protect users by groups.
 *
 * The noise is for NAME_sensitivity at v->radius and |w| = HUGE_VAL.
 *
 * Errors zero g. They use no paid release: those of NAME_release, but for w, and OVERLAP (g, and
 * the scores too); NO_PROOF (a clip; a state of NAME_sums_init of a piecewise linear loss). With
 * rows from dppair_rows_clip no other error occurs; with others NOT_FINITE can. Then the paid
 * release is used.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_scores(double *g, dppair_release *release, const
    DPPAIR_REAL *score, const DPPAIR_ROWS_ *v, const dppair_options *options);
/*
 * Fills *e with what the next release of these rows at this w would add, from public numbers alone:
 * every neighbour has the same, and every size drawn. Nothing is used up, and no draw is needed.
 *
 *   rows   d and radius are read, no record is
 *   w      d public numbers, as NAME_release takes them; NULL: any scorer, as NAME_release_scores
 *   options params, clip, fast, groups: as the release gets them
 *
 * Errors zero *e: NULL; CLOSED and the others of dppair_release_vector about the release but
 * NOT_DRAWN; LAW; NO_RADIUS; NOT_FINITE (w); those of NAME_sensitivity; SIGMA.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_explain( dppair_explained *e, const
    dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w, const dppair_options
    *options);
#endif
#if defined(DPPAIR_RELEASE_ROWS_H) && defined(DPPAIR_LOSSES_H)
#define DPPAIR_STAGE_ DPPAIR_STAGE_RELEASES_
#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include "dppair_declare.h"
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#endif
#undef DPPAIR_ROW
#undef DPPAIR_KIND_
#undef DPPAIR_RANGE_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_INSTANCE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
#endif
#endif /* DPPAIR_CORE_ONLY_ */
#if !defined(DPPAIR_BODY_) && (!defined(DPPAIR_ALL_H) || defined(DPPAIR_NOISE_KERNELS_))
#ifndef DPPAIR_ALL_H
#define DPPAIR_ALL_H
#endif
#ifndef DPPAIR_NOISE_KERNELS_
#ifndef DPPAIR_LOSSES_H
#define DPPAIR_LOSSES_H
#define DPPAIR_LOSS_TABLE(X)                                                                       \
  X(logistic)                                                                                      \
  X(hinge)                                                                                         \
  X(squared_hinge)                                                                                 \
  X(smoothed_hinge)                                                                                \
  X(square)                                                                                        \
  X(exponential)                                                                                   \
  X(sigmoid)                                                                                       \
  X(ramp)                                                                                          \
  X(least_squares)                                                                                 \
  X(absolute)                                                                                      \
  X(pinball)                                                                                       \
  X(huber)                                                                                         \
  X(moreau_absolute)                                                                               \
  X(moreau_pinball)                                                                                \
  X(welsch)
/* DPPAIR_LOSS_logistic, ..., for the functions that take a loss at run time. */
typedef enum dppair_loss {
#define DPPAIR_X_(name) DPPAIR_LOSS_##name,
  DPPAIR_LOSS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_LOSS_COUNT
} dppair_loss;
typedef double dppair_value_function_(double u, const double *params);
/* An interval of margins; in place of an infinite end stands +-1e300. */
typedef struct dppair_margins {
  double low, high;   /* the margins that exact arithmetic reaches, wider by their rounding */
  double least, most; /* wider by all that computed margins may lie beyond: where a slope jumps
                       * between least and low, or high and most, both sides count */
  dppair_value_function_ *value; /* the third item, NULL where no value is asked for */
} dppair_margins;
/* Of phi over an interval of margins, slopes as computed. */
typedef struct dppair_range {
  double down, up;  /* sup of -phi' and of phi', 0 at least */
  double odd;       /* sup |phi'(u) - phi'(-u)|/2 */
  double curvature; /* Lipschitz constant of phi', HUGE_VAL over a jump */
  double value;     /* sup |phi| */
} dppair_range;
/* Writes *range; params are the loss's own. All five figures are HUGE_VAL before the call. */
typedef void dppair_range_function(dppair_range *range, const dppair_margins *margins,
                                   const double *params);
/* Flags. MONOTONE: phi does not increase. SMOOTH: phi' is continuous. QUADRATIC: phi is a parabola.
 * The parameters are checked: LEVEL: one in (0, 1) comes first; SIZE: a width, knee or bandwidth in
 * [1e-100, 1e100] comes last. */
enum {
  DPPAIR_IS_CONVEX = 1,
  DPPAIR_IS_MONOTONE = 2,
  DPPAIR_IS_SMOOTH = 4,
  DPPAIR_IS_QUADRATIC = 8,
  DPPAIR_TAKES_LEVEL = 16,
  DPPAIR_TAKES_SIZE = 32
};
/* What dppair_constants_find reads of a loss. */
typedef struct dppair_loss_facts {
  dppair_range_function *range;
  unsigned flags;
  dppair_value_function_ *value; /* NULL: none, or not asked for */
} dppair_loss_facts;
/* A slope or curvature of a shipped loss, and the body of its function L_at_. */
enum { DPPAIR_VALUE_ = 0, DPPAIR_SLOPE_ = 1, DPPAIR_CURVATURE_ = 2 };
#define dppair_logistic_KIND dppair_analytic
#define dppair_logistic_CURVE dppair_curve
#define dppair_logistic_SPLIT dppair_split
#define dppair_hinge_KIND dppair_piecewise
#define dppair_squared_hinge_KIND dppair_piecewise
#define dppair_squared_hinge_CURVE dppair_curve
#define dppair_smoothed_hinge_KIND dppair_piecewise
#define dppair_smoothed_hinge_CURVE dppair_curve
#define dppair_square_KIND dppair_piecewise
#define dppair_square_CURVE dppair_curve
#define dppair_exponential_KIND dppair_pairs
#define dppair_exponential_CURVE dppair_curve
#define dppair_exponential_SPLIT dppair_split
#define dppair_sigmoid_KIND dppair_analytic
#define dppair_sigmoid_CURVE dppair_curve
#define dppair_ramp_KIND dppair_piecewise
#define dppair_least_squares_KIND dppair_piecewise
#define dppair_least_squares_CURVE dppair_curve
#define dppair_absolute_KIND dppair_piecewise
#define dppair_pinball_KIND dppair_piecewise
#define dppair_huber_KIND dppair_piecewise
#define dppair_huber_CURVE dppair_curve
#define dppair_moreau_absolute_KIND dppair_piecewise
#define dppair_moreau_absolute_CURVE dppair_curve
#define dppair_moreau_pinball_KIND dppair_piecewise
#define dppair_moreau_pinball_CURVE dppair_curve
#define dppair_welsch_KIND dppair_pairs
#define dppair_welsch_CURVE dppair_curve
#define DPPAIR_LOSS_MAX_PARAMS 2
typedef struct dppair_loss_info {
  const char *name, *formula, *parameters, *source;
  int convex, monotone, differentiable;
  size_t params; /* how many parameters: 0, 1 or 2 */
} dppair_loss_info;
/* The facts of a loss for dppair_constants_find; NULL for a number that is no loss. A program that
 * calls this function holds the code of every shipped loss: where the loss is known, DPPAIR_FACTS
 * or NAME_sensitivity does with its own. */
const dppair_loss_facts *dppair_loss_facts_of(dppair_loss loss);
/* What the table says of a loss, or NULL for a number that is no loss. */
const dppair_loss_info *dppair_loss_describe(dppair_loss loss);
/* *loss = the loss of that name; DPPAIR_LOSS_COUNT and DOMAIN when there is none. */
DPPAIR_MUST_CHECK dppair_status dppair_loss_find(dppair_loss *loss, const char *name);
/* value[i] = phi(u[i]), slope[i] = phi'(u[i]), curvature[i] = phi''(u[i]) for i < n; each output
 * may be NULL. params: those of the loss, in the order of its description: levels in (0, 1),
 * widths, knees and bandwidths in [1e-100, 1e100]. u is not checked: for NaN the value is NaN, and
 * the slope is NaN or within the loss's bound. Errors, with outputs zeroed: NULL, DOMAIN (the loss
 * or its parameters); with outputs left alone: OVERFLOW (n numbers have no size). */
DPPAIR_MUST_CHECK dppair_status dppair_loss_eval(double *value, double *slope, double *curvature,
    const double *u, size_t n, dppair_loss loss, const double *params);
#define DPPAIR_MARGIN_TABLE(X)                                                                     \
  X(ind, "phi(s - s') 1[y > y'], two label levels", "Xue et al. 2021")                             \
  X(ind_levels, "phi(s - s') 1[y > y'], three levels or more", "Herbrich et al. 2000")             \
  X(diff, "phi((y - y')(s - s')), |y| <= Y", "Kang et al. 2021")                                   \
  X(sign, "phi(sign(y - y')(s - s')), two label levels", "Agarwal and Niyogi 2009")                \
  X(sign_levels, "phi(sign(y - y')(s - s')), three levels or more", "Agarwal and Niyogi 2009")     \
  X(residual, "phi((y - y') - (s - s')), |y| <= Y", "Agarwal and Niyogi 2009; Hu et al. 2013")     \
  X(metric_psd, "phi(yy' (b - M(x, x'))), W positive semidefinite", "Jin et al. 2009")             \
  X(metric, "phi(yy' (b - M(x, x'))), W symmetric", "Yang et al. 2021 (b = 0, hinge)")             \
  X(factor, "phi(yy' (b - |L^T (x - x')|^2)), W = L L^T", "Weinberger and Saul 2009")              \
  X(similarity, "phi(yy' (x^T W x' - b)), W symmetric", "Guo and Ying 2014")
/* What of two records a loss is a function of: the rows of DPPAIR_MARGIN_TABLE. */
typedef enum dppair_margin {
#define DPPAIR_X_(name, formula, source) DPPAIR_MARGIN_##name,
  DPPAIR_MARGIN_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_MARGIN_COUNT
} dppair_margin;
/* What is publicly known of records and parameters. HUGE_VAL means "no bound". */
typedef struct dppair_bounds {
  double radius;       /* R: every row is clipped to it; HUGE_VAL: any scorer, and then a clip    */
  double param_radius; /* B: EVERY point at which a gradient is taken is projected on this ball,  */
                       /* the first and each noisy restart too; HUGE_VAL: unprojected             */
  double label_bound;  /* Y, for diff and residual                                                */
  double offset;       /* b, for metric, factor and similarity                                    */
  double clip;         /* each ordered pair's gradient is clipped to this norm; 0: not clipped    */
} dppair_bounds;
/*
 * The constants of the loss of one ordered pair, WITHOUT any regulariser. A regulariser that does
 * not read the data has the same gradient on both of two neighbouring data sets, so it cancels in
 * every sensitivity; dppair_constants_regularise_ says where it counts.
 */
typedef struct dppair_constants {
  double slope;       /* s: sup |phi'| over the margins that are reached                          */
  double lipschitz;   /* G: sup norm of the gradient                                              */
  double smoothness;  /* L: Lipschitz constant of the gradient; HUGE_VAL when there is none       */
  double bound;       /* M: sup |loss|; HUGE_VAL when there is none                               */
  double move;        /* Dm: largest change of (grad l(z, z') + grad l(z', z))/2 when z is        */
                      /* replaced and z' is fixed                                                 */
  double replace_one; /* 2 Dm: the mean gradient's sensitivity to one replaced record, times n    */
  double zero_out;    /* ... and to one record that is made null                                  */
  int convex;         /* the loss is convex in the parameters                                     */
  unsigned projected; /* which figures hold on the ball |w| <= B only: DPPAIR_ONLY_PROJECTED_*    */
} dppair_constants;
enum {
  DPPAIR_ONLY_PROJECTED_G = 1, /* slope, lipschitz, move, replace_one, zero_out */
  DPPAIR_ONLY_PROJECTED_L = 2,
  DPPAIR_ONLY_PROJECTED_M = 4
};
enum { DPPAIR_LOW_ = 1, DPPAIR_HIGH_ = 2 }; /* ends of an interval */
/*
 * *out = the constants of a loss with a margin on the public domain *bounds. Each is an upper
 * bound, rounded up, and holds for margins as computed, in float too: where phi' or phi'' jumps at
 * an end of the interval of margins, or beyond it by up to 2^-10 of the largest margin, both sides
 * count.
 *
 * Over the n(n-1) ordered pairs a mean gradient moves by replace_one/n, or zero_out/n, but for
 * rounding. NAME_sensitivity adds that, and knows batches.
 *
 * How tight they are without a clip, at any radii, bounds and offsets, but for such a jump beyond
 * an end:
 *   G, M, zero_out   attained (the factor's up to the grid on which they are computed)
 *   L                attained by the margins that are linear in the parameters, valid for factor
 *   move             attained in ind, diff, sign by monotone links, square, least_squares, absolute
 *                    and pinball; in residual by the last four; elsewhere by links of constant
 *                    slope (hinge, absolute, pinball) but for factor. Where it is only valid it is
 *                    at most twice the truth, which is zero_out/2 at least.
 * With a clip below G all are valid and none exceeds its value without one (a clipped loss that is
 * not convex has no L); zero_out is not attained in residual.
 *
 * facts: dppair_loss_facts_of of a loss chosen at run time, or what DPPAIR_FACTS fills in for one
 * that is known.
 *
 * Errors (out zeroed): NULL (also facts of no loss); ENVIRONMENT; DOMAIN for parameters of the loss
 * or bounds out of range (radius, param_radius in [1e-60, 1e100] or HUGE_VAL, label_bound likewise
 * where it is used, clip likewise or 0, |offset| <= 1e100); NO_PROOF when the gradient has no
 * finite bound: an unbounded slope without projection, any scorer (radius HUGE_VAL) without a clip,
 * or a mean of two orders that is constant, so that only rounding errors would be released (the
 * sigmoid of a residual; a ramp whose margins never come near [0, 1]). (Xue et al. 2021 and Kang et
 * al. 2021 print smaller G and L for logistic ranking and metric learning, by factors of 2 and 4
 * and of 4.8 and 19; the tests reach the values given here.)
 */
DPPAIR_MUST_CHECK dppair_status dppair_constants_find(dppair_constants *out, dppair_margin margin,
    const dppair_loss_facts *facts, const double *params, const dppair_bounds *bounds);
/* What a regulariser outside the pair loss adds. */
typedef enum dppair_regulariser {
  DPPAIR_REGULARISER_HALF = 1, /* (lambda/2) |w|^2: strongly convex with lambda   */
  DPPAIR_REGULARISER_FULL = 2  /* lambda |w|^2:     strongly convex with 2 lambda */
} dppair_regulariser;
#define DPPAIR_HAVE_LOSSES_ /* instances have a sensitivity from here on */
#endif /* DPPAIR_LOSSES_H */
#endif
#ifndef DPPAIR_NOISE_KERNELS_
#ifndef DPPAIR_NOISE_H
#define DPPAIR_NOISE_H
enum { DPPAIR_CHACHA20 = 1, DPPAIR_AES256 = 2 };
/* A key and a position in its stream. The struct may be copied; the copy repeats the stream. Every
 * call refuses an all-zero or wiped generator with DPPAIR_ERR_CIPHER. */
typedef struct dppair_rng {
  uint32_t key[60];   /* 256 bits; for AES the key schedule, which begins with the key */
  uint64_t stream;    /* high half of the address */
  uint64_t block;     /* the next unused 64-byte block */
  int64_t owner;      /* the process that keyed it from the system; 0 for a caller's key */
  uint32_t cipher;    /* DPPAIR_CHACHA20 or DPPAIR_AES256 */
  uint32_t erase;     /* 1: the key is replaced after every call */
  uint32_t used;      /* how many bytes of `buffer` have been given out */
  uint8_t buffer[64]; /* the last block taken, for small requests */
} dppair_rng;
/* Overwrites n bytes with zeros. The compiler cannot remove the writes as dead. */
void dppair_wipe(void *p, size_t n);
enum { DPPAIR_NOISE_GAUSSIAN_ = 0, DPPAIR_NOISE_LAPLACE_ = 1 };
/* Laws of raw samples, see simulation.h. */
enum {
  DPPAIR_FILL_GAUSSIAN_ = 0,
  DPPAIR_FILL_LAPLACE_ = 1,
  DPPAIR_FILL_EXPONENTIAL_ = 2,
  DPPAIR_FILL_UNIFORM_ = 3,
  DPPAIR_FILL_RADEMACHER_ = 4
};
#define DPPAIR_NOISE_KERNELS_
#undef DPPAIR_NOISE_KERNELS_
/*
 * Makes a ChaCha20 generator from 32 bytes of key and a stream number. The same (key, stream) gives
 * the same output on every machine; different streams of one key are independent.
 * A key that protects a release must be secret and must serve one purpose: never choose records
 * with the key of the noise. Unlike dppair_rng_from_os this function does not test the ciphers (the
 * first call that adds noise does, and dppair_noise_check), and it does not notice fork(): both
 * processes then release the same noise. Errors: NULL.
 */
DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key(dppair_rng *rng, const uint8_t key[32], uint64_t
    stream);
/* The same with AES-256 in counter mode: about three times as fast as ChaCha20 where the processor
 * has AES instructions, slow (constant-time software) where it has none. A generator keeps its
 * cipher, so that a replay on another machine gives the same output. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_from_key_aes256(dppair_rng *rng, const uint8_t key[32],
    uint64_t stream);
/* Makes a generator with a key from the operating system: AES-256 where the processor has AES
 * instructions, else ChaCha20. The generator belongs to this process: after fork() the child's copy
 * is refused with DPPAIR_ERR_FORK, because it would repeat the parent's noise. The first call
 * compares the ciphers with known answers; if that failed, every call returns its error. Errors:
 * NULL, SELF_TEST, ENVIRONMENT, ENTROPY. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_from_os(dppair_rng *rng);
/* Moves to 64-byte block `block` of the stream, at most 2^54. Going back repeats output: do it to
 * replay a release or to give parts of one array to threads, never for a second release. Errors:
 * the generator's, EXHAUSTED. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_seek(dppair_rng *rng, uint64_t block);
/*
 * Switches fast key erasure on or off. With it on, every call that takes random numbers replaces
 * the key by one from which the old key cannot be computed, so that nobody who reads the memory
 * later can rebuild earlier noise. The output stays a function of the first key and the sequence of
 * calls, but seeking back is meaningless.
 */
DPPAIR_MUST_CHECK dppair_status dppair_rng_set_erasure(dppair_rng *rng, int on);
/* Makes `part` generator number `index` (below 2^54) of a generator, for a thread or a purpose: an
 * independent generator with its own key, which is a function of the parent's (cipher, key, stream)
 * and the index alone. Errors: the generator's, NULL, DOMAIN when part is rng, EXHAUSTED. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_split(dppair_rng *part, uint64_t index, const dppair_rng
    *rng);
#define DPPAIR_RNG_SAVED_SIZE 64 /* bytes of a saved state */
/*
 * Writes the state, key included, as 64 bytes that any machine can restore. Keep them secret:
 * whoever has them can undo the noise. The generator moves to its next whole block, where the
 * restored one begins. Errors: the generator's, NULL.
 */
DPPAIR_MUST_CHECK dppair_status dppair_rng_save(uint8_t out[DPPAIR_RNG_SAVED_SIZE], dppair_rng
    *rng);
/* Restores a saved state. Returns DPPAIR_ERR_FORMAT when the bytes are no saved state or were
 * changed. The generator belongs to this process like one from the system: a child's copy is
 * refused. Restore a state only once, because every copy releases the same noise. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_restore(dppair_rng *rng, const uint8_t
    saved[DPPAIR_RNG_SAVED_SIZE]);
/* n uniform bytes. Errors: NULL, the generator's; `out` is then zero. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_bytes(void *out, size_t n, dppair_rng *rng);
/* A uniform 64-bit integer. Errors as above. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_u64(uint64_t *out, dppair_rng *rng);
/* A number in the OPEN interval (0, 1): odd multiples of 2^-53, equally likely. 0 on error. */
DPPAIR_MUST_CHECK dppair_status dppair_rng_uniform_f64(double *out, dppair_rng *rng);
#define DPPAIR_GRID_DEFAULT                                                                        \
  10 /* log2_ratio of the functions without _grid: g <= scale / 2^10 < 2 g */
enum { DPPAIR_TRIAL_ = 40 }; /* numbers of a trial: whole vectors and a rest */
/*
 * Adds Gaussian noise of standard deviation sigma to each x[i] and rounds to the grid g = 2^j with
 * g <= sigma / 2^log2_ratio < 2g. This is the Gaussian mechanism exactly (see the head of this
 * file). Errors: NULL; SIGMA, DOMAIN for a sigma or log2_ratio outside the limits; NOT_FINITE,
 * OVERFLOW for an x that is not finite or beyond 2^51 g; ENVIRONMENT; the generator's. On any error
 * all of x is 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64_grid(double *x, size_t n, double sigma, int
    log2_ratio, dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f64(double *x, size_t n, double sigma,
    dppair_rng *rng);
/* The same for float: the released number is rounded once more, to float. */
DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32_grid(float *x, size_t n, double sigma, int
    log2_ratio, dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_add_gaussian_f32(float *x, size_t n, double sigma, dppair_rng
    *rng);
/* Adds Laplace noise of density exp(-|z| / scale) / (2 scale) (standard deviation 1.414 scale) and
 * rounds to the grid of `scale`. This is the Laplace mechanism exactly: epsilon = (l1 sensitivity)
 * / scale. Errors as above. */
DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64_grid(double *x, size_t n, double scale, int
    log2_ratio, dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f64(double *x, size_t n, double scale, dppair_rng
    *rng);
DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32_grid(float *x, size_t n, double scale, int
    log2_ratio, dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_add_laplace_f32(float *x, size_t n, double scale, dppair_rng
    *rng);
/*
 * Draws each x[i] exactly from the discrete Laplace law P(k) ~ exp(-|k| / t) on all integers, with
 * t = num / den, both from 1 to 2^54. It does not add to x. |x[i]| beyond 2^62 (probability below
 * 2^-300) is the error OVERFLOW, the only inexact event. Other errors: NULL, SIGMA, the
 * generator's; x is then 0. The time depends on the values drawn.
 */
DPPAIR_MUST_CHECK dppair_status dppair_discrete_laplace(int64_t *x, size_t n, uint64_t num, uint64_t
    den, dppair_rng *rng);
/*
 * Draws each x[i] exactly from the discrete Gaussian law P(k) ~ exp(-k^2 / (2 sigma^2)) on all
 * integers, with sigma^2 = num / den, both from 1 to 2^54 (Canonne, Kamath, Steinke 2020, algorithm
 * 3). It does not add to x. Added to integers of l2 sensitivity D, it is (D^2 / (2 sigma^2))-zCDP
 * like the continuous law. The only inexact event is the error OVERFLOW: a candidate of Laplace(t)
 * beyond 2^62 / (den t). Since den t^2 <= 4 max(num, den), its probability is at most
 * exp(-2^60 / max(num, den)): below 2^-92 for the largest parameters, and below 2^-1000 when both
 * are below 2^50. Other errors: NULL, SIGMA, the generator's; x is then 0. The time depends on the
 * values drawn.
 */
DPPAIR_MUST_CHECK dppair_status dppair_discrete_gaussian(int64_t *x, size_t n, uint64_t num,
    uint64_t den, dppair_rng *rng);
/* Permutes the n numbers of an array; all n! orders are equally likely. Errors: NULL, the
 * generator's; the array is then 0. */
DPPAIR_MUST_CHECK dppair_status dppair_shuffle(size_t *index, size_t n, dppair_rng *rng);
/*
 * Draws records as `sampling` says and writes their numbers, 0 to n - 1, to index[0 .. *count - 1]:
 *
 *   ALL                  every record, in order; rng is not read and may be NULL
 *   POISSON              each record independently with probability exactly m/n, in increasing
 *                        order; *count is random, and private with the batch
 *   WITHOUT_REPLACEMENT  m records, every subset equally likely, in increasing order
 *   WITH_REPLACEMENT     m records, at each place each of the n equally likely
 *   MATCHING             m records: group k is index[g k .. g k + g - 1], for g = 2 the pair
 *                        (index[2k], index[2k + 1]). No record is in two groups, and every ordered
 *                        choice of m records is equally likely
 *   ALLOCATION           is NO_PROOF: its batches belong to steps, see dppair_draw_allocation
 *
 * index has room for `capacity` numbers: n for ALL and for POISSON, where less would show the size
 * of the batch, m for the others. Errors: NULL; SIZE for less room, or a sampling that gives a rate
 * but not n; those of a sampling whose fields are not those of its kind (see dppair_normaliser).
 * All these come before anything is drawn. Then the generator's. On any error *count and all of
 * index are 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_draw(size_t *index, size_t *count, size_t capacity, const
    dppair_sampling *sampling, dppair_rng *rng);
/*
 * Draws pairs of different records as `sampling` says; pair k is (pairs[2k], pairs[2k + 1]):
 *
 *   WITH_REPLACEMENT  m pairs, at each place each of the n (n - 1) ordered pairs equally likely
 *   MATCHING          m/2 pairs without a common record: what dppair_draw draws
 *
 * `pairs` has room for 2 capacity numbers, and capacity is at least that number of pairs. Errors as
 * for dppair_draw, and NO_PROOF for the other kinds and for groups that are no pairs. On any error
 * *count and all of pairs are 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_draw_pairs(size_t *pairs, size_t *count, size_t capacity,
    const dppair_sampling *sampling, dppair_rng *rng);
enum { DPPAIR_TRIAL_BLOCKS_ = 17 }; /* as many blocks as the longest loops take, and one more */
/*
 * Returns DPPAIR_OK when this build on this machine gives the known bits: on each of its tiers,
 * both ciphers, Gaussian and Laplace noise in both types and on both kinds of grid, by the first,
 * second and last level; the exact discrete laws. Otherwise it returns
 * DPPAIR_ERR_SELF_TEST (or ENVIRONMENT); do not release anything with such a build. The reason for
 * the test: compilers have been seen to give the noise of one level the wrong sign. It takes 0.3 to
 * 0.9 ms with -O2 and some ms without optimisation. You need not call it: dppair_rng_from_os tests
 * the ciphers, and each law is tested by the first call that adds it. Each module
 * with a law has a check of its own (dppair_shares_check).
 */
DPPAIR_MUST_CHECK dppair_status dppair_noise_check(void);
#ifdef DPPAIR_SIMULATION
/* Simulation only: independent Gaussians of mean 0 and standard deviation sigma > 0. */
DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f64(double *x, size_t n, double sigma,
    dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_fill_gaussian_f32(float *x, size_t n, double sigma,
    dppair_rng *rng);
/* Simulation only: density exp(-|z| / scale) / (2 scale). */
DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f64(double *x, size_t n, double scale,
    dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_fill_laplace_f32(float *x, size_t n, double scale, dppair_rng
    *rng);
/* Simulation only: density exp(-z / scale) / scale, z > 0. */
DPPAIR_MUST_CHECK dppair_status dppair_fill_exponential_f64(double *x, size_t n, double scale,
    dppair_rng *rng);
/* Simulation only: uniform in (0, width). */
DPPAIR_MUST_CHECK dppair_status dppair_fill_uniform_f64(double *x, size_t n, double width,
    dppair_rng *rng);
/* Simulation only: scale or -scale, equally likely. */
DPPAIR_MUST_CHECK dppair_status dppair_fill_rademacher_f64(double *x, size_t n, double scale,
    dppair_rng *rng);
/* Simulation only: a uniform point on the sphere of the given radius in n >= 1 dimensions. */
DPPAIR_MUST_CHECK dppair_status dppair_fill_sphere_f64(double *x, size_t n, double radius,
    dppair_rng *rng);
/* Simulation only: the Gamma law of shape in [2^-10, 2^40] and scale > 0, by Marsaglia and Tsang
 * 2000. Shapes a < 1: a variable of shape a + 1 times the power 1/a of a uniform one. The number of
 * tries depends on the values. */
DPPAIR_MUST_CHECK dppair_status dppair_fill_gamma_f64(double *x, size_t n, double shape, double
    scale, dppair_rng *rng);
#endif
#define DPPAIR_HAS_NOISE_ /* with the accountant there too, in either order: the releases */
#ifdef DPPAIR_H
#define DPPAIR_CORE_ONLY_
#include "dppair_declare.h"
#undef DPPAIR_CORE_ONLY_
#endif
#endif /* DPPAIR_NOISE_H */
#else /* DPPAIR_NOISE_KERNELS_: the kernels of one tier, DPPAIR_TIER_ */
#endif
#ifndef DPPAIR_NOISE_KERNELS_
#ifndef DPPAIR_ACCOUNTANT_H
#define DPPAIR_ACCOUNTANT_H
/* Where `upper` comes from. As an argument (dppair_accountant_by_route): which route to take. */
typedef enum dppair_route {
  DPPAIR_ROUTE_BEST = 0,    /* argument only: whichever is tightest */
  DPPAIR_ROUTE_CLOSED = 1,  /* plain Gaussian steps, or one run of one step: the exact curve; one
                               perturbed objective beside Gaussian steps: a bound near it */
  DPPAIR_ROUTE_CONTOUR = 2, /* contour integral of the moment function */
  DPPAIR_ROUTE_LATTICE = 3, /* losses on a lattice, by tilted FFT */
  DPPAIR_ROUTE_BOTH = 4,    /* the smaller upper and the larger lower bound of the last two */
  DPPAIR_ROUTE_RENYI = 5,   /* the best Renyi order */
  DPPAIR_ROUTE_PURE = 6     /* the sum of the steps' pure epsilons */
} dppair_route;
/* lower <= truth <= upper. What is spent is `upper`. */
typedef struct dppair_interval {
  double lower;    /* 0 where no mechanism and no two data sets are known to attain it */
  double upper;    /* infinite where nothing bounds epsilon */
  double estimate; /* `upper` unless the two are within 1 % */
  double order;    /* the Renyi order that `upper` comes from; 0 on other routes */
  dppair_route route;
  size_t bytes; /* with WORKSPACE: how many bytes of workspace the question needs; else 0 */
} dppair_interval;
/* *delta >= the exact delta at epsilon >= 0 and mu >= 0, within 1e-12 relative where delta >=
 * 1e-300 and mu <= 1e9. It is 0 only for mu = 0; on underflow it is the smallest normal number.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DOMAIN (mu); so for the functions below. */
DPPAIR_MUST_CHECK dppair_status dppair_gaussian_delta(double *delta, double epsilon, double mu);
/* *log_delta: the logarithm of the same, rounded up. delta itself may be far below the smallest
 * double. Errors: NULL, ENVIRONMENT, NOT_FINITE, EPSILON (< 0), DOMAIN (mu <= 0). */
DPPAIR_MUST_CHECK dppair_status dppair_gaussian_log_delta(double *log_delta, double epsilon, double
    mu);
/* *epsilon >= the smallest epsilon >= 0 at which a mu-Gaussian mechanism is (epsilon,
 * delta)-private. delta in (0, 1); mu in [0, 1e70] (DOMAIN). */
DPPAIR_MUST_CHECK dppair_status dppair_gaussian_epsilon(double *epsilon, double delta, double mu);
/* *mu <= the largest mu for which N(mu, 1) against N(0, 1) is (epsilon, delta)-private. epsilon in
 * [0, 1e100]; delta in (0, 1). OVERFLOW: no double is small enough. */
DPPAIR_MUST_CHECK dppair_status dppair_gaussian_mu(double *mu, double epsilon, double delta);
/*
 * *sigma: the noise scale that makes `steps` >= 1 adaptive releases, each with this l2 sensitivity,
 * (epsilon, delta)-private together: sensitivity * sqrt(steps) / mu(epsilon, delta), rounded up.
 * sensitivity >= 0; 0 gives 0. Errors: those of dppair_gaussian_mu, SENSITIVITY, SIZE (steps).
 */
DPPAIR_MUST_CHECK dppair_status dppair_gaussian_sigma(double *sigma, double sensitivity, double
    epsilon, double delta, size_t steps);
#define DPPAIR_FIRST_ROWS_(X)                                                                      \
  X(DPPAIR_GAUSSIAN, gaussian, "gaussian", 0, DPPAIR_IS_SCALE_, DPPAIR_GAUSSIAN_LOSS_,             \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_LAPLACE, laplace, "laplace", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)      \
  X(DPPAIR_PURE, pure, "pure", 0, DPPAIR_IS_EPSILON_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)             \
  X(DPPAIR_ZCDP, zcdp, "zcdp", 0, DPPAIR_IS_RHO_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                  \
  X(DPPAIR_SAMPLED_GAUSSIAN, sampled_gaussian, "sampled-gaussian", DPPAIR_READS_SAMPLING_,         \
    DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)                                              \
  X(DPPAIR_SAMPLED_PAIRS, sampled_pairs, "sampled-pairs",                                          \
    DPPAIR_READS_SAMPLING_ | DPPAIR_READS_PAIR_RATE_, DPPAIR_IS_SCALE_, DPPAIR_ANY_LOSS_,          \
    DPPAIR_BOTH_)                                                                                  \
  X(DPPAIR_RANDOMISED_RESPONSE, randomised_response, "randomised-response", 0, DPPAIR_IS_EPSILON_, \
    DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
#define DPPAIR_L2BALL_ROWS_(X)                                                                     \
  X(DPPAIR_L2BALL, l2ball, "l2-ball", 0, DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
#define DPPAIR_SHARES_ROWS_(X)                                                                     \
  X(DPPAIR_SKELLAM, skellam, "skellam", 0, DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_BOTH_)     \
  X(DPPAIR_SAMPLED_SKELLAM, sampled_skellam, "sampled-skellam", DPPAIR_READS_SAMPLING_,            \
    DPPAIR_IS_SCALE_, DPPAIR_WHOLE_LOSS_, DPPAIR_ZEROED_)
#define DPPAIR_OBJECTIVE_ROWS_(X)                                                                  \
  X(DPPAIR_OBJECTIVE, objective, "objective-perturbation", DPPAIR_READS_RIDGE_, DPPAIR_IS_SCALE_,  \
    DPPAIR_ANY_LOSS_, DPPAIR_BOTH_)
#define DPPAIR_PURE_OBJECTIVE_ROWS_(X)                                                             \
  X(DPPAIR_PURE_OBJECTIVE, pure_objective, "pure-objective-perturbation", DPPAIR_READS_RIDGE_,     \
    DPPAIR_IS_SCALE_, DPPAIR_PURE_LOSS_, DPPAIR_BOTH_)
#define DPPAIR_MECHANISM_TABLE(X)                                                                  \
  DPPAIR_FIRST_ROWS_(X)                                                                            \
  DPPAIR_L2BALL_ROWS_(X)                                                                           \
  DPPAIR_SHARES_ROWS_(X)                                                                           \
  DPPAIR_OBJECTIVE_ROWS_(X)                                                                        \
  DPPAIR_PURE_OBJECTIVE_ROWS_(X)
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) kind,
/* The laws of noise, and of draws beside it, that an account can charge. */
typedef enum dppair_mechanism_kind {
  DPPAIR_NO_MECHANISM_ = 0,
  DPPAIR_MECHANISM_TABLE(DPPAIR_X_)
} dppair_mechanism_kind;
#undef DPPAIR_X_
#define DPPAIR_X_(kind, name, text, reads, multiplier, loss, relations) +1
enum { DPPAIR_MECHANISM_COUNT_ = 1 DPPAIR_MECHANISM_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_
/* What a row reads. PAIR_RATE: of Poisson pairs, instead of the sampling's rate. RIDGE: that of a
 * perturbed objective. */
enum { DPPAIR_READS_SAMPLING_ = 1, DPPAIR_READS_PAIR_RATE_ = 2, DPPAIR_READS_RIDGE_ = 4 };
/* What the noise multiplier is: scale / sensitivity, which calibration scales; epsilon; rho. */
enum { DPPAIR_IS_SCALE_ = 1, DPPAIR_IS_EPSILON_ = 2, DPPAIR_IS_RHO_ = 3 };
/* PURE: a loss never exceeds epsilon: dppair_step_loss_. GAUSSIAN: it
 * is a normal variable, and steps compose on the exact curve. WHOLE: its Renyi curve is known at
 * whole orders, and between them by convexity. */
enum {
  DPPAIR_ANY_LOSS_ = 0,
  DPPAIR_PURE_LOSS_ = 1,
  DPPAIR_GAUSSIAN_LOSS_ = 2,
  DPPAIR_WHOLE_LOSS_ = 3
};
/* A bit per move. */
enum {
  DPPAIR_ZEROED_ = (int)DPPAIR_ZERO_OUT,
  DPPAIR_BOTH_ = (int)DPPAIR_REPLACE_ONE | (int)DPPAIR_ZERO_OUT
};
/* The name that texts use; "none" for 0 and for what is no such kind. A static string. */
const char *dppair_mechanism_name(dppair_mechanism_kind kind);
/*
 * noise_multiplier:
 *   DPPAIR_GAUSSIAN             sigma / sensitivity
 *   DPPAIR_LAPLACE              scale / l1 sensitivity
 *   DPPAIR_L2BALL               scale / l2 sensitivity; noise of density exp(-|z|_2/scale):
 *                               dppair_l2ball.h
 *   DPPAIR_PURE                 epsilon of any epsilon-private mechanism
 *   DPPAIR_RANDOMISED_RESPONSE  epsilon; two answers
 *   DPPAIR_ZCDP                 rho
 *   DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE
 *                               scale of the linear term's noise / (steepest slope times radius);
 *                               both read ridge as well (mechanisms/objective.h)
 *   DPPAIR_SKELLAM, DPPAIR_SAMPLED_SKELLAM, of dppair_shares.h
 *                               dppair_skellam_sigma of the noise's variance / l2 sensitivity of
 *                               the integers; sampled: by Poisson records, over the move of a
 *                               zeroed one
 * For DPPAIR_SAMPLED_GAUSSIAN and DPPAIR_SAMPLED_PAIRS it is sigma divided by
 *   Poisson records             the move when one record is added or zeroed (both adjacencies:
 *                               replace-one is the pair of mixtures towards +1 and -1)
 *   allocated records           the same: when one record is absent from the allocation. `steps`
 *                               counts batches, and an epoch that was begun counts whole
 *   without replacement, with replacement, matching
 *                               the replace-one sensitivity of the batch statistic (one slot).
 *                               With `owned` (without replacement alone) the same: the account
 *                               counts j drawn records of a user as T(m, j)/(m-1) of one, which
 *                               is how far pairs of two classes move (dppair_sampling_far_). For
 *                               other pairs pass dppair_sensitivity; for a sum of
 *                               vectors, one of each record, twice the move of one is enough
 *   sampled pairs               the clip of one pair's vector; of one group's, where groups of more
 *                               than two are drawn
 * pair_rate is the probability of each unordered pair and is read for Poisson pairs only, which
 * read n besides and nothing else; elsewhere it is 0. steps >= 1. Steps without sampling read of
 * `sampling` only the adjacency, which may be 0. ridge is read for perturbed objectives only, and
 * elsewhere 0.
 */
typedef struct dppair_step {
  dppair_mechanism_kind kind;
  dppair_sampling sampling;
  double noise_multiplier;
  double pair_rate;
  size_t steps;
  double ridge; /* ridge / (top curvature times radius^2) of a perturbed objective */
} dppair_step;
/* The fields that texts of a step hold besides its noise multiplier and the number of steps. */
enum {
  DPPAIR_FIELD_SAMPLING_ = 1,
  DPPAIR_FIELD_Q_ = 2,
  DPPAIR_FIELD_N_ = 4,
  DPPAIR_FIELD_M_ = 8,
  DPPAIR_FIELD_PAIR_RATE_ = 16,
  DPPAIR_FIELD_BATCHES_ = 32,
  DPPAIR_FIELD_GROUP_ = 64,
  DPPAIR_FIELD_OWNED_ = 128, /* where users are protected and records are drawn */
  DPPAIR_FIELD_RIDGE_ = 256
};
/* Whether a pair of data sets attains the laws by which a step is charged, so that a lower bound
 * for the laws is one for the mechanism: never; by a single run alone; always. */
enum { DPPAIR_ATTAINED_NEVER_ = 0, DPPAIR_ATTAINED_ONCE_ = 1, DPPAIR_ATTAINED_ALWAYS_ = 2 };
struct dppair_rng;
struct dppair_rng;
/* Stores one line of `length` characters, which has no terminator. OK: the line is stored, and a
 * crash would not lose it. */
typedef dppair_status (*dppair_ledger_sink)(const char *line, size_t length, void *context);
struct dppair_accountant;
struct dppair_ledger_entry;
/* Where the lines of a plan go; dppair_ledger_to makes one. It carries what writes them, so that
 * programs without a ledger do not hold it. All 0: no ledger. */
typedef struct dppair_ledger {
  dppair_status (*step)(struct dppair_accountant *a, const struct dppair_ledger_entry *entry,
                        dppair_ledger_sink sink, void *context); /* dppair_ledger_step */
  dppair_ledger_sink sink;
  void *context; /* of the sink */
} dppair_ledger;
/* All zero, and then what is asked for. Fields that stay 0 (NULL) are not asked for. */
typedef struct dppair_plan {
  double epsilon, delta;    /* the account is to end within these, the plan's steps included */
  size_t steps;             /* releases, >= 1 */
  dppair_sampling sampling; /* who the neighbours are, and how each release draws its records */
  dppair_mechanism_kind
      noise;               /* of the noise: 0 or DPPAIR_GAUSSIAN; without a draw DPPAIR_LAPLACE or
                                DPPAIR_L2BALL too, and for dppair_release_minimiser
                                DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE (L2BALL and PURE_OBJECTIVE
                                are of dppair_l2ball.h); for dppair_release_share, of
                                dppair_shares.h, DPPAIR_SKELLAM, all or Poisson samples */
  double ridge;            /* of the two: as in dppair_step, > 0 */
  double output_mu;        /* of the two: mu (pure: epsilon) > 0 of the output noise of each
                                release, which hides how far it is from the minimiser. Charged as
                                plain noise, on a line of its own before the plan's */
  double failure;          /* probability, within delta, that tests of the plan's releases may
                                pass wrongly (dppair_evaluate_partial_auc), failure/steps each */
  double noise_multiplier; /* noise scale over sensitivity, as in dppair_step; 0: to be found */
  dppair_ledger ledger;    /* where the plan's line goes before it is charged */
  uint64_t check;          /* dppair_calibrate's: what noise_multiplier was found for */
} dppair_plan;
/*
 * Gradient (in W, Frobenius norm) of the metric-learning risk with margin yy'(1 - M_W(x, x')),
 * normalised by n(n-1), rows ||x|| <= radius, V = 4 radius^2; phi convex and non-increasing, or the
 * square. slope_same and slope_opposite bound |phi'| over the margins that pairs of equal and of
 * opposite labels reach: |phi'(1 - V B)| and |phi'(-1)| for positive semidefinite ||W|| <= B,
 * |phi'(1 - V B)| and |phi'(-1 - V B)| for symmetric W. The margins are those that are computed, so
 * both ends need room (float: 2^-10 of the largest; a projected W has eigenvalues just below 0),
 * and where phi' jumps at an end, both sides count; dppair_constants_find does this.
 *
 *   replaced  2 V (slope_same + slope_opposite)/n
 *   zeroed    2 V max(slope_same, slope_opposite)/n
 *
 * Proof: with the partner fixed, equal labels give +a v v^T and opposite ones -b w w^T, and two
 * members of one family differ by at most V sup slope (||a v v^T - b w w^T||_F <= s V for v, w in
 * B(-x',R)).
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_metric(double *sensitivity, double radius, double
    slope_same, double slope_opposite, size_t n, dppair_adjacency adjacency);
/*
 * (1/n) sum_i clip_R( mean over j of g_ij ), each ||g_ij|| <= C = pair_clip. Replacing a record
 * moves its own term by 2R and every other one by min(2R, 2C/(n-1)), so [2R + (n-1) min(2R,
 * 2C/(n-1))]/n; zeroing one moves them by R and min(2R, C/(n-1)), as a clipped term can still turn
 * around. pair_clip = 0 means unclipped pairs: then the other n-1 terms move by 2R each, and the
 * bound does not shrink with n.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_record_clip(double *sensitivity, double
    record_clip, double pair_clip, size_t n, dppair_adjacency adjacency);
/* What is known of the totals of a record with its partners. A total is the gradient of one
 * unordered pair: both orders added up. */
typedef enum dppair_levels {
  DPPAIR_LEVELS_TWO = 1,     /* ranking losses with two label levels: phi(w.(x - x')) 1[y > y']
                                ('ind'), phi(sign(y - y') w.(x - x')) ('sign'), phi((y - y')
                                w.(x - x')) ('diff') */
  DPPAIR_LEVELS_GENERAL = 2, /* any loss of a linear margin: three label levels or more, the pinball
                                of y - y' - w.(x - x') */
  DPPAIR_LEVELS_ANY = 3,     /* any loss: metrics, networks, similarities, a clip alone */
  DPPAIR_LEVELS_REAL = 4     /* 'diff' with real labels; the square of y - y' - w.(x - x') */
} dppair_levels;
/* One pair of records, as dppair_sensitivity reads it. Unused fields are 0. */
typedef struct dppair_pair_unit {
  dppair_levels levels;
  double unit;  /* u: the largest norm of a total; HUGE_VAL: only a clip bounds it */
  double clip;  /* C: totals are clipped to this norm; 0: not */
  double block; /* users are drawn: the weighted total of two of them has at most this norm;
                     0: not clipped */
  double
      matched; /* > 0: a batch of a random size (POISSON, ALLOCATION) is put into pairs at random,
                     and the sum of their totals is divided by this constant */
  int classes; /* users are drawn: 1: a user's positives and his negatives have weights of
                     their own, each summing to 1 */
} dppair_pair_unit;
/*
 * *sensitivity of the sum over the pairs of a step, divided by dppair_normaliser: what the noise
 * multiplier of the step divides (`sensitivity` of dppair_accountant_gaussian for ALL, of
 * dppair_accountant_sampled_gaussian for the others). With c = min(u, C) the norm of a total and D
 * its move, min(u, 2C) for two levels and real labels, else 2c:
 *
 *   ALL                        n records   D/n replaced, c/n zeroed
 *   WITHOUT, WITH_REPLACEMENT  m drawn     D/m, replaced only
 *   MATCHING                   m drawn     2 D/m, replaced only, pairs only, records only
 *   POISSON, ALLOCATION        mbar        c/mbar for two levels, min(u, 3C/2)/mbar for a linear
 *                              expected    margin and real labels, else 3c/(2 mbar): under both
 *                                          relations, when a record joins. mbar is m or n
 *                                          group/batches
 *   the same, pair->matched    any         D/matched under both relations, records only
 *
 * `u` of a ranking loss for rows |x| <= R and slopes |phi'| <= s over the margins that are reached:
 * 2Rs ('ind'), 4Rs ('sign'; the square of a residual), 8Rs Y ('diff', labels |y| <= Y), 2R (the
 * pinball of a residual); for any other loss twice the largest norm of one ordered pair's gradient.
 * C is the clip of a total: twice that of an ordered pair's gradient, except for 'ind' with two
 * levels, where one order of a pair is 0. If your statistic has one vector for each matched pair,
 * that vector is the total. So the mean over the n (n-1) ordered pairs of vectors of norm <= G:
 * LEVELS_ANY, u = 2G: 4G/n replaced and 2G/n zeroed.
 *
 * Users. The relation is about users, and n, m and q count
 *   users who are drawn (sampling->owned = 0): each user's records have weights >= 0 of sum 1 at
 *     most; F = sum over users a != b, i of a, j of b of w_i w_j l(z_i, z_j), pairs inside a
 *     user left out. How many records a user has, and their labels, is private. The table holds
 *     with users for records. block = B: with c at most B, D at most 2B, and 3B/2 when a user
 *     joins. classes: weights that sum to 1 over a user's positives and over his negatives; two
 *     levels only, c and D are twice as large.
 *   records, of which a user owns at most sampling->owned (a public bound): ALL: what `owned`
 *     of n records move (dppair_owned_pairs_) over n (n-1), for two levels replaced u T(n, k)/(n
 *     (n-1)), T(n, k) = q (n-q) + floor(k^2/4), q = min(k, n/2). WITHOUT_REPLACEMENT, replaced:
 *     D/m, 2u/m for a linear margin: how far ONE record moves the batch; the account knows how many
 *     of a user's records are drawn, and counts j of them T(m, j)/(m-1) times that. Any other
 *     loss, and clipped totals of a linear margin, move farther: dppair_sampling_far_, at most
 *     1.24. n - owned >= m >= 2.
 *
 * Errors: those of the head of sensitivity.h and of a sampling; SIZE: n or m missing, or 1;
 * NO_PROOF: nothing bounds the gradient, or no proof for this draw; ADJACENCY: queries, or a
 * relation without a proof for this draw; UNREAD: a field of the pair that this sampling does not
 * read.
 *
 * Proof for one record, replaced. Fix the partner z'. Two levels and real labels: the two orders of
 * a pair sum to a multiple in [0, k s] of +-(x - x'), the sign given by the labels; x - x' runs
 * over the ball B(-x', R), which contains 0 because |x'| <= R, so all totals lie in one convex set
 * of diameter u that contains 0. n - 1 partners, divided by n (n-1). Clipping keeps the set
 * star-shaped about 0 and inside the ball of radius C. With three levels both signs can occur with
 * one partner. The square loss (1-t)^2, whose slope changes sign, obeys the rows with s = sup
 * |phi'|: (1 - w.a) a - (1 - w.b) b is at most |a - b| + |w| ||a a^T - b b^T|| <= 2R + 4 R^2 |w|
 * for a, b in B(-x', R); so does the square of a residual, of slope 4 (Y + R |w|). The pinball's
 * two orders add up to the absolute value, of slope 1. On a domain that is not a ball R is half the
 * diameter of its convex hull. Any other loss: 2 (n-1) ordered pairs touch the record. Attained.
 *
 * Proof for a record that joins b others: f is the sum of its b totals, S that of the others, and
 * the move is [f/b - S/(b (b-1))]/mbar. Two levels: of the b others p have the other label, so |f|
 * <= p c, |S| <= p (b-p) c, and the move is at most c p (2b-1-p)/(b (b-1))/mbar <= c/mbar, p being
 * an integer of at most b. A linear margin, along a unit vector: a total is at most c |t - t'|/2, t
 * = x.e/R in [-1, 1]; |f|/b + |S|/(b (b-1)) is convex in every t, so each t is +-1, and p counts
 * the others at the other end. A clipped total has no such form: |f| <= b c, |S| <= b (b-1) c/2. A
 * plain sum over all pairs of such a batch, over a constant, has no bound: it moves by more the
 * larger the batch is.
 *
 * Proof for matched batches of a random size: a record that joins a batch of even size takes the
 * partner of another one, which is left single: one pair is exchanged. (Couple the uniform
 * matchings of both batches that way; of odd size it joins the single one, which adds a pair.)
 *
 * Proof for users who are drawn. With the partner b fixed, the block of a and b is a convex
 * combination of points of the sets in which totals with one partner lie (and of 0): at most c, and
 * it moves by at most D. A block clipped to B stays in that set and in the ball. A user who joins:
 * the move is convex in each user's weights, hence largest where each has one record.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity(double *sensitivity, const dppair_pair_unit
    *pair, const dppair_sampling *sampling);
/* How the list of items came about. */
typedef enum dppair_owner_list {
  DPPAIR_LIST_PUBLIC = 1, /* items, owners and weights are public, or fixed before the data */
  DPPAIR_LIST_PRIVATE = 2,
  DPPAIR_LIST_GREEDY = 3 /* items were let in while their owners had room */
} dppair_owner_list;
/*
 * Items (pairs, triples, groups) with several owners each: the sum over items e of w_e times a
 * vector of norm <= clip, where no user's items have weights of more than `load` together
 * (dppair_owner_load): clip load when a user is zeroed, his items contributing 0; 2 clip load
 * when his data are replaced.
 * The list must be public. NO_PROOF for the others: a user with d partners, each of whom shares
 * one more item with an outsider, has load 1, but without him the weights of those d items rise
 * from 1/2 to 1; and where items are let in one by one, one of them that is gone makes room for
 * another, and so on along a path that may run through all of them.
 * Items of the list drawn independently with a public rate, each weight 1, are charged as Poisson
 * pairs of n = 1 + the largest number of items of one user, clip over the noise of the sum.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_owners(double *sensitivity, double clip, double
    load, dppair_owner_list list, dppair_adjacency adjacency);
/*
 * *load = the largest sum of weight[e] (NULL: 1 each) over the items of one of `users` users,
 * rounded up. The owners of item e are owner[first[e]] to owner[first[e + 1] - 1], below `users`;
 * first has items + 1 places and begins with 0. sum: room for `users` doubles, which hold the
 * loads of all afterwards, 0 after an error. Errors: NULL; ENVIRONMENT; NOT_FINITE, DOMAIN: a
 * weight; SIZE: an owner, or places out of order; OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_owner_load(double *load, double *sum, size_t users, const
    size_t *owner, const size_t *first, const double *weight, size_t items);
/*
 * Queries with m_q records each, whose pairs are inside one query. The statistic is sum_q w_q times
 * the sum over the ordered pairs of q, or the mean over the queries of h_q = (pair sum)/(m_q
 * (m_q - 1)), which is 0 for m_q <= 1. The number of queries and all that stands here is public.
 */
typedef struct dppair_queries {
  size_t count;
  const size_t *size;    /* m_q; NULL: private, and the statistic is the mean of the h_q */
  const double *weight;  /* w_q >= 0; NULL: the mean of the h_q. Public, like the sizes */
  const size_t *records; /* where users are protected: at most so many of one user's in q */
  double clip;           /* of a mean: each h_q is clipped to this norm; 0: not */
  int moving; /* 1: a replaced record may be in another query, so that sizes are private */
} dppair_queries;
/*
 * How far the statistic moves, by what is protected. c = min(C, u) is the norm of a total, P(m, k)
 * what k of m records move the sum over their pairs (dppair_owned_pairs_: for two levels, replaced,
 * u T(m, k), else at most twice the sum of the totals that they touch).
 *
 *   record        stays in its query; sizes public       max w_q P(m_q, 1): with means, two
 *                                                         levels, u/(count min m_q)
 *   record        may change its query, sizes private    replaced min(4 clip, 4c/3)/count
 *                                                         zeroed half of it
 *   user        sizes public, records[q] in query q    sum w_q P(m_q, records[q])
 *   query         sizes public                           max w_q P(m_q, m_q)
 *   query         sizes private                          replaced min(2 clip, c)/count, zeroed half
 *
 * With public sizes each query's part is at most 2 clip/count too (clip/count where all of it is
 * zeroed). All else is NO_PROOF: private sizes with weights of one's own; a user and private
 * sizes; a record that stays in a query of private size; clipped h_q that are not averaged.
 *
 * Proof. Pairs touch one query each, and the queries' directions can agree. |h_q| <= c/2, as a
 * query has m (m-1)/2 totals; attained at m = 2. A record that leaves a query of m moves h_q by
 * (2/m) (M - a), M the mean total over 2 of the m - 1 others and a that of the record with them,
 * |M| and |a| halved: at most c/2 for m = 2 and 2c/3 for m >= 3 (attained, without structure); so
 * does a null that stays. One that changes its query moves two of them. Clipping is 1-Lipschitz.
 *
 * Queries that are drawn: `count` is the number of queries in a batch (a constant), and the law is
 * that of records, with the queries for them: without replacement the value for replacing, Poisson
 * that for zeroing. SIZE also: no query has a pair, or more records than it has.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_queries(double *sensitivity, const
    dppair_pair_unit *pair, const dppair_queries *queries, dppair_adjacency adjacency);
/*
 * Groups of g records (contrastive losses, triplets, quadruplets), each group's vector any function
 * of its records, clipped to `clip` = C: what the noise multiplier of such a step divides, as
 * `sensitivity` of the function named. The relation is about records.
 *
 *   MATCHING          m of n records without replacement, put at random into m/g groups; the mean
 *                     over the groups: 2 C g/m, _sampled_gaussian, whose rate is m/n. All records
 *                     in groups (m = n): the same without amplification, and C g/n under ZERO_OUT
 *                     if dropped
 *   WITH_REPLACEMENT  m groups, each a uniform subset of g = group of n records (0: pairs),
 *                     independent of the others; their sum: C, _sampled_pairs, which counts 2C for
 *                     each of K ~ Bin(m, g/n) hits
 *   POISSON           the groups of a public partition, n of them, each with a coin of rate q, or
 *                     m/n; their sum: C, _sampled_gaussian (replaced: +C against -C; ZERO_OUT only
 *                     if dropped)
 *
 * dropped: groups that hold a null record contribute nothing; where they are pairs the nulls see to
 * that. A group whose member becomes null still has a vector of norm C otherwise, and moves by 2C.
 * Under sampling without replacement zeroing moves 2C/b even if dropped: "not drawn" (-C, a fresh
 * record) and "drawn" (+C) are that far apart.
 * Errors: also those of the sampling; SIZE: m or n missing; ADJACENCY: ZERO_OUT where it is not
 * covered; NO_PROOF: another kind.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_groups( double *sensitivity, double clip, const
    dppair_sampling *sampling, int dropped);
#define DPPAIR_AMPLIFIED_HITS_ 64 /* in numerical composition, where each is two branches */
enum {
  DPPAIR_LAW_NONE_ = 0,
  DPPAIR_LAW_GAUSSIAN_,
  DPPAIR_LAW_MIXTURE_,
  DPPAIR_LAW_OPPOSITE_,
  DPPAIR_LAW_AMPLIFIED_,
  DPPAIR_LAW_LAPLACE_,
  DPPAIR_LAW_RESPONSE_,
  DPPAIR_LAW_POSITIVE_,
  DPPAIR_LAW_TABLE_ /* a module's (composition/tables.h): no branches */
};
enum { DPPAIR_FORWARD_ = 0, DPPAIR_BACKWARD_ = 1, DPPAIR_OPPOSITE_ = 2 };
/*
 * *rdp = the Renyi divergence of order a in (1, 1e12] that one execution of the step costs, rounded
 * up (within 1e-10 relative); of allocated records, one epoch of 1 of batches/group batches,
 * bounded by that of plain Gaussian noise. hit_cap is 0, or the largest number of hits on one
 * record that is counted; then *unpaid, the probability of more, must be added to delta once per
 * execution. With d0 = *unpaid, T executions and P_c the law of those in which no record has more,
 *
 *   P(E) <= T d0 + (1-d0)^T P_c(E),
 *
 * since the law of the hits is the same under both data sets. Errors: NULL, ENVIRONMENT,
 * NOT_FINITE, DOMAIN (order), OVERFLOW, and those of the step.
 */
DPPAIR_MUST_CHECK dppair_status dppair_renyi(double *rdp, double *unpaid, const dppair_step *step,
    double order, size_t hit_cap);
/* One entry. For mechanisms whose noise_multiplier is a noise scale over a sensitivity, sensitivity
 * and sigma (that scale) say where it comes from; both are 0 where they vary from step to step or
 * are not known. For other mechanisms both are 0. */
typedef struct dppair_ledger_entry {
  dppair_step step; /* its sampling states the neighbours, for plain steps too; or 0 */
  double sensitivity, sigma;
  double failure;    /* probability in [0, 1] that is added to delta (dppair_accountant_failure) */
  uint8_t nonce[16]; /* public random bits of whoever drew the noise's keys; 0: not recorded */
  uint64_t sequence; /* its number in the account, from 1 */
  uint64_t check;    /* of the account once it is charged */
} dppair_ledger_entry;
#define DPPAIR_LEDGER_LINE 512 /* characters: no line is longer */
#define DPPAIR_STEP_CAPACITY 128 /* different steps that an account holds */
#define DPPAIR_ORDER_COUNT 150   /* Renyi orders */
#define DPPAIR_RECENT_CHARGES 64 /* charges that it remembers by themselves, to find one twice */
typedef struct dppair_accountant {
  uint32_t ready;             /* set by dppair_accountant_init */
  dppair_status broken;       /* why the first refused step was refused; OK: none was */
  dppair_adjacency adjacency; /* the neighbours that every answer holds for; 0: unstated */
  dppair_adjacency named;     /* what all steps state that state one, or the statement; else 0 */
  int stated;                 /* 1: by dppair_accountant_neighbours; -1: some step states none */
  int unattained;             /* some step is charged more than any two data sets attain */
  int folded;                 /* the table was full: answers come from the fixed orders */
  double gaussian;            /* sum of (sensitivity / sigma)^2 over plain Gaussian steps */
  double additions;           /* how often that sum was rounded up */
  double zcdp;                /* sum of rho */
  double pure;                /* sum of epsilon over the steps that have one */
  double failure;             /* probability that is added to delta */
  size_t count;               /* distinct steps in the table */
  uint64_t sequence;          /* charges so far */
  uint64_t check;             /* over all of them: dppair_ledger_check_of_ */
  uint64_t recent[DPPAIR_RECENT_CHARGES]; /* the latest checks, each at sequence % capacity */
  dppair_step step[DPPAIR_STEP_CAPACITY];
  double rdp[DPPAIR_ORDER_COUNT]; /* folded steps: their divergences at the fixed orders */
} dppair_accountant;
/* Empties an account: nothing has been released. Errors: NULL. */
dppair_status dppair_accountant_init(dppair_accountant *a);
/* States the neighbours that all steps of the account are about; calling it again with the same
 * ones changes nothing. Another relation than what was stated before, or an account that holds a
 * step which states none: DPPAIR_ERR_ADJACENCY, and the account is broken. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_neighbours(dppair_accountant *a, dppair_adjacency
    adjacency);
/*
 * Adds any step, described as in dppair_step. A step without a valid proof, or
 * whose adjacency contradicts an earlier one, breaks the account; the reason is returned. Plain
 * steps may leave out their adjacency.
 */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_step(dppair_accountant *a, const dppair_step
    *step);
/* Adds `steps` >= 1 releases with Gaussian noise sigma > 0 of statistics with this l2 sensitivity
 * > 0. A sensitivity of 0 is refused: constants need no noise, and 0 is what a function leaves
 * behind whose error nobody looked at. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_gaussian(dppair_accountant *a, double sensitivity,
    double sigma, size_t steps);
/* Adds `steps` releases with Laplace noise of this scale per coordinate; the sensitivity is in the
 * l1 norm. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_laplace(dppair_accountant *a, double
    l1_sensitivity, double scale, size_t steps);
/* Adds `steps` releases by any epsilon-private mechanism. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_pure(dppair_accountant *a, double epsilon, size_t
    steps);
/* Adds `steps` Gaussian releases of a statistic of freshly sampled records. dppair_step says for
 * each kind of sampling which move `sensitivity` is. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_sampled_gaussian(dppair_accountant *a,
    dppair_sampling sampling, double sensitivity, double sigma, size_t steps);
/* Adds `steps` Gaussian releases of a sum of the vectors of freshly sampled pairs, each of norm <=
 * pair_clip, n records. Poisson: every unordered pair is drawn with probability sampling.q and
 * gives one vector. With replacement: m independent uniform pairs. Matching: m records, so m/2
 * pairs. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_sampled_pairs( dppair_accountant *a,
    dppair_sampling sampling, double pair_clip, double sigma, size_t steps);
/* Adds gamma in [0, 1] to delta: the probability, under both data sets, of an event in which the
 * account may be wrong (more hits than a cap, a bound that holds with high probability). */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_failure(dppair_accountant *a, double gamma);
/*
 * Sequential composition: adds everything in b to a. Relations that differ, or a relation that one
 * of the two was told (dppair_accountant_neighbours) beside steps of the other that state none,
 * break a. a then counts the charges of both, and its check covers both checks, but it is no longer
 * the chain of one ledger: to go on, charge the two accounts and merge copies of them.
 */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_merge(dppair_accountant *a, const
    dppair_accountant *b);
/*
 * *noise_multiplier: the smallest one with which an objective that is perturbed at the ridge `ratio
 * * noise_multiplier` stays within (epsilon, delta) beside releases that are mu_before-Gaussian
 * private: those of an account before the plan, and the plan's trace, are one by the root of the
 * sum of squares. One record is replaced. A plan with this noise_multiplier, ridge = ratio *
 * noise_multiplier and epsilon = delta = 0 then is charged as it is, and the account answers at
 * most epsilon. delta = 0: DPPAIR_PURE_OBJECTIVE at epsilon, mu_before = 0. Errors: NULL,
 * ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (mu_before, ratio); EXHAUSTED: no noise suffices.
 */
DPPAIR_MUST_CHECK dppair_status dppair_objective_noise(double *noise_multiplier, double epsilon,
    double delta, double mu_before, double ratio);
/* Group privacy: (epsilon, delta) for data sets that differ in one record implies k epsilon and
 * delta (e^(k epsilon) - 1)/(e^epsilon - 1) for k records. Gaussian accounts do better with k times
 * the sensitivity. DELTA: the group's delta exceeds 1. */
DPPAIR_MUST_CHECK dppair_status dppair_group_privacy(double *group_epsilon, double *group_delta,
    double epsilon, double delta, size_t k);
enum {
  /* per step, for the search of c: a panel for each of the two branches per hit */
  DPPAIR_SEARCH_NODES_ = 32 * DPPAIR_AMPLIFIED_HITS_ + 32,
  DPPAIR_LAYERS_ = 512,   /* per step, for the cut */
  DPPAIR_X_NODES_ = 8192, /* of one step's quadrature: beyond, NO_CONVERGENCE */
  DPPAIR_Z_NODES_ = 4096  /* of the line, likewise */
};
/* Heights at which the quadrature's error is bounded, evenly spread from 0 to the cut. The log of
 * each bound is convex in y, so that chords bound it in between. */
enum { DPPAIR_HEIGHTS_ = 6 };
/* The tilts at which the nodes are used. */
enum { DPPAIR_TILT_C_ = 0, DPPAIR_TILT_RIGHT_ = 1, DPPAIR_TILT_NONE_ = 2, DPPAIR_TILTS_ = 3 };
enum { DPPAIR_SADDLE_TURNS_ = 5, DPPAIR_SADDLE_STRIDES_ = 200 };
/* The values of c and c' that are tried: 24, each 1.1 times the one before, the tenth of them near
 * the saddle. c is taken from the first 13, c' from those above it. */
enum { DPPAIR_C_GRID_ = 24, DPPAIR_C_MIDDLE_ = 9, DPPAIR_C_LAST_ = DPPAIR_C_MIDDLE_ + 4 };
/* Questions to a point whose answers change once, from no to yes, as the parameter grows. */
enum {
  DPPAIR_SINGLE_DELTA_MET_ = 0,   /* log delta is surely at most the given one */
  DPPAIR_SINGLE_DELTA_BELOW_ = 1, /* log delta may be below the given one */
  DPPAIR_SINGLE_PASSES_ = 2,      /* epsilon may be above the given one */
  DPPAIR_SINGLE_PAST_ = 3         /* epsilon is surely at least the given one */
};
/* The transform's length on the lattice is 2^15 at first, which is enough for few steps, and 2^18
 * at most. */
enum { DPPAIR_COMPOSE_LOG2_FIRST_ = 15, DPPAIR_COMPOSE_LOG2_ = 18 };
struct dppair_certify_;
/* Numerical composition: dppair_composer_init makes it. */
typedef struct dppair_composer {
  void *work; /* yours */
  size_t bytes;
  dppair_status (*answer)(dppair_interval *b, const struct dppair_certify_ *q);
} dppair_composer;
/* A question to an account: epsilon at delta `given`, or delta at epsilon `given`. */
typedef struct dppair_certify_ {
  const dppair_accountant *a;
  int for_delta;
  double given;
  int both; /* 0: `lower` is not asked for: it may cost a second composition */
  double *work;
  size_t doubles;
  int only; /* as dppair_question_ */
  dppair_route route;
} dppair_certify_;
/* *bytes of workspace for a composer that answers about the account, and that calibrates one plan
 * beside it: 16 MB, and 33 kB for each different step (28 MB with dppair_allocation.h). account
 * NULL: for any account and plan, 20 MB (32). Errors: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_composer_workspace(size_t *bytes, const dppair_accountant
    *account);
/*
 * *interval = lower <= epsilon <= upper of everything in the account at this delta in [DBL_MIN, 1),
 * or at 0 where every step is pure. What was spent is interval->upper. It is the tightest bound
 * that the accountant knows:
 *
 *   plain Gaussian steps         the exact curve, to 12 digits. One run of one step: its curve
 *   steps with dominating pairs  numerical composition: the contour, and the lattice where the
 *                                contour cannot answer (atoms, very few steps) or stays wider than
 *                                1e-5 of epsilon. `upper` is never more than the sum of pure
 *                                epsilons, nor than the closed form of one perturbed objective
 *                                beside plain Gaussian steps, nor, where the routes stay wide, than
 *                                what the best Renyi order says. Epochs of one allocation by its
 *                                table
 *   zCDP steps, folded steps     the best Renyi order. zCDP steps beside others: that of all, or the
 *                                sum of two epsilons that share delta
 *
 * composer: NULL where no composition could be tighter: plain Gaussian steps, zCDP steps alone,
 * folded steps, integer noise (dppair_shares.h), pure steps at delta 0. Any other account is
 * WORKSPACE without one, and interval->bytes says how many bytes it needs; nothing is answered by a
 * looser bound. (If you have no such memory, ask dppair_accountant_by_route for
 * DPPAIR_ROUTE_RENYI.)
 *
 * `lower` holds for a mechanism and two data sets that attain it. It is 0 where no data sets do, or
 * none are known (several runs with samples of a fixed size), and where the account is beyond the
 * reach of composition. With a failure probability, `lower` is for the mechanisms without it at the
 * whole delta. Errors: NULL; WORKSPACE; those of a broken account; NOT_FINITE; DELTA, also when
 * failures leave nothing of it; OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_epsilon(dppair_interval *interval, const
    dppair_accountant *a, double delta, const dppair_composer *composer);
/* The same for delta at this epsilon >= 0: the inverse of dppair_accountant_epsilon, within what
 * the interval says. `upper` contains the failure probability, `lower` does not. Without a composer
 * pure steps are answered from their sum of epsilons on. Errors: EPSILON in place of DELTA. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_delta(dppair_interval *interval, const
    dppair_accountant *a, double epsilon, const dppair_composer *composer);
/* What dppair_accountant_by_route is given. */
typedef enum dppair_given { DPPAIR_GIVEN_DELTA = 1, DPPAIR_GIVEN_EPSILON = 2 } dppair_given;
/*
 * The same by one route alone, at this delta or at this epsilon: for comparisons, and for programs
 * without 16 MB.
 *
 *   DPPAIR_ROUTE_CLOSED   the tightest, but NO_PROOF where that is no closed form
 *   DPPAIR_ROUTE_CONTOUR  Gaussian steps, also sampled ones, pairs and perturbed objectives;
 *                         NO_PROOF for losses with atoms at both ends (Laplace, pure, randomised
 *                         response), NO_CONVERGENCE for a handful of steps or a huge noise ratio
 *   DPPAIR_ROUTE_LATTICE  every step with a dominating pair
 *   DPPAIR_ROUTE_RENYI    the best Renyi order: every step, zCDP too; `lower` is 0; usually looser
 *   DPPAIR_ROUTE_PURE     the sum of pure epsilons, else NO_PROOF; `lower` is 0
 *
 * composer: as there; not read by the last two, and needed by the others. NO_PROOF also: zCDP and
 * folded steps by another route than RENYI. `upper` is infinite when a mass at infinite loss
 * exceeds delta. DOMAIN: no such route, or neither is given. Other errors: as
 * dppair_accountant_epsilon.
 */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_by_route( dppair_interval *interval, const
    dppair_accountant *a, dppair_route route, dppair_given given, double value, const
    dppair_composer *composer);
/*
 * Parallel composition: a lower and an upper bound of the epsilon of `count` accounts of mechanisms
 * that read disjoint parts of the records. Split the records without looking at them; where a
 * user or a query is protected, all of its records belong to one part. Two neighbours differ in
 * one part only, so each bound is the largest one of the parts; `route` and `order` are those of
 * the part with the largest `upper`.
 * delta, composer: as for dppair_accountant_epsilon; interval->bytes is enough for all parts.
 * Errors: NULL; SIZE (count = 0); ADJACENCY: the parts are about different neighbours (an empty
 * account is about any); those of dppair_accountant_epsilon.
 */
DPPAIR_MUST_CHECK dppair_status dppair_parallel_epsilon(dppair_interval *interval, const
    dppair_accountant *parts, size_t count, double delta, const dppair_composer *composer);
/*
 * Memory and code for numerical composition. work: `bytes` of dppair_composer_workspace, at any
 * alignment; it stays yours, and the composer is good for as long as it is there, for one question
 * at a time. Errors leave *composer zero: NULL.
 */
DPPAIR_MUST_CHECK dppair_status dppair_composer_init(dppair_composer *composer, void *work, size_t
    bytes);
/* Writes the epsilon (rounded up) of the caller's composition at this value of the parameter. */
typedef dppair_status (*dppair_epsilon_function)(double *epsilon, double value, void *context);
/*
 * The smallest noise whose epsilon is at most `target`: *noise is the safe end of a bracket of
 * relative width `tolerance` (1e-9, say), *epsilon what it gives. function must decrease in the
 * noise; guess > 0 starts the search. DPPAIR_ERR_NO_CONVERGENCE when no noise up to 1e30 suffices,
 * or the bracket does not close; DPPAIR_ERR_DOMAIN when any noise down to 1e-30 does, because
 * epsilon hardly depends on it. Errors of function are returned; ENVIRONMENT.
 */
DPPAIR_MUST_CHECK dppair_status dppair_calibrate_scale(double *noise, double *epsilon, double
    target, double guess, double tolerance, dppair_epsilon_function function, void *context);
/* The largest count (of steps, of batch records, ...) up to `most` whose epsilon is at most
 * `target`; 0 when even 1 is too many. function must increase in the count. The search grows
 * fourfold until a count is too large, then bisects. */
DPPAIR_MUST_CHECK dppair_status dppair_calibrate_count(size_t *count, double *epsilon, double
    target, size_t most, dppair_epsilon_function function, void *context);
/*
 * plan->noise_multiplier: the smallest one, within 1e-9, with which the account `a` and plan->steps
 * releases of the plan stay within (plan->epsilon, plan->delta), by dppair_accountant_epsilon; from
 * the exact curve, to 13 digits, when all are plain Gaussian steps, and by a closed form, also to
 * 13 digits, when all are but one perturbed objective. The value that it had is overwritten, by 0
 * on an error; nothing is charged. delta = 0 is for laws and accounts with pure epsilons. composer:
 * NULL where dppair_accountant_epsilon needs none for the account with the plan's steps; else NULL is
 * WORKSPACE. Errors: those of the account and of the step that the plan describes (STEPS, RATE,
 * SIZE, ADJACENCY; LAW: no bound is known for this noise and this draw), EPSILON, DELTA, WORKSPACE; EXHAUSTED: what the account holds leaves
 * less than 1e-9 of the budget.
 */
DPPAIR_MUST_CHECK dppair_status dppair_calibrate(dppair_plan *plan, const dppair_accountant *a,
    const dppair_composer *composer);
/*
 * What the account leaves of (epsilon, delta), to be divided: *left is the mu of plain Gaussian
 * steps, for delta = 0 the sum of pure epsilons, that may be charged to it in as many steps as one
 * likes, but for what its sums may round; *held is the mu that it holds (0 for delta = 0). Squares
 * of mu add up. sampling: all records, and who the neighbours are (read for delta > 0).
 *
 * Errors zero both: NULL; those of the account; NOT_FINITE, EPSILON, DELTA; NO_PROOF, it holds
 * other steps than plain Gaussian ones, for delta = 0 than pure ones; EXHAUSTED, it leaves less
 * than 1e-9 of the budget; delta > 0: those of dppair_calibrate.
 */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_left(double *left, double *held, const
    dppair_accountant *a, double epsilon, double delta, dppair_sampling sampling);
/* A line that grows. `used` also counts characters for which there was no room. */
typedef struct dppair_text_ {
  char *at;
  size_t used, room;
} dppair_text_;
/* A place in a text that is written (in: NULL) or read. */
typedef struct dppair_json {
  dppair_text_ out;
  const char *in, *end;
  int bad; /* what was read is not what it must be, or what was to be written has no text */
} dppair_json;
enum { DPPAIR_LEDGER_FIELDS_ = 20 };
/*
 * Writes the entry's line, without newline and terminator, and its length; DPPAIR_LEDGER_LINE
 * characters always suffice. dppair_ledger_step numbers and chains entries; this writes what it is
 * given. Errors: NULL, ENVIRONMENT, WORKSPACE (capacity), those of the step, and DOMAIN for a
 * sequence that is not in [1, 2^53] or a number that is neither 0 nor in [1e-280, 1e280]. Then the
 * length is 0 and line[0] a terminator.
 */
DPPAIR_MUST_CHECK dppair_status dppair_ledger_write(char *line, size_t capacity, size_t *length,
    const dppair_ledger_entry *entry);
/*
 * Reads one line back, with its newline or without. Its check is read, not compared: that is
 * dppair_ledger_replay. DPPAIR_ERR_FORMAT: the line is not one of this version to the last
 * character, or a count exceeds this machine's size_t; other errors are those of the step. *entry
 * is zeroed on any error.
 */
DPPAIR_MUST_CHECK dppair_status dppair_ledger_read(dppair_ledger_entry *entry, const char *line,
    size_t length);
/*
 * Call this BEFORE a release: it hands the entry's line to the sink and then charges the account.
 * What is charged is what the line reads back to. It is stored only when that will be accepted, and
 * the sink must return only once a crash would not lose it: then a crash between the two costs what
 * is on record, and nothing was released. The entry's sequence and check are not read; neighbours
 * that it does not name are those of the account, if these were stated, and what it does name is
 * stated for the account.
 *
 * On any error the account is broken and the release must not happen. Errors: that of the sink,
 * ADJACENCY, else those of dppair_ledger_write and of the step.
 */
DPPAIR_MUST_CHECK dppair_status dppair_ledger_step(dppair_accountant *a, const dppair_ledger_entry
    *entry, dppair_ledger_sink sink, void *context);
/* For dppair_plan.ledger: the plan's line goes to this sink, by dppair_ledger_step, before the plan
 * is charged. A NULL sink is refused when the plan is opened. */
dppair_ledger dppair_ledger_to(dppair_ledger_sink sink, void *context);
/*
 * Reads a ledger, lines separated by newlines, into the account, which has charged none of it, or
 * its first lines. Empty lines are skipped. The account then is the one that wrote the ledger, to
 * the last bit, with neighbours stated if a line names them. On an error *bad_line is the number of
 * the line, from 1, and the account is broken:
 *
 *   FORMAT      no line of this version, to the last character (dppair_ledger_read). A last line
 *               that was cut off may be removed: its sink had not returned, nothing was released.
 *   LEDGER      a line before it is missing, or it or one before it was changed, or the ledger is
 *               of another account (a merged one, one that was charged without a ledger).
 *   RUNS        its number was charged before. A program was started again without replaying its
 *               ledger, and both lines were spent. The same line of the same run is no error and
 *               counts once: its noise is the same. Without a run, the same line twice is two. So
 *               is one that an earlier call read, more than DPPAIR_RECENT_CHARGES - 2 charges ago.
 *   ADJACENCY   it names other neighbours than the account, or none where others do.
 *   others      those of the step.
 *
 * To add up several ledgers, replay each into an account of its own (dppair_accountant_merge).
 */
DPPAIR_MUST_CHECK dppair_status dppair_ledger_replay(dppair_accountant *a, size_t *bad_line, const
    char *text, size_t length);
#define DPPAIR_HAS_ACCOUNTANT_ /* with the noise there too, in either order: the releases */
#ifdef DPPAIR_H
#define DPPAIR_CORE_ONLY_
#include "dppair_declare.h"
#undef DPPAIR_CORE_ONLY_
#endif
#endif /* DPPAIR_ACCOUNTANT_H */
#endif
#ifndef DPPAIR_NOISE_KERNELS_
#define DPPAIR_ALL_FOUR_
#endif
#endif /* DPPAIR_ALL_H */
#endif /* DPPAIR_STAGE_ */
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_ALLOCATION_
#ifndef DPPAIR_ALLOCATION_H
#define DPPAIR_ALLOCATION_H
/* Epochs of `batches` >= 1 steps, in each of which every record is in `group` of the batches, 1 <=
 * group <= batches: a uniform choice, independent of the other records and of other epochs. */
dppair_sampling dppair_sampling_allocation(size_t n, size_t batches, size_t group, dppair_adjacency
    adjacency);
/*
 * Draws the batch of a step of random allocation: of t = sampling->batches batches an epoch, step
 * `step` reads batch step % t of epoch step / t. In each epoch every record is in exactly k =
 * sampling->group of the t batches; each of its C(t, k) sets of batches is equally likely, and
 * other records and other epochs are independent. So batches have random sizes, and all batches of
 * an epoch together hold each record k times.
 *
 * The numbers of the records, in increasing order, go to index[0 .. *count - 1]. They are a
 * function of rng's cipher, key and stream, and of the step alone: no state is kept from step to
 * step, steps can be drawn in any order and drawn again, and rng does not move. Draws and splits of
 * the same generator are independent of them. *count is private with the batch.
 *
 * Cost: n key-stream words, k > 1: the next power of two times as many, a batch.
 *
 * index has room for `capacity` >= n numbers: less would show the size of the batch. Errors, before
 * anything is drawn: NULL; NO_PROOF, a sampling that is no allocation; SIZE, less room, t >= 2^32,
 * or k > 64 (k epochs of floor(t/k) batches each are charged the same, and can be drawn); DOMAIN, a
 * generator whose key is replaced after each call: an epoch would not be one; EXHAUSTED, 2^54
 * epochs; those of the sampling's fields (dppair_normaliser) and of the generator. EXHAUSTED
 * afterwards has probability n k 2^-199. On any error *count and all of index are 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_draw_allocation(size_t *index, size_t *count, size_t
    capacity, const dppair_sampling *sampling, size_t step, const dppair_rng *rng);
/* The density f of a loss l under Q: |f - f~| <= error f~ at the nodes l = h (first + i). */
typedef struct dppair_density_ {
  double *f, *error;
  int64_t first;
  size_t size;
  double h, curvature; /* (log f)'' >= -curvature */
  /* at least the mass outside of the nodes, under P and under Q, as an integral and as h times the
   * sum over outer nodes; at least the supremum there of f max(1, e^l) */
  double outside, beyond;
} dppair_density_;
enum {
  DPPAIR_TAPS_ = 16,  /* of the interpolation, at -7 .. 8 steps */
  DPPAIR_RUN_ = 32,   /* outputs that share a tilt */
  DPPAIR_REACH_ = 47, /* nodes that they read */
  DPPAIR_RADIUS_ = 32 /* of the circle in steps: theory.h */
};
#if defined(__GNUC__)
typedef double dppair_two_ __attribute__((vector_size(16), aligned(8), may_alias));
#else
#endif
enum { DPPAIR_LEVELS_ = 24 };
enum { DPPAIR_MOST_NODES_ = 1 << 16 };
enum { DPPAIR_COARSE_ = 9 }; /* places -33, -25 .. 31 from a node, where g of theory.h is bounded */
/* P has mass[i] at the loss h (first + i), and `infinity` at infinite loss. */
typedef struct dppair_atoms_ {
  double *mass;
  int64_t first;
  size_t size;
  double h, infinity;
} dppair_atoms_;
enum { DPPAIR_MOST_ATOMS_ = 4000 }; /* on each side of one epoch's */
/* A law of allocated records that was made (lattice.h). */
typedef struct dppair_allocated_law_ {
  double noise;
  size_t batches;
  int atoms; /* 1: `pair` was made, 0: `table` */
  dppair_density_ table;
  dppair_atoms_ pair;
} dppair_allocated_law_;
enum { /* doubles that hold it */
       DPPAIR_ALLOCATED_LAW_ = (sizeof(dppair_allocated_law_) + sizeof(double) - 1) / sizeof(double)
};
/* What one side of the law consists of: the table forwards or backwards, or the atoms. */
enum { DPPAIR_TABLE_FORWARD_ = 0, DPPAIR_TABLE_BACKWARD_ = 1, DPPAIR_TABLE_ATOMS_ = 2 };
enum { DPPAIR_ALLOCATED_COARSE_ = 40 }; /* nodes of each part where there are two */
/*
 * dppair_renyi of a step, from the table where it allocates records: *rdp of one run, one epoch of
 * 1 of batches/group batches, the larger of both directions, or of a replaced record a/z^2. What
 * the table cuts is in it (dppair_density_log_moment_), so that it is a proof at every order: a
 * filter (dppair_filter) may charge it for an epoch. Never above plain Gaussian noise. work: as
 * many bytes as dppair_compose_workspace says of one step; other steps do not read it. Errors:
 * those of dppair_renyi, WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_MUST_CHECK dppair_status dppair_renyi_allocation(double *rdp, const dppair_step *step, double
    order, void *work, size_t bytes);
#endif /* DPPAIR_ALLOCATION_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_ATTACK_
#ifndef DPPAIR_ATTACK_H
#define DPPAIR_ATTACK_H
enum { DPPAIR_ATTACK_NODES_ = 96, DPPAIR_ATTACK_SLOPES_ = 2 * DPPAIR_ATTACK_NODES_ };
/*
 * The ROC curve of the best attack on everything in the account: true_positive[i] encloses T(f) at
 * f = false_positive[i] in [0, 1], for i < count (1 to 2^20). `upper` holds for every test, any two
 * neighbours and both of their orders; whatever else the attacker knows, whatever he computes.
 * `lower` is attained by some test of some neighbours; it is f, that of guessing, where none are
 * known (dppair_accountant_epsilon), and above it where they are, without the failure probability.
 * Chance is T(f) = f; T(f) = 1 says that nothing is promised. At most 96 epsilons are asked for all
 * rates together, each as dppair_accountant_delta says, whose composer and errors are these, too.
 * Other errors: NULL; SIZE (count); NOT_FINITE, DOMAIN: a rate that is none. All outputs are 0
 * then.
 */
DPPAIR_MUST_CHECK dppair_status dppair_attack_curve(dppair_interval *true_positive, const double
    *false_positive, size_t count, const dppair_accountant *a, const dppair_composer *composer);
/*
 * How often the best attacker is right, if the first data set is used with probability `prior` and
 * the second one otherwise, and he knows that: with m = min(prior, 1 - prior),
 *     accuracy = 1 - m + m delta(|log(prior/(1 - prior))|);
 * 1 - m without the release, (1 + delta(0))/2 for prior = 1/2, where delta(0) is the total
 * variation distance and 2 accuracy - 1 = T(f) - f at its largest what is called the attacker's
 * advantage. `lower` is attained by some neighbours; it is 1 - m where none are known. prior in (0,
 * 1). Errors: NULL, NOT_FINITE, DOMAIN (prior); composer and others as dppair_accountant_delta.
 */
DPPAIR_MUST_CHECK dppair_status dppair_attack_accuracy(dppair_interval *accuracy, const
    dppair_accountant *a, double prior, const dppair_composer *composer);
/*
 * What it is worth to an attacker that a test says "the first": *factor = true_positive /
 * false_positive, the Bayes factor, and *posterior, the probability that he is right where the
 * first data set is used with probability `prior` (his positive predictive value), both rounded up.
 * With `upper` of dppair_attack_curve no test with this rate of false positives is worth more.
 * *factor is infinite where false_positive = 0 and true_positive > 0. prior in (0, 1). Errors:
 * NULL, ENVIRONMENT, NOT_FINITE; DOMAIN: no prior, no rate, or both rates 0, a test that never says
 * so.
 */
DPPAIR_MUST_CHECK dppair_status dppair_attack_bayes(double *factor, double *posterior, double
    false_positive, double true_positive, double prior);
/*
 * The account as one Gaussian mechanism: *mu encloses the smallest mu such that at every epsilon
 * delta <= delta of N(mu, 1) against N(0, 1) + slack, so that T(f) <= Phi(Phi^-1(f) + mu) + slack
 * for all f: `upper` is surely one such mu, and infinite where none is known; smaller than `lower`
 * is none, where neighbours are known that attain the account. `estimate` bounds nothing: it is the
 * mu whose curve is nearest, by the largest difference of delta. With slack = 0 only plain Gaussian
 * steps and pure ones have a finite mu that is worth something: a rare large loss, such as that of
 * the step that drew the record, is what slack covers. slack in [0, 1), at least the failure
 * probability for a finite `upper`. composer and errors: those of dppair_accountant_delta;
 * NULL, NOT_FINITE, DELTA (slack).
 */
DPPAIR_MUST_CHECK dppair_status dppair_attack_fit(dppair_interval *mu, const dppair_accountant *a,
    double slack, const dppair_composer *composer);
#endif /* DPPAIR_ATTACK_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_TABLES_
#ifndef DPPAIR_TABLES_H
#define DPPAIR_TABLES_H
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#undef DPPAIR_NO_TEMPLATE_
enum {
  DPPAIR_CELLS_SIDE = 24, /* on one side of zero, at most, */
  DPPAIR_CELLS_MOST = 48  /* and in all */
};
/* The cells of a numeric column: cell i is edge[i] <= x < edge[i+1]. They are finer towards zero,
 * or towards the end of the range that is nearer to zero; `zero` is the cell that holds that
 * point. */
typedef struct dppair_cells {
  size_t cells, zero;
  double edge[DPPAIR_CELLS_MOST + 1];
} dppair_cells;
/*
 * The cells of [low, high], from these public numbers alone: `side` on either side of zero, whose
 * widths grow 1001-fold from zero to the farther end, and as many of the nearer side's as the range
 * holds. A range that ends at zero, or begins beyond it, has `side` of them. low = high is one
 * cell; all others are wider than 0: where doubles do not tell their edges apart there are fewer.
 *
 * Errors zero *c: NULL, NOT_FINITE, DOMAIN (low > high, an end beyond 1e300), SIZE (side is not 1
 * to DPPAIR_CELLS_SIDE).
 */
DPPAIR_MUST_CHECK dppair_status dppair_cells_make(dppair_cells *c, double low, double high, size_t
    side);
/* The cell of any x: those outside the range are in the first or the last cell, NaN in the first.
 * *c is of dppair_cells_make. */
size_t dppair_cells_find(const dppair_cells *c, double x);
/* Where the distribution h over the cells of g reaches the given share, as if it were even in each
 * of them; the end of the range for a share that it does not reach. */
double dppair_cells_quantile(const dppair_cells *g, const double *h, double share);
/* What is linear between knots at[0] < at[1] < ..., and constant outside: the piece at[*piece] to
 * at[*piece + 1] that holds x, and, returned, how far x is into it, in [0, 1]. NaN is before all;
 * with fewer than two knots both are 0. */
double dppair_knots_find(size_t *piece, const double *at, size_t knots, double x);
/* ... and what has these values at the knots; 0 without any. */
double dppair_knots_between(const double *value, size_t knots, size_t piece, double part);
/* *bytes = the workspace of dppair_smoothing_matrix. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_smoothing_workspace(size_t *bytes, size_t m);
/*
 * a[m][m] = the matrix that smooths m counts: K^(1/2) of the head of this chapter, symmetric, its
 * entries rounded to multiples of 2^-20. smooth in [0, 1], width > 0 in cells; 0 and 0: the
 * identity. What a release of A c tells is read in the eigenvectors of A (dppair_eigen_f64), whose
 * eigenvalues are the roots of those of K to 3e-5.
 *
 * Errors zero a: NULL, WORKSPACE, NOT_FINITE, DOMAIN, UNREAD (a width that nothing reads),
 * NO_CONVERGENCE. OVERFLOW, for an m that no memory can hold, does not touch it.
 */
DPPAIR_MUST_CHECK dppair_status dppair_smoothing_matrix(double *a, size_t m, double smooth, double
    width, void *work, size_t bytes);
/* What a column of a table holds, as it is declared. */
typedef enum dppair_column_kind {
  DPPAIR_COLUMN_NUMERIC = 1, /* a number: cells of its range */
  DPPAIR_COLUMN_FLAG = 2,    /* set or not: how many are set */
  DPPAIR_COLUMN_GROUP = 3    /* one of the columns of a group, of which one or none is set */
} dppair_column_kind;
/* A column of a table, as it is declared; fields that its kind does not read are 0. */
typedef struct dppair_column {
  dppair_column_kind kind;
  double low, high; /* NUMERIC: its range, as dppair_cells_make takes it */
  size_t group;     /* GROUP: its number, 0 to d; columns of one number are one group */
  int by_class;     /* not 0: counted for positives and for negatives by themselves */
} dppair_column;
/* What is asked about a table of d columns; public. */
typedef struct dppair_marginals {
  const dppair_column *columns;
  size_t d;
  size_t side;          /* cells of a numeric column on one side of zero, 1 to 24 */
  double smooth, width; /* of the kernel of smoothing.h; 0 and 0: counts as they are */
  double label;         /* the last number is sqrt(label) times the number of positives; 0: none */
} dppair_marginals;
/* sqrt(label) rounded down to a multiple of 2^-20: what one positive adds to the last number. */
double dppair_label_weight(double label);
/*
 * start[0..d+2): where the numbers of a release begin. Those of column j are v[start[j]] to
 * v[start[j + 1] - 1]: of a numeric column its cells in order (by class: of the positives, then of
 * the negatives), of the others one count (by class: two). v[start[d]] is the number of positives
 * times dppair_label_weight, where it is asked for; start[d + 1] is the size of v.
 *
 * Errors zero start: NULL; NOT_FINITE, DOMAIN (a kind, a range or a weight that is none); SIZE
 * (side, a group above d, nothing is asked); UNREAD (a field that the column's kind does not read,
 * a width without smoothing); OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_marginals_layout(size_t *start, const dppair_marginals
    *query);
/* *bytes = the workspace of dppair_release_marginals and dppair_marginals_sensitivity for a query
 * of d columns. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_marginals_workspace(size_t *bytes, size_t d);
/*
 * *l2, *l1: how far one record moves the numbers of dppair_release_marginals, in both norms,
 * rounded up and attained; DPPAIR_REPLACE_ONE or DPPAIR_ZERO_OUT. work: as
 * dppair_marginals_workspace says.
 *
 * Errors zero both: those of dppair_marginals_layout; WORKSPACE; ADJACENCY; OVERFLOW (more than
 * 10^6 columns); NO_CONVERGENCE (of the matrix); ENVIRONMENT.
 */
DPPAIR_MUST_CHECK dppair_status dppair_marginals_sensitivity(double *l2, double *l1, const
    dppair_marginals *query, dppair_adjacency adjacency, void *work, size_t bytes);
/*
 * Releases the marginals of n records, all or those of this step's draw, x[n][d] row by row:
 * v[0..size), laid out as dppair_marginals_layout says, size = start[d + 1]. v may be published.
 * A record is positive where y[i] > 0; y may be NULL where nothing asks for labels. weight: NULL,
 * or n numbers, 0 where a record is null and counts nowhere (zero-out, or a Poisson sample). The
 * law of the plan: Gaussian or l2-ball noise for the l2 norm, Laplace noise for the l1 norm, of
 * which smoothing makes more. release->sigma is the scale of each number's noise. No record causes
 * an error: one out of range counts in the first or the last cell, as infinities do; NaN counts in
 * the first cell, is not set, is not positive.
 *
 * The numbers are the same bits in any order of the records. O(n d) and 10^5 operations for each
 * size of cells. work: as dppair_marginals_workspace says.
 *
 * Errors zero v. They use no paid release: those of dppair_marginals_layout; SIZE (size; n is not
 * that of the plan or of the draw); WORKSPACE; ADJACENCY (neighbours that differ in more than one
 * record; weights where one is replaced); OVERLAP (v, and work or what is read); LAW (another law);
 * SENSITIVITY (no record moves anything: a range that is a point, alone); those of
 * dppair_release_vector about the release, and, after which v may be untouched, OVERFLOW: 2^32
 * records, sqrt(label) n beyond 2^33, 10^6 columns.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_marginals( double *v, size_t size, dppair_release
    *release, const dppair_marginals *query, const double *x, const double *y, const double *weight,
    size_t n, void *work, size_t bytes);
enum {
  DPPAIR_BELLS_ = 512,
  DPPAIR_SPIKES_ = 6,
  DPPAIR_TEMPLATES_ = DPPAIR_BELLS_ * DPPAIR_SPIKES_
};
/* *bytes = the workspace of dppair_marginals_estimate for a query of d columns. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_marginals_estimate_workspace(size_t *bytes, size_t d);
/*
 * h[0..size) = what the released marginals v say of the shares of n records, laid out as v: of a
 * numeric column a distribution over its cells, of the others a share in [0, 1], at start[d] the
 * share of positives. By class: of all records, in the place of the positives, and 0 in the place
 * of the negatives. raw and deviation, both or either NULL: the same without bias, as noisy as the
 * release (A^-1 v/n), and the deviation of its noise. noise: the deviation of that of each number
 * of v: release->sigma, under Laplace's law sqrt 2 times that. learn: whether columns of the same
 * cells learn from each other, which pays where little is known of each. work: as
 * dppair_marginals_estimate_workspace says.
 *
 * Errors zero h, raw, deviation: those of dppair_marginals_layout; SIZE (size, n = 0); NOT_FINITE
 * (v, noise); DOMAIN (noise < 0; a kernel that hides directions of the counts, smooth = 1 and
 * wide); WORKSPACE; NO_CONVERGENCE; ENVIRONMENT. OVERFLOW does not touch them.
 */
DPPAIR_MUST_CHECK dppair_status dppair_marginals_estimate( double *h, double *raw, double
    *deviation, const double *v, size_t size, const dppair_marginals *query, size_t n, double noise,
    int learn, void *work, size_t bytes);
enum { DPPAIR_CLASS_TERMS = 4 };
/* The sum of c[k] B_(k+1)(t) over k < DPPAIR_CLASS_TERMS, at a rank t in [-1, 1]: what the
 * probability of a positive exceeds the rate by. NULL: 0. */
double dppair_class_curve(const double *c, double t);
/*
 * c[d * DPPAIR_CLASS_TERMS]: of each numeric column counted by class, c_1 to c_4 of the head of
 * this chapter, which dppair_class_curve reads; 0 of all other columns. v, size, query, n, noise:
 * as for dppair_marginals_estimate, which made h; rate: the share of positives, in [0, 1], or an
 * estimate of it. work: as dppair_marginals_workspace says.
 *
 * Errors zero c: those of dppair_marginals_layout; SIZE (size, n = 0); NOT_FINITE (v, h, noise,
 * rate, or numbers so large that c is not); DOMAIN (noise < 0, rate); WORKSPACE; NO_CONVERGENCE;
 * ENVIRONMENT. OVERFLOW does not touch it.
 */
DPPAIR_MUST_CHECK dppair_status dppair_marginals_classes( double *c, const double *v, const double
    *h, size_t size, const dppair_marginals *query, size_t n, double noise, double rate, void *work,
    size_t bytes);
/*
 * w[n] becomes its posterior means under a prior of which p and t are learned from it. sd[n],
 * square[n]: >= 0; an entry whose s is 0 stays, and nothing is learned from it. It pays from some
 * 20 entries on.
 *
 * Errors: NULL; NOT_FINITE; DOMAIN (sd or square below 0, sums of a or s of 1e200 and more);
 * OVERFLOW. They leave w as it is.
 */
DPPAIR_MUST_CHECK dppair_status dppair_shrink_sparse_f64(double *w, const double *sd, const double
    *square, size_t n);
/* *bytes = the workspace of dppair_shrink_f64 for n entries. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_shrink_workspace(size_t *bytes, size_t n);
/*
 * w[n] is drawn to 0, each entry by its own noise and those of a group together. sd[n], square[n]:
 * >= 0. group[n]: the number of an entry's group, 0 to n, SIZE_MAX where it is of none; NULL: no
 * groups. work: as dppair_shrink_workspace says.
 *
 * Errors: NULL; NOT_FINITE; DOMAIN (sd or square below 0); SIZE (a group above n); WORKSPACE;
 * OVERFLOW. They leave w as it is.
 */
DPPAIR_MUST_CHECK dppair_status dppair_shrink_f64(double *w, const double *sd, const double *square,
    const size_t *group, size_t n, void *work, size_t bytes);
#endif /* DPPAIR_TABLES_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_AUTO_
#ifndef DPPAIR_AUTO_H
#define DPPAIR_AUTO_H
enum { DPPAIR_AUTO_KNOTS = 52 };
/* Bits of `warnings`; the first three are about a column. */
enum {
  DPPAIR_AUTO_BELOW = 1, /* its first cell holds more records than noise explains: so may the
                            range exclude some. Not where it begins at 0                      */
  DPPAIR_AUTO_ABOVE = 2, /* its last cell does. Not where it ends at 0                        */
  DPPAIR_AUTO_FLAT = 4,  /* it has no spread                                                  */
  DPPAIR_AUTO_LOW = 8,   /* rho is below 10: the budget is too small to learn much            */
  DPPAIR_AUTO_DELTA = 16 /* delta >= 1/n: a record may be published with that probability     */
};
/* One column's share of the score: linear between the knots, constant outside. */
typedef struct dppair_auto_map {
  size_t knots;      /* 0: the column adds nothing                */
  unsigned warnings; /* a sum of DPPAIR_AUTO_BELOW, _ABOVE, _FLAT */
  double at[DPPAIR_AUTO_KNOTS], value[DPPAIR_AUTO_KNOTS]; /* at increases */
} dppair_auto_map;
/* How the weights were found: a public rule of n, the columns and the budget decides. */
typedef enum dppair_auto_route {
  DPPAIR_AUTO_VECTOR = 2, /* the histograms, then one noisy vector   */
  DPPAIR_AUTO_FIT = 3     /* the histograms, then a perturbed fit    */
} dppair_auto_route;
/* A model. All of it is released or public, and may be published. */
typedef struct dppair_auto_model {
  dppair_auto_map *map;  /* the caller's array of d                                         */
  size_t d, n;           /* n: of the records it was fitted to                              */
  double epsilon, delta; /* of the plan                                                     */
  double rho;  /* how far the signal can stand out: n mu_2/sqrt(d), for delta = 0 n epsilon_2/d */
  double rate; /* an estimate of the share of positives; 0.5 where there is none            */
  double marginals, weights; /* what the two releases cost: mu, for delta = 0 epsilon       */
  dppair_auto_route route;
  unsigned warnings; /* of all columns and of the plan */
} dppair_auto_model;
/* The sentence of one bit of `warnings`, a constant string; NULL for any other number. */
const char *dppair_auto_warning_string(unsigned bit);
enum { DPPAIR_AUTO_DEGREES_ = 3 }; /* a numeric column's map, its polynomials of degree 2 and 3 */
enum {
  DPPAIR_AUTO_FIT_MOST_ = 4000,  /* columns that a fit takes: it factors matrices of as many rows */
  DPPAIR_AUTO_ADDED_MOST_ = 500, /* features in all where polynomials are added                 */
  DPPAIR_AUTO_MANY_ = 24         /* numeric columns of which it is learned how many matter      */
};
/*
 * s[n] = the scores of n records x, n rows of the model's d numbers. A larger score is more likely
 * positive; its unit means nothing. Any value has a score: what lies outside of a range counts as
 * its nearer end, NaN as the low one.
 *
 * Scores follow from the model, which is released, and from these records: a score may show
 * something of its record.
 *
 * Errors zero s: NULL (also fitted->map); SIZE and DOMAIN (what is no model). OVERFLOW (no memory
 * holds so many numbers) does not touch it.
 */
DPPAIR_MUST_CHECK dppair_status dppair_auto_score(double *s, const dppair_auto_model *fitted, const
    double *x, size_t n);
/* *bytes = the workspace of dppair_auto_fit for n records of d columns: 8 for each feature of each
 * record (a numeric column has up to three features), and what does not grow with n. Errors zero
 * it: NULL, SIZE (n is not 4 to 10^9, d not 1 to 10^5), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_auto_workspace(size_t *bytes, size_t n, size_t d, const
    dppair_column *columns);
/*
 * Fits the score to n records x, n rows of d numbers, with n labels y (> 0: positive). It charges
 * the account before it reads a record, and the account ends within (plan->epsilon, plan->delta).
 * What the account holds is part of that: plain Gaussian steps, for delta = 0 steps with pure
 * epsilons.
 *
 *   fitted   fitted->map is the caller's array of d maps, whatever it holds
 *   plan     epsilon from 1e-9 to 1000; delta, 0 for pure privacy or from 1e-250 on; sampling =
 *            dppair_sampling_all(n, DPPAIR_REPLACE_ONE); ledger; all else 0
 *   keys     NULL for keys of the system
 *   x        any values: what lies outside of a range counts as its nearer end, NaN as the low one
 *   columns  d columns as they are declared, never read from the data. A numeric column has a range
 *            of ends that are 0 or of 1e-250 to 1e250; a flag or a column of a group has none
 *   work     `bytes` bytes, as dppair_auto_workspace says
 *
 * Errors leave the model and its maps zero (maps untouched: NULL, OVERFLOW, SIZE of n or d). They
 * cost nothing: NULL; SIZE (n is not that of the plan, or as dppair_auto_workspace says; a group
 * above d); OVERFLOW; UNREAD (also of a column); ADJACENCY; EPSILON; DELTA; DOMAIN and NOT_FINITE
 * (a range or a kind); WORKSPACE; OVERLAP (the model, and work or what is read); EXHAUSTED;
 * NO_PROOF (an account with other steps); ENVIRONMENT; SELF_TEST. They may cost: ENTROPY; the
 * ledger's; NO_PROOF for n epsilon > 8e11 with delta = 0. None depends on a record.
 */
DPPAIR_MUST_CHECK dppair_status dppair_auto_fit(dppair_auto_model *fitted, dppair_accountant
    *account, const dppair_plan *plan, const dppair_release_keys *keys, const double *x, const
    double *y, size_t n, size_t d, const dppair_column *columns, void *work, size_t bytes);
/*
 * Writes a model as JSON into text[size], with a zero behind it that *length does not count. names:
 * the d columns' names, or NULL. Every number reads back to the same bits.
 *
 * Errors zero text and *length: NULL; SIZE and DOMAIN (what is no model); WORKSPACE where there is
 * no room, and then *length is what is needed, without the zero. Size 0 asks for it: text may be
 * NULL.
 */
DPPAIR_MUST_CHECK dppair_status dppair_auto_write(char *text, size_t size, size_t *length, const
    dppair_auto_model *fitted, const char *const *names);
/*
 * Reads text[length]: what dppair_auto_write wrote, or a file of private_auc. fitted->map: the
 * caller's array of `capacity` maps. The text may come from anywhere: a map whose knots do not
 * increase is refused like any other text.
 *
 * Errors zero the model and its maps: NULL; FORMAT (any other text); SIZE where there are more
 * columns than `capacity`, and then fitted->d says how many. NULL and OVERFLOW (a capacity that no
 * memory has) do not touch the maps.
 */
DPPAIR_MUST_CHECK dppair_status dppair_auto_read(dppair_auto_model *fitted, size_t capacity, const
    char *text, size_t length);
#endif /* DPPAIR_AUTO_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_GROUPS_
#ifndef DPPAIR_GROUPS_H
#define DPPAIR_GROUPS_H
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#undef DPPAIR_NO_TEMPLATE_
/* The sum of the clipped vectors of a step's groups; the caller's memory. As private as they are.
 * The first four may be read. */
typedef struct dppair_group_sum {
  double *sum;  /* size numbers of the caller's */
  size_t size;  /* of a vector */
  double clip;  /* its longest norm */
  size_t count; /* groups so far */
  const dppair_release *release;
  size_t step;            /* of the release, counted from 1: the sum is one of this draw */
  uint64_t run, sequence; /* of the release: another one may be opened at its address */
} dppair_group_sum;
/*
 * Begins the sum of the vectors of the groups of this step, after its draw: sum[0..size) = 0. The
 * sum belongs to this step of this release. `clip` > 0 is the norm that vectors are shortened to;
 * it and `size` are public.
 *
 * The plan is one of dppair_sampling_groups, or, where a user or a query is protected, any other
 * in which users or queries are drawn: then all records of each drawn one are a group, of any
 * size. One without records has the vector 0, which must be added too; where neighbours differ in a
 * unit that is zeroed S = clip/b relies on that. So a public partition of the records into groups
 * is protected as a set of queries is: by dppair_sampling_all(groups, DPPAIR_REPLACE_QUERY), which
 * protects whole groups, at the same price as a record of each.
 *
 * Errors zero *s and sum: NULL; SIZE (size 0, or beyond any memory's); NO_RADIUS (clip <= 0);
 * NO_PROOF (records are drawn and users protected); ADJACENCY (records are protected, without
 * groups of them); NOT_FINITE, DOMAIN (the clip); ENVIRONMENT; those of dppair_release_vector about
 * the release.
 */
DPPAIR_MUST_CHECK dppair_status dppair_group_sum_open(dppair_group_sum *s, double *sum, size_t size,
    double clip, const dppair_release *release);
/*
 * Adds the vector of one group, v[0..s->size), shortened to the clip: v times a factor such that in
 * exact arithmetic its norm is at most the clip. One with a number that is not finite, as after an
 * overflow, counts as 0; so does one more than 2^512 (float: 2^64) times too long. Neither has an
 * error, which would tell about the group. The twin is for float; sums run in double.
 * Errors: NULL; DOMAIN (a sum that was not opened). The group is then not in the sum.
 */
DPPAIR_MUST_CHECK dppair_status dppair_group_add_f64(dppair_group_sum *s, const double *v);
DPPAIR_MUST_CHECK dppair_status dppair_group_add_f32(dppair_group_sum *s, const float *v);
/* Adds the groups of another sum of the same step, size and clip, with numbers of its own: that of
 * another thread. Errors: NULL; DOMAIN (sums that differ in one of these, or are the same). */
DPPAIR_MUST_CHECK dppair_status dppair_group_sum_join(dppair_group_sum *s, const dppair_group_sum
    *other);
/*
 * g[0..s->size) = the mean over the groups of this step, with its noise: the sum divided by their
 * number, or by the expected number where that is random. S is 2 clip/b of b groups; clip/b where a
 * unit that is zeroed has the vector 0. g may be s->sum.
 *
 * Errors zero g. They use no paid release: NULL; DOMAIN (a sum that was not opened, or for another
 * step or another release); SIZE (fewer or more groups than are drawn); OVERLAP (a part of g is in
 * s->sum); those of dppair_group_sum_open and of dppair_release_vector about the release. Without a
 * sum g has no size and is not touched. No error depends on a record.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_groups(double *g, dppair_release *release, const
    dppair_group_sum *s);
#endif /* DPPAIR_GROUPS_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    (defined(DPPAIR_MODULE_CONTRAST_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))
#ifdef DPPAIR_DECLARE_CONTRAST_
#ifdef DPPAIR_MODULE_CONTRAST_
#if DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ /* of an instance */
#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#define DPPAIR_ROWS_WHOLE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _ROWS), 0)
#if DPPAIR_ROWS_WHOLE_
/* What rows of similarities are computed for. */
typedef enum DPPAIR_NAME_triplet_sweep_ {
  DPPAIR_CAT(DPPAIR_NAME, _triplet_value_),  /* value[i] = the loss of anchor i */
  DPPAIR_CAT(DPPAIR_NAME, _triplet_weight_), /* weights, and with them the gradient */
  DPPAIR_CAT(DPPAIR_NAME, _triplet_log_),    /* lifted: logs[i] = ln of the sum over negatives */
  DPPAIR_CAT(DPPAIR_NAME, _triplet_share_) /* lifted: value[i] = the derivative in that logarithm */
} DPPAIR_NAME_triplet_sweep_;
#else
#endif
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#if DPPAIR_ROWS_WHOLE_
/* *bytes = the workspace of NAME_contrast_gradient and NAME_contrast_risk_not_private for n rows of
 * d numbers and `others` more in a second block (0: one set, or an empty block). Of the options the
 * number of parts is read; NULL: one. Errors zero *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_workspace( size_t *bytes, size_t n, size_t
    others, size_t d, const dppair_options *options);
/*
 * dz[n][d] = dL/dz of the embeddings z, the rows times their factors; dz_others the same of the
 * candidates `others`, which have their own labels. NULL for both: the rows are the candidates.
 *
 * rows->y, others->y: labels, for DPPAIR_POSITIVE_LABEL. options: params, parts, work as
 * NAME_contrast_workspace says. Every sum over records is in double (float: of chains of up to 48
 * numbers in float, added with 48 bits). The same bits for any number of parts.
 *
 * Errors zero both: NULL; SIZE (d, ld, parts, a partner that is no candidate, fewer others than
 * rows for DPPAIR_POSITIVE_RECORD); DOMAIN (temperature not positive and finite, margin, what is
 * compared, two_sided, an angle, triples; DPPAIR_POSITIVE_RECORD of one set; lifted of two sets,
 * with offsets or without labels); NO_PROOF (weights, groups, a clip); WORKSPACE; OVERFLOW
 * (similarities, 1/temperature or a margin beyond 1/64 of the type, sizes); ENVIRONMENT; NOT_FINITE
 * (an input or a result).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_gradient( DPPAIR_REAL *dz, DPPAIR_REAL
    *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast
    *contrast, const dppair_options *options);
/* *risk = L of the same arguments, by loops over all triplets. NOT PRIVATE. Errors zero it, as
 * above. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_risk_not_private( double *risk, const
    DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast *contrast, const
    dppair_options *options);
#else
/* *bytes = the workspace of NAME_contrast_gradient and NAME_contrast_risk_not_private for n rows of
 * d numbers and `others` more in a second block (0: one set, or an empty block); with an angle, for
 * dppair_contrast_angular(n, others) in their place. Of the options the number of parts is read;
 * NULL: one. Errors zero *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_workspace( size_t *bytes, size_t n, size_t
    others, size_t d, const dppair_options *options);
/* dz[n][d] = the gradient, with respect to the rows times their factors, of the sum of the losses
 * of all anchors; dz_others[m][d] that with respect to the m others. others NULL: the rows are
 * compared with each other, and dz_others is not read. Each number is a sum in double, rounded once
 * to the type of the instance. An anchor without a positive, or without a candidate that is not
 * left out, contributes nothing. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_gradient( DPPAIR_REAL *dz, DPPAIR_REAL
    *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast *how,
    const dppair_options *options);
/* *risk = the sum whose gradient that is, in double; workspace and errors as there. NOT PRIVATE. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_risk_not_private( double *risk, const
    DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const dppair_contrast *how, const dppair_options
    *options);
#endif
/* *bytes = the workspace of NAME_contrast_map_gradient for n rows of d numbers and `others` more in
 * a second block (0: one set), and a map of d rows of k numbers; with an angle, `others` as for
 * NAME_contrast_workspace. Of the options the number of parts is read; NULL: one. Errors zero
 * *bytes: NULL, SIZE, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_map_workspace( size_t *bytes, size_t n, size_t
    others, size_t d, size_t k, const dppair_options *options);
/*
 * g[d][k] = the gradient, with respect to w[d][k], of the sum of the losses of the embeddings W^T x
 * of the rows times their factors and, where there is a second block, of the others by the same
 * map. Everything else is that of NAME_contrast_gradient. Products of the map are in the type of
 * the instance, w rounded to it; X^T dz is summed in double.
 *
 * Errors zero g: those of NAME_contrast_gradient, SIZE (k < 1), NULL (w), NOT_FINITE (w).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_map_gradient( double *g, const DPPAIR_ROWS_
    *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k, const dppair_contrast *how, const
    dppair_options *options);
/*
 * dz[n][d] = NAME_contrast_gradient of each group of `group` rows by itself: rows 0 .. group - 1,
 * group .. 2 group - 1, and so on; dz_others likewise, or NULL where others is. Partners and
 * offsets are those of the places in a group, the same for all. NOT PRIVATE.
 *
 *   options params; work: NAME_contrast_workspace of one group. Its parts are not read: threads
 *          each take some groups of the batch
 *
 * A group in which something is not finite, or overflows, has the gradient 0 and no status: a
 * status would tell about it. Errors zero both: NULL, SIZE (group 0, n no multiple of it, blocks
 * that differ), NO_PROOF (weights, null records, groups, a clip), DOMAIN (dppair_contrast),
 * WORKSPACE, OVERFLOW, ENVIRONMENT, those of NAME_contrast_workspace.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_groups( DPPAIR_REAL *dz, DPPAIR_REAL
    *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, size_t group, const
    dppair_contrast *how, const dppair_options *options);
#if !DPPAIR_ROWS_WHOLE_
/* *bytes = the workspace of NAME_softmax_gradient and NAME_release_softmax for n records of d
 * numbers and a map to k, of which options->tasks is read: that of 2 n (d + 3 k) numbers and a
 * little. Errors zero it: NULL, SIZE (d or k is 0; parts 0), NO_PROOF (groups), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_workspace( size_t *bytes, size_t n, size_t d,
    size_t k, const dppair_options *options);
/*
 * g[d][k] = the gradient in w of a softmax over the batch, summed over the anchors, the gradient of
 * each similarity being shortened to options->clip in Frobenius norm: see clip_state.h. NOT
 * PRIVATE: NAME_release_softmax adds noise.
 *
 *   rows, others   n rows of d numbers each, with their factors: row i of both is record i, an
 *                  anchor and its positive; null records last, as many in both
 *   w              d x k, finite
 *   temperature    1/256 to 2^20; useful for privacy where it is of order 1
 *   options        clip: of dppair_clip_init; parts; work: NAME_softmax_workspace. params and
 *                  fast are not read
 *
 * Products and sums are in double for both types of rows, about 2 n^2 (2 d + 5 k) multiplications.
 * The same bits for any number of parts. No records: 0.
 *
 * Errors zero g: NULL; SIZE (the two blocks differ, nulls > n, d or k is 0, ld < d, parts 0);
 * NOT_FINITE (w, temperature; or a row or its embedding); DOMAIN (temperature; a clip beyond
 * 1e-90 to 1e90); NO_PROOF (no clip; weights; groups); OVERFLOW (sizes; a row and an embedding
 * longer than 1e140 together); WORKSPACE (also a clip that is not made), ENVIRONMENT.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_softmax_gradient( double *g, const DPPAIR_ROWS_ *rows,
    const DPPAIR_ROWS_ *others, const double *w, size_t k, double temperature, const dppair_options
    *options);
#endif
/*
 * *bytes = the workspace of NAME_release_contrast for groups of at most `group` records of d
 * numbers and a map to k; others: whether there are two blocks. Of options, params and parts are
 * read. Errors zero it: NULL, SIZE (parts, d or k is 0), OVERFLOW, those of
 * NAME_contrast_map_workspace.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast_workspace( size_t *bytes, size_t group,
    int others, size_t d, size_t k, const dppair_contrast *contrast, const dppair_options *options);
/*
 * g[d][k] = the mean over the groups of this step of the gradient in w of each group's own loss
 * (NAME_contrast_map_gradient of its records alone), shortened to options->clip in Frobenius norm,
 * with the noise of this step. g may be published, and so may the next w.
 *
 *   plan      of dppair_sampling_groups: m/g groups of g records (m = n: of all records). Or one in
 *             which queries or users are protected, the records of each being a group: any plan
 *             of them; a fixed partition is dppair_sampling_all(groups, DPPAIR_REPLACE_QUERY). One
 *             that draws is calibrated before it is opened (dppair_groups.h)
 *   rows      of this step's draw in its order, a group after the other (dppair_gather of rows
 *             without positives: others come first, and the groups would follow the labels; and
 *             without null records, which come last: in a group of g the place of one holds a row
 *             of zeros, because S is that of any change of the group)
 *   others    the second views of the same records, or NULL
 *   w, k      the map, d x k, finite
 *   contrast  partner and offset are those of the places in a group, the same for all groups: g of
 *             them, or groups->most
 *   options   clip (dppair_clip_init); groups: of relation WITHIN, with one array of places and
 *             `most`, where queries or users are protected, else NULL; work:
 *             NAME_release_contrast_workspace of groups of g, or of groups->most; parts
 *
 * S is 2 clip/b for b groups, clip/b where a zeroed unit has no records left. A group without
 * records, and one in which a number is not finite or overflows, counts as 0: no status tells.
 *
 * Errors zero g, and use no paid release: those of dppair_group_sum_open and of
 * dppair_release_vector about the release; NULL; SIZE (records or groups that are not those of the
 * step, places, no groups->most, blocks that differ, d, k or parts 0, a partner that is no place of
 * a group); ADJACENCY (groups for a matching, or none for another plan); NO_RADIUS (no clip);
 * NO_PROOF (weights; rows with positives; null records in a matching); NOT_FINITE (w, offsets);
 * DOMAIN (dppair_contrast); WORKSPACE; OVERFLOW; OVERLAP (g, and the workspace, w or rows); those
 * of NAME_contrast_map_workspace. No error depends on a record, but for NO_PROOF in a matching: it
 * says that a null record was drawn.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast( double *g, dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k, const
    dppair_contrast *contrast, const dppair_options *options);
#if !DPPAIR_ROWS_WHOLE_
/*
 * g[d][k] = the gradient of NAME_softmax_gradient, divided by the number of records that the plan
 * expects to draw, with the noise of this step: for a linear embedding of two views of each record
 * that are compared with those of all others in the batch. g may be published.
 *
 *   rows, others, w, k, temperature   as NAME_softmax_gradient takes them: all n records, or the
 *                same of both views as this step's draw has, in its order (dppair_gather of rows
 *                without positives: others come first, and views would part). radius > 0
 *   options      clip: of each similarity's gradient. work: NAME_softmax_workspace, of all n
 *                records where the plan draws a random number of them
 *
 * Records are protected. The plan: all records; Poisson samples and allocations; a number of them
 * without or with replacement. S grows with e^(2/temperature) until it says nothing: at a
 * temperature of 0.1 groups (NAME_release_contrast) are the better way.
 *
 * Errors zero g. They use no paid release: those of dppair_release_vector about the release; those
 * of NAME_softmax_gradient but for rows that are not finite; SIZE (records that are not those of
 * the step, two numbers of null records); ADJACENCY (a user or a query is protected); NO_RADIUS;
 * NO_PROOF (a matching; rows with positives); OVERFLOW (|w| or a radius from 1e30 on); OVERLAP (g,
 * and the workspace, w or rows). With rows from dppair_rows_clip no other error occurs; with others
 * NOT_FINITE can. Then the paid release is used.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_softmax( double *g, dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k, double
    temperature, const dppair_options *options);
#endif
#undef DPPAIR_ROWS_WHOLE_
#endif
#endif
#else
#ifndef DPPAIR_CONTRAST_H
#define DPPAIR_CONTRAST_H
#define DPPAIR_NAME_contrast_gradient DPPAIR_NAME_OF_(_contrast_gradient)
#define DPPAIR_NAME_contrast_groups DPPAIR_NAME_OF_(_contrast_groups)
#define DPPAIR_NAME_contrast_map_gradient DPPAIR_NAME_OF_(_contrast_map_gradient)
#define DPPAIR_NAME_contrast_map_workspace DPPAIR_NAME_OF_(_contrast_map_workspace)
#define DPPAIR_NAME_contrast_risk_not_private DPPAIR_NAME_OF_(_contrast_risk_not_private)
#define DPPAIR_NAME_contrast_workspace DPPAIR_NAME_OF_(_contrast_workspace)
#define DPPAIR_NAME_release_contrast DPPAIR_NAME_OF_(_release_contrast)
#define DPPAIR_NAME_release_contrast_workspace DPPAIR_NAME_OF_(_release_contrast_workspace)
#define DPPAIR_NAME_release_softmax DPPAIR_NAME_OF_(_release_softmax)
#define DPPAIR_NAME_softmax_gradient DPPAIR_NAME_OF_(_softmax_gradient)
#define DPPAIR_NAME_softmax_workspace DPPAIR_NAME_OF_(_softmax_workspace)
#define DPPAIR_NAME_triplet_sweep_ DPPAIR_NAME_OF_(_triplet_sweep_)
#define DPPAIR_PROBE_dppair_whole_rows ~, 1 /* the word L_ROWS of a loss, for DPPAIR_WORD_ */
/* The similarity of two embeddings. */
typedef enum dppair_comparison {
  DPPAIR_COMPARE_DOT = 0, /* <z, z'> */
  DPPAIR_COMPARE_COSINE,   /* <z, z'>/(|z| |z'|). Rows of norm 0, or below 2^-512 (float: 2^-64),
                            * count as 0: their similarities are 0, and so are their gradients */
  DPPAIR_COMPARE_DISTANCE, /* -|z - z'|^2 */
  DPPAIR_COMPARE_EUCLIDEAN /* -|z - z'|; of triplets only */
} dppair_comparison;
/* Which candidates are the positives of an anchor. */
typedef enum dppair_positives {
  DPPAIR_POSITIVE_RECORD = 0, /* of two blocks: that of the same place in the other one */
  DPPAIR_POSITIVE_PARTNER,    /* the candidate partner[i]. One set: an anchor that is its own
                               * partner has no positive */
  DPPAIR_POSITIVE_LABEL       /* all candidates of its label, but itself */
} dppair_positives;
/* Which triples of an anchor, a positive and a negative count: triplet.h. */
typedef enum dppair_triples {
  DPPAIR_TRIPLES_ALL = 0,
  DPPAIR_TRIPLES_SEMI_HARD,
  DPPAIR_TRIPLES_HARDEST,
  DPPAIR_TRIPLES_LIFTED
} dppair_triples;
/* What is compared, and how. What is not given is 0 or NULL; the temperature must be given.
 * Everything here is public but partners and offsets. */
typedef struct dppair_contrast {
  dppair_comparison compare;
  double temperature; /* similarities are divided by it: positive */
  dppair_positives positives;
  const size_t *partner; /* of PARTNER: a place among the candidates for each row */
  const double *offset;  /* a number for each candidate, subtracted from all its logits: for a
                          * sampled softmax the logarithm of its sampling rate; NULL: 0 */
  int two_sided;         /* of two blocks, RECORD or LABEL, without offsets: the others are anchors
                          * too, and the losses of both directions are added */
  double margin;         /* of triplets; row losses take theirs as a parameter: 0 */
  double angle;          /* alpha of an angular loss, in radians, below pi/2; 0: none */
  dppair_triples triples; /* of triplets */
} dppair_contrast;
/* What to ask NAME_contrast_workspace and NAME_contrast_map_workspace for in place of `others`,
 * where the contrast has an angle: room for sums z_i + z_p and their results. */
size_t dppair_contrast_angular(size_t n, size_t others);
/*
 * The SUM over b anchors i of the gradient of -S_ii + log sum_j e^{S_ij}, similarities S_ij in
 * [-1/temperature, 1/temperature], the gradient of each S_ij of norm <= clip = B. One record is
 * anchor i and its partner, row i and column i. With t = e^{2/temperature}:
 *   REPLACE_ONE  B (4 (1 - low) + 2 (b-1) high), low = 1/(1 + (b-1) t), high = 1/(1 + (b-1)/t)
 *   ZERO_OUT     B (2 (1 - low) + 2 (b-1) high): row and column leave a batch of b
 * batch = 0: for batches of any size, B (4 + 2t) and B (2 + 2t). It grows with b, so that a batch
 * of at most `batch` is covered. Useful for temperatures of order 1; else clip groups.
 * Proof. Row a has coefficients P_aj - [j = a], of absolute sum 2 (1 - P_aa) <= 2 (1 - low), before
 * and after. In another row i the vector is p G_ia + (1-p) M - G_ii, p = P_ia <= high, M the mean
 * over j != a, which does not depend on record a: it moves by p B + p' B + |p - p'| B <= 2 high B,
 * or by 2 p B when column a leaves. Attained.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_softmax(double *sensitivity, double clip, double
    temperature, size_t batch, dppair_adjacency adjacency);
#define dppair_infonce_KIND dppair_rowwise
#define dppair_npairs_KIND dppair_rowwise
#define dppair_decoupled_KIND dppair_rowwise
#define dppair_triplet_KIND dppair_rowwise
#define dppair_triplet_ROWS dppair_whole_rows
#define dppair_triplet_squared_KIND dppair_rowwise
#define dppair_triplet_squared_ROWS dppair_whole_rows
#define dppair_triplet_soft_KIND dppair_rowwise
#define dppair_triplet_soft_ROWS dppair_whole_rows
#define dppair_triplet_soft_SPLIT dppair_split
#endif /* DPPAIR_CONTRAST_H */
#endif /* DPPAIR_MODULE_CONTRAST_ */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_EVALUATION_
#ifndef DPPAIR_EVALUATION_H
#define DPPAIR_EVALUATION_H
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#undef DPPAIR_NO_TEMPLATE_
/* What a caller may choose. NULL, or all 0: the defaults. */
typedef struct dppair_evaluate_options {
  double confidence; /* of the interval or band, in (0, 1); 0: 0.95 */
  size_t promise;    /* 0: none, a noisy count of the positives is released first. Else both classes
                      * are promised to have at least so many records, in this data set and in any
                      * that could stand in its place, and no count is released. For
                      * dppair_evaluate_auc and _risk a broken promise costs accuracy, and the
                      * interval, not privacy; the guarantee of dppair_evaluate_partial_auc RESTS
                      * on it */
} dppair_evaluate_options;
/* What an evaluation answers. All of it may be published. */
typedef struct dppair_evaluation {
  double value;        /* the estimate, within the range of the measure */
  double lower, upper; /* the interval, within that range too; each function says of what */
  double released;     /* the number as it was released: value is it, moved into the range */
  double noise;        /* the scale of the noise in it, as the law has it: of Laplace, or the
                        * standard deviation of a Gaussian */
  double variance;     /* a bound of the sampling variance, released with noise; HUGE_VAL: none was,
                        * because the noise would have been larger than it */
  double count;        /* the positives, with noise, rounded to a whole number; 0: not released */
  size_t smaller; /* what either class is taken to have at least (m0); 0: there are no classes */
  int refused;    /* 1: dppair_evaluate_partial_auc did not find enough records in both classes.
                   * Then value, released and noise are 0, and the interval is the range */
} dppair_evaluation;
/* *bytes = the workspace of any evaluation of n records, with so many thresholds for
 * dppair_evaluate_roc and 0 for the others. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_workspace(size_t *bytes, size_t n, size_t
    thresholds);
/*
 * The AUC of n test records, the share of pairs of a positive and a negative in which the positive
 * has the larger score, ties one half; and an interval for the AUC of the population that the
 * records were drawn from. s[n]: scores; y[n]: labels (permit.h says how they are read). Both may
 * be in any order. O(n log n); work: dppair_evaluate_workspace(n, 0).
 *
 * Released are a count of the positives, which only helps to choose m = out->smaller (not with a
 * promise); the variance, where m is large enough; and the AUC continued to all data sets with
 * sensitivity 1/m. It never refuses. Where a class has fewer than m records the answer is drawn
 * towards 1/2: that costs accuracy, not privacy.
 *
 * The interval holds all x for which the test of "the population's AUC is x" accepts. The test
 * takes the released number as x + N + noise, N normal with variance min(out->variance, x (1 -
 * x)/m), which bounds the variance of the AUC under every law. It is asymptotic, as DeLong's
 * interval is: its coverage is nominal where that one's is, and higher where m/z is below 60 or the
 * AUC is near 1; but less, 0.93 for 0.95, where besides one class has some ten records, because m
 * may be more than these. It rests on a promise that was made: where a class has fewer records it
 * does not hold. It says nothing of the AUC of these records alone.
 *
 * Errors: permit.h.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_auc( dppair_evaluation *out, dppair_release
    *release, const double *s, const double *y, size_t n, const dppair_evaluate_options *options,
    void *work, size_t bytes);
/* phi(margin) of a pair: the score of the positive less that of the negative. */
typedef double (*dppair_evaluate_loss)(double margin, void *context);
/*
 * The pairwise risk: the mean over pairs of a positive and a negative of loss(margin), moved into
 * [0, cap], and an interval for that of the population. As dppair_evaluate_auc, with numbers in [0,
 * cap] and sensitivity cap/m; the variance moves by 2 cap^2/m^2, because a loss is no comparison
 * of scores. loss must be a function of the margin (and of what is public) only. It is called once
 * a pair: O(p q).
 *
 * Errors: permit.h; DOMAIN: cap is not a positive finite number.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_risk(dppair_evaluation *out, dppair_release
    *release, const double *s, const double *y, size_t n, dppair_evaluate_loss loss, void *context,
    double cap, const dppair_evaluate_options *options, void *work, size_t bytes);
/* Two numbers that add up over sites. Both may be published. */
typedef struct dppair_evaluate_sums {
  double pairs;     /* positive-negative pairs in the right order, ties one half */
  double positives; /* a whole number */
  double pairs_noise, positives_noise; /* the scales of the noises in them */
} dppair_evaluate_sums;
/*
 * The number of correctly ordered pairs and that of positives, with noise. Over sites that hold
 * records of their own, sum of pairs / sum of positives (n - positives) is the AUC within sites.
 * One record moves the pairs by n - 1 (a positive adds between 0 and the number of negatives, a
 * negative between 0 and the number of positives, and one that changes its label takes one away and
 * adds the other), the positives by 1. For one data set dppair_evaluate_auc needs half the noise.
 * Arguments and errors as there.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_pairs(dppair_evaluate_sums *out, dppair_release
    *release, const double *s, const double *y, size_t n, void *work, size_t bytes);
/*
 * The partial AUC of n test records: the AUC against the share `rate`, 0 < rate <= 1, of the
 * negatives with the highest scores, that is, the area under the part of the ROC curve with at most
 * this false-positive rate, divided by it. 1 is perfect, chance is rate/2; rate 1 gives the AUC.
 * (Of negatives with equal scores at the edge each counts in part, so it differs there from
 * dppair_partial_auc_not_private_f64.) out->lower and upper hold the partial AUC OF THESE RECORDS
 * with the given confidence; nothing is known of its sampling variance. O(n log n).
 *
 * No continuation to all data sets is known, and with a class of m records one record moves it by
 * 1/(rate m). So it needs one of two:
 *   a promise     options->promise = m. The guarantee rests on it.
 *   plan.failure  a noisy count is released; m is less than it by a margin that the noise passes
 *                 with probability f = failure/steps of the plan. If m < 1 the answer is `refused`,
 *                 which says no more than the count. Otherwise noise of 1/(rate m).
 * With the second the paid release's guarantee holds with f added to delta, which was charged when
 * the plan was opened: unless m >= min(p, q) on one data set, every neighbour has m in both
 * classes, and what follows costs what is left of the paid release. Outputs after a count with m >=
 * min(p, q) have probability f, and all others are those of a mechanism with the paid release's
 * guarantee.
 *
 * Errors: permit.h; DOMAIN: rate; NO_PROOF also without a promise in a plan whose failure is 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_partial_auc( dppair_evaluation *out, dppair_release
    *release, const double *s, const double *y, size_t n, double rate, const dppair_evaluate_options
    *options, void *work, size_t bytes);
/*
 * Kendall's tau-a of the pairs (a[i], b[i]), i < n: the mean over all pairs of records of
 * sign((a - a')(b - b')), in [-1, 1], ties 0; and an interval for that of the population. (The
 * divisor of tau-b is private.) NaN counts as -infinity. One record moves tau by 4/n. The interval
 * is that of dppair_evaluate_statistic. O(n log n); work: dppair_evaluate_workspace(n, 0).
 *
 * Errors: permit.h; UNREAD: a promise.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_kendall( dppair_evaluation *out, dppair_release
    *release, const double *a, const double *b, size_t n, const dppair_evaluate_options *options,
    void *work, size_t bytes);
/* h of records i and j, i < j: a function of these two records, and of what is public, only. */
typedef double (*dppair_evaluate_kernel)(size_t i, size_t j, void *context);
/*
 * The mean over all pairs of n records of h, moved into [low, high] (NaN: low), and an interval for
 * the mean of h over pairs of the population: a U-statistic of degree 2. h should be symmetric; it
 * is called for i < j only, n (n - 1)/2 times. One record moves the mean by 2 (high - low)/n.
 * Released are the jackknife's variance (n > 2) and the mean. The interval holds all x for which
 * the test of "the mean is x" accepts, with a normal law of variance min(out->variance, 2 (x -
 * low)(high - x)/n): asymptotic. work: dppair_evaluate_workspace(n, 0).
 *
 * Errors: permit.h; UNREAD: a promise; DOMAIN: low, high or high - low is not finite, low >= high.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_statistic(dppair_evaluation *out, dppair_release
    *release, dppair_evaluate_kernel h, void *context, double low, double high, size_t n, const
    dppair_evaluate_options *options, void *work, size_t bytes);
/* A point of the curve: "positive" is said where score >= threshold. */
typedef struct dppair_roc_point {
  double threshold;
  double false_rate, false_lower, false_upper; /* the share of negatives that are said positive */
  double true_rate, true_lower, true_upper;    /* the share of positives that are */
} dppair_roc_point;
/*
 * Points of the ROC curve at thresholds[count], which are public and ascending, and a band that
 * holds the population's rates at all of them at once, with the confidence of the options (proved;
 * in practice more often). *area, where it is not NULL: the AUC of the polygon through the points,
 * which differs from the AUC by at most half of the pairs within a cell, and an interval that holds
 * the population's AUC whenever the band holds. Whatever else is computed from the points, a
 * partial AUC or the threshold for a false-positive rate, is free. n log(count); work:
 * dppair_evaluate_workspace(n, count).
 *
 * The histogram of both classes has 2 (count + 1) cells. One record moves one count up and one
 * down: by 2 in l1, sqrt 2 in l2. Sums of k noises are taken to be below their quantile at 0.4
 * alpha/(8 cells), for all sums that are used, and the empirical rates of each class within
 * sqrt(ln(2/d)/(2 N)) of the population's, d = 0.3 alpha (Dvoretzky, Kiefer, Wolfowitz; Massart
 * 1990), N a lower bound of its records: in all alpha = 1 - confidence.
 *
 * Errors zero both: permit.h; SIZE: count is 0 or above 1000; DOMAIN: thresholds that are not
 * finite and ascending; UNREAD: a promise.
 */
DPPAIR_MUST_CHECK dppair_status dppair_evaluate_roc( dppair_roc_point *points, dppair_evaluation
    *area, dppair_release *release, const double *s, const double *y, size_t n, const double
    *thresholds, size_t count, const dppair_evaluate_options *options, void *work, size_t bytes);
#endif /* DPPAIR_EVALUATION_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_FILTERS_
#ifndef DPPAIR_FILTERS_H
#define DPPAIR_FILTERS_H
/*
 * A Renyi filter (Feldman and Zrnic 2021; Lecuyer 2021): the parameters of a step may depend on
 * earlier outputs, and the run stops before the sum of the divergences of one order, which is fixed
 * in advance, exceeds the budget. order = 0 is for Gaussian steps, which spend mu^2; the whole run
 * is then exactly sqrt(budget)-Gaussian. (Proof: pad the transcript with one Gaussian that uses up
 * the budget. The log-likelihood ratio then has conditionally Gaussian increments with a constant
 * total variance.)
 */
typedef struct dppair_filter {
  double order, budget, spent;
} dppair_filter;
/* Sets the budget that makes the whole run (epsilon, delta)-private. order = 0 or > 1. Errors:
 * NULL, ENVIRONMENT, NOT_FINITE, EPSILON, DELTA, DOMAIN (order), EXHAUSTED: at this order nothing
 * is left to spend. */
DPPAIR_MUST_CHECK dppair_status dppair_filter_init(dppair_filter *f, double epsilon, double delta,
    double order);
/* Call this BEFORE a step that costs `spend` (mu^2, or the divergence of the filter's order). OK:
 * the step has been charged. EXHAUSTED: nothing was charged, and the step must not run. */
DPPAIR_MUST_CHECK dppair_status dppair_filter_step(dppair_filter *f, double spend);
/* *budget: the B that gives (epsilon, delta) under this adjacency, rounded down. ranking != 0: a
 * two-level ranking loss, for which replacing a record costs half. */
DPPAIR_MUST_CHECK dppair_status dppair_individual_budget(double *budget, double epsilon, double
    delta, dppair_adjacency adjacency, int ranking);
/*
 * One step of the filter: charges g[i] to every active record, or drops the record. spent[n] starts
 * at 0 and active[n] at 1; both are secret. A g[i] or spent[i] that is not a finite number >= 0
 * drops the record too. Errors: NULL, SIZE (n < 2), SIGMA (n sigma is no number, too), DOMAIN
 * (budget), ENVIRONMENT, which make all records inactive; OVERFLOW (no array has n bytes), which
 * leaves `active` alone.
 */
DPPAIR_MUST_CHECK dppair_status dppair_individual_step(double *spent, unsigned char *active, const
    double *g, size_t n, double sigma, double budget);
/*
 * The same for a sum of vectors of one record each, as pairs made pointwise are (NAME_coeffs_from_
 * histogram), with what a record ACTUALLY adds. The statistic is the sum over active records of
 * a_i, with N(0, sigma^2 I); a_i depends on record i, on public numbers and on what was RELEASED
 * before, and norm[i] = |a_i|, as it stands in the statistic (clip(c_i v_i)/n in a mean gradient),
 * with its rounding. Each active record is charged norm[i]^2/(2 sigma^2) or dropped for good. A
 * histogram of scores is such a sum: every active record has norm 1 and sigma is the scale of its
 * noise. A dropped record leaves later histograms as well as later gradients (weight 0).
 *
 * Coefficients must come from the histogram WITH its noise. Those of its exact counts, or of all
 * pairs, depend on the other records: then a record changes what others are charged and who is
 * dropped, and nobody pays for that.
 *
 * CLAIM and budget: those of the filter above, for a loss that is not a ranking loss
 * (dppair_individual_budget, ranking = 0): with a record zeroed the transcript is sqrt(2 B)-
 * Gaussian; with one replaced by another it is 2 sqrt(2 B)-Gaussian.
 * Proof. Given the outputs so far, flags and vectors of all j != i are the same in both runs, so
 * the means differ by a_i while record i is active, and by nothing afterwards; the squares sum to
 * at most 2 B sigma^2. Where it is replaced they differ by a_i - a'_i, whose squares sum to at most
 * 2 B (1 + 1)^2 sigma^2 by Minkowski's inequality. Padding: as for dppair_filter.
 * Arguments and errors: dppair_individual_step.
 */
DPPAIR_MUST_CHECK dppair_status dppair_individual_sum_step(double *spent, unsigned char *active,
    const double *norm, size_t n, double sigma, double budget);
#endif /* DPPAIR_FILTERS_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    (defined(DPPAIR_MODULE_INFLUENCE_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))
#ifdef DPPAIR_DECLARE_INFLUENCE_
#ifdef DPPAIR_MODULE_INFLUENCE_
#if DPPAIR_STAGE_ == DPPAIR_STAGE_KERNELS_
#elif DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ /* of an instance */
#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#define DPPAIR_CURVE_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _CURVE), 0)
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_TABLE_
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
#if DPPAIR_CURVE_
/* *bytes = the workspace of NAME_curvature_init for at most n records. order: 1 slopes, 2
 * curvatures. Errors zero it: NULL, DOMAIN (order, cap; of an analytic loss the accuracy and its
 * parameters too, while the sums of a sorted one are of its formula whatever they are), OVERFLOW,
 * NO_PROOF (a loss that has only the loops; they need no state). */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_workspace(size_t *bytes, size_t n, int order,
    dppair_accuracy accuracy, double cap, const double *params);
/* Prepares *c for sums of slopes (order 1) or curvatures (2), as NAME_fast_init does for
 * NAME_coeffs_fast: scores beyond +-cap count as the cap, the workspace must live as long as *c is
 * used, and a box's table depends neither on the data nor on the machine. On an error *c is
 * unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE, those of
 * NAME_curvature_workspace. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_init(dppair_curvature *c, size_t n, int order,
    dppair_accuracy accuracy, double cap, const double *params, void *work, size_t bytes);
/*
 * The pair sums of the second derivative in the direction of t, O(np nn), or nearly linear with c:
 *
 *   a[i] = sum over j of phi''(sp[i] - sn[j]) (tp[i] - tn[j]), i < np
 *   b[j] = -sum over i of the same, j < nn
 *
 * For rows X+ and X-, s = X w and t = X v the Hessian in w of the sum of phi over all pairs, times
 * v, is X+^T a + X-^T b (dppair_combine_*): NAME_hessian. For residuals pass the same records on
 * both sides and add a and b. order 2; with order 1 the sums are those of phi' in place of phi''.
 *
 *   c   a state of this order, from NAME_curvature_init, or NULL: the loops
 *
 * Error. Loops: each term is computed from its own two records, so no records cancel; 80 u of the
 * sum of its terms' sizes, u = 2^-24 (float) or 2^-53, where a derivative that crosses 0 (the
 * second of the sigmoid and of Welsch's loss) counts as its supremum. Boxes: kernel_error times
 * |tp[i] - tn[j]| per pair, and rounding of a few hundred 2^-53 times fast.weight times the spread
 * of all t per pair. Sorting: 4 (n + 8) 2^-53 of the sizes of constant + factor u and t, both
 * counted from their middles. Which side of a knot a margin is on is decided after it was rounded
 * to the element type (loops) or to double.
 *
 * Errors zero a and b: NULL, NO_PROOF (the loss has no second derivative), DOMAIN (order),
 * WORKSPACE (a state of another order or kind, or of fewer than np + nn records), ENVIRONMENT,
 * NOT_FINITE (a score, t or a result); OVERFLOW as in NAME_coeffs.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature(double *a, double *b, const DPPAIR_REAL *sp,
    const DPPAIR_REAL *tp, size_t np, const DPPAIR_REAL *sn, const DPPAIR_REAL *tn, size_t nn, int
    order, const double *params, const dppair_curvature *c);
#else /* no second derivative: the same functions, and one answer */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_workspace(size_t *bytes, size_t n, int order,
    dppair_accuracy accuracy, double cap, const double *params);
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature_init(dppair_curvature *c, size_t n, int order,
    dppair_accuracy accuracy, double cap, const double *params, void *work, size_t bytes);
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_curvature(double *a, double *b, const DPPAIR_REAL *sp,
    const DPPAIR_REAL *tp, size_t np, const DPPAIR_REAL *sn, const DPPAIR_REAL *tn, size_t nn, int
    order, const double *params, const dppair_curvature *c);
#endif
/* *bytes = the workspace of NAME_hessian for n records. Errors zero it: NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_hessian_workspace(size_t *bytes, size_t n);
/*
 * h[0..d) = H v, where H is the Hessian in w of the sum of phi(<x - x', w>) over all positives x
 * and negatives x': the sum of phi'' <x - x', v> (x - x'). It is neither divided nor private.
 *
 *   rows, w   as in NAME_gradient
 *   v         d numbers of the element type
 *   c         a state of order 2, or NULL: the loops
 *   work      `bytes` bytes, at least what NAME_hessian_workspace says
 *
 * Errors zero h: those of dppair_scores, NAME_curvature and dppair_combine, SIZE (more positives
 * than records), WORKSPACE.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_hessian(double *h, const DPPAIR_ROWS_ *all, const
    DPPAIR_REAL *w, const DPPAIR_REAL *v, const double *params, const dppair_curvature *c, void
    *work, size_t bytes);
#if DPPAIR_TEMPLATE_F64_
/* *bytes = the workspace of the functions of leave_one_out.h and stability.h, for n records of d
 * features: about 6 n + 3 d^2 numbers, and with own_hessian n d (d + 3)/2 more. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_workspace(size_t *bytes, size_t n, size_t d,
    const dppair_influence *of);
#endif
#if DPPAIR_TEMPLATE_F64_
/*
 * w[0..d) = the minimiser of F, NOT PRIVATE, by Newton's method from the w that is given, with
 * steps halved until the gradient falls. It ends once |gradient| <= tolerance; *gradient is that
 * norm, of the sums that `of` asks for. For convex phi, loops and scores within the caps
 * |w - minimiser| <= *gradient/ridge; boxes add their error. A record is left out by giving the
 * rows without it; to keep N, with the ridge times n/(n-2), n counting it (pointwise n/(n-1)).
 *
 *   rows, of   n >= 3 records; renormalised and own_hessian are read for the workspace alone
 *   steps      the most Newton steps
 *
 * Errors zero w and *gradient: NULL, SIZE, DOMAIN, WORKSPACE, NO_PROOF (the loss has no curvature,
 * or the Hessian is not positive), NO_CONVERGENCE, those of dppair_scores_f64 and NAME_curvature.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_minimiser_not_private( double *w, double *gradient,
    const dppair_rows_f64 *rows, const dppair_influence *of, double tolerance, size_t steps, void
    *work, size_t bytes);
/*
 * change[i * d + k], i < n, k < d = what leaving record i out does to w, NOT PRIVATE: w_-i - w to
 * first order, by the formula of influence.h that `of` names. Costs d pair sums of slopes and d of
 * curvatures, near-linear with the states of `of`, and O(n d^2); with own_hessian d (d + 3)/2 more
 * sums and O(n d^3).
 *
 * *error: each change is within this distance of what exact arithmetic and the exact slopes would
 * give: residual, boxes and rounding of the Hessian, over a proved bound of the least eigenvalue
 * (the ridge for convex phi, or for another with L_RANGE what the factor shows). The rounding of
 * the scores and of s_i is not in it, (n + 80) 2^-53 of the sizes of its terms. HUGE_VAL where no
 * bound was found, or where a score is beyond the cap of a state: the changes are then those of
 * another problem. How far H^-1 s_i is from retraining is another matter: dppair_influence_bound.
 *
 * Errors zero change and *error: NULL, SIZE (n < 3, d = 0, ld < d, more positives than records),
 * DOMAIN (risk, ridge), WORKSPACE, NO_PROOF (the loss has no curvature, or the Hessian is not
 * positive), NOT_FINITE, those of dppair_scores_f64 and NAME_curvature; with OVERFLOW (sizes)
 * change is not touched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_not_private( double *change, double *error,
    const dppair_rows_f64 *rows, const double *w, const dppair_influence *of, void *work, size_t
    bytes);
/* change[0..d) = what leaving record i out does to w, as NAME_influence_not_private and NOT
 * PRIVATE, for this record alone and without a Hessian, by conjugate gradients: as many pair sums
 * as steps. *error as there; HUGE_VAL unless phi is known to be convex (L_RANGE). Errors as there,
 * SIZE also for i >= n, NO_CONVERGENCE; they zero change and *error. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_record_not_private( double *change, double
    *error, size_t i, const dppair_rows_f64 *rows, const double *w, const dppair_influence *of, void
    *work, size_t bytes);
/*
 * along[i], i < n = q.(w_-i - w), to first order and NOT PRIVATE, for all records at once: q is the
 * gradient in w of any quantity. One solution of H p = q by conjugate gradients, then one pair sum,
 * since q.H^-1 s_i = p.s_i: nearly linear in n with the states of `of`.
 *
 * The AUC: with a second instance of dppair_sigmoid, the gradient of the AUC with each step of the
 * ROC curve smoothed over scores of size h is q = -(its NAME_gradient at w/h)/(h n+ n-). along[i]
 * is then the change of that smoothed AUC of all n+ n- pairs, those of record i included, through
 * w.
 *
 * *error: bounds |p - H^-1 q|, so along[i] is within *error times |r s_i + (r - 1) ridge w|, and by
 * the boxes' error of s_i times |p|, of q.(w_-i - w). HUGE_VAL unless phi is known to be convex.
 * own_hessian is DOMAIN. Other errors as in NAME_influence_record_not_private; they zero along and
 * *error; with OVERFLOW along is not touched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_along_not_private( double *along, double
    *error, const double *q, const dppair_rows_f64 *rows, const double *w, const dppair_influence
    *of, void *work, size_t bytes);
/* q[0..d) = the gradient in w of phi of the pair (j, k), NOT PRIVATE: j a positive and k a
 * negative; of RESIDUAL any two records; POINTWISE reads j only. With
 * NAME_influence_along_not_private along[i] is the change of that pair's loss when record i is left
 * out. Errors zero q: NULL, SIZE (j or k), and as above. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_influence_pair_not_private( double *q, size_t j, size_t
    k, const dppair_rows_f64 *rows, const double *w, const dppair_influence *of, void *work, size_t
    bytes);
#endif
#if DPPAIR_TEMPLATE_F64_
/*
 * *stability from change[n][d] = w_-i - w, the estimates of NAME_influence_not_private or what
 * retraining found; NOT PRIVATE. elastic[i], if elastic is not NULL = n times the mean over pairs
 * (z', z'') of |change_i . gradient of the pair's loss|: n beta_n(z_i; ., .) to first order. Its
 * largest is the plug-in of sup over z of the mean, which Theorem 3 asks for over the whole domain:
 * an estimate.
 *   lipschitz   G of the loss of a pair (dppair_constants_find), over the domain
 *
 * O(n) sums over all pairs. `rigorous` and `uniform` need a convex phi (L_RANGE; else HUGE_VAL), a
 * minimiser w and, for G, rows within the domain: leaving record i out moves w by at most
 * |r s_i + (r - 1) ridge w|/ridge, because F_-i is ridge-strongly convex. `rigorous` is HUGE_VAL
 * where a score is beyond the cap of the slopes' state.
 *
 * Errors zero all outputs: those of NAME_influence_not_private, DOMAIN also for G.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_stability_not_private( dppair_stability *stability,
    double *elastic, const double *change, double lipschitz, const dppair_rows_f64 *rows, const
    double *w, const dppair_influence *of, void *work, size_t bytes);
#endif
#undef DPPAIR_CURVE_
#endif
#endif
#elif !defined(DPPAIR_INFLUENCE_H)
#define DPPAIR_INFLUENCE_H
#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_influence.h before dppair.h makes an instance: earlier ones have none of it."
#endif
#define DPPAIR_NO_TEMPLATE_
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NAME_curvature DPPAIR_NAME_OF_(_curvature)
#define DPPAIR_NAME_curvature_init DPPAIR_NAME_OF_(_curvature_init)
#define DPPAIR_NAME_curvature_workspace DPPAIR_NAME_OF_(_curvature_workspace)
#define DPPAIR_NAME_hessian DPPAIR_NAME_OF_(_hessian)
#define DPPAIR_NAME_hessian_workspace DPPAIR_NAME_OF_(_hessian_workspace)
#define DPPAIR_NAME_influence_along_not_private DPPAIR_NAME_OF_(_influence_along_not_private)
#define DPPAIR_NAME_influence_not_private DPPAIR_NAME_OF_(_influence_not_private)
#define DPPAIR_NAME_influence_pair_not_private DPPAIR_NAME_OF_(_influence_pair_not_private)
#define DPPAIR_NAME_influence_record_not_private DPPAIR_NAME_OF_(_influence_record_not_private)
#define DPPAIR_NAME_influence_workspace DPPAIR_NAME_OF_(_influence_workspace)
#define DPPAIR_NAME_minimiser_not_private DPPAIR_NAME_OF_(_minimiser_not_private)
#define DPPAIR_NAME_stability_not_private DPPAIR_NAME_OF_(_stability_not_private)
#define DPPAIR_MODULE_INFLUENCE_
#define DPPAIR_STAGE_ DPPAIR_STAGE_KERNELS_
#define DPPAIR_BODY_ DPPAIR_BODY_MODULE_
#undef DPPAIR_BODY_
#undef DPPAIR_STAGE_
#undef DPPAIR_MODULE_INFLUENCE_
#define DPPAIR_PROBE_dppair_curve ~, 1
/* The prepared state of NAME_curvature, made by NAME_curvature_init in the caller's workspace, for
 * any number of calls by one thread at a time. `fast` is that of the derivative that is summed:
 * kernel_error, score_cap and weight mean what they mean in dppair_fast. */
struct dppair_curvature;
typedef dppair_status dppair_curvature_run_(double *a, double *b, const void *sp, const void *tp,
                                            size_t np, const void *sn, const void *tn, size_t nn,
                                            const struct dppair_curvature *c,
                                            const dppair_piece *pieces, int count, int is_f32);
typedef struct dppair_curvature {
  dppair_fast fast;
  int order; /* 1: slopes, 2: curvatures */
  dppair_curvature_run_ *run;
} dppair_curvature;
/* What phi is applied to; s are scores <x, w>. Positives stand first in the rows, but for
 * RESIDUAL. Pairs of one class have no gradient. */
typedef enum dppair_influence_risk {
  DPPAIR_INFLUENCE_IND = 0,  /* phi(s - s') of a positive and a negative, one order */
  DPPAIR_INFLUENCE_DIFF = 1, /* phi((y - y')(s - s')), y = +-1, both orders */
  DPPAIR_INFLUENCE_SIGN = 2, /* phi(sign(y - y')(s - s')), both orders */
  DPPAIR_INFLUENCE_RESIDUAL =
      3, /* phi((y - y') - (s - s')) over all ordered pairs; y of the rows */
  DPPAIR_INFLUENCE_POINTWISE = 4 /* phi(y s) over records, y = +-1 (Kang et al. 2023) */
} dppair_influence_risk;
/* A problem, and how its records are left out. What is not given is 0 or NULL. */
typedef struct dppair_influence {
  dppair_influence_risk risk;
  double ridge;         /* > 0 */
  const double *params; /* of the loss */
  int renormalised;     /* 1: without a record the sum is divided by (n-1)(n-2) (pointwise: n-1), as
                         * retraining does; 0: by the N of all records */
  int own_hessian;      /* 1: H_-i; 0: H for all records */
  const dppair_curvature
      *slopes; /* states of order 1 and 2 from NAME_curvature_init, for near-linear */
  const dppair_curvature *curves; /* sums; NULL: loops. Their caps are of what phi's margins are
                                   * differences of: DIFF's are twice the scores */
} dppair_influence;
/* What NAME_stability_not_private finds. All are n times a beta_n. */
typedef struct dppair_stability {
  double
      elastic;   /* plug-in: the largest mean over pairs of n |(w_-i - w) . gradient of the pair| */
  size_t record; /* which record has it */
  double mean;   /* the mean of the same over the records */
  double moved;  /* plug-in of the uniform one: n G max |w_-i - w| */
  double rigorous; /* no removal from these data moves a pair's loss by more than this over n */
  double uniform;  /* nor one from any data of n records: dppair_stability_uniform */
} dppair_stability;
/*
 * *bound = how far (w_-i - w) is from H^-1 s_i at most, N kept: with M = n/2 for pairs, M = n for
 * pointwise losses,
 *
 *     (2 L G + C G^2/zeta)/(2 zeta^2 M^2)
 *
 *   lipschitz, smoothness, change   G, L, C: of the loss of a pair (or record), its gradient, its
 *                                   Hessian
 *   zeta   the least eigenvalue of the Hessian for ALL weights in [0, 1] of record i: the ridge if
 *          phi is convex, else dppair_influence_floor
 *
 * Proof: let w(e) minimise F less e times the terms of i. Then w' = H^-1 s_i there, |s_i| <= G/M,
 * |grad s_i| <= L/M, hence |w''| <= (2 (L/M) |w'| + C |w'|^2)/zeta, and Taylor's remainder is half
 * of it. Kang et al. 2023, Theorem 4, for pointwise losses has no 1/2, and asks for zeta at w only.
 * Errors zero it: NULL, SIZE (n < 2), DOMAIN (constants negative or not finite, zeta not positive),
 * OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_influence_bound(double *bound, size_t n,
    dppair_influence_risk risk, double lipschitz, double smoothness, double change, double zeta);
/* *zeta = a bound from below of the least eigenvalue of the Hessian along the whole path on which
 * record i is left out, when it is `least` at the minimiser: the larger root of
 * zeta = least - L/M - C G/(M zeta), M as above. Errors zero it: those of dppair_influence_bound,
 * NO_PROOF (there is none: n is too small). */
DPPAIR_MUST_CHECK dppair_status dppair_influence_floor(double *zeta, size_t n, dppair_influence_risk
    risk, double lipschitz, double smoothness, double change, double least);
/* *beta = n beta_n^U: n times the most that leaving a record out of ANY n records moves the loss of
 * a pair, for convex phi: 2 G^2/ridge when N is kept; renormalised G (2 G + 2 ridge |w|) n/((n-2)
 * ridge), where `norm` bounds |w|. (Pointwise: half of G^2, of ridge |w|, and n - 1 for n - 2.)
 * Proof: F_-i is ridge-strongly convex, and at w its gradient is the right-hand side above, whose
 * s_i is at most 2 G/n long. Where phi is flat and nothing is added to it no such bound exists.
 * Errors zero it: NULL, SIZE (n < 3), DOMAIN, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_stability_uniform(double *beta, size_t n,
    dppair_influence_risk risk, double lipschitz, double ridge, int renormalised, double norm);
#endif /* DPPAIR_INFLUENCE_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_ITERATES_
#ifndef DPPAIR_ITERATES_H
#define DPPAIR_ITERATES_H
/* What is released of a descent. */
typedef enum dppair_descent_output {
  DPPAIR_LAST_ITERATE = 1, /* w_T; reads alpha, smoothness, eta, steps */
  DPPAIR_MEAN_ITERATE = 2, /* the mean of w_0 .. w_T; reads smoothness, eta, steps */
  DPPAIR_MINIMISER = 3     /* what a solver found; reads alpha, tolerance */
} dppair_descent_output;
/* T = `steps` steps of projected gradient descent from a public start in a convex set, or a
 * regularised minimiser. Fields that the output does not read must be 0. */
typedef struct dppair_descent {
  dppair_descent_output output;
  double alpha;      /* strong convexity of the full objective; 0: convex */
  double smoothness; /* of the full objective */
  double eta;        /* the step size */
  double
      tolerance; /* the solver stopped where the norm of the gradient (mapping) is at most this */
  size_t steps;
} dppair_descent;
/*
 * *sensitivity of what a descent returns, by its output:
 *
 *   LAST_ITERATE  move eta (1 - r^T)/(1 - r), r = max(|1 - eta alpha|, |1 - eta smoothness|), which
 *                 is move (1 - (1 - eta alpha)^T)/alpha for eta <= 2/(smoothness + alpha), and move
 *                 eta T for alpha = 0
 *   MEAN_ITERATE  convex: move eta T/2, half of the last iterate's. (For the mean of w_1 .. w_T it
 *                 would be move eta (T+1)/2.)
 *   MINIMISER     over a convex set, alpha > 0: (move + 2 tolerance)/alpha. The tolerance does not
 *                 depend on the data. With move = 4G/n this is 4G/(alpha n). Smoothness is not
 *                 needed, so hinge is covered. For m single records, kernel bound kappa and a
 *                 C_L-Lipschitz loss (Nie and Wang 2017, Theorem 2), move = 2 kappa C_L/m
 *
 * The step size is part of the proof of iterates: STEP_SIZE for eta > 2/smoothness. An eta that is
 * 2/smoothness rounded up is accepted, and the bound allows for it. For one epoch of an algorithm
 * that works through disjoint parts of the records, pass the `move` of the part's size; the epochs
 * compose in parallel (dppair_parallel_epsilon).
 * Errors: NULL, NOT_FINITE, DOMAIN; NO_PROOF: no finite smoothness (hinge); UNREAD: a field that
 * the output does not read.
 *
 * Proof. Iterates: the gradient map is r-Lipschitz, the projection 1-Lipschitz, and each step adds
 * eta move. Attained (half of Xue et al. 2021, Lemma 1, with move = 4G/n). Minimiser, from
 * first-order optimality and strong monotonicity: alpha ||w - w'||^2 <= <g'(w') - g(w'), w' - w>
 * <= move ||w - w'||.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_descent(double *sensitivity, double move, const
    dppair_descent *descent);
/*
 * *mu >= the mu with which the LAST of T = `steps` iterates, alone, is a Gaussian mechanism.
 *
 *   sensitivity   of the gradient g: |g_D(w) - g_D'(w)| at every w of the set, with all that
 *                 computing a step can add (below)
 *   sigma         of the noise in each coordinate of the gradient; that of w is eta sigma
 *   smoothness    L: g_D is the gradient of an L-smooth function, regulariser included, for D and
 *                 D' alike; HUGE_VAL (hinge: none) is NO_PROOF
 *   alpha         that function's strong convexity, regulariser included; 0 needs a diameter, else
 *                 NO_PROOF: a step then forgets nothing
 *   eta           the step size, at most 2/L (STEP_SIZE)
 *   diameter      of the closed convex set that each iterate is projected on; HUGE_VAL: no set
 *
 *     c = max(|1 - eta alpha|, |1 - eta L|),  D = sensitivity/sigma,  s = eta sensitivity
 *     mu = D sqrt((1 - c^T)/(1 + c^T) (1 + c)/(1 - c)) <= D sqrt(T); never above
 *     mu = (c^k diameter + s (1 - c^k)/(1 - c)) sqrt((1 - c^2)/(1 - c^2k)) / (eta sigma)
 *
 * for every integer k in 1 .. T. The second is least at 1 - c^k = (1 - c) diameter/s, and falls or
 * grows to both sides of it: the two integers around it are compared.
 *
 * Proof. Let X be the run on D and Y_{t+1} = Proj(l phi_D(X_t) + (1 - l) phi_D'(Y_t) + Z_t) with
 * X's noise, l = l_{t+1}, l_T = 1, so that Y_T = X_T. With d_t >= |X_t - Y_t| a step gives
 * d_{t+1} = (1 - l)(c d_t + s), and Y_{t+1} is D's neighbour's step from Y_t but for a shift of
 * norm a_{t+1} <= l (c d_t + s). The shift depends on the past; mixtures of shifted Gaussians are
 * no worse than the largest shift, so Y_T against the run on D' has mu^2 = sum of a_t^2/(eta
 * sigma)^2. a_t + d_t = c d_{t-1} + s, d_0 = 0 = d_T, hence sum of c^(T-t) a_t = s (1 - c^T)/
 * (1 - c), least for a_t in proportion to c^(T-t), which keeps d_t >= 0. Started k steps before the
 * end from d = diameter: the second form. For c > 1 by rounding equal a_t will do. Attained by a
 * linear function with the regulariser alone, L = alpha.
 *
 * Rounding. What is computed before the noise may be off by e in each run: add 2 e/eta to the
 * sensitivity. What rounds afterwards (the grid of the noise, the projection), by r in all, enters
 * the next step: add 2 c r/eta. NAME_sensitivity is about one point, and covers no such thing.
 *
 * What is needed besides. Nothing else of the run leaves it: no iterate, no loss or norm of a
 * gradient, no stop that depends on them. The start and T are public. Clipping only where it leaves
 * the gradient of a smooth and strongly convex function (slopes of linear margins), not of records'
 * norms or of networks. Averages of iterates, momentum, adaptive steps and batches have no proof.
 * Charge dppair_accountant_gaussian(account, mu, 1.0, 1) before the first step.
 *
 * Smoothness of the mean over n(n-1) ordered pairs, rows |x| <= R, logistic slope: 'ind'
 * R^2 n/(4 (n-1)), 'diff' 2 R^2 n/(n-1), since at most n^2/4 pairs have two labels; else one
 * pair's. Then alpha is added.
 * Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN, NO_PROOF, STEP_SIZE, SIZE (no steps), SIGMA,
 * OVERFLOW. An eta that is 2/smoothness rounded up is accepted.
 */
DPPAIR_MUST_CHECK dppair_status dppair_gaussian_mu_last_iterate(double *mu, double sensitivity,
    double sigma, double smoothness, double alpha, double eta, size_t steps, double diameter);
/* What is known of the loss. There is no default, because without convexity there is no bound. */
typedef enum dppair_uas_loss {
  DPPAIR_UAS_CONVEX = 1, /* convex in the parameters; pairs are not clipped */
  DPPAIR_UAS_LINEAR = 2, /* convex phi of a margin that is linear in the parameters */
  DPPAIR_UAS_RANKING = 3 /* convex, non-increasing phi of +-w.(x - x'), two label levels */
} dppair_uas_loss;
typedef struct dppair_uas {
  size_t n, steps;         /* records; T, the number of indices and of averaged iterates */
  dppair_uas_loss loss;    /* 0: DPPAIR_ERR_NO_PROOF */
  double eta, lipschitz;   /* step size; G of the data part, unclipped */
  double diameter;         /* of the convex set; 0: unbounded */
  double strong_convexity; /* lam of a data-independent lam/2 |w|^2; 0: none */
  double smoothness;       /* of the full objective; 0: not smooth */
  double pair_clip;        /* each pair's gradient clipped to this norm; 0: none; not for CONVEX */
  int last_iterate;        /* w_T is released, not the mean */
} dppair_uas;
/* *bytes of workspace for dppair_sensitivity_uas_sequence, at any alignment. */
DPPAIR_MUST_CHECK dppair_status dppair_uas_workspace(size_t *bytes, const dppair_uas *u, double
    ratio);
/*
 * The sensitivity of the released mean (or last iterate) for the realised index sequence, the
 * largest over all n positions. indices: 0-based, one per iterate, count = u->steps. ratio = 1 runs
 * the recursion exactly in O(n T); ratio > 1 (1.05, say) bounds it from above in O(T + n log T /
 * log ratio), at most a few parts in a thousand higher. work: dppair_uas_workspace bytes.
 * Release with sigma = sensitivity/mu: the pair (indices, noisy mean) is private, because the
 * indices have the same law for both data sets and each conditional release is Gaussian.
 * Errors: those of u; SIZE when count is not u->steps; DOMAIN for an index >= n or a ratio below 1.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_sequence(double *sensitivity, const
    dppair_uas *u, const size_t *indices, size_t count, double ratio, void *work, size_t bytes);
/* A sensitivity that holds with high probability, for i.i.d. uniform indices: N ~ Bin(T, 1/n) hits.
 * *hits is the exact quantile with Pr[N > hits] <= gamma, and at least 1 (with 0, every hit would
 * be a failure, and the release would need no noise). *failure is Pr[N > hits]: add it to delta by
 * dppair_accountant_failure. *sensitivity is the bound for *hits. On an error *failure is 1, which
 * no budget has, and the others are 0. */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_uas_quantile( double *sensitivity, double
    *failure, size_t *hits, const dppair_uas *u, double gamma);
/* The sigma that makes dppair_uas_delta_ at most delta at this epsilon, within 1e-9, rounded up.
 * DELTA when delta >= Pr[N >= 1], about T/n: such a delta is met without noise, which protects
 * nobody who is drawn. */
DPPAIR_MUST_CHECK dppair_status dppair_uas_sigma(double *sigma, const dppair_uas *u, double epsilon,
    double delta);
#endif /* DPPAIR_ITERATES_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_L2BALL_
#ifndef DPPAIR_L2BALL_H
#define DPPAIR_L2BALL_H
enum { DPPAIR_TRIAL_L2_ = 18 }; /* more than a block */
/* What dppair_noise_check is for the laws of dppair_noise.h: DPPAIR_OK when this build on this
 * machine gives the known bits on each of its tiers; else SELF_TEST (or ENVIRONMENT). The first
 * call that adds such noise runs it. */
DPPAIR_MUST_CHECK dppair_status dppair_l2ball_noise_check(void);
/*
 * Adds a vector z with density proportional to exp(-||z||_2 / scale) to x and rounds to a grid.
 * With scale = (l2 sensitivity) / epsilon the guarantee is pure epsilon, exactly. The grid follows
 * the size of one coordinate, scale sqrt(n): g = 2^j with g <= scale sqrt(n) / 2^log2_ratio < 2g.
 * Errors as for dppair_add_gaussian_f64_grid, and SIZE for n >= 2^40. On any error x is 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64_grid(double *x, size_t n, double scale, int
    log2_ratio, dppair_rng *rng);
DPPAIR_MUST_CHECK dppair_status dppair_add_l2ball_f64(double *x, size_t n, double scale, dppair_rng
    *rng);
#endif /* DPPAIR_L2BALL_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    (defined(DPPAIR_MODULE_METRIC_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))
#ifdef DPPAIR_DECLARE_METRIC_
#ifdef DPPAIR_MODULE_METRIC_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && DPT_DENSE /* of an instance */
#if DPPAIR_STAGE_ == DPPAIR_STAGE_STATES_
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_BODIES_
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* *bytes = the workspace of NAME_form_gradient and NAME_form_risk_not_private for n records of d
 * features and k columns of the result: k = d for a full W, the rank for a factor. It is enough for
 * every form. Of the options the clip, the number of parts and whether there are groups are read;
 * NULL: no clip, one part, none. Errors zero *bytes: NULL, SIZE (n < 2, d < 1, k < 1, parts not in
 * 1 to 256), WORKSPACE (a clip that is not made), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_workspace( size_t *bytes, size_t n, size_t d,
    size_t k, const dppair_options *options);
/*
 * g[d][k] = the gradient with respect to w of the sum over all pairs i < j of
 *
 *   form                    of a pair                                           w
 *   DPPAIR_FORM_METRIC      phi(tau (b - M)), M = (x - x')^T W (x - x')         W[d][d], k = d
 *   DPPAIR_FORM_FACTOR      the same for W = L L^T, in O(n^2 k)                 L[d][k], any k
 *   DPPAIR_FORM_SIMILARITY  phi(tau (S - b)), S = x^T W x'                      W[d][d], k = d
 *
 * tau = 1 where the labels y of the two records are equal and -1 elsewhere: minimising pulls equal
 * labels together and pushes others apart. For labels +-1, tau = y y'. Labels that are not finite,
 * NaN too, are equal to each other and to no other label. Only the symmetric part of W matters. b =
 * 1 gives the margins of Jin, Wang and Zhou (2009), and the hinge with b = 0 is (1 + tau M)_+, that
 * of Yang, Lei, Lyu and Ying (2021).
 *
 * The gradient of a pair, with v = x - x' and the slope phi' at its margin, is
 *
 *   METRIC      -tau phi' v v^T              of Frobenius norm |phi'| |v|^2
 *   FACTOR      -2 tau phi' v (L^T v)^T      of norm 2 |phi'| |v| |L^T v|
 *   SIMILARITY  tau phi' (x x'^T + x' x^T)/2, taken as if its norm were |phi'| |x| |x'|, that of
 *               either ordered pair, which is never less
 *
 * and one that is longer than the clip of the options is scaled down to it. The mean over ordered
 * pairs is 2 g/(n (n - 1)).
 *
 *   rows     n >= 2 rows of d >= 1 features with labels y, null records last
 *   offset   b
 *   options  groups   of users: pairs of records of two of them, weighted; of queries: the sum of
 *                     their means over ordered pairs, halved (NAME_weighted_coeffs)
 *            clip     see above; none with users and for rows with weights
 *            work     as NAME_form_workspace(n, d, k, pass) says
 *            parts    1 to 256. The rounding of the result depends on their number, never on the
 *                     runner or its threads
 *
 * Arithmetic. A margin is computed from its two records by one fixed chain. So the result is a sum
 * of pair gradients whose weights phi' are taken at slightly different margins. NAME_form_error
 * bounds what is rounded after that. The bits are the same on every tier.
 *
 * Errors zero g: NULL, SIZE (n < 2, nulls > n, d < 1, k < 1, ld < d, parts, d epsilon > 1/4),
 * DOMAIN (no such form, k not d, groups), NO_PROOF (a clip with weights or users), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (margins or distances could be too large,
 * by rows->radius where it is not 0; else by the rows), NOT_FINITE (an input but a label, or a
 * result). Without rows their size is not known, and g is not touched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_gradient(double *g, dppair_form form, const
    DPPAIR_ROWS_ *rows, const double *w, size_t k, double offset, const dppair_options *options);
/* *risk = the sum of phi whose gradient NAME_form_gradient computes, without a clip and in one part
 * whatever the options say; arguments, workspace and errors as there. NOT PRIVATE. Errors zero
 * *risk.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_risk_not_private( double *risk, dppair_form form,
    const DPPAIR_ROWS_ *rows, const double *w, size_t k, double offset, const dppair_options
    *options);
/* *bytes = the workspace of NAME_pairs_gradient for rows of d numbers. Errors zero it: NULL,
 * OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_workspace(size_t *bytes, size_t d);
/*
 * g[0..d) = the sum over k < m of weight[k] times the gradient phi'(u) v of the listed pair (i[k],
 * j[k]) of a linear score, v = row i[k] of rows_a - row j[k] of rows_b, u = <w, v>. A gradient is
 * clipped to the bound of options->clip before it is weighted. weight NULL means 1.
 *
 * A pair with a null record counts nothing. For pairs within one set, pass it as both. For a random
 * matching, put the records in a random order and pass one half as i and the other as j. O(m d);
 * rows are fetched ahead, distances are those of differences of rows, and g is summed in double.
 * The gradient of a pair, scaled rows and v rounded, is a function of its two records;
 * dppair_pairs_allowance_ has the rest. work: as NAME_pairs_workspace says.
 *
 * Errors zero g: NULL, SIZE (an index out of range, d < 1, ld < d, rows of two lengths), WORKSPACE
 * (also a clip that is not made), ENVIRONMENT, OVERFLOW (rows that cannot be addressed; margins or
 * distances could be too large by the radius of a block, where that is not 0), NOT_FINITE (an
 * input, a margin, a distance or a result). Without rows g is not touched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs_gradient(double *g, const DPPAIR_ROWS_ *rows_a,
    const DPPAIR_ROWS_ *rows_b, const DPPAIR_REAL *w, const size_t *i, const size_t *j, const double
    *weight, size_t m, const dppair_options *options);
/* g[d][d] = the same sum for the pair gradients of a metric (NAME_form_gradient), pair k being
 * records i[k] and j[k] of one block with labels. O(m d^2), in blocks of pairs. work: as
 * NAME_form_workspace(2, d, d, pass) says. Errors as above, and SIZE (d epsilon > 1/4), OVERFLOW (W
 * or the offset). */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_pairs( double *g, const DPPAIR_ROWS_ *rows, const
    double *w, double offset, const size_t *i, const size_t *j, const double *weight, size_t m,
    const dppair_options *options);
/*
 * What arithmetic adds to the sensitivity of a form: *error = an upper bound, from public numbers
 * alone, of the Frobenius norm of
 *
 *   (computed gradient of NAME_form_gradient)
 *     - sum over i < j of (the computed weight) times (the exact v v^T, or its like),
 *
 * for n rows of d numbers of norm at most `radius`, which a factor of a row does not raise (top of
 * the chapter), and weights of size at most `slope`. v v^T is that of the rows as they are rounded.
 * scale is 1 for W and 2 |L|_F for a factor L. A computed weight is a function of its two records
 * alone, within 4 units in the last place of phi' at a margin that differs by rounding. So proofs
 * that use only the range of the weights hold with slope (1 + 4 epsilon). Add *error twice to a
 * sensitivity of the sum for the rest. For n = 1000 it is 0.4 % of that in float (in proportion to
 * n), and 2e-10 in double.
 *
 * Derivation. |G - G'| <= 2 sum_i |x_i| |dH_i|, H_i = P_i - r_i x_i/2. A number of P_i is a sum of
 * chains of at most DPPAIR_TILE_ products (a single chain in double), r_i one of chains of DPT_W.
 * Each chain is within (its length) u of the sum of the sizes of its terms, which is at most slope
 * radius (n - 1) for P_i and slope (n - 1) for r_i. Sums of chains, H and X^T H are in double, with
 * 2 n + 128 steps. Underflow adds less than the smallest normal number per product.
 *
 * Errors zero it: NULL, ENVIRONMENT, SIZE (n < 2, d < 1, a relative error above 1/100), DOMAIN (an
 * argument that is negative or not finite), OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_error(double *error, size_t n, size_t d, double
    radius, double slope, double scale);
#ifdef DPPAIR_HAVE_LOSSES_
/*
 * NAME_sensitivity for NAME_form_gradient, whose sum over i < j is divided by the same divisor; for
 * a matching, for NAME_form_pairs of its m/2 pairs. w has d rows of k numbers (k = d but for a
 * factor). bounds: radius as there, but finite; param_radius: |W|_F or |L|_F; offset: b. A metric
 * counts as one whose W need not be positive semidefinite. options->fast is not read.
 *
 * A record of a query is null by its weight, in its place, since the query's size is public. A clip
 * takes no weights; then the move under DPPAIR_ZERO_OUT is that of a replaced record, whatever row
 * stands for the null one.
 *
 * Proof: as there, and the error of a form, twice. A margin is a sum of at most four chains of
 * products, each of at most 2 d + k roundings.
 *
 * Errors as there; NO_PROOF also for slopes without a bound, clipped or not, and for a factor
 * without param_radius; DOMAIN also for no such form or a k that is not d.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sensitivity( double *sensitivity, dppair_form form,
    size_t k, size_t d, const dppair_bounds *bounds, const dppair_sampling *sampling, const
    dppair_options *options);
#endif /* DPPAIR_HAVE_LOSSES_ */
#ifdef DPPAIR_HAVE_LOSSES_
/* *bytes = the workspace of NAME_form_block. It does not depend on n. Errors zero it: NULL, SIZE
 * (n < 2; block, d or k 0), DOMAIN (form, k), WORKSPACE (the clip), NO_RADIUS, NO_PROOF (groups),
 * OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block_workspace( size_t *bytes, const dppair_ring
    *ring, const dppair_options *options);
/* Makes *sum the sum over no pair of blocks yet. `bytes` bytes of workspace, as
 * dppair_sum_workspace says for d k + 1 numbers, must live as long as *sum: the last one is a tally
 * that finds pairs of blocks that are missing or come twice. Errors zero *sum: those of
 * NAME_form_block_workspace and NAME_form_sensitivity; NOT_FINITE (w, offset), WORKSPACE,
 * ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sum_open(dppair_sum *sum, const dppair_ring *ring,
    const dppair_options *options, void *work, size_t bytes);
/*
 * *sum += the gradient of a form over the pairs of a record of block i and one of block j > i; over
 * all pairs of block i where j = i, and then b is NULL. All pairs i <= j, each once, in any order
 * and by any process, make the sum over all pairs of records (NAME_form_gradient).
 *
 *   a, b   the rows of blocks i and j, with labels: dppair_ring_rows of them, of the radius of the
 *          ring. Weights, as NAME_form_gradient takes them
 *   options params, clip; work: NAME_form_block_workspace. Not read: fast, parts. Threads compute
 *          pairs of blocks each, into sums of their own
 *
 * sum->count grows by the number of pairs of places. The bits do not depend on who computed what,
 * on the tiers that compute with fused multiply-adds.
 *
 * Errors leave *sum as it is. Before a record is read: NULL (b where i < j, too), SIZE (i > j, no
 * such block, rows that are not of its size; b where i = j), NO_PROOF (another radius, weights with
 * a clip, groups), WORKSPACE (too little; a sum that is not of this ring, this w, this pass), those
 * of NAME_form_sum_open. Then, with rows from dppair_rows_clip, none; else NOT_FINITE.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_block(dppair_sum *sum, const dppair_ring *ring,
    size_t i, const DPPAIR_ROWS_ *a, size_t j, const DPPAIR_ROWS_ *b, const dppair_options
    *options);
/*
 * *sensitivity = NAME_form_sensitivity for what all pairs of blocks of a ring add up to, divided by
 * the divisor of the sampling, which must be DPPAIR_ALL of the ring's n records.
 *
 * A record that is replaced is replaced in its place: rows of other blocks, and their places in
 * these, stay. That is what the blocks of a file or of ranks are, as long as no one sorts records
 * by what is in them.
 *
 * Proof. The addends of the pairs of blocks without the record have the same bits in both data
 * sets. Those of its block with each of the m blocks, itself included, are a sum of the gradients
 * of 2 block n ordered pairs at most: off by NAME_form_error of 2 block rows in m parts, and by
 * half a unit a number, for either data set. What is left is the move of the exact gradients at the
 * computed weights, as there. So rounding counts with block n pairs instead of n^2, and its part of
 * the sensitivity does not grow with n.
 *
 * Errors zero it: those of NAME_form_sum_open and NAME_form_sensitivity; NO_PROOF (another
 * sampling), SIZE (another n).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_form_sum_sensitivity(double *sensitivity, const
    dppair_ring *ring, const dppair_sampling *sampling, const dppair_options *options);
#endif /* DPPAIR_HAVE_LOSSES_ */
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
/*
 * g[d][k] = the gradient of NAME_form_gradient, divided by the divisor of the plan's sampling, with
 * the noise of this step. That gradient counts each pair once and the divisor counts both orders:
 * it is half of the mean over ordered pairs, and so is its sensitivity. The gradient of a metric W
 * or a similarity is symmetric; its noise is added in d(d+1)/2 coordinates in which norms are those
 * of the matrix, and the result is symmetric: less noise than in d^2 numbers.
 *
 *   rows      with labels y, which may be private: those that are not finite are one class, and
 *             none causes an error; else as for NAME_release. A batch of fewer than two records has
 *             the gradient 0
 *   w, k, offset, pass   as NAME_form_gradient takes them; work: NAME_form_workspace of n records,
 *             also where the plan draws a random number of them
 *
 * S is NAME_form_sensitivity at rows->radius, the Frobenius norm of w and the offset. Errors zero
 * g: those of NAME_release; DOMAIN (k is not d), SIZE (k = 0).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_form( double *g, dppair_release *release,
    dppair_form form, const DPPAIR_ROWS_ *rows, const double *w, size_t k, double offset, const
    dppair_options *options);
/*
 * NAME_release_form of a sum of all pairs of blocks: g[d][k], divided, with the noise of this step.
 * The plan is one of all n records (dppair_sampling_all), without users. S is
 * NAME_form_sum_sensitivity.
 *
 * Errors zero g, and use no paid release: those of NAME_release_form; SIZE (n is not the plan's;
 * pairs of blocks that are missing or were added twice); WORKSPACE (a sum that is not of this ring,
 * this w, this pass). Then none, with rows from dppair_rows_clip.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_form_sum(double *g, dppair_release *release,
    const dppair_sum *sum, const dppair_ring *ring, const dppair_options *options);
#endif
#endif
#elif !defined(DPPAIR_METRIC_H)
#define DPPAIR_METRIC_H
#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_metric.h before dppair.h makes an instance: earlier ones have none of it."
#endif
#define DPPAIR_NO_TEMPLATE_
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NAME_form_block DPPAIR_NAME_OF_(_form_block)
#define DPPAIR_NAME_form_block_workspace DPPAIR_NAME_OF_(_form_block_workspace)
#define DPPAIR_NAME_form_error DPPAIR_NAME_OF_(_form_error)
#define DPPAIR_NAME_form_gradient DPPAIR_NAME_OF_(_form_gradient)
#define DPPAIR_NAME_form_pairs DPPAIR_NAME_OF_(_form_pairs)
#define DPPAIR_NAME_form_risk_not_private DPPAIR_NAME_OF_(_form_risk_not_private)
#define DPPAIR_NAME_form_sensitivity DPPAIR_NAME_OF_(_form_sensitivity)
#define DPPAIR_NAME_form_sum_open DPPAIR_NAME_OF_(_form_sum_open)
#define DPPAIR_NAME_form_sum_sensitivity DPPAIR_NAME_OF_(_form_sum_sensitivity)
#define DPPAIR_NAME_form_workspace DPPAIR_NAME_OF_(_form_workspace)
#define DPPAIR_NAME_pairs_gradient DPPAIR_NAME_OF_(_pairs_gradient)
#define DPPAIR_NAME_pairs_workspace DPPAIR_NAME_OF_(_pairs_workspace)
#define DPPAIR_NAME_release_form DPPAIR_NAME_OF_(_release_form)
#define DPPAIR_NAME_release_form_sum DPPAIR_NAME_OF_(_release_form_sum)
/* The pair forms of NAME_form_gradient. */
typedef enum dppair_form {
  DPPAIR_FORM_METRIC,    /* (x - x')^T W (x - x')   */
  DPPAIR_FORM_FACTOR,    /* the same with W = L L^T */
  DPPAIR_FORM_SIMILARITY /* x^T W x'                */
} dppair_form;
/*
 * All pairs of n records, in blocks: record i of all is row i % block of block i / block, wherever
 * that block is. The pairs of two blocks are one addend of a dppair_sum: a function of their rows
 * and of these public numbers. So any order of the pairs of blocks, any process that computes one,
 * gives the same bits. Every process takes the same *ring.
 */
typedef struct dppair_ring {
  dppair_form form;
  size_t n,
      block;   /* records in all; rows of a block, but of the last one, which has what is left */
  size_t d, k; /* numbers of a row; columns of w: d but for a factor */
  const double *w; /* d rows of k numbers */
  double offset;
  double radius; /* of all rows: a public bound of their norms, positive */
} dppair_ring;
/* How many blocks there are. */
size_t dppair_ring_blocks(const dppair_ring *ring);
/* The rows of block i; 0 where there is none. */
size_t dppair_ring_rows(const dppair_ring *ring, size_t i);
#endif /* DPPAIR_METRIC_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_PAPERS_
#ifndef DPPAIR_PAPERS_H
#define DPPAIR_PAPERS_H
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
/* Bounds as papers print them: dppair_paper_check says what is true. */
typedef enum dppair_paper_result {
#define DPPAIR_X_(id, name, formula) id,
  DPPAIR_PAPER_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_PAPER_COUNT_
} dppair_paper_result;
/* The arguments of a printed noise. Those that a result does not read are 0. */
typedef struct dppair_paper {
  dppair_paper_result result;
  size_t n, steps;
  double lipschitz; /* G; C_L for niewang2017-prop1 */
  double epsilon, delta;
  double alpha;         /* xue2021-alg1: strong convexity */
  double eta;           /* xue2021-alg3 (the epoch's), yang2021-theorem4: step size */
  double lambda, kappa; /* niewang2017-prop1: strong convexity lambda gamma; kernel bound */
  int pure;             /* the variant with delta = 0, where there is one */
} dppair_paper;
/*
 * The printed noise and the noise that the same guarantee needs, at these arguments; whether the
 * printed one suffices; and what it really gives: the epsilon at the stated delta and the delta at
 * the stated epsilon. Noise is sigma per coordinate, or for `pure` the Laplace scale divided by
 * sqrt(d), which compares with the scale of the l2 mechanism. The noise needed is that of the
 * general constant 4G/n; ranking losses need half or a quarter of it.
 */
typedef struct dppair_paper_verdict {
  double noise_printed, noise_needed;
  int sufficient;
  double true_epsilon, true_delta; /* HUGE_VAL: no finite one */
} dppair_paper_verdict;
/*
 * *verdict on a printed noise at these arguments: n >= 2, steps >= 1, lipschitz and epsilon > 0,
 * delta in (0, 1) unless `pure` (niewang2017-prop1 has no delta), and what the result reads > 0.
 * Errors: NULL, NOT_FINITE, SIZE, DOMAIN, EPSILON, DELTA, NO_PROOF (no pure variant), OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_paper_check(dppair_paper_verdict *verdict, const dppair_paper
    *paper);
#endif /* DPPAIR_PAPERS_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    (defined(DPPAIR_MODULE_POINTWISE_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))
#ifdef DPPAIR_DECLARE_POINTWISE_
#ifdef DPPAIR_MODULE_POINTWISE_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ /* of an instance */
#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/*
 * The coefficients of n records, s[0..positives) scores of positives, against a histogram of
 * scores of both classes on `nodes` nodes (dppair_histogram): count[0..nodes) of the positives,
 * then nodes numbers of the negatives:
 *
 *   c[i] = sum over k of count[nodes + k] phi'(s[i] - node[k])     of a positive
 *   c[i] = -sum over k of count[k] phi'(node[k] - s[i])            of a negative
 *
 * and 0 where s[i] is NaN, the score of a null record, which the histogram counts nowhere. It is
 * NAME_coeffs where the counts are exact and all scores are nodes; else within nodes' distance^2/8
 * sup |phi'''| of it per partner, and what noise in the counts adds. O(n nodes). With a histogram
 * that was released, c[i] depends on record i and on released numbers only: clip c[i] v_i, v_i the
 * gradient of its score, and the sum moves by the clip, twice where a record is replaced. Against
 * counts without noise it depends on all records.
 *
 * Errors zero c: NULL, SIZE (positives > n), NOT_FINITE (an infinite score, a node, a count or a
 * result),
 * ENVIRONMENT; OVERFLOW (no memory is that large) leaves c untouched.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_from_histogram( double *c, const DPPAIR_REAL *s,
    size_t n, size_t positives, const double *node, const double *count, size_t nodes, const double
    *params);
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_ && DPT_DENSE
/*
 * g[0..d) = the mean over the records of clip(c_i v_i), with the noise of this step: v_i is row i,
 * c_i its coefficient against the histogram (NAME_coeffs_from_histogram over the number of partners
 * that h stands for), clipped to the norm `clip`. It stands for the gradient of NAME_release, the
 * mean over ordered pairs, without its noise and bias: the noise of the histogram, which has mean
 * 0, its linear interpolation, and the clip. g may be published, and so may the next w.
 *
 *   rows     as for NAME_release: all n records, or those of this step's draw; positives first,
 *            null records last. weight: of a record's clipped vector; 0 for those that were dropped
 *   w        d numbers that are public
 *   h        a histogram that was released: of these scores, or of earlier ones, of all records or
 *            of a batch; what is released may be reused, smoothed and made monotone
 *   clip     a public number. |c_i| |v_i| is about half of the steepest slope times radius where
 *            the classes are even, so this loses nothing; less of it is less noise, and some bias
 *   options  params, work (NAME_workspace of n records, of Poisson samples too); clip, fast,
 *            groups: 0
 *
 * Sensitivity, proved: given h the sum moves by `clip` where a record is zeroed, by 2 clip where it
 * is replaced, for every value of h, because clip(c_i v_i) depends on record i, w and h only. It is
 * divided by n, or by the expected number of drawn records. Rounding: a term is at most
 * (1 + 16 u) clip long, u = 2^-53, and a computed sum of k terms is within (k + 4) u k clip.
 *
 * What it costs. The histogram has a paid release of its own (all records; then gradients of later
 * batches are plain sampled steps), or a part of this one (dppair_release_part): that is what a
 * histogram and a gradient of ONE batch cost.
 *
 * Errors zero g, and use no paid release: those of NAME_release but for NAME_sensitivity; DOMAIN
 * (clip, nodes), NO_PROOF (h that was not released; groups), ADJACENCY (neighbours that differ in
 * more than one record), UNREAD (a pass with a clip or a prepared state), NOT_FINITE (counts), SIZE
 * (positives + nulls > n).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_pointwise( double *g, dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w, const dppair_histogram *h, double clip, const
    dppair_options *options);
#endif
#endif
#elif !defined(DPPAIR_POINTWISE_H)
#define DPPAIR_POINTWISE_H
#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_pointwise.h before dppair.h makes an instance: earlier ones have none of it."
#endif
#define DPPAIR_NO_TEMPLATE_
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NAME_coeffs_from_histogram DPPAIR_NAME_OF_(_coeffs_from_histogram)
#define DPPAIR_NAME_release_pointwise DPPAIR_NAME_OF_(_release_pointwise)
/* A histogram of scores. The caller gives node, nodes and count; records is written here, and is 0
 * until the counts have noise. */
typedef struct dppair_histogram {
  const double *node; /* increasing, finite and public: chosen without looking at scores */
  size_t nodes;       /* at least 2 */
  double *count;      /* 2 nodes numbers: a block of the positives, then one of the negatives */
  double records;     /* so many are counted: n, or what a batch has on average */
} dppair_histogram;
/*
 * Releases the histogram of n scores in both classes: h->count, which may be published, and from
 * which NAME_coeffs_from_histogram makes coefficients. The n records are all, or those of this
 * step's draw; s[0..positives) are scores of positives. weight: n numbers in [0, 1], or NULL: all
 * 1; a record of weight 0 is not counted, nor is one whose score is NaN, as dppair_scores gives
 * null records.
 *
 * Sensitivity, attained: a record is a vector of two numbers >= 0 of sum at most 1, so that it has
 * the norms l2 <= 1 and l1 <= 1; two records differ by at most sqrt 2 and 2. Hence l2 sqrt 2 and l1
 * 2 (Laplace) where a record is replaced, 1 where it is zeroed. Counts are exact: nothing is added
 * for rounding.
 *
 * The scores may depend on public weights and on their own record only: a score that was normalised
 * over the batch moves with all of them.
 *
 * Errors zero h->count and h->records. They use no paid release: NULL; SIZE (fewer than 2 nodes, n
 * is not that of the plan or of the draw, positives > n); DOMAIN (nodes that are not finite and
 * increasing); OVERFLOW (n of 2^32 or more; then count is not touched, nor where 2 nodes numbers
 * are beyond any memory); ADJACENCY (neighbours that differ in more than one record); OVERLAP
 * (h->count, and nodes, scores or weights); those of dppair_release_vector about the release. No
 * other error depends on a record.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_score_histogram(dppair_histogram *h, dppair_release
    *release, const double *s, const double *weight, size_t n, size_t positives);
#endif /* DPPAIR_POINTWISE_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    (defined(DPPAIR_MODULE_SCALE_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))
#ifdef DPPAIR_DECLARE_SCALE_
#ifdef DPPAIR_MODULE_SCALE_
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_ || DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* Makes *m the moments of no records, in `bytes` bytes of workspace, which must live as long as *m.
 * The state is only read: threads may share it, but for users (chunks.h). Errors leave *m
 * unusable: NULL, WORKSPACE (too little; a state that is not order-free or of another kind of
 * loss), OVERFLOW, ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_open(dppair_sketch *m, const dppair_fast *fast,
    void *work, size_t bytes);
/*
 * Adds the scores s[0..n) of a chunk to *m, the positives first. A score beyond the state's cap
 * counts as the cap.
 *   weight   of the records, as in dppair_rows, rounded down to multiples of 2^-50 (of piecewise
 *            linear losses: see grid.h); NULL: all 1
 *   n        0 or more; with what was added before at most the n of NAME_sums_init (SIZE)
 *
 * Errors: NULL, SIZE (also more positives than records), DOMAIN (*m is finished), WORKSPACE (not
 * open, or opened for another state), ENVIRONMENT leave *m as it is. NOT_FINITE (a score): nothing
 * can be done with *m any more.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch(dppair_sketch *m, const DPPAIR_REAL *s, size_t n,
    size_t positives, const double *weight, const dppair_fast *fast);
/* Prepares *m, which has all records, for NAME_coeffs_from_sketch. From then on it is only read,
 * and threads may share it. A process that has the words of another and its counts
 * needs no more of it. Errors leave *m as it is: NULL, WORKSPACE (as NAME_sketch; a state of
 * another loss or other parameters), DOMAIN (it is finished), SIZE (more records than the state's
 * n), ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_finish(dppair_sketch *m, const double *params,
    const dppair_fast *fast);
/*
 * c[i] = a of NAME_coeffs for i < positives, b for the others, of a chunk of n records among all
 * those in *m: sums over partners in all chunks, times the own weight. The error is that of the
 * state: f->kernel_error per pair, and dppair_sketch_rounding_.
 *   m        finished; s, weight as NAME_sketch had them
 *
 * Errors zero c: NULL, SIZE (more positives than records), DOMAIN (*m is not finished), WORKSPACE,
 * ENVIRONMENT, NOT_FINITE (a score or a result; then a slope overflows).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_from_sketch( double *c, const DPPAIR_REAL *s,
    size_t n, size_t positives, const double *weight, const dppair_sketch *m, const dppair_fast
    *fast);
/* *bytes = the workspace of NAME_chunk_sketch and NAME_chunk_sum for rows of d numbers and this
 * pass; it does not grow with the rows, and is at most 33 KB; with users that of the chunk whose
 * places they are, 32 bytes a row more. Errors zero it: NULL, NO_PROOF (a clip; groups that are not
 * users, or without DPPAIR_WEIGHTS), WORKSPACE (the state), SIZE (places), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_workspace(size_t *bytes, size_t d, const
    dppair_options *options);
/*
 * m += the moments of the scores <x_i, w> of these rows, positives first; n = 0 is a chunk, too.
 *   m       from NAME_sketch_open, and not finished
 *   rows    of a radius that is the same for all chunks; y is not read
 *   w       d numbers, public
 *   options fast: from NAME_sums_init; params; work: NAME_chunk_workspace. parts are not read.
 *           groups (ACROSS, with DPPAIR_WEIGHTS): the users of this chunk, whose records are all
 *           in it; they weigh as in NAME_weighted_coeffs. In every chunk or in none. Users of
 *           many records, or with a score beyond the cap, use the state's memory: then no two
 *           threads may share it
 * The words of m are settled when it returns: they may be added to those of others.
 *
 * Errors leave *m as it is: NULL, WORKSPACE (too little; a state that NAME_sums_init did not
 * prepare for this loss; moments made at another w, radius or state, finished, or by NAME_sketch),
 * SIZE (ld < d, more positives than rows, more records than the state is for, places), BATCH (rows
 * of another draw than those before), NO_RADIUS, NO_PROOF (a clip, groups that are not users,
 * weights or groups without DPPAIR_WEIGHTS),
 * NOT_FINITE (w), OVERFLOW (radius |w| above 1e150, for float 1e18; sizes), ENVIRONMENT. NOT_FINITE
 * for a score, which rows from dppair_rows_clip never have, spoils it: every later call refuses it.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_sketch(dppair_sketch *m, const DPPAIR_ROWS_ *all,
    const DPPAIR_REAL *w, const dppair_options *options);
/* Makes *sum the sum 0 of gradients of d numbers, for rows within radius and this pass, of which
 * the state is read: no addend is larger than most slope radius. work: dppair_sum_workspace. Errors
 * zero *sum: NULL, NO_RADIUS, NO_PROOF (a clip, groups), those of dppair_sum_open, WORKSPACE (the
 * state). */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sum_open(dppair_sum *sum, size_t d, double radius, const
    dppair_options *options, void *work, size_t bytes);
/*
 * sum += X^T c over these rows, c their coefficients from the moments m of all records (finished):
 * the gradient in w of the sum of phi over all pairs is that of all chunks. sum->count grows by the
 * records that are there and sum->nulls by the others; with users sum->count by their number;
 * sum->weightless by those of the count whose weight is 0, which no divisor counts.
 *   sum   from NAME_sum_open; its words may be added to those of others at any time
 *   rows, w, pass   as of NAME_chunk_sketch, with the same radius, w and state
 * Errors leave *sum as it is: those of NAME_chunk_sketch; WORKSPACE (moments that are not
 * finished, a sum or moments of another w, radius, state, or of other records in number).
 * NOT_FINITE for a score closes the sum: every later call refuses it.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_chunk_sum(dppair_sum *sum, const DPPAIR_ROWS_ *all,
    const DPPAIR_REAL *w, const dppair_sketch *m, const dppair_options *options);
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
/*
 * g[0..sum->size) = the gradient in *sum, divided by the divisor of the plan's sampling, with the
 * noise of this step: what NAME_release of all these rows at once writes, to the bit. g may be
 * published, and so may the next w.
 *
 *   sum    of NAME_chunk_sum, over all n records of the plan, or over those of this step's draw;
 *          where the plan protects users, of chunks of users, n of them
 *   w      what its chunks were computed at, public
 *   options the same state and params; work, parts and groups are not read
 *
 * S is NAME_sensitivity at sum->radius and at the norm of w as it is; the rounding of moments and
 * sums is in it. A process that repeats this with the release of the same key, run and step writes
 * the same bits, and has released nothing more.
 *
 * Errors zero g, and use no paid release: those of dppair_release_vector about the release; NULL;
 * SIZE (size 0; a sum whose records are not as many as those of the step; more than the state is
 * for); WORKSPACE (a sum that is not open, or was made at another w or with another state; a state
 * that NAME_sums_init did not prepare for this loss and params); ADJACENCY (a plan for queries);
 * NO_RADIUS; NO_PROOF (a plan of matchings; a clip; the reasons of NAME_sensitivity); NOT_FINITE
 * (w); OVERFLOW; OVERLAP (g, and the sum). Without a sum g has no size and is not touched. No error
 * depends on a record.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_sum(double *g, dppair_release *release, const
    dppair_sum *sum, const DPPAIR_REAL *w, const dppair_options *options);
#endif
#endif
#elif !defined(DPPAIR_SCALE_H)
#define DPPAIR_SCALE_H
#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_scale.h before dppair.h makes an instance: earlier ones have none of it."
#endif
#define DPPAIR_NO_TEMPLATE_
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NAME_chunk_sketch DPPAIR_NAME_OF_(_chunk_sketch)
#define DPPAIR_NAME_chunk_sum DPPAIR_NAME_OF_(_chunk_sum)
#define DPPAIR_NAME_chunk_workspace DPPAIR_NAME_OF_(_chunk_workspace)
#define DPPAIR_NAME_coeffs_from_sketch DPPAIR_NAME_OF_(_coeffs_from_sketch)
#define DPPAIR_NAME_sketch DPPAIR_NAME_OF_(_sketch)
#define DPPAIR_NAME_sketch_finish DPPAIR_NAME_OF_(_sketch_finish)
#define DPPAIR_NAME_sketch_open DPPAIR_NAME_OF_(_sketch_open)
#define DPPAIR_NAME_release_sum DPPAIR_NAME_OF_(_release_sum)
#define DPPAIR_NAME_sum_open DPPAIR_NAME_OF_(_sum_open)
/*
 * m += other, which may come from another thread; words of another process are added by
 * dppair_words_add, and its counts. Errors leave *m as it is: NULL, WORKSPACE (one that is not
 * open, or spoiled; of another state, rows of another radius, another w; those of rows to
 * themselves), BATCH (rows of another draw), DOMAIN (finished).
 */
DPPAIR_MUST_CHECK dppair_status dppair_sketch_add(dppair_sketch *m, const dppair_sketch *other);
#endif /* DPPAIR_SCALE_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_SELECTION_
#ifndef DPPAIR_SELECTION_H
#define DPPAIR_SELECTION_H
/*
 * *mean = E K, the expected number of runs, at least 1 and rounded up. eta in (-1, 1], gamma in
 * [1e-6, 1]; gamma = 1 is one run. Errors: NULL, ENVIRONMENT, NOT_FINITE, DOMAIN.
 */
DPPAIR_MUST_CHECK dppair_status dppair_selection_mean(double *mean, double eta, double gamma);
/*
 * *gamma for which E K is `mean` >= 1, or the least bit less. One candidate of k is among the runs
 * with probability 1 - f(1 - 1/k): for eta = 1 that is 1/2 at E K = k and 0.9 at E K = 9 k. Errors:
 * those of dppair_selection_mean; DOMAIN also where gamma would be below 1e-6.
 */
DPPAIR_MUST_CHECK dppair_status dppair_selection_gamma(double *gamma, double eta, double mean);
/*
 * epsilon at `delta` of what a selection by random stopping releases. `run` holds what one run
 * spends, training and score, whichever candidate it is about. K: eta and gamma as above; draw it
 * by dppair_draw_runs. A run that fails for reasons of the data must not end the selection, nor may
 * the runs be ended early; a rule for equal scores may look at the order of the runs only.
 *
 * `upper` is that of the theorem. `lower` is what one run alone attains at this delta: a score that
 * says nothing chooses one run, and the theorem is about all scores. delta in (0, 1). composer:
 * as for dppair_accountant_epsilon; Gaussian runs need none. Errors: those of
 * dppair_accountant_epsilon and dppair_selection_mean; DELTA also where delta/E K leaves the range;
 * STEPS, a run of which nothing was charged; OVERFLOW, no c <= 700.
 */
DPPAIR_MUST_CHECK dppair_status dppair_selection_epsilon(dppair_interval *interval, const
    dppair_accountant *run, double eta, double gamma, double delta, const dppair_composer
    *composer);
/*
 * Charges a selection to `a`: that epsilon as a pure step and delta as a failure, which dominate
 * everything (epsilon, delta)-private (Kairouz, Oh and Viswanath 2015), of the neighbours that
 * `run` answers for. The runs themselves are then charged nowhere else. Errors: those of
 * dppair_selection_epsilon; ADJACENCY, other neighbours than a's. An error breaks a. In a ledger
 * the same is one entry with step.kind = DPPAIR_PURE, step.noise_multiplier = that epsilon, failure
 * = delta.
 */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_selection(dppair_accountant *a, const
    dppair_accountant *run, double eta, double gamma, double delta, const dppair_composer
    *composer);
/*
 * Draws *runs = K, how often dppair_selection_epsilon says that a candidate is trained: with
 * probability ~ (1 - gamma)^k (1 + eta/1) .. (1 + eta/(k - 1))/k, k >= 1, exactly. eta in (-1, 1],
 * gamma in [1e-6, 1], the doubles as they are. K must be drawn before the first run and stay
 * secret, with the time that the runs take.
 *
 * Rejection: from k = 1 on, a coin of bias gamma ends with K = k; else one of bias (k + eta)/(k +
 * 1) goes on to k + 1, or begins again. So one attempt ends with K = k with probability gamma times
 * (1 - gamma)^(k - 1) (1 + eta)(2 + eta) .. (k - 1 + eta)/k!, which is the law times a constant.
 * About 1/gamma coins at most, and their number depends on what is drawn.
 *
 * Errors: NULL, NOT_FINITE, DOMAIN, the generator's; *runs is then 0.
 */
DPPAIR_MUST_CHECK dppair_status dppair_draw_runs(uint64_t *runs, double eta, double gamma,
    dppair_rng *rng);
#endif /* DPPAIR_SELECTION_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_SHARES_
#ifndef DPPAIR_SHARES_H
#define DPPAIR_SHARES_H
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#define DPPAIR_CORE_ONLY_   /* of dppair.h plans and releases alone */
#undef DPPAIR_CORE_ONLY_
#undef DPPAIR_NO_TEMPLATE_
/* How numbers become integers. TRUNCATED: each record's, towards 0. ROUNDED: to the nearest
 * integer, or floor(x + u) with one public u in [0,1)^d for all: each record's, or each site's sum
 * once. RANDOMLY: floor(x + u) with private u, drawn by each site for its sum. */
typedef enum dppair_quantised {
  DPPAIR_QUANTISED_TRUNCATED = 1,
  DPPAIR_QUANTISED_ROUNDED = 2,
  DPPAIR_QUANTISED_RANDOMLY = 3
} dppair_quantised;
/*
 * *sigma = 1/sqrt(kappa), rounded down: Skellam noise of this variance on every coordinate of an
 * integer vector has, at whole Renyi orders, a curve of at most that of Gaussian noise of standard
 * deviation sigma (mechanism.h); sigma^2 is a little above variance - 1/2 - 1/variance. It takes no l1 sensitivity and no dimension. Of N shares of which h are sure to arrive, and are not
 * known to anybody, h/N of the variance counts. variance in [1e-6, 1e18]. Errors zero *sigma: NULL,
 * NOT_FINITE, DOMAIN, ENVIRONMENT.
 */
DPPAIR_MUST_CHECK dppair_status dppair_skellam_sigma(double *sigma, double variance);
/* *variance = the least variance, within 1e-9, whose dppair_skellam_sigma is at least `sigma`: for
 * a noise multiplier z and integers of sensitivity D, sigma = z D. Errors zero *variance: NULL,
 * NOT_FINITE, SIGMA (<= 0, or beyond any variance), ENVIRONMENT. */
DPPAIR_MUST_CHECK dppair_status dppair_skellam_variance(double *variance, double sigma);
/* Adds `steps` releases of integer vectors with Skellam noise of this variance on every coordinate.
 * sensitivity: how far a record moves the integers, in l2 norm. Errors break the account: those of
 * dppair_skellam_sigma, and of dppair_accountant_gaussian. */
DPPAIR_MUST_CHECK dppair_status dppair_accountant_skellam(dppair_accountant *a, double sensitivity,
    double variance, size_t steps);
/*
 * *sensitivity = how far, in l2 norm, a record moves a sum of vectors that were multiplied by
 * `scale` and made integers.
 *
 *   TRUNCATED   length: of every record's vector, at most; nonzero is 0, which is not read.
 *               scale length (zero-out), 2 scale length (replace-one): no coordinate grows. It
 *               costs a bias below 1/scale a coordinate
 *   ROUNDED     length: how far a record moves the real sum, for the relation; nonzero: coordinates
 *               in which its vector, the old or the new one, can be other than 0 (d, where that is
 *               not known). scale length + sqrt(nonzero): a difference of two rounded numbers is
 *               off by at most 1, however many records the site has
 *   RANDOMLY    the same and 2 sqrt(nonzero) more: both sides' offsets differ
 *
 * Errors zero *sensitivity: NULL, NOT_FINITE, DOMAIN (length, scale or kind), UNREAD (a nonzero
 * that is not read), SIZE (nonzero = 0 where it is), ADJACENCY.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_quantised(double *sensitivity, dppair_quantised
    how, double length, double scale, size_t nonzero, dppair_adjacency adjacency);
/*
 * *probability = at most this that one of `size` coordinates with Skellam noise of this variance m,
 * added modulo 2^bits and read as numbers from -2^(bits-1) on, comes out wrong, where no true sum
 * is beyond `largest`: 2 size exp(-A asinh(A/m) + sqrt(A^2 + m^2) - m), A = 2^(bits-1) - largest.
 * (Chernoff, from E e^(tX) = exp(m (cosh t - 1)).) The modulus is post-processing: it costs
 * accuracy, no delta. 1 where A <= 0. Errors set it to 1: NULL; ENVIRONMENT; NOT_FINITE; DOMAIN:
 * variance <= 0 or above 1e18, largest < 0, bits not from 1 to 64; SIZE (size = 0).
 */
DPPAIR_MUST_CHECK dppair_status dppair_skellam_wrap(double *probability, double variance, unsigned
    bits, double largest, size_t size);
/* What dppair_noise_check is for the other laws: DPPAIR_OK when this build on this machine draws
 * the known Skellam noise, with decisions by enclosures; else SELF_TEST (or ENVIRONMENT). The first
 * call that draws such noise runs it. */
DPPAIR_MUST_CHECK dppair_status dppair_shares_check(void);
/*
 * Draws each x[i] exactly from Sk(variance), the difference of two Poisson variables of mean
 * variance/2, which is taken as the exact value of the double, from 1e-6 to 2^50. It does not add
 * to x. What it protects: dppair_skellam_sigma and dppair_accountant_skellam. Errors zero x: NULL,
 * NOT_FINITE, SIGMA (the variance), ENVIRONMENT, the generator's, OVERFLOW and EXHAUSTED (the head
 * says how rarely). The time depends on the values drawn.
 */
DPPAIR_MUST_CHECK dppair_status dppair_skellam(int64_t *x, size_t n, double variance, dppair_rng
    *rng);
/* Adds such a draw to each x[i], modulo 2^64: integers that wrap around are no error, because that
 * would depend on records. Errors as above. */
DPPAIR_MUST_CHECK dppair_status dppair_add_skellam(int64_t *x, size_t n, double variance, dppair_rng
    *rng);
/*
 * The same with one of `shares` shares of the variance, variance/shares rounded up: what `shares`
 * sites add, each with a generator of its own, has Sk of at least `variance` in sum, and what h of
 * them add of at least h variance/shares. One share alone protects as its own variance does. Errors
 * besides: SIZE (shares = 0); SIGMA also for a share below 1e-6.
 */
DPPAIR_MUST_CHECK dppair_status dppair_add_skellam_share(int64_t *x, size_t n, double variance,
    size_t shares, dppair_rng *rng);
/* A sum of integers; the caller's memory. To be read only, but for `sum`. */
typedef struct dppair_integers {
  int64_t *sum; /* `size` numbers, modulo 2^64 */
  size_t size;
  dppair_quantised how;
  double scale, length; /* as dppair_integers_open was told */
  size_t nonzero;
  uint64_t vectors; /* that were added */
} dppair_integers;
/*
 * Begins a sum of integers, with 0.
 *   scale     integers for 1: a power of two from 2^-512 to 2^512
 *   length    TRUNCATED: the l2 bound of every record's vector, at most 2^61/scale. Otherwise how
 *             far a record moves the real sum, for the relation of the plan
 *   nonzero   coordinates in which a record's vector, the old or the new one, can be other than 0:
 *             `size`, where that is not known; TRUNCATED: 0
 * Where users are protected, read user for record. Errors zero the sum and *to: NULL, OVERFLOW,
 * NOT_FINITE, DOMAIN (how, scale, length), UNREAD (a nonzero that is not read), SIZE (size = 0;
 * nonzero = 0 where it is read).
 */
DPPAIR_MUST_CHECK dppair_status dppair_integers_open(dppair_integers *to, int64_t *sum, size_t size,
    dppair_quantised how, double scale, double length, size_t nonzero);
/*
 * Adds x[0..to->size) to the sum, in integers, modulo 2^64.
 *   TRUNCATED   any number of vectors, one for each record (or user); rng NULL
 *   ROUNDED     one vector, the site's sum; rng NULL: to the nearest. Else a generator of a PUBLIC
 *               key, at the same place at every site, whose numbers are u
 *   RANDOMLY    one vector; a generator of a secret key of the site's own
 * What was added is PRIVATE. No error depends on x: a number that is not finite counts as 0, where
 * records are truncated with all of its vector.
 *
 * Errors zero the sum and *to, which releases then refuse: NULL; UNREAD (a generator that is not
 * read); SIZE (a second vector where one is summed: sums that are rounded apart are farther off);
 * DOMAIN (*to was not opened); ENVIRONMENT; the generator's.
 */
DPPAIR_MUST_CHECK dppair_status dppair_quantise(dppair_integers *to, const double *x, dppair_rng
    *rng);
/*
 * *variance = that of the noise which dppair_release_share adds to each coordinate of such a sum,
 * and *sensitivity = how far a record moves its integers: from public numbers alone.
 * Errors zero both: NULL; DOMAIN (*sum was not opened); SIZE (honest = 0; more vectors than the
 * plan has records or users, or than it drew); LAW (the law is not DPPAIR_SKELLAM); NOT_DRAWN (a
 * plan that draws, and no draw for this step); SIGMA (a share beyond what dppair_skellam draws);
 * those of dppair_release_vector about the release.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_share_variance(double *variance, double *sensitivity,
    const dppair_release *release, const dppair_integers *sum, size_t honest);
/*
 * share[0..sum->size): the site's integers with its part of the noise, modulo 2^bits, 0 .. 2^bits -
 * 1. STILL PRIVATE: only the sum over the sites may be seen (see the head). Uses a paid release;
 * the sum stays as it is, and may be released by this step only: the same sum in another step is
 * another release, which the plan has paid for.
 *   honest   shares of `whole` noise that surely are in the sum and hidden, >= 1: those of sites
 *            that arrive and tell nobody what they drew; one less where a site, which knows its own,
 *            is not trusted with the others' records. A public number, the same at every site
 *   bits     1 to 64
 * release->sensitivity and ->sigma are those of the sum over the sites: how far a record moves it,
 * and the standard deviation of Gaussian noise that protects alike.
 *
 * Errors zero share. They use no paid release: those of dppair_release_share_variance; NULL
 * (share); DOMAIN (bits); OVERLAP (share, and the sum); ENVIRONMENT. OVERFLOW and EXHAUSTED of
 * dppair_skellam use it.
 */
DPPAIR_MUST_CHECK dppair_status dppair_release_share(uint64_t *share, dppair_release *release, const
    dppair_integers *sum, size_t honest, unsigned bits);
/* to += from modulo 2^bits, for size integers; those of shares, of masks, and of sums of them.
 * Errors zero `to`: NULL, OVERFLOW, DOMAIN (bits). */
DPPAIR_MUST_CHECK dppair_status dppair_shares_add(uint64_t *to, const uint64_t *from, size_t size,
    unsigned bits);
/* v[k] = the sum of the shares as a number from -2^(bits-1) on, divided by the scale. Errors zero
 * v: NULL, OVERFLOW, NOT_FINITE, DOMAIN (bits; a scale that is not positive). */
DPPAIR_MUST_CHECK dppair_status dppair_shares_value(double *v, const uint64_t *sum, size_t size,
    unsigned bits, double scale);
#endif /* DPPAIR_SHARES_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    !defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)
#ifdef DPPAIR_DECLARE_STREAMS_
#ifndef DPPAIR_STREAMS_H
#define DPPAIR_STREAMS_H
/* Which noise the prefix sums g_1 + .. + g_r of a stream have. */
typedef enum dppair_prefix_noise {
  DPPAIR_PREFIX_INDEPENDENT = 1, /* each g_r its own: that of the sums adds up */
  DPPAIR_PREFIX_TREE = 2,        /* binary tree: one release for each block that ends at r */
  DPPAIR_PREFIX_SQUARE_ROOT = 3  /* square root of the triangle of ones: the least here */
} dppair_prefix_noise;
/* Record t = 1 .. steps meets, at step t, a buffer of records before it. Their order is public. */
typedef struct dppair_stream {
  size_t steps;              /* how many records arrive */
  size_t buffer;             /* how many the buffer holds: the last ones; SIZE_MAX: all before */
  size_t silent;             /* steps 1 .. silent release nothing, and move nothing */
  dppair_prefix_noise noise; /* of what the other steps release */
  dppair_adjacency adjacency;
  const size_t
      *slot; /* NULL: the buffer holds the last records. Else a reservoir: the place of each
                       * of the `steps` records (dppair_sensitivity_prefix) */
} dppair_stream;
/* A stream that is released. Between calls it holds private numbers. */
typedef struct dppair_prefix {
  dppair_stream stream;
  double sigma;
  size_t d, released; /* numbers of a gradient; how many steps were released */
  double *before;     /* private: the gradients (square root), or sums of blocks (tree) */
  double *outputs;    /* what was released and is read again */
  double *factors, *sum;
} dppair_prefix;
/* *bytes = the workspace of dppair_prefix_open for gradients of d numbers: about 16 d bytes a step
 * for the square root, 16 d log2(steps) for the tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY,
 * OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_prefix_workspace(size_t *bytes, const dppair_stream *stream,
    size_t d);
/*
 * Opens a stream of gradients of d numbers, each of norm at most `bound`, which the caller proves.
 * sigma: of the noise of each release; charge dppair_accountant_gaussian(account, sensitivity,
 * sigma, 1), the sensitivity that of dppair_sensitivity_prefix, before the first step: one charge
 * for all of them. The workspace belongs to *p until dppair_prefix_close.
 * Errors leave *p closed: NULL, SIZE, DOMAIN (noise; a bound that is negative, or 2^38 sigma and
 * more where all steps add up), ADJACENCY, SIGMA, NOT_FINITE, WORKSPACE, OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_prefix_open(dppair_prefix *p, const dppair_stream *stream,
    size_t d, double sigma, double bound, void *work, size_t bytes);
/* Wipes what the workspace holds; *p is then closed. NULL is no error. */
void dppair_prefix_close(dppair_prefix *p);
/*
 * The release of step t: sum = g_(silent + 1) + .. + g_t with noise, for which g, d numbers, is
 * this step's. `sum` may be published, and so may every one before. Errors zero it: NULL, SIZE (a
 * stream that is not open), NO_PROOF (t is not the next step, or one of the silent ones: what they
 * would release nobody paid for), EXHAUSTED (t is past the last one), NOT_FINITE, those of
 * dppair_add_gaussian_f64. After an error of a step that was the next one the stream is closed.
 */
DPPAIR_MUST_CHECK dppair_status dppair_prefix_step(double *sum, const double *g, size_t t,
    dppair_prefix *p, dppair_rng *rng);
/* *bytes = the workspace of dppair_sensitivity_prefix: 24 a step for the square root, 8 for the
 * tree. Errors: NULL, SIZE, DOMAIN, ADJACENCY, OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_prefix_workspace(size_t *bytes, const
    dppair_stream *stream);
/*
 * *sensitivity of all that dppair_prefix_step releases of a stream, rounding of its sums included:
 * the account is charged dppair_accountant_gaussian(account, sensitivity, sigma, 1) once, and every
 * prefix sum, with all that is computed from them, is covered. Buffers of the last records.
 *
 * Independent noise: m, the move of one gradient, times
 *
 *     all earlier records   sqrt(sum of 1/k^2) < 1.2826, although a record is met up to T times
 *     the last b            sqrt(sum over k <= b of 1/k^2 + 1/b^2); after b silent steps
 *                           sqrt(1 + 1/b)
 *     reservoir             sqrt(max over i of (1 if i > silent) + residence_i/b^2)
 *
 * A reservoir (stream->slot) has silent >= buffer = b places; slot[i] is the place that record i
 * (from 0) takes after its step, b or more: none. slot[i] = i for i < b. The places are drawn
 * before the first step, independently of the records, and released or not.
 *
 * The largest deviation of a prefix sum is then, for m = 1 and mu = 1:
 *
 *     T, buffer                     independent   tree    square root
 *     1024, all                     41.0          48.3    15.5
 *     8192, all                     116           78.4    23.4
 *     8192, the last 64, 64 silent  90.9          20.8    6.57
 *
 * Time: T log2 T for the tree; for the square root T times the length of a run of weights, which is
 * 1 for a full buffer and 256 log T for one of all records. Independent noise reads no workspace.
 * Errors: those of dppair_sensitivity; SIZE, DOMAIN, ADJACENCY of the stream; NULL and WORKSPACE of
 * the workspace; NO_PROOF: a reservoir that releases before it is full; DOMAIN: slots; UNREAD:
 * slots with noise that is not independent; OVERFLOW.
 */
DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_prefix(double *sensitivity, const
    dppair_pair_unit *pair, const dppair_stream *stream, void *work, size_t bytes);
#endif /* DPPAIR_STREAMS_H */
#endif
#endif
#if defined(DPPAIR_ALL_FOUR_) && !defined(DPPAIR_NOISE_KERNELS_) && !defined(DPPAIR_CORE_ONLY_) && \
    (defined(DPPAIR_MODULE_TOP_) || (!defined(DPPAIR_STAGE_) && !defined(DPPAIR_BODY_)))
#ifdef DPPAIR_DECLARE_TOP_
#ifdef DPPAIR_MODULE_TOP_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && DPPAIR_WEIGHTS /* of an instance */
#if DPPAIR_STAGE_ == DPPAIR_STAGE_FUNCTIONS_
/* *bytes = the workspace of NAME_top_coeffs or NAME_top_ranks for n records and the state of the
 * pass, if there is one. It does not depend on how many are positives. Errors zero it: NULL,
 * DOMAIN, UNREAD (top), OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs_workspace( size_t *bytes, size_t n, const
    dppair_top *top, const dppair_options *options);
/*
 * a[np] and b[nn]: the derivatives of the loss *top (PARTIAL, PUSH or PRECISION; above) in the
 * scores of positives and negatives. For linear scores X+^T a + X-^T b is the gradient.
 *   options params; fast: a state of NAME_fast_init, for as many records (PRECISION: twice as many);
 *          work: NAME_top_coeffs_workspace of np + nn records. clip
 *          and groups are not given
 *
 * phi must not be negative for PUSH and PRECISION: sums below 0 count as 0. No order of the scores
 * matters, but for rounding.
 *
 * Errors zero a and b: NULL; DOMAIN, UNREAD (top; NDCG: NAME_top_ranks); NO_PROOF (a clip, groups,
 * a state of NAME_sums_init of a piecewise linear loss); WORKSPACE; NOT_FINITE (a score or a
 * result); ENVIRONMENT; OVERFLOW, which does not touch them.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_coeffs(double *a, double *b, const DPPAIR_REAL *sp,
    size_t np, const DPPAIR_REAL *sn, size_t nn, const dppair_top *top, const dppair_options
    *options);
/*
 * c[n]: the sums over the pairs of each query, weighted as above, of phi'(s_i - s_j), added for i
 * and subtracted for j.
 *   y      n grades, graded or binary; they count as held within [0, 32], NaN as 0
 *   top    kind DPPAIR_TOP_NDCG, depth, cap
 *   options params; groups: the queries, WITHIN, as those of a form (`negative` is NULL): records of
 *          a query stand together. NULL: all records are one query. work: NAME_top_coeffs_workspace
 *          of n records. fast and clip are not read
 *
 * Errors zero c: NULL; DOMAIN, UNREAD (top; groups that are not queries); SIZE (places);
 * WORKSPACE; NOT_FINITE (a score or a result); ENVIRONMENT; OVERFLOW, which does not touch it.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_ranks(double *c, const DPPAIR_REAL *s, const
    DPPAIR_REAL *y, size_t n, const dppair_top *top, const dppair_options *options);
/* *bytes = the workspace of NAME_top_gradient and NAME_release_top for n records of d numbers. It
 * does not depend on how many are positives. Errors zero it: NULL, SIZE (parts 0), DOMAIN, UNREAD
 * (top), WORKSPACE (the clip), NO_PROOF (a state of NAME_sums_init of a piecewise linear loss),
 * OVERFLOW. */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_workspace( size_t *bytes, size_t n, size_t d, const
    dppair_top *top, const dppair_options *options);
/*
 * g[0..d) = the gradient of the loss *top for the linear score <x, w>: X^T c, c of NAME_top_coeffs.
 * NDCG: the sum over the queries of X^T c of each (NAME_top_ranks), clipped to options->clip if
 * that is not 0.
 *
 *   rows   n records, the positives first, null records last; NDCG: with grades y, records of a
 *          query together. Weights are not given. PUSH: means are over n - 1 all the same
 *   w      d numbers
 *   options params, fast as for NAME_top_coeffs; parts (scores, X^T c); NDCG: clip, and groups as
 *          for NAME_top_ranks; work: NAME_top_workspace of n records
 *
 * NAME_top_sensitivity says how far it moves. Errors zero g, if rows are given: those of
 * NAME_gradient, NAME_top_coeffs, NAME_top_ranks; NO_PROOF (rows with weights; PRECISION of rows
 * with null records, for which nothing is proved).
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_gradient(double *g, const DPPAIR_ROWS_ *rows, const
    DPPAIR_REAL *w, const dppair_top *top, const dppair_options *options);
#ifdef DPPAIR_HAVE_LOSSES_
/*
 * *sensitivity = how far the gradient of NAME_top_gradient, divided as NAME_release_top does, moves
 * in l2 norm between neighbours: rounding, kernels and that division included.
 *
 *   d, bounds   as for NAME_sensitivity
 *   sampling    all records, or a draw without replacement, for PARTIAL also Poisson and
 *               allocation: a batch is ranked by itself. NDCG: as NAME_sensitivity takes queries
 *   top, pass   as NAME_top_gradient takes them. NDCG: clip, and queries
 *
 * Proof: above. Errors zero *sensitivity: those of NAME_sensitivity; DOMAIN, UNREAD (top); NO_PROOF
 * also for other samplings, for PUSH and PRECISION of a phi that is not monotone or is negative
 * somewhere, for PRECISION of one that comes to 0 or under zero-out, for NDCG without a clip; SIZE
 * for so many records that rounding of values says nothing.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_top_sensitivity( double *sensitivity, size_t d, const
    dppair_bounds *bounds, const dppair_sampling *sampling, const dppair_top *top, const
    dppair_options *options);
#endif /* DPPAIR_HAVE_LOSSES_ */
#elif DPPAIR_STAGE_ == DPPAIR_STAGE_RELEASES_
/*
 * g[0..d) = the gradient of NAME_top_gradient with the noise of this step, divided by public
 * numbers:
 *   PARTIAL     k m, or n k and (n-1) m where one of them is all, n (n-1) where both are
 *   PUSH, PRECISION   n
 *   NDCG        the queries, or as many as the plan expects to draw
 * n: the records of the step, or all where the plan draws a random number of them. Whether it
 * succeeds, and how much noise it adds, does not depend on how many are positives: with fewer than
 * k negatives the mean is over k all the same.
 *
 *   rows, w    as NAME_release takes them; for NDCG with grades y, which may be private
 *   top, pass  as NAME_top_gradient takes them; work: NAME_top_workspace of all n records where the
 *              plan draws a random number of them, of groups->most where a query is protected
 *
 * The plan uses all records or draws without replacement, for PARTIAL also Poisson samples or
 * allocations (best with k and m given); for NDCG, as NAME_release for queries, with neighbours
 * that differ in a record (its query's size public) or in a query. The noise scale is z S, S that
 * of NAME_top_sensitivity at rows->radius and |w|.
 *
 * Errors zero g. They use no paid release: those of NAME_release and NAME_top_sensitivity; NO_PROOF
 * also for PRECISION of rows with null records, of which nothing is proved. With rows from
 * dppair_rows_clip no other error occurs but SIZE for positives > n - nulls; then the paid release
 * is used.
 */
DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_top( double *g, dppair_release *release, const
    DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w, const dppair_top *top, const dppair_options *options);
#endif
#endif
#elif !defined(DPPAIR_TOP_H)
#define DPPAIR_TOP_H
#ifdef DPPAIR_HAS_INSTANCES_
#error "Include dppair_top.h before dppair.h makes an instance: earlier ones have none of it."
#endif
#define DPPAIR_NO_TEMPLATE_
#undef DPPAIR_NO_TEMPLATE_
#define DPPAIR_NEED_WEIGHTS_ /* instances have them, but where DPPAIR_WEIGHTS is 0 */
#define DPPAIR_NAME_release_top DPPAIR_NAME_OF_(_release_top)
#define DPPAIR_NAME_top_coeffs DPPAIR_NAME_OF_(_top_coeffs)
#define DPPAIR_NAME_top_coeffs_workspace DPPAIR_NAME_OF_(_top_coeffs_workspace)
#define DPPAIR_NAME_top_gradient DPPAIR_NAME_OF_(_top_gradient)
#define DPPAIR_NAME_top_ranks DPPAIR_NAME_OF_(_top_ranks)
#define DPPAIR_NAME_top_sensitivity DPPAIR_NAME_OF_(_top_sensitivity)
#define DPPAIR_NAME_top_workspace DPPAIR_NAME_OF_(_top_workspace)
/* What of the top of a ranking counts (modules/top/coeffs.h). */
typedef enum dppair_top_kind {
  DPPAIR_TOP_PARTIAL = 1,   /* partial AUC */
  DPPAIR_TOP_PUSH = 2,      /* p-norm push */
  DPPAIR_TOP_PRECISION = 3, /* average precision */
  DPPAIR_TOP_NDCG = 4       /* normalised discounted cumulative gain */
} dppair_top_kind;
/* What counts. All of it is public; fields that a kind does not read are 0. */
typedef struct dppair_top {
  dppair_top_kind kind;
  size_t negatives, positives; /* PARTIAL: how many of either side; 0: all */
  unsigned power;              /* PUSH: 1 to 64 */
  size_t depth;                /* NDCG: the places that count; 0: all */
  double cap;                  /* NDCG: the largest weight of a pair; 0: 1, which is none */
} dppair_top;
#endif /* DPPAIR_TOP_H */
#endif
#endif
#ifndef DPPAIR_ABI
#define DPPAIR_ABI dppair_abi_1118639383
extern const char dppair_abi_1118639383;
DPPAIR_KEPT_ static const char *const dppair_abi_ = &dppair_abi_1118639383;
#endif
#ifdef __cplusplus
}
#endif
#endif
