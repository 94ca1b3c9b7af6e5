# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which of two devices is current, on a stand-in for the driver."""

from support.stand_in_driver import output


def test_contexts_are_pushed_and_popped():
    lines = output(
        """
def current():
    return cuda.get_current_device().id, cuda.gpus.current.id

first, second = (device.get_primary_context() for device in cuda.gpus)
print(first == cuda.current_context(), first == second, first == first.device)
print(len({first, second, cuda.gpus[0].get_primary_context()}))
second.push()
first.push()
second.push()
print(current())
second.pop()
print(current())
first.pop()
print(current())
second.pop()
print(current())
print(cuda.current_context(1) == second, current())
print(first.device.id, second.device.id, second.handle == first.handle)
with cuda.gpus[0] as entered:
    print(entered == first)
""",
        "devices=2",
    )
    assert lines == [
        "True False False",
        "2",
        "(1, 1)",
        "(0, 0)",
        "(1, 1)",
        "(0, 0)",
        "True (1, 1)",
        "0 1 False",
        "True",
    ]


def test_threads_enter_the_same_object_of_a_device():
    lines = output(
        """
import threading

second = cuda.gpus[1]
entered, left = threading.Event(), threading.Event()

def work():
    cuda.select_device(1)
    with second:
        entered.set()
        left.wait(60)
    print(cuda.get_current_device().id)

thread = threading.Thread(target=work)
with second:
    thread.start()
    entered.wait(60)
    with second:
        pass
    print(cuda.get_current_device().id)
print(cuda.get_current_device().id)
left.set()
thread.join()
print([cuda.gpus[n] == second for n in (0, 1)], len({*cuda.gpus, second}))
""",
        "devices=2",
    )
    assert lines == ["1", "0", "1", "[False, True] 2"]


def test_a_list_of_devices():
    lines = output(
        """
print(cuda.gpus.current, len(cuda.gpus), cuda.gpus)
print(cuda.gpus[:], cuda.gpus[1:], cuda.gpus.lst, list(reversed(cuda.gpus)))
print([device.id for device in cuda.gpus], cuda.gpus[-2].id, cuda.gpus[-1].id)
print(repr(cuda.get_current_device()), cuda.get_current_device())
cuda.select_device(1)
print(cuda.gpus.current, cuda.get_current_device().PCI_BUS_ID >= 0)
cuda.close()
print(cuda.gpus.current, cuda.get_current_device().id)
for wrong in (2, -3):
    try:
        cuda.gpus[wrong]
    except IndexError as error:
        print(error)
""",
        "devices=2",
    )
    both = "[<Managed Device 0>, <Managed Device 1>]"
    name = "Stand-in GPU"
    assert lines == [
        f"None 2 {name} 0, {name} 1",
        f"{both} [<Managed Device 1>] {both} "
        "[<Managed Device 1>, <Managed Device 0>]",
        "[0, 1] 0 1",
        f"<PyK device 0 '{name} 0'> {name} 0",
        "<Managed Device 1> True",
        "None 0",
        "no device 2: this process has 0 to 1; cuda.list_devices() shows them",
        "no device -3: this process has 0 to 1; cuda.list_devices() shows them",
    ]


def test_what_is_printed_of_devices():
    lines = output("print(cuda.detect())", "devices=2")
    assert (lines[0], lines[-1]) == ("Found 2 devices", "True")
    first, second = lines[1:6], lines[6:11]
    for number, told in enumerate((first, second)):
        assert told[0].startswith(f"id {number} ")
        assert told[0].endswith("[GPU]")
        titles = [line.partition(":")[0].strip() for line in told[1:]]
        assert titles == [
            "compute capability",
            "pci device id",
            "pci bus id",
            "UUID",
        ]


def test_streams_and_events_of_another_device():
    lines = output(
        """
event = cuda.event()
with cuda.gpus[1]:
    stream, other = cuda.stream(), cuda.event()
for call in (event.record, event.wait):
    try:
        call(stream)
    except ValueError as error:
        print(error)
other.record(stream)
other.wait(stream)
other.synchronize()
print(other.query(), stream.__cuda_stream__() == (0, int(stream)))
""",
        "devices=2",
    )
    message = (
        "expects a stream of device 0 but got one of device 1; select that "
        "device first"
    )
    assert lines == [message, message, "True True"]


def test_universal_functions_and_the_current_device():
    lines = output(
        """
from pyk import vectorize

@cuda.vectorize(["f8(f8, f8)"])
def add(a, b):
    return a + b

@vectorize(["f8(f8, f8)"])
def add_on_host(a, b):
    return a + b

there = cuda.to_device(np.ones(3))
with cuda.gpus[1]:
    for out in (None, there):
        try:
            add(there if out is None else 1.0, 2.0, out=out)
        except ValueError as error:
            print(error)
    try:
        add_on_host(np.ones(2), np.ones(3))
    except ValueError as error:
        print(error)
    print(repr(cuda.gpus.current), cuda.get_current_device().is_cpu)
""",
        "devices=2",
    )
    assert lines[0] == (
        "an argument of add() is on device 0 but the current one is 1"
    )
    assert "is on device 0 but the kernel is launched on device 1" in lines[1]
    assert lines[2:] == [
        "add_on_host: operands could not be broadcast together with shapes "
        "(2,) (3,)",
        "<Managed Device 1> False",
    ]
