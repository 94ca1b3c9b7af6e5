// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm \
// RUN:   --pyk-print-ptx="debug-info=full opt=0" -o /dev/null > %t.ptx
// RUN: FileCheck %s --input-file %t.ptx
// RUN: %if ptxas %{ ptxas --device-debug --gpu-name sm_80 %t.ptx \
// RUN:   --output-file %t.o && llvm-dwarfdump-22 --debug-info %t.o \
// RUN:   | FileCheck %s --check-prefix=DWARF %}

// All functions have the names that they have in the program.
// CHECK:     .version 7.2
// CHECK:     .target sm_80, debug
// CHECK-LABEL: .visible .entry k(
// CHECK:     .local .align 4 .b8 __local_depot0
// CHECK:     .loc 1 3 9, function_name $L__pyk_name0, inlined_at 1 13 7
// CHECK:     mul.rn.f32
// CHECK:     .file 1 "/program/k.py"
// CHECK:     .section .debug_abbrev
// CHECK:     .section .debug_info

// DWARF:     DW_TAG_compile_unit
// DWARF-NEXT:  DW_AT_producer ("PyK")
// DWARF:       DW_AT_name ("k.py")
// DWARF:     DW_TAG_subprogram
// DWARF:       DW_AT_name ("squared")
// DWARF:       DW_AT_decl_line (2)
// DWARF:     DW_TAG_formal_parameter
// DWARF-NEXT:  DW_AT_name ("x")
// DWARF:     DW_TAG_subprogram
// DWARF:       DW_AT_name ("k")
// DWARF:       DW_AT_decl_line (10)
// DWARF:     DW_TAG_variable
// DWARF-NEXT:  DW_AT_address_class (0x06)
// DWARF:       DW_AT_name ("value")
// DWARF:       DW_AT_type ({{.*}} "float32")
// DWARF:     DW_TAG_inlined_subroutine
// DWARF-NEXT:  DW_AT_abstract_origin ({{.*}} "squared")
// DWARF:       DW_AT_call_line (13)
pyk.func @k(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c> loc("/program/k.py":12:5)
  %y = pyk.call @squared_1(%x) : (f32) -> f32 loc("/program/k.py":13:7)
  pyk.debug_value "value", f32 = %y : f32 loc("/program/k.py":13:3)
  pyk.store %y, %a[] : !pyk.array<f32, c> loc("/program/k.py":14:5)
  pyk.return loc("/program/k.py":15:5)
} loc("k"("/program/k.py":10:1))

pyk.func @squared_1(%x: f32) -> f32 {
  pyk.debug_value "x", f32 = %x argument 1 : f32 loc("/program/k.py":2:1)
  %y = arith.mulf %x, %x : f32 loc("/program/k.py":3:9)
  pyk.return %y : f32 loc("/program/k.py":3:2)
} loc("squared"("/program/k.py":2:1))
