/* SPDX-License-Identifier: MIT */
/*
 * dppair_papers.h - noise as five papers print it, and what is true (version 0.1.0)
 *
 * Some printed constants give too little noise, most give too much. This module has them under
 * names of the papers, beside the noise that the same promise needs and the epsilon that the
 * printed noise really has. Nothing else in the library uses a printed constant.
 *
 *     #include "dppair_papers.h"               includes dppair_iterates.h, dppair_accountant.h
 *
 *     dppair_paper paper = {DPPAIR_XUE2021_ALG2};                          the rest is 0
 *     dppair_paper_verdict verdict;
 *     paper.n = 1000, paper.steps = 100, paper.lipschitz = 4.0;
 *     paper.epsilon = 4.0, paper.delta = 1e-5;
 *     if (dppair_paper_check(&verdict, &paper) != DPPAIR_OK) return 1;
 *     printf("%g printed, %g needed\n", verdict.noise_printed, verdict.noise_needed);
 *
 * FUNCTIONS
 *   dppair_paper_check    a verdict on a printed result at these arguments
 *   types                 dppair_paper  dppair_paper_result  dppair_paper_verdict
 *
 * Errors zero the verdict.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_PAPERS_H
#define DPPAIR_PAPERS_H

#include "dppair_accountant.h"
#include "dppair_iterates.h"

#include "core/freestanding.h"
#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/papers/papers.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
#include "core/freestanding_end.h"

#endif /* DPPAIR_PAPERS_H */
#endif /* DPPAIR_DECLARE_ONLY */
