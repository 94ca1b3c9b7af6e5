// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// break_c1: there is nothing to leave.
py.func @break_without_loop([]) arguments [] {
  // expected-error @below {{requires an enclosing loop, py.for or the body of py.while, with only py.if between}}
  py.break
}

// -----

// while_c1: a condition without a value.
py.func @condition_without_value([]) arguments [] {
  // expected-error @below {{requires py.yield at the end of its condition, and none in its body}}
  py.while {
    %x = py.constant(false) : !py.object
  } do {
  }
}

// -----

py.func @empty_condition([]) arguments [] {
  // expected-error @below {{requires py.yield at the end of its condition}}
  py.while {
  } do {
  }
}

// -----

// while_c1: a body with a value.
py.func @body_with_value(["c"]) arguments [i1] {
  // expected-error @below {{and none in its body}}
  py.while {
    %c = py.get "c" : !py.object
    py.yield %c : !py.object
  } do {
    %d = py.get "c" : !py.object
    py.yield %d : !py.object
  }
}

// -----

// continue_c1: an if is no loop.
py.func @continue_within_if(["c"]) arguments [si64] {
  %c = py.get "c" : !py.object
  py.if %c : !py.object {
    // expected-error @below {{requires an enclosing loop}}
    py.continue
  } else {
  }
}

// -----

// break_c1: the condition is no place for statements.
py.func @break_within_condition(["c"]) arguments [si64] {
  py.while {
    // expected-error @below {{requires an enclosing loop}}
    py.break
    %c = py.get "c" : !py.object
    py.yield %c : !py.object
  } do {
    py.break
  }
}

// -----

// continue_c1: nor is the second operand of 'and'.
py.func @continue_within_operand(["c"]) arguments [si64] {
  %c = py.get "c" : !py.object
  py.while {
    py.yield %c : !py.object
  } do {
    %d = py.logical and %c : (!py.object) -> !py.object {
      // expected-error @below {{requires an enclosing loop}}
      py.continue
      py.yield %c : !py.object
    }
  }
}

// -----

// break_c1: `orelse` belongs to what is around the loop.
py.func @break_within_else(["c"]) arguments [si64] {
  %c = py.get "c" : !py.object
  py.for in %c : !py.object {
  ^body(%x: !py.object):
    py.break
  } else {
    // expected-error @below {{requires an enclosing loop}}
    py.break
  }
}

// -----

// for_c1
py.func @body_without_element(["c"]) arguments [si64] {
  %c = py.get "c" : !py.object
  // expected-error @below {{requires one argument of its body, the element, and none of its else}}
  py.for in %c : !py.object {
    py.break
  }
}

// -----

// for_c1
py.func @else_with_element(["c"]) arguments [si64] {
  %c = py.get "c" : !py.object
  // expected-error @below {{requires one argument of its body, the element, and none of its else}}
  py.for in %c : !py.object {
  ^body(%x: !py.object):
    py.break
  } else {
  ^orelse(%y: !py.object):
  }
}

// -----

// for_c2: a loop for one item that runs over two.
py.func @two_items(["t"]) arguments [tuple<si64, f64>] {
  %t = py.get "t" : tuple<si64, f64>
  // expected-error @below {{expects a tuple of one item, being for that item alone, but got 'tuple<si64, f64>'}}
  py.for in %t item 0 : tuple<si64, f64> {
  ^body(%element: si64):
  }
}
