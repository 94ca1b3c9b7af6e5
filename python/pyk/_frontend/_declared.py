# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions with signatures, in ast buffers.

Such a function is called by one of its name that casts its arguments to the
declared types, and its result. So it has these types in it, whatever it is
called with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyk import types
from pyk._frontend import _values
from pyk._frontend._expressions import Node
from pyk._functions import Compilable


def declare(
    function: Node,
    body: str,
    signature: types.Signature,
    function_id: Callable[[Compilable], str],
) -> Node:
    """What stands for `function`, which the buffer has as `body`.

    `function_id` gives the key of another function.
    """
    return _Casts(function, body, function_id).declare(signature)


def _as_optional(value, dtype):  # type: ignore[no-untyped-def]
    """What kernels call for a value that may be None."""
    return None if value is None else dtype(value)


class _Own(Compilable):
    """A function of this module that kernels call."""

    device = True

    def __init__(self, py_func: Callable[..., Any]) -> None:
        self.py_func = py_func


_AS_OPTIONAL = _Own(_as_optional)


class _Casts:
    """The statements of a function that calls another one."""

    def __init__(
        self,
        function: Node,
        body: str,
        function_id: Callable[[Compilable], str],
    ) -> None:
        self._function, self._body = function, body
        self._function_id = function_id
        self._at = function["at"]
        self._statements: list[Node] = []

    def declare(self, signature: types.Signature) -> Node:
        arguments = [
            self._cast(declared, self._name(parameter["name"]))
            for declared, parameter in zip(
                signature.args, self._function["parameters"], strict=True
            )
        ]
        result = self._call({"t": "function", "id": self._body}, arguments)
        if signature.return_type == types.void:
            self._add("expr", value=result)
        else:
            # No parameter has the name of a keyword.
            value = self._cast(signature.return_type, self._keep("def", result))
            self._add("return", value=value)
        declared = {**self._function, "body": self._statements}
        if isinstance(signature.return_type, types.Scalar):
            declared["returns"] = signature.return_type.mlir
        return declared

    def _cast(self, declared: types.Type | None, value: Node) -> Node:
        """A variable as a declared type, if that is of numbers."""
        if isinstance(declared, types.Scalar):
            return self._call(_dtype(declared), [value])
        if isinstance(declared, types.Tuple):
            names = [f"{value['id']}.{i}" for i in range(len(declared.types))]
            items = [self._name(name) for name in names]
            self._assign(self._node("tuple", items=items), value)
            casts = list(map(self._cast, declared.types, items))
            return self._node("tuple", items=casts)
        if isinstance(declared, types.Optional) and isinstance(
            declared.type, types.Scalar
        ):
            callee = self._function_id(_AS_OPTIONAL)
            dtype = self._constant(_dtype(declared.type))
            return self._call({"t": "function", "id": callee}, [value, dtype])
        return value

    def _keep(self, name: str, value: Node) -> Node:
        """A variable that holds a value."""
        self._assign(self._name(name), value)
        return self._name(name)

    def _assign(self, target: Node, value: Node) -> None:
        self._add("assign", targets=[target], value=value)

    def _add(self, kind: str, **keys: object) -> None:
        self._statements.append(self._node(kind, **keys))

    def _call(self, callee: _values.Value, arguments: list[Node]) -> Node:
        function = self._constant(callee)
        return self._node("call", func=function, args=arguments, keywords=[])

    def _constant(self, value: _values.Value) -> Node:
        return self._node("const", value=value)

    def _name(self, name: str) -> Node:
        return self._node("name", id=name)

    def _node(self, kind: str, **keys: object) -> Node:
        return {"k": kind, "at": self._at, **keys}


def _dtype(scalar: types.Scalar) -> _values.Value:
    return {"t": "dtype", "name": scalar.name}
