/* ------------------------------------------------------------------------------------------------
 * A row loss inside groups: the gradient in the embeddings of each group's own records
 *
 * For a network that makes the embeddings z, in a step of a plan of dppair_sampling_groups: dL/dz
 * of a whole batch of groups at once, to be propagated back group by group. The gradient of each
 * group in the network's parameters is what dppair_group_add_f64 shortens (dppair_groups.h).
 * Public function, written NAME_x in comments and DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Rows from .. from + n - 1 of a block. */
DPPAIR_API DPPAIR_ROWS_ DPPAIR_NAME_some_rows_(const DPPAIR_ROWS_ *rows, size_t from, size_t n) {
  DPPAIR_ROWS_ some = *rows;
  some.n = n;
  some.nulls = 0;
  if (some.x) some.x += from * some.ld;
  if (some.y) some.y += from;
  if (some.factor) some.factor += from;
  return some;
}

/* The `others` to ask for in the workspace of one group. */
DPPAIR_API size_t DPPAIR_NAME_contrast_room_(size_t group, int others, const dppair_contrast *how) {
  const size_t count = others ? group : 0;
  return how->angle > 0.0 ? dppair_contrast_angular(group, count) : count;
}

/* Checks that rows can be addressed, partners and offsets, those of a group's places, and labels.
 * The rest of what is public is checked by the loss of a group without records. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_contrast_places_(const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, size_t group,
                             const dppair_contrast *how) {
  const int listed = how->positives == DPPAIR_POSITIVE_PARTNER;
  size_t i, wrong = 0;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), 8) == SIZE_MAX ||
      (others && dppair_area_(dppair_area_(others->n, others->ld), 8) == SIZE_MAX))
    return DPPAIR_ERR_OVERFLOW;
  if (how->positives == DPPAIR_POSITIVE_LABEL && rows->n && (!rows->y || (others && !others->y)))
    return DPPAIR_ERR_NULL;
  if (listed && !how->partner) return DPPAIR_ERR_NULL;
  for (i = 0; listed && i < group; i++) wrong |= (size_t)(how->partner[i] >= group);
  if (wrong) return DPPAIR_ERR_SIZE;
  return how->offset && !dppair_all_finite_f64(how->offset, group) ? DPPAIR_ERR_NOT_FINITE
                                                                   : DPPAIR_OK;
}

/*
 * dz[n][d] = NAME_contrast_gradient of each group of `group` rows by itself: rows 0 .. group - 1,
 * group .. 2 group - 1, and so on; dz_others likewise, or NULL where others is. Partners and
 * offsets are those of the places in a group, the same for all. NOT PRIVATE.
 *
 *   options params; work: NAME_contrast_workspace of one group. Its parts are not read: threads
 *          each take some groups of the batch
 *
 * A group in which something is not finite, or overflows, has the gradient 0 and no status: a
 * status would tell about it. Errors zero both: NULL, SIZE (group 0, n no multiple of it, blocks
 * that differ), NO_PROOF (weights, null records, groups, a clip), DOMAIN (dppair_contrast),
 * WORKSPACE, OVERFLOW, ENVIRONMENT, those of NAME_contrast_workspace.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_contrast_groups(
    DPPAIR_REAL *dz, DPPAIR_REAL *dz_others, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    size_t group, const dppair_contrast *how, const dppair_options *options) {
  DPPAIR_ROWS_ none, none_either;
  dppair_options one;
  size_t needed, from, size, beside;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->n, rows->d);
  beside = others ? dppair_area_(others->n, others->d) : 0;
  status = dppair_array_(dz, size);
  if (status == DPPAIR_OK && size) memset(dz, 0, size * sizeof *dz);
  if (status == DPPAIR_OK) status = dppair_array_(dz_others, beside);
  if (status != DPPAIR_OK) return status;
  if (beside) memset(dz_others, 0, beside * sizeof *dz_others);
  if (!how || !options || (rows->n && (!rows->x || (others && !others->x)))) return DPPAIR_ERR_NULL;
  if (group == 0 || rows->n % group || rows->ld < rows->d) return DPPAIR_ERR_SIZE;
  if (others && (others->n != rows->n || others->d != rows->d || others->ld < others->d))
    return DPPAIR_ERR_SIZE;
  if (rows->weight || (others && others->weight) || options->groups || options->clip ||
      rows->nulls || (others && others->nulls))
    return DPPAIR_ERR_NO_PROOF;
  one = *options;
  one.tasks = NULL;
  status = DPPAIR_NAME_contrast_places_(rows, others, group, how);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_contrast_workspace(
        &needed, group, DPPAIR_NAME_contrast_room_(group, others != NULL, how), rows->d, &one);
  if (status == DPPAIR_OK && options->bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !options->work) status = DPPAIR_ERR_NULL;
  none = DPPAIR_NAME_some_rows_(rows, 0, 0);
  none_either = DPPAIR_NAME_some_rows_(others ? others : rows, 0, 0);
  if (status == DPPAIR_OK)
    status = DPPAIR_NAME_contrast_gradient(dz, dz_others, &none, others ? &none_either : NULL, how,
                                           &one);
  if (status != DPPAIR_OK) return status;
  for (from = 0; from < rows->n; from += group) {
    const DPPAIR_ROWS_ a = DPPAIR_NAME_some_rows_(rows, from, group);
    const DPPAIR_ROWS_ b = DPPAIR_NAME_some_rows_(others ? others : rows, from, group);
    DPPAIR_REAL *to = dz + from * rows->d, *either = others ? dz_others + from * rows->d : NULL;
    /* on an error both are 0 */
    (void)!DPPAIR_NAME_contrast_gradient(to, either, &a, others ? &b : NULL, how, &one);
  }
  return DPPAIR_OK;
}

DPPAIR_FP_END_
