/* ------------------------------------------------------------------------------------------------
 * A model as text
 *
 *     {"format": "dppair auto 2", "score": "...", "route": 3, "epsilon": 1, ..., "columns": [
 *       {"name": "glucose", "warnings": 0, "at": [44, ...], "value": [-0.6, ...]}, ...]}
 *
 * which is the last member, "model", of the file that private_auc writes; epsilon 1e280 promises
 * nothing.
 *
 * Relies on model.h and accountant/ledger/json.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Writes or reads one map. */
DPPAIR_API void dppair_auto_walk_map_(dppair_json *j, dppair_auto_map *m, const char *name) {
  size_t warnings = m->warnings, values = m->knots;
  dppair_json_literal_(j, "\n      {\"name\": ");
  dppair_json_string_(j, name);
  dppair_json_literal_(j, ", \"warnings\": ");
  dppair_json_size_(j, &warnings, 7);
  dppair_json_literal_(j, ", \"at\": ");
  dppair_json_numbers_(j, m->at, &m->knots, DPPAIR_AUTO_KNOTS);
  dppair_json_literal_(j, ", \"value\": ");
  dppair_json_numbers_(j, m->value, &values, DPPAIR_AUTO_KNOTS);
  dppair_json_literal_(j, "}");
  m->warnings = (unsigned)warnings;
  if (values != m->knots) j->bad = 1;
}

/* Writes or reads a model; read: maps beyond `capacity` are counted and not kept. */
DPPAIR_API void dppair_auto_walk_(dppair_json *j, dppair_auto_model *m, size_t capacity,
                                  const char *const *names) {
  static const char *const figures[] = {", \"epsilon\": ", ", \"delta\": ",     ", \"rho\": ",
                                        ", \"rate\": ",    ", \"marginals\": ", ", \"weights\": "};
  double *const at[] = {&m->epsilon, &m->delta, &m->rho, &m->rate, &m->marginals, &m->weights};
  size_t k, warnings = m->warnings, route = (size_t)m->route;
  dppair_json_literal_(j,
                       "{\"format\": \"dppair auto 2\", \"score\": \"sum over the columns of a "
                       "value, linear between the knots and constant outside\",\n    \"route\": ");
  dppair_json_size_(j, &route, DPPAIR_AUTO_FIT);
  m->route = (dppair_auto_route)route;
  for (k = 0; k < sizeof at / sizeof *at; k++) {
    dppair_json_literal_(j, figures[k]);
    dppair_json_number_(j, at[k]);
  }
  dppair_json_literal_(j, ", \"n\": ");
  dppair_json_size_(j, &m->n, 1000000000);
  dppair_json_literal_(j, ", \"warnings\": ");
  dppair_json_size_(j, &warnings, 31);
  m->warnings = (unsigned)warnings;
  dppair_json_literal_(j, ",\n    \"columns\": [");
  for (k = 0; j->in == NULL ? k < m->d : !j->bad && !dppair_json_next_(j, ']'); k++) {
    dppair_auto_map map; /* as it is written, or beyond what is kept */
    memset(&map, 0, sizeof map);
    if (j->in == NULL) map = m->map[k];
    if (k > 0) dppair_json_literal_(j, ",");
    dppair_auto_walk_map_(j, &map, names != NULL ? names[k] : "");
    if (j->in != NULL && k < capacity) m->map[k] = map;
  }
  m->d = k;
  dppair_json_literal_(j, "\n    ]}");
}

/*
 * Writes a model as JSON into text[size], with a zero behind it that *length does not count. names:
 * the d columns' names, or NULL. Every number reads back to the same bits.
 *
 * Errors zero text and *length: NULL; SIZE and DOMAIN (what is no model); WORKSPACE where there is
 * no room, and then *length is what is needed, without the zero. Size 0 asks for it: text may be
 * NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_write(char *text, size_t size,
                                                             size_t *length,
                                                             const dppair_auto_model *fitted,
                                                             const char *const *names) {
  dppair_json j = dppair_json_writer_(text, size);
  dppair_auto_model copy;
  dppair_status status = dppair_auto_model_check_(fitted);
  if (length == NULL || (text == NULL && size > 0)) return DPPAIR_ERR_NULL;
  *length = 0;
  if (size > 0) memset(text, 0, size);
  if (status != DPPAIR_OK) return status;
  copy = *fitted;
  dppair_auto_walk_(&j, &copy, 0, names);
  if (!j.bad) *length = j.out.used;
  if (!j.bad && j.out.used < size) return DPPAIR_OK; /* the rest is 0 */
  if (size > 0) memset(text, 0, size);
  return j.bad ? DPPAIR_ERR_DOMAIN : DPPAIR_ERR_WORKSPACE;
}

/*
 * Reads text[length]: what dppair_auto_write wrote, or a file of private_auc. fitted->map: the
 * caller's array of `capacity` maps. The text may come from anywhere: a map whose knots do not
 * increase is refused like any other text.
 *
 * Errors zero the model and its maps: NULL; FORMAT (any other text); SIZE where there are more
 * columns than `capacity`, and then fitted->d says how many. NULL and OVERFLOW (a capacity that no
 * memory has) do not touch the maps.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auto_read(dppair_auto_model *fitted,
                                                            size_t capacity, const char *text,
                                                            size_t length) {
  static const char key[] = "\"model\":"; /* inside of a string quotes have a \ before them */
  const size_t size = sizeof key - 1;
  dppair_json j;
  size_t i, d = 0;
  if (fitted == NULL) return DPPAIR_ERR_NULL;
  dppair_auto_model_clear_(fitted);
  if (capacity > SIZE_MAX / sizeof *fitted->map) return DPPAIR_ERR_OVERFLOW;
  if (text == NULL || (fitted->map == NULL && capacity > 0)) return DPPAIR_ERR_NULL;
  for (i = length; i > 0 && (length - i < size || memcmp(text + i, key, size) != 0); i--) {
  }
  j = i > 0 ? dppair_json_reader_(text + i + size, length - i - size)
            : dppair_json_reader_(text, length);
  dppair_auto_walk_(&j, fitted, capacity, NULL);
  if (i > 0) dppair_json_literal_(&j, "}");
  if (dppair_json_done_(&j)) {
    d = fitted->d;
    if (d <= capacity && dppair_auto_model_check_(fitted) == DPPAIR_OK) return DPPAIR_OK;
  }
  if (capacity > 0) memset(fitted->map, 0, capacity * sizeof *fitted->map);
  dppair_auto_model_clear_(fitted);
  if (d <= capacity) return DPPAIR_ERR_FORMAT;
  fitted->d = d;
  return DPPAIR_ERR_SIZE;
}

DPPAIR_FP_END_
