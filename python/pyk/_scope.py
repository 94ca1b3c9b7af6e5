# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the names in a function stand for when it is compiled.

Python's own tables decide: a name that the function assigns is local, any
other is found in a closure cell, the module, or the builtins, as they are
now. That is late binding, as in a call; once compiled, the value is frozen.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import CodeType
from typing import Any

from pyk import _values
from pyk._functions import Compilable
from pyk._library import FUNCTIONS, INPLACE

#: What a name that nothing defines stands for.
MISSING = object()


class Scope:
    """The names of one function. `function_id` collects those it calls."""

    def __init__(
        self,
        function: Callable[..., Any],
        function_id: Callable[[Compilable], str],
    ) -> None:
        self._function = function
        self._code: CodeType = function.__code__
        self._function_id = function_id
        self._locals = {*self._code.co_varnames, *self._code.co_cellvars}

    def is_local(self, name: str) -> bool:
        """Whether `name` is a parameter or a variable of the function."""
        return name in self._locals

    def value(self, value: object) -> _values.Value:
        """The VALUE of an object."""
        return _values.encode(value, self._function_id)

    def use(self, name: str) -> None:
        """Puts the library's function of that name, if any, into the unit."""
        if name in FUNCTIONS:
            self._function_id(FUNCTIONS[name])

    def inplace(self, operator: str) -> _values.Value | None:
        """The library's function for `a[:] += x` and the like, if any."""
        function = INPLACE.get(operator)
        return self.value(function) if function else None

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


def get_attribute(value: object, attribute: str) -> object:
    """`value.attribute`, or MISSING."""
    try:
        return getattr(value, attribute)
    except Exception:
        # Modules may run code for an attribute; whatever it raises, the
        # name stands for nothing.
        return MISSING
