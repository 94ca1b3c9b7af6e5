# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with `reproducible=True` store the same bits everywhere."""

import math
import platform
import re
from pathlib import Path

import numpy as np
import pytest

import reproducible
from pyk import _options, _ptx_machine, cuda, types
from pyk.cuda import errors, libdevice
from support.programs import run_without_toolkit as run

PROGRAM = Path(__file__).with_name("reproducible.py")

pytestmark = pytest.mark.on_the_cpu(reason="each test says what it runs on")

needs_ptx = pytest.mark.skipif(
    not _ptx_machine.is_built(),
    reason="the PTX machine is built with the runtime's tests alone",
)


@pytest.fixture(scope="module")
def expected():
    """The bits that single threads of the CPU store."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_options.options, "cpu", "reference")
        return reproducible.compute()


def expect_bits(tmp_path, expected, *options, **variables):
    file = tmp_path / "results.npz"
    done = run(*options, PROGRAM, file, **variables)
    assert (done.returncode, done.stderr) == (0, "")
    with np.load(file) as found:
        assert found.keys() == expected.keys()
        for name, results in expected.items():
            places = np.argwhere(found[name] != results)
            assert places.size == 0, (name, places[:5])


def test_vectors(tmp_path, expected):
    expect_bits(tmp_path, expected, "--cpu=simd")


@pytest.mark.skipif(
    platform.machine() != "x86_64", reason="another processor than x86-64"
)
def test_processor_without_fused_operations(tmp_path, expected):
    expect_bits(tmp_path, expected, PYK_CPU_LEVEL="x86-64-v2")


def test_threads_in_reverse(tmp_path, expected):
    expect_bits(tmp_path, expected, "--cpu=reversed")


@needs_ptx
@pytest.mark.parametrize("order", ["", "seed=3"])
def test_ptx(tmp_path, expected, order):
    expect_bits(tmp_path, expected, "--target=ptx-machine", PYK_STANDIN=order)


@needs_ptx
def test_ptx_with_a_toolkit(tmp_path, expected):
    """libdevice, which cannot even be read, is not asked."""
    damaged = tmp_path / "libdevice.10.bc"
    damaged.write_text("none")
    options = {"PYK_LIBDEVICE": str(damaged)}
    expect_bits(tmp_path, expected, "--target=ptx-machine", **options)


def test_nans_are_canonical(expected):
    for name, number in (("float32", np.float32), ("float64", np.float64)):
        nan = np.array(np.nan, number)
        quiet = nan.view(f"u{nan.itemsize}")
        found = expected[f"nans {name}"]
        is_nan = np.isnan(found.view(number))
        assert is_nan.any(axis=1).all()
        assert np.all(found[is_nan] == quiet)
        bits = expected[f"bits {name}"]
        assert np.all((bits == quiet) | (bits == 0))


def test_products_are_rounded():
    x, y = reproducible.operands(np.float32)

    @cuda.jit(reproducible=True)
    def kernel(out, x, y):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] * y[i] + y[i]

    out = np.zeros_like(x)
    kernel[8, 128](out, x, y)
    with np.errstate(all="ignore"):
        assert np.array_equal(out, x * y + y, equal_nan=True)


def test_approximations_are_none():
    def divide(a):
        a[0] = a[1] / a[2] + math.tanh(a[1])

    signature = (types.float32[::1],)
    fast = cuda.jit(fastmath=True)(divide)
    fast.compile(signature)
    assert ".approx" in fast.inspect_asm(signature)
    same = cuda.jit(fastmath=True, reproducible=True)(divide)
    same.compile(signature)
    text = same.inspect_asm(signature)
    assert ".approx" not in text and ".ftz" not in text
    assert "div.rn.f32" in text


def test_ptx_for_others():
    def divide(x, y):
        return math.exp(x) / y

    def of(**options):
        signature = "float32(float32, float32)"
        return cuda.compile_ptx(divide, signature, device=True, **options)[0]

    assert ".approx" in of(fastmath=True)
    text = of(fastmath=True, reproducible=True)
    assert ".approx" not in text and "0f7FC00000" in text


#: What has other bits elsewhere, and the text of the error.
ERRORS = [
    (
        "libdevice.fast_fdividef(np.float32(a[0]), np.float32(a[0]))",
        "cannot call 'fast_fdividef': its bits differ",
    ),
    (
        "libdevice.saturatef(np.float32(a[0]))",
        "cannot call 'saturatef': its bits differ",
    ),
    ("cuda.atomic.add(a, 0, 1.5)", "cannot add floats atomically"),
    ("cuda.atomic.sub(a, 0, 1.5)", "cannot add floats atomically"),
]

TEXT = """\
import math
import numpy as np
from pyk import cuda
from pyk.cuda import libdevice
@cuda.jit{option}
def kernel(a):
    a[1] = {expression}
kernel[1, 1](np.ones(2))
print("done")
"""


@pytest.mark.parametrize("target", ["cpu", "ptx-machine"])
@pytest.mark.parametrize("expression, text", ERRORS)
def test_errors(tmp_path, target, expression, text):
    if target != "cpu" and not _ptx_machine.is_built():
        pytest.skip("the PTX machine is not built")
    program = tmp_path / "program.py"
    program.write_text(
        TEXT.format(option="(reproducible=True)", expression=expression)
    )
    done = run(f"--target={target}", program)
    assert done.returncode == 1
    assert re.search(
        rf"program.py:7:\d+: error: reproducible kernels {text}", done.stderr
    )


@pytest.mark.parametrize(
    "option, arguments, variables, is_error",
    [
        ("", [], {}, False),
        ("", ["--reproducible"], {}, True),
        ("", [], {"PYK_REPRODUCIBLE": "1"}, True),
        ("(reproducible=True)", [], {"PYK_REPRODUCIBLE": "0"}, True),
        ("(reproducible=False)", ["--reproducible"], {}, False),
        ("(reproducible=None)", ["--reproducible"], {}, True),
    ],
)
def test_ways_to_ask(tmp_path, option, arguments, variables, is_error):
    program = tmp_path / "program.py"
    program.write_text(TEXT.format(option=option, expression=ERRORS[-1][0]))
    done = run("--target=cpu", *arguments, program, **variables)
    assert ("reproducible kernels cannot" in done.stderr) == is_error
    assert (done.stdout == "done\n") == (not is_error)


def test_the_kernel_decides():
    with pytest.warns(Warning, match="reproducible=True .* device function"):

        @cuda.jit(device=True, reproducible=True)
        def inner(x):
            return libdevice.fast_fdividef(x, x)

    @cuda.jit
    def kernel(a):
        a[0] = inner(a[0])

    kernel[1, 1](np.ones(1))
    with pytest.raises(
        errors.LoweringError, match="cannot call 'fast_fdividef'"
    ):
        cuda.jit(reproducible=True)(kernel.py_func)[1, 1](np.ones(1))


REDUCTION = """\
import numpy as np
import pyk
from pyk import cuda
values = np.random.default_rng(1).normal(0, 1, 5000).astype(np.float32)
values *= np.float32(10) ** (np.arange(5000) % 9)
add = pyk.vectorize(["float32(float32, float32)"], target="cuda")(
    lambda a, b: a + b
)
for count in (1, 100, 600, 5000):
    some = values[:count]
    total = cuda.reduce(lambda a, b: a + b)(some)
    print(np.float32(total).tobytes().hex(), add.reduce(some).tobytes().hex())
"""


@needs_ptx
def test_reductions(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(REDUCTION)
    here = run("--reproducible", "--target=cpu", program)
    there = run("--reproducible", "--target=ptx-machine", program)
    assert (here.returncode, there.returncode) == (0, 0)
    assert here.stdout == there.stdout
    assert here.stdout.count("\n") == 4


def test_wrong_value():
    with pytest.raises(TypeError, match="reproducible expects True or False"):
        cuda.jit(reproducible="yes")
