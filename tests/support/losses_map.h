/* SPDX-License-Identifier: MIT */
/* One tier and one type: map_SUFFIX(what, out, in, n, p) applies an elementary function or a link
 * to n numbers, n a multiple of 16. Included by headers/losses/links.c once per tier and type. */

/* The elementary functions out of line: inlined into every link they would take minutes to compile.
 */
#define MAP_FN(name) DPPAIR_CAT(DPPAIR_CAT(map_, name), DPPAIR_SUFFIX_)
#define MAP_OUT_OF_LINE(name)                                                                      \
  __attribute__((noinline)) static void MAP_FN(name)(DPV_R * v) {                                  \
    DPV_STORE(v, DPPAIR_V_(name)(DPV_LOAD(v)));                                                    \
  }                                                                                                \
  DPPAIR_FORCE_INLINE_ DPV_T DPPAIR_CAT(MAP_FN(name), _)(DPV_T a) {                                \
    DPV_R v[DPV_LANES];                                                                            \
    DPV_STORE(v, a);                                                                               \
    MAP_FN(name)(v);                                                                               \
    return DPV_LOAD(v);                                                                            \
  }
MAP_OUT_OF_LINE(exp)
MAP_OUT_OF_LINE(log)
MAP_OUT_OF_LINE(log1p)
MAP_OUT_OF_LINE(sigmoid)
MAP_OUT_OF_LINE(softplus)
#pragma push_macro("DPV_EXP")
#pragma push_macro("DPV_SIGMOID")
#pragma push_macro("DPV_SOFTPLUS")
#undef DPV_EXP
#undef DPV_SIGMOID
#undef DPV_SOFTPLUS
#define DPV_EXP(a) DPPAIR_CAT(MAP_FN(exp), _)(a)
#define DPV_SIGMOID(a) DPPAIR_CAT(MAP_FN(sigmoid), _)(a)
#define DPV_SOFTPLUS(a) DPPAIR_CAT(MAP_FN(softplus), _)(a)

/* One small function each: compilers need far longer for one large switch. */
#define MAP_EACH(name, e)                                                                          \
  static void MAP_FN(DPPAIR_CAT(each_, name))(DPV_R * out, const DPV_R *in, size_t n,              \
                                              const double *p) {                                   \
    (void)p;                                                                                       \
    for (size_t i = 0; i < n; i += DPV_LANES) {                                                    \
      const DPV_T u = DPV_LOAD(in + i);                                                            \
      (void)u;                                                                                     \
      DPV_STORE(out + i, e);                                                                       \
    }                                                                                              \
  }
MAP_EACH(exp, DPV_EXP(u))
MAP_EACH(log, DPPAIR_CAT(MAP_FN(log), _)(u))
MAP_EACH(log1p, DPPAIR_CAT(MAP_FN(log1p), _)(u))
MAP_EACH(sigmoid_function, DPV_SIGMOID(u))
MAP_EACH(softplus, DPV_SOFTPLUS(u))
#define MAP_LINK(name)                                                                             \
  MAP_EACH(name##_value, dppair_##name##_VALUE(u, p))                                              \
  MAP_EACH(name##_slope, dppair_##name##_SLOPE(u, p))                                              \
  MAP_EACH(name##_curvature, dppair_##name##_CURVATURE(u, p))
DPPAIR_LOSS_TABLE(MAP_LINK)
#undef MAP_LINK

static void DPPAIR_CAT(map_, DPPAIR_SUFFIX_)(int what, DPV_R *out, const DPV_R *in, size_t n,
                                             const double *p) {
  static void (*const each[])(DPV_R *, const DPV_R *, size_t, const double *) = {
      MAP_FN(each_exp),           MAP_FN(each_log),
      MAP_FN(each_log1p),         MAP_FN(each_sigmoid_function),
      MAP_FN(each_softplus),
#define MAP_LINK(name)                                                                             \
  MAP_FN(each_##name##_value), MAP_FN(each_##name##_slope), MAP_FN(each_##name##_curvature),
      DPPAIR_LOSS_TABLE(MAP_LINK)
#undef MAP_LINK
  };
  each[what](out, in, n, p);
}
#ifdef MAP_BITS
/* to[0..n) += the bits of v[0..n) + offset, n a multiple of 8. */
static void DPPAIR_CAT(bits_, DPPAIR_SUFFIX_)(uint64_t *to, const double *v, size_t n,
                                              double offset) {
  for (size_t i = 0; i < n; i += DPV_LANES)
    DPV_STORE_BITS(to + i, DPV_ADD_BITS(DPV_LOAD_BITS(to + i),
                                        DPV_ADD(DPV_LOAD(v + i), DPV_SET(offset))));
}
#endif
#pragma pop_macro("DPV_EXP")
#pragma pop_macro("DPV_SIGMOID")
#pragma pop_macro("DPV_SOFTPLUS")
#undef MAP_FN
#undef MAP_EACH
#undef MAP_OUT_OF_LINE
