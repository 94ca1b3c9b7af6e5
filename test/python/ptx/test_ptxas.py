# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ptxas` accepts the PTX of every kernel of the tests.

These tests run last (see `conftest.py`): they take the kernels that the tests
before them compiled for the CPU, however many that were, and those of the lit
tests that run kernels or look at their PTX. They do not see kernels that
another process compiled, those that `test_examples.py` assembles excepted.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from pyk import cuda
from support import assembly
from support.places import TESTS

PTXAS = assembly.find_ptxas() or ""
OLDEST, *NEWER = assembly.CHIPS

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
.visible .entry k(.param .u64 p)
{
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [p];
  ret;
}
"""
# One that the parser refuses and one that the code generator does.
BAD = {
    "type": GOOD.replace("ld.param.u64", "ld.param.f16"),
    "size": GOOD.replace(".reg .b64", ".shared .b8 large[1000000];\n.reg .b64"),
}


@dataclass(frozen=True)
class Text:
    """What is taken for a kernel here."""

    text: str

    def ptx(self, chip: str) -> str:
        if not self.text:
            raise RuntimeError("no text")
        return self.text


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_one_of_many_is_refused(bad: str, tmp_path: Path) -> None:
    texts = [*(f"{GOOD}// {n}\n" for n in range(9)), bad, bad + "\n"]
    kernels = {Text(text): f"test {n}" for n, text in enumerate(texts)}
    first, second = assembly.find_refused(PTXAS, "sm_80", kernels, tmp_path)
    assert first.startswith("test 9: ptxas refuses ") and "error" in first
    assert second.startswith("test 10: ptxas refuses ")
    assert {path.read_text() for path in tmp_path.iterdir()} == {*texts[-2:]}


def test_kernel_without_ptx(tmp_path: Path) -> None:
    (line,) = assembly.find_refused(PTXAS, "sm_80", {Text(""): "t"}, tmp_path)
    assert line == "t: no PTX of Text(text='') for sm_80: no text"


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
        (OLDEST, slice(None)),
        *(
            (chip, slice(n, None, 4))
            for n, chip in enumerate(assembly.CHIPS[1:])
        ),
    ],
    ids=assembly.CHIPS,
)
def test_kernels_of_python_tests(
    chip: str, part: slice, tmp_path: Path
) -> None:
    """All for the oldest chip, whose PTX the newer ones take, too; a quarter
    each for those, where LLVM may select other instructions.
    """
    check(chip, dict([*assembly.recorded.items()][part]), tmp_path)


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
