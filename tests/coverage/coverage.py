#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Branches of the headers and modules that the tests of tests/headers/ and tests/modules/ take, chapter by chapter.

    make coverage                  what is out of date runs, then the table; fails below LEAST per cent
    make coverage COVER=missing    lists, after the table, the branches that nothing takes or explains
    make coverage ONLY=noise       runs the tests with this in their path alone

Each test is compiled once more, by gcc --coverage -O0 from the chapters, with the tiers that tests/list
gives it, and run on processors without AVX-512 and AVX2 too; gcov says for each function how often each branch of a line was taken. A chapter that is
compiled for many instances, types and tiers is one text: a branch counts as taken when any of them
took it. Where constants of an instance make a line have fewer branches, the line is judged as it has
most of them. whole.c is compiled and not run: what no test calls would not be seen at all.

Results are kept in BUILD/coverage by a hash of all that a test was made of. `explained` says why
branches are not taken; an entry that explains what is taken, or is not there, fails.
"""
import gzip
import hashlib
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
os.chdir(ROOT)
OUT = os.path.join(os.environ.get("BUILD", "build"), "coverage")
LEAST = float(os.environ.get("LEAST", "98"))
ONLY = os.environ.get("ONLY", "")
# An address, once known, stays as it is between the build and gcov: absolute names of no machine.
FLAGS = ("gcc --coverage -O0 -w -std=c99 -DDPPAIR_NO_FORCE_INLINE -DDPPAIR_TEST_BRIEF -Isrc -Isrc/modules "
         "-Itests/support -include tests/coverage/tiers.h").split()
# Compiled with all tiers here, with the scalar one in tests/list.
TIERED = {"modules/scale/chunks.c", "modules/influence/curvature.c", "modules/scale/moments.c", "headers/pairs/weighted.c",
          "headers/pairs/spoiled.c"}
# Optimised or not at all: what stays on the stack of an instrumented program says nothing.
LEFT_OUT = {"headers/noise/stack.c", "headers/release/stack.c", "modules/auto/left.c"}


def tests():
    """The tests of headers/ and modules/ and what each is compiled with besides, by tests/list."""
    text = re.sub(r"\n[ \t]+", " ", re.sub(r"(?m)^#.*\n", "", open("tests/list").read()))
    for line in text.splitlines():
        word = line.split()
        if word and word[0].startswith(("headers/", "modules/")) and word[0] not in LEFT_OUT:
            left = r"-(O|W(?!l,)%s)" % ("|DDPPAIR_MAX_TIER" if word[0] in TIERED else "")
            yield "tests/" + word[0], [w for w in word[2:] if not re.match(left, w)]
    yield "tests/coverage/whole.c", ["-DDPPAIR_MAX_TIER=0", "-DDPPAIR_NO_SIMDE", "-fkeep-inline-functions"]


def digest(test, flags):
    """Of the test, every chapter it reads, its flags and this program."""
    made = subprocess.run(FLAGS + [f for f in flags if not f.startswith("-l")] + ["-MM", test], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    whole = hashlib.sha256(" ".join(FLAGS + flags).encode())
    for name in sorted(set(made.replace("\\\n", " ").split()[1:]) | {__file__}):
        whole.update(open(name, "rb").read())
    return whole.hexdigest()


def machines(test, flags):
    """The processors that a test is run on: this one, and without its widest tiers where pairs are looped over."""
    narrower = "-DDPPAIR_MAX_TIER=0" not in flags and re.match("tests/headers/(measures|pairs|tiles)/", test)
    if not narrower:
        return [""]
    return ["", ",avx512f,"] + [",avx512f,avx2,"] * (test != "tests/headers/pairs/engine_sorted.c")  # bits of fused tiers


def read_gcov(folder, notes):
    """{chapter: {line: {number of branches: their bits, 1 where taken}}}"""
    done = subprocess.run(["gcov", "--json-format", "--stdout", "-b", notes], cwd=folder, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    found = {}
    for text in done.stdout.decode().splitlines():
        for file in json.loads(text)["files"]:
            name = os.path.relpath(os.path.join(ROOT, file["file"]), os.path.join(ROOT, "src"))
            if name.startswith(".."):
                continue
            lines = found.setdefault(name, {})
            for line in file["lines"]:
                branches = line["branches"]
                if branches:
                    bits = sum((b["count"] > 0) << i for i, b in enumerate(branches))
                    shapes = lines.setdefault(str(line["line_number"]), {})
                    shapes[str(len(branches))] = shapes.get(str(len(branches)), 0) | bits
    return found


def run(test, flags):
    """Builds and runs a test unless nothing has changed; what it takes, or None."""
    name = test[len("tests/"):-2].replace("/", "-")
    kept = os.path.join(OUT, name + ".json.gz")
    key = digest(test, flags)
    if os.path.exists(kept):
        result = json.loads(gzip.open(kept, "rt").read())
        if result["key"] == key:
            return result["taken"]
    if ONLY not in test and not test.endswith("whole.c"):
        return None
    folder = os.path.join(OUT, name)
    os.makedirs(folder, exist_ok=True)
    for old in os.listdir(folder):
        os.remove(os.path.join(folder, old))
    begin = time.time()
    program = os.path.join(folder, "test")
    whole = test.endswith("whole.c")
    others = [f for f in flags if not f.startswith("-l")]
    subprocess.run(FLAGS + others + ["-c", test, "-o", program + ".o"], check=True)
    if not whole:
        subprocess.run(FLAGS + others + [program + ".o", "-o", program, "-lcmocka"] + [f for f in flags if f.startswith("-l")] +
                       ["-lm"], check=True)
        built = time.time()
        log = open(os.path.join(folder, "log"), "w")
        for lacks in machines(test, flags):
            if subprocess.run([program], stdout=log, stderr=log, env=dict(os.environ, LACKS=lacks, BUDGET="20000")).returncode:
                print("FAILED: %s, see %s%s" % (test, log.name, " (LACKS=%r)" % lacks if lacks else ""))
                return None
    taken = read_gcov(folder, "test.gcno")
    with gzip.open(kept, "wt") as file:
        file.write(json.dumps({"key": key, "taken": taken}))
    for old in os.listdir(folder):
        if old != "log":
            os.remove(os.path.join(folder, old))
    print("%-52s %6.1f s" % (test, time.time() - begin), flush=True)
    return taken


def explanations():
    """[[chapter, text of the line, how many branches, reason]]"""
    entries = []
    chapter = text = None
    for number, line in enumerate(open("tests/coverage/explained"), 1):
        line = line.rstrip("\n")
        if not line or line.startswith("#"):
            continue
        if not line.startswith(" "):
            chapter = line
        elif not line.startswith("    "):
            count, text = line.strip().split(" ", 1)
            entries.append([chapter, text.strip(), count, ""])
        elif entries:
            entries[-1][3] += line.strip() + " "
        else:
            sys.exit("explained:%d: a reason before any line" % number)
    reason = ""
    for entry in reversed(entries):
        entry[3] = reason = entry[3] or reason
        if not reason:
            sys.exit("explained: no reason for %s: %s" % (entry[0], entry[1]))
    return entries


def main():
    os.makedirs(OUT, exist_ok=True)
    whole = {}
    failed = []
    for test, flags in tests():
        taken = run(test, flags)
        if taken is None:
            failed.append(test)
            continue
        for chapter, lines in taken.items():
            for line, shapes in lines.items():
                known = whole.setdefault(chapter, {}).setdefault(int(line), {})
                for size, bits in shapes.items():
                    known[int(size)] = known.get(int(size), 0) | bits
    explained = {}
    for chapter, text, count, reason in explanations():
        explained[chapter, text] = count
    used = set()
    rows = {}
    missing = []
    for chapter in sorted(whole):
        source = open(os.path.join("src", chapter)).read().splitlines()
        lines = {}
        for line, shapes in sorted(whole[chapter].items()):
            size = max(shapes)
            lines.setdefault(source[line - 1].strip(), []).append((line, size, shapes[size]))
        row = rows.setdefault(chapter.split("/")[0] if "/" in chapter else "", [0, 0, 0, 0])
        for text, places in lines.items():
            total = sum(size for _, size, _ in places)
            open_ = total - sum(bin(bits).count("1") for _, _, bits in places)
            told = explained.get((chapter, text), "0")
            at_most = told.endswith("?")
            told = int(told.rstrip("?"))
            row[0] += total
            row[1] += total - open_
            row[2] += min(told, open_)
            row[3] += max(open_ - told, 0)
            if told:
                used.add((chapter, text))
                if told > open_ and not at_most:
                    failed.append("explained: %s: %d of %d branches are taken: %s" % (chapter, told - open_, told, text))
            if open_ > told:
                missing.append((chapter, places, text, open_ - told))
    failed += ["explained: %s has no branch in: %s" % key for key in explained if key not in used]
    print("\n%-12s %8s %8s %9s %8s %9s" % ("folder", "branches", "taken", "explained", "missing", "per cent"))
    sums = [0, 0, 0, 0]
    for folder, row in sorted(rows.items()):
        sums = [a + b for a, b in zip(sums, row)]
        print("%-12s %8d %8d %9d %8d %8.2f%%" % (folder, *row, 100 * row[1] / max(row[0], 1)))
    share = 100 * sums[1] / max(sums[0], 1)
    print("%-12s %8d %8d %9d %8d %8.2f%%" % ("all", *sums, share))
    if os.environ.get("COVER") == "missing":
        for chapter, places, text, count in missing:
            marks = " ".join("%d:%s" % (line, "".join("+-"[not bits >> i & 1] for i in range(size)))
                             for line, size, bits in places if bits != (1 << size) - 1)
            print("%s:%s  %s" % (chapter, marks, text))
    for what in failed:
        print("FAILED: " + what)
    if share < LEAST or sums[3] and os.environ.get("COVER") == "all":
        print("FAILED: %.2f per cent of the branches are taken, %.0f are asked for" % (share, LEAST))
        return 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
