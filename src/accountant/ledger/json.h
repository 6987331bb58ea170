/* ------------------------------------------------------------------------------------------------
 * JSON of a fixed shape: one walk over a value writes it, or reads it
 *
 *   static void walk(dppair_json *j, double *epsilon, size_t *n) {
 *     dppair_json_literal_(j, "{\"epsilon\": ");
 *     dppair_json_number_(j, epsilon);
 *     dppair_json_literal_(j, ", \"n\": ");
 *     dppair_json_size_(j, n, 1000000);
 *     dppair_json_literal_(j, "}");
 *   }
 *   dppair_json j = dppair_json_writer_(text, room);    then walk; dppair_json_done_(&j): it fits
 *   dppair_json j = dppair_json_reader_(text, length);  then walk; dppair_json_done_(&j): it is one
 *
 * What is read has the members that the walk has, in their order, and no others; blanks do not
 * count. So a text from anywhere is read safely: after the first character that is wrong nothing
 * moves on, and numbers are 0. Numbers are 0 or of 1e-280 to 1e280, and read back to the same bits.
 *
 * Relies on numbers.h.
 * ---------------------------------------------------------------------------------------------- */

/* A place in a text that is written (in: NULL) or read. */
typedef struct dppair_json {
  dppair_text_ out;
  const char *in, *end;
  int bad; /* what was read is not what it must be, or what was to be written has no text */
} dppair_json;

/* Writes into text[room]; out.used goes on where the room ends (room 0: text may be NULL). */
DPPAIR_API dppair_json dppair_json_writer_(char *text, size_t room) {
  dppair_json j;
  memset(&j, 0, sizeof j);
  j.out.at = text;
  j.out.room = room;
  return j;
}

/* Reads text[length], which is not NULL. */
DPPAIR_API dppair_json dppair_json_reader_(const char *text, size_t length) {
  dppair_json j;
  memset(&j, 0, sizeof j);
  j.in = text;
  j.end = text + length;
  return j;
}

/* Is c next in what is read, behind blanks? */
DPPAIR_API int dppair_json_next_(dppair_json *j, char c) {
  while (j->in < j->end && (*j->in == ' ' || *j->in == '\n' || *j->in == '\r' || *j->in == '\t'))
    j->in++;
  return !j->bad && j->in < j->end && *j->in == c;
}

/* Was all of it written, or read to its end? */
DPPAIR_API int dppair_json_done_(dppair_json *j) {
  if (j->in == NULL) return !j->bad && j->out.used <= j->out.room;
  (void)dppair_json_next_(j, ' ');
  return !j->bad && j->in == j->end;
}

/* These characters; blanks count inside of quotes only. */
DPPAIR_API void dppair_json_literal_(dppair_json *j, const char *text) {
  int quoted = 0;
  if (j->in == NULL) dppair_text_string_(&j->out, text);
  for (; j->in != NULL && !j->bad && *text != '\0'; text++) {
    if (!quoted && (*text == ' ' || *text == '\n')) continue;
    if (quoted ? j->in == j->end || *j->in != *text : !dppair_json_next_(j, *text)) j->bad = 1;
    if (!j->bad) j->in++;
    quoted ^= *text == '"';
  }
}

/* A string; read: whatever it is. */
DPPAIR_API void dppair_json_string_(dppair_json *j, const char *text) {
  dppair_json_literal_(j, "\"");
  for (; j->in == NULL && *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') dppair_text_char_(&j->out, '\\');
    if (c >= 0x20) {
      dppair_text_char_(&j->out, *text);
      continue;
    }
    dppair_text_string_(&j->out, "\\u00");
    dppair_text_char_(&j->out, "0123456789abcdef"[c >> 4]);
    dppair_text_char_(&j->out, "0123456789abcdef"[c & 15]);
  }
  while (j->in != NULL && !j->bad && j->in < j->end && *j->in != '"') {
    if ((unsigned char)*j->in < 0x20 || (*j->in == '\\' && ++j->in == j->end))
      j->bad = 1;
    else
      j->in++;
  }
  dppair_json_literal_(j, "\"");
}

/* Has x a text that reads back to it? -0 reads as 0. */
DPPAIR_API int dppair_json_holds_(double x) {
  return dppair_isfinite_f64(x) && !(dppair_fabs_(x) > 1e280) &&
         (!(dppair_fabs_(x) > 0.0) || dppair_fabs_(x) >= 1e-280);
}

/* A number that dppair_json_holds_. */
DPPAIR_API void dppair_json_number_(dppair_json *j, double *x) {
  const int negative = j->in == NULL ? *x < 0.0 : dppair_json_next_(j, '-');
  size_t used;
  if (negative) dppair_json_literal_(j, "-");
  if (j->in == NULL) {
    if (!dppair_json_holds_(*x) || dppair_text_double_(&j->out, dppair_fabs_(*x)) != 0) j->bad = 1;
    return;
  }
  if (!negative) (void)dppair_json_next_(j, ' ');
  used = j->bad ? 0 : dppair_parse_double_(x, j->in, (size_t)(j->end - j->in));
  if (used == 0 || !dppair_json_holds_(*x)) j->bad = 1;
  if (j->bad) *x = 0.0;
  if (negative && *x > 0.0) *x = -*x;
  if (!j->bad) j->in += used;
}

/* A whole number from 0 to most <= 2^53. */
DPPAIR_API void dppair_json_size_(dppair_json *j, size_t *value, size_t most) {
  double x = (double)*value;
  dppair_json_number_(j, &x);
  if (!(x >= 0.0 && x <= (double)most) || dppair_floor_(x) < x) j->bad = 1;
  *value = j->bad ? 0 : (size_t)x;
}

/* Numbers in brackets: v[*n]; read: at most `room`, *n becomes how many. */
DPPAIR_API void dppair_json_numbers_(dppair_json *j, double *v, size_t *n, size_t room) {
  const size_t most = j->in == NULL ? *n : room;
  size_t k;
  dppair_json_literal_(j, "[");
  for (k = 0; k < most && (j->in == NULL || !dppair_json_next_(j, ']')); k++) {
    if (k > 0) dppair_json_literal_(j, ", ");
    dppair_json_number_(j, &v[k]);
  }
  dppair_json_literal_(j, "]");
  *n = j->bad ? 0 : k;
}
