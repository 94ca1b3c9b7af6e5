# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements of Python as nodes of the ast buffer.

As `_expressions`, with a table of its own.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pyk._frontend._expressions import OPERATORS, Expressions, Node
from pyk._frontend._matching import as_if
from pyk._frontend._mistakes import Context, Mistake, find
from pyk._frontend._scope import MISSING, only_value
from pyk._frontend._source import FunctionNode, Source


class Flattener(Expressions):
    """Makes the nodes of one function."""

    def block(self, statements: Iterable[ast.stmt]) -> list[Node]:
        nodes = []
        for statement in statements:
            if (
                isinstance(statement, ast.Expr)
                and isinstance(statement.value, ast.Constant)
                and isinstance(statement.value.value, str)
            ) or (isinstance(statement, ast.AnnAssign) and not statement.value):
                # A docstring, or an annotation alone.
                continue
            build = _STATEMENTS.get(type(statement), Expressions.unsupported)
            nodes.append(build(self, statement))
        return nodes

    def _stmt_expr(self, node: ast.Expr) -> Node:
        value = self.expr(node.value)
        return {"k": "expr", "at": self.at(node), "value": value}

    def find_mistakes(
        self, source: Source, arguments: Sequence[str], is_for_host: bool
    ) -> Iterator[tuple[Mistake, tuple[str, int]]]:
        """What is right Python and hardly meant in the function, and where.

        `arguments` are the types of a kernel's arguments.
        """
        if isinstance(self._node, ast.Lambda):
            return
        context = Context(
            source,
            self._scope.is_local,
            self._object,
            arguments,
            is_for_host,
        )
        # Statements that are nested too deeply for this are compiled all the
        # same.
        with contextlib.suppress(RecursionError):
            for mistake in find(self._node, context):
                yield mistake, (self._file, self.at(mistake.node)[0])

    def _stmt_assign(self, node: ast.Assign | ast.AnnAssign) -> Node:
        if isinstance(node, ast.AnnAssign):
            targets: list[ast.expr] = [node.target]
        else:
            targets = node.targets
        assert node.value is not None
        return {
            "k": "assign",
            "at": self.at(node),
            "targets": [self._target(target) for target in targets],
            "value": self.expr(node.value),
        }

    def _stmt_augassign(self, node: ast.AugAssign) -> Node:
        return {
            "k": "augassign",
            "at": self.at(node),
            "target": self._target(node.target),
            "op": OPERATORS[type(node.op)],
            "value": self.expr(node.value),
        }

    def _stmt_test(self, node: ast.If | ast.While) -> Node:
        return {
            "k": "if" if isinstance(node, ast.If) else "while",
            "at": self.at(node),
            "test": self.expr(node.test),
            "body": self.block(node.body),
            "orelse": self.block(node.orelse),
        }

    def _stmt_for(self, node: ast.For) -> Node:
        return {
            "k": "for",
            "at": self.at(node),
            "target": self._target(node.target),
            "iter": self._searched(node.iter),
            "body": self.block(node.body),
            "orelse": self.block(node.orelse),
        }

    def _stmt_return(self, node: ast.Return) -> Node:
        value = self.expr(node.value) if node.value else None
        return self._return(node, value)

    def _return(self, node: ast.AST, value: Node | None) -> Node:
        names = self._block.assigned() if self._block else []
        if names:
            # What a call of this assigns is beside its result.
            none = ast.copy_location(ast.Constant(None), node)
            value = value or self._expr_constant(none)
            items = [value, *(self._variable(node, name) for name in names)]
            value = {"k": "tuple", "at": self.at(node), "items": items}
        return {"k": "return", "at": self.at(node), "value": value}

    def body(self, node: FunctionNode) -> list[Node]:
        """The statements of a function."""
        if isinstance(node, ast.Lambda):
            value = self.expr(node.body)
            return [self._return(node.body, value)]
        nodes = self.block(node.body)
        if self._block and self._block.assigned():
            nodes.append(self._return(node, None))
        return nodes

    def _stmt_assert(self, node: ast.Assert) -> Node:
        arguments = [] if node.msg is None else [node.msg]
        raising = self._raise(node, AssertionError, arguments, "an assertion")
        return {
            "k": "if",
            "at": self.at(node),
            "test": self.expr(node.test),
            "body": [],
            "orelse": [raising],
        }

    def _stmt_raise(self, node: ast.Raise) -> Node:
        if node.exc is None:
            return self.unsupported(node, "a 'raise' without an exception")
        if node.cause is not None:
            return self.unsupported(node, "a 'raise' with 'from'")
        called = node.exc
        arguments: list[ast.expr] = []
        if isinstance(called, ast.Call):
            if called.keywords:
                return self.unsupported(
                    node, "an exception with an argument passed by name"
                )
            arguments = called.args
            called = called.func
        kind = self._object(called)
        if not (isinstance(kind, type) and issubclass(kind, BaseException)):
            return self.unsupported(
                node, "a 'raise' of anything but an exception class"
            )
        return self._raise(node, kind, arguments, "an exception")

    def _raise(
        self,
        node: ast.stmt,
        kind: type[BaseException],
        arguments: list[ast.expr],
        what: str,
    ) -> Node:
        values = [self._known(argument) for argument in arguments]
        if any(value is MISSING for value in values):
            return self.unsupported(
                node,
                f"{what} with an argument that is not constant",
                "name a literal, a global, or a variable that one of them is "
                "assigned to, once",
            )
        line = self.at(node)[0]
        return {
            "k": "raise",
            "at": self.at(node),
            "error": kind.__name__,
            "exception": self._raised.add(node, line, kind, tuple(values)),
        }

    def _known(self, node: ast.expr) -> object:
        """The same of a variable that is assigned a constant, and only that."""
        if isinstance(node, ast.Name) and self._scope.is_local(node.id):
            # With `nonlocal`, nested functions may assign it, too.
            assigned = None if self._block else only_value(self._node, node.id)
            return MISSING if assigned is None else self._object(assigned)
        return self._object(node)

    def _stmt_def(self, node: ast.FunctionDef) -> Node:
        if node.decorator_list:
            return self.unsupported(
                node.decorator_list[0],
                "a decorator of a nested function",
                "a nested function needs none to be called",
            )
        if (
            self._block
            and self._block.assigned_by(node.name)
            and self._block.is_ambiguous(node.name)
        ):
            return self.unsupported(
                node,
                f"more than one '{node.name}' of which one assigns a variable "
                "that is 'nonlocal'",
            )
        return {
            "k": "assign",
            "at": self.at(node),
            "targets": [self._variable(node, node.name)],
            "value": self._nested(node),
        }

    def _stmt_nonlocal(self, node: ast.Nonlocal) -> Node:
        if all(map(self._scope.is_local, node.names)):
            return {"k": "pass", "at": self.at(node)}
        return self.unsupported(
            node,
            "an assignment to a variable of the function around the kernel",
            "write to an array that is an argument",
        )

    def _stmt_match(self, node: ast.Match) -> Node:
        return self._stmt_test(as_if(node, self._fresh("match")))

    def _stmt_simple(self, node: ast.stmt) -> Node:
        return {"k": type(node).__name__.lower(), "at": self.at(node)}


_STATEMENTS: dict[type[ast.stmt], Callable[[Flattener, Any], Node]] = {
    ast.Expr: Flattener._stmt_expr,
    ast.Assign: Flattener._stmt_assign,
    ast.AnnAssign: Flattener._stmt_assign,
    ast.AugAssign: Flattener._stmt_augassign,
    ast.If: Flattener._stmt_test,
    ast.While: Flattener._stmt_test,
    ast.For: Flattener._stmt_for,
    ast.FunctionDef: Flattener._stmt_def,
    ast.Match: Flattener._stmt_match,
    ast.Return: Flattener._stmt_return,
    ast.Assert: Flattener._stmt_assert,
    ast.Nonlocal: Flattener._stmt_nonlocal,
    ast.Raise: Flattener._stmt_raise,
    ast.Break: Flattener._stmt_simple,
    ast.Continue: Flattener._stmt_simple,
    ast.Pass: Flattener._stmt_simple,
}
