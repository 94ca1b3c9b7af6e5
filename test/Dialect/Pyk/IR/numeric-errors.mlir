// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// libdevice_c1
func.func @name_with_the_type_in_it(%x: f32) {
  // expected-error @below {{expects a function of libdevice but got 'sinf'}}
  %0 = pyk.libdevice "sinf"(%x) : (f32) -> f32
  return
}

// -----

// libdevice_c1
func.func @function_that_libdevice_lacks(%x: f32) {
  // expected-error @below {{expects a function of libdevice but got 'sinuous'}}
  %0 = pyk.libdevice "sinuous"(%x) : (f32) -> f32
  return
}

// -----

// libdevice_c3
func.func @shapes(%x: vector<4xf32>, %y: vector<8xf32>) {
  // expected-error @below {{expects vectors of one shape or none but got 'vector<4xf32>' and 'vector<8xf32>'}}
  %0 = pyk.libdevice "pow"(%x, %y) : (vector<4xf32>, vector<8xf32>) -> vector<4xf32>
  return
}

// -----

// libdevice_c3
func.func @vector_and_number(%x: vector<4xf32>) {
  // expected-error @below {{expects vectors of one shape or none but got 'vector<4xf32>' and 'f32'}}
  %0 = pyk.libdevice "sin"(%x) : (vector<4xf32>) -> f32
  return
}

// -----

// libdevice_c2
func.func @operand_of_another_type(%x: f32) {
  // expected-error @below {{expects type '(f64) -> f64' or '(f32) -> f32' but got '(f32) -> f64'}}
  %0 = pyk.libdevice "sin"(%x) : (f32) -> f64
  return
}

// -----

// libdevice_c2
func.func @one_result_of_two(%x: f64) {
  // expected-error @below {{expects type '(f64) -> (f64, i32)' or '(f32) -> (f32, i32)' but got '(f64) -> f64'}}
  %0 = pyk.libdevice "frexp"(%x) : (f64) -> f64
  return
}

// -----

// round_to_float8_c1
pyk.func @float8_rounded_up(%x: f32) {
  // expected-error @below {{cannot round to e5m2 as up says}}
  %a = pyk.round_to_float8 e5m2 saturate up %x : f32
  pyk.return
}

// -----

// round_to_float8_c1
pyk.func @exponent_to_nearest(%x: f32) {
  // expected-error @below {{cannot round to e8m0 as nearest says}}
  %a = pyk.round_to_float8 e8m0 saturate nearest %x : f32
  pyk.return
}
