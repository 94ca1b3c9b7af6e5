// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// func_c1: nothing could receive what a kernel returns.
// expected-error @below {{expects a kernel without results but got 1}}
pyk.func @kernel_with_result() -> f32 attributes {kernel} {
  %x = arith.constant 1.0 : f32
  pyk.return %x : f32
}

// -----

// func_c2: how an index is passed depends on the target.
// expected-error @below {{expects argument 1 of a kernel to be an array in global memory, a scalar of up to 64 bits or a complex number of two but got 'index'}}
pyk.func @kernel_of_index(%a: i64, %n: index) attributes {kernel} {
  pyk.return
}

// -----

// func_c2
// expected-error @below {{but got 'i128'}}
pyk.func @kernel_of_wide_integer(%n: i128) attributes {kernel} {
  pyk.return
}

// -----

// func_c2
// expected-error @below {{but got '!pyk.array<4xf32, c, shared>'}}
pyk.func @kernel_of_shared_array(%a: !pyk.array<4xf32, c, shared>) attributes {kernel} {
  pyk.return
}

// -----

// func_c3: a launch would have nothing to run.
// expected-error @below {{requires a body, being a kernel}}
pyk.func private @kernel_without_body() attributes {kernel}

// -----

// call_c3: there is nothing to link a declaration with.
pyk.func private @declared(i64) -> i64
pyk.func @calls_declared(%n: i64) -> i64 {
  // expected-error @below {{requires a body of @declared}}
  %m = pyk.call @declared(%n) : (i64) -> i64
  pyk.return %m : i64
}

// -----

// call_c4: functions of other dialects are in no graph of calls.
pyk.func private @callee() {
  pyk.return
}
func.func @foreign_caller() {
  // expected-error @below {{requires an enclosing pyk.func}}
  pyk.call @callee() : () -> ()
  return
}

// -----

// No thread executes the top of a module. Each op of the dialect says so.
pyk.func private @callee() {
  pyk.return
}
// expected-error @below {{'pyk.call' op requires an enclosing function}}
pyk.call @callee() : () -> ()

// -----

%true = arith.constant true
scf.if %true {
  // expected-error @below {{'pyk.barrier' op requires an enclosing function}}
  pyk.barrier
}

// -----

// A module of the device is a symbol, but no function.
gpu.module @device {
  // expected-error @below {{'pyk.barrier' op requires an enclosing function}}
  pyk.barrier
}

// -----

// func_c2: a device function may take what it likes.
pyk.func @device_function_of_index(%n: index) {
  pyk.return
}

// -----

// call_c1
pyk.func @callee_missing() {
  // expected-error @below {{requires a pyk.func named @nowhere}}
  pyk.call @nowhere() : () -> ()
  pyk.return
}

// -----

// call_c1: a kernel is launched, not called.
pyk.func @kernel() attributes {kernel} {
  pyk.return
}
pyk.func @kernel_called() {
  // expected-error @below {{requires a device function but @kernel is a kernel}}
  pyk.call @kernel() : () -> ()
  pyk.return
}

// -----

// call_c2
pyk.func @takes_float(%x: f32) -> f32 {
  pyk.return %x : f32
}
pyk.func @argument_of_other_type(%n: i64) {
  // expected-error @below {{expects operands of types ('f32') but got ('i64')}}
  %y = pyk.call @takes_float(%n) : (i64) -> f32
  pyk.return
}

// -----

// call_c2
pyk.func @returns_float(%x: f32) -> f32 {
  pyk.return %x : f32
}
pyk.func @result_of_other_type(%x: f32) {
  // expected-error @below {{expects results of types ('f32') but got ('f64')}}
  %y = pyk.call @returns_float(%x) : (f32) -> f64
  pyk.return
}

// -----

// return_c1: scf does not know that control may leave it.
pyk.func @return_within_scf(%c: i1) {
  scf.if %c {
    // expected-error @below {{requires an enclosing function or pyk.scope with only pyk.if, pyk.for and pyk.loop between}}
    "pyk.return"() : () -> ()
  }
  pyk.return
}

// -----

// return_c2
pyk.func @return_of_other_type(%n: i64) -> f32 {
  // expected-error @below {{expects operands of types ('f32') to match the results of the function but got ('i64')}}
  pyk.return %n : i64
}

// -----

// expected-error @below {{expects 'pyk.launch_bounds' to be one to three i32 above 0 but got array<i32: 128, 0>}}
pyk.func @empty_bound() attributes {kernel, pyk.launch_bounds = array<i32: 128, 0>} {
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.flush_denormals' to be a unit attribute but got true}}
pyk.func @flushes_perhaps() attributes {kernel, pyk.flush_denormals = true} {
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.launch_bounds' to be one to three i32 above 0 but got 128}}
pyk.func @bound_of_another_kind() attributes {kernel, pyk.launch_bounds = 128 : i32} {
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.export' to be a #pyk.export but got "f"}}
pyk.func @export_of_another_kind() attributes {pyk.export = "f"} {
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.facts' of argument 0 to be #pyk.facts but got "small"}}
pyk.func @facts_of_another_kind(%n: i32 {pyk.facts = "small"}) attributes {kernel} {
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.facts' to be a list of #pyk.facts but got #pyk.facts<small>}}
pyk.func @facts_that_are_no_list() attributes {kernel, pyk.facts = #pyk.facts<small>} {
  pyk.return
}

// -----

// expected-error @below {{expects 'pyk.small_grid' to be a unit attribute but got true}}
pyk.func @grid_of_another_kind() attributes {kernel, pyk.small_grid = true} {
  pyk.return
}

// -----

// launch_c1
pyk.func @other(%x: f32) attributes {kernel} {
  pyk.return
}
pyk.func @parent(%x: f32, %n: i64) attributes {kernel} {
  // expected-error @below {{requires a kernel named @other with the attribute 'pyk.child'}}
  pyk.launch @other grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%x) : f32
  pyk.return
}

// -----

pyk.func @parent(%n: i64) attributes {kernel} {
  // expected-error @below {{requires a kernel named @nowhere with the attribute 'pyk.child'}}
  pyk.launch @nowhere grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n ()
  pyk.return
}

// -----

// launch_c2
pyk.func @child(%x: f32) attributes {kernel, pyk.child} {
  pyk.return
}
pyk.func @parent(%n: i64) attributes {kernel} {
  // expected-error @below {{expects arguments of types ('f32') but got ('i64')}}
  pyk.launch @child grid(%n, %n, %n) block(%n, %n, %n) stream %n shared %n (%n) : i64
  pyk.return
}

// -----

pyk.func @child() attributes {kernel, pyk.child} {
  pyk.return
}
pyk.func @parent(%n: i64) attributes {kernel} {
  // expected-error @below {{expects three extents of the grid and of a block but got 2 and 3}}
  pyk.launch @child grid(%n, %n) block(%n, %n, %n) stream %n shared %n ()
  pyk.return
}

// -----

// foreign_call_c1
pyk.func @calls() {
  // expected-error @below {{requires a device function named @nowhere}}
  pyk.foreign_call #pyk.foreign<c, "f", []> () host @nowhere : () -> ()
  pyk.return
}

// -----

// foreign_call_c2
pyk.func @calls(%x: f32) {
  // expected-error @below {{expects numbers and arrays, 2 of them, and one number as its result at most}}
  pyk.foreign_call #pyk.foreign<c, "f", [none, none]> (%x) : (f32) -> ()
  pyk.return
}

// -----

// func_c4: passes of the device know functions of other dialects.
gpu.module @device {
  // expected-error @below {{expects only modules around it but got 'gpu.module'}}
  pyk.func @on_the_device() {
    pyk.return
  }
}

// -----

// func_c4: what is in the module would be taken for the function's own.
pyk.func @around() {
  // expected-error @below {{expects no function around it}}
  builtin.module {
    func.func @inner() {
      %own = pyk.alloc : !pyk.array<8xf32, c, local>
      func.return
    }
  }
  pyk.return
}

// -----

// No thread executes the region of a global.
llvm.mlir.global internal @value() : i32 {
  // expected-error @below {{'pyk.barrier' op requires an enclosing function}}
  pyk.barrier
  %zero = llvm.mlir.constant(0 : i32) : i32
  llvm.return %zero : i32
}

// -----

// An op of another stage in a function of Python's.
py.func @python([]) {
  // expected-error @below {{'pyk.barrier' op requires an enclosing function}}
  pyk.barrier
}
