# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that break facts, alone and together, compute what Python computes.

One kernel that uses each kind of fact gets arguments that keep all of them, and
arguments that break a subset of the kinds, in every order of the two.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from pyk import cuda
from pyk.cuda import _compile
from pyk.cuda._dispatcher import Dispatcher

#: The kinds that a launch can break on every device. `inside` is of the CPU
#: alone and what breaks it is an error of the program.
KINDS = (
    *("scalars", "sizes", "disjoint", "outputs", "aligned", "strides"),
    "block",
)
#: Of no, one or two kinds, and of nearly all.
SUBSETS = [
    subset for count in (0, 1, 2, 6, 7) for subset in combinations(KINDS, count)
]
#: Elements that the kernel writes, and those on either side, which it must not.
COUNT, MARGIN, OUTSIDE = 24, 8, -77.0
LONG = 2**31 + 5


def compute(i, a, b, pairs, sums, n, shift):
    """The work of one thread, which touches no element of another's."""
    if i < n and i < sums.size:
        j = i + shift
        # Neighbours, which one access can take where arrays are aligned.
        pairs[2 * i] = a[2 * i] + 1
        pairs[2 * i + 1] = a[2 * i + 1] + 2
        # These load again: `pairs`, stored to above, may be `a`.
        sums[i] = a[2 * i] + 2 * a[2 * i + 1] + 10 * b[j]
        # So does this: `sums`, stored to above, may be every second of `pairs`.
        pairs[2 * i + 1] += pairs[2 * i]


@dataclass
class Launch:
    """Arguments of a launch, the arrays that hold them, and its shape."""

    memory: list[np.ndarray]
    arguments: tuple[Any, ...]
    block: int

    def reached(self) -> list[list[float]]:
        """All elements of all memory, also beside the arrays."""
        return [one.tolist() for one in self.memory]

    def on_the_device(self) -> tuple[list[Any], tuple[Any, ...]]:
        """The same memory and arguments in a device's memory, at addresses that
        are as aligned."""
        memory = []
        for one in self.memory:
            first = one.ctypes.data % 64 // 4
            whole = cuda.device_array(first + one.size, np.float32)
            assert whole.__cuda_array_interface__["data"][0] % 64 == 0
            memory.append(whole[first:])
            memory[-1].copy_to_device(one)

        def place(argument: Any) -> Any:
            if not isinstance(argument, np.ndarray):
                return argument
            address = argument.ctypes.data
            for host, device in zip(self.memory, memory, strict=True):
                offset = address - host.ctypes.data
                if 0 <= offset < host.nbytes:
                    first = device.__cuda_array_interface__["data"][0]
                    return cuda.as_cuda_array(Placed(argument, first + offset))
            raise AssertionError("an array of other memory")

        return memory, tuple(map(place, self.arguments))


class Placed:
    """An array as another is, at an address of a device."""

    def __init__(self, array: np.ndarray, address: int) -> None:
        self.__cuda_array_interface__ = {
            **array.__array_interface__,
            "data": (address, False),
            "version": 3,
        }


def make(broken: tuple[str, ...], by: int | None = None) -> Launch:
    """Arguments that break these facts.

    Of "scalars", "aligned" and "strides", argument `by` alone does so if given.
    """
    memory = []

    def breaks(kind: str, number: int) -> bool:
        return kind in broken and by in (None, number)

    def allocate(count: int) -> np.ndarray:
        # Addresses are multiples of 64 bytes, or 4 beyond.
        step = 2 if breaks("strides", len(memory)) else 1
        offset = 1 if breaks("aligned", len(memory)) else 0
        size = step * count
        whole = np.full(size + 2 * MARGIN + 32, OUTSIDE, np.float32)
        first = MARGIN + (-MARGIN - whole.ctypes.data // 4) % 16 + offset
        memory.append(whole[first - MARGIN : first + size + MARGIN])
        return whole[first : first + size : step]

    a = allocate(2 * COUNT)
    a[:] = np.arange(2 * COUNT)
    b = allocate(COUNT + 4)
    b[:] = np.arange(100, 100 + COUNT + 4)
    pairs = a if "disjoint" in broken else allocate(2 * COUNT)
    sums = pairs[::2] if "outputs" in broken else allocate(COUNT)
    if "sizes" in broken:
        # All elements are one.
        b = as_strided(b, (LONG,), (0,))
    n = 2**33 + 5 if breaks("scalars", 4) else COUNT - 3
    shift = -3 if breaks("scalars", 5) else 2
    block = 48 if "block" in broken else 32
    return Launch(memory, (a, b, pairs, sums, n, shift), block)


def expect(broken: tuple[str, ...], by: int | None = None) -> list[list[float]]:
    launch = make(broken, by)
    for i in range(2 * launch.block):
        compute(i, *launch.arguments)
    return launch.reached()


def define(declared: bool) -> Dispatcher:
    work = cuda.jit(device=True)(compute)

    def kernel(a, b, pairs, sums, n, shift):
        work(cuda.grid(1), a, b, pairs, sums, n, shift)

    # Arrays of a signature may have any strides.
    signature = ["void(f4[:], f4[:], f4[:], f4[:], i8, i8)"]
    return cuda.jit(*signature if declared else [])(kernel)


def assumed(kernel: Dispatcher) -> Iterator[set[str]]:
    for _, _, kinds, _ in kernel._variants.modules:
        yield set(kinds)


def launch_on_the_device(
    kernel: Dispatcher, kinds: tuple[str, ...], by: int | None = None
) -> None:
    """Launches with arrays of the device, and checks all that they hold."""
    launch = make(kinds, by)
    memory, arguments = launch.on_the_device()
    kernel[2, launch.block](*arguments)
    reached = [one.copy_to_host().tolist() for one in memory]
    assert reached == expect(kinds, by)


@pytest.fixture(autouse=True)
def assume_what_is_usual(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_compile.options, "assume", None)
    monkeypatch.delenv("PYK_ASSUME", raising=False)


@pytest.mark.parametrize("broken", SUBSETS, ids=lambda kinds: "+".join(kinds))
def test_results_are_those_of_python(broken: tuple[str, ...]) -> None:
    # Each kernel takes a while to compile, so each subset has one.
    is_declared = SUBSETS.index(broken) % 2 == 0
    kernel = define(is_declared)
    for kinds in ((), broken, ()) if is_declared else (broken, (), broken):
        launch = make(kinds)
        kernel[2, launch.block](*launch.arguments)
        assert launch.reached() == expect(kinds)


@pytest.mark.parametrize(
    "broken",
    [subset for subset in SUBSETS if len(subset) in (1, len(KINDS))],
    ids=lambda kinds: "+".join(kinds),
)
def test_arrays_of_the_device(broken: tuple[str, ...]) -> None:
    """These need no copies, so the way of a second launch is a shorter one."""
    kernel = define(declared=False)
    for kinds in ((), (), broken, broken, ()):
        launch_on_the_device(kernel, kinds)
        if kinds and broken in (("aligned",), ("disjoint",), ("strides",)):
            assert any(broken[0] not in own for own in assumed(kernel))


@pytest.mark.parametrize(
    ("kind", "by"),
    [
        # The kernel has wide accesses to these two arrays.
        *(("aligned", by) for by in (0, 2)),
        *(("strides", by) for by in range(4)),
        *(("scalars", by) for by in (4, 5)),
    ],
)
def test_one_argument_breaks_a_fact(kind: str, by: int) -> None:
    kernel = define(declared=False)
    launch_on_the_device(kernel, (), by)
    launch_on_the_device(kernel, (), by)
    assert all(kind in own for own in assumed(kernel))
    launch_on_the_device(kernel, (kind,), by)
    assert any(kind not in own for own in assumed(kernel))
    launch_on_the_device(kernel, (), by)


def test_argument_that_the_kernel_also_holds() -> None:
    """A launch compares arguments, not the arrays that a kernel captures."""
    held = cuda.to_device(np.arange(64.0))

    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < a.size:
            before = held[i]
            a[i] = before + 1
            out[i] = 10 * before + held[i]

    for a in cuda.to_device(np.zeros(64)), held:
        before = held.copy_to_host()
        out = np.zeros(64)
        kernel[2, 32](a, out)
        expected = 10 * before + before + (1 if a is held else 0)
        assert out.tolist() == expected.tolist()
        assert a.copy_to_host().tolist() == (before + 1).tolist()
