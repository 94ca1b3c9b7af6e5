// What --save writes, --arg reads; and every file that is not what --arg says
// is an error that names the file.

// RUN: rm -rf %t && mkdir %t
// RUN: pyk-run %s --grid=1 --block=1 --arg=i16[2x3]=iota --save=0:%t/a.npy
// RUN: pyk-run %s --grid=1 --block=1 --arg=i16[2x3]=@%t/a.npy --print=0 \
// RUN:   | FileCheck %s
// CHECK{LITERAL}: [[0, 1, 2],
// CHECK{LITERAL}:  [3, 4, 5]]
// RUN: pyk-run %s --grid=1 --block=1 --arg=i16[2x3]=@%t/a.npy --save=0:%t/b.npy
// RUN: cmp %t/a.npy %t/b.npy

// DEFINE: %{load} = %exits 1 pyk-run %s --grid=1 --block=1

// RUN: %{load} --arg=u16[2x3]=@%t/a.npy 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: pyk-run: error: '{{.*}}a.npy': expects elements of type u16 ('<u2') but got '<i2'
// RUN: %{load} --arg=i16[3x2]=@%t/a.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// SHAPE: pyk-run: error: '{{.*}}a.npy': expects shape [3x2] but got [2x3]

// RUN: head -c 135 %t/a.npy > %t/short.npy
// RUN: %{load} --arg=i16[2x3]=@%t/short.npy 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: '{{.*}}short.npy': expects 12 bytes of elements but got 7

// RUN: sed 's/False/True /' %t/a.npy > %t/fortran.npy
// RUN: %{load} --arg=i16[2x3]=@%t/fortran.npy 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: '{{.*}}fortran.npy': expects C order but got Fortran order

// RUN: head -c 60 %t/a.npy > %t/header.npy
// RUN: %{load} --arg=i16[2x3]=@%t/header.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: sed 's/shape/shapes/' %t/a.npy > %t/key.npy
// RUN: %{load} --arg=i16[2x3]=@%t/key.npy 2>&1 | FileCheck %s --check-prefix=HEADER
// RUN: %{load} --arg=i16[2x3]=@%s 2>&1 | FileCheck %s --check-prefix=HEADER
// HEADER: expects a .npy file of version 1, 2 or 3 but got something else

// A file that is not there is the command line's fault.
// RUN: %exits 2 pyk-run %s --grid=1 --block=1 --arg=i16[2x3]=@%t/no.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING
// MISSING: pyk-run: error: --arg=i16[2x3]=@{{.*}}: cannot read '{{.*}}no.npy': No such file or directory
// So is one that cannot be written, before anything is launched.
// RUN: %exits 2 pyk-run %s --grid=1 --block=4096 --arg=i16[2x3]=iota \
// RUN:   --save=0:%t/no/where.npy 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SAVE
// SAVE: pyk-run: error: cannot write '{{.*}}where.npy': No such file or directory

pyk.func @nothing(%a: !pyk.array<?x?xi16, c>) attributes {kernel} {
  pyk.return
}
