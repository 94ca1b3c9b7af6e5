# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Compiles for AArch64 with clang and Debian's C and C++ libraries for it, and
# with the Boost that `scripts/dev` unpacks into PYK_AARCH64_BOOST.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER clang++-22)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
set(CMAKE_EXE_LINKER_FLAGS_INIT -fuse-ld=lld)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -fuse-ld=lld)

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES PYK_AARCH64_BOOST)
set(Boost_NO_BOOST_CMAKE ON)
set(BOOST_INCLUDEDIR ${PYK_AARCH64_BOOST}/include)
set(BOOST_LIBRARYDIR ${PYK_AARCH64_BOOST}/lib)
