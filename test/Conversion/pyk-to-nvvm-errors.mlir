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

// -----

// Each kernel counts alone, with the functions that it calls, each once.
pyk.func @half(%n: i64) attributes {kernel} {
  %a = pyk.alloc : !pyk.array<25600xi8, c, shared>
  %x = pyk.load %a[%n] : !pyk.array<25600xi8, c, shared>
  pyk.call @keep(%x, %n) : (i8, i64) -> ()
  pyk.call @keep(%x, %n) : (i8, i64) -> ()
  pyk.return
}

pyk.func @other_half(%n: i64) attributes {kernel} {
  %a = pyk.alloc : !pyk.array<25600xi8, c, shared>
  %x = pyk.load %a[%n] : !pyk.array<25600xi8, c, shared>
  pyk.call @keep(%x, %n) : (i8, i64) -> ()
  pyk.return
}

pyk.func @keep(%x: i8, %n: i64) {
  %a = pyk.alloc : !pyk.array<16384xi8, c, shared>
  pyk.store %x, %a[%n] : !pyk.array<16384xi8, c, shared>
  pyk.return
}

// -----

pyk.func @with_callee(%n: i64) attributes {kernel} {
  %a = pyk.alloc : !pyk.array<32768xi8, c, shared>
  %x = pyk.load %a[%n] : !pyk.array<32768xi8, c, shared>
  pyk.call @callee(%x, %n) : (i8, i64) -> ()
  pyk.return
}

pyk.func @callee(%x: i8, %n: i64) {
  // expected-error @below {{with this one, the shared arrays take 49168 bytes, and a block has 49152}}
  // expected-note @below {{one of shape 0 may be larger: the launch states it}}
  %a = pyk.alloc : !pyk.array<16400xi8, c, shared>
  pyk.store %x, %a[%n] : !pyk.array<16400xi8, c, shared>
  pyk.return
}

// -----

// No launch can state as much as this one takes.
pyk.func @too_large(%n: i64, %x: i8) attributes {kernel} {
  // expected-error @below {{with this one, the shared arrays take 232449 bytes, and a block has 49152}}
  %a = pyk.alloc : !pyk.array<232449xi8, c, shared>
  pyk.store %x, %a[%n] : !pyk.array<232449xi8, c, shared>
  pyk.return
}
