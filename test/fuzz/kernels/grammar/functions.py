# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device functions, nested functions and lambdas."""

from .expressions import Callee
from .statements import Statements

DEFAULTS = {"s": "-3", "u": "7", "f": "0.25", "b": "True", "c": "2j"}


class Functions(Statements):
    """The part of a writer that writes functions."""

    def device_functions(self):
        """Those above the kernel; each may call those before it."""
        forms = [self.device_function, self.device_function]
        forms += [self.function_of_rest, self.function_of_function]
        forms.append(self.function_of_none)
        for number in range(self.pick(0, 1, 2, 2)):
            self.pick(*forms)(f"g{number}")

    def parameters(self, names):
        """(texts of parameters, how many have defaults)"""
        defaults = self.random.randrange(len(names) + 1)
        texts = list(names)
        for i in range(len(names) - defaults, len(names)):
            texts[i] += f"={DEFAULTS[names[i][0]]}"
        return texts, defaults

    def device_function(self, name):
        kinds = [self.pick(*"sufbc") for _ in range(self.pick(1, 2, 3))]
        names = [f"{kind}{n}" for n, kind in enumerate(kinds)]
        texts, defaults = self.parameters(names)
        self.returns = self.pick(*"sfppcooww")
        self.define_device(name, ["t", *texts], names)
        self.functions.append(
            Callee(name, self.returns, ("t", *names), defaults)
        )

    def define_device(self, name, texts, names):
        self.in_kernel, self.defined = False, set(names)
        self.emit(0, "@cuda.jit(device=True)")
        self.emit(0, f"def {name}({', '.join(texts)}):")
        functions = self.functions
        self.suite(1, 0, False)
        self.functions = functions
        if self.defined is not None:
            self.give(1)

    def function_of_rest(self, name):
        """One that takes any number of numbers of one type."""
        self.in_kernel, self.defined = False, {"s0"}
        self.emit(0, "@cuda.jit(device=True)")
        self.emit(0, f"def {name}(t, s0, *rest):")
        kind = self.pick("s", "f")
        self.emit(1, f"{kind}1 = {self.expression(kind)}")
        self.emit(1, f"for {kind}2 in rest:")
        self.emit(2, f"{kind}1 {self.pick('+', '-', '*')}= {kind}2")
        self.emit(1, f"return {kind}1 + len(rest)")
        self.functions.append(Callee(name, kind, ("t", "s0"), 0, kind))

    def function_of_none(self, name):
        """One with an argument that is None unless it is given."""
        kind, returns = self.pick(*"sf"), self.pick(*"sf")
        self.in_kernel, self.defined = False, {"s0"}
        self.emit(0, "@cuda.jit(device=True)")
        self.emit(0, f"def {name}(t, s0, {kind}9=None):")
        self.emit(1, f"if {kind}9 is None:")
        self.emit(2, f"return {self.expression(returns)}")
        self.defined = {"s0", f"{kind}9"}
        self.emit(1, f"return {self.expression(returns)}")
        parameters = "t", "s0", f"{kind}9"
        self.functions.append(Callee(name, returns, parameters, 1))

    def function_of_function(self, name):
        """One that calls an argument."""
        kind = self.pick("s", "f")
        self.in_kernel, self.defined = False, {"s0"}
        self.emit(0, "@cuda.jit(device=True)")
        self.emit(0, f"def {name}(t, function, s0):")
        first = self.expression("s")
        self.emit(1, f"{kind}1 = function({first})")
        if self.chance(0.5):
            self.emit(1, f"if {self.expression('b')}:")
            self.emit(2, f"return {kind}1")
        self.emit(1, f"return function(s0) + {kind}1")
        self.functions.append(
            Callee(name, kind, ("t", f"function_{kind}", "s0"), 0)
        )

    def nested(self, depth):
        """A nested function or a lambda under a name."""
        self.count += 1
        name = f"h{self.count}"
        kinds = [self.pick(*"sufc") for _ in range(self.pick(1, 1, 2))]
        names = [
            f"{kind}{100 + self.count + n}" for n, kind in enumerate(kinds)
        ]
        texts, defaults = self.parameters(names)
        returns = self.pick(*"sfc")
        outer, callable = set(self.defined), self.functions
        self.defined |= set(names)
        # A nested function that captures another one is another matter.
        self.functions = [f for f in callable if f.name[0] != "h"]
        present, self.present = self.present, frozenset()
        if not self.has_lambda and self.chance(0.4):
            self.has_lambda = True
            value = self.expression(returns)
            self.emit(depth, f"{name} = lambda {', '.join(texts)}: {value}")
        else:
            self.emit(depth, f"def {name}({', '.join(texts)}):")
            if self.chance(0.4):
                self.emit(depth + 1, f"if {self.expression('b')}:")
                self.emit(depth + 2, f"return {self.expression(returns)}")
            self.emit(depth + 1, f"return {self.expression(returns)}")
        self.defined, self.present = outer, present
        callee = Callee(name, returns, tuple(names), defaults)
        self.functions = [*callable, callee]
