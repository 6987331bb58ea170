/* ------------------------------------------------------------------------------------------------
 * Names of what is made pointwise: as simd/names.h
 * ---------------------------------------------------------------------------------------------- */

/* An instance. */
#define DPPAIR_NAME_against_nodes_ DPPAIR_NAME_OF_(_against_nodes_)
#define DPPAIR_NAME_coeffs_from_histogram DPPAIR_NAME_OF_(_coeffs_from_histogram)
#define DPPAIR_NAME_pointwise_clip_ DPPAIR_NAME_OF_(_pointwise_clip_)
#define DPPAIR_NAME_pointwise_open_ DPPAIR_NAME_OF_(_pointwise_open_)
#define DPPAIR_NAME_pointwise_work_ DPPAIR_NAME_OF_(_pointwise_work_)
#define DPPAIR_NAME_release_pointwise DPPAIR_NAME_OF_(_release_pointwise)
