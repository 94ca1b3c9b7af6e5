# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The CUDA backend from Python down, on a stand-in for the driver."""

from support.places import TESTS
from support.stand_in_driver import output


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
    asking = ["cuEventCreate", "cuCtxRecordEvent", "cuEventQuery"]
    waiting = [*asking, "cuCtxSynchronize", "cuEventDestroy"]
    assert lines == [str(["cuProfilerStart", *waiting, "cuProfilerStop"])]


# No array of others was copied for nothing, nor is any copied back.
def test_refused_arguments_leave_the_others_uncopied():
    lines = output("""
@cuda.jit
def three(a, b, c):
    a[0] = b[0][0]

host = np.arange(6.0)
cuda.synchronize()
before = len(calls())
for third in ([1], (1, {}), np.array([None]), np.zeros(2, ">f4"),
              cuda.In(np.zeros(2, "g")), np.ma.zeros(2)):
    try:
        three[1, 1](host, (host,), third)
    except (NotImplementedError, ValueError) as error:
        print(str(error)[:35])
print([name for name in calls()[before:] if "CtxGet" not in name])
""")
    assert lines == [
        "Cannot determine PyK type of argume",
        "Cannot determine PyK type of argume",
        "Cannot determine PyK type of argume",
        "array argument 'c' has dtype '>f4',",
        "Cannot determine PyK type of argume",
        "Cannot determine PyK type of argume",
        "[]",
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


def test_a_read_only_array_stays_so_on_the_device():
    lines = output("""
host = np.arange(6.0)
add[1, 32](host, 1)
host.flags.writeable = False
before = len(calls())
try:
    add[1, 32](host, 1)
except cuda.errors.CompileError as error:
    print("read-only" in str(error) or "readonly" in str(error))
print([name for name in calls()[before:] if "DtoH" in name])
""")
    assert lines == ["True", "[]"]


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
    assert lines[2] == "(1.0, 4) (1.0, 4)"


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
        "[8.0, 8.0, 8.0] [9.0, 9.0, 9.0]",
        "[1.0, 1.0, 1.0]",
    ]


def test_copies_of_pinned_memory_wait_unless_they_have_a_stream():
    lines = output("""
def waits(call, *arguments, **keywords):
    before = len(calls())
    call(*arguments, **keywords)
    made = [name for name in calls()[before:] if "Memcpy" in name
            or "Synchronize" in name or "EventQuery" in name]
    assert any("Memcpy" in name for name in made)
    return not made[-1].startswith("cuMemcpy")

stream = cuda.stream()
for host in (np.zeros(4), cuda.pinned_array(4)):
    there = cuda.device_array(4)
    print([waits(there.copy_to_device, host, **named)
           for named in ({}, {"stream": stream})],
          [waits(there.copy_to_host, host, **named)
           for named in ({}, {"stream": stream})],
          waits(cuda.to_device, host), waits(cuda.to_device, host, stream),
          waits(there.copy_to_host, stream=stream),
          waits(there[::2].copy_to_host, stream=stream))
""")
    assert lines == [
        "[True, True] [True, True] True True True True",
        "[True, False] [True, False] True False True True",
    ]


def test_arrays_of_another_library():
    """The tutorial with CuPy: the kernel gets the other library's memory."""
    tests = TESTS / "python"
    program = tests / "programs/tutorials/002_add_cupy.py"
    assert output(
        f"""
import runpy
import pyk
sys.path.append({str(tests)!r})
from support import stand_in_cupy as cupy
sys.modules["cupy"] = cupy
pyk.install_as_numba()

@ctypes.CFUNCTYPE(None, ctypes.POINTER(Launch))
def run(launch):
    x, x_size, y, out = launch.contents.arguments[:4]
    assert x_size[0] == 10
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


def test_devices_of_different_chips():
    """Each chip has a kernel of its own, and each kernel is made once."""
    lines = output(
        """
from pyk import _core
from pyk.cuda import _devices

_devices.Device.chip = property(lambda device: f"sm_{80 + 10 * device.id}")
compile = _core.compile

def recording(**options):
    made.append(options["options"]["chip"])
    return compile(**options)

made, _core.compile = [], recording
for _ in range(2):
    for number in (0, 1):
        with cuda.gpus[number]:
            add[1, 32](cuda.to_device(np.zeros(4)), 1)
print(made)
""",
        "devices=2",
    )
    assert lines == ["['sm_80', 'sm_90']"]


def test_array_that_a_kernel_captures_is_on_another_device():
    lines = output(
        """
there = cuda.to_device(np.zeros(4))

@cuda.jit
def put():
    there[0] = 1

put[1, 1]()
with cuda.gpus[1]:
    try:
        put[1, 1]()
    except ValueError as error:
        print(error)
""",
        "devices=2",
    )
    assert lines == [
        "what the kernel captures is on device 0 but the kernel is launched on "
        "device 1"
    ]


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
    except ValueError as error:
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
        "argument 'a' of <class '__main__.Tensor'> cannot be imported by "
        "DLPack: RuntimeError: the exporter's own words",
        "expects a stream of device 0 but got one of device 1; select that "
        "device first",
    ]


def test_shared_memory_of_a_kernel_is_no_local_memory():
    assert output("""
@cuda.jit
def first(a):
    tile = cuda.shared.array(50, np.float32)
    tile[cuda.threadIdx.x] = a[cuda.threadIdx.x]
    cuda.syncthreads()
    a[cuda.threadIdx.x] = tile[0]

first[1, 4](cuda.to_device(np.zeros(4)))
(signature,) = first.signatures
print(first.get_shared_mem_per_block(signature),
      first.get_local_mem_per_thread(signature))
""") == ["200 0"]


# CUDA's numbers are those of a level, of debugging and of lines.
def test_the_driver_is_asked_for_what_a_kernel_is_compiled_with():
    assert output("""
for options in ({}, {"lineinfo": True}, {"debug": True, "opt": False}):
    cuda.jit(**options)(nothing.py_func)[1, 1]()
    print([standin.standin_jit_option(number) for number in (7, 11, 13)])
""") == ["[-1, -1, -1]", "[-1, -1, 1]", "[0, 1, -1]"]


def test_what_a_kernel_needs_is_asked_of_the_driver():
    lines = output("""
add[1, 32](cuda.to_device(np.zeros(4)), 1)
before = len(calls())
(signature,) = add.signatures
print(signature)
print(list(add.get_shared_mem_per_block().values()),
      add.get_max_threads_per_block(signature),
      add.get_regs_per_thread(signature),
      add.get_local_mem_per_thread(signature),
      add.get_const_mem_size(signature))
print(set(calls()[before:]) - {"cuCtxGetCurrent"})
print(".target sm_" in add.inspect_asm(signature))
""")
    assert lines == [
        "(array(float64, 1d, C), int64)",
        "[0] 1024 16 0 0",
        "{'cuFuncGetAttribute'}",
        "True",
    ]
