# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of the host that kernels reach in their place.

The PTX machine can, with the setting reach-host=1: launches then show what PTX
computes, without the copies that a launch on a GPU makes.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyk.cuda import _devices
from pyk.cuda._arguments import CopiedArray
from pyk.cuda._arrays import DeviceNDArray
from pyk.cuda._copies import After, HostCopy


def use_in_place() -> None:
    """Lets launches pass the addresses of the host's arrays."""

    def copies(self: CopiedArray) -> Iterator[HostCopy]:
        return iter(())

    def move(self: CopiedArray, stream: object, after: After) -> DeviceNDArray:
        array, device = self.value, _devices.current()
        if self._copy.is_private:
            # What the kernel writes is dropped.
            array = array.copy(order="K")
        # As a launch waits that copies the array back.
        after.append(device._core.synchronize)
        return DeviceNDArray(array, array, device)

    CopiedArray.copies = copies  # type: ignore[method-assign]
    CopiedArray.move = move  # type: ignore[method-assign]
