# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that are right Python and do nothing, or not what they look like.

`find` looks at the tree of one function and yields what is to be warned of. It
knows the types of a kernel's arguments and no others. A correct program has no
reason to contain what a check looks for. An index as a statement is not
reported, because it may be there to raise an error.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyk._frontend import _tree
from pyk._frontend._paths import follow
from pyk._frontend._source import Source
from pyk._signatures import fits


@dataclass
class Mistake:
    """What is wrong at a node, and what to do."""

    node: ast.stmt | ast.expr
    message: str
    #: Whether it is no mistake in a program that compares a value with None.
    is_of_none: bool = False


@dataclass
class Context:
    """What is known of a function besides its tree."""

    source: Source
    #: Whether a name is a parameter or a variable.
    is_local: Callable[[str], bool]
    #: What an expression stands for, or an object that is none of these.
    value_of: Callable[[ast.expr], object]
    #: The types of a kernel's arguments; none for other functions.
    arguments: Sequence[str] = ()
    #: Whether the host runs the function, too.
    is_for_host: bool = False

    def around(self, node: ast.expr) -> tuple[str, str]:
        """The text of the lines before and behind an expression."""
        first, last = node.lineno, node.end_lineno or 0
        before = self._line(first).encode()[: node.col_offset]
        behind = self._line(last).encode()[node.end_col_offset or 0 :]
        # Parentheses may stand on lines of their own.
        while not before.strip() and first > 1:
            first -= 1
            before = self._line(first).encode()
        while not behind.strip() and self._line(last + 1):
            last += 1
            behind = self._line(last).encode()
        return (
            before.decode(errors="replace").rstrip(),
            behind.decode(errors="replace").lstrip(),
        )

    def may_be_constant(self, test: ast.expr) -> bool:
        """Whether the compiler may know the value of a condition.

        It does if no variable is in it, and of what depends on types alone.
        """
        has_variable = False
        for node in _tree.walk(test):
            if isinstance(node, ast.Name):
                has_variable |= self.is_local(node.id)
            elif (
                isinstance(node, (ast.Is, ast.IsNot))
                or (
                    isinstance(node, ast.Attribute)
                    and node.attr in ("ndim", "dtype", "itemsize")
                )
                or (
                    isinstance(node, ast.Call)
                    and isinstance(node.func, ast.Name)
                    and node.func.id in ("isinstance", "hasattr", "len")
                )
            ):
                return True
        return not has_variable

    def is_adjacent(self, outer: ast.expr, inner: ast.expr) -> bool:
        """Whether `inner` begins one character behind `outer`."""
        return (
            outer.lineno == inner.lineno
            and outer.col_offset + 1 == inner.col_offset
        )

    def line_of(self, node: ast.AST) -> int:
        """The line of the file in which a node begins."""
        line: int = node.lineno  # type: ignore[attr-defined]
        return line + self.source.shift

    def _line(self, number: int) -> str:
        return self.source.text_line(number + self.source.shift)


def find(
    function: ast.FunctionDef | ast.AsyncFunctionDef, context: Context
) -> Iterator[Mistake]:
    """All mistakes in a function and those within it."""
    nodes = _tree.walk(function)
    for node in nodes:
        if isinstance(node, ast.Expr):
            yield from _statement_alone(node, context)
        elif isinstance(node, ast.UnaryOp):
            yield from _doubled_sign(node, context)
        elif isinstance(node, ast.Compare):
            yield from _precedence(node, context)
        elif isinstance(node, ast.For) and not context.is_for_host:
            yield from _prange(node)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield from _paths(node, context)
            own = nodes if node is function else _tree.walk(node)
            yield from _divergent_barriers(own)
            arguments = context.arguments if node is function else ()
            yield from _assigned_parameters(node, arguments)
            yield from _lost_bits(node, own, arguments, context)


def asks_for_none(function: ast.AST) -> bool:
    """Whether a function compares something with None."""
    return any(
        isinstance(node, ast.Compare)
        and any(
            isinstance(value, ast.Constant) and value.value is None
            for value in (node.left, *node.comparators)
        )
        for node in _tree.walk(function)
    )


def _text(node: ast.AST) -> str:
    try:
        text = ast.unparse(node)
    except RecursionError:
        return "..."
    return text if len(text) <= 60 else text[:57] + "..."


def _statement_alone(node: ast.Expr, context: Context) -> Iterator[Mistake]:
    value = node.value
    text = _text(value)
    if isinstance(value, (ast.Name, ast.Attribute)):
        if callable(context.value_of(value)):
            yield Mistake(
                node, f"'{text}' alone does nothing; a call needs parentheses"
            )
        elif isinstance(value, ast.Name):
            yield Mistake(node, f"'{text}' alone does nothing; remove it")
        return
    if any(
        isinstance(inner, (ast.Call, ast.NamedExpr))
        for inner in _tree.walk(value)
    ):
        # Done for what the call does, as in `i < n and f(i)`.
        return
    if (
        isinstance(value, ast.Compare)
        and isinstance(value.ops[0], ast.Eq)
        and isinstance(value.left, (ast.Name, ast.Subscript, ast.Attribute))
    ):
        left = _text(value.left)
        yield Mistake(
            node,
            f"'{text}' compares and drops the result; an assignment has one "
            f"'=': {left} = {_text(value.comparators[0])}",
        )
    elif isinstance(value, (ast.Compare, ast.BoolOp)) or (
        isinstance(value, ast.BinOp)
        and isinstance(value.op, (ast.Add, ast.Sub, ast.Mult))
    ):
        yield Mistake(
            node,
            f"the result of '{text}' is dropped; assign it to a variable or an "
            "element, or remove it",
        )


def _doubled_sign(node: ast.UnaryOp, context: Context) -> Iterator[Mistake]:
    inner = node.operand
    if (
        isinstance(inner, ast.UnaryOp)
        and isinstance(node.op, (ast.UAdd, ast.USub))
        and type(inner.op) is type(node.op)
        and isinstance(inner.operand, (ast.Name, ast.Subscript, ast.Attribute))
        and context.is_adjacent(node, inner)
    ):
        sign = "+" if isinstance(node.op, ast.UAdd) else "-"
        name = _text(inner.operand)
        yield Mistake(
            node,
            f"'{sign * 2}{name}' is {name} with two signs and changes nothing; "
            f"write {name} {sign}= 1",
        )


def _is_parenthesized(node: ast.expr, context: Context) -> bool:
    before, behind = context.around(node)
    return before.endswith("(") and behind.startswith(")")


def _is_parity(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod)


def _precedence(node: ast.Compare, context: Context) -> Iterator[Mistake]:
    """`i < n & j < m`, where `&` binds before the comparisons."""
    orders = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    operands = [node.left, *node.comparators]
    for position, operand in enumerate(operands):
        if not (
            isinstance(operand, ast.BinOp)
            and isinstance(operand.op, (ast.BitAnd, ast.BitOr))
            and not _is_parenthesized(operand, context)
        ):
            continue
        is_between = 0 < position < len(operands) - 1
        # Beside one order alone, '&' with a mask is what Python's order of
        # operators is for; the parity of a number is a condition.
        if is_between or (
            isinstance(node.ops[max(position - 1, 0)], orders)
            and _is_parity(operand.left if position == 0 else operand.right)
        ):
            is_and = isinstance(operand.op, ast.BitAnd)
            sign, word = ("&", "and") if is_and else ("|", "or")
            yield Mistake(
                operand,
                f"'{sign}' binds before comparisons: this compares with "
                f"'{_text(operand)}'; write '{word}' between conditions, or "
                "parentheses around each operand",
            )
            return


def _prange(node: ast.For) -> Iterator[Mistake]:
    called = node.iter
    if not isinstance(called, ast.Call):
        return
    name = _text(called.func)
    if name.rpartition(".")[2] == "prange":
        yield Mistake(
            called,
            f"'{name}' is 'range' in a kernel: each thread runs the whole "
            "loop; give each thread its part by i = cuda.grid(1), or write "
            "range",
        )


_BARRIERS = {
    "syncthreads",
    "syncthreads_and",
    "syncthreads_count",
    "syncthreads_or",
}


def _divergent_barriers(nodes: Sequence[ast.AST]) -> Iterator[Mistake]:
    """Barriers of the block in one arm of an `if` that parts its threads.

    `nodes` are those of a function.
    """
    if not any(_barrier(node) for node in nodes):
        return
    parting = _names_of_thread(nodes)
    for node in nodes:
        if not (isinstance(node, ast.If) and _is_of_thread(node.test, parting)):
            continue
        arms = [
            [name for part in arm for inner in _tree.walk(part)
             if (name := _barrier(inner))]
            for arm in (node.body, node.orelse)
        ]  # fmt: skip
        if bool(arms[0]) != bool(arms[1]):
            name = (arms[0] or arms[1])[0]
            yield Mistake(
                node,
                f"'{name}()' is in an 'if' that may part the threads of a "
                f"block ('{_text(node.test)}'), and all of them have to come "
                "to it; end the 'if' before it, and begin another behind it",
            )


def _barrier(node: ast.AST) -> str:
    """The function that `node` calls if that is a barrier of the block."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    name = getattr(function, "attr", getattr(function, "id", ""))
    return _text(function) if name in _BARRIERS else ""


def _names_of_thread(nodes: Iterable[ast.AST]) -> set[str]:
    """Variables that are assigned once, what differs within a block."""
    assigned: list[str] = []
    values: list[tuple[ast.expr, ast.expr]] = []
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.append(node.id)
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, value = node.targets[0], node.value
            if isinstance(target, ast.Tuple):
                parts = [value] * len(target.elts)
                if isinstance(value, ast.Tuple):
                    parts = value.elts
                values += zip(target.elts, parts, strict=False)
            else:
                values.append((target, value))
    names: set[str] = set()
    # In the order of the program, so what is assigned before is known.
    for target, value in values:
        if (
            isinstance(target, ast.Name)
            and assigned.count(target.id) == 1
            and _is_of_thread(value, names)
        ):
            names.add(target.id)
    return names


#: What may be the same for different numbers.
_MAY_JOIN = (ast.FloorDiv, ast.Div, ast.RShift, ast.LShift, ast.BitAnd)


def _is_of_thread(node: ast.expr, names: set[str]) -> bool:
    """Whether a number differs between the threads of most blocks.

    What a call, an element, a quotient or bits are may be the same for all.
    """
    pending: list[ast.AST] = [node]
    while pending:
        part = pending.pop()
        if isinstance(part, ast.Call):
            if _text(part.func) == "cuda.grid":
                return True
        elif isinstance(part, ast.Attribute):
            text = _text(part)
            if text == "cuda.laneid" or text.startswith("cuda.threadIdx."):
                return True
        elif isinstance(part, ast.Name):
            if part.id in names:
                return True
        elif not isinstance(part, ast.Subscript) and not (
            isinstance(part, ast.BinOp) and isinstance(part.op, _MAY_JOIN)
        ):
            pending += _tree.children(part)
    return False


def _paths(
    function: ast.FunctionDef | ast.AsyncFunctionDef, context: Context
) -> Iterator[Mistake]:
    found = follow(function, context.may_be_constant)
    for read in found.reads:
        name = read.node.id
        yield Mistake(
            read.node,
            f"'{name}' is not assigned on every path: it reads as 0 where no "
            f"condition of the 'if' at line {context.line_of(read.branch)} "
            f"holds; assign '{name}' before that, or add an 'else'",
        )
    if found.falls_off and _returns_value(function):
        yield Mistake(
            function,
            f"'{function.name}' returns a value on some paths and reaches its "
            "end without one on others, where the result is None; end it with "
            "a 'return' of a value (or 'return None' if None is meant)",
            is_of_none=True,
        )


def _returns_value(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> bool:
    pending: list[ast.AST] = [*function.body]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Return) and node.value is not None:
            value = node.value
            if not (isinstance(value, ast.Constant) and value.value is None):
                return True
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            pending += _tree.children(node)
    return False


def _assigned_parameters(
    function: ast.FunctionDef | ast.AsyncFunctionDef, arguments: Sequence[str]
) -> Iterator[Mistake]:
    """Parameters that are assigned what nothing but that assignment reads."""
    names = [
        argument.arg
        for argument in (*function.args.posonlyargs, *function.args.args)
    ]
    others = {
        argument.arg
        for argument in _tree.walk(function.args)
        if isinstance(argument, ast.arg)
    }.difference(names)
    types = dict(zip(names, arguments, strict=False))
    assigned: dict[str, ast.stmt] = {}
    read: set[str] = set()
    for node, owner in _with_owner(function):
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                if owner is not None and node in _targets(owner):
                    assigned.setdefault(node.id, owner)
            elif _owned_name(owner) != node.id:
                read.add(node.id)
    for name, statement in assigned.items():
        if name in read or name not in {*names, *others} or name[0] == "_":
            continue
        kind = types.get(name, "")
        if isinstance(statement, ast.Assign):
            if _is_number(kind) or _reads(statement.value, name):
                message = _lost_number(name)
            else:
                message = (
                    f"'{name}' is a parameter, and nothing reads what it is "
                    f"assigned here; elements are set by {name}[...] = ..."
                )
            yield Mistake(statement, message)
        elif isinstance(statement, ast.AugAssign) and _is_number(kind):
            yield Mistake(statement, _lost_number(name))


def _lost_bits(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    nodes: Sequence[ast.AST],
    arguments: Sequence[str],
    context: Context,
) -> Iterator[Mistake]:
    """Constants of which an array of small integers stores the low bits."""
    stores = [*_stores_of_large_constants(nodes, context)]
    # Few functions have one, and the arrays take further traversals.
    elements = {}
    if stores:
        elements = _small_elements(function, nodes, arguments, context)
    for node, array, value in stores:
        dtype = elements.get(array)
        if dtype is None or fits(value, 8 * dtype.itemsize):
            continue
        stored = np.array(value % 2 ** (8 * dtype.itemsize))
        stored = stored.astype(f"u{dtype.itemsize}").view(dtype)
        yield Mistake(
            node,
            f"{_text(node.value)} does not fit {dtype}, the dtype of "
            f"'{array}', which stores {stored[()]}; use a wider dtype, or "
            "store what is meant",
        )


def _stores_of_large_constants(
    nodes: Iterable[ast.AST], context: Context
) -> Iterator[tuple[ast.Assign, str, int]]:
    """The stores of constants of more than 8 bits, with array and value."""
    for node in nodes:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(
                target.value, ast.Name
            ):
                value = context.value_of(node.value)
                if type(value) is int and not fits(value, 8):
                    yield node, target.value.id, value


def _small_elements(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    nodes: Sequence[ast.AST],
    arguments: Sequence[str],
    context: Context,
) -> dict[str, np.dtype[Any]]:
    """The arrays of integers that are parameters or made once, by name."""
    elements: dict[str, np.dtype[Any]] = {}
    names = [argument.arg for argument in function.args.args]
    for name, kind in zip(names, arguments, strict=False):
        found = _ELEMENT.match(kind)
        if found:
            sign = "u" if found[1] == "u" else ""
            elements[name] = np.dtype(f"{sign}int{found[2]}")
    assigned: list[str] = []
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            assigned.append(node.id)
    for node in nodes:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func).endswith(
                ("shared.array", "local.array")
            )
        ):
            call = node.value
            words = [key.value for key in call.keywords if key.arg == "dtype"]
            for word in [*call.args[1:2], *words]:
                dtype = _integer_dtype(context.value_of(word))
                if dtype is not None:
                    elements[node.targets[0].id] = dtype
    return {
        name: dtype
        for name, dtype in elements.items()
        if assigned.count(name) == (name not in names)
    }


#: The type of an array of integers.
_ELEMENT = re.compile(r"!pyk\.array<(?:(?:\?|\d+)x)*([su])i(\d+)[,>]")


def _integer_dtype(value: object) -> np.dtype[Any] | None:
    """The dtype that a program names, if it is one of integers."""
    try:
        dtype = np.dtype(getattr(value, "dtype", value))  # type: ignore[call-overload]
    except (TypeError, ValueError, SyntaxError, ImportError):
        # The call that gets it says what is wrong with it.
        return None
    return dtype if dtype.kind in "iu" else None


def _lost_number(name: str) -> str:
    return (
        f"'{name}' is a parameter of this thread alone, and nothing reads what "
        "it is assigned here; pass an array of one element, and add to it by "
        f"cuda.atomic.add({name}, 0, ...)"
    )


def _is_number(kind: str) -> bool:
    """Whether a type is known, and is no array that may change in place."""
    return bool(kind) and not kind.startswith(("!", "tuple", "none"))


def _reads(value: ast.expr, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name
        for node in _tree.walk(value)
    )


def _with_owner(
    function: ast.AST,
) -> Iterator[tuple[ast.AST, ast.stmt | None]]:
    """The nodes of a function, each with the assignment that it is part of."""
    pending: list[tuple[ast.AST, ast.stmt | None]] = [(function, None)]
    while pending:
        node, owner = pending.pop()
        yield node, owner
        if isinstance(node, ast.stmt):
            is_assignment = isinstance(node, (ast.Assign, ast.AugAssign))
            owner = node if is_assignment else None
        pending += [(part, owner) for part in reversed(_tree.children(node))]


def _targets(owner: ast.stmt | None) -> Sequence[ast.expr]:
    """What an assignment sets, each tuple as one."""
    if isinstance(owner, ast.AugAssign):
        return [owner.target]
    return owner.targets if isinstance(owner, ast.Assign) else []


def _owned_name(owner: ast.stmt | None) -> str | None:
    """The one variable that an assignment sets."""
    targets = _targets(owner)
    target = targets[0] if len(targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else None
