/* ------------------------------------------------------------------------------------------------
 * The sensitivity of an instance's gradient
 *
 * Compiled only after dppair_losses.h. Relies on losses/moves.h, and on NAME_allowance.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* L_RANGE is (function, flags), or there is none. */
#if DPPAIR_RANGE_ == 2
#define DPT_FACTS DPPAIR_SLOPE_FACTS_(DPPAIR_LOSS)
#else
#define DPT_FACTS                                                                                  \
  { dppair_no_range_, 0, NULL }
typedef char
    DPPAIR_NAME_range_must_be_in_brackets_[sizeof DPPAIR_TEXT_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE)) ==
                                                   sizeof(DPPAIR_TEXT_(DPPAIR_LOSS) "_RANGE")
                                               ? 1
                                               : -1];
#endif

/* Whether 16 slopes of the loss are what L_RANGE says of the margins that are reached. SLOPE when
 * one is not; else OK, or an error of NAME_coeffs. */
DPPAIR_API dppair_status DPPAIR_NAME_spot_(const dppair_moves_ *m, const double *params) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  double u[16], slope[16];
  dppair_status status;
  dppair_spot_margins_(u, m, 1000.0);
  status = DPPAIR_NAME_probe_(slope, u, params);
  if (status != DPPAIR_OK) return status == DPPAIR_ERR_NOT_FINITE ? DPPAIR_ERR_SLOPE : status;
  return dppair_spot_holds_(slope, m, epsilon) ? DPPAIR_OK : DPPAIR_ERR_SLOPE;
}

/* Had who made a state or a clip this loss, as far as its margins are reached? Files of one program
 * may have two losses of one name, in instances of one name; S is that of the one that is here.
 * Tiers may differ in the last bits. */
DPPAIR_API int DPPAIR_NAME_is_alike_(dppair_probe_ *other, const dppair_moves_ *m,
                                     const double *params) {
  double u[16], slope[2][16];
  if (other == DPPAIR_NAME_probe_) return 1;
  dppair_spot_margins_(u, m, 1000.0);
  return other && DPPAIR_NAME_probe_(slope[0], u, params) == DPPAIR_OK &&
         other(slope[1], u, params) == DPPAIR_OK &&
         dppair_slopes_alike_(slope[0], slope[1], 16,
                              DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON);
}

/* The groups of the options as moves.h takes them: NULL for none; form: rows have no classes. The
 * sizes of groups are read where they are public, that is where a record is protected. */
DPPAIR_API dppair_grouped_ *DPPAIR_NAME_units_(dppair_grouped_ *u, const dppair_groups *g,
                                               const dppair_sampling *s, int form) {
  size_t k;
  memset(u, 0, sizeof *u);
  if (!g) return NULL;
  u->across = g->relation == DPPAIR_ACROSS;
  u->count = g->count;
  u->rows = g->positive[g->count] + (form ? 0 : g->negative[g->count]);
  u->most = dppair_groups_most_(g);
  if (u->across || dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_RECORDS_) return u;
  u->most = (double)u->rows;
  for (k = 0; k < g->count; k++) {
    const double size = (double)dppair_group_size_(g->positive, k) +
                        (double)dppair_group_size_(form ? NULL : g->negative, k);
    if (size >= 2.0 && !(u->least > 0.0 && u->least < size)) u->least = size;
  }
  return u;
}

/* *factor and *rounding of a gradient of rows of d numbers by the way that the options choose: of
 * `count` rows, whose pairs weigh `mass`, both sides added, and whose own weights times the numbers
 * of partners are `spread`. doubles: also of coefficients whose sum over rows is one of doubles, as
 * that of a network's gradients. */
DPPAIR_API dppair_status DPPAIR_NAME_rounding_(double *factor, double *rounding,
                                               const dppair_fast *f, size_t d, double count,
                                               double mass, double spread, double radius,
                                               double slope, int doubles) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  double more = 0.0;
  dppair_status status;
  if (!f || !f->order_free)
    return dppair_allowance_of_(factor, rounding, f, epsilon, count, mass, spread, radius, slope);
  status = f->allowance(factor, rounding, f, epsilon, d, count, mass, spread, radius, slope);
  if (status == DPPAIR_OK && doubles)
    status = dppair_allowance_of_(factor, &more, f, epsilon, count, mass, spread, radius, slope);
  if (more > *rounding) *rounding = more;
  return status;
}

/* factor and rounding of `count` groups: the weights of pairs are at most count^2/4 on either side,
 * those of a user's own pairs 1/4, and for a query 1/2, once they are divided. Where the pairs of
 * a user were summed in another way than they are subtracted, what is left of each slope is
 * within kernel_error, and of 84 roundings in the loops' type (8 of a slope, 76 of weights,
 * products and sums of at most 64 vectors or rows, or of 8 records), of 0. Both neighbours have it,
 * of one user only: together radius (kernel_error + 42 epsilon slope), which the last line
 * exceeds for 2 users already. In sums without order each of the state's records, whose weights
 * are count in sum, adds an error of its own; the gradients of queries are sums of doubles over
 * rows, and pairs of a query weigh no more than their number. */
DPPAIR_API dppair_status DPPAIR_NAME_unit_allowance_(double *factor, double *rounding,
                                                     const dppair_fast *f, const dppair_grouped_ *u,
                                                     size_t count, size_t d, double radius,
                                                     double slope, int doubles) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double k = (double)count, error = (f ? f->kernel_error : 0.0) + 12.0 * epsilon * slope;
  const double mass = u->across ? 0.5 * k * k + 0.5 * k : (double)u->all;
  const double most = f && f->order_free && u->across ? (double)f->most : u->most;
  dppair_status status;
  if (f && f->order_free && u->most > (double)f->most) return DPPAIR_ERR_SIZE;
  if (u->across)
    status =
        DPPAIR_NAME_rounding_(factor, rounding, f, d, most, mass, k * most, radius, slope, doubles);
  else
    status = dppair_allowance_of_(factor, rounding, f, epsilon, most, mass, mass, radius, slope);
  if (status != DPPAIR_OK) return status;
  /* of an order-free state: own pairs are subtracted from coefficients, which rounds once more */
  if (f && f->order_free && u->across)
    *rounding += 2.02 * radius * (slope + error) * mass * DBL_EPSILON;
  *factor *= 1.0 + 8.0 * DBL_EPSILON; /* a user's weights are at most 1 + 2^-52 in sum */
  if (u->across) *rounding += 2.02 * k * radius * error;
  return DPPAIR_OK;
}

/* *m: how far a record moves the gradient of a pair, of rows of d numbers; f: the state in use, or
 * NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_moves_(dppair_moves_ *m, size_t d,
                                                              const dppair_bounds *bounds,
                                                              const dppair_options *options,
                                                              const dppair_fast *f) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const dppair_loss_facts facts = DPT_FACTS;
  return dppair_moves_find_(m, DPPAIR_MARGIN_ind, &facts, options->params, bounds,
                            dppair_clip_bound_(options), f ? f->score_cap : HUGE_VAL,
                            ((double)d + 24.0) * epsilon, dppair_cell_shift_(f));
}

/* NAME_sensitivity of arguments that are there, for these users or queries (NULL: records); the
 * groups of the options are not read. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sensitivity_of_(
    double *sensitivity, size_t d, const dppair_bounds *bounds, const dppair_sampling *sampling,
    const dppair_options *options, dppair_grouped_ *u) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double clip = dppair_clip_bound_(options);
  const int doubles = !(bounds->param_radius < HUGE_VAL); /* a network, whose sums are not ours */
  const dppair_fast *f = NULL;
  double factor, rounding, size, cut;
  dppair_moves_ m;
  dppair_status status;
  size_t count;
  if (DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && !options->clip && options->fast &&
      options->fast->kind != 0)
    f = options->fast;
  if (u && f && f->order_free && options->groups && options->groups->most == 0 &&
      u->most > (double)f->most)
    u->most = (double)f->most; /* no call takes more rows */
  status = dppair_clip_check_(options);
  if (status == DPPAIR_OK) status = dppair_moves_count_(&count, sampling, u);
  if (status == DPPAIR_OK && u && !u->across && f && f->order_free &&
      DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_moves_(&m, d, bounds, options, f);
  if (status != DPPAIR_OK) return status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (f) status = DPPAIR_NAME_fast_ready_(f, options->params, 1);
  if (status == DPPAIR_OK && f && !DPPAIR_NAME_is_alike_(f->probe, &m, options->params))
    status = DPPAIR_ERR_WORKSPACE;
  if (status != DPPAIR_OK) return status;
#endif
  if (options->clip && options->clip->run &&
      !DPPAIR_NAME_is_alike_(options->clip->probe, &m, options->params))
    return DPPAIR_ERR_WORKSPACE;
  if (DPPAIR_RANGE_ == 2) status = DPPAIR_NAME_spot_(&m, options->params);
  if (status != DPPAIR_OK) return status;
  size = dppair_times_(m.slope, bounds->radius);
  cut = options->clip ? clip / dppair_sqrt_(((double)d + 16.0) * epsilon) : HUGE_VAL;
  if (u) {
    status = DPPAIR_NAME_unit_allowance_(&factor, &rounding, f, u, count, d, bounds->radius,
                                         m.slope, doubles);
  } else if (sampling->kind == DPPAIR_MATCHING) {
    status = dppair_allowance_(&factor, &cut, NULL, epsilon, count, 0.0, 0.0);
    factor += 8.0 * epsilon;
    if (status == DPPAIR_OK)
      status = dppair_pairs_allowance_(&rounding, count / 2, count, m.norm * factor);
  } else if (cut < size) {
    status = dppair_allowance_(&factor, &rounding, NULL, epsilon, count, 1.0, cut);
  } else {
    const double n = (double)count, pairs = 0.5 * n * n; /* n+ n- <= n^2/4 on either side */
    status = DPPAIR_NAME_rounding_(&factor, &rounding, f, d, n, pairs, pairs, bounds->radius,
                                   m.slope, doubles);
  }
  if (status != DPPAIR_OK) return status;
  return u && !u->across ? dppair_moves_within_(sensitivity, &m, sampling, u, factor, rounding)
                         : dppair_moves_sampled_(sensitivity, &m, sampling, factor, rounding);
}

/*
 * *sensitivity = how far the gradient as it is computed, divided by dppair_normaliser of the
 * sampling, moves in l2 norm between neighbours: kernel errors, rounding and that division
 * included. Its quotient with sigma is what the account charges for this sampling.
 *
 *   d         features of a row
 *   bounds    radius: that of every row (0, none is known, is NO_RADIUS; HUGE_VAL, any scorer,
 *             needs a clip); param_radius: |w| at this gradient, HUGE_VAL where slopes are bounded
 *             anyway; label_bound and offset are not read; clip must be 0: it stands in the pass
 *   sampling  all fields that NAME_gradient's rows were drawn by
 *   options   params; clip; fast: then scores count as at most its score_cap, and slopes are those
 *             over +-2 score_cap at most
 *             groups: ACROSS under neighbours that differ in a user, whose number the sampling
 *             counts (n; m and a rate are of users, too): that of a record, with a user in its
 *             place, however many records there are. WITHIN, for the mean over queries: of a record
 *             that stays in its query, where all records are used and sizes are public, which are
 *             read; of a query, which the sampling counts. groups->most bounds roundings where the
 *             number of rows is private
 *
 * Rows with weights have the sensitivity of rows without.
 *
 * It holds for NAME_gradient; for NAME_coeffs, _coeffs_fast or NAME_clip_coeffs followed by
 * dppair_combine; for a matching also for NAME_pairs_gradient of its m/2 pairs. With a clip `fast`
 * is not read, as there. With an order-free state it holds for NAME_gradient and for sums of
 * NAME_chunk_sum; at param_radius HUGE_VAL, and for queries, for _coeffs_fast followed by
 * dppair_combine too. (Else NAME_allowance has what sums of doubles round.) Groups of one of a
 * piecewise linear loss are users.
 *
 * Of a network whose scores have gradients of norm at most `radius`, each clipped by its own record
 * alone: param_radius HUGE_VAL, with `fast` where the scores are to be capped, and the rounding of
 * its sum of c_i v_i to be added by the caller.
 *
 * Proof: dppair_moves_find_, dppair_moves_sampled_, NAME_allowance or dppair_sums_allowance_. What
 * else is here. A margin of computed scores is off by at most (d + 24) epsilon of its largest
 * value, with or without fused products. A clipped coefficient times its row's norm is at most
 * clip/sqrt((d + 16) epsilon), since the margin of squared distances is twice that
 * (NAME_clip_coeffs): this bounds sums of clipped coefficients where no bound of the slopes does. A
 * listed pair's difference of rows is rounded, so its gradient may leave the set of the proof by
 * epsilon of its norm.
 *
 * L_RANGE is checked at 16 of the margins; one slope outside is SLOPE. Errors zero *sensitivity:
 * ADJACENCY (groups that do not fit the neighbours, or none where they need them), NULL, DOMAIN
 * (bounds or parameters out of range), NO_RADIUS, SLOPE, NO_PROOF (slopes that nothing bounds, a
 * loss without L_RANGE and no clip), WORKSPACE (a state that was prepared for another instance,
 * loss or parameters; a clip that is not made), SIZE (n or m below 2, d too long for the type, n
 * beyond what NAME_allowance can bound or the state was made for), those of dppair_normaliser,
 * ENVIRONMENT, OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sensitivity(double *sensitivity, size_t d,
                                                                   const dppair_bounds *bounds,
                                                                   const dppair_sampling *sampling,
                                                                   const dppair_options *options) {
  dppair_grouped_ units;
  dppair_status status = DPPAIR_OK;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!bounds || !sampling || !options) return DPPAIR_ERR_NULL;
  if (options->groups && options->clip) return DPPAIR_ERR_NO_PROOF;
  if (options->groups) status = dppair_groups_fit_(options->groups, 0);
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_sensitivity_of_(sensitivity, d, bounds, sampling, options,
                                     DPPAIR_NAME_units_(&units, options->groups, sampling, 0));
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */
