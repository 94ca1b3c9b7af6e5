# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of type inference for kernels: an abstract interpreter over `ast`.

It says what the type of a function is for given argument types, by the rules of
../README.md. The environment maps a name to the *definition* that reaches this
point; a definition keeps the type it has been given so far. The whole body is
walked in source order, again and again, until no definition and no expression
changes; the errors of the last walk are the errors of the function.

`interpret(source, arguments)` is the entry. With `peer=True` the model also
repeats the defects of the peer that we do not copy.
"""

from .module import interpret

__all__ = ["interpret"]
