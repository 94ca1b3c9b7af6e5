# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One array as two arguments of a launch, whole or in part, and with hints.

The compiler may use a number that it has loaded again only if no other argument
that the kernel writes overlaps the array. Which arguments the launch compares
for this depends on what the kernel does with them, and on the barriers between
its accesses. Here each pair of arguments is one array, for each barrier.
"""

import itertools

import numpy as np
import pytest

from pyk import cuda
from support.scalars import compile_text

COUNT = 32
#: What orders one thread's stores and another's loads.
ORDERS = {
    "block": "cuda.syncthreads()",
    "warp": "cuda.syncwarp()",
    "count": "cuda.syncthreads_count(1)",
    "grid": "cuda.cg.this_grid().sync()",
    "function": "meet()",
}
#: Parameters `p` and `q` are read, `r` and `s` written and read.
TEXT = """
@cuda.jit(device=True)
def meet():
    cuda.syncthreads()

def k(p, q, r, s, out):
    i = cuda.grid(1)
    n = out.size
    one = p[i] + 2 * q[i]
    ORDER
    r[n - 1 - i] = one + 100
    ORDER
    two = p[i] + 3 * q[i] + 5 * r[i]
    ORDER
    s[n - 1 - i] = two
    ORDER
    out[i] = p[i] + 7 * q[i] + 11 * r[i] + 13 * s[i]
"""
#: The same by a single thread, whose accesses are in the order of the text.
ALONE = """
def k(p, q, r, s, out):
    n = out.size
    for i in range(n):
        one = p[i] + 2 * q[i]
        r[n - 1 - i] = one + 100
        two = p[i] + 3 * q[i] + 5 * r[i]
        s[n - 1 - i] = two
        out[i] = p[i] + 7 * q[i] + 11 * r[i] + 13 * s[i]
"""
#: Which parameters are one array: each pair, three of them, none.
SAME = [*itertools.combinations(range(4), 2), (0, 1, 2), (0, 2, 3), ()]


def arguments(same, shift):
    """Memory, and the slices of it that the four parameters are."""
    memory = np.arange(5.0 * (COUNT + 8))
    first = [(COUNT + 8) * k for k in range(5)]
    for number in same[1:]:
        first[number] = first[same[0]] + shift
    return memory, [slice(begin, begin + COUNT) for begin in first]


def expect(together, memory, slices):
    p, q, r, s, out = (memory[one] for one in slices)
    # All threads take each step together, or one thread takes all for each.
    for i in [slice(None)] if together else range(COUNT):
        back = slice(None, None, -1) if together else COUNT - 1 - i
        one = p[i] + 2 * q[i]
        r[back] = one + 100
        two = p[i] + 3 * q[i] + 5 * r[i]
        s[back] = two
        out[i] = p[i] + 7 * q[i] + 11 * r[i] + 13 * s[i]
    return memory


# The first launch compiles the kernel, with arrays that are apart or not.
@pytest.mark.parametrize("is_first_apart", [False, True])
@pytest.mark.parametrize("order", [*ORDERS, "alone"])
def test_each_pair(order, is_first_apart):
    together = order != "alone"
    text = TEXT.replace("ORDER", ORDERS[order]) if together else ALONE
    # Not the cached kernel, which another case may have compiled.
    kernel = cuda.jit(compile_text(text).py_func)
    block = COUNT if together else 1
    launches = itertools.product(SAME, [0, 3], ["host", "device"])
    for same, shift, place in [((), 0, "host")] * is_first_apart + [*launches]:
        memory, slices = arguments(same, shift)
        expected = expect(together, memory.copy(), slices)
        if place == "device":
            there = cuda.to_device(memory)
            kernel[1, block](*(there[one] for one in slices))
            memory = there.copy_to_host()
        else:
            kernel[1, block](*(memory[one] for one in slices))
        np.testing.assert_array_equal(memory, expected)


# Hints on arguments that share memory.

HINTS = {
    "plain": lambda a: a,
    "in": cuda.In,
    "out": cuda.Out,
    "inout": cuda.InOut,
}


@cuda.jit
def move(old, new):
    """Copies upwards from the first element on, then writes to `old`, too."""
    for i in range(1, new.size):
        new[i] = old[i - 1]
    old[0] = 50


@pytest.mark.parametrize(
    ("old", "new"),
    # `Out` does not bring the numbers that `old` needs.
    itertools.product(["plain", "in", "inout"], HINTS),
)
def test_hints_beside_others(old, new):
    """Only arrays with `In` have a memory of their own."""
    for part in slice(None), slice(0, 4), slice(2, 6):
        memory = np.arange(6.0)
        expected = memory.copy()
        reads = expected.copy() if old == "in" else expected
        writes = expected.copy() if new == "in" else expected
        a, b = reads, writes[part]
        for i in range(1, b.size):
            b[i] = a[i - 1]
        a[0] = 50
        move[1, 1](HINTS[old](memory), HINTS[new](memory[part]))
        if (old, new) == ("in", "out"):
            # The element that is not written has any value.
            memory[part][0] = expected[part][0]
        assert memory.tolist() == expected.tolist()


@pytest.mark.parametrize("hint", HINTS)
def test_hint_beside_an_array_apart(hint):
    """Neighbours of an argument are not copied with it."""
    memory = np.arange(12.0)
    move[1, 1](memory[:4], HINTS[hint](memory[6:10]))
    moved = [6.0, 7, 8, 9] if hint == "in" else [6.0, 0, 1, 2]
    if hint == "out":
        # The element that is not written has any value.
        memory[6] = 6
    assert memory.tolist() == [50, 1, 2, 3, 4, 5, *moved, 10, 11]
