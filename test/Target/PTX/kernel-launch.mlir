// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 -o %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --compile-only --gpu-name sm_90 %t.ptx --output-file %t.o %}

// CUDA's device runtime launches: it gives a buffer that is laid out as the
// parameters of the kernel are.

// CHECK-DAG:   .extern .func  (.param .b64 func_retval0) __cudaCDP2GetParameterBufferV2
// CHECK-DAG:   .extern .func  (.param .b32 func_retval0) __cudaCDP2LaunchDeviceV2
// CHECK-DAG:   .extern .func  (.param .b32 func_retval0) __cudaCDP2StreamCreateWithFlags
// CHECK-LABEL: .visible .entry child(
// CHECK-NEXT:    .param .u64 {{.*}}child_param_0,
// CHECK-NEXT:    .param .u8 child_param_1,
// CHECK-NEXT:    .param .f64 child_param_2
pyk.func @child(%a: !pyk.array<?xf64, c>, %small: i8, %x: f64)
    attributes {kernel, pyk.child} {
  %wide = arith.sitofp %small : i8 to f64
  %sum = arith.addf %wide, %x : f64
  %i = arith.constant 0 : i64
  pyk.store %sum, %a[%i] : !pyk.array<?xf64, c>
  pyk.return
}

// CHECK-LABEL: .visible .entry parent(
pyk.func @parent(%a: !pyk.array<?xf64, c>, %small: i8, %x: f64, %n: i64)
    attributes {kernel} {
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  // It must not wait for the default stream.
  // CHECK:       st.param.b32 [param1], 1;
  // CHECK-NEXT:  call.uni (retval0), __cudaCDP2StreamCreateWithFlags,
  %s = pyk.stream : i64
  // The extents of the grid, then of a block.
  // CHECK:       .param .align 4 .b8 param1[12];
  // CHECK:       .param .align 4 .b8 param2[12];
  // CHECK:       call.uni (retval0), __cudaCDP2GetParameterBufferV2,
  // CHECK:       ld.param.b64 %[[BUFFER:.*]], [retval0];
  // CHECK-DAG:   st.b64 [%[[BUFFER]]], %
  // CHECK-DAG:   st.b8 [%[[BUFFER]]+8], %
  // CHECK-DAG:   st.b64 [%[[BUFFER]]+16], %
  // CHECK:       call.uni (retval0), __cudaCDP2LaunchDeviceV2,
  // CHECK:       trap;
  pyk.launch @child grid(%n, %two, %one) block(%n, %one, %one) stream %s
    shared %n (%a, %small, %x) : !pyk.array<?xf64, c>, i8, f64
  pyk.return
}

// CUDA takes 32 bits of each number of the shape, and of the bytes of shared
// memory.
// CHECK-LABEL: .visible .entry parent_of_much_memory(
// CHECK:       ld.param.b64 %[[BYTES:rd[0-9]+]], [parent_of_much_memory_param_4];
// CHECK:       setp.lt.u64 %[[FITS:p[0-9]+]], %[[BYTES]], 4294967296;
// CHECK:       @%[[FITS]] bra
pyk.func @parent_of_much_memory(%a: !pyk.array<?xf64, c>, %small: i8, %x: f64,
                                %bytes: i64) attributes {kernel} {
  %one = arith.constant 1 : i64
  %none = arith.constant 0 : i64
  pyk.launch @child grid(%one, %one, %one) block(%one, %one, %one) stream %none
    shared %bytes (%a, %small, %x) : !pyk.array<?xf64, c>, i8, f64
  pyk.return
}
