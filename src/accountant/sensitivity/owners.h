/* ------------------------------------------------------------------------------------------------
 * Sensitivities of items with several owners
 *
 * Items are pairs, triples or groups of a public list. The relation is REPLACE_PERSON or
 * ZERO_PERSON. Conventions are those of sensitivity.h.
 * ---------------------------------------------------------------------------------------------- */

/* How the list of items came about. */
typedef enum dppair_owner_list {
  DPPAIR_LIST_PUBLIC = 1, /* items, owners and weights are public, or fixed before the data */
  DPPAIR_LIST_PRIVATE = 2,
  DPPAIR_LIST_GREEDY = 3 /* items were let in while their owners had room */
} dppair_owner_list;

/*
 * Items (pairs, triples, groups) with several owners each: the sum over items e of w_e times a
 * vector of norm <= clip, where no user's items have weights of more than `load` together
 * (dppair_owner_load): clip load when a user is zeroed, his items contributing 0; 2 clip load
 * when his data are replaced.
 * The list must be public. NO_PROOF for the others: a user with d partners, each of whom shares
 * one more item with an outsider, has load 1, but without him the weights of those d items rise
 * from 1/2 to 1; and where items are let in one by one, one of them that is gone makes room for
 * another, and so on along a path that may run through all of them.
 * Items of the list drawn independently with a public rate, each weight 1, are charged as Poisson
 * pairs of n = 1 + the largest number of items of one user, clip over the noise of the sum.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sensitivity_owners(double *sensitivity,
                                                                     double clip, double load,
                                                                     dppair_owner_list list,
                                                                     dppair_adjacency adjacency) {
  dppair_status status = dppair_sensitivity_args_(sensitivity, 2, clip, load, 0.0);
  if (status == DPPAIR_OK) status = dppair_adjacency_of_(adjacency, DPPAIR_OF_USERS_);
  if (status != DPPAIR_OK) return status;
  if (list != DPPAIR_LIST_PUBLIC) return DPPAIR_ERR_NO_PROOF;
  return dppair_sensitivity_store_(
      sensitivity,
      clip * load * (dppair_adjacency_move_(adjacency) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0));
}

/* x + y >= 0, exact where it can be, else rounded up. */
DPPAIR_API double dppair_plus_up_(double x, double y) {
  const double sum = x + y, part = sum - x;
  return (x - (sum - part)) + (y - part) > 0.0 ? dppair_up_(sum) : sum;
}

/* *most = the largest load; sum: of each user, 0 before. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_owner_sums_(double *most, double *sum,
                                                              size_t users, const size_t *owner,
                                                              const size_t *first,
                                                              const double *weight, size_t items) {
  size_t e, i;
  if (first[0] != 0) return DPPAIR_ERR_SIZE;
  for (e = 0; e < items; e++) {
    const double w = weight == NULL ? 1.0 : weight[e];
    if (!dppair_isfinite_f64(w)) return DPPAIR_ERR_NOT_FINITE;
    if (w < 0.0) return DPPAIR_ERR_DOMAIN;
    if (first[e + 1] < first[e]) return DPPAIR_ERR_SIZE;
    for (i = first[e]; i < first[e + 1]; i++) {
      if (owner[i] >= users) return DPPAIR_ERR_SIZE;
      sum[owner[i]] = dppair_plus_up_(sum[owner[i]], w);
      if (sum[owner[i]] > *most) *most = sum[owner[i]];
    }
  }
  return dppair_isfinite_f64(*most) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/*
 * *load = the largest sum of weight[e] (NULL: 1 each) over the items of one of `users` users,
 * rounded up. The owners of item e are owner[first[e]] to owner[first[e + 1] - 1], below `users`;
 * first has items + 1 places and begins with 0. sum: room for `users` doubles, which hold the
 * loads of all afterwards, 0 after an error. Errors: NULL; ENVIRONMENT; NOT_FINITE, DOMAIN: a
 * weight; SIZE: an owner, or places out of order; OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_owner_load(double *load, double *sum,
                                                             size_t users, const size_t *owner,
                                                             const size_t *first,
                                                             const double *weight, size_t items) {
  double most = 0.0;
  size_t i;
  dppair_status status;
  if (load == NULL) return DPPAIR_ERR_NULL;
  *load = 0.0;
  status = dppair_array_(sum, users);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < users; i++) sum[i] = 0.0;
  if (sum == NULL || owner == NULL || first == NULL) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  status = dppair_owner_sums_(&most, sum, users, owner, first, weight, items);
  if (status == DPPAIR_OK)
    *load = most;
  else
    for (i = 0; i < users; i++) sum[i] = 0.0;
  return status;
}
