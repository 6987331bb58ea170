/* ------------------------------------------------------------------------------------------------
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
