# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ptxas` accepts the PTX of the kernels of lit tests; what it refuses is told.

The lit tests are those that run kernels or look at their PTX.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from support import assembly
from support.places import TESTS

PTXAS = assembly.find_ptxas() or ""

if not PTXAS:
    pytest.skip(assembly.NO_PTXAS, allow_module_level=True)


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


def test_what_is_accepted_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "ACCEPTED", tmp_path / "accepted")
    ptxas, calls = tmp_path / "ptxas", tmp_path / "calls"
    ptxas.write_text(f"#!/bin/sh\necho $1 >> {calls}\n! grep -q bad\n")
    ptxas.chmod(0o755)
    for text, chip in [
        *[("good", "sm_80"), ("good", "sm_80"), ("good", "sm_90")],
        *[("other good", "sm_80"), ("bad", "sm_80"), ("bad", "sm_80")],
    ]:
        said = assembly.assemble(str(ptxas), chip, text)
        assert (said is None) == ("good" in text)
    assert calls.read_text().split() == [
        *("--version", "-arch=sm_80", "-arch=sm_90"),
        *["-arch=sm_80"] * 3,
    ]


@pytest.mark.parametrize("chip", assembly.EVERY_CHIP)
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
    assembly.check(PTXAS, chip, kernels, tmp_path)
