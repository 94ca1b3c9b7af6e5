# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ptxas` accepts the PTX of kernels of the tests in Python.

At most 4 of each test function, and all with `scripts/dev test --nightly`.

These tests run last (see `conftest.py`), beside those of any folder: they take
the kernels that the tests before them compiled for the CPU, however many that
were. They do not see kernels that another process compiled, those that
`test_examples.py` assembles excepted.
"""

from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from support import assembly

PTXAS = assembly.find_ptxas() or ""
#: How many kernels of a test function are assembled where only some of its
#: cases run.
MOST = 4
OLDEST, *NEWER = assembly.CHIPS

if not PTXAS:
    pytest.skip(assembly.NO_PTXAS, allow_module_level=True)


def test_kernels_are_recorded(request: pytest.FixtureRequest) -> None:
    @cuda.jit(fma=False)
    def k(a):
        a[0] = 1

    k[1, 1](np.zeros(1))
    tests = assembly.recorded.values()
    assert [test for test in tests if test.endswith(request.node.name)]


@pytest.mark.parametrize(
    ("chip", "part"),
    [
        pytest.param(OLDEST, slice(None), id=OLDEST),
        *(
            pytest.param(
                *(chip, slice(n, None, 4)), id=chip, marks=pytest.mark.long
            )
            for n, chip in enumerate(NEWER)
        ),
    ],
)
def test_kernels_of_python_tests(
    chip: str, part: slice, tmp_path: Path
) -> None:
    """All that are chosen for the oldest chip, whose PTX the newer ones take,
    too; a quarter each for those, where LLVM may select other instructions.
    """
    most = MOST if assembly.is_short else None
    kernels = assembly.choose(assembly.recorded, most)
    assembly.check(PTXAS, chip, dict([*kernels.items()][part]), tmp_path)


def test_some_of_each_test_are_chosen() -> None:
    def kernel(n: int) -> assembly.PythonKernel:
        return assembly.PythonKernel(b"%d" % n, ())

    of = {kernel(n): f"file::test_a[{n}]" for n in range(20)}
    of |= {kernel(n): "file::test_b" for n in range(20, 23)}
    chosen = assembly.choose(of, 5)
    assert len(chosen) == 8
    assert [*of.items()][20:] == [*chosen.items()][5:]
    # One more kernel takes the place of one at most.
    more = assembly.choose({**of, kernel(23): "file::test_a[20]"}, 5)
    assert len({*chosen} - {*more}) <= 1
    assert assembly.choose(of, None) == of


def test_all_of_a_table_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assembly, "whole", {"file::test_a"})
    of: dict[assembly.Kernel, str] = {
        assembly.PythonKernel(b"%d" % n, ()): f"file::test_{'ab'[n // 20]}[{n}]"
        for n in range(40)
    }
    assert len(assembly.choose(of, 5)) == 25
