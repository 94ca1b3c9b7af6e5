# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Threads of a block that wait for each other without a barrier.

Every thread adds its value to the total of the next one, so it must wait until
that total is there. It waits by looking at a flag over and over. The last
thread is the first to have a total, thread 0 comes last: a machine that runs
one thread to its end before the next would never finish. The program ends
because every thread of a block gets on, whatever the others do.
"""

import numpy as np
from numba import cuda


@cuda.jit
def total_from_the_end(values, totals, ready):
    i = cuda.threadIdx.x
    total = values[i]
    if i + 1 < values.size:
        while ready[i + 1] == 0:
            pass
        total += totals[i + 1]
    totals[i] = total
    ready[i] = 1


n = 45
values = np.arange(n, dtype=np.int64)
totals = np.zeros_like(values)
ready = np.zeros(n, dtype=np.int32)

total_from_the_end[1, n](values, totals, ready)

assert np.array_equal(totals, np.cumsum(values[::-1])[::-1])
assert totals[0] == 990 and totals[44] == 44
assert ready.all()
print(f"{n} threads in a row: totals {totals[:3]} ... {totals[-3:]}")
