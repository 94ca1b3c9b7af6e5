// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" \
// RUN:   --verify-diagnostics --split-input-file

gpu.module @pyk {
  gpu.func @values_that_are_not_in_the_ir() kernel {
    // expected-error @below {{cannot be lowered unless its values are dense}}
    %a = pyk.constant_array dense_resource<weights> : tensor<2xf32>
        : !pyk.array<2xf32, c, constant>
    gpu.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @address_that_is_not_computed(%p: !llvm.ptr<1>, %i: i64) kernel {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<8xf32, c>
    // expected-error @below {{cannot have indices here; run pyk-expand-addresses before this pass}}
    %x = pyk.load %a[%i] : !pyk.array<8xf32, c>
    gpu.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @no_abi() kernel attributes {pyk.child} {
    gpu.return
  }
  gpu.func @launches(%n: i64) kernel {
    // expected-error @below {{requires the attribute 'pyk.abi' of its kernel}}
    pyk.launch @no_abi grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n ()
    gpu.return
  }
}

// -----

gpu.module @pyk {
  gpu.func @two_types(%x: f32, %y: f64) kernel {
    // expected-note @below {{it is also declared here}}
    pyk.foreign_call #pyk.foreign<c, "f", [none]> (%x) : (f32) -> ()
    // expected-error @below {{'f' is declared twice, with other types or in another library, or is the name of a kernel}}
    pyk.foreign_call #pyk.foreign<c, "f", [none]> (%y) : (f64) -> ()
    gpu.return
  }
}
