# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs import: the classes that some arguments are instances of."""

from collections import namedtuple
from enum import Enum, IntEnum

Point = namedtuple("Point", "s f")


class Color(IntEnum):
    RED = 1
    BLUE = -5
    GREEN = 300


class Shape(Enum):
    ROUND = 2
    LONG = -3
