#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the tests of folders of test/python on the PTX machine.

    on_ptx_machine.py LIBRARY RECORD FOLDER... [-- ARGUMENTS OF PYTEST]

LIBRARY is the stand-in for the CUDA driver, which executes PTX. RECORD is a
file to which is added what was executed (ptx_record.py). Runs the files
that `gpu-check` would run on a GPU (scripts/gpu-tests.txt). PYK_STANDIN holds
settings of the machine, such as seed=1 for a random order of threads.
"""

import importlib.machinery
import importlib.util
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "test/python"


def files_of(folders: list[str]) -> list[str]:
    """The files of these folders that a GPU runs, in their order."""
    loader = importlib.machinery.SourceFileLoader(
        "gpu_check", str(ROOT / "scripts/gpu-check")
    )
    spec = importlib.util.spec_from_loader("gpu_check", loader)
    assert spec
    gpu_check = importlib.util.module_from_spec(spec)
    sys.modules["gpu_check"] = gpu_check
    loader.exec_module(gpu_check)
    order = ROOT / "scripts/gpu-tests.txt"
    return [
        str(TESTS / file)
        for file in gpu_check.read_order(order, TESTS)[0]
        if file.partition("/")[0] in folders
    ]


def main() -> int:
    library, record, *words = sys.argv[1:]
    at = words.index("--") if "--" in words else len(words)
    os.environ["PYK_LIBCUDA"] = str(Path(library).resolve())
    os.environ["PYK_TARGET"] = "cuda"
    # The program goes on while a kernel runs, as on a GPU.
    record = str(Path(record).resolve())
    settings = ["async=1", f"record={record}", os.environ.get("PYK_STANDIN")]
    os.environ["PYK_STANDIN"] = ",".join(filter(None, settings))
    files = files_of(words[:at])
    if not files:
        sys.exit(f"on_ptx_machine.py: error: no tests in {words[:at]}")
    return pytest.main([*words[at + 1 :], *files])


if __name__ == "__main__":
    sys.exit(main())
