# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `guvectorize` and calls of its functions refuse, and options."""

import numpy as np
import pytest

from pyk import cuda, guvectorize
from pyk.types import float32
from universal_functions import MATMUL, matmul, numbers


@pytest.fixture(params=["cuda", "cpu"])
def target(request):
    return request.param


# What is refused.


def nothing(x, y):
    pass


def returning(x, y):
    return x[0]


@pytest.mark.parametrize(
    ("signatures", "layout", "function", "error", "message"),
    [
        (
            ["(f4[:], f4[:])"],
            "(n)->(p)",
            nothing,
            NameError,
            "undefined output symbols: p",
        ),
        (
            ["(f4[:], f4[:])"],
            "(n,)->n",
            nothing,
            ValueError,
            "guvectorize expects core dimensions such as '(m,n),(n)->(m)' but "
            "got '(n,)->n'",
        ),
        (
            nothing,
            "(n)->(n)",
            nothing,
            TypeError,
            "guvectorize expects a signature or a list of them but got "
            f"{nothing!r}",
        ),
        (
            ["i4(i4[:], i4[:])"],
            "(n)->(n)",
            nothing,
            TypeError,
            "guvectorized functions cannot return values: signature "
            "(array(int32, 1d, A), array(int32, 1d, A)) -> int32 specifies "
            "int32 return type",
        ),
        (
            ["(i4[:], i4[:])"],
            "(n)->(n)",
            returning,
            TypeError,
            "guvectorized functions cannot return values: 'returning' returns "
            "int32; store it in 'y' "
            f"({__file__}:{returning.__code__.co_firstlineno})",
        ),
        (
            ["(i4[:], i4[:], i4[:])"],
            "(n)->(n)",
            nothing,
            TypeError,
            "signature (array(int32, 1d, A), array(int32, 1d, A), array(int32, "
            "1d, A)) -> none has 3 types for the 2 arguments of (n)->(n)",
        ),
        (
            ["(i4[:], i4[:])"],
            "(n),(n)->(n)",
            nothing,
            TypeError,
            "guvectorize expects 3 parameters for (n),(n)->(n) but 'nothing' "
            "has 2",
        ),
        (
            ["(i4[:,:], i4[:])"],
            "(n)->(n)",
            nothing,
            TypeError,
            "signature (array(int32, 2d, A), array(int32, 1d, A)) -> none has "
            "array(int32, 2d, A) for argument 1 of (n)->(n), whose core is (n)",
        ),
        (
            ["(i4[:], i4)"],
            "(n)->()",
            nothing,
            TypeError,
            "signature (array(int32, 1d, A), int32) -> none has int32 for "
            "argument 2 of (n)->(), whose core is ()",
        ),
    ],
)
def test_declarations_that_do_not_fit(
    signatures, layout, function, error, message
):
    with pytest.raises(error) as caught:
        guvectorize(signatures, layout)(function)
    assert str(caught.value) == message


def test_calls_that_do_not_fit(target):
    found = MATMUL[target]
    a = numbers((2, 3))
    with pytest.raises(TypeError) as caught:
        found(a)
    assert str(caught.value) == (
        "matmul: this gufunc accepts 2 positional arguments (inputs only) or 3 "
        "positional arguments (inputs and outputs). Got 1 positional argument."
    )
    with pytest.raises(ValueError) as refused:
        found(a, a)
    assert str(refused.value) == (
        "matmul: argument 2 has size 2 in its core dimension n of "
        "(m,n),(n,p)->(m,p), but it is 3"
    )
    with pytest.raises(ValueError) as refused:
        found(a, a[0])
    assert str(refused.value) == (
        "matmul: argument 2 has shape (3,), fewer dimensions than its core "
        "(n,p) of (m,n),(n,p)->(m,p)"
    )
    with pytest.raises(ValueError, match="could not be broadcast together"):
        found(numbers((2, 3, 3)), numbers((3, 3, 3)))
    with pytest.raises(ValueError, match="as both positional and keyword"):
        found(a, a.T, np.zeros((2, 2)), out=np.zeros((2, 2)))
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
        found(a, a.T, axes=1)


def test_device_array_of_another_type():
    a = cuda.to_device(numbers((2, 2), np.int16))
    with pytest.raises(TypeError) as caught:
        matmul(a, numbers((2, 2)))
    assert str(caught.value) == (
        "argument 1 of matmul() is a device array of int16 where float32 is "
        "declared; a device array does not support .astype()"
    )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"target": "gpu"}, ValueError, "Unsupported target: 'gpu'"),
        (
            {"target": "cuda", "what1": True, "ever2": False},
            TypeError,
            "The following target options are not supported: 'what1', 'ever2'",
        ),
        (
            {"target": "cuda", "nopython": False},
            TypeError,
            "nopython flag must be True",
        ),
        (
            {"target": "cuda", "cache": True},
            TypeError,
            "caching is not supported",
        ),
        ({"what": 1}, KeyError, "Unrecognized options: 'what'"),
        ({"identity": 7}, ValueError, "identity expects None, 0, 1"),
        (
            {"writable_args": (1,)},
            ValueError,
            "writable_args expects inputs of 'nothing', names or numbers from "
            "0, but got 1",
        ),
        (
            {"writable_args": ("y",)},
            ValueError,
            "writable_args expects inputs of 'nothing', names or numbers from "
            "0, but got 'y'",
        ),
    ],
)
def test_options_that_are_refused(options, error, message):
    with pytest.raises(error) as caught:
        guvectorize(["(f4[:], f4[:])"], "(n)->(n)", **options)(nothing)
    assert message in str(caught.value)


def test_options_that_are_taken():
    for options in ({"nopython": True}, {"target": "cuda", "nopython": True}):
        guvectorize(["(f4[:], f4[:])"], "(n)->(n)", **options)(nothing)
    with pytest.raises(TypeError, match="takes one or two positional argument"):
        guvectorize()


def test_programs_of_the_tutorial():
    @guvectorize(
        [(float32[:, :], float32[:, :])], "(m,n)->(m,n)", target="cuda"
    )
    def doubled(arr, out):
        for i in range(arr.shape[0]):
            for j in range(arr.shape[1]):
                out[i, j] = arr[i, j] * 2

    arr = np.random.randn(3, 3).astype(np.float32)
    out = cuda.device_array_like(arr)
    doubled(arr, out)
    np.testing.assert_array_equal(out.copy_to_host(), arr * 2)


def test_kernels_cannot_call_them():
    @cuda.jit
    def kernel(a, b):
        matmul(a, b)

    with pytest.raises(cuda.errors.TypingError, match="matmul"):
        kernel[1, 1](np.zeros((2, 2)), np.zeros((2, 2)))
