/* ------------------------------------------------------------------------------------------------
 * Writing and reading the ledger
 *
 * One table says which keys a line has and where their values belong; the writer and the reader
 * both follow it. Relies on ledger_entry.h, numbers.h, steps.h and account.h.
 * ---------------------------------------------------------------------------------------------- */

/* What follows a key. The types whose values are names come before all others. */
typedef enum dppair_ledger_type_ {
  DPPAIR_LEDGER_MECHANISM_,
  DPPAIR_LEDGER_ADJACENCY_,
  DPPAIR_LEDGER_SAMPLING_,
  DPPAIR_LEDGER_VERSION_, /* 1 */
  DPPAIR_LEDGER_NUMBER_,  /* a double */
  DPPAIR_LEDGER_COUNT_    /* a size_t of at most 2^53: digits only */
} dppair_ledger_type_;

typedef struct dppair_ledger_field_ {
  const char *key;
  dppair_ledger_type_ type;
  size_t offset; /* of a number or a count in dppair_ledger_entry */
} dppair_ledger_field_;

enum { DPPAIR_LEDGER_FIELDS_ = 13 };

/* The i-th field of a line. */
DPPAIR_API const dppair_ledger_field_ *dppair_ledger_field_of_(size_t i) {
#define DPPAIR_X_(key, type, member)                                                               \
  { key, type, offsetof(dppair_ledger_entry, member) }
  static const dppair_ledger_field_ field[DPPAIR_LEDGER_FIELDS_] = {
      {"dppair", DPPAIR_LEDGER_VERSION_, 0},
      {"mechanism", DPPAIR_LEDGER_MECHANISM_, 0},
      {"adjacency", DPPAIR_LEDGER_ADJACENCY_, 0},
      {"sampling", DPPAIR_LEDGER_SAMPLING_, 0},
      DPPAIR_X_("q", DPPAIR_LEDGER_NUMBER_, step.sampling.q),
      DPPAIR_X_("n", DPPAIR_LEDGER_COUNT_, step.sampling.n),
      DPPAIR_X_("m", DPPAIR_LEDGER_COUNT_, step.sampling.m),
      DPPAIR_X_("pair_rate", DPPAIR_LEDGER_NUMBER_, step.pair_rate),
      DPPAIR_X_("sensitivity", DPPAIR_LEDGER_NUMBER_, sensitivity),
      DPPAIR_X_("sigma", DPPAIR_LEDGER_NUMBER_, sigma),
      DPPAIR_X_("noise_multiplier", DPPAIR_LEDGER_NUMBER_, step.noise_multiplier),
      DPPAIR_X_("steps", DPPAIR_LEDGER_COUNT_, step.steps),
      DPPAIR_X_("failure", DPPAIR_LEDGER_NUMBER_, failure)};
#undef DPPAIR_X_
  return &field[i];
}

/* Is the multiplier of the entry's step its sigma/sensitivity, or is neither of the two recorded?
 * The tolerance is the rounding of the quotient, or of sigma = multiplier * sensitivity; what is
 * charged is rounded up by more. */
DPPAIR_API dppair_status dppair_ledger_scale_check_(const dppair_ledger_entry *entry) {
  const dppair_mechanism_kind kind = entry->step.kind;
  double quotient;
  if (entry->sensitivity == 0.0 && entry->sigma == 0.0) return DPPAIR_OK;
  if (!dppair_mechanism_scales_(kind)) return DPPAIR_ERR_UNREAD; /* no noise scale */
  if (!(entry->sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  quotient = entry->sigma / entry->sensitivity;
  return entry->step.noise_multiplier <= quotient * (1.0 + DBL_EPSILON) &&
                 entry->step.noise_multiplier >= quotient * (1.0 - 4.0 * DBL_EPSILON)
             ? DPPAIR_OK
             : DPPAIR_ERR_SIGMA;
}

/* May this entry be written, charged, or have been read? */
DPPAIR_API dppair_status dppair_ledger_check_(const dppair_ledger_entry *entry) {
  const dppair_step *s = &entry->step;
  const uint64_t most = UINT64_C(1) << 53;
  const dppair_status status = dppair_step_check_(s);
  if (status != DPPAIR_OK) return status;
  if (entry->adjacency != 0 && dppair_adjacency_check_(entry->adjacency) != DPPAIR_OK)
    return DPPAIR_ERR_ADJACENCY;
  if (s->sampling.adjacency != entry->adjacency &&
      (s->sampling.kind != DPPAIR_ALL || s->sampling.adjacency != 0))
    return DPPAIR_ERR_ADJACENCY;
  if (!dppair_isfinite_f64(entry->sensitivity) || !dppair_isfinite_f64(entry->sigma) ||
      !dppair_isfinite_f64(entry->failure))
    return DPPAIR_ERR_NOT_FINITE;
  if (entry->failure < 0.0 || entry->failure > 1.0) return DPPAIR_ERR_DOMAIN;
  if ((uint64_t)s->steps > most || (uint64_t)s->sampling.n > most || (uint64_t)s->sampling.m > most)
    return DPPAIR_ERR_OVERFLOW;
  return dppair_ledger_scale_check_(entry);
}

/* Writes the value of a field; returns 1 for a number that has no such text. */
DPPAIR_API int dppair_ledger_write_value_(dppair_text_ *t, const dppair_ledger_entry *entry,
                                          const dppair_ledger_field_ *field) {
  const char *name = "none";
  double number;
  size_t count;
  switch (field->type) {
  case DPPAIR_LEDGER_VERSION_:
    dppair_text_char_(t, '1');
    return 0;
  case DPPAIR_LEDGER_NUMBER_:
    memcpy(&number, (const char *)entry + field->offset, sizeof number);
    return dppair_text_double_(t, number);
  case DPPAIR_LEDGER_COUNT_:
    memcpy(&count, (const char *)entry + field->offset, sizeof count);
    dppair_text_size_(t, (uint64_t)count);
    return 0;
  case DPPAIR_LEDGER_MECHANISM_:
    name = dppair_mechanism_name(entry->step.kind);
    break;
  case DPPAIR_LEDGER_ADJACENCY_:
    name = dppair_adjacency_name(entry->adjacency);
    break;
  case DPPAIR_LEDGER_SAMPLING_:
    name = dppair_sampling_name(entry->step.sampling.kind);
    break;
  }
  dppair_text_char_(t, '"');
  dppair_text_string_(t, name);
  dppair_text_char_(t, '"');
  return 0;
}

/*
 * Writes the entry's line, without newline and terminator, and its length; DPPAIR_LEDGER_LINE
 * characters always suffice. Errors: NULL, ENVIRONMENT, WORKSPACE (capacity), those of the step,
 * and DOMAIN for a number that is neither 0 nor in [1e-280, 1e280]. Then the length is 0 and
 * line[0] a terminator.
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
  t.at = line;
  t.used = 0;
  t.room = capacity;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    const dppair_ledger_field_ *field = dppair_ledger_field_of_(i);
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

/* Skips spaces; then takes the character c if it is next: 1. */
DPPAIR_API int dppair_scan_char_(dppair_scan_ *s, char c) {
  while (s->at < s->end && *s->at == ' ') s->at++;
  if (s->at == s->end || *s->at != c) return 0;
  s->at++;
  return 1;
}

/* Takes a string in quotes, *text its *length characters between them: 1. The ledger's words have
 * no escapes. */
DPPAIR_API int dppair_scan_string_(const char **text, size_t *length, dppair_scan_ *s) {
  if (!dppair_scan_char_(s, '"')) return 0;
  *text = s->at;
  while (s->at < s->end && *s->at != '"') s->at++;
  *length = (size_t)(s->at - *text);
  return dppair_scan_char_(s, '"');
}

DPPAIR_API int dppair_ledger_is_word_(const char *text, size_t length, const char *word) {
  return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* Takes a name of this type and stores what it names: 1. A mechanism must not be "none". */
DPPAIR_API int dppair_ledger_read_name_(dppair_ledger_entry *e, dppair_ledger_type_ type,
                                        dppair_scan_ *s) {
  const char *text;
  size_t length;
  int j;
  if (!dppair_scan_string_(&text, &length, s)) return 0;
  if (type == DPPAIR_LEDGER_MECHANISM_)
    for (j = 1; j < DPPAIR_MECHANISM_COUNT_; j++) {
      e->step.kind = (dppair_mechanism_kind)j;
      if (dppair_ledger_is_word_(text, length, dppair_mechanism_name(e->step.kind))) return 1;
    }
  if (type == DPPAIR_LEDGER_ADJACENCY_)
    for (j = 0; j <= DPPAIR_ZERO_OUT; j++) {
      e->adjacency = (dppair_adjacency)j;
      if (dppair_ledger_is_word_(text, length, dppair_adjacency_name(e->adjacency))) return 1;
    }
  if (type == DPPAIR_LEDGER_SAMPLING_)
    for (j = 0; j < DPPAIR_SAMPLING_COUNT_; j++) {
      e->step.sampling.kind = (dppair_sampling_kind)j;
      if (dppair_ledger_is_word_(text, length, dppair_sampling_name(e->step.sampling.kind)))
        return 1;
    }
  return 0;
}

/* Takes a number of this field's type and stores it: 1. */
DPPAIR_API int dppair_ledger_read_number_(dppair_ledger_entry *e, const dppair_ledger_field_ *field,
                                          dppair_scan_ *s) {
  const char *text = s->at;
  double number;
  size_t used = dppair_parse_double_(&number, text, (size_t)(s->end - text)), count, i;
  if (used == 0) return 0;
  s->at += used;
  if (field->type == DPPAIR_LEDGER_VERSION_) return number >= 1.0 && number <= 1.0;
  if (field->type == DPPAIR_LEDGER_NUMBER_) {
    memcpy((char *)e + field->offset, &number, sizeof number);
    return 1;
  }
  for (i = 0; i < used; i++)
    if (text[i] < '0' || text[i] > '9') return 0;
  if (number > 9007199254740992.0 || number > (double)SIZE_MAX) return 0;
  count = (size_t)number;
  memcpy((char *)e + field->offset, &count, sizeof count);
  return 1;
}

/* Takes "key": value. *found has a bit per field: each key may occur once. */
DPPAIR_API int dppair_ledger_read_field_(dppair_ledger_entry *e, unsigned *found, dppair_scan_ *s) {
  const dppair_ledger_field_ *field = NULL;
  const char *text;
  size_t length, i;
  if (!dppair_scan_string_(&text, &length, s) || !dppair_scan_char_(s, ':')) return 0;
  for (i = 0; i < DPPAIR_LEDGER_FIELDS_; i++) {
    field = dppair_ledger_field_of_(i);
    if (dppair_ledger_is_word_(text, length, field->key)) break;
  }
  if (i == DPPAIR_LEDGER_FIELDS_ || (*found & (1u << i))) return 0;
  *found |= 1u << i;
  if (field->type < DPPAIR_LEDGER_VERSION_) return dppair_ledger_read_name_(e, field->type, s);
  while (s->at < s->end && *s->at == ' ') s->at++;
  return dppair_ledger_read_number_(e, field, s);
}

/* Reads one line back, ended by newlines and spaces or by nothing. DPPAIR_ERR_FORMAT: the line is
 * not one of this version, or a count exceeds this machine's size_t; other errors are those of the
 * entry. *entry is zeroed on any error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_read(dppair_ledger_entry *entry,
                                                              const char *line, size_t length) {
  dppair_ledger_entry e;
  dppair_scan_ s;
  dppair_status status;
  unsigned found = 0;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  memset(entry, 0, sizeof *entry);
  memset(&e, 0, sizeof e);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (line == NULL) return DPPAIR_ERR_NULL;
  while (length > 0 &&
         (line[length - 1] == '\n' || line[length - 1] == '\r' || line[length - 1] == ' '))
    length--;
  if (length < 2 || line[0] != '{' || line[length - 1] != '}') return DPPAIR_ERR_FORMAT;
  s.at = line + 1;
  s.end = line + length - 1;
  do {
    if (!dppair_ledger_read_field_(&e, &found, &s)) return DPPAIR_ERR_FORMAT;
  } while (dppair_scan_char_(&s, ','));
  if (s.at != s.end || found != (1u << DPPAIR_LEDGER_FIELDS_) - 1) return DPPAIR_ERR_FORMAT;
  e.step.sampling.adjacency = e.adjacency;
  status = dppair_ledger_check_(&e);
  if (status == DPPAIR_OK) *entry = e;
  return status;
}

/* Charges an entry to the account. An entry that is refused, or whose adjacency contradicts an
 * earlier one, breaks the account. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_apply(dppair_accountant *a,
                                                               const dppair_ledger_entry *entry) {
  dppair_status status = dppair_accountant_open_(a);
  dppair_ledger_entry charge;
  if (status != DPPAIR_OK) return status;
  if (entry == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  charge = *entry;
  charge.step.sampling.adjacency = entry->adjacency;
  return dppair_accountant_charge_(a, &charge);
}

/*
 * Call this BEFORE a release: it hands the entry's line to the sink and then charges the account.
 * If either fails, the account is broken and the release must not happen. Errors: FORMAT when the
 * sink did not store the line, else those of dppair_ledger_write and dppair_ledger_apply.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_step(dppair_accountant *a,
                                                              const dppair_ledger_entry *entry,
                                                              dppair_ledger_sink sink,
                                                              void *context) {
  char line[DPPAIR_LEDGER_LINE];
  size_t length;
  dppair_status status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (sink == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  status = dppair_ledger_write(line, sizeof line, &length, entry);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  if (sink(line, length, context) != DPPAIR_OK) return dppair_accountant_break_(a, DPPAIR_ERR_FORMAT);
  return dppair_ledger_apply(a, entry);
}

/*
 * Reads a whole ledger, lines separated by newlines, into the account; empty lines are skipped.
 * Calling it for several ledgers adds them up. The account then gives the same bits as the one that
 * wrote the ledger. On an error *bad_line is the number of the line, from 1, and the account is
 * broken.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_replay(dppair_accountant *a,
                                                                size_t *bad_line, const char *text,
                                                                size_t length) {
  size_t start = 0, number = 0;
  dppair_status status;
  if (bad_line != NULL) *bad_line = 0;
  status = dppair_accountant_open_(a);
  if (status != DPPAIR_OK) return status;
  if (bad_line == NULL || text == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  while (start < length) {
    size_t end = start, used;
    dppair_ledger_entry entry;
    while (end < length && text[end] != '\n') end++;
    number++;
    used = end - start;
    if (used > 0 && text[start + used - 1] == '\r') used--;
    if (used > 0) {
      status = dppair_ledger_read(&entry, text + start, used);
      if (status == DPPAIR_OK) status = dppair_ledger_apply(a, &entry);
      if (status != DPPAIR_OK) {
        *bad_line = number;
        return dppair_accountant_break_(a, status);
      }
    }
    start = end + 1;
  }
  return DPPAIR_OK;
}
