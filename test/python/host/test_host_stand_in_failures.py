# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fails on the CUDA backend, on a stand-in for the driver: each of its
calls, devices and memory that are not there, and kernels.
"""

import pytest

from support.stand_in_driver import output, run


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
    assert output(program, "version=11000") == ["[1.0, 2.0, 3.0] True"]


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
        "[1.0, 2.0, 3.0]",
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
    # What kernels write is there already: no failure may change it.
    for array in (one, mapped, managed):
        add[1, 32](array, 0)
    three[1, 1](one, few, records[0])
    three[1, 1, stream](cuda.Out(few[:1]), cuda.In(one), records[0])
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


def test_checked_launches_free_what_they_allocate():
    assert output(
        CHECKED
        + """
for fails in True, False:
    start = len(calls())
    try:
        checked[1, 32](there, 1)
    except IndexError:
        print("failed")
    made = calls()[start:]
    print(made.count("cuMemAllocFromPoolAsync"), made.count("cuMemFreeAsync"))
"""
    ) == ["clean True", "failed", "1 1", "clean True", "1 1"]


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


@pytest.mark.parametrize("settings", ["", "async=1"])
def test_kernels_fail_again_after_a_reset(settings):
    """The machine reports each fault, whatever has failed before."""
    result = run(
        """
@cuda.jit
def store_far(a):
    a[10**9] = 1

for device in (0, 1, 0):
    with cuda.gpus[device]:
        there = cuda.to_device(np.zeros(3))
        try:
            store_far[1, 1](there)
            cuda.synchronize()
        except cuda.cudadrv.driver.CudaAPIError as error:
            print(device, error.code)
        cuda.current_context().reset()
add[1, 32](cuda.to_device(np.zeros(3)), 1)
cuda.synchronize()
""",
        ",".join(filter(None, ["devices=2", settings])),
    )
    assert result.stdout.splitlines() == ["0 700", "1 700", "0 700"]
    assert result.stderr.count("PTX machine: no memory of 8 bytes") == 3


def test_a_stream_does_not_wait_for_what_is_queued_elsewhere():
    """Nor does a stream that keeps no order with the default one."""
    assert output(
        """
slow = cuda.to_device(np.zeros(1))
gate = cuda.mapped_array(1, np.int64)
gate[0] = 0

@cuda.jit
def wait(gate, a):
    while gate[0] == 0:
        pass
    a[0] = 1

stream, other, event = cuda.stream(), cuda.stream(), cuda.event()
wait[1, 1, stream](gate, slow)
other.synchronize()
event.record(stream)
event.wait(other)
done = cuda.event()
done.record(other)
print(event.query(), done.query())
gate[0] = 1
other.synchronize()
print(event.query(), done.query(), slow.copy_to_host(stream=stream)[0])
""",
        "async=1",
    ) == ["False False", "True True 1.0"]
