# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared arrays of sizes that launches know."""

import ctypes
import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pyk import _core, cuda, types
from support.scalars import compile_text

BLOCKS = [(1, 1), (4, 2), (3, 5)]


@pytest.mark.parametrize("block", BLOCKS)
def test_arrays_do_not_overlap(block: tuple[int, int]) -> None:
    @cuda.jit
    def kernel(a, n, out):
        tile = cuda.shared.array((cuda.blockDim.y, n), np.float64)
        row = cuda.shared.array(cuda.blockDim.x * 2 + 1, dtype=np.int16)
        rest = cuda.shared.array(0, np.float64)
        pairs = cuda.shared.array(0, np.int32)
        x, y = cuda.threadIdx.x, cuda.threadIdx.y
        for i in range(x, n, cuda.blockDim.x):
            tile[y, i] = a[y, i]
        if y == 0:
            row[2 * x] = x + 1
            row[2 * x + 1] = -x
            if x == 0:
                row[-1] = 7
                for i in range(rest.size):
                    rest[i] = 0
                pairs[5] = 3
        cuda.syncthreads()
        if x == 0 and y == 0:
            for j in range(tile.shape[0]):
                for i in range(tile.shape[1]):
                    out[0] += tile[j, i]
            for i in range(row.size):
                out[1] += row[i]
            out[2] = rest.size
            out[3] = pairs.size
            out[4] = pairs[5]
            out[5] = tile.shape[0] * 100 + tile.shape[1]
            # Both views of the launch's memory begin at the same place.
            out[6] = rest.ctypes.data - pairs.ctypes.data

    n = 7
    a = np.arange(block[1] * n).reshape(block[1], n) + 0.5
    out = np.zeros(7)
    kernel[1, block, 0, 24](a, np.int16(n), out)
    expected = [a.sum(), 7 + block[0], 3, 6, 3, block[1] * 100 + n, 0]
    assert out.tolist() == expected


def test_size_behind_an_argument_of_none() -> None:
    """None is no parameter of the kernel, whose sizes count parameters."""

    @cuda.jit
    def kernel(nothing, out, also_nothing, n):
        part = cuda.shared.array(n, np.int64)
        i = cuda.threadIdx.x
        part[i] = i * i
        cuda.syncthreads()
        out[i] = part[n - 1 - i]
        if i == 0:
            out[n] = part.size

    out = np.zeros(65, np.int64)
    kernel[1, 64](None, out, None, 64)
    assert out.tolist() == [*(i * i for i in reversed(range(64))), 64]


@pytest.mark.parametrize("block", [2, 8, 32])
def test_function_with_an_array(block: int) -> None:
    @cuda.jit(device=True)
    def reversed_of(v, n):
        t = cuda.threadIdx.x
        part = cuda.shared.array(n, np.int32)
        part[t] = v
        cuda.syncthreads()
        result = part[n - 1 - t]
        cuda.syncthreads()
        return result

    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        own = cuda.shared.array(cuda.blockDim.x // 2, np.int64)
        if t < own.size:
            own[t] = 100 * t
        once = reversed_of(t, cuda.blockDim.x)
        twice = reversed_of(once + 1, cuda.blockDim.x)
        cuda.syncthreads()
        out[t] = once * 1000 + twice + own[t // 2] * 1000000

    out = np.zeros(block, np.int64)
    kernel[1, block](out)
    t = np.arange(block)
    expected = (block - 1 - t) * 1000 + t + 1 + t // 2 * 100000000
    assert out.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("dtype", "n"),
    [
        (np.int8, 100),
        (np.uint8, 255),
        (np.int16, 1000),
        (np.uint16, 65535),
        (np.int32, 40000),
        (np.uint32, 5),
        (np.int64, 0),
        (np.uint64, 9),
    ],
)
def test_integers_of_each_width(dtype: type[np.integer], n: int) -> None:
    @cuda.jit
    def kernel(n, out):
        out[0] = cuda.shared.array(n, np.bool_).size
        out[1] = cuda.shared.array((n, 2), np.bool_).shape[0]

    out = np.zeros(2, np.int64)
    kernel[1, 1](dtype(n), out)
    assert out.tolist() == [n, n]


#: Sizes by `n`, `m`, an array `a` of 2 rows by 5 columns and the block.
SIZES = [
    *("n", "n + m", "n - m", "m - n + 9", "n * m", "n // m", "n % m"),
    *("n // 3 - 1", "n % 8", "n * 8 // 4", "-1 - (-n) // 4", "-n % m + 1"),
    *("-(-n // m)", "-(-n // m) * m", "n // -m + 9", "n % -m + 4"),
    *("min(n, m)", "min(m, n)", "min(n, n)", "min(n, 3)", "min(10, n)"),
    *("max(n, m)", "max(m, n)", "max(n, 6)", "max(n, 10)"),
    *("max(min(n, 4), m)", "a.shape[0]", "a.shape[1]", "a.size"),
    *("len(a) + a.shape[1]", "a.shape[0] * a.shape[1]", "(rows + 1, columns)"),
    *("cuda.blockDim.x + n", "cuda.blockDim.y + 1", "cuda.blockDim.z * n"),
    *("(n, m)", "(m, a.shape[1])", "(2, n)", "(n + 1, 2 * m, 2)"),
]
SIZED = """
def k(n, m, a, out):
    rows, columns = a.shape
    first = cuda.shared.array(n, np.int16)
    own = cuda.shared.array(SIZE, np.float64)
    last = cuda.shared.array(SIZE, np.int32)
    if cuda.threadIdx.x == 0 and cuda.threadIdx.y == 0:
        own, last = own.reshape(own.size), last.reshape(last.size)
        for i in range(n):
            first[i] = i
        for i in range(own.size):
            own[i] = i + 0.5
            last[i] = -i
        out[0] = own.size
        for i in range(n):
            out[1] += first[i]
        for i in range(own.size):
            out[2] += own[i]
            out[3] += last[i]
"""


@pytest.mark.all_cases(assembled=False)
@pytest.mark.parametrize("size", SIZES)
def test_each_size_has_its_memory(size: str) -> None:
    """The launch gives as much as the kernel takes, in arrays apart."""
    n, m, block, a = 7, 3, (4, 2), np.zeros((2, 5))
    kernel = compile_text(SIZED.replace("SIZE", size))
    out = np.zeros(4)
    kernel[1, block](n, m, a, out)
    host = SimpleNamespace(blockDim=SimpleNamespace(x=4, y=2, z=1))
    names = {"n": n, "m": m, "a": a, "rows": 2, "columns": 5, "cuda": host}
    count = int(np.prod(eval(size, names)))
    total = count * (count - 1) / 2
    assert out.tolist() == [count, 21, total + count / 2, -total]


def test_array_in_a_loop() -> None:
    @cuda.jit
    def kernel(n, out):
        for i in range(3):
            flags = cuda.shared.array((n, 3), np.bool_)
            pairs = cuda.shared.array(n, np.complex128, 256)
            flags[0, i] = True
            pairs[i] = complex(i, 1)
            out[0] += flags.size + pairs.size + pairs.ctypes.data % 256
            out[1] = pairs[i].real + pairs[0].imag

    out = np.zeros(2)
    kernel[1, 1](4, out)
    assert out.tolist() == [48, 3]


@cuda.jit
def sized(n, m, out):
    first = cuda.shared.array(4, np.int64)
    own = cuda.shared.array((n, m), np.float32)
    first[0] = own.size
    out[0] = first[0]


@pytest.mark.parametrize(
    ("n", "m", "problem"),
    [
        (-3, 2, "has a negative extent, -3; pass numbers that give at least 0"),
        (2, -1, "has a negative extent, -1; pass numbers that give at least 0"),
        (1 << 62, 2, "has a size that leaves 64 bits; pass smaller numbers"),
        (
            1000,
            1000,
            "takes 4000000 bytes of shared memory behind 0, more than CUDA's"
            " limit of 232448 bytes together; use smaller shared arrays",
        ),
    ],
)
def test_sizes_that_no_block_has(n: int, m: int, problem: str) -> None:
    with pytest.raises(
        cuda.errors.CudaInvalidValueError,
        match=re.escape(f"the shared array of line {LINE} {problem}"),
    ):
        sized[1, 1](n, m, np.zeros(1))


LINE = sized.py_func.__code__.co_firstlineno + 3


def test_limit_together_with_the_rest() -> None:
    with pytest.raises(
        cuda.errors.CudaInvalidValueError, match="bytes static and 240000"
    ):
        sized[1, 1, 0, 200000](100, 100, np.zeros(1))


def test_size_that_is_known_later() -> None:
    @cuda.jit
    def kernel(n, out):
        m = n
        if out[0] > 0:
            m = 3
        out[0] = cuda.shared.array(m, np.int32).size

    with pytest.raises(
        cuda.errors.LoweringError,
        match="expects a size of the shared array that is known at the launch",
    ):
        kernel[1, 1](3, np.zeros(1))


def test_ptx() -> None:
    @cuda.jit
    def kernel(n, out):
        tile = cuda.shared.array((n, 3), np.float32)
        rest = cuda.shared.array(0, np.int8)
        rest[cuda.threadIdx.x] = 1
        tile[0, cuda.threadIdx.x] = 2
        cuda.syncthreads()
        out[0] = rest.size + tile[0, 1]

    ptx, _ = cuda.compile_ptx(kernel.py_func, (types.int64, types.int64[::1]))
    assert re.search(
        r"\.extern \.shared \.align 16 \.b8 pyk_dynamic_shared", ptx
    )
    assert "%dynamic_smem_size" in ptx


SOURCE = """\
py.func @k(["a", "n"]) kernel arguments [!pyk.array<?xsi32, c>, si32] {
  %shared = py.constant(#py.intrinsic<"cuda.shared.array">) : !py.object
  %int32 = py.constant(si32) : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %a = py.get "a" : !py.object
  %n = py.get "n" : !py.object
  %own = py.call %shared(%n, %int32)
      : (!py.object, !py.object, !py.object) -> !py.object
  py.set_subscript %n, %own[%zero] : !py.object, !py.object, !py.object
  %same = py.subscript %own[%zero] : (!py.object, !py.object) -> !py.object
  py.set_subscript %same, %a[%zero] : !py.object, !py.object, !py.object
}
"""


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_manifest(target: str) -> None:
    module = _core.compile(source=SOURCE, target=target)
    manifest = json.loads(module.manifest)
    assert manifest["version"] == 2
    assert module.manifest.encode() in module.artifact
    (kernel,) = manifest["kernels"]
    assert kernel["uses_dynamic_shared"]
    assert kernel["shared_sizes"] == [
        {"kind": "constant", "value": 4},
        {"kind": "signed", "argument": 1, "bytes": 4},
        {"kind": "length"},
        {"kind": "mul"},
        {"kind": "place", "alignment": 16, "line": 7},
        {"kind": "constant", "value": 0},
        {"kind": "place", "alignment": 16, "line": 0},
    ]


class Term(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_int32),
        ("argument", ctypes.c_uint32),
        ("dimension", ctypes.c_uint32),
        ("line", ctypes.c_uint32),
        ("value", ctypes.c_int64),
    ]


class Signature(ctypes.Structure):
    _fields_ = [
        ("formals", ctypes.c_void_p),
        ("formal_count", ctypes.c_size_t),
        ("parameters", ctypes.c_void_p),
        ("parameter_count", ctypes.c_size_t),
        ("facts", ctypes.c_uint32),
        ("shared_sizes", ctypes.POINTER(Term)),
        ("shared_size_count", ctypes.c_size_t),
        ("block", ctypes.c_int32 * 3),
        ("bounds", ctypes.c_void_p),
        ("bound_count", ctypes.c_size_t),
    ]


class Argument(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("shape", ctypes.c_void_p),
        ("strides", ctypes.c_void_p),
        ("scalar", ctypes.c_uint64 * 2),
        ("memory", ctypes.c_void_p),
        ("memory_bytes", ctypes.c_uint64),
    ]


#: The kinds of terms that the test's kernel has, as `Arguments.h` numbers them.
KINDS = {"constant": 0, "signed": 1, "mul": 7, "length": 12, "place": 13}


def test_manifest_of_an_artifact_tells_the_bytes() -> None:
    artifact = _core.compile(source=SOURCE, target="cpu").artifact
    maps = Path("/proc/self/maps").read_text()
    (path,) = {
        line.split()[-1] for line in maps.splitlines() if "PyKRuntime" in line
    }
    runtime = ctypes.CDLL(path)
    text, size = ctypes.c_void_p(), ctypes.c_size_t()
    runtime.pyk_rt_artifact_manifest.restype = ctypes.c_void_p
    assert not runtime.pyk_rt_artifact_manifest(
        artifact,
        ctypes.c_size_t(len(artifact)),
        ctypes.byref(text),
        ctypes.byref(size),
    )
    assert text.value
    manifest = json.loads(ctypes.string_at(text.value, size.value))
    sizes = manifest["kernels"][0]["shared_sizes"]
    terms = (Term * len(sizes))(
        *(
            Term(
                KINDS[term["kind"]],
                term.get("argument", 0),
                term.get("dimension", 0),
                term.get("line", 0),
                term.get("value", term.get("bytes", term.get("alignment", 0))),
            )
            for term in sizes
        )
    )
    signature = Signature(None, 2, None, 0, 0, terms, len(terms))
    arguments = (Argument * 2)()
    arguments[1].scalar[0] = 9
    block = (ctypes.c_int64 * 3)(1, 1, 1)
    total = ctypes.c_int64(16)
    runtime.pyk_rt_add_shared_bytes.restype = ctypes.c_void_p
    assert not runtime.pyk_rt_add_shared_bytes(
        ctypes.byref(signature), block, arguments, ctypes.byref(total)
    )
    assert total.value == 16 + 48


ALIKE = {
    "one line": "a, b = N, N",
    "own lines": "a = N; b = N",
    "fixed size": "a, b = EIGHT, EIGHT",
    "other type": "a, b = N, cuda.shared.array(n, np.int32)",
    "tuple": "both = (N, N); a, b = both[0], both[1]",
    "beside the rest": "a, b = N, cuda.shared.array(0, np.float32)",
}


@pytest.mark.parametrize("arrays", ALIKE.values(), ids=ALIKE)
def test_arrays_alike(arrays: str) -> None:
    """Two arrays of one type and size, however they are written."""
    arrays = arrays.replace("EIGHT", "cuda.shared.array(8, np.float32)")
    arrays = arrays.replace("N", "cuda.shared.array(n, np.float32)")
    kernel = compile_text(f"""
def k(n, out):
    {arrays}
    t = cuda.threadIdx.x
    a[t], b[t] = t + 1, 100 + t
    cuda.syncthreads()
    out[t] = a[n - 1 - t]
    out[t + n] = b[t]
""")
    out = np.zeros(16)
    kernel[1, 8, 0, 32](8, out)
    assert out.tolist() == [*range(8, 0, -1), *range(100, 108)]
