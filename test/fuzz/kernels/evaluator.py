# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel on NumPy scalars, typed by the model of the typing tables.

It walks the text's syntax tree and converts where the model says that a value
has another type. Statements are generators that yield at each barrier, so that
the threads of a block run phase by phase. What was executed is noted as
features, which `features.py` lists.
"""

import ast
import builtins
import math
from types import SimpleNamespace

import numpy as np
from model.folding import fold
from model.functions import (
    CASTS,
    SINGLE,
    CudaName,
    DeviceFunction,
    call_type,
)
from model.module import Module
from model.operators import binary_type
from model.types import (
    FLOATS,
    INTEGERS,
    SCALARS,
    Tuple,
    plain,
)

from . import scalars

#: Functions that the peer's tables do not have.
if hasattr(math, "exp2"):
    SINGLE.add(math.exp2)

#: Expressions and statements that the threads of a launch may take.
STEPS = 400_000


class Exhausted(Exception):
    """A program that takes too long."""


class Refused(Exception):
    """A program outside of what the evaluator knows."""


class Return(Exception):
    """Carries a result out of a function."""


class Break(Exception):
    """Leaves a loop."""


class Continue(Exception):
    """Goes to the next turn of a loop."""


class Typed(Module):
    """A module that keeps the inference of each function."""

    def __init__(self, text, types):
        super().__init__(text, peer=False, rotate=False, late=True)
        self.kernel = self.names["k"]
        self.kernel = getattr(self.kernel, "function", self.kernel)
        self.call(self.kernel, types)
        self.types = tuple(types)

    def find(self, function, kinds, named):
        """The inference of a function for these argument types."""
        return self.inferred[self.complete(function, kinds, named)]

    def math_type(self, function, kinds):
        """The type in which a function of `math` computes."""
        return call_type(function, kinds)


class Launch:
    """What the threads of a launch share."""

    def __init__(self, typed, grid, block):
        self.typed, self.grid, self.block = typed, grid, block
        self.steps = 0
        self.features = set()
        #: Array and index of a result that need not be exact -> its type.
        self.rounded = {}

    def run(self, arguments):
        """Runs the kernel; it changes the arrays among the arguments."""
        inference = self.typed.inferred[self.typed.kernel, self.typed.types]
        for block in range(self.grid):
            self.shared = {}
            waiting = []
            for thread in range(self.block):
                place = SimpleNamespace(block=block, thread=thread)
                call = Call(self, inference, place)
                waiting.append(call.run(arguments))
            while waiting:
                # A thread that has left is not waited for.
                waiting = [t for t in waiting if next(t, None) is not None]


class Call:
    """One thread's call of a function."""

    def __init__(self, launch, inference, place):
        self.launch, self.inference, self.place = launch, inference, place
        self.module = launch.typed
        self.types = inference.types
        self.note = launch.features.add
        self.result = None

    def run(self, arguments):
        """Runs the body; yields at barriers."""
        names = [a.arg for a in self.inference.node.args.args]
        self.variables = dict(zip(names, arguments, strict=True))
        try:
            yield from self.body(self.inference.node.body)
        except Return as returned:
            self.result = returned.args[0]

    def count(self):
        self.launch.steps += 1
        if self.launch.steps > STEPS:
            raise Exhausted

    def converted(self, value, kind):
        """A value as the model types it; None leaves it as it is."""
        kind = kind and plain(kind)
        if isinstance(value, np.generic) and kind in SCALARS:
            return scalars.convert(value, kind)
        if isinstance(value, tuple) and isinstance(kind, Tuple):
            return tuple(
                self.converted(item, part)
                for item, part in zip(value, kind.items, strict=True)
            )
        return value

    # Statements.

    def body(self, statements):
        for statement in statements:
            self.count()
            yield from getattr(self, "do_" + type(statement).__name__)(
                statement
            )

    def do_Pass(self, node):
        yield from ()

    def do_Expr(self, node):
        function = node.value.func if isinstance(node.value, ast.Call) else None
        if (
            isinstance(function, ast.Attribute)
            and function.attr == "syncthreads"
        ):
            self.note("cuda.syncthreads")
            yield True
        else:
            self.note("statement call")
            self.evaluate(node.value)

    def do_Assign(self, node):
        (target,) = node.targets
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            self.note("statement swap")
            values = tuple(self.evaluate(item) for item in node.value.elts)
        else:
            values = self.evaluate(node.value)
        self.assign(target, values)
        yield from ()

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            self.note(f"assign {self.shape_of(value)}")
            self.variables[target.id] = value
        elif isinstance(target, ast.Tuple):
            self.note("assign unpack")
            for item, part in zip(target.elts, value, strict=True):
                self.assign(item, part)
        else:
            array, index = self.evaluate(target.value), self.index(target.slice)
            self.store(array, index, value)

    def shape_of(self, value):
        if isinstance(value, np.ndarray):
            return f"array {value.ndim}-D"
        if isinstance(value, tuple):
            return "tuple"
        return scalars.kind_of(value)

    def store(self, array, index, value):
        """array[index] = value."""
        self.check_index(array, index)
        rounded = self.launch.rounded.get(id(value))
        kind = array.dtype.name
        self.note(f"store {kind}")
        array[index] = scalars.convert(value, kind)
        if rounded is not None:
            where = array.__array_interface__["data"][0]
            self.launch.rounded[where, index] = rounded[1]

    def do_AugAssign(self, node):
        load = self.module.reads[node]
        op = type(node.op)
        left, right = self.evaluate(load), self.evaluate(node.value)
        self.note(f"{op.__name__}= {scalars.kind_of(left)}")
        kind = binary_type(op, scalars.kind_of(left), scalars.kind_of(right))
        self.assign(node.target, scalars.binary(op, left, right, kind))
        yield from ()

    def do_If(self, node):
        self.note("if")
        if self.truth(self.evaluate(node.test)):
            yield from self.body(node.body)
        elif node.orelse:
            chained = isinstance(node.orelse[0], ast.If)
            self.note("elif" if chained else "else")
            yield from self.body(node.orelse)

    def truth(self, value):
        return bool(value != 0)

    def turn(self, node):
        """One turn of a loop; whether there may be another."""
        self.count()
        try:
            yield from self.body(node.body)
        except Break:
            return False
        except Continue:
            pass
        return True

    def do_While(self, node):
        self.note("while")
        while self.truth(self.evaluate(node.test)):
            if not (yield from self.turn(node)):
                return
        if node.orelse:
            self.note("while else")
            yield from self.body(node.orelse)

    def do_For(self, node):
        iterated = self.evaluate(node.iter)
        for item in self.items(node.iter, iterated):
            self.assign(node.target, item)
            if not (yield from self.turn(node)):
                return
        if node.orelse:
            self.note("for else")
            yield from self.body(node.orelse)

    def items(self, node, iterated):
        if isinstance(iterated, range):
            element = self.types[node, ()].element
            self.note(f"for range {element}")
            return (scalars.wrapped(number, element) for number in iterated)
        array = isinstance(iterated, np.ndarray)
        self.note(f"for {iterated.dtype.name if array else 'tuple'}")
        return iterated

    def do_Break(self, node):
        self.note("break")
        raise Break
        yield

    def do_Continue(self, node):
        self.note("continue")
        raise Continue
        yield

    def do_Return(self, node):
        if node.value is None:
            self.note("return")
            raise Return(None)
        value = self.evaluate(node.value)
        self.note(f"return {self.shape_of(value)}")
        raise Return(value)
        yield

    # Expressions.

    def evaluate(self, node):
        """The value of an expression, in the type that the model gives it."""
        self.count()
        node = self.folded(node)
        value = getattr(self, "get_" + type(node).__name__)(node)
        return self.converted(value, self.types.get((node, ())))

    def get_Constant(self, node):
        if isinstance(node.value, tuple):
            return tuple(scalars.literal(item) for item in node.value)
        self.note(f"literal {type(node.value).__name__}")
        return scalars.literal(node.value)

    def get_Name(self, node):
        if node.id in self.inference.locals:
            if node.id not in self.variables:
                kind = plain(self.types[node, ()])
                if kind not in SCALARS:
                    raise Refused(f"{node.id} has no value")
                self.note("undefined reads as 0")
                return scalars.KINDS[kind](0)
            return self.variables[node.id]
        names = self.inference.function.__globals__
        found = names.get(node.id, getattr(builtins, node.id, None))
        if isinstance(found, (int, float)):
            self.note("global")
            return scalars.literal(found)
        return found

    def get_Tuple(self, node):
        return tuple(self.evaluate(item) for item in node.elts)

    def get_UnaryOp(self, node):
        operand = self.evaluate(node.operand)
        self.note(f"{type(node.op).__name__} {scalars.kind_of(operand)}")
        return scalars.unary(type(node.op), operand)

    def get_BinOp(self, node):
        left, right = self.evaluate(node.left), self.evaluate(node.right)
        op = type(node.op)
        if isinstance(left, tuple):
            self.note("tuple +")
            return left + right
        kinds = scalars.kind_of(left), scalars.kind_of(right)
        self.note(f"{op.__name__} {kinds[0]}")
        kind = binary_type(op, *kinds)
        result = scalars.binary(op, left, right, kind)
        if op is ast.Pow and kind in FLOATS:
            self.inexact(result, kind)
        return result

    def inexact(self, value, kind):
        """Marks a result that may differ in the last places."""
        # The value is kept alive, so that its id stays its own.
        self.launch.rounded[id(value)] = value, kind

    def get_Compare(self, node):
        left = self.evaluate(node.left)
        if len(node.ops) > 1:
            self.note("chained comparison")
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.evaluate(comparator)
            self.note(f"{type(op).__name__} {scalars.kind_of(left)}")
            result = scalars.compare(type(op), left, right)
            if not result:
                break
            left = right
        return result

    def get_BoolOp(self, node):
        conjunction = isinstance(node.op, ast.And)
        for item in node.values:
            value = self.evaluate(item)
            self.note(f"{type(node.op).__name__} {scalars.kind_of(value)}")
            if self.truth(value) != conjunction:
                break
        return value

    def get_IfExp(self, node):
        self.note("conditional expression")
        taken = self.truth(self.evaluate(node.test))
        return self.evaluate(node.body if taken else node.orelse)

    def index(self, node):
        """An index as NumPy takes it."""
        if isinstance(node, ast.Slice):
            bounds = (node.lower, node.upper, node.step)
            return slice(*(b and int(self.evaluate(b)) for b in bounds))
        if isinstance(node, ast.Tuple):
            return tuple(self.index(item) for item in node.elts)
        value = self.evaluate(node)
        if isinstance(value, tuple):
            return tuple(map(int, value))
        return None if value is None else int(value)

    def check_index(self, array, index):
        """Programs leave no array; a reduced one might."""
        indices = index if isinstance(index, tuple) else (index,)
        numbers = [i for i in indices if i is not None]
        for number, extent in zip(numbers, array.shape, strict=False):
            if isinstance(number, int) and not -extent <= number < extent:
                raise Refused("an index beyond the end")
            if isinstance(number, int) and number < 0:
                self.note("negative index")

    def get_Subscript(self, node):
        base, index = self.evaluate(node.value), self.index(node.slice)
        if isinstance(base, tuple):
            self.note("tuple item")
            if not -len(base) <= index < len(base):
                raise Refused("an index beyond the end")
            return base[index]
        self.check_index(base, index)
        result = base[index]
        if isinstance(result, np.ndarray):
            for part in index if isinstance(index, tuple) else (index,):
                if isinstance(part, slice):
                    step = "" if part.step is None else " with a step"
                    self.note(f"slice{step}")
            self.note(f"view {result.ndim}-D of {base.ndim}-D")
        else:
            layout = self.types[node.value, ()].layout
            self.note(f"load {base.dtype.name}")
            self.note(f"load {base.ndim}-D {layout}")
        return result

    def get_Attribute(self, node):
        if isinstance(node.value, ast.Attribute) and node.attr in "xyz":
            # cuda.threadIdx.x
            which = node.value.attr
            self.note(f"cuda.{which}.{node.attr}")
            number = {
                "threadIdx": self.place.thread,
                "blockIdx": self.place.block,
                "blockDim": self.launch.block,
                "gridDim": self.launch.grid,
            }[which]
            first = 0 if which.endswith("Idx") else 1
            return np.int32(number if node.attr == "x" else first)
        base = self.evaluate(node.value)
        if isinstance(base, np.ndarray):
            self.note(f".{node.attr}")
            if node.attr == "T":
                return base.T
            found = getattr(base, node.attr)
            if isinstance(found, tuple):
                return tuple(map(np.int64, found))
            return np.int64(found)
        found = getattr(base, node.attr)
        return scalars.literal(found) if isinstance(found, float) else found

    def get_Call(self, node):
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
        call = Call(self.launch, inference, self.place)
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
        self.note(f"abs {scalars.kind_of(arguments[0])}")
        return scalars.absolute(arguments[0])

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
