# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How kernels and other decorated functions go to other processes.

One that a module has under its own name goes as that name, as Python's
functions do; but not of `__main__`, which is another program elsewhere. Any
other goes by value: its code, its text, and what it reaches by name. What it
was compiled to stays behind.

A function may reach itself. So it is made first, with no globals, and gets them
when all that it reaches is there: the order in which `pickle` does things.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import marshal
import pickle
import sys
from collections.abc import Callable
from types import CellType, FunctionType, ModuleType
from typing import Any, Protocol

from pyk._frontend import _source
from pyk._frontend._values import is_on_device

#: Programs, under whose names another process may have other objects.
_PROGRAMS = ("__main__", "__mp_main__")

#: What a function is made of: the bytecode's version, the code, its text, the
#: names of its module and of itself, its defaults, and how many cells it has.
Parts = tuple[bytes, bytes, tuple[int, str], str, str, Any, Any, int]


class Decorated(Protocol):
    """What a decorator makes of a function."""

    py_func: Callable[..., Any]


def reduce(
    decorated: Decorated, restore: Callable[..., Decorated], *options: object
) -> str | tuple[Any, ...]:
    """What `__reduce__` returns for `restore(decorated.py_func, *options)`.

    The class has to call `fill` in its `__setstate__`.
    """
    function = decorated.py_func
    assert isinstance(function, FunctionType)
    if _has_as(function, decorated):
        return function.__qualname__
    if _has_as(function, function):
        return restore, (function, *options)
    parts, state = _take_apart(function)
    return _restore, (restore, parts, *options), state


def _has_as(function: FunctionType, value: object) -> bool:
    """Whether a function's module has `value` under the function's name."""
    if function.__module__ in _PROGRAMS:
        return False
    found: object = sys.modules.get(function.__module__)
    for name in function.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value


def _take_apart(function: FunctionType) -> tuple[Parts, tuple[Any, Any]]:
    """What to make a function of, and what to fill it with."""
    cells = function.__closure__ or ()
    parts = (
        importlib.util.MAGIC_NUMBER,
        marshal.dumps(function.__code__),
        _source.to_carry(function),
        function.__module__,
        function.__qualname__,
        function.__defaults__,
        function.__kwdefaults__,
        len(cells),
    )
    found = function.__globals__
    names = {
        name: _portable(found[name])
        for name in _names(function)
        if name in found
    }
    return parts, (names, [_content(cell) for cell in cells])


def _names(function: FunctionType) -> set[str]:
    """The names that a function and those inside it read."""
    body = _source.find(function).node.body
    return {
        node.id
        for statement in (body if isinstance(body, list) else [body])
        for node in ast.walk(statement)
        if isinstance(node, ast.Name)
    }


def _content(cell: CellType) -> tuple[Any, ...]:
    """The value of a cell, if it has one."""
    try:
        return (_portable(cell.cell_contents),)
    except ValueError:
        return ()


def _portable(value: object) -> object:
    if is_on_device(value):
        raise pickle.PicklingError(
            "cannot pickle a function that captures a device array; pass the "
            "array as an argument"
        )
    return _Module(value) if isinstance(value, ModuleType) else value


class _Module:
    """A module on its way: by its name, under which it is imported there."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module

    def __reduce__(self) -> tuple[Any, ...]:
        # What is PyK under another name says how it is imported.
        load = getattr(self.module, "__pyk_import__", importlib.import_module)
        return load, (self.module.__name__,)


def _restore(
    restore: Callable[..., Decorated], parts: Parts, *options: object
) -> Decorated:
    version, data, text, module, qualname, defaults, named, cells = parts
    if version != importlib.util.MAGIC_NUMBER:
        raise RuntimeError(
            f"cannot unpickle '{qualname}': it was pickled by another version "
            "of Python"
        )
    code = marshal.loads(data)
    function = FunctionType(
        code,
        {"__name__": module, "__builtins__": builtins},
        code.co_name,
        defaults,
        tuple(CellType() for _ in range(cells)),
    )
    function.__kwdefaults__ = named
    function.__qualname__ = qualname
    _source.carry(function, text)
    return restore(function, *options)


def fill(decorated: Decorated, state: tuple[Any, Any]) -> None:
    """Gives a function that was made what it reaches."""
    names, contents = state
    function = decorated.py_func
    assert isinstance(function, FunctionType)
    for name, value in names.items():
        function.__globals__[name] = _arrived(value)
    for cell, content in zip(function.__closure__ or (), contents, strict=True):
        if content:
            cell.cell_contents = _arrived(*content)


def _arrived(value: object) -> object:
    """What `_portable` was given. A shallow copy sends nothing."""
    return value.module if isinstance(value, _Module) else value
