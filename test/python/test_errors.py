# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every mistake in a kernel gets one clear error at its place.

The message says what was expected and found, names file, line and column,
quotes the line with a caret below it, and shows nothing of the compiler's
insides.
"""

import textwrap
from pathlib import Path

import numpy as np
import pytest

import pyk
from error_cases import CASES, HELPERS
from pyk import _core


def launch(body: str, folder: Path) -> None:
    """Runs a program whose kernel has `body`."""
    source = HELPERS + "\n@cuda.jit\ndef k(a, b, n):\n"
    source += textwrap.indent(body, "    ") + "\n"
    file = folder / "program.py"
    file.write_text(source)
    names = {"__name__": "program"}
    pyk.install_as_numba()
    exec(compile(source, str(file), "exec"), names)  # noqa: S102
    a, b = np.zeros(4, np.float32), np.zeros((2, 2), np.int64)
    names["k"][1, 1](a, b, 3)


@pytest.mark.parametrize(
    ("body", "message"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_mistake_is_explained(body: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(pyk.CompileError) as caught:
        launch(body, tmp_path)
    text = str(caught.value)
    first = text.splitlines()[0]
    assert message in first
    assert first.startswith(f"{tmp_path}/program.py:")
    assert caught.value.lineno >= 1
    assert caught.value.column >= 1
    # The quoted line, and a caret below it.
    quoted, carets = text.splitlines()[1:3]
    assert quoted.strip()
    assert set(carets.strip()) <= set("^~")
    assert len(text.splitlines()) <= 15
    for inside in ("py.", "pyk.", "mlir", "operation", "Traceback"):
        assert inside not in first


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"target": "tpu"},
            "expects a target of cpu or cuda but got 'tpu'",
        ),
        (
            {"target": "cpu", "emit": "sass"},
            "expects a stage of py, pyk, gpu, nvvm, llvm, ptx or reference but "
            "got 'sass'",
        ),
    ],
)
def test_unknown_option_is_a_value_error(
    options: dict[str, str], message: str
) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        _core.compile(source="module {}", **options)
    assert type(caught.value) is ValueError
