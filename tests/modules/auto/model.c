/* SPDX-License-Identifier: MIT */
/*
 * What a user of dppair_auto.h holds after a fit: scores of any value, and the text of a model,
 * which reads back to the same numbers and of which anything else is refused.
 */
#include "dppair_auto.h"

#include "tests.h"

enum { D = 3, LENGTH = 4096 };
static dppair_auto_map maps[D];

static dppair_auto_model example(void) {
  dppair_auto_model m;
  memset(&m, 0, sizeof m);
  memset(maps, 0, sizeof maps);
  m.map = maps;
  m.d = D;
  m.n = 100;
  m.epsilon = 1;
  m.delta = .001;
  m.rho = 3.25;
  m.rate = .4;
  m.marginals = .1;
  m.weights = .2;
  m.route = DPPAIR_AUTO_FIT;
  m.warnings = DPPAIR_AUTO_LOW | DPPAIR_AUTO_ABOVE;
  maps[0].knots = 2;
  maps[0].at[1] = 1;
  maps[0].value[0] = -.3;
  maps[0].value[1] = 1 / 3.0;
  maps[1].knots = 3;
  maps[1].warnings = DPPAIR_AUTO_ABOVE;
  maps[1].at[0] = -1e-30;
  maps[1].at[1] = 5;
  maps[1].at[2] = 1e30;
  maps[1].value[1] = 2;
  return m;
}

static int same_model(const dppair_auto_model *a, const dppair_auto_model *b) {
  return a->d == b->d && a->n == b->n && a->warnings == b->warnings && a->route == b->route &&
         memcmp(&a->epsilon, &b->epsilon, sizeof a->epsilon) == 0 &&
         memcmp(&a->delta, &b->delta, sizeof a->delta) == 0 &&
         memcmp(&a->rho, &b->rho, sizeof a->rho) == 0 &&
         memcmp(&a->rate, &b->rate, sizeof a->rate) == 0 &&
         memcmp(&a->marginals, &b->marginals, sizeof a->rate) == 0 &&
         memcmp(&a->weights, &b->weights, sizeof a->rate) == 0 &&
         memcmp(a->map, b->map, a->d * sizeof *a->map) == 0;
}

static dppair_status read_into(dppair_auto_map *to, size_t capacity, const char *text,
                               size_t length, dppair_auto_model *m) {
  m->map = to;
  return dppair_auto_read(m, capacity, text, length);
}

static void a_model_reads_back_and_so_does_the_file_around_it(void **state) {
  static const char *const names[D] = {"a", "b\"\\\n", "model"};
  char text[LENGTH], file[2 * LENGTH];
  dppair_auto_map back[D];
  dppair_auto_model m = example(), n;
  size_t length, needed;
  (void)state;
  assert_int_equal(dppair_auto_write(NULL, 0, &needed, &m, names), DPPAIR_ERR_WORKSPACE);
  memset(text, 1, sizeof text);
  assert_int_equal(dppair_auto_write(text, needed, &length, &m, names), DPPAIR_ERR_WORKSPACE);
  for (length = 0; length < needed; length++) assert_int_equal(text[length], 0);
  assert_int_equal(dppair_auto_write(text, needed + 1, &length, &m, names), DPPAIR_OK);
  assert_int_equal(length, needed);
  assert_int_equal(strlen(text), length);
  assert_int_equal(text[needed + 1], 1);
  assert_non_null(strstr(text, "{\"name\": \"b\\\"\\\\\\u000a\", \"warnings\": 2, \"at\": "
                               "[-1.0000000000000001e-30, 5, 1e30], \"value\": [0, 2, 0]}"));
  assert_int_equal(read_into(back, D, text, length, &n), DPPAIR_OK);
  assert_true(same_model(&m, &n));
  length = (size_t)snprintf(file, sizeof file,
                            "{\"format\": \"x\", \"columns\": [{\"name\": \"\\\"model\\\": {\"}],\n"
                            "\"model\": %s\n}\n",
                            text);
  assert_int_equal(read_into(back, D, file, length, &n), DPPAIR_OK);
  assert_true(same_model(&m, &n));
  assert_int_equal(read_into(back, D - 1, file, length, &n), DPPAIR_ERR_SIZE);
  assert_int_equal(n.d, D);
  assert_true(n.rho >= 0 && n.rho <= 0 && back[0].knots == 0);
  assert_int_equal(read_into(NULL, 0, file, length, &n), DPPAIR_ERR_SIZE);
  assert_int_equal(read_into(back, SIZE_MAX, file, length, &n), DPPAIR_ERR_OVERFLOW);
  assert_int_equal(read_into(NULL, 1, file, length, &n), DPPAIR_ERR_NULL);
  assert_int_equal(read_into(back, D, NULL, length, &n), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_auto_read(NULL, D, file, length), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_OK);
  assert_int_equal(read_into(back, D, text, length, &n), DPPAIR_OK);
}

/* With any byte changed or taken away, a text is refused or is another model that holds what every
 * model does. It ends where its memory ends, for the sanitizers to see. */
static void changed_texts_are_refused_or_are_models(void **state) {
  static const char bytes[] = "\0 \"\\,:[]{}-+.019eE\x80\xff";
  char text[LENGTH], *exact;
  dppair_auto_map back[D];
  dppair_auto_model m = example(), n;
  size_t length, k, c, taken = 0;
  (void)state;
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_OK);
  for (k = 0; k < length; k++) {
    assert_non_null(exact = malloc(k + 1));
    memcpy(exact, text, k);
    assert_int_equal(read_into(back, D, exact, k, &n), DPPAIR_ERR_FORMAT);
    free(exact);
  }
  assert_non_null(exact = malloc(length));
  for (k = 0; k < length; k++)
    for (c = 0; c < sizeof bytes; c++) {
      memcpy(exact, text, length);
      exact[k] = bytes[c];
      if (read_into(back, D, exact, length, &n) == DPPAIR_OK) {
        assert_int_equal(dppair_auto_model_check_(&n), DPPAIR_OK);
        taken++;
      } else {
        assert_int_equal(n.d + back[0].knots + back[1].knots, 0);
      }
    }
  free(exact);
  assert_true(taken > 0);
}

static dppair_status read_text(const char *text, dppair_auto_map *to) {
  dppair_auto_model n;
  return read_into(to, D, text, strlen(text), &n);
}

/* `from` replaced by `to` in the text of the example. */
static dppair_status with(const char *from, const char *to) {
  char text[LENGTH], other[2 * LENGTH];
  dppair_auto_map back[D];
  dppair_auto_model m = example();
  size_t length;
  const char *at;
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_OK);
  assert_non_null(at = strstr(text, from));
  (void)snprintf(other, sizeof other, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  return read_text(other, back);
}

static void what_is_no_model_is_refused(void **state) {
  (void)state;
  assert_int_equal(with("auto 2", "auto 2"), DPPAIR_OK);
  assert_int_equal(with("auto 2", "auto 3"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\n\t\"rho\" :3.25\r"), DPPAIR_OK);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": 3.25, \"rho\": 3.25"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": \"3.25\""), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": NaN"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": 1e300"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"rho\": 1e999999999999"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"rho\": 3.25", "\"RHO\": 3.25"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"epsilon\": 1", "\"epsilon\": 0"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"delta\": 0.001", "\"delta\": 1"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"n\": 100", "\"n\": 1.5"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"n\": 100", "\"n\": -1"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"warnings\": 10", "\"warnings\": 32"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"route\": 3", "\"route\": 4"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"route\": 3", "\"route\": 0"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\"route\": 3", "\"route\": 2"), DPPAIR_OK);
  assert_int_equal(with("[0, 1]", "[1, 0]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 1]", "[0, 0]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 1]", "[0, 1, 2]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 1]", "[0, 1,]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("[0, 2, 0]", "[0, 2]"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("]}", "]}}"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\n    ]}", "\n    ]} x"), DPPAIR_ERR_FORMAT);
  assert_int_equal(with("\n    ]}", "\n    ]} "), DPPAIR_OK);
}

/* Figures without a text: nothing is written. */
static void a_model_that_cannot_be_told_is_not_written(void **state) {
  char text[LENGTH];
  dppair_auto_model m = example();
  size_t length, i;
  (void)state;
  m.rho = (double)NAN;
  memset(text, 1, sizeof text);
  length = 1;
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_ERR_DOMAIN);
  for (i = 0; i < LENGTH; i++) assert_int_equal(text[i], 0);
  assert_int_equal(length, 0);
  m = example();
  m.weights = 1e300;
  assert_int_equal(dppair_auto_write(NULL, 0, &length, &m, NULL), DPPAIR_ERR_DOMAIN);
  assert_int_equal(length, 0);
  m.d = 0;
  assert_int_equal(dppair_auto_write(text, LENGTH, &length, &m, NULL), DPPAIR_ERR_SIZE);
  assert_int_equal(dppair_auto_write(text, LENGTH, NULL, &m, NULL), DPPAIR_ERR_NULL);
  assert_int_equal(dppair_auto_write(NULL, LENGTH, &length, &m, NULL), DPPAIR_ERR_NULL);
}

static void numbers_read_back_to_the_same_bits(void **state) {
  const long rounds = BRIEF ? 3000 : 20000;
  char text[64];
  long k;
  (void)state;
  for (k = 0; k < rounds; k++) {
    const uint64_t bits = random_bits();
    dppair_json out = dppair_json_writer_(text, sizeof text - 1), in;
    double x = (double)(bits % 200001) / 1000 - 100, mine, other;
    if (k % 3 == 0) memcpy(&x, &bits, sizeof x);
    if (!dppair_json_holds_(x)) continue;
    dppair_json_number_(&out, &x);
    text[out.out.used] = '\0';
    other = strtod(text, NULL);
    in = dppair_json_reader_(text, out.out.used);
    dppair_json_number_(&in, &mine);
    if (out.bad || in.bad || in.in != in.end || memcmp(&x, &mine, sizeof x) != 0 ||
        memcmp(&x, &other, sizeof x) != 0)
      fail_msg("%.17g: '%s' reads as %.17g and %.17g", x, text, mine, other);
  }
}

static void any_value_has_a_score(void **state) {
  dppair_auto_model m = example();
  const double x[][D] = {{0, 5, 1},
                         {.5, 5e29, 0},
                         {-7, -1e300, 0},
                         {7, 1e300, 0},
                         {(double)NAN, (double)NAN, 0},
                         {-HUGE_VAL, -1, (double)NAN},
                         {HUGE_VAL, 5, HUGE_VAL}};
  const double expected[] = {1.7, 1 / 60.0 + 1, -.3, 1 / 3.0, -.3, -.3, 7 / 3.0};
  double s[7];
  size_t i;
  (void)state;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_OK);
  for (i = 0; i < 7; i++) assert_true(fabs(s[i] - expected[i]) < 1e-14);
  assert_int_equal(dppair_auto_score(s, &m, x[0], 0), DPPAIR_OK);
  assert_int_equal(dppair_auto_score(NULL, &m, NULL, 0), DPPAIR_OK);
  assert_int_equal(dppair_auto_score(NULL, &m, x[0], 1), DPPAIR_ERR_NULL);
  for (i = 0; i < 7; i++) s[i] = 1;
  assert_int_equal(dppair_auto_score(s, &m, x[0], SIZE_MAX), DPPAIR_ERR_OVERFLOW);
  assert_true(s[0] >= 1);
  assert_int_equal(dppair_auto_score(s, &m, NULL, 7), DPPAIR_ERR_NULL);
  for (i = 0; i < 7; i++) assert_true(s[i] >= 0 && s[i] <= 0);
  s[0] = 1;
  assert_int_equal(dppair_auto_score(s, NULL, x[0], 1), DPPAIR_ERR_NULL);
  assert_true(s[0] >= 0 && s[0] <= 0);
  maps[0].value[1] = (double)NAN;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_DOMAIN);
  for (i = 0; i < 7; i++) assert_true(s[i] >= 0 && s[i] <= 0);
  m = example();
  maps[0].at[1] = 0;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_DOMAIN);
  m = example();
  maps[1].knots = DPPAIR_AUTO_KNOTS + 1;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_SIZE);
  m.map = NULL;
  assert_int_equal(dppair_auto_score(s, &m, x[0], 7), DPPAIR_ERR_NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {TEST(a_model_reads_back_and_so_does_the_file_around_it),
                                     TEST(changed_texts_are_refused_or_are_models),
                                     TEST(what_is_no_model_is_refused),
                                     TEST(a_model_that_cannot_be_told_is_not_written),
                                     TEST(numbers_read_back_to_the_same_bits),
                                     TEST(any_value_has_a_score)};
  return RUN_TESTS(tests, NULL, NULL);
}
