# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the peer makes of array[index]: writes views.json.

    python views.py

Every index of up to three items out of seven, on arrays of up to three
dimensions and of each layout, and some attributes and methods. An expression
that the peer refuses has null.
"""

import itertools
import json
import pathlib
import warnings

import peer

FILE = pathlib.Path(__file__).with_name("views.json")
ITEMS = ["1", "b", ":", "1:", "::2", "...", "None"]
OTHERS = """
a.T a.T.T a.transpose() a.transpose(0) a.transpose(1,0) a.transpose((0,1))
a.transpose(2,0,1) a.real a.reshape(4) a.reshape(-1) a.reshape(2,-1)
a.reshape((2,3,4)) a.reshape(2.5) a.strides a.shape a.size a.itemsize a.nbytes
a.flat[0] a.item() a[0:1:None] a[None:None] a[1.5:] a[True:] a[True] a[1.5]
a[b][b] a[1:][1:] a[1:].T[b] a[b,...].T a[()] a[0,0,0,0] a[...,...] a[b:c] a[a]
a.shape[1:] a.shape[:-1] a.shape[::-1] a[c]
""".split()


def expressions():
    """Indices, and what else there is."""
    for count in (1, 2, 3):
        for items in itertools.product(ITEMS, repeat=count):
            yield f"a[{','.join(items)}]"
    yield from OTHERS


def source(expression):
    """A function that returns it; an array alone cannot be returned."""
    return f"def f(a, b, c):\n    return ({expression}, 1)\n"


def main():
    """Ask and write."""
    warnings.simplefilter("ignore")
    answers = {}
    for rank, layout in itertools.product(range(4), "CFA"):
        array = f"array(float32, {rank}, {layout})"
        answers[array] = {
            text: peer.infer_source(source(text), [array, "int64", "uint8"])[0]
            for text in expressions()
        }
        print(array, len(answers[array]))
    lines = [
        f'"{array}": ' + json.dumps(given, separators=(",", ":"))
        for array, given in answers.items()
    ]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
