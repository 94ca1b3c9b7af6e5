# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples in the docstrings of the package are run."""

import doctest
import importlib

import pytest

MODULES = [
    *("pyk", "pyk._argument_types", "pyk.cuda._dispatcher"),
    *("pyk._numba._alias", "pyk.cuda", "pyk.cuda._arrays"),
    *("pyk.cuda._devices", "pyk.cuda._memory", "pyk.cuda._streams"),
    *("pyk._intrinsic", "pyk.cuda._jit", "pyk.cuda.errors"),
    "pyk.types",
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name, monkeypatch):
    module = importlib.import_module(name)
    # What users call is wrapped, and so not seen as part of the module.
    for attribute, value in list(vars(module).items()):
        inner = getattr(value, "__wrapped__", None)
        if inner is not None:
            monkeypatch.setattr(module, attribute, inner)
    finder = doctest.DocTestFinder()
    options = doctest.IGNORE_EXCEPTION_DETAIL
    runner = doctest.DocTestRunner(optionflags=options)
    found = [test for test in finder.find(module, name) if test.examples]
    assert found
    for test in found:
        runner.run(test)
    assert runner.summarize().failed == 0
