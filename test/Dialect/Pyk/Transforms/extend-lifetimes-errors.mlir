// RUN: pyk-opt %s --pyk-extend-lifetimes --split-input-file --verify-diagnostics

pyk.func @circle(%c: i1) -> !pyk.array<2xf32, c, local> {
  // expected-error @below {{'circle' may return local memory that calls in a circle allocate here, and no call lasts long enough to own it}}
  // expected-note @below {{let the first caller pass an array for the others to fill}}
  %a = pyk.alloc : !pyk.array<2xf32, c, local>
  pyk.if %c {
    pyk.return %a : !pyk.array<2xf32, c, local>
  } else {
    pyk.yield
  }
  // expected-note @below {{what this call returns is returned}}
  %b = pyk.call @circle(%c) : (i1) -> !pyk.array<2xf32, c, local>
  pyk.return %b : !pyk.array<2xf32, c, local>
}

// -----

// By way of another function, which allocates nothing.
pyk.func @left(%c: i1) -> !pyk.array<2xf32, c, local> {
  // expected-error @below {{'right' may return local memory that calls in a circle allocate here}}
  // expected-note @below {{let the first caller pass an array}}
  %a = pyk.alloc : !pyk.array<2xf32, c, local>
  pyk.if %c {
    pyk.return %a : !pyk.array<2xf32, c, local>
  } else {
    pyk.yield
  }
  %b = pyk.call @right(%c) : (i1) -> !pyk.array<2xf32, c, local>
  pyk.return %b : !pyk.array<2xf32, c, local>
}

pyk.func @right(%c: i1) -> !pyk.array<2xf32, c, local> {
  // expected-note @below {{what this call returns is returned}}
  %b = pyk.call @left(%c) : (i1) -> !pyk.array<2xf32, c, local>
  pyk.return %b : !pyk.array<2xf32, c, local>
}
