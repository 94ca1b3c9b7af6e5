// RUN: pyk-opt %s --split-input-file --verify-diagnostics

pyk.func @fourth_dimension() {
  // expected-error @below {{expects a dimension, x, y or z, but got 'w'}}
  %i = pyk.thread_id w
  pyk.return
}

// -----

pyk.func @dimension_as_number() {
  // expected-error @below {{expects a dimension, x, y or z}}
  %i = pyk.thread_id 0
  pyk.return
}
