/* ------------------------------------------------------------------------------------------------
 * Models: the maps of a score, how it was found, and what it warns of
 *
 * Relies on modules/tables/.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

enum { DPPAIR_AUTO_KNOTS = 52 };

/* Bits of `warnings`; the first three are about a column. */
enum {
  DPPAIR_AUTO_BELOW = 1, /* its first cell holds more records than noise explains: so may the
                            range exclude some. Not where it begins at 0                      */
  DPPAIR_AUTO_ABOVE = 2, /* its last cell does. Not where it ends at 0                        */
  DPPAIR_AUTO_FLAT = 4,  /* it has no spread                                                  */
  DPPAIR_AUTO_LOW = 8,   /* rho is below 10: the budget is too small to learn much            */
  DPPAIR_AUTO_DELTA = 16 /* delta >= 1/n: a record may be published with that probability     */
};

/* One column's share of the score: linear between the knots, constant outside. */
typedef struct dppair_auto_map {
  size_t knots;      /* 0: the column adds nothing                */
  unsigned warnings; /* a sum of DPPAIR_AUTO_BELOW, _ABOVE, _FLAT */
  double at[DPPAIR_AUTO_KNOTS], value[DPPAIR_AUTO_KNOTS]; /* at increases */
} dppair_auto_map;

/* How the weights were found: a public rule of n, the columns and the budget decides. */
typedef enum dppair_auto_route {
  DPPAIR_AUTO_VECTOR = 2, /* the histograms, then one noisy vector   */
  DPPAIR_AUTO_FIT = 3     /* the histograms, then a perturbed fit    */
} dppair_auto_route;

/* A model. All of it is released or public, and may be published. */
typedef struct dppair_auto_model {
  dppair_auto_map *map;  /* the caller's array of d                                         */
  size_t d, n;           /* n: of the records it was fitted to                              */
  double epsilon, delta; /* of the plan                                                     */
  double rho;  /* how far the signal can stand out: n mu_2/sqrt(d), for delta = 0 n epsilon_2/d */
  double rate; /* an estimate of the share of positives; 0.5 where there is none            */
  double marginals, weights; /* what the two releases cost: mu, for delta = 0 epsilon       */
  dppair_auto_route route;
  unsigned warnings; /* of all columns and of the plan */
} dppair_auto_model;

/* The sentence of one bit of `warnings`, a constant string; NULL for any other number. */
DPPAIR_API const char *dppair_auto_warning_string(unsigned bit) {
  static const char *const words[] = {
      "many records lie in the first cell of the declared range, which may begin too high",
      "many records lie in the last cell of the declared range, which may end too low",
      "nearly all records have one value, from which little can be learned",
      "rho is below 10: too small a budget for so few records or so many columns to learn much",
      "delta is not below 1/n: a delta of 1/n would allow to publish one record as it is"};
  size_t k;
  for (k = 0; k < sizeof words / sizeof *words; k++)
    if (bit == 1u << k) return words[k];
  return NULL;
}

/* May the model be scored and written? */
DPPAIR_API dppair_status dppair_auto_model_check_(const dppair_auto_model *fitted) {
  size_t j, k;
  if (fitted == NULL || fitted->map == NULL) return DPPAIR_ERR_NULL;
  if (fitted->d == 0) return DPPAIR_ERR_SIZE;
  if (fitted->route < DPPAIR_AUTO_VECTOR || fitted->route > DPPAIR_AUTO_FIT ||
      !(fitted->epsilon > 0.0) || !(fitted->delta >= 0.0 && fitted->delta < 1.0))
    return DPPAIR_ERR_DOMAIN;
  for (j = 0; j < fitted->d; j++) {
    const dppair_auto_map *m = &fitted->map[j];
    if (m->knots > DPPAIR_AUTO_KNOTS) return DPPAIR_ERR_SIZE;
    for (k = 0; k < m->knots; k++)
      if (!dppair_json_holds_(m->at[k]) || !dppair_json_holds_(m->value[k]) ||
          (k > 0 && !(m->at[k - 1] < m->at[k])))
        return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* Zero, but for the address of its maps, which stay as they are. */
DPPAIR_API void dppair_auto_model_clear_(dppair_auto_model *fitted) {
  dppair_auto_map *const map = fitted->map;
  memset(fitted, 0, sizeof *fitted);
  fitted->map = map;
}

DPPAIR_FP_END_
