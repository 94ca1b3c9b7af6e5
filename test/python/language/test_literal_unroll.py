# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops over tuples of several types, with Python as oracle."""

import itertools
import linecache
from collections import namedtuple

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import literal_unroll

add_one = cuda.jit(device=True)(lambda x: x + 1)
double = cuda.jit(device=True)(lambda x: x * 2)
FS = (add_one, double)
MIX = (1, 2.5, np.int8(3))
TEXTS = ("a", "bc", 3)
Point = namedtuple("Point", "x y")
POINT = Point(2, 0.5)
ARRAYS = (np.arange(3.0), np.arange(6, dtype=np.int16).reshape(2, 3))
NESTED = ((1, 2), (3.0, 4))
ONE_TYPE = (4, 5, 6)


def plain(value):
    """What Python takes for a tuple with device functions."""
    if type(value) is tuple:
        return tuple(map(plain, value))
    return getattr(value, "py_func", value)


def agree(function, *arguments, size=8):
    """Runs `function` as a kernel and by Python, which write the same."""
    scope = function.__globals__
    saved = dict(scope)
    expected = np.zeros(size)
    scope.update((name, plain(value)) for name, value in saved.items())
    try:
        function(expected, *map(plain, arguments))
    finally:
        scope.update(saved)
    found = np.zeros(size)
    cuda.jit(function)[1, 1](found, *arguments)
    np.testing.assert_array_equal(found, expected)
    assert expected.any()


def numbers(o):
    for x in literal_unroll(MIX):
        o[0] += x
        o[1] = x / 2


def written_out(o):
    for x in literal_unroll((1, 2.5, True)):
        o[0] += x


def without_literal_unroll(o):
    for x in MIX:
        o[0] += x
    for x in (True, 2.5, o[0]):
        o[1] += x


def closed_over():
    items = (1, 2.5)

    def kernel(o):
        for x in literal_unroll(items):
            o[0] += x

    return kernel


def local_variable(o):
    t = (o[0] + 1, 2, np.float32(0.5))
    for x in literal_unroll(t):
        o[0] += x
    for x in t:
        o[1] += x


def one_type(o):
    for x in literal_unroll(ONE_TYPE):
        o[0] += x
        if x == 5:
            continue
        o[1] += x


def device_functions(o):
    for f in literal_unroll(FS):
        o[0] = f(o[0])
    for f in FS:
        o[1] = f(o[1])


@cuda.jit(device=True)
def apply(functions, x):
    for f in literal_unroll(functions):
        x = f(x)
    return x


@cuda.jit(device=True)
def apply_backwards(functions, x):
    for i in literal_unroll(range(len(functions) - 1, -1, -1)):
        x = functions[i](x)
    return x


def functions_handed_on(o):
    o[0] = apply(FS, 3)
    o[1] = apply((double, double, add_one), 1.5)
    o[2] = apply_backwards(FS, 3)


def texts(o):
    for s in literal_unroll(TEXTS):
        if s == "bc":
            o[0] = 1
        elif s == 3:
            o[1] = 2
        else:
            o[2] += 1


def tuples_of_tuples(o):
    for x in literal_unroll(NESTED):
        o[0] += x[0] * x[1]
    for a, b in literal_unroll(NESTED):
        o[1] += a - b
    for x in literal_unroll(((1, 2.5), ("a", 3, 4))):
        o[2] += len(x)
        for y in literal_unroll(x):
            o[3] += 1


def named_tuple(o):
    for x in literal_unroll(POINT):
        o[0] += x
    for x in Point(1, 2.5):
        o[1] += x


def indices(o):
    for i in literal_unroll((0, 1, 2)):
        o[0] += MIX[i]
    for i in literal_unroll(range(3)):
        o[1] += MIX[i] * (i + 1)
    for i in literal_unroll(range(len(FS))):
        o[2] = FS[i](o[2])
    for i in literal_unroll(range(2, -1, -2)):
        o[3] = o[3] * 10 + MIX[i]
    for i in literal_unroll(range(2, 2)):
        o[4] = 1
    o[5] = FS[0](1) + FS[-1](2) + MIX[1]


def empty(o):
    for x in literal_unroll(()):
        o[0] = x
    else:
        o[1] = 1
    for x in ():
        o[2] = x


def last_value(o):
    for x in literal_unroll((1, 2.5)):
        y = x + 1
    o[0] = x
    o[1] = y


def tuple_that_grows(o):
    t = ()
    for x in literal_unroll((1, 2.5, "a")):
        t = t + (x,)
    o[0] = t[0] + t[1]
    o[1] = len(t)


def enumerated(o):
    for i, x in enumerate(literal_unroll(MIX)):
        o[i] = x
    for i, x in enumerate(MIX, 3):
        o[i] = x
    for i, (x, y) in enumerate(NESTED):
        o[6] += i * x + y


def zipped(o):
    for x, f in zip(MIX, FS):
        o[0] += f(x)
    for x, i in zip(literal_unroll(MIX), range(3)):
        o[i] += x
    for i, (x, y) in enumerate(zip((1, 2.5), ONE_TYPE)):
        o[3 + i] = x * y


def nested(o):
    for x in literal_unroll(MIX):
        for f in literal_unroll(FS):
            for y in literal_unroll((0.5, 2)):
                o[0] += f(x) * y
    for i in range(3):
        for x in literal_unroll((1, 0.5)):
            if x > i:
                break
            o[1] += x


def in_a_condition(o):
    x = 0
    if o[0] == 0:
        for x in literal_unroll((1, 2.5)):
            o[1] += x
    while x < 10:
        for x in literal_unroll((x + 1, 2.5 * x)):
            o[2] += x


def known_conditions(o):
    for i in literal_unroll(range(3)):
        if i == 2:
            o[0] = MIX[i - 2]
        else:
            o[1] += MIX[i + 1]
        if i != 1:
            continue
        o[2] = MIX[i + 1]


def many_items(o):
    for i in literal_unroll(range(200)):
        o[0] += i
        if o[0] > 150 * i + 5000:
            break
    else:
        o[1] = 1
    for i in literal_unroll(range(1000)):
        o[2] += i


def none(o):
    for x in literal_unroll((None, 2, None, 0.5)):
        if x is None:
            o[0] += 1
        else:
            o[1] += x


def closures(o):
    scale = 3
    for f in (lambda x: x + 1, lambda x: x * scale, abs):
        o[0] = f(o[0])
        scale += 1


def dtypes(o):
    for dtype in literal_unroll((np.int8, np.float32)):
        a = cuda.local.array(2, dtype)
        a[1] = 100.5
        o[0] += a[1]


def targets(o):
    for o[2], (x, *y) in literal_unroll(((1, (2, 0.5)), (2.5, ("a",)))):
        o[0] += len(y)
        o[1] += o[2]


def class_of(x):
    if isinstance(x, (int, float)):
        return 1
    if isinstance(x, tuple):
        return 2
    return 3 if isinstance(x, str) else 4


device_class_of = cuda.jit(device=True)(class_of)


def classes(o):
    for x in literal_unroll((1, 2.5, "a", (1, 2.5), o)):
        o[0] = o[0] * 10 + device_class_of(x)


@cuda.jit(device=True)
def first_above(items, least):
    for x in literal_unroll(items):
        if x > least:
            return x
    return -1


@cuda.jit(device=True)
def returns_at_once(items):
    for x in literal_unroll(items):
        return x
    return 7.5


@cuda.jit(device=True)
def sums(n, *items):
    total = 0
    for x in literal_unroll(items):
        total += x
    return total if n == 0 else sums(n - 1, *items) + total


def returning(o):
    o[0] = first_above(MIX, 1)
    o[1] = first_above(MIX, 2.75)
    o[2] = first_above(MIX, 5)
    o[3] = returns_at_once((3, 4.5))
    o[4] = returns_at_once(())
    o[5] = sums(3, 1, 0.5)


def returning_early(o):
    o[0] = 1
    for x in literal_unroll(MIX):
        if x == 2.5:
            return
        o[1] += x
    o[2] = 1


@pytest.mark.parametrize(
    "function",
    [
        numbers,
        written_out,
        without_literal_unroll,
        closed_over(),
        local_variable,
        one_type,
        device_functions,
        functions_handed_on,
        texts,
        tuples_of_tuples,
        named_tuple,
        indices,
        empty,
        last_value,
        tuple_that_grows,
        enumerated,
        zipped,
        nested,
        in_a_condition,
        known_conditions,
        many_items,
        none,
        closures,
        targets,
        classes,
        returning,
        returning_early,
    ],
    ids=lambda function: function.__qualname__.partition(".")[0],
)
def test_as_in_python(function):
    agree(function)


def rows(o, t):
    for i, x in enumerate(literal_unroll(t)):
        o[i] = x.ndim * 100 + x.shape[0] * 10 + x.itemsize
        o[4] += x.sum()
        x[0] += 1


def test_arrays_as_arguments():
    ours = tuple(a.copy() for a in ARRAYS)
    theirs = tuple(a.copy() for a in ARRAYS)
    found, expected = np.zeros(8), np.zeros(8)
    cuda.jit(rows)[1, 1](found, ours)
    rows(expected, theirs)
    np.testing.assert_array_equal(found, expected)
    for a, b in zip(ours, theirs):
        np.testing.assert_array_equal(a, b)


def captured_arrays(o):
    for i, x in enumerate(ARRAYS):
        o[i] = np.sum(x)


def mixed_arguments(o, t, n):
    for x in literal_unroll(t):
        o[0] += x
    for x in literal_unroll((n, o)):
        if isinstance(x, int):
            o[1] += x
        else:
            x[2] += 1


def test_arguments():
    agree(captured_arrays)
    agree(mixed_arguments, (1, 2.5, np.float32(0.5)), 3)
    agree(mixed_arguments, (1, 2), 4)


LEAVE = ["pass", "break", "continue", "return", "o[3] += 1"]

EXITS = """
def kernel(o, n, m):
    steps = 0
    for x in literal_unroll((1, 2.5, n)):
        steps += 1
        if x == n:
            {first}
        y = x + steps
        for z in literal_unroll((m, 0.5)):
            if z == y - m:
                {second}
            o[1] += z
        else:
            o[2] += x
            if steps == m:
                {third}
        o[0] += y
    else:
        o[4] = steps
    o[5] = x
    o[6] = steps
"""


@pytest.mark.parametrize("first", LEAVE)
@pytest.mark.parametrize("second", LEAVE)
def test_every_exit(first, second, tmp_path):
    for number, third in enumerate(LEAVE):
        text = EXITS.format(first=first, second=second, third=third)
        file = tmp_path / f"exits{number}.py"
        file.write_text(text)
        scope = {"literal_unroll": literal_unroll}
        exec(compile(text, str(file), "exec"), scope)
        kernel = cuda.jit(scope["kernel"])
        for n, m in itertools.product((1, 2, 3), (0, 1, 2)):
            found, expected = np.zeros(8), np.zeros(8)
            kernel[1, 1](found, n, m)
            scope["kernel"](expected, n, m)
            np.testing.assert_array_equal(found, expected, text)


def test_threads_take_their_own_ways():
    @cuda.jit
    def kernel(o, limits):
        i = cuda.grid(1)
        if i >= o.size:
            return
        for x in literal_unroll((1, 2.5, i)):
            if x > limits[i]:
                break
            if x == 1 and limits[i] % 2 == 0:
                continue
            o[i] += x
        else:
            o[i] = -o[i]

    n = 1000
    limits = np.arange(n) % 7 * 0.5
    found, expected = np.zeros(n), np.zeros(n)
    kernel[8, 128](found, limits)
    for i in range(n):
        for x in (1, 2.5, i):
            if x > limits[i]:
                break
            if x == 1 and limits[i] % 2 == 0:
                continue
            expected[i] += x
        else:
            expected[i] = -expected[i]
    np.testing.assert_array_equal(found, expected)


def test_classes_of_numbers_as_items():
    out = np.zeros(1)
    cuda.jit(dtypes)[1, 1](out)
    assert out[0] == 100 + 100.5


@pytest.mark.parametrize("kind", ["raise ValueError", "assert x > 5"])
def test_errors_of_threads(kind, tmp_path):
    text = (
        "def kernel(o):\n"
        "    for x in literal_unroll((1, 2.5)):\n"
        f"        {kind}\n"
        "    o[0] = 1\n"
    )
    file = tmp_path / "raises.py"
    file.write_text(text)
    scope = {"literal_unroll": literal_unroll}
    exec(compile(text, str(file), "exec"), scope)
    out = np.zeros(1)
    with pytest.raises((ValueError, AssertionError), match=r"line 3\b"):
        cuda.jit(scope["kernel"], debug=True, opt=False)[1, 1](out)
    assert out[0] == 0


def test_types_are_those_of_each_item():
    @cuda.jit
    def kernel(o):
        for i in literal_unroll(range(2)):
            shape = (2, 3)[i]
            a = cuda.local.array((2, 3)[i], (np.int8, np.float32)[i])
            a[0] = 100.5
            o[i] = a[0] + a.size + shape

    o = np.zeros(2)
    kernel[1, 1](o)
    assert o.tolist() == [104, 106.5]


# Only once the function has been inferred does the outer loop's tuple have a
# type, so that the inner loop is found before it.
@pytest.mark.parametrize("items", ["(1, (2.5,))", "(1, 2)"])
def test_outer_loop_is_found_after_the_one_in_it(items):
    text = f"""
def f(n, out):
    if n > 0:
        t = f(n - 1, out)
        for x in literal_unroll(t):
            for y in literal_unroll({items}):
                out[0] += 1
        return t
    return {items}
"""
    file = f"<loops over {items}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    scope = {"literal_unroll": literal_unroll}
    exec(compile(text, file, "exec"), scope)
    f = scope["f"] = cuda.jit(device=True)(scope["f"])

    @cuda.jit
    def k(out, n):
        f(n, out)

    out = np.zeros(4)
    k[1, 1](out, 3)
    assert out.tolist() == [12, 0, 0, 0]
