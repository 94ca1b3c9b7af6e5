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
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any, NoReturn

from pyk._errors import KernelMistakeWarning, located, warn_once
from pyk._failures import ExceptionCall, Raised
from pyk._frontend import _source
from pyk._frontend._declared import declare
from pyk._frontend._expressions import Node
from pyk._frontend._foreign import ForeignFunction
from pyk._frontend._mistakes import Mistake, asks_for_none
from pyk._frontend._nonlocal import Block
from pyk._frontend._overloads import Overload, choose
from pyk._frontend._scope import (
    AnyScope,
    NestedScope,
    Scope,
    names_itself,
    parameters,
)
from pyk._frontend._statements import Flattener
from pyk._frontend._values import AnyArray
from pyk._functions import Compilable
from pyk.types import Signature, pyobject

#: The options that an entry has. Beside `typing`, what else code depends on is
#: told to the compiler beside the buffer.
ENTRY_OPTIONS = ("launch_bounds", "export")


class Host:
    """What a buffer depends on beside the program: here, no device."""

    @property
    def is_cpu(self) -> bool:
        """Whether kernels are for the CPU alone."""
        return True

    def memory_of(self, value: object) -> AnyArray:
        """An array on a device as NumPy sees it, whose memory is kept."""
        raise TypeError(f"expects no array on a device but got {type(value)}")


def build(
    kernel: Compilable,
    arguments: Sequence[str],
    options: dict[str, Any] | None = None,
    exceptions: list[ExceptionCall] | None = None,
    link: list[object] | None = None,
    host: Host | None = None,
) -> bytes:
    """The ast buffer whose entry is `kernel` for arguments of the given types.

    What functions of other languages are linked from is appended to `link`,
    which has what their kernel is linked with; `host` has the arrays whose
    addresses are in the buffer.

    What its functions raise is appended to `exceptions`; without, nobody will
    hear of it, and there is a warning for each place.
    """
    unit = _Unit(
        exceptions,
        [] if link is None else link,
        host or Host(),
    )
    options = options or {}
    if "export" in options:
        entry = unit.caller_of(kernel)
    else:
        entry = unit.function_id(kernel)
        unit.arguments[kernel] = arguments
        unit.import_all()
    unit.warn_of_mistakes()
    what: Node = {"function": entry, "arguments": list(arguments)}
    for name in ENTRY_OPTIONS:
        if name in options:
            what[name] = options[name]
    buffer: Node = {
        "version": 2,
        "entries": [what],
        "functions": unit.functions,
    }
    if "typing" in options:
        buffer["options"] = {"typing": options["typing"]}
    try:
        return encode(buffer)
    except RecursionError:
        code = kernel.py_func.__code__
        raise _source.too_deep(code, "") from None


def encode(buffer: Node) -> bytes:
    """A buffer as the compiler reads it."""
    # Not in ASCII: of two escapes LLVM's reader makes another character.
    text = json.dumps(buffer, separators=(",", ":"), ensure_ascii=False)
    # The name of a file may have bytes that are no text.
    return text.encode(errors="backslashreplace")


#: The library's text does not change while a program runs.
_find_once = functools.cache(_source.find)


class _Unit:
    """The functions of one buffer: each once, whoever calls it."""

    def __init__(
        self,
        exceptions: list[ExceptionCall] | None,
        link: list[object],
        host: Host,
    ) -> None:
        self.exceptions = exceptions
        self._link = link
        self._host = host
        self.functions: dict[str, Node] = {}
        #: The types of the arguments of a kernel, for warnings.
        self.arguments: dict[Compilable, Sequence[str]] = {}
        #: What is to be warned of, and where, and whether any function asks if
        #: a value is None.
        self.mistakes: list[tuple[Mistake, tuple[str, int]]] = []
        self.asks_for_none = False
        self._ids: dict[Compilable, str] = {}
        self._uses: dict[str, int] = {}
        self._pending: list[tuple[str, Compilable]] = []
        #: Those of other languages; any function may bring what links them.
        self._foreign: list[tuple[str, ForeignFunction]] = []

    def function_id(self, function: Compilable) -> str:
        """The key of `function`; one not seen before is put on the list."""
        if function not in self._ids:
            self._link += function.link
            key = self.unused(function.symbol)
            self._ids[function] = key
            if isinstance(function, ForeignFunction):
                self._foreign.append((key, function))
            else:
                self._pending.append((key, function))
        return self._ids[function]

    def memory_of(self, value: object) -> AnyArray:
        """An array whose address is in the buffer, as NumPy sees it."""
        return self._host.memory_of(value)

    def caller_of(self, function: Compilable) -> str:
        """The key of a function that calls `function`, and of its name.

        What has argument types cannot call itself.
        """
        key = self.unused(function.symbol)
        callee = self.function_id(function)
        self.import_all()
        node = self.functions[callee]
        count = len(node["parameters"])
        signature = Signature(None, (pyobject,) * count)
        self.functions[key] = declare(node, callee, signature, self.function_id)
        return key

    def unused(self, name: str) -> str:
        """A key made from a function's name: `name`, `name.1`, `name.2`..."""
        base = "lambda" if name == "<lambda>" else name
        count = self._uses.get(base, 0)
        self._uses[base] = count + 1
        return f"{base}.{count}" if count else base

    def import_all(self) -> None:
        """Imports what is on the list, and what that reaches in turn."""
        while self._pending or self._foreign:
            if not self._pending:
                self._import_foreign(*self._foreign.pop(0))
                continue
            key, function = self._pending.pop(0)
            find = _find_once if function.library else _source.find
            source = find(function.py_func)
            scope = Scope(function.py_func, self)
            raised = Raised(source.file, self.exceptions)
            # Few functions have one, and a search takes time.
            block = Block(source.node) if "nonlocal" in source.text else None
            importer = _Importer(
                self,
                source,
                scope,
                source.node,
                raised,
                block,
                function.fastmath,
            )
            node = importer.function(function)
            self.functions[key] = self._declared(function, node)

    def warn_of_mistakes(self) -> None:
        """Warns of what all functions have, once for each place."""
        for mistake, place in self.mistakes:
            if not (mistake.is_of_none and self.asks_for_none):
                warn_once(
                    f"{place}: {mistake.message}",
                    mistake.message,
                    KernelMistakeWarning,
                    place,
                )

    def _import_foreign(self, key: str, function: ForeignFunction) -> None:
        """Imports code of another language, and what calls it."""
        body = []
        if function.replacement is not None:
            body = function.body(self.function_id(function.replacement))
        node = function.node(self._link, body, self._host.is_cpu)
        own = self.unused(function.symbol)
        self.functions[own] = node
        caller = {name: node[name] for name in node if name != "foreign"}
        # Small numbers have the declared types before they are ints.
        passed = self.unused(function.symbol)
        self.functions[passed] = declare(
            caller, own, function.widened(), self.function_id
        )
        self.functions[key] = declare(
            caller, passed, function.signature, self.function_id
        )

    def _declared(self, function: Compilable, node: Node) -> Node:
        """What stands for a function, whose FUNCTION is `node`."""
        if not function.declared:
            return node
        body = self.unused(function.symbol)
        self.functions[body] = node
        callers = [
            declare(node, body, signature, self.function_id)
            for signature in function.declared
        ]
        if len(callers) == 1:
            return callers[0]
        overloads = []
        for signature, caller in zip(function.declared, callers, strict=True):
            key = self.unused(function.symbol)
            self.functions[key] = caller
            overloads.append(Overload(key, signature))
        return choose(node, overloads)


class _Importer:
    """One function on its way into the buffer."""

    def __init__(
        self,
        unit: _Unit,
        source: _source.Source,
        scope: AnyScope,
        node: _source.FunctionNode,
        raised: Raised,
        block: Block | None,
        fastmath: bool,
    ) -> None:
        self._unit = unit
        self._source = source
        self._scope = scope
        self._node = node
        self._nodes = Flattener(
            source, scope, raised, node, self._nested, block
        )
        self._raised = raised
        self._block = block
        self._fastmath = fastmath

    def function(self, function: Compilable) -> Node:
        """The FUNCTION of one that programs can name."""
        code: CodeType = function.py_func.__code__
        for what, arg in self._unknown_parameters():
            self._refuse(
                f"function '{code.co_name}' has {what}, '{arg.arg}'; expects "
                "plain parameters",
                arg,
            )
        if isinstance(self._node, ast.AsyncFunctionDef):
            self._refuse("an 'async' function cannot be compiled", self._node)
        defaults = function.py_func.__defaults__ or ()
        values = [self._scope.value(default) for default in defaults]
        try:
            if not function.library:
                self._unit.asks_for_none |= asks_for_none(self._node)
                self._unit.mistakes += self._nodes.find_mistakes(
                    self._source,
                    self._unit.arguments.get(function, ()),
                    function.is_for_host,
                )
            result = self._function(code.co_name, values)
        except RecursionError:
            line = self._node.lineno + self._source.shift
            text = self._source.text_line(line).rstrip()
            raise _source.too_deep(code, text) from None
        result["line"] = self._source.line
        result["source"] = self._source.text
        result["device"] = function.device
        result["library"] = function.library
        return result

    def _function(self, name: str, defaults: Sequence[Node]) -> Node:
        source = self._source
        node = self._node
        line = node.lineno + source.shift
        text = source.text_line(line).rstrip()
        end = len(text.encode())
        if isinstance(node, ast.Lambda):
            assert node.end_col_offset is not None
            end = node.end_col_offset if node.end_lineno == line else end
        body = self._nodes.body(node)
        names = [arg.arg for arg in parameters(node)]
        missing = len(names) - len(defaults)
        entries: list[Node] = [
            {"name": name, "default": default}
            for name, default in zip(
                names, [*[None] * missing, *defaults], strict=True
            )
        ]
        captures = []
        if isinstance(self._scope, NestedScope):
            captures = self._scope.captures
        if node.args.vararg:
            entries.append({"name": node.args.vararg.arg})
        entries += [{"name": name} for name in captures]
        return {
            "name": name,
            "file": source.file,
            "parameters": entries,
            "captures": len(captures),
            "variadic": node.args.vararg is not None,
            "body": body,
            "device": True,
            "fastmath": self._fastmath,
            "at": [line, node.col_offset, line, end],
        }

    def _unknown_parameters(self) -> Iterator[tuple[str, ast.arg]]:
        args = self._node.args
        for arg in args.kwonlyargs:
            yield "a keyword-only parameter", arg
        if args.kwarg:
            yield "a '**' parameter", args.kwarg

    def _refuse(self, message: str, node: ast.AST) -> NoReturn:
        line, column, _, _ = self._nodes.at(node)
        text = self._source.text_line(line)
        before = text.encode()[:column].decode(errors="replace")
        raise located(message, self._source.file, line, len(before) + 1, text)

    def _nested(self, node: _source.FunctionNode) -> Node:
        """The expression that a function within this one is."""
        scope = NestedScope(self._scope, node)
        block = None
        if self._block:
            if isinstance(node, ast.FunctionDef):
                block = self._block.nested(node)
            else:
                block = Block(node, self._block)
        inner = _Importer(
            self._unit,
            self._source,
            scope,
            node,
            self._raised,
            block,
            self._fastmath,
        )
        for what, _ in inner._unknown_parameters():
            return self._nodes.unsupported(
                node, f"a nested function with {what}"
            )
        defaults = [self._nodes.expr(value) for value in node.args.defaults]
        # Known ones may be shapes and the like, as those of other functions.
        known = all(default["k"] == "const" for default in defaults)
        name = "<lambda>" if isinstance(node, ast.Lambda) else node.name
        key = self._unit.unused(name)
        # It can name itself if it need not know what the outer one does later,
        # nor what defaults were computed.
        if known and names_itself(self._node, node, name):
            scope.own = name, key
        self._unit.functions[key] = inner._function(
            name, [default["value"] for default in defaults] if known else []
        )
        return self._nodes.closure(node, key, [] if known else defaults)
