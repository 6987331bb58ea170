/* ------------------------------------------------------------------------------------------------
 * Laws that are tables of modules
 *
 * A law of the kind DPPAIR_LAW_TABLE_ is that of a module's draw (mechanisms/draws.h). The module
 * defines the functions that are declared here. What it computes for a law may lie at the front of
 * s->spare, and s->made says that it does. Relies on contour/theory.h.
 * ---------------------------------------------------------------------------------------------- */

struct dppair_lattice_;
struct dppair_cells_;

/* Of a draw NAME:
 *   _doubles_  the largest spare memory that it needs, and memory for _bracket_
 *   _search_   makes the search nodes of step t
 *   _widen_    widens [*low, *high] by all losses of the law
 *   _multiply_ multiplies the law of step t into K
 *   _bracket_  answers a question about its steps alone; NO_PROOF: there are others */
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  DPPAIR_FN_ size_t dppair_##name##_doubles_(void);                                                \
  DPPAIR_RARE_ dppair_status dppair_##name##_search_(dppair_contour_ *s, size_t t,                 \
                                                     const dppair_law_ *law);                      \
  DPPAIR_RARE_ dppair_status dppair_##name##_widen_(double *low, double *high, dppair_contour_ *s, \
                                                    const dppair_law_ *law);                       \
  DPPAIR_RARE_ dppair_status dppair_##name##_multiply_(                                            \
      struct dppair_lattice_ *l, struct dppair_cells_ *cells, dppair_contour_ *s, size_t t,        \
      const dppair_law_ *law);                                                                     \
  DPPAIR_RARE_ dppair_status dppair_##name##_bracket_(dppair_interval *b,                          \
                                                      const dppair_question_ *q);
DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_

/* The largest of _doubles_. */
DPPAIR_API size_t dppair_table_doubles_(void) {
  size_t most = 0;
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  if (dppair_##name##_doubles_() > most) most = dppair_##name##_doubles_();
  DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  return most;
}

/* _search_ of step t. */
DPPAIR_API dppair_status dppair_table_search_(dppair_contour_ *s, size_t t,
                                              const dppair_law_ *law) {
  switch ((int)s->steps[t].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_search_(s, t, law);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)law;
    return DPPAIR_ERR_MODULE;
  }
}

/* _widen_ for step t. */
DPPAIR_API dppair_status dppair_table_widen_(double *low, double *high, dppair_contour_ *s,
                                             size_t t, const dppair_law_ *law) {
  switch ((int)s->steps[t].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_widen_(low, high, s, law);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)low, (void)high, (void)law;
    return DPPAIR_ERR_MODULE;
  }
}

/* _multiply_ of step t. */
DPPAIR_API dppair_status dppair_table_multiply_(struct dppair_lattice_ *l,
                                                struct dppair_cells_ *cells, dppair_contour_ *s,
                                                size_t t, const dppair_law_ *law) {
  switch ((int)s->steps[t].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_multiply_(l, cells, s, t, law);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)l, (void)cells, (void)law;
    return DPPAIR_ERR_MODULE;
  }
}

/* _bracket_ of the first step's draw. */
DPPAIR_API dppair_status dppair_table_bracket_(dppair_interval *b, const dppair_question_ *q) {
  if (q->count == 0) return DPPAIR_ERR_NO_PROOF;
  switch ((int)q->steps[0].sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    return dppair_##name##_bracket_(b, q);
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    (void)b;
    return DPPAIR_ERR_NO_PROOF;
  }
}
