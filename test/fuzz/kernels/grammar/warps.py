# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of what warps do together, in blocks of several of them."""

from .blocks import Blocks

#: Most have a last warp that is a part of one.
THREADS = [1, 3, 8, 9, 16, 17, 20, 25, 31, 32, 33, 33, 40, 48, 49, 64, 65, 72]


class Warps(Blocks):
    """One exchange after another, some in loops, some for one block only."""

    def choose_shape(self):
        self.grid, self.block = self.pick(1, 2), self.pick(*THREADS)

    def statement(self, depth):
        if self.chance(0.25):
            self.change(depth)
        else:
            self.exchange(depth)

    def write(self):
        self.begin()
        for kind in "suf":
            self.emit(1, f"{kind}0 = {self.expression(kind)}")
            self.defined.add(f"{kind}0")
        leaves = self.chance(0.3)
        for number in range(self.pick(5, 6, 8)):
            before = set(self.defined)
            form = self.random.random()
            if leaves and number == 2:
                self.leave()
            if form < 0.2:
                self.emit(1, f"for n{number} in range({self.pick(1, 2, 3)}):")
            elif form < 0.3:
                self.emit(1, f"if cuda.blockIdx.x == {self.pick(0, 1)}:")
            else:
                self.statement(1)
                continue
            for _ in range(self.pick(1, 2)):
                self.statement(2)
            self.defined = before
        self.emit(1, "cuda.syncthreads()")
        self.results()
