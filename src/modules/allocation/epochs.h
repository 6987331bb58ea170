/* ------------------------------------------------------------------------------------------------
 * Random allocation: sums of independent losses
 *
 * Epochs are independent, so their densities are convolved; all terms are positive (theory.h, 7).
 * Relies on build.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_LOOPS_BEGIN_

/* sum[k] += sum over i = 0, stride, .. < n of x[i] y[k - i], k < 8; n nodes of y lie before y. */
DPPAIR_API void dppair_fold_eight_(double *DPPAIR_RESTRICT_ sum, const double *x, const double *y,
                                   size_t n, size_t stride) {
  double s[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  size_t i;
  int k;
  for (i = 0; i < n; i += stride) {
    const double *const at = y - i;
    const double factor = x[i];
    for (k = 0; k < 8; k++) s[k] += factor * at[k];
  }
  for (k = 0; k < 8; k++) sum[k] += s[k];
}

DPPAIR_LOOPS_END_

/* out[k] += sum x[i] y[k - i] over the multiples i of stride; out has nx + ny - 1 nodes. */
DPPAIR_API void dppair_fold_(double *out, const double *x, size_t nx, const double *y, size_t ny,
                             size_t stride) {
  size_t k = 0, i, e;
  const size_t n = nx + ny - 1;
  while (k < n) {
    /* eight outputs share the terms for which all of k .. k + 7 lie in y */
    size_t low = k + 7 >= ny ? k + 7 - (ny - 1) : 0, high = k < nx ? k + 1 : nx;
    const size_t eight = k + 8 <= n ? 8 : n - k;
    low = (low + stride - 1) / stride * stride;
    if (eight == 8 && low < high) {
      dppair_fold_eight_(out + k, x + low, y + k - low, high - low, stride);
    } else {
      low = high = 0;
    }
    for (e = 0; e < eight; e++) { /* the terms for which only some do */
      const size_t at = k + e;
      size_t from = at >= ny ? at - (ny - 1) : 0;
      const size_t to = at < nx ? at + 1 : nx;
      from = (from + stride - 1) / stride * stride;
      for (i = from; i < to; i += stride) {
        if (i >= low && i < high) {
          i = low + (high - 1 - low) / stride * stride;
          continue;
        }
        out[at] += x[i] * y[at - i];
      }
    }
    k += eight;
  }
}

/* Every second node of d, in place. */
DPPAIR_API void dppair_density_thin_(dppair_density_ *d) {
  const size_t skip = (size_t)(d->first & 1);
  const size_t size = (d->size - skip + 1) / 2;
  size_t i, k;
  d->outside *= 2.0;
  for (k = 0; k < 2; k++) { /* the ends, where the nearest node may go, count as outside */
    const size_t at = k == 0 ? 0 : d->size - 1;
    const double up = d->f[at] * (1.0 + d->error[at]) * 1.01 *
                      dppair_weight_(d->h * (double)(d->first + (int64_t)at + 1));
    d->outside += 4.0 * d->h * up;
    d->beyond = dppair_larger_(d->beyond, up);
  }
  for (i = 0; i < size; i++) {
    d->f[i] = d->f[2 * i + skip];
    d->error[i] = d->error[2 * i + skip];
  }
  d->first = (d->first + (int64_t)skip) / 2;
  d->size = size;
  d->h *= 2.0;
}

/* Trims nodes from both ends, as long as their mass is below what is outside anyhow, and those
 * whose error is too large. missing: the error at a node that is not in error[], which is relative
 * here. */
DPPAIR_API dppair_status dppair_density_trim_(dppair_density_ *d, double missing) {
  const double spare = d->outside + 1e-60;
  double ends = 0.0, mass = 0.0;
  size_t begin = 0, end = d->size, k, i;
  for (k = 0; k < 2; k++) {
    double sum = 0.0;
    for (;;) {
      double l, up, weight;
      if (begin + 48 >= end) return DPPAIR_ERR_NO_CONVERGENCE;
      i = k == 0 ? begin : end - 1;
      l = d->h * (double)(d->first + (int64_t)i);
      weight = dppair_weight_(l);
      up = d->f[i] * (1.0 + d->error[i]);
      if (sum + d->h * up * weight > spare && missing * dppair_falling_(l) <= 1000.0 * d->f[i]) {
        up += missing * dppair_falling_(l);
        ends += up * weight;
        d->beyond = dppair_larger_(d->beyond, 1.01 * up * dppair_weight_(l + d->h));
        break;
      }
      sum += d->h * up * weight;
      d->beyond = dppair_larger_(d->beyond, 1.01 * (up + missing * dppair_falling_(l)) *
                                                dppair_weight_(l + d->h));
      if (k == 0)
        begin++;
      else
        end--;
    }
    mass += sum;
  }
  d->outside = 2.02 * (d->outside + mass) + 1.01 * d->h * ends;
  for (i = begin; i < end; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i), f = d->f[i];
    d->error[i - begin] = 1.00001 * (d->error[i] + missing * dppair_falling_(l) / f);
    d->f[i - begin] = f;
  }
  d->first += (int64_t)begin;
  d->size = end - begin;
  return DPPAIR_OK;
}

/* *out = the density of the sum of independent losses of a and b, on their common lattice, in work
 * with room for a->size + b->size nodes of values and of errors. Errors: WORKSPACE,
 * NO_CONVERGENCE. */
DPPAIR_API dppair_status dppair_density_add_(dppair_density_ *out, double *work, size_t room,
                                             const dppair_density_ *a, const dppair_density_ *b,
                                             dppair_pool_ pool) {
  const size_t nodes = a->size + b->size - 1;
  const double together = a->curvature + b->curvature, reach = a->h * dppair_sqrt_(together);
  const size_t stride = reach <= 0.35 ? 2 : 1;
  const double step = a->h * (double)stride,
               terms = (double)(a->size < b->size ? a->size : b->size);
  const double relative =
      2.001 * dppair_exp_(-19.739208 / (step * step * together)) + (terms + 12.0) * DPPAIR_UNIT_;
  const double missing =
      1.0001 * (double)stride * 0.39895 *
      (a->outside * dppair_sqrt_(b->curvature) + b->outside * dppair_sqrt_(a->curvature));
  double *lost_a = dppair_pool_take_(&pool, a->size), *lost_b = dppair_pool_take_(&pool, b->size);
  double *up_b = dppair_pool_take_(&pool, b->size);
  size_t i;
  if (reach > 0.7 || nodes > room || lost_a == NULL || lost_b == NULL || up_b == NULL)
    return reach > 0.7 ? DPPAIR_ERR_NO_CONVERGENCE : DPPAIR_ERR_WORKSPACE;
  for (i = 0; i < a->size; i++) lost_a[i] = a->f[i] * a->error[i];
  for (i = 0; i < b->size; i++) {
    lost_b[i] = b->f[i] * b->error[i];
    up_b[i] = b->f[i] + lost_b[i];
  }
  out->f = work;
  out->error = work + room;
  for (i = 0; i < nodes; i++) out->f[i] = out->error[i] = 0.0;
  dppair_fold_(out->f, a->f, a->size, b->f, b->size, stride);
  dppair_fold_(out->error, lost_a, a->size, up_b, b->size, stride);
  dppair_fold_(out->error, a->f, a->size, lost_b, b->size, stride);
  for (i = 0; i < nodes; i++) {
    out->error[i] = 1.00001 * (out->f[i] > 0.0 ? out->error[i] / out->f[i] : 0.0) + relative;
    out->f[i] *= step;
  }
  out->first = a->first + b->first;
  out->size = nodes;
  out->h = a->h;
  out->curvature = a->curvature * b->curvature / together;
  out->outside = 1.0001 * (double)stride * (a->outside + b->outside);
  out->beyond = 1.01 * missing;
  return dppair_density_trim_(out, missing);
}

/* The law seen from the other side: f(-l) e^-l, with the losses of the pair (Q, P). */
DPPAIR_API void dppair_density_mirror_(dppair_density_ *out, double *work, size_t room,
                                       const dppair_density_ *d) {
  size_t i;
  *out = *d;
  out->f = work;
  out->error = work + room;
  out->first = -(d->first + (int64_t)d->size - 1);
  for (i = 0; i < d->size; i++) {
    const size_t k = d->size - 1 - i;
    out->f[i] = d->f[k] * dppair_exp_(d->h * (double)(d->first + (int64_t)k));
    out->error[i] = d->error[k] * 1.000001 + 6.0 * DPPAIR_UNIT_;
  }
}

/* The next of the steps below: thins both tables where the lattice of the sum allows it. */
DPPAIR_API void dppair_epochs_thin_(dppair_density_ *few, dppair_density_ *more, double curvature,
                                    double least) {
  while (2.0 * few->h * dppair_sqrt_(curvature / least) <= 0.125) {
    dppair_density_thin_(few);
    if (more != NULL) dppair_density_thin_(more);
  }
}

/*
 * *out = the density of the sum of `epochs` losses of one, in work, of which the first 2 room
 * doubles stay out's. (m, m + 1) epochs are carried through the bits, as in build.h. Errors:
 * WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_API dppair_status dppair_epochs_run_(dppair_density_ *out, const dppair_density_ *one,
                                            size_t epochs, double *work, size_t doubles,
                                            size_t room) {
  dppair_density_ few, more, next[2];
  dppair_pool_ pool;
  double *home[4];
  size_t i, m = 1;
  int level = 0;
  dppair_status status = DPPAIR_OK;
  pool.at = work;
  pool.left = doubles;
  for (i = 0; i < 4; i++)
    if ((home[i] = dppair_pool_take_(&pool, 2 * room)) == NULL) return DPPAIR_ERR_WORKSPACE;
  if (one->size > room) return DPPAIR_ERR_WORKSPACE;
  few = more = *one;
  few.f = home[0];
  few.error = home[0] + room;
  memcpy(few.f, one->f, one->size * sizeof *one->f);
  memcpy(few.error, one->error, one->size * sizeof *one->f);
  while (epochs >> (level + 1) != 0) level++;
  if ((epochs & (epochs - 1)) != 0)
    status = dppair_density_add_(&more, home[1], room, &few, &few, pool);
  for (; status == DPPAIR_OK && level > 0; level--) {
    const size_t bit = epochs >> (level - 1) & 1;
    const int later = (epochs & ((((size_t)1) << (level - 1)) - 1)) != 0;
    const int both = later || bit;
    dppair_epochs_thin_(&few, both ? &more : NULL, one->curvature, (double)(2 * m + bit));
    status = dppair_density_add_(&next[0], home[2], room, &few, bit ? &more : &few, pool);
    if (status == DPPAIR_OK && later)
      status = dppair_density_add_(&next[1], home[3], room, bit ? &more : &few, &more, pool);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (few.f != work) { /* to the front */
    memmove(work, few.f, few.size * sizeof *work);
    memmove(work + room, few.error, few.size * sizeof *work);
    few.f = work;
    few.error = work + room;
  }
  *out = few;
  return DPPAIR_OK;
}
