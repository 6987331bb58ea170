/* ------------------------------------------------------------------------------------------------
 * Random allocation, one replaced record: the comonotone pair as atoms
 *
 * The upper end of replace-one: P~ = e^(F^-1(u)) du against Q~ = e^(F^-1(1-u)) du on [0, 1], with
 * the loss F^-1(u) - F^-1(1-u), odd about u = 1/2. For each H k, k >= 0, a place r and r' = r - H k
 * are found with F(r') = 1 - F(r) nearly. The truth for this r is within `off` of r': the errors of
 * both tails over 0.9 of the density. Between two places P~ has the mass of p in [r_k, r_k+1] and
 * Q~ that in [r'_k+1, r'_k]; the losses lie in [H k - off, H (k+1) + off]. Clipped to [H k, H
 * (k+1)] they are connected to its ends, the upper end getting all that the errors allow, and then
 * all is moved up by `off`. Below u = 1/2 the two masses change places. What the cut right tail
 * holds gets an infinite loss, what the left one holds moves up to the last atom. Relies on
 * patch.h.
 * ---------------------------------------------------------------------------------------------- */

/* P has mass[i] at the loss h (first + i), and `infinity` at infinite loss. */
typedef struct dppair_atoms_ {
  double *mass;
  int64_t first;
  size_t size;
  double h, infinity;
} dppair_atoms_;

/* Sums of a table's patches: mass under Q and P below and above each node, and errors of those. */
typedef struct dppair_tails_ {
  dppair_patch_ patch;
  double *below[3], *above[3]; /* of f, of p, and of f's errors; index node - patch.low */
  double outside;
} dppair_tails_;

/* out = integrals over [from, to] steps, within one patch, of f, p and f's error. By 16 nodes of
 * Gauss-Legendre, whose error is below 1e-30 relative (patch.h). */
DPPAIR_API void dppair_tails_piece_(double out[3], dppair_patch_ *patch, double from, double to) {
  const double h = patch->d->h, half = 0.5 * (to - from);
  int k;
  out[0] = out[1] = out[2] = 0.0;
  for (k = 0; k < 16; k++) {
    double weight, error;
    const double x = from + half * (1.0 + dppair_legendre_(&weight, k));
    const double f = dppair_patch_at_(&error, patch, x) * half * weight * h;
    out[0] += f;
    out[1] += f * dppair_exp_(h * x);
    out[2] += f * error;
  }
}

DPPAIR_API dppair_status dppair_tails_open_(dppair_tails_ *t, const dppair_density_ *d,
                                            dppair_pool_ *pool) {
  const dppair_status status = dppair_patch_open_(&t->patch, d, 1e-28 + d->outside);
  size_t size, i;
  int64_t at;
  int k;
  if (status != DPPAIR_OK) return status;
  for (at = t->patch.low - 1; at <= t->patch.high + 1; at++) { /* for dppair_couple_find_ */
    const double ratio = d->f[at + 1 - d->first] / d->f[at - d->first];
    if (!(ratio > 0.02 && ratio < 50.0)) return DPPAIR_ERR_NO_CONVERGENCE;
  }
  size = (size_t)(t->patch.high - t->patch.low) + 1;
  for (k = 0; k < 3; k++) {
    t->below[k] = dppair_pool_take_(pool, size);
    t->above[k] = dppair_pool_take_(pool, size);
    if (t->below[k] == NULL || t->above[k] == NULL) return DPPAIR_ERR_WORKSPACE;
    t->below[k][0] = t->above[k][size - 1] = 0.0;
  }
  for (i = 0; i + 1 < size; i++) {
    const double node = (double)(t->patch.low + (int64_t)i);
    double out[3];
    dppair_tails_piece_(out, &t->patch, node, node + 1.0);
    for (k = 0; k < 3; k++) {
      t->below[k][i + 1] = t->below[k][i] + out[k];
      t->above[k][i] = out[k];
    }
  }
  for (i = size - 1; i-- > 0;)
    for (k = 0; k < 3; k++) t->above[k][i] += t->above[k][i + 1];
  t->outside = dppair_patch_outside_(&t->patch);
  return DPPAIR_OK;
}

/* The same integrals below x, or above it, within the patches. */
DPPAIR_API void dppair_tails_at_(double out[3], dppair_tails_ *t, double x, int above) {
  double node = dppair_floor_(x);
  size_t i;
  int k;
  if (node >= (double)t->patch.high) node = (double)t->patch.high - 1.0;
  i = (size_t)((int64_t)node - t->patch.low);
  if (above)
    dppair_tails_piece_(out, &t->patch, x, node + 1.0);
  else
    dppair_tails_piece_(out, &t->patch, node, x);
  for (k = 0; k < 3; k++) out[k] += above ? t->above[k][i + 1] : t->below[k][i];
}

/* One place: r and r' in steps, the tails of both, and `off` in steps. */
typedef struct dppair_couple_ {
  double r, other, high[3], low[3], f, f_other, off;
} dppair_couple_;

/* Finds the place of the loss `loss` steps from a guess of r. 0: it lies outside of the patches, or
 * is not certain to a hundredth of a step. */
DPPAIR_API int dppair_couple_find_(dppair_couple_ *c, dppair_tails_ *t, double loss, double guess) {
  const double low = (double)t->patch.low, high = (double)t->patch.high;
  double error, other_error, residual, step;
  int i;
  c->r = guess;
  for (i = 0;; i++) {
    if (!(c->r < high && c->r - loss > low)) return 0;
    c->other = c->r - loss;
    dppair_tails_at_(c->high, t, c->r, 1);
    dppair_tails_at_(c->low, t, c->other, 0);
    c->f = dppair_patch_at_(&error, &t->patch, c->r) * t->patch.d->h;
    c->f_other = dppair_patch_at_(&other_error, &t->patch, c->other) * t->patch.d->h;
    residual = c->low[0] - c->high[0];
    step = residual / (c->f + c->f_other);
    if (i == 8 || !(dppair_fabs_(step) > 1e-14 * (1.0 + dppair_fabs_(c->r)))) break;
    c->r -= step > 1.0 ? 1.0 : (step < -1.0 ? -1.0 : step);
  }
  /* within a hundredth of a step f changes by less than a tenth: it changes by less than 50 times
   * from node to node (dppair_tails_open_), and F3 bounds its slope between by those about it */
  residual = dppair_fabs_(residual) + c->low[2] + c->high[2] + 2.0 * t->outside +
             4e3 * DPPAIR_UNIT_ * (c->low[0] + c->high[0]);
  c->off = 1.2 * residual / c->f_other +
           8.0 * DPPAIR_UNIT_ * (dppair_fabs_(c->r) + dppair_fabs_(c->other));
  return c->off < 0.01 && other_error < 0.01;
}

/* The place of the median: loss 0. */
DPPAIR_API int dppair_couple_first_(dppair_couple_ *c, dppair_tails_ *t) {
  const size_t size = (size_t)(t->patch.high - t->patch.low);
  size_t i = 0;
  while (i < size && t->below[0][i] < t->above[0][i]) i++;
  return dppair_couple_find_(c, t, 0.0, (double)(t->patch.low + (int64_t)i));
}

/* Puts the mass `mass` of P, whose losses lie in [H k, H (k+1)] and to which the mass `other` of Q
 * belongs, on the ends and moves it up by `off`. slack: what the upper end may get more. */
DPPAIR_API void dppair_atoms_put_(dppair_atoms_ *pair, int64_t k, double mass, double other,
                                  double off, double slack) {
  double *const at = pair->mass + (k - pair->first), whole = -dppair_expm1_(-pair->h);
  const double rise = off < pair->h ? -dppair_expm1_(-off) / whole : 1.0;
  double upper = (mass - other * dppair_exp_(pair->h * (double)k - off) + slack) / whole, lower;
  /* rounding: of the exponent, and of the difference */
  upper += 32.0 * DPPAIR_UNIT_ * (2.0 + pair->h * dppair_fabs_((double)k)) * mass / whole;
  mass += slack;
  if (!(upper > 0.0)) upper = 0.0;
  if (upper > mass) upper = mass;
  lower = mass - upper;
  at[0] += 1.0000000000001 * lower * (1.0 - rise);
  at[1] += 1.0000000000001 * (lower * rise + upper * (1.0 - rise));
  at[2] += 1.0000000000001 * upper * rise;
}

/*
 * The atoms of one epoch, as many as `limit` on each side of 0, from its density d. mass has room
 * for 2 limit + 3. Errors: WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_API dppair_status dppair_atoms_make_(dppair_atoms_ *pair, const dppair_density_ *d,
                                            size_t limit, dppair_pool_ pool) {
  const double steps = pair->h / d->h;
  dppair_tails_ t;
  dppair_couple_ here, next;
  double rounding;
  int64_t k;
  size_t i;
  dppair_status status = dppair_tails_open_(&t, d, &pool);
  if (status != DPPAIR_OK) return status;
  rounding = DPPAIR_UNIT_ * (64.0 + (double)d->size);
  pair->first = -(int64_t)limit - 1;
  pair->size = 2 * limit + 3;
  for (i = 0; i < pair->size; i++) pair->mass[i] = 0.0;
  if (!dppair_couple_first_(&here, &t)) return DPPAIR_ERR_NO_CONVERGENCE;
  /* what lies between both halves, at a loss below h */
  pair->mass[limit + 2] +=
      2.0 * here.off * dppair_larger_(here.f, here.f_other) * dppair_exp_(d->h * (here.r + 1.0));
  for (k = 0; k < (int64_t)limit; k++) {
    double p, q, off, slack;
    const double guess = here.r + steps * here.f_other / (here.f + here.f_other);
    if (!dppair_couple_find_(&next, &t, steps * (double)(k + 1), guess)) break;
    if (!(next.r > here.r) || !(next.other < here.other)) break;
    off = dppair_larger_(here.off, next.off);
    p = here.high[1] - next.high[1];
    q = here.low[1] - next.low[1];
    if (!(p > 0.0 && q > 0.0)) break;
    /* each mass errs by its own region's part, by the rounding of the sums, and q by its ends */
    slack = p * dppair_exp_(pair->h) * 1.01 *
                dppair_larger_((here.high[2] - next.high[2]) / (here.high[0] - next.high[0]),
                               (here.low[2] - next.low[2]) / (here.low[0] - next.low[0])) +
            rounding * here.high[1];
    {
      const double edge =
          1.3 * off * (here.f_other + next.f_other) * dppair_exp_(d->h * here.other);
      const double scale = p / q, lost = slack / scale + rounding * here.low[1] + edge;
      dppair_atoms_put_(pair, k, p, q, off * d->h, slack + lost * dppair_exp_(pair->h * (double)k));
      dppair_atoms_put_(pair, -k - 1, q, p, off * d->h,
                        lost + slack * dppair_exp_(-pair->h * (double)(k + 1)));
    }
    here = next;
    if (here.high[1] < 1e-24) {
      k++;
      break;
    }
  }
  if (k < 16) return DPPAIR_ERR_NO_CONVERGENCE;
  pair->infinity = 1.01 * (here.high[1] + t.outside);
  pair->mass[-k - pair->first] += 1.01 * (here.low[1] + t.outside);
  return pair->infinity < 0.001 ? DPPAIR_OK : DPPAIR_ERR_NO_CONVERGENCE;
}
