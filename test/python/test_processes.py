# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eight threads compile and launch at once, and a child process after a fork.

A child has none of its parent's threads: workers, threads of streams, the
watcher of launches and the compiler's helper begin anew there.
"""

import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

from pyk import cuda


def make(factor):
    """A kernel of its own, which nobody has compiled."""

    @cuda.jit
    def scale(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = a[i] * factor

    return scale


@cuda.jit
def add(a, n):
    i = cuda.grid(1)
    cuda.syncthreads()
    if i < a.size:
        a[i] += n


def everything(factor):
    """Compiles and launches, on the default stream and on one of its own."""
    for dtype in (np.float64, np.int32, np.float32):
        kernel = make(factor)
        a = cuda.to_device(np.ones(3000, dtype))
        kernel[30, 100](a)
        add[30, 100](a, 1)
        stream = cuda.stream()
        kernel[30, 100, stream](a)
        stream.synchronize()
        assert (a.copy_to_host() == factor * (factor + 1)).all()


def test_eight_threads_compile_and_launch():
    failures = []
    start = threading.Barrier(8)

    def work(factor):
        try:
            start.wait()
            everything(factor)
        except BaseException as error:
            failures.append(error)

    threads = [
        threading.Thread(target=work, args=(factor,)) for factor in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not any(thread.is_alive() for thread in threads)
    assert failures == []


def in_child(function, timeout=60):
    """The exit code of a child that was forked to call `function`."""
    child = multiprocessing.get_context("fork").Process(target=function)
    child.start()
    child.join(timeout)
    if child.is_alive():
        child.kill()
        pytest.fail("the child hangs")
    return child.exitcode


def test_a_fork_after_use():
    everything(3)
    assert in_child(lambda: everything(4)) == 0
    everything(5)


def test_a_fork_of_a_fork():
    everything(3)

    def child():
        everything(4)
        os._exit(in_child(lambda: everything(5)))

    assert in_child(child) == 0


def test_a_fork_while_a_stream_works():
    stream = cuda.stream()

    @cuda.jit
    def forever(a):
        while a[0] == 0:
            pass

    flag = cuda.mapped_array(1, np.int64)
    flag[0] = 1
    forever[1, 1](flag)
    flag[0] = 0
    forever[1, 1, stream](cuda.as_cuda_array(flag))
    code = in_child(lambda: everything(4))
    # Ends the kernel of the parent.
    flag[0] = 1
    stream.synchronize()
    assert code == 0


def test_a_fork_while_other_threads_launch():
    stop = threading.Event()

    def launch():
        a = cuda.to_device(np.zeros(3000))
        while not stop.is_set():
            add[30, 100](a, 1)

    threads = [threading.Thread(target=launch) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            assert in_child(lambda: everything(4)) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_child_is_interrupted():
    def child():
        @cuda.jit
        def forever(a):
            while a[0] == 0:
                pass

        signal.signal(signal.SIGALRM, signal.default_int_handler)
        a = cuda.to_device(np.ones(1, np.int64))
        forever[1, 1](a)
        a[0] = 0
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        begin = time.perf_counter()
        try:
            forever[1, 1](a)
        except KeyboardInterrupt:
            everything(4)
            took = time.perf_counter() - begin
            os._exit(0 if took < 10 else 2)
        os._exit(1)

    everything(3)
    assert in_child(child) == 0
