# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Artifacts of programs: written, and run where there is only the runtime."""

import json
import os
import pty
import select
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pyk import _core
from support.programs import TOOLS

PROGRAM = """\
import numpy as np
from numba import cuda

@cuda.jit(device=True)
def twice(x):
    return x + x

@cuda.jit{options}
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = twice(a[i])

@cuda.jit
def add(a, factor):
    buffer = cuda.shared.array(4, np.int32)
    i = cuda.grid(1)
    buffer[i] = a[i]
    cuda.syncthreads()
    a[i] += factor * buffer[3 - i]

a = np.arange(4, dtype=np.int32)
double[1, 4](a)
add[1, 4](a, np.int32(10))
print(a)
"""

#: Launches both kernels, with nothing but the runtime's C interface.
RUNNER = """\
import ctypes, json, sys

runtime = ctypes.CDLL(sys.argv[1])
runtime.pyk_rt_status_message.restype = ctypes.c_char_p

def check(status):
    if status:
        sys.exit(runtime.pyk_rt_status_message(ctypes.c_void_p(status)))

def call(name, *arguments):
    function = getattr(runtime, name)
    function.restype = ctypes.c_void_p
    check(function(*arguments))

class Config(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_size_t), ("grid", ctypes.c_int64 * 3),
                ("block", ctypes.c_int64 * 3), ("shared", ctypes.c_int64),
                ("flags", ctypes.c_int32)]

code = open(sys.argv[2], "rb").read()
device, module, stream = (ctypes.c_void_p() for _ in range(3))
call("pyk_rt_device_get", 0, 0, ctypes.byref(device))
call("pyk_rt_module_load_image", device, b"file", code,
     ctypes.c_size_t(len(code)), None, ctypes.byref(module))
call("pyk_rt_stream_default", device, 0, ctypes.byref(stream))
text, size = ctypes.c_void_p(), ctypes.c_size_t()
call("pyk_rt_artifact_manifest", code, ctypes.c_size_t(len(code)),
     ctypes.byref(text), ctypes.byref(size))
manifest = json.loads(ctypes.string_at(text.value, size.value))
takes = {
    kernel["entry"]: kernel["parameters"] for kernel in manifest["kernels"]
}

a = (ctypes.c_int32 * 4)(0, 1, 2, 3)
values_of = {
    ("data", 0): ctypes.c_void_p(ctypes.addressof(a)),
    ("extent", 0): ctypes.c_int64(4),
    ("scalar", 1): ctypes.c_int32(10),
    ("memory_first", 0): ctypes.c_int64(0),
    ("memory_count", 0): ctypes.c_int64(4),
}
config = Config(ctypes.sizeof(Config), (1, 1, 1), (4, 1, 1), 0, 0)
for name in "double", "add":
    kernel = ctypes.c_void_p()
    call("pyk_rt_module_function", module, name.encode(), ctypes.byref(kernel))
    values = [values_of[item["kind"], item["argument"]] for item in takes[name]]
    assert [ctypes.sizeof(value) for value in values] == [
        item["bytes"] for item in takes[name]
    ]
    addresses = (ctypes.c_void_p * len(values))(
        *map(ctypes.addressof, values)
    )
    call("pyk_rt_stream_launch", stream, kernel, ctypes.byref(config),
         addresses)
    call("pyk_rt_stream_synchronize", stream)
print(list(a))
maps = open("/proc/self/maps").read()
assert "LLVM" not in maps and "_core" not in maps and "PyKC" not in maps
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs Python with the package of this process."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PYK_TARGET": "cpu"},
        )

    return run


KERNEL = """\
pyk.func @nothing() attributes {kernel} {
  pyk.return
}
"""


@pytest.mark.parametrize(
    ("tool", "file", "words"),
    [
        ([sys.executable, "-m", "pyk"], "program.py", []),
        ([TOOLS / "pyk-run"], "program.py", []),
        ([TOOLS / "pyk-run"], "kernel.mlir", []),
        ([TOOLS / "pyk-run"], "kernel.mlir", ["-o", "-"]),
        ([TOOLS / "pyk-run"], "kernel.mlir", ["--chip=sm_80"]),
    ],
)
def test_no_bytes_for_a_terminal(
    tmp_path: Path, tool: list[object], file: str, words: list[str]
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.format(options=""))
    (tmp_path / "kernel.mlir").write_text(KERNEL)
    what = "cubin" if "--chip=sm_80" in words else "artifact"
    # What reads the other end sees what a terminal would show.
    shown, screen = pty.openpty()
    with open(shown, "rb", buffering=0), open(screen, "wb") as terminal:
        done = subprocess.run(
            [*map(str, tool), f"--emit={what}", *words, file],
            stdout=terminal,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert not select.select([shown], [], [], 0)[0]
    assert done.returncode == 2
    assert done.stderr == (
        f"pyk-run: error: option --emit={what} writes bytes that a terminal "
        "cannot show; use -o FILE as well\n"
    )


def read(path: Path) -> tuple[dict[str, object], bytes]:
    """The manifest and the code of an artifact."""
    data = path.read_bytes()
    magic, version, manifest, code, _ = struct.unpack_from("<8sQQQQ", data)
    assert (magic, version) == (b"\x7fPyKART\n", 2)
    assert len(data) == 40 + manifest + code
    return json.loads(data[40 : 40 + manifest]), data[40 + manifest :]


def test_program_without_compiler(
    run: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(options=""))
    done = run("-m", "pyk", "--emit=artifact", "-o", "out.pyk", program)
    assert (done.stdout, done.stderr) == ("[60 42 24  6]\n", "")
    manifest, _ = read(tmp_path / "out.pyk")
    kernels = manifest["kernels"]
    assert isinstance(kernels, list)
    shared = {
        kernel["entry"]: kernel["static_shared_bytes"] for kernel in kernels
    }
    assert shared == {"double": 0, "add": 16}
    assert manifest["target"] == "cpu"
    # The runtime stands beside the extension that is linked to it.
    maps = Path("/proc/self/maps").read_text()
    (library,) = {
        line.split()[-1] for line in maps.splitlines() if "PyKRuntime" in line
    }
    (tmp_path / "runner.py").write_text(RUNNER)
    done = run("runner.py", library, "out.pyk")
    assert (done.stdout, done.stderr) == ("[60, 42, 24, 6]\n", "")


def test_property() -> None:
    source = (
        "pyk.func @k(%x: !pyk.array<?xi32, c>) attributes {kernel} {\n"
        "  pyk.return\n"
        "}"
    )
    module = _core.compile(source=source, target="cuda")
    assert module.artifact.endswith(module.ptx.encode())
    assert module.manifest.encode() in module.artifact
    assert _core.compile(source=source, emit="gpu").artifact == b""


@pytest.mark.parametrize(
    ("program", "message"),
    [
        (
            "import numba.cuda\n",
            "the program compiled no kernel; launch those it should have",
        ),
        (
            PROGRAM.format(options="(debug=True, opt=False)"),
            "the program's kernels were compiled in 2 ways; let all run on one "
            "device, with the same options",
        ),
    ],
)
def test_not_one_module(
    program: str,
    message: str,
    run: Callable[..., subprocess.CompletedProcess[str]],
    tmp_path: Path,
) -> None:
    (tmp_path / "program.py").write_text(program)
    done = run("-m", "pyk", "--emit=artifact", "-o", "out.pyk", "program.py")
    assert done.returncode == 1
    assert done.stderr == (
        f"pyk-run: error: cannot write an artifact: {message}\n"
    )
