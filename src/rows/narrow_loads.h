/* ------------------------------------------------------------------------------------------------
 * Rows of 16 and 8 bits: numbers into vectors, for one type, tier and element type
 *
 * Every conversion is exact, so tiers agree. The scalar and the 128-bit tier convert through an
 * array, which compilers turn into vectors where they can. AVX-512 F has an instruction for f16;
 * what AVX2 and FMA say of a processor does not include one, so there it is dppair_number_f16_ in
 * vectors. The maskz forms are those of simd/avx512.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TIER_ == 2

#if DPPAIR_F64_
/* Four numbers from p on as doubles, and eight as floats. */
#if DPPAIR_ROW_KIND_ == 4
DPV_INLINE_ __m256d dpv_wide4(const int16_t *p) {
  return _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#elif DPPAIR_ROW_KIND_ == 5
DPV_INLINE_ __m256d dpv_wide4(const int8_t *p) {
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(_mm_cvtsi32_si128(four)));
}
#endif
#else
#if DPPAIR_ROW_KIND_ == 4
DPV_INLINE_ __m256 dpv_wide8(const int16_t *p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
#elif DPPAIR_ROW_KIND_ == 5
DPV_INLINE_ __m256 dpv_wide8(const int8_t *p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#endif
#endif
#if DPPAIR_ROW_KIND_ == 2
DPV_INLINE_ __m256 dpv_wide8(const uint16_t *p) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(
      _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)), 16));
}
#elif DPPAIR_ROW_KIND_ == 3
DPV_INLINE_ __m256 dpv_wide8(const uint16_t *p) {
  const __m256i v = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
  const __m256i size = _mm256_slli_epi32(_mm256_and_si256(v, _mm256_set1_epi32(0x7fff)), 13);
  const __m256i sign = _mm256_slli_epi32(_mm256_srli_epi32(v, 15), 31);
  const __m256i move = _mm256_set1_epi32(0x38000000), one = _mm256_set1_epi32(0x38800000);
  const __m256 tiny = _mm256_castsi256_ps(_mm256_add_epi32(size, one)) - _mm256_castsi256_ps(one);
  const __m256i last = _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x0f7fffff));
  const __m256i bits = _mm256_add_epi32(_mm256_add_epi32(size, move), _mm256_and_si256(last, move));
  return _mm256_castsi256_ps(_mm256_or_si256(
      sign, _mm256_blendv_epi8(bits, _mm256_castps_si256(tiny),
                               _mm256_cmpgt_epi32(_mm256_set1_epi32(0x00800000), size))));
}
#endif

#elif DPPAIR_TIER_ == 3

/* Sixteen or eight numbers from p on, in one register. */
#if DPPAIR_F64_
DPV_INLINE_ __m512d dpv_wide(const void *p) {
#if DPPAIR_ROW_KIND_ == 2
  const __m256i v = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
  return _mm512_maskz_cvtps_pd(0xff, _mm256_castsi256_ps(_mm256_slli_epi32(v, 16)));
#elif DPPAIR_ROW_KIND_ == 3
  const __m128i v = _mm_loadu_si128((const __m128i *)p);
  return _mm512_maskz_cvtps_pd(0xff, _mm256_maskz_cvtph_ps(0xff, v));
#elif DPPAIR_ROW_KIND_ == 4
  const __m128i v = _mm_loadu_si128((const __m128i *)p);
  return _mm512_maskz_cvtepi32_pd(0xff, _mm256_cvtepi16_epi32(v));
#else
  const __m128i v = _mm_loadl_epi64((const __m128i *)p);
  return _mm512_maskz_cvtepi32_pd(0xff, _mm256_cvtepi8_epi32(v));
#endif
}
#else
DPV_INLINE_ __m512 dpv_wide(const void *p) {
#if DPPAIR_ROW_KIND_ == 2
  const __m512i v = _mm512_maskz_cvtepu16_epi32(0xffff, _mm256_loadu_si256((const __m256i *)p));
  return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, v, 16));
#elif DPPAIR_ROW_KIND_ == 3
  return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256((const __m256i *)p));
#elif DPPAIR_ROW_KIND_ == 4
  const __m256i v = _mm256_loadu_si256((const __m256i *)p);
  return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi16_epi32(0xffff, v));
#else
  const __m128i v = _mm_loadu_si128((const __m128i *)p);
  return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, v));
#endif
}
#endif

#endif

/* As many numbers of a row as a vector has lanes. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_numbers(const DPL_X *x) {
#if DPPAIR_TIER_ == 3
  DPV_T v;
  v.r[0] = dpv_wide(x);
  return v;
#elif DPPAIR_TIER_ == 2 && !DPPAIR_F64_
  DPV_T v;
  v.r[0] = dpv_wide8(x);
  v.r[1] = dpv_wide8(x + 8);
  return v;
#elif DPPAIR_TIER_ == 2 && DPPAIR_ROW_KIND_ >= 4
  DPV_T v;
  v.r[0] = dpv_wide4(x);
  v.r[1] = dpv_wide4(x + 4);
  return v;
#elif DPPAIR_TIER_ == 2
  const __m256 f = dpv_wide8(x);
  DPV_T v;
  v.r[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(f));
  v.r[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(f, 1));
  return v;
#else
  DPV_R t[DPV_LANES];
  for (int k = 0; k < DPV_LANES; k++) t[k] = (DPV_R)dppair_number_ROW_(x[k]);
  return DPV_LOAD(t);
#endif
}

/* The last n numbers of a row, fewer than a vector has lanes, then zeros. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_last(const DPL_X *x, size_t n) {
  DPL_X t[DPV_LANES];
  memset(t, 0, sizeof t);
  for (size_t k = 0; k < n; k++) t[k] = x[k];
  return dpv_numbers(t);
}

/* What the shared kernels call. */
#if DPPAIR_F64_
DPPAIR_FORCE_INLINE_ DPV_T dpv_row(const void *x, size_t at, int is_f32) {
  (void)is_f32;
  return dpv_numbers((const DPL_X *)x + at);
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_rest(const void *x, size_t at, size_t n, int is_f32) {
  (void)is_f32;
  return dpv_last((const DPL_X *)x + at, n);
}
DPPAIR_FORCE_INLINE_ void dpv_ahead(const void *x, size_t at, int is_f32) {
  (void)is_f32;
  DPPAIR_PREFETCH_((const char *)((uintptr_t)x + at * sizeof(DPL_X)));
}
#else
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_row(const DPL_X *x) { return dpv_numbers(x); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_end(const DPL_X *x, size_t n) { return dpv_last(x, n); }
#endif
