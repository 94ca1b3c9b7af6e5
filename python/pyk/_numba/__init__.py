# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyK under Numba's name: its modules, and functions for Numba's host."""

__all__ = ()
