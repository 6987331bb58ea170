/* SPDX-License-Identifier: MIT */
/* What the training programs share: their command line, their data, keys of releases, prose. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/program.h"

const char *program_name = "dppair";
const char *const scale_names[] = {"ranges", "row", "zscore", "maps"};
const char *const scale_words[] = {"declared ranges", "row norm", "z-scores", "declared maps"};

int complain(int code, const char *format, ...) {
  va_list list;
  va_start(list, format);
  (void)fprintf(stderr, "%s: ", program_name);
  (void)vfprintf(stderr, format, list);
  (void)fputc('\n', stderr);
  va_end(list);
  return code;
}

/* --- the command line ------------------------------------------------------------------------- */

/* One option with its value; 0 and a complaint when it does not parse. */
static int take_value(options *o, const char *name, const char *value) {
  struct {
    const char *name;
    const char **text;
    size_t *size;
    double *number;
  } const table[] = {{"--method", &o->method, NULL, NULL},
                     {"--loss", &o->with.loss, NULL, NULL},
                     {"--label", &o->label, NULL, NULL},
                     {"--ranges", &o->ranges, NULL, NULL},
                     {"--maps", &o->maps, NULL, NULL},
                     {"--scale", &o->scale, NULL, NULL},
                     {"--svg", &o->svg, NULL, NULL},
                     {"--model", &o->model, NULL, NULL},
                     {"--save-key", &o->save_key, NULL, NULL},
                     {"--replay", &o->replay, NULL, NULL},
                     {"--steps", NULL, &o->with.steps, NULL},
                     {"--splits", NULL, &o->splits, NULL},
                     {"--seed", NULL, &o->seed, NULL},
                     {"--step-size", NULL, NULL, &o->with.step_size},
                     {"--radius", NULL, NULL, &o->with.radius},
                     {"--param-radius", NULL, NULL, &o->with.param_radius},
                     {"--lambda", NULL, NULL, &o->with.lambda},
                     {"--delta", NULL, NULL, &o->delta}};
  size_t k;
  if (strcmp(name, "--epsilon") == 0) {
    o->epsilon_given = 1;
    if (!text_numbers(o->epsilon, MAX_BUDGETS, &o->budgets, value))
      return complain(0, "--epsilon takes numbers with commas between, not '%s'", value);
    for (k = 0; k < o->budgets; k++)
      if (!(o->epsilon[k] > 0)) return complain(0, "epsilon must be above 0, not '%s'", value);
    return 1;
  }
  for (k = 0; k < sizeof table / sizeof *table; k++) {
    if (strcmp(name, table[k].name) != 0) continue;
    if (table[k].text != NULL) {
      *table[k].text = value;
      return 1;
    }
    if (table[k].size != NULL) {
      if (!text_size(table[k].size, value) || (*table[k].size == 0 && table[k].size != &o->seed))
        return complain(0, "%s takes a whole number above 0, not '%s'", name, value);
      return 1;
    }
    if (table[k].number == &o->delta) {
      o->delta_given = 1;
      if (!text_number(&o->delta, value) || !(o->delta >= 0 && o->delta < 1))
        return complain(0, "--delta is at least 0 and below 1, not '%s'", value);
      return 1;
    }
    if (!text_number(table[k].number, value) || !(*table[k].number > 0))
      return complain(0, "%s takes a number above 0, not '%s'", name, value);
    return 1;
  }
  return complain(0, "unknown option %s (see --help)", name);
}

int parse(options *o, int argc, char **argv) {
  int k;
  for (k = 1; k < argc; k++) {
    if (strcmp(argv[k], "--json") == 0) {
      o->json = 1;
    } else if (strcmp(argv[k], "--quiet") == 0) {
      o->quiet = 1;
    } else if (strcmp(argv[k], "--as-printed") == 0) {
      o->with.as_printed = 1;
    } else if (strncmp(argv[k], "--", 2) != 0) {
      if (o->data != NULL) return complain(0, "one data file at a time: '%s'", argv[k]);
      o->data = argv[k];
    } else if (k + 1 == argc) {
      return complain(0, "%s is unknown or lacks its value (see --help)", argv[k]);
    } else {
      if (!take_value(o, argv[k], argv[k + 1])) return 0;
      k++;
    }
  }
  if (o->model == NULL && (o->save_key != NULL || o->replay != NULL))
    return complain(0, "--save-key and --replay belong to --model");
  if (o->save_key != NULL && o->replay != NULL)
    return complain(0, "--save-key keeps a fresh key, --replay uses an old one: not both");
  if (o->model != NULL && (!o->epsilon_given || o->budgets != 1))
    return complain(0, "--model is one release: give one --epsilon");
  return 1;
}

int check_offers(const options *o, const char *name, int offers) {
  if (o->delta_given && !(o->delta > 0) && !(offers & OFFERS_PURE))
    return complain(0, "method %s needs delta above 0", name);
  if (o->with.lambda > 0 && !(offers & OFFERS_LAMBDA))
    return complain(0, "method %s has no regulariser to set: --lambda is not for it", name);
  if (o->with.as_printed && !(offers & OFFERS_PRINTED))
    return complain(0, "no paper prints a noise for method %s: --as-printed is not for it", name);
  if (o->with.as_printed && o->delta_given && !(o->delta > 0) && !(offers & OFFERS_PRINTED_PURE))
    return complain(0, "the noise that is printed for method %s needs delta above 0", name);
  return 1;
}

void print_method(const method *m) {
  (void)printf("  %-19s %s%s%s%s\n", m->name, m->summary,
               m->offers & OFFERS_PURE ? "; delta 0 too" : "",
               m->offers & OFFERS_LAMBDA ? "; --lambda" : "",
               m->offers & OFFERS_PRINTED ? "; --as-printed" : "");
}

/* --- data ------------------------------------------------------------------------------------- */

/* Declared ranges, or the maps that replace them; 0 after a complaint. */
static int declare(dataset *data, const options *o) {
  char error[ERROR_SIZE], *beside = NULL;
  const char *ranges = o->ranges;
  int ok = 1;
  if (o->maps != NULL) return data_maps(data, o->maps, error) ? 1 : complain(0, "%s", error);
  if (ranges == NULL && o->data != NULL) ranges = beside = data_ranges_beside(o->data);
  if (ranges != NULL) ok = data_ranges(data, ranges, error) || complain(0, "%s", error);
  free(beside);
  return ok;
}

/* Loads data, ranges or maps, and settles the scaling; returns an exit status. */
int load(dataset *data, scale_kind *scale, const options *o) {
  char error[ERROR_SIZE];
  int ok, k;
  memset(data, 0, sizeof *data);
  if (o->maps != NULL && o->ranges != NULL)
    return complain(2, "--maps takes raw columns, so there is nothing for --ranges to do");
  ok = o->data != NULL ? data_load(data, o->data, o->label, error) : data_embedded(data, error);
  if (!ok) return complain(1, "%s", error);
  if (!declare(data, o)) return 1;
  *scale = data->maps != NULL ? SCALE_MAPS : data->has_ranges ? SCALE_RANGES : SCALE_ROW;
  if (o->scale == NULL) return 0;
  for (k = 0; k < 4 && strcmp(o->scale, scale_names[k]) != 0; k++) {
  }
  if (k == 4) return complain(2, "--scale is ranges, row, zscore or maps, not '%s'", o->scale);
  if (k == SCALE_MAPS && data->maps == NULL) return complain(2, "--scale maps needs --maps FILE");
  if (k != SCALE_MAPS && data->maps != NULL)
    return complain(2, "--maps makes the scaling: it goes with --scale maps only");
  if (k == SCALE_RANGES && !data->has_ranges)
    return complain(2, "--scale ranges needs --ranges FILE");
  *scale = (scale_kind)k;
  return 0;
}

const char *data_name(const options *o) {
  return o->data != NULL ? o->data : "pima.csv (built in)";
}

void print_wrapped(FILE *file, const char *text) {
  size_t column = 0;
  while (*text != '\0') {
    size_t length = strcspn(text, " ");
    if (column > 0 && column + 1 + length > 96) {
      (void)fputc('\n', file);
      column = 0;
    }
    if (column > 0) (void)fputc(' ', file);
    (void)fwrite(text, 1, length, file);
    column += length + (column > 0);
    text += length;
    while (*text == ' ') text++;
  }
  (void)fputc('\n', file);
}

void simulated_keys(dppair_rng *noise, dppair_rng *indices, size_t seed, size_t part,
                    size_t budget) {
  uint8_t key[KEY_SIZE] = {0};
  size_t k;
  for (k = 0; k < 8; k++) key[k] = (uint8_t)((uint64_t)seed >> (8 * k) & 255);
  key[8] = 's'; /* simulation: this key space is never used for a release */
  if (dppair_rng_from_key(noise, key, (uint64_t)(part * MAX_BUDGETS + budget)) != DPPAIR_OK)
    abort();
  key[9] = 'i';
  if (dppair_rng_from_key(indices, key, (uint64_t)(part * MAX_BUDGETS + budget)) != DPPAIR_OK)
    abort();
}

/* --- keys of releases ------------------------------------------------------------------------- */

static int key_save(const release_key *key, const char *path) {
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600), k;
  FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (file == NULL) return complain(0, "%s: %s", path, strerror(errno));
  (void)fputs("dppair release key 1\n", file);
  for (k = 0; k < 2 * KEY_SIZE; k++)
    (void)fprintf(file, "%02x%s", k < KEY_SIZE ? key->noise[k] : key->indices[k - KEY_SIZE],
                  k % KEY_SIZE == KEY_SIZE - 1 ? "\n" : "");
  if (fclose(file) != 0) return complain(0, "%s: %s", path, strerror(errno));
  (void)fprintf(stderr, "%s: %s undoes the noise of this release; keep it as secret as the data\n",
                program_name, path);
  return 1;
}

static int key_load(release_key *key, const char *path) {
  FILE *file = fopen(path, "r");
  int k, ok;
  if (file == NULL) return complain(0, "%s: %s", path, strerror(errno));
  ok = fscanf(file, "dppair release key %d", &k) == 1 && k == 1;
  for (k = 0; k < 2 * KEY_SIZE && ok; k++) {
    unsigned byte;
    ok = fscanf(file, "%2x", &byte) == 1;
    if (ok) (k < KEY_SIZE ? key->noise : key->indices)[k % KEY_SIZE] = (uint8_t)byte;
  }
  (void)fclose(file);
  return ok ? 1 : complain(0, "%s: not a release key", path);
}

/* A fresh key from the operating system, or a kept one. */
int key_make(release_key *key, const options *o) {
  dppair_rng rng;
  dppair_status status;
  if (o->replay != NULL) return key_load(key, o->replay);
  status = dppair_rng_from_os(&rng);
  if (status == DPPAIR_OK) status = dppair_rng_bytes(key->noise, KEY_SIZE, &rng);
  if (status == DPPAIR_OK) status = dppair_rng_bytes(key->indices, KEY_SIZE, &rng);
  dppair_wipe(&rng, sizeof rng);
  if (status != DPPAIR_OK) return complain(0, "%s", dppair_status_string(status));
  return o->save_key != NULL ? key_save(key, o->save_key) : 1;
}

void write_columns(FILE *file, const dataset *data) {
  size_t j;
  (void)fputs("[", file);
  for (j = 0; j < data->d; j++) {
    const feature *f = &data->features[j];
    int first = 1;
    (void)fputs(j > 0 ? ",\n    {" : "\n    {", file);
    json_member_text(file, "name", f->name, &first);
    if (data->has_ranges) {
      json_member_number(file, "low", f->low, &first);
      json_member_number(file, "high", f->high, &first);
    }
    if (data->maps != NULL) {
      json_member_number(file, "centre", data->maps[j].centre, &first);
      json_member_number(file, "scale", data->maps[j].scale, &first);
      json_member_text(file, "terms", data->maps[j].terms, &first);
    }
    (void)fputs("}", file);
  }
  (void)fputs("\n  ]", file);
}
