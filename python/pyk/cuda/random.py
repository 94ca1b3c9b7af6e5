# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of `numba.cuda.random`: random numbers for kernels.

The generator is xoroshiro128+ of 2016 (D. Blackman and S. Vigna, "Scrambled
linear pseudorandom number generators"), with Numba's way of seeding: both words
of the first state are one output of splitmix64. State `i` of an array is that
state after `i` times 2**64 steps, so that threads draw from parts of one
sequence that do not overlap.

A step is linear over the field of two elements, and so are 2**64 of them. That
makes it quick to fill an array: see `_Jump`.

>>> import numpy as np
>>> from pyk import cuda
>>> from pyk.cuda.random import (
...     create_xoroshiro128p_states, xoroshiro128p_uniform_float32
... )
>>> @cuda.jit
... def draw(states, out):
...     i = cuda.grid(1)
...     if i < out.size:
...         out[i] = xoroshiro128p_uniform_float32(states, i)
>>> out = np.zeros(2, dtype=np.float32)
>>> draw[1, 2](create_xoroshiro128p_states(2, seed=1), out)
>>> out
array([0.13312314, 0.8763487 ], dtype=float32)
"""

# Functions of kernels have no annotations.
# mypy: disable-error-code="no-untyped-def, no-untyped-call, misc"

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np
import numpy.typing as npt

from pyk._boundary import public
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._creation import device_array
from pyk.cuda._host_function import HostFunction
from pyk.types import float32, float64, from_dtype, int64, uint32, uint64

__all__ = [
    "create_xoroshiro128p_states",
    "init_xoroshiro128p_state",
    "init_xoroshiro128p_states",
    "rotl",
    "uint64_to_unit_float32",
    "uint64_to_unit_float64",
    "xoroshiro128p_dtype",
    "xoroshiro128p_jump",
    "xoroshiro128p_next",
    "xoroshiro128p_normal_float32",
    "xoroshiro128p_normal_float64",
    "xoroshiro128p_type",
    "xoroshiro128p_uniform_float32",
    "xoroshiro128p_uniform_float64",
]

#: One state.
xoroshiro128p_dtype = np.dtype(
    [("s0", np.uint64), ("s1", np.uint64)], align=True
)
xoroshiro128p_type = from_dtype(xoroshiro128p_dtype)

#: The polynomial of 2**64 steps, its lowest coefficients first.
_JUMP = (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922)

_BITS = 128

_UINT64_MAX = 2**64 - 1


class _RandomFunction(HostFunction):
    """A function of this module, for kernels and for the host."""

    @public
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # Integers wrap around, which is no accident here.
        with np.errstate(over="ignore"):
            return self.py_func(*args, **kwargs)


# ===-------------------------------------------------------------------===
# The sequence. On the host these also take arrays of words.
# ===-------------------------------------------------------------------===


@_RandomFunction
def rotl(x, k):
    """The 64 bits of `x`, rotated to the left by `k`, from 1 to 63."""
    x = uint64(x)
    k = uint32(k)
    return (x << k) | (x >> uint32(64 - k))


@_RandomFunction
def _step(s0, s1):
    """The state that follows."""
    s1 = s1 ^ s0
    return rotl(s0, 55) ^ s1 ^ (s1 << uint32(14)), rotl(s1, 36)


@_RandomFunction
def _far(s0, s1):
    """The state 2**64 steps ahead.

    The polynomial of so many steps, modulo the characteristic one of a step,
    is a sum of at most 128 near states.
    """
    sum0 = s0 ^ s0
    sum1 = s1 ^ s1
    for word in _JUMP:
        for bit in range(64):
            if uint64(word) >> uint32(bit) & uint64(1):
                sum0 = sum0 ^ s0
                sum1 = sum1 ^ s1
            s0, s1 = _step(s0, s1)
    return sum0, sum1


# ===-------------------------------------------------------------------===
# What kernels call.
# ===-------------------------------------------------------------------===


@_RandomFunction
def init_xoroshiro128p_state(states, index, seed):
    """Makes `states[index]` of a seed, as the first state of an array."""
    index = int64(index)
    # An output of splitmix64, so that small seeds make no similar sequences.
    z = uint64(seed) + uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> uint32(30))) * uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> uint32(27))) * uint64(0x94D049BB133111EB)
    z = z ^ (z >> uint32(31))
    states[index]["s0"] = z
    states[index]["s1"] = z


@_RandomFunction
def xoroshiro128p_next(states, index):
    """A random uint64; advances `states[index]` by a step."""
    index = int64(index)
    s0 = states[index]["s0"]
    s1 = states[index]["s1"]
    states[index]["s0"], states[index]["s1"] = _step(s0, s1)
    return s0 + s1


@_RandomFunction
def xoroshiro128p_jump(states, index):
    """Advances `states[index]` by 2**64 steps."""
    index = int64(index)
    s0, s1 = _far(states[index]["s0"], states[index]["s1"])
    states[index]["s0"] = s0
    states[index]["s1"] = s1


@_RandomFunction
def uint64_to_unit_float64(x):
    """The upper 53 bits of `x` as a float64 in [0, 1)."""
    return float64(uint64(x) >> uint32(11)) * float64(2.0**-53)


@_RandomFunction
def uint64_to_unit_float32(x):
    """The float32 in [0, 1) that is nearest to `uint64_to_unit_float64`."""
    unit = float32(uint64_to_unit_float64(x))
    return unit if unit < float32(1.0) else float32(1.0 - 2.0**-24)


@_RandomFunction
def xoroshiro128p_uniform_float32(states, index):
    """A random float32 in [0, 1); advances `states[index]` by a step."""
    return uint64_to_unit_float32(xoroshiro128p_next(states, index))


@_RandomFunction
def xoroshiro128p_uniform_float64(states, index):
    """A random float64 in [0, 1); advances `states[index]` by a step."""
    return uint64_to_unit_float64(xoroshiro128p_next(states, index))


@_RandomFunction
def xoroshiro128p_normal_float32(states, index):
    """A normal float32 of mean 0 and variance 1; advances by two steps.

    By the transform of Box and Muller, of which one result is dropped.
    """
    u1 = xoroshiro128p_uniform_float32(states, index)
    u2 = xoroshiro128p_uniform_float32(states, index)
    radius = math.sqrt(float32(-2.0) * math.log(u1))
    return float32(radius * math.cos(float32(math.tau) * u2))


@_RandomFunction
def xoroshiro128p_normal_float64(states, index):
    """A normal float64 of mean 0 and variance 1; advances by two steps.

    It is made of two random float32 numbers, as Numba makes it, so it has no
    more different values than these allow.
    """
    u1 = float64(xoroshiro128p_uniform_float32(states, index))
    u2 = float64(xoroshiro128p_uniform_float32(states, index))
    radius = math.sqrt(float64(-2.0) * math.log(u1))
    return radius * math.cos(float64(math.tau) * u2)


# ===-------------------------------------------------------------------===
# Arrays of states.
# ===-------------------------------------------------------------------===

#: Words of states: one row each.
_Words = npt.NDArray[np.uint64]


class _Jump:
    """Many steps at once, as a matrix of bits.

    Its columns are what becomes of the states that have one bit. For each byte
    of a state a table holds the sums of the columns that the byte selects: a
    state is advanced by a look-up for each of its 16 bytes.
    """

    def __init__(self, columns: _Words) -> None:
        self._columns = columns
        tables = np.zeros((_BITS // 8, 256, 2), np.uint64)
        for bit in range(8):
            size = 1 << bit
            added = columns[bit::8, None]
            tables[:, size : 2 * size] = tables[:, :size] ^ added
        self._tables = tables

    def __call__(self, states: _Words) -> _Words:
        """Advances each of `states`."""
        # The lowest byte of a word first, whatever the machine's order is.
        selectors = states.astype("<u8").view(np.uint8).reshape(-1, _BITS // 8)
        found = np.zeros_like(states)
        for table, selector in zip(self._tables, selectors.T, strict=True):
            found ^= table.take(selector, axis=0)
        return found

    def twice(self) -> _Jump:
        return _Jump(self(self._columns))


@functools.cache
def _jump(exponent: int) -> _Jump:
    """2**64 steps, taken 2**`exponent` times."""
    if exponent:
        return _jump(exponent - 1).twice()
    units = np.zeros((_BITS, 2), np.uint64)
    for bit in range(_BITS):
        units[bit, bit // 64] = 1 << bit % 64
    return _Jump(np.stack(_far(*units.T), axis=1))


#: How many states are advanced together; they and the tables fit into a cache.
_CHUNK_EXPONENT = 12


def _states_of(count: int, seed: int, start: int) -> _Words:
    """`count` states of a seed, from subsequence `start` on."""
    first = np.zeros(1, xoroshiro128p_dtype)
    init_xoroshiro128p_state(first, 0, seed)
    state = first.view(np.uint64).reshape(1, 2)
    for exponent in range(start.bit_length()):
        if start >> exponent & 1:
            state = _jump(exponent)(state)
    states = np.empty((count, 2), np.uint64)
    states[:1] = state
    done = 1
    while done < count:
        exponent = min(done.bit_length() - 1, _CHUNK_EXPONENT)
        size = min(1 << exponent, count - done)
        source = done - (1 << exponent)
        states[done : done + size] = _jump(exponent)(
            states[source : source + size]
        )
        done += size
    return states


def _integer(value: object, what: str) -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what} expects an int but got {value!r}") from None


@public
def init_xoroshiro128p_states(
    states: DeviceNDArray,
    seed: int,
    subsequence_start: int = 0,
    stream: object = 0,
) -> None:
    """Fills an array of states on the device.

    State `i` is at the beginning of subsequence `subsequence_start + i` of the
    seed's sequence; each has 2**64 numbers.

    >>> from pyk import cuda
    >>> states = cuda.device_array(2, xoroshiro128p_dtype)
    >>> init_xoroshiro128p_states(states, seed=1)
    >>> [hex(word) for word in states.copy_to_host()["s1"]]
    ['0x910a2dec89025cc1', '0x6c96c932f21d71ee']
    """
    if not isinstance(states, DeviceNDArray):
        raise TypeError(
            f"init_xoroshiro128p_states expects a device array but got "
            f"{type(states)}; create_xoroshiro128p_states makes one"
        )
    if states.ndim != 1 or states.dtype != xoroshiro128p_dtype:
        raise TypeError(
            "init_xoroshiro128p_states expects one dimension of "
            f"xoroshiro128p_dtype but got {states.ndim} of {states.dtype}"
        )
    start = _integer(subsequence_start, "subsequence_start")
    if not 0 <= start <= _UINT64_MAX:
        raise ValueError(
            f"subsequence_start expects 0 to 2**64 - 1 but got {start}"
        )
    words = _states_of(
        states.shape[0], _integer(seed, "seed") & _UINT64_MAX, start
    )
    states.copy_to_device(
        words.view(xoroshiro128p_dtype).reshape(-1), stream=stream
    )


@public
def create_xoroshiro128p_states(
    n: int, seed: int, subsequence_start: int = 0, stream: object = 0
) -> DeviceNDArray:
    """A new device array of `n` states, filled for a seed.

    >>> create_xoroshiro128p_states(3, seed=1).shape
    (3,)
    """
    states = device_array(n, dtype=xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, seed, subsequence_start, stream)
    return states
