# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets transfers and kernels of different pieces overlap.

Work in one stream happens in order; work in different streams has no order, so
while one piece is computed the next can be on its way. Transfers run beside the
host only from and to pinned memory, which the system never moves. Events mark
places in a stream, and the time between two of them.
"""

import numpy as np
from numba import cuda


@cuda.jit
def square(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= x[i]


n, pieces = 100_000, 4
size = n // pieces
host = cuda.pinned_array(n, dtype=np.float64)
host[:] = np.arange(n)

start, end = cuda.event(), cuda.event()
streams = [cuda.stream() for _ in range(pieces)]
start.record()
start.synchronize()

for piece, stream in enumerate(streams):
    part = host[piece * size : (piece + 1) * size]
    x = cuda.to_device(part, stream=stream)
    square[(size + 127) // 128, 128, stream](x)
    x.copy_to_host(part, stream=stream)

# The default stream goes on when all of them are through.
for stream in streams:
    done = cuda.event(timing=False)
    done.record(stream)
    done.wait()
end.record()
end.synchronize()

assert end.query()
assert cuda.event_elapsed_time(start, end) >= 0  # in milliseconds
assert np.array_equal(host, np.arange(n, dtype=np.float64) ** 2)

# A `with` block may wait for a stream, too.
with cuda.stream().auto_synchronize() as stream:
    x = cuda.to_device(np.full(3, 5.0), stream=stream)
    square[1, 3, stream](x)
    last = x.copy_to_host(stream=stream)

assert list(last) == [25, 25, 25]
print(f"{n} squares in {pieces} streams: {host[:4]} ... {host[-1]}")
