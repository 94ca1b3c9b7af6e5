// RUN: pyk-opt %s --convert-py-to-pyk --verify-diagnostics

// expected-error @below {{requires argument types; run py-infer-types first}}
py.func @not_inferred(["a"]) {
}
