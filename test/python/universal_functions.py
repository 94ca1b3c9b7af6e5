# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Universal functions that the tests of `vectorize` share."""

from pyk import vectorize
from pyk.types import float32, float64, int32

TARGETS = ["cuda", "cpu", "parallel"]
SIGNATURES = [
    int32(int32, int32),
    float32(float32, float32),
    float64(float64, float64),
]


def add_of(target):
    @vectorize(SIGNATURES, target=target)
    def add(a, b):
        """One and the other."""
        return a + b

    return add


ADD = {target: add_of(target) for target in TARGETS}
add = ADD["cuda"]


@vectorize(["f8(f8, f8)"], target="cpu")
def minus(a, b):
    return a - b


def half(x):
    return x / 2
