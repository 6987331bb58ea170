/* SPDX-License-Identifier: MIT */
/* Reading data: every format, every refusal with its place, numbers to the last bit, scaling. */
#include "tests.h"

#include "support/data.h"
#include "support/scores.h"

static char message[ERROR_SIZE];

static int read_as(dataset *d, const char *text, const layout *how) {
  message[0] = '\0';
  return data_parse(d, text, strlen(text), "t", how, message);
}

static int parse(dataset *d, const char *text, const char *label) {
  layout how = {NULL, NULL, HEADER_GUESSED, 0, '\0', NULL, 0};
  how.label = label;
  return read_as(d, text, &how);
}

static void refused(const char *text, const char *label, const char *expected) {
  dataset d;
  assert_int_equal(parse(&d, text, label), 0);
  assert_null(d.x);
  assert_null(d.y);
  assert_null(d.features);
  if (strstr(message, expected) == NULL) fail_msg("'%s' lacks '%s'", message, expected);
}

static void accepted(const char *text, const char *label, size_t n, size_t width, const double *x,
                     const double *y) {
  dataset d;
  size_t i;
  if (!parse(&d, text, label)) fail_msg("%s", message);
  assert_int_equal(d.n, n);
  assert_int_equal(d.d, width);
  for (i = 0; i < n * width; i++)
    if (memcmp(&d.x[i], &x[i], sizeof *x) != 0) fail_msg("value %zu is %.17g", i, d.x[i]);
  for (i = 0; i < n; i++) assert_true(d.y[i] * y[i] > 0 && fabs(d.y[i]) <= 1);
  data_free(&d);
}

static void every_format_and_separator_is_read(void **state) {
  static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8}, y[] = {-1, 1, -1, 1};
  static const double sparse[] = {1, 0, 3, 0, 0, 6, 0, 0, 0, 4, 5, 0};
  (void)state;
  accepted("label,a,b\n0,1,2\n1,3,4\n0,5,6\n1,7,8\n", NULL, 4, 2, x, y);
  accepted("0,1,2\n1,3,4\n0,5,6\n1,7,8", NULL, 4, 2, x, y);
  accepted("a;class;b\r\n1;neg;2\r\n3;pos;4\r\n5;neg;6\r\n7;pos;8\r\n", NULL, 4, 2, x, y);
  accepted("a\tb\tout\n1\t2\tno\n3\t4\tyes\n5\t6\tno\n7\t8\tyes\n", "out", 4, 2, x, y);
  accepted("1,2,no\n3,4,yes\n5,6,no\n7,8,yes\n", "3", 4, 2, x, y);
  accepted("\xef\xbb\xbf\"a\",\"b, c\",\"y\"\n1,2,\"-1\"\n\n3,4,\"+1\"\n5,6,\"-1\"\n7,8,\"1\"\n",
           NULL, 4, 2, x, y);
  accepted("1,1,2\n2,3,4\n1,5,6\n2,7,8\n", NULL, 4, 2, x, y);
  accepted("-1 1:1 3:3\n+1 3:6\n-1\n1 1:4 2:5\n# end\n", NULL, 4, 3, sparse, y);
  accepted("# first\n\n0 1:1 3:3 # tail\n1\t3:6\r\n0\n1.0 1:4 2:5", NULL, 4, 3, sparse, y);
}

static void labels_are_ordered_and_kept_as_written(void **state) {
  dataset d;
  (void)state;
  assert_true(parse(&d, "x,y\n1,malignant\n2,benign\n3,benign\n4,malignant\n", NULL));
  assert_string_equal(d.label[0], "benign");
  assert_string_equal(d.label[1], "malignant");
  assert_true(d.y[0] > 0 && d.y[1] < 0);
  assert_string_equal(d.features[0].name, "x");
  data_free(&d);
  assert_true(parse(&d, "x,y\n1,10\n2,9\n3,9\n4,10\n", NULL)); /* numbers by size, not by letters */
  assert_string_equal(d.label[1], "10");
  data_free(&d);
}

static void a_bad_file_is_refused_with_its_line_and_column(void **state) {
  static const char binary[] = "label,a\n1,2\n0,\0003\n";
  dataset d;
  (void)state;
  refused("", NULL, "t: the file is empty");
  refused("\n \n# only a comment\n", NULL, "t: the file is empty");
  refused("label,a,b\n1,2,3\n0,4\n1,5,6\n0,7,8\n", NULL, "t:3:4: this record has 2 fields, not 3");
  refused("label,a\n1,2\n0,4,9\n1,5\n0,7\n", NULL, "t:3:4: this record has more than 2 fields");
  refused("label,a,b\n1,2,3\n0,4,x5\n1,5,6\n0,7,8\n", NULL, "t:3:5: 'x5' is not a number");
  refused("label,a,b\n1,2,3\n0,,5\n1,5,6\n0,7,8\n", NULL, "t:3:3: a value is missing");
  refused("label,a,b\n1,2,3\n0,nan,5\n1,5,6\n0,7,8\n", NULL,
          "t:3:3: 'nan': a value is missing here");
  refused("label,a\n1,2\ninf,3\n1,4\n1,5\n", NULL, "t:3:1: the label is not a finite number");
  refused("label,a\n1,2\n1e999,3\n1,4\n1,5\n", NULL, "t:3:1: the label is not a finite number");
  refused("label,a\n1,2\n?,3\n1,4\n1,5\n", NULL, "t:3:1: the label is missing");
  refused("label,a\n1,2\n1,3\n1,4\n1,5\n", NULL, "t: only one class: every label is '1'");
  refused("label,a\n1,2\n0,3\n2,4\n1,5\n", NULL, "t:4:1: a third label '2'");
  refused("label,a\n1,2\n0,3\n1,4\n", NULL, "t: 3 records; at least 4");
  refused("just words\nand more\n", NULL, "neither CSV nor LIBSVM");
  refused("label,a\n1,2\n0,3\n1,4\n0,5\n", "nosuch", "no column is called 'nosuch'");
  refused("label,a\n1,2\n0,3\n1,4\n0,5\n", "3", "there is no column 3 among 2");
  refused("label,a\n1,2\n0,3\n1,4\n0,5\n", "1.5", "there is no column 1.5");
  refused("1 1:2\n0 1000000000:1\n1 1:1\n0 1:1\n", NULL,
          "t:2:3: column 1000000000; at most 100000");
  refused("1 1:2\n0 0:1\n1 1:1\n0 1:1\n", NULL, "t:2:3: indices start at 1");
  refused("1 1:2\n0 2:1 2:3\n1 1:1\n0 1:1\n", NULL, "t:2:7: index 2 after 2");
  refused("1 1:2\n0 1:\n1 1:1\n0 1:1\n", NULL, "t:2:5: a value is missing");
  refused("1 1:2\n0 1:1 x\n1 1:1\n0 1:1\n", NULL, "t:2:7: 'x' is not index:value");
  refused("1 1:2\n1:1\n1 1:1\n0 1:1\n", NULL, "t:2:1: the label is missing");
  refused("1 1:nan\n0 1:1\n1 1:1\n0 1:1\n", NULL, "t:1:5: 'nan': a value is missing here");
  assert_int_equal(data_parse(&d, binary, sizeof binary - 1, "t", NULL, message), 0);
  assert_non_null(strstr(message, "t:3:3: a zero byte"));
}

/* Numbers of classes follow the labels' order, not that of the records. */
static void any_number_of_labels_is_read_as_classes(void **state) {
  const layout how = {NULL, NULL, HEADER_GUESSED, 0, '\0', NULL, 1};
  static const double numbers[] = {2, 1, 0, 1}, words[] = {1, 2, 0, 1};
  char text[40 + 8 * (MOST_CLASSES + 1)] = "label,a\n";
  dataset d;
  int i;
  (void)state;
  if (!read_as(&d, "label,a\n10,1\n9.0,2\n-3,3\n9,4\n", &how)) fail_msg("%s", message);
  assert_int_equal(d.classes, 3);
  for (i = 0; i < 4; i++) assert_true(d.y[i] == numbers[i]);
  assert_string_equal(d.label[0], "-3");
  assert_string_equal(d.label[2], "10");
  data_free(&d);
  if (!read_as(&d, "a,label\n1,ie\n2,n\n3,5\n4,ie\n", &how)) fail_msg("%s", message);
  for (i = 0; i < 4; i++) assert_true(d.y[i] == words[i]);
  data_free(&d);
  for (i = 0; i < MOST_CLASSES; i++) (void)sprintf(text + strlen(text), "%d,1\n", i);
  assert_int_equal(read_as(&d, text, &how), 1);
  assert_true(d.classes == MOST_CLASSES && d.y[MOST_CLASSES - 1] == MOST_CLASSES - 1);
  data_free(&d);
  (void)sprintf(text + strlen(text), "%d,1\n", i);
  assert_int_equal(read_as(&d, text, &how), 0);
  assert_non_null(strstr(message, "t:66:1: more than 64 labels"));
  assert_int_equal(read_as(&d, "label,a\n7,1\n7,2\n7,3\n7,4\n", &how), 0);
  assert_non_null(strstr(message, "t: only one class: every label is '7'"));
}

/* A declared shape is read off no record: every line is one, wherever it stands. */
static void a_declared_shape_is_read_off_no_record(void **state) {
  static const layout header = {NULL, "no,yes", HEADER_YES, 0, '\0', NULL, 0};
  static const layout plain = {"3", "2,1", HEADER_NO, 2, ';', NULL, 0};
  static const layout sparse = {NULL, "-1,+1.0", HEADER_GUESSED, 3, '\0', NULL, 0};
  static const struct {
    const layout *how;
    const char *text, *expected;
    data_fault fault;
  } bad[] = {
      {&header, "y,a\nno,1\n\nyes,2\nno,3\n", "t:3:1: the label is missing", FAULT_RECORD},
      {&header, "y,a\nno,1\n#,2\nyes,2\nno,3\n", "t:3:1: the label '#'", FAULT_RECORD},
      {&header, "y,a\nno,1\n#no,2\nyes,2\nno,3\n", "is neither 'no' nor 'yes'", FAULT_RECORD},
      {&header, "y,a\nno,1\nyes,NA\nyes,2\nno,3\n", "t:3:5: 'NA': a value is", FAULT_RECORD},
      {&header, "y,a\nno,1\nyes,\"2\n3\"\nno,3\n", "t:3:1: a quote is not closed", FAULT_RECORD},
      {&header, "y,a,a\nno,1,2\n", "two columns are called 'a'", FAULT_FILE},
      {&header, "y,y,a\nno,1,2\n", "two columns are called 'y'", FAULT_FILE},
      {&header, "y,a\nno,1\nyes,2\n", "2 records; at least 4", FAULT_FILE},
      {&header, "y,a\rno,1\ryes,2\r", "the line ends are carriage returns alone", FAULT_FILE},
      {&plain, "1;2;2\n1;2;1\n?;2;1\n3;4;2\n", "t:3:1: '?': a value is missing", FAULT_RECORD},
      {&plain, "a;b;c\n1;2;1\n3;4;2\n1;2;1\n", "t:1:1: 'a' is not a number", FAULT_RECORD},
      {&plain, "1,2,2\n1;2;1\n3;4;2\n1;2;1\n", "t:1:1: '1,2,2' is not a number", FAULT_RECORD},
      {&sparse, "1 1:2\n# 1:1\n-1 2:1\n1 1:1\n", "t:2:1: the label '#'", FAULT_RECORD},
      {&sparse, "1 1:2\n\n-1 2:1\n1 1:1\n", "t:2:1: the label is missing", FAULT_RECORD},
      {&sparse, "1 1:2\r2:1\n-1 2:1\n1 1:1\n1\n", "t:1:5: '2\r2:1' is not a number", FAULT_RECORD}};
  static const double x[] = {0.5, 0, 1.7976931348623157e308, 0, 0, 0, 0, 2, 0, 1, 0, 0};
  layout how;
  dataset d;
  size_t k;
  (void)state;
  for (k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(read_as(&d, bad[k].text, bad[k].how), 0);
    if (strstr(message, bad[k].expected) == NULL)
      fail_msg("'%s' lacks '%s'", message, bad[k].expected);
    assert_int_equal(d.fault, bad[k].fault);
    assert_true(d.x == NULL && d.features == NULL);
  }
  /* one class; indices beyond the declared ones, however large; a tail that is a comment */
  assert_true(read_as(
      &d, "1 1:.5 3:1e400 4:7 # tail\n1.0\n+1 2:2 99999999999999999999:x\n1e0 1:1\n", &sparse));
  assert_true(d.n == 4 && d.d == 3 && d.y[0] > 0 && d.y[3] > 0);
  assert_memory_equal(d.x, x, sizeof x);
  assert_string_equal(d.label[0], "-1");
  assert_string_equal(d.label[1], "1");
  data_free(&d);
  /* the smaller number is +1 where that is declared; the first line is a record */
  assert_true(read_as(&d, "1;2;2\n1;2;1.0\n-inf;2;1\n3;4;+2", &plain));
  assert_true(d.n == 4 && d.d == 2 && d.y[0] < 0 && d.y[1] > 0 && d.x[4] < -1e308);
  data_free(&d);
  /* comments before a header are public; quotes in names */
  assert_true(
      read_as(&d, "# about\n\n\"a\"\"b\",label,2\n1,no,2\n1,no,2\n1,no,2\n1,no,2\n", &header));
  assert_string_equal(d.features[0].name, "a\"b");
  assert_string_equal(d.features[1].name, "2");
  data_free(&d);
  /* labels that are no two labels; columns alone, whatever the records are */
  for (k = 0; k < 6; k++) {
    static const char *const pairs[] = {"1", "1,2,3", "1,1.0", "a,a", ",b", "nan,1"};
    how = header;
    how.labels = pairs[k];
    assert_int_equal(read_as(&d, "y,a\nno,1\nno,2\nno,3\nno,4\n", &how), 0);
    assert_int_equal(d.fault, FAULT_DECLARATION);
  }
  assert_true(data_columns(&d, "y,a,b\n?", 7, "t", &header, message));
  assert_true(d.n == 0 && d.d == 2 && d.x == NULL && d.y == NULL);
  assert_int_equal(data_ranges_parse(&d, "a,0,1\n", 6, "r", message), 0);
  assert_true(data_maps_parse(&d, "z,0,1,a-b\n", 10, "m", message));
  data_free(&d);
  assert_true(data_columns(&d, "# 5:1\n", 6, "t", &sparse, message));
  assert_int_equal(data_ranges_parse(&d, "1,0,1\n2,0,1\n3,0,1\n4,0,1\n", 24, "r", message), 0);
  assert_non_null(strstr(message, "r:4:1: the data have no column '4'"));
  assert_int_equal(data_maps_parse(&d, "z,0,1,1-4\n", 10, "m", message), 0);
  data_free(&d);
}

/* Names are never cut: two that differ in the last byte stay two, longer ones are refused. */
static void long_names_are_refused_and_never_cut(void **state) {
  enum { MOST = NAME_SIZE - 1 };
  char name[MOST + 2], text[600];
  dataset d;
  (void)state;
  memset(name, 'n', sizeof name);
  name[MOST + 1] = '\0';
  (void)snprintf(text, sizeof text, "y,%s\n1,2\n0,2\n1,2\n0,2\n", name);
  refused(text, NULL, "is longer than 63 bytes");
  (void)snprintf(text, sizeof text, "%s,1\nb,2\nb,2\nb,2\n", name);
  refused(text, NULL, "t:1:1: 'nnnnnnnnnnnnnnnnnnnn...' is longer than 63 bytes");
  name[MOST] = '\0';
  (void)snprintf(text, sizeof text, "y,%s,%.62s2\n1,2,3\n0,2,3\n1,2,3\n0,2,3\n", name, name);
  assert_true(parse(&d, text, NULL));
  (void)snprintf(text, sizeof text, "z,0,1,%sn\n", name);
  assert_int_equal(data_maps_parse(&d, text, strlen(text), "m", message), 0);
  (void)snprintf(text, sizeof text, "%s,0,1,numeric\n%.62s2,0,1,group:%sn\n", name, name, name);
  assert_int_equal(data_ranges_parse(&d, text, strlen(text), "r", message), 0);
  assert_non_null(strstr(message, "is longer than 63 bytes"));
  data_free(&d);
}

/* A row's direction, however large or small its numbers are. */
static void a_row_keeps_its_direction_however_extreme_its_numbers(void **state) {
  static const size_t order[] = {0, 1, 2, 3};
  dataset d;
  split s;
  (void)state;
  assert_true(parse(&d, "1,1e400,-inf\n0,5e-324,0\n1,0,0\n0,3e-320,4e-320\n", NULL));
  assert_true(split_make(&s, &d, order, 4, 0, SCALE_ROW));
  assert_true(fabs(s.train.x[0] - sqrt(0.5)) < 1e-15 && fabs(s.train.x[1] + sqrt(0.5)) < 1e-15);
  assert_true(fabs(s.train.x[2] - 1) < 1e-15 && fabs(s.train.x[4]) <= 0);
  assert_true(fabs(hypot(s.train.x[6], s.train.x[7]) - 1) < 1e-15);
  split_free(&s);
  data_free(&d);
}

static void files_are_opened_and_their_absence_is_told(void **state) {
  dataset d;
  (void)state;
  assert_int_equal(data_load(&d, "no/such/file", NULL, message), 0);
  assert_non_null(strstr(message, "no/such/file: "));
  assert_int_equal(data_load(&d, "tests", NULL, message), 0);
  assert_non_null(strstr(message, "tests: "));
  assert_null(data_ranges_beside("tests/nothing.csv"));
  assert_true(data_load(&d, "examples/data/pima.csv", NULL, message));
  assert_int_equal(d.n, 768);
  assert_int_equal(d.d, 8);
  assert_true(data_ranges(&d, "examples/data/pima.ranges", message));
  assert_true(d.has_ranges);
  data_free(&d);
}

/* Texts of all lengths and exponents give what strtod gives. */
static void numbers_are_read_to_the_last_bit(void **state) {
  simulation_rng rng;
  const int size = BRIEF ? 3000 : 20000;
  int k;
  (void)state;
  simulation_seed(&rng, 5);
  for (k = 0; k < size; k++) {
    static const char *const shapes[] = {"%.17g", "%.3f", "%.15e", "%.1f",
                                         "%.25f", "%g",   "+%.9g", "%.6E"};
    char number[512], text[2400];
    uint64_t bits = simulation_u64(&rng);
    double value, expected;
    dataset d;
    memcpy(&value, &bits, sizeof value);
    if (k % 3 == 0) value = (double)(int64_t)bits / 1e6;
    if (!isfinite(value) || fabs(value) > 1e200) continue;
    value = fabs(value);
    (void)snprintf(number, sizeof number, shapes[k % 8], value);
    expected = strtod(number, NULL);
    (void)snprintf(text, sizeof text, "0,%s\n1,1\n0,1\n1,1\n", number);
    if (!parse(&d, text, NULL)) fail_msg("%s: %s", number, message);
    if (memcmp(&d.x[0], &expected, sizeof expected) != 0)
      fail_msg("%s read as %.17g, not %.17g", number, d.x[0], expected);
    data_free(&d);
  }
}

static int declare(dataset *d, const char *ranges) {
  assert_true(parse(d, "label,a,b\n0,1,0\n1,2,1\n0,3,1\n1,4,0\n", NULL));
  return data_ranges_parse(d, ranges, strlen(ranges), "r", message);
}

static void ranges_are_read_or_refused_with_their_place(void **state) {
  static const struct {
    const char *text, *expected;
  } bad[] = {{"name,low,high\na,0,4\n", "column 'b' has no declared range"},
             {"a,0,4\na,0,4\nb,0,1\n", "r:2:1: column 'a' is declared twice"},
             {"a,4,0\nb,0,1\n", "r:1:5: the high end"},
             {"a,0,inf\nb,0,1\n", "r:1:5: 'inf' is not a finite number"},
             {"a,0\nb,0,1\n", "r:1:4: expected name,low,high"},
             {"a,0,x\nb,0,1\n", "r:1:5: 'x' is not a number"},
             {"a,0,4,what\nb,0,1\n", "r:1:7: unknown kind 'what'"},
             {"a,0,4,flag\nb,0,1\n", "a flag or group column has the range 0 to 1"},
             {"a,0,4\nb,0,1\nc,0,1\n", "r:3:1: the data have no column 'c'"},
             {"a,-1e308,1e308\nb,0,1\n", "the range is too wide"}};
  dataset d;
  size_t k;
  (void)state;
  for (k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(declare(&d, bad[k].text), 0);
    if (strstr(message, bad[k].expected) == NULL)
      fail_msg("'%s' lacks '%s'", message, bad[k].expected);
    data_free(&d);
  }
  assert_true(declare(&d, "name,low,high,kind\nb,0,1,group:g\na,-5,10,numeric\n"));
  assert_true(d.features[0].kind == KIND_NUMERIC && d.features[1].kind == KIND_GROUP);
  assert_int_equal(d.features[1].group, 0);
  data_free(&d);
  /* a declared index beyond the last used one widens LIBSVM data */
  assert_true(parse(&d, "0 1:1\n1 2:1\n0 1:3\n1 1:1\n", NULL));
  assert_true(data_ranges_parse(&d, "1,0,5\n2,0,5\n4,0,5\n3,0,5\n", 24, "r", message));
  assert_int_equal(d.d, 4);
  assert_true(d.x[4 + 1] > 0.5 && d.x[8] > 2.5);
  data_free(&d);
}

static void columns_are_scaled_by_their_declared_ranges(void **state) {
  static const size_t order[] = {3, 0, 1, 2};
  dataset d;
  split s;
  (void)state;
  assert_true(declare(&d, "a,2,3\nb,0,1,flag\n"));
  assert_true(split_make(&s, &d, order, 3, 1, SCALE_RANGES));
  assert_true(fabs(s.train.raw[0] - 3) <= 0 && fabs(s.train.x[0] - 1) <= 0); /* 4 is clamped to 3 */
  assert_true(fabs(s.train.x[2] + 1) <= 0 && fabs(s.test.x[0] - 1) <= 0);
  assert_true(s.train.y[0] > 0 && s.test.y[0] < 0);
  split_free(&s);
  assert_true(split_make(&s, &d, order, 3, 1, SCALE_ROW));
  assert_true(fabs(hypot(s.train.x[4], s.train.x[5]) - 1) < 1e-15);
  split_free(&s);
  assert_true(split_make(&s, &d, order, 3, 1, SCALE_ZSCORE));
  assert_true(fabs(s.train.x[0] + s.train.x[2] + s.train.x[4]) < 1e-12);
  split_free(&s);
  data_free(&d);
}

static int map_columns(dataset *d, const char *maps) {
  assert_true(parse(d, "label,a,b,c-d\n0,1,-3,1e308\n1,2,7,0\n0,3,0,1\n1,4,0,2\n", NULL));
  return data_maps_parse(d, maps, strlen(maps), "m", message);
}

static void maps_are_read_or_refused_with_their_place(void **state) {
  static const struct {
    const char *text, *expected;
  } bad[] = {{"", "m: no column is declared"},
             {"# nothing\nname,centre,scale,terms\n", "m: no column is declared"},
             {"z,0,1,a\nz,0,1,b\n", "m:2:1: column 'z' is declared twice"},
             {",0,1,a\n", "m:1:1: the column's name is missing"},
             {"z,0,1\n", "m:1:6: expected name,centre,scale,terms[,limit]"},
             {"p,0,1,a\nz,0\n", "m:2:4: expected name,centre,scale,terms[,limit]"},
             {"z,a-b\n", "m: lines of name,terms derive ranges: those of the columns are missing"},
             {"z,0,1,a,2,3\n", "m:1:10: expected name,centre,scale,terms[,limit]"},
             {"z,x,1,a\n", "m:1:3: 'x' is not a number"},
             {"z,0,nan,a\n", "m:1:5: 'nan': a value is missing here"},
             {"z,0,0,a\n", "m:1:5: the scale is not above 0"},
             {"z,0,-2,a\n", "m:1:5: the scale is not above 0"},
             {"z,0,1,a,0\n", "m:1:9: the limit is not above 0"},
             {"z,0,1,a,1e308\n", "the limit is too large"},
             {"z,0,1,q\n", "m:1:7: the data have no column 'q'"},
             {"z,0,1,3\n", "m:1:7: the data have no column '3'"},
             {"z,0,1,a+\n", "m:1:9: a column's name is missing here"},
             {"z,0,1,\n", "m:1:7: a column's name is missing here"},
             {"z,0,1,a b\n", "m:1:9: 'b' does not belong here"},
             {"z,0,1,a*2\n", "m:1:9: the data have no column '2'"},
             {"z,0,1,a*b*a*b*a\n", "m:1:15: a product has at most 4 columns"},
             {"z,0,1,c-d\n", "m:1:7: the data have no column 'c'"},
             {"z,0,1,log1p(a\n", "m:1:14: expected ')'"},
             {"z,0,1,log1p()\n", "m:1:13: a column's name is missing here"},
             {"z,0,1,[a\n", "a column's name is missing here"},
             {"z,0,1,1e400*a\n", "m:1:7: the number '1e400' is too large"}};
  static char many[6000] = "z,0,1,a";
  dataset d;
  split s;
  size_t k, order[4] = {0, 1, 2, 3};
  (void)state;
  for (k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(map_columns(&d, bad[k].text), 0);
    if (strstr(message, bad[k].expected) == NULL)
      fail_msg("'%s' lacks '%s'", message, bad[k].expected);
    assert_true(d.d == 3 && d.maps == NULL); /* the data stay as they were */
    data_free(&d);
  }
  for (k = 7; k < 1500; k += 2) memcpy(many + k, "+a", 3);
  assert_int_equal(map_columns(&d, many), 0);
  assert_non_null(strstr(message, "m:1:7: the sum is longer than 1023 characters"));
  data_free(&d);

  assert_true(map_columns(&d, "# typical values\r\nname,centre,scale,terms,limit\r\n"
                              "p,1,2,a\r\n q , 0.5 , 1 , - 2*log1p(b) + 1e-1*a , 10\r\n"
                              "far,0,1e-9,[c-d]+[c-d]-2.5e+0*[c-d],1.5\r\n"));
  assert_int_equal(d.d, 3);
  assert_true(d.has_ranges && strcmp(d.features[1].name, "q") == 0);
  assert_true(fabs(d.features[0].high - 3) <= 0 && fabs(d.features[2].low + 1.5) <= 0);
  assert_string_equal(d.maps[1].terms, "- 2*log1p(b) + 1e-1*a");
  assert_true(fabs(d.x[0] - 0) <= 0 && fabs(d.x[9] - 1.5) <= 0);
  assert_true(fabs(d.x[1] - (2 * log1p(3) + 0.1 - 0.5)) < 1e-15); /* log1p(-3) = -log1p(3) */
  assert_true(fabs(d.x[4] - (-2 * log1p(7) + 0.2 - 0.5)) < 1e-15);
  assert_true(fabs(d.x[2] + 1.5) <= 0); /* infinity less infinity: the lower limit */
  assert_true(fabs(d.x[5]) <= 0 && fabs(d.x[8] + 1.5) <= 0);
  assert_true(split_make(&s, &d, order, 3, 1, SCALE_MAPS));
  assert_memory_equal(s.train.x, d.x, 9 * sizeof(double));
  assert_memory_equal(s.test.raw, d.x + 9, 3 * sizeof(double));
  split_free(&s);
  /* maps of maps: the derived columns are columns */
  assert_true(data_maps_parse(&d, "r,0,1,p+q", 9, "m", message));
  assert_true(d.d == 1 && fabs(d.x[0] - (2 * log1p(3) - 0.4)) < 1e-15);
  data_free(&d);

  /* LIBSVM: by index; one that no record uses is 0 */
  assert_true(parse(&d, "0 1:1\n1 2:1\n0 1:3\n1 1:1\n", NULL));
  assert_true(data_maps_parse(&d, "u,0,1,2*1-2\nv,1,1,9", 19, "m", message));
  assert_true(fabs(d.x[0] - 2) <= 0 && fabs(d.x[2] + 1) <= 0 && fabs(d.x[1] + 1) <= 0);
  data_free(&d);
}

/* a in [0, 2], b in [-1, 3], f a flag, g and h of one group: every line's range holds whatever the
 * ranges of its columns hold, and both ends are reached. */
static int derive(dataset *d, const char *maps) {
  static const char ranges[] =
      "a,0,2\nb,-1,3\nf,0,1,flag\ng,0,1,group:k\nh,0,1,group:k\nw,-4e307,4e307\n";
  assert_true(parse(d,
                    "label,a,b,f,g,h,w\n0,1,-3,1,0,1,5\n1,2,7,0,0,0,0\n0,inf,-1,1,1,0,1\n"
                    "1,0,3,0,1,0,-1\n",
                    NULL));
  assert_true(data_ranges_parse(d, ranges, sizeof ranges - 1, "r", message));
  return data_maps_parse(d, maps, strlen(maps), "m", message);
}

static void differences_and_products_have_ranges_derived_from_their_columns(void **state) {
  static const struct {
    const char *text, *expected;
  } bad[] = {{"z,a-b\ny,a,1\n", "m:2:4: expected name,terms"},
             {"z,a-b\nz,a\n", "m:2:1: column 'z' is declared twice"},
             {"b,a\n", "column 'b' is declared twice"}, /* b itself stays */
             {"z,a-1\n", "m:1:5: the data have no column '1'"},
             {"z,0*a\n", "m: column 'z' is always the same"},
             {"z,w*w\n", "m: the range of 'z' is too wide"},
             {"z,2*w-w\n", "m: the range of 'z' is too wide"}};
  static const struct {
    const char *text;
    double low, high, x[4]; /* of the four records, clamped first: a 1 2 2 0, b -1 3 -1 3 */
    feature_kind kind;
  } good[] = {{"z,a-b\n", -3, 3, {2, -1, 3, -3}, KIND_NUMERIC},
              {"name,terms\nz,a*b\n", -2, 6, {-1, 6, -2, 0}, KIND_NUMERIC},
              {"z,-2*b\n", -6, 2, {2, -6, 2, -6}, KIND_NUMERIC},
              {"z, a * b * f \n", -2, 6, {-1, 0, -2, 0}, KIND_NUMERIC},
              {"z,f*g\n", 0, 1, {0, 0, 1, 0}, KIND_FLAG},
              {"z,f\n", 0, 1, {1, 0, 1, 0}, KIND_FLAG},
              {"z,h\n", 0, 1, {1, 0, 0, 0}, KIND_GROUP},
              {"z,f-g\n", -1, 1, {1, 0, 0, -1}, KIND_NUMERIC}};
  static const char groups[] = "a,0,1,group:p\nb,0,1,group:q\nc,0,1,group:r\nd,0,1,group:r\n";
  dataset d;
  size_t k, i, j;
  (void)state;
  for (k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(derive(&d, bad[k].text), 0);
    if (strstr(message, bad[k].expected) == NULL)
      fail_msg("'%s' lacks '%s'", message, bad[k].expected);
    assert_true(d.d == 6 && d.maps == NULL);
    data_free(&d);
  }
  for (k = 0; k < sizeof good / sizeof *good; k++) {
    if (!derive(&d, good[k].text)) fail_msg("%s", message);
    assert_true(d.has_ranges && !d.centred && d.features[0].kind == good[k].kind);
    assert_true(fabs(d.features[0].low - good[k].low) + fabs(d.features[0].high - good[k].high) <=
                0);
    for (i = 0; i < 4; i++) assert_true(fabs(d.x[i * d.d] - good[k].x[i]) <= 0);
    for (j = 1; j < d.d; j++) assert_string_equal(d.maps[j].terms, ""); /* these stayed */
    data_free(&d);
  }
  /* what stays keeps its range and kind; maps of derived columns are refused */
  assert_true(derive(&d, "z,log1p(a)-[b]\n"));
  assert_true(d.d == 5 && strcmp(d.features[1].name, "f") == 0 && d.features[1].kind == KIND_FLAG);
  assert_true(d.features[2].group == 0 && fabs(d.features[4].high - 4e307) <= 0);
  assert_true(fabs(d.features[0].high - (log1p(2) + 1)) < 1e-15 && fabs(d.x[3 * 5 + 4] + 1) <= 0);
  assert_int_equal(data_maps_parse(&d, "y,z-f", 5, "m", message), 0);
  data_free(&d);
  /* no group's number is beyond the columns that are left */
  assert_true(parse(&d, "label,a,b,c,d\n0,1,0,0,1\n1,0,1,1,0\n0,1,1,1,0\n1,0,0,0,0\n", NULL));
  assert_true(data_ranges_parse(&d, groups, sizeof groups - 1, "r", message));
  assert_true(data_maps_parse(&d, "z,a+b\n", 6, "m", message));
  assert_true(d.d == 3 && d.features[0].group == -1);
  assert_true(d.features[1].group == 0 && d.features[2].group == 0);
  data_free(&d);
}

/* The shipped maps fit their data, and give columns of about deviation 1. */
static void the_shipped_maps_fit_their_data(void **state) {
  dataset d;
  size_t i, j;
  (void)state;
  assert_true(data_load(&d, "examples/data/pima.csv", NULL, message));
  assert_true(data_maps(&d, "examples/data/pima.maps", message));
  assert_int_equal(d.d, 8);
  for (j = 0; j < d.d; j++) {
    double sum = 0, square = 0;
    for (i = 0; i < d.n; i++) {
      sum += d.x[i * d.d + j];
      square += d.x[i * d.d + j] * d.x[i * d.d + j];
    }
    sum /= (double)d.n;
    square = sqrt(square / (double)d.n - sum * sum);
    assert_true(fabs(sum) < 0.3 && square > 0.7 && square < 1.3);
  }
  data_free(&d);
  assert_true(data_load(&d, "examples/data/pima.csv", NULL, message));
  assert_int_equal(data_maps(&d, "no/such/maps", message), 0);
  assert_non_null(strstr(message, "no/such/maps: "));
  data_free(&d);
}

/* Whose record it is: texts and numbers, by their meaning; no feature; nothing about it is told. */
static void records_of_one_owner_have_one_number(void **state) {
  static const layout named = {NULL, "0,1", HEADER_YES, 0, '\0', "who", 0};
  static const layout placed = {"2", "0,1", HEADER_NO, 3, ',', "1", 0};
  static const layout sparse = {NULL, "0,1", HEADER_GUESSED, 3, '\0', "1", 0};
  static const char text[] =
      "a,who,y,b\n1,ann,1,2\n3,7,0,4\n5,\"ann\",0,6\n7, 7.0 ,1,8\n9,Ann,1,0\n";
  static const struct {
    const layout *how;
    const char *text, *expected;
    data_fault fault;
  } bad[] = {
      {&named, "a,who,y\n1,ann,1\n1,,0\n1,b,1\n1,c,1\n", "t:3:3: whose record", FAULT_RECORD},
      {&named, "a,who,y\n1,ann,1\n1,NA,0\n1,b,1\n1,c,1\n", "t:3:3: whose record", FAULT_RECORD},
      {&named, "a,who,y\n1,ann,1\n1,b,0\n1,c,1\n", "3 records; at least 4", FAULT_RECORD},
      {&named, "a,whom,y\n1,ann,1\n", "no column is called 'who'", FAULT_DECLARATION},
      {&named, "who,y\nann,1\n", "no feature columns", FAULT_FILE},
      {&sparse, "1 1:2\n0 1:1\n1 1:1\n0 1:1\n", "LIBSVM has no column of persons",
       FAULT_DECLARATION}};
  static const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 0};
  layout how = named;
  size_t order[5] = {4, 3, 2, 1, 0}, k;
  dataset d;
  split s;
  (void)state;
  for (k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(read_as(&d, bad[k].text, bad[k].how), 0);
    if (strstr(message, bad[k].expected) == NULL)
      fail_msg("'%s' lacks '%s'", message, bad[k].expected);
    assert_int_equal(d.fault, bad[k].fault);
    assert_true(d.x == NULL && d.group == NULL);
  }
  how.group = "y";
  assert_int_equal(read_as(&d, text, &how), 0);
  assert_non_null(strstr(message, "cannot be the label, too"));
  if (!read_as(&d, text, &named)) fail_msg("%s", message);
  assert_true(d.n == 5 && d.d == 2 && d.groups == 3);
  assert_memory_equal(d.x, x, sizeof x);
  assert_true(d.group[0] == d.group[2] && d.group[1] == d.group[3]);
  assert_true(d.group[0] != d.group[1] && d.group[4] != d.group[0] && d.group[4] != d.group[1]);
  assert_string_equal(d.features[1].name, "b");
  assert_true(split_make(&s, &d, order, 3, 2, SCALE_ROW));
  assert_true(s.train.groups == 3 && s.test.group == s.train.group + 3);
  for (k = 0; k < 5; k++) assert_int_equal(s.train.group[k], d.group[4 - k]);
  split_free(&s);
  data_free(&d);
  if (!read_as(&d, "7,1,2,3\n8,0,4,5\n7e0,0,6,7\n07,1,8,9\n", &placed)) fail_msg("%s", message);
  assert_true(d.n == 4 && d.d == 2 && d.groups == 2 && d.group[0] == d.group[3]);
  data_free(&d);
}

/* Every permutation of 4 comes up about equally often (chi-square, 23 degrees of freedom). */
static void every_permutation_comes_up_about_equally_often(void **state) {
  enum { TRIALS = 24000 };
  size_t seen[256] = {0}, order[4];
  double chi = 0;
  simulation_rng rng;
  int k, kinds = 0;
  (void)state;
  simulation_seed(&rng, 11);
  for (k = 0; k < TRIALS; k++) {
    simulation_permutation(order, 4, &rng);
    seen[order[0] | order[1] << 2 | order[2] << 4 | order[3] << 6]++;
  }
  for (k = 0; k < 256; k++) {
    kinds += seen[k] > 0;
    if (seen[k] > 0) chi += ((double)seen[k] - 1000) * ((double)seen[k] - 1000) / 1000;
  }
  assert_int_equal(kinds, 24);
  assert_true(chi < 60); /* exceeded with probability 4e-5, and the seed is fixed */
}

/* Scores for an evaluation (scores.h): only the header can be refused. */
static scores_file scores_text(const char *text, size_t length) {
  char error[ERROR_SIZE];
  scores_file file;
  if (!scores_parse(&file, text, length, "t", "score", "label", error)) fail_msg("%s", error);
  return file;
}

static size_t read_scores(double *s, const char *text, const char *positive) {
  const scores_file file = scores_text(text, strlen(text));
  declared_label label;
  assert_true(label_declare(&label, positive, strlen(positive)));
  return scores_read(s, &file, &label);
}

static void header_refused(const char *text, const char *sentence) {
  char error[ERROR_SIZE];
  scores_file file;
  assert_int_equal(scores_parse(&file, text, strlen(text), "t", "score", "label", error), 0);
  if (strstr(error, sentence) == NULL) fail_msg("'%s' lacks '%s'", error, sentence);
}

static void score_columns_are_found_by_their_names(void **state) {
  double s[4];
  (void)state;
  assert_int_equal(read_scores(s, "score,label\n1,1\n2,0\n", "1"), 1);
  assert_true(s[0] == 1 && s[1] == 2);
  assert_int_equal(read_scores(s, "\xef\xbb\xbfid;label;\"score\"\r\na;1;-3e2\r\nb;0;4\r\n", "1"),
                   1);
  assert_true(s[0] == -300 && s[1] == 4);
  assert_int_equal(read_scores(s, "label\tx\tscore\nyes\t5\t.5\nno\t5\t.25", "yes"), 1);
  assert_true(s[0] == 0.5 && s[1] == 0.25);
  header_refused("", "does not name the columns 'score' and 'label'");
  header_refused("0.25,1\n0.5,0\n", "does not name");
  header_refused("score label\n1 1\n", "does not name");
  header_refused("score,label,score\n1,1,1\n", "two columns are called 'score'");
}

static void every_line_of_scores_is_a_record_whatever_it_holds(void **state) {
  static const struct {
    const char *line;
    int positive;
    double score;
  } lines[] = {{"0.5,1", 1, 0.5},
               {"0.5,+1.0", 1, 0.5},
               {"0.5, \"1\" ", 1, 0.5},
               {"0.5,0.1e1", 1, 0.5},
               {"0.5,0", 0, 0.5},
               {"0.5,2", 0, 0.5},
               {"0.5,", 0, 0.5},
               {"0.5", 0, 0.5},
               {"0.5,nan", 0, 0.5},
               {"0.5,inf", 0, 0.5},
               {"0.5,1,more", 1, 0.5},
               {",1", 1, -HUGE_VAL},
               {"", 0, -HUGE_VAL},
               {"# remark", 0, -HUGE_VAL},
               {"  ", 0, -HUGE_VAL},
               {"nan,1", 1, -HUGE_VAL},
               {"NA,1", 1, -HUGE_VAL},
               {"?,1", 1, -HUGE_VAL},
               {"inf,1", 1, HUGE_VAL},
               {"-inf,1", 1, -HUGE_VAL},
               {"+Infinity,0", 0, HUGE_VAL},
               {"1e999,1", 1, HUGE_VAL},
               {"-1e999,1", 1, -HUGE_VAL},
               {"abc,1", 1, -HUGE_VAL},
               {"\"0.5,1", 0, -HUGE_VAL},
               {"score,label", 0, -HUGE_VAL},
               {"\r", 0, -HUGE_VAL}};
  size_t k;
  (void)state;
  for (k = 0; k < sizeof lines / sizeof *lines; k++) {
    char text[128];
    double s[3];
    size_t p;
    (void)snprintf(text, sizeof text, "score,label\n7,0\n%s\n8,0\n", lines[k].line);
    assert_int_equal(scores_text(text, strlen(text)).n, 3);
    p = read_scores(s, text, "1");
    if ((int)p != lines[k].positive) fail_msg("'%s': positive %zu", lines[k].line, p);
    if (p == 1 ? !(s[0] >= lines[k].score && s[0] <= lines[k].score)
               : !(s[1] >= lines[k].score && s[1] <= lines[k].score))
      fail_msg("'%s': %g %g %g", lines[k].line, s[0], s[1], s[2]);
  }
}

/* Any bytes at all behind a header: as many records as lines, every score a number that compares,
 * the same from the same bytes. */
static void any_bytes_are_scores(void **state) {
  static const char header[] = "score,label\n";
  static const char alphabet[] = "01.-+e,,\"\n\n\r\t #anif\0;";
  int round;
  (void)state;
  for (round = 0; round < (BRIEF ? 300 : 3000); round++) {
    char text[160];
    double s[160], t[160];
    const size_t head = sizeof header - 1, length = head + below(sizeof text - head);
    size_t i, n = 0, p;
    declared_label one;
    scores_file file;
    memcpy(text, header, head);
    for (i = head; i < length; i++) {
      text[i] = round % 4 ? alphabet[below(sizeof alphabet - 1)] : (char)random_bits();
      n += text[i] == '\n';
    }
    n += length > head && text[length - 1] != '\n';
    file = scores_text(text, length);
    assert_int_equal(file.n, n);
    assert_true(label_declare(&one, "1", 1));
    p = scores_read(s, &file, &one);
    assert_true(p <= n);
    for (i = 0; i < n; i++) assert_true(s[i] <= HUGE_VAL);
    scores_read_pairs(s, t, &file);
    for (i = 0; i < n; i++) assert_true(s[i] <= HUGE_VAL && t[i] <= HUGE_VAL);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(every_format_and_separator_is_read),
      TEST(labels_are_ordered_and_kept_as_written),
      TEST(any_number_of_labels_is_read_as_classes),
      TEST(a_bad_file_is_refused_with_its_line_and_column),
      TEST(files_are_opened_and_their_absence_is_told),
      TEST(numbers_are_read_to_the_last_bit),
      TEST(ranges_are_read_or_refused_with_their_place),
      TEST(columns_are_scaled_by_their_declared_ranges),
      TEST(every_permutation_comes_up_about_equally_often),
      TEST(maps_are_read_or_refused_with_their_place),
      TEST(differences_and_products_have_ranges_derived_from_their_columns),
      TEST(the_shipped_maps_fit_their_data),
      TEST(a_declared_shape_is_read_off_no_record),
      TEST(long_names_are_refused_and_never_cut),
      TEST(a_row_keeps_its_direction_however_extreme_its_numbers),
      TEST(score_columns_are_found_by_their_names),
      TEST(every_line_of_scores_is_a_record_whatever_it_holds),
      TEST(any_bytes_are_scores),
      TEST(records_of_one_owner_have_one_number),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
