# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`match` on numbers, as the `if` statements that it stands for.

The subject has no effect, so each pattern may evaluate it again.
"""

import ast
import copy


class Matching(ast.NodeTransformer):
    """Replaces each `match`."""

    def visit_Match(self, node):
        """A chain of `if`, from the last case to the first."""
        self.generic_visit(node)
        chain = []
        for case in reversed(node.cases):
            chain = replaced(case, node.subject, chain)
        return chain


def replaced(case, subject, others):
    """The statements of a case, and of those behind it."""
    pattern = case.pattern
    if isinstance(pattern, ast.MatchAs):
        test, kind = case.guard, "case with a guard"
    else:
        test, kind = compared(pattern, subject), type(pattern).__name__
    if test is None:
        statements = case.body
    else:
        branch = ast.If(test, case.body, others)
        branch.case = kind
        statements = [ast.copy_location(branch, case.pattern)]
    if getattr(pattern, "name", None):
        target = ast.Name(pattern.name, ast.Store())
        bound = ast.Assign([target], copy.deepcopy(subject))
        for node in (target, bound):
            ast.copy_location(node, pattern)
        statements = [bound, *statements]
    return statements


def compared(pattern, subject):
    """The condition of a value, or of one of several."""
    if isinstance(pattern, ast.MatchOr):
        values = [compared(part, subject) for part in pattern.patterns]
        test = ast.BoolOp(ast.Or(), values)
    else:
        test = ast.Compare(copy.deepcopy(subject), [ast.Eq()], [pattern.value])
    return ast.copy_location(test, pattern)
