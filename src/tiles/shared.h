/* ------------------------------------------------------------------------------------------------
 * Tiles: what all instances share
 *
 * Sizes, and caps of two bytes.
 * ---------------------------------------------------------------------------------------------- */

/* So many weights of each record of a strip are held at a time. A sum of products in the data's own
 * type has that length before it goes to double. */
#define DPPAIR_TILE_ 192

/* Columns of the micro-kernel in double: three vectors of eight numbers (tiles/multiply.h). */
#define DPPAIR_COLUMNS_ 24

/* The most parts that a form is cut into: each has a scratch of its own. */
#define DPPAIR_FORM_PARTS_ 256

DPPAIR_FP_BEGIN_

/* k columns rounded up to whole micro-kernels, SIZE_MAX where that overflows. */
DPPAIR_API size_t dppair_whole_kernels_(size_t k) {
  return k > SIZE_MAX - DPPAIR_COLUMNS_
             ? SIZE_MAX
             : (k + DPPAIR_COLUMNS_ - 1) / DPPAIR_COLUMNS_ * DPPAIR_COLUMNS_;
}

/* The upper half of the bits of a float that is at most `cap`, for cap >= 0: less by at most 1/128.
 * Caps that are not normal floats become 0. */
DPPAIR_API uint16_t dppair_short_cap_(double cap) {
  cap = cap < (double)FLT_MAX ? cap : (double)FLT_MAX;
  cap = cap < (double)FLT_MIN ? 0.0 : cap * (1.0 - (double)FLT_EPSILON);
  return (uint16_t)(dppair_bits_f32_((float)cap) >> 16);
}

DPPAIR_FP_END_
