// What the pass count-stores is tried on.
pyk.func @two(%a: !pyk.array<?xi32, c>, %i: i64, %x: i32) attributes {kernel} {
  pyk.store %x, %a[%i] : !pyk.array<?xi32, c>
  pyk.store %x, %a[%i] : !pyk.array<?xi32, c>
  pyk.return
}
