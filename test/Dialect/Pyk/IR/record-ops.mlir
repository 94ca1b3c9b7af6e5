// RUN: pyk-opt %s --verify-roundtrip | FileCheck %s
// RUN: pyk-opt %s --mlir-print-op-generic | pyk-opt | FileCheck %s

!packed = !pyk.record<"x" : f64 at 1, "m" : 2x3xi16 at 9, "name" : none at 21, size 24>
!nested = !pyk.record<"at" : !pyk.record<"u" : f32 at 0, size 4> at 4, "n" : i32 at 0, size 8>

// CHECK-LABEL: pyk.func @fields(
pyk.func @fields(%a: !pyk.array<4x?x!packed, c>, %r: !pyk.array<!packed, c, shared>,
                 %n: !pyk.array<?x!nested, any, readonly>) {
  // Strides stay those of the records, and places at odd bytes are odd.
  // CHECK-NEXT: pyk.field %{{.*}} "x" : !pyk.array<4x?x!pyk.record<"x" : f64 at 1, "m" : 2x3xi16 at 9, "name" : none at 21, size 24>, c> to !pyk.array<4x?xf64, any, align 1>
  %x = pyk.field %a "x" : !pyk.array<4x?x!packed, c> to !pyk.array<4x?xf64, any, align 1>
  // CHECK-NEXT: pyk.field %{{.*}} "m" : {{.*}} to !pyk.array<4x?x2x3xi16, any, align 1>
  %m = pyk.field %a "m" : !pyk.array<4x?x!packed, c> to !pyk.array<4x?x2x3xi16, any, align 1>
  // CHECK-NEXT: pyk.field %{{.*}} "m" : {{.*}} to !pyk.array<2x3xi16, c, shared, align 1>
  %own = pyk.field %r "m" : !pyk.array<!packed, c, shared> to !pyk.array<2x3xi16, c, shared, align 1>
  // CHECK-NEXT: pyk.field %{{.*}} "at" : {{.*}} to !pyk.array<?x!pyk.record<"u" : f32 at 0, size 4>, any, readonly>
  %inner = pyk.field %n "at" : !pyk.array<?x!nested, any, readonly>
      to !pyk.array<?x!pyk.record<"u" : f32 at 0, size 4>, any, readonly>
  pyk.return
}

// CHECK-LABEL: pyk.func @copy(
pyk.func @copy(%a: !pyk.array<!nested, c, align 1>, %b: !pyk.array<!nested, c, local>) {
  // CHECK-NEXT: pyk.copy_record %{{.*}} to %{{.*}} : !pyk.array<{{.*}}, c, align 1>, !pyk.array<{{.*}}, c, local>
  pyk.copy_record %a to %b : !pyk.array<!nested, c, align 1>, !pyk.array<!nested, c, local>
  // CHECK-NEXT: pyk.copy_record volatile %{{.*}} to %{{.*}} :
  pyk.copy_record volatile %a to %b : !pyk.array<!nested, c, align 1>, !pyk.array<!nested, c, local>
  pyk.return
}

// CHECK-LABEL: pyk.func @bytes_of_records(
pyk.func @bytes_of_records() {
  // CHECK-NEXT: pyk.constant_array dense<1> : tensor<2x8xi8> : !pyk.array<2x!pyk.record<
  %a = pyk.constant_array dense<1> : tensor<2x8xi8> : !pyk.array<2x!nested, c, constant>
  pyk.return
}

// CHECK-LABEL: pyk.func @field_attribute(
// CHECK-SAME: #pyk.field<"a \22name\22" : 2x3xf32 at 8>
pyk.func @field_attribute() attributes {test.field = #pyk.field<"a \22name\22" : 2x3xf32 at 8>} {
  pyk.return
}
