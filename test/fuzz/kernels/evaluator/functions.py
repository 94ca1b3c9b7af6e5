# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls: of device functions, and of Python's, NumPy's and CUDA's functions."""

import ast
import math

import numpy as np
from model.folding import fold
from model.functions import CASTS, CudaName, DeviceFunction
from model.operators import binary_type
from model.types import COMPLEXES, FLOATS, INTEGERS, PARTS

from .. import scalars
from .exits import Refused

#: Atomic operations that are operators.
UPDATES = {
    "add": ast.Add,
    "sub": ast.Sub,
    "and_": ast.BitAnd,
    "or_": ast.BitOr,
    "xor": ast.BitXor,
}


class Functions:
    """The part of a call that calls others."""

    def get_Call(self, node):
        if isinstance(node.func, ast.Attribute):
            owner = self.evaluate(node.func.value)
            if isinstance(owner, np.generic):
                return self.call_method(owner, node.func.attr)
        function = self.evaluate(node.func)
        arguments = [self.evaluate(argument) for argument in node.args]
        if isinstance(function, DeviceFunction):
            return self.call_device(function.function, node, arguments)
        if isinstance(function, CudaName):
            return self.call_cuda(function.path, node, arguments)
        name = function.__name__
        if function in CASTS:
            self.note(f"{name} of {scalars.kind_of(arguments[0])}")
            return scalars.convert(arguments[0], CASTS[function])
        if getattr(math, name, None) is function:
            return self.call_math(name, function, arguments)
        return getattr(self, "call_" + name)(node, arguments)

    def call_method(self, owner, name):
        self.note(f".{name} {scalars.kind_of(owner)}")
        return getattr(owner, name)()

    def call_device(self, function, node, arguments):
        named = {k.arg: self.evaluate(k.value) for k in node.keywords}
        kinds = [self.types[self.folded(a), ()] for a in node.args]
        named_kinds = {
            k.arg: self.types[self.folded(k.value), ()] for k in node.keywords
        }
        inference = self.module.find(function, kinds, named_kinds)
        names = [a.arg for a in inference.node.args.args]
        defaults = function.__defaults__ or ()
        values = dict(
            zip(names[len(names) - len(defaults) :], defaults, strict=True)
        )
        values = {name: scalars.literal(x) for name, x in values.items()}
        self.note("device function")
        if named:
            self.note("keyword argument")
        if len(arguments) + len(named) < len(names):
            self.note("default argument")
        values |= dict(zip(names, arguments, strict=False)) | named
        call = type(self)(self.launch, inference, self.place)
        for _ in call.run([values[name] for name in names]):
            raise Refused("a barrier in a device function")
        return call.result

    def folded(self, node):
        """What CPython makes of a node; the model keeps types under that."""
        return self.module.folded.setdefault(node, fold(node))

    def call_cuda(self, path, node, arguments):
        if not path.endswith(".array"):
            self.note(path)
        if path == "cuda.grid":
            first = self.place.block * self.launch.block
            return np.int64(first + self.place.thread)
        if path == "cuda.gridsize":
            return np.int64(self.launch.grid * self.launch.block)
        if path == "cuda.fma":
            kind = self.types[node, ()]
            return scalars.fused(*(scalars.convert(x, kind) for x in arguments))
        if path.startswith("cuda.atomic."):
            self.update(path.rpartition(".")[2], *arguments)
            return None
        kind = self.types[node, ()]
        shape = arguments[0]
        shape = shape if isinstance(shape, tuple) else (shape,)
        shape = tuple(map(int, shape))
        if path == "cuda.shared.array":
            self.note(f"cuda.shared.array {kind.dtype}")
            return self.launch.shared.setdefault(
                node, np.zeros(shape, kind.dtype)
            )
        self.note(f"cuda.local.array {kind.dtype}")
        return np.zeros(shape, kind.dtype)

    def update(self, name, array, index, value):
        """An atomic operation, without what was there before."""
        index = tuple(map(int, np.atleast_1d(index)))
        kind = array.dtype.name
        self.check_index(array, index)
        old, value = array[index], scalars.convert(value, kind)
        if name in ("min", "max"):
            array[index] = scalars.extreme(name == "min", [old, value], kind)
        else:
            array[index] = scalars.on_integers(UPDATES[name], old, value, kind)

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
        kind = self.types[node, ()]
        self.note(f"min {kind}")
        return scalars.extreme(True, arguments, kind)

    def call_max(self, node, arguments):
        kind = self.types[node, ()]
        self.note(f"max {kind}")
        return scalars.extreme(False, arguments, kind)

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
