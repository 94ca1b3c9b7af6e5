# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each construct of Python as the node that the ast buffer has for it."""

import sys
import textwrap

import pytest

from buffers import bare, body, buffer, integer, name
from pyk import cuda


def test_assignment_to_several_targets():
    @cuda.jit
    def k(a, b):
        a[0] = b = 1

    assert bare(body(k)) == [
        {
            "k": "assign",
            "targets": [
                {"k": "subscript", "value": name("a"), "index": integer(0)},
                name("b"),
            ],
            "value": integer(1),
        }
    ]


def test_annotated_assignment_is_an_assignment():
    @cuda.jit
    def k(a):
        x: int = 1
        y: float

    assert bare(body(k)) == [
        {"k": "assign", "targets": [name("x")], "value": integer(1)}
    ]


def test_unpacking_has_a_tuple_target():
    @cuda.jit
    def k(a, b):
        a, [b, a] = b, (a, b)

    target = {
        "k": "tuple",
        "items": [
            name("a"),
            {"k": "tuple", "items": [name("b"), name("a")]},
        ],
    }
    assert bare(body(k)[0]["targets"]) == [target]


OPERATORS = "+ - * / // % ** << >> & | ^ @".split()
COMPARISONS = "== != < <= > >= is is-not in not-in".split()


@pytest.fixture
def kernel_of(tmp_path, monkeypatch):
    """Makes a kernel from the text of its body."""

    def make(text):
        path = tmp_path / "kernel.py"
        path.write_text(
            "def k(a, b, c):\n" + textwrap.indent(textwrap.dedent(text), "    ")
        )
        scope = {}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        return cuda.jit(scope["k"])

    return make


@pytest.mark.parametrize("operator", OPERATORS)
def test_binary_operator(kernel_of, operator):
    k = kernel_of(f"a = b {operator} c\na {operator}= b")
    assign, augmented = bare(body(k))
    assert assign["value"] == {
        "k": "binop",
        "first": name("b"),
        "rest": [{"op": operator, "right": name("c")}],
    }
    assert augmented == {
        "k": "augassign",
        "target": name("a"),
        "op": operator,
        "value": name("b"),
    }


@pytest.mark.parametrize("operator", ["+", "-", "~", "not"])
def test_unary_operator(kernel_of, operator):
    k = kernel_of(f"a = {operator} b")
    assert bare(body(k)[0]["value"]) == {
        "k": "unary",
        "op": operator,
        "operand": name("b"),
    }


@pytest.mark.parametrize("operator", COMPARISONS)
def test_comparison(kernel_of, operator):
    k = kernel_of(f"a = b {operator.replace('-', ' ')} c < 1")
    assert bare(body(k)[0]["value"]) == {
        "k": "compare",
        "left": name("b"),
        "ops": [operator, "<"],
        "comparators": [name("c"), integer(1)],
    }


def test_boolean_operator_keeps_all_values():
    @cuda.jit
    def k(a, b):
        return a and b and 1 or b

    assert bare(body(k)[0]["value"]) == {
        "k": "boolop",
        "op": "or",
        "values": [
            {
                "k": "boolop",
                "op": "and",
                "values": [name("a"), name("b"), integer(1)],
            },
            name("b"),
        ],
    }


def test_control_flow():
    @cuda.jit
    def k(a, n):
        if n:
            pass
        elif a:
            return
        while n:
            break
        else:
            continue_ = 1
        for i in n:
            continue

    branch, loop, each = bare(body(k))
    assert branch == {
        "k": "if",
        "test": name("n"),
        "body": [{"k": "pass"}],
        "orelse": [
            {
                "k": "if",
                "test": name("a"),
                "body": [{"k": "return", "value": None}],
                "orelse": [],
            }
        ],
    }
    assert loop["k"] == "while"
    assert loop["body"] == [{"k": "break"}]
    assert loop["orelse"][0]["targets"] == [name("continue_")]
    assert each == {
        "k": "for",
        "target": name("i"),
        "iter": name("n"),
        "body": [{"k": "continue"}],
        "orelse": [],
    }


def test_calls_have_positional_and_keyword_arguments():
    @cuda.jit
    def k(a):
        a(1, ndim=2)

    assert bare(body(k)) == [
        {
            "k": "expr",
            "value": {
                "k": "call",
                "func": name("a"),
                "args": [integer(1)],
                "keywords": [{"name": "ndim", "value": integer(2)}],
            },
        }
    ]


def test_subscripts_and_slices():
    @cuda.jit
    def k(a, n):
        return a[1:n, ..., ::2]

    assert bare(body(k)[0]["value"]) == {
        "k": "subscript",
        "value": name("a"),
        "index": {
            "k": "tuple",
            "items": [
                {
                    "k": "slice",
                    "lower": integer(1),
                    "upper": name("n"),
                    "step": None,
                },
                {"k": "const", "value": {"t": "ellipsis"}},
                {
                    "k": "slice",
                    "lower": None,
                    "upper": None,
                    "step": integer(2),
                },
            ],
        },
    }


def test_attribute_of_a_local_value():
    @cuda.jit
    def k(a):
        return a.shape.x

    assert bare(body(k)[0]["value"]) == {
        "k": "attribute",
        "attr": "x",
        "value": {"k": "attribute", "attr": "shape", "value": name("a")},
    }


def test_conditional_and_named_expressions():
    @cuda.jit
    def k(a, b):
        return (c := a) if b else c

    assert bare(body(k)[0]["value"]) == {
        "k": "ifexp",
        "test": name("b"),
        "body": {
            "k": "namedexpr",
            "target": name("c"),
            "value": name("a"),
        },
        "orelse": name("c"),
    }


def test_docstring_is_left_out():
    @cuda.jit
    def k(a):
        """Says something."""
        return

    assert bare(body(k)) == [{"k": "return", "value": None}]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("None", {"t": "none"}),
        ("...", {"t": "ellipsis"}),
        ("True", {"t": "bool", "v": True}),
        ("7", {"t": "int", "v": "7"}),
        ("1 << 3", {"t": "int", "v": "8"}),
        ("2 ** -1", {"t": "float", "v": (0.5).hex()}),
        ("-9223372036854775808", {"t": "int", "v": str(-(2**63))}),
        ("2 ** 64", {"t": "int", "v": str(2**64)}),
        ("2 ** 65", {"t": "int", "v": str(2**65)}),
        ("(-3) ** 41", {"t": "int", "v": str((-3) ** 41)}),
        ("1 << 200", {"t": "int", "v": str(1 << 200)}),
        ("1.0 / 2**1023", {"t": "float", "v": (2.0**-1023).hex()}),
        ("2**70 % 1000", {"t": "int", "v": "424"}),
        ("2**70 >> 60", {"t": "int", "v": "1024"}),
        ("(-1) ** 10**9", {"t": "int", "v": "1"}),
        ("0 << 10**9", {"t": "int", "v": "0"}),
        ("9 ** 9 ** 9", {"t": "object", "type": "int of more than 64 bits"}),
        ("9 << 9**9", {"t": "object", "type": "int of more than 64 bits"}),
        ("1 // 0", None),
        (str(2**70), {"t": "int", "v": str(2**70)}),
        ("0.1", {"t": "float", "v": (0.1).hex()}),
        ("1e999", {"t": "float", "v": "inf"}),
        ("'é'", {"t": "str", "v": "é"}),
        ("1 - 2j", {"t": "complex", "re": (1.0).hex(), "im": (-2.0).hex()}),
        ("b'x'", {"t": "bytes", "v": "eA=="}),
        (
            hex(1 << 40000),
            {"t": "object", "type": "int of more than 64 bits"},
        ),
    ],
)
def test_literal(kernel_of, text, value):
    node = body(kernel_of(f"a = {text}"))[0]["value"]
    if value is None:
        assert node["k"] == "binop"
    else:
        assert bare(node) == {"k": "const", "value": value}


UNSUPPORTED = [
    ("try:\n  pass\nfinally:\n  pass", "a 'try' statement"),
    ("with a:\n  pass", "a 'with' statement"),
    ("import math", "an 'import' statement"),
    ("from math import pi", "an 'import' statement"),
    ("global g", "a 'global' statement"),
    ("del a", "a 'del' statement"),
    ("raise a", "a 'raise' of anything but an exception class"),
    ("async def f(): pass", "an 'async' function"),
    ("@c\ndef f(): pass", "a decorator of a nested function"),
    ("class C: pass", "a class definition"),
]
UNSUPPORTED_EXPRESSIONS = [
    ("lambda *, x: x", "a nested function with a keyword-only parameter"),
    ("[1, a]", "a list"),
    ("{1, a}", "a set"),
    ("{1: a}", "a dict"),
    ("[x for x in a]", "a list comprehension"),
    ("{x for x in a}", "a set comprehension"),
    ("{x: x for x in a}", "a dict comprehension"),
    ("(x for x in a)", "a generator expression"),
    ("f'{a}'", "an f-string"),
    ("a(**b)", "a call with a '**' argument"),
    ("(yield a)", "a 'yield' expression"),
    ("(yield from a)", "a 'yield from' expression"),
]
if sys.version_info >= (3, 12):
    UNSUPPORTED.append(("type T = int", "a 'type' statement"))


@pytest.mark.parametrize(("text", "what"), UNSUPPORTED)
def test_unsupported_statement(kernel_of, text, what):
    k = kernel_of(text)
    [node] = bare(body(k))
    assert (node["k"], node["what"]) == ("unsupported", what)


@pytest.mark.parametrize(("text", "what"), UNSUPPORTED_EXPRESSIONS)
def test_unsupported_expression(kernel_of, text, what):
    k = kernel_of(f"a = {text}")
    node = body(k)[0]["value"]
    assert (node["k"], node["what"]) == ("unsupported", what)


def test_a_remedy_says_what_to_write_instead(kernel_of):
    [node] = bare(body(kernel_of("import math")))
    assert node["remedy"] == "import it above the function"


def test_starred_parts(kernel_of):
    k = kernel_of("a, *b = c\na(*b, 1)\n(0, *a)")
    assign, call, display = bare(body(k))
    starred = {"k": "starred", "value": name("b")}
    assert assign["targets"][0]["items"] == [name("a"), starred]
    assert call["value"]["args"] == [starred, integer(1)]
    assert display["value"]["items"] == [
        integer(0),
        {"k": "starred", "value": name("a")},
    ]


def test_nested_functions(kernel_of):
    k = kernel_of(
        """
        def f(x, y=1, *z):
            return x + a + (lambda: b)()
        c = lambda x=a: x
        """
    )
    unit = buffer(k)
    first, second = bare(unit["functions"]["k"]["body"])
    assert first == {
        "k": "assign",
        "targets": [name("f")],
        "value": {"k": "closure", "function": "f", "defaults": []},
    }
    assert second["value"]["defaults"] == [name("a")]
    f = unit["functions"]["f"]
    assert f["parameters"] == [
        {"name": "x", "default": None},
        {"name": "y", "default": {"t": "int", "v": "1"}},
        {"name": "z"},
        {"name": "a"},
        {"name": "b"},
    ]
    assert (f["captures"], f["variadic"], f["device"]) == (2, True, True)
    inner = unit["functions"]["lambda"]
    assert (inner["parameters"], inner["captures"]) == ([{"name": "b"}], 1)


def test_match_is_made_of_ifs(kernel_of):
    k = kernel_of(
        """
        match a:
            case 1 | 2: b = 1
            case c if c: pass
        """
    )
    [whole] = bare(body(k))
    subject = name("$match1")
    assign, first = whole["body"]
    assert assign == {
        "k": "assign",
        "targets": [subject],
        "value": name("a"),
    }
    compare = {"k": "compare", "left": subject, "ops": ["=="]}
    assert first["test"]["values"] == [
        compare | {"comparators": [integer(number)]} for number in (1, 2)
    ]
    capture, second = first["orelse"]
    assert capture["targets"] == [name("c")] and capture["value"] == subject
    assert second["test"] == name("c") and second["orelse"] == []


def test_assignment_to_what_is_not_local(kernel_of):
    k = kernel_of("global g\ng = 1\nint.x = 2")
    assert bare(body(k))[1]["targets"] == [
        {
            "k": "unsupported",
            "what": "an assignment to 'g', which is not local,",
        }
    ]
    assert bare(body(k))[2]["targets"] == [
        {
            "k": "unsupported",
            "what": "an assignment to 'int.x', which is not local,",
        }
    ]
