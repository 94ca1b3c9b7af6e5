# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`gpu-check` without a bundle, and how it tells results apart.

The ctest test `bundle` runs it on one.
"""

import fnmatch
import importlib.metadata
import os
import runpy
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from support.places import ROOT, TESTS
from support.stand_in_driver import LIBRARY

SCRIPT = ROOT / "scripts/gpu-check"
SCRIPT_NAMES = runpy.run_path(str(SCRIPT))


def refusal(*arguments):
    """What it says on standard error before it ends with status 1."""
    result = subprocess.run(
        [sys.executable, SCRIPT, *arguments], capture_output=True, text=True
    )
    assert result.returncode == 1
    assert result.stdout == ""
    return result.stderr.splitlines()[-1]


def test_checkout_is_no_bundle():
    assert refusal() == (
        f"gpu-check: error: '{ROOT}' is no bundle; name the archive of one"
    )


def test_archive_that_is_none(tmp_path):
    archive = tmp_path / "bundle.tar.gz"
    archive.write_text("text")
    assert refusal(archive).startswith(
        f"gpu-check: error: cannot unpack '{archive}': "
    )


@pytest.mark.parametrize(
    ("found", "expected", "ulps"),
    [
        ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], 0),
        ([1.0 + 2**-51], [1.0], 2),
        ([1.0, 2.0], [1.0, np.nan], np.inf),
        ([np.nan], [1.0], np.inf),
        ([np.inf], [1e300], np.inf),
        ([1, 2], [1, 2], 0),
        ([1, 2], [1, 3], np.inf),
    ],
)
def test_difference(found, expected, ulps):
    difference = SCRIPT_NAMES["difference"]
    assert difference(np.array(found), np.array(expected)) == ulps


def order():
    """The files that run, and the reasons of those that do not."""
    return SCRIPT_NAMES["read_order"](
        ROOT / "scripts/gpu-tests.txt", TESTS / "python"
    )


def test_every_test_is_run_or_left_out_with_a_reason():
    run, left = order()
    tests = TESTS / "python"
    names = {str(path.relative_to(tests)) for path in tests.glob("*/test_*.py")}
    assert {*run, *left} == names
    assert not {*run} & {*left}
    assert len(run) == len({*run}) > 100
    assert all(len(reason) > 5 for reason in left.values())
    # A hang of a real warp, and what takes it away, would come first.
    assert run[0] == "ptx/test_instructions.py"


def test_every_pattern_of_the_order_names_a_file():
    """A name that is no longer right would let a file be run, or not."""
    tests = TESTS / "python"
    names = [str(path.relative_to(tests)) for path in tests.glob("*/test_*.py")]
    lines = (ROOT / "scripts/gpu-tests.txt").read_text().splitlines()
    patterns = [
        pattern
        for line in lines
        if line.startswith(("run ", "leave "))
        for pattern in line.partition(" ")[2].partition(": ")[0].split()
    ]
    assert len(patterns) > 20
    for pattern in patterns:
        assert fnmatch.filter(names, pattern), pattern


#: Collects tests, without the packages of its first argument.
COLLECT = """
import sys, pytest
sys.modules.update(dict.fromkeys(sys.argv[1].split(",")))
sys.exit(pytest.main([*sys.argv[2:], "--collect-only", "-qq"]))
"""


def test_no_file_that_is_run_needs_what_a_bundle_lacks():
    """Such a file would fail when it is imported."""
    texts = {name: (TESTS / "python" / name).read_text() for name in order()[0]}
    assert not any(
        "FUZZ" in text or '"pyk-opt"' in text for text in texts.values()
    )
    brought = runpy.run_path(str(ROOT / "scripts/package"))["PACKAGES"]
    owners = importlib.metadata.packages_distributions()
    lacking = {
        module
        for module in filter(str.isidentifier, owners)
        if not {*owners[module]} & {*brought, "numpy"}
    }
    assert {"ml_dtypes", "hypothesis"} <= lacking
    # gpu-check leaves out what needs hypothesis where that is missing.
    files = [
        str(TESTS / "python" / name)
        for name, text in texts.items()
        if "hypothesis" not in text
    ]
    result = subprocess.run(
        [
            *(sys.executable, "-c", COLLECT, ",".join(lacking - {"pyk"})),
            *("-p", "no:cacheprovider", *files),
        ],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    assert result.returncode == 0, result.stdout[-4000:]


# ===----------------------------------------------------------------------===#
# A run over a bundle that is made up
# ===----------------------------------------------------------------------===#

#: Files of tests, in the order in which they are to run.
FILES = {
    "passes": "def test_first(): pass\ndef test_second(): pass\n",
    "hangs": (
        "import subprocess, sys, time\n"
        "def test_before(): pass\n"
        "def test_that_hangs():\n"
        "    program = [sys.executable, '-c', 'import time; time.sleep(99)']\n"
        "    for new in (True, False):\n"
        "        child = subprocess.Popen(program, start_new_session=new)\n"
        "        with open('children', 'a') as file:\n"
        "            print(child.pid, file=file)\n"
        "    time.sleep(99)\n"
    ),
    "crashes": (
        "import os\n"
        "def test_before(): pass\n"
        "def test_that_crashes(): os.abort()\n"
        "def test_after(): pass\n"
    ),
    "fails": (
        "import pytest\n"
        "def test_fails(): assert False, 'no'\n"
        "def test_skips(): pytest.skip('why not')\n"
    ),
    "last": "def test_last(): pass\n",
}


@pytest.fixture
def bundle(tmp_path):
    """A folder with the tests of FILES and two examples."""
    tests = tmp_path / "bundle/test/python/made"
    tests.mkdir(parents=True)
    for name, text in FILES.items():
        (tests / f"test_{name}.py").write_text(text)
    (tests / "test_left.py").write_text("raise SystemExit\n")
    names = " ".join(f"made/test_{name}.py" for name in FILES)
    (tmp_path / "bundle/scripts").mkdir()
    (tmp_path / "bundle/scripts/gpu-tests.txt").write_text(
        f"run {names} made/*\nleave made/test_left.py: of no use\n"
    )
    examples = tmp_path / "bundle/examples"
    examples.mkdir()
    (examples / "01-good.py").write_text("print('fine')\n")
    (examples / "02-bad.py").write_text("raise SystemExit('wrong')\n")
    (tmp_path / "output").mkdir()
    return tmp_path / "bundle"


def run_steps(bundle, steps, seconds, limit=60, at_once=2, seen=None):
    """Runs steps with a budget; the verdict and the summary."""
    names = SCRIPT_NAMES
    output = bundle.parent / "output"
    budget = names["Budget"](seconds, time.monotonic())
    checker = names["Checker"](bundle, "cpu", output, budget)
    checker.environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    make = checker.job

    def limited(*arguments, **keywords):
        job = make(*arguments, **keywords)
        job.limit = limit
        return job

    checker.job = limited
    checker.at_once = at_once
    summary = names["Summary"](output / "summary.txt", budget)
    write = summary.write

    def write_and_look(*arguments):
        text = write(*arguments)
        assert summary_text(bundle) == text
        if seen is not None:
            seen.append(text)
        return text

    summary.write = write_and_look
    verdict = names["check"](checker, summary, steps)
    return verdict, summary.write(verdict)


def summary_text(bundle):
    return (bundle.parent / "output/summary.txt").read_text()


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2]
    except FileNotFoundError:
        return False
    return state.split()[0] != "Z"


def test_a_hang_and_a_crash_cost_one_file(bundle):
    verdict, text = run_steps(bundle, ["tests"], 120, limit=15)
    assert verdict == "gpu-check FAILED on cpu"
    lines = [line.strip() for line in text.splitlines()]
    assert lines[0].split()[:7] == [
        *("tests", "5", "passed", "3", "failed", "1", "skipped"),
    ]
    assert "made/test_hangs.py: no end after 15 s, in test_that_hangs" in lines
    assert (
        "made/test_crashes.py: ends by SIGABRT, in test_that_crashes" in lines
    )
    assert "made/test_fails.py::test_fails - AssertionError: no" in lines
    assert "SKIPPED 1: why not" in lines
    assert "not run" not in text
    children = (bundle.parent / "output/children").read_text().split()
    assert len(children) == 2
    assert not any(map(is_alive, children))


def test_results_are_written_one_by_one_in_the_order(bundle):
    seen = []
    (bundle / "test/python" / "made/test_hangs.py").write_text(FILES["passes"])
    run_steps(bundle, ["tests", "examples"], 120, at_once=1, seen=seen)
    left = []
    for text in seen[: len(FILES)]:
        assert "unfinished after" in text.splitlines()[-1]
        names = text.partition("not run, by the budget:")[2].split()[1:]
        left.append([name for name in names if name.startswith("made/")])
    expected = [f"made/test_{name}.py" for name in FILES]
    assert left == [expected[count:] for count in range(1, len(FILES) + 1)]
    assert "01-good.py" not in seen[-1]
    assert "02-bad.py: ends with status 1: " in seen[-1]


def test_a_budget_is_kept_and_what_it_does_not_reach_is_named(bundle):
    start = time.monotonic()
    end = SCRIPT_NAMES["END"]
    seconds = end + 15
    verdict, text = run_steps(bundle, ["tests", "examples"], seconds, at_once=1)
    assert time.monotonic() - start < seconds
    assert verdict == (
        "gpu-check passed on cpu, except 6 that the budget did not reach"
    )
    assert text.splitlines()[-1] == verdict
    words = text.split()
    # The one that was cut off has not failed.
    assert "failed" in words
    for name in ("hangs", "crashes", "fails", "last"):
        assert f"made/test_{name}.py" in words
    assert "made/test_passes.py" not in words
    assert {"01-good.py", "02-bad.py"} <= {*words}


def test_tests_leave_time_for_what_comes_behind(bundle):
    names = SCRIPT_NAMES
    budget = names["Budget"](60, time.monotonic() - 30)
    assert 29 < budget.left() <= 30
    assert 9 < budget.left(20) <= 10
    assert names["Budget"](None, 0).left(1e9) == float("inf")


def test_timings_without_a_gpu(bundle):
    verdict, text = run_steps(bundle, ["timings"], 60)
    assert verdict == "gpu-check passed on cpu"
    assert "SKIPPED: there is no GPU" in text


def test_what_cannot_be_started_costs_one_step(bundle):
    verdict, text = run_steps(
        bundle, ["conformance", "compare", "examples"], 60
    )
    assert verdict == "gpu-check FAILED on cpu"
    assert "ends with status 127" in text
    assert "no results on cpu: ends with status 2" in text
    assert "examples         1 passed    1 failed" in text


def test_conformance_is_counted_up_to_a_hang(bundle):
    program = bundle / "bin/PyKRuntimeTests"
    program.parent.mkdir()
    program.write_text(
        "#!/bin/sh\n"
        "case $* in\n"
        "*list_tests*) echo 'B/ConformanceA.'; echo '  b/cpu'\n"
        "  echo 'B/ConformanceB.'; echo '  f/cpu'; exit ;;\n"
        "*ConformanceB.*/cpu) echo '[ RUN      ] B/ConformanceB.f/cpu'\n"
        "  echo '[       OK ] B/ConformanceB.f/cpu (1 ms)'; exit ;;\n"
        "esac\n"
        "echo '[ RUN      ] A.b/cpu'\necho '[       OK ] A.b/cpu (1 ms)'\n"
        "echo '[ RUN      ] A.c/cpu'\n"
        "echo '[  FAILED  ] A.c/cpu, where GetParam() = 4 (0 ms)'\n"
        "echo '[ RUN      ] A.d/cpu'\necho '[  SKIPPED ] A.d/cpu (1 ms)'\n"
        "echo '[ RUN      ] A.e/cpu'\nsleep 99\n"
    )
    program.chmod(0o755)
    _, text = run_steps(bundle, ["conformance"], 60, limit=5)
    lines = text.splitlines()
    assert lines[1:3] == ["  A.c/cpu", "  no end after 5 s, in A.e/cpu"]
    assert text.split()[1:7] == ["2", "passed", "2", "failed", "1", "skipped"]


def test_kernels_without_libdevice(tmp_path):
    """All that the comparison computes needs a driver alone."""
    file = tmp_path / "found.npz"
    environment = {
        **os.environ,
        "PYK_TARGET": "cuda",
        "PYK_LIBCUDA": str(LIBRARY),
        "CUDA_HOME": str(tmp_path),
    }
    for name in ("PYK_LIBDEVICE", "CUDA_PATH"):
        environment.pop(name, None)
    program = Path(__file__).with_name("compare_targets.py")
    subprocess.run([sys.executable, program, file], env=environment, check=True)
    found = np.load(file)
    assert {"lgamma float32", "% float64", "+ int64", "block sum"} <= {*found}
