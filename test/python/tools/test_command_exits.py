# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How `python -m pyk` ends: exit statuses, messages, and output that fails."""

import signal
import subprocess
import sys
import time

import pytest


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


def test_programs_end_at_once(run):
    """At the end, threads that come back to Python have some seconds."""
    program = """
import time
import numpy as np
from pyk import cuda

@cuda.jit
def k(a):
    a[0] = 1

k[1, 1](np.zeros(1))
print(time.monotonic())
"""
    result = run("program.py", program=program)
    assert time.monotonic() - float(result.stdout) < 4


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
