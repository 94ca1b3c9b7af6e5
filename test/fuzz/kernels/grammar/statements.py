# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements: assignments, branches, loops and exits."""

from .expressions import COMPARISONS, Expressions
from .values import ATOMICS, CASTS, SIGNED, SLOTS

#: Statements without others inside, and how often each is written.
ANYWHERE = {
    "compute": 8,
    "augment": 7,
    "unpack": 1,
    "swap": 1,
    "pair": 1.5,
    "view": 5,
    "nested": 1,
    "starred": 0.7,
    "enumerator": 0.7,
    "point": 1,
    "optional": 1.5,
    "result": 2.5,
}
IN_KERNEL = {
    "output": 1,
    "rough_output": 1,
    "store": 1,
    "slice_store": 2,
    "update": 1,
    "field_store": 3,
    "update_own": 9,
}


MATCHED = ["value", "or", "guard"]


class Statements(Expressions):
    """The part of a writer that writes statements."""

    def target(self, kind):
        return f"{kind}{self.random.randrange(3)}"

    def assign(self, depth):
        """A statement without others inside."""
        forms = ANYWHERE | IN_KERNEL if self.in_kernel else ANYWHERE
        (form,) = self.random.choices(list(forms), forms.values())
        getattr(self, form)(depth)

    def compute(self, depth):
        kind = self.pick(*"ssuffbcc")
        names = [self.target(kind)]
        if self.chance(0.1):
            names.append(self.target(kind))
        self.emit(depth, f"{' = '.join(names)} = {self.expression(kind, 3)}")
        self.defined |= set(names)

    def swap(self, depth):
        names = sorted(self.variables(self.pick(*"ssuffbcc")))
        if len(names) < 2:
            return self.compute(depth)
        a, b = self.random.sample(names, 2)
        self.emit(depth, f"{a}, {b} = {b}, {a}")

    def pair(self, depth):
        name = self.target("p")
        a, b = self.expression("s"), self.expression("f")
        text = self.pick(f"({a}, {b})", f"({a},) + ({b},)")
        self.emit(depth, f"{name} = {text}")
        self.defined.add(name)

    def output(self, depth):
        kind, slot = self.pick(*"sufc"), self.random.randrange(SLOTS)
        self.emit(depth, f"out{kind}[t, {slot}] = {self.expression(kind, 3)}")

    def rough_output(self, depth):
        slot = self.random.randrange(SLOTS)
        if self.chance(0.2):
            self.emit(depth, f"roughc[t, {slot}] = {self.quotient(2)}")
        else:
            self.emit(depth, f"rough[t, {slot}] = {self.rough(2)}")

    def slice_store(self, depth):
        """Into part of an array of the thread's own: a number or a part."""
        name = self.pick(*self.own)
        kind, shape = self.own[name]
        items, lefts = zip(
            *(self.part(name, d, extent) for d, extent in enumerate(shape)),
            strict=True,
        )
        left = sum(lefts, [])
        if not left:
            items, left = [":"], list(shape)
        # The compiler refuses to change parts of several dimensions.
        changes = kind != "b" and len(left) == 1 and self.chance(0.6)
        # Operands of two classes have other types in NumPy's functions, by
        # which a part is changed, than in operators.
        classes = kind if changes or kind == "c" else "sufb"
        value = self.expression(self.pick(*classes), 2)
        sources = [
            (n, extents[0])
            for n, (k, extents) in self.arguments_of_one_dimension()
            if extents[0] >= left[0] and k in classes
        ]
        if len(left) == 1 and sources and self.chance(0.5):
            source, extent = self.pick(*sources)
            first = self.random.randrange(extent - left[0] + 1)
            value = f"{source}[{first}:{first + left[0]}]"
        operator = self.pick("+", "-", "*") if changes else ""
        self.emit(depth, f"{name}[{', '.join(items)}] {operator}= {value}")

    def arguments_of_one_dimension(self):
        """Arrays that no thread writes."""
        return [
            (name, array)
            for name, array in self.arrays.items()
            if name[0] == "a" and len(array[1]) == 1
        ]

    def update(self, depth):
        """An atomic operation, whose kind goes with the place in `sums`."""
        slot = self.random.randrange(len(ATOMICS))
        row = self.pick("0", "1", "-1", "t % 2")
        column = self.pick(str(slot), str(slot - len(ATOMICS)))
        value = self.expression(self.pick(*"ssu"), 2)
        self.emit(
            depth,
            f"cuda.atomic.{ATOMICS[slot]}(sums, ({row}, {column}), {value})",
        )

    def store(self, depth):
        """Into an array of the thread's own, of any type."""
        name = self.pick(*self.own)
        kind, shape = self.own[name]
        value = self.expression(
            self.pick(*("sufbccc" if kind == "c" else "sufb")), 2
        )
        index = ", ".join(self.indices(name, shape))
        if self.chance(0.2) and kind != "b":
            self.emit(
                depth, f"{name}[{index}] {self.pick('+', '*', '-')}= {value}"
            )
        else:
            self.emit(depth, f"{name}[{index}] = {value}")

    def augment(self, depth):
        names = sorted(n for k in "ssuufc" for n in self.variables(k))
        if not names:
            return self.emit(depth, "pass")
        name = self.pick(*names)
        operators = {"f": "+ - * // % / /", "c": "+ - *"}.get(
            name[0], "+ - * // % & | ^ << >> **"
        )
        operator = self.pick(*operators.split())
        value = self.expression(name[0], 2)
        if operator == "**":
            value = str(self.pick(0, 1, 2, 3))
            value = f"np.uint8({value})" if name[0] == "u" else value
        return self.emit(depth, f"{name} {operator}= {value}")

    def result(self, depth):
        """What a function returns, under a name."""
        if not self.functions:
            self.compute(depth)
            return
        function = self.pick(*self.functions)
        name = self.target(function.returns)
        if name in self.present:  # the function may return None
            self.compute(depth)
            return
        self.emit(depth, f"{name} = {self.call(function, 2)}")
        self.defined.add(name)

    def unpack(self, depth):
        a, b = self.target("s"), self.target("f")
        pairs = [f for f in self.functions if f.returns == "p"]
        names = sorted(self.variables("p"))
        if pairs and self.chance(0.6):
            source = self.call(self.pick(*pairs), 1)
        elif names:
            source = self.pick(*names)
        else:
            source = f"{self.expression('s')}, {self.expression('f')}"
        self.emit(depth, f"{a}, {b} = {source}")
        self.defined |= {a, b}

    def starred(self, depth):
        """The first or the last of several numbers, and the rest."""
        self.count += 1
        rest = f"r{self.count}"
        items = [self.expression("s", 1) for _ in range(self.pick(2, 3, 4))]
        first, last = self.target("s"), self.pick(None, self.target("s"))
        targets = [first, f"*{rest}"]
        if last and last != first and len(items) > 2:
            targets.append(last)
        elif self.chance(0.3):
            targets.reverse()
        self.emit(depth, f"{', '.join(targets)} = {', '.join(items)}")
        self.defined |= {n for n in targets if n[0] != "*"}
        self.emit(depth, f"{first} += {rest}[{self.pick(0, -1)}] + len({rest})")

    def view(self, depth):
        """A part of an array, under a new name."""
        if not self.arrays:
            return self.emit(depth, "pass")
        names = self.pick(*self.arrays), self.pick(*self.arrays)
        name = max(names, key=lambda name: len(self.arrays[name][1]))
        kind, shape = self.arrays[name]
        if len(shape) > 1 and self.chance(0.3):
            text, parts = f"{name}.T", shape[::-1]
        else:
            items, parts = [], []
            for d, extent in enumerate(shape):
                if d and self.chance(0.3):
                    parts += shape[d:]
                    break
                item, left = self.part(name, d, extent)
                items.append(item)
                parts += left
            if not parts:
                items[-1], parts = ":", [shape[len(items) - 1]]
            text = f"{name}[{', '.join(items)}]"
        self.count += 1
        self.emit(depth, f"v{self.count} = {text}")
        self.arrays[f"v{self.count}"] = kind, tuple(parts)
        return None

    def part(self, name, dimension, extent):
        """One item of an index, and the extents that it leaves."""
        if self.chance(0.45):
            return self.position(name, dimension, extent), []
        bounds = [None, *range(-extent - 1, extent + 2)]
        for _ in range(4):
            low, high = self.pick(*bounds), self.pick(*bounds)
            step = self.pick(None, None, None, 1, 2, -1, -2)
            count = len(range(extent)[low:high:step])
            if count:
                texts = ["" if n is None else str(n) for n in (low, high, step)]
                if texts[2] == "":
                    texts.pop()
                return ":".join(texts), [count]
        return ":", [extent]

    def leave(self, depth, in_loop):
        form = self.pick("break", "break", "continue", "continue", "return")
        if form != "return" and in_loop:
            self.emit(depth, form)
        else:
            self.give(depth)
        self.defined = None

    def give(self, depth):
        if self.in_kernel:
            self.emit(depth, "return")
        elif self.returns == "p":
            a, b = self.expression("s"), self.expression("f")
            self.emit(depth, f"return {a}, {b}")
        elif self.returns in "ow":
            kind = "s" if self.returns == "o" else "f"
            number = self.expression(kind)
            self.emit(depth, f"return {self.pick('None', number)}")
        else:
            self.emit(depth, f"return {self.expression(self.returns)}")

    def branch(self, depth, nesting, in_loop):
        before, arrays, ends = set(self.defined), dict(self.arrays), []
        word = "if"
        for _ in range(self.pick(1, 1, 2, 3)):
            self.defined, self.arrays = set(before), dict(arrays)
            kind = self.pick(*"bbbbsfuc")
            condition = self.expression(kind, 2)
            if word == "if" and self.chance(0.1):
                kind = self.pick(*"suf")
                name = self.target(kind)
                condition = f"({name} := {self.expression(kind, 1)})"
                self.defined.add(name)
                before.add(name)
                operator = self.pick(*COMPARISONS)
                condition += f" {operator} {self.expression(kind, 1)}"
            self.emit(depth, f"{word} {condition}:")
            self.suite(depth + 1, nesting + 1, in_loop)
            ends.append(self.defined)
            word = "elif"
        self.defined, self.arrays = set(before), dict(arrays)
        if self.chance(0.5):
            self.emit(depth, "else:")
            self.suite(depth + 1, nesting + 1, in_loop)
        ends.append(self.defined)
        self.arrays = arrays
        ends = [end for end in ends if end is not None]
        if not ends:
            self.defined = None
        elif self.chance(0.25):
            # What is set on some paths only is 0 on the others.
            shared = set.intersection(*ends)
            self.defined = {
                n for n in set.union(*ends) if n in shared or n[0] in "sufbc"
            }
        else:
            self.defined = set.intersection(*ends)

    def match(self, depth, nesting, in_loop):
        kind = self.pick(*"ssuf")
        before, arrays, ends = set(self.defined), dict(self.arrays), []
        subject = self.leaf(kind)
        self.emit(depth, f"match {subject}:")
        for form in self.random.sample(MATCHED, self.pick(1, 2)):
            self.defined, self.arrays = set(before), dict(arrays)
            self.emit(depth + 1, f"case {self.pattern(form, kind)}:")
            self.suite(depth + 2, nesting + 1, in_loop)
            ends.append(self.defined)
        self.defined, self.arrays = set(before), dict(arrays)
        if self.chance(0.6):
            self.emit(depth + 1, "case _:")
            self.suite(depth + 2, nesting + 1, in_loop)
        ends.append(self.defined)
        self.arrays = arrays
        ends = [end for end in ends if end is not None]
        self.defined = set.intersection(*ends) if ends else None

    def pattern(self, form, kind):
        """A pattern of numbers, or of a name with a guard."""
        numbers = ["-2.25", "0.5", "3.0"] if kind == "f" else list("012357")
        if form == "value":
            return self.pick(*numbers)
        if form == "or":
            return " | ".join(self.random.sample(numbers, self.pick(2, 3)))
        name = self.target(kind)
        self.defined.add(name)
        return f"{name} if {name} > {self.expression(kind, 1)}"

    def range(self):
        a, b = self.expression("s", 1), self.expression("s", 1)
        return self.pick(
            f"({a}) % 6",
            str(self.pick(0, 1, 4)),
            f"np.int32(({a}) % 5)",
            f"np.uint8({self.expression('u', 1)}) % np.uint8(5)",
            f"({a}) % 7 - 3, ({b}) % 5",
            f"({a}) % 8 - 3, ({b}) % 9 - 4, {self.pick(1, 2, -1, -3)}",
            f"({a}) % 8 - 3, ({b}) % 9 - 4, t % 2 * 2 - 1",
            f"{2**31 - 4}, {2**31 + 3}, 2",
        )

    def loop(self, depth, nesting, in_loop):
        self.count += 1
        before, arrays = set(self.defined), dict(self.arrays)
        form = self.random.random()
        again = self.chance(0.3)
        flat = [n for n, (_, shape) in self.arrays.items() if len(shape) == 1]
        if form < 0.45:
            name = (
                self.target("s") if self.chance(0.5) else f"s{9 + self.count}"
            )
            self.emit(depth, f"for {name} in range({self.range()}):")
            self.defined.add(name)
        elif form < 0.55 and flat:
            array = self.pick(*flat)
            name = self.target(self.arrays[array][0])
            self.emit(depth, f"for {name} in {array}:")
            self.defined.add(name)
        elif form < 0.67:
            self.loop_over_several(depth)
        elif form < 0.72:
            name = self.target("s")
            cast = CASTS[self.pick(*SIGNED)]
            items = [
                f"{cast}({self.leaf('s')})" for _ in range(self.pick(2, 3))
            ]
            self.emit(depth, f"for {name} in ({', '.join(items)}):")
            self.defined.add(name)
        else:
            self.while_loop(depth)
        self.suite(depth + 1, nesting + 1, True)
        self.defined, self.arrays = set(before), dict(arrays)
        if again:
            self.emit(depth, "else:")
            self.suite(depth + 1, nesting + 1, in_loop)
            self.defined, self.arrays = before, arrays

    def while_loop(self, depth):
        name, limit = f"n{self.count}", self.pick(1, 3, 6)
        self.emit(depth, f"{name} = 0")
        if self.chance(0.5):
            condition = self.expression("b", 1)
            self.emit(depth, f"while {name} < {limit} and {condition}:")
            self.emit(depth + 1, f"{name} += 1")
        else:
            self.emit(depth, "while True:")
            self.emit(depth + 1, f"{name} += 1")
            self.emit(depth + 1, f"if {name} > {limit}:")
            self.emit(depth + 2, "break")

    def suite(self, depth, nesting, in_loop, sizes=(1, 2, 3)):
        """Statements of one block, and the functions that it defines."""
        functions, before = self.functions, len(self.lines)
        for _ in range(self.pick(*sizes)):
            form = self.random.random()
            if nesting < 3 and form < 0.16:
                self.branch(depth, nesting, in_loop)
            elif nesting < 3 and form < 0.2:
                self.match(depth, nesting, in_loop)
            elif nesting < 3 and form < 0.34:
                self.loop(depth, nesting, in_loop)
            elif nesting < 3 and form < 0.36:
                self.unless_none(depth, nesting, in_loop)
            elif nesting < 3 and form < 0.38:
                self.given_or_none(depth, nesting, in_loop)
            elif nesting and form < (0.48 if in_loop else 0.41):
                self.leave(depth, in_loop)
            else:
                self.assign(depth)
            if self.defined is None:
                break
        if len(self.lines) == before:
            self.emit(depth, "pass")
        if nesting:
            self.functions = functions
