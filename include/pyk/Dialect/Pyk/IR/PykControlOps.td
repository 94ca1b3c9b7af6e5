// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow with exits: conditions and loops that break, continue or return,
// and scopes, which returns end. What has no exit is scf.

#ifndef PYK_DIALECT_PYK_IR_PYKCONTROLOPS_TD
#define PYK_DIALECT_PYK_IR_PYKCONTROLOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/LoopLikeInterface.td"

/// A loop, condition or scope that early exits may leave. It does not implement
/// RegionBranchOpInterface: upstream analyses would believe that control only
/// leaves it at its end.
class Pyk_ExitableOp<string mnemonic, list<Trait> traits = []>
    : Pyk_Op<mnemonic, !listconcat([
        RecursiveMemoryEffects, Pyk_Lanes<"Control">,
        DeclareOpInterfaceMethods<Pyk_StructuredFlowInterface>], traits)>;

/// An exit: ends its block and leaves one or more regions.
class Pyk_ExitOp<string mnemonic, list<Trait> traits = []>
    : Pyk_Op<mnemonic, !listconcat([
        Terminator, MemoryEffects<[MemWrite<Pyk_ControlExit>]>,
        Pyk_Lanes<"Control">,
        DeclareOpInterfaceMethods<Pyk_ExitInterface>], traits)> {
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), "/*no operands*/">];
  let hasVerifier = 1;
}

def Pyk_IfOp : Pyk_ExitableOp<"if"> {
  let summary = "condition with an arm that may leave a loop or the function";
  let description = [{
    Runs `thenRegion` if `condition` is true, else `elseRegion`. An arm ends in
    `pyk.yield`, which continues after the op with its operands as results, or
    in an exit. An empty `elseRegion` yields nothing.

    Constraints:
    - (if_c1) An op with results has both regions.

    Example:
    ```mlir
    pyk.if %found {
      pyk.break %i : i64
    } else {
      pyk.yield
    }
    ```
  }];
  let arguments = (ins I1:$condition);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MinSizedRegion<1>:$thenRegion, AnyRegion:$elseRegion);
  let assemblyFormat = [{
    $condition (`->` `(` type($results)^ `)`)? attr-dict-with-keyword
    custom<Regions>($thenRegion, "\"else\"", $elseRegion)
  }];
  let hasVerifier = 1;
}

def Pyk_ForOp : Pyk_ExitableOp<"for", [
    AllTypesMatch<["lowerBound", "upperBound", "step"]>,
    DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "counting loop that may be left early";
  let description = [{
    Runs `body` for each value from `lowerBound` up to, excluding, `upperBound`
    in steps of `step`, compared as signed numbers. The body's arguments are the
    induction value and the carried values; `pyk.continue` gives the carried
    values of the next iteration, `pyk.break` ends the loop. The results are the
    carried values at the end, whichever way it came. A `step` that is not
    positive is the producer's fault and has no meaning.

    Constraints:
    - (for_c1) Initial values, body arguments and results have the same types.

    Example:
    ```mlir
    %last = pyk.for %i = %c0 to %n step %c1 carry(%x = %x0) : i64, (f32) {
      %stop = arith.cmpf ogt, %x, %limit : f32
      pyk.if %stop {
        pyk.break %x : f32
      } else {
        pyk.yield
      }
      %next = arith.mulf %x, %x : f32
      pyk.continue %next : f32
    }
    ```
  }];
  let arguments = (ins AnySignlessInteger:$lowerBound,
                       AnySignlessInteger:$upperBound,
                       AnySignlessInteger:$step,
                       Variadic<AnyType>:$initialValues);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Value":$lowerBound,
                                 "::mlir::Value":$upperBound,
                                 "::mlir::Value":$step,
                                 "::mlir::ValueRange":$initialValues)>];
  let extraClassDeclaration = [{
    ::mlir::Value getInductionValue() { return getBody().getArgument(0); }
    /// For StructuredFlowOpInterface.
    ::mlir::Value getCountedValue() { return getInductionValue(); }
    ::llvm::ArrayRef<::mlir::BlockArgument> getCarriedValues() {
      return getBody().getArguments().drop_front();
    }
  }];
}

def Pyk_LoopOp : Pyk_ExitableOp<"loop", [
    DeclareOpInterfaceMethods<LoopLikeOpInterface>]> {
  let summary = "loop that ends only by an exit";
  let description = [{
    Runs `body` again and again. The body's arguments are the carried values;
    `pyk.continue` gives those of the next iteration, `pyk.break` ends the loop and
    gives the results, whose types are written after an arrow where they differ
    from those of the carried values.

    Constraints:
    - (loop_c1) Initial values and body arguments have the same types.

    Example:
    ```mlir
    %steps = pyk.loop carry(%n = %n0) : (i64) {
      %done = arith.cmpi sge, %n, %limit : i64
      pyk.if %done {
        pyk.break %n : i64
      } else {
        pyk.yield
      }
      %next = arith.addi %n, %c1 : i64
      pyk.continue %next : i64
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$initialValues);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MinSizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::ValueRange":$initialValues,
                                 "::mlir::TypeRange":$resultTypes)>];
  let extraClassDeclaration = [{
    ::llvm::ArrayRef<::mlir::BlockArgument> getCarriedValues() {
      return getBody().getArguments();
    }
  }];
}

def Pyk_ScopeOp : Pyk_ExitableOp<"scope"> {
  let summary = "body of a function in place of a call";
  let description = [{
    Runs `body` once, as a call would. Each `pyk.return` in it, within whatever
    loops and conditions, ends the scope and gives its results. An exit within
    does not leave a loop around the scope.

    Example:
    ```mlir
    %magnitude = pyk.scope -> (f32) {
      pyk.if %isNegative {
        %negated = arith.negf %x : f32
        pyk.return %negated : f32
      }
      pyk.return %x : f32
    }
    ```
  }];
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region MinSizedRegion<1>:$body);
  let assemblyFormat = [{
    (`->` `(` type($results)^ `)`)? attr-dict-with-keyword $body
  }];
}

def Pyk_BreakOp : Pyk_ExitOp<"break"> {
  let summary = "leaves the innermost loop";
  let description = [{
    Ends the innermost enclosing `pyk.for` or `pyk.loop`; its operands become
    the results of the loop.

    Constraints:
    - (break_c1) Only `pyk.if` may stand between it and its loop.
    - (break_c2) Operands have the types of the loop's results.

    Example:
    ```mlir
    pyk.break %value : f32
    ```
  }];
}

def Pyk_ContinueOp : Pyk_ExitOp<"continue"> {
  let summary = "goes on with the next iteration of the innermost loop";
  let description = [{
    Ends this iteration of the innermost enclosing `pyk.for` or `pyk.loop`; its
    operands become the carried values of the next iteration.

    Constraints:
    - (continue_c1) Only `pyk.if` may stand between it and its loop.
    - (continue_c2) Operands have the types of the loop's carried values.

    Example:
    ```mlir
    pyk.continue %value : f32
    ```
  }];
}

def Pyk_ReturnOp : Pyk_ExitOp<"return"> {
  let summary = "leaves the function or scope";
  let description = [{
    Ends the innermost enclosing `pyk.scope`, or else the thread's stay in the
    function, whatever loops and conditions surround it. It writes the resource
    `ControlExit`, so that nothing that looks at effects alone drops the region
    that holds it.

    Constraints:
    - (return_c1) Only `pyk.if`, `pyk.for` and `pyk.loop` may stand between it
      and its function or scope.
    - (return_c2) Operands have the result types of the function or scope.

    Example:
    ```mlir
    pyk.return %value : f32
    ```
  }];
}

def Pyk_YieldOp : Pyk_Op<"yield", [
    Pure, Terminator, ReturnLike, ParentOneOf<["IfOp"]>, Pyk_Lanes<"Control">]> {
  let summary = "ends an arm of a condition";
  let description = [{
    Continues after the enclosing `pyk.if` with the operands as its results.

    Constraints:
    - (yield_c1) Operands have the types of the results of the `pyk.if`.

    Example:
    ```mlir
    pyk.yield %value : f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$operands);
  let assemblyFormat = "attr-dict ($operands^ `:` type($operands))?";
  let builders = [OpBuilder<(ins), "/*no operands*/">];
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PYK_IR_PYKCONTROLOPS_TD
