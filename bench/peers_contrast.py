#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the gradients of row-wise losses with torch on the CPU, in time and in memory.

    make bench-peers            (this after bench/peers.py, which says what is compared and printed;
                                without torch it says so and compares nothing)
    BENCH_QUICK=1               a quarter of the records; floors are not meant for it

The peers are what people write: for InfoNCE cosines, a mask and a cross-entropy; for all triplets
the tensor of anchors, positives and negatives, 64 anchors at a time, since all at once take 4 GB
a tensor. Autograd, one thread. Memory is what a child process needs at most during one call beyond
what it had before (VmHWM), the libraries loaded and a small call made; the gradient at least.
"""
import ctypes
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from peers import compare, loaded, uniform
import numpy as np

import rows

try:
    import torch
except ImportError:
    print("left out: the row-wise losses, whose one peer is torch (apt-get install python3-torch)", file=sys.stderr)
    sys.exit(0)
torch.set_num_threads(1)

TEMPERATURE, MARGIN, CLASSES, ANCHORS = 0.1, 0.5, 32, 4

SOURCE = """
#include <stdlib.h>
#include "dppair_losses.h"
#define DPPAIR_NAME nce
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_infonce
#include "dppair.h"
#define DPPAIR_NAME tri
#define DPPAIR_REAL float
#define DPPAIR_LOSS dppair_triplet
#include "dppair.h"
const char *isa(void) { return dppair_isa_name(); }
int infonce(float *dz, const float *z, const size_t *partner, const float *y, size_t n, size_t d) {
  const dppair_rows_f32 rows = dppair_rows_make_f32(z, n, d, d);
  dppair_contrast how = {0};
  dppair_pass pass = {0};
  int status = nce_contrast_workspace(&pass.bytes, n, 0, d, &pass);
  (void)y;
  how.compare = DPPAIR_COMPARE_COSINE;
  how.temperature = TEMPERATURE;
  how.positives = DPPAIR_POSITIVE_PARTNER;
  how.partner = partner;
  pass.work = malloc(pass.bytes);
  if (!status) status = nce_contrast_gradient(dz, NULL, &rows, NULL, &how, &pass);
  free(pass.work);
  return status;
}
int triplet(float *dz, const float *z, const size_t *partner, const float *y, size_t n, size_t d) {
  dppair_rows_f32 rows = dppair_rows_make_f32(z, n, d, d);
  dppair_contrast how = {0};
  dppair_pass pass = {0};
  int status = tri_contrast_workspace(&pass.bytes, n, 0, d, &pass);
  (void)partner;
  rows.y = y;
  how.compare = DPPAIR_COMPARE_DISTANCE;
  how.temperature = 1;
  how.positives = DPPAIR_POSITIVE_LABEL;
  how.margin = MARGIN;
  pass.work = malloc(pass.bytes);
  if (!status) status = tri_contrast_gradient(dz, NULL, &rows, NULL, &how, &pass);
  free(pass.work);
  return status;
}
""".replace("TEMPERATURE", str(TEMPERATURE)).replace("MARGIN", str(MARGIN))


def data(n, d):
    """Embeddings, the other view of each, and labels."""
    z = (2 * uniform(np.arange(n * d)).reshape(n, d) - 1) * np.sqrt(3 / d)
    i = np.arange(n, dtype=np.uintp)
    return z.astype(np.float32), i ^ np.uintp(1), (i % CLASSES).astype(np.float32)


def ours(made, name, z, partner, y):
    n, d = z.shape
    size = ctypes.c_size_t
    go = getattr(made, name)

    def run():
        dz = np.empty_like(z)
        at = [ctypes.c_void_p(a.ctypes.data) for a in (dz, z, partner, y)]
        if go(*at, size(n), size(d)) != 0:
            sys.exit(name + " failed")
        return dz
    return run


def torch_infonce(z, partner, y):
    z, target = torch.from_numpy(z), torch.from_numpy(partner.astype(np.int64))
    own = torch.eye(len(z), dtype=torch.bool)

    def run():
        v = z.detach().requires_grad_(True)
        unit = torch.nn.functional.normalize(v, dim=1)
        logits = (unit @ unit.T / TEMPERATURE).masked_fill(own, -float("inf"))
        torch.nn.functional.cross_entropy(logits, target, reduction="sum").backward()
        return v.grad.numpy()
    return run


def torch_triplet(z, partner, y):
    z, y = torch.from_numpy(z), torch.from_numpy(y)
    like = y[:, None] == y[None, :]
    positive = like & ~torch.eye(len(z), dtype=torch.bool)

    def run():
        v = z.detach().requires_grad_(True)
        for a in range(0, len(z), ANCHORS):
            b = slice(a, a + ANCHORS)
            square = (v * v).sum(1)
            distance = square[b, None] + square[None, :] - 2 * v[b] @ v.T
            mask = positive[b][:, :, None] & ~like[b][:, None, :]
            excess = distance[:, :, None] - distance[:, None, :] + MARGIN
            (torch.relu(excess) * mask).sum().backward()
        return v.grad.numpy()
    return run


CASES = {"infonce": ("InfoNCE gradient", 2048, 128, torch_infonce, 5, 15),
         "triplet": ("triplet gradient, all", 1024, 64, torch_triplet, 20, 100)}


def memory(field):
    with open("/proc/self/status") as f:
        return next(1024 * int(line.split()[1]) for line in f if line.startswith(field))


def peak(name, side, target):
    """In a child: prints how many bytes one call takes at most."""
    _, n, d, peer, _, _ = CASES[name]
    if os.environ.get("BENCH_QUICK"):
        n //= 4
    for size in (128, n):
        z, partner, y = data(size, d)
        run = ours(loaded(SOURCE, target), name, z, partner, y) if side == "ours" else peer(z, partner, y)
        with open("/proc/self/clear_refs", "w") as f:
            f.write("5")
        before = memory("VmRSS")
        run()
    print(max(memory("VmHWM") - before, z.nbytes))


def main():
    target = os.path.join(tempfile.mkdtemp(prefix="dppair"), "contrast.so")
    made = loaded(SOURCE, target)
    for name, (title, n, d, peer, floor, moonshot) in CASES.items():
        if os.environ.get("BENCH_QUICK"):
            n, floor, moonshot = n // 4, None, None
        z, partner, y = data(n, d)
        a, b = ours(made, name, z, partner, y), peer(z, partner, y)
        g, h = a(), b()
        error = float(np.abs(g - h).max() / np.abs(g).max())
        if not error < 1e-3:
            sys.exit(f"{title}: torch disagrees by {error}")
        tier = made.isa().decode()
        rows.show("contrast", title, "torch autograd", (n, d), "f32", tier, compare(a, b, 5.0), (floor, moonshot),
                  error)
        if os.path.exists("/proc/self/clear_refs"):
            sizes = [[int(subprocess.check_output([sys.executable, __file__, name, side, target]))]
                     for side in ("ours", "torch")]
            rows.show("contrast", title + ", memory", "torch autograd", (n, d), "f32", tier, sizes,
                      (50 if name == "infonce" else None, None), unit="B")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        peak(*sys.argv[1:])
    else:
        main()
