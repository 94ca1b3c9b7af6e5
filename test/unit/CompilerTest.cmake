# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# How a program that tests parts of the compiler in MLIR is built. Most time goes
# into MLIR's headers, so these programs share a precompiled header, which also
# has GoogleTest and the dialects. Only the tests themselves are compiled without
# optimization: the libraries under test are linked as they are shipped.
find_package(GTest REQUIRED)

# An object of a library is position-independent in another way than that of a
# program, which has to fit the precompiled header.
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/PykTestPCH.cpp "")
add_library(PykTestPCH OBJECT ${CMAKE_CURRENT_BINARY_DIR}/PykTestPCH.cpp)
add_dependencies(PykTestPCH PykTableGen)
set_target_properties(PykTestPCH PROPERTIES POSITION_INDEPENDENT_CODE OFF)
target_compile_options(PykTestPCH PRIVATE -fPIE -O0)
target_link_libraries(PykTestPCH PRIVATE GTest::gtest)
target_precompile_headers(PykTestPCH PRIVATE unit/Precompiled.h)

# pyk_add_compiler_test(<name> <program> SOURCES <file>... LINK <target>...)
# The program, and the test unit-<name> that runs it. Its sources may include
# headers of lib/.
function(pyk_add_compiler_test name program)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${program} ${ARG_SOURCES})
  target_precompile_headers(${program} REUSE_FROM PykTestPCH)
  target_compile_options(${program} PRIVATE -O0)
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  target_link_libraries(${program} PRIVATE ${ARG_LINK} GTest::gtest_main)
  pyk_add_unit_test(${name} ${program})
endfunction()
