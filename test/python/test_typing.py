# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type inference against the answers of numba-cuda's own.

`test/typing/cases.jsonl` holds some three thousand generated functions,
argument types, and the type that numba-cuda infers for the result, or that it
refuses.
Each is called from a kernel made for it; one process infers them all. What
is typed is converted to stage pyk, too. A case that we answer otherwise is in
`DIFFERENT`.
"""

import json
import linecache
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pyk
from pyk import _core, _frontend
from pyk._functions import HostFunction

CASES = Path(__file__).parent.parent / "typing" / "cases.jsonl"
VIEWS = CASES.with_name("views.json")
COMPLEX = CASES.with_name("complex_numbers.json")
FUNCTIONS = CASES.with_name("functions.json")
BFLOAT16 = CASES.with_name("bfloat16.json")
NARROW = Path(__file__).parents[2] / (
    "python-dialect-docs/language/narrow-typing.md"
)
ROW = re.compile(r"^\| `([^`]+)` \|" + r" *([^|]*?) *\|" * 4 + "$")
TOOL = Path(_core.__file__).parents[2] / "bin" / "pyk-test-typing"

SCALARS = {"bool": "i1", "none": "none"}
SCALARS |= {f"float{w}": f"f{w}" for w in (16, 32, 64)}
SCALARS |= {"bfloat16": "bf16"}
SCALARS |= {f"int{w}": f"si{w}" for w in (8, 16, 32, 64)}
SCALARS |= {f"uint{w}": f"ui{w}" for w in (8, 16, 32, 64)}
SCALARS |= {f"complex{2 * w}": f"complex<f{w}>" for w in (32, 64)}

# Cases that differ for a reason that is not worth copying.
DIFFERENT = {
    "while-0083": "a condition of a loop is typed once, at the head; the peer "
    "types it a second time with what the body leaves",
    "prune-0231": "a condition of a loop is typed once, at the head; the peer "
    "types it a second time with what enters the loop",
    "prune-0260": "a function may return any array that outlives it; the peer "
    "allows a parameter only",
    "prune-0192": "an optional has a truth value; the peer refuses to ask it",
    "none-0157": "an optional has a truth value; the peer refuses to ask it",
}

#: Functions of which the peer says another type, or none, and why we differ.
OTHER_FUNCTION_TYPES = {
    "np.ldexp(a, b)": "an exponent is an integer",
    "math.ldexp(a, b)": "an exponent is an integer",
    "np.heaviside(a, b)": "the peer lacks it",
    "divmod(a, b)": "of mixed signs it has the type of // and %",
}


#: Forms with bfloat16 of which the peer says another type, or none, and why we
#: differ.
OTHER_BFLOAT16_TYPES = {
    **dict.fromkeys(
        ("x if c else y", "x and y", "min(x, y)", "max(x, y)"),
        "the peer does not come to an end",
    ),
    **dict.fromkeys(
        (
            *("int(x)", "float(x)", "complex(x)", "math.cbrt(x)", "np.sqrt(x)"),
            *("np.floor(x)", "np.absolute(x)", "np.isnan(x)", "x.prod()"),
            "x.mean()",
        ),
        "the peer lacks it",
    ),
    **dict.fromkeys(
        (f"types.bfloat16(types.complex{bits}(y))" for bits in (64, 128)),
        "it would lose a part",
    ),
}


def split_items(text: str) -> Iterator[str]:
    """The items of a list that may hold lists in parentheses."""
    depth, start = 0, 0
    for position, character in enumerate(text + ","):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            if text[start:position].strip():
                yield text[start:position].strip()
            start = position + 1


def mlir_type(text: str) -> str:
    """The type of a case in MLIR's syntax."""
    if text in SCALARS:
        return SCALARS[text]
    if match := re.fullmatch(r"array\((\w+), (\d), (\w)\)", text):
        dtype, rank, layout = match.groups()
        layout = {"C": "c", "F": "f", "A": "any"}[layout]
        return f"!pyk.array<{'?x' * int(rank)}{SCALARS[dtype]}, {layout}>"
    if text.startswith("tuple("):
        items = ", ".join(mlir_type(item) for item in split_items(text[6:-1]))
        return f"tuple<{items}>"
    raise ValueError(text)


def described(text: str) -> str:
    """A type as messages show it."""
    if text == "none":
        return "None"
    if match := re.fullmatch(r"array\((\w+), (\d), (\w)\)", text):
        return "array({}, {}d, {})".format(*match.groups())
    if text.startswith("tuple("):
        return f"tuple({', '.join(map(described, split_items(text[6:-1])))})"
    if text.startswith("optional("):
        return f"{described(text[9:-1])} or None"
    return text


def buffer(number: int, case: dict[str, Any]) -> str:
    """The ast buffer of a kernel that calls the function of a case."""
    source, name = case["source"], f"<case {number}>"
    lines = source.splitlines(True)
    linecache.cache[name] = (len(source), None, lines, name)
    names: dict[str, Any] = {"__name__": "case"}
    exec(compile(source, name, "exec"), names)  # noqa: S102
    function = names["f"]
    function = getattr(function, "py_func", function)
    types = [mlir_type(argument) for argument in case["args"]]
    unit = json.loads(_frontend.build(HostFunction(function), types))
    parameters = unit["functions"]["f"]["parameters"][: len(types)]
    at = [1, 0, 1, 0]
    call = {
        "k": "call",
        "func": {
            "k": "const",
            "at": at,
            "value": {"t": "function", "id": "f"},
        },
        "args": [
            {"k": "name", "at": at, "id": parameter["name"]}
            for parameter in parameters
        ],
        "at": at,
    }
    unit["functions"]["kernel"] = unit["functions"]["f"] | {
        "name": "kernel",
        "parameters": parameters,
        "body": [{"k": "expr", "at": at, "value": call}],
    }
    return json.dumps(unit | {"kernel": "kernel"})


def infer(buffers: list[str]) -> list[str]:
    """What the compiler infers for each buffer, or its error."""
    answers = subprocess.run(
        [TOOL, "--convert"],
        input="\n".join(buffers),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert len(answers) == len(buffers)
    return answers


# Views of which the peer has a type, and we do not, by what the message says.
NO_VIEW = {
    "to reshape": "an array of layout F, whose shape the peer gets wrong",
}

# Views of which the peer says another layout, by their text.
OTHER_LAYOUT = {
    ":None]": "a step of None is none; the peer takes any step for strides",
    ".reshape(": "what is reshaped has layout C; the peer says F of an array "
    "that had it, and reads other elements",
}


def test_types_of_views_are_those_of_the_peer() -> None:
    """Every short index of arrays of every layout."""
    wanted, buffers = [], []
    for array, answers in json.loads(VIEWS.read_text()).items():
        for text, expected in answers.items():
            source = f"def f(a, b, c):\n    return ({text}, 1)\n"
            case = {"source": source, "args": [array, "int64", "uint8"]}
            wanted.append((array, text, expected))
            buffers.append(buffer(len(buffers), case))
    differences, refused = [], Counter[str]()
    for (array, text, expected), answer in zip(
        wanted, infer(buffers), strict=True
    ):
        reason = next((r for t, r in NO_VIEW.items() if t in answer), None)
        other = next((r for t, r in OTHER_LAYOUT.items() if t in text), None)
        if answer.startswith("error: ") and expected and reason:
            refused[reason] += 1
        elif expected and other and answer != described(expected):
            refused[other] += 1
        elif answer.startswith("error: ") != (expected is None) or (
            expected and answer != described(expected)
        ):
            differences.append(f"{text} of {array}: {expected}, but {answer}")
    print(f"{len(wanted)} views, {len(differences)} differ, refused: {refused}")
    if differences:
        pytest.fail("\n".join(differences))


# Forms that the peer has a type for, although Python refuses them.
LOSES_PARTS = {
    *("min(x, y)", "complex(x, 1)", "complex(x, x)"),
    *("np.float32(x)", "np.int8(x)"),
}


def is_wider(form: str, types: list[str]) -> bool:
    """Whether we take what the peer refuses, as Python does."""
    is_real = not any(kind.startswith("complex") for kind in types)
    name = form.partition("(")[0]
    if name in ("complex", "np.angle"):
        # bool and float16 have no overload there.
        return True
    return is_real and name.startswith("cmath.")


def test_types_of_complex_numbers_are_those_of_the_peer() -> None:
    """Operators and functions on all scalar types, complex ones among them."""
    pyk.install_as_numba()
    header = "import cmath\nimport math\nimport numpy as np\n"
    wanted, buffers = [], []
    for form, answers in json.loads(COMPLEX.read_text()).items():
        for arguments, expected in answers.items():
            types = [*arguments.split(), "bool"]
            source = f"{header}def f(x, y, c):\n    return {form}\n"
            wanted.append((form, types, expected))
            buffers.append(
                buffer(len(buffers), {"source": source, "args": types})
            )
    differences, wider = [], 0
    for (form, types, expected), answer in zip(
        wanted, infer(buffers), strict=True
    ):
        refused = answer.startswith("error: ")
        if form in LOSES_PARTS and "complex" in types[0] + types[1]:
            assert refused
        elif expected is None and not refused and is_wider(form, types[:1]):
            wider += 1
        elif refused != (expected is None) or (
            expected and answer != described(expected)
        ):
            differences.append(f"{form} of {types}: {expected}, but {answer}")
    print(f"{len(wanted)} forms, {len(differences)} differ, {wider} are wider")
    if differences:
        pytest.fail("\n".join(differences))


def test_types_of_bfloat16_are_those_of_the_peer() -> None:
    """Operators and functions on bfloat16 and every other scalar type."""
    pyk.install_as_numba()
    header = (
        "import math, operator\nimport numpy as np\n"
        "from numba import cuda\nfrom numba.cuda import bf16, types\n"
    )
    wanted, buffers = [], []
    for form, answers in json.loads(BFLOAT16.read_text()).items():
        for arguments, expected in answers.items():
            types = [*arguments.split("; "), "bool"]
            source = f"{header}def f(x, y, c):\n    return {form}\n"
            wanted.append((form, types, expected))
            buffers.append(
                buffer(len(buffers), {"source": source, "args": types})
            )
    differences, others = [], Counter[str]()
    for (form, types, expected), answer in zip(
        wanted, infer(buffers), strict=True
    ):
        refused = answer.startswith("error: ")
        if refused == (expected is None) and (
            refused or answer == described(expected)
        ):
            continue
        if form in OTHER_BFLOAT16_TYPES:
            others[OTHER_BFLOAT16_TYPES[form]] += 1
        else:
            differences.append(f"{form} of {types}: {expected}, but {answer}")
    print(
        f"{len(wanted)} forms, {len(differences)} differ, by choice: {others}"
    )
    assert not differences, "\n".join(differences)


def test_types_of_functions_are_those_of_the_peer() -> None:
    """Every function on every type, or pair of types, of its arguments."""
    wanted, buffers = [], []
    for text, answers in json.loads(FUNCTIONS.read_text()).items():
        for types, expected in answers.items():
            arguments = types.split("; ")
            names = ", ".join("ab"[: len(arguments)])
            source = (
                "import math\nimport numpy as np\n"
                f"def f({names}):\n    return {text}\n"
            )
            case = {"source": source, "args": arguments}
            wanted.append((text, types, expected))
            buffers.append(buffer(len(buffers), case))
    differences, others = [], Counter[str]()
    for (text, types, expected), answer in zip(
        wanted, infer(buffers), strict=True
    ):
        refused = answer.startswith("error: ")
        if refused == (expected is None) and (
            refused or answer == described(expected)
        ):
            continue
        if text in OTHER_FUNCTION_TYPES:
            others[text] += 1
        else:
            differences.append(f"{text} of {types}: {expected}, but {answer}")
    print(
        f"{len(wanted)} types, {len(differences)} differ, by choice: {others}"
    )
    assert not differences, "\n".join(differences)


def test_inferred_types_are_those_of_the_peer() -> None:
    """Result types agree; what the peer refuses is refused."""
    pyk.install_as_numba()
    cases = [json.loads(line) for line in CASES.open()]
    buffers = [buffer(number, case) for number, case in enumerate(cases)]
    answers = infer(buffers)
    differences, different = [], set()
    for case, answer in zip(cases, answers, strict=True):
        expected = case["result"]
        if case["id"] in DIFFERENT and "not converted" not in answer:
            if answer != (expected and described(expected)):
                different.add(case["id"])
            continue
        if answer.startswith("error: "):
            if expected is not None:
                differences.append(f"{case['id']}: {expected}, but {answer}")
        elif expected is None:
            differences.append(f"{case['id']}: an error, but {answer}")
        elif answer != described(expected):
            differences.append(f"{case['id']}: {expected}, but {answer}")
    print(f"{len(cases)} cases, {len(differences)} differ")
    differences += [
        f"{case}: as expected, but listed as different"
        for case in sorted(DIFFERENT.keys() - different)
    ]
    if differences:
        pytest.fail("\n".join(differences))


def test_narrow_types_are_those_of_the_page() -> None:
    """Both columns of the table: Numba's types, and the narrow ones."""
    rows = [
        match.groups()
        for line in NARROW.read_text().splitlines()
        if (match := ROW.match(line)) and match[1] not in ("a", "b")
    ]
    assert len(rows) > 30
    pyk.install_as_numba()
    buffers, wanted = [], []
    for expression, a, b, numba, narrow in rows:
        types = [kind for kind in (a, b) if kind]
        source = (
            "import math\nfrom numba import cuda\n"
            f"def f({', '.join('ab'[: len(types)])}):\n"
            f"    return {expression}\n"
        )
        case = {"source": source, "args": types}
        for typing, expected in (("numba", numba), ("narrow", narrow)):
            unit = json.loads(buffer(len(buffers), case))
            unit["options"] = {"typing": typing}
            buffers.append(json.dumps(unit))
            wanted.append((expression, types, typing, described(expected)))
    differences = [
        f"{case}: {answer}"
        for case, answer in zip(wanted, infer(buffers), strict=True)
        if answer != case[-1]
    ]
    assert not differences, "\n".join(differences)
