# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries: `__cuda_array_interface__` and DLPack."""

import gc
import weakref

import numpy as np
import pytest

from host_kernels import goes_at_once, spin
from pyk import CompileError, cuda


@cuda.jit
def add(a, x):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = a[i] + x


@cuda.jit
def add_to(a, b):
    i = cuda.grid(1)
    if i < a.size:
        b[i] += a[i]


@cuda.jit
def double2d(a, b):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        b[i, j] = a[i, j] * 2


class Foreign:
    """An array of another library, in the memory of a device array.

    A value of `...` leaves the entry out.
    """

    def __init__(self, device, **entries):
        self.memory = device
        self.interface = {
            "shape": device.shape,
            "typestr": device.dtype.str,
            "data": (device.__cuda_array_interface__["data"][0], False),
            "version": 3,
            "strides": device.__cuda_array_interface__["strides"],
        }
        self.interface.update(entries)
        for key, value in entries.items():
            if value is ...:
                del self.interface[key]

    @property
    def __cuda_array_interface__(self):
        return self.interface


def test_what_device_arrays_say_of_themselves():
    device = cuda.to_device(np.arange(12, dtype=np.int16).reshape(3, 4))
    interface = device.__cuda_array_interface__
    assert interface["shape"] == (3, 4)
    assert interface["typestr"] == "<i2"
    assert interface["version"] == 3
    assert interface["strides"] is None
    pointer, read_only = interface["data"]
    assert type(pointer) is int
    assert pointer != 0
    assert read_only is False
    assert interface.get("stream") is None
    part = device[1:, ::2].__cuda_array_interface__
    assert part["shape"] == (2, 2)
    assert part["strides"] == (8, 4)
    assert part["data"] == (pointer + 8, False)
    assert device.T.__cuda_array_interface__["shape"] == (4, 3)


def test_the_stream_of_a_bound_array_is_told():
    stream = cuda.stream()
    device = cuda.to_device(np.arange(4))
    bound = device.bind(stream)
    assert bound.__cuda_array_interface__["stream"] == int(stream)
    made = cuda.device_array(4, stream=stream)
    assert made.__cuda_array_interface__["stream"] == int(stream)


# Such a stream is 1 there, as 0 would be ambiguous.
def test_the_default_stream_is_told():
    device = cuda.to_device(np.arange(4), stream=cuda.default_stream())
    interface = device.__cuda_array_interface__
    assert interface["stream"] == 1
    again = cuda.from_cuda_array_interface(interface, device)
    assert again.copy_to_host().tolist() == [0, 1, 2, 3]


class OfAnotherLibrary:
    """A stream of another library."""

    def __init__(self, stream):
        self.stream = stream

    def __cuda_stream__(self):
        return 0, int(self.stream)


def test_a_stream_of_another_library_is_told():
    stream = cuda.stream()
    device = cuda.to_device(np.arange(4), stream=OfAnotherLibrary(stream))
    assert device.__cuda_array_interface__["stream"] == int(stream)


@pytest.mark.parametrize(
    "host",
    [
        np.arange(12.0).reshape(3, 4),
        np.zeros((0, 3), np.float32),
        np.array(3, np.int16),
        np.array([(1, 2.5)], [("n", "i4"), ("x", "f4")]),
    ],
)
def test_numpy_makes_an_array_of_it(host):
    device = cuda.to_device(host)
    for made in (np.asarray(device), np.array(device)):
        assert type(made) is np.ndarray
        assert (made.dtype, made.shape) == (host.dtype, host.shape)
        assert made.tolist() == host.tolist()


def test_numpy_makes_an_array_of_another_dtype_or_a_part():
    device = cuda.to_device(np.arange(12.0).reshape(3, 4))
    made = np.asarray(device[:, ::2], np.int8)
    assert made.dtype == np.int8
    assert made.tolist() == [[0, 2], [4, 6], [8, 10]]
    made[0, 0] = 7
    assert device[0, 0] == 0


def test_an_empty_array_has_no_address():
    interface = cuda.device_array((0, 3)).__cuda_array_interface__
    assert interface["data"][0] == 0
    assert interface["shape"] == (0, 3)


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_every_version_is_an_argument(version):
    device = cuda.to_device(np.arange(6.0))
    add[1, 32](Foreign(device, version=version), 10)
    assert device.copy_to_host().tolist() == [10, 11, 12, 13, 14, 15]


@pytest.mark.parametrize(
    "entries",
    [
        {"strides": ...},
        {"strides": (8,)},
        {"strides": None},
        {"mask": None},
        {"stream": None},
        {"stream": 1},
        {"stream": 2},
        {"descr": [("", "<f8")]},
    ],
    ids=str,
)
def test_optional_entries(entries):
    device = cuda.to_device(np.arange(6.0))
    foreign = Foreign(device, **entries)
    add[1, 32](foreign, 10)
    assert cuda.as_cuda_array(foreign).copy_to_host()[5] == 15


@pytest.mark.parametrize("key", [np.s_[:, 1:3], np.s_[::2, ::2], np.s_[1:]])
def test_strides(key):
    host = np.arange(20.0).reshape(4, 5)
    device, out = cuda.to_device(host), np.zeros_like(host[key])
    double2d[1, (8, 8)](Foreign(device[key]), out)
    np.testing.assert_array_equal(out, host[key] * 2)
    double2d[1, (8, 8)](Foreign(device.T[key]), np.zeros_like(host.T[key]))
    part = cuda.as_cuda_array(Foreign(device[key]))
    assert part.strides == host[key].strides
    np.testing.assert_array_equal(part.copy_to_host(), host[key])


@pytest.mark.parametrize(
    "view",
    [
        *(lambda a: a, lambda a: a.T, lambda a: a[1], lambda a: a[:, 1]),
        *(lambda a: a[:, 1:3], lambda a: a[::2], lambda a: a.T[1:, ::2]),
        *(lambda a: a[:1], lambda a: a[:, :1], lambda a: a.T[1:2].T),
    ],
    ids=range(10),
)
def test_interface_keeps_the_layout(view):
    """A consumer of `__cuda_array_interface__` finds each element."""
    for order in "CF":
        host = np.array(np.arange(20.0).reshape(4, 5), order=order)
        device = view(cuda.to_device(host))
        taken = cuda.from_cuda_array_interface(device.__cuda_array_interface__)
        assert (taken.shape, taken.dtype) == (device.shape, device.dtype)
        np.testing.assert_array_equal(taken.copy_to_host(), view(host))


@pytest.mark.parametrize("dtype", ["?", "u1", "f2", "c8", "c16", "M8[s]", "V8"])
def test_dtypes(dtype):
    host = np.arange(24, dtype="u1").view("V8" if dtype == "V8" else "u1")
    host = host if dtype == "V8" else (np.arange(6) % 2).astype(dtype)
    array = cuda.as_cuda_array(Foreign(cuda.to_device(host)))
    assert array.dtype == host.dtype
    assert array.copy_to_host().tobytes() == host.tobytes()


@pytest.mark.parametrize("version", [1, 2, 3])
def test_masks_are_refused(version):
    device = cuda.to_device(np.arange(6.0))
    foreign = Foreign(device, version=version, mask=device)
    with pytest.raises(NotImplementedError, match=r"[Mm]ask"):
        cuda.as_cuda_array(foreign)
    with pytest.raises(NotImplementedError, match=r"[Mm]ask"):
        add[1, 32](foreign, 1)
    assert device.copy_to_host().tolist() == [0, 1, 2, 3, 4, 5]


def test_stream_zero_is_refused():
    device = cuda.to_device(np.arange(6.0))
    foreign = Foreign(device, stream=0)
    with pytest.raises(ValueError, match="stream"):
        cuda.as_cuda_array(foreign)
    with pytest.raises(ValueError, match="stream"):
        add[1, 32](foreign, 1)
    assert device.copy_to_host().tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("missing", ["shape", "typestr", "data"])
def test_an_incomplete_interface(missing):
    foreign = Foreign(cuda.to_device(np.arange(6.0)), **{missing: ...})
    for use in (cuda.as_cuda_array, lambda f: add[1, 32](f, 1)):
        with pytest.raises((KeyError, ValueError, TypeError), match=missing):
            use(foreign)


def test_an_address_of_zero_is_for_empty_arrays():
    device = cuda.to_device(np.arange(6.0))
    empty = Foreign(device, shape=(0, 3), data=(0, False))
    assert cuda.as_cuda_array(empty).copy_to_host().shape == (0, 3)
    for use in (cuda.as_cuda_array, lambda f: add[1, 32](f, 1)):
        with pytest.raises((ValueError, TypeError)):
            use(Foreign(device, data=(0, False)))


def test_objects_are_in_no_memory_of_a_device():
    device = cuda.to_device(np.arange(6))
    with pytest.raises((ValueError, TypeError), match="object"):
        cuda.as_cuda_array(Foreign(device, typestr="|O"))


def test_big_endian_interface_is_no_argument():
    device = cuda.to_device(np.arange(6.0))
    with pytest.raises(ValueError, match="'a'"):
        add[1, 32](Foreign(device, typestr=">f8"), 1)
    assert device.copy_to_host().tolist() == [0, 1, 2, 3, 4, 5]


def test_its_stream_is_waited_for():
    stream = cuda.stream()
    device = cuda.to_device(np.ones(1, np.int64))
    spin[1, 1, stream](device, 1)
    cuda.synchronize()
    event = cuda.event()
    for sync in (True, False):
        for i in range(3):
            spin[1, 1, stream](device, i)
        event.record(stream)
        foreign = Foreign(device, stream=int(stream))
        array = cuda.as_cuda_array(foreign, sync=sync)
        assert event.query() is sync
        assert array.__cuda_array_interface__["stream"] == int(stream)
        stream.synchronize()
    for i in range(3):
        spin[1, 1, stream](device, i)
    event.record(stream)
    add[1, 1, cuda.stream()](Foreign(device, stream=int(stream)), 100)
    assert event.query()
    cuda.synchronize()
    assert device[0] == 103


def test_as_cuda_array_shares_memory_and_keeps_its_owner():
    device = cuda.to_device(np.arange(6.0))
    foreign = Foreign(device)
    alive = weakref.ref(foreign)
    array = cuda.as_cuda_array(foreign)
    array[0] = 9
    assert device[0] == 9
    part = array[2:]
    del foreign, array
    gc.collect()
    assert alive() is not None
    assert part[0] == 2
    del part
    gc.collect()
    assert goes_at_once(alive)


def test_from_cuda_array_interface():
    device = cuda.to_device(np.arange(6.0))
    owner = Foreign(device)
    array = cuda.from_cuda_array_interface(owner.interface, owner=owner)
    assert array.copy_to_host().tolist() == [0, 1, 2, 3, 4, 5]
    assert (array.shape, array.dtype) == ((6,), np.float64)
    again = cuda.from_cuda_array_interface(device.__cuda_array_interface__)
    again[1] = -1
    assert device[1] == -1
    assert cuda.from_cuda_array_interface(owner.interface, sync=False)[2] == 2


def test_is_cuda_array():
    device = cuda.to_device(np.arange(6.0))
    assert cuda.is_cuda_array(device) is True
    assert cuda.is_cuda_array(Foreign(device)) is True
    assert cuda.is_cuda_array(np.arange(6.0)) is False
    assert cuda.is_cuda_array(None) is False
    with pytest.raises(TypeError, match="cuda array interface"):
        cuda.as_cuda_array(np.arange(6.0))


def test_foreign_arrays_are_copied_and_assigned():
    foreign = Foreign(cuda.to_device(np.arange(6.0)))
    device = cuda.to_device(np.zeros(6))
    device[:] = foreign
    assert device.copy_to_host().tolist() == [0, 1, 2, 3, 4, 5]
    shared = cuda.to_device(foreign)
    shared[0] = 7
    assert foreign.memory[0] == 7


class Exporter:
    """An array of another library that speaks DLPack only."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        options.pop("stream", None)
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


#: NumPy 2.2 lends every array as read-only in DLPack 1.0.
lends_for_writing = pytest.mark.skipif(
    not np.from_dlpack(np.zeros(1)).flags.writeable,
    reason="this NumPy lends every array as read-only",
)


class OldExporter(Exporter):
    """One from before DLPack 1.0."""

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


EXPORTERS = [pytest.param(Exporter, marks=lends_for_writing), OldExporter]

# Such memory is the host's, which a GPU does not reach.
on_the_cpu = pytest.mark.skipif(
    "SIMULATOR" not in str(cuda.get_current_device().name)
    and not getattr(cuda.get_current_device(), "is_cpu", False),
    reason="the arrays are in memory of the host",
)


@on_the_cpu
@pytest.mark.parametrize("exporter", EXPORTERS)
@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "u8", "f2", "f4", "f8"])
def test_dlpack_arguments(exporter, dtype):
    host = np.arange(6).astype(dtype)
    add[1, 32](exporter(host), 10)
    cuda.synchronize()
    assert host.tolist() == [10, 11, 12, 13, 14, 15]
    add[1, 32](exporter(host[::2]), 1)
    cuda.synchronize()
    assert host.tolist() == [11, 11, 13, 13, 15, 15]


@on_the_cpu
@pytest.mark.parametrize("exporter", EXPORTERS)
def test_dlpack_of_two_dimensions(exporter):
    for host in (
        np.arange(12.0).reshape(3, 4),
        np.arange(12.0).reshape(4, 3).T,
        np.arange(48.0).reshape(6, 8)[::2, ::2],
    ):
        out = np.zeros(host.shape)
        double2d[1, (8, 8)](exporter(host), exporter(out))
        cuda.synchronize()
        np.testing.assert_array_equal(out, host * 2)


@on_the_cpu
@lends_for_writing
def test_dlpack_arguments_are_let_go():
    stream = cuda.stream()
    for exporter in (Exporter, OldExporter):
        host = np.arange(6.0)
        alive = weakref.ref(host)
        add[1, 32, stream](exporter(host), 1)
        stream.synchronize()
        del host
        gc.collect()
        assert alive() is None


@on_the_cpu
@lends_for_writing
def test_what_is_read_only_cannot_be_written():
    device = cuda.to_device(np.arange(6.0))
    data = device.__cuda_array_interface__["data"][0], True
    foreign = Foreign(device, data=data)
    b = np.zeros(6)
    for array in (foreign, cuda.as_cuda_array(foreign)):
        with pytest.raises(
            CompileError,
            match="expects an array that can be written but got readonly ",
        ):
            add[1, 8](array, 1)
        add_to[1, 8](array, b)
    np.testing.assert_array_equal(b, 2 * np.arange(6.0))
    array = cuda.as_cuda_array(foreign)
    assert array.__cuda_array_interface__["data"] == data
    assert array[1:].copy_to_host().tolist() == [1, 2, 3, 4, 5]
    message = "lets nobody write .* cannot be written"
    with pytest.raises(ValueError, match=message):
        array[2] = 5
    with pytest.raises(ValueError, match=message):
        array[1:].copy_to_device(np.zeros(5))
    with pytest.raises(ValueError, match=message):
        array.reshape(2, 3).copy_to_device(cuda.to_device(np.zeros((2, 3))))
    with pytest.raises(ValueError, match=message):
        cuda.to_device(np.zeros(6), to=array)
    assert device.copy_to_host().tolist() == [*range(6)]


@lends_for_writing
def test_dlpack_comes_before_the_array_interface():
    class Both(Exporter):
        @property
        def __cuda_array_interface__(self):
            raise AssertionError("was asked for the array interface")

    host = np.arange(6.0)
    add[1, 32](Both(host), 1)
    cuda.synchronize()
    assert host.tolist() == [1, 2, 3, 4, 5, 6]


@on_the_cpu
def test_dlpack_of_a_read_only_array_is_not_written():
    host = np.arange(6.0)
    host.flags.writeable = False
    with pytest.raises(CompileError, match=r"(?i)read-?\s?only"):
        add[1, 32](Exporter(host), 1)
    assert host.tolist() == [0, 1, 2, 3, 4, 5]


def test_dlpack_that_fails():
    class Broken:
        def __dlpack__(self, **_options):
            raise BufferError("cannot export")

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(
        (BufferError, ValueError, TypeError), match="export|'a'"
    ):
        add[1, 32](Broken(), 1)


class Described:
    """An object with the usual interface, except for `entries`."""

    def __init__(self, **entries):
        self.array = np.zeros(4)
        usual = {
            "shape": (4,),
            "typestr": "<f8",
            "data": (self.array.ctypes.data, False),
            "version": 3,
        }
        self.__cuda_array_interface__ = usual | entries


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"shape": 4}, "shape as a tuple of ints >= 0 but got 4"),
        ({"shape": (4.5,)}, r"shape as a tuple of ints >= 0 but got \(4.5,\)"),
        ({"shape": (-4,)}, r"shape as a tuple of ints >= 0 but got \(-4,\)"),
        ({"shape": None}, "shape as a tuple of ints >= 0 but got None"),
        ({"shape": (2**62, 2**62)}, "of an array in memory but got"),
        ({"strides": (8, 8)}, r"strides as None or a tuple of 1 ints but got"),
        ({"strides": "x"}, "strides as None or a tuple of 1 ints but got 'x'"),
        ({"strides": (2**63,)}, "of an array in memory but got"),
        ({"typestr": "float9"}, "typestr as what NumPy has as dtype.str, such"),
        ({"typestr": 8}, "typestr as what NumPy has as dtype.str, such as"),
        ({"data": 5}, "data as a tuple of an address and whether it is"),
        ({"data": (5,)}, "data as a tuple of an address and whether it is"),
        ({"data": ("a", 0)}, "data as a tuple of an address and whether it is"),
        ({"data": (-1, 0)}, "data as a tuple of an address and whether it is "),
        ({"version": "3"}, "version as an int but got '3'"),
        ({"stream": "x"}, "stream as None or a handle but got 'x'"),
    ],
)
def test_malformed_interface(entries, message):
    with pytest.raises(ValueError, match=message) as caught:
        add[1, 4](Described(**entries), 1)
    text = str(caught.value)
    assert text.startswith("a __cuda_array_interface__ expects ")


def test_interface_that_is_no_dict():
    value = Described()
    value.__cuda_array_interface__ = 5
    with pytest.raises(ValueError, match="expects a dict but got 5"):
        add[1, 4](value, 1)


class Tensor:
    def __init__(self, capsule, device=(1, 0)):
        self.capsule = capsule
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *args, **kwargs):
        if isinstance(self.capsule, Exception):
            raise self.capsule
        return self.capsule


def used_capsule():
    """One whose tensor was taken."""
    capsule = np.zeros(4).__dlpack__()
    np.from_dlpack(Tensor(capsule))
    return capsule


@pytest.mark.parametrize(
    ("make", "device", "message"),
    [
        (lambda: 5, (1, 0), "expects a __dlpack__() that kernels can use"),
        (lambda: None, (1, 0), "expects a __dlpack__() that kernels can use"),
        (used_capsule, (1, 0), "expects a __dlpack__() that kernels can use"),
        (
            lambda: KeyError("no"),
            (1, 0),
            "cannot be imported by DLPack: KeyError",
        ),
        (lambda: 5, 7, "a __dlpack_device__() of two ints but got 7"),
        (lambda: 5, ("a", 0), "a __dlpack_device__() of two ints but got"),
        (lambda: 5, None, "a __dlpack_device__() of two ints but got N"),
    ],
)
def test_malformed_tensor(make, device, message):
    tensor = Tensor(make(), device)
    with pytest.raises(ValueError) as caught:
        add[1, 4](tensor, 1)
    text = str(caught.value)
    assert text.startswith(f"argument 'a' of {Tensor} ")
    assert message in text
    assert "\n" not in text
