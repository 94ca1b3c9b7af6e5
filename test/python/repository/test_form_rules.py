# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gate for form sees what it is there for: one breach for each rule.

A rule that silently finds nothing is worse than none. Each case changes one
file of a copy of the tree and expects the rule to name it.
"""

import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.places import ROOT

PASSES = "include/pyk/Dialect/Pyk/Transforms/Passes.td"
SYNC = "include/pyk/Dialect/Pyk/IR/PykSyncOps.td"
MEMORY = "include/pyk/Dialect/Pyk/IR/PykMemoryOps.td"
README = "python-dialect-docs/README.md"
MLIR = "test/Dialect/Pyk/IR/sync-ops.mlir"
WORK = "TO" + "DO"

pytestmark = [
    # Each case reads the whole tree.
    pytest.mark.long,
    pytest.mark.skipif(
        not shutil.which("git")
        or not Path("/usr/lib/llvm-22/bin/llvm-tblgen").exists(),
        reason="needs git and the TableGen of LLVM 22",
    ),
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """A copy of what is committed or would be, a repository of its own."""
    copy = tmp_path_factory.mktemp("tree")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    ).stdout.decode()
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name)
    subprocess.run(["git", "init", "--quiet"], cwd=copy, check=True)
    return copy


def run(tree, script):
    return subprocess.run(
        [sys.executable, tree / "scripts" / script],
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    "script",
    ["check-conventions", "check-shape", "check-sizes", "check-diagnostics"],
)
def test_copy_is_in_form(tree, script):
    result = run(tree, script)
    assert (result.returncode, result.stdout) == (0, "")


# The rule, the file, what is replaced in it (a new file without), and by what.
SHAPE = [
    ("pass_name", PASSES, "def MarkSpinsPass", "def FindSpinsPass"),
    ("pass_files", PASSES, "mark-spins.mlir", "marks.mlir"),
    ("pass_page", PASSES, "Requires: stage pyk. Guarantees: nothing", "It"),
    ("op_name", SYNC, "Pyk_BarrierOp", "Pyk_MeetOp"),
    (
        "op_page",
        SYNC,
        "    Example:\n    ```mlir\n    pyk.spin_hint\n"
        "    pyk.spin_hint for %n\n    ```",
        "",
    ),
    ("op_result", MEMORY, "(outs I64:$result)", "(outs I64:$extent)"),
    ("constraint_labels", MEMORY, "(alloc_c1)", "(alloc_c7)"),
    ("mirror", "include/pyk/Nowhere/Thing.h", None, "// Empty.\n"),
    ("declared_comments", "include/pyk/Target/PTX.h", "///", "//"),
    ("links", README, "(tour.md)", "(tours.md)"),
    ("linked_pages", "python-dialect-docs/new.md", None, "# New\n"),
    ("named_paths", "README.md", "# PyK", "# PyK: `lib/Old/Thing.cpp`"),
    ("environment", "python/pyk/_options.py", '"PYK_TARGET"', '"PYK_WHERE"'),
]
CONVENTIONS = [
    ("licence", "lib/Support/New.cpp", None, "// A file with no licence.\n"),
    ("file-comment", "lib/Support/New.cpp", None, "int x;\n"),
    ("todo", "lib/Support/New.cpp", None, f"// {WORK}: later\n"),
    ("split-tablegen", SYNC, "#endif", "\n" * 400 + "#endif"),
    ("short-passes", "lib/Dialect/Pyk/Transforms/X.cpp", None, "\n" * 401),
    ("cpp-names", "lib/Support/new_file.cpp", None, "\n"),
    ("no-promises", "lib/utils/New.cpp", None, "\n"),
    ("path-depth", "lib/a/b/c/d/e/New.cpp", None, "\n"),
    ("no-cl-opt", "lib/Support/New.cpp", None, "cl::opt<int> x;\n"),
    ("op-families", "lib/Support/New.cpp", None,
     '#include "pyk/Dialect/Pyk/IR/PykOps.h"\n'),
    ("separate-families", SYNC, "PykOpBase.td", "PykMemoryOps.td"),
    ("fill-in", "lib/Support/New.cpp", None, "// FILL" + " IN: all\n"),
    ("summary", SYNC, "threads of the block\"", "threads of the block.\""),
    ("pass-flag", PASSES, '"pyk-mark-spins"', '"mark-spins"'),
    ("negative-test-name", MLIR, "pyk.return", "// expected-error"),
    ("expected-below", MLIR, "pyk.return", "// expected-note@+1"),
    ("long-options", MLIR, "--verify-roundtrip", "-verify-roundtrip"),
    ("case-name", MLIR, "@waiting", "@waitingForAll"),
    ("lit-test-name", "test/Dialect/Pyk/IR/sync_more.mlir", None, "\n"),
    ("unit-test-case", "test/unit/Runtime/XTest.cpp", None, "TEST(X, Y) {}\n"),
    ("python-names", "python/pyk/_twoWords.py", None, "\n"),
    ("public-modules", "python/pyk/helpers.py", None, "\n"),
    ("example-name", "examples/new.py", None, "assert True\n"),
    ("example-asserts", "examples/99-new.py", None, "print()\n"),
    ("changelog-name", "changelog.d/new.md", None, "New.\n"),
    ("decision-revisit", "python-dialect-docs/rationale/decisions/0099-x.md",
     None, "# 99. X\n"),
    ("diagnostic-case", "lib/Support/New.cpp", None, 'emitError("Expects")\n'),
    ("diagnostic-full-stop", "lib/Support/New.cpp", None,
     'emitOpError("expects one.")\n'),
    ("diagnostic-words", "lib/Support/New.cpp", None,
     'emitOpError("invalid type")\n'),
    ("runtime-wall", "runtime/lib/New.cpp", None, '#include "mlir/IR/X.h"\n'),
]  # fmt: skip


CASES = [("check-shape", *case) for case in SHAPE] + [
    ("check-conventions", *case) for case in CONVENTIONS
]


def in_rounds(cases):
    """`cases` in lists in which no file is changed twice."""
    rounds = []
    for case in cases:
        for others in rounds:
            if case[2] not in {other[2] for other in others}:
                others.append(case)
                break
        else:
            rounds.append([case])
    return rounds


@contextmanager
def written(tree, files):
    """Writes texts to files of the copy, which are then as before."""
    before = {
        tree / file: (tree / file).read_text()
        if (tree / file).exists()
        else None
        for file in files
    }
    try:
        for file, text in files.items():
            path = tree / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        yield
    finally:
        for path, text in before.items():
            if text is None:
                path.unlink()
            else:
                path.write_text(text)


# Reading the whole tree takes most of a script's time, so breaches in different
# files are made together. Each rule has to name its own file.
@pytest.fixture(scope="module")
def said(tree):
    """What a script says of each case, by its rule."""
    found = {}
    for cases in in_rounds(CASES):
        files = {}
        for _, _, file, old, new in cases:
            if old:
                text = (tree / file).read_text()
                assert old in text
                new = text.replace(old, new)
            files[file] = new
        with written(tree, files):
            results = {
                script: run(tree, script)
                for script in {case[0] for case in cases}
            }
        for script, rule, *_ in cases:
            assert results[script].returncode == 1, results[script].stderr
            found[rule] = results[script].stdout
    return found


@pytest.mark.parametrize(
    ("rule", "file"),
    [case[1:3] for case in CASES],
    ids=[case[1] for case in CASES],
)
def test_rule_finds_a_breach(said, rule, file):
    # TableGen's files are named by the one that includes them, some by folder.
    places = [
        Path(line.partition(":")[0])
        for line in said[rule].splitlines()
        if f"[{rule}]" in line
    ]
    near = {Path(file), *Path(file).parents[:2]} - {Path(".")}
    assert any(near & {place, place.parent} for place in places), said[rule]


MESSAGES = {
    "lib/Support/New.cpp": 'emitError("cannot graze " "with zebras");\n',
    "runtime/lib/New.cpp": 'Status::failure(c, "grazing with zebras");\n',
    "python/pyk/_new.py": 'raise ValueError(f"expects {0} zebras now")\n',
}


@pytest.fixture(scope="module")
def said_of_messages(tree):
    here = "test/python/repository/test_form_rules.py"
    with written(tree, {**MESSAGES, here: ""}):
        return run(tree, "check-diagnostics")


@pytest.mark.parametrize("file", MESSAGES)
def test_message_without_a_test(said_of_messages, file):
    assert said_of_messages.returncode == 1
    found = said_of_messages.stdout
    assert re.search(f"^{file}:1: no test expects ", found, re.M), found


def methods(first, end):
    return "".join(
        f"  int f{i}(int x = {{}}) {{ return {{}}; }}\n"
        for i in range(first, end)
    )


LINES = "  x();\n" * 79


# What is too large, and what is said of it.
LARGE = [
    (
        {"lib/Support/Long.cpp": "\n" * 601},
        "file lib/Support/Long.cpp: expects at most 600 but got 601",
    ),
    (
        {"lib/Support/Wide.h": f"class Wide : Old {{\n{methods(0, 41)}}};\n"},
        "class Wide: expects at most 40 but got 41",
    ),
    (
        {
            "lib/Support/Base.h": f"class Base {{\n{methods(0, 20)}}};\n",
            "lib/Support/Derived.h": "class Derived final : public Base {\n"
            f"{methods(19, 41)}}};\n",
        },
        "class Derived: expects at most 40 but got 41",
    ),
    (
        {
            "python/pyk/_wide.py": "class Broad:\n"
            + "".join(f"    def f{i}(): ...\n" for i in range(41))
        },
        "class Broad: expects at most 40 but got 41",
    ),
    (
        {"lib/Support/Function.cpp": f"static int f(int x) {{\n{LINES}}}\n"},
        "function lib/Support/Function.cpp: f: expects at most 80 but got 81",
    ),
    (
        {"python/pyk/_function.py": "def f():\n" + "    x()\n" * 80},
        "function python/pyk/_function.py: f: expects at most 80 but got 81",
    ),
    (
        {
            "lib/Support/Left.h": '#include "Right.h"\n',
            "lib/Support/Right.h": '#include "Left.h"\n',
        },
        "expects no circle but got lib/Support/",
    ),
    (
        {
            "python/pyk/_left.py": "from pyk import _right\n",
            "python/pyk/_right.py": "from pyk._left import x\n",
        },
        "expects no circle but got python/pyk/_",
    ),
    (
        {
            "lib/Frontend/Importer.h": (
                "class Importer {\n  void import();\n};\n"
            )
        },
        "check-sizes: expects no entry for class Importer",
    ),
]


@pytest.fixture(scope="module")
def said_of_sizes(tree):
    files = {}
    for added, _ in LARGE:
        assert not files.keys() & added
        files.update(added)
    with written(tree, files):
        return run(tree, "check-sizes")


@pytest.mark.parametrize(
    "said", [said for _, said in LARGE], ids=[said for _, said in LARGE]
)
def test_what_is_too_large(said_of_sizes, said):
    assert said_of_sizes.returncode == 1
    found = said_of_sizes.stdout
    assert said in found, found + said_of_sizes.stderr
