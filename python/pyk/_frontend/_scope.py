# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the names in a function stand for when it is compiled.

Python's own tables decide: a name that the function assigns is local, any
other is found in a closure cell, the module, or the builtins, as they are
now. That is late binding, as in a call; once compiled, the value is frozen.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from pyk._argument_types import DEEP, nesting
from pyk._frontend import _tree, _values
from pyk._frontend._source import FunctionNode
from pyk._library import FUNCTIONS

#: What a name that nothing defines stands for.
MISSING = object()


class Scope:
    """The names of one function. `unit` collects what they reach."""

    def __init__(
        self,
        function: Callable[..., Any],
        unit: _values.Unit,
    ) -> None:
        self._function = function
        self._code: CodeType = function.__code__
        self._unit = unit
        self._locals = {*self._code.co_varnames, *self._code.co_cellvars}

    def is_local(self, name: str) -> bool:
        """Whether `name` is a parameter or a variable of the function."""
        return name in self._locals

    def itself(self, name: str) -> str | None:
        """The key of a nested function by its own name: this is none."""
        return None

    def value(self, value: object) -> _values.Value:
        """The VALUE of an object."""
        try:
            return _values.encode(value, self._unit)
        except RecursionError:
            if nesting(value) < DEEP:
                raise
            return {"t": "object", "type": "tuple that is nested too deeply"}

    def use(self, name: str) -> None:
        """Puts the library's function of that name, if any, into the unit."""
        if name in FUNCTIONS:
            self._unit.function_id(FUNCTIONS[name])

    def lookup(self, name: str) -> object:
        """What a name that is not local stands for, or MISSING."""
        free = self._code.co_freevars
        if name in free:
            closure = self._function.__closure__ or ()
            try:
                return closure[free.index(name)].cell_contents
            except ValueError:
                return MISSING
        scope = self._function.__globals__
        if name in scope:
            return scope[name]
        return getattr(builtins, name, MISSING)


def names_itself(
    outer: FunctionNode, function: FunctionNode, name: str
) -> bool:
    """Whether `name` is always `function`, a statement of `outer`, within it.

    Functions within it would need what it captures, too.
    """
    inner = (
        node
        for node in _tree.walk(function)
        if isinstance(node, (ast.FunctionDef, ast.Lambda))
        and node is not function
    )
    return list(bound_names(outer)).count(name) == 1 and not any(
        isinstance(node, ast.Name) and node.id == name
        for nested in inner
        for node in _tree.walk(nested)
    )


class NestedScope:
    """The names of a function within another one that is compiled.

    A variable of the outer function that is asked for becomes a capture.
    """

    def __init__(self, outer: AnyScope, node: FunctionNode) -> None:
        self._outer = outer
        self._locals = set(bound_names(node))
        #: Variables of the outer function that this one reads.
        self.captures: list[str] = []
        #: What it calls itself, and its key, if nothing else has that name.
        self.own: tuple[str, str] | None = None

    def is_local(self, name: str) -> bool:
        """Whether `name` is a variable of this function or one around it."""
        if name in self._locals or name in self.captures:
            return True
        if self.itself(name) is not None:
            return True
        if not self._outer.is_local(name):
            return False
        self.captures.append(name)
        return True

    def itself(self, name: str) -> str | None:
        """The key of this function if that is what `name` stands for."""
        is_own = self.own is not None and self.own[0] == name
        is_own = is_own and name not in self._locals
        return self.own[1] if self.own and is_own else None

    def value(self, value: object) -> _values.Value:
        """The VALUE of an object."""
        return self._outer.value(value)

    def use(self, name: str) -> None:
        """Puts the library's function of that name, if any, into the unit."""
        self._outer.use(name)

    def lookup(self, name: str) -> object:
        """What a name that is not local stands for, or MISSING."""
        return self._outer.lookup(name)


AnyScope = Scope | NestedScope


def parameters(node: FunctionNode) -> list[ast.arg]:
    """The parameters that an argument may be given for by its place."""
    return [*node.args.posonlyargs, *node.args.args]


def bound_names(function: FunctionNode) -> Iterator[str]:
    """The parameters and variables of a function."""
    args = function.args
    for arg in (*parameters(function), args.vararg, *args.kwonlyargs):
        if arg is not None:
            yield arg.arg
    body = function.body
    pending: list[ast.AST] = [*(body if isinstance(body, list) else [body])]
    others: set[str] = set()
    names: list[str] = []
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            others.update(node.names)
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                names.append(node.id)
        elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
            names.append(node.name)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names.append(node.name)
            pending += node.args.defaults
        elif isinstance(node, ast.Lambda):
            pending += node.args.defaults
        else:
            pending += _tree.children(node)
    yield from (name for name in names if name not in others)


def own_nodes(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions in it."""
    body = function.body
    pending: list[ast.AST] = [*(body if isinstance(body, list) else [body])]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            pending += _tree.children(node)


def only_value(function: FunctionNode, name: str) -> ast.expr | None:
    """The expression that is all that the function ever assigns to `name`."""
    if [*bound_names(function)].count(name) != 1:
        return None
    for node in own_nodes(function):
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign):
            targets = [node.target]
        else:
            continue
        if any(isinstance(own, ast.Name) and own.id == name for own in targets):
            return node.value
    return None


def get_attribute(value: object, attribute: str) -> object:
    """`value.attribute`, or MISSING."""
    try:
        return getattr(value, attribute)
    except Exception:
        # Modules may run code for an attribute; whatever it raises, the
        # name stands for nothing.
        return MISSING
