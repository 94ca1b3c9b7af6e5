# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a kernel on NumPy scalars, typed by the model of the typing tables.

It walks the text's syntax tree and converts where the model says that a value
has another type. Statements are generators that yield where threads meet, so
that those of a block run phase by phase. What was executed is noted as
features, which `features.py` lists.
"""

from .exits import Exhausted, Refused
from .launch import Launch, Typed

__all__ = ["Exhausted", "Launch", "Refused", "Typed"]
