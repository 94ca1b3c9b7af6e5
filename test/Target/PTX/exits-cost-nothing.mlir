// REQUIRES: ptxas
// RUN: split-file %s %t
// RUN: pyk-opt %t/structured.mlir --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t/structured.ptx
// RUN: pyk-opt %t/branches.mlir --pyk-expand-addresses --pyk-lower-to-nvvm \
// RUN:   | pyk-test-translate --pyk-to-ptx -o %t/branches.ptx
// RUN: ptxas --gpu-name sm_80 %t/structured.ptx --output-file %t/structured.o
// RUN: ptxas --gpu-name sm_80 %t/branches.ptx --output-file %t/branches.o
// RUN: llvm-size -A %t/structured.o | grep .text > %t/structured.size
// RUN: llvm-size -A %t/branches.o | grep .text > %t/branches.size
// RUN: %python %t/compare.py %t/structured.size %t/branches.size

// Two nested loops with break and return, once as a front end writes them and
// once with the branches that a person would write: the machine code of the
// first is no longer.

//--- compare.py
import sys

structured, branches = (int(open(f).read().split()[1]) for f in sys.argv[1:])
assert structured <= branches, (structured, branches)

//--- structured.mlir
pyk.func @find(%a: !pyk.array<?x?xf32, c>, %row: !pyk.array<?xi64, c>,
               %limit: f32) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %rows = pyk.dim %a, 0 : !pyk.array<?x?xf32, c>
  %columns = pyk.dim %a, 1 : !pyk.array<?x?xf32, c>
  pyk.for %i = %c0 to %rows step %c1 : i64 {
    %sum = pyk.for %j = %c0 to %columns step %c1 carry(%s = %zero) : i64, (f32) {
      %x = pyk.load %a[%i, %j] : !pyk.array<?x?xf32, c>
      %bad = arith.cmpf olt, %x, %zero : f32
      pyk.if %bad {
        pyk.return
      } else {
        pyk.yield
      }
      %next = arith.addf %s, %x : f32
      %enough = arith.cmpf ogt, %next, %limit : f32
      pyk.if %enough {
        pyk.break %next : f32
      } else {
        pyk.yield
      }
      pyk.continue %next : f32
    }
    %found = arith.cmpf ogt, %sum, %limit : f32
    pyk.if %found {
      pyk.store %i, %row[%c0] : !pyk.array<?xi64, c>
      pyk.break
    } else {
      pyk.yield
    }
    pyk.continue
  }
  pyk.return
}

//--- branches.mlir
gpu.module @pyk {
  gpu.func @find(%pointer: !llvm.ptr<1>,
                 %rows: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>},
                 %columns: i64 {llvm.range = #llvm.constant_range<i64, 0, 281474976710656>},
                 %rows_found: !llvm.ptr<1>, %limit: f32) kernel {
    %a = pyk.from_pointer %pointer extents(%rows, %columns)
        : !llvm.ptr<1> to !pyk.array<?x?xf32, c>
    %row = pyk.from_pointer %rows_found extents(%rows)
        : !llvm.ptr<1> to !pyk.array<?xi64, c>
    %c0 = arith.constant 0 : i64
    %c1 = arith.constant 1 : i64
    %zero = arith.constant 0.0 : f32
    cf.br ^outer(%c0 : i64)
  ^outer(%i: i64):
    %more_rows = arith.cmpi slt, %i, %rows : i64
    cf.cond_br %more_rows, ^inner(%c0, %zero : i64, f32), ^end
  ^inner(%j: i64, %s: f32):
    %more_columns = arith.cmpi slt, %j, %columns : i64
    cf.cond_br %more_columns, ^element, ^row_done(%s : f32)
  ^element:
    %x = pyk.load %a[%i, %j] : !pyk.array<?x?xf32, c>
    %bad = arith.cmpf olt, %x, %zero : f32
    cf.cond_br %bad, ^end, ^add
  ^add:
    %next = arith.addf %s, %x : f32
    %enough = arith.cmpf ogt, %next, %limit : f32
    cf.cond_br %enough, ^row_done(%next : f32), ^next_column
  ^next_column:
    %j_next = arith.addi %j, %c1 overflow<nsw> : i64
    cf.br ^inner(%j_next, %next : i64, f32)
  ^row_done(%sum: f32):
    %found = arith.cmpf ogt, %sum, %limit : f32
    cf.cond_br %found, ^store, ^next_row
  ^next_row:
    %i_next = arith.addi %i, %c1 overflow<nsw> : i64
    cf.br ^outer(%i_next : i64)
  ^store:
    pyk.store %i, %row[%c0] : !pyk.array<?xi64, c>
    cf.br ^end
  ^end:
    gpu.return
  }
}
