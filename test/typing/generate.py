# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random small kernels' helpers, from a grammar and a seed.

Each case is the text of a module whose function `f` is to be typed for a list
of argument types. The grammar leans to where typing is subtle: variables that
meet at joins and on the way round a loop, names that only some paths define,
conditions that are known while compiling. Programs are mostly well typed; some
are wrong on purpose.
"""

import random

INTS = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]
FLOATS = ["float32", "float64", "float32", "float64", "float16"]
HEADER = "import math\nimport numpy as np\nfrom numba import cuda\n"
CATEGORIES = {
    "expression": 220,
    "conditional": 140,
    "join": 280,
    "loop": 320,
    "while": 260,
    "exit": 200,
    "partial": 160,
    "prune": 320,
    "none": 160,
    "array": 180,
    "tuple": 160,
    "call": 220,
    "global": 140,
    "range": 140,
    "cuda": 80,
    "math": 140,
    "reject": 180,
}


class Writer:
    """Writes one function: statements at an indentation, names with rough
    kinds.
    """

    def __init__(self, rng, category):
        self.rng, self.category = rng, category
        self.lines, self.indent = [], 1
        # name -> "int", "float", "bool", "array", "tuple" or "none"
        self.names = {}
        self.ranks, self.sizes = {}, {}
        self.constants, self.helpers = {}, {}
        self.loops, self.budget = 0, rng.randint(3, 9)
        self.fresh = 0

    # Names

    def pick(self, kind):
        """A name of a kind, or None."""
        found = [name for name, known in self.names.items() if known == kind]
        return self.rng.choice(found) if found else None

    def new(self):
        """A name: often one that is already in use."""
        if self.rng.random() < 0.55:
            found = [
                n
                for n, k in self.names.items()
                if k in ("int", "float", "bool")
            ]
            if found:
                return self.rng.choice(found)
        self.fresh += 1
        return "stuvwpqr"[self.fresh % 8]

    def line(self, text):
        """One line at the current indentation."""
        self.lines.append("    " * self.indent + text)

    # Expressions

    def literal(self, kind):
        """A literal in the text."""
        if kind == "int":
            return str(self.rng.choice([0, 1, 1, 2, 3, 4, 7, -1, 100, 2**31]))
        if kind == "bool":
            return self.rng.choice(["True", "False"])
        return self.rng.choice(["0.0", "0.5", "1.5", "2.0", "-1.25"])

    def atom(self, kind):
        """A name, an element, a constant or a literal."""
        roll = self.rng.random()
        if roll < 0.55:
            name = self.pick(kind)
            if name:
                return name
        if roll < 0.65 and kind in ("int", "float"):
            element = self.element(kind)
            if element:
                return element
        if roll < 0.72 and kind == "int":
            array = self.pick("array")
            if array:
                return self.rng.choice(
                    [
                        f"len({array})",
                        f"{array}.shape[0]",
                        f"{array}.size",
                        f"{array}.ndim",
                    ]
                )
        if roll < 0.8:
            found = [n for n, k in self.constants.items() if k == kind]
            if found:
                return self.rng.choice(found)
        return self.literal(kind)

    def element(self, kind):
        """A load from an array or a tuple."""
        found = [
            n
            for n in self.names
            if self.names[n] == "array" and self.sizes[n] == kind
        ]
        if not found:
            return None
        name = self.rng.choice(found)
        indices = [self.index() for _ in range(self.ranks[name])]
        if len(indices) > 1 and self.rng.random() < 0.15:
            return f"{name}[{indices[0]}][{', '.join(indices[1:])}]"
        return f"{name}[{', '.join(indices)}]"

    def index(self):
        """An integer to index with."""
        name = self.pick("int")
        if not name or self.rng.random() < 0.35:
            return str(self.rng.choice([0, 0, 1, -1]))
        return self.rng.choice(
            ["{}", "{}", "{} + 1", "{} % 2", "{} - 1"]
        ).format(name)

    def expression(self, kind, depth):
        """An expression that is probably of this kind."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return self.atom(kind)
        if kind == "bool":
            return f"({self.condition(depth)})"
        a = self.expression(self.mixed(kind), depth - 1)
        b = self.expression(self.mixed(kind), depth - 1)
        if kind == "int":
            a, b = (
                self.expression("int", depth - 1),
                self.expression("int", depth - 1),
            )
            form = rng.choice(
                [
                    "{a} + {b}",
                    "{a} - {b}",
                    "{a} * {b}",
                    "{a} // {b}",
                    "{a} % {b}",
                ]
                * 2
                + [
                    "{a} & {b}",
                    "{a} | {b}",
                    "{a} ^ {b}",
                    "{a} << 2",
                    "{a} >> {b}",
                ]
                + ["{a} ** 2", "-{a}", "~{a}", "+{a}", "abs({a})", "int({a})"]
                + [
                    "min({a}, {b})",
                    "max({a}, {b})",
                    "round({f})",
                    "int({f})",
                    "{cast}({a})",
                ]
                + ["({a} if {c} else {b})", "({a} or {b})", "({a} and {b})"]
            )
        else:
            form = rng.choice(
                ["{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / {b}"] * 2
                + [
                    "{a} // {b}",
                    "{a} % {b}",
                    "{a} ** 2",
                    "{a} ** {b}",
                    "-{a}",
                    "abs({a})",
                ]
                + [
                    "float({f})",
                    "math.sqrt({a})",
                    "math.exp({a})",
                    "min({a}, {b})",
                ]
                + [
                    "{fcast}({a})",
                    "{fcast}({a})",
                    "max({a}, {b})",
                    "round({a}, 2)",
                ]
                + [
                    "({a} if {c} else {b})",
                    "({a} or {b})",
                    "math.pow({a}, {b})",
                ]
            )
        return (
            "("
            + form.format(
                a=a,
                b=b,
                c=self.condition(1) if "{c}" in form else "",
                f=self.expression("float", depth - 1) if "{f}" in form else "",
                cast="np." + rng.choice(INTS),
                fcast=rng.choice(
                    [
                        "np.float32",
                        "np.float64",
                        "np.float32",
                        "float",
                        "np.float16",
                    ]
                ),
            )
            + ")"
        )

    def mixed(self, kind):
        """Usually the same kind; floats also take integers."""
        roll = self.rng.random()
        if kind == "float" and roll < 0.3:
            return "int"
        return "bool" if roll > 0.97 else kind

    def condition(self, depth):
        """A truth value."""
        rng, kind = self.rng, self.rng.choice(["int", "int", "float"])
        a, b, c = (self.expression(kind, depth - 1) for _ in range(3))
        roll = rng.random()
        if roll < 0.5:
            return f"{a} {rng.choice(['<', '<=', '>', '>=', '==', '!='])} {b}"
        if roll < 0.6:
            return f"{a} < {b} <= {c}"
        if roll < 0.7:
            return f"not ({self.condition(depth - 1)})"
        if roll < 0.8:
            left, word = self.condition(depth - 1), rng.choice(["and", "or"])
            return f"({left} {word} {self.condition(depth - 1)})"
        if roll < 0.85:
            return rng.choice(["math.isnan({})", "math.isinf({})"]).format(a)
        if roll < 0.92:
            return self.atom("bool")
        return a

    def kind(self):
        """A kind for a new value."""
        return self.rng.choice(["int", "int", "float", "float", "bool"])

    # Statements

    def block(self, count):
        """An indented block."""
        self.indent += 1
        before = len(self.lines)
        for _ in range(count):
            self.statement()
        if len(self.lines) == before:
            self.line("pass")
        self.indent -= 1

    def statement(self):
        """One statement, by the weights of the category."""
        self.budget -= 1
        if self.budget < 0:
            return
        weights = {
            "assign": 6,
            "augment": 3,
            "if": 2,
            "for": 1,
            "while": 1,
            "store": 1,
        }
        weights |= {"swap": 0.5, "return": 0.2, "tuple": 0.3, "call": 0}
        if self.loops:
            weights |= {"break": 0.5, "continue": 0.4}
        weights |= {
            "join": {"if": 6},
            "conditional": {"conditional": 5},
            "loop": {"for": 5, "augment": 6},
            "while": {"while": 6, "augment": 5},
            "exit": {
                "for": 3,
                "while": 3,
                "if": 4,
                "return": 2,
                "break": 4,
                "continue": 3,
            },
            "partial": {"if": 6, "for": 3},
            "prune": {"known": 8},
            "none": {"absent": 5},
            "array": {"store": 6},
            "tuple": {"tuple": 8, "swap": 3},
            "call": {"call": 8},
            "range": {"for": 8},
        }.get(self.category, {})
        if not self.loops:
            weights = {
                k: v
                for k, v in weights.items()
                if k not in ("break", "continue")
            }
        if self.indent > 4:
            weights = {
                k: v
                for k, v in weights.items()
                if k not in ("if", "for", "while", "known")
            }
        choice = self.rng.choices(list(weights), list(weights.values()))[0]
        getattr(
            self,
            "do_" + choice.replace("break", "stop").replace("return", "leave"),
        )()

    def do_assign(self):
        """A new value, often of another kind than before."""
        name, kind = self.new(), self.kind()
        roll = self.rng.random()
        value = self.literal(kind) if roll < 0.3 else self.expression(kind, 2)
        self.line(f"{name} = {value}")
        self.names[name] = kind

    def do_conditional(self):
        """A conditional expression of two kinds."""
        name, kinds = self.new(), [self.kind(), self.kind()]
        a, b = (self.expression(kind, 1) for kind in kinds)
        self.line(f"{name} = {a} if {self.condition(1)} else {b}")
        self.names[name] = "float" if "float" in kinds else kinds[0]

    def do_augment(self):
        """An in-place operation."""
        name = (
            self.pick("float") if self.rng.random() < 0.5 else self.pick("int")
        )
        if not name:
            return self.do_assign()
        kind = self.names[name]
        if kind == "int":
            operator = self.rng.choice(
                ["+=", "+=", "-=", "*=", "//=", "%=", "&=", "|=", ">>="]
            )
            if operator in ("+=", "*=") and self.rng.random() < 0.3:
                kind = "float"
            if self.rng.random() < 0.1:
                operator, kind = "/=", "float"
        else:
            operator = self.rng.choice(["+=", "+=", "-=", "*=", "/=", "**="])
        self.line(f"{name} {operator} {self.expression(kind, 1)}")
        self.names[name] = kind
        return None

    def do_if(self):
        """Branches that may define different names."""
        before = dict(self.names)
        self.line(f"if {self.condition(2)}:")
        self.block(self.rng.randint(1, 3))
        ways = [self.names]
        while self.rng.random() < 0.25:
            self.names = dict(before)
            self.line(f"elif {self.condition(1)}:")
            self.block(self.rng.randint(1, 2))
            ways.append(self.names)
        if self.rng.random() < 0.6:
            self.names = dict(before)
            self.line("else:")
            self.block(self.rng.randint(1, 3))
            ways.append(self.names)
        self.names = before
        for way in ways:
            for name, kind in way.items():
                known = name in before or self.rng.random() < (
                    0.8 if self.category == "partial" else 0.3
                )
                if known and before.get(name) != "float":
                    self.names[name] = kind

    def do_for(self):
        """A counted loop, seldom one over an array or a tuple."""
        name = self.rng.choice("ijk")
        array = self.pick("array")
        roll = self.rng.random()
        kind = "int"
        if array and roll < 0.12 and self.ranks[array] == 1:
            over, kind = array, self.sizes[array]
        else:
            count = self.rng.choice([1, 1, 1, 2, 3])
            parts = [
                self.expression("int", self.rng.choice([0, 0, 1]))
                for _ in range(count)
            ]
            over = f"range({', '.join(parts)})"
        self.line(f"for {name} in {over}:")
        before = dict(self.names)
        self.names[name] = kind
        self.loops += 1
        self.block(self.rng.randint(1, 4))
        self.loops -= 1
        if self.rng.random() < 0.1:
            self.line("else:")
            self.block(1)
        after, self.names = self.names, before
        keep = 0.8 if self.category == "partial" else 0.25
        self.names |= {
            n: k
            for n, k in after.items()
            if n in before or self.rng.random() < keep
        }

    def do_while(self):
        """A loop on a condition, seldom an endless one."""
        endless = self.rng.random() < 0.15
        self.line("while True:" if endless else f"while {self.condition(2)}:")
        before = dict(self.names)
        self.loops += 1
        self.block(self.rng.randint(1, 4))
        if endless:
            self.indent += 1
            self.line(f"if {self.condition(1)}:")
            self.indent += 1
            self.line("break")
            self.indent -= 2
        self.loops -= 1
        after, self.names = self.names, before
        self.names |= {
            n: k
            for n, k in after.items()
            if n in before or self.rng.random() < 0.25
        }

    def do_store(self):
        """An element or an in-place element."""
        array = self.pick("array")
        if not array:
            return self.do_assign()
        indices = ", ".join(self.index() for _ in range(self.ranks[array]))
        operator = self.rng.choice(["=", "=", "+=", "*="])
        value = self.expression(self.rng.choice(["int", "float"]), 1)
        self.line(f"{array}[{indices}] {operator} {value}")
        return None

    def do_swap(self):
        """Two or more targets at once."""
        names = [
            n for n, k in self.names.items() if k in ("int", "float", "bool")
        ]
        if len(names) < 2:
            return self.do_assign()
        count = self.rng.choice([2, 2, 3, 4])
        chosen = self.rng.sample(names, min(count, len(names)))
        turned = chosen[1:] + chosen[:1]
        kinds = [self.names[n] for n in turned]
        if self.rng.random() < 0.4:
            turned[0] = f"{turned[0]} + 1" if kinds[0] != "bool" else "1"
        self.line(f"{', '.join(chosen)} = {', '.join(turned)}")
        self.names |= dict(zip(chosen, kinds, strict=True))
        return None

    def do_tuple(self):
        """Make, index or take apart a tuple."""
        roll = self.rng.random()
        name = self.pick("tuple")
        if name and roll < 0.35:
            size = self.ranks[name]
            target = self.new()
            self.line(
                f"{target} = {name}[{self.rng.choice([0, size - 1, -1])}]"
            )
            self.names[target] = "float" if self.rng.random() < 0.5 else "int"
        elif name and roll < 0.55:
            targets = [self.new() for _ in range(self.ranks[name])]
            self.line(f"{', '.join(targets)} = {name}")
            self.names |= dict.fromkeys(targets, "int")
        else:
            name = self.rng.choice(["tu", "tv"])
            size = self.rng.choice([2, 2, 3])
            old = self.ranks.get(name)
            size = old if old and self.rng.random() < 0.8 else size
            items = [self.expression(self.kind(), 1) for _ in range(size)]
            self.line(f"{name} = ({', '.join(items)})")
            self.names[name], self.ranks[name] = "tuple", size

    def do_call(self):
        """Call a helper."""
        if not self.helpers:
            return self.do_assign()
        helper = self.rng.choice(list(self.helpers))
        arguments = [
            self.expression(self.kind(), 1)
            for _ in range(self.helpers[helper][0])
        ]
        if self.rng.random() < 0.15:
            arguments = arguments[:1] or arguments
        name = self.new()
        self.line(f"{name} = {helper}({', '.join(arguments)})")
        self.names[name] = self.rng.choice(["int", "float"])
        return None

    def do_known(self):
        """A branch on what is known while compiling."""
        rng = self.rng
        constants = [n for n in self.constants if self.constants[n] != "tuple"]
        name = rng.choice(constants) if constants else "4"
        roll = rng.random()
        if roll < 0.3 and self.names:
            local = self.new()
            self.line(
                f"{local} = {rng.choice([name, '4', 'True', '0', 'None'])}"
            )
            self.names[local] = "int"
            name = local if rng.random() < 0.8 else name
        forms = [
            "{n} == 4",
            "{n} != 4",
            "{n} > 2",
            "{n}",
            "not {n}",
            "{n} % 2",
            "{n} % 2 == 0",
        ]
        forms += [
            "{n} is None",
            "{n} is not None",
            "1 < {n} < 6",
            "{n} == 4 and {c}",
            "{n} or {c}",
        ]
        forms += [
            "{n} == 3 or {c}",
            "{c} and {n} == 4",
            "{n} - 4",
            "{n} & 1",
            "2 * 2 == 4",
            "{n} == {m}",
        ]
        array = self.pick("array")
        if array:
            forms += [
                f"{array}.ndim == 2",
                f"{array}.ndim > 1",
                f"len({array}) > 1",
            ]
        condition = rng.choice(forms).format(
            n=name, c=self.condition(1), m=rng.choice([*constants, "4"])
        )
        if rng.random() < 0.2:
            self.line(f"flag = {condition}")
            condition = "flag"
        loop = rng.random() < 0.12
        self.line(f"while {condition}:" if loop else f"if {condition}:")
        self.loops += loop
        before = dict(self.names)
        target = self.new()
        self.indent += 1
        self.line(f"{target} = {self.strange()}")
        self.names[target] = self.kind()
        self.indent -= 1
        self.block(rng.randint(0, 2)) if rng.random() < 0.5 else None
        if loop:
            self.indent += 1
            self.line(f"if {self.condition(1)}:")
            self.indent += 1
            self.line("break")
            self.indent -= 2
            self.loops -= 1
        elif rng.random() < 0.8:
            after, self.names = self.names, dict(before)
            self.line("else:")
            self.indent += 1
            self.line(f"{target} = {self.strange()}")
            self.indent -= 1
            self.block(rng.randint(0, 1)) if rng.random() < 0.4 else None
            self.names = before | {
                n: k for n, k in after.items() if rng.random() < 0.6
            }
        self.names[target] = "float"

    def strange(self):
        """Something that may not unify with anything."""
        array = self.pick("array")
        forms = [
            self.expression("float", 1),
            self.literal("int"),
            self.expression("int", 1),
        ]
        forms += [self.literal("bool"), "(1, 2)", "None"]
        return self.rng.choice(forms + ([array] if array else []))

    def do_absent(self):
        """Tests for None and values that may be missing."""
        rng = self.rng
        name = self.pick("none") or self.pick("int") or "None"
        roll = rng.random()
        target = self.new()
        if name == "None" and 0.4 <= roll < 0.5:
            roll = 0.6
        if roll < 0.4:
            word = rng.choice(["is", "is not", "==", "!=", "is", "is not"])
            self.line(f"if {name} {word} None:")
            self.indent += 1
            self.line(f"{target} = {self.expression(self.kind(), 1)}")
            self.indent -= 1
            self.line("else:")
            self.indent += 1
            other = rng.choice(
                [name, self.expression("int", 1), f"{name} + 1", f"{name}[0]"]
            )
            self.line(f"{target} = {other}")
            self.indent -= 1
        elif roll < 0.5:
            self.line(f"if {name} is None:")
            self.indent += 1
            self.line(f"{name} = {self.expression(self.kind(), 1)}")
            self.indent -= 1
            target = name
        elif roll < 0.75:
            self.line(f"{target} = None")
            self.line(f"if {self.condition(1)}:")
            self.indent += 1
            self.line(f"{target} = {self.expression(self.kind(), 1)}")
            self.indent -= 1
        elif roll < 0.85:
            self.line(f"{target} = {name} is {rng.choice(['', 'not '])}None")
        else:
            self.line(
                f"{target} = {self.expression('int', 1)} if {name} is None "
                f"else {rng.choice(['None', '2.5', '1'])}"
            )
        if name != "None" or roll >= 0.5:
            self.names[target] = rng.choice(["int", "float"])

    def do_stop(self):
        """break, usually on a condition."""
        self.guarded("break")

    def do_continue(self):
        """continue, usually on a condition."""
        self.guarded("continue")

    def do_leave(self):
        """An early return."""
        self.guarded(f"return {self.result()}")

    def guarded(self, text):
        """A jump under a condition."""
        self.line(f"if {self.condition(1)}:")
        self.indent += 1
        self.line(text)
        self.indent -= 1

    def result(self):
        """What a function returns."""
        roll = self.rng.random()
        names = [
            n for n, k in self.names.items() if k in ("int", "float", "bool")
        ]
        if roll < 0.55 and names:
            return self.rng.choice(names)
        if roll < 0.7 and len(names) > 1:
            return ", ".join(
                self.rng.sample(
                    names, self.rng.choice([1, 2, 2]) if len(names) > 2 else 2
                )
            )
        if roll < 0.75 and self.pick("tuple"):
            return self.pick("tuple")
        return self.expression(self.kind(), 2)


def helper(rng, name, category):
    """A device function: (text, (parameters, results))."""
    count = rng.choice([1, 2, 2, 3])
    writer = Writer(rng, rng.choice(["join", "loop", "exit", "expression"]))
    writer.budget = rng.randint(0, 3)
    parameters = list("abc"[:count])
    for parameter in parameters:
        writer.names[parameter] = rng.choice(["int", "float"])
    defaults = parameters[:]
    if count > 1 and rng.random() < 0.3:
        defaults[-1] += rng.choice([" = None", " = 2", " = 1.5"])
        if defaults[-1].endswith("None"):
            last = parameters[-1]
            writer.names.pop(last)
            writer.line(f"if {last} is None:")
            writer.line(f"    {last} = {writer.expression('float', 1)}")
            writer.names[last] = "float"
    for _ in range(rng.randint(0, 3)):
        writer.statement()
    writer.line(f"return {writer.result()}")
    head = ["@cuda.jit(device=True)", f"def {name}({', '.join(defaults)}):"]
    return "\n".join(head + writer.lines) + "\n", (count, 1)


def argument(rng, category):
    """(type, kind, rank or size, element kind) of one argument."""
    roll = rng.random()
    many = {"array": 0.6, "prune": 0.35, "cuda": 0.5}.get(category, 0.15)
    if roll < many:
        kind = rng.choice(["int", "float"])
        element = rng.choice(INTS if kind == "int" else FLOATS)
        rank = rng.choice([1, 1, 2, 3])
        return (
            f"array({element}, {rank}, {rng.choice('CCFA')})",
            "array",
            rank,
            kind,
        )
    if category == "none" and roll < many + 0.45:
        return "none", "none", 0, None
    if category == "tuple" and roll < many + 0.4:
        items = (
            [rng.choice(INTS + FLOATS)] * 2
            if rng.random() < 0.4
            else rng.choices(INTS + FLOATS, k=2)
        )
        return f"tuple({', '.join(items)})", "tuple", 2, None
    kind = rng.choice(["int", "int", "float", "float", "bool"])
    element = {"int": INTS, "float": FLOATS, "bool": ["bool"]}[kind]
    return rng.choice(element), kind, 0, None


GLOBALS = {
    "N": ("4", "int"),
    "M": ("3", "int"),
    "Z": ("0", "int"),
    "SCALE": ("1.5", "float"),
    "DEBUG": ("False", "bool"),
    "ON": ("True", "bool"),
    "NARROW": ("np.int32(4)", "int"),
    "SINGLE": ("np.float32(0.5)", "float"),
    "BYTE": ("np.uint8(4)", "int"),
    "HUGE": ("2**63", "int"),
    "SHAPE": ("(2, 3)", "tuple"),
    "PAIR": ("(1, 2.5)", "tuple"),
}

REJECTS = [
    "{a}[0.5]",
    "{a}[{f}]",
    "{a}[True]",
    "({a}).nothing",
    "({i}).nothing",
    "({i})()",
    "({i})[0]",
    "{a}[0, 0, 0, 0]",
    "{f} & 1",
    "{f} << 1",
    "~{f}",
    "{i} + None",
    "None < {i}",
    "{i} + (1, 2)",
    "math.nothing({f})",
    "missing",
    "missing({i})",
    "len({i})",
    "cuda.grid({i})",
    "cuda.grid(4)",
    "math.sqrt({i}, {i}, {i})",
    "math.sqrt({a})",
    "float(True)",
    "min({i})",
    "{i} if {i} > 0 else {a}",
    "(1, 2.5, {f})[{i}]",
    "({i}, {f})[2]",
    "({i}, {f}) < {f}",
    "abs({a})",
    "int((1, 2))",
    "min({i}, (1, 2))",
    "abs()",
    "range({f}, 1, 2, 3)",
    "{a} and 1",
    "({a}, 1)[0][0.5]",
    "np.float32({a})",
    "np.float32(1, 2)",
    "min(True, {i})",
    "cuda.nothing(1)",
    "cuda.local.array({i}, np.float32)",
]

MATH_ONE = (
    "sqrt sin cos tan exp log log2 log10 floor ceil trunc fabs erf gamma atan "
    "sinh tanh log1p isnan isinf isfinite"
)
MATH_TWO = "pow atan2 fmod hypot copysign"


def case(rng, category):
    """(source, arguments) of one program."""
    writer = Writer(rng, category)
    parameters, arguments = list("xyz"[: rng.choice([1, 2, 2, 3, 3])]), []
    for name in parameters:
        kind, rough, size, element = argument(rng, category)
        arguments.append(kind)
        writer.names[name] = rough
        writer.ranks[name], writer.sizes[name] = size, element
    module = ""
    closure = []
    if (
        category in ("global", "prune", "range", "loop", "none", "call")
        or rng.random() < 0.1
    ):
        for name in rng.sample(list(GLOBALS), rng.choice([1, 2, 3])):
            text, kind = GLOBALS[name]
            if category == "global" and rng.random() < 0.3:
                closure.append((name.lower(), text))
                writer.constants[name.lower()] = kind
            else:
                module += f"{name} = {text}\n"
                writer.constants[name] = kind
            if kind == "tuple":
                key = (
                    name.lower()
                    if closure and closure[-1][0] == name.lower()
                    else name
                )
                writer.names[key], writer.ranks[key] = "tuple", 2
    if category == "call" or rng.random() < 0.05:
        for name in ["g", "h"][: rng.choice([1, 1, 2])]:
            text, signature = helper(rng, name, category)
            module += text
            writer.helpers[name] = signature
    if category == "cuda":
        for _ in range(rng.randint(1, 3)):
            name = writer.new()
            form = rng.choice(
                [
                    "cuda.grid(1)",
                    "cuda.gridsize(1)",
                    "cuda.threadIdx.x",
                    "cuda.blockIdx.y",
                ]
                + [
                    "cuda.blockDim.x",
                    "cuda.gridDim.z",
                    "cuda.laneid",
                    "cuda.warpsize",
                ]
                + ["cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x"]
                + [
                    "cuda.shared.array(32, np.float32)[0]",
                    "cuda.local.array((2, 3), np.int16)[0, 1]",
                ]
            )
            if rng.random() < 0.25:
                other = writer.new()
                writer.line(f"{name}, {other} = cuda.grid(2)")
                writer.names[other] = "int"
            else:
                writer.line(f"{name} = {form}")
            writer.names[name] = "int"
    if category == "math":
        for _ in range(rng.randint(1, 3)):
            name = writer.new()
            a, b = (
                writer.expression(rng.choice(["int", "float"]), 1),
                writer.expression(rng.choice(["int", "float"]), 1),
            )
            if rng.random() < 0.6:
                writer.line(
                    f"{name} = math.{rng.choice(MATH_ONE.split())}({a})"
                )
            else:
                writer.line(
                    f"{name} = math.{rng.choice(MATH_TWO.split())}({a}, {b})"
                )
            writer.names[name] = "float"
    count = {"expression": 0, "math": 1, "cuda": 2}.get(
        category, 0
    ) or rng.randint(1, 4)
    if category == "expression":
        count = rng.choice([0, 1])
    if category in ("loop", "while", "exit", "range") and rng.random() < 0.8:
        for name in rng.sample("stuv", rng.choice([1, 2])):
            writer.line(
                f"{name} = "
                + rng.choice(
                    ["0", "0.0", "1", "np.float32(0)", "np.int32(0)", "False"]
                    + [writer.atom("int")]
                )
            )
            writer.names[name] = "int" if rng.random() < 0.6 else "float"
    for _ in range(count):
        writer.statement()
    if category == "reject":
        array = writer.pick("array")
        fill = {
            "a": array or "cuda.local.array(4, np.float32)",
            "i": writer.pick("int") or "1",
            "f": writer.pick("float") or "1.5",
        }
        target = writer.new()
        text = rng.choice(REJECTS).format(**fill)
        if rng.random() < 0.3:
            writer.line(f"if {writer.condition(1)}:")
            writer.line(f"    {target} = {text}")
        else:
            writer.line(f"{target} = {text}")
        writer.names[target] = "int"
    if rng.random() < 0.9:
        writer.line(f"return {writer.result()}")
    elif not writer.lines:
        writer.line("pass")
    text = f"def f({', '.join(parameters)}):\n" + "\n".join(writer.lines) + "\n"
    if closure:
        names = ", ".join(name for name, _ in closure)
        inner = "\n".join("    " + line for line in text.splitlines())
        values = ", ".join(value for _, value in closure)
        text = f"def make({names}):\n{inner}\n    return f\n\n\n"
        text += f"f = make({values})\n"
    return HEADER + module + text, arguments


def cases(seed=2026, scale=1.0):
    """All cases: (id, category, source, arguments)."""
    for category, count in CATEGORIES.items():
        rng = random.Random(f"{seed} {category}")
        for number in range(int(count * scale)):
            source, arguments = case(rng, category)
            yield f"{category}-{number:04}", category, source, arguments
