# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is damaged: kernels of the tests and examples, and files in MLIR."""

import ast
import itertools
import json
import re
import sys
from functools import cache
from pathlib import Path

TEST = Path(__file__).parents[2]
sys.path[:0] = [
    str(TEST / folder)
    for folder in ("python", "python/errors", "python/language", "typing")
]

from kernels import grammar  # noqa: E402

import error_cases  # noqa: E402
from pyk._argument_types import type_of  # noqa: E402
from test_typing import mlir_type  # noqa: E402

HEAD = "import math\nimport numpy as np\nfrom numba import cuda\n"
SCALARS = ["i1", "f16", "f32", "f64"]
SCALARS += [f"{sign}i{width}" for sign in "su" for width in (8, 16, 32, 64)]


def is_kernel(node):
    """Whether a function is decorated with cuda.jit."""
    return isinstance(node, ast.FunctionDef) and any(
        "cuda.jit" in ast.unparse(decorator)
        for decorator in node.decorator_list
    )


def is_constant(node):
    """Whether a statement can be run without doing anything."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        return True
    return isinstance(node, ast.Assign) and all(
        isinstance(part, ast.Constant | ast.Name | ast.Tuple | ast.BinOp
                   | ast.operator | ast.UnaryOp | ast.expr_context)
        for part in ast.walk(node.value)
    )  # fmt: skip


def kernels_of(path):
    """The kernels of a program, each with the constants and functions."""
    tree = ast.parse(path.read_text())
    around = [n for n in tree.body if is_constant(n) or is_kernel(n)]
    found = [n.name for n in around if is_kernel(n)]
    text = HEAD + "\n".join(map(ast.unparse, around)) + "\n"
    return [(text, name, None) for name in found]


@cache
def python_programs():
    """(text, name of a function, types of its arguments or None)."""
    found = []
    paths = [*(TEST.parent / "examples").glob("*.py")]
    paths += (TEST / "python").rglob("*.py")
    for path in sorted(paths):
        found += kernels_of(path)
    for _, body, _ in error_cases.CASES:
        lines = "".join(f"    {line}\n" for line in body.splitlines())
        text = f"{error_cases.HELPERS}\n@cuda.jit\ndef k(a, b, n):\n{lines}"
        types = ["!pyk.array<?xf32, c>", "!pyk.array<?x?xsi64, c>", "si64"]
        found.append((text, "k", types))
    cases = (TEST / "typing/cases.jsonl").read_text().splitlines()
    for line in itertools.islice(cases, 0, None, 4):
        case = json.loads(line)
        types = [mlir_type(argument) for argument in case["args"]]
        found.append((case["source"], "f", types))
    return found


def random_program(source):
    """One that kernels.grammar writes."""
    program = grammar.program(source.randrange(10_000))
    types = [type_of(value, name) for name, value in program.arguments]
    return program.text, "k", types


def python_program(source):
    """One of all."""
    if source.random() < 0.15:
        return random_program(source)
    return source.choice(python_programs())


@cache
def mlir_programs():
    """The parts of the lit tests."""
    found = []
    for path in sorted(TEST.rglob("*.mlir")):
        found += re.split(r"^// -----.*$", path.read_text(), flags=re.M)
    return [text for text in found if text.strip()]


def argument_type(source):
    """Any type that an argument may have."""
    if source.random() < 0.4:
        return source.choice(SCALARS)
    element = source.choice(SCALARS)
    rank = source.choice([1, 1, 1, 2, 2, 3])
    layout = source.choice(["c", "c", "f", "any"])
    return f"!pyk.array<{'?x' * rank}{element}, {layout}>"
