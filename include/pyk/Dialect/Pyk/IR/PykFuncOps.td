// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions: kernels, device functions, calls, launches by kernels. `pyk.return`
// is an exit.

#ifndef PYK_DIALECT_PYK_IR_PYKFUNCOPS_TD
#define PYK_DIALECT_PYK_IR_PYKFUNCOPS_TD

include "pyk/Dialect/Pyk/IR/PykAttributes.td"
include "pyk/Dialect/Pyk/IR/PykOpBase.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

def Pyk_FuncOp : Op<Pyk_Dialect, "func", [
    IsolatedFromAbove, AutomaticAllocationScope, FunctionOpInterface,
    Pyk_GoneBy<"gpu">, Pyk_Lanes<"Control">]> {
  let summary = "kernel or device function";
  let description = [{
    What one thread executes. With `kernel` it is launched by the host and
    returns nothing; without, it is called by other functions of its module. Its
    `pyk.return` may stand at the end of its body or, early, within `pyk.if`.

    Constraints:
    - (func_c1) A kernel has no results.
    - (func_c2) What a launch passes to a kernel has a form that host and device
      agree on: an array in global memory, an integer of 1, 8, 16, 32 or 64
      bits, a float of 16, 32 or 64, bf16 among them, or complex with parts of
      32 or 64.
    - (func_c3) A kernel has a body.
    - (func_c4) Only modules are around it, and none is in it.

    Example:
    ```mlir
    pyk.func @half(%x: f32) -> f32 {
      %two = arith.constant 2.0 : f32
      %y = arith.divf %x, %two : f32
      pyk.return %y : f32
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
                       TypeAttrOf<FunctionType>:$function_type,
                       UnitAttr:$kernel,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
  let builders = [OpBuilder<(ins "::llvm::StringRef":$name,
                                 "::mlir::FunctionType":$type)>];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
  }];
}

def Pyk_CallOp : Pyk_Op<"call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, CallOpInterface,
    Pyk_GoneBy<"gpu">, Pyk_Lanes<"Control">]> {
  let summary = "calls a device function";
  let description = [{
    Transfers control to the function `callee` of the same module and yields
    what it returns. Arrays are passed by reference, scalars by value.

    Constraints:
    - (call_c1) `callee` is a `pyk.func` that is not a kernel.
    - (call_c2) Operands and results have the types of `callee`.
    - (call_c3) `callee` has a body: there is nothing to link it with.
    - (call_c4) The function around it is a `pyk.func`.

    Example:
    ```mlir
    %low, %high = pyk.call @min_max(%a, %b) : (f32, f32) -> (f32, f32)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee,
                       Variadic<AnyType>:$operands,
                       OptionalAttr<DictArrayAttr>:$arg_attrs,
                       OptionalAttr<DictArrayAttr>:$res_attrs);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $operands `)` attr-dict `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    operand_range getArgOperands() { return getOperands(); }
    ::mlir::MutableOperandRange getArgOperandsMutable() {
      return getOperandsMutable();
    }
    ::mlir::CallInterfaceCallable getCallableForCallee() {
      return getCalleeAttr();
    }
    void setCalleeFromCallable(::mlir::CallInterfaceCallable callee) {
      setCalleeAttr(::llvm::cast<::mlir::FlatSymbolRefAttr>(
          ::llvm::cast<::mlir::SymbolRefAttr>(callee)));
    }
  }];
}

def Pyk_ForeignCallOp : Pyk_Op<"foreign_call", [
    MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, Pyk_Lanes<"Serial">]> {
  let summary = "calls code of another language";
  let description = [{
    Transfers control to the `code` that a GPU's linker finds, and yields what it
    returns. On the CPU it is a call of the function `host`, if there is one, which
    is made for it, or else of what is at the address that the code has.

    Constraints:
    - (foreign_call_c1) `host` is a `pyk.func` that is not a kernel.
    - (foreign_call_c2) Operands are numbers and arrays, as many as the code has
      pointees; there is one result at most, a number.

    Example:
    ```mlir
    %y = pyk.foreign_call #pyk.foreign<c, "half", [none]> (%x) : (f32) -> f32
    ```
  }];
  let arguments = (ins Pyk_ForeignAttr:$code, Variadic<AnyType>:$operands,
                       OptionalAttr<FlatSymbolRefAttr>:$host);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    qualified($code) `(` $operands `)` (`host` $host^)? attr-dict
    `:` functional-type($operands, $results)
  }];
  let hasVerifier = 1;
}

def Pyk_LaunchOp : Pyk_Op<"launch", [
    AttrSizedOperandSegments, MemoryEffects<[MemRead, MemWrite]>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>, Pyk_Lanes<"Control">]> {
  let summary = "launches a kernel from a kernel";
  let description = [{
    Lets a grid of `grid` blocks of `block` threads, each three extents from x on,
    run `kernel` with `arguments`, with `shared` bytes of dynamic shared memory for
    each block. It begins at any time, and ends before the grid of the calling
    thread does. Of the grids that a block launches on one `stream`, one begins
    when the one before has ended, with all that this has launched; 0 is the stream
    that each block has without making one. In global memory it finds what the
    calling thread has written before; nobody but the host sees what it writes
    there by waiting for its end.

    `record` is added behind stage gpu if threads of the kernel may fail.

    Constraints:
    - (launch_c1) `kernel` is a kernel with the attribute `pyk.child`.
    - (launch_c2) In stage pyk, `arguments` have the types of the kernel's.

    Example:
    ```mlir
    pyk.launch @child grid(%n, %one, %one) block(%t, %one, %one) stream %s
      shared %bytes (%a, %x) : !pyk.array<?xf32, c>, f32
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<I64>:$grid,
                       Variadic<I64>:$block, I64:$stream, I64:$shared,
                       Variadic<AnyType>:$arguments, Optional<AnyType>:$record);
  let assemblyFormat = [{
    $kernel `grid` `(` $grid `)` `block` `(` $block `)` `stream` $stream
    `shared` $shared `(` $arguments `)` (`record` $record^ `:` type($record))?
    attr-dict (`:` type($arguments)^)?
  }];
  let hasVerifier = 1;
}

def Pyk_StreamOp : Pyk_Op<"stream", [
    MemoryEffects<[MemRead, MemWrite]>, Pyk_Lanes<"Control">]> {
  let summary = "makes a stream for launches by kernels";
  let description = [{
    A new stream, never 0: what a block launches on one keeps its order, and keeps
    none with what is launched on others. It is there until the grid of the calling
    thread ends.

    Example:
    ```mlir
    %stream = pyk.stream : i64
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

#endif // PYK_DIALECT_PYK_IR_PYKFUNCOPS_TD
