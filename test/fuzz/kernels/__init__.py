# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels and their judges; see ../README.md."""

import sys
from pathlib import Path

# The model of the typing rules types the programs.
sys.path.append(str(Path(__file__).parents[2] / "typing"))
