# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions: a type and perhaps a symbol for each.

An operand without a type yet makes an expression wait. A value that a decided
branch cuts off is not evaluated and gives its type to nothing.
"""

import ast
import builtins

import numpy as np

from .closures import Closure, captured_names, nested_function
from .errors import NameNotDefined, NoOverload, TypingError
from .folding import fold
from .functions import (
    CUDA_VALUES,
    CudaName,
    DeviceFunction,
    call_type,
    method_type,
)
from .indexing import index_array, index_tuple
from .objects import as_tuple, attribute_type, is_namedtuple, made
from .operators import ORDERED, binary_type, unary_type
from .symbols import (
    Chosen,
    Constant,
    Instance,
    Length,
    Operation,
    Rank,
    Read,
    Value,
)
from .types import (
    COMPLEXES,
    FLOATS,
    INTEGERS,
    PARTS,
    SCALARS,
    Array,
    Known,
    Literal,
    Member,
    Optional,
    Tuple,
    number,
    plain,
    value_type,
)


class Expressions:
    """The part of `Function` that evaluates expressions."""

    def evaluate(self, node):
        """The value of an expression; its type accumulates."""
        node = fold(node)
        try:
            value = getattr(self, "get_" + type(node).__name__)(node)
        except TypingError as error:
            self.note(error)
            value = Value(None)
        return Value(
            self.accumulate((node, self.copy), value.type), value.symbol
        )

    def get_Constant(self, node):
        """A constant; the items of a constant tuple stay literal."""
        symbol = None if isinstance(node.value, tuple) else Constant(node.value)
        return Value(value_type(node.value), symbol)

    def get_Name(self, node):
        """A local by its definition, anything else by its value."""
        if node.id in self.locals:
            definition = self.environment.get(node.id)
            if definition is None:
                # No path brings a value: the first one stands in.
                found = list(self.all.get(node.id, {}).values())
                if not found:
                    if self.check_names:
                        raise NameNotDefined(
                            "name", f"{node.id} is read above its assignments"
                        )
                    raise TypingError("undetermined", f"{node.id} has no value")
                first = self.all[node.id].get(self.firsts.get(node.id))
                if not self.module.peer and first is None:
                    raise TypingError(
                        "undefined", f"{node.id} is not assigned above"
                    )
                return Value((first or found[0]).type)
            self.read.append(definition)
            version = node.id, self.version.get(node.id, 0)
            return Value(definition.type, Read(version, definition))
        for scope in (self.outer, self.function.__globals__, vars(builtins)):
            if node.id in scope:
                value = scope[node.id]
                return Value(value_type(value), Constant(value))
        raise TypingError("name", f"{node.id} is not defined")

    def get_Tuple(self, node):
        """Literal items stay literal."""
        kinds = tuple(self.evaluate(item).type for item in node.elts)
        return Value(None if None in kinds else Tuple(kinds))

    def get_NamedExpr(self, node):
        """A value that gets a name, too."""
        value = self.evaluate(node.value)
        self.assign(node.target, value, self.environment)
        return value

    def get_UnaryOp(self, node):
        """Signs, inversion, not."""
        kind = number(self.evaluate(node.operand).type)
        if kind is None:
            return Value(None)
        if isinstance(node.op, ast.Not):
            return Value("bool")
        result = (
            unary_type(type(node.op), kind)
            if isinstance(kind, str) and kind in SCALARS
            else None
        )
        if result is None:
            raise NoOverload("call", f"no operator for {kind}")
        return Value(result)

    def get_BinOp(self, node):
        """Arithmetic, shifts, bits."""
        return self.binary(
            node,
            type(node.op),
            self.evaluate(node.left),
            self.evaluate(node.right),
        )

    def binary(self, node, op, left, right):
        """A binary operator on two values."""
        key = (node, self.copy)
        symbol = Operation(key, op, left.symbol, right.symbol)
        if key in self.nullified:
            return Value(value_type(self.nullified[key]), symbol)
        a, b = number(left.type), number(right.type)
        if a is None or b is None:
            return Value(None, symbol)
        if (
            self.module.peer
            and isinstance(node, ast.AugAssign)
            and op is ast.Div
        ):
            op = ast.FloorDiv if a not in FLOATS and b not in FLOATS else op
        if isinstance(a, Tuple) and isinstance(b, Tuple) and op is ast.Add:
            return Value(Tuple(a.items + b.items), symbol)
        scalars = all(
            isinstance(kind, str) and kind in SCALARS for kind in (a, b)
        )
        result = binary_type(op, a, b, self.module.peer) if scalars else None
        if result is None:
            arrays = isinstance(a, Array) or isinstance(b, Array)
            self.report(
                "array" if arrays else "call", f"no operator for {a} and {b}"
            )
        return Value(result, symbol)

    def compare_steps(self, node):
        """The values of a chain of comparisons, one after the other."""
        left = self.evaluate(node.left)
        for index, (op, comparator) in enumerate(
            zip(node.ops, node.comparators, strict=True)
        ):
            right = self.evaluate(comparator)
            yield self.compare((node, index), type(op), left, right)
            left = right

    def compare(self, key, op, left, right):
        """One comparison."""
        key = (key, self.copy)
        symbol = Operation(key, op, left.symbol, right.symbol)
        if op in (ast.In, ast.NotIn):
            return Value("bool")
        if key in self.nullified and self.module.peer:
            return Value(value_type(self.nullified[key]), symbol)
        if key in self.nullified or op in (ast.Is, ast.IsNot):
            return Value("bool", symbol)
        a, b = number(left.type), number(right.type)
        if a is None or b is None:
            return Value(None, symbol)
        scalars = all(
            isinstance(kind, str) and kind in SCALARS for kind in (a, b)
        ) and not (op in ORDERED and (a in COMPLEXES or b in COMPLEXES))
        tuples = isinstance(a, Tuple) and isinstance(b, Tuple)
        same = "none" in (a, b) or (isinstance(a, Member) and a == b)
        same = same and op in (ast.Eq, ast.NotEq)
        if not (scalars or tuples or same):
            arrays = isinstance(a, Array) or isinstance(b, Array)
            self.report(
                "array" if arrays else "call", f"cannot compare {a} and {b}"
            )
            return Value(None, symbol)
        return Value("bool", symbol)

    def get_Compare(self, node):
        """The first false comparison ends a chain."""
        result = Value(None)
        kinds = []
        for index, value in enumerate(self.compare_steps(node)):
            result = value
            kinds.append(value.type)
            if index < len(node.ops) - 1:
                true, false = self.branch((node, index), value)
                if not false:
                    kinds.pop()
                if not true:
                    break
        for kind in kinds:
            result = Value(
                self.accumulate((node, "chain", self.copy), kind), result.symbol
            )
        if len(node.ops) > 1:
            return Value(
                result.type, Chosen(result.symbol) if len(kinds) == 1 else None
            )
        return result

    def get_BoolOp(self, node):
        """The operands that can be the result."""
        true, false = self.outcomes(node)
        values = {id(value): value for value in [*true, *false]}.values()
        kind, symbol = None, None
        for value in values:
            kind = self.accumulate((node, "result", self.copy), value.type)
            symbol = value.symbol
        return Value(kind, Chosen(symbol) if len(values) == 1 else None)

    def outcomes(self, node):
        """(values that a true result can be, that a false one can be)."""
        if not isinstance(node, ast.BoolOp):
            value = self.evaluate(node)
            constant = fold(node)
            if isinstance(constant, ast.Constant):
                true, false = bool(constant.value), not constant.value
            else:
                true, false = self.branch(("value", node), value)
            return [value] if true else [], [value] if false else []
        conjunction = isinstance(node.op, ast.And)
        ends = []
        for position, value in enumerate(node.values):
            if position == len(node.values) - 1 and not isinstance(
                value, ast.BoolOp
            ):
                last = self.evaluate(value)
                true, false = [last], [last]
            else:
                true, false = self.outcomes(value)
            stays, leaves = (true, false) if conjunction else (false, true)
            ends += leaves
            if not stays:
                break
        return (stays, ends) if conjunction else (ends, stays)

    def get_IfExp(self, node):
        """The sides that can be reached."""
        true, false = self.test(node.test)
        kind, symbol = None, None
        for side, reached in ((node.body, true), (node.orelse, false)):
            if reached:
                value = self.evaluate(side)
                kind = self.accumulate((node, "result", self.copy), value.type)
                symbol = value.symbol
        return Value(kind, Chosen(symbol) if true != false else None)

    def get_Slice(self, node):
        """Bounds are integers; layouts depend on whether there is a step."""
        for bound in (node.lower, node.upper, node.step):
            kind = plain(self.evaluate(bound).type) if bound else "int64"
            if kind is not None and kind not in INTEGERS:
                raise NoOverload("index", f"cannot slice by {kind}")
        return Value("slice with a step" if node.step else "slice")

    def get_Subscript(self, node):
        """An element, a row or an item."""
        base, index = self.evaluate(node.value), self.evaluate(node.slice)
        self.indices[node] = index.symbol
        if base.type is None or index.type is None:
            return Value(None)
        kind = base.type.inner if isinstance(base.type, Optional) else base.type
        kind, result = as_tuple(kind), None
        if isinstance(node.slice, ast.Constant) and index.type == "str":
            result = attribute_type(kind, node.slice.value)
        elif isinstance(kind, Array):
            result = index_array(kind, index.type)
        elif isinstance(kind, Tuple):
            static = self.settled.get(node)
            value = static.value if isinstance(static, Constant) else None
            static = int(value) if isinstance(value, np.integer) else value
            result = index_tuple(kind, index.type, static)
        if result is None:
            raise NoOverload("index", f"cannot index {kind} with {index.type}")
        return Value(result)

    def get_Attribute(self, node):
        """Shapes of arrays, members of modules."""
        base = self.evaluate(node.value)
        kind, name = base.type, node.attr
        symbol = Rank(base.symbol) if name == "ndim" else None
        if kind is None:
            return Value(None, symbol)
        if isinstance(kind, Array):
            if name == "ndim":
                known = self.settle(symbol)
                return Value(Literal(known.value) if known else "int64", symbol)
            if name in ("size", "itemsize"):
                return Value("int64")
            if name in ("shape", "strides"):
                return Value(Tuple(("int64",) * kind.rank))
            if name == "T":
                layout = {"C": "F", "F": "C"}.get(kind.layout, "A")
                layout = kind.layout if kind.rank < 2 else layout
                return Value(kind._replace(layout=layout))
        found = attribute_type(kind, name)
        if found is not None:
            return Value(found)
        scalar = plain(kind)
        if scalar in SCALARS[1:] and name in ("real", "imag"):
            return Value(PARTS.get(scalar, scalar))
        if isinstance(kind, Known):
            if isinstance(kind.object, CudaName):
                path = f"{kind.object.path}.{name}"
                return Value(CUDA_VALUES.get(path) or Known(CudaName(path)))
            if hasattr(kind.object, name):
                return Value(plain(value_type(getattr(kind.object, name))))
        raise TypingError("attribute", f"{kind} has no attribute {name}")

    def get_Call(self, node):
        """A built-in function by table, a device function by inference."""
        method = self.method_of(node)
        if method is not None:
            return method
        callee = self.evaluate(node.func)
        values = [
            value for item in node.args for value in self.argument_values(item)
        ]
        named = {
            keyword.arg: self.packed(self.evaluate(keyword.value).type)
            for keyword in node.keywords
        }
        kinds = [self.packed(value.type) for value in values]
        if self.untyped and not self.is_built_in(node.func, callee):
            # Any other call may be of a nested function that reaches it, and
            # read what that captures.
            for defined, function in self.nested.items():
                name = getattr(defined, "name", None)
                if name is None or name in self.environment:
                    self.captured_types(function)
        symbol = None
        if callee.symbol == Constant(len) and len(values) == 1:
            symbol = Length(values[0].symbol)
            known = self.settle(symbol)
            if known:
                return Value(Literal(known.value), symbol)
        if callee.symbol == Constant(isinstance) and len(values) == 2:
            symbol = Instance(values[0].symbol, self.classes(node.args[1]))
        if callee.type is None or None in kinds or None in named.values():
            return Value(None, symbol)
        if isinstance(callee.type, Closure):
            closure = self.packed(callee.type)
            if closure is None:
                return Value(None)
            return self.call(node, *closure, kinds, named)
        if not isinstance(callee.type, Known):
            raise TypingError("call", f"{callee.type} is not callable")
        function = callee.type.object
        if isinstance(function, DeviceFunction):
            return self.call(node, function.function, (), kinds, named)
        if is_namedtuple(function):
            return Value(made(function, kinds, named))
        result = call_type(function, kinds) if not named else None
        if result is None:
            raise NoOverload("call", f"no overload of {function} for {kinds}")
        return Value(result, symbol)

    def classes(self, node):
        """The classes that isinstance() asks for."""
        if isinstance(node, ast.Tuple):
            return [each for item in node.elts for each in self.classes(item)]
        return [self.evaluate(node).symbol.value]

    def method_of(self, node):
        """The result of a method; None if it is no call of one."""
        if not isinstance(node.func, ast.Attribute) or node.args:
            return None
        owner = plain(self.evaluate(node.func.value).type)
        if isinstance(owner, Known):
            return None
        result = owner and method_type(owner, node.func.attr)
        if owner is not None and result is None:
            raise NoOverload("call", f"{owner} has no {node.func.attr}")
        return Value(result)

    def call(self, node, function, captured, kinds, named):
        """A call of a function that is inferred."""
        function, arguments = self.module.complete(function, kinds, named)
        key = function, (*arguments, *captured)
        self.callees[node, self.copy] = key
        return Value(self.module.infer(key))

    def argument_values(self, node):
        """The values of an argument; a starred one has several."""
        if not isinstance(node, ast.Starred):
            return [self.evaluate(node)]
        kind = self.evaluate(node.value).type
        if kind is None:
            return [Value(None)]
        if not isinstance(kind, Tuple):
            raise NoOverload("call", f"{kind} has no items")
        return [Value(item) for item in kind.items]

    def get_Lambda(self, node):
        """A function of one expression."""
        return Value(self.closure(node))

    def closure(self, node):
        """The type of a nested function where it is defined."""
        if node not in self.nested:
            self.nested[node] = nested_function(self.function, node)
        return Closure(self.nested[node], None)

    def is_built_in(self, node, callee):
        """Whether a call is surely of no function of the program."""
        if not isinstance(node, ast.Attribute):
            symbol = callee.symbol
            return isinstance(symbol, Constant) and not isinstance(
                symbol.value, DeviceFunction
            )
        while isinstance(node, ast.Attribute):
            node = node.value
        return isinstance(node, ast.Name) and node.id not in self.environment

    def packed(self, kind):
        """A type as it goes into a call: a closure has what it captures."""
        if isinstance(kind, Closure) and kind.captured is None:
            captured = self.captured_types(kind.function)
            return None if None in captured else Closure(kind[0], captured)
        return kind

    def captured_types(self, function):
        """The types that captured variables have here."""
        names = captured_names(function)
        return tuple(
            self.packed(self.get_Name(ast.Name(name, ast.Load())).type)
            for name in names
            if not self.untyped or name in self.environment
        )
