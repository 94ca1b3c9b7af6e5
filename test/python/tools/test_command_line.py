# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m pyk`: exit statuses, messages, and what a program sees."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pyk
from pyk import __main__
from support.places import ROOT


@pytest.fixture
def run(tmp_path):
    """Runs `python -m pyk` in a folder with the given program."""

    def run(*arguments, program=None, **environment):
        if program is not None:
            (tmp_path / "program.py").write_text(program)
        return subprocess.run(
            [sys.executable, "-m", "pyk", *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, **environment},
        )

    return run


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
            "option --target expects one of auto, cpu, cuda but got 'tpu'",
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
        assert (spelling in __main__._FLAGS) == (group == "Both" and not value)
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


@pytest.mark.parametrize(
    ("program", "status", "stderr"),
    [
        ("raise SystemExit", 0, ""),
        ("raise SystemExit(7)", 7, ""),
        ("import sys; sys.exit('bye')", 1, "bye\n"),
    ],
)
def test_exit_status_of_the_program(run, program, status, stderr):
    result = run("program.py", program=program)
    assert (result.returncode, result.stderr) == (status, stderr)


def test_exception_of_the_program(run, tmp_path):
    program = "def f():\n    return 1 / 0\nprint('before')\nf()\n"
    result = run("program.py", program=program)
    assert result.returncode == 1
    assert result.stdout == "before\n"
    lines = result.stderr.splitlines()
    assert lines[0] == "Traceback (most recent call last):"
    places = [line for line in lines if line.startswith("  File ")]
    assert places == [
        f'  File "{tmp_path}/program.py", line 4, in <module>',
        f'  File "{tmp_path}/program.py", line 2, in f',
    ]
    assert lines[-1] == "ZeroDivisionError: division by zero"


def test_full_traceback(run):
    result = run("program.py", program="1 / 0", PYK_FULL_TRACEBACK="1")
    assert result.returncode == 1
    assert "_program.py" in result.stderr


def test_chained_exceptions(run):
    program = """
try:
    {}["x"]
except KeyError as error:
    raise ValueError("no x") from error
"""
    result = run("program.py", program=program)
    assert result.stderr.count("Traceback") == 2
    assert "_program.py" not in result.stderr
    assert "direct cause" in result.stderr


def test_syntax_error(run, tmp_path):
    result = run("program.py", program="x = = 1\n")
    assert result.returncode == 1
    assert result.stderr.startswith(f'  File "{tmp_path}/program.py", line 1\n')
    assert "SyntaxError" in result.stderr


def test_keyboard_interrupt(run):
    program = "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\n"
    result = run("program.py", program=program)
    assert result.returncode == 128 + signal.SIGINT
    assert result.stderr.endswith("KeyboardInterrupt\n")


def test_null_byte_is_a_syntax_error(run, tmp_path):
    result = run("program.py", program="x = 1\0\n")
    assert result.returncode == 1
    assert f'File "{tmp_path}/program.py"' in result.stderr
    assert result.stderr.splitlines()[-1].startswith("SyntaxError: source")
    assert "_program.py" not in result.stderr


SPIN = """
import numpy as np
from numba import cuda

@cuda.jit
def spin(flag):
    while flag[0] == 0:
        pass

print("running", flush=True)
spin[4, 64](np.zeros(1))
"""


def test_interrupt_ends_a_kernel_that_waits_for_ever(tmp_path):
    (tmp_path / "program.py").write_text(SPIN)
    with subprocess.Popen(
        [sys.executable, "-m", "pyk", "program.py"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    ) as process:
        assert process.stdout.readline() == "running\n"
        # Until the kernel has been compiled; earlier is right as well.
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=20)
    assert process.returncode == 128 + signal.SIGINT
    assert stderr.splitlines() == [
        "Traceback (most recent call last):",
        f'  File "{tmp_path}/program.py", line 11, in <module>',
        "    spin[4, 64](np.zeros(1))",
        "KeyboardInterrupt",
    ]


WILD = """
import numpy as np
from numba import cuda

@cuda.jit(boundscheck=False)
def wild(a, stride):
    i = cuda.grid(1)
    a[i * stride] = 1

a = np.zeros(64)
try:
    wild[2, 32](a, 1 << 40)
except cuda.cudadrv.driver.CudaAPIError as error:
    print(error.code, str(error).partition(" at address")[0])
wild[2, 32](a, 1)
print(a.sum())
wild[2, 32](a, 1 << 40)
"""


def test_bad_access_of_a_kernel_is_an_exception(run):
    result = run("program.py", program=WILD)
    assert result.returncode == 1
    assert result.stdout.splitlines() == [
        "700 [700] running kernel 'wild' on the CPU: a thread of block "
        "(0, 0, 0) accessed memory",
        "64.0",
    ]
    lines = result.stderr.splitlines()
    assert len(lines) == 4
    assert lines[-1].startswith("pyk.cuda.errors.CudaAPIError: [700] running")


def test_full_disk_is_one_line(run):
    program = """
from numba import cuda
import numpy as np

@cuda.jit
def k(a):
    a[0] = 1

k[1, 1](np.zeros(1))
"""
    result = run("--emit=ptx", "-o", "/dev/full", "program.py", program=program)
    assert result.returncode == 1
    assert result.stderr == (
        "pyk-run: error: cannot write '/dev/full': No space left on device\n"
    )


EMITS = """
from numba import cuda
import numpy as np

@cuda.jit
def k(a):
    a[0] = 1

k[1, 1](np.zeros(1))
"""


@pytest.mark.parametrize(
    ("command", "stderr"),
    [
        ("--emit=ptx program.py >&-", "Bad file descriptor"),
        ("--help >/dev/full", "No space left on device"),
        ("--version >&-", "Bad file descriptor"),
    ],
)
def test_standard_output_that_takes_nothing(tmp_path, command, stderr):
    (tmp_path / "program.py").write_text(EMITS)
    result = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m pyk {command}"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert result.returncode == 1
    assert result.stderr == (
        f"pyk-run: error: cannot write standard output: {stderr}\n"
    )


def test_error_without_standard_error_is_no_output(tmp_path):
    result = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m pyk --foo 2>&-"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (result.returncode, result.stdout) == (2, "")


def test_program_runs_in_a_folder_that_is_gone(tmp_path):
    (tmp_path / "program.py").write_text(EMITS + "print('done')\n")
    folder = tmp_path / "gone"
    folder.mkdir()
    result = subprocess.run(
        [
            "sh",
            "-c",
            f"rmdir ../gone; {sys.executable} -m pyk ../program.py",
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == "done\n"


def test_exception_hook_that_fails(run, tmp_path):
    program = "import sys\nsys.excepthook = None\nraise ValueError('mine')\n"
    result = run("program.py", program=program)
    assert result.returncode == 1
    lines = result.stderr.splitlines()
    assert lines[0] == "Error in sys.excepthook:"
    assert lines[1] == "TypeError: 'NoneType' object is not callable"
    assert lines[-1] == "ValueError: mine"
    places = [line for line in lines if line.startswith("  File ")]
    assert places == [f'  File "{tmp_path}/program.py", line 3, in <module>']


NO_SOURCE = """
import ast
from numba import cuda
scope = {"cuda": cuda}
tree = ast.parse("@cuda.jit\\ndef k(a):\\n    a[0] = 1\\n")
tree.body[0].body[0].value.value = 2
exec(compile(tree, "<string>", "exec"), scope)
print("before")
scope["k"][1, 1](3)
"""


def test_compile_error_is_only_its_message(run):
    result = run("program.py", program=NO_SOURCE)
    assert result.returncode == 1
    assert result.stdout == "before\n"
    assert result.stderr == (
        "cannot compile 'k': no source text is available for it in "
        "'<string>'; PyK keeps the texts that are compiled after it was "
        "imported, so put 'import pyk' in front of what compiles this one "
        "(exec, eval, compile), or define the function in a file or a "
        "notebook cell\n"
    )


def test_compile_error_with_full_traceback(run):
    result = run("program.py", program=NO_SOURCE, PYK_FULL_TRACEBACK="1")
    assert result.returncode == 1
    assert "_build.py" in result.stderr
    assert "CompileError: cannot compile 'k'" in result.stderr


def test_cuda_target_without_a_driver(run):
    program = """
from numba import cuda

@cuda.jit
def k(a):
    a[0] = 1

k[1, 1](3)
"""
    message = (
        "install NVIDIA's driver, name its library in PYK_LIBCUDA, or use the "
        "CPU\n"
    )
    no_driver = {"PYK_LIBCUDA": "/nowhere/libcuda.so.1"}
    for result in (
        run("--target=cuda", "program.py", program=program, **no_driver),
        run("program.py", program=program, PYK_TARGET="cuda", **no_driver),
    ):
        assert result.returncode == 1
        assert "CudaSupportError: " in result.stderr
        assert "/nowhere/libcuda.so.1" in result.stderr
        assert result.stderr.endswith(message)
        assert result.stderr.count("  File ") == 1


def test_output_of_the_program_makes_room(run):
    program = "import os\nprint('one')\nos.write(1, b'two\\n')\n"
    result = run("--emit=py", "program.py", program=program)
    assert result.returncode == 0
    assert result.stdout == ""
    assert sorted(result.stderr.split()) == ["one", "two"]
    result = run("--emit=py", "-o", "out", "program.py", program=program)
    assert sorted(result.stdout.split()) == ["one", "two"]
