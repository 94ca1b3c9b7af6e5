# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `cuda` has for kernels besides functions of numbers."""

from .rows import Feature

POSITIONS = "Threads and their positions"
MEMORY = "Memory of kernels"
ORDER = "Barriers, fences and groups"
ATOMICS = "Atomic operations"
WARPS = "Warp operations"
NARROW = "Narrow floats"
VECTORS = "Vector types"
LAUNCHES = "Kernels that launch kernels"
MADE = "What the host makes of functions"
FOREIGN = "Foreign code"

#: What lanes of a warp reduce numbers by, and integers only.
REAL = ("add", "min", "max")
BITS = ("and", "or", "xor")

#: What is said of a name on the host, and in a kernel.
NOT_YET = "'{}' is not yet in PyK"
NOT_YET_IN_KERNELS = "'{}', which is not yet in PyK, cannot be used in a kernel"


def works(
    section: str, name: str, body: str, *expected: float, peer: str = ""
) -> Feature:
    return Feature(section, name, body, peer, expected=expected)


def values(section: str, calls: dict[str, float]) -> list[Feature]:
    """A row for each expression, and its value."""
    return [
        works(section, f"`cuda.{name(call)}`", f"out[0] = cuda.{call}", value)
        for call, value in calls.items()
    ]


def on_host(
    section: str, name: str, call: str, *expected: float, refused: str = ""
) -> Feature:
    """A row that runs on the host; `plus` and `twice` are above it."""
    return Feature(
        section,
        name,
        f"out[0] = {call}",
        expected=expected,
        refused=refused,
        on_host=True,
    )


def name(call: str) -> str:
    return call.partition("(")[0]


def vectors() -> list[Feature]:
    """A row for each type of elements, in both spellings."""
    kinds = (
        *("int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()),
        *("float32", "float64"),
    )
    aliases = (
        "char short int long longlong uchar ushort uint ulong ulonglong float "
        "double"
    )
    spelled = [f"{kind}x" for kind in kinds] + aliases.split()
    return [
        works(
            VECTORS,
            f"`cuda.{kind}1` to `{kind}4`",
            f"v = cuda.{kind}4(cuda.{kind}2(i[0], 2), cuda.{kind}1(3), 4)\n"
            f"out[0] = v.x + 10 * v.w + 100 * cuda.{kind}3(v.z, 5, 6).x",
            341,
        )
        for kind in spelled
    ]


#: Calls of `cuda.fp16` and what they yield.
HALVES = {
    "hadd(f[1], f[2])": 4,
    "hsub(f[1], f[2])": -1,
    "hmul(f[1], f[2])": 3.75,
    "hdiv(f[1], f[0])": 3,
    "hfma(f[1], f[2], 0.25)": 4,
    "hneg(f[1])": -1.5,
    "habs(f[3])": 3.5,
    "hsin(f[0] * 0)": 0,
    "hcos(f[0] * 0)": 1,
    "hlog(f[0] * 2)": 0,
    "hlog2(f[0])": -1,
    "hlog10(f[0] * 200)": 2,
    "hexp(f[0] * 0)": 1,
    "hexp2(f[0] * 4)": 4,
    "hexp10(f[0] * 4)": 100,
    "hfloor(f[1])": 1,
    "hceil(f[1])": 2,
    "hrint(f[2])": 2,
    "htrunc(f[3])": -3,
    "hsqrt(f[0] * 8)": 2,
    "hrsqrt(f[0] * 8)": 0.5,
    "hrcp(f[0])": 2,
    "heq(f[0], 0.5)": 1,
    "hne(f[0], 0.5)": 0,
    "hgt(f[1], f[0])": 1,
    "hge(f[1], f[0])": 1,
    "hlt(f[1], f[0])": 0,
    "hle(f[1], f[0])": 0,
    "hmax(f[0], f[1])": 1.5,
    "hmin(f[0], f[1])": 0.5,
}

FEATURES = [
    works(
        POSITIONS,
        "`cuda.threadIdx`, `blockIdx`, `blockDim`, `gridDim`",
        "out[0] = cuda.threadIdx.x + cuda.blockIdx.y\n"
        "out[1] = cuda.blockDim.z + cuda.gridDim.x",
        *(0, 2),
    ),
    *values(
        POSITIONS,
        {"grid(1)": 0, "gridsize(1)": 1, "laneid": 0, "warpsize": 32},
    ),
    works(
        MEMORY,
        "`cuda.shared.array`",
        "a = cuda.shared.array((2, 2), np.float32)\na[1, 1] = 3\n"
        "out[0] = a[1, 1] + a.size",
        7,
    ),
    works(
        MEMORY,
        "`cuda.shared.array` of a size known at launch",
        "a = cuda.shared.array((cuda.blockDim.x, f.size), np.float32)\n"
        "a[0, 1] = 3\nout[0] = a[0, 1] + a.shape[1]",
        7,
        peer="an error",
    ),
    works(
        MEMORY,
        "`cuda.shared.array(0, ...)`, of the launch's size",
        "out[0] = cuda.shared.array(0, np.float32).size",
        0,
    ),
    works(
        MEMORY,
        "`cuda.local.array`",
        "a = cuda.local.array(2, np.complex64)\na[1] = 3j\nout[0] = a[1].imag",
        3,
    ),
    works(
        MEMORY,
        "`cuda.const.array_like`",
        "out[0] = cuda.const.array_like(TABLE)[2]",
        4,
    ),
    *[
        works(
            MEMORY,
            f"`alignment` of `cuda.{space}.array`",
            f"a = cuda.{space}.array(4, np.float32, alignment=64)\n"
            "out[0] = a.size + a.ctypes.data % 64",
            4,
        )
        for space in ("shared", "local")
    ],
    *[
        works(MEMORY, f"`cuda.{load}`", f"out[0] = cuda.{load}(f, 1)", 1.5)
        for load in ("ldca", "ldcg", "ldcs", "ldlu", "ldcv")
    ],
    *[
        works(
            MEMORY,
            f"`cuda.{store}`",
            f"cuda.{store}(f, 1, i[1])\nout[0] = f[1]",
            2,
        )
        for store in ("stwb", "stcg", "stcs", "stwt")
    ],
    *[
        works(ORDER, f"`cuda.{call}`", f"cuda.{call}()\nout[0] = 1", 1)
        for call in (
            *("syncthreads", "threadfence", "threadfence_block"),
            "threadfence_system",
        )
    ],
    works(ORDER, "`cuda.syncwarp`", "cuda.syncwarp(0xFFFFFFFF)\nout[0] = 1", 1),
    *[
        works(
            ORDER,
            f"`cuda.syncthreads_{vote}`",
            f"out[0] = cuda.syncthreads_{vote}(i[0])",
            1,
        )
        for vote in ("count", "and", "or")
    ],
    works(ORDER, "`cuda.nanosleep`", "cuda.nanosleep(32)\nout[0] = 1", 1),
    works(
        ORDER,
        "`cuda.clock`, `clock64`, `globaltimer`",
        "begin = cuda.clock()\nout[0] = cuda.clock64() > begin\n"
        "out[1] = cuda.globaltimer() > 0",
        *(1, 1),
        peer="not there",
    ),
    works(
        ORDER,
        "`cuda.cg.this_grid`",
        "out[0] = 1 + cuda.cg.this_grid().sync()",
        1,
    ),
    works(
        LAUNCHES,
        "`kernel[grid, block](...)`",
        "fill[1, 4](out, 2.5)",
        *(2.5, 2.5, 2.5, 2.5),
        peer="an error",
    ),
    works(
        LAUNCHES,
        "`cuda.stream`, in a kernel",
        "fill[1, 4, cuda.stream()](out, 2.5)",
        *(2.5, 2.5, 2.5, 2.5),
        peer="an error",
    ),
    *[
        works(
            ATOMICS,
            f"`cuda.atomic.{operation}`",
            f"out[0] = cuda.atomic.{operation}({call})\nout[1] = f[2] + i[1]",
            *expected,
        )
        for operation, call, expected in [
            ("add", "f, 2, 1", (2.5, 5.5)),
            ("sub", "f, 2, 1", (2.5, 3.5)),
            ("max", "f, 2, 4", (2.5, 6)),
            ("min", "f, 2, 1", (2.5, 3)),
            ("nanmax", "f, 2, 4", (2.5, 6)),
            ("nanmin", "f, 2, 1", (2.5, 3)),
            ("and_", "i, 1, 5", (2, 2.5)),
            ("or_", "i, 1, 5", (2, 9.5)),
            ("xor", "i, 1, 6", (2, 6.5)),
            ("exch", "i, 1, 7", (2, 9.5)),
            ("cas", "i, 1, 2, 7", (2, 9.5)),
            ("compare_and_swap", "i[1:], 2, 7", (2, 9.5)),
        ]
    ],
    *[
        works(
            ATOMICS,
            f"`cuda.atomic.{operation}`",
            "a = cuda.local.array(1, np.uint32)\na[0] = 3\n"
            f"out[0] = cuda.atomic.{operation}(a, 0, 5)\nout[1] = a[0]",
            *(3, after),
        )
        for operation, after in (("inc", 4), ("dec", 2))
    ],
    works(
        ATOMICS,
        "order and scope",
        'out[0] = cuda.atomic.add(f, 2, 1, order="acq_rel", scope="block")\n'
        'out[1] = cuda.atomic.cas(i, 1, 2, 7, scope="system", order="seq_cst")\n'
        "out[2] = f[2] + i[1]",
        *(2.5, 2, 10.5),
        peer="not there",
    ),
    works(
        ATOMICS,
        "on `float16`",
        "a = cuda.local.array(1, np.float16)\na[0] = 3\n"
        "out[0] = cuda.atomic.add(a, 0, 5)\n"
        "out[1] = cuda.atomic.max(a, 0, 9)\nout[2] = a[0]",
        *(3, 8, 9),
        peer="not there",
    ),
    works(
        ATOMICS,
        "on `bfloat16`",
        "a = cuda.local.array(1, cuda.bfloat16)\na[0] = 3\n"
        "out[0] = cuda.atomic.sub(a, 0, 5)\n"
        "out[1] = cuda.atomic.cas(a, 0, -2, 9)\nout[2] = a[0]",
        *(3, -2, 9),
        peer="not there",
    ),
    works(
        ATOMICS,
        "on part of a complex number",
        "a = cuda.local.array(2, np.complex64)\na[1] = 1 + 2j\n"
        "out[0] = cuda.atomic.add(a.imag, 1, 5)\nout[1] = a[1].imag",
        *(2, 7),
        peer="not there",
    ),
    *[
        works(
            WARPS,
            f"`cuda.{name}`",
            f"out[0] = cuda.{name}(0xFFFFFFFF, i[1], 0)",
            2,
        )
        for name in (
            "shfl_sync",
            "shfl_up_sync",
            "shfl_down_sync",
            "shfl_xor_sync",
        )
    ],
    works(
        WARPS,
        "shuffles of all other types of numbers",
        "out[0] = cuda.shfl_sync(0xFFFFFFFF, np.uint8(i[1]), 0)\n"
        "out[1] = cuda.shfl_sync(0xFFFFFFFF, np.float16(f[1]), 0)\n"
        "out[2] = cuda.shfl_sync(0xFFFFFFFF, 1 + 2j, 0).imag",
        *(2, 1.5, 2),
        peer="not there",
    ),
    works(
        WARPS,
        "`width=` of shuffles",
        "out[0] = cuda.shfl_sync(0xFFFFFFFF, i[1], 8, width=8)",
        2,
        peer="not there",
    ),
    *[
        works(
            WARPS,
            f"`cuda.{name}`",
            f"out[0] = cuda.{name}(0xFFFFFFFF, i[1] > 0)",
            1,
        )
        for name in ("all_sync", "any_sync", "eq_sync", "ballot_sync")
    ],
    *[
        works(
            WARPS,
            f"`cuda.{name}`",
            f"out[0] = cuda.{name}(0xFFFFFFFF{value})",
            expected,
            peer="not there",
        )
        for name, value, expected in (
            *((f"reduce_{kind}_sync", ", f[1]", 1.5) for kind in REAL),
            *((f"reduce_{kind}_sync", ", i[2]", 3) for kind in BITS),
            ("elect_sync", "", 1),
        )
    ],
    *values(
        WARPS,
        {
            "match_any_sync(0xFFFFFFFF, f[0])": 1,
            "match_all_sync(0xFFFFFFFF, i[0])[1]": 1,
            "lanemask_lt()": 0,
            "activemask()": 1,
        },
    ),
    *[
        works(
            WARPS,
            f"`cuda.lanemask_{kind}`",
            f"out[0] = cuda.lanemask_{kind}()",
            mask,
            peer="not there",
        )
        for kind, mask in (
            ("eq", 1),
            ("le", 1),
            ("gt", 0xFFFFFFFE),
            ("ge", 0xFFFFFFFF),
        )
    ],
    works(
        NARROW,
        "operators and `math` of `float16`",
        "x = np.float16(f[1])\nout[0] = x * x + np.float16(1)\n"
        "out[1] = math.sqrt(np.float16(4))",
        *(3.25, 2),
    ),
    works(
        NARROW,
        "`cuda.bf16`, all of it",
        "out[0] = cuda.bf16.hfma(2, 3, 0.5)",
        6.5,
    ),
    *values(
        NARROW,
        {f"fp16.{call}": expected for call, expected in HALVES.items()},
    ),
    works(
        NARROW,
        "`cuda.fp16` by CUDA's names, and conversions",
        "out[0] = cuda.fp16.__hadd(1, 2)\n"
        "out[1] = cuda.fp16.__float2half_ru(1.0001)\n"
        "out[2] = cuda.fp16.__half2int_rn(f[2])",
        *(3, 1 + 2**-10, 2),
    ),
    works(
        NARROW,
        "`cuda.types.fp4_e2m1`",
        "out[0] = cuda.types.fp4_e2m1(f[2] + 0.1)\n"
        "out[1] = np.float32(cuda.types.fp4_e2m1(1e9)) + 1",
        *(3, 7),
        peer="not there",
    ),
    works(
        NARROW,
        "`fp8_e5m2`, `fp8_e4m3`, `fp8_e8m0` of `cuda.fp8`",
        "out[0] = cuda.fp8.fp8_e5m2(f[2] + 0.1)\n"
        "out[1] = np.float32(cuda.fp8.fp8_e4m3(1e9)) + 1\n"
        "out[2] = cuda.fp8.fp8_e8m0(i[2])",
        *(2.5, 449, 4),
        peer="in a private module",
    ),
    works(
        NARROW,
        "the bits of floats of 8 bits",
        "e = cuda.fp8.cvt_float_to_e8m0(f[2], SATFINITE, cuda.fp8.round_t.ZERO)\n"
        "out[0] = e\nout[1] = cuda.fp8.cvt_e8m0_to_bf16raw(e).x\n"
        "out[2] = cuda.fp8.cvt_double_to_fp8(f[3], SATFINITE, cuda.fp8.fp8_interpretation_t.E4M3)",
        *(128, 0x4000, 0xC6),
        peer="in a private module",
    ),
    *vectors(),
    works(
        VECTORS,
        "arrays of vectors",
        "a = cuda.shared.array(2, cuda.float32x4)\n"
        "a[1] = cuda.float32x4(1, 2, 3, 4)\nout[0] = a[1].w",
        4,
    ),
    works(
        VECTORS,
        "arithmetic",
        "v = cuda.double2(f[0], f[1])\nw = 2 * v + cuda.double2(1, 2) / v\n"
        "out[0] = w.x\nout[1] = (-w).y",
        *(3, -(3 + 2 / 1.5)),
        peer="not there",
    ),
    works(
        VECTORS,
        "views of numbers as vectors",
        "v = f.view(cuda.double2)\nout[0] = v[1].x + v.size",
        4.5,
        peer="not there",
    ),
    on_host(MADE, "`cuda.vectorize`", "cuda.vectorize(plus)(f[1], f[2])", 4),
    on_host(
        MADE,
        "`cuda.guvectorize`",
        'cuda.guvectorize("f8[:], f8[:]", "(n)->(n)")(twice)(f)[2]',
        5,
    ),
    on_host(MADE, "`cuda.reduce`", "cuda.reduce(plus)(f)", 1),
    on_host(
        MADE,
        "`cuda.kernels.transpose`",
        "cuda.kernels.transpose.transpose(m)[0, 1]",
        refused="'cuda.kernels' is not yet in PyK",
    ),
    works(
        FOREIGN,
        "`cuda.declare_device`",
        "out[0] = foreign(2.5, 0.5)",
        3,
    ),
    *[
        on_host(FOREIGN, f"`cuda.{kind}`", f'len(cuda.{kind}(b"code").data)', 4)
        for kind in "PTXSource CUSource Fatbin Cubin Archive Object".split()
    ],
    on_host(
        FOREIGN,
        "`cuda.LTOIR`",
        'cuda.LTOIR(b"")',
        refused=NOT_YET.format("cuda.LTOIR"),
    ),
    works(FOREIGN, "`link` of `cuda.jit`", "out[0] = linked(2.5, 0.5)", 3),
]
