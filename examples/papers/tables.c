/* SPDX-License-Identifier: MIT */
/* The experiments that `make experiments` runs. */
#include "papers/experiment.h"
#include "methods/measures.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

extern const method method_auto, method_declared, method_gd, method_one_vector, method_dpgdsc,
    method_dpgdc2, method_dpegd, method_offpairstrc, method_offpairc, method_dpsgd, method_pidpsgd,
    method_bolton, method_dplssgd, method_yang2021, method_kang2021;

/* --- Xue et al. 2021, Table 4 ----------------------------------------------------------------- */

static const experiment_column xue_auc_columns[] = {
    {"OffPairStrC", &method_offpairstrc, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPGDSC", &method_dpgdsc, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"OffPairC", &method_offpairc, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPGDC2", &method_dpgdc2, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPEGD", &method_dpegd, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"auto, declared maps", &method_declared, LEVEL_NONE, SCALE_MAPS, MENDED, NULL, ""},
    {"auto, three ladder means", &method_declared, LEVEL_NONE, SCALE_MAPS, MENDED, NULL,
     "-ladders"},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, MENDED, NULL, NULL},
    {"no budget, maps", NULL, LEVEL_ZERO, SCALE_MAPS, MENDED, NULL, ""},
    {"linear, not private", NULL, LEVEL_CEILING, SCALE_RANGES, MENDED, NULL, NULL},
    {"linear, not private, maps", NULL, LEVEL_CEILING, SCALE_MAPS, MENDED, NULL, ""},
    {"DPGDSC, printed noise", &method_dpgdsc, LEVEL_NONE, SCALE_ROW, AS_PRINTED, NULL, NULL},
    {"DPGDC2, printed noise", &method_dpgdc2, LEVEL_NONE, SCALE_ROW, AS_PRINTED, NULL, NULL},
    {"DPEGD, printed noise", &method_dpegd, LEVEL_NONE, SCALE_ROW, AS_PRINTED, NULL, NULL}};

static const experiment_row xue_auc_rows[] = {
    {"pima", 256, 0, 0.5, {53.7, 63.3, 52.0, 52.9, 64.5}},
    {"pima", 256, 0, 0.8, {56.0, 63.9, 52.6, 53.1, 64.5}},
    {"pima", 256, 0, 1, {59.5, 64.5, 54.5, 54.6, 64.4}},
    {"pima", 256, 0, 2, {64.9, 65.5, 57.4, 60.0, 64.4}},
    {"pima", 256, 1, 0.5, {50.6, 59.2, 50.2, 0, 59.2}},
    {"pima", 256, 1, 0.8, {56.5, 63.0, 50.9, 0, 64.3}},
    {"pima", 256, 1, 1, {59.9, 62.7, 52.6, 0, 64.5}},
    {"pima", 256, 1, 2, {64.1, 64.6, 60.1, 0, 64.5}},
    {"retinopathy", 256, 0, 0.5, {56.3, 65.7, 50.1, 54.4, 66.2}},
    {"retinopathy", 256, 0, 0.8, {59.3, 66.3, 52.9, 58.1, 66.2}},
    {"retinopathy", 256, 0, 1, {62.9, 67.2, 54.3, 60.0, 66.3}},
    {"retinopathy", 256, 0, 2, {67.0, 67.0, 62.9, 60.4, 66.1}},
    {"retinopathy", 256, 1, 0.5, {52.2, 62.8, 52.3, 0, 66.3}},
    {"retinopathy", 256, 1, 0.8, {54.7, 64.6, 50.1, 0, 66.5}},
    {"retinopathy", 256, 1, 1, {57.5, 65.5, 51.4, 0, 66.0}},
    {"retinopathy", 256, 1, 2, {66.2, 66.9, 58.1, 0, 66.4}},
};

static const experiment xue_auc = {
    "xue2021-table4",
    "Xue et al. 2021, Table 4: AUC at n = 256",
    "Cells: printed in the paper / reached here, percent, with the standard error of the mean. The "
    "five "
    "algorithms run on unit rows with their defects mended, so with the noise that their stated "
    "epsilon "
    "needs; `auto` on declared ranges or on declared maps (`--maps`: typical values, written down "
    "beforehand), everything charged. Printed figures above what the mended "
    "algorithms reach are not private at the stated level: the printed noise constants give about "
    "50 "
    "percent, and only noise some thousand times smaller gives the printed figures.",
    "AUC, percent",
    NULL,
    xue_auc_columns,
    COUNT(xue_auc_columns),
    xue_auc_rows,
    COUNT(xue_auc_rows),
    50,
    5,
    1,
    0,
    0};

/* --- Xue et al. 2021, Figures 1 to 4 ---------------------------------------------------------- */

#define OVER_N(data, pure)                                                                         \
  {data, 64, pure, 0.8, {0}}, {data, 128, pure, 0.8, {0}}, {data, 256, pure, 0.8, {0}},            \
      {data, 384, pure, 0.8, {0}}, {                                                               \
    data, 512, pure, 0.8, { 0 }                                                                    \
  }
static const experiment_row xue_size_rows[] = {OVER_N("pima", 0), OVER_N("pima", 1),
                                               OVER_N("retinopathy", 0), OVER_N("retinopathy", 1)};

static const experiment_column xue_strong_columns[] = {
    {"OffPairStrC", &method_offpairstrc, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPGDSC", &method_dpgdsc, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"DPGDSC without noise", &method_dpgdsc, LEVEL_NONE, SCALE_ROW, NOISELESS, NULL, NULL}};
static const experiment xue_strong = {
    "xue2021-figures13",
    "Xue et al. 2021, Figures 1 and 3: AUC over the training size, strongly convex",
    "Regularised risk on unit rows, epsilon = 0.8. The paper draws these without printing figures.",
    "AUC, percent",
    NULL,
    xue_strong_columns,
    COUNT(xue_strong_columns),
    xue_size_rows,
    COUNT(xue_size_rows),
    20,
    3,
    1,
    1,
    0};

static const experiment_column xue_convex_columns[] = {
    {"OffPairC", &method_offpairc, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPGDC2", &method_dpgdc2, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPEGD", &method_dpegd, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"DPGDSC without noise", &method_dpgdsc, LEVEL_NONE, SCALE_ROW, NOISELESS, NULL, NULL}};
static const experiment xue_convex = {
    "xue2021-figures24",
    "Xue et al. 2021, Figures 2 and 4: AUC over the training size, general convex",
    "No regulariser, unit rows, epsilon = 0.8. The paper draws these without printing figures.",
    "AUC, percent",
    NULL,
    xue_convex_columns,
    COUNT(xue_convex_columns),
    xue_size_rows,
    COUNT(xue_size_rows),
    20,
    3,
    1,
    1,
    0};

/* --- Xue et al. 2021, Tables 2 and 3: metric learning ----------------------------------------- */

extern const method method_identity_metric, method_direction_metric, method_moments_metric,
    method_dpgdsc_metric, method_dpgdc2_metric, method_dpegd_metric, method_offpairstrc_metric,
    method_offpairc_metric;

static const experiment_column xue_metric_columns[] = {
    {"OffPairStrC", &method_offpairstrc_metric, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPGDSC", &method_dpgdsc_metric, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"OffPairC", &method_offpairc_metric, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPGDC2", &method_dpgdc2_metric, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"DPEGD", &method_dpegd_metric, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"identity", &method_identity_metric, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"identity, declared maps", &method_identity_metric, LEVEL_NONE, SCALE_MAPS, MENDED, NULL, ""},
    {"direction, declared maps", &method_direction_metric, LEVEL_NONE, SCALE_MAPS, MENDED, NULL,
     ""},
    {"moments, declared maps", &method_moments_metric, LEVEL_NONE, SCALE_MAPS, MENDED, NULL, ""},
    {"direction without noise", &method_direction_metric, LEVEL_NONE, SCALE_MAPS, NOISELESS, NULL,
     ""},
    {"DPGDC2 without noise", &method_dpgdc2_metric, LEVEL_NONE, SCALE_ROW, NOISELESS, NULL, NULL},
    {"DPGDC2, printed noise", &method_dpgdc2_metric, LEVEL_NONE, SCALE_ROW, AS_PRINTED, NULL, NULL},
    {"DPEGD, printed noise", &method_dpegd_metric, LEVEL_NONE, SCALE_ROW, AS_PRINTED, NULL, NULL}};

static const experiment_row xue_table2_rows[] = {
    {"pima", 128, 0, 1, {63.69, 64.03, 64.20, 71.30, 71.29}},
    {"pima", 256, 0, 1, {64.55, 64.68, 64.64, 71.91, 72.21}},
    {"pima", 512, 0, 1, {64.63, 65.85, 65.87, 72.46, 72.84}},
    {"pima", 128, 1, 1, {64.37, 64.51, 64.97, 0, 70.37}},
    {"pima", 256, 1, 1, {65.64, 65.28, 65.58, 0, 71.16}},
    {"pima", 512, 1, 1, {66.77, 67.16, 67.28, 0, 71.24}},
    {"retinopathy", 128, 0, 1, {60.72, 59.72, 60.94, 62.32, 62.95}},
    {"retinopathy", 256, 0, 1, {62.14, 62.82, 62.85, 63.09, 65.21}},
    {"retinopathy", 512, 0, 1, {63.59, 65.13, 63.29, 64.35, 66.36}},
    {"retinopathy", 128, 1, 1, {59.32, 59.48, 59.55, 0, 63.41}},
    {"retinopathy", 256, 1, 1, {61.00, 61.07, 60.70, 0, 64.51}},
    {"retinopathy", 512, 1, 1, {61.78, 62.01, 61.77, 0, 66.54}},
};
static const experiment xue_table2 = {
    "xue2021-table2",
    "Xue et al. 2021, Table 2: 3-NN accuracy of the learned metric, epsilon = 1",
    "Cells: printed in the paper / reached here. Unit rows, or declared maps. 3-NN accuracy hardly "
    "measures the metric: the "
    "identity, which learns nothing, is near the optimum, and the neighbours are raw training "
    "records, so "
    "the predictor as a whole is not private whatever the metric is.",
    "3-NN accuracy, percent",
    metric_accuracy,
    xue_metric_columns,
    COUNT(xue_metric_columns),
    xue_table2_rows,
    COUNT(xue_table2_rows),
    50,
    3,
    1,
    1,
    0};

static const experiment_row xue_table3_rows[] = {
    {"pima", 128, 0, 0.2, {63.49, 64.18, 63.59, 71.72, 71.46}},
    {"pima", 128, 0, 0.5, {63.50, 64.92, 63.63, 70.61, 71.49}},
    {"pima", 128, 0, 0.8, {63.93, 65.72, 63.97, 72.11, 71.66}},
    {"pima", 128, 0, 1, {63.44, 63.91, 63.71, 71.05, 71.32}},
    {"pima", 128, 0, 1.5, {63.53, 64.01, 63.96, 70.83, 71.50}},
    {"pima", 128, 0, 2, {64.26, 64.29, 65.07, 71.36, 71.45}},
    {"pima", 128, 1, 0.2, {64.28, 64.45, 64.34, 0, 70.28}},
    {"pima", 128, 1, 0.5, {64.49, 64.84, 64.38, 0, 70.49}},
    {"pima", 128, 1, 0.8, {64.53, 64.84, 64.49, 0, 70.51}},
    {"pima", 128, 1, 1, {64.38, 64.63, 64.09, 0, 70.48}},
    {"pima", 128, 1, 1.5, {64.40, 64.79, 64.29, 0, 70.59}},
    {"pima", 128, 1, 2, {64.84, 64.81, 64.30, 0, 70.82}},
};
static const experiment xue_table3 = {
    "xue2021-table3",
    "Xue et al. 2021, Table 3: 3-NN accuracy over epsilon, n = 128",
    "Only the diabetes half: the retinopathy half of the printed table repeats the diabetes cells "
    "at epsilon "
    "1, 1.5 and 2 in all nine rows, and its caption and the text disagree about n.",
    "3-NN accuracy, percent",
    metric_accuracy,
    xue_metric_columns,
    COUNT(xue_metric_columns),
    xue_table3_rows,
    COUNT(xue_table3_rows),
    50,
    3,
    1,
    0,
    0};

/* --- Yang et al. 2021 ------------------------------------------------------------------------- */

static const experiment_column yang_columns[] = {
    {"unit rows", &method_yang2021, LEVEL_NONE, SCALE_ROW, MENDED, NULL, NULL},
    {"without noise", &method_yang2021, LEVEL_NONE, SCALE_ROW, NOISELESS, NULL, NULL},
    {"Theorem 4 as printed", &method_yang2021, LEVEL_NONE, SCALE_ROW, AS_PRINTED, NULL, NULL},
    {"declared ranges", &method_yang2021, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"ranges, without noise", &method_yang2021, LEVEL_NONE, SCALE_RANGES, NOISELESS, NULL, NULL},
    {"ranges, as printed", &method_yang2021, LEVEL_NONE, SCALE_RANGES, AS_PRINTED, NULL, NULL}};
static const experiment_row yang_rows[] = {
    {"pima", 256, 0, 0.5, {0}},      {"pima", 256, 0, 1, {0}},
    {"pima", 256, 0, 2, {0}},        {"retinopathy", 256, 0, 0.5, {0}},
    {"retinopathy", 256, 0, 1, {0}}, {"retinopathy", 256, 0, 2, {0}}};
static const experiment yang = {
    "yang2021",
    "Yang et al. 2021: private pairwise SGD with the hinge loss, n = 256",
    "Noise on the averaged iterate, for the indices that were drawn; beside it the same without "
    "noise, and "
    "with the noise of the printed Theorem 4, whose true epsilon stands in brackets.",
    "AUC, percent",
    NULL,
    yang_columns,
    COUNT(yang_columns),
    yang_rows,
    COUNT(yang_rows),
    30,
    3,
    1,
    0,
    0};

/* --- Curves over epsilon ---------------------------------------------------------------------- */

static const experiment_column curve_columns[] = {
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"gd", &method_gd, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"one-vector", &method_one_vector, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"kang2021", &method_kang2021, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"dpgdc2", &method_dpgdc2, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"dpsgd", &method_dpsgd, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, MENDED, NULL, NULL},
    {"linear, not private", NULL, LEVEL_CEILING, SCALE_RANGES, MENDED, NULL, NULL}};

#define CURVE(data, pure)                                                                          \
  {data, 0, pure, 0.1, {0}}, {data, 0, pure, 0.2, {0}}, {data, 0, pure, 0.5, {0}},                 \
      {data, 0, pure, 1, {0}}, {data, 0, pure, 2, {0}}, {data, 0, pure, 4, {0}}, {                 \
    data, 0, pure, 8, { 0 }                                                                        \
  }
static const experiment_row curve_rows[] = {CURVE("pima", 0), CURVE("retinopathy", 0),
                                            CURVE("adult", 0), CURVE("bank", 0)};

static const experiment curves = {
    "curves",
    "AUC over epsilon, half of the data for training, delta = 1/n",
    "Declared ranges, everything charged. \"no budget\" is the plain sum of the scaled features, "
    "\"linear, not private\" a logistic regression on them.",
    "AUC, percent",
    NULL,
    curve_columns,
    COUNT(curve_columns),
    curve_rows,
    COUNT(curve_rows),
    30,
    3,
    1,
    0,
    0};

static const experiment_column pure_columns[] = {
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"one-vector", &method_one_vector, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"dpgdsc", &method_dpgdsc, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"yang2021", &method_yang2021, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, MENDED, NULL, NULL},
    {"linear, not private", NULL, LEVEL_CEILING, SCALE_RANGES, MENDED, NULL, NULL}};
static const experiment_row pure_rows[] = {CURVE("pima", 1), CURVE("retinopathy", 1),
                                           CURVE("adult", 1), CURVE("bank", 1)};
static const experiment pure_curves = {"curves-pure",
                                       "AUC over epsilon, half of the data for training, delta = 0",
                                       "The same under pure privacy.",
                                       "AUC, percent",
                                       NULL,
                                       pure_columns,
                                       COUNT(pure_columns),
                                       pure_rows,
                                       COUNT(pure_rows),
                                       30,
                                       3,
                                       1,
                                       0,
                                       0};

/* --- auto beside baselines -------------------------------------------------------------------- */

extern const method method_adassp, method_adassp_maps, method_lda, method_lda_maps,
    method_histogram_bayes, method_dpebm;

static const experiment_column auto_columns[] = {
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"before", NULL, LEVEL_BEFORE, SCALE_RANGES, MENDED, NULL, NULL},
    {"one-vector", &method_one_vector, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"adassp", &method_adassp, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"adassp-maps", &method_adassp_maps, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"lda", &method_lda, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"lda-maps", &method_lda_maps, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"histogram-bayes", &method_histogram_bayes, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"dpebm", &method_dpebm, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, MENDED, NULL, NULL},
    {"linear, not private", NULL, LEVEL_CEILING, SCALE_RANGES, MENDED, NULL, NULL}};
#define BUDGETS(data)                                                                              \
  {data, 0, 0, 0.1, {0}}, {data, 0, 0, 0.5, {0}}, {data, 0, 0, 1, {0}}, {data, 0, 0, 4, {0}}, {    \
    data, 0, 1, 1, { 0 }                                                                           \
  }
#define FEW(data, n)                                                                               \
  {data, n, 0, 0.5, {0}}, {data, n, 0, 1, {0}}, {                                                  \
    data, n, 0, 4, { 0 }                                                                           \
  }
static const experiment_row auto_rows[] = {
    BUDGETS("pima"),    BUDGETS("retinopathy"),  BUDGETS("adult"),        BUDGETS("bank"),
    BUDGETS("wine"),    BUDGETS("cancer"),       BUDGETS("boston"),       BUDGETS("diabetes"),
    BUDGETS("digits"),  BUDGETS("rare"),         BUDGETS("spread"),       FEW("pima", 100),
    FEW("pima", 200),   FEW("retinopathy", 100), FEW("retinopathy", 200), BUDGETS("pima+50"),
    BUDGETS("pima+200")};
static const experiment auto_table = {
    "auto",
    "auto beside what else is private: private_auc's own splits, two thirds for training",
    "Test AUC in percent and its standard error, declared ranges, everything charged; the last two "
    "columns are means over the splits of differences. before: auto of the version that "
    "examples/data/auto-before.tsv names. \"no budget\" is the plain sum of the scaled features, "
    "\"linear, not private\" a logistic regression on them. rare: simulated, 1 percent are "
    "positives; spread: simulated, the classes differ in spread and hardly in place; pima+50: with "
    "so many random columns.",
    "AUC, percent",
    NULL,
    auto_columns,
    COUNT(auto_columns),
    auto_rows,
    COUNT(auto_rows),
    50,
    3,
    1,
    0,
    1};

/* --- Kang et al. 2023, Figures 1 and 2 -------------------------------------------------------- */

extern const method method_dpsgd_mlp, method_dplssgd_mlp, method_filter;

/* The last two are left out of the gap, which is that of a linear score. */
static const experiment_column kang_columns[] = {
    {"DP-SGD", &method_dpsgd, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"output perturbation", &method_bolton, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"DP-LSSGD", &method_dplssgd, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"PIDP-SGD (NOT PRIVATE)", &method_pidpsgd, LEVEL_NONE, SCALE_RANGES, AS_PRINTED, NULL, NULL},
    {"individual filter", &method_filter, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"DP-SGD, MLP", &method_dpsgd_mlp, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"DP-LSSGD, MLP", &method_dplssgd_mlp, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL}};
#define KANG(data)                                                                                 \
  {data, 0, 0, 0.05, {0}}, {data, 0, 0, 0.1, {0}}, {data, 0, 0, 0.5, {0}}, {data, 0, 0, 1, {0}}, { \
    data, 0, 0, 3, { 0 }                                                                           \
  }
static const experiment_row kang_rows[] = {KANG("adult"), KANG("bank")};
static const experiment kang_accuracy = {
    "kang2023-figure1",
    "Kang et al. 2023, Figure 1: test accuracy on Adult and Bank",
    "The paper draws curves without printing figures; its claim is that PIDP-SGD is above the "
    "others. "
    "PIDP-SGD is run as printed and is NOT differentially private at any epsilon. Majority class: "
    "75.2 "
    "percent on Adult, 88.7 on Bank.",
    "accuracy, percent",
    sign_accuracy,
    kang_columns,
    COUNT(kang_columns),
    kang_rows,
    COUNT(kang_rows),
    3,
    2,
    1,
    0,
    0};
static const experiment kang_gap = {
    "kang2023-figure2",
    "Kang et al. 2023, Figure 2: optimality gap on Adult and Bank",
    "Mean training loss above the optimum of logistic regression, in hundredths of a nat.",
    "gap, hundredths of a nat",
    optimality_gap,
    kang_columns,
    COUNT(kang_columns) - 2,
    kang_rows,
    COUNT(kang_rows),
    3,
    2,
    1,
    0,
    0};

/* --- All pairs, and pairs made pointwise ------------------------------------------------------ */

extern const method method_pointwise, method_pointwise_batches, method_pointwise_zeroed,
    method_pointwise_batches_zeroed, method_pairs_all, method_pairs_batches, method_pairs_zeroed,
    method_pairs_batches_zeroed;

static const experiment_column pointwise_columns[] = {
    {"zeroed: pairs", &method_pairs_zeroed, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"pointwise", &method_pointwise_zeroed, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"batches: pairs", &method_pairs_batches_zeroed, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"pointwise", &method_pointwise_batches_zeroed, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"replaced: pairs", &method_pairs_all, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"pointwise", &method_pointwise, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"batches: pairs", &method_pairs_batches, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"pointwise", &method_pointwise_batches, LEVEL_NONE, SCALE_RANGES, MENDED, NULL, NULL},
    {"linear, not private", NULL, LEVEL_CEILING, SCALE_RANGES, MENDED, NULL, NULL}};
#define POINTWISE(data, n)                                                                         \
  {data, n, 0, 0.25, {0}}, {data, n, 0, 1, {0}}, {                                                 \
    data, n, 0, 4, { 0 }                                                                           \
  }
static const experiment_row pointwise_rows[] = {
    POINTWISE("pima", 384), POINTWISE("simulated", 10000), POINTWISE("adult", 0)};
static const experiment pointwise = {
    "pointwise",
    "All pairs, and pairs made pointwise: AUC at the same epsilon and delta = 1/n",
    "Logistic loss, declared ranges. The first four columns protect a record "
    "that is zeroed, the next four one that is replaced by another; batches are Poisson samples. "
    "Steps and step sizes from public numbers. Where a record is zeroed, all pairs move as far as "
    "where it is replaced, and pointwise gradients half as far.",
    "AUC, percent",
    NULL,
    pointwise_columns,
    COUNT(pointwise_columns),
    pointwise_rows,
    COUNT(pointwise_rows),
    20,
    3,
    1,
    0,
    0};

const experiment *const experiments[] = {
    &xue_auc,  &xue_strong, &xue_convex,  &xue_table2, &xue_table3, &yang, &kang_accuracy,
    &kang_gap, &curves,     &pure_curves, &pointwise,  &auto_table, NULL};
