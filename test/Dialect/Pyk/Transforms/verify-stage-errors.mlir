// RUN: pyk-opt %s --pyk-verify-stage=stage=gpu --split-input-file \
// RUN:   --verify-diagnostics
// RUN: not pyk-opt %s --pyk-verify-stage=stage=spirv 2>&1 | FileCheck %s

// CHECK: error: expects a stage of pyk, gpu or nvvm but got 'spirv'

// An op that an earlier pass should have replaced.
gpu.module @pyk {
  gpu.func @kernel() kernel {
    // expected-error @below {{cannot stand in stage gpu}}
    %i = pyk.grid x : i64
    pyk.return
  }
}

// -----

// One of the ops that say themselves in which stage they are gone.
gpu.module @complex {
  gpu.func @rect(%z: complex<f32>) kernel {
    // expected-error @below {{cannot stand in stage gpu}}
    %w = pyk.complex.rect %z : complex<f32>
    pyk.return
  }
}

// -----

// A function that has not been converted.
// expected-error @below {{cannot stand in stage gpu}}
pyk.func @kernel() attributes {kernel} {
  pyk.return
}

// -----

// A cast that means nothing: it would only fail in the translation.
gpu.module @casts {
  gpu.func @cast(%x: f32) kernel {
    // expected-error @below {{cannot stand in stage gpu}}
    %n = builtin.unrealized_conversion_cast %x : f32 to i32
    pyk.return
  }
}

// -----

// A product that a target could fuse as it likes.
gpu.module @numbers {
  gpu.func @product(%x: f32) kernel {
    // expected-error @below {{cannot carry 'contract' in stage gpu}}
    %y = arith.mulf %x, %x fastmath<contract> : f32
    pyk.return
  }
}

// -----

// An address that no arithmetic computes.
gpu.module @addresses {
  gpu.func @access(%a: !pyk.array<?xf32, c>, %i: i64) kernel {
    // expected-error @below {{cannot have indices in stage gpu}}
    %x = pyk.load %a[%i] : !pyk.array<?xf32, c>
    pyk.return
  }
}

// -----

// A shared array that a copy of the branch would make once more.
gpu.module @arrays {
  gpu.func @branch(%c: i1) kernel {
    scf.if %c {
      // expected-error @below {{has to make a shared array in the first block of its function in stage gpu}}
      %a = pyk.alloc : !pyk.array<4xf32, c, shared>
    }
    pyk.return
  }
}

// -----

// What stage simd says of a kernel: another pass would do all of it once more.
gpu.module @vectors {
  // expected-error @below {{cannot have 'simd.lane_axis' in stage gpu}}
  gpu.func @swapped() kernel attributes {simd.lane_axis = 1 : i32} {
    pyk.return
  }
}

// -----

// What no function executes.
// expected-error @below {{requires an enclosing function}}
%c = arith.constant 1 : i32
pyk.func @beside() attributes {kernel} {
  pyk.return
}

// -----

// Kernels of a module in the module, which no pass finds.
gpu.module @device {
}
// expected-error @below {{cannot stand in stage gpu}}
module @inner {
  func.func @hidden() {
    pyk.return
  }
}

// -----

// What a module of the device has outside of functions.
gpu.module @with_constant {
  // expected-error @below {{'arith.constant' op requires an enclosing function}}
  %inner = arith.constant 1 : i32
}

// -----

// A module of the device in another one.
gpu.module @with_module {
  // expected-error @below {{cannot stand in stage gpu}}
  gpu.module @inner {
  }
}
