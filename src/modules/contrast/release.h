/* ------------------------------------------------------------------------------------------------
 * The release of a row loss in groups
 *
 * As NAME_release (release/template.h), for linear embeddings z = W^T x and any row loss: the
 * gradient of each group's own loss in W is shortened, as in dppair_groups.h, which has the proof.
 * Public functions, written NAME_x in comments and DPPAIR_NAME_x in the code.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A batch in groups. What stands before `sums` is given. */
typedef struct DPPAIR_NAME_cohort_ {
  const DPPAIR_ROWS_ *rows, *others; /* others: NULL where there is one set */
  const dppair_contrast *contrast;
  const double *w;
  const dppair_groups *groups; /* NULL: of `group` records each */
  size_t group, count;         /* records of a group, at most; groups */
  size_t k, parts, bytes;      /* bytes: of the workspace of one group's gradient */
  dppair_options one;          /* of such a gradient: without parts and clip */
  double clip;
  double *sums, *each; /* of each part: the sum of its groups, and one group's: d k numbers */
  char *work;
} DPPAIR_NAME_cohort_;

/* Sets the arrays to their places in the workspace at base (NULL: to NULL). Returns the bytes used,
 * SIZE_MAX on overflow. */
DPPAIR_API size_t DPPAIR_NAME_cohort_layout_(DPPAIR_NAME_cohort_ *q, size_t d, char *base) {
  const size_t all = dppair_area_(q->parts, dppair_area_(d, q->k));
  size_t used = 0;
  q->sums = (double *)dppair_take_(base, &used, all, sizeof *q->sums);
  q->each = (double *)dppair_take_(base, &used, all, sizeof *q->each);
  q->work = (char *)dppair_take_(base, &used, dppair_area_(q->parts, q->bytes), 1);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The public sizes of *q, and the bytes of workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_cohort_sizes_(
    DPPAIR_NAME_cohort_ *q, size_t *bytes, size_t group, int others, size_t d, size_t k,
    const dppair_contrast *contrast, const dppair_options *options) {
  dppair_status status;
  memset(q, 0, sizeof *q);
  *bytes = 0;
  if (!contrast || !options) return DPPAIR_ERR_NULL;
  if (options->tasks && options->tasks->count == 0) return DPPAIR_ERR_SIZE;
  q->contrast = contrast;
  q->group = group;
  q->k = k;
  q->parts = options->tasks ? options->tasks->count : 1;
  q->one.params = options->params;
  status = DPPAIR_NAME_contrast_map_workspace(
      &q->bytes, group, DPPAIR_NAME_contrast_room_(group, others, contrast), d, k, &q->one);
  if (status != DPPAIR_OK) return status;
  *bytes = DPPAIR_NAME_cohort_layout_(q, d, NULL);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * *bytes = the workspace of NAME_release_contrast for groups of at most `group` records of d
 * numbers and a map to k; others: whether there are two blocks. Of options, params and parts are
 * read. Errors zero it: NULL, SIZE (parts, d or k is 0), OVERFLOW, those of
 * NAME_contrast_map_workspace.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast_workspace(
    size_t *bytes, size_t group, int others, size_t d, size_t k, const dppair_contrast *contrast,
    const dppair_options *options) {
  DPPAIR_NAME_cohort_ q;
  if (!bytes) return DPPAIR_ERR_NULL;
  return DPPAIR_NAME_cohort_sizes_(&q, bytes, group, others, d, k, contrast, options);
}

/* The gradient of one group's loss, or 0 where it has none: rows or results that are not finite, a
 * partner that a small group does not have. Whatever goes wrong in a group is a function of it. */
DPPAIR_API void DPPAIR_NAME_cohort_one_(double *g, const DPPAIR_NAME_cohort_ *q, size_t j,
                                        const dppair_options *options) {
  const size_t from = q->groups ? q->groups->positive[j] : j * q->group;
  const size_t n = q->groups ? dppair_group_size_(q->groups->positive, j) : q->group;
  const DPPAIR_ROWS_ rows = DPPAIR_NAME_some_rows_(q->rows, from, n);
  const DPPAIR_ROWS_ others = DPPAIR_NAME_some_rows_(q->others ? q->others : q->rows, from, n);
  const size_t size = rows.d * q->k;
  dppair_status status = DPPAIR_ERR_SIZE;
  if (n > 0)
    status = DPPAIR_NAME_contrast_map_gradient(g, &rows, q->others ? &others : NULL, q->w, q->k,
                                               q->contrast, options);
  if (status != DPPAIR_OK) memset(g, 0, size * sizeof *g);
}

/* The status of a group without records: whatever of the contrast is public and wrong. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_cohort_none_(const DPPAIR_NAME_cohort_ *q) {
  const DPPAIR_ROWS_ none = DPPAIR_NAME_some_rows_(q->rows, 0, 0);
  const DPPAIR_ROWS_ either = DPPAIR_NAME_some_rows_(q->others ? q->others : q->rows, 0, 0);
  dppair_options options = q->one;
  options.work = q->work;
  options.bytes = q->bytes;
  return DPPAIR_NAME_contrast_map_gradient(q->each, &none, q->others ? &either : NULL, q->w, q->k,
                                           q->contrast, &options);
}

/* The task: the sum of the clipped gradients of the groups of a part. */
DPPAIR_API void DPPAIR_NAME_cohort_part_(void *context, size_t part) {
  const DPPAIR_NAME_cohort_ *q = (const DPPAIR_NAME_cohort_ *)context;
  const size_t size = q->rows->d * q->k;
  const size_t end = dppair_part_begin_(q->count, part + 1, q->parts);
  double *each = q->each + part * size;
  dppair_options options = q->one;
  dppair_group_sum sum;
  size_t j;
  memset(&sum, 0, sizeof sum);
  sum.sum = q->sums + part * size;
  sum.size = size;
  sum.clip = q->clip;
  options.work = q->work + part * q->bytes;
  options.bytes = q->bytes;
  memset(sum.sum, 0, size * sizeof *sum.sum);
  for (j = dppair_part_begin_(q->count, part, q->parts); j < end; j++) {
    DPPAIR_NAME_cohort_one_(each, q, j, &options);
    (void)dppair_group_add_(&sum, each, 0);
  }
}

/* Are these the rows of the groups of this step, and which groups? Of plans without a matching the
 * number of rows is private, and groups->most is its public bound. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_cohort_units_(DPPAIR_NAME_cohort_ *q, const dppair_release *release,
                          const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  const dppair_groups *g = options->groups;
  q->count = dppair_groups_of_step_(release);
  q->groups = g;
  if (release->sampling.kind != DPPAIR_ALL && rows->serial != dppair_release_serial_(release))
    return DPPAIR_ERR_BATCH;
  if (release->sampling.kind == DPPAIR_MATCHING) {
    if (g) return DPPAIR_ERR_ADJACENCY;
    if (rows->nulls) return DPPAIR_ERR_NO_PROOF; /* gathered last, they part the groups */
    q->group = dppair_sampling_group_(&release->sampling);
    return rows->n == release->drawn ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  }
  if (!g || g->relation != DPPAIR_WITHIN) return DPPAIR_ERR_ADJACENCY;
  if (g->most == 0 || g->count != q->count) return DPPAIR_ERR_SIZE;
  q->group = g->most;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  return dppair_groups_check_(g, rows->n - rows->nulls, 0, 1);
}

/* The public checks of NAME_release_contrast, and its noise; lays out the workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast_open_(
    dppair_release_terms_ *terms, DPPAIR_NAME_cohort_ *q, const dppair_release *release,
    const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others, const double *w, size_t k,
    const dppair_contrast *contrast, const dppair_options *options) {
  DPPAIR_NAME_cohort_ units;
  size_t bytes;
  dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (!w || !contrast || !options) return DPPAIR_ERR_NULL;
  status = dppair_clip_check_(options);
  if (status == DPPAIR_OK)
    status =
        dppair_groups_terms_(terms, release, dppair_area_(rows->d, k), dppair_clip_bound_(options));
  if (status == DPPAIR_OK) status = DPPAIR_NAME_cohort_units_(&units, release, rows, options);
  if (status != DPPAIR_OK) return status;
  if (rows->n && (!rows->x || (others && !others->x))) return DPPAIR_ERR_NULL;
  if (rows->ld < rows->d || (others && (others->n != rows->n || others->d != rows->d ||
                                        others->ld < rows->d || others->nulls != rows->nulls)))
    return DPPAIR_ERR_SIZE;
  if (others && release->sampling.kind != DPPAIR_ALL && others->serial != rows->serial)
    return DPPAIR_ERR_BATCH;
  if (rows->weight || rows->positives || (others && (others->weight || others->positives)))
    return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_cohort_sizes_(q, &bytes, units.group, others != NULL, rows->d, k, contrast,
                                     options);
  if (status != DPPAIR_OK) return status;
  status = DPPAIR_NAME_contrast_places_(rows, others, units.group, contrast);
  if (status != DPPAIR_OK) return status;
  if (64.0 * ((double)rows->d * (double)k + 16.0) * DBL_EPSILON > 1.0) return DPPAIR_ERR_SIZE;
  if (options->bytes < bytes) return DPPAIR_ERR_WORKSPACE;
  terms->bytes = bytes;
  if (!options->work) return DPPAIR_ERR_NULL;
  (void)DPPAIR_NAME_cohort_layout_(q, rows->d, dppair_align_(options->work));
  q->rows = rows;
  q->others = others;
  q->w = w;
  q->groups = units.groups;
  q->count = units.count;
  q->clip = dppair_clip_bound_(options);
  return DPPAIR_NAME_cohort_none_(q);
}

/*
 * g[d][k] = the mean over the groups of this step of the gradient in w of each group's own loss
 * (NAME_contrast_map_gradient of its records alone), shortened to options->clip in Frobenius norm,
 * with the noise of this step. g may be published, and so may the next w.
 *
 *   plan      of dppair_sampling_groups: m/g groups of g records (m = n: of all records). Or one in
 *             which queries or users are protected, the records of each being a group: any plan
 *             of them; a fixed partition is dppair_sampling_all(groups, DPPAIR_REPLACE_QUERY). One
 *             that draws is calibrated before it is opened (dppair_groups.h)
 *   rows      of this step's draw in its order, a group after the other (dppair_gather of rows
 *             without positives: others come first, and the groups would follow the labels; and
 *             without null records, which come last: in a group of g the place of one holds a row
 *             of zeros, because S is that of any change of the group)
 *   others    the second views of the same records, or NULL
 *   w, k      the map, d x k, finite
 *   contrast  partner and offset are those of the places in a group, the same for all groups: g of
 *             them, or groups->most
 *   options   clip (dppair_clip_init); groups: of relation WITHIN, with one array of places and
 *             `most`, where queries or users are protected, else NULL; work:
 *             NAME_release_contrast_workspace of groups of g, or of groups->most; parts
 *
 * S is 2 clip/b for b groups, clip/b where a zeroed unit has no records left. A group without
 * records, and one in which a number is not finite or overflows, counts as 0: no status tells.
 *
 * Errors zero g, and use no paid release: those of dppair_group_sum_open and of
 * dppair_release_vector about the release; NULL; SIZE (records or groups that are not those of the
 * step, places, no groups->most, blocks that differ, d, k or parts 0, a partner that is no place of
 * a group); ADJACENCY (groups for a matching, or none for another plan); NO_RADIUS (no clip);
 * NO_PROOF (weights; rows with positives; null records in a matching); NOT_FINITE (w, offsets);
 * DOMAIN (dppair_contrast); WORKSPACE; OVERFLOW; OVERLAP (g, and the workspace, w or rows); those
 * of NAME_contrast_map_workspace. No error depends on a record, but for NO_PROOF in a matching: it
 * says that a null record was drawn.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_contrast(
    double *g, dppair_release *release, const DPPAIR_ROWS_ *rows, const DPPAIR_ROWS_ *others,
    const double *w, size_t k, const dppair_contrast *contrast, const dppair_options *options) {
  dppair_release_terms_ terms;
  DPPAIR_NAME_cohort_ q;
  dppair_executor *run;
  size_t size;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  size = dppair_area_(rows->d, k);
  status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (size) memset(g, 0, size * sizeof *g);
  status = DPPAIR_NAME_release_contrast_open_(&terms, &q, release, rows, others, w, k, contrast,
                                              options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, size, options->work, &terms, w, size * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, size, rows);
  if (status == DPPAIR_OK && others) status = dppair_rows_apart_ROW_(g, size, others);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  run = options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  run(DPPAIR_NAME_cohort_part_, &q, q.parts, options->tasks ? options->tasks->self : NULL);
  dppair_tasks_join(q.sums, size, q.parts);
  memcpy(g, q.sums, size * sizeof *g);
  status = dppair_release_sum_(g, size, release, DPPAIR_OK);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
