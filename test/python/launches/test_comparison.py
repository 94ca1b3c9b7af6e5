# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches that are compared with other ways to run them."""

import os
import subprocess
import sys
import textwrap

import numpy as np
import pytest

from pyk import _ptx_machine
from pyk.cuda import _comparison
from support.places import EXAMPLES

needs_machine = pytest.mark.skipif(
    not _ptx_machine.is_built(),
    reason="the PTX machine is built with the runtime's tests alone",
)


def run(program, tmp_path, *options, **variables):
    """What a program with the usual imports does."""
    path = tmp_path / "program.py"
    path.write_text(
        "import numpy as np\nfrom pyk import cuda\n" + textwrap.dedent(program)
    )
    environment = {**os.environ, **variables}
    for name in ("PYK_TARGET", "PYK_LIBCUDA", "PYK_STANDIN", "PYK_CPU"):
        if name not in variables:
            environment.pop(name, None)
    return subprocess.run(
        [sys.executable, "-m", "pyk", *options, str(path)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    )


def compared(program, tmp_path, *options, **variables):
    return run(program, tmp_path, "--compare", *options, **variables)


RACE = """
@cuda.jit
def shift(a):
    i = cuda.grid(1)
    if i + 1 < a.size:
        a[i] = a[i + 1]

a = np.arange(64)
shift[2, 32](a)
"""


def test_race_is_an_error_at_its_launch(tmp_path):
    result = compared(RACE, tmp_path)
    assert result.returncode == 1
    last = result.stderr.splitlines()[-1]
    assert last.startswith(
        "pyk.cuda.errors.CompareError: kernel 'shift' depends on the order of "
        "its threads: a["
    )
    assert "in reverse" in last
    assert "elements of a differ" in last
    assert "program.py" in result.stderr
    assert "shift[2, 32](a)" in result.stderr
    assert "site-packages" not in result.stderr
    assert "_comparison.py" not in result.stderr


def test_variable_asks_for_it_too(tmp_path):
    result = run(RACE, tmp_path, PYK_COMPARE="1")
    assert result.returncode == 1
    assert "CompareError" in result.stderr
    assert run(RACE, tmp_path, PYK_COMPARE="0").returncode == 0


def test_results_are_those_of_the_launch(tmp_path):
    result = compared(
        """
        counts = cuda.to_device(np.zeros(4, np.int32))

        @cuda.jit
        def k(a, counts, totals):
            i = cuda.grid(1)
            part = cuda.shared.array(32, np.float64)
            t = cuda.threadIdx.x
            part[t] = a[i]
            cuda.syncthreads()
            a[i] = part[31 - t] + 1
            cuda.atomic.add(counts, i % 4, 1)
            cuda.atomic.add(totals, 0, part[t])
            print('once', i)

        a = np.arange(64.0)
        totals = np.zeros(1)
        for _ in range(2):
            k[2, 32](a, counts, totals)
        print(a.sum(), counts.copy_to_host(), totals)
        """,
        tmp_path,
    )
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert lines.count("once 5") == 2
    assert len(lines) == 2 * 64 + 1
    # Of two launches: 0 + ... + 63, and that with 1 added to each.
    assert lines[-1] == "2144.0 [32 32 32 32] [4096.]"


@needs_machine
def test_machine_is_one_of_the_ways(tmp_path):
    result = compared(
        """
        from pyk.cuda import _comparison, _devices
        print([way.name for way in _comparison.ways(_devices.current())])
        print(_devices.current().is_cpu)
        """,
        tmp_path,
    )
    names = result.stdout.splitlines()[0]
    assert "'as PTX'" in names
    assert "'as PTX with threads in a random order'" in names
    assert "'one thread after the other in reverse'" in names
    assert "as vectors" not in names
    assert result.stdout.splitlines()[1] == "True"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        # A neighbour's value before, or after, it was stored.
        ("a[i] = 1; b[i] = a[(i + 1) % 32]", "b["),
        # The thread that comes last.
        ("a[0] = i", "a[0] is 31 as launched, but 0 "),
        # The order of an atomic counter.
        ("a[i] = cuda.atomic.add(b, 0, 1)", "a[0] is 0 as launched, but 31 "),
    ],
)
def test_race(body, message, tmp_path):
    result = compared(
        f"""
        @cuda.jit
        def k(a, b):
            i = cuda.grid(1)
            {body}

        k[1, 32](np.zeros(32, np.int64), np.zeros(32, np.int64))
        """,
        tmp_path,
    )
    assert message in result.stderr.splitlines()[-1]


def test_records_tuples_and_views(tmp_path):
    result = compared(
        """
        record = np.dtype([('x', 'i4'), ('y', 'f8', (2,))])

        @cuda.jit
        def k(r, pair, last):
            i = cuda.grid(1)
            r[i].x += 1
            pair[0][i] += pair[1][i]
            last[0] = i

        r = np.zeros(32, record)
        values = np.arange(96)
        device = cuda.to_device(np.zeros((4, 4), 'c8'))
        k[1, 32](r, (values[::3], values[1::3]), device[2:, 1])
        """,
        tmp_path,
    )
    assert result.stderr.splitlines()[-1].endswith(
        "last[0] is (31+0j) as launched, but 0j one thread after the other in "
        "reverse; 1 of 2 elements of last differ"
    )


def test_arrays_that_overlap_are_compared_as_they_lie(tmp_path):
    result = compared(
        """
        @cuda.jit
        def add(a, b):
            i = cuda.grid(1)
            cuda.atomic.add(a, i % 2, 1)
            cuda.atomic.add(b, i % 3, 1)

        a = np.zeros(8, np.int64)
        add[1, 32](a, a[1:])
        d = cuda.to_device(np.zeros(8, np.int64))
        add[1, 32](d[2:], d)
        print(a, d.copy_to_host())
        """,
        tmp_path,
    )
    assert result.stderr == ""
    first, second = "[16 27 11 10  0  0  0  0]", "[11 11 26 16  0  0  0  0]"
    assert result.stdout == f"{first} {second}\n"


def test_captured_array(tmp_path):
    result = compared(
        """
        there = cuda.to_device(np.zeros(2, np.int64))

        @cuda.jit
        def k(a):
            i = cuda.grid(1)
            cuda.atomic.add(there, 0, 1)
            if a[0]:
                there[1] = i

        k[1, 32](np.zeros(1))
        print(there.copy_to_host())
        k[1, 32](np.ones(1))
        """,
        tmp_path,
    )
    assert result.stdout == "[32  0]\n"
    lines = result.stderr.splitlines()
    assert (
        "an array that the kernel captures[1] is 31 as launched, but 0"
        in lines[-1]
    )
    if _ptx_machine.is_built():
        assert lines[0] == (
            "pyk: comparing: kernel 'k' is not run as PTX: it captures a "
            "device array"
        )


def test_exceptions_are_compared(tmp_path):
    program = """
    @cuda.jit(debug=True, opt=False)
    def k(a):
        i = cuda.grid(1)
        if i == 3 and a[{index}] == 5:
            raise ValueError('five')
        a[31 - i] = 5

    a = np.zeros(32)
    a[3] = {first}
    k[1, 32](a)
    """
    same = compared(program.format(index=3, first=5), tmp_path)
    assert same.stderr.splitlines()[-1].endswith(": five")
    other = compared(program.format(index=30, first=0), tmp_path)
    assert other.returncode == 1
    assert "it raises ValueError (" in other.stderr
    assert "as launched, but nothing one thread after the other in reverse" in (
        other.stderr
    )


@needs_machine
def test_access_far_outside_is_found_by_the_machine(tmp_path):
    result = compared(
        """
        import warnings
        warnings.simplefilter('ignore')

        @cuda.jit
        def k(a):
            a[cuda.grid(1) + 2**20] = 1

        k[1, 32](np.zeros(32))
        """,
        tmp_path,
    )
    last = result.stderr.splitlines()[-1]
    assert "kernel 'k' has other results on a GPU: it raises nothing" in last
    assert "as launched, but CudaAPIError" in last
    assert last.endswith("as PTX")


@needs_machine
def test_program_on_the_machine_is_compared_with_the_cpu(tmp_path):
    result = compared(RACE, tmp_path, "--target=ptx-machine")
    assert "CompareError" in result.stderr
    right = compared(
        """
        @cuda.jit
        def k(a):
            i = cuda.grid(1)
            a[i] = i

        d = cuda.device_array(32)
        k[1, 32](d)
        a = np.zeros(32)
        k[1, 32](a)
        print((a == d.copy_to_host()).all(), cuda.get_current_device().is_cpu)
        """,
        tmp_path,
        "--target=ptx-machine",
    )
    assert right.stderr == ""
    assert right.stdout == "True False\n"


def test_options_that_do_not_go_with_it(tmp_path):
    result = compared(RACE, tmp_path, "--time")
    assert result.returncode == 2
    assert result.stderr == (
        "pyk-run: error: option --compare does not go with --time\n"
    )


def differs(first, second, before=None):
    first, second = np.asarray(first), np.asarray(second)
    before = np.zeros_like(first) if before is None else before
    return _comparison.differing(first, second, before).tolist()


def test_what_is_equal():
    assert differs([1, 2], [1, 3]) == [False, True]
    assert differs([1.0, np.nan, np.inf], [1.0, np.nan, -np.inf]) == [
        False,
        False,
        True,
    ]
    # Half of the digits.
    assert differs([1.0], [1 + 1e-9]) == [False]
    assert differs([1.0], [1 + 1e-7]) == [True]
    assert differs(np.float32([1.0]), np.float32([1.0001])) == [False]
    assert differs(np.float32([1.0]), np.float32([1.001])) == [True]
    # What a sum of large terms leaves.
    assert differs([1e-16], [0.0], np.array([1.0])) == [False]
    assert differs([1e-10], [0.0], np.array([1.0])) == [True]
    assert differs([1 + 1e-9j], [1 + 2e-9j]) == [False]
    assert differs([1 + 1j], [1 + 2j]) == [True]
    assert differs(np.array(["NaT"], "M8[s]"), np.array(["NaT"], "M8[s]")) == [
        False
    ]
    assert differs(np.array([b"ab"]), np.array([b"ac"])) == [True]
    record = np.dtype([("x", "i4"), ("y", "f4", (2,))])
    one, other = np.zeros(2, record), np.zeros(2, record)
    other["y"][1, 1] = 3
    assert differs(one, other) == [False, True]
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for name in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        kind = getattr(ml_dtypes, name)
        small = np.array([1, 2, 10], kind)
        assert differs(small, small) == [False] * 3
        assert differs(small, -small) == [True] * 3
        assert differs(small, np.array([2, 4, 20], kind)) == [True] * 3


def test_large_elements_hide_nothing():
    large = np.array([1e30, 1.0, np.finfo(np.float64).max])
    other = large.copy()
    other[1] = 2
    assert differs(large, other, large) == [False, True, False]


def test_host_threads(tmp_path):
    result = compared(
        """
        import sys, threading

        @cuda.jit
        def add(a):
            cuda.atomic.add(a, 0, 1)
            print('kernel')

        a = np.zeros(1, np.int64)

        def work():
            for _ in range(5):
                add[1, 32](a)
                sys.stdout.write('host\\n')

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(a, sys.stdout is sys.__stdout__)
        """,
        tmp_path,
    )
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert (lines.count("host"), lines.count("kernel")) == (15, 480)
    assert lines[-1] == "[480] True"


def test_processes_that_a_program_starts(tmp_path):
    result = compared(
        """
        import subprocess, sys

        @cuda.jit
        def k(a):
            a[cuda.grid(1)] = 1

        k[1, 1](np.zeros(1))
        subprocess.run([sys.executable, '-c', (
            'from pyk import cuda;'
            'print(cuda.get_current_device().is_cpu)')])
        """,
        tmp_path,
    )
    assert (result.stdout, result.stderr) == ("True\n", "")


@pytest.mark.parametrize(
    "target", ["cpu", pytest.param("ptx-machine", marks=needs_machine)]
)
def test_usual_programs(target, tmp_path):
    """What differs for other reasons than the order is no difference."""
    result = compared(
        """
        import math
        from pyk.cuda import InOut, Out, In

        there = cuda.to_device(np.zeros(1, np.int64))
        N = 1

        @cuda.jit('void(int64[:], float64[:], float32[:])')
        def k(a, b, c):
            i = cuda.grid(1)
            a[i] = N
            b[i] = math.sin(c[i]) * math.exp(c[i])

        @cuda.jit
        def half(a, b, c):
            i = cuda.grid(1)
            if i % 2:
                a[i] = b[i]
            b[i] = 0
            c[i] += 1
            cuda.atomic.add(there, 0, 1)

        N = 2
        a = np.zeros(64, np.int64)
        k[2, 32](a, np.zeros(64), np.linspace(-3, 3, 64, dtype=np.float32))
        print(a.min(), a.max())
        b, c = np.arange(64.0), np.zeros(64)
        for _ in range(2):
            half[2, 32](Out(np.zeros(64)), In(b), InOut(c))
        print(b.sum(), c.sum(), there.copy_to_host())
        """,
        tmp_path,
        f"--target={target}",
    )
    assert [
        line for line in result.stderr.splitlines() if "it captures" not in line
    ] == []
    assert result.stdout == "1 1\n2016.0 128.0 [128]\n"


@needs_machine
def test_order_of_the_machine_stays(tmp_path):
    result = compared(
        """
        @cuda.jit
        def order(a, count):
            a[cuda.grid(1)] = cuda.atomic.add(count, 0, 1)

        @cuda.jit
        def k(a):
            a[cuda.grid(1)] = 1

        from pyk._options import options
        found = []
        for _ in range(2):
            options.compare = False
            a = np.zeros(256, np.int64)
            order[4, 64](a, np.zeros(1, np.int64))
            found.append(a)
            options.compare = True
            k[1, 1](np.zeros(1))
        print((found[0] == found[1]).all())
        """,
        tmp_path,
        "--target=ptx-machine",
    )
    assert (result.stdout, result.stderr) == ("True\n", "")


def test_memory_that_cannot_be_copied(tmp_path):
    result = compared(
        """
        @cuda.jit
        def k(a, n):
            n[0] = a.size

        some = np.zeros(8, np.uint8)
        endless = np.lib.stride_tricks.as_strided(some, (2,), (2**46,))
        n = some.view(np.int64)  # Anywhere else it may lie behind or in front.
        k[1, 1](endless, n)
        print(n)
        """,
        tmp_path,
    )
    assert result.stdout == "[2]\n"
    assert result.stderr == (
        "pyk: comparing: kernel 'k' is not compared: its arrays span "
        f"{2**46 + 1} bytes of memory\n"
    )


def test_pointers_are_left_out(tmp_path):
    result = compared(
        """
        from numba import types

        @cuda.jit(types.void(types.CPointer(types.int64)))
        def k(p):
            p[cuda.grid(1)] = 1

        a = np.zeros(2, np.int64)
        k[1, 2](a)
        print(a)
        """,
        tmp_path,
    )
    assert result.stdout == "[1 1]\n"
    assert result.stderr == (
        "pyk: comparing: kernel 'k' is not compared: it takes an address\n"
    )


@needs_machine
def test_ways_for_which_a_kernel_does_not_compile(tmp_path):
    """A libdevice that cannot be read is an error of PTX alone."""
    result = compared(
        """
        import math

        @cuda.jit
        def k(a, last):
            i = cuda.grid(1)
            a[i] = math.sin(a[i])
            if last[1]:
                last[0] = i

        k[1, 4](np.zeros(4), np.zeros(2))
        print('no difference')
        k[1, 4](np.zeros(4), np.ones(2))
        """,
        tmp_path,
        PYK_LIBDEVICE="/no/where",
    )
    assert result.stdout == "no difference\n"
    lines = result.stderr.splitlines()
    assert lines[0].startswith("pyk: comparing: kernel 'k' is not run as PTX: ")
    assert "which PYK_LIBDEVICE names as libdevice" in lines[0]
    # Others run all the same.
    assert "CompareError" in lines[-1]
    assert "one thread after the other in reverse" in lines[-1]


@pytest.mark.long
@pytest.mark.parametrize(
    "example", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem
)
def test_examples_do_not_depend_on_the_order(example):
    result = subprocess.run(
        [sys.executable, "-m", "pyk", "--compare", str(example)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
