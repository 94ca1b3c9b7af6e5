# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Smooths a signal with weights from constant memory.

A table that all threads read and none writes can be part of the kernel. The
table is taken as it is when the kernel is compiled, which the first launch
does; later changes on the host do not reach it.
"""

import numpy as np
from numba import cuda

WEIGHTS = np.array([1, 4, 6, 4, 1], dtype=np.float32) / 16
REACH = len(WEIGHTS) // 2


@cuda.jit
def smooth(signal, out):
    weights = cuda.const.array_like(WEIGHTS)
    i = cuda.grid(1)
    if i >= signal.size:
        return
    if i < REACH or i >= signal.size - REACH:
        out[i] = signal[i]
        return
    total = np.float32(0)
    for k in range(len(WEIGHTS)):
        total += weights[k] * signal[i + k - REACH]
    out[i] = total


n = 1_000
signal = np.zeros(n, dtype=np.float32)
signal[500:] = 16  # a step
out = np.zeros_like(signal)
smooth[8, 128](signal, out)

assert list(out[497:504]) == [0, 1, 5, 11, 15, 16, 16]
# A NumPy convolution does the same, but for both ends.
expected = np.convolve(signal, WEIGHTS, mode="same")
assert np.array_equal(out[REACH:-REACH], expected[REACH:-REACH])
assert out[-1] == 16

WEIGHTS[:] = 0
smooth[8, 128](signal, out)
assert out[500] == 11  # the kernel has the weights that it began with
print(f"a step, smoothed: {out[497:504]}")
