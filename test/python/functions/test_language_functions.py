# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions as values in kernels, with Python as oracle: what a kernel writes
into an array is what the same function writes when Python runs it."""

import math

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda._host_function import HostFunction
from support.one_thread import agree


@HostFunction
def apply(f, *args):
    return f(*args)


@HostFunction
def total(first, *rest):
    result = first
    for item in rest:
        result += item
    return result


@HostFunction
def make(k):
    def inner(v, w=k + 1):
        return v * k + w

    return inner


@HostFunction
def scaled(x, factor=2.0, offset=0):
    return x * factor + offset


def test_a_nested_function_reads_variables_when_it_is_called():
    def k(out, n):
        c = 2.0

        def f(v):
            return v + c + n

        out[0] = f(1)
        c = 3.0
        out[1] = f(1)
        for i in range(3):
            c = i
            out[2] += f(i)
        if n > 3:
            c = 50.0
        out[3] = f(0.5)
        out[4] = apply(f, 1)

    agree(k, 7)
    agree(k, 2)


def test_defaults_are_evaluated_at_the_definition():
    def k(out, n):
        c = n

        def f(v, p=c * 2, q=5):
            return v + p * q

        c = 100
        out[0] = f(1)
        out[1] = f(1, 2)
        out[2] = f(1, q=3)
        out[3] = f(q=1, v=c, p=c)
        for i in range(4):

            def g(v, i=i):
                return v * i

            out[4] += g(10)
        out[5] = g(1)

    agree(k, 7)


def test_lambdas():
    def k(out, n):
        square = lambda x: x * x  # noqa: E731
        out[0] = square(n)
        out[1] = (lambda: n)()
        out[2] = apply(lambda x, y: x - y, 1, n)
        out[3] = square(square(2)) + n

    agree(k, 7)


def test_functions_nested_twice():
    def k(out, n):
        c = n * 2

        def outer(u):
            def inner(v):
                return u + v * c

            return inner(1) + apply(inner, u)

        out[0] = outer(5)
        c = 1
        out[1] = outer(5)

    agree(k, 3)


def test_one_nested_function_calls_another():
    def k(out, n):
        def first(x):
            return x + n

        def second(x):
            return first(x) * 2

        out[0] = second(4)
        n = 10
        out[1] = second(4)
        out[2] = apply(second, 1)

    agree(k, 3)


def test_a_nested_function_assigns_its_own_variables():
    def k(out, n):
        x = 1

        def f(v):
            x = v * 2
            for i in range(3):
                x += i
            return x

        out[0] = f(n)
        out[1] = x

    agree(k, 3)


def test_functions_of_several_types():
    def k(out, n):
        def f(v):
            return v // 2

        out[0] = f(7)
        out[1] = f(7.0)
        out[2] = f(n)

    agree(k, 9)
    agree(k, 9.5)


def test_functions_that_return_functions():
    def k(out, n):
        f = make(n)
        n = 100
        g = make(2)
        out[0] = f(10)
        out[1] = g(10, 1)
        out[2] = make(5)(1)
        out[3] = apply(f, 1)
        out[4] = apply(make, 4)(2)

    agree(k, 3)


def test_functions_in_tuples():
    functions = (scaled, total, math.sqrt)

    def k(out, n):
        c = 1

        def add(x):
            return x + c

        def double(x):
            return x * 2

        pair = (add, double)
        c = 5
        out[0] = pair[0](n) + pair[1](n)
        f, g = pair
        out[1] = f(g(n))
        out[2] = functions[0](n)
        out[3] = functions[1](n, 2, 3)
        out[4] = functions[-1](16)

    agree(k, 4)


def test_variadic_functions_and_starred_calls():
    def k(out, n):
        t = (1, 2.5)
        out[0] = total(n)
        out[1] = total(n, 2)
        out[2] = total(*t)
        out[3] = total(n, *(t[0], n), *(), 1)
        out[4] = max(*t, n)
        out[5] = scaled(*t)
        out[6] = scaled(*(1, 2), offset=n)
        out[7] = apply(scaled, *t)

        def count(*items):
            return len(items)

        out[8] = count() + count(1, 2.5) * 10

        def rest(x, *items):
            return items

        out[9] = len(rest(*t))

    agree(k, 4)


def test_starred_targets_and_items():
    def k(out, n):
        t = (n, 2.5, 7)
        first, *rest = t
        out[0] = first + len(rest)
        out[1] = rest[0] * rest[1]
        *start, last = t
        out[2] = start[0] + last
        a, *middle, b = (1, n)
        out[3] = a + b * 10 + len(middle)
        (c, *d), e = (1, 2, n), 3
        out[4] = c + d[1] + e
        (*whole,) = t
        out[5] = len(whole)
        joined = (0, *t, *(1, 2))
        out[6] = len(joined) + joined[3]
        # Of literals, whose places are not those of the targets.
        one, *two, three = 1, 2.5, 3, True
        out[7] = one + two[0] + two[1] + three
        *others, half = (1, 2, 0.5)
        out[8] = others[1] + half

    agree(k, 4)


def test_else_of_loops():
    def k(out, n):
        for i in range(n):
            if i == 5:
                out[0] = i
                break
        else:
            out[0] = -1
        i = 0
        while i < n:
            i += 1
            if i == 3:
                break
        else:
            out[1] = i
        for i in range(n):
            out[2] += i
        else:
            out[2] += 100
        for i in range(4):
            for j in range(4):
                if i * j == n:
                    break
            else:
                continue
            break
        out[3] = 10 * i + j
        for i in range(n):
            for j in range(3):
                if j == n:
                    break
            else:
                out[4] += 1
                if i == 2:
                    break
        else:
            out[5] = 1
        while True:
            if n > 0:
                break
        else:
            out[6] = "never typed"
        for i in range(n):
            if i > 100:
                return
        else:
            if n == 3:
                return
        out[7] = 1

    for n in (1, 2, 3, 4, 6, 9):
        agree(k, n)


def test_match():
    def k(out, n, x):
        match n:
            case 1 | 2:
                out[0] = 1
            case 3 if x > 2:
                out[0] = 2
            case 3:
                out[0] = 3
            case -4:
                out[0] = 4
            case m if m > 100:
                out[0] = m
            case _:
                out[0] = 5
        match x:
            case 2.5:
                out[1] = 1
        match n * 2:
            case other:
                out[2] = other
        match n > 2:
            case True:
                out[3] = 1
            case False:
                out[3] = 2

    for n in (1, 2, 3, 4, -4, 101):
        for x in (2.5, 1.0):
            agree(k, n, x)


def test_a_type_under_another_name():
    kind = np.float32

    def k(out, n):
        T = np.int8
        out[0] = T(n)
        out[1] = kind(n)

        def convert(t, v):
            return t(v)

        out[2] = convert(kind, 0.1)
        out[3] = convert(float, n)
        out[4] = apply(T, n)
        for i in range(2):
            U = T
            out[5] += U(i)

    agree(k, 100)


def test_cuda_under_other_names():
    def make(cuda):
        def call(out, a):
            local = cuda.local.array(2, np.float64)
            local[0] = cuda.threadIdx.x
            i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
            if i < len(out):
                out[i] = a[i] + local[0]

        return call

    out = np.zeros(8)
    cuda.jit(make(cuda))[2, 4](out, np.arange(8.0))
    assert out.tolist() == [0, 2, 4, 6, 4, 6, 8, 10]


def test_a_function_is_not_typed_before_it_is_called():
    def k(out, n):
        def broken(x):
            return x.missing

        def needs_later(x):
            return x + later

        later = n
        out[0] = needs_later(1)

    agree(k, 3)


MESSAGES = [
    (
        """
    def f(x):
        return g(x)
    def g(x):
        return f(x)
    out[0] = f(n)
""",
        "nested function 'f' refers to itself",
    ),
    (
        """
    def f(x):
        return x + late
    out[0] = f(n)
    late = 1
""",
        "variable 'late' is read before it is assigned",
    ),
    (
        """
    @cuda.jit(device=True)
    def f(x):
        return x
    out[0] = f(1)
""",
        "a decorator of a nested function cannot be used in a kernel",
    ),
    (
        """
    def f(x, *, y):
        return x
    out[0] = f(1, y=2)
""",
        "a nested function with a keyword-only parameter cannot be used",
    ),
    (
        "    def f(x, **y):\n        return x\n    out[0] = f(1)\n",
        "a nested function with a '**' parameter cannot be used",
    ),
    (
        "    def f(x):\n        return x\n    out[0] = f()\n",
        "'f' is called without argument 'x'",
    ),
    (
        "    def f(x):\n        return x\n    out[0] = f(1, 2)\n",
        "'f' takes 1 argument but 2 were given",
    ),
    (
        "    first, *rest = out\n",
        "expects a tuple to unpack into a starred target but got array",
    ),
    (
        "    first, second, *rest = (n,)\n",
        "expects at least 2 values to unpack but got 1",
    ),
    ("    out[0] = max(*n)\n", "expects a tuple after '*' but got int64"),
    (
        "    match n:\n        case (1, 2):\n            out[0] = 1\n",
        "a pattern that takes a value apart cannot be used in a kernel",
    ),
    ("    async def f(x):\n        pass\n    f(1)\n", "an 'async' function"),
]


@pytest.mark.parametrize("body, message", MESSAGES)
def test_message(tmp_path, body, message):
    path = tmp_path / "program.py"
    path.write_text(f"from pyk import cuda\ndef k(out, n):\n{body}")
    scope = {}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    with pytest.raises(cuda.errors.CompileError) as caught:
        cuda.jit(scope["k"])[1, 1](np.zeros(4), 3)
    assert message in str(caught.value)


def test_a_declared_device_function_has_plain_parameters():
    def f(x, *rest):
        return x

    message = (
        "'f' has a '*' parameter, 'rest', which the signature of a device "
        "function cannot declare"
    )
    with pytest.raises(TypeError) as caught:
        cuda.jit("float64(float64, int64)", device=True)(f)
    assert str(caught.value) == message
