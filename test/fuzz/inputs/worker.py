# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hands damaged inputs to the compiler: `python -m inputs.worker FIRST LAST`.

An input follows from its seed. Each may use some seconds of processor time;
the process ends by a signal if it takes more, and by want of memory if it takes
too much of that. Whoever reads the output knows which input it was.
"""

import ast
import contextlib
import json
import linecache
import random
import re
import resource
import signal
import sys
import traceback
import warnings

from pyk import CompileError, _core
from pyk._frontend import _build
from pyk.cuda._host_function import HostFunction
from pyk.cuda.errors import LoweringError

from . import corpus, mutations

SECONDS = 5
#: Of processor time that a program may take to define its functions.
SECONDS_OF_PYTHON = 1
MEMORY = 2 << 30
#: Of an integer that a program may compute while it is loaded.
MOST_BITS = 100_000
#: What a message about a user's kernel does not show.
INSIDES = re.compile(
    r"\b(mlir|llvm|LLVM|MLIR|nvvm|scf|arith|memref)\b|\bpyk?\.(?!cuda)\w+|"
    r"'?builtin\.|!pyk|!py\.|\boperand #|\bop (result|operand)|block arg|"
    r"Assertion|<unknown>"
)
#: What a message says, without its file, whose name may be damaged.
SENTENCE = re.compile(r": (?:error|note): (.*)")
#: What it quotes; a damaged buffer may itself name functions of the library.
QUOTED = {
    "python": re.compile(r"'[^']*'"),
    "buffer": re.compile(r"'[^']*'|\bpyk\.\w+"),
}
#: What only stages know that see a kernel with all functions that it calls: the
#: places of shared arrays, and who owns local ones.
LIMITS = re.compile(
    r"the shared arrays take \d+ bytes|"
    r"size of the shared array that is known at the launch|"
    r"operations for a shared array|"
    r"so that this shared array needs a constant size|"
    r"no call lasts long enough to own it"
)


def damaged(seed):
    """(what it is, the input) of a seed."""
    source = random.Random(seed)
    form = seed % 4
    if form == 3:
        programs = corpus.mlir_programs()
        text = source.choice(programs)
        return "mlir", mutations.mlir(text, source, source.choice(programs))
    text, name, types = corpus.python_program(source)
    if form == 0:
        text = mutations.python_text(text, source)
    elif form == 1:
        other = corpus.python_program(source)[0]
        text = mutations.python_tree(text, source, other)
    built = build(text, name, types, source, seed)
    if form == 2:
        built = mutations.buffer(built, source).encode()
        return "buffer", built
    return "python", (built, text)


class NotPython(Exception):
    """A text that Python itself refuses, or would not come to the end of."""


class TooLong(BaseException):
    """What a program that takes too long gets; its `except` may catch it."""


@contextlib.contextmanager
def short_of_time():
    """Raises TooLong, again and again, when the time for Python is up."""

    def stop(signum, frame):
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS_OF_PYTHON, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def computes_for_ever(text):
    """Whether a statement outside functions has too large a power."""
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Pow | ast.LShift)
        and isinstance(node.right, ast.Constant)
        and isinstance(node.right.value, int)
        and node.right.value > MOST_BITS
        for statement in ast.parse(text).body
        if not isinstance(statement, ast.FunctionDef)
        for node in ast.walk(statement)
    )


def build(text, name, types, source, seed):
    """The buffer of a function; CompileError if it cannot be."""
    file = f"<input {seed}>"
    text = text.replace("from numba import", "from pyk import")
    text = re.sub(r"from pyk import .*", "from pyk import cuda", text)
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    names = {"__name__": "program"}
    names |= {k: getattr(_types(), k) for k in ("float32", "int32")}
    try:
        if computes_for_ever(text):
            raise NotPython
        with contextlib.redirect_stdout(None), short_of_time():
            exec(compile(text, file, "exec"), names)  # noqa: S102
        function = names[name]
        function = getattr(function, "py_func", function)
        count = function.__code__.co_argcount
    except (CompileError, NotPython):
        raise
    except BaseException as error:
        raise NotPython from error
    if types is None or len(types) != count:
        types = [corpus.argument_type(source) for _ in range(count)]
    return _build.build(HostFunction(function), types)


def _types():
    from pyk import types

    return types


def judge(seed):
    """(what it was, outcome, text if something is wrong)."""
    kind = ("python", "python", "buffer", "mlir")[seed % 4]
    text = ""
    try:
        kind, given = damaged(seed)
        if kind == "python":
            given, text = given
        _core.compile(
            source=given,
            source_name="<input>",
            target=("cpu", "cuda")[seed // 4 % 2],
            emit="ptx" if seed // 4 % 2 else None,
        )
    except NotPython:
        return kind, "not Python", None
    except CompileError as error:
        message = "\n".join(SENTENCE.findall(str(error)))
        wrong = None
        quoted = QUOTED.get(kind)
        if quoted and INSIDES.search(quoted.sub("", message)):
            wrong = f"shows insides: {error}"
        elif (
            kind == "python"
            and type(error) is LoweringError
            and not LIMITS.search(message)
        ):
            wrong = f"is found late: {error}"
        return kind, "refused", wrong
    except Exception:
        return kind, "exception", traceback.format_exc()
    return kind, "compiled", None


def say(**message):
    """One line to the driver."""
    print(json.dumps(message), flush=True)


def run(judge_one, first, last):
    """Judges a range of seeds by a function, within limits for each."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for seed in range(first, last):
        say(begin=seed)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        kind, outcome, wrong = judge_one(seed)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        say(seed=seed, kind=kind, outcome=outcome, wrong=wrong, memory=memory)


def main(first, last):
    """Judges a range of seeds."""
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(3000)
    run(judge, first, last)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
