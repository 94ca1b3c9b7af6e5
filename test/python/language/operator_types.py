# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The types of operators on numbers: those of the peer, which
test/typing/operators.json holds, but for what is said here. The tests compare
the compiler with it, and language/status.md shows it."""

import json

from support.places import TYPING

FILE = TYPING / "operators.json"

#: What the forms need to stand above them.
HEADER = "import operator\nfrom numba.cuda import types\n"
COMPLEX = {"complex64", "complex128"}
#: What a variable is that is bfloat16 on one way and this on another.
MEETS_BFLOAT16 = {
    **dict.fromkeys(["bool", "int8", "uint8"], "bfloat16"),
    **dict.fromkeys(["int16", "uint16", "float16", "float32"], "float32"),
    **dict.fromkeys(["int32", "int64", "uint32", "uint64"], "float64"),
    "float64": "float64",
}


#: What makes one type of two.
MEETING = ["min(x, y)", "max(x, y)", "x if c else y", "x and y", "x or y"]
#: Types of forms that the peer does not have.
LACKING = {
    ("int(x)", "bfloat16"): "int64",
    ("float(x)", "bfloat16"): "bfloat16",
    ("complex(x)", "bool"): "complex128",
    ("complex(x)", "float16"): "complex128",
    ("complex(x)", "bfloat16"): "complex128",
}


def difference(
    form: str, types: tuple[str, ...]
) -> tuple[str | None, str] | None:
    """The type of a form where the peer has another one, and what that has."""
    if (form, *types) in LACKING:
        return LACKING[(form, *types)], f"of {types[0]}: not there"
    kinds = set(types)
    if all("int" in kind or kind == "bool" for kind in kinds):
        return integer_difference(form, types)
    if form in ("min(x, y)", "max(x, y)") and kinds & COMPLEX:
        return None, "of complex numbers: its inference has a type"
    if form in MEETING and "bfloat16" in kinds:
        is_refused = form.startswith("m") and "bool" in kinds
        for other in kinds & MEETS_BFLOAT16.keys():
            if not is_refused:
                reason = "of bfloat16 and others: its inference has no end"
                return MEETS_BFLOAT16[other], reason
    if form.startswith("types.") and kinds & COMPLEX:
        if "complex" not in form and form != "types.boolean(x)":
            return None, "of complex numbers: its inference takes them"
    return None


def integer_difference(
    form: str, types: tuple[str, ...]
) -> tuple[str | None, str] | None:
    """The same of integers, bool among them."""
    if form in ("x ** y", "pow(x, y)") and types == ("bool", "int32"):
        return "int64", "of bool and int32: float32 there"
    if form == "operator.itruediv(x, y)":
        return "float64", "of integers: an integer there"
    if form == "divmod(x, y)" and len({k.startswith("u") for k in types}) == 2:
        both = "tuple(int64, int64)"
        return both, "of integers, one signed: not always as `x // y`"
    return None


def source(form: str, types: tuple[str, ...]) -> str:
    """A function of `x`, perhaps `y`, and `c`, a bool, that returns a form."""
    names = ", ".join([*"xy"[: len(types)], "c"])
    return f"{HEADER}def f({names}):\n    return {form}\n"


def load() -> dict[str, dict[tuple[str, ...], tuple[str | None, str]]]:
    """By form and the types of `x` and `y`: the type, None if it is refused,
    and what the peer has if it is not that, or ""."""
    table = {}
    for form, answers in json.loads(FILE.read_text()).items():
        table[form] = {}
        for key, peers in answers.items():
            types = tuple(key.split("; "))
            found = difference(form, types)
            is_other = found is not None and found[0] != peers
            table[form][types] = found if is_other else (peers, "")
    return table
