# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""STUMPY: its own tests of kernels, which compare with plain Python.

Needs SciPy, pandas and pytest. What follows the checkout goes to pytest; the
functions for the host run as the Python that they are, so some tests take
minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pyk

FILES = ("stump", "aamp", "ostinato", "aamp_ostinato", "mpdist", "aampdist")


def main() -> int:
    pyk.install_as_numba()
    import numba
    import pytest

    # There is nothing to set for functions of the host.
    numba.config.DISABLE_JIT = 1
    checkout = Path(sys.argv[1]).resolve()
    sys.path[:0] = [str(checkout), str(checkout / "tests")]
    sys.path.remove(str(Path(__file__).parent))
    files = [str(checkout / f"tests/test_gpu_{name}.py") for name in FILES]
    options = sys.argv[2:] or [*files, "-k", "not larger"]
    return pytest.main(["-q", "-p", "no:cacheprovider", "--tb=no", *options])


if __name__ == "__main__":
    sys.exit(main())
