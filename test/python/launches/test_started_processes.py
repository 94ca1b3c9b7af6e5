# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of Numba's alone that start processes, which import them again."""

import subprocess
import sys

import pytest

KERNELS = """
import numpy as np
from numba import cuda, float64

@cuda.jit
def add(a, n):
    a[cuda.grid(1)] += n

def work(n):
    import numba, numba.cuda
    assert numba.cuda is cuda
    a = np.zeros(2)
    add[1, 2](a, n)
    return a.tolist()
"""

POOL = """
import multiprocessing
import sys

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        print(pool.map(work, [3, 4]))
"""

LOKY = """
from loky import get_reusable_executor

if __name__ == "__main__":
    print(list(get_reusable_executor(2).map(work, [3, 4])))
"""

RESULT = "[[3.0, 3.0], [4.0, 4.0]]\n"


def run(folder, *arguments, code=0):
    """Runs Python; a process that fails would be started for ever."""
    result = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (code, "")
    return result.stdout


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_pool(tmp_path, method):
    (tmp_path / "program.py").write_text(KERNELS + POOL)
    assert run(tmp_path, "-m", "pyk", "program.py", method) == RESULT


def test_pool_of_a_module(tmp_path):
    (tmp_path / "program.py").write_text(KERNELS + POOL)
    assert run(tmp_path, "-m", "pyk", "-m", "program", "spawn") == RESULT


def test_program_without_an_ending(tmp_path):
    (tmp_path / "program").write_text(KERNELS + POOL)
    assert run(tmp_path, "-m", "pyk", "program", "spawn") == RESULT


def test_loky(tmp_path):
    pytest.importorskip("loky")
    (tmp_path / "program.py").write_text(KERNELS + LOKY)
    assert run(tmp_path, "-m", "pyk", "program.py") == RESULT


def test_alias_that_the_program_installs_itself(tmp_path):
    """Only the first process does; others import the kernels alone."""
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "program.py").write_text(
        "if __name__ == '__main__':\n"
        "    import pyk\n"
        "    pyk.install_as_numba()\n"
        "    from kernels import work\n" + POOL
    )
    assert run(tmp_path, "program.py", "spawn") == RESULT


def test_forms_of_the_first_import(tmp_path):
    for statement in (
        "import numba",
        "from numba.cuda.random import create_xoroshiro128p_states",
        "import numba.core.types",
    ):
        program = (
            "import sys\n"
            "from pyk._numba import _handed_on\n"
            "sys.path.insert(1, _handed_on.FOLDER)\n"
            f"{statement}\n"
            "import numba, pyk\n"
            "print(numba.__pyk__, numba.cuda is pyk.cuda)\n"
        )
        (tmp_path / "program.py").write_text(program)
        assert run(tmp_path, "program.py") == "True True\n"


def test_installed_numba_is_still_found(tmp_path):
    """The functions of numba.jit ask for it."""
    (tmp_path / "numba.py").write_text("")
    (tmp_path / "program.py").write_text(
        "import pyk\n"
        "from pyk._numba import _genuine, _handed_on\n"
        "import sys\n"
        "pyk.install_as_numba()\n"
        "print(sys.path.index(_handed_on.FOLDER), _genuine.is_installed())\n"
        f"sys.path.remove({str(tmp_path)!r})\n"
        "print(_genuine.is_installed())\n"
    )
    assert run(tmp_path, "program.py") == "1 True\nFalse\n"
