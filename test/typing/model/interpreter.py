# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One function for one tuple of argument types: the walks over its body.

The first walk finds names and versions, then come early pruning, walks without
types until the definitions are stable, late pruning, and walks with types. The
parts of `Function` share its state, which `__init__` lists.
"""

import inspect

from .closures import parameter_names
from .definitions import Accumulation, environment_alive
from .errors import NameNotDefined, TypingError
from .expressions import Expressions
from .loops import Loops
from .pruning import Pruning
from .statements import Statements
from .symbols import Argument, Read, Value
from .types import Array, Known, Omitted, value_type
from .unification import unify_all


class Function(Accumulation, Pruning, Statements, Loops, Expressions):
    """Inference of one function for one tuple of argument types."""

    def __init__(self, module, function, arguments):
        self.module, self.function = module, function
        self.node = module.nodes[
            function.__code__.co_firstlineno, function.__code__.co_name
        ]
        self.arguments = arguments
        code = function.__code__
        self.parameters = parameter_names(self.node, function)
        self.locals = {*code.co_varnames, *code.co_cellvars, *self.parameters}
        self.outer = inspect.getclosurevars(function).nonlocals
        self.nested = {}  # definition of a nested function -> the function
        self.assigned = {}  # loop -> the names that its turns assign
        self.callees = {}  # call -> the function and its argument types
        self.types = {}  # expression -> accumulated type
        self.definitions = {}  # place -> Definition
        self.all = {}  # name -> its definitions other than joins
        self.returns = {}  # return statement -> (type, symbol)
        self.backbone = set()  # assignments that every call runs, once
        self.versions = {}  # (name, version) -> its assignments; rule 24
        self.firsts = {}  # name -> its first assignment in the text
        self.early = {}  # target -> the type of a constant assigned to it
        self.wanted = set()  # the joins that something reads
        self.taken = {}  # branch -> the only way it goes
        self.nullified = {}  # operation -> the value that replaced it
        self.indices = {}  # subscript -> the symbol of its index
        self.settled = {}  # subscript -> what that is after early pruning

    def infer(self):
        """The return type."""
        self.untyped = self.first = True
        self.walk()
        self.first = False
        for error in self.errors:
            if isinstance(error, NameNotDefined):
                raise error
        # Twice before variables are split into definitions, once after.
        self.prune(self.resolve_single)
        self.prune(self.resolve_single)
        self.settled = {
            node: self.resolve_single(s) for node, s in self.indices.items()
        }
        self.all = {}
        self.walk_until_stable()
        if self.module.late:
            self.prune(self.resolve_reaching)
        for definition in self.read:
            self.want(definition)
        self.untyped = False
        self.all = {}
        self.walk_until_stable()
        if self.errors:
            raise self.errors[0]
        if self.undecided:
            raise TypingError("undetermined", "a variable never gets a type")
        return self.return_type()

    def walk_until_stable(self):
        """Walk until nothing changes."""
        self.changed = True
        while self.changed:
            self.changed = False
            self.walk()

    def walk(self):
        """One pass over the body in source order."""
        self.undecided, self.read = [], []
        self.errors, self.branches = [], {}
        self.frames, self.copy = [], ()
        self.version, self.depth, self.left = {}, 0, False
        self.returns = {}
        self.check_names = self.untyped and not self.taken
        environment = {}
        for name, kind in zip(self.parameters, self.arguments, strict=True):
            if isinstance(kind, Omitted):
                value = Value(value_type(kind.value), Argument(kind))
            else:
                value = Value(kind, Argument(kind))
            self.define(environment, name, value, self.node)
        self.body(self.node.body, environment)
        if environment_alive(environment):
            self.returns[self.node] = Value("none")

    def return_type(self):
        """All return statements together."""
        values = list(self.returns.values())
        if any(value.type is None for value in values):
            raise TypingError(
                "undetermined", "the type of a result is not known"
            )
        if not values:
            return "none"
        result = unify_all({value.type for value in values})
        if result is None:
            raise TypingError("return", "return types do not unify")
        if isinstance(result, Array):
            for value in values:
                direct = (
                    isinstance(value.symbol, Read)
                    and value.symbol.definition.symbol
                )
                if not isinstance(direct, Argument):
                    raise TypingError(
                        "return", "an array result must be an argument"
                    )
        if isinstance(result, Known) and not inspect.ismodule(result.object):
            raise TypingError("return", "a function is not a result")
        return result
