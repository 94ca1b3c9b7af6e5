# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Type inference against the answers of numba-cuda's own, which test/typing
holds.

Each is that of a function, which is called from a kernel made for it; one
process infers all of a test. What is typed is converted to stage pyk, too.
"""

import json
import linecache
import re
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

import operator_types
import pyk
import statement_types
from pyk._frontend import _build
from pyk.cuda._host_function import HostFunction
from support.places import ROOT, TYPING
from support.programs import TOOLS

CASES = TYPING / "cases.jsonl"
NARROW = ROOT / "python-dialect-docs/language/narrow-typing.md"
ROW = re.compile(r"^\| `([^`]+)` \|" + r" *([^|]*?) *\|" * 4 + "$")

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
    unit = json.loads(_build.build(HostFunction(function), types))
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
    unit["entries"][0]["function"] = "kernel"
    return json.dumps(unit)


def infer(buffers: list[str]) -> list[str]:
    """What the compiler infers for each buffer, or its error."""
    answers = subprocess.run(
        [TOOLS / "pyk-test-typing", "--convert"],
        input="\n".join(buffers),
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    assert len(answers) == len(buffers)
    return answers


def is_as_expected(answer: str, expected: str | None) -> bool:
    """Whether an answer of the compiler is a type, or an error for None."""
    if answer.startswith("error: "):
        return expected is None
    return expected is not None and answer == described(expected)


#: Of a name, types, what is expected and the other answer: why that is right.
Explain = Callable[[str, list[str], str | None, str], str]


def is_wider(expected: str | None, answer: str) -> bool:
    """Whether we have a type where the peer has none."""
    return expected is None and not answer.startswith("error: ")


def is_refused(expected: str | None, answer: str) -> bool:
    """Whether we have none where the peer has one."""
    return expected is not None and answer.startswith("error: ")


def check(
    questions: Iterable[tuple[str, str, list[str], str | None]],
    by_choice: Explain = lambda *_: "",
) -> Counter[str]:
    """Fails if the compiler has other types than expected.

    A question is a name, the text of a function, the types of its arguments and
    that of its result, None if it has to be refused. `by_choice` says why
    another answer is right, or "". Counts these.
    """
    pyk.install_as_numba()
    asked, buffers = [], []
    for name, source, types, expected in questions:
        buffers.append(buffer(len(buffers), {"source": source, "args": types}))
        asked.append((name, types, expected))
    differences, chosen = [], Counter[str]()
    for (name, types, expected), answer in zip(
        asked, infer(buffers), strict=True
    ):
        if is_as_expected(answer, expected):
            continue
        if reason := by_choice(name, types, expected, answer):
            chosen[reason] += 1
        else:
            differences.append(f"{name} of {types}: {expected}, but {answer}")
    print(f"{len(asked)} asked, {len(differences)} differ, by choice: {chosen}")
    if differences:
        pytest.fail("\n".join(differences))
    return chosen


def recorded_forms(
    name: str, header: str
) -> Iterator[tuple[str, str, list[str], str | None]]:
    """The questions of test/typing/NAME.json."""
    table = json.loads((TYPING / f"{name}.json").read_text())
    for form, answers in table.items():
        for arguments, expected in answers.items():
            types = arguments.split("; ")
            names = ", ".join([*"xy"[: len(types)], "c"])
            source = f"{header}def f({names}):\n    return {form}\n"
            yield form, source, [*types, "bool"], expected


def test_types_of_views_are_those_of_the_peer() -> None:
    """Every short index of arrays of every layout."""

    def explain(
        text: str, types: list[str], expected: str | None, answer: str
    ) -> str:
        if "to reshape" in answer:
            return "an array of layout F, whose shape the peer gets wrong"
        if ":None]" in text:
            return "a step of None is none; the peer takes any step for strides"
        if ".reshape(" in text:
            return "what is reshaped has layout C; the peer says F of an array"
        return ""

    table = json.loads((TYPING / "views.json").read_text())
    check(
        (
            (
                text,
                f"def f(a, b, c):\n    return ({text}, 1)\n",
                [array, "int64", "uint8"],
                expected,
            )
            for array, answers in table.items()
            for text, expected in answers.items()
        ),
        explain,
    )


def test_types_of_operators_are_those_of_the_page() -> None:
    """Every operator on every scalar type, or every pair of them."""
    check(
        (form, operator_types.source(form, types), [*types, "bool"], expected)
        for form, answers in operator_types.load().items()
        for types, (expected, _) in answers.items()
    )


def test_types_of_statements_are_those_of_the_page() -> None:
    """Values, loops, elements, variables and calls."""
    check(
        (
            row.what,
            statement_types.source(row),
            statement_types.arguments(row),
            expected,
        )
        for row, expected in statement_types.load()
    )


def test_types_of_complex_numbers_are_those_of_the_peer() -> None:
    def explain(
        form: str, types: list[str], expected: str | None, answer: str
    ) -> str:
        if form in ("np.float32(x)", "np.int8(x)"):
            return "a part" if is_refused(expected, answer) else ""
        is_real = not any("complex" in kind for kind in types)
        if form in ("complex(x, 1)", "complex(x, x)") and not is_real:
            return "parts are real" if is_refused(expected, answer) else ""
        if not is_wider(expected, answer):
            return ""
        if form in ("complex(x, 1)", "complex(x, x)", "np.angle(x)"):
            return "the peer has no overload for all real numbers"
        if form == "np.sinc(x)" and types[0] == "bool":
            return "the peer lacks it"
        if form.startswith("cmath.") and is_real:
            return "as in Python, cmath takes real numbers"
        return ""

    header = "import cmath\nimport math\nimport numpy as np\n"
    check(recorded_forms("complex_numbers", header), explain)


def test_types_of_bfloat16_are_those_of_the_peer() -> None:
    lacking = (
        *("math.cbrt(x)", "np.sqrt(x)", "np.floor(x)", "np.absolute(x)"),
        *("np.isnan(x)", "x.prod()", "x.mean()"),
    )

    def explain(
        form: str, types: list[str], expected: str | None, answer: str
    ) -> str:
        if form in lacking and is_wider(expected, answer):
            return "the peer lacks it"
        if form.startswith("types.bfloat16(types.complex"):
            return "a part" if is_refused(expected, answer) else ""
        return ""

    header = (
        "import math\nimport numpy as np\n"
        "from numba import cuda\nfrom numba.cuda import bf16, types\n"
    )
    check(recorded_forms("bfloat16", header), explain)


@pytest.mark.long
def test_types_of_functions_are_those_of_the_peer() -> None:
    def explain(
        form: str, types: list[str], expected: str | None, answer: str
    ) -> str:
        is_ldexp = form in ("np.ldexp(x, y)", "math.ldexp(x, y)")
        if is_ldexp and is_refused(expected, answer):
            return "an exponent is an integer"
        lacking = (
            form == "np.heaviside(x, y)"
            or (is_ldexp and types[1] == "uint64")
            or (form == "np.sinc(x)" and types[0] == "bool")
            or (form.startswith("np.trace(") and "float" not in types[0])
        )
        if lacking:
            return "the peer lacks it" if is_wider(expected, answer) else ""
        return ""

    header = "import math\nimport numpy as np\n"
    check(recorded_forms("functions", header), explain)


def test_inferred_types_are_those_of_the_peer() -> None:
    """Result types agree; what the peer refuses is refused."""
    cases = [json.loads(line) for line in CASES.open()]
    chosen = check(
        (
            (case["id"], case["source"], case["args"], case["result"])
            for case in cases
        ),
        lambda name, types, expected, answer: (
            f"{name}: {DIFFERENT[name]}"
            if name in DIFFERENT and "not converted" not in answer
            else ""
        ),
    )
    assert set(chosen) == {f"{name}: {why}" for name, why in DIFFERENT.items()}


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
