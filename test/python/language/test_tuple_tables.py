# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples of so many items that an index reads them from a table in memory, with
Python as oracle."""

import time

import numpy as np
import pytest

from pyk import cuda

COUNT = 70
#: One above and one below the number of items of which a table is made.
NUMBERS = {
    "int": tuple(3 * i - 50 for i in range(COUNT)),
    "float": tuple(i / 7 for i in range(33)),
    "few": tuple(i / 7 for i in range(32)),
    "bool": tuple(i % 3 == 0 for i in range(COUNT)),
    "uint8": tuple(np.uint8(200 + i % 50) for i in range(COUNT)),
    "complex": tuple(complex(i, -i) for i in range(COUNT)),
    "pairs": tuple((i, i / 2) for i in range(COUNT)),
}


def number(item):
    return item


def of_complex(item):
    return item.real - 10 * item.imag


def of_pair(item):
    return item[0] + 10 * item[1]


#: One number of an item.
TOTALS = {
    name: cuda.jit(device=True)(
        {"complex": of_complex, "pairs": of_pair}.get(name, number)
    )
    for name in NUMBERS
}


@pytest.mark.parametrize("kind", NUMBERS)
@pytest.mark.parametrize("index", [0, 1, 31, -1, -5])
def test_item_of_a_constant(kind, index):
    numbers, total = NUMBERS[kind], TOTALS[kind]

    @cuda.jit
    def k(out, i):
        out[0] = total(numbers[i])

    out = np.full(1, 77.0)
    k[1, 1](out, index)
    assert out[0] == total.py_func(numbers[index])


@pytest.mark.parametrize("kind", NUMBERS)
def test_items_of_an_argument(kind):
    numbers, total = NUMBERS[kind], TOTALS[kind]

    @cuda.jit
    def k(out, numbers):
        for i in range(out.shape[0]):
            out[i] = total(numbers[i])

    out = np.zeros(len(numbers))
    k[1, 1](out, numbers)
    assert out.tolist() == [total.py_func(item) for item in numbers]


def test_loop_over_all_items():
    numbers = NUMBERS["int"]

    @cuda.jit
    def k(out, given):
        for n in numbers:
            out[0] = 3 * out[0] % 1009 + n
        for n, m in zip(numbers, given):
            out[1] = 3 * out[1] % 1009 + n * m

    found, expected = np.zeros(2), np.zeros(2)
    k[1, 1](found, numbers)
    k.py_func(expected, numbers)
    assert found.tolist() == expected.tolist()


def test_items_computed_in_a_loop():
    """The table is made in each iteration, of that iteration's items."""
    text = ", ".join(f"x * {i}" for i in range(40))
    scope = {}
    source = (
        "def k(out, n):\n"
        "    for x in range(n):\n"
        f"        items = ({text})\n"
        "        if x != 2:\n"
        "            out[x] = items[x + 3] - items[x + 30]\n"
        "            out[x] += items[5 * x]\n"
    )
    exec(source, scope)
    found, expected = np.zeros(7), np.zeros(7)
    cuda.jit(scope["k"])[1, 1](found, 7)
    scope["k"](expected, 7)
    assert found.tolist() == expected.tolist()
    assert expected.any()


def test_text_items():
    words = tuple("abcdefg"[: 1 + i % 7] for i in range(COUNT))

    @cuda.jit
    def k(out, i):
        out[0] = words[i] == "ab"
        out[1] = len(words[i])

    out = np.zeros(2)
    k[1, 1](out, 8)
    assert out.tolist() == [1, 2]
    k[1, 1](out, 9)
    assert out.tolist() == [0, 3]


def test_position_that_is_none():
    """As with few items, it reads one that is there; debug raises."""
    numbers = NUMBERS["int"]

    def k(out, i):
        out[0] = numbers[i]

    out = np.zeros(1)
    for index in (COUNT, 2**40, -(2**40)):
        cuda.jit(k)[1, 1](out, index)
        assert out[0] in numbers
    with pytest.raises(IndexError, match="for a tuple of 70"):
        cuda.jit(k, debug=True, opt=False)[1, 1](out, COUNT)


def test_time_grows_with_the_number_of_items():
    """A chain of conditions took its square: 20,000 items took minutes."""
    numbers = tuple(range(20_000))

    @cuda.jit
    def k(out, i):
        out[0] = numbers[i]

    out = np.zeros(1)
    start = time.process_time()
    k[1, 1](out, 19_999)
    assert time.process_time() - start < 20
    assert out[0] == 19_999
