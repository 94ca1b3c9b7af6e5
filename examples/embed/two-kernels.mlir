// What compile-relaxed is tried on: two kernels over one array of floats.

// x = (x + 1e30) - 1e30, which is 0 unless sums may be reordered.
pyk.func @cancel(%x: !pyk.array<?xf32, c>) attributes {kernel} {
  %big = arith.constant 1.0e30 : f32
  %i = pyk.grid x : i64
  %old = pyk.load %x[%i] : !pyk.array<?xf32, c>
  %sum = arith.addf %old, %big : f32
  %new = arith.subf %sum, %big : f32
  pyk.store %new, %x[%i] : !pyk.array<?xf32, c>
  pyk.return
}

// x = factor * x
pyk.func @scale(%factor: f32, %x: !pyk.array<?xf32, c>) attributes {kernel} {
  %i = pyk.grid x : i64
  %old = pyk.load %x[%i] : !pyk.array<?xf32, c>
  %new = arith.mulf %factor, %old : f32
  pyk.store %new, %x[%i] : !pyk.array<?xf32, c>
  pyk.return
}
