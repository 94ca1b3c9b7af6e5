# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile-time values: what is known of an expression without its type.

A `Value` has a type and perhaps a symbol. Pruning looks symbols up: through
plain assignments, but never through operators.
"""

from collections import namedtuple

Value = namedtuple("Value", "type symbol", defaults=(None,))

# A literal in the text, a global or a value of the closure.
Constant = namedtuple("Constant", "value")
# A parameter as it came in.
Argument = namedtuple("Argument", "kind")
# A binary operation on symbols.
Operation = namedtuple("Operation", "key op left right")
# A read of a variable.
Read = namedtuple("Read", "version definition")
# The only operand of and, or, if-else that is left.
Chosen = namedtuple("Chosen", "symbol")
# .ndim of a symbol.
Rank = namedtuple("Rank", "array")
# len() of a symbol.
Length = namedtuple("Length", "tuple")
# isinstance() of a symbol and a list of classes.
Instance = namedtuple("Instance", "object classes")


class NoneMark:
    """None as an operand of a condition: equal and identical to itself only."""


NONE = NoneMark()
