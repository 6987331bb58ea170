/* ------------------------------------------------------------------------------------------------
 * The vocabulary: what is said of it once, by dppair.h or dppair_losses.h
 * ---------------------------------------------------------------------------------------------- */
#ifndef DPPAIR_VOCABULARY_H
#define DPPAIR_VOCABULARY_H
#include "simd/vocabulary_names.h"
#include "simd/vocabulary.h"
#include "simd/fused.h"
#include "simd/one.h"
#endif /* DPPAIR_VOCABULARY_H */
