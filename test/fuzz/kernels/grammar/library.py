# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of NumPy's functions and of builtins, by the class of their result."""

from .values import CASTS, FLOATS, SIGNED, UNSIGNED

CLASSES = {"s": SIGNED, "u": UNSIGNED, "f": FLOATS}
#: Builtin and NumPy types that a number may be an instance of.
TYPES_OF_NUMBERS = ["int", "float", "complex", "(int, float)"]


class Library:
    """The part of a writer that calls the library."""

    def several(self, kinds, depth):
        return [self.expression(kind, depth) for kind in kinds]

    def listed(self, kinds, depth):
        return ", ".join(self.several(kinds, depth))

    def number_of_library(self, kind, depth):
        """An integer or a float; `kind` is its class."""
        form = self.random.randrange(8)
        if form == 0:
            name = self.pick("minimum", "maximum")
            text = f"np.{name}({self.listed(kind * 2, depth)})"
        elif form == 1:
            name = self.pick("abs", "absolute")
            text = f"np.{name}({self.expression(kind, depth)})"
        elif form == 2:
            text = f"np.sign({self.expression(kind, depth)})"
        elif form == 3:
            text = f"np.where({self.listed('b' + kind + kind, depth)})"
        elif form == 4:
            text = f"np.clip({self.listed(kind * 3, depth)})"
        elif form == 5:
            name = self.pick("add", "subtract", "subtract", "multiply")
            text = f"np.{name}({self.listed(kind * 2, depth)})"
        elif form == 6:
            item = self.pick("0", "1", "-1")
            text = f"divmod({self.listed(kind * 2, depth)})[{item}]"
        else:
            cast = CASTS[self.pick(*CLASSES[kind])]
            texts = self.several(kind * self.pick(2, 3), depth)
            items = ", ".join(f"{cast}({text})" for text in texts)
            names = ["min", "max"] if kind == "u" else ["sum", "min", "max"]
            name = self.pick(*names)
            text = f"{name}(({items}))"
        # Which of two zeros is the smaller is not said.
        return f"({text} + 0)" if kind == "f" else text

    def bits_of_library(self, kind, depth):
        name = self.pick("bitwise_and", "bitwise_or", "bitwise_xor")
        return f"np.{name}({self.listed(kind * 2, depth)})"

    def truth_of_library(self, depth):
        form = self.random.randrange(4)
        kind = self.pick(*"suf")
        if form == 0:
            name = self.pick("logical_and", "logical_or", "logical_xor")
            return f"np.{name}({self.listed(kind + self.pick(*'sufb'), depth)})"
        if form == 1:
            classes = self.pick(*TYPES_OF_NUMBERS)
            value = self.expression(self.pick(*"sufc"), depth)
            return f"isinstance({value}, {classes})"
        if form == 2:
            name = self.pick("minimum", "maximum", "add", "multiply")
            return f"np.{name}({self.listed('bb', depth)})"
        return self.reduction(["any", "all"], "sufb") or self.leaf("b")

    def reduction(self, names, classes):
        """What is exact of all elements of an array; None without one."""
        # The compiler crashes on conditions that reduce what the kernel sets.
        fitting = [
            name
            for name, (kind, _) in self.arrays.items()
            if kind in classes and name[0] == "a"
        ]
        if not fitting:
            return None
        array, name = self.pick(*fitting), self.pick(*names)
        forms = [f"{array}.{name}()", f"np.{name}({array})"]
        if name in ("min", "max") and len(self.arrays[array][1]) == 1:
            forms.append(f"{name}({array})")
        if name == "count_nonzero":
            del forms[0]
        return self.pick(*forms)

    def integer_of_library(self, kind, depth):
        form = self.random.randrange(5)
        if form < 2:
            return self.number_of_library(kind, depth)
        if form == 2:
            return self.bits_of_library(kind, depth)
        names = ["sum", "prod", "min", "max"]
        if kind == "s" and form == 3:
            numbers = ["argmin", "argmax", "count_nonzero"]
            return self.reduction(numbers, "sub") or self.leaf(kind)
        return self.reduction(names, kind) or self.leaf(kind)
