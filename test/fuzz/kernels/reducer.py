# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small: drops statements, then parts of expressions.

What keeps a program judgeable is kept: barriers, the cells of phases, memory
that must be set before it is read, ends of loops, and the numbers of threads.
"""

import ast
import time

KEPT = {"left", "right", "counts", "mine", "local", "shared", "i", "t"}
KEPT |= {"lanes", "attempts", "passed"}
#: Arrays of which a thread may read what others have set before a barrier.
CELLS = ("left", "right", "lanes")
#: Seconds to spend on a program.
PATIENCE = 60


def names(node):
    """The names that a statement assigns."""
    return {
        n.id
        for n in ast.walk(node)
        if isinstance(n, ast.Name)
        and (isinstance(n.ctx, ast.Store) or n.id in CELLS)
    }


def is_kept(node):
    """Whether a statement must stay."""
    text = ast.unparse(node)
    found = names(node)
    simple = isinstance(node, ast.Assign | ast.Expr)
    return (
        "syncthreads" in text
        or (simple and "syncwarp" in text)
        or bool(found & KEPT)
        or any(name[0] == "z" for name in found)
        or (simple and any(map(is_of_loop, found)))
        or isinstance(node, ast.Import | ast.ImportFrom)
    )


def is_of_loop(name):
    """Whether a loop may end by a variable: by turns, or by what it tries."""
    return name[0] in "nk" and name[1:].isdigit()


def counts_turns(node):
    """Whether a node is about the number of iterations of a loop."""
    return any(
        isinstance(n, ast.Name) and is_of_loop(n.id) for n in ast.walk(node)
    )


def ends_of_loops(tree):
    """All that loops need, to end."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AugAssign) and counts_turns(node):
            yield from ast.walk(node)
        elif isinstance(node, ast.If) and counts_turns(node.test):
            yield from ast.walk(node)
        elif isinstance(node, ast.While) and counts_turns(node.test):
            yield from ast.walk(node.test)


def deletions(tree):
    """(list, index, replacement) for each statement that may go."""
    fixed = set(ends_of_loops(tree))
    for node in ast.walk(tree):
        for part in ("body", "orelse"):
            block = getattr(node, part, None)
            if not isinstance(block, list):
                continue
            for index in reversed(range(len(block))):
                statement = block[index]
                if isinstance(statement, ast.FunctionDef):
                    if statement.name != "k":
                        yield block, index, []
                    continue
                if is_kept(statement) or statement in fixed:
                    continue
                yield block, index, []
                inner = getattr(statement, "body", [])
                if isinstance(statement, ast.If):
                    yield block, index, inner
                    yield block, index, statement.orelse


def parts(node):
    """Simpler expressions in place of one."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
    if not isinstance(node, ast.Constant):
        yield ast.Constant(1)


def simplifications(tree):
    """(parent, field, index, replacement) for each expression."""
    fixed = set(ends_of_loops(tree))
    for node in ast.walk(tree):
        if hasattr(node, "targets"):
            whole = [node] if is_kept(node) else node.targets
        elif isinstance(node, ast.Expr):
            whole = [node] if is_kept(node) else []
        else:
            whole = [node.target] if hasattr(node, "target") else []
        fixed |= {part for root in whole for part in ast.walk(root)}
    for parent in ast.walk(tree):
        if parent in fixed:
            continue
        for name, value in ast.iter_fields(parent):
            items = value if isinstance(value, list) else [value]
            for index, item in enumerate(items):
                if (
                    isinstance(item, ast.expr)
                    and item not in fixed
                    and not isinstance(
                        item, ast.Constant | ast.Name | ast.Attribute
                    )
                ):
                    if isinstance(getattr(item, "ctx", None), ast.Store):
                        continue
                    for part in parts(item):
                        yield (
                            *(parent, name),
                            index if isinstance(value, list) else None,
                            part,
                        )


def without_statement(text, number):
    """The program without a statement; None if it has not so many."""
    tree = ast.parse(text)
    found = list(deletions(tree))
    if number >= len(found):
        return None
    block, index, instead = found[number]
    block[index : index + 1] = instead
    for node in ast.walk(tree):
        if getattr(node, "body", None) == []:
            node.body = [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree))


def with_simpler_expression(text, number):
    """The program with a part of an expression in its place, or None."""
    tree = ast.parse(text)
    found = list(simplifications(tree))
    if number >= len(found):
        return None
    parent, name, index, part = found[number]
    if index is None:
        setattr(parent, name, part)
    else:
        getattr(parent, name)[index] = part
    return ast.unparse(ast.fix_missing_locations(tree))


def reduce(text, still_fails):
    """The smallest program found for which `still_fails(text)` holds.

    What has just not been needed tells where more is not: a pass goes on from
    there, and passes end when one changes nothing.
    """
    end = time.monotonic() + PATIENCE
    before = None
    while before != text:
        before = text
        for change in (without_statement, with_simpler_expression):
            number = 0
            while (candidate := change(text, number)) is not None:
                if time.monotonic() > end:
                    return text
                if len(candidate) < len(text) and still_fails(candidate):
                    text = candidate
                else:
                    number += 1
    return text
