// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: pyk.func @printing(
pyk.func @printing(%i: i64, %x: f64, %b: i1) {
  // CHECK-NEXT: pyk.print "done\0A"
  pyk.print "done\0A"
  // CHECK-NEXT: pyk.print "%lld %llu 100%% %f %s\0A"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : i64, i64, f64, i1
  pyk.print "%lld %llu 100%% %f %s\0A"(%i, %i, %x, %b) : i64, i64, f64, i1
  pyk.return
}

// CHECK-LABEL: pyk.func @leaving(
pyk.func @leaving(%i: i64, %t: i32) {
  // CHECK-NEXT: pyk.outside "reads x" at "a.py" : 3 thread %{{.*}}{{$}}
  pyk.outside "reads x" at "a.py" : 3 thread %t
  // CHECK-NEXT: pyk.outside "reads x at {0}, {1}" at "a.py" : 4 thread %{{.*}}(%{{.*}}, %{{.*}})
  pyk.outside "reads x at {0}, {1}" at "a.py" : 4 thread %t (%i, %i)
  pyk.return
}

// CHECK-LABEL: pyk.func @leaving_together(
pyk.func @leaving_together(%values: !llvm.ptr) {
  // CHECK-NEXT: pyk.outside_lanes "reads x" at "a.py" : 3 in 4 x 16 lanes forms [2] of %{{.*}} : !llvm.ptr
  pyk.outside_lanes "reads x" at "a.py" : 3 in 4 x 16 lanes forms [2] of %values : !llvm.ptr
  // CHECK-NEXT: pyk.outside_lanes "reads x at {0}, {1}" at "a.py" : 4 in 1 x 8 lanes masked forms [2, 3, 1] of %{{.*}} : !llvm.ptr
  pyk.outside_lanes "reads x at {0}, {1}" at "a.py" : 4 in 1 x 8 lanes masked forms [2, 3, 1] of %values : !llvm.ptr
  pyk.return
}

// CHECK-LABEL: pyk.func @checking(
pyk.func @checking(%c: i1, %i: i64) {
  // CHECK-NEXT: pyk.check %{{.*}}
  pyk.check %c
  // CHECK-NEXT: pyk.check %{{.*}} else #pyk.failure<"ValueError", "", "f" at "a.py" : 3 exception 2>
  pyk.check %c else #pyk.failure<"ValueError", "", "f" at "a.py" : 3 exception 2>
  // CHECK-NEXT: pyk.check %{{.*}} else #pyk.failure<"IndexError", "{0} of {1}", "f" at "a.py" : 4>(%{{.*}}, %{{.*}})
  pyk.check %c else #pyk.failure<"IndexError", "{0} of {1}", "f" at "a.py" : 4> (%i, %i)
  pyk.return
}

// CHECK-LABEL: pyk.func @stopping(
pyk.func @stopping() {
  // CHECK-NEXT: pyk.breakpoint
  pyk.breakpoint
  pyk.return
}

// CHECK-LABEL: pyk.func @telling(
pyk.func @telling(%n: i32, %a: !pyk.array<?xi8, c>) {
  // CHECK-NEXT: pyk.debug_value "count", ui32 = %{{.*}} argument 2 : i32
  pyk.debug_value "count", ui32 = %n argument 2 : i32
  // CHECK-NEXT: pyk.debug_value "a", !pyk.array<?xsi8, c> = %{{.*}} : !pyk.array<?xi8, c>
  pyk.debug_value "a", !pyk.array<?xsi8, c> = %a : !pyk.array<?xi8, c>
  pyk.return
}
