# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How files in MLIR are damaged by MLIR's own syntax: attributes and types.

The text is not parsed as a whole. Dictionaries of attributes are found by their
brackets, and types, shapes and integers by how they are spelled.
"""

import re
from typing import NamedTuple

#: Brackets that hold a value together. Arrows are no brackets.
CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
#: What a text is read by: strings, comments, arrows, and single characters.
LEXEME = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|->|>=|<=|.', re.DOTALL)
ENTRY = re.compile(r'\s*("[^"]*"|[A-Za-z_][\w.$]*)\s*(?:=(.*))?$', re.DOTALL)
INTEGER = re.compile(r"(?<![\w%^#.@!])-?\d+(?![\w.])")
#: A type of scalars, also as the element of a shape (`?xf32`).
SCALAR = re.compile(
    r"(?<![A-Za-wyz_.%@#!^])(?:[su]?i\d+|bf16|f16|f32|f64|index)\b"
)
SHAPE = re.compile(r"(?<=<)(?:(?:\?|\[?\d+\]?)x)+")
LAYOUT = re.compile(r", (?:c|f|any)>")
SPACE = re.compile(r"!llvm\.ptr(?:<\d+>)?")
#: An attribute or type of a dialect, the words in which name its cases.
OF_DIALECT = re.compile(r"[#!](?:pyk|py|simd|gpu|nvvm|llvm)\.\w+<[^{}\n]*?>")
WORD = re.compile(r"(?<![\w.!#%@])[a-z_]{2,}(?![\w.])")
#: Words between an operation's name and its operands: `x`, `add`, `slt`.
KEYWORD = re.compile(r"(?<= = )([a-z_]+\.\w+) ([a-z_]+)\b(?!\()")

INTEGERS = [0, 1, -1, 2, 3, 4, 7, 8, 16, 32, 33, 64, 100, 255, 256, 1024]
INTEGERS += [65536, 2**31 - 1, 2**31, -(2**31), 2**32, 2**32 + 1, 2**62]
INTEGERS += [2**63 - 1, -(2**63)]
VALUES = """
0 : i32|-1 : i32|1 : i32|3 : i32|1 : i64|0 : i64|-1 : i64|7 : index|1 : i1
9223372036854775807 : i64|"x"|""|unit|true|false|[]|[1, 2]|["x"]|{}|{a = 1}
array<i32>|array<i32: 0>|array<i32: 32>|array<i32: 32, 1, 1>|array<i32: 0, 1, 1>
array<i32: -4, 1, 1>|array<i64: 1, 8, 16>|array<i64: 0, 0, 0>|array<i1: true>
array<i64>|array<f32: 1.0>|dense<0> : tensor<2xi32>|dense<1.0> : vector<2xf32>
1.0 : f32|0.5 : f64|i32|f32|!llvm.ptr|@k|@nowhere|affine_map<(d0) -> (d0)>
#pyk.layout<c>|loc(unknown)|[0 : i32, "x"]|!pyk.array<?xf32, c>|index
""".strip().replace("\n", "|").split("|")  # fmt: skip
SCALARS = "i1 i8 i16 i32 i64 i128 f16 bf16 f32 f64 index si64 ui8 i33".split()
EXTENTS = ["?", "0", "1", "2", "3", "4", "8", "15", "16", "17", "64", "[4]"]
#: Attributes that passes read, as they may stand on any operation.
KNOWN = """
pyk.block_shape = array<i32: 32, 1, 1>|simd.lanes = 0 : i32
simd.lanes = 16 : i32|simd.lane_axis = 3 : i32
simd.tile = "x"|simd.tile = array<i64: 1, 1, 16>
pyk.nounwind|pyk.uniform|gpu.kernel|nvvm.kernel|pyk.exclusive|llvm.noalias
""".strip().replace("\n", "|").split("|")  # fmt: skip


class Entry(NamedTuple):
    """An attribute in a dictionary: where it is, and where its value is."""

    start: int
    end: int
    name: str
    #: Where the value begins; `end` for one that has none.
    value: int


def dictionaries(text):
    """The entries of each dictionary of attributes; [] for regions."""
    found, stack = [], []
    for match in LEXEME.finditer(text):
        lexeme, start = match[0], match.start()
        if lexeme in CLOSING:
            stack.append((lexeme, start, [start + 1]))
        elif stack and lexeme == CLOSING[stack[-1][0]]:
            bracket, _, commas = stack.pop()
            if bracket == "{":
                found.append(entries(text, [*commas, start + 1]))
        elif stack and lexeme == ",":
            stack[-1][2].append(start + 1)
        elif lexeme in (")", "]", "}") and any(
            lexeme == CLOSING[bracket] for bracket, _, _ in stack
        ):
            # A `<` or `>` that was no bracket.
            while lexeme != CLOSING[stack[-1][0]]:
                stack.pop()
            bracket, _, commas = stack.pop()
            if bracket == "{":
                found.append(entries(text, [*commas, start + 1]))
    return [entries for entries in found if entries]


def entries(text, starts):
    """The entries between commas, or [] if one is no entry."""
    found = []
    for start, after in zip(starts, starts[1:], strict=False):
        match = ENTRY.fullmatch(text[start : after - 1])
        if not match:
            return []
        value = start + match.start(2) if match[2] else after - 1
        found.append(Entry(start, after - 1, match[1].strip('"'), value))
    return found


class Damage:
    """One file on its way to be damaged; each method changes one thing.

    A method gives what it has done in a few words, or None if the file has
    nothing of the kind.
    """

    def __init__(self, text, source, donor):
        self.text, self.source, self.donor = text, source, donor

    def put(self, start, end, new):
        self.text = self.text[:start] + new + self.text[end:]

    def entry(self):
        """An attribute; those of our dialects first."""
        found = [e for group in dictionaries(self.text) for e in group]
        ours = [e for e in found if e.name.startswith(("pyk.", "simd.", "py."))]
        if ours and self.source.random() < 0.7:
            found = ours
        return self.source.choice(found) if found else None

    def drop(self):
        """Drops an attribute."""
        entry = self.entry()
        if not entry:
            return None
        start, end = entry.start, entry.end
        if self.text[end] == ",":
            end += 1
        elif self.text[start - 1] == ",":
            start -= 1
        self.put(start, end, "")
        return f"drop {entry.name}"

    def exchange_kind(self):
        """Gives an attribute a value of any kind."""
        entry = self.entry()
        if not entry:
            return None
        value = self.source.choice(VALUES)
        self.put(entry.start, entry.end, f"{entry.name} = {value}")
        return f"{entry.name} = {value}"

    def exchange_value(self):
        """Gives an attribute the value of another of this file or another."""
        entry = self.entry()
        other = self.source.choice([self.text, self.donor])
        found = [e for group in dictionaries(other) for e in group]
        found = [e for e in found if e.value < e.end]
        if not entry or not found:
            return None
        chosen = self.source.choice(found)
        value = other[chosen.value : chosen.end].strip()
        self.put(entry.start, entry.end, f"{entry.name} = {value}")
        return f"{entry.name} = {value[:60]}"

    def add(self):
        """Adds an attribute to a dictionary."""
        groups = dictionaries(self.text)
        if not groups:
            return None
        first = self.source.choice(groups)[0]
        donated = [
            self.donor[e.start : e.end].strip()
            for group in dictionaries(self.donor)
            for e in group
        ]
        new = self.source.choice([*KNOWN, *donated])
        self.put(first.start, first.start, f"{new}, ")
        return f"add {new[:60]}"

    def integer(self):
        """Replaces an integer of an attribute, or any."""
        found = list(INTEGER.finditer(self.text))
        if not found:
            return None
        entry, name = self.entry(), "an integer"
        if entry and self.source.random() < 0.6:
            own = [m for m in found if entry.start <= m.start() < entry.end]
            found, name = (own, entry.name) if own else (found, name)
        chosen = self.source.choice(found)
        number = self.source.choice(INTEGERS)
        self.put(*chosen.span(), str(number))
        return f"{name}: {chosen[0]} -> {number}"

    def count(self):
        """Makes a list of integers shorter or longer."""
        found = list(re.finditer(r"array<i\d+: ([^>]*)>", self.text))
        if not found:
            return None
        chosen = self.source.choice(found)
        items = chosen[1].split(", ")
        if self.source.random() < 0.5:
            items.pop(self.source.randrange(len(items)))
        else:
            items.append(str(self.source.choice(INTEGERS)))
        new = ", ".join(items)
        start = chosen.start(1) if items else chosen.start(1) - 2
        self.put(start, chosen.end(1), new)
        return f"{chosen[0]} -> {new}"

    def everywhere(self, pattern, make):
        """Replaces one spelling once, on one line, or in the whole file."""
        found = list(pattern.finditer(self.text))
        if not found:
            return None
        chosen = self.source.choice(found)
        old, new = chosen[0], make(chosen[0])
        reach = self.source.choice(["once", "line", "file"])
        start, end = chosen.span()
        if reach == "line":
            start = self.text.rfind("\n", 0, start) + 1
            end = self.text.find("\n", end) % (len(self.text) + 1)
        elif reach == "file":
            start, end = 0, len(self.text)
        part = self.text[start:end]
        part = pattern.sub(lambda m: new if m[0] == old else m[0], part)
        self.put(start, end, part)
        return f"{old.strip()} -> {new.strip()} ({reach})"

    def scalar(self):
        """Widens or narrows a type, or takes one of another kind."""
        return self.everywhere(SCALAR, lambda old: self.source.choice(SCALARS))

    def shape(self):
        """Changes extents or the rank of an array or a vector."""

        def changed(old):
            items = old.split("x")[:-1]
            form = self.source.randrange(3)
            place = self.source.randrange(len(items))
            extent = self.source.choice(EXTENTS)
            if form == 0:
                items[place] = extent
            elif form == 1:
                items.insert(place, extent)
            else:
                items.pop(place)
            return "".join(f"{item}x" for item in items)

        return self.everywhere(SHAPE, changed)

    def layout(self):
        return self.everywhere(
            LAYOUT, lambda old: f", {self.source.choice(['c', 'f', 'any'])}>"
        )

    def space(self):
        """Another address space."""
        spaces = ["", "<0>", "<1>", "<3>", "<4>", "<5>", "<7>"]
        return self.everywhere(
            SPACE, lambda old: "!llvm.ptr" + self.source.choice(spaces)
        )

    def word(self):
        """Another case in an attribute or a type of a dialect."""
        found = list(OF_DIALECT.finditer(self.text))
        words = {w for m in found for w in WORD.findall(m[0])}
        found = [m for m in found if WORD.search(m[0])]
        if not found:
            return None
        chosen = self.source.choice(found)
        old = self.source.choice(list(WORD.finditer(chosen[0])))
        new = self.source.choice(sorted(words))
        start = chosen.start() + old.start()
        self.put(start, start + len(old[0]), new)
        return f"{chosen[0][:60]}: {old[0]} -> {new}"

    def keyword(self):
        """Another case of an operation."""
        found = list(KEYWORD.finditer(self.text))
        if not found:
            return None
        chosen = self.source.choice(found)
        new = self.source.choice(found)[2]
        self.put(chosen.start(2), chosen.end(2), new)
        return f"{chosen[1]}: {chosen[2]} -> {new}"


#: The methods of `Damage`, and how often each is used.
FORMS = {
    "drop": 3,
    "exchange_kind": 5,
    "exchange_value": 3,
    "add": 3,
    "integer": 5,
    "count": 1,
    "scalar": 5,
    "shape": 3,
    "layout": 1,
    "space": 1,
    "word": 2,
    "keyword": 1,
}


def damage(text, source, donor):
    """(the damaged text, what was done to it, the forms of damage)."""
    damaged, done = Damage(text, source, donor), {}
    for _ in range(source.choice([1, 1, 1, 2])):
        (form,) = source.choices(list(FORMS), FORMS.values())
        what = getattr(damaged, form)()
        if what:
            done[what] = form
    return damaged.text, "; ".join(done), set(done.values())
