# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs whose threads have nothing to do with each other."""

import numpy as np

from .expressions import HEAD
from .functions import Functions
from .values import ATOMICS, CASTS, CLASS, COUNTED, SLOTS, TYPES, nasty


class Program(Functions):
    """A program whose threads have nothing to do with each other."""

    grid, block = 2, 2
    shape = (2,)

    def __init__(self, seed):
        super().__init__(seed)
        self.write()
        self.text = HEAD + "\n".join(self.lines) + "\n"

    # Statements.

    def argument(self, name, value):
        self.arguments.append((name, value))

    def array(self, name):
        """An array of any type, rank and layout."""
        kind = self.pick(*TYPES)
        shape = [self.pick(1, 2, 3, 4) for _ in range(self.pick(1, 1, 2, 3))]
        layout = self.pick("C", "C", "F", "A")
        value = nasty(kind, int(np.prod(shape)), self.random).reshape(shape)
        if layout == "F":
            value = np.asfortranarray(value)
        elif layout == "A":
            place = np.zeros([2 * n for n in shape], kind)
            part = place[
                tuple(slice(None, None, self.pick(2, -2)) for _ in shape)
            ]
            part[...] = value
            value = part
        self.argument(name, value)
        self.arrays[name] = CLASS[kind], value.shape

    def write(self):
        """The whole program."""
        self.has_records = self.chance(0.35)
        if self.has_records:
            self.define_record()
        self.device_functions()
        threads = self.grid * self.block
        self.argument("outs", np.zeros((threads, SLOTS), np.int64))
        self.argument("outu", np.zeros((threads, SLOTS), np.uint64))
        self.argument("outf", np.zeros((threads, SLOTS)))
        self.argument("outc", np.zeros((threads, SLOTS), complex))
        self.argument("rough", np.zeros((threads, SLOTS)))
        self.argument("roughc", np.zeros((threads, SLOTS), complex))
        counted = self.pick(*COUNTED)
        start = nasty(counted, 2 * len(ATOMICS), self.random)
        self.argument("sums", start.reshape(2, len(ATOMICS)))
        kind = self.pick(*TYPES)
        shape = [threads, *(self.pick(1, 2, 3) for _ in range(self.pick(1, 2)))]
        self.argument("all", np.zeros(shape, kind))
        for number in range(3):
            self.array(f"a{number}")
        for number in range(4):
            of_scalar = self.pick(*TYPES)
            name = f"{CLASS[of_scalar]}{5 + number}"
            value = nasty(of_scalar, 1, self.random)[0]
            self.argument(name, value)
            self.leaves[CLASS[of_scalar]].append(name)
        self.pass_objects()
        if self.has_records:
            self.pass_records(threads)
        names = ", ".join(name for name, _ in self.arguments)
        self.emit(0, "@cuda.jit")
        self.emit(0, f"def k({names}):")
        self.emit(1, "t = cuda.grid(1)")
        self.emit(1, "mine = all[t]")
        self.in_kernel, self.defined = True, set()
        names = [name for name, _ in self.arguments]
        self.defined |= {"q5"} & set(names)
        self.members = {k: [n for n in names if n == f"{k}5"] for k in "ed"}
        self.counted = None
        if self.has_records:
            self.own_records()
        self.own = {"mine": (CLASS[kind], tuple(shape[1:]))}
        self.arrays["mine"] = self.own["mine"]
        if self.chance(0.5):
            self.own_array("local")
        if self.chance(0.65):
            self.own_array("shared")
        for _ in range(self.pick(2, 3, 4)):
            if self.defined is not None:
                self.suite(1, 0, False)
        if self.defined is not None:
            self.results()

    def own_array(self, space):
        """Memory of the thread's own, all of which is set before its use.

        In shared memory that is its row of an array.
        """
        kind = self.pick(*TYPES)
        if space == "shared" and self.chance(0.6):
            # Of two operations unsigned integers only have.
            kind = self.counted = self.pick(*COUNTED, "uint32", "uint64")
        shape = [self.pick(1, 2, 3) for _ in range(self.pick(1, 2))]
        whole = [self.block, *shape] if space == "shared" else shape
        text = str(tuple(whole)) if len(whole) > 1 else str(whole[0])
        self.emit(1, f"{space} = cuda.{space}.array({text}, {CASTS[kind]})")
        if space == "shared":
            self.emit(1, "shared = shared[cuda.threadIdx.x]")
        index = [f"z{d}" for d in range(len(shape))]
        for d, extent in enumerate(shape):
            self.emit(1 + d, f"for z{d} in range({extent}):")
        value = self.expression(CLASS[kind], 2)
        self.emit(1 + len(shape), f"{space}[{', '.join(index)}] = {value}")
        self.own[space] = self.arrays[space] = CLASS[kind], tuple(shape)

    def results(self):
        """What variables hold at the end, and what is not quite exact."""
        for slot in range(4):
            self.emit(1, f"rough[t, {slot}] = {self.rough(1)}")
        for kind in "sufc":
            for slot, name in enumerate(sorted(self.variables(kind))[:SLOTS]):
                self.emit(1, f"out{kind}[t, {slot}] = {name}")
