# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose threads meet: what they begin and end with."""

import numpy as np

from .expressions import HEAD
from .meetings import Meetings
from .values import CASTS, CLASS, SLOTS, TYPES, nasty


class Blocks(Meetings):
    """A program whose threads meet."""

    grid: int

    def __init__(self, seed):
        super().__init__(seed)
        self.count = 10  # numbers below are those of other variables
        self.choose_shape()
        self.shape = (self.block,)
        self.pass_arguments()
        names = ", ".join(name for name, _ in self.arguments)
        self.emit(0, "@cuda.jit")
        self.emit(0, f"def k({names}):")
        self.emit(1, "i = cuda.threadIdx.x")
        self.emit(1, "t = cuda.blockIdx.x * cuda.blockDim.x + i")
        self.write()
        self.text = HEAD + "\n".join(self.lines) + "\n"

    def choose_shape(self):
        """Sets how many blocks and threads there are."""
        raise NotImplementedError

    def write(self):
        """The statements of the kernel."""
        raise NotImplementedError

    def pass_arguments(self):
        """Arrays for results, and three to read of."""
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
        self.pass_places()

    def share(self, name, kind):
        """A shared array with a cell for each thread, which it sets."""
        shape = f"{self.block}, {CASTS[kind]}"
        self.emit(1, f"{name} = cuda.shared.array({shape})")
        self.emit(1, f"{name}[i] = {self.expression(CLASS[kind])}")

    def begin(self):
        """What the block shares, and the barrier behind."""
        self.kind_of_lanes = self.pick(*TYPES)
        self.share("lanes", self.kind_of_lanes)
        self.share_places(1)
        self.emit(1, "cuda.syncthreads()")

    def leave(self):
        """Some threads return."""
        self.emit(1, f"if {self.predicate()}:")
        self.emit(2, "return")
        self.has_left = True

    def results(self):
        """What the block has left, and what variables hold at the end."""
        self.show_places(1)
        for kind in "sufc":
            names = sorted(
                self.variables(kind) + self.variables("b") * (kind == "s")
            )
            for slot, name in enumerate(names[: SLOTS - 3]):
                self.emit(1, f"out{kind}[t, {slot + 3}] = {name}")
