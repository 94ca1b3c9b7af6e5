# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Expressions of Python as nodes of the ast buffer.

One short method for each kind of node, found through the table at the end of
the file. What is not there becomes an `unsupported` node with a phrase for the
message; the compiler reports it where the code is live.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from pyk._failures import Raised
from pyk._frontend._folding import Folder
from pyk._frontend._known_calls import (
    REMEDIES,
    answer,
    check,
    looks_at_constants,
    needs_constants,
)
from pyk._frontend._nonlocal import Block
from pyk._frontend._scope import MISSING, AnyScope, get_attribute
from pyk._frontend._source import FunctionNode, Source
from pyk._frontend._unsupported import UNSUPPORTED
from pyk._frontend._values import OF_ONE, Value, has_fixed_attribute
from pyk._library import FUNCTIONS, METHODS
from pyk._library._registry import refuse
from pyk._missing import reason

Node = dict[str, Any]

OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.MatMult: "@",
    ast.UAdd: "+",
    ast.USub: "-",
    ast.Invert: "~",
    ast.Not: "not",
    ast.And: "and",
    ast.Or: "or",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Is: "is",
    ast.IsNot: "is-not",
    ast.In: "in",
    ast.NotIn: "not-in",
}


def _is_slice_call(node: ast.Call) -> bool:
    """Whether a call of `slice` has the arguments that it takes."""
    has_starred = any(isinstance(value, ast.Starred) for value in node.args)
    return 1 <= len(node.args) <= 3 and not node.keywords and not has_starred


class Expressions:
    """Makes the nodes of the expressions of one function."""

    def __init__(
        self,
        source: Source,
        scope: AnyScope,
        raised: Raised,
        node: FunctionNode,
        nested: Callable[[FunctionNode], Node],
        block: Block | None,
    ) -> None:
        self._file = source.file
        self._shift = source.shift
        self._node = node
        self._scope = scope
        self._raised = raised
        self._nested = nested
        self._block = block
        self._folder = Folder()
        #: How many variables rewritings have made.
        self._made = 0

    def at(self, node: Any) -> list[int]:
        shift = self._shift
        return [
            node.lineno + shift,
            node.col_offset,
            node.end_lineno + shift,
            node.end_col_offset,
        ]

    def unsupported(
        self, node: ast.AST, what: str = "", remedy: str = ""
    ) -> Node:
        """What a kernel may not contain, and what to write instead."""
        kind = type(node).__name__
        if not what:
            what, remedy = UNSUPPORTED.get(
                kind, (f"a Python '{kind}' construct", "")
            )
        result = {"k": "unsupported", "at": self.at(node), "what": what}
        if remedy:
            result["remedy"] = remedy
        return result

    def expr(self, node: ast.expr) -> Node:
        node = self._folder.fold(node)
        build = _EXPRESSIONS.get(type(node), Expressions.unsupported)
        return build(self, node)

    def _fresh(self, what: str) -> str:
        """The name of a new variable, which no program has."""
        self._made += 1
        return f"${what}{self._made}"

    def _starred(self, node: ast.Starred, value: Node) -> Node:
        return {"k": "starred", "at": self.at(node), "value": value}

    def _items(self, nodes: Iterable[ast.expr]) -> list[Node]:
        """Items or arguments; one with a star stands for several."""
        return [
            self._starred(node, self.expr(node.value))
            if isinstance(node, ast.Starred)
            else self.expr(node)
            for node in nodes
        ]

    def _optional(self, node: ast.expr | None) -> Node | None:
        return self.expr(node) if node else None

    def _constant(self, node: ast.AST, value: Value) -> Node:
        return {"k": "const", "at": self.at(node), "value": value}

    def _expr_constant(self, node: ast.Constant) -> Node:
        return self._constant(node, self._scope.value(node.value))

    def _expr_binop(self, node: ast.BinOp) -> Node:
        # A sum of many terms is one node, which is not deep.
        chain = [node]
        while isinstance(left := self._folder.fold(chain[-1].left), ast.BinOp):
            chain.append(left)
        return {
            "k": "binop",
            "at": self.at(node),
            "first": self.expr(left),
            "rest": [
                {
                    "at": self.at(operation),
                    "op": OPERATORS[type(operation.op)],
                    "right": self.expr(operation.right),
                }
                for operation in reversed(chain)
            ],
        }

    def _expr_unary(self, node: ast.UnaryOp) -> Node:
        return {
            "k": "unary",
            "at": self.at(node),
            "op": OPERATORS[type(node.op)],
            "operand": self.expr(node.operand),
        }

    def _expr_boolop(self, node: ast.BoolOp) -> Node:
        return {
            "k": "boolop",
            "at": self.at(node),
            "op": OPERATORS[type(node.op)],
            "values": [self.expr(value) for value in node.values],
        }

    def _expr_compare(self, node: ast.Compare) -> Node:
        return {
            "k": "compare",
            "at": self.at(node),
            "left": self.expr(node.left),
            "ops": [self._operator(op) for op in node.ops],
            "comparators": [
                self._searched(value)
                if isinstance(op, (ast.In, ast.NotIn))
                else self.expr(value)
                for op, value in zip(node.ops, node.comparators, strict=True)
            ],
        }

    def _operator(self, op: ast.cmpop) -> str:
        if isinstance(op, (ast.In, ast.NotIn)):
            self._scope.use("pyk.contains")
        return OPERATORS[type(op)]

    def _searched(self, node: ast.expr) -> Node:
        """An operand that is but iterated over: a list there is a tuple."""
        if isinstance(node, ast.List):
            return self._expr_tuple(node)
        return self.expr(node)

    def _expr_ifexp(self, node: ast.IfExp) -> Node:
        return {
            "k": "ifexp",
            "at": self.at(node),
            "test": self.expr(node.test),
            "body": self.expr(node.body),
            "orelse": self.expr(node.orelse),
        }

    def _expr_call(self, node: ast.Call) -> Node:
        if any(keyword.arg is None for keyword in node.keywords):
            return self.unsupported(node, "a call with a '**' argument")
        assigned = self._assigned_by(node.func)
        if assigned:
            assert isinstance(node.func, ast.Name)
            return self._assigning_call(node, node.func, assigned)
        kind = self._object(node.func)
        if kind is refuse:
            what, remedy = map(self._object, node.args)
            return self.unsupported(node, str(what), str(remedy))
        try:
            value = self._answer(node, kind)
        except (ArithmeticError, TypeError, ValueError) as error:
            return self.unsupported(node, f"{ast.unparse(node)} ({error})")
        if value is not MISSING:
            return self._const(node, ast.unparse(node), value)
        if needs_constants(kind):
            return self.unsupported(
                node,
                f"{ast.unparse(node.func)}(...) of anything but constants",
                REMEDIES.get(kind, ""),
            )
        if kind is tuple and len(node.args) <= 1 and not node.keywords:
            return self._tuple_call(node)
        if kind is slice:
            if not _is_slice_call(node):
                what = "'slice' with anything but one to three arguments"
                return self.unsupported(node, what)
            return self._slice_call(node)
        function = self.expr(node.func)
        if function["k"] == "const" and len(node.args) == 1:
            name = function["value"].get("name")
            if name in OF_ONE:
                self._scope.use(name)
        return self._call(node, function)

    def _call(self, node: ast.Call, function: Node) -> Node:
        return {
            "k": "call",
            "at": self.at(node),
            "func": function,
            "args": self._items(node.args),
            "keywords": [
                {"name": keyword.arg, "value": self.expr(keyword.value)}
                for keyword in node.keywords
            ],
        }

    def _assigned_by(self, function: ast.expr) -> list[str]:
        """The variables here that a call of an expression assigns."""
        if self._block and isinstance(function, ast.Name):
            return self._block.assigned_by(function.id)
        return []

    def _assigning_call(
        self, node: ast.Call, function: ast.Name, assigned: list[str]
    ) -> Node:
        """A call that yields its result and what variables are then: the tuple
        `(kept := f(x), k := kept[1], ...)[0][0]`.
        """
        if self._block and self._block.is_foreign(function.id):
            return self.unsupported(
                node,
                f"a call of '{function.id}', which assigns a variable that is "
                "'nonlocal', within another function",
            )
        kept = self._variable(node, self._fresh("kept"))
        call = self._call(node, self._reference(function))
        items = [self._assignment(node, kept, call)]
        for position, name in enumerate(assigned, 1):
            self._scope.is_local(name)
            value = self._item(node, kept, position)
            variable = self._variable(node, name)
            items.append(self._assignment(node, variable, value))
        every = {"k": "tuple", "at": self.at(node), "items": items}
        return self._item(node, self._item(node, every, 0), 0)

    def _assignment(self, node: ast.AST, target: Node, value: Node) -> Node:
        at = self.at(node)
        return {"k": "namedexpr", "at": at, "target": target, "value": value}

    def _item(self, node: ast.AST, value: Node, position: int) -> Node:
        constant = ast.copy_location(ast.Constant(position), node)
        index = self._expr_constant(constant)
        at = self.at(node)
        return {"k": "subscript", "at": at, "value": value, "index": index}

    def _tuple_call(self, node: ast.Call) -> Node:
        """`tuple()` or `tuple(items)`: `tuple` itself is a class."""
        function = self._scope.value(FUNCTIONS["pyk.tuple"])
        return self._call(node, self._constant(node.func, function))

    def _slice_call(self, node: ast.Call) -> Node:
        """`slice(upper)` or `slice(lower, upper[, step])`."""
        bounds: list[ast.expr | None] = [*node.args]
        if len(bounds) == 1:
            bounds.insert(0, None)
        return self._slice(node, bounds + [None] * (3 - len(bounds)))

    def _answer(self, node: ast.Call, kind: object) -> object:
        """What a call of `kind` is, or MISSING if a kernel is to call it."""
        if not looks_at_constants(kind):
            return MISSING
        values = [self._object(argument) for argument in node.args]
        named = {key.arg: self._object(key.value) for key in node.keywords}
        check(kind, values, named.get("side", MISSING))
        if node.keywords or any(value is MISSING for value in values):
            return MISSING
        return answer(kind, values)

    def _expr_subscript(self, node: ast.Subscript) -> Node:
        kind = self._object(node.value)
        if isinstance(kind, enum.EnumMeta):
            # Only its class knows the member that `Color["RED"]` is.
            member = kind.__members__.get(str(self._object(node.slice)))
            if member is not None:
                name = f"{kind.__name__}.{member.name}"
                return self._const(node, name, member)
        return {
            "k": "subscript",
            "at": self.at(node),
            "value": self.expr(node.value),
            "index": self.expr(node.slice),
        }

    def _expr_slice(self, node: ast.Slice) -> Node:
        return self._slice(node, [node.lower, node.upper, node.step])

    def _slice(self, node: ast.AST, bounds: list[ast.expr | None]) -> Node:
        """A slice with a lower and an upper bound and a step, or None."""
        lower, upper, step = map(self._optional, bounds)
        return {
            "k": "slice",
            "at": self.at(node),
            "lower": lower,
            "upper": upper,
            "step": step,
        }

    def _expr_tuple(self, node: ast.Tuple | ast.List) -> Node:
        items = self._items(node.elts)
        return {"k": "tuple", "at": self.at(node), "items": items}

    def closure(
        self, node: ast.AST, function: str, defaults: list[Node]
    ) -> Node:
        """A nested function, whose key is `function`."""
        return {
            "k": "closure",
            "at": self.at(node),
            "function": function,
            "defaults": defaults,
        }

    def _expr_lambda(self, node: ast.Lambda) -> Node:
        return self._nested(node)

    def _expr_named(self, node: ast.NamedExpr) -> Node:
        return {
            "k": "namedexpr",
            "at": self.at(node),
            "target": self._target(node.target),
            "value": self.expr(node.value),
        }

    # Names.

    def _variable(self, node: ast.AST, name: str) -> Node:
        return {"k": "name", "at": self.at(node), "id": name}

    def _const(self, node: ast.AST, name: str, value: object) -> Node:
        if isinstance(value, slice):
            return {
                "k": "slice",
                "at": self.at(node),
                "lower": self._const(node, name, value.start),
                "upper": self._const(node, name, value.stop),
                "step": self._const(node, name, value.step),
            }
        if value is MISSING:
            encoded = {"t": "unresolved", "name": name}
        else:
            encoded = self._scope.value(value)
        return {
            "k": "const",
            "at": self.at(node),
            "value": encoded,
            "name": name,
        }

    def _name(self, node: ast.Name) -> Node:
        if isinstance(node.ctx, ast.Load) and self._assigned_by(node):
            return self.unsupported(
                node,
                f"nested function '{node.id}', which assigns a variable that "
                "is 'nonlocal', other than called by its name",
            )
        return self._reference(node)

    def _reference(self, node: ast.Name) -> Node:
        itself = self._scope.itself(node.id)
        if itself is not None:
            # What it captures are its own parameters.
            return self.closure(node, itself, [])
        # One of `_fresh` is local.
        if node.id.startswith("$") or self._scope.is_local(node.id):
            return self._variable(node, node.id)
        return self._const(node, node.id, self._scope.lookup(node.id))

    def _attribute(self, node: ast.Attribute) -> Node:
        # `a.b.c` from the outside in; the end of the list is next to apply.
        chain = [node]
        while isinstance(chain[-1].value, ast.Attribute):
            chain.append(chain[-1].value)
        base = chain[-1].value
        if not isinstance(base, ast.Name) or self._scope.is_local(base.id):
            result = self.expr(base)
        else:
            reached: ast.expr = base
            why = None
            name, value = base.id, self._scope.lookup(base.id)
            while chain and has_fixed_attribute(value, chain[-1].attr):
                reached = chain.pop()
                name += f".{reached.attr}"
                owner, value = value, get_attribute(value, reached.attr)
                if value is MISSING and isinstance(owner, ModuleType):
                    package = owner.__name__.rpartition(".")[2]
                    why = reason(package, reached.attr)
            result = self._const(reached, name, value)
            if why is not None:
                result = self.unsupported(reached, f"'{name}', which is {why},")
        for outer in reversed(chain):
            # It may be a method that the library has.
            for method in METHODS.get(outer.attr, ()):
                self._scope.value(method)
            result = {
                "k": "attribute",
                "at": self.at(outer),
                "value": result,
                "attr": outer.attr,
            }
        return result

    def _target(self, node: ast.expr) -> Node:
        """Something that is assigned to."""
        if isinstance(node, (ast.Tuple, ast.List)):
            items = [self._target(item) for item in node.elts]
            return {"k": "tuple", "at": self.at(node), "items": items}
        if isinstance(node, ast.Starred):
            return self._starred(node, self._target(node.value))
        target = self.expr(node)
        if target["k"] == "const":
            name = target["name"]
            return self.unsupported(
                node, f"an assignment to '{name}', which is not local,"
            )
        return target

    def _object(self, node: ast.expr) -> object:
        """What an expression stands for, or MISSING if that may change."""
        node = self._folder.fold(node)
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Tuple):
            items = [self._object(item) for item in node.elts]
            if any(item is MISSING for item in items):
                return MISSING
            return tuple(items)
        if isinstance(node, ast.Name) and not self._scope.is_local(node.id):
            return self._scope.lookup(node.id)
        if isinstance(node, ast.Attribute):
            value = self._object(node.value)
            if value is not MISSING:
                return get_attribute(value, node.attr)
        if isinstance(node, ast.Call):
            try:
                return self._answer(node, self._object(node.func))
            except (ArithmeticError, TypeError, ValueError):
                # It is reported where the call is looked at.
                return MISSING
        return MISSING


_EXPRESSIONS: dict[type[ast.expr], Callable[[Expressions, Any], Node]] = {
    ast.Name: Expressions._name,
    ast.Attribute: Expressions._attribute,
    ast.Constant: Expressions._expr_constant,
    ast.BinOp: Expressions._expr_binop,
    ast.UnaryOp: Expressions._expr_unary,
    ast.BoolOp: Expressions._expr_boolop,
    ast.Compare: Expressions._expr_compare,
    ast.IfExp: Expressions._expr_ifexp,
    ast.Call: Expressions._expr_call,
    ast.Subscript: Expressions._expr_subscript,
    ast.Slice: Expressions._expr_slice,
    ast.Tuple: Expressions._expr_tuple,
    ast.Lambda: Expressions._expr_lambda,
    ast.NamedExpr: Expressions._expr_named,
}
