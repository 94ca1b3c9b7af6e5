# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays and fields of NumPy's `S` and `U`, and strings by path."""

import enum
import operator

import numpy as np
import pytest

from pyk import CompileError, cuda, types

WORDS = ["", "a", "ab", "abc", "abe", "b", "é", "\U0001f600", "z\0y"]
TEXTS = np.array(WORDS)
BYTES = np.array([word.encode() for word in WORDS])
EMPTY = np.zeros(3, "U2")
TRIPLE = ("one", "two", "three")


class Shade(enum.Enum):
    DARK = "dark"
    LIGHT = "light"


class Key(str, enum.Enum):
    UP = "up"
    DOWN = "down"


# ===-------------------------------------------------------------------===
# Comparisons.
# ===-------------------------------------------------------------------===


def compare(x, y, out):
    out[0] = x == y
    out[1] = x != y
    out[2] = x < y
    out[3] = x <= y
    out[4] = x > y
    out[5] = x >= y


OPERATORS = [getattr(operator, name) for name in "eq ne lt le gt ge".split()]


@pytest.mark.parametrize("array", [TEXTS, BYTES], ids=["U", "S"])
def test_all_pairs(array):
    own = cuda.jit(device=True)(compare)

    @cuda.jit
    def k(a, b, out):
        i, j = cuda.grid(2)
        if i < a.size and j < b.size:
            own(a[i], b[j], out[i, j])

    other = array.astype(f"{array.dtype.kind}{array.dtype.itemsize + 2}")
    out = np.zeros((array.size, array.size, 6), bool)
    for b in (array, other):
        k[(1, 1), (16, 16)](array, b, out)
        for i, x in enumerate(array):
            for j, y in enumerate(array):
                assert out[i, j].tolist() == [o(x, y) for o in OPERATORS]


@pytest.mark.parametrize(
    ("array", "literal"),
    [(TEXTS, word) for word in [*WORDS, "abcdefghijk", "ab\0"]]
    + [(BYTES, word.encode()) for word in [*WORDS, "abcdefghijk", "ab\0"]],
)
def test_literals(array, literal):
    own = cuda.jit(device=True)(compare)

    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            own(a[i], literal, out[i])
            own(literal, a[i], out[i + a.size])

    out = np.zeros((2 * array.size, 6), bool)
    k[1, 32](array, out)
    for i, x in enumerate(array):
        x = x.item()
        assert out[i].tolist() == [o(x, literal) for o in OPERATORS]
        assert out[i + array.size].tolist() == [
            o(literal, x) for o in OPERATORS
        ]


def test_two_kinds():
    @cuda.jit
    def k(s, u, out):
        out[0] = s[1] == u[1]
        out[1] = s[1] != u[1]
        out[2] = s[1] == "a"
        out[3] = u[1] == b"a"
        out[4] = u[1] == 5
        out[5] = u[1] != (1, 2)
        out[6] = u[1] == None  # noqa: E711

    out = np.zeros(7, bool)
    k[1, 1](BYTES, TEXTS, out)
    assert out.tolist() == [False, True, False, False, False, True, False]


def test_parts_of_strings():
    @cuda.jit
    def k(u, out):
        i, j = cuda.grid(2)
        if i < u.size and j < u.size:
            out[i, j] = u[i] in u[j]

    out = np.zeros((len(WORDS), len(WORDS)), bool)
    k[(1, 1), (16, 16)](TEXTS, out)
    assert out.tolist() == [[x in y for y in WORDS] for x in WORDS]


def test_search():
    @cuda.jit
    def k(a, parts, out):
        i, j = cuda.grid(2)
        if i < a.size and j < parts.size:
            out[i, j, 0] = a[i].find(parts[j])
            out[i, j, 1] = a[i].rfind(parts[j])
            out[i, j, 2] = a[i].isascii()

    words = ["", "a", "abab", "baab", "bab\u00e9"]
    for encode in (str, str.encode):
        a = np.array([encode(word) for word in words])
        parts = np.array([encode(word) for word in ("", "a", "ab", "b", "aba")])
        out = np.zeros((a.size, parts.size, 3), int)
        k[(1, 1), (16, 16)](a, parts, out)
        for i, x in enumerate(a):
            for j, y in enumerate(parts):
                found = [x.find(y), x.rfind(y), x.isascii()]
                assert out[i, j].tolist() == found


def test_index_that_finds_nothing():
    @cuda.jit(debug=True, opt=False)
    def k(u, out):
        out[0] = u[3].index("c")
        out[1] = u[3].rindex("d")

    out = np.zeros(2, int)
    with pytest.raises(ValueError, match="substring not found"):
        k[1, 1](TEXTS, out)
    assert out[0] == 2


# ===-------------------------------------------------------------------===
# Characters.
# ===-------------------------------------------------------------------===


@pytest.mark.parametrize("array", [TEXTS, BYTES], ids=["U", "S"])
def test_length_and_truth(array):
    @cuda.jit
    def k(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = len(a[i])
            out[i, 1] = bool(a[i])
            out[i, 2] = not a[i]
            if a[i]:
                out[i, 3] = 1

    out = np.zeros((array.size, 4), int)
    k[1, 16](array, out)
    for found, x in zip(out, array, strict=True):
        assert found.tolist() == [len(x), bool(x), not x, bool(x)]


def test_characters():
    @cuda.jit
    def k(s, u, out):
        for i in range(len(s[3])):
            out[i] = s[3][i]
        out[3] = s[3][-1]
        out[4] = ord(u[7])
        out[5] = ord(u[3][2])
        out[6] = u[3][1] == "b"

    out = np.zeros(7, np.uint32)
    k[1, 1](BYTES, TEXTS, out)
    assert out.tolist() == [97, 98, 99, 99, 0x1F600, 99, 1]


def test_index_out_of_range():
    @cuda.jit(debug=True, opt=False)
    def k(s, i, out):
        out[0] = s[3][i]
        out[1] = ord(s[i])

    out = np.zeros(2, int)
    with pytest.raises(IndexError, match="index 3 is out of range for a text"):
        k[1, 1](BYTES, 3, out)
    with pytest.raises(TypeError, match=r"ord\(\) expected a character"):
        k[1, 1](BYTES, 2, out)
    k[1, 1](BYTES, 1, out)
    assert out.tolist() == [98, 97]


# ===-------------------------------------------------------------------===
# Stores.
# ===-------------------------------------------------------------------===


@pytest.mark.parametrize("kind", ["S", "U"])
def test_stores(kind):
    def own(text):
        return text.encode() if kind == "S" else text

    long, short, none = own("wxyz"), own("q"), own("")

    @cuda.jit
    def k(a, b):
        a[0] = long
        a[1] = short
        a[2] = none
        a[3] = b[0]
        b[1] = a[0]
        a[4:] = b[1:]
        b[2:] = short
        b[0] = short if a.size > 3 else long

    a = np.full(6, own("---"), f"{kind}3")
    b = np.array([own("abcdef"), own("g"), own("h")])
    k[1, 1](a, b)
    assert a.tolist() == list(map(own, ["wxy", "q", "", "abc", "wxy", "h"]))
    assert b.tolist() == list(map(own, ["q", "wxy", "q"]))
    cuda.jit(lambda a: a.fill(short))[1, 1](a)
    assert a.tolist() == [short] * 6


def test_a_value_is_no_view():
    @cuda.jit
    def k(u, out):
        text = u[0]
        u[0] = "new"
        out[0] = text == "old"

    u = np.array(["old"])
    out = np.zeros(1, bool)
    k[1, 1](u, out)
    assert out[0] and u[0] == "new"


def test_other_layouts():
    @cuda.jit
    def k(a, b):
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                b[i, j] = a[i, j]

    a = np.array([["a", "bcd", "ef"], ["é", "", "g"]])
    for source in (a, a.T, a[::-1, ::2], np.asfortranarray(a)):
        target = np.zeros(source.shape, "U4")
        k[1, 1](source, target)
        assert target.tolist() == source.tolist()


def test_text_at_odd_places():
    dtype = np.dtype([("k", "u1"), ("text", "U3"), ("name", "S5")])

    @cuda.jit
    def k(r, texts, out):
        i = cuda.grid(1)
        if i < r.size:
            out[i] = (r[i].text == "abc") + 2 * (texts[i] == r[i].text)
            r[i].text = "x"
            r[i].name = b"name"

    r = np.array([(1, "abc", b""), (2, "d", b"")], dtype)
    texts = np.array(["abc", "e"], "U3")
    out = np.zeros(2, int)
    shifted = np.zeros(texts.nbytes + 1, "u1")[1:].view(texts.dtype)
    shifted[:] = texts
    for own in (texts, shifted):
        r["text"] = ["abc", "d"]
        k[1, 2](r, own, out)
        assert out.tolist() == [3, 0]
    assert r.tolist() == [(1, "x", b"name"), (2, "x", b"name")]


# ===-------------------------------------------------------------------===
# Where text may stand.
# ===-------------------------------------------------------------------===


def test_device_arrays_globals_and_memory():
    shared = types.UnicodeCharSeq(3)

    @cuda.jit
    def k(u, out):
        s = cuda.shared.array(4, shared)
        c = cuda.const.array_like(TEXTS)
        i = cuda.threadIdx.x
        s[i] = u[i]
        cuda.syncthreads()
        out[i] = (s[3 - i] == TEXTS[3 - i]) + 2 * (c[i] == u[i])
        if EMPTY[i % 3]:
            out[i] = 0

    u = cuda.to_device(TEXTS)
    out = cuda.to_device(np.zeros(4, int))
    k[1, 4](u, out)
    assert out.copy_to_host().tolist() == [3, 3, 3, 3]
    assert u.copy_to_host().tolist() == TEXTS.tolist()


def test_fields_in_arrays_of_records():
    dtype = np.dtype(
        [("name", "S4"), ("tags", "U2", 3), ("in", [("text", "U3")])]
    )

    @cuda.jit
    def k(r, out):
        out[0] = r.name[1] == b"name"
        out[1] = r[0]["tags"][1] == "b"
        r[1].tags[2] = "zz"
        r[1].tags[0] = r[0].tags[1]
        out[2] = len(r[0]["in"].text)
        r[0] = r[1]
        for tag in r[1].tags:
            out[3] += len(tag)

    r = np.zeros(2, dtype)
    r["name"] = b"name"
    r["tags"] = ["a", "b", "c"]
    r["in"]["text"] = "abc"
    out = np.zeros(4, int)
    k[1, 1](r, out)
    assert out.tolist() == [1, 1, 3, 4]
    assert r[0]["tags"].tolist() == ["b", "b", "zz"]
    assert (r[0]["name"], r[0]["in"]["text"]) == (b"name", "abc")


def test_types_are_told_apart():
    """Lengths and kinds: each has a specialization of its own."""

    @cuda.jit
    def k(a, out):
        out[0] = a.itemsize

    out = np.zeros(1, int)
    for _ in range(2):
        for dtype in ("S3", "S4", "U3", "U1"):
            k[1, 1](np.zeros(2, dtype), out)
            assert out[0] == np.dtype(dtype).itemsize


def test_declared_types():
    @cuda.jit("void(UnicodeCharSeq(3)[:], int64[:])")
    def k(u, out):
        out[0] = u[0] == "abc"

    out = np.zeros(1, int)
    k[1, 1](np.array(["abc"]), out)
    assert out[0] == 1
    with pytest.raises(TypeError, match="is declared for"):
        k[1, 1](np.array(["abcd"]), out)
    assert types.from_dtype("S2") == types.CharSeq(2)
    with pytest.raises(ValueError, match="expects a count from 1 to 256"):
        types.CharSeq(0)


def test_iteration():
    @cuda.jit
    def k(s, u, out):
        for i, (a, b) in enumerate(zip(s, u)):
            out[i] = len(a) + 10 * len(b)
        for text in np.nditer(u):
            out[9] += len(text[()])
        first, second = u[:2]
        out[10] = first == "" and second == "a"

    out = np.zeros(11, int)
    k[1, 1](BYTES, TEXTS, out)
    lengths = [len(s) + 10 * len(u) for s, u in zip(BYTES, TEXTS, strict=True)]
    assert out.tolist() == [*lengths, sum(map(len, WORDS)), 1]


def test_view():
    @cuda.jit
    def k(u, out):
        codes = u.view(np.uint32)
        for i in range(codes.size):
            out[i] = codes[i]

    u = np.array(["ab", "c"])
    out = np.zeros(4, np.uint32)
    k[1, 1](u, out)
    assert out.tolist() == [97, 98, 99, 0]


# ===-------------------------------------------------------------------===
# Strings that differ by path.
# ===-------------------------------------------------------------------===


def test_functions_that_take_and_return_strings():
    @cuda.jit(device=True)
    def name(n):
        if n > 2:
            return None
        return TRIPLE[n]

    @cuda.jit(device=True)
    def count(text):
        return 0 if text is None else len(text)

    @cuda.jit
    def k(out):
        i = cuda.grid(1)
        text = name(i)
        out[i] = count(text) + 10 * (text == "two") + 100 * count("known")

    out = np.zeros(4, int)
    k[1, 4](out)
    assert out.tolist() == [503, 513, 505, 500]


def test_members_with_text():
    @cuda.jit(device=True)
    def is_dark(shade):
        return shade == Shade.DARK

    @cuda.jit
    def k(n, out):
        shade = Shade.DARK if n > 0 else Shade.LIGHT
        pairs = ((Shade.LIGHT, 1), (Shade.DARK, 2))
        out[0] = is_dark(shade)
        out[1] = shade is Shade.LIGHT
        out[2] = shade.value == "dark"
        out[3] = shade == "dark"
        out[4] = pairs[n][0] == shade
        key = Key.UP if n > 0 else Key.DOWN
        out[5] = key == "up"
        out[6] = len(key)
        text = key if n > 0 else "other"
        out[7] = text == "up"

    out = np.zeros(8, int)
    k[1, 1](1, out)
    assert out.tolist() == [1, 0, 1, 0, 1, 1, 2, 1]
    k[1, 1](0, out)
    assert out.tolist() == [0, 1, 0, 0, 1, 0, 4, 0]


def test_loop_that_grows_a_string():
    @cuda.jit
    def k(n, out):
        text = "a"
        i = 0
        while i < n:
            if text == "a":
                text = "bb"
            elif text == "bb":
                text = "ccc"
            i += 1
        out[0] = len(text)
        match text:
            case "a":
                out[1] = 1
            case "ccc":
                out[1] = 3

    out = np.zeros(2, int)
    k[1, 1](2, out)
    assert out.tolist() == [3, 3]
    k[1, 1](0, out)
    assert out.tolist() == [1, 1]


def test_bytes_that_are_known():
    data = bytes(range(200, 256))

    @cuda.jit
    def k(out):
        i = cuda.grid(1)
        if i < len(data):
            out[i] = data[i]
        if i == 0:
            for byte in data:
                out[len(data)] += byte

    out = np.zeros(57, int)
    k[1, 64](out)
    assert out.tolist() == [*data, sum(data)]


def test_text_is_no_argument():
    """A scalar of NumPy is none either."""
    kernel = cuda.jit(lambda text, out: None)
    for text in ("abc", np.str_("abc"), Shade.DARK):
        with pytest.raises((NotImplementedError, ValueError), match="'text'"):
            kernel[1, 1](text, np.zeros(1))


def test_empty_text_has_no_room():
    dtype = np.dtype([("none", "S0"), ("x", "f4")])

    @cuda.jit
    def k(r, out):
        out[0] = r[0].none == b""

    with pytest.raises(CompileError, match="is of a kind that a kernel"):
        k[1, 1](np.zeros(1, dtype), np.zeros(1))


def test_characters_beyond_the_second_plane():
    word = "\U00020bb7\U0010ffff"

    @cuda.jit
    def k(u, out):
        out[0] = ord(word[0])
        out[1] = ord("\U0010ffff")
        out[2] = "\U00020000" == "\U00010000"
        out[3] = u[0] == word
        u[1] = word

    u, out = np.array([word, ""]), np.zeros(4, int)
    k[1, 1](u, out)
    assert out.tolist() == [0x20BB7, 0x10FFFF, 0, 1]
    assert u[1] == word


def test_half_of_a_surrogate_pair():
    half = "\ud800"

    @cuda.jit
    def k(out):
        out[0] = half == "a"

    with pytest.raises(CompileError, match="str with a lone surrogate"):
        k[1, 1](np.zeros(1))


@pytest.mark.long
def test_searches_of_long_text():
    @cuda.jit
    def contains(u, v, out):
        out[0] = v[0] in u[0]

    @cuda.jit
    def find(u, v, out):
        out[0] = u[0].find(v[0])

    out = np.zeros(1, int)
    long = np.array(["x" * 200])
    short = np.array(["y" * 20])
    contains[1, 1](long, short, out)
    find[1, 1](long, short, out)
    assert out[0] == -1
    with pytest.raises(CompileError, match="4096 at most"):
        contains[1, 1](long, long, out)
    with pytest.raises(CompileError, match="'find' cannot look for"):
        find[1, 1](long, long, out)


def test_text_that_is_too_long():
    @cuda.jit
    def k(u):
        u[0] = "a"

    with pytest.raises(ValueError, match="dtype <U257"):
        k[1, 1](np.array(["a" * 257]))
