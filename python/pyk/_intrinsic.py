# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the names of `pyk.cuda` are that mean something inside kernels only.

Each is an object that knows its canonical name. The front end passes the
name to the compiler, which has the one table of what intrinsics do; on the
host they can be looked at and passed around, but not called.
"""

from __future__ import annotations

from typing import Any

from pyk._boundary import public


class Intrinsic:
    """An operation or a position of the CUDA model, by name.

    >>> from pyk import cuda
    >>> cuda.threadIdx.x.name
    'cuda.threadIdx.x'
    >>> cuda.grid(1)
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
        raise self._misuse()

    def _misuse(self) -> RuntimeError:
        """The error for a use on the host, where no thread is."""
        remedy = ""
        if self.name.startswith("cuda.sync"):
            remedy = "; the host waits for kernels by cuda.synchronize()"
        return RuntimeError(
            f"{self.name} can only be used inside a kernel{remedy}"
        )


def _misusing(self: Intrinsic, *others: object) -> Any:
    """What a number does that an index of a thread is in a kernel alone."""
    raise self._misuse()


for _name in (
    *("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv"),
    *("truediv", "rtruediv", "mod", "rmod", "lt", "le", "gt", "ge"),
    *("index", "int", "float"),
):
    setattr(Intrinsic, f"__{_name}__", public(_misusing))
