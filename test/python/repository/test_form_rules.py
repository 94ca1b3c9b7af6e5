# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gate for form sees what it is there for: one breach for each rule.

A rule that silently finds nothing is worse than none. Each case changes one
file of a copy of the tree and expects the rule to name it.
"""

import shutil
import subprocess
import sys
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


# Reading the whole tree takes most of a script's time, so breaches in different
# files are made together. Each rule has to name its own file.
@pytest.fixture(scope="module")
def said(tree):
    """What a script says of each case, by its rule."""
    found = {}
    for cases in in_rounds(CASES):
        before = {}
        for _, _, file, old, new in cases:
            path = tree / file
            before[path] = path.read_text() if old else None
            path.parent.mkdir(parents=True, exist_ok=True)
            if old:
                assert old in before[path]
                new = before[path].replace(old, new)
            path.write_text(new)
        try:
            results = {
                script: run(tree, script)
                for script in {case[0] for case in cases}
            }
        finally:
            for path, text in before.items():
                if text is None:
                    path.unlink()
                else:
                    path.write_text(text)
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


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("lib/Support/New.cpp", 'emitError("cannot graze " "with zebras");'),
        ("runtime/lib/New.cpp", 'Status::failure(c, "grazing with zebras");'),
        ("python/pyk/_new.py", 'raise ValueError(f"expects {0} zebras now")'),
    ],
)
def test_message_without_a_test(tree, file, text):
    (tree / file).write_text(f"{text}\n")
    here = tree / "test/python/repository/test_form_rules.py"
    own = here.read_text()
    here.write_text("")
    try:
        result = run(tree, "check-diagnostics")
    finally:
        (tree / file).unlink()
        here.write_text(own)
    assert result.returncode == 1
    assert result.stdout.startswith(f"{file}:1: no test expects ")


def methods(first, end):
    return "".join(
        f"  int f{i}(int x = {{}}) {{ return {{}}; }}\n"
        for i in range(first, end)
    )


LINES = "  x();\n" * 79


@pytest.mark.parametrize(
    ("files", "said"),
    [
        (
            {"lib/Support/New.cpp": "\n" * 601},
            "file lib/Support/New.cpp: expects at most 600 but got 601",
        ),
        (
            {"lib/Support/New.h": f"class New : Old {{\n{methods(0, 41)}}};\n"},
            "class New: expects at most 40 but got 41",
        ),
        (
            {
                "lib/Support/New.h": f"class New {{\n{methods(0, 20)}}};\n",
                "lib/Support/Old.h": "class Old final : public New {\n"
                f"{methods(19, 41)}}};\n",
            },
            "class Old: expects at most 40 but got 41",
        ),
        (
            {
                "python/pyk/_new.py": "class New:\n"
                + "".join(f"    def f{i}(): ...\n" for i in range(41))
            },
            "class New: expects at most 40 but got 41",
        ),
        (
            {"lib/Support/New.cpp": f"static int f(int x) {{\n{LINES}}}\n"},
            "function lib/Support/New.cpp: f: expects at most 80 but got 81",
        ),
        (
            {"python/pyk/_new.py": "def f():\n" + "    x()\n" * 80},
            "function python/pyk/_new.py: f: expects at most 80 but got 81",
        ),
        (
            {
                "lib/Support/New.h": '#include "Old.h"\n',
                "lib/Support/Old.h": '#include "New.h"\n',
            },
            "expects no circle but got lib/Support/",
        ),
        (
            {
                "python/pyk/_new.py": "from pyk import _old\n",
                "python/pyk/_old.py": "from pyk._new import x\n",
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
    ],
)
def test_what_is_too_large(tree, files, said):
    before = {
        file: (tree / file).read_text()
        for file in files
        if (tree / file).exists()
    }
    for file, text in files.items():
        (tree / file).write_text(text)
    try:
        result = run(tree, "check-sizes")
    finally:
        for file in files:
            if file in before:
                (tree / file).write_text(before[file])
            else:
                (tree / file).unlink()
    assert result.returncode == 1
    assert said in result.stdout, result.stdout + result.stderr
