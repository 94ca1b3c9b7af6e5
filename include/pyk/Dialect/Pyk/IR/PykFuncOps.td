// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions: kernels, device functions, calls and returns.

#ifndef PYK_DIALECT_PYK_IR_PYKFUNCOPS_TD
#define PYK_DIALECT_PYK_IR_PYKFUNCOPS_TD

include "pyk/Dialect/Pyk/IR/PykInterfaces.td"
include "pyk/Dialect/Pyk/IR/PykTypes.td"
include "mlir/Interfaces/CallInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

class Pyk_Op<string mnemonic, list<Trait> traits = []>
    : Op<Pyk_Dialect, mnemonic, traits>;

def Pyk_FuncOp : Pyk_Op<"func", [
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

def Pyk_ReturnOp : Pyk_Op<"return", [
    Terminator, MemoryEffects<[MemWrite<Pyk_ControlExit>]>, Pyk_Lanes<"Control">,
    DeclareOpInterfaceMethods<Pyk_ExitInterface>]> {
  let summary = "leaves the function";
  let description = [{
    Ends the thread's stay in the enclosing function, whatever loops and
    conditions surround it. It writes the resource `ControlExit`, so that nothing
    that looks at effects alone drops the region that holds it.

    Constraints:
    - (return_c1) Only `pyk.if`, `pyk.for` and `pyk.loop` may stand between it
      and its function.
    - (return_c2) Operands have the result types of the function.

    Example:
    ```mlir
    pyk.return %value : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), "/*no operands*/">];
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PYK_IR_PYKFUNCOPS_TD
