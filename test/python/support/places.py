# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where what tests read stands in the tree."""

from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
ROOT = TESTS.parent
EXAMPLES = ROOT / "examples"
BENCHMARKS = ROOT / "benchmarks"
TYPING = TESTS / "typing"
FUZZ = TESTS / "fuzz"
