# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Eight threads compile and launch at once, and a child process after a fork.

A child has none of its parent's threads: workers, threads of streams, the
watcher of launches and the compiler's helper begin anew there.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
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


# As a free-threaded interpreter says that was told to stay without the GIL.
@pytest.mark.parametrize("enabled", ["True", "False"])
def test_without_the_gil_there_is_one_error(enabled):
    program = f"import sys; sys._is_gil_enabled = lambda: {enabled}; import pyk"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True
    )
    if enabled == "True":
        assert (result.returncode, result.stderr) == (0, "")
        return
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        "ImportError: PyK cannot run without the GIL yet: start Python without "
        "-X gil=0 and PYTHON_GIL=0, and it is switched on for PyK"
    )


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


CAUSE = (
    "PyK: kernels have run in this process; if one stored outside of its "
    "arrays, that may be why it ends here: run it with --check-bounds or "
    "PYK_BOUNDSCHECK=1"
)


# As the C library does when it finds that its heap is damaged.
@pytest.mark.parametrize("death", ["os.abort()", "ctypes.string_at(8)"])
@pytest.mark.parametrize("when", ["never", "before", "after"])
def test_a_crash_after_kernels_says_what_may_be_the_cause(
    tmp_path, death, when
):
    file = tmp_path / "program.py"
    enable = "import faulthandler; faulthandler.enable()"
    file.write_text(f"""
import ctypes, os
import numpy as np
from pyk import cuda
@cuda.jit
def fill(a):
    a[cuda.grid(1)] = 1
{enable if when == "before" else ""}
fill[1, 4](np.zeros(4))
{enable if when == "after" else ""}
{death}
""")
    result = subprocess.run(
        [sys.executable, file], capture_output=True, text=True
    )
    number = signal.SIGABRT if "abort" in death else signal.SIGSEGV
    assert result.returncode == -number
    assert result.stderr.splitlines().count(CAUSE) == 1
    assert ("Fatal Python error" in result.stderr) == (when != "never")


def test_a_crash_without_kernels_says_nothing():
    result = subprocess.run(
        [sys.executable, "-c", "import os; from pyk import cuda; os.abort()"],
        capture_output=True,
        text=True,
    )
    assert (result.returncode, result.stderr) == (-signal.SIGABRT, "")


def test_a_trap_after_kernels_says_nothing(tmp_path):
    file = tmp_path / "program.py"
    file.write_text("""
import signal
import numpy as np
from pyk import cuda
@cuda.jit
def fill(a):
    a[cuda.grid(1)] = 1
fill[1, 4](np.zeros(4))
signal.raise_signal(signal.SIGTRAP)
""")
    result = subprocess.run(
        [sys.executable, file], capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (-signal.SIGTRAP, "")
