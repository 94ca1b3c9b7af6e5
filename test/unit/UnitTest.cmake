# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How a program of unit tests becomes a test of ctest; also for the runtime as a
# project of its own.

# An error of scheduling, and not only that, shows as a program that never ends.
function(pyk_add_unit_test name program)
  add_test(NAME unit-${name} COMMAND ${program})
  set_tests_properties(unit-${name} PROPERTIES TIMEOUT 300)
endfunction()
