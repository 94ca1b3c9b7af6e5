// RUN: pyk-opt %s --pyk-place-shared-arrays --split-input-file \
// RUN:   --verify-diagnostics

pyk.func @later(%a: !pyk.array<?xi64, c>) attributes {kernel} {
  %zero = arith.constant 0 : i64
  // expected-note @below {{this is known later}}
  %n = pyk.load %a[%zero] : !pyk.array<?xi64, c>
  // expected-error @below {{expects a size of the shared array that is known at the launch}}
  // expected-note @below {{known are constants, integer arguments, shapes of array arguments and cuda.blockDim, with +, -, *, //, %, min and max}}
  %own = pyk.launch_shared %n : !pyk.array<?xi32, c, shared>
  pyk.store %n, %a[%zero] : !pyk.array<?xi64, c>
  pyk.return
}

// -----

pyk.func @circle(%n: i64) {
  // expected-error @below {{'circle' calls itself, so that this shared array needs a constant size}}
  %own = pyk.launch_shared %n : !pyk.array<?xi32, c, shared>
  pyk.call @circle(%n) : (i64) -> ()
  pyk.return
}

// -----

pyk.func @called(%n: i64) attributes {pyk.export = #pyk.export<c, "called">} {
  // expected-error @below {{code of other languages launches no kernel that could give 'called' this shared array: state its size as a constant}}
  %own = pyk.launch_shared %n : !pyk.array<?xi32, c, shared>
  pyk.return
}

// -----

pyk.func @long(%n: i64) attributes {kernel} {
  %0 = arith.addi %n, %n : i64
  %1 = arith.addi %0, %0 : i64
  %2 = arith.addi %1, %1 : i64
  %3 = arith.addi %2, %2 : i64
  %4 = arith.addi %3, %3 : i64
  %5 = arith.addi %4, %4 : i64
  %6 = arith.addi %5, %5 : i64
  %7 = arith.addi %6, %6 : i64
  // expected-error @below {{expects a size of up to 256 operations for a shared array}}
  %own = pyk.launch_shared %7 : !pyk.array<?xi32, c, shared>
  pyk.return
}

// -----

pyk.func @child(%n: i64) attributes {kernel, pyk.child} {
  // expected-error @below {{a shared array of a size that only a launch by the host knows, in a kernel that a kernel launches}}
  // expected-note @below {{cuda.shared.array(0, dtype) has the bytes that the launch gives}}
  %a = pyk.launch_shared %n : !pyk.array<?xf32, c, shared>
  pyk.return
}
