// RUN: pyk-opt %s --pass-pipeline="builtin.module(gpu.module(convert-pyk-to-nvvm))" --split-input-file \
// RUN:   | FileCheck %s

gpu.module @functions {
  // CHECK-LABEL: llvm.func @kernel(%{{.*}}: !llvm.ptr<1> {llvm.noalias}, %{{.*}}: i64)
  // CHECK-SAME:    nvvm.kernel
  // CHECK-SAME:    pyk.abi
  gpu.func @kernel(%p: !llvm.ptr<1> {llvm.noalias}, %n: i64) kernel
      attributes {pyk.abi = #pyk.abi<[<data, 0>, <extent, 0>]>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    // CHECK: llvm.call @first(%{{.*}}) : (!llvm.struct<(ptr<1>, i64)>) -> f32
    %x = func.call @first(%a) : (!pyk.array<?xf32, c>) -> f32
    gpu.return
  }
  // No wrapper for C, and nothing that the linker could see.
  // CHECK-NOT: _mlir_ciface
  // CHECK: llvm.func internal @first(%{{.*}}: !llvm.struct<(ptr<1>, i64)>) -> f32
  // CHECK-SAME: always_inline
  func.func private @first(%a: !pyk.array<?xf32, c>) -> f32
      attributes {always_inline, llvm.linkage = #llvm.linkage<internal>} {
    %i = arith.constant 0 : i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    return %x : f32
  }
}

// -----

gpu.module @registers {
  // CHECK-LABEL: llvm.func @ranges_of_registers
  gpu.func @ranges_of_registers(%p: !llvm.ptr<1>) kernel {
    // CHECK: nvvm.read.ptx.sreg.tid.x range <i32, 0, 1024>
    %t = gpu.thread_id x upper_bound 1024
    // CHECK: nvvm.read.ptx.sreg.ntid.x range <i32, 1, 1025>
    %d = gpu.block_dim x upper_bound 1024
    // CHECK: nvvm.read.ptx.sreg.ctaid.x range <i32, 0, 2147483647>
    %b = gpu.block_id x upper_bound 2147483647
    // CHECK: nvvm.read.ptx.sreg.laneid range <i32, 0, 32>
    %l = gpu.lane_id upper_bound 32
    gpu.return
  }
}

// -----

// What NVPTX has as an instruction does not go through libdevice.
gpu.module @functions_of_math {
  // CHECK-LABEL: llvm.func @native
  func.func @native(%x: f32) {
    // CHECK: llvm.intr.fabs
    %0 = math.absf %x : f32
    // CHECK: llvm.intr.ceil
    %1 = math.ceil %x : f32
    // CHECK: llvm.intr.copysign
    %2 = math.copysign %x, %x : f32
    // CHECK: llvm.intr.floor
    %3 = math.floor %x : f32
    // CHECK: llvm.intr.fma
    %4 = math.fma %x, %x, %x : f32
    // CHECK: llvm.intr.roundeven
    %5 = math.roundeven %x : f32
    // CHECK: llvm.intr.round
    %6 = math.round %x : f32
    // CHECK: llvm.intr.sqrt
    %7 = math.sqrt %x : f32
    // CHECK: llvm.intr.trunc
    %8 = math.trunc %x : f32
    return
  }
  // CHECK-LABEL: llvm.func @library
  func.func @library(%x: f32, %y: f64) {
    // CHECK: llvm.call @__nv_sinf
    %0 = math.sin %x : f32
    // CHECK: llvm.call @__nv_exp
    %1 = math.exp %y : f64
    // CHECK: llvm.call @__nv_fmodf
    %2 = arith.remf %x, %x : f32
    return
  }
}

// -----

gpu.module @numbers {
  // CHECK-LABEL: llvm.func @saturating_conversions
  func.func @saturating_conversions(%x: f32) -> (i64, i32) {
    // CHECK: llvm.call_intrinsic "llvm.fptosi.sat"(%{{.*}}) : (f32) -> i64
    %0 = pyk.float_to_int %x : f32 to i64
    // CHECK: llvm.call_intrinsic "llvm.fptoui.sat"(%{{.*}}) : (f32) -> i32
    %1 = pyk.float_to_int unsigned %x : f32 to i32
    return %0, %1 : i64, i32
  }
  // The function is declared once.
  // CHECK-LABEL: llvm.func @library
  func.func @library(%x: f32) -> f32 {
    // CHECK: llvm.call @__nv_hypotf(%{{.*}}, %{{.*}}) : (f32, f32) -> f32
    %0 = pyk.libdevice "hypot"(%x, %x) : (f32, f32) -> f32
    // CHECK: llvm.call @__nv_hypotf
    %1 = pyk.libdevice "hypot"(%x, %0) : (f32, f32) -> f32
    return %1 : f32
  }
  // The types choose NVIDIA's function, whose name does not always follow.
  // CHECK-LABEL: llvm.func @overloads
  func.func @overloads(%x: f32, %y: f64, %n: i64) -> i32 {
    // CHECK: llvm.call @__nv_tgammaf(%{{.*}}) : (f32) -> f32
    %0 = pyk.libdevice "tgamma"(%x) : (f32) -> f32
    // CHECK: llvm.call @__nv_tgamma(%{{.*}}) : (f64) -> f64
    %1 = pyk.libdevice "tgamma"(%y) : (f64) -> f64
    // CHECK: llvm.call @__nv_finitef(%{{.*}}) : (f32) -> i32
    %2 = pyk.libdevice "isfinite"(%0) : (f32) -> i32
    // CHECK: llvm.call @__nv_isfinited(%{{.*}}) : (f64) -> i32
    %3 = pyk.libdevice "isfinite"(%1) : (f64) -> i32
    // CHECK: llvm.call @__nv_fmaf_rd
    %4 = pyk.libdevice "fma_rd"(%x, %x, %0) : (f32, f32, f32) -> f32
    // CHECK: llvm.call @__nv_clzll(%{{.*}}) : (i64) -> i32
    %5 = pyk.libdevice "clz"(%n) : (i64) -> i32
    return %5 : i32
  }
  // Contraction is what each op says, never a switch.
  // CHECK-LABEL: llvm.func @contraction
  func.func @contraction(%x: f32) -> f32 {
    // CHECK: llvm.fmul %{{.*}} {fastmathFlags = #llvm.fastmath<contract>}
    %0 = arith.mulf %x, %x fastmath<contract> : f32
    // CHECK: llvm.fadd %{{[^ ]*}}, %{{[^ ]*}} : f32
    %1 = arith.addf %0, %x : f32
    return %1 : f32
  }
}

// -----

gpu.module @debugging {
  // Addresses are those that any code can use.
  // CHECK-LABEL: llvm.func @address
  func.func @address(%a: !pyk.array<?xf32, c>) -> (i64, i64) {
    // CHECK: llvm.addrspacecast %{{.*}} : !llvm.ptr<1> to !llvm.ptr
    // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr to i64
    %0 = pyk.address %a : !pyk.array<?xf32, c>
    %s = pyk.alloc : !pyk.array<4xf32, c, shared>
    // CHECK: llvm.ptrtoint %{{.*}} : !llvm.ptr to i64
    %1 = pyk.address %s : !pyk.array<4xf32, c, shared>
    return %0, %1 : i64, i64
  }
  // CHECK-LABEL: llvm.func @stop
  func.func @stop() {
    // CHECK: llvm.intr.debugtrap
    pyk.breakpoint
    return
  }
}

// -----

// Tangents that may be approximate are libdevice's fast ones, of f32 alone.
gpu.module @approximations {
  // CHECK-LABEL: llvm.func @tangents(
  // CHECK-SAME: denormal_fp_math_f32 = "preserve-sign"
  // CHECK-NOT: pyk.flush_denormals
  gpu.func @tangents(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %x: f32, %y: f64) kernel
      attributes {pyk.flush_denormals,
                  pyk.abi = #pyk.abi<[<data, 0>, <data, 1>, <scalar, 2>, <scalar, 3>]>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<f32, c>
    %b = pyk.from_pointer %q : !llvm.ptr<1> to !pyk.array<f64, c>
    // CHECK: llvm.call @__nv_fast_tanhf(%{{.*}}) : (f32) -> f32
    // CHECK: llvm.call @__nv_tanh(%{{.*}}) : (f64) -> f64
    // CHECK-COUNT-2: llvm.call @__nv_tanhf(%{{.*}}) : (f32) -> f32
    %t = math.tanh %x fastmath<afn> : f32
    %u = math.tanh %y fastmath<afn> : f64
    %v = math.tanh %t : f32
    %w = math.tanh %v fastmath<nnan, contract> : f32
    pyk.store %w, %a[] : !pyk.array<f32, c>
    pyk.store %u, %b[] : !pyk.array<f64, c>
    gpu.return
  }
}

// -----

gpu.module @bits {
  // Zero has as many leading zeros as bits, on each target.
  // CHECK-LABEL: llvm.func @leading_zeros(
  gpu.func @leading_zeros(%p: !llvm.ptr<1>, %x: i32) kernel
      attributes {pyk.abi = #pyk.abi<[<data, 0>, <scalar, 1>]>} {
    %a = pyk.from_pointer %p : !llvm.ptr<1> to !pyk.array<i32, c>
    // CHECK: "llvm.intr.ctlz"(%{{.*}}) <{is_zero_poison = false}> : (i32) -> i32
    %n = math.ctlz %x : i32
    pyk.store %n, %a[] : !pyk.array<i32, c>
    gpu.return
  }
}

// -----

gpu.module @barriers {
  // CHECK-LABEL: llvm.func @barriers(
  // CHECK-SAME:    %[[P:.*]]: i1)
  func.func @barriers(%p: i1) -> (i32, i32, i32) {
    // CHECK: nvvm.barrier{{$}}
    pyk.barrier
    // CHECK: %[[COUNTED:.*]] = llvm.zext %[[P]] : i1 to i32
    // CHECK: nvvm.barrier #nvvm.reduction<popc> %[[COUNTED]] -> i32
    %a = pyk.barrier vote count %p -> i32
    // CHECK: nvvm.barrier #nvvm.reduction<and> %{{.*}} -> i32
    %b = pyk.barrier vote all %p -> i32
    // CHECK: nvvm.barrier #nvvm.reduction<or> %{{.*}} -> i32
    %c = pyk.barrier vote any %p -> i32
    return %a, %b, %c : i32, i32, i32
  }
}

// -----

// Each target defines it.
gpu.module @grid_barriers {
  // CHECK: llvm.func @pyk.barrier.grid() attributes {convergent, no_unwind}
  // CHECK-LABEL: llvm.func @grid_barriers(
  func.func @grid_barriers() {
    // CHECK-NOT: pyk.
    // CHECK: llvm.call @pyk.barrier.grid() : () -> ()
    pyk.grid_group
    pyk.grid_barrier
    // CHECK-NEXT: llvm.call @pyk.barrier.grid() : () -> ()
    pyk.grid_barrier
    return
  }
}

// -----

gpu.module @votes {
  // CHECK-LABEL: llvm.func @vote(
  // CHECK-SAME:    %[[MASK:.*]]: i32, %[[P:.*]]: i1)
  func.func @vote(%mask: i32, %p: i1) -> (i1, i1, i1, i32) {
    // CHECK: nvvm.vote.sync all %[[MASK]], %[[P]] -> i1
    %a = pyk.vote all %p mask %mask
    // CHECK: nvvm.vote.sync any %[[MASK]], %[[P]] -> i1
    %b = pyk.vote any %p mask %mask
    // CHECK: nvvm.vote.sync uni %[[MASK]], %[[P]] -> i1
    %c = pyk.vote equal %p mask %mask
    // CHECK: nvvm.vote.sync ballot %[[MASK]], %[[P]] -> i32
    %d = pyk.ballot %p mask %mask
    // CHECK: nvvm.bar.warp.sync %[[MASK]]
    pyk.warp_barrier mask %mask
    // CHECK: %[[ALL:.*]] = llvm.mlir.constant(-1 : i32)
    // CHECK: nvvm.bar.warp.sync %[[ALL]]
    pyk.warp_barrier
    return %a, %b, %c, %d : i1, i1, i1, i32
  }
}

// -----

// A shuffle moves 32 bits; 64 are two of them. Lanes beyond the warp give nothing:
// the last one is 31, of `up` the first one 0.
gpu.module @shuffles {
  // CHECK-LABEL: llvm.func @shuffle(
  // CHECK-SAME:    %[[MASK:.*]]: i32, %[[X:.*]]: f32, %[[N:.*]]: i64, %[[OFFSET:.*]]: i32)
  func.func @shuffle(%mask: i32, %x: f32, %n: i64, %offset: i32) -> (f32, i64) {
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(31 : i32)
    // CHECK: nvvm.shfl.sync bfly %[[MASK]], %[[X]], %[[OFFSET]], %[[LAST]] : f32 -> f32
    %a = pyk.shuffle xor %x, %offset mask %mask : f32
    // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(0 : i32)
    // CHECK: %[[WORDS:.*]] = llvm.bitcast %[[N]] : i64 to vector<2xi32>
    // CHECK-COUNT-2: nvvm.shfl.sync up %[[MASK]], %{{.*}}, %[[OFFSET]], %[[FIRST]] : i32 -> i32
    // CHECK: llvm.bitcast %{{.*}} : vector<2xi32> to i64
    %b = pyk.shuffle up %n, %offset mask %mask : i64
    return %a, %b : f32, i64
  }

  // Short numbers take one word; complex ones, one or two for each part.
  // CHECK-LABEL: llvm.func @shuffle_others(
  // CHECK-SAME:    %[[MASK:.*]]: i32, %[[P:.*]]: i1, %[[H:.*]]: bf16
  func.func @shuffle_others(%mask: i32, %p: i1, %h: bf16, %c: complex<f32>,
                            %z: complex<f64>, %offset: i32)
      -> (i1, bf16, complex<f32>, complex<f64>) {
    // CHECK: %[[WORD:.*]] = llvm.zext %[[P]] : i1 to i32
    // CHECK: %[[GIVEN:.*]] = nvvm.shfl.sync idx %[[MASK]], %[[WORD]],
    // CHECK: llvm.trunc %[[GIVEN]] : i32 to i1
    %a = pyk.shuffle index %p, %offset mask %mask : i1
    // CHECK: %[[BITS:.*]] = llvm.bitcast %[[H]] : bf16 to i16
    // CHECK: %[[WORD:.*]] = llvm.zext %[[BITS]] : i16 to i32
    // CHECK: %[[GIVEN:.*]] = nvvm.shfl.sync idx %[[MASK]], %[[WORD]],
    // CHECK: %[[BITS:.*]] = llvm.trunc %[[GIVEN]] : i32 to i16
    // CHECK: llvm.bitcast %[[BITS]] : i16 to bf16
    %b = pyk.shuffle index %h, %offset mask %mask : bf16
    // CHECK-COUNT-2: nvvm.shfl.sync down {{.*}} : f32 -> f32
    %d = pyk.shuffle down %c, %offset mask %mask : complex<f32>
    // CHECK-COUNT-4: nvvm.shfl.sync bfly {{.*}} : i32 -> i32
    %e = pyk.shuffle xor %z, %offset mask %mask : complex<f64>
    return %a, %b, %d, %e : i1, bf16, complex<f32>, complex<f64>
  }

  // The segment's bits of a lane stand from bit 8 on.
  // CHECK-LABEL: llvm.func @shuffle_segments(
  // CHECK-SAME:    %{{.*}}: i32, %{{.*}}: f32, %{{.*}}: i32, %[[WIDTH:.*]]: i32)
  func.func @shuffle_segments(%mask: i32, %x: f32, %offset: i32, %width: i32)
      -> f32 {
    // CHECK: %[[LAST:.*]] = llvm.mlir.constant(31 : i32)
    // CHECK: %[[LANES:.*]] = llvm.mlir.constant(32 : i32)
    // CHECK: %[[SEGMENT:.*]] = llvm.sub %[[LANES]], %[[WIDTH]] : i32
    // CHECK: %[[EIGHT:.*]] = llvm.mlir.constant(8 : i32)
    // CHECK: %[[UPPER:.*]] = llvm.shl %[[SEGMENT]], %[[EIGHT]] : i32
    // CHECK: %[[CLAMP:.*]] = llvm.or %[[UPPER]], %[[LAST]] : i32
    // CHECK: nvvm.shfl.sync down %{{.*}}, %{{.*}}, %{{.*}}, %[[CLAMP]] : f32 -> f32
    %a = pyk.shuffle down %x, %offset mask %mask width %width : f32
    return %a : f32
  }
}

// -----

gpu.module @running_together {
  // CHECK-LABEL: llvm.func @active_mask(
  func.func @active_mask() -> i32 {
    // CHECK: llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
    %a = pyk.active_mask
    return %a : i32
  }
}

// -----

gpu.module @matches {
  // CHECK-LABEL: llvm.func @matches(
  // CHECK-SAME:    %[[MASK:.*]]: i32, %[[X:.*]]: f32, %[[N:.*]]: i64)
  func.func @matches(%mask: i32, %x: f32, %n: i64)
      -> (i32, i32, i1, i32, i32) {
    // CHECK: %[[BITS:.*]] = llvm.bitcast %[[X]] : f32 to i32
    // CHECK: nvvm.match.sync any %[[MASK]], %[[BITS]] : i32 -> i32
    %a = pyk.match_any %x mask %mask : f32
    // CHECK: %[[BOTH:.*]] = nvvm.match.sync all %[[MASK]], %[[N]] : i64 -> !llvm.struct<(i32, i1)>
    // CHECK: llvm.extractvalue %[[BOTH]][0]
    // CHECK: llvm.extractvalue %[[BOTH]][1]
    %b, %c = pyk.match_all %n mask %mask : i64
    // CHECK: nvvm.read.ptx.sreg.lanemask.lt : i32
    %d = pyk.lane_mask lt
    // CHECK: nvvm.read.ptx.sreg.lanemask.ge : i32
    %e = pyk.lane_mask ge
    return %a, %b, %c, %d, %e : i32, i32, i1, i32, i32
  }
}
