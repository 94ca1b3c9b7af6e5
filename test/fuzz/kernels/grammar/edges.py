# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs at the edges: of vectors, of element types, and of indices.

Blocks have one thread more than vectors have lanes, threads are told apart by
constants, results are stored as narrower types, and some indices are constants
far outside of every array.
"""

import math

import numpy as np

from .expressions import HEAD
from .statements import Statements
from .values import CASTS, CLASS, NARROW, TYPES, nasty

#: Shapes of blocks, all of 8 n + 1 threads.
SHAPES = [(9,), (17,), (17,), (25,), (33,), (33,), (41,), (49,), (65,), (1, 17)]
SHAPES += [(3, 3), (3, 11), (11, 3), (5, 5), (7, 7), (5, 13), (1, 1, 9)]
SHAPES += [(3, 3, 1), (17, 1, 1), (1, 3, 11), (3, 1, 3)]
#: What the place of a thread is compared with.
EDGES = [1, 7, 8, 9, 15, 16, 17, 24, 30, 31, 32, 33, 48, 49]
#: Types of what is stored into narrow outputs.
WIDER = ["int32", "int32", "int16", "int64", "uint32", "float32", "float64"]


class Edges(Statements):
    """Short programs of blocks of n + 1 threads."""

    in_kernel = True

    def __init__(self, seed):
        super().__init__(seed)
        self.grid, self.shape = self.pick(1, 2), self.pick(*SHAPES)
        self.block = math.prod(self.shape)
        self.has_left = False
        self.own = {}
        self.pass_arguments()
        self.emit(0, "@cuda.jit")
        names = ", ".join(name for name, _ in self.arguments)
        self.emit(0, f"def k({names}):")
        self.emit(1, f"i = {self.place()}")
        self.emit(1, f"t = cuda.blockIdx.x * {self.block} + i")
        self.write()
        self.text = HEAD + "\n".join(self.lines) + "\n"

    def place(self):
        """The index of the thread in its block."""
        place = "cuda.threadIdx.x"
        if len(self.shape) > 1:
            place += " + cuda.threadIdx.y * cuda.blockDim.x"
        if len(self.shape) > 2:
            whole = "cuda.blockDim.x * cuda.blockDim.y"
            place += f" + cuda.threadIdx.z * ({whole})"
        return place

    def pass_arguments(self):
        threads = self.grid * self.block
        for number in range(4):
            kind = self.pick(*NARROW, *NARROW, *TYPES)
            self.arguments.append((f"to{number}", self.output(kind, threads)))
        for number in range(3):
            kind = self.pick(*WIDER, *WIDER, *TYPES)
            value = nasty(kind, threads, self.random)
            self.arguments.append((f"a{number}", value))
            self.arrays[f"a{number}"] = CLASS[kind], value.shape
            # Of the thread's own, more often than of any.
            self.leaves[CLASS[kind]] += 2 * [f"a{number}[t]"]
        for number, shape in enumerate([(5,), (3, 2), (2, 3, 2)]):
            kind = self.pick(*WIDER)
            value = nasty(kind, math.prod(shape), self.random)
            layout = self.pick("C", "F")
            value = np.array(value.reshape(shape), order=layout)
            self.arguments.append((f"far{number}", value))

    def output(self, kind, threads):
        """An array with an element for each thread, or one with two."""
        form = self.pick("plain", "plain", "plain", "columns", "rows", "steps")
        if form == "columns":
            return np.zeros((threads, 2), kind, order="F")
        if form == "rows":
            return np.zeros((threads, 2), kind)
        if form == "steps":
            return np.zeros(2 * threads, kind)[:: self.pick(2, -2)]
        return np.zeros(threads, kind)

    # Statements.

    def write(self):
        for _ in range(self.pick(1, 2, 3)):
            self.compute(1)
        forms = ["give"] * 4 + ["leave_by", "far", "far", "compute", "cells"]
        forms += ["wait"] * 2
        self.give(1)
        for _ in range(self.pick(3, 4, 6)):
            getattr(self, self.pick(*forms))(1)
        self.give(1)

    def edge(self):
        """A condition by which few threads, or all but few, are chosen."""
        own = self.pick("i", "i", "t", "cuda.threadIdx.x")
        operator = self.pick("<", "<=", ">", ">=", "==", "!=")
        edge = self.pick(*EDGES, self.block - 1, self.block - 2)
        if own == "cuda.threadIdx.x" or self.chance(0.15):
            return f"cuda.threadIdx.x {operator} cuda.blockDim.x - 1"
        return f"{own} {operator} {edge}"

    def guarded(self, depth, probability):
        """How deep a statement stands that may be for few threads only."""
        if self.chance(probability):
            self.emit(depth, f"if {self.edge()}:")
            return depth + 1
        return depth

    def wider(self):
        """A value of another type than most outputs have."""
        kind = self.pick(*WIDER)
        arrays = [name for name in self.arrays if name[0] == "a"]
        if self.chance(0.4):
            return f"{self.pick(*arrays)}[t]"
        sources = {"s": "sssfb", "u": "uusf", "f": "ffsu"}[CLASS[kind]]
        source = self.expression(self.pick(*sources), 2)
        return f"{CASTS[kind]}({source})" if self.chance(0.7) else source

    def give(self, depth):
        """Into the thread's own elements of an output."""
        name, array = self.pick(*self.arguments[:4])
        kind = CLASS[array.dtype.name]
        value = self.expression("c", 2) if kind == "c" else self.wider()
        index = "t" if array.ndim == 1 else f"t, {self.pick(0, 1)}"
        depth = self.guarded(depth, 0.4)
        operator = self.pick("", "", "", "+") if kind not in "bc" else ""
        self.emit(depth, f"{name}[{index}] {operator}= {value}")

    def leave_by(self, depth):
        self.emit(depth, f"if {self.edge()}:")
        self.emit(depth + 1, "return")
        self.has_left = True

    def wait(self, depth):
        if self.has_left or self.chance(0.5):
            self.emit(depth, "cuda.syncthreads()")
        else:
            self.emit(depth, "cuda.syncwarp()")

    def far(self, depth):
        """A load or a store that leaves the memory of its array."""
        number, extents = self.pick((0, [5]), (1, [3, 2]), (2, [2, 3, 2]))
        index = [self.pick("0", "-1", "1", "t % 2") for _ in extents]
        index[self.random.randrange(len(index))] = self.far_index()
        text = f"far{number}[{', '.join(index)}]"
        depth = self.guarded(depth, 0.2)
        if self.chance(0.5):
            self.emit(depth, f"{text} = {self.wider()}")
            return
        name, array = self.pick(*self.arguments[:4])
        own = "t" if array.ndim == 1 else "t, 1"
        self.emit(depth, f"{name}[{own}] = {text}")

    def cells(self, depth):
        """A narrow shared array, of which the block does not set the end.

        Each thread sets its own cell, few of them once more, and reads others.
        """
        if self.has_left:
            self.wait(depth)
            return
        self.count += 1
        name, kind = f"cells{self.count}", self.pick(*NARROW)
        size = self.block + 4
        self.emit(depth, f"{name} = cuda.shared.array({size}, {CASTS[kind]})")
        self.emit(depth, f"{name}[i] = {self.wider()}")
        self.emit(depth, "if i < 4:")
        self.emit(depth + 1, f"{name}[{self.block} + i] = i + 1")
        self.emit(depth, "cuda.syncthreads()")
        inner = self.guarded(depth, 0.7)
        place = self.pick("i", "i", f"{self.block - 1} - i")
        self.emit(inner, f"{name}[{place}] = {self.wider()}")
        self.emit(depth, "cuda.syncthreads()")
        into = self.pick(*(n for n, a in self.arguments[:4] if a.ndim == 1), "")
        if into:
            place = self.pick("i + 4", "i + 1", "i", f"{size - 1} - i")
            self.emit(depth, f"{into}[t] = {name}[{place}]")
