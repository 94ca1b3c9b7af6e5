# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that are typed at the interpreter's prompt, on a terminal."""

import sys

import terminal


def test_kernels_at_the_prompt(tmp_path):
    terminal.define_kernels(sys.executable, str(tmp_path))
