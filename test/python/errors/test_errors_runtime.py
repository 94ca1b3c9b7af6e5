# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What threads raise: `assert`, `raise` and divisions by zero; and what comes
with errors and warnings of compilation.
"""

import re
from typing import NoReturn

import numpy as np
import pytest

from pyk import _errors, cuda
from pyk.cuda.errors import (
    CompileError,
    NumbaInvalidConfigWarning,
    NumbaWarning,
    UnsupportedError,
)

LIMIT = 3


class UserError(Exception):
    """Of the program's own making."""


class Errors:
    """A place for a class, as a module is."""

    Inner = UserError


@cuda.jit(device=True)
def positive(x):
    assert x > 0, "not positive"
    return x * 2


@cuda.jit(device=True)
def count_down(n):
    if n == 0:
        raise UserError("at the bottom")
    if n > 9:
        return 0
    return count_down(n - 1) + 1


def place(
    line: int, name: str = "k", thread: str = "0, 0, 0", block: str = "0, 0, 0"
) -> str:
    return re.escape(
        f"In function '{name}', file {__file__}, line {line}, "
        f"tid=[{thread}] ctaid=[{block}]"
    )


def line_of(function: object, offset: int) -> int:
    code = function.py_func.__code__  # type: ignore[attr-defined]
    return int(code.co_firstlineno) + offset


@cuda.jit(debug=True)
def asserts(a):
    i = cuda.grid(1)
    assert i != 5, "five"
    a[i] = i + 1


def test_first_thread_is_raised_and_others_go_on() -> None:
    a = np.zeros(8, np.int64)
    where = place(line_of(asserts, 3), "asserts", "0, 0, 1", "0, 0, 1")
    with pytest.raises(AssertionError, match=f"^{where}: five$"):
        asserts[2, 4](a)
    assert a.tolist() == [1, 2, 3, 4, 5, 0, 7, 8]


def test_message_in_a_variable() -> None:
    @cuda.jit(debug=True, opt=False)
    def k(n):
        what = "too many"
        why: str = "odd"
        if n > 10:
            raise ValueError(what)
        assert n % 2 == 0, why

    with pytest.raises(ValueError, match="too many"):
        k[1, 1](11)
    with pytest.raises(AssertionError, match="odd"):
        k[1, 1](7)
    k[1, 1](8)


def test_later_launches_start_clean() -> None:
    a = np.zeros(8, np.int64)
    with pytest.raises(AssertionError):
        asserts[2, 4](a)
    a[:] = 0
    asserts[1, 4](a)
    assert a.tolist() == [1, 2, 3, 4, 0, 0, 0, 0]


def test_kinds_of_exceptions() -> None:
    @cuda.jit(debug=True)
    def k(n):
        if n == 0:
            raise ValueError
        if n == 1:
            raise UserError("text", LIMIT, (1, 2.5))
        if n == 2:
            raise Errors.Inner
        if n == 3:
            raise RuntimeError(LIMIT)
        assert n == 4

    k[1, 1](4)
    first = line_of(k, 3)
    with pytest.raises(ValueError, match=f"^{place(first)}$"):
        k[1, 1](0)
    with pytest.raises(UserError) as caught:
        k[1, 1](1)
    text, *rest = caught.value.args
    assert re.fullmatch(place(first + 2) + ": text", text)
    assert rest == [3, (1, 2.5)]
    with pytest.raises(UserError, match=f"^{place(first + 4)}$"):
        k[1, 1](2)
    with pytest.raises(RuntimeError, match=f"{place(first + 6)}: 3$"):
        k[1, 1](3)
    with pytest.raises(AssertionError, match=f"^{place(first + 7)}$"):
        k[1, 1](5)


def test_device_functions() -> None:
    @cuda.jit(debug=True)
    def k(a):
        i = cuda.grid(1)
        a[i] = positive(positive(a[i]))

    a = np.array([1, 2, -1, 4])
    where = place(line_of(positive, 2), "positive", "0, 0, 2")
    with pytest.raises(AssertionError, match=f"{where}: not positive"):
        k[1, 4](a)
    assert a.tolist() == [4, 8, -1, 16]


def test_recursive_function() -> None:
    @cuda.jit(debug=True)
    def k(a, n):
        a[0] = 1
        a[0] = count_down(n)

    a = np.zeros(1, np.int64)
    with pytest.raises(UserError, match="at the bottom"):
        k[1, 1](a, 5)
    assert a[0] == 1


def test_within_loops_and_expressions() -> None:
    @cuda.jit(debug=True)
    def k(a, n):
        i = cuda.grid(1)
        for j in range(n):
            while a[i] < 10:
                a[i] += 1
                if a[i] == 7 and positive(4 - j - i) > 0:
                    break
            else_ = 1 if a[i] < 10 else positive(j - 2)
            a[i] += else_

    a = np.zeros(3, np.int64)
    with pytest.raises(AssertionError, match="not positive"):
        k[1, 3](a, 9)
    # By hand: 8, 9, 10, then j - 2 is positive from j = 3 on.
    expected = []
    for i in range(3):
        value = 0
        for j in range(9):
            stopped = False
            while value < 10:
                value += 1
                if value == 7:
                    if 4 - j - i <= 0:
                        stopped = True
                    break
            if stopped or (value >= 10 and j - 2 <= 0):
                break
            value += 1 if value < 10 else (j - 2) * 2
        expected.append(value)
    assert a.tolist() == expected


def test_barriers_do_not_wait_for_those_that_failed() -> None:
    @cuda.jit(debug=True)
    def k(a):
        i = cuda.threadIdx.x
        tile = cuda.shared.array(32, np.int64)
        tile[i] = i
        if i % 2:
            raise UserError("odd")
        cuda.syncthreads()
        a[i] = tile[(i + 2) % 32]

    a = np.full(32, -1)
    with pytest.raises(UserError, match="odd"):
        k[1, 32](a)
    assert a.tolist() == [(i + 2) % 32 if i % 2 == 0 else -1 for i in range(32)]


def test_only_one_of_many_is_reported() -> None:
    @cuda.jit(debug=True)
    def k():
        raise UserError("all")

    for _ in range(20):
        with pytest.raises(UserError, match=r"tid=\[0, \d, \d+\]"):
            k[(9, 2, 2), (16, 2)]()


def test_on_a_stream() -> None:
    stream = cuda.stream()
    a = cuda.to_device(np.zeros(8, np.int64))
    with pytest.raises(AssertionError, match="five"):
        asserts[2, 4, stream](a)
    asserts[1, 4, stream](a)
    assert a.copy_to_host()[:4].tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("dtype", "kind", "message"),
    [
        (np.int64, "floor", "integer division by zero"),
        (np.int64, "true", "division by zero"),
        (np.uint8, "mod", "integer modulo by zero"),
        (np.float32, "true", "division by zero"),
        (np.float64, "floor", "division by zero"),
        (np.float64, "mod", "float modulo by zero"),
        (np.complex64, "true", "complex division by zero"),
    ],
)
def test_division_by_zero(dtype: type, kind: str, message: str) -> None:
    def floor(a, b):
        a[0] = a[0] // b

    def true(a, b):
        a[0] = a[0] / b

    def mod(a, b):
        a[0] = a[0] % b

    function = {"floor": floor, "true": true, "mod": mod}[kind]
    checked = cuda.jit(debug=True)(function)
    a = np.full(1, 7, dtype)
    checked[1, 1](a, dtype(2))
    assert a[0] == dtype({"floor": 3, "true": 3.5, "mod": 1}[kind])
    with pytest.raises(ZeroDivisionError, match=f": {message}$"):
        checked[1, 1](a, dtype(0))
    # Bounds are another matter: there, a division by zero has a result.
    cuda.jit(boundscheck=True)(function)[1, 1](a, dtype(0))


class TestFastmath:
    """With it, what divides `float32` by zero has a result, as in Numba."""

    def test_divides_float32_by_zero(self) -> None:
        @cuda.jit(debug=True, fastmath=True)
        def k(a, b):
            a[0] = a[0] / b
            a[1] /= b

        a = np.array([7, 0], np.float32)
        k[1, 1](a, np.float32(0))
        np.testing.assert_array_equal(a, np.float32([np.inf, np.nan]))

    @pytest.mark.parametrize(
        ("dtype", "kind"),
        [
            (np.int32, "true"),
            (np.int32, "floor"),
            (np.float32, "floor"),
            (np.float32, "mod"),
            (np.float64, "true"),
            (np.complex64, "true"),
        ],
    )
    def test_divides_nothing_else_by_zero(self, dtype: type, kind: str) -> None:
        functions = {
            "floor": lambda a, b: a // b,
            "true": lambda a, b: a / b,
            "mod": lambda a, b: a % b,
        }
        divide = cuda.jit(device=True, fastmath=True)(functions[kind])

        @cuda.jit(debug=True, fastmath=True)
        def k(a, b):
            a[0] = divide(a[0], b)

        with pytest.raises(ZeroDivisionError):
            k[1, 1](np.ones(1, dtype), dtype(0))

    def test_is_of_the_function_that_divides(self) -> None:
        def divide(a, b):
            return a / b

        exact = cuda.jit(device=True)(divide)
        fast = cuda.jit(device=True, fastmath=True)(divide)

        @cuda.jit(debug=True, fastmath=True)
        def calls_both(a, b):
            a[0] = fast(a[0], b)
            a[1] = exact(a[1], b)

        @cuda.jit(debug=True)
        def calls_fast(a, b):
            a[0] = fast(a[0], b)

        a = np.ones(2, np.float32)
        with pytest.raises(ZeroDivisionError, match="In function 'divide'"):
            calls_both[1, 1](a, np.float32(0))
        calls_fast[1, 1](a, np.float32(0))
        assert a[0] == np.inf

    def test_holds_for_functions_within(self) -> None:
        @cuda.jit(debug=True, fastmath=True)
        def k(a, b):
            def divide(x):
                return x / b

            a[0] = divide(a[0])

        a = np.ones(1, np.float32)
        k[1, 1](a, np.float32(0))
        assert a[0] == np.inf


def test_zero_to_a_negative_power() -> None:
    @cuda.jit(debug=True)
    def k(a, n):
        a[0] = a[0] ** n

    with pytest.raises(ZeroDivisionError, match="negative power"):
        k[1, 1](np.zeros(1, np.int64), -1)
    a = np.array([2])
    k[1, 1](a, -1)
    k[1, 1](a, 0)
    assert a[0] == 1


def test_range_with_a_step_of_zero():
    @cuda.jit(debug=True)
    def k(a, step):
        for i in range(0, 5, step):
            a[0] += i

    a = np.zeros(1)
    k[1, 1](a, 2)
    assert a[0] == 6
    with pytest.raises(ValueError, match=r"range\(\) arg 3 must not be zero$"):
        k[1, 1](a, 0)

    @cuda.jit
    def unchecked(a, step):
        for i in range(0, 5, 0):
            a[0] = i
        for i in range(0, 5, step):
            a[0] = i

    a[0] = 9
    unchecked[1, 1](a, 0)
    assert a[0] == 9


def test_without_debug_the_thread_ends_and_there_is_a_warning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_errors, "_said", set())

    @cuda.jit
    def k(a):
        i = cuda.grid(1)
        assert i != 1, "one"
        a[i] = positive(i - 1)

    @cuda.jit
    def other(a):
        if a[0] == 1:
            raise UserError

    a = np.full(4, -5)
    with pytest.warns(NumbaInvalidConfigWarning) as caught:
        k[1, 4](a)
        # Once in a process: programs that have one have many.
        other[1, 1](a)
    assert a.tolist() == [-5, -5, 2, 4]
    assert [(str(w.message), w.filename, w.lineno) for w in caught] == [
        (
            "'assert' only ends its thread here; pass debug=True to cuda.jit "
            "to get the exception",
            __file__,
            line_of(k, 3),
        )
    ]


def test_classes_that_no_exception_has() -> None:
    def launch(function: object) -> NoReturn:
        cuda.jit(debug=True)(function)[1, 1](1)
        raise AssertionError

    def anything(n):
        raise n

    def again(n):
        raise  # noqa: PLE0704

    def other(n):
        raise LIMIT

    def argument(n):
        raise ValueError(n)

    def named(n):
        raise ValueError(text="x")

    def caused(n):
        raise ValueError from KeyError

    def message(n):
        assert n == 2, n

    for function, text in [
        (anything, "a 'raise' of anything but an exception class"),
        (other, "a 'raise' of anything but an exception class"),
        (again, "a 'raise' without an exception"),
        (argument, "an exception with an argument that is not constant"),
        (named, "an exception with an argument passed by name"),
        (caused, "a 'raise' with 'from'"),
        (message, "an assertion with an argument that is not constant"),
    ]:
        with pytest.raises(UnsupportedError, match=text):
            launch(function)


def test_dead_code_raises_nothing() -> None:
    @cuda.jit(debug=True)
    def k(a):
        a[0] = 1
        return
        raise UserError(a)

    a = np.zeros(1)
    k[1, 1](a)
    assert a[0] == 1


def test_function_that_only_raises() -> None:
    @cuda.jit(device=True)
    def fail(x):
        raise UserError("never a value")

    @cuda.jit(debug=True)
    def k(a):
        if a[0] > 0:
            fail(a[0])
        a[0] = 5

    a = np.zeros(1)
    k[1, 1](a)
    assert a[0] == 5
    with pytest.raises(UserError, match="never a value"):
        k[1, 1](a)


def test_compile_errors_are_what_they_were() -> None:
    @cuda.jit(debug=True)
    def k(a):
        a[0] = undefined_name  # noqa: F821

    with pytest.raises(CompileError, match="not defined"):
        k[1, 1](np.zeros(1))


def test_function_alone_as_a_statement():
    with pytest.warns(NumbaWarning) as caught:

        @cuda.jit
        def k(a):
            cuda.syncthreads  # noqa: B018
            a.size  # noqa: B018 - such may be there for its errors
            a[0] = 1

        k[1, 1](np.zeros(1))
        # Once for each place.
        k[1, 1](np.zeros(1, np.float32))
    line = k.py_func.__code__.co_firstlineno
    assert [(str(w.message), w.filename, w.lineno) for w in caught] == [
        (
            "'cuda.syncthreads' alone does nothing; a call needs parentheses",
            __file__,
            line + 2,
        ),
    ]


def test_parameter_that_is_only_assigned():
    with pytest.warns(NumbaWarning) as caught:

        @cuda.jit
        def k(a, out, rest, n, unit=1.0):
            out = a[0] * 2
            rest = a[1:]
            rest[0] = 5
            n += 1
            unit = a[0]

            def get():
                return unit

            a[0] = get()

        k[1, 1](np.ones(2), np.zeros(2), np.zeros(2), 1)
        # Once for each place.
        k[1, 1](np.ones(2), np.zeros(2), np.zeros(2), 1.5)
    assert [(str(w.message), w.lineno) for w in caught] == [
        (
            "'out' is a parameter, and nothing reads what it is assigned here; "
            "elements are set by out[...] = ...",
            k.py_func.__code__.co_firstlineno + 2,
        ),
        (
            "'n' is a parameter of this thread alone, and nothing reads what "
            "it is assigned here; pass an array of one element, and add to it "
            "by cuda.atomic.add(n, 0, ...)",
            k.py_func.__code__.co_firstlineno + 5,
        ),
    ]


def test_launch_that_brings_an_error():
    @cuda.jit
    def k(a):
        a[0, 0] = 2

    k[1, 1](np.zeros((2, 2)))
    with pytest.raises(CompileError) as caught:
        k[1, 1](np.zeros((2, 2))[:, 0])
    line = k.py_func.__code__.co_firstlineno + 6
    assert str(caught.value).endswith(
        f"\n{__file__}:{line}: note: 'k' is launched here with "
        "(array(float64, 1d, A))\n    k[1, 1](np.zeros((2, 2))[:, 0])"
    )
    assert caught.value.message == str(caught.value)
    assert caught.value.lineno == line - 4
