# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel of one thread writes is what the same function writes when
Python runs it."""

import numpy as np

from pyk import cuda

#: What no function here writes.
UNWRITTEN = -0.375


def run(function, *arguments, size=12):
    """What a kernel writes into an array."""
    found = np.full(size, UNWRITTEN)
    cuda.jit(function)[1, 1](found, *arguments)
    return found


def agree(function, *arguments, size=12):
    """Runs `function` as a kernel and as Python, and compares the arrays."""
    expected = np.full(size, UNWRITTEN)
    function(expected, *arguments)
    assert (expected != UNWRITTEN).any()
    found = run(function, *arguments, size=size)
    np.testing.assert_array_equal(found, expected)
    number = ~np.isnan(expected)
    np.testing.assert_array_equal(
        np.signbit(found[number]), np.signbit(expected[number])
    )
