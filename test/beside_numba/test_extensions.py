# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Extensions of an installed Numba that programs write in terms of types."""

import numpy as np
from numba import njit, types
from numba.core import cgutils
from numba.extending import (
    NativeValue,
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    unbox,
)


def kind(x):
    """Known by its overload."""


@overload(kind)
def _kind(x):
    if isinstance(x, types.Integer):
        return lambda x: 1
    if isinstance(x, types.Array):
        return lambda x: 2
    if x == types.float64:
        return lambda x: 3


def test_overload():
    @njit
    def kinds(a):
        return kind(1), kind(a), kind(2.0)

    assert kinds(np.ones(2)) == (1, 2, 3)


@overload_method(types.Array, "doubled")
def _doubled(a):
    return lambda a: 2 * a.sum()


@intrinsic
def seven(context):
    def generate(context, builder, signature, args):
        return context.get_constant(types.int64, 7)

    return types.int64(), generate


def test_method_and_intrinsic():
    @njit
    def both(a):
        return a.doubled() + seven()

    assert both(np.ones(3)) == 13


class Interval:
    def __init__(self, low, high):
        self.low = low
        self.high = high


class IntervalType(types.Type):
    def __init__(self):
        super().__init__(name="Interval")


@typeof_impl.register(Interval)
def _typeof(value, context):
    return IntervalType()


@register_model(IntervalType)
class IntervalModel(models.StructModel):
    def __init__(self, manager, type_of):
        members = [("low", types.float64), ("high", types.float64)]
        super().__init__(manager, type_of, members)


make_attribute_wrapper(IntervalType, "low", "low")
make_attribute_wrapper(IntervalType, "high", "high")


@unbox(IntervalType)
def _unbox(type_of, value, c):
    interval = cgutils.create_struct_proxy(type_of)(c.context, c.builder)
    for name in ("low", "high"):
        part = c.pyapi.object_getattr_string(value, name)
        setattr(interval, name, c.pyapi.float_as_double(part))
        c.pyapi.decref(part)
    return NativeValue(interval._getvalue())


def test_type_of_the_program():
    @njit
    def width(interval):
        return interval.high - interval.low

    assert width(Interval(1.0, 3.5)) == 2.5
