# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the front end share: buffers, as Python objects."""

import json

from pyk._frontend._build import build


def buffer(kernel, *arguments):
    """The ast buffer of a kernel for arguments of the given types."""
    return json.loads(build(kernel, arguments))


def entry(unit):
    """The key of the only function of a buffer that is launched."""
    (kernel,) = unit["entries"]
    return kernel["function"]


def function(kernel):
    """The FUNCTION of a kernel."""
    unit = buffer(kernel)
    return unit["functions"][entry(unit)]


def body(kernel):
    """The statements of a kernel."""
    return function(kernel)["body"]


def bare(node):
    """A node without places, for tests that are not about them."""
    if isinstance(node, dict):
        return {key: bare(item) for key, item in node.items() if key != "at"}
    if isinstance(node, list):
        return [bare(item) for item in node]
    return node


def value(kernel):
    """The VALUE that the first statement of a kernel assigns."""
    return body(kernel)[0]["value"]["value"]


def text_at(kernel, node):
    """The source text that a node on one line says it covers."""
    source = function(kernel)
    line, column, end_line, end_column = node["at"]
    assert line == end_line
    text = source["source"].splitlines()[line - source["line"]]
    return text.encode()[column:end_column].decode()


def name(identifier):
    """A `name` node without its place."""
    return {"k": "name", "id": identifier}


def integer(number):
    """A `const` node of an int literal without its place."""
    return {"k": "const", "value": {"t": "int", "v": str(number)}}
