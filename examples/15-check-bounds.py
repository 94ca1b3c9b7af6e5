# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finding a forgotten guard, and other mistakes of threads.

The grid has more threads than the array has elements. Without a guard, those
at its end would overwrite what lies behind the array in its memory. A kernel
with `boundscheck=True` raises IndexError instead, which names thread, index and
array; one with `debug=True` also tells of assertions that fail.
"""

import numpy as np
from numba import cuda


@cuda.jit(boundscheck=True)
def square(values):
    i = cuda.grid(1)
    values[i] = values[i] ** 2


@cuda.jit(debug=True)
def invert(values):
    i = cuda.grid(1)
    if i < values.size:
        assert values[i] != 0, "cannot invert"
        values[i] = 1 / values[i]


memory = np.arange(128, dtype=np.float64)
values = memory[:100]
try:
    square[4, 32](values)
    raise SystemExit("nobody noticed")
except IndexError as error:
    assert "index 100 is out of bounds for axis 0 of 'values'" in str(error)
    assert "tid=[0, 0, 4] ctaid=[0, 0, 3]" in str(error)
assert np.array_equal(values, np.arange(100.0) ** 2)
assert np.array_equal(memory[100:], np.arange(100.0, 128.0))

try:
    invert[4, 32](values)
    raise SystemExit("nobody noticed")
except AssertionError as error:
    problem = str(error).split(": ")[-1]
assert values[0] == 0
assert np.allclose(values[1:], 1 / np.arange(1.0, 100.0) ** 2)
print(f"100 elements, none behind them; element 0: {problem}")
