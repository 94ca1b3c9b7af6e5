# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the lanes of a warp find out together, made of shuffles and votes.

Names are those of CUDA C++, and what it has for 32-bit integers is for all
numbers: sums have the type that `+` gives, and a NaN is the least and the
greatest. Lanes that have ended, or are not there, count for nothing.
"""

# Kernels have no annotations.
# mypy: ignore-errors

import numpy as np

from pyk._intrinsic import Intrinsic
from pyk._library._bits import ffs
from pyk._library._choices import greater, less
from pyk._library._registry import helper, public

laneid = Intrinsic("cuda.laneid")
ballot_sync = Intrinsic("cuda.ballot_sync")
shfl_sync = Intrinsic("cuda.shfl_sync")


@helper
def reduce_lanes(step, mask, value):
    """What `step` makes of the values of all lanes of `mask`, for each.

    One after another, so that it does not matter which are there: a tree would
    read of lanes that are not in the mask.
    """
    there = ballot_sync(mask, True)
    first = np.int32(ffs(there)) - 1
    total = shfl_sync(mask, value, first)
    for lane in range(32):
        given = shfl_sync(mask, value, lane)
        if lane > first and (there >> lane) & 1:
            total = step(total, given)
    return total


@helper
def add(a, b):
    return a + b


@helper
def choose_less(a, b):
    return b if less(b, a) or b != b else a


@helper
def choose_greater(a, b):
    return b if greater(b, a) or b != b else a


@helper
def both(a, b):
    return a & b


@helper
def either(a, b):
    return a | b


@helper
def differing(a, b):
    return a ^ b


@public("cuda.reduce_add_sync")
def reduce_add_sync(mask, value):
    """The sum of the values of these lanes, in each."""
    return reduce_lanes(add, mask, value)


@public("cuda.reduce_min_sync")
def reduce_min_sync(mask, value):
    """The least of the values of these lanes, in each."""
    return reduce_lanes(choose_less, mask, value)


@public("cuda.reduce_max_sync")
def reduce_max_sync(mask, value):
    """The greatest of the values of these lanes, in each."""
    return reduce_lanes(choose_greater, mask, value)


@public("cuda.reduce_and_sync")
def reduce_and_sync(mask, value):
    """The bits that all of these lanes have, in each."""
    return reduce_lanes(both, mask, value)


@public("cuda.reduce_or_sync")
def reduce_or_sync(mask, value):
    """The bits that one of these lanes has, in each."""
    return reduce_lanes(either, mask, value)


@public("cuda.reduce_xor_sync")
def reduce_xor_sync(mask, value):
    """The bits that an odd number of these lanes have, in each."""
    return reduce_lanes(differing, mask, value)


@public("cuda.elect_sync")
def elect_sync(mask):
    """Whether the thread is the one chosen of these lanes, the first."""
    return laneid == np.int32(ffs(ballot_sync(mask, True))) - 1
