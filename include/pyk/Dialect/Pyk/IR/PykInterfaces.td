// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What some ops of the dialect have in common, and what types of other dialects
// have to say to be elements of its arrays.

#ifndef PYK_DIALECT_PYK_IR_PYKINTERFACES_TD
#define PYK_DIALECT_PYK_IR_PYKINTERFACES_TD

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"

def Pyk_AccessInterface : OpInterface<"AccessOpInterface"> {
  let description = [{
    An op that reads or writes, or both, one element of `array`, at an index for
    each of its dimensions.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<"The array that is accessed.",
                    "::mlir::TypedValue<::pyk::ArrayType>", "getArray">,
    InterfaceMethod<"The index in each dimension.",
                    "::mlir::OperandRange", "getIndices">,
    InterfaceMethod<"The operand that is the array.", "::mlir::OpOperand &",
                    "getArrayMutable">,
    InterfaceMethod<"The operands that are the indices.",
                    "::mlir::MutableOperandRange", "getIndicesMutable">];
}

def Pyk_StructuredFlowInterface : OpInterface<"StructuredFlowOpInterface"> {
  let description = [{
    A condition, loop or scope: an op whose regions of one block are its arms or
    its body. Exits may leave it from within. It is what analyses ask instead of
    RegionBranchOpInterface, which has no notion of exits; the ops of `scf` have
    it, too.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<[{
      The ways on which control enters a region or goes on behind the op, and
      what values arrive where.
    }], "::llvm::SmallVector<::pyk::FlowEdge>", "getEdges">,
    InterfaceMethod<[{
      What decides in the op itself which arm runs, or how often: the condition,
      or the bounds and the step. Exits have conditions of their own.
    }], "::llvm::SmallVector<::mlir::Value>", "getConditions">,
    InterfaceMethod<[{
      The value of a loop that counts; null for other ops. It starts at the first
      of `getConditions` and grows by the last, below the second.
    }], "::mlir::Value", "getCountedValue", (ins), "", "return {};">];
}

def Pyk_ExitInterface : OpInterface<"ExitOpInterface"> {
  let description = [{
    A terminator that leaves regions: those between it and the op that it names.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<[{
      The loop, scope or function that control leaves, or whose next iteration it
      begins; null if none encloses the op.
    }], "::mlir::Operation *", "getExitedOp">];
}

def Pyk_LaneInterface : OpInterface<"LaneOpInterface"> {
  let description = [{
    An op that says what part it has where the threads of a block run side by
    side, as lanes. Ops without it have a class by default: see `getLaneClass`.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<"Its part.", "::pyk::LaneClass", "getLaneClass">,
    InterfaceMethod<[{
      Of a uniform op, a position or a collective one: how results depend on the
      place of the thread. For other ops it follows from the operands.
    }], "::pyk::LaneShape", "getLaneShape", (ins), "",
        "return ::pyk::LaneShape::getVarying();">];
}

/// A trait of C++ that only holds `declarations` for the class of the op.
class Pyk_DeclaringTrait<string name, code declarations>
    : NativeOpTrait<name, [], declarations> {
  let cppNamespace = "::pyk";
}

/// States the part of an op among lanes; `shape` is an expression of C++.
class Pyk_Lanes<string kind, string shape = "LaneShape::getVarying()">
    : TraitList<[Pyk_LaneInterface, Pyk_DeclaringTrait<"StatesLanes", [{
  ::pyk::LaneClass getLaneClass() { return ::pyk::LaneClass::}] # kind # [{; }
  ::pyk::LaneShape getLaneShape() { return ::pyk::}] # shape # [{; }
}]>]>;

def Pyk_ExpandedInterface : OpInterface<"ExpandedOpInterface"> {
  let description = [{
    An op that a pass must have replaced by others before a stage ends.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<"The stage in which the op is gone.", "::llvm::StringRef",
                    "getGoneBy">];
}

/// States that stage `stage` has no such op any more.
class Pyk_GoneBy<string stage>
    : TraitList<[Pyk_ExpandedInterface, Pyk_DeclaringTrait<"StatesStage", [{
  ::llvm::StringRef getGoneBy() { return "}] # stage # [{"; }
}]>]>;

def Pyk_ArrayViewInterface : OpInterface<"ArrayViewOpInterface"> {
  let description = [{
    A view of an array that says how its elements are those of the array. Beside
    ViewLikeOpInterface, which all views have, it is what is asked instead of
    lists of views.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<[{
      Where a dimension of the view has its extent and stride from.
    }], "::pyk::ViewedDimension", "getViewedDimension",
        (ins "int64_t":$dimension)>,
    InterfaceMethod<[{
      The dimensions of the array whose strides say where the view begins.
    }], "::llvm::SmallVector<int64_t>", "getPlacingDimensions", (ins), "",
        "return {};">,
    InterfaceMethod<[{
      The indices in the array of the element at `indices` of the view; none if
      they are no sums of these and what the op knows.
    }], "::std::optional<::llvm::SmallVector<::mlir::Value>>",
        "getViewedIndices",
        (ins "::mlir::ValueRange":$indices, "::mlir::OpBuilder &":$builder,
             "::mlir::Location":$loc), "", "return ::std::nullopt;">];
}

/// A view of the elements of the operand `array`, which has methods of its own
/// for `overridden`.
class Pyk_ArrayView<list<string> overridden = []> : TraitList<[
    ViewLikeOpInterface, Pyk_Lanes<"Elementwise">,
    DeclareOpInterfaceMethods<Pyk_ArrayViewInterface, overridden>,
    Pyk_DeclaringTrait<"StatesView", [{
  ::mlir::Value getViewSource() { return getArray(); }
}]>]>;

// What ops have effects on, beside upstream's default. `PykEffects.h` says more.
def Pyk_Debugger : Resource<"::pyk::Debugger">;
def Pyk_ControlExit : Resource<"::pyk::ControlExit">;
def Pyk_Time : Resource<"::pyk::Time">;
def Pyk_GlobalMemory : Resource<"::pyk::GlobalMemory">;
def Pyk_SharedMemory : Resource<"::pyk::SharedMemory">;

def Pyk_StoredTypeInterface : TypeInterface<"StoredTypeInterface"> {
  let description = [{
    A type of another dialect that arrays may have as their element: a number
    with a meaning of its own, or a record of numbers that are one value. From
    stage pyk on the number or record stands in its place.
  }];
  let cppNamespace = "::pyk";
  let methods = [
    InterfaceMethod<"The type of the number or record that memory holds.",
                    "::mlir::Type", "getStored">];
}

#endif // PYK_DIALECT_PYK_IR_PYKINTERFACES_TD
