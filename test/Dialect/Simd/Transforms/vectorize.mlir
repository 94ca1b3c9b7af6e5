// RUN: pyk-opt %s --split-input-file --simd-vectorize --cse | FileCheck %s

// Neighbours in memory are read and written at once. Most blocks lie within the
// bound: that the last thread does says it for all, that the first does for any.
// A tile at the bound goes vector by vector.
gpu.module @guards {
  // CHECK-LABEL: gpu.func @guard(
  // CHECK-SAME:    simd.tile = array<i64: 1, 2, 16>
  // CHECK:         %[[I:.*]] = arith.constant dense<{{\[\[\[}}0, 1, {{.*}}, 31]]]> : vector<1x2x16xi64>
  // CHECK:         %[[LAST:.*]] = vector.extract %[[I]][0, 1, 15]
  // CHECK:         %[[ALL:.*]] = arith.cmpi slt, %[[LAST]], %{{.*}} : i64
  // CHECK:         scf.if %[[ALL]] {
  // CHECK:           %[[OLD:.*]] = simd.load contiguous %{{.*}} + %[[I]] : !pyk.array<?xf32, c>, vector<1x2x16xi64> -> vector<1x2x16xf32>
  // CHECK:           %[[X:.*]] = vector.broadcast %{{.*}} : f32 to vector<1x2x16xf32>
  // CHECK:           %[[SUM:.*]] = arith.addf %[[OLD]], %[[X]] fastmath<contract> : vector<1x2x16xf32>
  // CHECK:           simd.store contiguous %[[SUM]], %{{.*}} + %[[I]] : vector<1x2x16xf32>
  // CHECK:         } else {
  // CHECK:           %[[FIRST:.*]] = vector.extract %[[I]][0, 0, 0]
  // CHECK:           %[[ANY:.*]] = arith.cmpi slt, %[[FIRST]], %{{.*}} : i64
  // CHECK:           scf.if %[[ANY]] {
  // CHECK:             scf.for %[[STRIP:.*]] = %{{.*}} to %{{.*}} step %{{.*}} : i32 {
  // CHECK:               arith.muli %[[STRIP]], %{{.*}} : i32
  // CHECK:               %[[MASK:.*]] = arith.cmpi slt, %[[OWN:.*]], %{{.*}} : vector<1x1x16xi64>
  // CHECK-NOT:           simd.load contiguous %{{.*}} + %[[OWN]] :
  // CHECK:               simd.load contiguous %{{.*}} + %[[OWN]] mask %[[MASK]]
  // CHECK:               simd.store contiguous %{{.*}} + %[[OWN]] mask %[[MASK]]
  // CHECK-NOT:           simd.store
  gpu.func @guard(%p: !llvm.ptr<1>, %n: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %inside = arith.cmpi slt, %i, %n : i64
    scf.if %inside {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      %old = pyk.load %e[] : !pyk.array<f32, c>
      %sum = arith.addf %old, %x fastmath<contract> : f32
      pyk.store %sum, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // Not if there is more to the kernel, which would be done twice.
  // CHECK-LABEL: gpu.func @more(
  // CHECK:         simd.store contiguous %{{.*}} : vector<1x2x16xf32>
  // CHECK:         } else {
  // CHECK-NOT:       scf.for
  // CHECK:           simd.store contiguous %{{.*}} mask %{{.*}} : vector<1x2x16xi1>
  // CHECK:         simd.store contiguous
  gpu.func @more(%p: !llvm.ptr<1>, %n: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %inside = arith.cmpi slt, %i, %n : i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    scf.if %inside {
      pyk.store %x, %e[] : !pyk.array<f32, c>
    }
    pyk.store %x, %e[] : !pyk.array<f32, c>
    pyk.return
  }

  // Nor if others do something, too, in tiles of which none does the first.
  // CHECK-LABEL: gpu.func @otherwise(
  // CHECK:         } else {
  // CHECK-NOT:       scf.for
  // CHECK:           scf.if
  // CHECK:             simd.store contiguous %{{.*}} mask
  // CHECK:           }
  // CHECK:           scf.if
  // CHECK:             simd.store contiguous %{{.*}} mask
  gpu.func @otherwise(%p: !llvm.ptr<1>, %n: i64, %x: f32, %y: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %inside = arith.cmpi slt, %i, %n : i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    scf.if %inside {
      pyk.store %x, %e[] : !pyk.array<f32, c>
    } else {
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // Nor if much is done before, for threads behind the bound as well.
  // CHECK-LABEL: gpu.func @before(
  // CHECK:         scf.for
  // CHECK:         scf.if
  // CHECK:         } else {
  // CHECK-NOT:       scf.for
  // CHECK:           simd.store contiguous %{{.*}} mask %{{.*}} : vector<1x2x16xi1>
  gpu.func @before(%p: !llvm.ptr<1>, %n: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %f = arith.uitofp %i : i64 to f32
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %all = scf.for %k = %zero to %n step %one iter_args(%sum = %f) -> f32 : i64 {
      %more = arith.mulf %sum, %x : f32
      scf.yield %more : f32
    }
    %inside = arith.cmpi slt, %i, %n : i64
    scf.if %inside {
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      pyk.store %all, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }

  // Nor what loops do: vectors of a tile share what they load.
  // CHECK-LABEL: gpu.func @loop(
  // CHECK-SAME:    simd.tile = array<i64: 1, 2, 16>
  // CHECK:         simd.store contiguous %{{.*}} : vector<1x2x16xf32>
  // CHECK:         } else {
  // CHECK:           scf.for
  // CHECK:             pyk.load %{{.*}} : !pyk.array<f32, c>
  // CHECK:           simd.store contiguous %{{.*}} mask %{{.*}} : vector<1x2x16xi1>
  gpu.func @loop(%p: !llvm.ptr<1>, %n: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 32, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %inside = arith.cmpi slt, %i, %n : i64
    scf.if %inside {
      %all = scf.for %k = %zero to %n step %one iter_args(%sum = %x) -> f32 : i64 {
        %ek = pyk.element %a + %k : !pyk.array<?xf32, c>
        %old = pyk.load %ek[] : !pyk.array<f32, c>
        %more = arith.addf %sum, %old : f32
        scf.yield %more : f32
      }
      %e = pyk.element %a + %i : !pyk.array<?xf32, c>
      pyk.store %all, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}

// -----

// What depends on the row alone is read once for a row, what depends on the
// column once for all rows.
gpu.module @tiles {
  // CHECK-LABEL: gpu.func @rows_and_columns(
  // CHECK-SAME:    simd.tile = array<i64: 4, 1, 16>
  // CHECK:         %[[A:.*]] = simd.load %{{.*}} : !pyk.array<?xf32, c>, vector<4x1x1xi64> -> vector<4x1x1xf32>
  // CHECK:         %[[B:.*]] = simd.load contiguous %{{.*}} : !pyk.array<?xf32, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  // CHECK:         %[[ROWS:.*]] = vector.broadcast %[[A]] : vector<4x1x1xf32> to vector<4x1x16xf32>
  // CHECK:         %[[COLUMNS:.*]] = vector.broadcast %[[B]] : vector<1x1x16xf32> to vector<4x1x16xf32>
  // CHECK:         arith.mulf %[[ROWS]], %[[COLUMNS]] : vector<4x1x16xf32>
  // CHECK:         simd.store contiguous
  gpu.func @rows_and_columns(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>, %n: i64)
      kernel attributes {pyk.block_shape = array<i32: 16, 4, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %c = pyk.from_pointer %r extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %x = gpu.thread_id x
    %i = arith.index_castui %x : index to i64
    %y = gpu.thread_id y
    %j = arith.index_castui %y : index to i64
    %ea = pyk.element %a + %j : !pyk.array<?xf32, c>
    %va = pyk.load %ea[] : !pyk.array<f32, c>
    %eb = pyk.element %b + %i : !pyk.array<?xf32, c>
    %vb = pyk.load %eb[] : !pyk.array<f32, c>
    %product = arith.mulf %va, %vb : f32
    %width = arith.constant 16 : i64
    %line = arith.muli %j, %width overflow<nsw, nuw> : i64
    %place = arith.addi %line, %i overflow<nsw, nuw> : i64
    %ec = pyk.element %c + %place : !pyk.array<?xf32, c>
    pyk.store %product, %ec[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// Rows of less than a vector share one. What follows from places alone is a
// constant.
gpu.module @shapes {
  // CHECK-LABEL: gpu.func @short_rows(
  // CHECK-SAME:    simd.tile = array<i64: 2, 1, 16>
  // CHECK:         %[[SUM:.*]] = arith.constant dense<{{\[\[\[}}0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6]], {{\[\[}}4, 5, 6, 7, 5, 6, 7, 8, 6, 7, 8, 9, 7, 8, 9, 10]]]> : vector<2x1x16xi32>
  // CHECK:         simd.serial (%[[X:.*]] = %[[SUM]] : vector<2x1x16xi32>) {
  // CHECK-NEXT:      pyk.store %[[X]]
  gpu.func @short_rows(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 4, 8, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %x = gpu.thread_id x
    %i = arith.index_castui %x : index to i32
    %y = gpu.thread_id y
    %j = arith.index_castui %y : index to i32
    %sum = arith.addi %i, %j : i32
    %c0 = arith.constant 0 : i64
    %e = pyk.element %a + %c0 : !pyk.array<?xi32, c>
    pyk.store %sum, %e[] : !pyk.array<i32, c>
    pyk.return
  }

  // Eight threads fill half of a vector. An op that vectors have no form for runs
  // for one after the other.
  // CHECK-LABEL: gpu.func @half_a_vector(
  // CHECK:         %[[THREADS:.*]] = arith.constant dense<{{\[\[\[}}true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false]]]>
  // CHECK:         simd.serial () mask %[[THREADS]] : vector<1x1x16xi1> {
  // CHECK-NEXT:      pyk.atomic add
  // CHECK-NEXT:    }
  gpu.func @half_a_vector(%p: !llvm.ptr<1>, %n: i64, %one: i32) kernel
      attributes {pyk.block_shape = array<i32: 8, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %c0 = arith.constant 0 : i64
    %e = pyk.element %a + %c0 : !pyk.array<?xi32, c>
    %old = pyk.atomic add %one, %e[] : !pyk.array<i32, c>
    pyk.return
  }

  // Large blocks take several tiles.
  // CHECK-LABEL: gpu.func @loop_over_rows(
  // CHECK:         scf.for %[[ROW:.*]] = %{{.*}} to %{{.*}} step
  // CHECK:           arith.addi %{{.*}}, %{{.*}} overflow<nsw, nuw> : vector<{{.*}}x1x1xi32>
  gpu.func @loop_over_rows(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 64, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %y = gpu.thread_id y
    %j = arith.index_castui %y : index to i64
    %e = pyk.element %a + %j : !pyk.array<?xi64, c>
    pyk.store %n, %e[] : !pyk.array<i64, c>
    pyk.return
  }
}

// -----

// Elements that lie here and there are collected, or loaded with what is between
// them.
gpu.module @places {
  // CHECK-LABEL: gpu.func @here_and_there(
  // CHECK:         simd.load step 2 %{{.*}} : !pyk.array<?xf32, c>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  // Threads that write to one element do so in their order.
  // CHECK:         simd.serial
  gpu.func @here_and_there(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %x = gpu.thread_id x
    %i = arith.index_castui %x : index to i64
    %two = arith.constant 2 : i64
    %j = arith.muli %i, %two overflow<nsw, nuw> : i64
    %e = pyk.element %a + %j : !pyk.array<?xf32, c>
    %v = pyk.load %e[] : !pyk.array<f32, c>
    %first = pyk.element %a + %two : !pyk.array<?xf32, c>
    pyk.store %v, %first[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// Functions that the CPU has formulas for are called with vectors, of f16, too;
// others run for one thread after the other.
gpu.module @functions {
  // CHECK-LABEL: gpu.func @functions(
  // CHECK:         %[[X:.*]] = simd.load contiguous
  // CHECK:         %[[E:.*]] = math.exp %[[X]] fastmath<afn> : vector<1x1x16xf32>
  // CHECK:         %[[C:.*]] = pyk.libdevice "cbrt"(%[[E]]) : (vector<1x1x16xf32>) -> vector<1x1x16xf32>
  // CHECK:         %[[B:.*]] = pyk.libdevice "float_as_int"(%[[C]]) : (vector<1x1x16xf32>) -> vector<1x1x16xi32>
  // CHECK:         simd.serial (%{{.*}} = %[[C]] : vector<1x1x16xf32>)
  // CHECK-NEXT:      pyk.libdevice "saturate"
  // CHECK:         %[[H:.*]] = arith.truncf %{{.*}} : vector<1x1x16xf32> to vector<1x1x16xf16>
  // CHECK:         math.sin %{{.*}} : vector<1x1x16xf16>
  gpu.func @functions(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %r: !llvm.ptr<1>,
                      %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %b = pyk.from_pointer %q extents(%n) : !llvm.ptr<1> to !pyk.array<?xi32, c>
    %c = pyk.from_pointer %r extents(%n) : !llvm.ptr<1> to !pyk.array<?xf16, c>
    %x = gpu.thread_id x
    %i = arith.index_castui %x : index to i64
    %ea = pyk.element %a + %i : !pyk.array<?xf32, c>
    %eb = pyk.element %b + %i : !pyk.array<?xi32, c>
    %ec = pyk.element %c + %i : !pyk.array<?xf16, c>
    %v = pyk.load %ea[] : !pyk.array<f32, c>
    %exp = math.exp %v fastmath<afn> : f32
    %root = pyk.libdevice "cbrt"(%exp) : (f32) -> f32
    %bits = pyk.libdevice "float_as_int"(%root) : (f32) -> i32
    %bessel = pyk.libdevice "saturate"(%root) : (f32) -> f32
    %half = arith.truncf %bessel : f32 to f16
    %sin = math.sin %half : f16
    pyk.store %bits, %eb[] : !pyk.array<i32, c>
    pyk.store %sin, %ec[] : !pyk.array<f16, c>
    pyk.return
  }
}

// -----

// Each thread has its own elements of a local array: those of one index lie side by
// side.
gpu.module @local {
  // CHECK-LABEL: gpu.func @local(
  // CHECK:         %[[A:.*]] = pyk.alloc : !pyk.array<64xf32, c, local>
  // CHECK:         %[[START:.*]] = arith.muli %{{.*}}, %{{.*}} : i64
  // CHECK:         %[[FIRST:.*]] = vector.broadcast %[[START]] : i64 to vector<1x1x16xi64>
  // CHECK:         %[[PLACES:.*]] = arith.addi %[[FIRST]], %{{.*}} : vector<1x1x16xi64>
  // CHECK:         simd.store contiguous %{{.*}}, %[[A]] + %[[PLACES]]
  // CHECK:         arith.muli %{{.*}}, %{{.*}} : vector<1x1x16xi64>
  // CHECK:         simd.load %[[A]] + %{{.*}} : !pyk.array<64xf32, c, local>, vector<1x1x16xi64> -> vector<1x1x16xf32>
  gpu.func @local(%p: !llvm.ptr<1>, %n: i64, %k: i64, %x: f32) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %own = pyk.alloc : !pyk.array<4xf32, c, local>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %own + %k : !pyk.array<4xf32, c, local>
    pyk.store %x, %e[] : !pyk.array<f32, c, local>
    %f = pyk.element %own + %i : !pyk.array<4xf32, c, local>
    %y = pyk.load %f[] : !pyk.array<f32, c, local>
    %g = pyk.element %a + %i : !pyk.array<?xf32, c>
    pyk.store %y, %g[] : !pyk.array<f32, c>
    pyk.return
  }
}

// -----

// Formulas that do not hold of all arguments get 0 for threads that are off.
gpu.module @partial {
  // CHECK-LABEL: gpu.func @partial(
  // CHECK:         scf.if
  // CHECK:           %[[X:.*]] = arith.select %{{.*}}, %{{.*}}, %{{.*}} : vector<1x1x16xi1>, vector<1x1x16xf32>
  // CHECK-NEXT:      math.sin %[[X]] : vector<1x1x16xf32>
  gpu.func @partial(%p: !llvm.ptr<1>, %n: i64) kernel
      attributes {pyk.block_shape = array<i32: 16, 1, 1>} {
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    %thread = gpu.thread_id x
    %i = arith.index_castui %thread : index to i64
    %e = pyk.element %a + %i : !pyk.array<?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %x, %zero : f32
    scf.if %c {
      %y = math.sin %x : f32
      pyk.store %y, %e[] : !pyk.array<f32, c>
    }
    pyk.return
  }
}
