/* SPDX-License-Identifier: MIT */
/* Every function of the instance INSTANCE over rows of REAL with each word of its arguments out of
 * its domain: included by hostile.c for each instance. */
#define OF(name) DPPAIR_CAT(INSTANCE, name)
#define ITS DPPAIR_CAT(INSTANCE, _all)

static struct OF(_everything) {
  DPPAIR_CAT(dppair_rows_, TYPE) rows;
  const REAL *w, *sp, *sn, *s, *t, *tn, *labels;
  const double *weight, *params, *form_w, *node, *count;
  const size_t *i, *j;
  size_t n, d, k, np, nn, m, nodes, part, parts_of, size, room;
  int order;
  double cap, radius, slope, scale, offset, kernel_radius;
  dppair_accuracy accuracy;
  dppair_form form;
  dppair_options options, fast_pass, sums_pass, clipped, persons_pass;
  dppair_clip clip;
  dppair_tasks parts;
  dppair_groups users, queries;
  dppair_fast fast, sums, made;
  dppair_curvature curve, made_curve;
  dppair_sketch moments, own_moments, made_moments;
  dppair_sum sum, own_sum, made_sum, form_sum;
  dppair_top top, ranks;
  dppair_bounds bounds;
  dppair_sampling sampling;
  dppair_ring ring;
  void *work;
  size_t bytes, count_of, kernels;
  double *a, *b;
  double out[64], cells[4][2];
  size_t *bytes_at, *kernels_at;
} ITS, OF(_kept)[2];

static REAL OF(_x)[24], OF(_s)[24], OF(_w)[4], OF(_y)[24];
static double OF(_room)[9][60000];
static double OF(_sum_room)[64];
static uint16_t OF(_cache)[4096];
#define A ITS
#define CALL(name) static dppair_status OF(name)(void)

CALL(_coeffs_1) { return OF(_coeffs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.params); }
CALL(_part_1) {
  return OF(_coeffs_part)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.params, A.part, A.parts_of);
}
CALL(_fast_1) {
  return OF(_coeffs_fast)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.params, A.fast_pass.fast);
}
CALL(_sums_1) { return OF(_coeffs_fast)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.params, &A.sums); }
CALL(_risk_1) { return OF(_risk_not_private)(A.a, A.sp, A.np, A.sn, A.nn, A.params); }
CALL(_pairs_1) {
  return OF(_pairs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.i, A.j, A.weight, A.m, A.params);
}
CALL(_nodes_1) {
  return OF(_coeffs_from_histogram)(A.a, A.s, A.n, A.np, A.node, A.count, A.nodes, A.params);
}
CALL(_weighted_1) {
  return OF(_weighted_coeffs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.weight, &A.options);
}
CALL(_weighted_2) {
  return OF(_weighted_coeffs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.weight, &A.fast_pass);
}
CALL(_weighted_3) {
  return OF(_weighted_coeffs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, A.weight, &A.persons_pass);
}
CALL(_curvature_1) {
  return OF(_curvature)(A.a, A.b, A.sp, A.s, A.np, A.sn, A.tn, A.nn, A.order, A.params, &A.curve);
}
CALL(_curvature_2) {
  return OF(_curvature)(A.a, A.b, A.sp, A.s, A.np, A.sn, A.tn, A.nn, A.order, A.params, NULL);
}
CALL(_curvature_bytes) {
  return OF(_curvature_workspace)(A.bytes_at, A.n, A.order, A.accuracy, A.cap, A.params);
}
CALL(_curvature_make) {
  return OF(_curvature_init)(&A.made_curve, A.n, A.order, A.accuracy, A.cap, A.params, A.work,
                             A.bytes);
}
CALL(_hessian_1) {
  return OF(_hessian)(A.out, &A.rows, A.w, A.s, A.params, &A.curve, A.work, A.bytes);
}
CALL(_hessian_bytes) { return OF(_hessian_workspace)(A.bytes_at, A.n); }
CALL(_fast_bytes) { return OF(_fast_workspace)(A.bytes_at, A.n, A.accuracy, A.cap, A.params); }
CALL(_fast_make) {
  return OF(_fast_init)(&A.made, A.n, A.accuracy, A.cap, A.params, A.work, A.bytes);
}
CALL(_sums_bytes) { return OF(_sums_workspace)(A.bytes_at, A.n, A.accuracy, A.cap, A.params); }
CALL(_sums_make) {
  return OF(_sums_init)(&A.made, A.n, A.accuracy, A.cap, A.params, A.work, A.bytes);
}
CALL(_allowance_1) {
  return OF(_allowance)(A.out, A.out + 1, A.fast_pass.fast, A.n, A.radius, A.slope);
}
CALL(_allowance_3) { return OF(_allowance)(A.out, A.out + 1, NULL, A.n, A.radius, A.slope); }
CALL(_sketch_bytes) { return OF(_sketch_workspace)(A.bytes_at, A.sums_pass.fast); }
CALL(_sketch_make) {
  return OF(_sketch_open)(&A.made_moments, A.sums_pass.fast, A.work, A.bytes);
}
CALL(_sketch_all) {
  dppair_status status = OF(_sketch_open)(&A.made_moments, A.sums_pass.fast, A.work, A.bytes);
  if (status == DPPAIR_OK)
    status = OF(_sketch)(&A.made_moments, A.s, A.n, A.np, A.weight, A.sums_pass.fast);
  if (status == DPPAIR_OK)
    status = OF(_sketch_finish)(&A.made_moments, A.params, A.sums_pass.fast);
  if (status == DPPAIR_OK)
    status = OF(_coeffs_from_sketch)(A.out, A.s, A.n, A.np, A.weight, &A.made_moments,
                                      A.sums_pass.fast);
  return status;
}
CALL(_sketch_add_1) { return OF(_sketch)(&A.moments, A.s, A.n, A.np, A.weight, &A.sums); }
CALL(_sketch_finish_1) { return OF(_sketch_finish)(&A.moments, A.params, &A.sums); }
CALL(_sketch_join_1) { return dppair_sketch_add(&A.moments, &A.own_moments); }
CALL(_chunk_bytes) { return OF(_chunk_workspace)(A.bytes_at, A.d, &A.sums_pass); }
CALL(_chunk_sketch_1) { return OF(_chunk_sketch)(&A.own_moments, &A.rows, A.w, &A.sums_pass); }
CALL(_sum_open_1) {
  return OF(_sum_open)(&A.made_sum, A.d, A.radius, &A.sums_pass, A.work, A.bytes);
}
CALL(_chunk_all) {
  dppair_status status =
      OF(_sketch_open)(&A.made_moments, A.sums_pass.fast, OF(_room)[6], sizeof OF(_room)[6]);
  if (status == DPPAIR_OK)
    status =
        OF(_sum_open)(&A.made_sum, A.d, A.radius, &A.sums_pass, OF(_room)[7], sizeof OF(_room)[7]);
  if (status == DPPAIR_OK) status = OF(_chunk_sketch)(&A.made_moments, &A.rows, A.w, &A.sums_pass);
  if (status == DPPAIR_OK)
    status = OF(_sketch_finish)(&A.made_moments, A.params, A.sums_pass.fast);
  if (status == DPPAIR_OK)
    status = OF(_chunk_sum)(&A.made_sum, &A.rows, A.w, &A.made_moments, &A.sums_pass);
  return status == DPPAIR_OK ? dppair_sum_value(A.out, &A.made_sum) : status;
}
CALL(_sensitivity_1) { return OF(_sensitivity)(A.out, A.d, &A.bounds, &A.sampling, &A.options); }
CALL(_sensitivity_2) { return OF(_sensitivity)(A.out, A.d, &A.bounds, &A.sampling, &A.fast_pass); }
CALL(_sensitivity_3) { return OF(_sensitivity)(A.out, A.d, &A.bounds, &A.sampling, &A.sums_pass); }
CALL(_sensitivity_4) { return OF(_sensitivity)(A.out, A.d, &A.bounds, &A.sampling, &A.clipped); }
CALL(_gradient_bytes) { return OF(_workspace)(A.bytes_at, A.n, A.d, &A.options); }
CALL(_gradient_1) { return OF(_gradient)(A.out, &A.rows, A.w, &A.options); }
CALL(_gradient_2) { return OF(_gradient)(A.out, &A.rows, A.w, &A.fast_pass); }
CALL(_gradient_3) { return OF(_gradient)(A.out, &A.rows, A.w, &A.sums_pass); }
CALL(_gradient_4) { return OF(_gradient)(A.out, &A.rows, A.w, &A.clipped); }
CALL(_gradient_5) { return OF(_gradient)(A.out, &A.rows, A.w, &A.persons_pass); }
CALL(_clip_bytes) { return OF(_clip_workspace)(A.bytes_at, A.kernels_at, A.n, A.d); }
CALL(_clip_1) { return OF(_clip_coeffs)(A.a, A.b, A.sp, A.sn, &A.rows, NULL, 0, &A.clipped); }
CALL(_clip_2) {
  dppair_status status = OF(_clip_cache)(OF(_cache), A.kernels, &A.rows, &A.clipped);
  if (status != DPPAIR_OK) return status;
  return OF(_clip_coeffs)(A.a, A.b, A.sp, A.sn, &A.rows, OF(_cache), A.kernels, &A.clipped);
}
CALL(_listed_bytes) { return OF(_pairs_workspace)(A.bytes_at, A.d); }
CALL(_listed_1) {
  return OF(_pairs_gradient)(A.out, &A.rows, &A.rows, A.w, A.i, A.j, A.weight, A.m, &A.clipped);
}
CALL(_top_bytes) { return OF(_top_coeffs_workspace)(A.bytes_at, A.n, &A.top, &A.options); }
CALL(_top_all_bytes) { return OF(_top_workspace)(A.bytes_at, A.n, A.d, &A.top, &A.options); }
CALL(_top_1) { return OF(_top_coeffs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, &A.top, &A.options); }
CALL(_top_2) { return OF(_top_coeffs)(A.a, A.b, A.sp, A.np, A.sn, A.nn, &A.top, &A.fast_pass); }
CALL(_top_ranks_1) { return OF(_top_ranks)(A.out, A.s, A.labels, A.n, &A.ranks, &A.options); }
CALL(_top_gradient_1) { return OF(_top_gradient)(A.out, &A.rows, A.w, &A.top, &A.options); }
CALL(_top_gradient_2) { return OF(_top_gradient)(A.out, &A.rows, A.w, &A.top, &A.fast_pass); }
CALL(_top_sensitivity_1) {
  return OF(_top_sensitivity)(A.out, A.d, &A.bounds, &A.sampling, &A.top, &A.options);
}
CALL(_top_sensitivity_2) {
  return OF(_top_sensitivity)(A.out, A.d, &A.bounds, &A.sampling, &A.top, &A.fast_pass);
}
CALL(_form_bytes) { return OF(_form_workspace)(A.bytes_at, A.n, A.d, A.k, &A.options); }
CALL(_form_1) {
  return OF(_form_gradient)(A.out, A.form, &A.rows, A.form_w, A.k, A.offset, &A.options);
}
CALL(_form_2) {
  return OF(_form_gradient)(A.out, A.form, &A.rows, A.form_w, A.k, A.offset, &A.clipped);
}
CALL(_form_risk_1) {
  return OF(_form_risk_not_private)(A.out, A.form, &A.rows, A.form_w, A.k, A.offset, &A.options);
}
CALL(_form_listed_1) {
  return OF(_form_pairs)(A.out, &A.rows, A.form_w, A.offset, A.i, A.j, A.weight, A.m, &A.clipped);
}
CALL(_form_error_1) { return OF(_form_error)(A.out, A.n, A.d, A.radius, A.slope, A.scale); }
CALL(_form_sensitivity_1) {
  return OF(_form_sensitivity)(A.out, A.form, A.k, A.d, &A.bounds, &A.sampling, &A.options);
}
CALL(_form_open_1) { return OF(_form_sum_open)(&A.made_sum, &A.ring, &A.options, A.work, A.bytes); }
CALL(_form_block_1) {
  dppair_status status =
      OF(_form_sum_open)(&A.made_sum, &A.ring, &A.options, OF(_room)[6], sizeof OF(_room)[6]);
  if (status == DPPAIR_OK)
    status = OF(_form_block)(&A.made_sum, &A.ring, A.part, &A.rows, A.part, NULL, &A.options);
  return status == DPPAIR_OK ? dppair_sum_value(A.out, &A.made_sum) : status;
}
CALL(_form_block_2) {
  return OF(_form_block)(&A.form_sum, &A.ring, A.part, &A.rows, A.part, NULL, &A.clipped);
}
CALL(_form_sum_sensitivity_1) {
  return OF(_form_sum_sensitivity)(A.out, &A.ring, &A.sampling, &A.options);
}
#undef CALL

static void OF(_refuses)(void **unused) {
#define SAYS(name, numbers)                                                                        \
  { #name, OF(name), ITS.out, numbers }
  static const hostile_call calls[] = {SAYS(_coeffs_1, 8),
                                       SAYS(_part_1, 0),
                                       SAYS(_fast_1, 8),
                                       SAYS(_sums_1, 8),
                                       SAYS(_risk_1, 1),
                                       SAYS(_pairs_1, 8),
                                       SAYS(_nodes_1, 8),
                                       SAYS(_weighted_1, 8),
                                       SAYS(_weighted_2, 8),
                                       SAYS(_weighted_3, 8),
                                       SAYS(_curvature_1, 8),
                                       SAYS(_curvature_2, 8),
                                       SAYS(_curvature_bytes, 0),
                                       SAYS(_curvature_make, 0),
                                       SAYS(_hessian_1, 3),
                                       SAYS(_hessian_bytes, 0),
                                       SAYS(_fast_bytes, 0),
                                       SAYS(_fast_make, 0),
                                       SAYS(_sums_bytes, 0),
                                       SAYS(_sums_make, 0),
                                       SAYS(_allowance_1, 2),
                                       SAYS(_allowance_3, 2),
                                       SAYS(_sketch_bytes, 0),
                                       SAYS(_sketch_make, 0),
                                       SAYS(_sketch_all, 0),
                                       SAYS(_sketch_add_1, 0),
                                       SAYS(_sketch_finish_1, 0),
                                       SAYS(_sketch_join_1, 0),
                                       SAYS(_chunk_bytes, 0),
                                       SAYS(_chunk_sketch_1, 0),
                                       SAYS(_sum_open_1, 0),
                                       SAYS(_chunk_all, 0),
                                       SAYS(_sensitivity_1, 1),
                                       SAYS(_sensitivity_2, 1),
                                       SAYS(_sensitivity_3, 1),
                                       SAYS(_sensitivity_4, 1),
                                       SAYS(_gradient_bytes, 0),
                                       SAYS(_gradient_1, 3),
                                       SAYS(_gradient_2, 3),
                                       SAYS(_gradient_3, 3),
                                       SAYS(_gradient_4, 3),
                                       SAYS(_gradient_5, 3),
                                       SAYS(_clip_bytes, 0),
                                       SAYS(_clip_1, 8),
                                       SAYS(_clip_2, 0),
                                       SAYS(_listed_bytes, 0),
                                       SAYS(_listed_1, 3),
                                       SAYS(_top_bytes, 0),
                                       SAYS(_top_all_bytes, 0),
                                       SAYS(_top_1, 8),
                                       SAYS(_top_2, 8),
                                       SAYS(_top_ranks_1, 8),
                                       SAYS(_top_gradient_1, 3),
                                       SAYS(_top_gradient_2, 3),
                                       SAYS(_top_sensitivity_1, 1),
                                       SAYS(_top_sensitivity_2, 1),
                                       SAYS(_form_bytes, 0),
                                       SAYS(_form_1, 9),
                                       SAYS(_form_2, 9),
                                       SAYS(_form_risk_1, 1),
                                       SAYS(_form_listed_1, 9),
                                       SAYS(_form_error_1, 1),
                                       SAYS(_form_sensitivity_1, 1),
                                       SAYS(_form_open_1, 0),
                                       SAYS(_form_block_1, 0),
                                       SAYS(_form_block_2, 0),
                                       SAYS(_form_sum_sensitivity_1, 1)};
#undef SAYS
  static const hostile_word words[] = {HOSTILE_POINTER(A.rows.x),
                                       HOSTILE_COUNT(A.rows.n),
                                       HOSTILE_COUNT(A.rows.d),
                                       HOSTILE_COUNT(A.rows.ld),
                                       HOSTILE_SIZE(A.rows.positives),
                                       HOSTILE_POINTER(A.rows.y),
                                       HOSTILE_POINTER(A.rows.factor),
                                       HOSTILE_POINTER(A.rows.weight),
                                       HOSTILE_REAL(A.rows.radius),
                                       HOSTILE_POINTER(A.w),
                                       HOSTILE_POINTER(A.sp),
                                       HOSTILE_POINTER(A.sn),
                                       HOSTILE_POINTER(A.s),
                                       HOSTILE_POINTER(A.t),
                                       HOSTILE_POINTER(A.tn),
                                       HOSTILE_POINTER(A.labels),
                                       HOSTILE_POINTER(A.weight),
                                       HOSTILE_POINTER(A.form_w),
                                       HOSTILE_POINTER(A.node),
                                       HOSTILE_POINTER(A.count),
                                       HOSTILE_POINTER(A.i),
                                       HOSTILE_POINTER(A.j),
                                       HOSTILE_COUNT(A.np),
                                       HOSTILE_COUNT(A.nn),
                                       HOSTILE_COUNT(A.n),
                                       HOSTILE_COUNT(A.d),
                                       HOSTILE_COUNT(A.k),
                                       HOSTILE_COUNT(A.m),
                                       HOSTILE_COUNT(A.nodes),
                                       HOSTILE_SIZE(A.part),
                                       HOSTILE_COUNT(A.parts_of),
                                       HOSTILE_INT(A.order),
                                       HOSTILE_REAL(A.cap),
                                       HOSTILE_REAL(A.radius),
                                       HOSTILE_REAL(A.slope),
                                       HOSTILE_REAL(A.scale),
                                       HOSTILE_REAL(A.offset),
                                       HOSTILE_INT(A.accuracy),
                                       HOSTILE_INT(A.form),
                                       HOSTILE_REAL(A.clip.bound),
                                       HOSTILE_SIZE(A.clip.owner),
                                       HOSTILE_POINTER(A.options.work),
                                       HOSTILE_COUNT(A.options.bytes),
                                       HOSTILE_POINTER(A.options.tasks),
                                       HOSTILE_POINTER(A.fast_pass.fast),
                                       HOSTILE_POINTER(A.fast_pass.work),
                                       HOSTILE_COUNT(A.fast_pass.bytes),
                                       HOSTILE_POINTER(A.sums_pass.fast),
                                       HOSTILE_POINTER(A.sums_pass.work),
                                       HOSTILE_COUNT(A.sums_pass.bytes),
                                       HOSTILE_POINTER(A.clipped.clip),
                                       HOSTILE_POINTER(A.clipped.work),
                                       HOSTILE_COUNT(A.clipped.bytes),
                                       HOSTILE_POINTER(A.persons_pass.groups),
                                       HOSTILE_COUNT(A.persons_pass.bytes),
                                       HOSTILE_POINTER(A.persons_pass.work),
                                       HOSTILE_COUNT(A.users.count),
                                       HOSTILE_POINTER(A.users.positive),
                                       HOSTILE_POINTER(A.users.negative),
                                       HOSTILE_INT(A.users.relation),
                                       HOSTILE_SIZE(A.users.most),
                                       HOSTILE_COUNT(A.parts.count),
                                       HOSTILE_POINTER(A.parts.run),
                                       HOSTILE_INT(A.fast.kind),
                                       HOSTILE_POINTER(A.fast.run),
                                       HOSTILE_COUNT(A.fast.capacity),
                                       HOSTILE_INT(A.fast.order_free),
                                       HOSTILE_REAL(A.fast.kernel_error),
                                       HOSTILE_REAL(A.fast.weight),
                                       HOSTILE_REAL(A.fast.low),
                                       HOSTILE_REAL(A.fast.high),
                                       HOSTILE_INT(A.sums.kind),
                                       HOSTILE_POINTER(A.sums.run),
                                       HOSTILE_INT(A.sums.order_free),
                                       HOSTILE_COUNT(A.sums.most),
                                       HOSTILE_REAL(A.sums.slope),
                                       HOSTILE_COUNT(A.sums.capacity),
                                       HOSTILE_REAL(A.sums.kernel_error),
                                       HOSTILE_COUNT(A.sums.words),
                                       HOSTILE_COUNT(A.sums.room),
                                       HOSTILE_INT(A.curve.order),
                                       HOSTILE_POINTER(A.curve.run),
                                       HOSTILE_COUNT(A.curve.fast.capacity),
                                       HOSTILE_INT(A.curve.fast.kind),
                                       HOSTILE_INT(A.curve.fast.order_free),
                                       HOSTILE_POINTER(A.moments.words),
                                       HOSTILE_INT(A.moments.finished),
                                       HOSTILE_SIZE(A.moments.state),
                                       HOSTILE_SIZE(A.moments.digest),
                                       HOSTILE_COUNT(A.moments.all),
                                       HOSTILE_REAL(A.moments.radius),
                                       HOSTILE_INT(A.own_moments.finished),
                                       HOSTILE_SIZE(A.own_moments.digest),
                                       HOSTILE_REAL(A.own_moments.radius),
                                       HOSTILE_POINTER(A.own_moments.words),
                                       HOSTILE_SIZE(A.own_moments.state),
                                       HOSTILE_SIZE(A.moments.count[0]),
                                       HOSTILE_SIZE(A.own_moments.count[1]),
                                       HOSTILE_INT(A.top.kind),
                                       HOSTILE_SIZE(A.top.negatives),
                                       HOSTILE_SIZE(A.top.positives),
                                       HOSTILE_INT(A.top.power),
                                       HOSTILE_SIZE(A.top.depth),
                                       HOSTILE_REAL(A.top.cap),
                                       HOSTILE_INT(A.ranks.kind),
                                       HOSTILE_SIZE(A.ranks.depth),
                                       HOSTILE_REAL(A.ranks.cap),
                                       HOSTILE_INT(A.ranks.power),
                                       HOSTILE_REAL(A.bounds.radius),
                                       HOSTILE_REAL(A.bounds.param_radius),
                                       HOSTILE_REAL(A.bounds.label_bound),
                                       HOSTILE_REAL(A.bounds.offset),
                                       HOSTILE_REAL(A.bounds.clip),
                                       HOSTILE_INT(A.sampling.kind),
                                       HOSTILE_INT(A.sampling.adjacency),
                                       HOSTILE_REAL(A.sampling.q),
                                       HOSTILE_SIZE(A.sampling.n),
                                       HOSTILE_SIZE(A.sampling.m),
                                       HOSTILE_SIZE(A.sampling.batches),
                                       HOSTILE_SIZE(A.sampling.group),
                                       HOSTILE_SIZE(A.sampling.owned),
                                       HOSTILE_INT(A.ring.form),
                                       HOSTILE_SIZE(A.ring.n),
                                       HOSTILE_SIZE(A.ring.block),
                                       HOSTILE_COUNT(A.ring.d),
                                       HOSTILE_COUNT(A.ring.k),
                                       HOSTILE_POINTER(A.ring.w),
                                       HOSTILE_REAL(A.ring.offset),
                                       HOSTILE_REAL(A.ring.radius),
                                       HOSTILE_SIZE(A.form_sum.count),
                                       HOSTILE_SIZE(A.form_sum.digest),
                                       HOSTILE_REAL(A.form_sum.radius),
                                       HOSTILE_REAL(A.form_sum.bound),
                                       HOSTILE_POINTER(A.form_sum.words),
                                       HOSTILE_COUNT(A.form_sum.size),
                                       HOSTILE_POINTER(A.work),
                                       HOSTILE_COUNT(A.bytes),
                                       HOSTILE_COUNT(A.kernels),
                                       HOSTILE_POINTER(A.a),
                                       HOSTILE_POINTER(A.b),
                                       HOSTILE_POINTER(A.bytes_at),
                                       HOSTILE_POINTER(A.kernels_at),
                                       HOSTILE_REAL(A.cells[0][0]),
                                       HOSTILE_REAL(A.cells[2][1]),
                                       HOSTILE_MODE};
  static size_t positive[] = {0, 2, 3, 4}, negative[] = {0, 1, 1, 4}, i[] = {0, 1, 2},
                j[] = {3, 0, 1}, needed, kernels;
  static const double form_w[9] = {0.5, 0.1, 0, 0.1, 0.5, 0, 0, 0, 0.5},
                      ones[8] = {1, 0.5, 1, 1, 0, 1, 0.25, 1};
  const dppair_accuracy accuracy = DPPAIR_ACCURACY_1E6;
  size_t q;
  (void)unused;
  for (q = 0; q < 24; q++) OF(_x)[q] = (REAL)((double)((q * 7) % 11) / 20 - 0.25);
  for (q = 0; q < 24; q++)
    OF(_s)[q] = (REAL)((double)((q * 5) % 8) / 4 - 1), OF(_y)[q] = (REAL)(q % 3);
  for (q = 0; q < 3; q++) OF(_w)[q] = (REAL)(0.5 - 0.25 * (double)q);
  memset(&A, 0, sizeof A);
  A.rows.x = OF(_x), A.rows.n = 8, A.rows.d = A.rows.ld = 3, A.rows.positives = 4,
  A.rows.y = OF(_y);
  A.rows.factor = ones, A.rows.radius = 1, A.w = OF(_w);
  A.sp = OF(_s), A.sn = OF(_s) + 4, A.s = A.t = OF(_s), A.tn = OF(_s) + 4, A.labels = OF(_y);
  A.weight = ones, A.form_w = form_w, A.node = A.cells[0], A.count = A.cells[1], A.nodes = 2;
  A.cells[0][0] = -0.5, A.cells[0][1] = 0.5, A.cells[1][0] = 2, A.cells[1][1] = 3,
  A.cells[2][0] = 1, A.cells[2][1] = 4;
  A.i = i, A.j = j, A.m = 3, A.n = 8, A.d = A.k = 3, A.np = A.nn = 4, A.part = 0, A.parts_of = 2,
  A.order = 2;
  A.cap = 2, A.radius = 1, A.slope = 1, A.scale = 1, A.offset = 0.5, A.accuracy = accuracy,
  A.form = DPPAIR_FORM_METRIC;
  A.parts.count = 2;
  A.options.work = OF(_room)[0], A.options.bytes = sizeof OF(_room)[0], A.options.tasks = &A.parts;
  assert_int_equal(OF(_clip_init)(&A.clip, 0.2), DPPAIR_OK);
  A.fast_pass = A.options, A.sums_pass = A.options, A.clipped = A.options, A.persons_pass = A.options;
  A.fast_pass.fast = &A.fast, A.sums_pass.fast = &A.sums, A.clipped.clip = &A.clip,
  A.sums_pass.tasks = NULL;
  A.persons_pass.groups = &A.users;
  A.users.count = 3, A.users.positive = positive, A.users.negative = negative,
  A.users.relation = DPPAIR_ACROSS;
  A.work = OF(_room)[5], A.bytes = sizeof OF(_room)[5];
  assert_int_equal(OF(_fast_init)(&A.fast, 8, accuracy, 2, NULL, OF(_room)[1], sizeof OF(_room)[1]),
                   DPPAIR_OK);
  assert_int_equal(
      OF(_sums_init)(&A.sums, 64, accuracy, 2, NULL, OF(_room)[2], sizeof OF(_room)[2]), DPPAIR_OK);
  assert_int_equal(
      OF(_curvature_init)(&A.curve, 8, 2, accuracy, 2, NULL, OF(_room)[3], sizeof OF(_room)[3]),
      DPPAIR_OK);
  assert_int_equal(OF(_sketch_open)(&A.moments, &A.sums, OF(_room)[4], sizeof OF(_room)[4]),
                   DPPAIR_OK);
  assert_int_equal(OF(_sketch_open)(&A.own_moments, &A.sums, OF(_room)[8], sizeof OF(_room)[8]),
                   DPPAIR_OK);
  A.top.kind = DPPAIR_TOP_PARTIAL, A.top.negatives = 3, A.ranks.kind = DPPAIR_TOP_NDCG,
  A.ranks.depth = 3;
  A.bounds.radius = 1, A.bounds.param_radius = 2,
  A.sampling = dppair_sampling_all(8, DPPAIR_REPLACE_ONE);
  A.ring.form = DPPAIR_FORM_METRIC, A.ring.n = 8, A.ring.block = 8, A.ring.d = A.ring.k = 3,
  A.ring.w = form_w, A.ring.radius = 1, A.ring.offset = 0.5;
  A.kernels = 0, A.a = A.out, A.b = A.out + 4, A.bytes_at = &needed, A.kernels_at = &kernels;
  assert_int_equal(
      OF(_form_sum_open)(&A.form_sum, &A.ring, &A.clipped, OF(_sum_room), sizeof OF(_sum_room)),
      DPPAIR_OK);
  assert_int_equal(OF(_clip_workspace)(&needed, &A.kernels, 8, 3), DPPAIR_OK);
  assert_true(hostile_calls(&A, OF(_kept), sizeof A, calls, sizeof calls / sizeof *calls, words,
                            sizeof words / sizeof *words) > 1000);
  assert_true(hostile_faults(&A, OF(_kept), sizeof A, calls, sizeof calls / sizeof *calls) > 300);
}

/* What no single word shows. After _refuses, which prepares the states. */
static void OF(_ends)(void **unused) {
  static size_t positive[] = {0, 2, 3, 4}, negative[] = {0, 1, 1, 4};
  const dppair_sampling many =
      dppair_sampling_matching(SIZE_MAX / 4, SIZE_MAX / 8, DPPAIR_REPLACE_ONE);
  dppair_sketch m, other;
  dppair_options options = A.sums_pass;
  dppair_fast fast = A.fast;
  dppair_tasks parts = {2, NULL, NULL};
  double s = 1, t, g[3], h[3], out[9];
  (void)unused;
#define REFUSED(why, call)                                                                         \
  s = 1;                                                                                           \
  assert_int_equal(call, why);                                                                     \
  assert_true(s == 0)
#define SENSITIVITY(n, passed) OF(_sensitivity)(&s, 3, &A.bounds, n, passed)
  /* a state that was changed since it was prepared */
  options.fast = &fast;
  assert_int_equal(SENSITIVITY(&A.sampling, &options), DPPAIR_OK);
  if (fast.kind == DPPAIR_KIND_ANALYTIC_) {
    double *const middle = fast.table + fast.reach * fast.terms * fast.stride, kept = *middle;
    *middle = 2 * kept;
    REFUSED(DPPAIR_ERR_WORKSPACE, SENSITIVITY(&A.sampling, &options));
    *middle = kept;
    fast.width *= 1.5;
    REFUSED(DPPAIR_ERR_WORKSPACE, SENSITIVITY(&A.sampling, &options));
    fast = A.fast;
    fast.reach--;
    REFUSED(DPPAIR_ERR_WORKSPACE, SENSITIVITY(&A.sampling, &options));
    fast = A.fast;
    fast.terms++;
    REFUSED(DPPAIR_ERR_WORKSPACE, SENSITIVITY(&A.sampling, &options));
    fast = A.fast;
    fast.low -= 1;
    REFUSED(DPPAIR_ERR_WORKSPACE, SENSITIVITY(&A.sampling, &options));
  }
  /* users with more rows than the state has room for; queries without order; too many pairs */
  A.users.positive = positive, A.users.negative = negative;
  options = A.persons_pass;
  options.fast = &A.sums;
  A.users.most = 1000;
  A.sampling = dppair_sampling_all(3, DPPAIR_REPLACE_USER);
  REFUSED(DPPAIR_ERR_SIZE, SENSITIVITY(&A.sampling, &options));
  A.users.most = 60;
  assert_int_equal(SENSITIVITY(&A.sampling, &options), DPPAIR_OK);
  A.users.relation = DPPAIR_WITHIN;
  A.sampling = dppair_sampling_all(3, DPPAIR_REPLACE_QUERY);
  if (A.sums.kind == DPPAIR_KIND_ANALYTIC_) {
    assert_int_equal(SENSITIVITY(&A.sampling, &options), DPPAIR_OK);
    A.users.most = 1000;
    REFUSED(DPPAIR_ERR_SIZE, SENSITIVITY(&A.sampling, &options));
    A.users.most = 60;
  } else {
    REFUSED(DPPAIR_ERR_NO_PROOF, SENSITIVITY(&A.sampling, &options));
  }
  A.users.relation = DPPAIR_ACROSS;
  A.sampling = dppair_sampling_all(8, DPPAIR_REPLACE_ONE);
  assert_true(SENSITIVITY(&many, &A.clipped) != DPPAIR_OK && s == 0);
  /* no slope at all, of a kernel that errs */
  s = 1;
  if (A.sums.kernel_error > 0)
    assert_int_equal(dppair_sums_allowance_(&s, &t, &A.sums, 1e-16, 3, 8, 16, 16, 1, 0),
                     DPPAIR_ERR_DOMAIN);
  /* parts are those of rows, not of users: the same bits */
  assert_int_equal(OF(_gradient)(g, &A.rows, A.w, &options), DPPAIR_OK);
  options.tasks = &parts;
  assert_int_equal(OF(_gradient)(h, &A.rows, A.w, &options), DPPAIR_OK);
  assert_memory_equal(g, h, sizeof g);
  /* moments: of users of other rows; of sums of another radius; of more records than there are */
  assert_int_equal(OF(_sketch_open)(&m, &A.sums, OF(_room)[6], sizeof OF(_room)[6]), DPPAIR_OK);
  assert_int_equal(OF(_sketch_open)(&other, &A.sums, OF(_room)[7], sizeof OF(_room)[7]),
                   DPPAIR_OK);
  negative[3] = 3;
  assert_int_equal(OF(_chunk_sketch)(&m, &A.rows, A.w, &options), DPPAIR_ERR_SIZE);
  negative[3] = 4;
  assert_int_equal(OF(_chunk_sketch)(&m, &A.rows, A.w, &A.sums_pass), DPPAIR_OK);
  assert_int_equal(OF(_chunk_sketch)(&other, &A.rows, A.w, &A.sums_pass), DPPAIR_OK);
  other.radius = 2;
  assert_int_equal(dppair_sketch_add(&m, &other), DPPAIR_ERR_WORKSPACE);
  other.radius = m.radius;
  assert_int_equal(dppair_sketch_add(&m, &other), DPPAIR_OK);
  assert_int_equal(m.count[0] + m.count[1], 16);
  m.count[0] = A.sums.most + 1;
  assert_int_equal(OF(_chunk_sketch)(&m, &A.rows, A.w, &A.sums_pass), DPPAIR_ERR_SIZE);
  /* lists of no pairs have no arrays */
  for (int k = 0; k < 9; k++) out[k] = 1;
  assert_int_equal(OF(_pairs_gradient)(out, &A.rows, &A.rows, A.w, NULL, NULL, NULL, 0, &A.clipped),
                   DPPAIR_OK);
  assert_true(out[0] == 0 && out[2] == 0 && out[3] == 1);
  /* blocks of no rows, beyond the last; weights beside a clip; pairs of an odd and an even number
   */
  assert_true(dppair_ring_pairs_(7) == 21 && dppair_ring_pairs_(8) == 28);
  A.rows.weight = A.weight;
  assert_int_equal(OF(_form_block)(&A.form_sum, &A.ring, 0, &A.rows, 0, NULL, &A.clipped),
                   DPPAIR_ERR_NO_PROOF);
  A.rows.weight = NULL;
  A.rows.n = 0;
  assert_int_equal(OF(_form_block)(&A.form_sum, &A.ring, 1, &A.rows, 1, NULL, &A.clipped),
                   DPPAIR_ERR_SIZE);
  A.rows.y = NULL;
  assert_int_equal(OF(_form_pairs)(out, &A.rows, A.form_w, 0.5, NULL, NULL, NULL, 0, &A.clipped),
                   DPPAIR_OK);
  assert_true(out[3] == 0 && out[8] == 0);
#undef REFUSED
#undef SENSITIVITY
}
#undef A
#undef OF
#undef ITS
