# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traversals of trees find what those of `ast` do, in the same order."""

import ast
import sys
from pathlib import Path

import pytest

from pyk._frontend import _tree

FILES = sorted(Path(_tree.__file__).parent.glob("*.py"))


def without_contexts(nodes) -> list[ast.AST]:
    return [node for node in nodes if not isinstance(node, ast.expr_context)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_walk_finds_all_nodes_but_contexts(file: Path) -> None:
    tree = ast.parse(file.read_text())
    found = _tree.walk(tree)
    assert found == without_contexts(ast.walk(tree))
    for node in found:
        own = without_contexts(ast.iter_child_nodes(node))
        assert _tree.children(node) == own


def test_none_among_parts_is_left_out() -> None:
    """Dictionaries have a None for each `**`, arguments for each default."""
    tree = ast.parse("f({**a, 1: b}, lambda *, c, d=2: 3)")
    assert _tree.walk(tree) == without_contexts(ast.walk(tree))


def test_node_may_lack_fields() -> None:
    node = ast.Return()
    assert _tree.walk(node) == [node]
    assert _tree.children(node) == []


#: Statements and expressions that the files have none of.
PROGRAM = """
async def f(a, *b, c=1, **d):
    async with g() as x, h():
        await x
    async for y in z:
        yield y
    return [i async for i in y], {**d}, (lambda p, /, *, q=2: p), f"{a!r:>{c}}"
match a:
    case [1, *rest] | {"k": K(x, y=None), **more} | (2 as n) | None:
        global m
        del a[1:2, ...], a.b
    case _:
        assert not a, b
try:
    x: int = -1
except* ValueError as error:
    raise T from error
"""
NEWER = (
    "def f[T: int, *U, **V](x: T): ...\ntype A[T] = list[T]\nclass C[T]: ..."
)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            PROGRAM,
            marks=pytest.mark.skipif(
                sys.version_info < (3, 11),
                reason="`except*` is new in 3.11",
            ),
        ),
        pytest.param(
            NEWER,
            marks=pytest.mark.skipif(
                sys.version_info < (3, 12),
                reason="type parameters: 3.12",
            ),
        ),
    ],
    ids=["program", "newer"],
)
def test_walk_finds_all_kinds_of_nodes(text: str) -> None:
    tree = ast.parse(text)
    assert _tree.walk(tree) == without_contexts(ast.walk(tree))
