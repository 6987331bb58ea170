/* ------------------------------------------------------------------------------------------------
 * Decimal numbers: doubles to text and back to the same double
 *
 * printf and strtod follow the locale and belong to stdio, which this header does not use. Values
 * are computed as hi + lo, an unevaluated sum of two doubles with about 106 bits. Relies on
 * normal.h (dppair_product_error_).
 * ---------------------------------------------------------------------------------------------- */

/* (hi + lo) * (a + b) and (hi + lo) / (a + b) with twice the working precision. */
DPPAIR_API void dppair_wide_multiply_(double *hi, double *lo, double a, double b) {
  const double p = *hi * a, e = dppair_product_error_(*hi, a, p) + (*hi * b + *lo * a);
  *hi = p + e;
  *lo = e - (*hi - p);
}

DPPAIR_API void dppair_wide_divide_(double *hi, double *lo, double a, double b) {
  const double q = *hi / a, p = q * a;
  const double r = (((*hi - p) - dppair_product_error_(q, a, p)) + *lo - q * b) / a;
  *hi = q + r;
  *lo = r - (*hi - q);
}

/* Multiplies by 10^exponent, |exponent| <= 600, in factors of at most 10^150: neither a factor nor
 * the splitting of a product can overflow. */
DPPAIR_API void dppair_wide_scale_(double *hi, double *lo, int exponent) {
  const int up = exponent >= 0;
  int left = up ? exponent : -exponent;
  while (left > 0) {
    const int part = left < 150 ? left : 150;
    double p = 1.0, p_low = 0.0, b = 10.0, b_low = 0.0;
    int k = part;
    for (; k > 0; k >>= 1) {
      if (k & 1) dppair_wide_multiply_(&p, &p_low, b, b_low);
      if (k > 1) dppair_wide_multiply_(&b, &b_low, b, b_low);
    }
    if (up)
      dppair_wide_multiply_(hi, lo, p, p_low);
    else
      dppair_wide_divide_(hi, lo, p, p_low);
    left -= part;
  }
}

/* A line that grows. `used` also counts characters for which there was no room. */
typedef struct dppair_text_ {
  char *at;
  size_t used, room;
} dppair_text_;

DPPAIR_API void dppair_text_char_(dppair_text_ *t, char c) {
  if (t->used < t->room) t->at[t->used] = c;
  t->used++;
}

DPPAIR_API void dppair_text_string_(dppair_text_ *t, const char *s) {
  while (*s != '\0') dppair_text_char_(t, *s++);
}

DPPAIR_API void dppair_text_size_(dppair_text_ *t, uint64_t value) {
  char digit[24];
  int k = 0;
  do {
    digit[k++] = (char)('0' + (int)(value % 10));
    value /= 10;
  } while (value > 0);
  while (k > 0) dppair_text_char_(t, digit[--k]);
}

/* Writes n bytes as hexadecimal digits in quotes. */
DPPAIR_API void dppair_text_hex_(dppair_text_ *t, const uint8_t *bytes, size_t n) {
  size_t i;
  dppair_text_char_(t, '"');
  for (i = 0; i < 2 * n; i++)
    dppair_text_char_(t, "0123456789abcdef"[(bytes[i / 2] >> (i % 2 == 0 ? 4 : 0)) & 15]);
  dppair_text_char_(t, '"');
}

/* The 17 significant digits nearest to x, which lies in [1e-280, 1e280]: 17 digits identify a
 * double. Returns the power of ten of the first digit. */
DPPAIR_API int dppair_digits_of_(char digit[17], double x) {
  double hi = x, lo = 0.0, whole, part;
  int exponent = (int)dppair_floor_(dppair_log10_(x)), k;
  uint64_t digits;
  dppair_wide_scale_(&hi, &lo, 16 - exponent);
  if (hi >= 99999999999999999.0) { /* log10 was rounded across a power of ten */
    exponent++;
    dppair_wide_divide_(&hi, &lo, 10.0, 0.0);
  } else if (hi < 1e16) {
    exponent--;
    dppair_wide_multiply_(&hi, &lo, 10.0, 0.0);
  }
  /* hi + lo to the nearest integer. hi exceeds 2^53, so that lo can be larger than 1. */
  whole = dppair_floor_(hi);
  part = (hi - whole) + lo;
  digits = (uint64_t)whole;
  if (part >= 0.5)
    digits += (uint64_t)dppair_floor_(part + 0.5);
  else if (part < -0.5)
    digits -= (uint64_t)dppair_floor_(0.5 - part);
  for (k = 16; k >= 0; k--) {
    digit[k] = (char)('0' + (int)(digits % 10));
    digits /= 10;
  }
  return exponent;
}

/* Writes x with 17 significant digits, without trailing zeros, such that it reads back to x:
 * 0.00123, 12.5, 1500, else 1.25e30. x is 0 or in [1e-280, 1e280]; returns 1 for anything else. */
DPPAIR_API int dppair_text_double_(dppair_text_ *t, double x) {
  int exponent, k, last = 16, plain, whole;
  char digit[17];
  if (x == 0.0) {
    dppair_text_char_(t, '0');
    return 0;
  }
  if (!(x >= 1e-280 && x <= 1e280)) return 1;
  exponent = dppair_digits_of_(digit, x);
  while (last > 0 && digit[last] == '0') last--;
  if (exponent >= -4 && exponent < 0) {
    dppair_text_string_(t, "0.");
    for (k = exponent; k < -1; k++) dppair_text_char_(t, '0');
    for (k = 0; k <= last; k++) dppair_text_char_(t, digit[k]);
    return 0;
  }
  plain = exponent >= 0 && exponent <= 15;
  whole = plain ? exponent : 0; /* the last digit before the point */
  for (k = 0; k <= whole; k++) dppair_text_char_(t, k <= last ? digit[k] : '0');
  if (last > whole) dppair_text_char_(t, '.');
  for (k = whole + 1; k <= last; k++) dppair_text_char_(t, digit[k]);
  if (plain) return 0;
  dppair_text_char_(t, 'e');
  if (exponent < 0) dppair_text_char_(t, '-');
  dppair_text_size_(t, (uint64_t)(exponent < 0 ? -exponent : exponent));
  return 0;
}

/* Reads digits with at most one point between two of them; the value is digits * 10^exponent.
 * Returns the number of characters, 0 when there is no such number, when it has more than 18
 * significant digits (the ledger writes 17) or more than 400 behind the point. */
DPPAIR_API size_t dppair_parse_digits_(uint64_t *digits, int *exponent, const char *s,
                                       size_t length) {
  size_t i, seen = 0;
  int point = 0, significant = 0;
  *digits = 0;
  *exponent = 0;
  for (i = 0; i < length; i++) {
    if (s[i] == '.' && !point && seen > 0) {
      point = 1;
      continue;
    }
    if (s[i] < '0' || s[i] > '9') break;
    seen++;
    if (significant > 0 || s[i] != '0') significant++;
    *exponent -= point;
    if (significant > 18 || *exponent < -400) return 0;
    *digits = *digits * 10 + (uint64_t)(s[i] - '0');
  }
  return seen == 0 || s[i - 1] == '.' ? 0 : i;
}

/* Reads what follows 'e': an optional sign and digits, |exponent| <= 400. Returns the number of
 * characters, 0 when it is not that. */
DPPAIR_API size_t dppair_parse_exponent_(int *exponent, const char *s, size_t length) {
  const int negative = length > 0 && s[0] == '-';
  const size_t start = negative || (length > 0 && s[0] == '+') ? 1 : 0;
  size_t i;
  *exponent = 0;
  for (i = start; i < length && s[i] >= '0' && s[i] <= '9'; i++) {
    *exponent = *exponent * 10 + (s[i] - '0');
    if (*exponent > 400) return 0;
  }
  if (negative) *exponent = -*exponent;
  return i > start ? i : 0;
}

/* Reads a JSON number >= 0, 0 or with a last digit worth 10^-310 to 10^290, and returns how many
 * characters it has; 0 when there is no such number. */
DPPAIR_API size_t dppair_parse_double_(double *x, const char *s, size_t length) {
  uint64_t digits;
  int exponent, more = 0;
  double hi, lo, sum;
  size_t used = dppair_parse_digits_(&digits, &exponent, s, length);
  *x = 0.0;
  if (used == 0) return 0;
  if (used < length && (s[used] == 'e' || s[used] == 'E')) {
    const size_t tail = dppair_parse_exponent_(&more, s + used + 1, length - used - 1);
    if (tail == 0) return 0;
    used += 1 + tail;
  }
  if (digits == 0) return used;
  exponent += more;
  if (exponent > 290 || exponent < -310) return 0;
  hi = (double)(digits >> 11) * 2048.0; /* 18 digits are 60 bits: both parts are exact */
  lo = (double)(digits & 2047);
  sum = hi + lo;
  lo -= sum - hi;
  hi = sum;
  dppair_wide_scale_(&hi, &lo, exponent);
  *x = hi + lo;
  return dppair_isfinite_f64(*x) ? used : 0;
}
