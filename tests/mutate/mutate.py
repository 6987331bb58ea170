#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests notice a changed line? Each mutant is one small change of a chapter in src/ (or of a
method in examples/programs/methods/): a constant 1 % up or down, a comparison turned, a bound rounded the other
way, a wipe, a guard or a refusal left out. It is compiled with the test files that can see it and run
against the tests that reach the function it is in, the quickest first, until one fails. What no test
notices is printed.

    make mutate                     all groups; MUTATE=noise|kernels|accountant|losses|engine|release|core|methods
    MUTATE_ALL=1                    every site instead of the sample of the group
    MUTATE_SECONDS=10               tests that take longer, compiled, are left out (10: few). A first
                                    run with 0.6 finds most of what is killed in a tenth of the time
    MUTATE_ONLY=generator.h         mutants of chapters whose path contains the word
    MUTATE_SAMPLE=50                so many sites of each group, instead of what the table below says
    MUTATE_TESTS=headers/noise/     test files instead of the group's
    MUTATE_TEST=fork                tests with the word in their name alone
    MUTATE_AGAIN=1                  what survived the last run alone
    MUTATE_TCC=1                    by tcc alone, without the tests that fail under it (those of quad numbers
                                    most of all): sooner, and what survives is not written down
    MUTATE_LIST=1                   prints the mutants and runs nothing
    JOBS=2                          at a time

Speed: tcc compiles a test file in a tenth of a second, so a mutant is a build of its own and any text
can be one. A first run of each test writes down which functions it enters. Where tcc cannot compile a
file or fails one of its tests, gcc -O0 is taken. A test that fails only because functions are being
written down (it looks at what they leave on the stack) counts for all functions that its file has. A mutant whose programs come out byte for byte as
without it is not compiled here (another tier, another system) and is not counted.

Results are kept in build/mutate/results by a hash of the mutated chapter: who killed it, with the hash
of that test file, or which test files (by hash) did not. So a run that was stopped goes on, a changed
test file is run again on what it killed and on what survived, and nothing else is.

by_hand holds mutants that the operators do not make, equivalent those that no test can kill, each with
its reason: chapter (and, for `equivalent`, the function, where a line is in several), then the old text
after "- ", the new after "+ ", the reason after "= ". Text, not line numbers, so that they stay when a
chapter grows; an entry that no longer fits is an error."""

import collections
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HERE = os.environ.get("MUTATE_FILES", os.path.join(ROOT, "tests", "mutate"))
OUT = os.path.abspath(os.path.join(os.environ.get("BUILD", os.path.join(ROOT, "build")), "mutate"))
QUICK = float(os.environ.get("MUTATE_SECONDS", "10"))
WORD = os.environ.get("MUTATE_TEST", "")
TCC = bool(os.environ.get("MUTATE_TCC"))
FLAGS = ["-w", "-std=c99", "-DDPPAIR_NO_SIMDE", "-DDPPAIR_NO_FORCE_INLINE", "-DDPPAIR_TEST_BRIEF",
         "-Dmain=dppair_tested_main"]
OPTIMISED = "-Wl,-z,now"
SCALAR = ["-DDPPAIR_MAX_TIER=0"]
VECTOR = ["-DDPPAIR_MAX_TIER=2"]  # AVX2, for what is written once for all vector tiers; 128 bits need SIMDe

# group: its chapters, the test files that are run on it, how many sites are drawn
GROUPS = collections.OrderedDict([
    ("noise", (["src/noise/", "src/modules/l2ball/", "src/modules/shares/"], ["headers/noise/", "modules/l2ball/", "modules/shares/", "headers/contract_noise.c", "headers/core.c", "headers/audit.c",
                               "headers/release/vector.c", "modules/selection/selection.c", "modules/streams/streams.c"], 130)),
    ("kernels", (["src/noise/kernels/"], ["headers/noise/releases.c", "headers/noise/guards.c",
                                         "headers/noise/simulation.c", "headers/noise/attack.c",
                                         "headers/noise/self_check.c"], 25)),
    ("accountant", (["src/accountant/", "src/modules/attack/", "src/modules/allocation/", "src/modules/filters/", "src/modules/iterates/", "src/modules/papers/",
                     "src/modules/selection/", "src/modules/streams/"], ["headers/accountant/", "modules/attack/", "modules/allocation/", "modules/filters/", "modules/iterates/",
                    "modules/papers/", "modules/selection/", "modules/streams/", "headers/contract_accountant.c", "headers/audit.c"], 130)),
    ("losses", (["src/losses/", "src/fits/"],
                ["headers/losses/", "headers/pairs/sensitivity.c", "headers/pairs/parameters.c",
                 "headers/release/minimiser.c", "headers/pairs/weighted.c", "headers/tiles/clip.c"], 60)),
    ("engine", (["src/pairs/", "src/tiles/", "src/rows/", "src/domains/", "src/measures/",
                 "src/modules/contrast/", "src/modules/influence/", "src/modules/metric/", "src/modules/pointwise/", "src/modules/scale/",
                 "src/modules/top/"],
                ["headers/contract_instances.c", "headers/contract_engine.c", "headers/pairs/", "headers/tiles/",
                 "modules/contrast/", "modules/influence/", "modules/top/", "headers/domains.c",
                 "modules/metric/forms.c", "modules/scale/", "modules/pointwise/"], 110)),
    ("release", (["src/release/", "src/modules/evaluation/", "src/modules/groups/", "src/modules/tables/", "src/modules/auto/", "src/modules/top/release.h"],
                 ["headers/contract_instances.c", "headers/release/", "modules/evaluation/", "modules/groups/", "modules/tables/", "modules/auto/", "headers/noise/guards.c", "modules/shares/skellam.c", "modules/top/",
                  "modules/scale/chunks.c", "headers/audit.c"], 65)),
    ("core", (["src/core/"], ["headers/core.c", "headers/math.c", "headers/contract_engine.c", "headers/noise/", "headers/pairs/rows.c",
                              "headers/accountant/edges.c"], 30)),
    ("methods", (["examples/programs/methods/", "examples/papers/tables.c"], ["methods/"], 25)),
])
# Chapters of which nothing is compiled in a test of this tier, or whose text is not code.
PASSED_OVER = re.compile(r"src/(noise/(aes_instructions|kernels/(avx|vaes))|core/freestanding|core/compiler|core/processor)")


# ---- reading C ----

def masked(text):
    """The text with comments, strings and characters blanked, of the same length."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


def directives(text):
    """Ranges of preprocessor lines with what continues them."""
    return [(m.start(), m.end()) for m in re.finditer(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", text, re.M)]


def functions(code):
    """(name, brace, end) of each function: in this house a definition starts in column 0."""
    found = []
    for m in re.finditer(r"^[A-Za-z_][^;{}#]*?\b([A-Za-z_]\w*)\s*\(", code, re.M):
        if found and m.start() < found[-1][2]:
            continue
        at, depth = m.end(), 1
        while at < len(code) and depth:
            depth += {"(": 1, ")": -1}.get(code[at], 0)
            at += 1
        more = re.match(r"\s*\{", code[at:])
        if not more:
            continue
        brace = at + more.end() - 1
        line = code.find("\n", brace)  # a body of one line, or one that ends in column 0
        end = spans(code, brace, "{", "}") if code[brace:line].count("}") else 0
        if not 0 < end <= line:
            column = re.compile(r"^\}", re.M).search(code, brace)
            end = column.end() if column else 0
        if end:
            found.append((m.group(1), brace, end))
    return found


def spans(code, at, opening="(", closing=")"):
    """The place after the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += {opening: 1, closing: -1}.get(code[i], 0)
        if depth == 0:
            return i + 1
    return len(code)


# ---- mutants ----

class Mutant:
    def __init__(self, chapter, text, start, end, new, operator, function):
        self.chapter, self.start, self.end, self.new = chapter, start, end, new
        self.operator, self.function = operator, function
        first = text.rfind("\n", 0, start) + 1
        last = text.find("\n", max(start, end - 1))
        self.line = text.count("\n", 0, start) + 1
        self.old_line = " ".join(text[first:last].split())
        self.new_line = " ".join((text[first:start] + new + text[end:last]).split())
        self.text = text[:start] + new + text[end:]
        self.hash = hashlib.sha256((chapter + "\0" + self.text).encode()).hexdigest()[:24]
        # stable under changes elsewhere, for the draw
        self.rank = hashlib.sha256("\0".join([chapter, function or "", self.old_line, self.new_line]).encode()).digest()

    def diff(self):
        return "%s:%d %s [%s]\n- %s\n+ %s" % (self.chapter, self.line, self.function or "", self.operator,
                                              self.old_line, self.new_line)


TURNED = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"), "==": ("!=",), "!=": ("==",),
          "&&": ("||",), "||": ("&&",)}
ROUNDED = {"up_": "down_", "down_": "up_", "ceil_": "floor_", "floor_": "ceil_", "fmax_": "fmin_", "fmin_": "fmax_"}
WIPING = r"(?:memset|dppair_zero\w*|dppair_wipe\w*|dppair_burn\w*|dppair_\w*_close_?|dppair_\w*_break_)"
NUMBER = r"(?<![\w.])(?:\d+\.\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+)[fFlL]?(?![\w.])"


def sites(chapter, text):
    """Every mutant of a chapter that the operators make."""
    code = masked(text)
    directive = directives(text)
    places = functions(code)
    made = []

    def inside(at):
        return next((p for p in places if p[1] < at < p[2]), None)

    def add(start, end, new, operator):
        place = inside(start)
        made.append(Mutant(chapter, text, start, end, new, operator, place[0] if place else None))

    def conditional(at):
        return any(a <= at < b and not re.match(r"\s*#\s*define\b", text[a:b]) for a, b in directive)

    def size_of_an_array(at):
        """In a declaration: nothing can tell an array from a larger one."""
        before = code[max(code.rfind(c, 0, at) for c in ";{}(") + 1:at]
        return re.match(r"\s*(?:\w+\s+)*(?:double|float|int|unsigned|char|\w+_t|dppair_\w+|DP\w+)\s+\*?\w[^=]*\[$", before)

    def larger_of_two(m):
        """if (a < b) a = b, a < b ? b : a: the same where they are equal."""
        line = code[code.rfind("\n", 0, m.start()) + 1:code.find("\n", m.end())]
        a_b = re.search(r"([\w.>\[\]-]+) [<>] ([\w.>\[\]-]+)(?:\) \1 = \2;|\) \2 = \1;| \? \1 : \2\b| \? \2 : \1\b)", line)
        return a_b and m.group(1) in "<>"

    def in_define(at):
        return any(a <= at < b for a, b in directive)

    # left out: refusals, guards and wipes, with the condition that they stand under
    for m in re.finditer(r"\bif\s*\(", code):
        close = spans(code, m.end() - 1)
        follow = re.match(r"\s*return\b[^;]*;(?!\s*else)", code[close:])
        if follow and inside(m.start()) and not in_define(m.start()) and not re.search(r"else\s*$", code[:m.start()]):
            add(m.start(), close + follow.end(), ";", "refusal left out")
    for m in re.finditer(r"(?<=[;{}\n)])\s*(%s\s*\([^;]*\)|[\w.>-]+->owner\s*=[^;]*|[\w.>-]+->\w+\s*=\s*0(?:\.0)?);" % WIPING, code):
        if inside(m.start(1)) and not in_define(m.start(1)):
            add(m.start(1), m.end(1), "(void)0", "statement left out")
    for m in re.finditer(r"\breturn\s+(DPPAIR_ERR_\w+)\s*;", code):
        if not in_define(m.start()):
            add(m.start(1), m.end(1), "DPPAIR_OK", "status")
    for m in re.finditer(r"\bstatus\s*=\s*(DPPAIR_ERR_\w+)\s*;", code):
        if not in_define(m.start()):
            add(m.start(1), m.end(1), "DPPAIR_OK", "status")
    # numbers
    for m in re.finditer(NUMBER, code):
        literal = m.group(0)
        suffix = literal[-1] if literal[-1] in "fFlL" else ""
        value = float(literal.rstrip("fFlL"))
        if value == 0 or conditional(m.start()) or value * 1.01 == float("inf"):
            continue
        # both ways: one of them claims more privacy than there is
        add(m.start(), m.end(), repr(value * 1.01) + suffix, "constant")
        add(m.start(), m.end(), repr(value * 0.99) + suffix, "constant")
    for m in re.finditer(r"(?<![\w.])(?<![eE][+-])(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])", code):
        if size_of_an_array(m.start()):
            continue
        if conditional(m.start()) or (in_define(m.start()) and not inside(m.start()) and m.group(1) in "01"):
            continue
        add(m.start(), m.end(), "%d%s" % (int(m.group(1), 16 if m.group(1)[1:2] in ("x", "X") else 10) + 1, m.group(2)), "integer")
    # signs and comparisons, in functions: elsewhere they are mostly types and names of files
    for m in re.finditer(r"(?<=[\w)\]])\s+([+-]|<=?|>=?|==|!=|&&|\|\|)\s+(?=[\w(!*&~-])", code):
        if conditional(m.start(1)) or not (inside(m.start(1)) or in_define(m.start(1))):
            continue
        what = m.group(1)
        if what in "+-":
            add(m.start(1), m.end(1), "-" if what == "+" else "+", "sign")
            continue
        for new in TURNED[what][1:] if larger_of_two(m) else TURNED[what]:
            add(m.start(1), m.end(1), new, "comparison" if what not in ("&&", "||") else "connective")
    for m in re.finditer(r"\s([+-])=\s", code):
        if inside(m.start(1)):
            add(m.start(1), m.end(1), "-" if m.group(1) == "+" else "+", "sign")
    for m in re.finditer(r"(?<=[(\s])!(?=[\w(])", code):
        if inside(m.start()):
            add(m.start(), m.end(), "", "negation")
    # rounded the other way
    for m in re.finditer(r"\bdppair_(?:fix_|binomial_)?(%s)(?=\()" % "|".join(ROUNDED), code):
        if inside(m.start()):
            add(m.start(1), m.end(1), ROUNDED[m.group(1)], "rounding")
    seen = set()
    return [m for m in made if not (m.hash in seen or seen.add(m.hash))]


# How much of a group's sample each operator has; what is left over goes to the rest by rank.
SHARES = collections.OrderedDict([
    ("statement left out", 0.16), ("refusal left out", 0.18), ("status", 0.06), ("constant", 0.22),
    ("rounding", 0.06), ("negation", 0.04), ("connective", 0.05), ("sign", 0.09), ("comparison", 0.12), ("integer", 0.08)])


def draw(all_sites, count):
    """The sample of a group: by operator, then in rounds over the functions, one of each at a time, so that no
    table of constants and no long function fills it; by hashes, so that it is the same everywhere."""
    by, taken = collections.defaultdict(list), collections.Counter()
    for m in sorted(all_sites, key=lambda m: m.rank):
        place = (m.operator, m.chapter, m.function)
        by[m.operator].append((taken[place], m.rank, m))
        taken[place] += 1
    by = {operator: [m for _, _, m in sorted(found, key=lambda f: f[:2])] for operator, found in by.items()}
    chosen, rest = [], []
    for operator in SHARES:
        take = int(round(SHARES[operator] * count))
        chosen += by.get(operator, [])[:take]
        rest += by.get(operator, [])[take:]
    rest.sort(key=lambda m: m.rank)
    return chosen + rest[:max(0, count - len(chosen))]


Entry = collections.namedtuple("Entry", "chapter old new reason where")


def entries(name):
    """Blocks of by_hand and equivalent, parted by empty lines."""
    path = os.path.join(HERE, name)
    made = []
    if not os.path.exists(path):
        return made
    lines = open(path).read().split("\n")
    block, first = [], 1
    for number, line in enumerate(lines + [""], 1):
        if line.strip() and not line.startswith("#"):
            if not block:
                first = number
            block.append(line)
            continue
        if line.startswith("#") or not block:
            continue
        def part(mark):
            return "\n".join(l[2:] for l in block if l.startswith(mark + " ") or l == mark)
        made.append(Entry(block[0].strip(), part("-"), part("+"), part("=").replace("\n", " "), "%s:%d" % (name, first)))
        block = []
    return made


def by_hand(texts):
    made = []
    for e in entries("by_hand"):
        text = texts.get(e.chapter)
        if text is None:
            raise SystemExit("%s: there is no %s" % (e.where, e.chapter))
        # as it stands, or with any blanks between its words
        pattern = r"\s+".join(re.escape(w) for w in e.old.split())
        found = list(re.finditer(pattern, text))
        if len(found) != 1:
            raise SystemExit("%s: its old text is in %s %d times, not once" % (e.where, e.chapter, len(found)))
        place = next((p for p in functions(masked(text)) if p[1] < found[0].start() < p[2]), None)
        made.append(Mutant(e.chapter, text, found[0].start(), found[0].end(), e.new, "by hand", place[0] if place else None))
    return made


# ---- test files ----

def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()


def listed():
    """What tests/list says: file of a test to its flags and to what is linked."""
    found, line = {}, ""
    for raw in read("tests/list").split("\n") + ["end"]:
        if raw.startswith("#"):
            continue
        if raw.startswith(" "):
            line += raw
            continue
        words = line.split()
        if len(words) >= 2 and words[0].endswith(".c"):
            # what looks at the stack of optimised code keeps its -O, without which nothing is tested there
            drop = r"-W[^l]|-D.*(TIER|SIMDE)" if OPTIMISED in words else r"-O|-W[^l]|-D.*(TIER|SIMDE)"
            rest = [w for w in words[2:] if not re.match(drop, w)]
            found[words[0]] = ([w for w in rest if w.startswith("-")], [w for w in rest if not w.startswith("-")])
        line = raw
    return found


def run(command, seconds, env=None):
    """(exit code, processor seconds); the code is None where it took longer. What it started is ended
    with it. Processor time, so that a busy machine kills no mutant; a test that sleeps for ever, or whose
    children do the work, has ten times as long."""
    def limits():
        whole = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

    p = subprocess.Popen(command, cwd=ROOT, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, preexec_fn=limits, start_new_session=True)
    until, pause = time.time() + 10 * seconds + 10, 0.002
    while True:
        pid, state, usage = os.wait4(p.pid, os.WNOHANG)
        if pid:
            break
        if time.time() > until:
            os.killpg(p.pid, signal.SIGKILL)
            pid, state, usage = os.wait4(p.pid, 0)
            break
        time.sleep(pause)
        pause = min(1.5 * pause, 0.05)
    try:
        os.killpg(p.pid, signal.SIGKILL)  # children that it left behind
    except ProcessLookupError:
        pass
    used = usage.ru_utime + usage.ru_stime
    p.returncode = -os.WTERMSIG(state) if os.WIFSIGNALED(state) else os.WEXITSTATUS(state)
    late = p.returncode in (-signal.SIGKILL, -signal.SIGXCPU)
    return (None if late else p.returncode), used


class Tree:
    """A copy of src/ and examples/ in which one chapter at a time is another."""

    def __init__(self, name):
        self.path = os.path.join(OUT, name)
        for part in ("src", "examples"):
            target = os.path.join(self.path, part)
            if os.path.exists(target):
                shutil.rmtree(target)
            shutil.copytree(os.path.join(ROOT, part), target)
        self.write("paint.c", PAINT_C)
        self.marked = False
        self.plain = {}

    def write(self, chapter, text):
        with open(os.path.join(self.path, chapter), "w", encoding="utf-8") as f:
            f.write(text)

    def build(self, test, compiler, more=()):
        """A program, or None. The compiler's name comes first."""
        flags, sources = LISTED[test]
        out = os.path.join(self.path, test[:-2].replace("/", "-"))
        sources = [os.path.join(self.path, s) for s in sources]
        if self.marked and not more:
            more = ["-DDPPAIR_MARK_(i)="]
        command = (compiler + FLAGS + list(more) +
                   ["-I" + os.path.join(self.path, folder) for folder in ("src", "src/modules", "examples", "examples/programs")] +
                   ["-I" + os.path.join(ROOT, "tests", "support"), "-I" + os.path.join(ROOT, "build")] +
                   [f for f in flags if not f.startswith("-l")] + [os.path.join(ROOT, "tests", test), os.path.join(self.path, "paint.c")] + sources +
                   ["-o", out, "-lcmocka"] + [f for f in flags if f.startswith("-l") and not (TCC and f == "-lquadmath")] + ["-lm"])
        if os.path.exists(out):
            os.unlink(out)
        code, self.compiling = run(command, 300)
        return out if code == 0 else None

    def same_as_plain(self, test, compiler, chapter, program):
        """Is the program the one that is built without the mutant?"""
        with open(program, "rb") as f:
            now = hashlib.sha256(f.read()).digest()
        key = (test, tuple(compiler))
        if key not in self.plain:
            with open(os.path.join(self.path, chapter), encoding="utf-8") as f:
                mutated = f.read()
            self.write(chapter, TEXTS[chapter])
            with open(self.build(test, compiler), "rb") as f:
                self.plain[key] = hashlib.sha256(f.read()).digest()
            self.write(chapter, mutated)
            self.build(test, compiler)
        return now == self.plain[key]


# A fresh stack is full of zeros, so that a variable that nobody set would pass for one that was. Of this
# byte a double is 2e35, a count is large and a pointer leads nowhere.
PAINT_C = """
#include <string.h>
#undef main
int dppair_tested_main();
static unsigned char *volatile painted;
static void paint(void) {
  unsigned char area[1 << 20];
  memset(area, 0x47, sizeof area);
  painted = area;
}
int main(int argc, char **argv) {
  paint();
  return dppair_tested_main(argc, argv);
}
"""
REACH_C = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static unsigned char none[%(count)d];
unsigned char *dppair_reached_ = 0;
/* A shared file, so that what children of the test enter counts, however they end. */
unsigned char *dppair_reach_open_(void) {
  const char *name = getenv("DPPAIR_REACHED");
  const int file = name == NULL ? -1 : open(name, O_RDWR);
  void *at = file < 0 ? MAP_FAILED : mmap(NULL, %(count)d, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  dppair_reached_ = at == MAP_FAILED ? none : (unsigned char *)at;
  return dppair_reached_;
}
"""
REACH_H = """
extern unsigned char *dppair_reached_;
unsigned char *dppair_reach_open_(void);
#define DPPAIR_MARK_(i) (dppair_reached_ ? dppair_reached_ : dppair_reach_open_())[i] = 1;
"""


def environment(test_name):
    env = dict(os.environ)
    env["TEST"] = test_name
    env.pop("FRONTIER", None)
    return env


def includes(path, seen):
    """All files of the project that a file includes, by the names in its #include lines."""
    if path in seen or not os.path.exists(os.path.join(ROOT, path)):
        return seen
    seen.add(path)
    for m in re.finditer(r'^\s*#\s*include\s+"([^"]+)"', read(path), re.M):
        for folder in (os.path.dirname(path), "src", "src/modules", "examples", "examples/programs", "tests/support"):
            candidate = os.path.normpath(os.path.join(folder, m.group(1)))
            if os.path.exists(os.path.join(ROOT, candidate)):
                includes(candidate, seen)
                break
    return seen


def sha(*texts):
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


class TestFile:
    """Its compiler, and for each of its tests the seconds and the functions that it enters."""

    def __init__(self, name, tier):
        self.name, self.tier = name, tier
        self.uses = set()
        for part in ["tests/" + name] + LISTED[name][1]:
            includes(part, self.uses)
        self.optimised = [f for f in LISTED[name][0] if f.startswith("-O")]
        self.own = sha(*[read(p) for p in sorted(self.uses) if p.startswith("tests/")] + FLAGS + [PAINT_C] + self.optimised)
        self.compiler, self.tests, self.compiling, self.failed = None, {}, 0.0, []

    def measure(self, tree):
        saved = os.path.join(OUT, "tests", sha(*[p + "\0" + read(p) for p in sorted(self.uses)] + [WORD, REACH_H] + self.tier + self.optimised + ["tcc"] * TCC))
        names = [n for n in re.findall(r"\bTEST\((\w+)\)", read("tests/" + self.name)) if WORD in n]
        choices = [["tcc"] + SCALAR] + [["gcc", "-O0"] + self.tier] * (not TCC)
        kept = {}
        if os.path.exists(saved):
            with open(saved) as f:
                self.compiler, kept, self.compiling = json.load(f)
            choices = [self.compiler]
            # what took too long for an earlier run is measured again where this one has more time
            names = [n for n, (seconds, entered) in kept.items() if entered is None and seconds < QUICK]
            if not names:
                self.tests = kept
                return
        best = None
        for compiler in choices:
            if compiler[0] == "tcc" and (self.tier != SCALAR or self.optimised):
                continue  # it has no intrinsics and does not optimise
            if shutil.which(compiler[0]) is None:
                continue
            more = ["-include", os.path.join(tree.path, "reach.h"), os.path.join(tree.path, "reach.c")]
            program = tree.build(self.name, compiler, more)
            compiling = tree.compiling
            if program is None:
                continue
            tests, failed = {}, []
            for name in names:
                reached = os.path.join(tree.path, "reached")
                with open(reached, "wb") as f:
                    f.write(b"\0" * len(FUNCTIONS))
                env = environment(name)
                env["DPPAIR_REACHED"] = reached
                code, seconds = run([program], QUICK, env)
                if code is None:
                    tests[name] = (QUICK, None)
                elif code != 0:
                    failed.append(name)
                else:
                    with open(reached, "rb") as f:
                        entered = [i for i, byte in enumerate(f.read()) if byte]
                    tests[name] = (seconds, [list(FUNCTIONS[i]) for i in entered])
            if failed:
                program = tree.build(self.name, compiler)
                passed = {name: run([program], QUICK, environment(name)) for name in failed} if program else {}
                tests.update((name, (seconds, [list(f) for f in FUNCTIONS if f[0] in self.uses]))
                             for name, (code, seconds) in passed.items() if code == 0)
                failed = [name for name in failed if name not in tests]
            if best is None or len(tests) > len(best[1]):
                best = (compiler, tests, compiling)
                self.failed = failed
            if not failed:
                break
        if best is None and TCC:
            return
        if best is None:
            print("%s cannot be compiled" % self.name, file=sys.stderr)
            return
        self.compiler, self.tests, self.compiling = best
        self.tests = dict(kept, **self.tests)
        with open(saved + ".part", "w") as f:
            json.dump((self.compiler, self.tests, self.compiling), f)
        os.rename(saved + ".part", saved)


def callers(mutant):
    """The functions a mutant is in: its own, or those that name the macro or table that it is in; None
    where that is not known, so that every test counts."""
    if mutant.function:
        return {(mutant.chapter, mutant.function)}
    text = TEXTS[mutant.chapter]
    before = masked(text)[:mutant.start + 1]
    line = before.rfind("\n") + 1
    while line > 1 and before[:line - 1].endswith("\\"):
        line = before.rfind("\n", 0, line - 1) + 1
    m = re.match(r"\s*#\s*define\s+(\w+)", text[line:])
    if not m:
        return None
    names, todo, found = {m.group(1)}, [m.group(1)], set()
    while todo:
        word = re.compile(r"\b%s\b" % re.escape(todo.pop()))
        for (chapter, function), (start, end) in BODIES.items():
            if (chapter, function) not in found and word.search(TEXTS[chapter], start, end):
                found.add((chapter, function))
        for chapter, defined in MACROS.items():
            for name, body in defined:
                if name not in names and word.search(body):
                    names.add(name)
                    todo.append(name)
    return found or None


# ---- running ----

class Results:
    def __init__(self):
        self.folder = os.path.join(OUT, "results")
        os.makedirs(self.folder, exist_ok=True)

    def get(self, mutant):
        try:
            with open(os.path.join(self.folder, mutant.hash)) as f:
                return json.load(f)
        except (OSError, ValueError):
            return {}

    def put(self, mutant, result):
        path = os.path.join(self.folder, mutant.hash)
        with open(path + ".part", "w") as f:
            json.dump(result, f)
        os.rename(path + ".part", path)


def attempt(mutant, tests, tree, old):
    """{"killed": [file, test, hash]} or {"survived": {file: [hash, seconds]}} or {"inert": the same}."""
    reach = callers(mutant)
    files = {t.name: t for t in tests if mutant.chapter in t.uses and t.compiler}
    spared = old.get("survived", {})
    candidates = []
    for t in files.values():
        for name, (seconds, entered) in t.tests.items():
            own, limit = spared.get(t.name, ("", 0))
            seconds += t.compiling
            if entered is None or seconds > QUICK or (own == t.own and seconds <= limit):
                continue
            if reach is None or any(tuple(e) in reach for e in entered):
                candidates.append((seconds, t.name, name))
    candidates.sort()
    killer = old.get("killed")
    if killer:
        candidates.sort(key=lambda c: (c[1], c[2]) != (killer[0], killer[1]))
    programs, same = {}, {}
    now = dict(spared)
    for t in files.values():
        own, limit = spared.get(t.name, ("", 0))
        now[t.name] = [t.own, max(QUICK, limit) if own == t.own else QUICK]
    tree.write(mutant.chapter, mutant.text)
    try:
        def program(name):
            if name not in programs:
                t = files[name]
                programs[name] = tree.build(name, t.compiler)
                same[name] = programs[name] and tree.same_as_plain(name, t.compiler, mutant.chapter, programs[name])
            return programs[name]

        for seconds, name, test in candidates:
            if program(name) is None:
                return {"killed": [name, "(does not compile)", files[name].own]}
            if same[name]:
                continue
            if run([programs[name]], 5 * seconds + 5, environment(test))[0] != 0:
                return {"killed": [name, test, files[name].own]}
        if not all(same.values()) or old.get("survived"):
            return {"survived": now}
        # nothing saw it: is it compiled at all?
        for name in sorted(files, key=lambda name: files[name].compiling):
            if program(name) and not same[name]:
                return {"survived": now}
        return {"inert": now}
    finally:
        tree.write(mutant.chapter, TEXTS[mutant.chapter])


def tier_of(group):
    return VECTOR if group == "kernels" else SCALAR


OWN = {}  # what the tests themselves are made of, by file


def fresh(result, mutant, tests):
    """Does a kept result still say what a run would?"""
    if "killed" in result:
        name, _, own = result["killed"]  # one of the tests, or left out by MUTATE_TESTS now
        if name not in OWN:
            OWN[name] = TestFile(name, SCALAR).own if name in LISTED else None
        return OWN[name] == own
    for kind in ("survived", "inert"):
        if kind in result:
            kept = [result[kind].get(t.name, ("", 0)) for t in tests]
            return all(own == t.own and limit >= QUICK for t, (own, limit) in zip(tests, kept)
                       if t.compiler and mutant.chapter in t.uses)
    return False


def parallel(work, jobs):
    """Runs work(item, slot) for the items that next() gives, on as many threads."""
    items, do = work
    lock = threading.Lock()

    def loop(slot):
        while True:
            with lock:
                item = next(items, None)
            if item is None:
                return
            do(item, slot)

    threads = [threading.Thread(target=loop, args=(i,)) for i in range(jobs)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def main():
    global LISTED, TEXTS, FUNCTIONS, BODIES, MACROS
    groups = os.environ.get("MUTATE") or "all"
    groups = list(GROUPS) if groups == "all" else groups.split()
    unknown = [g for g in groups if g not in GROUPS]
    if unknown:
        raise SystemExit("no group %s; there are: %s" % (unknown[0], " ".join(GROUPS)))
    jobs = int(os.environ.get("JOBS") or os.cpu_count() or 1)
    only = os.environ.get("MUTATE_ONLY", "")
    everything, again = bool(os.environ.get("MUTATE_ALL")), bool(os.environ.get("MUTATE_AGAIN"))
    if os.environ.get("MUTATE_TESTS"):
        for g, (folders, _, count) in GROUPS.items():
            GROUPS[g] = (folders, os.environ["MUTATE_TESTS"].split(), count)
    if os.environ.get("MUTATE_SAMPLE"):
        for g, (folders, tests, _) in GROUPS.items():
            GROUPS[g] = (folders, tests, int(os.environ["MUTATE_SAMPLE"]))
    LISTED = listed()
    TEXTS = {}
    for top in ("src", "examples/programs/methods", "examples/papers"):
        for folder, _, names in os.walk(os.path.join(ROOT, top)):
            for name in names:
                if name.endswith((".h", ".c")):
                    path = os.path.relpath(os.path.join(folder, name), ROOT)
                    TEXTS[path] = read(path)
    FUNCTIONS, BODIES, MACROS = [], {}, {}
    for chapter in sorted(TEXTS):
        code = masked(TEXTS[chapter])
        for name, start, end in functions(code):
            FUNCTIONS.append((chapter, name))
            BODIES[(chapter, name)] = (start, end)
        MACROS[chapter] = []
        for a, b in directives(TEXTS[chapter]):
            m = re.match(r"\s*#\s*define\s+(\w+)", TEXTS[chapter][a:b])
            if m:
                MACROS[chapter].append((m.group(1), TEXTS[chapter][a + m.end():b]))

    # the mutants of each group
    results = Results()
    hand = by_hand(TEXTS)
    mutants = collections.OrderedDict()
    for group in groups:
        folders, _, count = GROUPS[group]
        mine = [c for c in sorted(TEXTS) if c.startswith(tuple(folders)) and not PASSED_OVER.match(c)
                and ("/kernels/" in c) == (group == "kernels")]
        found = [m for c in mine for m in sites(c, TEXTS[c])]
        chosen = [m for m in hand if m.chapter in mine] + (found if everything else draw(found, count))
        chosen = [m for m in chosen if only in m.chapter and (not again or "survived" in results.get(m))]
        seen = set()
        mutants[group] = [m for m in chosen if not (m.hash in seen or seen.add(m.hash))]
        print("%-11s %5d sites, %4d mutants" % (group, len(found), len(mutants[group])), flush=True)
    explained, used = {}, set()
    for e in entries("equivalent"):
        explained[(e.chapter, e.old.strip(), e.new.strip())] = e  # e.chapter: with the function, if it is named
    if os.environ.get("MUTATE_LIST"):
        for group in mutants:
            for m in mutants[group]:
                print(m.diff())
        return 0

    # the test files, measured
    os.makedirs(os.path.join(OUT, "tests"), exist_ok=True)
    wanted = sorted({(tier_of(g) is VECTOR, f) for g in mutants if mutants[g] for f in LISTED
                     if f.startswith(tuple(GROUPS[g][1]))})
    test_files = {w: TestFile(w[1], VECTOR if w[0] else SCALAR) for w in wanted}
    trees = {}

    def measure(name, slot):
        if slot not in trees:
            tree = Tree("measured%d" % slot)
            index = {f: i for i, f in enumerate(FUNCTIONS)}
            for chapter, text in TEXTS.items():
                marked, last = "", 0
                for function, start, _ in functions(masked(text)):
                    marked += text[last:start + 1] + " DPPAIR_MARK_(%d)" % index[(chapter, function)]
                    last = start + 1
                tree.write(chapter, marked + text[last:])
            tree.marked = True
            tree.write("reach.h", REACH_H)
            tree.write("reach.c", REACH_C % {"count": len(FUNCTIONS)})
            trees[slot] = tree
        test_files[name].measure(trees[slot])
        t = test_files[name]
        quick = [s for s, entered in t.tests.values() if entered is not None]
        print("%-45s %s, %d tests of %d, %.1f s%s" % (
            t.name, t.compiler[0] if t.compiler else "nothing", len(quick), len(t.tests) + len(t.failed), sum(quick),
            "; these fail as it is: " + " ".join(t.failed) if t.failed else ""), flush=True)

    parallel((iter(wanted), measure), jobs)

    # the mutants, run
    slots, lock = {}, threading.Lock()
    done = collections.defaultdict(dict)
    report = open(os.path.join(OUT, "survivors.txt"), "w")
    began = time.time()

    def handle(item, slot):
        group, m = item
        tests = [test_files[w] for w in wanted
                 if w[0] == (tier_of(group) is VECTOR) and w[1].startswith(tuple(GROUPS[group][1]))]
        result = results.get(m)
        e = explained.get(("%s %s" % (m.chapter, m.function), m.old_line, m.new_line)) or explained.get(
            (m.chapter, m.old_line, m.new_line))
        if e and "killed" not in result and "inert" not in result:
            result = {"explained": e.reason}
        elif not fresh(result, m, tests):
            if slot not in slots:
                slots[slot] = Tree("mutated%d" % slot)
            result = attempt(m, tests, slots[slot], result)
            if "killed" in result or not TCC:
                results.put(m, result)
        with lock:
            done[group][m.hash] = (m, result)
            if e:
                used.add(e.where)
                if "killed" in result:
                    print("%s: a test kills it: %s" % (e.where, " ".join(result["killed"][:2])), flush=True)
            finished = sum(len(d) for d in done.values())
            if finished % 50 == 0:
                print("%d of %d, %.0f minutes" % (finished, sum(len(x) for x in mutants.values()),
                                                  (time.time() - began) / 60), flush=True)
            if "survived" in result:
                told = m.diff() + "\n\n"
                report.write(told)
                report.flush()
                print("SURVIVED " + told, end="", flush=True)

    parallel((iter([(g, m) for g in mutants for m in mutants[g]]), handle), jobs)
    print("\n%-11s %8s %7s %9s %9s %13s" % ("group", "mutants", "killed", "explained", "survived", "not compiled"))
    total = collections.Counter()
    for group in mutants:
        row = collections.Counter(next(iter(r)) for _, r in done[group].values())
        total.update(row)
        print("%-11s %8d %7d %9d %9d %13d" % (group, sum(row.values()) - row["inert"], row["killed"], row["explained"],
                                              row["survived"], row["inert"]))
    print("%-11s %8d %7d %9d %9d %13d   %.0f minutes" % (
        "all", sum(total.values()) - total["inert"], total["killed"], total["explained"], total["survived"], total["inert"],
        (time.time() - began) / 60))
    if total["survived"]:
        print("survivors: " + os.path.relpath(os.path.join(OUT, "survivors.txt"), ROOT))
    return 1 if total["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
