/* SPDX-License-Identifier: MIT */
/*
 * dppair_streams.h - records that arrive one at a time: prefix sums with noise (version 0.1.0)
 *
 * Record t meets a buffer of records before it. The gradients of the steps are summed up as they
 * come, and every prefix sum may be published: its noise grows like the logarithm of its length,
 * where independent noise would grow like the root.
 *
 *     #include "dppair_streams.h"              includes dppair_noise.h and dppair_accountant.h
 *
 *     dppair_stream stream = {0};
 *     stream.steps = 1536, stream.buffer = 64, stream.silent = 64;
 *     stream.noise = DPPAIR_PREFIX_SQUARE_ROOT, stream.adjacency = DPPAIR_REPLACE_ONE;
 *     s = dppair_sensitivity_prefix(&unit, &pair, &stream, room, bytes);  of the whole stream
 *     ... charge one release of it ...
 *     s = dppair_prefix_open(&prefix, &stream, d, sigma, bound, work, bytes);
 *     if (!s) s = dppair_prefix_step(sum, gradient, t, &prefix, &rng);    at each step t
 *     dppair_prefix_close(&prefix);                                      wipes the gradients
 *
 * FUNCTIONS
 *   sums          dppair_prefix_open _step _close _workspace
 *   sensitivity   dppair_sensitivity_prefix, dppair_sensitivity_prefix_workspace: of all sums of a
 *                 stream together
 *   types         dppair_stream  dppair_prefix  dppair_prefix_noise
 *
 * The proofs are at the heads of modules/streams/sensitivity.h and prefix.h, below.
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else
#ifndef DPPAIR_STREAMS_H
#define DPPAIR_STREAMS_H

#include "dppair_accountant.h"
#include "dppair_noise.h"

#include "core/freestanding.h"

#include "modules/streams/stream.h"

#include "modules/streams/prefix.h"

#include "core/quick.h"
DPPAIR_LIBM_BEGIN_

#include "modules/streams/sensitivity.h"

DPPAIR_FP_END_
#include "core/quick_end.h"
#include "core/freestanding_end.h"

#endif /* DPPAIR_STREAMS_H */
#endif /* DPPAIR_DECLARE_ONLY */
