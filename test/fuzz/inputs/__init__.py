# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damaged inputs for the compiler; see ../README.md."""
