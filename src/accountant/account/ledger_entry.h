/* ------------------------------------------------------------------------------------------------
 * A charge, and the check that chains the charges of an account
 *
 * Whatever is charged to an account is one entry, whether a ledger holds it or not. The account
 * numbers its entries and keeps a check of 64 bits over all of them, so that a ledger from which a
 * line was lost, or in which one was changed, does not replay. The check finds accidents; it is no
 * signature, since whoever can write the file can compute it. Relies on steps.h.
 * ---------------------------------------------------------------------------------------------- */

/* One entry. For mechanisms whose noise_multiplier is a noise scale over a sensitivity, sensitivity
 * and sigma (that scale) say where it comes from; both are 0 where they vary from step to step or
 * are not known. For other mechanisms both are 0. */
typedef struct dppair_ledger_entry {
  dppair_step step; /* its sampling states the neighbours, for plain steps too; or 0 */
  double sensitivity, sigma;
  double failure;    /* probability in [0, 1] that is added to delta (dppair_accountant_failure) */
  uint8_t nonce[16]; /* public random bits of whoever drew the noise's keys; 0: not recorded */
  uint64_t sequence; /* its number in the account, from 1 */
  uint64_t check;    /* of the account once it is charged */
} dppair_ledger_entry;

#define DPPAIR_LEDGER_LINE 512 /* characters: no line is longer */

/* Continues a check over the word at `place`; a word of 0 changes nothing. The rest is the
 * finaliser of MurmurHash3 (Appleby, public domain), which is a bijection. */
DPPAIR_API uint64_t dppair_check_word_(uint64_t check, unsigned place, uint64_t word) {
  uint64_t h = (check ^ word) + place * UINT64_C(0x9e3779b97f4a7c15);
  if (word == 0) return check;
  h = (h ^ (h >> 33)) * UINT64_C(0xff51afd7ed558ccd);
  h = (h ^ (h >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
  return h ^ (h >> 33);
}

/* The same over the bits of a number; -0 is 0. */
DPPAIR_API uint64_t dppair_check_number_(uint64_t check, unsigned place, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return dppair_check_word_(check, place, bits << 1 ? bits : 0);
}

/* The group of a sampling, as lines and checks have it: 0 where a matching's groups are pairs, as
 * they are unless a line says otherwise. */
DPPAIR_API size_t dppair_ledger_group_(const dppair_sampling *draw) {
  return draw->kind == DPPAIR_MATCHING && draw->group == 2 ? 0 : draw->group;
}

/*
 * The check of an account whose check was `previous` and which is charged the entry: over the
 * entry's values, each at its place. Two entries that differ in one value have the same check with
 * probability 2^-64. It does not depend on the machine, nor on the text of a line.
 */
DPPAIR_API uint64_t dppair_ledger_check_of_(uint64_t previous, const dppair_ledger_entry *entry) {
  const dppair_step *step = &entry->step;
  const dppair_sampling *draw = &step->sampling;
  uint64_t check = previous, half[2] = {0, 0};
  size_t i;
  for (i = 0; i < sizeof entry->nonce; i++) half[i / 8] = half[i / 8] << 8 | entry->nonce[i];
  check = dppair_check_word_(check, 1, entry->sequence);
  check = dppair_check_word_(check, 2, half[0]);
  check = dppair_check_word_(check, 3, half[1]);
  check = dppair_check_word_(check, 4, (uint64_t)step->kind);
  check = dppair_check_word_(check, 5, (uint64_t)draw->adjacency);
  check = dppair_check_word_(check, 6, (uint64_t)draw->kind);
  check = dppair_check_number_(check, 7, draw->q);
  check = dppair_check_word_(check, 8, draw->n);
  check = dppair_check_word_(check, 9, draw->m);
  check = dppair_check_number_(check, 10, step->pair_rate);
  check = dppair_check_number_(check, 11, step->noise_multiplier);
  check = dppair_check_word_(check, 12, step->steps);
  check = dppair_check_number_(check, 13, entry->failure);
  check = dppair_check_number_(check, 14, entry->sensitivity);
  check = dppair_check_number_(check, 15, entry->sigma);
  check = dppair_check_word_(check, 18, draw->batches); /* 16 and 17: dppair_accountant_merge */
  check = dppair_check_word_(check, 19, dppair_ledger_group_(draw));
  check = dppair_check_word_(check, 20, draw->owned);
  return dppair_check_number_(check, 21, step->ridge);
}
