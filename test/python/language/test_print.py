# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What kernels print: the text of each kind of value, and where it appears."""

import contextlib
import io
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from support.programs import lines_of, run_program

NAME = "x%d"


@cuda.jit(device=True)
def show(value):
    print("value", value)
    return value


def printed(capfd: pytest.CaptureFixture[str]) -> list[str]:
    cuda.synchronize()
    return capfd.readouterr().out.splitlines()


@pytest.mark.on_the_cpu(reason="threads of a GPU print in any order")
def test_kinds_of_values(capfd: pytest.CaptureFixture[str]) -> None:
    @cuda.jit
    def k(big, real, flag):
        print()
        print("text", NAME, "100%", "")
        print(1, -2, big[0], 2.5, True, real > 2, flag)
        print(cuda.threadIdx, cuda.blockDim, cuda.blockIdx.x)

    big = np.array([2**64 - 1], np.uint64)
    k[1, (1, 2)](big, 1.5, np.bool_(True))
    first = [
        "",
        "text x%d 100% ",
        "1 -2 18446744073709551615 2.500000 True False True",
        "(0, 0, 0) (1, 2, 1) 0",
    ]
    second = [*first[:3], "(0, 1, 0) (1, 2, 1) 0"]
    assert printed(capfd) == first + second


@pytest.mark.parametrize("sign", ["int", "uint"])
@pytest.mark.parametrize("bits", [8, 16, 32, 64])
def test_integers(
    sign: str, bits: int, capfd: pytest.CaptureFixture[str]
) -> None:
    @cuda.jit
    def k(a):
        print(a[0], a[1])

    info = np.iinfo(f"{sign}{bits}")
    k[1, 1](np.array([info.min, info.max], info.dtype))
    assert printed(capfd) == [f"{info.min} {info.max}"]


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_floats(dtype: type, capfd: pytest.CaptureFixture[str]) -> None:
    @cuda.jit
    def k(a):
        print(a[0], a[1], a[2], a[3])

    k[1, 1](np.array([0.1, -65504, np.nan, -np.inf], dtype))
    assert printed(capfd) == [f"{float(dtype(0.1)):f} -65504.000000 nan -inf"]


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
def test_complex_numbers(
    dtype: type, capfd: pytest.CaptureFixture[str]
) -> None:
    """Between parentheses, as Python writes them, with the digits of floats."""

    @cuda.jit
    def k(a):
        print("z =", a[0], a[1], a[2].conjugate())

    k[1, 1](np.array([1.5 - 2.25j, complex(-np.inf, np.nan), -0.5j], dtype))
    assert printed(capfd) == [
        "z = (1.500000-2.250000j) (-inf+nanj) (-0.000000+0.500000j)"
    ]


def test_tuples(capfd: pytest.CaptureFixture[str]) -> None:
    @cuda.jit
    def k(a, t):
        print("t =", t, (a[0],), (), (True, (a[1], 2.5)), a.shape)

    k[1, 1](np.array([1, 2], np.int8), (1, ((2, 4), 3.0), (4,), 1j))
    assert printed(capfd) == [
        "t = (1, ((2, 4), 3.000000), (4,), (0.000000+1.000000j)) "
        "(1,) () (True, (2, 2.500000)) (2,)"
    ]


@pytest.mark.on_the_cpu(reason="threads of a GPU print in any order")
def test_device_functions_and_branches(
    capfd: pytest.CaptureFixture[str],
) -> None:
    @cuda.jit
    def k(n):
        i = cuda.grid(1)
        for j in range(n):
            if i == j:
                print("at", i)
            elif j == 0:
                show(i * 0.5)

    k[3, 1](2)
    assert printed(capfd) == [
        "at 0",
        "value 0.500000",
        "at 1",
        "value 1.000000",
    ]


@pytest.mark.on_the_cpu(reason="threads of a GPU print in any order")
def test_threads_print_whole_lines_in_order(
    capfd: pytest.CaptureFixture[str],
) -> None:
    @cuda.jit
    def k():
        print("thread", cuda.grid(1), "of", cuda.gridsize(1))

    k[100, 64]()
    assert printed(capfd) == [f"thread {i} of 6400" for i in range(6400)]


def test_order_around_barriers(capfd: pytest.CaptureFixture[str]) -> None:
    @cuda.jit
    def k():
        print("before", cuda.threadIdx.x)
        cuda.syncthreads()
        print("after", cuda.threadIdx.x)

    k[1, 2]()
    assert printed(capfd) == ["before 0", "before 1", "after 0", "after 1"]


@pytest.mark.on_the_cpu(reason="a GPU prints once it is waited for")
@pytest.mark.parametrize("checks", [False, True])
def test_place_among_what_the_host_prints(checks: bool, tmp_path: Path) -> None:
    program = f"""
    import numpy as np
    from numba import cuda

    @cuda.jit(boundscheck={checks})
    def k(a, n):
        a[a[n]] = 0
        print("kernel", n)

    a = np.zeros(3, np.int64)

    print("host 1")
    k[1, 1](a, 1)
    print("host 2")
    stream = cuda.stream()
    k[1, 1, stream](a, 2)
    stream.synchronize()
    print("host 3")
    """
    # Otherwise the host prints at once.
    done = run_program(tmp_path, program, "-m", "pyk", PYTHONUNBUFFERED="")
    assert lines_of(done) == [
        *("host 1", "kernel 1", "host 2", "kernel 2", "host 3"),
    ]


def test_no_standard_output(monkeypatch: pytest.MonkeyPatch) -> None:
    @cuda.jit
    def k(a):
        print(a[0])
        a[0] = 2

    a = np.ones(1)
    monkeypatch.setattr(sys, "stdout", None)
    k[1, 1](a)
    assert a[0] == 2


#: Overwrites what is freed.
POISON = {"PYTHONMALLOC": "debug", "MALLOC_PERTURB_": "165"}


def test_flush_that_unloads_the_kernel(tmp_path: Path) -> None:
    """A launch keeps what it runs, whatever the program does meanwhile."""
    program = """
    import sys
    import numpy as np
    from pyk import cuda

    @cuda.jit
    def k(a, n):
        print("kernel", n)
        a[0] = n

    class Output:
        def write(self, text):
            pass

        def flush(self):
            k._unload(cuda.get_current_device())
            k._variants.modules.clear()
            unloaded.append(k._count())

    a, unloaded, output = np.zeros(1), [], sys.stdout
    k[1, 1](a, 0)
    for n in range(1, 4):
        # Warm: the next launch finds the kernel in the extension.
        k[1, 1](a, 0)
        sys.stdout = sys.__stdout__ = Output()
        k[1, 1](a, n)
        sys.stdout = sys.__stdout__ = output
        assert a[0] == n
    print(unloaded)
    """
    done = run_program(tmp_path, program, **POISON)
    assert "[0, 0, 0]" in lines_of(done)


def test_flush_that_resets_the_device(tmp_path: Path) -> None:
    """A launch keeps its stream, too; the device that was lost is an error."""
    program = """
    import sys
    import numpy as np
    from pyk import cuda

    @cuda.jit
    def k(a):
        print("kernel")
        a[0] += 1

    class Output:
        def write(self, text):
            pass

        def flush(self):
            cuda.close()
            cuda.device_array(1)

    a, output = np.zeros(1), sys.stdout
    k[1, 1](a)
    k[1, 1](a)
    sys.stdout = sys.__stdout__ = Output()
    try:
        k[1, 1](a)
    except cuda.cudadrv.driver.CudaAPIError as error:
        sys.stdout = sys.__stdout__ = output
        print("error", error)
    """
    lines = lines_of(run_program(tmp_path, program, **POISON))
    error = re.compile(r"error .*(cpu device|cuda device 0) was reset")
    assert any(map(error.match, lines)), lines


@pytest.mark.parametrize("count", [32, 33, 64, 65, 100])
def test_many_values(count: int, capfd: pytest.CaptureFixture[str]) -> None:
    names = ", ".join(["n"] * (count - 1))
    exec(f"def k(n):\n    print('x', {names}, 1 + 2j, n > 7)", scope := {})
    cuda.jit(scope["k"])[2, 40](7)
    line = "x" + " 7" * (count - 1) + " (1.000000+2.000000j) False"
    assert printed(capfd) == [line] * 80


def test_short_lines_beside_long_ones(
    capfd: pytest.CaptureFixture[str],
) -> None:
    values = tuple(range(100))

    @cuda.jit
    def k():
        i = cuda.grid(1)
        if i % 3 == 0:
            print(i, values, i % 3, "%")
        else:
            print("short", i)

    k[3, 33]()
    lines = [
        f"{i} {values} 0 %" if i % 3 == 0 else f"short {i}" for i in range(99)
    ]
    assert sorted(printed(capfd)) == sorted(lines)


def test_tuple_of_many_values(capfd: pytest.CaptureFixture[str]) -> None:
    values = tuple(range(70))

    @cuda.jit
    def k():
        print(values, cuda.threadIdx)

    k[1, 1]()
    assert printed(capfd) == [f"{values} (0, 0, 0)"]


def test_ptx_of_many_values() -> None:
    @cuda.jit("void(int64)")
    def k(n):
        i = cuda.threadIdx
        print(i, i, i, i, i, i, i, i, i, i, i)

    (ptx,) = k.inspect_asm().values()
    assert len(re.findall(r"call\.uni .*vprintf,", ptx)) == 2
    # Of others, no thread waits.
    assert "nanosleep" in ptx

    @cuda.jit("void(int64)")
    def short(n):
        print(cuda.threadIdx)

    (ptx,) = short.inspect_asm().values()
    assert "nanosleep" not in ptx


@cuda.jit
def say(a):
    print("é", cuda.grid(1))
    a[0] = 1


@pytest.mark.on_the_cpu(reason="a GPU's driver prints by itself")
def test_print_that_is_redirected(capfd: pytest.CaptureFixture[str]) -> None:
    a = np.zeros(1)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        print("before")
        say[1, 2](a)
        print("between")
        say[1, 1](a)
    assert output.getvalue() == "before\né 0\né 1\nbetween\né 0\n"
    assert capfd.readouterr().out == ""


@pytest.mark.on_the_cpu(reason="a GPU's driver prints by itself")
def test_print_is_where_standard_output_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say[1, 1](np.zeros(1))
    assert capsys.readouterr().out == "é 0\n"
    # On a stream, when it was waited for.
    stream = cuda.stream()
    there = cuda.to_device(np.zeros(1))
    with contextlib.redirect_stdout(io.StringIO()) as output:
        say[1, 1, stream](there)
        stream.synchronize()
    assert output.getvalue() == "é 0\n"


@pytest.mark.on_the_cpu(reason="a GPU's driver prints by itself")
def test_standard_output_that_fails() -> None:
    class Output(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError("full")

    a = np.zeros(1)
    with contextlib.redirect_stdout(Output()):
        with pytest.raises(OSError, match="full"):
            say[1, 1](a)
    assert a[0] == 1
    with contextlib.redirect_stdout(io.StringIO()) as output:
        say[1, 1](a)
    assert output.getvalue() == "é 0\n"


def test_what_a_program_leaves_is_printed_at_its_end(tmp_path: Path) -> None:
    program = """
    import io, sys
    import numpy as np
    from pyk import cuda

    @cuda.jit
    def k(a):
        print("kernel")

    a, stream = cuda.to_device(np.zeros(1)), cuda.stream()
    standard, sys.stdout = sys.stdout, io.StringIO()
    k[1, 1, stream](a)
    sys.stdout = standard
    """
    assert lines_of(run_program(tmp_path, program)) == ["kernel"]
