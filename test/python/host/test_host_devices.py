# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices, contexts and their end."""

import copy
import pickle
import re
import subprocess
import sys
import threading

import numpy as np
import pytest

from host_kernels import closed_gate, wait
from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError

PRELUDE = """
import gc
import numpy as np
from pyk import cuda
from pyk.cuda.cudadrv.driver import CudaAPIError

@cuda.jit
def fill(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = x + i

def message_of(call, *args):
    try:
        call(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError("was not refused")
"""


@pytest.fixture
def run(tmp_path):
    """Runs a program in a process of its own and returns what it prints."""

    def running(program):
        file = tmp_path / "program.py"
        file.write_text(PRELUDE + program)
        done = subprocess.run(
            [sys.executable, "-X", "faulthandler", file],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return running


@cuda.jit
def fill(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = x + i


def test_list_of_devices():
    assert cuda.is_available() is True
    assert cuda.cuda_error() is None
    devices = cuda.list_devices()
    assert len(devices) == len(cuda.gpus) >= 1
    assert [device.id for device in devices] == list(range(len(devices)))
    assert len(list(cuda.gpus)) == len(cuda.gpus)
    assert str(len(devices)) in cuda.gpus.__str__() or repr(cuda.gpus)


def test_current_device():
    device = cuda.get_current_device()
    assert device.id == 0
    assert cuda.gpus.current.id == 0
    assert cuda.select_device(0).id == 0
    assert cuda.current_context().device.id == 0
    assert cuda.gpus[0].id == 0
    assert device == cuda.get_current_device()


def test_devices_of_the_list_are_equal():
    first = cuda.gpus[0]
    assert first == cuda.gpus[0] == cuda.gpus[np.int64(-len(cuda.gpus))]
    assert first in cuda.gpus
    assert cuda.gpus.index(cuda.gpus[len(cuda.gpus) - 1]) == len(cuda.gpus) - 1
    assert {first: 5}[cuda.gpus.current] == 5
    assert first != 0
    assert [device == first for device in cuda.gpus.lst].count(True) == 1


@pytest.mark.parametrize("send", [copy.copy, copy.deepcopy, pickle.dumps])
def test_there_is_one_object_of_a_device(send):
    device = cuda.get_current_device()
    found, listed = send(device), send(cuda.gpus[0])
    if send is pickle.dumps:
        found, listed = pickle.loads(found), pickle.loads(listed)
    assert found is device
    assert listed == cuda.gpus[0]


def test_parts_and_texts_of_the_list():
    first, *others = cuda.gpus[:]
    assert first == cuda.gpus[0]
    assert len(others) == len(cuda.gpus) - 1
    assert repr(first) == "<Managed Device 0>"
    names = [device.name for device in cuda.gpus]
    assert str(cuda.gpus) == ", ".join(names)
    device = cuda.get_current_device()
    assert str(device) == names[0]
    assert repr(device) == f"<PyK device 0 '{names[0]}'>"
    with first as context:
        assert context is cuda.current_context()
        assert context.device is device
        assert context != device


def test_threads_have_no_device_before_they_use_one():
    seen = []

    @cuda.require_context
    def required():
        seen.append(cuda.gpus.current == cuda.gpus[0])

    def work():
        seen.append(cuda.gpus.current)
        required()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [None, True]


@pytest.mark.parametrize(
    ("capability", "expected"),
    [((7, 5), False), ((7, 9), False), ((8, 0), True), ((10, 0), True)],
)
def test_capability_says_what_is_supported(monkeypatch, capability, expected):
    device = cuda.get_current_device()
    monkeypatch.setattr(type(device), "compute_capability", capability)
    assert device.supports_bfloat16 is expected
    assert cuda.is_bfloat16_supported() is expected
    assert cuda.is_float16_supported() is True
    assert cuda.is_fp8_supported() is True
    assert device.chip == f"sm_{capability[0]}{capability[1]}"


def test_name_capability_and_uuid():
    device = cuda.get_current_device()
    assert isinstance(device.name, (str, bytes))
    assert device.name
    major, minor = device.compute_capability
    assert type(major) is type(minor) is int
    assert (major, minor) >= (3, 5)
    assert device.COMPUTE_CAPABILITY_MAJOR == major
    assert device.COMPUTE_CAPABILITY_MINOR == minor
    hexadecimal = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
    assert re.fullmatch(f"[A-Z]+-{hexadecimal}", device.uuid)
    assert device.uuid == cuda.select_device(0).uuid


ATTRIBUTES = [
    ("MAX_THREADS_PER_BLOCK", 1024),
    ("MAX_BLOCK_DIM_X", 1024),
    ("MAX_BLOCK_DIM_Y", 1024),
    ("MAX_BLOCK_DIM_Z", 64),
    ("MAX_GRID_DIM_X", 2**31 - 1),
    ("MAX_GRID_DIM_Y", 65535),
    ("MAX_GRID_DIM_Z", 65535),
    ("WARP_SIZE", 32),
    ("TOTAL_CONSTANT_MEMORY", 65536),
]
OTHERS = [
    ("MAX_SHARED_MEMORY_PER_BLOCK", 48 * 1024),
    ("MULTIPROCESSOR_COUNT", 1),
    ("CLOCK_RATE", 0),
    ("MAX_REGISTERS_PER_BLOCK", 1),
    ("MAX_THREADS_PER_MULTIPROCESSOR", 1024),
    ("ASYNC_ENGINE_COUNT", 0),
    ("CONCURRENT_KERNELS", 0),
    ("UNIFIED_ADDRESSING", 0),
    ("MANAGED_MEMORY", 0),
    ("CAN_MAP_HOST_MEMORY", 0),
]


@pytest.mark.parametrize(("name", "value"), ATTRIBUTES)
def test_attributes_that_cuda_fixes(name, value):
    assert getattr(cuda.get_current_device(), name) == value


@pytest.mark.parametrize(("name", "least"), OTHERS)
def test_attributes_that_differ(name, least):
    value = getattr(cuda.get_current_device(), name)
    assert isinstance(value, int)
    assert value >= least


def test_attributes_that_do_not_exist():
    device = cuda.get_current_device()
    with pytest.raises(AttributeError, match="NO_SUCH_ATTRIBUTE"):
        device.NO_SUCH_ATTRIBUTE
    with pytest.raises(AttributeError, match="no_such"):
        device.no_such


def test_supported_types():
    assert cuda.get_current_device().supports_float16 is True


def test_memory_info():
    info = cuda.current_context().get_memory_info()
    free, total = info
    assert (info.free, info.total) == (free, total)
    assert 0 < free <= total
    assert type(info.free) is int


def test_context_of_a_device():
    context = cuda.current_context(0)
    assert context.device.id == 0
    assert cuda.current_context() == context
    context.synchronize()
    context.push()
    context.pop()
    assert cuda.get_current_device().id == 0


def test_with_a_device():
    with cuda.gpus[0]:
        assert cuda.get_current_device().id == 0
        with cuda.gpus[0]:
            device = cuda.to_device(np.zeros(4))
        fill[1, 4](device, 1)
    assert device.copy_to_host().tolist() == [1, 2, 3, 4]
    with pytest.raises(KeyError):
        with cuda.gpus[0]:
            raise KeyError
    assert cuda.get_current_device().id == 0


@pytest.mark.parametrize("index", [99, -1, 2**40])
def test_a_device_that_does_not_exist(index):
    for choose in (cuda.select_device, cuda.current_context):
        with pytest.raises((IndexError, CudaAPIError), match=str(index)):
            choose(index)
    assert cuda.get_current_device().id == 0


def test_an_index_of_gpus_that_does_not_exist():
    with pytest.raises(IndexError, match="99"):
        cuda.gpus[99]
    with pytest.raises(IndexError, match="-99"):
        cuda.gpus[-99]
    assert cuda.gpus[-1].id == len(cuda.gpus) - 1
    with pytest.raises(TypeError):
        cuda.select_device("first")


def test_detect(capsys):
    assert cuda.detect() is True
    text = capsys.readouterr().out
    name = cuda.get_current_device().name
    assert f"Found {len(cuda.gpus)}" in text
    assert (name if isinstance(name, str) else name.decode()) in text
    assert cuda.get_current_device().uuid in text
    lines = text.splitlines()
    kind = "CPU" if cuda.get_current_device().is_cpu else "GPU"
    assert lines[1].endswith(f"[{kind}]")
    major, minor = cuda.get_current_device().compute_capability
    assert lines[2].split(":") == [
        " " * 15 + "compute capability",
        f" {major}.{minor}",
    ]
    assert ("pci bus id" in text) is (kind == "GPU")


def test_require_context():
    @cuda.require_context
    def triple(x, *, offset=0):
        """Says what it does."""
        return 3 * x + offset

    assert triple(2, offset=1) == 7
    assert triple.__name__ == "triple"
    assert triple.__doc__ == "Says what it does."


def test_blocks_for_a_profiler_and_without_cleanup():
    """They run their block once and let its exception through."""
    ran = []
    for block in (cuda.profiling, cuda.defer_cleanup):
        with block(), block():
            ran.append(block)
        with pytest.raises(KeyError), block():
            raise KeyError
    assert ran == [cuda.profiling, cuda.defer_cleanup]
    cuda.profile_start()
    cuda.profile_stop()


def test_every_thread_has_a_current_device():
    found, failures = [], []
    shared = cuda.to_device(np.zeros(4))

    def work():
        try:
            found.append(cuda.get_current_device().id)
            own = cuda.to_device(np.arange(4.0))
            fill[1, 4](shared, 1)
            with cuda.gpus[0]:
                found.append((own.copy_to_host().sum(), own))
        except Exception as error:
            failures.append(error)

    for _ in range(4):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join(30)
    assert not failures
    assert found[::2] == [0] * 4
    assert [total for total, _ in found[1::2]] == [6] * 4
    assert shared.copy_to_host().tolist() == [1, 2, 3, 4]
    assert found[1][1].copy_to_host().tolist() == [0, 1, 2, 3]


ENDS = [
    "cuda.close()",
    "cuda.current_context().reset()",
    "cuda.get_current_device().reset()",
]


@pytest.mark.parametrize("end", ENDS)
def test_kernels_and_new_arrays_work_after_the_end(run, end):
    text = run(
        f"""
host = np.zeros(4)
fill[1, 4](host, 1)
device = cuda.to_device(host)
stream, event = cuda.stream(), cuda.event()
for _ in range(3):
    {end}
    fill[1, 4](host, 5)
    print(host.tolist())
    fresh = cuda.to_device(np.arange(4.0))
    stream = cuda.stream()
    fill[1, 4, stream](fresh, 7)
    print(fresh.copy_to_host(stream=stream).tolist())
"""
    )
    assert (
        text.splitlines()
        == ["[5.0, 6.0, 7.0, 8.0]", "[7.0, 8.0, 9.0, 10.0]"] * 3
    )


USES = [
    "device.copy_to_host()",
    "device.copy_to_host(host)",
    "device.copy_to_device(host)",
    "device[0]",
    "device.__setitem__(0, 1)",
    "device.__setitem__(slice(2), host[:2])",
    "device[1:].copy_to_host()",
    "fill[1, 4](device, 1)",
    "fill[1, 4](part, 1)",
    "cuda.to_device(host, to=device)",
    "cuda.device_array(4).copy_to_device(device)",
    "stream.synchronize()",
    "fill[1, 4, stream](host, 1)",
    "cuda.to_device(host, stream=stream)",
    "event.record()",
    "event.synchronize()",
]


@pytest.mark.parametrize("end", ENDS)
def test_what_was_made_before_the_end_is_refused(run, end):
    """One program for all uses, as each takes a while to start."""
    text = run(
        f"""
host = np.arange(4.0)
device = cuda.to_device(host)
stream, event = cuda.stream(), cuda.event()
event.record()
part = device[1:]
fill[1, 4](device, 1)
{end}
for use in {USES!r}:
    try:
        text = message_of(lambda: eval(use))
    except AssertionError as error:
        text = str(error)
    print(use, "|", text.splitlines()[0])
assert host.tolist() == [0, 1, 2, 3]
del device, stream, event
gc.collect()
fill[1, 4](host, 1)
"""
    )
    lines = dict(line.split(" | ", 1) for line in text.splitlines())
    assert list(lines) == USES
    for use, said in lines.items():
        kind, _, message = said.partition(": ")
        assert kind in (
            *("CudaAPIError", "CudaDriverError", "ValueError", "RuntimeError"),
        ), (use, said)
        assert len(message) > 20, (use, said)
    for use in USES:
        if use.startswith("fill[1, 4]("):
            assert "'a'" in lines[use], (use, lines[use])


@pytest.mark.parametrize("end", ENDS)
def test_the_end_waits_for_work(run, end):
    text = run(
        f"""
import time
seen = []
stream = cuda.stream()
device = cuda.to_device(np.zeros(4))
stream.add_callback(lambda *_: time.sleep(0.1))
fill[1, 4, stream](device, 1)
stream.add_callback(lambda *_: seen.append(1))
{end}
del device, stream
gc.collect()
host = np.zeros(4)
fill[1, 4](host, 1)
print(host.tolist())
"""
    )
    assert text == "[1.0, 2.0, 3.0, 4.0]\n"


# Programs free what they dropped before they ask how much there is.
def test_deallocations_are_done_after_clear():
    free = cuda.current_context().get_memory_info().free
    array = cuda.device_array(1 << 20, np.uint8)
    del array
    cuda.current_context().deallocations.clear()
    gate, open_gate = closed_gate()
    stream, waited = cuda.stream(), []
    wait[1, 1, stream](open_gate)
    clear = threading.Thread(
        target=lambda: (
            cuda.current_context().deallocations.clear(),
            waited.append(gate[0] == 1),
        )
    )
    clear.start()
    clear.join(0.05)
    gate[0] = 1
    clear.join()
    assert waited == [True]
    if not cuda.get_current_device().is_cpu:
        assert cuda.current_context().get_memory_info().free == free


def test_devices_by_their_other_names():
    devices = cuda.cudadrv.devices
    assert devices.gpus is cuda.gpus
    assert devices.get_context() == cuda.current_context()
