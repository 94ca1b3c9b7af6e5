# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints an ast buffer whose kernel is nested: `nest.py KIND DEPTH`."""

import sys

kind, depth = sys.argv[1], int(sys.argv[2])
ONE = '{"k":"const","value":{"t":"int","v":"1"}}'
LESS = ['"<"']
NAME = '{"k":"name","id":"x"}'


def nested(opening, inner, closing):
    return opening * depth + inner + closing * depth


def evaluate(expression):
    return f'{{"k":"expr","value":{expression}}}'


BODIES = {
    "unary": lambda: evaluate(
        nested('{"k":"unary","op":"-","operand":', ONE, "}")
    ),
    "call": lambda: evaluate(
        nested(f'{{"k":"call","func":{ONE},"args":[', ONE, "]}")
    ),
    "and": lambda: evaluate(
        f'{{"k":"boolop","op":"and","values":[{",".join([ONE] * depth)}]}}'
    ),
    "compare": lambda: evaluate(
        f'{{"k":"compare","left":{ONE},'
        f'"ops":[{",".join(LESS * depth)}],'
        f'"comparators":[{",".join([ONE] * depth)}]}}'
    ),
    "if": lambda: nested(
        f'{{"k":"if","test":{ONE},"orelse":[],"body":[', "", "]}"
    ),
    "elif": lambda: nested(
        f'{{"k":"if","test":{NAME},"body":[],"orelse":[', "", "]}"
    ),
    "while": lambda: nested(
        f'{{"k":"while","test":{NAME},"orelse":[],"body":[', "", "]}"
    ),
    "target": lambda: (
        f'{{"k":"assign","value":{ONE},"targets":['
        + nested('{"k":"tuple","items":[', NAME, "]}")
        + "]}"
    ),
}
print(
    '{"version":2,"entries":[{"function":"k","arguments":["si64"]}],'
    '"functions":{"k":{"name":"k","file":"f.py","parameters":[{"name":"x"}],'
    f'"body":[{BODIES[kind]()}]}}}}}}'
)
