# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A launch: the types of the program, and its threads, block by block."""

import math
from types import SimpleNamespace

from model.functions import SINGLE, call_type
from model.module import Module

from .call import Call
from .meetings import results

#: Functions that the peer's tables do not have.
if hasattr(math, "exp2"):
    SINGLE.add(math.exp2)


class Typed(Module):
    """A module that keeps the inference of each function."""

    def __init__(self, text, types):
        super().__init__(text, peer=False, rotate=False, late=True)
        self.kernel = self.names["k"]
        self.kernel = getattr(self.kernel, "function", self.kernel)
        self.call(self.kernel, types)
        self.types = tuple(types)

    def math_type(self, function, kinds):
        """The type in which a function of `math` computes."""
        return call_type(function, kinds)


class Launch:
    """What the threads of a launch share."""

    def __init__(self, typed, grid, block):
        """Of `grid` blocks, the shape of which is `block`."""
        self.typed, self.grid = typed, grid
        extents = block if isinstance(block, tuple) else (block,)
        self.extents = dict(zip("xyz", (*extents, 1, 1), strict=False))
        #: How many threads a block has.
        self.block = math.prod(extents)
        self.steps = 0
        self.features = set()
        #: Array and index of a result that need not be exact -> its type.
        self.rounded = {}

    def run(self, arguments):
        """Runs the kernel; it changes the arrays among the arguments."""
        inference = self.typed.inferred[self.typed.kernel, self.typed.types]
        for block in range(self.grid):
            self.shared = {}
            self.has_left = False
            waiting = []
            for thread in range(self.block):
                place = SimpleNamespace(block=block, thread=thread)
                place.index = self.index_of(thread)
                call = Call(self, inference, place)
                names = inference.parameters
                waiting.append(call.run(zip(names, arguments, strict=True)))
            self.run_block(dict(enumerate(waiting)))

    def index_of(self, thread):
        """The index of a thread of a block, by axis."""
        index = {}
        for axis, extent in self.extents.items():
            thread, index[axis] = divmod(thread, extent)
        return index

    def run_block(self, threads):
        """Runs threads by their index until each has left."""
        given = dict.fromkeys(threads)
        waiting = {}
        while threads:
            for index, result in given.items():
                try:
                    waiting[index] = threads[index].send(result)
                except StopIteration:
                    # It is not waited for.
                    del threads[index]
                    self.has_left = True
            given = results(waiting, threads) if threads else {}
            for index in given:
                del waiting[index]
