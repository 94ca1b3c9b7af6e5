# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a developer waits for a change: from its last file to its test.

A row is added to the table of intrinsics with a lit test, and an op with what
`scripts/dev new-op` writes for it, in each family that is asked for: how much
is compiled depends on it. The time is that of building `pyk-opt` and
of running the tests. Afterwards the tree and its build are as they were; the
tree must have no changes of its own. README.md, beside this file, says how.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from _report import ROOT, Samples, print_table, save

TABLE = ROOT / "include/pyk/Intrinsics/CudaIntrinsics.td"
ROW = """\
def : PythonIntrinsic<"cuda.benchmark", FloatUnary, LowersTo<Math_SqrtOp>,
                      "only while the benchmark runs">;

#endif // PYK_INTRINSICS_CUDAINTRINSICS_TD
"""
ROW_TEST = ROOT / "test/Conversion" / "py-to-pyk-benchmark.mlir"
ROW_TEST_TEXT = """\
// RUN: pyk-opt %s --py-infer-types --convert-py-to-pyk | FileCheck %s

// CHECK: math.sqrt {{.*}} : f32
py.func @k(["a"]) kernel arguments [!pyk.array<?xf32, c>] {
  %a = py.get "a" : !py.object
  %root = py.constant(#py.intrinsic<"cuda.benchmark">) : !py.object
  %zero = py.constant(#py.int<0 : si64>) : !py.object
  %x = py.subscript %a[%zero] : (!py.object, !py.object) -> !py.object
  %y = py.call %root(%x) : (!py.object, !py.object) -> !py.object
  py.set_subscript %y, %a[%zero] : !py.object, !py.object, !py.object
}
"""
OP = "pyk.benchmark"
OP_TESTS = ROOT / "test/Dialect/Pyk/IR"
OP_TEST_KINDS = ("ops", "folds", "errors")


def run(*command: str | Path) -> None:
    """Runs to the end; a cache must not stand in for the compiler."""
    environment = os.environ | {"CCACHE_DISABLE": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True
    )
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}{command[0]} failed")


def build() -> None:
    run("ninja", "-C", "build/dev", "pyk-opt")


def test(*tests: Path) -> None:
    run("/usr/lib/llvm-22/bin/lit", "-q", *tests)


def add_row() -> list[Path]:
    """Adds a row and its test; yields the tests."""
    head, end, _ = TABLE.read_text().rpartition("#endif")
    assert end
    TABLE.write_text(head + ROW)
    ROW_TEST.write_text(ROW_TEST_TEXT)
    return [ROW_TEST]


def add_op(family: str) -> list[Path]:
    """Adds an op with its tests; yields them."""
    run(ROOT / "scripts/dev", "new-op", OP, family)
    return [OP_TESTS / f"{family}-{kind}.mlir" for kind in OP_TEST_KINDS]


def restore() -> None:
    """The tree as it is committed."""
    ROW_TEST.unlink(missing_ok=True)
    run("git", "checkout", "--quiet", "--", ".")
    # A family may have had no test of this kind.
    run("git", "clean", "--quiet", "--force", "--", OP_TESTS)


def measure(runs: int, add: Callable[[], list[Path]]) -> Samples:
    """How long the change takes, each time on a build without it."""
    samples = []
    for _ in range(runs):
        build()
        try:
            tests = add()
            start = time.perf_counter()
            build()
            test(*tests)
            samples.append(time.perf_counter() - start)
        finally:
            restore()
    build()
    return samples


def main() -> int:
    """Measures, prints, and saves if asked to."""
    parser = argparse.ArgumentParser(
        prog="scripts/dev bench change", description=__doc__
    )
    parser.add_argument("--runs", type=int, default=3, metavar="N")
    parser.add_argument(
        "--family",
        action="append",
        metavar="FAMILY",
        help="of the op, numeric unless given; may be repeated",
    )
    parser.add_argument(
        "--save", action="store_true", help="keep the result in results/"
    )
    options = parser.parse_args()
    if options.runs < 1:
        parser.error("--runs expects at least 1")
    changed = subprocess.run(
        ["git", "status", "--porcelain"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    if changed:
        parser.error(f"expects a tree without changes but got\n{changed}")

    groups = {
        "from a change to its test": {
            "a row of the table of intrinsics": measure(options.runs, add_row),
        }
        | {
            f"an op, {family}": measure(options.runs, partial(add_op, family))
            for family in options.family or ["numeric"]
        }
    }
    print_table(groups, "s")
    if options.save:
        print(f"\nsaved {save('change', groups, 's').relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
