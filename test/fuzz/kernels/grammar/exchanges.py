# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements by which the threads of a warp or of a block exchange values.

Each stands where all threads come by that have not left, or in a branch for
every other lane, whose mask says so. What CUDA leaves open is not written: what
lanes give that have left or do not exist.
"""

from .expressions import Expressions
from .values import CASTS, CLASS, SLOTS

LANES = 32
ALL = "0xFFFFFFFF"
VOTES = {"ballot_sync": "s", "all_sync": "b", "any_sync": "b", "eq_sync": "b"}
#: Types of which bits are compared.
MATCHED = ["int32", "uint32", "int64", "uint64", "float32", "float64"]


class Exchanges(Expressions):
    """The part of a writer that lets threads exchange values."""

    block: int
    #: Whether threads may have returned.
    has_left = False

    def exchange(self, depth):
        """A statement; its result goes into a variable."""
        forms = ["vote", "vote", "halves", "tally", "tally", "match_any"]
        if not self.has_left:
            forms += ["shuffle", "shuffle", "shuffle", "match_all"]
        getattr(self, self.pick(*forms))(depth)

    def into(self, depth, kind, text):
        name = f"{kind}{self.random.randrange(3)}"
        self.emit(depth, f"{name} = {text}")
        self.defined.add(name)
        self.show(depth, name)

    def show(self, depth, name):
        """Lets the host see what an exchange has brought."""
        if self.chance(0.6):
            kind = {"b": "s"}.get(name[0], name[0])
            slot = self.random.randrange(3, SLOTS)
            self.emit(depth, f"out{kind}[t, {slot}] = {name}")

    def varied(self, kind):
        """What usually differs from thread to thread."""
        text = self.expression(kind, 2)
        if self.chance(0.3):
            return text
        if kind == "b":
            return f"({text} ^ (i % {self.pick(2, 3, 5)} == 0))"
        number = "np.uint16(i)" if kind == "u" else "i"
        return f"({text} {self.pick('+', '*')} {number})"

    def predicate(self):
        if self.chance(0.3):
            return f"(i {self.pick('<', '>=')} {self.pick(0, 1, 4)})"
        return self.varied(self.pick(*"bbs"))

    def compared(self):
        """A number that several lanes may have."""
        kind = self.pick(*MATCHED)
        number = f"{self.varied('s')} % {self.pick(1, 2, 3)}"
        if self.chance(0.3):
            number = self.varied(CLASS[kind])
        return f"{CASTS[kind]}({number})"

    def vote(self, depth):
        name = self.pick(*VOTES)
        text = f"cuda.{name}({ALL}, {self.predicate()})"
        self.into(depth, VOTES[name], text)

    def halves(self, depth):
        """Even and odd lanes exchange side by side."""
        name = self.pick(*VOTES, "match_any_sync")
        kind = VOTES.get(name, "s")
        before = set(self.defined)
        self.emit(depth, "if i % 2 == 0:")
        for mask in ("0x55555555", "0xAAAAAAAA"):
            # Only the other way defines what is computed in this one.
            self.defined = set(before)
            value = self.compared() if kind == "s" else self.predicate()
            self.into(depth + 1, kind, f"cuda.{name}({mask}, {value})")
            if mask[2] == "5":
                self.emit(depth, "else:")
        self.defined = before

    def match_any(self, depth):
        text = f"cuda.match_any_sync({ALL}, {self.compared()})"
        self.into(depth, "s", text)

    def match_all(self, depth):
        """Of the lanes that exist, which all warps have."""
        lanes = (self.block - 1) % LANES + 1
        rest = self.block - lanes
        mask = hex((1 << lanes) - 1) if rest == 0 else None
        if not mask:
            self.shuffle(depth)
            return
        a, b = f"s{self.random.randrange(3)}", f"b{self.random.randrange(3)}"
        value = self.compared()
        self.emit(depth, f"{a}, {b} = cuda.match_all_sync({mask}, {value})")
        self.defined |= {a, b}
        self.show(depth, self.pick(a, b))

    def tally(self, depth):
        """A barrier that counts."""
        vote = self.pick("count", "and", "or")
        text = f"cuda.syncthreads_{vote}({self.predicate()})"
        self.into(depth, "s", text)

    def shuffle(self, depth):
        """Within parts of the warp that are whole."""
        kind = self.pick(*"ssufbc")
        value = self.varied(kind)
        width = min(self.block & -self.block, LANES)
        lanes = (self.block - 1) % LANES + 1
        forms = ["up", "index"] + ["down", "xor", "index"] * (width > 1)
        form = self.pick(*forms)
        name, last = f"shfl_{form}_sync", ""
        offset = f"{self.expression('s', 1)} % {width}"
        if form == "up":
            offset = str(self.pick(0, 1, 2, 5))
            if width > 1 and self.chance(0.5):
                last = f", {width}"
        elif form == "down":
            last = f", {width}"
        elif form == "index":
            name = "shfl_sync"
            if width > 1 and self.chance(0.5):
                last = f", {width}"
            else:
                offset = f"{self.expression('s', 1)} % {lanes}"
        elif self.chance(0.5):
            last = f", {width}"
        text = f"cuda.{name}({ALL}, {value}, {offset}{last})"
        self.into(depth, kind, text)
