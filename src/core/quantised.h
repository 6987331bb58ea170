/* ------------------------------------------------------------------------------------------------
 * How numbers become integers
 *
 * One word of it for the integers (noise/quantise.h), their sensitivity
 * (accountant/account/integers.h) and their release (release/share.h).
 * ---------------------------------------------------------------------------------------------- */

/* How numbers become integers. TRUNCATED: each record's, towards 0. ROUNDED: to the nearest
 * integer, or floor(x + u) with one public u in [0,1)^d for all: each record's, or each site's sum
 * once. RANDOMLY: floor(x + u) with private u, drawn by each site for its sum. */
typedef enum dppair_quantised {
  DPPAIR_QUANTISED_TRUNCATED = 1,
  DPPAIR_QUANTISED_ROUNDED = 2,
  DPPAIR_QUANTISED_RANDOMLY = 3
} dppair_quantised;
