# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of the host API's own errors, each with a call that gives it."""

import os
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import CudaDriverError, NumbaTypeSafetyWarning


def array():
    return cuda.to_device(np.arange(12.0).reshape(3, 4))


MASKED = {
    "shape": (1,),
    "typestr": "<f8",
    "data": (8, False),
    "mask": object(),
    "version": 3,
}


def pop_in_another_thread():
    caught = []

    def run():
        try:
            cuda.current_context().pop()
        except CudaDriverError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    raise caught[0]


def copy_without_a_copy():
    array().__array__(copy=False)


def copy_into_what_is_frozen():
    target = np.zeros((3, 4))
    target.flags.writeable = False
    array().copy_to_host(target)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: cuda.from_cuda_array_interface(MASKED),
            NotImplementedError,
            "Masked arrays are not supported",
        ),
        (
            lambda: array()[:, ::2].reshape(6),
            NotImplementedError,
            "reshape needs a contiguous device array; copy it to one first",
        ),
        (
            lambda: next(array().split(2)),
            ValueError,
            "split expects a 1-D array but got 2-D",
        ),
        (
            lambda: array()[[0, 1]],
            NotImplementedError,
            "a device array expects integers, slices, ... and None as indices",
        ),
        (pop_in_another_thread, CudaDriverError, "pop expects a push before"),
        (
            lambda: cuda.to_device([object()]),
            ValueError,
            "an array for a device cannot hold Python objects (dtype object)",
        ),
        (
            lambda: cuda.device_array((2, 3), strides=(-24, 8)),
            ValueError,
            "expects strides of 2 ints >= 0, in bytes, but got (-24, 8)",
        ),
        (
            lambda: cuda.device_array((2**40, 2**40)),
            ValueError,
            "and dtype float64 is larger than any memory",
        ),
        (
            lambda: cuda.device_array(np.array([1.5])),
            TypeError,
            "expects a shape of ints but got an array of float64",
        ),
        (
            lambda: cuda.device_array((2, -3)),
            ValueError,
            "expects a shape of ints >= 0 but got (2, -3)",
        ),
        (
            lambda: cuda.event().elapsed_time(3),
            TypeError,
            "elapsed_time expects an event but got 3",
        ),
        (
            lambda: cuda.event_elapsed_time(3, cuda.event()),
            TypeError,
            "event_elapsed_time expects events but got 3",
        ),
        (
            lambda: cuda.stream().add_callback(5),
            TypeError,
            "add_callback expects a function but got 5",
        ),
        (
            lambda: cuda.external_stream(-1),
            TypeError,
            "external_stream expects the handle of a stream, an int, but got "
            "-1",
        ),
        (
            lambda: cuda.pinned([1.0]).__enter__(),
            TypeError,
            "pinned expects NumPy arrays but got <class 'list'>",
        ),
        (
            lambda: cuda.pinned(array()).__enter__(),
            TypeError,
            "pinned expects NumPy arrays but got <class "
            "'pyk.cuda._arrays.DeviceNDArray'>",
        ),
        (
            lambda: cuda.pinned(np.zeros(4)[::2]).__enter__(),
            ValueError,
            "pinned expects contiguous arrays",
        ),
        (
            lambda: cuda.mapped(np.zeros(1), 5).__enter__(),
            TypeError,
            "mapped expects NumPy arrays but got <class 'int'>",
        ),
        (
            lambda: cuda.mapped(np.zeros(4)[::2]).__enter__(),
            ValueError,
            "mapped expects contiguous arrays",
        ),
        (
            lambda: cuda.to_device(np.zeros(1), to=np.zeros(1)),
            TypeError,
            "to= expects a device array but got <class 'numpy.ndarray'>",
        ),
        (
            copy_without_a_copy,
            ValueError,
            "a device array becomes a NumPy array by a copy only; pass",
        ),
        (
            lambda: next(array()[0].split(0)),
            ValueError,
            "split expects pieces of 1 element or more but got 0",
        ),
        (
            lambda: cuda.from_cuda_array_interface({"shape": (1,)}),
            ValueError,
            "expects shape, typestr and data but lacks typestr, data",
        ),
        (
            lambda: cuda.device_array(4, stream="x"),
            TypeError,
            "expects a stream made by cuda.stream(), or 0, but got 'x'",
        ),
        (
            lambda: cuda.device_array_like(array(), stream="x"),
            TypeError,
            "expects a stream made by cuda.stream(), or 0, but got 'x'",
        ),
        (
            lambda: array().bind("x"),
            TypeError,
            "expects a stream made by cuda.stream(), or 0, but got 'x'",
        ),
        (
            lambda: cuda.mapped(np.zeros(1), stream="x").__enter__(),
            TypeError,
            "expects a stream made by cuda.stream(), or 0, but got 'x'",
        ),
        (
            lambda: cuda.gpus["x"],
            TypeError,
            "the number of a device is an int but got 'x'",
        ),
        (
            lambda: cuda.select_device(0.0),
            TypeError,
            "the number of a device is an int but got 0.0",
        ),
        (
            copy_into_what_is_frozen,
            ValueError,
            "a copy to the host expects a writeable array",
        ),
    ],
)
def test_message(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)


# As a shell may set it; the message is text all the same, and tells the bytes.
def test_a_variable_that_is_no_text():
    program = """
from pyk import cuda
print(cuda.get_current_device().MULTIPROCESSOR_COUNT)
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        env={
            **os.environb,
            b"PYK_CPU_THREADS": b"4\xff",
            b"PYK_TARGET": b"cpu",
        },
    )
    assert rb"'4\xff' is not an integer from 1 to 1024" in done.stderr


@cuda.jit
def method(self, a):
    a[0] = 1


@cuda.jit
def store(a, x):
    a[0] = x


class Frame:
    def __init__(self):
        self.values = np.zeros(2)


class Config:
    def __init__(self):
        self.name = "n"
        self.scale = 2.5


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda a: method[1, 1](a),
            TypeError,
            "; a kernel in a class is no method: put @staticmethod above "
            "@cuda.jit and leave 'self' out",
        ),
        (
            lambda a: store[2.5, 1](a, 1),
            TypeError,
            "; round up with (n + threads - 1) // threads",
        ),
        (
            lambda a: store[-1, 1](a, 1),
            ValueError,
            "; launch nothing for no elements, and compute a number of blocks "
            "as (n + threads - 1) // threads",
        ),
        (
            lambda a: store[1, 1, 128](a, 1),
            TypeError,
            "; bytes of dynamic shared memory come fourth, as in kernel[grid, "
            "block, 0, 128]",
        ),
        (
            lambda a: store[1, 1](a, x=1),
            TypeError,
            "by name; pass it at its place: (a, x)",
        ),
        (
            lambda a: store[1, 1](a, Frame()),
            ValueError,
            "; pass np.asarray(...) of it",
        ),
        (
            lambda a: store[1, 1](memoryview(a), 1),
            ValueError,
            "; pass np.asarray(...) of it",
        ),
        (
            lambda a: store[1, 1](a, b"ab"),
            ValueError,
            "; pass np.frombuffer(..., np.uint8) of it",
        ),
        (
            lambda a: store[1, 1](a, Config()),
            ValueError,
            "; pass what the kernel needs of it, such as its .scale",
        ),
        (
            lambda a: store[1, 1](a.astype(np.longdouble), 1),
            ValueError,
            "; pass a.astype('float64') if it is only read, else create it "
            "with that dtype",
        ),
        (
            lambda a: cuda.syncthreads(),
            RuntimeError,
            "cuda.syncthreads can only be used inside a kernel; the host waits "
            "for kernels by cuda.synchronize()",
        ),
        (
            lambda a: cuda.blockIdx.x * 2,
            RuntimeError,
            "cuda.blockIdx.x can only be used inside a kernel",
        ),
        (
            lambda a: int(cuda.threadIdx.x),
            RuntimeError,
            "cuda.threadIdx.x can only be used inside a kernel",
        ),
        (
            lambda a: cuda.to_device(a) + 1,
            TypeError,
            "a device array has no '+': compute with its elements in a kernel, "
            "or with NumPy on its copy_to_host()",
        ),
        (
            lambda a: cuda.to_device(a).sum(),
            AttributeError,
            "a device array has no attribute 'sum', which NumPy's have: "
            "compute with its elements in a kernel, or with NumPy on its "
            "copy_to_host()",
        ),
    ],
)
def test_what_to_do_instead(call, kind, message):
    with pytest.raises(kind) as caught:
        call(np.zeros(2))
    assert str(caught.value).endswith(message)


def test_device_arrays_beside_arrays_of_numpy():
    """Those have the operator, and take the elements by a copy."""
    a = cuda.to_device(np.arange(3))
    assert (a + np.ones(3)).tolist() == [1, 2, 3]
    assert (np.ones(3) * a).tolist() == [0, 1, 2]
    assert (np.float64(2) * a).tolist() == [0, 2, 4]
    assert not hasattr(a, "sum")
    with pytest.raises(AttributeError, match="has no attribute 'nothing'$"):
        a.nothing  # noqa: B018


def test_number_that_does_not_fit_a_signature():
    kernel = cuda.jit("(int32[:], int32)")(store.py_func)
    a = np.zeros(1, np.int32)
    with pytest.warns(NumbaTypeSafetyWarning) as caught:
        kernel[1, 1](a, 2**40 + 5)
    assert str(caught[0].message) == (
        "argument 'x' of kernel 'store' is 1099511627781, which does not fit "
        "the int32 that is declared; the kernel gets 5"
    )
    assert a[0] == 5
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kernel[1, 1](a, -(2**31))
        kernel[1, 1](a, 2**32 - 1)
    assert a[0] == -1
