/* SPDX-License-Identifier: MIT */
/* Second faults: what cannot happen unless a machine errs. Included between the core and the header
 * that is tested,
 *
 *   #define DPPAIR_CORE_ONLY_
 *   #include "dppair.h"
 *   #undef DPPAIR_CORE_ONLY_
 *   #include "second_faults.h"
 *   #include "dppair_accountant.h"
 *
 * it gives each place of that header that takes a number of an elementary function, or asks whether
 * one is finite, how numbers are rounded or where workspace begins, a number of its own; and one of
 * these places at a time is wrong once: NaN, not finite, a wrong rounding mode, no workspace. */
#ifndef DPPAIR_SECOND_FAULTS_H
#define DPPAIR_SECOND_FAULTS_H

enum { FAULT_PLACES = 8192 };
typedef struct {
  unsigned of[FAULT_PLACES];
} fault_count;
static struct {
  int place;     /* which one is wrong; -1: none */
  unsigned when; /* at which of its calls, from 0 on */
  double number; /* what it says */
  int fired;
  const char *file; /* where that was */
  int line;
  fault_count calls;
} fault;

/* No fault. */
static inline void fault_none(void) {
  memset(&fault, 0, sizeof fault);
  fault.place = -1;
}
/* A place is wrong at its first call, the one in the middle, or the last; 0: that is none or one of
 * the others. */
static inline int fault_at(const fault_count *calls, int place, int third, double number) {
  const unsigned n = calls->of[place];
  const unsigned when = third == 0 ? 0 : third == 1 ? n / 2 : n - 1;
  if (n == 0 || (third == 1 && when == 0) || (third == 2 && when <= n / 2)) return 0;
  fault_none();
  fault.place = place;
  fault.when = when;
  fault.number = number;
  return 1;
}
/* How many thousand calls of places all faults of a call take together. */
static inline size_t fault_work(const fault_count *calls) {
  size_t all = 0, places = 0;
  int i;
  for (i = 0; i < FAULT_PLACES; i++) all += calls->of[i], places += calls->of[i] > 0;
  return all / 1000 * places * 2;
}

#define FAULT_PLACE_ __COUNTER__, __FILE__, __LINE__
static inline int fault_now_(int place, const char *file, int line) {
  const unsigned call = fault.calls.of[place]++;
  if (place != fault.place || call != fault.when) return 0;
  fault.fired = 1;
  fault.file = file;
  fault.line = line;
  return 1;
}
static inline double fault_number_(double x, int place, const char *file, int line) {
  return fault_now_(place, file, line) ? fault.number : x;
}
static inline int fault_truth_(int x, int place, const char *file, int line) {
  return fault_now_(place, file, line) ? 0 : x;
}
static inline dppair_status fault_status_(dppair_status x, dppair_status wrong, int place,
                                          const char *file, int line) {
  return fault_now_(place, file, line) ? wrong : x;
}

#undef dppair_sqrt_
#undef dppair_fabs_
#undef dppair_floor_
#undef dppair_ceil_
#define dppair_sqrt_(x) fault_number_(sqrt(x), FAULT_PLACE_)
#define dppair_fabs_(x) fault_number_(fabs(x), FAULT_PLACE_)
#define dppair_floor_(x) fault_number_(floor(x), FAULT_PLACE_)
#define dppair_ceil_(x) fault_number_(ceil(x), FAULT_PLACE_)
#define dppair_exp_(x) fault_number_(dppair_exp_(x), FAULT_PLACE_)
#define dppair_expm1_(x) fault_number_(dppair_expm1_(x), FAULT_PLACE_)
#define dppair_log_(x) fault_number_(dppair_log_(x), FAULT_PLACE_)
#define dppair_log1p_(x) fault_number_(dppair_log1p_(x), FAULT_PLACE_)
#define dppair_pow_(x, y) fault_number_(dppair_pow_(x, y), FAULT_PLACE_)
#define dppair_cos_(x) fault_number_(dppair_cos_(x), FAULT_PLACE_)
#define dppair_sin_(x) fault_number_(dppair_sin_(x), FAULT_PLACE_)
#define dppair_atan2_(y, x) fault_number_(dppair_atan2_(y, x), FAULT_PLACE_)
#define dppair_acos_(x) fault_number_(dppair_acos_(x), FAULT_PLACE_)
#define dppair_cbrt_(x) fault_number_(dppair_cbrt_(x), FAULT_PLACE_)
#define dppair_asinh_(x) fault_number_(dppair_asinh_(x), FAULT_PLACE_)
#define dppair_sinh_(x) fault_number_(dppair_sinh_(x), FAULT_PLACE_)
#define dppair_isfinite_f64(x) fault_truth_(dppair_isfinite_f64(x), FAULT_PLACE_)
#define dppair_all_finite_f64(x, n) fault_truth_(dppair_all_finite_f64(x, n), FAULT_PLACE_)
#define dppair_environment_check()                                                                 \
  fault_status_(dppair_environment_check(), DPPAIR_ERR_ENVIRONMENT, FAULT_PLACE_)
#define dppair_work_(doubles, count, work, bytes)                                                  \
  fault_status_(dppair_work_(doubles, count, work, bytes), DPPAIR_ERR_WORKSPACE, FAULT_PLACE_)

#endif
