# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the first import of `numba` in a started process finds: PyK instead."""

import sys

from pyk._numba._alias import install_as_numba

__all__ = ()

# The name is free again; the import gives what stands there afterwards.
del sys.modules[__name__]
install_as_numba()
