# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels on AArch64, which QEMU interprets.

A launch is made here first, which compiles the kernel; what it was compiled
from becomes an artifact for `armv8-a`, and that is launched again, by a program
that has PyK's runtime for AArch64 and nothing else.
"""

import json
import os
import shutil
import struct
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from pyk import _core
from pyk._core import Module
from pyk.cuda._dispatcher import Dispatcher

Shape = tuple[int, ...]

#: `scripts/dev` makes it: test/aarch64.
RUNNER = os.environ.get("PYK_AARCH64_RUNNER", "")

#: Where QEMU finds the C library.
LIBRARIES = "/usr/aarch64-linux-gnu"


def missing() -> str:
    """What is not there of what this needs; empty if all is."""
    if not RUNNER or not Path(RUNNER).exists():
        return "the runtime for AArch64 was not built (test/aarch64)"
    if shutil.which("qemu-aarch64") is None:
        return "there is no qemu-aarch64 (Debian: qemu-user)"
    return ""


def _three(shape: Shape | int) -> tuple[int, int, int]:
    given = shape if isinstance(shape, tuple) else (shape,)
    return (*given, 1, 1)[:3]


def _value(
    item: dict[str, Any], arguments: tuple[Any, ...], buffers: list[np.ndarray]
) -> bytes:
    """What a parameter of the manifest gets, as pyk-run-artifact reads it."""
    argument, kind = arguments[item["argument"]], item["kind"]
    if kind == "data":
        number = next(i for i, a in enumerate(buffers) if a is argument)
        return struct.pack("<QQ", number + 1, 0)
    dimension = item["dimension"]
    value = {
        "scalar": lambda: argument,
        "extent": lambda: argument.shape[dimension],
        "stride": lambda: argument.strides[dimension],
        "memory_first": lambda: 0,
        "memory_count": lambda: argument.size,
    }[kind]()
    code = {1: "b", 2: "h", 4: "i", 8: "q"}[item["bytes"]]
    if isinstance(value, float | np.floating):
        code = {"i": "f", "q": "d"}[code]
    data = struct.pack(f"<{code}", value)
    return struct.pack("<QQ", 0, len(data)) + data


def compile_for(
    kernel: Dispatcher, grid: Shape | int, block: Shape | int, *arguments: Any
) -> Module:
    """What becomes of a kernel that has not been launched yet."""
    real, seen = _core.compile, []

    def listen(**given: Any) -> Any:
        seen.append(given)
        return real(**given)

    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    _core.compile = listen
    try:
        kernel[grid, block](*copies)
    finally:
        _core.compile = real
    # Behind variants for facts that do not hold of this launch.
    given = seen[-1]
    options = {**given["options"], "cpu-level": "armv8-a"}
    return real(
        source=given["source"],
        source_name=given["source_name"],
        target="cpu",
        options=options,
    )


def launch(
    compiled: Module, grid: Shape | int, block: Shape | int, *arguments: Any
) -> list[np.ndarray]:
    """What a kernel leaves in its arrays, which stay."""
    (kernel,) = json.loads(compiled.manifest)["kernels"]
    buffers = [a for a in arguments if isinstance(a, np.ndarray)]
    assert all(a.flags.c_contiguous for a in buffers)
    parts = [struct.pack("<Q", len(buffers))]
    for buffer in buffers:
        parts += [struct.pack("<Q", buffer.nbytes), buffer.tobytes()]
    name = kernel["entry"].encode()
    values = kernel["parameters"]
    parts += [struct.pack("<QQ", 1, len(name)), name]
    parts += [struct.pack("<6q", *_three(grid), *_three(block))]
    parts += [struct.pack("<QQ", 0, len(values))]
    parts += [_value(item, arguments, buffers) for item in values]
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder, name) for name in ("artifact", "launches")]
        files[0].write_bytes(compiled.artifact)
        files[1].write_bytes(b"".join(parts))
        done = subprocess.run(
            ["qemu-aarch64", "-L", LIBRARIES, RUNNER, *map(str, files)],
            capture_output=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr.decode()
    left, results = done.stdout, []
    for buffer in buffers:
        data, left = left[: buffer.nbytes], left[buffer.nbytes :]
        results.append(np.frombuffer(data, buffer.dtype).reshape(buffer.shape))
    assert not left
    return results
