# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs with barriers."""

import numpy as np

from .exchanges import Exchanges
from .expressions import HEAD
from .values import (
    ATOMICS,
    CASTS,
    CLASS,
    COUNTED,
    SIGNED,
    SLOTS,
    TYPES,
    UNSIGNED,
    nasty,
)


class Phases(Exchanges):
    """A block program free of races: phases between barriers.

    In each phase a thread sets its own cell of one shared array and reads any
    cell of the other, which the phase before has set. Atomic operations of one
    kind change a third array, which is read at the end, and those of several
    kinds `sums`, of which each has its own place. Between, threads exchange
    values.
    """

    def __init__(self, seed):
        super().__init__(seed)
        self.grid, self.block = self.pick(1, 2), self.pick(2, 5, 8)
        if self.chance(0.12):
            self.block = 40  # more than a warp
        self.write()
        self.text = HEAD + "\n".join(self.lines) + "\n"

    def phase(self, depth, number):
        """Sets this phase's cell and meets the others."""
        cells = [("left", self.kinds[0]), ("right", self.kinds[1])]
        (to, to_kind), (source, source_kind) = (
            cells if number % 2 else cells[::-1]
        )
        other = f"{source}[{self.expression('s', 1)} % {self.block}]"
        name = f"{CLASS[source_kind]}{self.random.randrange(3)}"
        self.emit(depth, f"{name} = {other}")
        self.defined.add(name)
        if self.chance(0.3):
            self.emit(depth, f"if {self.expression('b')}:")
            self.emit(depth + 1, f"{name} = {source}[{self.block} - 1 - i]")
        self.emit(depth, f"{to}[i] = {self.expression(CLASS[to_kind])}")
        if self.chance(0.4):
            cell = f"{self.expression('s', 1)} % {self.block}"
            value = f"{CASTS[self.counted]}({self.expression('s', 1)})"
            name = f"cuda.atomic.{self.atomic}"
            self.emit(depth, f"{name}(counts, {cell}, {value})")
        if self.chance(0.4):
            self.update(depth)
        self.emit(depth, "cuda.syncthreads()")
        for _ in range(self.pick(0, 1, 2)):
            self.exchange(depth)

    def update(self, depth):
        """An atomic operation whose order is nothing to the others."""
        slot = self.random.randrange(len(self.operations))
        name = self.operations[slot]
        value = f"{CASTS[self.summed]}({self.expression('s', 1)})"
        if name in ("inc", "dec"):
            # With one bound for all of them.
            value = f"{CASTS[self.summed]}(5)"
        place = str(self.pick(slot, slot - len(self.operations)))
        if place[0] != "-" and self.chance(0.4):
            place = f"{CASTS[self.pick(*SIGNED, *UNSIGNED)]}({place})"
        if self.chance(0.3):
            self.emit(depth, f"if {self.expression('b')}:")
            depth += 1
        self.emit(depth, f"cuda.atomic.{name}(sums, {place}, {value})")

    def write(self):
        threads = self.grid * self.block
        self.arguments.append(("outs", np.zeros((threads, SLOTS), np.int64)))
        self.arguments.append(("outu", np.zeros((threads, SLOTS), np.uint64)))
        self.arguments.append(("outf", np.zeros((threads, SLOTS))))
        self.arguments.append(("outc", np.zeros((threads, SLOTS), complex)))
        for number in range(3):
            kind = self.pick(*TYPES)
            value = nasty(kind, threads, self.random)
            self.arguments.append((f"a{number}", value))
            self.arrays[f"a{number}"] = CLASS[kind], value.shape
        self.summed = self.pick(*COUNTED)
        self.operations = [*ATOMICS]
        if self.summed[0] == "u":
            self.operations += ["inc", "dec"]
        start = nasty(self.summed, len(self.operations), self.random)
        self.arguments.append(("sums", start))
        names = ", ".join(name for name, _ in self.arguments)
        self.kinds = self.pick(*TYPES), self.pick(*TYPES)
        self.defined = set()
        self.emit(0, "@cuda.jit")
        self.emit(0, f"def k({names}):")
        self.emit(1, "i = cuda.threadIdx.x")
        self.emit(1, "t = cuda.blockIdx.x * cuda.blockDim.x + i")
        for name, kind in zip(("left", "right"), self.kinds, strict=True):
            self.emit(
                1, f"{name} = cuda.shared.array({self.block}, {CASTS[kind]})"
            )
            self.emit(1, f"{name}[i] = {self.expression(CLASS[kind])}")
        self.counted = self.pick(*COUNTED)
        self.atomic = self.pick(*ATOMICS)
        shape = f"{self.block}, {CASTS[self.counted]}"
        self.emit(1, f"counts = cuda.shared.array({shape})")
        self.emit(1, f"counts[i] = {self.expression('s')}")
        self.emit(1, "cuda.syncthreads()")
        for number in range(self.pick(1, 2, 3)):
            form = self.random.random()
            if form < 0.35:
                turns = self.pick(1, 2, 3)
                self.emit(1, f"for n{number} in range({turns}):")
                before = set(self.defined)
                self.phase(2, 0)
                self.phase(2, 1)
                self.defined = before
            elif form < 0.5:
                self.emit(1, f"if {self.expression('b')}:")
                self.emit(2, "return")
                self.has_left = True
                self.phase(1, 2 * number)
                self.phase(1, 2 * number + 1)
            else:
                self.phase(1, 2 * number)
                self.phase(1, 2 * number + 1)
        for name, kind in zip(("left", "right"), self.kinds, strict=True):
            into = "out" + {"b": "s"}.get(CLASS[kind], CLASS[kind])
            slot = 0 if name == "left" else 1
            self.emit(1, f"{into}[t, {slot}] = {name}[{self.block - 1} - i]")
        into = "out" + CLASS[self.counted]
        self.emit(1, f"{into}[t, 2] = counts[{self.block - 1} - i]")
        for kind in "sufc":
            names = sorted(
                self.variables(kind) + self.variables("b") * (kind == "s")
            )
            for slot, name in enumerate(names[: SLOTS - 3]):
                self.emit(1, f"out{kind}[t, {slot + 3}] = {name}")
