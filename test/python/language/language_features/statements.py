# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements, expressions and functions."""

from .rows import SLOW_ERROR, rows

LANGUAGE = "Statements and expressions"
FUNCTIONS = "Functions"

FEATURES = [
    *rows(
        LANGUAGE,
        (
            "`if`/`elif`/`else`",
            "if f[0] > 1:\n    out[0] = 1\nelif f[0] > 0:\n    out[0] = 2\nelse:\n    out[0] = 3",
        ),
        (
            "`while`, `break`, `continue`",
            "n = 0\nwhile True:\n    n += 1\n    if n % 2:\n        continue\n    if n > 7:\n        break\n    out[0] += n",
        ),
        (
            "`for`/`else`",
            "for n in range(4):\n    if i[n] > 5:\n        break\nelse:\n    out[0] = 1",
        ),
        (
            "`while`/`else`",
            "n = 3\nwhile n > 0:\n    n -= 1\nelse:\n    out[0] = n + 5",
        ),
        ("conditional expression", "out[0] = f[0] if i[0] > 0 else f[1]"),
        ("chained comparison", "out[0] = 0 < i[0] <= i[1] < 9"),
        (
            "`in` and `not in` a tuple",
            "out[0] = i[1] in (1, 2.0)\nout[1] = i[1] not in [i[0], i[2]]",
            "refuses a tuple of several types",
        ),
        (
            "order of tuples",
            "out[0] = (1, f[1]) < (1, 2)\nout[1] = (2,) >= (2, 0)",
        ),
        (
            "`for` over a list in the text",
            "for x, y in [(1, 2), (i[1], 3)]:\n    out[0] += x * y",
        ),
        (
            "a tuple stored in a part of an array",
            "m[1] = (7, f[0], 2)\nm[0, 1:] = 4, 5\nfor n in range(6):\n    out[n] = m[n // 3, n % 3]",
            "refuses a tuple of several types",
        ),
        (
            "`float` of a text",
            'out[0] = float("inf")\nout[1] = max(f[0], float("-inf"))',
        ),
        (
            "`np.finfo`, `np.iinfo` of a constant",
            "out[0] = np.finfo(np.float32).eps\nlimits = np.iinfo(np.int8)\nout[1] = limits.max - limits.min",
        ),
        ("`a.dtype.type`", "out[0] = f.dtype.type(3) / i.dtype.type(2.7)"),
        (
            "`and`, `or`, `not`",
            "out[0] = i[0] and f[1] or f[2]\nout[1] = not i[0]",
        ),
        (":=", "if (n := i[2]) > 2:\n    out[0] = n"),
        (
            "`:=` within `and`, `or`",
            "if i[2] > 2 and (n := f[1]) > 1:\n    out[0] = n",
            "an error if the types of the operands differ",
        ),
        (
            "`nonlocal`",
            "n = 0\ndef up(by):\n    nonlocal n\n    n += by\n    return n\nout[0] = up(2) * 10 + up(3)\nout[1] = n",
        ),
        ("several targets", "x = y = f[1]\nout[0] = out[1] = x + y"),
        (
            "augmented assignment",
            "x = 3\nx **= 2\nx //= 2\nx <<= 3\nx ^= 5\nout[0] = x",
        ),
        ("swap", "x, y = f[0], f[1]\nx, y = y, x\nout[0] = x - y"),
        ("starred target", "x, *y = (1, 2, 3)\nout[0] = x + y[1]", "refused"),
        ("annotations", "x: float = f[1]\nout[0] = x"),
        (
            "`match` on literals",
            "match i[1]:\n    case 1:\n        out[0] = 1\n    case 2 | 3:\n        out[0] = 5\n    case _:\n        out[0] = 9",
        ),
        ("`pass`, docstring", "'''Nothing.'''\npass"),
        ("early `return`", "out[0] = 1\nif i[0] == 1:\n    return\nout[0] = 2"),
        (
            "nested `return` in a loop",
            "for n in range(4):\n    if n == 2:\n        return\n    out[n] = 1",
        ),
        (
            "variable of two types",
            "x = 0\nif i[0] > 0:\n    x = f[1]\nout[0] = x",
        ),
        ("captured number", "out[0] = SCALE * 2"),
        ("non-ASCII name", "größe = 2\nout[0] = größe"),
        (
            "dead branch",
            "if SCALE == 4:\n    out[0] = undefined_name\nelse:\n    out[0] = 1",
        ),
        ("big literal", "out[0] = 2**62 % 1000"),
        (
            "big literal within an expression",
            "out[0] = 1.0 / 2**70\nout[1] = 2**65 // 2**60",
            "wraps around",
        ),
    ),
    *rows(
        FUNCTIONS,
        ("device function", "out[0] = add(1, 2)"),
        ("default arguments", "out[0] = add(1)"),
        ("keyword arguments", "out[0] = add(scale=2, x=3)"),
        ("tuple result", "x, y = swap(1, 2)\nout[0] = x"),
        ("recursion", "out[0] = factorial(i[2] + 2)"),
        ("mutual recursion", "out[0] = is_even(i[2])", "refused"),
        (
            "nested function",
            "def inner(x):\n    return x * 2\nout[0] = inner(f[1])",
        ),
        (
            "closure over a local",
            "scale = f[1]\ndef inner(x):\n    return x * scale\nout[0] = inner(2)",
        ),
        (
            "a local array as the result",
            "def row(x):\n    r = cuda.local.array(2, np.float64)\n    r[0] = x\n    return r\nout[0] = row(f[1])[0]",
            "refused",
        ),
        (
            "recursion of a nested function",
            "def inner(n):\n    return 1 if n < 2 else n * inner(n - 1)\nout[0] = inner(i[2] + 3)",
            "refused",
        ),
        (
            "keyword call of a nested function",
            "def inner(x, y=1):\n    return x - y\nout[0] = inner(y=2, x=7)",
            SLOW_ERROR,
        ),
        ("`lambda`", "twice = lambda x: x + x\nout[0] = twice(f[1])"),
        ("function as an argument", "out[0] = apply(math.sqrt, f[2])"),
        ("`lambda` as an argument", "out[0] = apply(lambda x: x + 1, f[2])"),
        ("`*args`", "out[0] = total(1.0, 2.0, 3.5)"),
        ("`f(*t)`", "t = (1, 2)\nout[0] = add(*t)"),
        ("type as a function", "kind = np.float64\nout[0] = kind(3)"),
    ),
]
