# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Streams order work beside the host; events and callbacks follow it."""

import asyncio
import gc
import linecache
import threading
import time
import warnings

import numpy as np
import pytest

from host_kernels import (
    add,
    closed_gate,
    compile_all,
    copy,
    double,
    slow_array,
    spin,
    wait,
)
from pyk import cuda
from pyk.cuda.errors import OutOfBoundsWarning


@pytest.fixture(scope="module", autouse=True)
def compiled():
    compile_all()


@pytest.fixture
def stream():
    return cuda.stream()


MAKERS = [
    cuda.stream,
    cuda.default_stream,
    cuda.legacy_default_stream,
    cuda.per_thread_default_stream,
]


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_and_copies_on_every_stream(make):
    stream = make()
    device = cuda.to_device(np.arange(100), stream=stream)
    add[4, 32, stream](device, 5)
    back = device.copy_to_host(stream=stream)
    stream.synchronize()
    np.testing.assert_array_equal(back, np.arange(100) + 5)


def test_texts(stream):
    name = cuda.get_current_device().name
    other = cuda.external_stream(stream.handle)
    assert repr(stream) == f"<PyK Stream {stream.handle:#x} on {name}>"
    assert repr(other) == f"<PyK external stream on {name}>"
    for make in MAKERS[1:]:
        kind = make.__name__.replace("_", " ").replace(
            "per thread", "per-thread"
        )
        assert repr(make()) == f"<PyK {kind} on {name}>"
    for each in (stream, other):
        assert each.__cuda_stream__() == (0, stream.handle) == (0, int(each))


def test_external_stream(stream):
    other = cuda.external_stream(np.uint64(stream.handle))
    device = cuda.to_device(np.arange(4), stream=stream)
    double[1, 4, other](device)
    other.synchronize()
    assert device.copy_to_host().tolist() == [0, 2, 4, 6]


@pytest.mark.parametrize("handle", ["a", None, 1.5])
def test_what_is_not_an_external_stream(handle):
    with pytest.raises((TypeError, ValueError)) as caught:
        cuda.external_stream(handle)
    assert "_core" not in str(caught.value)


def test_zero_is_the_default_stream():
    device = cuda.to_device(np.arange(4), stream=0)
    double[1, 4, 0](device)
    assert device.copy_to_host(stream=0).tolist() == [0, 2, 4, 6]


def test_work_of_a_stream_runs_in_order(stream):
    device = cuda.to_device(np.ones(50, np.int64))
    expected = 1
    for i in range(60):
        double[2, 32, stream](device)
        add[2, 32, stream](device, -i)
        expected = expected * 2 - i
    back = device.copy_to_host(stream=stream)
    stream.synchronize()
    assert expected < 2**63
    assert set(back.tolist()) == {expected}


def test_a_launch_returns_before_its_kernel_is_done(stream):
    device = slow_array()
    start = time.perf_counter()
    for i in range(5):
        spin[1, 1, stream](device, i)
    launched = time.perf_counter() - start
    stream.synchronize()
    done = time.perf_counter() - start
    assert device[0] == 5
    assert launched < done / 4


def test_host_arrays_are_complete_when_a_launch_returns(stream):
    host = np.ones(1, np.int64)
    spin[1, 1, stream](host, 41)
    assert host[0] == 42
    device = slow_array()
    spin[1, 1, stream](device, 6)
    copy[1, 1, stream](device, host)
    assert host[0] == 7


def test_out_arrays_are_complete_when_a_launch_returns(stream):
    device, host = slow_array(), np.zeros(1, np.int64)
    spin[1, 1, stream](device, 6)
    copy[1, 1, stream](device, cuda.Out(host))
    assert host[0] == 7


def test_the_default_stream_waits_for_the_others(stream):
    device = slow_array()
    target = cuda.device_array(1, np.int64)
    spin[1, 1, stream](device, 8)
    copy[1, 1](device, target)
    assert target.copy_to_host()[0] == 9


def test_the_others_wait_for_the_default_stream(stream):
    device = slow_array()
    target = cuda.device_array(1, np.int64)
    spin[1, 1](device, 8)
    copy[1, 1, stream](device, target)
    stream.synchronize()
    assert target.copy_to_host()[0] == 9


def test_cuda_synchronize_waits_for_every_stream():
    arrays = [slow_array() for _ in range(3)]
    event = cuda.event()
    for i, array in enumerate(arrays):
        stream = cuda.stream()
        spin[1, 1, stream](array, i)
    event.record(stream)
    cuda.synchronize()
    assert event.query()
    assert [int(array[0]) for array in arrays] == [1, 2, 3]


def test_auto_synchronize(stream):
    device, event = slow_array(), cuda.event()
    with stream.auto_synchronize() as inner:
        assert inner is stream
        spin[1, 1, stream](device, 2)
        event.record(stream)
    assert event.query()
    assert device[0] == 3


def test_auto_synchronize_of_a_block_that_raises(stream):
    device = slow_array()
    event = cuda.event()
    with pytest.raises(KeyError):
        with stream.auto_synchronize():
            spin[1, 1, stream](device, 2)
            event.record(stream)
            raise KeyError
    stream.synchronize()
    assert event.query()


def test_a_dropped_array_outlives_the_work_on_it(stream):
    result = cuda.device_array(1, np.int64)
    for i in range(5):
        device = slow_array()
        spin[1, 1, stream](device, i)
        copy[1, 1, stream](device, result)
        del device
        gc.collect()
        # What is allocated now must not be where the queued work writes.
        fresh = cuda.to_device(np.full(1, -1))
        stream.synchronize()
        assert result[0] == i + 1
        assert fresh[0] == -1


def queue_something_slow(stream):
    stream.add_callback(lambda *_: time.sleep(0.05))


@pytest.mark.parametrize("size", [4, 100_000])
def test_a_host_array_may_change_once_to_device_returned(stream, size):
    # CUDA has staged pageable memory by then.
    queue_something_slow(stream)
    host = np.arange(size)
    device = cuda.to_device(host, stream=stream)
    other = cuda.device_array(size, np.int64)
    host[:] = -1
    host = np.arange(size)
    other.copy_to_device(host, stream=stream)
    host[:] = -1
    stream.synchronize()
    np.testing.assert_array_equal(device.copy_to_host(), np.arange(size))
    np.testing.assert_array_equal(other.copy_to_host(), np.arange(size))


def test_host_arrays_dropped_while_a_copy_is_queued(stream):
    device = cuda.to_device(np.arange(100_000))
    queue_something_slow(stream)
    device.copy_to_host(stream=stream)
    device.copy_to_host(np.zeros(100_000, np.int64), stream=stream)
    made = cuda.to_device(np.arange(100_000) + 1, stream=stream)
    gc.collect()
    others = [np.full(100_000, -1) for _ in range(5)]
    stream.synchronize()
    assert all((other == -1).all() for other in others)
    np.testing.assert_array_equal(made.copy_to_host(), np.arange(100_000) + 1)


def test_an_in_array_may_change_once_the_launch_returned(stream):
    queue_something_slow(stream)
    host, device = np.arange(4), cuda.device_array(4, np.int64)
    copy[1, 4, stream](cuda.In(host), device)
    host[:] = -1
    stream.synchronize()
    assert device.copy_to_host().tolist() == [0, 1, 2, 3]


def test_assignment_to_an_array_bound_to_a_stream(stream):
    device = cuda.to_device(np.zeros(4, np.int64), stream=stream)
    queue_something_slow(stream)
    device[:2] = 5
    device[3] = 7
    double[1, 4, stream](device)
    assert device[3] == 14
    stream.synchronize()
    assert device.copy_to_host().tolist() == [10, 10, 0, 14]


def test_a_dropped_stream_finishes_its_work():
    device = slow_array()
    stream = cuda.stream()
    spin[1, 1, stream](device, 3)
    del stream
    gc.collect()
    cuda.synchronize()
    assert device[0] == 4


def test_callback(stream):
    device, seen = slow_array(), []
    event = cuda.event()

    def callback(which, status, arg):
        seen.append((which, status, arg, threading.current_thread()))

    argument = object()
    spin[1, 1, stream](device, 1)
    event.record(stream)
    stream.add_callback(callback, argument)
    stream.add_callback(callback)
    assert not seen or event.query()
    stream.synchronize()
    (first, status, arg, _), (second, _, nothing, _) = seen
    assert first is stream
    assert second is stream
    assert status == 0
    assert arg is argument
    assert nothing is None


def test_callbacks_run_in_order_with_the_work(stream):
    seen = []
    device = slow_array()
    for i in range(10):
        stream.add_callback(lambda _stream, _status, arg: seen.append(arg), i)
    event = cuda.event()
    spin[1, 1, stream](device, 1)
    event.record(stream)
    stream.add_callback(lambda *_: seen.append(event.query()))
    stream.synchronize()
    assert seen == [*range(10), True]


def test_a_callback_holds_up_what_follows(stream):
    done = cuda.event()
    stream.add_callback(lambda *_: time.sleep(0.2))
    done.record(stream)
    assert not done.query()
    done.synchronize()
    assert done.query()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore:Exception in stream callback")
def test_an_exception_in_a_callback_is_not_the_end(stream, capfd):
    def callback(_stream, _status, _arg):
        raise RuntimeError("from the callback")

    seen = []
    device = cuda.to_device(np.arange(4))
    stream.add_callback(callback)
    stream.add_callback(lambda *_: seen.append(1))
    double[1, 4, stream](device)
    stream.synchronize()
    assert seen == [1]
    assert device.copy_to_host().tolist() == [0, 2, 4, 6]


def test_async_done(stream):
    device = slow_array()

    async def main():
        ticks = []

        async def tick():
            while True:
                ticks.append(1)
                await asyncio.sleep(0.002)

        ticking = asyncio.create_task(tick())
        for i in range(3):
            spin[1, 1, stream](device, i)
        await asyncio.wait_for(stream.async_done(), 30)
        ticking.cancel()
        return len(ticks), device.copy_to_host(stream=stream)

    ticks, back = asyncio.run(main())
    stream.synchronize()
    assert back[0] == 3
    assert ticks > 3


def test_async_done_of_several_streams():
    async def one(n):
        stream = cuda.stream()
        device = cuda.to_device(np.full(8, n), stream=stream)
        double[1, 8, stream](device)
        back = device.copy_to_host(stream=stream)
        await stream.async_done()
        return int(back[7])

    async def main():
        return await asyncio.wait_for(
            asyncio.gather(*[one(n) for n in range(20)]), 30
        )

    assert asyncio.run(main()) == [2 * n for n in range(20)]


class Failing:
    """What the extension has of a stream whose work fails."""

    def __init__(self, failure):
        self.failure = failure
        self.waiting = []

    def add_callback(self, call):
        self.waiting.append(lambda: call(self.failure))

    def run(self):
        for call in self.waiting:
            call()


@pytest.mark.parametrize("failure", [None, "it failed", ""])
def test_callbacks_are_told_of_failures(failure):
    core, seen, argument = Failing(failure), [], object()
    stream = cuda.Stream(core, cuda.get_current_device())
    stream.add_callback(lambda *given: seen.append(given), argument)
    core.run()
    status = 0 if failure is None else 999
    assert seen == [(stream, status, argument)]


@pytest.mark.parametrize("failure", [None, "it failed"])
@pytest.mark.parametrize("is_cancelled", [False, True])
def test_async_done_of_work_that_fails(failure, is_cancelled):
    core, problems = Failing(failure), []
    stream = cuda.Stream(core, cuda.get_current_device())
    loop = asyncio.new_event_loop()
    loop.set_exception_handler(lambda _, context: problems.append(context))
    try:
        # Not in a coroutine of the loop, which therefore is passed.
        future = stream.async_done(loop)
        assert not future.done()
        if is_cancelled:
            future.cancel()
        core.run()
        loop.run_until_complete(asyncio.sleep(0))
        loop.run_until_complete(asyncio.sleep(0))
        assert future.done()
        if is_cancelled:
            assert future.cancelled()
        elif failure:
            with pytest.raises(RuntimeError, match="failed, status 999"):
                future.result()
        else:
            assert future.result() is stream
    finally:
        loop.close()
    assert problems == []


def beyond(name):
    """A kernel that writes behind an array of 4 elements."""
    text = f"@cuda.jit\ndef {name}(x):\n    x[cuda.grid(1) + 2] = 1\n"
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"cuda": cuda}
    exec(compile(text, file, "exec"), scope)
    return scope[name]


def wait_for_an_event(there, stream):
    event = cuda.event()
    event.record(stream)
    event.synchronize()


WAITS = {
    "stream": lambda there, stream: stream.synchronize(),
    "device": lambda there, stream: cuda.synchronize(),
    "event": wait_for_an_event,
    "to_host": lambda there, stream: there.copy_to_host(stream=stream),
    "to_device": lambda there, stream: there.copy_to_device(
        np.zeros(4), stream=stream
    ),
    "rows": lambda there, stream: there[::2].setitem(
        slice(None), np.zeros(2), stream
    ),
    "on_device": lambda there, stream: there.copy_to_device(
        cuda.device_array(4)
    ),
    "launch": lambda there, stream: add[1, 4](there, 1),
}


# A warning is given once for each kernel of a name.
@pytest.mark.on_the_cpu(reason="a GPU does such accesses")
@pytest.mark.parametrize("name", WAITS)
def test_every_wait_brings_all_warnings(stream, name):
    x, there = cuda.device_array(4), cuda.device_array(4)
    kernels = [beyond(f"before_{name}_{count}") for count in range(3)]
    gate, open_gate = closed_gate()
    add[1, 4](there, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        wait[1, 1, stream](open_gate)
        for kernel in kernels:
            kernel[1, 4, stream](x)
    gate[0] = 1
    with pytest.warns(OutOfBoundsWarning) as told:
        WAITS[name](there, stream)
    assert [str(each.message).split()[1] for each in told] == [
        f"'{kernel.__name__}'" for kernel in kernels
    ]
    assert [each.lineno for each in told] == [3] * 3
    assert told[0].filename == f"<before_{name}_0>"
    cuda.synchronize()
    assert x.copy_to_host().tolist() == [0, 0, 1, 1]
