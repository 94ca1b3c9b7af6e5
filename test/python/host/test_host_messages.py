# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The words of the host API's own errors, each with a call that gives it."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda.errors import CudaDriverError


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
