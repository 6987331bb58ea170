/* SPDX-License-Identifier: MIT */
/* Samplings, steps and charges from the bytes of a fuzzer. Include dppair_accountant.h first. */
#ifndef FUZZ_PLAN_H
#define FUZZ_PLAN_H

#include "input.h"

static FUZZ_UNUSED dppair_adjacency in_adjacency(input *in) {
  static const int all[] = {DPPAIR_REPLACE_ONE,
                            DPPAIR_ZERO_OUT,
                            DPPAIR_REPLACE_ONE,
                            DPPAIR_ZERO_OUT,
                            DPPAIR_REPLACE_USER,
                            DPPAIR_ZERO_USER,
                            DPPAIR_REPLACE_QUERY,
                            DPPAIR_ZERO_QUERY,
                            0,
                            3};
  return in_rarely(in) ? (dppair_adjacency)(in_choice(in, 256) - 100)
                       : (dppair_adjacency)all[in_choice(in, 10)];
}

/* By a constructor, and then at times with a field changed. */
static FUZZ_UNUSED dppair_sampling in_sampling(input *in, size_t most) {
  const size_t n = in_size(in, most), m = in_size(in, n < most ? n : most);
  const dppair_adjacency adjacency = in_adjacency(in);
  dppair_sampling s;
  memset(&s, 0, sizeof s);
  switch (in_choice(in, 8)) {
  case 0:
    s = dppair_sampling_all(n, adjacency);
    break;
  case 1:
    s = dppair_sampling_poisson(n, m, adjacency);
    break;
  case 2:
    s = dppair_sampling_without_replacement(n, m, adjacency);
    break;
  case 3:
    s = dppair_sampling_with_replacement(n, m, adjacency);
    break;
  case 4:
    s = dppair_sampling_matching(n, m & ~(size_t)1, adjacency);
    break;
  case 5:
    s = dppair_sampling_allocation(n, m, 1 + (size_t)in_choice(in, 2), adjacency);
    break;
  case 6: /* a rate alone */
    s.kind = in_choice(in, 2) ? DPPAIR_POISSON : DPPAIR_WITHOUT_REPLACEMENT;
    s.adjacency = adjacency;
    s.q = in_scale(in, 1e-5, 1.0);
    break;
  default:
    s.kind = (dppair_sampling_kind)in_enum(in, DPPAIR_SAMPLING_COUNT_);
    s.adjacency = adjacency;
    s.q = in_choice(in, 2) ? in_hostile(in) : 0.0;
    s.n = n;
    s.m = m;
  }
  if (in_byte(in) < 200) return s;
  switch (in_choice(in, 4)) {
  case 0:
    s.owned = in_size(in, 8);
    break;
  case 1:
    s.group = in_size(in, 4);
    break;
  case 2:
    s.batches = in_size(in, 8);
    break;
  default:
    s.q = in_hostile(in);
  }
  return s;
}

static FUZZ_UNUSED dppair_step in_step(input *in) {
  dppair_step s;
  memset(&s, 0, sizeof s);
  s.kind = (dppair_mechanism_kind)in_enum(in, DPPAIR_MECHANISM_COUNT_);
  if (dppair_mechanism_is_sampled_(s.kind))
    s.sampling = in_sampling(in, 4000);
  else
    s.sampling.adjacency = in_adjacency(in);
  s.noise_multiplier =
      dppair_mechanism_scales_(s.kind) ? in_scale(in, 0.2, 200.0) : in_scale(in, 1e-6, 5.0);
  s.steps = in_size(in, 3000);
  if (s.kind == DPPAIR_SAMPLED_PAIRS && s.sampling.kind == DPPAIR_POISSON) {
    s.sampling.q = 0.0;
    s.sampling.m = 0;
    s.pair_rate = in_scale(in, 1e-6, 1.0);
  }
  if (dppair_mechanism_is_objective_(s.kind)) s.ridge = in_scale(in, 1e-3, 100.0);
  if (in_rarely(in)) s.pair_rate = in_hostile(in);
  if (in_rarely(in)) s.ridge = in_hostile(in);
  return s;
}

#endif
