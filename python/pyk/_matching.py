# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`match` statements as the `if` statements that they amount to.

Patterns that compare are taken. Those that take a value apart are not: in a
kernel a value has one type, so that there is nothing to tell apart.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyk._nodes import Flattener

Node = dict[str, Any]


class Matcher:
    """One `match` statement; its subject is held by `variable`."""

    def __init__(self, flattener: Flattener, variable: Node) -> None:
        self._flattener = flattener
        self._variable = variable

    def statement(self, node: ast.Match) -> Node:
        """The statement as one that always runs: an `if True`."""
        assign = {
            "k": "assign",
            "at": self._flattener.at(node.subject),
            "targets": [self._variable],
            "value": self._flattener.expr(node.subject),
        }
        return {
            "k": "if",
            "at": self._flattener.at(node),
            "test": self._flattener.expr(_at(node, ast.Constant(True))),
            "body": [assign, *self._cases(node.cases)],
            "orelse": [],
        }

    def _cases(self, cases: Sequence[ast.match_case]) -> list[Node]:
        """The first of `cases` and, where it does not match, the others."""
        if not cases:
            return []
        case = cases[0]
        pattern, guard = case.pattern, case.guard
        nodes: list[Node] = []
        tests = []
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            if pattern.name is not None:
                nodes.append(self._assign(pattern, pattern.name))
        else:
            tests.append(self._test(pattern))
        if guard is not None:
            tests.append(self._flattener.expr(guard))
        body = self._flattener.block(case.body)
        if not tests:
            return nodes + body
        place = self._flattener.at(pattern)
        test = tests[0]
        if len(tests) == 2:
            test = {"k": "boolop", "at": place, "op": "and", "values": tests}
        orelse = self._cases(cases[1:])
        nodes.append(
            {
                "k": "if",
                "at": place,
                "test": test,
                "body": body,
                "orelse": orelse,
            }
        )
        return nodes

    def _assign(self, pattern: ast.pattern, name: str) -> Node:
        place = self._flattener.at(pattern)
        target = {"k": "name", "at": place, "id": name}
        return {
            "k": "assign",
            "at": place,
            "targets": [target],
            "value": self._variable,
        }

    def _test(self, pattern: ast.pattern) -> Node:
        """Whether the subject matches `pattern`."""
        place = self._flattener.at(pattern)
        if isinstance(pattern, ast.MatchOr):
            values = [self._test(choice) for choice in pattern.patterns]
            return {"k": "boolop", "at": place, "op": "or", "values": values}
        if isinstance(pattern, ast.MatchValue):
            operator, value = "==", pattern.value
        elif isinstance(pattern, ast.MatchSingleton):
            operator, value = "is", _at(pattern, ast.Constant(pattern.value))
        else:
            return self._flattener.unsupported(
                pattern,
                "a pattern that takes a value apart",
                "match the parts, or use 'if'",
            )
        return {
            "k": "compare",
            "at": place,
            "left": self._variable,
            "ops": [operator],
            "comparators": [self._flattener.expr(value)],
        }


def _at(node: ast.AST, expression: ast.expr) -> ast.expr:
    return ast.copy_location(expression, node)
