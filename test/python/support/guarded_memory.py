# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Copies of arrays that show which accesses leave the elements.

Each copy has memory of its own: canaries in front of it, and behind it more
canaries or a page that cannot be accessed. A kernel that stores outside of the
elements overwrites a canary; one that loads or stores behind a copy at such a
page fails with CUDA's error 700.
"""

import ctypes
import mmap
from collections.abc import Sequence
from typing import Any

import numpy as np

PAGE = mmap.PAGESIZE
#: What canaries hold: no byte is 0 or 255, and neighbours differ.
PATTERN = (np.arange(PAGE) * 37 % 251 + 2).astype(np.uint8)
#: Where a copy begins on its first page, unless it ends at a page: it has the
#: alignment of NumPy's own arrays, and no more.
OFFSET = 16
#: The access rights of no access, for `mprotect`.
NO_ACCESS = 0


def whole_of(array: np.ndarray) -> np.ndarray:
    """The array that owns the memory of `array`."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def address_of(array: np.ndarray) -> int:
    """The address of the first element."""
    return array.__array_interface__["data"][0]


def forbid(memory: np.ndarray) -> None:
    """Takes all access to some pages away."""
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    place = ctypes.c_void_p(address_of(memory))
    if protect(place, ctypes.c_size_t(memory.size), NO_ACCESS) != 0:
        raise OSError(ctypes.get_errno(), "mprotect")


class GuardedCopy:
    """A copy of an array, and of the memory that the array is a part of.

    `array` has the strides and the values of the original. The memory ends at a
    page that cannot be accessed if `at_page` is true.
    """

    def __init__(self, original: np.ndarray, at_page: bool = False):
        whole = whole_of(original)
        size = whole.nbytes
        body = -(-(size + OFFSET) // PAGE) * PAGE
        memory = mmap.mmap(-1, body + 2 * PAGE)
        every = np.frombuffer(memory, np.uint8)
        every[:] = np.resize(PATTERN, every.size)
        start = PAGE + OFFSET
        if at_page:
            alignment = max(original.dtype.alignment, whole.dtype.alignment)
            start = (PAGE + body - size) // alignment * alignment
        # The owner ends where the elements do, as that of any other array.
        owner = np.frombuffer(memory, np.uint8, size, start)
        offset = address_of(original) - address_of(whole)
        parts = np.ndarray(whole.shape, whole.dtype, owner, 0, whole.strides)
        parts[...] = whole
        self.array = np.ndarray(
            original.shape, original.dtype, owner, offset, original.strides
        )
        self._accessible = every[: PAGE + body] if at_page else every
        self._before = self._accessible.copy()
        self._named = np.zeros(self._accessible.size, bool)
        np.ndarray(
            (*original.shape, original.itemsize),
            bool,
            self._named,
            start + offset,
            (*original.strides, 1),
        )[...] = True
        self._start = start
        if at_page:
            forbid(every[PAGE + body :])

    def overwritten(self) -> str | None:
        """Which byte outside of the elements changed, if one did."""
        changed = self._accessible != self._before
        changed &= ~self._named
        if not changed.any():
            return None
        place = int(np.flatnonzero(changed)[0]) - self._start
        count = int(changed.sum())
        return (
            f"{count} bytes outside of its elements are overwritten, the first "
            f"at {place} of {self.array.nbytes}"
        )


class GuardedCopies:
    """Guarded copies of the arrays among the arguments of a launch."""

    def __init__(self, arguments: Sequence[Any], at_page: bool = False):
        self._copies = [
            GuardedCopy(value, at_page)
            if isinstance(value, np.ndarray) and whole_of(value).nbytes
            else None
            for value in arguments
        ]
        #: What to launch with.
        self.arguments = [
            value if copy is None else copy.array
            for value, copy in zip(arguments, self._copies, strict=True)
        ]

    def overwritten(self, names: Sequence[str]) -> str | None:
        """What was overwritten outside of an array, with the array's name."""
        for name, copy in zip(names, self._copies, strict=True):
            wrong = copy and copy.overwritten()
            if wrong:
                return f"{name}: {wrong}"
        return None
