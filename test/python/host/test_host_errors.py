# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input to launches and copies gets one clear error and changes nothing."""

import subprocess
import sys

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError


@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] + x


@cuda.jit
def two(first, second):
    i = cuda.grid(1)
    if i < first.size:
        first[i] = 1
        second[i] = 1


@cuda.jit
def shared(a):
    buffer = cuda.shared.array(0, np.float64)
    i = cuda.threadIdx.x
    buffer[i] = i
    cuda.syncthreads()
    a[i] = buffer[i]


@pytest.fixture
def host():
    """A host array that must be as it was when the test ends."""
    array = np.arange(4.0)
    yield array
    assert array.tolist() == [0, 1, 2, 3]


def one_line(caught):
    """The message, which is not empty and not about the inside."""
    text = str(caught.value)
    assert text
    for word in ("nanobind", "_core", "memref", "std::", "0x7f"):
        assert word not in text
    return text


@pytest.mark.parametrize("count", [0, 1, 3])
def test_wrong_number_of_arguments(host, count):
    with pytest.raises(TypeError, match=f"2 arguments.*{count}") as caught:
        add[1, 4](*[host] * count)
    assert "add" in one_line(caught)


def test_keyword_arguments(host):
    with pytest.raises(TypeError, match="keyword|positional"):
        add[1, 4](host, x=2)


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("text", NotImplementedError),
        ([1.0], NotImplementedError),
        ({1.0}, NotImplementedError),
        ({1: 2}, ValueError),
        (object(), ValueError),
        (2**64, ValueError),
        (-(2**63) - 1, ValueError),
        (np.ma.zeros(3), (ValueError, NotImplementedError)),
        (np.longdouble(1), ValueError),
    ],
    ids=repr,
)
def test_arguments_of_another_kind(host, value, error):
    with pytest.raises(error, match="'x'") as caught:
        add[1, 4](host, value)
    one_line(caught)
    with pytest.raises(error, match="'first'") as caught:
        two[1, 4](value, host)


NO_DTYPES = ["O", "f4,O", "V4", "g", "G", "M8[7D]"]


@pytest.mark.parametrize("dtype", NO_DTYPES)
def test_host_arrays_of_a_dtype_that_kernels_do_not_take(host, dtype):
    other = np.zeros(4, dtype)
    before = other.tobytes()
    with pytest.raises(ValueError, match="'second'") as caught:
        two[1, 4](host, other)
    assert "dtype" in one_line(caught)
    for hint in (cuda.In, cuda.Out, cuda.InOut):
        with pytest.raises(ValueError, match="'second'"):
            two[1, 4](host, hint(other))
    assert other.tobytes() == before


@pytest.mark.parametrize("dtype", ["V4", "M8[7D]"])
def test_device_arrays_of_a_dtype_that_kernels_do_not_take(host, dtype):
    device = cuda.to_device(np.zeros(4, dtype))
    with pytest.raises(ValueError, match="'second'") as caught:
        two[1, 4](host, device)
    assert "dtype" in one_line(caught)
    assert device.copy_to_host().tobytes() == np.zeros(4, dtype).tobytes()


@pytest.mark.parametrize(
    "make",
    [
        lambda: cuda.to_device(np.array([1, None], object)),
        lambda: cuda.to_device(np.zeros(2, "O,i4")),
        lambda: cuda.device_array(3, object),
        lambda: cuda.device_array_like(np.zeros(3, object)),
        lambda: cuda.pinned_array(3, object),
        lambda: cuda.mapped_array(3, object),
        lambda: cuda.managed_array(3, object),
        lambda: cuda.device_array(3, np.int64).view(object),
    ],
    ids=range(8),
)
def test_memory_of_a_device_holds_no_objects(make):
    # Copied back, these would be pointers that nobody counted.
    with pytest.raises((ValueError, TypeError), match="object|reference"):
        make()


@pytest.mark.parametrize("dtype", [">f8", ">i4", ">u2"])
def test_big_endian_arrays(host, dtype):
    other = np.arange(4).astype(dtype)
    with pytest.raises(ValueError, match="'second'") as caught:
        two[1, 4](host, other)
    one_line(caught)
    with pytest.raises(ValueError, match="'second'"):
        two[1, 4](host, cuda.to_device(other))
    assert other.tolist() == [0, 1, 2, 3]


BAD_BLOCKS = [1025, 2048, (32, 33), (1, 1025), (2, 2, 65), (1024, 2)]


@pytest.mark.parametrize("block", BAD_BLOCKS, ids=str)
def test_too_large_a_block(host, block):
    with pytest.raises(CudaAPIError, match=r"block|thread") as caught:
        add[1, block](host, 1)
    assert "1024" in one_line(caught) or "64" in one_line(caught)
    assert caught.value.code == 1
    device = cuda.to_device(host)
    with pytest.raises(CudaAPIError):
        add[1, block, cuda.stream()](device, 1)
    cuda.synchronize()
    assert device.copy_to_host().tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("grid", "block"),
    [
        (0, 4),
        (1, 0),
        ((1, 0), 4),
        (1, (4, 0)),
        (-1, 4),
        (1, -4),
        (1, 2**40),
        (2**31, 4),
        ((1, 65536), 4),
        ((1, 1, 65536), 4),
    ],
    ids=str,
)
def test_a_grid_or_block_that_cannot_be(host, grid, block):
    with pytest.raises(
        (CudaAPIError, ValueError), match="grid|block"
    ) as caught:
        add[grid, block](host, 1)
    one_line(caught)


@pytest.mark.parametrize(
    ("configuration", "error"),
    [
        ((1,), ValueError),
        ((1, 4, 0, 0, 0), ValueError),
        (((1, 1, 1, 1), 4), ValueError),
        ((1, (1, 1, 1, 1)), ValueError),
        ((1.5, 4), TypeError),
        ((1, "4"), TypeError),
        ((None, 4), TypeError),
    ],
    ids=str,
)
def test_configurations(host, configuration, error):
    with pytest.raises(error) as caught:
        add[configuration](host, 1)
    one_line(caught)


@pytest.mark.parametrize("size", [2**20, 2**31, 2**40])
def test_too_much_shared_memory(host, size):
    with pytest.raises((CudaAPIError, ValueError), match="shared") as caught:
        shared[1, 4, 0, size](host)
    one_line(caught)
    with pytest.raises((CudaAPIError, ValueError), match="shared"):
        shared[1, 4, cuda.stream(), size](host)


@pytest.mark.parametrize("size", [-1, 1.5, "8", None])
def test_shared_memory_that_is_no_size(host, size):
    with pytest.raises((TypeError, ValueError, CudaAPIError), match="shared"):
        shared[1, 4, 0, size](host)


def test_static_shared_memory_that_is_too_much(host):
    @cuda.jit
    def k(a):
        buffer = cuda.shared.array(2**20, np.float64)
        buffer[0] = a[0]
        cuda.syncthreads()
        a[0] = buffer[0] + 1

    errors = cuda.errors.NumbaError, CudaAPIError
    with pytest.raises(errors, match="shared") as caught:
        k[1, 1](host)
    one_line(caught)


MAKERS = [
    cuda.device_array,
    cuda.pinned_array,
    cuda.mapped_array,
    cuda.managed_array,
]
NO_STREAMS = ["0", 1.5, object(), [], -1, 12345, np.zeros(1)]


@pytest.mark.parametrize("stream", NO_STREAMS, ids=repr)
def test_what_is_not_a_stream(host, stream):
    device = cuda.to_device(host)
    for call in (
        lambda: add[1, 4, stream](host, 1),
        lambda: add[1, 4, stream](device, 1),
        lambda: cuda.to_device(host, stream=stream),
        lambda: device.copy_to_host(stream=stream),
        lambda: device.copy_to_device(host + 1, stream=stream),
        lambda: cuda.event().record(stream),
    ):
        with pytest.raises((TypeError, ValueError), match="stream"):
            call()
    assert device.copy_to_host().tolist() == [0, 1, 2, 3]


def test_a_mapped_array_after_its_context(host):
    other = np.zeros(4)
    with cuda.mapped(other) as device:
        part = device[1:]
    for array in (device, part):
        with pytest.raises((CudaAPIError, ValueError), match="'a'"):
            add[1, 4](array, 1)
        with pytest.raises((CudaAPIError, ValueError)):
            array.copy_to_host()
    assert other.tolist() == [0] * 4


def test_copies_that_fail_leave_the_host_array(host):
    device = cuda.to_device(np.full(4, 9.0))
    for call, error in (
        (lambda: cuda.to_device(np.zeros(5)).copy_to_host(host), ValueError),
        (
            lambda: cuda.to_device(np.zeros(4, "i8")).copy_to_host(host),
            TypeError,
        ),
        (lambda: device[:2].copy_to_host(host), ValueError),
        (lambda: device.copy_to_device(host[:2]), ValueError),
        (
            lambda: device.copy_to_host([0, 0, 0, 0]),
            (TypeError, AttributeError),
        ),
        (lambda: device.copy_to_device("text"), (TypeError, AttributeError)),
    ):
        with pytest.raises(error):
            call()
    assert device.copy_to_host().tolist() == [9] * 4


def test_copy_to_host_into_a_device_array():
    device = cuda.to_device(np.zeros(4))
    with pytest.raises((TypeError, ValueError)) as caught:
        device.copy_to_host(cuda.device_array(4))
    one_line(caught)


def test_memory_that_cannot_be_had():
    for make in MAKERS:
        with pytest.raises(
            (CudaAPIError, MemoryError), match="memory|allocate"
        ):
            make(2**58, np.uint8)
        with pytest.raises(
            (ValueError, CudaAPIError), match="negative|dimension|shape"
        ):
            make((2, -3))


@pytest.mark.parametrize("make", MAKERS)
def test_a_size_that_does_not_fit_64_bits(make):
    with pytest.raises((ValueError, CudaAPIError, MemoryError)) as caught:
        make((2**40, 2**40))
    one_line(caught)


@pytest.mark.parametrize("strides", [(8,), (48, 16, 8), ()], ids=str)
@pytest.mark.parametrize("make", MAKERS)
def test_strides_of_another_number_of_dimensions(make, strides):
    with pytest.raises(ValueError, match="strides"):
        make((2, 3), strides=strides)


@pytest.mark.parametrize("make", MAKERS)
def test_strides_that_leave_the_memory(make):
    with pytest.raises(ValueError, match="strides"):
        make((2, 3), strides=(-24, 8))


def test_dtypes_and_orders_that_do_not_exist():
    for make in (cuda.device_array, cuda.pinned_array, cuda.managed_array):
        with pytest.raises(TypeError):
            make(3, "no such dtype")
        with pytest.raises(ValueError, match="order|Q"):
            make((2, 3), order="Q")


FAILING = """
import numpy as np
from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError

@cuda.jit(boundscheck=False)
def poke(a, i):
    a[i] = 1.0

device = cuda.to_device(np.zeros(4))
{lines}
try:
    {wait}
except CudaAPIError as error:
    print(error.code, error)
else:
    print("no error")
"""


QUEUED = "s = cuda.stream(); poke[1, 1, s](device, 1 << 44)"


@pytest.mark.parametrize(
    ("lines", "wait"),
    [
        (QUEUED, "s.synchronize()"),
        (QUEUED, "cuda.synchronize()"),
        (QUEUED + "; e = cuda.event(); e.record(s)", "e.synchronize()"),
        (QUEUED, "device.copy_to_host()"),
        (QUEUED, "device.copy_to_host(stream=s); s.synchronize()"),
        ("h = np.zeros(4)", "poke[1, 1](h, 1 << 44)"),
        ("h = np.zeros(4)", "poke[1, 1, cuda.stream()](h, 1 << 44)"),
    ],
)
def test_a_failed_kernel_is_told_when_it_is_waited_for(lines, wait, tmp_path):
    program = tmp_path / "failing.py"
    program.write_text(FAILING.format(lines=lines, wait=wait))
    done = subprocess.run(
        [sys.executable, program],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("700 ")
