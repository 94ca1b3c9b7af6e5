# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Estimates pi by throwing darts at a square.

Each thread has a random number generator of its own: a state in an array, from
which it draws and which it advances. The states are made once, for a seed, and
the same seed gives the same numbers on every device.
"""

import math

import numpy as np
from numba import cuda
from numba.cuda.random import (
    create_xoroshiro128p_states,
    xoroshiro128p_uniform_float32,
)


@cuda.jit
def throw(states, darts, hits):
    thread = cuda.grid(1)
    if thread >= states.size:
        return
    inside = 0
    for _ in range(darts):
        x = xoroshiro128p_uniform_float32(states, thread)
        y = xoroshiro128p_uniform_float32(states, thread)
        if x * x + y * y <= 1.0:
            inside += 1
    cuda.atomic.add(hits, 0, inside)


threads, darts = 1_000, 2_000
states = create_xoroshiro128p_states(threads, seed=2024)
hits = cuda.to_device(np.zeros(1, dtype=np.int64))
throw.forall(threads)(states, darts, hits)

count = int(hits.copy_to_host()[0])
pi = 4 * count / (threads * darts)
deviation = math.sqrt(math.pi * (4 - math.pi) / (threads * darts))
assert abs(pi - math.pi) < 3 * deviation
print(
    f"{count} of {threads * darts} darts hit the circle: pi is about {pi:.4f}"
)
