// RUN: pyk-opt %s --split-input-file --convert-py-to-pyk --verify-diagnostics

// expected-error @below {{requires inferred types; run py-infer-types first}}
py.func @not_inferred(["a"]) {
}

// -----

// A kernel has argument types from the start; its body has none.
// expected-error @below {{requires inferred types; run py-infer-types first}}
py.func @kernel_not_inferred(["a"]) kernel arguments [si64] {
  %a = py.get "a" : !py.object
  py.set "b", %a : !py.object
}
