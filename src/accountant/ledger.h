/* May this entry be written, charged, or have been read? */
DPPAIR_API dppair_status dppair_ledger_check_(const dppair_ledger_entry *entry) {
  const dppair_step *s = &entry->step;
  const int scaled = s->kind != DPPAIR_PURE && s->kind != DPPAIR_ZCDP &&
                     s->kind != DPPAIR_RANDOMISED_RESPONSE;
  const uint64_t most = UINT64_C(1) << 53;
  const dppair_status status = dppair_step_check_(s);
  if (status != DPPAIR_OK) return status;
  if (entry->adjacency != 0 && dppair_adjacency_check_(entry->adjacency) != DPPAIR_OK)
    return DPPAIR_ERR_ADJACENCY;
  if (s->sampling.adjacency != entry->adjacency &&
      (s->sampling.kind != DPPAIR_NO_SAMPLING || s->sampling.adjacency != 0))
    return DPPAIR_ERR_ADJACENCY;
  if (s->kind == DPPAIR_SAMPLED_GAUSSIAN || s->kind == DPPAIR_SAMPLED_PAIRS) {
    dppair_hit_law_ law; /* what cannot be charged is not written */
    const dppair_status charged = dppair_hit_law_of_(&law, s);
    if (charged != DPPAIR_OK) return charged;
  }
  if (!dppair_isfinite_f64(entry->sensitivity) || !dppair_isfinite_f64(entry->sigma) ||
      !dppair_isfinite_f64(entry->failure))
    return DPPAIR_ERR_NOT_FINITE;
  if (entry->failure < 0.0 || entry->failure > 1.0) return DPPAIR_ERR_DOMAIN;
  if ((uint64_t)s->steps > most || (uint64_t)s->sampling.n > most ||
      (uint64_t)s->sampling.m > most)
    return DPPAIR_ERR_OVERFLOW;
  if (entry->sensitivity == 0.0 && entry->sigma == 0.0) return DPPAIR_OK; /* not recorded */
  if (!scaled) return DPPAIR_ERR_UNREAD;
  if (!(entry->sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  {
    /* the rounding of the quotient, or of sigma = multiplier * sensitivity; what is charged is
     * rounded up by more */
    const double quotient = entry->sigma / entry->sensitivity;
    return s->noise_multiplier <= quotient * (1.0 + DBL_EPSILON) &&
                   s->noise_multiplier >= quotient * (1.0 - 4.0 * DBL_EPSILON)
               ? DPPAIR_OK
               : DPPAIR_ERR_SIGMA;
  }
}

/* Writes the entry's line (no newline, no terminator) and its length. DPPAIR_LEDGER_LINE characters
 * are always enough. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_write(char *line, size_t capacity,
                                                               size_t *length,
                                                               const dppair_ledger_entry *entry) {
  dppair_text_ t;
  const dppair_step *s;
  dppair_status status;
  int bad = 0;
  if (line == NULL || length == NULL) return DPPAIR_ERR_NULL;
  *length = 0;
  if (capacity > 0) line[0] = '\0';
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  s = &entry->step;
  status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return status;
  t.at = line;
  t.used = 0;
  t.room = capacity;
  dppair_text_string_(&t, "{\"dppair\":1,\"mechanism\":\"");
  dppair_text_string_(&t, dppair_mechanism_name(s->kind));
  dppair_text_string_(&t, "\",\"adjacency\":\"");
  dppair_text_string_(&t, dppair_adjacency_name(entry->adjacency));
  dppair_text_string_(&t, "\",\"sampling\":\"");
  dppair_text_string_(&t, dppair_sampling_name(s->sampling.kind));
  dppair_text_string_(&t, "\",\"q\":");
  bad |= dppair_text_double_(&t, s->sampling.q);
  dppair_text_string_(&t, ",\"n\":");
  dppair_text_size_(&t, (uint64_t)s->sampling.n);
  dppair_text_string_(&t, ",\"m\":");
  dppair_text_size_(&t, (uint64_t)s->sampling.m);
  dppair_text_string_(&t, ",\"pair_rate\":");
  bad |= dppair_text_double_(&t, s->pair_rate);
  dppair_text_string_(&t, ",\"sensitivity\":");
  bad |= dppair_text_double_(&t, entry->sensitivity);
  dppair_text_string_(&t, ",\"sigma\":");
  bad |= dppair_text_double_(&t, entry->sigma);
  dppair_text_string_(&t, ",\"noise_multiplier\":");
  bad |= dppair_text_double_(&t, s->noise_multiplier);
  dppair_text_string_(&t, ",\"steps\":");
  dppair_text_size_(&t, (uint64_t)s->steps);
  dppair_text_string_(&t, ",\"failure\":");
  bad |= dppair_text_double_(&t, entry->failure);
  dppair_text_char_(&t, '}');
  if (bad || t.used > capacity) {
    if (capacity > 0) line[0] = '\0';
    return bad ? DPPAIR_ERR_DOMAIN : DPPAIR_ERR_WORKSPACE;
  }
  *length = t.used;
  return DPPAIR_OK;
}

/* Matches "word" (with its quotes) at s. */
DPPAIR_API int dppair_ledger_word_(const char *s, size_t length, const char *word) {
  const size_t n = strlen(word);
  return length == n && memcmp(s, word, n) == 0;
}

/* Reads one line back. DPPAIR_ERR_FORMAT: not a line of this version, to the letter, or a count
 * that this machine's size_t cannot hold; other errors say what is wrong with the step. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_read(dppair_ledger_entry *entry,
                                                              const char *line, size_t length) {
  static const char *const key[13] = {
      "dppair",    "mechanism",   "adjacency", "sampling",         "q",     "n",      "m",
      "pair_rate", "sensitivity", "sigma",     "noise_multiplier", "steps", "failure"};
  dppair_ledger_entry e;
  dppair_status status;
  unsigned found = 0;
  size_t i = 0;
  if (entry == NULL) return DPPAIR_ERR_NULL;
  memset(entry, 0, sizeof *entry);
  memset(&e, 0, sizeof e);
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (line == NULL) return DPPAIR_ERR_NULL;
  while (length > 0 &&
         (line[length - 1] == '\n' || line[length - 1] == '\r' || line[length - 1] == ' '))
    length--;
  if (length < 2 || line[0] != '{' || line[length - 1] != '}') return DPPAIR_ERR_FORMAT;
  length--;
  i = 1;
  while (i < length) {
    size_t start, k, used = 0;
    double number = 0.0;
    const char *text = NULL;
    while (i < length && line[i] == ' ') i++;
    if (i >= length || line[i] != '"') return DPPAIR_ERR_FORMAT;
    for (start = ++i; i < length && line[i] != '"'; i++) {
    }
    if (i >= length) return DPPAIR_ERR_FORMAT;
    for (k = 0; k < 13; k++)
      if (dppair_ledger_word_(line + start, i - start, key[k])) break;
    if (k == 13 || (found & (1u << k))) return DPPAIR_ERR_FORMAT;
    found |= 1u << k;
    i++;
    while (i < length && line[i] == ' ') i++;
    if (i >= length || line[i] != ':') return DPPAIR_ERR_FORMAT;
    i++;
    while (i < length && line[i] == ' ') i++;
    if (k >= 1 && k <= 3) {
      int match = 0, j;
      if (i >= length || line[i] != '"') return DPPAIR_ERR_FORMAT;
      text = line + ++i;
      for (used = 0; i + used < length && text[used] != '"'; used++) {
      }
      if (i + used >= length) return DPPAIR_ERR_FORMAT;
      for (j = 0; j < 8 && !match; j++) {
        if (k == 1 && j > 0 &&
            (match = dppair_ledger_word_(text, used,
                                         dppair_mechanism_name((dppair_mechanism_kind)j))) != 0)
          e.step.kind = (dppair_mechanism_kind)j;
        if (k == 2 && j < 3 &&
            (match = dppair_ledger_word_(text, used, dppair_adjacency_name((dppair_adjacency)j))) !=
                0)
          e.adjacency = (dppair_adjacency)j;
        if (k == 3 && j < 5 &&
            (match = dppair_ledger_word_(text, used,
                                         dppair_sampling_name((dppair_sampling_kind)j))) != 0)
          e.step.sampling.kind = (dppair_sampling_kind)j;
      }
      if (!match) return DPPAIR_ERR_FORMAT;
      i += used + 1;
    } else {
      used = dppair_parse_double_(&number, line + i, length - i);
      if (used == 0) return DPPAIR_ERR_FORMAT;
      if (k == 5 || k == 6 || k == 11) { /* sizes: digits only, exactly representable */
        size_t j;
        for (j = 0; j < used; j++)
          if (line[i + j] < '0' || line[i + j] > '9') return DPPAIR_ERR_FORMAT;
        if (number > 9007199254740992.0 || number > (double)SIZE_MAX) return DPPAIR_ERR_FORMAT;
      }
      i += used;
      switch (k) {
      case 0:
        if (!(number >= 1.0 && number <= 1.0)) return DPPAIR_ERR_FORMAT;
        break;
      case 4:
        e.step.sampling.q = number;
        break;
      case 5:
        e.step.sampling.n = (size_t)number;
        break;
      case 6:
        e.step.sampling.m = (size_t)number;
        break;
      case 7:
        e.step.pair_rate = number;
        break;
      case 8:
        e.sensitivity = number;
        break;
      case 9:
        e.sigma = number;
        break;
      case 10:
        e.step.noise_multiplier = number;
        break;
      case 11:
        e.step.steps = (size_t)number;
        break;
      default:
        e.failure = number;
      }
    }
    while (i < length && line[i] == ' ') i++;
    if (i < length && line[i++] != ',') return DPPAIR_ERR_FORMAT;
    if (i >= length && line[length - 1] == ',') return DPPAIR_ERR_FORMAT;
  }
  if (found != 0x1fffu) return DPPAIR_ERR_FORMAT;
  e.step.sampling.adjacency = e.adjacency;
  status = dppair_ledger_check_(&e);
  if (status == DPPAIR_OK) *entry = e;
  return status;
}

/* Accounts for an entry. Entries that state different adjacencies do not mix. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_ledger_apply(dppair_accountant *a,
                                                               const dppair_ledger_entry *entry) {
  dppair_status status = dppair_accountant_open_(a);
  dppair_step step;
  if (status != DPPAIR_OK) return status;
  if (entry == NULL) return dppair_accountant_break_(a, DPPAIR_ERR_NULL);
  status = dppair_ledger_check_(entry);
  if (status != DPPAIR_OK) return dppair_accountant_break_(a, status);
  if (entry->adjacency != 0) {
    if (a->adjacency != 0 && a->adjacency != entry->adjacency)
      return dppair_accountant_break_(a, DPPAIR_ERR_ADJACENCY);
    a->adjacency = entry->adjacency;
  }
  step = entry->step;
  step.sampling.adjacency = entry->adjacency;
  status = dppair_accountant_step(a, &step);
  if (status != DPPAIR_OK || entry->failure == 0.0) return status;
  return dppair_accountant_failure(a, entry->failure);
}

/*
 * Call BEFORE a release: hands the entry's line to the sink, then charges the account. When either
 * fails the account is broken and the release must not happen.
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
  if (sink(line, length, context) != 0) return dppair_accountant_break_(a, DPPAIR_ERR_FORMAT);
  return dppair_ledger_apply(a, entry);
}

/*
 * Reads a whole ledger (lines separated by newlines, empty lines skipped) into the account. Calling
 * it for several ledgers merges them. On an error *bad_line is the line's number, from 1, and the
 * account is broken. The account answers to the last bit as the one that wrote the ledger did.
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

DPPAIR_FP_END_
