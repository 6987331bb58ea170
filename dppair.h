/* SPDX-License-Identifier: MIT */
/* Generated from src/: edit there, then `make headers`. */
/*
 * dppair.h - pairwise learning with differential privacy: the core (version 0.1.0)
 *
 * AUC maximisation, ranking, metric and similarity learning minimise a sum of a loss phi over PAIRS
 * of records. This header computes such sums and their gradients: exactly by loops over all pairs,
 * or in nearly linear time. It also holds what surrounds them: scores of rows, the domains of
 * parameters, measures such as AUC, and the SIMD vocabulary in which all loops are written.
 *
 *     #include "dppair_losses.h"
 *     #define DPPAIR_NAME rank                 prefix of the generated functions
 *     #define DPPAIR_REAL double               type of scores and rows: float or double
 *     #define DPPAIR_LOSS dppair_logistic      a loss of dppair_losses.h, or one that you define
 *     #include "dppair.h"
 *
 *     dppair_rows_f64 rows;                    n records, of norm at most 1 from here on
 *     if (dppair_rows_clip_f64(&rows, factor, x, n, d, d, 1.0) != DPPAIR_OK) return 1;
 *     rows.positives = np;                     positives stand first
 *     dppair_options pass = {NULL, 0, NULL, NULL, work, bytes, NULL};   rank_workspace says how many
 *     if (rank_gradient(g, &rows, w, &options) != DPPAIR_OK) return 1;
 *
 * g is then the gradient in w of the sum over all pairs of a positive and a negative of
 * ln(1 + e^-<x - x', w>). A private step adds noise to it: rank_release, once the three others are
 * there too.
 *
 * FIRST TO KNOW, for DPPAIR_NAME = rank
 *   dppair_rows_clip_f64    records of bounded norm, without a copy
 *   rank_gradient           the gradient of a linear score, from rows, over all pairs
 *   rank_coeffs             the same from scores: for networks
 *   rank_fast_init          a state that makes sums nearly linear in the number of records
 *   rank_clip_init          a clip of each pair's gradient
 *   rank_coeffs_fast        near-linear sums of scores
 *   dppair_release_open     pays for a plan before a record is read: RELEASES
 *   rank_release            a private gradient; g may be published
 *   dppair_project_l2_f64   back into the domain of w
 *   dppair_auc_not_private_f64   the AUC of scores
 *
 * WHICH HEADER ADDS WHAT. Each of the four stands alone. They come in any order, instances last.
 *
 *   dppair.h              pair gradients, rows, domains, measures; an instance for each include
 *   dppair_losses.h       losses and their constants; with dppair.h NAME_sensitivity
 *   dppair_noise.h        generator, noise that is exactly rounded, draws of records
 *   dppair_accountant.h   sensitivities, accounts, plans, ledgers
 *   all four              releases: a plan paid once, noise and sensitivity found for you
 *
 *   Further capabilities are modules, one header each in modules/, included before the others, for
 *   instance `#include "dppair_top.h"`. A plan that needs an absent one is refused by a sentence.
 *
 * Below: chapters and their functions, then THE TEMPLATE, CONTRACT, RELEASES, KNOBS.
 */
/*
 * CHAPTERS, each with its first line here and its public functions (NAME_: the prefix of an instance;
 * ROW: a type of rows); written in src/, see src/README.md
 *
 *    369  core/freestanding.h                Without a C library: names for the time of one include
 *    418  core/core.h                        The core: what each of the four headers begins with
 *    443  core/compiler.h                    Compiler: attributes, knobs, strict arithmetic
 *    649  core/memory.h                      Without a C library: memory and strings
 *    783  core/bits.h                        The bits of a number as an integer, and back
 *    807  core/math.h                        Elementary functions
 *    847  core/math_exact.h                  Without a C library
 *    975  core/math_exp.h                    Exponential functions in double, with proved errors
 *   1130  core/math_log.h                    Logarithms in double, with proved errors
 *   1247  core/math_circle.h                 Circular functions in double, with proved errors
 *   1520  core/math_more.h                   Powers
 *   1637  core/status.h                      Status
 *           dppair_status_string
 *   1772  core/checks.h                      Checks of numbers and sizes
 *           dppair_isfinite_f64 dppair_isfinite_f32 dppair_all_finite_f64 dppair_all_finite_f32
 *   1862  core/workspace.h                   Workspace of the caller: laid out in arrays
 *   1928  core/words.h                       Integers of 128 bits
 *           dppair_words_add
 *   1979  core/processor.h                   Processor: the tiers of this build and machine
 *           dppair_tier dppair_isa_name
 *   2124  core/dispatch.h                    Dispatch: calls on the tier of this machine
 *   2183  core/environment.h                 Floating-point environment: the check of rounding
 *           dppair_environment_check
 *   2295  core/sampling.h                    Sampling
 *           dppair_sampling_name dppair_adjacency_name dppair_sampling_all dppair_sampling_poisson
 *           dppair_sampling_without_replacement dppair_sampling_with_replacement
 *           dppair_sampling_groups dppair_sampling_matching dppair_normaliser
 *   2695  core/batch.h                       A batch: the records of one draw
 *           dppair_batch_make
 *   2719  core/sort.h                        Sorting doubles
 *           dppair_sort_f64
 *   2820  core/audit.h                       Audit
 *   2909  core/quick.h                       What is compiled soon rather than fast: it begins
 *   2931  release/of_plans.h                 Releases of vectors: the chapters
 *   2937  release/keys.h                     Keys of a release
 *           dppair_release_nonce
 *   3042  release/open.h                     Opening a plan: what it costs is paid at once
 *           dppair_release_open dppair_release_close
 *   3360  release/vector.h                   Releases of vectors, and the draw of a step
 *           dppair_release_vector_grid dppair_release_vector dppair_release_histogram
 *           dppair_release_draw
 *   3775  release/resume.h                   Going on with a plan after the program was stopped
 *           dppair_release_resume
 *   3853  release/parts.h                    Parts of a paid release
 *           dppair_release_part
 *   3903  core/quick_end.h                   What is compiled soon rather than fast: it ends
 *   3922  simd/intrinsics.h                  Intrinsics of the compiler (x86) and of SIMDe
 *   3933  simd/once.h                        The vocabulary
 *   3938  simd/vocabulary_names.h            Names of the vocabulary DPV_*, in lower case
 *   3990  simd/vocabulary.h                  The vocabulary DPV_*
 *   4056  simd/fused.h                       Fused multiply-add in plain C
 *   4166  simd/one.h                         The vocabulary on one double
 *   4225  simd/constants.h                   Constants of the element type
 *   4251  simd/elementary.h                  Exponential, logarithm and functions made of them
 *   4371  simd/constants_end.h               End of a body
 *   4390  simd/names.h                       Names of code that is compiled several times
 *   4627  simd/row_names.h                   Names of code for rows
 *   4708  pairs/fast_state.h                 Near-linear coefficients
 *   4931  pairs/sketch_state.h               Moments without order: the state
 *   5036  core/norm.h                        The Euclidean norm
 *           dppair_norm_f64
 *   5071  core/tasks.h                       Tasks and threads
 *           dppair_run_serial dppair_tasks_join
 *   5120  rows/once.h                        What all types of rows share
 *   5124  rows/table.h                       The functions of a kind of rows
 *   5195  rows/block.h                       Blocks of rows
 *   5372  rows/rounding.h                    Rounding: what arithmetic adds to a sensitivity
 *   5442  rows/sums.h                        Sums without order of rows
 *           dppair_sum_workspace dppair_sum_open dppair_sum_vector dppair_sum_add dppair_sum_value
 *   5624  rows/sparse.h                      Sparse rows
 *           dppair_scores_csr_f64 dppair_combine_csr_f64
 *   5688  simd/each_tier.h                   Each tier: the body once for every tier
 *   5744  simd/each_type.h                   Each type of rows
 *   5897  simd/each_real.h                   Rows of double
 *   5913  domains/projections.h              Domains: exact Euclidean projections
 *           dppair_project_l2_f64 dppair_project_box_f64 dppair_project_l1_workspace
 *           dppair_project_simplex_f64 dppair_project_l1_f64
 *   6047  domains/symmetric.h                Symmetric matrices
 *           dppair_symmetric_pack_f64 dppair_symmetric_unpack_f64 dppair_project_workspace
 *           dppair_eigen_f64 dppair_project_spectral_f64 dppair_project_psd_frobenius_f64
 *           dppair_project_psd_trace_f64 dppair_cholesky_f64 dppair_cholesky_solve_f64
 *   6405  measures/ranking.h                 Measures
 *           dppair_measures_workspace dppair_auc_not_private_f64 dppair_partial_auc_not_private_f64
 *           dppair_precision_not_private_f64 dppair_kendall_not_private_f64
 *           dppair_knn_accuracy_not_private_f64 dppair_recall_at_not_private_f64
 *   6776  pairs/box.h                        The box method: grid, error and table
 *   7080  pairs/rounding.h                   Rounding of coefficients, by what computes them
 *   7126  pairs/sketch.h                     Moments without order
 *   7315  pairs/grid.h                       Piecewise linear slopes, from scores on a public grid
 *   7569  pairs/options.h                    Groups of records
 *           dppair_clip_init
 *   7775  pairs/chunks_state.h               Sums without order: what all instances share
 *   7858  tiles/shared.h                     Tiles: what all instances share
 *   7892  fits/once.h                        What fits are made of, once per translation unit
 *   7896  fits/loss.h                        Margin losses
 *           dppair_margin_logistic dppair_margin_soft_hinge dppair_margin_balance
 *   7972  fits/problem.h                     Regularised fits of a margin loss
 *           dppair_margin_reach
 *   8087  fits/evaluate.h                    The objective of a fit at a point
 *   8233  fits/minimise.h                    Minimisers of fits
 *           dppair_minimiser_workspace dppair_minimiser_not_private
 *   8499  release/of_rows.h                  Releases of rows: the chapters
 *   8505  release/minimiser.h                The minimiser of a perturbed fit, released
 *           dppair_release_minimiser
 *   8722  rows/types.h                       The type of rows that DPPAIR_ROW names
 *   8747  rows/narrow.h                      Rows of 16 and 8 bits: their numbers
 *   9103  rows/quantise.h                    Rows of 16 and 8 bits out of rows of float or double
 *           dppair_rows_quantise_ROW_f32 dppair_rows_quantise_ROW_f64
 *   9247  pairs/parameters.h                 The template's parameters
 *   9350  tiles/widths.h                     The width of a block
 *   9413  tiles/of_states.h                  States of the functions over tiles: the chapters
 *   9418  tiles/packed.h                     Packed blocks of rows, and the limit of a clip
 *   9481  tiles/clip_state.h                 State of per-pair clipping
 *   9650  pairs/slots.h                      Slots: what modules add to each instance
 *   9900  pairs/slope_table.h                Slopes in double, for the table of the box method
 *   9968  simd/type.h                        The type of a body
 *   9999  simd/vectors.h                     The vectors of one tier and type
 *  10003  simd/registers.h                   Native registers: what a tier brings
 *  10098  simd/scalar.h                      Tier 0: plain C, arrays of DPV_LANES numbers
 *  10153  simd/simd128.h                     Tier 1: 128 bits through SIMDe (SSE2, NEON, VSX)
 *  10216  simd/avx2.h                        Tier 2: AVX2 with FMA
 *  10314  simd/avx512.h                      Tier 3: AVX-512 F, DQ, BW, VL
 *  10437  simd/operations.h                  The vocabulary on virtual vectors
 *  10661  rows/of_types.h                    Rows times a vector
 *  10669  rows/narrow_loads.h                Rows of 16 and 8 bits
 *  10820  rows/kernels_f64.h                 Rows of double times a vector
 *  10943  rows/kernels_f32.h                 Rows of float: their numbers, and sums of partial sums
 *  10969  rows/combine_kernels.h             Gradients from rows of any type, summed in double
 *  11083  rows/sums_kernels.h                Rows times coefficients, summed exactly: the kernels
 *  11198  rows/dots_kernels.h                Rows times a vector, all in float
 *  11270  pairs/of_vectors.h                 Sums over pairs that no loss enters
 *  11274  pairs/box_kernels.h                The box method: moments, translation, evaluation
 *  11472  pairs/sketch_kernels.h             Moments without order: boxes
 *  11659  pairs/sorted.h                     Piecewise linear slopes, exactly, by sorted scores
 *  11925  tiles/multiply.h                   The micro-kernel of the tiles
 *  12099  simd/registers_end.h               End of a tier and type: its macros are undefined
 *  12165  pairs/loops.h                      The loops over all pairs, and over listed pairs
 *  12393  pairs/weighted_kernels.h           The loops over weighted pairs
 *  12628  tiles/of_bodies.h                  Loops over tiles and lists of pairs
 *  12635  tiles/packed_kernels.h             Norms of packed blocks, for one tier
 *  12675  tiles/clip_kernels.h               Per-pair clipping of linear margins
 *  12907  simd/type_end.h                    End of a body: its type is undefined
 *  12925  rows/template.h                    Blocks of rows of one type: the functions
 *           dppair_rows_make_ROW dppair_rows_clip_ROW dppair_gather_weighted_ROW dppair_gather_ROW
 *           dppair_rows_by_hand_ROW dppair_scores_ROW dppair_combine_ROW dppair_sum_combine_ROW
 *  13329  pairs/of_instances.h               Sums over pairs of an instance: the chapters
 *  13335  pairs/template.h                   The functions of an instance over pairs
 *           NAME_risk_not_private NAME_coeffs NAME_allowance NAME_coeffs_fast NAME_coeffs_part
 *           NAME_pairs
 *  13659  pairs/sketch_template.h            Moments of an instance
 *           NAME_sketch_workspace
 *  13706  pairs/weighted.h                   Coefficients of weighted records
 *           NAME_weighted_coeffs
 *  13903  pairs/parts.h                      A gradient of linear scores in parts
 *  13940  pairs/chunk_blocks.h               Sums without order
 *  14109  pairs/chunked.h                    The gradient of an instance, of sums without order
 *  14333  pairs/probe.h                      Some slopes of the loss of an instance
 *  14361  pairs/prepare.h                    The prepared states of an instance
 *           NAME_fast_workspace NAME_fast_init NAME_sums_workspace NAME_sums_init
 *  14627  pairs/sensitivity.h                The sensitivity of an instance's gradient
 *           NAME_sensitivity
 *  14898  tiles/of_instances.h               Gradients of an instance: the chapters
 *  14906  tiles/template.h                   The functions of an instance over tiles
 *           NAME_clip_workspace NAME_clip_coeffs NAME_clip_init NAME_clip_cache
 *  15031  tiles/gradient.h                   The gradient of an instance for linear scores
 *           NAME_workspace NAME_gradient
 *  15319  release/of_instances.h             Releases of an instance: the chapters
 *  15325  release/template.h                 The releases of an instance
 *           NAME_release NAME_release_vector
 *  15603  release/scores.h                   The release of an instance for any scorer
 *           NAME_release_scores_workspace NAME_release_scores
 *  15759  release/explain.h                  What a release's noise is made of: public numbers
 *           NAME_release_explain
 *  15894  pairs/parameters_end.h             End of an instance
 *  15926  core/freestanding_end.h            Without a C library: a host's names are its own again
 */

/*
 * ONE STEP of private learning passes through
 *
 *     rows x, weights w --scores--> s --pair sums of phi'--> coefficients c --combine--> gradient g
 *       --noise--> released g --step, project--> w
 *
 * For a linear score the gradient of the sum of phi(s_i - s_j) is X^T c, where c_i is the signed
 * sum of phi' over the partners of record i; for a network, c is the derivative of the sum in its
 * outputs. These are sums over pairs; a release divides by dppair_normaliser of its draw. Never
 * divide by the product of the two class counts: they are private.
 *
 * THE TEMPLATE, for DPPAIR_NAME = rank
 *   exact            rank_risk_not_private, rank_coeffs: loops over all pairs; rank_coeffs_part
 *   near-linear      rank_fast_workspace, rank_fast_init, rank_coeffs_fast: by sorting, exactly, if
 *                    the slope of the loss is piecewise linear; by boxes, within an error bounded
 *                    in advance (kernel_error), if it is analytic. Others have only the loops
 *   weights, groups  with DPPAIR_WEIGHTS 1, else NO_PROOF: rank_weighted_coeffs, weights of rows
 *                    and groups of a pass: users (pairs of two), queries (pairs inside one)
 *   from rows        rank_workspace, rank_gradient: the gradient of a linear score, by the loops, a
 *                    prepared state or clipped pairs, in parts, as a dppair_options says
 *   releases         rank_release, rank_release_vector: RELEASES; if dppair_losses.h, _noise.h and
 *                    _accountant.h came before
 *   sensitivity      rank_sensitivity: how far one record moves a computed gradient that is
 *                    divided by dppair_normaliser; after dppair_losses.h only
 *   rounding         rank_allowance: what rounding and boxes add to a sensitivity
 *   without order    rank_sums_init, rank_sums_workspace: a state whose sums are of integers: the
 *                    same bits for any order of records and any number of parts
 *   clipped pairs    rank_clip_init: a clip for rank_gradient; dppair_clip_init: for other calls;
 *                    rank_clip_workspace, rank_clip_coeffs; rank_clip_cache: if only scores change
 *   listed pairs     rank_pairs: of scores
 *   more             modules add functions to an instance: dppair_metric.h (metrics, similarities,
 *                    listed pairs), dppair_pointwise.h (half of the noise, zero-out),
 *                    dppair_scale.h (chunks, processes), dppair_top.h, dppair_influence.h
 * Loops over pairs exist on each tier too, for tests and timing, most without a check of arguments:
 * rank_coeffs_scalar, _simd128, _avx2, _avx512, and whatever src/ writes DPPAIR_NAME_x_TIER.
 *
 *
 * Rows of 16 and 8 bits (_bf16 _f16 _i16 _i8): #define DPPAIR_ROW i8 with DPPAIR_REAL float, and
 * dppair_rows_quantise_i8_f32: head of rows/narrow.h. Functions with not_private in their names
 * read records and add no noise.
 *
 * CONTRACT
 *   Errors. A function that can fail returns a dppair_status and zeroes its outputs on an error. If
 *   a size is more than any memory can hold, it returns OVERFLOW and may leave outputs untouched.
 *
 *   Memory. No function allocates, reads or writes files, or has global state. Workspace comes from
 *   the caller, of any alignment; X_workspace says how many bytes, from public sizes alone. Outputs
 *   overlap neither it nor what is read, unless a comment says so; releases refuse that (OVERLAP),
 *   evaluations an answer in their workspace.
 *
 *   Records. With rows from dppair_rows_clip whether rank_gradient succeeds depends on public
 *   numbers only: not on a row, nor on how many of them are positives. The exception is a loss
 *   whose slopes overflow within margins of 2 radius |w| (the exponential one).
 *
 *   Private and not. A release is private, and so is what is computed from releases. Whatever else
 *   reads records is NOT PRIVATE: scores, coefficients, gradients, drawn batches are as secret as
 *   the records; a figure (a risk, an AUC, an influence) has not_private in its name.
 *
 *   Types. Rows, scores and w have the element type of the instance; coefficients, gradients,
 *   factors and the parameters of a loss are doubles. Sums over records run in double for both.
 *
 *   Same bits. The tiers scalar, AVX2, AVX-512 and NEON give the same bits for any number of
 *   threads; only the number of parts may change the last bits, and with an order-free state
 *   (rank_sums_init) not even that. This relies on an fma() of the C library that rounds once.
 *   That of mingw-w64 does not and is replaced; if another does not, rank_fast_init for an analytic
 *   loss returns ENVIRONMENT. The 128-bit tier on x86 has none; it differs within the stated bounds.
 *
 *   -ffast-math, or a part of it. gcc then gets only the scalar tier, where the bounds hold but
 *   bits may differ from other builds. clang is rejected with #error where it reports the flag; it
 *   does not report -funsafe-math-optimizations or -fassociative-math, so never pass these.
 *
 *   Rounding. Every bound needs arithmetic that rounds to nearest in the declared type. A wider one
 *   (x87) is rejected with #error. Another rounding mode, sums that a flag has merged and numbers
 *   flushed to zero (gcc, linked with -ffast-math) get ENVIRONMENT: dppair_environment_check.
 *
 * RELEASES exist once dppair_noise.h and dppair_accountant.h are included too, in any order. A
 * dppair_plan says who the neighbours are, how records are drawn, how much may be spent and on how
 * many releases. dppair_release_open finds the noise and pays for all of them; each release then
 * computes how far one record moves it, adds its noise and uses one paid release up; one too many
 * is EXHAUSTED. A program in this form types no sensitivity, no divisor and no sigma:
 *
 *     plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);         plan was all zero
 *     plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 100;
 *     s = dppair_release_open(&release, &account, &plan, NULL);           keys of the system
 *     for (t = 0; t < 100 && !s; t++) {
 *       s = rank_release(g, &release, &rows, w, &options);                   g may be published
 *       for (k = 0; k < d; k++) w[k] -= 20.0 * g[k];                      after an error g is 0
 *     }
 *     dppair_release_close(&release);
 *
 *   rank_release         all records, or those of dppair_release_draw and dppair_gather_f64 (a
 *                        batch that you gather by hand: dppair_rows_by_hand_f64)
 *   rank_release_scores  of any scorer, a network: scores, and a clipped gradient row of each record
 *   rank_release_vector  a sum of pair gradients that you computed: matchings
 *   rank_release_explain what the noise of a release is made of: public numbers
 *   dppair_release_vector, _histogram    statistics whose sensitivity you prove, in l2 and in l1
 *   dppair_release_minimiser             of a regularised, perturbed fit (DPPAIR_OBJECTIVE)
 *   dppair_release_part                  the next release uses a part of its paid release
 *   dppair_release_resume, _run          after a crash: the same plan, paid already
 *
 * RESERVED NAMES  those that begin with dppair_ or DPPAIR_, dpv_ or DPV_, dpd_: some are macros.
 *
 * KNOBS, macros to define before the first include
 *   DPPAIR_DECLARE_ONLY   if defined, the four headers declare types, constants and functions, and
 *                     define none: dppair_declare.h, which lies beside them. The
 *                     definitions are in a library (make library) or in the one file that defines
 *   DPPAIR_IMPLEMENTATION   which gives public functions external linkage, instances' too; wins
 *   DPPAIR_API        linkage of every public function. Default: static inline
 *   DPPAIR_SELF       the name by which this header includes itself. Default: "dppair.h"
 *   DPPAIR_MAX_TIER   the widest instruction tier that is compiled and used: 0 scalar, 1 portable
 *                     128 bits, 2 AVX2 with FMA, 3 AVX-512. Default: 3, but 2 for gcc on Windows,
 *                     whose AVX-512 code loses registers over calls. Fewer tiers compile faster
 *   DPPAIR_TIER_LIMIT   an expression of type int, asked at run time: the widest tier to use,
 *                     between calls. Define it as a variable or a call of yours. Default: no limit
 *   DPPAIR_NO_SIMDE   if defined, SIMDe is not used even if installed: there is no 128-bit tier
 *   DPPAIR_NO_QUICK   if defined, gcc compiles checks, plans and answers at the program's level of
 *                     optimisation, too, and the scalar tier beside AVX2: half as much again to
 *                     compile, 5 % less time for a gradient of 40 records, a third of the time on
 *                     an x86 processor without AVX2 (core/quick.h)
 *   DPPAIR_NO_FORCE_INLINE   if defined, the compiler is not forced to inline the vocabulary: for
 *                     sanitizers and debuggers, which otherwise take minutes to compile
 *   DPPAIR_FREESTANDING   if defined, no C library is used (core/freestanding.h, gcc and clang):
 *                     keys come from DPPAIR_ENTROPY or the caller, the tier is what -mavx2 -mfma
 *                     allow
 *   DPPAIR_SMALL      if defined, a release takes 8 KB of stack at most, with the same bits
 *   DPPAIR_AUDIT(event)   an expression of type int that is told each draw, charge, release and
 *                     noise as a dppair_event *, private numbers included: for tests (core/audit.h)
 *   DPPAIR_CHECK_ROWS(text)   an expression that is told a sentence when a release meets a row that
 *                     is longer than its radius, (puts(text), abort()) say; the release is then
 *                     NO_RADIUS. It reads all rows once more, and what it tells is NOT PRIVATE: for
 *                     debugging only
 */
#if defined(DPPAIR_DECLARE_ONLY) && !defined(DPPAIR_IMPLEMENTATION)
#include "dppair_declare.h"
#else

/* ---- src/core/freestanding.h ----------------------------------------------------------------
 * Without a C library: names for the time of one include
 *
 * With DPPAIR_FREESTANDING the headers include nothing but what a compiler brings: stddef.h,
 * stdint.h, float.h and intrinsics. The names of string.h and math.h that the chapters use then
 * mean the compiler's own operations, from here to freestanding_end.h; after that they are the
 * host's again. memory.h has what is left of them as calls (DPPAIR_HOST_MEMORY: the host does).
 * Functions of a libm that math.h still names are symbols where they are called. The tier is what
 * the compiler may use, keys come from DPPAIR_ENTROPY or the caller, and fork is not noticed.
 *
 * Every header and module begins with this chapter, so here it meets a core of another version.
 * ---------------------------------------------------------------------------------------------- */
#if defined(DPPAIR_CORE_TEXT_) && DPPAIR_CORE_TEXT_ != 367421840u
#error "Two versions of dppair in one file: take all of its headers from one version."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif
#ifdef DPPAIR_FREESTANDING
#if !defined(__GNUC__) && !defined(__clang__)
#error "DPPAIR_FREESTANDING needs gcc or clang: it names symbols of the object file."
#endif
#pragma push_macro("memcmp")
#pragma push_macro("memcpy")
#pragma push_macro("memmove")
#pragma push_macro("memset")
#pragma push_macro("strcmp")
#pragma push_macro("strlen")
#pragma push_macro("HUGE_VAL")
#pragma push_macro("INFINITY")
#undef memcmp
#undef memcpy
#undef memmove
#undef memset
#undef strcmp
#undef strlen
#undef HUGE_VAL
#undef INFINITY
#define memcmp(a, b, n) dppair_memcmp_(a, b, n)
#define memcpy(to, from, n) __builtin_memcpy(to, from, n)
#define memmove(to, from, n) __builtin_memmove(to, from, n)
#define memset(to, byte, n) __builtin_memset(to, byte, n)
#define strcmp(a, b) dppair_strcmp_(a, b)
#define strlen(a) dppair_strlen_(a)
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#else
#include <math.h>
#include <string.h>
#endif

/* ---- src/core/core.h ------------------------------------------------------------------------
 * The core: what each of the four headers begins with
 *
 * Each header stands alone, so each has this text; the first that is included compiles it. The
 * generator writes a checksum of the text for the 0, and freestanding.h, which every header and
 * module begins with, compares it: headers of two versions in one file are refused.
 * ---------------------------------------------------------------------------------------------- */
#ifndef DPPAIR_CORE_H
#define DPPAIR_CORE_H
#define DPPAIR_CORE_TEXT_ 367421840u

#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 199901L)
#error "dppair needs C99 or C++11 at least: compile with -std=c99 or a later standard."
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#endif

#include <float.h>
#include <stddef.h>
#include <stdint.h>

#define DPPAIR_VERSION_MAJOR 0
#define DPPAIR_VERSION_MINOR 1
#define DPPAIR_VERSION_PATCH 0
#define DPPAIR_VERSION_STRING "0.1.0"

/* ---- src/core/compiler.h --------------------------------------------------------------------
 * Compiler: attributes, knobs, strict arithmetic
 * ---------------------------------------------------------------------------------------------- */

/* Does the compiler optimise? Asked once: gcc changes its macro in regions of another level. */
#ifdef __OPTIMIZE__
#define DPPAIR_OPTIMIZED_ 1
#else
#define DPPAIR_OPTIMIZED_ 0
#endif

#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_UNUSED_ __attribute__((unused))
#define DPPAIR_MUST_CHECK __attribute__((warn_unused_result))
#if defined(DPPAIR_NO_FORCE_INLINE) || !DPPAIR_OPTIMIZED_
#define DPPAIR_FORCE_INLINE_ static inline DPPAIR_UNUSED_
#else
#define DPPAIR_FORCE_INLINE_ static inline __attribute__((always_inline, unused))
#endif
#if DPPAIR_OPTIMIZED_
#define DPPAIR_OUT_OF_LINE_ static __attribute__((noinline, unused))
#define DPPAIR_RARE_ static __attribute__((noinline, cold, unused)) /* made small, not fast */
#else /* nothing is inlined; gcc then compiles every static function that is not called inline */
#define DPPAIR_OUT_OF_LINE_ static inline DPPAIR_UNUSED_
#define DPPAIR_RARE_ static inline DPPAIR_UNUSED_
#endif
#else
#define DPPAIR_UNUSED_
#define DPPAIR_MUST_CHECK
#define DPPAIR_FORCE_INLINE_ static inline
#define DPPAIR_OUT_OF_LINE_ static
#define DPPAIR_RARE_ static
#endif

/* Defaults of the knobs: see the manual. clang's -Os inlines much; what is asked for is its -Oz.
 * The generator of the headers writes DPPAIR_FN_ for DPPAIR_API before functions that are private.
 */
#ifndef DPPAIR_FN_
#if defined(DPPAIR_SMALL) && defined(__clang__) && defined(__OPTIMIZE_SIZE__)
#define DPPAIR_FN_ static inline __attribute__((unused, minsize))
#else
#define DPPAIR_FN_ static inline DPPAIR_UNUSED_
#endif
#endif
#ifdef DPPAIR_IMPLEMENTATION
#include "dppair_declare.h" /* the symbol that says which declarations these definitions are of */
#endif
#if defined(DPPAIR_API)
#elif !defined(DPPAIR_IMPLEMENTATION)
#define DPPAIR_API DPPAIR_FN_
#elif defined(__cplusplus)
#define DPPAIR_API extern "C"
#else
#define DPPAIR_API extern
#endif
#ifndef DPPAIR_SELF
#define DPPAIR_SELF "dppair.h"
#endif
#ifdef DPPAIR_SMALL /* the rows of vector kernels are what fills the stack */
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0
#endif
#ifndef DPPAIR_MAX_TIER /* without optimisation every tier is slow, and the wide ones take longest */
#if DPPAIR_OPTIMIZED_ || !(defined(__GNUC__) || defined(__clang__))
#define DPPAIR_MAX_TIER 3
#else
#define DPPAIR_MAX_TIER 0
#endif
#endif

/* With -ffast-math or a part of it, gcc obeys the floating-point regions below in plain code, but
 * not in functions that have an instruction set of their own. Only the scalar tier then keeps its
 * bounds. clang does not obey the regions at all and is refused; of the parts of -ffast-math it
 * reports only -ffinite-math-only by a macro. */
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) ||       \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#define DPPAIR_LOOSE_MATH_ 1
#else
#define DPPAIR_LOOSE_MATH_ 0
#endif
#if DPPAIR_LOOSE_MATH_ && defined(__clang__)
#error "Compile without -ffast-math: clang applies it inside dppair too and voids proved bounds."
#elif DPPAIR_LOOSE_MATH_
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 0
#endif

/* On Windows a call preserves only the lower halves of ten vector registers. gcc 12 loses track of
 * the upper halves in AVX-512 code, which gave noise the wrong sign. clang is correct. */
#if (defined(_WIN64) || defined(__CYGWIN__)) && defined(__GNUC__) && !defined(__clang__) &&        \
    DPPAIR_MAX_TIER > 2
#undef DPPAIR_MAX_TIER
#define DPPAIR_MAX_TIER 2
#endif

/* The proofs assume that every operation is rounded in the declared type. Excess precision (x87)
 * rounds twice or not at all, and a release would then reveal low bits of private numbers. The
 * value 16 concerns only _Float16; a negative value means that the compiler cannot tell, and is
 * refused. */
#if (defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16) ||     \
    (!defined(__FLT_EVAL_METHOD__) && defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0)
#error "dppair needs arithmetic in the declared type: x86 -msse2 -mfpmath=sse, s390x -std=gnu99."
#endif

/* Refuses -fsingle-precision-constant, which would round all constants to float. */
typedef char dppair_constants_are_double_[sizeof(1.0) == sizeof(double) ? 1 : -1];

/* Loads the cache line at p, which will be read soon. p may be an invalid address. */
#if defined(__GNUC__) || defined(__clang__)
#define DPPAIR_PREFETCH_(p) __builtin_prefetch(p)
#else
#define DPPAIR_PREFETCH_(p) ((void)(p))
#endif

/* To be written before a loop over an array of vectors with a small constant number of turns: once
 * the loop is unrolled, the vectors are in registers. */
#if defined(__clang__) && defined(DPPAIR_NO_FORCE_INLINE) /* warns where the size is not known */
#define DPPAIR_UNROLL_
#elif defined(__clang__)
#define DPPAIR_UNROLL_ _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__)
#define DPPAIR_UNROLL_ _Pragma("GCC unroll 16")
#else
#define DPPAIR_UNROLL_
#endif

/* Whether core/quick.h lowers the level of optimisation. gcc obeys only a part of a second pragma in
 * a region, so a region names all its options at once. */
#if defined(__GNUC__) && !defined(__clang__) && DPPAIR_OPTIMIZED_ &&                               \
    !defined(__OPTIMIZE_SIZE__) && !defined(DPPAIR_SMALL) && !defined(__SANITIZE_ADDRESS__) &&     \
    !defined(__SANITIZE_THREAD__) && !defined(DPPAIR_NO_QUICK)
#define DPPAIR_QUICK_ 1
#else
#define DPPAIR_QUICK_ 0
#endif
#define DPPAIR_QUICK_SMALL_ 0 /* 1 around a region for size */

/* Hides from clang that a size is a constant of the caller: for some constant numbers of columns
 * clang 14 at -O1 unrolls the sums over rows until no memory is left. */
#if defined(__clang__)
#define DPPAIR_ANY_SIZE_(n) __asm__("" : "+r"(n))
#else
#define DPPAIR_ANY_SIZE_(n) ((void)0)
#endif

#define DPPAIR_CAT_(a, b) a##b
#define DPPAIR_CAT(a, b) DPPAIR_CAT_(a, b)

/* DPPAIR_WORD_(word, other): the number of a word that a parameter of the template may be, `other`
 * for any other word. Where DPPAIR_PROBE_word is a macro, its comma moves the number into the
 * second place, which is the result. */
#define DPPAIR_WORD_(word, other) DPPAIR_WORD_1_(DPPAIR_CAT(DPPAIR_PROBE_, word), other, ~)
#define DPPAIR_WORD_1_(...) DPPAIR_SECOND_(__VA_ARGS__)
#define DPPAIR_SECOND_(a, b, ...) b

#ifdef __cplusplus
#define DPPAIR_RESTRICT_ __restrict
#else
#define DPPAIR_RESTRICT_ restrict
#endif

/*
 * Regions of strict arithmetic. All numerical code of the four headers is between FP_BEGIN and
 * FP_END. There the compiler does not fuse a product and a sum on its own, and -ffast-math has
 * no effect (gcc; clang is refused). Equal results on all tiers and the bounds on rounding depend
 * on this. TARGET regions are the same and add an instruction set to the functions inside them.
 *
 * Parts of -ffast-math that clang tells no macro of: its float_control takes them back on x86 and
 * PowerPC; clang 14 ignores it for ARM, WebAssembly and RISC-V, `clang fp reassociate(off)` knows
 * but one of them, and `reciprocal(off)` came with clang 18. -ffp-contract=fast cannot be taken
 * back anywhere. There nothing protects, so dppair_environment_check looks for each and refuses.
 */
#if defined(__clang__) /* QUIET: old versions know float_control on x86 only, and warn */
#define DPPAIR_QUIET_(pragmas)                                                                     \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wignored-pragmas\"")       \
      pragmas _Pragma("clang diagnostic pop")
#define DPPAIR_FP_BEGIN_                                                                           \
  DPPAIR_QUIET_(_Pragma("float_control(push)") _Pragma("float_control(precise, on)"))              \
  _Pragma("clang fp contract(off)")
#define DPPAIR_FP_END_ DPPAIR_QUIET_(_Pragma("float_control(pop)"))
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  DPPAIR_FP_BEGIN_ DPPAIR_PRAGMA_(                                                                 \
      clang attribute push(__attribute__((target(isa))), apply_to = function))
#define DPPAIR_TARGET_END_ _Pragma("clang attribute pop") DPPAIR_FP_END_
#elif defined(__GNUC__)
#if DPPAIR_LOOSE_MATH_ /* gcc 12 then warns as if the target were lost, which it is not */
#pragma GCC diagnostic ignored "-Wpsabi"
#endif
#define DPPAIR_PRAGMA_(x) _Pragma(#x)
#define DPPAIR_PRAGMA_OF_(x) DPPAIR_PRAGMA_(x)
#define DPPAIR_LEVEL_ "no-fast-math" /* or a level of optimisation, too: core/quick.h */
#define DPPAIR_STRICT_                                                                             \
  DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_, "no-fast-math", "fp-contract=off"))                \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wpsabi\"")
#define DPPAIR_FP_BEGIN_ _Pragma("GCC push_options") DPPAIR_STRICT_
#define DPPAIR_FP_END_ _Pragma("GCC diagnostic pop") _Pragma("GCC pop_options")
#define DPPAIR_TARGET_BEGIN_(isa)                                                                  \
  _Pragma("GCC push_options") DPPAIR_STRICT_ DPPAIR_PRAGMA_(GCC target(isa))
#define DPPAIR_TARGET_END_ DPPAIR_FP_END_
#else
#define DPPAIR_FP_BEGIN_
#define DPPAIR_FP_END_
#define DPPAIR_TARGET_BEGIN_(isa)
#define DPPAIR_TARGET_END_
#endif
/* ---- src/core/memory.h ----------------------------------------------------------------------
 * Without a C library: memory and strings
 *
 * Compilers call memcpy, memmove, memset and memcmp on their own accord, for a large struct or a
 * loop that looks like one of them, and expect these of every host, -ffreestanding or not. Each
 * object file gets its own, as local symbols: the name is the symbol's, not one of C, so that a
 * host's declarations do not collide with it. `used` keeps them where no call is to be seen yet.
 * The empty asm in each loop stops compilers from finding that it is memcpy and calling it.
 *
 * A linker that optimises (-flto) renames local symbols and would leave those calls undefined; and
 * some hosts have faster ones. DPPAIR_HOST_MEMORY: the host brings the four.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_FREESTANDING

#define DPPAIR_SYMBOL_1_(prefix, name) DPPAIR_SYMBOL_2_(prefix, name)
#define DPPAIR_SYMBOL_2_(prefix, name) #prefix name
#ifdef DPPAIR_HOST_MEMORY
#define DPPAIR_SYMBOL_(name)
#define DPPAIR_USED_ DPPAIR_UNUSED_
#else
#define DPPAIR_SYMBOL_(name) __asm__(DPPAIR_SYMBOL_1_(__USER_LABEL_PREFIX__, name))
#define DPPAIR_USED_ __attribute__((used))
#endif

/* Eight bytes at any address, of any type: a plain access, which never becomes a call. */
typedef uint64_t __attribute__((may_alias, aligned(1))) dppair_any_word_;

static int dppair_memcmp_(const void *a, const void *b, size_t n) DPPAIR_SYMBOL_("memcmp");
#ifndef DPPAIR_HOST_MEMORY
static void *dppair_memcpy_(void *to, const void *from, size_t n) DPPAIR_SYMBOL_("memcpy");
static void *dppair_memmove_(void *to, const void *from, size_t n) DPPAIR_SYMBOL_("memmove");
static void *dppair_memset_(void *to, int byte, size_t n) DPPAIR_SYMBOL_("memset");

DPPAIR_USED_ static void *dppair_memcpy_(void *to, const void *from, size_t n) {
  unsigned char *t = (unsigned char *)to;
  const unsigned char *f = (const unsigned char *)from;
  for (; n >= 8; n -= 8, t += 8, f += 8) {
    *(dppair_any_word_ *)(void *)t = *(const dppair_any_word_ *)(const void *)f;
    __asm__("" : "+r"(t));
  }
  for (; n > 0; n--) {
    *t++ = *f++;
    __asm__("" : "+r"(t));
  }
  return to;
}

DPPAIR_USED_ static void *dppair_memmove_(void *to, const void *from, size_t n) {
  unsigned char *t = (unsigned char *)to + n;
  const unsigned char *f = (const unsigned char *)from + n;
  /* Upwards a word may overwrite what has been read, never what will be. */
  if ((uintptr_t)to <= (uintptr_t)from) return dppair_memcpy_(to, from, n);
  for (; n > 0; n--) {
    *--t = *--f;
    __asm__("" : "+r"(t));
  }
  return to;
}

DPPAIR_USED_ static void *dppair_memset_(void *to, int byte, size_t n) {
  unsigned char *t = (unsigned char *)to;
  const uint64_t eight = (uint64_t)(unsigned char)byte * UINT64_C(0x0101010101010101);
  for (; n >= 8; n -= 8, t += 8) {
    *(dppair_any_word_ *)(void *)t = eight;
    __asm__("" : "+r"(t));
  }
  for (; n > 0; n--) {
    *t++ = (unsigned char)byte;
    __asm__("" : "+r"(t));
  }
  return to;
}
#endif

DPPAIR_USED_ static int dppair_memcmp_(const void *a, const void *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  for (; n > 0; n--, x++, y++) {
    if (*x != *y) return *x < *y ? -1 : 1;
    __asm__("" : "+r"(x));
  }
  return 0;
}

#if defined(__clang__) && !defined(DPPAIR_HOST_MEMORY) /* makes it of memcmp(...) == 0 */
static int dppair_bcmp_(const void *a, const void *b, size_t n) DPPAIR_SYMBOL_("bcmp");
DPPAIR_USED_ static int dppair_bcmp_(const void *a, const void *b, size_t n) {
  return dppair_memcmp_(a, b, n);
}
#endif

#if defined(__clang__) && defined(__ARM_EABI__) && !defined(DPPAIR_HOST_MEMORY)
/* On bare ARM clang calls these instead, one for each alignment; __aeabi_memset has its arguments
 * in an order of its own. */
#define DPPAIR_ARM_MEMORY_(digit, text)                                                            \
  static void dppair_arm_copy##digit(void *to, const void *from, size_t n)                         \
      DPPAIR_SYMBOL_("__aeabi_memcpy" text);                                                       \
  static void dppair_arm_move##digit(void *to, const void *from, size_t n)                         \
      DPPAIR_SYMBOL_("__aeabi_memmove" text);                                                      \
  static void dppair_arm_set##digit(void *to, size_t n, int byte)                                  \
      DPPAIR_SYMBOL_("__aeabi_memset" text);                                                       \
  static void dppair_arm_clear##digit(void *to, size_t n) DPPAIR_SYMBOL_("__aeabi_memclr" text);   \
  DPPAIR_USED_ static void dppair_arm_copy##digit(void *to, const void *from, size_t n) {          \
    (void)dppair_memcpy_(to, from, n);                                                             \
  }                                                                                                \
  DPPAIR_USED_ static void dppair_arm_move##digit(void *to, const void *from, size_t n) {          \
    (void)dppair_memmove_(to, from, n);                                                            \
  }                                                                                                \
  DPPAIR_USED_ static void dppair_arm_set##digit(void *to, size_t n, int byte) {                   \
    (void)dppair_memset_(to, byte, n);                                                             \
  }                                                                                                \
  DPPAIR_USED_ static void dppair_arm_clear##digit(void *to, size_t n) {                           \
    (void)dppair_memset_(to, 0, n);                                                                \
  }
DPPAIR_ARM_MEMORY_(_, "")
DPPAIR_ARM_MEMORY_(4_, "4")
DPPAIR_ARM_MEMORY_(8_, "8")
#endif

DPPAIR_UNUSED_ static int dppair_strcmp_(const char *a, const char *b) {
  while (*a != 0 && *a == *b) a++, b++;
  return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

DPPAIR_UNUSED_ static size_t dppair_strlen_(const char *a) {
  size_t n = 0;
  while (a[n] != 0) {
    n++;
    __asm__("" : "+r"(a)); /* else clang calls strlen */
  }
  return n;
}

#endif
/* ---- src/core/bits.h ------------------------------------------------------------------------
 * The bits of a number as an integer, and back
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FORCE_INLINE_ uint64_t dppair_bits_f64_(double x) {
  uint64_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ double dppair_from_bits_f64_(uint64_t u) {
  double x;
  memcpy(&x, &u, sizeof x);
  return x;
}
DPPAIR_FORCE_INLINE_ uint32_t dppair_bits_f32_(float x) {
  uint32_t u;
  memcpy(&u, &x, sizeof u);
  return u;
}
DPPAIR_FORCE_INLINE_ float dppair_from_bits_f32_(uint32_t u) {
  float x;
  memcpy(&x, &u, sizeof x);
  return x;
}
/* ---- src/core/math.h ------------------------------------------------------------------------
 * Elementary functions: every one that the headers use, under one name
 * ---------------------------------------------------------------------------------------------- */

/* A function of libm. Without a C library nothing declares it, but the compiler knows it: it is a
 * call all the same, where no instruction does it. */
#ifdef DPPAIR_FREESTANDING
#define DPPAIR_LIBM_CALL_(name) __builtin_##name
#else
#define DPPAIR_LIBM_CALL_(name) name
#endif

#define dppair_expl_(x) DPPAIR_LIBM_CALL_(expl)(x)
#define dppair_expm1l_(x) DPPAIR_LIBM_CALL_(expm1l)(x)
#define dppair_fabs_(x) DPPAIR_LIBM_CALL_(fabs)(x)
#define dppair_floorl_(x) DPPAIR_LIBM_CALL_(floorl)(x)
#define dppair_log1pl_(x) DPPAIR_LIBM_CALL_(log1pl)(x)

/* Exact by IEEE 754 wherever they come from. Without a C library: math_exact.h. */
#ifdef DPPAIR_FREESTANDING
#define dppair_ceil_(x) dppair_own_ceil_(x)
#define dppair_copysign_(x, y) dppair_own_copysign_(x, y)
#define dppair_floor_(x) dppair_own_floor_(x)
#define dppair_fmax_(x, y) dppair_own_fmax_(x, y)
#define dppair_fmin_(x, y) dppair_own_fmin_(x, y)
#define dppair_frexp_(x, exponent) dppair_own_frexp_(x, exponent)
#define dppair_ldexp_(x, exponent) dppair_own_ldexp_(x, exponent)
#define dppair_rint_(x) dppair_own_rint_(x)
#define dppair_sqrt_(x) dppair_own_sqrt_(x)
#else
#define dppair_ceil_(x) DPPAIR_LIBM_CALL_(ceil)(x)
#define dppair_copysign_(x, y) DPPAIR_LIBM_CALL_(copysign)(x, y)
#define dppair_floor_(x) DPPAIR_LIBM_CALL_(floor)(x)
#define dppair_fmax_(x, y) DPPAIR_LIBM_CALL_(fmax)(x, y)
#define dppair_fmin_(x, y) DPPAIR_LIBM_CALL_(fmin)(x, y)
#define dppair_frexp_(x, exponent) DPPAIR_LIBM_CALL_(frexp)(x, exponent)
#define dppair_ldexp_(x, exponent) DPPAIR_LIBM_CALL_(ldexp)(x, exponent)
#define dppair_rint_(x) DPPAIR_LIBM_CALL_(rint)(x)
#define dppair_sqrt_(x) DPPAIR_LIBM_CALL_(sqrt)(x)
#endif
/* ---- src/core/math_exact.h ------------------------------------------------------------------
 * Without a C library: roots, powers of two and whole numbers, all exactly as IEEE 754 has them
 *
 * A C library's own are exact too, and instructions in most places, so that they serve where there
 * is one. These have the same bits and call nothing. tests/headers/math.c sets DPPAIR_OWN_EXACT_ to
 * compare the two.
 * ---------------------------------------------------------------------------------------------- */

#if defined(DPPAIR_FREESTANDING) || defined(DPPAIR_OWN_EXACT_)

DPPAIR_FP_BEGIN_

/* x 2^n rounded once. Each factor is a power of two within the normal numbers. On the way up only
 * what overflows is rounded. On the way down a first product by 2^-969 that is not exact is below
 * 2^-1022, and at least 54 powers are left: the result is below half of the least number, 0. */
DPPAIR_FN_ double dppair_own_ldexp_(double x, int n) {
  int turn;
  for (turn = 0; turn < 2 && n > 1023; turn++, n -= 1023) x *= 8.98846567431158e307; /* 2^1023 */
  for (turn = 0; turn < 2 && n < -1022; turn++, n += 969) x *= 2.00416836000897278e-292;
  n = n > 1023 ? 1023 : n < -1022 ? -1022 : n;
  return x * dppair_from_bits_f64_((uint64_t)(n + 1023) << 52);
}

/* x = m 2^e with 1/2 <= |m| < 1; e = 0 for 0, infinities and NaN, which m then is. */
DPPAIR_FN_ double dppair_own_frexp_(double x, int *e) {
  uint64_t bits = dppair_bits_f64_(x);
  int up = 0;
  *e = 0;
  if (x == 0.0 || (bits << 1) >= UINT64_C(0xffe0000000000000)) return x;
  if ((bits << 1) < UINT64_C(0x0020000000000000)) { /* below the normal numbers */
    bits = dppair_bits_f64_(x * 18014398509481984.0);
    up = 54;
  }
  *e = (int)(bits >> 52 & 0x7ff) - 1022 - up;
  return dppair_from_bits_f64_((bits & UINT64_C(0x800fffffffffffff)) |
                               UINT64_C(0x3fe0000000000000));
}

/* The nearest whole number, ties to even, with the sign of x. Below 2^52 the sum has no digits
 * after the point. */
DPPAIR_FN_ double dppair_own_rint_(double x) {
  const uint64_t sign = dppair_bits_f64_(x) & UINT64_C(0x8000000000000000);
  const double size = dppair_fabs_(x);
  if (!(size < 4503599627370496.0)) return x;
  return dppair_from_bits_f64_(dppair_bits_f64_((size + 4503599627370496.0) - 4503599627370496.0) |
                               sign);
}

DPPAIR_FN_ double dppair_own_floor_(double x) {
  const double r = dppair_own_rint_(x);
  return r > x ? r - 1.0 : r; /* r > x only where r > -2^52 */
}

DPPAIR_FN_ double dppair_own_ceil_(double x) { return -dppair_own_floor_(-x); }

DPPAIR_FN_ double dppair_own_fmax_(double x, double y) { return x >= y || y != y ? x : y; }
DPPAIR_FN_ double dppair_own_fmin_(double x, double y) { return x <= y || y != y ? x : y; }

/*
 * The square root in integers. x = f 2^e with e even and f = M 2^-54 in [1/4, 1). The 54 digits of
 * root = floor(sqrt(M 2^54)), in [2^53, 2^54), are found one by one from the 54 pairs of digits of
 * M 2^54; `rest`, what is left above the square, is at most 2 root. The last digit is the first
 * that sqrt(x) rounds away. No tie: sqrt(f) would have 54 digits, and its square a digit at
 * 2^-108.
 */
DPPAIR_FN_ double dppair_sqrt_by_digits_(double x) {
  uint64_t m, root = 0, rest = 0;
  int e, i;
  if (!(x > 0.0)) return x == 0.0 ? x : (x - x) / (x - x);
  if (x > DBL_MAX) return x;
  m = (uint64_t)(dppair_own_frexp_(x, &e) * 9007199254740992.0);
  if ((e & 1) != 0)
    e++;
  else
    m <<= 1;
  for (i = 53; i >= 0; i--) {
    const uint64_t trial = root << 2 | 1;
    rest = rest << 2 | (i >= 27 ? m >> (2 * (i - 27)) & 3 : 0);
    root <<= 1;
    if (rest >= trial) {
      rest -= trial;
      root |= 1;
    }
  }
  return dppair_own_ldexp_((double)((root + 1) >> 1), e / 2 - 53);
}

/* The instruction where there surely is one: the compiler's sqrt also calls the library's for
 * errno. asm is bound to no mode of -ffast-math. */
DPPAIR_FN_ double dppair_own_sqrt_(double x) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__AVX__)
  __asm__("vsqrtsd %1, %1, %0" : "=x"(x) : "x"(x));
  return x;
#elif defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__)) && defined(__SSE2__)
  __asm__("sqrtsd %1, %0" : "=x"(x) : "x"(x));
  return x;
#elif defined(__GNUC__) && defined(__aarch64__)
  __asm__("fsqrt %d0, %d1" : "=w"(x) : "w"(x));
  return x;
#elif defined(__GNUC__) && defined(__riscv_flen) && __riscv_flen >= 64
  __asm__("fsqrt.d %0, %1" : "=f"(x) : "f"(x));
  return x;
#else
  return dppair_sqrt_by_digits_(x);
#endif
}

DPPAIR_FN_ double dppair_own_copysign_(double x, double y) {
  const uint64_t sign = UINT64_C(0x8000000000000000);
  return dppair_from_bits_f64_((dppair_bits_f64_(x) & ~sign) | (dppair_bits_f64_(y) & sign));
}

DPPAIR_FP_END_

#endif

DPPAIR_FP_BEGIN_

/* sqrt(a^2 + b^2) of finite numbers without overflow, NaN of a NaN; within 4 u of it (u =
 * 2^-53): 1.5 u in ratio^2, u in the sum, halved by the root, and u each for root and product. */
DPPAIR_FN_ double dppair_hypot_(double a, double b) {
  const double x = dppair_fabs_(a), y = dppair_fabs_(b), big = x > y ? x : y,
               ratio = (x > y ? y : x) / big;
  if (x != x || y != y) return x + y;
  return big > 0.0 ? big * dppair_sqrt_(1.0 + ratio * ratio) : 0.0;
}

DPPAIR_FP_END_
/* ---- src/core/math_exp.h --------------------------------------------------------------------
 * Exponential functions in double, with proved errors
 *
 * u = 2^-53. They are made of +, -, * and bits alone, each rounded to nearest, never of a fused
 * product: the same bits on every processor and with every C library. "Within c u" is relative
 * where the result is normal; one below the normal numbers has half of the least number on top.
 * tests/headers/math.c measures what is proved here, against long double;
 * tests/exhaust/elementary.* proves it once more, from this text, and measures it against 160
 * digits.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_EXP_ERROR_ 1.1   /* of dppair_exp_, in u; 0.58 ulp */
#define DPPAIR_EXPM1_ERROR_ 1.5 /* of dppair_expm1_, in u; 0.75 ulp */

DPPAIR_FP_BEGIN_

/* x to 26 digits, towards zero: products of two such numbers are exact. */
DPPAIR_FORCE_INLINE_ double dppair_head_(double x) {
  return dppair_from_bits_f64_(dppair_bits_f64_(x) & UINT64_C(0xfffffffff8000000));
}

/* 2^n, a normal number: -1022 <= n <= 1023. */
DPPAIR_FORCE_INLINE_ double dppair_power_of_two_(int n) {
  return dppair_from_bits_f64_((uint64_t)(n + 1023) << 52);
}

/* y 2^n for y in [1/2, 2] and -1080 <= n <= 1024. */
DPPAIR_FN_ double dppair_by_power_of_two_(double y, int n) {
  if (n >= -1022 && n <= 1023) return y * dppair_power_of_two_(n);
  if (n > 0) return y * 8.98846567431158e307 * 2.0;                 /* 2^1023 */
  return y * dppair_power_of_two_(n + 128) * 2.938735877055719e-39; /* 2^-128 */
}

/*
 * base + e^(r + c) - 1, where |r| <= 0.3467, |c| <= 2^-54, and base is 1, 0 or 1 - 2^-n for |n| <=
 * 54, so that the result is 0.17 at least, or base is 0; `extra` is added, |extra| <= 2^-54. e^r -
 * 1 = r + t^2/2 + ((r - t)(r + t)/2 + r^3 g), t the head of r. t^2/2 is exact. g = 1/6 + r/24 +
 * ... + r^11/14! in pairs; what follows is below r^15/15! < 2^-62 r. g has 3 u, r^3 g, which is
 * below |r|^3/5.5, 6 u of itself: 0.05 u. c (1 + r) stands for e^r (e^c - 1), 2^-54 r^2/1.8 < 0.04
 * u away from it. The two sums keep what they round off (|base + r| >= t^2/2 in every case), and
 * the small numbers' own sum, below 0.009 and of four terms, has 0.03 u. Together 0.12 u, for base
 * = 0 below 0.3 u of |r| (the terms are at least as r^2, c is 0), and the last sum's half ulp: of
 * a result in [0.7, 1.42] at most 1.2 u, of one of 0.17 at least 1.5 u. From n = -54 down base is
 * -2^-n, and so is the result.
 */
DPPAIR_FN_ double dppair_exp_core_(double base, double r, double c, double extra) {
  const double t = dppair_head_(r), half = 0.5 * t * t, r2 = r * r;
  const double r4 = r2 * r2;
  const double third = (1.0 / 6 + r * (1.0 / 24)) + r2 * (1.0 / 120 + r * (1.0 / 720));
  const double seventh =
      (1.0 / 5040 + r * (1.0 / 40320)) + r2 * (1.0 / 362880 + r * (1.0 / 3628800));
  const double eleventh = (1.0 / 39916800 + r * (1.0 / 479001600)) +
                          r2 * (1.0 / 6227020800.0 + r * (1.0 / 87178291200.0));
  const double g = third + r4 * (seventh + r4 * eleventh);
  const double little = 0.5 * ((r - t) * (r + t)) + r2 * r * g;
  const double first = base + r, lost = base == 0.0 ? 0.0 : (base - first) + r;
  const double both = first + half, again = (first - both) + half;
  return both + (lost + again + (little + (c + c * r + extra)));
}

/* n and r + c = x - n ln 2 for |x| <= 746. ln 2's first part has 32 digits and n at most 11: the
 * product and the difference from x, whose last digit is no finer than 2^-54 when n is not 0, are
 * exact. The rest of ln 2, 2^-86 off, times n has 2^-73. */
DPPAIR_FORCE_INLINE_ int dppair_exp_reduce_(double x, double *r, double *c) {
  const double magic = 6755399441055744.0; /* 1.5 2^52 */
  const double n = (x * 1.4426950408889634 + magic) - magic;
  const double high = x - n * 0.6931471803691238, low = n * 1.9082149292705877e-10;
  const double back = high - low, taken = high - back;
  *r = back;
  *c = (high - (back + taken)) + (taken - low);
  return (int)n;
}

/*
 * e^x within DPPAIR_EXP_ERROR_ u. x = n ln(2)/32 + r, |r| <= 0.0109, and e^x = 2^(n/32) e^r. The
 * product with the first part of ln 2, of 32 digits, is exact for n of 16, and so is the
 * difference, below 2^-6 and no finer than 2^-59. r rounded has 0.01 u, the series to r^6 leaves
 * r^7/5040, 0.03 u, and has 0.01 u in its last sum, the product with the table and the sum with
 * its low part 0.01 u each. Then one sum rounds, by half an ulp.
 */
DPPAIR_FN_ double dppair_exp_(double x) {
  static const double table[32][2] = {{1.0, 0.0},
                                      {1.0218971486541166, 5.109225028973444e-17},
                                      {1.0442737824274138, 8.551889705537965e-17},
                                      {1.0671404006768237, -7.899853966841582e-17},
                                      {1.0905077326652577, -3.046782079812471e-17},
                                      {1.1143867425958924, 1.0410278456845571e-16},
                                      {1.1387886347566916, 8.912812676025408e-17},
                                      {1.1637248587775775, 3.8292048369240935e-17},
                                      {1.189207115002721, 3.982015231465646e-17},
                                      {1.215247359980469, -7.712630692681488e-17},
                                      {1.241857812073484, 4.658027591836937e-17},
                                      {1.2690509571917332, 2.667932131342186e-18},
                                      {1.2968395546510096, 2.5382502794888315e-17},
                                      {1.3252366431597413, -2.8587312100388614e-17},
                                      {1.3542555469368927, 7.70094837980299e-17},
                                      {1.383909881963832, -6.770511658794786e-17},
                                      {1.4142135623730951, -9.667293313452913e-17},
                                      {1.4451808069770467, -3.0237581349939873e-17},
                                      {1.4768261459394993, -3.483994556892796e-17},
                                      {1.5091644275934228, -1.016455327754295e-16},
                                      {1.5422108254079407, 7.949834809697621e-17},
                                      {1.5759808451078865, -1.0136916471278304e-17},
                                      {1.6104903319492543, 2.4707192569797888e-17},
                                      {1.645755478153965, -1.0125679913674773e-16},
                                      {1.681792830507429, 8.199010020581497e-17},
                                      {1.718619298122478, -1.851380418263111e-17},
                                      {1.7562521603732995, 2.960140695448873e-17},
                                      {1.7947090750031072, 1.8227458427912087e-17},
                                      {1.8340080864093424, 3.283107224245627e-17},
                                      {1.8741676341103, -6.122763413004143e-17},
                                      {1.9152065613971474, -1.0619946056195963e-16},
                                      {1.9571441241754002, 8.960767791036668e-17}};
  const double magic = 6755399441055744.0; /* 1.5 2^52 */
  double n, r, r2, p;
  const double *power;
  uint32_t whole;
  int scale;
  if (!(x < 709.7827128933841)) return x > 0.0 ? x * 8.98846567431158e307 : x; /* inf, or NaN */
  if (x < -745.2) return 0.0;
  n = x * 46.16624130844683 + magic;
  whole = (uint32_t)dppair_bits_f64_(n) + 32 * 1080; /* the sum's last digits are n's */
  n -= magic;
  r = (x - n * (0.6931471803691238 / 32)) - n * (1.9082149292705877e-10 / 32);
  power = table[whole & 31];
  r2 = r * r;
  p = (1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720);
  p = r + (r2 * (0.5 + r * (1.0 / 6)) + r2 * r2 * p);
  scale = (int)(whole >> 5) - 1080;
  if (scale >= -900 &&
      scale < 1024) { /* first, which no rounding sees and hides a product's time */
    const double by = dppair_power_of_two_(scale), head = power[0] * by;
    return head + (power[1] * by + head * p);
  }
  return dppair_by_power_of_two_(power[0] + (power[1] + power[0] * p), scale);
}

/* e^x - 1 within DPPAIR_EXPM1_ERROR_ u. 2^n (e^r - 2^-n): from |n| = 54 on, 2^-n or 1 is among the
 * small numbers or alone. */
DPPAIR_FN_ double dppair_expm1_(double x) {
  double r, c, y, little = 0.0, base = 1.0;
  int n;
  if (!(x < 709.7827128933841)) return x > 0.0 ? x * 8.98846567431158e307 : x;
  if (x < -38.0) return -1.0;
  if (x < 5.551115123125783e-17 && x > -5.551115123125783e-17) return x; /* 2^-54, keeps -0 */
  n = dppair_exp_reduce_(x, &r, &c);
  if (n < 54)
    base = 1.0 - dppair_power_of_two_(-n);
  else if (n < 200)
    little = -dppair_power_of_two_(-n);
  y = dppair_exp_core_(base, r, c, little);
  return n > 1023 ? y * 8.98846567431158e307 * 2.0 : y * dppair_power_of_two_(n);
}

DPPAIR_FP_END_
/* ---- src/core/math_log.h --------------------------------------------------------------------
 * Logarithms in double, with proved errors
 *
 * As in math_exp.h: u = 2^-53, sums, products and quotients alone, each rounded to nearest.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_LOG_ERROR_ 1.2   /* of dppair_log_, in u; 0.55 ulp */
#define DPPAIR_LOG1P_ERROR_ 1.2 /* of dppair_log1p_, in u; 0.57 ulp */

DPPAIR_FP_BEGIN_

/* x = z 2^k exactly, z in [0.6875, 1.375); x positive and normal. *place is the interval of z:
 * 20 of length 1/64 below 1, 12 of 1/32 from 1 on. */
DPPAIR_FORCE_INLINE_ double dppair_log_reduce_(double x, int *k, int *place) {
  const uint64_t least = UINT64_C(0x3fe6000000000000); /* 0.6875 */
  const uint64_t bits = dppair_bits_f64_(x) + (UINT64_C(0x3ff0000000000000) - least);
  *k = (int)(bits >> 52) - 1023;
  *place = (int)(bits >> 47) & 31;
  return dppair_from_bits_f64_((bits & UINT64_C(0x000fffffffffffff)) + least);
}

/* -r^2/2 + r^3/3 - ... + r^11/11, |r| <= 1/32: the next is below 2^-58 r. Within 4 u of itself,
 * where it is at most 0.016 of r: 0.06 u of ln(1 + r). */
DPPAIR_FORCE_INLINE_ double dppair_log_series_(double r) {
  const double r2 = r * r, r4 = r2 * r2;
  return r2 * (((-0.5 + r * (1.0 / 3)) + r2 * (-0.25 + r * 0.2)) +
               r4 * (((-1.0 / 6 + r * (1.0 / 7)) + r2 * (-0.125 + r * (1.0 / 9))) +
                     r4 * (-0.1 + r * (1.0 / 11))));
}

/*
 * ln z + k ln 2 + more as *low + the returned number; |more| <= 2^-53. c is near 1/z, of 9 digits:
 * the products with both halves of z are exact, and c z - 1 = r + lost, |r| <= 0.0169. -ln c is a
 * multiple of 2^-42, to which k times ln 2's first part, 32 digits, is added exactly, and a rest.
 * In the two intervals next to 1, c = 1 and r = z - 1, up to 1/32: there the error is relative to
 * r. Elsewhere the series is below 2^-12.8, of 4 u, where the result is 0.0157 at least: 0.04 u;
 * the sums of the small numbers have 0.02 u. Together with the last sum, by the caller, 1.1 u or
 * 0.55 ulp.
 */
DPPAIR_FN_ double dppair_log_core_(double z, int k, int place, double more, double *low) {
  static const uint16_t near_inverse[32] = {368, 360, 352, 345, 338, 331, 324, 318, 312, 306, 301,
                                            295, 290, 285, 280, 275, 271, 266, 262, 256, 256, 245,
                                            237, 231, 224, 218, 213, 207, 202, 197, 193, 188};
  static const double table[32][2] = {{-0.3629054936893681, -3.6708569716349383e-16},
                                      {-0.34092658697068146, 8.82452633212564e-14},
                                      {-0.31845373111855224, 1.7625431312172662e-14},
                                      {-0.2983669725517757, -2.159269374197349e-14},
                                      {-0.27786845100354185, 8.554360006566322e-14},
                                      {-0.2569409308975992, 9.874803015966392e-14},
                                      {-0.23556607131286, 9.30945949519689e-14},
                                      {-0.21687393830052315, -9.120937249914984e-14},
                                      {-0.19782574332998593, 6.604544877082384e-14},
                                      {-0.17840765747291698, 9.86835038673495e-14},
                                      {-0.16193282026938505, 7.179390019295677e-14},
                                      {-0.14179791186029433, 3.698459506697097e-14},
                                      {-0.1247034785010328, 7.556920687451337e-14},
                                      {-0.10731173578915332, 6.526678802731071e-14},
                                      {-0.08961215868976069, 7.355770219435029e-14},
                                      {-0.07159365318693744, -7.137308225343178e-14},
                                      {-0.056941376400118315, -2.0109399435564958e-14},
                                      {-0.03831886430202758, -1.0902154302203302e-13},
                                      {-0.023167059281604452, 7.007359704310036e-14},
                                      {0.0, 0.0},
                                      {0.0, 0.0},
                                      {0.04391923393473007, 1.0541743854342862e-13},
                                      {0.07711730334449385, -6.255850200176405e-14},
                                      {0.10275973395778237, -1.3438406228830954e-14},
                                      {0.13353139262449076, 3.1859736349078334e-14},
                                      {0.16068238169054894, -7.547106028244807e-14},
                                      {0.1838852787700489, 8.84637355812087e-14},
                                      {0.21245865121409224, 1.0115944196590467e-13},
                                      {0.2369097470784709, -1.1318526912023687e-13},
                                      {0.26197371574153294, 4.102651071698446e-14},
                                      {0.28248725557477883, -1.0190482133505088e-13},
                                      {0.30873548164959175, 2.1522127491642888e-14}};
  const double c = near_inverse[place] * (1.0 / 256), head = dppair_head_(z);
  const double a = head * c - 1.0, b = (z - head) * c, r = a + b, lost = (a - r) + b;
  const double known = (double)k * 0.6931471803691238 + table[place][0], sum = known + r;
  const double rest = (double)k * 1.9082149292705877e-10 + (table[place][1] + more);
  *low = ((known - sum) + r) + (dppair_log_series_(r) + (lost + rest));
  return sum;
}

/* ln x within DPPAIR_LOG_ERROR_ u: -infinity of 0, NaN of what is below. */
DPPAIR_FN_ double dppair_log_(double x) {
  double z, high, low;
  int k, place, up = 0;
  if (!(x >= DBL_MIN && x <= DBL_MAX)) {
    if (!(x > 0.0)) return x == 0.0 ? -HUGE_VAL : (x - x) / (x - x);
    if (x > DBL_MAX) return x;
    x *= 18014398509481984.0; /* 2^54 */
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, k - up, place, 0.0, &low);
  return high + low;
}

/* ln(1 + x) within DPPAIR_LOG1P_ERROR_ u. Near 0 it is the series. Else 1 + x is h + l, and l/h is
 * added, below u, where the result is 0.0157 at least: the quotient's error and the square are
 * nothing. */
DPPAIR_FN_ double dppair_log1p_(double x) {
  double h, z, high, low;
  int k, place;
  if (x > -0.015625 && x < 0.03125) {
    if (x < 5.551115123125783e-17 && x > -5.551115123125783e-17) return x; /* 2^-54, keeps -0 */
    return x + dppair_log_series_(x);
  }
  h = 1.0 + x;
  if (!(x > -1.0)) return x == -1.0 ? -HUGE_VAL : (x - x) / (x - x);
  if (x > DBL_MAX) return x;
  z = dppair_log_reduce_(h, &k, &place);
  high = dppair_log_core_(z, k, place, (x > 1.0 ? 1.0 - (h - x) : x - (h - 1.0)) / h, &low);
  return high + low;
}

DPPAIR_FP_END_
/* ---- src/core/math_circle.h -----------------------------------------------------------------
 * Circular functions in double, with proved errors
 *
 * As in math_exp.h: u = 2^-53, sums, products and quotients alone, each rounded to nearest. A
 * number is not better than its argument: sin x is that of the double x, however large it is.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SIN_ERROR_ 1.5 /* of dppair_sin_, in u; 0.85 ulp */
#define DPPAIR_COS_ERROR_ 1.5 /* of dppair_cos_, in u; 0.85 ulp */
#define DPPAIR_ATAN2_ERROR_ULPS_ 1.6

DPPAIR_FP_BEGIN_

/*
 * The quarter turn nearest to x >= 2^20, modulo 4, and r + c = x minus it. x = m 2^e; of the digits
 * of 2/pi those above 2^(2-e) only add multiples of 4 to x 2/pi. Of the 256 digits from there on,
 * 223 at least come after the point of the product, and what follows is below 2^-169. No double is
 * nearer to a multiple of pi/2 than 2^-62 of it: the fraction is kept to 2^-100 of itself.
 */
DPPAIR_RARE_ int dppair_circle_far_(double x, double *r, double *c) {
  static const uint32_t digits[38] = {
      0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
      0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
      0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
      0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
      0x1f8d5d08u, 0x56033046u, 0xfc7b6babu};
  const uint64_t bits = dppair_bits_f64_(x);
  const uint64_t m = (bits & UINT64_C(0x000fffffffffffff)) | UINT64_C(0x0010000000000000);
  const int e = (int)(bits >> 52) - 1075, first = e < 34 ? 0 : (e - 2) / 32;
  const int point = 32 * (first + 8) - e; /* digits of the product after its point: 223 to 288 */
  uint32_t p[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}; /* the lowest first */
  uint64_t carry = 0, word[2];
  double high, low, head;
  int i, half, quarter, negative;
  for (half = 0; half < 2; half++) {
    const uint64_t factor = half ? m >> 32 : m & 0xffffffffu;
    for (carry = 0, i = 0; i < 8; i++) {
      carry += factor * digits[first + 7 - i] + p[i + half];
      p[i + half] = (uint32_t)carry;
      carry >>= 32;
    }
    p[8 + half] = (uint32_t)carry;
  }
  /* the two digits before the point, and the fraction from the point on to the top of p */
  for (i = 0; i < 2; i++) {
    const int at = point + 1 - i;
    carry = carry << 1 | (at < 320 ? p[at / 32] >> (at % 32) & 1 : 0);
  }
  quarter = (int)(carry & 3);
  for (i = 9; i >= 0; i--) { /* what is before the point goes */
    if (32 * i >= point)
      p[i] = 0;
    else if (32 * (i + 1) > point)
      p[i] &= (uint32_t)((UINT64_C(1) << (point - 32 * i)) - 1);
  }
  negative = (int)(p[(point - 1) / 32] >> ((point - 1) % 32) & 1);
  if (negative) { /* nearer to the next one: 1 - fraction */
    quarter = (quarter + 1) & 3;
    for (carry = 1, i = 0; i < 10 && 32 * i < point; i++) {
      carry += (uint32_t)~p[i];
      p[i] = (uint32_t)carry;
      carry >>= 32;
      if (32 * (i + 1) > point) p[i] &= (uint32_t)((UINT64_C(1) << (point - 32 * i)) - 1);
    }
  }
  for (i = 9; i > 3 && p[i] == 0;) i--; /* 128 digits from the first that is not 0 */
  word[0] = (uint64_t)p[i] << 32 | p[i - 1];
  word[1] = (uint64_t)p[i - 2] << 32 | p[i - 3];
  /* in three exact pieces; 32 (i + 1) - point is the exponent of word[0]'s top */
  head = dppair_power_of_two_(32 * (i - 1) - point);
  high = (double)(word[0] >> 12 << 12) * head;
  low = ((double)(word[0] & 0xfff) + (double)word[1] * 5.421010862427522e-20) * head;
  /* times pi/2, in two parts */
  {
    const double a = dppair_head_(high), b = high - a, whole = high * 1.5707963267948966;
    const double rest =
        ((a * 1.5707963109016418 - whole) + b * 1.5707963109016418 + a * 1.5893254712295857e-08) +
        b * 1.5893254712295857e-08;
    low = rest + (high * 6.123233995736766e-17 + low * 1.5707963267948966);
    *r = whole + low;
    *c = (whole - *r) + low;
  }
  if (negative) {
    *r = -*r;
    *c = -*c;
  }
  return quarter;
}

/*
 * The same for every x that is a number: returns n mod 4, n near x 2/pi. Below 2^20, n has 20
 * digits, and pi/2 is the sum of three parts of 33 digits and a rest, 2^-152 off: the products are
 * exact, and so is the first difference (the two are within a factor of 2 of each other).
 */
DPPAIR_FN_ int dppair_circle_reduce_(double x, double *r, double *c) {
  const double magic = 6755399441055744.0, size = x < 0.0 ? -x : x;
  double n, high, low, next, lost;
  int quarter, i;
  *r = x;
  *c = 0.0;
  if (size <= 0.7853981633974483) return 0;
  if (size < 1048576.0) {
    static const double part[2] = {6.077100506303966e-11, 2.0222662487111665e-21};
    n = (size * 0.6366197723675814 + magic) - magic;
    high = size - n * 1.5707963267341256;
    low = 0.0;
    for (i = 0; i < 2; i++) {
      const double take = n * part[i];
      next = high - take;
      lost = next - high;
      low += (high - (next - lost)) - (take + lost);
      high = next;
    }
    low -= n * 8.4784276603689e-32;
    *r = high + low;
    *c = (high - *r) + low;
    quarter = (int)n & 3;
  } else {
    quarter = dppair_circle_far_(size, r, c);
  }
  if (x < 0.0) {
    *r = -*r;
    *c = -*c;
    quarter = -quarter & 3;
  }
  return quarter;
}

/* sin(r + c), |r| <= 0.7854: r + (c (1 - r^2/2) + r^3 S), Taylor's series to r^17 (the next term is
 * below 2^-62 r). r^3 S, below 0.0784 (and 0.111 of the result), has 4 u: 0.45 u at most, of a
 * number with half an ulp below 0.71 u; at smaller r, where that is 1 u, it has 0.2 u. */
DPPAIR_FORCE_INLINE_ double dppair_sin_core_(double r, double c) {
  const double z = r * r, z2 = z * z, z4 = z2 * z2;
  const double low = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880));
  const double high = (-1.0 / 39916800 + z * (1.0 / 6227020800.0)) +
                      z2 * (-1.0 / 1307674368000.0 + z * (1.0 / 355687428096000.0));
  return r + (c * (1.0 - 0.5 * z) + z * r * (low + z4 * high));
}

/* cos(r + c): 1 - t^2/2, t the head of r, in two exact parts, the rest of r^2/2, r^4 C below 0.0156
 * with 4 u, to r^18, and -r c. Together 0.09 u / 0.707 and half an ulp, 0.71 u below 1. */
DPPAIR_FORCE_INLINE_ double dppair_cos_core_(double r, double c) {
  const double z = r * r, t = dppair_head_(r), half = 0.5 * t * t, w = 1.0 - half;
  const double z2 = z * z, z4 = z2 * z2;
  const double low = (1.0 / 24 - z * (1.0 / 720)) + z2 * (1.0 / 40320 - z * (1.0 / 3628800));
  const double high = (1.0 / 479001600 - z * (1.0 / 87178291200.0)) +
                      z2 * (1.0 / 20922789888000.0 - z * (1.0 / 6402373705728000.0));
  return w + (((1.0 - w) - half) - 0.5 * ((r - t) * (r + t)) + (z2 * (low + z4 * high) - r * c));
}

DPPAIR_FN_ double dppair_sin_(double x) {
  double r, c, y;
  int n;
  if (!(x - x == 0.0)) return x - x;                                     /* NaN */
  if (x < 7.450580596923828e-09 && x > -7.450580596923828e-09) return x; /* 2^-27, keeps -0 */
  n = dppair_circle_reduce_(x, &r, &c);
  y = n & 1 ? dppair_cos_core_(r, c) : dppair_sin_core_(r, c);
  return n & 2 ? -y : y;
}

DPPAIR_FN_ double dppair_cos_(double x) {
  double r, c, y;
  int n;
  if (!(x - x == 0.0)) return x - x;
  n = dppair_circle_reduce_(x, &r, &c);
  y = n & 1 ? dppair_sin_core_(r, c) : dppair_cos_core_(r, c);
  return n == 1 || n == 2 ? -y : y;
}

/* Both for one reduction, with the same bits. */
DPPAIR_FN_ void dppair_sin_cos_(double *sine, double *cosine, double x) {
  double r, c, s, y;
  int n;
  *sine = *cosine = x - x;
  if (!(x - x == 0.0)) return;
  n = dppair_circle_reduce_(x, &r, &c);
  s = dppair_sin_core_(r, c);
  y = dppair_cos_core_(r, c);
  *sine = n & 1 ? y : s;
  *cosine = n & 1 ? s : y;
  if (n & 2) *sine = -*sine;
  if (n == 1 || n == 2) *cosine = -*cosine;
  if (x < 7.450580596923828e-09 && x > -7.450580596923828e-09) *sine = x; /* keeps -0 */
}

/* Within 4 u: quotient of two. */
DPPAIR_FN_ double dppair_tan_(double x) { return dppair_sin_(x) / dppair_cos_(x); }

/*
 * arctan(y/x) in two parts, 0 <= y <= x, x normal: atan(k/8) + atan s, s = (y - k x/8) / (x + k
 * y/8), |s| <= 1/16 for k >= 2, and s = y/x <= 3/16 for k = 0, where the quotient's remainder is
 * added. The products with the heads of x are exact, the numerator within u. s has 3.5 u: 0.22 u
 * for k >= 2, which is 0.9 of an ulp next to 3/16, the least result. atan s = s - s^3 A, s^3 A <
 * 0.0022, 4 u of it 0.009 u. Taylor's series to s^25 leaves 2^-66.
 */
DPPAIR_FN_ double dppair_atan_core_(double y, double x, double *low) {
  static const double table[7][2] = {
      {0.24497866312686414, 1.0698755618734451e-17}, {0.35877067027057225, -2.4623815582638635e-17},
      {0.4636476090008061, 2.2698777452961687e-17},  {0.5585993153435624, -5.4556305485916264e-18},
      {0.6435011087932844, 1.5834785051444286e-17},  {0.7188299996216245, -2.1478388444456983e-17},
      {0.7853981633974483, 3.061616997868383e-17}};
  const double q = y / x, head = dppair_head_(x);
  const int k = q < 0.1875 ? 0 : (int)(8.0 * q + 0.5);
  const double place = 0.125 * k;
  double s = q, more, z, z2, first_four, others;
  if (k == 0) {
    const double t = dppair_head_(q);
    more = (((y - t * head) - t * (x - head)) - (q - t) * x) / x;
    if (!(q > 7.450580596923828e-09)) more = 0.0; /* s^2 is nothing; below, digits would be lost */
  } else {
    s = ((y - place * head) - place * (x - head)) / (x + place * y);
    more = 0.0;
  }
  z = s * s;
  z2 = z * z;
  first_four = (1.0 / 3 - z * (1.0 / 5)) + z2 * (1.0 / 7 - z * (1.0 / 9));
  others = (1.0 / 11 - z * (1.0 / 13)) + z2 * (1.0 / 15 - z * (1.0 / 17));
  others += z2 * z2 * ((1.0 / 19 - z * (1.0 / 21)) + z2 * (1.0 / 23 - z * (1.0 / 25)));
  more -= s * z * (first_four + z2 * z2 * others);
  if (k == 0) {
    *low = more;
    return s;
  }
  z = table[k - 2][0] + s;
  *low = (table[k - 2][0] - z) + s + (more + table[k - 2][1]);
  return z;
}

/* a - (*low + high), where a + a_low is a multiple of pi/2 in two parts and the larger. */
DPPAIR_FORCE_INLINE_ double dppair_angle_from_(double a, double a_low, double high, double *low) {
  const double rest = a - high;
  *low = ((a - rest) - high) + (a_low - *low);
  return rest;
}

/* The angle of (x, y) from the first axis, in (-pi, pi], within DPPAIR_ATAN2_ERROR_ULPS_ ulp. Signs
 * of zeros count, as in C. */
DPPAIR_FN_ double dppair_atan2_(double y, double x) {
  const uint64_t sign = UINT64_C(0x8000000000000000), sign_y = dppair_bits_f64_(y) & sign;
  double a = dppair_from_bits_f64_(dppair_bits_f64_(y) & ~sign);
  double b = dppair_from_bits_f64_(dppair_bits_f64_(x) & ~sign), high = 0.0, low = 0.0;
  const int swap = a > b;
  if (x != x || y != y) return x + y;
  if (a > DBL_MAX || b > DBL_MAX) {
    a = a > DBL_MAX ? 1.0 : 0.0;
    b = b > DBL_MAX ? 1.0 : 0.0;
  }
  if (swap) {
    const double other = a;
    a = b;
    b = other;
  }
  if (b > 1.0715086071862673e+301) { /* 2^1000: x + k y/8 is to be finite */
    a *= 7.888609052210118e-31;      /* 2^-100 */
    b *= 7.888609052210118e-31;
  } else if (b < 1.1830521861667747e-271) { /* 2^-900 */
    a *= 1.329227995784916e+36;             /* 2^120 */
    b *= 1.329227995784916e+36;
  }
  if (a > 0.0) high = dppair_atan_core_(a, b, &low);
  if (swap) high = dppair_angle_from_(1.5707963267948966, 6.123233995736766e-17, high, &low);
  if (dppair_bits_f64_(x) & sign)
    high = dppair_angle_from_(3.141592653589793, 1.2246467991473532e-16, high, &low);
  return dppair_from_bits_f64_(dppair_bits_f64_(high + low) | sign_y);
}

/* arccos x, |x| <= 1: the root has 2 u, and the angle no more than that of it and of atan2. */
DPPAIR_FN_ double dppair_acos_(double x) {
  return dppair_atan2_(dppair_sqrt_((1.0 - x) * (1.0 + x)), x);
}

DPPAIR_FP_END_
/* ---- src/core/math_more.h -------------------------------------------------------------------
 * Powers, hyperbolic functions and logarithms of other bases, made of exp, expm1, log and log1p
 *
 * u = 2^-53; errors are relative, and those of their parts are in math_exp.h and math_log.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_EXP2_ERROR_ 2.0 /* in u; the others' likewise */
#define DPPAIR_LOG2_ERROR_ 3.8
#define DPPAIR_LOG10_ERROR_ 2.8
#define DPPAIR_SINH_ERROR_ 5.0
#define DPPAIR_TANH_ERROR_ 4.0
#define DPPAIR_ASINH_ERROR_ 5.0
#define DPPAIR_CBRT_ERROR_ 3.0

DPPAIR_FP_BEGIN_

/* 2^x; exact where x is whole. x = n + f; f ln 2 <= 0.3466 is off by u 0.52 of itself, 0.2 u,
 * rounded by 0.25 u, and e^(f ln 2) has 1.2 u. */
DPPAIR_FN_ double dppair_exp2_(double x) {
  const double magic = 6755399441055744.0;
  double n;
  if (!(x < 1024.0)) return x > 0.0 ? HUGE_VAL : x;
  if (x < -1076.0) return 0.0;
  n = (x + magic) - magic;
  return dppair_by_power_of_two_(dppair_exp_core_(1.0, (x - n) * 0.6931471805599453, 0.0, 0.0),
                                 (int)n);
}

/* Exact for powers of two. The fraction's part: 1.2 u of the logarithm, 1.3 u of 1/ln 2 and the
 * product; it is at most half of the whole where k is not 0, or as large as it (k = -1, 1). */
DPPAIR_FN_ double dppair_log2_(double x) {
  double z, high, low;
  int k, place, up = 0;
  if (!(x > 0.0 && x < HUGE_VAL)) return dppair_log_(x);
  if (x < DBL_MIN) {
    x *= 18014398509481984.0;
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, 0, place, 0.0, &low);
  return (double)(k - up) + (high + low) * 1.4426950408889634;
}

DPPAIR_FN_ double dppair_log10_(double x) { return dppair_log_(x) * 0.4342944819032518; }

/* x^y for x >= 0, within (5.3 + 0.2 |y ln x|) u: y ln x is in two parts, of which ln x brings 0.1 u
 * and the head, rounded, nothing; the second is a factor 1 + tail, off by tail^2 < 2^-86. Two
 * exponentials have 1.1 u each, the factor and two products u. */
DPPAIR_FN_ double dppair_pow_(double x, double y) {
  double z, high, low, product, tail, head_x, head_y;
  int k, place, up = 0;
  if (y == 0.0 || x == 1.0) return 1.0;
  if (!(x >= 0.0) || y != y) return (x - x) / (x - x) + y;
  if (x == 0.0 || x > DBL_MAX) return (x == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
  if (x < DBL_MIN) {
    x *= 18014398509481984.0;
    up = 54;
  }
  z = dppair_log_reduce_(x, &k, &place);
  high = dppair_log_core_(z, k - up, place, 0.0, &low);
  product = high + low;
  low = (high - product) + low;
  high = product;
  product = y * high;
  if (product > 710.0) return HUGE_VAL;
  if (product < -746.0) return 0.0;
  head_x = dppair_head_(high);
  head_y = dppair_head_(y);
  tail = ((head_x * head_y - product) + head_x * (y - head_y) + (high - head_x) * head_y) +
         (high - head_x) * (y - head_y) + y * low;
  return dppair_exp_(0.5 * product) * (1.0 + tail) * dppair_exp_(0.5 * product);
}

/* One step of Newton's method squares what log and exp leave, 300 u; its sum has u, t^3 2 u, a
 * third of which counts. */
DPPAIR_FN_ double dppair_cbrt_(double x) {
  double t;
  if (!(x > 0.0 && x < HUGE_VAL)) return x < 0.0 ? -dppair_cbrt_(-x) : x;
  if (x < DBL_MIN) return dppair_cbrt_(x * 18014398509481984.0) * 3.814697265625e-06; /* 2^-18 */
  t = dppair_exp_(dppair_log_(x) * (1.0 / 3.0));
  return t - (t * t * t - x) / (3.0 * t * t);
}

/* (h + h/(h + 1))/2, h = e^|x| - 1 with 1.5 u, the quotient 3.5 u and less of h, the sum u. */
DPPAIR_FN_ double dppair_sinh_(double x) {
  const double size = dppair_fabs_(x);
  double y;
  if (size < 700.0) {
    const double h = dppair_expm1_(size);
    y = 0.5 * (h + h / (h + 1.0));
  } else {
    const double h = dppair_exp_(0.5 * size);
    y = 0.5 * h * h;
  }
  return x < 0.0 ? -y : x == 0.0 ? x : y;
}

/* h/(h + 2), h = e^(2|x|) - 1: 1.5 u of h count 2/(h + 2) times, sum and quotient u each. */
DPPAIR_FN_ double dppair_tanh_(double x) {
  const double size = dppair_fabs_(x), h = dppair_expm1_(2.0 * (size < 30.0 ? size : 30.0));
  const double y = h / (h + 2.0);
  return x < 0.0 ? -y : x > 0.0 ? y : x;
}

/* ln(1 + (a + a^2/(1 + sqrt(1 + a^2)))), a = |x|: the second term is below the first and has 4 u,
 * the argument 3 u, which count once at most; log1p 1.2 u. From 2^28 on, ln a + ln 2 has 2.2 u. */
DPPAIR_FN_ double dppair_asinh_(double x) {
  const double a = dppair_fabs_(x);
  double y;
  if (a < 268435456.0)
    y = dppair_log1p_(a + a * a / (1.0 + dppair_sqrt_(1.0 + a * a)));
  else
    y = dppair_log_(a) + 0.6931471805599453;
  return x < 0.0 ? -y : x > 0.0 ? y : x;
}

DPPAIR_FP_END_
/* ---- src/core/status.h ----------------------------------------------------------------------
 * Status
 *
 * A function that can fail returns a dppair_status; the compiler warns if it is ignored. On an
 * error all outputs are zero, so that a failed release never leaves a number without noise behind.
 * If a size is more than any memory can hold, the function returns OVERFLOW and may leave outputs
 * untouched: to zero an array of such a size would write past its end.
 *
 * A sentence says what is wrong, then what to do. docs/errors.md has the slip and the cure of each.
 * New statuses come last: none is renumbered.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_STATUS_TABLE(X)                                                                     \
  X(DPPAIR_OK, "ok")                                                                               \
  X(DPPAIR_ERR_NULL,                                                                               \
    "a required pointer is NULL: give every argument that the function does not call optional")    \
  X(DPPAIR_ERR_SIZE,                                                                               \
    "a size, a count or an index is out of range: compare n, d, ld, positives and capacity with "  \
    "the arrays and the plan")                                                                     \
  X(DPPAIR_ERR_OVERFLOW,                                                                           \
    "a size or a result is too large to be represented: scale the data or the weights, or give "   \
    "fewer records")                                                                               \
  X(DPPAIR_ERR_WORKSPACE,                                                                          \
    "the workspace is too small, or a state was made for something else: ask the _workspace "      \
    "function of this call, or make the state again for this instance")                            \
  X(DPPAIR_ERR_NOT_FINITE,                                                                         \
    "an input is NaN or infinite: clean the data, and look whether the weights diverged")          \
  X(DPPAIR_ERR_DOMAIN,                                                                             \
    "a parameter is outside its declared range, or the account was never initialised: see the "    \
    "range at the function, and call dppair_accountant_init first")                                \
  X(DPPAIR_ERR_EPSILON, "epsilon is outside the supported range: set a positive, finite one")      \
  X(DPPAIR_ERR_DELTA,                                                                              \
    "delta is outside the supported range: set one above 0 and below 1; pure laws take 0")         \
  X(DPPAIR_ERR_SIGMA,                                                                              \
    "a noise scale is not a positive finite number in range: let the plan find it, or correct it") \
  X(DPPAIR_ERR_SENSITIVITY,                                                                        \
    "a sensitivity is negative, or 0 where that would make a step free: give a proved, positive "  \
    "bound")                                                                                       \
  X(DPPAIR_ERR_STEP_SIZE,                                                                          \
    "the step size is beyond the limit of the privacy proof: take a smaller one")                  \
  X(DPPAIR_ERR_NO_PROOF,                                                                           \
    "no finite constant or no valid proof covers this combination: choose one that the "           \
    "function's comment lists")                                                                    \
  X(DPPAIR_ERR_ADJACENCY,                                                                          \
    "this neighbouring relation is not covered for this mechanism, or these groups: choose "       \
    "another relation (docs/neighbours.md)")                                                       \
  X(DPPAIR_ERR_RATE,                                                                               \
    "a sampled step's rate is 0 or not m/n, or m, group and batches do not fit: make the "         \
    "sampling with a dppair_sampling_ function")                                                   \
  X(DPPAIR_ERR_STEPS, "a step is charged at least once: set the number of steps, which is 0")      \
  X(DPPAIR_ERR_UNREAD, "a field is set that this mechanism does not read: leave it 0")             \
  X(DPPAIR_ERR_ENTROPY,                                                                            \
    "the operating system gave no entropy: try again, or give a key of your own")                  \
  X(DPPAIR_ERR_FORK,                                                                               \
    "the generator was copied into a child process by fork: open it in the child")                 \
  X(DPPAIR_ERR_CIPHER,                                                                             \
    "the generator has no key, or its cipher is not available here: make it with "                 \
    "dppair_rng_from_os")                                                                          \
  X(DPPAIR_ERR_EXHAUSTED,                                                                          \
    "the counter or the privacy budget is used up: ask for no more than was paid for")             \
  X(DPPAIR_ERR_NO_CONVERGENCE,                                                                     \
    "an iteration did not reach its certified tolerance: allow a larger one, or more noise")       \
  X(DPPAIR_ERR_FORMAT,                                                                             \
    "the text could not be parsed or has an unknown version: give what this library wrote")        \
  X(DPPAIR_ERR_ENVIRONMENT,                                                                        \
    "arithmetic does not round to nearest, or flushes to zero: compile without -ffast-math and "   \
    "reset the rounding mode")                                                                     \
  X(DPPAIR_ERR_SELF_TEST,                                                                          \
    "the noise is not what it must be, compiler or machine at fault: release nothing here, and "   \
    "report it")                                                                                   \
  X(DPPAIR_ERR_CLOSED,                                                                             \
    "the release is not open here, never opened, closed, copied or moved: open it where it is "    \
    "used, and keep its account in place")                                                         \
  X(DPPAIR_ERR_LEDGER,                                                                             \
    "a line of the ledger is missing, changed, or of another account: replay the whole ledger, "   \
    "as it was written")                                                                           \
  X(DPPAIR_ERR_RUNS,                                                                               \
    "one ledger number is charged twice, a start that did not replay the ledger: replay it "       \
    "before the first plan")                                                                       \
  X(DPPAIR_ERR_OVERLAP,                                                                            \
    "an output shares memory with what is read or with the workspace: give it an array of its "    \
    "own")                                                                                         \
  X(DPPAIR_ERR_MODULE,                                                                             \
    "a kind of a module that is not here: before dppair_accountant.h, include "                    \
    "dppair_allocation.h (random allocation), dppair_l2ball.h (pure epsilon with l2 "              \
    "sensitivity) or dppair_shares.h (Skellam noise)")                                             \
  X(DPPAIR_ERR_NOT_CALIBRATED,                                                                     \
    "no closed form has the noise of this plan: call dppair_calibrate for this plan and account "  \
    "first")                                                                                       \
  X(DPPAIR_ERR_PLAN_CHANGED,                                                                       \
    "the plan, its account or its key is not the one that was calibrated or opened: set all "      \
    "fields, then call dppair_calibrate, then open the plan")                                      \
  X(DPPAIR_ERR_NOT_DRAWN,                                                                          \
    "no records are drawn for this step: call dppair_release_draw before each release of this "    \
    "plan")                                                                                        \
  X(DPPAIR_ERR_NOT_ZEROED,                                                                         \
    "a field of the plan holds a value that nothing sets: begin with dppair_plan plan = {0}")      \
  X(DPPAIR_ERR_NO_RADIUS,                                                                          \
    "no bound of the rows is known: make them with dppair_rows_clip, or set radius to a proved "   \
    "bound of every norm")                                                                         \
  X(DPPAIR_ERR_LAW,                                                                                \
    "this noise does not fit this draw or release: Laplace and l2-ball noise take no draw; "       \
    "objectives are for dppair_release_minimiser, Skellam noise for dppair_release_share, "        \
    "Laplace noise of vectors for dppair_release_histogram")                               \
  X(DPPAIR_ERR_SLOPE,                                                                              \
    "a slope of the loss is steeper than its L_RANGE declares: correct L_RANGE, or clip the "      \
    "pairs")                                                                                       \
  X(DPPAIR_ERR_NEIGHBOURS,                                                                         \
    "the account holds other neighbours, or steps that state none: take one account for each "     \
    "neighbouring relation")                                                                       \
  X(DPPAIR_ERR_BATCH,                                                                              \
    "these are not the rows of this step's draw: hand over what dppair_gather made of the batch "  \
    "that dppair_release_draw filled")

/* What a call answers. DPPAIR_OK is 0; dppair_status_string has the sentence of each. */
typedef enum dppair_status {
#define DPPAIR_X_(name, text) name,
  DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
      DPPAIR_STATUS_COUNT_
} dppair_status;

/* One sentence about a status. Never NULL; the string is static. */
DPPAIR_API const char *dppair_status_string(dppair_status status) {
  switch (status) {
#define DPPAIR_X_(name, text)                                                                      \
  case name:                                                                                       \
    return text;
    DPPAIR_STATUS_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  case DPPAIR_STATUS_COUNT_:
    break;
  }
  return "unknown status";
}
/* ---- src/core/checks.h ----------------------------------------------------------------------
 * Checks of numbers and sizes
 *
 * Bits are tested as integers, because -ffast-math removes comparisons with NaN and infinity.
 * ---------------------------------------------------------------------------------------------- */

/* 1 for a number, 0 for NaN and the infinities. */
DPPAIR_API int dppair_isfinite_f64(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7ff0000000000000)) != UINT64_C(0x7ff0000000000000);
}

DPPAIR_FN_ int dppair_is_nan_(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000);
}

DPPAIR_API int dppair_isfinite_f32(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & UINT32_C(0x7f800000)) != UINT32_C(0x7f800000);
}

/* 1 when all n numbers of x are finite. Adding 1 to an exponent whose bits are all set carries into
 * the sign's place; the carries are collected without a branch. */
DPPAIR_API int dppair_all_finite_f64(const double *x, size_t n) {
  const uint64_t mask = UINT64_C(0x7ff0000000000000), one = UINT64_C(0x0010000000000000);
  uint64_t u[4], bad[4] = {0, 0, 0, 0};
  for (; n >= 4; n -= 4, x += 4) {
    memcpy(u, x, sizeof u);
    bad[0] |= (u[0] & mask) + one;
    bad[1] |= (u[1] & mask) + one;
    bad[2] |= (u[2] & mask) + one;
    bad[3] |= (u[3] & mask) + one;
  }
  for (; n > 0; n--, x++) {
    memcpy(u, x, sizeof u[0]);
    bad[0] |= (u[0] & mask) + one;
  }
  return ((bad[0] | bad[1] | bad[2] | bad[3]) >> 63) == 0;
}

DPPAIR_API int dppair_all_finite_f32(const float *x, size_t n) {
  const uint64_t mask = UINT64_C(0x7f8000007f800000), one = UINT64_C(0x0080000000800000);
  uint64_t u[2], bad[2] = {0, 0};
  for (; n >= 4; n -= 4, x += 4) {
    memcpy(u, x, sizeof u);
    bad[0] |= (u[0] & mask) + one;
    bad[1] |= (u[1] & mask) + one;
  }
  for (; n > 0; n--, x++) {
    u[0] = 0;
    memcpy(u, x, sizeof *x);
    bad[0] |= (u[0] & mask) + one;
  }
  return ((bad[0] | bad[1]) & UINT64_C(0x8000000080000000)) == 0;
}

/* *out = a * b, return 0; when the product overflows size_t: *out = 0, return 1. */
DPPAIR_FN_ int dppair_size_mul_(size_t *out, size_t a, size_t b) {
  *out = 0;
  if (b != 0 && a > SIZE_MAX / b) return 1;
  *out = a * b;
  return 0;
}

/* a b, or SIZE_MAX where that overflows; products with more factors > 0 then are SIZE_MAX too. */
DPPAIR_FN_ size_t dppair_area_(size_t a, size_t b) {
  size_t product;
  return dppair_size_mul_(&product, a, b) ? SIZE_MAX : product;
}

/* The status of an array of n elements of at most 8 bytes: OVERFLOW when no memory is that large
 * (it must then not be touched, not even zeroed), NULL when it is missing. */
DPPAIR_FN_ dppair_status dppair_array_(const void *x, size_t n) {
  if (n > SIZE_MAX / 8) return DPPAIR_ERR_OVERFLOW;
  return !x && n ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

/* OVERLAP where out[0..n), numbers of 8 bytes, shares memory with `bytes` bytes of an input or a
 * workspace. */
DPPAIR_FN_ dppair_status dppair_apart_(const void *out, size_t n, const void *other, size_t bytes) {
  const uintptr_t p = (uintptr_t)out, q = (uintptr_t)other;
  const size_t reach = dppair_area_(n, 8);
  if (n == 0 || bytes == 0 || !other || (p <= q ? q - p >= reach : p - q >= bytes))
    return DPPAIR_OK;
  return DPPAIR_ERR_OVERLAP;
}
/* ---- src/core/workspace.h -------------------------------------------------------------------
 * Workspace of the caller: laid out in arrays
 *
 * X_workspace says how many bytes X needs, from public sizes alone. They may begin anywhere: 64 of
 * them are for alignment.
 * ---------------------------------------------------------------------------------------------- */

/* The next array of `count` numbers of `size` bytes in the workspace at base, of which *used bytes
 * are taken; it begins at a multiple of 64 bytes. With base NULL only *used grows, and the result
 * is NULL. On overflow *used becomes and remains SIZE_MAX. */
DPPAIR_FN_ void *dppair_take_(char *base, size_t *used, size_t count, size_t size) {
  size_t bytes, at;
  if (dppair_size_mul_(&bytes, count, size) || *used > SIZE_MAX - 64) {
    *used = SIZE_MAX;
    return NULL;
  }
  at = (*used + 63) / 64 * 64;
  *used = bytes > SIZE_MAX - at ? SIZE_MAX : at + bytes;
  return base ? (void *)(base + at) : NULL;
}

/* The first multiple of 64 at or above p. */
DPPAIR_FN_ char *dppair_align_(void *p) {
  const size_t past = (size_t)((uintptr_t)p % 64);
  return (char *)p + (past ? 64 - past : 0);
}

/* *bytes = a workspace of `count` doubles, which may be SIZE_MAX for a count that overflowed; 0 for
 * none. Errors zero it: NULL, OVERFLOW. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_work_bytes_(size_t *bytes, size_t count) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (count > (SIZE_MAX - 64) / sizeof(double)) return DPPAIR_ERR_OVERFLOW;
  *bytes = count ? count * sizeof(double) + 64 : 0;
  return DPPAIR_OK;
}

/* *doubles = the place of `count` doubles in the caller's workspace. NULL, WORKSPACE, OVERFLOW. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_work_(double **doubles, size_t count, void *work,
                                                        size_t bytes) {
  size_t needed;
  const dppair_status status = dppair_work_bytes_(&needed, count);
  *doubles = NULL;
  if (status != DPPAIR_OK || !needed) return status;
  if (!work) return DPPAIR_ERR_NULL;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  *doubles = (double *)(void *)dppair_align_(work);
  return DPPAIR_OK;
}

/* The bytes of n rows of d elements, whose beginnings are ld >= d of them apart. */
DPPAIR_FN_ size_t dppair_row_bytes_(size_t n, size_t d, size_t ld, size_t each) {
  const size_t before = n > 0 ? dppair_area_(n - 1, ld) : 0;
  if (n == 0) return 0;
  return before > SIZE_MAX - d ? SIZE_MAX : dppair_area_(before + d, each);
}

/* OVERLAP where what is released, g[0..size), shares memory with what is read of n rows. */
DPPAIR_FN_ dppair_status dppair_rows_apart_(const double *g, size_t size, size_t n, const void *x,
                                            size_t x_bytes, const void *y, size_t y_each,
                                            const double *factor, const double *weight) {
  dppair_status status = dppair_apart_(g, size, x, x_bytes);
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, y, dppair_area_(n, y_each));
  if (status == DPPAIR_OK) status = dppair_apart_(g, size, factor, dppair_area_(n, sizeof *g));
  return status == DPPAIR_OK ? dppair_apart_(g, size, weight, dppair_area_(n, sizeof *g)) : status;
}
/* ---- src/core/words.h -----------------------------------------------------------------------
 * Integers of 128 bits, as pairs of 64: the low word first, two's complement
 *
 * Sums of such integers have the same bits in any order, which sums of doubles have not.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* w += v, an integer of 64 bits with a sign (bit 63), modulo 2^128. */
DPPAIR_FORCE_INLINE_ void dppair_word_add_(uint64_t *w, uint64_t v) {
  w[0] += v;
  w[1] += (uint64_t)(w[0] < v) - (v >> 63);
}

/* to[k] += from[k] for `count` integers of 128 bits, that is 2 count words, modulo 2^128: all that
 * a process or a site has to do with the sums of another. NULL does nothing. */
DPPAIR_API void dppair_words_add(uint64_t *to, const uint64_t *from, size_t count) {
  size_t k;
  if (!to || !from) return;
  for (k = 0; k < count; k++) {
    const uint64_t low = from[2 * k], high = from[2 * k + 1];
    to[2 * k] += low;
    to[2 * k + 1] += high + (uint64_t)(to[2 * k] < low);
  }
}

/* The integer w times unit, a power of two for which no result leaves the normal numbers, rounded
 * once, ties to even: of the first 64 digits the last one is set where anything follows, so that
 * the sum of their halves, both exact, rounds as the whole would. */
DPPAIR_FN_ double dppair_word_value_(const uint64_t *w, double unit) {
  const uint64_t sign = w[1] >> 63;
  const uint64_t low = sign ? ~w[0] + 1 : w[0], high = sign ? ~w[1] + (uint64_t)(w[0] == 0) : w[1];
  uint64_t top = low, rest;
  int64_t whole;
  double value;
  int shift = 0;
  if (high == 0 && low >> 63 == 0) { /* the sum of few records: conversion rounds once */
    memcpy(&whole, &w[0], sizeof whole);
    return (double)whole * unit;
  }
  while (shift < 64 && high >> shift) shift++;
  if (shift) {
    rest = shift < 64 ? low << (64 - shift) : low;
    top = (shift < 64 ? high << (64 - shift) | low >> shift : high) | (uint64_t)(rest != 0);
  }
  value = 4294967296.0 * (double)(uint32_t)(top >> 32) + (double)(uint32_t)top;
  value = dppair_ldexp_(value, shift) * unit;
  return sign ? -value : value;
}

DPPAIR_FP_END_
/* ---- src/core/processor.h -------------------------------------------------------------------
 * Processor: the tiers of this build and machine
 * ---------------------------------------------------------------------------------------------- */

enum {
  DPPAIR_TIER_SCALAR = 0,
  DPPAIR_TIER_SIMD128 = 1,
  DPPAIR_TIER_AVX2 = 2,
  DPPAIR_TIER_AVX512 = 3
};

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define DPPAIR_X86_ 1
#else
#define DPPAIR_X86_ 0
#endif

/* What the compiler's flags let it use everywhere. */
#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define DPPAIR_MEANS_AVX512_ 1
#else
#define DPPAIR_MEANS_AVX512_ 0
#endif
#if defined(__AVX2__) && defined(__FMA__)
#define DPPAIR_MEANS_AVX2_ 1
#else
#define DPPAIR_MEANS_AVX2_ 0
#endif

/* DPPAIR_RUNS_(avx2): whether this machine has it. Nobody can be asked without a host: what the
 * compiler may use everywhere (-mavx2) is there, and nothing else. */
#ifndef DPPAIR_FREESTANDING
#ifndef DPPAIR_RUNS_ /* a test may say what a narrower machine would */
#define DPPAIR_RUNS_(feature) __builtin_cpu_supports(#feature)
#endif
#define DPPAIR_RUNS_AVX2_ 1
#define DPPAIR_RUNS_AVX512_ 1
#else
#define DPPAIR_RUNS_AVX512_ DPPAIR_MEANS_AVX512_
#define DPPAIR_RUNS_AVX2_ DPPAIR_MEANS_AVX2_
#define DPPAIR_RUNS_(feature) 1
#endif
#define DPPAIR_HAVE_AVX2 (DPPAIR_X86_ && DPPAIR_MAX_TIER >= 2 && DPPAIR_RUNS_AVX2_)
#define DPPAIR_HAVE_AVX512 (DPPAIR_HAVE_AVX2 && DPPAIR_MAX_TIER >= 3 && DPPAIR_RUNS_AVX512_)
#ifndef DPPAIR_TIER_LIMIT
#define DPPAIR_TIER_LIMIT 3
#endif

/* The narrowest tier that is compiled. Where the compiler may use AVX2 with FMA, or AVX-512, in all
 * of the program (-march=native), the program runs on no narrower machine: narrower tiers are left
 * out. */
#ifndef DPPAIR_MIN_TIER
#if DPPAIR_HAVE_AVX512 && DPPAIR_MEANS_AVX512_
#define DPPAIR_MIN_TIER 3
#elif DPPAIR_HAVE_AVX2 && DPPAIR_MEANS_AVX2_
#define DPPAIR_MIN_TIER 2
#else
#define DPPAIR_MIN_TIER 0
#endif
#endif
#if DPPAIR_MIN_TIER != 0 && !(DPPAIR_MIN_TIER == 2 && DPPAIR_HAVE_AVX2) &&                         \
    !(DPPAIR_MIN_TIER == 3 && DPPAIR_HAVE_AVX512)
#error "DPPAIR_MIN_TIER is 0, or 2 or 3 where this build has that tier: see DPPAIR_MAX_TIER."
#endif
#define DPPAIR_ISA_AVX2_ "avx2,fma"
#define DPPAIR_ISA_AVX512_ "avx2,fma,avx512f,avx512dq,avx512bw,avx512vl"

/* The 128-bit tier is for machines without AVX2: where that is compiled, processors of before 2013
 * take the scalar tier. It needs SIMDe, which needs a C library, and off x86 a fused multiply-add, without
 * which its sums are not those of other tiers (MIPS has none). It is left out on 32-bit ARM, where
 * NEON has no doubles and flushes subnormal numbers to zero. WebAssembly has no fused multiply-add,
 * which noise does not need: there the tier makes noise only (clang -msimd128). */
#if DPPAIR_X86_ || defined(__FP_FAST_FMA) || defined(__aarch64__) || defined(__powerpc64__) ||     \
    defined(__s390x__) || defined(__wasm__) || (defined(__riscv_flen) && __riscv_flen >= 64)
#define DPPAIR_FUSES_ 1
#else
#define DPPAIR_FUSES_ 0
#endif
#if defined(__has_include) && DPPAIR_MAX_TIER >= 1 && !DPPAIR_HAVE_AVX2 && !defined(DPPAIR_NO_SIMDE) &&                 \
    !defined(__arm__) && !defined(DPPAIR_FREESTANDING) && DPPAIR_FUSES_
#if __has_include(<simde/x86/fma.h>)
#if !defined(__wasm__)
#define DPPAIR_HAVE_SIMD128 1
#elif defined(__wasm_simd128__)
#define DPPAIR_WASM_NOISE_ 1
#endif
#endif
#endif
#ifndef DPPAIR_HAVE_SIMD128
#define DPPAIR_HAVE_SIMD128 0
#endif
#ifndef DPPAIR_WASM_NOISE_
#define DPPAIR_WASM_NOISE_ 0
#endif

/* The widest tier that is compiled, and the narrowest that functions are called on. */
#if DPPAIR_HAVE_AVX512
#define DPPAIR_WIDEST_ 3
#elif DPPAIR_HAVE_AVX2
#define DPPAIR_WIDEST_ 2
#else
#define DPPAIR_WIDEST_ DPPAIR_HAVE_SIMD128
#endif
#if DPPAIR_MIN_TIER > 1
#define DPPAIR_NARROWEST_ DPPAIR_MIN_TIER
#elif DPPAIR_HAVE_SIMD128
#define DPPAIR_NARROWEST_ DPPAIR_TIER_SIMD128
#else
#define DPPAIR_NARROWEST_ DPPAIR_TIER_SCALAR
#endif

/* The widest tier of this build that this machine can run and that DPPAIR_TIER_LIMIT allows:
 * DPPAIR_TIER_*. All dispatching functions use it. A limit below the narrowest tier of the build is
 * answered by the narrowest one; where that is AVX2 or AVX-512, dppair_environment_check refuses. */
DPPAIR_API int dppair_tier(void) {
#if DPPAIR_HAVE_AVX512 && DPPAIR_MIN_TIER < 3
  if (DPPAIR_TIER_LIMIT >= DPPAIR_TIER_AVX512 && DPPAIR_RUNS_(avx512f) && DPPAIR_RUNS_(avx512dq) &&
      DPPAIR_RUNS_(avx512bw) && DPPAIR_RUNS_(avx512vl))
    return DPPAIR_TIER_AVX512;
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 2
  if (DPPAIR_TIER_LIMIT >= DPPAIR_TIER_AVX2 && DPPAIR_RUNS_(avx2) && DPPAIR_RUNS_(fma))
    return DPPAIR_TIER_AVX2;
#endif
  return DPPAIR_NARROWEST_;
}

/* The tier that makes noise. */
DPPAIR_FN_ int dppair_noise_tier_(void) {
  return DPPAIR_WASM_NOISE_ ? DPPAIR_TIER_SIMD128 : dppair_tier();
}

/* The name of dppair_tier(): "avx512", "avx2+fma", "simd128" or "scalar". The string is static. */
DPPAIR_API const char *dppair_isa_name(void) {
  switch (dppair_tier()) {
  case DPPAIR_TIER_AVX512:
    return "avx512";
  case DPPAIR_TIER_AVX2:
    return "avx2+fma";
  case DPPAIR_TIER_SIMD128:
    return "simd128";
  default:
    return "scalar";
  }
}
/* ---- src/core/dispatch.h --------------------------------------------------------------------
 * Dispatch: calls on the tier of this machine
 *
 * f exists once per tier, as f_scalar, f_simd128, f_avx2 and f_avx512. The tiers that this build
 * has are cases of a switch; its narrowest one is the default.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_HAVE_AVX512 && DPPAIR_MIN_TIER < 3
#define DPPAIR_CASE_AVX512_(call) case DPPAIR_TIER_AVX512: call; break;
#else
#define DPPAIR_CASE_AVX512_(call)
#endif
#if DPPAIR_HAVE_AVX2 && DPPAIR_MIN_TIER < 2
#define DPPAIR_CASE_AVX2_(call) case DPPAIR_TIER_AVX2: call; break;
#else
#define DPPAIR_CASE_AVX2_(call)
#endif
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#define DPPAIR_CASE_SIMD128_(call) case DPPAIR_TIER_SIMD128: call; break;
#else
#define DPPAIR_CASE_SIMD128_(call)
#endif

/* The names of the narrowest tier that dppair_tier answers, and of the narrowest one that makes
 * noise: code of a narrower tier is not compiled. */
#if DPPAIR_MIN_TIER == 3
#define DPPAIR_NARROWEST_NAME_ _avx512
#define DPPAIR_NARROWEST_NOISE_ avx512_
#elif DPPAIR_MIN_TIER == 2
#define DPPAIR_NARROWEST_NAME_ _avx2
#define DPPAIR_NARROWEST_NOISE_ avx2_
#elif DPPAIR_HAVE_SIMD128
#define DPPAIR_NARROWEST_NAME_ _simd128
#define DPPAIR_NARROWEST_NOISE_ scalar_
#else
#define DPPAIR_NARROWEST_NAME_ _scalar
#define DPPAIR_NARROWEST_NOISE_ scalar_
#endif

/* Calls f_TIER args on the tier of this machine. args includes its parentheses; f may begin with an
 * assignment, "status = f". */
#define DPPAIR_DISPATCH_(f, args)                                                                  \
  switch (dppair_tier()) {                                                                         \
    DPPAIR_CASE_AVX512_(DPPAIR_CAT(f, _avx512) args)                                               \
    DPPAIR_CASE_AVX2_(DPPAIR_CAT(f, _avx2) args)                                                   \
  default:                                                                                         \
    DPPAIR_CAT(f, DPPAIR_NARROWEST_NAME_) args;                                                    \
  }

/* The same for a tier that the caller chooses and for private functions, whose names end in _: f is
 * dppair_chunk_ for dppair_chunk_avx2_ and the others. */
#define DPPAIR_DISPATCH_AT_(tier, f, args)                                                         \
  switch (tier) {                                                                                  \
    DPPAIR_CASE_AVX512_(DPPAIR_CAT(f, avx512_) args)                                               \
    DPPAIR_CASE_AVX2_(DPPAIR_CAT(f, avx2_) args)                                                   \
    DPPAIR_CASE_SIMD128_(DPPAIR_CAT(f, simd128_) args)                                             \
  default:                                                                                         \
    DPPAIR_CAT(f, DPPAIR_NARROWEST_NOISE_) args;                                                   \
  }
/* ---- src/core/environment.h -----------------------------------------------------------------
 * Floating-point environment: the check of rounding
 * ---------------------------------------------------------------------------------------------- */

/* 1.5 2^52. Adding a double smaller than 2^51 in magnitude rounds it to an integer, which is then
 * in the low digits of the sum. This is true only if dppair_environment_check returns OK. */
#define DPPAIR_MAGIC_F64_ 6755399441055744.0
#define DPPAIR_MAGIC_F32_ 12582912.0f /* 1.5 2^23, for floats smaller than 2^22 */

#if DPPAIR_X86_
#ifdef DPPAIR_FREESTANDING /* intrinsics of compilers bring a malloc, out of stdlib.h */
#pragma push_macro("_MM_MALLOC_H_INCLUDED")
#pragma push_macro("__MM_MALLOC_H")
#undef _MM_MALLOC_H_INCLUDED
#undef __MM_MALLOC_H
#define _MM_MALLOC_H_INCLUDED
#define __MM_MALLOC_H
#include <emmintrin.h>
#pragma pop_macro("__MM_MALLOC_H")
#pragma pop_macro("_MM_MALLOC_H_INCLUDED")
#else
#include <emmintrin.h>
#endif
#endif

DPPAIR_FP_BEGIN_

/* Are subnormal numbers read or written as zeros? On x86 the processor's control word says so: a
 * sum of subnormal numbers there takes longer than the whole check. Elsewhere a product tells. It
 * is a power of 2, so no flag but that of a subnormal operand is raised. */
DPPAIR_FN_ int dppair_flushes_to_zero_(void) {
#if DPPAIR_X86_
  return (_mm_getcsr() & 0x8040u) != 0; /* results, 0x8000, or operands, 0x40 */
#else
  volatile double least = 2.2250738585072014e-308; /* DBL_MIN */
  volatile float least_f = 1.17549435e-38f;
  volatile double below = least * 0.5;
  volatile float below_f = least_f * 0.5f;
  return !(below > 0.0) || !(below_f > 0.0f);
#endif
}

#if DPPAIR_HAVE_AVX2 && defined(__clang__) /* fused where the processor can, and only there */
DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
DPPAIR_OUT_OF_LINE_ int dppair_fuses_avx2_(volatile double *tenth, volatile double *square) {
  const double y = *tenth;
  return y * y - *square != 0.0;
}
DPPAIR_TARGET_END_
#endif

/* Has the compiler fused a product and a sum, made a product of a quotient, or dropped the sign of
 * zero? gcc's regions forbid it. clang's float_control does so on x86 and PowerPC only, and
 * -ffp-contract=fast overrides every pragma (its backend fuses); no macro tells of these flags. */
DPPAIR_FN_ int dppair_flags_are_loose_(void) {
#if defined(__GNUC__) && !defined(__clang__)
  return 0;
#else
  volatile double tenth = 0.1, five = 5.0, minus_zero = -0.0;
  const double x = tenth, n = five, z = minus_zero;
  volatile double square = x * x, quotient = n / 3.0, zero = z + 0.0;
  const double y = tenth, rest = y * y - square; /* read again: a product used twice is not fused */
#if DPPAIR_HAVE_AVX2 && defined(__clang__)
  if (dppair_tier() >= DPPAIR_TIER_AVX2 && dppair_fuses_avx2_(&tenth, &square)) return 1;
#endif
  return rest != 0.0 || quotient != 1.6666666666666667 || dppair_bits_f64_(zero) != 0;
#endif
}

/*
 * DPPAIR_OK if sums are rounded to nearest, ties to even, one by one and in their own type, and
 * subnormal numbers are not zeros; else DPPAIR_ERR_ENVIRONMENT. So is a DPPAIR_TIER_LIMIT below the
 * narrowest tier of the build, where that is AVX2 or AVX-512. Every function whose proof assumes
 * this calls it first: it takes 8 to 19 ns (measured with -O2).
 *
 * Flushing to zero is a mode of the thread. gcc sets it at the start of every program, and up to
 * version 12 in every process that loads a library, that was linked with -ffast-math or -Ofast.
 * Noise keeps its bits under it; other functions do not, and their bounds count subnormal
 * differences. So it is refused: compile with these flags if need be, link without them.
 *
 * For m = 1.5 2^52 (float: 1.5 2^23), m + 1/2 and m - 1/2 are midway between m and a neighbour of
 * m, and m is the even one. So (m + 1/2) - m and (m - 1/2) - m are both 0 if sums are rounded to
 * nearest even. The first is not 0 if sums are rounded up or ties away from zero, the second if
 * they are rounded down or towards zero, and both if the type is wider or the compiler has merged
 * the two sums. Compilers may apply a flag to vectors but not to plain code, and to intrinsics,
 * which they define outside of every region, but not to operators; so both are tested, vectors by
 * intrinsics where kernels use these.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_environment_check(void) {
  volatile double half = 0.5;
  volatile float half_f = 0.5f;
  const double h = half, m = DPPAIR_MAGIC_F64_;
  const float f = half_f, m_f = DPPAIR_MAGIC_F32_;
  volatile double up = h + m - m, down = m - h - m;
  volatile float up_f = f + m_f - m_f, down_f = m_f - f - m_f;
  double pair[2] = {0.0, 0.0};
#if DPPAIR_X86_
  const __m128d m_v = _mm_set1_pd(m);
  _mm_storeu_pd(pair, _mm_sub_pd(_mm_add_pd(_mm_set_pd(h, -h), m_v), m_v));
#elif defined(__GNUC__) || defined(__clang__)
  typedef double vector __attribute__((vector_size(16)));
  const vector h_v = {-h, h}, m_v = {m, m}, back = (h_v + m_v) - m_v;
  memcpy(pair, &back, sizeof pair);
#endif
  if (DPPAIR_MIN_TIER > 1 && DPPAIR_TIER_LIMIT < DPPAIR_MIN_TIER) return DPPAIR_ERR_ENVIRONMENT;
  if (up != 0.0 || down != 0.0 || up_f != 0.0f || down_f != 0.0f || pair[0] != 0.0 ||
      pair[1] != 0.0 || dppair_flushes_to_zero_() || dppair_flags_are_loose_())
    return DPPAIR_ERR_ENVIRONMENT;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/sampling.h --------------------------------------------------------------------
 * Sampling: who the neighbours are, and how records are drawn
 *
 * One value says which data sets are neighbours, which records a step reads, and what the sum over
 * their pairs is divided by. The draw, the gradient, its sensitivity and the account read the same
 * value. Relies on status.h and checks.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Which data sets are neighbours: the unit that is protected, and its move. The number of units is
 * public.
 * REPLACE_ONE: one record is replaced by another. ZERO_OUT: one record is replaced by a null
 * record (`nulls` of a block of rows, rows/block.h), whose pairs contribute nothing. It keeps its
 * place: it may be drawn, it is one of the rows that a release of the draw takes, and n counts it.
 * But what divides a sum over drawn pairs counts the others only (dppair_normaliser).
 * PERSON, QUERY: the same with everything that one user owns, or with a whole query, in the place
 * of one record: a law that holds for records holds for them once the noise multiplier divides
 * their move, and n and m count them. The two low bits are the move, the others the unit. */
typedef enum dppair_adjacency {
  DPPAIR_REPLACE_ONE = 1,
  DPPAIR_ZERO_OUT = 2,
  DPPAIR_REPLACE_USER = 17,
  DPPAIR_ZERO_USER = 18,
  DPPAIR_REPLACE_QUERY = 33,
  DPPAIR_ZERO_QUERY = 34
} dppair_adjacency;

/* The units that a relation protects. */
enum { DPPAIR_OF_RECORDS_ = 0, DPPAIR_OF_USERS_ = 16, DPPAIR_OF_QUERIES_ = 32 };

/* The move alone, REPLACE_ONE or ZERO_OUT, which is what laws read; the unit alone. */
DPPAIR_FN_ dppair_adjacency dppair_adjacency_move_(dppair_adjacency adjacency) {
  return (dppair_adjacency)((int)adjacency & 3);
}

DPPAIR_FN_ int dppair_adjacency_unit_(dppair_adjacency adjacency) { return (int)adjacency & ~3; }

/*
 * The one list of samplings; every execution of a step draws anew. The columns: kind and its name
 * in texts; the fields that are read; what a sum over the drawn pairs is divided by; the move of
 * one record that noise_multiplier divides.
 *
 *   ALL                  every record (or pair); n
 *   POISSON              each record (pair) independently with probability q
 *   WITHOUT_REPLACEMENT  m of n records, a uniform subset
 *   WITH_REPLACEMENT     m independent uniform draws from n records (or their pairs, or groups of
 *                        `group` different records)
 *   MATCHING             m of n records, put at random into m/group groups of `group` (2: pairs)
 *   ALLOCATION           `batches` steps are an epoch: each record is in `group` of its batches (1
 *                        of them, where every record is read once), all choices equally likely, by
 *                        itself; the sizes of batches are random. n, batches, group. Its draw
 *                        and its law are those of dppair_allocation.h
 *
 * The kinds of modules stand here too, since ledgers hold their numbers.
 */
#define DPPAIR_SAMPLING_TABLE(X)                                                                   \
  X(DPPAIR_ALL, "none", DPPAIR_READS_N_, DPPAIR_BY_PAIRS_, DPPAIR_MOVE_STATED_)                    \
  X(DPPAIR_POISSON, "poisson", DPPAIR_READS_RATE_, DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)            \
  X(DPPAIR_WITHOUT_REPLACEMENT, "without-replacement", DPPAIR_READS_RATE_ | DPPAIR_READS_OWNED_,   \
    DPPAIR_BY_PAIRS_, DPPAIR_MOVE_REPLACE_)                                                        \
  X(DPPAIR_WITH_REPLACEMENT, "with-replacement",                                                   \
    DPPAIR_READS_N_ | DPPAIR_READS_M_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_PAIRS_,                    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_MATCHING, "matching", DPPAIR_READS_RATE_ | DPPAIR_READS_GROUPS_, DPPAIR_BY_MATCHES_,    \
    DPPAIR_MOVE_REPLACE_)                                                                          \
  X(DPPAIR_ALLOCATION, "allocation", DPPAIR_READS_N_ | DPPAIR_READS_BATCHES_ | DPPAIR_OF_MODULE_,  \
    DPPAIR_BY_DRAWN_, DPPAIR_MOVE_ZERO_)

#define DPPAIR_X_(kind, name, reads, divisor, move) kind,
typedef enum dppair_sampling_kind { DPPAIR_SAMPLING_TABLE(DPPAIR_X_) } dppair_sampling_kind;
#undef DPPAIR_X_

#define DPPAIR_X_(kind, name, reads, divisor, move) +1
enum { DPPAIR_SAMPLING_COUNT_ = 0 DPPAIR_SAMPLING_TABLE(DPPAIR_X_) };
#undef DPPAIR_X_

/* What a row reads. RATE: n and m, at most n, whose rate is m/n; or q instead of both. */
enum {
  DPPAIR_READS_N_ = 1,
  DPPAIR_READS_M_ = 2,
  DPPAIR_READS_RATE_ = 4,
  DPPAIR_READS_GROUPS_ = 8,   /* group >= 2 or 0; where the rate is read m is a multiple of it */
  DPPAIR_READS_BATCHES_ = 16, /* batches, and group of them */
  DPPAIR_READS_OWNED_ = 32,   /* where users are protected and records are drawn */
  DPPAIR_OF_MODULE_ = 64      /* a module has its draw and its law */
};

/* The divisor. PAIRS: k (k-1), of n records, or of the m drawn ones. DRAWN: m (count - 1), count
 * being the records that were drawn and are not null, m those that are expected. MATCHES:
 * m/group. */
enum { DPPAIR_BY_PAIRS_ = 1, DPPAIR_BY_DRAWN_ = 2, DPPAIR_BY_MATCHES_ = 3 };

/* The move. STATED: that of the adjacency. ZERO, REPLACE: that one under either adjacency. */
enum { DPPAIR_MOVE_STATED_ = 0, DPPAIR_MOVE_REPLACE_ = 1, DPPAIR_MOVE_ZERO_ = 2 };

/*
 * A sampling; the functions below make one. m always counts records (for pairs drawn with
 * replacement it counts draws). The rate of Poisson records, of samples without replacement and of
 * matchings is the probability q that a given record is drawn. Give either q in (0, 1], or n and
 * m >= 1, which mean q = m/n (q = 0: not given); if all three are given they must agree, and m/n is
 * used. Fields that a kind does not read must be 0, and those that it reads must not; only the
 * group of a matching may, which then is 2.
 */
typedef struct dppair_sampling {
  dppair_sampling_kind kind;
  dppair_adjacency adjacency;
  double q;
  size_t n, m;
  size_t batches; /* of an epoch, by allocation */
  size_t group;   /* matching: records of a group. Allocation: batches that hold a record */
  size_t owned;   /* where users are protected and records are drawn: a public bound of the
                     records that one user owns. 0: what is drawn is what is protected */
} dppair_sampling;

/* A row of the table. */
typedef struct dppair_sampling_row_ {
  const char *name;
  int reads, divisor, move;
} dppair_sampling_row_;

/* The row of a kind; NULL for what is no kind. */
DPPAIR_FN_ const dppair_sampling_row_ *dppair_sampling_row_of_(dppair_sampling_kind kind) {
  static const dppair_sampling_row_ row[] = {
#define DPPAIR_X_(kind, name, reads, divisor, move) {name, reads, divisor, move},
      DPPAIR_SAMPLING_TABLE(DPPAIR_X_)
#undef DPPAIR_X_
  };
  return (int)kind >= 0 && (int)kind < DPPAIR_SAMPLING_COUNT_ ? &row[kind] : NULL;
}

/* 1 where the number of records that a step draws is random, hence private. */
DPPAIR_FN_ int dppair_sampling_is_random_(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL && row->divisor == DPPAIR_BY_DRAWN_;
}

/* 1 where the draw and its law are a module's. */
DPPAIR_FN_ int dppair_sampling_is_of_module_(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL && (row->reads & DPPAIR_OF_MODULE_) != 0;
}

/* 1 where a step is one of the batches of an epoch, which are drawn together. */
DPPAIR_FN_ int dppair_sampling_has_epochs_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  return row != NULL && (row->reads & DPPAIR_READS_BATCHES_) != 0 && s->batches > 0 && s->group > 0;
}

/* The names that texts use; "none" for every record, for no adjacency, and for what is no such
 * kind. Static strings. */
DPPAIR_API const char *dppair_sampling_name(dppair_sampling_kind kind) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(kind);
  return row != NULL ? row->name : "none";
}

/* The same of neighbours: "replace-one", "zero-out", ...; "none" for what is no adjacency. */
DPPAIR_API const char *dppair_adjacency_name(dppair_adjacency adjacency) {
  switch ((int)adjacency) {
  case DPPAIR_REPLACE_ONE:
    return "replace-one";
  case DPPAIR_ZERO_OUT:
    return "zero-out";
  case DPPAIR_REPLACE_USER:
    return "replace-person";
  case DPPAIR_ZERO_USER:
    return "zero-person";
  case DPPAIR_REPLACE_QUERY:
    return "replace-query";
  case DPPAIR_ZERO_QUERY:
    return "zero-query";
  default:
    return "none";
  }
}

/* The greatest number of a relation. */
enum { DPPAIR_ADJACENCY_MOST_ = DPPAIR_ZERO_QUERY };

/* OK for one of the relations. */
DPPAIR_FN_ dppair_status dppair_adjacency_check_(dppair_adjacency adjacency) {
  const int move = (int)dppair_adjacency_move_(adjacency), unit = dppair_adjacency_unit_(adjacency);
  return (move == DPPAIR_REPLACE_ONE || move == DPPAIR_ZERO_OUT) &&
                 (unit == DPPAIR_OF_RECORDS_ || unit == DPPAIR_OF_USERS_ ||
                  unit == DPPAIR_OF_QUERIES_)
             ? DPPAIR_OK
             : DPPAIR_ERR_ADJACENCY;
}

/* OK for a relation that protects records. */
DPPAIR_FN_ dppair_status dppair_adjacency_records_(dppair_adjacency adjacency) {
  return adjacency == DPPAIR_REPLACE_ONE || adjacency == DPPAIR_ZERO_OUT ? DPPAIR_OK
                                                                         : DPPAIR_ERR_ADJACENCY;
}

/* The records of one group of a matching. */
DPPAIR_FN_ size_t dppair_sampling_group_(const dppair_sampling *s) {
  return s->group > 0 ? s->group : 2;
}

/* The records that a step is expected to read: all, m, or the share n group/batches, rounded, of an
 * allocation. Divisors and sensitivities both read this number. */
DPPAIR_FN_ double dppair_sampling_expected_(const dppair_sampling *s) {
  if (s->batches > 0) return (double)s->n * (double)s->group / (double)s->batches;
  return (double)(s->m > 0 ? s->m : s->n);
}

/* The rate of a row that reads it: q, or m/n; m is a multiple of `group`. A rate that was lost, to
 * an integer division or to a field that is not read, must not make a step free. */
DPPAIR_FN_ dppair_status dppair_sampling_rate_check_(const dppair_sampling *s, size_t group) {
  if (s->q < 0.0 || s->q > 1.0) return DPPAIR_ERR_DOMAIN;
  if (s->n == 0 && s->m == 0) return s->q > 0.0 ? DPPAIR_OK : DPPAIR_ERR_RATE;
  if (s->m == 0) return s->q > 0.0 ? DPPAIR_ERR_UNREAD : DPPAIR_ERR_RATE;
  if (s->n < 2 || s->m > s->n) return DPPAIR_ERR_SIZE;
  if (s->m % group != 0) return DPPAIR_ERR_RATE;
  /* a q that was computed from these sizes is within 4 ulp; any other q is another rate */
  return s->q <= 0.0 || dppair_fabs_(s->q * (double)s->n - (double)s->m) <= 1e-15 * (double)s->m
             ? DPPAIR_OK
             : DPPAIR_ERR_RATE;
}

/* The fields of samplings that few read: groups, batches, and the records of one user. */
DPPAIR_FN_ dppair_status dppair_sampling_rare_(const dppair_sampling *s, int reads) {
  const int groups = reads & DPPAIR_READS_GROUPS_, batches = reads & DPPAIR_READS_BATCHES_;
  if ((s->group > 0 && !groups && !batches) || (s->batches > 0 && !batches))
    return DPPAIR_ERR_UNREAD;
  if (groups && s->group == 1) return DPPAIR_ERR_RATE;
  if (batches && (s->group < 1 || s->group > s->batches)) return DPPAIR_ERR_RATE;
  if (s->owned == 0) return DPPAIR_OK;
  if (!(reads & DPPAIR_READS_OWNED_) || dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_USERS_)
    return DPPAIR_ERR_UNREAD;
  if (s->n == 0) return DPPAIR_ERR_RATE; /* a rate alone does not say how many are hit */
  return s->owned <= s->n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* Is every field that the sampling's row reads given, and no other? */
DPPAIR_FN_ dppair_status dppair_sampling_fields_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  dppair_status status = DPPAIR_OK;
  if (!dppair_isfinite_f64(s->q)) return DPPAIR_ERR_NOT_FINITE;
  if (row == NULL) return DPPAIR_ERR_NO_PROOF;
  if (row->reads & DPPAIR_READS_RATE_) {
    const int groups = row->reads & DPPAIR_READS_GROUPS_;
    status = dppair_sampling_rate_check_(s, groups ? dppair_sampling_group_(s) : 1);
  } else if (s->n < 2) {
    status = DPPAIR_ERR_SIZE;
  } else if (s->q < 0.0 || s->q > 0.0) {
    status = DPPAIR_ERR_UNREAD;
  } else if (row->reads & DPPAIR_READS_M_) {
    if (s->m == 0) status = DPPAIR_ERR_RATE;
  } else if (s->m != 0) {
    status = DPPAIR_ERR_UNREAD;
  }
  return status == DPPAIR_OK ? dppair_sampling_rare_(s, row->reads) : status;
}

/* Is this a whole sampling: a relation, and the fields of its row? Errors: ADJACENCY; NO_PROOF, no
 * such kind; NOT_FINITE, DOMAIN, a q; SIZE, n or m; RATE, none or no valid one; UNREAD, a field
 * too many. */
DPPAIR_FN_ dppair_status dppair_sampling_check_(const dppair_sampling *s) {
  const dppair_status status = dppair_adjacency_check_(s->adjacency);
  return status == DPPAIR_OK ? dppair_sampling_fields_(s) : status;
}

/*
 * Where records are drawn and users protected, the account counts j drawn records of a user
 * T(m, j)/(m-1) times as far as one, T(m, j) = q (m-q) + floor(j^2/4), q = min(j, floor(m/2)). That
 * is enough for two classes. If all totals count, j (2m-j-1)/2 of them touch the j records, m - 1
 * the one: so many times more than T(m, j)/(m-1), at most. 1 for j <= 2; at most 1 + j/(4m - 3j),
 * which rises with j, for j <= m/2; at most sqrt(5) - 1, the largest 2 (2x - x^2)/(1 + x^2), x =
 * j/m, beyond. j is at most `owned`, and m.
 */
DPPAIR_FN_ double dppair_sampling_far_(const dppair_sampling *s) {
  const size_t j = s->owned < s->m ? s->owned : s->m;
  if (j <= 2) return 1.0;
  return j <= s->m / 2 ? 1.0 + (double)j / (4.0 * (double)s->m - 3.0 * (double)j)
                       : 1.2360679774997898;
}

/* By what the move of one record is multiplied where j drawn records of a user move a statistic
 * j times as far, such as a sum of vectors of their own: more than T(m, j)/(m-1) times. At most
 * j (m-1)/T(m, j) for all j <= owned, rounded up: 1 for owned <= 1; (m-1)/(m - 3j/4 - 1/(4j)),
 * which rises with j, for j <= m/2, where T(m, j) >= j (m-j) + (j^2-1)/4; below 2 beyond, where
 * T(m, j) >= (m^2 + j^2 - 2)/4. */
DPPAIR_FN_ double dppair_sampling_each_(const dppair_sampling *s) {
  const size_t owned = s->owned < s->m ? s->owned : s->m;
  const double m = (double)s->m, j = (double)owned;
  if (owned <= 1) return 1.0;
  if (owned > s->m / 2) return 2.0;
  return (m - 1.0) / (m - 0.75 * j - 0.25 / j) * (1.0 + 8.0 * DBL_EPSILON);
}

/* Is there a proof for records that are drawn while users are protected? owned > 0. */
DPPAIR_FN_ dppair_status dppair_sampling_owned_(const dppair_sampling *s) {
  if (s->kind != DPPAIR_WITHOUT_REPLACEMENT) return DPPAIR_ERR_NO_PROOF;
  if (dppair_adjacency_move_(s->adjacency) != DPPAIR_REPLACE_ONE) return DPPAIR_ERR_ADJACENCY;
  if (s->m < 2) return DPPAIR_ERR_SIZE; /* no pair */
  return s->owned <= s->n && s->n - s->owned >= s->m ? DPPAIR_OK : DPPAIR_ERR_NO_PROOF;
}

/* The move that the noise multiplier of a step with this sampling divides, REPLACE_ONE or ZERO_OUT:
 * that of the sampling's row. */
DPPAIR_FN_ dppair_adjacency dppair_sampling_move_(const dppair_sampling *s) {
  const dppair_sampling_row_ *row = dppair_sampling_row_of_(s->kind);
  if (row == NULL || row->move == DPPAIR_MOVE_STATED_) return dppair_adjacency_move_(s->adjacency);
  return row->move == DPPAIR_MOVE_ZERO_ ? DPPAIR_ZERO_OUT : DPPAIR_REPLACE_ONE;
}

DPPAIR_FN_ dppair_sampling dppair_sampling_make_(dppair_sampling_kind kind, size_t n, size_t m,
                                                 dppair_adjacency adjacency) {
  dppair_sampling s;
  memset(&s, 0, sizeof s);
  s.kind = kind;
  s.adjacency = adjacency;
  s.n = n;
  s.m = m;
  return s;
}

/* The samplings of n records (or of the users, the queries that the relation protects). What is
 * wrong with an argument is said by the function that reads the sampling. */

/* Every record. */
DPPAIR_API dppair_sampling dppair_sampling_all(size_t n, dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_ALL, n, 0, adjacency);
}

/* Each record independently with probability m/n: m are expected. */
DPPAIR_API dppair_sampling dppair_sampling_poisson(size_t n, size_t m, dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_POISSON, n, m, adjacency);
}

/* A uniform subset of m records. */
DPPAIR_API dppair_sampling dppair_sampling_without_replacement(size_t n, size_t m,
                                                               dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_WITHOUT_REPLACEMENT, n, m, adjacency);
}

/* m independent uniform records. */
DPPAIR_API dppair_sampling dppair_sampling_with_replacement(size_t n, size_t m,
                                                            dppair_adjacency adjacency) {
  return dppair_sampling_make_(DPPAIR_WITH_REPLACEMENT, n, m, adjacency);
}

/* A uniform subset of m records, put at random into groups of `group` >= 2, of which m is a
 * multiple. (0, which in the field means 2, becomes 1, which is refused.) */
DPPAIR_API dppair_sampling dppair_sampling_groups(size_t n, size_t m, size_t group,
                                                  dppair_adjacency adjacency) {
  dppair_sampling s = dppair_sampling_make_(DPPAIR_MATCHING, n, m, adjacency);
  s.group = group > 0 ? group : 1;
  return s;
}

/* A uniform subset of m records, m even, paired at random: groups of 2. */
DPPAIR_API dppair_sampling dppair_sampling_matching(size_t n, size_t m,
                                                    dppair_adjacency adjacency) {
  return dppair_sampling_groups(n, m, 2, adjacency);
}

/*
 * *divisor = what the sum over the drawn pairs is divided by, so that it becomes the mean that the
 * sensitivities are about:
 *
 *   ALL                        n (n-1)
 *   POISSON                    m (count-1), `count` being the records that were drawn, without null
 *                              ones; 1 when that is 0 or 1, where the sum is 0
 *   WITHOUT, WITH_REPLACEMENT  m (m-1); 1 when m = 1
 *   MATCHING                   m/group: m/2 pairs
 *   ALLOCATION                 (n group/batches) (count-1), likewise
 *
 * A sum over pairs that were themselves drawn with replacement is divided by their number instead.
 * `count` is read for Poisson samples and allocations only, and *divisor then is private, as count
 * is. Errors: NULL; ADJACENCY; NO_PROOF, NOT_FINITE, DOMAIN, RATE, UNREAD, a sampling whose fields
 * are not those of its kind; SIZE: n or m is out of range or not given, or count > n.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_normaliser(double *divisor,
                                                             const dppair_sampling *sampling,
                                                             size_t count) {
  const dppair_sampling *s = sampling;
  dppair_status status;
  int by;
  double k;
  if (divisor == NULL) return DPPAIR_ERR_NULL;
  *divisor = 0.0;
  if (s == NULL) return DPPAIR_ERR_NULL;
  status = dppair_sampling_check_(s);
  if (status != DPPAIR_OK) return status;
  by = dppair_sampling_row_of_(s->kind)->divisor;
  if (s->n == 0 || (by == DPPAIR_BY_DRAWN_ && count > s->n)) return DPPAIR_ERR_SIZE;
  k = dppair_sampling_expected_(s);
  if (by == DPPAIR_BY_MATCHES_)
    *divisor = k / (double)dppair_sampling_group_(s);
  else if (by == DPPAIR_BY_DRAWN_)
    *divisor = count > 1 ? k * ((double)count - 1.0) : 1.0;
  else
    *divisor = k > 1.0 ? k * (k - 1.0) : 1.0;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/batch.h -----------------------------------------------------------------------
 * A batch: the records of one draw
 *
 * dppair_release_draw fills one, dppair_gather makes rows of it and marks them with its serial, and
 * a release takes the rows of its own draw alone. Relies on checks.h.
 * ---------------------------------------------------------------------------------------------- */

/* The serial is public: a function of a plan's run, its place in the account and the step, so it is
 * the same on every rank and after a stop, and no two draws share one. 0: of no plan's draw. */
typedef struct dppair_batch {
  const size_t *index; /* `count` places, in the caller's memory. Private, as the records are */
  size_t count;        /* private where the size of a draw is random */
  uint64_t serial;
} dppair_batch;

/* A batch of records that you chose yourself: of no plan's draw. A release of a plan that draws
 * refuses rows that are gathered from it. */
DPPAIR_API dppair_batch dppair_batch_make(const size_t *index, size_t count) {
  dppair_batch batch;
  batch.index = index;
  batch.count = count;
  batch.serial = 0;
  return batch;
}
/* ---- src/core/sort.h ------------------------------------------------------------------------
 * Sorting doubles: ascending, in place, O(n log n) in the worst case
 *
 * NaN has no place in the order: arrays must not hold it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Sorts x[0..n) by heap sort. */
DPPAIR_FN_ void dppair_heap_sort_(double *x, size_t n) {
  size_t start = n / 2, end = n;
  while (end > 1) {
    size_t root, child;
    double v;
    if (start > 0) {
      v = x[--start];
    } else {
      v = x[--end];
      x[end] = x[0];
    }
    for (root = start; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && x[child] < x[child + 1]) child++;
      if (!(v < x[child])) break;
      x[root] = x[child];
    }
    x[root] = v;
  }
}

/* Sorts x[0..n) by insertion. */
DPPAIR_FN_ void dppair_insertion_sort_(double *x, size_t n) {
  size_t i, j;
  for (i = 1; i < n; i++) {
    const double v = x[i];
    for (j = i; j > 0 && v < x[j - 1]; j--) x[j] = x[j - 1];
    x[j] = v;
  }
}

/* Exchanges numbers of x[0..n), n >= 3, so that none of x[0..m) is above one of x[m..n), and
 * returns m, 0 < m < n. The pivot is the median of three and is among the numbers, so both scans
 * stop. */
DPPAIR_FN_ size_t dppair_partition_(double *x, size_t n) {
  const double a = x[0], b = x[n / 2], c = x[n - 1];
  const double pivot = a < b ? (b < c ? b : a < c ? c : a) : (a < c ? a : b < c ? c : b);
  size_t i, j;
  for (i = 0, j = n - 1;; i++, j--) {
    double t;
    while (x[i] < pivot) i++;
    while (pivot < x[j]) j--;
    if (i >= j) return j + 1;
    t = x[i];
    x[i] = x[j];
    x[j] = t;
  }
}

/* Sorts x[0..n) in ascending order: quicksort down to short runs, which are sorted by insertion,
 * and heap sort where pivots fail too often (introsort, Musser 1997). */
DPPAIR_API void dppair_sort_f64(double *x, size_t n) {
  const size_t few = 24; /* so many are sorted faster by insertion */
  struct {
    double *x;
    size_t n;
    int depth;
  } waiting[64];
  int count = 0, depth = 2;
  size_t i;
  for (i = n; i > 1; i /= 2) depth += 2;
  for (;;) {
    while (n > few) {
      size_t m;
      if (depth-- == 0) {
        dppair_heap_sort_(x, n);
        n = 0;
        break;
      }
      m = dppair_partition_(x, n);
      /* the larger part waits, so fewer than log2(n) ever do */
      waiting[count].depth = depth;
      if (m < n - m) {
        waiting[count].x = x + m;
        waiting[count++].n = n - m;
        n = m;
      } else {
        waiting[count].x = x;
        waiting[count++].n = m;
        x += m;
        n -= m;
      }
    }
    dppair_insertion_sort_(x, n);
    if (count == 0) return;
    count--;
    x = waiting[count].x;
    n = waiting[count].n;
    depth = waiting[count].depth;
  }
}

DPPAIR_FP_END_
/* ---- src/core/audit.h -----------------------------------------------------------------------
 * Audit: a hook that sees what a run adds noise to, draws, charges and releases
 *
 * For tests of a program's privacy, not for production: the hook sees private numbers. A program
 * that defines DPPAIR_AUDIT(event) before the first include, as an expression of type int, is told
 * each event; without it no code is compiled for them. A run that is recorded and then repeated on
 * neighbouring data, with the recorded outputs put in place, shows how far each release moved.
 * Relies on status.h.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_AUDIT

/* What a dppair_event tells of. */
typedef enum dppair_event_kind {
  DPPAIR_EVENT_ADD = 1,     /* noise is about to be added to `values` */
  DPPAIR_EVENT_ADDED = 2,   /* it was added, or `status` says why not */
  DPPAIR_EVENT_DRAWN = 3,   /* records, pairs or bytes were drawn; "key": bytes of the system are
                             * about to be */
  DPPAIR_EVENT_CHARGED = 4, /* an account was charged; copies, on which steps are tried, too */
  DPPAIR_EVENT_RELEASE = 5, /* a release knows its sensitivity; it adds its noise next */
  DPPAIR_EVENT_TRIED = 6,   /* the last charge of this account was tried on a copy, and is void */
  DPPAIR_EVENT_FITTED = 7   /* a perturbed fit begins (`values` is NULL), or was released as them */
} dppair_event_kind;

/* What an event does not have is 0. */
typedef struct dppair_event {
  dppair_event_kind kind;
  const char *name;     /* the law of the noise, what is drawn, or the mechanism */
  void *values;         /* the vector, or the numbers drawn, */
  size_t n, width;      /* of n elements of `width` bytes: double or float, size_t, bytes */
  size_t *count;        /* DRAWN: how many records or pairs were drawn */
  double scale;         /* of the noise: sigma, the scale of Laplace and l2 noise, the variance of
                         * Skellam noise that no plan releases; of a draw by allocation: its step */
  double sensitivity;   /* RELEASE: how far `values` can move; CHARGED: what the caller said */
  const void *what;     /* DRAWN, RELEASE: a dppair_sampling; CHARGED: a dppair_ledger_entry;
                         * FITTED: a dppair_fit_ */
  const void *by;       /* the dppair_rng, dppair_accountant or dppair_release */
  dppair_status status; /* ADDED, DRAWN: what the function is about to return; TRIED: of the try */
} dppair_event;

/* Tells an event. Where the hook answers 1 to ADD or DRAWN it has written a recorded output to
 * `values` and `count`: no noise is then added to it, and the function returns OK. */
DPPAIR_FN_ int dppair_audited_(dppair_event_kind kind, const char *name, void *values, size_t n,
                               size_t width, size_t *count, double scale, double sensitivity,
                               const void *what, const void *by, dppair_status status) {
  dppair_event event;
  memset(&event, 0, sizeof event);
  event.kind = kind;
  event.name = name;
  event.values = values;
  event.n = n;
  event.width = width;
  event.count = count;
  event.scale = scale;
  event.sensitivity = sensitivity;
  event.what = what;
  event.by = by;
  event.status = status;
  return DPPAIR_AUDIT(&event);
}

#define DPPAIR_AUDITED_(event) dppair_audited_ event

#else

#define DPPAIR_AUDITED_(event) 0

#endif

#endif /* DPPAIR_CORE_H */

/* ================================================================================================
 * HOW THIS FILE IS COMPILED
 *
 *   first include     1 core   2 names, states   3 vectors: a body   4 functions that use them
 *   with noise and accountant, which include this file again at their ends if they come later
 *                     5 releases
 *   each instance     6 parameters, states   7 pair loops: a body   8 functions that call them
 *
 * A body is code for one tier and one element type. Where it is wanted, DPPAIR_BODY_ says which,
 * and simd/each_tier.h includes this file again for each tier and type: all but the body is
 * skipped.
 * ============================================================================================== */

/* Once per translation unit, as soon as noise and accountant are both there: releases. */

#if defined(DPPAIR_HAS_NOISE_) && defined(DPPAIR_HAS_ACCOUNTANT_) && !defined(DPPAIR_RELEASE_H)
#define DPPAIR_RELEASE_H

/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
/* ---- src/release/of_plans.h -----------------------------------------------------------------
 * Releases of vectors: the chapters
 *
 * Compiled once, as soon as noise and accountant are both there. Keys and plans come first.
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/release/keys.h ---------------------------------------------------------------------
 * Keys of a release: noise and draws as functions of (key, nonce, sequence, step)
 *
 *   plan key   K = F(F(F(key, nonce's first half), nonce's second half), sequence)
 *   noise      key number 1 of K, stream = step        draws      key number 2 of K, stream = step
 *
 * Half of a nonce from the system is random, the other half is the first 8 bytes of key number 3 of
 * (key, first half): it tells, when a plan is gone on with, whether the key is the plan's.
 *
 * F(k, s): the first 32 bytes of block 0 of ChaCha20 with key k and stream s, at a level that
 * nothing else reads. So two plans of one account, two accounts and two runs of one program never
 * share a number, though they were opened from one key; and the key may serve a generator besides.
 * Relies on the generator of noise/.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_NONCE_SIZE 16 /* bytes of `nonce` */

/* What a caller may choose. All NULL, or no struct at all: both come from the system.
 *   key   32 secret bytes, of this purpose alone. NULL: from the system
 *   nonce   16 bytes that tell this run of the program from every other one; they are public. NULL:
 *         from the system, as in every production: a program that is started again with the same
 *         key and nonce repeats its noise, over data or weights that may have changed since. Given,
 *         together with a key, for replays and simulations only; the caller answers for it. What
 *         dppair_release_nonce completed can be gone on with */
typedef struct dppair_release_keys {
  const uint8_t *key;
  const uint8_t *nonce;
} dppair_release_keys;

/* key = F(key, stream); number `index` of those keys. */
DPPAIR_FN_ void dppair_release_chain_(uint32_t key[8], uint64_t stream, uint64_t index) {
  dppair_rng rng;
  dppair_rng_set_key_(&rng, DPPAIR_CHACHA20, key, stream);
  dppair_rng_derive_(key, &rng, DPPAIR_LEVEL_RELEASE_, index);
  dppair_wipe(&rng, sizeof rng);
}

DPPAIR_FN_ void dppair_release_words_(uint32_t words[8], const uint8_t key[32]) {
  unsigned i;
  for (i = 0; i < 8; i++) words[i] = dppair_load32_(key + 4 * i);
}

DPPAIR_FN_ uint64_t dppair_load64_(const uint8_t *p) {
  return (uint64_t)dppair_load32_(p) | (uint64_t)dppair_load32_(p + 4) << 32;
}

DPPAIR_OUT_OF_LINE_ void dppair_release_key_work_(dppair_rng *noise, dppair_rng *draw,
                                                  uint32_t cipher, const uint8_t key[32],
                                                  const uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                  uint64_t sequence) {
  uint32_t plan[8], part[8];
  dppair_release_words_(plan, key);
  dppair_release_chain_(plan, dppair_load64_(nonce), 0);
  dppair_release_chain_(plan, dppair_load64_(nonce + 8), 0);
  dppair_release_chain_(plan, sequence, 0);
  memcpy(part, plan, sizeof part);
  dppair_release_chain_(part, 0, 1);
  dppair_rng_set_key_(noise, cipher, part, 0);
  dppair_release_chain_(plan, 0, 2);
  dppair_rng_set_key_(draw, cipher, plan, 0);
  noise->owner = draw->owner = dppair_process_(); /* a caller's key too: no child repeats noise */
}

/* Sets the half of a nonce that says which key it is of. */
DPPAIR_OUT_OF_LINE_ void dppair_release_sign_work_(uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                   const uint8_t key[32]) {
  uint32_t words[8];
  unsigned i;
  dppair_release_words_(words, key);
  dppair_release_chain_(words, dppair_load64_(nonce), 3);
  for (i = 0; i < 8; i++) nonce[8 + i] = (uint8_t)(words[i / 4] >> (8 * (i % 4)));
}

DPPAIR_FN_ void dppair_release_sign_(uint8_t nonce[DPPAIR_NONCE_SIZE], const uint8_t key[32]) {
  dppair_release_sign_work_(nonce, key);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/*
 * Completes a nonce of the caller's: nonce[8..16) becomes what tells that the key is its plan's, as in
 * a nonce of the system's. Then dppair_release_resume can go on with a plan that was opened with both
 * (dppair_release_keys). nonce[0..8) is the caller's and public; eight bytes of it tell nothing of
 * the key. Errors: NULL.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_nonce(uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                                const uint8_t key[32]) {
  if (nonce == NULL || key == NULL) return DPPAIR_ERR_NULL;
  dppair_release_sign_(nonce, key);
  return DPPAIR_OK;
}

/* The generators of a plan; both belong to this process. */
DPPAIR_FN_ void dppair_release_key_(dppair_rng *noise, dppair_rng *draw, uint32_t cipher,
                                    const uint8_t key[32], const uint8_t nonce[DPPAIR_NONCE_SIZE],
                                    uint64_t sequence) {
  dppair_release_key_work_(noise, draw, cipher, key, nonce, sequence);
  dppair_burn_stack_(DPPAIR_STACK_SMALL_);
}

/* A generator at the beginning of a step. */
DPPAIR_FN_ void dppair_release_turn_(dppair_rng *rng, size_t step) {
  rng->stream = (uint64_t)step;
  rng->block = 0;
  dppair_rng_drop_buffer_(rng);
}
/* ---- src/release/open.h ---------------------------------------------------------------------
 * Opening a plan: what it costs is paid at once
 *
 *   dppair_plan plan = {0};                                          what is not asked for is 0
 *   plan.sampling = dppair_sampling_all(n, DPPAIR_REPLACE_ONE);
 *   plan.epsilon = 1.0, plan.delta = 1e-5, plan.steps = 100;         the account ends within these
 *   s = dppair_rows_clip_f64(&rows, factor, x, n, d, d, 1.0);        from here on |x_i| <= 1
 *   rows.positives = np;                                             positives stand first
 *   if (!s) s = dppair_accountant_init(&account);
 *   if (!s) s = dppair_release_open(&release, &account, &plan, NULL);    pays; keys of the system
 *   for (t = 0; t < 100 && !s; t++) {
 *     s = rank_release(g, &release, &rows, w, &options);                g may be published
 *     for (k = 0; k < d; k++) w[k] -= 20.0 * g[k];                   after an error g is 0
 *   }
 *   dppair_release_close(&release);                                  wipes the keys
 *   if (!s) s = dppair_accountant_epsilon(&epsilon, &account, 1e-5, NULL); epsilon.upper is 1
 *
 * A program types no sensitivity, no divisor and no sigma. The plan's sampling says who the
 * neighbours are, how records are drawn, what the sum is divided by and which event is charged. The
 * sensitivity is that of the gradient as it is computed, at the loss, the bound of the rows, the
 * norm of w, the clip and the kernels in use. What was paid for is `steps` releases: a release that
 * fails after its public checks has used up its paid release, and nothing is charged twice or paid
 * back.
 *
 * Every release follows one order: checks of public arguments, whose errors cost nothing; the
 * paid release; only then records are read; noise; the result. On any error the result is zero.
 *
 * An open release points to its account. The two serve one thread at a time, and the account stays
 * where it is. A release is known by its address and its process: a copy, one that was moved and
 * one in a forked child are refused, because they would repeat noise. (What no check can see is a
 * saved copy put back to the same place. It repeats noise: never do that.)
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What a program may print about a plan that was opened: bits of release->warnings. */
typedef enum dppair_warning {
  DPPAIR_WARNS_DELTA = 1,  /* delta is at least 1/n, n the plan's records, users or queries: a delta
                            * of 1/n lets a program publish one of them as it is */
  DPPAIR_WARNS_EPSILON = 2 /* epsilon is above 20: who knows all other records may tell nearly
                            * always which one was used */
} dppair_warning;

/* An open plan; the caller's memory. The first four may be read, and warnings. */
typedef struct dppair_release {
  double sensitivity, sigma; /* of the last release: S, and the scale of its noise */
  double divisor;            /* of the last gradient; private where `drawn` is */
  size_t drawn;              /* records of the last draw. Private for Poisson samples and
                              * allocations, as are the indices */
  size_t step, steps;        /* paid releases used, and paid for */
  double part, left;         /* dppair_release_part's share; of the paid release in use, what is left */
  size_t drawn_for;          /* the step that `drawn` is for, counted from 1; 0: no draw yet */
  double noise_multiplier;   /* as in dppair_step */
  double ridge, output_mu;   /* as in dppair_plan */
  double failure;            /* paid for the tests of all steps */
  dppair_mechanism_kind mechanism; /* of a step as it is charged */
  dppair_sampling sampling;
  dppair_accountant *account;
  uint64_t sequence; /* of the charge in the account, */
  uint64_t check;    /* and the account's check after it */
  uint64_t nonce;    /* the first half of the nonce under which it was opened: public */
  const void *home;  /* the address at which it was opened */
  unsigned warnings; /* dppair_warning: none refuses anything */
  dppair_rng noise, draw;
} dppair_release;

/* *multiplier of a plan whose law has a pure epsilon, beside an account of such steps only: what
 * the account holds is taken from plan->epsilon, and the steps share the rest. */
DPPAIR_RARE_ dppair_status dppair_release_share_(double *multiplier, const dppair_plan *plan,
                                                 const dppair_accountant *account) {
  dppair_accountant charged;
  dppair_step step;
  double rest, grow = 2.0 * DBL_EPSILON, z;
  dppair_status status = dppair_accountant_rest_(&rest, account, plan->delta);
  const double left = plan->epsilon - account->pure, each = left / (double)plan->steps;
  int i;
  if (status != DPPAIR_OK) return status;
  if (!dppair_accountant_is_pure_(account)) return DPPAIR_ERR_NOT_CALIBRATED;
  if (!(left > DPPAIR_LEFT_LEAST_ * plan->epsilon)) return DPPAIR_ERR_EXHAUSTED;
  z = 1.0 / each;
  if (dppair_mechanism_is_objective_(plan->noise)) {
    const dppair_objective_budget_ b = {each, 0.0, 0.0, plan->ridge, 0.0, plan->sampling.adjacency};
    status = dppair_objective_find_(&z, &b);
    if (status != DPPAIR_OK) return status;
  }
  for (i = 0; i < 60; i++, grow *= 2.0) {
    dppair_plan priced = *plan;
    priced.noise_multiplier = z;
    charged = *account;
    status = dppair_plan_step_(&step, &priced);
    if (status == DPPAIR_OK) status = dppair_accountant_step(&charged, &step);
    (void)DPPAIR_AUDITED_(
        (DPPAIR_EVENT_TRIED, "trial", NULL, 0, 0, NULL, 0.0, 0.0, NULL, &charged, status));
    if (status != DPPAIR_OK) return status;
    if (charged.pure <= plan->epsilon) {
      *multiplier = z;
      return DPPAIR_OK;
    }
    z *= 1.0 + grow;
  }
  return DPPAIR_ERR_EXHAUSTED; /* what is left is less than a rounding error of what is spent */
}

/* Was a noise multiplier beside an epsilon found by dppair_calibrate, for the account as it stands?
 * NOT_ZEROED: no calibration leaves such a number. NOT_CALIBRATED: it is the caller's own. */
DPPAIR_FN_ dppair_status dppair_release_calibrated_(const dppair_plan *plan,
                                                    const dppair_accountant *account) {
  if (plan->check == dppair_plan_check_(plan, account)) return DPPAIR_OK;
  if (!(plan->noise_multiplier >= DPPAIR_NOISE_LEAST_ / 4.0 &&
        plan->noise_multiplier <= 4.0 * DPPAIR_NOISE_STRIDE_ * DPPAIR_NOISE_MOST_))
    return DPPAIR_ERR_NOT_ZEROED;
  return plan->check == 0 ? DPPAIR_ERR_NOT_CALIBRATED : DPPAIR_ERR_PLAN_CHANGED;
}

/* The noise multiplier of a plan: found in closed form, or checked. */
DPPAIR_FN_ dppair_status dppair_release_multiplier_(double *multiplier, const dppair_plan *plan,
                                                    const dppair_accountant *account) {
  const int pure = dppair_mechanism_is_pure_(plan->noise);
  dppair_status status;
  *multiplier = plan->noise_multiplier;
  if (!dppair_isfinite_f64(plan->epsilon) || !dppair_isfinite_f64(plan->delta) ||
      !dppair_isfinite_f64(plan->noise_multiplier))
    return DPPAIR_ERR_NOT_FINITE;
  if (plan->noise_multiplier < 0.0) return DPPAIR_ERR_SIGMA;
  if (plan->noise_multiplier > 0.0) {
    if (plan->epsilon > 0.0) /* found by dppair_calibrate, for the account as it stands */
      return dppair_release_calibrated_(plan, account);
    if (plan->epsilon < 0.0) return DPPAIR_ERR_EPSILON;
    return plan->delta == 0.0 ? DPPAIR_OK : DPPAIR_ERR_UNREAD; /* the account says what it costs */
  }
  if (!(plan->epsilon > 0.0)) return DPPAIR_ERR_EPSILON;
  if (pure) return dppair_release_share_(multiplier, plan, account);
  status = dppair_calibrate_closed_(multiplier, plan, account);
  return status == DPPAIR_ERR_NO_PROOF ? DPPAIR_ERR_NOT_CALIBRATED : status;
}

/* OK for a law whose noise a release adds; NOT_ZEROED for a number that is no law. */
DPPAIR_FN_ dppair_status dppair_release_law_(dppair_mechanism_kind law) {
  if (law != 0 && dppair_mechanism_row_of_(law) == NULL) return DPPAIR_ERR_NOT_ZEROED;
  return law == 0 || law == DPPAIR_GAUSSIAN || law == DPPAIR_LAPLACE || law == DPPAIR_L2BALL ||
                 law == DPPAIR_SKELLAM || dppair_mechanism_is_objective_(law)
             ? DPPAIR_OK
             : DPPAIR_ERR_LAW;
}

/* The step that a plan is charged as, its noise multiplier found. Nothing is changed, but for an
 * account that is about other neighbours, or states none: that is broken. */
DPPAIR_FN_ dppair_status dppair_release_price_(dppair_step *step, double *multiplier,
                                               dppair_accountant *account,
                                               const dppair_plan *plan) {
  const dppair_adjacency neighbours = plan->sampling.adjacency;
  dppair_plan priced = *plan;
  dppair_accountant held;
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, &plan->sampling, 0);
  if (status == DPPAIR_OK) status = dppair_release_law_(plan->noise);
  if (status == DPPAIR_OK) status = dppair_mechanism_known_(plan->noise);
  if (status == DPPAIR_OK) status = dppair_draw_known_(plan->sampling.kind);
  if (status != DPPAIR_OK) return status;
  if (plan->steps == 0) return DPPAIR_ERR_STEPS;
  if ((plan->ledger.step == NULL) != (plan->ledger.sink == NULL)) return DPPAIR_ERR_NULL;
  if (account->stated < 0 || (account->named != 0 && account->named != neighbours))
    return dppair_accountant_break_(account, DPPAIR_ERR_NEIGHBOURS);
  held = *account;
  status = dppair_plan_besides_(&held, plan);
  if (status == DPPAIR_OK) status = dppair_release_multiplier_(multiplier, plan, &held);
  priced.noise_multiplier = *multiplier;
  if (status == DPPAIR_OK) status = dppair_plan_step_(step, &priced);
  if (status == DPPAIR_OK) status = dppair_step_check_(step);
  return status;
}

/* Writes an entry of the plan to its ledger, if it has one, and charges it. */
DPPAIR_RARE_ dppair_status dppair_release_write_(dppair_accountant *account,
                                                 const dppair_ledger_entry *entry,
                                                 const dppair_plan *plan) {
  const dppair_ledger *to = &plan->ledger;
  return to->step != NULL ? to->step(account, entry, to->sink, to->context)
                          : dppair_accountant_charge_(account, entry);
}

/* Charges the plan's output noise, if it has any, and then its steps. */
DPPAIR_FN_ dppair_status dppair_release_pay_(dppair_accountant *account,
                                             const dppair_ledger_entry *entry,
                                             const dppair_plan *plan) {
  dppair_ledger_entry trace;
  dppair_status status;
  memset(&trace, 0, sizeof trace);
  memcpy(trace.nonce, entry->nonce, sizeof trace.nonce);
  status = dppair_plan_trace_(&trace.step, plan);
  if (status == DPPAIR_OK && trace.step.kind != DPPAIR_NO_MECHANISM_)
    status = dppair_release_write_(account, &trace, plan);
  return status == DPPAIR_OK ? dppair_release_write_(account, entry, plan) : status;
}

/* Fills an open release; see dppair_release_open. */
DPPAIR_FN_ void dppair_release_bind_(dppair_release *release, dppair_accountant *account,
                                     const dppair_plan *plan, double multiplier) {
  release->steps = plan->steps;
  release->noise_multiplier = multiplier;
  release->ridge = plan->ridge;
  release->output_mu = plan->output_mu;
  release->failure = plan->failure;
  release->mechanism = plan->noise == 0 ? DPPAIR_GAUSSIAN : plan->noise;
  release->sampling = plan->sampling;
  release->account = account;
  release->home = release;
  if (plan->delta * (double)plan->sampling.n >= 1.0) release->warnings |= DPPAIR_WARNS_DELTA;
  if (plan->epsilon > 20.0) release->warnings |= DPPAIR_WARNS_EPSILON;
}

/* *key and *nonce, from the caller or from the system, and the cipher: a caller's key gives the
 * same noise on every machine. */
DPPAIR_FN_ dppair_status dppair_release_source_(uint8_t key[32], uint8_t nonce[DPPAIR_NONCE_SIZE],
                                                uint32_t *cipher, const dppair_release_keys *keys) {
  const uint8_t *given = keys != NULL ? keys->key : NULL, *once = keys != NULL ? keys->nonce : NULL;
  dppair_status status = dppair_streams_tried_();
  *cipher = DPPAIR_CHACHA20;
  if (given == NULL && once != NULL) return DPPAIR_ERR_NULL;
  if (given != NULL) memcpy(key, given, 32);
  if (once != NULL) memcpy(nonce, once, DPPAIR_NONCE_SIZE);
  if (status == DPPAIR_OK && given == NULL) {
    status = dppair_entropy_(key, 32);
    if (dppair_aes_kind_(dppair_tier()) > 0) *cipher = DPPAIR_AES256;
  }
  if (status == DPPAIR_OK && once == NULL) {
    status = dppair_entropy_(nonce, DPPAIR_NONCE_SIZE / 2);
    dppair_release_sign_(nonce, key);
  }
  return status;
}

/* dppair_release_open, but for what it leaves of the key below its caller. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_release_open_work_(dppair_release *release,
                                                            dppair_accountant *account,
                                                            const dppair_plan *plan,
                                                            const dppair_release_keys *keys) {
  uint8_t key[32] = {0};
  dppair_ledger_entry entry;
  uint32_t cipher;
  double multiplier;
  dppair_status status;
  memset(&entry, 0, sizeof entry);
  entry.failure = plan->failure;
  status = dppair_accountant_usable_(account);
  if (status == DPPAIR_OK) status = dppair_release_price_(&entry.step, &multiplier, account, plan);
  if (status == DPPAIR_OK) status = dppair_release_source_(key, entry.nonce, &cipher, keys);
  if (status == DPPAIR_OK) status = dppair_accountant_neighbours(account, plan->sampling.adjacency);
  if (status == DPPAIR_OK) status = dppair_release_pay_(account, &entry, plan);
  if (status == DPPAIR_OK) {
    release->sequence = account->sequence;
    release->check = account->check;
    release->nonce = dppair_load64_(entry.nonce);
    dppair_release_key_(&release->noise, &release->draw, cipher, key, entry.nonce,
                        account->sequence);
    dppair_release_bind_(release, account, plan, multiplier);
  }
  dppair_wipe(key, sizeof key);
  return status;
}

/*
 * Opens a plan: finds its noise multiplier, writes its line to plan->ledger, charges all its steps
 * to the account, and makes the keys of noise and draws. plan->ledger = dppair_ledger_to(sink,
 * context).
 *
 * The noise multiplier. With plan->epsilon > 0 the account, charged with the plan, answers at most
 * plan->epsilon at plan->delta (dppair_accountant_epsilon; the Renyi orders alone may say more).
 * Where all is plain Gaussian (every record, an account of plain Gaussian steps) it comes from the
 * exact curve, to 12 digits; for one perturbed objective beside such steps from its closed form
 * (accountant/composition/objective.h), the ridge being given; for laws with a pure epsilon beside
 * an account of such steps, the steps share what is left of epsilon. Any other plan or account
 * needs dppair_calibrate, which writes plan->noise_multiplier for the account as it then stands.
 * With plan->epsilon and delta 0, a noise_multiplier of the caller's is charged as it is.
 *
 * Of a plan of allocation whole epochs are paid, ceil(steps/batches) of them (k of t: k times as
 * many of floor(t/k) batches), since the batches of an epoch belong together; bought are `steps`
 * releases.
 *
 * A perturbed objective (DPPAIR_OBJECTIVE, DPPAIR_PURE_OBJECTIVE) has plan->ridge and
 * plan->output_mu: the output noise is a line of plain noise before the plan's own. Such a plan is
 * for dppair_release_minimiser; every other release refuses it. One of DPPAIR_SKELLAM is for
 * dppair_release_share alone, and needs dppair_calibrate.
 *
 * With plan->failure > 0 that probability is charged too, on the plan's line, and what it leaves of
 * delta is what the noise is found for: failure < delta.
 *
 * The account states the plan's neighbours from here on (dppair_accountant_neighbours). keys: NULL
 * for keys of the system; see dppair_release_keys.
 *
 * Errors leave *release zero; every call refuses it with CLOSED. Nothing is charged after: NULL,
 * ENVIRONMENT, SELF_TEST, ENTROPY; NOT_CALIBRATED (no closed form); PLAN_CHANGED (a multiplier that
 * is not of this plan and account); NOT_ZEROED (a number that nothing sets); LAW (no release adds
 * this noise, or it has no proof with this draw); EXHAUSTED (the account leaves nothing);
 * NOT_FINITE, EPSILON, DELTA, SIGMA, STEPS, UNREAD, and dppair_normaliser's. NEIGHBOURS: the
 * account is about other neighbours, or holds steps that state none; it is broken by that. An error
 * of plan->ledger, whose line may or may not have been stored, and one of the charge leave the
 * account broken: it answers no question again, and nothing was released.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_open(dppair_release *release,
                                                               dppair_accountant *account,
                                                               const dppair_plan *plan,
                                                               const dppair_release_keys *keys) {
  dppair_status status;
  if (release == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(release, sizeof *release);
  if (account == NULL || plan == NULL) return DPPAIR_ERR_NULL;
  status = dppair_release_open_work_(release, account, plan, keys);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/* Wipes the keys. What was paid for and not used is lost. NULL is allowed. */
DPPAIR_API void dppair_release_close(dppair_release *release) {
  if (release != NULL) dppair_wipe(release, sizeof *release);
}

DPPAIR_FP_END_
/* ---- src/release/vector.h -------------------------------------------------------------------
 * Releases of vectors, and the draw of a step
 *
 * Public checks, then the paid release, then what depends on records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Does the account still hold the charge of this release? One that was emptied or put back does
 * not, nor does one that was charged otherwise since; 0 in `recent` stands where accounts were
 * merged. A charge that 64 others followed is believed to be there. */
DPPAIR_FN_ int dppair_release_is_charged_(const dppair_release *release) {
  const dppair_accountant *a = release->account;
  const uint64_t kept = a->recent[release->sequence % DPPAIR_RECENT_CHARGES];
  if (a->sequence < release->sequence) return 0;
  return kept == 0 || kept == release->check ||
         a->sequence - release->sequence >= DPPAIR_RECENT_CHARGES;
}

/* May this release be used here and now? */
DPPAIR_FN_ dppair_status dppair_release_usable_(const dppair_release *release) {
  dppair_status status;
  if (release == NULL) return DPPAIR_ERR_NULL;
  if (release->home != release) return DPPAIR_ERR_CLOSED;
  status = dppair_rng_check_(&release->noise);
  if (status == DPPAIR_OK) status = dppair_accountant_usable_(release->account);
  if (status != DPPAIR_OK) return status;
  if (!dppair_release_is_charged_(release)) return DPPAIR_ERR_CLOSED;
  status = dppair_mechanism_known_(release->mechanism); /* opened where its module is */
  if (status == DPPAIR_OK) status = dppair_draw_known_(release->sampling.kind);
  if (status != DPPAIR_OK) return status;
  return release->step < release->steps || release->left > 0.0 ? DPPAIR_OK : DPPAIR_ERR_EXHAUSTED;
}

/* A paid release that is in use has the draw of its step. */
DPPAIR_FN_ int dppair_release_is_drawn_(const dppair_release *release) {
  return release->drawn_for == release->step + (release->left > 0.0 ? 0 : 1);
}

/* May noise be added for this step: are its records drawn, where the plan draws? */
DPPAIR_FN_ dppair_status dppair_release_begun_(const dppair_release *release) {
  const dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK || release->sampling.kind == DPPAIR_ALL) return status;
  return dppair_release_is_drawn_(release) ? DPPAIR_OK : DPPAIR_ERR_NOT_DRAWN;
}

/* The same, and is the law's noise one of the output, in real numbers? */
DPPAIR_FN_ dppair_status dppair_release_ready_(const dppair_release *release) {
  const dppair_status status = dppair_release_begun_(release);
  if (status == DPPAIR_OK && (dppair_mechanism_is_objective_(release->mechanism) ||
                              dppair_mechanism_is_whole_(release->mechanism)))
    return DPPAIR_ERR_LAW;
  return status;
}

/* The noise multiplier of the next release: z, or more where it uses a part of a paid release. */
DPPAIR_FN_ double dppair_release_strength_(const dppair_release *release) {
  const double z = release->noise_multiplier, rest = release->left > 0.0 ? release->left : 1.0;
  const double share = release->part > 0.0 ? release->part : rest;
  if (share >= 1.0) return z;
  return dppair_up_(
      z / dppair_down_(release->mechanism == DPPAIR_GAUSSIAN ? dppair_sqrt_(share) : share));
}

/* The scale of the noise for a sensitivity, rounded up; more where it would be below the range of
 * the noise. */
DPPAIR_FN_ dppair_status dppair_release_scale_(double *scale, const dppair_release *release,
                                               double sensitivity) {
  *scale = 0.0;
  if (!dppair_isfinite_f64(sensitivity)) return DPPAIR_ERR_NOT_FINITE;
  if (!(sensitivity > 0.0)) return DPPAIR_ERR_SENSITIVITY;
  if (sensitivity < 1.0 / DPPAIR_SCALE_MAX_F64_) sensitivity = 1.0 / DPPAIR_SCALE_MAX_F64_;
  *scale = dppair_up_(dppair_release_strength_(release) * sensitivity);
  if (*scale < 1.0 / DPPAIR_SCALE_MAX_F64_) *scale = 1.0 / DPPAIR_SCALE_MAX_F64_;
  return *scale <= DPPAIR_SCALE_MAX_F64_ ? DPPAIR_OK : DPPAIR_ERR_SIGMA;
}

/* What a release will do, from public numbers and the draw. The sensitivity is in the norm of the
 * law. */
typedef struct dppair_release_terms_ {
  double sensitivity, scale, divisor;
  size_t bytes; /* of the caller's workspace that are in use; set by those who use any */
} dppair_release_terms_;

/* OVERLAP where what is released, g[0..size), shares memory with the workspace, which is wiped, or
 * with w, of which S and the sum are. */
DPPAIR_FN_ dppair_status dppair_release_apart_(const double *g, size_t size, const void *work,
                                               const dppair_release_terms_ *terms, const void *w,
                                               size_t w_bytes) {
  const dppair_status status = dppair_apart_(g, size, work, terms->bytes);
  return status == DPPAIR_OK ? dppair_apart_(g, size, w, w_bytes) : status;
}

/* The end of a release: zeroes its workspace, the stack below it and vector registers, where sums
 * before their noise were, and what they are made of. Noise has wiped what is below itself alone.
 */
DPPAIR_FORCE_INLINE_ dppair_status dppair_release_forget_(void *work,
                                                          const dppair_release_terms_ *terms,
                                                          dppair_status status) {
  dppair_wipe(work, terms->bytes);
  dppair_burn_stack_(DPPAIR_STACK_LARGE_);
  return status;
}

/*
 * The scale, where terms->sensitivity is how far `size` numbers move in the l2 norm. Laplace noise
 * is for the l1 norm: the sensitivity becomes sqrt(size) times as large, rounded up.
 *
 * Proof. Sum |v_k| <= sqrt(size) |v| by the inequality of Cauchy and Schwarz, with equality where
 * all |v_k| are equal. The root of a size below 2^53 is rounded once, and so is the product; each
 * is raised by a unit in the last place. Noise of density exp(-|z|/scale) for the l2 norm itself
 * needs less: dppair_l2ball.h.
 */
DPPAIR_FN_ dppair_status dppair_release_scale_of_(dppair_release_terms_ *terms,
                                                  const dppair_release *release, size_t size) {
  if (release->mechanism == DPPAIR_LAPLACE && terms->sensitivity > 0.0)
    terms->sensitivity =
        dppair_up_(terms->sensitivity * dppair_up_(dppair_sqrt_(dppair_up_((double)size))));
  return dppair_release_scale_(&terms->scale, release, terms->sensitivity);
}

/* The same and the divisor, for a sensitivity of the divided sum. */
DPPAIR_FN_ dppair_status dppair_release_terms_of_(dppair_release_terms_ *terms,
                                                  const dppair_release *release, size_t size) {
  dppair_status status = dppair_release_scale_of_(terms, release, size);
  if (status == DPPAIR_OK)
    status = dppair_normaliser(&terms->divisor, &release->sampling, release->drawn);
  return status;
}

/* Takes the paid release of a step, or what the next release uses of the one that is in use. The
 * generator moves to the step's own stream, of which the parts of a paid release take consecutive
 * blocks.
 */
DPPAIR_FN_ void dppair_release_permit_(dppair_release *release,
                                       const dppair_release_terms_ *terms) {
  release->sensitivity = terms->sensitivity;
  release->sigma = terms->scale;
  release->divisor = terms->divisor;
  if (!(release->left > 0.0)) {
    dppair_release_turn_(&release->noise, release->step);
    release->step++;
    release->left = 1.0;
  }
  release->left = release->part > 0.0 ? dppair_down_(release->left - release->part) : 0.0;
  release->part = 0.0;
}

/* Adds noise of this law and scale to v[0..n); a module's by its slot (mechanisms/slots.h). A
 * program that releases gradients alone compiles no kernels of Laplace noise. */
DPPAIR_FN_ dppair_status dppair_release_add_(double *v, size_t n, double scale, int log2_ratio,
                                             dppair_mechanism_kind law, dppair_rng *rng) {
  switch ((int)law) {
#define DPPAIR_NOISE_X_(kind, name)                                                                \
  case kind:                                                                                       \
    return dppair_##name##_noise_(v, n, scale, log2_ratio, rng);
    DPPAIR_NOISE_SLOT_(DPPAIR_NOISE_X_)
#undef DPPAIR_NOISE_X_
  case DPPAIR_LAPLACE:
    return dppair_add_laplace_plain_(v, n, scale, log2_ratio, rng);
  default:
    return dppair_add_gaussian_f64_grid(v, n, scale, log2_ratio, rng);
  }
}

/*
 * Holds v within the reach of the paid release's noise, and tells an audit. The noise reaches
 * numbers below 2^51 of its grid; a larger one would be an error that depends on records, so
 * coordinates stop at 2^50 of the grid's double, 2^(50 - log2_ratio) scales. That map shortens
 * every distance. A vector within n S / 2 of 0, as a mean gradient is, is nowhere near it.
 */
DPPAIR_FN_ void dppair_release_hold_(double *v, size_t size, const dppair_release *release,
                                     int log2_ratio) {
  const double reach = dppair_ldexp_(release->sigma, 50 - log2_ratio);
  size_t i;
  for (i = 0; i < size; i++) {
    v[i] = v[i] > reach ? reach : v[i];
    v[i] = v[i] < -reach ? -reach : v[i];
  }
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_RELEASE, dppair_mechanism_name(release->mechanism), v, size,
                         sizeof *v, NULL, release->sigma, release->sensitivity, &release->sampling,
                         release, DPPAIR_OK));
}

/* Adds the noise of the paid release that was taken: to a gradient, and to a vector or counts of
 * any length, by the kernels of the law. */
typedef dppair_status dppair_release_adder_(double *v, size_t size, dppair_release *release,
                                            int log2_ratio);
DPPAIR_FN_ dppair_status dppair_release_noise_of_(double *v, size_t size, dppair_release *release,
                                                  int log2_ratio) {
  dppair_release_hold_(v, size, release, log2_ratio);
  return dppair_release_add_(v, size, release->sigma, log2_ratio, release->mechanism,
                             &release->noise);
}
DPPAIR_FN_ dppair_status dppair_release_noise_(double *v, size_t size, dppair_release *release,
                                               int log2_ratio) {
  if (release->mechanism != DPPAIR_LAPLACE)
    return dppair_release_noise_of_(v, size, release, log2_ratio);
  dppair_release_hold_(v, size, release, log2_ratio);
  return dppair_add_laplace_f64_grid(v, size, release->sigma, log2_ratio, &release->noise);
}

/* The release of a vector in the norm of its law: l1 for Laplace, whose noise is then `add`. */
DPPAIR_FN_ dppair_status dppair_release_any_(double *v, size_t size, dppair_release *release,
                                             double sensitivity, int log2_ratio, int l1,
                                             dppair_release_adder_ *add) {
  dppair_status status = dppair_array_(v, size);
  dppair_release_terms_ terms;
  if (status != DPPAIR_OK) return status;
  status = dppair_release_ready_(release);
  if (status == DPPAIR_OK) sensitivity *= dppair_sampling_each_(&release->sampling);
  if (status == DPPAIR_OK && size == 0) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK && (release->mechanism == DPPAIR_LAPLACE) != l1) status = DPPAIR_ERR_LAW;
  if (status == DPPAIR_OK && (log2_ratio < 0 || log2_ratio > 40)) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) status = dppair_release_scale_(&terms.scale, release, sensitivity);
  if (status == DPPAIR_OK) {
    terms.sensitivity = sensitivity;
    terms.divisor = 1.0;
    dppair_release_permit_(release, &terms);
    status = add(v, size, release, log2_ratio);
  }
  if (status != DPPAIR_OK && size > 0) memset(v, 0, size * sizeof *v);
  return status;
}

/*
 * Releases v[0..size): adds the noise of this step, for a statistic of which the caller has proved
 * the l2 sensitivity > 0 (in a plan that draws: the move that the plan's sampling names, of the
 * statistic of the drawn records). Where the size of the batch is random, that is the move when a
 * record joins, whatever the batch holds: a sum over all its pairs has none unless it is divided by
 * dppair_normaliser, and a matching of the batch divided by a constant b moves by 2C/b, two pairs,
 * not C/b. Where records are drawn and users protected (`owned`) it is the move of one drawn
 * record; j of a user's may move it j times as far, and the noise is for that, up to twice as
 * much as for the pairs of NAME_release. v may be published. The twin _grid takes the fineness of
 * the grid, as dppair_add_gaussian_f64_grid does.
 *
 * A coordinate beyond 2^40 noise scales (_grid: 2^(50 - log2_ratio)) counts as that number, which
 * lengthens no distance; there is no error for it, because it would depend on records.
 *
 * Errors zero v. They use no paid release: NULL, SIZE (0); CLOSED (the release was never opened, or
 * was closed, copied or moved; its account does not hold its charge); FORK; a broken account's;
 * EXHAUSTED (no paid release is left); NOT_DRAWN (a plan that draws, and no draw for this step);
 * LAW (its sensitivity is in another norm, or it is of other releases); SENSITIVITY, SIGMA (z S
 * beyond 2^900), NOT_FINITE (the sensitivity), DOMAIN (log2_ratio), ENVIRONMENT; OVERFLOW (no
 * memory is that large) leaves v untouched. NOT_FINITE for a number of v, which voids the proof of
 * its sensitivity, uses the paid release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_vector_grid(double *v, size_t size,
                                                                      dppair_release *release,
                                                                      double sensitivity,
                                                                      int log2_ratio) {
  return dppair_release_any_(v, size, release, sensitivity, log2_ratio, 0,
                             dppair_release_noise_of_);
}

DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_vector(double *v, size_t size,
                                                                 dppair_release *release,
                                                                 double sensitivity) {
  return dppair_release_vector_grid(v, size, release, sensitivity, DPPAIR_GRID_DEFAULT);
}

/* The same for counts and other statistics with an l1 sensitivity, under the law DPPAIR_LAPLACE. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_histogram(double *v, size_t size,
                                                                    dppair_release *release,
                                                                    double l1_sensitivity) {
  return dppair_release_any_(v, size, release, l1_sensitivity, DPPAIR_GRID_DEFAULT, 1,
                             dppair_release_noise_);
}

/* The serial of the draw in use, which its batch has: of the run, the plan's place in the account
 * and the step, which are public. Never 0. */
DPPAIR_FN_ uint64_t dppair_release_serial_(const dppair_release *release) {
  const uint64_t of = dppair_check_word_(release->nonce, 1, release->sequence);
  return dppair_check_word_(of, 2, (uint64_t)release->drawn_for) | 1;
}

/* May a gradient of rows with this bound be released: is it known how far it moves? */
DPPAIR_FN_ dppair_status dppair_release_bound_(const dppair_release *release, double radius) {
  const dppair_status status = dppair_release_ready_(release);
  if (status != DPPAIR_OK) return status;
  return radius > 0.0 ? DPPAIR_OK : DPPAIR_ERR_NO_RADIUS;
}

/* The same for n rows of this serial, which must be those of the step: all, or the drawn ones.
 * *most: what public arguments must have room for. The serial is asked first: it is public, and n
 * is not. */
DPPAIR_FN_ dppair_status dppair_release_rows_(size_t *most, const dppair_release *release, size_t n,
                                              double radius, uint64_t serial) {
  const dppair_status status = dppair_release_bound_(release, radius);
  *most = n;
  if (status != DPPAIR_OK) return status;
  if (dppair_sampling_is_random_(release->sampling.kind)) *most = release->sampling.n;
  if (release->sampling.kind == DPPAIR_ALL) /* a draw of all of them is not needed */
    return n == release->sampling.n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
  if (serial != dppair_release_serial_(release)) return DPPAIR_ERR_BATCH;
  return n == release->drawn ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The least divisor that a draw can have. */
DPPAIR_FN_ double dppair_release_least_(const dppair_sampling *sampling) {
  double divisor = dppair_sampling_expected_(sampling);
  if (dppair_sampling_is_random_(sampling->kind)) return divisor < 1.0 ? divisor : 1.0;
  return dppair_normaliser(&divisor, sampling, 0) == DPPAIR_OK ? divisor : 0.0;
}

/* The norm of size numbers of double or float, rounded up; HUGE_VAL where one is not finite. */
DPPAIR_FN_ double dppair_release_norm_(const void *w, size_t size, int is_f32) {
  double top = 0.0, sum = 0.0, x;
  size_t k;
  if (is_f32 ? !dppair_all_finite_f32((const float *)w, size)
             : !dppair_all_finite_f64((const double *)w, size))
    return HUGE_VAL;
  for (k = 0; k < size; k++) {
    x = dppair_fabs_(is_f32 ? (double)((const float *)w)[k] : ((const double *)w)[k]);
    top = x > top ? x : top;
  }
  if (!(top > 0.0)) return 0.0;
  for (k = 0; k < size; k++) {
    x = (is_f32 ? (double)((const float *)w)[k] : ((const double *)w)[k]) / top;
    sum += x * x;
  }
  return top * dppair_sqrt_(sum) * (1.0 + ((double)size + 16.0) * DBL_EPSILON);
}

/* The end of a release: the sum over pairs, of size > 0, is divided and gets its noise, unless it
 * failed. */
DPPAIR_FN_ dppair_status dppair_release_sum_(double *g, size_t size, dppair_release *release,
                                             dppair_status status) {
  size_t k;
  for (k = 0; k < size; k++) g[k] /= release->divisor;
  if (status == DPPAIR_OK) status = dppair_release_noise_of_(g, size, release, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) memset(g, 0, size * sizeof *g);
  return status;
}

/*
 * Draws the records of the next release, as the plan says: *batch has the places below n, as
 * dppair_draw gives them (every record: 0 .. n-1), and the draw's serial. dppair_gather makes rows
 * of it. `index` is the memory for the places and must live as long as the batch is used; it has
 * room for `capacity` >= n, also where fewer are drawn on average: an error for lack of room would
 * show how many. The draw is a function of (key, nonce, sequence, step). One draw belongs to one
 * release, which divides by this draw's divisor. batch->index and, for Poisson samples and
 * allocations, batch->count are PRIVATE. Under allocation step s is batch s % batches of epoch
 * s / batches: the batches of an epoch share its allocation, also when the plan was resumed within
 * it.
 *
 * Errors zero *batch and index[0..capacity): NULL, SIZE (capacity), EXHAUSTED (no paid release is
 * left, or this step is drawn already), and those of dppair_release_vector about the release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_draw(dppair_batch *batch, size_t *index,
                                                               size_t capacity,
                                                               dppair_release *release) {
  size_t count = 0;
  dppair_status status = dppair_array_(index, capacity);
  if (batch != NULL) memset(batch, 0, sizeof *batch);
  if (status != DPPAIR_OK) return status;
  if (capacity > 0) memset(index, 0, capacity * sizeof *index);
  if (batch == NULL) return DPPAIR_ERR_NULL;
  status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (dppair_release_is_drawn_(release) || release->left > 0.0) return DPPAIR_ERR_EXHAUSTED;
  switch ((int)release->sampling.kind) {
#define DPPAIR_DRAW_X_(kind, name)                                                                 \
  case kind:                                                                                       \
    dppair_release_turn_(&release->draw, 0); /* the epoch is in the key, not in the stream */      \
    status = dppair_##name##_batch_(index, &count, capacity, &release->sampling, release->step,    \
                                    &release->draw);                                               \
    break;
    DPPAIR_DRAW_SLOT_(DPPAIR_DRAW_X_)
#undef DPPAIR_DRAW_X_
  default:
    dppair_release_turn_(&release->draw, release->step);
    status = dppair_draw(index, &count, capacity, &release->sampling, &release->draw);
  }
  if (status != DPPAIR_OK) return status;
  release->drawn = count;
  release->drawn_for = release->step + 1;
  batch->index = index;
  batch->count = count;
  batch->serial = dppair_release_serial_(release);
  return DPPAIR_OK;
}

/* What NAME_release_explain says: public numbers. */
typedef struct dppair_explained {
  double slope;     /* the steepest slope of the loss at the margins that are reached */
  double low, high; /* these margins */
  double move;      /* how far one record moves the gradient of a pair of its own, at most */
  double draw; /* what the sampling makes of that: 1/n of all records, 1/m of m drawn ones, more
                     * where batches are of random size */
  double
      divisor; /* of the sum over pairs, for a draw of the expected size; that of a draw of random
                     * size is private */
  double rounding;  /* what arithmetic adds: sensitivity_l2 = move draw + rounding */
  double clip, cap; /* of a pair's gradient, and of the scores; 0: none is in force */
  double sensitivity_l2, sensitivity; /* of the mean gradient, and in the norm of the law */
  double scale, noise_multiplier;     /* of the noise: scale = noise_multiplier sensitivity */
} dppair_explained;

/* The divisor of a draw of the size that is expected. */
DPPAIR_FN_ double dppair_explained_divisor_(const dppair_sampling *sampling) {
  const double k = dppair_sampling_expected_(sampling);
  double divisor;
  if (dppair_sampling_is_random_(sampling->kind)) return k > 1.0 ? k * (k - 1.0) : 1.0;
  return dppair_normaliser(&divisor, sampling, 0) == DPPAIR_OK ? divisor : 0.0;
}

/* *moves: how many terms of a sum over records change; two where a record is replaced, one where it
 * is zeroed. ADJACENCY where neighbours differ in more than one record. */
DPPAIR_FN_ dppair_status dppair_release_moves_(double *moves, const dppair_release *release) {
  *moves = dppair_sampling_move_(&release->sampling) == DPPAIR_REPLACE_ONE ? 2.0 : 1.0;
  return dppair_adjacency_records_(release->sampling.adjacency);
}

DPPAIR_FP_END_
/* ---- src/release/resume.h -------------------------------------------------------------------
 * Going on with a plan after the program was stopped
 *
 * A program that may have to go on keeps the key of its plan, the ledger, and a checkpoint: how
 * many releases were made, the w of that step, and a digest of the data and of everything else that
 * the next query depends on. Noise is a function of the step, so a step that was released before
 * the stop and is repeated afterwards must repeat the same query: the same w and the same data. If
 * either could have changed, begin at a later step, or open a new plan.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Would `plan` write this line, but for a noise multiplier that it leaves open? */
DPPAIR_FN_ dppair_status dppair_release_is_planned_(const dppair_plan *plan,
                                                    const dppair_ledger_entry *entry) {
  static const uint8_t none[DPPAIR_NONCE_SIZE] = {0};
  dppair_plan priced = *plan;
  dppair_step step;
  double divisor;
  dppair_status status = dppair_normaliser(&divisor, &plan->sampling, 0);
  if (!(plan->noise_multiplier > 0.0)) priced.noise_multiplier = entry->step.noise_multiplier;
  if (status == DPPAIR_OK && dppair_mechanism_is_objective_(plan->noise))
    status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = dppair_plan_step_(&step, &priced);
  if (status != DPPAIR_OK) return status;
  step.sampling.group = dppair_ledger_group_(&step.sampling);
  step.sampling.q += 0.0; /* a line has no -0 */
  return dppair_same_step_(&step, &entry->step) && step.steps == entry->step.steps &&
                 entry->failure <= plan->failure && entry->failure >= plan->failure &&
                 memcmp(entry->nonce, none, sizeof none) != 0
             ? DPPAIR_OK
             : DPPAIR_ERR_PLAN_CHANGED;
}

/*
 * Opens a plan again that was paid before the program was stopped, at the release after the first
 * `step` ones. Nothing is charged: account is one that replayed the ledger, and line[0..length) the
 * plan's line in it, one of the latest 63 charges. key: the 32 bytes that dppair_release_open was
 * given; another key would repeat the steps with fresh noise, which nobody paid for, and is refused
 * by the line's nonce. (A nonce of the caller's own says nothing about the key, unless
 * dppair_release_nonce completed it: such a plan cannot be gone on with.) plan: as it was when it was
 * opened (its epsilon, delta, ledger and check are not read).
 *
 * Errors leave *release zero: NULL; PLAN_CHANGED (`plan` would not write this line, or the key is
 * another one); NO_PROOF (the account does not hold the line; a perturbed objective, whose output
 * noise has a line of its own: repeat it whole, as a new plan); SIZE (step beyond the plan's);
 * those of dppair_ledger_read, of the account and of the plan's sampling; SELF_TEST, ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_resume(dppair_release *release, dppair_accountant *account, const dppair_plan *plan,
                      const char *line, size_t length, const uint8_t key[32], size_t step) {
  dppair_ledger_entry entry;
  uint8_t nonce[DPPAIR_NONCE_SIZE];
  dppair_status status;
  if (release == NULL) return DPPAIR_ERR_NULL;
  dppair_wipe(release, sizeof *release);
  if (account == NULL || plan == NULL || line == NULL || key == NULL) return DPPAIR_ERR_NULL;
  status = dppair_accountant_usable_(account);
  if (status == DPPAIR_OK) status = dppair_streams_tried_();
  if (status == DPPAIR_OK) status = dppair_ledger_read(&entry, line, length);
  if (status == DPPAIR_OK) status = dppair_ledger_counted_(account, &entry);
  if (status == DPPAIR_OK) status = dppair_release_is_planned_(plan, &entry);
  if (status != DPPAIR_OK) return status;
  memcpy(nonce, entry.nonce, sizeof nonce);
  dppair_release_sign_(nonce, key);
  if (memcmp(nonce, entry.nonce, sizeof nonce) != 0) return DPPAIR_ERR_PLAN_CHANGED;
  if (step > plan->steps) return DPPAIR_ERR_SIZE;
  dppair_release_key_(&release->noise, &release->draw, DPPAIR_CHACHA20, key, entry.nonce,
                      entry.sequence);
  release->sequence = entry.sequence;
  release->check = entry.check;
  release->nonce = dppair_load64_(entry.nonce);
  dppair_release_bind_(release, account, plan, entry.step.noise_multiplier);
  release->step = step;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/release/parts.h --------------------------------------------------------------------
 * Parts of a paid release
 *
 * A paid release is for one statistic of sensitivity S with noise of scale z S. It may be cut into
 * parts: number k of sensitivity S_k with noise of scale z S_k / sqrt(w_k), for pure laws z S_k /
 * w_k, where the shares w_k add up to at most 1 and each statistic may depend on the results before
 * it. Together they cost what was paid: dppair_evaluation.h has the proof for a plan of all
 * records. In a plan of Poisson samples the parts read the SAME batch, and are one sampled event.
 *   Zero-out. Let the others' coins be given, and X the log-ratio of all parts between the batch
 *   with the record and that without it, each part moving by mu_k <= sqrt(w_k)/z, which may depend
 *   on the results before it. The ratio of what is seen is 1 - q + q e^X. A further number that is
 *   the same for everybody but moves by sqrt(1/z^2 - sum mu_k^2) hides nothing; with it X is normal
 *   with variance 1/z^2, exactly: the sampled Gaussian of one statistic. Replace-one. Given the
 *   results of the earlier parts, E (A + B e^X - t (A + B' e^X'))+ with normal X and X' grows with
 *   either variance and falls with their covariance (Kahane's interpolation), so the last part's
 *   moves may be replaced by opposed ones of full length that depend on nothing; then those of the
 *   part before it. What remains is the opposed pair of one statistic.
 * Two paid releases are two draws. To charge two statistics of one batch as two sampled events
 * would be too little (rate 0.1, both with z = 1/1.5, epsilon 1: delta is 0.0242, two events say
 * 0.0109).
 *
 * Relies on vector.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * The next release uses this share of the paid release, 0 < share < 1; the release after it uses
 * what is left, or a share of it again. A paid release that was begun has to be used up before the
 * next draw.
 *
 * Errors, which change nothing: NULL, DOMAIN (the share is no such number, or not below what is
 * left), NOT_DRAWN, NO_PROOF (a plan that draws otherwise than Poisson samples), LAW (a law that is
 * neither Gaussian nor pure), those of dppair_release_vector about the release.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_release_part(dppair_release *release,
                                                               double share) {
  const dppair_status status = dppair_release_ready_(release);
  if (status != DPPAIR_OK) return status;
  if (release->mechanism != DPPAIR_GAUSSIAN && !dppair_mechanism_is_pure_(release->mechanism))
    return DPPAIR_ERR_LAW;
  if (release->sampling.kind != DPPAIR_ALL && release->sampling.kind != DPPAIR_POISSON)
    return DPPAIR_ERR_NO_PROOF;
  if (!(share > 0.0 && share < (release->left > 0.0 ? release->left : 1.0)))
    return DPPAIR_ERR_DOMAIN;
  release->part = share;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif

#endif /* DPPAIR_RELEASE_H */

#ifndef DPPAIR_CORE_ONLY_

#ifndef DPPAIR_H
#define DPPAIR_H

/* 2. Once per translation unit: names and states that bodies use, and functions without tiers. */

/* ---- src/simd/intrinsics.h ------------------------------------------------------------------
 * Intrinsics of the compiler (x86) and of SIMDe
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_X86_
#include <immintrin.h>
#endif
#if DPPAIR_HAVE_SIMD128 || DPPAIR_WASM_NOISE_
#include <simde/x86/fma.h>
#include <simde/x86/sse2.h>
#endif
/* ---- src/simd/once.h ------------------------------------------------------------------------
 * The vocabulary: what is said of it once, by dppair.h or dppair_losses.h
 * ---------------------------------------------------------------------------------------------- */
#ifndef DPPAIR_VOCABULARY_H
#define DPPAIR_VOCABULARY_H
/* ---- src/simd/vocabulary_names.h ------------------------------------------------------------
 * Names of the vocabulary DPV_*, in lower case
 *
 * Written dpv_add, compiled once per tier and type: dpv_add_f64_avx2. See simd/names.h.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_V3_(op, suffix) dpv_##op##_##suffix
#define DPPAIR_V2_(op, suffix) DPPAIR_V3_(op, suffix)
#define DPPAIR_V_(op) DPPAIR_V2_(op, DPPAIR_SUFFIX_)

#define dpv_set DPPAIR_V_(set)
#define dpv_load DPPAIR_V_(load)
#define dpv_store DPPAIR_V_(store)
#define dpv_loadn DPPAIR_V_(loadn)
#define dpv_storen DPPAIR_V_(storen)
#define dpv_load_f32 DPPAIR_V_(load_f32)
#define dpv_store_f32 DPPAIR_V_(store_f32)
#define dpv_load_bits DPPAIR_V_(load_bits)
#define dpv_store_bits DPPAIR_V_(store_bits)
#define dpv_add_bits DPPAIR_V_(add_bits)
#define dpv_both DPPAIR_V_(both)
#define dpv_either DPPAIR_V_(either)
#define dpv_add DPPAIR_V_(add)
#define dpv_sub DPPAIR_V_(sub)
#define dpv_mul DPPAIR_V_(mul)
#define dpv_div DPPAIR_V_(div)
#define dpv_fma DPPAIR_V_(fma)
#define dpv_neg DPPAIR_V_(neg)
#define dpv_abs DPPAIR_V_(abs)
#define dpv_sqrt DPPAIR_V_(sqrt)
#define dpv_round DPPAIR_V_(round)
#define dpv_max DPPAIR_V_(max)
#define dpv_min DPPAIR_V_(min)
#define dpv_lt DPPAIR_V_(lt)
#define dpv_le DPPAIR_V_(le)
#define dpv_eq DPPAIR_V_(eq)
#define dpv_sel DPPAIR_V_(sel)
#define dpv_sum DPPAIR_V_(sum)
#define dpv_exp DPPAIR_V_(exp)
#define dpv_log DPPAIR_V_(log)
#define dpv_log1p DPPAIR_V_(log1p)
#define dpv_sigmoid DPPAIR_V_(sigmoid)
#define dpv_softplus DPPAIR_V_(softplus)
#define dpv_call DPPAIR_V_(call)
#define dpv_bit_and DPPAIR_V_(bit_and)
#define dpv_bit_or DPPAIR_V_(bit_or)
#define dpv_bit_xor DPPAIR_V_(bit_xor)
#define dpv_shl_mantissa DPPAIR_V_(shl_mantissa)
#define dpv_shr_mantissa DPPAIR_V_(shr_mantissa)
#define dpv_pow2 DPPAIR_V_(pow2)
#define dpv_scale DPPAIR_V_(scale)
#define dpv_exp_below DPPAIR_V_(exp_below)
/* ---- src/simd/vocabulary.h ------------------------------------------------------------------
 * The vocabulary DPV_*
 *
 * A kernel or a loss is written once, over a virtual vector of 64 bytes (8 doubles or 16 floats),
 * and compiled once per tier: as one AVX-512 register, two AVX2 registers, four 128-bit registers
 * or an array. Every tier has the same number of lanes, adds them by the same tree and fuses
 * DPV_FMA, so scalar, AVX2, AVX-512 and NEON give the same bits. The exception is the 128-bit tier
 * on x86, where DPV_FMA is a product and a sum.
 *
 *   DPV_T DPV_M DPV_R DPV_LANES        vector, mask, element type, number of lanes
 *   DPV_SET(x) DPV_LOAD(p) DPV_STORE(p, v)            all lanes x, rounded to DPV_R; unaligned
 *                                      memory
 *   DPV_LOADN(p, n, fill) DPV_STOREN(p, v, n)         the first n <= DPV_LANES lanes; other lanes
 *                                      are fill, or are not stored
 *   DPV_LOAD_F32(p) DPV_STORE_F32(p, v)               8 floats as doubles; only in code for double
 *   DPV_ADD SUB MUL DIV (a, b)  DPV_FMA(a, b, c) = a b + c   DPV_NEG ABS SQRT ROUND (a)
 *   DPV_LOAD_BITS(p) DPV_STORE_BITS(p, v)             8 integers of type uint64_t as the bits of
 *                                      lanes; only in code for double, as DPV_ADD_BITS(a, b), which
 *                                      adds the bits of lanes as such integers
 *   DPV_MAX MIN (a, b)                 a > b ? a : b, a < b ? a : b; hence b if either is NaN
 *   DPV_LT DPV_LE DPV_EQ (a, b)        masks; DPV_AND OR (m, n); DPV_SEL(m, a, b) = m ? a : b
 *   DPV_SUM(v)                         sum of the lanes, by a fixed tree, as a DPV_R
 *   DPV_EXP DPV_LOG DPV_LOG1P          within 1.1, 1 and 2 ulp (LOG1P for arguments >= 0)
 *   DPV_SIGMOID DPV_SOFTPLUS           1/(1+e^-u) and ln(1+e^u), within 4 ulp, stable at any u
 *   DPV_CALL(f, v)                     any C function f, lane by lane: slow
 *
 * The tests check these bounds in ulp against long double. Over all floats the largest errors are
 * 1.03 for EXP, 0.83 for LOG, 1.24 for LOG1P and 2.41 for SIGMOID.
 * ---------------------------------------------------------------------------------------------- */

#define DPV_T DPPAIR_V_(t)
#define DPV_M DPPAIR_V_(m)
#define DPV_SET(x) dpv_set((DPV_R)(x))
#define DPV_LOAD(p) dpv_load(p)
#define DPV_STORE(p, v) dpv_store(p, v)
#define DPV_LOADN(p, n, fill) dpv_loadn(p, n, fill)
#define DPV_STOREN(p, v, n) dpv_storen(p, v, n)
#define DPV_LOAD_F32(p) dpv_load_f32(p)
#define DPV_STORE_F32(p, v) dpv_store_f32(p, v)
#define DPV_LOAD_BITS(p) dpv_load_bits(p)
#define DPV_STORE_BITS(p, v) dpv_store_bits(p, v)
#define DPV_ADD_BITS(a, b) dpv_add_bits(a, b)
#define DPV_AND(m, n) dpv_both(m, n) /* `and` and `or` are words of C++ and iso646.h */
#define DPV_OR(m, n) dpv_either(m, n)
#define DPV_ADD(a, b) dpv_add(a, b)
#define DPV_SUB(a, b) dpv_sub(a, b)
#define DPV_MUL(a, b) dpv_mul(a, b)
#define DPV_DIV(a, b) dpv_div(a, b)
#define DPV_FMA(a, b, c) dpv_fma(a, b, c)
#define DPV_NEG(a) dpv_neg(a)
#define DPV_ABS(a) dpv_abs(a)
#define DPV_SQRT(a) dpv_sqrt(a)
#define DPV_ROUND(a) dpv_round(a)
#define DPV_MAX(a, b) dpv_max(a, b)
#define DPV_MIN(a, b) dpv_min(a, b)
#define DPV_LT(a, b) dpv_lt(a, b)
#define DPV_LE(a, b) dpv_le(a, b)
#define DPV_EQ(a, b) dpv_eq(a, b)
#define DPV_SEL(m, a, b) dpv_sel(m, a, b)
#define DPV_SUM(a) dpv_sum(a)
#define DPV_EXP(a) dpv_exp(a)
#define DPV_LOG(a) dpv_log(a)
#define DPV_LOG1P(a) dpv_log1p(a)
#define DPV_SIGMOID(a) dpv_sigmoid(a)
#define DPV_SOFTPLUS(a) dpv_softplus(a)
#define DPV_CALL(f, a) dpv_call(f, a)
/* ---- src/simd/fused.h -----------------------------------------------------------------------
 * Fused multiply-add in plain C
 *
 * dppair_fma_f64_ and _f32_ are a b + c, rounded once: fma() of the C library where it does that,
 * else the functions in pieces below.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* a + b rounded to odd: if the sum is not exact, the one of its two neighbours whose last digit is
 * odd. Such a number, rounded once more to fewer digits, is the exact sum rounded once. (s + e =
 * a + b exactly, by Knuth's two-sum.) */
DPPAIR_FN_ double dppair_sum_to_odd_(double a, double b) {
  const double s = a + b, t = s - a, e = (a - (s - t)) + (b - t);
  const uint64_t bits = dppair_bits_f64_(s);
  if (!(e != 0.0) || (bits & 1)) return s;
  return dppair_from_bits_f64_((e > 0.0) == (s > 0.0) ? bits + 1 : bits - 1);
}

/*
 * a b + c, rounded once, for C libraries whose fma() rounds twice (that of MinGW multiplies in 64
 * binary digits), and for none. The product and the sum are computed exactly as sums of pieces
 * (Dekker, Knuth); the small pieces are rounded to odd (Boldo and Melquiond 2008). A result below
 * the normal numbers ends at 2^-1074: 2^-1022 is added and taken away again, so that its one
 * rounding is there. (of_a is at least -1193 where the sum is reached: 2^-1022 can be scaled.)
 */
DPPAIR_FN_ double dppair_fma_in_pieces_(double a, double b, double c) {
  double a_high, b_high, high, low, s, t, e, v;
  int of_a, of_b, of_c;
  if (!dppair_isfinite_f64(c) && dppair_isfinite_f64(a) && dppair_isfinite_f64(b))
    return c; /* the exact product is finite, though a * b may not be */
  if (!dppair_isfinite_f64(a) || !dppair_isfinite_f64(b) || !dppair_isfinite_f64(c) ||
      !(a != 0.0) || !(b != 0.0))
    return a * b + c;
  if (!(c != 0.0)) return a * b; /* a product that vanishes keeps its sign */
  a = dppair_frexp_(a, &of_a);
  b = dppair_frexp_(b, &of_b);
  (void)dppair_frexp_(c, &of_c);
  of_a += of_b;
  if (of_c - of_a > 120) return c; /* the product is below a quarter of c's last digit */
  c = of_c - of_a < -200 ? dppair_copysign_(dppair_ldexp_(1.0, -200), c) : dppair_ldexp_(c, -of_a);
  high = a * b;
  t = 134217729.0 * a; /* 2^27 + 1 */
  a_high = t - (t - a);
  t = 134217729.0 * b;
  b_high = t - (t - b);
  low = ((a_high * b_high - high) + a_high * (b - b_high) + (a - a_high) * b_high) +
        (a - a_high) * (b - b_high);
  s = c + low;
  t = s - c;
  e = (c - (s - t)) + (low - t);
  v = high + s;
  t = v - high;
  s = (high - (v - t)) + (s - t);
  e = dppair_sum_to_odd_(s, e);
  if (!(v != 0.0)) { /* all cancelled but e, which is exact then */
    v = e;
    e = 0.0;
  }
  if (of_a < -900) {
    const double unit = dppair_copysign_(dppair_ldexp_(1.0, -1022 - of_a), v);
    if (dppair_fabs_(v) < dppair_fabs_(unit)) {
      s = unit + v;
      t = v - (s - unit);
      return dppair_ldexp_(dppair_copysign_((s + dppair_sum_to_odd_(t, e)) - unit, v), of_a);
    }
  }
  return dppair_ldexp_(v + e, of_a);
}

/* The same in float: the product is exact in double. */
DPPAIR_FN_ float dppair_fmaf_in_pieces_(float a, float b, float c) {
  const double product = (double)a * (double)b;
  if (!dppair_isfinite_f64(product) || !dppair_isfinite_f64((double)c))
    return (float)(product + (double)c);
  return (float)dppair_sum_to_odd_(product, (double)c);
}

DPPAIR_FP_END_

/* The C library of MinGW rounds twice unless the compiler emits the processor's instruction. */
#if defined(DPPAIR_FREESTANDING) && defined(__FP_FAST_FMA) /* an instruction, no call */
#define dppair_fma_f64_ __builtin_fma
#elif defined(DPPAIR_FREESTANDING)
#define dppair_fma_f64_ dppair_fma_in_pieces_
#elif defined(__MINGW32__) && !defined(__FMA__)
#define dppair_fma_f64_ dppair_fma_in_pieces_
#define dppair_fma_f32_ dppair_fmaf_in_pieces_
#else
#define dppair_fma_f64_ fma
#define dppair_fma_f32_ fmaf
#endif
#if defined(DPPAIR_FREESTANDING) && defined(__FP_FAST_FMAF)
#define dppair_fma_f32_ __builtin_fmaf
#elif defined(DPPAIR_FREESTANDING)
#define dppair_fma_f32_ dppair_fmaf_in_pieces_
#endif

DPPAIR_FP_BEGIN_

/* OK if fma() gives the error of a product, which tables in double-double need; else ENVIRONMENT.
 * The product of these two numbers shows it: 64 binary digits are too few for it. */
DPPAIR_FN_ dppair_status dppair_fma_check_(void) {
  volatile double a = 1.2247930764501165, b = 1.6377637257694275;
  const double left = a, right = b, product = left * right;
  const double error = dppair_fma_f64_(left, right, -product);
  return error == 4.5175727124355734e-17 ? DPPAIR_OK : DPPAIR_ERR_ENVIRONMENT;
}

DPPAIR_FP_END_
/* ---- src/simd/one.h -------------------------------------------------------------------------
 * The vocabulary on one double
 *
 * The macros of a loss are expanded once more, over one double instead of a vector, with the bits
 * of the scalar tier. What a loss's own chapter says of its slopes is computed with it, losses
 * chosen at run time are, and the table of the box method.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef double dpv_t_f64_one;
typedef int dpv_m_f64_one;
DPPAIR_FORCE_INLINE_ double dpv_set_f64_one(double x) { return x; }
DPPAIR_FORCE_INLINE_ double dpv_add_f64_one(double a, double b) { return a + b; }
DPPAIR_FORCE_INLINE_ double dpv_sub_f64_one(double a, double b) { return a - b; }
DPPAIR_FORCE_INLINE_ double dpv_mul_f64_one(double a, double b) { return a * b; }
DPPAIR_FORCE_INLINE_ double dpv_div_f64_one(double a, double b) { return a / b; }
DPPAIR_FORCE_INLINE_ double dpv_neg_f64_one(double a) { return -a; }
DPPAIR_FORCE_INLINE_ double dpv_abs_f64_one(double a) { return dppair_fabs_(a); }
DPPAIR_FORCE_INLINE_ double dpv_sqrt_f64_one(double a) { return dppair_sqrt_(a); }
DPPAIR_FORCE_INLINE_ double dpv_max_f64_one(double a, double b) { return a > b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_min_f64_one(double a, double b) { return a < b ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_fma_f64_one(double a, double b, double c) {
  return dppair_fma_f64_(a, b, c);
}
DPPAIR_FORCE_INLINE_ int dpv_lt_f64_one(double a, double b) { return a < b; }
DPPAIR_FORCE_INLINE_ int dpv_le_f64_one(double a, double b) { return a <= b; }
DPPAIR_FORCE_INLINE_ int dpv_eq_f64_one(double a, double b) { return a == b; }
DPPAIR_FORCE_INLINE_ int dpv_both_f64_one(int m, int n) { return m & n; }
DPPAIR_FORCE_INLINE_ int dpv_either_f64_one(int m, int n) { return m | n; }
DPPAIR_FORCE_INLINE_ double dpv_sel_f64_one(int m, double a, double b) { return m ? a : b; }
DPPAIR_FORCE_INLINE_ double dpv_bit_and_f64_one(double a, double b) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) & dppair_bits_f64_(b));
}
DPPAIR_FORCE_INLINE_ double dpv_bit_or_f64_one(double a, double b) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) | dppair_bits_f64_(b));
}
DPPAIR_FORCE_INLINE_ double dpv_shr_mantissa_f64_one(double a) {
  return dppair_from_bits_f64_(dppair_bits_f64_(a) >> 52);
}
DPPAIR_FORCE_INLINE_ double dpv_pow2_f64_one(double n) {
  return dppair_from_bits_f64_(dppair_bits_f64_(n + (DPPAIR_MAGIC_F64_ + 1023.0)) << 52);
}
/* As dpv_round of simd/operations.h. */
DPPAIR_FORCE_INLINE_ double dpv_round_f64_one(double a) {
  const double size = dppair_fabs_(a), r = (size + 4503599627370496.0) - 4503599627370496.0;
  return size < 4503599627370496.0 ? (a < 0.0 || (a == 0.0 && 1.0 / a < 0.0) ? -r : r) : a;
}
DPPAIR_FORCE_INLINE_ double dpv_call_f64_one(double (*f)(double), double a) { return f(a); }
/* As dpv_scale of simd/operations.h. */
DPPAIR_FORCE_INLINE_ double dpv_scale_f64_one(double p, double n) {
  const double half = dppair_fma_f64_(n, 0.5, DPPAIR_MAGIC_F64_) - DPPAIR_MAGIC_F64_;
  return p * dpv_pow2_f64_one(half) * dpv_pow2_f64_one(n - half);
}

#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
#define DPPAIR_F64_ 1
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
/* ---- src/simd/constants.h -------------------------------------------------------------------
 * Constants of the element type
 *
 * DPN_BITS(u) is a vector of the bits u, DPN_C(x) of the constant x; digits of the mantissa, bias of
 * the exponent, and others.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC DPPAIR_MAGIC_F64_
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC DPPAIR_MAGIC_F32_
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif
/* ---- src/simd/elementary.h ------------------------------------------------------------------
 * Exponential, logarithm and functions made of them
 *
 * Error bounds are listed in simd/vocabulary.h. DPN_* are constants of the element type.
 * ---------------------------------------------------------------------------------------------- */

/* e^x = 2^n e^r with |r| <= ln(2)/2. e^r is a polynomial 1 + r + r^2 q(r), of relative error 4e-9
 * in float (minimax) and 4e-18 in double (Taylor). ln 2 is split into two numbers; n times the
 * first is exact. NaN gives NaN. dpv_exp_below needs x <= 710 (float: 89); dpv_exp ensures it. */
DPV_INLINE_ DPV_T dpv_exp_below(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T low = DPV_SET(-746.0);
  const DPV_T minus_hi = DPV_SET(-0.6931471803691238);
  const DPV_T minus_lo = DPV_SET(-1.9082149292705877e-10);
#else
  const DPV_T low = DPV_SET(-104.0f);
  const DPV_T minus_hi = DPV_SET(-0.693359375f), minus_lo = DPV_SET(0.00021219444f);
#endif
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  DPV_T n, r, p;
  x = DPV_MAX(low, x);
  n = DPV_SUB(DPV_FMA(x, DPN_C(1.4426950408889634), magic), magic);
  r = DPV_FMA(n, minus_lo, DPV_FMA(n, minus_hi, x));
#if DPPAIR_F64_
  p = DPV_SET(1.0 / 6227020800.0);
  p = DPV_FMA(p, r, DPV_SET(1.0 / 479001600.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 39916800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 3628800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 362880.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 40320.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 5040.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 720.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 120.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 24.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 6.0));
#else
  p = DPV_SET(0.0013863781f);
  p = DPV_FMA(p, r, DPV_SET(0.0083674826f));
  p = DPV_FMA(p, r, DPV_SET(0.0416672379f));
  p = DPV_FMA(p, r, DPV_SET(0.1666653454f));
#endif
  p = DPV_FMA(p, r, DPN_C(0.5));
  p = DPV_ADD(DPV_FMA(DPV_MUL(r, r), p, r), DPN_C(1.0));
  return dpv_scale(p, n);
}
DPV_INLINE_ DPV_T dpv_exp(DPV_T x) {
  return dpv_exp_below(DPV_MIN(DPN_C(DPPAIR_F64_ ? 710.0 : 89.0), x));
}

/* ln x = e ln 2 + ln m with m in [sqrt(1/2), sqrt 2). ln m = 2 atanh((m-1)/(m+1)) is computed as
 * g - g^2/2 + s (g^2/2 + R) with g = m - 1, s = g/(2+g) and R a polynomial in s^2. Numbers below
 * the normal ones are scaled first. 0 gives -infinity, a negative number NaN. */
DPV_INLINE_ DPV_T dpv_log(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T smallest = DPV_SET(DBL_MIN), up = DPV_SET(18014398509481984.0), shift = DPV_SET(54.0);
  const DPV_T hi = DPV_SET(0.6931471803691238), lo = DPV_SET(1.9082149292705877e-10);
  const DPV_T infinity = DPN_BITS(0x7ff0000000000000), nan = DPN_BITS(0x7ff8000000000000);
#else
  const DPV_T smallest = DPV_SET(FLT_MIN), up = DPV_SET(33554432.0f), shift = DPV_SET(25.0f);
  const DPV_T hi = DPV_SET(0.69313812f), lo = DPV_SET(9.0580014e-06f);
  const DPV_T infinity = DPN_BITS(0x7f800000), nan = DPN_BITS(0x7fc00000);
#endif
  const DPV_T zero = DPN_C(0.0), one = DPN_C(1.0), two_p = DPV_SET(DPN_TWO_P);
  const DPV_M tiny = DPV_LT(x, smallest);
  DPV_T m = DPV_SEL(tiny, DPV_MUL(x, up), x), e, g, s, z, h, p;
  DPV_M below;
  e = DPV_SUB(dpv_bit_or(dpv_shr_mantissa(m), two_p), two_p);
  e = DPV_SUB(e, DPN_C(DPN_BIAS - 1));
  e = DPV_SUB(e, DPV_SEL(tiny, shift, zero));
  /* m into [1/2, 1), then into [sqrt(1/2), sqrt 2) */
#if DPPAIR_F64_
  m = dpv_bit_and(m, DPN_BITS(0x000fffffffffffff));
  m = dpv_bit_or(m, DPN_BITS(0x3fe0000000000000));
#else
  m = dpv_bit_or(dpv_bit_and(m, DPN_BITS(0x007fffff)), DPN_BITS(0x3f000000));
#endif
  below = DPV_LT(m, DPN_BITS(DPN_NORM));
  m = DPV_SEL(below, DPV_ADD(m, m), m);
  e = DPV_SEL(below, DPV_SUB(e, one), e);
  g = DPV_SUB(m, one);
  s = DPV_DIV(g, DPV_ADD(g, DPN_C(2.0)));
  z = DPV_MUL(s, s);
#if DPPAIR_F64_
  p = DPV_SET(2.0 / 21.0);
  p = DPV_FMA(p, z, DPV_SET(2.0 / 19.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 17.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 15.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 13.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 11.0));
#else
  p = DPN_C(2.0 / 11.0);
#endif
  p = DPV_FMA(p, z, DPN_C(2.0 / 9.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 7.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 5.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 3.0));
  p = DPV_MUL(p, z);
  h = DPV_MUL(DPV_MUL(DPN_C(0.5), g), g);
  p = DPV_FMA(s, DPV_ADD(h, p), DPV_MUL(e, lo));
  p = DPV_FMA(e, hi, DPV_SUB(g, DPV_SUB(h, p)));
  p = DPV_SEL(DPV_EQ(x, infinity), infinity, p);
  p = DPV_SEL(DPV_EQ(x, zero), DPV_NEG(infinity), p);
  return DPV_SEL(DPV_LE(zero, x), p, nan);
}

/* ln(1+x) for x >= 0: the logarithm of u = 1 + x rounded, plus (1 + x - u)/u for the rounding. */
DPV_INLINE_ DPV_T dpv_log1p(DPV_T x) {
  const DPV_T u = DPV_ADD(x, DPN_C(1.0));
  return DPV_ADD(DPV_LOG(u), DPV_DIV(DPV_SUB(x, DPV_SUB(u, DPN_C(1.0))), u));
}

/* 1/(1+e^-u) and ln(1+e^u), both by e^-|u|, which cannot overflow. */
DPV_INLINE_ DPV_T dpv_sigmoid(DPV_T u) {
  const DPV_T one = DPN_C(1.0), e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_DIV(DPV_SEL(DPV_LT(u, DPN_C(0.0)), e, one), DPV_ADD(one, e));
}
DPV_INLINE_ DPV_T dpv_softplus(DPV_T u) {
  const DPV_T e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_ADD(DPV_MAX(u, DPN_C(0.0)), DPV_LOG1P(e));
}
/* ---- src/simd/constants_end.h ---------------------------------------------------------------
 * End of a body: the constants of its element type are undefined
 * ---------------------------------------------------------------------------------------------- */

#undef DPN_BIAS
#undef DPN_BITS
#undef DPN_C
#undef DPN_MAGIC
#undef DPN_MANTISSA
#undef DPN_NORM
#undef DPN_SIGN
#undef DPN_TWO_P
#undef DPPAIR_F64_
#undef DPV_INLINE_
#undef DPPAIR_SUFFIX_
#undef DPV_R

DPPAIR_FP_END_
#endif /* DPPAIR_VOCABULARY_H */
/* ---- src/simd/names.h -----------------------------------------------------------------------
 * Names of code that is compiled several times
 *
 * Code that is compiled once per tier, element type or instance is written under the names on the
 * left, so that a search or an index finds it. The compiler sees the names on the right.
 *
 *   dpv_add                    once per tier and type                 dpv_add_f64_avx2
 *   dpd_add                    dpv_add for double, in every body      dpv_add_f64_avx2
 *   dppair_scores_f64_TIER     once per tier                          dppair_scores_f64_avx2
 *   dppair_rows_clip_ROW       once per type of rows (DPPAIR_ROW)     dppair_rows_clip_i8
 *   DPPAIR_NAME_coeffs         once per instance                      rank_coeffs
 *   DPPAIR_NAME_coeffs_TIER    once per instance and tier             rank_coeffs_avx2
 *   DPPAIR_LOSS_SLOPE(u)       the instance's loss, with its params   dppair_logistic_SLOPE(u, ..)
 *
 * A function without _TIER calls the one with it on the tier of this machine: DPPAIR_DISPATCH_.
 * Other prefixes: DPV_ the vocabulary, DPN_ the native registers of one tier, DPT_ macros that
 * depend on the element type of an instance, DPL_ DPB_ DPS_ DPM_ constants and macros of the
 * chapters on rows, boxes, sorting and the micro-kernel.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_D_(op) DPPAIR_V2_(op, DPPAIR_CAT(f64_, DPPAIR_TIER_NAME_))
#define DPPAIR_TIER_OF_(name) DPPAIR_CAT(DPPAIR_CAT(name, _), DPPAIR_TIER_NAME_)
#define DPPAIR_NAME_OF_(name) DPPAIR_CAT(DPPAIR_NAME, name)
#define DPPAIR_NAME_TIER_OF_(name) DPPAIR_TIER_OF_(DPPAIR_CAT(DPPAIR_NAME, name))

#define dpd_t DPPAIR_D_(t)
#define dpd_add DPPAIR_D_(add)
#define dpd_fma DPPAIR_D_(fma)
#define dpd_load DPPAIR_D_(load)
#define dpd_load_f32 DPPAIR_D_(load_f32)
#define dpd_multiply DPPAIR_D_(multiply)
#define dpd_set DPPAIR_D_(set)
#define dpd_store DPPAIR_D_(store)

/* Boxes and sorted scores: pairs/box_kernels.h, pairs/sorted.h. */
#define dpv_cell_value DPPAIR_V_(cell_value)
#define dpv_boxes DPPAIR_V_(boxes)
#define dpv_buckets DPPAIR_V_(buckets)
#define dpv_change DPPAIR_V_(change)
#define dpv_count DPPAIR_V_(count)
#define dpv_evaluate DPPAIR_V_(evaluate)
#define dpv_everywhere DPPAIR_V_(everywhere)
#define dpv_remote DPPAIR_V_(remote)
#define dpv_grid DPPAIR_V_(grid)
#define dpv_mass DPPAIR_V_(mass)
#define dpv_masses DPPAIR_V_(masses)
#define dpv_held DPPAIR_V_(held)
#define dpv_held1 DPPAIR_V_(held1)
#define dpv_locate DPPAIR_V_(locate)
#define dpv_mirror DPPAIR_V_(mirror)
#define dpv_moments_add DPPAIR_V_(moments_add)
#define dpv_moments_side DPPAIR_V_(moments_side)
#define dpv_number DPPAIR_V_(number)
#define dpv_piece DPPAIR_V_(piece)
#define dpv_pieces DPPAIR_V_(pieces)
#define dpv_range DPPAIR_V_(range)
#define dpv_scores8 DPPAIR_V_(scores8)
#define dpv_scores8_held DPPAIR_V_(scores8_held)
#define dpv_shares8_grid DPPAIR_V_(shares8_grid)
#define dpv_shares8 DPPAIR_V_(shares8)
#define dpv_total DPPAIR_V_(total)
#define dpv_translate DPPAIR_V_(translate)
#define dppair_sketch_count_TIER DPPAIR_TIER_OF_(dppair_sketch_count)
#define dppair_sketch_close_TIER DPPAIR_TIER_OF_(dppair_sketch_close)
#define dppair_sketch_read_TIER DPPAIR_TIER_OF_(dppair_sketch_read)
#define dppair_pieces_coeffs_TIER DPPAIR_TIER_OF_(dppair_pieces_coeffs)

/* The micro-kernel: tiles/multiply.h. */
#define dpv_add_wide DPPAIR_V_(add_wide)
#define dpv_add_wide8 DPPAIR_V_(add_wide8)
#define dpv_largest DPPAIR_V_(largest)
#define dppair_gram_f64_TIER DPPAIR_TIER_OF_(dppair_gram_f64)
#define dpv_margin DPPAIR_V_(margin)
#define dpv_margin_sign DPPAIR_V_(margin_sign)
#define dpv_multiply DPPAIR_V_(multiply)
#define dpv_multiply_any DPPAIR_V_(multiply_any)
#define dpv_multiply_margins DPPAIR_V_(multiply_margins)
#define dpv_multiply_rows DPPAIR_V_(multiply_rows)
#define dpv_multiply_1x1 DPPAIR_V_(multiply_1x1)
#define dpv_multiply_4x1 DPPAIR_V_(multiply_4x1)
#define dpv_multiply_8x3 DPPAIR_V_(multiply_8x3)

/* The loss of an instance. */
#define DPPAIR_LOSS_OF_(what) DPPAIR_CAT(DPPAIR_LOSS, what)
#define DPPAIR_LOSS_VALUE(u) DPPAIR_LOSS_OF_(_VALUE)(u, params)
#define DPPAIR_LOSS_SLOPE(u) DPPAIR_LOSS_OF_(_SLOPE)(u, params)
#define DPPAIR_LOSS_FACTOR(s) DPPAIR_LOSS_OF_(_FACTOR)(s, params)
#define DPPAIR_LOSS_JOIN(l, r) DPPAIR_LOSS_OF_(_JOIN)(DPV_MUL(l, r), params)
#define DPPAIR_LOSS_PIECES(params) DPPAIR_LOSS_OF_(_PIECES)(params)
#define DPPAIR_LOSS_POLES(params) DPPAIR_LOSS_OF_(_POLES)(params)

/* An instance. */
#define DPPAIR_NAME_block_scores_ DPPAIR_NAME_OF_(_block_scores_)
#define DPPAIR_NAME_chunk_bytes_ DPPAIR_NAME_OF_(_chunk_bytes_)
#define DPPAIR_NAME_users_ DPPAIR_NAME_OF_(_users_)
#define DPPAIR_NAME_users_layout_ DPPAIR_NAME_OF_(_users_layout_)
#define DPPAIR_NAME_users_sketch_ DPPAIR_NAME_OF_(_users_sketch_)
#define DPPAIR_NAME_users_scores_ DPPAIR_NAME_OF_(_users_scores_)
#define DPPAIR_NAME_users_sum_ DPPAIR_NAME_OF_(_users_sum_)
#define DPPAIR_NAME_sensitivity_of_ DPPAIR_NAME_OF_(_sensitivity_of_)
#define DPPAIR_NAME_chunk_layout_ DPPAIR_NAME_OF_(_chunk_layout_)
#define DPPAIR_NAME_is_chunked_ DPPAIR_NAME_OF_(_is_chunked_)
#define DPPAIR_NAME_chunk_ways_ DPPAIR_NAME_OF_(_chunk_ways_)
#define DPPAIR_NAME_chunked_bytes_ DPPAIR_NAME_OF_(_chunked_bytes_)
#define DPPAIR_NAME_chunked_gradient_ DPPAIR_NAME_OF_(_chunked_gradient_)
#define DPPAIR_NAME_chunked_layout_ DPPAIR_NAME_OF_(_chunked_layout_)
#define DPPAIR_NAME_chunked_sketch_ DPPAIR_NAME_OF_(_chunked_sketch_)
#define DPPAIR_NAME_chunked_pass_ DPPAIR_NAME_OF_(_chunked_pass_)
#define DPPAIR_NAME_chunked_open_ DPPAIR_NAME_OF_(_chunked_open_)
#define DPPAIR_NAME_chunked_rows_ DPPAIR_NAME_OF_(_chunked_rows_)
#define DPPAIR_NAME_chunked_run_ DPPAIR_NAME_OF_(_chunked_run_)
#define DPPAIR_NAME_chunked_sum_ DPPAIR_NAME_OF_(_chunked_sum_)
#define DPPAIR_NAME_chunked_workspace_ DPPAIR_NAME_OF_(_chunked_workspace_)
#define DPPAIR_NAME_sketch_of_ DPPAIR_NAME_OF_(_sketch_of_)
#define DPPAIR_NAME_sum_of_ DPPAIR_NAME_OF_(_sum_of_)
#define DPPAIR_NAME_clip_ DPPAIR_NAME_OF_(_clip_)
#define DPPAIR_NAME_clip_begin_ DPPAIR_NAME_OF_(_clip_begin_)
#define DPPAIR_NAME_clip_cache DPPAIR_NAME_OF_(_clip_cache)
#define DPPAIR_NAME_clip_coeffs DPPAIR_NAME_OF_(_clip_coeffs)
#define DPPAIR_NAME_clip_count_ DPPAIR_NAME_OF_(_clip_count_)
#define DPPAIR_NAME_clip_head_ DPPAIR_NAME_OF_(_clip_head_)
#define DPPAIR_NAME_clip_init DPPAIR_NAME_OF_(_clip_init)
#define DPPAIR_NAME_clip_run_ DPPAIR_NAME_OF_(_clip_run_)
#define DPPAIR_NAME_is_alike_ DPPAIR_NAME_OF_(_is_alike_)
#define DPPAIR_NAME_probe_ DPPAIR_NAME_OF_(_probe_)
#define DPPAIR_NAME_owner_ DPPAIR_NAME_OF_(_owner_)
#define DPPAIR_NAME_clip_layout_ DPPAIR_NAME_OF_(_clip_layout_)
#define DPPAIR_NAME_clip_open_ DPPAIR_NAME_OF_(_clip_open_)
#define DPPAIR_NAME_clip_open_cache_ DPPAIR_NAME_OF_(_clip_open_cache_)
#define DPPAIR_NAME_clip_rows_ DPPAIR_NAME_OF_(_clip_rows_)
#define DPPAIR_NAME_clip_scores_ DPPAIR_NAME_OF_(_clip_scores_)
#define DPPAIR_NAME_clip_workspace DPPAIR_NAME_OF_(_clip_workspace)
#define DPPAIR_NAME_coeffs DPPAIR_NAME_OF_(_coeffs)
#define DPPAIR_NAME_coeffs_fast DPPAIR_NAME_OF_(_coeffs_fast)
#define DPPAIR_NAME_sketch_block_ DPPAIR_NAME_OF_(_sketch_block_)
#define DPPAIR_NAME_sketch_close_ DPPAIR_NAME_OF_(_sketch_close_)
#define DPPAIR_NAME_sketch_workspace DPPAIR_NAME_OF_(_sketch_workspace)
#define DPPAIR_NAME_sums_init DPPAIR_NAME_OF_(_sums_init)
#define DPPAIR_NAME_sums_workspace DPPAIR_NAME_OF_(_sums_workspace)
#define DPPAIR_NAME_fast_run_ DPPAIR_NAME_OF_(_fast_run_)
#define DPPAIR_NAME_weighted DPPAIR_NAME_OF_(_weighted)
#define DPPAIR_NAME_own DPPAIR_NAME_OF_(_own)
#define DPPAIR_NAME_across_one_ DPPAIR_NAME_OF_(_across_one_)
#define DPPAIR_NAME_weighted_ DPPAIR_NAME_OF_(_weighted_)
#define DPPAIR_NAME_weighted_coeffs DPPAIR_NAME_OF_(_weighted_coeffs)
#define DPPAIR_NAME_release_units_ DPPAIR_NAME_OF_(_release_units_)
#define DPPAIR_NAME_release_queries_ DPPAIR_NAME_OF_(_release_queries_)
#define DPPAIR_NAME_units_ DPPAIR_NAME_OF_(_units_)
#define DPPAIR_NAME_rounding_ DPPAIR_NAME_OF_(_rounding_)
#define DPPAIR_NAME_unit_allowance_ DPPAIR_NAME_OF_(_unit_allowance_)
#define DPPAIR_NAME_few_ DPPAIR_NAME_OF_(_few_)
#define DPPAIR_NAME_across_ DPPAIR_NAME_OF_(_across_)
#define DPPAIR_NAME_within_ DPPAIR_NAME_OF_(_within_)
#define DPPAIR_NAME_coeffs_part DPPAIR_NAME_OF_(_coeffs_part)
#define DPPAIR_NAME_fast_init DPPAIR_NAME_OF_(_fast_init)
#define DPPAIR_NAME_fast_limits_ DPPAIR_NAME_OF_(_fast_limits_)
#define DPPAIR_NAME_fast_table_ DPPAIR_NAME_OF_(_fast_table_)
#define DPPAIR_NAME_fast_is_own_ DPPAIR_NAME_OF_(_fast_is_own_)
#define DPPAIR_NAME_fast_is_proved_ DPPAIR_NAME_OF_(_fast_is_proved_)
#define DPPAIR_NAME_fast_ready_ DPPAIR_NAME_OF_(_fast_ready_)
#define DPPAIR_NAME_fast_gradient_ DPPAIR_NAME_OF_(_fast_gradient_)
#define DPPAIR_NAME_fast_coeffs_ DPPAIR_NAME_OF_(_fast_coeffs_)
#define DPPAIR_NAME_fast_own_ DPPAIR_NAME_OF_(_fast_own_)
#define DPPAIR_NAME_fast_seal_ DPPAIR_NAME_OF_(_fast_seal_)
#define DPPAIR_NAME_sums_seal_ DPPAIR_NAME_OF_(_sums_seal_)
#define DPPAIR_NAME_fast_state_ DPPAIR_NAME_OF_(_fast_state_)
#define DPPAIR_NAME_fast_loss_ DPPAIR_NAME_OF_(_fast_loss_)
#define DPPAIR_NAME_fast_weight_ DPPAIR_NAME_OF_(_fast_weight_)
#define DPPAIR_NAME_fast_workspace DPPAIR_NAME_OF_(_fast_workspace)
#define DPPAIR_NAME_gradient DPPAIR_NAME_OF_(_gradient)
#define DPPAIR_NAME_gradient_check_ DPPAIR_NAME_OF_(_gradient_check_)
#define DPPAIR_NAME_gradient_clip_ DPPAIR_NAME_OF_(_gradient_clip_)
#define DPPAIR_NAME_gradient_layout_ DPPAIR_NAME_OF_(_gradient_layout_)
#define DPPAIR_NAME_gradient_open_ DPPAIR_NAME_OF_(_gradient_open_)
#define DPPAIR_NAME_pairs DPPAIR_NAME_OF_(_pairs)
#define DPPAIR_NAME_price_ DPPAIR_NAME_OF_(_price_)
#define DPPAIR_NAME_range_must_be_in_brackets_ DPPAIR_NAME_OF_(_range_must_be_in_brackets_)
#define DPPAIR_NAME_release DPPAIR_NAME_OF_(_release)
#define DPPAIR_NAME_release_work_ DPPAIR_NAME_OF_(_release_work_)
#define DPPAIR_NAME_gradient_rest_ DPPAIR_NAME_OF_(_gradient_rest_)
#define DPPAIR_NAME_moves_ DPPAIR_NAME_OF_(_moves_)
#define DPPAIR_NAME_release_explain DPPAIR_NAME_OF_(_release_explain)
#define DPPAIR_NAME_release_explain_ DPPAIR_NAME_OF_(_release_explain_)
#define DPPAIR_NAME_release_scores DPPAIR_NAME_OF_(_release_scores)
#define DPPAIR_NAME_release_scores_open_ DPPAIR_NAME_OF_(_release_scores_open_)
#define DPPAIR_NAME_release_scores_work_ DPPAIR_NAME_OF_(_release_scores_work_)
#define DPPAIR_NAME_release_scores_workspace DPPAIR_NAME_OF_(_release_scores_workspace)
#define DPPAIR_NAME_release_nulls_ DPPAIR_NAME_OF_(_release_nulls_)
#define DPPAIR_NAME_release_open_ DPPAIR_NAME_OF_(_release_open_)
#define DPPAIR_NAME_release_vector DPPAIR_NAME_OF_(_release_vector)
#define DPPAIR_NAME_risk_not_private DPPAIR_NAME_OF_(_risk_not_private)
#define DPPAIR_NAME_room_ DPPAIR_NAME_OF_(_room_)
#define DPPAIR_NAME_scaled_row_ DPPAIR_NAME_OF_(_scaled_row_)
#define DPPAIR_NAME_sensitivity DPPAIR_NAME_OF_(_sensitivity)
#define DPPAIR_NAME_slopes_ DPPAIR_NAME_OF_(_slopes_)
#define DPPAIR_NAME_spot_ DPPAIR_NAME_OF_(_spot_)
#define DPPAIR_NAME_allowance DPPAIR_NAME_OF_(_allowance)
#define DPPAIR_NAME_there_ DPPAIR_NAME_OF_(_there_)
#define DPPAIR_NAME_tiles_limit_ DPPAIR_NAME_OF_(_tiles_limit_)
#define DPPAIR_NAME_tiles_margin_ DPPAIR_NAME_OF_(_tiles_margin_)
#define DPPAIR_NAME_tiles_pack_ DPPAIR_NAME_OF_(_tiles_pack_)
#define DPPAIR_NAME_tiles_spared_ DPPAIR_NAME_OF_(_tiles_spared_)
#define DPPAIR_NAME_linear_combine_ DPPAIR_NAME_OF_(_linear_combine_)
#define DPPAIR_NAME_linear_scores_ DPPAIR_NAME_OF_(_linear_scores_)
#define DPPAIR_NAME_workspace DPPAIR_NAME_OF_(_workspace)

/* An instance on one tier. */
#define DPPAIR_NAME_add_to_TIER_ DPPAIR_NAME_TIER_OF_(_add_to_)
#define DPPAIR_NAME_against_TIER_ DPPAIR_NAME_TIER_OF_(_against_)
#define DPPAIR_NAME_block_TIER_ DPPAIR_NAME_TIER_OF_(_block_)
#define DPPAIR_NAME_clip_all_TIER_ DPPAIR_NAME_TIER_OF_(_clip_all_)
#define DPPAIR_NAME_clip_cache_TIER DPPAIR_NAME_TIER_OF_(_clip_cache)
#define DPPAIR_NAME_clip_caps_TIER_ DPPAIR_NAME_TIER_OF_(_clip_caps_)
#define DPPAIR_NAME_clip_coeffs_TIER DPPAIR_NAME_TIER_OF_(_clip_coeffs)
#define DPPAIR_NAME_clip_dots_TIER_ DPPAIR_NAME_TIER_OF_(_clip_dots_)
#define DPPAIR_NAME_clip_hold_TIER_ DPPAIR_NAME_TIER_OF_(_clip_hold_)
#define DPPAIR_NAME_clip_norms_TIER_ DPPAIR_NAME_TIER_OF_(_clip_norms_)
#define DPPAIR_NAME_clip_slopes_TIER_ DPPAIR_NAME_TIER_OF_(_clip_slopes_)
#define DPPAIR_NAME_clip_store_TIER_ DPPAIR_NAME_TIER_OF_(_clip_store_)
#define DPPAIR_NAME_clip_sums_TIER_ DPPAIR_NAME_TIER_OF_(_clip_sums_)
#define DPPAIR_NAME_clip_weigh_TIER_ DPPAIR_NAME_TIER_OF_(_clip_weigh_)
#define DPPAIR_NAME_clip_widen_TIER_ DPPAIR_NAME_TIER_OF_(_clip_widen_)
#define DPPAIR_NAME_coeffs_TIER DPPAIR_NAME_TIER_OF_(_coeffs)
#define DPPAIR_NAME_own_TIER DPPAIR_NAME_TIER_OF_(_own)
#define DPPAIR_NAME_lanes_TIER_ DPPAIR_NAME_TIER_OF_(_lanes_)
#define DPPAIR_NAME_lanes_fill_TIER_ DPPAIR_NAME_TIER_OF_(_lanes_fill_)
#define DPPAIR_NAME_lanes_sum_TIER_ DPPAIR_NAME_TIER_OF_(_lanes_sum_)
#define DPPAIR_NAME_weighted_few_TIER_ DPPAIR_NAME_TIER_OF_(_weighted_few_)
#define DPPAIR_NAME_weighted_TIER DPPAIR_NAME_TIER_OF_(_weighted)
#define DPPAIR_NAME_far_rows_TIER_ DPPAIR_NAME_TIER_OF_(_far_rows_)
#define DPPAIR_NAME_farthest_TIER_ DPPAIR_NAME_TIER_OF_(_farthest_)
#define DPPAIR_NAME_packed_norms_TIER_ DPPAIR_NAME_TIER_OF_(_packed_norms_)
#define DPPAIR_NAME_packed_top_TIER_ DPPAIR_NAME_TIER_OF_(_packed_top_)
#define DPPAIR_NAME_pairs_TIER DPPAIR_NAME_TIER_OF_(_pairs)
#define DPPAIR_NAME_risk_not_private_TIER DPPAIR_NAME_TIER_OF_(_risk_not_private)
#define DPPAIR_NAME_row_block_TIER_ DPPAIR_NAME_TIER_OF_(_row_block_)
#define DPPAIR_NAME_rows_TIER_ DPPAIR_NAME_TIER_OF_(_rows_)
/* ---- src/simd/row_names.h -------------------------------------------------------------------
 * Names of code for rows, and of what is compiled once per type of rows
 *
 * As in simd/names.h.
 * ---------------------------------------------------------------------------------------------- */

/* Rows times a vector: rows/kernels_f64.h, rows/kernels_f32.h. */
#define dpv_row1 DPPAIR_V_(row1)
#define dpv_row_end DPPAIR_V_(row_end)
#define dpv_rows8 DPPAIR_V_(rows8)
#define dpv_sums8 DPPAIR_V_(sums8)
#define dppair_scale_f64_TIER DPPAIR_TIER_OF_(dppair_scale_f64)
#define dppair_scale_f32_TIER DPPAIR_TIER_OF_(dppair_scale_f32)
#define dppair_scores_f64_TIER DPPAIR_TIER_OF_(dppair_scores_f64)
#define dppair_scores_f32_TIER DPPAIR_TIER_OF_(dppair_scores_f32)
#define dppair_combine_f64_TIER DPPAIR_TIER_OF_(dppair_combine_f64)
#define dppair_combine_f32_TIER DPPAIR_TIER_OF_(dppair_combine_f32)
#define dppair_sum_f64_TIER DPPAIR_TIER_OF_(dppair_sum_f64)
#define dppair_sum_f32_TIER DPPAIR_TIER_OF_(dppair_sum_f32)

/* The same once per type of rows: rows/dots_kernels.h, combine_kernels.h, sums_kernels.h. Rows of
 * double and float have no suffix of their own; rows/types.h sets that of the others. */
#define DPPAIR_ROW_SUFFIX_ DPPAIR_SUFFIX_
#define DPPAIR_R_(op) DPPAIR_V2_(op, DPPAIR_ROW_SUFFIX_)
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW /* but f64, then f32 where dppair.h compiles these */
#define DPPAIR_ROW_KIND_ DPPAIR_WORD_(DPPAIR_ROW_TYPE_, 9)
#define DPPAIR_ROW_OF_(name) DPPAIR_CAT(DPPAIR_CAT(name, _), DPPAIR_ROW_TYPE_)
#define DPPAIR_ROW_TIER_OF_(name) DPPAIR_TIER_OF_(DPPAIR_ROW_OF_(name))
#define dpv_ahead DPPAIR_R_(ahead)
#define dpv_chains DPPAIR_R_(chains)
#define dpv_combine DPPAIR_R_(combine)
#define dpv_dot_end DPPAIR_R_(dot_end)
#define dpv_dot_row DPPAIR_R_(dot_row)
#define dpv_dots DPPAIR_R_(dots)
#define dpv_held_products DPPAIR_R_(held_products)
#define dpv_rest DPPAIR_R_(rest)
#define dpv_row DPPAIR_R_(row)
#define dpv_scores DPPAIR_R_(scores)
#define dpv_some DPPAIR_R_(some)
#define dpv_sum_rows DPPAIR_R_(sum_rows)
#define dpv_tick_rows DPPAIR_R_(tick_rows)
#define dpv_ticks DPPAIR_R_(ticks)
#define dpv_last DPPAIR_R_(last)
#define dpv_numbers DPPAIR_R_(numbers)
#define dpv_wide DPPAIR_R_(wide)
#define dpv_wide4 DPPAIR_R_(wide4)
#define dpv_wide8 DPPAIR_R_(wide8)
#define dppair_scores_ROW_TIER DPPAIR_ROW_TIER_OF_(dppair_scores)
#define dppair_combine_ROW_TIER DPPAIR_ROW_TIER_OF_(dppair_combine)
#define dppair_sum_ROW_TIER DPPAIR_ROW_TIER_OF_(dppair_sum)

/* A type of rows: rows/template.h, rows/quantise.h. */
#define dppair_rows_ROW DPPAIR_ROW_OF_(dppair_rows)
#define dppair_rows_make_ROW DPPAIR_ROW_OF_(dppair_rows_make)
#define dppair_present_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_present), _)
#define dppair_rows_clip_ROW DPPAIR_ROW_OF_(dppair_rows_clip)
#define dppair_rows_quantise_ROW_f32 DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_quantise), _f32)
#define dppair_rows_quantise_ROW_f64 DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_quantise), _f64)
#define dppair_rows_short_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_short), _)
#define dppair_gather_ROW DPPAIR_ROW_OF_(dppair_gather)
#define dppair_rows_by_hand_ROW DPPAIR_ROW_OF_(dppair_rows_by_hand)
#define dppair_gather_weighted_ROW DPPAIR_ROW_OF_(dppair_gather_weighted)
#define dppair_scores_ROW DPPAIR_ROW_OF_(dppair_scores)
#define dppair_combine_ROW DPPAIR_ROW_OF_(dppair_combine)
#define dppair_sum_combine_ROW DPPAIR_ROW_OF_(dppair_sum_combine)
#define dppair_element_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_element), _)
#define dppair_cut_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_cut), _)
#define DPPAIR_LARGEST_ROW_ DPPAIR_ROW_OF_(DPPAIR_LARGEST)
#define dppair_quantise_row_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_quantise_row), _)
#define dppair_quantise_rows_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_quantise_rows), _)
#define dppair_sum_ROW DPPAIR_ROW_OF_(dppair_sum)
#define dppair_number_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_number), _)
#define dppair_reach_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_reach), _)
#define dppair_row_square_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_row_square), _)
#define dppair_row_factors_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_row_factors), _)
#define dppair_sum_rows_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_sum_rows), _)
#define dppair_rows_check_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_check), _)
#define dppair_rows_apart_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_apart), _)
#define dppair_rows_part_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_part), _)
#define dppair_rows_scores_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_scores), _)
#define dppair_rows_combine_ROW_ DPPAIR_CAT(DPPAIR_ROW_OF_(dppair_rows_combine), _)
/* ---- src/pairs/fast_state.h -----------------------------------------------------------------
 * Near-linear coefficients: kinds of losses and the state
 *
 * The types that sorting (sorted.h) and boxes (box.h, box_kernels.h) share, and the words with
 * which a loss describes its slope. It relies on core/checks.h.
 *
 * A loss L has one macro L_KIND beside L_VALUE and L_SLOPE. It says whether sums over all partners
 * can be computed without visiting all pairs, and why:
 *
 *   #define L_KIND dppair_pairs         nothing is known of the slope: exact quadratic loops
 *   #define L_KIND dppair_piecewise     the slope is piecewise linear:
 *   #define L_PIECES(p) {{knot, constant, factor, closed}, ...}     dppair_piece, at most 8
 *       slope(u) = sum over pieces with u < knot (u <= knot when closed) of constant + factor u;
 *       knot may be HUGE_VAL: always. Knots are compared in the element type, as the loops do.
 *   #define L_KIND dppair_analytic      the slope is a scaled logistic function or its derivative:
 *   #define L_POLES(p) {distance, strength, order}                  dppair_poles
 *       slope(u) = constant +- strength f(pi u/distance), f(t) = 1/(1 + e^-t) for order 1 and
 *       f(t) (1 - f(t)) for order 2: poles of that order at odd multiples of i distance.
 *   #define L_KIND dppair_rowwise       no sum over pairs: dppair_contrast.h
 *
 * A loss may also say that the slope of a pair is a function of a product of two factors. The pair
 * loops then take one exponential per record instead of one per pair, for scores of size at most 43
 * (float) or 350 (double):
 *
 *   #define L_SPLIT dppair_split        slope(s - s') = L_JOIN(L_FACTOR(s, p) L_FACTOR(-s', p), p)
 * ---------------------------------------------------------------------------------------------- */

/* One piece of a piecewise linear slope: see L_PIECES above. */
typedef struct dppair_piece {
  double knot, constant, factor;
  int closed;
} dppair_piece;

/* What the pieces without a knot add to the slope of every pair, constant + factor u; whether there
 * are pieces with a knot, and whether one of those needs sums of scores. */
typedef struct dppair_always_ {
  double constant, factor;
  int knots, sums;
} dppair_always_;

/* The poles of an analytic slope: see L_POLES above. */
typedef struct dppair_poles {
  double distance, strength;
  int order;
} dppair_poles;

/* How far the coefficients of an analytic loss may be from exact, per pair: 8, 12 or 16 terms,
 * whose error is kernel_error of dppair_fast. Piecewise linear losses are always exact. */
typedef enum dppair_accuracy {
  DPPAIR_ACCURACY_1E6 = 0,
  DPPAIR_ACCURACY_1E9 = 1,
  DPPAIR_ACCURACY_1E12 = 2
} dppair_accuracy;

/*
 * The prepared state of NAME_coeffs_fast, made by NAME_fast_init in the caller's workspace. It can
 * be used for any number of calls, by one thread at a time. All fields are read-only for callers.
 *
 * kernel_error   E. For an analytic loss the result is, but for rounding, the pair sum of another
 *                slope K(s, s') with |K(s, s') - slope(s - s')| <= E for all scores. K is a fixed
 *                function of the two scores alone, on a grid fixed in score coordinates. So any
 *                sensitivity proof that uses only the range of the slope holds with that range
 *                widened by E at both ends (NAME_allowance). 0 for piecewise linear losses.
 * weight         the unit of rounding: per partner a coefficient is off by at most a small multiple
 *                of weight 2^-53; NAME_allowance has the whole bound.
 * score_cap      a public number. A score beyond it counts as the cap, so K(s, s') is that of the
 *                capped scores: a fixed function of the two with the same range. Sensitivities
 *                still hold, and no status depends on a score; only the coefficients of such scores
 *                are no longer those of phi.
 * run            the method. It is called through the state, so that a program that prepares none
 *                compiles no boxes and no sorting. weight: NULL, or the weights of both sides, as
 *                in dppair_rows: then each sum is over weighted partners, times the own weight.
 * order_free     1: that of an analytic loss, or made by NAME_sums_init. Sums are of integers, so
 *                bits depend on no order, and coefficients can be computed in chunks
 *                (dppair_scale.h).
 * most           a public bound of the number of records in all
 * slope          of an order-free state: a public bound of |K|, so that a coefficient is at most
 *                most slope
 * loss, digest   digests of the loss with its parameters, and of this state: who takes a state
 *                compares both, so one of another loss, or that was changed, is refused
 * owner          the instance that made it. What follows are that instance's functions, by which
 *                NAME_gradient, NAME_sensitivity and NAME_weighted_coeffs compute with it: a
 *                program that prepares no state compiles none of them
 */
struct dppair_fast;
struct dppair_options;
typedef dppair_status dppair_fast_run_(double *a, double *b, const void *sp, size_t np,
                                       const void *sn, size_t nn, const struct dppair_fast *f,
                                       const dppair_piece *pieces, int count, int is_f32,
                                       const double *const *weight);
/* The methods of an order-free state: count the scores of some records, close, read
 * coefficients. */
struct dppair_sketch;
typedef void dppair_sketch_count_(struct dppair_sketch *m, const void *s, size_t n,
                                  size_t positives, const double *weight,
                                  const struct dppair_fast *f, int is_f32);
typedef void dppair_sketch_close_(struct dppair_sketch *m, const struct dppair_fast *f,
                                  const dppair_piece *pieces, int count, int is_f32);
typedef void dppair_sketch_read_(double *c, const void *s, size_t n, size_t positives,
                                 const double *weight, const struct dppair_sketch *m,
                                 const struct dppair_fast *f, int is_f32);
/* The functions of an instance: the bytes of a gradient that is a sum of integers, and that
 * gradient; coefficients of either side; whether the state is of the loss at these parameters
 * (proved: its limits too); dppair_sums_allowance_. */
typedef dppair_status dppair_fast_bytes_(size_t *bytes, size_t n, size_t d,
                                         const struct dppair_options *options);
typedef dppair_status dppair_fast_gradient_(double *g, const void *rows, const void *w,
                                            const struct dppair_options *options);
typedef dppair_status dppair_fast_coeffs_(double *a, double *b, const void *sp, size_t np,
                                          const void *sn, size_t nn, const double *params,
                                          const struct dppair_fast *f, const double *const *weight);
typedef int dppair_fast_own_(const struct dppair_fast *f, const double *params, int proved);
/* Slopes of the loss at 16 margins: whether who made a state or a clip had this loss. */
typedef dppair_status dppair_probe_(double *slope, const double *margin, const double *params);
typedef dppair_status dppair_fast_allowance_(double *factor, double *rounding,
                                             const struct dppair_fast *f, double epsilon, size_t d,
                                             double count, double mass, double spread,
                                             double radius, double slope);
typedef struct dppair_fast {
  int kind, terms, stride, reach;
  size_t capacity; /* records that sorting has room for, or boxes */
  double width, score_cap, low, high, kernel_error, weight;
  double *table, *work;
  dppair_fast_run_ *run;
  int order_free;
  uint64_t most;
  double slope, centre; /* centre: K at margin 0, as the table has it */
  uint64_t loss, digest;
  size_t cells, words, room; /* of dppair_sketch: cells of a class, words, numbers beside them */
  dppair_sketch_count_ *count;
  dppair_sketch_close_ *close;
  dppair_sketch_read_ *read;
  uint64_t owner;
  dppair_fast_bytes_ *bytes;
  dppair_fast_gradient_ *gradient;
  dppair_fast_coeffs_ *coeffs;
  dppair_fast_own_ *own;
  dppair_probe_ *probe;
  dppair_fast_allowance_ *allowance;
} dppair_fast;

/* out[i] = a derivative of the loss at u[i], i < n, a multiple of 8: slope_table.h. */
typedef void dppair_derivative_(double *out, const double *u, size_t n, const double *params);

/* The boxes that a call uses: `count` of this width, which cover scores in [low, high]. `first` has
 * the bits of the number of the first box. hold: scores outside exist and count as low or high. */
typedef struct dppair_boxes_ {
  double low, high, width;
  uint64_t first;
  size_t count;
  int hold;
} dppair_boxes_;

/* The sorted scores of one class and the grid that finds places in them: bucket b has the keys from
 * start[b] to start[b + 1]. */
typedef struct dppair_grid_ {
  double *key, *sum, *mass; /* n scores and two guards; n + 1 prefix sums, and those of weights */
  uint32_t *start, *bucket;
  size_t n;
  double low, span, scale;
} dppair_grid_;

/* Users of at most DPPAIR_OWN_ records in each class fill lanes; of others, at most DPPAIR_LEFT_
 * are listed at a time. */
#define DPPAIR_OWN_ 8
#define DPPAIR_LEFT_ 128

/* A weight as it counts: held within [0, 1], NaN as 0. */
DPPAIR_FN_ double dppair_share_(double weight) {
  return weight > 0.0 ? (weight < 1.0 ? weight : 1.0) : 0.0;
}

/* Sums up `count` pieces. */
DPPAIR_FN_ dppair_always_ dppair_pieces_always_(const dppair_piece *pieces, int count) {
  dppair_always_ all = {0.0, 0.0, 0, 0};
  int k;
  for (k = 0; k < count; k++) {
    const int always = !dppair_isfinite_f64(pieces[k].knot);
    all.constant += always ? pieces[k].constant : 0.0;
    all.factor += always ? pieces[k].factor : 0.0;
    all.knots |= !always;
    all.sums |= !always && pieces[k].factor != 0.0;
  }
  return all;
}

/* The bytes of workspace of a piecewise linear loss for n records. */
DPPAIR_FN_ size_t dppair_grid_bytes_(size_t n) {
  return (3 * n + 4) * sizeof(double) + (3 * n + 4) * sizeof(uint32_t) + 64;
}

/* Sets the arrays of *g to their places in that workspace. */
DPPAIR_FN_ void dppair_grid_layout_(dppair_grid_ *g, const dppair_fast *f) {
  g->sum = f->work;
  g->key = g->sum + f->capacity + 1;
  g->mass = g->key + f->capacity + 2;
  g->start = (uint32_t *)(void *)(g->mass + f->capacity + 1);
  g->bucket = g->start + 2 * f->capacity + 3;
}

#define DPPAIR_KIND_PAIRS_ 0
#define DPPAIR_KIND_PIECEWISE_ 1
#define DPPAIR_KIND_ANALYTIC_ 2
#define DPPAIR_KIND_ROWWISE_ 3

/* Words that parameters of the template may be, for DPPAIR_WORD_. */
#define DPPAIR_PROBE_float ~, 0
#define DPPAIR_PROBE_double ~, 1
#define DPPAIR_PROBE_dppair_pairs ~, 0
#define DPPAIR_PROBE_dppair_piecewise ~, 1
#define DPPAIR_PROBE_dppair_analytic ~, 2
#define DPPAIR_PROBE_dppair_rowwise ~, 3
#define DPPAIR_PROBE_dppair_split ~, 1

/* DPPAIR_ITEMS_(x): 2 where x is two or three items in brackets, 9 for one or four of them,
 * 0 where x is not in brackets. */
#define DPPAIR_ITEMS_(x) DPPAIR_WORD_1_(DPPAIR_ITEMS_1_ x, 0, ~)
#define DPPAIR_ITEMS_1_(...) ~, DPPAIR_FIFTH_(__VA_ARGS__, 9, 2, 2, 9, ~)
#define DPPAIR_FIFTH_(a, b, c, d, e, ...) e

/* What x expands to, as a string. */
#define DPPAIR_TEXT_(...) DPPAIR_TEXT_1_(__VA_ARGS__)
#define DPPAIR_TEXT_1_(...) #__VA_ARGS__
/* ---- src/pairs/sketch_state.h ---------------------------------------------------------------
 * Moments without order: the state
 *
 * What sums over all partners read of the records, class by class, as integers of 128 bits: of an
 * analytic loss the moments of boxes (sketch_kernels.h), of a piecewise linear one what a grid
 * counts. Each record adds numbers that are rounded to multiples of 2^-50 by itself. So any split
 * of the records into chunks, in any order, on any tier that fuses products, gives the same bits.
 * It relies on core/words.h, core/bits.h and fast_state.h.
 *
 * Records add to sums of 64 bits at first, in copies, so that neighbours in a box do not wait for
 * each other. A record adds at most 2^50 to a sum; those of DPPAIR_SKETCH_FLUSH_ records stay
 * below 2^63 in all copies together, and then go to 128 bits.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_SKETCH_UNIT_ 8.8817841970012523e-16 /* 2^-50 */
#define DPPAIR_SKETCH_COPIES_ 4
#define DPPAIR_SKETCH_FLUSH_ 8184 /* a multiple of 8 below 2^13 */

/* Moments of records, opened by NAME_sketch_open in the caller's workspace. */
typedef struct dppair_sketch {
  uint64_t count[2];    /* the positives and the negatives that were added */
  uint64_t users;     /* that NAME_chunk_sketch added, where groups are users; else 0 */
  uint64_t digest;      /* of w, radius and state, where NAME_chunk_sketch made them; else 0 */
  uint64_t serial;      /* of the rows' draw, where NAME_chunk_sketch made them; else 0 */
  double radius;        /* of the rows, where NAME_chunk_sketch made them; else 0 */
  uint64_t state;       /* a digest of the state that they are opened for */
  size_t cells;         /* of each class */
  size_t low, high;     /* the cells that have words: all, but in a gradient those in use */
  size_t all;           /* the number of words */
  uint64_t *words;      /* all / 2 integers of 128 bits, low word first: what travels between ranks,
                      * with the counts (dppair_words_add) */
  uint64_t *partial;    /* sums of 64 bits that are not in `words` yet; none after a public call */
  double *coefficients; /* what NAME_sketch_finish makes */
  size_t pending[2], first[2], end[2]; /* records in `partial`, and its cells that are in use */
  int finished; /* 1: nothing can be added any more; -1: spoiled by an error */
} dppair_sketch;

/* Sums of class `side` begin here: in integers of 128 bits for `words`, in numbers for one copy. */
DPPAIR_FN_ size_t dppair_sketch_at_(const dppair_sketch *m, const dppair_fast *f, int side,
                                    size_t cell) {
  return ((side ? m->cells : 0) + cell) * (size_t)f->stride;
}

/* Zeroes the words of cells from `first` up to `end`. */
DPPAIR_FN_ void dppair_sketch_zero_(dppair_sketch *m, const dppair_fast *f, size_t first,
                                    size_t end) {
  const size_t size = 2 * (end - first) * (size_t)f->stride * sizeof *m->words;
  int side;
  for (side = 0; side < 2; side++)
    memset(m->words + 2 * dppair_sketch_at_(m, f, side, first), 0, size);
}

/* Gives words to the cells from `first` up to `end`, and to those between them and others. */
DPPAIR_FN_ void dppair_sketch_hold_(dppair_sketch *m, const dppair_fast *f, size_t first,
                                    size_t end) {
  if (m->low == m->high) m->low = m->high = first;
  if (first < m->low) {
    dppair_sketch_zero_(m, f, first, m->low);
    m->low = first;
  }
  if (end > m->high) {
    dppair_sketch_zero_(m, f, m->high, end);
    m->high = end;
  }
}

/* Adds what is pending of class `side` to the words. */
DPPAIR_FN_ void dppair_sketch_settle_side_(dppair_sketch *m, const dppair_fast *f, int side) {
  const size_t stride = (size_t)f->stride, terms = (size_t)f->terms;
  size_t cell, k;
  if (m->first[side] < m->end[side]) dppair_sketch_hold_(m, f, m->first[side], m->end[side]);
  for (cell = m->first[side]; cell < m->end[side]; cell++) {
    const size_t at = dppair_sketch_at_(m, f, side, cell);
    const uint64_t *from = m->partial + DPPAIR_SKETCH_COPIES_ * at;
    for (k = 0; k < terms; k++)
      dppair_word_add_(m->words + 2 * (at + k),
                       from[k] + from[stride + k] + from[2 * stride + k] + from[3 * stride + k]);
  }
  m->pending[side] = 0;
  m->first[side] = m->end[side] = 0;
}
DPPAIR_FN_ void dppair_sketch_settle_(dppair_sketch *m, const dppair_fast *f) {
  dppair_sketch_settle_side_(m, f, 0);
  dppair_sketch_settle_side_(m, f, 1);
}

/* Makes room for at most DPPAIR_SKETCH_FLUSH_ more records of class `side` in the cells from
 * `first` up to `end`. Cells that come into use are zeroed; others are not touched. */
DPPAIR_FN_ void dppair_sketch_cover_(dppair_sketch *m, const dppair_fast *f, int side, size_t first,
                                     size_t end, size_t records) {
  const size_t cell = DPPAIR_SKETCH_COPIES_ * (size_t)f->stride;
  uint64_t *base;
  if (records > DPPAIR_SKETCH_FLUSH_ - m->pending[side]) dppair_sketch_settle_side_(m, f, side);
  if (m->first[side] == m->end[side]) m->first[side] = m->end[side] = first;
  base = m->partial + DPPAIR_SKETCH_COPIES_ * dppair_sketch_at_(m, f, side, 0);
  if (first < m->first[side]) {
    memset(base + first * cell, 0, (m->first[side] - first) * cell * sizeof *base);
    m->first[side] = first;
  }
  if (end > m->end[side]) {
    memset(base + m->end[side] * cell, 0, (end - m->end[side]) * cell * sizeof *base);
    m->end[side] = end;
  }
  m->pending[side] += records;
}
/* ---- src/core/norm.h ------------------------------------------------------------------------
 * The Euclidean norm
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The Euclidean norm of x[0..n), without overflow or underflow on the way; HUGE_VAL where a number
 * is not finite. */
DPPAIR_API double dppair_norm_f64(const double *x, size_t n) {
  double top = 0.0, sum = 0.0;
  size_t i;
  if (!dppair_all_finite_f64(x, n)) return HUGE_VAL;
  for (i = 0; i < n; i++) top = dppair_fabs_(x[i]) > top ? dppair_fabs_(x[i]) : top;
  if (!(top > 0.0)) return 0.0;
  for (i = 0; i < n; i++) sum += (x[i] / top) * (x[i] / top);
  return top * dppair_sqrt_(sum);
}

DPPAIR_FP_END_

/* 3. Per tier and type: the vectors, and the kernels that no loss enters. */

#define DPPAIR_BODY_VECTORS_ 1 /* once per tier and type */
#define DPPAIR_BODY_PAIRS_ 2   /* once per instance and tier, in the type of the instance */
#define DPPAIR_BODY_ROWS_ 3    /* once per type of rows that DPPAIR_ROW asks for, tier and type */
#define DPPAIR_BODY_BLOCKS_ 4  /* once per type of rows: the functions that call its kernels */
#define DPPAIR_BODY_MODULE_ 5  /* of a module alone: once per tier, in double */

#define DPPAIR_STAGE_STATES_ 1 /* of an instance: its states, before any body, as in 6 */
#define DPPAIR_STAGE_BODIES_ 2 /* its loops, for one tier, in the type of the instance, as in 7 */
#define DPPAIR_STAGE_FUNCTIONS_ 3 /* the functions that call them, as in 8 */
#define DPPAIR_STAGE_RELEASES_ 4  /* its releases, where there are any */
#define DPPAIR_STAGE_TABLE_ 5     /* between 2 and 3, of an analytic loss: on one double */
#define DPPAIR_STAGE_KERNELS_ 6   /* of no instance: what the module itself has for one tier */

/* ---- src/core/tasks.h -----------------------------------------------------------------------
 * Tasks and threads
 *
 * The caller chooses the number of tasks into which work is cut. Their results are joined in a fixed
 * order, so the result depends on their number and never on threads. This header starts no thread:
 * an executor calls task(context, k) for every k < count, in any order, from any threads, and
 * returns when all calls have returned. dppair_run_serial is one; one over OpenMP or your own pool
 * of threads is a few lines:
 *
 *   void run_openmp(dppair_task *task, void *context, size_t count, void *self) {
 *   #pragma omp parallel for schedule(static)
 *     for (long k = 0; k < (long)count; k++) task(context, (size_t)k);
 *   }
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Does task number k of some work. */
typedef void dppair_task(void *context, size_t k);
/* Calls task(context, k) once for every k < count, and returns when all calls have. self is what
 * dppair_tasks holds. */
typedef void dppair_executor(dppair_task *task, void *context, size_t count, void *self);
typedef struct dppair_tasks {
  size_t count;         /* 1 or more */
  dppair_executor *run; /* NULL: dppair_run_serial */
  void *self;           /* handed to run */
} dppair_tasks;

/* The executor that does one task after the other. */
DPPAIR_API void dppair_run_serial(dppair_task *task, void *context, size_t count, void *self) {
  size_t k;
  (void)self;
  for (k = 0; k < count; k++) task(context, k);
}

/* The first of n items that belongs to `part`, 0 <= part <= parts, parts >= 1; n for the last
 * part's end, part = parts. */
DPPAIR_FN_ size_t dppair_part_begin_(size_t n, size_t part, size_t parts) {
  return n / parts * part + (n % parts < part ? n % parts : part);
}

/* sum[k] += the results of parts 1, 2, ..., which are at sum + part * n, in this order; k < n. */
DPPAIR_API void dppair_tasks_join(double *sum, size_t n, size_t parts) {
  size_t part, k;
  for (part = 1; part < parts; part++)
    for (k = 0; k < n; k++) sum[k] += sum[part * n + k];
}

DPPAIR_FP_END_
/* ---- src/rows/once.h ------------------------------------------------------------------------
 * What all types of rows share, and sparse rows: once per translation unit
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/rows/table.h -----------------------------------------------------------------------
 * The functions of a kind of rows: what an instance calls, and where a further kind plugs in
 *
 * DPPAIR_ROW names the kind. Gradients, sums in chunks and releases of an instance read rows by the
 * functions of this table alone, which the compiler finds by that word: there is no pointer and no
 * branch. The types of rows/template.h have them all. Another kind K, say of sparse rows, is a
 * header of its own that is included after dppair.h and before its instances. It defines
 *
 *   DPPAIR_PROBE_K    the words  ~, 6  where scores, w and labels are float,  ~, 7  where double
 *   dppair_rows_K     a struct; at least n, d, positives, nulls, weight, radius, serial of
 *                     rows/template.h
 *
 *   dppair_rows_check_K_(rows)               whether they can be read: NULL, SIZE, OVERFLOW
 *   dppair_rows_apart_K_(g, size, rows)      OVERLAP where g shares memory with what is read
 *   dppair_present_K_(rows)                  the rows without the last ones, which are null
 *   dppair_rows_part_K_(part, rows, i, n)    rows i to i + n, with weights, and positives counted
 *   dppair_reach_K_(w, d, radius)            whether w is finite and no score can overflow
 *   dppair_rows_scores_K_(s, rows, w)        s[i] = factor[i] <row i, w>
 *   dppair_rows_combine_K_(g, rows, c)       g = the sum over i of c[i] factor[i] row i, d doubles
 *   dppair_sum_rows_K_(sum, rows, c)         the same into a dppair_sum, and its count grows by n
 *   dppair_scores_K, dppair_combine_K        two of these with checks, as in rows/template.h
 *   dppair_rows_short_K_(rows)               with DPPAIR_CHECK_ROWS alone, as there
 *
 * and for its users, as there, dppair_rows_clip_K (a factor is dppair_row_factor_ of a sum of
 * squares) and dppair_gather_K. The core calls neither.
 *
 * Contract. Sensitivities are proved from it (pairs/template.h, sensitivity.h):
 *
 *   status     check, apart and reach read sizes, addresses, radius and w, which are public, and
 *              nothing of a record. The others have no status: rows of _clip_K cannot fail in them
 *   row        at most d numbers, one in a column: where a format allows two, add them when the
 *              rows are made. A row times its factor is at most radius long in exact arithmetic
 *   score      a function of its row, its factor and w alone: not of its place, the part or n. Its
 *              products, their additions and the factor are rounded once each, in the type of w
 *   combine    an addend meets one product of c and factor, one with the number, and at most n - 1
 *              additions, each rounded once, in double
 *   sum        an addend is a function of its record: p = c held within +-(bound/radius), times
 *              factor, rounded once; then p x rounded to a multiple of the unit, ties to even, and
 *              added to words[2k], words[2k + 1] as an integer (dppair_word_add_)
 *
 * Rows with weights, groups, prepared states, parts, chunks and top-weighted losses need no more.
 * Pairs that are clipped, listed pairs, forms, row-wise losses and NAME_release_pointwise read the
 * numbers of dense rows: an instance of another kind has none of the last four, and a clip in its
 * pass is NO_PROOF.
 * ---------------------------------------------------------------------------------------------- */

#define DPPAIR_ROWS_ dppair_rows_ROW
#define DPT_DENSE (DPPAIR_ROW_KIND_ < 6)  /* dense rows, of the types of rows/template.h */
#define DPT_NARROW (DPPAIR_ROW_KIND_ > 1) /* rows are not of DPPAIR_REAL: tiles copy them */
#ifdef DPPAIR_CHECK_ROWS /* for debugging: the rows of a release are within their radius */
#define DPT_ROWS_SHORT(rows) dppair_rows_short_ROW_(rows)
#else
#define DPT_ROWS_SHORT(rows) DPPAIR_OK
#endif
#define DPT_SCORES dppair_scores_ROW
#define DPT_COMBINE dppair_combine_ROW
#define DPT_PRESENT dppair_present_ROW_
#define DPT_SUM_ROWS dppair_sum_rows_ROW_
#define DPT_REACH dppair_reach_ROW_
#define DPT_STORED dppair_element_ROW_ /* the type of a number in a dense row, */
#define DPT_NUMBER dppair_number_ROW_  /* and that number as a DPPAIR_REAL, exactly */

/* One gradient X+^T a + X-^T b in parts (pairs/parts.h). rows: all of them, in the instance's type.
 * Index 0 is the positive side, index 1 the negative one. s: scores, in the type of w; c:
 * coefficients a and b; g: partial sums. */
typedef struct dppair_linear_ {
  const void *rows, *w;
  void *s[2];
  double *c[2], *g;
  size_t n[2], d, parts;
} dppair_linear_;
/* ---- src/rows/block.h -----------------------------------------------------------------------
 * Blocks of rows, and the bound of their norms: what all types of rows share
 *
 * A block says where the records are, which of them are positives or what their labels are, and how
 * long a row can be. Clipping a row is one number, its factor: no row is copied or changed. A batch
 * is a block of copies. The functions of a type of rows are in rows/template.h. NOT PRIVATE:
 * factors and batches are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Words of DPPAIR_ROW, for DPPAIR_WORD_; the type of rows of scores of either type. */
#define DPPAIR_PROBE_f32 ~, 0
#define DPPAIR_PROBE_f64 ~, 1
#define DPPAIR_PROBE_bf16 ~, 2
#define DPPAIR_PROBE_f16 ~, 3
#define DPPAIR_PROBE_i16 ~, 4
#define DPPAIR_PROBE_i8 ~, 5
#define DPPAIR_ROW_OF_A_float f32
#define DPPAIR_ROW_OF_A_double f64

/* What an instance knows of the numbers in a row (rows/narrow.h has other types). */
typedef double dppair_element_f64_;
typedef float dppair_element_f32_;
#define dppair_number_f64_(v) (v)
#define dppair_number_f32_(v) (v)
#define DPPAIR_LARGEST_f64 0.0
#define DPPAIR_LARGEST_f32 0.0

/* The address of rows is kept, nothing is read: gcc need not warn of an array that is filled later.
 */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define DPPAIR_ROWS_LATER_ __attribute__((access(none, 1)))
#else
#define DPPAIR_ROWS_LATER_
#endif

/* The least factors of rows of double and of float. A row that is even longer has the factor 0:
 * then no product of a factor underflows in a way that matters, and no score of any other row
 * overflows unless |w| radius is beyond all reason, which is public. */
#define DPPAIR_LEAST_FACTOR_F64_ 7.458340731200207e-155 /* 2^-512 */
#define DPPAIR_LEAST_FACTOR_F32_ 5.421010862427522e-20  /* 2^-64 */

/*
 * The factor f of a row x of d numbers with f |x| <= radius in exact arithmetic, from the sum of
 * squares of x/2^e as computed in double. 1 where |x| <= radius by this figure, 0 below `least`.
 *
 * Proof. A sum of d rounded squares is at least (1 - (d + 1) epsilon) |x/2^e|^2, where epsilon is
 * 2^-52 and twice the unit of rounding; what underflowed is less than that of the largest square,
 * which is normal. The margin 4 (d + 16) epsilon of the square is 1.8 (d + 16) epsilon of the norm
 * at least, so `norm` >= (1 + epsilon) |x/2^e|, roundings of the product and the root included. If
 * norm <= radius/2^e, then |x| <= radius. Otherwise f <= (1 + epsilon/2) (radius/2^e)/norm, and f
 * |x| <= radius. Division of radius by 2^e is exact, or its result is so small that f is below
 * `least`, or so large that the row is within it.
 */
DPPAIR_FN_ double dppair_row_factor_(double square, size_t d, int e, double radius, double least) {
  const double norm = dppair_sqrt_(square * (1.0 + 4.0 * ((double)d + 16.0) * DBL_EPSILON));
  const double reach = dppair_ldexp_(radius, -e);
  double f;
  if (!dppair_isfinite_f64(reach) || norm <= reach) return 1.0;
  f = reach / norm;
  return f < least ? 0.0 : f;
}

/* *factor of a row whose sum of squares is too large or too small for a double, or is no number: x
 * is divided by the power of two above its largest number. 0 when a number is not finite. */
DPPAIR_FN_ int dppair_row_extreme_(double *factor, const double *x, size_t d, double radius,
                                   double least) {
  double top = 0.0, sum = 0.0;
  size_t k;
  int e = 0;
  if (!dppair_all_finite_f64(x, d)) return 0;
  for (k = 0; k < d; k++) top = dppair_fabs_(x[k]) > top ? dppair_fabs_(x[k]) : top;
  (void)dppair_frexp_(top, &e);
  for (k = 0; k < d; k++) {
    const double v = dppair_ldexp_(x[k], -e);
    sum += v * v;
  }
  *factor = dppair_row_factor_(sum, d, e, radius, least);
  return 1;
}

/* Checks the arguments of dppair_rows_clip, and zeroes factor. */
DPPAIR_FN_ dppair_status dppair_clip_args_(const void *rows, double *factor, const void *x,
                                           size_t n, size_t d, size_t ld, double radius) {
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), sizeof *factor) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (!factor && n) return DPPAIR_ERR_NULL;
  if (n) memset(factor, 0, n * sizeof *factor);
  if (!rows || (!x && n && d)) return DPPAIR_ERR_NULL;
  if (ld < d || 64.0 * ((double)d + 16.0) * DBL_EPSILON > 1.0) return DPPAIR_ERR_SIZE;
  if (!(dppair_isfinite_f64(radius) && radius > 0.0)) return DPPAIR_ERR_DOMAIN;
  return dppair_environment_check();
}

/* What dppair_gather has in common for all types. From: n rows, the first `positives` of them
 * positives, the last `nulls` null, at distance ld; to: `count` rows, one after the other. Numbers
 * of rows have `size` bytes, labels `label`; y, factor and weight are NULL on both sides where
 * there are none. */
typedef struct dppair_gather_ {
  const void *x, *y;
  const double *factor, *weight;
  size_t n, d, ld, positives, nulls, size, label;
  void *to_x, *to_y;
  double *to_factor, *to_weight;
} dppair_gather_;

/* Copies row `from` of g to its place `to`. */
DPPAIR_FN_ void dppair_gather_row_(const dppair_gather_ *g, size_t to, size_t from) {
  const size_t row = g->d * g->size;
  if (row)
    memcpy((unsigned char *)g->to_x + to * row,
           (const unsigned char *)g->x + from * g->ld * g->size, row);
  if (g->y)
    memcpy((unsigned char *)g->to_y + to * g->label, (const unsigned char *)g->y + from * g->label,
           g->label);
  if (g->factor) g->to_factor[to] = g->factor[from];
  if (g->weight) g->to_weight[to] = g->weight[from];
}

/* *positives and *nulls = how many of index[0..count) are; copies the former rows, then the others.
 * Places of null records stay 0. Errors zero all outputs. */
DPPAIR_FN_ dppair_status dppair_gather_rows_(const dppair_gather_ *g, size_t *positives,
                                             size_t *nulls, const size_t *index, size_t count) {
  const size_t total = dppair_area_(count, dppair_area_(g->d, g->size));
  const size_t there = g->nulls < g->n ? g->n - g->nulls : 0;
  size_t k, up = 0, down, none = 0, wrong = 0;
  if (total == SIZE_MAX || count > SIZE_MAX / 8 ||
      dppair_area_(dppair_area_(g->n, g->ld), g->size) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (g->to_x && total) memset(g->to_x, 0, total);
  if (g->to_y && count) memset(g->to_y, 0, count * g->label);
  if (g->to_factor && count) memset(g->to_factor, 0, count * sizeof *g->to_factor);
  if (g->to_weight && count) memset(g->to_weight, 0, count * sizeof *g->to_weight);
  if (count && (!index || ((!g->to_x || !g->x) && total) || (g->y && !g->to_y) ||
                (g->factor && !g->to_factor) || (g->weight && !g->to_weight)))
    return DPPAIR_ERR_NULL;
  if (g->ld < g->d || g->nulls > g->n || g->positives > there) return DPPAIR_ERR_SIZE;
  for (k = 0; k < count; k++) {
    wrong |= (size_t)(index[k] >= g->n);
    up += (size_t)(index[k] < g->positives);
    none += (size_t)(index[k] >= there);
  }
  if (wrong) return DPPAIR_ERR_SIZE;
  *positives = down = up;
  *nulls = none;
  for (k = up = 0; k < count; k++) {
    if (count - k > 8)
      DPPAIR_PREFETCH_((const unsigned char *)g->x + index[k + 8] * g->ld * g->size);
    if (index[k] >= there) continue;
    dppair_gather_row_(g, index[k] < g->positives ? up++ : down++, index[k]);
  }
  return DPPAIR_OK;
}

/* Checks sizes first: n rows at distance ld and d numbers of 8 bytes have to be addressable, or out
 * may be too large to be zeroed. Then zeroes out (count elements of `size` bytes) and checks the
 * pointers and ld >= d. `with` is the vector that multiplies the rows; it has `terms` numbers. */
DPPAIR_FN_ dppair_status dppair_linear_args_(void *out, size_t count, size_t size, const void *x,
                                             size_t n, size_t d, size_t ld, const void *with,
                                             size_t terms) {
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), 8) == SIZE_MAX || d > SIZE_MAX / 8)
    return DPPAIR_ERR_OVERFLOW;
  if (!out && count) return DPPAIR_ERR_NULL;
  if (count) memset(out, 0, count * size);
  if ((!x && n && d) || (!with && terms)) return DPPAIR_ERR_NULL;
  return ld < d ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* OK. If a number of out[0..count) is not finite: zeroes out and returns NOT_FINITE. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_finish_(double *out, size_t count) {
  if (dppair_all_finite_f64(out, count)) return DPPAIR_OK;
  memset(out, 0, count * sizeof *out);
  return DPPAIR_ERR_NOT_FINITE;
}

DPPAIR_FP_END_
/* ---- src/rows/rounding.h --------------------------------------------------------------------
 * Rounding: what arithmetic adds to a sensitivity
 *
 * For sums over pairs of rows, whatever computes their coefficients, and for X^T c. Relies on
 * core/environment.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* NAME_allowance, where the formulas are proved (pairs/template.h), for `count` rows and sums over
 * pairs whose weights are `mass` in sum, both sides added. Slopes exceed their range by at most
 * `error` at either end (below 0: nobody knows), and a coefficient is off by `chain` per partner.
 */
DPPAIR_FN_ dppair_status dppair_allowance_by_(double *factor, double *rounding, double error,
                                              double chain, double epsilon, double count,
                                              double mass, double radius, double slope) {
  const double u = 0.5 * DBL_EPSILON;
  if (factor) *factor = 0.0;
  if (rounding) *rounding = 0.0;
  if (!factor || !rounding) return DPPAIR_ERR_NULL;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!(error >= 0.0) || !dppair_isfinite_f64(radius) || !(radius >= 0.0) ||
      !dppair_isfinite_f64(slope) || !(slope >= 0.0) || (error > 0.0 && !(slope > 0.0)))
    return DPPAIR_ERR_DOMAIN;
  if (count * u > 0.001) return DPPAIR_ERR_SIZE; /* k u/(1 - k u) < 1.01 k u */
  *rounding = 2.0 * 1.01 * radius * mass * (chain + (slope + error) * (count + 4.0) * u);
  *factor = (1.0 + (error > 0.0 ? 2.0 * error / slope : 0.0)) * (1.0 + 8.0 * epsilon);
  if (dppair_isfinite_f64(*rounding) && dppair_isfinite_f64(*factor)) return DPPAIR_OK;
  *factor = *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* `chain` of the pair loops, which add in a type with this epsilon: 64 additions and a sum of lanes
 * in that type, then double. */
DPPAIR_FN_ double dppair_loops_chain_(double epsilon, double count, double slope) {
  return slope * (80.0 * 0.5 * epsilon + (count + 16.0) * (0.5 * DBL_EPSILON));
}

/*
 * NAME_allowance for m listed pairs: add *rounding to a sensitivity of what NAME_pairs_gradient,
 * NAME_form_pairs, or NAME_pairs followed by dppair_combine over n records computes.
 * size: a bound of the norm of |weight| times a pair's gradient, as computed. With a clip, that is
 * the clip times max |weight|; without one 2 radius slope max |weight|, where slope is the bound of
 * |phi'| times 1 + 8 epsilon of the element type. S takes the same factor: 4 epsilon are those of a
 * computed slope, the rest those of a rounded difference of rows.
 *
 * Proof. The gradient of a listed pair is a function of its two records: a row with a factor is
 * rounded, number by number, towards 0, so that radius bounds it too; then their difference is. The
 * sum of these is one chain of m fused multiply-adds in double, off by at most m u
 * (m size), u = 2^-53. A coefficient of NAME_pairs is off by as much, and X^T c adds n u (m size).
 * Two neighbouring data sets double that.
 *
 * Errors zero *rounding: NULL, ENVIRONMENT, DOMAIN (size negative or not finite), SIZE ((m + n) u
 * beyond 1/1000), OVERFLOW.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_pairs_allowance_(double *rounding, size_t m,
                                                                   size_t n, double size) {
  const double u = 0.5 * DBL_EPSILON, steps = (double)m + (double)n + 16.0;
  if (!rounding) return DPPAIR_ERR_NULL;
  *rounding = 0.0;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!dppair_isfinite_f64(size) || !(size >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (steps * u > 0.001) return DPPAIR_ERR_SIZE;
  *rounding = 2.0 * 1.01 * (double)m * size * steps * u;
  if (dppair_isfinite_f64(*rounding)) return DPPAIR_OK;
  *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

DPPAIR_FP_END_
/* ---- src/rows/sums.h ------------------------------------------------------------------------
 * Sums without order of rows
 *
 * X^T c with the same bits for any order of the records, any split into chunks, parts, threads,
 * processes: each addend is rounded to a multiple of one public unit, by itself, and the multiples
 * are added as integers of 128 bits. NOT PRIVATE: such a sum is raw material, as secret as the
 * records; NAME_release_sum adds noise.
 *
 *   size_t bytes;
 *   dppair_sum_workspace(&bytes, d);
 *   dppair_sum_open(&sum, d, bound, work, bytes);          no addend is larger than bound
 *   dppair_sum_combine_f64(&sum, &rows, c);                once for each chunk of rows
 *   dppair_sum_add(&sum, &other);                          what another thread or process has
 *   dppair_sum_value(g, &sum);
 *
 * An addend is a function of its record alone: p = c_i factor_i rounded once, then p x_ik rounded
 * to the unit, ties to even. All tiers give the same bits but the 128-bit tier on x86, which rounds
 * that product first; its sums, too, do not depend on an order. Relies on core/words.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* A sum of vectors of `size` numbers, whose addends are at most `bound`. */
typedef struct dppair_sum {
  size_t size;
  double unit;    /* what addends are rounded to: 2^-50 of the power of two above bound */
  double bound;   /* of addends */
  double radius;  /* of rows; > 0: made by NAME_sum_open, and only NAME_chunk_sum adds rows */
  uint64_t count; /* of records so far */
  /* of NAME_chunk_sum, and travel with the count: null records, which it does not hold, and records
   * or users of weight 0 (users without records, too), which it does */
  uint64_t nulls, weightless;
  uint64_t digest; /* of w, radius, state and number of records, of NAME_chunk_sum; else 0 */
  uint64_t serial; /* of the rows of NAME_chunk_sum: of their draw, and travels with the count */
  uint64_t *words; /* size integers of 128 bits, in units: words[2k] low, words[2k + 1] high */
} dppair_sum;

/* *bytes = the workspace of a sum of `size` numbers. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_workspace(size_t *bytes, size_t size) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (size > (SIZE_MAX - 64) / (2 * sizeof(uint64_t))) return DPPAIR_ERR_OVERFLOW;
  *bytes = size * 2 * sizeof(uint64_t) + 64;
  return DPPAIR_OK;
}

/* *unit for addends of at most bound: DOMAIN, OVERFLOW. */
DPPAIR_FN_ dppair_status dppair_sum_unit_(double *unit, double bound) {
  int e;
  *unit = 0.0;
  if (!dppair_isfinite_f64(bound) || !(bound > 0.0)) return DPPAIR_ERR_DOMAIN;
  (void)dppair_frexp_(bound, &e);
  if (e < -900 || e > 900) return DPPAIR_ERR_OVERFLOW;
  *unit = dppair_ldexp_(1.0, e - 50);
  return DPPAIR_OK;
}

/* Makes *s the sum 0 of `size` numbers of this unit, at words. */
DPPAIR_FN_ void dppair_sum_clear_(dppair_sum *s, size_t size, double bound, double unit,
                                  void *words) {
  memset(s, 0, sizeof *s);
  s->size = size;
  s->bound = bound;
  s->unit = unit;
  s->words = (uint64_t *)words;
  memset(s->words, 0, size * 2 * sizeof *s->words);
}

/* Makes *s the sum 0 of `size` numbers in `bytes` bytes of workspace, which must live as long as
 * *s. bound: a public bound of every addend |c_i factor_i x_ik|. Errors zero *s: NULL, DOMAIN
 * (bound not positive and finite), OVERFLOW (bound outside 2^-900 to 2^900; size), WORKSPACE,
 * ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_open(dppair_sum *s, size_t size, double bound,
                                                           void *work, size_t bytes) {
  size_t needed = 0;
  double unit;
  dppair_status status;
  if (!s) return DPPAIR_ERR_NULL;
  memset(s, 0, sizeof *s);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_sum_unit_(&unit, bound);
  if (status == DPPAIR_OK) status = dppair_sum_workspace(&needed, size);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  dppair_sum_clear_(s, size, bound, unit, dppair_align_(work));
  return DPPAIR_OK;
}

/* Adding this number rounds to multiples of the unit, which are then in the low digits. */
DPPAIR_FN_ double dppair_sum_magic_(const dppair_sum *s) { return DPPAIR_MAGIC_F64_ * s->unit; }

/* Is *s open? */
DPPAIR_FN_ dppair_status dppair_sum_check_(const dppair_sum *s) {
  if (!s) return DPPAIR_ERR_NULL;
  return s->words && s->unit > 0.0 ? DPPAIR_OK : DPPAIR_ERR_WORKSPACE;
}

/* Checks what dppair_sum_combine takes, but for the coefficients. */
DPPAIR_FN_ dppair_status dppair_sum_args_(const dppair_sum *s, const void *x, size_t n, size_t d,
                                          size_t ld, double radius, const double *c) {
  const dppair_status status = dppair_sum_check_(s);
  if (status != DPPAIR_OK) return status;
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), 8) == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if ((!x && n && d) || (!c && n)) return DPPAIR_ERR_NULL;
  if (d != s->size || ld < d) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(radius) || !(radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  if (s->radius > 0.0) return DPPAIR_ERR_WORKSPACE;
  return dppair_environment_check();
}

/* s += v[0..size), finite numbers, each rounded once to the unit, ties to even; one beyond +-bound
 * counts as that. */
DPPAIR_FN_ void dppair_sum_vector_(dppair_sum *s, const double *v) {
  const double magic = dppair_sum_magic_(s);
  size_t k;
  for (k = 0; k < s->size; k++) {
    const double low = v[k] < -s->bound ? -s->bound : v[k], held = low > s->bound ? s->bound : low;
    dppair_word_add_(s->words + 2 * k, dppair_bits_f64_(held + magic) - dppair_bits_f64_(magic));
  }
}

/* The same. count stays: the caller knows of how many records v is. Errors leave *s as it is: NULL,
 * WORKSPACE (not open, or made by NAME_sum_open), NOT_FINITE (a number of v), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_vector(dppair_sum *s, const double *v) {
  dppair_status status = dppair_sum_check_(s);
  if (status == DPPAIR_OK && s->radius > 0.0) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK && !v && s->size) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(v, s->size)) return DPPAIR_ERR_NOT_FINITE;
  dppair_sum_vector_(s, v);
  return DPPAIR_OK;
}

/* Is this a sum to which no record was added? */
DPPAIR_FN_ int dppair_sum_is_fresh_(const dppair_sum *s) { return s->count == 0 && s->digest == 0; }

/* s += other. Both must have been opened alike, and if NAME_chunk_sum made them, at the same w and
 * state, of rows of one draw: SIZE (sizes), WORKSPACE (one that is not open; bounds, radii or
 * digests that differ; a sum of rows or of blocks to itself), BATCH, NULL; these leave *s as it is.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_add(dppair_sum *s, const dppair_sum *other) {
  dppair_status status = dppair_sum_check_(s);
  if (status == DPPAIR_OK) status = dppair_sum_check_(other);
  if (status != DPPAIR_OK) return status;
  if (s->size != other->size) return DPPAIR_ERR_SIZE;
  if ((s->words == other->words && s->radius > 0.0) ||
      dppair_fabs_(s->bound - other->bound) > 0.0 ||
      dppair_fabs_(s->radius - other->radius) > 0.0 ||
      (s->digest != other->digest && !dppair_sum_is_fresh_(s) && !dppair_sum_is_fresh_(other)))
    return DPPAIR_ERR_WORKSPACE;
  if (s->serial != other->serial && !dppair_sum_is_fresh_(s) && !dppair_sum_is_fresh_(other))
    return DPPAIR_ERR_BATCH;
  dppair_words_add(s->words, other->words, s->size);
  s->count += other->count;
  s->nulls += other->nulls;
  s->weightless += other->weightless;
  s->digest |= other->digest;
  s->serial |= other->serial;
  return DPPAIR_OK;
}

/* v[0..size) = the sum. */
DPPAIR_FN_ void dppair_sum_read_(double *v, const dppair_sum *s) {
  size_t k;
  for (k = 0; k < s->size; k++) v[k] = dppair_word_value_(s->words + 2 * k, s->unit);
}

/* v[0..size) = the sum, each number rounded once to nearest, ties to even. Errors zero v where its
 * size is known: NULL, WORKSPACE (not open), ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_value(double *v, const dppair_sum *s) {
  dppair_status status = dppair_sum_check_(s);
  if (status == DPPAIR_OK && !v && s->size) status = DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  if (s->size) memset(v, 0, s->size * sizeof *v);
  status = dppair_environment_check();
  if (status == DPPAIR_OK) dppair_sum_read_(v, s);
  return status;
}

DPPAIR_FP_END_
/* ---- src/rows/sparse.h ----------------------------------------------------------------------
 * Sparse rows
 *
 * Compressed sparse rows: value[k] is the number of row i in column[k] < d, for start[i] <= k <
 * start[i+1]. Within a row the columns may have any order, each occurs at most once. start has
 * n + 1 entries, start[0] = 0. NOT PRIVATE: scores and sums of rows are raw material, as secret as
 * the records, until a release adds its noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* 1 if start and column describe n rows of d columns. */
DPPAIR_FN_ int dppair_csr_ok_(const size_t *start, const uint32_t *column, size_t n, size_t d) {
  size_t i, wrong = start[0] != 0;
  for (i = 0; i < n; i++) wrong |= (size_t)(start[i] > start[i + 1]);
  if (wrong) return 0;
  for (i = 0; i < start[n]; i++) wrong |= (size_t)(column[i] >= d);
  return wrong == 0;
}

/* s[i] = <row i, w> for i < n; w has d numbers. Errors: NULL, SIZE (start decreases or does not
 * begin with 0, or a column is >= d), NOT_FINITE (w or a score) zero s; OVERFLOW (s or w
 * would be larger than any memory) may leave it as it is. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_csr_f64(double *s, const size_t *start,
                                                                 const uint32_t *column,
                                                                 const double *value, size_t n,
                                                                 size_t d, const double *w) {
  dppair_status status = dppair_array_(s, n);
  size_t i, k;
  if (status != DPPAIR_OK) return status;
  if (n) memset(s, 0, n * sizeof *s);
  status = dppair_array_(w, d);
  if (status != DPPAIR_OK) return status;
  if (!start || (start[n] && (!column || !value))) return DPPAIR_ERR_NULL;
  if (!dppair_csr_ok_(start, column, n, d)) return DPPAIR_ERR_SIZE;
  if (!dppair_all_finite_f64(w, d)) return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < n; i++)
    for (k = start[i]; k < start[i + 1]; k++) s[i] += value[k] * w[column[k]];
  return dppair_finish_(s, n);
}

/* g = X^T c: g[j] = sum over i < n of c[i] times the number of row i in column j, j < d. Errors as
 * above, with g in place of s, and ENVIRONMENT. NOT_FINITE is tested on g alone. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_csr_f64(double *g, const size_t *start,
                                                                  const uint32_t *column,
                                                                  const double *value, size_t n,
                                                                  size_t d, const double *c) {
  dppair_status status = dppair_array_(g, d);
  size_t i, k;
  if (status != DPPAIR_OK) return status;
  if (d) memset(g, 0, d * sizeof *g);
  status = dppair_array_(c, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!start || (start[n] && (!column || !value))) return DPPAIR_ERR_NULL;
  if (!dppair_csr_ok_(start, column, n, d)) return DPPAIR_ERR_SIZE;
  for (i = 0; i < n; i++)
    for (k = start[i]; k < start[i + 1]; k++) g[column[k]] += c[i] * value[k];
  return dppair_finish_(g, d);
}

DPPAIR_FP_END_

#define DPPAIR_BODY_ DPPAIR_BODY_VECTORS_
/* ---- src/simd/each_tier.h -------------------------------------------------------------------
 * Each tier: the body once for every tier
 *
 * The whole header is included again for each tier of the build, for the vectors and for a type of
 * rows twice: for double, and then for float, whose sums use the vectors of double. A module that
 * has vectors of its own says by DPPAIR_BODY_SELF_ that it is the header. The body sees
 * DPPAIR_TIER_, DPPAIR_TIER_NAME_, DPV_INLINE_ (how the vocabulary is inlined), DPV_UNROLL_ (before
 * short loops over arrays of vectors) and what simd/type.h defines. It opens and closes a region
 * with the instructions of its tier: DPPAIR_REGION_BEGIN_, DPPAIR_REGION_END_.
 * Vectors are in registers only where everything is inlined, so all tiers but the scalar one force
 * it.
 * ---------------------------------------------------------------------------------------------- */

#ifndef DPPAIR_BODY_SELF_
#define DPPAIR_BODY_SELF_ DPPAIR_SELF
#endif

/* Beside AVX2 the scalar loops serve processors of before 2013 alone. */
#define DPPAIR_QUICK_TIER_ DPPAIR_HAVE_AVX2

/* Scalar: vectors are arrays in memory. Forced inlining gains nothing and costs compile time. */
#if DPPAIR_MIN_TIER < 2
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#define DPV_UNROLL_
#if DPPAIR_QUICK_TIER_
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ (DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_)
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0
#endif
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#if DPPAIR_QUICK_TIER_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
#undef DPPAIR_QUICK_TIER_

#define DPV_UNROLL_ DPPAIR_UNROLL_

#define DPV_INLINE_ DPPAIR_FORCE_INLINE_

#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

/* AVX-512 uses some of AVX2's vectors. */
#if DPPAIR_HAVE_AVX2 && (DPPAIR_MIN_TIER < 3 || DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_)
#define DPPAIR_TIER_ 2
#define DPPAIR_TIER_NAME_ avx2
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#undef DPV_INLINE_
#undef DPV_UNROLL_
#undef DPPAIR_BODY_SELF_
#undef DPPAIR_BODY_

/* 4. Once per translation unit: more functions without tiers. Those of rows that check their
 * arguments and call the kernels of a tier came with the body of the widest one; declarations have
 * no tiers. */

#ifndef DPPAIR_WIDEST_ /* of declarations */
#define DPPAIR_BODY_ DPPAIR_BODY_BLOCKS_
/* ---- src/simd/each_real.h -------------------------------------------------------------------
 * Rows of double, then of float: the body once for either
 *
 * The whole header is included again for either; all but the body is skipped.
 * ---------------------------------------------------------------------------------------------- */

#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ f64
#include DPPAIR_SELF
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ f32
#include DPPAIR_SELF
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW
#undef DPPAIR_BODY_
#endif
/* ---- src/domains/projections.h --------------------------------------------------------------
 * Domains: exact Euclidean projections
 *
 *   vectors    l2 ball   box   simplex {w >= 0, sum w = t}   l1 ball
 *   matrices   Frobenius ball (dppair_project_l2_f64 on all d*d numbers), semidefinite cone,
 *              its intersections with the Frobenius and the trace ball, spectra within [low, high]
 *
 * A projection is non-expansive, and one on a public set costs no privacy. Each function works in
 * place and zeroes w on any error: DOMAIN for a radius, total or trace below DBL_MIN, ENVIRONMENT
 * for another rounding mode, NULL and WORKSPACE for the workspace. Balls and boxes are exact: the
 * computed point lies inside. A computed semidefinite matrix has eigenvalues above -1e-13 times its
 * norm.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The checks that the projections of w[0..count) share. On an error w is zeroed, but for a count
 * that no memory has. */
DPPAIR_FN_ dppair_status dppair_project_args_(double *w, size_t count, int parameters_ok) {
  dppair_status status = dppair_array_(w, count);
  if (status != DPPAIR_OK) return status;
  status = !parameters_ok                    ? DPPAIR_ERR_DOMAIN
           : dppair_all_finite_f64(w, count) ? dppair_environment_check()
                                             : DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK && count) memset(w, 0, count * sizeof *w);
  return status;
}
/* Whether a radius is finite and a normal number: below that products lose relative accuracy, and
 * the computed point could lie outside of the ball. */
DPPAIR_FN_ int dppair_positive_(double x) { return dppair_isfinite_f64(x) && x >= DBL_MIN; }

/* w becomes the nearest point of the ball ||w|| <= radius, radius >= DBL_MIN. The result's norm is
 * at most radius in exact arithmetic. NOT_FINITE (w zeroed), DOMAIN for a bad radius (w zeroed). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l2_f64(double *w, size_t d,
                                                                 double radius) {
  const dppair_status status = dppair_project_args_(w, d, dppair_positive_(radius));
  double norm;
  size_t k;
  if (status != DPPAIR_OK) return status;
  /* the computed norm and the products err by less than (d + 8) units in the last place */
  norm = dppair_norm_f64(w, d) * (1.0 + (double)(d + 8) * DBL_EPSILON);
  if (norm <= radius) return DPPAIR_OK;
  if (!dppair_isfinite_f64(norm)) {
    memset(w, 0, d * sizeof *w);
    return DPPAIR_ERR_NOT_FINITE;
  }
  for (k = 0; k < d; k++) w[k] = w[k] / norm * radius; /* radius / norm could underflow */
  return DPPAIR_OK;
}

/* w[k] held within [low, high] for k < d; low <= high, both finite. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_box_f64(double *w, size_t d, double low,
                                                                  double high) {
  const int ok = dppair_isfinite_f64(low) && dppair_isfinite_f64(high) && low <= high;
  const dppair_status status = dppair_project_args_(w, d, ok);
  size_t k;
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < d; k++) w[k] = w[k] < low ? low : w[k] > high ? high : w[k];
  return DPPAIR_OK;
}

/* The t with sum over k of max(0, (w[k] - top) - t) = total > 0, for w sorted ascending and top its
 * last element. top is subtracted first, so that numbers much larger than total lose nothing. */
DPPAIR_FN_ double dppair_simplex_threshold_(const double *w, size_t d, double total) {
  double sum = 0.0, threshold = 0.0;
  size_t k;
  for (k = d; k > 0; k--) { /* an element is kept while it is above the threshold that it causes */
    const double v = w[k - 1] - w[d - 1], next = (sum + v - total) / (double)(d - k + 1);
    if (k < d && v <= next) break;
    sum += v;
    threshold = next;
  }
  return threshold;
}

/* *bytes = the workspace of dppair_project_simplex_f64 and _l1_f64 for d numbers. Errors zero it:
 * NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l1_workspace(size_t *bytes, size_t d) {
  return dppair_work_bytes_(bytes, d);
}

/* dppair_project_args_, then *room = the place of `needed` doubles in the workspace. */
DPPAIR_FN_ dppair_status dppair_project_open_(double **room, size_t needed, double *w, size_t count,
                                              int parameters_ok, void *work, size_t bytes) {
  dppair_status status = dppair_project_args_(w, count, parameters_ok);
  if (status != DPPAIR_OK) return status;
  status = dppair_work_(room, needed, work, bytes);
  if (status != DPPAIR_OK && count) memset(w, 0, count * sizeof *w);
  return status;
}

/* w becomes the nearest point of {w >= 0, sum of w = total}, total > 0, d >= 1 (Held, Wolfe and
 * Crowder 1974). The computed sum is within d units in the last place of total. work: as
 * dppair_project_l1_workspace says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_simplex_f64(double *w, size_t d,
                                                                      double total, void *work,
                                                                      size_t bytes) {
  double threshold, *sorted;
  size_t k;
  const int ok = d >= 1 && dppair_positive_(total);
  const dppair_status status = dppair_project_open_(&sorted, d, w, d, ok, work, bytes);
  if (status != DPPAIR_OK) return status;
  memcpy(sorted, w, d * sizeof *w);
  dppair_sort_f64(sorted, d);
  threshold = dppair_simplex_threshold_(sorted, d, total);
  for (k = 0; k < d; k++) {
    const double v = w[k] - sorted[d - 1];
    w[k] = v > threshold ? v - threshold : 0.0;
  }
  return dppair_project_args_(w, d, 1);
}

/* w becomes the nearest point of {sum of |w[k]| <= radius}, radius >= DBL_MIN. work: as
 * dppair_project_l1_workspace says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_l1_f64(double *w, size_t d, double radius,
                                                                 void *work, size_t bytes) {
  const double inside = radius * (1.0 - (double)(d + 8) * DBL_EPSILON); /* room for rounding */
  double sum = 0.0, threshold, *sorted;
  size_t k;
  const dppair_status status =
      dppair_project_open_(&sorted, d, w, d, dppair_positive_(radius), work, bytes);
  if (status != DPPAIR_OK) return status;
  for (k = 0; k < d; k++) sum += sorted[k] = dppair_fabs_(w[k]);
  if (sum <= inside) return DPPAIR_OK;
  dppair_sort_f64(sorted, d);
  threshold = dppair_simplex_threshold_(sorted, d, inside);
  for (k = 0; k < d; k++) {
    const double v = dppair_fabs_(w[k]) - sorted[d - 1], size = v > threshold ? v - threshold : 0.0;
    w[k] = w[k] < 0.0 ? -size : size;
  }
  return dppair_project_args_(w, d, 1);
}

DPPAIR_FP_END_
/* ---- src/domains/symmetric.h ----------------------------------------------------------------
 * Symmetric matrices: coordinates, eigenvalues, projections by the spectrum, Cholesky factors
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* v[0..d(d+1)/2) = the symmetric part of w[d][d] in coordinates in which the Euclidean norm is the
 * Frobenius norm: the diagonal, then sqrt 2 times the entries below it, row by row. Add noise to a
 * symmetric matrix in these coordinates, because there are half as many of them as entries. */
DPPAIR_API void dppair_symmetric_pack_f64(double *v, const double *w, size_t d) {
  size_t i, j, at = d;
  for (i = 0; i < d; i++) v[i] = w[i * d + i];
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) v[at++] = (w[i * d + j] + w[j * d + i]) * 0.70710678118654752440;
}

/* The inverse: w[d][d] from v[0..d(d+1)/2). */
DPPAIR_API void dppair_symmetric_unpack_f64(double *w, const double *v, size_t d) {
  size_t i, j, at = d;
  for (i = 0; i < d; i++) w[i * d + i] = v[i];
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) w[i * d + j] = w[j * d + i] = v[at++] * 0.70710678118654752440;
}

/* Householder reflections that make the lower triangle of q tridiagonal: diag[k], off[k] = entry
 * (k+1, k). Then row r of q becomes row r of the product of the reflections, so that
 * a = q^T tridiagonal q. p: d numbers. */
DPPAIR_FN_ void dppair_tridiagonalise_(double *q, double *diag, double *off, double *p, size_t d) {
  size_t i, j, k;
  for (k = 0; k + 1 < d; k++) {
    double *v = q + k * d, norm, first, size = 0.0, dot = 0.0;
    /* column k below the diagonal, kept in row k right of it, which is not used otherwise */
    for (i = k + 1; i < d; i++) v[i] = q[i * d + k];
    diag[k] = v[k];
    norm = dppair_norm_f64(v + k + 1, d - k - 1);
    first = v[k + 1];
    off[k] = first;
    v[k] = 0.0; /* 2/|v|^2, or 0 for no reflection */
    if (dppair_norm_f64(v + k + 2, d - k - 2) <= 0.0) continue;
    off[k] = first < 0.0 ? norm : -norm;
    /* v = x - off e1, scaled to first element 1: no cancellation by the choice of sign */
    for (i = k + 2; i < d; i++) v[i] /= first - off[k];
    v[k + 1] = 1.0;
    for (i = k + 1; i < d; i++) size += v[i] * v[i];
    v[k] = 2.0 / size;
    /* a <- a - v w^T - w v^T, w = p - (2/|v|^2)/2 (p.v) v, p = (2/|v|^2) a v */
    for (i = k + 1; i < d; i++) p[i] = 0.0;
    for (i = k + 1; i < d; i++) {
      const double *row = q + i * d, vi = v[i];
      double sum = row[i] * vi;
      for (j = k + 1; j < i; j++) {
        sum += row[j] * v[j];
        p[j] += row[j] * vi;
      }
      p[i] += sum;
    }
    for (i = k + 1; i < d; i++) {
      p[i] *= v[k];
      dot += p[i] * v[i];
    }
    dot *= 0.5 * v[k];
    for (i = k + 1; i < d; i++) p[i] -= dot * v[i];
    for (i = k + 1; i < d; i++) {
      double *row = q + i * d;
      for (j = k + 1; j <= i; j++) row[j] -= v[i] * p[j] + p[i] * v[j];
    }
  }
  if (d > 0) diag[d - 1] = q[d * d - 1];
  /* the product, from the last reflection to the first, each on the block that it touches */
  for (k = d; k-- > 0;) {
    double *v = q + k * d, beta = k + 1 < d ? v[k] : 0.0;
    for (i = k + 1; beta > 0.0 && i < d; i++) {
      double *row = q + i * d, dot = 0.0;
      for (j = k + 1; j < d; j++) dot += row[j] * v[j];
      dot *= beta;
      for (j = k + 1; j < d; j++) row[j] -= dot * v[j];
    }
    v[k] = 1.0;
    for (i = k + 1; i < d; i++) v[i] = q[i * d + k] = 0.0;
  }
}

/* One implicit QL sweep with Wilkinson's shift over the block l..m of a tridiagonal matrix: chases
 * the bulge from m up to l by rotations, which it also applies to the rows of q. off[k] is the
 * entry between k and k+1 and off[m] = 0. */
DPPAIR_FN_ void dppair_ql_sweep_(double *q, double *diag, double *off, size_t l, size_t m,
                                 size_t d) {
  double slope = (diag[l + 1] - diag[l]) / (2.0 * off[l]), root = dppair_hypot_(slope, 1.0);
  double shift = off[l] / (slope < 0.0 ? slope - root : slope + root);
  double g = diag[m] - diag[l] + shift, sine = 1.0, cosine = 1.0, moved = 0.0;
  size_t i, k;
  for (i = m; i-- > l;) {
    double *lower = q + i * d, *upper = q + (i + 1) * d;
    const double f = sine * off[i], b = cosine * off[i], size = dppair_hypot_(f, g);
    double t;
    off[i + 1] = size;
    if (!(size > 0.0)) { /* the block has split at i + 1 by itself */
      diag[i + 1] -= moved;
      off[m] = 0.0;
      return;
    }
    sine = f / size;
    cosine = g / size;
    /* back to length 1: a bias of the rounding would add up over the rotations of a row */
    t = 0.5 * dppair_fma_f64_(-cosine, cosine, dppair_fma_f64_(-sine, sine, 1.0));
    sine = dppair_fma_f64_(sine, t, sine);
    cosine = dppair_fma_f64_(cosine, t, cosine);
    g = diag[i + 1] - moved;
    t = (diag[i] - g) * sine + 2.0 * cosine * b;
    moved = sine * t;
    diag[i + 1] = g + moved;
    g = cosine * t - b;
    for (k = 0; k < d; k++) {
      const double u = upper[k], v = lower[k];
      upper[k] = sine * v + cosine * u;
      lower[k] = cosine * v - sine * u;
    }
  }
  diag[l] -= moved;
  off[l] = g;
  off[m] = 0.0;
}

/* out[d][d] = the symmetric part of a[d][d] times a power of two that brings all entries below 1:
 * squares then neither overflow nor vanish. Returns the exponent that undoes it. */
DPPAIR_FN_ int dppair_symmetric_scaled_(double *out, const double *a, size_t d) {
  double top = 0.0;
  size_t i, j;
  int exponent;
  for (i = 0; i < d * d; i++) top = dppair_fabs_(a[i]) > top ? dppair_fabs_(a[i]) : top;
  (void)dppair_frexp_(top, &exponent);
  for (i = 0; i < d; i++)
    for (j = 0; j <= i; j++)
      out[i * d + j] = out[j * d + i] =
          dppair_ldexp_(a[i * d + j], -exponent - 1) + dppair_ldexp_(a[j * d + i], -exponent - 1);
  return exponent;
}

/* The end of the block of a tridiagonal matrix that begins at i: the first j >= i whose off[j] is
 * negligible beside its two neighbours on the diagonal or beside `size`, the matrix's; it is set
 * to 0. */
DPPAIR_FN_ size_t dppair_block_end_(const double *diag, double *off, size_t i, size_t d,
                                    double size) {
  size_t j;
  for (j = i; j + 1 < d; j++)
    if (dppair_fabs_(off[j]) <=
            0.5 * DBL_EPSILON * (dppair_fabs_(diag[j]) + dppair_fabs_(diag[j + 1])) ||
        dppair_fabs_(off[j]) <= 0.125 * DBL_EPSILON * size) {
      off[j] = 0.0;
      break;
    }
  return j;
}

/* Diagonalises a tridiagonal matrix by QL sweeps and applies the rotations to the rows of q.
 * Returns 0 when 80 sweeps were not enough for an eigenvalue (LAPACK allows 30) or a number is not
 * finite, else 1. */
DPPAIR_FN_ int dppair_diagonalise_(double *q, double *diag, double *off, size_t d) {
  double size = 0.0;
  size_t i, end;
  int sweeps;
  if (!dppair_all_finite_f64(diag, d) || !dppair_all_finite_f64(off, d)) return 0;
  for (i = 0; i < d; i++) {
    const double row = dppair_fabs_(diag[i]) + dppair_fabs_(off[i]);
    size = row > size ? row : size;
  }
  for (i = 0; i < d; i++)
    for (sweeps = 0; (end = dppair_block_end_(diag, off, i, d, size)) > i; sweeps++) {
      if (sweeps == 80) return 0;
      dppair_ql_sweep_(q, diag, off, i, end, d);
    }
  return 1;
}

/* Sorts the eigenvalues in ascending order, and the rows of q with them. */
DPPAIR_FN_ void dppair_eigen_sort_(double *values, double *q, size_t d) {
  size_t i, j, k;
  for (i = 0; i < d; i++) {
    size_t least = i;
    double t;
    for (j = i + 1; j < d; j++)
      if (values[j] < values[least]) least = j;
    if (least == i) continue;
    t = values[least];
    values[least] = values[i];
    values[i] = t;
    for (k = 0; k < d; k++) {
      t = q[i * d + k];
      q[i * d + k] = q[least * d + k];
      q[least * d + k] = t;
    }
  }
}

/* The doubles of the workspace of a d x d matrix: d (d + 3), SIZE_MAX where that overflows. */
DPPAIR_FN_ size_t dppair_matrix_room_(size_t d) {
  return d > SIZE_MAX - 3 ? SIZE_MAX : dppair_area_(d, d + 3);
}

/* *bytes = the workspace of dppair_eigen_f64 and of the three projections of a d x d matrix. Errors
 * zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_workspace(size_t *bytes, size_t d) {
  return dppair_work_bytes_(bytes, dppair_matrix_room_(d));
}

/* dppair_eigen_f64 for finite a, d >= 1, without its checks; room: 2 d numbers. */
DPPAIR_FN_ dppair_status dppair_eigen_(double *values, double *vectors, const double *a, size_t d,
                                       double *room) {
  size_t k;
  const int exponent = dppair_symmetric_scaled_(vectors, a, d);
  dppair_tridiagonalise_(vectors, values, room, room + d, d);
  room[d - 1] = 0.0;
  if (!dppair_diagonalise_(vectors, values, room, d)) return DPPAIR_ERR_NO_CONVERGENCE;
  dppair_eigen_sort_(values, vectors, d);
  for (k = 0; k < d; k++) values[k] = dppair_ldexp_(values[k], exponent);
  return dppair_all_finite_f64(values, d) ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* values[d] ascending and vectors[d][d], row k a unit eigenvector of values[k], of the symmetric
 * part of a[d][d] (a and vectors may be the same array). work: as dppair_project_workspace says.
 * Householder tridiagonalisation, then implicit QL (Golub and Van Loan, Matrix Computations, 8.3);
 * O(d^3). For d <= 500 and any spectrum, residuals and departures from orthogonality stay below
 * 1e-13 times the norm. NOT_FINITE, NULL, WORKSPACE, OVERFLOW (d*d or an eigenvalue),
 * NO_CONVERGENCE; outputs zeroed on error. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_eigen_f64(double *values, double *vectors,
                                                            const double *a, size_t d, void *work,
                                                            size_t bytes) {
  double *room;
  dppair_status status = DPPAIR_ERR_NULL;
  if (dppair_matrix_room_(d) > SIZE_MAX / sizeof *a) return DPPAIR_ERR_OVERFLOW;
  if (d == 0) return DPPAIR_OK;
  if (values && vectors && a) status = dppair_work_(&room, dppair_matrix_room_(d), work, bytes);
  if (status == DPPAIR_OK)
    status = dppair_all_finite_f64(a, d * d) ? dppair_eigen_(values, vectors, a, d, room)
                                             : DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return DPPAIR_OK;
  if (values) memset(values, 0, d * sizeof *values);
  if (vectors) memset(vectors, 0, d * d * sizeof *vectors);
  return status;
}

/* Projects w on an orthogonally invariant set, which is done on the eigenvalues alone (von
 * Neumann's trace inequality): w is made symmetric, its eigenvalues are projected, and where that
 * changed any of them w is put together again. trace > 0: eigenvalues onto {v >= 0, sum v <=
 * trace}; otherwise onto [low, high]. vectors: d (d + 3) numbers, d >= 1. */
DPPAIR_FN_ dppair_status dppair_project_spectrum_(double *w, size_t d, double low, double high,
                                                  double trace, double *vectors) {
  double *values = vectors + d * d, sum = 0.0, top = 0.0, threshold = 0.0;
  size_t i, j, k;
  int changed = 0;
  const dppair_status status = dppair_eigen_(values, vectors, w, d, values + d);
  if (status != DPPAIR_OK) {
    memset(w, 0, d * d * sizeof *w);
    return status;
  }
  if (trace > 0.0) {
    low = 0.0;
    high = trace;
    for (k = 0; k < d; k++) sum += values[k] > 0.0 ? values[k] : 0.0;
    if (sum > trace) {
      top = values[d - 1];
      threshold = dppair_simplex_threshold_(values, d, trace);
    }
  }
  for (k = 0; k < d; k++) {
    const double v = (values[k] - top) - threshold, held = v < low ? low : v > high ? high : v;
    changed |= held != values[k];
    values[k] = held;
  }
  for (i = 0; i < d; i++) /* symmetric part, the nearest symmetric matrix */
    for (j = 0; j < i; j++) w[i * d + j] = w[j * d + i] = 0.5 * w[i * d + j] + 0.5 * w[j * d + i];
  if (!changed) return DPPAIR_OK;
  memset(w, 0, d * d * sizeof *w);
  for (k = 0; k < d; k++) {
    const double *v = vectors + k * d;
    if (!(dppair_fabs_(values[k]) > 0.0)) continue;
    for (i = 0; i < d; i++) {
      const double s = values[k] * v[i];
      for (j = 0; j <= i; j++) w[i * d + j] += s * v[j];
    }
  }
  for (i = 0; i < d; i++)
    for (j = 0; j < i; j++) w[j * d + i] = w[i * d + j];
  return dppair_project_args_(w, d * d, 1);
}

/* The checks of the projections of a matrix w[d][d], then dppair_project_spectrum_. */
DPPAIR_FN_ dppair_status dppair_project_matrix_(double *w, size_t d, int parameters_ok, double low,
                                                double high, double trace, void *work,
                                                size_t bytes) {
  double *room;
  dppair_status status;
  if (dppair_matrix_room_(d) > SIZE_MAX / sizeof *w) return DPPAIR_ERR_OVERFLOW;
  status =
      dppair_project_open_(&room, dppair_matrix_room_(d), w, d * d, parameters_ok, work, bytes);
  if (status != DPPAIR_OK || d == 0) return status;
  return dppair_project_spectrum_(w, d, low, high, trace, room);
}

/* w[d][d] becomes the nearest symmetric matrix whose eigenvalues lie in [low, high]; an end may be
 * infinite. low = 0, high = INFINITY: the positive semidefinite cone. low = -cap, high = cap: the
 * spectral-norm ball. work: as dppair_project_workspace says. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_spectral_f64(double *w, size_t d,
                                                                       double low, double high,
                                                                       void *work, size_t bytes) {
  return dppair_project_matrix_(w, d, low <= high, low, high, 0.0, work, bytes);
}

/* ... the nearest positive semidefinite matrix of Frobenius norm <= radius. (The projection on a
 * closed convex cone, scaled back into a ball about 0, is the projection on the intersection: with
 * p the point on the cone, <w - p, v - p> <= 0 on the cone and <w - p, p> = 0, and for |p| > r,
 * <w - r p/|p|, v - r p/|p|> <= (|p| - r) (|v| - r) <= 0 on the intersection.) */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_psd_frobenius_f64(double *w, size_t d,
                                                                            double radius,
                                                                            void *work,
                                                                            size_t bytes) {
  const int ok = dppair_positive_(radius);
  const dppair_status status = dppair_project_matrix_(w, d, ok, 0.0, DBL_MAX, 0.0, work, bytes);
  return status == DPPAIR_OK ? dppair_project_l2_f64(w, d * d, radius) : status;
}

/* ... the nearest positive semidefinite matrix of trace <= trace, that is, of nuclear norm. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_project_psd_trace_f64(double *w, size_t d,
                                                                        double trace, void *work,
                                                                        size_t bytes) {
  return dppair_project_matrix_(w, d, dppair_positive_(trace), 0.0, 0.0, trace, work, bytes);
}

/* a[d][d], of which the lower triangle is read, becomes its Cholesky factor l, a = l l^T, on and
 * below the diagonal. NULL; NO_CONVERGENCE (a is not positive definite, or too nearly not) leaves a
 * in pieces. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_cholesky_f64(double *a, size_t d) {
  size_t i, j, k;
  if (!a && d) return DPPAIR_ERR_NULL;
  for (j = 0; j < d; j++)
    for (i = j; i < d; i++) {
      double sum = a[i * d + j];
      for (k = 0; k < j; k++) sum -= a[i * d + k] * a[j * d + k];
      if (i == j && !(sum > 0.0 && dppair_isfinite_f64(sum))) return DPPAIR_ERR_NO_CONVERGENCE;
      a[i * d + j] = i == j ? dppair_sqrt_(sum) : sum / a[j * d + j];
    }
  return DPPAIR_OK;
}

/* v becomes a^-1 v, for a factor that dppair_cholesky_f64 made of a. */
DPPAIR_API void dppair_cholesky_solve_f64(double *v, const double *factor, size_t d) {
  size_t j, k;
  for (j = 0; j < d; j++) {
    for (k = 0; k < j; k++) v[j] -= factor[j * d + k] * v[k];
    v[j] /= factor[j * d + j];
  }
  for (j = d; j-- > 0;) {
    for (k = j + 1; k < d; k++) v[j] -= factor[k * d + j] * v[k];
    v[j] /= factor[j * d + j];
  }
}

DPPAIR_FP_END_
/* ---- src/measures/ranking.h -----------------------------------------------------------------
 * Measures: AUC, precision, rank correlation, accuracy and recall of neighbours
 *
 * They read records and add no noise, so none of them is private, as their names say: one record
 * may change each by a lot. A figure for publication needs a mechanism of its own, or public data.
 *
 * Errors zero the output: NULL, SIZE, DOMAIN, OVERFLOW and WORKSPACE, before a record is read, and
 * NOT_FINITE. work: as dppair_measures_workspace says.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The doubles of that workspace, SIZE_MAX where they overflow. */
DPPAIR_FN_ size_t dppair_measures_room_(size_t n, size_t d) {
  const size_t rows = dppair_area_(n, 4);
  return rows > SIZE_MAX - d ? SIZE_MAX : rows + d;
}

/* *bytes = the workspace of any function below for n records in all, of d features where it reads
 * rows and d = 0 elsewhere. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_measures_workspace(size_t *bytes, size_t n,
                                                                     size_t d) {
  return dppair_work_bytes_(bytes, dppair_measures_room_(n, d));
}

/* Area under the ROC curve: the share of pairs with sp[i] > sn[j], ties counted one half.
 * np, nn >= 1. O(n log n), by exact integer counts. 1 - AUC is the pairwise 0-1 risk; the risk of a
 * loss is NAME_risk_not_private/(np nn). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_auc_not_private_f64(double *auc, const double *sp,
                                                                      size_t np, const double *sn,
                                                                      size_t nn, void *work,
                                                                      size_t bytes) {
  double *p, *q;
  size_t i, below = 0, upto = 0, count;
  uint64_t twice = 0;
  dppair_status status;
  if (!auc) return DPPAIR_ERR_NULL;
  *auc = 0.0;
  if (!sp || !sn) return DPPAIR_ERR_NULL;
  if (np == 0 || nn == 0) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul_(&count, np, nn) || count > SIZE_MAX / 4) return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&p, dppair_measures_room_(np + nn, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(sp, np)) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  q = p + np;
  memcpy(p, sp, np * sizeof *p);
  memcpy(q, sn, nn * sizeof *q);
  dppair_sort_f64(p, np);
  dppair_sort_f64(q, nn);
  for (i = 0; i < np; i++) {
    while (below < nn && q[below] < p[i]) below++;
    if (upto < below) upto = below;
    while (upto < nn && q[upto] <= p[i]) upto++;
    twice += (uint64_t)below + (uint64_t)upto;
  }
  *auc = (double)twice / 2.0 / ((double)np * (double)nn);
  return DPPAIR_OK;
}

/* Area under the part of the ROC curve with false-positive rate <= rate, divided by rate, 0 < rate
 * <= 1: 1 is perfect, chance is rate/2. Ties are straight segments of the curve, so rate = 1 gives
 * the AUC. np, nn >= 1. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_partial_auc_not_private_f64(double *auc, const double *sp, size_t np, const double *sn,
                                   size_t nn, double rate, void *work, size_t bytes) {
  double area = 0.0, *p, *q;
  size_t i = np, j = nn;
  dppair_status status;
  if (!auc) return DPPAIR_ERR_NULL;
  *auc = 0.0;
  if (!sp || !sn) return DPPAIR_ERR_NULL;
  if (np == 0 || nn == 0) return DPPAIR_ERR_SIZE;
  if (np > SIZE_MAX - nn) return DPPAIR_ERR_OVERFLOW;
  if (!(rate > 0.0 && rate <= 1.0)) return DPPAIR_ERR_DOMAIN;
  status = dppair_work_(&p, dppair_measures_room_(np + nn, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(sp, np)) return DPPAIR_ERR_NOT_FINITE;
  if (!dppair_all_finite_f64(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  q = p + np;
  memcpy(p, sp, np * sizeof *p);
  memcpy(q, sn, nn * sizeof *q);
  dppair_sort_f64(p, np);
  dppair_sort_f64(q, nn);
  for (;;) { /* one threshold at a time, from the largest negative score down; right ends as 1 */
    const double score = q[j - 1];
    const size_t from = j;
    double low, high, left, right, share;
    while (i > 0 && p[i - 1] > score) i--;
    low = (double)(np - i) / (double)np;
    while (i > 0 && p[i - 1] >= score) i--;
    high = (double)(np - i) / (double)np;
    while (j > 0 && q[j - 1] >= score) j--;
    left = (double)(nn - from) / (double)nn;
    right = (double)(nn - j) / (double)nn;
    share = right <= rate ? 1.0 : (rate - left) / (right - left);
    area += share * (right - left) * (low + 0.5 * share * (high - low));
    if (right >= rate) break;
  }
  area /= rate;
  *auc = area > 1.0 ? 1.0 : area;
  return DPPAIR_OK;
}

/* The share of positive labels (y > 0) among the k largest of n scores, 1 <= k <= n. Where records
 * tie for the last places, it is the mean over all their orders. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_precision_not_private_f64(double *precision, const double *s, const double *y, size_t n,
                                 size_t k, void *work, size_t bytes) {
  size_t i, above = 0, above_positive = 0, tied = 0, tied_positive = 0;
  double last, *sorted;
  dppair_status status;
  if (!precision) return DPPAIR_ERR_NULL;
  *precision = 0.0;
  if (!s || !y) return DPPAIR_ERR_NULL;
  if (k == 0 || k > n) return DPPAIR_ERR_SIZE;
  status = dppair_work_(&sorted, dppair_measures_room_(n, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(s, n) || !dppair_all_finite_f64(y, n)) return DPPAIR_ERR_NOT_FINITE;
  memcpy(sorted, s, n * sizeof *sorted);
  dppair_sort_f64(sorted, n);
  last = sorted[n - k];
  for (i = 0; i < n; i++) {
    const size_t positive = y[i] > 0.0;
    if (s[i] < last) continue;
    if (s[i] > last) {
      above++;
      above_positive += positive;
    } else {
      tied++;
      tied_positive += positive;
    }
  }
  *precision =
      ((double)above_positive + (double)(k - above) * (double)tied_positive / (double)tied) /
      (double)k;
  return DPPAIR_OK;
}

/* Sorts x[0..2n), n pairs (a, b), by a, then b; with only_b by b alone. Merges runs; spare has 2n
 * numbers. Returns how many exchanges of neighbours would have sorted them. */
DPPAIR_FN_ uint64_t dppair_sort_pairs_(double *x, double *spare, size_t n, int only_b) {
  uint64_t exchanges = 0;
  size_t width, from, i;
  for (width = 1; width<n; width = width> n / 2 ? n : 2 * width) {
    for (from = 0; from < n; from += n - from < 2 * width ? n - from : 2 * width) {
      const size_t middle = n - from < width ? n : from + width;
      const size_t to = n - middle < width ? n : middle + width;
      size_t l = from, r = middle;
      for (i = from; i < to; i++) {
        int right = l == middle;
        if (l < middle && r < to) {
          const double *a = x + 2 * l, *b = x + 2 * r;
          right = only_b ? b[1] < a[1] : b[0] < a[0] || (b[0] <= a[0] && b[1] < a[1]);
        }
        if (right) exchanges += (uint64_t)(middle - l);
        memcpy(spare + 2 * i, x + 2 * (right ? r : l), 2 * sizeof *x);
        if (right)
          r++;
        else
          l++;
      }
    }
    memcpy(x, spare, 2 * n * sizeof *x);
  }
  return exchanges;
}

/* Of n sorted pairs (a, b), how many pairs of them agree in the columns from..to: the sum of
 * t (t - 1)/2 over the runs of t equal ones. */
DPPAIR_FN_ uint64_t dppair_tied_pairs_(const double *x, size_t n, size_t from, size_t to) {
  uint64_t tied = 0, run = 0;
  size_t i, c;
  for (i = 1; i < n; i++) {
    int same = 1;
    for (c = from; c < to; c++)
      same &= !(x[2 * i + c] < x[2 * i - 2 + c]) && !(x[2 * i + c] > x[2 * i - 2 + c]);
    run = same ? run + 1 : 0;
    tied += run;
  }
  return tied;
}

/* Kendall's tau-b of a[n] and b[n]: (concordant - discordant pairs)/sqrt(pairs untied in a * pairs
 * untied in b), n >= 2, O(n log n) (Knight 1966). DOMAIN also when one of them is constant. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_kendall_not_private_f64(
    double *tau, const double *a, const double *b, size_t n, void *work, size_t bytes) {
  uint64_t all, tied_a, tied_b, tied_both, exchanges;
  double *pairs, *spare;
  size_t i;
  dppair_status status;
  if (!tau) return DPPAIR_ERR_NULL;
  *tau = 0.0;
  if (!a || !b) return DPPAIR_ERR_NULL;
  if (n < 2) return DPPAIR_ERR_SIZE;
  if (n > UINT32_MAX) return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&pairs, dppair_measures_room_(n, 0), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_all_finite_f64(a, n) || !dppair_all_finite_f64(b, n)) return DPPAIR_ERR_NOT_FINITE;
  for (i = 0; i < n; i++) {
    pairs[2 * i] = a[i];
    pairs[2 * i + 1] = b[i];
  }
  spare = pairs + 2 * n;
  all = (uint64_t)n * (uint64_t)(n - 1) / 2;
  (void)dppair_sort_pairs_(pairs, spare, n, 0);
  tied_a = dppair_tied_pairs_(pairs, n, 0, 1);
  tied_both = dppair_tied_pairs_(pairs, n, 0, 2);
  exchanges = dppair_sort_pairs_(pairs, spare, n, 1);
  tied_b = dppair_tied_pairs_(pairs, n, 1, 2);
  if (all == tied_a || all == tied_b) return DPPAIR_ERR_DOMAIN;
  /* concordant + discordant = all - tied_a - tied_b + tied_both, discordant = exchanges */
  *tau = ((double)(all - tied_a + tied_both - tied_b) - 2.0 * (double)exchanges) /
         (dppair_sqrt_((double)(all - tied_a)) * dppair_sqrt_((double)(all - tied_b)));
  return DPPAIR_OK;
}

/* out = W r for W = w[d][d], or r where w is NULL. */
DPPAIR_FN_ void dppair_image_(double *out, const double *w, const double *r, size_t d) {
  size_t j, c;
  for (j = 0; j < d; j++) {
    out[j] = w ? 0.0 : r[j];
    for (c = 0; w && c < d; c++) out[j] += w[j * d + c] * r[c];
  }
}

DPPAIR_FN_ double dppair_dot_(const double *a, const double *b, size_t d) {
  double dot = 0.0;
  size_t j;
  for (j = 0; j < d; j++) dot += a[j] * b[j];
  return dot;
}

/* nearest[0..held) holds pairs (distance, label) by distance, at most k of them; inserts one more,
 * after those at the same distance. Returns how many there are then. */
DPPAIR_FN_ size_t dppair_nearest_add_(double *nearest, size_t held, size_t k, double distance,
                                      double label) {
  size_t j;
  if (held == k && !(distance < nearest[2 * k - 2])) return held;
  j = held < k ? held++ : k - 1;
  for (; j > 0 && distance < nearest[2 * j - 2]; j--)
    memcpy(nearest + 2 * j, nearest + 2 * j - 2, 2 * sizeof *nearest);
  nearest[2 * j] = distance;
  nearest[2 * j + 1] = label;
  return held;
}

/* The label that most of the k pairs (distance, label) have; of several the nearest. */
DPPAIR_FN_ double dppair_majority_(const double *nearest, size_t k) {
  double best = 0.0;
  size_t i, j, votes = 0;
  for (i = 0; i < k; i++) {
    size_t same = 0;
    for (j = 0; j < k; j++)
      same +=
          !(nearest[2 * j + 1] < nearest[2 * i + 1]) && !(nearest[2 * j + 1] > nearest[2 * i + 1]);
    if (same <= votes) continue;
    votes = same;
    best = nearest[2 * i + 1];
  }
  return best;
}

/* 1 when all n rows of d numbers at distance ld are finite. */
DPPAIR_FN_ int dppair_finite_rows_(const double *x, size_t n, size_t d, size_t ld) {
  size_t i;
  for (i = 0; i < n; i++)
    if (!dppair_all_finite_f64(x + i * ld, d)) return 0;
  return 1;
}

/* Of n training rows with norms[i] = r^T W r, the k nearest to the record whose image W r is given,
 * but row `skip` (n: none), as dppair_nearest_add_ keeps them. Distances lack r^T W r of the record
 * itself, which is the same for all. 1 <= k <= the rows that count. */
DPPAIR_FN_ dppair_status dppair_nearest_find_(double *nearest, const double *image,
                                              const double *norms, const double *x, const double *y,
                                              size_t n, size_t d, size_t ld, size_t k,
                                              size_t skip) {
  size_t i, held = 0;
  for (i = 0; i < n; i++) {
    const double distance = norms[i] - 2.0 * dppair_dot_(image, x + i * ld, d);
    if (!dppair_isfinite_f64(distance)) return DPPAIR_ERR_NOT_FINITE;
    if (i != skip) held = dppair_nearest_add_(nearest, held, k, distance, y[i]);
  }
  return DPPAIR_OK;
}

/* norms[i] = r^T W r of n rows; image: d numbers. */
DPPAIR_FN_ void dppair_nearest_norms_(double *norms, double *image, const double *x, size_t n,
                                      size_t d, size_t ld, const double *w) {
  size_t i;
  for (i = 0; i < n; i++) {
    dppair_image_(image, w, x + i * ld, d);
    norms[i] = dppair_dot_(x + i * ld, image, d);
  }
}

/* The share of m test records whose label is the majority among their k nearest of n training
 * records in the metric (x - x')^T W (x - x'), W = w[d][d] symmetric (NULL: the identity). The
 * nearer label wins a tie of votes, the earlier record a tie of distances. x: rows of d at distance
 * ld; y: any labels; 1 <= k <= n. O(m (n d + d^2 + n k)). The neighbours are training records:
 * neither the figure nor such a classifier is private. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_knn_accuracy_not_private_f64(
    double *accuracy, const double *x, const double *y, size_t n, const double *test_x,
    const double *test_y, size_t m, size_t d, size_t ld, const double *w, size_t k, void *work,
    size_t bytes) {
  double *norms, *image, *nearest;
  size_t t, count, correct = 0;
  dppair_status status;
  if (!accuracy) return DPPAIR_ERR_NULL;
  *accuracy = 0.0;
  if (!x || !y || !test_x || !test_y) return DPPAIR_ERR_NULL;
  if (n == 0 || m == 0 || d == 0 || ld < d || k == 0 || k > n) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul_(&count, d, d) || dppair_size_mul_(&count, n > m ? n : m, ld))
    return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&norms, dppair_measures_room_(n, d), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_finite_rows_(x, n, d, ld) || !dppair_finite_rows_(test_x, m, d, ld) ||
      (w && !dppair_all_finite_f64(w, d * d)) || !dppair_all_finite_f64(y, n) ||
      !dppair_all_finite_f64(test_y, m))
    return DPPAIR_ERR_NOT_FINITE;
  image = norms + n;
  nearest = image + d;
  dppair_nearest_norms_(norms, image, x, n, d, ld, w);
  for (t = 0; t < m; t++) {
    double label;
    dppair_image_(image, w, test_x + t * ld, d);
    status = dppair_nearest_find_(nearest, image, norms, x, y, n, d, ld, k, n);
    if (status != DPPAIR_OK) return status;
    label = dppair_majority_(nearest, k);
    correct += !(label < test_y[t]) && !(label > test_y[t]);
  }
  *accuracy = (double)correct / (double)m;
  return DPPAIR_OK;
}

/* Recall at k, leave-one-out: the share of n records, each in turn compared with the n - 1 others,
 * of which one of the k nearest others has the same label. The metric and its ties are those of
 * dppair_knn_accuracy_not_private_f64; a record whose label no other has counts as missed. k = 1:
 * the accuracy of the nearest neighbour. 1 <= k < n, d >= 1. O(n (n d + d^2 + n k)). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_recall_at_not_private_f64(
    double *recall, const double *x, const double *y, size_t n, size_t d, size_t ld,
    const double *w, size_t k, void *work, size_t bytes) {
  double *norms, *image, *nearest;
  size_t i, j, count, found = 0;
  dppair_status status;
  if (!recall) return DPPAIR_ERR_NULL;
  *recall = 0.0;
  if (!x || !y) return DPPAIR_ERR_NULL;
  if (d == 0 || ld < d || k == 0 || k >= n) return DPPAIR_ERR_SIZE;
  if (dppair_size_mul_(&count, d, d) || dppair_size_mul_(&count, n, ld)) return DPPAIR_ERR_OVERFLOW;
  status = dppair_work_(&norms, dppair_measures_room_(n, d), work, bytes);
  if (status != DPPAIR_OK) return status;
  if (!dppair_finite_rows_(x, n, d, ld) || (w && !dppair_all_finite_f64(w, d * d)) ||
      !dppair_all_finite_f64(y, n))
    return DPPAIR_ERR_NOT_FINITE;
  image = norms + n;
  nearest = image + d;
  dppair_nearest_norms_(norms, image, x, n, d, ld, w);
  for (i = 0; i < n; i++) {
    dppair_image_(image, w, x + i * ld, d);
    status = dppair_nearest_find_(nearest, image, norms, x, y, n, d, ld, k, i);
    if (status != DPPAIR_OK) return status;
    for (j = 0; j < k && (nearest[2 * j + 1] < y[i] || nearest[2 * j + 1] > y[i]);) j++;
    found += j < k;
  }
  *recall = (double)found / (double)n;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/pairs/box.h ------------------------------------------------------------------------
 * The box method: grid, error and table
 *
 * Coefficients of analytic losses in O(n). This chapter bounds the error, plans the grid and fills
 * the table; box_kernels.h computes with them, template.h checks arguments. fast_state.h has the
 * types, rounding.h what arithmetic adds to a sensitivity.
 *
 * Scores are cut into boxes of width h, on a grid fixed in score coordinates. Between two boxes the
 * slope phi'(s - s') is replaced by the polynomial in both scores that interpolates it at the p
 * Chebyshev nodes of each box, so sums over partners need only p moments per box. Boxes that are
 * far apart use a limit of the slope, which is then flat to within the same error. Which of the two
 * is used depends on the two boxes only. So what is summed is a fixed function K(s, s') of the two
 * scores.
 *
 * The error. With t = pi u/distance, 1/(1+e^-t) - 1/2 is the sum of 1/(t - z) over the poles
 * z = +-(2k+1) i pi. On a box of width h (in units of t) let zeta = (2/h)(z - centre);
 * interpolating 1/(x - zeta) at the zeros of T_p leaves exactly T_p(x)/(T_p(zeta)(x - zeta)), and
 * |T_p(zeta)| >= sinh(p asinh |Im zeta|), |x - zeta| >= |Im zeta| = y_k = (2k+1) 2 pi/h whatever
 * the centre. Hence
 *
 *     E1 = (2/pi) sum over k >= 0 of 1/((2k+1) sinh(p asinh y_k))                        (order 1)
 *
 * in one variable and E = (1 + Lambda) E1 in two, Lambda <= 1 + (2/pi) ln p being the norm of
 * interpolation. The derivative has double poles; differentiating the same identity in zeta gives
 *
 *     E1 = 2 (2/h)^2 sum of (1/y_k^2 + p coth(p asinh y_k)/(y_k sqrt(1+y_k^2)))/sinh(p asinh y_k)
 *
 * and once more, for triple poles (the curvature of the sigmoid loss): the error of 2/(x-zeta)^3 is
 * that of 1/(x-zeta) times 2/(x-zeta)^2 - 2 T'/((x-zeta) T) + 2 (T'/T)^2 - T''/T, T = T_p(zeta).
 * With A = p coth(p asinh y)/sqrt(1+y^2) >= |T'/T| and (1-zeta^2) T'' = zeta T' - p^2 T,
 *
 *     E1 = 2 (2/h)^3 sum of B/(y sinh(p asinh y)), y = y_k,
 *     B = 2/y^2 + 2A/y + 2A^2 + (A sqrt(2+y^2) + p^2)/(1+y^2)
 *
 * because |zeta^2 - 1| >= 1 + y^2 for y >= 1, which h <= 4 grants, whatever the centre.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPPAIR_BOX_PI_ 3.14159265358979323846
#define DPPAIR_BOX_TERMS_ 16 /* the most Chebyshev nodes of a box */
#define DPPAIR_BOX_REACH_ 64 /* the most boxes between two whose slope is interpolated */
#define DPPAIR_BOX_MOST_ 1e6 /* limit of the boxes on either side of 0, of distance and of rate */

/* The term of the k-th pair of poles in E1, for p terms and boxes of width h in units of t. */
DPPAIR_FN_ double dppair_box_term_(int k, double h, double p, int order) {
  const double pi = DPPAIR_BOX_PI_;
  const double odd = 2.0 * k + 1.0, y = odd * 2.0 * pi / h, s = dppair_sinh_(p * dppair_asinh_(y));
  const double root = dppair_sqrt_(1.0 + y * y),
               slope = p * dppair_sqrt_(1.0 + 1.0 / (s * s)) / root; /* A */
  if (order == 1) return 2.0 / (pi * odd * s);
  if (order == 3)
    return 16.0 / (h * h * h) *
           (2.0 / (y * y) + 2.0 * slope / y + 2.0 * slope * slope +
            (slope * dppair_sqrt_(2.0 + y * y) + p * p) / (root * root)) /
           (y * s);
  return 8.0 / (h * h) *
         (1.0 / (y * y) + p * dppair_sqrt_(1.0 + 1.0 / (s * s)) / (y * dppair_sqrt_(1.0 + y * y))) /
         s;
}

/* A certified bound of |K - slope| for boxes of this width (in units of scores) and this many
 * terms: E of the derivation above, times the strength of the poles. The rounding of K's
 * coefficients is not included. HUGE_VAL when an argument is out of range (2 <= terms <= 64, 0 < pi
 * width/distance <= 4, strength >= 0) or when sums are not rounded to nearest. */
DPPAIR_FN_ double dppair_box_bound_(double width, int terms, dppair_poles poles) {
  const double pi = DPPAIR_BOX_PI_, p = (double)terms, h = pi * width / poles.distance;
  const int pairs = 16;             /* of poles that are added one by one */
  const double above = 1.0 + 1e-12; /* the rounding of this sum */
  double sum = 0.0, last = 0.0;
  int k;
  if (!(h > 0.0 && h <= 4.0) || terms < 2 || terms > 64 || !(poles.strength >= 0.0) ||
      dppair_environment_check() != DPPAIR_OK)
    return HUGE_VAL;
  for (k = 0; k < pairs; k++) {
    last = dppair_box_term_(k, h, p, poles.order);
    sum += last;
  }
  /* what is left out falls at least as fast as 1/(2k+1)^3: less than 16 times the last term */
  return (sum + 16.0 * last) * poles.strength * (2.0 + 2.0 / pi * dppair_log_(p)) * above;
}

/* Double-double sums for the table. (*hi, *lo) += (x, y): the sum of *hi and x is exact before it
 * is rounded to a pair. */
DPPAIR_FORCE_INLINE_ void dppair_dd_add_(double *hi, double *lo, double x, double y) {
  const double s = *hi + x, t = s - *hi, e = (*hi - (s - t)) + (x - t) + *lo + y;
  *hi = s + e;
  *lo = e - (*hi - s);
}

/* (*hi, *lo) += (a_hi, a_lo) b: the product a_hi b is exact. */
DPPAIR_FORCE_INLINE_ void dppair_dd_fma_(double *hi, double *lo, double a_hi, double a_lo,
                                         double b) {
  const double p = a_hi * b;
  dppair_dd_add_(hi, lo, p, dppair_fma_f64_(a_hi, b, -p) + a_lo * b);
}

/* cos(j pi/(2p)) rounded to double for p = terms = 8, 12, 16 and any integer j >= 0; *low is the
 * rest, also rounded. The tables hold cos(j pi/32) and cos(j pi/24). */
DPPAIR_FN_ double dppair_box_cosine_(int j, int terms, double *low) {
  static const double c32[17][2] = {{1.0, 0.0},
                                    {0.9951847266721969, -4.248691367830441e-17},
                                    {0.9807852804032304, 1.8546939997825006e-17},
                                    {0.9569403357322088, 4.05538698618757e-17},
                                    {0.9238795325112867, 1.7645047084336677e-17},
                                    {0.881921264348355, -1.9843248405890562e-17},
                                    {0.8314696123025452, 1.4073856984728024e-18},
                                    {0.773010453362737, -3.256590703364977e-17},
                                    {0.7071067811865476, -4.833646656726457e-17},
                                    {0.6343932841636455, 1.0420901929280035e-17},
                                    {0.5555702330196022, 4.709410940561677e-17},
                                    {0.47139673682599764, 6.516678136069013e-18},
                                    {0.3826834323650898, -1.0050772696461588e-17},
                                    {0.2902846772544624, -1.892797870777425e-17},
                                    {0.19509032201612828, -7.991079068461731e-18},
                                    {0.0980171403295606, -1.634582362244256e-18},
                                    {0.0, 0.0}};
  static const double c24[13][2] = {{1.0, 0.0},
                                    {0.9914448613738104, 2.898989874454537e-17},
                                    {0.9659258262890683, -2.5463971562308955e-17},
                                    {0.9238795325112867, 1.7645047084336677e-17},
                                    {0.8660254037844386, 5.0175421109034514e-17},
                                    {0.7933533402912352, -5.028625073907125e-19},
                                    {0.7071067811865476, -4.833646656726457e-17},
                                    {0.6087614290087207, -1.647047979025087e-17},
                                    {0.5, 1.34e-58},
                                    {0.3826834323650898, -1.0050772696461588e-17},
                                    {0.25881904510252074, 2.287249500495561e-17},
                                    {0.1305261922200516, -9.607666023901524e-18},
                                    {0.0, 0.0}};
  double sign = 1.0;
  j %= 4 * terms;
  if (j > 2 * terms) j = 4 * terms - j;
  if (j > terms) {
    sign = -1.0;
    j = 2 * terms - j;
  }
  *low = sign * (terms == 12 ? c24[j][1] : c32[j * 16 / terms][1]);
  return sign * (terms == 12 ? c24[j][0] : c32[j * 16 / terms][0]);
}

/* A square of numbers for pairs of nodes or of powers, of which p x p are used. */
typedef double dppair_box_matrix_[DPPAIR_BOX_TERMS_][DPPAIR_BOX_TERMS_];

/* t[m][k] = the coefficient of x^k in T_m, an integer, for m < p. */
DPPAIR_FN_ void dppair_box_chebyshev_(dppair_box_matrix_ t, int p) {
  int m, k;
  memset(t, 0, sizeof(dppair_box_matrix_));
  t[0][0] = t[1][1] = 1.0;
  for (m = 2; m < p; m++)
    for (k = 0; k <= m; k++) t[m][k] = (k ? 2.0 * t[m - 1][k - 1] : 0.0) - t[m - 2][k];
}

/* hi[k][i] + lo[k][i] = the coefficient of x^k in the polynomial that is 1 at node i and 0 at the
 * others: the sum over m of (2 - [m=0])/p T_m(x_i) times the coefficient of x^k in T_m. */
DPPAIR_FN_ void dppair_box_basis_(dppair_box_matrix_ hi, dppair_box_matrix_ lo, int p) {
  dppair_box_matrix_ t;
  int m, k, i;
  dppair_box_chebyshev_(t, p);
  for (k = 0; k < p; k++)
    for (i = 0; i < p; i++) {
      double h = 0.0, l = 0.0;
      for (m = k; m < p; m++) {
        double low, c = dppair_box_cosine_(m * (2 * i + 1), p, &low);
        dppair_dd_fma_(&h, &l, c, low, m ? 2.0 * t[m][k] : t[m][k]);
      }
      /* divide by p in double-double */
      hi[k][i] = h / (double)p;
      lo[k][i] = (dppair_fma_f64_(-hi[k][i], (double)p, h) + l) / (double)p;
    }
}

/* The polynomials in the first score for each node j of the second: gh[k][j] + gl[k][j], the
 * coefficient of t^k in the one that takes the values slopes[i * p + j] at the nodes i. */
DPPAIR_FN_ void dppair_box_first_(dppair_box_matrix_ gh, dppair_box_matrix_ gl,
                                  const double *slopes, int p, dppair_box_matrix_ hi,
                                  dppair_box_matrix_ lo) {
  int i, j, k;
  for (k = 0; k < p; k++)
    for (j = 0; j < p; j++) {
      gh[k][j] = gl[k][j] = 0.0;
      for (i = 0; i < p; i++)
        dppair_dd_fma_(&gh[k][j], &gl[k][j], hi[k][i], lo[k][i], slopes[i * p + j]);
    }
}

/* The table for one offset between boxes, from the slopes at pairs of nodes, slopes[i * p + j]:
 * column[l * stride + k] = K_kl, which multiplies t^k of the positive's coordinate and the l-th
 * moment of the negatives. The slope is a function of s - s' and the nodes are symmetric, so K_kl =
 * (-1)^(k+l) K_lk; this holds to the last bit because only one of the two is computed. Returns the
 * sum of |K_kl|. */
DPPAIR_FN_ double dppair_box_column_(double *column, const double *slopes, int p, int stride,
                                     dppair_box_matrix_ hi, dppair_box_matrix_ lo) {
  dppair_box_matrix_ gh, gl;
  double total = 0.0;
  int j, k, l;
  memset(column, 0, (size_t)(p * stride) * sizeof *column);
  dppair_box_first_(gh, gl, slopes, p, hi, lo);
  for (k = 0; k < p; k++)
    for (l = 0; l <= k; l++) {
      double h = 0.0, e = 0.0;
      for (j = 0; j < p; j++) {
        dppair_dd_fma_(&h, &e, gh[k][j], gl[k][j], hi[l][j]);
        dppair_dd_add_(&h, &e, gh[k][j] * lo[l][j], 0.0);
      }
      column[l * stride + k] = h;
      column[k * stride + l] = (k + l) % 2 ? -h : h;
      total += k == l ? dppair_fabs_(h) : 2.0 * dppair_fabs_(h);
    }
  return total;
}

/* Zeroes a[np] and b[nn]. NULL when one is missing; OVERFLOW, and nothing is touched, when no
 * memory holds so many numbers. */
DPPAIR_FN_ dppair_status dppair_zero_(double *a, size_t np, double *b, size_t nn) {
  if (np > SIZE_MAX / sizeof *a || nn > SIZE_MAX / sizeof *b) return DPPAIR_ERR_OVERFLOW;
  if (a && np) memset(a, 0, np * sizeof *a);
  if (b && nn) memset(b, 0, nn * sizeof *b);
  return (!a && np) || (!b && nn) ? DPPAIR_ERR_NULL : DPPAIR_OK;
}

/* `status`, or NOT_FINITE if it is OK and a number of a[np] or b[nn] is not finite. On an error
 * both arrays are zeroed. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_settle_(dppair_status status, double *a,
                                                          size_t np, double *b, size_t nn) {
  if (status == DPPAIR_OK && !(dppair_all_finite_f64(a, np) && dppair_all_finite_f64(b, nn)))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) dppair_zero_(a, np, b, nn);
  return status;
}

/* Zeroes the outputs of NAME_coeffs_fast and checks its arguments, but for numbers in scores and
 * whose state it is. */
DPPAIR_FN_ dppair_status dppair_fast_check_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            int kind) {
  const dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn) || !f) return DPPAIR_ERR_NULL;
  if (f->kind != kind || !f->run) return DPPAIR_ERR_WORKSPACE;
  /* the test uses the number of all records, which is public; that of a class is not */
  if (np > f->most || nn > f->most - np) return DPPAIR_ERR_WORKSPACE;
  return DPPAIR_OK;
}

/* The method of sorting, after those checks: a[np], b[nn] from finite scores of either type. */
DPPAIR_FN_ dppair_status dppair_pieces_run_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            const dppair_piece *pieces, int count, int is_f32,
                                            const double *const *weight) {
  dppair_status status;
  DPPAIR_DISPATCH_(dppair_pieces_coeffs,
                   (&status, a, b, sp, np, sn, nn, f, pieces, count, is_f32, weight));
  return status;
}

/* Sets f->reach, the number of boxes beyond which the limits of the slope are used, and returns the
 * error of doing so, strength e^-(rate distance). The reach is the least one whose error is at most
 * 1/64 of kernel_error, so that it does not matter, but never more than DPPAIR_BOX_REACH_. */
DPPAIR_FN_ double dppair_box_reach_(dppair_fast *f, double strength, double rate) {
  for (f->reach = 1;; f->reach++) {
    const double span = strength * dppair_exp_(-rate * f->width * f->reach) * (1.0 + 1e-12);
    if (span <= f->kernel_error / 64.0 || f->reach == DPPAIR_BOX_REACH_) return span;
  }
}

/* Terms, width, reach, boxes and error of the grid for these poles; no table and no workspace yet.
 * DOMAIN for poles, an accuracy or a cap that are out of range. */
DPPAIR_FN_ dppair_status dppair_box_plan_(dppair_fast *f, dppair_poles poles,
                                          dppair_accuracy accuracy, double score_cap) {
  const double rate = DPPAIR_BOX_PI_ / poles.distance;
  double span, table;
  int e;
  memset(f, 0, sizeof *f);
  if (!(poles.distance > 0.0 && poles.distance < DPPAIR_BOX_MOST_ && rate < DPPAIR_BOX_MOST_) ||
      !(poles.strength >= 0.0) || !dppair_isfinite_f64(poles.strength))
    return DPPAIR_ERR_DOMAIN;
  if ((int)accuracy < 0 || accuracy > DPPAIR_ACCURACY_1E12) return DPPAIR_ERR_DOMAIN;
  if (!dppair_isfinite_f64(score_cap) || score_cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  f->kind = DPPAIR_KIND_ANALYTIC_;
  f->terms = 8 + 4 * (int)accuracy;
  f->stride = f->terms > 8 ? 16 : 8;
  (void)dppair_frexp_(2.0 / rate, &e); /* the largest power of two with rate h <= 2 */
  f->width = dppair_ldexp_(1.0, e - 1);
  f->score_cap = score_cap;
  if (score_cap / f->width > DPPAIR_BOX_MOST_) return DPPAIR_ERR_DOMAIN;
  f->capacity = 2 * (size_t)(score_cap / f->width + 0.5) + 2;
  /* The table's own error: slopes at the nodes are within 4 ulp, and the margins' rounding moves
   * them by less than 2 more (|u| |slope'(u)| < strength/2); interpolation in two variables
   * magnifies that by at most (1 + (2/pi) ln p)^2 < 8. The transform is in double-double; one
   * rounding of each coefficient remains, at most weight ulp in all. */
  table = poles.strength * DBL_EPSILON * (8.0 * 6.0 + 4.0);
  f->kernel_error = dppair_box_bound_(f->width, f->terms, poles) + table;
  span = dppair_box_reach_(f, poles.strength, rate);
  if (span > f->kernel_error) f->kernel_error = span;
  return DPPAIR_OK;
}

/* Doubles of the table. */
DPPAIR_FN_ size_t dppair_box_table_(const dppair_fast *f) {
  return (2 * (size_t)f->reach + 1) * (size_t)(f->terms * f->stride);
}

DPPAIR_FP_END_
/* ---- src/pairs/rounding.h -------------------------------------------------------------------
 * Rounding of coefficients, by what computes them
 *
 * The allowances of rows/rounding.h for the pair loops, boxes, grids and sorting; chunks_state.h
 * has that of sums without order. Relies on fast_state.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Roundings per partner, each of at most f->weight 2^-53, in a coefficient of n records: see the
 * proof at NAME_allowance, and sketch.h, grid.h. */
DPPAIR_FN_ double dppair_fast_steps_(const dppair_fast *f, double n) {
  const double products = (2.0 * f->reach + 1.0) * f->terms / 4.0 + 8.0;
  if (f->kind == DPPAIR_KIND_PIECEWISE_) return f->order_free ? 16.0 : n + 8.0;
  return 26.0 + products + 2.0 * f->terms;
}

/* As many more where weights are 1: moments are rounded to multiples of 2^-50. */
DPPAIR_FN_ double dppair_fast_units_(const dppair_fast *f) {
  return f->kind == DPPAIR_KIND_ANALYTIC_ ? 4.0 : 0.0;
}

/* dppair_allowance_by_ for this state; f NULL means the pair loops, which add in a type with this
 * epsilon. spread: the sum of own weights, each times the number of partners. */
DPPAIR_FN_ dppair_status dppair_allowance_of_(double *factor, double *rounding,
                                              const dppair_fast *f, double epsilon, double count,
                                              double mass, double spread, double radius,
                                              double slope) {
  double error = 0.0, chain = dppair_loops_chain_(epsilon, count, slope);
  if (f) {
    error = f->kind == 0 ? -HUGE_VAL : f->kernel_error;
    chain = f->weight * dppair_fast_steps_(f, count) * (0.5 * DBL_EPSILON);
    if (mass > 0.0)
      chain += f->weight * dppair_fast_units_(f) * (spread / mass) * (0.5 * DBL_EPSILON);
  }
  return dppair_allowance_by_(factor, rounding, error, chain, epsilon, count, mass, radius, slope);
}

/* The same for all pairs of n rows: n+ n- <= n^2/4 on either side. */
DPPAIR_FN_ dppair_status dppair_allowance_(double *factor, double *rounding, const dppair_fast *f,
                                           double epsilon, size_t n, double radius, double slope) {
  const double count = (double)n, pairs = 0.5 * count * count;
  return dppair_allowance_of_(factor, rounding, f, epsilon, count, pairs, pairs, radius, slope);
}

DPPAIR_FP_END_
/* ---- src/pairs/sketch.h ---------------------------------------------------------------------
 * Moments without order: joining, errors, the methods of a state
 *
 * sketch_state.h says what moments are, sketch_kernels.h computes them, sketch_template.h has
 * the functions of an instance.
 *
 * Rounding of a coefficient, u = 2^-53, W = f->weight (the largest sum of |K_kl| of a box), for
 * partners of weight w' in 4 units of every sum that a partner enters: u 14 w' for its powers and
 * 4 u (2^-51) for the multiple of 2^-50, since sums of multiples are exact. A sum that becomes a
 * double is rounded once, 1 u of the weights in it. Sums of boxes that are beyond the reach are
 * added in two doubles: 8 u with the product. Then come translation and Horner's rule as in box.h,
 * (2 reach + 1) p/4 + 8 and 2p roundings, and the product with the own weight. All of them are of
 * numbers that W times the weights of partners bound:
 *
 *   |c_i - sum over j of w_i w_j K(s_i, s_j)| <= 1.01 u W w_i (4 partners + steps (their weights))
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The sum over all records of the errors above, at most. spread: the sum of own weights times the
 * number of partners; mass: the sum of own weights times those of partners; over the records of
 * both classes: for all pairs of n records both are n^2/2. */
DPPAIR_FN_ double dppair_sketch_rounding_(const dppair_fast *f, double spread, double mass) {
  const double u = 0.5 * DBL_EPSILON;
  return 1.01 * u * f->weight *
         (dppair_fast_units_(f) * spread + dppair_fast_steps_(f, 0.0) * mass);
}

/* A weight as it counts in an order-free state: held within [0, 1], NaN as 0, and rounded down to a
 * multiple of 2^-50, so that sums of weights are exact and those of a user do not grow. */
DPPAIR_FN_ double dppair_share_grid_(double weight) {
  const double w = dppair_share_(weight), nearby = (w + 6.0) - 6.0; /* steps of 2^-50 above 4 */
  return nearby > w ? nearby - DPPAIR_SKETCH_UNIT_ : nearby;
}

/* A digest that v was added to. */
DPPAIR_FN_ uint64_t dppair_digest_add_(uint64_t digest, uint64_t v) {
  const uint64_t product = (digest ^ v) * UINT64_C(0x9e3779b97f4a7c15);
  return (product ^ product >> 29) * UINT64_C(0xbf58476d1ce4e5b9) ^ product >> 32;
}

/* A digest of `size` bytes of text. Never 0. It is the same wherever the text is. */
DPPAIR_FN_ uint64_t dppair_digest_text_(const char *text, size_t size) {
  uint64_t digest = 0, word;
  size_t k;
  for (k = 0; k < size; k += sizeof word) {
    word = 0;
    memcpy(&word, text + k, size - k < sizeof word ? size - k : sizeof word);
    digest = dppair_digest_add_(digest, word);
  }
  return digest | 1;
}

/* A digest of `count` numbers, and of what came before. */
DPPAIR_FN_ uint64_t dppair_digest_all_(uint64_t digest, const double *v, size_t count) {
  size_t k;
  for (k = 0; k < count; k++) digest = dppair_digest_add_(digest, dppair_bits_f64_(v[k]));
  return digest;
}

/* A digest of what results of a state depend on, its loss and its sizes too: each number by itself,
 * so that none hides another. Addresses are not in it, since processes compare digests. */
DPPAIR_FN_ uint64_t dppair_digest_of_state_(const dppair_fast *f) {
  const double figures[] = {f->width,        f->score_cap, f->low,   f->high,
                            f->kernel_error, f->weight,    f->slope, f->centre};
  const uint64_t sizes[] = {f->most, f->capacity, f->words, f->cells, f->room};
  const int numbers[] = {f->kind, f->order_free, f->terms, f->stride, f->reach};
  uint64_t digest = f->loss;
  size_t k;
  for (k = 0; k < 5; k++) digest = dppair_digest_add_(digest, sizes[k]);
  for (k = 0; k < 5; k++) digest = dppair_digest_add_(digest, (uint64_t)(int64_t)numbers[k]);
  return dppair_digest_all_(digest, figures, sizeof figures / sizeof *figures);
}

/* The end of NAME_fast_init and NAME_sums_init: the digests. */
DPPAIR_FN_ void dppair_fast_seal_(dppair_fast *f, uint64_t loss) {
  f->loss = loss;
  if (f->table) f->centre = f->table[f->reach * f->terms * f->stride];
  f->digest = dppair_digest_of_state_(f);
}

/* Is *f as it was sealed? Its sizes are looked at before its table is. */
DPPAIR_FN_ int dppair_fast_is_whole_(const dppair_fast *f) {
  if (f->digest != dppair_digest_of_state_(f)) return 0;
  return !f->table ||
         dppair_bits_f64_(f->table[f->reach * f->terms * f->stride]) == dppair_bits_f64_(f->centre);
}

/* The bytes of moments of this state: words, then partial sums or coefficients. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status dppair_sketch_bytes_(size_t *bytes,
                                                                const dppair_fast *f) {
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!f) return DPPAIR_ERR_NULL;
  if (!f->order_free) return DPPAIR_ERR_WORKSPACE;
  if (f->words > SIZE_MAX / 32 || f->room > SIZE_MAX / 32) return DPPAIR_ERR_OVERFLOW;
  *bytes = (f->words + f->room) * sizeof(uint64_t) + 64;
  return DPPAIR_OK;
}

/* Makes *m empty moments at base, which is aligned; boxes get words as they come into use. */
DPPAIR_FN_ void dppair_sketch_begin_(dppair_sketch *m, const dppair_fast *f, void *base) {
  memset(m, 0, sizeof *m);
  m->cells = f->cells;
  m->all = f->words;
  m->state = f->digest;
  m->words = (uint64_t *)base;
  m->partial = m->words + f->words;
  m->coefficients = (double *)(void *)m->partial;
  if (f->kind == DPPAIR_KIND_ANALYTIC_) return;
  memset(m->words, 0, f->words * sizeof *m->words);
  m->high = m->cells;
}

/* m += other of another part of a gradient. */
DPPAIR_FN_ void dppair_sketch_join_(dppair_sketch *m, const dppair_sketch *other,
                                    const dppair_fast *f) {
  const size_t count = (other->high - other->low) * (size_t)f->stride;
  int side;
  m->count[0] += other->count[0];
  m->count[1] += other->count[1];
  if (f->kind != DPPAIR_KIND_ANALYTIC_) {
    dppair_words_add(m->words, other->words, m->all / 2);
    return;
  }
  if (count == 0) return;
  dppair_sketch_hold_(m, f, other->low, other->high);
  for (side = 0; side < 2; side++) {
    const size_t at = 2 * dppair_sketch_at_(m, f, side, other->low);
    dppair_words_add(m->words + at, other->words + at, count);
  }
}

/* NAME_coeffs_fast of an order-free state after its checks: both passes over one chunk. */
DPPAIR_FN_ dppair_status dppair_sketch_run_(double *a, double *b, const void *sp, size_t np,
                                            const void *sn, size_t nn, const dppair_fast *f,
                                            const dppair_piece *pieces, int count, int is_f32,
                                            const double *const *weight) {
  const double *w[2] = {weight ? weight[0] : NULL, weight ? weight[1] : NULL};
  dppair_sketch m;
  dppair_sketch_begin_(&m, f, f->work);
  f->count(&m, sp, np, np, w[0], f, is_f32);
  f->count(&m, sn, nn, 0, w[1], f, is_f32);
  f->close(&m, f, pieces, count, is_f32);
  f->read(a, sp, np, np, w[0], &m, f, is_f32);
  f->read(b, sn, nn, 0, w[1], &m, f, is_f32);
  return DPPAIR_OK;
}

/* The methods of boxes. */
DPPAIR_FN_ void dppair_boxes_count_(dppair_sketch *m, const void *s, size_t n, size_t positives,
                                    const double *weight, const dppair_fast *f, int is_f32) {
  DPPAIR_DISPATCH_(dppair_sketch_count, (m, s, n, positives, weight, f, is_f32));
}
DPPAIR_FN_ void dppair_boxes_close_(dppair_sketch *m, const dppair_fast *f,
                                    const dppair_piece *pieces, int count, int is_f32) {
  (void)pieces;
  (void)count;
  (void)is_f32;
  if (m->low < m->high) dppair_sketch_settle_(m, f); /* else the sums of 64 bits are all */
  DPPAIR_DISPATCH_(dppair_sketch_close, (m, f));
}
DPPAIR_FN_ void dppair_boxes_read_(double *c, const void *s, size_t n, size_t positives,
                                   const double *weight, const dppair_sketch *m,
                                   const dppair_fast *f, int is_f32) {
  DPPAIR_DISPATCH_(dppair_sketch_read, (c, s, n, positives, weight, m, f, is_f32));
}

/* Sums that are sure to hold the boxes of +-cap: their number, as the kernels count it. */
DPPAIR_FN_ size_t dppair_box_cells_(const dppair_fast *f) {
  const double top = f->score_cap / f->width + DPPAIR_MAGIC_F64_;
  return 2 * (size_t)(dppair_bits_f64_(top) - dppair_bits_f64_(DPPAIR_MAGIC_F64_)) + 1;
}

/* Makes the boxes of *f, which dppair_box_plan_ filled, a state of `most` records, but for the
 * bound of its slopes. */
DPPAIR_FN_ void dppair_boxes_sums_(dppair_fast *f, uint64_t most) {
  f->order_free = 1;
  f->most = most;
  f->cells = dppair_box_cells_(f);
  f->words = 4 * f->cells * (size_t)f->stride;
  f->room = 2 * DPPAIR_SKETCH_COPIES_ * f->cells * (size_t)f->stride;
  f->run = dppair_sketch_run_;
  f->count = dppair_boxes_count_;
  f->close = dppair_boxes_close_;
  f->read = dppair_boxes_read_;
}

DPPAIR_FP_END_
/* ---- src/pairs/grid.h -----------------------------------------------------------------------
 * Piecewise linear slopes, from scores on a public grid
 *
 * What an order-free state of a piecewise linear loss computes with: integers that say how much of
 * each class is in each cell of scores, and from these a coefficient for each cell and class. It
 * relies on sketch.h and words.h. Any order, split or tier gives the same bits.
 *
 * A score s counts as the cell k = round(s/h), held within +-K: h (f->width) is a power of two, and
 * K h (K is f->reach) is at most the cap. A weight counts as a multiple of 2^-B (B is f->terms),
 * rounded down, so cells hold integers; those of the f->most records of a state stay below 2^63 in
 * sum. The margin of a pair in cells k and k' is (k - k') h, exactly, in float and double. So what
 * is summed is phi'((k - k') h): a fixed function of two scores, in the range of phi' over +-2 cap.
 * No error of a kernel is charged for it. It is phi' at a margin that moved by at most h, or where
 * a score is beyond K h by less than 2 h, towards 0.
 *
 * A piece of knot t holds for u < t, or u <= t when closed: for k - k' <= m, the largest integer
 * for which (k - k') h does. Knots are those of the element type. So ties, and knots on the grid or
 * between its points, are decided as the loops decide them at the rounded scores. A coefficient is
 * the sum over the pieces of
 *
 *   constant N + factor h M      N = the partners of which it holds, M = the sum of their k - k'
 *
 * N and M are integers of 64 and 128 bits, exact, found in one sweep over the cells. What rounds is
 * N, M (twice), two products and their sum, up to 8 pieces, the own weight: less than 16 units, per
 * partner, of 2^-53 times the sum of |constant| + 2 cap |factor| (f->weight): dppair_fast_steps_.
 * ---------------------------------------------------------------------------------------------- */

/* Where a score is on the grid. */
typedef struct dppair_cell_scale_ {
  double scale, top, shift; /* 1/h, K, K + 1.5 2^52 */
} dppair_cell_scale_;

DPPAIR_FP_BEGIN_

/* Zeroes *f and plans the grid for scores in [-cap, cap]: at most 2^12 + 1 cells for 1E6, else 2^16
 * + 1; and the unit of weights for at most `most` records. DOMAIN (the accuracy; a cap that is not
 * within 1e-30 and 1e30), SIZE (most beyond 2^43). */
DPPAIR_FN_ dppair_status dppair_cell_plan_(dppair_fast *f, dppair_accuracy accuracy, double cap,
                                           uint64_t most) {
  const int bits = accuracy == DPPAIR_ACCURACY_1E6 ? 11 : 15;
  int e;
  memset(f, 0, sizeof *f);
  if ((int)accuracy < 0 || accuracy > DPPAIR_ACCURACY_1E12) return DPPAIR_ERR_DOMAIN;
  if (!(cap >= 1e-30 && cap <= 1e30)) return DPPAIR_ERR_DOMAIN;
  if (most > UINT64_C(1) << 43) return DPPAIR_ERR_SIZE;
  if (dppair_frexp_(cap, &e) <= 0.5) e--; /* the least e with cap <= 2^e */
  f->kind = DPPAIR_KIND_PIECEWISE_;
  f->width = dppair_ldexp_(1.0, e - bits);
  f->reach = (int)(cap / f->width);
  f->score_cap = cap;
  f->order_free = 1;
  f->most = most;
  f->capacity = most < SIZE_MAX ? (size_t)most : SIZE_MAX;
  f->cells = 2 * (size_t)f->reach + 1;
  f->words = f->room = 2 * f->cells;
  for (f->terms = 50; most >> (62 - f->terms) > 1; f->terms--) continue; /* most 2^B < 2^63 */
  return DPPAIR_OK;
}

DPPAIR_FN_ dppair_cell_scale_ dppair_cell_scale_of_(const dppair_fast *f) {
  dppair_cell_scale_ at;
  at.scale = 1.0 / f->width;
  at.top = (double)f->reach;
  at.shift = at.top + 6755399441055744.0;
  return at;
}

/* The cell of a score, counted from 0: a function of the score alone, monotone. NaN has one too. */
DPPAIR_FORCE_INLINE_ size_t dppair_cell_of_(double s, dppair_cell_scale_ at) {
  const double t = s * at.scale, held = t < at.top ? (t > -at.top ? t : -at.top) : at.top;
  return (size_t)(uint32_t)dppair_bits_f64_(held + at.shift);
}

DPPAIR_FORCE_INLINE_ double dppair_cell_score_(const void *s, size_t i, int is_f32) {
  return is_f32 ? (double)((const float *)s)[i] : ((const double *)s)[i];
}

/* A weight in units of 2^-B, `one` being 2^B: at most 2^50. */
DPPAIR_FORCE_INLINE_ uint64_t dppair_cell_weight_(double weight, double one) {
  return (uint64_t)(int64_t)(dppair_share_(weight) * one);
}

/* s[i] = the score of its cell, in its type, exactly. */
DPPAIR_FN_ void dppair_cell_scores_(void *s, size_t n, const dppair_fast *f, int is_f32) {
  const dppair_cell_scale_ at = dppair_cell_scale_of_(f);
  const double width = f->width;
  size_t i;
  for (i = 0; i < n; i++) {
    const size_t cell = dppair_cell_of_(dppair_cell_score_(s, i, is_f32), at);
    const double v = width * ((double)cell - at.top);
    if (is_f32)
      ((float *)s)[i] = (float)v;
    else
      ((double *)s)[i] = v;
  }
}

/* weight[i] as it counts: down to a multiple of 2^-B. */
DPPAIR_FN_ void dppair_cell_weights_(double *weight, size_t n, const dppair_fast *f) {
  const double one = dppair_ldexp_(1.0, f->terms), unit = dppair_ldexp_(1.0, -f->terms);
  size_t i;
  for (i = 0; i < n; i++) weight[i] = unit * (double)dppair_cell_weight_(weight[i], one);
}

/* Adds a chunk of n records, positives first: words[2 cell] += the weights of positives (NULL: all
 * 1), words[2 cell + 1] those of negatives. No word passes 2^63, so as integers of 128 bits the two
 * do not disturb each other: dppair_words_add joins them. */
DPPAIR_FN_ void dppair_cell_count_(struct dppair_sketch *m, const void *s, size_t n,
                                   size_t positives, const double *weight,
                                   const struct dppair_fast *f, int is_f32) {
  const dppair_cell_scale_ at = dppair_cell_scale_of_(f);
  const double one = dppair_ldexp_(1.0, f->terms);
  const uint64_t whole = UINT64_C(1) << f->terms;
  uint64_t *words = m->words;
  size_t i;
  for (i = 0; i < n; i++) {
    const size_t cell = dppair_cell_of_(dppair_cell_score_(s, i, is_f32), at);
    words[2 * cell + (i >= positives)] += weight ? dppair_cell_weight_(weight[i], one) : whole;
  }
}

/* w -= a b, of 128 bits, for |b| < 2^31. */
DPPAIR_FORCE_INLINE_ void dppair_cell_less_(uint64_t *w, uint64_t a, int64_t b) {
  const uint64_t size = (uint64_t)(b < 0 ? -b : b), low = (a & UINT32_MAX) * size;
  const uint64_t middle = (a >> 32) * size + (low >> 32);
  const uint64_t first = (middle << 32) | (low & UINT32_MAX), second = middle >> 32;
  if (b < 0) {
    w[0] += first;
    w[1] += second + (w[0] < first);
  } else {
    w[1] -= second + (w[0] < first);
    w[0] -= first;
  }
}

/* An integer below 2^116 in size as a double, rounded twice: as dppair_word_value_, in less time.
 */
DPPAIR_FORCE_INLINE_ double dppair_cell_value_(const uint64_t *w) {
  const int negative = w[1] >> 63 != 0;
  const uint64_t low = negative ? 0 - w[0] : w[0],
                 high = negative ? ~w[1] + (uint64_t)(w[0] == 0) : w[1];
  const double size = (double)(int64_t)high * 18446744073709551616.0 + (double)low;
  return negative ? -size : size;
}

/* The largest m for which a margin of m h is below the knot, or on it when that is closed; held
 * within +-(cells). The knot is rounded to float where the scores are, as in the loops. */
DPPAIR_FN_ int64_t dppair_cell_knot_(const dppair_piece *piece, const dppair_fast *f, int is_f32) {
  const double all = (double)f->cells;
  double at = piece->knot / f->width;
  if (!dppair_isfinite_f64(piece->knot) || at >= all) return (int64_t)all;
  if (at <= -all) return -(int64_t)all;
  if (is_f32) at = (double)(float)piece->knot / f->width;
  return piece->closed ? (int64_t)dppair_floor_(at) : (int64_t)dppair_ceil_(at) - 1;
}

/*
 * Adds a piece of reach m to the coefficients `out` of one class in `all` cells, from the weights
 * `mass` of the other. Positives: both begin in the first of these cells, and step is 1; the
 * partners' cells are at least c - m. Negatives: both begin in the last one, and step is -1;
 * counted from there the same holds. So partners leave in their order as c grows.
 */
DPPAIR_FN_ void dppair_cell_sweep_(double *out, const uint64_t *mass, int64_t all, int64_t m,
                                   const dppair_piece *piece, const dppair_fast *f, int step) {
  const double unit = (double)step * dppair_ldexp_(1.0, -f->terms);
  const double constant = piece->constant, factor = piece->factor * f->width;
  const int sums = piece->factor < 0.0 || piece->factor > 0.0;
  uint64_t moved[2] = {0, 0}; /* M */
  uint64_t number = 0;        /* N */
  int64_t c, gone = 0;
  for (c = 0; c < all; c++) {
    const uint64_t here = mass[2 * step * c];
    number += here;
    if (sums && here) dppair_cell_less_(moved, here, c);
  }
  for (c = 0; c < all; c++, out += step) {
    double sum;
    for (; gone < all && gone < c - m; gone++) {
      const uint64_t left = mass[2 * step * gone];
      number -= left;
      if (sums && left) dppair_cell_less_(moved, left, c - gone);
    }
    sum = constant * (double)(int64_t)number;
    if (sums) sum += factor * dppair_cell_value_(moved);
    *out += unit * sum;
    dppair_word_add_(moved, number);
  }
}

/* m->coefficients[cell] of a positive there, then as many of negatives, for an own weight of 1.
 * Cells before the first record or after the last one are left out. */
DPPAIR_FN_ void dppair_cell_close_(struct dppair_sketch *m, const struct dppair_fast *f,
                                   const dppair_piece *pieces, int count, int is_f32) {
  const uint64_t *words = m->words;
  double *table = m->coefficients;
  size_t first = 0, end = f->cells;
  int k;
  memset(table, 0, 2 * f->cells * sizeof *table);
  while (first < end && !(words[2 * first] | words[2 * first + 1])) first++;
  while (first < end && !(words[2 * end - 2] | words[2 * end - 1])) end--;
  for (k = 0; k < count && first < end; k++) {
    const int64_t reach = dppair_cell_knot_(pieces + k, f, is_f32), all = (int64_t)(end - first);
    dppair_cell_sweep_(table + first, words + 2 * first + 1, all, reach, pieces + k, f, 1);
    dppair_cell_sweep_(table + f->cells + end - 1, words + 2 * end - 2, all, reach, pieces + k, f,
                       -1);
  }
}

/* c[i] = the coefficient of record i of a chunk, positives first, times its weight. */
DPPAIR_FN_ void dppair_cell_read_(double *c, const void *s, size_t n, size_t positives,
                                  const double *weight, const struct dppair_sketch *m,
                                  const struct dppair_fast *f, int is_f32) {
  const dppair_cell_scale_ at = dppair_cell_scale_of_(f);
  const double one = dppair_ldexp_(1.0, f->terms), unit = dppair_ldexp_(1.0, -f->terms);
  const double *table = m->coefficients;
  const size_t all = f->cells;
  size_t i;
  for (i = 0; i < n; i++) {
    const size_t cell = dppair_cell_of_(dppair_cell_score_(s, i, is_f32), at);
    c[i] = table[cell + (i < positives ? 0 : all)];
    if (weight) c[i] *= unit * (double)dppair_cell_weight_(weight[i], one);
  }
}

/* How far the grid of a state, where it has one, moves the margin of a pair at most: two scores by
 * half of h each, or by what lies between the last point and the cap. */
DPPAIR_FN_ double dppair_cell_shift_(const dppair_fast *f) {
  double rest;
  if (!f || !f->order_free || f->kind != DPPAIR_KIND_PIECEWISE_) return 0.0;
  rest = f->score_cap - (double)f->reach * f->width;
  return 2.0 * (rest > 0.5 * f->width ? rest : 0.5 * f->width);
}

/* The largest size of the slope that these pieces describe, over margins of at most `remote`: it is
 * at a knot, on one of its sides, or at an end. But for rounding. */
DPPAIR_FN_ double dppair_cell_slope_(const dppair_piece *pieces, int count, double remote) {
  double most = 0.0;
  int k, j, above;
  for (k = -2; k < count; k++) {
    const double u = k == -2 ? -remote : k == -1 ? remote : pieces[k].knot;
    for (above = 0; above < 2 && dppair_fabs_(u) <= remote; above++) {
      double slope = 0.0;
      for (j = 0; j < count; j++) {
        const double knot = pieces[j].knot;
        if (!dppair_isfinite_f64(knot) || knot > u || (!above && !(knot < u)))
          slope += pieces[j].constant + pieces[j].factor * u;
      }
      most = dppair_fabs_(slope) > most ? dppair_fabs_(slope) : most;
    }
  }
  return most;
}

DPPAIR_FP_END_
/* ---- src/pairs/options.h --------------------------------------------------------------------
 * Groups of records, and a pass over the data: which pairs count, and how they are computed
 * ---------------------------------------------------------------------------------------------- */

/* Which pairs count. */
typedef enum dppair_grouping {
  DPPAIR_ACROSS = 1, /* groups are users: pairs of records of two of them */
  DPPAIR_WITHIN = 2  /* groups are queries: pairs of records of one of them */
} dppair_grouping;

/*
 * Records in groups. Those of a group stand together in either class: its positives are the rows
 * from positive[g] to positive[g + 1], its negatives those from negative[g] to negative[g + 1]
 * among the negatives. For a form, which has no classes, `positive` counts all rows and `negative`
 * is NULL. Places are as private as who owns which record. Those that do not begin with 0,
 * decrease, or do not end with the size of their class are an error (SIZE) that no data set has.
 */
typedef struct dppair_groups {
  size_t count;                      /* of groups, empty ones too; public */
  const size_t *positive, *negative; /* count + 1 places each */
  dppair_grouping relation;
  size_t most; /* a public bound of the number of rows, where that number is private (a user or a
                * query is protected): there is room for so many, and it bounds rounding. 0: 2^32
                * for NAME_sensitivity; a release then refuses it (SIZE) */
} dppair_groups;

/*
 * A clip: no gradient of a pair is longer than `bound`, or of what else a function says it cuts.
 * Made by NAME_clip_init where NAME_gradient or NAME_release clips pairs: it brings the functions
 * of its instance, so that a program that never calls it compiles none of them. Other functions
 * read the bound only; dppair_clip_init makes a clip for these. All fields are read-only for
 * callers; a copy is as good, and threads may share it.
 */
struct dppair_options;
typedef dppair_status dppair_clip_bytes_(size_t *bytes, size_t *count, size_t n, size_t d);
typedef dppair_status dppair_clip_run_(double *a, double *b, const void *sp, const void *sn,
                                       const void *rows, const struct dppair_options *options);
typedef struct dppair_clip {
  double bound;              /* public, positive */
  uint64_t owner, digest;    /* the instance, 0: any; of both fields above */
  dppair_clip_bytes_ *bytes; /* NAME_clip_workspace */
  dppair_clip_run_ *run;     /* NAME_clip_coeffs */
  dppair_probe_ *probe;      /* NAME_probe_ */
} dppair_clip;

/* What is not given is 0 or NULL. Everything here is public but the places of groups. */
typedef struct dppair_options {
  const double *params;      /* of the loss; NULL where it has none */
  const dppair_clip *clip;   /* of NAME_clip_init, or dppair_clip_init; NULL: none is clipped */
  const dppair_fast *fast;   /* a prepared state, for near-linear sums; NULL: loops over pairs */
  const dppair_tasks *tasks; /* how the work is cut, and who runs it; NULL: one part */
  void *work;                /* `bytes` bytes of any alignment */
  size_t bytes;
  const dppair_groups *groups; /* users or queries; NULL: all pairs */
} dppair_options;

DPPAIR_FP_BEGIN_

/* OK where all pairs count alike; NO_PROOF for what is not computed with weights or groups. */
DPPAIR_FN_ dppair_status dppair_all_alike_(const double *weight, const dppair_options *options) {
  return weight || (options && options->groups) ? DPPAIR_ERR_NO_PROOF : DPPAIR_OK;
}

/* The digest of an instance's clip, or of one for any. Never 0. It finds accidents, not forgers. */
DPPAIR_FN_ uint64_t dppair_clip_digest_(double bound, uint64_t owner) {
  return dppair_digest_add_(dppair_digest_add_(owner, dppair_bits_f64_(bound)), 1) | 1;
}

/* Makes *clip a clip of an instance without its functions: see dppair_clip_init. */
DPPAIR_FN_ dppair_status dppair_clip_make_(dppair_clip *clip, double bound, uint64_t owner) {
  if (!clip) return DPPAIR_ERR_NULL;
  memset(clip, 0, sizeof *clip);
  if (!dppair_isfinite_f64(bound) || !(bound > 0.0)) return DPPAIR_ERR_DOMAIN;
  clip->bound = bound;
  clip->owner = owner;
  clip->digest = dppair_clip_digest_(bound, owner);
  return DPPAIR_OK;
}

/* Makes *clip a clip of this public bound, for what reads no more of it: forms, listed pairs,
 * queries of top-weighted losses, similarities and groups of row-wise losses. NAME_gradient and
 * NAME_release take one of NAME_clip_init. Errors zero *clip, and calls with it say WORKSPACE:
 * NULL, DOMAIN (a bound that is not positive and finite). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_clip_init(dppair_clip *clip, double bound) {
  return dppair_clip_make_(clip, bound, 0);
}

/* Do these slopes agree, but for some roundings? */
DPPAIR_FN_ int dppair_slopes_alike_(const double *a, const double *b, size_t count,
                                    double epsilon) {
  size_t k;
  for (k = 0; k < count; k++)
    if (!(dppair_fabs_(a[k] - b[k]) <= 64.0 * epsilon * (dppair_fabs_(a[k]) + dppair_fabs_(b[k]))))
      return 0;
  return 1;
}

/* WORKSPACE for a pass with a clip that none of these made, or that was changed since. */
DPPAIR_FN_ dppair_status dppair_clip_check_(const dppair_options *options) {
  const dppair_clip *clip = options ? options->clip : NULL;
  return !clip || clip->digest == dppair_clip_digest_(clip->bound, clip->owner)
             ? DPPAIR_OK
             : DPPAIR_ERR_WORKSPACE;
}

/* The bound of the clip of this pass; 0: it has none. */
DPPAIR_FN_ double dppair_clip_bound_(const dppair_options *options) {
  return options && options->clip ? options->clip->bound : 0.0;
}

/* Are sums those of an order-free state? Pairs that are clipped do not read it. */
DPPAIR_FN_ int dppair_is_order_free_(const dppair_options *options) {
  return options && options->fast && options->fast->order_free && !options->clip;
}

/* Whether places[0..count] are those of rows in `count` groups: 0, and not decreasing. */
DPPAIR_FN_ int dppair_places_hold_(const size_t *places, size_t count) {
  size_t g, wrong = (size_t)(places[0] != 0);
  for (g = 0; g < count; g++) wrong |= (size_t)(places[g + 1] < places[g]);
  return wrong == 0;
}

/* Checks groups; those of a form have one array. NULL; DOMAIN (no such relation; negatives of a
 * form); SIZE (places; more rows than `most`). */
DPPAIR_FN_ dppair_status dppair_groups_fit_(const dppair_groups *g, int form) {
  size_t up, down;
  if (g->relation != DPPAIR_ACROSS && g->relation != DPPAIR_WITHIN) return DPPAIR_ERR_DOMAIN;
  if (form && g->negative) return DPPAIR_ERR_DOMAIN;
  if (!g->positive || (!form && !g->negative)) return DPPAIR_ERR_NULL;
  if (g->count > SIZE_MAX / sizeof(size_t) - 1 || !dppair_places_hold_(g->positive, g->count))
    return DPPAIR_ERR_SIZE;
  if (!form && !dppair_places_hold_(g->negative, g->count)) return DPPAIR_ERR_SIZE;
  up = g->positive[g->count];
  down = form ? 0 : g->negative[g->count];
  return g->most > 0 && (up > g->most || down > g->most - up) ? DPPAIR_ERR_SIZE : DPPAIR_OK;
}

/* The same, of np positives and nn negatives, or of a form's np rows. */
DPPAIR_FN_ dppair_status dppair_groups_check_(const dppair_groups *g, size_t np, size_t nn,
                                              int form) {
  const dppair_status status = dppair_groups_fit_(g, form);
  if (status != DPPAIR_OK) return status;
  return g->positive[g->count] == np && (form || g->negative[g->count] == nn) ? DPPAIR_OK
                                                                              : DPPAIR_ERR_SIZE;
}

/* The most rows that these groups can have, as far as it is public. */
DPPAIR_FN_ double dppair_groups_most_(const dppair_groups *g) {
  return g->most > 0 ? (double)g->most : 4294967296.0;
}

/* The size of group k in one of its classes, whose places are given (NULL: none). */
DPPAIR_FN_ size_t dppair_group_size_(const size_t *places, size_t k) {
  return places ? places[k + 1] - places[k] : 0;
}

/* How many of n weights (NULL: all 1) count as 0. */
DPPAIR_FN_ size_t dppair_weightless_(const double *weight, size_t n) {
  size_t i, none = 0;
  for (i = 0; weight && i < n; i++) none += (size_t) !(dppair_share_(weight[i]) > 0.0);
  return none;
}

/* How many groups have no record, or none of a weight above 0. Positives first, np of them; weight:
 * NULL, or of each record. */
DPPAIR_FN_ size_t dppair_groups_null_(const dppair_groups *g, const double *weight, size_t np) {
  size_t k, i, side, nulls = 0;
  for (k = 0; k < g->count; k++) {
    int there = 0;
    for (side = 0; side < 2; side++) {
      const size_t *place = side ? g->negative : g->positive;
      for (i = place ? place[k] : 0; place && i < place[k + 1]; i++)
        there |= !weight || dppair_share_(weight[side ? np + i : i]) > 0.0;
    }
    nulls += (size_t)!there;
  }
  return nulls;
}

/*
 * out[0..n) = the weights of the records of users, so that those of a user are at most 1 in
 * sum: 1/k for each of k records, or given weights (NULL: none), of which those that pass 1 in sum
 * are divided by it. Positives first, `np` of them. In exact arithmetic a sum is at most 1 + 2^-52:
 * a sum as computed is within (k + 1) 2^-53 of itself, and is raised by more before it divides.
 */
DPPAIR_FN_ void dppair_group_weights_(double *out, const double *weight, const dppair_groups *g,
                                      size_t np) {
  size_t k, i, side;
  for (k = 0; k < g->count; k++) {
    const size_t from[2] = {g->positive[k], g->negative ? np + g->negative[k] : 0};
    const size_t size[2] = {dppair_group_size_(g->positive, k), dppair_group_size_(g->negative, k)};
    const double records = (double)size[0] + (double)size[1];
    const double share = records > 0.0 ? 1.0 / records : 0.0;
    double sum = 0.0;
    for (side = 0; side < 2; side++)
      for (i = from[side]; i < from[side] + size[side]; i++) {
        out[i] = weight ? dppair_share_(weight[i]) : share;
        sum += out[i];
      }
    sum *= 1.0 + (records + 4.0) * DBL_EPSILON;
    for (side = 0; side < 2 && weight && sum > 1.0; side++)
      for (i = from[side]; i < from[side] + size[side]; i++) out[i] /= sum;
  }
}

DPPAIR_FP_END_
/* ---- src/pairs/chunks_state.h ---------------------------------------------------------------
 * Sums without order: what all instances share
 *
 * The bound of a sum of gradients in integers, and its rounding.
 * Relies on rows/sums.h and pairs/sketch.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* How many rows of d numbers of `size` bytes are taken at a time; results do not depend on it.
 * Where scores are not kept, rows stay in the nearest cache between their scores and their sums,
 * and prefetching of the next ones goes on meanwhile: longer blocks would wait for memory. */
DPPAIR_FN_ size_t dppair_block_rows_(size_t d, size_t size, int kept) {
  const size_t rows = d > 0 ? (kept ? 262144 : 16384) / size / d / 64 * 64 : 2048;
  return rows < 64 ? 64 : rows > 2048 ? 2048 : rows;
}

/* The largest addend of a sum of rows within radius: no coefficient of this state is larger than
 * most times slope. */
DPPAIR_FN_ double dppair_sum_bound_(const dppair_fast *f, double radius) {
  return (double)f->most * f->slope * radius * (1.0 + 8.0 * DBL_EPSILON);
}

/*
 * *factor and *rounding of NAME_allowance for sums without order: of `count` rows of d numbers
 * within radius, whose pairs weigh `mass` in sum, both sides added.
 *
 * Proof. As there, an exact sum of K has the sensitivity S *factor, and what is computed differs
 * from it, for each neighbour, by at most half of *rounding in norm. With u = 2^-53:
 *   coefficients  their errors are at most dppair_sketch_rounding_ in sum; holding them within
 *                 most slope, where those of exact sums are, adds none. Each is multiplied by a
 *                 row no longer than radius
 *   p             the product of a coefficient and its factor: u |c_i| radius a record. What
 *                 underflows is below 2^-560 radius, because a factor is 0 or at least 2^-512
 *   unit          each addend is off by half a unit, and where products are not fused by u times
 *                 2^50 units more: 5/8 of it for each of d numbers of count rows, in norm
 *                 (5/8) count sqrt(d) unit
 *   value         each number of the sum is rounded once: u times its norm
 * The sums of |c_i| in p and of the norm are at most mass times the largest slope, and the errors
 * of the coefficients. The integers are exact: an addend is below 2^51 units, 2048 of these are
 * below 2^63, and 2^128 holds 2^77 of them. Errors zero both: DOMAIN, SIZE (more rows than the
 * state was made for), OVERFLOW (as dppair_sum_open), ENVIRONMENT.
 */
DPPAIR_FN_ dppair_status dppair_sums_allowance_(double *factor, double *rounding,
                                                const dppair_fast *f, double epsilon, size_t d,
                                                double count, double mass, double spread,
                                                double radius, double slope) {
  const double u = 0.5 * DBL_EPSILON, bound = dppair_sum_bound_(f, radius);
  const double coefficients = dppair_sketch_rounding_(f, spread, mass);
  const double size = (slope + f->kernel_error) * mass + coefficients;
  double unit;
  dppair_status status = dppair_sum_unit_(&unit, bound);
  *factor = *rounding = 0.0;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if (!dppair_isfinite_f64(slope) || !(slope >= 0.0)) return DPPAIR_ERR_DOMAIN;
  if (f->kernel_error > 0.0 && !(slope > 0.0)) return DPPAIR_ERR_DOMAIN;
  if (count > (double)f->most) return DPPAIR_ERR_SIZE;
  *rounding = 2.0 * 1.01 *
              (radius * (coefficients + 2.0 * u * size + dppair_ldexp_(count, -500)) +
               0.625 * count * dppair_sqrt_((double)d) * unit);
  *factor =
      (1.0 + (f->kernel_error > 0.0 ? 2.0 * f->kernel_error / slope : 0.0)) * (1.0 + 8.0 * epsilon);
  if (dppair_isfinite_f64(*rounding) && dppair_isfinite_f64(*factor)) return DPPAIR_OK;
  *factor = *rounding = 0.0;
  return DPPAIR_ERR_OVERFLOW;
}

/* A gradient in parts: rows and w, of the instance's types; of each part the moments, the sum, how
 * it ended, and `each` bytes of workspace, first scratch, then what moments and sum hold; s: the
 * scores of all rows. */
typedef struct dppair_chunked_ {
  const void *rows, *w;
  const dppair_options *options;
  dppair_sketch *m;
  dppair_sum *sum;
  dppair_status *status;
  char *scratch;
  void *s;
  size_t parts, each;
} dppair_chunked_;

DPPAIR_FP_END_
/* ---- src/tiles/shared.h ---------------------------------------------------------------------
 * Tiles: what all instances share
 *
 * Sizes, and caps of two bytes.
 * ---------------------------------------------------------------------------------------------- */

/* So many weights of each record of a strip are held at a time. A sum of products in the data's own
 * type has that length before it goes to double. */
#define DPPAIR_TILE_ 192

/* Columns of the micro-kernel in double: three vectors of eight numbers (tiles/multiply.h). */
#define DPPAIR_COLUMNS_ 24

/* The most parts that a form is cut into: each has a scratch of its own. */
#define DPPAIR_FORM_PARTS_ 256

DPPAIR_FP_BEGIN_

/* k columns rounded up to whole micro-kernels, SIZE_MAX where that overflows. */
DPPAIR_FN_ size_t dppair_whole_kernels_(size_t k) {
  return k > SIZE_MAX - DPPAIR_COLUMNS_
             ? SIZE_MAX
             : (k + DPPAIR_COLUMNS_ - 1) / DPPAIR_COLUMNS_ * DPPAIR_COLUMNS_;
}

/* The upper half of the bits of a float that is at most `cap`, for cap >= 0: less by at most 1/128.
 * Caps that are not normal floats become 0. */
DPPAIR_FN_ uint16_t dppair_short_cap_(double cap) {
  cap = cap < (double)FLT_MAX ? cap : (double)FLT_MAX;
  cap = cap < (double)FLT_MIN ? 0.0 : cap * (1.0 - (double)FLT_EPSILON);
  return (uint16_t)(dppair_bits_f32_((float)cap) >> 16);
}

DPPAIR_FP_END_
/* ---- src/fits/once.h ------------------------------------------------------------------------
 * What fits are made of, once per translation unit
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/fits/loss.h ------------------------------------------------------------------------
 * Margin losses
 *
 * A linear model of labelled records, fitted by a loss of each record's margin y w.x instead of a
 * loss of pairs. A loss is a function and what is public about it, so a caller's own is a few lines
 * of C. psi is convex and twice differentiable.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef struct dppair_margin_loss {
  /* out = value, slope and curvature at t, finite for every finite t; the slope is off by at most
   * 16 units of rounding of `steepest`, or of itself where that is infinite */
  void (*at)(double out[3], double t, double parameter);
  double parameter; /* 0, or the width over which a kink is rounded off: a minimiser is then sought
                     * with wider ones first */
  double top;       /* the largest curvature: 0 <= psi'' <= top */
  double steepest;  /* the largest |psi'|; HUGE_VAL: slopes grow */
  int falls;        /* psi' <= 0 everywhere */
} dppair_margin_loss;

DPPAIR_FN_ void dppair_margin_logistic_at_(double out[3], double t, double parameter) {
  const double e = dppair_exp_(-dppair_fabs_(t)), s = 1.0 / (1.0 + e); /* s = sigmoid(|t|) */
  (void)parameter;
  out[0] = dppair_log1p_(e) + (t < 0.0 ? -t : 0.0);
  out[1] = t < 0.0 ? -s : -e * s;
  out[2] = e * s * s;
}

/* The slope falls like a tanh of twice the distance from 3/4. */
DPPAIR_FN_ void dppair_margin_soft_hinge_at_(double out[3], double t, double parameter) {
  const double a = 4.0 * (t - 0.75), e = dppair_exp_(-dppair_fabs_(a)), s = 1.0 / (1.0 + e);
  (void)parameter;
  out[0] = 0.25 * dppair_log1p_(e) + (a < 0.0 ? -0.25 * a : 0.0);
  out[1] = a < 0.0 ? -s : -e * s;
  out[2] = 4.0 * e * s * s;
}

/* ln(1 + e^-t): logistic regression. Slopes within 1, curvature within 1/4. */
DPPAIR_API dppair_margin_loss dppair_margin_logistic(void) {
  dppair_margin_loss loss = {NULL, 0.0, 0.25, 1.0, 1};
  loss.at = dppair_margin_logistic_at_;
  return loss;
}

/*
 * A hinge at 3/4, rounded off: psi(t) = ln(1 + e^(3 - 4t))/4, so psi'(t) = (tanh(2 (t - 3/4)) -
 * 1)/2. Slopes and curvature are within 1. A record pulls with 0.95 of the steepest slope at margin
 * 0, and never with more than 1, which is what noise has to hide; it lets go beyond a margin of
 * 3/4. The logistic loss pulls with half of its steepest slope at 0.
 */
DPPAIR_API dppair_margin_loss dppair_margin_soft_hinge(void) {
  dppair_margin_loss loss = {NULL, 0.0, 1.0, 1.0, 1};
  loss.at = dppair_margin_soft_hinge_at_;
  return loss;
}

/* The margin a within 4, added to all scores, at which both classes together pull equally hard at w
 * = 0 when a share `rate` of the records is positive: rate psi'(a) = (1 - rate) psi'(-a). */
DPPAIR_API double dppair_margin_balance(const dppair_margin_loss *loss, double rate) {
  double low = -4.0, high = 4.0;
  int k;
  for (k = 0; k < 60; k++) {
    const double a = low + (high - low) / 2.0;
    double positive[3], negative[3];
    loss->at(positive, a, loss->parameter);
    loss->at(negative, -a, loss->parameter);
    if (rate * positive[1] < (1.0 - rate) * negative[1]) /* slopes are negative */
      low = a;
    else
      high = a;
  }
  return low;
}

DPPAIR_FP_END_
/* ---- src/fits/problem.h ---------------------------------------------------------------------
 * Regularised fits of a margin loss: how well they can be solved
 *
 *     F(w) = sum_i psi(w.u_i) + (ridge/2) |w|^2 + b.w,      u_i = y_i x_i, |u_i| <= radius
 *
 * A computed minimiser is a point where the gradient of F is within a tolerance that public numbers
 * give, and that is reached whatever the records are: a solver that gave up on some would tell of
 * them. Since F is ridge-strongly convex, the minimiser itself is within tolerance/ridge.
 *
 * WHY IT IS REACHED
 *
 * Write L = n top radius^2 + ridge for the smoothness of F, u = 2^-53. Where w is, the computed
 * gradient is off by at most e(w) = e0 + e1 |w|:
 *
 *   - scores are off by (d + 2) u |w| radius, which moves slopes by top times that;
 *   - slopes are off by 16 u of their bound S; for a loss whose slope grows, S <= |psi'(0)| + top
 *     radius |w|;
 *   - sums over rows are made in tiles and added in pairs: n S radius (TILE/4 + 4 + log2 n) u;
 *   - adding b and ridge w: 4 u (ridge |w| + n S radius), and a part of the gradient itself.
 *
 * A step w - g/L is rounded by u |w|, worth L u |w| of gradient. e0 and e1 below are more than a
 * tenth larger than the sum of all that.
 *
 * Theorem. Plain steps w <- w - g/L reach |computed gradient| + e(w) <= 4 e(w) within
 * (4 L/(3 ridge)) log(L G^2/(4 ridge e0^2)) of them, G the norm of the gradient at their start.
 * Proof. While |grad F| >= 2 e(w), a step with a gradient that is off by e lowers F by at least
 * (|grad F|^2 - e^2)/(2L) >= 3 |grad F|^2/(8L) >= (3 ridge/(4L)) (F - min F), because F - min F <=
 * |grad F|^2/(2 ridge). Hence |grad F|^2 <= 2L (F - min F) <= (L/ridge) G^2 (1 - 3 ridge/(4L))^k,
 * which is below 4 e0^2 by then. And |grad F| < 2 e(w) makes the computed one less than 3 e(w). QED
 *
 * Nothing in this depends on how the start was found: Newton's steps and momentum (newton.h) need
 * no proof.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* What is public about a fit: n records of d numbers. */
typedef struct dppair_margin_problem {
  dppair_margin_loss loss;
  size_t n, d;
  double radius, ridge; /* both > 0; radius within 1e-75 and 1e75 */
} dppair_margin_problem;

/* A gradient of norm at most floor + share |w|. */
typedef struct dppair_margin_tolerance {
  double floor, share;
} dppair_margin_tolerance;

/* Rows that are read, scored and summed together, and the levels of the sum over all of them. */
#define DPPAIR_FIT_TILE_ 64
#define DPPAIR_FIT_LEVELS_ 64

/* L, rounded up. */
DPPAIR_FN_ double dppair_fit_smoothness_(const dppair_margin_problem *p) {
  return ((double)p->n * p->loss.top * p->radius * p->radius + p->ridge) * (1.0 + 1e-9);
}

/* e0 and e1. */
DPPAIR_FN_ dppair_margin_tolerance dppair_fit_error_(const dppair_margin_problem *p) {
  const double unit = DBL_EPSILON / 2.0, sums = 128.0 * unit, all = (double)p->n * p->radius;
  dppair_margin_tolerance e;
  double at[3];
  e.share = dppair_fit_smoothness_(p) * (1.25 * (double)p->d + 16.0) * unit;
  if (dppair_isfinite_f64(p->loss.steepest)) {
    e.floor = all * p->loss.steepest * sums;
  } else {
    p->loss.at(at, 0.0, p->loss.parameter);
    e.floor = all * dppair_fabs_(at[1]) * sums;
    e.share += dppair_fit_smoothness_(p) * sums;
  }
  return e;
}

/* OK for a problem that has its facts. */
DPPAIR_FN_ dppair_status dppair_fit_check_(const dppair_margin_problem *p) {
  if (p == NULL || p->loss.at == NULL) return DPPAIR_ERR_NULL;
  if (p->n == 0 || p->d == 0) return DPPAIR_ERR_SIZE;
  if (!dppair_isfinite_f64(p->radius) || !dppair_isfinite_f64(p->ridge) ||
      !dppair_isfinite_f64(p->loss.top) || !dppair_isfinite_f64(p->loss.parameter))
    return DPPAIR_ERR_NOT_FINITE;
  return p->radius >= 1e-75 && p->radius <= 1e75 && p->ridge > 0.0 && p->loss.top > 0.0 &&
                 p->loss.steepest > 0.0 && p->loss.parameter >= 0.0
             ? DPPAIR_OK
             : DPPAIR_ERR_DOMAIN;
}

/*
 * *tolerance = what dppair_minimiser_not_private reaches whatever the records are: `wanted`, or
 * where that is more four times what computing a gradient may be off. A function of public numbers.
 *
 * Errors zero it: NULL; SIZE (n or d is 0); NOT_FINITE; DOMAIN (a radius beyond 1e75 or below
 * 1e-75, a ridge, top curvature or steepest slope that is not positive); NO_PROOF where share
 * exceeds ridge/8, so that it would say next to nothing about w, and where n top radius^2 exceeds
 * 1e11 ridge: then the steps that the theorem counts might have to be taken, and would take years.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_margin_reach(dppair_margin_tolerance *tolerance,
                                                               const dppair_margin_problem *p,
                                                               double wanted) {
  dppair_margin_tolerance e;
  dppair_status status;
  if (tolerance == NULL) return DPPAIR_ERR_NULL;
  tolerance->floor = tolerance->share = 0.0;
  status = dppair_fit_check_(p);
  if (status == DPPAIR_OK && !dppair_isfinite_f64(wanted)) status = DPPAIR_ERR_NOT_FINITE;
  if (status != DPPAIR_OK) return status;
  e = dppair_fit_error_(p);
  if (!(e.floor > 0.0 && 4.0 * e.share <= p->ridge / 8.0 &&
        dppair_fit_smoothness_(p) <= 1e11 * p->ridge))
    return DPPAIR_ERR_NO_PROOF;
  tolerance->floor = wanted > 4.0 * e.floor ? wanted : 4.0 * e.floor;
  tolerance->share = 4.0 * e.share;
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/fits/evaluate.h --------------------------------------------------------------------
 * The objective of a fit at a point: value, gradient, Hessian
 *
 * Records pass by in tiles of 64, each read once. What is summed are COPIES of the rows, u_i = y_i
 * f_i x_i with the factor that dppair_rows_clip finds: the objective is that of these copies, whose
 * norm is at most radius (1 + 2^-52), whatever x holds. A row with a number that is not finite
 * counts as 0, as does one that is 2^512 times too long.
 * ---------------------------------------------------------------------------------------------- */

/* Three vectors: rows of dppair_gram_f64 are padded to a multiple. */
#define DPPAIR_GRAM_WIDTH_ ((size_t)24)

DPPAIR_FP_BEGIN_

/* A fit under way; the arrays are in the caller's workspace. */
typedef struct dppair_fit_ {
  dppair_margin_problem of;
  const double *x, *b;                  /* b: d numbers, or NULL for 0 */
  size_t ld, pitch;                     /* of rows of x, and of the copies and the Hessian */
  double smooth, width;                 /* L; what the loss is rounded off by now */
  dppair_margin_tolerance error, reach; /* e(w), and where to stop */
  double weight;                        /* of each record: 1, or more where a part stands for all */
  double size;                          /* of the terms of the value that was computed last */
  double *factor, *curvature;           /* n each; factor has the label's sign */
  double *tile, *scaled;                /* of pitch numbers: 64 copies, and psi'' times them */
  double *level;                        /* sums over tiles: of d numbers, 64 of them */
  double *gradient, *trial, *direction, *linear; /* d each; linear: room for a b */
  double *hessian, *chol;                        /* d rows of pitch numbers; d x d */
} dppair_fit_;

/* Sizes and arrays of a fit; base NULL counts only. *used: doubles, SIZE_MAX for an overflow. */
DPPAIR_FN_ void dppair_fit_layout_(dppair_fit_ *fit, double *base, size_t *used) {
  const size_t n = fit->of.n, d = fit->of.d, width = DPPAIR_GRAM_WIDTH_;
  size_t at = 0;
  fit->pitch = d > SIZE_MAX - width ? SIZE_MAX : (d + width - 1) / width * width;
  fit->factor = (double *)dppair_take_((char *)base, &at, n, sizeof(double));
  fit->curvature = (double *)dppair_take_((char *)base, &at, n, sizeof(double));
  fit->tile =
      (double *)dppair_take_((char *)base, &at, fit->pitch, DPPAIR_FIT_TILE_ * sizeof(double));
  fit->scaled =
      (double *)dppair_take_((char *)base, &at, fit->pitch, DPPAIR_FIT_TILE_ * sizeof(double));
  fit->level = (double *)dppair_take_((char *)base, &at, d, DPPAIR_FIT_LEVELS_ * sizeof(double));
  fit->gradient = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->trial = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->direction = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->linear = (double *)dppair_take_((char *)base, &at, d, sizeof(double));
  fit->hessian =
      (double *)dppair_take_((char *)base, &at, dppair_area_(d, fit->pitch), sizeof(double));
  fit->chol = (double *)dppair_take_((char *)base, &at, dppair_area_(d, d), sizeof(double));
  *used = at == SIZE_MAX ? at : at / sizeof(double) + 1;
}

/* Factors of the rows, and the sign of their labels: y > 0 is positive, y NULL all of them. */
DPPAIR_FN_ void dppair_fit_factors_(dppair_fit_ *fit, const double *y) {
  const size_t d = fit->of.d;
  size_t i;
  for (i = 0; i < fit->of.n; i++) {
    double *f = fit->factor + i;
    *f = 0.0; /* where a number is not finite */
    (void)dppair_row_factors_f64_(f, fit->x + i * fit->ld, 1, d, fit->ld, fit->of.radius);
    if (y != NULL && !(y[i] > 0.0)) *f = -*f;
  }
}

/* tile = the copies of `count` rows from row `first` on. */
DPPAIR_FN_ void dppair_fit_copy_(dppair_fit_ *fit, size_t first, size_t count) {
  size_t i, k;
  for (i = 0; i < count; i++) {
    const double f = fit->factor[first + i], *x = fit->x + (first + i) * fit->ld;
    double *u = fit->tile + i * fit->pitch;
    if (f == 0.0)
      memset(u, 0, fit->of.d * sizeof *u);
    else
      for (k = 0; k < fit->of.d; k++) u[k] = f * x[k];
  }
}

/* *value = F(w); leaves the gradient and curvatures behind. */
DPPAIR_FN_ dppair_status dppair_fit_evaluate_(double *value, dppair_fit_ *fit, const double *w) {
  const size_t n = fit->of.n, d = fit->of.d;
  size_t at, i, k, tiles, depth = 0;
  double s[DPPAIR_FIT_TILE_], out[3], sum = 0.0, size;
  dppair_status status = DPPAIR_OK;
  for (at = tiles = 0; at < n && status == DPPAIR_OK; at += DPPAIR_FIT_TILE_) {
    const size_t count = n - at < DPPAIR_FIT_TILE_ ? n - at : DPPAIR_FIT_TILE_;
    const dppair_rows_f64 rows = dppair_rows_make_f64(fit->tile, count, d, fit->pitch);
    dppair_fit_copy_(fit, at, count);
    status = dppair_scores_f64(s, &rows, w);
    if (status != DPPAIR_OK) break;
    for (i = 0; i < count; i++) {
      fit->of.loss.at(out, s[i], fit->width);
      sum += out[0];
      s[i] = out[1];
      fit->curvature[at + i] = fit->weight * out[2];
    }
    status = dppair_combine_f64(fit->level + depth++ * d, &rows, s);
    for (i = ++tiles; i % 2 == 0; i /= 2, depth--) /* two sums of equally many tiles become one */
      for (k = 0; k < d; k++) fit->level[(depth - 2) * d + k] += fit->level[(depth - 1) * d + k];
  }
  if (status != DPPAIR_OK) return status;
  sum *= fit->weight;
  size = dppair_fabs_(sum);
  for (k = 0; k < d; k++) {
    const double linear = fit->b != NULL ? fit->b[k] : 0.0;
    double g = 0.0;
    for (i = depth; i-- > 0;) g += fit->level[i * d + k];
    fit->gradient[k] = fit->weight * g + (linear + fit->of.ridge * w[k]);
    sum += w[k] * (linear + 0.5 * fit->of.ridge * w[k]);
    size += dppair_fabs_(w[k] * linear) + 0.5 * fit->of.ridge * w[k] * w[k];
  }
  fit->size = size;
  *value = sum;
  return DPPAIR_OK;
}

/* Is the gradient at w, where fit was evaluated, within the tolerance, its error counted in? */
DPPAIR_FN_ int dppair_fit_is_reached_(const dppair_fit_ *fit, const double *w) {
  const size_t d = fit->of.d;
  const double up = 1.0 + (double)(d + 8) * DBL_EPSILON, size = dppair_norm_f64(w, d);
  const double left = dppair_norm_f64(fit->gradient, d) * up + fit->error.floor;
  return left + fit->error.share * size <= fit->reach.floor + fit->reach.share * size;
}

/* The lower triangle of sum psi'' u u^T + ridge I at the point that was evaluated last. Returns the
 * mean of its diagonal. */
DPPAIR_FN_ double dppair_fit_hessian_(dppair_fit_ *fit) {
  const size_t n = fit->of.n, d = fit->of.d, pitch = fit->pitch;
  double *h = fit->hessian, mean = 0.0;
  size_t at, i, k;
  memset(h, 0, d * pitch * sizeof *h);
  for (at = 0; at < n; at += DPPAIR_FIT_TILE_) {
    const size_t count = n - at < DPPAIR_FIT_TILE_ ? n - at : DPPAIR_FIT_TILE_;
    dppair_fit_copy_(fit, at, count);
    for (i = 0; i < count; i++)
      for (k = 0; k < d; k++)
        fit->scaled[i * pitch + k] = fit->curvature[at + i] * fit->tile[i * pitch + k];
    DPPAIR_DISPATCH_(dppair_gram_f64, (h, fit->tile, fit->scaled, d, count, pitch));
  }
  for (k = 0; k < d; k++) {
    h[k * pitch + k] += fit->of.ridge;
    mean += h[k * pitch + k] / (double)d;
  }
  return mean;
}

DPPAIR_FP_END_
/* ---- src/fits/minimise.h --------------------------------------------------------------------
 * Minimisers of fits: damped Newton steps; should they stall, accelerated and then plain steps
 *
 * problem.h proves that these end. Relies on evaluate.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The step (H + damping I)^-1 gradient from w, where fit was evaluated, value *f; 0, and fit
 * evaluated elsewhere, when it gains too little. */
DPPAIR_FN_ int dppair_fit_step_(double *w, double *f, dppair_fit_ *fit, double damping) {
  const size_t d = fit->of.d;
  double slope = 0.0, value, *trial = fit->trial, *direction = fit->direction;
  const double norm = dppair_norm_f64(fit->gradient, d);
  size_t k;
  for (k = 0; k < d; k++) {
    memcpy(fit->chol + k * d, fit->hessian + k * fit->pitch, (k + 1) * sizeof *fit->chol);
    fit->chol[k * d + k] += damping;
  }
  if (dppair_cholesky_f64(fit->chol, d) != DPPAIR_OK) return 0;
  memcpy(direction, fit->gradient, d * sizeof *direction);
  dppair_cholesky_solve_f64(direction, fit->chol, d);
  for (k = 0; k < d; k++) {
    slope += direction[k] * fit->gradient[k];
    trial[k] = w[k] - direction[k];
  }
  if (dppair_fit_evaluate_(&value, fit, trial) != DPPAIR_OK) return 0;
  /* near the minimum the value is rounding: there the gradient says more */
  if (!(value <= *f - 1e-2 * slope) &&
      !(dppair_norm_f64(fit->gradient, d) <= norm / 2.0 && value <= *f + 1e-9 * fit->size))
    return 0;
  memcpy(w, trial, d * sizeof *w);
  *f = value;
  return 1;
}

/* Newton steps with as much damping as it takes (Levenberg, Marquardt), until the gradient has
 * fallen by `fall` or is reached. Leaves fit evaluated at w. A Hessian costs about 1 + d/30
 * evaluations: it is built anew unless the old one still cuts the gradient by more than that.
 * Damping begins at the mean of the Hessian's diagonal and falls to the ridge before there is none:
 * where rows are of very different lengths, more than the least that helps makes steps that hardly
 * move. */
DPPAIR_FN_ dppair_status dppair_fit_newton_(double *w, dppair_fit_ *fit, int most, double fall) {
  const double worth = dppair_fmax_(3.0, 3000.0 / (30.0 + (double)fit->of.d));
  double norm, first = 0.0, before = 0.0, damping = 0.0, mean = 0.0, f, ignored;
  int k, tries, damped = 0;
  dppair_status status = dppair_fit_evaluate_(&f, fit, w);
  for (k = 0; k < most && status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w); k++) {
    norm = dppair_norm_f64(fit->gradient, fit->of.d);
    if (k == 0) first = norm;
    if (norm <= fall * first) break;
    if (k == 0 || norm > before / worth) mean = dppair_fit_hessian_(fit);
    before = norm;
    for (tries = 0; tries < 40 && !dppair_fit_step_(w, &f, fit, damping); tries++) {
      damping = damping > 0.0 ? 8.0 * damping : damped ? fit->of.ridge : mean;
      status = dppair_fit_evaluate_(&ignored, fit, w);
    }
    if (tries == 40) break;
    damped |= damping > 0.0;
    damping = damping > fit->of.ridge ? damping / 8.0 : 0.0;
  }
  return status;
}

/* A better start, at the price of an evaluation or two: a sixteenth of many records stands for
 * all of them. */
DPPAIR_FN_ dppair_status dppair_fit_start_(double *w, dppair_fit_ *fit) {
  const size_t n = fit->of.n;
  dppair_status status;
  if (n / 64 < fit->of.d || n < 4096) return DPPAIR_OK;
  fit->of.n = n / 16;
  fit->weight = (double)n / (double)fit->of.n;
  status = dppair_fit_newton_(w, fit, 20, 1e-3);
  fit->of.n = n;
  fit->weight = 1.0;
  return status;
}

/* A kink that is hardly rounded leaves Newton's steps nothing to see between records' kinks: it is
 * first rounded off widely, then less and less. */
DPPAIR_FN_ dppair_status dppair_fit_kinks_(double *w, dppair_fit_ *fit) {
  const double width = fit->width;
  dppair_status status = DPPAIR_OK;
  for (fit->width = 2.0; fit->width > width && status == DPPAIR_OK; fit->width /= 2.0)
    status = dppair_fit_newton_(w, fit, 60, 0.01);
  fit->width = width;
  return status;
}

/* Where w is far and the ridge small, a loss that falls to 0 slope within a margin of 1 is all
 * kinks: the same for a large ridge, then for less and less. */
DPPAIR_FN_ dppair_status dppair_fit_ridges_(double *w, dppair_fit_ *fit) {
  const double ridge = fit->of.ridge;
  dppair_status status = DPPAIR_OK;
  for (fit->of.ridge = fit->smooth; fit->of.ridge > 1.5 * ridge && status == DPPAIR_OK;
       fit->of.ridge /= 2.0) {
    status = dppair_fit_newton_(w, fit, 60, 0.01);
  }
  fit->of.ridge = ridge;
  return status == DPPAIR_OK ? dppair_fit_newton_(w, fit, 1000, 0.0) : status;
}

/* At most `count` steps w - g/L from w, where fit was evaluated, each then carried on by `momentum`
 * times the last move. */
DPPAIR_FN_ dppair_status dppair_fit_descend_(double *w, dppair_fit_ *fit, double momentum,
                                             double count) {
  const size_t d = fit->of.d;
  double value, *before = fit->trial;
  size_t k;
  dppair_status status = DPPAIR_OK;
  memcpy(before, w, d * sizeof *w);
  for (; status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w) && count > 0.0; count -= 1.0) {
    for (k = 0; k < d; k++) {
      const double next = w[k] - fit->gradient[k] / fit->smooth;
      w[k] = next + momentum * (next - before[k]);
      before[k] = next;
    }
    status = dppair_fit_evaluate_(&value, fit, w);
  }
  return status;
}

/* The theorem's number of plain steps from w, where fit was evaluated. */
DPPAIR_FN_ double dppair_fit_steps_(const dppair_fit_ *fit, const double *w) {
  const double ratio = fit->smooth / fit->of.ridge;
  double start = dppair_norm_f64(fit->gradient, fit->of.d);
  start += fit->error.floor + fit->error.share * dppair_norm_f64(w, fit->of.d);
  return dppair_ceil_(4.0 * ratio / 3.0 *
                      dppair_fmax_(1.0, dppair_log_(ratio) +
                                            2.0 * dppair_log_(start / (2.0 * fit->error.floor)))) +
         1.0;
}

/* The distance to the minimiser shrinks by 1 - sqrt(ridge/L) a step with momentum (in exact
 * arithmetic), by the square of that root without. */
DPPAIR_FN_ dppair_status dppair_fit_run_(double *w, dppair_fit_ *fit) {
  const double root = dppair_sqrt_(fit->of.ridge / fit->smooth);
  dppair_status status = dppair_fit_start_(w, fit);
  if (status == DPPAIR_OK && fit->width > 0.0) status = dppair_fit_kinks_(w, fit);
  if (status == DPPAIR_OK) status = dppair_fit_newton_(w, fit, 1000, 0.0);
  if (status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w)) status = dppair_fit_ridges_(w, fit);
  if (status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w))
    status =
        dppair_fit_descend_(w, fit, (1.0 - root) / (1.0 + root), dppair_fmin_(80.0 / root, 1e6));
  if (status == DPPAIR_OK) status = dppair_fit_descend_(w, fit, 0.0, dppair_fit_steps_(fit, w));
  return status == DPPAIR_OK && !dppair_fit_is_reached_(fit, w) ? DPPAIR_ERR_NO_CONVERGENCE
                                                                : status;
}

/* *bytes = the workspace of dppair_minimiser_not_private and dppair_release_minimiser: 2 n + d^2 +
 * (d + 24) (d + 192) doubles or less. Errors zero it: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_minimiser_workspace(size_t *bytes, size_t n,
                                                                      size_t d) {
  dppair_fit_ fit;
  size_t count;
  fit.of.n = n;
  fit.of.d = d;
  dppair_fit_layout_(&fit, NULL, &count);
  return dppair_work_bytes_(bytes, count);
}

/* The public checks of a fit, and its arrays. */
DPPAIR_FN_ dppair_status dppair_fit_open_(dppair_fit_ *fit, const dppair_margin_problem *p,
                                          const double *x, size_t ld, void *work, size_t bytes) {
  double *base;
  size_t count;
  dppair_status status = dppair_fit_check_(p);
  memset(fit, 0, sizeof *fit);
  if (status != DPPAIR_OK) return status;
  if (x == NULL) return DPPAIR_ERR_NULL;
  if (dppair_area_(dppair_area_(p->n, ld > 0 ? ld : 1), sizeof *x) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (ld < p->d) return DPPAIR_ERR_SIZE;
  fit->of = *p;
  fit->x = x;
  fit->ld = ld;
  fit->width = p->loss.parameter;
  fit->weight = 1.0;
  fit->smooth = dppair_fit_smoothness_(p);
  fit->error = dppair_fit_error_(p);
  dppair_fit_layout_(fit, NULL, &count);
  status = dppair_work_(&base, count, work, bytes);
  if (status == DPPAIR_OK) dppair_fit_layout_(fit, base, &count);
  return status;
}

/*
 * w (d numbers; in: a start) becomes a point whose gradient of
 *
 *     F(w) = sum_i psi(w.u_i) + (ridge/2) |w|^2 + b.w,      u_i = y_i x_i, shortened to radius,
 *
 * is within `tolerance`, which dppair_margin_reach gave for this problem, rounding included: within
 * (floor + share |w|)/ridge of the minimiser. Whether that succeeds is a matter of public numbers:
 * it does. NOT PRIVATE: dppair_release_minimiser releases one.
 *   x    p->n rows of p->d numbers, ld >= d apart. A row with a number that is not finite counts as
 *        0, one longer than p->radius as the point of the ball beside it
 *   y    n labels, > 0 for +1 and otherwise -1; NULL: all +1
 *   b    d numbers; NULL: 0
 *   work `bytes` bytes, as dppair_minimiser_workspace says
 *
 * Errors zero w: those of dppair_margin_reach about p; NULL; SIZE (ld < d); NOT_FINITE (w, b, the
 * tolerance); NO_PROOF (a tolerance below that of dppair_margin_reach); WORKSPACE; ENVIRONMENT;
 * OVERFLOW (w or the rows cannot be addressed). NO_CONVERGENCE would be a mistake of the loss's
 * facts.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_minimiser_not_private(
    double *w, const double *x, size_t ld, const double *y, const dppair_margin_problem *p,
    const double *b, const dppair_margin_tolerance *tolerance, void *work, size_t bytes) {
  dppair_margin_tolerance least;
  dppair_fit_ fit;
  dppair_status status = p == NULL ? DPPAIR_ERR_NULL : dppair_array_(w, p->d);
  if (status != DPPAIR_OK) return status;
  status = dppair_margin_reach(&least, p, 0.0);
  if (status == DPPAIR_OK && tolerance == NULL) status = DPPAIR_ERR_NULL;
  if (status == DPPAIR_OK &&
      (!dppair_all_finite_f64(w, p->d) || (b != NULL && !dppair_all_finite_f64(b, p->d)) ||
       !dppair_isfinite_f64(tolerance->floor) || !dppair_isfinite_f64(tolerance->share)))
    status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK && !(tolerance->floor >= least.floor && tolerance->share >= least.share))
    status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_fit_open_(&fit, p, x, ld, work, bytes);
  if (status == DPPAIR_OK) {
    fit.b = b;
    fit.reach = *tolerance;
    dppair_fit_factors_(&fit, y);
    status = dppair_fit_run_(w, &fit);
  }
  if (status != DPPAIR_OK && p->d > 0) memset(w, 0, p->d * sizeof *w);
  return status;
}

DPPAIR_FP_END_

#endif /* DPPAIR_H */

#endif /* DPPAIR_CORE_ONLY_ */

/* 5. Once per translation unit: releases that use 4, as soon as those of 1 are there too; before an
 * instance, whose releases use them. */

#if defined(DPPAIR_RELEASE_H) && defined(DPPAIR_H) && !defined(DPPAIR_BODY_) &&                    \
    !defined(DPPAIR_RELEASE_ROWS_H)
#define DPPAIR_RELEASE_ROWS_H
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
/* ---- src/release/of_rows.h ------------------------------------------------------------------
 * Releases of rows: the chapters
 *
 * Compiled once, as soon as both the functions of rows and the releases are there.
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/release/minimiser.h ----------------------------------------------------------------
 * The minimiser of a perturbed fit, released
 *
 *   plan.noise = DPPAIR_OBJECTIVE, plan.steps = 1;              delta = 0: DPPAIR_PURE_OBJECTIVE,
 *                                                             with dppair_l2ball.h
 *   plan.ridge = 1.0, plan.output_mu = 1e-3;                      epsilon and delta as for all plans
 *   loss = dppair_margin_soft_hinge();
 *   s = dppair_release_open(&release, &account, &plan, NULL);
 *   s = dppair_release_minimiser(w, &release, &loss, 1.0, x, n, d, d, y, NULL, work, bytes);
 *
 * w is the minimiser of sum_i psi(w.u_i) + (ridge/2)|w - centre|^2 + b.w with random b, shortened
 * to norm 32/radius where it is longer, plus a trace of noise. mechanisms/objective.h has the proof
 * for the exact minimiser. What is between it and the released one:
 *
 * Inexact minimiser. At the computed w~ the gradient of the objective with the IDEAL real-valued b
 * has norm at most floor + share |w~|: what the solver reaches on every data set (fits/problem.h),
 * and in `floor` the rounding of b to its grid. (A b on a grid would make the support of w itself a
 * fingerprint of the data.) So |w~ - w| <= (floor + share |w~|)/ridge. Both are projected on the
 * ball of radius B, which no ranking notices; z, z~ are the projections. Then
 *
 *     |z~ - z| <= (4/3) (floor + share B)/ridge,    if (floor/B + share)/ridge <= 1/4.
 *
 * Proof. If |w~| <= B, projections do not expand. Else |w~ - w| <= |w~|/4 and floor + share |w~| <=
 * (floor + share B)|w~|/B. If |w| < B then |w~| < 4B/3, and again projections do not expand. If
 * both are outside, |z~ - z| <= 2B |w~ - w|/(|w~| + |w|) (Dunkl and Williams 1964), |w| >= 3|w~|/4.
 * QED
 *
 * Noise for twice that, plan->output_mu of it, makes the output a mechanism on z plus that, and z
 * is a function of w.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#define DPPAIR_MINIMISER_GRID_ 40 /* b is rounded to its scale over 2^40 */

/* What a release will do, from public numbers. */
typedef struct dppair_minimiser_terms_ {
  dppair_release_terms_ of_b;
  dppair_margin_problem problem;
  dppair_margin_tolerance tolerance; /* of the solver */
  double ball, output;               /* B, and the scale of the output's noise */
} dppair_minimiser_terms_;

/* How far the released b is from the ideal one, with which the solver's figures hold. */
DPPAIR_FN_ double dppair_minimiser_grid_(const dppair_minimiser_terms_ *t,
                                         const dppair_release *release) {
  const double width = dppair_sqrt_((double)t->problem.d);
  return t->of_b.scale * dppair_ldexp_(width, 2 - DPPAIR_MINIMISER_GRID_) *
         (release->mechanism == DPPAIR_PURE_OBJECTIVE ? width : 1.0);
}

/* The tolerance, and the scale of noise that hides it; NO_PROOF where the lemma says nothing. */
DPPAIR_FN_ dppair_status dppair_minimiser_hide_(dppair_minimiser_terms_ *t,
                                                const dppair_release *release) {
  const double ridge = t->problem.ridge;
  dppair_status status = dppair_margin_reach(&t->tolerance, &t->problem, 0.0);
  const double floor = t->tolerance.floor + dppair_minimiser_grid_(t, release);
  if (status != DPPAIR_OK) return status;
  t->ball = 32.0 / t->problem.radius;
  if (!((floor / t->ball + t->tolerance.share) * (1.0 + 1e-12) <= 0.25 * ridge))
    return DPPAIR_ERR_NO_PROOF;
  t->output = 8.0 / 3.0 * (floor + t->tolerance.share * t->ball) / ridge / release->output_mu;
  t->output *= 1.0 + 1e-12;
  /* whatever the records are, the ball fits on the noise's grid */
  if (t->output < dppair_ldexp_(t->ball, -39)) t->output = dppair_ldexp_(t->ball, -39);
  return t->output <= DPPAIR_SCALE_MAX_F64_ ? DPPAIR_OK : DPPAIR_ERR_SIGMA;
}

/* The terms. A copy of a row is rounded, by less than 2^-52 of its norm. */
DPPAIR_FN_ dppair_status dppair_minimiser_terms_find_(dppair_minimiser_terms_ *t,
                                                      const dppair_release *release,
                                                      const dppair_margin_loss *loss, double radius,
                                                      size_t n, size_t d) {
  dppair_status status;
  memset(t, 0, sizeof *t);
  t->problem.loss = *loss;
  t->problem.n = n;
  t->problem.d = d;
  t->problem.radius = radius;
  t->problem.ridge = 1.0;
  status = dppair_fit_check_(&t->problem);
  if (status != DPPAIR_OK) return status;
  if (!loss->falls || !dppair_isfinite_f64(loss->steepest)) return DPPAIR_ERR_NO_PROOF;
  t->problem.ridge = release->ridge * loss->top * radius * radius * (1.0 + 1e-12);
  t->of_b.sensitivity = radius * loss->steepest * (1.0 + 1e-12);
  t->of_b.divisor = 1.0;
  status = dppair_release_scale_(&t->of_b.scale, release, t->of_b.sensitivity);
  return status == DPPAIR_OK ? dppair_minimiser_hide_(t, release) : status;
}

/* May such a release be used for n records, for the whole of a paid release? */
DPPAIR_FN_ dppair_status dppair_minimiser_ready_(const dppair_release *release, size_t n) {
  const dppair_status status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (!dppair_mechanism_is_objective_(release->mechanism)) return DPPAIR_ERR_LAW;
  if (release->sampling.kind != DPPAIR_ALL || release->part > 0.0 || release->left > 0.0)
    return DPPAIR_ERR_NO_PROOF;
  return n == release->sampling.n ? DPPAIR_OK : DPPAIR_ERR_SIZE;
}

/* The linear term: -ridge centre, which is public, before it is rounded to the grid of b. DOMAIN
 * where that is beyond 512 scales of the noise, NOT_FINITE. */
DPPAIR_FN_ dppair_status dppair_minimiser_centre_(double *b, const dppair_minimiser_terms_ *t,
                                                  const double *centre) {
  size_t k;
  for (k = 0; k < t->problem.d; k++) {
    b[k] = centre != NULL ? -t->problem.ridge * centre[k] : 0.0;
    if (!dppair_isfinite_f64(b[k])) return DPPAIR_ERR_NOT_FINITE;
    if (!(dppair_fabs_(b[k]) <= 512.0 * t->of_b.scale)) return DPPAIR_ERR_DOMAIN;
  }
  return DPPAIR_OK;
}

/* Adds the noise of b, or of the output. */
DPPAIR_FN_ dppair_status dppair_minimiser_noise_(double *v, size_t d, double scale,
                                                 dppair_release *release, int log2_ratio) {
  return dppair_release_add_(v, d, scale, log2_ratio,
                             dppair_mechanism_of_trace_(release->mechanism), &release->noise);
}

/* Tells an audit of the fit: before it, and with w after it. */
DPPAIR_FN_ void dppair_minimiser_tell_(double *w, const dppair_fit_ *fit,
                                       const dppair_release *release, dppair_status status) {
  (void)DPPAIR_AUDITED_((DPPAIR_EVENT_FITTED, dppair_mechanism_name(release->mechanism), w,
                         w != NULL ? fit->of.d : 0, sizeof *w, NULL, release->sigma,
                         release->sensitivity, fit, release, status));
  (void)w;
  (void)fit;
  (void)release;
  (void)status;
}

/* What is not inlined leaves its secrets below its caller, where dppair_release_forget_ wipes. */
DPPAIR_OUT_OF_LINE_ dppair_status dppair_minimiser_work_(double *w, dppair_fit_ *fit,
                                                         const dppair_minimiser_terms_ *terms,
                                                         dppair_release *release, const double *y,
                                                         size_t d) {
  dppair_status status;
  status =
      dppair_minimiser_noise_(fit->linear, d, terms->of_b.scale, release, DPPAIR_MINIMISER_GRID_);
  dppair_fit_factors_(fit, y);
  if (status == DPPAIR_OK) status = dppair_fit_run_(w, fit);
  if (status == DPPAIR_OK) status = dppair_project_l2_f64(w, d, terms->ball);
  if (status == DPPAIR_OK)
    status = dppair_minimiser_noise_(w, d, terms->output, release, DPPAIR_GRID_DEFAULT);
  if (status != DPPAIR_OK) memset(w, 0, d * sizeof *w);
  return status;
}

/*
 * Releases w (d numbers): the minimiser of sum_i psi(w.u_i) + (ridge/2) |w - centre|^2 + b.w, as
 * above, for a plan of the law DPPAIR_OBJECTIVE or DPPAIR_PURE_OBJECTIVE over all n records.
 *
 * The noise of b has the scale z radius steepest, release->sigma; ridge is plan->ridge top
 * radius^2; the output's noise is for plan->trace. The ball has the radius 32/radius, so that the
 * longest row has margins up to 32.
 *
 *   loss    falls and has a finite steepest slope
 *   radius  public: longer rows are shortened to it, here
 *   x, y    n rows ld numbers apart and n labels, as dppair_minimiser_not_private takes them
 *   centre  d public numbers, where w is drawn to; NULL: 0
 *   work    `bytes` bytes, as dppair_minimiser_workspace says
 *
 * Errors zero w and use no paid release: NULL, SIZE (n is not the plan's; d is 0; ld < d),
 * WORKSPACE, OVERFLOW, NOT_FINITE and DOMAIN (radius, centre, the loss's facts; a centre that pulls
 * with more than 512 scales of b's noise), SIGMA; LAW (another law); NO_PROOF (a loss that rises or
 * whose slopes grow; n, d or a ridge for which the solver's arithmetic is too coarse:
 * dppair_margin_reach); OVERLAP (w, and work or what is read); ENVIRONMENT, and those of
 * dppair_release_vector about the release. None depends on a record.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
dppair_release_minimiser(double *w, dppair_release *release, const dppair_margin_loss *loss,
                         double radius, const double *x, size_t n, size_t d, size_t ld,
                         const double *y, const double *centre, void *work, size_t bytes) {
  dppair_minimiser_terms_ terms;
  dppair_fit_ fit;
  dppair_status status = dppair_array_(w, d);
  if (status != DPPAIR_OK) return status;
  if (d > 0) memset(w, 0, d * sizeof *w);
  if (loss == NULL) return DPPAIR_ERR_NULL;
  status = dppair_minimiser_ready_(release, n);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status == DPPAIR_OK) status = dppair_apart_(w, d, work, bytes);
  if (status == DPPAIR_OK && centre) status = dppair_apart_(w, d, centre, d * sizeof *w);
  if (status == DPPAIR_OK)
    status = dppair_minimiser_terms_find_(&terms, release, loss, radius, n, d);
  if (status == DPPAIR_OK) status = dppair_minimiser_workspace(&terms.of_b.bytes, n, d);
  if (status == DPPAIR_OK) status = dppair_fit_open_(&fit, &terms.problem, x, ld, work, bytes);
  if (status == DPPAIR_OK) status = dppair_minimiser_centre_(fit.linear, &terms, centre);
  if (status == DPPAIR_OK)
    status = dppair_rows_apart_(w, d, n, x, dppair_row_bytes_(n, d, ld, sizeof *x), y, sizeof *y,
                                NULL, NULL);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms.of_b);
  fit.b = fit.linear;
  fit.reach = terms.tolerance;
  dppair_minimiser_tell_(NULL, &fit, release, DPPAIR_OK);
  status = dppair_minimiser_work_(w, &fit, &terms, release, y, d);
  dppair_minimiser_tell_(w, &fit, release, status);
  return dppair_release_forget_(work, &terms.of_b, status);
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif

#ifndef DPPAIR_CORE_ONLY_

#if defined(DPPAIR_ROW) && !defined(DPPAIR_BODY_)
/* ---- src/rows/types.h -----------------------------------------------------------------------
 * The type of rows that DPPAIR_ROW names
 *
 * f32 and f64 are there always. bf16, f16, i16 and i8 are compiled where they are asked for, each
 * once per translation unit: dppair.h then compiles the kernels of all tiers, and the functions
 * that call them. The words are those of block.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_ROW_KIND_ == 2 && !defined(DPPAIR_ROWS_BF16_)
#define DPPAIR_ROWS_BF16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 3 && !defined(DPPAIR_ROWS_F16_)
#define DPPAIR_ROWS_F16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 4 && !defined(DPPAIR_ROWS_I16_)
#define DPPAIR_ROWS_I16_
#define DPPAIR_ROWS_NEW_
#elif DPPAIR_ROW_KIND_ == 5 && !defined(DPPAIR_ROWS_I8_)
#define DPPAIR_ROWS_I8_
#define DPPAIR_ROWS_NEW_
#endif

#ifdef DPPAIR_ROWS_NEW_
#ifndef DPPAIR_ROWS_NARROW_
#define DPPAIR_ROWS_NARROW_
/* ---- src/rows/narrow.h ----------------------------------------------------------------------
 * Rows of 16 and 8 bits: their numbers
 *
 * Sums over all pairs of many records read each row twice and compute little: bytes are what they
 * cost. A row of a type T is factor[i] times d numbers of T, which all are floats exactly:
 *
 *   T      elements   numbers                                            DPPAIR_ROW
 *   bf16   uint16_t   the upper half of a float                          bf16
 *   f16    uint16_t   IEEE 754 half precision, at most 65504             f16
 *   i16    int16_t    the integers themselves                            i16
 *   i8     int8_t     the integers themselves                            i8
 *
 *     #define DPPAIR_NAME rank
 *     #define DPPAIR_REAL float                  of scores, w and labels; sums run in double
 *     #define DPPAIR_ROW i8                      rows are a dppair_rows_i8
 *     #define DPPAIR_LOSS dppair_logistic
 *     #include "dppair.h"
 *
 *     if (dppair_rows_clip_f32(&rows, factor, x, n, d, d, 1.0) != DPPAIR_OK) return 1;
 *     rows.positives = np;
 *     if (dppair_rows_quantise_i8_f32(&small, x8, factor8, &rows) != DPPAIR_OK) return 1;
 *     if (rank_gradient(g, &small, w, &options) != DPPAIR_OK) return 1;      small.radius is 1 too
 *
 * All functions of an instance take such rows; instances of row-wise losses refuse them (#error).
 * DPPAIR_ROW i8 and #include "dppair.h" without DPPAIR_NAME compile the type alone.
 *
 * Functions, for each T: dppair_rows_make_T, _clip_T, _quantise_T_f32, _quantise_T_f64,
 * dppair_gather_T, _gather_weighted_T, dppair_rows_by_hand_T, dppair_scores_T, dppair_combine_T,
 * dppair_sum_combine_T. As those for float (rows/template.h); rows/quantise.h has what makes such
 * rows.
 *
 * Arithmetic. A number becomes a float, or a double, without rounding; from there on everything is
 * what rows of float with the same factors would give, bit for bit, on every tier. The instructions
 * that multiply 8- or 16-bit numbers (VNNI, BF16) need w in as few bits and are not used: what is
 * saved is the traffic with memory.
 *
 * Privacy. Sensitivities are those of rows of float of the same radius: bounds of rounding assume
 * numbers that are floats and factors that are doubles, and NAME_scaled_row_ rounds products with
 * factors towards 0 as it does there. Of integers no product with w underflows: they are multiples
 * of the last digit of w.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

typedef uint16_t dppair_element_bf16_;
typedef uint16_t dppair_element_f16_;
typedef int16_t dppair_element_i16_;
typedef int8_t dppair_element_i8_;

/* The number of an element. */
DPPAIR_FORCE_INLINE_ float dppair_number_i8_(int8_t v) { return (float)v; }
DPPAIR_FORCE_INLINE_ float dppair_number_i16_(int16_t v) { return (float)v; }
DPPAIR_FORCE_INLINE_ float dppair_number_bf16_(uint16_t v) {
  return dppair_from_bits_f32_((uint32_t)v << 16);
}

/* Of f16: the exponent is moved by 112 places. Below 2^-14 there is no leading 1: it is put there
 * and subtracted, exactly, in normal numbers only, so flushing to zero does no harm. Infinity and
 * NaN stay what they are: scores are then refused. */
DPPAIR_FORCE_INLINE_ float dppair_number_f16_(uint16_t v) {
  const uint32_t size = (uint32_t)(v & 0x7fff) << 13, sign = (uint32_t)(v & 0x8000) << 16;
  const float tiny = dppair_from_bits_f32_(size + UINT32_C(0x38800000)) - 6.103515625e-05f;
  uint32_t bits = size + UINT32_C(0x38000000);
  if (size >= UINT32_C(0x0f800000)) bits += UINT32_C(0x38000000);
  if (size < UINT32_C(0x00800000)) bits = dppair_bits_f32_(tiny);
  return dppair_from_bits_f32_(bits | sign);
}

/* The largest element of each type, of which rows have none that is larger; 0: as large as a float.
 */
#define DPPAIR_LARGEST_bf16 0.0
#define DPPAIR_LARGEST_f16 65504.0
#define DPPAIR_LARGEST_i16 32768.0
#define DPPAIR_LARGEST_i8 128.0

/* The element next to the finite number v that is not longer: towards 0. Signs stay, also of 0. */
DPPAIR_FN_ uint16_t dppair_cut_bf16_(double v) {
  const float nearby = (float)v; /* infinity for what is too large: the bits below it are FLT_MAX */
  uint32_t bits = dppair_bits_f32_(nearby);
  if (dppair_fabs_((double)nearby) > dppair_fabs_(v)) bits--;
  return (uint16_t)(bits >> 16);
}
DPPAIR_FN_ uint16_t dppair_cut_f16_(double v) {
  const uint64_t all = dppair_bits_f64_(v), size = all << 1 >> 1;
  const uint16_t sign = (uint16_t)(all >> 48 & 0x8000);
  if (dppair_fabs_(v) >= 65504.0) return (uint16_t)(sign | 0x7bff);
  if (dppair_fabs_(v) < 6.103515625e-05) /* 2^-14: multiples of 2^-24 */
    return (uint16_t)(sign | (uint16_t)(dppair_fabs_(v) * 16777216.0));
  return (uint16_t)(sign | (uint16_t)((size >> 42) - (UINT64_C(1008) << 10)));
}

/* A number of a row of double, or of float, cut to 24 digits, which changes no float, times 2^-e.
 */
DPPAIR_FN_ double dppair_cut_number_(const void *x, size_t k, int e, int is_f32) {
  const double v = is_f32 ? (double)((const float *)x)[k] : ((const double *)x)[k];
  const double cut = dppair_from_bits_f64_(dppair_bits_f64_(v) >> 29 << 29);
  return e ? dppair_ldexp_(cut, -e) : cut;
}

/*
 * *scale for the integers q_k of a row f x of d finite numbers: the largest |q_k| is `most`, and
 * |*scale q_k| <= |f x_k| for all k in exact arithmetic. *top and *e are for dppair_steps_ below:
 * t 2^e, the largest |x_k| cut to 24 digits. A row of zeros, and one whose scale would be below
 * 2^-512, has the scale 0 and *top 0. Returns 0 when the scale is not finite.
 *
 * Proof. Let t be the largest |x_k| as cut, and q_k = floor(most |x_k|/t) of numbers as cut, with
 * the sign of x_k. Then |q_k| t/most <= |x_k|. The scale is f t/most in three rounded operations
 * on numbers between 1/4 and 1, times 1 - 2^-51: (1 + 2^-53)^3 (1 - 2^-51) < 1, so it is less than
 * f t/most. The powers of 2 come last and are exact, since the scale is at least 2^-512.
 */
DPPAIR_FN_ int dppair_whole_scale_(double *scale, double *top, int *e, const void *x, size_t d,
                                   double f, double most, int is_f32) {
  double t = 0.0, fraction;
  int of_t, of_f;
  size_t k;
  *scale = *top = 0.0;
  *e = 0;
  for (k = 0; k < d; k++) {
    const double v = dppair_fabs_(dppair_cut_number_(x, k, 0, is_f32));
    t = v > t ? v : t;
  }
  if (!(t > 0.0) || !(dppair_fabs_(f) > 0.0)) return 1;
  fraction = dppair_frexp_(f, &of_f) * dppair_frexp_(t, &of_t) / most * (1.0 - 2.0 * DBL_EPSILON);
  fraction = dppair_ldexp_(fraction, of_f + of_t);
  if (!dppair_isfinite_f64(fraction)) return 0;
  if (dppair_fabs_(fraction) < DPPAIR_LEAST_FACTOR_F64_) return 1;
  *scale = fraction;
  *e = of_t > 900 || of_t < -900 ? of_t : 0; /* else products of t and integers are in range */
  *top = dppair_ldexp_(t, -*e);
  return 1;
}

/* floor(most |v|/top) with the sign of v, for 0 < top, |v| <= top, both cut to 24 digits, and most
 * < 2^15. Rounding is monotone, so a rounded quotient can only be too large, by one; the products
 * that decide are exact, with at most 39 digits. (What ldexp rounded is below top/2^100.) */
DPPAIR_FN_ int dppair_steps_(double v, double top, double most) {
  const double size = most * dppair_fabs_(v);
  int q = (int)(size / top);
  if ((double)q * top > size) q--;
  return v < 0.0 ? -q : q;
}

DPPAIR_FP_END_
#endif
#undef DPPAIR_ROW_SUFFIX_
#define DPPAIR_ROW_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_ROW, _), DPPAIR_SUFFIX_)
#define DPL_X dppair_element_ROW_
#endif
#endif
#if defined(DPPAIR_ROWS_NEW_) && !defined(DPPAIR_BODY_) /* not there yet: body and functions */
#define DPPAIR_BODY_ DPPAIR_BODY_ROWS_
/* ---- src/simd/each_tier.h -------------------------------------------------------------------
 * Each tier: the body once for every tier
 *
 * The whole header is included again for each tier of the build, for the vectors and for a type of
 * rows twice: for double, and then for float, whose sums use the vectors of double. A module that
 * has vectors of its own says by DPPAIR_BODY_SELF_ that it is the header. The body sees
 * DPPAIR_TIER_, DPPAIR_TIER_NAME_, DPV_INLINE_ (how the vocabulary is inlined), DPV_UNROLL_ (before
 * short loops over arrays of vectors) and what simd/type.h defines. It opens and closes a region
 * with the instructions of its tier: DPPAIR_REGION_BEGIN_, DPPAIR_REGION_END_.
 * Vectors are in registers only where everything is inlined, so all tiers but the scalar one force
 * it.
 * ---------------------------------------------------------------------------------------------- */

#ifndef DPPAIR_BODY_SELF_
#define DPPAIR_BODY_SELF_ DPPAIR_SELF
#endif

/* Beside AVX2 the scalar loops serve processors of before 2013 alone. */
#define DPPAIR_QUICK_TIER_ DPPAIR_HAVE_AVX2

/* Scalar: vectors are arrays in memory. Forced inlining gains nothing and costs compile time. */
#if DPPAIR_MIN_TIER < 2
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#define DPV_UNROLL_
#if DPPAIR_QUICK_TIER_
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ (DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_)
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0
#endif
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#if DPPAIR_QUICK_TIER_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
#undef DPPAIR_QUICK_TIER_

#define DPV_UNROLL_ DPPAIR_UNROLL_

#define DPV_INLINE_ DPPAIR_FORCE_INLINE_

#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

/* AVX-512 uses some of AVX2's vectors. */
#if DPPAIR_HAVE_AVX2 && (DPPAIR_MIN_TIER < 3 || DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_)
#define DPPAIR_TIER_ 2
#define DPPAIR_TIER_NAME_ avx2
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#undef DPV_INLINE_
#undef DPV_UNROLL_
#undef DPPAIR_BODY_SELF_
#undef DPPAIR_BODY_
#define DPPAIR_BODY_ DPPAIR_BODY_BLOCKS_
#include DPPAIR_SELF
#undef DPPAIR_BODY_
/* ---- src/rows/quantise.h --------------------------------------------------------------------
 * Rows of 16 and 8 bits out of rows of float or double, for one type
 *
 * Written dppair_x_ROW, compiled dppair_x_i8 and so on, once for each type that is asked for, after
 * its functions of rows/template.h. NOT PRIVATE: elements and factors are as secret as the records.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Elements of one row f x of d numbers, and its factor. 0 when one of them is not finite. */
DPPAIR_FN_ int dppair_quantise_row_ROW_(dppair_element_ROW_ *to, double *factor, const void *x,
                                        size_t d, double f, int is_f32) {
  size_t k;
  *factor = 0.0;
  if (!dppair_isfinite_f64(f) || !(is_f32 ? dppair_all_finite_f32((const float *)x, d)
                                          : dppair_all_finite_f64((const double *)x, d)))
    return 0;
#if DPPAIR_ROW_KIND_ <= 3
  if (dppair_fabs_(f) < DPPAIR_LEAST_FACTOR_F32_) return 1;
  *factor = f;
  for (k = 0; k < d; k++)
    to[k] = dppair_cut_ROW_(is_f32 ? (double)((const float *)x)[k] : ((const double *)x)[k]);
#else
  {
    const double most = DPPAIR_LARGEST_ROW_ - 1.0;
    double top;
    int e;
    if (!dppair_whole_scale_(factor, &top, &e, x, d, f, most, is_f32)) return 0;
    for (k = 0; k < d && top > 0.0; k++)
      to[k] = (dppair_element_ROW_)dppair_steps_(dppair_cut_number_(x, k, e, is_f32), top, most);
  }
#endif
  return 1;
}

/* x[n][d] and factor[0..n) of n rows, of which of[i] are the factors (NULL: all 1); of the last
 * `nulls` rows 0. */
DPPAIR_FN_ dppair_status dppair_quantise_rows_ROW_(dppair_element_ROW_ *x, double *factor,
                                                   const void *from, size_t n, size_t nulls,
                                                   size_t d, size_t ld, const double *of,
                                                   int is_f32) {
  const size_t size = is_f32 ? sizeof(float) : sizeof(double);
  dppair_status status;
  size_t i;
  if (dppair_area_(dppair_area_(n, ld > 0 ? ld : 1), sizeof(double)) == SIZE_MAX ||
      dppair_area_(dppair_area_(n, d > 0 ? d : 1), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  if (x && n && d) memset(x, 0, n * d * sizeof *x);
  if (factor && n) memset(factor, 0, n * sizeof *factor);
  if ((n && !factor) || (n && d && (!x || !from))) return DPPAIR_ERR_NULL;
  if (ld < d || nulls > n) return DPPAIR_ERR_SIZE;
  status = dppair_environment_check();
  for (i = 0; i < n - nulls && status == DPPAIR_OK; i++)
    if (!dppair_quantise_row_ROW_(d ? x + i * d : x, factor + i,
                                  d ? (const unsigned char *)from + i * ld * size : NULL, d,
                                  of ? of[i] : 1.0, is_f32))
      status = DPPAIR_ERR_NOT_FINITE;
  if (status == DPPAIR_OK) return status;
  if (n && d) memset(x, 0, n * d * sizeof *x);
  if (n) memset(factor, 0, n * sizeof *factor);
  return status;
}

/*
 * Fills *rows with the rows of *from in fewer bits: x[n][d] and factor[0..n), n = from->n, d =
 * from->d. No row grows: every number factor[i] x[i][k] has the sign of that of from and is at most
 * as large, in exact arithmetic. So a row is within from->radius, which *rows keeps, and a
 * sensitivity that follows from a radius needs no rounding allowance for the rounding. A quantised row
 * depends on its own row and factor only: two data sets that differ in one record differ in that
 * record afterwards, in its place, and a row of zeros stays one.
 *
 *   bf16, f16   numbers are cut towards 0, less by at most 2^-7 of themselves (f16: 2^-10, or 2^-24
 *               where they are below 2^-14; bf16: 2^-133 below 2^-126). f16 holds what is above
 *               65504 at 65504, bf16 at 3.39e38. The factor stays, and where *from has none *rows
 *               has none; one below 2^-64 becomes 0, and its row zeros
 *   i16, i8     each row has a scale of its own, which makes its largest number 32767 (127); others
 *               are multiples of that over 32767 (127), less by at most one such step, and of
 *               double by 2^-23 of themselves. The factor is the scale; one below 2^-512 becomes 0,
 *               and its row zeros
 *
 * What it does to a mean gradient over pairs, of slopes at most L and curvature at most M, for rows
 * within R that become shorter by vectors of at most delta: it moves by at most 2 delta (L + 2 M R
 * |w|). delta is at most 2^-7 R (bf16), 2^-10 R + 2^-24 sqrt(d) times the factor (f16), and
 * sqrt(d) |top|/32767 or /127 + 2^-23 R (i16, i8), top the largest number of a row times its
 * factor. Measured, 4000 rows of 64 normal numbers, the logistic loss: a gradient is off by 8e-3
 * (i8), 3e-3 (bf16), 4e-4 (f16), 3e-5 (i16) of its length.
 *
 * positives, nulls, weight and, of rows of float, y and its place are those of *from; of rows of
 * double y is NULL. x and factor must not overlap *from, and must live as long as *rows is used.
 *
 * Errors zero *rows, x and factor: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (a number, a factor,
 * or a scale: none of rows of dppair_rows_clip), ENVIRONMENT; with OVERFLOW (the rows cannot be
 * addressed), or from NULL, x and factor are not touched.
 *
 * Proof: dppair_cut_bf16_, dppair_cut_f16_; dppair_whole_scale_, dppair_steps_.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_quantise_ROW_f32(
    dppair_rows_ROW *rows, dppair_element_ROW_ *x, double *factor, const dppair_rows_f32 *from) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  if (!rows || !from) return DPPAIR_ERR_NULL;
  status = dppair_quantise_rows_ROW_(x, factor, from->x, from->n, from->nulls, from->d, from->ld,
                                     from->factor, 1);
  if (status != DPPAIR_OK) return status;
  *rows = dppair_rows_make_ROW(x, from->n, from->d, from->d);
  rows->positives = from->positives;
  rows->nulls = from->nulls;
  rows->y = from->y;
  rows->factor = DPPAIR_ROW_KIND_ <= 3 && !from->factor ? NULL : factor;
  rows->weight = from->weight;
  rows->radius = from->radius;
  rows->serial = from->serial;
  return DPPAIR_OK;
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_quantise_ROW_f64(
    dppair_rows_ROW *rows, dppair_element_ROW_ *x, double *factor, const dppair_rows_f64 *from) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  if (!rows || !from) return DPPAIR_ERR_NULL;
  status = dppair_quantise_rows_ROW_(x, factor, from->x, from->n, from->nulls, from->d, from->ld,
                                     from->factor, 0);
  if (status != DPPAIR_OK) return status;
  *rows = dppair_rows_make_ROW(x, from->n, from->d, from->d);
  rows->positives = from->positives;
  rows->nulls = from->nulls;
  rows->factor = DPPAIR_ROW_KIND_ <= 3 && !from->factor ? NULL : factor;
  rows->weight = from->weight;
  rows->radius = from->radius;
  rows->serial = from->serial;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#undef DPL_X
#undef DPPAIR_ROWS_NEW_
#undef DPPAIR_ROW_SUFFIX_
#define DPPAIR_ROW_SUFFIX_ DPPAIR_SUFFIX_
#endif

/* 6. Per instance: its parameters, checked, and the states of its functions. */

#if !defined(DPPAIR_BODY_) && !defined(DPPAIR_NO_TEMPLATE_) &&                                     \
    (defined(DPPAIR_NAME) || defined(DPPAIR_REAL) || defined(DPPAIR_LOSS))
/* ---- src/pairs/parameters.h -----------------------------------------------------------------
 * The template's parameters
 *
 * DPPAIR_NAME, DPPAIR_REAL and DPPAIR_LOSS are checked here; DPPAIR_WEIGHTS 1 asks for what
 * computes with weights and groups as well, which a module may need (DPPAIR_NEED_WEIGHTS_);
 * DPPAIR_ROW asks for rows of another type or kind (rows/table.h). A mistake is answered by one
 * sentence; the include of a file that cannot exist then stops the compiler, which would otherwise
 * print thousands of errors about the code below.
 * ---------------------------------------------------------------------------------------------- */

/* double 1, float 0, any other word 9; the same for L_KIND (fast_state.h has its words) */
#define DPPAIR_TEMPLATE_F64_ DPPAIR_WORD_(DPPAIR_REAL, 9)
#define DPPAIR_KIND_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _KIND), 9)
#define DPPAIR_SPLIT_ DPPAIR_WORD_(DPPAIR_CAT(DPPAIR_LOSS, _SPLIT), 0)
#define DPPAIR_RANGE_ DPPAIR_ITEMS_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE))

#ifndef DPPAIR_ROW /* rows of the type of scores */
#define DPPAIR_ROW DPPAIR_CAT(DPPAIR_ROW_OF_A_, DPPAIR_REAL)
#endif

#define DPPAIR_STOP_
#if !defined(DPPAIR_NAME)
#error "Define DPPAIR_NAME, the prefix of what is generated, before dppair.h with DPPAIR_REAL."
#elif !defined(DPPAIR_REAL)
#error "Define DPPAIR_REAL as float or double before including dppair.h for the template."
#elif !defined(DPPAIR_LOSS)
#error "Define DPPAIR_LOSS as the name of a loss before including dppair.h for the template."
#elif 1 || DPPAIR_NAME /* DPPAIR_NAME must be one identifier, without quotes */
#if DPPAIR_TEMPLATE_F64_ == 1 || DPPAIR_TEMPLATE_F64_ == 0
#if DPPAIR_ROW_KIND_ == 9 ||                                                                       \
    (DPPAIR_ROW_KIND_ != DPPAIR_TEMPLATE_F64_ &&                                                   \
     (DPPAIR_TEMPLATE_F64_ ? DPPAIR_ROW_KIND_ != 7                                                 \
                           : DPPAIR_ROW_KIND_ < 2 || DPPAIR_ROW_KIND_ > 6))
#error "DPPAIR_ROW must be f32, bf16, f16, i16 or i8 with DPPAIR_REAL float, f64 with double."
#elif DPPAIR_ROW_KIND_ > 1 && DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_
#error "DPPAIR_ROW: row-wise losses compare embeddings of float or double, not narrow rows."
#elif DPPAIR_KIND_ == DPPAIR_KIND_ROWWISE_ && !defined(DPPAIR_CONTRAST_H)
#error "DPPAIR_LOSS is a row-wise loss: include dppair_contrast.h before the instance."
#elif DPPAIR_RANGE_ == 9
#error "DPPAIR_LOSS: its L_RANGE must be a function and flags in brackets: (my_range, 0)."
#elif DPPAIR_KIND_ >= 0 && DPPAIR_KIND_ <= 3
#undef DPPAIR_STOP_
#elif defined(DPPAIR_LOSSES_H)
#error "DPPAIR_LOSS: no such loss, or its L_KIND is not _pairs, _piecewise, _analytic or _rowwise; \
contrastive losses and triplets are those of dppair_contrast.h, which comes before the instance."
#else
#error "DPPAIR_LOSS: include dppair_losses.h first, or dppair_contrast.h for a contrastive loss or \
triplets; a loss L of your own needs L_KIND dppair_pairs."
#endif
#else
#error "DPPAIR_REAL must be the word float or the word double: no typedef, no other type."
#endif
#else
#include "dppair stops here: DPPAIR_NAME must be one identifier, without quotes"
#endif

#ifdef DPPAIR_STOP_
#undef DPPAIR_STOP_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_KIND_
#undef DPPAIR_SPLIT_
#undef DPPAIR_RANGE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_ROW
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS
#include "dppair stops here: one sentence says more than the thousands of errors after it"
#else
/* The error "redeclaration of enumerator NAME_is_..." means that two templates have one NAME. */
enum { DPPAIR_CAT(DPPAIR_NAME, _is_the_DPPAIR_NAME_of_two_templates_) };
#ifdef DPPAIR_IMPLEMENTATION /* declarations for rows of another type do not link */
#ifdef __cplusplus
extern "C" {
#endif
extern const char DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW);
const char DPPAIR_CAT(DPPAIR_CAT(DPPAIR_NAME, _reads_), DPPAIR_ROW) = 1;
#ifdef __cplusplus
}
#endif
#endif
#define DPPAIR_INSTANCE_
#define DPPAIR_HAS_INSTANCES_ /* a module that adds functions to them comes too late */
#ifndef DPPAIR_WEIGHTS
#if defined(DPPAIR_NEED_WEIGHTS_) && DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
#define DPPAIR_WEIGHTS 1
#else
#define DPPAIR_WEIGHTS 0
#endif
#endif
/* DPT_LABEL: labels that are not finite, NaN too, are one class, which differs from every other. */
#if DPPAIR_TEMPLATE_F64_
#define DPT_FINITE dppair_all_finite_f64
#define DPT_LABEL(y) (dppair_isfinite_f64(y) ? (y) : HUGE_VAL)
#else
#define DPT_FINITE dppair_all_finite_f32
#define DPT_LABEL(y) (dppair_isfinite_f32(y) ? (y) : (float)HUGE_VAL)
#endif
#endif
#endif

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

/* ---- src/tiles/widths.h ---------------------------------------------------------------------
 * The width of a block, what the type of an instance can hold, and rows times their factors
 *
 * DPT_W records are a block: three vectors, the width of the micro-kernel.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TEMPLATE_F64_
#define DPT_W ((size_t)24)
#define DPT_MAX DBL_MAX
#define DPT_MIN DBL_MIN
#define DPT_EPSILON DBL_EPSILON
#else
#define DPT_W ((size_t)48)
#define DPT_MAX FLT_MAX
#define DPT_MIN FLT_MIN
#define DPT_EPSILON FLT_EPSILON
#endif
/* Blocks of DPT_W records for n. */
#define DPT_BLOCKS(n) ((n) / DPT_W + ((n) % DPT_W != 0))
/* A limit of margins, norms and distances: sums of a few of them do not overflow. */
#define DPT_ROOM ((double)DPT_MAX / 64.0)
/* Whether inner products of k numbers are too long for the bound of NAME_tiles_margin_. */
#define DPT_TOO_LONG(k) ((double)(k) * (double)DPT_EPSILON > 0.25)

#if DPT_DENSE

DPPAIR_FP_BEGIN_

/*
 * to[f step] = the numbers of a row times its factor, f < d; those of an array for a factor of 1.
 *
 * No number grows: rounding moves a product towards 0 only, and a bound of the norm of the scaled
 * row holds for the computed one in exact arithmetic. It is less than the exact product by at most
 * 2 epsilon relative and the smallest normal number. Proof, with u = epsilon/2: the product is
 * taken times 1 - 2 u. That, the product and, in float, the rounding of a double's number exceed
 * exact results by less than u each, or two of them by 2^-53: (1 - 2 u)(1 + u)^2 < 1. Below the
 * normal numbers, where rounding is not relative, the result is 0. Infinity stands for what is too
 * large, and is refused with the rows.
 */
DPPAIR_FN_ void DPPAIR_NAME_scaled_row_(DPPAIR_REAL *to, size_t step, const DPT_STORED *x, size_t d,
                                        double factor) {
  const int one = factor >= 1.0 && factor <= 1.0;
  for (size_t f = 0; f < d; f++) {
    const DPPAIR_REAL number = DPT_NUMBER(x[f]);
    const double v = factor * (double)number * (1.0 - (double)DPT_EPSILON), size = dppair_fabs_(v);
    const double in_range = size < (double)DPT_MIN ? 0.0 : size > (double)DPT_MAX ? HUGE_VAL : v;
    to[f * step] = one ? number : (DPPAIR_REAL)in_range;
  }
}

/* some[0] and, if there are others, some[1] = the records that are there. SIZE: nulls > n. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_there_(DPPAIR_ROWS_ *some, const DPPAIR_ROWS_ *rows,
                                            const DPPAIR_ROWS_ *others) {
  some[0] = DPT_PRESENT(rows);
  some[1] = DPT_PRESENT(others ? others : rows);
  return rows->nulls > rows->n || (others && others->nulls > others->n) ? DPPAIR_ERR_SIZE
                                                                        : DPPAIR_OK;
}

DPPAIR_FP_END_

#endif /* DPT_DENSE */
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
/* ---- src/tiles/of_states.h ------------------------------------------------------------------
 * States of the functions over tiles: the chapters
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE /* they read the numbers of dense rows */
/* ---- src/tiles/packed.h ---------------------------------------------------------------------
 * Packed blocks of rows, and the limit of a clip
 *
 * Blocks of DPT_W records, feature by feature, as tiles read them: of clipped pairs, and of the
 * forms of a module.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* norm2[i], from sum = |v_i|^2 as computed in double over k numbers: above |v_i|^2 by a margin such
 * that, after rounding, norm2[i] + norm2[j] - 2 fl(<v_i, v_j>) >= |v_i - v_j|^2. Proof, with u =
 * epsilon/2: the chain of k fused multiply-adds errs by at most k u/(1 - k u) |v_i||v_j| <=
 * k u (|v_i|^2 + |v_j|^2)/2/(1 - k u); the two additions and norm2 itself by 4 u (|v_i|^2 +
 * |v_j|^2); the sum by k u; each step that underflows by less than the smallest normal number, also
 * when the processor flushes to zero. For k epsilon <= 1/4 all of that is below the margin: 2 (k +
 * 16) epsilon relative and 8 (k + 4) smallest normal numbers absolute.
 *
 * It also exceeds |r_i - r_j|^2 for the exact scaled rows r of which v are the computed ones. By
 * NAME_scaled_row_, |r_i - v_i| <= 2 epsilon |r_i| + sqrt(k) smallest normal numbers. That makes
 * the square larger by at most 9 epsilon (|v_i|^2 + |v_j|^2) and, where the second part is more
 * than that, by less than a smallest normal number. The above leaves 30 epsilon. */
DPPAIR_FN_ double DPPAIR_NAME_tiles_margin_(double sum, size_t k) {
  return sum + 2.0 * (double)(k + 16) * (double)DPT_EPSILON * sum +
         8.0 * (double)(k + 4) * (double)DPT_MIN;
}

/* The clip in the type of the kernels, less than `clip` by more than quotients and roots err; 0
 * when it is not a normal number there. */
DPPAIR_FN_ DPPAIR_REAL DPPAIR_NAME_tiles_limit_(double clip) {
  const double limit =
      (clip < (double)DPT_MAX ? clip : (double)DPT_MAX) * (1.0 - 32.0 * (double)DPT_EPSILON);
  return limit < (double)DPT_MIN ? 0 : (DPPAIR_REAL)limit;
}

/*
 * Whether a block may skip its caps, when its weights are at most `top` in size and its pair
 * gradients of weight 1 at most `reach` long. It may when no cap would change a weight. Then a
 * weight is a function of its two records alone, whichever records share their block, and one
 * record changes only its own pairs. A cap is limit/(a computed length), and that length exceeds
 * `reach` by less than 8 epsilon: squared norms and inner products stay below what their margins
 * allow for, and at most eight roots, sums and quotients are rounded after that. So with
 * top reach <= limit (1 - 16 epsilon) every cap is above top. The same with 2 DPT_MIN in place of
 * top keeps caps above DPT_MIN, below which they become 0.
 */
DPPAIR_FN_ int DPPAIR_NAME_tiles_spared_(DPPAIR_REAL limit, double top, double reach) {
  const double least = 2.0 * (double)DPT_MIN, most = top > least ? top : least;
  return most * reach <= (double)limit * (1.0 - 16.0 * (double)DPT_EPSILON);
}

/* Writes n rows of x, d numbers that begin ld apart, times their factors (NULL: all 1), as packed
 * blocks [block][d][DPT_W]; the last block is filled up with zeros. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_tiles_pack_(DPPAIR_REAL *to, const DPT_STORED *x, size_t n,
                                                 size_t d, size_t ld, const double *factor) {
  for (size_t i = 0; i < n; i++) {
    DPPAIR_REAL *p = to + i / DPT_W * d * DPT_W + i % DPT_W;
    for (size_t f = 0; f < d && !factor; f++) p[f * DPT_W] = DPT_NUMBER(x[i * ld + f]);
    if (factor) DPPAIR_NAME_scaled_row_(p, DPT_W, x + i * ld, d, factor[i]);
  }
  for (size_t l = n % DPT_W; l > 0 && l < DPT_W; l++)
    for (size_t f = 0; f < d; f++) to[(n / DPT_W * d + f) * DPT_W + l] = 0;
}

DPPAIR_FP_END_
/* ---- src/tiles/clip_state.h -----------------------------------------------------------------
 * State of per-pair clipping
 *
 * Linear margins, positives against negatives: the workspace, the cache and the checks. It relies
 * on packed.h; clip_kernels.h computes.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The state of one call, in the caller's workspace. The arrays of positives and negatives follow
 * each other: sizes depend on the number of all records only. */
typedef struct DPPAIR_NAME_clip_ {
  const double *params;
  size_t np, nn, d, blocks_p, blocks_n;
  DPPAIR_REAL limit;
  int clipped;
  const uint16_t *cache;
  DPPAIR_REAL *xp, *xn, *sp, *sn, *gp, *gn; /* packed rows, scores, squared norms with a margin */
  double *reach_p, *reach_n;                /* the largest norm of each block */
  DPPAIR_REAL *tile, *dot;
  double *row, *col;
} DPPAIR_NAME_clip_;

/* Sets the arrays of np positives and nn negatives of d numbers to their places in the workspace at
 * base (NULL: to nowhere) and returns the bytes used for np + nn records, 64 of them for alignment;
 * SIZE_MAX on overflow. */
DPPAIR_OUT_OF_LINE_ size_t DPPAIR_NAME_clip_layout_(DPPAIR_NAME_clip_ *t, char *base, size_t np,
                                                    size_t nn, size_t d) {
  const size_t real = sizeof(DPPAIR_REAL), f64 = sizeof(double);
  const size_t blocks = DPT_BLOCKS(np + nn) + 1, all = dppair_area_(blocks, DPT_W);
  size_t used = 0;
  memset(t, 0, sizeof *t);
  t->np = np;
  t->nn = nn;
  t->d = d;
  t->blocks_p = DPT_BLOCKS(np);
  t->blocks_n = DPT_BLOCKS(nn);
  t->xp = (DPPAIR_REAL *)dppair_take_(base, &used, dppair_area_(all, d), real);
  t->sp = (DPPAIR_REAL *)dppair_take_(base, &used, all, real);
  t->gp = (DPPAIR_REAL *)dppair_take_(base, &used, all, real);
  t->reach_p = (double *)dppair_take_(base, &used, blocks, f64);
  t->tile = (DPPAIR_REAL *)dppair_take_(base, &used, DPT_W * DPT_W, real);
  t->dot = (DPPAIR_REAL *)dppair_take_(base, &used, DPT_W * DPT_W, real);
  t->row = (double *)dppair_take_(base, &used, DPT_W, f64);
  t->col = (double *)dppair_take_(base, &used, dppair_area_(all, 8), f64);
  if (base) {
    t->xn = t->xp + t->blocks_p * DPT_W * d;
    t->sn = t->sp + t->blocks_p * DPT_W;
    t->gn = t->gp + t->blocks_p * DPT_W;
    t->reach_n = t->reach_p + t->blocks_p;
  }
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Numbers at the begin of a cache: the bits of its clip, then of its number of records. */
#define DPPAIR_CACHE_HEAD_ 8

/* Numbers in a cache of caps of n records, however many are positives: whole blocks of these by all
 * negatives are at most (n + DPT_W - 1)^2/4. SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_clip_count_(size_t n) {
  const size_t most = n > SIZE_MAX - DPT_W ? SIZE_MAX : n + DPT_W - 1;
  const size_t count = dppair_area_(most / 2, most - most / 2);
  return count > SIZE_MAX / 2 - DPPAIR_CACHE_HEAD_ ? SIZE_MAX : count + DPPAIR_CACHE_HEAD_;
}

/* What a cache begins with. */
DPPAIR_FN_ void DPPAIR_NAME_clip_head_(uint16_t *head, double clip, size_t n) {
  const uint64_t all = (uint64_t)n;
  memcpy(head, &clip, sizeof clip);
  memcpy(head + 4, &all, sizeof all);
}

/* Checks sizes, clip, radius and workspace, without reading an array, and lays *t out; all
 * functions below begin with it. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_begin_(
    DPPAIR_NAME_clip_ *t, const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  size_t total;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  if (!options) return DPPAIR_ERR_NULL;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (!rows->x && rows->n && rows->d) return DPPAIR_ERR_NULL;
  if (rows->ld < rows->d || DPT_TOO_LONG(rows->d)) return DPPAIR_ERR_SIZE;
  if (dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX)
    return DPPAIR_ERR_OVERFLOW;
  total = DPPAIR_NAME_clip_layout_(t, NULL, rows->positives, rows->n - rows->positives, rows->d);
  if (total == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < total) return DPPAIR_ERR_WORKSPACE;
  (void)DPPAIR_NAME_clip_layout_(t, dppair_align_(options->work), t->np, t->nn, t->d);
  if (!(1.01 * (double)t->d * rows->radius * rows->radius <= DPT_ROOM))
    return DPPAIR_ERR_OVERFLOW; /* whatever the rows are */
  t->limit = DPPAIR_NAME_tiles_limit_(dppair_clip_bound_(options));
  t->clipped = options->clip != NULL;
  t->params = options->params;
  return DPPAIR_OK;
}

/* Packs the rows, times their factors; the tier's kernel then checks numbers and computes norms. */
DPPAIR_FN_ void DPPAIR_NAME_clip_rows_(const DPPAIR_NAME_clip_ *t, const DPPAIR_ROWS_ *rows) {
  const double *factor = rows->factor;
  DPPAIR_NAME_tiles_pack_(t->xp, rows->x, t->np, t->d, rows->ld, factor);
  DPPAIR_NAME_tiles_pack_(t->xn, rows->x ? rows->x + t->np * rows->ld : NULL, t->nn, t->d, rows->ld,
                          factor ? factor + t->np : NULL);
}

/* Copies n scores and fills the last block up with zeros. OVERFLOW for a score above a quarter of
 * the largest number: differences of two stay finite. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_scores_(DPPAIR_REAL *to,
                                                                             size_t blocks,
                                                                             const DPPAIR_REAL *s,
                                                                             size_t n) {
  if (!DPT_FINITE(s, n)) return DPPAIR_ERR_NOT_FINITE;
  for (size_t i = 0; i < blocks * DPT_W; i++) {
    to[i] = i < n ? s[i] : 0;
    if (dppair_fabs_((double)to[i]) > (double)DPT_MAX / 4.0) return DPPAIR_ERR_OVERFLOW;
  }
  return DPPAIR_OK;
}

/* Zeroes a and b, checks the arguments of NAME_clip_coeffs and prepares *t. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_open_(
    DPPAIR_NAME_clip_ *t, double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *sn,
    const DPPAIR_ROWS_ *rows, const uint16_t *cache, size_t count, const dppair_options *options) {
  dppair_status status;
  uint16_t head[DPPAIR_CACHE_HEAD_];
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->positives > rows->n) return DPPAIR_ERR_SIZE;
  status = dppair_zero_(a, rows->positives, b, rows->n - rows->positives);
  if (status == DPPAIR_OK) status = dppair_all_alike_(rows->weight, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_begin_(t, rows, options);
  if (status != DPPAIR_OK) return status;
  if ((!sp && t->np) || (!sn && t->nn)) return DPPAIR_ERR_NULL;
  if (cache) {
    DPPAIR_NAME_clip_head_(head, dppair_clip_bound_(options), rows->n);
    if (!t->clipped) return DPPAIR_ERR_DOMAIN;
    if (count < DPPAIR_NAME_clip_count_(rows->n) || memcmp(head, cache, sizeof head) != 0)
      return DPPAIR_ERR_WORKSPACE;
    t->cache = cache + DPPAIR_CACHE_HEAD_;
    /* there are no norms, so no block may skip its caps */
    for (size_t i = 0; i < t->blocks_p; i++) t->reach_p[i] = HUGE_VAL;
    for (size_t j = 0; j < t->blocks_n; j++) t->reach_n[j] = HUGE_VAL;
  } else
    DPPAIR_NAME_clip_rows_(t, rows);
  status = DPPAIR_NAME_clip_scores_(t->sp, t->blocks_p, sp, t->np);
  return status == DPPAIR_OK ? DPPAIR_NAME_clip_scores_(t->sn, t->blocks_n, sn, t->nn) : status;
}

/* The same for NAME_clip_cache, which writes caps and has no scores. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_open_cache_(DPPAIR_NAME_clip_ *t, uint16_t *cache, size_t count,
                             const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  dppair_status status;
  size_t needed;
  if (!cache || !rows) return DPPAIR_ERR_NULL;
  needed = DPPAIR_NAME_clip_count_(rows->n);
  if (needed == SIZE_MAX) return DPPAIR_ERR_OVERFLOW;
  if (count < needed) return DPPAIR_ERR_WORKSPACE;
  memset(cache, 0, needed * sizeof *cache);
  if (rows->positives > rows->n) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_clip_begin_(t, rows, options);
  if (status == DPPAIR_OK && !t->clipped) status = DPPAIR_ERR_DOMAIN;
  if (status == DPPAIR_OK) DPPAIR_NAME_clip_rows_(t, rows);
  return status;
}

DPPAIR_FP_END_
#endif
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_STATES_
/* ---- src/pairs/slots.h ----------------------------------------------------------------------
 * Slots: what modules add to each instance
 *
 * A module that adds functions to an instance is included before it, and then read again at each
 * stage of it: DPPAIR_STAGE_ says which, DPPAIR_MODULE_NAME_ that this module is asked. Outside of a
 * stage the module is read once, for what no instance enters. An instance without pairs of its own
 * has pairs/loops.h where its module defines DPPAIR_LOOPS_ with the states.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include DPPAIR_CONTRAST_SELF
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include DPPAIR_INFLUENCE_SELF
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include DPPAIR_METRIC_SELF
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include DPPAIR_POINTWISE_SELF
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include DPPAIR_SCALE_SELF
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include DPPAIR_TOP_SELF
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_

/* 7. Per instance and tier: the loops with the loss in them. */

#define DPPAIR_BODY_ DPPAIR_BODY_PAIRS_
/* ---- src/simd/each_tier.h -------------------------------------------------------------------
 * Each tier: the body once for every tier
 *
 * The whole header is included again for each tier of the build, for the vectors and for a type of
 * rows twice: for double, and then for float, whose sums use the vectors of double. A module that
 * has vectors of its own says by DPPAIR_BODY_SELF_ that it is the header. The body sees
 * DPPAIR_TIER_, DPPAIR_TIER_NAME_, DPV_INLINE_ (how the vocabulary is inlined), DPV_UNROLL_ (before
 * short loops over arrays of vectors) and what simd/type.h defines. It opens and closes a region
 * with the instructions of its tier: DPPAIR_REGION_BEGIN_, DPPAIR_REGION_END_.
 * Vectors are in registers only where everything is inlined, so all tiers but the scalar one force
 * it.
 * ---------------------------------------------------------------------------------------------- */

#ifndef DPPAIR_BODY_SELF_
#define DPPAIR_BODY_SELF_ DPPAIR_SELF
#endif

/* Beside AVX2 the scalar loops serve processors of before 2013 alone. */
#define DPPAIR_QUICK_TIER_ DPPAIR_HAVE_AVX2

/* Scalar: vectors are arrays in memory. Forced inlining gains nothing and costs compile time. */
#if DPPAIR_MIN_TIER < 2
#define DPPAIR_TIER_ 0
#define DPPAIR_TIER_NAME_ scalar
#define DPV_INLINE_ static inline DPPAIR_UNUSED_
#define DPV_UNROLL_
#if DPPAIR_QUICK_TIER_
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ (DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_)
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
#undef DPPAIR_QUICK_SMALL_
#define DPPAIR_QUICK_SMALL_ 0
#endif
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#if DPPAIR_QUICK_TIER_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#undef DPV_INLINE_
#undef DPV_UNROLL_
#endif
#undef DPPAIR_QUICK_TIER_

#define DPV_UNROLL_ DPPAIR_UNROLL_

#define DPV_INLINE_ DPPAIR_FORCE_INLINE_

#if DPPAIR_HAVE_SIMD128
#define DPPAIR_TIER_ 1
#define DPPAIR_TIER_NAME_ simd128
#define DPPAIR_REGION_BEGIN_ DPPAIR_FP_BEGIN_
#define DPPAIR_REGION_END_ DPPAIR_FP_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

/* AVX-512 uses some of AVX2's vectors. */
#if DPPAIR_HAVE_AVX2 && (DPPAIR_MIN_TIER < 3 || DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_)
#define DPPAIR_TIER_ 2
#define DPPAIR_TIER_NAME_ avx2
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX2_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#if DPPAIR_HAVE_AVX512
#define DPPAIR_TIER_ 3
#define DPPAIR_TIER_NAME_ avx512
#define DPPAIR_REGION_BEGIN_ DPPAIR_TARGET_BEGIN_(DPPAIR_ISA_AVX512_)
#define DPPAIR_REGION_END_ DPPAIR_TARGET_END_
/* ---- src/simd/each_type.h -------------------------------------------------------------------
 * Each type of rows: the body of one tier for double, then for float
 *
 * With the widest tier the body of the vectors is followed by the functions of a type of rows, whose
 * kernels are all there then: DPPAIR_BLOCKS_NOW_ is that type.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f64
#endif
#include DPPAIR_BODY_SELF_
#undef DPPAIR_BLOCKS_NOW_
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ && DPPAIR_TIER_ == DPPAIR_WIDEST_
#define DPPAIR_BLOCKS_NOW_ f32
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
#define DPPAIR_SECOND_TYPE_
#include DPPAIR_BODY_SELF_
#undef DPPAIR_SECOND_TYPE_
#endif
#undef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_REGION_BEGIN_
#undef DPPAIR_REGION_END_
#undef DPPAIR_TIER_
#undef DPPAIR_TIER_NAME_
#endif

#undef DPV_INLINE_
#undef DPV_UNROLL_
#undef DPPAIR_BODY_SELF_
#undef DPPAIR_BODY_

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
#define DPPAIR_SUFFIX_ f64_one
#define DPV_R double
/* ---- src/pairs/slope_table.h ----------------------------------------------------------------
 * Slopes in double, for the table of the box method
 *
 * By the vocabulary on one double (simd/one.h); template.h calls it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* out[i] = the slope of the loss at u[i], i < n, in double whatever the element type of the
 * instance, and whatever the tier: a table never depends on the machine. */
DPPAIR_FN_ void DPPAIR_NAME_slopes_(double *out, const double *u, size_t n, const double *params) {
  size_t i;
  (void)params;
  for (i = 0; i < n; i++) out[i] = DPPAIR_LOSS_SLOPE(u[i]);
}

DPPAIR_FP_END_
#define DPPAIR_STAGE_ DPPAIR_STAGE_TABLE_
/* ---- src/pairs/slots.h ----------------------------------------------------------------------
 * Slots: what modules add to each instance
 *
 * A module that adds functions to an instance is included before it, and then read again at each
 * stage of it: DPPAIR_STAGE_ says which, DPPAIR_MODULE_NAME_ that this module is asked. Outside of a
 * stage the module is read once, for what no instance enters. An instance without pairs of its own
 * has pairs/loops.h where its module defines DPPAIR_LOOPS_ with the states.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include DPPAIR_CONTRAST_SELF
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include DPPAIR_INFLUENCE_SELF
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include DPPAIR_METRIC_SELF
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include DPPAIR_POINTWISE_SELF
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include DPPAIR_SCALE_SELF
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include DPPAIR_TOP_SELF
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#undef DPPAIR_SUFFIX_
#undef DPV_R
#endif

#endif

/* The bodies of 3 and 7, for one tier and type; of 4 for one type of rows. */

#ifdef DPPAIR_BODY_
#if DPPAIR_BODY_ != DPPAIR_BODY_BLOCKS_
/* ---- src/simd/type.h ------------------------------------------------------------------------
 * The type of a body
 *
 * The vectors and a type of rows are compiled for double and for float, the body of an instance for
 * its own type, and the table of an instance for double. The body sees DPPAIR_F64_,
 * DPPAIR_TYPE_NAME_, DPV_R (the type), DPV_LANES and DPPAIR_SUFFIX_ (of the names in simd/names.h).
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_SECOND_TYPE_
#define DPPAIR_F64_ 0
#elif DPPAIR_BODY_ != DPPAIR_BODY_PAIRS_ || DPPAIR_TEMPLATE_F64_
#define DPPAIR_F64_ 1
#else
#define DPPAIR_F64_ 0
#endif

#if DPPAIR_F64_
#define DPPAIR_TYPE_NAME_ f64
#define DPV_R double
#define DPV_LANES 8
#else
#define DPPAIR_TYPE_NAME_ f32
#define DPV_R float
#define DPV_LANES 16
#endif
#define DPPAIR_SUFFIX_ DPPAIR_CAT(DPPAIR_CAT(DPPAIR_TYPE_NAME_, _), DPPAIR_TIER_NAME_)
DPPAIR_REGION_BEGIN_

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_ || DPPAIR_BODY_ == DPPAIR_BODY_ROWS_

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_
/* ---- src/simd/vectors.h ---------------------------------------------------------------------
 * The vectors of one tier and type: its registers, and the vocabulary on them
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/simd/registers.h -------------------------------------------------------------------
 * Native registers: what a tier brings
 *
 * A virtual vector (simd/vocabulary.h) is a struct of DPN_K native registers. simd/scalar.h,
 * simd128.h, avx2.h and avx512.h are one tier each. For either element type, a tier defines
 *
 *   DPN_T DPN_M                  types of a register and its mask; DPN_T has the operators + - * /
 *   DPN_K DPN_REGISTERS          registers in a virtual vector; registers of the processor
 *   DPN_EACH(s)                  the statement s for k = 0 ... DPN_K - 1, k a constant if possible
 *   DPN_SET LOAD STORE           all lanes x; from and to unaligned memory
 *   DPN_LOADF STOREF             from and to floats in memory (only for double)
 *   DPN_FMA SQRT MAX MIN         MAX and MIN as DPV_MAX and DPV_MIN: the second operand for NaN
 *   DPN_LT LE EQ MAND MOR SEL    comparisons; and, or of masks; choice by a mask
 *   DPN_AND OR XOR SHL SHR       the bits of each number; shifts by a constant
 *   DPN_ADD_BITS                 the bits of doubles, added as integers (only for double)
 *
 * and then writes DPN_VECTORS;. Its file may replace a generic function by a faster one with the
 * same bits; it then defines DPN_OWN_SCALE for dpv_scale (simd/operations.h), DPN_OWN_BITS for
 * vectors of integers (there too), DPN_OWN_ROW_END, _ROWS8 and _SUMS8 for dpv_row_end, dpv_rows8
 * and dpv_sums8 (rows/kernels_f64.h, rows/kernels_f32.h). Every name that a tier defines is
 * undefined in simd/registers_end.h.
 *
 * A new tier NAME changes core/processor.h (number, instructions, choice, name), core/dispatch.h,
 * simd/each_tier.h, dppair.h and, for another processor, simd/intrinsics.h; it adds simd/NAME.h.
 * For noise it changes dppair_noise.h and noise/kernels/each_tier.h, and adds noise/kernels/NAME.h.
 *
 * Limit: the size of a register must be known to the compiler, since a struct holds it. The
 * sizeless vectors of SVE and RVV therefore do not fit. ARM is served by the 128-bit tier.
 * ---------------------------------------------------------------------------------------------- */

/* A name with the suffix of the element type: DPN_PD pd or ps, DPN_EPI epi64 or epi32, DPN_BI f64_
 * or f32_, DPN_F nothing or f. */
#if DPPAIR_F64_
#define DPN_PD(name) DPPAIR_CAT(name, pd)
#define DPN_EPI(name) DPPAIR_CAT(name, epi64)
#define DPN_BI(name) DPPAIR_CAT(name, f64_)
#define DPN_F(name) name
#else
#define DPN_PD(name) DPPAIR_CAT(name, ps)
#define DPN_EPI(name) DPPAIR_CAT(name, epi32)
#define DPN_BI(name) DPPAIR_CAT(name, f32_)
#define DPN_F(name) DPPAIR_CAT(name, f)
#endif

/* Operators obey the floating-point region around them. Intrinsics might not: the program may have
 * included them before, under -ffast-math. */
#define DPN_ADD(a, b) ((a) + (b))
#define DPN_SUB(a, b) ((a) - (b))
#define DPN_MUL(a, b) ((a) * (b))
#define DPN_DIV(a, b) ((a) / (b))

/* The types of the virtual vector and its mask. */
#define DPN_VECTORS                                                                                \
  typedef struct DPV_T {                                                                           \
    DPN_T r[DPN_K];                                                                                \
  } DPV_T;                                                                                         \
  typedef struct DPV_M {                                                                           \
    DPN_M r[DPN_K];                                                                                \
  } DPV_M
#define DPN_PER (DPV_LANES / DPN_K) /* lanes of one native register */

/* The body of a function that returns v with v.r[k] = e for every register. */
#define DPN_EVERY(type, e)                                                                         \
  type v;                                                                                          \
  DPN_EACH(v.r[k] = e)                                                                             \
  return v

/* ---- src/simd/constants.h -------------------------------------------------------------------
 * Constants of the element type
 *
 * DPN_BITS(u) is a vector of the bits u, DPN_C(x) of the constant x; digits of the mantissa, bias of
 * the exponent, and others.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f64_(UINT64_C(u)))
#define DPN_MANTISSA 52
#define DPN_BIAS 1023.0
#define DPN_MAGIC DPPAIR_MAGIC_F64_
#define DPN_TWO_P 4503599627370496.0 /* 2^52 */
#define DPN_SIGN 0x8000000000000000
#define DPN_NORM 0x3fe6a09e667f3bcd /* sqrt(1/2) */
#define DPN_C(x) DPV_SET(x)
#else
#define DPN_BITS(u) DPV_SET(dppair_from_bits_f32_(UINT32_C(u)))
#define DPN_MANTISSA 23
#define DPN_BIAS 127.0f
#define DPN_MAGIC DPPAIR_MAGIC_F32_
#define DPN_TWO_P 8388608.0f
#define DPN_SIGN 0x80000000
#define DPN_NORM 0x3f3504f3
#define DPN_C(x) DPV_SET((float)(x))
#endif

#if DPPAIR_TIER_ == 0
/* ---- src/simd/scalar.h ----------------------------------------------------------------------
 * Tier 0: plain C, arrays of DPV_LANES numbers
 * ---------------------------------------------------------------------------------------------- */

#define DPN_T DPV_R
#define DPN_M int
#define DPN_K DPV_LANES
#define DPN_SET(x) (x)
#define DPN_LOAD(p) (*(p))
#define DPN_STORE(p, a) (*(p) = (a))
#define DPN_LOADF(p) ((double)*(p))
#define DPN_STOREF(p, a) (*(p) = (float)(a))
#define DPN_FMA(a, b, c) DPPAIR_CAT(dppair_fma_, DPPAIR_CAT(DPPAIR_TYPE_NAME_, _))(a, b, c)
#define DPN_SQRT(a) ((DPV_R)dppair_sqrt_((double)(a))) /* of a float: 53 digits suffice for 24 */
#define DPN_MAX(a, b) ((a) > (b) ? (a) : (b))
#define DPN_MIN(a, b) ((a) < (b) ? (a) : (b))
#define DPN_LT(a, b) ((a) < (b))
#define DPN_LE(a, b) ((a) <= (b))
#define DPN_EQ(a, b) ((a) == (b))
#define DPN_SEL(m, a, b) ((m) ? (a) : (b))
#define DPN_MAND(a, b) ((a) & (b))
#define DPN_MOR(a, b) ((a) | (b))
#define DPN_INT(a) DPN_BI(dppair_bits_)(a)
#define DPN_FLOAT(u) DPN_BI(dppair_from_bits_)(u)
#define DPN_AND(a, b) DPN_FLOAT(DPN_INT(a) & DPN_INT(b))
#define DPN_OR(a, b) DPN_FLOAT(DPN_INT(a) | DPN_INT(b))
#define DPN_XOR(a, b) DPN_FLOAT(DPN_INT(a) ^ DPN_INT(b))
#define DPN_SHL(a, n) DPN_FLOAT(DPN_INT(a) << (n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_INT(a) >> (n))
#define DPN_EACH(s)                                                                                \
  for (int k = 0; k < DPN_K; k++) {                                                                \
    s;                                                                                             \
  }
#define DPN_REGISTERS 16
DPN_VECTORS;

/* Integers in the lanes of an array. They are moved as bytes: a function that returns a double can
 * change the bits of a NaN on the way (x87). */
#define DPN_OWN_BITS
#if DPPAIR_F64_
DPV_INLINE_ DPV_T dpv_load_bits(const uint64_t *p) {
  DPV_T v;
  memcpy(&v, p, sizeof v);
  return v;
}
DPV_INLINE_ void dpv_store_bits(uint64_t *p, DPV_T v) { memcpy(p, &v, sizeof v); }
DPV_INLINE_ DPV_T dpv_add_bits(DPV_T a, DPV_T b) {
  uint64_t x[DPV_LANES], y[DPV_LANES];
  dpv_store_bits(x, a);
  dpv_store_bits(y, b);
  for (int i = 0; i < DPV_LANES; i++) x[i] += y[i];
  return dpv_load_bits(x);
}
#endif
#elif DPPAIR_TIER_ == 1
/* ---- src/simd/simd128.h ---------------------------------------------------------------------
 * Tier 1: 128 bits through SIMDe (SSE2, NEON, VSX)
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
DPV_INLINE_ simde__m128d dppair_loadf_simd128_(const float *p) {
  return simde_mm_set_pd((double)p[1], (double)p[0]);
}
DPV_INLINE_ void dppair_storef_simd128_(float *p, simde__m128d a) {
  double t[2];
  simde_mm_storeu_pd(t, a);
  p[0] = (float)t[0];
  p[1] = (float)t[1];
}
#endif
#if DPPAIR_F64_
#define DPN_T simde__m128d
#else
#define DPN_T simde__m128
#endif
#define DPN_M DPN_T
#define DPN_K 4
#define DPN_SET(x) DPN_PD(simde_mm_set1_)(x)
#define DPN_LOAD(p) DPN_PD(simde_mm_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(simde_mm_storeu_)(p, a)
#define DPN_LOADF(p) dppair_loadf_simd128_(p)
#define DPN_STOREF(p, a) dppair_storef_simd128_(p, a)
/* Two roundings either way; SIMDe takes numbers one by one, in vectors at -O2 at best. */
#if defined(__SSE2__) && !defined(__FMA__) && !defined(__FMA4__)
#define DPN_FMA(a, b, c) DPN_ADD(DPN_MUL(a, b), c)
#else
#define DPN_FMA(a, b, c) DPN_PD(simde_mm_fmadd_)(a, b, c)
#endif
#define DPN_SQRT(a) DPN_PD(simde_mm_sqrt_)(a)
#define DPN_MAX(a, b) DPN_SEL(DPN_LT(b, a), a, b) /* simde_mm_max differs on NaN and -0 */
#define DPN_MIN(a, b) DPN_SEL(DPN_LT(a, b), a, b)
#define DPN_LT(a, b) DPN_PD(simde_mm_cmplt_)(a, b)
#define DPN_LE(a, b) DPN_PD(simde_mm_cmple_)(a, b)
#define DPN_EQ(a, b) DPN_PD(simde_mm_cmpeq_)(a, b)
#define DPN_SEL(m, a, b) DPN_OR(DPN_AND(m, a), DPN_PD(simde_mm_andnot_)(m, b))
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(simde_mm_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(simde_mm_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(simde_mm_xor_)(a, b)
#if DPPAIR_F64_
#define DPN_INT(a) simde_mm_castpd_si128(a)
#else
#define DPN_INT(a) simde_mm_castps_si128(a)
#endif
#define DPN_FLOAT(u) DPN_PD(simde_mm_castsi128_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(simde_mm_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(simde_mm_srli_)(DPN_INT(a), n))
#define DPN_ADD_BITS(a, b) DPN_FLOAT(simde_mm_add_epi64(DPN_INT(a), DPN_INT(b)))
#define DPN_IT(i, s)                                                                               \
  {                                                                                                \
    enum { k = i };                                                                                \
    s;                                                                                             \
  }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s) DPN_IT(2, s) DPN_IT(3, s)
#define DPN_REGISTERS 16
DPN_VECTORS;
#elif DPPAIR_TIER_ == 2
/* ---- src/simd/avx2.h ------------------------------------------------------------------------
 * Tier 2: AVX2 with FMA
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_T __m256d
#define DPN_INT(a) _mm256_castpd_si256(a)
#else
#define DPN_T __m256
#define DPN_INT(a) _mm256_castps_si256(a)
#endif
#define DPN_M DPN_T
#define DPN_K 2
#define DPN_SET(x) DPN_PD(_mm256_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm256_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm256_storeu_)(p, a)
#define DPN_LOADF(p) _mm256_cvtps_pd(_mm_loadu_ps(p))
#define DPN_STOREF(p, a) _mm_storeu_ps(p, _mm256_cvtpd_ps(a))
#define DPN_FMA(a, b, c) DPN_PD(_mm256_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm256_sqrt_)(a)
#define DPN_MAX(a, b) DPN_PD(_mm256_max_)(a, b)
#define DPN_MIN(a, b) DPN_PD(_mm256_min_)(a, b)
#define DPN_LT(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_PD(_mm256_cmp_)(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm256_blendv_)(b, a, m)
#define DPN_MAND(a, b) DPN_AND(a, b)
#define DPN_MOR(a, b) DPN_OR(a, b)
#define DPN_AND(a, b) DPN_PD(_mm256_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm256_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm256_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm256_castsi256_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm256_slli_)(DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm256_srli_)(DPN_INT(a), n))
#define DPN_ADD_BITS(a, b) DPN_FLOAT(_mm256_add_epi64(DPN_INT(a), DPN_INT(b)))
#define DPN_IT(i, s)                                                                               \
  {                                                                                                \
    enum { k = i };                                                                                \
    s;                                                                                             \
  }
#define DPN_EACH(s) DPN_IT(0, s) DPN_IT(1, s)
#define DPN_REGISTERS 16
DPN_VECTORS;

/* Faster forms of functions in rows/kernels_f64.h and rows/kernels_f32.h, with the same bits. */
#define DPN_OWN_SUMS8
#if DPPAIR_F64_
#define DPN_OWN_ROWS8
DPV_INLINE_ void dpv_rows8(DPV_T *c, const double *base, const size_t *at) {
  DPV_UNROLL_
  for (int l = 0; l < 8; l += 4) {
    DPV_UNROLL_
    for (int m = 0; m < 8; m += 4) {
      const __m256d r0 = _mm256_loadu_pd(base + at[l] + m);
      const __m256d r1 = _mm256_loadu_pd(base + at[l + 1] + m);
      const __m256d r2 = _mm256_loadu_pd(base + at[l + 2] + m);
      const __m256d r3 = _mm256_loadu_pd(base + at[l + 3] + m);
      const __m256d u0 = _mm256_unpacklo_pd(r0, r1), u1 = _mm256_unpackhi_pd(r0, r1);
      const __m256d u2 = _mm256_unpacklo_pd(r2, r3), u3 = _mm256_unpackhi_pd(r2, r3);
      c[m].r[l / 4] = _mm256_permute2f128_pd(u0, u2, 0x20);
      c[m + 1].r[l / 4] = _mm256_permute2f128_pd(u1, u3, 0x20);
      c[m + 2].r[l / 4] = _mm256_permute2f128_pd(u0, u2, 0x31);
      c[m + 3].r[l / 4] = _mm256_permute2f128_pd(u1, u3, 0x31);
    }
  }
}

DPV_INLINE_ DPV_T dpv_sums8(const double *part) {
  DPV_T v;
  DPV_UNROLL_
  for (int l = 0; l < 2; l++) {
    const double *p = part + 32 * l;
    const __m256d h0 = _mm256_loadu_pd(p) + _mm256_loadu_pd(p + 4);
    const __m256d h1 = _mm256_loadu_pd(p + 8) + _mm256_loadu_pd(p + 12);
    const __m256d h2 = _mm256_loadu_pd(p + 16) + _mm256_loadu_pd(p + 20);
    const __m256d h3 = _mm256_loadu_pd(p + 24) + _mm256_loadu_pd(p + 28);
    const __m256d e0 = _mm256_permute2f128_pd(h0, h2, 0x20) + _mm256_permute2f128_pd(h0, h2, 0x31);
    const __m256d e1 = _mm256_permute2f128_pd(h1, h3, 0x20) + _mm256_permute2f128_pd(h1, h3, 0x31);
    v.r[l] = _mm256_unpacklo_pd(e0, e1) + _mm256_unpackhi_pd(e0, e1);
  }
  return v;
}
#else
DPV_INLINE_ void dpv_sums8(float *s, const float *part) {
  __m256 h[4], e, o;
  DPV_UNROLL_
  for (int l = 0; l < 4; l++) {
    const float *p = part + 16 * l, *q = part + 16 * l + 64;
    const __m256 x = _mm256_loadu_ps(p) + _mm256_loadu_ps(p + 8);
    const __m256 y = _mm256_loadu_ps(q) + _mm256_loadu_ps(q + 8);
    h[l] = _mm256_permute2f128_ps(x, y, 0x20) + _mm256_permute2f128_ps(x, y, 0x31);
  }
  e = _mm256_shuffle_ps(h[0], h[1], 0x44) + _mm256_shuffle_ps(h[0], h[1], 0xee);
  o = _mm256_shuffle_ps(h[2], h[3], 0x44) + _mm256_shuffle_ps(h[2], h[3], 0xee);
  _mm256_storeu_ps(s, _mm256_shuffle_ps(e, o, 0x88) + _mm256_shuffle_ps(e, o, 0xdd));
}
#endif
#elif DPPAIR_TIER_ == 3
/* ---- src/simd/avx512.h ----------------------------------------------------------------------
 * Tier 3: AVX-512 F, DQ, BW, VL
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPN_T __m512d
#define DPN_M __mmask8
#define DPN_ALL 0xff
#define DPN_INT(a) _mm512_castpd_si512(a)
#else
#define DPN_T __m512
#define DPN_M __mmask16
#define DPN_ALL 0xffff
#define DPN_INT(a) _mm512_castps_si512(a)
#endif
/* The maskz forms with all lanes on do what the plain ones do. gcc 12 warns of an uninitialised
 * operand in the plain ones. */
#define DPN_K 1
#define DPN_SET(x) DPN_PD(_mm512_set1_)(x)
#define DPN_LOAD(p) DPN_PD(_mm512_loadu_)(p)
#define DPN_STORE(p, a) DPN_PD(_mm512_storeu_)(p, a)
#define DPN_LOADF(p) _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(p))
#define DPN_STOREF(p, a) _mm256_storeu_ps(p, _mm512_maskz_cvtpd_ps(0xff, a))
#define DPN_FMA(a, b, c) DPN_PD(_mm512_fmadd_)(a, b, c)
#define DPN_SQRT(a) DPN_PD(_mm512_maskz_sqrt_)(DPN_ALL, a)
#define DPN_MAX(a, b) DPN_PD(_mm512_maskz_max_)(DPN_ALL, a, b)
#define DPN_MIN(a, b) DPN_PD(_mm512_maskz_min_)(DPN_ALL, a, b)
#define DPN_CMP(a, b, how) DPPAIR_CAT(DPN_PD(_mm512_cmp_), _mask)(a, b, how)
#define DPN_LT(a, b) DPN_CMP(a, b, _CMP_LT_OQ)
#define DPN_LE(a, b) DPN_CMP(a, b, _CMP_LE_OQ)
#define DPN_EQ(a, b) DPN_CMP(a, b, _CMP_EQ_OQ)
#define DPN_SEL(m, a, b) DPN_PD(_mm512_mask_blend_)(m, b, a)
#define DPN_MAND(a, b) ((DPN_M)((a) & (b)))
#define DPN_MOR(a, b) ((DPN_M)((a) | (b)))
#define DPN_AND(a, b) DPN_PD(_mm512_and_)(a, b)
#define DPN_OR(a, b) DPN_PD(_mm512_or_)(a, b)
#define DPN_XOR(a, b) DPN_PD(_mm512_xor_)(a, b)
#define DPN_FLOAT(u) DPN_PD(_mm512_castsi512_)(u)
#define DPN_SHL(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_slli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_SHR(a, n) DPN_FLOAT(DPN_EPI(_mm512_maskz_srli_)(DPN_ALL, DPN_INT(a), n))
#define DPN_ADD_BITS(a, b) DPN_FLOAT(_mm512_add_epi64(DPN_INT(a), DPN_INT(b)))
#define DPN_EACH(s)                                                                                \
  {                                                                                                \
    enum { k = 0 };                                                                                \
    s;                                                                                             \
  }
#define DPN_REGISTERS 32
DPN_VECTORS;

/* p 2^n in one instruction; the generic form is in simd/operations.h. */
#define DPN_OWN_SCALE
DPV_INLINE_ DPV_T dpv_scale(DPV_T p, DPV_T n) {
  DPN_EVERY(DPV_T, DPN_PD(_mm512_maskz_scalef_)(DPN_ALL, p.r[k], n.r[k]));
}

/* Faster forms of functions in rows/kernels_f64.h and rows/kernels_f32.h, with the same bits. */
#define DPN_OWN_ROW_END
#define DPN_OWN_SUMS8
#if DPPAIR_F64_
DPV_INLINE_ DPV_T dpv_row_end(const void *x, size_t at, size_t n, int is_f32) {
  const __mmask8 m = (__mmask8)((1u << n) - 1u);
  DPV_T v;
  v.r[0] = is_f32 ? _mm512_maskz_cvtps_pd(0xff, _mm256_maskz_loadu_ps(m, (const float *)x + at))
                  : _mm512_maskz_loadu_pd(m, (const double *)x + at);
  return v;
}

#define DPN_OWN_ROWS8
DPV_INLINE_ void dpv_rows8(DPV_T *c, const double *base, const size_t *at) {
  __m512d r[8], u[8], v[8];
  DPV_UNROLL_
  for (int l = 0; l < 8; l++) r[l] = _mm512_loadu_pd(base + at[l]);
  DPV_UNROLL_
  for (int l = 0; l < 8; l += 2) {
    u[l] = _mm512_maskz_unpacklo_pd(0xff, r[l], r[l + 1]);
    u[l + 1] = _mm512_maskz_unpackhi_pd(0xff, r[l], r[l + 1]);
  }
  DPV_UNROLL_
  for (int l = 0; l < 2; l++) {
    DPV_UNROLL_
    for (int m = 0; m < 8; m += 4) {
      v[m + l] = _mm512_maskz_shuffle_f64x2(0xff, u[m + l], u[m + l + 2], 0x88);
      v[m + l + 2] = _mm512_maskz_shuffle_f64x2(0xff, u[m + l], u[m + l + 2], 0xdd);
    }
  }
  DPV_UNROLL_
  for (int l = 0; l < 2; l++) {
    c[l].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l], v[l + 4], 0x88);
    c[l + 4].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l], v[l + 4], 0xdd);
    c[l + 2].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l + 2], v[l + 6], 0x88);
    c[l + 6].r[0] = _mm512_maskz_shuffle_f64x2(0xff, v[l + 2], v[l + 6], 0xdd);
  }
}

DPV_INLINE_ DPV_T dpv_sums8(const double *part) {
  DPV_T v;
  __m512d h[4], e[2], x, y;
  DPV_UNROLL_
  for (int l = 0; l < 4; l++) {
    x = _mm512_loadu_pd(part + 8 * l);
    y = _mm512_loadu_pd(part + 8 * l + 32);
    h[l] =
        _mm512_maskz_shuffle_f64x2(0xff, x, y, 0x44) + _mm512_maskz_shuffle_f64x2(0xff, x, y, 0xee);
  }
  DPV_UNROLL_
  for (int l = 0; l < 2; l++)
    e[l] = _mm512_maskz_shuffle_f64x2(0xff, h[l], h[l + 2], 0x88) +
           _mm512_maskz_shuffle_f64x2(0xff, h[l], h[l + 2], 0xdd);
  x = _mm512_maskz_unpacklo_pd(0xff, e[0], e[1]) + _mm512_maskz_unpackhi_pd(0xff, e[0], e[1]);
  v.r[0] = _mm512_maskz_shuffle_f64x2(0xff, x, x, 0xd8);
  return v;
}
#else
DPV_INLINE_ DPV_T dpv_row_end(const float *x, size_t n) {
  DPV_T v;
  v.r[0] = _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1u), x);
  return v;
}
/* The same additions as on AVX2: after the first one, 8 lanes are left. */
DPV_INLINE_ void dpv_sums8(float *s, const float *part) { dpv_sums8_f32_avx2(s, part); }
#endif
#endif

/* ---- src/simd/operations.h ------------------------------------------------------------------
 * The vocabulary on virtual vectors, for one tier and one type
 *
 * Operations act on each native register alone, by DPN_EVERY (simd/registers.h). Loads and stores
 * of a few lanes, sums and calls go through an array.
 * ---------------------------------------------------------------------------------------------- */

DPV_INLINE_ DPV_T dpv_set(DPV_R x) { DPN_EVERY(DPV_T, DPN_SET(x)); }
DPV_INLINE_ DPV_T dpv_load(const DPV_R *p) { DPN_EVERY(DPV_T, DPN_LOAD(p + k * DPN_PER)); }
DPV_INLINE_ void dpv_store(DPV_R *p, DPV_T v) { DPN_EACH(DPN_STORE(p + k * DPN_PER, v.r[k])); }
DPV_INLINE_ DPV_T dpv_loadn(const DPV_R *p, size_t n, DPV_R fill) {
  DPV_R t[DPV_LANES];
  for (int i = 0; i < DPV_LANES; i++) t[i] = fill;
  for (size_t i = 0; i < n; i++) t[i] = p[i];
  return DPV_LOAD(t);
}
DPV_INLINE_ void dpv_storen(DPV_R *p, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t i = 0; i < n; i++) p[i] = t[i];
}
#if DPPAIR_F64_
/* Eight floats to double, and back, rounded once. */
DPV_INLINE_ DPV_T dpv_load_f32(const float *p) { DPN_EVERY(DPV_T, DPN_LOADF(p + k * DPN_PER)); }
DPV_INLINE_ void dpv_store_f32(float *p, DPV_T v) { DPN_EACH(DPN_STOREF(p + k * DPN_PER, v.r[k])); }
#ifndef DPN_OWN_BITS
DPV_INLINE_ DPV_T dpv_load_bits(const uint64_t *p) {
  return DPV_LOAD((const double *)(const void *)p);
}
DPV_INLINE_ void dpv_store_bits(uint64_t *p, DPV_T v) { DPV_STORE((double *)(void *)p, v); }
DPV_INLINE_ DPV_T dpv_add_bits(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_ADD_BITS(a.r[k], b.r[k])); }
#endif
#endif
DPV_INLINE_ DPV_T dpv_add(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_ADD(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_sub(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_SUB(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_mul(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MUL(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_div(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_DIV(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_max(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MAX(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_min(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_MIN(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_sqrt(DPV_T a) { DPN_EVERY(DPV_T, DPN_SQRT(a.r[k])); }
DPV_INLINE_ DPV_T dpv_fma(DPV_T a, DPV_T b, DPV_T c) {
  DPN_EVERY(DPV_T, DPN_FMA(a.r[k], b.r[k], c.r[k]));
}
DPV_INLINE_ DPV_M dpv_lt(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_LT(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_le(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_LE(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_eq(DPV_T a, DPV_T b) { DPN_EVERY(DPV_M, DPN_EQ(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_both(DPV_M a, DPV_M b) { DPN_EVERY(DPV_M, DPN_MAND(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_M dpv_either(DPV_M a, DPV_M b) { DPN_EVERY(DPV_M, DPN_MOR(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_sel(DPV_M m, DPV_T a, DPV_T b) {
  DPN_EVERY(DPV_T, DPN_SEL(m.r[k], a.r[k], b.r[k]));
}

/* Operations on the bits of each number: for signs, exponents and mantissas. */
DPV_INLINE_ DPV_T dpv_bit_and(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_AND(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_bit_or(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_OR(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_bit_xor(DPV_T a, DPV_T b) { DPN_EVERY(DPV_T, DPN_XOR(a.r[k], b.r[k])); }
DPV_INLINE_ DPV_T dpv_shl_mantissa(DPV_T a) { DPN_EVERY(DPV_T, DPN_SHL(a.r[k], DPN_MANTISSA)); }
DPV_INLINE_ DPV_T dpv_shr_mantissa(DPV_T a) { DPN_EVERY(DPV_T, DPN_SHR(a.r[k], DPN_MANTISSA)); }

DPV_INLINE_ DPV_T dpv_neg(DPV_T a) { return dpv_bit_xor(a, DPN_BITS(DPN_SIGN)); }
DPV_INLINE_ DPV_T dpv_abs(DPV_T a) { return dpv_bit_xor(a, dpv_bit_and(a, DPN_BITS(DPN_SIGN))); }

/* To the nearest integer, ties to even: adding and subtracting 2^52 (float: 2^23) drops all digits
 * behind the point. Larger numbers are integers already. The sign is kept, for -0. */
DPV_INLINE_ DPV_T dpv_round(DPV_T a) {
  DPV_T big = DPV_SET(DPN_TWO_P), sign = dpv_bit_and(a, DPN_BITS(DPN_SIGN));
  DPV_T t = DPV_ABS(a), r = DPV_SUB(DPV_ADD(t, big), big);
  return DPV_SEL(DPV_LT(t, big), dpv_bit_or(r, sign), a);
}

/* The sum of the lanes: the upper half is added to the lower half until one lane is left. This tree
 * is the same on all tiers. */
DPV_INLINE_ DPV_R dpv_sum(DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int w = DPV_LANES / 2; w > 0; w /= 2)
    for (int i = 0; i < w; i++) t[i] += t[i + w];
  return t[0];
}

DPV_INLINE_ DPV_T dpv_call(DPV_R (*f)(DPV_R), DPV_T a) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, a);
  for (int i = 0; i < DPV_LANES; i++) t[i] = f(t[i]);
  return DPV_LOAD(t);
}

/* 2^n, for an integer n for which 2^n is a normal number: n + bias is moved into the exponent. */
DPV_INLINE_ DPV_T dpv_pow2(DPV_T n) {
  return dpv_shl_mantissa(DPV_ADD(n, DPN_C(DPN_MAGIC + DPN_BIAS)));
}

/* p 2^n, rounded once, for 1/2 <= p <= 2 and every integer n that occurs in dpv_exp. It multiplies
 * by two powers, about 2^(n/2) each, since 2^n itself may not be a normal number. Results underflow
 * gradually and overflow to infinity. */
#ifndef DPN_OWN_SCALE
DPV_INLINE_ DPV_T dpv_scale(DPV_T p, DPV_T n) {
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  const DPV_T half = DPV_SUB(DPV_FMA(n, DPN_C(0.5), magic), magic);
  return DPV_MUL(DPV_MUL(p, dpv_pow2(half)), dpv_pow2(DPV_SUB(n, half)));
}
#endif
/* ---- src/simd/elementary.h ------------------------------------------------------------------
 * Exponential, logarithm and functions made of them
 *
 * Error bounds are listed in simd/vocabulary.h. DPN_* are constants of the element type.
 * ---------------------------------------------------------------------------------------------- */

/* e^x = 2^n e^r with |r| <= ln(2)/2. e^r is a polynomial 1 + r + r^2 q(r), of relative error 4e-9
 * in float (minimax) and 4e-18 in double (Taylor). ln 2 is split into two numbers; n times the
 * first is exact. NaN gives NaN. dpv_exp_below needs x <= 710 (float: 89); dpv_exp ensures it. */
DPV_INLINE_ DPV_T dpv_exp_below(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T low = DPV_SET(-746.0);
  const DPV_T minus_hi = DPV_SET(-0.6931471803691238);
  const DPV_T minus_lo = DPV_SET(-1.9082149292705877e-10);
#else
  const DPV_T low = DPV_SET(-104.0f);
  const DPV_T minus_hi = DPV_SET(-0.693359375f), minus_lo = DPV_SET(0.00021219444f);
#endif
  const DPV_T magic = DPV_SET(DPN_MAGIC);
  DPV_T n, r, p;
  x = DPV_MAX(low, x);
  n = DPV_SUB(DPV_FMA(x, DPN_C(1.4426950408889634), magic), magic);
  r = DPV_FMA(n, minus_lo, DPV_FMA(n, minus_hi, x));
#if DPPAIR_F64_
  p = DPV_SET(1.0 / 6227020800.0);
  p = DPV_FMA(p, r, DPV_SET(1.0 / 479001600.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 39916800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 3628800.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 362880.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 40320.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 5040.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 720.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 120.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 24.0));
  p = DPV_FMA(p, r, DPV_SET(1.0 / 6.0));
#else
  p = DPV_SET(0.0013863781f);
  p = DPV_FMA(p, r, DPV_SET(0.0083674826f));
  p = DPV_FMA(p, r, DPV_SET(0.0416672379f));
  p = DPV_FMA(p, r, DPV_SET(0.1666653454f));
#endif
  p = DPV_FMA(p, r, DPN_C(0.5));
  p = DPV_ADD(DPV_FMA(DPV_MUL(r, r), p, r), DPN_C(1.0));
  return dpv_scale(p, n);
}
DPV_INLINE_ DPV_T dpv_exp(DPV_T x) {
  return dpv_exp_below(DPV_MIN(DPN_C(DPPAIR_F64_ ? 710.0 : 89.0), x));
}

/* ln x = e ln 2 + ln m with m in [sqrt(1/2), sqrt 2). ln m = 2 atanh((m-1)/(m+1)) is computed as
 * g - g^2/2 + s (g^2/2 + R) with g = m - 1, s = g/(2+g) and R a polynomial in s^2. Numbers below
 * the normal ones are scaled first. 0 gives -infinity, a negative number NaN. */
DPV_INLINE_ DPV_T dpv_log(DPV_T x) {
#if DPPAIR_F64_
  const DPV_T smallest = DPV_SET(DBL_MIN), up = DPV_SET(18014398509481984.0), shift = DPV_SET(54.0);
  const DPV_T hi = DPV_SET(0.6931471803691238), lo = DPV_SET(1.9082149292705877e-10);
  const DPV_T infinity = DPN_BITS(0x7ff0000000000000), nan = DPN_BITS(0x7ff8000000000000);
#else
  const DPV_T smallest = DPV_SET(FLT_MIN), up = DPV_SET(33554432.0f), shift = DPV_SET(25.0f);
  const DPV_T hi = DPV_SET(0.69313812f), lo = DPV_SET(9.0580014e-06f);
  const DPV_T infinity = DPN_BITS(0x7f800000), nan = DPN_BITS(0x7fc00000);
#endif
  const DPV_T zero = DPN_C(0.0), one = DPN_C(1.0), two_p = DPV_SET(DPN_TWO_P);
  const DPV_M tiny = DPV_LT(x, smallest);
  DPV_T m = DPV_SEL(tiny, DPV_MUL(x, up), x), e, g, s, z, h, p;
  DPV_M below;
  e = DPV_SUB(dpv_bit_or(dpv_shr_mantissa(m), two_p), two_p);
  e = DPV_SUB(e, DPN_C(DPN_BIAS - 1));
  e = DPV_SUB(e, DPV_SEL(tiny, shift, zero));
  /* m into [1/2, 1), then into [sqrt(1/2), sqrt 2) */
#if DPPAIR_F64_
  m = dpv_bit_and(m, DPN_BITS(0x000fffffffffffff));
  m = dpv_bit_or(m, DPN_BITS(0x3fe0000000000000));
#else
  m = dpv_bit_or(dpv_bit_and(m, DPN_BITS(0x007fffff)), DPN_BITS(0x3f000000));
#endif
  below = DPV_LT(m, DPN_BITS(DPN_NORM));
  m = DPV_SEL(below, DPV_ADD(m, m), m);
  e = DPV_SEL(below, DPV_SUB(e, one), e);
  g = DPV_SUB(m, one);
  s = DPV_DIV(g, DPV_ADD(g, DPN_C(2.0)));
  z = DPV_MUL(s, s);
#if DPPAIR_F64_
  p = DPV_SET(2.0 / 21.0);
  p = DPV_FMA(p, z, DPV_SET(2.0 / 19.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 17.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 15.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 13.0));
  p = DPV_FMA(p, z, DPV_SET(2.0 / 11.0));
#else
  p = DPN_C(2.0 / 11.0);
#endif
  p = DPV_FMA(p, z, DPN_C(2.0 / 9.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 7.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 5.0));
  p = DPV_FMA(p, z, DPN_C(2.0 / 3.0));
  p = DPV_MUL(p, z);
  h = DPV_MUL(DPV_MUL(DPN_C(0.5), g), g);
  p = DPV_FMA(s, DPV_ADD(h, p), DPV_MUL(e, lo));
  p = DPV_FMA(e, hi, DPV_SUB(g, DPV_SUB(h, p)));
  p = DPV_SEL(DPV_EQ(x, infinity), infinity, p);
  p = DPV_SEL(DPV_EQ(x, zero), DPV_NEG(infinity), p);
  return DPV_SEL(DPV_LE(zero, x), p, nan);
}

/* ln(1+x) for x >= 0: the logarithm of u = 1 + x rounded, plus (1 + x - u)/u for the rounding. */
DPV_INLINE_ DPV_T dpv_log1p(DPV_T x) {
  const DPV_T u = DPV_ADD(x, DPN_C(1.0));
  return DPV_ADD(DPV_LOG(u), DPV_DIV(DPV_SUB(x, DPV_SUB(u, DPN_C(1.0))), u));
}

/* 1/(1+e^-u) and ln(1+e^u), both by e^-|u|, which cannot overflow. */
DPV_INLINE_ DPV_T dpv_sigmoid(DPV_T u) {
  const DPV_T one = DPN_C(1.0), e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_DIV(DPV_SEL(DPV_LT(u, DPN_C(0.0)), e, one), DPV_ADD(one, e));
}
DPV_INLINE_ DPV_T dpv_softplus(DPV_T u) {
  const DPV_T e = dpv_exp_below(dpv_bit_or(u, DPN_BITS(DPN_SIGN)));
  return DPV_ADD(DPV_MAX(u, DPN_C(0.0)), DPV_LOG1P(e));
}
#endif

/* ---- src/rows/of_types.h --------------------------------------------------------------------
 * Rows times a vector, for one tier and type: the chapters
 *
 * Numbers of rows of double, of float, or of the type that DPPAIR_ROW names, and the kernels that
 * all types share: scores in float, sums in double.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
/* ---- src/rows/narrow_loads.h ----------------------------------------------------------------
 * Rows of 16 and 8 bits: numbers into vectors, for one type, tier and element type
 *
 * Every conversion is exact, so tiers agree. The scalar and the 128-bit tier convert through an
 * array, which compilers turn into vectors where they can. AVX-512 F has an instruction for f16;
 * what AVX2 and FMA say of a processor does not include one, so there it is dppair_number_f16_ in
 * vectors. The maskz forms are those of simd/avx512.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_TIER_ == 2

#if DPPAIR_F64_
/* Four numbers from p on as doubles, and eight as floats. */
#if DPPAIR_ROW_KIND_ == 4
DPV_INLINE_ __m256d dpv_wide4(const int16_t *p) {
  return _mm256_cvtepi32_pd(_mm_cvtepi16_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#elif DPPAIR_ROW_KIND_ == 5
DPV_INLINE_ __m256d dpv_wide4(const int8_t *p) {
  int32_t four;
  memcpy(&four, p, sizeof four);
  return _mm256_cvtepi32_pd(_mm_cvtepi8_epi32(_mm_cvtsi32_si128(four)));
}
#endif
#else
#if DPPAIR_ROW_KIND_ == 4
DPV_INLINE_ __m256 dpv_wide8(const int16_t *p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
}
#elif DPPAIR_ROW_KIND_ == 5
DPV_INLINE_ __m256 dpv_wide8(const int8_t *p) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)p)));
}
#endif
#endif
#if DPPAIR_ROW_KIND_ == 2
DPV_INLINE_ __m256 dpv_wide8(const uint16_t *p) {
  return _mm256_castsi256_ps(_mm256_slli_epi32(
      _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)), 16));
}
#elif DPPAIR_ROW_KIND_ == 3
DPV_INLINE_ __m256 dpv_wide8(const uint16_t *p) {
  const __m256i v = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p));
  const __m256i size = _mm256_slli_epi32(_mm256_and_si256(v, _mm256_set1_epi32(0x7fff)), 13);
  const __m256i sign = _mm256_slli_epi32(_mm256_srli_epi32(v, 15), 31);
  const __m256i move = _mm256_set1_epi32(0x38000000), one = _mm256_set1_epi32(0x38800000);
  const __m256 tiny = _mm256_castsi256_ps(_mm256_add_epi32(size, one)) - _mm256_castsi256_ps(one);
  const __m256i last = _mm256_cmpgt_epi32(size, _mm256_set1_epi32(0x0f7fffff));
  const __m256i bits = _mm256_add_epi32(_mm256_add_epi32(size, move), _mm256_and_si256(last, move));
  return _mm256_castsi256_ps(_mm256_or_si256(
      sign, _mm256_blendv_epi8(bits, _mm256_castps_si256(tiny),
                               _mm256_cmpgt_epi32(_mm256_set1_epi32(0x00800000), size))));
}
#endif

#elif DPPAIR_TIER_ == 3

/* Sixteen or eight numbers from p on, in one register. */
#if DPPAIR_F64_
DPV_INLINE_ __m512d dpv_wide(const void *p) {
#if DPPAIR_ROW_KIND_ == 2
  const __m256i v = _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)p));
  return _mm512_maskz_cvtps_pd(0xff, _mm256_castsi256_ps(_mm256_slli_epi32(v, 16)));
#elif DPPAIR_ROW_KIND_ == 3
  const __m128i v = _mm_loadu_si128((const __m128i *)p);
  return _mm512_maskz_cvtps_pd(0xff, _mm256_maskz_cvtph_ps(0xff, v));
#elif DPPAIR_ROW_KIND_ == 4
  const __m128i v = _mm_loadu_si128((const __m128i *)p);
  return _mm512_maskz_cvtepi32_pd(0xff, _mm256_cvtepi16_epi32(v));
#else
  const __m128i v = _mm_loadl_epi64((const __m128i *)p);
  return _mm512_maskz_cvtepi32_pd(0xff, _mm256_cvtepi8_epi32(v));
#endif
}
#else
DPV_INLINE_ __m512 dpv_wide(const void *p) {
#if DPPAIR_ROW_KIND_ == 2
  const __m512i v = _mm512_maskz_cvtepu16_epi32(0xffff, _mm256_loadu_si256((const __m256i *)p));
  return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(0xffff, v, 16));
#elif DPPAIR_ROW_KIND_ == 3
  return _mm512_maskz_cvtph_ps(0xffff, _mm256_loadu_si256((const __m256i *)p));
#elif DPPAIR_ROW_KIND_ == 4
  const __m256i v = _mm256_loadu_si256((const __m256i *)p);
  return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi16_epi32(0xffff, v));
#else
  const __m128i v = _mm_loadu_si128((const __m128i *)p);
  return _mm512_maskz_cvtepi32_ps(0xffff, _mm512_maskz_cvtepi8_epi32(0xffff, v));
#endif
}
#endif

#endif

/* As many numbers of a row as a vector has lanes. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_numbers(const DPL_X *x) {
#if DPPAIR_TIER_ == 3
  DPV_T v;
  v.r[0] = dpv_wide(x);
  return v;
#elif DPPAIR_TIER_ == 2 && !DPPAIR_F64_
  DPV_T v;
  v.r[0] = dpv_wide8(x);
  v.r[1] = dpv_wide8(x + 8);
  return v;
#elif DPPAIR_TIER_ == 2 && DPPAIR_ROW_KIND_ >= 4
  DPV_T v;
  v.r[0] = dpv_wide4(x);
  v.r[1] = dpv_wide4(x + 4);
  return v;
#elif DPPAIR_TIER_ == 2
  const __m256 f = dpv_wide8(x);
  DPV_T v;
  v.r[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(f));
  v.r[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(f, 1));
  return v;
#else
  DPV_R t[DPV_LANES];
  for (int k = 0; k < DPV_LANES; k++) t[k] = (DPV_R)dppair_number_ROW_(x[k]);
  return DPV_LOAD(t);
#endif
}

/* The last n numbers of a row, fewer than a vector has lanes, then zeros. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_last(const DPL_X *x, size_t n) {
  DPL_X t[DPV_LANES];
  memset(t, 0, sizeof t);
  for (size_t k = 0; k < n; k++) t[k] = x[k];
  return dpv_numbers(t);
}

/* What the shared kernels call. */
#if DPPAIR_F64_
DPPAIR_FORCE_INLINE_ DPV_T dpv_row(const void *x, size_t at, int is_f32) {
  (void)is_f32;
  return dpv_numbers((const DPL_X *)x + at);
}
DPPAIR_FORCE_INLINE_ DPV_T dpv_rest(const void *x, size_t at, size_t n, int is_f32) {
  (void)is_f32;
  return dpv_last((const DPL_X *)x + at, n);
}
DPPAIR_FORCE_INLINE_ void dpv_ahead(const void *x, size_t at, int is_f32) {
  (void)is_f32;
  DPPAIR_PREFETCH_((const char *)((uintptr_t)x + at * sizeof(DPL_X)));
}
#else
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_row(const DPL_X *x) { return dpv_numbers(x); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_end(const DPL_X *x, size_t n) { return dpv_last(x, n); }
#endif
#elif DPPAIR_F64_
/* ---- src/rows/kernels_f64.h -----------------------------------------------------------------
 * Rows of double times a vector; numbers of rows of double or float
 *
 * A tier may replace dpv_row_end, dpv_rows8 and dpv_sums8 (simd/registers.h); the other chapters of
 * this tier use these three, too. Sums over rows are in rows/combine_kernels.h.
 * ---------------------------------------------------------------------------------------------- */

/* Eight numbers of a row from x[at] on, or one. Every caller passes is_f32 as a constant, so the
 * compiler keeps one of the two loads. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_row(const void *x, size_t at, int is_f32) {
  return is_f32 ? DPV_LOAD_F32((const float *)x + at) : DPV_LOAD((const double *)x + at);
}
DPPAIR_FORCE_INLINE_ double dpv_row1(const void *x, size_t at, int is_f32) {
  return is_f32 ? (double)((const float *)x)[at] : ((const double *)x)[at];
}
/* The last n < 8 numbers of a row, then zeros. */
#ifndef DPN_OWN_ROW_END
DPPAIR_FORCE_INLINE_ DPV_T dpv_row_end(const void *x, size_t at, size_t n, int is_f32) {
  double t[8] = {0, 0, 0, 0, 0, 0, 0, 0};
  for (size_t k = 0; k < n; k++) t[k] = dpv_row1(x, at + k, is_f32);
  return DPV_LOAD(t);
}
#endif

DPPAIR_FORCE_INLINE_ DPV_T dpv_rest(const void *x, size_t at, size_t n, int is_f32) {
  return dpv_row_end(x, at, n, is_f32);
}

/* c[k] = the k-th number of each of the 8 rows base + at[l]: an 8 x 8 transposition. */
#ifndef DPN_OWN_ROWS8
DPPAIR_FORCE_INLINE_ void dpv_rows8(DPV_T *c, const double *base, const size_t *at) {
  for (int m = 0; m < 8; m++) {
    double t[8];
    for (int l = 0; l < 8; l++) t[l] = base[at[l] + (size_t)m];
    c[m] = DPV_LOAD(t);
  }
}
#endif

/* The sums of the 8 vectors at part, part + 8, ..., each by the tree of DPV_SUM. */
#ifndef DPN_OWN_SUMS8
DPPAIR_FORCE_INLINE_ DPV_T dpv_sums8(const double *part) {
  double t[8];
  for (int l = 0; l < 8; l++) t[l] = DPV_SUM(DPV_LOAD(part + 8 * l));
  return DPV_LOAD(t);
}
#endif

/* Prefetches the cache line of x[at], which belongs to a later row. The address is computed as an
 * integer, because it may be past the end of x, where pointer arithmetic is undefined. */
#define DPL_AHEAD 16 /* rows: how far ahead dpv_dots prefetches */
DPPAIR_FORCE_INLINE_ void dpv_ahead(const void *x, size_t at, int is_f32) {
  DPPAIR_PREFETCH_((const char *)((uintptr_t)x + at * (is_f32 ? sizeof(float) : sizeof(double))));
}

/* Row times w for `rows` rows (4 or 1) from x[at] on. The 8 partial sums of row r, one per lane, go
 * to part + 8 r. */
DPPAIR_FORCE_INLINE_ void dpv_dots(double *part, const double *x, size_t at, size_t ld,
                                   const double *w, size_t d, int rows) {
  DPV_T sum[4];
  size_t k = 0;
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) sum[r] = DPV_SET(0.0);
  for (; k + 8 <= d; k += 8) {
    const DPV_T v = DPV_LOAD(w + k);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      dpv_ahead(x, at + (size_t)(r + DPL_AHEAD) * ld + k, 0);
      sum[r] = DPV_FMA(DPV_LOAD(x + at + (size_t)r * ld + k), v, sum[r]);
    }
  }
  if (k < d) {
    const DPV_T v = dpv_row_end(w, k, d - k, 0);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      dpv_ahead(x, at + (size_t)(r + DPL_AHEAD) * ld + k, 0);
      sum[r] = DPV_FMA(dpv_row_end(x, at + (size_t)r * ld + k, d - k, 0), v, sum[r]);
    }
  }
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) DPV_STORE(part + 8 * r, sum[r]);
}

/* s[i] = row i times w. Blocks of 8 rows and single rows add in the same order, so the score of a
 * row does not depend on its position. */
DPPAIR_FN_ void dppair_scores_f64_TIER(double *s, const double *x, size_t n, size_t d, size_t ld,
                                       const double *w) {
  double part[64];
  const size_t whole = n - n % 8; /* gcc 12 warns of an overflow in i + 8 <= n for a constant n */
  size_t i = 0;
  DPPAIR_ANY_SIZE_(d);
  for (; i < whole; i += 8) {
    dpv_dots(part, x, i * ld, ld, w, d, 4);
    dpv_dots(part + 32, x, (i + 4) * ld, ld, w, d, 4);
    DPV_STORE(s + i, dpv_sums8(part));
  }
  for (; i < n; i++) {
    dpv_dots(part, x, i * ld, ld, w, d, 1);
    s[i] = DPV_SUM(DPV_LOAD(part));
  }
}

/* The scores s[0..n) times their factors: in double, rounded once, 0 where the factor is. */
DPPAIR_FN_ void dppair_scale_f64_TIER(double *s, const double *factor, size_t n) {
  const DPV_T zero = DPV_SET(0.0);
  size_t i = 0;
  for (; n - i >= 8; i += 8) {
    const DPV_T f = DPV_LOAD(factor + i);
    DPV_STORE(s + i, DPV_SEL(DPV_EQ(f, zero), zero, DPV_MUL(f, DPV_LOAD(s + i))));
  }
  for (; i < n; i++) s[i] = factor[i] == 0.0 ? 0.0 : factor[i] * s[i];
}
DPPAIR_FN_ void dppair_scale_f32_TIER(float *s, const double *factor, size_t n) {
  const DPV_T zero = DPV_SET(0.0);
  size_t i = 0;
  for (; n - i >= 8; i += 8) {
    const DPV_T f = DPV_LOAD(factor + i);
    DPV_STORE_F32(s + i, DPV_SEL(DPV_EQ(f, zero), zero, DPV_MUL(f, DPV_LOAD_F32(s + i))));
  }
  for (; i < n; i++) s[i] = factor[i] == 0.0 ? 0.0f : (float)(factor[i] * (double)s[i]);
}
#undef DPL_AHEAD
#else
/* ---- src/rows/kernels_f32.h -----------------------------------------------------------------
 * Rows of float: their numbers, and sums of partial sums
 *
 * A tier may replace dpv_row_end and dpv_sums8 (simd/registers.h).
 * ---------------------------------------------------------------------------------------------- */

/* s[l] = sum of the vector at part + 16 l, l < 8, by the tree of DPV_SUM. */
#ifndef DPN_OWN_SUMS8
DPPAIR_FORCE_INLINE_ void dpv_sums8(float *s, const float *part) {
  for (int l = 0; l < 8; l++) s[l] = DPV_SUM(DPV_LOAD(part + 16 * l));
}
#endif

/* The last n < 16 numbers of a row, then zeros. */
#ifndef DPN_OWN_ROW_END
DPPAIR_FORCE_INLINE_ DPV_T dpv_row_end(const float *x, size_t n) { return DPV_LOADN(x, n, 0.0f); }
#endif

/* Sixteen numbers of a row, and the last n < 16 of one. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_row(const float *x) { return DPV_LOAD(x); }
DPPAIR_FORCE_INLINE_ DPV_T dpv_dot_end(const float *x, size_t n) { return dpv_row_end(x, n); }

#define DPL_X float /* of rows/dots_kernels.h */
#endif

#if DPPAIR_F64_
/* ---- src/rows/combine_kernels.h -------------------------------------------------------------
 * Gradients from rows of any type, summed in double
 *
 * Written once: for rows of double and float, the constant is_f32 says which, and for those of each
 * type of rows/narrow.h, which does not read it. dpv_row, dpv_rest and dpv_ahead are those of the
 * rows: rows/kernels_f64.h or rows/narrow_loads.h.
 * ---------------------------------------------------------------------------------------------- */

/* The next n <= 8 numbers of a row, then zeros. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_some(const void *x, size_t at, size_t n, int is_f32) {
  return n == 8 ? dpv_row(x, at, is_f32) : dpv_rest(x, at, n, is_f32);
}

/*
 * g = X^T c in double. Each column has four chains of additions: row i is added to chain i mod 4,
 * and the sum is (chain 0 + chain 2) + (chain 1 + chain 3). The loops take blocks of DPL_CHUNK
 * columns and DPL_ROWS rows. Such a block of X stays in the nearest cache while chains 0 and 1,
 * then chains 2 and 3, pass over it. Blocks change neither the order within a chain nor the result.
 * If rows have factors, c[i] factor[i] takes the place of c[i].
 */
#define DPL_CHUNK 128
#define DPL_ROWS 32

/* Adds rows 0, 4, 8, ... below `rows`, from x[at] on, to chain0 and rows 1, 5, 9, ... to chain1, in
 * `width` columns (16, or fewer at the end of a row). c[i] is the factor of row i. */
DPPAIR_FORCE_INLINE_ void dpv_chains(double *chain0, double *chain1, const void *x, size_t at,
                                     size_t ld, const double *c, size_t rows, size_t width,
                                     int is_f32) {
  DPV_T s00 = DPV_LOAD(chain0), s01 = DPV_LOAD(chain0 + 8);
  DPV_T s10 = DPV_LOAD(chain1), s11 = DPV_LOAD(chain1 + 8);
  if (width == 16) {
    for (size_t i = 0; i < rows; i += 4, at += 4 * ld) {
      const DPV_T c0 = DPV_SET(c[i]);
      if (is_f32) { /* prefetching rows of double gains nothing */
        dpv_ahead(x, at + DPL_ROWS * ld, is_f32);
        dpv_ahead(x, at + (DPL_ROWS + 1) * ld, is_f32);
      }
      s00 = DPV_FMA(c0, dpv_row(x, at, is_f32), s00);
      s01 = DPV_FMA(c0, dpv_row(x, at + 8, is_f32), s01);
      if (i + 1 < rows) {
        const DPV_T c1 = DPV_SET(c[i + 1]);
        s10 = DPV_FMA(c1, dpv_row(x, at + ld, is_f32), s10);
        s11 = DPV_FMA(c1, dpv_row(x, at + ld + 8, is_f32), s11);
      }
    }
  } else {
    const size_t low = width < 8 ? width : 8, high = width - low;
    for (size_t i = 0; i < rows; i += 4, at += 4 * ld) {
      const DPV_T c0 = DPV_SET(c[i]);
      s00 = DPV_FMA(c0, dpv_some(x, at, low, is_f32), s00);
      if (high) s01 = DPV_FMA(c0, dpv_rest(x, at + 8, high, is_f32), s01);
      if (i + 1 < rows) {
        const DPV_T c1 = DPV_SET(c[i + 1]);
        s10 = DPV_FMA(c1, dpv_some(x, at + ld, low, is_f32), s10);
        if (high) s11 = DPV_FMA(c1, dpv_rest(x, at + ld + 8, high, is_f32), s11);
      }
    }
  }
  DPV_STORE(chain0, s00);
  DPV_STORE(chain0 + 8, s01);
  DPV_STORE(chain1, s10);
  DPV_STORE(chain1 + 8, s11);
}

/* g[k] = sum over i < n of c[i] factor[i] x[i ld + k], k < d; factor NULL: of c[i] x[i ld + k]. */
DPPAIR_FORCE_INLINE_ void dpv_combine(double *g, const void *x, size_t n, size_t d, size_t ld,
                                      const double *c, const double *factor, int is_f32) {
  for (size_t k0 = 0; k0 < d; k0 += DPL_CHUNK) {
    /* The last columns have their own call. In one loop with the others, clang 14 at -O1 does not
     * terminate for a constant d of 3, 4 or 5. */
    const size_t columns = d - k0 > DPL_CHUNK ? DPL_CHUNK : d - k0;
    const size_t rest = columns % 16, whole = columns - rest;
    double chain[4][DPL_CHUNK];
    memset(chain, 0, sizeof chain);
    for (size_t i = 0; i < n; i += DPL_ROWS) {
      const size_t rows = n - i > DPL_ROWS ? DPL_ROWS : n - i;
      const double *of = c + i;
      double scaled[DPL_ROWS];
      if (factor) {
        for (size_t r = 0; r < rows; r++) scaled[r] = c[i + r] * factor[i + r];
        of = scaled;
      }
      for (size_t r = 0; r < 4 && r < rows; r += 2) {
        const size_t at = (i + r) * ld + k0;
        for (size_t k = 0; k < whole; k += 16)
          dpv_chains(chain[r] + k, chain[r + 1] + k, x, at + k, ld, of + r, rows - r, 16, is_f32);
        if (rest)
          dpv_chains(chain[r] + whole, chain[r + 1] + whole, x, at + whole, ld, of + r, rows - r,
                     rest, is_f32);
      }
    }
    for (size_t k = 0; k < columns; k++)
      g[k0 + k] = (chain[0][k] + chain[2][k]) + (chain[1][k] + chain[3][k]);
  }
}

/* The functions that rows/template.h calls. */
#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
DPPAIR_FN_ void dppair_combine_ROW_TIER(double *g, const DPL_X *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 1);
}
#else
DPPAIR_FN_ void dppair_combine_f64_TIER(double *g, const double *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 0);
}
DPPAIR_FN_ void dppair_combine_f32_TIER(double *g, const float *x, size_t n, size_t d, size_t ld,
                                        const double *c, const double *factor) {
  dpv_combine(g, x, n, d, ld, c, factor, 1);
}
#endif
#undef DPL_CHUNK
#undef DPL_ROWS
/* ---- src/rows/sums_kernels.h ----------------------------------------------------------------
 * Rows times coefficients, summed exactly: the kernels
 *
 * An addend c x is computed as t = c x + magic, magic = 1.5 2^52 unit, in one fused operation: t is
 * magic plus c x rounded to a multiple of unit, ties to even, and the bits of t are those of magic
 * plus that multiple. They are added as integers. That holds while |c x| <= 2^51 unit; the bits of
 * other numbers, NaN too, are added as well, and the sum is then no sum, but nothing is undefined.
 * On the 128-bit tier of x86 the product is rounded first: t is off by 5/8 of a unit then, not 1/2.
 * ---------------------------------------------------------------------------------------------- */

#define DPL_CHUNK 128  /* columns whose sums are kept at a time */
#define DPL_ROWS 32    /* rows that stay in the nearest cache while all these columns pass */
#define DPL_FLUSH 2048 /* rows whose sums of multiples below 2^51 fit in 63 bits */

/* sum[0..8 vectors) += the bits of c[i] x + magic over `rows` rows from x[at] on; of the last
 * vector only `last` columns are there. `vectors` is a constant of the caller, and `last` is 8 or
 * it is less and vectors is 1. */
DPPAIR_FORCE_INLINE_ void dpv_ticks(uint64_t *sum, const void *x, size_t at, size_t ld,
                                    const double *c, size_t rows, int vectors, size_t last,
                                    double magic, int is_f32) {
  const DPV_T m = DPV_SET(magic);
  DPV_T s[4];
  DPV_UNROLL_
  for (int v = 0; v < vectors; v++) s[v] = DPV_LOAD_BITS(sum + 8 * v);
  if (last < 8) {
    for (size_t i = 0; i < rows; i++, at += ld)
      s[0] = DPV_ADD_BITS(s[0], DPV_FMA(DPV_SET(c[i]), dpv_rest(x, at, last, is_f32), m));
  } else {
    for (size_t i = 0; i < rows; i++, at += ld) {
      const DPV_T of = DPV_SET(c[i]);
      DPV_UNROLL_
      for (int v = 0; v < vectors; v++) { /* prefetching rows of double gains nothing */
        if (is_f32 && v % 2 == 0) dpv_ahead(x, at + DPL_ROWS * ld + 8 * (size_t)v, is_f32);
        s[v] = DPV_ADD_BITS(s[v], DPV_FMA(of, dpv_row(x, at + 8 * (size_t)v, is_f32), m));
      }
    }
  }
  DPV_UNROLL_
  for (int v = 0; v < vectors; v++) DPV_STORE_BITS(sum + 8 * v, s[v]);
}

/* The same for `columns` <= DPL_CHUNK columns. */
DPPAIR_FORCE_INLINE_ void dpv_tick_rows(uint64_t *sum, const void *x, size_t at, size_t ld,
                                        const double *c, size_t rows, size_t columns, double magic,
                                        int is_f32) {
  size_t k = 0;
  for (; k + 32 <= columns; k += 32)
    dpv_ticks(sum + k, x, at + k, ld, c, rows, 4, 8, magic, is_f32);
  for (; k + 16 <= columns; k += 16)
    dpv_ticks(sum + k, x, at + k, ld, c, rows, 2, 8, magic, is_f32);
  for (; k + 8 <= columns; k += 8) dpv_ticks(sum + k, x, at + k, ld, c, rows, 1, 8, magic, is_f32);
  if (k < columns) dpv_ticks(sum + k, x, at + k, ld, c, rows, 1, columns - k, magic, is_f32);
}

/* of[0..8) = n <= 8 coefficients held within +-most, times their factors (NULL: all 1), rounded;
 * then zeros. */
DPPAIR_FORCE_INLINE_ void dpv_held_products(double *of, const double *c, const double *factor,
                                            size_t n, double most) {
  const DPV_T v = n == 8 ? DPV_LOAD(c) : DPV_LOADN(c, n, 0.0);
  const DPV_T held = DPV_MAX(DPV_MIN(v, DPV_SET(most)), DPV_SET(-most));
  if (!factor)
    DPV_STORE(of, held);
  else
    DPV_STORE(of, DPV_MUL(held, n == 8 ? DPV_LOAD(factor) : DPV_LOADN(factor, n, 0.0)));
}

/* words[2k], words[2k + 1]: an integer of 128 bits, += the sum over i < n of c[i] factor[i] x[i ld
 * + k] in units, k < d. Coefficients beyond +-most count as that; their product with the factor is
 * rounded. */
DPPAIR_FORCE_INLINE_ void dpv_sum_rows(uint64_t *words, const void *x, size_t n, size_t d,
                                       size_t ld, const double *c, const double *factor,
                                       double magic, double most, int is_f32) {
  const uint64_t zero = dppair_bits_f64_(magic);
  for (size_t begin = 0; begin < n; begin += DPL_FLUSH) {
    const size_t end = n - begin > DPL_FLUSH ? begin + DPL_FLUSH : n;
    for (size_t k0 = 0; k0 < d; k0 += DPL_CHUNK) {
      const size_t columns = d - k0 > DPL_CHUNK ? DPL_CHUNK : d - k0;
      uint64_t sum[DPL_CHUNK];
      for (size_t k = 0; k < DPL_CHUNK; k++) sum[k] = 0 - zero * (uint64_t)(end - begin);
      for (size_t i = begin; i < end; i += DPL_ROWS) {
        const size_t rows = end - i > DPL_ROWS ? DPL_ROWS : end - i;
        double of[DPL_ROWS];
        for (size_t r = 0; r < rows; r += 8)
          dpv_held_products(of + r, c + i + r, factor ? factor + i + r : NULL,
                            rows - r < 8 ? rows - r : 8, most);
        dpv_tick_rows(sum, x, i * ld + k0, ld, of, rows, columns, magic, is_f32);
      }
      for (size_t k = 0; k < columns; k++) dppair_word_add_(words + 2 * (k0 + k), sum[k]);
    }
  }
}

/* The functions that rows/template.h calls. */
#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
DPPAIR_FN_ void dppair_sum_ROW_TIER(uint64_t *words, const DPL_X *x, size_t n, size_t d, size_t ld,
                                    const double *c, const double *factor, double magic,
                                    double most) {
  dpv_sum_rows(words, x, n, d, ld, c, factor, magic, most, 1);
}
#else
DPPAIR_FN_ void dppair_sum_f64_TIER(uint64_t *words, const double *x, size_t n, size_t d, size_t ld,
                                    const double *c, const double *factor, double magic,
                                    double most) {
  dpv_sum_rows(words, x, n, d, ld, c, factor, magic, most, 0);
}
DPPAIR_FN_ void dppair_sum_f32_TIER(uint64_t *words, const float *x, size_t n, size_t d, size_t ld,
                                    const double *c, const double *factor, double magic,
                                    double most) {
  dpv_sum_rows(words, x, n, d, ld, c, factor, magic, most, 1);
}
#endif
#undef DPL_CHUNK
#undef DPL_ROWS
#undef DPL_FLUSH
#else
/* ---- src/rows/dots_kernels.h ----------------------------------------------------------------
 * Rows times a vector, all in float
 *
 * A score is a function of its row and w alone, so its rounding is part of what one record
 * contributes and needs no double. Sums over records do: rows/combine_kernels.h. Written once, for
 * rows of float and of each type of rows/narrow.h: DPL_X is the type of their numbers, which are
 * floats exactly, so all types have the arithmetic of rows of float.
 * ---------------------------------------------------------------------------------------------- */

/* Row times w for `rows` rows (4 or 1) from x on. The 16 partial sums of row r, one per lane, go to
 * part + 16 r. */
DPPAIR_FORCE_INLINE_ void dpv_dots(float *part, const DPL_X *x, size_t ld, const float *w, size_t d,
                                   int rows) {
  DPV_T sum[4];
  size_t k = 0;
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) sum[r] = DPV_SET(0.0f);
  for (; k + 16 <= d; k += 16) {
    const DPV_T v = DPV_LOAD(w + k);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      /* 32 rows ahead; an integer, because the address may be past the end of x */
      if (k % (64 / sizeof *x) == 0)
        DPPAIR_PREFETCH_((const char *)((uintptr_t)(x + k) + (size_t)(r + 32) * ld * sizeof *x));
      sum[r] = DPV_FMA(dpv_dot_row(x + (size_t)r * ld + k), v, sum[r]);
    }
  }
  if (k < d) {
    const DPV_T v = dpv_row_end(w + k, d - k);
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
      DPPAIR_PREFETCH_((const char *)((uintptr_t)(x + k) + (size_t)(r + 32) * ld * sizeof *x));
      sum[r] = DPV_FMA(dpv_dot_end(x + (size_t)r * ld + k, d - k), v, sum[r]);
    }
  }
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) DPV_STORE(part + 16 * r, sum[r]);
}

/* s[i] = row i times w. The score of a row does not depend on its position. */
DPPAIR_FORCE_INLINE_ void dpv_scores(float *s, const DPL_X *x, size_t n, size_t d, size_t ld,
                                     const float *w) {
  float part[128];
  size_t i = 0;
  DPPAIR_ANY_SIZE_(d);
  for (; i + 8 <= n; i += 8) {
    dpv_dots(part, x + i * ld, ld, w, d, 4);
    dpv_dots(part + 64, x + (i + 4) * ld, ld, w, d, 4);
    dpv_sums8(s + i, part);
  }
  for (; i < n; i++) {
    dpv_dots(part, x + i * ld, ld, w, d, 1);
    s[i] = DPV_SUM(DPV_LOAD(part));
  }
}

/* The functions that rows/template.h calls. */
#if DPPAIR_BODY_ == DPPAIR_BODY_ROWS_
DPPAIR_FN_ void dppair_scores_ROW_TIER(float *s, const DPL_X *x, size_t n, size_t d, size_t ld,
                                       const float *w) {
  dpv_scores(s, x, n, d, ld, w);
}
#else
DPPAIR_FN_ void dppair_scores_f32_TIER(float *s, const float *x, size_t n, size_t d, size_t ld,
                                       const float *w) {
  dpv_scores(s, x, n, d, ld, w);
}
#undef DPL_X
#endif
#endif

#if DPPAIR_BODY_ == DPPAIR_BODY_VECTORS_
/* ---- src/pairs/of_vectors.h -----------------------------------------------------------------
 * Sums over pairs that no loss enters, for one tier and type: the chapters
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/pairs/box_kernels.h ----------------------------------------------------------------
 * The box method: moments, translation, evaluation
 *
 * The passes over records and boxes for one tier; box.h says what they compute and fills the table.
 * All arithmetic is in double: scores are converted as they are read.
 *
 * A score s lies in box b = round(s/h), at t = 2(s - b h)/h in [-1, 1]. Both are exact because h is
 * a power of two. Powers of t are formed eight at a time, so a record adds one vector to its box,
 * or two of them for more than 8 terms (`two`).
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
/* Eight scores from `at` on as doubles; the last of the n scores is repeated past the end. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_scores8(const void *s, size_t at, size_t n, int is_f32) {
  double t[8];
  if (at + 8 <= n) return dpv_row(s, at, is_f32);
  for (size_t l = 0; l < 8; l++) t[l] = dpv_row1(s, at + l < n ? at + l : n - 1, is_f32);
  return DPV_LOAD(t);
}
/* v held within [low, high]; low for NaN. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_held(DPV_T v, double low, double high) {
  return DPV_MIN(DPV_MAX(v, DPV_SET(low)), DPV_SET(high));
}

/* Eight weights from `at` on, as they count: dppair_share_. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_shares8(const double *weight, size_t at, size_t n) {
  return dpv_held(dpv_scores8(weight, at, n, 0), 0.0, 1.0);
}

/* v held within +-cap. */
DPPAIR_FORCE_INLINE_ double dpv_held1(double v, double cap) {
  return v < -cap ? -cap : v > cap ? cap : v;
}

/* dpv_scores8, with the scores held within +-*cap unless cap is NULL. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_scores8_held(const void *s, size_t at, size_t n, int is_f32,
                                            const double *cap) {
  const DPV_T v = dpv_scores8(s, at, n, is_f32);
  return cap ? dpv_held(v, -*cap, *cap) : v;
}

/* Extends [*low, *high] by the scores. */
DPPAIR_FORCE_INLINE_ void dpv_range(double *low, double *high, const void *s, size_t n,
                                    int is_f32) {
  DPV_T lo = DPV_SET(*low), hi = DPV_SET(*high);
  double t[8], u[8];
  for (size_t i = 0; i < n; i += 8) {
    const DPV_T v = dpv_scores8(s, i, n, is_f32);
    lo = DPV_MIN(v, lo);
    hi = DPV_MAX(v, hi);
  }
  DPV_STORE(t, lo);
  DPV_STORE(u, hi);
  for (int l = 0; l < 8; l++) {
    *low = t[l] < *low ? t[l] : *low;
    *high = u[l] > *high ? u[l] : *high;
  }
}

/* 1.5 2^52 + the box of each of 8 scores, which is in the low bits of the lane. No other formula
 * computes the number of a box. It is monotone under any rounding, so scores in [low, high] lie
 * between the boxes of low and high, and no index leaves the arrays. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_number(DPV_T v, double width) {
  return DPV_FMA(v, DPV_SET(1.0 / width), DPV_SET(DPN_MAGIC));
}
/* The boxes for scores in [low, high], where low and high are first held within the cap. */
DPPAIR_FORCE_INLINE_ dppair_boxes_ dpv_boxes(double low, double high, const dppair_fast *f) {
  dppair_boxes_ g;
  double m[8];
  g.low = dpv_held1(low, f->score_cap);
  g.high = dpv_held1(high, f->score_cap);
  g.hold = g.low > low || g.high < high;
  g.width = f->width;
  DPV_STORE(m, dpv_number(DPV_SET(g.low), g.width));
  g.first = dppair_bits_f64_(m[0]);
  DPV_STORE(m, dpv_number(DPV_SET(g.high), g.width));
  g.count = (size_t)(dppair_bits_f64_(m[0]) - g.first) + 1;
  return g;
}

/* Box and local coordinate of 8 scores: at[l] = stride * (box - first box). */
DPPAIR_FORCE_INLINE_ DPV_T dpv_locate(size_t *at, DPV_T v, dppair_boxes_ g, size_t stride) {
  double m[8];
  const DPV_T s = g.hold ? dpv_held(v, g.low, g.high) : v;
  const DPV_T big = dpv_number(s, g.width);
  const DPV_T inside = DPV_FMA(DPV_SUB(DPV_SET(DPN_MAGIC), big), DPV_SET(g.width), s);
  DPV_STORE(m, big);
  DPV_UNROLL_
  for (int l = 0; l < 8; l++) at[l] = (size_t)(dppair_bits_f64_(m[l]) - g.first) * stride;
  return DPV_MUL(inside, DPV_SET(2.0 / g.width));
}

/* 1, t, t^2, ..., t^7 from t, t^2, t^4: lane l takes those factors whose bit is set in l. It stays
 * defined, for kernels that are compiled later. */
#define DPB_POWERS(t1, t2, t4)                                                                     \
  DPV_MUL(DPV_MUL(DPV_SEL(bit0, DPV_SET(t1), one), DPV_SEL(bit1, DPV_SET(t2), one)),               \
          DPV_SEL(bit2, DPV_SET(t4), one))

/* v with the sign of every second moment changed when flip is set: the transposed kernel is the
 * kernel between mirrored coordinates. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_mirror(DPV_T v, int flip) {
  static const double signs[8] = {1, -1, 1, -1, 1, -1, 1, -1};
  return flip ? DPV_MUL(v, DPV_LOAD(signs)) : v;
}

/* *sum += v; with `kept`, (*sum, *low) += v in two doubles. Whole numbers have no second one. */
DPPAIR_FORCE_INLINE_ void dpv_remote(double *sum, double *low, double v, int kept) {
  const double s = *sum + v, t = s - *sum, e = (*sum - (s - t)) + (v - t) + *low;
  *sum = kept ? s + e : s;
  *low = kept ? e - (*sum - s) : 0.0;
}

/*
 * to[box][k] = the coefficients of the polynomial in every box with a target (there), from the
 * moments of the sources (from); full: the moments that count them, which are `from` unless that is
 * weighted with weights of either sign. With o the target's box minus the source's:
 *   negatives = 0   targets are the positives, a(t) = the sum over sources of K_o(t, .)
 *   negatives = 1   targets are the negatives, b(t) = minus the sum of K_{-o}(., t)
 * A source further away than the reach counts f->low or f->high; the sums of such weights are kept
 * in two doubles, so that only counts as large as the records round. Sources are summed in four
 * chains, one for each term modulo 4.
 */
DPPAIR_FORCE_INLINE_ void dpv_translate(double *to, const double *from, const double *full,
                                        const double *there, size_t boxes, const dppair_fast *f,
                                        int two, int negatives) {
  const size_t stride = two ? 16 : 8, terms = (size_t)f->terms, reach = (size_t)f->reach;
  double before = 0.0, after = 0.0, low[2] = {0.0, 0.0};
  size_t first = 0, last = 0;
  for (size_t b = 0; b < boxes; b++) dpv_remote(&after, low, from[b * stride], from == full);
  for (size_t b = 0; b < boxes; b++) {
    DPV_T sum[2][4];
    const size_t end = b + reach + 1 < boxes ? b + reach + 1 : boxes;
    for (; first + reach < b; first++)
      dpv_remote(&before, low + 1, from[first * stride], from == full);
    for (; last < end; last++) dpv_remote(&after, low, -from[last * stride], from == full);
    if (!(there[b * stride] > 0.0)) continue;
    DPV_UNROLL_
    for (int m = 0; m < 4; m++) sum[0][m] = sum[1][m] = DPV_SET(0.0);
    for (size_t source = first; source < end; source++) {
      const double *column =
          f->table + (negatives ? source + reach - b : b + reach - source) * terms * stride;
      double moment[16];
      if (!(full[source * stride] > 0.0)) continue;
      DPV_STORE(moment, dpv_mirror(DPV_LOAD(from + source * stride), negatives));
      if (two)
        DPV_STORE(moment + 8, dpv_mirror(DPV_LOAD(from + source * stride + 8), negatives));
      else
        DPV_STORE(moment + 8, DPV_SET(0.0)); /* not read, but gcc 12 does not see it */
      for (size_t l = 0; l < terms; l += 4, column += 4 * stride) {
        DPV_UNROLL_
        for (size_t m = 0; m < 4; m++) {
          const DPV_T v = DPV_SET(moment[l + m]);
          sum[0][m] = DPV_FMA(v, DPV_LOAD(column + m * stride), sum[0][m]);
          if (two) sum[1][m] = DPV_FMA(v, DPV_LOAD(column + m * stride + 8), sum[1][m]);
        }
      }
    }
    for (int half = 0; half < (two ? 2 : 1); half++) {
      const DPV_T even = DPV_ADD(sum[half][0], sum[half][2]);
      const DPV_T all = DPV_ADD(even, DPV_ADD(sum[half][1], sum[half][3]));
      DPV_STORE(to + b * stride + 8 * (size_t)half, dpv_mirror(all, negatives));
    }
    /* before: sources with lower scores; if these are positives, their margins go to -infinity */
    to[b * stride] +=
        negatives ? before * f->low + after * f->high : before * f->high + after * f->low;
    if (negatives)
      for (size_t k = 0; k < stride; k++) to[b * stride + k] = -to[b * stride + k];
  }
}

/* out[i] = the polynomial of record i's box at its coordinate, by Horner's rule. */
DPPAIR_FORCE_INLINE_ void dpv_evaluate(double *out, const double *coefficients, const void *s,
                                       size_t n, int is_f32, dppair_boxes_ g, int two) {
  for (size_t i = 0; i < n; i += 8) {
    DPV_T c[8], t, v;
    size_t at[8];
    t = dpv_locate(at, dpv_scores8(s, i, n, is_f32), g, two ? 16 : 8);
    if (two) {
      dpv_rows8(c, coefficients + 8, at);
      v = c[7];
      DPV_UNROLL_
      for (int k = 6; k >= 0; k--) v = DPV_FMA(v, t, c[k]);
      dpv_rows8(c, coefficients, at);
      v = DPV_FMA(v, t, c[7]);
    } else {
      dpv_rows8(c, coefficients, at);
      v = c[7];
    }
    DPV_UNROLL_
    for (int k = 6; k >= 0; k--) v = DPV_FMA(v, t, c[k]);
    if (i + 8 <= n)
      DPV_STORE(out + i, v);
    else
      DPV_STOREN(out + i, v, n - i);
  }
}

#endif
/* ---- src/pairs/sketch_kernels.h -------------------------------------------------------------
 * Moments without order: boxes
 *
 * The moments of box_kernels.h in integers, for one tier, over boxes that the cap alone fixes. A
 * record adds w t^k for k below the number of terms, w = 1 where there are no weights. Powers are
 * within 14 units of 2^-53 (products of t, t^2, t^4, t^8, and w); each is then rounded to a
 * multiple of 2^-50, ties to even, by adding 1.5 2^52 2^-50 = 6: the bits of the sum less those of
 * 6 are the multiple, for |w t^k| <= 1.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_
#define DPB_MAGIC (DPN_MAGIC * DPPAIR_SKETCH_UNIT_) /* 6 */

/* Eight weights as they count: dppair_share_grid_. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_shares8_grid(const double *weight, size_t at, size_t n) {
  const DPV_T w = dpv_shares8(weight, at, n), magic = DPV_SET(DPB_MAGIC);
  const DPV_T nearby = DPV_SUB(DPV_ADD(w, magic), magic);
  return DPV_SEL(DPV_LT(w, nearby), DPV_SUB(nearby, DPV_SET(DPPAIR_SKETCH_UNIT_)), nearby);
}

/* Adds n records of one class to its sums of 64 bits: partial[box (4 stride) + (l mod 4) stride +
 * k] for record l of eight. */
DPPAIR_FORCE_INLINE_ void dpv_moments_add(uint64_t *partial, dppair_boxes_ g, const void *s,
                                          size_t n, int is_f32, int two, const double *weight) {
  static const double lanes[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  static const double low1[8] = {0, 1, 0, 1, 0, 1, 0, 1}, low2[8] = {0, 1, 2, 3, 0, 1, 2, 3};
  const DPV_T one = DPV_SET(1.0), half = DPV_SET(0.5), magic = DPV_SET(DPB_MAGIC);
  const DPV_M bit0 = DPV_LT(half, DPV_LOAD(low1)), bit1 = DPV_LT(one, DPV_LOAD(low2));
  const DPV_M bit2 = DPV_LT(DPV_SET(3.5), DPV_LOAD(lanes));
  const size_t stride = two ? 16 : 8;
  uint64_t less[8];
  DPV_T back;
  for (int l = 0; l < 8; l++) less[l] = 0 - dppair_bits_f64_(DPB_MAGIC);
  back = DPV_LOAD_BITS(less);
  for (size_t i = 0; i < n; i += 8) {
    const size_t rest = n - i < 8 ? n - i : 8;
    double t1[8], t2[8], t4[8], t8[8], times[8];
    size_t at[8];
    const DPV_T t = dpv_locate(at, dpv_scores8(s, i, n, is_f32), g, DPPAIR_SKETCH_COPIES_ * stride);
    const DPV_T square = DPV_MUL(t, t), fourth = DPV_MUL(square, square);
    DPV_STORE(t1, t);
    DPV_STORE(t2, square);
    DPV_STORE(t4, fourth);
    DPV_STORE(t8, DPV_MUL(fourth, fourth));
    if (weight) DPV_STORE(times, dpv_shares8_grid(weight, i, n));
    DPV_UNROLL_
    for (size_t l = 0; l < rest; l++) {
      uint64_t *to = partial + at[l] + l % DPPAIR_SKETCH_COPIES_ * stride;
      const DPV_T power = DPB_POWERS(t1[l], t2[l], t4[l]);
      const DPV_T v = weight ? DPV_MUL(power, DPV_SET(times[l])) : power;
      const DPV_T low = DPV_ADD(v, magic);
      DPV_STORE_BITS(to, DPV_ADD_BITS(DPV_LOAD_BITS(to), DPV_ADD_BITS(back, low)));
      if (two) {
        const DPV_T high = DPV_FMA(v, DPV_SET(t8[l]), magic);
        DPV_STORE_BITS(to + 8, DPV_ADD_BITS(DPV_LOAD_BITS(to + 8), DPV_ADD_BITS(back, high)));
      }
    }
  }
}

/* Adds n records of class `side`, block by block. */
DPPAIR_FORCE_INLINE_ void dpv_moments_side(dppair_sketch *m, int side, const void *s, size_t n,
                                           const double *weight, const dppair_fast *f, int is_f32,
                                           int two) {
  const dppair_boxes_ all = dpv_boxes(-HUGE_VAL, HUGE_VAL, f);
  const size_t most = DPPAIR_SKETCH_FLUSH_, bytes = is_f32 ? sizeof(float) : sizeof(double);
  uint64_t *partial = m->partial + DPPAIR_SKETCH_COPIES_ * dppair_sketch_at_(m, f, side, 0);
  for (size_t i = 0; i < n; i += most) {
    const size_t count = n - i < most ? n - i : most;
    const void *from = (const char *)s + i * bytes;
    double low = HUGE_VAL, high = -HUGE_VAL;
    dppair_boxes_ g;
    size_t first;
    dpv_range(&low, &high, from, count, is_f32);
    g = dpv_boxes(low, high, f);
    first = (size_t)(g.first - all.first);
    dppair_sketch_cover_(m, f, side, first, first + g.count, (count + 7) / 8 * 8);
    g.first = all.first;
    if (weight) /* a choice in the loop costs a sixteenth of its time */
      dpv_moments_add(partial, g, from, count, is_f32, two, weight + i);
    else
      dpv_moments_add(partial, g, from, count, is_f32, two, NULL);
  }
}

/* Adds a chunk of n records, the positives first. */
DPPAIR_FN_ void dppair_sketch_count_TIER(dppair_sketch *m, const void *s, size_t n,
                                         size_t positives, const double *weight,
                                         const dppair_fast *f, int is_f32) {
  const size_t bytes = is_f32 ? sizeof(float) : sizeof(double);
  for (int side = 0; side < 2; side++) {
    const size_t from = side ? positives : 0, count = side ? n - positives : positives;
    const void *at = count ? (const char *)s + from * bytes : s;
    const double *w = weight && count ? weight + from : NULL;
    if (f->terms > 8)
      dpv_moments_side(m, side, at, count, w, f, is_f32, 1);
    else
      dpv_moments_side(m, side, at, count, w, f, is_f32, 0);
  }
}

/* sum[0..terms) = the moments of a cell of class `side`, as doubles, zeros beyond; whether it has
 * records, but for those of weight 0. Words are settled, or there are none. */
DPPAIR_FORCE_INLINE_ int dpv_cell_value(double *sum, const dppair_sketch *m, const dppair_fast *f,
                                        int side, size_t cell) {
  const size_t stride = (size_t)f->stride, terms = (size_t)f->terms;
  const size_t at = dppair_sketch_at_(m, f, side, cell);
  const uint64_t *words = m->words + 2 * at, *from = m->partial + DPPAIR_SKETCH_COPIES_ * at;
  double value[16];
  int there = 0;
  for (size_t k = 0; k < 16; k++) value[k] = 0.0;
  if (m->low < m->high) {
    there = (words[0] | words[1]) != 0;
    for (size_t k = 0; k < terms && there; k++)
      value[k] = dppair_word_value_(words + 2 * k, DPPAIR_SKETCH_UNIT_);
  } else if (m->first[side] <= cell && cell < m->end[side]) {
    for (size_t k = 0; k < terms; k++) {
      const uint64_t all = from[k] + from[stride + k] + from[2 * stride + k] + from[3 * stride + k];
      int64_t whole;
      memcpy(&whole, &all, sizeof whole);
      value[k] = (double)whole * DPPAIR_SKETCH_UNIT_;
      if (k == 0 && all == 0) break;
    }
    there = value[0] > 0.0;
  }
  memcpy(sum, value, stride * sizeof *sum); /* which lies before what is still to be read */
  return there;
}

/* The polynomials of every box and class, at m->coefficients; those of boxes without records of the
 * class are 0. */
DPPAIR_FN_ void dppair_sketch_close_TIER(dppair_sketch *m, const dppair_fast *f) {
  const size_t stride = (size_t)f->stride, size = m->cells * stride;
  double *sum = (double *)(void *)m->partial;
  size_t low = m->low, high = m->high, first, end = 0;
  if (low == high) { /* no words: the cells in use */
    const int none[2] = {m->first[0] == m->end[0], m->first[1] == m->end[1]};
    low = none[0] || (!none[1] && m->first[1] < m->first[0]) ? m->first[1] : m->first[0];
    high = m->end[0] > m->end[1] ? m->end[0] : m->end[1];
  }
  first = high;
  m->coefficients = sum + 2 * size;
  for (int side = 0; side < 2; side++)
    for (size_t cell = low; cell < high; cell++)
      if (dpv_cell_value(sum + dppair_sketch_at_(m, f, side, cell), m, f, side, cell)) {
        first = cell < first ? cell : first;
        end = cell + 1 > end ? cell + 1 : end;
      }
  for (int side = 0; side < 2; side++)
    memset(m->coefficients + dppair_sketch_at_(m, f, side, low), 0,
           (high - low) * stride * sizeof *sum);
  for (int side = 0; side < 2 && first < end; side++) {
    const double *own = sum + (side ? size : 0) + first * stride;
    const double *other = sum + (side ? 0 : size) + first * stride;
    double *to = m->coefficients + (side ? size : 0) + first * stride;
    if (f->terms > 8)
      dpv_translate(to, other, other, own, end - first, f, 1, side);
    else
      dpv_translate(to, other, other, own, end - first, f, 0, side);
  }
}

/* c[i] = the coefficient of each of n records, the positives first. */
DPPAIR_FN_ void dppair_sketch_read_TIER(double *c, const void *s, size_t n, size_t positives,
                                        const double *weight, const dppair_sketch *m,
                                        const dppair_fast *f, int is_f32) {
  const dppair_boxes_ all = dpv_boxes(-HUGE_VAL, HUGE_VAL, f);
  const size_t bytes = is_f32 ? sizeof(float) : sizeof(double);
  for (int side = 0; side < 2; side++) {
    const size_t from = side ? positives : 0, count = side ? n - positives : positives;
    const double *of = m->coefficients + dppair_sketch_at_(m, f, side, 0);
    if (!count) continue;
    if (f->terms > 8)
      dpv_evaluate(c + from, of, (const char *)s + from * bytes, count, is_f32, all, 1);
    else
      dpv_evaluate(c + from, of, (const char *)s + from * bytes, count, is_f32, all, 0);
  }
  for (size_t i = 0; weight && i < n; i += 8) {
    const DPV_T w = dpv_shares8_grid(weight, i, n);
    if (i + 8 <= n)
      DPV_STORE(c + i, DPV_MUL(DPV_LOAD(c + i), w));
    else
      DPV_STOREN(c + i, DPV_MUL(DPV_LOADN(c + i, n - i, 0.0), w), n - i);
  }
}
#undef DPB_MAGIC
#endif
/* ---- src/pairs/sorted.h ---------------------------------------------------------------------
 * Piecewise linear slopes, exactly, by sorted scores
 *
 * A coefficient is made of counts and sums of the partners beyond each knot. It relies on the grid
 * of fast_state.h and on core/sort.h; template.h checks the arguments. All arithmetic is in double.
 *
 * The scores of one class are sorted with a grid of two buckets per score; the rank of a threshold
 * is then found in one bucket. O(n) when the scores spread, O(n log n) at worst; time depends on
 * the data. A pair is beyond a knot when the difference of its two scores, rounded to double, is,
 * so both sides of the pair decide alike. Counts are integers.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_

#define DPS_FEW 16 /* scores in a bucket that insertion sorts faster */

/* The buckets of 8 numbers: scale (v - low), held within the grid and rounded. Monotone in v. */
DPPAIR_FORCE_INLINE_ void dpv_buckets(uint32_t *at, DPV_T v, const dppair_grid_ *g) {
  double m[8];
  DPV_T t = DPV_SUB(v, DPV_SET(g->low));
  t = DPV_MAX(DPV_MIN(t, DPV_SET(g->span)), DPV_SET(0.0));
  DPV_STORE(m, DPV_FMA(t, DPV_SET(g->scale), DPV_SET(DPN_TWO_P)));
  DPV_UNROLL_
  for (int l = 0; l < 8; l++) at[l] = (uint32_t)dppair_bits_f64_(m[l]);
}

/* The bucket of each score, and start[b + 2] = the number of scores in bucket b. */
DPPAIR_FORCE_INLINE_ void dpv_count(dppair_grid_ *g, const void *s, int is_f32, const double *cap) {
  uint32_t *start = g->start, at[8];
  for (size_t i = 0; i < g->n; i += 8) {
    const size_t rest = g->n - i < 8 ? g->n - i : 8;
    dpv_buckets(at, dpv_scores8_held(s, i, g->n, is_f32, cap), g);
    for (size_t l = 0; l < rest; l++) {
      start[at[l] + 2]++;
      g->bucket[i + l] = at[l];
    }
  }
}

/* g->mass[i] = the sum of the weights of the i smallest keys, g->sum[i] = that of their products
 * with the keys. The weight of a record goes to the first key that is equal to its score: a
 * threshold never parts equal keys. */
DPPAIR_FORCE_INLINE_ void dpv_masses(dppair_grid_ *g, const void *s, int is_f32, const double *cap,
                                     const double *weight) {
  double *mass = g->mass;
  size_t i;
  for (i = 0; i <= g->n; i++) mass[i] = 0.0;
  for (i = 0; i < g->n; i++) {
    const double score = dpv_row1(s, i, is_f32), v = cap ? dpv_held1(score, *cap) : score;
    size_t first = g->start[g->bucket[i]], end = g->start[g->bucket[i] + 1];
    while (first < end) {
      const size_t mid = first + (end - first) / 2;
      if (g->key[mid] < v)
        first = mid + 1;
      else
        end = mid;
    }
    mass[first + 1] += dppair_share_(weight[i]);
  }
  for (i = 0; i < g->n; i++) {
    g->sum[i + 1] = g->sum[i] + mass[i + 1] * g->key[i];
    mass[i + 1] += mass[i];
  }
}

/* Sorts the n scores, all in [low, high], into g->key; with `sums`, g->sum[i] = the sum of the
 * first i. With weights, what dpv_masses says. Buckets are already in order: crowded ones are
 * sorted on their own, and insertion does the rest. */
DPPAIR_FORCE_INLINE_ void dpv_grid(dppair_grid_ *g, const void *s, size_t n, int is_f32, double low,
                                   double high, const double *cap, int sums, const double *weight) {
  uint32_t *start = g->start, worst = 0;
  const size_t count = 2 * n;
  size_t i, b;
  g->n = n;
  g->low = low;
  g->span = high - low < 1e300 ? high - low : 1e300; /* no overflow */
  g->scale = g->span > 1e-290 ? (double)(count - 1) / g->span : 0.0;
  memset(start, 0, (count + 3) * sizeof *start);
  dpv_count(g, s, is_f32, cap);
  for (b = 2; b < count + 2; b++) {
    worst = start[b] > worst ? start[b] : worst;
    start[b] += start[b - 1];
  }
  /* start[b + 1] moves from the first place of bucket b to the first of the next bucket */
  for (i = 0; i < n; i++) {
    const double v = dpv_row1(s, i, is_f32);
    g->key[start[g->bucket[i] + 1]++] = cap ? dpv_held1(v, *cap) : v;
  }
  g->key[n] = g->key[n + 1] = HUGE_VAL;
  if (worst > DPS_FEW) {
    for (b = 0; b < count; b++)
      if (start[b + 1] - start[b] > DPS_FEW)
        dppair_sort_f64(g->key + start[b], start[b + 1] - start[b]);
  }
  dppair_insertion_sort_(g->key, n);
  g->sum[0] = 0.0;
  if (weight)
    dpv_masses(g, s, is_f32, cap, weight);
  else if (sums)
    for (i = 0; i < n; i++) g->sum[i + 1] = g->sum[i] + g->key[i];
}

/* 1 when the pair of score v, on the side that asks, and key k, on the sorted side, is beyond the
 * knot. */
#define DPS_BEYOND(k)                                                                              \
  (((negatives ? (k)-v : v - (k)) < knot) | (closed & ((negatives ? (k)-v : v - (k)) == knot)))

/* The number of keys before the change from one answer of DPS_BEYOND to the other, which is among
 * keys first..end: a look at two of them, or bisection where there are more. */
DPPAIR_FORCE_INLINE_ size_t dpv_change(const dppair_grid_ *g, size_t first, size_t end, double v,
                                       double knot, int closed, int negatives) {
  if (end - first > 2) {
    while (first < end) {
      const size_t mid = first + (end - first) / 2;
      if ((DPS_BEYOND(g->key[mid]) != 0) == negatives)
        first = mid + 1;
      else
        end = mid;
    }
  } else {
    const int one = (DPS_BEYOND(g->key[first]) != 0) == negatives;
    const int two = (DPS_BEYOND(g->key[first + 1]) != 0) == negatives;
    first += (size_t)((first < end) & one) + (size_t)((first + 1 < end) & one & two);
  }
  return first;
}

/* Adds one piece to out, for n scores s against the sorted ones of the other side. Positives
 * (negatives = 0) sum over partners with v - key < knot, which are the largest keys. Negatives sum
 * over those with key - v < knot, the smallest, and subtract. The change lies within `slack` of v -
 * knot (v + knot): rounding moves the differences by less than 4 epsilon of their terms. */
DPPAIR_FORCE_INLINE_ void dpv_piece(double *out, const void *s, size_t n, int is_f32,
                                    const dppair_grid_ *g, const dppair_piece *piece,
                                    const double *cap, int negatives, int weighted) {
  const int closed = piece->closed != 0;
  const double knot = piece->knot, total = g->sum[piece->factor != 0.0 ? g->n : 0];
  const DPV_T wide = DPV_SET(4.0 * DBL_EPSILON), size = DPV_SET(dppair_fabs_(knot));
  for (size_t i = 0; i < n; i += 8) {
    const DPV_T scores = dpv_scores8_held(s, i, n, is_f32, cap);
    const DPV_T x = negatives ? DPV_ADD(scores, DPV_SET(knot)) : DPV_SUB(scores, DPV_SET(knot));
    const DPV_T slack = DPV_MUL(wide, DPV_ADD(DPV_ABS(x), size));
    const size_t rest = n - i < 8 ? n - i : 8;
    double at[8];
    uint32_t from[8], upto[8];
    DPV_STORE(at, scores);
    dpv_buckets(from, DPV_SUB(x, slack), g);
    dpv_buckets(upto, DPV_ADD(x, slack), g);
    for (size_t l = 0; l < rest; l++) {
      const double v = at[l];
      const size_t first =
          dpv_change(g, g->start[from[l]], g->start[upto[l] + 1], v, knot, closed, negatives);
      const double number = weighted ? (negatives ? g->mass[first] : g->mass[g->n] - g->mass[first])
                                     : (double)(negatives ? first : g->n - first);
      if (piece->factor != 0.0) {
        const double sum = negatives ? g->sum[first] : total - g->sum[first];
        /* the sum of constant + factor (v - key), or minus that of constant + factor (key - v) */
        if (negatives)
          out[i + l] -= number * (piece->constant - piece->factor * v) + piece->factor * sum;
        else
          out[i + l] += number * (piece->constant + piece->factor * v) - piece->factor * sum;
      } else {
        out[i + l] += negatives ? -piece->constant * number : piece->constant * number;
      }
    }
  }
}
#undef DPS_BEYOND
#undef DPS_FEW

/* The sum of n scores, held within the cap, in 4 chains of 8 lanes. */
DPPAIR_FORCE_INLINE_ double dpv_total(const void *s, size_t n, int is_f32, const double *cap) {
  DPV_T sum[4];
  double rest = 0.0;
  size_t i = 0;
  DPV_UNROLL_
  for (int k = 0; k < 4; k++) sum[k] = DPV_SET(0.0);
  for (; i + 32 <= n; i += 32) {
    DPV_UNROLL_
    for (int k = 0; k < 4; k++)
      sum[k] = DPV_ADD(sum[k], dpv_scores8_held(s, i + 8 * (size_t)k, n, is_f32, cap));
  }
  for (; i < n; i++) {
    const double v = dpv_row1(s, i, is_f32);
    rest += cap ? dpv_held1(v, *cap) : v;
  }
  return rest + DPV_SUM(DPV_ADD(DPV_ADD(sum[0], sum[1]), DPV_ADD(sum[2], sum[3])));
}

/* The sum of n weights, or, where scores are given, of their products with those. */
DPPAIR_FORCE_INLINE_ double dpv_mass(const double *weight, const void *s, size_t n, int is_f32,
                                     const double *cap) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++) {
    const double v = s ? dpv_row1(s, i, is_f32) : 1.0;
    sum += dppair_share_(weight[i]) * (s && cap ? dpv_held1(v, *cap) : v);
  }
  return sum;
}

/* out[i] = intercept + factor s[i]: the pieces that hold for every pair. */
DPPAIR_FORCE_INLINE_ void dpv_everywhere(double *out, const void *s, size_t n, int is_f32,
                                         const double *cap, double intercept, double factor) {
  const DPV_T c = DPV_SET(intercept), f = DPV_SET(factor);
  for (size_t i = 0; i < n; i += 8) {
    const DPV_T v = DPV_FMA(f, dpv_scores8_held(s, i, n, is_f32, cap), c);
    if (i + 8 <= n)
      DPV_STORE(out + i, v);
    else
      DPV_STOREN(out + i, v, n - i);
  }
}

/* a and b, piece by piece. Pieces without a knot hold for every pair and need only a sum of scores;
 * the others need the sorted scores of the other side. */
DPPAIR_FORCE_INLINE_ void dpv_pieces(double *a, double *b, const void *sp, size_t np,
                                     const void *sn, size_t nn, const dppair_fast *f,
                                     const dppair_piece *pieces, int count, int is_f32,
                                     const double *wp, const double *wn) {
  double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
  const dppair_always_ all = dppair_pieces_always_(pieces, count);
  const double constant = all.constant, factor = all.factor;
  const double p = wp ? dpv_mass(wp, NULL, np, 0, NULL) : (double)np;
  const double n = wn ? dpv_mass(wn, NULL, nn, 0, NULL) : (double)nn;
  double sum_p = 0.0, sum_n = 0.0;
  const double *cap = NULL; /* where to hold scores, once one is beyond it */
  dppair_grid_ g;
  dpv_range(&low[0], &high[0], sp, np, is_f32);
  dpv_range(&low[1], &high[1], sn, nn, is_f32);
  for (int side = 0; side < 2; side++) {
    if (low[side] < -f->score_cap || high[side] > f->score_cap) cap = &f->score_cap;
    low[side] = dpv_held1(low[side], f->score_cap);
    high[side] = dpv_held1(high[side], f->score_cap);
  }
  if (factor != 0.0) {
    sum_p = wp ? dpv_mass(wp, sp, np, is_f32, cap) : dpv_total(sp, np, is_f32, cap);
    sum_n = wn ? dpv_mass(wn, sn, nn, is_f32, cap) : dpv_total(sn, nn, is_f32, cap);
  }
  dpv_everywhere(a, sp, np, is_f32, cap, n * constant - factor * sum_n, factor * n);
  dpv_everywhere(b, sn, nn, is_f32, cap, -(p * constant + factor * sum_p), factor * p);
  if (all.knots) dppair_grid_layout_(&g, f);
  for (int side = 0; side < 2 && all.knots; side++) {
    dpv_grid(&g, side ? sp : sn, side ? np : nn, is_f32, low[!side], high[!side], cap, all.sums,
             side ? wp : wn);
    for (int k = 0; k < count; k++) {
      if (!dppair_isfinite_f64(pieces[k].knot)) continue;
      if (side)
        dpv_piece(b, sn, nn, is_f32, &g, pieces + k, cap, 1, wp != NULL);
      else
        dpv_piece(a, sp, np, is_f32, &g, pieces + k, cap, 0, wn != NULL);
    }
  }
  for (size_t i = 0; wp && i < np; i++) a[i] *= dppair_share_(wp[i]);
  for (size_t i = 0; wn && i < nn; i++) b[i] *= dppair_share_(wn[i]);
}

/* NAME_coeffs_fast of a piecewise linear loss after its checks: a[np], b[nn] from finite scores,
 * which are float or double; with weights of both sides, or NULL. *status = OK. */
DPPAIR_FN_ void dppair_pieces_coeffs_TIER(dppair_status *status, double *a, double *b,
                                          const void *sp, size_t np, const void *sn, size_t nn,
                                          const dppair_fast *f, const dppair_piece *pieces,
                                          int count, int is_f32, const double *const *weight) {
  *status = DPPAIR_OK;
  dpv_pieces(a, b, sp, np, sn, nn, f, pieces, count, is_f32, weight ? weight[0] : NULL,
             weight ? weight[1] : NULL);
}
#endif
/* ---- src/tiles/multiply.h -------------------------------------------------------------------
 * The micro-kernel of the tiles
 *
 * A product of matrices for one tier and one type, and sums in double of vectors of either type. It
 * relies on the vocabulary only. The micro-kernel dpv_multiply computes
 *
 *   out[r][l] (+)= sum over t < steps of s[t][r] v[t][l],    r < rows, l < 3 vectors
 *
 * where rows of the three matrices begin ldo, lds and ldv numbers apart. Each number is one chain
 * of fused multiply-adds in the order of t. So the blocking, which follows the number of registers,
 * does not change a bit. dpv_multiply_rows has s[r][t] in its place: rows as they stand in memory.
 * ---------------------------------------------------------------------------------------------- */

#define DPM_OPEN(r) DPV_T c##r = add ? DPV_LOAD(out + r * ldo) : DPV_SET(0);
#define DPM_STEP(r) c##r = DPV_FMA(DPV_SET(s[r * gap]), x, c##r);
#define DPM_SAVE(r) DPV_STORE(out + r * ldo, dpv_margin(c##r, end, at + r, l));
#define DPM_EACH(e) e(0) e(1) e(2) e(3)

/* v, with the other sign where two labels differ. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_margin_sign(DPV_T v, DPV_T y, DPV_T other) {
  return dpv_bit_xor(v, DPV_SEL(DPV_EQ(y, other), DPV_SET(0), DPV_SET((DPV_R)-0.0)));
}

/* The sum c of row r at lanes l.., or where end = {hl, yl, hr, yr} is given the margin c + (hl[l] +
 * hr[r]), with the other sign where the labels yl[l] and yr[r] differ. */
DPPAIR_FORCE_INLINE_ DPV_T dpv_margin(DPV_T c, const DPV_R *const *end, size_t r, size_t l) {
  if (!end) return c;
  return dpv_margin_sign(DPV_ADD(c, DPV_ADD(DPV_LOAD(end[0] + l), DPV_SET(end[2][r]))),
                         DPV_LOAD(end[1] + l), DPV_SET(end[3][r]));
}

/* The product with numbers s[t lds + r gap], for one row and one vector; below, for four rows and
 * one, and for eight and three. The sums stay in registers. For dpv_margin the first row is row
 * `at`, and the first lane l. */
DPPAIR_FORCE_INLINE_ void dpv_multiply_1x1(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t steps,
                                           int add, const DPV_R *const *end, size_t at, size_t l) {
  DPM_OPEN(0)
  for (; steps > 0; steps--, v += ldv, s += lds) {
    const DPV_T x = DPV_LOAD(v);
    DPM_STEP(0)
  }
  DPM_SAVE(0)
}
DPPAIR_FORCE_INLINE_ void dpv_multiply_4x1(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t steps,
                                           int add, const DPV_R *const *end, size_t at, size_t l) {
  DPM_EACH(DPM_OPEN)
  for (; steps > 0; steps--, v += ldv, s += lds) {
    const DPV_T x = DPV_LOAD(v);
    DPM_EACH(DPM_STEP)
  }
  DPM_EACH(DPM_SAVE)
}
#undef DPM_OPEN
#undef DPM_STEP
#undef DPM_SAVE
#undef DPM_EACH

#if DPN_REGISTERS >= 32
#define DPM_OPEN1(c, l) DPV_T c = add ? DPV_LOAD(out + (l)) : DPV_SET(0);
#define DPM_OPEN(r)                                                                                \
  DPM_OPEN1(c##r, r *ldo)                                                                          \
  DPM_OPEN1(d##r, r *ldo + DPV_LANES) DPM_OPEN1(e##r, r *ldo + 2 * DPV_LANES)
#define DPM_STEP(r)                                                                                \
  {                                                                                                \
    const DPV_T w = DPV_SET(s[r * gap]);                                                           \
    c##r = DPV_FMA(w, x, c##r);                                                                    \
    d##r = DPV_FMA(w, y, d##r);                                                                    \
    e##r = DPV_FMA(w, z, e##r);                                                                    \
  }
#define DPM_SAVE(r)                                                                                \
  DPV_STORE(out + r * ldo, dpv_margin(c##r, end, at + r, 0));                                      \
  DPV_STORE(out + r * ldo + DPV_LANES, dpv_margin(d##r, end, at + r, DPV_LANES));                  \
  DPV_STORE(out + r * ldo + 2 * DPV_LANES, dpv_margin(e##r, end, at + r, 2 * DPV_LANES));
#define DPM_EACH(e) e(0) e(1) e(2) e(3) e(4) e(5) e(6) e(7)
DPPAIR_FORCE_INLINE_ void dpv_multiply_8x3(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t steps,
                                           int add, const DPV_R *const *end, size_t at) {
  DPM_EACH(DPM_OPEN)
  for (; steps > 0; steps--, v += ldv, s += lds) {
    const DPV_T x = DPV_LOAD(v), y = DPV_LOAD(v + DPV_LANES), z = DPV_LOAD(v + 2 * DPV_LANES);
    DPM_EACH(DPM_STEP)
  }
  DPM_EACH(DPM_SAVE)
}
#undef DPM_OPEN1
#undef DPM_OPEN
#undef DPM_STEP
#undef DPM_SAVE
#undef DPM_EACH
#endif

/* The product above, added to out when `add` is set, or with `end` its margins: eight rows by three
 * vectors at a time where the processor has 32 registers, then four by one and one by one. */
DPPAIR_FORCE_INLINE_ void dpv_multiply_any(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t gap, size_t rows,
                                           size_t steps, int add, const DPV_R *const *end) {
  size_t r = 0, l;
#if DPN_REGISTERS >= 32
  for (; r + 8 <= rows; r += 8)
    dpv_multiply_8x3(out + r * ldo, ldo, v, ldv, s + r * gap, lds, gap, steps, add, end, r);
#endif
  for (; r + 4 <= rows; r += 4)
    for (l = 0; l < 3 * DPV_LANES; l += DPV_LANES)
      dpv_multiply_4x1(out + r * ldo + l, ldo, v + l, ldv, s + r * gap, lds, gap, steps, add, end,
                       r, l);
  for (; r < rows; r++)
    for (l = 0; l < 3 * DPV_LANES; l += DPV_LANES)
      dpv_multiply_1x1(out + r * ldo + l, ldo, v + l, ldv, s + r * gap, lds, gap, steps, add, end,
                       r, l);
}
DPPAIR_OUT_OF_LINE_ void dpv_multiply(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                      const DPV_R *s, size_t lds, size_t rows, size_t steps,
                                      int add) {
  dpv_multiply_any(out, ldo, v, ldv, s, lds, 1, rows, steps, add, NULL);
}

/* out[r][l] = sum over t < steps of s[r][t] v[t][l]. */
DPPAIR_OUT_OF_LINE_ void dpv_multiply_rows(DPV_R *out, size_t ldo, const DPV_R *v, size_t ldv,
                                           const DPV_R *s, size_t lds, size_t rows, size_t steps) {
  dpv_multiply_any(out, ldo, v, ldv, s, 1, lds, rows, steps, 0, NULL);
}

/* out[r][l] = the margins (dpv_margin) of sums over t < steps of s[t][r] v[t][l], for blocks of
 * three vectors. While the next products are made, margins cost nothing. */
DPPAIR_OUT_OF_LINE_ void dpv_multiply_margins(DPV_R *out, const DPV_R *v, const DPV_R *s,
                                              size_t rows, size_t steps, const DPV_R *hl,
                                              const DPV_R *yl, const DPV_R *hr, const DPV_R *yr) {
  const size_t ld = 3 * DPV_LANES;
  const DPV_R *const end[4] = {hl, yl, hr, yr};
  dpv_multiply_any(out, ld, v, ld, s, ld, 1, rows, steps, 0, end);
}

/* The largest number of v, or 0 where none is above it. */
DPPAIR_FORCE_INLINE_ DPV_R dpv_largest(DPV_T v) {
  DPV_R lanes[DPV_LANES], most = 0;
  DPV_STORE(lanes, v);
  for (int l = 0; l < DPV_LANES; l++) most = lanes[l] > most ? lanes[l] : most;
  return most;
}

/* sum[l] += v[l] in double, for all lanes. */
DPPAIR_FORCE_INLINE_ void dpv_add_wide(double *sum, DPV_T v) {
#if DPPAIR_F64_
  DPV_STORE(sum, DPV_ADD(DPV_LOAD(sum), v));
#else
  float t[DPV_LANES];
  DPV_STORE(t, v);
  dpd_store(sum, dpd_add(dpd_load(sum), dpd_load_f32(t)));
  dpd_store(sum + 8, dpd_add(dpd_load(sum + 8), dpd_load_f32(t + 8)));
#endif
}

/* sum[l] += v[l] in double, for 8 lanes; a vector of 16 is folded, v[l] + v[l + 8]. */
DPPAIR_FORCE_INLINE_ void dpv_add_wide8(double *sum, DPV_T v) {
#if DPPAIR_F64_
  DPV_STORE(sum, DPV_ADD(DPV_LOAD(sum), v));
#else
  float t[DPV_LANES];
  DPV_STORE(t, v);
  dpd_store(sum, dpd_add(dpd_load(sum), dpd_add(dpd_load_f32(t), dpd_load_f32(t + 8))));
#endif
}

/* h[j][k] += sum over i < n of a[i][j] b[i][k], k <= j < d, and more of the upper triangle. Rows of
 * all three begin `pitch` numbers apart: a multiple of three vectors, d at least. */
#if DPPAIR_F64_
DPPAIR_FN_ void dppair_gram_f64_TIER(double *h, const double *b, const double *a, size_t d,
                                     size_t n, size_t pitch) {
  for (size_t k = 0; k < d; k += 3 * DPV_LANES)
    dpv_multiply(h + k * pitch + k, pitch, b + k, pitch, a + k, pitch, d - k, n, 1);
}
#endif
/* ---- src/simd/registers_end.h ---------------------------------------------------------------
 * End of a tier and type: its macros are undefined
 * ---------------------------------------------------------------------------------------------- */
#undef DPN_ADD
#undef DPN_ALL
#undef DPN_ADD_BITS
#undef DPN_AND
#undef DPN_BI
#undef DPN_CMP
#undef DPN_DIV
#undef DPN_EACH
#undef DPN_EPI
#undef DPN_EQ
#undef DPN_EVERY
#undef DPN_F
#undef DPN_FLOAT
#undef DPN_FMA
#undef DPN_INT
#undef DPN_IT
#undef DPN_K
#undef DPN_LE
#undef DPN_LOAD
#undef DPN_LOADF
#undef DPN_LT
#undef DPN_M
#undef DPN_MAND
#undef DPN_MAX
#undef DPN_MIN
#undef DPN_MOR
#undef DPN_MUL
#undef DPN_OR
#undef DPN_OWN_BITS
#undef DPN_OWN_ROWS8
#undef DPN_OWN_ROW_END
#undef DPN_OWN_SCALE
#undef DPN_OWN_SUMS8
#undef DPN_PD
#undef DPN_PER
#undef DPN_REGISTERS
#undef DPN_SEL
#undef DPN_SET
#undef DPN_SHL
#undef DPN_SHR
#undef DPN_SQRT
#undef DPN_STORE
#undef DPN_STOREF
#undef DPN_SUB
#undef DPN_T
#undef DPN_VECTORS
#undef DPN_XOR
/* ---- src/simd/constants_end.h ---------------------------------------------------------------
 * End of a body: the constants of its element type are undefined
 * ---------------------------------------------------------------------------------------------- */

#undef DPN_BIAS
#undef DPN_BITS
#undef DPN_C
#undef DPN_MAGIC
#undef DPN_MANTISSA
#undef DPN_NORM
#undef DPN_SIGN
#undef DPN_TWO_P
#endif

#elif DPPAIR_BODY_ == DPPAIR_BODY_PAIRS_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ || defined(DPPAIR_LOOPS_)
/* ---- src/pairs/loops.h ----------------------------------------------------------------------
 * The loops over all pairs, and over listed pairs
 *
 * Exact sums over pairs (i, j) of phi(sp[i] - sn[j]) and of its slope, for one instance and tier. A
 * slope is computed in the element type DPV_R; sums go to double after at most DPT_FLUSH additions.
 * The functions of template.h check the arguments and call these.
 * ---------------------------------------------------------------------------------------------- */

#define DPT_FLUSH 64 /* vectors that are added in DPV_R before they go to double */

/* Adds the first n numbers of v, in double, to sum[0..n). */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_add_to_TIER_(double *sum, DPV_T v, size_t n) {
  DPV_R t[DPV_LANES];
  DPV_STORE(t, v);
  for (size_t l = 0; l < n; l++) sum[l] += (double)t[l];
}

/* NAME_risk_not_private after its checks: *risk = sum over i < np, j < nn of phi(sp[i] - sn[j]). */
DPPAIR_FN_ void DPPAIR_NAME_risk_not_private_TIER(double *risk, const DPV_R *sp, size_t np,
                                                  const DPV_R *sn, size_t nn,
                                                  const double *params) {
  double total = 0.0;
  (void)params;
  for (size_t i = 0; i < np; i++) {
    const DPV_T s = DPV_SET(sp[i]);
    for (size_t j = 0; j < nn;) {
      DPV_T sum = DPV_SET((DPV_R)0);
      const size_t stop = nn - j > DPT_FLUSH * DPV_LANES ? j + DPT_FLUSH * DPV_LANES : nn;
      for (; j + DPV_LANES <= stop; j += DPV_LANES)
        sum = DPV_ADD(sum, DPPAIR_LOSS_VALUE(DPV_SUB(s, DPV_LOAD(sn + j))));
      if (j < stop) {
        const size_t rest = stop - j;
        DPV_R t[DPV_LANES];
        DPV_STORE(t, DPPAIR_LOSS_VALUE(DPV_SUB(s, DPV_LOADN(sn + j, rest, sn[j]))));
        for (size_t l = 0; l < rest; l++) total += (double)t[l];
        j = stop;
      }
      total += (double)DPV_SUM(sum);
    }
  }
  *risk = total;
}

/* The slope of a pair comes from the difference of its scores or, for a loss that splits, from the
 * product of a factor of each score. The product is used when both scores are at most DPT_NEAR in
 * size: then the factors and their product are normal numbers. Each pair chooses by its own two
 * scores, so a computed slope is a function of these alone, and a record changes only the slopes of
 * its own pairs. Both forms are computed only in blocks that have a larger score. */
#if DPPAIR_SPLIT_
#define DPT_NEAR (DPPAIR_TEMPLATE_F64_ ? 350 : 43)

/* The largest |s| of n scores. */
DPPAIR_FORCE_INLINE_ DPV_R DPPAIR_NAME_farthest_TIER_(const DPV_R *s, size_t n) {
  DPV_R most = 0;
  for (size_t i = 0; i < n; i++) {
    const DPV_R size = s[i] < 0 ? -s[i] : s[i];
    most = size > most ? size : most;
  }
  return most;
}
#endif

/* Four rows (or one) against a block of vectors of the other side: a[r] += the sum of row r's
 * slopes, columns[v] -= the sum over the rows. Both are sums in DPV_R over at most DPT_FLUSH
 * vectors or rows. keep: the lanes of the last vector that hold records. left_factor and
 * right_factor are used by losses that split. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_rows_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                 const DPV_R *left_factor, const DPV_T *right,
                                                 const DPV_T *right_factor, size_t vectors,
                                                 DPV_M keep, int rows, const double *params) {
  const DPV_T zero = DPV_SET((DPV_R)0);
  DPV_T row[4], s[4], c[4];
  (void)params;
#if DPPAIR_SPLIT_
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) s[r] = DPV_SET(left_factor[r]);
  (void)left;
  (void)right;
#else
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) s[r] = DPV_SET(left[r]);
  (void)left_factor;
  (void)right_factor;
#endif
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) row[r] = zero;
  for (size_t v = 0; v < vectors; v++) {
    DPV_UNROLL_
    for (int r = 0; r < rows; r++) {
#if DPPAIR_SPLIT_
      c[r] = DPPAIR_LOSS_JOIN(s[r], right_factor[v]);
#else
      c[r] = DPPAIR_LOSS_SLOPE(DPV_SUB(s[r], right[v]));
#endif
      if (v + 1 == vectors) c[r] = DPV_SEL(keep, c[r], zero);
      row[r] = DPV_ADD(row[r], c[r]);
    }
    if (rows == 4)
      columns[v] = DPV_SUB(columns[v], DPV_ADD(DPV_ADD(c[0], c[1]), DPV_ADD(c[2], c[3])));
    else
      columns[v] = DPV_SUB(columns[v], c[0]);
  }
  DPV_UNROLL_
  for (int r = 0; r < rows; r++) a[r] += (double)DPV_SUM(row[r]);
}

#if DPPAIR_SPLIT_
/* The same sums where a score is larger than DPT_NEAR. That is rare, so the loop over the rows
 * stays one: unrolled it would be most of the code of a loss. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_far_rows_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                    const DPV_R *left_factor, const DPV_T *right,
                                                    const DPV_T *right_factor, size_t vectors,
                                                    const DPV_M *keep, int rows,
                                                    const double *params) {
  const DPV_T zero = DPV_SET((DPV_R)0);
  DPV_T row[4], c[4];
  (void)params;
  for (int r = 0; r < 4; r++) row[r] = c[r] = zero;
  for (size_t v = 0; v < vectors; v++) {
    for (int r = 0; r < rows; r++) {
      const DPV_T s = DPV_SET(left[r]);
      const DPV_M within = DPV_LE(DPV_MAX(DPV_ABS(s), DPV_ABS(right[v])), DPV_SET(DPT_NEAR));
      const DPV_T joined = DPPAIR_LOSS_JOIN(DPV_SET(left_factor[r]), right_factor[v]);
      c[r] = DPV_SEL(within, joined, DPPAIR_LOSS_SLOPE(DPV_SUB(s, right[v])));
      if (v + 1 == vectors) c[r] = DPV_SEL(*keep, c[r], zero);
      row[r] = DPV_ADD(row[r], c[r]);
    }
    if (rows == 4)
      columns[v] = DPV_SUB(columns[v], DPV_ADD(DPV_ADD(c[0], c[1]), DPV_ADD(c[2], c[3])));
    else
      columns[v] = DPV_SUB(columns[v], c[0]);
  }
  for (int r = 0; r < rows; r++) a[r] += (double)DPV_SUM(row[r]);
}
#endif

/* At most DPT_FLUSH rows, four at a time. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_row_block_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                      const DPV_R *left_factor, const DPV_T *right,
                                                      const DPV_T *right_factor, size_t vectors,
                                                      DPV_M keep, size_t rows,
                                                      const double *params) {
  size_t i = 0;
  for (; i + 4 <= rows; i += 4)
    DPPAIR_NAME_rows_TIER_(a + i, columns, left + i, left_factor + i, right, right_factor, vectors,
                           keep, 4, params);
  for (; i < rows; i++)
    DPPAIR_NAME_rows_TIER_(a + i, columns, left + i, left_factor + i, right, right_factor, vectors,
                           keep, 1, params);
}

/* Loads `count` scores of the other side as vectors, the last of them filled up with its first
 * score; for a loss that splits, also the factors of their negatives, unless factor is NULL. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_block_TIER_(DPV_T *right, DPV_T *factor, const DPV_R *s,
                                                  size_t count, const double *params) {
  for (size_t v = 0, i = 0; i < count; v++, i += DPV_LANES) {
    const size_t rest = count - i;
    right[v] = rest >= DPV_LANES ? DPV_LOAD(s + i) : DPV_LOADN(s + i, rest, s[i]);
#if DPPAIR_SPLIT_
    if (factor) factor[v] = DPPAIR_LOSS_FACTOR(DPV_NEG(right[v]));
#endif
  }
  (void)factor;
  (void)params;
}

/* At most DPT_FLUSH scores `left` against such a block. wide: it has a score above DPT_NEAR. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_against_TIER_(double *a, DPV_T *columns, const DPV_R *left,
                                                    size_t rows, const DPV_T *right,
                                                    const DPV_T *factor, size_t vectors, DPV_M keep,
                                                    int wide, const double *params) {
#if DPPAIR_SPLIT_
  DPV_R of_left[DPT_FLUSH];
  for (size_t i = 0; i < rows; i += DPV_LANES) {
    const size_t some = rows - i < DPV_LANES ? rows - i : DPV_LANES;
    DPV_STOREN(of_left + i, DPPAIR_LOSS_FACTOR(DPV_LOADN(left + i, some, left[i])), some);
  }
  if (wide || DPPAIR_NAME_farthest_TIER_(left, rows) > DPT_NEAR) {
    for (size_t i = 0, some; i < rows; i += some) {
      some = rows - i >= 4 ? 4 : 1;
      DPPAIR_NAME_far_rows_TIER_(a + i, columns, left + i, of_left + i, right, factor, vectors,
                                 &keep, (int)some, params);
    }
  } else {
    DPPAIR_NAME_row_block_TIER_(a, columns, left, of_left, right, factor, vectors, keep, rows,
                                params);
  }
#else
  (void)wide;
  DPPAIR_NAME_row_block_TIER_(a, columns, left, left, right, factor, vectors, keep, rows, params);
#endif
}

/* NAME_coeffs after its checks. A block of DPT_FLUSH vectors of sn stays in the first cache while
 * all scores of sp pass by it, in blocks of DPT_FLUSH. */
DPPAIR_FN_ void DPPAIR_NAME_coeffs_TIER(double *a, double *b, const DPV_R *sp, size_t np,
                                        const DPV_R *sn, size_t nn, const double *params) {
  DPV_R lanes[DPV_LANES];
  for (size_t i = 0; i < np; i++) a[i] = 0.0;
  for (size_t j = 0; j < nn; j++) b[j] = 0.0;
  for (int l = 0; l < DPV_LANES; l++) lanes[l] = (DPV_R)l;
  for (size_t j0 = 0; j0 < nn; j0 += DPT_FLUSH * DPV_LANES) {
    const size_t count = nn - j0 > DPT_FLUSH * DPV_LANES ? DPT_FLUSH * DPV_LANES : nn - j0;
    const size_t vectors = (count + DPV_LANES - 1) / DPV_LANES;
    const size_t last = count - (vectors - 1) * DPV_LANES;
    const DPV_M keep = DPV_LT(DPV_LOAD(lanes), DPV_SET((DPV_R)last));
    DPV_T right[DPT_FLUSH], columns[DPT_FLUSH];
#if DPPAIR_SPLIT_
    DPV_T factor[DPT_FLUSH];
    const int wide = DPPAIR_NAME_farthest_TIER_(sn + j0, count) > DPT_NEAR;
#else
    DPV_T *const factor = right; /* not used */
    const int wide = 0;
#endif
    DPPAIR_NAME_block_TIER_(right, factor, sn + j0, count, params);
    for (size_t i0 = 0; i0 < np; i0 += DPT_FLUSH) {
      const size_t rows = np - i0 > DPT_FLUSH ? DPT_FLUSH : np - i0;
      for (size_t v = 0; v < vectors; v++) columns[v] = DPV_SET((DPV_R)0);
      DPPAIR_NAME_against_TIER_(a + i0, columns, sp + i0, rows, right, factor, vectors, keep, wide,
                                params);
      for (size_t v = 0; v < vectors; v++)
        DPPAIR_NAME_add_to_TIER_(b + j0 + v * DPV_LANES, columns[v],
                                 v + 1 < vectors ? DPV_LANES : last);
    }
  }
}

#if DPPAIR_WEIGHTS
/* ---- src/pairs/weighted_kernels.h -----------------------------------------------------------
 * The loops over weighted pairs
 *
 * Sums over pairs of weighted records, and over the pairs inside each user, for one instance and
 * tier. They share the constants of loops.h.
 * ---------------------------------------------------------------------------------------------- */

/* NAME_weighted_TIER for at most DPT_FLUSH pairs, of which lanes are then full: np rows of fewer
 * vectors would leave most of them empty. Sums in double. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_weighted_few_TIER_(double *a, double *b, const DPV_R *sp,
                                                         const double *wp, size_t np,
                                                         const DPV_R *sn, const double *wn,
                                                         size_t nn, double sign,
                                                         const double *params) {
  DPV_R c[DPT_FLUSH + DPV_LANES];
  double share[DPT_FLUSH], column[DPT_FLUSH];
  const size_t m = np * nn;
  size_t k = 0;
  (void)params;
  for (size_t i = 0; i < np; i++)
    for (size_t j = 0; j < nn; j++) c[k++] = sp[i] - sn[j];
  for (; k % DPV_LANES != 0; k++) c[k] = c[0];
  for (k = 0; k < m; k += DPV_LANES) DPV_STORE(c + k, DPPAIR_LOSS_SLOPE(DPV_LOAD(c + k)));
  for (size_t j = 0; j < nn; j++) {
    share[j] = dppair_share_(wn[j]);
    column[j] = 0.0;
  }
  k = 0;
  for (size_t i = 0; i < np; i++) {
    const double own = sign * dppair_share_(wp[i]);
    double row = 0.0;
    for (size_t j = 0; j < nn; j++, k++) {
      row += (double)c[k] * share[j];
      column[j] += (double)c[k] * own;
    }
    a[i] += own * row;
  }
  for (size_t j = 0; j < nn; j++) b[j] -= share[j] * column[j];
}

/*
 * Adds to a and b `sign` times what NAME_coeffs computes, over weighted partners and times the own
 * weight: a[i] += sign wp[i] sum over j of wn[j] c_ij, and b alike. Weights count as dppair_share_
 * says. One slope a pair, from the difference of its scores; sums in DPV_R over at most DPT_FLUSH
 * vectors or rows. A weight and a product are rounded there too: with the sum of the lanes no more
 * than 80 roundings, as in NAME_coeffs.
 */
DPPAIR_FN_ void DPPAIR_NAME_weighted_TIER(double *a, double *b, const DPV_R *sp, const double *wp,
                                          size_t np, const DPV_R *sn, const double *wn, size_t nn,
                                          double sign, const double *params) {
  (void)params;
  if (np == 0 || nn == 0) return;
  if (np <= DPT_FLUSH / nn) {
    DPPAIR_NAME_weighted_few_TIER_(a, b, sp, wp, np, sn, wn, nn, sign, params);
    return;
  }
  for (size_t j0 = 0; j0 < nn; j0 += DPT_FLUSH * DPV_LANES) {
    const size_t count = nn - j0 > DPT_FLUSH * DPV_LANES ? DPT_FLUSH * DPV_LANES : nn - j0;
    const size_t vectors = (count + DPV_LANES - 1) / DPV_LANES;
    DPV_T right[DPT_FLUSH], columns[DPT_FLUSH];
    DPV_R share[DPT_FLUSH * DPV_LANES];
    for (size_t j = 0; j < vectors * DPV_LANES; j++)
      share[j] = j < count ? (DPV_R)dppair_share_(wn[j0 + j]) : (DPV_R)0;
    DPPAIR_NAME_block_TIER_(right, NULL, sn + j0, count, params);
    for (size_t i0 = 0; i0 < np; i0 += DPT_FLUSH) {
      const size_t end = np - i0 > DPT_FLUSH ? i0 + DPT_FLUSH : np;
      for (size_t v = 0; v < vectors; v++) columns[v] = DPV_SET((DPV_R)0);
      for (size_t i = i0; i < end; i++) {
        const double own = dppair_share_(wp[i]);
        const DPV_T s = DPV_SET(sp[i]), left = DPV_SET((DPV_R)own);
        DPV_T row = DPV_SET((DPV_R)0);
        for (size_t v = 0; v < vectors; v++) {
          const DPV_T c = DPPAIR_LOSS_SLOPE(DPV_SUB(s, right[v]));
          row = DPV_ADD(row, DPV_MUL(c, DPV_LOAD(share + v * DPV_LANES)));
          columns[v] = DPV_SUB(columns[v], DPV_MUL(c, left));
        }
        a[i] += sign * own * (double)DPV_SUM(row);
      }
      for (size_t v = 0; v < vectors; v++) {
        const size_t at = v * DPV_LANES, rest = count - at < DPV_LANES ? count - at : DPV_LANES;
        DPV_R t[DPV_LANES];
        DPV_STORE(t, columns[v]);
        for (size_t l = 0; l < rest; l++)
          b[j0 + at + l] += sign * dppair_share_(wn[j0 + at + l]) * (double)t[l];
      }
    }
  }
}

/* Users wait until each lane has one. s[side] has record i of all of them at i DPV_LANES, w[side]
 * its weight, 0 past the user's last record. */
typedef struct DPPAIR_NAME_lanes_TIER_ {
  DPV_R s[2][DPPAIR_OWN_ * DPV_LANES], w[2][DPPAIR_OWN_ * DPV_LANES];
  DPV_R size[2][DPV_LANES]; /* of each user's classes, and the largest */
  size_t from[2][DPV_LANES], most[2], user[DPV_LANES], used;
} DPPAIR_NAME_lanes_TIER_;

/* Makes lanes complete that have scores: fills them up with a score of the lane, or of lane 0; sets
 * their weights to 1/k where none are given; remote: the largest |s| of each lane. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_lanes_fill_TIER_(DPPAIR_NAME_lanes_TIER_ *q, DPV_R *remote,
                                                       int given) {
  const DPV_T zero = DPV_SET((DPV_R)0), one = DPV_SET((DPV_R)1);
  DPV_T share, size[2], most = zero;
  for (size_t l = q->used; l < DPV_LANES; l++) q->size[0][l] = q->size[1][l] = 0;
  for (int side = 0; side < 2; side++) size[side] = DPV_LOAD(q->size[side]);
  share = DPV_DIV(one, DPV_MAX(one, DPV_ADD(size[0], size[1])));
  for (int side = 0; side < 2; side++) {
    const DPV_M some = DPV_LT(zero, size[side]);
    const DPV_T first = DPV_SEL(some, DPV_LOAD(q->s[side]), DPV_SET(q->s[side][0]));
    for (size_t i = 0; i < q->most[side]; i++) {
      const DPV_M in = DPV_LT(DPV_SET((DPV_R)i), size[side]);
      const DPV_T v = DPV_SEL(in, DPV_LOAD(q->s[side] + i * DPV_LANES), first);
      const DPV_T w = given ? DPV_LOAD(q->w[side] + i * DPV_LANES) : share;
      DPV_STORE(q->s[side] + i * DPV_LANES, v);
      DPV_STORE(q->w[side] + i * DPV_LANES, DPV_SEL(in, w, zero));
      most = DPV_MAX(DPV_ABS(v), most);
    }
  }
  DPV_STORE(remote, most);
}

/* Puts the sums over the own pairs of each lane, weighted, in place of the weights: at most
 * DPPAIR_OWN_ additions, and two products, in DPV_R. What a lane gets is a function of that lane.
 */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_lanes_sum_TIER_(DPPAIR_NAME_lanes_TIER_ *q,
                                                      const double *params) {
  DPV_T column[DPPAIR_OWN_];
  (void)params;
  for (size_t j = 0; j < q->most[1]; j++) column[j] = DPV_SET((DPV_R)0);
  for (size_t i = 0; i < q->most[0]; i++) {
    const DPV_T left = DPV_LOAD(q->s[0] + i * DPV_LANES), own = DPV_LOAD(q->w[0] + i * DPV_LANES);
    DPV_T row = DPV_SET((DPV_R)0);
    for (size_t j = 0; j < q->most[1]; j++) {
      const DPV_T c = DPPAIR_LOSS_SLOPE(DPV_SUB(left, DPV_LOAD(q->s[1] + j * DPV_LANES)));
      row = DPV_ADD(row, DPV_MUL(c, DPV_LOAD(q->w[1] + j * DPV_LANES)));
      column[j] = DPV_SUB(column[j], DPV_MUL(c, own));
    }
    DPV_STORE(q->w[0] + i * DPV_LANES, DPV_MUL(own, row));
  }
  for (size_t j = 0; j < q->most[1]; j++) {
    DPV_R *const w = q->w[1] + j * DPV_LANES;
    DPV_STORE(w, DPV_MUL(DPV_LOAD(w), column[j]));
  }
}

/* Subtracts from a and b the own pairs of users *next, *next + 1, ..., who have at most
 * DPPAIR_OWN_ records in each class and no score beyond the cap. weight: NULL for 1/k each. Those
 * who have own pairs, but more records or such a score, are listed in left, *others of them; when
 * that may be full next, this ends, with *next behind the last user that was looked at. */
DPPAIR_FN_ void DPPAIR_NAME_own_TIER(size_t *next, size_t *left, size_t *others, double *a,
                                     double *b, const DPV_R *sp, const DPV_R *sn,
                                     const double *weight, const dppair_groups *g, double cap,
                                     const double *params) {
  const double *const weights[2] = {weight, weight ? weight + g->positive[g->count] : NULL};
  const DPV_R *const scores[2] = {sp, sn};
  const size_t *const places[2] = {g->positive, g->negative};
  double *const to[2] = {a, b};
  DPPAIR_NAME_lanes_TIER_ q;
  DPV_R remote[DPV_LANES];
  size_t k = *next;
  memset(&q, 0, sizeof q);
  *others = 0;
  while (k < g->count && *others + DPV_LANES < DPPAIR_LEFT_) {
    const size_t size[2] = {g->positive[k + 1] - g->positive[k],
                            g->negative[k + 1] - g->negative[k]};
    if (size[0] > 0 && size[1] > 0) {
      if (size[0] <= DPPAIR_OWN_ && size[1] <= DPPAIR_OWN_) {
        DPV_UNROLL_
        for (int side = 0; side < 2; side++) {
          const size_t from = places[side][k];
          for (size_t i = 0; i < DPPAIR_OWN_; i++) { /* few: not worth vectors */
            if (i >= size[side]) break;
            q.s[side][i * DPV_LANES + q.used] = scores[side][from + i];
            if (weight) q.w[side][i * DPV_LANES + q.used] = (DPV_R)weights[side][from + i];
          }
          q.from[side][q.used] = from;
          q.size[side][q.used] = (DPV_R)size[side];
          if (size[side] > q.most[side]) q.most[side] = size[side];
        }
        q.user[q.used++] = k;
      } else {
        left[(*others)++] = k;
      }
    }
    k++;
    if (q.used == 0 || (q.used < DPV_LANES && k < g->count && *others + DPV_LANES < DPPAIR_LEFT_))
      continue;
    DPPAIR_NAME_lanes_fill_TIER_(&q, remote, weight != NULL);
    DPPAIR_NAME_lanes_sum_TIER_(&q, params);
    for (size_t l = 0; l < q.used; l++) {
      if ((double)remote[l] > cap) {
        left[(*others)++] = q.user[l];
        continue;
      }
      DPV_UNROLL_
      for (int side = 0; side < 2; side++) {
        double *const sum = to[side] + q.from[side][l];
        const size_t count = (size_t)q.size[side][l];
        for (size_t i = 0; i < DPPAIR_OWN_; i++) {
          if (i >= count) break;
          sum[i] -= (double)q.w[side][i * DPV_LANES + l];
        }
      }
    }
    q.used = q.most[0] = q.most[1] = 0;
  }
  *next = k;
}
#endif

/* NAME_pairs after its checks; adds to a and b, in the order of the list. The last group of lanes
 * repeats its last pair and drops the copies. */
DPPAIR_FN_ void DPPAIR_NAME_pairs_TIER(double *a, double *b, const DPV_R *sp, const DPV_R *sn,
                                       const size_t *i, const size_t *j, const double *weight,
                                       size_t m, const double *params) {
  (void)params;
  for (size_t k = 0; k < m; k += DPV_LANES) {
    const size_t rest = m - k < DPV_LANES ? m - k : DPV_LANES;
    DPV_R u[DPV_LANES], c[DPV_LANES];
    for (size_t l = 0; l < DPV_LANES; l++) {
      const size_t at = k + (l < rest ? l : rest - 1);
      u[l] = sp[i[at]] - sn[j[at]];
    }
    DPV_STORE(c, DPPAIR_LOSS_SLOPE(DPV_LOAD(u)));
    for (size_t l = 0; l < rest; l++) {
      const double v = weight ? weight[k + l] * (double)c[l] : (double)c[l];
      a[i[k + l]] += v;
      b[j[k + l]] -= v;
    }
  }
}
#undef DPT_NEAR
#undef DPT_FLUSH
#endif
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
/* ---- src/tiles/of_bodies.h ------------------------------------------------------------------
 * Loops over tiles and lists of pairs, for one tier: the chapters
 *
 * They read the numbers of dense rows; instances of other kinds (rows/table.h) have none.
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE
/* ---- src/tiles/packed_kernels.h -------------------------------------------------------------
 * Norms of packed blocks, for one tier
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_F64_ /* 8 numbers as doubles */
#define DPT_WIDE(p) DPV_LOAD(p)
#else
#define DPT_WIDE(p) dpd_load_f32(p)
#endif

/* The largest |x| of a packed array of n numbers, or -1 when one is not finite. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_packed_top_TIER_(const DPV_R *x, size_t n) {
  DPV_T top = DPV_SET(0), odd = DPV_SET(0);
  for (size_t e = 0; e < n; e += DPV_LANES) {
    const DPV_T v = DPV_LOAD(x + e);
    top = DPV_MAX(top, DPV_ABS(v));
    odd = DPV_ADD(odd, DPV_MUL(v, DPV_SET(0))); /* NaN once v is not finite */
  }
  return dppair_isfinite_f64((double)DPV_SUM(odd)) ? (double)dpv_largest(top) : -1.0;
}

/* norm2[l] = the squared norms of a packed block of k numbers each, summed in double, with their
 * margin (NAME_tiles_margin_); returns the largest norm. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_packed_norms_TIER_(DPV_R *norm2, const DPV_R *x, size_t k) {
  double sums[8], largest = 0.0;
  for (size_t l = 0; l < DPT_W; l += 8) {
    dpd_t sum = dpd_set(0.0);
    for (size_t f = 0; f < k; f++) {
      const dpd_t v = DPT_WIDE(x + f * DPT_W + l);
      sum = dpd_fma(v, v, sum);
    }
    dpd_store(sums, sum);
    for (size_t e = 0; e < 8; e++) {
      const double g = DPPAIR_NAME_tiles_margin_(sums[e], k);
      norm2[l + e] = (DPV_R)g;
      largest = g > largest ? g : largest;
    }
  }
  return dppair_sqrt_(largest);
}
/* ---- src/tiles/clip_kernels.h ---------------------------------------------------------------
 * Per-pair clipping of linear margins
 *
 * A block of DPT_W positives (lanes) against the negatives (rows), for one instance and tier. It
 * relies on clip_state.h, and on multiply.h for inner products. NAME_clip_coeffs in template.h says
 * what is computed.
 * ---------------------------------------------------------------------------------------------- */

/* w[j][l] = phi'(sp[i0 + l] - sn[j0 + j]) for j < rows; returns the largest |w|. */
DPPAIR_OUT_OF_LINE_ double DPPAIR_NAME_clip_slopes_TIER_(const DPPAIR_NAME_clip_ *t, DPV_R *w,
                                                         size_t rows, size_t i0, size_t j0) {
  const double *params = t->params;
  const DPV_R *sp = t->sp + i0, *sn = t->sn + j0;
  const DPV_T p0 = DPV_LOAD(sp), p1 = DPV_LOAD(sp + DPV_LANES), p2 = DPV_LOAD(sp + 2 * DPV_LANES);
  DPV_T top = DPV_SET(0);
  (void)params;
  for (size_t j = 0; j < rows; j++, w += DPT_W) {
    const DPV_T s = DPV_SET(sn[j]);
    const DPV_T u0 = DPV_SUB(p0, s), u1 = DPV_SUB(p1, s), u2 = DPV_SUB(p2, s);
    const DPV_T a = DPPAIR_LOSS_SLOPE(u0), b = DPPAIR_LOSS_SLOPE(u1), c = DPPAIR_LOSS_SLOPE(u2);
    DPV_STORE(w, a);
    DPV_STORE(w + DPV_LANES, b);
    DPV_STORE(w + 2 * DPV_LANES, c);
    top = DPV_MAX(top, DPV_MAX(DPV_MAX(DPV_ABS(a), DPV_ABS(b)), DPV_ABS(c)));
  }
  return (double)dpv_largest(top);
}

/* Replaces the inner products in cap by cap[j][l] <= clip/|xp_i - xn_j|; caps that are not normal
 * numbers become 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_caps_TIER_(const DPPAIR_NAME_clip_ *t, DPV_R *cap,
                                                     size_t rows, size_t i0, size_t j0) {
  const DPV_T limit = DPV_SET(t->limit), least = DPV_SET(DPT_MIN), minus_two = DPV_SET(-2);
  for (size_t j = 0; j < rows; j++) {
    const DPV_T g = DPV_SET(t->gn[j0 + j]);
    for (size_t l = 0; l < DPT_W; l += DPV_LANES, cap += DPV_LANES) {
      const DPV_T d2 = DPV_FMA(minus_two, DPV_LOAD(cap), DPV_ADD(DPV_LOAD(t->gp + i0 + l), g));
      const DPV_T c = DPV_DIV(limit, DPV_SQRT(d2));
      DPV_STORE(cap, DPV_SEL(DPV_LT(c, least), DPV_SET(0), c));
    }
  }
}

/* Holds each w within [-cap, cap]. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_hold_TIER_(DPV_R *w, const DPV_R *cap, size_t rows) {
  for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES) {
    const DPV_T c = DPV_LOAD(cap + e);
    DPV_STORE(w + e, DPV_MIN(c, DPV_MAX(DPV_NEG(c), DPV_LOAD(w + e))));
  }
}

/* Adds the weights w to the sums of their lanes (t->row) and of their rows (t->col), in double. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_sums_TIER_(const DPPAIR_NAME_clip_ *t, const DPV_R *w,
                                                     size_t rows, size_t j0) {
  for (size_t l = 0; l < DPT_W; l += 24) {
    dpd_t a0 = dpd_load(t->row + l), a1 = dpd_load(t->row + l + 8);
    dpd_t a2 = dpd_load(t->row + l + 16);
    for (size_t j = 0; j < rows; j++) {
      const DPV_R *p = w + j * DPT_W + l;
      double *col = t->col + 8 * (j0 + j);
      const dpd_t x0 = DPT_WIDE(p), x1 = DPT_WIDE(p + 8), x2 = DPT_WIDE(p + 16);
      a0 = dpd_add(a0, x0);
      a1 = dpd_add(a1, x1);
      a2 = dpd_add(a2, x2);
      dpd_store(col, dpd_add(dpd_load(col), dpd_add(dpd_add(x0, x1), x2)));
    }
    dpd_store(t->row + l, a0);
    dpd_store(t->row + l + 8, a1);
    dpd_store(t->row + l + 16, a2);
  }
}

/* Caps of a cache as numbers: each is the upper half of the bits of a float, rounded down. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_clip_widen_TIER_(DPV_R *cap, const uint16_t *from) {
  float f[DPV_LANES];
  uint32_t u[DPV_LANES];
  for (int l = 0; l < DPV_LANES; l++) u[l] = (uint32_t)from[l] << 16;
  memcpy(f, u, sizeof f);
#if DPPAIR_F64_
  DPV_STORE(cap, DPV_LOAD_F32(f));
#else
  DPV_STORE(cap, DPV_LOAD(f));
#endif
}

/* out[j][l] = the inner products of block b of the positives with rows j0.. of the negatives. */
DPPAIR_FORCE_INLINE_ void DPPAIR_NAME_clip_dots_TIER_(const DPPAIR_NAME_clip_ *t, DPV_R *out,
                                                      size_t rows, size_t b, size_t j0) {
  dpv_multiply(out, DPT_W, t->xp + b * t->d * DPT_W, DPT_W, t->xn + j0 / DPT_W * t->d * DPT_W,
               DPT_W, rows, t->d, 0);
}

/* Checks the numbers of both sides and computes squared norms, with their margins, and the largest
 * norm of each block. NOT_FINITE, OVERFLOW. */
DPPAIR_OUT_OF_LINE_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_clip_norms_TIER_(const DPPAIR_NAME_clip_ *t) {
  const double p = DPPAIR_NAME_packed_top_TIER_(t->xp, t->blocks_p * t->d * DPT_W);
  const double n = DPPAIR_NAME_packed_top_TIER_(t->xn, t->blocks_n * t->d * DPT_W),
               top = p > n ? p : n;
  if (p < 0.0 || n < 0.0) return DPPAIR_ERR_NOT_FINITE;
  if (!((double)t->d * top * top <= DPT_ROOM)) return DPPAIR_ERR_OVERFLOW;
  for (size_t b = 0; b < t->blocks_p; b++)
    t->reach_p[b] =
        DPPAIR_NAME_packed_norms_TIER_(t->gp + b * DPT_W, t->xp + b * t->d * DPT_W, t->d);
  for (size_t b = 0; b < t->blocks_n; b++)
    t->reach_n[b] =
        DPPAIR_NAME_packed_norms_TIER_(t->gn + b * DPT_W, t->xn + b * t->d * DPT_W, t->d);
  return DPPAIR_OK;
}

/* The weights of block b of the positives with rows j0.. of the negatives, each held within its
 * cap, in t->tile. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_weigh_TIER_(const DPPAIR_NAME_clip_ *t, size_t rows,
                                                      size_t b, size_t j0) {
  const size_t i0 = b * DPT_W;
  const double top = DPPAIR_NAME_clip_slopes_TIER_(t, t->tile, rows, i0, j0);
  const double reach = t->reach_p[b] + t->reach_n[j0 / DPT_W];
  if (!t->clipped || DPPAIR_NAME_tiles_spared_(t->limit, top, reach)) return;
  if (t->cache) {
    const uint16_t *from = t->cache + (b * t->nn + j0) * DPT_W;
    for (size_t e = 0; e < rows * DPT_W; e += DPV_LANES)
      DPPAIR_NAME_clip_widen_TIER_(t->dot + e, from + e);
  } else {
    DPPAIR_NAME_clip_dots_TIER_(t, t->dot, rows, b, j0);
    DPPAIR_NAME_clip_caps_TIER_(t, t->dot, rows, i0, j0);
  }
  DPPAIR_NAME_clip_hold_TIER_(t->tile, t->dot, rows);
}

/* a and b from the prepared state, in strips of DPT_W positives. Lanes without a record count 0. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_all_TIER_(double *a, double *b,
                                                    const DPPAIR_NAME_clip_ *t) {
  memset(t->col, 0, t->blocks_n * DPT_W * 8 * sizeof *t->col);
  for (size_t i0 = 0, block = 0; i0 < t->np; i0 += DPT_W, block++) {
    const size_t lanes = t->np - i0 < DPT_W ? t->np - i0 : DPT_W;
    memset(t->row, 0, DPT_W * sizeof *t->row);
    for (size_t j0 = 0; j0 < t->nn; j0 += DPT_W) {
      const size_t rows = t->nn - j0 < DPT_W ? t->nn - j0 : DPT_W;
      DPPAIR_NAME_clip_weigh_TIER_(t, rows, block, j0);
      for (size_t j = 0; lanes < DPT_W && j < rows; j++)
        for (size_t l = lanes; l < DPT_W; l++) t->tile[j * DPT_W + l] = 0;
      DPPAIR_NAME_clip_sums_TIER_(t, t->tile, rows, j0);
    }
    memcpy(a + i0, t->row, lanes * sizeof *a);
  }
  for (size_t j = 0; j < t->nn; j++) {
    const double *c = t->col + 8 * j;
    b[j] = -(((c[0] + c[1]) + (c[2] + c[3])) + ((c[4] + c[5]) + (c[6] + c[7])));
  }
}

/* The caps of all pairs, in the order in which NAME_clip_weigh reads them. */
DPPAIR_OUT_OF_LINE_ void DPPAIR_NAME_clip_store_TIER_(uint16_t *cache, const DPPAIR_NAME_clip_ *t) {
  for (size_t i0 = 0, block = 0; i0 < t->np; i0 += DPT_W, block++)
    for (size_t j0 = 0; j0 < t->nn; j0 += DPT_W) {
      const size_t rows = t->nn - j0 < DPT_W ? t->nn - j0 : DPT_W;
      DPPAIR_NAME_clip_dots_TIER_(t, t->dot, rows, block, j0);
      DPPAIR_NAME_clip_caps_TIER_(t, t->dot, rows, i0, j0);
      for (size_t e = 0; e < rows * DPT_W; e++)
        cache[(block * t->nn + j0) * DPT_W + e] = dppair_short_cap_((double)t->dot[e]);
    }
}

/* NAME_clip_coeffs on this tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs_TIER(
    double *a, double *b, const DPV_R *sp, const DPV_R *sn, const DPPAIR_ROWS_ *rows,
    const uint16_t *cache, size_t count, const dppair_options *options) {
  DPPAIR_NAME_clip_ t;
  dppair_status status = DPPAIR_NAME_clip_open_(&t, a, b, sp, sn, rows, cache, count, options);
  if (status == DPPAIR_OK && !cache) status = DPPAIR_NAME_clip_norms_TIER_(&t);
  if (status != DPPAIR_OK || t.np == 0 || t.nn == 0) return status;
  DPPAIR_NAME_clip_all_TIER_(a, b, &t);
  return dppair_settle_(DPPAIR_OK, a, t.np, b, t.nn);
}

/* NAME_clip_cache on this tier. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache_TIER(
    uint16_t *cache, size_t count, const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  DPPAIR_NAME_clip_ t;
  dppair_status status = DPPAIR_NAME_clip_open_cache_(&t, cache, count, rows, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_clip_norms_TIER_(&t);
  if (status != DPPAIR_OK) return status;
  DPPAIR_NAME_clip_head_(cache, dppair_clip_bound_(options), rows->n);
  DPPAIR_NAME_clip_store_TIER_(cache + DPPAIR_CACHE_HEAD_, &t);
  return DPPAIR_OK;
}
#endif
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_BODIES_
/* ---- src/pairs/slots.h ----------------------------------------------------------------------
 * Slots: what modules add to each instance
 *
 * A module that adds functions to an instance is included before it, and then read again at each
 * stage of it: DPPAIR_STAGE_ says which, DPPAIR_MODULE_NAME_ that this module is asked. Outside of a
 * stage the module is read once, for what no instance enters. An instance without pairs of its own
 * has pairs/loops.h where its module defines DPPAIR_LOOPS_ with the states.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include DPPAIR_CONTRAST_SELF
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include DPPAIR_INFLUENCE_SELF
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include DPPAIR_METRIC_SELF
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include DPPAIR_POINTWISE_SELF
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include DPPAIR_SCALE_SELF
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include DPPAIR_TOP_SELF
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#endif

DPPAIR_REGION_END_
/* ---- src/simd/type_end.h --------------------------------------------------------------------
 * End of a body: its type is undefined
 * ---------------------------------------------------------------------------------------------- */
#undef DPPAIR_F64_
#undef DPPAIR_TYPE_NAME_
#undef DPV_R
#undef DPV_LANES
#undef DPPAIR_SUFFIX_
#undef DPT_WIDE
#endif

/* With the widest tier all kernels of a type of rows are there, and the functions that call them
 * follow. */
#ifdef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_BLOCKS_NOW_
#endif
#if DPPAIR_BODY_ == DPPAIR_BODY_BLOCKS_ || defined(DPPAIR_BLOCKS_NOW_)
/* ---- src/rows/template.h --------------------------------------------------------------------
 * Blocks of rows of one type: the functions
 *
 * Written dppair_x_ROW, compiled dppair_x_f64 and dppair_x_f32 always, dppair_x_i8 and the others
 * of rows/narrow.h once each where DPPAIR_ROW asks for them. What differs:
 *
 *   ROW          elements           scores, w, y    least factor    OVERFLOW of rows of a radius
 *   f64          double             double          2^-512          radius |w| above 1e150
 *   f32          float              float           2^-64           radius |w| above 1e18
 *   bf16 f16     uint16_t           float           2^-64           as f32, and where the largest
 *   i16 i8       int16_t, int8_t    float           2^-64           element sqrt(d) |w| passes 4e37
 *
 * The functions check their arguments and call the kernels of this type on the tier of this
 * machine. NOT PRIVATE: factors, batches, scores and sums of rows are raw material, as secret as
 * the records, until a release adds its noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

#if DPPAIR_ROW_KIND_ == 1
#define DPPAIR_ROW_REAL_ double /* of scores, w and labels */
#define DPPAIR_OF_REAL_(name) DPPAIR_CAT(name, _f64)
#else
#define DPPAIR_ROW_REAL_ float
#define DPPAIR_OF_REAL_(name) DPPAIR_CAT(name, _f32)
#endif

/*
 * n records of d features; their first elements are ld apart, ld >= d. Row i is factor[i] times the
 * numbers of the elements from x + i ld on. What is not given is 0 or NULL.
 *
 * Null records. The last `nulls` of the n rows are null: no pair contains them, and no function
 * reads what stands there, in any array. So an empty place under DPPAIR_ZERO_OUT is a null record,
 * and a row of zeros is not: it is a record like any other. n counts null records, and so do plans,
 * divisors by n, workspaces, noise and prices: how many are null is private, like the rows, and no
 * status, scale or way of computing depends on it. Three releases take no null records: of
 * top-weighted PRECISION, of groups of a row-wise loss in a matching, and of queries of public
 * sizes (DPPAIR_WITHIN, a record is protected), where a null record is one of weight 0. They answer
 * NO_PROOF and use no paid release. Clip the records that are there, then say how many places are
 * empty, before anything else is done with the block:
 *
 *   dppair_rows_clip_ROW(&rows, factor, x, there, d, ld, radius);    1. the first rows
 *   rows.n = places, rows.nulls = places - there;                    2. the plan's n
 *   rows.positives = up;                                             3. up <= there
 *
 * Every array has room for n rows. nulls > n - positives is an error (SIZE) that no data set has.
 */
typedef struct dppair_rows_ROW {
  const dppair_element_ROW_ *x;
  size_t n, d, ld;
  size_t positives; /* of a ranking: the rows that stand first. Private, like the rows. (Parts
                     * that are fixed in advance must go by records, not by places here: a
                     * changed label moves the places of others) */
  const DPPAIR_ROW_REAL_ *y; /* of a metric or a similarity: n labels. Those that are not finite,
                              * NaN too, are one class: no status shows one */
  const double *factor;      /* n numbers; NULL: all 1 */
  const double *weight; /* n numbers in [0, 1], of the records in their pairs; NULL: all 1. Others
                         * count as the end that is next to them, NaN as 0: no status shows one.
                         * A record of weight 0 is a null record in its place */
  double radius;        /* a public bound of the norm of every row: a promise, if it is set by
                         * hand. 0: none is known */
  size_t nulls;         /* the rows that stand last and are null records. Private, like the rows */
  uint64_t serial;      /* of the draw that they were gathered from (dppair_batch); 0: of none */
} dppair_rows_ROW;

/* A block of the n rows of d elements of x as they are: without factors, bound, positives, labels.
 */
DPPAIR_API DPPAIR_ROWS_LATER_ dppair_rows_ROW dppair_rows_make_ROW(const dppair_element_ROW_ *x,
                                                                   size_t n, size_t d, size_t ld) {
  dppair_rows_ROW rows;
  memset(&rows, 0, sizeof rows);
  rows.x = x;
  rows.n = n;
  rows.d = d;
  rows.ld = ld;
  return rows;
}

/* The records that are there: the block without its null records. */
DPPAIR_FN_ dppair_rows_ROW dppair_present_ROW_(const dppair_rows_ROW *rows) {
  dppair_rows_ROW some = *rows;
  some.n = rows->nulls < rows->n ? rows->n - rows->nulls : 0;
  some.nulls = 0;
  return some;
}

/* Whether these rows can be read: NULL, SIZE (ld < d), OVERFLOW (they cannot be addressed). */
DPPAIR_FN_ dppair_status dppair_rows_check_ROW_(const dppair_rows_ROW *rows) {
  if (!rows->x && rows->n && rows->d) return DPPAIR_ERR_NULL;
  if (rows->ld < rows->d) return DPPAIR_ERR_SIZE;
  return dppair_area_(dppair_area_(rows->n, rows->ld), sizeof(double)) == SIZE_MAX
             ? DPPAIR_ERR_OVERFLOW
             : DPPAIR_OK;
}

/* OVERLAP where g[0..size) shares memory with what is read of these rows. */
DPPAIR_FN_ dppair_status dppair_rows_apart_ROW_(const double *g, size_t size,
                                                const dppair_rows_ROW *rows) {
  return dppair_rows_apart_(g, size, rows->n, rows->x,
                            dppair_row_bytes_(rows->n, rows->d, rows->ld, sizeof *rows->x), rows->y,
                            sizeof *rows->y, rows->factor, rows->weight);
}

/* *part = n rows from row i on, of those that are there: its positives stand first, as those of all
 * rows do. */
DPPAIR_FN_ void dppair_rows_part_ROW_(dppair_rows_ROW *part, const dppair_rows_ROW *rows, size_t i,
                                      size_t n) {
  const size_t rest = rows->positives > i ? rows->positives - i : 0;
  *part = *rows;
  part->x = rows->x && n > 0 ? rows->x + i * rows->ld : rows->x; /* else maybe past the end */
  part->n = n;
  part->nulls = 0;
  part->positives = rest < n ? rest : n;
  part->y = rows->y ? rows->y + i : NULL;
  part->factor = rows->factor ? rows->factor + i : NULL;
  part->weight = rows->weight ? rows->weight + i : NULL;
}

/* The sum of squares of a row of d elements. Four chains of additions. */
DPPAIR_FN_ double dppair_row_square_ROW_(const dppair_element_ROW_ *x, size_t d) {
  double sum[4] = {0.0, 0.0, 0.0, 0.0};
  size_t k;
  for (k = 0; k < d; k++) {
    const double v = (double)dppair_number_ROW_(x[k]);
    sum[k % 4] += v * v;
  }
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Sets factor[0..n) for rows of norm `radius`. 0 when a number is not finite. Squares of doubles
 * alone can leave the range of double. */
DPPAIR_FN_ int dppair_row_factors_ROW_(double *factor, const dppair_element_ROW_ *x, size_t n,
                                       size_t d, size_t ld, double radius) {
  size_t i;
  for (i = 0; i < n; i++) {
    const dppair_element_ROW_ *row = d == 0 ? x /* and may be NULL */ : x + i * ld;
    const double square = dppair_row_square_ROW_(row, d);
#if DPPAIR_ROW_KIND_ == 1
    if (square > 1e-270 && square < 1e270)
      factor[i] = dppair_row_factor_(square, d, 0, radius, DPPAIR_LEAST_FACTOR_F64_);
    else if (!dppair_row_extreme_(factor + i, row, d, radius, DPPAIR_LEAST_FACTOR_F64_))
      return 0;
#else
    if (!dppair_isfinite_f64(square)) return 0;
    factor[i] = dppair_row_factor_(square, d, 0, radius, DPPAIR_LEAST_FACTOR_F32_);
#endif
  }
  return 1;
}

#ifdef DPPAIR_CHECK_ROWS
/* For debugging, and NOT PRIVATE: whether a row, its factor and the radius belong together. Tells
 * DPPAIR_CHECK_ROWS of the first row that is longer than the radius: NO_RADIUS. */
DPPAIR_FN_ dppair_status dppair_rows_short_ROW_(const dppair_rows_ROW *rows) {
  const double room = 1.0 + 8.0 * ((double)rows->d + 16.0) * DBL_EPSILON;
  size_t i, k;
  for (i = 0; rows->nulls <= rows->n && i < rows->n - rows->nulls; i++) {
    const double f = (rows->factor ? rows->factor[i] : 1.0) / rows->radius;
    double sum = 0.0;
    for (k = 0; k < rows->d; k++) {
      const double v = f * (double)dppair_number_ROW_(rows->x[i * rows->ld + k]);
      sum += v * v;
    }
    if (sum <= room) continue;
    (void)(DPPAIR_CHECK_ROWS(
        "dppair: a row times its factor is longer than rows.radius: the factor "
        "is gone, the radius was typed, or x changed after the clip"));
    return DPPAIR_ERR_NO_RADIUS;
  }
  return DPPAIR_OK;
}
#endif

/*
 * Fills *rows with the n rows of d elements of x, and factor[0..n) so that |factor[i] x_i| <=
 * radius in exact arithmetic. A row that is within radius for certain has the factor 1; that is
 * decided by its norm, enlarged by 2 (d + 16) epsilon, so one that just touches the ball may be
 * shortened by as much. A row more than 2^512 (f64) or 2^64 (others) times too long has the factor
 * 0: it counts as a row of zeros. A factor depends on its own row and on radius only. Of integers
 * that are to have a scale, radius is in units of that.
 *
 * rows->positives and rows->nulls are 0 and rows->y NULL: set what the loss needs. x and factor
 * must live as long as *rows is used, and nobody may change them.
 *
 * Errors zero *rows and factor: NULL, SIZE (ld < d), DOMAIN (radius not positive and finite),
 * NOT_FINITE (a number of a row), ENVIRONMENT; OVERFLOW (the rows cannot be addressed) leaves
 * factor untouched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_rows_clip_ROW(dppair_rows_ROW *rows,
                                                                double *factor,
                                                                const dppair_element_ROW_ *x,
                                                                size_t n, size_t d, size_t ld,
                                                                double radius) {
  dppair_status status;
  if (rows) memset(rows, 0, sizeof *rows);
  status = dppair_clip_args_(rows, factor, x, n, d, ld, radius);
  if (status != DPPAIR_OK) return status;
  if (!dppair_row_factors_ROW_(factor, x, n, d, ld, radius)) {
    memset(factor, 0, n * sizeof *factor);
    return DPPAIR_ERR_NOT_FINITE;
  }
  *rows = dppair_rows_make_ROW(x, n, d, ld);
  rows->factor = factor;
  rows->radius = radius;
  return DPPAIR_OK;
}

/*
 * Makes *made from the records of *rows that the batch lists (dppair_release_draw), each as often
 * as it is listed: all pairs are then those of a small set. Positives come first and null records
 * last; within a class the order is that of the index. Factors, weights, labels and radius are
 * kept, and the rows have the serial of the batch.
 *   x         room for count rows of d elements
 *   y         for count labels, if rows->y is there; else it may be NULL, as may
 *   factor    for count numbers, if rows->factor is there, and
 *   weight    for count numbers, if rows->weight is there
 * made->positives and made->nulls are as private as the records. The arrays must live as long as
 * *made is used, and must not overlap the rows.
 *
 * Errors zero *made and the arrays: NULL, SIZE (ld < d, more positives or null records than there
 * are records, an index out of range); with OVERFLOW, or rows NULL, the arrays are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_weighted_ROW(
    dppair_rows_ROW *made, dppair_element_ROW_ *x, DPPAIR_ROW_REAL_ *y, double *factor,
    double *weight, const dppair_batch *batch, const dppair_rows_ROW *rows) {
  size_t positives = 0, nulls = 0;
  dppair_status status;
  if (made) memset(made, 0, sizeof *made);
  if (!made || !batch || !rows) return DPPAIR_ERR_NULL;
  {
    const dppair_gather_ g = {rows->x,     rows->y,   rows->factor, rows->weight,
                              rows->n,     rows->d,   rows->ld,     rows->positives,
                              rows->nulls, sizeof *x, sizeof *y,    x,
                              y,           factor,    weight};
    status = dppair_gather_rows_(&g, &positives, &nulls, batch->index, batch->count);
  }
  if (status != DPPAIR_OK) return status;
  *made = dppair_rows_make_ROW(x, batch->count, rows->d, rows->d);
  made->positives = positives;
  made->nulls = nulls;
  made->y = rows->y ? y : NULL;
  made->factor = rows->factor ? factor : NULL;
  made->weight = rows->weight ? weight : NULL;
  made->radius = rows->radius;
  made->serial = batch->serial;
  return DPPAIR_OK;
}

/* The same of rows without weights; those that have them are NULL. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_gather_ROW(dppair_rows_ROW *made,
                                                             dppair_element_ROW_ *x,
                                                             DPPAIR_ROW_REAL_ *y, double *factor,
                                                             const dppair_batch *batch,
                                                             const dppair_rows_ROW *rows) {
  return dppair_gather_weighted_ROW(made, x, y, factor, NULL, batch, rows);
}

/*
 * By hand: marks rows that you gathered yourself as those of this batch, after everything else is
 * set (dppair_rows_clip and dppair_rows_make forget it). It is your promise that they are the
 * records of batch->index, all of them and no others; or, where users or queries are drawn, all
 * rows of the drawn ones. Else the account is about another program. NULL changes nothing.
 */
DPPAIR_API void dppair_rows_by_hand_ROW(dppair_rows_ROW *rows, const dppair_batch *batch) {
  if (rows && batch) rows->serial = batch->serial;
}

/*
 * Checks w, d numbers, for rows of norm at most `radius` (0: unknown). NOT_FINITE; OVERFLOW when
 * radius |w| is above 2^500 (f64) or 2^60 (others). Below that no row that dppair_rows_clip accepts
 * can make a score overflow: a row with a factor f > 0 is at most radius/f long, f is at least the
 * least factor, 2^-512 or 2^-64, and no partial sum of its products exceeds 2 |x| |w|. So whether a
 * call succeeds does not depend on such a row.
 *
 * The factor of a narrow row may be any number, and its elements are at most DPPAIR_LARGEST_ROW_,
 * unless that is 0: then OVERFLOW also where the score of such a row could exceed 2^125.
 */
DPPAIR_FN_ dppair_status dppair_reach_ROW_(const DPPAIR_ROW_REAL_ *w, size_t d, double radius) {
  const double largest = DPPAIR_LARGEST_ROW_;
  double size;
  if (!DPPAIR_OF_REAL_(dppair_all_finite)(w, d)) return DPPAIR_ERR_NOT_FINITE;
  if (!(radius > 0.0)) return DPPAIR_OK;
#if DPPAIR_ROW_KIND_ == 1
  size = dppair_norm_f64(w, d);
  if (!(radius * size <= 1e150)) return DPPAIR_ERR_OVERFLOW;
#else
  size = dppair_sqrt_(dppair_row_square_f32_(w, d));
  if (!(radius * size <= 1e18)) return DPPAIR_ERR_OVERFLOW;
#endif
  return largest * dppair_sqrt_((double)d) * size <= 4e37 ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* s[i] = factor[i] <row i of x, w>, of arguments that are checked. A row whose factor is 0 has the
 * score 0, even where its product with w overflowed. */
DPPAIR_FN_ void dppair_rows_scores_ROW_(DPPAIR_ROW_REAL_ *s, const dppair_rows_ROW *rows,
                                        const DPPAIR_ROW_REAL_ *w) {
  DPPAIR_DISPATCH_(dppair_scores_ROW, (s, rows->x, rows->n, rows->d, rows->ld, w));
  if (rows->factor) DPPAIR_DISPATCH_(DPPAIR_OF_REAL_(dppair_scale), (s, rows->factor, rows->n));
}

/* s[i] = factor[i] <row i of x, w> for i < n; w has d numbers. The order of summation is fixed, so
 * a score is a function of its row, its factor and w alone. Sums run in the type of s.
 * The score of a null record is NaN: no pair may read it.
 * Errors: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (w or a score), OVERFLOW (of rows with a
 * radius, as the table above says) zero s; OVERFLOW (n ld elements cannot be addressed) and NULL
 * for rows do not touch s. A row that dppair_rows_clip accepted causes none. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_scores_ROW(DPPAIR_ROW_REAL_ *s,
                                                             const dppair_rows_ROW *rows,
                                                             const DPPAIR_ROW_REAL_ *w) {
  dppair_rows_ROW some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(s, rows->n, sizeof *s, rows->x, rows->n, rows->d, rows->ld, w, rows->d);
  if (status == DPPAIR_OK && rows->nulls > rows->n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_reach_ROW_(w, rows->d, rows->radius);
  if (status != DPPAIR_OK) return status;
  some = dppair_present_ROW_(rows);
  dppair_rows_scores_ROW_(s, &some, w);
  if (!DPPAIR_OF_REAL_(dppair_all_finite)(s, some.n)) {
    memset(s, 0, rows->n * sizeof *s);
    return DPPAIR_ERR_NOT_FINITE;
  }
  if (rows->nulls > 0) memset(s + some.n, 0xff, rows->nulls * sizeof *s); /* NaN */
  return DPPAIR_OK;
}

/* g = X^T c, of arguments that are checked. */
DPPAIR_FN_ void dppair_rows_combine_ROW_(double *g, const dppair_rows_ROW *rows, const double *c) {
  DPPAIR_DISPATCH_(dppair_combine_ROW, (g, rows->x, rows->n, rows->d, rows->ld, c, rows->factor));
}

/* g = X^T c: g[k] = sum over i < n of c[i] factor[i] x[i * ld + k] for k < d, summed in double; the
 * product of c and the factor is rounded. The c of a null record is not read.
 * Errors: NULL, SIZE (ld < d, nulls > n), NOT_FINITE (g), ENVIRONMENT
 * zero g; OVERFLOW (n ld elements cannot be addressed) and NULL for rows do not touch it. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_combine_ROW(double *g,
                                                              const dppair_rows_ROW *rows,
                                                              const double *c) {
  dppair_rows_ROW some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status =
      dppair_linear_args_(g, rows->d, sizeof *g, rows->x, rows->n, rows->d, rows->ld, c, rows->n);
  if (status == DPPAIR_OK && rows->nulls > rows->n) status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  some = dppair_present_ROW_(rows);
  dppair_rows_combine_ROW_(g, &some, c);
  return dppair_finish_(g, rows->d);
}

/* What dppair_sum_combine adds: of the records that are there, of arguments that are checked. */
DPPAIR_FN_ void dppair_sum_rows_ROW_(dppair_sum *s, const dppair_rows_ROW *rows, const double *c) {
  const double magic = dppair_sum_magic_(s), most = s->bound / rows->radius;
  DPPAIR_DISPATCH_(dppair_sum_ROW,
                   (s->words, rows->x, rows->n, rows->d, rows->ld, c, rows->factor, magic, most));
  s->count += rows->n;
}

/*
 * s += X^T c: s[k] += the sum over i < n of c[i] factor[i] x[i ld + k], each addend rounded to the
 * unit. count grows by n, but null records count nothing, and their c is not read. A coefficient
 * beyond bound/radius counts as that number, so that no status depends on its size. A row that is
 * longer than rows->radius, which must not be 0, makes the sum meaningless. Each number of it is
 * off by (5/8) unit and 2^-53 |c_i| radius a record.
 *
 * Errors leave *s as it
 * is: NULL, WORKSPACE (a sum that is not open, or that NAME_sum_open made), SIZE (d, ld, nulls >
 * n), NO_RADIUS, NOT_FINITE (a coefficient), ENVIRONMENT, OVERFLOW (the rows cannot be
 * addressed).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_sum_combine_ROW(dppair_sum *s,
                                                                  const dppair_rows_ROW *rows,
                                                                  const double *c) {
  dppair_rows_ROW some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_sum_args_(s, rows->x, rows->n, rows->d, rows->ld, rows->radius, c);
  if (status != DPPAIR_OK) return status;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  some = dppair_present_ROW_(rows);
  if (!dppair_all_finite_f64(c, some.n)) return DPPAIR_ERR_NOT_FINITE;
  dppair_sum_rows_ROW_(s, &some, c);
  s->count += rows->nulls;
  return DPPAIR_OK;
}

DPPAIR_FP_END_

#undef DPPAIR_ROW_REAL_
#undef DPPAIR_OF_REAL_
#endif
#ifdef DPPAIR_BLOCKS_NOW_
#undef DPPAIR_ROW_TYPE_
#define DPPAIR_ROW_TYPE_ DPPAIR_ROW
#endif
#endif

/* 8. Per instance: functions that check their arguments and call the loops of a tier. */

#if defined(DPPAIR_INSTANCE_) && !defined(DPPAIR_BODY_)

#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_
/* ---- src/pairs/of_instances.h ---------------------------------------------------------------
 * Sums over pairs of an instance: the chapters
 *
 * Compiled for each instance: functions that check their arguments and call the loops of a tier.
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/pairs/template.h -------------------------------------------------------------------
 * The functions of an instance over pairs
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. They check their
 * arguments, call the bodies of loops.h, sorted.h and box_kernels.h on the tier of the processor,
 * and zero their outputs on an error. params: the parameters of the loss, in double for every
 * element type; NULL where it has none.
 *
 * NOT PRIVATE: coefficients and sums over pairs are raw material, as secret as the records, until a
 * release adds its noise. A figure has not_private in its name.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The parameters of the template, in one word: whose functions a clip or a state brings. */
#define DPT_OWNER_ DPPAIR_TEXT_(DPPAIR_NAME DPPAIR_LOSS DPPAIR_REAL DPPAIR_ROW)
DPPAIR_FN_ uint64_t DPPAIR_NAME_owner_(void) {
  return dppair_digest_text_(DPT_OWNER_, sizeof DPT_OWNER_);
}
#undef DPT_OWNER_

/* *risk = the sum over i < np, j < nn of phi(sp[i] - sn[j]): the loops over all pairs, O(np nn),
 * added in double. NOT PRIVATE. Errors zero *risk: NULL, NOT_FINITE (a score or the result),
 * ENVIRONMENT. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_risk_not_private(double *risk, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
                             size_t nn, const double *params) {
  if (!risk) return DPPAIR_ERR_NULL;
  *risk = 0.0;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (dppair_environment_check() != DPPAIR_OK) return DPPAIR_ERR_ENVIRONMENT;
  DPPAIR_DISPATCH_(DPPAIR_NAME_risk_not_private, (risk, sp, np, sn, nn, params));
  if (!dppair_isfinite_f64(*risk)) {
    *risk = 0.0;
    return DPPAIR_ERR_NOT_FINITE;
  }
  return DPPAIR_OK;
}

/*
 * The derivatives of *risk above in the scores, by the loops over all pairs, O(np nn):
 *
 *   a[i] = sum over j of phi'(sp[i] - sn[j]), i < np     b[j] = -sum over i of the same, j < nn
 *
 * For linear scores of rows X+ and X- the gradient of the sum is X+^T a + X-^T b
 * (dppair_combine_*).
 *
 * Rounding, u = 2^-24 (float) or 2^-53. The slope of a pair is computed once, in the element type,
 * as a function of its two scores alone; the same number goes into a[i] and b[j]. At most 64 slopes
 * are added in that type before they go to double, so a coefficient differs from the sum of the
 * computed slopes by at most 80 u sup |phi'| per partner. NAME_allowance says what that adds to a
 * sensitivity. For private work in float prefer NAME_coeffs_fast, which adds in double throughout.
 *
 * Errors zero a and b: NULL, NOT_FINITE (a score or a result), ENVIRONMENT; with OVERFLOW (np or nn
 * beyond any memory) they are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs(double *a, double *b,
                                                              const DPPAIR_REAL *sp, size_t np,
                                                              const DPPAIR_REAL *sn, size_t nn,
                                                              const double *params) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK || np == 0 || nn == 0) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_coeffs, (a, b, sp, np, sn, nn, params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

/*
 * What arithmetic adds to a sensitivity. Let S be a sensitivity that is proved for the exact
 * gradient of the SUM over pairs. The gradient AS COMPUTED has the sensitivity
 *
 *     S * *factor + *rounding      (if S is that of a mean, divide *rounding by the normaliser)
 *
 * when NAME_coeffs or _coeffs_fast followed by dppair_combine computes it, or NAME_gradient but
 * with an order-free state, whose sums of rows round to a unit: NAME_sensitivity counts that. With
 * f = NULL also where pairs are clipped: by NAME_gradient and NAME_clip_coeffs.
 *   n        records in all, each of norm at most `radius`
 *   f        the prepared state in use, or NULL for the pair loops; a grid of scores, which
 *            NAME_sums_init makes for a piecewise linear loss, moves margins by what S does not
 *            count: NO_PROOF, NAME_sensitivity counts it
 *   slope    the bound of |phi'| at the computed margins that S uses; where a clip bounds S
 *            instead, any bound of |phi'| there. A computed margin may exceed 2 radius |w| by (d +
 *            24) epsilon of it: S and slope of other losses than hinge, absolute and pinball are
 *            those of a |w| that is as much larger
 * For listed pairs see dppair_pairs_allowance_; for the forms NAME_form_error, added twice.
 *
 * Proof. Every computed slope is a function K(s, s') of the two scores of its pair alone. Its
 * values exceed the range of phi' by at most E = f->kernel_error at either end (f NULL: by 4 units
 * in the last place, the rounding of parameters to the element type included). A proof that uses
 * only the length of that range, which is slope for a monotone loss and 2 slope for others,
 * therefore holds for exact sums of K with S (1 + 2 E/slope). The computed gradient differs from
 * such a sum by at most half of *rounding, for each of two neighbours. With u = 2^-53, the parts of
 * *rounding are:
 *   loops     a coefficient is off by 80 u per partner in its own type (float: u = 2^-24) and by
 *             n u in double; that also covers clipped coefficients, chains of n additions
 *   boxes     a moment is a sum of integers, of powers that are each within 14 u and 4 u; a
 *             translated coefficient adds at most (2 reach + 1) p/4 + 8 products, and Horner's rule
 *             2p roundings; 12 u for what sketch.h counts beside; per partner all that times
 *             f->weight, the largest sum |K_kl| of a box, times u
 *   grid      16 u times f->weight per partner (grid.h), of NAME_sensitivity
 *   sorting   n + 8 additions of numbers of at most f->weight per partner
 *   X^T c     (n + 4) u times the sum of |c_i| |x_i|: however n terms are added, each is in at
 *             most n - 1 sums, one product and, where rows have factors, the product of c_i and the
 *             factor. That is all that factors add: a score that was multiplied by its factor still
 *             is a function of its record and w alone, and x_i, which is factor[i] times the row
 *             exactly, is no longer than radius. (What underflows is below 2^-560 radius a record,
 *             because a factor is 0 or at least 2^-512.)
 * with n+ n- <= n^2/4 pairs on either side. Weights of records, at most 1, are covered: they round
 * twice more per partner, and these bounds leave room for that (64 additions and the sum of 16
 * lanes are 68 of the 80 roundings; sketch.h counts them, 2 of the sorted n + 8 are not used).
 *
 * Errors zero both: NULL, DOMAIN (radius or slope negative or not finite, an f that is not
 * prepared, slope 0 with a kernel error), NO_PROOF (a grid), SIZE (n u beyond 1/1000), OVERFLOW,
 * ENVIRONMENT.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_allowance(double *factor, double *rounding,
                                                                 const dppair_fast *f, size_t n,
                                                                 double radius, double slope) {
  const dppair_fast *state = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ ? f : NULL; /* else the loops run */
  dppair_status status =
      dppair_allowance_(factor, rounding, state,
                        DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON, n, radius, slope);
  if (status == DPPAIR_OK && state && dppair_cell_shift_(state) > 0.0) {
    *factor = *rounding = 0.0;
    status = DPPAIR_ERR_NO_PROOF;
  }
  return status;
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* f->weight: the largest sum of what the pieces add to a slope, term by term. */
DPPAIR_FN_ double DPPAIR_NAME_fast_weight_(double cap, const double *params) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  double weight = 0.0;
  size_t k;
  (void)params;
  for (k = 0; k < sizeof pieces / sizeof *pieces; k++)
    weight += dppair_fabs_(pieces[k].constant) + 2.0 * cap * dppair_fabs_(pieces[k].factor);
  return weight;
}

/* A digest of the loss: of its pieces at these parameters. */
DPPAIR_FN_ uint64_t DPPAIR_NAME_fast_loss_(const double *params) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  uint64_t digest = DPPAIR_KIND_PIECEWISE_;
  size_t k;
  (void)params;
  for (k = 0; k < sizeof pieces / sizeof *pieces; k++) {
    const double of[3] = {pieces[k].knot, pieces[k].constant, pieces[k].factor};
    digest = dppair_digest_all_(digest + (uint64_t)(pieces[k].closed != 0), of, 3);
  }
  return digest;
}
#endif

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* f->low and f->high: the limits of phi, the slope or the curvature, from margins at which it
 * differs from them by less than e^-(64 pi) < 1e-87 of its strength. */
DPPAIR_FN_ void DPPAIR_NAME_fast_limits_(dppair_fast *f, dppair_derivative_ *phi, double distance,
                                         const double *params) {
  double ends[8];
  int i;
  for (i = 0; i < 8; i++) ends[i] = (i % 2 ? 64.0 : -64.0) * distance;
  phi(ends, ends, 8, params);
  f->low = ends[0];
  f->high = ends[1];
}

/* The table of phi, one column for each offset between boxes, and f->weight. */
DPPAIR_FN_ void DPPAIR_NAME_fast_table_(dppair_fast *f, dppair_derivative_ *phi,
                                        const double *params) {
  const int p = f->terms, side = p * f->stride;
  dppair_box_matrix_ hi, lo;
  double u[DPPAIR_BOX_TERMS_ * DPPAIR_BOX_TERMS_], slope[DPPAIR_BOX_TERMS_ * DPPAIR_BOX_TERMS_];
  int o, i, j;
  dppair_box_basis_(hi, lo, p);
  for (o = -f->reach; o <= f->reach; o++) {
    double weight, low;
    for (i = 0; i < p; i++)
      for (j = 0; j < p; j++)
        u[i * p + j] = f->width * ((double)o + 0.5 * (dppair_box_cosine_(2 * i + 1, p, &low) -
                                                      dppair_box_cosine_(2 * j + 1, p, &low)));
    phi(slope, u, (size_t)(p * p), params);
    weight = dppair_box_column_(f->table + (o + f->reach) * side, slope, p, f->stride, hi, lo);
    f->weight = weight > f->weight ? weight : f->weight;
  }
}

/* A digest of the loss at these parameters: of its poles, which say what a slope is but for its
 * limits and its sign. */
DPPAIR_FN_ uint64_t DPPAIR_NAME_fast_loss_(const double *params) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  const double of[2] = {poles.distance, poles.strength};
  (void)params;
  return dppair_digest_all_((uint64_t)(DPPAIR_KIND_ANALYTIC_ + 8 * poles.order), of, 2);
}
#endif

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
/* Is *f what NAME_fast_init or NAME_sums_init prepares for this loss and these parameters? */
DPPAIR_FN_ int DPPAIR_NAME_fast_is_own_(const dppair_fast *f, const double *params) {
  return f->kind == DPPAIR_KIND_ && dppair_fast_is_whole_(f) &&
         f->loss == DPPAIR_NAME_fast_loss_(params);
}

/* The same, and whether its limits and its sign, which shows at margin 0, are those of the loss: a
 * sensitivity asks this too. Limits were computed by the same function. */
DPPAIR_FN_ int DPPAIR_NAME_fast_is_proved_(const dppair_fast *f, const double *params) {
#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  double slope[8] = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0}, room;
  if (!DPPAIR_NAME_fast_is_own_(f, params)) return 0;
  slope[0] = -64.0 * poles.distance;
  slope[1] = 64.0 * poles.distance;
  DPPAIR_NAME_slopes_(slope, slope, 8, params);
  room = f->kernel_error + 4.0 * DBL_EPSILON * dppair_fabs_(slope[2]);
  return dppair_fabs_(slope[0] - f->low) <= room && dppair_fabs_(slope[1] - f->high) <= room &&
         dppair_fabs_(slope[2] - f->centre) <= room;
#else
  return DPPAIR_NAME_fast_is_own_(f, params);
#endif
}

/* Is the state of this loss, and are sums right here: WORKSPACE, ENVIRONMENT. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_fast_state_(const dppair_fast *f, const double *params) {
  const dppair_status status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_fast_is_own_(f, params) ? DPPAIR_OK : DPPAIR_ERR_WORKSPACE;
}

/* The same by the state's own functions, once it is known that they are of this instance: a program
 * that prepares none compiles none. proved: NAME_fast_is_proved_. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_fast_ready_(const dppair_fast *f, const double *params,
                                                 int proved) {
  const dppair_status status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  return f->owner == DPPAIR_NAME_owner_() && f->own(f, params, proved) ? DPPAIR_OK
                                                                       : DPPAIR_ERR_WORKSPACE;
}

/* NAME_coeffs_fast after that check: with weights of both sides, or NULL. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_run_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const double *params, const dppair_fast *f, const double *const *weight) {
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
#else
  const dppair_piece *pieces = NULL;
  const int count = 0;
#endif
  dppair_status status = dppair_fast_check_(a, b, sp, np, sn, nn, f, DPPAIR_KIND_);
  (void)params;
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (np == 0 || nn == 0) return DPPAIR_OK;
  status = f->run(a, b, sp, np, sn, nn, f, pieces, count, !DPPAIR_TEMPLATE_F64_, weight);
  return dppair_settle_(status, a, np, b, nn);
}

/* NAME_coeffs in O(n log n) or better, added in double or in integers. A loss that is piecewise
 * linear is sorted: exactly but for the rounding of sums, counts of partners are integers. An
 * analytic one goes by boxes, to within f->kernel_error per pair (see dppair_fast). A score beyond
 * the cap counts as the cap. Errors zero a and b: NULL, NOT_FINITE (a score or a result), WORKSPACE
 * (an f that is not prepared for this loss, these parameters and so many records), ENVIRONMENT;
 * OVERFLOW as in NAME_coeffs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_fast(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const double *params,
                                                                   const dppair_fast *f) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status == DPPAIR_OK) status = f ? DPPAIR_NAME_fast_state_(f, params) : DPPAIR_ERR_NULL;
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_fast_run_(a, b, sp, np, sn, nn, params, f, NULL);
}
#endif

/* Part `part` of `parts` of NAME_coeffs, for threads: the scores sp[i] from dppair_part_begin_(np,
 * part, parts) to that of part + 1 against all of sn. a (all np numbers) is written at these places
 * only; b[0..nn) is this part's own, and dppair_tasks_join adds those of all parts. Errors as
 * NAME_coeffs, and SIZE (part not below parts); then b is zeroed. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_coeffs_part(double *a, double *b,
                                                                   const DPPAIR_REAL *sp, size_t np,
                                                                   const DPPAIR_REAL *sn, size_t nn,
                                                                   const double *params,
                                                                   size_t part, size_t parts) {
  size_t i;
  const dppair_status status = dppair_zero_(NULL, 0, b, nn);
  if (status != DPPAIR_OK) return status;
  if (parts == 0 || part >= parts) return DPPAIR_ERR_SIZE;
  if ((!a && np) || (!sp && np)) return DPPAIR_ERR_NULL;
  i = dppair_part_begin_(np, part, parts);
  return DPPAIR_NAME_coeffs(np ? a + i : a, b, np ? sp + i : sp,
                            dppair_part_begin_(np, part + 1, parts) - i, sn, nn, params);
}

/* a and b of NAME_coeffs, summed over the m listed pairs (i[k], j[k]) only, each times weight[k],
 * or 1 when weight is NULL: for mini-batches, matchings, rankings by query. O(m); slopes in the
 * element type, sums in double. Errors zero a and b: NULL, ENVIRONMENT, SIZE (an index out of
 * range), NOT_FINITE (a score, a weight or a result); OVERFLOW as in NAME_coeffs. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_pairs(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const size_t *i, const size_t *j, const double *weight, size_t m, const double *params) {
  dppair_status status = dppair_zero_(a, np, b, nn);
  size_t k, wrong = 0;
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  if ((!sp && np) || (!sn && nn) || ((!i || !j) && m)) return DPPAIR_ERR_NULL;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  if (weight && !dppair_all_finite_f64(weight, m)) return DPPAIR_ERR_NOT_FINITE;
  for (k = 0; k < m; k++) wrong |= (size_t)(i[k] >= np) | (size_t)(j[k] >= nn);
  if (wrong) return DPPAIR_ERR_SIZE;
  DPPAIR_DISPATCH_(DPPAIR_NAME_pairs, (a, b, sp, sn, i, j, weight, m, params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

DPPAIR_FP_END_
/* ---- src/pairs/sketch_template.h ------------------------------------------------------------
 * Moments of an instance
 *
 * The steps of near-linear coefficients that read the loss or the element type. A coefficient is a
 * function of its own score and weight and of all records as a set: bits do not depend on their
 * order. Calls that check their arguments are a module: dppair_scale.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of moments of this order-free state; it depends on public numbers only.
 * Errors zero it: NULL, WORKSPACE (a state that is not order-free), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sketch_workspace(size_t *bytes,
                                                                        const dppair_fast *fast) {
  return dppair_sketch_bytes_(bytes, fast);
}

/* NAME_sketch of a block of a chunk, without its checks: what it adds is in the words after
 * dppair_sketch_settle_. */
DPPAIR_FN_ void DPPAIR_NAME_sketch_block_(dppair_sketch *m, const DPPAIR_REAL *s, size_t n,
                                          size_t positives, const double *weight,
                                          const dppair_fast *fast) {
  fast->count(m, s, n, positives, weight, fast, !DPPAIR_TEMPLATE_F64_);
  m->count[0] += positives;
  m->count[1] += n - positives;
}

/* NAME_sketch_finish without its checks. */
DPPAIR_FN_ void DPPAIR_NAME_sketch_close_(dppair_sketch *m, const double *params,
                                          const dppair_fast *fast) {
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  const int count = (int)(sizeof pieces / sizeof *pieces);
#else
  const dppair_piece *pieces = NULL;
  const int count = 0;
#endif
  (void)params;
  fast->close(m, fast, pieces, count, !DPPAIR_TEMPLATE_F64_);
  m->finished = 1;
}

DPPAIR_FP_END_

#endif
/* ---- src/pairs/weighted.h -------------------------------------------------------------------
 * Coefficients of weighted records, of users and of queries
 *
 * NAME_coeffs and NAME_coeffs_fast where records have weights, or only pairs of two users, or
 * only pairs inside a query count. Public functions are written NAME_x in comments and
 * DPPAIR_NAME_x in the code. NOT PRIVATE, as there.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_WEIGHTS

DPPAIR_FP_BEGIN_

/* Groups of fewer records go by the loops, also where a state is prepared. */
#define DPT_FEW_ 128

/* a and b as NAME_weighted_coeffs says, for all pairs: with weights of both sides, or NULL. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_weighted_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const double *const *weight, const dppair_options *options, int loops) {
  dppair_status status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (options->fast && !loops)
    return options->fast->coeffs(a, b, sp, np, sn, nn, options->params, options->fast, weight);
#endif
  (void)loops;
  if (!weight) return DPPAIR_NAME_coeffs(a, b, sp, np, sn, nn, options->params);
  status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!DPT_FINITE(sp, np) || !DPT_FINITE(sn, nn)) return DPPAIR_ERR_NOT_FINITE;
  status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  DPPAIR_DISPATCH_(DPPAIR_NAME_weighted,
                   (a, b, sp, weight[0], np, sn, weight[1], nn, 1.0, options->params));
  return dppair_settle_(DPPAIR_OK, a, np, b, nn);
}

/* Whether a group of kp positives and kn negatives goes by the loops. If a state is prepared, and a
 * score is beyond its cap, `few` gets them held within that, and *sp, *sn point there: the slope of
 * a pair has the range over the cap either way. few NULL: such a group does not go by the loops,
 * since what the state makes of the cap may differ by a rounding. */
DPPAIR_FN_ int DPPAIR_NAME_few_(DPPAIR_REAL *few, const DPPAIR_REAL **sp, size_t kp,
                                const DPPAIR_REAL **sn, size_t kn, const dppair_fast *f) {
  size_t i, beyond = 0;
  if (DPPAIR_KIND_ == DPPAIR_KIND_PAIRS_ || !f) return 1;
  if (kp >= DPT_FEW_ || kn >= DPT_FEW_ - kp) return 0;
  for (i = 0; i < kp; i++) beyond += dppair_fabs_((double)(*sp)[i]) > f->score_cap;
  for (i = 0; i < kn; i++) beyond += dppair_fabs_((double)(*sn)[i]) > f->score_cap;
  if (!beyond) return 1;
  if (!few) return 0;
  for (i = 0; i < kp + kn; i++) {
    const DPPAIR_REAL s = i < kp ? (*sp)[i] : (*sn)[i - kp];
    const double cap = f->score_cap;
    few[i] = (double)s > cap ? (DPPAIR_REAL)cap : (double)s < -cap ? (DPPAIR_REAL)-cap : s;
  }
  *sp = few;
  *sn = few + kp;
  return 1;
}

/* Subtracts from a and b the pairs of two records of user k, who has some of either class. own:
 * room for np + nn numbers. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_across_one_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
    const double *weight, double *own, const dppair_options *options, size_t k) {
  const dppair_groups *g = options->groups;
  const size_t p = g->positive[k], kp = g->positive[k + 1] - p;
  const size_t n = g->negative[k], kn = g->negative[k + 1] - n;
  const double *const w[2] = {weight + p, weight + np + n};
  const DPPAIR_REAL *of_p = sp + p, *of_n = sn + n;
  double *own_p = own + p, *own_n = own + np + n;
  dppair_status status;
  size_t i;
  if (DPPAIR_NAME_few_(NULL, &of_p, kp, &of_n, kn, options->fast)) {
    DPPAIR_DISPATCH_(DPPAIR_NAME_weighted,
                     (a + p, b + n, of_p, w[0], kp, of_n, w[1], kn, -1.0, options->params));
    return DPPAIR_OK;
  }
  status = DPPAIR_NAME_weighted_(own_p, own_n, of_p, kp, of_n, kn, w, options, 0);
  if (status != DPPAIR_OK) return status;
  for (i = 0; i < kp; i++) a[p + i] -= own_p[i];
  for (i = 0; i < kn; i++) b[n + i] -= own_n[i];
  return DPPAIR_OK;
}

/* The same for all users, who have any number of records: those with few of them fill the lanes
 * of vectors, one user each. Which way is taken depends on that user's records only, and moves
 * no pair of others. given: the weights that were, or NULL. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_across_(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn,
    const double *given, const double *weight, double *own, const dppair_options *options) {
  const int capped = DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && options->fast;
  const double cap = capped ? options->fast->score_cap : HUGE_VAL;
  const double *const shares = given ? weight : NULL;
  size_t next = 0, left[DPPAIR_LEFT_], others, i;
  while (next < options->groups->count) {
    DPPAIR_DISPATCH_(DPPAIR_NAME_own, (&next, left, &others, a, b, sp, sn, shares, options->groups,
                                       cap, options->params));
    for (i = 0; i < others; i++) {
      const dppair_status status =
          DPPAIR_NAME_across_one_(a, b, sp, np, sn, weight, own, options, left[i]);
      if (status != DPPAIR_OK) return status;
    }
  }
  return DPPAIR_OK;
}

/* a and b over the pairs inside queries, those of a query of m records divided by m (m - 1). */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_within_(double *a, double *b,
                                                               const DPPAIR_REAL *sp, size_t np,
                                                               const DPPAIR_REAL *sn,
                                                               const double *weight,
                                                               const dppair_options *options) {
  const dppair_groups *g = options->groups;
  DPPAIR_REAL few[DPT_FEW_];
  size_t k, i;
  for (k = 0; k < g->count; k++) {
    const size_t p = g->positive[k], kp = g->positive[k + 1] - p;
    const size_t n = g->negative[k], kn = g->negative[k + 1] - n;
    const double m = (double)kp + (double)kn, divisor = m * (m - 1.0);
    const double *const w[2] = {weight ? weight + p : NULL, weight ? weight + np + n : NULL};
    const DPPAIR_REAL *of_p = sp + p, *of_n = sn + n;
    dppair_status status;
    int loops;
    if (kp == 0 || kn == 0) continue;
    loops = DPPAIR_NAME_few_(few, &of_p, kp, &of_n, kn, options->fast);
    status =
        DPPAIR_NAME_weighted_(a + p, b + n, of_p, kp, of_n, kn, weight ? w : NULL, options, loops);
    if (status != DPPAIR_OK) return status;
    for (i = 0; i < kp; i++) a[p + i] /= divisor;
    for (i = 0; i < kn; i++) b[n + i] /= divisor;
  }
  return DPPAIR_OK;
}

/*
 * NAME_coeffs, or with options->fast NAME_coeffs_fast, of weighted records and of groups:
 *
 *   a[i] = w_i sum over j of w_j phi'(sp[i] - sn[j])      b[j] = -w_j sum over i of w_i the same
 *
 * over all pairs, or those that options->groups says. ACROSS: pairs of records of two users;
 * records without given weights weigh 1/k, k being their user's records of both classes, and
 * given weights of a user that pass 1 in sum are divided by it. WITHIN: pairs inside a query of m
 * records, divided by m (m - 1).
 *   weight   of the np positives, then of the nn negatives, as in dppair_rows; NULL: none are given
 *   options  params, fast, groups; work: NAME_workspace of np + nn rows of 0 numbers
 *
 * For a network with users or queries: c = dL/ds. X+^T a + X-^T b is the gradient of linear
 * scores, as NAME_gradient computes it. The rounding of NAME_allowance covers weights too.
 *
 * Errors zero a and b: those of NAME_coeffs and NAME_coeffs_fast; NULL; DOMAIN, SIZE (groups);
 * NO_PROOF (a clip; groups with a state of NAME_sums_init of a piecewise linear loss, which rounds
 * scores: NAME_chunk_sum); WORKSPACE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_weighted_coeffs(
    double *a, double *b, const DPPAIR_REAL *sp, size_t np, const DPPAIR_REAL *sn, size_t nn,
    const double *weight, const dppair_options *options) {
  const double *w[2] = {weight, weight ? weight + np : NULL};
  double *own = NULL;
  size_t i;
  dppair_status status = dppair_zero_(a, np, b, nn);
  if (status != DPPAIR_OK) return status;
  if (!options || (!sp && np) || (!sn && nn)) return DPPAIR_ERR_NULL;
  if (options->clip) return DPPAIR_ERR_NO_PROOF;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  status = options->fast ? DPPAIR_NAME_fast_ready_(options->fast, options->params, 0) : DPPAIR_OK;
  if (status != DPPAIR_OK) return status;
#endif
  if (options->groups && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ && dppair_is_order_free_(options))
    return DPPAIR_ERR_NO_PROOF;
  if (options->groups) status = dppair_groups_check_(options->groups, np, nn, 0);
  if (status == DPPAIR_OK && options->groups && options->groups->relation == DPPAIR_ACROSS) {
    status = dppair_work_(&own, dppair_area_(np + nn, 2), options->work, options->bytes);
    if (status == DPPAIR_OK) {
      dppair_group_weights_(own, weight, options->groups, np);
      for (i = 0; i < np + nn && dppair_is_order_free_(options); i++)
        own[i] = dppair_share_grid_(own[i]); /* own pairs are subtracted as they were added */
      w[0] = own;
      w[1] = own + np;
      own += np + nn;
    }
  }
  if (status != DPPAIR_OK) return status;
  if (own || !options->groups)
    status = DPPAIR_NAME_weighted_(a, b, sp, np, sn, nn, w[0] ? w : NULL, options, 0);
  if (status == DPPAIR_OK && own)
    status = DPPAIR_NAME_across_(a, b, sp, np, sn, dppair_is_order_free_(options) ? w[0] : weight,
                                 w[0], own, options);
  else if (status == DPPAIR_OK && options->groups)
    status = DPPAIR_NAME_within_(a, b, sp, np, sn, weight, options);
  return dppair_settle_(status, a, np, b, nn);
}

#undef DPT_FEW_

DPPAIR_FP_END_

#endif /* DPPAIR_WEIGHTS */
/* ---- src/pairs/parts.h ----------------------------------------------------------------------
 * A gradient of linear scores in parts: the tasks of an instance
 *
 * NAME_gradient (tiles/gradient.h) runs the scores on all parts, then the pair sums, then X^T c on
 * all parts, and adds the results of the parts in a fixed order.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The scores of part `part` of either side's rows. */
DPPAIR_FN_ void DPPAIR_NAME_linear_scores_(void *context, size_t part) {
  const dppair_linear_ *r = (const dppair_linear_ *)context;
  DPPAIR_ROWS_ rows;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    dppair_rows_part_ROW_(&rows, (const DPPAIR_ROWS_ *)r->rows, (side ? r->n[0] : 0) + i, n);
    dppair_rows_scores_ROW_((DPPAIR_REAL *)r->s[side] + i, &rows, (const DPPAIR_REAL *)r->w);
  }
}

/* X+^T a and X-^T b over part `part` of the rows: d numbers each, one after the other from
 * g + 2 part d on. */
DPPAIR_FN_ void DPPAIR_NAME_linear_combine_(void *context, size_t part) {
  const dppair_linear_ *r = (const dppair_linear_ *)context;
  DPPAIR_ROWS_ rows;
  int side;
  for (side = 0; side < 2; side++) {
    const size_t i = dppair_part_begin_(r->n[side], part, r->parts);
    const size_t n = dppair_part_begin_(r->n[side], part + 1, r->parts) - i;
    dppair_rows_part_ROW_(&rows, (const DPPAIR_ROWS_ *)r->rows, (side ? r->n[0] : 0) + i, n);
    dppair_rows_combine_ROW_(r->g + (2 * part + (size_t)side) * r->d, &rows, r->c[side] + i);
  }
}

DPPAIR_FP_END_
/* ---- src/pairs/chunk_blocks.h ---------------------------------------------------------------
 * Sums without order: the two passes over blocks of rows, and users
 *
 * What chunked.h and the chunks of dppair_scale.h do after their checks. Rows are taken block by
 * block. Where groups are users (ACROSS), a chunk holds whole users: coefficients are those of
 * all records less those of the own pairs, which the chunk alone gives (weighted.h), so its scores
 * are all held at once.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* The scores and coefficients of a block of rows of d numbers, at base. Returns their bytes. */
DPPAIR_FN_ size_t DPPAIR_NAME_chunk_layout_(DPPAIR_REAL **s, double **c, char *base, size_t d) {
  const size_t rows = dppair_block_rows_(d, sizeof(DPPAIR_REAL), 1); /* the longest */
  size_t used = 0;
  *s = (DPPAIR_REAL *)dppair_take_(base, &used, rows, sizeof(DPPAIR_REAL));
  *c = (double *)dppair_take_(base, &used, rows, sizeof(double));
  return used + 64;
}

/* The scores of a block. NOT_FINITE: a row that dppair_rows_clip did not see. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_block_scores_(DPPAIR_REAL *s, const DPPAIR_ROWS_ *block,
                                                   const DPPAIR_REAL *w) {
  dppair_rows_scores_ROW_(s, block, w);
  return DPT_FINITE(s, block->n) ? DPPAIR_OK : DPPAIR_ERR_NOT_FINITE;
}

/* The moments of rows, of arguments that are checked. keep: room for all scores, or NULL. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_sketch_of_(dppair_sketch *m, const DPPAIR_ROWS_ *rows,
                                                const DPPAIR_REAL *w, const dppair_fast *f,
                                                char *block_work, DPPAIR_REAL *keep) {
  const size_t step = dppair_block_rows_(rows->d, sizeof(DPPAIR_REAL), keep != NULL);
  dppair_status status = DPPAIR_OK;
  DPPAIR_ROWS_ block;
  DPPAIR_REAL *s;
  double *c;
  size_t i;
  (void)DPPAIR_NAME_chunk_layout_(&s, &c, dppair_align_(block_work), rows->d);
  for (i = 0; status == DPPAIR_OK && i < rows->n; i += step) {
    DPPAIR_REAL *at = keep ? keep + i : s;
    dppair_rows_part_ROW_(&block, rows, i, rows->n - i < step ? rows->n - i : step);
    status = DPPAIR_NAME_block_scores_(at, &block, w);
    if (status == DPPAIR_OK)
      DPPAIR_NAME_sketch_block_(m, at, block.n, block.positives, block.weight, f);
  }
  if (m->low < m->high) dppair_sketch_settle_(m, f); /* else sums of 64 bits hold all */
  if (status != DPPAIR_OK) m->finished = -1;         /* spoiled */
  return status;
}

/* The sum of rows, of arguments that are checked. kept: their scores, or NULL. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_sum_of_(dppair_sum *sum, const DPPAIR_ROWS_ *rows,
                                             const DPPAIR_REAL *w, const dppair_sketch *m,
                                             const dppair_fast *f, char *block_work,
                                             const DPPAIR_REAL *kept) {
  const size_t step = dppair_block_rows_(rows->d, sizeof(DPPAIR_REAL), kept != NULL);
  dppair_status status = DPPAIR_OK;
  DPPAIR_ROWS_ block;
  DPPAIR_REAL *s;
  double *c;
  size_t i;
  (void)DPPAIR_NAME_chunk_layout_(&s, &c, dppair_align_(block_work), rows->d);
  for (i = 0; status == DPPAIR_OK && i < rows->n; i += step) {
    dppair_rows_part_ROW_(&block, rows, i, rows->n - i < step ? rows->n - i : step);
    if (!kept) status = DPPAIR_NAME_block_scores_(s, &block, w);
    if (status != DPPAIR_OK) break;
    f->read(c, kept ? kept + i : s, block.n, block.positives, block.weight, m, f,
            !DPPAIR_TEMPLATE_F64_);
    DPT_SUM_ROWS(sum, &block, c);
  }
  if (status != DPPAIR_OK) sum->unit = 0.0; /* not open any more */
  return status;
}

#if DPPAIR_WEIGHTS
/* All scores, coefficients and weights of a chunk of n rows, room for own pairs, and scratch. */
typedef struct DPPAIR_NAME_users_ {
  DPPAIR_REAL *s;
  double *c, *weight, *own;
  char *scratch;
} DPPAIR_NAME_users_;

/* Lays them out at base (NULL: nowhere). Returns the bytes used, SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_users_layout_(DPPAIR_NAME_users_ *q, char *base, size_t n,
                                              size_t d) {
  DPPAIR_REAL *s;
  double *c;
  size_t used = 0;
  q->s = (DPPAIR_REAL *)dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  q->c = (double *)dppair_take_(base, &used, n, sizeof(double));
  q->weight = (double *)dppair_take_(base, &used, n, sizeof(double));
  q->own = (double *)dppair_take_(base, &used, n, sizeof(double));
  q->scratch = (char *)dppair_take_(base, &used, DPPAIR_NAME_chunk_layout_(&s, &c, NULL, d), 1);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* Scores and weights as they count in sums without order: own pairs are then those of the same
 * numbers, so what is subtracted is what was added. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_users_scores_(DPPAIR_NAME_users_ *q,
                                                     const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                     const dppair_options *options) {
  const size_t step = dppair_block_rows_(rows->d, sizeof(DPPAIR_REAL), 1);
  dppair_status status = DPPAIR_OK;
  DPPAIR_ROWS_ block;
  size_t i;
  (void)DPPAIR_NAME_users_layout_(q, dppair_align_(options->work), rows->n, rows->d);
  for (i = 0; status == DPPAIR_OK && i < rows->n; i += step) {
    dppair_rows_part_ROW_(&block, rows, i, rows->n - i < step ? rows->n - i : step);
    status = DPPAIR_NAME_block_scores_(q->s + i, &block, w);
  }
  dppair_group_weights_(q->weight, rows->weight, options->groups, rows->positives);
#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_
  dppair_cell_scores_(q->s, rows->n, options->fast, !DPPAIR_TEMPLATE_F64_);
  dppair_cell_weights_(q->weight, rows->n, options->fast);
#else
  for (i = 0; i < rows->n; i++) q->weight[i] = dppair_share_grid_(q->weight[i]);
#endif
  return status;
}

/* The moments of a chunk of users, of arguments that are checked. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_users_sketch_(dppair_sketch *m, const DPPAIR_ROWS_ *rows,
                                                     const DPPAIR_REAL *w,
                                                     const dppair_options *options) {
  DPPAIR_NAME_users_ q;
  const dppair_status status = DPPAIR_NAME_users_scores_(&q, rows, w, options);
  if (status != DPPAIR_OK) {
    m->finished = -1; /* spoiled */
    return status;
  }
  DPPAIR_NAME_sketch_block_(m, q.s, rows->n, rows->positives, q.weight, options->fast);
  if (m->low < m->high) dppair_sketch_settle_(m, options->fast);
  m->users += options->groups->count;
  return DPPAIR_OK;
}

/* Its sum, which counts users. kept: the workspace has the scores and weights of the moments. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_users_sum_(dppair_sum *sum, const DPPAIR_ROWS_ *rows,
                                                  const DPPAIR_REAL *w, const dppair_sketch *m,
                                                  const dppair_options *options, int kept) {
  const size_t np = rows->positives;
  const uint64_t count = sum->count + options->groups->count;
  DPPAIR_NAME_users_ q;
  dppair_status status = DPPAIR_OK;
  if (kept)
    (void)DPPAIR_NAME_users_layout_(&q, dppair_align_(options->work), rows->n, rows->d);
  else
    status = DPPAIR_NAME_users_scores_(&q, rows, w, options);
  if (status == DPPAIR_OK && rows->n > 0) {
    options->fast->read(q.c, q.s, rows->n, np, q.weight, m, options->fast, !DPPAIR_TEMPLATE_F64_);
    status =
        DPPAIR_NAME_across_(q.c, q.c + np, q.s, np, q.s + np, q.weight, q.weight, q.own, options);
  }
  if (status != DPPAIR_OK) {
    sum->unit = 0.0; /* not open any more */
    return status;
  }
  DPT_SUM_ROWS(sum, rows, q.c);
  sum->count = count;
  sum->weightless += dppair_groups_null_(options->groups, rows->weight, np);
  return DPPAIR_OK;
}
#endif

DPPAIR_FP_END_

#endif
/* ---- src/pairs/chunked.h --------------------------------------------------------------------
 * The gradient of an instance, of sums without order
 *
 * What NAME_gradient calls with a state whose sums are of integers: in parts, each of which has
 * moments, a sum and scratch of its own, so any number of parts gives the same bits. The same in
 * chunks that the caller hands over is a module: dppair_scale.h.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* Are the gradients of this pass sums of integers? Those of queries are not: a query has its own
 * sums. */
DPPAIR_FN_ int DPPAIR_NAME_is_chunked_(const dppair_options *options) {
  return dppair_is_order_free_(options) &&
         (DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_ || !options->groups ||
          options->groups->relation != DPPAIR_WITHIN);
}

/* Checks a pass whose sums have no order, but for its state: NULL, NO_PROOF (a clip; groups that
 * are not users, or without DPPAIR_WEIGHTS). */
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunk_ways_(const dppair_options *options) {
  if (!options || !options->fast) return DPPAIR_ERR_NULL;
  if (options->clip) return DPPAIR_ERR_NO_PROOF;
  if (options->groups && (!DPPAIR_WEIGHTS || options->groups->relation != DPPAIR_ACROSS))
    return DPPAIR_ERR_NO_PROOF;
  return DPPAIR_OK;
}

/* The bytes of NAME_chunk_workspace for this pass, where n rows are those of users. */
DPPAIR_FN_ size_t DPPAIR_NAME_chunk_bytes_(size_t n, size_t d, const dppair_options *options) {
  DPPAIR_REAL *s;
  double *c;
#if DPPAIR_WEIGHTS
  DPPAIR_NAME_users_ q;
  if (options->groups) return DPPAIR_NAME_users_layout_(&q, NULL, n, d);
#endif
  (void)n;
  (void)options;
  return DPPAIR_NAME_chunk_layout_(&s, &c, NULL, d);
}

/* Lays the arrays of *r out at base (NULL: nowhere), for r->parts parts, n rows of d numbers.
 * Returns the bytes used, SIZE_MAX on overflow; of: the bytes of a part's scratch, moments and sum.
 */
DPPAIR_FN_ size_t DPPAIR_NAME_chunked_layout_(dppair_chunked_ *r, char *base, size_t n,
                                              const size_t *of) {
  size_t used = 0, k;
  r->each = 0;
  for (k = 0; k < 3; k++) (void)dppair_take_(NULL, &r->each, of[k], 1);
  r->each = r->each > SIZE_MAX - 64 ? SIZE_MAX : r->each / 64 * 64 + 64;
  r->s = dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  r->m = (dppair_sketch *)dppair_take_(base, &used, r->parts, sizeof *r->m);
  r->sum = (dppair_sum *)dppair_take_(base, &used, r->parts, sizeof *r->sum);
  r->status = (dppair_status *)dppair_take_(base, &used, r->parts, sizeof *r->status);
  r->scratch = (char *)dppair_take_(base, &used, r->parts, r->each);
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* The bytes of a part's scratch, moments and sum; users are one part, of n rows. The state is not
 * checked. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunked_bytes_(size_t *of, size_t n, size_t d,
                                                    const dppair_options *options) {
  dppair_status status = DPPAIR_NAME_chunk_ways_(options);
  of[0] = status == DPPAIR_OK ? DPPAIR_NAME_chunk_bytes_(n, d, options) : 0;
  if (of[0] == SIZE_MAX) status = DPPAIR_ERR_OVERFLOW;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_sketch_workspace(of + 1, options->fast);
  return status == DPPAIR_OK ? dppair_sum_workspace(of + 2, d) : status;
}

/* Opens the moments and the sum of each part, which follow its scratch: DOMAIN, OVERFLOW (the bound
 * of their addends). */
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunked_open_(dppair_chunked_ *r, const size_t *of, size_t d,
                                                   double radius) {
  const double bound = dppair_sum_bound_(r->options->fast, radius);
  size_t k, used;
  double unit;
  const dppair_status status = dppair_sum_unit_(&unit, bound);
  for (k = 0; status == DPPAIR_OK && k < r->parts; k++) {
    char *part = r->scratch + k * r->each;
    used = of[0];
    dppair_sketch_begin_(r->m + k, r->options->fast,
                         dppair_align_(dppair_take_(part, &used, of[1], 1)));
    dppair_sum_clear_(r->sum + k, d, bound, unit,
                      dppair_align_(dppair_take_(part, &used, of[2], 1)));
    r->sum[k].radius = radius;
  }
  return status;
}

/* *bytes = the workspace of NAME_gradient with a state whose sums have no order. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunked_workspace_(size_t *bytes, size_t n, size_t d,
                                                        const dppair_options *options) {
  dppair_chunked_ r;
  size_t of[3];
  const dppair_status status = DPPAIR_NAME_chunked_bytes_(of, n, d, options);
  *bytes = 0;
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.parts = options->tasks && !options->groups ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_chunked_layout_(&r, NULL, n, of);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* The rows of one part, and the place of their scores. */
DPPAIR_FN_ DPPAIR_REAL *DPPAIR_NAME_chunked_rows_(DPPAIR_ROWS_ *rows, const dppair_chunked_ *r,
                                                  size_t part) {
  const DPPAIR_ROWS_ *all = (const DPPAIR_ROWS_ *)r->rows;
  const size_t i = dppair_part_begin_(all->n, part, r->parts);
  dppair_rows_part_ROW_(rows, all, i, dppair_part_begin_(all->n, part + 1, r->parts) - i);
  return (DPPAIR_REAL *)r->s + i;
}

/* The pass of a part: its workspace is its scratch. */
DPPAIR_FN_ dppair_options DPPAIR_NAME_chunked_pass_(const dppair_chunked_ *r, size_t part) {
  dppair_options own = *r->options;
  own.work = r->scratch + part * r->each;
  return own;
}

/* The tasks of a part: its moments, then its sum from the moments of all, which are r->m[0]. */
DPPAIR_FN_ void DPPAIR_NAME_chunked_sketch_(void *context, size_t part) {
  const dppair_chunked_ *r = (const dppair_chunked_ *)context;
  DPPAIR_ROWS_ rows;
  DPPAIR_REAL *s = DPPAIR_NAME_chunked_rows_(&rows, r, part);
#if DPPAIR_WEIGHTS
  if (r->options->groups) {
    const dppair_options own = DPPAIR_NAME_chunked_pass_(r, part);
    r->status[part] =
        DPPAIR_NAME_users_sketch_(r->m + part, &rows, (const DPPAIR_REAL *)r->w, &own);
    return;
  }
#endif
  r->status[part] = DPPAIR_NAME_sketch_of_(r->m + part, &rows, (const DPPAIR_REAL *)r->w,
                                           r->options->fast, r->scratch + part * r->each, s);
}
DPPAIR_FN_ void DPPAIR_NAME_chunked_sum_(void *context, size_t part) {
  const dppair_chunked_ *r = (const dppair_chunked_ *)context;
  DPPAIR_ROWS_ rows;
  const DPPAIR_REAL *s = DPPAIR_NAME_chunked_rows_(&rows, r, part);
#if DPPAIR_WEIGHTS
  if (r->options->groups) {
    const dppair_options own = DPPAIR_NAME_chunked_pass_(r, part);
    r->status[part] =
        DPPAIR_NAME_users_sum_(r->sum + part, &rows, (const DPPAIR_REAL *)r->w, r->m, &own, 1);
    return;
  }
#endif
  r->status[part] = DPPAIR_NAME_sum_of_(r->sum + part, &rows, (const DPPAIR_REAL *)r->w, r->m,
                                        r->options->fast, r->scratch + part * r->each, s);
}

/* Runs it on all parts: OK, or the first error of one. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunked_run_(dppair_chunked_ *r, dppair_task *one) {
  const dppair_tasks *parts = r->options->groups ? NULL : r->options->tasks;
  size_t k;
  (parts && parts->run ? parts->run : dppair_run_serial)(one, r, r->parts,
                                                         parts ? parts->self : NULL);
  for (k = 0; k < r->parts; k++)
    if (r->status[k] != DPPAIR_OK) return r->status[k];
  return DPPAIR_OK;
}

/* NAME_gradient with such a state, of arguments that are checked but for the state; g is zero. Any
 * number of parts gives the same bits. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_chunked_gradient_(double *g, const DPPAIR_ROWS_ *all,
                                                       const DPPAIR_REAL *w,
                                                       const dppair_options *options) {
  const DPPAIR_ROWS_ some = DPT_PRESENT(all), *rows = &some;
  dppair_chunked_ r;
  size_t of[3], k;
  dppair_status status;
  if (!dppair_isfinite_f64(rows->radius) || !(rows->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  if (!DPPAIR_NAME_fast_is_own_(options->fast, options->params)) return DPPAIR_ERR_WORKSPACE;
  if (all->n > options->fast->most) return DPPAIR_ERR_SIZE;
  memset(&r, 0, sizeof r);
  r.rows = rows;
  r.w = w;
  r.options = options;
  r.parts = options->tasks && !options->groups ? options->tasks->count : 1;
  status = DPPAIR_NAME_chunked_bytes_(of, rows->n, rows->d, options);
  if (status != DPPAIR_OK) return status;
  (void)DPPAIR_NAME_chunked_layout_(&r, dppair_align_(options->work), rows->n, of);
  status = DPPAIR_NAME_chunked_open_(&r, of, rows->d, rows->radius);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunked_run_(&r, DPPAIR_NAME_chunked_sketch_);
  for (k = 0; status == DPPAIR_OK && k < r.parts && r.parts > 1; k++) {
    dppair_sketch_settle_(r.m + k, options->fast);
    if (k) dppair_sketch_join_(r.m, r.m + k, options->fast);
  }
  if (status == DPPAIR_OK) DPPAIR_NAME_sketch_close_(r.m, options->params, options->fast);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_chunked_run_(&r, DPPAIR_NAME_chunked_sum_);
  for (k = 1; status == DPPAIR_OK && k < r.parts; k++) status = dppair_sum_add(r.sum, r.sum + k);
  if (status == DPPAIR_OK) dppair_sum_read_(g, r.sum);
  return status;
}

DPPAIR_FP_END_

#endif
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
/* ---- src/pairs/probe.h ----------------------------------------------------------------------
 * Some slopes of the loss of an instance
 *
 * A sensitivity looks at its loss by them, and whether who made what a pass brings had this loss.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* The slopes at 16 margins, as the loops have them. Errors: those of NAME_coeffs. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_probe_(double *slope, const double *margin,
                                            const double *params) {
  DPPAIR_REAL s[16], zero = 0;
  double sum;
  int k;
  for (k = 0; k < 16; k++) s[k] = (DPPAIR_REAL)margin[k];
  return DPPAIR_NAME_coeffs(slope, &sum, s, 16, &zero, 1, params);
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
/* ---- src/pairs/prepare.h --------------------------------------------------------------------
 * The prepared states of an instance
 *
 * NAME_fast_init and NAME_sums_init, and the functions that they put into a state. Public
 * functions, written NAME_x in comments and DPPAIR_NAME_x in the code. grid.h and sketch.h
 * compute, sketch_template.h and chunked.h have the functions that take such a state.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_

DPPAIR_FP_BEGIN_

/* What a state calls. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_fast_gradient_(double *g, const void *rows, const void *w,
                                                    const dppair_options *options) {
  return DPPAIR_NAME_chunked_gradient_(g, (const DPPAIR_ROWS_ *)rows, (const DPPAIR_REAL *)w,
                                       options);
}
DPPAIR_FN_ dppair_status DPPAIR_NAME_fast_coeffs_(double *a, double *b, const void *sp, size_t np,
                                                  const void *sn, size_t nn, const double *params,
                                                  const dppair_fast *f,
                                                  const double *const *weight) {
  return DPPAIR_NAME_fast_run_(a, b, (const DPPAIR_REAL *)sp, np, (const DPPAIR_REAL *)sn, nn,
                               params, f, weight);
}
DPPAIR_FN_ int DPPAIR_NAME_fast_own_(const dppair_fast *f, const double *params, int proved) {
  return proved ? DPPAIR_NAME_fast_is_proved_(f, params) : DPPAIR_NAME_fast_is_own_(f, params);
}

/* The end of each init: what every state calls, and the digests; what one without order calls. */
DPPAIR_FN_ void DPPAIR_NAME_fast_seal_(dppair_fast *f, const double *params) {
  f->owner = DPPAIR_NAME_owner_();
  f->coeffs = DPPAIR_NAME_fast_coeffs_;
  f->own = DPPAIR_NAME_fast_own_;
  f->probe = DPPAIR_NAME_probe_;
  dppair_fast_seal_(f, DPPAIR_NAME_fast_loss_(params));
}
DPPAIR_FN_ void DPPAIR_NAME_sums_seal_(dppair_fast *f, const double *params) {
  f->bytes = DPPAIR_NAME_chunked_workspace_;
  f->gradient = DPPAIR_NAME_fast_gradient_;
  f->allowance = dppair_sums_allowance_;
  DPPAIR_NAME_fast_seal_(f, params);
}

#if DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_

/* *bytes = the workspace of NAME_fast_init for at most n records. Errors zero it: NULL, OVERFLOW (n
 * beyond 2^30 or any memory), DOMAIN (cap not positive). */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_workspace(size_t *bytes, size_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  (void)accuracy;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (n > SIZE_MAX / 64 || n > UINT32_MAX / 4) return DPPAIR_ERR_OVERFLOW;
  if (!dppair_isfinite_f64(cap) || cap <= 0.0) return DPPAIR_ERR_DOMAIN;
  *bytes = dppair_grid_bytes_(n);
  return DPPAIR_OK;
}

/* Prepares *f for at most n records in `bytes` bytes of workspace, which must live as long as *f is
 * used. Scores beyond +-cap will count as the cap. The accuracy is not used: results are exact. On
 * an error *f is unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE, those of
 * NAME_fast_workspace. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  size_t needed;
  dppair_status status;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_fast_workspace(&needed, n, accuracy, cap, params);
  if (status != DPPAIR_OK) return status;
  if (bytes < needed) return DPPAIR_ERR_WORKSPACE;
  f->kind = DPPAIR_KIND_PIECEWISE_;
  f->run = dppair_pieces_run_;
  f->capacity = n;
  f->most = n;
  f->score_cap = cap;
  f->work = (double *)(void *)dppair_align_(work);
  f->weight = DPPAIR_NAME_fast_weight_(cap, params);
  DPPAIR_NAME_fast_seal_(f, params);
  return DPPAIR_OK;
}

/* *bytes = the workspace of NAME_sums_init of a piecewise linear loss: at most 2 MB. Errors zero
 * it: those of NAME_sums_init. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_workspace(size_t *bytes, uint64_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  dppair_fast f;
  dppair_status status;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_cell_plan_(&f, accuracy, cap, n);
  if (status == DPPAIR_OK) *bytes = (f.words + f.room) * sizeof(double) + 64;
  return status;
}

/*
 * Prepares *f as NAME_fast_init does, but order-free: what it computes of at most n records, in all
 * chunks together, does not depend on the chunks or their order. Of a piecewise linear loss:
 *
 *   Scores are held within +-cap and rounded to a grid of at most 2^16 + 1 points, multiples of a
 *   power of two between cap 2^-15 and cap 2^-14, so that a margin moves by no more than that,
 *   or twice that where a score is next to the cap.
 *   Pairs are summed exactly at the rounded scores; kernel_error is 0. So give a cap that scores
 *   come near. accuracy: DPPAIR_ACCURACY_1E6 takes 2^12 + 1 points, hence margins that move by 16
 *   times as much, but 64 KB instead of 1 MB of dppair_sketch, which is what travels between
 *   machines: as many bytes for few records as for many. Measured: 100 steps of the hinge at a cap
 *   of 8 move the AUC of Pima and Adult by 2e-6 at most, on 2^12 points by 3e-5. About 0.5 ms a
 *   step do not depend on n; from 10^5 records on it is faster than sorting.
 *   Weights count as multiples of 2^-B, rounded down: B = 50 for n < 2^13 and one less for each
 *   doubling beyond, 33 for a billion records.
 *
 * On an error *f is unusable, and calls with it say so: NULL, ENVIRONMENT, WORKSPACE; DOMAIN (the
 * accuracy; a cap that is not within 1e-30 and 1e30), SIZE (n beyond 2^43).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_init(dppair_fast *f, uint64_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  const dppair_piece pieces[] = DPPAIR_LOSS_PIECES(params);
  size_t needed;
  dppair_status status;
  (void)params;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_sums_workspace(&needed, n, accuracy, cap, params);
  if (status == DPPAIR_OK && bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_cell_plan_(f, accuracy, cap, n);
  if (status != DPPAIR_OK) return status;
  f->work = (double *)(void *)dppair_align_(work);
  f->weight = DPPAIR_NAME_fast_weight_(cap, params);
  f->slope = dppair_cell_slope_(pieces, (int)(sizeof pieces / sizeof *pieces), 2.0 * cap) +
             (double)FLT_EPSILON * f->weight; /* rounded knots, and sums */
  f->run = dppair_sketch_run_;
  f->count = dppair_cell_count_;
  f->close = dppair_cell_close_;
  f->read = dppair_cell_read_;
  DPPAIR_NAME_sums_seal_(f, params);
  return DPPAIR_OK;
}

#endif

#if DPPAIR_KIND_ == DPPAIR_KIND_ANALYTIC_

/* *bytes = the workspace of NAME_sums_init; for an analytic loss it depends on the cap, not on n.
 * Errors zero it: NULL, DOMAIN (the accuracy, the cap or the parameters of the loss are out of
 * range), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_workspace(size_t *bytes, uint64_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  dppair_fast f;
  dppair_status status;
  (void)params;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  status = dppair_box_plan_(&f, poles, accuracy, cap);
  if (status != DPPAIR_OK) return status;
  dppair_boxes_sums_(&f, n);
  status = dppair_sketch_bytes_(bytes, &f);
  if (status == DPPAIR_OK) *bytes += dppair_box_table_(&f) * sizeof(double);
  return status;
}

/*
 * Prepares *f in `bytes` bytes of workspace, which must live as long as *f is used. This takes
 * about as long as one call with a few thousand records, so do it once. The state of an analytic
 * loss is order-free: what it sums has the same bits for any order of the records, any split, any
 * number of threads or processes (chunked.h, dppair_scale.h).
 *   n        a public bound of the number of records, in all chunks together
 *   cap      public; scores beyond +-cap will count as the cap. The time and the memory of few
 *            records grow with it, 0.7 KB (at 8 terms half of that) per cap
 * f->slope is then a public bound of |K|, what a coefficient is bounded by per partner. On an error
 * *f is unusable, and calls with it say so: NULL, ENVIRONMENT (also where the C library's fma() is
 * not exact), WORKSPACE, those of NAME_sums_workspace.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sums_init(dppair_fast *f, uint64_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  const dppair_poles poles = DPPAIR_LOSS_POLES(params);
  size_t needed;
  double zero, most;
  dppair_status status;
  (void)params;
  if (!f) return DPPAIR_ERR_NULL;
  memset(f, 0, sizeof *f);
  if (!work) return DPPAIR_ERR_NULL;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPPAIR_NAME_sums_workspace(&needed, n, accuracy, cap, params);
  if (status == DPPAIR_OK && bytes < needed) status = DPPAIR_ERR_WORKSPACE;
  if (status == DPPAIR_OK) status = dppair_fma_check_();
  if (status == DPPAIR_OK) status = dppair_box_plan_(f, poles, accuracy, cap);
  if (status != DPPAIR_OK) {
    memset(f, 0, sizeof *f);
    return status;
  }
  dppair_boxes_sums_(f, n);
  f->table = (double *)(void *)dppair_align_(work);
  f->work = f->table + dppair_box_table_(f);
  DPPAIR_NAME_fast_limits_(f, DPPAIR_NAME_slopes_, poles.distance, params);
  DPPAIR_NAME_fast_table_(f, DPPAIR_NAME_slopes_, params);
  /* a logistic slope is between its limits, its derivative between that at 0 and its limit */
  zero = dppair_fabs_(f->table[f->reach * f->terms * f->stride]) + f->kernel_error;
  most =
      dppair_fabs_(f->low) > dppair_fabs_(f->high) ? dppair_fabs_(f->low) : dppair_fabs_(f->high);
  f->slope = ((most > zero ? most : zero) + f->kernel_error) * (1.0 + 8.0 * DBL_EPSILON);
  DPPAIR_NAME_sums_seal_(f, params);
  return DPPAIR_OK;
}

/* The same two, for a loss of either kind: here the state without order is the only one. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_workspace(size_t *bytes, size_t n,
                                                                      dppair_accuracy accuracy,
                                                                      double cap,
                                                                      const double *params) {
  return DPPAIR_NAME_sums_workspace(bytes, n, accuracy, cap, params);
}
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_fast_init(dppair_fast *f, size_t n,
                                                                 dppair_accuracy accuracy,
                                                                 double cap, const double *params,
                                                                 void *work, size_t bytes) {
  return DPPAIR_NAME_sums_init(f, n, accuracy, cap, params, work, bytes);
}

#endif

DPPAIR_FP_END_

#endif
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
/* ---- src/pairs/sensitivity.h ----------------------------------------------------------------
 * The sensitivity of an instance's gradient
 *
 * Compiled only after dppair_losses.h. Relies on losses/moves.h, and on NAME_allowance.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_HAVE_LOSSES_

DPPAIR_FP_BEGIN_

/* L_RANGE is (function, flags), or there is none. */
#if DPPAIR_RANGE_ == 2
#define DPT_FACTS DPPAIR_SLOPE_FACTS_(DPPAIR_LOSS)
#else
#define DPT_FACTS                                                                                  \
  { dppair_no_range_, 0, NULL }
typedef char
    DPPAIR_NAME_range_must_be_in_brackets_[sizeof DPPAIR_TEXT_(DPPAIR_CAT(DPPAIR_LOSS, _RANGE)) ==
                                                   sizeof(DPPAIR_TEXT_(DPPAIR_LOSS) "_RANGE")
                                               ? 1
                                               : -1];
#endif

/* Whether 16 slopes of the loss are what L_RANGE says of the margins that are reached. SLOPE when
 * one is not; else OK, or an error of NAME_coeffs. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_spot_(const dppair_moves_ *m, const double *params) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  double u[16], slope[16];
  dppair_status status;
  dppair_spot_margins_(u, m, 1000.0);
  status = DPPAIR_NAME_probe_(slope, u, params);
  if (status != DPPAIR_OK) return status == DPPAIR_ERR_NOT_FINITE ? DPPAIR_ERR_SLOPE : status;
  return dppair_spot_holds_(slope, m, epsilon) ? DPPAIR_OK : DPPAIR_ERR_SLOPE;
}

/* Had who made a state or a clip this loss, as far as its margins are reached? Files of one program
 * may have two losses of one name, in instances of one name; S is that of the one that is here.
 * Tiers may differ in the last bits. */
DPPAIR_FN_ int DPPAIR_NAME_is_alike_(dppair_probe_ *other, const dppair_moves_ *m,
                                     const double *params) {
  double u[16], slope[2][16];
  if (other == DPPAIR_NAME_probe_) return 1;
  dppair_spot_margins_(u, m, 1000.0);
  return other && DPPAIR_NAME_probe_(slope[0], u, params) == DPPAIR_OK &&
         other(slope[1], u, params) == DPPAIR_OK &&
         dppair_slopes_alike_(slope[0], slope[1], 16,
                              DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON);
}

/* The groups of the options as moves.h takes them: NULL for none; form: rows have no classes. The
 * sizes of groups are read where they are public, that is where a record is protected. */
DPPAIR_FN_ dppair_grouped_ *DPPAIR_NAME_units_(dppair_grouped_ *u, const dppair_groups *g,
                                               const dppair_sampling *s, int form) {
  size_t k;
  memset(u, 0, sizeof *u);
  if (!g) return NULL;
  u->across = g->relation == DPPAIR_ACROSS;
  u->count = g->count;
  u->rows = g->positive[g->count] + (form ? 0 : g->negative[g->count]);
  u->most = dppair_groups_most_(g);
  if (u->across || dppair_adjacency_unit_(s->adjacency) != DPPAIR_OF_RECORDS_) return u;
  u->most = (double)u->rows;
  for (k = 0; k < g->count; k++) {
    const double size = (double)dppair_group_size_(g->positive, k) +
                        (double)dppair_group_size_(form ? NULL : g->negative, k);
    if (size >= 2.0 && !(u->least > 0.0 && u->least < size)) u->least = size;
  }
  return u;
}

/* *factor and *rounding of a gradient of rows of d numbers by the way that the options choose: of
 * `count` rows, whose pairs weigh `mass`, both sides added, and whose own weights times the numbers
 * of partners are `spread`. doubles: also of coefficients whose sum over rows is one of doubles, as
 * that of a network's gradients. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_rounding_(double *factor, double *rounding,
                                               const dppair_fast *f, size_t d, double count,
                                               double mass, double spread, double radius,
                                               double slope, int doubles) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  double more = 0.0;
  dppair_status status;
  if (!f || !f->order_free)
    return dppair_allowance_of_(factor, rounding, f, epsilon, count, mass, spread, radius, slope);
  status = f->allowance(factor, rounding, f, epsilon, d, count, mass, spread, radius, slope);
  if (status == DPPAIR_OK && doubles)
    status = dppair_allowance_of_(factor, &more, f, epsilon, count, mass, spread, radius, slope);
  if (more > *rounding) *rounding = more;
  return status;
}

/* factor and rounding of `count` groups: the weights of pairs are at most count^2/4 on either side,
 * those of a user's own pairs 1/4, and for a query 1/2, once they are divided. Where the pairs of
 * a user were summed in another way than they are subtracted, what is left of each slope is
 * within kernel_error, and of 84 roundings in the loops' type (8 of a slope, 76 of weights,
 * products and sums of at most 64 vectors or rows, or of 8 records), of 0. Both neighbours have it,
 * of one user only: together radius (kernel_error + 42 epsilon slope), which the last line
 * exceeds for 2 users already. In sums without order each of the state's records, whose weights
 * are count in sum, adds an error of its own; the gradients of queries are sums of doubles over
 * rows, and pairs of a query weigh no more than their number. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_unit_allowance_(double *factor, double *rounding,
                                                     const dppair_fast *f, const dppair_grouped_ *u,
                                                     size_t count, size_t d, double radius,
                                                     double slope, int doubles) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double k = (double)count, error = (f ? f->kernel_error : 0.0) + 12.0 * epsilon * slope;
  const double mass = u->across ? 0.5 * k * k + 0.5 * k : (double)u->all;
  const double most = f && f->order_free && u->across ? (double)f->most : u->most;
  dppair_status status;
  if (f && f->order_free && u->most > (double)f->most) return DPPAIR_ERR_SIZE;
  if (u->across)
    status =
        DPPAIR_NAME_rounding_(factor, rounding, f, d, most, mass, k * most, radius, slope, doubles);
  else
    status = dppair_allowance_of_(factor, rounding, f, epsilon, most, mass, mass, radius, slope);
  if (status != DPPAIR_OK) return status;
  /* of an order-free state: own pairs are subtracted from coefficients, which rounds once more */
  if (f && f->order_free && u->across)
    *rounding += 2.02 * radius * (slope + error) * mass * DBL_EPSILON;
  *factor *= 1.0 + 8.0 * DBL_EPSILON; /* a user's weights are at most 1 + 2^-52 in sum */
  if (u->across) *rounding += 2.02 * k * radius * error;
  return DPPAIR_OK;
}

/* *m: how far a record moves the gradient of a pair, of rows of d numbers; f: the state in use, or
 * NULL. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_moves_(dppair_moves_ *m, size_t d,
                                                              const dppair_bounds *bounds,
                                                              const dppair_options *options,
                                                              const dppair_fast *f) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const dppair_loss_facts facts = DPT_FACTS;
  return dppair_moves_find_(m, DPPAIR_MARGIN_ind, &facts, options->params, bounds,
                            dppair_clip_bound_(options), f ? f->score_cap : HUGE_VAL,
                            ((double)d + 24.0) * epsilon, dppair_cell_shift_(f));
}

/* NAME_sensitivity of arguments that are there, for these users or queries (NULL: records); the
 * groups of the options are not read. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sensitivity_of_(
    double *sensitivity, size_t d, const dppair_bounds *bounds, const dppair_sampling *sampling,
    const dppair_options *options, dppair_grouped_ *u) {
  const double epsilon = DPPAIR_TEMPLATE_F64_ ? DBL_EPSILON : (double)FLT_EPSILON;
  const double clip = dppair_clip_bound_(options);
  const int doubles = !(bounds->param_radius < HUGE_VAL); /* a network, whose sums are not ours */
  const dppair_fast *f = NULL;
  double factor, rounding, size, cut;
  dppair_moves_ m;
  dppair_status status;
  size_t count;
  if (DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && !options->clip && options->fast &&
      options->fast->kind != 0)
    f = options->fast;
  if (u && f && f->order_free && options->groups && options->groups->most == 0 &&
      u->most > (double)f->most)
    u->most = (double)f->most; /* no call takes more rows */
  status = dppair_clip_check_(options);
  if (status == DPPAIR_OK) status = dppair_moves_count_(&count, sampling, u);
  if (status == DPPAIR_OK && u && !u->across && f && f->order_free &&
      DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    status = DPPAIR_ERR_NO_PROOF;
  if (status == DPPAIR_OK) status = DPPAIR_NAME_moves_(&m, d, bounds, options, f);
  if (status != DPPAIR_OK) return status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (f) status = DPPAIR_NAME_fast_ready_(f, options->params, 1);
  if (status == DPPAIR_OK && f && !DPPAIR_NAME_is_alike_(f->probe, &m, options->params))
    status = DPPAIR_ERR_WORKSPACE;
  if (status != DPPAIR_OK) return status;
#endif
  if (options->clip && options->clip->run &&
      !DPPAIR_NAME_is_alike_(options->clip->probe, &m, options->params))
    return DPPAIR_ERR_WORKSPACE;
  if (DPPAIR_RANGE_ == 2) status = DPPAIR_NAME_spot_(&m, options->params);
  if (status != DPPAIR_OK) return status;
  size = dppair_times_(m.slope, bounds->radius);
  cut = options->clip ? clip / dppair_sqrt_(((double)d + 16.0) * epsilon) : HUGE_VAL;
  if (u) {
    status = DPPAIR_NAME_unit_allowance_(&factor, &rounding, f, u, count, d, bounds->radius,
                                         m.slope, doubles);
  } else if (sampling->kind == DPPAIR_MATCHING) {
    status = dppair_allowance_(&factor, &cut, NULL, epsilon, count, 0.0, 0.0);
    factor += 8.0 * epsilon;
    if (status == DPPAIR_OK)
      status = dppair_pairs_allowance_(&rounding, count / 2, count, m.norm * factor);
  } else if (cut < size) {
    status = dppair_allowance_(&factor, &rounding, NULL, epsilon, count, 1.0, cut);
  } else {
    const double n = (double)count, pairs = 0.5 * n * n; /* n+ n- <= n^2/4 on either side */
    status = DPPAIR_NAME_rounding_(&factor, &rounding, f, d, n, pairs, pairs, bounds->radius,
                                   m.slope, doubles);
  }
  if (status != DPPAIR_OK) return status;
  return u && !u->across ? dppair_moves_within_(sensitivity, &m, sampling, u, factor, rounding)
                         : dppair_moves_sampled_(sensitivity, &m, sampling, factor, rounding);
}

/*
 * *sensitivity = how far the gradient as it is computed, divided by dppair_normaliser of the
 * sampling, moves in l2 norm between neighbours: kernel errors, rounding and that division
 * included. Its quotient with sigma is what the account charges for this sampling.
 *
 *   d         features of a row
 *   bounds    radius: that of every row (0, none is known, is NO_RADIUS; HUGE_VAL, any scorer,
 *             needs a clip); param_radius: |w| at this gradient, HUGE_VAL where slopes are bounded
 *             anyway; label_bound and offset are not read; clip must be 0: it stands in the pass
 *   sampling  all fields that NAME_gradient's rows were drawn by
 *   options   params; clip; fast: then scores count as at most its score_cap, and slopes are those
 *             over +-2 score_cap at most
 *             groups: ACROSS under neighbours that differ in a user, whose number the sampling
 *             counts (n; m and a rate are of users, too): that of a record, with a user in its
 *             place, however many records there are. WITHIN, for the mean over queries: of a record
 *             that stays in its query, where all records are used and sizes are public, which are
 *             read; of a query, which the sampling counts. groups->most bounds roundings where the
 *             number of rows is private
 *
 * Rows with weights have the sensitivity of rows without.
 *
 * It holds for NAME_gradient; for NAME_coeffs, _coeffs_fast or NAME_clip_coeffs followed by
 * dppair_combine; for a matching also for NAME_pairs_gradient of its m/2 pairs. With a clip `fast`
 * is not read, as there. With an order-free state it holds for NAME_gradient and for sums of
 * NAME_chunk_sum; at param_radius HUGE_VAL, and for queries, for _coeffs_fast followed by
 * dppair_combine too. (Else NAME_allowance has what sums of doubles round.) Groups of one of a
 * piecewise linear loss are users.
 *
 * Of a network whose scores have gradients of norm at most `radius`, each clipped by its own record
 * alone: param_radius HUGE_VAL, with `fast` where the scores are to be capped, and the rounding of
 * its sum of c_i v_i to be added by the caller.
 *
 * Proof: dppair_moves_find_, dppair_moves_sampled_, NAME_allowance or dppair_sums_allowance_. What
 * else is here. A margin of computed scores is off by at most (d + 24) epsilon of its largest
 * value, with or without fused products. A clipped coefficient times its row's norm is at most
 * clip/sqrt((d + 16) epsilon), since the margin of squared distances is twice that
 * (NAME_clip_coeffs): this bounds sums of clipped coefficients where no bound of the slopes does. A
 * listed pair's difference of rows is rounded, so its gradient may leave the set of the proof by
 * epsilon of its norm.
 *
 * L_RANGE is checked at 16 of the margins; one slope outside is SLOPE. Errors zero *sensitivity:
 * ADJACENCY (groups that do not fit the neighbours, or none where they need them), NULL, DOMAIN
 * (bounds or parameters out of range), NO_RADIUS, SLOPE, NO_PROOF (slopes that nothing bounds, a
 * loss without L_RANGE and no clip), WORKSPACE (a state that was prepared for another instance,
 * loss or parameters; a clip that is not made), SIZE (n or m below 2, d too long for the type, n
 * beyond what NAME_allowance can bound or the state was made for), those of dppair_normaliser,
 * ENVIRONMENT, OVERFLOW.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_sensitivity(double *sensitivity, size_t d,
                                                                   const dppair_bounds *bounds,
                                                                   const dppair_sampling *sampling,
                                                                   const dppair_options *options) {
  dppair_grouped_ units;
  dppair_status status = DPPAIR_OK;
  if (!sensitivity) return DPPAIR_ERR_NULL;
  *sensitivity = 0.0;
  if (!bounds || !sampling || !options) return DPPAIR_ERR_NULL;
  if (options->groups && options->clip) return DPPAIR_ERR_NO_PROOF;
  if (options->groups) status = dppair_groups_fit_(options->groups, 0);
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_sensitivity_of_(sensitivity, d, bounds, sampling, options,
                                     DPPAIR_NAME_units_(&units, options->groups, sampling, 0));
}

DPPAIR_FP_END_

#endif /* DPPAIR_HAVE_LOSSES_ */
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
/* ---- src/tiles/of_instances.h ---------------------------------------------------------------
 * Gradients of an instance: the chapters
 *
 * Forms, listed and clipped pairs read the numbers of dense rows; the gradient for linear scores
 * reads rows of any kind (rows/table.h).
 * ---------------------------------------------------------------------------------------------- */

#if DPT_DENSE
/* ---- src/tiles/template.h -------------------------------------------------------------------
 * The functions of an instance over tiles
 *
 * Forms, clipped pairs and listed pairs: public functions, written NAME_x in comments and
 * DPPAIR_NAME_x in the code. They call the bodies of form_kernels.h, clip_kernels.h and listed.h on
 * the tier of the processor, which check the arguments and zero outputs on an error.
 *
 * NOT PRIVATE: gradients, coefficients and caches are raw material, as secret as the records, until
 * a release adds its noise. A figure has not_private in its name.
 *
 * Rows with factors. Row i of a block is factor[i] x_i. What the tiles compute with is that product
 * with each number rounded towards 0: it is a function of its own record, no number is larger than
 * the exact one, and a bound of the norms of the rows holds for it in exact arithmetic. So bounds
 * and sensitivities below are those for rows without factors. A factor of 1 changes no bit.
 *
 * The pass: params, parts, work and bytes as in dppair_options; of `clip` only the bound is read,
 * and each function says what it cuts; `fast` is not read. Public arguments are checked before a
 * record is read. After that, and where rows->radius is right and not 0, the only errors are those
 * of numbers that are not finite.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_clip_coeffs and NAME_clip_cache for n records of d features,
 * however many are positives; *count = the numbers in a cache of caps, 2 bytes each (count may be
 * NULL). Errors zero both: NULL, OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_workspace(size_t *bytes, size_t *count,
                                                                      size_t n, size_t d) {
  DPPAIR_NAME_clip_ t;
  if (count) *count = 0;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = DPPAIR_NAME_clip_layout_(&t, NULL, n, 0, d);
  if (count) *count = DPPAIR_NAME_clip_count_(n);
  if (*bytes < SIZE_MAX && (!count || *count < SIZE_MAX)) return DPPAIR_OK;
  *bytes = 0;
  if (count) *count = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/*
 * NAME_coeffs with the gradient of every pair clipped. For linear scores that gradient is phi'(u)
 * (x_i - x_j), i a positive and j a negative, so its weight phi' is held within +-clip/|x_i - x_j|.
 * Then
 *
 *   a[i] = the sum over j of the held weights     b[j] = -the sum over i
 *
 * in double, and X+^T a + X-^T b is the gradient, X the rows with their factors.
 *   sp, sn   scores of either side. They may be those of any scorer, but the distances are those of
 *            the rows
 *   rows     the positives first, null records last, which are not read and have no number here; a
 *            and sp have rows->positives numbers, b and sn the others'
 *   cache    NULL, or count numbers that NAME_clip_cache wrote for these rows and this bound
 *   options  clip: the longest gradient of a pair; without one none is clipped. work: as
 *            NAME_clip_workspace says
 *
 * No gradient of a pair is longer than clip in exact arithmetic, that of the exact scaled rows
 * included. Squared distances come from inner products; a margin for their cancellation keeps them
 * from being too small, and makes them too large by 2 (d + 16) epsilon (|x|^2 + |x'|^2). For
 * near-duplicates the margin is the larger part: with norms 1 and d = 10 a weight is held within
 * clip/0.0035 in float (clip/1.5e-7 in double) however close the two are. If rows are far from the
 * origin, centre them first, with a public centre. NAME_pairs_gradient computes with differences
 * and has no such floor. A held weight is a function of its two records (and scores) alone. Blocks
 * in which nothing can be clipped, by their largest slope and norms, skip the distances.
 *
 * For a convex loss the clipped gradient is that of a convex loss. Its sensitivity, as a mean over
 * ordered pairs, is at most 2 clip/n when one record is replaced.
 *
 * O(positives negatives d) at the speed of a matrix product, or O(positives negatives) with a
 * cache. Errors zero a and b: NULL, SIZE (ld < d, d epsilon > 1/4, positives > n), DOMAIN (a
 * cache without a clip), WORKSPACE (also a clip that is not made, a cache of another bound or n),
 * ENVIRONMENT, OVERFLOW (a score or distance that is too large), NOT_FINITE. Without rows, or with
 * more positives and nulls than rows, a and b have no size and are not touched.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_coeffs(
    double *a, double *b, const DPPAIR_REAL *sp, const DPPAIR_REAL *sn, const DPPAIR_ROWS_ *rows,
    const uint16_t *cache, size_t count, const dppair_options *options) {
  DPPAIR_ROWS_ some;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  if (rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  some = DPT_PRESENT(rows);
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_coeffs, (a, b, sp, sn, &some, cache, count, options));
  return status;
}

/* NAME_clip_coeffs as a clip calls it. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_clip_run_(double *a, double *b, const void *sp, const void *sn,
                                               const void *rows, const dppair_options *options) {
  return DPPAIR_NAME_clip_coeffs(a, b, (const DPPAIR_REAL *)sp, (const DPPAIR_REAL *)sn,
                                 (const DPPAIR_ROWS_ *)rows, NULL, 0, options);
}

/* Makes *clip a clip of this public bound, with which NAME_gradient and NAME_release clip the
 * gradient of each pair: options.clip = &clip. Errors zero *clip: those of dppair_clip_init. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_init(dppair_clip *clip, double bound) {
  const dppair_status status = dppair_clip_make_(clip, bound, DPPAIR_NAME_owner_());
  if (status != DPPAIR_OK) return status;
  clip->bytes = DPPAIR_NAME_clip_workspace;
  clip->run = DPPAIR_NAME_clip_run_;
  clip->probe = DPPAIR_NAME_probe_;
  return DPPAIR_OK;
}

/* Writes the caps clip/|x_i - x_j| to cache[0..count) for many calls of NAME_clip_coeffs: they do
 * not depend on the scores. 2 bytes per pair, rounded down by up to 1/128. count and work: as
 * NAME_clip_workspace says. Like the rows, a cache is private. Errors are those of NAME_clip_coeffs
 * and zero the cache, but one that is too short (WORKSPACE) is not touched; no clip is DOMAIN.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_clip_cache(uint16_t *cache, size_t count,
                                                                  const DPPAIR_ROWS_ *rows,
                                                                  const dppair_options *options) {
  DPPAIR_ROWS_ some;
  dppair_status status;
  if (!cache || !rows) return DPPAIR_ERR_NULL;
  some = DPT_PRESENT(rows);
  if (rows->nulls > rows->n) { /* SIZE, once the cache of all rows is zeroed */
    some.n = rows->n;
    some.positives = SIZE_MAX;
  }
  DPPAIR_DISPATCH_(status = DPPAIR_NAME_clip_cache, (cache, count, &some, options));
  return status;
}

DPPAIR_FP_END_
#endif
/* ---- src/tiles/gradient.h -------------------------------------------------------------------
 * The gradient of an instance for linear scores
 *
 * From rows to a gradient: scores, coefficients by one of the ways of pairs/ or clipped ones of
 * this folder, X^T c. Public functions, written NAME_x in comments and DPPAIR_NAME_x in the code.
 * NOT PRIVATE: such a gradient is raw material, as secret as the records; NAME_release adds noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Sets the arrays of *r to their places in the workspace at base (NULL: to NULL): the coefficients
 * of either side, two sums of d numbers for each part, the scores of either side, the workspace of
 * clipped coefficients (`clip` bytes at *rest). Returns the bytes used, SIZE_MAX on overflow. */
DPPAIR_FN_ size_t DPPAIR_NAME_gradient_layout_(dppair_linear_ *r, void **rest, char *base, size_t n,
                                               size_t np, size_t clip) {
  size_t used = 0;
  r->c[0] = (double *)dppair_take_(base, &used, n, sizeof(double));
  r->g = (double *)dppair_take_(base, &used, dppair_area_(dppair_area_(r->parts, 2), r->d),
                                sizeof(double));
  r->s[0] = dppair_take_(base, &used, n, sizeof(DPPAIR_REAL));
  *rest = dppair_take_(base, &used, clip, 1);
  if (base) {
    r->c[1] = r->c[0] + np;
    r->s[1] = (DPPAIR_REAL *)r->s[0] + np;
  }
  return used > SIZE_MAX - 64 ? SIZE_MAX : used + 64;
}

/* *clip = the bytes that clipped coefficients, or those of groups, take for n records, however many
 * of them are positives; 0 where pairs are not clipped and all count. SIZE (parts 0), WORKSPACE (a
 * clip that NAME_clip_init of this instance did not make), NO_PROOF (a clip, and groups), OVERFLOW.
 */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient_clip_(size_t *clip, size_t n, size_t d, const dppair_options *options) {
  *clip = 0;
  if (options->tasks && options->tasks->count == 0) return DPPAIR_ERR_SIZE;
  if (dppair_clip_check_(options) != DPPAIR_OK) return DPPAIR_ERR_WORKSPACE;
  if (options->groups && (options->clip || !DPPAIR_WEIGHTS)) return DPPAIR_ERR_NO_PROOF;
  if (options->clip && !DPT_DENSE) return DPPAIR_ERR_NO_PROOF;
  if (options->clip)
    return options->clip->owner == DPPAIR_NAME_owner_() ? options->clip->bytes(clip, NULL, n, d)
                                                        : DPPAIR_ERR_WORKSPACE;
  if (options->groups) *clip = dppair_area_(n, 2 * sizeof(double));
  if (*clip > SIZE_MAX - 64) return DPPAIR_ERR_OVERFLOW;
  *clip += options->groups ? 64 : 0;
  return DPPAIR_OK;
}

/* *bytes = the workspace of NAME_gradient for n records of d numbers and this pass, of which clip,
 * parts and whether there are groups are read. It does not depend on how many are positives. Errors
 * zero it: NULL, SIZE (parts 0), WORKSPACE (a clip that NAME_clip_init of this instance did not
 * make), NO_PROOF (a clip, and groups), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_workspace(size_t *bytes, size_t n, size_t d,
                                                                 const dppair_options *options) {
  dppair_linear_ r;
  size_t clip;
  void *rest;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!options) return DPPAIR_ERR_NULL;
  status = DPPAIR_NAME_gradient_clip_(&clip, n, d, options);
  if (status != DPPAIR_OK) return status;
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (DPPAIR_NAME_is_chunked_(options))
    return options->fast->owner == DPPAIR_NAME_owner_() && options->fast->bytes
               ? options->fast->bytes(bytes, n, d, options)
               : DPPAIR_ERR_WORKSPACE;
#endif
  memset(&r, 0, sizeof r);
  r.d = d;
  r.parts = options->tasks ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_gradient_layout_(&r, &rest, NULL, n, 0, clip);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* Checks the arguments of NAME_gradient, but for what is in the rows. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_gradient_check_(
    const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w, const dppair_options *options) {
  const size_t n = rows->n, d = rows->d, np = rows->positives;
  size_t needed;
  dppair_status status;
  if (!options || (!w && d)) return DPPAIR_ERR_NULL;
  if (rows->weight && (options->clip || !DPPAIR_WEIGHTS)) return DPPAIR_ERR_NO_PROOF;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->nulls > n || np > n - rows->nulls) return DPPAIR_ERR_SIZE;
  status = DPPAIR_NAME_workspace(&needed, n, d, options);
  if (status != DPPAIR_OK) return status;
  if (!options->work) return DPPAIR_ERR_NULL;
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  status = dppair_environment_check();
  if (status == DPPAIR_OK) status = DPT_REACH(w, d, rows->radius);
  if (status == DPPAIR_OK && options->groups)
    status = dppair_groups_check_(options->groups, np, n - rows->nulls - np, 0);
  return status;
}

/* The same, and lays *r, of the records that are there, and the workspace of clipped coefficients
 * (*inner) out. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient_open_(dppair_linear_ *r, dppair_options *inner, const DPPAIR_ROWS_ *rows,
                           const DPPAIR_REAL *w, const dppair_options *options) {
  const size_t np = rows->positives;
  size_t n = rows->n, clip;
  dppair_status status = DPPAIR_NAME_gradient_check_(rows, w, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_gradient_clip_(&clip, n, rows->d, options);
  if (status != DPPAIR_OK) return status;
  n -= rows->nulls;
  memset(r, 0, sizeof *r);
  r->rows = rows;
  r->w = w;
  r->n[0] = np;
  r->n[1] = n - np;
  r->d = rows->d;
  r->parts = options->tasks ? options->tasks->count : 1;
  *inner = *options;
  inner->bytes = clip;
  (void)DPPAIR_NAME_gradient_layout_(r, &inner->work, dppair_align_(options->work), n, np, clip);
  return DPPAIR_OK;
}

/* The rest of a gradient whose scores are there: their coefficients, in the way that the options
 * say, and X^T c. inner: the pass with the workspace of these coefficients. */
DPPAIR_FN_ DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_gradient_rest_(double *g, dppair_linear_ *r, const dppair_options *inner,
                           const DPPAIR_ROWS_ *rows, const dppair_options *options) {
  dppair_executor *run =
      options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  const DPPAIR_REAL *sp, *sn;
  dppair_status status;
  sp = (const DPPAIR_REAL *)r->s[0];
  sn = (const DPPAIR_REAL *)r->s[1];
#if DPPAIR_WEIGHTS
  if (rows->weight || options->groups)
    status = DPPAIR_NAME_weighted_coeffs(r->c[0], r->c[1], sp, r->n[0], sn, r->n[1], rows->weight,
                                         inner);
  else
#endif
      if (options->clip)
    status = options->clip->run(r->c[0], r->c[1], sp, sn, rows, inner);
  else
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
      if (options->fast) {
    status = DPPAIR_NAME_fast_ready_(options->fast, options->params, 0);
    if (status == DPPAIR_OK)
      status = options->fast->coeffs(r->c[0], r->c[1], sp, r->n[0], sn, r->n[1], options->params,
                                     options->fast, NULL);
  } else
#endif
    status = DPPAIR_NAME_coeffs(r->c[0], r->c[1], sp, r->n[0], sn, r->n[1], options->params);
  if (status != DPPAIR_OK) return status;
  run(DPPAIR_NAME_linear_combine_, r, r->parts, options->tasks ? options->tasks->self : NULL);
  if (r->d) dppair_tasks_join(r->g, r->d, 2 * r->parts);
  if (r->d) memcpy(g, r->g, r->d * sizeof *g);
  return dppair_finish_(g, r->d);
}

/*
 * g[0..d) = the sum over all positives i and negatives j of phi'(<v, w>) v, v = x_i - x_j: the
 * gradient in w of the sum of phi over all pairs, for the linear score <x, w>.
 *   rows     n records of d numbers, the positives first, null records last; y is not read. A row
 *            x_i is factor[i] times what is stored, exactly; its score is factor[i] times the
 *            computed product with w, rounded
 *   w        d numbers
 *   options  clip, if given, is one from NAME_clip_init: each pair's gradient is clipped to its
 *            bound first (NAME_clip_coeffs, whose bounds and errors hold; fast is not read).
 *            Otherwise fast, if given, is a state from NAME_fast_init or NAME_sums_init of this
 *            instance, and the near-linear coefficients are taken
 *            (NAME_coeffs_fast); a loss without such an algorithm does not read it. With an
 *            order-free one, which that of an analytic loss is, X^T c is a sum of integers too: no
 *            order, split or number of parts changes a bit of g, and the rows need a radius; groups
 *            are users, or queries of an analytic loss, whose X^T c is one of doubles. Otherwise
 *            the loops run (NAME_coeffs)
 *            groups: which pairs count, and how (NAME_weighted_coeffs): what is summed is then
 *            weighted by users, or divided for each query. So are rows with weights. Neither has
 *            a clip
 *            parts: how the work is cut, and who runs it
 *            work: `bytes` bytes, at least what NAME_workspace says
 *
 * The way of computing is chosen by the pass, never by the number of records. A batch of 128 has a
 * neighbour of 127; between two kinds of arithmetic the slope of EVERY pair would move, by a whole
 * slope at a kink, and no figure covers that. With a prepared state, fewer than 64 records take up
 * to three times the time of the loops, but about a microsecond (10 where the scores spread over
 * hundreds of boxes).
 *
 * g is summed in double and neither divided nor noised: divide by n(n-1) or another public number,
 * and see NAME_allowance for its sensitivity. Errors zero g, if rows are given: NULL, SIZE (ld < d,
 * more positives than records that are there, nulls > n, parts 0, places of groups, more records
 * than the state is for), DOMAIN (groups), NO_PROOF (a clip with weights or groups), WORKSPACE (too
 * little; a clip or a state that is not prepared, or by another instance), ENVIRONMENT, NOT_FINITE
 * (w, a score or a result), OVERFLOW (radius |w| above 1e150, for float 1e18; sizes; numbers too
 * large to be clipped). With rows from dppair_rows_clip no status depends on a record, unless
 * slopes overflow at margins within 2 radius |w| (those of the exponential loss).
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_gradient(double *g, const DPPAIR_ROWS_ *rows,
                                                                const DPPAIR_REAL *w,
                                                                const dppair_options *options) {
  dppair_linear_ r;
  dppair_options inner;
  dppair_executor *run;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (DPPAIR_NAME_is_chunked_(options)) {
    status = DPPAIR_NAME_gradient_check_(rows, w, options);
    if (status == DPPAIR_OK) status = options->fast->gradient(g, rows, w, options);
    return status;
  }
#endif
  status = DPPAIR_NAME_gradient_open_(&r, &inner, rows, w, options);
  if (status != DPPAIR_OK) return status;
  run = options->tasks && options->tasks->run ? options->tasks->run : dppair_run_serial;
  run(DPPAIR_NAME_linear_scores_, &r, r.parts, options->tasks ? options->tasks->self : NULL);
  return DPPAIR_NAME_gradient_rest_(g, &r, &inner, rows, options);
}

DPPAIR_FP_END_
#endif
#define DPPAIR_STAGE_ DPPAIR_STAGE_FUNCTIONS_
/* ---- src/pairs/slots.h ----------------------------------------------------------------------
 * Slots: what modules add to each instance
 *
 * A module that adds functions to an instance is included before it, and then read again at each
 * stage of it: DPPAIR_STAGE_ says which, DPPAIR_MODULE_NAME_ that this module is asked. Outside of a
 * stage the module is read once, for what no instance enters. An instance without pairs of its own
 * has pairs/loops.h where its module defines DPPAIR_LOOPS_ with the states.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include DPPAIR_CONTRAST_SELF
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include DPPAIR_INFLUENCE_SELF
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include DPPAIR_METRIC_SELF
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include DPPAIR_POINTWISE_SELF
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include DPPAIR_SCALE_SELF
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include DPPAIR_TOP_SELF
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#if DPPAIR_KIND_ != DPPAIR_KIND_ROWWISE_ && defined(DPPAIR_RELEASE_H) && defined(DPPAIR_LOSSES_H)
/* ---- src/core/quick.h -----------------------------------------------------------------------
 * What is compiled soon rather than fast: it begins
 *
 * Checks, plans, facts and answers run once for each release or question, and are most of the text.
 * gcc spends on them what loops over records deserve: so until core/quick_end.h it compiles for
 * debugging, in half the time. No bit depends on it. Off without optimisation, where sizes are
 * wanted (-Os, DPPAIR_SMALL), under sanitizers and with DPPAIR_NO_QUICK; clang has no such level.
 *
 * A function of such a region is inlined nowhere else, so helpers of loops stand outside, as do
 * what wipes secrets and what makes noise. With DPPAIR_QUICK_SMALL_ 1 the region is compiled for size:
 * as soon for loops over vectors that hardly anybody runs, and half as long.
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#if DPPAIR_QUICK_SMALL_
#define DPPAIR_LEVEL_ "Os"
#else
#define DPPAIR_LEVEL_ "Og"
#endif
_Pragma("GCC push_options") DPPAIR_PRAGMA_OF_(GCC optimize(DPPAIR_LEVEL_))
#endif
/* ---- src/release/of_instances.h -------------------------------------------------------------
 * Releases of an instance: the chapters
 *
 * Compiled for each instance, after its gradients and its sensitivity.
 * ---------------------------------------------------------------------------------------------- */

/* ---- src/release/template.h -----------------------------------------------------------------
 * The releases of an instance
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. They exist where
 * dppair_losses.h, dppair_noise.h and dppair_accountant.h came before the instance. In each: checks
 * of public arguments, which use no paid release; the paid release; the gradient; its divisor;
 * noise.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* Errors that could depend on a record are ruled out by public numbers: a score or a margin is at
 * most SCORE_, sums over pairs are at most SUM_ long. */
#if DPPAIR_TEMPLATE_F64_
#define DPT_SCORE_ 1e150
#define DPT_SUM_ 1e280
#else
#define DPT_SCORE_ 1e18
#define DPT_SUM_ 1e36
#endif

/* Is there room for `most` records in what the pass brings? */
DPPAIR_FN_ dppair_status DPPAIR_NAME_room_(size_t most, size_t needed,
                                           const dppair_options *options) {
  if (options->bytes < needed) return DPPAIR_ERR_WORKSPACE;
  if (!options->work) return DPPAIR_ERR_NULL; /* every pass needs some */
#if DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_
  if (options->fast && !options->clip &&
      (options->fast->kind != DPPAIR_KIND_ ||
       (!options->fast->order_free && options->fast->most < most)))
    return DPPAIR_ERR_WORKSPACE;
#endif
  (void)most;
  return DPPAIR_OK;
}

/* Are these rows, or where users or queries are protected these groups of rows, those of the
 * step? *most: what public arguments must have room for. form: rows without classes. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_units_(size_t *most, const dppair_release *release,
                                                    const DPPAIR_ROWS_ *rows,
                                                    const dppair_options *options, int form) {
  const dppair_groups *g = options ? options->groups : NULL;
  const size_t n = rows->n, there = n - rows->nulls, np = form ? there : rows->positives;
  dppair_status status = dppair_release_bound_(release, rows->radius);
  *most = n;
  if (status != DPPAIR_OK) return status;
  if (g && (rows->nulls > n || np > there)) return DPPAIR_ERR_SIZE;
  if (g && rows->nulls > 0 && g->relation == DPPAIR_WITHIN &&
      dppair_adjacency_unit_(release->sampling.adjacency) == DPPAIR_OF_RECORDS_)
    return DPPAIR_ERR_NO_PROOF; /* the sizes of queries are public */
  if (g) status = dppair_groups_check_(g, np, there - np, form);
  if (status != DPPAIR_OK) return status;
  if (dppair_adjacency_unit_(release->sampling.adjacency) == DPPAIR_OF_RECORDS_ ||
      (release->sampling.owned > 0 && !g)) /* records are drawn */
    return dppair_release_rows_(most, release, n, rows->radius, rows->serial);
  if (!g) return DPPAIR_ERR_ADJACENCY;
  if (release->sampling.kind != DPPAIR_ALL && rows->serial != dppair_release_serial_(release))
    return DPPAIR_ERR_BATCH;
  /* else the room that is needed would tell n */
  if (g->most == 0 || n > g->most) return DPPAIR_ERR_SIZE;
  status = dppair_release_rows_(most, release, g->count, rows->radius, rows->serial);
  *most = g->most;
  return status;
}

/* What a mean over queries is divided by; 0 for other gradients. */
DPPAIR_FN_ double DPPAIR_NAME_release_queries_(const dppair_release *release,
                                               const dppair_options *options) {
  if (!options->groups || options->groups->relation != DPPAIR_WITHIN) return 0.0;
  return dppair_adjacency_unit_(release->sampling.adjacency) == DPPAIR_OF_RECORDS_
             ? (double)options->groups->count
             : dppair_sampling_expected_(&release->sampling);
}

/*
 * How many of the drawn records, or users, are null: given as such, or of weight 0, or users
 * who have no other records. A draw's divisor does not count them: the proof of a sensitivity
 * (losses/moves.h) lets a record JOIN b others, so that a null record that is drawn is one that is
 * not drawn, in the divisor too. Private, as the divisor is.
 */
DPPAIR_FN_ size_t DPPAIR_NAME_release_nulls_(const dppair_release *release,
                                             const DPPAIR_ROWS_ *rows,
                                             const dppair_options *options, int form) {
  const dppair_groups *g = options->groups;
  if (!dppair_sampling_is_random_(release->sampling.kind)) return 0;
  if (g) /* queries have another divisor */
    return g->relation == DPPAIR_ACROSS
               ? dppair_groups_null_(g, rows->weight, form ? 0 : rows->positives)
               : 0;
  return rows->nulls + dppair_weightless_(rows->weight, rows->n - rows->nulls);
}

/* The noise of a release of `size` numbers whose sensitivity is known; see DPT_SUM_. nulls: of the
 * drawn records, that the divisor does not count. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_price_(dppair_release_terms_ *terms,
                                            const dppair_release *release, size_t size,
                                            double radius, size_t nulls,
                                            const dppair_options *options) {
  const double n = (double)release->sampling.n, longest = radius < 1.0 ? radius : 1.0;
  const double queries = DPPAIR_NAME_release_queries_(release, options);
  dppair_status status = dppair_release_terms_of_(terms, release, size);
  if (status == DPPAIR_OK && nulls > 0 && dppair_sampling_is_random_(release->sampling.kind))
    status = dppair_normaliser(&terms->divisor, &release->sampling,
                               nulls < release->drawn ? release->drawn - nulls : 0);
  if (status != DPPAIR_OK) return status;
  if (queries > 0.0) terms->divisor = queries;
  return n * n * n * terms->sensitivity < DPT_SUM_ * longest ? DPPAIR_OK : DPPAIR_ERR_OVERFLOW;
}

/* The public checks of NAME_release, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_open_(dppair_release_terms_ *terms,
                                                   const dppair_release *release,
                                                   const DPPAIR_ROWS_ *rows, const DPPAIR_REAL *w,
                                                   const dppair_options *options) {
  dppair_bounds bounds;
  size_t needed, most;
  dppair_status status = DPPAIR_NAME_release_units_(&most, release, rows, options, 0);
  if (status != DPPAIR_OK) return status;
  if (!w || !options) return DPPAIR_ERR_NULL;
  status = dppair_rows_check_ROW_(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->d == 0 || rows->nulls > rows->n) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(rows);
  if (status != DPPAIR_OK) return status;
  if (rows->weight && (options->clip || !DPPAIR_WEIGHTS)) return DPPAIR_ERR_NO_PROOF;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_workspace(&needed, most, rows->d, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_room_(most, needed, options);
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius = dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_);
  if (!dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (!(bounds.radius * bounds.param_radius <= DPT_SCORE_)) return DPPAIR_ERR_OVERFLOW;
#if DPPAIR_WEIGHTS
  status =
      DPPAIR_NAME_sensitivity(&terms->sensitivity, rows->d, &bounds, &release->sampling, options);
#else /* NAME_workspace has refused groups */
  status = DPPAIR_NAME_sensitivity_of_(&terms->sensitivity, rows->d, &bounds, &release->sampling,
                                       options, NULL);
#endif
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_price_(terms, release, rows->d, bounds.radius,
                            DPPAIR_NAME_release_nulls_(release, rows, options, 0), options);
}

/* What is not inlined leaves its secrets below its caller, where dppair_release_forget_ wipes. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_work_(double *g, const DPPAIR_ROWS_ *rows,
                                                            const DPPAIR_REAL *w,
                                                            const dppair_options *options) {
  return DPPAIR_NAME_gradient(g, rows, w, options);
}

/*
 * g[0..d) = the gradient of NAME_gradient, divided by the divisor of the plan's sampling, with the
 * noise of this step. g may be published, and so may the next w.
 *
 *   rows     as NAME_gradient takes them, radius > 0: all n records, or in a plan that draws those
 *            that dppair_gather made of this step's batch (or dppair_rows_by_hand marked). Their
 *            bound is public. Null records are among them, and how many there are is private. The
 *            divisor of a Poisson sample or an allocation does not count them, nor records of
 *            weight 0, nor users without records
 *   w        d numbers that are public: zero, or made of earlier releases
 *   options  as NAME_gradient takes it. work: NAME_workspace of all n records where the plan draws
 *            a random number of them; of groups->most rows, which must be given, where users or
 *            queries are protected
 *
 * A plan whose neighbours differ in a user (DPPAIR_REPLACE_USER, DPPAIR_ZERO_USER) takes
 * groups of relation ACROSS, and counts users: its n, and the groups of a draw, whose rows the
 * caller gathers. Who has how many records is private. One whose neighbours differ in a query takes
 * groups WITHIN in the same way; one whose neighbours differ in a record takes rows, or groups
 * WITHIN whose sizes are public: then a record stays in its query, and all records are used. A mean
 * over queries is divided by their number, or by that which a plan expects to draw. A plan that
 * draws records without replacement and protects users (`owned` of its sampling) takes rows.
 *
 * The noise scale is z S. S is NAME_sensitivity at rows->radius and at the norm of w as it is, for
 * the neighbours, the draw, the clip and the kernels in use; release->sensitivity and sigma hold S
 * and z S. For Laplace noise, which all numbers move at once, S is sqrt(d) times as large; pure
 * epsilon by DPPAIR_L2BALL (dppair_l2ball.h) needs less noise.
 *
 * Errors zero g. They use no paid release: those of dppair_release_vector about the release; NULL;
 * SIZE (d = 0, ld < d, records, users or queries that are not those of the step, places of groups,
 * no groups->most where a user or a query is protected); OVERLAP (g, and the workspace, w or rows:
 * keep g out of a batch's whole buffer, or this tells how many records were drawn); ADJACENCY
 * (groups that do not fit the neighbours, or none where they need them); NO_RADIUS (radius 0, which
 * is no bound); BATCH (a plan that draws, and rows of another draw, or of none); NO_PROOF (a plan
 * of matchings: NAME_release_vector; the reasons of NAME_sensitivity); WORKSPACE; NOT_FINITE (w);
 * OVERFLOW (numbers so large that a sum of them could leave the range); those of NAME_workspace and
 * NAME_sensitivity; SIZE for nulls > n. Without rows, or with d = 0, g has no size and is not
 * touched. With rows from dppair_rows_clip no other error occurs but SIZE for positives > n -
 * nulls; with others NOT_FINITE can. Then the paid release is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release(double *g, dppair_release *release,
                                                               const DPPAIR_ROWS_ *rows,
                                                               const DPPAIR_REAL *w,
                                                               const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!rows) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, rows->d);
  if (status != DPPAIR_OK) return status;
  if (rows->d) memset(g, 0, rows->d * sizeof *g);
  status = DPPAIR_NAME_release_open_(&terms, release, rows, w, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, rows->d, options->work, &terms, w, rows->d * sizeof *w);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, rows->d, rows);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_release_work_(g, rows, w, options);
  status = dppair_release_sum_(g, rows->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

/*
 * The same for a sum of pair gradients that the caller has computed: g[0..size), over the pairs of
 * all n records or of this step's draw, is divided and gets its noise.
 *
 * For a network: c = dL/ds by NAME_coeffs or _coeffs_fast (_weighted_coeffs, with groups), g = the
 * sum over the records of c_i v_i, each v_i = grad s(x_i) clipped to bounds->radius. The proof
 * needs two label levels and a scorer that reads one record and w only, hence no batch
 * normalisation. For a plan of matchings: g of NAME_pairs_gradient over the pairs (2k, 2k + 1) of
 * the draw whose labels differ. Null records have no pairs and no v_i. Where the plan draws a
 * random number of records, and k of the drawn ones are null, multiply g by (drawn - 1)/(drawn - k
 * - 1) before (by 0 if that is not positive): the divisor here counts all that were drawn.
 *
 *   bounds    radius: of every v_i, or of the rows. The slopes count over the whole line, or, if
 *             options->fast was used, over the margins that its cap leaves: param_radius is not read,
 *             because a network's scores are not bounded by the norms of v_i and w
 *   rounding  a bound of the norm of the error of that sum, beyond NAME_coeffs and X^T c
 *   options   the sum was computed with: params, fast, clip (each pair's gradient was clipped,
 *             which NAME_pairs_gradient does)
 *
 * Errors zero g, and use no paid release: as above; SIZE (size 0); DOMAIN (rounding); NO_PROOF (a
 * state of NAME_sums_init of a piecewise linear loss). NOT_FINITE for a number of g uses it.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_vector(
    double *g, size_t size, dppair_release *release, const dppair_bounds *bounds, double rounding,
    const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_bounds line;
  dppair_status status = dppair_array_(g, size);
  if (status != DPPAIR_OK) return status;
  if (!bounds || !options)
    status = DPPAIR_ERR_NULL;
  else if (size == 0)
    status = DPPAIR_ERR_SIZE;
  else if (!(dppair_isfinite_f64(rounding) && rounding >= 0.0))
    status = DPPAIR_ERR_DOMAIN;
  else if (dppair_is_order_free_(options) && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    status = DPPAIR_ERR_NO_PROOF; /* its sensitivity is that of NAME_chunk_sum */
  else
    status = dppair_release_bound_(release, bounds->radius);
  if (status == DPPAIR_OK && options->groups && release->sampling.kind != DPPAIR_ALL &&
      options->groups->count != release->drawn)
    status = DPPAIR_ERR_SIZE;
  if (status == DPPAIR_OK) {
    line = *bounds;
    line.param_radius = HUGE_VAL;
    status = DPPAIR_NAME_sensitivity(&terms.sensitivity, size, &line, &release->sampling, options);
  }
  if (status == DPPAIR_OK) {
    const double queries = DPPAIR_NAME_release_queries_(release, options);
    const double least = queries > 0.0 ? queries : dppair_release_least_(&release->sampling);
    terms.sensitivity += dppair_up_(2.0 * rounding / least);
    terms.sensitivity = dppair_up_(terms.sensitivity);
    status = dppair_release_terms_of_(&terms, release, size);
    if (queries > 0.0) terms.divisor = queries;
  }
  if (status != DPPAIR_OK) {
    if (size) memset(g, 0, size * sizeof *g);
    return status;
  }
  dppair_release_permit_(release, &terms);
  return dppair_release_sum_(g, size, release, status);
}

DPPAIR_FP_END_
/* ---- src/release/scores.h -------------------------------------------------------------------
 * The release of an instance for any scorer: scores, and a gradient row for each record
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. As template.h, where the
 * scores are those of a network instead of <x, w>.
 *
 * Proof. The sum over pairs of phi'(s_i - s_j) (v_i - v_j) is that of linear rows v whose slopes
 * are any numbers of the range of phi': NAME_sensitivity with |w| = HUGE_VAL proves it from that
 * alone, and from each s_i and v_i being a function of record i and of what is public. A score that
 * is held within a bound, or replaced where it is no number, still is one; so no status depends on
 * it.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/* *bytes = the workspace of NAME_release_scores for n records with gradients of d numbers, and this
 * pass, of which parts and whether there are groups are read. Errors zero it: NULL, SIZE (parts 0),
 * WORKSPACE, NO_PROOF (a clip), OVERFLOW. */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_scores_workspace(
    size_t *bytes, size_t n, size_t d, const dppair_options *options) {
  dppair_linear_ r;
  size_t groups;
  void *rest;
  dppair_status status;
  if (!bytes) return DPPAIR_ERR_NULL;
  *bytes = 0;
  if (!options) return DPPAIR_ERR_NULL;
  if (options->clip) return DPPAIR_ERR_NO_PROOF;
  status = DPPAIR_NAME_gradient_clip_(&groups, n, d, options);
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.d = d;
  r.parts = options->tasks ? options->tasks->count : 1;
  *bytes = DPPAIR_NAME_gradient_layout_(&r, &rest, NULL, n, 0, groups);
  if (*bytes < SIZE_MAX) return DPPAIR_OK;
  *bytes = 0;
  return DPPAIR_ERR_OVERFLOW;
}

/* The public checks of NAME_release_scores, and its noise. */
DPPAIR_FN_ dppair_status DPPAIR_NAME_release_scores_open_(dppair_release_terms_ *terms,
                                                          const dppair_release *release,
                                                          const DPPAIR_REAL *score,
                                                          const DPPAIR_ROWS_ *v,
                                                          const dppair_options *options) {
  dppair_bounds line;
  size_t needed, most;
  dppair_status status = DPPAIR_NAME_release_units_(&most, release, v, options, 0);
  if (status != DPPAIR_OK) return status;
  if (!options || (!score && v->n)) return DPPAIR_ERR_NULL;
  status = dppair_rows_check_ROW_(v);
  if (status != DPPAIR_OK) return status;
  if (v->d == 0 || v->nulls > v->n || v->positives > v->n - v->nulls) return DPPAIR_ERR_SIZE;
  status = DPT_ROWS_SHORT(v);
  if (status != DPPAIR_OK) return status;
  if (v->weight && !DPPAIR_WEIGHTS) return DPPAIR_ERR_NO_PROOF;
  if (release->sampling.kind == DPPAIR_MATCHING) return DPPAIR_ERR_NO_PROOF;
  if (dppair_is_order_free_(options) && DPPAIR_KIND_ == DPPAIR_KIND_PIECEWISE_)
    return DPPAIR_ERR_NO_PROOF; /* it rounds scores: NAME_chunk_sum */
  status = DPPAIR_NAME_release_scores_workspace(&needed, most, v->d, options);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_room_(most, needed, options);
  if (status == DPPAIR_OK) status = dppair_environment_check();
  if (status != DPPAIR_OK) return status;
  terms->bytes = needed;
  memset(&line, 0, sizeof line);
  line.radius = v->radius;
  line.param_radius = HUGE_VAL;
#if DPPAIR_WEIGHTS
  status = DPPAIR_NAME_sensitivity(&terms->sensitivity, v->d, &line, &release->sampling, options);
#else
  status = DPPAIR_NAME_sensitivity_of_(&terms->sensitivity, v->d, &line, &release->sampling,
                                       options, NULL);
#endif
  if (status != DPPAIR_OK) return status;
  return DPPAIR_NAME_price_(terms, release, v->d, line.radius,
                            DPPAIR_NAME_release_nulls_(release, v, options, 0), options);
}

/* The sum of c_i v_i, of the records that are there. */
DPPAIR_OUT_OF_LINE_ dppair_status DPPAIR_NAME_release_scores_work_(double *g,
                                                                   const DPPAIR_REAL *score,
                                                                   const DPPAIR_ROWS_ *v,
                                                                   const dppair_options *options) {
  const size_t n = v->n - v->nulls;
  dppair_options inner = *options;
  dppair_linear_ r;
  DPPAIR_REAL *s;
  size_t i;
  dppair_status status = DPPAIR_NAME_gradient_clip_(&inner.bytes, n, v->d, options);
  if (status != DPPAIR_OK) return status;
  memset(&r, 0, sizeof r);
  r.rows = v;
  r.n[0] = v->positives;
  r.n[1] = n - v->positives;
  r.d = v->d;
  r.parts = options->tasks ? options->tasks->count : 1;
  (void)DPPAIR_NAME_gradient_layout_(&r, &inner.work, dppair_align_(options->work), n, v->positives,
                                     inner.bytes);
  s = (DPPAIR_REAL *)r.s[0]; /* both sides, one after the other */
  for (i = 0; i < n; i++) {
    const double x = (double)score[i];
    s[i] = dppair_is_nan_(x) ? (DPPAIR_REAL)0
           : x > DPT_SCORE_  ? (DPPAIR_REAL)DPT_SCORE_
           : x < -DPT_SCORE_ ? (DPPAIR_REAL)-DPT_SCORE_
                             : score[i];
  }
  return DPPAIR_NAME_gradient_rest_(g, &r, &inner, v, options);
}

/*
 * g[0..d) = the gradient of the mean of phi over all pairs in the weights of any scorer, divided by
 * the divisor of the plan's sampling, with the noise of this step: coefficients dL/ds, the sum of
 * c_i v_i and the release in one. g may be published.
 *
 *   score    of the v->n records, positives first; a score that is no number counts as 0, one
 *            beyond 1e150 (float: 1e18) as that. What stands at null records is not read
 *   v        the gradients of these scores in the weights, one row for each record, clipped:
 *            dppair_rows_clip sets v->radius, which the noise is for. positives and nulls as in
 *            NAME_release. In a plan that draws, the rows of this step's batch: gathered, or, if
 *            they were computed for the batch alone, marked by dppair_rows_by_hand
 *   options  params, fast, parts; groups, as NAME_release takes them; no clip of pairs. With `fast`
 *            scores count as at most its cap, and losses of unbounded slope are allowed. work:
 *            NAME_release_scores_workspace, of all n records where the plan draws a random number
 *
 * The scorer reads one record and what is public: no batch normalisation, nor anything else that
 * looks at other records. A record with several rows (views, augmentations) is a user: add its
 * rows up first, or protect users by groups.
 *
 * The noise is for NAME_sensitivity at v->radius and |w| = HUGE_VAL.
 *
 * Errors zero g. They use no paid release: those of NAME_release, but for w, and OVERLAP (g, and
 * the scores too); NO_PROOF (a clip; a state of NAME_sums_init of a piecewise linear loss). With
 * rows from dppair_rows_clip no other error occurs; with others NOT_FINITE can. Then the paid
 * release is used.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status
DPPAIR_NAME_release_scores(double *g, dppair_release *release, const DPPAIR_REAL *score,
                           const DPPAIR_ROWS_ *v, const dppair_options *options) {
  dppair_release_terms_ terms;
  dppair_status status;
  if (!v) return DPPAIR_ERR_NULL;
  status = dppair_array_(g, v->d);
  if (status != DPPAIR_OK) return status;
  if (v->d) memset(g, 0, v->d * sizeof *g);
  status = DPPAIR_NAME_release_scores_open_(&terms, release, score, v, options);
  if (status == DPPAIR_OK)
    status = dppair_release_apart_(g, v->d, options->work, &terms, score, v->n * sizeof *score);
  if (status == DPPAIR_OK) status = dppair_rows_apart_ROW_(g, v->d, v);
  if (status != DPPAIR_OK) return status;
  dppair_release_permit_(release, &terms);
  status = DPPAIR_NAME_release_scores_work_(g, score, v, options);
  status = dppair_release_sum_(g, v->d, release, status);
  return dppair_release_forget_(options->work, &terms, status);
}

DPPAIR_FP_END_
/* ---- src/release/explain.h ------------------------------------------------------------------
 * What a release's noise is made of: public numbers
 *
 * Public functions, written NAME_x in comments: DPPAIR_NAME_x in the code. A program that does not
 * ask compiles none of it. Relies on template.h.
 * ---------------------------------------------------------------------------------------------- */

DPPAIR_FP_BEGIN_

/*
 * Fills *e with what the next release of these rows at this w would add, from public numbers alone:
 * every neighbour has the same, and every size drawn. Nothing is used up, and no draw is needed.
 *
 *   rows   d and radius are read, no record is
 *   w      d public numbers, as NAME_release takes them; NULL: any scorer, as NAME_release_scores
 *   options params, clip, fast, groups: as the release gets them
 *
 * Errors zero *e: NULL; CLOSED and the others of dppair_release_vector about the release but
 * NOT_DRAWN; LAW; NO_RADIUS; NOT_FINITE (w); those of NAME_sensitivity; SIGMA.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status DPPAIR_NAME_release_explain(
    dppair_explained *e, const dppair_release *release, const DPPAIR_ROWS_ *rows,
    const DPPAIR_REAL *w, const dppair_options *options) {
  const dppair_fast *f = NULL;
  dppair_release_terms_ terms;
  dppair_bounds bounds;
  dppair_grouped_ units, *u;
  dppair_moves_ m;
  double queries, exact = 0.0;
  size_t count;
  dppair_status status;
  if (!e) return DPPAIR_ERR_NULL;
  memset(e, 0, sizeof *e);
  if (!rows || !options) return DPPAIR_ERR_NULL;
  status = dppair_release_usable_(release);
  if (status != DPPAIR_OK) return status;
  if (dppair_mechanism_is_objective_(release->mechanism) ||
      dppair_mechanism_is_whole_(release->mechanism))
    return DPPAIR_ERR_LAW;
  if (!(rows->radius > 0.0)) return DPPAIR_ERR_NO_RADIUS;
  memset(&bounds, 0, sizeof bounds);
  bounds.radius = rows->radius;
  bounds.param_radius =
      w ? dppair_release_norm_(w, rows->d, !DPPAIR_TEMPLATE_F64_) : (double)HUGE_VAL;
  if (w && !dppair_isfinite_f64(bounds.param_radius)) return DPPAIR_ERR_NOT_FINITE;
  if (options->groups && !DPPAIR_WEIGHTS) return DPPAIR_ERR_NO_PROOF;
  status =
      DPPAIR_NAME_sensitivity(&terms.sensitivity, rows->d, &bounds, &release->sampling, options);
  if (status != DPPAIR_OK) return status;
  if (DPPAIR_KIND_ != DPPAIR_KIND_PAIRS_ && !options->clip && options->fast &&
      options->fast->kind != 0)
    f = options->fast;
  u = DPPAIR_NAME_units_(&units, options->groups, &release->sampling, 0);
  status = dppair_moves_count_(&count, &release->sampling, u);
  if (status == DPPAIR_OK) status = DPPAIR_NAME_moves_(&m, rows->d, &bounds, options, f);
  if (status == DPPAIR_OK)
    status = u && !u->across ? dppair_moves_within_(&exact, &m, &release->sampling, u, 1.0, 0.0)
                             : dppair_moves_sampled_(&exact, &m, &release->sampling, 1.0, 0.0);
  e->sensitivity_l2 = terms.sensitivity;
  if (status == DPPAIR_OK) status = dppair_release_scale_of_(&terms, release, rows->d);
  if (status != DPPAIR_OK) {
    memset(e, 0, sizeof *e);
    return status;
  }
  queries = DPPAIR_NAME_release_queries_(release, options);
  e->slope = m.slope;
  e->low = m.at.low[0];
  e->high = m.at.high[0];
  e->move = dppair_sampling_move_(&release->sampling) == DPPAIR_REPLACE_ONE ? m.replaced : m.zeroed;
  e->draw = exact / e->move;
  e->rounding = e->sensitivity_l2 - exact;
  e->divisor = queries > 0.0 ? queries : dppair_explained_divisor_(&release->sampling);
  e->clip = dppair_clip_bound_(options);
  e->cap = f && f->score_cap < HUGE_VAL ? f->score_cap : 0.0;
  e->sensitivity = terms.sensitivity;
  e->scale = terms.scale;
  e->noise_multiplier = dppair_release_strength_(release);
  return DPPAIR_OK;
}

DPPAIR_FP_END_
/* ---- src/core/quick_end.h -------------------------------------------------------------------
 * What is compiled soon rather than fast: it ends
 * ---------------------------------------------------------------------------------------------- */

#if DPPAIR_QUICK_
#undef DPPAIR_LEVEL_
#define DPPAIR_LEVEL_ "no-fast-math"
_Pragma("GCC pop_options")
#endif
#endif
#if defined(DPPAIR_RELEASE_ROWS_H) && defined(DPPAIR_LOSSES_H)
#define DPPAIR_STAGE_ DPPAIR_STAGE_RELEASES_
/* ---- src/pairs/slots.h ----------------------------------------------------------------------
 * Slots: what modules add to each instance
 *
 * A module that adds functions to an instance is included before it, and then read again at each
 * stage of it: DPPAIR_STAGE_ says which, DPPAIR_MODULE_NAME_ that this module is asked. Outside of a
 * stage the module is read once, for what no instance enters. An instance without pairs of its own
 * has pairs/loops.h where its module defines DPPAIR_LOOPS_ with the states.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_CONTRAST_H
#define DPPAIR_MODULE_CONTRAST_
#include DPPAIR_CONTRAST_SELF
#undef DPPAIR_MODULE_CONTRAST_
#endif
#ifdef DPPAIR_INFLUENCE_H
#define DPPAIR_MODULE_INFLUENCE_
#include DPPAIR_INFLUENCE_SELF
#undef DPPAIR_MODULE_INFLUENCE_
#endif
#ifdef DPPAIR_METRIC_H
#define DPPAIR_MODULE_METRIC_
#include DPPAIR_METRIC_SELF
#undef DPPAIR_MODULE_METRIC_
#endif
#ifdef DPPAIR_POINTWISE_H
#define DPPAIR_MODULE_POINTWISE_
#include DPPAIR_POINTWISE_SELF
#undef DPPAIR_MODULE_POINTWISE_
#endif
#ifdef DPPAIR_SCALE_H
#define DPPAIR_MODULE_SCALE_
#include DPPAIR_SCALE_SELF
#undef DPPAIR_MODULE_SCALE_
#endif
#ifdef DPPAIR_TOP_H
#define DPPAIR_MODULE_TOP_
#include DPPAIR_TOP_SELF
#undef DPPAIR_MODULE_TOP_
#endif
#undef DPPAIR_STAGE_
#endif

/* ---- src/pairs/parameters_end.h -------------------------------------------------------------
 * End of an instance
 *
 * Undefines the parameters, so that another instance can be defined.
 * ---------------------------------------------------------------------------------------------- */
#undef DPT_W
#undef DPT_MAX
#undef DPT_MIN
#undef DPT_EPSILON
#undef DPT_BLOCKS
#undef DPT_ROOM
#undef DPT_TOO_LONG
#undef DPT_FINITE
#undef DPT_LABEL
#undef DPT_FACTS
#undef DPT_SCORE_
#undef DPT_SUM_
#undef DPPAIR_ROW
#undef DPPAIR_KIND_
#undef DPPAIR_SPLIT_
#undef DPPAIR_RANGE_
#undef DPPAIR_TEMPLATE_F64_
#undef DPPAIR_INSTANCE_
#undef DPPAIR_NAME
#undef DPPAIR_REAL
#undef DPPAIR_LOSS
#undef DPPAIR_WEIGHTS

#endif

#endif /* DPPAIR_CORE_ONLY_ */

/* ---- src/core/freestanding_end.h ------------------------------------------------------------
 * Without a C library: a host's names are its own again
 * ---------------------------------------------------------------------------------------------- */
#ifdef DPPAIR_FREESTANDING
#pragma pop_macro("INFINITY")
#pragma pop_macro("HUGE_VAL")
#pragma pop_macro("strlen")
#pragma pop_macro("strcmp")
#pragma pop_macro("memset")
#pragma pop_macro("memmove")
#pragma pop_macro("memcpy")
#pragma pop_macro("memcmp")
#endif

#endif /* DPPAIR_DECLARE_ONLY */
