# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records, namedtuples, members of enums, and what is perhaps None."""

import numpy as np

from ..classes import Color, Point, Shape
from .library import CLASSES
from .values import CASTS, CLASS, SIGNED, TYPES, nasty

#: Variables for the members of each enum, and its members.
ENUMS = {"e": Color, "d": Shape}
#: Variables that may be None, by the class of what they are else.
OPTIONAL = {"s": "o", "f": "w"}


class Objects:
    """The part of a writer that knows more than numbers and arrays."""

    # Numbers out of objects.

    def number_of_object(self, kind):
        """A number out of an object in reach, or None."""
        texts = []
        if kind in OPTIONAL:
            place = "sf".index(kind)
            for name in sorted(self.variables("q")):
                texts += [f"{name}.{kind}", f"{name}[{place}]"]
            for name in sorted(self.variables(OPTIONAL[kind])):
                if name in self.present:
                    texts += [f"({name} + 0)", f"(-{name})"]
                else:
                    other = f"else {self.leaf(kind)})"
                    texts.append(f"({name} + 1 if {name} is not None {other}")
                    texts.append(f"(0 if {name} is None else {name} * 2)")
        texts += [path for path, k in self.fields if k == kind]
        if kind == "s":
            texts.append(self.number_of_enum())
        if kind == "b":
            texts.append(self.truth_of_enum())
            for name in 8 * sorted(self.variables("p")):
                other = f"({self.leaf('s')}, {name}[1])"
                other = self.pick(other, *sorted(self.variables("p")))
                texts.append(f"({name} {self.pick('==', '!=')} {other})")
        return self.pick(*texts) if texts else None

    def member(self, letter):
        owner = ENUMS[letter]
        names = sorted(self.variables(letter)) + self.members[letter]
        if names and self.chance(0.6):
            return self.pick(*names)
        return f"{owner.__name__}.{self.pick(*owner).name}"

    def number_of_enum(self):
        """An operator on a member of an `IntEnum`, or its number."""
        member = self.member("e")
        operator = self.pick(*"+-*&|^%")
        number = self.leaf("s")
        return self.pick(
            f"({member} {operator} {number})",
            f"({number} {operator} {member})",
            f"(-{member})",
            f"{CASTS[self.pick(*SIGNED)]}({member})",
            f"{self.member(self.pick('e', 'd'))}.value",
        )

    def truth_of_enum(self):
        """A comparison of members."""
        letter = self.pick("e", "d")
        operator = self.pick("==", "!=", "is", "is not")
        if letter == "e" and self.chance(0.4):
            other = f"({self.leaf('s')})"
            return f"({self.member('e')} {self.pick('==', '<', '>=')} {other})"
        return f"({self.member(letter)} {operator} {self.member(letter)})"

    # Statements.

    def enumerator(self, depth):
        """A variable that holds one of two members."""
        letter = self.pick("e", "d")
        a, b = self.member(letter), self.member(letter)
        name = self.target(letter)
        condition = self.expression("b", 1)
        self.emit(depth, f"{name} = {a} if {condition} else {b}")
        self.defined.add(name)

    def point(self, depth):
        """A namedtuple, or numbers out of one."""
        names = sorted(self.variables("q"))
        if names and self.chance(0.3):
            a, b = self.target("s"), self.target("f")
            self.emit(depth, f"{a}, {b} = {self.pick(*names)}")
            self.defined |= {a, b}
            return
        a, b = self.expression("s", 1), self.expression("f", 1)
        text = self.pick(f"Point({a}, {b})", f"Point(f={b}, s={a})")
        if names and self.chance(0.4):
            condition = self.expression("b", 1)
            text = f"{text} if {condition} else {self.pick(*names)}"
        name = self.target("q")
        self.emit(depth, f"{name} = {text}")
        self.defined.add(name)

    def optional(self, depth):
        """A variable that is a number on one path and None on the other."""
        kind = self.pick("s", "f")
        name = self.target(OPTIONAL[kind])
        functions = [f for f in self.functions if f.returns == name[0]]
        if functions and self.chance(0.8):
            if name not in self.present:
                call = self.call(self.pick(*functions), 1)
                self.emit(depth, f"{name} = {call}")
                self.defined.add(name)
            return
        if name in self.present:
            self.emit(depth, f"{name} = {self.expression(kind)}")
            return
        texts = ["None", self.expression(kind)]
        self.random.shuffle(texts)
        self.emit(depth, f"{name} = {texts[0]}")
        self.emit(depth, f"if {self.expression('b')}:")
        self.emit(depth + 1, f"{name} = {texts[1]}")
        self.defined.add(name)

    def unless_none(self, depth, nesting, in_loop):
        """A branch that knows that a variable is a number."""
        names = [
            n for k in OPTIONAL.values() for n in sorted(self.variables(k))
        ]
        names = [n for n in names if n not in self.present]
        if not names:
            self.optional(depth)
            return
        name = self.pick(*names)
        before, arrays = set(self.defined), dict(self.arrays)
        outer = self.present
        self.emit(depth, f"if {name} is not None:")
        self.present = outer | {name}
        kind = "s" if name[0] == "o" else "f"
        self.emit(depth + 1, f"{self.target(kind)} = {name} - 1")
        self.suite(depth + 1, nesting + 1, in_loop)
        self.present = outer
        self.defined, self.arrays = before, arrays

    def given_or_none(self, depth, nesting, in_loop):
        """A branch on whether an argument is None; one way is pruned."""
        if not self.nones:
            self.compute(depth)
            return
        name, kind = self.pick(*self.nones)
        before, arrays = set(self.defined), dict(self.arrays)
        self.emit(depth, f"if {name} is {self.pick('', 'not ')}None:")
        is_none = self.lines[-1].endswith("is None:")
        for way in (is_none, not is_none):
            self.defined, self.arrays = set(before), dict(arrays)
            leaves = list(self.leaves[kind])
            if not way:
                self.leaves[kind].append(name)
                number = self.target(kind)
                self.emit(depth + 1, f"{number} = {name}")
                self.defined.add(number)
            self.suite(depth + 1, nesting + 1, in_loop)
            self.leaves[kind] = leaves
            if way is is_none:
                self.emit(depth, "else:")
        self.defined, self.arrays = before, arrays

    def field_store(self, depth):
        """Into a field of the thread's own record, or the whole record."""
        if not self.own_fields:
            self.compute(depth)
            return
        if self.chance(0.15):
            other = self.position("given", 0, 3)
            self.emit(depth, f"{self.own_record} = given[{other}]")
            return
        path, kind = self.pick(*self.own_fields)
        value = self.expression(
            self.pick(*("sufbccc" if kind == "c" else "sufb")), 2
        )
        operator = self.pick("", "", "+", "-", "*") if kind != "b" else ""
        self.emit(depth, f"{path} {operator}= {value}")

    def update_own(self, depth):
        """An atomic operation on shared memory of the thread's own."""
        kind = self.counted
        if not kind:
            self.compute(depth)
            return
        _, shape = self.own["shared"]
        index = ", ".join(self.indices("shared", shape))
        index = f"({index})" if len(shape) > 1 else index
        names = ["add", "sub", "max", "min", "and_", "or_", "xor", "exch"]
        names += ["cas", "cas", "exch"]
        names += 6 * ["inc", "dec"] if kind[0] == "u" else []
        name = self.pick(*names)
        count = 2 if name == "cas" else 1
        values = [
            f"{CASTS[kind]}({self.expression(CLASS[kind], 1)})"
            for _ in range(count)
        ]
        text = f"cuda.atomic.{name}(shared, {index}, {', '.join(values)})"
        if self.chance(0.5):
            target = self.target(CLASS[kind])
            text = f"{target} = {text}"
            self.defined.add(target)
        self.emit(depth, text)

    # Loops.

    def loop_over_several(self, depth):
        """The head of a loop over indices, or over several arrays."""
        flat = [n for n, (_, shape) in self.arrays.items() if len(shape) == 1]
        form = self.pick(*2 * ["ndindex", "zip"], "ndenumerate", "enumerate")
        if form == "ndindex" or not self.arrays:
            names = ["s0", "s1", "s2"][: self.pick(1, 2, 2, 3)]
            extents = [
                self.pick(f"{self.expression('s', 1)} % 3", "2", "1")
                for _ in names
            ]
            target = ", ".join(names) + ("," if len(names) == 1 else "")
            text = f"np.ndindex({', '.join(extents)})"
        elif form == "ndenumerate" or not flat:
            array = self.pick(*self.arrays)
            kind, shape = self.arrays[array]
            names = ["s0", "s1", "s2"][: len(shape)]
            inner = ", ".join(names) + ("," if len(names) == 1 else "")
            names.append(f"{kind}9" if kind == "s" else self.target(kind))
            target, text = f"({inner}), {names[-1]}", f"np.ndenumerate({array})"
        elif form == "enumerate":
            array = self.pick(*flat)
            names = ["s0", f"{self.arrays[array][0]}1"]
            start = self.pick("", "", f", {self.expression('s', 1)}")
            target, text = ", ".join(names), f"enumerate({array}{start})"
        else:
            a, b = self.pick(*flat), self.pick(*flat)
            names = [f"{self.arrays[a][0]}0", f"{self.arrays[b][0]}1"]
            target, text = ", ".join(names), f"zip({a}, {b})"
        self.emit(depth, f"for {target} in {text}:")
        self.defined |= set(names)

    # What a program has to begin with.

    def define_record(self):
        """A type of records: fields of any types, one of them a record."""
        kinds = [self.pick(*TYPES) for _ in range(self.pick(2, 3))]
        inner = [self.pick(*TYPES) for _ in range(self.pick(1, 2))]
        names = [(f"{CLASS[k]}{n}", k) for n, k in enumerate(kinds)]
        inside = [(f"{CLASS[k]}{n}", k) for n, k in enumerate(inner)]
        aligned = self.pick(", align=True", "")
        self.record = np.dtype([*names, ("inner", inside)], align=bool(aligned))
        fields = [f'("{n}", {CASTS[k]})' for n, k in names]
        nested = ", ".join(f'("{n}", {CASTS[k]})' for n, k in inside)
        fields.append(f'("inner", [{nested}])')
        self.emit(0, f"RECORD = np.dtype([{', '.join(fields)}]{aligned})")
        self.paths = [
            (path, CLASS[k]) for n, k in names for path in (f".{n}", f'["{n}"]')
        ]
        self.paths += [
            (self.pick(f".inner.{n}", f'["inner"].{n}'), CLASS[k])
            for n, k in inside
        ]

    def records(self, count):
        """Records of nasty numbers."""
        array = np.zeros(count, self.record)
        for name in self.record.names:
            part = array[name]
            for field in part.dtype.names or [None]:
                numbers = part[field] if field else part
                kind = numbers.dtype.name
                numbers[...] = nasty(kind, count, self.random)
        return array

    def pass_records(self, threads):
        """Arrays of records as arguments, and perhaps a single record."""
        self.argument("records", np.zeros(threads, self.record))
        self.argument("given", self.records(3))
        for place in (0, 1, -1):
            self.fields += [(f"given[{place}]{p}", k) for p, k in self.paths]
        for name in self.record.names[:-1]:
            part = self.pick(f".{name}", f'["{name}"]')
            self.fields.append((f"given{part}[{place}]", name[0]))
        if self.chance(0.5):
            self.argument("r5", self.records(1)[0])
            self.fields += [(f"r5{p}", k) for p, k in self.paths]

    def own_records(self):
        """The record that a thread changes: an argument's, or a local one."""
        self.own_record = "records[t]"
        if self.chance(0.5):
            self.emit(1, "place = cuda.local.array(2, RECORD)")
            self.emit(1, "place[1] = given[0]")
            self.own_record = "place[1]"
        self.emit(1, f"own = {self.own_record}")
        self.own_fields = [
            (self.pick("own", self.own_record) + path, kind)
            for path, kind in self.paths
        ]
        self.fields += self.own_fields

    def pass_objects(self):
        """Arguments that are namedtuples, members of enums, and None."""
        if self.chance(0.4):
            numbers = (
                nasty(self.pick(*CLASSES[kind]), 1, self.random)[0]
                for kind in "sf"
            )
            self.argument("q5", Point(*numbers))
        for letter, owner in ENUMS.items():
            if self.chance(0.25):
                self.argument(f"{letter}5", self.pick(*owner))
        for number in range(2):
            if self.chance(0.3):
                kind = self.pick(*TYPES)
                value = nasty(kind, 1, self.random)[0]
                self.argument(f"x{number}", self.pick(None, None, value))
                self.nones.append((f"x{number}", CLASS[kind]))
