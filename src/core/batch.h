/* ------------------------------------------------------------------------------------------------
 * A batch: the records of one draw
 *
 * dppair_release_draw fills one, dppair_gather makes rows of it and marks them with its serial, and
 * a release takes the rows of its own draw alone. Relies on checks.h.
 * ---------------------------------------------------------------------------------------------- */

/* The serial is public: a function of a plan's run, its place in the account and the step, so it is
 * the same on every rank and after a stop, and no two draws share one. 0: of no plan's draw. */
typedef struct dppair_batch {
  const size_t *index; /* `count` places, in the caller's memory. Private, as the records are */
  size_t count;        /* private where the size of a draw is random */
  uint64_t serial;
} dppair_batch;

/* A batch of records that you chose yourself: of no plan's draw. A release of a plan that draws
 * refuses rows that are gathered from it. */
DPPAIR_API dppair_batch dppair_batch_make(const size_t *index, size_t count) {
  dppair_batch batch;
  batch.index = index;
  batch.count = count;
  batch.serial = 0;
  return batch;
}
