// RUN: not pyk-opt %s --simd-vectorize="tile=2" 2>&1 | FileCheck %s
// RUN: not pyk-opt %s --pyk-lower-to-simd="tile=2x" 2>&1 | FileCheck %s
// RUN: not pyk-opt %s --pyk-lower-to-simd="tile=0x4" 2>&1 | FileCheck %s
// RUN: pyk-opt %s --pyk-lower-to-simd="tile=2x4" -o /dev/null

// CHECK: error: expects rows and strips of a tile, as 2x4
gpu.module @pyk {
}
