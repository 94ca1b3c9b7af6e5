// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first region of an op whose second is refused is gone with what uses its
// values. With AddressSanitizer, these find a use that stays.
// RUN: pyk-opt --split-input-file --verify-diagnostics %s

py.set "x", %half : !py.object
py.func @if(["c"]) arguments [i1] {
  %c = py.get "c" : !py.object
  py.if %c : !py.object {
    %half = py.constant(2.5 : f64) : !py.object
  } else {
    // expected-error @below {{custom op 'py.unknown' is unknown}}
    py.unknown
  }
}

// -----

py.func @while(["c"]) arguments [i1] {
  py.set "x", %c : !py.object
  py.while {
    %c = py.get "c" : !py.object
    py.yield %c : !py.object
  // expected-error @below {{expected '{' to begin a region}}
  } do py.break
}

// -----

py.func @orelse(["c"]) arguments [i1] {
  py.set "x", %half : !py.object
  %c = py.get "c" : !py.object
  py.for in %c : !py.object {
  ^body(%element: !py.object):
    %half = py.constant(2.5 : f64) : !py.object
  } else {
    // expected-error @below {{custom op 'py.unknown' is unknown}}
    py.unknown
  }
}

// -----

py.func @conditional(["c"]) arguments [i1] {
  py.set "x", %one : !py.object
  %c = py.get "c" : !py.object
  %x = py.conditional %c : (!py.object) -> !py.object {
    %one = py.constant(1 : i64) : !py.object
    py.yield %one : !py.object
  } else {
    // expected-error @below {{expected ':'}}
    py.yield %one
  }
}

// -----

pyk.func @if(%c: i1) {
  %two = arith.addi %one, %one : i64
  pyk.if %c {
    %one = arith.constant 1 : i64
    pyk.yield
  } else {
    // expected-error @below {{custom op 'pyk.unknown' is unknown}}
    pyk.unknown
  }
  pyk.return
}

// -----

py.func @missing(["c"]) arguments [i1] {
  %c = py.get "c" : !py.object
  // expected-error @below {{failed to verify constraint: region with 1 blocks}}
  py.if %c : !py.object {
  }
}
