# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements; each is a generator that yields where threads meet."""

import ast
from collections.abc import Iterator
from enum import Enum

import numpy as np
from model.operators import binary_type

from .. import scalars
from .exits import Break, Continue, Return
from .meetings import Meeting


class Statements:
    """The part of a call that runs statements."""

    def body(self, statements):
        for statement in statements:
            self.count()
            yield from getattr(self, "do_" + type(statement).__name__)(
                statement
            )

    def do_Pass(self, node):
        yield from ()

    def do_Expr(self, node):
        if self.is_exchange(node.value):
            yield from self.exchange(node.value)
        else:
            self.note("statement call")
            self.evaluate(node.value)

    def is_exchange(self, node):
        """Whether it is a call for which threads meet."""
        function = node.func if isinstance(node, ast.Call) else None
        if not isinstance(function, ast.Attribute):
            return False
        return "sync" in function.attr or function.attr == "activemask"

    def exchange(self, node):
        """Meets other threads: yields what it brings, and gets its result."""
        meeting = Meeting(node.func.attr, self.place, self.arguments(node))
        for feature in meeting.features(self.launch):
            self.note(feature)
        result = yield meeting
        return self.converted(result, self.types.get((node, ())))

    def do_Assign(self, node):
        if len(node.targets) > 1:
            self.note("several targets")
            value = self.evaluate(node.value)
            for target in node.targets:
                self.assign(target, value)
            return
        (target,) = node.targets
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            self.note("statement swap")
            values = tuple(self.evaluate(item) for item in node.value.elts)
        elif self.is_exchange(node.value):
            values = yield from self.exchange(node.value)
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
            for item, part in zip(
                target.elts, self.gathered(target.elts, value), strict=True
            ):
                self.assign(
                    item.value if isinstance(item, ast.Starred) else item, part
                )
        elif isinstance(target, ast.Attribute):
            record = self.evaluate(target.value)
            self.store_field(record, target.attr, value)
        else:
            array, index = self.evaluate(target.value), self.index(target.slice)
            self.store(array, index, value)

    def gathered(self, targets, values):
        """Items for each target; a starred one takes several as a tuple."""
        for first, target in enumerate(targets):
            if isinstance(target, ast.Starred):
                self.note("starred target")
                last = len(values) - (len(targets) - 1 - first)
                middle = (tuple(values[first:last]),)
                return (*values[:first], *middle, *values[last:])
        return values

    def do_FunctionDef(self, node):
        self.note("nested function")
        self.variables[node.name] = self.closure(node)
        yield from ()

    def shape_of(self, value):
        if isinstance(value, np.ndarray):
            return f"array {value.ndim}-D"
        if value is None:
            return "None"
        if isinstance(value, Enum):
            return "enum"
        if isinstance(value, np.void):
            return "record"
        if isinstance(value, tuple):
            return "namedtuple" if hasattr(value, "_fields") else "tuple"
        if not isinstance(value, np.generic):
            return "function"
        return scalars.kind_of(value)

    def store(self, array, index, value):
        """array[index] = value."""
        if isinstance(array, np.void):
            self.note("field by name =")
            self.store_field(array, index, value)
            return
        if self.is_far(array, index):
            self.note("far store")
            return
        part = array[index]
        if isinstance(value, np.void):
            self.note("record =")
            array[index] = value
            return
        if isinstance(part, np.ndarray):
            self.note(f"slice = {self.shape_of(value)}")
            self.fill(part, value)
            return
        kind = array.dtype.name
        self.note(f"store {kind}")
        array[index] = scalars.convert(value, kind)
        where = array.__array_interface__["data"][0], index
        self.launch.rounded.pop(where, None)
        if id(value) in self.launch.rounded:
            self.launch.rounded[where] = self.launch.rounded[id(value)][1]

    def fill(self, part, value):
        """Sets each element of a part of an array."""
        values = np.broadcast_to(value, part.shape)
        for index in np.ndindex(part.shape):
            part[index] = scalars.convert(values[index], part.dtype.name)

    def change(self, op, part, value):
        """part op= value, for each element."""
        values = np.broadcast_to(value, part.shape)
        for index in np.ndindex(part.shape):
            result = self.combined(op, part[index], values[index])
            part[index] = scalars.convert(result, part.dtype.name)

    def combined(self, op, left, right):
        kind = binary_type(op, scalars.kind_of(left), scalars.kind_of(right))
        return scalars.binary(op, left, right, kind)

    def do_AugAssign(self, node):
        load = self.module.reads[node]
        op = type(node.op)
        left, right = self.evaluate(load), self.evaluate(node.value)
        if isinstance(left, np.ndarray):
            self.note(f"slice {op.__name__}=")
            self.change(op, left, right)
            return
        self.note(f"{op.__name__}= {scalars.kind_of(left)}")
        self.assign(node.target, self.combined(op, left, right))
        yield from ()

    def do_If(self, node):
        self.note(getattr(node, "case", "if"))
        if self.condition(node.test):
            yield from self.body(node.body)
        elif node.orelse:
            chained = isinstance(node.orelse[0], ast.If)
            self.note("elif" if chained else "else")
            yield from self.body(node.orelse)

    def turn(self, node):
        """One iteration of a loop; whether there may be another."""
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
        while self.condition(node.test):
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
        if isinstance(iterated, Iterator):
            return iterated
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
