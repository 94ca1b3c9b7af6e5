# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that are right Python and hardly meant as they stand.

Each warns once, at its line of the kernel, and says what to do. The kernels of
the examples, the benchmarks and the other tests have none, except those that
test barriers in branches.
"""

import ast
import re
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import pyk
from pyk import _errors, cuda
from pyk._frontend import _mistakes, _source
from pyk.cuda.errors import KernelMistakeWarning

ROOT = Path(__file__).parents[3]

HEAD = """\
import numpy as np
from numba import cuda, float32, int8, int32, prange

SIZE = 4

@cuda.jit{device}
def k({parameters}):
"""


def told(
    body: str, folder: Path, *args: object, device: str = ""
) -> list[tuple[int, str]]:
    """The line, from that of `def` on, and the text of each warning."""
    names = [f"p{place}" for place in range(len(args))]
    head = HEAD.format(device=device, parameters=", ".join(names))
    text = head + textwrap.indent(textwrap.dedent(body), "    ")
    if device:
        text += "\n@cuda.jit\ndef call(a):\n    a[0] = k(a[0])\n"
    file = folder / "program.py"
    file.write_text(text)
    scope: dict[str, object] = {"__name__": "program"}
    pyk.install_as_numba()
    _errors._said.clear()
    exec(compile(text, str(file), "exec"), scope)  # noqa: S102
    kernel = scope["call" if device else "k"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            kernel[1, 1](*args)  # type: ignore[index]
    first = head.count("\n")
    found = []
    for warning in caught:
        if issubclass(warning.category, KernelMistakeWarning):
            assert warning.filename == str(file)
            found.append((warning.lineno - first, str(warning.message)))
    return found


A = np.zeros(4)

#: A body, the line of the warning, and what it begins with.
STATEMENTS = {
    "compares": (
        "p0[0] == 1",
        "'p0[0] == 1' compares and drops the result; an assignment has one "
        "'=': p0[0] = 1",
    ),
    "orders": ("p0[0] < 1", "the result of 'p0[0] < 1' is dropped; assign it"),
    "adds": ("p0[0] + 1", "the result of 'p0[0] + 1' is dropped; assign it"),
    "and": ("p0[0] and p0[1]", "the result of 'p0[0] and p0[1]' is dropped"),
    "increments": ("++p0[0]", "'++p0[0]' is p0[0] with two signs and changes "),
    "decrements": (
        "p0[0] = --SIZE",
        "'--SIZE' is SIZE with two signs and changes nothing; write SIZE -= 1",
    ),
    "calls nothing": (
        "cuda.syncthreads",
        "'cuda.syncthreads' alone does nothing; a call needs parentheses",
    ),
    "names a variable": ("p0", "'p0' alone does nothing; remove it"),
    "and of comparisons": (
        "p0[0] = p0[0] < 3 & SIZE % 2 == 0",
        "'&' binds before comparisons: this compares with '3 & SIZE % 2'; "
        "write 'and' between conditions, or parentheses around each operand",
    ),
    "or of comparisons": (
        "p0[0] = 1 > SIZE | 2 > SIZE",
        "'|' binds before comparisons: this compares with 'SIZE | 2'; write "
        "'or' between",
    ),
    "a parity in an order": (
        "p0[0] = 1 < SIZE & SIZE % 2",
        "'&' binds before comparisons: this compares with 'SIZE & SIZE % 2'",
    ),
    "loops in parallel": (
        "for i in prange(4): p0[i] = i",
        "'prange' is 'range' in a kernel: each thread runs the whole loop",
    ),
    "replaces an array": (
        "p0 = 1",
        "'p0' is a parameter, and nothing reads what it is assigned here; "
        "elements are set by p0[...] = ...",
    ),
    "replaces an array by itself": (
        "p0 = p0[1:]",
        "'p0' is a parameter of this thread alone, and nothing reads what",
    ),
}


@pytest.mark.parametrize("name", STATEMENTS)
def test_statement(name: str, tmp_path: Path) -> None:
    body, message = STATEMENTS[name]
    found = told("i = 0\n" + body, tmp_path, A.copy())
    assert [(line, text[: len(message)]) for line, text in found] == [
        (2, message)
    ]


#: Statements that may be meant, and look like those above.
RIGHT = {
    "an index for its errors": "p0[0]",
    "an attribute for its errors": "p0.size",
    "a division for its errors": "1 // SIZE",
    "a call behind a condition": "SIZE < 2 and cuda.syncwarp()",
    "a docstring": "'text'",
    "parentheses": "p0[0] = (p0[0] < 3) & (SIZE % 2 == 0)",
    "a mask in parentheses": "p0[0] = (SIZE & 3) < 2",
    "a mask in an order": "p0[0] = SIZE & 3 < 2",
    "parentheses on lines of their own": (
        "p0[0] = (\n    (\n        SIZE & SIZE % 2\n    )\n    > 1\n)"
    ),
    "an unused value": "_ = p0[0]",
    "a mask that is compared": "p0[0] = SIZE & 3 == 0 or 1 | SIZE != 3",
    "a minus of a minus": "p0[0] = - -SIZE",
    "minus a minus": "p0[0] = SIZE - -SIZE",
    "an array in place": "p0 += 1",
    "a range": "for i in range(4): p0[i] = i",
}


@pytest.mark.parametrize("name", RIGHT)
def test_right_statement(name: str, tmp_path: Path) -> None:
    assert told(RIGHT[name], tmp_path, A.copy()) == []


@pytest.mark.parametrize(
    "body", ["p1 += p0[0]", "p1 = p1 + p0[0]", "p1 = 5", "p1 *= 2; p1 -= p1"]
)
def test_number_that_is_given_to_nobody(body: str, tmp_path: Path) -> None:
    found = told(body, tmp_path, A.copy(), 1.5)
    assert found == [
        (
            1,
            "'p1' is a parameter of this thread alone, and nothing reads what "
            "it is assigned here; pass an array of one element, and add to it "
            "by cuda.atomic.add(p1, 0, ...)",
        )
    ]


@pytest.mark.parametrize(
    "body",
    [
        "p1 += 1\np0[0] = p1",
        "while p1 > 0: p1 -= 1",
        "p1 = p0[0]\ndef get(): return p1\np0[0] = get()",
    ],
)
def test_number_that_is_read(body: str, tmp_path: Path) -> None:
    assert told(body, tmp_path, A.copy(), 2) == []


#: Bodies in which a variable is read at the last line, unassigned by a path.
UNASSIGNED = [
    "if p0[0] > 0:\n    x = 1\np0[1] = x",
    "if p0[0] > 0:\n    x = 1\nelif p0[0] < 0:\n    x = 2\np0[1] = x",
    "if p0[0] > 0:\n    x = 1\nelif p0[0] < 0:\n    return\np0[1] = x",
    "if p0[0] > 0:\n    if p0[1] > 0:\n        x = 1\nelse:\n    x = 2\n"
    "p0[1] = x",
    "if p0[0] > 0:\n    x = 1\nx += 1\np0[0] = x",
    "if p0[0] > 0:\n    y = 1\n    x = y\np0[1] = 2 * x + 1",
    "if p0[0] < 5:\n    if p0[0] > 0:\n        x = 1\n    p0[1] = x",
]


@pytest.mark.parametrize("body", UNASSIGNED)
def test_variable_that_a_path_leaves_unassigned(
    body: str, tmp_path: Path
) -> None:
    ((line, text),) = told(body, tmp_path, A.copy())
    read = next(
        place
        for place, statement in enumerate(body.split("\n"), 1)
        if re.search(r"= .*\bx\b|x \+=", statement)
    )
    assert line == read
    first = HEAD.count("\n")
    assert re.match(
        r"'x' is not assigned on every path: it reads as 0 where no condition "
        r"of the 'if' at line \d+ holds; assign 'x' before that, or add an "
        r"'else'",
        text,
    )
    assert int(text.partition("at line ")[2].split()[0]) > first


#: Bodies that may be right: conditions are repeated, known, or divide all
#: cases.
ASSIGNED = [
    "if p0[0] > 0:\n    x = 1\nif p0[0] > 0:\n    p0[1] = x",
    "if p0[0] > 0:\n    x = 1\np0[1] = x if p0[0] > 0 else 2",
    "if p0[0] > 0:\n    x = 1\np0[1] = p0[0] > 0 and x",
    "if p0[0] > 0:\n    x = 1\nelse:\n    return\np0[1] = x",
    "if p0[0] > 0:\n    x = 1\nelif p0[0] <= 0:\n    x = 2\np0[1] = x",
    "if p0[0] > 0:\n    x = 1\nif not p0[0] > 0:\n    x = 2\np0[1] = x",
    "c = p0[0] > 0\nif c:\n    x = 1\nelif not c:\n    x = 2\np0[1] = x",
    "i = cuda.threadIdx.x\nif i == 0:\n    x = 1\nelif i == 1:\n    x = 2\n"
    "p0[1] = x",
    "if SIZE > 3:\n    x = 1\np0[1] = x",
    "if p0.ndim == 1:\n    x = 1\np0[1] = x",
    "for j in range(2):\n    x = j\np0[1] = x",
    "for j in range(2):\n    if j == 0:\n        x = p0[0]\n    p0[j] = x",
    "x = 0\nif p0[0] > 0:\n    x = 1\np0[1] = x",
    "if p0[0] > 0:\n    x = 1\ncuda.syncthreads()\nif p0[0] <= 0:\n    return\n"
    "p0[1] = x",
    "if p0[0] > 0:\n    if p0[1] > 0:\n        x = 1\nelse:\n    return\n"
    "if p0[1] > 0:\n    p0[1] = x",
    "if cuda.threadIdx.x == 0:\n    x = p0[0]\n"
    "x = cuda.shfl_sync(0xFFFFFFFF, x, 0)\np0[1] = x",
    "while True:\n    x = 1\n    break\np0[1] = x",
]


@pytest.mark.parametrize("body", ASSIGNED)
def test_variable_that_may_be_assigned(body: str, tmp_path: Path) -> None:
    assert told(body, tmp_path, A.copy()) == []


#: Bodies of a device function, and whether a path lacks a result.
RESULTS = [
    ("if p0 > 0:\n    return 1.0\nelif p0 < 0:\n    return -1.0", True),
    ("if p0 > 0:\n    return 1.0", True),
    ("if p0 > 0:\n    if p0 > 1:\n        return 1.0\n"
     "else:\n    return 2.0", True),
    ("for i in range(3):\n    if p0 > i:\n        return 1.0", False),
    ("if p0 > 0:\n    return 1.0\nreturn 2.0", False),
    ("if p0 > 0:\n    return 1.0\nelse:\n    return 2.0", False),
    ("if p0 > 0:\n    return 1.0\nelif p0 <= 0:\n    return 2.0", False),
    ("if p0 > 0:\n    return 1.0\nif p0 < 0:\n    return 2.0\n"
     "if p0 == 0:\n    return 3.0", False),
    ("if p0 == np.pi:\n    return 1.0\nif p0 == np.e:\n    return 2.0", False),
    ("while True:\n    p0 += 1\n    if p0 > 3:\n        return p0", False),
    ("if SIZE > 3:\n    return 1.0", False),
]  # fmt: skip


@pytest.mark.parametrize(("body", "lacks"), RESULTS)
def test_path_without_a_result(body: str, lacks: bool, tmp_path: Path) -> None:
    found = told(body, tmp_path, np.ones(1), device="(device=True)")
    message = (
        "'k' returns a value on some paths and reaches its end without one on "
        "others, where the result is None; end it with a 'return' of a value "
        "(or 'return None' if None is meant)"
    )
    assert found == ([(0, message)] if lacks else [])


@pytest.mark.parametrize("end", ["return None", "return"])
def test_none_that_is_meant(end: str, tmp_path: Path) -> None:
    body = f"if p0 > 0:\n    return 1.0\n{end}"
    assert told(body, tmp_path, np.ones(1), device="(device=True)") == []


def test_none_that_is_asked_for() -> None:
    @cuda.jit(device=True)
    def half(n):
        if n % 2 == 0:
            return n / 2

    @cuda.jit
    def k(a):
        found = half(a[0])
        if found is not None:
            a[0] = found

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        k[1, 1](np.ones(1))


#: Barriers that a part of the threads of a block comes to, and the condition.
DIVERGENT = [
    ("if cuda.threadIdx.x < 3:\n    cuda.syncthreads()",
     "cuda.threadIdx.x < 3"),
    ("i = cuda.grid(1)\nif i < p0.size:\n    p0[i] = i\n"
     "    cuda.syncthreads()\n    p0[i] += 1", "i < p0.size"),
    ("i, j = cuda.grid(2)\nif i < 2 and j < 2:\n    for k in range(2):\n"
     "        cuda.syncthreads()", "i < 2 and j < 2"),
    ("t, b = cuda.threadIdx.x, cuda.blockIdx.x\nu = 2 * t + b\n"
     "if u % 4 == 0:\n    p0[0] = 1\nelse:\n    cuda.syncthreads()",
     "u % 4 == 0"),
    ("if cuda.laneid == 0:\n    p0[0] = cuda.syncthreads_count(1)",
     "cuda.laneid == 0"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "condition"), DIVERGENT)
def test_barrier_for_a_part_of_the_threads(
    body: str, condition: str, tmp_path: Path
) -> None:
    ((line, text),) = told(body, tmp_path, A.copy())
    name = "cuda.syncthreads_count" if "count" in body else "cuda.syncthreads"
    assert text == (
        f"'{name}()' is in an 'if' that may part the threads of a block "
        f"('{condition}'), and all of them have to come to it; end the 'if' "
        "before it, and begin another behind it"
    )
    lines = body.split("\n")
    assert lines[line - 1].startswith("if ")


@pytest.mark.parametrize(
    "body",
    [
        # The same for all threads of a block.
        "if cuda.blockIdx.x == 0:\n    cuda.syncthreads()",
        "t, b = cuda.threadIdx.x, cuda.blockIdx.x\n"
        "if b == 0:\n    cuda.syncthreads()",
        "b = cuda.grid(1) // cuda.blockDim.x\n"
        "if b == 0:\n    cuda.syncthreads()",
        "if cuda.syncthreads_or(cuda.threadIdx.x == 0):\n"
        "    cuda.syncthreads()",
        "t = cuda.threadIdx.x\nt = 0\nif t == 0:\n    cuda.syncthreads()",
        "if p0[cuda.threadIdx.x] == 0:\n    cuda.syncthreads()",
        # Both arms have one, and none.
        "if cuda.threadIdx.x == 0:\n    cuda.syncthreads()\n"
        "else:\n    cuda.syncthreads()",
        "if cuda.threadIdx.x == 0:\n    p0[0] = 1\ncuda.syncthreads()",
        "if cuda.grid(1) >= p0.size:\n    return\ncuda.syncthreads()",
        "if cuda.threadIdx.x == 0:\n    cuda.syncwarp()",
    ],
)
def test_barrier_for_all_threads(body: str, tmp_path: Path) -> None:
    assert told(body, tmp_path, A.copy()) == []


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "p0[0] = 2**40 + 5",
            "2 ** 40 + 5 does not fit int32, the dtype of 'p0', which stores "
            "5; use a wider dtype, or store what is meant",
        ),
        ("p0[0] = -2**31 - 1", "-2 ** 31 - 1 does not fit int32"),
        (
            "s = cuda.local.array(2, int8)\ns[0] = 256\np0[0] = s[0]",
            "256 does not fit int8, the dtype of 's', which stores 0",
        ),
        ("p0[0] = 2**32 - 1", None),
        ("p0[0] = -2**31", None),
        ("s = cuda.local.array(2, int8)\ns[0] = 255\np0[0] = s[0]", None),
        ("p0 = p0[1:]\np0[0] = 2**40", None),
    ],
)
def test_constant_that_does_not_fit(
    body: str, message: str | None, tmp_path: Path
) -> None:
    found = told(body, tmp_path, np.zeros(4, np.int32))
    assert [text[: len(message or "")] for _, text in found] == (
        [] if message is None else [message]
    )


def test_one_filter_turns_them_off(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    text = HEAD.format(device="", parameters="a") + "    a[0] == 1\n"
    text += "k[1, 1](np.zeros(1))\nprint('done')\n"

    def run(before: str) -> str:
        program.write_text(before + text)
        done = subprocess.run(
            [sys.executable, "-m", "pyk", program],
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "done\n"
        return done.stderr

    place = f"{program}:{HEAD.count(chr(10)) + 1}: KernelMistakeWarning"
    assert run("").startswith(place)
    off = (
        "import warnings\nfrom numba.cuda.errors import KernelMistakeWarning\n"
        "warnings.simplefilter('ignore', KernelMistakeWarning)\n"
    )
    assert run(off) == ""


# Launches.


LAUNCH = """\
import numpy as np
from numba import cuda

@cuda.jit
def k(a, n):
    i = cuda.grid(1)
    if i < n:
        a[i] = 1

@cuda.jit
def strided(a, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        a[i] = 1

n = 100
threads = 32
a = np.zeros(n)
{}
"""


@pytest.mark.parametrize(
    ("launch", "warns"),
    [
        ("k[n // threads, threads](a, n)", True),
        ("blocks = n // threads\nk[blocks, threads](a, n)", True),
        ("k[int(n / threads), threads](a, n)", True),
        ("k[(a.size // threads,), (threads,)](a, n)", True),
        ("k[(n + threads - 1) // threads, threads](a, n)", False),
        ("k[-(-n // threads), threads](a, n)", False),
        ("k[n // threads + 1, threads](a, n)", False),
        ("k[n // 25, 25](a, n)", False),
        ("k[3, threads](a, n)", False),
        ("strided[n // threads, threads](a, n)", False),
    ],
)
def test_blocks_that_are_rounded_down(
    launch: str, warns: bool, tmp_path: Path
) -> None:
    program = tmp_path / "program.py"
    program.write_text(LAUNCH.format(launch))
    done = subprocess.run(
        [sys.executable, "-m", "pyk", program],
        capture_output=True,
        text=True,
        check=True,
    )
    line = LAUNCH.count("\n") + launch.count("\n")
    message = (
        f"{program}:{line}: KernelMistakeWarning: '//' rounds down: 3 blocks "
        "of 32 threads are 96, and the last 4 of 100 elements have no thread; "
        "launch (n + threads - 1) // threads blocks, with 'if i < n' in the "
        "kernel\n"
    )
    assert done.stderr.startswith(message) if warns else done.stderr == ""


# Kernels that are right.


def kernels_of(file: Path) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The kernels and device functions in a file, and its text."""
    text = file.read_text(errors="replace")
    if "cuda" not in text:
        return
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(
            re.search(r"\bcuda\.(jit|reduce)\b|vectorize", ast.unparse(own))
            for own in node.decorator_list
        ):
            yield node, text


def value_of(node: ast.expr) -> object:
    """What a literal is; None, as everything else has no value here."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None


def mistakes_in(file: Path) -> Iterator[str]:
    for kernel, text in kernels_of(file):
        local = {
            node.id if isinstance(node, ast.Name) else node.arg
            for node in ast.walk(kernel)
            if isinstance(node, ast.arg)
            or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        }
        context = _mistakes.Context(
            _source.Source(kernel, str(file), 1, text, 0),
            local.__contains__,
            value_of,
        )
        asks = _mistakes.asks_for_none(ast.parse(text))
        for mistake in _mistakes.find(kernel, context):
            if not (mistake.is_of_none and asks):
                yield f"{kernel.name}: {mistake.message}"


#: Files with mistakes that are meant, as tests of what becomes of them.
MEANT = {
    "errors/test_errors_runtime.py",
    "language/test_frontend_names.py",
    "language/test_frontend_nodes.py",
}

#: Files that test barriers to which a part of the threads comes.
PARTED = {
    "threads/test_semantics_barriers.py",
    "threads/test_warps.py",
}


def test_right_kernels_have_none() -> None:
    count = 0
    for folder in ("examples", "test", "benchmarks"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            count += sum(1 for _ in kernels_of(file))
            name = file.relative_to(ROOT / folder).as_posix()
            name = name.removeprefix("python/")
            found = list(mistakes_in(file))
            if name in PARTED:
                assert len(found) == 1, file
                assert "may part the threads of a block" in found[0], file
            elif name not in MEANT:
                assert found == [], file
    assert count > 1000
