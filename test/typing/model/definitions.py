# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Definitions of names, the environments that hold them, and accumulation.

Every assignment, join, expression and return statement has one type, which
only grows, by unification. Joins are made here; a join has a type only if
something reads it.
"""

from .errors import NoOverload, TypingError
from .unification import unify


class Definition:
    """One place that gives a name a value."""

    def __init__(self, name):
        self.name = name
        self.type = None
        self.symbol = None
        self.sources = None  # for a join: the definitions that meet
        self.partial = False  # a join that some path reaches without a value
        self.busy = False
        self.error = None


def dead():
    """The environment of code that is not reached."""
    return {None: None}


def environment_alive(environment):
    """Whether control can be here."""
    return None not in environment


class Accumulation:
    """The part of `Function` that keeps types and definitions."""

    def report(self, kind, message):
        """Note an error by its class and sentence."""
        self.note(
            (NoOverload if kind in ("call", "index") else TypingError)(
                kind, message
            )
        )

    def note(self, error):
        """Errors of the last walk count; the peer gives up at once on some."""
        if self.module.peer and isinstance(error, NoOverload):
            raise error
        self.errors.append(error)

    def accumulate(self, key, kind):
        """Unify an expression's type with what it has been before."""
        if kind is None or self.untyped:
            if key not in self.types:
                self.undecided.append(key)
            return self.types.get(key)
        before = self.types.get(key)
        after = kind if before is None else unify(before, kind)
        if after is None:
            self.report("unify", f"cannot unify {before} and {kind}")
            return before
        if after != before:
            self.types[key] = after
            self.changed = True
        return after

    def define(self, environment, name, value, node):
        """An assignment: a definition of its own, that accumulates too."""
        key = (node, name, self.copy)
        definition = self.definitions.setdefault(key, Definition(name))
        definition.symbol = value.symbol
        if self.untyped and self.early.get(node) is not None:
            self.types[key] = self.early[node]
        definition.type = self.accumulate(key, value.type)
        if self.first:
            self.firsts.setdefault(name, key)
        if self.first and not self.depth and not self.left:
            self.backbone.add(key)
        if key in self.backbone:
            self.version[name] = self.version.get(name, 0) + 1
        if self.first:
            version = name, self.version.get(name, 0)
            self.versions.setdefault(version, {})[key] = definition
        self.all.setdefault(name, {})[key] = definition
        environment[name] = definition

    def join(self, node, environments):
        """The environment after several paths meet; dead if all are."""
        environments = [e for e in environments if environment_alive(e)]
        if not environments:
            return dead()
        result = {}
        for name in {name for e in environments for name in e}:
            sources = [e.get(name) for e in environments]
            result[name] = self.meet(node, name, sources)
        return result

    def meet(self, node, name, sources):
        """One name at a join; no new definition where only one arrives."""
        if all(source is sources[0] for source in sources):
            return sources[0]
        key = (node, name, self.copy, "join")
        definition = self.definitions.setdefault(key, Definition(name))
        definition.sources = [
            source for source in sources if source is not None
        ]
        definition.partial = None in sources
        self.form(definition, key)
        return definition

    def form(self, definition, key):
        """Unify, here and now, what a join's sources are, if it is read."""
        definition.key = key
        if not self.untyped and key in self.wanted:
            for source in definition.sources:
                if source.type is not None:
                    definition.type = self.accumulate(key, source.type)

    def want(self, definition):
        """Note that a join is read, and the joins that it is made of."""
        waiting = [definition]
        while waiting:
            definition = waiting.pop()
            if (
                definition.sources is not None
                and definition.key not in self.wanted
            ):
                self.wanted.add(definition.key)
                waiting += definition.sources
