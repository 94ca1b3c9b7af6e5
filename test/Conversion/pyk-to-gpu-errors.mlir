// RUN: pyk-opt %s --convert-pyk-to-gpu --split-input-file --verify-diagnostics

// expected-error @below {{expects a kernel or an exported function but got none}}
module {
  pyk.func @device_function() {
    pyk.return
  }
}

// -----

// Code of other languages finds functions by their names.
pyk.func @first() attributes {pyk.export = #pyk.export<c, "f">} {
  pyk.return
}
// expected-error @below {{expects different names of exported functions but got two named 'f'}}
pyk.func @second() attributes {pyk.export = #pyk.export<c, "f">} {
  pyk.return
}
