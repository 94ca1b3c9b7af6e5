# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Python function, with all that it reaches by name, as an ast buffer.

CPython parses; this module only flattens the tree into the JSON that
python-dialect-docs/reference/ast-buffer.md describes. Names that are not
local are looked up now, when the kernel is compiled, so a device function
may be defined after the kernel that calls it. Nothing is judged here that
the compiler can judge: what it does not know becomes an `unsupported` node.
"""

from __future__ import annotations

import ast
import functools
import json
from collections.abc import Sequence
from types import CodeType
from typing import Any, NoReturn

from pyk import _source, _values, types
from pyk._errors import located
from pyk._failures import ExceptionCall, Raised
from pyk._functions import Compilable
from pyk._nodes import Flattener, Node
from pyk._scope import Scope


def build(
    kernel: Compilable,
    arguments: Sequence[str],
    options: dict[str, Any] | None = None,
    exceptions: list[ExceptionCall] | None = None,
) -> bytes:
    """The ast buffer of `kernel` for arguments of the given types.

    What its functions raise is appended to `exceptions`; without, nobody will
    hear of it, and there is a warning for each place.
    """
    unit = _Unit(exceptions)
    entry = unit.function_id(kernel)
    unit.import_all()
    buffer: Node = {
        "version": 1,
        "kernel": entry,
        "arguments": list(arguments),
        "functions": unit.functions,
    }
    if options:
        buffer["options"] = options
    try:
        return json.dumps(buffer, separators=(",", ":")).encode("ascii")
    except RecursionError:
        code = kernel.py_func.__code__
        raise _source.too_deep(code, "") from None


#: The library's text does not change while a program runs.
_find_once = functools.cache(_source.find)


class _Unit:
    """The functions of one buffer: each once, whoever calls it."""

    def __init__(self, exceptions: list[ExceptionCall] | None) -> None:
        self.exceptions = exceptions
        self.functions: dict[str, Node] = {}
        self._ids: dict[int, str] = {}
        self._uses: dict[str, int] = {}
        self._pending: list[tuple[str, Compilable]] = []

    def function_id(self, function: Compilable) -> str:
        """The key of `function`; one not seen before is put on the list."""
        identity = id(function.py_func)
        if identity not in self._ids:
            key = self._unused(function.symbol)
            self._ids[identity] = key
            self._pending.append((key, function))
        return self._ids[identity]

    def _unused(self, name: str) -> str:
        """A key made from a function's name: `name`, `name.1`, `name.2`..."""
        base = "lambda" if name == "<lambda>" else name
        count = self._uses.get(base, 0)
        self._uses[base] = count + 1
        return f"{base}.{count}" if count else base

    def import_all(self) -> None:
        """Imports what is on the list, and what that reaches in turn."""
        while self._pending:
            key, function = self._pending.pop(0)
            node = _Importer(self, function).function()
            if function.signature is not None:
                body = self._unused(function.symbol)
                self.functions[body] = node
                node = _declared(node, body, function.signature)
            self.functions[key] = node


class _Importer:
    """One function on its way into the buffer."""

    def __init__(self, unit: _Unit, function: Compilable) -> None:
        self._function = function
        self._py_func = function.py_func
        self._code: CodeType = self._py_func.__code__
        find = _find_once if function.library else _source.find
        self._source = find(self._py_func)
        self._scope = Scope(self._py_func, unit.function_id)
        raised = Raised(
            self._source.file, self._py_func.__globals__, unit.exceptions
        )
        self._nodes = Flattener(self._source, self._scope, raised)

    def function(self) -> Node:
        """The FUNCTION."""
        source = self._source
        node = source.node
        line = node.lineno + source.shift
        text = source.text_line(line).rstrip()
        end = len(text.encode())
        if isinstance(node, ast.Lambda):
            assert node.end_col_offset is not None
            end = node.end_col_offset if node.end_lineno == line else end
        self._check_header(node)
        try:
            body = self._body(node)
        except RecursionError:
            raise _source.too_deep(self._code, text) from None
        return {
            "name": self._code.co_name,
            "file": source.file,
            "line": source.line,
            "source": source.text,
            "parameters": self._parameters(node),
            "body": body,
            "device": self._function.device,
            "library": self._function.library,
            "at": [line, node.col_offset, line, end],
        }

    def _check_header(self, node: _source.FunctionNode) -> None:
        if isinstance(node, ast.AsyncFunctionDef):
            self._refuse("an 'async' function cannot be compiled", node)
        args = node.args
        refused = [("a '*' parameter", args.vararg)]
        refused += [
            ("a keyword-only parameter", arg) for arg in args.kwonlyargs
        ]
        refused += [("a '**' parameter", args.kwarg)]
        for what, arg in refused:
            if arg is not None:
                self._refuse(
                    f"function '{self._code.co_name}' has {what}, "
                    f"'{arg.arg}'; expects plain parameters",
                    arg,
                )

    def _refuse(self, message: str, node: ast.AST) -> NoReturn:
        line, column, _, _ = self._nodes.at(node)
        text = self._source.text_line(line)
        before = text.encode()[:column].decode(errors="replace")
        raise located(message, self._source.file, line, len(before) + 1, text)

    def _parameters(self, node: _source.FunctionNode) -> list[Node]:
        defaults = self._py_func.__defaults__ or ()
        names = [arg.arg for arg in (*node.args.posonlyargs, *node.args.args)]
        values = [None] * (len(names) - len(defaults))
        return [
            {"name": name, "default": default}
            for name, default in zip(
                names,
                [*values, *map(self._scope.value, defaults)],
                strict=True,
            )
        ]

    def _body(self, node: _source.FunctionNode) -> list[Node]:
        if isinstance(node, ast.Lambda):
            value = self._nodes.expr(node.body)
            return [{"k": "return", "at": value["at"], "value": value}]
        return self._nodes.block(node.body)


def _declared(function: Node, body: str, signature: types.Signature) -> Node:
    """What stands for `function`, which becomes `body`: a call with casts.

    So numbers have the declared types in it, whatever it is called with.
    """
    at = function["at"]

    def constant(value: _values.Value) -> Node:
        return {"k": "const", "at": at, "value": value}

    def call(callee: Node, args: list[Node]) -> Node:
        return {
            "k": "call",
            "at": at,
            "func": callee,
            "args": args,
            "keywords": [],
        }

    def cast(declared: types.Type | None, value: Node) -> Node:
        if not isinstance(declared, types.Scalar):
            return value
        dtype: _values.Value = {"t": "dtype", "name": declared.name}
        return call(constant(dtype), [value])

    inner = call(
        constant({"t": "function", "id": body}),
        [
            cast(declared, {"k": "name", "at": at, "id": parameter["name"]})
            for declared, parameter in zip(
                signature.args, function["parameters"], strict=True
            )
        ],
    )
    result = {
        "k": "return",
        "at": at,
        "value": cast(signature.return_type, inner),
    }
    if signature.return_type == types.void:
        result = {"k": "expr", "at": at, "value": inner}
    declared = {**function, "body": [result]}
    if isinstance(signature.return_type, types.Scalar):
        declared["returns"] = signature.return_type.mlir
    return declared
