/* SPDX-License-Identifier: MIT */
/* SHA-256 against the examples of FIPS 180-4, in pieces of every size, and its typed inputs. */
#include "tests.h"

#include "support/sha256.h"

static void expect(sha256 *h, const char *hex) {
  uint8_t digest[DIGEST_SIZE];
  char text[2 * DIGEST_SIZE + 1];
  size_t k;
  sha256_end(digest, h);
  for (k = 0; k < DIGEST_SIZE; k++) (void)snprintf(text + 2 * k, 3, "%02x", digest[k]);
  assert_string_equal(text, hex);
}

static void digests_are_those_of_fips_180_4_in_pieces_of_any_size(void **state) {
  static const char two[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  char many[1000];
  sha256 h;
  size_t k, piece;
  (void)state;
  sha256_begin(&h);
  expect(&h, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  sha256_begin(&h);
  sha256_add(&h, "abc", 3);
  expect(&h, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  for (piece = 1; piece <= 56; piece++) {
    sha256_begin(&h);
    for (k = 0; k < 56; k += piece) sha256_add(&h, two + k, k + piece < 56 ? piece : 56 - k);
    expect(&h, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  }
  memset(many, 'a', sizeof many);
  sha256_begin(&h);
  for (k = 0; k < 1000; k++) sha256_add(&h, many, sizeof many);
  expect(&h, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

/* Neighbouring texts cannot run into each other; an absent one is not an empty one. */
static void neighbouring_texts_do_not_run_into_each_other(void **state) {
  static const char *const pairs[][2] = {{"ab", "c"},   {"a", "bc"}, {"", "abc"},
                                         {NULL, "abc"}, {"abc", ""}, {"abc", NULL}};
  uint8_t digest[6][DIGEST_SIZE];
  sha256 h;
  size_t i, k;
  (void)state;
  for (k = 0; k < 6; k++) {
    sha256_begin(&h);
    sha256_add_text(&h, pairs[k][0]);
    sha256_add_text(&h, pairs[k][1]);
    sha256_end(digest[k], &h);
    for (i = 0; i < k; i++) assert_memory_not_equal(digest[i], digest[k], DIGEST_SIZE);
  }
  sha256_begin(&h); /* 1.0, the lowest byte first */
  sha256_add_number(&h, 1.0);
  sha256_end(digest[0], &h);
  sha256_begin(&h);
  sha256_add(&h, "\0\0\0\0\0\0\xf0\x3f", 8);
  sha256_end(digest[1], &h);
  assert_memory_equal(digest[0], digest[1], DIGEST_SIZE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(digests_are_those_of_fips_180_4_in_pieces_of_any_size),
      TEST(neighbouring_texts_do_not_run_into_each_other),
  };
  return RUN_TESTS(tests, NULL, NULL);
}
