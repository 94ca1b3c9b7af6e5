# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which lanes of a warp exchange values: all of them or some.

Each form stands where all threads of the block come by that have not left.
"""

from . import groups
from .exchanges import Exchanges
from .groups import ALL, LANES


class Meetings(Exchanges):
    """The part of a writer that lets the threads of a block meet."""

    #: Whether threads may have returned.
    has_left = False

    def exchange(self, depth):
        """Something that the threads of a block do together."""
        forms = ["everyone"] * 4 + ["halves", "tally", "beginning", "segments"]
        forms += ["chosen", "matched", "active", "repeated", "hand_on"]
        getattr(self, self.pick(*forms))(depth)

    def of_warp(self, depth):
        """Something that the threads of a warp do together."""
        forms = ["everyone", "halves", "beginning", "segments"]
        getattr(self, self.pick(*forms, "chosen", "matched"))(depth)

    def everyone(self, depth):
        mask = self.pick(ALL, ALL, groups.mask_of_all(self.block))
        if self.chance(0.1):
            self.emit(depth, "cuda.syncwarp()")
        self.together(depth, groups.of_all(self.block, self.has_left, mask))

    def ways(self, depth, test, *met):
        """A branch in which one group meets, and one in which another does."""
        before = set(self.defined)
        self.emit(depth, f"if {test}:")
        for number, group in enumerate(met):
            if number:
                self.emit(depth, "else:")
            # Only the other way defines what is computed in this one.
            self.defined = set(before)
            for _ in range(self.pick(1, 1, 2)):
                self.together(depth + 1, group)
        self.defined = before

    def halves(self, depth):
        """Even and odd lanes exchange side by side."""
        own = self.pick("i", "cuda.laneid")
        met = [
            groups.of_every_other(self.block, first, self.has_left)
            for first in (0, 1)
        ]
        self.ways(depth, f"{own} % 2 == 0", *met)

    def beginning(self, depth):
        """The first lanes of each warp exchange, and mostly the others do."""
        count = self.random.randrange(1, groups.least(self.block) + 1)
        met = [groups.of_first(count, self.has_left)]
        if self.chance(0.6) and count < LANES:
            met.append(groups.of_others(count, self.block, self.has_left))
        self.ways(depth, f"cuda.laneid < {count}", *met)

    def mask(self, depth, text, kind="s"):
        """A variable that holds a mask."""
        self.count += 1
        name = f"m{self.count}"
        self.emit(depth, f"{name} = {text}")
        self.show(depth, name, kind)
        return name

    def segments(self, depth):
        """Lanes side by side, each segment with a mask of its own."""
        size = self.pick(2, 4, 8, 16)
        ones = hex((1 << size) - 1)
        text = f"{ones} << cuda.laneid // {size} * {size}"
        name = self.mask(depth, self.pick(text, f"np.uint32({text})"))
        group = groups.of_segment(name, size, self.block, self.has_left)
        for _ in range(self.pick(1, 2)):
            self.together(depth, group)

    def chosen(self, depth):
        """Those for which something holds, and mostly the others."""
        self.count += 1
        holds = f"b{200 + self.count}"
        self.emit(depth, f"{holds} = {self.varied('b')}")
        name = self.mask(depth, f"cuda.ballot_sync({ALL}, {holds})")
        if self.chance(0.3):
            self.append(depth, holds, name)
            return
        met = [groups.of_found(name)]
        if self.chance(0.5):
            met.append(groups.Group(f"~{name}", is_exact=False))
        self.ways(depth, holds, *met)

    def matched(self, depth):
        """Those that have the same value, each group for itself."""
        text = f"cuda.match_any_sync({ALL}, {self.compared()})"
        name = self.mask(depth, text)
        for _ in range(self.pick(1, 2)):
            self.together(depth, groups.of_found(name))

    def active(self, depth):
        """Those that run together: all of the warp, just behind a barrier."""
        if self.has_left:
            self.everyone(depth)
            return
        if self.lines[-1].strip() != "cuda.syncthreads()":
            self.emit(depth, "cuda.syncwarp()")
        name = self.mask(depth, "cuda.activemask()", "u")
        if self.chance(0.5):
            self.together(depth, groups.of_all(self.block, False, name))

    def tally(self, depth):
        """A barrier that counts."""
        vote = self.pick("count", "and", "or")
        text = f"cuda.syncthreads_{vote}({self.predicate()})"
        self.into(depth, "s", text)

    def repeated(self, depth):
        """A loop that each warp leaves when its last lane is done."""
        self.count += 1
        turns = f"n{self.count}"
        goes_on, limit = self.ticket(), self.ticket()
        before = set(self.defined)
        self.emit(depth, f"{turns} = 0")
        self.emit(depth, f"{limit} = {self.varied('s')} % {self.pick(2, 3, 4)}")
        # The typing rules see that a loop runs that begins with True; the
        # evaluator, which types a condition once, does not.
        self.emit(depth, f"{goes_on} = {limit} < {turns} + 9")
        self.emit(depth, f"while {goes_on}:")
        self.emit(depth + 1, f"{turns} += 1")
        self.of_warp(depth + 1)
        self.emit(
            depth + 1,
            f"{goes_on} = cuda.any_sync({ALL}, {turns} < {limit})",
        )
        self.defined = before
