# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C ends waits for a GPU, on a stand-in for the driver whose work does not
end; the process and the device go on.
"""

import pytest

from stand_in_driver import output

START = """
import signal, threading, time
signals = []
def send():
    signals.append(time.perf_counter())
    os.kill(os.getpid(), signal.SIGINT)
stream = cuda.stream()
event = cuda.event()
there = cuda.to_device(np.arange(3.0))
event.record(stream)
standin.standin_set_busy(1)
timer = threading.Timer(0.1, send)
timer.start()
"""


@pytest.mark.parametrize(
    "wait",
    [
        "stream.synchronize()",
        "event.synchronize()",
        "cuda.synchronize()",
        "cuda.default_stream().synchronize()",
        "there.copy_to_host()",
        "there.copy_to_host(stream=stream)",
        "cuda.to_device(np.zeros(5))",
        "there[1]",
        "add[1, 32](np.zeros(3), 1)",
    ],
)
def test_ctrl_c_ends_a_wait(wait):
    assert output(
        f"""{START}
try:
    {wait}
except KeyboardInterrupt:
    took = time.perf_counter() - signals[0]
    print(took < 0.2 or took)
standin.standin_set_busy(0)
cuda.synchronize()
print(there.copy_to_host().tolist())
"""
    ) == ["True", "[0.0, 1.0, 2.0]"]


def test_other_handlers_let_a_wait_go_on():
    assert output(
        f"""{START}
calls = []
def end(*given):
    calls.append(1)
    standin.standin_set_busy(0)
signal.signal(signal.SIGINT, end)
stream.synchronize()
print(calls)
"""
    ) == ["[1]"]
