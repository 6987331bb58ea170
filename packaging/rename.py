#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives code and pages that were written before 0.1.0 the names of 0.1.0.

    packaging/rename.py FILE...              all words
    packaging/rename.py --word options FILE...   one of them
    packaging/rename.py --list               the words

Identifiers change in code, in comments and in `code` of Markdown pages. Prose changes in comments and in
Markdown. Strings never change: they hold the keys of ledgers and models, options of programs and names of
samplings, which are read as before. Read the result: a script knows no grammar."""

import re
import sys

# word: identifiers (anywhere but in strings), fields and variables (code alone), prose (comments, pages)
WORDS = {
    "options": {
        "why": "dppair_pass held the options of one evaluation; a pass is an epoch",
        "names": [(r"\bdppair_pass\b", "dppair_options")],
        "code": [(r"\bpass\b(?!\s*\()(?!\.h)", "options")],
        "prose": [(r"(?m)^( \*   )pass(   +)(?=\S)", lambda m: m.group(1) + "options" + " " * max(1, len(m.group(2)) - 3)),
                  (r"\b([Tt]he pass)( first finds| for the)", r"\1\2"),
                  (r"\b([Tt]he|[Oo]f the|ring and) pass (says|chooses|asks|has|holds)\b",
                   lambda m: m.group(1) + " options " + {"says": "say", "chooses": "choose", "asks": "ask", "has": "have", "holds": "hold"}[m.group(2)]),
                  (r"\b([Oo]f the|[Oo]f|ring and) pass\b(?= (?:the|the clip|of this)|[,.])", r"\1 options"),
                  (r"\b(clip|groups|Factors of rows and) (of the|the) pass\b", r"\1 \2 options"),
                  (r"\ba pass, (and what|but)", r"options, \1"), (r"\bfor the pass:", "for the options:"),
                  (r"\bpass(?=->|\.(?:clip|fast|parts|tasks|work|bytes|groups|params)\b)", "options"),
                  (r"&pass\b", "&options"), (r"\*pass\b", "*options"), (r"`pass`", "`options`"),
                  (r"(?<=[.;,] )pass(?=: (?:params|clip|work|as|fast|the))", "options")],
        "not": ["kang2023.c", "support/stream.", "support/chunks.", "allocation/runs", "allocation/"],
        "files": [(r"pairs/pass\.h", "pairs/options.h")],
    },
    "sketch": {
        "why": "in differential privacy, moments are the moments accountant; this is a binned sketch of scores",
        "names": [(r"\bdppair_moments_?(?=\w*\b)", lambda m: m.group(0).replace("moments", "sketch")),
                  (r"\b(DPPAIR_NAME|NAME)(\w*)_moments(?=\w*\b)", r"\1\2_sketch"),
                  (r"\b(\w+)_moments(_open|_finish|_workspace)\b", r"\1_sketch\2"),
                  (r"\b(\w+)_(chunk|coeffs_from|users|persons|leave|chunked)_moments(\w*)\b", r"\1_\2_sketch\3"),
                  (r"(?<![\w])(_chunk|_coeffs_from)?_moments(_?\w*)\b", lambda m: (m.group(1) or "") + "_sketch" + m.group(2)),
                  (r"\b(rank|wide|f32|f64|huber64)_moments\b", r"\1_sketch"),
                  (r"\bDPPAIR_MOMENTS_?(\w*)", r"DPPAIR_SKETCH_\1")],
        "code": [],
        "prose": [],
        "not": ["methods/"],
    },
    "users": {
        "why": "the field says user-level privacy",
        "names": [(r"\bDPPAIR_(REPLACE|ZERO)_PERSON\b", r"DPPAIR_\1_USER"), (r"\bDPPAIR_OF_PERSONS_", "DPPAIR_OF_USERS_"), (r"(?<!\w)_persons(?=\w*)", "_users"),
                  (r"\b(DPPAIR_NAME|NAME|dppair)_persons(\w*)\b", r"\1_users\2"), (r"\bdppair_(\w+)_persons(_?)\b", r"dppair_\1_users\2")],
        "code": [(r"\bpersons\b", "users"), (r"\bperson\b", "user")],
        "prose": [(r"(?<![-\w])persons\b", "users"), (r"(?<![-\w])person\b", "user"), (r"\bPersons\b", "Users"), (r"\bPerson\b", "User")],
        "files": [(r"persons", "users")],
    },
    "noise": {
        "why": "a law was the noise that a plan adds, and the distribution of a privacy loss",
        "not": ["src/noise/", "bench/bench_noise", "headers/noise/"],
        "names": [(r"\b(\w*[Rr]elease\w*(?:\[\w+\])?)(\.|->)law\b", r"\1\2mechanism"),
                  (r"\b(\w*[Pp]lan\w*(?:\[\w+\])?|priced|whole|second|scoring|held|before)(\.|->)law\b", r"\1\2noise")],
        "tests": [(r"\b(A\.r)\.law\b", r"\1.mechanism"), (r"(?<!\.)\br(\.|->)law\b", r"r\1mechanism"), (r"\b(more|other)(\.|->)law\b", r"\1\2noise"),
                  (r"\bp(\.)law\b", r"p\1noise"), (r"\bPLANNED\(law,", "PLANNED(noise,")],
        "code": [],
        "prose": [],
    },
    "tasks": {
        "why": "work is cut into tasks, which an executor runs",
        "names": [(r"\bdppair_parts\b", "dppair_tasks"), (r"\bdppair_runner\b", "dppair_executor"), (r"\bdppair_parts_join\b", "dppair_tasks_join"),
                  (r"\b(\w*options)(\.|->)parts\b", r"\1\2tasks"), (r"\b(parts|tasks)(\.|->)parts\b", r"\1\2count")],
        "code": [],
        "prose": [],
    },
    "nonce": {
        "why": "a run of a program is not what makes two releases of one key differ",
        "names": [(r"\bDPPAIR_RUN_SIZE\b", "DPPAIR_NONCE_SIZE"), (r"\bdppair_release_run\b", "dppair_release_nonce"),
                  (r"\b(keys|entry|charge|charge\.charge|trace|release|replay|known|next|old|e)(->|\.)run\b(?!\()", r"\1\2nonce"),
                  (r"\buint8_t run\[16\]", "uint8_t nonce[16]")],
        "code": [(r"(?<![.>])\brun\b(?!\s*\()", "nonce")],
        "where": r"run\[DPPAIR_(RUN|NONCE)_SIZE\]",
        "prose": [],
        "not": ["src/pairs", "src/tiles", "src/core", "src/rows"],
    },
    "rounding": {
        "why": "what rounding may add to a sensitivity is the field's rounding error",
        "names": [(r"\b(DPPAIR_NAME|NAME|dppair)(\w*)_surcharge(_?\w*)\b", r"\1\2_allowance\3"), (r"(\w*)_surcharge(?=\b|_)", r"\1_allowance")],
        "code": [(r"\bsurcharge\b", "allowance"), (r"\bsurcharges\b", "allowances")],
        "prose": [(r"\bsurcharge\b", "rounding allowance"), (r"\bsurcharges\b", "rounding allowances"), (r"\bSurcharges\b", "Rounding allowances"), (r"\bsurcharged\b", "with its rounding allowance")],
    },
    "permit": {
        "why": "a plan has paid for releases",
        "names": [],
        "code": [],
        "prose": [(r"\bpermits\b(?= (?:used|left|of))", "paid releases"), (r"\b([Aa]|[Tt]he|its|one|no|each|last|[Tt]his|whole|that|every) permit\b", lambda m: m.group(1) + " paid release")],
        "only": ["src", "docs", "README", "examples", "CHANGELOG", "SECURITY"],
    },
    "output": {
        "why": "the trace is that of a matrix; this is the mu of output perturbation",
        "names": [(r"\b(\w*[Pp]lan\w*(?:\[\w+\])?|\w*[Rr]elease\w*|priced|whole|second|scoring|held|before)(->|\.)trace\b(?!\.)", r"\1\2output_mu")],
        "tests": [(r"\b(p|r|more|other)(\.|->)trace\b(?!\.)", r"\1\2output_mu"), (r"\bPLANNED\(trace,", "PLANNED(output_mu,")],
        "code": [],
        "prose": [],
    },
}


# C in here-documents of scripts
SHELL = {
    "options": [(r"&pass\b", "&options"), (r"\bpass(?=\.\w)", "options"), (r"\b(dppair_options) pass\b", r"\1 options"), (r"\*pass\b", "*options"), (r"memset\(&pass", "memset(&options"), (r"sizeof pass\b", "sizeof options")],
    "noise": [(r"\bp\.law\b", "p.noise")],
}


def pieces(text):
    """(kind, text): code, comment, string."""
    at = 0
    for m in re.finditer(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', text, re.S):
        if m.start() > at:
            yield "code", text[at:m.start()]
        yield ("comment" if m.group(0)[0] == "/" else "string"), m.group(0)
        at = m.end()
    if at < len(text):
        yield "code", text[at:]


def apply(rules, text):
    for pattern, new in rules:
        text = re.sub(pattern, new, text)
    return text


def in_c(word, text, path):
    out, here = [], re.search(word.get("where", ""), text)
    for kind, part in pieces(text):
        if kind == "string":
            before = out[-1] if out else ""
            if re.search(r"#\s*include\s*$", before):
                part = apply(word.get("files", []), part)
        else:
            part = apply(word["names"], part)
            if here or kind != "code":
                part = apply(word["code" if kind == "code" else "prose"], part)
        out.append(part)
    return "".join(out)


def in_markdown(word, text, path):
    out = []
    for n, block in enumerate(re.split(r"(?m)^(```.*\n(?:.*\n)*?```\n?)", text)):
        if block.startswith("```"):
            out.append(in_c(word, block, path) if re.match(r"```(c|cpp)?\n", block) else block)
            continue
        for part in re.split(r"(`[^`\n]+`|\]\([^)]*\))", block):
            if part.startswith("`"):
                part = apply(word["names"], part)
                if re.match(r"`[\w&*.>() -]*\b(->|\.)", part) or part in ("`pass`", "`moments`"):
                    part = apply(word["code"], part)
            elif not part.startswith("]("):
                part = apply(word["names"], part)
                part = apply(word["prose"], part)
            out.append(part)
    return "".join(out)


def main():
    args = sys.argv[1:]
    if "--list" in args:
        for name, word in WORDS.items():
            print("%-10s %s" % (name, word["why"]))
        return
    chosen = list(WORDS)
    if args[:1] == ["--word"]:
        chosen, args = [args[1]], args[2:]
    for path in args:
        with open(path, encoding="utf-8") as f:
            old = text = f.read()
        for name in chosen:
            word = WORDS[name]
            if any(n in path for n in word.get("not", [])) or not any(o in path for o in word.get("only", [""])):
                continue
            if path.endswith(".sh"):
                text = apply(SHELL.get(name, []), apply(word["names"], text))
            else:
                text = (in_markdown if path.endswith(".md") else in_c)(word, text, path)
            if "tests/" in path:
                text = apply(word.get("tests", []), text)
        if text != old:
            with open(path, "w", encoding="utf-8") as f:
                f.write(text)


main()
