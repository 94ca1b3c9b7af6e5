# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Constructs of Python that kernels may not contain."""

_ARRAY = "write a tuple, as in (4, 4), or use cuda.local.array"
_LOOP = "write a loop"
_HOST = "do this on the host, before the launch"
_TEXT = (
    'print("i =", i) prints text and numbers side by side; do all else with '
    "text on the host, before the launch"
)

_PATTERN = (
    "a pattern that takes a value apart",
    "match the parts, or use 'if'",
)

#: What a kernel may not contain and what to write instead, by the name of its
#: class in `ast` (some exist in newer versions of Python only).
UNSUPPORTED: dict[str, tuple[str, str]] = {
    "AsyncFor": ("an 'async for' statement", ""),
    "AsyncFunctionDef": ("an 'async' function", ""),
    "AsyncWith": ("an 'async with' statement", ""),
    "Await": ("an 'await' expression", ""),
    "ClassDef": ("a class definition", "use tuples and functions"),
    "Delete": (
        "a 'del' statement",
        "a variable that is not read costs nothing",
    ),
    "Dict": ("a dict", "use arrays"),
    "DictComp": ("a dict comprehension", _LOOP),
    "FormattedValue": ("an f-string", _TEXT),
    "GeneratorExp": ("a generator expression", _LOOP),
    "Global": ("a 'global' statement", "write to an array that is an argument"),
    "Import": ("an 'import' statement", "import it above the function"),
    "ImportFrom": ("an 'import' statement", "import it above the function"),
    "Interpolation": ("a t-string", _TEXT),
    "JoinedStr": ("an f-string", _TEXT),
    "List": ("a list", _ARRAY),
    "ListComp": ("a list comprehension", f"{_LOOP} over a cuda.local.array"),
    "MatchAs": _PATTERN,
    "MatchClass": _PATTERN,
    "MatchMapping": _PATTERN,
    "MatchSequence": _PATTERN,
    "Set": ("a set", "use arrays"),
    "SetComp": ("a set comprehension", _LOOP),
    "Starred": ("a starred expression", ""),
    "TemplateStr": ("a t-string", _TEXT),
    "Try": ("a 'try' statement", "test for what could go wrong"),
    "TryStar": ("a 'try' statement", "test for what could go wrong"),
    "TypeAlias": ("a 'type' statement", _HOST),
    "With": ("a 'with' statement", ""),
    "Yield": ("a 'yield' expression", _LOOP),
    "YieldFrom": ("a 'yield from' expression", _LOOP),
}
