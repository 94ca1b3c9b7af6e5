# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the example of every pass and compares what comes out.

Usage: run_pass_examples.py LLVM_INCLUDE PYK_OPT [OPTION]... [FILE.td]...

Looks at every Passes.td of include/ and what it includes unless files are
given. The description of a pass has `Example:` and two blocks: what goes in,
and what comes out. Between `Example:` and the first, names in backticks are
options of the pass, or, with two hyphens, what follows it on the command line.
The second block is either

  ```mlir   IR, which is parsed and printed again, so that only what it says
            counts and not how it is written; or
  ```text   what is printed, errors and remarks without their places. White
            space does not count.

Functions that can only stand in a gpu.module are put into one. Also checks that
the test is there that a description names for more examples.
"""

import dataclasses
import difflib
import os
import pathlib
import re
import subprocess
import sys
import textwrap

from tablegen import read_records

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(
    r"^Example:(?P<how>.*?)^```mlir\n(?P<before>.*?)^```\n"
    r".*?^```(?P<kind>mlir|text)\n(?P<after>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
MORE = re.compile(r"^More examples: `(test/[^`]*)`$", re.MULTILINE)
MESSAGE = re.compile(r"^\S+:\d+:\d+: ((?:error|warning|remark): .*)$", re.M)
ALIASES = re.compile(r"(?:[#!]\w+ = .*\n)*")


class WrongExampleError(Exception):
    """What is wrong with an example, as a line or more."""


@dataclasses.dataclass(frozen=True)
class Tool:
    """pyk-opt, with options for whatever it runs."""

    command: list[str]

    def run(self, source, *flags):
        return subprocess.run(
            [*self.command, "-", *flags],
            input=source,
            capture_output=True,
            text=True,
        )

    def print_ir(self, what, source, *flags):
        result = self.run(source, *flags)
        if result.returncode:
            raise WrongExampleError(
                f"cannot {what}:\n{result.stderr}\n{source}"
            )
        return result.stdout


def find_passes(path, include):
    """Yields (name, flag, description) for each pass that `path` declares."""
    records = read_records(path, include)
    for name in records["!instanceof"].get("Pass", []):
        record = records[name]
        description = textwrap.dedent(record["description"]).strip("\n")
        yield name, record["argument"], description


def wrap(text):
    """`text` in a gpu.module, behind the aliases with which it begins."""
    aliases = ALIASES.match(text)[0]
    return f"{aliases}gpu.module @kernels {{\n{text[len(aliases) :]}}}\n"


def check_ir(tool, example, before, flags):
    after = example["after"]
    if before != example["before"]:
        after = wrap(after)
    # How IR is to be printed holds for both.
    printing = [flag for flag in flags if flag.startswith("--mlir-")]
    expected = tool.print_ir("parse the second block", after, *printing)
    actual = tool.print_ir("run the first block", before, *flags)
    if actual != expected:
        difference = difflib.unified_diff(
            expected.splitlines(),
            actual.splitlines(),
            "expected",
            "got",
            lineterm="",
            n=2,
        )
        raise WrongExampleError(
            "another result than the second block:\n" + "\n".join(difference)
        )
    # What new-pass has written does nothing yet; the gate for form refuses it.
    unchanged = tool.print_ir("parse the first block", before, *printing)
    if unchanged == actual and not re.search(r"FILL\WIN", before):
        raise WrongExampleError("expects an example that the pass changes")


def check_text(tool, example, before, flags):
    result = tool.run(before, *flags, "-o", os.devnull)
    printed = "\n".join([*MESSAGE.findall(result.stderr), result.stdout])
    if printed.split() != example["after"].split():
        raise WrongExampleError(
            "another output than the second block:\n"
            f"{printed}{'' if printed.strip() else result.stderr}"
        )


def check(tool, flag, description):
    """Runs one example; raises what is wrong with it."""
    for named in MORE.findall(description):
        if not (ROOT / named).exists():
            raise WrongExampleError(f"no file '{named}'")
    example = EXAMPLE.search(description)
    if not example:
        raise WrongExampleError(
            "expects 'Example:', a block of ```mlir that goes in, and one of "
            "```mlir or ```text that comes out"
        )
    said = re.findall(r"`([^`]*)`", example["how"])
    options = " ".join(word for word in said if not word.startswith("--"))
    flags = [f"--{flag}={options}" if options else f"--{flag}"]
    flags += [word for word in said if word.startswith("--")]
    before = example["before"]
    if (
        re.search(r"^(gpu|func)\.func ", before, re.MULTILINE)
        and "gpu.module" not in before
    ):
        before = wrap(before)
    kinds = {"mlir": check_ir, "text": check_text}
    kinds[example["kind"]](tool, example, before, flags)


def main(arguments):
    files = [pathlib.Path(a) for a in arguments if a.endswith(".td")]
    files = files or sorted((ROOT / "include").rglob("Passes.td"))
    tool = Tool([a for a in arguments[1:] if not a.endswith(".td")])
    passes, wrong = 0, 0
    for path in files:
        for name, flag, description in find_passes(
            path, [ROOT / "include", arguments[0]]
        ):
            passes += 1
            try:
                check(tool, flag, description)
            except WrongExampleError as error:
                wrong += 1
                print(f"{path.name}, {name}: {error}\n")
    print(f"examples of {passes} passes, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
