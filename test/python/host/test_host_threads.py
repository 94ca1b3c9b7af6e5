# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many threads compile, launch and copy at once, on streams and without."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from pyk import cuda


@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] + x


def test_many_threads_launch_at_once():
    results, failures = {}, []

    def work(n):
        try:
            stream = cuda.stream()
            device = cuda.to_device(np.full(64, n), stream=stream)
            for _ in range(50):
                add[2, 32, stream](device, 1)
            host = np.full(64, n)
            for _ in range(20):
                add[2, 32](host, 2)
            back = device.copy_to_host(stream=stream)
            stream.synchronize()
            results[n] = set(back.tolist()), set(host.tolist())
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures
    assert results == {n: ({n + 50}, {n + 40}) for n in range(12)}


def test_many_threads_launch_a_kernel_for_the_first_time():
    @cuda.jit
    def fresh(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = a[i] * 3

    start, results = threading.Barrier(8), []

    def work():
        host = np.ones(4)
        start.wait()
        fresh[1, 4](host)
        results.append(host.tolist())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert results == [[3, 3, 3, 3]] * 8


def test_threads_share_a_stream():
    stream = cuda.stream()
    device = cuda.to_device(np.zeros(64, np.int64))
    cuda.synchronize()

    def work():
        for _ in range(100):
            add[2, 32, stream](device, 1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stream.synchronize()
    assert set(device.copy_to_host().tolist()) == {800}


def test_a_thread_that_waits_lets_others_run():
    stream, order = cuda.stream(), []
    released = threading.Event()
    stream.add_callback(lambda *_: released.wait(30))
    thread = threading.Thread(
        target=lambda: (order.append("waits"), stream.synchronize())
    )
    thread.start()
    device = cuda.to_device(np.zeros(4), stream=cuda.stream())
    assert device.shape == (4,)
    order.append("runs")
    released.set()
    thread.join(30)
    assert not thread.is_alive()
    assert sorted(order) == ["runs", "waits"]


EXITS = {
    "callback": "cuda.stream().add_callback(lambda *_: None)",
    "slow callback": "import time\n"
    "cuda.stream().add_callback(lambda *_: time.sleep(0.1))",
    "kernels": "for _ in range(50): fill[1, 4, stream](device, 1)",
    "thread": "import threading\n"
    "threading.Thread(target=lambda: fill[1, 4](device, 1)).start()",
    "managed": "m = cuda.managed_array(4); fill[1, 4, stream](m, 1)",
    "copy": "device.copy_to_host(stream=stream)",
    "event": "event = cuda.event(); event.record(stream)",
    "daemon": "import threading\n"
    "def work():\n"
    "    while True: fill[1, 4](device, 1)\n"
    "threading.Thread(target=work, daemon=True).start()",
    # A thread of the program, in PyK when the interpreter ends.
    "daemon that waits for an endless kernel": "import threading, time\n"
    "endless[1, 1, stream](device)\n"
    "threading.Thread(target=stream.synchronize, daemon=True).start()\n"
    "time.sleep(0.1)",
    "daemon that compiles": "import threading\n"
    "def work():\n"
    "    while True: cuda.jit(lambda a: None).compile('void(float64[:])')\n"
    "threading.Thread(target=work, daemon=True).start()\n"
    "import time; time.sleep(0.3)",
    # It ends, and its stream unloads it, when nobody may ask for the GIL.
    "kernel that only its stream has": "import ctypes, gc, time\n"
    "flag = ctypes.c_double.from_address(\n"
    "    device.__cuda_array_interface__['data'][0])\n"
    "flag.value = 1\n"
    "endless[1, 1, stream](device)\n"
    "del endless\n"
    "gc.collect()\n"
    "class Late:\n"
    "    def __del__(self, flag=flag, sleep=time.sleep):\n"
    "        flag.value = 0\n"
    "        sleep(0.3)\n"
    "late = Late()",
}
PROGRAM = """
import numpy as np
from pyk import cuda

@cuda.jit
def fill(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = x

@cuda.jit
def endless(a):
    while a[0] == 1: a[1] += 1

stream = cuda.stream()
device = cuda.to_device(np.zeros(4))
fill[1, 4](device, 1)
"""


def cases():
    """The names of EXITS; one writes memory of the device as the host's."""
    on_the_cpu = pytest.mark.on_the_cpu(reason="the host cannot write there")
    for name, text in EXITS.items():
        marks = [on_the_cpu] if "from_address" in text else []
        yield pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", cases())
def test_a_program_ends_with_work_queued(name, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + EXITS[name])
    for _ in range(3):
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", program],
            capture_output=True,
            text=True,
            timeout=30,
        )
        assert (done.returncode, done.stderr) == (0, "")


def test_atexit_may_join_a_thread_that_still_works(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import atexit, threading\n"
        # Before PyK's own, so that it runs after that.
        "atexit.register(lambda: (worker.join(), print(device[0])))\n"
        + PROGRAM
        + "go = threading.Event()\n"
        "atexit.register(lambda: None)\n"
        "def work():\n"
        "    go.wait()\n"
        "    for x in range(10): fill[1, 4](device, x)\n"
        "worker = threading.Thread(target=work, daemon=True)\n"
        "worker.start()\n"
        "atexit.register(go.set)\n"
    )
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "9.0\n", "")


def test_a_callback_that_runs_ends_before_its_program(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import threading, time\n" + PROGRAM + "begun = threading.Event()\n"
        "def slow(stream, status, argument):\n"
        "    begun.set()\n"
        "    time.sleep(0.5)\n"
        "    print(argument, flush=True)\n"
        "stream.add_callback(slow, 'done')\n"
        "begun.wait()\n"
    )
    done = subprocess.run(
        [sys.executable, program], capture_output=True, text=True, timeout=30
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
