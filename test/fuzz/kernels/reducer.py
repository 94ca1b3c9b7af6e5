# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes a failing program small: drops statements, then parts of expressions.

What keeps a program judgeable is kept: barriers, the cells of phases, memory
that must be set before it is read, and the numbers of threads.
"""

import ast

KEPT = {"left", "right", "mine", "local", "shared", "i", "t"}
TRIES = 400


def names(node):
    """The names that a statement assigns."""
    return {
        n.id
        for n in ast.walk(node)
        if isinstance(n, ast.Name)
        and (isinstance(n.ctx, ast.Store) or n.id in ("left", "right"))
    }


def is_kept(node):
    """Whether a statement must stay."""
    text = ast.unparse(node)
    found = names(node)
    return (
        "syncthreads" in text
        or bool(found & KEPT)
        or any(name[0] == "z" for name in found)
        or isinstance(node, ast.Import | ast.ImportFrom)
    )


def deletions(tree):
    """(list, index, replacement) for each statement that may go."""
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
                if is_kept(statement):
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
    fixed = set()
    for node in ast.walk(tree):
        if hasattr(node, "targets"):
            whole = [node] if is_kept(node) else node.targets
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


def statement_candidates(text):
    """The program without a statement, again and again."""
    for number in range(len(list(deletions(ast.parse(text))))):
        tree = ast.parse(text)
        block, index, instead = list(deletions(tree))[number]
        block[index : index + 1] = instead
        for node in ast.walk(tree):
            if getattr(node, "body", None) == []:
                node.body = [ast.Pass()]
        yield ast.unparse(ast.fix_missing_locations(tree))


def expression_candidates(text):
    """The program with a simpler expression."""
    for number in range(len(list(simplifications(ast.parse(text))))):
        tree = ast.parse(text)
        parent, name, index, part = list(simplifications(tree))[number]
        if index is None:
            setattr(parent, name, part)
        else:
            getattr(parent, name)[index] = part
        yield ast.unparse(ast.fix_missing_locations(tree))


def reduce(text, still_fails):
    """The smallest program found for which `still_fails(text)` holds."""
    tries = 0
    progress = True
    while progress and tries < TRIES:
        progress = False
        for candidates in (statement_candidates, expression_candidates):
            for candidate in candidates(text):
                tries += 1
                if tries > TRIES:
                    return text
                if len(candidate) < len(text) and still_fails(candidate):
                    text, progress = candidate, True
                    break
            if progress:
                break
    return text
