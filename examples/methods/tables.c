/* SPDX-License-Identifier: MIT */
/* The experiments that `make experiments` runs. */
#include "methods/experiment.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

extern const method method_auto, method_gd, method_one_vector, method_dpgdsc, method_dpgdc2, method_dpegd,
    method_offpairstrc, method_offpairc, method_dpsgd, method_pidpsgd, method_bolton, method_dplssgd,
    method_yang2021, method_kang2021, method_filter_pairs;

/* --- Xue et al. 2021, Table 4 --------------------------------------------------------------------- */

static const experiment_column xue_auc_columns[] = {
    {"OffPairStrC", &method_offpairstrc, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"DPGDSC", &method_dpgdsc, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"OffPairC", &method_offpairc, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"DPGDC2", &method_dpgdc2, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"DPEGD", &method_dpegd, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, 0, NULL},
    {"non-private", NULL, LEVEL_CEILING, SCALE_RANGES, 0, NULL}};

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
    "Cells: printed in the paper / reached here, percent, with the standard error of the mean. The five "
    "algorithms run on unit rows with their defects mended, so with the noise that their stated epsilon "
    "needs; `auto` on declared ranges, everything charged. Printed figures above what the mended "
    "algorithms reach are not private at the stated level: the printed noise constants give about 50 "
    "percent, and only noise some thousand times smaller gives the printed figures.",
    "AUC, percent", NULL, xue_auc_columns, COUNT(xue_auc_columns), xue_auc_rows, COUNT(xue_auc_rows), 50, 5, 1};

/* --- Curves over epsilon --------------------------------------------------------------------------- */

static const experiment_column curve_columns[] = {
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"gd", &method_gd, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"one-vector", &method_one_vector, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"kang2021", &method_kang2021, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"dpgdc2", &method_dpgdc2, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"dpsgd", &method_dpsgd, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, 0, NULL},
    {"non-private", NULL, LEVEL_CEILING, SCALE_RANGES, 0, NULL}};

#define CURVE(data, pure)                                                                          \
  {data, 0, pure, 0.1, {0}}, {data, 0, pure, 0.2, {0}}, {data, 0, pure, 0.5, {0}},                 \
      {data, 0, pure, 1, {0}}, {data, 0, pure, 2, {0}}, {data, 0, pure, 4, {0}},                   \
      {data, 0, pure, 8, {0}}
static const experiment_row curve_rows[] = {CURVE("pima", 0), CURVE("retinopathy", 0), CURVE("adult", 0),
                                            CURVE("bank", 0)};

static const experiment curves = {
    "curves", "AUC over epsilon, half of the data for training, delta = 1/n",
    "Declared ranges, everything charged. \"no budget\" is the plain sum of the scaled features, "
    "\"non-private\" a logistic regression on them.",
    "AUC, percent", NULL, curve_columns, COUNT(curve_columns), curve_rows, COUNT(curve_rows), 30, 3, 1};

static const experiment_column pure_columns[] = {
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"one-vector", &method_one_vector, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"dpgdsc", &method_dpgdsc, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"yang2021", &method_yang2021, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"no budget", NULL, LEVEL_ZERO, SCALE_RANGES, 0, NULL},
    {"non-private", NULL, LEVEL_CEILING, SCALE_RANGES, 0, NULL}};
static const experiment_row pure_rows[] = {CURVE("pima", 1), CURVE("retinopathy", 1), CURVE("adult", 1),
                                           CURVE("bank", 1)};
static const experiment pure_curves = {
    "curves-pure", "AUC over epsilon, half of the data for training, delta = 0",
    "The same under pure privacy.", "AUC, percent", NULL, pure_columns, COUNT(pure_columns), pure_rows,
    COUNT(pure_rows), 30, 3, 1};

/* --- Kang et al. 2023, Figures 1 and 2 ------------------------------------------------------------ */

static const experiment_column kang_columns[] = {
    {"DP-SGD", &method_dpsgd, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"DP-LSSGD", &method_dplssgd, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"output perturbation", &method_bolton, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"PIDP-SGD (NOT PRIVATE)", &method_pidpsgd, LEVEL_NONE, SCALE_ROW, 0, NULL},
    {"filtered pairs", &method_filter_pairs, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"auto", &method_auto, LEVEL_NONE, SCALE_RANGES, 0, NULL},
    {"non-private", NULL, LEVEL_CEILING, SCALE_RANGES, 0, NULL}};
#define KANG(data)                                                                                 \
  {data, 0, 0, 0.05, {0}}, {data, 0, 0, 0.1, {0}}, {data, 0, 0, 0.5, {0}}, {data, 0, 0, 1, {0}},   \
      {data, 0, 0, 3, {0}}
static const experiment_row kang_rows[] = {KANG("adult"), KANG("bank")};
static const experiment kang = {
    "kang2023-figures", "Kang et al. 2023, Figures 1 and 2: Adult and Bank",
    "The paper draws accuracy without printing figures; AUC tells more on unbalanced labels. PIDP-SGD is "
    "run as printed and is NOT differentially private: its line is there to show that even so its "
    "advantage over DP-SGD does not reproduce.",
    "AUC, percent", NULL, kang_columns, COUNT(kang_columns), kang_rows, COUNT(kang_rows), 3, 2, 1};

const experiment *const experiments[] = {&xue_auc, &curves, &pure_curves, &kang, NULL};
