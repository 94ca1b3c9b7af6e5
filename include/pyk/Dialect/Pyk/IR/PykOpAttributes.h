// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of ops by which one pass tells later ones something: all of
// them, each with the type of its value. What they mean is said in
// PykDialect.td, which values are allowed and on which ops in
// PykOpAttributes.cpp: the verifiers of the dialects pyk and simd check that,
// so readers may rely on it. They read an attribute through its constant here.

#ifndef PYK_DIALECT_PYK_IR_PYKOPATTRIBUTES_H
#define PYK_DIALECT_PYK_IR_PYKOPATTRIBUTES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "pyk/Dialect/Pyk/IR/PykAttributes.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"

namespace pyk {

/// An attribute of ops, whose value is an `AttributeT`.
template <typename AttributeT>
struct OpAttribute {
  /// As files have it, with the prefix of its dialect.
  llvm::StringLiteral name;

  /// Its value on `op`; null if `op` does not have it.
  AttributeT get(mlir::Operation *op) const {
    return op->getAttrOfType<AttributeT>(name);
  }
  /// Whether `op` has it.
  bool isOn(mlir::Operation *op) const { return op->hasAttr(name); }
  /// Gives it to `op`, or another value.
  void set(mlir::Operation *op, AttributeT value) const {
    op->setAttr(name, value);
  }
  /// Removes it from `op`; what it was, or null.
  AttributeT take(mlir::Operation *op) const {
    return llvm::cast_if_present<AttributeT>(op->removeAttr(name));
  }
};

/// The parameters of a compiled kernel.
inline constexpr OpAttribute<AbiAttr> kAbi{PykDialect::kAbiAttrName};
/// How the kernels of a gpu.module may fail.
inline constexpr OpAttribute<mlir::ArrayAttr> kFailures{
    PykDialect::kFailuresAttrName};
/// The largest launches of a kernel.
inline constexpr OpAttribute<mlir::DenseI32ArrayAttr> kLaunchBounds{
    PykDialect::kLaunchBoundsAttrName};
/// Small numbers of type f32 may become 0.
inline constexpr OpAttribute<mlir::UnitAttr> kFlushDenormals{
    PykDialect::kFlushDenormalsAttrName};
/// The bits are the same on all targets.
inline constexpr OpAttribute<mlir::UnitAttr> kReproducible{
    PykDialect::kReproducibleAttrName};
/// Other kernels launch this one, and no host.
inline constexpr OpAttribute<mlir::UnitAttr> kChild{PykDialect::kChildAttrName};
/// What a kernel takes for granted, from stage gpu on; of an argument in stage
/// pyk it is a FactsAttr.
inline constexpr OpAttribute<mlir::ArrayAttr> kFacts{
    PykDialect::kFactsAttrName};
/// All grids are small.
inline constexpr OpAttribute<mlir::UnitAttr> kSmallGrid{
    PykDialect::kSmallGridAttrName};
/// Accesses have to stay in memory on the CPU.
inline constexpr OpAttribute<mlir::UnitAttr> kGuarded{
    PykDialect::kGuardedAttrName};
/// What launches prove of accesses.
inline constexpr OpAttribute<mlir::ArrayAttr> kBounds{
    PykDialect::kBoundsAttrName};
/// The shape of all blocks.
inline constexpr OpAttribute<mlir::DenseI32ArrayAttr> kBlockShape{
    PykDialect::kBlockShapeAttrName};
/// The shared memory that launches add.
inline constexpr OpAttribute<mlir::ArrayAttr> kSharedSizes{
    PykDialect::kSharedSizesAttrName};
/// How other languages call a device function.
inline constexpr OpAttribute<ExportAttr> kExport{PykDialect::kExportAttrName};
/// The code of another language that a device function stands for.
inline constexpr OpAttribute<ForeignAttr> kForeign{
    PykDialect::kForeignAttrName};
/// The variable that a stack slot is for debuggers.
inline constexpr OpAttribute<mlir::DictionaryAttr> kVariable{
    PykDialect::kVariableAttrName};
/// The chip that a module is for.
inline constexpr OpAttribute<mlir::StringAttr> kChip{PykDialect::kChipAttrName};
/// Rows, strips and lanes of a kernel that runs a whole block.
inline constexpr OpAttribute<mlir::DenseI64ArrayAttr> kTile{
    PykDialect::kTileAttrName};
/// The most blocks that a kernel runs at a time.
inline constexpr OpAttribute<mlir::IntegerAttr> kRun{PykDialect::kRunAttrName};
/// The axis of the grid that a kernel calls x.
inline constexpr OpAttribute<mlir::IntegerAttr> kLaneAxis{
    PykDialect::kLaneAxisAttrName};
/// Threads of a vector, if fewer than others hold.
inline constexpr OpAttribute<mlir::IntegerAttr> kVectorLanes{
    PykDialect::kLanesAttrName};

/// Checks `attribute`, which belongs to the dialect pyk or simd, on `op`.
llvm::LogicalResult verifyOpAttribute(mlir::Operation *op,
                                      mlir::NamedAttribute attribute);

/// The first attribute of `op` that only stages simd and later ones have; null
/// if it has none.
mlir::StringAttr findAttributeOfVectors(mlir::Operation *op);

} // namespace pyk

#endif // PYK_DIALECT_PYK_IR_PYKOPATTRIBUTES_H
