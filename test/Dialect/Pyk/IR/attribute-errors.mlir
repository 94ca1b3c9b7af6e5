// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// Attributes by which passes tell each other something. What is wrong with one is
// said where it is read, whatever would have used it.

// expected-error @below {{expects an attribute that its dialect knows but got 'pyk.blok_shape'}}
func.func private @misspelt() attributes {pyk.blok_shape = array<i32: 1, 1, 1>}

// -----

// expected-error @below {{expects an attribute that its dialect knows but got 'simd.lane'}}
func.func private @misspelt() attributes {simd.lane = 8 : i32}

// -----

// expected-error @below {{expects 'pyk.facts' as an attribute of argument 1 but got 'pyk.fact'}}
pyk.func @misspelt(%n: i64, %m: i64 {pyk.fact = #pyk.facts<small>}) attributes {kernel} {
  pyk.return
}

// -----

func.func @on_an_op(%x: i64) -> i64 {
  // expected-error @below {{cannot have the attribute 'pyk.child', which belongs to a function}}
  %y = arith.addi %x, %x {pyk.child} : i64
  return %y : i64
}

// -----

// expected-error @below {{cannot have the attribute 'pyk.failures', which belongs to a gpu.module}}
func.func private @failures() attributes {pyk.failures = []}

// -----

// expected-error @below {{cannot have the attribute 'pyk.chip', which belongs to a module}}
func.func private @chip() attributes {pyk.chip = "sm_80"}

// -----

// expected-error @below {{cannot have the attribute 'pyk.variable', which belongs to an llvm.alloca}}
func.func private @variable() attributes {pyk.variable = {}}

// -----

// expected-error @below {{expects 'pyk.abi' to be a #pyk.abi but got 3 : i64}}
func.func private @abi() attributes {pyk.abi = 3}

// -----

// expected-error @below {{expects 'pyk.child' to be a unit attribute but got true}}
func.func private @child() attributes {pyk.child = true}

// -----

// expected-error @below {{expects 'pyk.guarded' to be a unit attribute but got "yes"}}
func.func private @guarded() attributes {pyk.guarded = "yes"}

// -----

// expected-error @below {{expects 'pyk.foreign' to be a #pyk.foreign but got "dot"}}
func.func private @foreign() attributes {pyk.foreign = "dot"}

// -----

// expected-error @below {{expects 'pyk.chip' to be text but got 80 : i64}}
module attributes {pyk.chip = 80} {
}

// -----

// expected-error @below {{expects 'pyk.failures' to be a list of #pyk.failure but got ["IndexError"]}}
gpu.module @failures attributes {pyk.failures = ["IndexError"]} {
}

// -----

llvm.func @variable(%n: i64) {
  // expected-error @below {{expects 'pyk.variable' to be a dictionary of a name, a type for debuggers and perhaps the number of an argument but got {name = "n"}}}
  %slot = llvm.alloca %n x i64 {pyk.variable = {name = "n"}} : (i64) -> !llvm.ptr
  llvm.return
}

// -----

// expected-error @below {{expects 'pyk.block_shape' to be three i32 from 1 on, of 1024 threads at most but got 3 : i32}}
func.func private @shape() attributes {pyk.block_shape = 3 : i32}

// -----

// expected-error @below {{'pyk.block_shape' to be three i32 from 1 on, of 1024 threads at most but got array<i32: 32>}}
func.func private @shape() attributes {pyk.block_shape = array<i32: 32>}

// -----

// expected-error @below {{'pyk.block_shape' to be three i32 from 1 on, of 1024 threads at most but got array<i32: 32, 0, 1>}}
func.func private @shape() attributes {pyk.block_shape = array<i32: 32, 0, 1>}

// -----

// Their product leaves 32 bits.
// expected-error @below {{'pyk.block_shape' to be three i32 from 1 on, of 1024 threads at most but got array<i32: 1024, 1024, 1024>}}
func.func private @shape() attributes {pyk.block_shape = array<i32: 1024, 1024, 1024>}

// -----

// expected-error @below {{expects 2 arguments as in its attribute 'pyk.abi' but got 1}}
func.func private @parameters(i64) attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <scalar, 1>]>}

// -----

// expected-error @below {{expects parameters of its 1 arguments at most, of rank 32 at most, but got #pyk.parameter<scalar, 1>}}
func.func private @parameters(i64) attributes {pyk.abi = #pyk.abi<[<scalar, 1>]>}

// -----

// expected-error @below {{expects a pointer for #pyk.parameter<data, 0> but got 'i64'}}
func.func private @parameters(i64) attributes {pyk.abi = #pyk.abi<[<data, 0>]>}

// -----

// expected-error @below {{expects an integer for #pyk.parameter<extent, 0, 1> but got 'f32'}}
func.func private @parameters(f32) attributes {pyk.abi = #pyk.abi<[<extent, 0, 1>]>}

// -----

// expected-error @below {{expects steps of 1 byte or more but got #pyk.parameter<memory_count, 0>}}
func.func private @parameters(i64) attributes {pyk.abi = #pyk.abi<[<memory_count, 0, 0>]>}

// -----

// No launch promises that there is no number at all.
// expected-error @below {{expects a range from 0 to 2147418112, 2147483648 or 281474976710656 for #pyk.parameter<extent, 0> but got #llvm.constant_range<i64, 0, 0>}}
func.func private @parameters(i64 {llvm.range = #llvm.constant_range<i64, 0, 0>}) attributes {pyk.abi = #pyk.abi<[<extent, 0, 0>]>}

// -----

// expected-error @below {{expects each parameter once but got #pyk.parameter<scalar, 0> again}}
func.func private @parameters(i64, i64) attributes {pyk.abi = #pyk.abi<[<scalar, 0>, <scalar, 0>]>}

// -----

// Its arguments cannot be counted.
// expected-error @below {{'llvm.func' op requires attribute 'function_type'}}
"llvm.func"() <{sym_name = "f"}> ({}) {pyk.abi = #pyk.abi<[<scalar, 0>]>} : () -> ()

// -----

// A term of itself.
// expected-error @below {{expects 'pyk.bounds' to be made of earlier terms and arguments but got #pyk.bound_term<kind = add, first = 1> as term 1}}
func.func private @terms() attributes {pyk.bounds = [#pyk.bound_term<kind = constant>, #pyk.bound_term<kind = add, first = 1>]}

// -----

// expected-error @below {{but got #pyk.bound_term<kind = thread, first = 3> as term 0}}
func.func private @axes() attributes {pyk.bounds = [#pyk.bound_term<kind = thread, first = 3>]}

// -----

// expected-error @below {{but got #pyk.bound_term<kind = extent, first = 1> as term 0}}
func.func private @arguments(i64) attributes {pyk.bounds = [#pyk.bound_term<kind = extent, first = 1>]}

// -----

// expected-error @below {{but got #pyk.bound_term<kind = scalar, value = 9> as term 0}}
func.func private @bytes(i64) attributes {pyk.bounds = [#pyk.bound_term<kind = scalar, value = 9>]}

// -----

// expected-error @below {{but got #pyk.bound_term<kind = inside, second = 1, value = 4> as term 1}}
func.func private @memory(i64) attributes {pyk.bounds = [#pyk.bound_term<kind = constant>, #pyk.bound_term<kind = inside, second = 1, value = 4>]}

// -----

// expected-error @below {{expects 'pyk.shared_sizes' to find its operands on the stack but got #pyk.size_term<kind = mul> where that has 1 numbers}}
func.func private @stack() attributes {pyk.shared_sizes = [#pyk.size_term<kind = constant>, #pyk.size_term<kind = mul>]}

// -----

// expected-error @below {{but got #pyk.size_term<kind = signed, argument = 2, value = 8> where that has 0 numbers}}
func.func private @stack(i64) attributes {pyk.shared_sizes = [#pyk.size_term<kind = signed, argument = 2, value = 8>]}

// -----

// expected-error @below {{but got #pyk.size_term<kind = place> where that has 1 numbers}}
func.func private @stack() attributes {pyk.shared_sizes = [#pyk.size_term<kind = constant>, #pyk.size_term<kind = place>]}
