# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Traversals of Python's trees, faster than those of `ast`.

A compilation walks a function several times, to name its variables and to find
mistakes. Nodes that say how a name is used (`ast.Load` and the like) are left
out, and so are comments on types.
"""

from __future__ import annotations

import ast

#: Fields whose nodes, if any, are left out.
_WITHOUT_NODES = {"ctx", "id", "attr", "kind", "type_comment", "type_ignores"}


#: The fields of each kind of node that was met.
_fields_of_kinds: dict[type, tuple[str, ...]] = {ast.Constant: ()}


def _fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that may have nodes."""
    fields = _fields_of_kinds.get(kind)
    if fields is None:
        fields = tuple(
            name for name in kind._fields if name not in _WITHOUT_NODES
        )
        _fields_of_kinds[kind] = fields
    return fields


def children(node: ast.AST) -> list[ast.AST]:
    """The nodes that are parts of another, in the order of its fields."""
    found: list[ast.AST] = []
    for name in _fields(type(node)):
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            found.append(value)
        elif isinstance(value, list):
            found += [part for part in value if isinstance(part, ast.AST)]
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """A node and all that are in it, breadth first."""
    found = [node]
    # The loop appends to the list that it runs over.
    for each in found:
        found += children(each)
    return found
