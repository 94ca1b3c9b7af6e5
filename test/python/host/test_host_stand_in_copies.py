# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory of host arrays a launch copies to a GPU, and which back.

The driver is a stand-in, on which functions of these programs run as kernels.
"""

from support.stand_in_driver import output

START = """
def view_of(slot, count=6):
    \"\"\"The memory of an array that a kernel gets, as float64.\"\"\"
    return (ctypes.c_double * count).from_address(standin.standin_memory(slot))

def run_as(name):
    \"\"\"Lets a function, which gets slots of parameters, be a kernel.\"\"\"
    def make(function):
        @ctypes.CFUNCTYPE(None, ctypes.POINTER(Launch))
        def run(launch):
            function(launch.contents.arguments)
        kept.append(run)
        standin.standin_set_kernel(name.encode(), run)
    return make

def copies(call):
    before = len(calls())
    call()
    return [name[8:12] for name in calls()[before:] if "Memcpy" in name]

kept, places = [], []

@cuda.jit
def both(a, b):
    a[0] = 1
    b[0] = 2

@cuda.jit
def one(a, b):
    a[0] = b[0]

@run_as("both")
def _(slots):
    places[:] = slots[0][0], slots[1][0]
    a, b = (view_of(place) for place in places)
    a[0] = 7
    b[1] = 8

@run_as("one")
def _(slots):
    view_of(slots[0][0])[0] = 7
"""


def test_an_array_that_is_passed_twice_is_copied_once():
    assert output(
        START
        + """
host = np.zeros(6)
both[1, 1](host, host)
print(copies(lambda: both[1, 1](host, host)), places[0] == places[1])
print(host.tolist())
"""
    ) == [
        "['HtoD', 'DtoH'] True",
        "[7.0, 8.0, 0.0, 0.0, 0.0, 0.0]",
    ]


def test_views_that_overlap_share_a_copy():
    """Each has its place in it; in front and behind nothing is copied."""
    assert output(
        START
        + """
base = np.zeros(10)
both[1, 1](base[1:7], base[3:9])
found = copies(lambda: both[1, 1](base[1:7], base[3:9]))
print(found, places[1] - places[0])
print(base.tolist())
"""
    ) == [
        "['HtoD', 'DtoH', 'DtoH'] 16",
        "[0.0, 7.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0, 0.0]",
    ]


def test_arrays_side_by_side_have_copies_of_their_own():
    assert output(
        START
        + """
base = np.zeros(12)
print(copies(lambda: both[1, 1](base[:6], base[6:])))
print(base.tolist())
"""
    ) == [
        "['HtoD', 'HtoD', 'DtoH', 'DtoH']",
        "[7.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0]",
    ]


def test_an_array_that_is_only_read_is_private():
    """What the kernel writes to it reaches neither host nor other arguments."""
    assert output(
        START
        + """
host = np.zeros(6)
both[1, 1](host, cuda.In(host))
print(copies(lambda: both[1, 1](host, cuda.In(host))), len({*places}))
print(host.tolist())
"""
    ) == [
        "['HtoD', 'HtoD', 'DtoH'] 2",
        "[7.0, 0.0, 0.0, 0.0, 0.0, 0.0]",
    ]


def test_arrays_that_a_kernel_does_not_write_are_not_copied_back():
    assert output(
        START
        + """
a, b = np.zeros(6), np.ones(6)
one[1, 1](a, b)
print(copies(lambda: one[1, 1](a, b)), a[0])
# The kernel that takes nothing for granted of its arrays may write any.
print(copies(lambda: one[1, 1](a, a[:3])))
loose = cuda.jit(assume="none")(one.py_func)
print(copies(lambda: loose[1, 1](a, b)).count("DtoH"))
# An array without elements may begin where one is written.
print(copies(lambda: one[1, 1](a, a[:0])))
"""
    ) == [
        "['HtoD', 'HtoD', 'DtoH'] 7.0",
        "['HtoD', 'DtoH']",
        "2",
        "['HtoD', 'DtoH']",
    ]


def test_what_lies_between_elements_stays_as_it_is():
    """The kernel sees the strides of the host; gaps are not written back."""
    assert output(
        START
        + """
@cuda.jit
def gaps(a, out):
    a[0] = out[0] = a.strides[0]

@run_as("gaps")
def _(slots):
    places[:] = slots[0][0], slots[1][0]
    first = places[0] + min(0, 5 * ctypes.c_int64(places[1]).value)
    view_of(first, 11)[:] = range(100, 111)

for part in (slice(None, None, 2), slice(None, None, -2)):
    base = np.arange(11.0)
    gaps[1, 1](base[part], np.zeros(6))
    print(base.astype(int).tolist(), ctypes.c_int64(places[1]).value)
"""
    ) == [
        "[100, 1, 102, 3, 104, 5, 106, 7, 108, 9, 110] 16",
        "[100, 1, 102, 3, 104, 5, 106, 7, 108, 9, 110] -16",
    ]


def test_large_arrays_of_one_element_take_its_memory_alone():
    assert output(
        START
        + """
a, b = np.zeros(6), np.broadcast_to(np.ones(1), 2**40)
print(copies(lambda: one[1, 1](a, b)), a[0])
"""
    ) == ["['HtoD', 'HtoD', 'DtoH'] 7.0"]


def test_tuples_records_and_unaligned_arrays_share_too():
    assert output(
        START
        + """
@cuda.jit
def mixed(pair, b):
    pair[1][0] = 1
    b[0] = 2

@run_as("mixed")
def _(slots):
    view_of(slots[1][0])[0] += 7

host = np.zeros(6)
mixed[1, 1]((3, host), host)
print(copies(lambda: mixed[1, 1]((3, host), host)), host[0])

@cuda.jit
def records(r, all):
    r.x = all[1].x

@run_as("records")
def _(slots):
    places[:] = slots[0][0], slots[1][0]

many = np.zeros(3, [("x", "f8"), ("n", "i8")])
records[1, 1](many[1], many)
print(copies(lambda: records[1, 1](many[1], many)), places[0] - places[1])

@cuda.jit
def fields(a, b):
    a[0] = 1
    b[0] = 2

@run_as("fields")
def _(slots):
    places[:] = slots[0][0], slots[2][0]

packed = np.zeros(3, [("b", "i1"), ("x", "f8")])["x"]
fields[1, 1](packed, packed)
print(copies(lambda: fields[1, 1](packed, packed)), places[0] == places[1])
"""
    ) == [
        "['HtoD', 'DtoH'] 14.0",
        "['HtoD', 'DtoH'] 16",
        "['HtoD', 'DtoH'] True",
    ]


def test_unaligned_arrays_as_declared():
    """A declared type has alignment: they are copied on the host, too."""
    assert output(
        START
        + """
@cuda.jit("void(float64[::1], float64[::1])")
def both(a, b):
    a[0] = 1
    b[0] = 2

memory = np.zeros(49, np.uint8)
host = memory[1:].view(np.float64)
both[1, 1](host, np.zeros(6))
print(host[0])
host[:] = 0
both[1, 1](cuda.In(host), np.zeros(6))
print(host[0])
"""
    ) == ["7.0", "0.0"]


def test_arrays_are_copied_back_if_the_kernel_raises():
    assert output(
        START
        + """
@cuda.jit(boundscheck=True)
def checked(a, i):
    a[i] = 1

@run_as("checked")
def _(slots):
    view_of(slots[0][0])[0] = 7
    # The record of the failure is the last parameter.
    record = standin.standin_memory(slots[3][0])
    ctypes.c_int32.from_address(record).value = 1

host, out = np.zeros(6), np.full(6, 5.0)
for value in (host, cuda.InOut(host), cuda.In(out)):
    try:
        checked[1, 1](value, 9)
    except IndexError as error:
        print("index" in str(error), host[0], out[0])
    host[0] = 0
"""
    ) == ["True 7.0 5.0", "True 7.0 5.0", "True 0.0 5.0"]


def test_nothing_is_copied_back_if_the_launch_is_refused():
    assert output(
        START
        + """
@cuda.jit(typing="narrow")
def narrow(a, out):
    out[0] = a[0]

out = np.full(6, 5.0)
try:
    narrow[1, 1](np.broadcast_to(np.ones(1), 2**31), cuda.Out(out))
except ValueError as error:
    print("elements" in str(error), out.tolist())
"""
    ) == ["True [5.0, 5.0, 5.0, 5.0, 5.0, 5.0]"]
