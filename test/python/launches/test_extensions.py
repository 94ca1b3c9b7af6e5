# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Objects that change the arguments of a launch: `extensions` of cuda.jit."""

import pickle

import numpy as np
import pytest

from pyk import cuda, types
from pyk._typeof import typeof


class Column:
    """Something of a program's own that holds an array."""

    def __init__(self, values):
        self.values = np.asarray(values)


class Unpack:
    """Passes the array of a `Column`, and remembers what it was called with."""

    def __init__(self):
        self.seen = []

    def prepare_args(self, ty, val, stream, retr):
        self.seen.append((ty, stream))
        if isinstance(val, Column):
            retr.append(lambda: self.seen.append(val.values.tolist()))
            return typeof(val.values), val.values
        return ty, val


class Twice:
    """Passes twice what an int is."""

    def __init__(self):
        self.seen = []

    def prepare_args(self, ty, val, stream, retr):
        self.seen.append(ty)
        return (ty, 2 * val) if isinstance(ty, types.Integer) else (ty, val)


# Programs append to the list, also after launches.
def test_later():
    kernel = cuda.jit(fill)
    a = np.zeros(2, np.int64)
    for _ in range(2):
        kernel[1, 32](a, 3)
    twice = Twice()
    kernel.extensions.append(twice)
    for _ in range(2):
        kernel[1, 32](a, 3)
    assert kernel.extensions == [twice] and len(twice.seen) == 4
    assert a.tolist() == [18, 18]


def fill(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += n


@pytest.mark.parametrize("signature", [(), ("void(int64[:], int64)",)])
def test_arguments_are_prepared(signature):
    unpack, twice = Unpack(), Twice()
    kernel = cuda.jit(*signature, extensions=[twice, unpack])(fill)
    column = Column([1, 2, 3])
    # Each time: the first launch is not the only one.
    for expected in ([11, 12, 13], [21, 22, 23]):
        kernel[1, 32](column, 5)
        assert column.values.tolist() == expected
        assert unpack.seen == [
            (types.pyobject, 0),
            (types.int64, 0),
            # After the launch.
            expected,
        ]
        # It gets what the last one made.
        assert twice.seen == [types.int64[::1], types.int64]
        unpack.seen.clear()
        twice.seen.clear()


def test_streams_and_hints():
    unpack = Unpack()
    kernel = cuda.jit(extensions=[unpack])(fill)
    stream = cuda.stream()
    a = np.zeros(2)
    kernel[1, 32, stream](cuda.In(a), 1.5)
    stream.synchronize()
    assert a.tolist() == [0, 0]
    assert [kind for kind, _ in unpack.seen] == [
        types.float64[::1],
        types.float64,
    ]
    assert all(isinstance(own, cuda.Stream) for _, own in unpack.seen)


def test_other_forms_of_the_kernel():
    kernel = cuda.jit(extensions=[Twice()])(fill)
    a = np.zeros(3, np.int64)
    for form in (
        pickle.loads(pickle.dumps(kernel)),
        kernel.specialize(a, 5),
    ):
        a[:] = 0
        form[1, 32](a, 5)
        assert a.tolist() == [10, 10, 10]
