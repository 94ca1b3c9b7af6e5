# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Configuration and calls of kernels, and what is compiled for them."""

import enum
import linecache
import threading
import time

import numpy as np
import pytest

from pyk import _options, cuda
from pyk._argument_types import type_of
from pyk.cuda import _compile, _devices
from pyk.cuda._parameters import Parameters
from pyk.cuda.errors import CompileError


@cuda.jit
def kernel(a, b, n=3):
    """Does nothing."""


@cuda.jit
def shape(out):
    """Writes how it was launched."""
    if cuda.grid(1) == 0:
        out[0] = cuda.gridDim.x
        out[1] = cuda.gridDim.y
        out[2] = cuda.gridDim.z
        out[3] = cuda.blockDim.x
        out[4] = cuda.blockDim.y
        out[5] = cuda.blockDim.z
        out[6] = cuda.shared.array(0, np.uint8).size


@pytest.fixture(autouse=True)
def forget():
    for dispatcher in (kernel, shape):
        dispatcher._variants.modules.clear()
        dispatcher._unload(cuda.get_current_device())


def test_attributes():
    assert kernel.__name__ == "kernel"
    assert kernel.__doc__ == "Does nothing."
    assert kernel.__module__ == __name__
    assert kernel.__wrapped__ is kernel.py_func
    assert kernel.py_func.__name__ == "kernel"
    assert repr(kernel) == "<PyK kernel kernel>"


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        ((1, 32), [1, 1, 1, 32, 1, 1, 0]),
        (((2, 3), [4, 5, 6]), [2, 3, 1, 4, 5, 6, 0]),
        (((2,), (4, 5)), [2, 1, 1, 4, 5, 1, 0]),
        ((np.int32(2), (np.uint8(3),)), [2, 1, 1, 3, 1, 1, 0]),
        ((1, 1, 0, 256), [1, 1, 1, 1, 1, 1, 256]),
        ((1, 1, None, np.int64(256)), [1, 1, 1, 1, 1, 1, 256]),
        ((1, 1, cuda.stream(), 128), [1, 1, 1, 1, 1, 1, 128]),
    ],
)
def test_configuration(compiled, configuration, expected):
    for configured in (shape[configuration], shape.configure(*configuration)):
        out = np.zeros(7, np.int64)
        configured(out)
        assert out.tolist() == expected
        assert (*configured.griddim, *configured.blockdim) == tuple(
            expected[:6]
        )
        assert configured.sharedmem == expected[6]
        assert configured.dispatcher is shape
    assert len(compiled) == 1


@pytest.mark.parametrize(
    ("configuration", "error", "message"),
    [
        (1, ValueError, "must specify at least the grid and the block"),
        ((1,), ValueError, "must specify at least the grid and the block"),
        (
            (1, 1, 0, 0, 0),
            ValueError,
            "takes at most 4 values as its configuration but got 5: kernel",
        ),
        (((1, 1, 1, 1), 1), ValueError, "grid expects 1 to 3 dimensions"),
        ((1, ()), ValueError, "block expects 1 to 3 dimensions but got 0"),
        ((1.0, 1), TypeError, "grid expects ints but got 1.0"),
        ((1, (1, "2")), TypeError, "block expects ints but got '2'"),
        ((0, 1), ValueError, "grid expects dimensions from 1 to 2147483647"),
        ((1, -1), ValueError, "block expects dimensions from 1 to"),
        ((2**31, 1), ValueError, "but got 2147483648"),
        ((1, 1, 0, 1.5), TypeError, "dynamic shared memory expects an int"),
        ((1, 1, 0, -1), ValueError, "dynamic shared memory expects 0 to"),
        ((1, 1, "s"), TypeError, "expects a stream made by cuda.stream"),
        ((1, 1, 7), TypeError, "expects a stream made by cuda.stream"),
    ],
)
def test_wrong_configuration(configuration, error, message):
    with pytest.raises(error, match=message):
        kernel[configuration]


def test_the_largest_configuration():
    most = 2**31 - 1
    configured = kernel[(most, 1), (1, most), 0, most]
    assert configured.griddim == (most, 1, 1)
    assert configured.blockdim == (1, most, 1)
    assert configured.sharedmem == most
    with pytest.raises(ValueError, match=f"0 to {most} bytes but got {2**31}"):
        kernel[1, 1, 0, 2**31]


def test_call_without_configuration():
    with pytest.raises(
        ValueError, match="Kernel launch configuration was not specified"
    ):
        kernel(1, 2, 3)


def test_device_function_on_the_host():
    @cuda.jit(device=True)
    def helper(x):
        return x

    with pytest.raises(TypeError, match="can only be called inside a kernel"):
        helper(1)
    with pytest.raises(RuntimeError, match="a kernel: 'helper' can only"):
        helper[1, 1]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_wrong_number_of_arguments(count):
    was = "was" if count == 1 else "were"
    with pytest.raises(
        TypeError,
        match=r"kernel 'kernel' takes 3 arguments \(a, b, n\) but "
        f"{count} {was} given",
    ):
        kernel[1, 1](*range(count))


def test_keyword_argument():
    with pytest.raises(TypeError, match="positional arguments only but got"):
        kernel[1, 1](1, b=2)


def test_default_arguments(compiled):
    @cuda.jit
    def k(out, x=7, y=2.5):
        out[0] = x
        out[1] = y

    out = np.zeros(2)
    k[1, 1](out)
    assert out.tolist() == [7, 2.5]
    k[1, 1](out, 8)
    assert out.tolist() == [8, 2.5]
    assert len(compiled) == 1


def test_argument_error_names_the_parameter():
    with pytest.raises(ValueError, match="argument 'b' of <class 'dict'>"):
        kernel[1, 1](1, {}, 3)


def test_one_compilation_for_each_tuple_of_types(compiled):
    for _ in range(2):
        kernel[1, 1](1, 2.0, True)
        kernel[2, 2](5, 6.0, False)
        kernel[1, 1](np.int32(1), 2.0, True)
        a = np.zeros((2, 3))
        kernel[1, 1](a, a.T, a[:, 1:])
    assert compiled == [
        ("si64", "f64", "i1"),
        ("si32", "f64", "i1"),
        (
            "!pyk.array<?x?xf64, c>",
            "!pyk.array<?x?xf64, f>",
            "!pyk.array<?x?xf64, any>",
        ),
    ]


def sample():
    """Values of every type that a launch tells apart, and some alike."""
    arrays = [
        np.zeros(shape, dtype)
        for shape in [(), 3, (2, 3), (1, 3), (0,), (2, 2, 2)]
        for dtype in "?bhilqBHILQefd"
    ]
    matrix = np.zeros((4, 5), np.float32)
    arrays += [matrix.T, matrix[::2], matrix[:, :1], matrix[::-1], matrix[:1]]
    frozen = matrix.copy()
    frozen.flags.writeable = False
    arrays.append(frozen)
    scalars = [np.dtype(code).type(1) for code in "?bhilqBHILQefd"]
    return [*arrays, *scalars, True, 1, -1, 2**63, 1.5, None]


def test_launches_tell_types_apart_as_the_compiler_does(compiled):
    @cuda.jit
    def k(value):
        pass

    values = sample()
    for value in values:
        k[1, 1](value)
    assert compiled == list(
        dict.fromkeys((type_of(value, "value"),) for value in values)
    )
    # Device arrays are the same types; the second time nothing is compiled.
    for value in values:
        if isinstance(value, np.ndarray) and value.flags.c_contiguous:
            k[1, 1](cuda.to_device(value))
        k[1, 1](value)
    assert len(compiled) == len(set(compiled))


class Level(enum.Enum):
    LOW = 1


class Height(enum.Enum):
    LOW = 1


#: Another class of the same name, whose members are integers.
WholeLevel = enum.IntEnum("Level", "LOW", module=__name__)


PAIR = np.dtype([("x", np.int64), ("y", np.int64)])


def lengths(out, t):
    out[0] = len(t) * 10 + len(t[0])


def is_low(out, member):
    out[0] = member is Level.LOW


def is_integer(out, member):
    out[0] = isinstance(member, int)


def store(out, n):
    out[0] = n


def describe(out, records):
    out[0] = 10 * records.ndim + records.shape[0]


def add_last(out, x, many):
    out[0] = x + many[59]


def add_pair(out, pair, many):
    out[0] = pair[1] + many[59]


@pytest.mark.parametrize(
    ("function", "launches"),
    [
        (lengths, [(((1, 2), 3),), (((1,), 2, 3),)]),
        (is_low, [(Level.LOW,), (Height.LOW,)]),
        (is_integer, [(Level.LOW,), (WholeLevel.LOW,)]),
        (store, [(5,), (2**63,)]),
        (describe, [(np.zeros(4, PAIR),), (np.zeros((2, 2), PAIR),)]),
        # So many that what was read first moves to other memory.
        (add_last, [(3, tuple(range(60))), (2.5, tuple(range(60)))]),
        (add_pair, [((1, 3), (2,) * 60), ((1, 2.5), (2,) * 60)]),
    ],
)
def test_launches_tell_apart_what_is_almost_alike(function, launches):
    kernel = cuda.jit(function)
    for arguments in launches * 2:
        found, expected = np.full(1, -1.0), np.full(1, -1.0)
        kernel[1, 1](found, *arguments)
        function(expected, *arguments)
        assert found.tolist() == expected.tolist()
    assert kernel._count() == 2


# What fits without a sign is a type of its own, and more fits no type.
def test_ints_beyond_64_bits_are_refused_after_others():
    kernel = cuda.jit(store)
    out = np.zeros(1, np.uint64)
    for value in (2**64 - 1, 2**63):
        kernel[1, 1](out, value)
        assert out[0] == value
    for value in (2**64, -(2**63) - 1):
        with pytest.raises(ValueError, match="does not fit 64 bits"):
            kernel[1, 1](out, value)
    assert out[0] == 2**63


# A launch of the same type but for that has come before.
def test_arrays_of_swapped_bytes_are_refused_after_others():
    @cuda.jit
    def add(a):
        a[0] += 1

    for number in ("f8", "i4", "u2"):
        add[1, 1](np.ones(1, number))
        swapped = np.ones(1, f">{number}")
        with pytest.raises(ValueError, match="byte order"):
            add[1, 1](swapped)
        assert swapped[0] == 1


def test_launches_tell_alignments_apart(compiled):
    @cuda.jit
    def k(a):
        a[0] += 1

    memory = np.zeros(64, np.int8)
    for _ in range(2):
        for offset in (0, 4, 2, 1, 12):
            part = memory[offset : offset + 8].view(np.float64)
            part[0] = 0
            k[1, 1](part)
            assert part[0] == 1
    # A first element in its place says nothing of the next one.
    for _ in range(2):
        for stride in (12, 9, 20, 10):
            part = np.ndarray(2, np.float64, memory, strides=(stride,))
            part[...] = 0
            k[1, 1](part)
            assert part.tolist() == [1, 0]
    assert compiled == [
        ("!pyk.array<?xf64, c>",),
        *((f"!pyk.array<?xf64, c, align {places}>",) for places in (4, 2, 1)),
        *((f"!pyk.array<?xf64, any, align {places}>",) for places in (4, 1, 2)),
    ]


def test_unusual_launches_leave_one_specialization():
    out = np.zeros(7, np.int64)
    for _ in range(5):
        shape[1, 1](cuda.InOut(out))
        shape[1, 1](out)
    assert shape._count() == 1


# Beside those of a usual number there is no room on the stack.
@pytest.mark.parametrize("count", [46, 47, 48, 49, 50, 51, 300])
def test_many_arguments(count):
    names = [f"a{number}" for number in range(count)]
    scope = {"cuda": cuda}
    text = f"@cuda.jit\ndef k(out, {', '.join(names)}):\n    out[0] = "
    text += " + ".join(f"{n} * {name}" for n, name in enumerate(names)) + "\n"
    file = f"<many {count}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), "")
    exec(compile(text, file, "exec"), scope)
    for first in (1, 5):
        out = np.zeros(1, np.int64)
        values = range(first, first + count)
        scope["k"][1, 1](out, *values)
        assert out[0] == sum(n * value for n, value in enumerate(values))


def test_host_arrays_are_used_where_they_are():
    out = np.zeros(7, np.int64)
    view = out[::-1]
    shape[1, 5](view)
    assert out.tolist() == [0, 1, 1, 5, 1, 1, 1]


def test_forall():
    out = np.zeros(7, np.int64)
    shape.forall(300)(out)
    assert out.tolist() == [3, 1, 1, 128, 1, 1, 0]
    shape.forall(300, tpb=100)(out)
    assert out.tolist() == [3, 1, 1, 100, 1, 1, 0]
    shape.forall(0)("anything")
    with pytest.raises(ValueError, match="tasks >= 0 but got -1"):
        shape.forall(-1)
    with pytest.raises(ValueError, match=r"\(tpb\) >= 0 but got -1"):
        shape.forall(4, tpb=-1)
    with pytest.raises(
        TypeError,
        match=r"forall expects a number of tasks, an int, but got 2\.",
    ):
        shape.forall(2.5)
    with pytest.raises(TypeError, match=r"\(tpb\), an int, but got None"):
        shape.forall(4, None)


def test_forall_takes_a_stream_and_shared_memory():
    out, stream = np.zeros(7, np.int64), cuda.stream()
    configured = shape.forall(129, 0, stream, 64)
    assert configured.stream is stream._stream
    configured(out)
    assert out.tolist() == [2, 1, 1, 128, 1, 1, 64]
    for count, blocks in ((1, 1), (127, 1), (128, 1), (129, 2), (256, 2)):
        assert shape.forall(count).griddim == (blocks, 1, 1)


def test_threads_share_one_compilation(monkeypatch, compiled):
    quick = _compile.compile_kernel

    def slow(*args):
        time.sleep(0.05)
        return quick(*args)

    monkeypatch.setattr(_compile, "compile_kernel", slow)
    outs = [np.zeros(7, np.int64) for _ in range(4)]
    threads = [
        threading.Thread(target=lambda out=out: shape[2, 3](out))
        for out in outs
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(compiled) == 1
    assert all(out.tolist() == [2, 1, 1, 3, 1, 1, 0] for out in outs)


def test_target_from_environment(monkeypatch):
    monkeypatch.setenv("PYK_TARGET", "cpu")
    assert _options.from_environment().target == "cpu"
    monkeypatch.setattr(_options.options, "target", "tpu")
    monkeypatch.setattr(_devices, "_devices", None)
    with pytest.raises(ValueError, match="expects one of auto, cpu, cuda"):
        cuda.list_devices()[0]


def test_launch_refuses_what_it_does_not_know():
    launcher = kernel[1, 1]
    function = kernel._variants.load(
        ("si64", "si64", "si64"), cuda.gpus[0]._device
    )
    for arguments in ((3, (1, 2, 3)), (function, [1, 2, 3]), (function,)):
        with pytest.raises(TypeError, match="_run expects a Function and a"):
            launcher._run(*arguments)
    with pytest.raises(TypeError, match="_run expects arguments of usual"):
        launcher._run(function, (1, "2", 3))
    for wrong in ((3, (1, 2, 3), None), (function, (1, 2, 3), (1, 1)), (3,)):
        with pytest.raises(TypeError, match="_add expects a Function, a tuple"):
            kernel._add(*wrong)
    with pytest.raises(TypeError, match="_add expects arguments of usual"):
        kernel._add(function, ({}, 2, 3), None)
    with pytest.raises(TypeError, match="_launcher expects checked values"):
        kernel._launcher((0, 1, 1), (1, 1, 1), None, 0)
    used = shape._variants.load(
        ("!pyk.array<?xsi64, c>",), cuda.gpus[0]._device
    )
    with pytest.raises(TypeError, match="_run expects 1 arguments but got 0"):
        launcher._run(used, ())


# A key has 16 bits for how many there are.
def test_tuples_of_too_many_items_have_no_code():
    function = kernel._variants.load(
        ("si64", "si64", "si64"), cuda.gpus[0]._device
    )
    other = cuda.jit(kernel.py_func)
    other._add(function, (((),) * (2**16 - 1), 2, 3), None)
    assert other._count() == 1
    with pytest.raises(TypeError, match="_add expects arguments of usual"):
        other._add(function, (((),) * 2**16, 2, 3), None)
    assert other._count() == 1


class Whole(complex):
    pass


def test_subclasses_of_numbers():
    @cuda.jit
    def k(out, x):
        out[0] = x

    out = np.zeros(1, complex)
    k[1, 1](out, Whole(2, 3))
    assert out[0] == 2 + 3j


def test_the_first_launch_is_not_told_from_others():
    @cuda.jit
    def k(a):
        a[0] = 1

    with pytest.raises(CompileError) as caught:
        k[1, 1](1)
    assert "is launched here" not in str(caught.value)
    k[1, 1](np.zeros(1))
    with pytest.raises(CompileError) as caught:
        k[1, 1](1)
    assert "'k' is launched here with (int64)" in str(caught.value)


def test_the_name_of_what_takes_the_rest():
    def first(a, *rest, key=1, other=2):
        local = a
        return local

    def second(a, b):
        local = a
        return local

    assert Parameters(first).named == ("a",)
    assert Parameters(first).rest == "rest"
    assert Parameters(first).names(3) == ("a", "rest[0]", "rest[1]")
    assert Parameters(first).packed(["i1", "si8", "f32"]) == (
        "i1",
        "tuple<si8, f32>",
    )
    assert [*map(Parameters(first).fit, range(3))] == [False, True, True]
    assert Parameters(second).named == ("a", "b")
    assert Parameters(second).rest is None
    assert [*map(Parameters(second).fit, range(4))] == [
        *(False, False, True, False),
    ]
