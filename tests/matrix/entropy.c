/* SPDX-License-Identifier: MIT */
/*
 * Where keys come from. The linker puts this file between the headers and the system's function
 * SOURCE
 * (-Wl,--wrap=SOURCE): it counts calls, keeps the bytes, and can fail. A generator's key must be
 * the bytes that the system gave, new ones each time; without them the key comes from /dev/urandom
 * where FILE_TOO says so, else there is none.
 *
 *   same: keys are bytes of SOURCE, ...
 *   FAIL: what is wrong
 */
#include "dppair_noise.h"
#include <stdio.h>

#define QUOTED_(x) #x
#define QUOTED(x) QUOTED_(x)
static uint8_t given[32];
static size_t calls, had;
static int fails;

static void keep(const void *bytes, size_t n) {
  calls++;
  had = n;
  if (n <= sizeof given) memcpy(given, bytes, n);
}

#ifdef _WIN32
NTSTATUS WINAPI __real_BCryptGenRandom(BCRYPT_ALG_HANDLE h, PUCHAR to, ULONG n, ULONG flags);
NTSTATUS WINAPI __wrap_BCryptGenRandom(BCRYPT_ALG_HANDLE h, PUCHAR to, ULONG n, ULONG flags);
NTSTATUS WINAPI __wrap_BCryptGenRandom(BCRYPT_ALG_HANDLE h, PUCHAR to, ULONG n, ULONG flags) {
  const NTSTATUS status =
      fails ? (NTSTATUS)0xC0000001 : __real_BCryptGenRandom(h, to, n, flags); /* unsuccessful */
  keep(to, n);
  return status;
}
#elif defined(__wasi__)
int __real_getentropy(void *to, size_t n);
int __wrap_getentropy(void *to, size_t n);
int __wrap_getentropy(void *to, size_t n) {
  const int status = fails ? -1 : __real_getentropy(to, n);
  keep(to, n);
  return status;
}
#else
ssize_t __real_getrandom(void *to, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *to, size_t n, unsigned flags);
ssize_t __wrap_getrandom(void *to, size_t n, unsigned flags) {
  const ssize_t got = fails ? -1 : __real_getrandom(to, n, flags);
  if (fails) errno = ENOSYS;
  keep(to, n);
  return got;
}
#endif

static const char *wrong(void) {
  dppair_rng first, second, none;
  uint8_t key[32];
  size_t i;
  memset(given, 0, sizeof given);
  if (dppair_rng_from_os(&first) != DPPAIR_OK) return "no key";
  if (calls == 0 || had != 32) return QUOTED(SOURCE) " is not called for 32 bytes";
  for (i = 0; i < 32; i++) key[i] = (uint8_t)(first.key[i / 4] >> 8 * (i % 4));
  if (memcmp(key, given, 32) != 0) return "the key is not what " QUOTED(SOURCE) " gave";
  if (dppair_rng_from_os(&second) != DPPAIR_OK) return "no second key";
  if (memcmp(first.key, second.key, 32) == 0) return "the same key twice";
  fails = 1;
  memset(&none, 0xA5, sizeof none);
#ifdef FILE_TOO
  if (dppair_rng_from_os(&none) != DPPAIR_OK) return "no key from the file";
  if (memcmp(none.key, second.key, 32) == 0) return "an old key";
#else
  if (dppair_rng_from_os(&none) != DPPAIR_ERR_ENTROPY) return "a key without entropy";
  for (i = 0; i < sizeof none; i++)
    if (((unsigned char *)&none)[i] != 0) return "a generator without entropy";
#endif
  return NULL;
}

int main(void) {
  const char *what = wrong();
#ifdef FILE_TOO
  const char *last = "/dev/urandom";
#else
  const char *last = "refused";
#endif
  if (what == NULL)
    printf("same: keys are bytes of %s, new each time; when it fails: %s\n", QUOTED(SOURCE), last);
  else
    printf("FAIL: %s\n", what);
  return what != NULL;
}
