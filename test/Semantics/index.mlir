// The place of a thread. Every thread writes where its numbers say that it is: what should
// be and what is may be compared for blocks of 1 to 64 threads of three dimensions.

// DEFINE: %{kernel} =
// DEFINE: %{args} =
// DEFINE: %{shape} = 40, 1, 1
// DEFINE: %{launch} =
// DEFINE: %{run} = sed "s/i32: 40, 1, 1>/i32: %{shape}>/" %s | pyk-run - \
// DEFINE:   --kernel=%{kernel} %{launch} %{args}
// DEFINE: %{check} = FileCheck %s --check-prefix
// DEFINE: %{simd} = %{run} --cpu=simd --explain 2>&1 | FileCheck %s \
// DEFINE:   --implicit-check-not="not run as vectors" --check-prefix

// RUN: pyk-run %s --emit=ptx -o %t.ptx
// RUN: %if ptxas %{ ptxas --gpu-name sm_80 %t.ptx --output-file %t.o %}

!i32s = !pyk.array<?xi32, c>
!i64s = !pyk.array<?xi64, c>

// Indices of threads and blocks, and the extents, as one number of decimal digits each:
// threads, blocks, extent of blocks, extent of the grid, x in front.
// REDEFINE: %{kernel} = indices
// REDEFINE: %{args} = --arg=i64[24]=zeros --print=0
// REDEFINE: %{shape} = 7, 1, 1
// REDEFINE: %{launch} = --grid=3,1,1 --block=7,1,1
// RUN: %{run} --cpu=reference | %{check}=flat
// RUN: %{simd}=flat
// flat: 0: i64[24] = [711311, 100000711311, 200000711311, 300000711311, 400000711311, 500000711311, 600000711311, 100711311, 100100711311, 200100711311, 300100711311, 400100711311, 500100711311, 600100711311, 200711311, 100200711311, 200200711311, 300200711311, 400200711311, 500200711311, 600200711311, 0, 0, 0]
// REDEFINE: %{shape} = 2, 3, 2
// REDEFINE: %{launch} = --grid=1,2,1 --block=2,3,2
// RUN: %{run} --cpu=reference | %{check}=deep
// RUN: %{simd}=deep
// deep: 0: i64[24] = [232121, 100000232121, 10000232121, 110000232121, 20000232121, 120000232121, 1000232121, 101000232121, 11000232121, 111000232121, 21000232121, 121000232121, 10232121, 100010232121, 10010232121, 110010232121, 20010232121, 120010232121, 1010232121, 101010232121, 11010232121, 111010232121, 21010232121, 121010232121]
// REDEFINE: %{shape} = 1, 1, 4
// REDEFINE: %{launch} = --grid=2,1,3 --block=1,1,4
// RUN: %{run} --cpu=reference | %{check}=thin
// RUN: %{simd}=thin
// thin: 0: i64[24] = [114213, 1000114213, 2000114213, 3000114213, 100114213, 1100114213, 2100114213, 3100114213, 1114213, 1001114213, 2001114213, 3001114213, 101114213, 1101114213, 2101114213, 3101114213, 2114213, 1002114213, 2002114213, 3002114213, 102114213, 1102114213, 2102114213, 3102114213]
// REDEFINE: %{shape} = 1, 1, 1
// REDEFINE: %{launch} = --grid=2,3,4 --block=1,1,1
// RUN: %{run} --cpu=reference | %{check}=blocks
// RUN: %{simd}=blocks
// blocks: 0: i64[24] = [111234, 100111234, 10111234, 110111234, 20111234, 120111234, 1111234, 101111234, 11111234, 111111234, 21111234, 121111234, 2111234, 102111234, 12111234, 112111234, 22111234, 122111234, 3111234, 103111234, 13111234, 113111234, 23111234, 123111234]
pyk.func @indices(%out: !i64s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %ten = arith.constant 10 : i64
  %tx = pyk.thread_id x : i32
  %ty = pyk.thread_id y : i32
  %tz = pyk.thread_id z : i32
  %bx = pyk.block_id x : i32
  %by = pyk.block_id y : i32
  %bz = pyk.block_id z : i32
  %ex = pyk.block_dim x : i32
  %ey = pyk.block_dim y : i32
  %ez = pyk.block_dim z : i32
  %gx = pyk.grid_dim x : i32
  %gy = pyk.grid_dim y : i32
  %gz = pyk.grid_dim z : i32
  // The place in the array: threads of a block one behind the other, then blocks.
  %e0 = arith.muli %ex, %ey : i32
  %e1 = arith.muli %e0, %ez : i32
  %t0 = arith.muli %tz, %ey : i32
  %t1 = arith.addi %t0, %ty : i32
  %t2 = arith.muli %t1, %ex : i32
  %t3 = arith.addi %t2, %tx : i32
  %b0 = arith.muli %bz, %gy : i32
  %b1 = arith.addi %b0, %by : i32
  %b2 = arith.muli %b1, %gx : i32
  %b3 = arith.addi %b2, %bx : i32
  %before = arith.muli %b3, %e1 : i32
  %place = arith.addi %before, %t3 : i32
  %i = arith.extui %place : i32 to i64
  %w0 = arith.extui %tx : i32 to i64
  %w1 = arith.extui %ty : i32 to i64
  %m1 = arith.muli %w0, %ten : i64
  %s1 = arith.addi %m1, %w1 : i64
  %w2 = arith.extui %tz : i32 to i64
  %m2 = arith.muli %s1, %ten : i64
  %s2 = arith.addi %m2, %w2 : i64
  %w3 = arith.extui %bx : i32 to i64
  %m3 = arith.muli %s2, %ten : i64
  %s3 = arith.addi %m3, %w3 : i64
  %w4 = arith.extui %by : i32 to i64
  %m4 = arith.muli %s3, %ten : i64
  %s4 = arith.addi %m4, %w4 : i64
  %w5 = arith.extui %bz : i32 to i64
  %m5 = arith.muli %s4, %ten : i64
  %s5 = arith.addi %m5, %w5 : i64
  %w6 = arith.extui %ex : i32 to i64
  %m6 = arith.muli %s5, %ten : i64
  %s6 = arith.addi %m6, %w6 : i64
  %w7 = arith.extui %ey : i32 to i64
  %m7 = arith.muli %s6, %ten : i64
  %s7 = arith.addi %m7, %w7 : i64
  %w8 = arith.extui %ez : i32 to i64
  %m8 = arith.muli %s7, %ten : i64
  %s8 = arith.addi %m8, %w8 : i64
  %w9 = arith.extui %gx : i32 to i64
  %m9 = arith.muli %s8, %ten : i64
  %s9 = arith.addi %m9, %w9 : i64
  %w10 = arith.extui %gy : i32 to i64
  %m10 = arith.muli %s9, %ten : i64
  %s10 = arith.addi %m10, %w10 : i64
  %w11 = arith.extui %gz : i32 to i64
  %m11 = arith.muli %s10, %ten : i64
  %s11 = arith.addi %m11, %w11 : i64
  pyk.store %s11, %out[%i] : !i64s
  pyk.return
}

// Indices and numbers of threads in the grid, in 32 and in 64 bits: of three numbers with
// two digits, x in front. The place is that of the row of all x, then y, then z.
// REDEFINE: %{kernel} = grids
// REDEFINE: %{args} = --arg=i64[24]=zeros --arg=i32[24]=zeros --print=0 --print=1
// REDEFINE: %{shape} = 7, 1, 1
// REDEFINE: %{launch} = --grid=3,1,1 --block=7,1,1
// RUN: %{run} --cpu=reference | %{check}=flat_grid
// RUN: %{simd}=flat_grid
// flat_grid: 0: i64[24] = [210101, 10000210101, 20000210101, 30000210101, 40000210101, 50000210101, 60000210101, 70000210101, 80000210101, 90000210101, 100000210101, 110000210101, 120000210101, 130000210101, 140000210101, 150000210101, 160000210101, 170000210101, 180000210101, 190000210101, 200000210101, 0, 0, 0]
// flat_grid-NEXT: 1: i32[24] = [210101, 1410275509, -1474626379, -64560971, 1345504437, -1539397451, -129332043, 1280733365, -1604168523, -194103115, 1215962293, -1668939595, -258874187, 1151191221, -1733710667, -323645259, 1086420149, -1798481739, -388416331, 1021649077, -1863252811, 0, 0, 0]
// REDEFINE: %{shape} = 2, 3, 2
// REDEFINE: %{launch} = --grid=1,2,1 --block=2,3,2
// RUN: %{run} --cpu=reference | %{check}=deep_grid
// RUN: %{simd}=deep_grid
// deep_grid: 0: i64[24] = [20602, 10000020602, 100020602, 10100020602, 200020602, 10200020602, 300020602, 10300020602, 400020602, 10400020602, 500020602, 10500020602, 1020602, 10001020602, 101020602, 10101020602, 201020602, 10201020602, 301020602, 10301020602, 401020602, 10401020602, 501020602, 10501020602]
// deep_grid-NEXT: 1: i32[24] = [20602, 1410086010, 100020602, 1510086010, 200020602, 1610086010, 300020602, 1710086010, 400020602, 1810086010, 500020602, 1910086010, 1020602, 1411086010, 101020602, 1511086010, 201020602, 1611086010, 301020602, 1711086010, 401020602, 1811086010, 501020602, 1911086010]
// REDEFINE: %{shape} = 1, 1, 4
// REDEFINE: %{launch} = --grid=2,1,3 --block=1,1,4
// RUN: %{run} --cpu=reference | %{check}=thin_grid
// RUN: %{simd}=thin_grid
// thin_grid: 0: i64[24] = [20112, 10000020112, 1020112, 10001020112, 2020112, 10002020112, 3020112, 10003020112, 4020112, 10004020112, 5020112, 10005020112, 6020112, 10006020112, 7020112, 10007020112, 8020112, 10008020112, 9020112, 10009020112, 10020112, 10010020112, 11020112, 10011020112]
// thin_grid-NEXT: 1: i32[24] = [20112, 1410085520, 1020112, 1411085520, 2020112, 1412085520, 3020112, 1413085520, 4020112, 1414085520, 5020112, 1415085520, 6020112, 1416085520, 7020112, 1417085520, 8020112, 1418085520, 9020112, 1419085520, 10020112, 1420085520, 11020112, 1421085520]
pyk.func @grids(%wide: !i64s, %narrow: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %i64x = pyk.grid x : i64
  %i64y = pyk.grid y : i64
  %i64z = pyk.grid z : i64
  %i64nx = pyk.grid_size x : i64
  %i64ny = pyk.grid_size y : i64
  %i64nz = pyk.grid_size z : i64
  %i64hundred = arith.constant 100 : i64
  %i64m0 = arith.muli %i64x, %i64hundred : i64
  %i64s0 = arith.addi %i64m0, %i64y : i64
  %i64m1 = arith.muli %i64s0, %i64hundred : i64
  %i64s1 = arith.addi %i64m1, %i64z : i64
  %i64m2 = arith.muli %i64s1, %i64hundred : i64
  %i64s2 = arith.addi %i64m2, %i64nx : i64
  %i64m3 = arith.muli %i64s2, %i64hundred : i64
  %i64s3 = arith.addi %i64m3, %i64ny : i64
  %i64m4 = arith.muli %i64s3, %i64hundred : i64
  %i64s4 = arith.addi %i64m4, %i64nz : i64
  %0 = arith.muli %i64z, %i64ny : i64
  %1 = arith.addi %0, %i64y : i64
  %2 = arith.muli %1, %i64nx : i64
  %i = arith.addi %2, %i64x : i64
  pyk.store %i64s4, %wide[%i] : !i64s
  %i32x = pyk.grid x : i32
  %i32y = pyk.grid y : i32
  %i32z = pyk.grid z : i32
  %i32nx = pyk.grid_size x : i32
  %i32ny = pyk.grid_size y : i32
  %i32nz = pyk.grid_size z : i32
  %i32hundred = arith.constant 100 : i32
  %i32m0 = arith.muli %i32x, %i32hundred : i32
  %i32s0 = arith.addi %i32m0, %i32y : i32
  %i32m1 = arith.muli %i32s0, %i32hundred : i32
  %i32s1 = arith.addi %i32m1, %i32z : i32
  %i32m2 = arith.muli %i32s1, %i32hundred : i32
  %i32s2 = arith.addi %i32m2, %i32nx : i32
  %i32m3 = arith.muli %i32s2, %i32hundred : i32
  %i32s3 = arith.addi %i32m3, %i32ny : i32
  %i32m4 = arith.muli %i32s3, %i32hundred : i32
  %i32s4 = arith.addi %i32m4, %i32nz : i32
  pyk.store %i32s4, %narrow[%i] : !i32s
  pyk.return
}

// Warps are 32 threads in a row, x fastest: the last one may have fewer. The masks of a lane
// also have the lanes that nobody is in.
// REDEFINE: %{kernel} = lanes
// REDEFINE: %{args} = --arg=i32[40]=zeros --arg=u32[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --arg=u32[40]=zeros --arg=u32[40]=zeros --arg=u32[40]=zeros \
// REDEFINE:   --print=0 --print=1 --print=2 --print=3 --print=4 --print=5
// REDEFINE: %{shape} = 40, 1, 1
// REDEFINE: %{launch} = --grid=1,1,1 --block=40,1,1
// RUN: %{run} --cpu=reference | %{check}=forty
// RUN: %{simd}=forty
// forty: 0: i32[40] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7]
// forty-NEXT: 1: u32[40] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216, 33554432, 67108864, 134217728, 268435456, 536870912, 1073741824, 2147483648, 1, 2, 4, 8, 16, 32, 64, 128]
// forty-NEXT: 2: u32[40] = [0, 1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65535, 131071, 262143, 524287, 1048575, 2097151, 4194303, 8388607, 16777215, 33554431, 67108863, 134217727, 268435455, 536870911, 1073741823, 2147483647, 0, 1, 3, 7, 15, 31, 63, 127]
// forty-NEXT: 3: u32[40] = [1, 3, 7, 15, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65535, 131071, 262143, 524287, 1048575, 2097151, 4194303, 8388607, 16777215, 33554431, 67108863, 134217727, 268435455, 536870911, 1073741823, 2147483647, 4294967295, 1, 3, 7, 15, 31, 63, 127, 255]
// forty-NEXT: 4: u32[40] = [4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168, 4294967040, 4294966784, 4294966272, 4294965248, 4294963200, 4294959104, 4294950912, 4294934528, 4294901760, 4294836224, 4294705152, 4294443008, 4293918720, 4292870144, 4290772992, 4286578688, 4278190080, 4261412864, 4227858432, 4160749568, 4026531840, 3758096384, 3221225472, 2147483648, 0, 4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168, 4294967040]
// forty-NEXT: 5: u32[40] = [4294967295, 4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168, 4294967040, 4294966784, 4294966272, 4294965248, 4294963200, 4294959104, 4294950912, 4294934528, 4294901760, 4294836224, 4294705152, 4294443008, 4293918720, 4292870144, 4290772992, 4286578688, 4278190080, 4261412864, 4227858432, 4160749568, 4026531840, 3758096384, 3221225472, 2147483648, 4294967295, 4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168]
// REDEFINE: %{shape} = 5, 4, 2
// REDEFINE: %{launch} = --grid=1,1,1 --block=5,4,2
// RUN: %{run} --cpu=reference | %{check}=box
// RUN: %{simd}=box
// box: 0: i32[40] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7]
// box-NEXT: 1: u32[40] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576, 2097152, 4194304, 8388608, 16777216, 33554432, 67108864, 134217728, 268435456, 536870912, 1073741824, 2147483648, 1, 2, 4, 8, 16, 32, 64, 128]
// REDEFINE: %{shape} = 7, 1, 1
// REDEFINE: %{launch} = --grid=1,1,1 --block=7,1,1
// RUN: %{run} --cpu=reference | %{check}=seven
// RUN: %{simd}=seven
// seven: 0: i32[40] = [0, 1, 2, 3, 4, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// seven-NEXT: 1: u32[40] = [1, 2, 4, 8, 16, 32, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// seven-NEXT: 2: u32[40] = [0, 1, 3, 7, 15, 31, 63, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// seven-NEXT: 3: u32[40] = [1, 3, 7, 15, 31, 63, 127, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// seven-NEXT: 4: u32[40] = [4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 4294967168, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
// seven-NEXT: 5: u32[40] = [4294967295, 4294967294, 4294967292, 4294967288, 4294967280, 4294967264, 4294967232, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
pyk.func @lanes(%lane: !i32s, %eq: !i32s, %lt: !i32s, %le: !i32s, %gt: !i32s,
    %ge: !i32s)
    attributes {kernel, pyk.block_shape = array<i32: 40, 1, 1>} {
  %x = pyk.thread_id x : i32
  %y = pyk.thread_id y : i32
  %z = pyk.thread_id z : i32
  %nx = pyk.block_dim x : i32
  %ny = pyk.block_dim y : i32
  %0 = arith.muli %z, %ny : i32
  %1 = arith.addi %0, %y : i32
  %2 = arith.muli %1, %nx : i32
  %3 = arith.addi %2, %x : i32
  %i = arith.extui %3 : i32 to i64
  %l = pyk.lane_id : i32
  pyk.store %l, %lane[%i] : !i32s
  %meq = pyk.lane_mask eq
  pyk.store %meq, %eq[%i] : !i32s
  %mlt = pyk.lane_mask lt
  pyk.store %mlt, %lt[%i] : !i32s
  %mle = pyk.lane_mask le
  pyk.store %mle, %le[%i] : !i32s
  %mgt = pyk.lane_mask gt
  pyk.store %mgt, %gt[%i] : !i32s
  %mge = pyk.lane_mask ge
  pyk.store %mge, %ge[%i] : !i32s
  pyk.return
}
