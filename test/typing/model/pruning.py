# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Branches that are decided while compiling, and those that are not.

A condition's symbol is resolved twice by version (*early*, while a name with
one assignment counts as a constant), once by the definition that reaches it
(*late*). A decided branch goes one way in every later walk.
"""

import ast

from .definitions import Definition
from .folding import fold
from .operators import OPERATORS
from .symbols import (
    NONE,
    Argument,
    Chosen,
    Constant,
    Instance,
    Length,
    Operation,
    Rank,
    Read,
)
from .types import (
    Array,
    Literal,
    Omitted,
    Optional,
    Tuple,
    plain,
    value_type,
)

#: What alone is an instance of Python's classes of numbers.
INSTANCES = {int: "int64", float: "float64", complex: "complex128"}


class Pruning:
    """The part of `Function` that decides branches."""

    def resolve_single(self, symbol):
        """What a symbol is while a name with one assignment is a constant."""
        while isinstance(symbol, Read):
            found = list(self.versions.get(symbol.version, {}).values())
            symbol = found[0].symbol if len(found) == 1 else None
        return self.settle(symbol) if not isinstance(symbol, Chosen) else None

    def resolve_reaching(self, symbol):
        """What a symbol is when each read knows the definition it sees."""
        while isinstance(symbol, (Read, Chosen)):
            chosen = isinstance(symbol, Chosen)
            symbol = (
                symbol.symbol if chosen else self.symbol_of(symbol.definition)
            )
        return self.settle(symbol)

    def settle(self, symbol):
        """Ranks, lengths and decided conditions are constants."""
        if isinstance(symbol, Operation) and symbol.key in self.nullified:
            return Constant(self.nullified[symbol.key])
        if isinstance(symbol, Rank):
            array = self.resolve_single(symbol.array)
            if isinstance(array, Argument) and isinstance(array.kind, Array):
                return Constant(array.kind.rank)
            return None
        if isinstance(symbol, Length):
            items = self.resolve_single(symbol.tuple)
            if isinstance(items, Argument) and isinstance(items.kind, Tuple):
                return Constant(len(items.kind.items))
            return None
        if isinstance(symbol, Instance):
            value = self.resolve_single(symbol.object)
            if isinstance(value, Argument):
                kind = value.kind
                if isinstance(kind, Omitted):
                    kind = value_type(kind.value)
                return Constant(
                    any(plain(kind) == INSTANCES[c] for c in symbol.classes)
                )
            return None
        return symbol

    def symbol_of(self, definition):
        """A join has no symbol unless only one definition really arrives."""
        if definition.sources is None:
            return definition.symbol
        if definition.partial or definition.busy:
            return None
        definition.busy = True
        arriving = {id(d): d for d in self.flatten(definition)}
        definition.busy = False
        return (
            next(iter(arriving.values())).symbol if len(arriving) == 1 else None
        )

    def flatten(self, definition, seen=None):
        """The assignments below a join."""
        seen = seen if seen is not None else set()
        if id(definition) in seen:
            return []
        seen.add(id(definition))
        if definition.sources is None:
            return [definition]
        if definition.partial:
            return [Definition("?"), Definition("?")]
        return [
            d
            for source in definition.sources
            for d in self.flatten(source, seen)
        ]

    def prune(self, resolve):
        """Decide the branches of the last walk; conditions become constants."""
        nullified = {}
        for key, symbol in self.branches.items():
            if key in self.taken:
                continue
            way, replaced = self.decide(resolve(symbol), resolve)
            if way is None:
                continue
            self.taken[key] = way
            if replaced is not None:
                nullified[replaced[0]] = replaced[1]
        self.nullified |= nullified

    def decide(self, condition, resolve):
        """(the way a branch goes or None, what operation became what)."""
        if isinstance(condition, Constant):
            try:
                return bool(condition.value), None
            except ValueError:
                return None, None
        if not isinstance(condition, Operation):
            return None, None
        operands, by_type = [], False
        for symbol in (condition.left, condition.right):
            symbol = resolve(symbol)
            if isinstance(symbol, Constant):
                operands.append(NONE if symbol.value is None else symbol.value)
            elif isinstance(symbol, Argument):
                by_type = True
                kind = symbol.kind
                if kind == "none" or kind == Omitted(None):
                    operands.append(NONE)
                elif isinstance(kind, Literal):
                    operands.append(object())  # some type that is not None's
                else:
                    return None, None
            else:
                return None, None
        if by_type and NONE not in operands:
            return None, None
        try:
            value = OPERATORS[condition.op](*operands)
            way = bool(value)
        except Exception:
            return None, None
        return way, (condition.key, int(way) if by_type else value)

    def branch(self, key, value):
        """(may be true, may be false) for an evaluated condition."""
        key = (key, self.copy)
        self.branches[key] = value.symbol
        if isinstance(value.type, Optional) and key not in self.taken:
            self.report(
                "call", "a value that may be missing has no truth value"
            )
        if key in self.taken:
            return self.taken[key], not self.taken[key]
        return True, True

    def test(self, node):
        """A condition in a jump: (may be true, may be false)."""
        node = fold(node)
        if isinstance(node, ast.Constant):
            return bool(node.value), not node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            true, false = self.test(node.operand)
            return false, true
        if isinstance(node, ast.BoolOp):
            conjunction = isinstance(node.op, ast.And)
            stays, leaves = True, False
            for value in node.values:
                if not stays:
                    break
                true, false = self.test(value)
                stays, out = (true, false) if conjunction else (false, true)
                leaves = leaves or out
            return (stays, leaves) if conjunction else (leaves, stays)
        if isinstance(node, ast.IfExp):
            true, false = self.test(node.test)
            ways = [
                self.test(n)
                for n, on in ((node.body, true), (node.orelse, false))
                if on
            ]
            return any(w[0] for w in ways), any(w[1] for w in ways)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            stays, leaves = True, False
            for index, value in enumerate(self.compare_steps(node)):
                true, false = self.branch((node, index), value)
                stays, leaves = true, leaves or false
                if not stays:
                    break
            return stays, leaves
        return self.branch(node, self.evaluate(node))
