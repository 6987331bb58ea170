#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Proves the bounds of the double level, from its text.

The statements of src/noise/kernels/double_level.h and src/noise/double_level.h are read and carried
out on intervals, once as tiers with fused products round and once as others: each operation adds
half a unit of the last place of the largest number that it can return. What a polynomial leaves out
of its function is bounded by the difference of the coefficients from those of the series, exact.
So a constant that is changed, or a bound that is lowered below what this proves, is told. All
arithmetic is on integers, rounded outwards: units of 2^-320.

    double_level.py SRC
"""
import re
import sys
from fractions import Fraction
from math import isqrt

SCALE = 320
ONE = 1 << SCALE
failed = False


def up(n, d):
    return -((-n) // d)


def fixed(x):
    """A double or a fraction that must be exact here."""
    q = Fraction(x) * ONE
    assert q.denominator == 1, x
    return q.numerator


def half_ulp(size):
    """Half of the last place, to nearest, of numbers up to `size`."""
    return (1 << (size.bit_length() - 1)) // (1 << 53) + 1 if size else 0


class Value:
    """What a variable would be without rounding, lo .. hi, and how far it is from that at most."""
    fused = True

    def __init__(self, lo, hi=None, error=0):
        self.lo, self.hi, self.error = lo, lo if hi is None else hi, error

    def size(self):
        return max(abs(self.lo), abs(self.hi))

    def most(self):
        return self.size() + self.error

    def exactly(self):
        return self.lo == self.hi and self.error == 0

    def rounded(self):
        if self.exactly():
            digits = abs(self.lo)
            if digits and (digits // (digits & -digits)).bit_length() <= 53:
                return self
        return Value(self.lo, self.hi, self.error + half_ulp(self.most()))

    @staticmethod
    def sum(a, b):
        return Value(a.lo + b.lo, a.hi + b.hi, a.error + b.error)

    @staticmethod
    def product(a, b):
        if a is b:
            big, low = max(a.lo * a.lo, a.hi * a.hi), 0
            if a.lo > 0 or a.hi < 0:
                low = min(a.lo * a.lo, a.hi * a.hi)
            ends = [low, big]
        else:
            ends = [a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi]
        error = a.size() * b.error + b.size() * a.error + a.error * b.error
        return Value(min(ends) >> SCALE, up(max(ends), ONE), up(error, ONE))

    @staticmethod
    def is_zero(a):
        return a.exactly() and a.lo == 0

    @staticmethod
    def is_power(a):
        return a.exactly() and a.lo and abs(a.lo) & (abs(a.lo) - 1) == 0

    def __add__(a, b):
        if Value.is_zero(a) or Value.is_zero(b):
            return b if Value.is_zero(a) else a
        if a is b:
            return Value(2 * a.lo, 2 * a.hi, 2 * a.error)
        return Value.sum(a, b).rounded()

    def __neg__(a):
        return Value(-a.hi, -a.lo, a.error)

    def __sub__(a, b):
        return a + -b

    def __mul__(a, b):
        p = Value.product(a, b)
        return p if Value.is_power(a) or Value.is_power(b) else p.rounded()

    def __truediv__(a, b):
        assert b.lo - b.error > 0
        ends = [x * ONE // y for x in (a.lo, a.hi) for y in (b.lo, b.hi)]
        low = b.lo - b.error
        error = up(a.error * ONE, low) + up(up(a.size() * b.error, b.lo) * ONE, low)
        return Value(min(ends) - 1, max(ends) + 1, error).rounded()

    def root(a):
        low, high = isqrt(a.lo << SCALE), isqrt(a.hi << SCALE) + 1
        smaller = isqrt(max(a.lo - a.error, 0) << SCALE)
        error = up(a.error * ONE, low + smaller) if a.error else 0
        return Value(low, high, error).rounded()


def fma(a, b, c):
    if not Value.fused:
        return a * b + c
    p = Value.product(a, b)
    if Value.is_zero(a) or Value.is_zero(b):
        return c
    return Value.sum(p, c).rounded()


# --- Constants, to 300 bits ----------------------------------------------------------------------

def inverse_tangent(n, hyperbolic):
    total, power, j = 0, (ONE << 64) // n, 1
    while power:
        total += power // j if hyperbolic or j % 4 == 1 else -(power // j)
        power //= n * n
        j += 2
    return total >> 64


PI = 16 * inverse_tangent(5, False) - 4 * inverse_tangent(239, False)
LN2 = 2 * inverse_tangent(3, True)
SLACK = 1 << 40  # more than the errors of both
U53 = ONE >> 53


# --- What polynomials leave out ------------------------------------------------------------------

class LeftOut:
    """A polynomial of z with small exact coefficients, and `rest` more."""

    def __init__(self, coefficients, rest):
        self.units = [(Fraction(c) * ONE * 2 ** 64).__floor__() for c in coefficients]
        self.slopes = [j * c for j, c in enumerate(self.units)][1:]
        self.curves = [abs(j * (j - 1) * c) for j, c in enumerate(self.units)][2:]
        self.rest = rest

    @staticmethod
    def horner(c, z):
        value = 0
        for x in reversed(c):
            value = x + (value * z >> SCALE)
        return value

    def on(self, lo, hi):
        """sup on [lo, hi]: value and slope in the middle, curvature by absolute values."""
        middle, width = (lo + hi) // 2, (hi - lo) // 2 + 1
        bound = abs(self.horner(self.units, middle)) + \
            (abs(self.horner(self.slopes, middle)) * width >> SCALE)
        bound += (self.horner(self.curves, hi) * width >> SCALE) * width >> (SCALE + 1)
        return (bound + 64 * len(self.units) ** 2 >> 64) + 1 + self.rest


def artanh_left_out(p, r_most):
    """|2 artanh(r) - (2 r + r^3 P(z))| <= r times this, z = r^2, r <= r_most."""
    terms = 30
    z = Fraction(r_most, ONE) ** 2
    c = [0] + [Fraction(2, 2 * j + 3) - (p[j] if j < len(p) else 0) for j in range(terms)]
    rest = Fraction(2, 2 * terms + 3) * z ** (terms + 1) / (1 - z)
    whole, top = LeftOut(c, int(rest * ONE) + 1), int(z * ONE) + 1
    return max(whole.on(lo, hi) for lo, hi in pieces_of(0, top, 2048))


def circle_left_out(p, first, x_most):
    """The Taylor series of the cosine (first = 0) or of the sine/x (1) less sum p_j z^j."""
    terms, factorial = 20, 1
    z, c = Fraction(x_most, ONE) ** 2, []
    for j in range(terms):
        if j:
            factorial *= (2 * j + first) * (2 * j + first - 1)
        c.append(Fraction((-1) ** j, factorial) - (p[j] if j < len(p) else 0))
    return LeftOut(c, int(z ** terms * ONE / factorial) + 1)


def circle_errors(theta, moved, cosine, sine, steps):
    """The errors of both on a piece: rounding from theta on, what is left out, theta's own error."""
    lo, hi = max(theta.lo - theta.error, 0), theta.hi + theta.error
    c, s = steps(Value(lo, hi))
    moved += theta.error
    sin_most = min(hi, fixed(Fraction(5, 8)) * 8 * 7072 // 50000)
    cos_most = ONE - (lo * lo >> SCALE + 1) + up(lo ** 4, 24 * ONE ** 3)
    z_lo, z_hi = lo * lo >> SCALE, up(hi * hi, ONE)
    return (c.error + cosine.on(z_lo, z_hi) + up(moved * sin_most, ONE),
            s.error + up(sine.on(z_lo, z_hi) * hi, ONE) + up(moved * cos_most, ONE))


# --- The text ------------------------------------------------------------------------------------

def body(text, name):
    at = re.search(r'\b%s\([^;{]*\{\n(.*?)\n\}' % name, text, re.S)
    if not at:
        raise SystemExit('double level: there is no %s to read' % name)
    return at.group(1)


def statements(code):
    """name, expression of each assignment in order."""
    code = re.sub(r'/\*.*?\*/', '', code, flags=re.S)
    code = re.sub(r'\s+', ' ', code)
    found = []
    for s in code.split(';'):
        s = s.strip()
        m = re.match(r'(?:const )?(?:DPR_D |double )?(\*?\w+) = (.*)$', s)
        if s.startswith('return '):
            found.append(('return', s[7:]))
        elif m:
            expression, depth, parts = m.group(2), 0, ['']
            for ch in expression:  # const DPR_D r = .., z = ..
                depth += (ch == '(') - (ch == ')')
                if ch == ',' and depth == 0:
                    parts.append('')
                else:
                    parts[-1] += ch
            found.append((m.group(1), parts[0]))
            for p in parts[1:]:
                n, e = p.split('=', 1)
                found.append((n.strip(), e.strip()))
    return found


def literals(code):
    return [float(x) for x in re.findall(r'DPR_DSET\((-?[\d.]+(?:e-?\d+)?)\)', code)]


OPERATIONS = {
    'DPR_DSET': lambda x: Value(fixed(x)), 'DPR_DADD': lambda a, b: a + b,
    'DPR_DSUB': lambda a, b: a - b, 'DPR_DMUL': lambda a, b: a * b,
    'DPR_DDIV': lambda a, b: a / b, 'DPR_DFMA': fma, 'DPR_DSQRT': Value.root,
    'DPPAIR_EXP2M_': lambda n: 2.0 ** -n,
}


def run(steps, names):
    for name, expression in steps:
        names[name] = eval(expression, {'__builtins__': {}}, {**OPERATIONS, **names})
    return names


def line(what, cases, share):
    global failed
    right = 0 < share <= 1
    failed |= not right
    print('double level, %s\t%d\t%.3f\t%s' % (what, cases, share, 'proved' if right else 'FAILS'))


def pieces_of(lo, hi, count):
    for i in range(count):
        yield lo + (hi - lo) * i // count, lo + (hi - lo) * (i + 1) // count


def towards_zero(hi, least, each):
    """Pieces of [2^least, hi] whose ends have a ratio near 1."""
    top = hi
    while top > (ONE >> least):
        bottom = top - (top >> each) - 1
        yield bottom, top
        top = bottom


# --- The kernels of all vector tiers -------------------------------------------------------------

class Kernels:
    def __init__(self, text, mode):
        self.text, self.mode = text, mode
        Value.fused = mode == 'fused'
        self.circle()
        self.logarithm()
        self.tau()

    def circle(self):
        code = body(self.text, 'dpr_circle_wide')
        steps = [s for s in statements(code) if s[0] in ('theta', 'z', 'c', 's')]
        first = [(steps[0][0], steps[0][1].replace('DPR_Q2D(DPR_QSHL(w, 2))', 'angle'))]
        turn = literals(code)[0]

        def numbers(name):  # from the highest power down
            return [Fraction(float(x)) for n, e in steps if n == name
                    for x in re.findall(r'DPR_DSET\((-?[\d.e-]+)\)', e)]

        cosines, sines = numbers('c')[::-1], [Fraction(1)] + numbers('s')[::-1]
        step = abs(fixed(turn) - up(2 * PI, 1 << 66)) + SLACK  # the constant's own error, a unit of w
        angle_most = 1 << 63
        x_most = up(angle_most * fixed(turn), 1)
        out_c = circle_left_out(cosines, 0, x_most)
        out_s = circle_left_out(sines, 1, x_most)
        claims = re.search(r'within ([\d.]+)u and ([\d.]+)u: as in float', self.text)
        bound_c, bound_s = (Fraction(claims.group(i)) * U53 for i in (1, 2))
        worst_c = worst_s = 0
        count = 1024
        for lo, hi in pieces_of(0, angle_most * ONE, count):
            theta = run(first, {'angle': Value(lo, hi, half_ulp(hi))})['theta']

            def evaluate(x):
                v = run(steps[1:], {'theta': x})
                return v['c'], v['s']

            c, s = circle_errors(theta, up(hi, ONE) * step, out_c, out_s, evaluate)
            worst_c, worst_s = max(worst_c, c), max(worst_s, s)
        self.circle_error = max(worst_c, worst_s)
        line('%s: cosine, %su' % (self.mode, claims.group(1)), count, float(worst_c / bound_c))
        line('%s: sine, %su' % (self.mode, claims.group(2)), count, float(worst_s / bound_s))

    def logarithm(self):
        code = body(self.text, 'dpr_exponential_wide')
        steps = statements(code)
        start = [i for i, s in enumerate(steps) if s[0] == 'r'][0]
        steps = [s for s in steps[start:] if s[0] in ('r', 'z', 'p', 'return')]
        cap = re.search(r'DPR_DSET\(([\d.]+)\)\);\s*return', code)
        self.reciprocal = float(cap.group(1))
        near = re.search(r'DPR_QGT\(DPR_QSHR\(w, 1\), DPR_QSET\((0x[0-9a-f]+)\)\)', code)
        root_half = int(re.search(r'root_half = (0x[0-9a-f]+)', code).group(1), 16)
        v_lo = fixed(Fraction((root_half & ((1 << 52) - 1)) | 1 << 52, 1 << 53))
        v_hi = 2 * v_lo
        self.near_u = int(near.group(1), 16) << (SCALE - 63)
        p = [Fraction(x) for n, e in steps if n == 'p'
             for x in re.findall(r'DPR_DSET\((-?[\d.e-]+)\)', e)][:6]
        p = [p[0], p[1]] + p[2:]
        p = p[::-1]
        r_most = int(Fraction(171574, 10 ** 6) * ONE)
        assert (v_hi - ONE) * ONE // (v_hi + ONE) < r_most
        self.out = artanh_left_out(p, r_most)
        self.steps = steps
        claims = re.search(r'relative ([\d.]+)u near U = 1, else \(([\d.]+) \+ ([\d.]+)e\) u: k times',
                           self.text)
        self.claim_near, self.claim_a, self.claim_b = (Fraction(claims.group(i)) for i in (1, 2, 3))
        # near 1: f = -(1 - U) with a relative error of u, U > near
        worst_near = Fraction(0)
        cases = 0
        for lo, hi in towards_zero(ONE - self.near_u + 1, 64, 6):
            e, error, least = self.minus_log(-hi, -lo, up(hi, 1 << 53), 0)
            worst_near = max(worst_near, Fraction(error, least) * (1 << 53))
            cases += 1
        self.observed_near = worst_near
        line('%s: -ln U near 1, %su relative' % (self.mode, claims.group(1)), cases,
             float(worst_near / self.claim_near))
        worst_far = Fraction(0)
        cases = 0
        for k in range(0, -33, -1):
            top = self.near_u + (ONE >> 40) if k == 0 else v_hi
            for lo, hi in pieces_of(v_lo, top, 8 if k == 0 else 96):
                e, error, least = self.minus_log(lo - ONE, hi - ONE, up(hi, 1 << 53), k)
                allowed = self.claim_a * U53 + self.claim_b * Fraction(least, 1 << 53)
                worst_far = max(worst_far, error / allowed)
                cases += 1
        line('%s: -ln U below, (%s + %se)u' % (self.mode, claims.group(2), claims.group(3)), cases,
             float(worst_far))
        # 1/U = 2^-k / v: the factor, with its own rounding and v's
        share = Fraction(ONE, v_lo - 1) * (1 + Fraction(3, 1 << 53)) / Fraction(self.reciprocal)
        line('%s: the bound of 1/U' % self.mode, 1, float(share))

    def minus_log(self, lo, hi, error, k):
        """f = v - 1 in [lo, hi], within `error`: what is returned, its error, and the least e."""
        f = Value(lo, hi, error)
        v = run(self.steps, {'f': f, 'k': Value(k * ONE)})
        r, got = v['r'], v['return']
        left = up(r.most() * self.out, ONE)
        numbers = [float(x) for s in self.steps[-2:] for x in re.findall(r'DPR_DSET\((-?[\d.e-]+)\)', s[1])]
        parts = [x for x in numbers if x]
        off = abs(fixed(parts[0]) + fixed(parts[1]) - LN2) + SLACK
        total = got.error + left + abs(k) * off
        # e itself: 2 artanh(r) lies within [2|r|, 2|r|(1 + r^2)] for |r| <= 0.172
        least = got.lo - left - abs(k) * off
        if k == 0:
            least = 2 * min(abs(r.lo), abs(r.hi)) - 4
        return got, total, least

    def tau(self):
        """Gaussians and Laplace variables: error against the tau that the text computes."""
        radius = [s for s in statements(body(self.text, 'dpr_radius_wide')) if s[0] in ('radius', '*tau')]
        laplace = [s for s in statements(body(self.text, 'dpr_laplace_wide')) if s[0] == '*tau']
        tail = re.search(r'0x([0-9a-f]+)\)\)\),\s*DPR_QSET\(0x([0-9a-f]+)\)',
                         body(self.text, 'dpr_tail_wide'))
        low, room = int(tail.group(1), 16), int(tail.group(2), 16)
        # decided: u - low as a signed number is at most room
        first = (low - (1 << 63)) % (1 << 64)
        last = (low + room) % (1 << 64)
        u_first, one_less = Fraction(first, 1 << 64), 1 - Fraction(last + 1, 1 << 64)
        bit = re.search(r'DPR_QGT\(DPR_QSET\((0x[0-9a-f]+)\), DPR_QSHR\(u, 1\)\)',
                        body(self.text, 'dpr_laplace_wide'))
        laplace_first = Fraction(int(bit.group(1), 16) * 2, 1 << 64)
        worst_g, worst_l, cases = Fraction(0), Fraction(0), 0
        for u_lo, u_hi, e, error, k in self.all_u():
            reciprocal = Value(ONE << -k) * Value(fixed(self.reciprocal))
            cases += 1
            for law in ('gaussian', 'laplace'):
                least_u = Fraction(u_lo, ONE)
                value = Value(e.lo, e.hi, error)
                if law == 'gaussian':
                    if Fraction(u_hi, ONE) < u_first or 1 - least_u < one_less:
                        continue
                    v = run(radius, {'e': value, 'reciprocal': reciprocal})
                    noise, size = v['radius'], v['radius'].most()
                    unread_t = up(2 * PI * up(size, ONE) , 1 << 64) + 1
                    low_r = isqrt(max(2 * e.lo - (ONE >> 62), 1) << SCALE)
                    unread = Fraction(ONE, 1 << 64) / max(least_u, u_first) * Fraction(ONE, low_r)
                    circle = up(size * self.circle_error, ONE)
                    error_z = noise.error + circle + half_ulp(size) + int(unread) + 1 + unread_t
                else:
                    if Fraction(u_hi, ONE) < laplace_first:
                        continue
                    v = run(laplace, {'e': value, 'reciprocal': reciprocal})
                    noise, size = value, value.most()
                    unread = Fraction(ONE, 1 << 63) / max(least_u, laplace_first)
                    error_z = noise.error + int(unread) + 1
                tau = v['*tau'].lo - v['*tau'].error
                # product with s >= 1 and the sum with the rest, both rounded; tau s rounded too
                steps = 2 * up(size, 1 << 53) + U53 // 2
                share = Fraction(error_z + steps, tau) * (1 + Fraction(4, 1 << 53))
                if law == 'gaussian':
                    worst_g = max(worst_g, share)
                else:
                    worst_l = max(worst_l, share)
        line('%s: tau of Gaussians' % self.mode, cases, float(worst_g))
        line('%s: tau of Laplace noise' % self.mode, cases, float(worst_l))

    def all_u(self):
        """U in pieces, -ln U, the bound of its error that was proved above, and k."""
        for lo, hi in towards_zero(ONE - self.near_u + 1, 63, 5):  # 1 - U
            e_lo, e_hi = lo, up(hi * ONE, ONE - hi)
            error = up(int(self.observed_near * e_hi) + 1, 1 << 53)
            yield ONE - hi, ONE - lo, Value(e_lo, e_hi), error, 0
        v_lo = isqrt(1 << (2 * SCALE - 1))
        for k in range(0, -33, -1):
            top = self.near_u + 1 if k == 0 else 2 * v_lo
            for lo, hi in pieces_of(v_lo, top, 4 if k == 0 else 16):
                got, error, least = self.minus_log(lo - ONE, hi - ONE, up(hi, 1 << 53), k)
                if k == 0:
                    got = Value(got.lo - U53, got.hi + U53)
                yield lo >> -k, up(hi, 1 << -k), Value(got.lo, got.hi), error, k


# --- The scalar code -----------------------------------------------------------------------------

def scalar_list(code, name):
    inside = re.search(r'%s\[\d+\] = \{(.*?)\};' % name, code, re.S).group(1)
    return [Fraction(eval(x.strip(), {'__builtins__': {}})) for x in inside.split(',')]


def scalar(text, plan):
    Value.fused = False
    artanh, logs = body(text, 'dppair_artanh2_f64_'), body(text, 'dppair_log_parts_')
    circle = body(text, 'dppair_circle_f64_')
    skeleton = [
        (artanh, 'for (i = 11; i-- > 0;) p = p * r2 + c[i];'),
        (artanh, 'return 2.0 * r + r * r2 * p;'),
        (artanh, 'const double r2 = r * r; double p = c[11];'),
        (logs, 'const double p = dppair_artanh2_f64_(f / (2.0 + f));'),
        (logs, 'return k == 0 ? p : (double)k * ln2_hi + ((double)k * ln2_lo + p);'),
        (circle, 't2 = theta * theta; for (i = 8; i-- > 0;) a = a * t2 + c[i]; '
                 'for (i = 7; i-- > 0;) b = b * t2 + s[i]; a = 1.0 + t2 * a; '
                 'b = theta + theta * t2 * b;'),
        (plan, 'y = rest + (words[i] >> 31 ? -plan->s : plan->s) * e;'),
        (plan, 'y = rest + plan->s * (dppair_sqrt_(2.0 * dppair_fabs_(e)) * c[i]);'),
        (plan, 'tau = tau * plan->s + DPPAIR_EXP2M_(52) * dppair_fabs_(y);'),
    ]
    for code, wanted in skeleton:
        if wanted not in re.sub(r'\s+', ' ', re.sub(r'/\*.*?\*/', '', code, flags=re.S)):
            raise SystemExit('double level: the proof is of "%s", which is not there' % wanted)
    c = scalar_list(artanh, 'c')
    hi, lo = (float(re.search(r'ln2_%s = ([\d.e-]+)' % x, logs).group(1)) for x in ('hi', 'lo'))
    two, one = Value(2 * ONE), Value(ONE)
    out = artanh_left_out(c, fixed(Fraction(11, 64)))

    def artanh2(r):
        r2 = r * r
        p = Value(int(c[11] * ONE))
        for x in c[10::-1]:
            p = p * r2 + Value(int(x * ONE))
        return two * r + r * r2 * p

    def left(r):
        return up(r.most() * out, ONE)

    worst_share, cases = Fraction(0), 0
    for a, b in towards_zero(fixed(Fraction(11, 64)), 100, 6):
        r = Value(a, b)
        got = artanh2(r)
        worst_share = max(worst_share, Fraction(got.error + left(r), 2 * a) * (1 << 53) / 2)
        cases += 1
    line('scalar: 2 artanh, 2u relative', cases, float(worst_share))

    def minus_log(a, b, error, k):
        f = Value(a, b, error)
        r = f / (two + f)
        p = artanh2(r)
        extra = left(r) + abs(k) * (abs(fixed(hi) + fixed(lo) - LN2) + SLACK)
        if k == 0:
            return p, p.error + extra
        kk = Value(k * ONE)
        return kk * Value(fixed(hi)) + (kk * Value(fixed(lo)) + p), None, extra

    near = far = Fraction(0)
    cases = 0
    v_lo = isqrt(1 << (2 * SCALE - 1))
    for a, b in towards_zero(ONE - v_lo + 1, 96, 6):  # from the distance to 1
        p, error = minus_log(-b, -a, up(b, 1 << 53), 0)
        least = a + (a * a >> SCALE + 1) + (a ** 3 >> 2 * SCALE) // 3  # -ln(1 - a)
        near = max(near, Fraction(error, least) * (1 << 53) / 4)
        cases += 1
    for k in range(-1, -34, -1):
        for a, b in pieces_of(v_lo, 2 * v_lo, 96):
            e, _, extra = minus_log(a - ONE, b - ONE, up(b, 1 << 53), k)
            far = max(far, Fraction(e.error + extra, U53) / (4 * (1 + Fraction(-e.hi, ONE))))
            cases += 1
    line('scalar: -ln U from 0.7071 on, 4u relative', cases, float(near))
    line('scalar: -ln U below, 4u (1 + |ln U|)', cases, float(far))

    cs, ss = scalar_list(circle, 'c'), scalar_list(circle, 's')
    turn = float(re.search(r'([\d.]+e-19); /\* 2 pi 2\^-64', circle).group(1))
    step = abs(fixed(turn) - up(2 * PI, 1 << 64)) + SLACK
    most = 1 << 61
    x_most = most * fixed(turn)
    out_c = circle_left_out([Fraction(1)] + cs, 0, x_most)
    out_s = circle_left_out([Fraction(1)] + ss, 1, x_most)
    worst_c = worst_s = 0
    for a, b in pieces_of(0, most * ONE, 512):
        def evaluate(theta):
            t2 = theta * theta
            x, y = Value(int(cs[8] * ONE)), Value(int(ss[7] * ONE))
            for q in cs[7::-1]:
                x = x * t2 + Value(int(q * ONE))
            for q in ss[6::-1]:
                y = y * t2 + Value(int(q * ONE))
            return one + t2 * x, theta + theta * t2 * y

        theta = Value(a, b, half_ulp(b)) * Value(fixed(turn))
        x, y = circle_errors(theta, up(b, ONE) * step, out_c, out_s, evaluate)
        worst_c, worst_s = max(worst_c, x), max(worst_s, y)
    claim = int(re.search(r'each within (\d)u', text).group(1))
    line('scalar: circle, %du' % claim, 512, float(Fraction(max(worst_c, worst_s), claim * U53)))
    circle_error = max(worst_c, worst_s)

    # tau of both laws, from the bounds of the logarithm that were proved; s >= 1
    exponents = [int(x) for x in re.findall(r'tau = DPPAIR_EXP2M_\((\d+)\);', plan)]
    share = {'Laplace': Fraction(0), 'Gaussian': Fraction(0)}
    taus = {'Laplace': Fraction(1, 1 << exponents[0]), 'Gaussian': Fraction(1, 1 << exponents[1])}
    u = Fraction(1, 1 << 53)
    cases = 0
    for law, skip in (('Gaussian', 0), ('Laplace', 1)):
        for e, e_hi, error, unread in scalar_pieces(skip):
            cases += 1
            if law == 'Laplace':  # and the product with s; the sum is paid by 2u |y|
                share[law] = max(share[law], (error + unread + u * e_hi) / taus[law])
                continue
            radius_lo = Fraction(isqrt(int(2 * e * ONE) << SCALE), ONE)
            radius_hi = Fraction(isqrt(int(2 * e_hi * ONE + 1) << SCALE) + 1, ONE)
            total = (error + unread) / radius_lo + radius_hi * 3 * u + \
                radius_hi * (Fraction(circle_error, ONE) + Fraction(7, 1 << 64))
            share[law] = max(share[law], total / taus[law])
    for law in ('Gaussian', 'Laplace'):
        line('scalar: tau of %s noise' % law, cases, float(share[law]))


def scalar_pieces(skip):
    """-ln U from below and above, the error that was proved, and what the unread bits move U by over
    U. 64 - skip bits of U are read, 96 - skip where its first word is below 2^16 or above 2^32 - 3."""
    u = Fraction(1, 1 << 53)
    bits, more = Fraction(1, 1 << (64 - skip)), Fraction(1, 1 << (96 - skip))
    for j in range(1, 33):
        for i in range(64):
            lo, hi = Fraction(64 + i, 64 << j), Fraction(65 + i, 64 << j)
            if lo >= Fraction(7072, 10000):
                continue
            unread = bits / lo
            if hi <= Fraction(1, 1 << 15):  # or the third word, cut off at 48 bits
                unread = max(unread if hi > Fraction(1, 1 << 17) else 0, Fraction(1, 1 << 48))
            e_hi = -log_bounds(lo, True)
            yield -log_bounds(hi, False), e_hi, 4 * u * (1 + e_hi), unread
    for j in range(95):
        for i in range(16):  # 1 - U
            hi = Fraction(32 - i, 32) * Fraction(3, 10) / 2 ** j
            lo = max(hi * Fraction(31 - i, 32 - i), more)
            if hi <= lo:
                return
            yield lo, hi / (1 - hi), 4 * u * hi / (1 - hi), 2 * (more if hi <= bits * 2 ** 32 else bits)


def log_bounds(x, lower):
    """ln x from below or above, within 2^-40."""
    k, v = 0, Fraction(x)
    while v < Fraction(2, 3):
        v *= 2
        k -= 1
    r = (v - 1) / (v + 1)
    total, power = Fraction(0), r
    for j in range(1, 60, 2):
        total += 2 * power / j
        power = Fraction(int(power * r * r * 2 ** 80), 2 ** 80)
    total += k * Fraction(LN2, ONE)
    return total + (Fraction(-1, 1 << 40) if lower else Fraction(1, 1 << 40))


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else 'src'
    kernels = open(source + '/noise/kernels/double_level.h').read()
    plain = open(source + '/noise/double_level.h').read()
    plan = open(source + '/noise/release_plan.h').read()
    for mode in ('fused', 'unfused'):
        Kernels(kernels, mode)
    scalar(plain, body(plan, 'dppair_block_scalar_'))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
