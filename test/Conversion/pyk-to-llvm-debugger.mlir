// RUN: pyk-opt %s --convert-pyk-to-nvvm | FileCheck %s

// CHECK-DAG: #[[BF16:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "bfloat16", sizeInBits = 16, encoding = DW_ATE_float>
// CHECK-DAG: #[[F32:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "float32", sizeInBits = 32, encoding = DW_ATE_float>
// CHECK-DAG: #[[BOOL:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "bool", sizeInBits = 8, encoding = DW_ATE_boolean>
// CHECK-DAG: #[[UINT:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "uint32", sizeInBits = 32, encoding = DW_ATE_unsigned>
// CHECK-DAG: #[[INT:.*]] = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int32", sizeInBits = 32, encoding = DW_ATE_signed>
// CHECK-DAG: #[[POINTER:.*]] = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #[[BF16]], sizeInBits = 64>
// CHECK-DAG: #[[REAL:.*]] = #llvm.di_derived_type<tag = DW_TAG_member, name = "real", baseType = #[[F32]], sizeInBits = 32>
// CHECK-DAG: #[[IMAG:.*]] = #llvm.di_derived_type<tag = DW_TAG_member, name = "imag", baseType = #[[F32]], sizeInBits = 32, offsetInBits = 32>
// CHECK-DAG: #[[COMPLEX:.*]] = #llvm.di_composite_type<tag = DW_TAG_structure_type, name = "complex64", sizeInBits = 64, elements = #[[REAL]], #[[IMAG]]>
gpu.module @debugged {
  // A slot for each variable and type, with what debuggers call it; bools take a
  // byte, arrays are their address.
  // CHECK-LABEL: llvm.func @kernel(
  // CHECK-SAME:    %[[N:.*]]: i32, %[[B:.*]]: i1, %[[Z:.*]]: !llvm.struct<(f32, f32)>, %[[P:.*]]: !llvm.ptr<1>, %[[M:.*]]: i32)
  // CHECK-DAG:     %[[SLOT:.*]] = llvm.alloca %{{.*}} x i32 {pyk.variable = {argument = 1 : i64, name = "n", type = #[[UINT]]}}
  // CHECK-DAG:     %[[SIGNED:.*]] = llvm.alloca %{{.*}} x i32 {pyk.variable = {name = "n", type = #[[INT]]}}
  // CHECK-DAG:     %[[FLAG:.*]] = llvm.alloca %{{.*}} x i8 {pyk.variable = {name = "flag", type = #[[BOOL]]}}
  // CHECK-DAG:     %[[PAIR:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32, f32)> {pyk.variable = {name = "z", type = #[[COMPLEX]]}}
  // CHECK-DAG:     %[[ARRAY:.*]] = llvm.alloca %{{.*}} x !llvm.ptr<1> {pyk.variable = {name = "a", type = #[[POINTER]]}}
  // CHECK:         llvm.store %[[N]], %[[SLOT]] : i32, !llvm.ptr
  // CHECK:         %[[BYTE:.*]] = llvm.zext %[[B]] : i1 to i8
  // CHECK:         llvm.store %[[BYTE]], %[[FLAG]] : i8, !llvm.ptr
  // CHECK:         llvm.store %[[Z]], %[[PAIR]]
  // CHECK:         llvm.store %[[P]], %[[ARRAY]] : !llvm.ptr<1>, !llvm.ptr
  // CHECK:         llvm.store %[[M]], %[[SLOT]] : i32, !llvm.ptr
  // CHECK:         llvm.store %[[M]], %[[SIGNED]] : i32, !llvm.ptr
  gpu.func @kernel(%n: i32, %b: i1, %z: complex<f32>,
                   %p: !pyk.array<2xbf16, c>, %m: i32) kernel {
    pyk.debug_value "n", ui32 = %n argument 1 : i32
    pyk.debug_value "flag", i1 = %b : i1
    pyk.debug_value "z", complex<f32> = %z : complex<f32>
    pyk.debug_value "a", !pyk.array<2xbf16, c> = %p : !pyk.array<2xbf16, c>
    pyk.debug_value "n", ui32 = %m : i32
    pyk.debug_value "n", si32 = %m : i32
    gpu.return
  }
}
