# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`scripts/dev new-pass` and `new-op`, in a copy of the tree.

What they make has to pass the gate for form but for what only an author can
say, and TableGen has to accept it. That it builds and passes its own tests is
not tried here: it would take minutes.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.places import ROOT

LLVM = Path("/usr/lib/llvm-22")
PASSES = "include/pyk/Dialect/Pyk/Transforms/Passes.td"
OPS = "include/pyk/Dialect/Pyk/IR/PykOps.td"

pytestmark = pytest.mark.skipif(
    not shutil.which("git") or not (LLVM / "bin/mlir-tblgen").exists(),
    reason="needs git and the TableGen of LLVM 22",
)


def git(*arguments, cwd):
    return subprocess.run(
        ["git", *arguments], cwd=cwd, check=True, capture_output=True
    ).stdout


def copy_to(folder):
    """Copies what is committed or would be; the copy is a repository."""
    listed = git(
        *("ls-files", "-z", "--cached", "--others", "--exclude-standard"),
        cwd=ROOT,
    )
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    git("init", "--quiet", cwd=folder)


def run(tree, script, *arguments):
    return subprocess.run(
        [sys.executable, tree / "scripts" / script, *arguments],
        cwd=tree,
        capture_output=True,
        text=True,
    )


def tablegen(tree, source, *arguments):
    """What mlir-tblgen makes of a file of the copy."""
    return subprocess.run(
        [
            *(LLVM / "bin/mlir-tblgen", tree / source, *arguments),
            *("-I", tree / "include", "-I", LLVM / "include"),
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout


#: Passes by their flags: dialect and name.
PASSES_MADE = {
    "pyk-coalesce-loads": ("Pyk", "CoalesceLoads"),
    "pyk-annotate-gpu-kernels-with-launch-bounds": (
        "Pyk",
        "AnnotateGPUKernelsWithLaunchBounds",
    ),
    "py-drop-docstrings": ("Py", "DropDocstrings"),
}
#: Ops: family and name.
OPS_MADE = {
    "pyk.reverse_bits": ("numeric", "ReverseBits"),
    "pyk.warp.vote_all": ("sync", "WarpVoteAll"),
    "pyk.unless": ("control", "Unless"),
    "pyk.cluster_id": ("index", "ClusterId"),
    "pyk.prefetch": ("memory", "Prefetch"),
    "pyk.tail_call": ("func", "TailCall"),
}


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A tree with all of these, and what making them has printed."""
    tree = tmp_path_factory.mktemp("tree")
    copy_to(tree)
    results = [run(tree, "scaffold", "new-pass", flag) for flag in PASSES_MADE]
    results += [
        run(tree, "scaffold", "new-op", op, family)
        for op, (family, _) in OPS_MADE.items()
    ]
    for result in results:
        assert result.returncode == 0, result.stderr
    return tree, "".join(result.stdout for result in results)


def test_form_of_what_is_made(made):
    """Only the places to fill in are wrong, and the output names each."""
    tree, printed = made
    found = run(tree, "check-conventions").stdout.splitlines()
    places = {line.split(": ")[0] for line in found}
    assert places
    assert all(line.endswith("[fill-in]") for line in found), found
    # What is made later moves the lines of what was made before in one file.
    files = {place.rpartition(":")[0] for place in places}
    named = re.findall(r"^  (\S+):\d+: ", printed, re.MULTILINE)
    assert {*named} == files
    shape = run(tree, "check-shape")
    assert shape.returncode == 0, shape.stdout
    for script in ("generate-docs", "check-diagnostics"):
        arguments = ["--check"] if script == "generate-docs" else []
        assert run(tree, script, *arguments).returncode == 0
    formatter = shutil.which("clang-format-22")
    if formatter:
        sources = [
            tree / p
            for p in git("ls-files", "-o", cwd=tree).decode().split()
            if p.startswith("lib/") and p.endswith(".cpp")
        ]
        subprocess.run(
            [formatter, "--dry-run", "-Werror", *sources], check=True
        )


def test_places_to_fill_in_are_named(tmp_path):
    """By line, where no later op or pass has moved them."""
    copy_to(tmp_path)
    made = [
        run(tmp_path, "scaffold", "new-op", "pyk.reverse_bits", "numeric"),
        run(tmp_path, "scaffold", "new-pass", "pyk-coalesce-loads"),
    ]
    assert [result.returncode for result in made] == [0, 0]
    printed = "".join(result.stdout for result in made)
    found = run(tmp_path, "check-conventions").stdout.splitlines()
    assert len(found) > 10
    assert {line.split(": ")[0] for line in found} == set(
        re.findall(r"^  (\S+:\d+): ", printed, re.MULTILINE)
    )


@pytest.mark.parametrize("flag", PASSES_MADE)
def test_new_pass(made, flag):
    tree, _ = made
    dialect, name = PASSES_MADE[flag]
    folder = f"Dialect/{dialect}/Transforms"
    declared = tablegen(
        tree, f"include/pyk/{folder}/Passes.td", "-gen-pass-decls"
    )
    assert f"struct {name}Pass" in declared or f"{name}PassBase" in declared
    assert f"{name}.cpp" in (tree / f"lib/{folder}/CMakeLists.txt").read_text()
    source = (tree / f"lib/{folder}/{name}.cpp").read_text()
    assert f"#define GEN_PASS_DEF_{name.upper()}PASS\n" in source
    test = tree / f"test/{folder}/{flag.split('-', 1)[1]}.mlir"
    assert f"--{flag} |" in test.read_text()


@pytest.mark.parametrize("op", OPS_MADE)
def test_new_op(made, op):
    tree, _ = made
    family, name = OPS_MADE[op]
    assert f"class {name}Op" in tablegen(tree, OPS, "-gen-op-decls")
    assert f"{name}Op::" in tablegen(tree, OPS, "-gen-op-defs")
    for kind in ("ops", "folds", "errors"):
        test = tree / f"test/Dialect/Pyk/IR/{family}-{kind}.mlir"
        assert f"{op} %" in test.read_text()
        assert test.read_text().startswith("// RUN: pyk-opt %s --")
    page = tree / "python-dialect-docs/reference/pyk-dialect.md"
    assert f"`{op}`" in page.read_text()


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A tree whose files are all added to git."""
    tree = tmp_path_factory.mktemp("plain")
    copy_to(tree)
    git("add", "--all", cwd=tree)
    return tree


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("new-pass CoalesceLoads", "expects the flag of a pass: pyk-<verb>-"),
        ("new-pass coalesce-loads", "but got 'coalesce-loads'"),
        ("new-pass pyk-coalesce", "but got 'pyk-coalesce'"),
        ("new-pass pyk-Coalesce-loads", "but got 'pyk-Coalesce-loads'"),
        ("new-pass pyk-mark-spins", f"pyk-mark-spins is in {PASSES} already"),
        ("new-pass pyk-mark--spins", "but got 'pyk-mark--spins'"),
        ("new-pass convert-a-to-b", "a conversion has a folder"),
        ("new-op load memory", "expects the name of an op as IR has it"),
        ("new-op py.load memory", "but got 'py.load'"),
        ("new-op pyk.reverseBits numeric", "but got 'pyk.reverseBits'"),
        ("new-op pyk.load numeric", "pyk.load is in include/pyk/Dialect/Pyk"),
        ("new-op pyk.x Numeric", "expects a family of ops (atomic, complex,"),
    ],
)
def test_names_that_cannot_be(plain, arguments, message):
    """One error and status 2, and nothing is written."""
    result = run(plain, "scaffold", *arguments.split())
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("scripts/dev: error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr
    assert git("ls-files", "--others", "--modified", cwd=plain) == b""
