# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions that are code of other languages, in ast buffers.

Such a function is called by one of its name that casts its arguments to the
declared types, as other declared functions are. Its own body is what the CPU
computes in its place, a call of a Python function, or empty.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

from pyk import types
from pyk._frontend import _source
from pyk._frontend._expressions import Node
from pyk._functions import Compilable

#: Shared libraries that were loaded. They stay: kernels call into them.
_libraries: dict[str, ctypes.CDLL] = {}


class Replacement(Compilable):
    """A Python function that the CPU runs in place of a foreign one."""

    device = True

    def __init__(
        self, py_func: Callable[..., Any], signature: types.Signature
    ) -> None:
        self.py_func = py_func
        _source.keep(py_func)
        self.declared = (signature,)


class ForeignFunction(Compilable):
    """What `cuda.declare_device` makes: kernels call it."""

    device = True

    def __init__(
        self,
        name: str,
        signature: types.Signature,
        abi: str,
        link: tuple[object, ...],
        replacement: Replacement | None,
        place: tuple[str, int, str],
        cooperative: bool,
    ) -> None:
        self.name = name
        self.signature = signature
        self.abi = abi
        self.link = link
        self.replacement = replacement
        #: The file, the line and its text.
        self.place = place
        #: Whether it waits for all of the grid.
        self.cooperative = cooperative

    @property
    def symbol(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"<foreign function {self.name}{self.signature}>"

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"'{self.name}' can be called in a kernel only")

    def node(
        self, link: Iterable[object], body: list[Node], is_cpu: bool
    ) -> Node:
        """Its FUNCTION; `link` is what its kernel is linked with.

        ValueError if a library of `link` is missing, or the function is in none
        of them; but a GPU's linker may yet find it.
        """
        file, line, source = self.place
        given = self.signature.args
        foreign: Node = {
            "abi": self.abi,
            "name": self.name,
            "pointees": [
                argument.dtype.mlir
                if isinstance(argument, types.CPointer)
                else "none"
                for argument in given
            ],
        }
        if self.cooperative:
            foreign["cooperative"] = True
        libraries = [*filter(is_shared_library, (*self.link, *link))]
        address = find_address(self.name, libraries, is_cpu)
        if libraries and not address and not self.replacement and is_cpu:
            names = ", ".join(dict.fromkeys(map(str, libraries)))
            raise ValueError(f"no function '{self.name}' is in {names}")
        if address:
            foreign["address"] = str(address)
        result = self.signature.return_type
        return {
            "name": self.name,
            "file": file,
            "line": line,
            "source": source,
            "parameters": [
                {"name": name, "default": None} for name in self.parameters()
            ],
            "captures": 0,
            "variadic": False,
            "body": body,
            "device": True,
            "library": False,
            "fastmath": False,
            "returns": types.none.mlir if result is None else result.mlir,
            "foreign": foreign,
            "at": self.at(),
        }

    def widened(self) -> types.Signature:
        """What it is called with: C passes small integers as ints."""
        return types.Signature(
            self.signature.return_type, tuple(map(_widen, self.signature.args))
        )

    def parameters(self) -> list[str]:
        return [f"a{index}" for index in range(len(self.signature.args))]

    def at(self) -> list[int]:
        _, line, source = self.place
        text = source.rstrip()
        indent = len(text) - len(text.lstrip())
        return [line, indent, line, max(len(text.encode()), indent + 1)]

    def body(self, key: str) -> list[Node]:
        """Returns what the function called `key` in the buffer computes."""
        at = self.at()
        callee = {"k": "const", "at": at, "value": {"t": "function", "id": key}}
        names = [{"k": "name", "at": at, "id": n} for n in self.parameters()]
        call = {
            "k": "call",
            "at": at,
            "func": callee,
            "args": names,
            "keywords": [],
        }
        return [{"k": "return", "at": at, "value": call}]


def _widen(kind: types.Type) -> types.Type:
    if not isinstance(kind, types.Scalar) or kind.dtype.itemsize >= 4:
        return kind
    wide = {"b": types.uint32, "u": types.uint32, "i": types.int32}
    return wide.get(kind.dtype.kind, kind)


def is_shared_library(entry: object) -> bool:
    return isinstance(entry, (str, os.PathLike)) and str(entry).endswith(".so")


def find_address(name: str, link: Iterable[object], is_cpu: bool) -> int:
    """Where the first of the shared libraries `link` has `name`; or 0.

    One that cannot be loaded is left out if `is_cpu` is false: it may be on the
    machines that have no GPU.
    """
    for entry in link:
        path = os.path.abspath(str(entry))
        if path not in _libraries:
            try:
                _libraries[path] = ctypes.CDLL(path)
            except OSError as error:
                if not is_cpu:
                    continue
                raise ValueError(
                    f"cannot load '{path}', with which a kernel is linked: "
                    f"{error}"
                ) from None
        found = getattr(_libraries[path], name, None)
        if found is not None:
            return ctypes.cast(found, ctypes.c_void_p).value or 0
    return 0
