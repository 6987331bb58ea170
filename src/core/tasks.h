/* ------------------------------------------------------------------------------------------------
 * Tasks and threads
 *
 * The caller chooses the number of tasks into which work is cut. Their results are joined in a fixed
 * order, so the result depends on their number and never on threads. This header starts no thread:
 * an executor calls task(context, k) for every k < count, in any order, from any threads, and
 * returns when all calls have returned. dppair_run_serial is one; one over OpenMP or your own pool
 * of threads is a few lines:
 *
 *   void run_openmp(dppair_task *task, void *context, size_t count, void *self) {
 *   #pragma omp parallel for schedule(static)
 *     for (long k = 0; k < (long)count; k++) task(context, (size_t)k);
 *   }
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

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
DPPAIR_API void dppair_run_serial(dppair_task *task, void *context, size_t count, void *self) {
  size_t k;
  (void)self;
  for (k = 0; k < count; k++) task(context, k);
}

/* The first of n items that belongs to `part`, 0 <= part <= parts, parts >= 1; n for the last
 * part's end, part = parts. */
DPPAIR_API size_t dppair_part_begin_(size_t n, size_t part, size_t parts) {
  return n / parts * part + (n % parts < part ? n % parts : part);
}

/* sum[k] += the results of parts 1, 2, ..., which are at sum + part * n, in this order; k < n. */
DPPAIR_API void dppair_tasks_join(double *sum, size_t n, size_t parts) {
  size_t part, k;
  for (part = 1; part < parts; part++)
    for (k = 0; k < n; k++) sum[k] += sum[part * n + k];
}

DPPAIR_FP_END_
