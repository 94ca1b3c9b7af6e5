# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Nested functions and lambdas.

A nested function is a function whose captured variables are further
parameters. In the function that defines it a closure has no types of them; as
an argument it takes those along that they have at the call. A line may have one
lambda, since Python tells nothing else about it.
"""

import ast
from collections import namedtuple
from types import CellType, CodeType, FunctionType

# A nested function, and the types of what it captures, where they are known.
Closure = namedtuple("Closure", "function captured")


def nested_function(outer, node):
    """The function of a nested definition; what it captures is `captured`."""
    name = getattr(node, "name", "<lambda>")
    code = next(
        constant
        for constant in outer.__code__.co_consts
        if isinstance(constant, CodeType)
        and (constant.co_firstlineno, constant.co_name) == (node.lineno, name)
    )
    defaults = tuple(ast.literal_eval(value) for value in node.args.defaults)
    cells = tuple(CellType(None) for _ in code.co_freevars)
    function = FunctionType(code, outer.__globals__, name, defaults, cells)
    function.captured = code.co_freevars
    return function


def captured_names(function):
    """The variables of the function around it that a nested one reads."""
    return getattr(function, "captured", ())


def parameter_names(node, function):
    """The names of all that a function is given."""
    rest = [node.args.vararg.arg] if node.args.vararg else []
    names = [argument.arg for argument in node.args.args]
    return [*names, *rest, *captured_names(function)]


def as_function(node):
    """A lambda as the definition of a function."""
    body = ast.copy_location(ast.Return(node.body), node)
    return ast.copy_location(
        ast.FunctionDef("<lambda>", node.args, [body], []), node
    )
