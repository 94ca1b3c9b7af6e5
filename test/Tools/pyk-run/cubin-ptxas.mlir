// The ptxas of a toolkit makes an ELF file.
// REQUIRES: ptxas
// RUN: pyk-run %s --emit=cubin --chip=sm_90 | head -c 4 | FileCheck %s
// CHECK: ELF

pyk.func @nothing() attributes {kernel} {
  pyk.return
}
