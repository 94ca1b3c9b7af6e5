// Records with bytes that belong to no field, and fields that lie at any address. The host
// passes their bytes; what the fields are is what NumPy says of these bytes.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{run} = pyk-run %s --kernel=%{kernel} --grid=1 --block=4 %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix=%{kernel}
// DEFINE: %{test} = %{run} --cpu=reference | %{check} && \
// DEFINE:   %{run} --cpu=simd --explain 2>&1 | %{check} --implicit-check-not="not run as vectors"

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i8s = !pyk.array<?xi8, c>
!i16s = !pyk.array<?xi16, c>
!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>
!f64s = !pyk.array<?xf64, c>
!padded = !pyk.record<"flag" : i8 at 0, "x" : f64 at 8, "m" : 2x2xi16 at 16, size 32>
!packed = !pyk.record<"n" : i8 at 0, "x" : i32 at 1, "pair" : !pyk.record<"u" : i16 at 0, "v" : i8 at 2, size 3> at 5, "all" : i64 at 0, size 9>

// Fields of every record, one of them an array of two dimensions; the array of a field has a
// record's size as its stride.
// REDEFINE: %{kernel} = fields
// REDEFINE: %{args} = "--arg=i64[16]=-3953874632850452949,4609434218613702656,-4881858357060268928,6362572169314299848,-8130917989565274979,-4611123068473966592,7281118656742763999,-9203891682174673054,-3240423018306666359,4652218415073722368,-3346248962223115756,-4866418905238385499,6365720835425076036,-9223372036854775808,3220704650259599044,2655919230635290481" \
// REDEFINE:   --arg=i8[4]=zeros --arg=f64[4]=zeros \
// REDEFINE:   --arg=i16[4]=zeros --arg=i64[5]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// fields: 1: i8[4] = [43, -99, -119, 68]
// fields-NEXT: 2: f64[4] = [1.5, -2.25, 1024.0, -0.0]
// fields-NEXT: 3: i16[4] = [10160, -17705, -17332, 15824]
// fields-NEXT: 4: i64[5] = [4, 32, 2, 4, 2]
pyk.func @fields(%bytes: !i64s, %flag: !i8s, %x: !f64s, %m: !i16s, %form: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %c4 = arith.constant 4 : i64
  %i = pyk.grid x : i64
  %a = pyk.reinterpret %bytes : !i64s to !pyk.array<?x!padded, c>
  %flags = pyk.field %a "flag" : !pyk.array<?x!padded, c> to !pyk.array<?xi8, any>
  %xs = pyk.field %a "x" : !pyk.array<?x!padded, c> to !pyk.array<?xf64, any>
  %ms = pyk.field %a "m" : !pyk.array<?x!padded, c> to !pyk.array<?x2x2xi16, any>
  %0 = pyk.load %flags[%i] : !pyk.array<?xi8, any>
  %1 = pyk.load %xs[%i] : !pyk.array<?xf64, any>
  %2 = pyk.load %ms[%i, %c1, %c0] : !pyk.array<?x2x2xi16, any>
  pyk.store %0, %flag[%i] : !i8s
  pyk.store %1, %x[%i] : !f64s
  pyk.store %2, %m[%i] : !i16s
  %n = pyk.dim %ms, 0 : !pyk.array<?x2x2xi16, any>
  %s0 = pyk.stride %ms, 0 : !pyk.array<?x2x2xi16, any>
  %n1 = pyk.dim %ms, 1 : !pyk.array<?x2x2xi16, any>
  %s1 = pyk.stride %ms, 1 : !pyk.array<?x2x2xi16, any>
  %s2 = pyk.stride %ms, 2 : !pyk.array<?x2x2xi16, any>
  pyk.store %n, %form[%c0] : !i64s
  pyk.store %s0, %form[%c1] : !i64s
  pyk.store %n1, %form[%c2] : !i64s
  pyk.store %s1, %form[%c3] : !i64s
  pyk.store %s2, %form[%c4] : !i64s
  pyk.return
}

// A store to a field leaves the bytes beside it alone.
// REDEFINE: %{kernel} = store
// REDEFINE: %{args} = "--arg=i64[16]=-3953874632850452949,4609434218613702656,-4881858357060268928,6362572169314299848,-8130917989565274979,-4611123068473966592,7281118656742763999,-9203891682174673054,-3240423018306666359,4652218415073722368,-3346248962223115756,-4866418905238385499,6365720835425076036,-9223372036854775808,3220704650259599044,2655919230635290481" \
// REDEFINE:   --print=0
// RUN: %{test}
// store: 0: i64[16] = [-3953874632850452992, 4609434218613702656, -4881858354906952576, 6362572169314299848, -8130917989565275135, -4611123068473966592, 7281118659450187231, -9203891682174673054, -3240423018306666494, 4652218415073722368, -3346248959214489068, -4866418905238385499, 6365720835425075971, -9223372036854775808, 3220704651380723396, 2655919230635290481]
pyk.func @store(%bytes: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 4, 1, 1>} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %minus = arith.constant -1 : i16
  %i = pyk.grid x : i64
  %t = arith.trunci %i : i64 to i8
  %a = pyk.reinterpret %bytes : !i64s to !pyk.array<?x!padded, c>
  %flags = pyk.field %a "flag" : !pyk.array<?x!padded, c> to !pyk.array<?xi8, any>
  %ms = pyk.field %a "m" : !pyk.array<?x!padded, c> to !pyk.array<?x2x2xi16, any>
  pyk.store %t, %flags[%i] : !pyk.array<?xi8, any>
  pyk.store %minus, %ms[%i, %c0, %c1] : !pyk.array<?x2x2xi16, any>
  pyk.return
}

// A copy takes the bytes between fields along, by way of a record of the thread's own.
// Copies to local records are nothing for vectors.
// DEFINE: %{serial} = %{run} --cpu=reference | %{check} && %{run} --cpu=simd | %{check}
// REDEFINE: %{kernel} = copy
// REDEFINE: %{args} = "--arg=i64[16]=-3953874632850452949,4609434218613702656,-4881858357060268928,6362572169314299848,-8130917989565274979,-4611123068473966592,7281118656742763999,-9203891682174673054,-3240423018306666359,4652218415073722368,-3346248962223115756,-4866418905238385499,6365720835425076036,-9223372036854775808,3220704650259599044,2655919230635290481" \
// REDEFINE:   --arg=i64[16]=zeros --print=1
// RUN: %{serial}
// copy: 1: i64[16] = [6365720835425076036, -9223372036854775808, 3220704650259599044, 2655919230635290481, -3240423018306666359, 4652218415073722368, -3346248962223115756, -4866418905238385499, -8130917989565274979, -4611123068473966592, 7281118656742763999, -9203891682174673054, -3953874632850452949, 4609434218613702656, -4881858357060268928, 6362572169314299848]
pyk.func @copy(%from: !i64s, %to: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 4, 1, 1>} {
  %c3 = arith.constant 3 : i64
  %i = pyk.grid x : i64
  %j = arith.subi %c3, %i : i64
  %a = pyk.reinterpret %from : !i64s to !pyk.array<?x!padded, c>
  %b = pyk.reinterpret %to : !i64s to !pyk.array<?x!padded, c>
  %source = pyk.view %a[%j] : !pyk.array<?x!padded, c> to !pyk.array<!padded, c>
  %target = pyk.view %b[%i] : !pyk.array<?x!padded, c> to !pyk.array<!padded, c>
  %own = pyk.alloc : !pyk.array<!padded, c, local>
  pyk.copy_record %source to %own : !pyk.array<!padded, c>, !pyk.array<!padded, c, local>
  pyk.copy_record %own to %target : !pyk.array<!padded, c, local>, !pyk.array<!padded, c>
  pyk.return
}

// Fields at odd addresses, a record within the record, and fields that overlap.
// REDEFINE: %{kernel} = packed
// REDEFINE: %{args} = "--arg=i8[36]=39,-101,-87,49,87,34,110,-32,-44,76,-118,-79,-79,-29,-88,76,88,-31,-121,54,-101,28,-85,112,45,125,29,57,-32,79,-100,-89,-36,54,-4,88" \
// REDEFINE:   --arg=i32[4]=zeros --arg=i16[4]=zeros \
// REDEFINE:   --arg=i8[4]=zeros --arg=i64[4]=zeros \
// REDEFINE:   --print=1 --print=2 --print=3 --print=4
// RUN: %{test}
// packed: 1: i32[4] = [1462872475, -474893942, -1424188618, -1482928160]
// packed-NEXT: 2: i16[4] = [28194, 19624, 11632, 14044]
// packed-NEXT: 3: i8[4] = [-32, 88, 125, -4]
// packed-NEXT: 4: i64[4] = [-2274843003884823769, 6362646069459913292, 9019989508914624135, -272788114969206727]
pyk.func @packed(%bytes: !i8s, %x: !i32s, %u: !i16s, %v: !i8s, %all: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 4, 1, 1>} {
  %i = pyk.grid x : i64
  %a = pyk.reinterpret %bytes : !i8s to !pyk.array<?x!packed, c, align 1>
  %xs = pyk.field %a "x" : !pyk.array<?x!packed, c, align 1> to !pyk.array<?xi32, any, align 1>
  %pairs = pyk.field %a "pair" : !pyk.array<?x!packed, c, align 1>
      to !pyk.array<?x!pyk.record<"u" : i16 at 0, "v" : i8 at 2, size 3>, any, align 1>
  %us = pyk.field %pairs "u"
      : !pyk.array<?x!pyk.record<"u" : i16 at 0, "v" : i8 at 2, size 3>, any, align 1>
      to !pyk.array<?xi16, any, align 1>
  %vs = pyk.field %pairs "v"
      : !pyk.array<?x!pyk.record<"u" : i16 at 0, "v" : i8 at 2, size 3>, any, align 1>
      to !pyk.array<?xi8, any>
  %all_of = pyk.field %a "all" : !pyk.array<?x!packed, c, align 1> to !pyk.array<?xi64, any, align 1>
  %0 = pyk.load %xs[%i] : !pyk.array<?xi32, any, align 1>
  %1 = pyk.load %us[%i] : !pyk.array<?xi16, any, align 1>
  %2 = pyk.load %vs[%i] : !pyk.array<?xi8, any>
  %3 = pyk.load %all_of[%i] : !pyk.array<?xi64, any, align 1>
  pyk.store %0, %x[%i] : !i32s
  pyk.store %1, %u[%i] : !i16s
  pyk.store %2, %v[%i] : !i8s
  pyk.store %3, %all[%i] : !i64s
  pyk.return
}

// The two may share bytes: the record four bytes later becomes what the first one was.
// REDEFINE: %{kernel} = overlap
// REDEFINE: %{args} = "--arg=i8[20]=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20" \
// REDEFINE:   --print=0
// RUN: pyk-run %s --kernel=overlap --grid=1 --block=1 %{args} --cpu=reference | %{check}
// RUN: pyk-run %s --kernel=overlap --grid=1 --block=1 %{args} --cpu=simd | %{check}
// overlap: 0: i8[20] = [1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 14, 15, 16, 17, 18, 19, 20]
pyk.func @overlap(%bytes: !i8s) attributes {kernel} {
  %c0 = arith.constant 0 : i64
  %c4 = arith.constant 4 : i64
  %c9 = arith.constant 9 : i64
  %late = pyk.view %bytes[%c4 : %c9] : !i8s to !i8s
  %a = pyk.reinterpret %bytes : !i8s to !pyk.array<?x!packed, c, align 1>
  %b = pyk.reinterpret %late : !i8s to !pyk.array<?x!packed, c, align 1>
  %source = pyk.view %a[%c0] : !pyk.array<?x!packed, c, align 1> to !pyk.array<!packed, c, align 1>
  %target = pyk.view %b[%c0] : !pyk.array<?x!packed, c, align 1> to !pyk.array<!packed, c, align 1>
  pyk.copy_record volatile %source to %target
      : !pyk.array<!packed, c, align 1>, !pyk.array<!packed, c, align 1>
  pyk.return
}

// The parts of a complex number are fields, too; here they change places.
// REDEFINE: %{kernel} = parts
// REDEFINE: %{args} = "--arg=c128[4]=1+2j,-0+5j,inf-1j,3+nanj" --print=0
// RUN: %{test}
// parts: 0: c128[4] = [(2+1j), (5-0j), (-1+infj), (nan+3j)]
pyk.func @parts(%a: !pyk.array<?xcomplex<f64>, c>)
    attributes {kernel, pyk.block_shape = array<i32: 4, 1, 1>} {
  %i = pyk.grid x : i64
  %re = pyk.field %a "real" : !pyk.array<?xcomplex<f64>, c> to !pyk.array<?xf64, any>
  %im = pyk.field %a "imag" : !pyk.array<?xcomplex<f64>, c> to !pyk.array<?xf64, any>
  %x = pyk.load %re[%i] : !pyk.array<?xf64, any>
  %y = pyk.load %im[%i] : !pyk.array<?xf64, any>
  pyk.store %y, %re[%i] : !pyk.array<?xf64, any>
  pyk.store %x, %im[%i] : !pyk.array<?xf64, any>
  pyk.return
}
