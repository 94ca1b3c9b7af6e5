# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches prove of accesses is true: random indices and conditions.

Each kernel is also plain Python, which says what its accesses are; a proof that
is wrong lets the kernel read or write what is not the array's, which lies
between other numbers. Wild kernels get numbers that wrap, of which Python knows
nothing: there, only the other numbers count.
"""

import ctypes
import linecache
import random
import runpy
import warnings
from typing import Any

import numpy as np
import pytest

import pyk
from pyk import _core, cuda
from pyk._options import options
from support.places import EXAMPLES

pytestmark = pytest.mark.on_the_cpu(reason="the CPU proves")


COUNT = 40


class Writer:
    """Writes one kernel."""

    def __init__(self, seed: int, is_wild: bool) -> None:
        self.random = random.Random(seed)
        self.is_wild = is_wild
        self.names = ["i", "t", "b", "n", "s", "m"]
        self.loops = 0

    def term(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.2:
            constant = str(self.random.randint(-3, 40))
            return pick([*self.names, *self.names, constant])
        one, other = self.term(depth - 1), self.term(depth - 1)
        small = self.random.randint(1, 5)
        if self.is_wild and self.random.random() < 0.4:
            unsigned = f"np.uint64({small})"
            return pick([
                f"np.int64(np.uint64({one}) >> np.uint64(59 + {small}))",
                f"np.int64(max(np.uint64({one}), {unsigned}))",
                f"np.int64(np.uint64({one}) // {unsigned})",
                f"np.int64(np.uint64({one}) % {unsigned})",
                f"np.int64(np.int32({one}))", f"np.int64(np.uint32({one}))",
                f"({one} * {other})", f"({one} << {small})", f"y[{small}]",
                f"(({one} - {other}) if {one} > {other} else 0)",
                f"abs({one})", f"(-{one})",
            ])  # fmt: skip
        return pick([
            f"({one} + {other})", f"({one} - {other})", f"({one} + {small})",
            f"({one} - {small})", f"({small} * {one})", f"({one} // {small})",
            f"({one} % {small + 3})", f"({one} % n)", f"min({one}, {other})",
            f"max({one}, {other})", f"({one} & {2**small - 1})",
            f"({one} ^ {small})", f"({one} | {small})", f"({one} >> {small})",
            f"({one} if {pick(self.names)} < {other} else {other})",
        ])  # fmt: skip

    def condition(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0:
            sign = pick(["<", "<", "<=", ">", ">=", "==", "!="])
            return f"{self.term(1)} {sign} {self.term(1)}"
        one, other = self.condition(depth - 1), self.condition(depth - 1)
        return pick(
            [f"({one} and {other})", f"({one} or {other})", f"(not {one})", one]
        )

    def body(self, depth: int, indent: str) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1, 2)):
            kind = self.random.random()
            if depth == 0 or kind < 0.35:
                access = f"x[{self.term(2)}]"
                store = self.random.random() < 0.4
                lines.append(
                    f"{indent}{access} = 1" if store
                    else f"{indent}acc += {access}"
                )  # fmt: skip
            elif kind < 0.65:
                lines.append(f"{indent}if {self.condition(1)}:")
                lines += self.body(depth - 1, indent + "    ")
            else:
                lines += self.loop(depth, indent)
        return lines

    def loop(self, depth: int, indent: str) -> list[str]:
        pick = self.random.choice
        self.loops += 1
        k = f"k{self.loops}"
        inner = indent + "    "
        if self.random.random() < 0.5:
            step = self.random.randint(1, 3)
            head = [f"{indent}for {k} in range(max({self.term(1)}, -20), "
                    f"min({self.term(1)}, 40), {step}):"]  # fmt: skip
            tail = []
        else:
            first, test, change = pick([
                ("1", f"{k} < n", f"{k} *= 2"),
                ("n", f"{k} > 0", f"{k} //= 2"),
                ("t", f"{k} < n", f"{k} += s"),
                ("n - 1", f"{k} >= 0", f"{k} -= 2"),
                ("0", f"turn{k} < 3", f"{k} = 1 - {k}"),
            ])  # fmt: skip
            head = [f"{indent}{k} = {first}", f"{indent}turn{k} = 0",
                    f"{indent}while {test} and turn{k} < 9:"]  # fmt: skip
            tail = [f"{inner}{change}", f"{inner}turn{k} += 1"]
        self.names.append(k)
        lines = [*head, *self.body(depth - 1, inner), *tail]
        self.names.remove(k)
        return lines

    def text(self) -> str:
        lines = self.body(2, "    ")
        early = ["    if i >= n:", "        return"]
        return "\n".join(early * self.random.randint(0, 1) + lines)


class Memory:
    """What `x[i]` is to a kernel: 1 in the array, 0 outside."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __getitem__(self, index: int) -> int:
        if index < 0:
            index += self.size
        return int(0 <= index < self.size)

    def __setitem__(self, index: int, value: int) -> None:
        assert value == 1


class Island:
    """An array of 1 between other numbers, which are none of its memory."""

    SHORE, OTHER = 4096, 1000003

    def __init__(self, size: int) -> None:
        count = size + 2 * self.SHORE
        self.all = np.full(count, self.OTHER, np.int64)
        place = self.all.ctypes.data + 8 * self.SHORE
        own = (ctypes.c_int64 * size).from_address(place)
        self.array = np.ctypeslib.as_array(own)
        self.array[:] = 1

    def is_untouched(self) -> bool:
        size = self.array.size
        around = np.delete(self.all, np.s_[self.SHORE : self.SHORE + size])
        return bool((around == self.OTHER).all() and (self.array == 1).all())


def make(seed: int, way: str, is_wild: bool) -> tuple[Any, dict[str, Any], str]:
    """A kernel, what its text defines, and the text."""
    body = Writer(seed, is_wild).text()
    text = (
        "def kernel(x, y, out, n, s, m):\n    i = cuda.grid(1)\n"
        "    t = cuda.threadIdx.x\n    b = cuda.blockIdx.x\n"
        f"    acc = 0\n{body}\n    out[i] = acc\n\n"
        f"def model(x, i, t, b, n, s, m):\n    acc = 0\n{body}\n"
        "    return acc\n"
    )
    name = f"<proofs {way} {seed} {is_wild}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope: dict[str, Any] = {"cuda": cuda, "np": np}
    exec(compile(text, name, "exec"), scope)
    return cuda.jit(scope["kernel"]), scope, text


@pytest.fixture(params=["reference", "simd"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(options, "cpu", request.param)
    warnings.simplefilter("ignore")
    return str(request.param)


def is_proven(kernel: Any) -> bool:
    """Whether no launch had to have accesses checked."""
    return all("inside" in variant[2] for variant in kernel._variants.functions)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_random_kernels(way: str) -> None:
    proven = 0
    for seed in range(COUNT):
        kernel, scope, text = make(seed, way, is_wild=False)
        # The same with room for all accesses of most kernels.
        roomy = cuda.jit(kernel.py_func)
        for blocks, threads, n, s, m in [
            (2, 16, 32, 2, 5), (1, 32, 20, 1, 0), (3, 8, 40, 3, 7),
            (2, 16, 1, 4, 30),
        ]:  # fmt: skip
            for run, size in [
                (kernel, n), (kernel, n + 40), (kernel, 3), (roomy, 1000)
            ]:  # fmt: skip
                island = Island(size)
                total = blocks * threads
                out = np.full(total, -1)
                run[blocks, threads](
                    island.array, np.zeros(8, np.int64), out, n, s, m
                )
                expected = [
                    scope["model"](
                        Memory(size), i, i % threads, i // threads, n, s, m
                    )
                    for i in range(total)
                ]
                assert island.is_untouched(), text
                # None is a thread that has returned.
                assert out.tolist() == [
                    -1 if one is None else one for one in expected
                ], text
        proven += is_proven(roomy)
    # Not all are refused, or the test would show nothing.
    assert proven > COUNT // 4


EDGES = [0, 1, -1, 5, 2**31 - 1, -(2**31), 2**32, 2**62, 2**63 - 1, -(2**63)]


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")
def test_wild_kernels(way: str) -> None:
    for seed in range(COUNT):
        kernel, _, text = make(seed, way, is_wild=True)
        pick = random.Random(seed).choice
        for _ in range(12):
            n, s, m = abs(pick(EDGES)) % 2**63 or 1, pick(EDGES), pick(EDGES)
            island = Island(pick([1, 16, 64]))
            y = np.array([pick(EDGES) for _ in range(8)])
            kernel[2, 16](
                island.array, y, np.zeros(32, np.int64),
                np.int64(n), np.int64(s), np.int64(m),
            )  # fmt: skip
            assert island.is_untouched(), (text, n, s, m)


@cuda.jit
def either(a, out, is_long):
    """What is read where the other condition holds does not matter."""
    i = cuda.grid(1)
    if i < out.size:
        if is_long > 0:
            out[i] = a[i + 100]
        else:
            out[i] = a[i]


def test_a_branch_that_is_not_taken_is_proven(way: str) -> None:
    a, out = np.arange(21, dtype=np.float32), np.zeros(21, np.float32)
    kernel = cuda.jit(either.py_func)
    kernel[1, 32](a, out, 0)
    np.testing.assert_array_equal(a, out)
    assert is_proven(kernel)


def test_a_branch_that_is_taken_is_not_proven(way: str) -> None:
    """Of `either`, at a launch that reads what is not there."""
    a, out = np.ones(21, np.float32), np.full(21, 7, np.float32)
    kernel = cuda.jit(either.py_func)
    kernel[1, 32](a, out, 1)
    cuda.synchronize()
    assert not is_proven(kernel)
    assert not out.any()


# Tiles with edges, halves that are rounded up, loops that count downward.
@pytest.mark.parametrize(
    "name", ["02-block-sum", "03-tiled-matmul", "20-guvectorize"]
)
def test_examples_are_proven(
    name: str, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None of their kernels is compiled again to check its accesses."""
    assumed = []

    def record(**request: Any) -> Any:
        if request["target"] == "cpu":
            assumed.append(request["options"]["assume"])
        return compile_it(**request)

    compile_it = _core.compile
    monkeypatch.setattr(_core, "compile", record)
    pyk.install_as_numba()
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    assert assumed
    assert all("inside" in facts.split(",") for facts in assumed), assumed
