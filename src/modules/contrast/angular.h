/* ------------------------------------------------------------------------------------------------
 * Angular losses: an anchor and its positive act together
 *
 * For an instance of a row-wise loss; it relies on state.h. The rows' places hold c_i = z_i + z_p,
 * which are compared with the others, or with the same set again. The logit of the positive, and
 * what the gradient of c_i means for z_i and z_p, are here: O(n k), in the order of the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What multiplies <z_i, z_p>. */
DPPAIR_API double DPPAIR_NAME_contrast_along_(const DPPAIR_NAME_contrast_ *t) {
  const double slope = dppair_tan_(t->how->angle);
  return 2.0 * (1.0 + slope * slope) / t->how->temperature;
}

/* Replaces z_i by c_i, and writes the logits of positives. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_join_(const DPPAIR_NAME_contrast_ *t) {
  const double along = DPPAIR_NAME_contrast_along_(t);
  for (size_t i = 0; i < t->from; i++) {
    const size_t place = DPPAIR_NAME_contrast_positive_(t, i);
    DPPAIR_REAL *z = t->z + i * t->k;
    double dot = 0.0;
    t->lone[i] = t->mix[i] = 0;
    if (place == SIZE_MAX) continue;
    for (size_t f = 0; f < t->k; f++) {
      dot += (double)z[f] * (double)t->z[place * t->k + f];
      z[f] += t->z[place * t->k + f];
    }
    dot *= along;
    t->lone[i] =
        dppair_fabs_(dot) <= (double)DPT_MAX ? (DPPAIR_REAL)dot : 0; /* else OVERFLOW comes */
    t->own[i] = (double)t->lone[i];
  }
}

/* Adds to the results of z_i and z_p those of c_i and of the logit of the positive. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_contrast_split_(const DPPAIR_NAME_contrast_ *t,
                                                     const DPPAIR_NAME_contrast_query_ *q) {
  const double along = DPPAIR_NAME_contrast_along_(t);
  for (size_t i = 0; i < t->first; i++) {
    const size_t place = DPPAIR_NAME_contrast_positive_(t, i);
    const double own = along * (double)t->mix[i];
    const DPPAIR_REAL *dc = t->dc + i * t->k, *positive;
    DPPAIR_REAL *z = t->left, *dz = q->dz + i * t->k, *other;
    if (!(t->positives[i] > 0.0)) continue;
    positive = t->z + place * t->k;
    other = t->dz_others + (place - t->from) * t->k;
    DPPAIR_NAME_scaled_row_(z, 1, q->rows->x + i * q->rows->ld, t->k,
                            q->rows->factor ? q->rows->factor[i] : 1.0);
    for (size_t f = 0; f < t->k; f++) {
      dz[f] = (DPPAIR_REAL)((double)dz[f] + ((double)dc[f] + own * (double)positive[f]));
      other[f] = (DPPAIR_REAL)((double)other[f] + ((double)dc[f] + own * (double)z[f]));
    }
  }
}

DPPAIR_FP_END_
