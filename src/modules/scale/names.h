/* ------------------------------------------------------------------------------------------------
 * Names of chunks: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

/* An instance. */
#define DPPAIR_NAME_chunk_args_ DPPAIR_NAME_OF_(_chunk_args_)
#define DPPAIR_NAME_chunk_sketch DPPAIR_NAME_OF_(_chunk_sketch)
#define DPPAIR_NAME_chunk_pass_ DPPAIR_NAME_OF_(_chunk_pass_)
#define DPPAIR_NAME_chunk_sum DPPAIR_NAME_OF_(_chunk_sum)
#define DPPAIR_NAME_chunk_workspace DPPAIR_NAME_OF_(_chunk_workspace)
#define DPPAIR_NAME_coeffs_from_sketch DPPAIR_NAME_OF_(_coeffs_from_sketch)
#define DPPAIR_NAME_digest_ DPPAIR_NAME_OF_(_digest_)
#define DPPAIR_NAME_sketch DPPAIR_NAME_OF_(_sketch)
#define DPPAIR_NAME_sketch_finish DPPAIR_NAME_OF_(_sketch_finish)
#define DPPAIR_NAME_sketch_open DPPAIR_NAME_OF_(_sketch_open)
#define DPPAIR_NAME_release_sum DPPAIR_NAME_OF_(_release_sum)
#define DPPAIR_NAME_release_sum_open_ DPPAIR_NAME_OF_(_release_sum_open_)
#define DPPAIR_NAME_sum_is_own_ DPPAIR_NAME_OF_(_sum_is_own_)
#define DPPAIR_NAME_sum_open DPPAIR_NAME_OF_(_sum_open)
