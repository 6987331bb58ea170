/* ------------------------------------------------------------------------------------------------
 * Random allocation, one replaced record: composition of the atoms
 *
 * Direct convolution by squaring. The step doubles with every fourfold number of epochs: a mass
 * between two atoms goes to both, with P and Q kept. All is rounded up. Relies on comonotone.h.
 * ---------------------------------------------------------------------------------------------- */

enum { DPPAIR_MOST_ATOMS_ = 4000 }; /* on each side of one epoch's */

/* A step that is small against the losses: a sixtieth of the deviation of l; wider where the errors
 * of the masses, which are divided by the step, would outweigh what a narrow one saves. */
DPPAIR_API double dppair_atoms_step_(const dppair_density_ *d) {
  double mass = 0.0, mean = 0.0, square = 0.0, error = 0.0, root, share;
  size_t i;
  for (i = 0; i < d->size; i++) {
    const double l = d->h * (double)(d->first + (int64_t)i);
    mass += d->f[i];
    mean += d->f[i] * l;
    square += d->f[i] * l * l;
    error += d->f[i] * d->error[i];
  }
  mean /= mass;
  root = dppair_sqrt_(square / mass - mean * mean);
  share = 5.0 * dppair_cbrt_(error / mass / root);
  return dppair_short_(root * (share > 1.0 / 60 ? (share < 0.1 ? share : 0.1) : 1.0 / 60));
}

/* Cuts atoms off: at the right at most `spare` goes to infinity, at the left at most that much
 * moves up. */
DPPAIR_API void dppair_atoms_trim_(dppair_atoms_ *x, double spare) {
  double sum = 0.0;
  size_t begin = 0;
  while (x->size > 1 && sum + x->mass[x->size - 1] <= spare) sum += x->mass[--x->size];
  x->infinity += 1.0000001 * sum;
  sum = 0.0;
  while (begin + 1 < x->size && sum + x->mass[begin] <= spare) sum += x->mass[begin++];
  memmove(x->mass, x->mass + begin, (x->size - begin) * sizeof *x->mass);
  x->mass[0] += 1.0000001 * sum;
  x->first += (int64_t)begin;
  x->size -= begin;
}

/* Doubles the step, in place: an odd atom's mass goes to both neighbours. */
DPPAIR_API void dppair_atoms_widen_(dppair_atoms_ *x) {
  const double up = 1.0000000000001 / (1.0 + dppair_exp_(-x->h)), down = 1.0000000000001 - up;
  const int odd = (int)(x->first & 1);
  const size_t size = (x->size + (size_t)odd) / 2 + 1;
  double carry = odd ? x->mass[0] * up : 0.0, low = odd ? x->mass[0] * down * 1.00000001 : -1.0;
  size_t i, at = (size_t)odd, out = 0;
  /* up: the share of the upper neighbour, (1 - e^-h)/(1 - e^-2h) */
  if (odd) {
    x->mass[out++] = low;
  }
  for (i = at; out < size; i += 2) {
    const double even = i < x->size ? x->mass[i] : 0.0;
    const double next = i + 1 < x->size ? x->mass[i + 1] : 0.0;
    x->mass[out++] = (carry + even + next * down * 1.00000001) * (1.0 + 1e-15);
    carry = next * up;
  }
  x->first = (x->first - odd) / 2;
  x->size = size;
  x->h *= 2.0;
}

/* *out = the sum of independent losses, with room for x->size + y->size atoms. */
DPPAIR_API void dppair_atoms_add_(dppair_atoms_ *out, const dppair_atoms_ *x,
                                  const dppair_atoms_ *y, double spare) {
  const double round =
      1.0 + DPPAIR_UNIT_ * (16.0 + (double)(x->size < y->size ? x->size : y->size));
  double all_x = x->infinity, all_y = y->infinity; /* about 1, but rounded up again and again */
  size_t i;
  for (i = 0; i < x->size; i++) all_x += x->mass[i];
  for (i = 0; i < y->size; i++) all_y += y->mass[i];
  out->size = x->size + y->size - 1;
  out->first = x->first + y->first;
  out->h = x->h;
  out->infinity = 1.000001 * (x->infinity * all_y + y->infinity * all_x);
  for (i = 0; i < out->size; i++) out->mass[i] = 0.0;
  dppair_fold_(out->mass, x->mass, x->size, y->mass, y->size, 1);
  for (i = 0; i < out->size; i++) out->mass[i] *= round;
  dppair_atoms_trim_(out, spare);
}

/* The atoms of `epochs` epochs, from those of one, which are destroyed. home: four arrays of `room`
 * atoms, home[0] those of one. WORKSPACE: too little room. */
DPPAIR_API dppair_status dppair_atoms_epochs_(dppair_atoms_ *one, size_t epochs, double **home,
                                              size_t room) {
  const double spare = one->infinity > 1e-30 ? one->infinity : 1e-30;
  dppair_atoms_ few = *one, more = *one, next[2];
  size_t i, m = 1, since = 1;
  int level = 0;
  while (epochs >> (level + 1) != 0) level++;
  if (2 * few.size > room) return DPPAIR_ERR_WORKSPACE;
  if ((epochs & (epochs - 1)) != 0) {
    more.mass = home[1];
    dppair_atoms_add_(&more, &few, &few, spare);
  }
  for (; level > 0; level--) {
    const size_t bit = epochs >> (level - 1) & 1;
    const int later = (epochs & ((((size_t)1) << (level - 1)) - 1)) != 0;
    const int both = later || bit;
    if (m >= 4 * since) {
      since = m;
      dppair_atoms_widen_(&few);
      if (both) dppair_atoms_widen_(&more);
    }
    if (2 * (both ? more.size : few.size) > room || 2 * few.size > room)
      return DPPAIR_ERR_WORKSPACE;
    next[0].mass = home[2];
    next[1].mass = home[3];
    dppair_atoms_add_(&next[0], &few, bit ? &more : &few, spare * (double)m);
    if (later) dppair_atoms_add_(&next[1], bit ? &more : &few, &more, spare * (double)m);
    m = 2 * m + bit;
    few = next[0];
    if (later) more = next[1];
    for (i = 0; i < 2; i++) {
      double *const swap = home[i];
      home[i] = home[i + 2];
      home[i + 2] = swap;
    }
  }
  *one = few;
  return DPPAIR_OK;
}

/* *delta >= the delta at epsilon, and *epsilon >= the epsilon at delta; the one that is asked for.
 * Infinite: the atoms at infinity alone are more than delta. */
DPPAIR_API double dppair_atoms_delta_(const dppair_atoms_ *x, double epsilon) {
  double sum = x->infinity;
  size_t i;
  for (i = x->size; i-- > 0;) {
    const double over = x->h * (double)(x->first + (int64_t)i) - epsilon;
    if (!(over > 0.0)) break;
    sum += x->mass[i] * -dppair_expm1_(-over);
  }
  sum *= 1.0 + DPPAIR_UNIT_ * (32.0 + (double)x->size);
  return sum < 1.0 ? sum : 1.0;
}

DPPAIR_API double dppair_atoms_epsilon_(const dppair_atoms_ *x, double delta) {
  double low = 0.0, high = x->h * (double)(x->first + (int64_t)x->size);
  int i;
  if (!(x->infinity < delta)) return HUGE_VAL;
  if (dppair_atoms_delta_(x, 0.0) <= delta) return 0.0;
  if (!(dppair_atoms_delta_(x, high) <= delta)) return HUGE_VAL;
  for (i = 0; i < 60 && high - low > 1e-12 * high; i++) {
    const double middle = 0.5 * (low + high);
    if (dppair_atoms_delta_(x, middle) <= delta)
      high = middle;
    else
      low = middle;
  }
  return high;
}

/* The atoms of one epoch of a table, in the pool; its step is the table's choice. */
DPPAIR_API dppair_status dppair_atoms_of_(dppair_atoms_ *pair, const dppair_density_ *table,
                                          dppair_pool_ *pool) {
  dppair_status status;
  memset(pair, 0, sizeof *pair);
  pair->h = dppair_atoms_step_(table);
  if (!(pair->h > 0.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  pair->mass = dppair_pool_take_(pool, 2 * DPPAIR_MOST_ATOMS_ + 3);
  if (pair->mass == NULL) return DPPAIR_ERR_WORKSPACE;
  status = dppair_atoms_make_(pair, table, DPPAIR_MOST_ATOMS_, *pool);
  if (status == DPPAIR_OK) dppair_atoms_trim_(pair, 1e-3 * pair->infinity);
  return status;
}

/* The composed upper end; HUGE_VAL or 1 where it says nothing. */
DPPAIR_API dppair_status dppair_replace_upper_(double *upper, const dppair_density_ *table,
                                               size_t epochs, int asks_delta, double given,
                                               dppair_pool_ pool) {
  dppair_atoms_ pair;
  double *home[4];
  size_t room, i;
  dppair_status status = dppair_atoms_of_(&pair, table, &pool);
  *upper = asks_delta ? 1.0 : HUGE_VAL;
  if (status != DPPAIR_OK) return status;
  room = pool.left / 4;
  if (epochs > 1 && pair.size > room) return DPPAIR_ERR_WORKSPACE;
  home[0] = pair.mass;
  for (i = 0; i < 4 && epochs > 1; i++) {
    double *const at = dppair_pool_take_(&pool, room);
    if (i == 0) memcpy(at, pair.mass, pair.size * sizeof *at);
    home[i] = at;
  }
  pair.mass = home[0];
  if (epochs > 1) status = dppair_atoms_epochs_(&pair, epochs, home, room);
  if (status == DPPAIR_OK)
    *upper = asks_delta ? dppair_atoms_delta_(&pair, given) : dppair_atoms_epsilon_(&pair, given);
  return status;
}
