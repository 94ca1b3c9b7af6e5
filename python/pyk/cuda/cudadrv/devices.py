# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices, at the place where programs look for them."""

from pyk import _missing
from pyk.cuda._devices import close as reset
from pyk.cuda._devices import current_context as get_context
from pyk.cuda._devices import gpus

__getattr__ = _missing.getter(__name__)

__all__ = ["get_context", "gpus", "reset"]
