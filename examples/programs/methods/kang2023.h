/* SPDX-License-Identifier: MIT */
#ifndef KANG2023_H
#define KANG2023_H

#include <stddef.h>

/*
 * Lines 10 and 11 of PIDP-SGD: is the noise left out of this step? c holds the noised contributions
 * of the drawn record to each of the size parameters, which lie in a ball of the given radius;
 * |c_i| <= 2 r e^eps delta/(e^eps - 1) (1 - e^(-2 eps)) for all i. This rule is what makes the
 * method not private.
 */
int pidpsgd_skips_noise(const double *c, size_t size, double radius, double epsilon, double delta);

#endif /* KANG2023_H */
