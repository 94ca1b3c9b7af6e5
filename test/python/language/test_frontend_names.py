# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What names stand for when a kernel is compiled."""

import base64
import cmath
import collections
import enum
import math
import operator

import numpy as np
import pytest

import pyk.types
from buffers import bare, body, buffer, entry, function, value
from pyk import cuda

LIMIT = 10
TABLE = np.array([[1.5, 2.0, 3.0]], np.float32)
Pair = collections.namedtuple("Pair", "left right")
PAIR = Pair(1, 2.5)


class Color(enum.Enum):
    RED = 3


class Level(enum.IntEnum):
    HIGH = 4


class Settings:
    WIDTH = 16

    @cuda.jit(device=True)
    def twice(x):
        return x + x


def plain(x):
    return x


def parts(number):
    return {"re": number.real.hex(), "im": number.imag.hex()}


@pytest.mark.parametrize(
    ("thing", "expected"),
    [
        (True, {"t": "bool", "v": True}),
        (-5, {"t": "int", "v": "-5"}),
        (2**64, {"t": "int", "v": str(2**64)}),
        (float("-inf"), {"t": "float", "v": "-inf"}),
        (float("nan"), {"t": "float", "v": "nan"}),
        (
            Level.HIGH,
            {
                "t": "enum",
                "name": f"{__name__}.Level",
                "value": {"t": "int", "v": "4"},
                "integer": True,
            },
        ),
        (
            Color.RED,
            {
                "t": "enum",
                "name": f"{__name__}.Color",
                "value": {"t": "int", "v": "3"},
                "integer": False,
            },
        ),
        (
            PAIR,
            {
                "t": "namedtuple",
                "name": f"{__name__}.Pair",
                "fields": ["left", "right"],
                "items": [
                    {"t": "int", "v": "1"},
                    {"t": "float", "v": (2.5).hex()},
                ],
            },
        ),
        (
            Pair,
            {
                "t": "namedtuple_class",
                "name": f"{__name__}.Pair",
                "fields": ["left", "right"],
                "defaults": [None, None],
            },
        ),
        (np.int8(-3), {"t": "scalar", "dtype": "int8", "v": "-3"}),
        (np.bool_(True), {"t": "scalar", "dtype": "bool", "v": True}),
        (
            np.float64(0.5),
            {"t": "scalar", "dtype": "float64", "v": "0x1.0000000000000p-1"},
        ),
        (
            np.float16(2),
            {"t": "scalar", "dtype": "float16", "v": "0x1.0000000000000p+1"},
        ),
        (
            np.complex64(1 - 2j),
            {"t": "scalar", "dtype": "complex64"} | parts(1 - 2j),
        ),
        (complex(0.0, -0.0), {"t": "complex"} | parts(complex(0.0, -0.0))),
        (
            (1, ("x", None)),
            {
                "t": "tuple",
                "items": [
                    {"t": "int", "v": "1"},
                    {
                        "t": "tuple",
                        "items": [{"t": "str", "v": "x"}, {"t": "none"}],
                    },
                ],
            },
        ),
        (b"a\xff", {"t": "bytes", "v": "Yf8="}),
        (np.bytes_(b"a"), {"t": "bytes", "v": "YQ=="}),
        (np.str_("a"), {"t": "str", "v": "a"}),
        (np.dtype("U3"), {"t": "dtype", "name": "!py.chars<str, 3>"}),
        (np.float32, {"t": "dtype", "name": "float32"}),
        (np.longlong, {"t": "dtype", "name": "int64"}),
        (np.dtype("u2"), {"t": "dtype", "name": "uint16"}),
        (np.dtype(">u2"), {"t": "object", "type": type(np.dtype("u2"))}),
        (np.bool_, {"t": "dtype", "name": "bool"}),
        (np.complex128, {"t": "dtype", "name": "complex128"}),
        (np.floating, {"t": "intrinsic", "name": "numpy.floating"}),
        (pyk.types.f4, {"t": "dtype", "name": "float32"}),
        (pyk.types.intp, {"t": "dtype", "name": "int64"}),
        (len, {"t": "intrinsic", "name": "builtins.len"}),
        (range, {"t": "intrinsic", "name": "builtins.range"}),
        (int, {"t": "intrinsic", "name": "builtins.int"}),
        (math.sqrt, {"t": "intrinsic", "name": "math.sqrt"}),
        (cmath.exp, {"t": "intrinsic", "name": "cmath.exp"}),
        (operator.add, {"t": "function", "id": "operator.add"}),
        (np.sqrt, {"t": "function", "id": "numpy.sqrt"}),
        (np.abs, {"t": "function", "id": "numpy.absolute"}),
        (np.sum, {"t": "function", "id": "numpy.sum"}),
        (np.linalg.norm, {"t": "intrinsic", "name": "numpy.linalg.norm"}),
        (cuda.grid, {"t": "intrinsic", "name": "cuda.grid"}),
        (
            cuda.threadIdx.x,
            {"t": "intrinsic", "name": "cuda.threadIdx.x"},
        ),
        (
            cuda.shared.array,
            {"t": "intrinsic", "name": "cuda.shared.array"},
        ),
        (cuda.threadfence, {"t": "intrinsic", "name": "cuda.threadfence"}),
        (math, {"t": "module", "name": "math"}),
        (plain, {"t": "object", "type": "function"}),
        ([1], {"t": "object", "type": "list"}),
        (
            collections.OrderedDict(),
            {"t": "object", "type": "collections.OrderedDict"},
        ),
    ],
    ids=repr,
)
def test_value_of_closure_variable(thing, expected):
    @cuda.jit
    def k(a):
        a = thing

    if isinstance(expected.get("type"), type):
        kind = expected["type"]
        expected["type"] = f"{kind.__module__}.{kind.__qualname__}"
    assert value(k) == expected
    assert body(k)[0]["value"]["name"] == "thing"


def test_global_array_is_frozen():
    @cuda.jit
    def k(a):
        a = TABLE

    found = value(k)
    data = base64.b64decode(found.pop("data"))
    assert np.frombuffer(data, "<f4").tolist() == [1.5, 2.0, 3.0]
    assert found == {"t": "array", "dtype": "float32", "shape": [1, 3]}


@pytest.mark.parametrize(
    "array", [np.arange(6).reshape(2, 3).T, np.arange(6, dtype=">i4")[::-2]]
)
def test_array_data_is_little_endian_in_c_order(array):
    @cuda.jit
    def k(a):
        a = array

    found = value(k)
    data = np.frombuffer(base64.b64decode(found["data"]), found["dtype"])
    np.testing.assert_array_equal(data.reshape(found["shape"]), array)


def test_unusable_array_names_its_dtype():
    array = np.zeros(2, [("x", "O")])

    @cuda.jit
    def k(a):
        a = array

    assert value(k) == {
        "t": "object",
        "type": "numpy.ndarray of dtype [('x', 'O')]",
    }


def constant(expected, name):
    return {"k": "const", "value": expected, "name": name}


def test_chains_are_resolved():
    @cuda.jit
    def k(a):
        a = math.pi
        a = Color.RED.value
        a = Settings.WIDTH
        a = PAIR.right
        a = TABLE.shape
        a = cuda.threadIdx.x
        a = np.linalg.norm
        a = pyk.types.float32

    nodes = [bare(node["value"]) for node in body(k)]
    assert nodes == [
        constant({"t": "float", "v": math.pi.hex()}, "math.pi"),
        constant({"t": "int", "v": "3"}, "Color.RED.value"),
        constant({"t": "int", "v": "16"}, "Settings.WIDTH"),
        constant({"t": "float", "v": (2.5).hex()}, "PAIR.right"),
        constant(
            {
                "t": "tuple",
                "items": [{"t": "int", "v": "1"}, {"t": "int", "v": "3"}],
            },
            "TABLE.shape",
        ),
        constant(
            {"t": "intrinsic", "name": "cuda.threadIdx.x"}, "cuda.threadIdx.x"
        ),
        constant(
            {"t": "intrinsic", "name": "numpy.linalg.norm"}, "np.linalg.norm"
        ),
        constant({"t": "dtype", "name": "float32"}, "pyk.types.float32"),
    ]


def test_chain_stops_at_what_is_not_settled():
    @cuda.jit
    def k(a):
        a = TABLE.sum

    node = bare(body(k)[0]["value"])
    assert node["k"] == "attribute"
    assert node["attr"] == "sum"
    assert node["value"]["name"] == "TABLE"


def test_unresolved_names():
    @cuda.jit
    def k(a):
        a = nowhere  # noqa: F821
        a = math.nowhere
        a = math.nowhere.at_all

    nodes = [bare(node["value"]) for node in body(k)]
    missing = constant({"t": "unresolved", "name": "nowhere"}, "nowhere")
    chain = constant(
        {"t": "unresolved", "name": "math.nowhere"}, "math.nowhere"
    )
    outer = {"k": "attribute", "attr": "at_all", "value": chain}
    assert nodes == [missing, chain, outer]


def test_empty_closure_cell_is_unresolved():
    @cuda.jit
    def k(a):
        a = later

    assert value(k) == {"t": "unresolved", "name": "later"}
    later = 1
    assert value(k) == {"t": "int", "v": "1"}


def test_local_variable_hides_global():
    @cuda.jit
    def k(a):
        LIMIT = a
        return LIMIT

    assert bare(body(k)[1]["value"]) == {"k": "name", "id": "LIMIT"}


def test_variable_of_an_inner_function_is_local():
    @cuda.jit
    def k(a):
        x = a

        def inner():
            return x

    assert bare(body(k)[0]["targets"]) == [{"k": "name", "id": "x"}]


def test_global_is_read_when_compiled(monkeypatch):
    @cuda.jit
    def k(a):
        a = LIMIT

    monkeypatch.setitem(globals(), "LIMIT", 11)
    assert value(k) == {"t": "int", "v": "11"}


def test_module_as_closure_variable():
    def make(cuda):
        def k(a):
            a = cuda.blockIdx.y

        return k

    assert value(cuda.jit(make(cuda))) == {
        "t": "intrinsic",
        "name": "cuda.blockIdx.y",
    }


def test_functions_are_collected_once():
    @cuda.jit
    def k(a):
        a[0] = first(a) + second(a) + Settings.twice(1)

    @cuda.jit(device=True)
    def first(a):
        return second(a)

    @cuda.jit(device=True)
    def second(a):
        return first(a) if a else second(a)

    unit = buffer(k, "si64")
    functions = unit["functions"]
    assert unit["entries"][0]["arguments"] == ["si64"]
    assert unit["version"] == 2
    names = {key: node["name"] for key, node in functions.items()}
    assert sorted(names.values()) == ["first", "k", "second", "twice"]
    assert names[entry(unit)] == "k"
    assert {node["name"]: node["device"] for node in functions.values()} == {
        "first": True,
        "k": False,
        "second": True,
        "twice": True,
    }
    call = functions[entry(unit)]["body"][0]["value"]["first"]
    assert names[call["func"]["value"]["id"]] == "first"


def test_functions_of_one_name_have_different_keys():
    def make(inner):
        @cuda.jit(device=True)
        def helper(x):
            return inner(x)

        return helper

    one = make(cuda.jit(lambda x: x, device=True))
    two = make(one)

    @cuda.jit
    def k(a):
        a[0] = two(1)

    unit = buffer(k)
    assert entry(unit) == "k"
    assert list(unit["functions"]) == ["k", "helper", "helper.1", "lambda"]


def test_kernel_may_be_called_as_a_device_function():
    @cuda.jit
    def helper(x):
        return x

    @cuda.jit
    def k(a):
        a[0] = helper(1)

    assert len(buffer(k)["functions"]) == 2


def test_parameters_with_defaults():
    @cuda.jit
    def k(a, n=3, /, scale=np.float32(0.5)):
        pass

    assert function(k)["parameters"] == [
        {"name": "a", "default": None},
        {"name": "n", "default": {"t": "int", "v": "3"}},
        {
            "name": "scale",
            "default": {
                "t": "scalar",
                "dtype": "float32",
                "v": "0x1.0000000000000p-1",
            },
        },
    ]


def test_options_are_in_the_buffer():
    @cuda.jit(fma=False)
    def k(a):
        pass

    assert "options" not in buffer(k)
    assert k._buffer_options == {"fma": False}
