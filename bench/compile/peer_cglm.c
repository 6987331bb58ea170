/* SPDX-License-Identifier: MIT
 * Beside the rows of `make compile-cost`: what a typical small program with cglm takes. */
#include <cglm/cglm.h>

int main(int argc, char **argv) {
  vec3 axis = {0.0f, 0.0f, (float)argc};
  mat4 a, b;
  glm_mat4_identity(a);
  glm_rotate(a, 0.5f, axis);
  glm_mat4_inv(a, b);
  (void)argv;
  return !(glm_mat4_det(b) > 0.5f);
}
