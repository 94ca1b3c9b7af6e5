# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traversals of trees find what those of `ast` do, in the same order."""

import ast
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
