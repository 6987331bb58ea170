/* ------------------------------------------------------------------------------------------------
 * Parts and threads
 *
 * Work splits into a number of parts that the caller chooses; how parts are joined is fixed, so the
 * result depends on that number and never on threads. This header starts none: a runner calls
 * task(context, part) for every part < parts, in any order, from any threads, and returns when all
 * have returned. dppair_run_serial is one; with OpenMP dppair_run_openmp is another; over a pool of
 * your own it is a few lines.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef void dppair_task(void *context, size_t part);
typedef void dppair_runner(dppair_task *task, void *context, size_t parts, void *self);
typedef struct dppair_parts {
  size_t parts;
  dppair_runner *run; /* NULL: dppair_run_serial */
  void *self;         /* handed to run */
} dppair_parts;

DPPAIR_API void dppair_run_serial(dppair_task *task, void *context, size_t parts, void *self) {
  size_t k;
  (void)self;
  for (k = 0; k < parts; k++) task(context, k);
}
#ifdef _OPENMP
DPPAIR_API void dppair_run_openmp(dppair_task *task, void *context, size_t parts, void *self) {
  long k;
  (void)self;
#pragma omp parallel for schedule(static)
  for (k = 0; k < (long)parts; k++) task(context, (size_t)k);
}
#endif

/* The first of n items that belongs to this part, 0 <= part <= parts, parts >= 1; n for `parts`. */
DPPAIR_API size_t dppair_part_begin(size_t n, size_t part, size_t parts) {
  return n / parts * part + (n % parts < part ? n % parts : part);
}

/* sum[k] += what parts 1, 2, ... left behind at sum + part * n, in their order; k < n. */
DPPAIR_API void dppair_join(double *sum, size_t n, size_t parts) {
  size_t part, k;
  for (part = 1; part < parts; part++)
    for (k = 0; k < n; k++) sum[k] += sum[part * n + k];
}

/* One gradient X+^T a + X-^T b in parts: scores, then sums over rows. */
typedef struct dppair_rows_ {
  const void *x[2], *w;
  void *s[2];
  double *c[2], *g;
  size_t n[2], d, ld, parts;
  int is_f32;
} dppair_rows_;

DPPAIR_API void dppair_rows_scores_(void *context, size_t part) {
  dppair_rows_ *r = (dppair_rows_ *)context;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin(r->n[side], part + 1, r->parts) - i;
    if (r->is_f32) {
      DPPAIR_DISPATCH_(dppair_scores_f32,
                       ((float *)r->s[side] + i, (const float *)r->x[side] + i * r->ld, n, r->d,
                        r->ld, (const float *)r->w));
    } else {
      DPPAIR_DISPATCH_(dppair_scores_f64,
                       ((double *)r->s[side] + i, (const double *)r->x[side] + i * r->ld, n, r->d,
                        r->ld, (const double *)r->w));
    }
  }
}

/* g[2 part] and g[2 part + 1], d numbers each: the sums of either side. */
DPPAIR_API void dppair_rows_combine_(void *context, size_t part) {
  dppair_rows_ *r = (dppair_rows_ *)context;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin(r->n[side], part + 1, r->parts) - i;
    double *g = r->g + (2 * part + (size_t)side) * r->d;
    if (r->is_f32) {
      DPPAIR_DISPATCH_(dppair_combine_f32,
                       (g, (const float *)r->x[side] + i * r->ld, n, r->d, r->ld, r->c[side] + i));
    } else {
      DPPAIR_DISPATCH_(dppair_combine_f64,
                       (g, (const double *)r->x[side] + i * r->ld, n, r->d, r->ld, r->c[side] + i));
    }
  }
}

DPPAIR_FP_END_
