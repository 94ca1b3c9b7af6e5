# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A slice that is stored in one that it overlaps with is as if it were read
before anything is written, as NumPy does it.
"""

import numpy as np
import pytest

from pyk import cuda
from support import simd_agreement
from view_kernels import make, pyk_function

WAYS = ["reference", "simd"]

LINES = [
    "a[1:] = a[:-1]",
    "a[:-1] = a[1:]",
    "a[3:] = a[:-3]",
    "a[:] = a",
    "a[2:7] = a[2:7]",
    "a[::2][1:] = a[::2][:-1]",
    "a[::2][:-1] = a[::2][1:]",
    "a[::-1][1:] = a[::-1][:-1]",
    "a[::-1][:-2] = a[::-1][2:]",
    "a[:] = a[::-1]",
    "a[::-1] = a",
    "a[2:8] = a[6:0:-1]",
    "a[6:0:-1] = a[2:8]",
    "a[::2] = a[::-2]",
    "a[6:] = a[4::-1]",
    "a[:-2] += a[2:]",
    "a[2:] += a[:-2]",
    "a[:] -= a[::-1]",
    "a[:] = a[3:4]",
    "a[:] = a[3]",
    "a[5:5] = a[4:4]",
    "a[2:3] = a[1:2]",
]

MATRICES = [
    "a[1:] = a[:-1]",
    "a[:-1] = a[1:]",
    "a[:, 1:] = a[:, :-1]",
    "a[:, :-1] = a[:, 1:]",
    "a[1:, 1:] = a[:-1, :-1]",
    "a[:-1, :-1] = a[1:, 1:]",
    "a[1:, :-1] = a[:-1, 1:]",
    "a[:-1, 1:] = a[1:, :-1]",
    "a[::-1][1:] = a[::-1][:-1]",
    "a[:, ::-1][1:] = a[:, ::-1][:-1]",
    "a.T[1:, 1:] = a.T[:-1, :-1]",
    "a[2] = a[1]",
    "a[1, 1:] = a[1, :-1]",
    "a[:, 2][1:] = a[:, 2][:-1]",
    "a[0, ::-1] = a[0]",
    "a[:] = a[1]",
    "a[::2] = a[2]",
    "a[:] = a[:, 1:2]",
    "a[:] = a[2:3, 1:2]",
    "a[1:] += a[:-1]",
]

CUBES = [
    "a[1:, :, 1:] = a[:-1, :, :-1]",
    "a[:-1, 1:, :-1] = a[1:, :-1, 1:]",
    "a[:, 1:, 1:] = a[:, :-1, :-1]",
    "a.T[1:, 1:] = a.T[:-1, :-1]",
    "a[:] = a[1, 1]",
]

#: Elements of which none is shared, though the ends of each enclose others.
DISJOINT = [
    ("a[0:6:3] = a[1:3]", (11,)),
    ("a[::-3][:2] = a[8:10]", (11,)),
    ("a[8:10] = a[::-3][:2]", (11,)),
    ("a[1:10:4] = a[0:6:2]", (11,)),
    ("a[0:4, 0] = a[1, 1:5]", (6, 7)),
    ("a[1, 1:5] = a[0:4, 0]", (6, 7)),
    ("a[0:4, ::-1][:, 0] = a[1, 1:5]", (6, 7)),
    ("a[:, 0] = a[::-1, 3]", (6, 7)),
    ("a[0:3, 0:2] = a.T[3:6, 2:4]", (6, 7)),
    ("a[::2] = a[1]", (6, 7)),
    ("a[::2, 1:] = a[1:2, :1]", (6, 7)),
    ("a[0:2, :, 0] = a[0, :2, 1:4]", (3, 3, 5)),
    ("a[:, 0, 0] += a[1, 1, 1:4]", (3, 3, 5)),
]

CASES = (
    DISJOINT
    + [(body, (11,)) for body in LINES]
    + [(body, (4, 5)) for body in MATRICES]
    + [(body, (3, 4, 5)) for body in CUBES]
)


def expect(body, a):
    copy = a.copy(order="K")
    exec(body, {"a": copy, "np": np})
    return copy


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize(("body", "shape"), CASES)
def test_overlap(body, shape, order, way):
    size = int(np.prod(shape))
    a = np.arange(1.0, 1 + size).reshape(shape, order=order)
    (found,), _ = simd_agreement.run(way, lambda: make(body, "a"), 1, 1, a)
    np.testing.assert_array_equal(found, expect(body, a))


@pytest.mark.parametrize("dtype", ["i1", "f2", "c8", "m8[s]", "U3"])
@pytest.mark.parametrize("body", ["a[1:] = a[:-1]", "a[::-1] = a"])
def test_overlap_of_other_elements(body, dtype):
    a = np.arange(7).astype(dtype)
    expected = expect(body, a)
    make(body, "a")[1, 1](a)
    np.testing.assert_array_equal(a, expected)


def test_overlap_of_records():
    a = np.zeros(7, [("x", "i4"), ("y", "f8")])
    a["x"] = np.arange(7)
    expected = expect("a[1:] = a[:-1]", a)
    make("a[1:] = a[:-1]", "a")[1, 1](a)
    assert a.tolist() == expected.tolist()


@cuda.jit(device=True)
def move(target, source):
    target[:] = source


@pytest.mark.parametrize("way", WAYS)
def test_arrays_of_a_function(way):
    body = "move(a[1:], a[:-1])"
    a = np.arange(9.0)
    (found,), _ = simd_agreement.run(
        way, lambda: make(body, "a", move=move), 1, 1, a
    )
    assert found.tolist() == [0, *range(8)]


def test_one_array_passed_twice():
    kernel = make("a[1:] = b[:-1]", "a, b")
    a = np.arange(9.0)
    kernel[1, 1](a, a)
    assert a.tolist() == [0, *range(8)]
    kernel[1, 1](a, np.arange(10.0, 19.0))
    assert a.tolist() == [0, *range(10, 18)]


@pytest.mark.parametrize("space", ["local", "shared"])
def test_arrays_of_the_kernel(space):
    body = f"""
own = cuda.{space}.array(8, np.float64)
own[:] = a
own[1:] = own[:-1]
a[:] = own
"""
    a = np.arange(8.0)
    make(body, "a")[1, 1](a)
    assert a.tolist() == [0, *range(7)]


def first_part(own):
    return own[:-1]


@pytest.mark.parametrize("space", ["local", "shared"])
@pytest.mark.parametrize(
    "part",
    [
        "own[:-1] if a[0] == 0 else own[1:]",
        "own[1:]\nif a[0] == 0:\n    part = own[:-1]",
        "first_part(own)",
    ],
)
def test_parts_that_conditions_and_calls_choose(space, part):
    """Which array the part is of does not stand in the text."""
    body = f"""
own = cuda.{space}.array(8, np.float64)
own[:] = a
part = {part}
own[1:] = part
a[:] = own
"""
    a = np.arange(8.0)
    make(body, "a", first_part=cuda.jit(device=True)(first_part))[1, 1](a)
    assert a.tolist() == [0, *range(7)]


@pytest.mark.parametrize("count", [0, 4])
def test_slices_without_elements(count):
    kernel = cuda.jit(debug=True, opt=False)(
        pyk_function(
            "def kernel(a, b, n):\n    t = b.T\n    a[0:n, :] = t[0:n, :]\n", {}
        )
    )
    a, b = np.zeros((4, 4)), np.arange(16.0).reshape(4, 4)
    if count:
        kernel[1, 1](a, b, count)
        assert a.tolist() == b.T.tolist()
    else:
        kernel[1, 1](b, b, count)
        assert b.ravel().tolist() == [*range(16)]


@pytest.mark.parametrize(
    ("body", "shape"),
    [
        ("a[:5] = a[::2]", (10,)),
        ("a[::2] = a[:5]", (10,)),
        ("a[:] = a.T", (4, 4)),
        ("a[:] = a[::-1]", (4, 4)),
        ("a[:, 1:] = a[1, :-1]", (4, 4)),
        ("a[0:9:3] = a[1:7:2]", (11,)),
        ("a[0:4, 0] = a[1, 0:4]", (6, 7)),
        ("a[::-1][:4:3] = a[9:5:-2]", (11,)),
        ("a[::2] = a[2, ::-1]", (6, 7)),
        ("a[0:3, 0:3] = a.T[2:5, 2:5]", (6, 7)),
    ],
)
def test_other_overlaps_are_errors(body, shape):
    kernel = cuda.jit(debug=True, opt=False)(
        pyk_function(f"def kernel(a):\n    {body}\n", {})
    )
    message = "a slice to one that it may overlap with other strides"
    with pytest.raises(ValueError, match=message):
        kernel[1, 1](np.zeros(shape))


@pytest.mark.parametrize(("body", "shape"), CASES)
def test_others_are_none(body, shape):
    kernel = cuda.jit(debug=True, opt=False)(
        pyk_function(f"def kernel(a):\n    {body}\n", {})
    )
    a = np.arange(float(np.prod(shape))).reshape(shape)
    expected = expect(body, a)
    kernel[1, 1](a)
    np.testing.assert_array_equal(a, expected)


def test_elements_that_share_some_of_their_bytes():
    """Two bytes apart, elements of four bytes overlap by half."""
    kernel = cuda.jit(debug=True, opt=False)(
        pyk_function("def kernel(a, b):\n    a[::2] = b\n", {})
    )
    memory = np.zeros(64, np.uint8)
    a = memory[:12].view(np.int32)
    message = "a slice to one that it may overlap with other strides"
    for first in 0, 2, 4, 6:
        # Bytes 0 and 8 of the target, and 4 and 16 if they are apart.
        b = memory[first : first + 16].view(np.int32)[::3]
        b[:] = 5, 7
        if first == 4:
            kernel[1, 1](a, b)
            assert a[::2].tolist() == [5, 7]
        else:
            with pytest.raises(ValueError, match=message):
                kernel[1, 1](a, b)
