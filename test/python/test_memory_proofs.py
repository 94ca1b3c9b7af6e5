# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches prove of accesses is true: random indices and conditions.

Each kernel is also plain Python, which says what its accesses are; a proof that
is wrong lets the kernel read what is not the array's.
"""

import linecache
import random
import warnings

import numpy as np
import pytest

from pyk import cuda
from pyk._options import options

pytestmark = pytest.mark.on_the_cpu(reason="the CPU proves")

COUNT = 40


class Writer:
    """Writes one kernel."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = ["i", "t", "b", "n", "s", "m"]
        self.loops = 0

    def term(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.2:
            constant = str(self.random.randint(-3, 40))
            return pick([*self.names, *self.names, constant])
        one, other = self.term(depth - 1), self.term(depth - 1)
        small = self.random.randint(1, 5)
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
                lines.append(f"{indent}acc += x[{self.term(2)}]")
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
            head = [f"{indent}for {k} in range({self.term(1)}, "
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


@pytest.mark.parametrize("way", ["reference", "simd"])
def test_random_kernels(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "cpu", way)
    proven = 0
    for seed in range(COUNT):
        body = Writer(seed).text()
        kernel_text = (
            "def kernel(x, out, n, s, m):\n    i = cuda.grid(1)\n"
            "    t = cuda.threadIdx.x\n    b = cuda.blockIdx.x\n"
            "    acc = 0\n" + body.replace("return", "return") +
            "\n    out[i] = acc\n"
        )  # fmt: skip
        model_text = (
            "def model(x, i, t, b, n, s, m):\n    acc = 0\n"
            + body.replace("return", "return None")
            + "\n    return acc\n"
        )
        name = f"<proofs {way} {seed}>"
        linecache.cache[name] = (
            len(kernel_text), None, kernel_text.splitlines(True), name
        )  # fmt: skip
        scope: dict = {"cuda": cuda}
        exec(compile(kernel_text, name, "exec"), scope)
        exec(model_text, scope)
        kernel = cuda.jit(scope["kernel"])
        for blocks, threads, n, s, m in [
            (2, 16, 32, 2, 5), (1, 32, 20, 1, 0), (3, 8, 40, 3, 7),
            (2, 16, 1, 4, 30),
        ]:  # fmt: skip
            for size in (n, n + 40, 3):
                # Apart from all else that is 1.
                x = np.ones(size, np.int64)
                total = blocks * threads
                out = np.full(total, -1)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    kernel[blocks, threads](x, out, n, s, m)
                expected = [
                    scope["model"](Memory(size), i, i % threads, i // threads,
                                   n, s, m)
                    for i in range(total)
                ]  # fmt: skip
                found = [
                    None if a == -1 and e is None else a
                    for a, e in zip(out.tolist(), expected, strict=True)
                ]
                assert found == expected, kernel_text
        kinds = {variant[2] for variant in kernel._functions}
        proven += any("inside" in kind for kind in kinds)
    # Not all are refused, or the test would show nothing.
    assert proven > COUNT // 4
