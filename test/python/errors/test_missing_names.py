# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What modules say of names that they lack."""

import re
import sys

import pytest

import pyk
from pyk import cuda


@pytest.mark.parametrize(
    "module, name, message",
    [
        (cuda, "syncthread", "syncthread'; did you mean 'syncthreads'?"),
        (cuda, "copy_to_host", "; device arrays have it, as in "
         "a.copy_to_host()"),
        (pyk, "float32", "'pyk' has no attribute 'float32'; it is "
         "pyk.types.float32"),
        (pyk, "jit", "; it is pyk.cuda.jit"),
        (pyk, "vectorise", "; did you mean 'vectorize'?"),
    ],
)  # fmt: skip
def test_where_a_name_is(module, name, message):
    with pytest.raises(AttributeError, match=re.escape(message)):
        getattr(module, name)
    with pytest.raises(ImportError, match=re.escape(message)):
        exec(f"from {module.__name__} import {name}")


def test_names_that_are_like_no_other(monkeypatch):
    # Another test may have put PyK in the place of Numba.
    monkeypatch.delitem(sys.modules, "numba", raising=False)
    for module in (pyk, cuda):
        with pytest.raises(AttributeError) as caught:
            _ = module.zzz
        message = f"module '{module.__name__}' has no attribute 'zzz'"
        assert str(caught.value) == message
        with pytest.raises(ImportError, match="cannot import name 'zzz'"):
            exec(f"from {module.__name__} import zzz")
        # Nobody means a private name, and tools look for some.
        assert not hasattr(module, "_jjit") and not hasattr(module, "__path")
