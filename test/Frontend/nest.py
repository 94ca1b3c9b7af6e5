# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints an ast buffer whose kernel is nested as deep as is asked for."""

import sys

DEPTH = int(sys.argv[2])
ONE = '{"k":"const","value":{"t":"int","v":"1"}}'
if sys.argv[1] == "expression":
    opening = '{"k":"unary","op":"-","operand":'
    body = f'{{"k":"expr","value":{opening * DEPTH}{ONE}{"}" * DEPTH}}}'
else:
    opening = f'{{"k":"if","test":{ONE},"orelse":[],"body":['
    body = opening * DEPTH + "]}" * DEPTH
print(
    '{"version":1,"kernel":"k","arguments":[],"functions":{"k":{"name":"k",'
    f'"file":"f.py","parameters":[],"body":[{body}]}}}}}}'
)
