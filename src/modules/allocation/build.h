/* ------------------------------------------------------------------------------------------------
 * Random allocation: the table of t batches
 *
 * (m, m + 1) batches are carried through the bits of t. The lattice is halved about every second
 * time, so that the last one is right for t. Relies on cut.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_LEVELS_ = 24 };

/* Products of level k, 0 the last, have at most most[k] batches and an input lattice h[k]. */
typedef struct dppair_levels_ {
  size_t count;
  double most[DPPAIR_LEVELS_], h[DPPAIR_LEVELS_];
} dppair_levels_;

/* Is the lattice h fine enough for a product of `most` batches? */
DPPAIR_API int dppair_level_fits_(double z, double most, double h) {
  dppair_meeting_ m;
  memset(&m, 0, sizeof m);
  m.z = z;
  m.n = most;
  m.n_a = dppair_floor_(0.5 * most);
  m.n_b = most - m.n_a;
  m.h = h;
  m.split = 2;
  m.bend = z * h * z * h * most;
  return m.bend <= 1.0 / 64 && dppair_meeting_stride_(&m);
}

/* The lattices, from the last level to the first. h of the table of t is h[0]. */
DPPAIR_API void dppair_levels_of_(dppair_levels_ *levels, double z, size_t t) {
  size_t k, left = t;
  double h = dppair_short_(0.125 / (z * dppair_sqrt_((double)t)));
  levels->count = 0;
  for (; left > 1; left /= 2) {
    k = levels->count++;
    /* m + 1 is needed where a later bit is set */
    levels->most[k] = (double)(left + ((left << k) != t ? 1 : 0));
    if (k == 0)
      while (h > 0.0 && !dppair_level_fits_(z, levels->most[k], h)) h = dppair_short_(0.9 * h);
    else if (dppair_level_fits_(z, levels->most[k], 2.0 * h))
      h *= 2.0;
    levels->h[k] = h;
  }
  if (levels->count == 0) levels->h[0] = h;
}

enum { DPPAIR_MOST_NODES_ = 1 << 16 };

/* The nodes that hold a table and those on the way to it: from where all batches are small to where
 * one batch alone is 16 deviations large. MOST_NODES: more than that are refused. */
DPPAIR_API size_t dppair_allocation_nodes_(double z, size_t t) {
  const double n = (double)t, root = z * dppair_sqrt_(n);
  const double most = (16.5 + 0.5 / z) / z - dppair_log_(n); /* log of the mean's largest term */
  const double high = most < 30.0 ? dppair_log1p_(dppair_exp_(most)) : most;
  const double least = 16.0 / root, low = 0.5 / (z * z) + 16.5 / z; /* |l| below 0 */
  const double nodes = 12.0 * root * (high + (low < 4.0 * least ? low : 4.0 * least)) + 1600.0;
  return nodes < (double)DPPAIR_MOST_NODES_ ? (size_t)nodes : (size_t)DPPAIR_MOST_NODES_;
}

/* *table = the density of the loss of t batches, in work; its first 2 room doubles stay the
 * table's. A run of nodes with less mass than `little` is not computed. */
DPPAIR_API dppair_status dppair_levels_run_(dppair_density_ *table, double z, size_t t,
                                            double *work, size_t doubles, size_t room) {
  const double cut = t > 16 ? 16.5 : 15.0, little = t > 16 ? 1e-56 : 1e-47;
  dppair_levels_ levels;
  dppair_density_ few, more, next[2];
  dppair_pool_ pool;
  double *home[4];
  size_t k, i, m = 1;
  dppair_status status;
  pool.at = work;
  pool.left = doubles;
  for (i = 0; i < 4; i++)
    if ((home[i] = dppair_pool_take_(&pool, 2 * room)) == NULL) return DPPAIR_ERR_WORKSPACE;
  dppair_levels_of_(&levels, z, t);
  if (levels.count == 0) return dppair_density_batch_(table, home[0], room, z, levels.h[0], cut);
  k = levels.count - 1;
  status = dppair_density_batch_(&few, home[0], room, z, levels.h[k], cut);
  if (status == DPPAIR_OK && (t & (t - 1)) != 0)
    status = dppair_combine_tables_(&more, home[1], room, &few, 1.0, &few, 1.0, z, 1, little, pool);
  for (; status == DPPAIR_OK && levels.count > 0; levels.count--) {
    const size_t bit = t >> (levels.count - 1) & 1;
    const int later = (t & ((((size_t)1) << (levels.count - 1)) - 1)) != 0;
    const int split =
        levels.count > 1 && levels.h[levels.count - 2] < levels.h[levels.count - 1] ? 2 : 1;
    /* bit 0: (m, m) and (m, m + 1); bit 1: (m, m + 1) and (m + 1, m + 1) */
    status = dppair_combine_tables_(&next[0], home[2], room, &few, (double)m, bit ? &more : &few,
                                    (double)(m + bit), z, split, little, pool);
    if (status == DPPAIR_OK && later)
      status =
          dppair_combine_tables_(&next[1], home[3], room, bit ? &more : &few, (double)(m + bit),
                                 &more, (double)(m + 1), z, split, little, pool);
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
  *table = few;
  return DPPAIR_OK;
}
