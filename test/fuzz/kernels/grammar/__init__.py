# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The writer of random kernels: text and arguments from a seed.

Names say what a variable holds: s and u signed and unsigned integers, f
floats, c complex numbers, b bools, p pairs of an s and an f, q namedtuples of
these, o and w an s and an f or None, e and d members of two enums, v views, r
rests of tuples, h nested functions, x arguments that may be None, m masks of
lanes, n iterations of loops, k what atomic operations have returned. Within
these, types mix as they come, and the typing rules say what becomes of that.
Indices stay within extents, loops end, and what is exact to some last places
only goes nowhere but into `rough` and `roughc`; nothing else restrains a
program.
"""

from .edges import Edges
from .expressions import HEAD
from .phases import Phases
from .programs import Program
from .warps import Warps

__all__ = ["HEAD", "program"]

#: Writers by what is left of a seed divided by 6; for others it is `Program`.
WRITERS = {2: Warps, 4: Edges, 5: Phases}


def program(seed):
    """The program of a seed; in half of them threads meet.

    The arrays of every other one are `at_page`, the end of accessible memory.
    The launch of every third one is its kernel's second.
    """
    written = WRITERS.get(seed % 6, Program)(seed)
    written.at_page = seed // 6 % 2 == 1
    written.is_second = seed // 6 % 3 == 1
    return written
