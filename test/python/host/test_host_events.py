# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Events mark places in streams, order them and measure the time between."""

import time

import numpy as np
import pytest

from host_kernels import compile_all, copy, double, slow_array, spin
from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError


@pytest.fixture(scope="module", autouse=True)
def compiled():
    compile_all()


@pytest.fixture
def stream():
    return cuda.stream()


def test_event_query(stream):
    event = cuda.event()
    device = slow_array()
    for i in range(3):
        spin[1, 1, stream](device, i)
    event.record(stream)
    assert event.query() is False
    event.synchronize()
    assert event.query() is True
    assert device[0] == 3


def test_an_event_orders_two_streams(stream):
    for i in range(3):
        other, event = cuda.stream(), cuda.event()
        device = slow_array()
        target = cuda.to_device(np.zeros(1, np.int64))
        cuda.synchronize()
        spin[1, 1, stream](device, i)
        event.record(stream)
        event.wait(other)
        copy[1, 1, other](device, target)
        back = target.copy_to_host(stream=other)
        other.synchronize()
        assert back[0] == i + 1


def test_elapsed_time_follows_the_clock(stream):
    start, end = cuda.event(), cuda.event()
    start.record(stream)
    start.synchronize()
    time.sleep(0.1)
    end.record(stream)
    end.synchronize()
    elapsed = start.elapsed_time(end)
    assert isinstance(elapsed, float)
    assert 95 <= elapsed <= 1000
    assert cuda.event_elapsed_time(start, end) == elapsed


def test_elapsed_time_covers_the_kernel(stream):
    device = slow_array()
    start, middle, end = cuda.event(), cuda.event(), cuda.event()
    start.record(stream)
    middle.record(stream)
    clock = time.perf_counter()
    spin[1, 1, stream](device, 1)
    end.record(stream)
    end.synchronize()
    clock = (time.perf_counter() - clock) * 1000
    assert 0 <= start.elapsed_time(middle) < middle.elapsed_time(end)
    assert middle.elapsed_time(end) <= clock + 1


def test_default_stream_events():
    start, end = cuda.event(), cuda.event(timing=True)
    start.record()
    double[1, 4](cuda.to_device(np.arange(4)))
    end.record()
    end.synchronize()
    assert cuda.event_elapsed_time(start, end) >= 0


def test_elapsed_time_needs_timed_and_recorded_events():
    timed, plain = cuda.event(timing=1), cuda.event(timing=0)
    timed.record()
    plain.record()
    cuda.synchronize()
    with pytest.raises(CudaAPIError):
        timed.elapsed_time(plain)
    with pytest.raises(CudaAPIError):
        timed.elapsed_time(cuda.event())
