# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of `operator`."""

# Kernels have no annotations.
# mypy: ignore-errors

from pyk._library._registry import public


@public("operator.add", "operator.iadd")
def add(a, b):
    """`a + b`."""
    return a + b


@public("operator.sub", "operator.isub")
def sub(a, b):
    """`a - b`."""
    return a - b


@public("operator.mul", "operator.imul")
def mul(a, b):
    """`a * b`."""
    return a * b


@public("operator.truediv", "operator.itruediv")
def truediv(a, b):
    """`a / b`."""
    return a / b


@public("operator.floordiv", "operator.ifloordiv")
def floordiv(a, b):
    """`a // b`."""
    return a // b


@public("operator.mod", "operator.imod")
def mod(a, b):
    """`a % b`."""
    return a % b


@public("operator.pow", "operator.ipow")
def pow(a, b):
    """`a ** b`."""
    return a**b


@public("operator.lshift", "operator.ilshift")
def lshift(a, b):
    """`a << b`."""
    return a << b


@public("operator.rshift", "operator.irshift")
def rshift(a, b):
    """`a >> b`."""
    return a >> b


@public("operator.and_", "operator.iand")
def and_(a, b):
    """`a & b`."""
    return a & b


@public("operator.or_", "operator.ior")
def or_(a, b):
    """`a | b`."""
    return a | b


@public("operator.xor", "operator.ixor")
def xor(a, b):
    """`a ^ b`."""
    return a ^ b


@public("operator.eq")
def eq(a, b):
    """`a == b`."""
    return a == b


@public("operator.ne")
def ne(a, b):
    """`a != b`."""
    return a != b


@public("operator.lt")
def lt(a, b):
    """`a < b`."""
    return a < b


@public("operator.le")
def le(a, b):
    """`a <= b`."""
    return a <= b


@public("operator.gt")
def gt(a, b):
    """`a > b`."""
    return a > b


@public("operator.ge")
def ge(a, b):
    """`a >= b`."""
    return a >= b


@public("operator.neg")
def neg(a):
    """`-a`."""
    return -a


@public("operator.pos")
def pos(a):
    """`+a`."""
    return +a


@public("operator.invert")
def invert(a):
    """`~a`."""
    return ~a


@public("operator.not_")
def not_(a):
    """`not a`."""
    return not a


@public("operator.truth")
def truth(a):
    """`bool(a)`."""
    return bool(a)


@public("operator.is_")
def is_(a, b):
    """`a is b`."""
    return a is b


@public("operator.is_not")
def is_not(a, b):
    """`a is not b`."""
    return a is not b


@public("operator.contains")
def contains(a, b):
    """`b in a`."""
    return b in a


@public("operator.setitem")
def setitem(a, b, c):
    """`a[b] = c`."""
    a[b] = c


@public("operator.getitem")
def getitem(a, b):
    """`a[b]`."""
    return a[b]
