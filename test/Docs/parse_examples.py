# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses and verifies every MLIR example of TableGen descriptions.

Usage: parse_examples.py LLVM_INCLUDE PYK_OPT [OPTION]... FILE.td...

An example may use values that it does not define. They become arguments of a
function around it; their types are what the parser says it expects when the
declared type is not the right one. Prints how many examples there were; fails
if one is wrong. Those of passes are run by run_pass_examples.py.
"""

import pathlib
import re
import subprocess
import sys
import textwrap

from tablegen import read_records

FENCE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
WRONG_TYPE = re.compile(
    r":(\d+):\d+: error: use of value '(%[\w]+)' expects different type than "
    r"prior uses: '(.*)' vs 'none'"
)

# What an op needs around it; {} is the example.
SURROUNDINGS = {
    "pyk.break": "%r = pyk.loop carry(%v = %value) : (f32) {{\n{}\n}}",
    "pyk.continue": "%r = pyk.loop carry(%v = %value) : (f32) {{\n{}\n}}",
    "pyk.if": (
        "%r = pyk.loop carry(%v = %i) : (i64) {{\n{}\npyk.continue %v : i64\n}}"
    ),
    "pyk.yield": "%r = pyk.if %c -> (f32) {{\n{0}\n}} else {{\n{0}\n}}",
}
CALLEE = """
pyk.func @min_max(%a: f32, %b: f32) -> (f32, f32) {
  pyk.return %a, %b : f32, f32
}
"""


CHILD = """
pyk.func @child(%a: !pyk.array<?xf32, c>, %x: f32)
    attributes {kernel, pyk.child} {
  pyk.return
}
"""


def find_examples(path, include):
    """Yields (what the example is of, its text) for `path` and its includes."""
    records = read_records(path, include)
    for kind in ("Dialect", "Op", "TypeDef", "AttrDef"):
        for name in records["!instanceof"].get(kind, []):
            record = records[name]
            dialect = record.get("opDialect") or record.get("dialect")
            prefix = dialect["def"].split("_")[0].lower() if dialect else "pyk"
            if prefix not in ("py", "pyk"):
                continue
            for text in FENCE.findall(record["description"] or ""):
                owner = record.get("opName") or name
                yield f"{prefix}.{owner}", textwrap.dedent(text)


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
    if "pyk.func" in text or "py.func" in text:
        return text
    if text.startswith("!"):
        return f"func.func private @example({text.strip()})\n"
    if text.startswith("#"):
        return (
            f"func.func private @example() attributes {{a = {text.strip()}}}\n"
        )
    if owner.startswith("py."):
        return wrap_py(owner, text)
    arguments = [f"{v}: {types.get(v, 'none')}" for v in get_free_values(text)]
    result, end = "", "pyk.return"
    if owner in SURROUNDINGS:
        if owner == "pyk.yield":
            arguments.append("%c: i1")
        text = SURROUNDINGS[owner].format(text)
    if text.startswith("pyk.return"):
        result, end = " -> f32", ""
    callee = CALLEE if "@min_max" in text else ""
    callee = CHILD if "@child" in text else callee
    return (
        f"{callee}pyk.func @example({', '.join(arguments)}){result} {{\n"
        f"{text}{end}\n}}\n"
    )


def wrap_py(owner, text):
    """An example of the py dialect, whose values all have one type."""
    values = "".join(
        f'{v} = py.unsupported "a value" -> !py.object\n'
        for v in get_free_values(text)
    )
    if owner == "py.yield":
        values += "%t = py.logical and %value : (!py.object) -> !py.object {\n"
        text += "}\n"
    if owner in ("py.break", "py.continue"):
        values += '%r = py.unsupported "a range" -> !py.object\n'
        values += "py.for in %r : !py.object {\n^body(%i: !py.object):\n"
        text += "}\n"
    return f"py.func @example([]) {{\n{values}{text}}}\n"


def main(arguments):
    examples, wrong = {}, 0
    root = pathlib.Path(__file__).resolve().parents[2]
    include = [root / "include", arguments[0]]
    command = [a for a in arguments[1:] if not a.endswith(".td")]
    for path in (pathlib.Path(a) for a in arguments if a.endswith(".td")):
        # The py dialect includes types of the other one.
        for owner, text in find_examples(path, include):
            examples[owner, text] = path.name
    for (owner, text), name in examples.items():
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
