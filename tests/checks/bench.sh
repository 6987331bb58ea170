#!/bin/sh
# SPDX-License-Identifier: MIT
# The benchmarks as tools: rows are JSON with the keys of bench/README.md, whatever their strings are;
# bench/compare knows what changed from what did not; make bench USER_LOSS=... times a loss that agrees,
# and answers a file that is wrong in one sentence. Nothing here depends on how long something takes.
# With LONG=1 (make bench-test): the losses on every tier, by gcc and clang, and real programs and revisions.
set -u
cd "$(dirname "$0")/../.." || exit 2
python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null ||
  { echo "skipped: no python3 of 3.8 or later is installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
SMALL="-O0 -w -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_MAX_TIER=0 -DDPPAIR_NO_SIMDE -I."
fail() { printf '%s\n' "$1"; cat "$work/out" "$work/err" 2>/dev/null; exit 1; }

# --- Rows -----------------------------------------------------------------------------------------
cat >"$work/odd.c" <<'CODE'
#include "bench.h"
static volatile double sum;
static void add(void *p) { for (int i = 0; i < 20000; i++) sum += i + (p != NULL); }
int main(int argc, char **argv) {
  static const char odd[] = "tab\t line\n \1\177 \"q\" \\ \303\244 \377 \355\240\200 \342\202";
  bench_row r = bench_describe(odd, "p\"eer", SIZE_MAX, 0, "f64");
  bench_start(argc, argv, "odd \"\\", 1e9);
  bench_compare(&r, add, NULL, add, &r);
  r = bench_describe("limit", "a limit", 1, 2, "f32");
  r.error = NAN, r.floor = 2.0, r.moonshot = 4.0;
  bench_within(&r, add, NULL, 1e9);
  r = bench_describe("memory", "of \303", 3, 4, "i8");
  bench_sizes(&r, 123456789.0, 1e9);
  return bench_finish();
}
CODE
# shellcheck disable=SC2086
gcc -std=gnu99 $SMALL -Ibench "$work/odd.c" -o "$work/odd" -lm || exit 1
"$work/odd" --json >"$work/odd.json" || exit 1
"$work/odd" --json --quick >>"$work/odd.json" || exit 1
"$python" - "$work/odd.json" <<'CODE' || exit 1
import json, re, statistics, sys
keys = re.findall(r"^\| `(\w+)` \|", open("bench/README.md", encoding="utf-8").read(), re.M)
def refuse(text): raise ValueError(text)
rows = [json.loads(line, parse_constant=refuse) for line in open(sys.argv[1], "rb")]
assert len(rows) == 6 and len(keys) == 25, (len(rows), keys)
for row in rows:
    assert list(row) == keys, (list(row), keys)
    values, base = row["samples"], row["baseline_samples"]
    assert row["rounds"] == len(values) >= (1 if row["unit"] == "B" else 3) and all(x > 0 for x in values), row
    assert abs(row["median"] - statistics.median(values)) <= 1e-8 * row["median"], row
    assert len(base) in (0, len(values)) and bool(base) == (row["name"] != "limit"), row
    ratios = [b / a for a, b in zip(values, base)] or [row["baseline_median"] / a for a in values]
    assert abs(row["ratio"] - statistics.median(ratios)) <= 1e-7 * row["ratio"], row
    assert (row["ratio_low"] is None) == (len(values) < 6) == (row["ratio_high"] is None), row
    assert row["ratio_low"] is None or row["ratio_low"] <= row["ratio"] <= row["ratio_high"], row
odd, limit, memory = rows[:3]
assert odd["name"] == "tab\t line\n \x01\x7f \"q\" \\ \xe4 ? ??? ??" and odd["program"] == 'odd "\\', odd["name"]
assert (odd["n"], odd["baseline"], memory["baseline"]) == (2**64 - 1, 'p"eer', "of ?") or odd["n"] == 2**32 - 1
assert (limit["floor"], limit["moonshot"], limit["error"], limit["unit"]) == (2, 4, None, "s"), limit
assert memory["unit"] == "B" and memory["samples"] == [123456789], memory
# the interval: of 41 rounds the 14th from either end, of 6 the ends
sys.path.insert(0, "bench")
sys.dont_write_bytecode = True
from rows import interval
assert interval(list(range(1, 42))) == (14, 28) and interval([3, 1, 2, 6, 5, 4]) == (1, 6) and interval([1] * 5) is None
row = next(r for r in rows if r["rounds"] >= 6 and r["baseline_samples"])
low, high = interval([b / a for a, b in zip(row["samples"], row["baseline_samples"])])
assert abs(low / row["ratio_low"] - 1) < 1e-7 and abs(high / row["ratio_high"] - 1) < 1e-7, row
CODE

# --- Two measurements -----------------------------------------------------------------------------
"$python" - "$work" <<'CODE' || exit 1
import contextlib, importlib.util, io, json, os, re, sys, xml.dom.minidom
from importlib.machinery import SourceFileLoader
sys.path.insert(0, "bench")
sys.dont_write_bytecode = True
loader = SourceFileLoader("compare", "bench/compare")
program = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", loader))
loader.exec_module(program)
os.chdir(sys.argv[1])

def row(name, samples, **others):
    return {"program": "p", "name": name, "candidate": "dppair", "baseline": "loop", "n": 10, "d": 2, "dtype": "f64",
            "tier": "scalar", "threads": 1, "unit": "s", "samples": samples, "baseline_samples": [1e-3] * len(samples),
            "cpu": "c", "compiler": "gcc", "version": "0", **others}

def write(name, rows):
    with open(name, "wb") as file:
        file.write(rows if isinstance(rows, bytes) else b"".join(json.dumps(r).encode() + b"\n" for r in rows))

noise = [1e-3 * (1 + 0.02 * ((7 * k) % 21 - 10) / 10) for k in range(21)]
slow, b = [1.2 * x for x in noise], row("b <&> \x1b", noise)
write("same", [row("a", noise), b])
write("scaled", [row("a", slow), b])
write("few", [row("a", [1.2e-3, 1.21e-3, 1.19e-3]), b])
write("missing", [row("a", noise), row("new", noise)])
write("units", [row("a", [1000.0], unit="B"), b])
write("memory", [row("a", [1300.0], unit="B"), b])
write("elsewhere", [row("a", noise, cpu="another"), b])
# ten runs whose machine drifts by half; pair by pair the second is 3 % slower than the first
drift = [1 + 0.05 * k for k in range(10)]
write("runs", [row("a", [x * t for x in noise[:3]]) for t in drift])
write("runs3", [row("a", [1.03 * x * t for x in noise[:3]]) for t in drift])
write("five", [row("a", noise[:3])] * 5)
write("drifted", [row("a", slow, baseline_samples=[1.2e-3] * 21), b])
good = json.dumps(b).encode()
write("torn", good + b'\n\n{"program": "p"\n' + good)
write("nan", good.replace(b'"samples": [', b'"samples": [NaN, ', 1))
write("bool", good.replace(b'"n": 10', b'"n": true'))
write("short", good.replace(b'"cpu"', b'"gpu"'))
write("hollow", [row("a", [])])
write("deep", b"\n" + b"[" * 100000)
write("bytes", b"\xff\n")
write("empty", b"")

def compare(code, text, *arguments):
    """It ends with this code and says this."""
    said, sys.argv = io.StringIO(), ["compare", *arguments]
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        try:
            ended = program.main()
        except program.Refused as sentence:
            ended = 2
            print(sentence)
    if ended != code or not re.search(text, said.getvalue(), re.M):
        sys.exit(f"compare {' '.join(arguments)}: code {ended}, not {code}, or not said: {text}\n{said.getvalue()}")
    return said.getvalue()

said = compare(0, "2 rows, 0 beyond noise", "same", "same", "--fail", "0")
assert len(re.findall(r"^  1\.0000 .*within noise", said, re.M)) == 2, said
compare(0, r"^  1\.2000  \[1\.1\d*, 1\.2\d*\] *slower ", "same", "scaled")
compare(0, "2 rows, 1 beyond noise.*; 0 slower by more than 25 %", "same", "scaled", "--fail", "25")
compare(1, "slower FAILS .*p: a", "same", "scaled", "--fail", "10", "--svg", "picture.svg")
picture = xml.dom.minidom.parse("picture.svg").toxml()
assert 'class="slower"' in picture and "p: b &lt;&amp;&gt; ?" in picture, picture
compare(0, r"^  0\.8333 .* faster ", "scaled", "same", "--fail", "0")
compare(0, r"^  1\.0000 .*p: a", "same", "drifted", "--relative", "--fail", "0")
compare(0, r"^  1\.2072  \[0, inf\] *too few rounds ", "same", "few", "--fail", "0")
compare(0, "only in OLD: p: b", "same", "missing")
compare(0, "only in NEW: p: new", "same", "missing")
compare(0, "note: the cpu differs: c; another, c", "same", "elsewhere")
compare(0, r"not comparable, units differ \(B, s\): p: a", "same", "units")
compare(1, r"^  1\.3000 .*more FAILS .*0\.0013 MB", "units", "memory", "--fail", "10")
compare(0, r"^  1\.0300  \[1\.03, 1\.03\] *slower", "runs", "runs3")
compare(0, "10 runs in OLD, 5 in NEW; 5 pairs", "runs", "five")
compare(0, "too few rounds", "runs", "five")
compare(2, "torn, line 3: not JSON", "same", "torn")
compare(2, 'nan, line 1: "samples" is not a list of positive', "nan", "same")
compare(2, 'bool, line 1: no whole number "n"', "same", "bool")
compare(2, 'short, line 1: no text "cpu"', "short", "same")
compare(2, 'hollow, line 1: "samples" is empty', "same", "hollow")
compare(2, "deep, line 2: not JSON", "same", "deep")
compare(2, "bytes, line 1: not JSON", "same", "bytes")
compare(2, "empty has no rows", "same", "empty")
compare(2, "nowhere: No such file", "same", "nowhere")
compare(2, "no row is in both", "runs", "memory")
compare(2, "fail not negative", "same", "same", "--fail", "nan")
compare(2, "bench/compare OLD NEW", "same")
compare(2, "is no checkout of dppair", "--revisions", ".", ".")
compare(2, "is no revision", "--revisions", "--", "--output=written", "HEAD")
CODE
"$python" bench/compare "$work/torn" "$work/same" >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && [ "$(wc -l <"$work/err")" -eq 1 ] || fail "a torn file, from the command line"

# --- A loss of one's own --------------------------------------------------------------------------
# loss CODE TEXT FILE ARGUMENTS...; NAME, FLAGS and CC as in the Makefile
loss() {
  code=$1 text=$2 file=$3
  shift 3
  USER_LOSS=$file USER_LOSS_NAME=${NAME:-} BUILD=$work CC=${CC:-gcc} CFLAGS=${FLAGS:-$SMALL} LOOP_FLAGS="-O0" \
    sh bench/user_loss.sh "$@" >"$work/out" 2>"$work/err"
  [ $? -eq "$code" ] || fail "a loss of $file: not the code $code"
  grep -qE -- "$text" "$work/out" "$work/err" || fail "a loss of $file is not answered: $text"
  [ "$code" != 2 ] || [ "$(wc -l <"$work/err")" -eq 1 ] || fail "$file: more than one sentence"
}
cat >"$work/odd '\$(name).h" <<'CODE'
#define two_KIND dppair_piecewise
#define two_PIECES(p) {{(p)[0], -1, 0, 0}}
#define two_VALUE(u, p) DPV_MAX(DPV_SET(0), DPV_SUB(DPV_SET((p)[0]), u))
#define two_SLOPE(u, p) DPV_SEL(DPV_LT(u, DPV_SET((p)[0])), DPV_SET(-1), DPV_SET(0))
#define USER_LOSS_PARAMETERS {0.5}
static double own_slope(double u) { return u / 1.5; }
#define own_KIND dppair_pairs
#define own_VALUE(u, p) DPV_MUL(u, u)
#define own_SLOPE(u, p) DPV_CALL(own_slope, u)
CODE
odd="$work/odd '\$(name).h"
cp "$odd" "$work/two\".h"
loss 2 'quotation mark' "$work/two\".h"
loss 0 'cauchy: scalar: .* the bound is .*: agrees with the exact loop' bench/example_loss.h --n 40 --d 3 --quick --json
"$python" -c 'import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
assert len(rows) == 4 and all(r["candidate"] == "cauchy" and (r["n"], r["d"]) == (40, 3) for r in rows), rows
assert rows[0]["error"] < 1e-14' "$work/out" || fail "rows of a loss"
loss 2 'there is no such file' "$work/none.h"
loss 2 'is not a file that can be read' "$work"
loss 2 'defines no NAME_SLOPE' "$work/odd.c"
loss 2 'USER_LOSS_NAME=NAME, one of two own' "$odd"
NAME=three loss 2 'has no loss "three" but: two own' "$odd"
NAME='x;y' loss 2 'is no name of a loss' "$odd"
{ cat bench/example_loss.h && echo 'int x = ;'; } >"$work/syntax.h"
loss 2 'does not compile as the loss cauchy: expected expression before .;. token \(line 18\)' "$work/syntax.h"
if [ -n "${LONG:-}" ]; then
  sed 's/{(p)\[0\], -1/{(p)[0], -2/' "$odd" >"$work/pieces.h"
  sed 's/pairs$/rowwise/; s/two_/wto_/' "$odd" >"$work/rows.h"
  echo '#define own_SLOPE(u, p) DPV_DIV(DPV_SET(0), DPV_SET(0))' | cat "$odd" - >"$work/nan.h"
  NAME=two loss 1 'near-linear: .* DOES NOT AGREE' "$work/pieces.h" --n 40 --quick
  NAME=own loss 2 'are losses of pairs' "$work/rows.h"
  NAME=own loss 1 'slope is not a finite number at the margin' "$work/nan.h" --n 40 --quick
  for CC in gcc clang; do
    command -v $CC >/dev/null 2>&1 || continue
    for NAME in two own; do
      [ "$CC$NAME" != clangown ] || continue # as gcc's
      FLAGS='-O1 -w' loss 0 "^$NAME: scalar: .*: agrees" "$odd" --n 300 --d 5 --quick
      ! grep -q 'NOT AGREE' "$work/out" || fail "$NAME on a tier"
    done
  done
  unset CC NAME
  CFLAGS=$SMALL "$python" bench/compare --revisions --bench acct --only acct_sigma --pairs 6 --keep "$work/kept" . . \
    >"$work/out" 2>"$work/err" || fail "compare --revisions"
  grep -q '^1 rows' "$work/out" && [ "$(grep -c acct_sigma "$work/kept/old.json")" -eq 6 ] || fail "runs by turns"
fi
exit 0
