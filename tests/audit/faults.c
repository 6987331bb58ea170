/* SPDX-License-Identifier: MIT */
/*
 * faults.c - the audit's own test: programs with one mistake each, which it must find by replay,
 * and the same programs without it, also on hard neighbours, which it must pass.
 *
 *   audit_faults(argc, argv)      the table; --faults WORD: the rows in which WORD occurs; -q: only
 *                                 what fails, and the sum
 */
#include "faults.h"

#include "faults_allocation.h"
#include "faults_auto.h"
#include "faults_boosted.h"
#include "faults_by_hand.h"
#include "faults_groups.h"
#include "faults_marginals.h"
#include "faults_moments.h"
#include "faults_objective.h"
#include "faults_owners.h"
#include "faults_people.h"
#include "faults_plans.h"
#include "faults_pointwise.h"
#include "faults_printed.h"
#include "faults_reading.h"
#include "faults_selection.h"
#include "faults_shares.h"
#include "faults_streams.h"
#include "faults_unseen.h"

#include <time.h>

#define ROW(run, fault, data, expected, source, wrong)                                             \
  { run, #run, fault, data, expected, source, wrong }
#define RIGHT(run) ROW(run, 0, FAR, 0, "", "(no mistake)")

static const audit_fault table[] = {
    RIGHT(descent),
    ROW(descent, OVERWRITTEN, FAR, DISTANCE, "", "rows overwritten after they were clipped"),
    ROW(descent, RADIUS_BY_HAND, FAR, DISTANCE, "", "a radius that the rows do not have"),
    ROW(descent, FALSE_RANGE, FAR, DISTANCE, "",
        "a range of slopes that is false between 16 points"),
    ROW(descent, START_FROM_DATA, GROUPS, SCALE, "", "begins at a w that was never released"),
    ROW(descent, LABELS_BY_MEAN, FAR, DISTANCE, "", "labels: above the mean of all outcomes"),
    ROW(descent, STOP_ON_LOSS, FAR, FLOW, "", "stops early on the training loss"),
    ROW(descent, STEP_FROM_DATA, FAR, OUTPUT, "", "the step size from the rows"),
    ROW(descent, SCALED_BY_LONGEST, GROUPS, DISTANCE, "", "rows divided by the longest one"),
    ROW(descent, OUTLIERS_DROPPED, GROUPS, DISTANCE, "", "outliers dropped, by the median"),
    ROW(descent, IMPUTED, FAR, DISTANCE, "", "missing values filled with the mean"),
    ROW(descent, CLASS_WEIGHTS, FAR, DISTANCE, "", "weights from the private class counts"),
    ROW(descent, UNDONE_STEPS, FAR, OUTPUT, "", "a step is undone where the AUC fell"),
    ROW(descent, BEST_RESTART, FAR, OUTPUT, "", "the best of some starts, by its AUC"),
    ROW(descent, REPEATED_UNTIL_GOOD, FAR, FLOW, "", "repeated until it is good"),
    ROW(descent, AUC_PRINTED, FAR, OUTPUT, "", "prints the training AUC"),
    ROW(descent, LOSS_PRINTED, FAR, OUTPUT, "", "prints the training loss"),
    ROW(descent, ERROR_PRINTED, FAR, OUTPUT, "", "a message that quotes a record"),
    ROW(descent, TIE_BROKEN_BY_DATA, FAR, OUTPUT, "", "a last digit from a record"),
    ROW(descent, EPSILON_OF_A_STEP, FAR, CLAIM, "", "states the epsilon of one step"),
    ROW(descent, DELTA_OF_A_STEP, FAR, CLAIM, "", "states the delta of one step"),
    ROW(descent, BUDGET_TWICE, FAR, CLAIM, "", "two models, each with an account of its own"),
    ROW(descent, KNOWN_KEY, FAR, NOISE, "", "a key that is not secret"),
    ROW(descent, KNOWN_KEY_BESIDE, FAR, NOISE, "", "such a key, beside one of the system"),
    ROW(descent, RUN_AGAIN, FAR, NOISE, "", "key and run of an earlier release"),
    ROW(descent, MULTIPLIER_WRITTEN, FAR, SCALE, "", "the multiplier of an open plan is halved"),
    ROW(descent, STEPS_WRITTEN, FAR, UNPAID, "", "an open plan is given a step more"),
    ROW(descent, LAW_WRITTEN, FAR, SCALE, "", "an open plan is given another law"),
    RIGHT(batches),
    ROW(batches, SAMPLING_WRITTEN, FAR, CHARGE, "", "an open plan is given a draw"),
    ROW(batches, NOT_THE_DRAWN, FAR, DISTANCE, "", "a batch of records that were not drawn"),
    ROW(batches, HARD_EXAMPLES, GROUPS, DISTANCE, "",
        "the hardest records in place of the drawn ones"),
    ROW(batches, EPSILON_A_STEP, FAR, CLAIM, "", "calibrated for each step, not for all"),
    ROW(batches, DRAW_PRINTED, FAR, OUTPUT, "", "prints which records were drawn"),
    RIGHT(allocated),
    ROW(allocated, RECORD_IN_TWO_BATCHES, FAR, DISTANCE, "", "a record in two batches of an epoch"),
    ROW(allocated, LAST_BATCH_FILLED, FAR, DISTANCE, "", "a last batch that is filled up"),
    RIGHT(allocated_sum),
    ROW(allocated_sum, ONE_PAIR_EXCHANGED, FAR, DISTANCE, "", "a matching of the batch at C/b"),
    ROW(allocated_sum, PLAIN_SUM, FAR, DISTANCE, "", "all pairs of the batch over m(m-1)"),
    RIGHT(epochs_by_hand),
    ROW(epochs_by_hand, PARTS_OF_A_SHUFFLE, FAR, NOISE, "",
        "equal parts of a shuffle, as allocation"),
    ROW(epochs_by_hand, ONE_ALLOCATION, FAR, NOISE, "", "one allocation for all epochs"),
    ROW(epochs_by_hand, HALF_THE_EPOCHS, FAR, UNPAID, "", "one epoch is charged for two"),
    ROW(epochs_by_hand, ONE_LONG_EPOCH, FAR, CHARGE, "",
        "all epochs, charged as one of all batches"),
    ROW(epochs_by_hand, TWICE_AN_EPOCH, FAR, CHARGE, "",
        "a record is in two batches, one is charged"),
    RIGHT(selected),
    ROW(selected, COST_FORGOTTEN, FAR, CLAIM, "", "the best of K runs without what choosing costs"),
    ROW(selected, COST_ONCE, FAR, CLAIM, "", "the best of K runs, choosing paid for once"),
    ROW(selected, MEAN_FORGOTTEN, FAR, CLAIM, "", "the best of K runs at the delta of one"),
    ROW(selected, RUNS_AS_ONE, FAR, CLAIM, "", "the best of K runs, charged as one"),
    ROW(selected, RUNS_FIXED, FAR, NOISE, "", "the best of a fixed number of runs"),
    ROW(selected, STOPPED_EARLY, FAR, NOISE, "", "fewer runs than were drawn"),
    ROW(selected, SCORED_WITHOUT_NOISE, FAR, OUTPUT, "", "runs chosen by a score without noise"),
    RIGHT(matching),
    ROW(matching, PAIRS_OVERLAP, FAR, DISTANCE, "", "a record in two pairs of a matching"),
    ROW(matching, MATCHED_BY_VALUE, FAR, DISTANCE, "", "pairs of neighbours in a sorted column"),
    ROW(matching, PAIRS_COUNTED, FAR, DISTANCE, "", "divided by the pairs of opposite labels"),
    RIGHT(network),
    ROW(network, UNCLIPPED, FAR, DISTANCE, "", "gradients of scores that are not clipped"),
    ROW(network, BATCH_NORM, FAR, DISTANCE, "", "batch normalisation"),
    ROW(network, SCORES_UNCAPPED, FAR, DISTANCE, "", "a cap of scores that was not used"),
    ROW(network, ROUNDED_AFTER_CLIP, FAR, DISTANCE, "", "rounded to a coarse type after the clip"),
    ROW(network, MEAN_SUBTRACTED, GROUPS, DISTANCE, "",
        "the mean of all scores goes into the gradient"),
    ROW(network, ROUNDING_FORGOTTEN, FAR, DISTANCE, "", "a sum in few bits, said to be exact"),
    RIGHT(metric),
    ROW(metric, ROWS_TOO_LONG, FLIPPED, DISTANCE, "", "rows overwritten after they were clipped"),
    ROW(metric, RADIUS_NOT_SQUARED, FLIPPED, DISTANCE, "", "a metric with a sensitivity for R = 1"),
    ROW(metric, DIVIDED_BY_TRACE, FLIPPED, DISTANCE, "", "divided by its trace before the noise"),
    RIGHT(histogram),
    ROW(histogram, ONE_CELL_MOVES, FAR, DISTANCE, "", "sensitivity 1: of a record that is added"),
    ROW(histogram, EDGES_FROM_DATA, LONG, DISTANCE, "", "edges from the least and largest value"),
    ROW(histogram, EMPTY_CELLS_DROPPED, ZEROS, FLOW, "", "only cells that are not empty"),
    ROW(histogram, RARE_CELLS_CLEARED, FAR, DISTANCE, "",
        "cells below 3 are cleared before the noise"),
    ROW(histogram, DIVIDED_BY_CLASS, FAR, DISTANCE, "", "shares of a class whose size is private"),
    RIGHT(auto_fit),
    ROW(auto_fit, CLASS_SHARES_OF_DATA, FLIPPED, DISTANCE, "", "classes weighed by true shares"),
    ROW(auto_fit, BLEND_OF_DATA, FAR, OUTPUT, "", "the range in a map, by the records"),
    ROW(auto_fit, FLAT_COLUMN_DROPPED, ZEROS, OUTPUT, "", "a column left out where no two differ"),
    RIGHT(perturbed_fit),
    ROW(perturbed_fit, FIT_NOISE_HALVED, FAR, SCALE, "", "half the noise in the linear term"),
    ROW(perturbed_fit, FIT_RIDGE_LESS, FAR, CHARGE, "", "half the ridge that is charged"),
    ROW(perturbed_fit, FIT_RIDGE_OF_DATA, FAR, CHARGE, "", "a ridge that suits the rows"),
    ROW(perturbed_fit, FIT_OUTPUT_NOISE_LESS, FAR, SCALE, "", "too little noise on the minimiser"),
    ROW(perturbed_fit, FIT_SLOPE_FALSE, FAR, DISTANCE, "", "a loss with the slope of another one"),
    ROW(perturbed_fit, FIT_LOSS_RISES, FAR, DISTANCE, "", "least squares, with a hinge's facts"),
    ROW(perturbed_fit, FIT_CENTRE_OF_DATA, FAR, DISTANCE, "", "drawn to a sum without noise"),
    ROW(perturbed_fit, FIT_RADIUS_OF_DATA, SHORT, SCALE, "", "the radius of the rows as they are"),
    ROW(perturbed_fit, FIT_TWICE, FAR, UNPAID, "", "a second fit under one plan"),
    ROW(perturbed_fit, FIT_EXACT_PUBLISHED, FAR, OUTPUT, "", "the fit without noise is published"),
    ROW(perturbed_fit, FIT_ETA_FORGOTTEN, FAR, CLAIM, "",
        "states the Gaussian curve alone, without the determinants"),
    ROW(perturbed_fit, FIT_TRACE_FORGOTTEN, FAR, CLAIM, "", "states no output noise"),
    RIGHT(class_sums),
    ROW(class_sums, TRUE_CLASS_SIZES, FLIPPED, DISTANCE, "", "class means, by the true class sizes"),
    ROW(class_sums, PRICE_OF_AN_ADDED_RECORD, FAR, DISTANCE, "", "paid as if a record were added"),
    ROW(class_sums, LARGEST_EXACT, SHORT, OUTPUT, "", "a ridge from the exact second moment"),
    ROW(class_sums, ROWS_UNCLIPPED, LONG, DISTANCE | FLOW | OUTPUT, "", "rows that nobody clips"),
    RIGHT(boosted),
    ROW(boosted, RESIDUAL_ADDED, FLIPPED, DISTANCE, "", "paid as if a record were added"),
    ROW(boosted, LEAF_MEANS, FLIPPED, DISTANCE, "", "means of leaves whose sizes are private"),
    ROW(boosted, CUT_AT_MEAN, FAR, DISTANCE, "", "cut at the mean of the records"),
    ROW(boosted, BEGINS_AT_RATE, FLIPPED, DISTANCE | SCALE, "", "begins at the share of positives"),
    ROW(boosted, RANGE_OF_SCORES, FAR, SCALE, "", "noise for the residuals that there are"),
    ROW(boosted, RANGE_AT_ZERO, FAR, DISTANCE, "", "noise for the residuals of scores of 0"),
    RIGHT(marginals),
    RIGHT(marginals_zeroed),
    ROW(marginals, ONE_COLUMN_PAID, FAR, DISTANCE, "", "histograms of all columns at one's price"),
    ROW(marginals, ONE_COLUMN_NOISED, FAR, OUTPUT, "", "noise on the first column only"),
    ROW(marginals, SET_COLUMNS_COUNTED, FAR, DISTANCE, "", "a record counts in all that are set"),
    ROW(marginals, LABEL_UNWEIGHTED, FLIPPED, DISTANCE, "", "labels times 3, paid as 1"),
    ROW(marginals, KERNEL_FOR_ITS_ROOT, FAR, DISTANCE, "", "counts times the kernel, not its root"),
    ROW(marginals, SMOOTHED_AT_TWO, FAR, DISTANCE, "",
        "smoothed counts at the l1 price of plain ones"),
    ROW(marginals, CLASSES_AS_ONE, FLIPPED, DISTANCE, "", "both classes at the price of one"),
    ROW(marginals, RANGE_FROM_DATA, SHORT, DISTANCE, "", "cells of the range of the records"),
    ROW(marginals, RANGE_REFUSED, LONG, FLOW | OUTPUT, "",
        "an error where a value is out of range"),
    ROW(marginals, TOLD_FROM_COUNTS, SHORT, OUTPUT, "", "how many are at the ends, without noise"),
    ROW(marginals_zeroed, NULLS_ARE_COUNTED, FAR, DISTANCE, "",
        "null records are counted in a cell"),
    RIGHT(shares),
    ROW(shares, ADDED_BY_HAND, FAR, DISTANCE, "", "integers are added beside those of the records"),
    ROW(shares, LENGTH_OF_ANOTHER, FAR, DISTANCE, "", "a sum released at the length of another"),
    ROW(shares, INTEGERS_SENT, FAR, OUTPUT, "", "the integers are sent without noise"),
    ROW(shares, COUNTED_BESIDE, FAR, OUTPUT, "", "a count of records goes out beside the sums"),
    RIGHT(skellam),
    ROW(skellam, DEVIATION_ADDED, FAR, SCALE, "", "a standard deviation where a variance belongs"),
    RIGHT(pointwise_all),
    RIGHT(pointwise_zeroed),
    RIGHT(pointwise_batches),
    ROW(pointwise_all, COUNTS_UNRELEASED, EQUAL, DISTANCE, "",
        "coefficients from counts without noise"),
    ROW(pointwise_all, COEFFICIENTS_UNCLIPPED, FAR, DISTANCE, "",
        "each record's vector is not clipped"),
    ROW(pointwise_all, PAIRS_CLIPPED_ONLY, FAR, DISTANCE, "",
        "pairs are clipped, and charged as clipped records"),
    ROW(pointwise_all, NODES_FROM_DATA, GROUPS, DISTANCE, "", "nodes up to the largest score"),
    ROW(pointwise_zeroed, NULLS_COUNTED, FAR, DISTANCE, "", "null records are counted"),
    ROW(pointwise_batches, BATCH_TWICE, FAR, DISTANCE, "",
        "histogram and gradient of one batch, charged as two"),
    RIGHT(persons),
    ROW(persons, 0, FLIPPED, 0, "", "(no mistake)"),
    ROW(persons, 0, GROUPS, 0, "", "(no mistake)"),
    ROW(persons, 0, ZEROS, 0, "", "(no mistake)"),
    ROW(persons, RECORD_MOVE, FLIPPED, DISTANCE, "", "u/n for all records of a person"),
    ROW(persons, RECORDS_CHARGED, FAR, DISTANCE, "", "charged as one replaced record"),
    ROW(persons, OWN_PAIRS, FAR, DISTANCE, "", "pairs inside a person are kept"),
    ROW(persons, EVERY_RECORD_ALIKE, FLIPPED, DISTANCE, "", "every record weighs 1"),
    ROW(persons, CLASSES_APART, GROUPS, DISTANCE, "",
        "a person's positives and negatives weigh 1 each"),
    ROW(persons, OWNERS_COUNTED, ZEROS, SCALE, "", "counts the persons that are there"),
    ROW(persons, STEP_FROM_RECORDS, FLIPPED, OUTPUT, "", "shows how many records there are"),
    ROW(persons, OWNER_SPLIT, FLIPPED, DISTANCE, "", "each record is taken for a person"),
    RIGHT(queries),
    ROW(queries, 0, GROUPS, 0, "", "(no mistake)"),
    ROW(queries, QUERIES_COUNTED, FAR, DISTANCE, "", "divided by the queries that have pairs"),
    ROW(queries, QUERY_AS_A_RECORD, GROUPS, DISTANCE, "", "a query charged as one of its records"),
    ROW(queries, ALL_PAIRS_OF_QUERIES, FAR, DISTANCE, "", "divided by the private number of pairs"),
    RIGHT(individual_sums),
    ROW(individual_sums, COEFFICIENT_OF_COUNTS, FAR, CLAIM, "",
        "records are charged by a coefficient of all of them"),
    ROW(individual_sums, DROPPED_ARE_COUNTED, FAR, CLAIM, "",
        "dropped records stay in the histogram"),
    RIGHT(two_stages),
    ROW(two_stages, EXACT_COUNT, FLIPPED, OUTPUT, "", "the second stage uses the exact count"),
    ROW(two_stages, SECOND_UNPAID, FAR, CLAIM, "", "the second stage has a budget of its own"),
    ROW(two_stages, STAGE_LEFT_OUT, FLIPPED, FLOW, "", "one stage only where a class is empty"),
    ROW(two_stages, EXACT_SCALE, GROUPS, DISTANCE, "",
        "rows scaled by a figure that was not released"),
    RIGHT(stopped),
    ROW(stopped, RESUMED_EARLIER, FAR, NOISE, "",
        "goes on at a step that was released, with another w"),
    ROW(stopped, LEDGER_IGNORED, FAR, CLAIM, "", "starts again without its ledger"),
    RIGHT(statistic),
    ROW(statistic, SWAPPED, FAR, SCALE, "", "the sensitivity in the place of sigma"),
    ROW(statistic, NOISE_ON_A_COPY, FAR, OUTPUT, "", "noise goes to a copy"),
    ROW(statistic, GENERATOR_COPIED, FAR, NOISE, "",
        "each step begins with a copy of the generator"),
    ROW(statistic, LAST_COORDINATE_BARE, FAR, OUTPUT, "", "no noise in the last coordinate"),
    ROW(statistic, UNIT_LENGTH, FAR, DISTANCE, "", "normalised to length 1 before the noise"),
    ROW(statistic, RECORD_CLIP_ONLY, FAR, DISTANCE, "",
        "2R/n: each record's mean is clipped, pairs are not"),
    ROW(statistic, ZERO_OUT_CONSTANT, FAR, DISTANCE, "", "2C/n under replacement"),
    ROW(statistic, MEAN_CLIPPED, FAR, DISTANCE, "", "the mean is clipped to R, and charged 2R/n"),
    ROW(statistic, CLIP_FROM_DATA, FAR, CHARGE, "", "a clip that follows the data"),
    ROW(statistic, CHARGE_FORGOTTEN, FAR, UNPAID, "", "no charge"),
    ROW(statistic, CHARGE_TAKEN_BACK, FAR, CLAIM, "", "a charge is taken back after the noise"),
    ROW(statistic, ACCOUNT_EMPTIED, FAR, CLAIM, "", "an account is emptied between two steps"),
    ROW(statistic, ONE_STEP_TOO_MANY, FAR, UNPAID, "", "one step is charged, two are released"),
    ROW(statistic, TWICE_FOR_ONE, FAR, UNPAID, "", "two noisy copies for one charge"),
    ROW(statistic, FLOAT_SUMS, FAR, DISTANCE, "", "sums in float, charged as exact ones"),
    ROW(statistic, OWN_NOISE, FAR, OUTPUT, "", "noise of its own, by rand()"),
    ROW(statistic, L2_FOR_LAPLACE, FAR, DISTANCE, "", "an l2 sensitivity for Laplace noise"),
    ROW(statistic, LAPLACE_AS_GAUSSIAN, FAR, UNPAID, "", "Laplace noise, charged as Gaussian"),
    ROW(statistic, VARIANCE_FOR_SIGMA, FAR, SCALE, "", "sigma taken for a variance: its root"),
    ROW(statistic, DIVIDED_BY_ROOT_D, FAR, SCALE, "", "sigma over the root of d"),
    ROW(statistic, MOMENTUM, FAR, DISTANCE, "", "momentum of gradients without noise"),
    ROW(statistic, NOISE_DECAYS, FAR, SCALE, "", "less noise in later steps"),
    ROW(statistic, SQUARED_ROWS, FAR, DISTANCE, "", "a kernel that is larger than its bound"),
    ROW(statistic, PRIVATE_N, FAR, CHARGE, "", "sigma from a private n"),
    ROW(statistic, PRIVATE_N_MEAN, FAR, DISTANCE, "", "divided by a private n"),
    ROW(statistic, NO_SELF_PAIRS_COUNTED, FAR, DISTANCE, "", "one record in n pairs more"),
    ROW(statistic, STEPS_FROM_DATA, FAR, FLOW, "", "as many steps as the data ask for"),
    ROW(statistic, CENTRED, FAR, DISTANCE, "", "centred by the private mean, then clipped"),
    ROW(statistic, KEY_OF_THE_CLOCK, FAR, NOISE, "", "a key made of the time"),
    ROW(statistic, ROUNDED_TO_STATE, FAR, CLAIM, "", "epsilon is rounded down for the paper"),
    ROW(statistic, SIGMA_FOR_ONE_STEP, FAR, CLAIM, "", "noise for one step, two are taken"),
    ROW(statistic, DELTA_FORGOTTEN, FAR, CLAIM, "", "Gaussian noise, stated as pure privacy"),
    ROW(statistic, CUT_AT_N, FAR, DISTANCE, "", "2C/N for records that are cut at N"),
    ROW(statistic, CLAIM_FROM_DATA, FAR, OUTPUT, "", "an epsilon that follows the data"),
    ROW(statistic, OTHER_NEIGHBOURS, FAR, CLAIM, "", "states other neighbours than it charges"),
    RIGHT(ranking),
    ROW(ranking, SLOPE_AT_ZERO, FAR, DISTANCE, "", "the slope at w = 0 for every w"),
    ROW(ranking, CLASS_COUNTS, FAR, DISTANCE, "", "divided by the private class counts"),
    ROW(ranking, CLASS_COUNTS_CHARGED, RELABELLED, CHARGE, "", "2C/n+ with the n+ of these data"),
    ROW(ranking, CLIP_FOR_F3, FAR, DISTANCE, "", "the pair clip in place of the loss's own bound"),
    ROW(ranking, F3_HALVED_FOR_ZERO_OUT, FAR, DISTANCE, "",
        "the ranking constant, halved for zero-out"),
    ROW(ranking, THREE_LEVELS, FAR, DISTANCE, "", "three label levels at the constant of two"),
    ROW(ranking, BALL_BEFORE_NOISE, FAR, DISTANCE, "",
        "w is projected before its noise, not after"),
    ROW(ranking, NOISE_ON_W, FAR, DISTANCE, "", "noise on 8 steps at the sensitivity of one"),
    ROW(ranking, WEIGHTS_OF_PERSONS, FAR, DISTANCE, "", "a weight for each record of a person"),
    RIGHT(batches_by_hand),
    ROW(batches_by_hand, BY_DRAWN_PAIRS, FAR, DISTANCE, "", "Poisson, divided by |B|(|B|-1)"),
    ROW(batches_by_hand, BY_A_CONSTANT, FAR, DISTANCE, "", "Poisson, divided by m(m-1)"),
    ROW(batches_by_hand, NO_DRAW, FAR, NOISE, "", "amplified, and nothing is drawn"),
    ROW(batches_by_hand, LOWER_RATE, FAR, CHARGE, "", "charged at another rate than it draws"),
    ROW(batches_by_hand, OTHER_SCHEME, FAR, CHARGE, "",
        "drawn without replacement, charged as Poisson"),
    ROW(batches_by_hand, ONE_DRAW_TWO_RELEASES, FAR, NOISE, "",
        "two releases of one draw, charged as two draws"),
    ROW(batches_by_hand, ZEROED_WITHOUT_REPLACEMENT, FAR, DISTANCE, "",
        "2C/m without replacement, for zeroed records"),
    ROW(batches_by_hand, SIGMA_FROM_BATCH, FAR, CHARGE, "", "sigma from the private |B|"),
    ROW(batches_by_hand, FULL_BATCHES_SKIPPED, FAR, FLOW, "",
        "batches that are too full are skipped"),
    ROW(batches_by_hand, BATCH_CUT, FAR, DISTANCE, "", "a batch is cut at 3 records"),
    ROW(batches_by_hand, PERSONS_BY_RECORDS, FAR, DISTANCE, "",
        "a person's records at the rate of one record"),
    ROW(batches_by_hand, ZEROED_TRIPLES, FAR, DISTANCE, "",
        "groups of three with a zeroed member: C/b"),
    ROW(batches_by_hand, OWN_COINS, FAR, NOISE, "", "coins of its own"),
    ROW(batches_by_hand, ORDER_AS_POISSON, FAR, NOISE, "", "shuffled epochs, charged as Poisson"),
    ROW(batches_by_hand, RATE_FROM_DATA, FAR, FLOW, "", "draws as many as a class has"),
    RIGHT(minimiser),
    ROW(minimiser, HALF_THE_MOVE, FAR, DISTANCE, "", "half of the move of a minimiser"),
    ROW(minimiser, GAMMA_OF_TWO, FAR, DISTANCE, "", "convexity 2 lam, of a ridge with lam/2"),
    ROW(minimiser, ITERATES_PUBLISHED, FAR, OUTPUT, "", "iterates on the way are published"),
    ROW(minimiser, STOPS_WHEN_FLAT, FAR, OUTPUT, "", "says how many steps it took"),
    ROW(minimiser, REFUSES_WHEN_SLOW, FAR, OUTPUT, "", "refuses where it did not converge"),
    ROW(minimiser, STEP_TOO_LONG, FAR, DISTANCE, "", "a step size above 2/L"),
    ROW(minimiser, WARM_START, FAR, DISTANCE, "", "begins at an earlier fit to these data"),
    RIGHT(last_iterate),
    ROW(last_iterate, INNER_ITERATES, FAR, UNPAID, "",
        "inner iterates leave, the last one is paid"),
    ROW(last_iterate, SMALL_DOMAIN, FAR, DISTANCE, "",
        "4 d S/(eta sigma^2) where d is below a step"),
    RIGHT(unseen),
    ROW(unseen, SEEN_ITERATE, GROUPS, OUTPUT, "", "another iterate is published, too"),
    ROW(unseen, SEEN_LOSS, GROUPS, OUTPUT, "", "a loss on the way is published"),
    ROW(unseen, AVERAGE_PUBLISHED, GROUPS, OUTPUT, "", "the average of the iterates"),
    ROW(unseen, KINK, GROUPS, DISTANCE, "", "a hinge, paid as if it were smooth"),
    ROW(unseen, UNSEEN_MOMENTUM, FAR, DISTANCE, "", "steps with momentum"),
    ROW(unseen, LONG_STEPS, GROUPS, DISTANCE, "", "steps beyond 2/L"),
    ROW(unseen, NO_REGULARISER, GROUPS, DISTANCE, "",
        "convexity of a regulariser that is not there"),
    ROW(unseen, LAST_OF_ONE_STEP, FAR, DISTANCE, "", "the noise of one step for all"),
    RIGHT(stream),
    ROW(stream, BEFORE_SILENCE_ENDS, FAR, CLAIM, "", "releases while the buffer fills"),
    ROW(stream, MET_ONCE, FAR, CLAIM, "", "a record is charged for its own step only"),
    ROW(stream, ALL_FOR_THE_LAST, FAR, CLAIM, "", "a buffer of all, charged as one of the last"),
    ROW(stream, RESIDENCE_ONCE, FAR, CLAIM, "", "a record that stays in the buffer to the end"),
    ROW(stream, PLACE_BY_VALUE, FAR, CLAIM, "", "a buffer that keeps records by their values"),
    ROW(stream, RECORD_REMOVED, FAR, CLAIM, "", "a record that is removed, with its step"),
    ROW(stream, PASSED_TWICE, FAR, CLAIM, "", "the stream comes twice, and is paid once"),
    ROW(stream, SUM_PUBLISHED, FAR, OUTPUT, "", "a prefix sum without noise"),
    ROW(stream, ROOT_FOR_THE_TREE, FAR, CLAIM, "", "a tree at the move of independent noise"),
    ROW(stream, ORDER_BY_VALUE, FAR, CLAIM, "", "an order that follows a value"),
    RIGHT(filter),
    ROW(filter, NOT_ASKED, FAR, CLAIM, "", "steps that the filter was not asked for"),
    ROW(filter, SPENT_AFTER, FAR, CLAIM, "", "asks the filter after the step"),
    RIGHT(individual),
    ROW(individual, CHARGED_BY_ITS_PAIRS, FAR, DISTANCE, "",
        "records are charged for their actual pairs"),
    ROW(individual, ACTIVE_PRINTED, FAR, OUTPUT, "", "prints what each record has spent"),
    ROW(individual, RENORMALISED, FAR, DISTANCE, "", "divided by the number of active pairs"),
    RIGHT(winner),
    ROW(winner, EXACT_WINNER, FAR, OUTPUT, "", "the winner of the exact scores"),
    ROW(winner, WINNERS_SCORE, FAR, OUTPUT, "", "a score without noise beside the winner"),
    ROW(winner, ONE_SCORE_CHARGED, FAR, DISTANCE, "", "three scores at the sensitivity of one"),
    ROW(winner, SCORES_MEAN_OVER_CLASS, RELABELLED, DISTANCE, "",
        "scores divided by the size of a class"),
    RIGHT(evaluation),
    ROW(evaluation, AUC_ONE_OVER_N, FAR, DISTANCE, "", "the AUC at 1/n"),
    ROW(evaluation, AUC_REALISED_COUNT, RELABELLED, CHARGE, "",
        "the AUC at 1/n+, with the n+ of these data"),
    ROW(evaluation, AUC_OF_ITS_OWN_MODEL, FAR, DISTANCE, "",
        "scores of a model of the same records"),
    ROW(evaluation, AUC_OF_A_PERSON, FAR, DISTANCE, "", "three records of one person"),
    ROW(evaluation, AUC_WITH_INTERVAL, RELABELLED, OUTPUT, "",
        "an interval from the private counts"),
    ROW(evaluation, AUC_OF_THREE_MODELS, FAR, UNPAID, "", "three models, one is paid"),
    ROW(evaluation, AUC_PARTIAL, FLIPPED, DISTANCE, "", "a partial AUC at 1/m0"),
    ROW(evaluation, AUC_THRESHOLD_TUNED, FAR, OUTPUT, "", "a threshold at the private mean"),
    ROW(printed, KANG2021_1, INSIDE, 0, "Kang 2021, Theorem 1", "its noise at epsilon 20"),
    ROW(printed, KANG2021_1, OUTSIDE, CLAIM, "Kang 2021, Theorem 1", "its noise at epsilon 30"),
    ROW(printed, XUE2021_1, INSIDE, 0, "Xue 2021, Alg. 1", "its noise at epsilon 60"),
    ROW(printed, XUE2021_1, OUTSIDE, CLAIM, "Xue 2021, Alg. 1", "its noise at epsilon 100"),
    ROW(printed, CLASSICAL, INSIDE, 0, "Gaussian lemma",
        "the root of 2 ln(1.25/delta) at epsilon 1"),
    ROW(printed, CLASSICAL, OUTSIDE, CLAIM, "Gaussian lemma",
        "the root of 2 ln(1.25/delta) at epsilon 16"),
    ROW(printed, XUE2021_2, INSIDE, 0, "Xue 2021, Alg. 2", "its noise at epsilon 2"),
    ROW(printed, XUE2021_2, OUTSIDE, CLAIM, "Xue 2021, Alg. 2", "its noise at epsilon 4"),
    ROW(printed, XUE2021_3, INSIDE, 0, "Xue 2021, Alg. 3", "its noise at epsilon 7"),
    ROW(printed, XUE2021_3, OUTSIDE, CLAIM, "Xue 2021, Alg. 3", "its noise at epsilon 9"),
    ROW(printed, YANG2021_4, INSIDE, 0, "Yang 2021, Theorem 4", "its noise at epsilon 1"),
    ROW(printed, YANG2021_4, OUTSIDE, CLAIM, "Yang 2021, Theorem 4",
        "its noise at any epsilon: 1e6"),
    ROW(printed, KANG2023_C, OUTSIDE, CLAIM, "Kang 2023, Theorem 5",
        "an unspecified c, taken as 1"),
    ROW(printed, KANG2023_COORDINATES, OUTSIDE, CLAIM, "Kang 2023, Theorem 5",
        "each coordinate private, so all are"),
    RIGHT(constants),
    ROW(constants, METRIC_G_1, FLIPPED, DISTANCE, "Kang 2021, metric", "G = 1 (it is 3.81)"),
    ROW(constants, RANKING_G_2, FAR, DISTANCE, "Kang 2021, ranking",
        "G = 2 (it is 3.93), of a zeroed record"),
    ROW(constants, METRIC_L_021, FAR, DISTANCE, "Kang 2021, metric",
        "steps of 1/L with L = 0.21 (it is 4)"),
    RIGHT(function_release),
    ROW(function_release, PROPOSITION_1, FAR, CLAIM, "Nie 2017, Prop. 1", "half of the scale"),
    ROW(function_release, SVM, FAR, CLAIM, "Nie 2017, SVM", "half of the scale"),
    ROW(function_release, LEAST_SQUARES, FAR, DISTANCE, "Nie 2017, squares",
        "C_L = 2M(kappa+1)/sqrt(lam) at lam = 9"),
    ROW(function_release, ONE_NUMBER_FOR_ALL, FAR, OUTPUT, "Nie 2017, f + b",
        "one number added to a function"),
    ROW(function_release, CENTRES_OF_RECORDS, FAR, OUTPUT, "",
        "a kernel expansion around the records"),
    RIGHT(influence),
    ROW(influence, NOISE_SKIPPED, FAR, OUTPUT, "Kang 2023, Alg. 1",
        "no noise for insignificant records"),
    ROW(influence, FROZEN_HESSIAN, FAR, DISTANCE, "Kang 2023, sigma_c",
        "the influence at 2G/(n zeta)"),
    ROW(influence, INFLUENCE_PRINTED, FAR, OUTPUT, "Kang 2021, eq. 4", "prints influences"),
    RIGHT(index_descent),
    ROW(index_descent, SELF_PAIRS_DROPPED, FAR, DISTANCE, "Yang 2021",
        "self-pairs are dropped from the divisor"),
    ROW(index_descent, LARGEST_SEEN_G, FAR, CHARGE, "Yang 2021", "G: the largest gradient seen"),
    RIGHT(drawn_pairs),
    ROW(drawn_pairs, PAIR_AS_UNIT, FAR, CHARGE, "",
        "amplified by the rate of a pair, not of a record"),
    ROW(drawn_pairs, ONE_HIT, FAR, CHARGE, "", "one hit for each record"),
    ROW(drawn_pairs, BOTH_ORDERS_CLIPPED, FAR, DISTANCE, "", "both orders of a pair, each clipped"),
    RIGHT(groups),
    ROW(groups, WEIGHTS_BY_CLASS, FAR, DISTANCE, "", "each class of a person weighs 1: u/U"),
    ROW(groups, WEIGHTS_OF_A_PRIVATE_LIST, FAR, DISTANCE, "",
        "weights from a private list of pairs"),
    ROW(groups, GREEDY_LIST, FAR, DISTANCE, "", "pairs admitted in order, at most one for each"),
    ROW(groups, QUERY_CHANGED, FAR, DISTANCE, "", "a record that changes its query: u/Q"),
    ROW(groups, MOMENTS_OF_ANOTHER_CELL, FAR, DISTANCE, "", "vector moments at R sqrt(2(P+1))"),
    RIGHT(owners),
    ROW(owners, RECORD_FOR_PERSON, FAR, DISTANCE, "", "a person's records at one record's price"),
    ROW(owners, ZEROED_FOR_REPLACED, FAR, DISTANCE, "", "a person replaced, paid as a zeroed one"),
    ROW(owners, CLIP_COUNTED_ONCE, FAR, DISTANCE, "", "min(C, u) in the place of min(2C, u)"),
    ROW(owners, TWO_LEVELS_FOR_ANY, FAR, DISTANCE, "", "a square at the price of a ranking loss"),
    ROW(owners, RECORDS_UNWEIGHTED, FAR, DISTANCE, "",
        "each record of a person weighs 1, paid as one share"),
    ROW(owners, SQUARE_AT_ONE_SHARE, FAR, DISTANCE, "", "a square, user-weighted, at u/U"),
    ROW(owners, LOAD_COUNTED_ONCE, FAR, DISTANCE, "", "C load for an owner who is replaced"),
    ROW(owners, PERSON_AS_RECORD_OF_QUERY, FAR, DISTANCE, "",
        "a person in two queries at one record's price"),
    ROW(owners, QUERY_AS_RECORD, FAR, DISTANCE, "", "a query at the price of its records"),
    ROW(owners, GROUP_HALVED, FAR, DISTANCE, "", "C/b for groups of three"),
    ROW(owners, ONE_ROW_OF_SOFTMAX, FAR, DISTANCE, "", "a softmax: the column is forgotten"),
    ROW(owners, RECORD_FOR_PERSON_IN_ACCOUNT, FAR, CLAIM, "",
        "an account of records, stated about persons"),
    RIGHT(drawn_persons),
    ROW(drawn_persons, RATE_OF_A_RECORD, FAR, CHARGE, "",
        "a person's records at the rate of one record"),
    ROW(drawn_persons, OWNS_MORE, FAR, CHARGE, "", "a person who owns more than the cap"),
    ROW(drawn_persons, K_TIMES_NOTHING, FAR, DISTANCE, "", "half of what one record moves"),
    RIGHT(planned_persons),
    ROW(planned_persons, OWNS_MORE, FAR, CHARGE, "", "a plan for fewer records than one owns"),
    ROW(planned_persons, K_TIMES_NOTHING, FAR, DISTANCE, "", "a radius that the rows do not have"),
    RIGHT(epochs),
    ROW(epochs, PARTS_BY_LABEL, FAR, CLAIM, "", "parts that are split by label"),
    ROW(epochs, PARTS_OVERLAP, FAR, CLAIM, "", "parts that share a record"),
    ROW(epochs, LAPLACE_PARTS_OVERLAP, FAR, CLAIM, "",
        "parts that share a record, with Laplace noise"),
    RIGHT(evaluated),
    ROW(evaluated, FITTED_MODEL, FAR, DISTANCE, "", "scores of a model of the same records"),
    ROW(evaluated, SCORES_OF_A_PERSON, TIES, DISTANCE, "", "forty records of one person"),
    ROW(evaluated, PROMISE_OF_THESE, FLIPPED, SCALE, "", "a promise that these records keep"),
    ROW(evaluated, CONFIDENCE_OF_THESE, FLIPPED, OUTPUT, "", "a confidence that follows a class"),
    RIGHT(reading),
    ROW(reading, WIDTH_INFERRED, FAR, FLOW, "", "columns: the largest index in the file"),
    ROW(reading, ONE_CLASS_REFUSED, FAR, OUTPUT, "", "refuses records of one class"),
    ROW(reading, LABELS_AS_FOUND, FAR, OUTPUT, "", "labels as the file spells them"),
    ROW(reading, HEADER_GUESSED, FAR, OUTPUT, "", "a first record is taken for a header"),
    ROW(reading, COMMENTS_LOST, FAR, OUTPUT, "", "a record that begins with # is a comment"),
    ROW(reading, BLANKS_LOST, FAR, OUTPUT, "", "an empty record is no record"),
    ROW(reading, INFINITE_REFUSED, FAR, OUTPUT, "", "1e309 is refused, 1e308 is not"),
    ROW(reading, THIRD_LABEL_ADDED, FAR, OUTPUT, "", "as many labels as there are in the file"),
    ROW(reading, SEED_FROM_A_HASH, FAR, NOISE, "", "a key that is a hash of the file"),
    ROW(reading, WARNS, FAR, OUTPUT, "", "a warning where there are no positives"),
    ROW(reading, EXIT_CODE, FAR, OUTPUT, "", "an exit code that says it too"),
    RIGHT(calibration),
    ROW(calibration, CANDIDATES_AT_NOTHING, FAR, CLAIM, "",
        "four candidates at epsilon 1e-9 and all of delta"),
    ROW(calibration, NAN_IS_SMALL, FAR, CLAIM, "", "fmax(NaN, 0) at epsilon 1000"),
    ROW(calibration, EPSILON_OVER_ROOT, FAR, CLAIM, "", "epsilon/sqrt(T) and delta for each step"),
    ROW(calibration, GUARANTEE_OF_NOTHING, FAR, OUTPUT, "", "a guarantee for what has no noise"),
    ROW(calibration, ROUNDED_NOISE, FAR, OUTPUT, "", "the noise is rounded, not the sum"),
};

/* A row's verdict: 1 where it is as it must be on the neighbours `data` .. `end` - 1. Of a program
 * without a mistake the report is that of the neighbour where most of what is charged moves. */
static int judge(audit_report *report, const audit_fault *row, int data, int end) {
  static audit_report one; /* large */
  memset(report, 0, sizeof *report);
  for (; data < end; data++) {
    audit_fault copy = *row;
    copy.data = data;
    audit_replay(&one, row->run, &copy);
    if (one.found != 0 || one.largest >= report->largest) *report = one;
    if (one.found != 0 || faults_broken != NULL) break;
  }
  if (faults_broken != NULL) return 0;
  return row->expected ? (report->found & row->expected) != 0 : report->found == 0;
}

static void print_row(const audit_report *report, const audit_fault *row, int right, double ms) {
  const unsigned told = right && row->expected ? report->found & row->expected : report->found;
  int first = 1;
  printf("%-6s %-16s %-20s %-50s %6.1f ms  ",
         right ? (row->expected ? "found" : "passes") : "WRONG", row->program, row->source,
         row->wrong, ms);
  if (faults_broken != NULL)
    printf("broken: %s\n", faults_broken);
  else if (told == 0)
    printf("nothing; %zu releases, at most %.9g of what is charged\n", report->releases,
           report->largest);
  for (int k = 0; k < AUDIT_FINDINGS; k++)
    if ((told & 1u << k) && (first || !right)) {
      printf("%s%s: %s\n", first ? "" : "       ", audit_finding_name((audit_finding)k),
             report->sentence[k]);
      first = 0;
    }
}

int audit_faults(int argc, char **argv);
int audit_faults(int argc, char **argv) {
  static audit_report report; /* large */
  const char *word = NULL;
  size_t mistakes = 0, found = 0, programs = 0, passed = 0;
  int quiet = 0;
  const clock_t begin = clock();
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-q") == 0)
      quiet = 1;
    else if (strcmp(argv[i], "--faults") != 0)
      word = argv[i];
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    const audit_fault *row = &table[i];
    const int all = row->expected == 0 && row->fault == 0; /* of the neighbours */
    const clock_t from = clock();
    int right;
    if (word != NULL && strstr(row->program, word) == NULL && strstr(row->wrong, word) == NULL &&
        strstr(row->source, word) == NULL)
      continue;
    faults_broken = NULL;
    right = judge(&report, row, all ? 0 : row->data, all ? HARD : row->data + 1);
    mistakes += row->expected != 0;
    found += row->expected != 0 && right;
    programs += row->expected == 0;
    passed += row->expected == 0 && right;
    if (!quiet || !right)
      print_row(&report, row, right, 1e3 * (double)(clock() - from) / CLOCKS_PER_SEC);
  }
  printf(
      "%zu mistakes, %zu found; %zu correct programs, %zu pass, on up to %d neighbours; %.2f s\n",
      mistakes, found, programs, passed, HARD, (double)(clock() - begin) / CLOCKS_PER_SEC);
  return mistakes == found && passed == programs && mistakes + programs > 0 ? 0 : 1;
}

#ifdef AUDIT_FAULTS_MAIN
int main(int argc, char **argv) { return audit_faults(argc, argv); }
#endif
