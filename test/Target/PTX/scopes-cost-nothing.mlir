// RUN: pyk-run %s --emit=ptx -o %t.called.ptx
// RUN: pyk-opt %s --pyk-inline-calls -o %t.inlined.mlir
// RUN: FileCheck %s --input-file=%t.inlined.mlir
// RUN: pyk-run %t.inlined.mlir --emit=ptx -o %t.inlined.ptx
// RUN: diff %t.called.ptx %t.inlined.ptx

// A function that returns from within two loops: as a scope it gives the PTX that
// it gives when LLVM inlines it.
// CHECK-COUNT-2: pyk.scope
// CHECK-NOT: call
gpu.module @pyk {
  gpu.func @kernel(%p: !llvm.ptr<1>, %n: i64, %limit: f32, %q: !llvm.ptr<1>) kernel
      attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0, 1>, <scalar, 1>, <data, 2>]>} {
    %unused = ub.poison : i64
    %a = pyk.from_pointer %p extents(%unused, %n) : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %found = pyk.from_pointer %q : !llvm.ptr<1> to !pyk.array<i64, c>
    %twice = arith.addf %limit, %limit : f32
    %first = func.call @find(%a, %limit) : (!pyk.array<?x?xf32, c>, f32) -> i64
    %second = func.call @find(%a, %twice) : (!pyk.array<?x?xf32, c>, f32) -> i64
    %sum = arith.addi %first, %second : i64
    pyk.store %sum, %found[] : !pyk.array<i64, c>
    pyk.return
  }
  func.func private @find(%a: !pyk.array<?x?xf32, c>, %limit: f32) -> i64
      attributes {always_inline, llvm.linkage = #llvm.linkage<internal>} {
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %c8 = arith.constant 8 : i64
    %n = pyk.dim %a, 1 : !pyk.array<?x?xf32, c>
    pyk.for %i = %c0 to %c8 step %c1 : i64 {
      pyk.for %j = %c0 to %n step %c1 : i64 {
        %row = arith.muli %i, %n : i64
        %offset = arith.addi %row, %j : i64
        %element = pyk.element %a + %offset : !pyk.array<?x?xf32, c>
        %x = pyk.load %element[] : !pyk.array<f32, c>
        %above = arith.cmpf ogt, %x, %limit : f32
        pyk.if %above {
          pyk.return %offset : i64
        }
        pyk.continue
      }
      pyk.continue
    }
    pyk.return %n : i64
  }
}
