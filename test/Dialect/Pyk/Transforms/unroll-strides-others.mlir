// RUN: pyk-opt %s --pyk-unroll-strides --canonicalize | FileCheck %s

// Loops that stay as they are, near those that do not.

gpu.module @kernels {
  // A loop without a sign, and one whose first number is known to be outside of
  // some range only.
  // CHECK-LABEL: gpu.func @numbers(
  // CHECK-COUNT-2: scf.for
  // CHECK-NOT:     scf.while
  // CHECK:         gpu.return
  gpu.func @numbers(
      %stop: i32, %step: i32, %x: f32, %a: !pyk.array<f32, c>,
      %start: i64 {llvm.range = #llvm.constant_range<i64, 5, -5>}) {
    %c0 = arith.constant 0 : i32
    scf.for unsigned %i = %c0 to %stop step %step : i32 {
      pyk.store %x, %a[] : !pyk.array<f32, c>
    }
    %wide_stop = arith.extsi %stop : i32 to i64
    %wide_step = arith.extsi %step : i32 to i64
    scf.for %i = %start to %wide_stop step %wide_step : i64 {
      pyk.store %x, %a[] : !pyk.array<f32, c>
    }
    gpu.return
  }

  // What is not to be done in several places, where there is no element to step.
  // CHECK-LABEL: gpu.func @bodies(
  // CHECK-COUNT-5: scf.for
  // CHECK-NOT:     scf.while
  // CHECK:         gpu.return
  gpu.func @bodies(%stop: i32, %step: i32, %x: i32, %a: !pyk.array<i32, c>,
                   %n: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    scf.for %i = %c0 to %stop step %step : i32 {
      %old = pyk.atomic_cas %x, %i, %a[] : !pyk.array<i32, c>
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      func.call @other(%i) : (i32) -> ()
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      scf.for %j = %c0 to %n step %c1 : i32 {
        pyk.store %j, %a[] : !pyk.array<i32, c>
      }
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      %own = pyk.alloc : !pyk.array<i32, c, local>
      pyk.store %i, %own[] : !pyk.array<i32, c, local>
    }
    gpu.return
  }
  func.func private @other(i32)

  // Elements that are no step apart are not stepped: of an array with strides,
  // of one that the loop makes, and at twice the counter.
  // CHECK-LABEL: gpu.func @elements(
  // CHECK-COUNT-3: scf.for
  // CHECK-NOT:     scf.while
  // CHECK:         gpu.return
  gpu.func @elements(%stop: i32, %step: i32, %sum: !pyk.array<i32, c>,
                     %a: !pyk.array<?xi32, c>, %b: !pyk.array<?xi32, any>) {
    %c0 = arith.constant 0 : i32
    scf.for %i = %c0 to %stop step %step : i32 {
      %index = arith.extsi %i : i32 to i64
      %e = pyk.element %b + %index : !pyk.array<?xi32, any>
      %x = pyk.load %e[] : !pyk.array<i32, c>
      %old = pyk.atomic add %x, %sum[] : !pyk.array<i32, c>
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      %index = arith.extsi %i : i32 to i64
      %v = pyk.view %a[%index : %index]
          : !pyk.array<?xi32, c> to !pyk.array<?xi32, c>
      %e = pyk.element %v + %index : !pyk.array<?xi32, c>
      %x = pyk.load %e[] : !pyk.array<i32, c>
      %old = pyk.atomic add %x, %sum[] : !pyk.array<i32, c>
    }
    scf.for %i = %c0 to %stop step %step : i32 {
      %index = arith.extsi %i : i32 to i64
      %twice = arith.addi %index, %index : i64
      %e = pyk.element %a + %twice : !pyk.array<?xi32, c>
      %x = pyk.load %e[] : !pyk.array<i32, c>
      %old = pyk.atomic add %x, %sum[] : !pyk.array<i32, c>
    }
    gpu.return
  }
}
