# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory of other libraries lives until the work that uses it has ended."""

import gc
import os
import subprocess
import sys
import weakref

import numpy as np
import pytest

from host_kernels import (
    SLOW,
    closed_gate,
    compile_all,
    goes_at_once,
    is_let_go,
    slow_array,
    spin,
    wait,
)
from pyk import cuda
from support.stand_in_driver import output


@pytest.fixture(scope="module", autouse=True)
def compiled():
    compile_all()


class Foreign:
    """An array of another library, in memory of the device."""

    def __init__(self, memory):
        self.memory = memory

    @property
    def __cuda_array_interface__(self):
        return self.memory.__cuda_array_interface__


def foreign():
    """One for `spin`, and what tells whether it is alive."""
    made = Foreign(slow_array())
    return made, weakref.ref(made)


@pytest.mark.parametrize(
    "wrap",
    [
        lambda array: array,
        cuda.as_cuda_array,
        cuda.to_device,
        lambda array: cuda.as_cuda_array(array)[:].reshape(array.memory.shape),
    ],
    ids=["argument", "as_cuda_array", "to_device", "view"],
)
def test_an_argument_lives_until_the_stream_is_done(wrap):
    stream, event = cuda.stream(), cuda.event()
    array, alive = foreign()
    passed = wrap(array)
    gate, there = closed_gate()
    wait[1, 1, stream](there)
    spin[1, 1, stream](passed, 0)
    event.record(stream)
    del array, passed
    gc.collect()
    assert alive() is not None
    assert not event.query()
    gate[0] = 1
    stream.synchronize()
    assert is_let_go(alive)


def test_nothing_is_kept_when_no_work_is_queued():
    array, alive = foreign()
    spin[1, 1](array, 0)
    cuda.synchronize()
    del array
    assert goes_at_once(alive)


def test_what_a_wrapper_refers_to_itself_is_collected():
    array, alive = foreign()
    array.wrapper = cuda.as_cuda_array(array)
    del array
    gc.collect()
    assert goes_at_once(alive)


def test_owners_of_many_launches_are_all_let_go():
    stream = cuda.stream()
    owners = []
    for _ in range(8):
        array, alive = foreign()
        spin[1, 1, stream](cuda.as_cuda_array(array)[:1], 0)
        owners.append(alive)
        del array
    stream.synchronize()
    assert all(map(is_let_go, owners))


PROGRAM = """
import numpy as np
from pyk import cuda
@cuda.jit
def forever(a):
    while a[0] == 0:
        pass
class Foreign:
    def __init__(self):
        self.memory = cuda.to_device(np.zeros(1, np.int64))
    @property
    def __cuda_array_interface__(self):
        return self.memory.__cuda_array_interface__
stream = cuda.stream()
forever[1, 1, stream](Foreign())
print("queued", flush=True)
"""


# The owner is never let go, and nobody may touch the interpreter after its end.
def test_a_process_ends_while_memory_is_in_use():
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONFAULTHANDLER": "1"},
    )
    assert (result.stdout, result.stderr) == ("queued\n", "")
    assert result.returncode == 0


# On a GPU as memory is freed: behind all work that the default stream waits
# for, by a callback of the driver.
def test_on_a_gpu_owners_follow_the_default_stream():
    assert output("""
import weakref
class Foreign:
    def __init__(self):
        self.memory = cuda.to_device(np.zeros(4))
    @property
    def __cuda_array_interface__(self):
        return self.memory.__cuda_array_interface__
stream = cuda.stream()
array = Foreign()
alive = weakref.ref(array)
add[1, 32, stream](array, 1)
before = len(calls())
del array
cuda.synchronize()
for _ in range(1000):
    if alive() is None:
        break
print(alive(), calls().count("cuStreamAddCallback"))
""") == ["None 1"]


def test_what_arrays_in_host_memory_say_of_themselves():
    for make in (cuda.mapped_array, cuda.managed_array):
        array = make((2, 3), np.int32)
        array[:] = 7
        found = array.__cuda_array_interface__
        assert found["stream"] is None
        assert found["shape"] == (2, 3)
        assert found["typestr"] == "<i4"
        assert found["version"] == 3
        assert found["strides"] is None
        assert array[:, 1:].__cuda_array_interface__["strides"] == (12, 4)
        there = cuda.as_cuda_array(array)
        assert found["data"] == (there.device_pointer, False)
        if cuda.get_current_device().is_cpu:
            assert found["data"][0] == array.ctypes.data
        there[0, 1] = 5
        assert array.tolist() == [[7, 5, 7], [7, 7, 7]]
        # As any array of the host.
        copied = cuda.to_device(array)
        copied[0, 0] = 1
        assert array[0, 0] == 7


def test_a_pinned_array_is_none_of_the_device():
    array = cuda.pinned_array(3)
    assert not cuda.is_cuda_array(array)
    with pytest.raises(AttributeError, match="only mapped and managed arrays"):
        array.__cuda_array_interface__  # noqa: B018
    copy = cuda.mapped_array(3) + 1
    assert not cuda.is_cuda_array(copy)


@pytest.mark.parametrize(("value", "waits"), [("0", "False"), ("1", "True")])
def test_the_environment_says_whether_streams_are_waited_for(value, waits):
    program = """
import numpy as np
from pyk import cuda
@cuda.jit
def spin(out):
    for i in range(SLOW):
        out[0] = (out[0] * 5 + i) % 1000003
stream, event = cuda.stream(), cuda.event()
device = cuda.to_device(np.ones(1, np.int64), stream=stream)
spin[1, 1](cuda.to_device(np.ones(1, np.int64)))
spin[1, 1, stream](device)
event.record(stream)
cuda.as_cuda_array(type("Foreign", (), {
    "__cuda_array_interface__": device.__cuda_array_interface__})())
print(event.query())
stream.synchronize()
"""
    result = subprocess.run(
        [sys.executable, "-c", program.replace("SLOW", str(SLOW * 2 // 3))],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "NUMBA_CUDA_ARRAY_INTERFACE_SYNC": value},
    )
    assert (result.stdout, result.stderr) == (f"{waits}\n", "")
