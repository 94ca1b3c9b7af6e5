# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a decorated function takes, and what launches and signatures give it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from pyk import types
from pyk._argument_types import type_of

#: The types of a kernel's arguments, as the compiler writes them.
Key = tuple[str, ...]


class Parameters:
    """Those of one function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        code = function.__code__
        self._kernel = function.__name__
        #: The names of those that take one argument.
        self.named = code.co_varnames[: code.co_argcount]
        #: The name of the parameter that takes all arguments that are left.
        self.rest: str | None = None
        if code.co_flags & inspect.CO_VARARGS:
            place = code.co_argcount + code.co_kwonlyargcount
            self.rest = code.co_varnames[place]
        self._defaults = function.__defaults__ or ()

    def fit(self, count: int) -> bool:
        """Whether so many arguments are as many as there are parameters."""
        missing = len(self.named) - count
        return missing == 0 or (missing < 0 and self.rest is not None)

    def names(self, count: int) -> tuple[str, ...]:
        """What to call each of `count` arguments."""
        named = self.named
        return (
            *named,
            *(
                f"{self.rest}[{position}]"
                for position in range(count - len(named))
            ),
        )

    def complete(self, args: tuple[object, ...]) -> tuple[object, ...]:
        """`args` with defaults for what is missing."""
        names = self.named
        missing = len(names) - len(args)
        if 0 < missing <= len(self._defaults):
            return (*args, *self._defaults[-missing:])
        was = "was" if len(args) == 1 else "were"
        count = len(names)
        remedy = ""
        if names[:1] in (("self",), ("cls",)):
            remedy = (
                "; a kernel in a class is no method: put @staticmethod above "
                f"@cuda.jit and leave '{names[0]}' out"
            )
        raise TypeError(
            f"kernel '{self._kernel}' takes {count} "
            f"argument{'s' * (count != 1)} ({', '.join(names)}) but "
            f"{len(args)} {was} given{remedy}"
        )

    def key(self, values: Sequence[object]) -> Key:
        """The types that arguments give the parameters."""
        return self.packed([*map(type_of, values, self.names(len(values)))])

    def packed(self, arguments: Sequence[str]) -> Key:
        """The types of the parameters, of which one may take a tuple."""
        if self.rest is None:
            return tuple(arguments)
        named = len(self.named)
        rest = ", ".join(arguments[named:])
        return (*arguments[:named], f"tuple<{rest}>")

    def check(self, signature: types.Signature, is_device: bool) -> None:
        """TypeError if a signature does not fit them."""
        if is_device and self.rest is not None:
            raise TypeError(
                f"'{self._kernel}' has a '*' parameter, '{self.rest}', which "
                "the signature of a device function cannot declare"
            )
        if not is_device and signature.return_type not in (None, types.void):
            raise TypeError(
                "CUDA kernel must have void return type but the signature "
                f"{signature} returns {signature.return_type}; declare void, "
                "and store the result in an array"
            )
        for arg in signature.args:
            if not is_device and isinstance(arg, types.Optional):
                raise TypeError(
                    f"a kernel cannot take {arg}; leave the signature out, and "
                    "it is compiled for what it gets"
                )
        count = len(signature.args) - len(self.named)
        if count < 0 or (count > 0 and self.rest is None):
            raise TypeError(
                f"signature {signature} has {len(signature.args)} types for "
                f"the {len(self.named)} parameters of "
                f"'{self._kernel}' ({', '.join(self.named)})"
            )
