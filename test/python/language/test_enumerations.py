# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Members of enumerations in kernels, with Python as oracle."""

import math
from enum import Enum, IntEnum

import numpy as np
import pytest

from pyk.cuda._host_function import HostFunction
from support.one_thread import agree, run


class Color(Enum):
    RED = 1
    GREEN = 2


class Weight(Enum):
    LIGHT = 1.5
    HEAVY = 2.5


class Planet(Enum):
    EARTH = (5.9, 6.4)
    VENUS = (4.9, 6.1)


class Shape(IntEnum):
    NONE = 0
    CIRCLE = 2
    SQUARE = 5


class Other(IntEnum):
    TWO = 2


@pytest.mark.parametrize(
    "pair",
    [
        (Color.RED, Color.RED),
        (Color.RED, Color.GREEN),
        (Weight.LIGHT, Weight.HEAVY),
        (Planet.EARTH, Planet.EARTH),
        (Planet.EARTH, Planet.VENUS),
        (Shape.CIRCLE, Other.TWO),
        (Shape.CIRCLE, 2),
    ],
)
def test_members_are_compared(pair):
    def k(out, a, b):
        out[0] = a == b
        out[1] = a != b

    agree(k, *pair)

    def identical(out, a, b):
        out[0] = a is b
        out[1] = a is not b

    if isinstance(pair[1], Enum):
        agree(identical, *pair)


@HostFunction
def choose(first):
    return Color.RED if first else Color.GREEN


@HostFunction
def value_of(member):
    return member.value


def test_members_are_values():
    def k(out, first):
        out[0] = choose(first) == Color.RED
        out[1] = choose(not first) is Color.GREEN
        out[2] = Color["GREEN"] == Color.RED
        out[3] = value_of(Color.GREEN) + value_of(Weight.HEAVY)
        pair = (Color.RED, 5)
        out[4] = pair[0] == Color.RED
        out[5] = pair == (Color.GREEN, 5)
        if pair[0]:
            out[6] = 1

    for first in [True, False]:
        agree(k, first)


class Flag(Enum):
    OFF = 0


OFF = Flag.OFF


# Python does not look at the value of what is no integer; a kernel knows it
# before it runs.
def test_members_are_true():
    def k(out, member):
        number = None
        if OFF:
            number = 3
        out[0] = number
        out[1] = not OFF
        out[2] = 5 if Flag.OFF else 6
        if member:
            out[3] = 1
        out[4] = 5 if Shape.NONE else 6

    agree(k, Flag.OFF)


def test_members_of_an_integer_enumeration_are_integers():
    def k(out, shape, n):
        out[0] = shape + 1
        out[1] = Shape.SQUARE * Shape.CIRCLE
        out[shape] = 3
        out[3] = math.sqrt(shape)
        for i in range(shape):
            out[4] += i
        out[5] = shape > Shape.CIRCLE
        out[6] = -Shape.SQUARE + int(shape) + np.float32(shape)
        mixed = shape if n > 1 else 7
        out[7] = mixed
        out[8] = (4, 5, 6)[Shape.CIRCLE]
        if Shape.NONE:
            out[9] = 1
        out[10] = isinstance(shape, int)
        out[11] = bool(shape) + shape.value

    for n in [1, 2]:
        agree(k, Shape.CIRCLE, n)


def test_an_enumeration_of_text_cannot_be_used():
    class Name(Enum):
        BLUE = "blue"

    with pytest.raises(ValueError, match="of <enum 'Name'>: expects"):
        run(lambda out, name: None, Name.BLUE)
