// RUN: pyk-opt %s --convert-pyk-to-gpu --split-input-file --verify-diagnostics

// expected-error @below {{expects one kernel but got 0}}
module {
  pyk.func @device_function() {
    pyk.return
  }
}

// -----

// expected-error @below {{expects one kernel but got 2}}
module {
  pyk.func @first() attributes {kernel} {
    pyk.return
  }
  pyk.func @second() attributes {kernel} {
    pyk.return
  }
}
