/* ------------------------------------------------------------------------------------------------
 * The fit: all is charged, then records are read
 *
 * Privacy, charge by charge (n is public, one record is replaced):
 *
 *   histograms   dppair_release_marginals computes its sensitivity in integers: in a numeric column
 *                a record moves A c by A (e_s - e_t), of squared norm 2 - 2 K_st <= 2, because
 *                A^2 = K has a unit diagonal and no negative entry. mu_1-GDP; delta = 0: plain
 *                counts, Laplace, epsilon_1.
 *   what         denoising, its prior over templates, maps, blend, polynomials, radius, rate: of
 *   follows      the release and public numbers alone.
 *   one vector   each row is a function of its record and of release 1, clipped to the radius R:
 *                2 R/n. mu_2-GDP for every outcome of release 1; mu_1^2 + mu_2^2 is what the budget
 *                leaves. delta = 0: the l2 mechanism, epsilon_1 + epsilon_2.
 *   perturbed    the same rows with a constant column, of norm 1: DPPAIR_OBJECTIVE, whose theorem
 *   fit          (accountant/mechanisms/objective.h) holds beside any mu_1-GDP release that the
 *                rows depend on, and its trace. The solver reaches its tolerance whatever the
 *                records are.
 *   shrinkage    of the weights, their public noise and release 1's moments.
 *
 * Which of it happens is decided by n, the columns, the plan and the account (dppair_auto_choose_),
 * the number of polynomials also by the released rate (dppair_auto_columns_).
 *
 * Both plans are opened before a record is read. The workspace keeps no row and no number before
 * its noise.
 *
 * Relies on weights.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Opens both plans, so that all is paid, and asks what the closed forms then answer. */
DPPAIR_API dppair_status dppair_auto_open_(dppair_release release[2], dppair_accountant *account,
                                           const dppair_plan plans[2], const dppair_plan *plan,
                                           const dppair_release_keys *keys) {
  dppair_interval epsilon;
  dppair_status status = dppair_release_open(&release[0], account, &plans[0], keys);
  if (status == DPPAIR_OK) status = dppair_release_open(&release[1], account, &plans[1], keys);
  if (status == DPPAIR_OK) status = dppair_accountant_answer_(&epsilon, account, 0, plan->delta);
  if (status != DPPAIR_OK) return status;
  return epsilon.upper <= plan->epsilon ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* Budget, route and plans from public numbers alone. */
DPPAIR_API dppair_status dppair_auto_decide_(dppair_auto_room_ *r, dppair_plan plans[2],
                                             const dppair_plan *plan,
                                             const dppair_accountant *account) {
  const dppair_marginals query = {r->columns, r->d, DPPAIR_CELLS_SIDE, 0, 0, 0};
  double left = 0, held = 0, l1 = 0, l2;
  size_t j, numeric = 0;
  dppair_status status =
      dppair_accountant_left(&left, &held, account, plan->epsilon, plan->delta, plan->sampling);
  for (j = 0; j < r->d; j++) numeric += r->columns[j].kind == DPPAIR_COLUMN_NUMERIC ? 1 : 0;
  if (status == DPPAIR_OK)
    status = dppair_marginals_sensitivity(&l2, &l1, &query, DPPAIR_REPLACE_ONE, r->work, r->bytes);
  if (status != DPPAIR_OK) return status;
  dppair_auto_choose_(&r->c, left, !(plan->delta > 0), r->n, r->d, numeric, l1);
  if (dppair_label_weight(r->c.label) * (double)r->n > 8589934592.0) /* 2^33: no exact sum */
    return DPPAIR_ERR_OVERFLOW;
  return dppair_auto_plans_(plans, &r->c, plan, held);
}

/* The algorithm, for arguments that were checked. */
DPPAIR_API dppair_status dppair_auto_fit_(dppair_auto_model *fitted, dppair_auto_room_ *r,
                                          dppair_accountant *account, const dppair_plan *plan,
                                          const dppair_release_keys *keys) {
  dppair_release release[2];
  dppair_plan plans[2];
  dppair_status status = dppair_auto_decide_(r, plans, plan, account);
  memset(release, 0, sizeof release);
  if (status == DPPAIR_OK) status = dppair_auto_open_(release, account, plans, plan, keys);
  if (status == DPPAIR_OK) status = dppair_auto_marginals_(r, &release[0]);
  if (status == DPPAIR_OK) status = dppair_auto_columns_(r, &fitted->rate);
  if (status == DPPAIR_OK) {
    const double radius = dppair_auto_radius_(r);
    status = r->c.route == DPPAIR_AUTO_FIT
                 ? dppair_auto_perturbed_(r, &release[1], radius, fitted->rate)
                 : dppair_auto_vector_(r, &release[1], radius, fitted->rate);
  }
  if (status == DPPAIR_OK) status = dppair_auto_shrink_(r);
  if (status == DPPAIR_OK) dppair_auto_maps_(fitted->map, r);
  dppair_release_close(&release[0]);
  dppair_release_close(&release[1]);
  return status;
}

/* *bytes = the workspace of dppair_auto_fit for n records of d columns: 8 for each feature of each
 * record (a numeric column has up to three features), and what does not grow with n. Errors zero
 * it: NULL, SIZE (n is not 4 to 10^9, d not 1 to 10^5), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_workspace(size_t *bytes, size_t n, size_t d,
                                                                 const dppair_column *columns) {
  dppair_auto_room_ room;
  if (bytes == NULL) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (columns == NULL) return DPPAIR_ERR_NULL;
  if (n < 4 || (double)n > 1e9 || d < 1 || d > 100000) return DPPAIR_ERR_SIZE;
  *bytes = dppair_auto_take_(&room, NULL, n, d, columns);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* OVERLAP where the model shares memory with the first `need` bytes of the workspace or with what
 * is read. */
DPPAIR_API dppair_status dppair_auto_apart_(const dppair_auto_model *fitted, const double *x,
                                            const double *y, size_t n, size_t d, const void *work,
                                            size_t need) {
  const void *const out[2] = {fitted, fitted->map};
  const size_t size[2] = {sizeof *fitted, d * sizeof *fitted->map};
  dppair_status status = DPPAIR_OK;
  int k;
  for (k = 0; k < 2 && status == DPPAIR_OK; k++) {
    status = dppair_apart_(work, need / 8, out[k], size[k]);
    if (status == DPPAIR_OK) status = dppair_apart_(x, dppair_area_(n, d), out[k], size[k]);
    if (status == DPPAIR_OK) status = dppair_apart_(y, n, out[k], size[k]);
  }
  return status;
}

/* Of a fit that has come to its end: what is public about it. */
DPPAIR_API void dppair_auto_tell_(dppair_auto_model *fitted, const dppair_auto_room_ *r,
                                  const dppair_plan *plan) {
  size_t j;
  fitted->d = r->d;
  fitted->n = r->n;
  fitted->epsilon = plan->epsilon;
  fitted->delta = plan->delta;
  fitted->rho = r->c.rho;
  fitted->marginals = r->c.before;
  fitted->weights = r->c.mine;
  fitted->route = r->c.route;
  if (!(fitted->rho >= 10.0)) fitted->warnings |= DPPAIR_AUTO_LOW;
  if (fitted->delta * (double)r->n >= 1.0) fitted->warnings |= DPPAIR_AUTO_DELTA;
  for (j = 0; j < r->d; j++) fitted->warnings |= fitted->map[j].warnings;
}

/*
 * Fits the score to n records x, n rows of d numbers, with n labels y (> 0: positive). It charges
 * the account before it reads a record, and the account ends within (plan->epsilon, plan->delta).
 * What the account holds is part of that: plain Gaussian steps, for delta = 0 steps with pure
 * epsilons.
 *
 *   fitted   fitted->map is the caller's array of d maps, whatever it holds
 *   plan     epsilon from 1e-9 to 1000; delta, 0 for pure privacy or from 1e-250 on; sampling =
 *            dppair_sampling_all(n, DPPAIR_REPLACE_ONE); ledger; all else 0
 *   keys     NULL for keys of the system
 *   x        any values: what lies outside of a range counts as its nearer end, NaN as the low one
 *   columns  d columns as they are declared, never read from the data. A numeric column has a range
 *            of ends that are 0 or of 1e-250 to 1e250; a flag or a column of a group has none
 *   work     `bytes` bytes, as dppair_auto_workspace says
 *
 * Errors leave the model and its maps zero (maps untouched: NULL, OVERFLOW, SIZE of n or d). They
 * cost nothing: NULL; SIZE (n is not that of the plan, or as dppair_auto_workspace says; a group
 * above d); OVERFLOW; UNREAD (also of a column); ADJACENCY; EPSILON; DELTA; DOMAIN and NOT_FINITE
 * (a range or a kind); WORKSPACE; OVERLAP (the model, and work or what is read); EXHAUSTED;
 * NO_PROOF (an account with other steps); ENVIRONMENT; SELF_TEST. They may cost: ENTROPY; the
 * ledger's; NO_PROOF for n epsilon > 8e11 with delta = 0. None depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_auto_fit(dppair_auto_model *fitted, dppair_accountant *account, const dppair_plan *plan,
                const dppair_release_keys *keys, const double *x, const double *y, size_t n,
                size_t d, const dppair_column *columns, void *work, size_t bytes) {
  dppair_auto_room_ r;
  dppair_status status;
  size_t need;
  if (fitted == NULL) return DPPAIR_ERR_NULL;
  dppair_auto_model_clear_(fitted);
  if (fitted->map == NULL || account == NULL || plan == NULL || x == NULL || y == NULL ||
      columns == NULL || work == NULL)
    return DPPAIR_ERR_NULL;
  status = dppair_auto_workspace(&need, n, d, columns);
  if (status != DPPAIR_OK) return status;
  memset(fitted->map, 0, d * sizeof *fitted->map); /* whatever the caller left there */
  status = dppair_auto_check_(plan, n, d, columns);
  if (status == DPPAIR_OK && bytes < need) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_auto_apart_(fitted, x, y, n, d, work, need);
  if (status != DPPAIR_OK) return status;
  (void)dppair_auto_take_(&r, dppair_align_(work), n, d, columns);
  r.x = x, r.y = y, r.n = n, r.d = d, r.columns = columns, r.map = fitted->map;
  status = dppair_auto_fit_(fitted, &r, account, plan, keys);
  if (status == DPPAIR_OK) {
    dppair_auto_tell_(fitted, &r, plan);
  } else {
    dppair_auto_model_clear_(fitted);
    memset(fitted->map, 0, d * sizeof *fitted->map);
  }
  return status;
}

DPPAIR_FP_END_
