/* ------------------------------------------------------------------------------------------------
 * The vocabulary for one tier and one type: native registers first, then virtual vectors of them.
 * ---------------------------------------------------------------------------------------------- */

/* DPN_PD picks pd or ps, DPN_EPI epi64 or epi32, DPN_BI f64 or f32, DPN_F nothing or f. */
#if DPPAIR_F64_
#define DPN_PD(name) DPPAIR_CAT(name, pd)
#define DPN_EPI(name) DPPAIR_CAT(name, epi64)
#define DPN_BI(name) DPPAIR_CAT(name, f64_)
#define DPN_F(name) name
#else
#define DPN_PD(name) DPPAIR_CAT(name, ps)
#define DPN_EPI(name) DPPAIR_CAT(name, epi32)
#define DPN_BI(name) DPPAIR_CAT(name, f32_)
#define DPN_F(name) DPPAIR_CAT(name, f)
#endif

/* Operators, not intrinsics: they obey the floating-point region even when the host's own include
 * of the intrinsics was compiled with -ffast-math. */
#define DPN_ADD(a, b) ((a) + (b))
#define DPN_SUB(a, b) ((a) - (b))
#define DPN_MUL(a, b) ((a) * (b))
#define DPN_DIV(a, b) ((a) / (b))

#if DPPAIR_TIER_ == 0
#define DPN_T DPV_R
#define DPN_M int
#define DPN_K DPV_LANES
#define DPN_SET(x) (x)
#define DPN_LOAD(p) (*(p))
#define DPN_STORE(p, a) (*(p) = (a))
#define DPN_LOADF(p) ((double)*(p))
#define DPN_STOREF(p, a) (*(p) = (float)(a))
#define DPN_FMA(a, b, c) DPPAIR_CAT(dppair_fma_, DPPAIR_CAT(DPPAIR_TYPE_NAME_, _))(a, b, c)
#define DPN_SQRT(a) DPN_F(sqrt)(a)
#define DPN_MAX(a, b) ((a) > (b) ? (a) : (b))
#define DPN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define DPN_LT(a, b) ((a) < (b))
#define DPN_LE(a, b) ((a) <= (b))
#define DPN_EQ(a, b) ((a) == (b))
#define DPN_SEL(m, a, b) ((m) ? (a) : (b))
#define DPN_MAND(a, b) ((a) & (b))
#define DPN_MOR(a, b) ((a) | (b))
#define DPN_INT(a) DPN_BI(dppair_bits_)(a)
#define DPN_FLOAT(u) DPN_BI(dppair_from_bits_)(u)
#define DPN_AND(a, b) DPN_FLOAT(DPN_INT(a) & DPN_INT(b))
#define DPN_OR(a, b) DPN_FLOAT(DPN_INT(a) | DPN_INT(b))
#define DPN_XOR(a, b) DPN_FLOAT(DPN_INT(a) ^ DPN_INT(b))
#define DPN_SHL(a, n) DPN_FLOAT(DPN_INT(a) << (n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_INT(a) >> (n))
#define DPN_EACH(s) for (int k = 0; k < DPN_K; k++) { s; }
#elif DPPAIR_TIER_ == 1
#if DPPAIR_F64_
#define DPN_T simde__m128d
#else
#define DPN_T simde__m128
#endif
#define DPN_M DPN_T
#define DPN_K 4
#define DPN_SET(x) DPN_PD(simde_mm_set1_)(x)
#define DPN_LOAD(p) DPN_PD(simde_mm_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(simde_mm_storeu_)(p, a)
#define DPN_LOADF(p) dppair_loadf_simd128_(p)
#define DPN_STOREF(p, a) dppair_storef_simd128_(p, a)
#define DPN_FMA(a, b, c) DPN_PD(simde_mm_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(simde_mm_sqrt_)(a)
#define DPN_MAX(a, b) DPN_SEL(DPN_LT(b, a), a, b) /* SIMDe's own differs on NaN and -0 */
#define DPN_MIN(a, b) DPN_SEL(DPN_LT(a, b), a, b)
#define DPN_LT(a, b) DPN_PD(simde_mm_cmplt_)(a, b)
#define DPN_LE(a, b) DPN_PD(simde_mm_cmple_)(a, b)
#define DPN_EQ(a, b) DPN_PD(simde_mm_cmpeq_)(a, b)
#define DPN_SEL(m, a, b) DPN_OR(DPN_AND(m, a), DPN_PD(simde_mm_andnot_)(m, b))
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(simde_mm_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(simde_mm_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(simde_mm_xor_)(a, b)
#if DPPAIR_F64_
#define DPN_INT(a) simde_mm_castpd_si128(a)
#else
#define DPN_INT(a) simde_mm_castps_si128(a)
#endif
#define DPN_FLOAT(u) DPN_PD(simde_mm_castsi128_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(simde_mm_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(simde_mm_srli_)(DPN_INT(a), n))
#define DPN_IT(i, s) { enum { k = i }; s; }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s) DPN_IT(2, s) DPN_IT(3, s)
#elif DPPAIR_TIER_ == 2
#if DPPAIR_F64_
#define DPN_T __m256d
#define DPN_INT(a) _mm256_castpd_si256(a)
#else
#define DPN_T __m256
#define DPN_INT(a) _mm256_castps_si256(a)
#endif
#define DPN_M DPN_T
#define DPN_K 2
#define DPN_SET(x) DPN_PD(_mm256_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm256_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm256_storeu_)(p, a)
#define DPN_LOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPN_STOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPN_FMA(a, b, c) DPN_PD(_mm256_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm256_sqrt_)(a)
#define DPN_MAX(a, b) DPN_PD(_mm256_max_)(a, b)
#define DPN_MIN(a, b) DPN_PD(_mm256_min_)(a, b)
#define DPN_LT(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm256_blendv_)(b, a, m)
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(_mm256_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm256_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm256_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm256_castsi256_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm256_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm256_srli_)(DPN_INT(a), n))
#define DPN_IT(i, s) { enum { k = i }; s; }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s)
#else
#if DPPAIR_F64_
#define DPN_T __m512d
#define DPN_M __mmask8
#define DPN_ALL 0xff
#define DPN_INT(a) _mm512_castpd_si512(a)
#else
#define DPN_T __m512
#define DPN_M __mmask16
#define DPN_ALL 0xffff
#define DPN_INT(a) _mm512_castps_si512(a)
#endif
/* The maskz forms say the same as the plain ones without their undefined operand, of which gcc 12
 * warns. */
#define DPN_K 1
#define DPN_SET(x) DPN_PD(_mm512_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm512_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm512_storeu_)(p, a)
#define DPN_LOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPN_STOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPN_FMA(a, b, c) DPN_PD(_mm512_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm512_maskz_sqrt_)(DPN_ALL, a)
#define DPN_MAX(a, b) DPN_PD(_mm512_maskz_max_)(DPN_ALL, a, b)
#define DPN_MIN(a, b) DPN_PD(_mm512_maskz_min_)(DPN_ALL, a, b)
#define DPN_CMP(a, b, how) DPPAIR_CAT(DPN_PD(_mm512_cmp_), _mask)(a, b, how)
#define DPN_LT(a, b) DPN_CMP(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_CMP(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_CMP(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm512_mask_blend_)(m, b, a)
#define DPN_MAND(a, b) ((DPN_M)((a) & (b)))
#define DPN_MOR(a, b) ((DPN_M)((a) | (b)))
#define DPN_AND(a, b) DPN_PD(_mm512_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm512_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm512_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm512_castsi512_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_slli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_srli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_EACH(s) { enum { k = 0 }; s; }
#endif
#define DPN_PER (DPV_LANES / DPN_K) /* lanes of one native register; DPN_EACH runs over registers */
