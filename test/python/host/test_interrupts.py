# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C ends whatever waits for a kernel or runs one, and the process goes on.

Each program runs in a process of its own, which is sent SIGINT while it is in
the statement after `WAIT`. It measures, on its own clock, how long it took from
the signal to the exception, and then launches again.
"""

import os
import signal
import subprocess
import sys
import time

import pytest

from pyk import cuda

#: Seconds from the signal to the exception.
LIMIT = 0.2

START = """
import os, signal, sys, threading, time
import numpy as np
from pyk import cuda

@cuda.jit
def forever(a):
    while a[0] == 0:
        pass

@cuda.jit
def long_loop(a, n):
    x = a[0]
    for i in range(n):
        x = (x * x + 12345 + i) % 2147483648
    a[cuda.grid(1) % a.size] = x

@cuda.jit
def barriers(a, n):
    t = cuda.threadIdx.x
    for i in range(n):
        a[t] += 1
        cuda.syncthreads()

@cuda.jit
def computes_between_barriers(a, n):
    x = a[0]
    cuda.syncthreads()
    for i in range(n):
        x = (x * x + 12345 + i) % 2147483648
    cuda.syncthreads()
    a[cuda.threadIdx.x] = x

@cuda.jit
def prints(a):
    while a[0] == 0:
        print(a[0])

@cuda.jit
def increment(a):
    cuda.atomic.add(a, 0, 1)

def zeros(n=1):
    return cuda.to_device(np.zeros(n, np.int64))

# Compiled before the signal.
for kernel, *rest in ((long_loop, 1), (barriers, 1),
                      (computes_between_barriers, 1), (increment,)):
    kernel[1, 1](zeros(), *rest)
ones = cuda.to_device(np.ones(1, np.int64))
forever[1, 1](ones)
prints[1, 1](ones)
host = np.zeros(1, np.int64)
forever[1, 1](host + 1)
N = 10**14
stream = cuda.stream()
a = zeros(2048)

class Watch:
    '''Notes when the signal comes, on a thread that is free to see it.'''
    def __init__(self):
        self.read, write = os.pipe()
        os.set_blocking(write, False)
        signal.set_wakeup_fd(write)
        self.at = None
        threading.Thread(target=self.wait, daemon=True).start()
    def wait(self):
        os.read(self.read, 1)
        self.at = time.perf_counter()
"""

END = """
except KeyboardInterrupt:
    took = time.perf_counter()
else:
    print("no interrupt", flush=True)
    sys.exit(1)
while watch.at is None:
    time.sleep(0.001)
print("took", took - watch.at, flush=True)
again = zeros()
increment[1000, 64](again)
increment[10, 64, stream](again)
stream.synchronize()
cuda.synchronize()
print("again", again.copy_to_host()[0], flush=True)
"""


def run(folder, program, before="", marks=1, **environment):
    """Seconds until the statement `program` ended, in a process of its own.

    The signal is sent when that has printed "waiting" `marks` times.
    """
    text = (
        f"{START}\n{before}\nwatch = Watch()\ntry:\n"
        "    print('waiting', flush=True)\n"
        f"    {program}\n{END}"
    )
    file = folder / "program.py"
    file.write_text(text)
    with subprocess.Popen(
        [sys.executable, file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        try:
            wait_for_marks(process, marks)
            # Until it is in the statement.
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
        except BaseException:
            process.kill()
            raise
    assert err == ""
    assert process.returncode == 0, out
    lines = out.splitlines()
    assert lines[-1] == "again 64640"
    (took,) = (line for line in lines if line.startswith("took "))
    return float(took.removeprefix("took "))


def wait_for_marks(process, marks):
    for _ in range(marks):
        assert process.stdout.readline() == "waiting\n", process.stderr.read()


BUSY = "forever[1, 1, stream](a)"

WAITS = {
    "stream": "stream.synchronize()",
    "device": "cuda.synchronize()",
    "default stream": "cuda.default_stream().synchronize()",
    "copy to the host": "a.copy_to_host()",
    "copy to the host on the stream": "a.copy_to_host(stream=stream)",
    "copy to the device": "cuda.to_device(np.zeros(5))",
    "copy to the device on the stream": (
        "cuda.to_device(np.zeros(5), stream=stream)"
    ),
    "event": "event.synchronize()",
    "default stream waits for an event": "event.wait(); increment[1, 1](a)",
    "launch": "increment[1, 1](a)",
    "launch of host memory on the stream": "increment[1, 1, stream](host)",
    "element": "a[0]",
    "close": "cuda.close()",
}


@pytest.mark.parametrize("program", WAITS.values(), ids=WAITS)
def test_while_a_stream_works(tmp_path, program):
    before = f"{BUSY}\nevent = cuda.event(); event.record(stream)"
    assert run(tmp_path, program, before) < LIMIT


LAUNCHES = {
    "one block that waits": "forever[1, 1](a)",
    "one block that waits for host memory": "forever[1, 1](host)",
    "many blocks that wait": "forever[1000, 64](a)",
    "one long thread": "long_loop[1, 1](a, N)",
    "one long block": "long_loop[1, 1024](a, N)",
    "many long blocks": "long_loop[1000, 2](a, 10**8)",
    "many quick blocks": "long_loop[2**24, 32](a, 10**4)",
    "barriers": "barriers[1, 256](a, N)",
    "barriers in many blocks": "barriers[100, 32](a, N)",
    "between barriers": "computes_between_barriers[1, 16](a, N)",
    "between barriers in many blocks": (
        "computes_between_barriers[64, 4](a, N)"
    ),
    "on a stream with host memory": "forever[1, 1, stream](host)",
    "many on a stream": (
        "[long_loop[64, 2, stream](a, 10**8) for _ in range(100)];"
        "stream.synchronize()"
    ),
}


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("program", LAUNCHES.values(), ids=LAUNCHES)
def test_while_a_kernel_runs(tmp_path, program, threads):
    assert run(tmp_path, program, PYK_CPU_THREADS=threads) < LIMIT


LONG = "\n".join(
    [
        "from pyk import _core",
        "def compile_marked(*, compile=_core.compile, **options):",
        "    print('waiting', flush=True)",
        "    return compile(**options)",
        "_core.compile = compile_marked",
        "@cuda.jit",
        "def slow(a):",
        "    x = a[0]",
        *(
            f"    if a[{i}] > {i}:\n        x += a[{i + 1}] * {i}"
            for i in range(3000)
        ),
        "    a[0] = x",
    ]
)


# The process ends while the compiler still works. Whether the compilation
# before it used the thread that is kept makes no difference.
@pytest.mark.parametrize("more", [0, 1])
def test_while_a_kernel_is_compiled(tmp_path, more):
    before = "cuda.jit(increment.py_func)[1, 1](zeros())\n" * more + LONG
    assert run(tmp_path, "slow[1, 1](a)", before, marks=2) < LIMIT


# Destructors of static objects would take from the compiler what it uses.
def test_the_process_ends_at_once_beside_the_compiler(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        f"""{START}
{LONG}
import ctypes
libc = ctypes.CDLL(None)
libc.on_exit(ctypes.cast(libc.abort, ctypes.c_void_p), None)
print('waiting', flush=True)
try:
    slow[1, 1](a)
except KeyboardInterrupt:
    sys.exit(3)
"""
    )
    with subprocess.Popen(
        [sys.executable, file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for_marks(process, 2)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert err == ""
    assert process.returncode == 3


# A program that waits no longer can end, with its own status.
@pytest.mark.parametrize(
    ("program", "marks"),
    [("slow[1, 1](a)", 2), ("forever[1, 1](a)", 1), (f"{BUSY}; a[0]", 1)],
)
def test_an_interrupt_ends_the_process(tmp_path, program, marks):
    file = tmp_path / "program.py"
    file.write_text(
        f"{START}\n{LONG}\nprint('waiting', flush=True)\n{program}\n"
    )
    with subprocess.Popen(
        [sys.executable, file],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_for_marks(process, marks)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert process.returncode == -signal.SIGINT
    assert err.splitlines()[0] == "Traceback (most recent call last):"
    assert err.splitlines()[-1] == "KeyboardInterrupt"


# A handler that raises nothing is called, and the kernel goes on where it was.
def test_other_handlers_run_in_the_middle_of_a_kernel(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(
        f"""{START}
calls = []
signal.signal(signal.SIGALRM, lambda *given: calls.append(1))
signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
for kernel, n, count, result in (
    (long_loop, 1, 5 * 10**8, {expected(5 * 10**8)}),
    (computes_between_barriers, 16, 5 * 10**8, {expected(5 * 10**8)}),
):
    a = zeros(64)
    kernel[1, n](a, count)
    print(len(calls) > 3, a.copy_to_host()[:n].tolist() == [result] * n)
    calls.clear()
"""
    )
    result = subprocess.run(
        [sys.executable, file], capture_output=True, text=True, timeout=60
    )
    assert (result.stdout, result.stderr) == ("True True\n" * 2, "")


def expected(n):
    """What `long_loop` computes of 0 when nothing interrupts it."""

    @cuda.jit
    def loop(a, n):
        x = a[0]
        for i in range(n):
            x = (x * x + 12345 + i) % 2147483648
        a[0] = x

    a = cuda.to_device([0])
    loop[1, 1](a, n)
    return int(a[0])
