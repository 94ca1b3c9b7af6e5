# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m pyk`: its options, and what a program sees."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pyk
from pyk import __main__
from support.places import ROOT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expects a program; see --help"),
        (["nowhere.py"], "cannot read 'nowhere.py': No such file or directory"),
        (["."], "cannot read '.': Is a directory"),
        (["--foo", "program.py"], "unknown option '--foo'"),
        (["-x", "program.py"], "unknown option '-x'"),
        (
            ["--time=3", "program.py"],
            "option --time expects no value but got '3'",
        ),
        (
            ["--emti=ptx", "program.py"],
            "unknown option '--emti'; did you mean '--emit'?",
        ),
        (
            ["--grid=1", "program.py"],
            "option --grid is for .mlir files only; a program launches its "
            "own kernels",
        ),
        (
            ["--emit=cubin", "program.py"],
            "option --emit=cubin is for .mlir files only",
        ),
        (
            ["--dump-stages=", "program.py"],
            "option --dump-stages expects a value",
        ),
        (["--emit=ptx", "-o", "", "program.py"], "option -o expects a value"),
        ([""], "cannot read '': No such file or directory"),
        (
            ["kernel.mlir"],
            "expects a Python program but got 'kernel.mlir'; pyk-run runs a "
            "kernel in MLIR",
        ),
        (["--emit"], "option --emit expects a value"),
        (["-m"], "option -m expects a value"),
        (
            ["--target=tpu", "program.py"],
            "option --target expects one of auto, cpu, cuda, ptx-machine but "
            "got 'tpu'",
        ),
        (
            ["--emit", "asm", "program.py"],
            "option --emit expects one of py, pyk, gpu, nvvm, llvm, ptx, "
            "checked, simd, host, threads, reference, artifact but got 'asm'",
        ),
        (["-o", "x", "program.py"], "option -o expects --emit=STAGE as well"),
        (
            ["--cpu-level=armv8-a", "program.py"],
            "option --cpu-level expects --emit=STAGE as well",
        ),
        (
            ["--emit=py", "-o", "no/where", "program.py"],
            "cannot write 'no/where': No such file or directory",
        ),
        (
            ["--dump-stages=program.py/no", "program.py"],
            "option --dump-stages expects a folder to write to but got "
            "'program.py/no': Not a directory",
        ),
    ],
)
def test_usage_error(run, arguments, message):
    result = run(*arguments, program="print('not reached')\n")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == f"pyk-run: error: {message}\n"


def test_every_option_of_pyk_run_is_known(run):
    rows = (ROOT / "include/pyk/Tools/PykRun.def").read_text()
    options = re.findall(
        r'^PYK_RUN_OPTION\("(.*?)", "(.*?)", (\w+)', rows, re.M
    )
    assert len(options) > 15
    for spelling, value, group in options:
        assert (spelling in __main__._MLIR_ONLY) == (group == "Mlir")
        assert (spelling in __main__._VALUES) == (
            group != "Mlir" and value != ""
        )
        assert (spelling in __main__._FLAGS) == (
            group != "Mlir" and value == ""
        )
    aliases = re.findall(r'^PYK_RUN_ALIAS\("(.*?)", "(.*?)"\)', rows, re.M)
    assert dict(aliases) == __main__._ALIASES


def test_unknown_chip_is_a_usage_error(run):
    result = run("--chip=bogus", "program.py", program="print('not reached')\n")
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith(
        "pyk-run: error: option --chip expects a chip of sm_75, "
    )
    assert result.stderr.endswith(" but got 'bogus'\n")


def test_help_and_version(run):
    assert run("--help").stdout.startswith("usage: python -m pyk")
    assert run("--version").stdout.startswith("pyk ")
    assert run("-h").stdout == run("--help").stdout
    assert run("-V").stdout == run("--version").stdout


PROGRAM = """
import sys
import numpy as np
from numba import cuda

@cuda.jit
def count(a):
    a[cuda.grid(1)] += 1

a = np.zeros(2)
count[1, 2](a)
print(a.tolist(), __name__, "__file__" in globals())
print(sys.argv, repr(sys.path[0]), repr(sys.stdin.read()))
"""


def test_program_on_standard_input():
    """As `python -`, but its kernels have a text."""
    command = [sys.executable, "-m", "pyk", "-", "-x", "y"]
    result = subprocess.run(
        command, input=PROGRAM, capture_output=True, text=True
    )
    assert result.stderr == ""
    assert result.stdout == (
        "[1.0, 1.0] __main__ False\n['-', '-x', 'y'] '' ''\n"
    )


def test_what_follows_the_program_is_its_own(run, tmp_path):
    (tmp_path / "tool").write_text("import sys; print(sys.argv)")
    result = run("tool", "-q", "--emit=ptx", "-m", "--", "x.mlir")
    assert (result.stdout, result.stderr) == (
        "['tool', '-q', '--emit=ptx', '-m', '--', 'x.mlir']\n",
        "",
    )


MODULE = """
import sys
import numpy as np
from numba import cuda
from . import FACTOR

@cuda.jit
def scale(a):
    a[cuda.grid(1)] *= FACTOR

a = np.ones(2)
scale[1, 2](a)
print(a, __name__, __package__, __spec__.name, sys.argv == [__file__, "-q"])
"""


@pytest.mark.parametrize("name", ["tools.scale", "tools"])
def test_module(run, tmp_path, name):
    """As `python -m` runs it, in a package that needs the alias itself."""
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "__init__.py").write_text("import numba.cuda\nFACTOR = 3\n")
    (folder / "scale.py").write_text(MODULE)
    (folder / "__main__.py").write_text(MODULE)
    result = run("-m", name, "-q")
    full = "tools.__main__" if name == "tools" else name
    assert (result.stdout, result.stderr) == (
        f"[3. 3.] __main__ tools {full} True\n",
        "",
    )
    done = call_tool("pyk_run", "-m", name, "-q", cwd=tmp_path)
    assert (done.stdout, done.stderr) == (result.stdout, "")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "there is no module 'nowhere' to run"),
        ("nowhere.at.all", "there is no module 'nowhere.at.all' to run"),
        (".relative", "there is no module '.relative' to run"),
        ("email", "there is no module 'email.__main__' to run"),
        ("math", "module 'math' is no Python program to run"),
    ],
)
def test_module_that_cannot_run(run, name, message):
    result = run("-m", name)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr == f"pyk-run: error: {message}\n"


def test_module_whose_package_fails(run, tmp_path):
    folder = tmp_path / "tools"
    folder.mkdir()
    (folder / "__init__.py").write_text("import a_part_of_tools")
    result = run("-m", "tools.scale")
    assert result.returncode == 1
    assert result.stderr.endswith(
        "ModuleNotFoundError: No module named 'a_part_of_tools'\n"
    )
    assert "_program.py" not in result.stderr


def call_tool(name, *words, **options):
    """Runs the command that a wheel installs under that name."""
    code = f"import sys; from pyk.__main__ import {name}; sys.exit({name}())"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        **options,
    )


def test_python_without_numpy(tmp_path):
    """Python's own packages alone, and the package of PyK."""
    (tmp_path / "pyk").symlink_to(Path(pyk.__file__).parent)
    path = {**os.environ, "PYTHONPATH": str(tmp_path)}
    message = (
        f"PyK needs NumPy, which {sys.executable} does not have; install it "
        f"by '{sys.executable} -m pip install numpy'\n"
    )

    def errors(*words):
        result = subprocess.run(
            [sys.executable, "-S", *words],
            capture_output=True,
            text=True,
            env=path,
        )
        assert result.stdout == ""
        assert result.returncode == 1
        return result.stderr

    assert errors("-m", "pyk", "program.py") == f"pyk-run: error: {message}"
    assert errors("-m", "pyk", "--help") == f"pyk-run: error: {message}"
    text = errors("-c", "from pyk import cuda")
    assert text.startswith("Traceback (most recent call last):\n")
    assert text.endswith(f"\nImportError: {message}")
    assert text.count("Traceback") == 1


def test_broken_numpy(tmp_path):
    """What NumPy itself lacks is no matter of PyK's."""
    (tmp_path / "numpy.py").write_text("import a_part_of_numpy")
    result = subprocess.run(
        [sys.executable, "-c", "import pyk"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert result.stderr.endswith(
        "\nModuleNotFoundError: No module named 'a_part_of_numpy'\n"
    )


KERNEL = """
pyk.func @k(%a: !pyk.array<?xf32, c>) attributes {kernel} {
  pyk.return
}
"""


def test_tools_of_a_wheel(tmp_path):
    """What pyk-run and pyk-opt are where there is no tool but Python."""
    result = call_tool("pyk_run", "-", input=PROGRAM)
    assert result.stdout.startswith("[1.0, 1.0] __main__")
    arguments = ["--grid=1", "--block=1", "--arg=f32[2]=iota", "--print=0"]
    result = call_tool("pyk_run", "-", *arguments, input=KERNEL)
    assert result.stderr == ""
    assert result.stdout == "0: f32[2] = [0.0, 1.0]\n"
    result = call_tool("pyk_run", "nowhere.mlir", *arguments)
    assert result.returncode == 2
    assert result.stderr == (
        "pyk-run: error: cannot read 'nowhere.mlir': No such file or "
        "directory\n"
    )
    (tmp_path / "k.mlir").write_text(KERNEL)
    file = str(tmp_path / "k.mlir")
    result = call_tool("pyk_opt", file, "--pyk-lower-to-gpu")
    assert "gpu.func @k" in result.stdout
    result = call_tool("pyk_opt", file, "--pyk-frobnicate")
    assert result.returncode == 1
    assert "'--pyk-frobnicate'" in result.stderr
    version = call_tool("pyk_opt", "--version").stdout
    assert version.startswith(f"pyk-opt {pyk.__version__} with MLIR 22.1.")


def test_program_is_main(run, tmp_path):
    (tmp_path / "beside.py").write_text("VALUE = 5\n")
    result = run(
        "--target=cpu",
        "program.py",
        "--emit",
        "x",
        program="""
import os, sys
import beside
import __main__
print(__name__, __main__.beside.VALUE, sys.argv)
print(__file__ == os.path.abspath("program.py"))
print(os.path.samefile(sys.path[0], os.getcwd()))
from numba import cuda
print(cuda.__name__)
""",
    )
    assert result.stderr == ""
    assert result.returncode == 0
    assert result.stdout == (
        "__main__ 5 ['program.py', '--emit', 'x']\nTrue\nTrue\npyk.cuda\n"
    )
