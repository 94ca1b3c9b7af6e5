# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One thread's call of a function: its variables, and the types of its text."""

import numpy as np
from model.types import SCALARS, NamedTuple, Optional, Tuple, plain

from .. import scalars
from .exits import Exhausted, Return
from .expressions import Expressions
from .functions import Functions
from .library import Library
from .objects import Objects
from .statements import Statements
from .warps import Warps

#: Expressions and statements that the threads of a launch may take.
STEPS = 400_000


class Call(Statements, Expressions, Functions, Library, Objects, Warps):
    """One thread's call of a function."""

    def __init__(self, launch, inference, place):
        self.launch, self.inference, self.place = launch, inference, place
        self.module = launch.typed
        self.types = inference.types
        self.note = launch.features.add
        self.result = None

    def run(self, arguments):
        """Runs the body on arguments by name; yields where threads meet."""
        self.variables = dict(arguments)
        try:
            yield from self.body(self.inference.node.body)
        except Return as returned:
            self.result = returned.args[0]

    def count(self):
        self.launch.steps += 1
        if self.launch.steps > STEPS:
            raise Exhausted

    def converted(self, value, kind):
        """A value as the model types it; None leaves it as it is."""
        kind = kind and plain(kind)
        if isinstance(kind, Optional):
            kind = kind.inner
        if isinstance(value, np.generic) and kind in SCALARS:
            return scalars.convert(value, kind)
        if isinstance(value, tuple) and isinstance(kind, Tuple):
            return tuple(
                self.converted(item, part)
                for item, part in zip(value, kind.items, strict=True)
            )
        if isinstance(kind, NamedTuple):
            return type(value)(*self.converted(tuple(value), Tuple(kind.items)))
        return value
