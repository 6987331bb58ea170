/* ------------------------------------------------------------------------------------------------
 * The text of a ledger
 *
 * A ledger has one line of JSON for each charge of an account:
 *
 *   {"dppair":2,"sequence":1,"run":"00112233445566778899aabbccddeeff",
 *    "mechanism":"sampled-gaussian","adjacency":"replace-one","sampling":"poisson","n":1000,"m":50,
 *    "noise_multiplier":2.5,"steps":100,"failure":0,"sensitivity":"varies","sigma":"varies",
 *    "check":"0123456789abcdef"}                                            (on one line)
 *
 *   sequence    the number of the charge in its account, from 1
 *   run         128 random bits of the program that drew the noise's keys; left out where none are
 *               recorded (dppair_ledger_step without a release)
 *   adjacency   "none" where nobody stated it
 *   sampling .. ridge       what the mechanism reads, each left out where it is 0 (the group of a
 *               matching: where it is 2)
 *   sensitivity, sigma      what noise_multiplier is the quotient of, for mechanisms where it is
 *               one; "varies" where they vary from step to step or are not known
 *   check       of the account once the line is charged: dppair_ledger_check_of_
 *
 * One table says which keys there are and where their values belong; writer and reader follow it.
 * A line is what the writer writes, byte for byte, and nothing else: spaces, another order, another
 * spelling of a number, an unknown, repeated, missing or unread key are refused. Numbers carry 17
 * significant digits and read back to the same double. Lines of version 1 are refused: they have
 * neither number nor check, so that a lost line would not show.
 *
 * Relies on ledger_entry.h, numbers.h and mechanisms/.
 * ---------------------------------------------------------------------------------------------- */

/* What follows a key. */
typedef enum dppair_ledger_type_ {
  DPPAIR_LEDGER_VERSION_, /* 2 */
  DPPAIR_LEDGER_MECHANISM_,
  DPPAIR_LEDGER_ADJACENCY_,
  DPPAIR_LEDGER_SAMPLING_,
  DPPAIR_LEDGER_NUMBER_, /* a double */
  DPPAIR_LEDGER_SCALE_,  /* a double; 0: "varies"; only where the multiplier is a quotient */
  DPPAIR_LEDGER_COUNT_,  /* a size_t of at most 2^53 */
  DPPAIR_LEDGER_GROUP_,  /* the same; left out where it is dppair_ledger_group_'s 0 */
  DPPAIR_LEDGER_LONG_,   /* a uint64_t of at most 2^53 */
  DPPAIR_LEDGER_RUN_,    /* 16 bytes, in hexadecimal digits */
  DPPAIR_LEDGER_CHECK_   /* a uint64_t, in hexadecimal digits */
} dppair_ledger_type_;

typedef struct dppair_ledger_field_ {
  const char *key;
  dppair_ledger_type_ type;
  size_t offset; /* of the value in dppair_ledger_entry */
  int optional;  /* left out where it is 0 */
} dppair_ledger_field_;

enum { DPPAIR_LEDGER_FIELDS_ = 20 };

/* The i-th field of a line. */
DPPAIR_API const dppair_ledger_field_ *dppair_ledger_field_of_(size_t i) {
#define DPPAIR_X_(key, type, member, optional)                                                     \
  { key, type, offsetof(dppair_ledger_entry, member), optional }
  static const dppair_ledger_field_ field[DPPAIR_LEDGER_FIELDS_] = {
      {"dppair", DPPAIR_LEDGER_VERSION_, 0, 0},
      DPPAIR_X_("sequence", DPPAIR_LEDGER_LONG_, sequence, 0),
      DPPAIR_X_("run", DPPAIR_LEDGER_RUN_, nonce, 1),
      {"mechanism", DPPAIR_LEDGER_MECHANISM_, 0, 0},
      {"adjacency", DPPAIR_LEDGER_ADJACENCY_, 0, 0},
      {"sampling", DPPAIR_LEDGER_SAMPLING_, 0, 1},
      DPPAIR_X_("q", DPPAIR_LEDGER_NUMBER_, step.sampling.q, 1),
      DPPAIR_X_("n", DPPAIR_LEDGER_COUNT_, step.sampling.n, 1),
      DPPAIR_X_("m", DPPAIR_LEDGER_COUNT_, step.sampling.m, 1),
      DPPAIR_X_("batches", DPPAIR_LEDGER_COUNT_, step.sampling.batches, 1),
      DPPAIR_X_("group", DPPAIR_LEDGER_GROUP_, step.sampling.group, 1),
      DPPAIR_X_("owned", DPPAIR_LEDGER_COUNT_, step.sampling.owned, 1),
      DPPAIR_X_("pair_rate", DPPAIR_LEDGER_NUMBER_, step.pair_rate, 1),
      DPPAIR_X_("ridge", DPPAIR_LEDGER_NUMBER_, step.ridge, 1),
      DPPAIR_X_("noise_multiplier", DPPAIR_LEDGER_NUMBER_, step.noise_multiplier, 0),
      DPPAIR_X_("steps", DPPAIR_LEDGER_COUNT_, step.steps, 0),
      DPPAIR_X_("failure", DPPAIR_LEDGER_NUMBER_, failure, 0),
      DPPAIR_X_("sensitivity", DPPAIR_LEDGER_SCALE_, sensitivity, 0),
      DPPAIR_X_("sigma", DPPAIR_LEDGER_SCALE_, sigma, 0),
      DPPAIR_X_("check", DPPAIR_LEDGER_CHECK_, check, 0)};
#undef DPPAIR_X_
  return &field[i];
}

/* Is the multiplier of the entry's step its sigma/sensitivity, or is neither of the two recorded?
 * The tolerance is the rounding of the quotient, or of sigma = multiplier * sensitivity; what is
 * charged is rounded up by more. */
DPPAIR_API dppair_status dppair_ledger_scale_check_(const dppair_ledger_entry *entry) {
  const double z = entry->step.noise_multiplier;
  double quotient;
  if (entry->sensitivity == 0.0 && entry->sigma == 0.0) return DPPAIR_OK;
  if (!dppair_mechanism_scales_(entry->step.kind)) return DPPAIR_ERR_UNREAD;
  if (!(entry->sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  quotient = entry->sigma / entry->sensitivity;
  return z <= quotient * (1.0 + DBL_EPSILON) && z >= quotient * (1.0 - 4.0 * DBL_EPSILON)
             ? DPPAIR_OK
             : DPPAIR_ERR_SIGMA;
}

/* May this entry be written, charged, or have been read? Sequence and check are not looked at. */
DPPAIR_API dppair_status dppair_ledger_check_(const dppair_ledger_entry *entry) {
  const dppair_step *s = &entry->step;
  const uint64_t most = UINT64_C(1) << 53;
  const dppair_status status = dppair_step_check_(s);
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(entry->sensitivity) || !dppair_isfinite_f64(entry->sigma) ||
      !dppair_isfinite_f64(entry->failure))
    return DPPAIR_ERR_NOT_FINITE;
  if (entry->failure < 0.0 || entry->failure > 1.0) return DPPAIR_ERR_DOMAIN;
  if ((uint64_t)s->steps > most || (uint64_t)s->sampling.n > most ||
      (uint64_t)s->sampling.m > most || (uint64_t)s->sampling.batches > most ||
      (uint64_t)s->sampling.group > most || (uint64_t)s->sampling.owned > most)
    return DPPAIR_ERR_OVERFLOW;
  return dppair_ledger_scale_check_(entry);
}

DPPAIR_API int dppair_ledger_has_run_(const dppair_ledger_entry *entry) {
  uint8_t any = 0;
  size_t i;
  for (i = 0; i < sizeof entry->nonce; i++) any |= entry->nonce[i];
  return any != 0;
}

/* Has the entry's line this field? */
DPPAIR_API int dppair_ledger_has_(const dppair_ledger_entry *entry,
                                  const dppair_ledger_field_ *field) {
  const char *at = (const char *)entry + field->offset;
  double number;
  size_t count;
  if (field->type == DPPAIR_LEDGER_SCALE_) return dppair_mechanism_scales_(entry->step.kind);
  if (!field->optional) return 1;
  if (field->type == DPPAIR_LEDGER_RUN_) return dppair_ledger_has_run_(entry);
  if (field->type == DPPAIR_LEDGER_SAMPLING_) return entry->step.sampling.kind != DPPAIR_ALL;
  if (field->type == DPPAIR_LEDGER_GROUP_) return dppair_ledger_group_(&entry->step.sampling) != 0;
  if (field->type == DPPAIR_LEDGER_COUNT_) {
    memcpy(&count, at, sizeof count);
    return count != 0;
  }
  memcpy(&number, at, sizeof number);
  return number > 0.0 || number < 0.0;
}

DPPAIR_API void dppair_ledger_write_word_(dppair_text_ *t, const char *word) {
  dppair_text_char_(t, '"');
  dppair_text_string_(t, word);
  dppair_text_char_(t, '"');
}

/* Writes the value of a field; returns 1 for a number that has no such text. */
DPPAIR_API int dppair_ledger_write_value_(dppair_text_ *t, const dppair_ledger_entry *entry,
                                          const dppair_ledger_field_ *field) {
  const char *at = (const char *)entry + field->offset;
  uint8_t bytes[16];
  double number;
  size_t count;
  uint64_t value = 2;
  switch (field->type) {
  case DPPAIR_LEDGER_MECHANISM_:
    dppair_ledger_write_word_(t, dppair_mechanism_name(entry->step.kind));
    return 0;
  case DPPAIR_LEDGER_ADJACENCY_:
    dppair_ledger_write_word_(t, dppair_adjacency_name(entry->step.sampling.adjacency));
    return 0;
  case DPPAIR_LEDGER_SAMPLING_:
    dppair_ledger_write_word_(t, dppair_sampling_name(entry->step.sampling.kind));
    return 0;
  case DPPAIR_LEDGER_SCALE_:
  case DPPAIR_LEDGER_NUMBER_:
    memcpy(&number, at, sizeof number);
    if (field->type == DPPAIR_LEDGER_NUMBER_ || number > 0.0) return dppair_text_double_(t, number);
    dppair_ledger_write_word_(t, "varies");
    return 0;
  case DPPAIR_LEDGER_RUN_:
    dppair_text_hex_(t, (const uint8_t *)at, 16);
    return 0;
  case DPPAIR_LEDGER_CHECK_:
    memcpy(&value, at, sizeof value);
    for (count = 0; count < 8; count++) bytes[count] = (uint8_t)(value >> (56 - 8 * count));
    dppair_text_hex_(t, bytes, 8);
    return 0;
  case DPPAIR_LEDGER_COUNT_:
  case DPPAIR_LEDGER_GROUP_:
    memcpy(&count, at, sizeof count);
    dppair_text_size_(t, (uint64_t)count);
    return 0;
  case DPPAIR_LEDGER_LONG_:
    memcpy(&value, at, sizeof value);
    break;
  case DPPAIR_LEDGER_VERSION_:
    break;
  }
  dppair_text_size_(t, value);
  return 0;
}

/*
 * Writes the entry's line, without newline and terminator, and its length; DPPAIR_LEDGER_LINE
 * characters always suffice. dppair_ledger_step numbers and chains entries; this writes what it is
 * given. Errors: NULL, ENVIRONMENT, WORKSPACE (capacity), those of the step, and DOMAIN for a
 * sequence that is not in [1, 2^53] or a number that is neither 0 nor in [1e-280, 1e280]. Then the
 * length is 0 and line[0] a terminator.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_write(char *line, size_t capacity,
                                                               size_t *length,
                                                               const dppair_ledger_entry *entry) {
  dppair_text_ t;
  dppair_status status;
  size_t i;
  int bad = 0;
  if (line == NULL || length == NULL) return DPPAIR_ERR_NULL;
  *length = 0;
  if (capacity > 0) line[0] = '\0';
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return status;
  if (entry->sequence < 1 || entry->sequence > UINT64_C(1) << 53) return DPPAIR_ERR_DOMAIN;
  t.at = line;
  t.used = 0;
  t.room = capacity;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
    if (!dppair_ledger_has_(entry, field)) continue;
    dppair_text_string_(&t, i == 0 ? "{\"" : ",\"");
    dppair_text_string_(&t, field->key);
    dppair_text_string_(&t, "\":");
    bad |= dppair_ledger_write_value_(&t, entry, field);
  }
  dppair_text_char_(&t, '}');
  if (bad || t.used > capacity) {
    if (capacity > 0) line[0] = '\0';
    return bad ? DPPAIR_ERR_DOMAIN : DPPAIR_ERR_WORKSPACE;
  }
  *length = t.used;
  return DPPAIR_OK;
}

/* The part of a line that has not been read yet. */
typedef struct dppair_scan_ {
  const char *at, *end;
} dppair_scan_;

/* Takes this text if it is next: 1. */
DPPAIR_API int dppair_scan_text_(dppair_scan_ *s, const char *text) {
  const size_t length = strlen(text);
  if ((size_t)(s->end - s->at) < length || memcmp(s->at, text, length) != 0) return 0;
  s->at += length;
  return 1;
}

/* Takes this word in quotes if it is next: 1. */
DPPAIR_API int dppair_scan_word_(dppair_scan_ *s, const char *word) {
  dppair_scan_ rest = *s;
  if (!dppair_scan_text_(&rest, "\"") || !dppair_scan_text_(&rest, word) ||
      !dppair_scan_text_(&rest, "\""))
    return 0;
  *s = rest;
  return 1;
}

/* Takes 2 n hexadecimal digits in quotes: 1. */
DPPAIR_API int dppair_scan_hex_(uint8_t *bytes, size_t n, dppair_scan_ *s) {
  size_t i;
  if (!dppair_scan_text_(s, "\"") || (size_t)(s->end - s->at) < 2 * n) return 0;
  for (i = 0; i < 2 * n; i++) {
    const char c = *s->at++;
    const int digit = c >= '0' && c <= '9' ? c - '0' : (c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
    if (digit < 0) return 0;
    bytes[i / 2] = (uint8_t)(i % 2 == 0 ? digit << 4 : bytes[i / 2] | digit);
  }
  return dppair_scan_text_(s, "\"");
}

/* Takes a number of at most 2^53 in digits: 1. */
DPPAIR_API int dppair_scan_count_(uint64_t *value, dppair_scan_ *s) {
  int exponent;
  const size_t used = dppair_parse_digits_(value, &exponent, s->at, (size_t)(s->end - s->at));
  s->at += used;
  return used > 0 && exponent == 0 && *value <= UINT64_C(1) << 53;
}

/* Takes a name of this type and stores what it names: 1. A mechanism must not be "none". */
DPPAIR_API int dppair_ledger_read_name_(dppair_ledger_entry *e, dppair_ledger_type_ type,
                                        dppair_scan_ *s) {
  int j;
  if (type == DPPAIR_LEDGER_MECHANISM_)
    for (j = 1; j < DPPAIR_MECHANISM_COUNT_; j++) {
      e->step.kind = (dppair_mechanism_kind)j;
      if (dppair_scan_word_(s, dppair_mechanism_name(e->step.kind))) return 1;
    }
  if (type == DPPAIR_LEDGER_ADJACENCY_)
    for (j = 0; j <= DPPAIR_ADJACENCY_MOST_; j++) {
      e->step.sampling.adjacency = (dppair_adjacency)j;
      if (j > 0 && dppair_adjacency_check_(e->step.sampling.adjacency) != DPPAIR_OK) continue;
      if (dppair_scan_word_(s, dppair_adjacency_name(e->step.sampling.adjacency))) return 1;
    }
  if (type == DPPAIR_LEDGER_SAMPLING_)
    for (j = 0; j < DPPAIR_SAMPLING_COUNT_; j++) {
      e->step.sampling.kind = (dppair_sampling_kind)j;
      if (dppair_scan_word_(s, dppair_sampling_name(e->step.sampling.kind))) return 1;
    }
  return 0;
}

/* Takes the value of a field and stores it: 1. */
DPPAIR_API int dppair_ledger_read_value_(dppair_ledger_entry *e, const dppair_ledger_field_ *field,
                                         dppair_scan_ *s) {
  char *to = (char *)e + field->offset;
  uint8_t bytes[16];
  double number;
  uint64_t value = 0;
  size_t used;
  switch (field->type) {
  case DPPAIR_LEDGER_VERSION_:
    return dppair_scan_text_(s, "2");
  case DPPAIR_LEDGER_SCALE_:
  case DPPAIR_LEDGER_NUMBER_:
    if (field->type == DPPAIR_LEDGER_SCALE_ && dppair_scan_word_(s, "varies")) return 1;
    used = dppair_parse_double_(&number, s->at, (size_t)(s->end - s->at));
    s->at += used;
    memcpy(to, &number, sizeof number);
    return used > 0;
  case DPPAIR_LEDGER_COUNT_:
  case DPPAIR_LEDGER_GROUP_:
    if (!dppair_scan_count_(&value, s) || value > SIZE_MAX) return 0;
    used = (size_t)value;
    memcpy(to, &used, sizeof used);
    return 1;
  case DPPAIR_LEDGER_LONG_:
    if (!dppair_scan_count_(&value, s)) return 0;
    memcpy(to, &value, sizeof value);
    return 1;
  case DPPAIR_LEDGER_RUN_:
    return dppair_scan_hex_((uint8_t *)to, 16, s);
  case DPPAIR_LEDGER_CHECK_:
    if (!dppair_scan_hex_(bytes, 8, s)) return 0;
    for (used = 0; used < 8; used++) value = value << 8 | bytes[used];
    memcpy(to, &value, sizeof value);
    return 1;
  case DPPAIR_LEDGER_MECHANISM_:
  case DPPAIR_LEDGER_ADJACENCY_:
  case DPPAIR_LEDGER_SAMPLING_:
    break;
  }
  return dppair_ledger_read_name_(e, field->type, s);
}

/* Takes a whole line: 1. */
DPPAIR_API int dppair_ledger_read_fields_(dppair_ledger_entry *e, dppair_scan_ *s) {
  size_t i;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
    dppair_scan_ rest = *s;
    if (field->type == DPPAIR_LEDGER_SCALE_ && !dppair_ledger_has_(e, field)) continue;
    if (!dppair_scan_text_(&rest, i == 0 ? "{" : ",") || !dppair_scan_word_(&rest, field->key) ||
        !dppair_scan_text_(&rest, ":")) {
      if (field->optional) continue;
      return 0;
    }
    *s = rest;
    if (!dppair_ledger_read_value_(e, field, s)) return 0;
  }
  return dppair_scan_text_(s, "}") && s->at == s->end;
}

/*
 * Reads one line back, with its newline or without. Its check is read, not compared: that is
 * dppair_ledger_replay. DPPAIR_ERR_FORMAT: the line is not one of this version to the last
 * character, or a count exceeds this machine's size_t; other errors are those of the step. *entry
 * is zeroed on any error.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_read(dppair_ledger_entry *entry,
                                                              const char *line, size_t length) {
  char written[DPPAIR_LEDGER_LINE];
  dppair_ledger_entry e;
  dppair_scan_ s;
  dppair_status status;
  size_t used;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  memset(entry, 0, sizeof *entry);
  memset(&e, 0, sizeof e);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (line == NULL) return DPPAIR_ERR_NULL;
  if (length > 0 && line[length - 1] == '\n') length--;
  if (length > 0 && line[length - 1] == '\r') length--;
  s.at = line;
  s.end = line + length;
  if (!dppair_ledger_read_fields_(&e, &s)) return DPPAIR_ERR_FORMAT;
  status = dppair_ledger_check_(&e);
  if (status != DPPAIR_OK) return status;
  status = dppair_ledger_write(written, sizeof written, &used, &e);
  if (status != DPPAIR_OK || used != length || memcmp(written, line, length) != 0)
    return DPPAIR_ERR_FORMAT;
  *entry = e;
  return DPPAIR_OK;
}
