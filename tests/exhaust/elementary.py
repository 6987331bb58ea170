#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the stated errors of exp, expm1, exp2, log, log1p, sin and cos, from their text.

As double_level.py, whose intervals it uses: the statements of src/core/math_*.h are carried out on
pieces of their ranges, each operation adding half a unit of the last place; what a polynomial leaves
out is the difference of its exact coefficients from the series'; tables are compared with numbers of
300 bits. Sums whose lost digits the text keeps are exact, which the comments there argue; here their
skeletons must be in the text, and their lost digits take part as numbers of the size that they can
have. The rest of an argument after its reduction is within 2^-100 of itself: elementary.c measures
that on the worst doubles.

    elementary.py SRC
"""
import re
import sys
from fractions import Fraction
from math import factorial, isqrt

from double_level import LN2, ONE, SCALE, SLACK, U53, Value, body, fixed, half_ulp, pieces_of, statements, \
    towards_zero, up

failed = False


def line(what, cases, share):
    global failed
    right = 0.3 < share <= 1
    failed |= not right
    print('elementary, %s\t%d\t%.3f\t%s' % (what, cases, share, 'proved' if right else 'FAILS'))


class Poly:
    """Exact coefficients of what an expression is without rounding."""

    def __init__(self, c):
        self.c = c

    def __add__(a, b):
        n = max(len(a.c), len(b.c))
        return Poly([sum(p.c[i] for p in (a, b) if i < len(p.c)) for i in range(n)])

    def __neg__(a):
        return Poly([-x for x in a.c])

    def __sub__(a, b):
        return a + -b

    def __mul__(a, b):
        c = [Fraction(0)] * (len(a.c) + len(b.c) - 1)
        for i, x in enumerate(a.c):
            for j, y in enumerate(b.c):
                c[i + j] += x * y
        return Poly(c)

    def __truediv__(a, b):
        return Poly([x / b.c[0] for x in a.c])


def evaluate(expression, names, number):
    text = re.sub(r'(?<![\w.])(\d+\.?\d*(?:e-?\d+)?)', r'number("\1")', expression)
    return eval(text, {'__builtins__': {}}, dict(names, number=number))


def value(text):
    return Value(fixed(float(text)))


def run(steps, names, number=value):
    for name, expression in steps:
        names[name] = evaluate(expression, names, number)
    return names


def exact(steps, variable):
    return run(steps, {variable: Poly([Fraction(0), Fraction(1)])}, lambda s: Poly([Fraction(s)]))


def pick(code, *names):
    return [s for s in statements(code) if s[0] in names]


def must(code, *skeletons):
    flat = re.sub(r'\s+', ' ', re.sub(r'/\*.*?\*/', '', code, flags=re.S))
    for s in skeletons:
        if s not in flat:
            raise SystemExit('elementary: the proof is of "%s", which is not there' % s)


class LeftOut:
    """|poly - series| up to a place, both from the power 0 on; no coefficient after those given is above 1."""

    def __init__(self, poly, series):
        n = max(len(poly.c), len(series))
        of = [abs((poly.c[i] if i < len(poly.c) else 0) - (series[i] if i < len(series) else 0)) for i in range(n)]
        self.c = [-(-x.numerator * ONE // x.denominator) for x in of]

    def on(self, most):
        total = 0
        for x in reversed(self.c):
            total = up(total * most, ONE) + x
        return total + up(most ** len(self.c), (ONE - most) * ONE ** (len(self.c) - 2)) + 1


def exp_fixed(x):
    """e^x for units |x| < ONE, within a few units."""
    total, term, k = 0, ONE, 0
    while term:
        total += term
        k += 1
        term = term * x // (k * ONE)
        if abs(term) <= 1:
            break
    return total


def log_fixed(q):
    """ln of a fraction in [1/2, 2]."""
    r = (q - 1) / (q + 1)
    s = (r.numerator << SCALE) // r.denominator
    z, total, k = s * s >> SCALE, 0, 1
    while s:
        total += s // k if s > 0 else -(-s // k)
        s = s * z >> SCALE if s > 0 else -(-s * z >> SCALE)
        k += 2
    return 2 * total


def spread(h):
    return Value(-h, h)


def table_of(code, name):
    inside = re.search(r'%s\[\d+\](?:\[2\])? = \{(.*?)\};' % name, code, re.S).group(1)
    return [float(x) for x in re.findall(r'-?[\d.]+(?:e-?\d+)?', inside)]


def claim(text, name):
    return Fraction(re.search(r'#define DPPAIR_%s_ERROR_ ([\d.]+)' % name, text).group(1)) * U53


# --- Exponentials --------------------------------------------------------------------------------

def exponential(text):
    code = body(text, 'dppair_exp_')
    must(code, 'r = (x - n * (%s / 32)) - n * (%s / 32);' %
         tuple(re.findall(r'n \* \(([\d.e-]+) / 32\)', code)),
         'return head + (power[1] * by + head * p);',
         'dppair_by_power_of_two_(power[0] + (power[1] + power[0] * p), scale)')
    first, second = (Fraction(float(x)) / 32 for x in re.findall(r'n \* \(([\d.e-]+) / 32\)', code))
    assert first.numerator.bit_length() <= 32
    n_most = 746 * 47
    r_most = LN2 // 64 + (ONE >> 30)
    moved = n_most * (abs(fixed(first) + int(second * ONE) - LN2 // 32) + SLACK)
    moved += half_ulp(int(n_most * second * ONE)) + half_ulp(r_most)
    steps = [s for s in statements(code) if s[0] in ('r2', 'p')]
    series = [Fraction(0)] + [Fraction(1, factorial(k)) for k in range(1, 40)]
    out = LeftOut(exact(steps, 'r')['p'], series).on(r_most)
    table = table_of(code, 'table')
    root = 2 * ONE
    for _ in range(5):
        root = isqrt(root << SCALE)
    right, worst, cases = ONE, Fraction(0), 0
    for i in range(32):
        head, low = fixed(table[2 * i]), fixed(table[2 * i + 1])
        off = abs(head + low - right) + SLACK
        for lo, hi in pieces_of(-r_most, r_most, 16):
            v = run(steps, {'r': Value(lo, hi, moved)})
            got = Value(head) + (Value(low) + Value(head) * v['p'])
            total = got.error + up(off * 11, 10) + up(head * out, ONE)
            worst = max(worst, Fraction(total, got.lo - got.error))
            cases += 1
        right = right * root >> SCALE
    line('exp', cases, float(worst * ONE / claim(text, 'EXP')))


known = {}


def core(text, base, lo, hi, c, moved, extra, base_off=0):
    """The error of dppair_exp_core_ on r in [lo, hi], and the least size of its result."""
    code = body(text, 'dppair_exp_core_')
    must(code, 'const double little = 0.5 * ((r - t) * (r + t)) + r2 * r * g;',
         'const double first = base + r, lost = base == 0.0 ? 0.0 : (base - first) + r;',
         'const double both = first + half, again = (first - both) + half;',
         'return both + (lost + again + (little + (c + c * r + extra)));')
    steps = pick(code, 'r2', 'r4', 'third', 'seventh', 'eleventh', 'g')
    most = max(abs(lo), abs(hi))
    v = run(steps, {'r': Value(lo, hi)})
    r, c = Value(lo, hi), spread(c)
    cut = Value(0, most >> 25) if hi > 0 else Value(-(most >> 25), 0)
    twice = Value(min(2 * lo, lo + (lo * (2 ** 25 - 1) >> 25)), max(2 * hi, hi + (hi * (2 ** 25 - 1) >> 25) + 1))
    little = Value(ONE // 2) * (cut * twice.rounded()) + v['r2'] * r * v['g']
    size = abs(base) + most
    lost = spread(half_ulp(size)) if base else Value(0)
    again = spread(half_ulp(size + most * most // ONE))
    rest = lost + again + (little + (c + c * r + Value(extra)))
    low, high = exp_fixed(lo), exp_fixed(hi)
    least = min(abs(base + low - ONE), abs(base + high - ONE)) - (ONE >> 50 if base else 0)
    if base == 0:
        least = min(abs(lo), abs(hi)) - min(abs(lo), abs(hi)) ** 2 // (2 * ONE)
    largest = max(abs(base + low - ONE), abs(base + high - ONE)) + rest.error
    if 'core' not in known:
        known['core'] = LeftOut(exact(steps, 'r')['g'], [Fraction(1, factorial(k + 3)) for k in range(60)])
    out = known['core'].on(most)
    out = up(up(up(out * most, ONE) * most, ONE) * most, ONE)
    out += up(c.size() * most * most, ONE * ONE) + c.size() ** 2 // ONE + 1
    return rest.error + out + base_off + up(moved * 3, 2) + half_ulp(largest), least


def other_exponentials(text, more):
    worst, cases = Fraction(0), 0
    for lo, hi in towards_zero(fixed(0.3467), 54, 4):
        for a, b in ((lo, hi), (-hi, -lo)):
            total, least = core(text, 0, a, b, 0, 0, 0)
            worst = max(worst, Fraction(total, least))
            cases += 1
    c_most = ONE >> 55
    code = body(text, 'dppair_exp_reduce_')
    parts = [Fraction(float(x)) for x in re.findall(r'n \* ([\d.e-]+)', code)]
    assert parts[0].numerator.bit_length() <= 32
    moved = 1100 * (abs(fixed(parts[0]) + fixed(parts[1]) - LN2) + SLACK) + half_ulp(int(1100 * parts[1] * ONE))
    # from n = -54 down the result is -1, and e^x below 0.8u
    for n in list(range(-53, 0)) + list(range(1, 55)):
        if n < 54:
            right = ONE - (ONE << -n if n < 0 else ONE >> n)
            base = fixed(float(Fraction(right, ONE)))
            extra = 0
        else:
            base, right, extra = ONE, ONE, -(ONE >> 54)
        for lo, hi in pieces_of(fixed(-0.3467), fixed(0.3467), 4 if abs(n) > 3 else 96):
            total, least = core(text, base, lo, hi, c_most, moved, extra, abs(base - right))
            worst = max(worst, Fraction(total, least))
            cases += 1
    line('expm1', cases, float(worst * ONE / claim(text, 'EXPM1')))
    code = body(more, 'dppair_exp2_')
    must(code, 'dppair_exp_core_(1.0, (x - n) * 0.6931471805599453, 0.0, 0.0)')
    worst, off = Fraction(0), abs(fixed(0.6931471805599453) - LN2) + SLACK
    for lo, hi in pieces_of(fixed(-0.3467), fixed(0.3467), 256):
        moved = off // 2 + half_ulp(max(abs(lo), abs(hi)))
        total, least = core(text, ONE, lo, hi, 0, moved, 0)
        worst = max(worst, Fraction(total, least))
    line('exp2', 256, float(worst * ONE / claim(more, 'EXP2')))


# --- Logarithms ----------------------------------------------------------------------------------

class Logarithm:
    def __init__(self, text):
        series = body(text, 'dppair_log_series_')
        self.steps = pick(series, 'r2', 'r4', 'return')
        self.out = LeftOut(exact(self.steps, 'r')['return'],
                           [Fraction(0), Fraction(0)] + [Fraction((-1) ** (k + 1), k) for k in range(2, 30)])
        code = body(text, 'dppair_log_core_')
        must(code, 'head = dppair_head_(z);',
             'const double a = head * c - 1.0, b = (z - head) * c, r = a + b, lost = (a - r) + b;',
             'table[place][0], sum = known + r;', '+ (table[place][1] + more);',
             '*low = ((known - sum) + r) + (dppair_log_series_(r) + (lost + rest));')
        parts = re.findall(r'\(double\)k \* ([\d.e-]+)', code)
        self.first, self.second = (fixed(float(x)) for x in parts)
        assert Fraction(float(parts[0])).numerator.bit_length() <= 32
        self.inverse = [Fraction(int(x), 256) for x in table_of(code, 'near_inverse')]
        table = table_of(code, 'table')
        self.table = [(fixed(table[2 * i]), fixed(table[2 * i + 1])) for i in range(32)]
        assert all(t[0] % (ONE >> 42) == 0 for t in self.table)
        self.ln_inverse = [log_fixed(q) for q in self.inverse]

    def series(self, lo, hi):
        return run(self.steps, {'r': Value(lo, hi)})['return']

    def error(self, place, z_lo, z_hi, k, more):
        """Without the last sum: an absolute error on z in [z_lo, z_hi], up to |k|; and ln z's ends."""
        c = self.inverse[place]
        lo, hi = (int(z * c.numerator) // c.denominator - ONE for z in (z_lo, z_hi))
        most = max(abs(lo), abs(hi)) + 1
        lost = spread(half_ulp(most)) if c != 1 else Value(0)
        known = abs(k) * self.first + abs(self.table[place][0])
        kept = spread(half_ulp(known + most)) if c != 1 or k else Value(0)
        rest = Value(k * ONE) * Value(self.second) + (Value(self.table[place][1]) + more)
        low = kept + (self.series(lo, hi) + (lost + rest))
        off = abs(sum(self.table[place]) + self.ln_inverse[place]) + SLACK
        off += abs(k) * (abs(self.first + self.second - LN2) + SLACK)
        off += up(lost.size() * most * 11, 10 * ONE) + self.out.on(most)
        ends = (log_fixed(Fraction(z_lo, ONE)), log_fixed(Fraction(z_hi, ONE)))
        return low.error + off, ends

    def whole(self, name, more, allowed):
        worst, cases = Fraction(0), 0
        for place in range(32):
            z, width = (ONE * 44 // 64 + place * ONE // 64, ONE // 64) if place < 20 else \
                (ONE + (place - 20) * ONE // 32, ONE // 32)
            for lo, hi in pieces_of(z, z + width, 4):
                for k in (0, 1, 2, 7, 63, 1100):
                    for sign in ((1,) if k == 0 else (1, -1)):
                        if k == 0 and self.inverse[place] == 1:
                            continue  # below
                        error, ends = self.error(place, lo, hi, sign * k, more)
                        least_k = {7: 3, 63: 8, 1100: 64}.get(k, k)
                        sizes = [abs(sign * least_k * LN2 + e) for e in ends]
                        if k == least_k:
                            last = Fraction(half_ulp(max(sizes) + error), min(sizes) - SLACK)
                        else:
                            last = Fraction(1, 1 << 53)
                        worst = max(worst, Fraction(error, min(sizes) - SLACK) + last)
                        cases += 1
        line(name, cases, float(worst * ONE / allowed))

    def near_one(self, name, bottom, top, allowed):
        """r + series(r): of log next to 1, and of log1p next to 0."""
        worst, cases = Fraction(0), 0
        for side, most in ((-1, bottom), (1, top)):
            for a, b in towards_zero(most, 54, 4):
                lo, hi = (-b, -a) if side < 0 else (a, b)
                low = self.series(lo, hi)
                size = b + (b * b // ONE if side < 0 else 0)
                least = a - (a * a // (2 * ONE) if side > 0 else 0)
                total = low.error + self.out.on(b) + half_ulp(size + low.error)
                worst = max(worst, Fraction(total, least))
                cases += 1
        line(name, cases, float(worst * ONE / allowed))


def logarithms(text):
    log = Logarithm(text)
    must(body(text, 'dppair_log1p_'), 'return x + dppair_log_series_(x);',
         '(x > 1.0 ? 1.0 - (h - x) : x - (h - 1.0)) / h', 'x > -0.015625 && x < 0.03125')
    log.whole('log', Value(0), claim(text, 'LOG'))
    log.near_one('log next to 1', ONE // 64, ONE // 32, claim(text, 'LOG'))
    log.whole('log1p', Value(-U53, U53, ONE >> 104), claim(text, 'LOG1P'))
    log.near_one('log1p next to 0', ONE // 64, ONE // 32, claim(text, 'LOG1P'))


# --- Sine and cosine -----------------------------------------------------------------------------

def circular(text):
    worst, cases = Fraction(0), 0
    code = body(text, 'dppair_sin_core_')
    must(code, 'return r + (c * (1.0 - 0.5 * z) + z * r * (low + z4 * high));')
    steps = pick(code, 'z', 'z2', 'z4', 'low', 'high') + \
        [('rest', 'c * (1.0 - 0.5 * z) + z * r * (low + z4 * high)')]
    poly = exact(steps[:-1] + [('rest', 'z * r * (low + z4 * high)')], 'r')['rest']
    sines = [Fraction(0)] * 320  # 0.79^320 is nothing
    for k in range(1, 160):
        sines[2 * k + 1] = Fraction((-1) ** k, factorial(2 * k + 1))
    left, r_most = LeftOut(poly, sines), fixed(0.78539816339744850)
    for lo, hi in towards_zero(r_most, 64, 5):
        c = spread(half_ulp(hi))
        rest = run(steps, {'r': Value(lo, hi), 'c': Value(c.lo, c.hi, hi >> 100)})['rest']
        out = left.on(hi) + up(up(c.size() * hi, ONE) * hi, ONE) * hi // ONE * hi // (24 * ONE) + 1 + c.size() ** 2 // ONE
        least = lo - lo ** 3 // (6 * ONE * ONE)
        worst = max(worst, Fraction(rest.error + out + half_ulp(hi), least))
        cases += 1
    line('sin', cases, float(worst * ONE / claim(text, 'SIN')))
    sine = worst * ONE
    code = body(text, 'dppair_cos_core_')
    must(code, 't = dppair_head_(r), half = 0.5 * t * t, w = 1.0 - half;',
         'return w + (((1.0 - w) - half) - 0.5 * ((r - t) * (r + t)) + (z2 * (low + z4 * high) - r * c));')
    steps = pick(code, 'z', 'z2', 'z4', 'low', 'high')
    poly = exact(steps + [('p', 'z2 * (low + z4 * high)')], 'r')['p']
    cosines = [Fraction(0)] * 320
    for k in range(2, 160):
        cosines[2 * k] = Fraction((-1) ** k, factorial(2 * k))
    left, worst, cases = LeftOut(poly, cosines), Fraction(0), 0
    for lo, hi in pieces_of(0, r_most, 128):
        c = half_ulp(hi)
        v = run(steps, {'r': Value(lo, hi)})
        v.update(r=Value(lo, hi), c=Value(-c, c, hi >> 100), kept=spread(U53 // 2), cut=Value(0, (hi >> 25) + 1),
                 twice=Value(2 * lo - (lo >> 25) - 1, 2 * hi).rounded())
        rest = evaluate('kept - 0.5 * (cut * twice) + (z2 * (low + z4 * high) - r * c)', v, value)
        out = left.on(hi) + c * c // ONE + \
            up(c * hi ** 3, 6 * ONE ** 3)
        x = Fraction(hi, ONE)
        least = int((1 - x ** 2 / 2 + x ** 4 / 24 - x ** 6 / 720) * ONE)
        most = ONE - lo * lo // (2 * ONE) + lo ** 4 // (24 * ONE ** 3)
        worst = max(worst, Fraction(rest.error + out + half_ulp(most), least))
        cases += 1
    line('cos', cases, float(worst * ONE / claim(text, 'COS')))
    total = (sine + worst * ONE + U53) * (1 + Fraction(1, 1 << 50))
    line('tan, 4u', 1, float(total / (4 * U53)))


def main():
    source = (sys.argv[1] if len(sys.argv) > 1 else 'src') + '/core/'
    Value.fused = False
    exponentials = open(source + 'math_exp.h').read()
    exponential(exponentials)
    other_exponentials(exponentials, open(source + 'math_more.h').read())
    logarithms(open(source + 'math_log.h').read())
    circular(open(source + 'math_circle.h').read())
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
