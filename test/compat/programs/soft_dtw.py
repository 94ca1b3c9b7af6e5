# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pytorch-softdtw-cuda: its kernels against the host versions beside them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from checks import absent, case, close, load, main


def _program(checkout: Path) -> Any:
    absent("torch", "torch.cuda", "torch.autograd", "torch.nn")
    return load(checkout / "soft_dtw_cuda.py", "soft_dtw_cuda")


def _forward(program: Any, d: Any, gamma: float, bandwidth: float) -> Any:
    b, n, m = d.shape
    r = np.full((b, n + 2, m + 2), math.inf)
    r[:, 0, 0] = 0
    threads = max(n, m)
    program.compute_softdtw_cuda[b, threads](
        d, gamma, bandwidth, n, m, 2 * threads - 1, r
    )
    return r


def _distances() -> Any:
    return np.random.default_rng(1).random((3, 9, 7))


@case
def forward(checkout: Path) -> None:
    program = _program(checkout)
    for bandwidth in (0.0, 3.0):
        got = _forward(program, _distances(), 0.5, bandwidth)
        expected = program.compute_softdtw(_distances(), 0.5, bandwidth)
        close(got, expected, 1e-9)


@case
def backward(checkout: Path) -> None:
    program = _program(checkout)
    d = _distances()
    b, n, m = d.shape
    for bandwidth in (0.0, 3.0):
        r = _forward(program, d, 0.5, bandwidth)
        expected = program.compute_softdtw_backward(d, r.copy(), 0.5, bandwidth)
        wide = np.zeros_like(r)
        wide[:, 1:-1, 1:-1] = d
        r[:, :, -1] = r[:, -1, :] = -math.inf
        r[:, -1, -1] = r[:, -2, -2]
        e = np.zeros_like(r)
        e[:, -1, -1] = 1
        threads = max(n, m)
        program.compute_softdtw_backward_cuda[b, threads](
            wide, r, 1 / 0.5, bandwidth, n, m, 2 * threads - 1, e
        )
        close(e[:, 1:-1, 1:-1], expected, 1e-9)


main()
