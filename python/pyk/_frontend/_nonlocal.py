# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Variables that nested functions assign for the function around them.

A function with `nonlocal k` gets `k` as any other that it captures, and returns
it beside its result: `r = g(x)` is `r, k = g(x)`. So a call assigns the
variable where it stands, and nothing is shared that could outlive it.
"""

from __future__ import annotations

import ast
from collections import Counter

from pyk._frontend._scope import bound_names, own_nodes, parameters
from pyk._frontend._source import FunctionNode


class Block:
    """The functions nested in one function, and what their calls assign."""

    def __init__(
        self, function: FunctionNode, around: Block | None = None
    ) -> None:
        self._around = around
        self._names = Counter(bound_names(function))
        self._parameters = {arg.arg for arg in parameters(function)}
        self._blocks: dict[ast.FunctionDef, Block] = {}
        self._assigned: list[str] | None = None
        #: The variables around this function that it assigns itself.
        self._declared: list[str] = []
        self._calls: list[str] = []
        for node in own_nodes(function):
            if isinstance(node, ast.FunctionDef):
                self._blocks[node] = Block(node, self)
            elif isinstance(node, ast.Nonlocal):
                self._declared += node.names
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                self._calls.append(node.func.id)

    def nested(self, function: ast.FunctionDef) -> Block:
        """The block of a function within this one."""
        return self._blocks[function]

    def is_ambiguous(self, name: str) -> bool:
        """Whether `name` may be something else than the function in here."""
        is_parameter = name in self._parameters
        return self._names[name] - is_parameter > 1

    def _named(self, name: str) -> list[Block]:
        """The blocks of the functions in here that have that name."""
        return [
            block
            for function, block in self._blocks.items()
            if function.name == name
        ]

    def assigned_by(self, name: str) -> list[str]:
        """The variables that a call of `name` in here assigns."""
        if name not in self._names:
            return self._around.assigned_by(name) if self._around else []
        assigned = [block.assigned() for block in self._named(name)]
        return [variable for names in assigned for variable in names]

    def is_foreign(self, name: str) -> bool:
        """Whether `name` is neither a function in here nor this one, which have
        what they assign from here.
        """
        is_own = self._around and self in self._around._named(name)
        return name not in self._names and not is_own

    def assigned(self) -> list[str]:
        """The variables around this function that a call of it assigns."""
        if self._assigned is None:
            # A function that calls itself assigns the same.
            self._assigned = list(dict.fromkeys(self._declared))
            for name in self._calls:
                for variable in self.assigned_by(name):
                    is_own = variable in self._names
                    if not is_own and variable not in self._assigned:
                        self._assigned.append(variable)
        return self._assigned
