#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares the pair gradients with numpy, torch and scikit-learn, where they are installed.

    make bench-peers            (PYTHON=/usr/bin/python3 to choose one; BENCH_FULL=1 for every row)

A Python without numpy or torch gives way to one on this machine that has them, if there is one. numpy
is needed; a line says which of the others are left out.

Builds a small shared library from the headers, generates the data of bench/bench.h (the same bits),
checks that both sides computed the same gradient, then times candidate and peer in alternation in
this process; one thread; the median of the rounds' ratios. One JSON object a line, with the fields
of `make bench-json`. A call from Python costs a few microseconds, which ours are charged too.
"""
import ctypes
import importlib.util
import math
import os
import shutil
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("MKL_NUM_THREADS", "1")


def give_way():
    """Goes on in the first Python that has numpy and torch, or numpy at least, if this one has not."""
    def has(python, modules):
        return subprocess.run([python, "-c", "import " + modules], stderr=subprocess.DEVNULL).returncode == 0
    if os.environ.get("DPPAIR_PEERS_PYTHON"):
        return
    os.environ["DPPAIR_PEERS_PYTHON"] = sys.executable
    others = [shutil.which(p) for p in ("python3", "/usr/bin/python3", "/usr/local/bin/python3", "python")]
    for modules in ("numpy, torch", "numpy"):
        for python in [sys.executable] + [p for p in others if p]:
            if has(python, modules):
                if python != sys.executable:
                    print("with " + python, file=sys.stderr, flush=True)
                    os.execv(python, [python] + sys.argv)
                return


give_way()
try:
    import numpy as np
except ImportError:
    sys.exit("the Python peers need numpy: apt-get install python3-numpy (python3-torch and python3-sklearn for theirs)")

import rows

HERE = os.path.dirname(os.path.abspath(__file__))
FULL = os.environ.get("BENCH_FULL") == "1"
LOSSES = ("logistic", "hinge", "squared_hinge", "square")


# ---- ours ---------------------------------------------------------------------------------------

def library():
    """A shared library with one gradient per loss and type, over one prepared state each."""
    parts = ['#include <stdlib.h>\n#include "dppair_losses.h"\n',
             "const char *isa(void) { return dppair_isa_name(); }\n"]
    for loss in LOSSES:
        for real in ("float", "double"):
            name, suffix = loss + "_" + real, "f64" if real == "double" else "f32"
            parts.append(f"""
#define DPPAIR_NAME {name}_
#define DPPAIR_REAL {real}
#define DPPAIR_LOSS dppair_{loss}
#include "dppair.h"
static dppair_fast {name}_state;
static double *{name}_work;
static size_t {name}_bytes;
int {name}_prepare(size_t n, size_t d) {{
  size_t bytes;
  const dppair_accuracy e = sizeof({real}) == 4 ? DPPAIR_ACCURACY_1E6 : DPPAIR_ACCURACY_1E12;
  dppair_status status = {name}__fast_workspace(&bytes, n, e, 100, NULL);
  if (status == DPPAIR_OK)
    status = {name}__fast_init(&{name}_state, n, e, 100, NULL, malloc(bytes), bytes);
  if (status == DPPAIR_OK)
    status = {name}__workspace(&{name}_bytes, n, d, &(dppair_pass){{.fast = &{name}_state}});
  {name}_work = malloc({name}_bytes);
  return (int)status;
}}
int {name}(double *g, const {real} *x, size_t np, size_t n, size_t d, const {real} *w) {{
  const dppair_pass pass = {{NULL, 0, &{name}_state, NULL, {name}_work, {name}_bytes, NULL}};
  dppair_rows_{suffix} rows = dppair_rows_make_{suffix}(x, n, d, d);
  rows.positives = np;
  rows.radius = 64;
  return (int){name}__gradient(g, &rows, w, &pass);
}}
""")
    return loaded("".join(parts), os.path.join(tempfile.mkdtemp(prefix="dppair"), "peers.so"))


def loaded(text, target):
    """The library at target, compiled from this text unless it is there."""
    if not os.path.exists(target):
        with open(target + ".c", "w") as f:
            f.write(text)
        subprocess.check_call([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC",
                               "-I" + os.path.dirname(HERE), target + ".c", "-o", target, "-lm"])
    made = ctypes.CDLL(target)
    made.isa.restype = ctypes.c_char_p
    return made


def candidate(made, loss, xp, xn, w):
    d = xp.shape[1]
    name = loss + ("_float" if w.dtype == np.float32 else "_double")
    size, pointer = ctypes.c_size_t, ctypes.c_void_p
    prepare, go = getattr(made, name + "_prepare"), getattr(made, name)
    if prepare(size(len(xp) + len(xn)), size(d)) != 0:
        sys.exit(name + ": preparation failed")
    g = np.empty(d)
    x = np.concatenate([xp, xn])
    arguments = (pointer(g.ctypes.data), pointer(x.ctypes.data), size(len(xp)), size(len(x)),
                 size(d), pointer(w.ctypes.data))

    def run(alive=x): # arguments has only its address
        if go(*arguments) != 0:
            sys.exit(name + " failed")
        return g
    return run


# ---- data: the hash of bench.h --------------------------------------------------------------------

def uniform(k):
    with np.errstate(over="ignore"):
        z = np.uint64(20240601) + (np.asarray(k, np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z ^= z >> np.uint64(31)
    return (z >> np.uint64(11)).astype(np.float64) * 2.0 ** -53


def data(n, d, dtype):
    x = (2 * uniform(np.arange(n * d)).reshape(n, d) - 1) * math.sqrt(3 / d)
    w = (2 * uniform(2 ** 40 + np.arange(d)) - 1) * 2 * math.sqrt(3)
    x = x.astype(dtype)
    return np.ascontiguousarray(x[0::2]), np.ascontiguousarray(x[1::2]), w.astype(dtype)


# ---- peers: sums over pairs -------------------------------------------------------------------------

def slopes(loss, m):
    if loss == "logistic":
        with np.errstate(over="ignore"):
            return -1 / (1 + np.exp(m))
    if loss == "hinge":
        return -(m < 1).astype(m.dtype)
    if loss == "squared_hinge":
        return -2 * np.maximum(1 - m, 0)
    return -2 * (1 - m)


def numpy_broadcast(loss, xp, xn, w):
    def run():
        c = slopes(loss, (xp @ w)[:, None] - (xn @ w)[None, :])
        return xp.T @ c.sum(1) - xn.T @ c.sum(0)
    return run


def numpy_sorted(loss, xp, xn, w):
    """O(n log n), exact: what a careful numpy programmer writes."""
    def run():
        sp, sn = xp @ w, xn @ w
        if loss == "square":
            a = -2 * (len(sn) * (1 - sp) + sn.sum(dtype=np.float64))
            b = 2 * (len(sp) * (1 + sn) - sp.sum(dtype=np.float64))
        else:
            p, q = np.sort(sp), np.sort(sn)
            above = len(q) - np.searchsorted(q, sp - 1, side="right")
            below = np.searchsorted(p, sn + 1, side="left")
            if loss == "hinge":
                a, b = -above, below
            else:
                top = np.concatenate([[0.0], np.cumsum(q[::-1], dtype=np.float64)])
                low = np.concatenate([[0.0], np.cumsum(p, dtype=np.float64)])
                a = -2 * (above * (1 - sp) + top[above])
                b = 2 * (below * (1 + sn) - low[below])
        return xp.T @ a.astype(w.dtype) + xn.T @ b.astype(w.dtype)
    return run


def torch_peers(loss, xp, xn, w):
    try:
        import torch
    except ImportError:
        return []
    torch.set_num_threads(1)
    p, q, v = (torch.from_numpy(t) for t in (xp, xn, w))
    phi = {"logistic": lambda m: torch.log(1 + torch.exp(-m)),
           "hinge": lambda m: torch.relu(1 - m),
           "squared_hinge": lambda m: torch.relu(1 - m) ** 2,
           "square": lambda m: (1 - m) ** 2}[loss]
    slope = {"logistic": lambda m: -torch.sigmoid(-m),
             "hinge": lambda m: -(m < 1).to(m.dtype),
             "squared_hinge": lambda m: -2 * torch.relu(1 - m),
             "square": lambda m: -2 * (1 - m)}[loss]

    def autograd():
        u = v.detach().requires_grad_(True)
        phi((p @ u).unsqueeze(1) - (q @ u).unsqueeze(0)).sum().backward()
        return u.grad.numpy()

    def closed():
        with torch.no_grad():
            c = slope((p @ v).unsqueeze(1) - (q @ v).unsqueeze(0))
            return (p.T @ c.sum(1) - q.T @ c.sum(0)).numpy()
    return [("torch autograd", autograd), ("torch closed form", closed)]


def sklearn_peer(loss, xp, xn, w):
    """One pointwise logistic gradient of scikit-learn: what people pay without pairs."""
    if loss != "logistic":
        return []
    try:
        from sklearn.linear_model._linear_loss import LinearModelLoss
        from sklearn._loss import HalfBinomialLoss
    except ImportError:
        return []
    x, y = np.concatenate([xp, xn]), np.repeat([1, 0], [len(xp), len(xn)]).astype(xp.dtype)
    model = LinearModelLoss(base_loss=HalfBinomialLoss(), fit_intercept=False)
    return [("sklearn pointwise gradient", lambda: model.loss_gradient(w, x, y)[1])]


# ---- rounds ---------------------------------------------------------------------------------------

def block(f, repeats):
    start = time.process_time()  # one thread: what other programs take does not count
    for _ in range(repeats):
        f()
    return (time.process_time() - start) / repeats


def compare(ours, peer, budget):
    """Seconds of ours and of the peer, round by round. Both were called before; a peer of seconds is timed once."""
    once = [max(block(f, 1), 1e-7) for f in (ours, peer)]
    if once[1] > 5:
        return [[once[0]], [once[1]]]
    repeats = [max(1, int(2e-3 / t)) for t in once]
    rounds, start = [], time.perf_counter()
    while len(rounds) < 31 and (len(rounds) < 3 or time.perf_counter() - start < budget):
        rounds.append((block(ours, repeats[0]), block(peer, repeats[1])))
    return [list(v) for v in zip(*rounds)]


def main():
    made = library()
    goals = {("logistic", 10000, "f32", "torch autograd"): (4000, 7500),
             ("logistic", 10000, "f32", "torch closed form"): (1500, 2500),
             ("logistic", 2000, "f32", "torch autograd"): (180, 350),
             ("logistic", 512, "f32", "torch autograd"): (22, 40),
             ("logistic", 10000, "f64", "torch autograd"): (2500, 6000),
             ("hinge", 10000, "f32", "torch autograd"): (900, 3500),
             ("squared_hinge", 10000, "f32", "torch autograd"): (900, 3500),
             ("hinge", 10000, "f32", "numpy sorted"): (2, 6),
             ("squared_hinge", 10000, "f32", "numpy sorted"): (2, 6)}
    for module, package in (("torch", "python3-torch"), ("sklearn", "python3-sklearn")):
        if importlib.util.find_spec(module) is None:
            print(f"left out: the peers of {module} (apt-get install {package})", file=sys.stderr, flush=True)
    for n in (512, 2000, 10000):
        for dtype, tag in ((np.float32, "f32"), (np.float64, "f64")):
            if tag == "f64" and not FULL and n != 2000:
                continue
            xp, xn, w = data(n, 64, dtype)
            for loss in LOSSES:
                ours = candidate(made, loss, xp, xn, w)
                peers = [("numpy sorted", numpy_sorted(loss, xp, xn, w))] if loss != "logistic" else []
                if n < 10000 or FULL:
                    peers.append(("numpy broadcast", numpy_broadcast(loss, xp, xn, w)))
                    peers += torch_peers(loss, xp, xn, w)
                elif loss == "logistic":
                    peers.append(("numpy broadcast", numpy_broadcast(loss, xp, xn, w)))
                for name, peer in peers + sklearn_peer(loss, xp, xn, w):
                    error = None
                    g, h = ours().copy(), np.asarray(peer(), np.float64)
                    if "pointwise" not in name:
                        error = float(np.abs(g - h).max() / np.abs(g).max())
                        if not error < (1e-3 if tag == "f32" else 1e-9):
                            sys.exit(f"{loss} n={n} {tag}: {name} disagrees by {error}")
                    rows.show("peers", loss + " gradient", name, (n, 64), tag, made.isa().decode(),
                              compare(ours, peer, 2.0 if FULL else 0.3),
                              goals.get((loss, n, tag, name), (None, None)), error)


if __name__ == "__main__":
    main()
