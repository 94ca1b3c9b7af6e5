# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a kernel from a seed.

What a thread leaves does not depend on the order of threads: it writes to its
own elements, reads arrays that nobody writes to, and shared memory between
barriers that all reach. Sums that threads share are integers.
"""

import random
from typing import NamedTuple

INTEGERS = ["c0", "c1", "c2"]
FLOATS = ["f0", "f1", "d0"]
#: Values that threads differ in, or not.
LEAVES = ["i", "tx", "ty", "x", "u", "w", "bx", *INTEGERS]
#: Of float32 and float64.
FUNCTIONS = ["math.exp", "math.sin", "math.floor", "math.tanh", "abs"]
#: Types of elements that are narrower than what kernels compute.
NARROW = ["int8", "uint8", "bool_", "int16", "uint16", "float16"]
#: Types that a value has before it is stored as one of those.
WIDER = ["np.int32", "np.int32", "np.int16", "np.int64", "np.float32", ""]
#: Numbers of threads beside those of full vectors and warps.
EDGES = [1, 7, 8, 9, 15, 16, 17, 24, 25, 31, 32, 33, 48, 49, 63, 64, 65]

HEAD = """\
@cuda.jit
def kernel(a, g, p, o, m, h, b0, b1, b2, u, w, limit):
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    tz = cuda.threadIdx.z
    bx = cuda.blockIdx.x
    threads = cuda.blockDim.x * cuda.blockDim.y * cuda.blockDim.z
    own = (tz * cuda.blockDim.y + ty) * cuda.blockDim.x + tx
    i = bx * threads + own
    s = cuda.shared.array(256, np.int32)
    e = cuda.shared.array(256, np.float64)
    v = cuda.shared.array(264, np.NARROW)
    sums = cuda.shared.array(8, np.int32)
    if own < 8:
        sums[own] = 0
    s[own & 255] = own
    cuda.syncthreads()
    x = a[i & 1023]
    c0 = x
    c1 = 1
    c2 = tx
    f0 = g[i & 1023]
    f1 = np.float32(1)
    d0 = np.float64(x)
    z = complex(f0, d0)
    q = np.uint64(i)
    k0 = k1 = k2 = 0
"""

#: The place of a thread in its block, counted along x first or along y.
STRAIGHT = "(tz * cuda.blockDim.y + ty) * cuda.blockDim.x + tx"
TURNED = "(tz * cuda.blockDim.x + tx) * cuda.blockDim.y + ty"

TAIL = """\
    cuda.syncthreads()
    if own < 8:
        h[bx * 8 + own] = sums[own]
    if i < o.shape[0]:
        o[i, 0] = o[i, 0] + c0 + 3 * c1
        o[i, 1] = c2 + k0 + 5 * k1 + np.int64(q)
        m[i, 0] = f0
        m[i, 1] = f1
        m[i, 2] = d0
        m[i, 3] = z.real
        m[i, 4] = z.imag
"""


class Writer:
    """Writes the body of one kernel."""

    def __init__(self, seed: int):
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.loops = 0
        #: Whether threads exchange values within warps.
        self.exchanges = self.random.random() < 0.4
        #: Whether threads may leave before the end.
        self.returns = self.random.random() < 0.4
        #: Whether threads find neighbouring elements along y.
        self.turned = random.Random(~seed).random() < 0.4
        #: The types of the narrow outputs, and of a narrow shared array.
        self.narrow = [self.choose(*NARROW) for _ in range(3)]
        self.narrow_shared = self.choose(*NARROW)

    def choose(self, *items: str) -> str:
        return self.random.choice(items)

    # Expressions.

    def integer(self, depth: int = 0) -> str:
        r = self.random.random()
        if depth > 2 or r < 0.35:
            return self.choose(*LEAVES, str(self.random.randint(-3, 9)))

        def more() -> str:
            return self.integer(depth + 1)

        if r < 0.55:
            operator = self.choose("+", "-", "*", "^", "&", "|")
            return f"({more()} {operator} {more()})"
        if r < 0.66:
            return f"a[{self.index(depth)}]"
        if r < 0.72:
            return f"p[{self.choose('u', 'w', 'bx', 'k0', 'tx')} & 7]"
        if r < 0.78:
            divisor = self.choose("3", "7", "(p[u & 7] | 1)", "((tx & 3) + 1)")
            return f"({more()} {self.choose('//', '%')} {divisor})"
        if r < 0.84:
            return f"({more()} if {self.condition(depth + 1)} else {more()})"
        if r < 0.90:
            return f"{self.choose('min', 'max')}({more()}, {more()})"
        if r < 0.95:
            return f"({more()} {self.choose('>>', '<<')} ({more()} & 7))"
        return f"int({self.choose(*FLOATS)})"

    def real(self, depth: int = 0) -> str:
        r = self.random.random()
        if depth > 2 or r < 0.4:
            element = f"g[{self.index(depth)}]"
            return self.choose(*FLOATS, element, "np.float32(0.5)")

        def more() -> str:
            return self.real(depth + 1)

        if r < 0.7:
            return f"({more()} {self.choose('+', '-', '*')} {more()})"
        if r < 0.85:
            return f"{self.choose(*FUNCTIONS)}({more()})"
        if r < 0.93:
            return f"{self.choose('min', 'max')}({more()}, {more()})"
        if r < 0.96:
            return f"z.{self.choose('real', 'imag')}"
        return f"np.float32({self.integer(depth + 1)})"

    def index(self, depth: int = 0) -> str:
        return self.choose(
            "i & 1023",
            "(i + c0) & 1023",
            "(tx + u) & 1023",
            "(i * 2 + 1) & 1023",
            f"{self.integer(depth + 1)} & 1023",
        )

    def condition(self, depth: int = 0) -> str:
        r = self.random.random()

        def more() -> str:
            return self.integer(depth + 1)

        if r < 0.2:
            operator = self.choose("<", ">", "==", "!=", "<=", ">=")
            return f"{more()} {operator} {more()}"
        if r < 0.45:
            return self.choose(
                *("tx < u", "i < limit", "x > 2", "tx & 1 == 0", "u > 3"),
                *("w == 2", "p[u & 7] > 2", "ty > w", "c0 < c1", "tx > ty"),
                *(
                    "i >= 5",
                    "tx + u < 20",
                    "q < limit",
                    "f0 < f1",
                    "z.real > 1",
                ),
                *(self.edge() for _ in range(6)),
            )
        if r < 0.6 and depth < 3:
            left, right = (self.condition(depth + 1) for _ in range(2))
            return f"({left} {self.choose('and', 'or')} {right})"
        if r < 0.65 and depth < 3:
            return f"not ({self.condition(depth + 1)})"
        divisor, other = self.random.randint(2, 7), self.random.randint(0, 3)
        operator = self.choose("==", "<", "!=")
        return f"{more()} % {divisor} {operator} {other}"

    def edge(self) -> str:
        """A comparison of a thread's place with a constant of the block."""
        own = self.choose("own", "own", "tx", "i")
        if self.random.random() < 0.3:
            last = "cuda.blockDim.x - 1" if own == "tx" else "threads - 1"
            return f"{own} {self.choose('>=', '<', '==', '!=')} {last}"
        edge = self.random.choice(EDGES)
        return f"{own} {self.choose('>=', '<', '>', '==')} {edge}"

    # Statements.

    def write(self, level: int, text: str) -> None:
        self.lines.append("    " * level + text)

    def block(self, level: int, in_loop: bool, count: int = 0) -> None:
        for _ in range(count or self.random.randint(1, 3)):
            self.statement(level, in_loop)

    def statement(self, level: int, in_loop: bool) -> None:
        r = self.random.random()
        if level > 4:
            r *= 0.45
        if r < 0.45:
            self.plain(level, r)
        elif r < 0.66:
            self.branch(level, in_loop)
        elif r < 0.88:
            self.loop(level, in_loop, r < 0.80)
        elif r < 0.91:
            self.division(level)
        elif in_loop:
            self.write(level, f"if {self.condition()}:")
            self.write(level + 1, self.choose("break", "continue"))
        elif self.returns and level > 1:
            self.write(level, f"if {self.condition()}:")
            self.write(level + 1, "return")
        else:
            self.write(level, f"c1 += {self.integer()}")

    def division(self, level: int) -> None:
        """Nothing but the condition keeps threads from dividing by 0.

        Both numbers may be the same for a row, which then divides scalars.
        """
        rows = ["ty", "p[ty & 7]", "p[(ty + tz) & 7]"]
        divisor = self.choose(*rows, self.integer())
        self.write(level, f"divisor = {divisor}")
        test = f"divisor {self.choose('>', '<', '!=')} 0"
        if self.random.random() < 0.5:
            test += f" and {self.condition()}"
        self.write(level, f"if {test}:")
        dividend = self.choose(*rows, "1000", self.integer())
        operator = self.choose("%", "//")
        self.write(level + 1, f"c1 += {dividend} {operator} divisor")

    def plain(self, level: int, r: float) -> None:
        if r < 0.22:
            operator = self.choose("=", "+=", "^=", "-=")
            name = self.choose(*INTEGERS)
            self.write(level, f"{name} {operator} {self.integer()}")
        elif r < 0.30:
            name = self.choose(*FLOATS)
            kind = "np.float64" if name == "d0" else "np.float32"
            self.write(level, f"{name} = {kind}({self.real()})")
        elif r < 0.32:
            number = f"complex({self.real()}, {self.choose(*FLOATS)})"
            self.write(level, f"z {self.choose('=', '+=', '*=')} {number}")
        elif r < 0.34:
            self.write(level, f"q += np.uint64({self.random.randint(1, 5)})")
        elif r < 0.39:
            self.write(level, "if i < o.shape[0]:")
            self.write(level + 1, f"o[i, 0] += {self.integer()}")
        elif r < 0.42:
            number = self.integer()
            place = f"{self.integer()} & 7"
            self.write(level, f"cuda.atomic.add(sums, {place}, {number})")
        elif r < 0.435:
            self.narrow_store(level)
        else:
            self.write(level, f"c2 = a[{self.index()}]")

    def narrow_store(self, level: int) -> None:
        """A wider value into the thread's own element of a narrow output."""
        number = self.random.randrange(3)
        kinds = [self.integer, self.integer, self.real]
        value = self.random.choice(kinds)()
        if self.random.random() < 0.4:
            value = self.choose("a[i & 1023]", "a[own]", "g[i & 1023]")
        wider = self.choose(*WIDER)
        self.write(level, f"b{number}[i] = {wider}({value})")

    def narrow_outputs(self) -> None:
        """The end of a kernel: narrow outputs, some for few threads."""
        for number in range(3):
            level = 1
            if self.random.random() < 0.5:
                self.write(1, f"if {self.edge()}:")
                level = 2
            value = self.choose(*INTEGERS, *FLOATS, "a[i & 1023]", "own")
            wider = self.choose(*WIDER)
            self.write(level, f"b{number}[i] = {wider}({value})")

    def branch(self, level: int, in_loop: bool) -> None:
        self.write(level, f"if {self.condition()}:")
        self.block(level + 1, in_loop)
        if self.random.random() < 0.2:
            self.write(level, f"elif {self.condition()}:")
            self.block(level + 1, in_loop)
        if self.random.random() < 0.5:
            self.write(level, "else:")
            self.block(level + 1, in_loop)

    def loop(self, level: int, in_loop: bool, counts: bool) -> None:
        self.loops += 1
        if counts:
            turns = self.choose(
                *("4", "u & 3", "x & 7", "tx & 3, 5", "5, -3, -2"),
                *("ty & 3, x & 7, 2", "c0 & 3"),
            )
            self.write(level, f"for k{self.loops % 3} in range({turns}):")
            self.block(level + 1, True)
            if self.random.random() < 0.2:
                self.write(level, "else:")
                self.block(level + 1, in_loop, 1)
            return
        name = f"n{self.loops}"
        limit = self.choose("6", "(x & 7)", "(tx & 3) + 2")
        more = self.choose("", f" and {self.condition()}")
        self.write(level, f"{name} = 0")
        self.write(level, f"while {name} < {limit}{more}:")
        self.write(level + 1, f"{name} += {self.random.randint(1, 2)}")
        self.block(level + 1, True)

    def meeting(self) -> None:
        """What all threads do together."""
        if self.returns:
            return
        self.write(1, "cuda.syncthreads()")
        self.write(1, f"s[own & 255] = {self.integer()}")
        self.write(1, "cuda.syncthreads()")
        self.places()
        # Blocks have 8 threads at least.
        self.write(1, f"c1 ^= s[{self.integer()} & 7]")
        self.narrow_cells()
        if self.exchanges:
            lane = self.choose("tx ^ 1", "u", "(tx + 3) & 31", "tx & 12")
            self.write(1, f"c2 += cuda.shfl_sync(-1, c0, {lane})")
            way, by = self.choose("up", "down", "xor"), self.choose("1", "4")
            self.write(1, f"f1 += cuda.shfl_{way}_sync(-1, f0, {by})")
            self.write(1, f"vote = cuda.ballot_sync(-1, {self.condition()})")
            self.write(1, "c0 ^= vote & 0x7FFFFFFF")
            self.parts_of_warps()

    def narrow_cells(self) -> None:
        """Elements of a narrow shared array, and those behind the block's."""
        self.write(1, "if own < 5:")
        self.write(2, "v[threads + own] = own + 1")
        self.write(1, "cuda.syncthreads()")
        level = 1
        if self.random.random() < 0.5:
            self.write(1, "v[own] = own")
            self.write(1, "cuda.syncthreads()")
            self.write(1, f"if {self.edge()}:")
            level = 2
        value = self.choose("a[own]", "c0", "c1", "f0", self.integer())
        self.write(level, f"v[own] = {self.choose(*WIDER)}({value})")
        self.write(1, "cuda.syncthreads()")
        by = self.choose("0", "1", "2", "5")
        self.write(1, f"c1 += int(v[own + {by}])")

    def places(self) -> None:
        """Elements of a shared array at places that constants name."""
        self.write(1, f"e[own] = {self.real()}")
        self.write(1, "cuda.syncthreads()")
        by = self.choose("1", "2", "16", "21", "64")
        place = self.choose(
            *(f"own ^ {by}", f"own + {by}", f"255 - own - {by}", f"own * {by}"),
            *(f"(own << 1) + {by}", "own // 3", by),
        )
        self.write(1, f"if own < {self.choose('9', '40', '256', 'limit')}:")
        self.write(2, f"f0 = f0 + e[({place}) % threads]")
        self.write(1, "cuda.syncthreads()")
        self.write(1, f"half = {self.choose('8', '4', '6')}")
        self.write(1, "while half > 0:")
        more = self.choose("", " and i < limit")
        self.write(2, f"if own < half and own + half < threads{more}:")
        self.write(3, "e[own] += e[own + half]")
        self.write(2, "cuda.syncthreads()")
        self.write(2, "half //= 2")
        self.write(1, f"f1 = f1 + e[{self.choose('0', '3', 'own')}]")

    def parts_of_warps(self) -> None:
        """What threads do together for which something holds."""
        self.write(1, f"on = {self.condition()}")
        self.write(1, "lanes = cuda.ballot_sync(-1, on)")
        self.write(1, "if on:")
        way, by = self.choose("up", "down", "xor"), self.choose("1", "u & 15")
        self.write(2, f"f0 += cuda.shfl_{way}_sync(lanes, f1, {by})")
        lane = self.choose("tx + 1", "tx & 9", "cuda.ffs(lanes) - 1")
        width = self.choose("32", "16", "8", "2")
        self.write(2, f"c1 -= cuda.shfl_sync(lanes, c2, {lane}, {width})")
        kind = self.choose("all", "any", "eq")
        self.write(2, f"if cuda.{kind}_sync(lanes, {self.condition()}):")
        self.write(3, "c0 ^= cuda.popc(cuda.ballot_sync(lanes, c1 > 0))")


#: In place of shared memory, for threads that never meet.
ALONE = {
    "    s = cuda.shared.array(256, np.int32)\n": "    s = a\n",
    "    e = cuda.shared.array(256, np.float64)\n": "",
    "    v = cuda.shared.array(264, np.NARROW)\n": "",
    "    sums = cuda.shared.array(8, np.int32)\n": "    sums = h\n",
    "    if own < 8:\n        sums[own] = 0\n": "",
    "    s[own & 255] = own\n": "",
    "    cuda.syncthreads()\n": "",
    "    if own < 8:\n        h[bx * 8 + own] = sums[own]\n": "",
}


#: Shapes of blocks with full warps or vectors, and others.
USUAL = [(32, 1), (64, 1), (16, 8), (8, 8), (32, 4), (256, 1), (48, 1)]
USUAL += [(7, 3), (16, 4), (1, 16), (33, 2), (16, 1), (20, 12), (4, 4, 4)]
#: Shapes with one thread more than some vectors have lanes.
ONE_MORE = [(9, 1), (17, 1), (17, 1), (25, 1), (33, 1), (41, 1), (49, 1)]
ONE_MORE += [(65, 1), (97, 1), (129, 1), (1, 17), (1, 33), (3, 3), (3, 11)]
ONE_MORE += [(11, 3), (7, 7), (5, 13), (13, 5), (19, 3), (13, 13), (17, 9)]
ONE_MORE += [(3, 3, 9), (3, 5, 7), (1, 1, 17), (9, 1, 9), (11, 1, 3)]


class Kernel(NamedTuple):
    """A kernel, and what it is to be run with."""

    text: str
    #: Shapes of blocks that may run it.
    shapes: list[tuple[int, ...]]
    #: The type of `a`.
    elements: str
    #: The types of `b0`, `b1` and `b2`.
    narrow: list[str]


def kernel(seed: int, alone: bool = False) -> Kernel:
    """The kernel of a seed; its threads meet, unless each is `alone`."""
    writer = Writer(seed)
    writer.returns |= alone
    if writer.returns and writer.random.random() < 0.7:
        condition = writer.choose("i >= limit", writer.edge(), writer.edge())
        writer.write(1, f"if {condition}:")
        writer.write(2, "return")
    for _ in range(writer.random.randint(1, 2)):
        writer.block(1, False, writer.random.randint(2, 4))
        writer.meeting()
    head, tail = HEAD, TAIL
    if writer.turned:
        head = head.replace(STRAIGHT, TURNED)
    if alone:
        for old, new in ALONE.items():
            head, tail = head.replace(old, new), tail.replace(old, new)
    elif writer.returns:
        # A thread that has left does not come to the last barrier either.
        tail = tail.replace("    cuda.syncthreads()\n", "", 1).replace(
            "        h[bx * 8 + own] = sums[own]\n", "        pass\n", 1
        )
    head = head.replace("NARROW", writer.narrow_shared)
    end = len(writer.lines)
    writer.narrow_outputs()
    body, outputs = writer.lines[:end], writer.lines[end:]
    return Kernel(
        head + "\n".join(body) + "\n" + tail + "\n".join(outputs) + "\n",
        [*writer.random.sample(ONE_MORE, 2), writer.random.choice(USUAL)],
        writer.choose("int64", "int32", "int32", "int16"),
        writer.narrow,
    )
