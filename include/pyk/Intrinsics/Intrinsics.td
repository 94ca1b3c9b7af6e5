// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every Python callable and attribute that the compiler knows: its canonical
// name, how its result is typed, what it becomes, what it is. Type inference,
// conversion, Python's names and the reference page read this table; a new
// intrinsic is a record in one of these files and a test.

include "pyk/Intrinsics/BuiltinIntrinsics.td"
include "pyk/Intrinsics/CudaIntrinsics.td"
include "pyk/Intrinsics/MathIntrinsics.td"
include "pyk/Intrinsics/MemberIntrinsics.td"
