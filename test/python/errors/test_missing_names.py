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


@cuda.jit
def kernel(a):
    pass


@pyk.vectorize
def same(x):
    return x


@pytest.mark.parametrize(
    "make, name, message",
    [
        (lambda: cuda.to_device([1]), "copy_to_hots",
         "'DeviceNDArray' object has no attribute 'copy_to_hots'; did you "
         "mean 'copy_to_host'?"),
        (lambda: cuda.to_device([1]), "get_ipc_handle",
         "'DeviceNDArray.get_ipc_handle' is not yet in PyK"),
        (cuda.stream, "synchronise",
         "'Stream' object has no attribute 'synchronise'; did you mean "
         "'synchronize'?"),
        (cuda.event, "recordd", "'Event' object has no attribute 'recordd'; "
         "did you mean 'record'?"),
        (lambda: kernel, "inspect_sas", "'Dispatcher' object has no "
         "attribute 'inspect_sas'; did you mean 'inspect_sass'?"),
        (lambda: kernel, "typeof_pyval",
         "'Dispatcher.typeof_pyval' is not yet in PyK"),
        (lambda: same, "ufunc", "'UFunc.ufunc' is not yet in PyK"),
        (lambda: same, "zzz", "'UFunc' object has no attribute 'zzz'"),
        (cuda.current_context, "get_ipc_handle",
         "'Context.get_ipc_handle' is not yet in PyK"),
        (cuda.get_current_device, "compute_capabilit", "'Device' object has "
         "no attribute 'compute_capabilit'; did you mean "
         "'compute_capability'?"),
    ],
)  # fmt: skip
def test_what_an_attribute_may_mean(make, name, message):
    with pytest.raises(AttributeError) as caught:
        getattr(make(), name)
    assert str(caught.value) == message
    assert not hasattr(make(), name)


@pytest.mark.parametrize(
    "module, name",
    [
        ("pyk.cuda", "testing"),
        ("pyk.cuda", "kernels"),
        ("pyk.cuda.cudadrv", "nvvm"),
        ("pyk.cuda.cudadrv.driver", "host_to_device"),
        ("pyk.cuda.cudadrv.devicearray", "from_record_like"),
    ],
)
def test_names_of_parts(module, name):
    owner = module.rpartition(".")[2]
    message = f"'{owner}.{name}' is not yet in PyK"
    with pytest.raises(ImportError) as caught:
        exec(f"from {module} import {name}")
    assert str(caught.value) == message
    with pytest.raises(AttributeError) as caught:
        getattr(sys.modules[module], name)
    assert str(caught.value) == message
