# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels whose threads part ways; see ../README.md."""
