// --time writes to standard error only. Vectors are tried, but of a file past
// stage py nobody says which shape its blocks have.
// RUN: pyk-run %s --grid=1 --block=1 --repeat=7 --time 2>&1 >%t | FileCheck %s
//      CHECK: compile read {{ *[0-9.]+}} ms
// CHECK-NEXT: compile gpu {{ *[0-9.]+}} ms
// CHECK-NEXT: compile checked {{ *[0-9.]+}} ms
// CHECK-NEXT: compile simd {{ *[0-9.]+}} ms
// CHECK-NEXT: compile threads {{ *[0-9.]+}} ms
// CHECK-NEXT: compile object {{ *[0-9.]+}} ms
// CHECK-NEXT: launch  min {{[0-9.]+}} ms, median {{[0-9.]+}} ms, max {{[0-9.]+}} ms (7 launches)
// RUN: count 0 < %t

// RUN: pyk-run %s --emit=ptx --time 2>&1 >/dev/null | FileCheck %s --check-prefix=PTX
// PTX: compile ptx {{ *[0-9.]+}} ms
// PTX-NOT: launch

pyk.func @nothing() attributes {kernel} {
  pyk.return
}
