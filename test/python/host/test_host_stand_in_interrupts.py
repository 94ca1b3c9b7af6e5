# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C ends waits for a GPU, on a stand-in for the driver whose work does not
end; the process and the device go on.
"""

import pytest

from support.stand_in_driver import output

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


@pytest.mark.parametrize(
    "end", ["cuda.close()", "cuda.current_context().reset()"]
)
def test_ctrl_c_ends_the_end_of_a_device(end):
    assert output(
        f"""{START}
try:
    {end}
except KeyboardInterrupt:
    took = time.perf_counter() - signals[0]
    print(took < 0.2 or took, "cuDevicePrimaryCtxReset" in calls())
standin.standin_set_busy(0)
{end}
print("cuDevicePrimaryCtxReset" in calls())
print(cuda.to_device(np.ones(2)).copy_to_host().tolist())
"""
    ) == ["True False", "True", "[1.0, 1.0]"]


def test_ctrl_c_ends_a_wait_for_streams_that_keep_no_order():
    assert output(
        f"""{START}
standin.standin_set_busy(2)
cuda.default_stream().synchronize()
try:
    cuda.synchronize()
except KeyboardInterrupt:
    took = time.perf_counter() - signals[0]
    print(took < 0.2 or took)
"""
    ) == ["True"]


def test_what_is_dropped_while_a_kernel_runs_is_freed_later():
    assert output(
        """
pinned, managed = cuda.pinned_array(4), cuda.managed_array(4)
standin.standin_set_busy(1)
before = len(calls())
del pinned, managed
gc.collect()
print([call for call in calls()[before:] if "Free" in call])
standin.standin_set_busy(0)
cuda.synchronize()
print([call for call in calls()[before:] if "Free" in call])
"""
    ) == ["[]", "['cuMemFreeHost', 'cuMemFree']"]


def test_an_interrupted_pinned_block_leaves_nothing_pinned():
    assert output(
        f"""{START}
a = np.zeros(4)
try:
    with cuda.pinned(a):
        pass
except KeyboardInterrupt:
    print("ended", "cuMemHostUnregister" in calls())
standin.standin_set_busy(0)
cuda.synchronize()
print("cuMemHostUnregister" in calls())
with cuda.pinned(a):
    print("again")
"""
    ) == ["ended False", "True", "again"]


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
