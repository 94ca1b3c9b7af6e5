# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How an evaluation ends other than by its last statement."""


class Exhausted(Exception):
    """A program that takes too long."""


class Refused(Exception):
    """A program outside of what the evaluator knows."""


class Return(Exception):
    """Carries a result out of a function."""


class Break(Exception):
    """Leaves a loop."""


class Continue(Exception):
    """Goes to the next iteration of a loop."""
