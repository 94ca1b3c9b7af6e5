# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case: the text of a module, its functions and the values around them.

A device function is inferred once for each tuple of argument types; a call of
one that is being inferred has the type of the returns typed so far.
"""

import ast
import inspect

from .closures import as_function
from .errors import TypingError
from .functions import CudaName
from .interpreter import Function
from .matching import Matching
from .types import Omitted, Tuple, parse, plain, show
from .unification import unify_all


class Module:
    """The text of a case: its functions and the values around them."""

    def __init__(self, source, peer, rotate, late):
        self.peer, self.rotate, self.late = peer, rotate, late
        tree = Matching().visit(ast.parse(source))
        self.nodes = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                first = min(
                    [node.lineno] + [d.lineno for d in node.decorator_list]
                )
                self.nodes[first, node.name] = node
            if isinstance(node, ast.Lambda):
                self.nodes[node.lineno, "<lambda>"] = as_function(node)
        self.names = {"__name__": "case"}
        text = source.replace("from numba import cuda", "pass")
        self.names["cuda"] = CudaName("cuda")
        exec(compile(text, "<case>", "exec"), self.names)
        self.reads = {}
        self.done, self.running, self.inferred = {}, {}, {}

    def complete(self, function, kinds, named=None):
        """A function with the types of all its arguments."""
        parameters = list(inspect.signature(function).parameters.values())
        arguments, rest = list(kinds), []
        if (
            parameters
            and parameters[-1].kind is inspect.Parameter.VAR_POSITIONAL
        ):
            parameters.pop()
            rest = [Tuple(tuple(arguments[len(parameters) :]))]
            del arguments[len(parameters) :]
        if len(arguments) > len(parameters):
            raise TypingError("call", "too many arguments")
        for parameter in parameters[len(arguments) :]:
            if named and parameter.name in named:
                arguments.append(named[parameter.name])
            elif parameter.default is not parameter.empty:
                arguments.append(Omitted(parameter.default))
            else:
                raise TypingError(
                    "call", f"argument {parameter.name} is missing"
                )
        return function, (*arguments, *rest)

    def call(self, function, kinds):
        """The result of a function for these argument types."""
        return self.infer(self.complete(function, kinds))

    def infer(self, key):
        """The result of a function with all its arguments, inferred once."""
        if key in self.running:
            known = [
                v.type for v in self.running[key].returns.values() if v.type
            ]
            result = (
                unify_all({plain(kind) for kind in known}) if known else None
            )
            if result is None:
                raise TypingError(
                    "recursion", "the result of a recursive call is not known"
                )
            return result
        if key not in self.done:
            self.running[key] = Function(self, *key)
            try:
                self.done[key] = self.running[key].infer()
            finally:
                self.inferred[key] = self.running.pop(key)
        return self.done[key]


def interpret(source, arguments, entry="f", peer=False, rotate=True, late=True):
    """(result, error class, message) of a case.

    `peer` repeats the peer's defects; `rotate` types the condition of `while`
    twice; `late` prunes again after variables are split into definitions.
    """
    module = Module(source, peer, rotate, late)
    function = module.names[entry]
    function = getattr(function, "function", function)
    try:
        return (
            show(module.call(function, [parse(text) for text in arguments])),
            None,
            "",
        )
    except TypingError as error:
        return None, error.kind, str(error)
