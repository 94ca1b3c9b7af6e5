// RUN: pyk-opt %s --pyk-lower-to-gpu --pyk-lower-to-nvvm -o %t.mlir
// RUN: not pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_42 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIP
// RUN: not pyk-test-translate %t.mlir --pyk-to-ptx --chip=sm_90 --ptx-version=77 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OLD
// RUN: not pyk-test-translate %t.mlir --pyk-to-ptx --ptx-version=79 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN
// RUN: env PYK_LIBDEVICE=/nowhere not pyk-test-translate %t.mlir --pyk-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAMED
// RUN: env PYK_LIBDEVICE=%s not pyk-test-translate %t.mlir --pyk-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: env PYK_LIBDEVICE=%S not pyk-test-translate %t.mlir --pyk-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FOLDER
// RUN: echo "" | llvm-as -o %t.bc
// RUN: env PYK_LIBDEVICE=%t.bc not pyk-test-translate %t.mlir --pyk-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LACKING
// RUN: echo "module {}" | not pyk-test-translate --pyk-to-ptx 2>&1 \
// RUN:   | FileCheck %s --check-prefix=EMPTY

// CHIP: error: expects a chip of sm_75, sm_80, {{.*}}, sm_121f but got 'sm_42'
// OLD: error: expects PTX version 78 or later for sm_90 but got 77
// UNKNOWN: error: expects a PTX version of 70, {{.*}}, 90 but got 79
// NAMED: error: cannot read '/nowhere', which PYK_LIBDEVICE names as libdevice
// OTHER: error: cannot read libdevice at '{{.*}}errors.mlir': {{file doesn't start with bitcode header|Invalid bitcode signature}}
// FOLDER: error: cannot read libdevice at '{{.*}}': Is a directory
// LACKING: error: cannot find '__nv_sinf' in libdevice at '{{.*}}.bc'
// EMPTY: error: expects one gpu.module but got 0
pyk.func @sine(%a: !pyk.array<f32, c>) attributes {kernel} {
  %x = pyk.load %a[] : !pyk.array<f32, c>
  %y = math.sin %x : f32
  pyk.store %y, %a[] : !pyk.array<f32, c>
  pyk.return
}
