// The version of PTX that introduced each chip: drivers of before a later one
// could not read it.

// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_75 | FileCheck %s --check-prefix=SM75
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_86 | FileCheck %s --check-prefix=SM86
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_87 | FileCheck %s --check-prefix=SM87
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_88 | FileCheck %s --check-prefix=SM88
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_89 | FileCheck %s --check-prefix=SM89
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_90a | FileCheck %s --check-prefix=SM90A
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_100 | FileCheck %s --check-prefix=SM100
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_100f | FileCheck %s --check-prefix=SM100F
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_103 | FileCheck %s --check-prefix=SM103
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_110 | FileCheck %s --check-prefix=SM110
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_120 | FileCheck %s --check-prefix=SM120
// RUN: pyk-test-translate %s --pyk-to-ptx --chip=sm_121f | FileCheck %s --check-prefix=SM121F
// RUN: not pyk-test-translate %s --pyk-to-ptx --ptx-version=89 2>&1 \
// RUN:   | FileCheck %s --check-prefix=VERSIONS
// RUN: not pyk-test-translate %s --pyk-to-ptx --chip=sm_70 2>&1 \
// RUN:   | FileCheck %s --check-prefix=CHIPS

// SM75: .version 7.0
// SM75-NEXT: .target sm_75{{$}}
// SM86: .version 7.1
// SM86-NEXT: .target sm_86{{$}}
// SM87: .version 7.4
// SM87-NEXT: .target sm_87{{$}}
// SM88: .version 9.0
// SM88-NEXT: .target sm_88{{$}}
// SM89: .version 7.8
// SM89-NEXT: .target sm_89{{$}}
// SM90A: .version 8.0
// SM90A-NEXT: .target sm_90a{{$}}
// SM100: .version 8.6
// SM100-NEXT: .target sm_100{{$}}
// SM100F: .version 8.8
// SM100F-NEXT: .target sm_100f{{$}}
// SM103: .version 8.8
// SM103-NEXT: .target sm_103{{$}}
// SM110: .version 9.0
// SM110-NEXT: .target sm_110{{$}}
// SM120: .version 8.7
// SM120-NEXT: .target sm_120{{$}}
// SM121F: .version 8.8
// SM121F-NEXT: .target sm_121f{{$}}

// VERSIONS: expects a PTX version of 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88, 90 but got 89
// CHIPS: expects a chip of sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a, sm_121f but got 'sm_70'
gpu.module @pyk {
  llvm.func @nothing() attributes {gpu.kernel, nvvm.kernel} {
    llvm.return
  }
}
