#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the integer functions of the noise, from their text.

The functions are read out of src/noise/ and carried out by a small interpreter of C, with words of
any width W in place of 32 bits. On terms of a solver it prints SMT-LIB: r = what the text computes,
and the assertion that this is not the product, sum or quotient of whole numbers; z3 or boolector must
answer "unsat". On numbers it tries all inputs of narrow words.

    integers.py SRC FOLDER
"""
import re
import shutil
import subprocess
import sys

failed = False


def line(what, cases, right, verdict='holds'):
    global failed
    failed |= not right
    print('integers: %s\t%d\t%.3f\t%s' % (what, cases, 1 if right else 9, verdict if right else 'FAILS'),
          flush=True)


# --- Words ---------------------------------------------------------------------------------------

class Script:
    def __init__(self):
        self.lines, self.count = [], 0

    def word(self, width, term):
        self.count += 1
        name = 't%d' % self.count
        self.lines.append('(define-fun %s () (_ BitVec %d) %s)' % (name, width, term))
        return Word(width, name, self)

    def input(self, name, width):
        self.lines.append('(declare-fun %s () (_ BitVec %d))' % (name, width))
        return Word(width, name, self)


class Word:
    """A word of `width` bits: a number, or a term of a script."""

    def __init__(self, width, value, script=None):
        self.width, self.script = width, script
        self.value = value & ((1 << width) - 1) if script is None else value

    def term(self):
        return self.value if self.script else '(_ bv%d %d)' % (self.value, self.width)

    def to(self, width):
        if width == self.width:
            return self
        if not self.script:
            return Word(width, self.value)
        if width > self.width:
            return self.script.word(width, '((_ zero_extend %d) %s)' % (width - self.width, self.value))
        return self.script.word(width, '((_ extract %d 0) %s)' % (width - 1, self.value))

    def number(self):
        assert not self.script
        return self.value


NUMBERS = {'+': lambda a, b: a + b, '-': lambda a, b: a - b, '*': lambda a, b: a * b,
           '/': lambda a, b: a // b, '%': lambda a, b: a % b, '&': lambda a, b: a & b,
           '|': lambda a, b: a | b, '^': lambda a, b: a ^ b, '<<': lambda a, b: a << b,
           '>>': lambda a, b: a >> b, '<': lambda a, b: int(a < b), '>': lambda a, b: int(a > b),
           '<=': lambda a, b: int(a <= b), '>=': lambda a, b: int(a >= b),
           '==': lambda a, b: int(a == b), '!=': lambda a, b: int(a != b)}
TERMS = {'+': 'bvadd', '-': 'bvsub', '*': 'bvmul', '/': 'bvudiv', '%': 'bvurem', '&': 'bvand',
         '|': 'bvor', '^': 'bvxor', '<<': 'bvshl', '>>': 'bvlshr', '<': 'bvult', '>': 'bvugt',
         '<=': 'bvule', '>=': 'bvuge', '==': '='}


def operate(op, a, b, width):
    if isinstance(a, int) and isinstance(b, int):
        return NUMBERS[op](a, b)
    if op in ('<<', '>>') and isinstance(a, Word):
        w = a.width
    else:
        w = max(x.width for x in (a, b) if isinstance(x, Word))
    a, b = (x.to(w) if isinstance(x, Word) else Word(w, x) for x in (a, b))
    if not a.script and not b.script:
        got = NUMBERS[op](a.value, b.value)
        return got if op in ('<', '>', '<=', '>=', '==', '!=') else Word(w, got)
    script = a.script or b.script
    term = '(%s %s %s)' % (TERMS['==' if op == '!=' else op], a.term(), b.term())
    if op in ('<', '>', '<=', '>=', '==', '!='):
        order = '(_ bv0 1) (_ bv1 1)' if op == '!=' else '(_ bv1 1) (_ bv0 1)'
        return script.word(1, '(ite %s %s)' % (term, order)).to(width)
    return script.word(w, term)


# --- C -------------------------------------------------------------------------------------------

TOKEN = re.compile(r'\s*(UINT64_C\(\d+\)|0x[0-9a-f]+u?|\d+u?|\w+|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||'
                   r'[-+*/%&|^]=|[-+*/%&|^!~<>=?:;,(){}\[\].])')
TYPES = {'uint32_t', 'uint64_t', 'unsigned', 'int', 'size_t', 'dppair_fix_', 'const'}


class Return(Exception):
    pass


class C:
    """The functions of a text, with words of `width` bits."""

    def __init__(self, text, width, places):
        self.width, self.places, self.functions = width, places, {}
        text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
        for m in re.finditer(r'\b(dppair_\w+)\(([^;{}]*)\) \{\n(.*?)\n\}', text, re.S):
            names = [re.search(r'(\w+)(?:\[\w*\])?$', p.strip()).group(1) for p in m.group(2).split(',')]
            kinds = [re.sub(r'\bconst\b|\bDPPAIR_\w+', '', p).split()[0] for p in m.group(2).split(',')]
            self.functions[m.group(1)] = (names, kinds, TOKEN.findall(m.group(3)))
        self.native = {}

    def bits(self, kind):
        return {'uint32_t': self.width, 'uint64_t': 2 * self.width}.get(kind)

    def fix(self):
        return [Word(self.width, 0) for _ in range(self.places + 4)]

    def call(self, name, *values):
        if name in self.native:
            return self.native[name](*values)
        names, kinds, tokens = self.functions[name]
        frame = Frame(self, tokens)
        for n, k, v in zip(names, kinds, values):
            w = self.bits(k)
            frame.kinds[n] = w
            frame.names[n] = frame.fit(v, w) if not isinstance(v, list) else v
        try:
            while frame.at < len(tokens):
                frame.statement(True)
        except Return as r:
            return r.args[0]
        return None


class Frame:
    def __init__(self, c, tokens):
        self.c, self.tokens, self.at, self.names, self.kinds = c, tokens, 0, {}, {}

    def fit(self, v, width):
        if width is None:
            return v
        return v.to(width) if isinstance(v, Word) else Word(width, v)

    def peek(self, n=0):
        return self.tokens[self.at + n] if self.at + n < len(self.tokens) else ''

    def take(self, wanted=None):
        got = self.tokens[self.at]
        assert wanted is None or got == wanted, (got, wanted, self.tokens[self.at - 8:self.at + 8])
        self.at += 1
        return got

    # statements: `live` is 0 where they are only read over
    def statement(self, live):
        t = self.peek()
        if t == '{':
            self.take()
            while self.peek() != '}':
                self.statement(live)
            self.take()
        elif t in TYPES:
            self.declaration(live)
        elif t in ('for', 'while'):
            self.loop(live)
        elif t == 'if':
            self.take()
            self.take('(')
            holds = self.comma(live)
            self.take(')')
            if isinstance(holds, Word) and holds.script:
                self.both(holds)
                return
            holds = self.truth(holds)
            self.statement(live and holds)
            if self.peek() == 'else':
                self.take()
                self.statement(live and not holds)
        elif t == 'return':
            self.take()
            v = self.comma(live)
            self.take(';')
            if live:
                raise Return(v)
        elif t == ';':
            self.take()
        else:
            self.comma(live)
            self.take(';')

    def truth(self, v):
        if v is None:
            return False
        return bool(v if isinstance(v, int) else v.number())

    def both(self, holds):
        """Both branches of an if whose condition is a term."""
        start = self.at
        before = self.memory()
        self.statement(True)
        middle = self.memory()
        self.restore(before)
        if self.peek() == 'else':
            self.take()
            self.statement(True)
        after = self.memory()
        script = holds.script
        for name, old in after.items():
            new = middle.get(name, old)
            pairs = zip(new, old) if isinstance(old, list) else [(new, old)]
            out = [y if x is y else script.word(y.width, '(ite (= %s %s) %s %s)' % (
                holds.term(), Word(holds.width, 0).term(), y.term(), x.to(y.width).term()))
                for x, y in pairs]
            if isinstance(old, list):
                self.names[name][:] = out
            else:
                self.names[name] = out[0]
        assert self.at > start

    def memory(self):
        return {n: list(v) if isinstance(v, list) else v for n, v in self.names.items()
                if isinstance(v, (list, Word))}

    def restore(self, memory):
        for n, v in memory.items():
            if isinstance(v, list):
                self.names[n][:] = v
            else:
                self.names[n] = v

    def declaration(self, live):
        while self.peek() == 'const':
            self.take()
        kind = self.take()
        while True:
            name = self.take()
            self.kinds[name] = self.c.bits(kind)
            if kind == 'dppair_fix_':
                self.names[name] = self.c.fix()
            elif self.peek() == '[':
                self.take()
                depth = 1
                while depth:
                    depth += {'[': 1, ']': -1}.get(self.take(), 0)
                self.names[name] = [Word(self.c.bits(kind), 0) for _ in range(2 * self.c.places + 12)]
            elif self.peek() == '=':
                self.take()
                v = self.expression(live)
                if live:
                    self.names[name] = self.fit(v, self.kinds[name])
            elif live:
                self.names[name] = self.fit(0, self.kinds[name])
            if self.take() == ';':
                return

    def loop(self, live):
        kind = self.take()
        self.take('(')
        if kind == 'for':
            if self.peek() != ';':
                self.comma(live)
            self.take(';')
        condition = self.at
        self.comma(False) if self.peek() != ';' else None
        step = None
        if kind == 'for':
            self.take(';')
            step = self.at
            self.comma(False) if self.peek() != ')' else None
        self.take(')')
        body = self.at
        self.statement(False)
        end = self.at
        while live:
            self.at = condition
            if self.peek() != ';' and not self.truth(self.comma(True)):
                break
            self.at = body
            self.statement(True)
            self.at = step or end
            if step and self.peek() != ')':
                self.comma(True)
        self.at = end

    # expressions
    def comma(self, live):
        v = self.expression(live)
        while self.peek() == ',':
            self.take()
            v = self.expression(live)
        return v

    def expression(self, live):
        start = self.at
        target = self.place(live)
        op = self.peek()
        if target is not None and (op == '=' or (op[-1:] == '=' and op not in ('==', '<=', '>=', '!='))):
            self.take()
            v = self.expression(live)
            if live:
                holder, key, width = target
                if op != '=':
                    v = operate(op[:-1], holder[key], v, self.c.width)
                if isinstance(v, list):
                    (holder[key] if holder is self.names else holder)[:] = v
                else:
                    holder[key] = self.fit(v, width)
            return v
        self.at = start
        return self.choice(live)

    def place(self, live):
        """name, name->w[i], name.w[i], name[i], *name: where something can be put."""
        star = self.peek() == '*'
        if star:
            self.take()
        name = self.peek()
        if not re.match(r'[a-z]\w*$', name) or name in TYPES or self.peek(1) == '(':
            return None
        self.take()
        if star:
            width = self.kinds.get(name)
            return (self.names[name], 0, width) if width else (self.names, name, None)
        if self.peek() in ('->', '.'):
            self.take()
            if self.take() != 'w':
                return None
        if self.peek() == '[':
            self.take()
            i = self.comma(live)
            self.take(']')
            return self.names.get(name), i, self.kinds.get(name) or self.c.width
        return self.names, name, self.kinds.get(name)

    def choice(self, live):
        v = self.binary(0, live)
        if self.peek() == '?':
            self.take()
            right = bool(live) and self.truth(v)
            a = self.expression(live and right)
            self.take(':')
            b = self.expression(live and not right)
            return a if right else b
        return v

    LEVELS = [['||'], ['&&'], ['|'], ['^'], ['&'], ['==', '!='], ['<', '>', '<=', '>='], ['<<', '>>'],
              ['+', '-'], ['*', '/', '%']]

    def binary(self, level, live):
        if level == len(self.LEVELS):
            return self.unary(live)
        a = self.binary(level + 1, live)
        while self.peek() in self.LEVELS[level]:
            op = self.take()
            if op in ('&&', '||'):
                go = live and (self.truth(a) == (op == '&&'))
                b = self.binary(level + 1, go)
                a = int(self.truth(b)) if go else int(op == '||') if live else 0
            else:
                b = self.binary(level + 1, live)
                a = operate(op, a, b, self.c.width) if live else 0
        return a

    def unary(self, live):
        t = self.peek()
        if t == '(' and self.peek(1) in TYPES | {'void'}:
            self.take()
            kind = self.take()
            self.take(')')
            v = self.unary(live)
            return self.fit(v, self.c.bits(kind)) if live and v is not None else v
        if t in ('!', '-', '&', '*', '~'):
            self.take()
            v = self.unary(live)
            if not live or t in '&*':
                return v
            if t == '!':
                return operate('==', v, 0, self.c.width)
            return operate('-', 0, v, self.c.width)
        if t in ('++', '--'):
            self.take()
            return self.bump(t, live, True)
        return self.primary(live)

    def bump(self, op, live, first):
        holder, key, width = self.place(live)
        if not live:
            return 0
        old = holder[key]
        holder[key] = self.fit(operate(op[0], old, 1, self.c.width), width)
        return holder[key] if first else old

    def primary(self, live):
        t = self.take()
        if t == '(':
            v = self.comma(live)
            self.take(')')
            return v
        if t[0].isdigit() or t.startswith('UINT64_C'):
            n = int(re.search(r'0x[0-9a-f]+|\d+', t.replace('UINT64_C', '')).group(0), 0)
            if t.startswith('UINT64_C'):
                return Word(2 * self.c.width, n)
            return {32: self.c.width, 31: self.c.width - 1, 33: self.c.width + 1}.get(n, n)
        if t == 'sizeof':
            self.unary(False)
            return 0
        if t == 'DPPAIR_OK':
            return 0
        if t == 's' and self.peek() == '->':  # the status of a source, which does not fail here
            self.take()
            self.take('status')
            return 0
        if t == 'UINT32_MAX':
            return Word(2 * self.c.width, (1 << self.c.width) - 1)
        if self.peek() == '(':
            self.take()
            values = []
            while self.peek() != ')':
                values.append(self.expression(live))
                if self.peek() == ',':
                    self.take()
            self.take(')')
            if not live:
                return 0
            if t == 'memset':
                values[0][:] = [Word(w.width, 0) for w in values[0]]
                return None
            self.c.frame = self
            return self.c.call(t, *values)
        self.at -= 1
        start = self.at
        holder, key, _ = self.place(live)
        if self.peek() in ('++', '--'):
            op = self.take()
            after = self.at
            self.at = start
            v = self.bump(op, live, False)
            self.at = after
            return v
        if not live:
            return 0
        return holder[key.number() if isinstance(key, Word) else key]


# --- By a solver ---------------------------------------------------------------------------------

class Solver:
    def __init__(self, text, folder):
        self.text, self.folder = text, folder
        self.programs = [p for p in (['boolector', '--smt2'], ['z3']) if shutil.which(p[0])]

    def whole(self, script, words, width):
        """The words as one number of `width` bits."""
        if len(words) == 1:
            return words[0].to(width)
        joined = words[0].term()
        for w in words[1:]:
            joined = '(concat %s %s)' % (w.term(), joined)
        total = sum(w.width for w in words)
        return script.word(total, joined).to(width)

    def prove(self, name, width, places, make):
        if not self.programs:
            print('integers: %s: neither boolector nor z3 is there\t0\t-\tskipped' % name)
            return
        script, c = Script(), C(self.text, width, places)
        wrong = make(script, c, self)
        path = '%s/%s.smt2' % (self.folder, re.sub(r'\W+', '_', name))
        with open(path, 'w') as out:
            out.write('(set-logic QF_BV)\n%s\n(assert %s)\n(check-sat)\n' % ('\n'.join(script.lines), wrong))
        answer = ''
        for program in self.programs:
            try:
                answer = subprocess.run(program + [path], capture_output=True, text=True, timeout=300).stdout
            except subprocess.TimeoutExpired:
                continue
            if 'sat' in answer:
                break
        line('%s, words of %d bits, %d after the point' % (name, width, places),
             1, answer.strip() == 'unsat', 'proved')


def input_fix(script, c, name):
    v = c.fix()
    for i in range(c.places + 2):
        v[i] = script.input('%s%d' % (name, i), c.width)
    return v


def solve(text, folder):
    s = Solver(text, folder)

    def size(c):
        return c.width * (c.places + 2)

    def add(script, c, s):
        a, b, r, n = input_fix(script, c, 'a'), input_fix(script, c, 'b'), c.fix(), c.places + 2
        c.call('dppair_fix_add_', r, a, b, c.places)
        x, y, z = (s.whole(script, v[:n], size(c)) for v in (a, b, r))
        return '(not (= %s (bvadd %s %s)))' % (z.term(), x.term(), y.term())

    def sub(script, c, s):
        a, b, r, n = input_fix(script, c, 'a'), input_fix(script, c, 'b'), c.fix(), c.places + 2
        flag = c.call('dppair_fix_sub_', r, a, b, c.places)
        x, y, z = (s.whole(script, v[:n], size(c)) for v in (a, b, r))
        return '(not (and (= %s (bvsub %s %s)) (= (= %s %s) (bvult %s %s))))' % (
            z.term(), x.term(), y.term(), flag.term(), Word(flag.width, 1).term(), x.term(), y.term())

    def down(script, c, s):
        a, m, r, n = input_fix(script, c, 'a'), script.input('m', c.width), c.fix(), c.places + 2
        c.call('dppair_fix_down_', r, a, m, c.places)
        x, z = (s.whole(script, v[:n], size(c)) for v in (a, r))
        y = m.to(size(c))
        return '(not (= %s (ite (bvult %s %s) %s (bvsub %s %s))))' % (
            z.term(), x.term(), y.term(), Word(size(c), 0).term(), x.term(), y.term())

    def multiply(script, c, s):
        a, b, r, n = input_fix(script, c, 'a'), input_fix(script, c, 'b'), c.fix(), c.places + 2
        c.call('dppair_fix_mul_', r, a, b, c.places)
        wide = 2 * size(c)
        x, y = (s.whole(script, v[:n], wide) for v in (a, b))
        z = s.whole(script, r[:n], size(c))
        p = script.word(wide, '(bvlshr (bvmul %s %s) %s)' % (
            x.term(), y.term(), Word(wide, c.width * c.places).term())).to(size(c))
        return '(not (= %s %s))' % (z.term(), p.term())

    s.prove('sums', 32, 12, add)
    s.prove('differences and their borrow', 4, 2, sub)
    s.prove('ulps down, not below 0', 4, 2, down)
    s.prove('products', 2, 2, multiply)


# --- By trying ----------------------------------------------------------------------------------

def uniform(text):
    """Below a bound: every value by as many words, all words of W bits and all bounds; above, those
    of two words that the mask keeps."""
    wrong = cases = 0
    for width in (4, 6):
        c = C(text, width, 1)
        for bound in range(1, 1 << width):
            count = [0] * bound
            for word in range(1 << width):
                stream = [word]

                def following(_):
                    if not stream:
                        raise Again  # drawn again
                    return Word(width, stream.pop(0))

                c.native = {'dppair_next32_': following}
                try:
                    got = c.call('dppair_below_', [Word(width, 0)], Word(2 * width, bound))
                except Again:
                    continue
                if got is not None:
                    count[got.number()] += 1
                cases += 1
            wrong += count != [(1 << width) // bound] * bound
    line('uniform numbers: every value by as many words, all bounds', cases, wrong == 0)


class Again(Exception):
    pass


def digits(text):
    c, wrong, cases = C(text, 4, 1), 0, 0
    for b in range(1, 1 << 7):
        for a in range(b):
            rest = [Word(8, 0)]
            c.native = {}
            got = c.call('dppair_digits_', rest, Word(8, a), Word(8, b))
            left = rest[0].number()
            wrong += (a << 4) != got.number() * b + left or left >= b
            cases += 1
    line('binary digits of all fractions, words of 4 bits', cases, wrong == 0)


def main():
    source = sys.argv[1] if len(sys.argv) > 1 else 'src'
    folder = sys.argv[2] if len(sys.argv) > 2 else '/tmp'
    fixed = open(source + '/noise/fixed_point.h').read()
    discrete = open(source + '/noise/discrete.h').read()
    solve(fixed, folder)
    uniform(discrete)
    digits(discrete)
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
