# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ptxas` accepts the PTX of every kernel of the tests.

These tests run last (see `conftest.py`): they take the kernels that the tests
before them compiled for the CPU, however many that were, and those of the lit
tests that run kernels or look at their PTX. They do not see kernels that
another process compiled, those that `test_examples.py` assembles excepted.
"""

from pathlib import Path

import numpy as np
import pytest

import assembly
from pyk import cuda

TESTS = Path(__file__).parent.parent
PTXAS = assembly.find_ptxas() or ""

if not PTXAS:
    pytest.skip(assembly.NO_PTXAS, allow_module_level=True)


def check(chip: str, kernels: dict[assembly.Kernel, str], folder: Path) -> None:
    """Fails with a message for each kernel that is not accepted."""
    lines = assembly.find_refused(PTXAS, chip, kernels, folder)
    if lines:
        total = f"{len(lines)} of {len(kernels)} kernels for {chip}:\n"
        pytest.fail(total + "\n".join(lines), pytrace=False)


GOOD = """
.version 7.0
.target sm_80
.address_size 64
.const .align 4 .u32 constant = 1;
.visible .entry k(.param .u64 p)
{
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [p];
  ld.const.u32 %r1, [constant];
  st.global.u32 [%rd1], %r1;
  ret;
}
"""
# One that the parser refuses and one that the code generator does.
BAD = {
    "type": GOOD.replace("ld.const.u32", "ld.const.f16"),
    "size": GOOD.replace(".reg .b64", ".shared .b8 large[1000000];\n.reg .b64"),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_one_of_many_is_refused(bad: str, tmp_path: Path) -> None:
    """One call gets them all, and the others are not blamed."""
    good = [f"{GOOD}// {n}\n" for n in range(9)]
    texts = [*good[:4], bad, *good[4:]]
    found = list(assembly.assemble(PTXAS, "sm_80", texts, tmp_path))
    assert [text for text, said in found] == [bad]
    assert "error" in found[0][1]


def test_what_is_refused_together_is_tried_alone(tmp_path: Path) -> None:
    """Constant memory of all modules of a call is in one bank."""
    large = GOOD.replace("constant = 1", "constant[9000] = {1}")
    texts = [f"{large}// {n}\n" for n in range(9)]
    assert list(assembly.assemble(PTXAS, "sm_80", texts, tmp_path)) == []


def test_kernels_are_recorded(request: pytest.FixtureRequest) -> None:
    @cuda.jit(fma=False)
    def k(a):
        a[0] = 1

    k[1, 1](np.zeros(1))
    tests = assembly.recorded.values()
    assert [test for test in tests if test.endswith(request.node.name)]


@pytest.mark.parametrize("chip", assembly.CHIPS)
def test_kernels_of_python_tests(chip: str, tmp_path: Path) -> None:
    check(chip, assembly.recorded, tmp_path)


@pytest.mark.parametrize("chip", assembly.CHIPS)
def test_kernels_of_lit_tests(chip: str, tmp_path: Path) -> None:
    paths = [
        path
        for folder in ("Tools/pyk-run", "Target/PTX")
        for path in sorted((TESTS / folder).glob("*.mlir"))
        if "split-file" not in (text := path.read_text())
        and not path.stem.endswith("errors")
    ]
    kernels = {
        kernel: str(path.relative_to(TESTS))
        for path in paths
        for kernel in assembly.kernels_of_file(path)
    }
    assert kernels
    check(chip, kernels, tmp_path)
