# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs' drivers share: cases that pass or fail, and stand-ins.

A driver names its cases with `@case` and ends with `main()`. Each case gets
the folder of a checkout, raises if a result is wrong, and stands alone.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import numpy as np

import pyk

_cases: list[Callable[[Path], None]] = []


def case(function: Callable[[Path], None]) -> Callable[[Path], None]:
    _cases.append(function)
    return function


def absent(*names: str) -> None:
    """Modules that a program imports and its kernels do not need."""
    for name in names:
        sys.modules[name] = MagicMock(name=name)


def host_cupy() -> None:
    """CuPy's names for NumPy's arrays, which PyK takes on every device."""
    cupy = ModuleType("cupy")
    cupy.__dict__.update(np.__dict__)
    cupy.__dict__.update(__name__="cupy", asnumpy=np.asarray)
    sys.modules["cupy"] = cupy


def load(path: Path, name: str) -> ModuleType:
    """A module from its file."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def close(got: Any, expected: Any, rtol: float = 1e-6) -> None:
    np.testing.assert_allclose(got, expected, rtol=rtol, atol=rtol)


def main() -> None:
    """Runs the cases on the checkout that the command line names."""
    pyk.install_as_numba()
    # An annotation of host code names it.
    sys.modules["numba"].typed = MagicMock()  # type: ignore[attr-defined]
    checkout = Path(sys.argv[1]).resolve()
    failed = 0
    for function in _cases:
        name = function.__name__
        try:
            function(checkout)
        except Exception as error:
            failed += 1
            words = re.sub(r"\s+", " ", f"{type(error).__name__}: {error}")
            print(f"  failed {name}: {words[:300]}")
            if "--verbose" in sys.argv:
                traceback.print_exc()
        else:
            print(f"  passed {name}")
    print(f"{len(_cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)
