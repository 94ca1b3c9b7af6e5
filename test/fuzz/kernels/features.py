# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The features that programs must have: a construct, an operator, a type.

The evaluator notes a feature when a thread executes it, so dead code does not
count. A name may end in the type of the first operand; `families` forgets it,
since a small sample has every operator and every type, but not every pair.
"""

from collections import Counter
from collections.abc import Iterable

from .grammar.expressions import UNARY_ROUNDED
from .grammar.values import (
    ATOMICS,
    COMPLEXES,
    COUNTED,
    FLOATS,
    REALS,
    SIGNED,
    TYPES,
    UNSIGNED,
)
from .scalars import EXACT_MATH

INTEGERS = [*SIGNED, *UNSIGNED]
BITS = ["bool", *INTEGERS]
WIDE = ["int64", "uint64", "float64", "complex128"]
NUMBERS = REALS[1:]

#: Operators, functions and statements, each with the types it is met with.
TYPED = {
    **dict.fromkeys("Add Sub Mult Div Eq NotEq".split(), TYPES),
    **dict.fromkeys("FloorDiv Mod Pow".split(), REALS),
    **dict.fromkeys("LShift RShift BitAnd BitOr BitXor Invert".split(), BITS),
    **dict.fromkeys("Lt LtE Gt GtE min max int".split(), REALS),
    **dict.fromkeys("UAdd USub Not And Or".split(), TYPES),
    **dict.fromkeys("Add= Sub= Mult=".split(), WIDE),
    **dict.fromkeys("FloorDiv= Mod=".split(), WIDE[:3]),
    **dict.fromkeys("LShift= RShift= BitAnd= BitOr= BitXor=".split(), WIDE[:2]),
    **dict.fromkeys("assign store load abs bool".split(), TYPES),
    "Pow=": WIDE[:2],
    "Div=": WIDE[2:3],
    **dict.fromkeys(
        [".real", ".imag", ".conjugate"], ["int64", *FLOATS[1:], *COMPLEXES]
    ),
    "complex": ["int64", *FLOATS[1:], *COMPLEXES],
    "float": [*INTEGERS, *FLOATS],
    "round": [*SIGNED, *FLOATS],
    **{f"{name} of": REALS for name in NUMBERS},
    **{f"{name} of": TYPES for name in COMPLEXES},
    **{f"math.{name}": FLOATS for name in EXACT_MATH},
    **{
        f"math.{name}": FLOATS
        for name in [*UNARY_ROUNDED, "atan2", "pow", "hypot"]
    },
    "pow": ["int64", *FLOATS[1:]],
    "return": ["int64", *FLOATS, *COMPLEXES],
    "for": TYPES,
    "for range": ["int32", "int64", "uint64"],
    **dict.fromkeys("np.minimum np.maximum np.add np.multiply".split(), REALS),
    **dict.fromkeys("np.subtract np.where np.clip".split(), NUMBERS),
    **dict.fromkeys("np.absolute np.sign divmod".split(), NUMBERS),
    "sum": [*SIGNED, *FLOATS],
    **dict.fromkeys("np.bitwise_and np.bitwise_or".split(), INTEGERS),
    "np.bitwise_xor": INTEGERS,
    **dict.fromkeys("np.logical_and np.logical_or".split(), REALS),
    "np.logical_xor": REALS,
    "isinstance": ["int64", "float64", "complex128"],
    **dict.fromkeys("sum() prod() min() max()".split(), INTEGERS),
    **dict.fromkeys("argmin() argmax() count_nonzero()".split(), BITS),
    **dict.fromkeys("any() all()".split(), REALS),
    "slice =": TYPES,
    "field": TYPES,
    "field =": TYPES,
    "cuda.local.array": TYPES,
    "cuda.shared.array": TYPES,
    **{f"cuda.reduce_{name}_sync": NUMBERS for name in ("add", "min", "max")},
    **{f"cuda.reduce_{name}_sync": BITS for name in ("and", "or", "xor")},
    **{
        f"cuda.atomic.{name} {space}": COUNTED[1::2]
        if name in ("inc", "dec")
        else COUNTED
        for name in [*ATOMICS, "exch", "cas", "inc", "dec"]
        for space in ("shared", "of the block", "of the grid")
    },
}
#: What lanes of a warp do together.
OF_WARPS = [
    *(f"cuda.{name}_sync" for name in "all any eq ballot elect".split()),
    *(f"cuda.{name}_sync" for name in "match_any match_all shfl".split()),
    *(f"cuda.shfl_{name}_sync" for name in "up down xor".split()),
    *(f"cuda.reduce_{name}_sync" for name in "add min max and or xor".split()),
    "cuda.syncwarp",
]
#: What has no type to tell.
PLAIN = (
    """
if|elif|else|while|break|continue|return|return tuple|for tuple
while else|for else|slice Add=|slice Sub=|slice Mult=
slice = array 1-D
assign tuple|assign unpack|statement swap|tuple item|tuple +
conditional expression|chained comparison|undefined reads as 0|global
literal int|literal float|literal bool|literal complex
device function|keyword argument|default argument|*args|starred argument
nested function|lambda|call of a nested function|call of a built-in argument
nested function as an argument|starred target|min of a tuple|max of a tuple
MatchValue|MatchOr|case with a guard
negative index|slice|slice with a step|.T|.size|.ndim|.shape|len
assign array 1-D|assign array 2-D|assign array 3-D
view 1-D of 1-D|view 1-D of 2-D|view 2-D of 2-D|view 1-D of 3-D
view 2-D of 3-D|view 3-D of 3-D
load 1-D C|load 1-D A|load 2-D C|load 2-D F|load 2-D A
load 3-D C|load 3-D F|load 3-D A
cuda.grid|cuda.gridsize|cuda.fma|cuda.syncthreads
cuda.threadIdx.x|cuda.threadIdx.y|cuda.blockIdx.x|cuda.blockDim.x
cuda.gridDim.x|cuda.threadIdx.z|cuda.blockDim.y|far load|far store
cuda.laneid|cuda.warpsize|cuda.popc|cuda.ffs
cuda.lanemask_eq|cuda.lanemask_lt|cuda.lanemask_le|cuda.lanemask_gt
cuda.lanemask_ge
record of an array|nested record|field by name|field by name =|record =
field of an array|assign record|cuda.local.array of records
namedtuple|namedtuple field|assign namedtuple
cuda.syncthreads_count|cuda.syncthreads_and|cuda.syncthreads_or
cuda.activemask|cuda.activemask in a part of a warp
cuda.shfl_sync width|cuda.shfl_up_sync width|cuda.shfl_down_sync width
cuda.shfl_xor_sync width|several warps|exchange after some have left
assign None|None Is|None IsNot|default None|return None
enum operand|enum .value|enum Eq|enum NotEq|enum Is|enum IsNot|enum Lt
enum GtE|assign enum
several targets|:=|comparison of tuples
for np.ndindex|for np.ndenumerate|for enumerate|for zip
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

FEATURES = {f"{name} {kind}" for name, kinds in TYPED.items() for kind in kinds}
FEATURES |= set(PLAIN) | set(OF_WARPS)
FEATURES |= {f"{name} of some lanes" for name in OF_WARPS}
FEATURES |= {f"{name} in a part of a warp" for name in OF_WARPS}


def missing(counted: Counter[str]) -> list[str]:
    """The features that never occurred."""
    return sorted(name for name in FEATURES if not counted[name])


#: In how many programs each family of features must be, at least.
LEAST = 0.01


def rare(counted: Counter[str], programs: int) -> list[str]:
    """The families that too few programs have."""
    return sorted(
        name for name in families(FEATURES) if counted[name] < LEAST * programs
    )


def families(names: Iterable[str]) -> set[str]:
    """Features without their types, and the types."""
    found = set()
    for name in names:
        start, _, end = name.rpartition(" ")
        found |= {start, end} if start and end in TYPES else {name}
    return found
