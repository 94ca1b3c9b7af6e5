// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

// CHECK-LABEL: @parameters
// CHECK-SAME: abi = #pyk.abi<[<data, 0>, <extent, 0, 1>, <stride, 0>, <scalar, 1>]>
// CHECK-SAME: parameter = #pyk.parameter<extent, 0, 1>
func.func private @parameters() attributes {
  abi = #pyk.abi<[<data, 0>, <extent, 0, 1>, <stride, 0>, <scalar, 1>]>,
  parameter = #pyk.parameter<extent, 0, 1>}

// A kernel without arguments.
// CHECK-LABEL: @no_parameters
// CHECK-SAME: abi = #pyk.abi<[]>
func.func private @no_parameters() attributes {abi = #pyk.abi<[]>}
