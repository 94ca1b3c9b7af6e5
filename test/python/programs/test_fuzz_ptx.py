# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sample of the random programs of test/fuzz, executed on the PTX machine.

The machine is the driver of a process, so these run in processes of their own.
"""

import json
import os
import subprocess
import sys

import pytest

from support.places import FUZZ
from support.ptx_machine import LIBRARY

pytestmark = pytest.mark.skipif(
    not LIBRARY.exists(), reason="the PTX machine was not built"
)


def say(tmp_path, *words, **environment):
    """The lines of a worker, and the launches that the machine executed."""
    record = tmp_path / "record.txt"
    done = subprocess.run(
        [sys.executable, *words],
        cwd=FUZZ,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYK_STANDIN": f"record={record}", **environment},
    )
    assert done.returncode in (0, 1), done.stderr
    lines = record.read_text().splitlines() if record.exists() else []
    counts = dict(line.split() for line in lines[:1])
    return done.stdout.splitlines(), int(counts.get("launches", 0))


def test_programs(tmp_path):
    words = ["-m", "kernels.worker", "900000", "900012", "sm_80"]
    lines, launches = say(tmp_path, *words, FUZZ_PTX="also")
    verdicts = [one for one in map(json.loads, lines) if "failure" in one]
    assert len(verdicts) == 12
    assert all(one["failure"] is None for one in verdicts), verdicts
    assert (
        0
        < launches
        == sum(
            one["launches"]
            for one in verdicts
            if not one["refused"]
            and not any(name.startswith("far ") for name in one["features"])
        )
    )
    assert 2 in {one["launches"] for one in verdicts}


def test_programs_that_are_not_for_a_gpu_are_not_counted(tmp_path):
    """Those that access memory far outside of an array, which no GPU checks."""
    words = ["-m", "kernels.worker", "900000", "900012", "sm_80"]
    lines, launches = say(tmp_path, *words, FUZZ_PTX="only")
    verdicts = [one for one in map(json.loads, lines) if "failure" in one]
    ran = [one for one in verdicts if not (one["skipped"] or one["refused"])]
    assert launches == sum(one["launches"] for one in ran)


def test_without_ptx_the_machine_does_nothing(tmp_path):
    words = ["-m", "kernels.worker", "900000", "900002", "sm_80"]
    lines, launches = say(tmp_path, *words)
    assert launches == 0
    assert sum("failure" in json.loads(line) for line in lines) == 2


def test_blocks(tmp_path):
    words = ["-m", "blocks.judge", "900000", "900004", "one"]
    lines, launches = say(tmp_path, *words, FUZZ_PTX="only")
    assert launches > 0
    assert not [line for line in lines if line.startswith("wrong")]


@pytest.mark.parametrize(
    ("module", "replaced", "call", "said"),
    [
        ("kernels", "judges.kernel", "worker.main(900000, 900012, 'sm_80')",
         "(run as ptx 900"),
        ("blocks", "judge.define", "judge.main()", "run as ptx for 900"),
    ],
)  # fmt: skip
def test_wrong_ptx_is_found(tmp_path, module, replaced, call, said):
    """Text for the machine adds where it should subtract."""
    program = f"""
import sys
sys.path.insert(0, ".")
sys.argv = ["", "900000", "900004", "one"]
from {module} import {replaced.partition(".")[0]}{
        ", worker" if module == "kernels" else ""
    }
from pyk.cuda import _devices
right = {replaced}
def wrong(text, name):
    if not _devices.current().is_cpu:
        text = text.replace(" - ", " + ").replace(" ^= ", " |= ")
    return right(text, name)
{replaced} = wrong
{call}
"""
    lines, _ = say(tmp_path, "-c", program, FUZZ_PTX="only")
    assert said in "\n".join(lines)
