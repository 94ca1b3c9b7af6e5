# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements by which the lanes of a warp exchange values.

Each is one call that names a group of lanes, all of which make it. What CUDA
leaves open is not written: what lanes give that have left, do not exist, or
are not of the group.
"""

from .atomics import Atomics
from .groups import LANES
from .values import CASTS, CLASS, FLOATS, SIGNED, SLOTS, UNSIGNED

VOTES = {"ballot_sync": "s", "all_sync": "b", "any_sync": "b", "eq_sync": "b"}
#: Types of which bits are compared.
MATCHED = ["int32", "uint32", "int64", "uint64", "float32", "float64"]
LANE_MASKS = ["eq", "lt", "le", "gt", "ge"]
NARROW = {"s": SIGNED, "u": UNSIGNED, "f": FLOATS}
#: How often each form is written; `group` may not allow it.
FORMS = {
    "vote": 3,
    "match_any": 1,
    "match_all": 2,
    "reduce": 4,
    "election": 1,
    "wait": 1,
    "rank": 3,
    "shuffle": 6,
    "cell": 1,
}


class Exchanges(Atomics):
    """The part of a writer that lets lanes exchange values."""

    #: The type of `lanes`, of which each thread has a cell.
    kind_of_lanes: str

    def together(self, depth, group):
        """One call of a group of lanes; its result goes into a variable."""
        forms = [name for name, times in FORMS.items() for _ in range(times)]
        getattr(self, self.pick(*forms))(depth, group)

    def into(self, depth, kind, text):
        name = f"{kind}{self.random.randrange(3)}"
        self.emit(depth, f"{name} = {text}")
        self.defined.add(name)
        self.show(depth, name)

    def show(self, depth, name, kind=None):
        """Lets the host see what an exchange has brought."""
        if self.chance(0.6):
            kind = {"b": "s"}.get(name[0], kind or name[0])
            slot = self.random.randrange(3, SLOTS)
            self.emit(depth, f"out{kind}[t, {slot}] = {name}")

    def varied(self, kind):
        """What usually differs from thread to thread."""
        text = self.expression(kind, 2)
        if self.chance(0.3):
            return text
        own = self.pick("i", "i", "cuda.laneid", "i % cuda.warpsize")
        if kind == "b":
            return f"({text} ^ ({own} % {self.pick(2, 3, 5)} == 0))"
        number = f"np.uint16({own})" if kind == "u" else f"({own})"
        return f"({text} {self.pick('+', '*')} {number})"

    def predicate(self):
        if self.chance(0.3):
            own = self.pick("i", "cuda.laneid")
            return f"({own} {self.pick('<', '>=')} {self.pick(0, 1, 4, 20)})"
        return self.varied(self.pick(*"bbs"))

    def compared(self):
        """A number that several lanes may have."""
        kind = self.pick(*MATCHED)
        number = f"{self.varied('s')} % {self.pick(1, 2, 3)}"
        if self.chance(0.3):
            number = self.varied(CLASS[kind])
        number = f"{CASTS[kind]}({number})"
        # A NaN of x86 may have a sign, and another if it was folded.
        return f"abs({number})" if kind in FLOATS else number

    def vote(self, depth, group):
        name = self.pick(*VOTES)
        text = f"cuda.{name}({group.mask}, {self.predicate()})"
        self.into(depth, VOTES[name], text)

    def match_any(self, depth, group):
        text = f"cuda.match_any_sync({group.mask}, {self.compared()})"
        self.into(depth, "s", text)

    def match_all(self, depth, group):
        if not group.is_exact:
            self.match_any(depth, group)
            return
        a, b = f"s{self.random.randrange(3)}", f"b{self.random.randrange(3)}"
        text = f"cuda.match_all_sync({group.mask}, {self.compared()})"
        self.emit(depth, f"{a}, {b} = {text}")
        self.defined |= {a, b}
        self.show(depth, self.pick(a, b))

    def reduce(self, depth, group):
        """One number of all; sums of floats are small integers, so exact."""
        name = self.pick("add", "add", "min", "max", "and", "or", "xor")
        kind = self.pick(*"ssuf" if name in ("add", "min", "max") else "ssub")
        value = self.varied("s" if kind == "f" and name == "add" else kind)
        if kind == "f" and name == "add":
            value = f"{value} % {self.pick(2, 50)} - {self.pick(0, 25)}"
        if kind != "b" and (value[-1] != ")" or self.chance(0.7)):
            value = f"{CASTS[self.pick(*NARROW[kind])]}({value})"
        text = f"cuda.reduce_{name}_sync({group.mask}, {value})"
        if kind == "f":
            # Which of two zeros is the smaller is not said.
            self.emit(depth, f"f9 = {text}")
            text = "f9 + 0"
        self.into(depth, kind, text)

    def election(self, depth, group):
        """One lane, of which the others know; it may act for all."""
        name = f"b{self.random.randrange(3)}"
        self.emit(depth, f"{name} = cuda.elect_sync({group.mask})")
        self.defined.add(name)
        self.show(depth, name)
        if self.chance(0.5):
            self.emit(depth, f"if {name}:")
            self.change(depth + 1)

    def wait(self, depth, group):
        self.emit(depth, f"cuda.syncwarp({group.mask})")

    def rank(self, depth, group):
        """How many of the lanes stand before the thread, or behind."""
        text = f"cuda.lanemask_{self.pick(*LANE_MASKS)}()"
        kind = "u"
        if self.chance(0.6):
            kind, text = "s", f"cuda.popc({group.mask} & {text})"
        self.into(depth, kind, text)

    def cell(self, depth, group):
        """What one lane writes, others read behind a barrier of theirs."""
        if group.lane is None:
            self.wait(depth, group)
            return
        kind = CLASS[self.kind_of_lanes]
        self.emit(depth, f"lanes[i] = {self.varied(kind)}")
        self.wait(depth, group)
        lane = group.lane.format(self.expression("s", 1))
        first = f"i // {LANES} * {LANES} + " * (self.block > LANES)
        self.into(depth, kind, f"lanes[{first}{lane}]")
        self.wait(depth, group)

    def shuffle(self, depth, group):
        """Of a lane of the group, within it or within segments of it."""
        forms = ["lane"] * (group.lane is not None) + ["up"] * bool(group.span)
        if group.width > 1:
            forms += ["down", "down", "xor", "xor", "xor", "segment"]
        if not forms:
            self.vote(depth, group)
            return
        kind = self.pick(*"ssufbc")
        value = self.varied(kind)
        name, offset, width = getattr(self, f"from_{self.pick(*forms)}")(group)
        last = f", {width}" if width else ""
        text = f"cuda.{name}({group.mask}, {value}, {offset}{last})"
        self.into(depth, kind, text)

    # (function, last argument but one, width or None) of a shuffle.

    def from_lane(self, group):
        number = self.expression("s", 1)
        return "shfl_sync", group.lane.format(number), None

    def from_segment(self, group):
        width = self.segment(group)
        if group.step == 1 and self.chance(0.5):
            # It is taken modulo the width.
            return "shfl_sync", self.expression("s", 1), width
        number = f"{self.expression('s', 1)} % {width}"
        if width >= group.step:
            number = group.number(number)
        return "shfl_sync", number, width

    def from_up(self, group):
        offset = group.multiple(str(self.pick(0, 1, 2, 5, 8)))
        if group.span < LANES:
            return "shfl_up_sync", offset, group.span
        width = self.pick(None, self.segment(group) if group.width else None)
        return "shfl_up_sync", offset, width

    def from_down(self, group):
        width = self.segment(group)
        number = f"{self.expression('s', 1)} % {self.pick(width, LANES)}"
        return "shfl_down_sync", group.multiple(number), width

    def from_xor(self, group):
        width, extent = None, group.width
        if self.chance(0.5):
            width = self.segment(group)
            # Segments before the own one are in reach.
            extent = LANES if group.span == LANES else width
        number = f"{self.expression('s', 1)} % {extent}"
        return "shfl_xor_sync", group.multiple(number), width

    def segment(self, group):
        """A power of two up to the width, mostly the largest."""
        width = group.width
        if self.chance(0.4):
            width = 1 << self.random.randrange(width.bit_length())
        return max(width, min(group.step, group.width))
