// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// load_c1
func.func @elements_of_another_type(%a: !pyk.array<?xf64, c>, %o: vector<1x1x16xi64>) {
  // expected-error @below {{expects a value of type 'vector<1x1x16xf64>' but got 'vector<1x1x16xf32>'}}
  %x = simd.load %a + %o : !pyk.array<?xf64, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  return
}

// -----

// load_c1
func.func @array_of_complex_numbers(%a: !pyk.array<?xcomplex<f32>, c>, %o: vector<1x1x16xi64>) {
  // expected-error @below {{expects an array of numbers but got '!pyk.array<?xcomplex<f32>, c>'}}
  %x = simd.load %a + %o : !pyk.array<?xcomplex<f32>, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  return
}

// -----

// load_c2
func.func @mask_of_another_shape(%a: !pyk.array<?xf32, c>, %o: vector<1x1x16xi64>,
                                 %m: vector<2x1x16xi1>) {
  // expected-error @below {{expects a mask with the shape of the offset, 'vector<1x1x16xi64>', but got 'vector<2x1x16xi1>'}}
  %x = simd.load %a + %o mask %m : vector<2x1x16xi1>
      : !pyk.array<?xf32, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  return
}

// -----

// store_c1
func.func @value_of_another_shape(%x: vector<2x1x16xf32>, %a: !pyk.array<?xf32, c>,
                                  %o: vector<1x1x16xi64>) {
  // expected-error @below {{expects a value of type 'vector<1x1x16xf32>' but got 'vector<2x1x16xf32>'}}
  simd.store %x, %a + %o : vector<2x1x16xf32>, !pyk.array<?xf32, c>, vector<1x1x16xi64>
  return
}

// -----

// store_c2
func.func @mask_of_more_strips(%x: vector<1x1x16xf32>, %a: !pyk.array<?xf32, c>,
                               %o: vector<1x1x16xi64>, %m: vector<1x2x16xi1>) {
  // expected-error @below {{expects a mask with the shape of the offset, 'vector<1x1x16xi64>', but got 'vector<1x2x16xi1>'}}
  simd.store %x, %a + %o mask %m : vector<1x2x16xi1>
      : vector<1x1x16xf32>, !pyk.array<?xf32, c>, vector<1x1x16xi64>
  return
}

// -----

// any_c1
func.func @any_for_other_rows(%m: vector<4x1x16xi1>) {
  // expected-error @below {{expects 1 or the dimensions of 'vector<4x1x16xi1>' but got 'vector<2x1x16xi1>'}}
  %some = simd.any %m : vector<4x1x16xi1> -> vector<2x1x16xi1>
  return
}

// -----

// all_c1
func.func @all_for_more_strips(%m: vector<4x1x16xi1>) {
  // expected-error @below {{expects 1 or the dimensions of 'vector<4x1x16xi1>' but got 'vector<4x2x16xi1>'}}
  %whole = simd.all %m : vector<4x1x16xi1> -> vector<4x2x16xi1>
  return
}

// -----

// serial_c1
func.func @inputs_of_two_shapes(%i: vector<1x1x16xi64>, %j: vector<1x2x16xi64>) {
  // expected-error @below {{expects vectors of one shape but got 'vector<1x1x16xi64>' and 'vector<1x2x16xi64>'}}
  simd.serial (%a = %i : vector<1x1x16xi64>, %b = %j : vector<1x2x16xi64>) {
  }
  return
}

// -----

// serial_c1
func.func @no_threads() {
  // expected-error @below {{expects a vector, a mask or a result}}
  simd.serial () {
  }
  return
}

// -----

// serial_c2
func.func @body_without_arguments(%i: vector<1x1x16xi64>) {
  // expected-error @below {{expects 1 arguments of its body but got 0}}
  "simd.serial"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> ({
    "simd.yield"() : () -> ()
  }) : (vector<1x1x16xi64>) -> ()
  return
}

// -----

// serial_c2
func.func @argument_of_another_type(%i: vector<1x1x16xi64>) {
  // expected-error @below {{expects an argument of its body of type 'i64' but got 'i32'}}
  "simd.serial"(%i) <{operandSegmentSizes = array<i32: 1, 0>}> ({
  ^bb0(%x: i32):
    "simd.yield"() : () -> ()
  }) : (vector<1x1x16xi64>) -> ()
  return
}

// -----

// serial_c2
func.func @yield_of_another_type(%i: vector<1x1x16xi64>) {
  // expected-error @below {{expects its body to yield the elements of its results}}
  %x = simd.serial (%a = %i : vector<1x1x16xi64>) -> (vector<1x1x16xf32>) {
    simd.yield %a : i64
  }
  return
}

// -----

// shuffle_c1
func.func @lanes_of_another_shape(%x: vector<1x2x16xf32>, %l: vector<2x2x16xi32>) {
  // expected-error @below {{expects vectors of one shape but got 'vector<1x2x16xf32>' and 'vector<2x2x16xi32>'}}
  %y = simd.shuffle %x from %l : vector<1x2x16xf32>, vector<2x2x16xi32>
  return
}

// -----

// ballot_c1
func.func @more_than_a_warp(%m: vector<1x1x24xi1>) {
  // expected-error @below {{expects lanes that divide a warp but got 'vector<1x1x24xi1>'}}
  %lanes = simd.ballot %m : vector<1x1x24xi1> -> vector<1x1x24xi32>
  return
}

// -----

// load_c3
func.func @step_of_neighbours(%a: !pyk.array<?xf32, c>, %o: vector<1x1x16xi64>) {
  // expected-error @below {{expects a step that is none of 0 and 1, of elements that are not contiguous}}
  %x = simd.load contiguous step 2 %a + %o : !pyk.array<?xf32, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  return
}

// -----

// load_c3
func.func @step_of_one(%a: !pyk.array<?xf32, c>, %o: vector<1x1x16xi64>) {
  // expected-error @below {{expects a step that is none of 0 and 1, of elements that are not contiguous}}
  %x = simd.load step 1 %a + %o : !pyk.array<?xf32, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  return
}

// -----

// load_c4
func.func @transposed_steps(%a: !pyk.array<?xf32, c>, %o: vector<4x1x16xi64>) {
  // expected-error @below {{expects no other order of elements that are transposed}}
  %x = simd.load transposed step 2 %a + %o : !pyk.array<?xf32, c>, vector<4x1x16xi64> -> vector<4x1x16xf32>
  return
}

// -----

// load_c4
func.func @transposed_neighbours(%a: !pyk.array<?xf32, c>, %o: vector<4x1x16xi64>) {
  // expected-error @below {{expects no other order of elements that are transposed}}
  %x = simd.load contiguous transposed %a + %o : !pyk.array<?xf32, c>, vector<4x1x16xi64> -> vector<4x1x16xf32>
  return
}

// -----

// store_c3
func.func @stored_twice_over(%a: !pyk.array<?xf32, c>, %o: vector<4x1x16xi64>, %x: vector<4x1x16xf32>) {
  // expected-error @below {{expects no other order of elements that are transposed}}
  simd.store contiguous transposed %x, %a + %o : vector<4x1x16xf32>, !pyk.array<?xf32, c>, vector<4x1x16xi64>
  return
}

// -----

// No thread executes the top of a module.
%mask = arith.constant dense<true> : vector<4x1x16xi1>
// expected-error @below {{'simd.any' op requires an enclosing function}}
%any = simd.any %mask : vector<4x1x16xi1> -> i1
