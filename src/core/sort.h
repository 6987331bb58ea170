/* ------------------------------------------------------------------------------------------------
 * Sorting doubles: ascending, in place, O(n log n) in the worst case
 *
 * NaN has no place in the order: arrays must not hold it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Sorts x[0..n) by heap sort. */
DPPAIR_API void dppair_heap_sort_(double *x, size_t n) {
  size_t start = n / 2, end = n;
  while (end > 1) {
    size_t root, child;
    double v;
    if (start > 0) {
      v = x[--start];
    } else {
      v = x[--end];
      x[end] = x[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && x[child] < x[child + 1]) child++;
      if (!(v < x[child])) break;
      x[root] = x[child];
    }
    x[root] = v;
  }
}

/* Sorts x[0..n) by insertion. */
DPPAIR_API void dppair_insertion_sort_(double *x, size_t n) {
  size_t i, j;
  for (i = 1; i < n; i++) {
    const double v = x[i];
    for (j = i; j > 0 && v < x[j - 1]; j--) x[j] = x[j - 1];
    x[j] = v;
  }
}

/* Exchanges numbers of x[0..n), n >= 3, so that none of x[0..m) is above one of x[m..n), and
 * returns m, 0 < m < n. The pivot is the median of three and is among the numbers, so both scans
 * stop. */
DPPAIR_API size_t dppair_partition_(double *x, size_t n) {
  const double a = x[0], b = x[n / 2], c = x[n - 1];
  const double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
  size_t i, j;
  for (i = 0, j = n - 1;; i++, j--) {
    double t;
    while (x[i] < pivot) i++;
    while (pivot < x[j]) j--;
    if (i >= j) return j + 1;
    t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}

/* Sorts x[0..n) in ascending order: quicksort down to short runs, which are sorted by insertion,
 * and heap sort where pivots fail too often (introsort, Musser 1997). */
DPPAIR_API void dppair_sort_f64(double *x, size_t n) {
  const size_t few = 24; /* so many are sorted faster by insertion */
  struct {
    double *x;
    size_t n;
    int depth;
  } waiting[64];
  int count = 0, depth = 2;
  size_t i;
  for (i = n; i > 1; i /= 2) depth += 2;
  for (;;) {
    while (n > few) {
      size_t m;
      if (depth-- == 0) {
        dppair_heap_sort_(x, n);
        n = 0;
        break;
      }
      m = dppair_partition_(x, n);
      /* the larger part waits, so fewer than log2(n) ever do */
      waiting[count].depth = depth;
      if (m < n - m) {
        waiting[count].x = x + m;
        waiting[count++].n = n - m;
        n = m;
      } else {
        waiting[count].x = x;
        waiting[count++].n = m;
        x += m;
        n -= m;
      }
    }
    dppair_insertion_sort_(x, n);
    if (count == 0) return;
    count--;
    x = waiting[count].x;
    n = waiting[count].n;
    depth = waiting[count].depth;
  }
}

DPPAIR_FP_END_
