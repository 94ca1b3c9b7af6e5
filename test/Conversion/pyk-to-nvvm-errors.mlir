// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm --split-input-file \
// RUN:   --verify-diagnostics

pyk.func @op_without_instruction(%n: i64) attributes {kernel} {
  // expected-error @below {{'math.cttz' op cannot be lowered to stage nvvm with these types}}
  %m = math.cttz %n : i64
  %a = pyk.alloc : !pyk.array<1xi64, c, shared>
  pyk.store %m, %a[%n] : !pyk.array<1xi64, c, shared>
  pyk.return
}

// -----

pyk.func @type_without_registers(%x: f32, %n: i64) attributes {kernel} {
  // expected-error @below {{'arith.truncf' op cannot be lowered to stage nvvm with these types}}
  %y = arith.truncf %x : f32 to f8E4M3FN
  %z = arith.extf %y : f8E4M3FN to f32
  %a = pyk.alloc : !pyk.array<1xf32, c, shared>
  pyk.store %z, %a[%n] : !pyk.array<1xf32, c, shared>
  pyk.return
}

// -----

pyk.func @shared_memory(%n: i64) attributes {kernel} {
  %a = pyk.alloc : !pyk.array<4095xf64, c, shared>
  %b = pyk.alloc : !pyk.array<2048xf64, c, shared>
  // expected-error @below {{with this one, the shared arrays take 49168 bytes, and a block has 49152}}
  // expected-note @below {{one of shape 0 may be larger: the launch states it}}
  %c = pyk.alloc : !pyk.array<16xi8, c, shared>
  %x = pyk.load %a[%n] : !pyk.array<4095xf64, c, shared>
  pyk.store %x, %b[%n] : !pyk.array<2048xf64, c, shared>
  %y = pyk.load %c[%n] : !pyk.array<16xi8, c, shared>
  pyk.store %y, %c[%n] : !pyk.array<16xi8, c, shared>
  pyk.return
}
