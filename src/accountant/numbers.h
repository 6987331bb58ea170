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

/* Multiplies by 10^exponent, |exponent| <= 600. */
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

/* A growing line; overflow is remembered. */
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

/* x >= 0 with 17 significant digits, trailing zeros left out; reads back to x. x = 0, or within
 * [1e-280, 1e280]; anything else is an error (returns 1). */
DPPAIR_API int dppair_text_double_(dppair_text_ *t, double x) {
  double hi = x, lo = 0.0;
  int exponent, k, last;
  uint64_t digits;
  char digit[17];
  if (x == 0.0) {
    dppair_text_char_(t, '0');
    return 0;
  }
  if (!(x >= 1e-280 && x <= 1e280)) return 1;
  exponent = (int)floor(log10(x));
  dppair_wide_scale_(&hi, &lo, 16 - exponent);
  if (hi >= 99999999999999999.0) { /* log10 was rounded across a power of ten */
    exponent++;
    dppair_wide_divide_(&hi, &lo, 10.0, 0.0);
  } else if (hi < 1e16) {
    exponent--;
    dppair_wide_multiply_(&hi, &lo, 10.0, 0.0);
  }
  { /* the nearest integer: hi is one already beyond 2^53 */
    const double whole = floor(hi), part = (hi - whole) + lo;
    digits = (uint64_t)whole;
    if (part >= 0.5)
      digits += (uint64_t)floor(part + 0.5);
    else if (part < -0.5)
      digits -= (uint64_t)floor(0.5 - part);
  }
  for (k = 16; k >= 0; k--) {
    digit[k] = (char)('0' + (int)(digits % 10));
    digits /= 10;
  }
  for (last = 16; last > 0 && digit[last] == '0'; last--) {
  }
  /* 0.00123, 12.5, 1500, else 1.25e30 */
  if (exponent >= -4 && exponent < 0) {
    dppair_text_string_(t, "0.");
    for (k = exponent; k < -1; k++) dppair_text_char_(t, '0');
    for (k = 0; k <= last; k++) dppair_text_char_(t, digit[k]);
    return 0;
  }
  {
    const int plain = exponent >= 0 && exponent <= 15, whole = plain ? exponent : 0;
    for (k = 0; k <= whole; k++) dppair_text_char_(t, k <= last ? digit[k] : '0');
    if (last > whole) dppair_text_char_(t, '.');
    for (k = whole + 1; k <= last; k++) dppair_text_char_(t, digit[k]);
    if (plain) return 0;
  }
  dppair_text_char_(t, 'e');
  if (exponent < 0) dppair_text_char_(t, '-');
  dppair_text_size_(t, (uint64_t)(exponent < 0 ? -exponent : exponent));
  return 0;
}

/* Reads a non-negative JSON number; returns the characters used, 0 when it is not one. */
DPPAIR_API size_t dppair_parse_double_(double *x, const char *s, size_t length) {
  uint64_t digits = 0;
  size_t i = 0, seen = 0;
  int exponent = 0, shift = 0, negative = 0, point = 0, significant = 0;
  double hi, lo;
  *x = 0.0;
  for (; i < length; i++) {
    if (s[i] == '.' && !point && seen > 0) {
      point = 1;
      continue;
    }
    if (s[i] < '0' || s[i] > '9') break;
    seen++;
    if (significant > 0 || s[i] != '0') significant++;
    if (significant > 18) return 0; /* never written by us */
    digits = digits * 10 + (uint64_t)(s[i] - '0');
    if (point) shift++;
    if (shift > 400) return 0;
  }
  if (seen == 0 || s[i - 1] == '.') return 0;
  if (i < length && (s[i] == 'e' || s[i] == 'E')) {
    size_t start;
    i++;
    if (i < length && (s[i] == '-' || s[i] == '+')) negative = s[i++] == '-';
    for (start = i; i < length && s[i] >= '0' && s[i] <= '9'; i++) {
      exponent = exponent * 10 + (s[i] - '0');
      if (exponent > 400) return 0;
    }
    if (i == start) return 0;
  }
  if (digits == 0) return i;
  exponent = (negative ? -exponent : exponent) - shift;
  if (exponent > 290 || exponent < -310) return 0;
  hi = (double)(digits >> 11) * 2048.0;
  lo = (double)(digits & 2047);
  {
    const double sum = hi + lo;
    lo -= sum - hi;
    hi = sum;
  }
  dppair_wide_scale_(&hi, &lo, exponent);
  *x = hi + lo;
  return dppair_isfinite_f64(*x) ? i : 0;
}
