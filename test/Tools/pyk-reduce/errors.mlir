// RUN: not pyk-reduce %s --test=%t.missing 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: pyk-reduce: error: cannot run '{{.*}}.missing'
// RUN: not pyk-reduce %s --test=false 2>&1 | FileCheck %s --check-prefix=FALSE
// FALSE: pyk-reduce: error: 'false' does not succeed on {{.*}}errors.mlir itself
// RUN: not pyk-reduce %t.missing --test=true 2>&1 | FileCheck %s --check-prefix=FILE
// FILE: could not open input file
// RUN: not pyk-reduce %s --test=true -o %t.missing/x 2>&1 | FileCheck %s --check-prefix=OUT
// OUT: pyk-reduce: error: cannot open output file
// RUN: env TMPDIR=%t.missing not pyk-reduce %s --test=true 2>&1 | FileCheck %s --check-prefix=TEMPORARY
// TEMPORARY: pyk-reduce: error: cannot make a temporary file: No such file or directory
// RUN: not bash -c "trap '' XFSZ; ulimit -f 0; pyk-reduce %s --test=true" 2>&1 | FileCheck %s --check-prefix=FULL
// FULL: pyk-reduce: error: cannot write a temporary file: File too large
// RUN: not pyk-reduce %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: for the --test option: must be specified at least once!
pyk.func @f() {
  pyk.return
}
