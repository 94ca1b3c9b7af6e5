# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of phases between barriers."""

from .blocks import Blocks
from .values import CLASS, TYPES


class Phases(Blocks):
    """A block program free of races: phases between barriers.

    In each phase a thread sets its own cell of one shared array and reads any
    cell of the other, which the phase before has set. Between, threads exchange
    values and change places together.
    """

    def choose_shape(self):
        self.grid, self.block = self.pick(1, 2), self.pick(2, 5, 8, 9, 9, 17)
        if self.chance(0.12):
            self.block = 40  # more than a warp

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
        for _ in range(self.pick(0, 1, 2)):
            self.change(depth)
        self.emit(depth, "cuda.syncthreads()")
        for _ in range(self.pick(0, 1, 2)):
            self.exchange(depth)

    def write(self):
        self.kinds = self.pick(*TYPES), self.pick(*TYPES)
        for name, kind in zip(("left", "right"), self.kinds, strict=True):
            self.share(name, kind)
        self.begin()
        for number in range(self.pick(1, 2, 3)):
            form = self.random.random()
            if form < 0.35:
                turns = self.pick(1, 2, 3)
                self.emit(1, f"for n{number} in range({turns}):")
                before = set(self.defined)
                self.phase(2, 0)
                self.phase(2, 1)
                self.defined = before
                continue
            if form < 0.5:
                self.leave()
            self.phase(1, 2 * number)
            self.phase(1, 2 * number + 1)
        self.emit(1, "cuda.syncthreads()")
        for slot, (name, kind) in enumerate(
            zip(("left", "right"), self.kinds, strict=True)
        ):
            into = "out" + {"b": "s"}.get(CLASS[kind], CLASS[kind])
            self.emit(1, f"{into}[t, {slot}] = {name}[{self.block - 1} - i]")
        self.results()
