# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions that are code of other languages."""

import io
import pathlib
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from pyk import _toolkit, cuda, types
from pyk.cuda._foreign import files_for_gpu
from support import assembly
from support.simd_agreement import agree

#: What has shared libraries and Python functions.
of_the_cpu = pytest.mark.on_the_cpu(reason="a GPU links other files")

NVCC = shutil.which("nvcc", path="/usr/local/cuda/bin") or shutil.which("nvcc")

CODE = """
#include <math.h>
#include <stdint.h>
int mul(float *result, float a, float b) { *result = a * b; return 0; }
int put(int64_t *result, double *a, int64_t i, double x) {
  a[i] = x; (void)result; return 0;
}
double total(const double *a, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
  return sum;
}
uint8_t negate(uint8_t flag) { return !flag; }
int widen(int8_t a) { return a; }
int widen_more(uint16_t a) { return a; }
int deep(int n) {
  volatile char frame[100 * 1024];
  for (int i = 0; i < 1024; ++i) frame[i] = (char)n;
  return frame[5];
}
int8_t narrow(int64_t x) { return (int8_t)x; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("clang-22")
    if compiler is None:
        pytest.skip("there is no compiler of C")
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "code.c").write_text(CODE)
    path = folder / "libcode.so"
    command = [compiler, "-shared", "-fPIC", "-O1"]
    subprocess.run([*command, "-o", path, folder / "code.c"], check=True)
    return str(path)


@of_the_cpu
def test_numba_convention_of_a_shared_library(library):
    mul = cuda.declare_device("mul", "float32(float32, float32)", library)

    @cuda.jit
    def scale(out, a):
        i = cuda.grid(1)
        if i < out.size:
            # Arguments are cast to the declared types.
            out[i] = mul(a[i], 3)

    a = np.arange(40.0)
    out = np.zeros(40)
    scale[2, 32](out, a)
    assert out.tolist() == (a * 3).tolist()


@of_the_cpu
def test_c_convention_and_pointers(library):
    total = cuda.declare_device(
        "total", "float64(CPointer(float64), int32)", library, abi="c"
    )
    negate = cuda.declare_device("negate", "boolean(boolean)", library, abi="c")
    narrow = cuda.declare_device("narrow", "int8(int64)", [library], abi="c")

    @cuda.jit
    def sums(out, a):
        i = cuda.grid(1)
        if i < a.shape[0]:
            own = cuda.local.array(3, np.float64)
            own[0] = own[1] = own[2] = i
            out[i, 0] = total(a[i], a.shape[1])
            out[i, 1] = total(own, 3)
            out[i, 2] = 1 if negate(i == 2) else 0
            out[i, 3] = narrow(254 + i)

    a = np.arange(12.0).reshape(3, 4)
    out = np.zeros((3, 4))
    sums[1, 4](out, a)
    rows = zip(a.sum(1), [0, 3, 6], [1, 1, 0], [-2, -1, 0], strict=True)
    assert out.tolist() == [list(row) for row in rows]


@of_the_cpu
def test_code_that_writes_and_returns_nothing(library):
    put = cuda.declare_device(
        "put", types.void(types.CPointer(types.float64), types.int64, types.f8)
    )

    # The kernel is linked with it.
    @cuda.jit(link=[library])
    def squares(out):
        i = cuda.grid(1)
        if i < out.size:
            before = out[i]
            put(out, i, i * i + before)
            out[i] += 0.5

    out = np.ones(5)
    squares[1, 32](out)
    assert out.tolist() == [1.5, 2.5, 5.5, 10.5, 17.5]


@of_the_cpu
def test_python_in_the_place_of_code():
    def hypotenuse(a, b):
        return (a * a + b * b) ** 0.5

    length = cuda.declare_device(
        "length", "float32(float32, float32)", cpu=hypotenuse
    )

    @cuda.jit(device=True)
    def first(values, count):
        values[0] += count
        return 0

    add = cuda.declare_device(
        "add", "int32(CPointer(float64), int32)", cpu=first
    )

    @cuda.jit
    def lengths(out, a):
        i = cuda.grid(1)
        if i < out.shape[0]:
            # What it takes and gives is cast.
            out[i, 0] = length(a[i] + 1e-9, 2 * a[i])
            add(out[i, 1:], 7.9)

    a = np.arange(33.0)
    out = np.zeros((33, 2))
    lengths[1, 64](out, a)
    expected = np.hypot(a.astype(np.float32), np.float32(2) * a)
    np.testing.assert_allclose(out[:, 0], expected, rtol=1e-6, atol=1e-8)
    assert out[:, 1].tolist() == [7] * 33
    # The code is the GPU's, whatever ran here.
    text = next(iter(lengths.inspect_asm().values()))
    assert "call.uni (retval0), length," in text


@of_the_cpu
def test_from_buffer_of_cffi(library):
    class FFI:
        def from_buffer(self, array):
            raise AssertionError

    FFI.__module__ = "cffi.api"
    ffi = FFI()
    total = cuda.declare_device(
        "total", "float64(CPointer(float64), int32)", library, abi="c"
    )

    @cuda.jit
    def sum_of(out, a):
        out[0] = total(ffi.from_buffer(a), a.size)

    out = np.zeros(1)
    sum_of[1, 1](out, np.arange(5.0))
    assert out[0] == 10


def twice(x):
    return 2 * x


def kernel_of(function):
    @cuda.jit
    def kernel(out):
        out[0] = function(out[0])

    return kernel


@of_the_cpu
def test_without_code_for_the_cpu_the_kernel_is_refused():
    lost = cuda.declare_device("lost", "float64(float64)", ["lost.ptx"])
    with pytest.raises(cuda.errors.UnsupportedError) as caught:
        kernel_of(lost)[1, 1](np.zeros(1))
    text = str(caught.value)
    assert "'lost' is code for a GPU, which the CPU has nothing for" in text
    assert "cuda.declare_device takes a Python function" in text
    assert 'cuda.declare_device("lost"' in text


@of_the_cpu
def test_libraries_without_the_name(library):
    found = cuda.declare_device("missing", "float64(float64)", library)
    with pytest.raises(ValueError) as caught:
        kernel_of(found)[1, 1](np.zeros(1))
    assert str(caught.value) == f"no function 'missing' is in {library}"
    assert "foreign function missing" in repr(found)
    with pytest.raises(TypeError, match="'missing' can be called in a kernel"):
        found(1.5)


@of_the_cpu
def test_arrays_for_pointers():
    sums = cuda.declare_device(
        "sums", "float64(CPointer(float64))", cpu=lambda a: a[0]
    )

    @cuda.jit
    def kernel(out, a):
        out[0] = sums(a)

    kernel[1, 1](np.zeros(1), np.ones(3))
    message = (
        "expects argument 1 of 'sums' as an array of float64 without gaps but "
        "got "
    )
    for wrong in np.ones(3, np.float32), np.ones(6)[::2], 1.5:
        with pytest.raises(cuda.errors.TypingError, match=message):
            kernel[1, 1](np.zeros(1), wrong)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            ("f", "(float32,)"),
            TypeError,
            "declare_device expects the type that 'f' returns in the "
            r"signature, such as 'void\(int32\)', but got '\(float32,\)'",
        ),
        (("f", "int32(int32[:])"), TypeError, "but 'f' takes array"),
        (("f", "complex64()"), TypeError, "but 'f' returns complex64"),
        (("a b", "int32()"), ValueError, "expects the name of a function of C"),
        (("f", "int32()", [3]), TypeError, "link= expects paths and code"),
        (("f", "int32()", "f.txt"), ValueError, "expects files that end in"),
        (
            ("f", "int32()", None, False, "fortran"),
            NotImplementedError,
            "'numba' or 'c' as abi but got 'fortran'",
        ),
    ],
)
def test_declarations_that_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        cuda.declare_device(*arguments)


@of_the_cpu
@pytest.mark.parametrize("count", [0, 1, 3])
def test_a_replacement_of_other_parameters(count):
    functions = {0: lambda: 1, 1: lambda a: a, 3: lambda a, b, c: a}
    message = f"'f' has 2 parameters .* that cpu= gives has {count}$"
    with pytest.raises(TypeError, match=message):
        cuda.declare_device("f", "int32(int32, int32)", cpu=functions[count])


@pytest.mark.parametrize("content", ["text", b"bytes"])
def test_code_from_memory(content):
    of_file = io.StringIO if isinstance(content, str) else io.BytesIO
    for kind, ending in (
        (cuda.PTXSource, ".ptx"),
        (cuda.CUSource, ".cu"),
        (cuda.Cubin, ".cubin"),
        (cuda.Fatbin, ".fatbin"),
        (cuda.Archive, ".a"),
        (cuda.Object, ".o"),
    ):
        for data in (content, of_file(content)):
            code = kind(data)
            assert code.name == f"<{kind.__name__}>"
            assert kind(data, "mine").name == kind(data, name="mine").name
            assert kind(data, "mine").name == "mine"
            assert code.data == content
            path = pathlib.Path(code._path())
            assert path.suffix == ending
            expected = content.encode() if isinstance(content, str) else content
            assert path.read_bytes() == expected
            # The same content is the same file.
            assert kind(content)._path() == str(path)
            assert kind(content * 2)._path() != str(path)


@of_the_cpu
def test_library_that_is_none(tmp_path):
    broken = tmp_path / "broken.so"
    broken.write_bytes(b"no library")
    function = cuda.declare_device("f", "float64(float64)", str(broken))
    with pytest.raises(ValueError, match="with which a kernel is linked"):
        kernel_of(function)[1, 1](np.zeros(1))


def test_other_mistakes():
    with pytest.raises(TypeError, match="and the function that cpu= gives has"):
        cuda.declare_device("f", "int32(int32, int32)", cpu=twice)
    with pytest.raises(TypeError, match="expects a Python function as cpu= of"):
        cuda.declare_device("f", "int32()", cpu=5)
    with pytest.raises(TypeError, match="expects a type of numbers"):
        types.CPointer("float32")
    with pytest.raises(TypeError, match="PTXSource expects bytes or a str"):
        cuda.PTXSource(3)
    assert cuda.PTXSource(io.BytesIO(b"text"), "f").data == b"text"
    with pytest.raises(NotImplementedError, match="PTXSource takes no callb"):
        cuda.PTXSource("text", setup_callback=print)
    with pytest.raises(TypeError, match="link= expects paths and code"):
        cuda.jit(twice, link=[SimpleNamespace()])


def write_program(library, folder):
    """A program that calls a function of a shared library."""
    path = folder / "program.py"
    path.write_text(f"""
import numpy as np
from pyk import cuda
mul = cuda.declare_device("mul", "float32(float32, float32)", {library!r})

@cuda.jit
def kernel(out):
    out[0] = mul(2, 3)

kernel[1, 1](np.zeros(1))
""")
    return path


def test_cuda_needs_its_compiler(monkeypatch):
    monkeypatch.setattr(_toolkit, "find", lambda name: None)
    message = "nvcc was not found, and linking f.cu needs it"
    with pytest.raises(RuntimeError, match=message):
        files_for_gpu([cuda.CUSource("", "f.cu")], "sm_90")


def ptx_of(function):
    @cuda.jit
    def kernel(out):
        out[0] = function(out[0])

    text, _ = cuda.compile_ptx(
        kernel.py_func, types.void(types.float64[::1]), cc=(9, 0)
    )
    return text


def test_ptx_declares_the_code_by_its_convention():
    numba = cuda.declare_device("f", "float64(float64)", cpu=twice)
    text = ptx_of(numba)
    assert ".extern .func  (.param .b32 func_retval0) f\n" in text
    assert "call.uni (retval0), f, (param0, param1);" in text
    c = cuda.declare_device("f", "float64(float64)", abi="c")
    text = ptx_of(c)
    assert ".extern .func  (.param .b64 func_retval0) f\n" in text
    assert "call.uni (retval0), f, (param0);" in text


def test_ptx_is_linked_with_that_of_cuda(tmp_path):
    if NVCC is None:
        pytest.skip("nvcc was not found")
    tools = NVCC.rpartition("/")[0]
    (tmp_path / "f.cu").write_text(
        'extern "C" __device__ double f(double x) { return x + 1; }\n'
    )
    (tmp_path / "kernel.ptx").write_text(
        ptx_of(cuda.declare_device("f", "float64(float64)", abi="c"))
    )
    for command in (
        ["nvcc", "-dc", "-cubin", "-arch=sm_90", "f.cu", "-o", "f.cubin"],
        ["ptxas", "-c", "-arch=sm_90", "kernel.ptx", "-o", "kernel.cubin"],
        ["nvlink", "-arch=sm_90", "kernel.cubin", "f.cubin", "-o", "all"],
    ):
        subprocess.run(
            [f"{tools}/{command[0]}", *command[1:]], cwd=tmp_path, check=True
        )


@of_the_cpu
def test_an_artifact_holds_no_address(library, tmp_path):
    path = write_program(library, tmp_path)
    command = [sys.executable, "-m", "pyk", "--emit=artifact", "-o"]
    done = subprocess.run(
        [*command, tmp_path / "out", path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "cannot write an artifact: it would hold the address" in done.stderr


@pytest.mark.skipif(NVCC is None, reason="nvcc was not found")
def test_cuda_runs_on_a_gpu():
    """On the CPU its place is taken by Python."""
    code = 'extern "C" __device__ double f(double x) { return 3 * x; }'
    triple = cuda.declare_device(
        "f",
        "float64(float64)",
        cuda.CUSource(code),
        abi="c",
        cpu=lambda x: 3 * x,
    )
    out = np.ones(1)
    kernel_of(triple)[1, 1](out)
    assert out[0] == 3


@of_the_cpu
def test_small_integers_are_cast_and_widened(library):
    widen = cuda.declare_device("widen", "int32(int8)", library, abi="c")
    more = cuda.declare_device("widen_more", "int32(uint16)", library, abi="c")

    @cuda.jit
    def kernel(out, x):
        i = cuda.grid(1)
        out[i, 0] = widen(x[i])
        out[i, 1] = more(x[i])

    x = np.array([-1, 300, 70_000, -32_768])
    out = np.zeros((4, 2), np.int64)
    kernel[1, 4](out, x)
    assert out[:, 0].tolist() == x.astype(np.int8).tolist()
    assert out[:, 1].tolist() == x.astype(np.uint16).tolist()


@of_the_cpu
def test_link_of_device_functions_and_of_children(library):
    widen = cuda.declare_device("widen", "int32(int8)", abi="c")

    @cuda.jit(device=True, link=library)
    def through(x):
        return widen(x)

    @cuda.jit(link=[library])
    def child(out, i):
        out[i] = widen(i + 2)

    @cuda.jit
    def kernel(out):
        out[0] = through(7)

    @cuda.jit
    def parent(out):
        child[1, 1](out, 1)

    out = np.zeros(2)
    kernel[1, 1](out)
    parent[1, 1](out)
    assert out.tolist() == [7, 3]


@of_the_cpu
def test_frames_of_c_have_room_on_the_stacks_of_threads(library):
    deep = cuda.declare_device("deep", "int32(int32)", library, abi="c")

    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        out[i] = deep(i)
        cuda.syncthreads()
        out[i] += deep(1)

    out = np.zeros(64)
    kernel[1, 64](out)
    assert out.tolist() == [i + 1 for i in range(64)]


@of_the_cpu
@pytest.mark.on_vectors
def test_calls_with_numbers_in_vectors(library):
    def make():
        narrow = cuda.declare_device("narrow", "int8(int64)", library, abi="c")
        half = cuda.declare_device(
            "half", "float64(float64)", cpu=lambda x: x / 2
        )

        @cuda.jit
        def kernel(a, out):
            shared = cuda.shared.array(64, np.int64)
            t, i = cuda.threadIdx.x, cuda.grid(1)
            shared[t] = narrow(a[i]) if i % 3 else 7
            cuda.syncthreads()
            if i < out.size:
                out[i] = half(shared[63 - t])

        return kernel

    a = np.arange(0, 1280, 10)
    _, out = agree(make, (2,), (64,), a, np.zeros(120))
    narrowed = np.where(np.arange(128) % 3, a.astype(np.int8), 7)
    expected = narrowed.reshape(2, 64)[:, ::-1].ravel()[:120] / 2
    np.testing.assert_array_equal(out, expected)


@of_the_cpu
def test_one_name_of_two_libraries(library, tmp_path):
    shutil.copy(library, tmp_path / "other.so")
    first = cuda.declare_device("widen", "int32(int8)", library, abi="c")
    other = str(tmp_path / "other.so")
    second = cuda.declare_device("widen", "int32(int8)", other, abi="c")

    @cuda.jit
    def kernel(out):
        out[0] = first(1) + second(2)

    message = (
        "'widen' is declared twice, with other types or in another library, "
        "or is the name of a kernel"
    )
    with pytest.raises(cuda.errors.UnsupportedError, match=message):
        kernel[1, 1](np.zeros(1))


@of_the_cpu
@pytest.mark.skipif(not assembly.find_ptxas(), reason=assembly.NO_PTXAS)
def test_registers_of_a_kernel_that_is_linked():
    kernel = kernel_of(cuda.declare_device("f", "float64(float64)", cpu=twice))
    kernel.compile("void(float64[::1])")
    assert next(iter(kernel.get_regs_per_thread().values())) > 0


@of_the_cpu
def test_stages_hold_no_address(library, tmp_path):
    path = write_program(library, tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pyk", "--emit=pyk", path],
        capture_output=True,
        text=True,
        check=True,
    )
    assert '#pyk.foreign<numba, "mul", [none, none]>' in done.stdout
