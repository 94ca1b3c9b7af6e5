# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a reset leaves: one clear error for memory that is gone, no more."""

import threading
import time
from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import _creation
from pyk.cuda._dispatcher import Dispatcher
from pyk.cuda.errors import CudaAPIError
from support.programs import lines_of, run_program

MAKERS = [cuda.pinned_array, cuda.mapped_array, cuda.managed_array]


@cuda.jit
def add(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += n


@pytest.mark.parametrize("make", MAKERS)
def test_host_memory_of_before_a_reset(make):
    old = make(4)
    old[:] = 1
    part = old[1:]
    copied = old.copy()
    there = cuda.to_device(np.arange(4.0))
    add[1, 32](old, 2)
    cuda.synchronize()
    assert old.tolist() == [3, 3, 3, 3]
    cuda.close()
    there = cuda.to_device(np.arange(4.0))
    message = (
        " is in pinned, mapped or managed memory that was freed with its "
        "device; make a new one"
    )
    for value, name in ((old, "a"), (cuda.In(part), "a"), ((old,), "a[0]")):
        with pytest.raises(ValueError) as caught:
            add[1, 32](value, 1)
        assert str(caught.value) == f"argument '{name}'{message}"
    for call in (
        lambda: cuda.to_device(old),
        lambda: there.copy_to_device(old),
        lambda: there.copy_to_host(old),
        lambda: cuda.pinned(old).__enter__(),
        lambda: cuda.mapped(old).__enter__(),
    ):
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value) == f"this array{message}"
    # A copy is ordinary memory, and new memory is alive.
    add[1, 32](copied, 1)
    assert copied.tolist() == [2, 2, 2, 2]
    new = make(4)
    new[:] = 5
    add[1, 32](new, 1)
    cuda.synchronize()
    assert new.tolist() == [6, 6, 6, 6]
    assert cuda.to_device(new).copy_to_host().tolist() == [6, 6, 6, 6]


def test_reset_within_pinned():
    a = np.zeros(4)
    with cuda.pinned(a):
        cuda.close()
        there = cuda.to_device(a, stream=cuda.stream())
        add[1, 32](there, 1)
        assert there.copy_to_host().tolist() == [1, 1, 1, 1]


def test_exception_within_mapped():
    a, kept = np.zeros(4), []

    def fail():
        with cuda.mapped(a) as there:
            kept.append(there)
            add[1, 32](there, 3)
            raise KeyError("own")

    with pytest.raises(KeyError, match="own"):
        fail()
    assert a.tolist() == [3, 3, 3, 3]
    with pytest.raises(ValueError, match="argument 'a' is a device array that"):
        add[1, 32](kept[0], 1)
    with cuda.mapped(a) as there:
        add[1, 32](there, 1)
    assert a.tolist() == [4, 4, 4, 4]


def test_mapped_empty_array():
    with cuda.mapped(np.zeros((0, 3), np.float32)) as there:
        assert (there.shape, there.dtype) == ((0, 3), np.float32)
        add[1, 32](there.ravel(), 1)
        assert there.copy_to_host().shape == (0, 3)


# A device can be reset after a launch has looked at it.
def test_reset_during_a_launch(monkeypatch):
    there = cuda.to_device(np.zeros(4))
    find = Dispatcher._function_for

    def close_then_find(self, *arguments):
        found = find(self, *arguments)
        cuda.close()
        return found

    monkeypatch.setattr(Dispatcher, "_function_for", close_then_find)
    kernel = cuda.jit(add.py_func)
    with pytest.raises(ValueError, match="argument 'a' is a device array that"):
        kernel[1, 32](there, 1)
    a = np.zeros(4)
    with pytest.raises(CudaAPIError) as caught:
        cuda.jit(add.py_func)[1, 32](a, 1)
    assert str(caught.value) == (
        "[400] launching kernel 'add': a device was reset meanwhile; launch it "
        "again"
    )
    monkeypatch.undo()
    kernel[1, 32](a, 1)
    assert a.tolist() == [1, 1, 1, 1]


# Nor does a reset miss what another thread is making.
def test_arrays_made_beside_a_reset(monkeypatch):
    def close_then_make(*arguments):
        cuda.close()
        return array_at(*arguments)

    array_at = _creation.array_at
    monkeypatch.setattr(_creation, "array_at", close_then_make)
    made = cuda.device_array(4)
    monkeypatch.undo()
    whole = cuda.to_device(np.arange(4.0))
    metadata = whole._meta()[1:]
    cuda.close()
    for freed in (made, whole._view(metadata)):
        with pytest.raises(ValueError, match="this device array was freed"):
            freed.copy_to_host()


# Threads that launch during a reset may fail, but leave nothing that is dead.
def test_launches_beside_resets():
    a = np.zeros(1000)
    add[8, 128](a, 1)
    for _ in range(10):
        ended = threading.Event()

        def work(ended=ended):
            while not ended.is_set():
                try:
                    stream = cuda.stream()
                    there = cuda.to_device(np.zeros(1000))
                    add[8, 128](np.zeros(1000), 1)
                    add[8, 128, stream](there, 1)
                except Exception:
                    pass

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            cuda.close()
        finally:
            ended.set()
            for thread in threads:
                thread.join()
        a[:] = 1
        add[8, 128](a, 1)
        assert set(a.tolist()) == {2}


def test_array_that_a_kernel_captures():
    there = cuda.to_device(np.arange(3.0))

    @cuda.jit
    def k(out):
        out[0] = there[2]

    out = np.zeros(1)
    k[1, 1](out)
    assert out[0] == 2
    cuda.current_context().reset()
    with pytest.raises(ValueError) as caught:
        k[1, 1](out)
    assert str(caught.value) == (
        "what the kernel captures is a device array that was freed, with its "
        "device or at the end of a `with` statement"
    )
    there = cuda.to_device(np.full(3, 7.0))
    k.recompile()
    k[1, 1](out)
    assert out[0] == 7


# The end of a program waits for callbacks, for some seconds.
def test_refused_callback_is_not_waited_for(tmp_path: Path) -> None:
    program = """
    import time
    from pyk import cuda

    stream = cuda.stream()
    cuda.close()
    try:
        stream.add_callback(print)
    except cuda.errors.CudaAPIError:
        print(time.time())
    """
    (end,) = lines_of(run_program(tmp_path, program))
    assert time.time() - float(end) < 4
