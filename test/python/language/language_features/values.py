# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tuples, records, types of numbers, and what is refused."""

from .rows import SLOW_ERROR, TAKEN, Feature, refused, rows

VALUES = "Tuples, enums, strings and None"
RECORDS = "Records"
TYPES = "Types of numbers"
NOT_PYTHON = "What kernels cannot have"

FEATURES = [
    *rows(
        VALUES,
        ("tuple index", "t = (1, 2.5, 3)\nout[0] = t[1] + t[-1]"),
        ("run-time index", "t = (1, 2, 3)\nout[0] = t[i[0]]"),
        (
            "tuple slice, `+`, `==`",
            "t = (1, 2, 3)[1:] + (4,)\nout[0] = t[2]\nout[1] = (1, 2) == (1, 2)",
        ),
        ("nested tuple", "t = ((1, 2), 3)\nout[0] = t[0][1]"),
        ("`for` over a tuple", "for x in (1, 2, 3):\n    out[0] += x"),
        (
            "`literal_unroll` of several types",
            "for x in literal_unroll((2, 0.5, f)):\n"
            "    out[0] += x if isinstance(x, (int, float)) else x[1]",
        ),
        (
            "`literal_unroll` within another",
            "for x in literal_unroll((2, 0.5)):\n"
            "    for y in literal_unroll((1, f)):\n"
            "        out[0] += x if isinstance(y, int) else x * y[1]",
            "refuses it",
        ),
        (
            "`enumerate`, `zip` of `literal_unroll`",
            "for n, x in enumerate(literal_unroll((2, 0.5))):\n    out[n] = x",
            "refuses it",
        ),
        (
            "index from `literal_unroll`",
            "t = (2, f[0], i)\nfor n in literal_unroll((0, 1)):\n"
            "    out[0] += t[n]\nfor n in literal_unroll(range(2)):\n"
            "    out[1] += t[n]",
            "refuses the range",
        ),
        (
            "tuples of functions",
            "t = (add, math.sqrt)\nout[0] = t[0](f[1])\n"
            "for g in literal_unroll(t):\n    out[1] = g(out[1])",
        ),
        (
            "`for` over a tuple of several types",
            "for x in (2, 0.5, f[1]):\n    out[0] += x",
            "refuses it",
        ),
        ("`IntEnum`", "out[0] = Color.BLUE + 1\nout[1] = i[1] == Color.BLUE"),
        (
            "`*` and `+` of literals",
            "t = (0,) * 2 + (i[2],)\nout[0] = t[2] + len(t)\n"
            "out[1] = NAME == 'bl' + 'u' * 1 + 'e'\nout[2] = NAME == f'blue'",
        ),
        (
            "truth of strings and tuples",
            "s = ''\nout[0] = 1 if s else 2\nout[1] = bool('x') + bool((0,))\n"
            "out[2] = not s",
        ),
        ("string comparison", "if NAME == 'blue':\n    out[0] = 1"),
        (
            "string as an argument",
            "def pick(name, x):\n    return x * 2 if name == 'twice' else x\nout[0] = pick('twice', f[1])",
        ),
        (
            "string as a dtype",
            "a = cuda.local.array(2, 'float32')\na[0] = 3\nout[0] = a[0]",
        ),
        (
            "strings that differ by path",
            "s = 'a' if i[0] > 0 else 'bc'\nout[0] = s == 'a'\nout[1] = s in ('bc', 'q')\n"
            "out[2] = s < 'b'\nout[3] = len(s)\nout[4] = 'c' in s\nout[5] = bool(s)",
        ),
        (
            "strings from functions",
            "def name(n):\n    if n > 1:\n        return 'many'\n    return 'one'\n"
            "out[0] = name(i[0]) == 'one'\nout[1] = len(name(i[1]))",
        ),
        (
            "`for` over strings, run-time index",
            "names = ('a', 'bb', 'a')\nfor s in names:\n    out[0] += s == 'a'\n"
            "out[1] = names[i[0]] == 'bb'",
        ),
        (
            "characters of strings",
            "s = 'abc' if i[0] > 0 else 'd'\nout[0] = s[i[0]] == 'b'\nout[1] = s[-1] == 'c'",
            "lacks it",
        ),
        (
            "`len`, `ord` of strings",
            "s = 'a' if i[0] > 0 else 'b'\nout[0] = len(NAME)\nout[1] = ord('x')\nout[2] = ord(s)",
        ),
        (
            "bytes",
            "b = b'blue' if i[0] > 0 else b'red'\nout[0] = b == b'blue'\nout[1] = b[0]\n"
            "for c in b'ab':\n    out[2] += c\nout[3] = len(b'abc') + b'abc'[i[1]]",
        ),
        (
            "`find`, `index`, `isascii`",
            "s = 'abcab' if i[0] > 0 else 'b'\nout[0] = s.find('b')\nout[1] = s.rfind('ab')\n"
            "out[2] = s.find('x')\nout[3] = s.index('c') + s.rindex('c')\nout[4] = s.isascii()\n"
            "out[5] = s.find('')\nout[6] = s.rfind('')\nout[7] = 'é'.isascii()",
        ),
        (
            "`str` of a str, `bytes` of bytes",
            "s = 'a' if i[0] > 0 else 'b'\nout[0] = str(s) == 'a'\nout[1] = bytes(b'a') == b'a'",
            "lacks it",
        ),
        (
            "strings beside other values",
            "out[0] = 'a' == 5\nout[1] = b'a' == 'a'\nout[2] = NAME != 1.5",
        ),
        ("`None`", "x = None\nif x is None:\n    out[0] = 1"),
        (
            "namedtuple",
            "p = Point(f[0], y=f[1])\nx, y = p\nout[0] = p.x - y + p[1]",
        ),
        (
            "`Enum`",
            "out[0] = Shade.DARK.value\nout[1] = Shade.DARK == Shade.LIGHT\nout[2] = Shade.DARK is Shade['DARK']",
        ),
        (
            "`Enum` of strings",
            "tone = Tone.LOW if i[0] > 1 else Tone.HIGH\nout[0] = tone == Tone.HIGH\n"
            "out[1] = tone is Tone.LOW\nout[2] = tone.value == 'high'\n"
            "for t in (Tone.LOW, Tone.HIGH):\n    out[3] += t == tone\nout[4] = tone == 'high'",
        ),
        (
            "`Enum` that is `str`",
            "key = Key.UP if i[0] > 0 else Key.DOWN\nout[0] = key == 'up'\nout[1] = len(key)\n"
            "out[2] = key is Key.UP",
        ),
        (
            "perhaps `None`",
            "x = half(f[2])\nif x is not None:\n    out[0] = x\ny = half(f[0])\nif y is None:\n    out[1] = 1",
        ),
    ),
    *rows(
        RECORDS,
        (
            "field",
            "r = cuda.local.array(2, pair)\nr[0].x = 2.5\nr[0].n = 3\nout[0] = r[0].x + r[0].n",
            "",
            (5.5,),
        ),
        (
            "field by name",
            "r = cuda.local.array(2, pair)\nr[1]['x'] = 2.5\nout[0] = r[1]['x']",
            "",
            (2.5,),
        ),
        (
            "record is a reference",
            "r = cuda.local.array(2, pair)\ns = r[1]\ns.x = 4\nout[0] = r[1].x",
            "",
            (4.0,),
        ),
        (
            "copy of a record",
            "r = cuda.local.array(2, pair)\nr[0].x = 1\nr[0].n = 2\nr[1] = r[0]\nr[0].x = 5\nout[0] = r[1].x",
            "",
            (1.0,),
        ),
        (
            "text in fields",
            "r = cuda.local.array(2, named)\nr[0].name = b'ab'\nr[1].text = 'xyz'\nr[1].name = r[0].name\n"
            "out[0] = r[1].name == b'ab'\nout[1] = len(r[1]['text'])\nout[2] = r[1].text < 'xz'\n"
            "out[3] = r[0].name[0]",
            "",
            (1, 3, 1, 97),
        ),
        (
            "fields of an array",
            "r = cuda.local.array(2, pair)\nr[0].x = 1\nr[1].x = 2\nout[0] = row_sum(r.x)",
            "",
            (3.0,),
        ),
    ),
    *[
        Feature(
            TYPES,
            f"`{name}`",
            f"a = cuda.local.array(1, np.{name})\na[0] = 3\n"
            f"out[0] = a[0] * np.{name}(2)",
        )
        for name in (
            "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 "
            "float64"
        ).split()
    ],
    Feature(
        TYPES,
        "`bfloat16`",
        "a = cuda.local.array(1, cuda.bfloat16)\na[0] = 3\n"
        "out[0] = a[0] * cuda.bfloat16(2)",
        expected=(6,),
    ),
    Feature(
        TYPES,
        "`cuda.bf16`",
        "out[0] = cuda.bf16.hfma(f[1], f[2], 0.125)",
        expected=(3.875,),
    ),
    *rows(
        TYPES,
        (
            "`-x`, `~x` in the width of `x`",
            "a = cuda.local.array(1, np.uint32)\na[0] = 1\n"
            "out[0] = ~a[0]\nout[1] = (~a[0]) >> 4",
        ),
        ("`.item()`", "out[0] = f[0].item()"),
        (
            "`.view` of a number",
            "out[0] = f[1].view(np.int64)\nout[1] = np.float32(1.5).view('u4')\n"
            "out[2] = np.uint32(0x7F000000).view(np.float32)",
        ),
        (
            "`is` of two types",
            "x = float(i[0])\nout[0] = i[0] is x\nout[1] = i[0] is not x\n"
            "out[2] = (i[0], 1) is (x, 1)",
        ),
        (
            "`S`, `U`",
            "a = cuda.local.array(2, np.dtype('S3'))\na[0] = b'ab'\na[1] = b'abcd'\n"
            "out[0] = a[0] < a[1]\nout[1] = len(a[1])\nout[2] = WORDS[i[0]] == 'two'\n"
            "out[3] = 'one' == WORDS[0]",
            "as arguments, fields and globals only",
            (1, 3, 1, 1),
        ),
        (
            "`bool`",
            "a = cuda.local.array(1, np.bool_)\na[0] = i[0] > 0\nout[0] = a[0]",
        ),
        (
            "`complex64`",
            "a = cuda.local.array(1, np.complex64)\na[0] = 1 + 2j\nout[0] = a[0].imag",
        ),
        (
            "`complex128`",
            "a = cuda.local.array(1, np.complex128)\na[0] = 1 + 2j\nout[0] = abs(a[0] * a[0])",
        ),
        (
            "`datetime64`",
            "day = np.datetime64('2005-02', 'D') + np.timedelta64(3, 'D')\n"
            "gap = day - np.datetime64('2005-01')\n"
            "out[0] = gap == np.timedelta64(816, 'h')\n"
            "out[1] = np.isnat(day)",
            "constants as globals only",
        ),
        (
            "`timedelta64`",
            "span = np.timedelta64(36, 'h') * i[1]\n"
            "out[0] = span / np.timedelta64(1, 'D')\n"
            "out[1] = np.int64(span)",
            "constants as globals only",
        ),
        ("power of integers", "out[0] = i[2] ** 3", "through float64"),
        (
            "int64 with uint64",
            "out[0] = i[3] < np.uint64(2**63)",
            "through float64",
        ),
    ),
    *refused(
        NOT_PYTHON,
        (
            "`try`",
            "try:\n    out[0] = 1\nexcept ValueError:\n    pass",
            "'try' statement",
            SLOW_ERROR,
        ),
        ("`with`", "with f:\n    pass", "'with' statement", SLOW_ERROR),
        ("list", "a = [1, 2]", "list", "only with its run-time memory"),
        ("dict", "a = {1: 2}", "dict", SLOW_ERROR),
        ("set", "a = {1, 2}", "set", SLOW_ERROR),
        ("comprehension", "a = [x for x in f]", "comprehension", SLOW_ERROR),
        (
            "generator expression",
            "a = sum(x for x in f)",
            "generator",
            SLOW_ERROR,
        ),
        ("f-string", "a = f'{f[0]}'", "f-string", ""),
        ("class", "class A:\n    pass", "class", ""),
        ("`global`", "global SCALE\nSCALE = 4", "global", ""),
        ("`del`", "x = 1\ndel x", "del", ""),
        ("`import`", "import os", "import", ""),
        ("`yield`", "yield 1", "yield", SLOW_ERROR),
        (
            "loops over strings",
            "for c in NAME:\n    out[0] += 1",
            "to iterate over but got str",
            "",
        ),
        (
            "slices of strings",
            "out[0] = NAME[1:] == 'lue'",
            "expects an integer as index of str",
            "",
        ),
        (
            "strings made in a kernel",
            "s = 'a' if i[0] > 0 else 'b'\nout[0] = s + 'x' == 'ax'",
            "operator '+' cannot take str[1] and str",
            "",
        ),
        (
            "`isupper`, `isalpha` and the like",
            "s = 'a' if i[0] > 0 else 'b'\nout[0] = s.isupper()",
            "str[1] has no attribute 'isupper'",
            TAKEN,
        ),
        (
            "texts that end in NUL, by path",
            "s = 'a\\0' if i[0] > 0 else 'b'\nout[0] = len(s)",
            "cannot unify str and str",
            TAKEN,
        ),
        ("array arithmetic", "a = f + f", "operator '+' cannot take", ""),
    ),
]
