/* SPDX-License-Identifier: MIT */
/*
 * dppair_shares.h - sums over sites that do not show their records (version 0.1.0)
 *
 * Each site makes its sum of vectors integers and adds its part of the noise. Secure aggregation
 * adds these shares modulo 2^bits, and only the sum may be seen. The noise is Skellam noise: a sum
 * of Skellam variables is one again, so that the parts of the sites add up to the whole.
 *
 *     #include "dppair_shares.h"               before the other headers; includes dppair_noise.h
 *                                              and dppair_accountant.h
 *
 *     plan.noise = DPPAIR_SKELLAM;               the plan's other fields as ever
 *     if (dppair_calibrate(&plan, &account, &composer) != DPPAIR_OK) return 1;
 *     if (dppair_release_open(&release, &account, &plan, NULL) != DPPAIR_OK) return 1;
 *     s = dppair_integers_open(&q, sum, d, DPPAIR_QUANTISED_TRUNCATED, 0x1p20, radius, 0);
 *     for (i = 0; i < n && !s; i++) s = dppair_quantise(&q, record[i], NULL);
 *     if (!s) s = dppair_release_share(share, &release, &q, honest, 32);     to be added, not seen
 *     ... secure aggregation adds the shares modulo 2^32 ...
 *     if (!s) s = dppair_shares_value(v, total, d, 32, 0x1p20);              v may be published
 *
 * FUNCTIONS
 *   integers     dppair_integers_open, dppair_quantise: sums of numbers, made integers;
 *                dppair_sensitivity_quantised: how far one record moves them
 *   shares       dppair_release_share, dppair_release_share_variance; dppair_shares_add,
 *                dppair_shares_value: of a sum of shares
 *   noise        dppair_skellam, dppair_add_skellam, dppair_add_skellam_share: exact draws;
 *                dppair_shares_check: known answers, as dppair_noise_check has for other laws
 *   accounts     dppair_accountant_skellam; dppair_skellam_sigma, dppair_skellam_variance: Skellam
 *                noise as Gaussian noise of the Renyi orders; dppair_skellam_wrap: how likely a
 *                number passes the modulus. Plans, ledgers and answers know the kinds
 *                DPPAIR_SKELLAM and DPPAIR_SAMPLED_SKELLAM once this header is there
 *   types        dppair_integers  dppair_quantised
 *
 * The accountant has to know these kinds: this header comes before dppair_accountant.h, in every
 * file of a program that such an account passes through. A file without it refuses the kinds with
 * DPPAIR_ERR_MODULE. Beside another module that comes before the accountant too, define
 * DPPAIR_WITH_SHARES before the first include.
 *
 * The proofs are at the heads of modules/shares/mechanism.h, skellam.h, quantise.h and share.h.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_SHARES_H
#define DPPAIR_SHARES_H

#ifndef DPPAIR_WITH_SHARES /* beside modules like this one it is defined before them */
#define DPPAIR_WITH_SHARES
#endif

#include "dppair_noise.h"
#include "dppair_accountant.h"

#ifndef DPPAIR_KNOWS_SHARES_
#error "include dppair_shares.h first, or define DPPAIR_WITH_SHARES before all headers"
#endif

#define DPPAIR_NO_TEMPLATE_ /* DPPAIR_NAME may be defined, for a later include */
#define DPPAIR_CORE_ONLY_   /* of dppair.h plans and releases alone */
#include "dppair.h"
#undef DPPAIR_CORE_ONLY_
#undef DPPAIR_NO_TEMPLATE_

#include "core/freestanding.h"

#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/shares/mechanism.h"

#include "modules/shares/integers.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
DPPAIR_FP_BEGIN_

#include "modules/shares/skellam.h"

#include "modules/shares/noise.h"

#include "modules/shares/quantise.h"

DPPAIR_FP_END_
#include "core/quick.h"

#include "modules/shares/share.h"

#include "core/quick_end.h"

#include "core/freestanding_end.h"

#endif /* DPPAIR_SHARES_H */
#endif /* DPPAIR_DECLARE_ONLY */
