/* SPDX-License-Identifier: MIT
 * Beside the rows of `make compile-cost`: the one file of a program that holds stb_image. */
#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

int main(void) {
  static const unsigned char grey[] = "P5 1 1 255\n\x7f";
  int width = 0, height = 0, channels = 0;
  stbi_uc *image = stbi_load_from_memory(grey, (int)sizeof grey - 1, &width, &height, &channels, 1);
  const int wrong = !image || image[0] != 0x7f;
  stbi_image_free(image);
  return wrong;
}
