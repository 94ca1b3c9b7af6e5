# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Refusals.

Each has a short class, which the cases store, and a sentence. Two kinds are
told apart by when they count: no later walk mends a name read too early, while
an overload that is missing now may fit once types have grown.
"""


class TypingError(Exception):
    """A refusal: a short class and a sentence."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.kind = kind


class NoOverload(TypingError):
    """No overload takes these types (yet)."""


class NameNotDefined(TypingError):
    """A local is read above every assignment to it; nothing can mend that."""
