// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// vector_c1: a bool is no component.
// expected-error @below {{expects components that are signed or unsigned integers of 8 to 64 bits, f32 or f64 but got 'i1'}}
py.func @bools(["a"]) arguments [!py.vector<i1, 2>] {
}

// -----

// vector_c1
// expected-error @below {{f32 or f64 but got 'f16'}}
py.func @halves(["a"]) arguments [!py.vector<f16, 2>] {
}

// -----

// vector_c2
// expected-error @below {{expects 1 to 4 components but got 0}}
py.func @none(["a"]) arguments [!py.vector<f32, 0>] {
}

// -----

// vector_c2
// expected-error @below {{expects 1 to 4 components but got 5}}
py.func @five(["a"]) arguments [!py.vector<f32, 5>] {
}
