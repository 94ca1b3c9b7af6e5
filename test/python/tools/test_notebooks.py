# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that are defined in IPython and in the cells of a notebook."""

import subprocess
import sys

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

IMPORTS = "import numpy as np\nfrom pyk import cuda\na = np.zeros(2)\n"

KERNEL = """\
@cuda.jit
def k(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] = {}
"""

LAUNCH = "k[1, 32](a)\nprint(a)\n"

#: What is said of the second kernel, except for the number of its cell.
MESSAGE = (
    "]:5:16: error: name 'unknown' is not defined\n"
    "            a[i] = unknown\n"
    "                   ^~~~~~~"
)


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """No history or file of the user's is read or written."""
    for name in ("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setenv("NO_COLOR", "1")


def ipython(*arguments, text=""):
    return subprocess.run(
        [sys.executable, "-m", "IPython", "--quick", "--colors=NoColor"]
        + ["--no-banner", "--HistoryManager.enabled=False", *arguments],
        input=text,
        capture_output=True,
        text=True,
    )


def test_kernels_at_the_prompt_of_ipython():
    text = "\n".join(
        [IMPORTS, KERNEL.format("i + 5"), LAUNCH]
        + [KERNEL.format("unknown"), LAUNCH]
    )
    done = ipython("--simple-prompt", "--no-autoindent", text=text)
    assert "[5. 6.]\n" in done.stdout, done.stderr
    assert MESSAGE in done.stdout + done.stderr


def test_command_of_ipython():
    """One text, from the command line, as a cell is."""
    done = ipython("-c", IMPORTS + KERNEL.format("i + 5") + LAUNCH)
    assert (done.stdout, done.stderr) == ("[5. 6.]\n", "")


def execute(*sources):
    """What the cells of a notebook print, of the last its error."""
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    client = nbclient.NotebookClient(notebook, timeout=60, allow_errors=True)
    client.execute()
    return [
        "".join(
            output.get("text") or f"{output.ename}: {output.evalue}"
            for output in cell.outputs
        )
        for cell in notebook.cells
    ]


def test_kernels_in_a_notebook():
    found = execute(
        IMPORTS,
        KERNEL.format("i + 5") + LAUNCH,
        # A cell that was changed and runs again.
        KERNEL.format("i + 7"),
        LAUNCH,
        "%timeit -n 2 -r 1 k[1, 32](a)",
        "%%time\n" + KERNEL.format("i + 8") + LAUNCH,
        KERNEL.format("unknown") + LAUNCH,
    )
    assert found[:4] == ["", "[5. 6.]\n", "", "[7. 8.]\n"]
    assert "2 loops each" in found[4]
    assert found[5].startswith("[8. 9.]\n")
    assert found[6] == f"TypingError: Cell In[7{MESSAGE}"


def test_what_kernels_print_and_warn_of_in_a_notebook():
    found = execute(
        IMPORTS,
        "@cuda.jit\ndef k(a):\n    print('k')\n    a[5] = 1\n    a[0] == 1",
        "print('before')\nk[1, 1](a)\nprint('after')",
        "@cuda.jit\ndef f(a):\n    return g(a)",
        "@cuda.jit(device=True)\ndef g(a):\n    return a.nothing",
        LAUNCH.replace("k[", "f["),
    )
    assert "before\nk\nafter\n" in found[2]
    assert (
        "Cell In[2]:5: KernelMistakeWarning: 'a[0] == 1' compares" in found[2]
    )
    assert (
        "Cell In[2]:4: OutOfBoundsWarning: kernel 'k' writes a[5]" in found[2]
    )
    assert "  a[5] = 1\n" in found[2]
    assert "Cell In[5]:3:12: error: " in found[5]
    assert "Cell In[4]:3:12: note: 'g' is called here" in found[5]
    assert "/tmp" not in "".join(found)


def test_numba_alias_in_a_notebook():
    found = execute(
        "import pyk; pyk.install_as_numba()",
        IMPORTS.replace("from pyk", "from numba"),
        KERNEL.format("i + 5") + LAUNCH,
    )
    assert found == ["", "", "[5. 6.]\n"]
