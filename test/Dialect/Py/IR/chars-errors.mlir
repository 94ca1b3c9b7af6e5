// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// chars_c1: no text has room for nothing but itself.
// expected-error @below {{expects a length from 1 to 256 but got 0}}
py.func @length(["a"]) arguments [!py.chars<str, 0>] {
}
