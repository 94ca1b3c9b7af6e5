# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each row of language/status.md does what the page says."""

import copy
import linecache
import re
import sys
import textwrap
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import pyk
from language_features import ARGUMENTS, FEATURES, HELPERS
from pyk import cuda


@pytest.fixture(autouse=True)
def _without_numba(monkeypatch):
    # Messages say `numba.cuda` where another test has put PyK in its place.
    monkeypatch.delitem(sys.modules, "numba", raising=False)


def make(feature, cuda_module):
    """The kernel of a row, decorated by `cuda_module`."""
    body = textwrap.indent(feature.body, "    ")
    decorator = "" if feature.on_host else "@cuda.jit"
    text = f"{HELPERS}\n{decorator}\ndef k(out, f, i, m):\n{body}\n"
    name = f"<{feature.section}: {feature.name}>"
    linecache.cache[name] = len(text), None, text.splitlines(True), name
    scope = {"cuda": cuda_module, "__name__": "features"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(text, name, "exec"), scope)
    return scope["k"]


def by_python(feature):
    """What Python leaves in `out`."""
    plain = SimpleNamespace(
        jit=lambda *function, **options: (
            function[0] if function else lambda function: function
        ),
        local=SimpleNamespace(array=np.zeros),
        to_device=np.copy,
        declare_device=lambda name, signature, link, cpu: cpu,
        grid=lambda rank: 0,
    )
    arguments = copy.deepcopy(ARGUMENTS)
    with np.errstate(all="ignore"):
        make(feature, plain)(**arguments)
    return arguments["out"]


def launch(feature):
    kernel = make(feature, cuda)
    arguments = copy.deepcopy(ARGUMENTS)
    (kernel if feature.on_host else kernel[1, 1])(*arguments.values())
    return arguments["out"]


def identify(feature):
    return f"{feature.section}-{feature.name}"


@pytest.mark.parametrize(
    "feature", [row for row in FEATURES if not row.refused], ids=identify
)
def test_works(feature):
    expected = by_python(feature) if not feature.expected else None
    found = launch(feature)
    if feature.expected:
        expected = np.zeros_like(found)
        expected[: len(feature.expected)] = feature.expected
    np.testing.assert_allclose(found, expected, rtol=1e-14)


@pytest.mark.parametrize(
    "feature", [row for row in FEATURES if row.refused], ids=identify
)
def test_is_refused(feature):
    kind = pyk.CompileError
    if feature.on_host:
        kind = AttributeError, NotImplementedError
    with pytest.raises(kind, match=re.escape(feature.refused)):
        launch(feature)


def test_names_differ():
    names = [identify(feature) for feature in FEATURES]
    assert len(names) == len(set(names))
