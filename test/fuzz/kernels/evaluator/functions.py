# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls: of device functions, and of Python's, NumPy's and CUDA's functions."""

import ast
import math
from typing import NamedTuple

import numpy as np
from model.closures import captured_names
from model.functions import CASTS, ITERATIONS, CudaName, DeviceFunction
from model.objects import is_namedtuple
from model.operators import binary_type
from model.recorded import is_numpy
from model.types import COMPLEXES, FLOATS, INTEGERS, PARTS, Record

from .. import scalars
from .exits import Refused
from .objects import number

#: Atomic operations that are operators.
UPDATES = {
    "add": ast.Add,
    "sub": ast.Sub,
    "and_": ast.BitAnd,
    "or_": ast.BitOr,
    "xor": ast.BitXor,
}
#: Arrays that several threads change, by name.
OF_GRID = {"sums", "drawn", "taken", "tries", "total"}
OF_BLOCK = {"counts", "attempts", "passed"}


class Closure(NamedTuple):
    """A nested function, and the call whose variables it reads."""

    function: object
    call: object


class Functions:
    """The part of a call that calls others."""

    def get_Call(self, node):
        if isinstance(node.func, ast.Attribute):
            owner = self.evaluate(node.func.value)
            if isinstance(owner, np.generic):
                return self.call_method(owner, node.func.attr)
            if isinstance(owner, np.ndarray):
                kind = self.types[node, ()]
                return self.reduced(node.func.attr, owner, kind)
        function = self.evaluate(node.func)
        arguments = self.arguments(node)
        if isinstance(function, DeviceFunction):
            self.note("device function")
            return self.call_inferred(function.function, {}, node, arguments)
        if isinstance(function, Closure):
            self.note("call of a nested function")
            # What it captures is read when it is called.
            names = captured_names(function.function)
            outer = function.call.variables
            captured = {n: outer[n] for n in names if n in outer}
            return self.call_inferred(
                function.function, captured, node, arguments
            )
        if isinstance(node.func, ast.Name) and node.func.id == "function":
            self.note("call of a built-in argument")
        if isinstance(function, CudaName):
            return self.call_cuda(function.path, node, arguments)
        name = function.__name__
        if function in ITERATIONS:
            return getattr(self, f"call_{name}")(node, arguments)
        if is_namedtuple(function):
            return self.made(function, node, arguments)
        if function in CASTS:
            arguments = [number(arguments[0])]
            self.note(f"{name} of {scalars.kind_of(arguments[0])}")
            return scalars.convert(arguments[0], CASTS[function])
        if is_numpy(function):
            return self.call_numpy(name, node, arguments)
        if getattr(math, name, None) is function:
            return self.call_math(name, function, arguments)
        return getattr(self, "call_" + name)(node, arguments)

    def call_method(self, owner, name):
        self.note(f".{name} {scalars.kind_of(owner)}")
        return getattr(owner, name)()

    def arguments(self, node):
        """The arguments by position; a starred one is several."""
        values = []
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                self.note("starred argument")
                values += self.evaluate(argument.value)
            else:
                values.append(self.evaluate(argument))
        return values

    def get_Lambda(self, node):
        self.note("lambda")
        return self.closure(node)

    def closure(self, node):
        return Closure(self.inference.nested[node], self)

    def call_inferred(self, function, captured, node, arguments):
        named = {k.arg: self.evaluate(k.value) for k in node.keywords}
        inference = self.module.inferred[self.inference.callees[node, ()]]
        names = [a.arg for a in inference.node.args.args]
        defaults = function.__defaults__ or ()
        values = dict(
            zip(names[len(names) - len(defaults) :], defaults, strict=True)
        )
        values = {
            name: None if x is None else scalars.literal(x)
            for name, x in values.items()
        }
        if named:
            self.note("keyword argument")
        if len(arguments) + len(named) < len(names):
            self.note("default argument")
        if None in defaults and len(arguments) + len(named) < len(names):
            self.note("default None")
        if any(isinstance(x, Closure) for x in arguments):
            self.note("nested function as an argument")
        values |= dict(zip(names, arguments, strict=False)) | named
        if inference.node.args.vararg:
            self.note("*args")
            rest = tuple(arguments[len(names) :])
            values[inference.node.args.vararg.arg] = rest
        call = type(self)(self.launch, inference, self.place)
        for _ in call.run(values | captured):
            raise Refused("a barrier in a device function")
        return call.result

    def call_cuda(self, path, node, arguments):
        if not path.endswith(".array"):
            self.note(path)
        if path == "cuda.grid":
            first = self.place.block * self.launch.extents["x"]
            return np.int64(first + self.place.index["x"])
        if path == "cuda.gridsize":
            return np.int64(self.launch.grid * self.launch.extents["x"])
        if path == "cuda.fma":
            kind = self.types[node, ()]
            return scalars.fused(*(scalars.convert(x, kind) for x in arguments))
        bits = self.call_bits(path.removeprefix("cuda."), arguments)
        if bits is not None:
            return bits
        if path.startswith("cuda.atomic."):
            return self.update(path.rpartition(".")[2], node, *arguments)
        kind = self.types[node, ()]
        shape = arguments[0]
        shape = shape if isinstance(shape, tuple) else (shape,)
        shape = tuple(map(int, shape))
        records = isinstance(kind.dtype, Record)
        made = np.zeros(shape, arguments[1] if records else kind.dtype)
        self.note(f"{path} {'of records' if records else kind.dtype}")
        if path == "cuda.shared.array":
            return self.launch.shared.setdefault(node, made)
        return made

    def update(self, name, node, array, index, *values):
        """An atomic operation: what was there before."""
        index = index if isinstance(index, tuple) else (index,)
        index = tuple(int(scalars.convert(x, "int64")) for x in index)
        kind = array.dtype.name
        self.note(f"cuda.atomic.{name} {self.space(node.args[0])} {kind}")
        if self.is_far(array, index):
            self.note("far atomic operation")
            return scalars.KINDS[kind](0)
        old = array[index]
        values = [scalars.convert(value, kind) for value in values]
        array[index] = self.updated(name, old, *values)
        return old

    def space(self, node):
        """Who else changes an array in place: the grid, the block or nobody."""
        if isinstance(node, ast.Name) and node.id in OF_GRID:
            return "of the grid"
        if isinstance(node, ast.Name) and node.id in OF_BLOCK:
            return "of the block"
        return "shared"

    def updated(self, name, old, value, other=None):
        """What an atomic operation leaves."""
        kind = scalars.kind_of(old)
        if name in ("min", "max"):
            return scalars.extreme(name == "min", [old, value], kind)
        if name == "exch":
            return value
        if name == "cas":
            return other if old == value else old
        if name == "inc":
            return old + 1 if old < value else scalars.KINDS[kind](0)
        if name == "dec":
            return old - 1 if 0 < old <= value else value
        return scalars.binary(UPDATES[name], old, value, kind)

    def call_math(self, name, function, arguments):
        kinds = [scalars.kind_of(x) for x in arguments]
        result = self.module.math_type(function, kinds)
        kind = "float64" if result == "bool" else result
        if result == "bool" and kinds[0] in FLOATS:
            kind = kinds[0]
        self.note(f"math.{name} {kinds[0]}")
        values = [scalars.convert(x, kind) for x in arguments]
        if name in scalars.EXACT_MATH:
            return scalars.EXACT_MATH[name](*values)
        # More exact than what is judged, where NumPy can.
        values = [np.float64(x) for x in values]
        value = np.float64(scalars.ROUNDED_MATH[name](*values))
        value = scalars.KINDS[result](value)
        self.inexact(value, result)
        return value

    def call_abs(self, node, arguments):
        kind = scalars.kind_of(arguments[0])
        self.note(f"abs {kind}")
        if kind in COMPLEXES:
            size = abs(arguments[0])
            self.inexact(size, PARTS[kind])
            return size
        return scalars.absolute(arguments[0])

    def call_complex(self, node, arguments):
        kind = self.types[node, ()]
        self.note(f"complex {scalars.kind_of(arguments[0])}")
        if len(arguments) == 1:
            return scalars.convert(arguments[0], kind)
        return scalars.made(
            *(scalars.convert(x, PARTS[kind]) for x in arguments), kind
        )

    def call_min(self, node, arguments):
        return self.extreme(node, arguments, "min")

    def call_max(self, node, arguments):
        return self.extreme(node, arguments, "max")

    def extreme(self, node, arguments, name):
        kind = self.types[node, ()]
        if isinstance(arguments[0], np.ndarray):
            return self.reduced(name, arguments[0], kind)
        if isinstance(arguments[0], tuple):
            self.note(f"{name} of a tuple")
            (arguments,) = arguments
        self.note(f"{name} {kind}")
        return scalars.extreme(name == "min", arguments, kind)

    def call_round(self, node, arguments):
        self.note(f"round {scalars.kind_of(arguments[0])}")
        return scalars.whole(arguments[0])

    def call_bool(self, node, arguments):
        self.note(f"bool {scalars.kind_of(arguments[0])}")
        return np.bool_(arguments[0] != 0)

    def call_int(self, node, arguments):
        kind = scalars.kind_of(arguments[0])
        self.note(f"int {kind}")
        return scalars.convert(
            arguments[0], kind if kind in INTEGERS else "int64"
        )

    def call_float(self, node, arguments):
        kind = scalars.kind_of(arguments[0])
        self.note(f"float {kind}")
        return scalars.convert(
            arguments[0], kind if kind in FLOATS else "float64"
        )

    def call_pow(self, node, arguments):
        kinds = [scalars.kind_of(x) for x in arguments]
        kind = binary_type(ast.Pow, *kinds)
        self.note(f"pow {kind}")
        result = scalars.binary(ast.Pow, *arguments, kind)
        if kind in FLOATS:
            self.inexact(result, kind)
        return result

    def call_len(self, node, arguments):
        self.note("len")
        return np.int64(len(arguments[0]))

    def call_range(self, node, arguments):
        element = self.types[node, ()].element
        numbers = [int(scalars.convert(x, element)) for x in arguments]
        if len(numbers) == 3 and numbers[2] == 0:
            raise Refused("a step of 0")
        return range(*numbers)
