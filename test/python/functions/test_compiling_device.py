# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.compile` of device functions: what CUDA C++ calls.

Here the host's C calls them: what LLVM IR says of their calls is the same on
each machine, so clang makes a library of it.
"""

import ctypes
import itertools
import math
import re
import shutil
import subprocess
import warnings

import pytest

from pyk import _core, cuda
from pyk.cuda import _compile, errors
from pyk.types import (
    boolean,
    complex64,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    void,
)
from support import assembly

PTXAS = assembly.find_ptxas()


def add(x, y):
    return x + y


def head(ptx):
    """The results and the parameters of the one function that others see."""
    (found,) = re.findall(r"\.visible \.func ([^{]*)\n{", ptx)
    assert ".entry" not in ptx
    return re.sub(r"\s+", " ", found).strip()


def c_head(name, result, *parameters):
    """What `head` gives for these types of PTX."""
    listed = ", ".join(
        f".param {kind.replace('#', f'{name}_param_{place}')}"
        for place, kind in enumerate(parameters)
    )
    given = f"(.param {result.replace('#', 'func_retval0')}) " if result else ""
    return f"{given}{name}( {listed} )"


WORD, LONG, HALF = ".b32 #", ".b64 #", ".align 2 .b8 #[2]"


@pytest.fixture
def in_c(monkeypatch, tmp_path):
    """Compiles for the host; gives the function of a name as C has it."""
    numbers = itertools.count()

    def build(function, signature, **options):
        texts = []
        stage_text = _compile.stage_text

        def keep(*args):
            texts.append(stage_text(*args[:3], "llvm", *args[4:]))
            return stage_text(*args)

        monkeypatch.setattr(_compile, "stage_text", keep)
        ptx, result = cuda.compile(function, signature, **options)
        name = re.search(r"(\w+)\(", head(ptx).partition(") ")[2] or head(ptx))
        lines = [
            line
            for line in texts[-1].splitlines()
            if not line.startswith(("target ", "source_filename"))
        ]
        path = tmp_path / f"{next(numbers)}.so"
        clang = shutil.which("clang-22") or shutil.which("clang")
        if clang is None:
            pytest.skip("there is no clang")
        subprocess.run(
            [clang, "-w", "-x", "ir", "-shared", "-fPIC", "-", "-o", path],
            input="\n".join(lines),
            text=True,
            check=True,
        )
        return getattr(ctypes.CDLL(str(path)), name[1]), result

    return build


@pytest.mark.parametrize(
    "declared, kind, other",
    [
        (float32, WORD, ctypes.c_float),
        (float64, LONG, ctypes.c_double),
        (int8, WORD, ctypes.c_int8),
        (int16, WORD, ctypes.c_int16),
        (uint8, WORD, ctypes.c_uint8),
        (int64, LONG, ctypes.c_int64),
        (boolean, WORD, ctypes.c_bool),
    ],
)
@pytest.mark.parametrize("abi", ["c", "numba"])
def test_numbers(declared, kind, other, abi, in_c):
    signature = declared(declared, declared)
    ptx, result = cuda.compile(add, signature, abi=abi)
    assert result == declared
    compiled, _ = in_c(add, signature, abi=abi)
    values = other(100), other(27)
    expected = other(other(100).value + other(27).value).value
    if abi == "c":
        assert head(ptx) == c_head("add", kind, kind, kind)
        compiled.restype = other
        compiled.argtypes = [other, other]
        assert compiled(*values) == expected
    else:
        assert head(ptx) == c_head("add", WORD, LONG, kind, kind)
        found = other(0)
        compiled.argtypes = [ctypes.c_void_p, other, other]
        assert compiled(ctypes.addressof(found), *values) == 0
        assert found.value == expected


# What fills the rest of a register is the sign, or zeros.
@pytest.mark.parametrize(
    "declared, load",
    [(int8, "s8"), (uint8, "b8"), (int16, "s16"), (boolean, "b32")],
)
def test_small_results_are_extended(declared, load):
    ptx, _ = cuda.compile(lambda x: x, declared(int32))
    assert re.search(rf"ld\.param\.{load} .*(%r\d), \[lambda_param_0\]", ptx)
    assert re.search(r"st\.param\.b32 .*\[func_retval0\], %r\d;", ptx)


def test_halves_are_structures():
    ptx, result = cuda.compile(add, (float16, float16))
    assert result == float16
    assert head(ptx) == c_head("add", HALF, HALF, HALF)


# Without a declared result it is what Python's arithmetic gives.
def test_result_left_open(in_c):
    compiled, result = in_c(add, (int32, int32))
    assert result == int64
    compiled.restype = ctypes.c_int64
    assert compiled(2**31 - 1, 1) == 2**31
    ptx, result = cuda.compile_ptx(lambda x: None, (int32,), device=True)
    assert result == void
    assert cuda.compile(add, "void(f8, f8)")[1] == void


def test_declared_result_is_cast(in_c):
    compiled, result = in_c(add, "int32(float64, float64)")
    assert result == int32
    compiled.argtypes = [ctypes.c_double] * 2
    assert compiled(1.75, 1.0) == 2


def test_no_parameters(in_c):
    compiled, result = in_c(lambda: 7, "int32()")
    assert result == int32 and compiled() == 7


def test_names():
    info = {"abi_name": "_Z3addff"}
    for compile in (cuda.compile, cuda.compile_ptx):
        ptx, _ = compile(
            add, (float32, float32), device=True, abi="c", abi_info=info
        )
        assert head(ptx) == c_head("_Z3addff", WORD, WORD, WORD)
    (ptx,), _ = cuda.compile_all(add, (float32, float32), output="ptx")
    assert head(ptx) == c_head("add", WORD, WORD, WORD)
    # PTX has no brackets in names.
    ptx, _ = cuda.compile(lambda x: x, (float32,))
    assert head(ptx) == c_head("lambda", WORD, WORD)


def test_checks_are_for_nobody_to_hear():
    def divide(x, y):
        return x // y

    signature = "int32(int32, int32)"
    plain, _ = cuda.compile(divide, signature)
    assert cuda.compile(divide, signature, debug=True)[0] == plain


def test_current_device():
    chip = cuda.get_current_device().chip
    args = (float32, float32)
    for compile in (
        cuda.compile_for_current_device,
        cuda.compile_ptx_for_current_device,
    ):
        ptx, result = compile(add, args, device=True, abi="c")
        assert f".target {chip}\n" in ptx and result == float32


@cuda.jit("int32(int32)", device=True)
def factorial(n):
    return n * factorial(n - 1) if n > 1 else 1


@cuda.jit(device=True)
def halved_factorial(n):
    return factorial(n) / 2


# It calls itself under its own name, not under that which others see.
def test_calls(in_c):
    compiled, result = in_c(factorial, "int32(int32)")
    assert result == int32 and compiled(5) == 120
    compiled, result = in_c(halved_factorial, (int8,))
    compiled.restype = ctypes.c_double
    assert result == float64 and compiled(5) == 60


@cuda.jit(device=True, debug=True)
def root(x):
    if x < 0:
        raise ValueError("negative")
    return x / 2


# Nobody hears of it but who calls.
def test_exceptions(in_c):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compiled, _ = in_c(root, (float64,), abi="numba", debug=True)
    compiled.argtypes = [ctypes.c_void_p, ctypes.c_double]
    found = ctypes.c_double(7)
    assert compiled(ctypes.addressof(found), -1.0) == 1
    assert found.value == 7
    assert compiled(ctypes.addressof(found), 3.0) == 0
    assert found.value == 1.5
    compiled, _ = in_c(root, (float64,), debug=True)
    compiled.restype = ctypes.c_double
    compiled.argtypes = [ctypes.c_double]
    assert compiled(5.0) == 2.5


def split(x, whole, part):
    whole[0] = int(x)
    part[0] = x - whole[0]
    return x > 0


def test_functions_for_c_take_addresses_of_any_memory(in_c):
    signature = "boolean(float32, CPointer(int32), CPointer(float32))"
    compiled, _ = in_c(split, signature)
    compiled.restype = ctypes.c_bool
    pointer = ctypes.c_void_p
    compiled.argtypes = [ctypes.c_float, pointer, pointer]
    whole, part = ctypes.c_int(7), ctypes.c_float(7)
    addresses = ctypes.addressof(whole), ctypes.addressof(part)
    assert compiled(2.75, *addresses)
    assert (whole.value, part.value) == (2, 0.75)
    assert not compiled(-3.5, *addresses)
    assert (whole.value, part.value) == (-3, -0.5)
    ptx, _ = cuda.compile(split, signature)
    assert "st.b32" in ptx and "st.global" not in ptx


def before(p, i):
    return p[i - 1]


def test_elements_in_front_of_an_address(in_c):
    compiled, _ = in_c(before, "int32(CPointer(int32), int32)")
    values = (ctypes.c_int * 4)(5, 6, 7, 8)
    compiled.argtypes = [ctypes.c_void_p, ctypes.c_int]
    place = ctypes.addressof(values) + 8
    assert [compiled(place, i) for i in range(-1, 3)] == [5, 6, 7, 8]


def threads(x):
    s = cuda.shared.array(32, float32)
    s[cuda.threadIdx.x] = math.sin(x)
    cuda.syncthreads()
    return s[31 - cuda.threadIdx.x] + cuda.grid(1)


@pytest.mark.skipif(not PTXAS, reason=assembly.NO_PTXAS)
@pytest.mark.parametrize("cc", [(8, 0), (9, 0), (10, 0)])
@pytest.mark.parametrize("abi", ["c", "numba"])
def test_ptxas(cc, abi):
    chip = "sm_{}{}".format(*cc)
    for function, signature in (
        (add, (float16, float16)),
        (add, boolean(uint8, boolean)),
        (factorial, "int32(int32)"),
        (root, (float32,)),
        (threads, (float32,)),
        (lambda: None, ()),
    ):
        ptx, _ = cuda.compile(function, signature, cc=cc, abi=abi, debug=True)
        assert assembly.assemble(PTXAS, chip, ptx, "-c") is None


@pytest.mark.parametrize(
    "function, signature, message",
    [
        (
            add,
            (float32[:], int32),
            "'add' cannot be called from C: it takes 'x'",
        ),
        (add, (complex64, int32), "expects integers, floats, bools and "),
        (
            lambda x: (x, x),
            (int32,),
            "returns a value of type tuple(int32, int32); expects an integer, "
            "a float, a bool or nothing",
        ),
    ],
)
def test_types_that_c_has_not(function, signature, message):
    with pytest.raises(errors.TypingError, match=re.escape(message)) as caught:
        cuda.compile(function, signature)
    assert caught.value.filename == __file__


def test_errors_of_a_signature():
    with pytest.raises(TypeError, match="has 1 types for the 2 parameters"):
        cuda.compile(add, (int32,))
    with pytest.raises(TypeError, match="has a '\\*' parameter"):
        cuda.compile(lambda *args: None, (int32,))


BUFFER = (
    b'{"version":2,"entries":[{"function":"f","arguments":[],"export":%s}],'
    b'"functions":{"f":{"name":"f","file":"f.py","parameters":[],"body":[]}}}'
)


# A buffer may come from anywhere.
@pytest.mark.parametrize(
    "export, message",
    [
        (b'"c"', "expects an object as 'export'"),
        (b"{}", "expects 'c' or 'numba' as 'abi' of 'export'"),
        (
            b'{"abi":"c","name":"llvm.x"}',
            "expects a name of C as 'name' of 'export'",
        ),
    ],
)
def test_malformed_buffers(export, message):
    with pytest.raises(errors.CompileError, match=message):
        _core.compile(source=BUFFER % export, target="cuda", emit="ptx")


# What is not launched cannot be.
def test_nothing_for_the_cpu():
    source = BUFFER % b'{"abi":"c"}'
    with pytest.raises(errors.CompileError, match="a kernel but got none"):
        _core.compile(source=source, target="cpu")
    assert (
        "@f()"
        in _core.compile(source=source, target="cuda", emit="gpu").emitted
    )
