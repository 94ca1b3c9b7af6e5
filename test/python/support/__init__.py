# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of several folders share. What those of one folder share stands
beside them."""
