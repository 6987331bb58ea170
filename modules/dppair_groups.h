/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair_groups.h - sums of groups, each clipped, and their mean, released (version 0.1.0)
 *
 * A group is what you compute one vector of: the records of a user, a query, or some records that
 * are drawn and put together. The vector is any function of the group's own records and of what is
 * public: the gradient of a network, of a contrastive loss, of a metric. It is shortened to a public
 * length, and the mean over the groups leaves with noise.
 *
 *     #include "dppair_groups.h"               includes dppair.h, _noise.h and _accountant.h
 *
 *     plan.sampling = dppair_sampling_all(groups, DPPAIR_REPLACE_QUERY);   a whole group is protected
 *     s = dppair_release_open(&release, &account, &plan, NULL);
 *     for each step:
 *       s = dppair_group_sum_open(&sum, numbers, size, clip, &release);
 *       for (j = 0; j < groups && !s; j++) {
 *         ... v = the gradient of group j ...
 *         s = dppair_group_add_f64(&sum, v);                          shortened to the clip
 *       }
 *       if (!s) s = dppair_release_groups(mean, &release, &sum);      mean may be published
 *     dppair_release_close(&release);
 *
 * FUNCTIONS
 *   dppair_group_sum_open     begins the sum of one step
 *   dppair_group_add_f64 _f32   adds a group's vector
 *   dppair_group_sum_join     adds the sum of another thread
 *   dppair_release_groups     the mean, with its noise
 *   types   dppair_group_sum
 *
 * To draw records and put them into groups, take dppair_sampling_groups for the plan.
 *
 * Errors. Those of dppair_release_vector about the release, and of public arguments; outputs are
 * zeroed. A vector that is not finite counts as 0 and has no error: that would tell about its group.
 * The proof is at the head of modules/groups/groups.h, below.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *     63  core/freestanding.h                Without a C library: names for the time of one include
 *    112  modules/groups/groups.h            The release of a mean over groups
 *           dppair_group_sum_open dppair_group_add_f64 dppair_group_add_f32 dppair_group_sum_join
 *           dppair_release_groups
 *    344  core/freestanding_end.h            Without a C library: a host's names are its own again
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_DECLARE_GROUPS_
#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair_declare.h"
#undef DPPAIR_NO_TEMPLATE_
#else
#ifndef DPPAIR_GROUPS_H
#define DPPAIR_GROUPS_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#include "dppair.h"
#undef DPPAIR_NO_TEMPLATE_

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

/* ---- src/modules/groups/groups.h ------------------------------------------------------------
 * The release of a mean over groups, each group's vector clipped: contrastive losses, networks
 *
 *   plan.sampling = dppair_sampling_groups(n, m, g, DPPAIR_REPLACE_ONE);   m/g groups of g records
 *   s = dppair_calibrate(&plan, &account, &composer);                a draw: first find its noise
 *   if (!s) s = dppair_release_open(&release, &account, &plan, NULL);
 *   for each step:
 *     s = dppair_release_draw(&batch, index, n, &release);               group j: index + j g
 *     if (!s) s = dppair_group_sum_open(&sum, numbers, size, 1.0, &release);
 *     for (j = 0; j < m / g && !s; j++) {
 *       ... v = the gradient of the loss of these g records alone      any function of only them
 *       s = dppair_group_add_f64(&sum, v);                               shortened to norm 1
 *     }
 *     if (!s) s = dppair_release_groups(step, &release, &sum);           step may be published
 *
 * Groups are what can be clipped where a loss compares records: one record is in one group, and
 * moves that group's vector from somewhere in the ball of radius `clip` to somewhere else in it.
 * Hence S = 2 clip/b for b groups (dppair_sensitivity_groups), whatever the loss, the network or
 * the similarity is. A vector may depend on its group and on what is public, and on nothing else:
 * not on another group by batch normalisation, a queue of earlier embeddings, or a running mean.
 *
 * CLIPPING PER RECORD IS NO PROOF, and there is no call for it. In a batch without groups the
 * gradient with respect to one embedding reads all others, so that clipping dL/dz_i, or the part of
 * the gradient that went through record i, bounds what each record's own term is and not how far
 * the others' terms move: of n records that all compare themselves with one, all n terms turn over
 * when that one is replaced, and the clipped mean moves by up to 2 clip and not by 2 clip/n.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

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

/* The step that the next release belongs to, counted from 1. */
DPPAIR_FN_ size_t dppair_release_now_(const dppair_release *release) {
  return release->step + (release->left > 0.0 ? 0 : 1);
}

/* 1 where a group, of a plan that is no matching, is all that a protected unit owns. */
DPPAIR_FN_ int dppair_groups_are_units_(const dppair_sampling *s) {
  return s->owned == 0 && dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_RECORDS_;
}

/* The groups of this step. */
DPPAIR_FN_ size_t dppair_groups_of_step_(const dppair_release *release) {
  const dppair_sampling *s = &release->sampling;
  if (s->kind == DPPAIR_ALL) return s->n;
  return s->kind == DPPAIR_MATCHING ? release->drawn / dppair_sampling_group_(s) : release->drawn;
}

/*
 * *terms of a mean over groups whose vectors are at most `clip` long. In a matching a record is in
 * one of m/g groups: dppair_sensitivity_groups. Where each group is what one protected unit owns,
 * however many records those are, a replaced unit moves one vector by 2 clip, and one without
 * records has the vector 0; the mean is over the number of units that is expected, a constant. This
 * is the move that the sampling's law divides.
 *
 * Rounding. A number of the sum takes t products and t additions, whose errors are at most
 * (t + 3) epsilon times the sum of sizes, epsilon being two units of rounding, the division
 * included. So the error of the mean is at most (t + 3) epsilon t clip/b long, t the most groups
 * there can be, and what underflows is below any of the margins. Both neighbours have it.
 */
DPPAIR_FN_ dppair_status dppair_groups_terms_(dppair_release_terms_ *terms,
                                              const dppair_release *release, size_t size,
                                              double clip) {
  const dppair_sampling *s = &release->sampling;
  double t, b, *move = &terms->sensitivity;
  dppair_status status = dppair_release_bound_(release, clip);
  if (status == DPPAIR_OK) status = dppair_sensitivity_args_(move, 2, clip, 0.0, 0.0);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_MATCHING) {
    status = dppair_sensitivity_groups(move, clip, s, 0);
    t = b = (double)s->m / (double)dppair_sampling_group_(s);
  } else if (dppair_groups_are_units_(s)) {
    b = dppair_sampling_expected_(s);
    t = s->m > 0 && !dppair_sampling_is_random_(s->kind) ? (double)s->m : (double)s->n;
    status = dppair_sensitivity_store_(
        move, (dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0) * clip / b);
  } else {
    return s->owned > 0 ? DPPAIR_ERR_NO_PROOF : DPPAIR_ERR_ADJACENCY;
  }
  if (status != DPPAIR_OK) return status;
  terms->divisor = b;
  *move = dppair_up_(*move + 2.0 * (t + 4.0) * DBL_EPSILON * t * clip / b);
  return dppair_release_scale_of_(terms, release, size);
}

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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_sum_open(dppair_group_sum *s, double *sum,
                                                                 size_t size, double clip,
                                                                 const dppair_release *release) {
  dppair_release_terms_ terms;
  dppair_status status = dppair_array_(sum, size);
  if (s) memset(s, 0, sizeof *s);
  if (status != DPPAIR_OK) return status;
  if (size) memset(sum, 0, size * sizeof *sum);
  if (!s) return DPPAIR_ERR_NULL;
  status = dppair_release_usable_(release);
  if (status == DPPAIR_OK) status = dppair_groups_terms_(&terms, release, size, clip);
  if (status == DPPAIR_OK && (size == 0 || 64.0 * ((double)size + 16.0) * DBL_EPSILON > 1.0))
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  s->sum = sum;
  s->size = size;
  s->clip = clip;
  s->release = release;
  s->step = dppair_release_now_(release);
  s->run = release->nonce;
  s->sequence = release->sequence;
  return DPPAIR_OK;
}

/* Adds a vector of double or float, times its factor (rows/template.h); nothing where a number
 * of it is not finite. */
DPPAIR_FN_ dppair_status dppair_group_add_(dppair_group_sum *s, const void *v, int is_f32) {
  double factor;
  size_t k;
  if (!s || !v) return DPPAIR_ERR_NULL;
  if (!s->sum || s->count == SIZE_MAX) return DPPAIR_ERR_DOMAIN;
  s->count++;
  if (!(is_f32 ? dppair_row_factors_f32_(&factor, (const float *)v, 1, s->size, s->size, s->clip)
               : dppair_row_factors_f64_(&factor, (const double *)v, 1, s->size, s->size, s->clip)))
    return DPPAIR_OK;
  for (k = 0; k < s->size; k++)
    s->sum[k] += factor * (is_f32 ? (double)((const float *)v)[k] : ((const double *)v)[k]);
  return DPPAIR_OK;
}

/*
 * Adds the vector of one group, v[0..s->size), shortened to the clip: v times a factor such that in
 * exact arithmetic its norm is at most the clip. One with a number that is not finite, as after an
 * overflow, counts as 0; so does one more than 2^512 (float: 2^64) times too long. Neither has an
 * error, which would tell about the group. The twin is for float; sums run in double.
 * Errors: NULL; DOMAIN (a sum that was not opened). The group is then not in the sum.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_add_f64(dppair_group_sum *s,
                                                                const double *v) {
  return dppair_group_add_(s, v, 0);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_add_f32(dppair_group_sum *s,
                                                                const float *v) {
  return dppair_group_add_(s, v, 1);
}

/* Adds the groups of another sum of the same step, size and clip, with numbers of its own: that of
 * another thread. Errors: NULL; DOMAIN (sums that differ in one of these, or are the same). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_group_sum_join(dppair_group_sum *s,
                                                                 const dppair_group_sum *other) {
  size_t k;
  if (!s || !other) return DPPAIR_ERR_NULL;
  if (!s->sum || !other->sum || s->sum == other->sum || s->size != other->size ||
      s->release != other->release || s->step != other->step || s->run != other->run ||
      s->sequence != other->sequence || !(s->clip <= other->clip && s->clip >= other->clip) ||
      other->count > SIZE_MAX - s->count)
    return DPPAIR_ERR_DOMAIN;
  for (k = 0; k < s->size; k++) s->sum[k] += other->sum[k];
  s->count += other->count;
  return DPPAIR_OK;
}

/* The public checks of dppair_release_groups, and its noise. */
DPPAIR_FN_ dppair_status dppair_release_groups_open_(dppair_release_terms_ *terms,
                                                     const dppair_release *release,
                                                     const dppair_group_sum *s) {
  const dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (!s->sum) return DPPAIR_ERR_DOMAIN;
  if (s->release != release || s->step != dppair_release_now_(release) ||
      s->run != release->nonce || s->sequence != release->sequence)
    return DPPAIR_ERR_DOMAIN;
  if (s->count != dppair_groups_of_step_(release)) return DPPAIR_ERR_SIZE;
  return dppair_groups_terms_(terms, release, s->size, s->clip);
}

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
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_groups(double *g, dppair_release *release,
                                                                 const dppair_group_sum *s) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!s) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, s->size);
  if (status != DPPAIR_OK) return status;
  status = dppair_release_groups_open_(&terms, release, s);
  if (status == DPPAIR_OK && g != s->sum)
    status = dppair_apart_(g, s->size, s->sum, s->size * sizeof *g);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) {
    if (s->size) memset(g, 0, s->size * sizeof *g);
    return status;
  }
  dppair_release_permit_(release, &terms);
  if (g != s->sum) memcpy(g, s->sum, s->size * sizeof *g);
  return dppair_release_sum_(g, s->size, release, DPPAIR_OK);
}

DPPAIR_FP_END_

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

#endif /* DPPAIR_GROUPS_H */
#endif /* DPPAIR_DECLARE_ONLY */
