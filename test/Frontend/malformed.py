# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints damaged ast buffers, one on each line; malformed-nodes.test runs it.

Each has its message above it.
"""

import json

AT = [1, 0, 1, 1]
ONE = {"k": "const", "at": AT, "value": {"t": "int", "v": "1"}}
NAME = {"k": "name", "at": AT, "id": "x"}
STARRED = {"k": "starred", "at": AT, "value": NAME}


def unit(**keys):
    """A buffer with a kernel without parameters."""
    kernel = {"name": "k", "file": "f.py", "parameters": [], "body": []}
    kernel |= keys
    return {
        "version": 2,
        "entries": [{"function": "k", "arguments": []}],
        "functions": {"k": kernel},
    }


def entry(**keys):
    """A buffer with a kernel without parameters and these keys of its entry."""
    return unit() | {"entries": [{"function": "k", "arguments": []} | keys]}


def statement(kind, **keys):
    """A kernel of one statement."""
    return unit(body=[{"k": kind, "at": AT, **keys}])


def expression(kind, **keys):
    """A kernel that evaluates one expression."""
    return statement("expr", value={"k": kind, "at": AT, **keys})


def constant(kind, **keys):
    """A kernel that mentions one VALUE."""
    return expression("const", value={"t": kind, **keys})


BUFFERS = [
    # CHECK: expects the type of an array and an address but got 'si64' and '7'
    constant("device_array", type="si64", address="7"),
    # CHECK: but got '!pyk.array<3xsi64, c>' and '-7'
    constant("device_array", type="!pyk.array<3xsi64, c>", address="-7"),
    # CHECK: expects an array of static shape in global memory
    # CHECK-SAME: but got '!pyk.array<?xsi64, c>'
    constant("device_array", type="!pyk.array<?xsi64, c>", address="7"),
    # CHECK: expects 1 strides for '!pyk.array<3xsi64, any>' but got 0
    constant("device_array", type="!pyk.array<3xsi64, any>", address="7"),
    # The unit and its functions.
    # CHECK: malformed ast buffer: expects a list as 'entries'
    unit() | {"entries": {}},
    # CHECK: malformed ast buffer: expects an object at least in 'entries'
    unit() | {"entries": []},
    # CHECK: malformed ast buffer: expects objects in 'entries'
    unit() | {"entries": ["k"]},
    # CHECK: malformed ast buffer: expects a string as 'function'
    entry(function=1),
    # CHECK: expects one to three numbers above 0 as 'launch_bounds'
    entry(launch_bounds=128),
    # CHECK: expects one to three numbers above 0 as 'launch_bounds'
    entry(launch_bounds=[]),
    # CHECK: expects one to three numbers above 0 as 'launch_bounds'
    entry(launch_bounds=[128, 0]),
    # CHECK: expects one to three numbers above 0 as 'launch_bounds'
    entry(launch_bounds=[2**31]),
    # CHECK: expects one to three numbers above 0 as 'launch_bounds'
    entry(launch_bounds=[1, 2, 3, 4]),
    # CHECK: malformed ast buffer: expects a list as 'arguments'
    entry(arguments={}),
    # CHECK: malformed ast buffer: expects a type as argument but got ''
    entry(arguments=[1]),
    # CHECK: malformed ast buffer: expects a type as argument but got 'si64 x'
    entry(arguments=["si64 x"]),
    # CHECK: malformed ast buffer: expects a type as argument but got 'i32'
    entry(arguments=["i32"]),
    # CHECK: malformed ast buffer: expects a type as argument but got 'index'
    entry(arguments=["index"]),
    # CHECK: malformed ast buffer: expects an object as 'functions'
    unit() | {"functions": []},
    # CHECK: malformed ast buffer: expects an object as 'k'
    unit() | {"functions": {"k": 1}},
    # CHECK: expects 'c' or 'numba' as 'abi' of 'foreign', a 'name' and 'poi
    unit(foreign={"abi": "d", "name": "f", "pointees": []}),
    # CHECK: expects 'returns', and 'pointees' for all parameters, of what is
    unit(foreign={"abi": "c", "name": "f", "pointees": []}),
    # CHECK: expects 'returns', and 'pointees' for all parameters, of what is
    unit(
        foreign={"abi": "c", "name": "f", "pointees": ["f32"]}, returns="none"
    ),
    # CHECK: malformed ast buffer: expects a number as 'address' of 'foreign'
    unit(
        foreign={"abi": "c", "name": "f", "pointees": [], "address": "x"},
        returns="none",
    ),
    # CHECK: malformed ast buffer: expects objects in 'parameters'
    unit(parameters=["x"]),
    # CHECK: malformed ast buffer: expects a string as 'name'
    unit(parameters=[{}]),
    # CHECK: malformed ast buffer: expects different names in 'parameters'
    unit(parameters=[{"name": "x"}, {"name": "x"}]),
    # CHECK: malformed ast buffer: expects an object as 'default'
    unit(parameters=[{"name": "x", "default": 1}]),
    # CHECK: kernel 'k' takes 1 argument but 0 were given
    unit(parameters=[{"name": "x"}]),
    # CHECK: 'py.func' op expects parameters for 1 captures but got 0
    unit(captures=1),
    # CHECK: 'py.func' op expects parameters for -1 captures but got 0
    unit(captures=-1),
    # CHECK: 'py.func' op expects parameters for 0 captures but got 0
    unit(variadic=True),
    # Statements.
    # CHECK: malformed ast buffer: expects objects as statements
    unit(body=["pass"]),
    # CHECK: malformed ast buffer: expects a string as 'k'
    statement(7),
    # CHECK: malformed ast buffer: does not know the statement 'goto'
    statement("goto"),
    # CHECK: malformed ast buffer: expects an object as 'value'
    statement("expr"),
    # CHECK: malformed ast buffer: expects a list as 'targets'
    statement("assign", value=ONE),
    # CHECK: malformed ast buffer: expects objects in 'targets'
    statement("assign", targets=["x"], value=ONE),
    # CHECK: malformed ast buffer: cannot assign to 'const'
    statement("assign", targets=[ONE], value=ONE),
    # CHECK: malformed ast buffer: expects objects in 'items'
    statement("assign", targets=[{"k": "tuple", "items": ["x"]}], value=ONE),
    # CHECK: malformed ast buffer: expects at most one starred target
    statement(
        "assign",
        targets=[
            {"k": "tuple", "items": 2 * [{"k": "starred", "value": NAME}]}
        ],
        value=ONE,
    ),
    # CHECK: malformed ast buffer: does not know the operator '**='
    statement("augassign", target=NAME, op="**=", value=ONE),
    # CHECK: malformed ast buffer: expects a list as 'orelse'
    statement("if", test=ONE, body=[]),
    # CHECK: malformed ast buffer: expects a list as 'body'
    statement("while", test=ONE, orelse=[]),
    # CHECK: malformed ast buffer: expects an object as 'iter'
    statement("for", target=NAME, body=[], orelse=[]),
    # CHECK: malformed ast buffer: expects 'break' within a loop
    statement("break"),
    # CHECK: malformed ast buffer: expects 'continue' within a loop
    statement("if", test=ONE, body=[{"k": "continue"}], orelse=[]),
    # CHECK: malformed ast buffer: expects a string as 'error'
    statement("raise", exception=0),
    # CHECK: malformed ast buffer: expects a number as 'exception'
    statement("raise", error="ValueError", exception=-1),
    # CHECK: malformed ast buffer: expects a string as 'what'
    statement("unsupported"),
    # CHECK: malformed ast buffer: expects a string as 'remedy'
    statement("unsupported", what="x", remedy=1),
    # Expressions.
    # CHECK: malformed ast buffer: does not know the expression 'goto'
    expression("goto"),
    # CHECK: malformed ast buffer: does not know the operator '++'
    expression("binop", first=ONE, rest=[{"at": AT, "op": "++", "right": ONE}]),
    # CHECK: malformed ast buffer: expects objects in 'rest'
    expression("binop", first=ONE, rest=[1]),
    # CHECK: malformed ast buffer: does not know the operator '!'
    expression("unary", op="!", operand=ONE),
    # CHECK: malformed ast buffer: does not know the operator 'xor'
    expression("boolop", op="xor", values=[ONE, ONE]),
    # CHECK: malformed ast buffer: expects expressions in 'values'
    expression("boolop", op="or", values=[ONE, 1]),
    # CHECK: malformed ast buffer: expects as many 'ops' as 'comparators'
    expression("compare", left=ONE, ops=["<"], comparators=[]),
    # CHECK: malformed ast buffer: expects comparisons in 'ops'
    expression("compare", left=ONE, ops=["<", "<>"], comparators=[ONE, ONE]),
    # CHECK: malformed ast buffer: expects expressions in 'args'
    expression("call", func=ONE, args=[1]),
    # CHECK: malformed ast buffer: expects a list as 'keywords'
    expression("call", func=ONE, args=[], keywords={}),
    # CHECK: malformed ast buffer: expects objects in 'keywords'
    expression("call", func=ONE, args=[], keywords=[1]),
    # CHECK: malformed ast buffer: expects a string as 'function'
    expression("closure", defaults=[]),
    # CHECK: malformed ast buffer: expects a list as 'defaults'
    expression("closure", function="k"),
    # CHECK: malformed ast buffer: expects expressions in 'items'
    expression("tuple", items=[1]),
    # Values.
    # CHECK: malformed ast buffer: expects a string as 't'
    constant(1),
    # CHECK: malformed ast buffer: expects a float as 're' but got ''
    constant("complex"),
    # CHECK: malformed ast buffer: expects an integer but got '1.5'
    constant("int", v="1.5"),
    # CHECK: malformed ast buffer: expects a float but got 'x'
    constant("float", v="x"),
    # CHECK: malformed ast buffer: expects a float but got ''
    constant("scalar", dtype="float32"),
    # CHECK: malformed ast buffer: expects a type of elements but got '!py.zip'
    constant("dtype", name="!py.zip"),
    # CHECK: malformed ast buffer: expects values in 'items'
    constant("tuple", items=[1]),
    # CHECK: malformed ast buffer: expects as many 'fields' as 'items'
    constant("namedtuple", name="P", fields=["x"], items=[]),
    # CHECK: malformed ast buffer: expects a value as 'value'
    constant("enum", name="E", value=1),
    # CHECK: malformed ast buffer: expects a number, text or a tuple as 'value'
    constant("enum", name="E", value={"t": "none"}),
    # CHECK: malformed ast buffer: expects base64 as 'v'
    constant("bytes", v="?"),
    # CHECK: malformed ast buffer: expects extents in 'shape'
    constant("array", dtype="int8", shape=[-1], data=""),
    # CHECK: malformed ast buffer: expects at most 32 extents in 'shape'
    constant("array", dtype="int8", shape=[1] * 33, data="AA=="),
    # CHECK: malformed ast buffer: expects base64 as 'data'
    constant("array", dtype="int8", shape=[1], data="?"),
    # CHECK: malformed ast buffer: expects 8 bytes as 'data' but got 1
    constant("array", dtype="int64", shape=[1], data="AA=="),
    # What follows an exit is dead, but it is read no further either.
    # CHECK: unknown
    unit(body=[{"k": "return"}, {"k": "goto"}]),
]

for buffer in BUFFERS:
    print(json.dumps(buffer))
