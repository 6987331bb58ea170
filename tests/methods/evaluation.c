/* SPDX-License-Identifier: MIT */
/* Private evaluation from the outside: intervals cover and are as wide as they should be, over
 * simulated test sets (make evaluation-table has all cells). */
#include "tests.h"

#include "../evaluation/cells.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {TEST(intervals_cover_and_are_as_wide_as_simulated),
                                     TEST(other_laws_are_covered_where_delong_covers),
                                     TEST(the_laws_have_the_auc_that_they_state),
                                     TEST(kendall_and_the_band_cover)};
  return RUN_TESTS(tests, NULL, NULL);
}
