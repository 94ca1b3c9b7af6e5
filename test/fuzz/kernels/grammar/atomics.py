# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Atomic operations of many threads on one place, in any order.

What they leave is the same in each order; what they return is not, so that
only what is the same of all results together is kept: how often each number
was drawn, or the sum.
"""

import numpy as np

from .expressions import Expressions
from .values import ATOMICS, CASTS, CLASS, COUNTED, SIGNED, UNSIGNED, nasty

#: Steps that a loop around `cas` takes; they may come in any order.
RETRIED = ["{} + {}", "{} * {}", "{} ^ {}", "min({}, {})", "max({}, {})"]
#: How many numbers are told apart of those that threads draw.
DRAWN = 64


class Atomics(Expressions):
    """The part of a writer that changes places together.

    Each place of `sums` and each array has one operation, so that no two
    kinds meet:

    - `sums`, of the grid: all that the type has; `exch` and `cas` with one
      value for all threads, `inc` and `dec` with one bound.
    - `counts`, of the block: one operation.
    - `drawn`: numbers that threads draw, of which `taken` tells how often.
    - `tries` or, of the block, `attempts`: `cas` in a loop.
    - `passed`, of the block: `exch`; `total` is the sum of what was there.
    """

    grid: int
    block: int

    def pass_places(self):
        """The arguments that all threads change."""
        self.summed = self.pick(*COUNTED)
        self.operations = [*ATOMICS, "exch", "cas"]
        if self.summed[0] == "u":
            self.operations += ["inc", "dec"]
        start = nasty(self.summed, len(self.operations), self.random)
        self.arguments.append(("sums", start))
        self.exchanged = self.pick(0, 1, 77, 100)
        expected = int(start[self.operations.index("cas")])
        if abs(expected) > 1 << 62 or self.chance(0.5):
            expected = 5
        self.swapped = expected, self.pick(5, 6, 7)
        number = self.pick(*COUNTED)
        self.arguments.append(("drawn", np.zeros(2, number)))
        self.arguments.append(("taken", np.zeros(DRAWN, self.pick(*COUNTED))))
        draws = ["add", "sub"] + ["inc", "dec"] * (number[0] == "u")
        self.draws, self.kind_of_drawn = self.pick(*draws), number
        self.retried = self.pick(*COUNTED)
        start = nasty(self.retried, 1, self.random)
        self.arguments.append(("tries", start))
        threads = self.grid * self.block
        self.arguments.append(("tried", np.zeros(threads, self.retried)))
        self.step = self.pick(*RETRIED)
        self.is_tried_together = self.chance(0.5)
        self.kind_of_passed = self.pick(*COUNTED)
        self.arguments.append(("total", np.zeros(1, self.kind_of_passed)))

    def share_places(self, depth):
        """The places of the block; a barrier is to follow."""
        self.counted = self.pick(*COUNTED)
        names = [*ATOMICS] + ["inc", "dec"] * 2 * (self.counted[0] == "u")
        self.atomic = self.pick(*names)
        shape = f"{self.block}, {CASTS[self.counted]}"
        self.emit(depth, f"counts = cuda.shared.array({shape})")
        self.emit(depth, f"counts[i] = {self.expression('s')}")
        for name, kind in (
            ("attempts", self.retried),
            ("passed", self.kind_of_passed),
        ):
            self.emit(depth, f"{name} = cuda.shared.array(1, {CASTS[kind]})")
            self.emit(depth, "if i == 0:")
            self.emit(depth + 1, f"{name}[0] = 0")

    def show_places(self, depth):
        """What the block has left, behind a barrier."""
        into = "out" + CLASS[self.counted]
        self.emit(depth, f"{into}[t, 2] = counts[{self.block - 1} - i]")
        self.emit(depth, "tried[t] = attempts[0]")

    def change(self, depth):
        """Some atomic operation, wherever a thread may be."""
        forms = ["update", "update", "count_up", "count_up", "draw", "retry"]
        getattr(self, self.pick(*forms))(depth)

    def update(self, depth):
        """An operation whose order is nothing to the others."""
        slot = self.random.randrange(len(self.operations))
        name, cast = self.operations[slot], CASTS[self.summed]
        values = f"{cast}({self.expression('s', 1)})"
        if name in ("inc", "dec"):
            # With one bound for all of them.
            values = f"{cast}(5)"
        elif name == "exch":
            values = f"{cast}({self.exchanged})"
        elif name == "cas":
            values = ", ".join(f"{cast}({number})" for number in self.swapped)
        place = str(self.pick(slot, slot - len(self.operations)))
        if place[0] != "-" and self.chance(0.4):
            place = f"{CASTS[self.pick(*SIGNED, *UNSIGNED)]}({place})"
        if self.chance(0.3):
            self.emit(depth, f"if {self.expression('b')}:")
            depth += 1
        self.emit(depth, f"cuda.atomic.{name}(sums, {place}, {values})")

    def count_up(self, depth):
        """The operation of `counts`, on any of its cells."""
        extent = self.pick(self.block, min(self.block, 3), 1)
        cell = f"{self.expression('s', 1)} % {extent}"
        value = f"{CASTS[self.counted]}({self.expression('s', 1)})"
        if self.atomic in ("inc", "dec"):
            value = f"{CASTS[self.counted]}(5)"
        self.emit(depth, f"cuda.atomic.{self.atomic}(counts, {cell}, {value})")

    def ticket(self):
        self.count += 1
        return f"k{self.count}"

    def draw(self, depth):
        """A number that no other thread draws, up to a bound."""
        name = self.ticket()
        value = "1" if self.draws in ("add", "sub") else str(DRAWN - 1)
        cast = CASTS[self.kind_of_drawn]
        text = f"cuda.atomic.{self.draws}(drawn, 0, {cast}({value}))"
        self.emit(depth, f"{name} = {text}")
        self.emit(depth, f"cuda.atomic.add(taken, {name} % {DRAWN}, 1)")

    def append(self, depth, holds, mask):
        """Numbers for all lanes of `mask`, which one lane draws for them."""
        name, first = self.ticket(), f"cuda.ffs({mask}) - 1"
        self.emit(depth, f"if {holds}:")
        self.emit(depth + 1, f"{name} = {CASTS[self.kind_of_drawn]}(0)")
        self.emit(depth + 1, f"if cuda.laneid == {first}:")
        text = f"cuda.atomic.add(drawn, 1, cuda.popc({mask}))"
        self.emit(depth + 2, f"{name} = {text}")
        self.emit(
            depth + 1, f"{name} = cuda.shfl_sync({mask}, {name}, {first})"
        )
        rank = f"cuda.popc({mask} & cuda.lanemask_lt())"
        place = f"({name} + {rank}) % {DRAWN}"
        self.emit(depth + 1, f"cuda.atomic.add(taken, {place}, 1)")

    def retry(self, depth):
        """Replaces a number until no other thread has come between."""
        array = "attempts" if self.is_tried_together else "tries"
        old, value, seen = self.ticket(), self.ticket(), self.ticket()
        cast = CASTS[self.retried]
        self.emit(depth, f"{value} = {cast}({self.expression('s', 1)})")
        self.emit(depth, f"{old} = cuda.atomic.add({array}, 0, {cast}(0))")
        self.emit(depth, "while True:")
        new = f"{cast}({self.step.format(old, value)})"
        text = f"cuda.atomic.cas({array}, 0, {old}, {new})"
        self.emit(depth + 1, f"{seen} = {text}")
        self.emit(depth + 1, f"if {seen} == {old}:")
        self.emit(depth + 2, "break")
        self.emit(depth + 1, f"{old} = {seen}")

    def hand_on(self, depth):
        """Each thread takes what another has left; the last is taken, too."""
        cast = CASTS[self.kind_of_passed]
        for value in (self.expression("s", 1), "0"):
            name = self.ticket()
            text = f"cuda.atomic.exch(passed, 0, {cast}({value}))"
            self.emit(depth, f"{name} = {text}")
            self.emit(depth, f"cuda.atomic.add(total, 0, {name})")
            self.emit(depth, "cuda.syncthreads()")
