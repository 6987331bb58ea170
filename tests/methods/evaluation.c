/* SPDX-License-Identifier: MIT */
/* Private evaluation from the outside: intervals cover and are as wide as they should be, over
 * simulated test sets (make evaluation-table has all cells), and whatever the records of a file
 * hold, it is read. */
#include "tests.h"

#include "../evaluation/cells.h"
#include "support/scores.h"

/* Keys and seeds are fixed: 4.5 standard errors are the distance that a true difference has to
 * have, beyond what the expected figures are off themselves. */
static void intervals_cover_and_are_as_wide_as_simulated(void **state) {
  size_t i;
  int k;
  (void)state;
  for (i = 0; i < EXPECTED_ROWS; i++) {
    const expected_row *e = &expected[i];
    const score_source source = source_make(BINORMAL, e->auc);
    const size_t runs = BRIEF ? 40 : e->n > 200 ? 100 : 500;
    cell c;
    if (e->n > 1000 || (e->n > 200 && e->auc > 0.9)) continue;
    assert_int_equal(run_auc(&c, e->n, e->pi, &source, runs, 0, 7 + i), DPPAIR_OK);
    for (k = 0; k < BUDGETS; k++) {
      const tally *t = &c.at[k];
      const double r = ratio(t, &c.free);
      const double cover = coverage_score(t, e->coverage[k]);
      const double wide = figure_score(r, ratio_error(t, &c.free), e->ratio[k], 0.01);
      if (fabs(cover) > 4.5 || fabs(wide) > 4.5)
        fail_msg("n %zu, pi %g, AUC %g, epsilon %g: coverage %.3f for %.3f, width %.3f for %.3f",
                 e->n, e->pi, e->auc, budget[k], coverage(t), e->coverage[k], r, e->ratio[k]);
    }
    assert_true(fabs(coverage_score(&c.free, e->delong_coverage)) < 4.5);
  }
}

static void other_laws_are_covered_where_delong_covers(void **state) {
  int law, k;
  (void)state;
  for (law = UNEQUAL; law < SCORE_LAWS; law++) {
    const score_source source = source_make((score_law)law, 0.83);
    const size_t runs = BRIEF ? 40 : 300;
    cell c;
    assert_int_equal(run_auc(&c, 200, 0.25, &source, runs, 0, 70), DPPAIR_OK);
    for (k = 0; k < BUDGETS; k++)
      assert_true(coverage(&c.at[k]) > coverage(&c.free) - 0.012 - 4.5 * sqrt(0.06 / (double)runs));
    assert_int_equal(run_auc(&c, 200, 0.25, &source, runs, 1e-5, 71), DPPAIR_OK);
    for (k = 0; k < BUDGETS; k++)
      assert_true(coverage(&c.at[k]) > 0.94 - 4.5 * sqrt(0.05 / (double)runs));
  }
}

/* The share of five tied levels by pairs of levels against a simulated one. */
static void the_laws_have_the_auc_that_they_state(void **state) {
  enum { RECORDS = 20000 };
  static double s[2 * RECORDS];
  int law;
  (void)state;
  for (law = 0; law < SCORE_LAWS; law++) {
    const score_source source = source_make((score_law)law, 0.83);
    size_t i;
    interval d;
    for (i = 0; i < 2 * RECORDS; i++) s[i] = draw_score(&source, i < RECORDS);
    d = delong(s, 2 * RECORDS, RECORDS, 4.5);
    assert_true(covers(d, source.auc));
    assert_true(law == FIVE_LEVELS || fabs(source.auc - 0.83) < 1e-15);
  }
}

static void kendall_and_the_band_cover(void **state) {
  cell c;
  bands b[BUDGETS];
  int k;
  (void)state;
  assert_int_equal(run_kendall(&c, 200, 0.5, BRIEF ? 20 : 200, 5), DPPAIR_OK);
  for (k = 0; k < BUDGETS; k++)
    assert_true(coverage(&c.at[k]) > 0.97 - 4.5 * sqrt(0.03 / c.at[k].runs));
  assert_true(fabs(ratio(&c.at[1], &c.free) - 1.7) < 0.2);
  assert_int_equal(run_roc(b, 1000, 0.35, 0.83, BRIEF ? 20 : 100, 5), DPPAIR_OK);
  for (k = 0; k < BUDGETS; k++) {
    assert_true(b[k].covered > 0.95 * b[k].runs);
    assert_true(b[k].true_half / b[k].runs < (k == 0 ? 0.22 : k == 1 ? 0.16 : 0.12));
  }
}

/* --- reading scores --------------------------------------------------------------------------- */

static scores_file read_text(const char *text, size_t length) {
  char error[ERROR_SIZE];
  scores_file file;
  if (!scores_parse(&file, text, length, "t", "score", "label", error)) fail_msg("%s", error);
  return file;
}

static size_t read_scores(double *s, const char *text, const char *positive) {
  const scores_file file = read_text(text, strlen(text));
  declared_label label;
  assert_true(label_declare(&label, positive, strlen(positive)));
  return scores_read(s, &file, &label);
}

static void refused(const char *text, const char *sentence) {
  char error[ERROR_SIZE];
  scores_file file;
  assert_int_equal(scores_parse(&file, text, strlen(text), "t", "score", "label", error), 0);
  if (strstr(error, sentence) == NULL) fail_msg("'%s' lacks '%s'", error, sentence);
}

static void columns_are_found_by_their_names(void **state) {
  double s[4];
  (void)state;
  assert_int_equal(read_scores(s, "score,label\n1,1\n2,0\n", "1"), 1);
  assert_true(s[0] == 1 && s[1] == 2);
  assert_int_equal(read_scores(s, "\xef\xbb\xbfid;label;\"score\"\r\na;1;-3e2\r\nb;0;4\r\n", "1"),
                   1);
  assert_true(s[0] == -300 && s[1] == 4);
  assert_int_equal(read_scores(s, "label\tx\tscore\nyes\t5\t.5\nno\t5\t.25", "yes"), 1);
  assert_true(s[0] == 0.5 && s[1] == 0.25);
  refused("", "does not name the columns 'score' and 'label'");
  refused("0.25,1\n0.5,0\n", "does not name");
  refused("score label\n1 1\n", "does not name");
  refused("score,label,score\n1,1,1\n", "two columns are called 'score'");
}

static void every_line_is_a_record_whatever_it_holds(void **state) {
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
    assert_int_equal(read_text(text, strlen(text)).n, 3);
    p = read_scores(s, text, "1");
    if ((int)p != lines[k].positive) fail_msg("'%s': positive %zu", lines[k].line, p);
    if (p == 1 ? !(s[0] >= lines[k].score && s[0] <= lines[k].score)
               : !(s[1] >= lines[k].score && s[1] <= lines[k].score))
      fail_msg("'%s': %g %g %g", lines[k].line, s[0], s[1], s[2]);
  }
}

/* Any bytes at all behind a header: as many records as lines, every score a number that compares,
 * the same from the same bytes. */
static void any_bytes_are_records(void **state) {
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
    file = read_text(text, length);
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
  const struct CMUnitTest tests[] = {TEST(intervals_cover_and_are_as_wide_as_simulated),
                                     TEST(other_laws_are_covered_where_delong_covers),
                                     TEST(the_laws_have_the_auc_that_they_state),
                                     TEST(kendall_and_the_band_cover),
                                     TEST(columns_are_found_by_their_names),
                                     TEST(every_line_is_a_record_whatever_it_holds),
                                     TEST(any_bytes_are_records)};
  return RUN_TESTS(tests, NULL, NULL);
}
