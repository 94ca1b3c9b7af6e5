# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The writer of random programs, for the test that runs them.

Every variable holds numbers below LIMIT, so that no expression leaves the
integers that Python, int64 and float64 agree on.
"""

import random

import numpy as np

LIMIT = 2**20
LARGEST = 2**52
PRIME = 65521
THREADS = 6
OUTPUTS = 8
TABLE = 16
INTEGERS = [int(x) for x in np.random.default_rng(0).integers(-99, 99, TABLE)]
FLOATS = [x / 8 for x in INTEGERS[::-1]]


class Generator:
    """Writes a random program, one line at a time."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.functions = []
        self.count = 0

    # An expression is a text and a bound of its magnitude.
    def pick(self, *items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def variables(self, kind):
        return sorted(name for name in self.defined if name[0] == kind)

    def leaf(self, kind):
        names = self.variables(kind)
        if kind == "b":
            if names and self.chance(0.7):
                return self.pick(*names), 1
            return self.pick("True", "False", "t > 2", "t % 2 == 0"), 1
        if names and self.chance(0.65):
            return self.pick(*names), LIMIT
        if kind == "i":
            n = self.pick(0, 1, 2, 3, 5, 7, 10, 100, 12345)
            return self.pick("t", str(n), str(-n)), max(n, THREADS)
        return self.pick("0.5", "1.0", "-2.25", "3.75", "1e-3", "t"), THREADS

    def small(self, kind, depth, limit):
        """An expression below a limit."""
        text, bound = self.expression(kind, depth)
        if bound >= limit:
            if kind == "f" and self.chance(0.5):
                return f"({text}) % {PRIME / 4}", PRIME / 4
            text = f"({text}) % {min(PRIME, limit - 1)}"
            return text, min(PRIME, limit - 1)
        return text, bound

    def nonzero(self, kind, depth):
        if self.chance(0.5):
            n = self.pick(1, 2, 3, 7, 16) * self.pick(1, -1)
            return (str(n) if kind == "i" else str(n * 0.75)), abs(n)
        text, bound = self.small(kind, depth, LIMIT)
        return self.pick(f"(abs({text}) + 1)", f"(-1 - abs({text}))"), bound + 1

    def index(self, depth):
        text, _ = self.expression("i", depth)
        wrapped = f"({text}) % {TABLE}"
        return self.pick(wrapped, wrapped, f"-1 - {wrapped}")

    def condition(self, depth):
        kind = self.pick("i", "i", "f")
        first = self.expression(kind, depth)[0]
        operators = "<", "<=", ">", ">=", "==", "!="
        text = f"{first} {self.pick(*operators)} "
        text += self.expression(self.pick("i", kind), depth)[0]
        if self.chance(0.2):
            text += f" {self.pick(*operators)} {self.leaf(kind)[0]}"
        return f"({text})", 1

    def expression(self, kind, depth):
        if depth <= 0:
            return self.leaf(kind)
        depth -= self.pick(1, 1, 2)
        return {"i": self.integer, "f": self.float, "b": self.boolean}[kind](
            depth
        )

    def choice(self, kind, depth):
        """An expression that evaluates some of its parts only."""
        form = self.pick("if", "and", "or", "min", "max")
        a, p = self.expression(kind, depth)
        b, q = self.expression(self.pick("i", kind), depth)
        if form == "if":
            text = f"({a} if {self.expression('b', depth)[0]} else {b})"
        elif form in ("and", "or"):
            text = f"({a} {form} {b})"
        else:
            text = f"{form}({a}, {b})"
        return text, max(p, q)

    def arithmetic(self, kind, depth):
        a, p = self.expression(kind, depth)
        b, q = self.expression(self.pick("i", kind), depth)
        operator = self.pick("+", "-", "*", "//", "%")
        if operator in ("//", "%"):
            b, q = self.nonzero(self.pick("i", kind), depth)
            return f"({a} {operator} {b})", p + q + 1
        bound = p * q if operator == "*" else p + q
        if bound >= LARGEST:
            a, p = self.small(kind, depth, LIMIT)
            b, q = self.small("i", depth, LIMIT)
            bound = max(p * q, p + q)
            a, b = f"({a})", f"({b})"
        return f"({a} {operator} {b})", bound

    def call(self, kind, depth):
        functions = [f for f in self.functions if f[1] == kind]
        if not functions:
            return self.leaf(kind)
        return self.called(self.pick(*functions), depth), LIMIT

    def called(self, function, depth):
        """A call of a device function, its last arguments by name perhaps."""
        name, _, parameters = function
        named = len(parameters)
        if self.chance(0.2):
            named = self.random.randrange(named)
        arguments = ["a", "c", "t"]
        for i, parameter in enumerate(parameters):
            text = self.small(parameter[0], depth, LIMIT)[0]
            arguments.append(f"{parameter}={text}" if i >= named else text)
        return f"{name}({', '.join(arguments)})"

    def integer(self, depth):
        form = self.random.randrange(12)
        if form < 4:
            return self.arithmetic("i", depth)
        if form == 4:
            return self.choice("i", depth)
        if form == 5:
            return self.call("i", depth)
        if form == 6:
            return f"a[{self.index(depth)}]", 99
        if form == 7:
            text, bound = self.small("f", depth, LIMIT)
            return f"int({text})", bound
        if form == 8:
            text, bound = self.expression("i", depth)
            form = self.pick("-{}", "+{}", "abs({})", "~({})", "np.int64({})")
            return f"({form.format(text)})", bound + 1
        if form == 9:
            a = self.small("i", depth, LIMIT)[0]
            count = self.pick("1", "5", f"({self.leaf('i')[0]}) % 20")
            if self.chance(0.5):
                return f"(({a}) << {count})", LIMIT << 20
            return f"(({a}) >> {count})", LIMIT
        if form == 10:
            a, b = (self.small("i", depth, LIMIT)[0] for _ in "ab")
            return f"(({a}) {self.pick('&', '|', '^')} ({b}))", 2 * LIMIT
        a, _ = self.small("i", depth, 1000)
        return self.pick(
            (f"({a}) ** {self.pick(2, 3)}", 10**9),
            (f"np.int32({a})", 1000),
            (f"(({self.expression('b', depth)[0]}) + ({a}))", 1001),
            (f"({a}) ** (t % 4)", 10**9),
        )

    def float(self, depth):
        form = self.random.randrange(10)
        if form < 4:
            return self.arithmetic("f", depth)
        if form == 4:
            return self.choice("f", depth)
        if form == 5:
            return self.call("f", depth)
        if form == 6:
            return f"c[{self.index(depth)}]", 99
        if form == 7:
            a, bound = self.expression(self.pick("i", "f"), depth)
            b = self.nonzero(self.pick("i", "f"), depth)[0]
            return f"({a} / {b})", bound * 2
        a, bound = self.small("f", depth, LIMIT)
        form = self.pick(
            *("-({})", "abs({})", "math.floor({})", "math.sqrt(abs({}))"),
            *("math.fabs({})", "math.ceil({})", "np.float64({})"),
            "np.float64(np.float32({}))",
        )
        return f"({form.format(a)})", bound + 1

    def boolean(self, depth):
        form = self.random.randrange(8)
        if form < 4:
            return self.condition(depth)
        a, b = (self.expression("b", depth)[0] for _ in "ab")
        if form == 4:
            return f"(not {a})", 1
        if form == 5:
            kind = self.pick("i", "f")
            return f"bool({self.expression(kind, depth)[0]})", 1
        if form == 6:
            return f"(({a}) {self.pick('&', '|', '^', '==', '!=')} ({b}))", 1
        return f"({a} {self.pick('and', 'or')} {b})", 1

    # Statements.

    def emit(self, depth, text):
        self.lines.append("    " * depth + text)

    def target(self, kind=None):
        kind = kind or self.pick("i", "i", "f", "f", "b")
        return f"{kind}{self.random.randrange(4)}"

    def value(self, kind):
        """An expression that may be assigned; a float may be an int."""
        source = "i" if kind == "f" and self.chance(0.15) else kind
        return self.small(source, self.pick(1, 2, 3), LIMIT)[0]

    def assign(self, depth):
        form = self.random.randrange(10)
        names = [n for k in "if" for n in self.variables(k)]
        if form < 2 and names:
            name = self.pick(*names)
            operators = ["+", "-", "*", "//", "%"]
            if name[0] == "i":
                operators += ["&", "|", "^", ">>"]
            operator = self.pick(*operators)
            value = self.value("i" if operator in "&|^" else name[0])
            if operator in ("//", "%"):
                value = self.nonzero(self.pick("i", name[0]), 1)[0]
            elif operator == ">>":
                value = str(self.pick(0, 1, 3, 40))
            self.emit(depth, f"{name} {operator}= {value}")
            self.emit(depth, f"{name} %= {self.pick(1, -1) * PRIME}")
        elif form == 2 and len(names) > 1:
            kind = self.pick("i", "f")
            names = self.variables(kind) + ["pass"]
            a, b = self.random.sample([*names, names[0]], 2)
            swap = f"{a}, {b} = {b}, {a}"
            self.emit(depth, "pass" if "pass" in swap else swap)
        elif form == 3:
            a, b = self.target("i"), self.target("f")
            tuples = [f for f in self.functions if f[1] == "t"]
            if tuples and self.chance(0.6):
                call = self.called(self.pick(*tuples), 1)
                self.emit(depth, f"{a}, {b} = {call}")
            else:
                values = f"{self.value('i')}, {self.value('f')}"
                self.emit(depth, f"{a}, {b} = {values}")
            self.defined |= {a, b}
        elif form == 4 and self.in_kernel:
            kind = self.pick("i", "f")
            place = f"t * {OUTPUTS} + {self.random.randrange(OUTPUTS)}"
            self.emit(depth, f"out{kind}[{place}] = {self.value(kind)}")
        elif form == 5 and self.in_kernel:
            self.emit(depth, f"m[{self.index(1)}] = {self.value('i')}")
        elif form == 6 and self.in_kernel:
            name = self.target("i")
            self.emit(depth, f"{name} = m[{self.index(1)}]")
            self.defined.add(name)
        else:
            name = self.target()
            self.emit(depth, f"{name} = {self.value(name[0])}")
            self.defined.add(name)

    def leave(self, depth, in_loop):
        """A statement that leaves the block."""
        form = self.pick(*["break", "continue"] * 3, "return")
        if form != "return" and in_loop:
            self.emit(depth, form)
        else:
            self.give(depth)
        self.defined = None

    def give(self, depth):
        if self.in_kernel:
            self.emit(depth, "return")
        elif self.returns == "t":
            self.emit(depth, f"return {self.value('i')}, {self.value('f')}")
        else:
            self.emit(depth, f"return {self.value(self.returns)}")

    def branch(self, depth, nesting, in_loop):
        before, ends = set(self.defined), []
        word = "if"
        for _ in range(self.pick(1, 1, 2, 3)):
            self.defined = set(before)
            condition = self.expression("b", 2)[0]
            self.emit(depth, f"{word} {condition}:")
            self.block(depth + 1, nesting + 1, in_loop)
            ends.append(self.defined)
            word = "elif"
        self.defined = set(before)
        if self.chance(0.5):
            self.emit(depth, "else:")
            self.block(depth + 1, nesting + 1, in_loop)
        ends.append(self.defined)
        ends = [end for end in ends if end is not None]
        self.defined = set.intersection(*ends) if ends else None

    def range(self):
        values = [self.small("i", 1, LIMIT)[0] for _ in "ab"]
        step = self.pick("1", "2", "-1", "-3", "(t % 2 * 2 - 1)")
        return self.pick(
            f"({values[0]}) % 6",
            str(self.pick(0, 1, 4)),
            f"({values[0]}) % 7 - 3, ({values[1]}) % 5",
            f"({values[0]}) % 8 - 3, ({values[1]}) % 9 - 4, {step}",
        )

    def loop(self, depth, nesting):
        self.count += 1
        before = None
        if self.chance(0.6):
            name = self.pick(
                f"i{self.random.randrange(4)}", f"i{9 + self.count}"
            )
            ranged = self.range()
            before = set(self.defined)
            self.emit(depth, f"for {name} in range({ranged}):")
            self.defined.add(name)
        else:
            name = f"n{self.count}"
            self.emit(depth, f"{name} = 0")
            self.defined.add(name)
            before = set(self.defined)
            limit = self.pick(1, 3, 6)
            if self.chance(0.5):
                condition = self.expression("b", 1)[0]
                self.emit(depth, f"while {name} < {limit} and {condition}:")
                self.emit(depth + 1, f"{name} += 1")
            else:
                self.emit(depth, "while True:")
                self.emit(depth + 1, f"{name} += 1")
                self.emit(depth + 1, f"if {name} > {limit}:")
                self.emit(depth + 2, "break")
        self.block(depth + 1, nesting + 1, True)
        self.defined = before

    def block(self, depth, nesting, in_loop):
        for _ in range(self.pick(1, 2, 3)):
            form = self.random.random()
            if nesting < 3 and form < 0.2:
                self.branch(depth, nesting, in_loop)
            elif nesting < 3 and form < 0.35:
                self.loop(depth, nesting)
            elif nesting and form < (0.45 if in_loop else 0.38):
                self.leave(depth, in_loop)
            else:
                self.assign(depth)
            if self.defined is None:
                return

    def program(self):
        self.in_kernel = False
        for number in range(self.pick(0, 1, 2, 3)):
            kinds = [
                self.pick("i", "f", "b") for _ in range(self.pick(1, 2, 3))
            ]
            names = [f"{kind}{n}" for n, kind in enumerate(kinds)]
            self.returns = self.pick("i", "f", "t")
            self.defined = set(names)
            self.lines.append("@cuda.jit(device=True)")
            parameters = ", ".join(["a", "c", "t", *names])
            self.emit(0, f"def g{number}({parameters}):")
            for _ in range(self.pick(1, 2, 3)):
                if self.defined is not None:
                    self.block(1, 0, False)
            if self.defined is not None:
                self.give(1)
            self.functions.append((f"g{number}", self.returns, names))
        self.in_kernel, self.defined = True, set()
        self.emit(0, "def k(a, c, outi, outf):")
        self.emit(1, "t = cuda.grid(1)")
        self.emit(1, f"m = cuda.local.array({TABLE}, np.int64)")
        self.emit(1, f"for j in range({TABLE}):")
        self.emit(2, "m[j] = a[j] + t")
        barriers = self.chance(0.3)
        for _ in range(self.pick(2, 4, 6)):
            if self.defined is None:
                break
            self.block(1, 0, False)
            if barriers and self.chance(0.7):
                self.emit(1, "cuda.syncthreads()")
        for n, name in enumerate(sorted(self.defined or ())):
            if name[0] in "if" and n < OUTPUTS:
                self.emit(1, f"out{name[0]}[t * {OUTPUTS} + {n}] += {name}")
        return "\n".join(self.lines) + "\n"


def test_programs_are_reproducible_and_differ():
    programs = {Generator(seed).program() for seed in range(20)}
    assert len(programs) == 20
    assert programs == {Generator(seed).program() for seed in range(20)}
