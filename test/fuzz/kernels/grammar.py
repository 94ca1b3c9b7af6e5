# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The writer of random kernels: text and arguments from a seed.

Names say what a variable holds: s and u signed and unsigned integers, f
floats, b bools, p pairs of an s and an f, v views. Within these, types mix as
they come, and the typing rules say what becomes of that. Indices stay within
extents, loops end, and what is exact to some last places only goes nowhere but
into `rough`; nothing else restrains a program.
"""

import random

import numpy as np

SIGNED = ["int8", "int16", "int32", "int64"]
UNSIGNED = ["uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
TYPES = ["bool", *SIGNED, *UNSIGNED, *FLOATS]
CLASS = (
    dict.fromkeys(SIGNED, "s")
    | dict.fromkeys(UNSIGNED, "u")
    | dict.fromkeys(FLOATS, "f")
    | {"bool": "b"}
)
CASTS = {name: f"np.{name}" for name in TYPES} | {"bool": "np.bool_"}
SLOTS = 6
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
UNARY_ROUNDED = (
    "sin cos tan exp exp2 expm1 log log2 log10 log1p asin acos atan sinh "
    "cosh tanh asinh acosh atanh degrees radians erf erfc"
).split()
HEAD = """\
import math
import numpy as np
from numba import cuda
STEP = 3
HALF = 0.5
"""


def nasty(kind, count, source):
    """Numbers of a type, many of them at its edges."""
    if kind == "bool":
        return np.array([source.random() < 0.5 for _ in range(count)])
    if kind in FLOATS:
        info = np.finfo(kind)
        edges = [
            *(0.0, -0.0, 0.5, -1.5, 3.0, -7.25, 1e4, -100.0, 1 / 3, 2.5, 63.0),
            *(info.max, -info.max, info.tiny, info.eps, -1.0, 1.0, 255.5),
            *(info.smallest_subnormal, np.inf, -np.inf, np.nan),
        ]
        if kind != "float16":
            edges += [2.0**31, -(2.0**63), 2.0**64, 1e10]
        chosen = [
            source.choice(edges)
            if source.random() < 0.5
            else source.uniform(-20, 20)
            for _ in range(count)
        ]
        return np.array(chosen, kind)
    info = np.iinfo(kind)
    edges = [0, 1, 2, 3, 7, 31, 63, 64, 127, 128, 255, -1, -2, -7, -64]
    edges += [info.max, info.min, info.max - 1, info.min + 1, 2**31, 2**53 + 1]
    edges = [n for n in edges if info.min <= n <= info.max]
    return np.array([source.choice(edges) for _ in range(count)], kind)


class Writer:
    """What all writers of programs share: expressions."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.functions = []
        self.arguments = []  # name, class, value
        self.count = 0
        self.indexing = 0  # how many indices the place of writing is within
        self.leaves = {kind: [] for kind in "sufb"}
        self.arrays = {}  # name of an array in reach -> (class, shape)

    def pick(self, *items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    # Expressions: the class of what is wanted, and how deep it may be.

    def expression(self, kind, depth=2):
        if depth <= 0 or self.chance(0.12):
            return self.leaf(kind)
        depth -= self.pick(1, 1, 2)
        write = {
            "s": self.signed,
            "u": self.unsigned,
            "f": self.floating,
            "b": self.truth,
        }
        return write[kind](depth)

    def variables(self, kind):
        return [n for n in self.defined if n[0] == kind and n[1:].isdigit()]

    def leaf(self, kind):
        names = sorted(self.variables(kind)) + self.leaves[kind]
        elements = [n for n, (c, _) in self.arrays.items() if c == kind]
        if elements and self.indexing < 2 and self.chance(0.35):
            return self.element(self.pick(*elements))
        if kind in "sf" and self.chance(0.1) and self.variables("p"):
            pair = self.pick(*sorted(self.variables("p")))
            return f"{pair}[{0 if kind == 's' else 1}]"
        if names and self.chance(0.7):
            return self.pick(*names)
        if kind == "b":
            return self.pick("True", "False", "(t > 1)", "(t % 2 == 0)")
        if kind == "u":
            cast = CASTS[self.pick(*UNSIGNED)]
            return f"{cast}({self.pick(0, 1, 3, 7, 200)})"
        if kind == "f":
            return self.pick("0.5", "-2.25", "1e-3", "3.0", "HALF", "1e30")
        number = str(self.pick(0, 1, 2, 3, 5, -1, -7, 64, 100, 2**31, -(2**40)))
        return self.pick("t", number, number, "STEP")

    def element(self, name):
        """An element of an array, at an index within it."""
        _, shape = self.arrays[name]
        return f"{name}[{', '.join(self.indices(name, shape))}]"

    def indices(self, name, shape):
        return [self.position(name, d, n) for d, n in enumerate(shape)]

    def position(self, name, dimension, extent):
        """An index: a constant or anything, wrapped; some from the end."""
        if self.chance(0.4):
            return str(self.random.randrange(-extent, extent))
        size = f"{name}.shape[{dimension}]"
        if dimension == 0 and self.chance(0.3):
            size = self.pick(f"len({name})", str(extent))
        self.indexing += 1
        depth = 1 if self.indexing == 1 else 0
        text = f"{self.expression(self.pick('s', 's', 'u'), depth)} % {size}"
        self.indexing -= 1
        return self.pick(text, text, f"-1 - {text}")

    def choice(self, kind, depth):
        """An expression that evaluates some of its parts only."""
        a, b = self.expression(kind, depth), self.expression(kind, depth)
        form = self.pick("if", "if", "and", "or")
        if form == "if":
            return f"({a} if {self.expression('b', depth)} else {b})"
        return f"({a} {form} {b})"

    def called(self, kind, depth):
        fitting = [f for f in self.functions if f[1] == kind]
        if not fitting:
            return self.leaf(kind)
        return self.call(self.pick(*fitting), depth)

    def call(self, function, depth):
        """A call: some arguments by name, some left out."""
        name, _, parameters, defaults = function
        given = len(parameters)
        if self.chance(0.4):
            given -= self.random.randrange(defaults + 1)
        named = given
        if self.chance(0.3):
            named = self.random.randrange(given + 1)
        texts = [self.expression(p[0], depth) for p in parameters[:given]]
        for i in range(named, given):
            texts[i] = f"{parameters[i]}={texts[i]}"
        return f"{name}({', '.join(['t', *texts])})"

    def integer_operator(self, a, b):
        operator = self.pick(
            *"+ - * // % & | ^ << >> + - *".split(), self.pick("**", "+")
        )
        if operator in ("<<", "**") and a.lstrip("-").isdigit():
            operator = "+"  # Python would compute it, without a limit
        if operator in ("<<", ">>") and self.chance(0.6):
            b = str(self.pick(0, 1, 5, 31, 40, 63, 64))
        if operator == "**" and self.chance(0.6):
            b = str(self.pick(0, 1, 2, 3, 5))
        return f"({a} {operator} {b})"

    def signed(self, depth):
        form = self.random.randrange(15)
        if form < 5:
            kinds = [self.pick("s", "s", "s", "u", "b"), "s"]
            self.random.shuffle(kinds)
            a, b = (self.expression(kind, depth) for kind in kinds)
            return self.integer_operator(a, b)
        if form == 5:
            return self.choice("s", depth)
        if form == 6:
            return self.called("s", depth)
        if form == 7:
            source = self.expression(self.pick("s", "u", "f", "b"), depth)
            return f"{CASTS[self.pick(*SIGNED)]}({source})"
        if form == 8:
            return f"int({self.expression(self.pick('s', 'f', 'b'), depth)})"
        if form == 9:
            source = self.expression(self.pick("s", "s", "b"), depth)
            return f"({self.pick('-', '+')}{source})"
        if form == 10:
            return f"(~{self.expression('s', depth)})"
        if form == 11:
            return f"abs({self.expression(self.pick('s', 's', 'b'), depth)})"
        if form == 12:
            return f"round({self.expression(self.pick('s', 'f'), depth)})"
        if form == 13:
            items = [
                self.expression("s", depth) for _ in range(self.pick(2, 3))
            ]
            return f"{self.pick('min', 'max')}({', '.join(items)})"
        return self.pick(
            "cuda.threadIdx.x", "cuda.blockIdx.x", "cuda.blockDim.x",
            "cuda.gridDim.x", "cuda.gridsize(1)", "cuda.threadIdx.y",
            f"pow({self.expression('s', depth)}, {self.pick(0, 1, 2, 3)})",
            *(f"{n}.{self.pick('size', 'ndim')}" for n in self.arrays),
        )  # fmt: skip

    def unsigned(self, depth):
        form = self.random.randrange(9)
        if form < 3:
            a, b = (self.expression("u", depth) for _ in "ab")
            if self.chance(0.2):
                operator = self.pick("<<", ">>")
                return f"({a} {operator} {self.expression('s', depth)})"
            return self.integer_operator(a, b)
        if form == 3:
            return self.choice("u", depth)
        if form == 4:
            return f"({self.pick('~', '-', '+')}{self.expression('u', depth)})"
        if form == 5:
            items = [self.expression("u", depth) for _ in "ab"]
            return f"{self.pick('min', 'max')}({', '.join(items)})"
        if form == 6:
            return f"{self.pick('abs', 'int')}({self.expression('u', depth)})"
        source = self.expression(self.pick("s", "u", "f", "b"), depth)
        return f"{CASTS[self.pick(*UNSIGNED)]}({source})"

    def floating(self, depth):
        form = self.random.randrange(14)
        any_kind = self.pick("s", "u", "f", "f", "f", "b")
        if form < 4:
            a = self.expression("f", depth)
            b = self.expression(any_kind, depth)
            if self.chance(0.3):
                a, b = b, a
            return f"({a} {self.pick('+', '-', '*', '/', '//', '%')} {b})"
        if form == 4:
            a = self.expression(self.pick("s", "u", "b"), depth)
            return f"({a} / {self.expression(self.pick('s', 'u'), depth)})"
        if form == 5:
            return self.choice("f", depth)
        if form == 6:
            return self.called("f", depth)
        if form in (7, 8):
            cast = CASTS[self.pick(*FLOATS)]
            return f"{cast}({self.expression(any_kind, depth)})"
        if form == 9:
            name = self.pick("floor", "ceil", "trunc", "fabs", "sqrt", "sqrt")
            return f"math.{name}({self.expression(any_kind, depth)})"
        if form == 10:
            a, b = self.expression("f", depth), self.expression(any_kind, depth)
            return f"math.{self.pick('copysign', 'fmod')}({a}, {b})"
        if form == 11:
            a = self.expression("f", depth)
            return self.pick(f"(-{a})", f"(+{a})", f"abs({a})")
        if form == 12:
            a, b, c = (self.expression("f", depth) for _ in "abc")
            return f"cuda.fma({a}, {b}, {c})"
        if self.chance(0.5):
            source = self.expression(self.pick("s", "u", "f"), depth)
            return f"float({source})"
        # Which of two zeros is the smaller is not said.
        items = [self.expression("f", depth) for _ in "ab"]
        return f"({self.pick('min', 'max')}({', '.join(items)}) + 0)"

    def truth(self, depth):
        form = self.random.randrange(10)
        if form < 4:
            a = self.expression(self.pick(*"sufb"), depth)
            b = self.expression(self.pick(*"sufb"), depth)
            text = f"{a} {self.pick(*COMPARISONS)} {b}"
            if self.chance(0.15):
                text += f" {self.pick(*COMPARISONS)} {self.leaf('s')}"
            return f"({text})"
        if form == 4:
            return f"(not {self.expression(self.pick(*'sufb'), depth)})"
        if form == 5:
            return f"bool({self.expression(self.pick(*'sufb'), depth)})"
        if form == 6:
            a, b = (self.expression("b", depth) for _ in "ab")
            return f"({a} {self.pick(*'&|^')} {b})"
        if form == 7:
            name = self.pick("isnan", "isinf", "isfinite")
            source = self.expression(self.pick("f", "f", "s"), depth)
            return f"math.{name}({source})"
        if form == 8 and self.chance(0.3):
            return f"(~{self.expression('b', depth)})"
        if form == 8 and self.chance(0.3):
            items = [self.expression("b", depth) for _ in "ab"]
            return f"{self.pick('min', 'max')}({', '.join(items)})"
        return self.choice("b", depth)

    def rough(self, depth):
        """An expression that is exact to some last places only."""
        kind = self.pick("f", "f", "f", "f", "s")
        form = self.random.randrange(8)
        if form < 5:
            name = self.pick(*UNARY_ROUNDED)
            return f"math.{name}({self.expression(kind, depth)})"
        a, b = self.expression("f", depth), self.expression(kind, depth)
        if form == 5:
            return f"math.{self.pick('atan2', 'pow')}({a}, {b})"
        if form == 6:
            return f"pow({a}, {b})"
        return f"{a} ** {b}"


class Program(Writer):
    """A program whose threads have nothing to do with each other."""

    grid, block = 2, 2

    def __init__(self, seed):
        super().__init__(seed)
        self.write()
        self.text = HEAD + "\n".join(self.lines) + "\n"

    # Statements.

    def target(self, kind):
        return f"{kind}{self.random.randrange(3)}"

    def assign(self, depth):
        form = self.random.randrange(20)
        kind = self.pick("s", "s", "u", "f", "f", "b")
        name = self.target(kind)
        if form < 6:
            self.emit(depth, f"{name} = {self.expression(kind, 3)}")
            self.defined.add(name)
        elif form < 9:
            self.augment(depth)
        elif form == 9:
            self.unpack(depth)
        elif form == 10:
            names = sorted(self.variables(kind))
            if len(names) < 2:
                return self.assign(depth)
            a, b = self.random.sample(names, 2)
            self.emit(depth, f"{a}, {b} = {b}, {a}")
        elif form == 11:
            pair = self.target("p")
            a, b = self.expression("s"), self.expression("f")
            text = self.pick(f"({a}, {b})", f"({a},) + ({b},)")
            self.emit(depth, f"{pair} = {text}")
            self.defined.add(pair)
        elif form in (12, 13):
            self.view(depth)
        elif not self.in_kernel:
            self.emit(depth, f"{name} = {self.expression(kind, 2)}")
            self.defined.add(name)
        elif form < 17:
            kind = self.pick("s", "u", "f")
            array = {"s": "outs", "u": "outu", "f": "outf"}[kind]
            slot = self.random.randrange(SLOTS)
            self.emit(depth, f"{array}[t, {slot}] = {self.expression(kind, 3)}")
        elif form == 17:
            slot = self.random.randrange(SLOTS)
            self.emit(depth, f"rough[t, {slot}] = {self.rough(2)}")
        else:
            self.store(depth)

    def store(self, depth):
        """Into an array of the thread's own, of any type."""
        name = self.pick(*self.own)
        _, shape = self.own[name]
        value = self.expression(self.pick("s", "u", "f", "b"), 2)
        index = ", ".join(self.indices(name, shape))
        if self.chance(0.2) and CLASS.get(self.own[name][0]) != "b":
            self.emit(
                depth, f"{name}[{index}] {self.pick('+', '*', '-')}= {value}"
            )
        else:
            self.emit(depth, f"{name}[{index}] = {value}")

    def augment(self, depth):
        names = sorted(n for k in "suf" for n in self.variables(k))
        if not names:
            return self.emit(depth, "pass")
        name = self.pick(*names)
        operators = ["+", "-", "*", "//", "%"]
        if name[0] != "f":
            operators += ["&", "|", "^", "<<", ">>", "**"]
        else:
            operators += ["/"]
        operator = self.pick(*operators)
        value = self.expression(name[0], 2)
        if operator == "**":
            value = str(self.pick(0, 1, 2, 3))
            value = f"np.uint8({value})" if name[0] == "u" else value
        return self.emit(depth, f"{name} {operator}= {value}")

    def unpack(self, depth):
        a, b = self.target("s"), self.target("f")
        pairs = [f for f in self.functions if f[1] == "p"]
        names = sorted(self.variables("p"))
        if pairs and self.chance(0.6):
            source = self.call(self.pick(*pairs), 1)
        elif names:
            source = self.pick(*names)
        else:
            source = f"{self.expression('s')}, {self.expression('f')}"
        self.emit(depth, f"{a}, {b} = {source}")
        self.defined |= {a, b}

    def view(self, depth):
        """A part of an array, under a new name."""
        if not self.arrays:
            return self.emit(depth, "pass")
        name = self.pick(*self.arrays)
        kind, shape = self.arrays[name]
        if len(shape) > 1 and self.chance(0.3):
            text, parts = f"{name}.T", shape[::-1]
        else:
            items, parts = [], []
            for d, extent in enumerate(shape):
                if d and self.chance(0.3):
                    parts += shape[d:]
                    break
                item, left = self.part(name, d, extent)
                items.append(item)
                parts += left
            if not parts:
                items[-1], parts = ":", [shape[len(items) - 1]]
            text = f"{name}[{', '.join(items)}]"
        self.count += 1
        self.emit(depth, f"v{self.count} = {text}")
        self.arrays[f"v{self.count}"] = kind, tuple(parts)
        return None

    def part(self, name, dimension, extent):
        """One item of an index, and the extents that it leaves."""
        if self.chance(0.45):
            return self.position(name, dimension, extent), []
        bounds = [None, *range(-extent - 1, extent + 2)]
        for _ in range(4):
            low, high = self.pick(*bounds), self.pick(*bounds)
            step = self.pick(None, None, None, 1, 2, -1, -2)
            count = len(range(extent)[low:high:step])
            if count:
                texts = ["" if n is None else str(n) for n in (low, high, step)]
                if texts[2] == "":
                    texts.pop()
                return ":".join(texts), [count]
        return ":", [extent]

    def leave(self, depth, in_loop):
        form = self.pick("break", "break", "continue", "continue", "return")
        if form != "return" and in_loop:
            self.emit(depth, form)
        else:
            self.give(depth)
        self.defined = None

    def give(self, depth):
        if self.in_kernel:
            self.emit(depth, "return")
        elif self.returns == "p":
            a, b = self.expression("s"), self.expression("f")
            self.emit(depth, f"return {a}, {b}")
        else:
            self.emit(depth, f"return {self.expression(self.returns)}")

    def branch(self, depth, nesting, in_loop):
        before, arrays, ends = set(self.defined), dict(self.arrays), []
        word = "if"
        for _ in range(self.pick(1, 1, 2, 3)):
            self.defined, self.arrays = set(before), dict(arrays)
            kind = self.pick("b", "b", "b", "s", "f", "u")
            self.emit(depth, f"{word} {self.expression(kind, 2)}:")
            self.suite(depth + 1, nesting + 1, in_loop)
            ends.append(self.defined)
            word = "elif"
        self.defined, self.arrays = set(before), dict(arrays)
        if self.chance(0.5):
            self.emit(depth, "else:")
            self.suite(depth + 1, nesting + 1, in_loop)
        ends.append(self.defined)
        self.arrays = arrays
        ends = [end for end in ends if end is not None]
        if not ends:
            self.defined = None
        elif self.chance(0.1):
            # What is set on some paths only is 0 on the others.
            shared = set.intersection(*ends)
            self.defined = {
                n for n in set.union(*ends) if n in shared or n[0] != "p"
            }
        else:
            self.defined = set.intersection(*ends)

    def range(self):
        a, b = self.expression("s", 1), self.expression("s", 1)
        return self.pick(
            f"({a}) % 6",
            str(self.pick(0, 1, 4)),
            f"np.int32(({a}) % 5)",
            f"np.uint8({self.expression('u', 1)}) % np.uint8(5)",
            f"({a}) % 7 - 3, ({b}) % 5",
            f"({a}) % 8 - 3, ({b}) % 9 - 4, {self.pick(1, 2, -1, -3)}",
            f"({a}) % 8 - 3, ({b}) % 9 - 4, t % 2 * 2 - 1",
            f"{2**31 - 4}, {2**31 + 3}, 2",
        )

    def loop(self, depth, nesting):
        self.count += 1
        before, arrays = set(self.defined), dict(self.arrays)
        form = self.random.random()
        flat = [n for n, (_, shape) in self.arrays.items() if len(shape) == 1]
        if form < 0.45:
            name = (
                self.target("s") if self.chance(0.5) else f"s{9 + self.count}"
            )
            self.emit(depth, f"for {name} in range({self.range()}):")
            self.defined.add(name)
        elif form < 0.55 and flat:
            array = self.pick(*flat)
            name = self.target(self.arrays[array][0])
            self.emit(depth, f"for {name} in {array}:")
            self.defined.add(name)
        elif form < 0.62:
            name = self.target("s")
            cast = CASTS[self.pick(*SIGNED)]
            items = [
                f"{cast}({self.leaf('s')})" for _ in range(self.pick(2, 3))
            ]
            self.emit(depth, f"for {name} in ({', '.join(items)}):")
            self.defined.add(name)
        else:
            self.while_loop(depth)
        self.suite(depth + 1, nesting + 1, True)
        self.defined, self.arrays = before, arrays

    def while_loop(self, depth):
        name, limit = f"n{self.count}", self.pick(1, 3, 6)
        self.emit(depth, f"{name} = 0")
        if self.chance(0.5):
            condition = self.expression("b", 1)
            self.emit(depth, f"while {name} < {limit} and {condition}:")
            self.emit(depth + 1, f"{name} += 1")
        else:
            self.emit(depth, "while True:")
            self.emit(depth + 1, f"{name} += 1")
            self.emit(depth + 1, f"if {name} > {limit}:")
            self.emit(depth + 2, "break")

    def suite(self, depth, nesting, in_loop, sizes=(1, 2, 3)):
        """Statements of one block."""
        for _ in range(self.pick(*sizes)):
            form = self.random.random()
            if nesting < 3 and form < 0.2:
                self.branch(depth, nesting, in_loop)
            elif nesting < 3 and form < 0.34:
                self.loop(depth, nesting)
            elif nesting and form < (0.45 if in_loop else 0.38):
                self.leave(depth, in_loop)
            else:
                self.assign(depth)
            if self.defined is None:
                return

    # The parts of a program.

    def device_function(self, number):
        kinds = [self.pick(*"sufb") for _ in range(self.pick(1, 2, 3))]
        names = [f"{kind}{n}" for n, kind in enumerate(kinds)]
        defaults = self.random.randrange(len(names) + 1)
        texts = list(names)
        for i in range(len(names) - defaults, len(names)):
            value = {"s": "-3", "u": "7", "f": "0.25", "b": "True"}[kinds[i]]
            texts[i] += f"={value}"
        self.returns = self.pick("s", "f", "p")
        self.in_kernel, self.defined = False, set(names)
        self.emit(0, "@cuda.jit(device=True)")
        self.emit(0, f"def g{number}({', '.join(['t', *texts])}):")
        self.suite(1, 0, False)
        if self.defined is not None:
            self.give(1)
        self.functions.append((f"g{number}", self.returns, names, defaults))

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
        for number in range(self.pick(0, 1, 2)):
            self.device_function(number)
        threads = self.grid * self.block
        self.argument("outs", np.zeros((threads, SLOTS), np.int64))
        self.argument("outu", np.zeros((threads, SLOTS), np.uint64))
        self.argument("outf", np.zeros((threads, SLOTS)))
        self.argument("rough", np.zeros((threads, SLOTS)))
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
        names = ", ".join(name for name, _ in self.arguments)
        self.emit(0, "@cuda.jit")
        self.emit(0, f"def k({names}):")
        self.emit(1, "t = cuda.grid(1)")
        self.emit(1, "mine = all[t]")
        self.in_kernel, self.defined = True, set()
        self.own = {"mine": (CLASS[kind], tuple(shape[1:]))}
        self.arrays["mine"] = self.own["mine"]
        if self.chance(0.5):
            self.local_array()
        for _ in range(self.pick(3, 4, 5)):
            if self.defined is not None:
                self.suite(1, 0, False)
        if self.defined is not None:
            self.results()

    def local_array(self):
        """Memory of the thread's own, all of which is set before its use."""
        kind = self.pick(*TYPES)
        shape = [self.pick(1, 2, 3) for _ in range(self.pick(1, 2))]
        text = str(tuple(shape)) if len(shape) > 1 else str(shape[0])
        self.emit(1, f"local = cuda.local.array({text}, {CASTS[kind]})")
        index = [f"z{d}" for d in range(len(shape))]
        for d, extent in enumerate(shape):
            self.emit(1 + d, f"for z{d} in range({extent}):")
        value = self.expression(CLASS[kind], 2)
        self.emit(1 + len(shape), f"local[{', '.join(index)}] = {value}")
        self.own["local"] = self.arrays["local"] = CLASS[kind], tuple(shape)

    def results(self):
        """What variables hold at the end, and what is not quite exact."""
        for slot in range(SLOTS):
            self.emit(1, f"rough[t, {slot}] = {self.rough(1)}")
        for kind, array in (("s", "outs"), ("u", "outu"), ("f", "outf")):
            for slot, name in enumerate(sorted(self.variables(kind))[:SLOTS]):
                self.emit(1, f"{array}[t, {slot}] = {name}")


class Phases(Writer):
    """A block program free of races: phases between barriers.

    In each phase a thread sets its own cell of one shared array and reads any
    cell of the other, which the phase before has set.
    """

    def __init__(self, seed):
        super().__init__(seed)
        self.grid, self.block = self.pick(1, 2), self.pick(2, 5, 8)
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
        self.emit(depth, "cuda.syncthreads()")

    def write(self):
        threads = self.grid * self.block
        self.arguments.append(("outs", np.zeros((threads, SLOTS), np.int64)))
        self.arguments.append(("outu", np.zeros((threads, SLOTS), np.uint64)))
        self.arguments.append(("outf", np.zeros((threads, SLOTS))))
        for number in range(3):
            kind = self.pick(*TYPES)
            value = nasty(kind, threads, self.random)
            self.arguments.append((f"a{number}", value))
            self.arrays[f"a{number}"] = CLASS[kind], value.shape
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
                self.phase(1, 2 * number)
                self.phase(1, 2 * number + 1)
            else:
                self.phase(1, 2 * number)
                self.phase(1, 2 * number + 1)
        for name, kind in zip(("left", "right"), self.kinds, strict=True):
            array = {"s": "outs", "u": "outu", "f": "outf", "b": "outs"}
            into = array[CLASS[kind]]
            slot = 0 if name == "left" else 1
            self.emit(1, f"{into}[t, {slot}] = {name}[{self.block - 1} - i]")


def program(seed):
    """The program of a seed; one in six has barriers."""
    return Phases(seed) if seed % 6 == 5 else Program(seed)
