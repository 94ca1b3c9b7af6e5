# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA backend from Python down, on a stand-in for the driver.

Each program runs in a process of its own, whose driver is test/lib/
StandInDriver: it keeps memory behind device addresses, checks handles, and
fails any call. It runs no kernels, so what is compared is transfers, calls and
errors.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from pyk import _core

PACKAGE = Path(_core.__file__).parent
#: In a build folder the package is python/pyk, in an installation
#: lib/python/pyk.
LIBRARY = next(
    file
    for folder in (PACKAGE.parents[1] / "lib", PACKAGE.parents[1])
    if (file := folder / "libpyk-standin-cuda.so").exists()
)

START = """
import atexit, ctypes, gc, os, sys
import numpy as np
from pyk import cuda
standin = ctypes.CDLL(os.environ["PYK_LIBCUDA"])
standin.standin_call.restype = ctypes.c_char_p
standin.standin_misuses.restype = ctypes.c_char_p

@atexit.register
def no_misuse():
    for misuse in standin.standin_misuses().decode().splitlines():
        # close() takes with it what is alive, and what could not be freed.
        if not misuse.startswith("a context was released with "):
            print(misuse, file=sys.stderr)

class Launch(ctypes.Structure):
    _fields_ = [("sizes", ctypes.c_uint32 * 7),
                ("arguments", ctypes.POINTER(ctypes.POINTER(ctypes.c_uint64)))]

standin.standin_memory.restype = ctypes.c_void_p
standin.standin_memory.argtypes = [ctypes.c_uint64]

def calls():
    found = []
    while (name := standin.standin_call(len(found))) is not None:
        found.append(name.decode())
    return found

@cuda.jit
def add(a, n):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += n

@cuda.jit
def nothing():
    pass
"""


def run(program, settings="", **environment):
    """Runs `program` after START on the stand-in with these settings."""
    # The text of a kernel must lie in a file.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(START + program)
        return subprocess.run(
            [sys.executable, path],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={
                **os.environ,
                "PYK_TARGET": "cuda",
                "PYK_LIBCUDA": str(LIBRARY),
                "PYK_STANDIN": settings,
                **environment,
            },
        )


def output(program, settings="", **environment):
    """The lines that `program` prints; it must not fail."""
    result = run(program, settings, **environment)
    assert result.stderr == ""
    assert result.returncode == 0
    return result.stdout.splitlines()


def test_transfers_of_every_layout():
    assert output("""
matrix = np.arange(60.0).reshape(3, 4, 5)
for host in (matrix, np.asfortranarray(matrix), matrix[0], np.zeros((0, 3))):
    there = cuda.to_device(host)
    assert there.strides == host.strides
    assert there.copy_to_host().tolist() == host.tolist()
there = cuda.to_device(matrix)
for index in (0, -1, (1, 2), (1, 2, 3), slice(1, 3), (..., 2),
              (0, slice(3, 0, -2)), (slice(None, None, -1), None, 1),
              (slice(0, 0),)):
    part = there[index]
    if isinstance(part, cuda.DeviceNDArray):
        part = part.copy_to_host()
    assert np.array_equal(part, matrix[index]), index
for index, value in ((0, 7), ((1, 2), 8.5), ((2, 1, 3), -1), ((..., 2), 9),
                     ((slice(0, 3, 2), slice(3, 0, -2)), 3),
                     ((0, 1), np.arange(5.0)),
                     ((1, 0, slice(None, None, -1)), np.arange(5.0)),
                     ((slice(None, None, -2), 3, slice(None, None, -2)), 6),
                     ((slice(None), 2, slice(1, 3)), 4)):
    there[index] = value
    matrix[index] = value
assert there.copy_to_host().tolist() == matrix.tolist()
other = cuda.device_array_like(matrix)
other.copy_to_device(there)
assert other.copy_to_host().tolist() == matrix.tolist()
into = np.zeros((3, 4, 5))
there.copy_to_host(into)
assert into.tolist() == matrix.tolist()
assert there.T.reshape(60, order="F").copy_to_host().size == 60
print("same", hex(there.device_pointer)[:4])
""") == ["same 0x5a"]


def test_launch_of_a_compiled_kernel_makes_two_calls():
    lines = output("""
there = cuda.to_device(np.zeros(100))
add[1, 32](there, 3)
before = len(calls())
add[2, 64](there, 4)
add[2, 64](there, 5)
print(calls()[before:])
""")
    assert lines == [
        "['cuCtxGetCurrent', 'cuLaunchKernelEx', 'cuCtxGetCurrent', "
        "'cuLaunchKernelEx']"
    ]


def test_profiler_is_told_where_a_block_ends():
    lines = output("""
cuda.synchronize()
before = len(calls())
try:
    with cuda.profiling():
        cuda.synchronize()
        raise KeyError
except KeyError:
    print([name for name in calls()[before:] if "CtxGet" not in name])
""")
    assert lines == [
        "['cuProfilerStart', 'cuCtxSynchronize', 'cuProfilerStop']"
    ]


def test_host_arrays_are_copied_there_and_back():
    lines = output("""
host = np.arange(6.0)
add[1, 32](host, 1)
cuda.synchronize()
before = len(calls())
add[1, 32](host, 1)
add[1, 32](cuda.In(host), 1)
add[1, 32](cuda.Out(host), 1)
print([name for name in calls()[before:] if "Memcpy" in name])
""")
    there, back = "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"
    assert lines == [str([there, back, there, back])]


def test_records_are_copied_there_and_back():
    lines = output("""
@cuda.jit
def change(r):
    r.x = 1

host = np.array([(1, 2), (3, 4)], [("x", "f4"), ("n", "i4")])
change[1, 1](host[1])
before = len(calls())
for record in (host[1], cuda.In(host[1]), cuda.Out(host[0])):
    change[1, 1](record)
print([name for name in calls()[before:] if "Memcpy" in name])
there = cuda.to_device(host[1])
before = len(calls())
change[1, 1](there)
print([name for name in calls()[before:] if "Memcpy" in name])
print(host[1], there.copy_to_host())
""")
    there, back = "cuMemcpyHtoDAsync", "cuMemcpyDtoHAsync"
    assert lines[:2] == [str([there, back, there, back]), "[]"]
    assert lines[2].endswith(" (3.0, 4)")


def test_streams_events_and_pinned_memory():
    assert output("""
stream, other = cuda.stream(), cuda.stream()
pinned = cuda.pinned_array(5, np.int32)
pinned[:] = [1, 2, 3, 4, 5]
there = cuda.to_device(pinned, stream=stream)
event = cuda.event()
event.record(stream)
event.wait(other)
back = cuda.pinned_array_like(pinned)
there.copy_to_host(back, stream=other)
other.synchronize()
add[1, 32, stream, 256](there, 2)
with stream.auto_synchronize():
    pass
print(back.tolist(), event.query())
seen = []
stream.add_callback(lambda *args: seen.append(args[1:]), "x")
stream.synchronize()
print(seen)
mapped = cuda.mapped_array(3)
mapped[:] = 7
add[1, 32](mapped, 1)
managed = cuda.managed_array(3)
managed[:] = 8
add[1, 32](managed, 1)
print(mapped.tolist(), managed.tolist())
with cuda.pinned(np.zeros(3)), cuda.mapped(np.ones(3)) as view:
    print(view.copy_to_host().tolist())
""") == [
        "[1, 2, 3, 4, 5] True",
        "[(0, 'x')]",
        "[7.0, 7.0, 7.0] [8.0, 8.0, 8.0]",
        "[1.0, 1.0, 1.0]",
    ]


def test_arrays_of_another_library():
    """The tutorial with CuPy: the kernel gets the other library's memory."""
    folder = Path(__file__).parent
    program = folder / "tutorials" / "002_add_cupy.py"
    assert output(
        f"""
import runpy
import pyk
sys.path.append({str(folder)!r})
import stand_in_cupy as cupy
sys.modules["cupy"] = cupy
pyk.install_as_numba()

@ctypes.CFUNCTYPE(None, ctypes.POINTER(Launch))
def run(launch):
    x, x_size, y, y_size, out, out_size = launch.contents.arguments[:6]
    assert x_size[0] == y_size[0] == out_size[0] == 10
    x, y, out = ((ctypes.c_int64 * 10).from_address(
        standin.standin_memory(array[0])) for array in (x, y, out))
    out[:] = [a + b for a, b in zip(x, y)]

standin.standin_set_kernel(b"add", run)
runpy.run_path({str(program)!r})
"""
    ) == ["[ 0  3  6  9 12 15 18 21 24 27]"]


def test_two_devices():
    lines = output(
        """
print(len(cuda.gpus), cuda.get_current_device().id)
first = cuda.to_device(np.zeros(3))
with cuda.gpus[1]:
    second = cuda.to_device(np.ones(3))
    stream = cuda.stream()
    print(cuda.get_current_device().id)
    add[1, 32](second, 1)
    add[1, 32, stream](second, 1)
    try:
        add[1, 32](first, 1)
    except ValueError as error:
        print(error)
add[1, 32](first, 1)
try:
    add[1, 32, stream](first, 1)
except ValueError as error:
    print(error)
launcher = add[1, 32]
with cuda.gpus[1]:
    launcher(second, 1)
    held = add[1, 32, stream]
try:
    held(first, 1)
except ValueError as error:
    print(error)
try:
    cuda.select_device(2)
except IndexError as error:
    print(error)
""",
        "devices=2",
    )
    assert lines == [
        "2 0",
        "1",
        "argument 'a' is on device 0 but the kernel is launched on device 1",
        "kernel 'add' is launched on a stream of device 1 but the current "
        "device is 0",
        "kernel 'add' is launched on a stream of device 1 but the current "
        "device is 0",
        "no device 2: this process has 0 to 1; cuda.list_devices() shows them",
    ]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        (
            "devices=0",
            "CudaSupportError: choosing a device: the driver sees no GPU; run "
            "on the CPU with --target=cpu or PYK_TARGET=cpu",
        ),
        ("version=9000", "CudaSupportError: "),
        ("hide=cuMemAlloc", "CudaSupportError: "),
    ],
)
def test_no_device(settings, error):
    result = run("cuda.to_device(np.zeros(3))", settings)
    assert result.returncode == 1
    assert error in result.stderr.splitlines()[-1]
    assert result.stderr.count("  File ") == 1
    automatic = output(
        "print(cuda.get_current_device().is_cpu)", settings, PYK_TARGET="auto"
    )
    assert automatic == ["True"]


def test_old_driver_does_without_pools_and_launch_attributes():
    program = """
there = cuda.to_device(np.arange(3.0))
add[1, 32](there, 1)
print(there.copy_to_host().tolist(), "cuLaunchKernel" in calls())
"""
    assert output(program, "version=11000") == ["[0.0, 1.0, 2.0] True"]


def test_memory_runs_out():
    assert output(
        """
kept = cuda.to_device(np.zeros(1000))
try:
    cuda.device_array(10**7)
except cuda.cudadrv.driver.CudaAPIError as error:
    print(error.code, "cuMemAlloc" in str(error))
print(kept.copy_to_host().sum())
""",
        "memory=10000000",
    ) == ["2 True", "0.0"]


def test_host_memory_of_before_a_reset():
    lines = output("""
held = [make(3) for make in
        (cuda.pinned_array, cuda.mapped_array, cuda.managed_array)]
cuda.close()
print(standin.standin_live())
for array in held:
    try:
        add[1, 32](array, 1)
    except ValueError as error:
        print(error)
add[1, 32](np.zeros(3), 1)
cuda.synchronize()
""")
    message = (
        "argument 'a' is in pinned, mapped or managed memory that was freed "
        "with its device; make a new one"
    )
    assert lines == ["0", message, message, message]


def test_layout_of_a_signature():
    lines = output("""
@cuda.jit("void(float64[::1])")
def declared(a):
    a[0] = 1

host = np.zeros(6)
declared[1, 1](host)
there = cuda.to_device(host)
for value in (host[::2], cuda.In(host[::2]), there[::2]):
    try:
        declared[1, 1](value)
    except TypeError as error:
        print(error)
""")
    message = (
        "kernel 'declared' is declared for (array(float64, 1d, C)) -> none, "
        "not for argument 'a' of type array(float64, 1d, A)"
    )
    assert lines == [message, message, message]


def test_tensors_and_streams_of_other_devices():
    lines = output(
        """
class Tensor:
    def __dlpack_device__(self):
        return 2, 1
    def __dlpack__(self, **options):
        raise RuntimeError("the exporter's own words")

try:
    add[1, 32](Tensor(), 1)
except ValueError as error:
    print(error)
with cuda.gpus[-1]:
    stream = cuda.stream()
    try:
        add[1, 32](Tensor(), 1)
    except RuntimeError as error:
        print(error)
try:
    cuda.device_array(4, stream=stream)
except ValueError as error:
    print(error)
""",
        "devices=2",
    )
    assert lines == [
        "argument 'a' is on device 1 but the kernel is launched on device 0",
        "the exporter's own words",
        "expects a stream of device 0 but got one of device 1; select that "
        "device first",
    ]


def test_reset_frees_everything():
    lines = output("""
there = cuda.to_device(np.arange(3.0))
add[1, 32](there, 1)
cuda.close()
print(standin.standin_live())
try:
    add[1, 32](there, 1)
except ValueError as error:
    print(error)
try:
    there.copy_to_host()
except ValueError as error:
    print(error)
print(there)
again = cuda.to_device(np.arange(3.0))
add[1, 32](again, 1)
print(again.copy_to_host().tolist())
""")
    assert lines == [
        "0",
        "argument 'a' is a device array that was freed, with its device or at "
        "the end of a `with` statement",
        "this device array was freed, with its device or at the end of a "
        "`with` statement; make a new one",
        "<DeviceNDArray, freed>",
        "[0.0, 1.0, 2.0]",
    ]


#: Fails each of the calls that a sequence of work makes, one after the other,
#: and starts again with a new context after each.
EACH_CALL_FAILS = """
@cuda.jit
def three(a, b, record):
    a[0] = b[0]
    record.x = 1

@cuda.jit(boundscheck=True)
def checked(a, n):
    a[cuda.grid(1)] = n

kind = [("x", "f4"), ("n", "i4")]
hosts = [np.arange(8.0), np.array([(1, 2)], kind),
         np.arange(24.0).reshape(2, 3, 4)]
few = np.zeros(4)
unchanged = [host.tobytes() for host in hosts]
CudaAPIError = cuda.cudadrv.driver.CudaAPIError

def work():
    one, records, box = hosts
    stream = cuda.stream()
    pinned = cuda.pinned_array(8)
    there = cuda.to_device(one, stream=stream)
    there[2:6:2] = 1
    mapped, managed = cuda.mapped_array(4), cuda.managed_array(4)
    add[1, 32, stream, 60000](there, 1)
    for array in (one, mapped, managed):
        add[1, 32](array, 1)
    three[1, 1](one, few, records[0])
    three[1, 1, stream](cuda.In(one), cuda.Out(few), records[0])
    checked[1, 8](there, 1)
    start, end = cuda.event(), cuda.event()
    start.record(stream)
    start.wait(stream)
    end.record(stream)
    end.synchronize()
    start.elapsed_time(end)
    end.query()
    there.copy_to_host(pinned, stream=stream)
    stream.synchronize()
    cuda.device_array_like(there).copy_to_device(there)
    inside = cuda.to_device(box)
    inside[0, ::2, ::-1].copy_to_host()
    inside[1, :, 2] = 5
    inside[0, 0, 0]
    with cuda.pinned(few):
        pass
    with cuda.mapped(few) as view:
        view.copy_to_host()
    stream.add_callback(lambda *arguments: None)
    stream.synchronize()
    cuda.current_context().get_memory_info()
    cuda.synchronize()

def attempt(function):
    try:
        function()
    except CudaAPIError as error:
        assert error.code == 999 and "Call to cu" in str(error), error
        return True
    return False

work()
start = len(calls())
work()
names = calls()[start:]
silent = set()
for number, name in enumerate(names, 1):
    standin.standin_fail(b"*", number, 999)
    if not attempt(work):
        silent.add(name)
    assert [host.tobytes() for host in hosts] == unchanged, (number, name)
    # What failed at the end of an object is told by the next wait.
    attempt(cuda.synchronize)
    # Nothing is left behind, and the next attempt succeeds.
    gc.collect()
    cuda.close()
    assert standin.standin_live() == 0, (number, name)
    work()
print(len(names), len({*names}), *sorted(silent))
"""

#: Calls at the end of an object: what they fail with is told by the next wait.
AT_THE_END = {
    *("cuEventDestroy", "cuMemFreeHost", "cuMemHostUnregister"),
    "cuStreamDestroy",
}


def test_each_call_failed_in_turn():
    (line,) = output(EACH_CALL_FAILS)
    count, distinct, *silent = line.split()
    assert int(count) > 100
    assert int(distinct) > 25
    # All others are told where they happen.
    assert {*silent} <= AT_THE_END


def test_lost_context_is_said_until_close():
    """A closed device starts with a new context. That a GPU is usable then is
    more than NVIDIA promises: for such errors it asks for a new process.
    """
    lines = output("""
there = cuda.to_device(np.zeros(3))
stream = cuda.stream()
add[1, 32](there, 1)
standin.standin_fail_work(700)
add[1, 32](there, 1)
for _ in range(2):
    try:
        cuda.synchronize()
    except cuda.cudadrv.driver.CudaAPIError as error:
        print(error.code)
try:
    cuda.to_device(np.zeros(3))
except cuda.cudadrv.driver.CudaAPIError as error:
    print(error.code)
cuda.close()
print(cuda.to_device(np.ones(3)).copy_to_host().tolist())
""")
    assert lines == ["700", "700", "700", "[1.0, 1.0, 1.0]"]


#: A kernel that checks, and a launch that fails as `fails` says: the record is
#: its last parameter.
CHECKED = """
@cuda.jit(boundscheck=True)
def checked(a, n):
    a[cuda.grid(1)] = n

fails = True

@ctypes.CFUNCTYPE(None, ctypes.POINTER(Launch))
def run(launch):
    address = launch.contents.arguments[3][0]
    record = standin.standin_memory(address)
    words = (ctypes.c_int32 * 8).from_address(record)
    values = (ctypes.c_int64 * 2).from_address(record + 32)
    print("clean", not any(words) and not any(values))
    if fails:
        words[:] = [1, 4, 0, 0, 2, 1, 0, 0]
        values[:] = [70, 64]

standin.standin_set_kernel(b"checked", run)
there = cuda.to_device(np.zeros(64))
"""


def test_failure_of_a_thread():
    assert output(
        CHECKED
        + """
for _ in range(2):
    try:
        checked[2, 35](there, 1)
    except IndexError as error:
        text = str(error)
        print(text[text.index("tid"):])
fails = False
checked[2, 35](there, 1)
print("done")
"""
    ) == [
        "clean True",
        "tid=[0, 1, 2] ctaid=[0, 0, 4]: "
        "index 70 is out of bounds for axis 0 of 'a' with size 64",
        "clean True",
        "tid=[0, 1, 2] ctaid=[0, 0, 4]: "
        "index 70 is out of bounds for axis 0 of 'a' with size 64",
        "clean True",
        "done",
    ]


def test_calls_of_a_checked_launch_that_fail():
    program = (
        CHECKED
        + """
fails = False
start = len(calls())
checked[1, 32](there, 1)
print(*calls()[start:])
"""
    )
    clean, names = output(program)
    assert clean == "clean True"
    before = output(CHECKED + "print(*calls())")[0].split()
    needed = {
        *("cuMemAllocFromPoolAsync", "cuMemcpyHtoDAsync"),
        *("cuLaunchKernelEx", "cuMemcpyDtoHAsync"),
    }
    assert needed <= {*names.split()}
    for name in needed:
        result = run(program, f"fail={name}:{before.count(name) + 1}:999")
        assert "CudaAPIError: [999]" in result.stderr, name
