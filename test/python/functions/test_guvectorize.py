# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`guvectorize`: universal functions of arrays, for all targets."""

import itertools

import numpy as np
import pytest

import pyk
from pyk import cuda, guvectorize
from universal_functions import MATMUL, TARGETS, matmul, numbers


@pytest.fixture(params=["cuda", "cpu"])
def target(request):
    return request.param


# Shapes.

SHAPES = [
    ((2, 4), (4, 5)),
    ((3, 2, 4), (3, 4, 5)),
    ((1001, 2, 4), (1001, 4, 5)),
    ((4, 25, 2, 4), (4, 25, 4, 5)),
    ((10, 3, 3), (3, 3)),
    ((3, 3), (10, 3, 3)),
    ((4, 1, 2, 4), (1, 5, 4, 5)),
    ((2, 1, 3, 1, 2, 2), (4, 1, 5, 2, 2)),
    ((1, 2, 4), (4, 1)),
    ((0, 2, 4), (4, 5)),
    ((2, 0), (0, 3)),
]


@pytest.mark.parametrize(("one", "other"), SHAPES)
@pytest.mark.parametrize("target", TARGETS)
def test_loops_over_matrices(target, one, other):
    a, b = numbers(one), numbers(other)
    expected = np.matmul(a, b)
    found = MATMUL[target](a, b)
    np.testing.assert_array_equal(found, expected)
    assert found.dtype == np.float32
    out = np.zeros_like(expected)
    assert MATMUL[target](a, b, out) is out
    np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_device_arrays(one, other):
    a, b = numbers(one), numbers(other)
    there = cuda.to_device(a), cuda.to_device(b)
    expected = np.matmul(a, b)
    for pair in itertools.product((a, there[0]), (b, there[1])):
        found = matmul(*pair)
        is_on_device = pair[0] is not a or pair[1] is not b
        assert isinstance(found, cuda.DeviceNDArray) == is_on_device
        np.testing.assert_array_equal(np.asarray(found), expected)
    out = cuda.device_array_like(expected)
    assert matmul(a, there[1], out=out) is out
    np.testing.assert_array_equal(out.copy_to_host(), expected)
    host = np.zeros_like(expected)
    assert matmul(*there, host) is host
    np.testing.assert_array_equal(host, expected)


LAYOUTS = {
    "f": np.asfortranarray,
    "swapped": lambda a: np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(
        -1, -2
    ),
    "stepped": lambda a: np.repeat(a, 2, -1)[..., ::2],
    "outer": lambda a: np.repeat(a, 2, 0)[::2],
    "reversed": lambda a: np.ascontiguousarray(a[::-1])[::-1],
    "broadcast": lambda a: np.broadcast_to(a[:1], a.shape),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(target, layout):
    change = LAYOUTS[layout]
    a, b = change(numbers((3, 4, 2, 5))), change(numbers((3, 4, 5, 2)))
    expected = np.matmul(a, b)
    np.testing.assert_array_equal(MATMUL[target](a, b), expected)
    if layout != "broadcast":
        out = change(np.zeros_like(expected))
        MATMUL[target](a, b, out=out)
        np.testing.assert_array_equal(out, expected)


def keep_positive(x, out):
    for i in range(x.size):
        if x[i] > 0:
            out[i] += x[i]


POSITIVE = {
    target: guvectorize(["void(f4[:], f4[:])"], "(n)->(n)", target=target)(
        keep_positive
    )
    for target in TARGETS
}


@pytest.mark.parametrize("any_target", TARGETS)
@pytest.mark.parametrize(
    "change",
    [np.array, *(LAYOUTS[name] for name in LAYOUTS if name != "broadcast")],
    ids=["c", *(name for name in LAYOUTS if name != "broadcast")],
)
def test_outputs_keep_what_is_not_written(any_target, change):
    """Calls add to an output that is given, and leave other elements alone."""
    a = numbers((3, 4, 2, 5))
    a[::2, :, 0, 1:4] *= -1
    out = change(np.full_like(a, 7))
    expected = np.where(a > 0, a + 7, 7)
    assert POSITIVE[any_target](a, out=out) is out
    np.testing.assert_array_equal(out, expected)
    if any_target == "cuda":
        out = cuda.to_device(np.full_like(a, 7))
        POSITIVE[any_target](a, out)
        np.testing.assert_array_equal(out.copy_to_host(), expected)


def test_stream():
    stream = cuda.stream()
    a = cuda.to_device(numbers((1001, 2, 4)), stream)
    b = cuda.to_device(numbers((1001, 4, 5)), stream)
    out = cuda.device_array((1001, 2, 5), np.float32, stream=stream)
    assert matmul(a, b, out=out, stream=stream) is out
    expected = np.matmul(numbers((1001, 2, 4)), numbers((1001, 4, 5)))
    found = out.copy_to_host(stream=stream)
    np.testing.assert_array_equal(found, expected)


def test_fixed_sizes(target):
    @guvectorize(["(f8[:], f8[:], f8[:])"], "(3),(3)->(3)", target=target)
    def cross(a, b, c):
        c[0] = a[1] * b[2] - a[2] * b[1]
        c[1] = a[2] * b[0] - a[0] * b[2]
        c[2] = a[0] * b[1] - a[1] * b[0]

    a, b = np.arange(12.0).reshape(4, 3), np.array([1.0, 0.5, 2.0])
    np.testing.assert_array_equal(cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError) as caught:
        cross(a, np.ones(4))
    assert str(caught.value) == (
        "cross: argument 2 has size 4 in its core dimension 3 of "
        "(3),(3)->(3), but it is 3"
    )

    @guvectorize(["(f8, f8[:])"], "()->(2)", target=target)
    def both(x, out):
        out[0], out[1] = x, -x

    assert both([1.0, 2.0]).tolist() == [[1, -1], [2, -2]]


# Numbers.


def test_number_in_number_out(target):
    @guvectorize(["void(int32, int32[:])"], "()->()", target=target)
    def twice(x, out):
        out[0] = 2 * x

    assert twice(np.int32(10)) == 20
    assert type(twice(np.int32(10))) is np.int32
    a = np.arange(10, dtype=np.int32)
    np.testing.assert_array_equal(twice(a), a * 2)
    np.testing.assert_array_equal(twice(a.reshape(5, 2)), a.reshape(5, 2) * 2)


def test_numbers_are_converted_for_devices():
    @guvectorize(["(int32, int32[:], int32[:])"], "(),(t)->(t)", target="cuda")
    def scale(a, b, out):
        for i in range(b.size):
            out[i] = a * b[i]

    b = np.arange(10, dtype=np.int32)
    for number in (2, np.int64(2), np.int8(2)):
        np.testing.assert_array_equal(scale(number, b), 2 * b)
    with pytest.raises(OverflowError, match="out of bounds for int32"):
        scale(2**40, b)
    with pytest.raises(TypeError, match=r"does not support .astype\(\)"):
        scale(cuda.to_device(np.array(2)), b)
    with pytest.raises(TypeError, match="cannot be cast without loss"):
        scale(np.array([2]), b)


def test_one_element_as_an_array(target):
    @guvectorize(["(i4[:], i4[:], i4[:])"], "(n),()->(n)", target=target)
    def add(x, y, out):
        for i in range(x.size):
            out[i] = x[i] + y[0]

    x = np.arange(8, dtype=np.int32).reshape(2, 4)
    y = np.array([2, 10], np.int32)
    np.testing.assert_array_equal(add(x, y), x + y[:, None])
    np.testing.assert_array_equal(add(x[0], y[:1]), x[:1] + 2)
    assert add(x[0], y[1]).tolist() == [10, 11, 12, 13]
    assert add(x, y[0], x.copy()).shape == (2, 4)


def test_loop_of_one_iterations_into_an_output_without():
    @guvectorize(["(i4[:], i4[:], i4[:])"], "(n),()->(n)", target="cuda")
    def add(x, y, out):
        for i in range(x.size):
            out[i] = x[i] + y[0]

    x, y = np.arange(4, dtype=np.int32), np.array([2], np.int32)
    out = np.zeros(4, np.int32)
    assert add(x, y, out=out) is out
    np.testing.assert_array_equal(out, x + 2)
    there = cuda.to_device(x)
    add(there[None], cuda.to_device(y)[None], there)
    np.testing.assert_array_equal(there.copy_to_host(), x + 2)


def test_sum_of_rows(target):
    @guvectorize(["void(int64[:], int64[:])"], "(n)->()", target=target)
    def sum_row(row, out):
        total = 0
        for i in range(row.size):
            total += row[i]
        out[0] = total

    a = np.arange(300).reshape(100, 3)
    np.testing.assert_array_equal(sum_row(a), a.sum(axis=1))
    assert sum_row(a[0]) == 3
    np.testing.assert_array_equal(sum_row(a.T), a.sum(axis=0))
    np.testing.assert_array_equal(sum_row(a.tolist()), a.sum(axis=1))
    if target == "cuda":
        there = cuda.to_device(a)
        out = cuda.device_array(100, np.int64)
        sum_row(there, out=out)
        np.testing.assert_array_equal(out.copy_to_host(), a.sum(axis=1))
        assert isinstance(sum_row(there), cuda.DeviceNDArray)
        assert sum_row(there[1]).copy_to_host() == 12


# Outputs.


def both_of(target):
    @guvectorize(
        ["(int32[:], int32[:], float64[:])"], "(n)->(n),(n)", target=target
    )
    def both(a, b, c):
        for i in range(a.size):
            b[i] = a[i]
            c[i] = a[i] * 1.5

    return both


def test_several_outputs(target):
    both = both_of(target)
    a = np.arange(12, dtype=np.int32).reshape(3, 4)
    b, c = both(a)
    assert (b.dtype, c.dtype) == (np.int32, np.float64)
    np.testing.assert_array_equal(b, a)
    np.testing.assert_array_equal(c, a * 1.5)
    d, e = np.zeros_like(a), np.zeros(a.shape)
    assert [*map(id, both(a, d, e))] == [id(d), id(e)]
    np.testing.assert_array_equal(e, c)
    e[:] = 0
    f, found = both(a, out=(None, e))
    assert found is e
    np.testing.assert_array_equal(f, a)
    np.testing.assert_array_equal(e, c)
    f, found = both(a, d)
    assert f is d
    np.testing.assert_array_equal(found, c)


def test_outputs_of_other_types(target):
    both = both_of(target)
    a = np.arange(4, dtype=np.int32)
    b, c = np.zeros(4), np.zeros(4, np.float32)
    both(a, b, c)
    assert b.tolist() == [0, 1, 2, 3]
    assert c.tolist() == [0, 1.5, 3, 4.5]
    with pytest.raises(TypeError, match="yields float64, which cannot be stor"):
        both(a, b, np.zeros(4, np.int32))


def test_device_outputs_of_other_types():
    with pytest.raises(TypeError) as caught:
        both_of("cuda")(
            np.arange(4, dtype=np.int32), cuda.device_array(4, np.float64)
        )
    assert str(caught.value) == (
        "out of both() expects a device array of int32 but got one of float64"
    )


def test_outputs_make_loops(target):
    a, b = numbers((2, 4)), numbers((4, 5))
    out = np.zeros((3, 2, 5), np.float32)
    MATMUL[target](a, b, out=out)
    np.testing.assert_array_equal(out, [np.matmul(a, b)] * 3)
    with pytest.raises(ValueError) as caught:
        MATMUL[target](numbers((3, 2, 4)), b, out[0])
    assert str(caught.value) == (
        "matmul: argument 3 has shape (2, 5), but the loop over the inputs has "
        "(3,)"
    )


def test_output_that_is_an_input(target):
    a = numbers((4, 3, 3))
    expected = np.matmul(a, a)
    MATMUL[target](a, a, out=a)
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("entry", [0, "state"])
def test_inputs_that_are_written(target, entry):
    @guvectorize(
        ["(f8[:], f8, f8[:])"],
        "(n),()->()",
        target=target,
        writable_args=(entry,),
    )
    def step(state, x, total):
        total[0] = 0
        for i in range(state.size):
            state[i] += x
            total[0] += state[i]

    state = np.zeros((2, 3))
    assert step(state, np.array([1.0, 2.0])).tolist() == [3, 6]
    assert step(state, 1.0).tolist() == [6, 9]
    assert state.tolist() == [[2, 2, 2], [3, 3, 3]]
    whole = np.zeros(3, np.float32)
    assert step(whole, 1.5) == 4.5
    assert whole.tolist() == [1.5] * 3
    state.flags.writeable = False
    with pytest.raises(ValueError) as caught:
        step(state, 1.0)
    assert str(caught.value) == (
        "argument 1 of step() is one of writable_args but cannot be written"
    )


# Types.


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.int16, np.float32),
        (np.int32, np.float64),
        (np.complex64, np.complex64),
    ],
)
def test_types_are_resolved_as_by_numpy(target, dtype, expected):
    a = numbers((3, 2, 2), dtype)
    found = MATMUL[target](a, a)
    assert found.dtype == expected
    np.testing.assert_array_equal(found, np.matmul(a, a))


@pytest.mark.parametrize("make", [guvectorize, cuda.guvectorize])
def test_no_signatures(make):
    @make("(n),()->(n),()")
    def scale(x, by, out, most):
        most[0] = 0
        for i in range(x.size):
            out[i] = x[i] * by
            most[0] = max(most[0], x[i])

    x = np.arange(6).reshape(2, 3)
    out, most = np.zeros((2, 3)), np.zeros(2, np.int8)
    scale(x, 0.5, out, most)
    np.testing.assert_array_equal(out, x / 2)
    assert most.tolist() == [2, 5]
    assert scale.types == ["ld->db"]
    scale(x, 2, out, most)
    np.testing.assert_array_equal(out, x * 2)
    assert scale.types == ["ld->db", "ll->db"]
    with pytest.raises(TypeError) as caught:
        scale(x, 2)
    assert str(caught.value) == (
        "scale() has no signatures, so it expects its outputs as arguments, too"
    )


def test_attributes():
    assert matmul.__name__ == "matmul"
    assert matmul.__doc__ == "Rows and columns."
    assert matmul.signature == "(m,n),(n,p)->(m,p)"
    assert matmul.types == ["ff->f", "dd->d", "FF->F"]
    assert (matmul.nin, matmul.nout, matmul.nargs) == (2, 1, 3)
    assert matmul.max_blocksize == 2**30
    assert pyk.guvectorize is guvectorize
    assert pyk.cuda.guvectorize("(n)->(n)")(lambda x, y: None)._is_of_cuda


def test_blocks_are_not_larger():
    @guvectorize(["(f8[:], i8[:])"], "(n)->()", target="cuda")
    def width(x, out):
        out[0] = cuda.blockDim.x

    width.max_blocksize = 3
    assert width(np.zeros((100, 1))).tolist() == [3] * 100


def test_calls_of_device_functions(target):
    @cuda.jit(device=True)
    def mean(x):
        return x.sum() / x.size

    @guvectorize(["(f8[:], f8[:])"], "(n)->(n)", target=target)
    def center(x, out):
        middle = mean(x)
        for i in range(x.size):
            out[i] = x[i] - middle

    a = np.arange(12.0).reshape(3, 4)
    expected = a - a.mean(axis=1, keepdims=True)
    np.testing.assert_array_equal(center(a), expected)


# As Numba's CUDA target, which drops what the function returns.
@pytest.mark.parametrize("target", TARGETS)
def test_output_is_returned(target):
    @guvectorize(["(f4[:], f4[:])"], "(n)->(n)", target=target)
    def twice(x, out):
        for i in range(x.size):
            out[i] = 2 * x[i]
        if x[0] > 1:
            return x
        return out

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(twice(x), 2 * x)
    np.testing.assert_array_equal(x.ravel(), np.arange(6))
