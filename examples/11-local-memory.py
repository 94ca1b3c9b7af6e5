# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes spikes out of a signal, each thread with an array of its own.

A thread sorts the values around its place and keeps the one in the middle. For
that it needs scratch memory that no other thread sees: a local array. Its size
is a constant, and it begins with whatever was there.
"""

import numpy as np
from numba import cuda

REACH = 3
WINDOW = 2 * REACH + 1


@cuda.jit
def median(signal, out):
    window = cuda.local.array(WINDOW, dtype=np.float64)
    i = cuda.grid(1)
    if i >= out.size:
        return
    for k in range(WINDOW):
        # Beyond the ends the signal goes on as it ends.
        place = min(max(i + k - REACH, 0), signal.size - 1)
        value = signal[place]
        # Insert it among those before, which are in order.
        at = k
        while at > 0 and window[at - 1] > value:
            window[at] = window[at - 1]
            at -= 1
        window[at] = value
    out[i] = window[REACH]


n = 1_000
clean = np.floor(np.arange(n) / 50)
signal = clean.copy()
signal[3::7] = 1_000  # one value in each window is wrong
out = np.zeros(n)
median[16, 64](signal, out)

padded = np.pad(signal, REACH, mode="edge")
windows = np.lib.stride_tricks.sliding_window_view(padded, WINDOW)
assert np.array_equal(out, np.median(windows, axis=1))
assert np.abs(out - clean).max() == 1  # where a stair begins, and no spike
assert np.array_equal(out[10:40], clean[10:40])
print(f"{np.sum(signal != clean)} spikes, {np.sum(out == 1_000)} left")
