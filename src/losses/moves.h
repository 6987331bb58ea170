/* ------------------------------------------------------------------------------------------------
 * How far one record moves the sum of its pairs, as it is computed
 *
 * What NAME_sensitivity and NAME_form_sensitivity share. Their gradients sum each unordered pair
 * once: of 'ind' the order that has a gradient, of a form both, which are equal. Relies on
 * constants.h, and on sampling.h.
 * ---------------------------------------------------------------------------------------------- */

/* Of the gradient of one unordered pair. */
typedef struct dppair_moves_ {
  double slope;     /* sup |phi'|; HUGE_VAL: only the clip bounds the gradient */
  double norm;      /* sup of its norm */
  double replaced;  /* how far it moves with one of its records */
  double zeroed;    /* how far when one of its records becomes null */
  double crowd;     /* see the Poisson row of dppair_moves_sampled_ */
  dppair_reach_ at; /* the margins that are reached */
} dppair_moves_;

/* The groups of options, and what is public of them. */
typedef struct dppair_grouped_ {
  int across;         /* users; else queries */
  size_t count, rows; /* of this draw */
  double least; /* the smallest number of records, of at least 2, in a group; 0: there is none */
  double most;  /* a bound of the rows of any data set */
  size_t all;   /* the most groups of any draw */
} dppair_grouped_;

DPPAIR_FP_BEGIN_

/* The range of a loss that has no L_RANGE: unbounded, as it is before the call. */
DPPAIR_API void dppair_no_range_(dppair_range *range, const dppair_margins *m, const double *p) {
  (void)range;
  (void)m;
  (void)p;
}

/*
 * *m for the margin ind or one of a form. bounds as for dppair_constants_find, but radius 0 means
 * that none is known, param_radius may be 0, and the clip is an argument. cap: scores count as at
 * most this; HUGE_VAL for none. slack: by how much rounding moves a margin at most, as a part of
 * the largest one. shift: by how much a grid of scores moves it at most.
 *
 * Proof. A computed slope is a function of the two records of its pair alone, and lies in the range
 * of phi' over the margins as computed, which is what `slack` is for. All proofs of constants.h use
 * no more than that, but for those of parabolas, which use the margin too: then a pair's gradient
 * is off by at most phi'' (slack reach + shift) V, for each of two neighbours. Margins that a shift
 * moves are those of a |w| that is larger by shift/(2 radius). A parabola whose scores are
 * capped or whose gradients are clipped (by computed lengths) is none, and counts as any other
 * loss.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_find_(dppair_moves_ *m, dppair_margin margin,
                                                     const dppair_loss_facts *facts,
                                                     const double *params,
                                                     const dppair_bounds *bounds, double clip,
                                                     double cap, double slack, double shift) {
  dppair_domain_ x;
  dppair_constants k;
  dppair_status status;
  double capped;
  memset(m, 0, sizeof *m);
  memset(&k, 0, sizeof k);
  if (!facts || !bounds) return DPPAIR_ERR_NULL;
  if (!(slack <= 0.25)) return DPPAIR_ERR_SIZE;
  if (!(bounds->clip == 0.0 && clip >= 0.0 && cap > 0.0 && bounds->param_radius >= 0.0))
    return DPPAIR_ERR_DOMAIN;
  if (bounds->radius == 0.0) return DPPAIR_ERR_NO_RADIUS;
  x.facts = *facts;
  x.params = params;
  x.bounds = *bounds;
  x.bounds.clip = clip;
  x.bounds.label_bound = 1.0;
  if (margin == DPPAIR_MARGIN_ind) x.bounds.offset = 0.0;
  x.bounds.param_radius += shift / (2.0 * bounds->radius) * (1.0 + 4.0 * DBL_EPSILON);
  if (x.bounds.param_radius < 1e-60) x.bounds.param_radius = 1e-60; /* larger is safe */
  if (x.bounds.param_radius > 1e100) x.bounds.param_radius = HUGE_VAL;
  status = dppair_domain_check_(margin, facts, params, &x.bounds);
  if (status != DPPAIR_OK) return status;
  x.slack = slack;
  x.straight = !(clip > 0.0);
  capped = cap / x.bounds.radius * (1.0 + 8.0 * DBL_EPSILON);
  if (capped <= x.bounds.param_radius * (1.0 + 2.0 * slack)) { /* scores may reach the cap */
    x.straight = 0;
    if (capped < x.bounds.param_radius) x.bounds.param_radius = capped > 1e-60 ? capped : 1e-60;
  }
  dppair_constants_fill_(&k, margin, &x);
  if (!dppair_isfinite_f64(k.lipschitz) || !dppair_isfinite_f64(k.replace_one))
    return DPPAIR_ERR_NO_PROOF;
  m->at = dppair_reach_of_(margin, &x);
  m->slope = k.slope;
  m->norm = k.lipschitz;
  m->replaced = margin == DPPAIR_MARGIN_ind ? k.replace_one : k.move;
  m->zeroed = margin == DPPAIR_MARGIN_ind ? k.zero_out : 0.5 * k.zero_out;
  m->crowd = margin == DPPAIR_MARGIN_ind ? 1.0 : 1.5;
  m->replaced +=
      2.0 * dppair_times_(dppair_parabola_(&x).curvature * slack, m->at.reach * m->at.norm);
  m->replaced += 2.0 * dppair_times_(dppair_parabola_(&x).curvature * shift, m->at.norm);
  if (m->replaced > 2.0 * m->norm) m->replaced = 2.0 * m->norm;
  if (m->replaced < m->zeroed) m->replaced = m->zeroed; /* a null pair has gradient 0 */
  return m->replaced >= DBL_MIN ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* 16 margins of what is reached, in u: eight of either kind, or 16 of the only one; ends of an
 * interval are within +-`remote`. They are densest in the middle, and hold both ends. */
DPPAIR_API void dppair_spot_margins_(double *u, const dppair_moves_ *m, double remote) {
  const int each = 16 / m->at.kinds;
  int k, i;
  for (k = 0; k < m->at.kinds; k++)
    for (i = 0; i < each; i++) {
      const double low = dppair_between_(m->at.low[k], -remote, remote);
      const double high = dppair_between_(m->at.high[k], -remote, remote);
      const double t = (2.0 * i - (each - 1)) / (each - 1), mid = 0.5 * (low + high);
      u[k * each + i] = dppair_between_(mid + 0.5 * (high - low) * t * t * t, low, high);
    }
}

/* Whether computed slopes at these margins are what the range says, but for rounding in a type with
 * this epsilon. A spot check of L_RANGE: it proves nothing. */
DPPAIR_API int dppair_spot_holds_(const double *slope, const dppair_moves_ *m, double epsilon) {
  const int each = 16 / m->at.kinds;
  int k, holds = 1;
  for (k = 0; k < 16; k++) {
    const dppair_range *r = &m->at.phi[k / each];
    const double room = 16.0 * epsilon * (r->down > r->up ? r->down : r->up) + 1e-30;
    holds &= slope[k] <= r->up + room && -slope[k] <= r->down + room;
  }
  return holds;
}

/*
 * *sensitivity = how far one record moves the computed sum of a sampling's pairs, divided by its
 * divisor. factor and rounding: what arithmetic adds to a move of the sum over `count` records, the
 * most that the sampling reads.
 *
 *   ALL                        `replaced` or `zeroed`, over n
 *   WITHOUT, WITH_REPLACEMENT  replaced/m
 *   MATCHING                   2 replaced/m
 *   POISSON, ALLOCATION        crowd norm/m, m being expected
 *   WITHOUT, of a user with more records   as above, or 2 norm far/m where all pairs count: for
 *                              the law of mechanisms/users.h (dppair_sampling_far_)
 *
 * Proof. A record has k - 1 partners among k records, and the divisor is k (k - 1). A matched one
 * has one partner, and the divisor is m/2. With replacement one slot is replaced: the record of any
 * other slot, the same one too, is a partner like any other. Poisson: a record joins b others; let
 * f be the sum of its b pairs and S that of the others. The move is [f/b - S/(b (b - 1))]/m. Two
 * classes of which only pairs across count: p of the b are of the other class, so |f| <= p norm,
 * |S| <= p (b - p) norm, and the move is at most norm p (2b - 1 - p)/(b (b - 1))/m <= norm/m, p
 * being an integer of at most b. Any labels: |f| <= b norm, |S| <= b (b - 1) norm/2, hence 3/2.
 * A null record that is drawn is not one of the b, and the divisor does not count it. So P is a
 * mixture of the sums without and with the record, and Q is the former alone, as the sampling's law
 * has it. (If the divisor counted it, Q would be a mixture too, of centres A and Y beside P's A and
 * X, all within the move of each other. One step costs no more even then: in P - cQ, c >= 1, X has
 * one sign, A and Y the other, and Kahane's comparison lets A and Y meet. But where X meets A
 * instead the larger direction is the other one, and accounts add up steps of one direction.)
 * Weights and users: a record of weight w is the record with probability w, else null; a user
 * is one of his records, with their weights as probabilities, else null. A pair is then a mean over
 * independent choices, and every figure above the largest of a convex function of each choice: that
 * of one record a user, or of a null one, whose pairs are 0.
 * Records of a user, two classes: j drawn ones move the sum by at most `replaced` T(m, j). Let P
 * and P' of them be positive before and after, P >= P': a partner's pairs move by `replaced` times
 * max(P, P') or max(j-P, j-P'), those inside by norm (P (j-P) + P' (j-P')), norm <= replaced.
 * |B| is random and private, and half of `rounding` belongs to either neighbour. A bound for k
 * records grows at least like k^2, so that over k - 1 it is largest at k = n.
 *
 * The quotient is rounded, as are the divisor and its inverse: 3 units each of two results.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_sampled_(double *sensitivity, const dppair_moves_ *m,
                                                        const dppair_sampling *s, double factor,
                                                        double rounding) {
  const double k = dppair_sampling_expected_(s), most = (double)s->n;
  const int matching = s->kind == DPPAIR_MATCHING;
  const int poisson = dppair_sampling_is_random_(s->kind);
  double moved = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE ? m->replaced : m->zeroed;
  double move = moved / k, size = m->norm, divisor;
  dppair_status status = dppair_normaliser(&divisor, s, s->n);
  if (status != DPPAIR_OK) return status;
  if (matching) move = 2.0 * moved / k;
  if (s->owned > 0) {
    moved = m->crowd > 1.0 ? 2.0 * m->norm * dppair_sampling_far_(s)
                           : (m->replaced > m->norm ? m->replaced : m->norm);
    move = moved / k;
  }
  if (poisson) move = m->crowd * m->norm / k;
  if (poisson) size *= most / k; /* at most n (n - 1)/2 pairs over m (n - 1) */
  move = move * factor + rounding / divisor + 6.0 * DBL_EPSILON * size;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

/*
 * The same for the mean over queries of (pair sum)/(m (m - 1)), m being the records of a query; it
 * is 0 for fewer than 2. With m >= 2 it is at most norm/2: of two classes m^2/4 pairs at most, of
 * all m (m - 1)/2. u: the queries.
 *
 *   a record    replaced or zeroed, over the m of the smallest query, over their number. It has
 *               m - 1 partners and stays in its query; the sizes are public
 *   a query     norm, or norm/2, over their number, or over the m or the expected m of a sampling
 *
 * Proof. At most one query's mean moves, by its own pairs; a query that is replaced,
 * whatever its sizes, moves from one vector of at most norm/2 to another.
 */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_moves_within_(double *sensitivity, const dppair_moves_ *m,
                                                       const dppair_sampling *s,
                                                       const dppair_grouped_ *u, double factor,
                                                       double rounding) {
  const int replace = dppair_sampling_move_(s) == DPPAIR_REPLACE_ONE;
  const int record = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_RECORDS_;
  const double k = record ? (double)u->count : dppair_sampling_expected_(s);
  double move = replace ? m->norm : 0.5 * m->norm, most = m->norm * (double)u->all / k;
  if (record) move = (replace ? m->replaced : m->zeroed) / u->least;
  move = (move * factor + rounding) / k + 6.0 * DBL_EPSILON * most;
  move *= 1.0 + 64.0 * DBL_EPSILON;
  if (!dppair_isfinite_f64(move)) return DPPAIR_ERR_OVERFLOW;
  if (!(move >= DBL_MIN)) return DPPAIR_ERR_NO_PROOF;
  *sensitivity = move;
  return DPPAIR_OK;
}

/* Do the groups fit the sampling? Users are protected where pairs count across them; a record or
 * a query where they count within. A user who has records in many queries, records that are drawn
 * from users, and records that are drawn from queries have no row. */
DPPAIR_API dppair_status dppair_grouped_fit_(const dppair_grouped_ *u, const dppair_sampling *s) {
  const int unit = dppair_adjacency_unit_(s->adjacency), all = s->kind == DPPAIR_ALL;
  const size_t k = s->m > 0 ? s->m : s->n;
  if (u->across != (unit == DPPAIR_OF_USERS_))
    return u->across ? DPPAIR_ERR_ADJACENCY : DPPAIR_ERR_NO_PROOF;
  if (s->kind == DPPAIR_MATCHING || s->owned > 0) return DPPAIR_ERR_NO_PROOF;
  if (unit == DPPAIR_OF_RECORDS_) {
    if (!all || !(u->least >= 2.0)) return DPPAIR_ERR_NO_PROOF;
    return u->rows == s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  }
  if (dppair_sampling_is_random_(s->kind)) return u->count <= s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  return u->count == k ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The most records, users or queries that a step of this sampling reads; 0 and a status where
 * there is no such sampling, not even one pair, or groups (u, or NULL) that do not fit it. */
DPPAIR_API dppair_status dppair_moves_count_(size_t *count, const dppair_sampling *s,
                                             dppair_grouped_ *u) {
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, s, s ? s->n : 0);
  *count = 0;
  if (status == DPPAIR_OK)
    status = u              ? dppair_grouped_fit_(u, s)
             : s->owned > 0 ? dppair_sampling_owned_(s)
                            : dppair_adjacency_records_(s->adjacency);
  if (status != DPPAIR_OK) return status;
  if (s->kind == DPPAIR_MATCHING && dppair_sampling_group_(s) != 2) return DPPAIR_ERR_NO_PROOF;
  if (s->kind == DPPAIR_WITH_REPLACEMENT && s->group > 0) return DPPAIR_ERR_UNREAD;
  if (s->n < 2 || (s->m == 1 && s->kind != DPPAIR_POISSON)) return DPPAIR_ERR_SIZE;
  *count = s->m == 0 || dppair_sampling_is_random_(s->kind) ? s->n : s->m;
  if (u) u->all = dppair_adjacency_unit_(s->adjacency) == DPPAIR_OF_RECORDS_ ? u->count : *count;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
