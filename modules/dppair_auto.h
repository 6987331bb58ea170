/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_auto.h - a private ranking score, without choices (version 0.1.0)
 *
 * You declare the kind and the range of each column. The fit learns a score that ranks positive
 * records above negative ones, a sum over the columns:
 *
 *   score(x) = sum_j f_j(x_j),      f_j linear between knots and constant outside of them
 *
 * It makes two releases and charges both before it reads a record. Public numbers, or what was
 * released, decide everything else. Neighbours differ in one replaced record.
 *
 *     #include "dppair_auto.h"                 includes dppair_tables.h and what that includes
 *
 *     static const dppair_column columns[2] = {{DPPAIR_COLUMN_NUMERIC, 18, 90, 0, 0},    age
 *                                              {DPPAIR_COLUMN_FLAG, 0, 0, 0, 0}};        smokes
 *     dppair_auto_map map[2];
 *     model.map = map;
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);          plan was all zero
 *     plan.epsilon = 1.0, plan.delta = 1e-6;
 *     s = dppair_accountant_init(&account);
 *     if (!s) s = dppair_auto_workspace(&bytes, n, 2, columns);            of work, for n records
 *     if (!s) s = dppair_auto_fit(&model, &account, &plan, NULL, x, y, n, 2, columns, work, bytes);
 *     if (!s) s = dppair_auto_score(&score, &model, record, 1);            one record: 2 numbers
 *
 * x has n rows of 2 numbers, and a record is positive where y > 0. `model` and `map` are released:
 * you may publish them. A score also tells of the record that it belongs to.
 *
 * FUNCTIONS
 *   fit       dppair_auto_fit, dppair_auto_workspace: n from 4 to 10^9, d from 1 to 10^5
 *   use       dppair_auto_score
 *   warnings  dppair_auto_warning_string: what a bit of model.warnings or map[j].warnings means
 *   text      dppair_auto_write, dppair_auto_read: a model as JSON, and back to the same bits
 *   types     dppair_auto_model  dppair_auto_map  dppair_auto_route
 *
 * At delta = 0 the second release has the noise of dppair_l2ball.h. Include that header before all
 * others; without it delta = 0 is refused with DPPAIR_ERR_MODULE, before anything is charged.
 *
 * Errors. Wrong public arguments, and an account without enough left, are found before anything is
 * charged. No value of a record is an error. An error leaves the model and its maps zero.
 *
 * No function allocates: you pass the workspace. The proof is at the head of modules/auto/fit.h,
 * below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     79  core/freestanding.h                Without a C library: names for the time of one include
 *    127  core/quick.h                       What is compiled soon rather than fast: it begins
 *    150  modules/auto/model.h               Models
 *           dppair_auto_warning_string
 *    236  modules/auto/maps.h                Features of a column
 *    391  modules/auto/choice.h              What public numbers decide
 *    535  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *    545  modules/auto/columns.h             The first release
 *    716  modules/auto/weights.h             The second release
 *    838  modules/auto/score.h               Scores of records
 *           dppair_auto_score
 *    900  modules/auto/fit.h                 The fit: all is charged, then records are read
 *           dppair_auto_workspace dppair_auto_fit
 *   1090  modules/auto/text.h                A model as text
 *           dppair_auto_write dppair_auto_read
 *   1229  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_tables.h"
#define DPPAIR_DECLARE_AUTO_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_AUTO_H
#define DPPAIR_AUTO_H

#include "dppair_tables.h"

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 367421840u
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif

/* ---- src/modules/auto/model.h ---------------------------------------------------------------
 * Models: the maps of a score, how it was found, and what it warns of
 *
 * Relies on modules/tables/.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

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
DPPAIR_API const char *dppair_auto_warning_string(unsigned bit) {
  static const char *const words[] = {
      "many records lie in the first cell of the declared range, which may begin too high",
      "many records lie in the last cell of the declared range, which may end too low",
      "nearly all records have one value, from which little can be learned",
      "rho is below 10: too small a budget for so few records or so many columns to learn much",
      "delta is not below 1/n: a delta of 1/n would allow to publish one record as it is"};
  size_t k;
  for (k = 0; k < sizeof words / sizeof *words; k++)
    if (bit == 1u << k) return words[k];
  return NULL;
}

/* May the model be scored and written? */
DPPAIR_FN_ dppair_status dppair_auto_model_check_(const dppair_auto_model *fitted) {
  size_t j, k;
  if (fitted == NULL || fitted->map == NULL) return DPPAIR_ERR_NULL;
  if (fitted->d == 0) return DPPAIR_ERR_SIZE;
  if (fitted->route < DPPAIR_AUTO_VECTOR || fitted->route > DPPAIR_AUTO_FIT ||
      !(fitted->epsilon > 0.0) || !(fitted->delta >= 0.0 && fitted->delta < 1.0))
    return DPPAIR_ERR_DOMAIN;
  for (j = 0; j < fitted->d; j++) {
    const dppair_auto_map *m = &fitted->map[j];
    if (m->knots > DPPAIR_AUTO_KNOTS) return DPPAIR_ERR_SIZE;
    for (k = 0; k < m->knots; k++)
      if (!dppair_json_holds_(m->at[k]) || !dppair_json_holds_(m->value[k]) ||
          (k > 0 && !(m->at[k - 1] < m->at[k])))
        return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* Zero, but for the address of its maps, which stay as they are. */
DPPAIR_FN_ void dppair_auto_model_clear_(dppair_auto_model *fitted) {
  dppair_auto_map *const map = fitted->map;
  memset(fitted, 0, sizeof *fitted);
  fitted->map = map;
}

DPPAIR_FP_END_
/* ---- src/modules/auto/maps.h ----------------------------------------------------------------
 * Features of a column: its map and polynomials in it, from its released histogram
 *
 * z = (linear + rank)/2 of a numeric column, at the knots: the cells' centres and the kinks of the
 * linear half. Everything follows from the distribution h over the cells, which was released.
 *
 * Relies on model.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

enum { DPPAIR_AUTO_DEGREES_ = 3 }; /* a numeric column's map, its polynomials of degree 2 and 3 */

/* A column on its way: its cells, and from release 1 on its features at common knots. */
typedef struct dppair_auto_column_ {
  dppair_cells grid; /* numeric columns */
  size_t knots;
  double at[DPPAIR_AUTO_KNOTS], z[DPPAIR_AUTO_DEGREES_][DPPAIR_AUTO_KNOTS];
  double square[DPPAIR_AUTO_DEGREES_]; /* second moments under the release */
} dppair_auto_column_;

/* The outer deciles, with the mass at zero counted as three quarters at most: a column that is
 * mostly zero takes its scale from the rest, and the linear part still tells large values from
 * small ones. */
DPPAIR_FN_ void dppair_auto_deciles_(double *a, double *b, const dppair_cells *g, const double *h) {
  double capped[DPPAIR_CELLS_MOST], total;
  const double rest = 1 - h[g->zero];
  size_t i;
  memcpy(capped, h, g->cells * sizeof *h);
  if (rest > 0.005) capped[g->zero] = dppair_fmin_(h[g->zero], 3 * rest);
  total = rest + capped[g->zero];
  for (i = 0; i < g->cells; i++) capped[i] /= total;
  *a = dppair_cells_quantile(g, capped, 0.1);
  *b = dppair_cells_quantile(g, capped, 0.9);
}

/* Gives the column the knot x, where its polynomials go on as they are; the map is set later. */
DPPAIR_FN_ void dppair_auto_knot_(dppair_auto_column_ *c, double x) {
  size_t piece, i, k;
  const double part = dppair_knots_find(&piece, c->at, c->knots, x);
  double value[DPPAIR_AUTO_DEGREES_];
  for (k = 0; k < DPPAIR_AUTO_DEGREES_; k++)
    value[k] = dppair_knots_between(c->z[k], c->knots, piece, part);
  for (i = 0; i < c->knots; i++)
    if (c->at[i] == x) return;
  for (i = c->knots++; i > 0 && c->at[i - 1] > x; i--) {
    c->at[i] = c->at[i - 1];
    for (k = 0; k < DPPAIR_AUTO_DEGREES_; k++) c->z[k][i] = c->z[k][i - 1];
  }
  c->at[i] = x;
  for (k = 0; k < DPPAIR_AUTO_DEGREES_; k++) c->z[k][i] = value[k];
}

/* z[k] = the polynomial of degree k + 1 in z[0], orthogonal under h + 0.001/m to 1 and the lower
 * ones, of deviation size[k - 1] in the units of z[0]'s, and bounded. */
DPPAIR_FN_ void dppair_auto_polynomials_(dppair_auto_column_ *c, const double *h, size_t degrees,
                                         const double *size) {
  double basis[DPPAIR_AUTO_DEGREES_ + 1][DPPAIR_CELLS_MOST], p[DPPAIR_CELLS_MOST];
  const size_t m = c->grid.cells;
  const double unit = dppair_fmax_(dppair_sqrt_(c->square[0]), 0.05);
  size_t i, j, k;
  for (i = 0; i < m; i++) {
    p[i] = (h[i] + 0.001 / (double)m) / 1.001;
    basis[0][i] = 1;
  }
  for (k = 1; k <= degrees; k++) {
    double norm = 0;
    for (i = 0; i < m; i++) basis[k][i] = c->z[0][i] * basis[k - 1][i];
    for (j = 0; j < k; j++) {
      double along = 0;
      for (i = 0; i < m; i++) along += p[i] * basis[k][i] * basis[j][i];
      for (i = 0; i < m; i++) basis[k][i] -= along * basis[j][i];
    }
    for (i = 0; i < m; i++) norm += p[i] * basis[k][i] * basis[k][i];
    norm = dppair_sqrt_(norm);
    for (i = 0; i < m && k > 1; i++) {
      const double v = basis[k][i] / dppair_fmax_(norm, 0.2);
      c->z[k - 1][i] = dppair_fmin_(2.5, dppair_fmax_(-2.5, v)) * size[k - 2] * unit;
      c->square[k - 1] += h[i] * c->z[k - 1][i] * c->z[k - 1][i];
    }
    for (i = 0; i < m; i++) basis[k][i] = norm > 1e-9 ? basis[k][i] / norm : 0;
  }
}

/* The features of a numeric column: z = (linear + rank)/2, where rank = 2F - 1 with the
 * distribution function F of h, and linear is x about the middle of the outer deciles in units of
 * 1.5 times half their distance, cut at +-1; and polynomials in z. Knots: the cells' centres and
 * the two kinks of the linear half. curve: of a column by class, what dppair_class_curve says, in
 * units of its own norm, takes the place of the map; else NULL. */
DPPAIR_FN_ void dppair_auto_features_(dppair_auto_column_ *c, const double *h, size_t degrees,
                                      const double *size, const double *curve) {
  const dppair_cells *g = &c->grid;
  const size_t n = g->cells;
  double rank[DPPAIR_CELLS_MOST], centre[DPPAIR_CELLS_MOST];
  double below = 0, a, b, middle, reach, part, t;
  size_t i, piece;
  dppair_auto_deciles_(&a, &b, g, h);
  middle = a + (b - a) / 2;
  reach = 1.5 * ((b - a) / 2);
  c->knots = n;
  for (i = 0; i < n; i++) {
    centre[i] = g->edge[i] + (g->edge[i + 1] - g->edge[i]) / 2;
    rank[i] = 2 * (below + h[i] / 2) - 1;
    below += h[i];
  }
  if (n > 1) { /* outer cells are wide and thinly filled: their knot stays near the inner edge */
    centre[0] = dppair_fmax_(centre[0], g->edge[1] - (g->edge[2] - g->edge[1]) / 2);
    centre[n - 1] =
        dppair_fmin_(centre[n - 1], g->edge[n - 1] + (g->edge[n - 1] - g->edge[n - 2]) / 2);
  }
  if (!(middle - reach < middle && middle + reach > middle)) reach = 0;
  for (i = 0; i < n; i++) {
    const double linear = reach > 0 ? (centre[i] - middle) / reach : 0;
    c->at[i] = centre[i];
    c->z[0][i] = (dppair_fmin_(1, dppair_fmax_(-1, linear)) + rank[i]) / 2;
    c->square[0] += h[i] * c->z[0][i] * c->z[0][i];
  }
  dppair_auto_polynomials_(c, h, degrees, size);
  if (reach > 0) {
    dppair_auto_knot_(c, middle - reach);
    dppair_auto_knot_(c, middle + reach);
  }
  for (i = 0; i < c->knots; i++) { /* at the kinks the map itself is not linear between cells */
    const double linear = reach > 0 ? (c->at[i] - middle) / reach : 0;
    part = dppair_knots_find(&piece, centre, n, c->at[i]);
    t = dppair_knots_between(rank, n, piece, part);
    c->z[0][i] = (dppair_fmin_(1, dppair_fmax_(-1, linear)) + t) / 2;
    if (curve == NULL) continue;
    c->z[0][i] = dppair_fmin_(2.5, dppair_fmax_(-2.5, dppair_class_curve(curve, t)));
    c->z[0][i] *= dppair_fmax_(dppair_sqrt_(c->square[0]), 0.05);
  }
}

/* With few bits a map's place is a guess. It is blended with the declared range's own linear map,
 * where a wrong place costs less: the column's range may be all that is known of it. */
DPPAIR_FN_ void dppair_auto_blend_with_range_(dppair_auto_column_ *c, const double *h,
                                              double share) {
  const double *edge = c->grid.edge, low = edge[0], high = edge[c->grid.cells];
  size_t i, piece;
  if (!(high > low)) return;
  dppair_auto_knot_(c, low);
  dppair_auto_knot_(c, high);
  for (i = 0; i < c->knots; i++) {
    const double x = dppair_fmin_(high, dppair_fmax_(low, c->at[i]));
    c->z[0][i] += share * (((x - low) - (high - x)) / (high - low) - c->z[0][i]);
  }
  for (c->square[0] = 0, i = 0; i < c->grid.cells; i++) {
    const double part =
        dppair_knots_find(&piece, c->at, c->knots, edge[i] + (edge[i + 1] - edge[i]) / 2);
    const double z = dppair_knots_between(c->z[0], c->knots, piece, part);
    c->square[0] += h[i] * z * z;
  }
}

DPPAIR_FP_END_
/* ---- src/modules/auto/choice.h --------------------------------------------------------------
 * What public numbers decide: route, shares of the budget, number of polynomials, the two plans
 *
 * Relies on maps.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Fixed numbers; none depends on the data. */
#define DPPAIR_AUTO_CLIP_ 0.65      /* the radius over a typical row's length      */
#define DPPAIR_AUTO_INTERCEPT_ 0.15 /* the constant column over the radius         */
#define DPPAIR_AUTO_LEAN_ 0.5       /* of the way to a balance of classes          */
static const double dppair_auto_blend_[2] = {0.2, 0.5}; /* of the range in a map; many columns */
enum {
  DPPAIR_AUTO_FIT_MOST_ = 4000,  /* columns that a fit takes: it factors matrices of as many rows */
  DPPAIR_AUTO_ADDED_MOST_ = 500, /* features in all where polynomials are added                 */
  DPPAIR_AUTO_MANY_ = 24         /* numeric columns of which it is learned how many matter      */
};

/* sqrt(a^2 + b^2) for a, b >= 0 of ordinary size, one of them above 0: nearly always the nearest
 * number, and the same bits on every host. The residual of the first root is divided by its slope
 * (Borges, An Improved Algorithm for hypot(a, b), 2019). */
DPPAIR_FN_ double dppair_auto_hypot_(double a, double b) {
  const double x = a > b ? a : b, y = a > b ? b : a, h = dppair_sqrt_(x * x + y * y);
  const double past = h <= 2.0 * y ? h - y : h - x;
  double rest;
  if (h <= 2.0 * y)
    rest = x * (2.0 * past - x) + (past - 2.0 * (x - y)) * past;
  else
    rest = 2.0 * past * (x - 2.0 * y) + ((4.0 * past - y) * y + past * past);
  return h - rest / (2.0 * h);
}

/* The most features that any budget asks for. */
DPPAIR_FN_ size_t dppair_auto_features_most_(size_t d, size_t numeric) {
  return d + 2 * numeric <= DPPAIR_AUTO_ADDED_MOST_ ? d + 2 * numeric : d;
}

/* What is decided before anything is released. */
typedef struct dppair_auto_choice_ {
  dppair_auto_route route;
  int pure, learned;        /* is delta 0; is the prior over templates learned                */
  double before, mine, rho; /* mu, pure: epsilon, of the two releases; model.rho              */
  double ratio;             /* ridge over noise of the fit                                    */
  size_t side, degrees;     /* cells on a side of zero; 1 and the number of polynomials       */
  double size[DPPAIR_AUTO_DEGREES_ - 1]; /* of the polynomials over the map's                  */
  double label;             /* square of the label count's weight                             */
  size_t numeric, features; /* numeric columns; features in all                               */
} dppair_auto_choice_;

/* How many polynomials, and how large, for a signal that stands out by so much. */
DPPAIR_FN_ void dppair_auto_bends_(dppair_auto_choice_ *c, size_t d, double rho) {
  c->degrees = rho < 40 ? 1 : rho < 300 ? 2 : 3;
  c->size[0] = c->degrees == 2 ? 0.3 : 0.6;
  c->size[1] = 0.6;
  c->features = d + (c->degrees - 1) * c->numeric;
}

/* The choice. budget: mu of the whole guarantee, pure: epsilon. moves: the sum of what one record
 * moves in release 1, labels aside. */
DPPAIR_FN_ void dppair_auto_choose_(dppair_auto_choice_ *c, double budget, int pure, size_t n,
                                    size_t d, size_t numeric, double moves) {
  const double width = pure ? (double)d : dppair_sqrt_((double)d);
  double share = 0.35;
  int low;
  c->pure = pure;
  c->numeric = numeric;
  c->side = pure ? 12 : 24;
  c->label = pure ? 1 : dppair_fmax_(1, moves / 16);
  c->rho = (double)n * budget * (pure ? 1 - share : dppair_sqrt_(0.75)) / width;
  low = c->rho < (pure ? 7 : 14) || d >= DPPAIR_AUTO_FIT_MOST_;
  if (!pure) share = low ? 0.33 : 0.25;
  c->before = budget * (pure ? share : dppair_sqrt_(share));
  c->mine = budget * (pure ? 1 - share : dppair_sqrt_(1 - share));
  c->learned = pure || c->rho < 8;
  dppair_auto_bends_(c, d, low || dppair_auto_features_most_(d, numeric) == d ? 0 : c->rho);
  c->route = low ? DPPAIR_AUTO_VECTOR : DPPAIR_AUTO_FIT;
  c->ratio = 0.75 * (1 + 100 / c->rho) * (pure ? dppair_sqrt_((double)(c->features + 1)) : 1);
}

/* Checks of the plan and the columns, which are public; dppair_auto_workspace checks n and d. A
 * range's ends are 0 or of 1e-250 to 1e250, so that knots between them can be written, and so is
 * delta. */
DPPAIR_FN_ dppair_status dppair_auto_check_(const dppair_plan *plan, size_t n, size_t d,
                                            const dppair_column *columns) {
  const dppair_sampling *s = &plan->sampling;
  size_t j;
  if (s->n != n) return DPPAIR_ERR_SIZE;
  if (s->adjacency != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  if (s->kind != DPPAIR_ALL || s->m > 0 || s->batches > 0 || s->group > 0 || s->owned > 0 ||
      s->q != 0 || plan->steps > 0 || (int)plan->noise != 0 || plan->ridge != 0 ||
      plan->output_mu != 0 || plan->failure != 0 || plan->noise_multiplier != 0 || plan->check != 0)
    return DPPAIR_ERR_UNREAD;
  if (!dppair_isfinite_f64(plan->epsilon) || !(plan->epsilon >= 1e-9 && plan->epsilon <= 1e3))
    return DPPAIR_ERR_EPSILON;
  if (!dppair_isfinite_f64(plan->delta) || !(plan->delta >= 0 && plan->delta < 1) ||
      (plan->delta > 0 && plan->delta < 1e-250))
    return DPPAIR_ERR_DELTA;
  for (j = 0; j < d; j++) {
    const double low = dppair_fabs_(columns[j].low), high = dppair_fabs_(columns[j].high);
    const dppair_status status = dppair_column_check_(&columns[j], d);
    if (status != DPPAIR_OK) return status;
    if (low > 1e250 || high > 1e250 || (low > 0 && low < 1e-250) || (high > 0 && high < 1e-250) ||
        columns[j].low > columns[j].high)
      return DPPAIR_ERR_DOMAIN;
  }
  return plan->delta > 0 ? DPPAIR_OK : dppair_mechanism_known_(DPPAIR_L2BALL); /* release 2's law */
}

/* The two plans. The trace hides what the solver and the grid of the noise may be off: more of the
 * budget where sums over many records round more and the noise matters less. */
DPPAIR_FN_ dppair_status dppair_auto_plans_(dppair_plan plans[2], const dppair_auto_choice_ *c,
                                            const dppair_plan *plan, double held) {
  const double n = (double)plan->sampling.n;
  const double share = dppair_fmin_(3e-2, dppair_fmax_(1e-3, 1e-8 * n));
  const double both = c->pure ? c->mine : dppair_auto_hypot_(c->before, c->mine);
  dppair_plan *second = plans + 1;
  dppair_status status;
  plans[0] = *plan;
  plans[0].epsilon = plans[0].delta = 0;
  plans[0].steps = 1;
  plans[1] = plans[0];
  plans[0].noise = c->pure ? DPPAIR_LAPLACE : DPPAIR_GAUSSIAN;
  plans[0].noise_multiplier = (1 + 1e-12) / c->before;
  second->noise = c->pure ? DPPAIR_L2BALL : DPPAIR_GAUSSIAN;
  second->noise_multiplier = (1 + 1e-12) / c->mine;
  if (c->route != DPPAIR_AUTO_FIT) return DPPAIR_OK;
  second->noise = c->pure ? DPPAIR_PURE_OBJECTIVE : DPPAIR_OBJECTIVE;
  second->output_mu = share * both;
  if (c->pure)
    status = dppair_objective_noise(&second->noise_multiplier,
                                    (c->mine - second->output_mu) * (1 - 1e-12), plan->delta, 0,
                                    c->ratio);
  else
    status = dppair_objective_noise(
        &second->noise_multiplier, plan->epsilon, plan->delta,
        dppair_auto_hypot_(held, dppair_auto_hypot_(c->before, second->output_mu)) * (1 + 1e-12),
        c->ratio);
  second->ridge = c->ratio * second->noise_multiplier;
  return status;
}

DPPAIR_FP_END_

/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif

/* ---- src/modules/auto/columns.h -------------------------------------------------------------
 * The first release, what follows from it for each column, and the rows of features
 *
 * Relies on choice.h and modules/tables/.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A run: what it was asked, what was decided, and the caller's workspace. */
typedef struct dppair_auto_room_ {
  dppair_auto_choice_ c;
  const double *x, *y;
  size_t n, d;
  const dppair_column *columns;
  dppair_auto_map *map;             /* d, the caller's */
  dppair_auto_column_ *column;      /* d */
  size_t *start, *group;            /* d + 2; of the features */
  dppair_marginals query;           /* release 1, */
  double noise;                     /* the deviation of its noise, */
  double *v, *h, *raw, *deviation;  /* what it says (dppair_marginals_estimate), */
  double *curve;                    /* and of the label (dppair_marginals_classes) */
  double *square, *sd, *w, *centre; /* of the features, and one more */
  double *rows;                     /* n rows of the features, and one more */
  double *work;                     /* of the two releases, one after the other */
  size_t bytes;
} dppair_auto_room_;

/* Takes the arrays from base, and returns their bytes; SIZE_MAX where these overflow. */
DPPAIR_FN_ size_t dppair_auto_take_(dppair_auto_room_ *r, char *base, size_t n, size_t d,
                                    const dppair_column *columns) {
  double **const shares[] = {&r->v, &r->h, &r->raw, &r->deviation};
  double **const sums[] = {&r->square, &r->sd, &r->w, &r->centre};
  size_t used = 0, numbers = 1, numeric = 0, features, j, more = 0;
  for (j = 0; j < d; j++) {
    const int is_numeric = columns[j].kind == DPPAIR_COLUMN_NUMERIC;
    numbers += (size_t)(columns[j].by_class ? 2 : 1) * (is_numeric ? DPPAIR_CELLS_MOST : 1);
    numeric += is_numeric ? 1 : 0;
  }
  features = dppair_auto_features_most_(d, numeric) + 1;
  if (dppair_marginals_estimate_workspace(&r->bytes, d) != DPPAIR_OK) return SIZE_MAX;
  if (features <= DPPAIR_AUTO_FIT_MOST_) {
    if (dppair_minimiser_workspace(&more, n, features) != DPPAIR_OK) return SIZE_MAX;
    if (more > r->bytes) r->bytes = more;
  }
  r->column = (dppair_auto_column_ *)dppair_take_(base, &used, d, sizeof *r->column);
  r->start = (size_t *)dppair_take_(base, &used, d + 2, sizeof *r->start);
  r->group = (size_t *)dppair_take_(base, &used, features, sizeof *r->group);
  for (j = 0; j < sizeof shares / sizeof *shares; j++)
    *shares[j] = (double *)dppair_take_(base, &used, numbers, sizeof **shares[j]);
  for (j = 0; j < sizeof sums / sizeof *sums; j++)
    *sums[j] = (double *)dppair_take_(base, &used, features, sizeof **sums[j]);
  r->curve = (double *)dppair_take_(base, &used, d * DPPAIR_CLASS_TERMS, sizeof *r->curve);
  r->work = (double *)dppair_take_(base, &used, r->bytes / sizeof *r->work + 1, sizeof *r->work);
  r->rows = (double *)dppair_take_(base, &used, dppair_area_(features, more > 0 ? n : 1),
                                   sizeof *r->rows);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Release 1, and what it says: r->v, h, raw, deviation. */
DPPAIR_FN_ dppair_status dppair_auto_marginals_(dppair_auto_room_ *r, dppair_release *release) {
  const int pure = r->c.pure;
  const double smooth = pure ? 0 : 0.9, width = pure ? 0 : 4; /* the kernel */
  const dppair_marginals query = {r->columns, r->d, r->c.side, smooth, width, r->c.label};
  dppair_status status = dppair_marginals_layout(r->start, &query);
  r->query = query;
  if (status == DPPAIR_OK)
    status = dppair_release_marginals(r->v, r->start[r->d + 1], release, &query, r->x, r->y, NULL,
                                      r->n, r->work, r->bytes);
  if (status != DPPAIR_OK) return status;
  r->noise = release->sigma * (pure ? dppair_sqrt_(2.0) : 1);
  return dppair_marginals_estimate(r->h, r->raw, r->deviation, r->v, r->start[r->d + 1], &query,
                                   r->n, r->noise, r->c.learned, r->work, r->bytes);
}

/* An end of the range warns when its cell has a fifth of the records more than a uniform column has
 * there; an end at 0 does not, because many columns are mostly 0. raw: the share of each cell, with
 * noise of that deviation. level: how many deviations an estimate must stand out by, so that of all
 * releases without any cause one in 200 warns of an end of one of so many columns. Of 1000 releases
 * of eight ordinary columns one or none warned; a range that ended at the column's median was found
 * in 99 of 100 from rho = 50 on (delta = 0: 160). */
DPPAIR_FN_ void dppair_auto_warn_column_(dppair_auto_map *map, const dppair_cells *g,
                                         const double *raw, const double *deviation, double level) {
  const size_t m = g->cells;
  const double reach = g->edge[m] - g->edge[0];
  size_t i;
  if (m < 2) map->warnings |= DPPAIR_AUTO_FLAT;
  for (i = 0; i < m && m > 1; i++) {
    const double fair = 0.2 + (g->edge[i + 1] - g->edge[i]) / reach;
    if (deviation[i] <= 0.03 && raw[i] - deviation[i] > 0.97) map->warnings |= DPPAIR_AUTO_FLAT;
    if (!(raw[i] - level * deviation[i] > fair)) continue;
    if (i == 0 && g->edge[0] != 0) map->warnings |= DPPAIR_AUTO_BELOW;
    if (i + 1 == m && g->edge[m] != 0) map->warnings |= DPPAIR_AUTO_ABOVE;
  }
}

/* All of r->column, with what they warn of; *rate: the share of positives, drawn to a half by as
 * much as it is noise; before, it is 0.5 +- 0.15. Where it is below 0.1 or above 0.9 there are
 * fewer polynomials: few records make both the signal and the curvature that tames noise. The
 * theorem holds for any number of columns, so release 1 may choose it. */
DPPAIR_FN_ dppair_status dppair_auto_columns_(dppair_auto_room_ *r, double *rate) {
  const double tests = dppair_log_(200.0 * (double)(r->c.numeric > 0 ? r->c.numeric : 1));
  const double spread = 0.15;
  const double level = r->c.pure ? tests / dppair_sqrt_(2.0) : dppair_sqrt_(2 * tests);
  const double sd = r->deviation[r->start[r->d]];
  const double shrink = spread * spread / (spread * spread + sd * sd);
  double rare;
  dppair_status status;
  size_t j, k;
  memset(r->column, 0, r->d * sizeof *r->column);
  *rate = dppair_fmin_(1, dppair_fmax_(0, 0.5 + shrink * (r->raw[r->start[r->d]] - 0.5)));
  rare = 10 * dppair_fmin_(*rate, 1 - *rate);
  if (rare < 1 && r->c.degrees > 1) dppair_auto_bends_(&r->c, r->d, r->c.rho * rare * rare);
  status = dppair_marginals_classes(r->curve, r->v, r->h, r->start[r->d + 1], &r->query, r->n,
                                    r->noise, *rate, r->work, r->bytes);
  for (j = 0; j < r->d && status == DPPAIR_OK; j++) {
    const dppair_column *from = &r->columns[j];
    dppair_auto_column_ *to = &r->column[j];
    const size_t at = r->start[j];
    double *curve = r->curve + j * DPPAIR_CLASS_TERMS;
    const double norm = dppair_fmax_(dppair_norm_f64(curve, DPPAIR_CLASS_TERMS), 0.1);
    if (from->kind != DPPAIR_COLUMN_NUMERIC) { /* x less the rate of those that have it set */
      to->knots = 2;
      to->at[1] = 1;
      to->z[0][0] = -r->h[at];
      to->z[0][1] = 1 - r->h[at];
      to->square[0] = r->h[at] * (1 - r->h[at]);
      continue;
    }
    status = dppair_cells_make(&to->grid, from->low, from->high, r->c.side);
    for (k = 0; k < DPPAIR_CLASS_TERMS; k++) curve[k] /= norm;
    dppair_auto_warn_column_(&r->map[j], &to->grid, r->raw + at, r->deviation + at, level);
    dppair_auto_features_(to, r->h + at, r->c.degrees, r->c.size, from->by_class ? curve : NULL);
    if (r->c.route == DPPAIR_AUTO_VECTOR && !from->by_class)
      dppair_auto_blend_with_range_(to, r->h + at,
                                    dppair_auto_blend_[r->c.numeric >= DPPAIR_AUTO_MANY_]);
  }
  return status;
}

/* r->square of all features, and the radius that rows are clipped to. */
DPPAIR_FN_ double dppair_auto_radius_(dppair_auto_room_ *r) {
  const dppair_auto_choice_ *c = &r->c;
  double maps = 0, others = 0;
  size_t j, k, next = r->d;
  for (j = 0; j < r->d; j++) {
    const dppair_auto_column_ *from = &r->column[j];
    const size_t numeric = r->columns[j].kind == DPPAIR_COLUMN_NUMERIC ? 1 : 0;
    maps += from->square[0];
    r->square[j] = numeric ? dppair_fmax_(0.003, from->square[0]) : from->square[0];
    for (k = 1; k < c->degrees && numeric > 0; k++)
      others += r->square[next + (k - 1) * c->numeric] = dppair_fmax_(1e-4, from->square[k]);
    next += numeric;
  }
  return DPPAIR_AUTO_CLIP_ * dppair_sqrt_(dppair_fmax_(maps, 0.05) + others);
}

/* row[features] of record i: all maps, then all polynomials of degree 2, then of degree 3. */
DPPAIR_FN_ void dppair_auto_row_(double *row, const dppair_auto_room_ *r, size_t i) {
  size_t j, k, piece, next = r->d;
  for (j = 0; j < r->d; j++) {
    const dppair_auto_column_ *c = r->column + j;
    const double part = dppair_knots_find(&piece, c->at, c->knots, r->x[i * r->d + j]);
    row[j] = dppair_knots_between(c->z[0], c->knots, piece, part);
    if (r->columns[j].kind != DPPAIR_COLUMN_NUMERIC) continue;
    for (k = 1; k < r->c.degrees; k++)
      row[next + (k - 1) * r->c.numeric] = dppair_knots_between(c->z[k], c->knots, piece, part);
    next++;
  }
}

DPPAIR_FP_END_
/* ---- src/modules/auto/weights.h -------------------------------------------------------------
 * The second release: weights by one noisy vector or by a perturbed fit, shrunk, put into the maps
 *
 * Relies on columns.h and release/minimiser.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* w = the mean of y z, each row z weighed by the other class's share, so that a map that is off its
 * middle moves w by nothing, and only then clipped. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_auto_mean_(dppair_auto_room_ *r, double radius,
                                                    double rate) {
  const size_t n = r->n, features = r->c.features;
  dppair_status status = DPPAIR_OK;
  size_t i, k;
  memset(r->w, 0, features * sizeof *r->w);
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    dppair_auto_row_(r->rows, r, i);
    for (k = 0; k < features; k++) r->rows[k] *= r->y[i] > 0 ? 2 - 2 * rate : 2 * rate;
    status = dppair_project_l2_f64(r->rows, features, radius);
    for (k = 0; k < features; k++) r->w[k] += (r->y[i] > 0 ? r->rows[k] : -r->rows[k]) / (double)n;
  }
  dppair_wipe(r->rows, features * sizeof *r->rows);
  if (status != DPPAIR_OK) dppair_wipe(r->w, features * sizeof *r->w);
  return status;
}

/* Release 2 by one vector: the mean of y z, and noise. Whatever the rate, a record moves it by
 * |y z - y' z'|/n <= 2 radius/n, and rounding by (n + 2) 2^-53 radius at most, once for each of two
 * neighbours. */
DPPAIR_FN_ dppair_status dppair_auto_vector_(dppair_auto_room_ *r, dppair_release *release,
                                             double radius, double rate) {
  const size_t features = r->c.features;
  const double n = (double)r->n, move = 2 * radius / n + radius * (n + 8) * DBL_EPSILON;
  dppair_status status = dppair_auto_mean_(r, radius, rate);
  size_t k;
  if (status == DPPAIR_OK)
    status = dppair_release_vector(r->w, features, release, move * (1 + 16 * DBL_EPSILON));
  for (k = 0; k < features; k++)
    r->sd[k] = release->sigma * (r->c.pure ? dppair_sqrt_((double)features) : 1);
  return status;
}

/* Where the constant's weight is drawn to: towards a balance of the classes, as far as ridge over
 * noise allows (dppair_release_minimiser refuses a pull of more than 512 scales of the noise). */
DPPAIR_FN_ double dppair_auto_centre_(const dppair_margin_loss *loss, double rate, double ratio) {
  const double c = DPPAIR_AUTO_INTERCEPT_, most = 500 / ratio;
  const double margin = dppair_margin_balance(loss, dppair_fmin_(0.98, dppair_fmax_(0.02, rate)));
  return dppair_fmin_(
      most, dppair_fmax_(-most, DPPAIR_AUTO_LEAN_ * margin * dppair_sqrt_(1 + c * c) / c));
}

/* Release 2 by a perturbed fit, on rows with a constant column, whose weight is dropped and whose
 * centre leans towards a balance of the classes. Near the minimiser the noise is divided by the
 * ridge and the curvature, of which a third of the records, those whose slope falls, have 1. */
DPPAIR_FN_ dppair_status dppair_auto_perturbed_(dppair_auto_room_ *r, dppair_release *release,
                                                double radius, double rate) {
  const dppair_margin_loss loss = dppair_margin_soft_hinge();
  const size_t n = r->n, features = r->c.features;
  const double unit = radius * dppair_sqrt_(1 + DPPAIR_AUTO_INTERCEPT_ * DPPAIR_AUTO_INTERCEPT_);
  const double constant = DPPAIR_AUTO_INTERCEPT_ * radius;
  double noise, ridge;
  dppair_status status = DPPAIR_OK;
  size_t i, k;
  for (i = 0; i < n && status == DPPAIR_OK; i++) {
    double *row = r->rows + i * (features + 1);
    dppair_auto_row_(row, r, i);
    status = dppair_project_l2_f64(row, features, radius);
    row[features] = constant;
    for (k = 0; k <= features; k++) row[k] /= unit;
  }
  memset(r->centre, 0, (features + 1) * sizeof *r->centre);
  r->centre[features] = dppair_auto_centre_(&loss, rate, r->c.ratio);
  if (status == DPPAIR_OK)
    status = dppair_release_minimiser(r->w, release, &loss, 1, r->rows, n, features + 1,
                                      features + 1, r->y, r->centre, r->work, r->bytes);
  dppair_wipe(r->rows, dppair_area_(n, features + 1) * sizeof *r->rows);
  noise = release->sigma * (r->c.pure ? dppair_sqrt_((double)(features + 1)) : 1);
  ridge = release->ridge;
  for (k = 0; k < features; k++)
    r->sd[k] = noise / (ridge + (double)n * r->square[k] / (3 * unit * unit));
  return status;
}

/* Draws weights that do not stand out of their own noise towards 0, and the columns of a one-hot
 * group together; of many numeric columns, or polynomials, it is learned how many matter. */
DPPAIR_FN_ dppair_status dppair_auto_shrink_(dppair_auto_room_ *r) {
  const size_t d = r->d, added = r->c.features - d;
  dppair_status status = DPPAIR_OK;
  size_t i;
  for (i = 0; i < r->c.features; i++) {
    const int group = i < d && r->columns[i].kind == DPPAIR_COLUMN_GROUP;
    r->group[i] = group ? r->columns[i].group : SIZE_MAX;
    r->centre[i] = i < d && r->columns[i].kind == DPPAIR_COLUMN_NUMERIC ? r->square[i] : 0;
  }
  if (r->c.numeric >= DPPAIR_AUTO_MANY_)
    status = dppair_shrink_sparse_f64(r->w, r->sd, r->centre, d);
  if (status == DPPAIR_OK && added >= DPPAIR_AUTO_MANY_)
    status = dppair_shrink_sparse_f64(r->w + d, r->sd + d, r->square + d, added);
  if (status != DPPAIR_OK) return status;
  return dppair_shrink_f64(r->w, r->sd, r->square, r->group, r->c.features, r->work, r->bytes);
}

/* Weights into maps: the share of each column. What text cannot hold is 0. */
DPPAIR_FN_ void dppair_auto_maps_(dppair_auto_map *map, const dppair_auto_room_ *r) {
  size_t i, j, k, next = r->d;
  for (j = 0; j < r->d; j++, map++) {
    const dppair_auto_column_ *c = &r->column[j];
    const size_t numeric = r->columns[j].kind == DPPAIR_COLUMN_NUMERIC ? 1 : 0;
    map->knots = c->knots;
    for (i = 0; i < c->knots; i++) {
      map->at[i] = c->at[i];
      map->value[i] = r->w[j] * c->z[0][i];
      for (k = 1; k < r->c.degrees && numeric > 0; k++)
        map->value[i] += r->w[next + (k - 1) * r->c.numeric] * c->z[k][i];
      if (dppair_fabs_(map->value[i]) < 1e-280) map->value[i] = 0;
    }
    next += numeric;
  }
}

DPPAIR_FP_END_
/* ---- src/modules/auto/score.h ---------------------------------------------------------------
 * Scores of records
 *
 * Relies on model.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_score(double *s,
                                                             const dppair_auto_model *fitted,
                                                             const double *x, size_t n) {
  dppair_status status = dppair_array_(s, n);
  size_t i, j, piece;
  if (status != DPPAIR_OK || n == 0) return status;
  for (i = 0; i < n; i++) s[i] = 0.0;
  status = x == NULL ? DPPAIR_ERR_NULL : dppair_auto_model_check_(fitted);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < n; i++)
    for (j = 0; j < fitted->d; j++) {
      const dppair_auto_map *m = &fitted->map[j];
      const double part = dppair_knots_find(&piece, m->at, m->knots, x[i * fitted->d + j]);
      s[i] += dppair_knots_between(m->value, m->knots, piece, part);
    }
  return DPPAIR_OK;
}

DPPAIR_FP_END_

/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif

/* ---- src/modules/auto/fit.h -----------------------------------------------------------------
 * The fit: all is charged, then records are read
 *
 * Privacy, charge by charge (n is public, one record is replaced):
 *
 *   histograms   dppair_release_marginals computes its sensitivity in integers: in a numeric column
 *                a record moves A c by A (e_s - e_t), of squared norm 2 - 2 K_st <= 2, because
 *                A^2 = K has a unit diagonal and no negative entry. mu_1-GDP; delta = 0: plain
 *                counts, Laplace, epsilon_1.
 *   what         denoising, its prior over templates, maps, blend, polynomials, radius, rate: of
 *   follows      the release and public numbers alone.
 *   one vector   each row is a function of its record and of release 1, clipped to the radius R:
 *                2 R/n. mu_2-GDP for every outcome of release 1; mu_1^2 + mu_2^2 is what the budget
 *                leaves. delta = 0: the l2 mechanism, epsilon_1 + epsilon_2.
 *   perturbed    the same rows with a constant column, of norm 1: DPPAIR_OBJECTIVE, whose theorem
 *   fit          (accountant/mechanisms/objective.h) holds beside any mu_1-GDP release that the
 *                rows depend on, and its trace. The solver reaches its tolerance whatever the
 *                records are.
 *   shrinkage    of the weights, their public noise and release 1's moments.
 *
 * Which of it happens is decided by n, the columns, the plan and the account (dppair_auto_choose_),
 * the number of polynomials also by the released rate (dppair_auto_columns_).
 *
 * Both plans are opened before a record is read. The workspace keeps no row and no number before
 * its noise.
 *
 * Relies on weights.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Opens both plans, so that all is paid, and asks what the closed forms then answer. */
DPPAIR_FN_ dppair_status dppair_auto_open_(dppair_release release[2], dppair_accountant *account,
                                           const dppair_plan plans[2], const dppair_plan *plan,
                                           const dppair_release_keys *keys) {
  dppair_interval epsilon;
  dppair_status status = dppair_release_open(&release[0], account, &plans[0], keys);
  if (status == DPPAIR_OK) status = dppair_release_open(&release[1], account, &plans[1], keys);
  if (status == DPPAIR_OK) status = dppair_accountant_answer_(&epsilon, account, 0, plan->delta);
  if (status != DPPAIR_OK) return status;
  return epsilon.upper <= plan->epsilon ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* Budget, route and plans from public numbers alone. */
DPPAIR_FN_ dppair_status dppair_auto_decide_(dppair_auto_room_ *r, dppair_plan plans[2],
                                             const dppair_plan *plan,
                                             const dppair_accountant *account) {
  const dppair_marginals query = {r->columns, r->d, DPPAIR_CELLS_SIDE, 0, 0, 0};
  double left = 0, held = 0, l1 = 0, l2;
  size_t j, numeric = 0;
  dppair_status status =
      dppair_accountant_left(&left, &held, account, plan->epsilon, plan->delta, plan->sampling);
  for (j = 0; j < r->d; j++) numeric += r->columns[j].kind == DPPAIR_COLUMN_NUMERIC ? 1 : 0;
  if (status == DPPAIR_OK)
    status = dppair_marginals_sensitivity(&l2, &l1, &query, DPPAIR_REPLACE_ONE, r->work, r->bytes);
  if (status != DPPAIR_OK) return status;
  dppair_auto_choose_(&r->c, left, !(plan->delta > 0), r->n, r->d, numeric, l1);
  if (dppair_label_weight(r->c.label) * (double)r->n > 8589934592.0) /* 2^33: no exact sum */
    return DPPAIR_ERR_OVERFLOW;
  return dppair_auto_plans_(plans, &r->c, plan, held);
}

/* The algorithm, for arguments that were checked. */
DPPAIR_FN_ dppair_status dppair_auto_fit_(dppair_auto_model *fitted, dppair_auto_room_ *r,
                                          dppair_accountant *account, const dppair_plan *plan,
                                          const dppair_release_keys *keys) {
  dppair_release release[2];
  dppair_plan plans[2];
  dppair_status status = dppair_auto_decide_(r, plans, plan, account);
  memset(release, 0, sizeof release);
  if (status == DPPAIR_OK) status = dppair_auto_open_(release, account, plans, plan, keys);
  if (status == DPPAIR_OK) status = dppair_auto_marginals_(r, &release[0]);
  if (status == DPPAIR_OK) status = dppair_auto_columns_(r, &fitted->rate);
  if (status == DPPAIR_OK) {
    const double radius = dppair_auto_radius_(r);
    status = r->c.route == DPPAIR_AUTO_FIT
                 ? dppair_auto_perturbed_(r, &release[1], radius, fitted->rate)
                 : dppair_auto_vector_(r, &release[1], radius, fitted->rate);
  }
  if (status == DPPAIR_OK) status = dppair_auto_shrink_(r);
  if (status == DPPAIR_OK) dppair_auto_maps_(fitted->map, r);
  dppair_release_close(&release[0]);
  dppair_release_close(&release[1]);
  return status;
}

/* *bytes = the workspace of dppair_auto_fit for n records of d columns: 8 for each feature of each
 * record (a numeric column has up to three features), and what does not grow with n. Errors zero
 * it: NULL, SIZE (n is not 4 to 10^9, d not 1 to 10^5), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_workspace(size_t *bytes, size_t n, size_t d,
                                                                 const dppair_column *columns) {
  dppair_auto_room_ room;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (columns == NULL) return DPPAIR_ERR_NULL;
  if (n < 4 || (double)n > 1e9 || d < 1 || d > 100000) return DPPAIR_ERR_SIZE;
  *bytes = dppair_auto_take_(&room, NULL, n, d, columns);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* OVERLAP where the model shares memory with the first `need` bytes of the workspace or with what
 * is read. */
DPPAIR_FN_ dppair_status dppair_auto_apart_(const dppair_auto_model *fitted, const double *x,
                                            const double *y, size_t n, size_t d, const void *work,
                                            size_t need) {
  const void *const out[2] = {fitted, fitted->map};
  const size_t size[2] = {sizeof *fitted, d * sizeof *fitted->map};
  dppair_status status = DPPAIR_OK;
  int k;
  for (k = 0; k < 2 && status == DPPAIR_OK; k++) {
    status = dppair_apart_(work, need / 8, out[k], size[k]);
    if (status == DPPAIR_OK) status = dppair_apart_(x, dppair_area_(n, d), out[k], size[k]);
    if (status == DPPAIR_OK) status = dppair_apart_(y, n, out[k], size[k]);
  }
  return status;
}

/* Of a fit that has come to its end: what is public about it. */
DPPAIR_FN_ void dppair_auto_tell_(dppair_auto_model *fitted, const dppair_auto_room_ *r,
                                  const dppair_plan *plan) {
  size_t j;
  fitted->d = r->d;
  fitted->n = r->n;
  fitted->epsilon = plan->epsilon;
  fitted->delta = plan->delta;
  fitted->rho = r->c.rho;
  fitted->marginals = r->c.before;
  fitted->weights = r->c.mine;
  fitted->route = r->c.route;
  if (!(fitted->rho >= 10.0)) fitted->warnings |= DPPAIR_AUTO_LOW;
  if (fitted->delta * (double)r->n >= 1.0) fitted->warnings |= DPPAIR_AUTO_DELTA;
  for (j = 0; j < r->d; j++) fitted->warnings |= fitted->map[j].warnings;
}

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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_auto_fit(dppair_auto_model *fitted, dppair_accountant *account, const dppair_plan *plan,
                const dppair_release_keys *keys, const double *x, const double *y, size_t n,
                size_t d, const dppair_column *columns, void *work, size_t bytes) {
  dppair_auto_room_ r;
  dppair_status status;
  size_t need;
  if (fitted == NULL) return DPPAIR_ERR_NULL;
  dppair_auto_model_clear_(fitted);
  if (fitted->map == NULL || account == NULL || plan == NULL || x == NULL || y == NULL ||
      columns == NULL || work == NULL)
    return DPPAIR_ERR_NULL;
  status = dppair_auto_workspace(&need, n, d, columns);
  if (status != DPPAIR_OK) return status;
  memset(fitted->map, 0, d * sizeof *fitted->map); /* whatever the caller left there */
  status = dppair_auto_check_(plan, n, d, columns);
  if (status == DPPAIR_OK && bytes < need) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_auto_apart_(fitted, x, y, n, d, work, need);
  if (status != DPPAIR_OK) return status;
  (void)dppair_auto_take_(&r, dppair_align_(work), n, d, columns);
  r.x = x, r.y = y, r.n = n, r.d = d, r.columns = columns, r.map = fitted->map;
  status = dppair_auto_fit_(fitted, &r, account, plan, keys);
  if (status == DPPAIR_OK) {
    dppair_auto_tell_(fitted, &r, plan);
  } else {
    dppair_auto_model_clear_(fitted);
    memset(fitted->map, 0, d * sizeof *fitted->map);
  }
  return status;
}

DPPAIR_FP_END_
/* ---- src/modules/auto/text.h ----------------------------------------------------------------
 * A model as text
 *
 *     {"format": "dppair auto 2", "score": "...", "route": 3, "epsilon": 1, ..., "columns": [
 *       {"name": "glucose", "warnings": 0, "at": [44, ...], "value": [-0.6, ...]}, ...]}
 *
 * which is the last member, "model", of the file that private_auc writes; epsilon 1e280 promises
 * nothing.
 *
 * Relies on model.h and accountant/ledger/json.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Writes or reads one map. */
DPPAIR_FN_ void dppair_auto_walk_map_(dppair_json *j, dppair_auto_map *m, const char *name) {
  size_t warnings = m->warnings, values = m->knots;
  dppair_json_literal_(j, "\n      {\"name\": ");
  dppair_json_string_(j, name);
  dppair_json_literal_(j, ", \"warnings\": ");
  dppair_json_size_(j, &warnings, 7);
  dppair_json_literal_(j, ", \"at\": ");
  dppair_json_numbers_(j, m->at, &m->knots, DPPAIR_AUTO_KNOTS);
  dppair_json_literal_(j, ", \"value\": ");
  dppair_json_numbers_(j, m->value, &values, DPPAIR_AUTO_KNOTS);
  dppair_json_literal_(j, "}");
  m->warnings = (unsigned)warnings;
  if (values != m->knots) j->bad = 1;
}

/* Writes or reads a model; read: maps beyond `capacity` are counted and not kept. */
DPPAIR_FN_ void dppair_auto_walk_(dppair_json *j, dppair_auto_model *m, size_t capacity,
                                  const char *const *names) {
  static const char *const figures[] = {", \"epsilon\": ", ", \"delta\": ",     ", \"rho\": ",
                                        ", \"rate\": ",    ", \"marginals\": ", ", \"weights\": "};
  double *const at[] = {&m->epsilon, &m->delta, &m->rho, &m->rate, &m->marginals, &m->weights};
  size_t k, warnings = m->warnings, route = (size_t)m->route;
  dppair_json_literal_(j,
                       "{\"format\": \"dppair auto 2\", \"score\": \"sum over the columns of a "
                       "value, linear between the knots and constant outside\",\n    \"route\": ");
  dppair_json_size_(j, &route, DPPAIR_AUTO_FIT);
  m->route = (dppair_auto_route)route;
  for (k = 0; k < sizeof at / sizeof *at; k++) {
    dppair_json_literal_(j, figures[k]);
    dppair_json_number_(j, at[k]);
  }
  dppair_json_literal_(j, ", \"n\": ");
  dppair_json_size_(j, &m->n, 1000000000);
  dppair_json_literal_(j, ", \"warnings\": ");
  dppair_json_size_(j, &warnings, 31);
  m->warnings = (unsigned)warnings;
  dppair_json_literal_(j, ",\n    \"columns\": [");
  for (k = 0; j->in == NULL ? k < m->d : !j->bad && !dppair_json_next_(j, ']'); k++) {
    dppair_auto_map map; /* as it is written, or beyond what is kept */
    memset(&map, 0, sizeof map);
    if (j->in == NULL) map = m->map[k];
    if (k > 0) dppair_json_literal_(j, ",");
    dppair_auto_walk_map_(j, &map, names != NULL ? names[k] : "");
    if (j->in != NULL && k < capacity) m->map[k] = map;
  }
  m->d = k;
  dppair_json_literal_(j, "\n    ]}");
}

/*
 * Writes a model as JSON into text[size], with a zero behind it that *length does not count. names:
 * the d columns' names, or NULL. Every number reads back to the same bits.
 *
 * Errors zero text and *length: NULL; SIZE and DOMAIN (what is no model); WORKSPACE where there is
 * no room, and then *length is what is needed, without the zero. Size 0 asks for it: text may be
 * NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_write(char *text, size_t size,
                                                             size_t *length,
                                                             const dppair_auto_model *fitted,
                                                             const char *const *names) {
  dppair_json j = dppair_json_writer_(text, size);
  dppair_auto_model copy;
  dppair_status status = dppair_auto_model_check_(fitted);
  if (length == NULL || (text == NULL && size > 0)) return DPPAIR_ERR_NULL;
  *length = 0;
  if (size > 0) memset(text, 0, size);
  if (status != DPPAIR_OK) return status;
  copy = *fitted;
  dppair_auto_walk_(&j, &copy, 0, names);
  if (!j.bad) *length = j.out.used;
  if (!j.bad && j.out.used < size) return DPPAIR_OK; /* the rest is 0 */
  if (size > 0) memset(text, 0, size);
  return j.bad ? DPPAIR_ERR_DOMAIN : DPPAIR_ERR_WORKSPACE;
}

/*
 * Reads text[length]: what dppair_auto_write wrote, or a file of private_auc. fitted->map: the
 * caller's array of `capacity` maps. The text may come from anywhere: a map whose knots do not
 * increase is refused like any other text.
 *
 * Errors zero the model and its maps: NULL; FORMAT (any other text); SIZE where there are more
 * columns than `capacity`, and then fitted->d says how many. NULL and OVERFLOW (a capacity that no
 * memory has) do not touch the maps.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_read(dppair_auto_model *fitted,
                                                            size_t capacity, const char *text,
                                                            size_t length) {
  static const char key[] = "\"model\":"; /* inside of a string quotes have a \ before them */
  const size_t size = sizeof key - 1;
  dppair_json j;
  size_t i, d = 0;
  if (fitted == NULL) return DPPAIR_ERR_NULL;
  dppair_auto_model_clear_(fitted);
  if (capacity > SIZE_MAX / sizeof *fitted->map) return DPPAIR_ERR_OVERFLOW;
  if (text == NULL || (fitted->map == NULL && capacity > 0)) return DPPAIR_ERR_NULL;
  for (i = length; i > 0 && (length - i < size || memcmp(text + i, key, size) != 0); i--) {
  }
  j = i > 0 ? dppair_json_reader_(text + i + size, length - i - size)
            : dppair_json_reader_(text, length);
  dppair_auto_walk_(&j, fitted, capacity, NULL);
  if (i > 0) dppair_json_literal_(&j, "}");
  if (dppair_json_done_(&j)) {
    d = fitted->d;
    if (d <= capacity && dppair_auto_model_check_(fitted) == DPPAIR_OK) return DPPAIR_OK;
  }
  if (capacity > 0) memset(fitted->map, 0, capacity * sizeof *fitted->map);
  dppair_auto_model_clear_(fitted);
  if (d <= capacity) return DPPAIR_ERR_FORMAT;
  fitted->d = d;
  return DPPAIR_ERR_SIZE;
}

DPPAIR_FP_END_

/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_AUTO_H */
#endif /* DPPAIR_DECLARE_ONLY */
