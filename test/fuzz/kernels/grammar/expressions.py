# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all writers of programs share: expressions."""

import random
import re
from typing import NamedTuple

from .library import Library
from .objects import Objects
from .values import (
    CASTS,
    COMPLEXES,
    COUNTS,
    FAR,
    FLOATS,
    SIGNED,
    UNSIGNED,
)

COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]
UNARY_ROUNDED = (
    "sin cos tan exp exp2 expm1 log log2 log10 log1p asin acos atan sinh "
    "cosh tanh asinh acosh atanh degrees radians erf erfc"
).split()
HEAD = """\
import math
import numpy as np
from numba import cuda
from kernels.classes import Color, Point, Shape
STEP = 3
HALF = 0.5
"""


#: Functions of a signed integer that are values, too, by what they return.
VALUES = {"s": ["abs", "int", "np.int16"], "f": ["float", "np.float32"]}


def is_constant(text):
    """Whether Python knows an expression of numbers before it runs."""
    names = re.findall(r"[A-Za-z_]\w*", re.sub(r"\de-?\d", "", text))
    return set(names) <= {"True", "False", "and", "or", "if", "else", "not"}


def is_variable(text):
    """Whether an expression is the name of a number."""
    return text.isidentifier() and text not in ("True", "False")


class Callee(NamedTuple):
    """A function that programs call; `rest`: the class of further arguments."""

    name: str
    returns: str
    parameters: tuple[str, ...]
    defaults: int
    rest: str | None = None


class Expressions(Library, Objects):
    """What all writers of programs share: expressions."""

    #: Whether the arrays end where memory can no longer be accessed.
    at_page = False
    #: Whether the kernel is launched with small integers before.
    is_second = False

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.functions = []
        self.arguments = []  # name, class, value
        self.count = 0
        self.has_lambda = False  # in this line; the model knows one in each
        self.indexing = 0  # how many indices the place of writing is within
        self.defined = set()
        self.leaves = {kind: [] for kind in "sufbc"}
        self.members = {"e": [], "d": []}  # of enums: arguments
        self.fields, self.own_fields = [], []  # of records: text, class
        self.present = frozenset()  # optional variables that are no None
        self.nones = []  # arguments that may be None, and else of a class
        self.arrays = {}  # name of an array in reach -> (class, shape)

    def pick(self, *items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)
        self.has_lambda = False

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
            "c": self.complex,
        }
        return write[kind](depth)

    def variables(self, kind):
        return [n for n in self.defined if n[0] == kind and n[1:].isdigit()]

    def leaf(self, kind):
        names = sorted(self.variables(kind)) + self.leaves[kind]
        if self.chance(0.12) and (found := self.number_of_object(kind)):
            return found
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
        if kind == "c":
            return self.pick("1j", "-2.5j", "(0.5 - 2j)", "(3 + 1e-3j)")
        number = str(self.pick(0, 1, 2, 3, 5, -1, -7, 64, 100, 2**31, -(2**40)))
        return self.pick("t", number, number, "STEP")

    def element(self, name):
        """An element of an array, at an index within it."""
        _, shape = self.arrays[name]
        return f"{name}[{', '.join(self.indices(name, shape))}]"

    def indices(self, name, shape):
        """Indices of one element; in few cases it is far outside."""
        found = [self.position(name, d, n) for d, n in enumerate(shape)]
        if self.chance(0.02):
            found[self.random.randrange(len(found))] = self.far_index()
        return found

    def far_index(self):
        """An index that leaves the memory of every array."""
        far = self.pick(*FAR)
        if self.chance(0.2):
            kind = "uint64" if far >= 2**63 else "int64"
            return f"np.{kind}({far})"
        return str(far)

    def position(self, name, dimension, extent):
        """An index: a constant or anything, wrapped; some from the end."""
        if self.chance(0.4):
            return str(self.random.randrange(-extent, extent))
        size = f"{name}.shape[{dimension}]"
        if dimension == 0 and self.chance(0.3):
            size = self.pick(f"len({name})", str(extent))
        if self.chance(0.15):
            return self.neighbour(size)
        self.indexing += 1
        depth = 1 if self.indexing == 1 else 0
        text = f"{self.expression(self.pick('s', 's', 'u'), depth)} % {size}"
        self.indexing -= 1
        return self.pick(text, text, f"-1 - {text}")

    def neighbour(self, size):
        """An index near the thread's, wrapped; 0 for threads past the end.

        It needs no division if the compiler sees that the distance is no more
        than the extent.
        """
        step = f"{self.pick('+', '-')} {self.pick(1, 1, 2, 3, 5, 9, size)}"
        if self.chance(0.3):
            step = f"+ {size} - {self.pick(1, 2, 3, 5, 9)}"
        return f"((t {step}) % {size} if t < {size} else 0)"

    def choice(self, kind, depth):
        """An expression that evaluates some of its parts only."""
        a, b = self.expression(kind, depth), self.expression(kind, depth)
        form = self.pick("if", "if", "and", "or")
        if form == "if":
            return f"({a} if {self.expression('b', depth)} else {b})"
        return f"({a} {form} {b})"

    def called(self, kind, depth):
        fitting = [f for f in self.functions if f.returns == kind]
        if not fitting:
            return self.leaf(kind)
        return self.call(self.pick(*fitting), depth)

    def call(self, callee, depth):
        """A call: some arguments by name, some left out, some more."""
        parameters = callee.parameters
        given = len(parameters)
        if self.chance(0.7):
            given -= self.random.randrange(callee.defaults + 1)
        named = given
        if self.chance(0.3) and not callee.rest:
            named = self.random.randrange(given + 1)
        texts = [self.given(p, depth) for p in parameters[:given]]
        for i in range(named, given):
            texts[i] = f"{parameters[i].partition('_')[0]}={texts[i]}"
        if callee.rest:
            texts += self.rest(callee.rest, depth)
        return f"{callee.name}({', '.join(texts)})"

    def given(self, parameter, depth):
        """An argument for a parameter."""
        if parameter == "t":
            return "t"
        if parameter.startswith("function"):
            return self.function_value(parameter[-1], depth)
        return self.expression(parameter[0], depth)

    def function_value(self, returns, depth):
        """A function of a signed integer: of ours, of Python's, a lambda."""
        fitting = [
            f.name
            for f in self.functions
            if f.name[0] == "h"
            and f.returns == returns
            and f.parameters[0][0] == "s"
            and len(f.parameters) - f.defaults <= 1
        ]
        if fitting and self.chance(0.6):
            return self.pick(*fitting)
        if self.has_lambda or self.chance(0.4):
            return self.pick(*VALUES[returns])
        self.has_lambda = True
        self.count += 1
        name = f"s{200 + self.count}"
        outer = self.defined
        self.defined = outer | {name}
        text = f"(lambda {name}: {self.expression(returns, depth)})"
        self.defined = outer
        return text

    def rest(self, kind, depth):
        """Further arguments of one type, or the items of a tuple."""
        cast = CASTS[self.pick(*(SIGNED if kind == "s" else FLOATS))]
        items = [
            f"{cast}({self.expression(kind, depth)})"
            for _ in range(self.pick(1, 2, 3))
        ]
        if self.chance(0.3):
            return [f"*({', '.join(items)},)"]
        return items

    def second_operand(self, a, b):
        """`a` again with probability 0.15 if it is a variable, to cover what
        the compiler makes of `x * x` and `x - x`; else `b`."""
        return a if is_variable(a) and self.chance(0.15) else b

    def integer_operator(self, a, b):
        operator = self.pick(
            *"+ - * // % & | ^ << >> + - *".split(), self.pick("**", "+")
        )
        if operator in ("<<", "**") and is_constant(a):
            operator = "+"  # Python would compute it, without a limit
        if operator in ("<<", ">>") and self.chance(0.6):
            b = str(self.pick(*COUNTS))
        if operator == "**" and self.chance(0.6):
            b = str(self.pick(0, 1, 2, 3, 5))
        return f"({a} {operator} {b})"

    def signed(self, depth):
        if self.chance(0.02):
            return self.number_part("s", "s", depth)
        if self.chance(0.1):
            return self.integer_of_library("s", depth)
        form = self.random.randrange(15)
        if form < 5:
            kinds = [self.pick("s", "s", "s", "u", "b"), "s"]
            self.random.shuffle(kinds)
            a, b = (self.expression(kind, depth) for kind in kinds)
            if kinds[0] == "s":
                b = self.second_operand(a, b)
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
        if self.chance(0.1):
            return self.integer_of_library("u", depth)
        form = self.random.randrange(9)
        if form < 3:
            a, b = (self.expression("u", depth) for _ in "ab")
            if self.chance(0.2):
                operator = self.pick("<<", ">>")
                return f"({a} {operator} {self.expression('s', depth)})"
            return self.integer_operator(a, self.second_operand(a, b))
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
        if self.chance(0.1):
            return self.number_part("f", self.pick("c", "c", "f"), depth)
        if self.chance(0.1):
            return self.number_of_library("f", depth)
        form = self.random.randrange(14)
        any_kind = self.pick("s", "u", "f", "f", "f", "b")
        if form < 4:
            a = self.expression("f", depth)
            b = self.second_operand(a, self.expression(any_kind, depth))
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
            if self.chance(0.5):
                return f"math.fmod({a}, {b})"
            # Which sign a NaN has that is computed is not said.
            sign = self.expression(self.pick(*"sub"), depth)
            sign = self.pick(sign, "-2.25", *self.leaves["f"])
            return f"math.copysign({a}, {sign})"
        if form == 11:
            a = self.expression("f", depth)
            texts = [f"(-{a})", f"(+{a})", f"abs({a})"]
            if is_variable(a):
                texts.append(f"(-({a} * {a}))")
            return self.pick(*texts)
        if form == 12:
            a, b, c = (self.expression("f", depth) for _ in "abc")
            return f"cuda.fma({a}, {b}, {c})"
        if self.chance(0.5):
            source = self.expression(self.pick("s", "u", "f"), depth)
            return f"float({source})"
        # Which of two zeros is the smaller is not said.
        items = [self.expression("f", depth) for _ in "ab"]
        return f"({self.pick('min', 'max')}({', '.join(items)}) + 0)"

    def complex(self, depth):
        if self.chance(0.03):
            return f"np.where({self.listed('bcc', depth)})"
        form = self.random.randrange(11)
        if form < 4:
            a = self.expression("c", depth)
            b = self.expression(self.pick(*"sufbccc"), depth)
            b = self.second_operand(a, b)
            if self.chance(0.3):
                a, b = b, a
            return f"({a} {self.pick(*'+-*')} {b})"
        if form == 4:
            return self.choice("c", depth)
        if form == 5:
            return self.called("c", depth)
        if form == 6:
            source = self.expression(self.pick(*"sufbc"), depth)
            return f"{CASTS[self.pick(*COMPLEXES)]}({source})"
        if form == 7:
            cast = CASTS[self.pick(*FLOATS[1:])]
            a, b = (f"{cast}({self.expression('f', depth)})" for _ in "ab")
            return f"complex({a}, {b})"
        if form == 8:
            return f"complex({self.expression(self.pick('s', 'c'), depth)})"
        if form == 9:
            return f"({self.pick('-', '+')}{self.expression('c', depth)})"
        return self.conjugate("c", depth)

    def number_part(self, kind, source, depth):
        """A part of a number, or what is not changed by conjugation."""
        if kind == source and self.chance(0.3):
            return self.conjugate(kind, depth)
        text = self.expression(source, depth)
        # The compiler takes `cuda.threadIdx.x.real` for one name.
        text = f"+{text}" if text.startswith("cuda.") else text
        return f"({text}).{self.pick('real', 'imag')}"

    def conjugate(self, kind, depth):
        # The compiler refuses a method of a number whose type grows.
        types = {"s": SIGNED, "f": FLOATS, "c": COMPLEXES}[kind]
        source = self.expression(kind, depth)
        return f"{CASTS[self.pick(*types)]}({source}).conjugate()"

    def truth(self, depth):
        if self.chance(0.15):
            return self.truth_of_library(depth)
        form = self.random.randrange(11)
        if form < 4:
            a = self.expression(self.pick(*"sufb"), depth)
            b = self.expression(self.pick(*"sufb"), depth)
            text = f"{a} {self.pick(*COMPARISONS)} {b}"
            if self.chance(0.15):
                text += f" {self.pick(*COMPARISONS)} {self.leaf('s')}"
            return f"({text})"
        if form == 4:
            return f"(not {self.expression(self.pick(*'sufbc'), depth)})"
        if form == 5:
            return f"bool({self.expression(self.pick(*'sufbc'), depth)})"
        if form == 6:
            a, b = (self.expression("b", depth) for _ in "ab")
            return f"({a} {self.pick(*'&|^')} {b})"
        if form == 7:
            name = self.pick("isnan", "isinf", "isfinite")
            source = self.expression(self.pick("f", "f", "s"), depth)
            return f"math.{name}({source})"
        if form == 10:
            a = self.expression("c", depth)
            b = self.expression(self.pick(*"sufbcc"), depth)
            return f"({a} {self.pick('==', '!=')} {b})"
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
        if form < 2 and self.chance(0.3):
            return f"abs({self.expression('c', depth)})"
        if form < 5:
            name = self.pick(*UNARY_ROUNDED)
            return f"math.{name}({self.expression(kind, depth)})"
        a, b = self.expression("f", depth), self.expression(kind, depth)
        if form == 5:
            return f"math.{self.pick('atan2', 'pow', 'hypot')}({a}, {b})"
        if form == 6:
            return f"pow({a}, {b})"
        if is_constant(a) and is_constant(b):
            a = f"np.float64({a})"  # Python's result may be complex
        return f"{a} ** {b}"

    def quotient(self, depth):
        """A complex one, which is exact to some last places only."""
        kinds = ["c", self.pick(*"cccsf")]
        self.random.shuffle(kinds)
        a, b = (self.expression(kind, depth) for kind in kinds)
        return f"{a} / {b}"
