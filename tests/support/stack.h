/* SPDX-License-Identifier: MIT */
/* What a call leaves on the stack and in vector registers, and which secrets are in it: the stack
 * is painted, one call is made, and what lies below is searched. After dppair_noise.h. */
#ifndef DPPAIR_STACK_H
#define DPPAIR_STACK_H

#include "tests.h"

enum { DEPTH = 400 * 1024, GAP = 4096, PATTERNS = 1 << 16 };

static unsigned char painted[DEPTH];
static uint64_t patterns[PATTERNS]; /* open addressing; 0 is free */
static dppair_status status;

static size_t slot_of(uint64_t p) {
  size_t at = (size_t)((p * UINT64_C(0x9E3779B97F4A7C15)) >> 48);
  while (patterns[at] != 0 && patterns[at] != p) at = (at + 1) % PATTERNS;
  return at;
}

static void want(const void *p, size_t n) { /* its pieces of 8 bytes */
  for (size_t i = 0; i + 8 <= n; i += 8) {
    uint64_t piece;
    memcpy(&piece, (const char *)p + i, sizeof piece);
    if (piece != 0) patterns[slot_of(piece)] = piece;
  }
}

static void want_key(const dppair_rng *r) {
  want(r->key, r->cipher == DPPAIR_AES256 ? sizeof r->key : 32);
}

/* The generator's secrets, and the first blocks of each level that this call can read. */
static void want_generator(const dppair_rng *r, uint64_t blocks) {
  const unsigned levels[] = {0, 1, 2, 3, DPPAIR_LEVEL_ERASE_, DPPAIR_LEVEL_SPLIT_};
  want_key(r);
  for (size_t l = 0; l < sizeof levels / sizeof *levels; l++)
    for (uint64_t b = 0; b < blocks; b++) {
      uint32_t words[16];
      dppair_keystream_(words, r, levels[l], r->block + b);
      want(words, sizeof words);
    }
}

__attribute__((noinline)) static void paint(void) {
  unsigned char area[DEPTH];
  memset(area, 0xA5, sizeof area);
  __asm__ __volatile__("" : : "r"(area) : "memory");
}

__attribute__((noinline)) static void look(const volatile unsigned char *top) {
  for (size_t i = 0; i < DEPTH; i++) painted[i] = (top - DEPTH)[i];
}

/* The vector registers of x86-64, as wide as they are here, and of 64-bit ARM; else nothing. */
static unsigned char registers[32 * 64];
#if defined(__aarch64__)
#define STORE(op, r, n) __asm__ __volatile__(op " " r #n ", %0" : "=m"(registers[64 * (n)]));
#else
#define STORE(op, r, n) __asm__ __volatile__(op " %%" r #n ", %0" : "=m"(registers[64 * (n)]));
#endif
#define LOW16(op, r)                                                                               \
  STORE(op, r, 0)                                                                                  \
  STORE(op, r, 1)                                                                                  \
  STORE(op, r, 2)                                                                                  \
  STORE(op, r, 3)                                                                                  \
  STORE(op, r, 4)                                                                                  \
  STORE(op, r, 5) STORE(op, r, 6) STORE(op, r, 7) STORE(op, r, 8) STORE(op, r, 9) STORE(op, r, 10) \
      STORE(op, r, 11) STORE(op, r, 12) STORE(op, r, 13) STORE(op, r, 14) STORE(op, r, 15)
#if DPPAIR_X86_
__attribute__((target("avx512f"), noinline)) static void take512(void) {
  LOW16("vmovdqu64", "zmm")
  STORE("vmovdqu64", "zmm", 16)
  STORE("vmovdqu64", "zmm", 17)
  STORE("vmovdqu64", "zmm", 18)
  STORE("vmovdqu64", "zmm", 19)
  STORE("vmovdqu64", "zmm", 20)
  STORE("vmovdqu64", "zmm", 21)
  STORE("vmovdqu64", "zmm", 22)
  STORE("vmovdqu64", "zmm", 23)
  STORE("vmovdqu64", "zmm", 24)
  STORE("vmovdqu64", "zmm", 25)
  STORE("vmovdqu64", "zmm", 26)
  STORE("vmovdqu64", "zmm", 27)
  STORE("vmovdqu64", "zmm", 28)
  STORE("vmovdqu64", "zmm", 29)
  STORE("vmovdqu64", "zmm", 30)
  STORE("vmovdqu64", "zmm", 31)
}
__attribute__((target("avx"), noinline)) static void take256(void) { LOW16("vmovdqu", "ymm") }
__attribute__((noinline)) static void take128(void) { LOW16("movdqu", "xmm") }
#endif
__attribute__((noinline)) static void take_registers(void) {
#if defined(__aarch64__)
  LOW16("str", "q")
  STORE("str", "q", 16)
  STORE("str", "q", 17)
  STORE("str", "q", 18)
  STORE("str", "q", 19)
  STORE("str", "q", 20)
  STORE("str", "q", 21)
  STORE("str", "q", 22)
  STORE("str", "q", 23)
  STORE("str", "q", 24)
  STORE("str", "q", 25)
  STORE("str", "q", 26)
  STORE("str", "q", 27)
  STORE("str", "q", 28)
  STORE("str", "q", 29)
  STORE("str", "q", 30)
  STORE("str", "q", 31)
#elif DPPAIR_X86_
  if (__builtin_cpu_supports("avx512f"))
    take512();
  else if (__builtin_cpu_supports("avx"))
    take256();
  else
    take128();
#endif
}

typedef void (*call)(void);
/* Frames of `paint` and `look` must not cover what the call left: it runs a gap further down. */
__attribute__((noinline)) static void deeper(call f) {
  unsigned char gap[GAP];
  memset(gap, 0xA5, sizeof gap);
  __asm__ __volatile__("" : : "r"(gap) : "memory");
  f();
  take_registers();
  __asm__ __volatile__("" : : "r"(gap) : "memory");
}

/* Takes what lies below, and what the registers hold, after a call that must succeed. */
__attribute__((noinline)) static void stack_after(call f) {
  const volatile unsigned char *top = (const volatile unsigned char *)__builtin_frame_address(0);
  paint();
  deeper(f);
  look(top - 512);
  assert_int_equal(status, DPPAIR_OK);
}

static size_t found_in(const unsigned char *p, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i + 8 <= n; i += 4) {
    uint64_t piece;
    memcpy(&piece, p + i, sizeof piece);
    count += piece != 0 && patterns[slot_of(piece)] == piece;
  }
  return count;
}
static inline size_t found(void) { return found_in(painted, sizeof painted); }

#endif
