// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// print_c1
pyk.func @unknown_directive(%i: i64) {
  // expected-error @below {{expects %lld, %llu, %f, %+f, %s or %% but got '%d'}}
  pyk.print "%d"(%i) : i64
  pyk.return
}

// -----

// print_c1
pyk.func @no_directive() {
  // expected-error @below {{expects %lld, %llu, %f, %+f, %s or %% but got '%'}}
  pyk.print "50%"
  pyk.return
}

// -----

// print_c1
pyk.func @wrong_type(%i: i32) {
  // expected-error @below {{cannot write 'i32' as '%lld'}}
  pyk.print "%lld"(%i) : i32
  pyk.return
}

// -----

// print_c1
pyk.func @too_few_values() {
  // expected-error @below {{expects a value for each directive}}
  pyk.print "%f"
  pyk.return
}

// -----

// print_c1
pyk.func @too_many_values(%b: i1) {
  // expected-error @below {{expects a directive for each value}}
  pyk.print "%s"(%b, %b) : i1, i1
  pyk.return
}

// -----

// print_c2
pyk.func @null_character() {
  // expected-error @below {{expects text without null characters}}
  pyk.print "a\00b"
  pyk.return
}

// -----

// check_c1
pyk.func @many_recorded(%c: i1, %i: i64) {
  // expected-error @below {{expects at most 2 values but got 3}}
  pyk.check %c else #pyk.failure<"E", "", "f" at "a.py" : 3> (%i, %i, %i)
  pyk.return
}

// -----

// check_c1
pyk.func @recorded_without_failure(%c: i1, %i: i64) {
  // expected-error @below {{expects at most 0 values but got 1}}
  pyk.check %c (%i)
  pyk.return
}

// -----

// debug_value_c1
pyk.func @another_width(%n: i32) {
  // expected-error @below {{expects a number or an array of numbers of type 'si64' but got 'i32'}}
  pyk.debug_value "n", si64 = %n : i32
  pyk.return
}

// -----

// debug_value_c1
pyk.func @array_of_others(%a: !pyk.array<?xf32, c>) {
  // expected-error @below {{expects a number or an array of numbers of type '!pyk.array<?xsi32, c>' but got '!pyk.array<?xf32, c>'}}
  pyk.debug_value "a", !pyk.array<?xsi32, c> = %a : !pyk.array<?xf32, c>
  pyk.return
}

// -----

// debug_value_c1
pyk.func @no_number(%n: index) {
  // expected-error @below {{expects a number or an array of numbers of type 'index' but got 'index'}}
  pyk.debug_value "n", index = %n : index
  pyk.return
}

// -----

// outside_c1
pyk.func @too_many_indices(%i: i64, %t: i32) {
  // expected-error @below {{expects at most 3 indices but got 4}}
  pyk.outside "reads" at "a.py" : 1 thread %t (%i, %i, %i, %i)
  pyk.return
}

// -----

// outside_c2
pyk.func @two_lines(%t: i32) {
  // expected-error @below {{expects text of one line without null characters}}
  pyk.outside "reads\0Aa" at "a.py" : 1 thread %t
  pyk.return
}

// -----

// outside_c2
pyk.func @null_in_file(%t: i32) {
  // expected-error @below {{expects text of one line without null characters}}
  pyk.outside "reads" at "a\00.py" : 1 thread %t
  pyk.return
}

// -----

// outside_lanes_c1
pyk.func @no_form(%values: !llvm.ptr) {
  // expected-error @below {{expects 1 to 4 forms but got 0}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1 x 16 lanes forms [] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c1
pyk.func @too_many_forms(%values: !llvm.ptr) {
  // expected-error @below {{expects 1 to 4 forms but got 5}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1 x 16 lanes forms [1, 1, 1, 1, 1] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c1
pyk.func @unknown_form(%values: !llvm.ptr) {
  // expected-error @below {{expects forms of 1 to 3 but got 4}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1 x 16 lanes forms [1, 4] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c2
pyk.func @too_many_lanes(%values: !llvm.ptr) {
  // expected-error @below {{expects 1 to 64 lanes but got 65}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1 x 65 lanes forms [1] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c2
pyk.func @no_vector(%values: !llvm.ptr) {
  // expected-error @below {{expects 1 to 1024 vectors but got 0}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 0 x 16 lanes forms [1] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c3
pyk.func @two_lines_together(%values: !llvm.ptr) {
  // expected-error @below {{expects text of one line without null characters}}
  pyk.outside_lanes "reads\0Aa" at "a.py" : 1 in 1 x 16 lanes forms [1] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c1
pyk.func @absent_form(%values: !llvm.ptr) {
  // expected-error @below {{expects forms of 1 to 3 but got 0}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1 x 16 lanes forms [0] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c2
pyk.func @no_lane(%values: !llvm.ptr) {
  // expected-error @below {{expects 1 to 64 lanes but got 0}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1 x 0 lanes forms [1] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c2
pyk.func @too_many_vectors(%values: !llvm.ptr) {
  // expected-error @below {{expects 1 to 1024 vectors but got 1025}}
  pyk.outside_lanes "reads" at "a.py" : 1 in 1025 x 16 lanes forms [1] of %values : !llvm.ptr
  pyk.return
}

// -----

// outside_lanes_c3
pyk.func @null_in_file_together(%values: !llvm.ptr) {
  // expected-error @below {{expects text of one line without null characters}}
  pyk.outside_lanes "reads" at "a\00.py" : 1 in 1 x 16 lanes forms [1] of %values : !llvm.ptr
  pyk.return
}
