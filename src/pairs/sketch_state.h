/* ------------------------------------------------------------------------------------------------
 * Moments without order: the state
 *
 * What sums over all partners read of the records, class by class, as integers of 128 bits: of an
 * analytic loss the moments of boxes (sketch_kernels.h), of a piecewise linear one what a grid
 * counts. Each record adds numbers that are rounded to multiples of 2^-50 by itself. So any split
 * of the records into chunks, in any order, on any tier that fuses products, gives the same bits.
 * It relies on core/words.h, core/bits.h and fast_state.h.
 *
 * Records add to sums of 64 bits at first, in copies, so that neighbours in a box do not wait for
 * each other. A record adds at most 2^50 to a sum; those of DPPAIR_SKETCH_FLUSH_ records stay
 * below 2^63 in all copies together, and then go to 128 bits.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SKETCH_UNIT_ 8.8817841970012523e-16 /* 2^-50 */
#define DPPAIR_SKETCH_COPIES_ 4
#define DPPAIR_SKETCH_FLUSH_ 8184 /* a multiple of 8 below 2^13 */

/* Moments of records, opened by NAME_sketch_open in the caller's workspace. */
typedef struct dppair_sketch {
  uint64_t count[2];    /* the positives and the negatives that were added */
  uint64_t users;     /* that NAME_chunk_sketch added, where groups are users; else 0 */
  uint64_t digest;      /* of w, radius and state, where NAME_chunk_sketch made them; else 0 */
  uint64_t serial;      /* of the rows' draw, where NAME_chunk_sketch made them; else 0 */
  double radius;        /* of the rows, where NAME_chunk_sketch made them; else 0 */
  uint64_t state;       /* a digest of the state that they are opened for */
  size_t cells;         /* of each class */
  size_t low, high;     /* the cells that have words: all, but in a gradient those in use */
  size_t all;           /* the number of words */
  uint64_t *words;      /* all / 2 integers of 128 bits, low word first: what travels between ranks,
                      * with the counts (dppair_words_add) */
  uint64_t *partial;    /* sums of 64 bits that are not in `words` yet; none after a public call */
  double *coefficients; /* what NAME_sketch_finish makes */
  size_t pending[2], first[2], end[2]; /* records in `partial`, and its cells that are in use */
  int finished; /* 1: nothing can be added any more; -1: spoiled by an error */
} dppair_sketch;

/* Sums of class `side` begin here: in integers of 128 bits for `words`, in numbers for one copy. */
DPPAIR_API size_t dppair_sketch_at_(const dppair_sketch *m, const dppair_fast *f, int side,
                                    size_t cell) {
  return ((side ? m->cells : 0) + cell) * (size_t)f->stride;
}

/* Zeroes the words of cells from `first` up to `end`. */
DPPAIR_API void dppair_sketch_zero_(dppair_sketch *m, const dppair_fast *f, size_t first,
                                    size_t end) {
  const size_t size = 2 * (end - first) * (size_t)f->stride * sizeof *m->words;
  int side;
  for (side = 0; side < 2; side++)
    memset(m->words + 2 * dppair_sketch_at_(m, f, side, first), 0, size);
}

/* Gives words to the cells from `first` up to `end`, and to those between them and others. */
DPPAIR_API void dppair_sketch_hold_(dppair_sketch *m, const dppair_fast *f, size_t first,
                                    size_t end) {
  if (m->low == m->high) m->low = m->high = first;
  if (first < m->low) {
    dppair_sketch_zero_(m, f, first, m->low);
    m->low = first;
  }
  if (end > m->high) {
    dppair_sketch_zero_(m, f, m->high, end);
    m->high = end;
  }
}

/* Adds what is pending of class `side` to the words. */
DPPAIR_API void dppair_sketch_settle_side_(dppair_sketch *m, const dppair_fast *f, int side) {
  const size_t stride = (size_t)f->stride, terms = (size_t)f->terms;
  size_t cell, k;
  if (m->first[side] < m->end[side]) dppair_sketch_hold_(m, f, m->first[side], m->end[side]);
  for (cell = m->first[side]; cell < m->end[side]; cell++) {
    const size_t at = dppair_sketch_at_(m, f, side, cell);
    const uint64_t *from = m->partial + DPPAIR_SKETCH_COPIES_ * at;
    for (k = 0; k < terms; k++)
      dppair_word_add_(m->words + 2 * (at + k),
                       from[k] + from[stride + k] + from[2 * stride + k] + from[3 * stride + k]);
  }
  m->pending[side] = 0;
  m->first[side] = m->end[side] = 0;
}
DPPAIR_API void dppair_sketch_settle_(dppair_sketch *m, const dppair_fast *f) {
  dppair_sketch_settle_side_(m, f, 0);
  dppair_sketch_settle_side_(m, f, 1);
}

/* Makes room for at most DPPAIR_SKETCH_FLUSH_ more records of class `side` in the cells from
 * `first` up to `end`. Cells that come into use are zeroed; others are not touched. */
DPPAIR_API void dppair_sketch_cover_(dppair_sketch *m, const dppair_fast *f, int side, size_t first,
                                     size_t end, size_t records) {
  const size_t cell = DPPAIR_SKETCH_COPIES_ * (size_t)f->stride;
  uint64_t *base;
  if (records > DPPAIR_SKETCH_FLUSH_ - m->pending[side]) dppair_sketch_settle_side_(m, f, side);
  if (m->first[side] == m->end[side]) m->first[side] = m->end[side] = first;
  base = m->partial + DPPAIR_SKETCH_COPIES_ * dppair_sketch_at_(m, f, side, 0);
  if (first < m->first[side]) {
    memset(base + first * cell, 0, (m->first[side] - first) * cell * sizeof *base);
    m->first[side] = first;
  }
  if (end > m->end[side]) {
    memset(base + m->end[side] * cell, 0, (end - m->end[side]) * cell * sizeof *base);
    m->end[side] = end;
  }
  m->pending[side] += records;
}
