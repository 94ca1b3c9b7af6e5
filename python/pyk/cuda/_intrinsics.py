# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The names of `pyk.cuda` that mean something inside kernels only.

Each is an object that knows its canonical name. The front end passes the
name to the compiler, which has the one table of what intrinsics do; on the
host they can be looked at and passed around, but not called.
"""

from __future__ import annotations

from typing import Any

from pyk._boundary import public


class Intrinsic:
    """An operation or a position of the CUDA model, by name.

    >>> threadIdx.x.name
    'cuda.threadIdx.x'
    >>> grid(1)
    Traceback (most recent call last):
    RuntimeError: cuda.grid can only be used inside a kernel
    """

    def __init__(self, name: str, *members: str) -> None:
        self.name = name
        self._members = {
            member: Intrinsic(f"{name}.{member}") for member in members
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return Intrinsic, (self.name, *self._members)

    def __repr__(self) -> str:
        return f"<{self.name}, for use inside kernels>"

    def __getattr__(self, member: str) -> Intrinsic:
        if not member.startswith("_") and member in self._members:
            return self._members[member]
        raise AttributeError(f"{self.name} has no attribute '{member}'")

    @public
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(f"{self.name} can only be used inside a kernel")


# Where a thread is.
threadIdx = Intrinsic("cuda.threadIdx", "x", "y", "z")
blockIdx = Intrinsic("cuda.blockIdx", "x", "y", "z")
blockDim = Intrinsic("cuda.blockDim", "x", "y", "z")
gridDim = Intrinsic("cuda.gridDim", "x", "y", "z")
grid = Intrinsic("cuda.grid")
gridsize = Intrinsic("cuda.gridsize")
laneid = Intrinsic("cuda.laneid")
warpsize = Intrinsic("cuda.warpsize")

# Memory.
shared = Intrinsic("cuda.shared", "array")
local = Intrinsic("cuda.local", "array")
const = Intrinsic("cuda.const", "array_like")

# Barriers and fences.
syncthreads = Intrinsic("cuda.syncthreads")
syncthreads_count = Intrinsic("cuda.syncthreads_count")
syncthreads_and = Intrinsic("cuda.syncthreads_and")
syncthreads_or = Intrinsic("cuda.syncthreads_or")
syncwarp = Intrinsic("cuda.syncwarp")
threadfence = Intrinsic("cuda.threadfence")
threadfence_block = Intrinsic("cuda.threadfence_block")
threadfence_system = Intrinsic("cuda.threadfence_system")
nanosleep = Intrinsic("cuda.nanosleep")

# Atomic operations.
atomic = Intrinsic(
    "cuda.atomic",
    *("add", "sub", "max", "min", "nanmax", "nanmin", "and_", "or_", "xor"),
    *("inc", "dec", "exch", "cas", "compare_and_swap"),
)

# Warp operations.
shfl_sync = Intrinsic("cuda.shfl_sync")
shfl_up_sync = Intrinsic("cuda.shfl_up_sync")
shfl_down_sync = Intrinsic("cuda.shfl_down_sync")
shfl_xor_sync = Intrinsic("cuda.shfl_xor_sync")
all_sync = Intrinsic("cuda.all_sync")
any_sync = Intrinsic("cuda.any_sync")
eq_sync = Intrinsic("cuda.eq_sync")
ballot_sync = Intrinsic("cuda.ballot_sync")
match_any_sync = Intrinsic("cuda.match_any_sync")
match_all_sync = Intrinsic("cuda.match_all_sync")
activemask = Intrinsic("cuda.activemask")
lanemask_lt = Intrinsic("cuda.lanemask_lt")

# Arithmetic.
popc = Intrinsic("cuda.popc")
brev = Intrinsic("cuda.brev")
clz = Intrinsic("cuda.clz")
ffs = Intrinsic("cuda.ffs")
selp = Intrinsic("cuda.selp")
fma = Intrinsic("cuda.fma")
cbrt = Intrinsic("cuda.cbrt")
