# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses and verifies every MLIR example of TableGen descriptions.

Usage: parse_examples.py PYK_OPT [OPTION]... FILE.td...

An example may use values that it does not define. They become arguments of a
function around it; their types are what the parser says it expects when the
declared type is not the right one. Also checks that the example that a pass
names exists. Prints how many examples there were; fails if one is wrong.
"""

import pathlib
import re
import subprocess
import sys
import textwrap

FENCE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
DEFINITION = re.compile(r'^def \w+ *: *\w+<"([\w.-]+)"', re.MULTILINE)
PASS_EXAMPLE = re.compile(r"Example: `(test/[^`]*)`")
WRONG_TYPE = re.compile(
    r":(\d+):\d+: error: use of value '(%[\w]+)' expects different type than "
    r"prior uses: '(.*)' vs 'none'"
)

# What an op needs around it; {} is the example.
SURROUNDINGS = {
    "break": "%r = pyk.loop carry(%v = %value) : (f32) {{\n{}\n}}",
    "continue": "%r = pyk.loop carry(%v = %value) : (f32) {{\n{}\n}}",
    "if": (
        "%r = pyk.loop carry(%v = %i) : (i64) {{\n{}\npyk.continue %v : i64\n}}"
    ),
    "yield": "%r = pyk.if %c -> (f32) {{\n{0}\n}} else {{\n{0}\n}}",
}
CALLEE = """
pyk.func @min_max(%a: f32, %b: f32) -> (f32, f32) {
  pyk.return %a, %b : f32, f32
}
"""


def find_examples(path):
    """Yields (what the example is of, its text)."""
    text = path.read_text()
    for match in FENCE.finditer(text):
        owners = [
            m for m in DEFINITION.finditer(text) if m.start() < match.start()
        ]
        yield (
            (owners[-1][1] if owners else path.stem),
            textwrap.dedent(match[1]),
        )
    # Index ops give their example as a string to their base class.
    for match in re.finditer(r'"(%\w+ = pyk\.[^"]*)"', text):
        yield "index op", match[1] + "\n"


def get_free_values(text):
    """Values that `text` uses and does not define, in order."""
    defined = set()
    for match in re.finditer(r"((?:%\w+(?::\d+)?, *)*%\w+(?::\d+)?) *=", text):
        defined.update(re.findall(r"%\w+", match[1]))
    defined.update(re.findall(r"(%\w+):", text))
    used = re.findall(r"%\w+", text)
    return [v for v in dict.fromkeys(used) if v not in defined]


def wrap(owner, text, types):
    """The example as a module on its own."""
    if "pyk.func" in text:
        return text
    if text.startswith("!"):
        return f"func.func private @example({text.strip()})\n"
    if text.startswith("#"):
        return (
            f"func.func private @example() attributes {{a = {text.strip()}}}\n"
        )
    arguments = [f"{v}: {types.get(v, 'none')}" for v in get_free_values(text)]
    result, end = "", "pyk.return"
    if owner in SURROUNDINGS:
        if owner == "yield":
            arguments.append("%c: i1")
        text = SURROUNDINGS[owner].format(text)
    if text.startswith("pyk.return"):
        result, end = " -> f32", ""
    callee = CALLEE if "@min_max" in text else ""
    return (
        f"{callee}pyk.func @example({', '.join(arguments)}){result} {{\n"
        f"{text}{end}\n}}\n"
    )


def main(arguments):
    examples, wrong = [], 0
    root = pathlib.Path(__file__).resolve().parents[2]
    command = [a for a in arguments if not a.endswith(".td")]
    for path in (pathlib.Path(a) for a in arguments if a.endswith(".td")):
        examples += [(path.name, *e) for e in find_examples(path)]
        for named in PASS_EXAMPLE.findall(path.read_text()):
            if not (root / named).exists():
                print(f"{path.name}: no file '{named}'")
                wrong += 1
    for name, owner, text in examples:
        types = {}
        while True:
            source = wrap(owner, text, types)
            run = subprocess.run(
                [*command, "-"], input=source, capture_output=True, text=True
            )
            expected = WRONG_TYPE.search(run.stderr)
            if run.returncode == 0 or not expected or expected[2] in types:
                break
            types[expected[2]] = expected[3]
        if run.returncode != 0:
            wrong += 1
            print(f"{name}, {owner}:\n{source}\n{run.stderr}")
    print(f"{len(examples)} examples, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
