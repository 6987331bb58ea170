# SPDX-License-Identifier: MIT
"""Rows of benchmarks as bench.h prints them with --json, for the programs in Python: README.md has the keys."""
import json
import math
import os
import statistics

HERE = os.path.dirname(os.path.abspath(__file__))


def interval(values, confidence=0.95):
    """Order statistics that cover the median with this confidence at least, for any law of independent values:
    the k-th from either end, where fewer than k of n fair coins fall with half of the rest at most. None where
    there are too few values."""
    n, k, below = len(values), 0, 0.5 ** len(values)
    while below <= 0.5 * (1 - confidence):
        k += 1
        below += math.comb(n, k) * 0.5 ** n
    values = sorted(values)
    return (values[k - 1], values[n - k]) if k else None


def first(path, word, default):
    """What follows the first `word` in a file, on its line."""
    try:
        with open(path, encoding="utf-8") as file:
            return next((line.split(word)[1].strip() for line in file if word in line), default)
    except OSError:
        return default


def show(program, name, baseline, size, dtype, tier, samples, goals=(None, None), error=None, unit="s",
         compiler=f"{os.environ.get('CC', 'cc')}"):
    """Prints a row. size: (n, d); samples: those of ours and of the baseline, round by round, in seconds or bytes."""
    ratios = [b / a for a, b in zip(*samples)]
    low, high = interval(ratios) or (None, None)
    print(json.dumps({
        "program": program, "name": name, "candidate": "dppair", "baseline": baseline, "n": size[0], "d": size[1],
        "dtype": dtype, "tier": tier, "threads": 1, "unit": unit, "median": statistics.median(samples[0]),
        "baseline_median": statistics.median(samples[1]), "ratio": statistics.median(ratios), "ratio_low": low,
        "ratio_high": high, "rounds": len(ratios), "samples": list(samples[0]), "baseline_samples": list(samples[1]),
        "floor": goals[0] or None, "moonshot": goals[1] or None, "error": error, "load": round(os.getloadavg()[0], 2),
        "cpu": first("/proc/cpuinfo", "model name\t: ", "unknown processor"), "compiler": compiler,
        "version": first(os.path.join(HERE, "..", "dppair.h"), "DPPAIR_VERSION_STRING ", '"?"').strip('"')}),
          flush=True)
