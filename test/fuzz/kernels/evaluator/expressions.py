# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions: each has a value of the type that the model gives it."""

import ast
import builtins
from enum import Enum

import numpy as np
from model.folding import fold
from model.functions import CudaName
from model.operators import binary_type
from model.types import COMPLEXES, FLOATS, SCALARS, plain

from .. import scalars
from .exits import Refused
from .objects import number
from .warps import NUMBERS

#: The least index that leaves the memory of every array.
FAR = 2**20 - 64


class Expressions:
    """The part of a call that evaluates expressions."""

    def evaluate(self, node):
        """The value of an expression, in the type that the model gives it."""
        self.count()
        node = fold(node)
        value = getattr(self, "get_" + type(node).__name__)(node)
        return self.converted(value, self.types.get((node, ())))

    def get_Constant(self, node):
        if isinstance(node.value, tuple):
            return tuple(scalars.literal(item) for item in node.value)
        self.note(f"literal {type(node.value).__name__}")
        if node.value is None or isinstance(node.value, str):
            return node.value
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
        if isinstance(found, (int, float, complex)):
            self.note("global")
            return scalars.literal(found)
        return found

    def get_Tuple(self, node):
        return tuple(self.evaluate(item) for item in node.elts)

    def get_NamedExpr(self, node):
        self.note(":=")
        value = self.evaluate(node.value)
        self.variables[node.target.id] = value
        return value

    def get_UnaryOp(self, node):
        operand = self.operand(node.operand)
        self.note(f"{type(node.op).__name__} {scalars.kind_of(operand)}")
        result = scalars.unary(type(node.op), operand)
        # The negative of an inexact number is inexact, too.
        if inexact := self.launch.rounded.get(id(operand)):
            self.inexact(result, inexact[1])
        return result

    def get_BinOp(self, node):
        left, right = self.operand(node.left), self.operand(node.right)
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
        if op is ast.Div and kind in COMPLEXES:
            clear = scalars.has_quotient(left, right, kind)
            self.inexact(result, kind if clear else None)
        return result

    def inexact(self, value, kind):
        """Marks a result that may differ in the last places.

        Without a kind it may be anything.
        """
        # The value is kept alive, so that its id stays its own.
        self.launch.rounded[id(value)] = value, kind

    def get_Compare(self, node):
        left = self.evaluate(node.left)
        if len(node.ops) > 1:
            self.note("chained comparison")
        for index, op in enumerate(node.ops):
            right = self.evaluate(node.comparators[index])
            result = self.way((node, index))
            if result is None:
                result = self.compare(type(op), left, right)
            result = np.bool_(result)
            if not result:
                break
            left = right
        return result

    def compare(self, op, left, right):
        """One comparison."""
        if op in (ast.Is, ast.IsNot):
            return self.is_same(op, left, right)
        if isinstance(left, tuple):
            self.note("comparison of tuples")
            same = (
                self.compare(ast.Eq, a, b)
                for a, b in zip(left, right, strict=True)
            )
            return np.bool_(all(same) == (op is ast.Eq))
        if isinstance(left, Enum) or isinstance(right, Enum):
            self.note(f"enum {op.__name__}")
        left, right = number(left), number(right)
        self.note(f"{op.__name__} {scalars.kind_of(left)}")
        return scalars.compare(op, left, right)

    def get_BoolOp(self, node):
        conjunction = isinstance(node.op, ast.And)
        for item in node.values:
            way = self.way(("value", item))
            if way is conjunction:
                continue  # it is no result, so that nobody reads it
            value = self.evaluate(item)
            self.note(f"{type(node.op).__name__} {scalars.kind_of(value)}")
            if way is not None or self.truth(value) != conjunction:
                break
        return value

    def get_IfExp(self, node):
        self.note("conditional expression")
        taken = self.condition(node.test)
        return self.evaluate(node.body if taken else node.orelse)

    def way(self, key):
        """The way that the model has decided a branch to go, or None."""
        return self.inference.taken.get((key, ()))

    def truth(self, value):
        return bool(value != 0)

    def condition(self, node, operator=None):
        """The way that a jump goes; a decided one only gives names."""
        node = fold(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self.condition(node.operand, "Not")
        if isinstance(node, ast.BoolOp):
            conjunction = isinstance(node.op, ast.And)
            name = type(node.op).__name__
            for item in node.values:
                if self.condition(item, name) != conjunction:
                    return not conjunction
            return conjunction
        if isinstance(node, ast.IfExp):
            self.note("conditional expression")
            taken = self.condition(node.test)
            return self.condition(node.body if taken else node.orelse)
        way = self.way(node)
        if way is None:
            value = self.evaluate(node)
            if operator:
                self.note(f"{operator} {scalars.kind_of(value)}")
            return self.truth(value)
        for part in ast.walk(node):
            if isinstance(part, ast.NamedExpr):
                self.evaluate(part)
        return way

    def index(self, node):
        """An index as NumPy takes it."""
        if isinstance(node, ast.Slice):
            bounds = (node.lower, node.upper, node.step)
            return slice(*(b and int(self.evaluate(b)) for b in bounds))
        if isinstance(node, ast.Tuple):
            return tuple(self.index(item) for item in node.elts)
        value = self.evaluate(node)
        if isinstance(value, str):
            return value
        if isinstance(value, tuple):
            return tuple(map(int, value))
        return None if value is None else int(value)

    def is_far(self, array, index):
        """Whether an access leaves the memory: it reads 0, or is dropped.

        Near the elements programs leave no array; a reduced one might.
        """
        indices = index if isinstance(index, tuple) else (index,)
        numbers = [i for i in indices if i is not None]
        is_element = len(numbers) == array.ndim and not array.dtype.names
        for place, extent in zip(numbers, array.shape, strict=False):
            if is_element and isinstance(place, int) and abs(place) >= FAR:
                return True
            if isinstance(place, int) and not -extent <= place < extent:
                raise Refused("an index beyond the end")
            if isinstance(place, int) and place < 0:
                self.note("negative index")
        return False

    def get_Subscript(self, node):
        base, index = self.evaluate(node.value), self.index(node.slice)
        if isinstance(base, tuple):
            self.note("tuple item")
            if not -len(base) <= index < len(base):
                raise Refused("an index beyond the end")
            return base[index]
        if isinstance(index, str):
            self.note("field by name")
            return self.attribute_of_object(base, index)[1]
        if self.is_far(base, index):
            self.note("far load")
            return scalars.KINDS[base.dtype.name](0)
        result = base[index]
        if isinstance(result, np.void):
            self.note("record of an array")
            return result
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
                "threadIdx": self.place.index,
                "blockIdx": {"x": self.place.block},
                "blockDim": self.launch.extents,
                "gridDim": {"x": self.launch.grid},
            }[which]
            first = 0 if which.endswith("Idx") else 1
            return np.int32(number.get(node.attr, first))
        base = self.evaluate(node.value)
        if isinstance(base, CudaName) and node.attr in NUMBERS:
            self.note(f"cuda.{node.attr}")
            return np.int32(NUMBERS[node.attr](self.place.thread))
        is_object, found = self.attribute_of_object(base, node.attr)
        if is_object:
            return found
        if isinstance(base, np.generic):
            self.note(f".{node.attr} {scalars.kind_of(base)}")
            return getattr(base, node.attr)
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
