// RUN: pyk-opt %s --split-input-file --py-infer-types=allow-result | FileCheck %s

!o = !py.object

// What a device function returns for types of arguments can be asked for: it may
// stand where a kernel stands.
// CHECK-LABEL: py.func @half(["x"]) kernel arguments [f32] returns f64 device
// CHECK:       py.call {{.*}} target @square
// CHECK:       py.func @square(["x"]) arguments [f32] returns f32
py.func @half(["x"]) kernel arguments [f32] device {
  %square = py.constant(@square) : !o
  %x = py.get "x" : !o
  %product = py.call %square(%x) : (!o, !o) -> !o
  %c0.5 = py.constant(0.5 : f64) : !o
  %half = py.binary mul %product, %c0.5 : (!o, !o) -> !o
  py.return %half : !o
}

py.func @square(["x"]) device {
  %x = py.get "x" : !o
  %product = py.binary mul %x, %x : (!o, !o) -> !o
  py.return %product : !o
}

// -----

// CHECK-LABEL: py.func @nothing(["x"]) kernel arguments [si8] returns none
py.func @nothing(["x"]) kernel arguments [si8] {
}
