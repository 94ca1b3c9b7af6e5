// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// break_c1
pyk.func @break_without_loop() {
  // expected-error @below {{requires an enclosing pyk.for or pyk.loop with only pyk.if between}}
  pyk.break
}

// -----

// break_c1: the loop of scf would not notice.
pyk.func @break_within_scf(%n: i64) {
  pyk.loop {
    scf.for %i = %n to %n step %n : i64 {
      // expected-error @below {{requires an enclosing pyk.for or pyk.loop with only pyk.if between}}
      "pyk.break"() : () -> ()
    }
    pyk.continue
  }
  pyk.return
}

// -----

// break_c2
pyk.func @break_without_value(%x: f32) {
  pyk.loop carry(%y = %x) : (f32) {
    // expected-error @below {{expects operands of types ('f32') to match the results of the loop but got ()}}
    pyk.break
  }
  pyk.return
}

// -----

// continue_c1
pyk.func @continue_without_loop(%c: i1) {
  pyk.if %c {
    // expected-error @below {{requires an enclosing pyk.for or pyk.loop with only pyk.if between}}
    pyk.continue
  }
  pyk.return
}

// -----

// continue_c2
pyk.func @continue_with_other_type(%x: f32, %n: i64) {
  pyk.loop carry(%y = %x) : (f32) {
    // expected-error @below {{expects operands of types ('f32') to match the carried values of the loop but got ('i64')}}
    pyk.continue %n : i64
  }
  pyk.return
}

// -----

// yield_c1
pyk.func @yield_of_other_type(%c: i1, %x: f32, %n: i64) {
  %r = pyk.if %c -> (f32) {
    // expected-error @below {{expects operands of types ('f32') to match the results of the condition but got ('i64')}}
    pyk.yield %n : i64
  } else {
    pyk.yield %x : f32
  }
  pyk.return
}

// -----

// if_c1
pyk.func @result_of_one_arm(%c: i1, %x: f32) {
  // expected-error @below {{requires an else region to yield its results}}
  %r = pyk.if %c -> (f32) {
    pyk.yield %x : f32
  }
  pyk.return
}

// -----

// for_c1
pyk.func @induction_value_of_other_type(%n: i64) {
  // expected-error @below {{expects a first body argument of type 'i64' for the induction value}}
  "pyk.for"(%n, %n, %n) ({
  ^body(%i: i32):
    "pyk.continue"() : () -> ()
  }) : (i64, i64, i64) -> ()
  pyk.return
}

// -----

// for_c1
pyk.func @initial_value_of_other_type(%n: i64) {
  // expected-error @below {{expects initial values of types ('f32') to match its results but got ('i64')}}
  %r = "pyk.for"(%n, %n, %n, %n) ({
  ^body(%i: i64, %x: f32):
    "pyk.continue"(%x) : (f32) -> ()
  }) : (i64, i64, i64, i64) -> f32
  pyk.return
}

// -----

// loop_c1
pyk.func @body_argument_missing(%x: f32) {
  // expected-error @below {{expects body arguments of types ('f32') to match its initial values but got ()}}
  %r = "pyk.loop"(%x) ({
    "pyk.break"(%x) : (f32) -> ()
  }) : (f32) -> f32
  pyk.return
}

// -----

pyk.func @type_missing(%x: f32) {
  // expected-error @below {{expects 2 types for the carried values but got 1}}
  %r:2 = pyk.loop carry(%y = %x, %z = %x) : (f32) {
    pyk.break %y, %z : f32, f32
  }
  pyk.return
}

// -----

// return_c2
pyk.func @scope_of_other_type(%x: f32, %n: i64) -> f32 {
  %r = pyk.scope -> (f32) {
    // expected-error @below {{expects operands of types ('f32') to match the results of the scope but got ('i64')}}
    pyk.return %n : i64
  }
  pyk.return %r : f32
}

// -----

// return_c1: not even a scope can be left through a loop of scf.
pyk.func @scope_around_scf(%n: i64) {
  pyk.scope {
    scf.for %i = %n to %n step %n : i64 {
      // expected-error @below {{requires an enclosing function or pyk.scope with only pyk.if, pyk.for and pyk.loop between}}
      "pyk.return"() : () -> ()
    }
    pyk.return
  }
  pyk.return
}

// -----

// break_c1: a scope keeps the loop around it.
pyk.func @break_out_of_scope() {
  pyk.loop {
    pyk.scope {
      // expected-error @below {{requires an enclosing pyk.for or pyk.loop with only pyk.if between}}
      pyk.break
    }
    pyk.continue
  }
  pyk.return
}
