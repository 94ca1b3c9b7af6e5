// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expects 'simd.tile' to be three i64 from 1 to 1024, the last of them a power of 2 up to 32 but got "x"}}
func.func private @tile() attributes {simd.tile = "x"}

// -----

// expected-error @below {{the last of them a power of 2 up to 32 but got array<i64: 1, 1, 12>}}
func.func private @tile() attributes {simd.tile = array<i64: 1, 1, 12>}

// -----

// expected-error @below {{the last of them a power of 2 up to 32 but got array<i64: 0, 1, 16>}}
func.func private @tile() attributes {simd.tile = array<i64: 0, 1, 16>}

// -----

// expected-error @below {{expects 'simd.run' to be an i64 above 1 but got 1 : i64}}
func.func private @run() attributes {simd.run = 1, simd.tile = array<i64: 1, 1, 16>}

// -----

// expected-error @below {{requires the attribute 'simd.tile' beside 'simd.run'}}
func.func private @run() attributes {simd.run = 8}

// -----

// expected-error @below {{expects 'simd.lane_axis' to be an i32, 1 or 2 but got 3 : i32}}
func.func private @axis() attributes {simd.lane_axis = 3 : i32}

// -----

// expected-error @below {{expects 'simd.lane_axis' to be an i32, 1 or 2 but got 1 : i64}}
func.func private @axis() attributes {simd.lane_axis = 1 : i64}

// -----

// expected-error @below {{expects 'simd.lanes' to be an i32 that is a power of 2 up to 32 but got 0 : i32}}
func.func private @lanes() attributes {simd.lanes = 0 : i32}

// -----

// expected-error @below {{expects 'simd.lanes' to be an i32 that is a power of 2 up to 32 but got "x"}}
func.func private @lanes() attributes {simd.lanes = "x"}

// -----

gpu.module @kernels {
  // expected-error @below {{expects vectors of tiles as in its attribute 'simd.tile', array<i64: 2, 1, 8>, but got 'vector<1x1x16xi64>'}}
  gpu.func @vectors() kernel attributes {simd.tile = array<i64: 2, 1, 8>} {
    %i = arith.constant dense<0> : vector<1x1x16xi64>
    pyk.return
  }
}
