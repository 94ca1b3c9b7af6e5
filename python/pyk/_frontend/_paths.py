# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which variables a path through a function leaves unassigned, and whether
control may run off its end.

The analysis walks the statements in order with the state of each variable. It
reports only what no condition can excuse: a variable that some arms of an `if`
assign and others do not, read in the block in which that `if` stands. A read
behind a further condition may be right, because programs repeat their
conditions, and so may one in a loop, of which an earlier iteration assigns the
variable. Conditions that may be constant, and chains of conditions of which one
always holds, count as complete.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from pyk._frontend import _tree

#: What is known of a variable: assigned on all paths, or perhaps.
_ASSIGNED, _UNKNOWN = "assigned", "unknown"


@dataclass(frozen=True)
class _Partial:
    """Assigned on some paths through an `if`, which stands at this depth."""

    depth: int
    node: ast.If


_State = dict[str, "str | _Partial"]


@dataclass
class Read:
    """A read of a variable that a path through `branch` leaves unassigned."""

    node: ast.Name
    branch: ast.If


@dataclass
class Paths:
    """What `follow` has found."""

    reads: list[Read] = field(default_factory=list)
    #: Whether control surely gets to the end of the function on some path.
    falls_off: bool = False


@dataclass
class _End:
    """The state behind statements, and whether control surely gets there."""

    state: _State
    is_sure: bool = True
    #: Whether this is behind an `if` all of whose conditions were false.
    is_rest: bool = False


def follow(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    is_constant: Callable[[ast.expr], bool],
) -> Paths:
    """Follows all paths through `function`, without functions within it.

    `is_constant` says of a condition that the compiler may know its value.
    """
    walk = _Walk(is_constant)
    end = walk.block(function.body, {}, 0)
    walk.found.falls_off = end is not None and end.is_sure
    return walk.found


class _Walk:
    """One walk over a function. None stands for the end of no path."""

    def __init__(self, is_constant: Callable[[ast.expr], bool]) -> None:
        self._is_constant = is_constant
        self.found = Paths()
        self._told: set[str] = set()

    def block(
        self, statements: Iterable[ast.stmt], state: _State, depth: int
    ) -> _End | None:
        end = _End(dict(state))
        #: The conditions that were false to get here.
        conditions = _Conditions()
        for statement in statements:
            after = self._statement(statement, end.state, depth)
            if after is None:
                return None
            if isinstance(statement, ast.If) and after.is_rest:
                for test in _tests(statement):
                    conditions.add(test)
                after.is_sure &= not conditions.are_complete()
            after.is_sure &= end.is_sure
            end = after
        return end

    def _statement(
        self, node: ast.stmt, state: _State, depth: int
    ) -> _End | None:
        if isinstance(node, ast.If):
            self._read(node.test, state, depth)
            return self._if(node, state, depth)
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node, state, depth)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            state[node.name] = _ASSIGNED
            return _End(state)
        if isinstance(node, ast.Match):
            self._forget(node, state)
            return _End(state, is_sure=False)
        for value in _evaluated(node):
            self._read(value, state, depth)
        if isinstance(
            node, (ast.Return, ast.Raise, ast.Break, ast.Continue)
        ) or _never_passes(node):
            return None
        for inner in _tree.walk(node):
            if isinstance(inner, ast.NamedExpr):
                # Perhaps behind an `and`.
                state.setdefault(inner.target.id, _UNKNOWN)
        for name in _targets(node):
            state[name] = _ASSIGNED
        return _End(state)

    def _if(self, node: ast.If, state: _State, depth: int) -> _End | None:
        ends = [
            self.block(arm, state, depth + 1)
            for arm in (node.body, node.orelse)
        ]
        living = [end for end in ends if end is not None]
        is_open = not self._is_constant(node.test) and (
            _has_else(node) or not _Conditions(_tests(node)).are_complete()
        )
        if not living:
            return None
        if len(living) == 1:
            # The other arm leaves. Of `if` and `elif` alone, the path on which
            # no condition holds may not exist.
            only = living[0]
            is_rest = ends[0] is None and (not node.orelse or only.is_rest)
            # What is left may be the threads for which an `if` before this one
            # assigned a variable.
            left: _State = {
                name: _UNKNOWN if isinstance(known, _Partial) else known
                for name, known in only.state.items()
            }
            return _End(left, only.is_sure and is_open, is_rest)
        one, other = living
        merged: _State = {}
        for name in one.state.keys() | other.state.keys():
            a, b = one.state.get(name), other.state.get(name)
            if a == b and a is not None:
                merged[name] = a
            elif _UNKNOWN in (a, b) or state.get(name) is not None:
                merged[name] = _UNKNOWN
            else:
                merged[name] = _Partial(depth, node) if is_open else _UNKNOWN
        return _End(merged, one.is_sure or other.is_sure)

    def _loop(
        self, node: ast.For | ast.While, state: _State, depth: int
    ) -> _End | None:
        test = node.iter if isinstance(node, ast.For) else node.test
        self._read(test, state, depth)
        self._forget(node, state)
        inner = dict(state)
        if isinstance(node, ast.For):
            for name in _names_of(node.target):
                inner[name] = _ASSIGNED
        self.block(node.body, inner, depth + 1)
        leaves = any(isinstance(own, ast.Break) for own in _own_level(node))
        is_endless = (
            isinstance(node, ast.While)
            and isinstance(node.test, ast.Constant)
            and bool(node.test.value)
        )
        if is_endless and not leaves:
            return None
        after = self.block(node.orelse, state, depth + 1)
        if after is None:
            return _End(state, is_sure=leaves) if leaves else None
        # Of a loop that returns, one iteration may be sure to.
        returns = any(isinstance(own, ast.Return) for own in _tree.walk(node))
        return _End(state, after.is_sure and not returns)

    def _forget(self, node: ast.AST, state: _State) -> None:
        """What a loop assigns may come from an earlier iteration."""
        for inner in _tree.walk(node):
            if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Store):
                if state.get(inner.id) != _ASSIGNED:
                    state[inner.id] = _UNKNOWN
            elif isinstance(inner, (ast.MatchAs, ast.MatchStar)) and inner.name:
                state[inner.name] = _UNKNOWN

    def _read(self, node: ast.expr, state: _State, depth: int) -> None:
        """Looks at the variables that `node` reads whatever holds."""
        pending = [node]
        while pending:
            node = pending.pop()
            if not isinstance(node, ast.Name):
                pending += reversed([*_certain(node)])
                continue
            known = state.get(node.id)
            if (
                isinstance(node.ctx, ast.Load)
                and isinstance(known, _Partial)
                and known.depth == depth
                and node.id not in self._told
            ):
                self._told.add(node.id)
                self.found.reads.append(Read(node, known.node))


def _certain(node: ast.expr) -> Iterator[ast.expr]:
    """The operands of an expression that are evaluated in any case."""
    if isinstance(node, ast.BoolOp):
        yield node.values[0]
    elif isinstance(node, ast.IfExp):
        yield node.test
    elif isinstance(node, ast.Compare):
        yield node.left
        yield node.comparators[0]
    elif isinstance(node, ast.Call) and _is_of_other_lanes(node.func):
        yield from node.args[:1]
        yield from node.args[2:]
    elif not isinstance(node, ast.Lambda):
        for child in _tree.children(node):
            if isinstance(child, ast.expr):
                yield child
            elif isinstance(child, ast.keyword):
                yield child.value


def _is_of_other_lanes(function: ast.expr) -> bool:
    """Whether a function is a shuffle.

    Its second argument counts only in the lanes that others read from.
    """
    name = ast.unparse(function).rpartition(".")[2]
    return name.startswith("shfl_")


def _evaluated(node: ast.stmt) -> Iterator[ast.expr]:
    """The expressions of a simple statement that are read."""
    for child in _tree.children(node):
        if isinstance(child, ast.expr):
            yield child
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        yield ast.copy_location(ast.Name(node.target.id, ast.Load()), node)


def _targets(node: ast.stmt) -> Iterator[str]:
    """The variables that a simple statement assigns."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AugAssign) or (
        isinstance(node, ast.AnnAssign) and node.value is not None
    ):
        targets = [node.target]
    for target in targets:
        yield from _names_of(target)


def _names_of(target: ast.expr) -> Iterator[str]:
    for node in _tree.walk(target):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def _never_passes(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Assert)
        and isinstance(node.test, ast.Constant)
        and not node.test.value
    )


def _own_level(loop: ast.For | ast.While) -> Iterator[ast.AST]:
    """The nodes of a loop's body, without those of loops in it."""
    pending: list[ast.AST] = [*loop.body]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(
            node, (ast.For, ast.While, ast.FunctionDef, ast.Lambda)
        ):
            pending += _tree.children(node)


#: The outcomes of comparing two numbers for which an operator holds.
_OUTCOMES: dict[type[ast.cmpop], frozenset[str]] = {
    ast.Lt: frozenset("<"),
    ast.LtE: frozenset("<="),
    ast.Gt: frozenset(">"),
    ast.GtE: frozenset(">="),
    ast.Eq: frozenset("="),
    ast.NotEq: frozenset("<>"),
}


def _tests(node: ast.If) -> list[ast.expr]:
    """The conditions of `if` and `elif`."""
    tests = [node.test]
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
        tests.append(node.test)
    return tests


def _has_else(node: ast.If) -> bool:
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return bool(node.orelse)


class _Conditions:
    """Conditions of which the first that holds is taken.

    One may always hold if they divide all outcomes of one comparison, if one is
    the negation of another, or if each compares the same value with a constant.
    """

    def __init__(self, tests: Iterable[ast.expr] = ()) -> None:
        self._count = 0
        self._texts: set[str] = set()
        self._negated: set[str] = set()
        self._outcomes: dict[str, frozenset[str]] = {}
        self._is_divided = False
        self._selected: set[str] = set()
        for test in tests:
            self.add(test)

    def add(self, test: ast.expr) -> None:
        text = ast.dump(test)
        self._count += 1
        self._texts.add(text)
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self._negated.add(ast.dump(test.operand))
        if not isinstance(test, ast.Compare) or len(test.ops) != 1:
            self._selected |= {text, ""}
            return
        left, right = ast.dump(test.left), test.comparators[0]
        key = f"{left} {ast.dump(right)}"
        known = self._outcomes.get(key, frozenset())
        known |= _OUTCOMES.get(type(test.ops[0]), frozenset())
        self._outcomes[key] = known
        self._is_divided |= len(known) == 3
        is_choice = isinstance(test.ops[0], ast.Eq) and _is_literal(right)
        self._selected.add(left if is_choice else "")

    def are_complete(self) -> bool:
        """Whether one may always hold."""
        return self._count > 1 and (
            self._is_divided
            or not self._texts.isdisjoint(self._negated)
            or (len(self._selected) == 1 and "" not in self._selected)
        )


def _is_literal(node: ast.expr) -> bool:
    """Whether a value is one of an enumeration: a literal or a dotted name."""
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, (ast.Constant, ast.Attribute)) or (
        isinstance(node, ast.Name) and node.id[:1].isupper()
    )
