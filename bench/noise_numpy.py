#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our noise against numpy's, in one process and in alternating blocks of about 2 ms.

python3 bench/noise_numpy.py [--json]      needs numpy and a C compiler ($CC or cc)
"""
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import rows

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHIM = r"""
#define DPPAIR_SIMULATION
#include "dppair_noise.h"
static dppair_rng rng[2];
int start(void) {
  uint8_t key[32] = {1, 2, 3};
  return dppair_rng_from_key(&rng[0], key, 0) || dppair_rng_from_key_aes256(&rng[1], key, 0);
}
int safe(void *x, size_t n, int narrow, int ratio, int laplace, int aes) {
  return dppair_release_at_(x, n, narrow, 1.3, ratio, laplace, dppair_tier(), &rng[aes]);
}
int raw(void *x, size_t n, int narrow, int laplace, int aes) {
  return dppair_fill_at_(x, n, narrow, 1.3, laplace, dppair_tier(), &rng[aes]);
}
const char *isa(void) { return dppair_isa_name(); }
"""
N = 65536


def library():
    folder = tempfile.mkdtemp()
    source = os.path.join(folder, "shim.c")
    with open(source, "w") as f:
        f.write(SHIM)
    target = os.path.join(folder, "shim.so")
    subprocess.check_call([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-I" + ROOT, source, "-lm", "-o", target])
    lib = ctypes.CDLL(target)
    lib.safe.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 4
    lib.raw.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3
    lib.isa.restype = ctypes.c_char_p
    if lib.start():
        sys.exit("no generator")
    return lib


def block(work, repeats):
    t = time.thread_time()  # other work may share the machine
    for _ in range(repeats):
        work()
    return (time.thread_time() - t) / repeats


def compare(ours, theirs, seconds=0.4):
    counts = [max(1, int(2e-3 / min(block(w, 2), block(w, 2)))) for w in (ours, theirs)]
    a, b = [], []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(a) < 7:
        a.append(block(ours, counts[0]))
        b.append(block(theirs, counts[1]))
    return a, b


def main():
    lib = library()
    generator = np.random.default_rng(1)
    x64, x32 = np.zeros(N), np.zeros(N, dtype=np.float32)
    y64, y32 = np.zeros(N), np.zeros(N, dtype=np.float32)

    def safe(narrow, ratio, laplace, aes=1):
        x = x32 if narrow else x64

        def work():
            if lib.safe(x.ctypes.data, N, narrow, ratio, laplace, aes):
                sys.exit("a release failed")

        return work

    def raw(narrow, laplace, aes=1):
        x = x32 if narrow else x64

        def work():
            if lib.raw(x.ctypes.data, N, narrow, laplace, aes):
                sys.exit("a sampler failed")

        return work

    def normal64():
        generator.standard_normal(out=y64)

    def normal32():
        generator.standard_normal(out=y32, dtype=np.float32)

    def laplace():
        generator.laplace(size=N)

    table = [
        ("noise_safe_gaussian_k10", "f64", "numpy standard_normal", safe(0, 10, 0), normal64, 6, 11),
        ("noise_safe_gaussian_k8", "f64", "numpy standard_normal", safe(0, 8, 0), normal64, 6, 11),
        ("noise_safe_gaussian_k24", "f64", "numpy standard_normal", safe(0, 24, 0), normal64, 4, 6.5),
        ("noise_safe_gaussian_k10", "f32", "numpy standard_normal f64", safe(1, 10, 0), normal64, 7, 11),
        ("noise_safe_gaussian_k10", "f32", "numpy standard_normal f32", safe(1, 10, 0), normal32, 6, 10),
        ("noise_safe_laplace_k10", "f64", "numpy laplace", safe(0, 10, 1), laplace, 6.5, 15),
        ("noise_safe_gaussian_k10_chacha20", "f64", "numpy standard_normal", safe(0, 10, 0, 0), normal64, 0, 0),
        ("noise_raw_gaussian", "f64", "numpy standard_normal", raw(0, 0), normal64, 5, 8),
        ("noise_raw_gaussian_chacha20", "f64", "numpy standard_normal", raw(0, 0, 0), normal64, 3, 4),
        ("noise_raw_gaussian", "f32", "numpy standard_normal f32", raw(1, 0), normal32, 11, 20),
        ("noise_raw_laplace", "f64", "numpy laplace", raw(0, 1), laplace, 10, 18),
    ]
    for name, dtype, peer, ours, theirs, floor, moonshot in table:
        samples = compare(ours, theirs)
        if "--json" in sys.argv:
            rows.show("numpy", name, peer, (N, 0), dtype, lib.isa().decode(), samples, (floor, moonshot))
        else:
            a, b = (statistics.median(side) for side in samples)
            ratio = statistics.median(y / x for x, y in zip(*samples))
            goal = "" if not floor else f"floor {floor} {'met' if ratio >= floor else 'MISSED'}, moonshot {moonshot}"
            print(f"{name:34s} {dtype}  {a / N * 1e9:6.2f} ns  {peer:26s} {b / N * 1e9:6.2f} ns {ratio:6.2f}x  {goal}")


if __name__ == "__main__":
    main()
