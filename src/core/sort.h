DPPAIR_FP_BEGIN_
/* Sorts: ascending, in place, O(n log n) in the worst case. x must not hold NaN. */
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

/* Sorts x[0..n) in ascending order, in place, O(n log n): quicksort that falls back on heap sort
 * where pivots fail (introsort, Musser 1997). x must not hold NaN: the order is then undefined. */
DPPAIR_API void dppair_sort_f64(double *x, size_t n) {
  struct {
    size_t from, to;
    int depth;
  } stack[64];
  int top = 0, depth = 2;
  size_t from = 0, to = n, i, j;
  for (i = n; i > 1; i /= 2) depth += 2;
  for (;;) {
    while (to - from > 24) {
      const double a = x[from], b = x[from + (to - from) / 2], c = x[to - 1];
      const double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
      if (depth-- == 0) {
        dppair_heap_sort_(x + from, to - from);
        from = to;
        break;
      }
      for (i = from, j = to - 1;; i++, j--) { /* the pivot is among them, so both scans stop */
        double t;
        while (x[i] < pivot) i++;
        while (pivot < x[j]) j--;
        if (i >= j) break;
        t = x[i];
        x[i] = x[j];
        x[j] = t;
      }
      /* the larger part waits, so the stack stays below log2(n) */
      stack[top].depth = depth;
      if (j + 1 - from < to - (j + 1)) {
        stack[top].from = j + 1;
        stack[top++].to = to;
        to = j + 1;
      } else {
        stack[top].from = from;
        stack[top++].to = j + 1;
        from = j + 1;
      }
    }
    for (i = from + 1; i < to; i++) {
      const double v = x[i];
      for (j = i; j > from && v < x[j - 1]; j--) x[j] = x[j - 1];
      x[j] = v;
    }
    if (top == 0) return;
    from = stack[--top].from;
    to = stack[top].to;
    depth = stack[top].depth;
  }
}

DPPAIR_FP_END_
