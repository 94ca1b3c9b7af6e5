# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`match` statements as the `if` statements that they amount to.

A rewriting of the syntax tree. Patterns that compare are taken. Those that take
a value apart stay where their test would be, as what kernels may not contain:
in a kernel a value has one type, so that there is nothing to tell apart.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence


def as_if(node: ast.Match, variable: str) -> ast.If:
    """The statement as one that always runs, an `if True`, in which `variable`
    holds the subject.
    """
    subject = ast.copy_location(ast.Name(variable, ast.Store()), node.subject)
    assign = ast.Assign([subject], node.subject)
    return ast.copy_location(
        ast.If(
            ast.copy_location(ast.Constant(True), node),
            [
                ast.copy_location(assign, node.subject),
                *_Cases(node.subject, variable).among(node.cases),
            ],
            [],
        ),
        node,
    )


class _Cases:
    """The cases of one statement, whose subject `variable` holds."""

    def __init__(self, subject: ast.expr, variable: str) -> None:
        self._subject = ast.Name(variable, ast.Load())
        ast.copy_location(self._subject, subject)

    def among(self, cases: Sequence[ast.match_case]) -> list[ast.stmt]:
        """The first of `cases` and, where it does not match, the others."""
        if not cases:
            return []
        case = cases[0]
        pattern = case.pattern
        before: list[ast.stmt] = []
        tests: list[ast.expr] = [case.guard] if case.guard else []
        if isinstance(pattern, ast.MatchAs) and pattern.pattern is None:
            if pattern.name is not None:
                target = ast.Name(pattern.name, ast.Store())
                ast.copy_location(target, pattern)
                assign = ast.Assign([target], self._subject)
                before.append(ast.copy_location(assign, pattern))
        else:
            tests.insert(0, self._test(pattern))
        if not tests:
            return before + case.body
        test = tests[0]
        if len(tests) == 2:
            test = ast.copy_location(ast.BoolOp(ast.And(), tests), pattern)
        branch = ast.If(test, case.body, self.among(cases[1:]))
        return [*before, ast.copy_location(branch, pattern)]

    def _test(self, pattern: ast.pattern) -> ast.expr:
        """Whether the subject matches `pattern`."""
        test: ast.expr
        if isinstance(pattern, ast.MatchOr):
            choices = [self._test(choice) for choice in pattern.patterns]
            test = ast.BoolOp(ast.Or(), choices)
        elif isinstance(pattern, ast.MatchValue):
            test = ast.Compare(self._subject, [ast.Eq()], [pattern.value])
        elif isinstance(pattern, ast.MatchSingleton):
            value = ast.copy_location(ast.Constant(pattern.value), pattern)
            test = ast.Compare(self._subject, [ast.Is()], [value])
        else:
            return pattern  # type: ignore[return-value]
        return ast.copy_location(test, pattern)
