# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What holds behind conditions and loops, and what does not.

The compiler folds comparisons that a condition before them decides. On each
side of a branch, behind it, and behind a loop that a condition ends, all
comparisons with the constant of the condition and its neighbours are Python's.
"""

import itertools

import numpy as np
import pytest

from support.scalars import compile_text

#: Statements that make `v` of `x` and `y`. All have to do with the number 6.
FLOWS = {
    "while": """
v = 0
while v < 6 and v < x:
    v += 1
""",
    "while in steps": """
v = x
while v > 6:
    v -= y + 1
""",
    "while not": """
v = x
while not v <= 6:
    v -= 1
""",
    "while or": """
v = 0
while v < 6 or v < x:
    v += 1
""",
    "while with an exit": """
v = x
while v < 6:
    if v == y:
        break
    v += 1
""",
    "endless loop with an exit": """
v = x
while True:
    if v >= 6:
        break
    v += y + 1
""",
    "while and else": """
v = x
while v < 6:
    v += 2
else:
    v -= y
""",
    "for with an exit": """
v = x
for i in range(4):
    if v >= 6:
        break
    v += y
""",
    "for with continue": """
v = 0
for i in range(x):
    if i < 6:
        continue
    v = i
""",
    "counter behind for": """
v = 0
for v in range(x):
    if v == 6:
        break
""",
    "branches that leave": """
v = x
if v > 6 and y > 2:
    continue
if v == 6 or y == 0:
    if v < y:
        continue
""",
    "both branches": """
v = x
if v < 6:
    v += y
else:
    v -= y
""",
    "three branches": """
v = x
if v < 6:
    v = 5
elif v == 6:
    v = 7
else:
    v = y
""",
    "and, or, not": """
v = x
if v > 4 and v < y + 5:
    v = 6
if not (v > 4 and y > 2) or v == 6:
    v += 1
""",
    "chain": """
v = x
if 4 <= v <= 6:
    v = y
""",
    "choices": """
v = (x if x < 6 else y) if y > 1 else (y if x < 6 else x)
v = max(min(v, 6), y)
""",
}
#: Behind the statements, each alone, and the second ones on either side of the
#: first ones.
CONDITIONS = [
    f"{a} {operator} {b}"
    for operator in ("<", "<=", ">", ">=", "==", "!=")
    for a, b in [("v", 5), ("v", 6), (6, "v"), ("v", 7), ("v", "x"), ("y", "v")]
]
OUTER = ["v < 6", "v <= 6", "v == 6", "v != 6", "v >= y", "v < x", "x != y"]
INNER = ["v < 6", "v == 6", "v >= 6", "v < 7", "v == 5", "v == x", "v > y"]


def program(flow):
    body = [*flow.strip().splitlines()]
    body += [
        f"out[n, {k}] = 1 if {condition} else 2"
        for k, condition in enumerate(CONDITIONS)
    ]
    k = len(CONDITIONS)
    for outer in OUTER:
        yes = [f"out[n, {k + i}] = {one}" for i, one in enumerate(INNER)]
        no = [f"out[n, {k + i}] = 2 + ({one})" for i, one in enumerate(INNER)]
        body += [f"if {outer}:", *(f"    {one}" for one in yes)]
        body += ["else:", *(f"    {one}" for one in no)]
        k += len(INNER)
    head = [
        "def k(xs, ys, out):",
        "    for n in range(xs.size):",
        "        x, y = xs[n], ys[n]",
    ]
    return "\n".join([*head, *(" " * 8 + one for one in body)])


@pytest.mark.parametrize("flow", FLOWS.values(), ids=FLOWS)
def test_conditions(flow):
    kernel = compile_text(program(flow))
    xs, ys = np.array([*itertools.product(range(-1, 12), range(5))]).T.copy()
    count = len(CONDITIONS) + len(OUTER) * len(INNER)
    found = np.full((xs.size, count), -1)
    expected = found.copy()
    kernel[1, 1](xs, ys, found)
    kernel.py_func(xs, ys, expected)
    np.testing.assert_array_equal(found, expected)
