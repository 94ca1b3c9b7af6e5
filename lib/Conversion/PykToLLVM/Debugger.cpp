// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Variables for debuggers: each has a stack slot, with its name and its type as
// debuggers know it, which is filled where the variable is set. Values in
// registers would be enough for LLVM, but of one that is set twice its tables
// for GPUs say nothing.

#include "ArrayValue.h"
#include "Patterns.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "pyk/Dialect/Pyk/IR/PykHostOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "llvm/BinaryFormat/Dwarf.h"

using namespace mlir;
using namespace pyk;
namespace dwarf = llvm::dwarf;

/// A number as NumPy calls it.
static LLVM::DIBasicTypeAttr getNumberType(Type type) {
  unsigned width = type.getIntOrFloatBitWidth();
  StringRef name = type.isBF16() ? "bfloat" : "float";
  unsigned encoding = dwarf::DW_ATE_float;
  if (type.isInteger(1))
    return LLVM::DIBasicTypeAttr::get(type.getContext(),
                                      dwarf::DW_TAG_base_type, "bool", 8,
                                      dwarf::DW_ATE_boolean);
  if (type.isInteger()) {
    name = type.isUnsignedInteger() ? "uint" : "int";
    encoding = type.isUnsignedInteger() ? dwarf::DW_ATE_unsigned
                                        : dwarf::DW_ATE_signed;
  }
  return LLVM::DIBasicTypeAttr::get(type.getContext(), dwarf::DW_TAG_base_type,
                                    name + Twine(width), width, encoding);
}

static LLVM::DIDerivedTypeAttr getDerivedType(unsigned tag, StringRef name,
                                              LLVM::DITypeAttr base,
                                              unsigned bits, unsigned offset) {
  MLIRContext *context = base.getContext();
  return LLVM::DIDerivedTypeAttr::get(
      context, tag, name.empty() ? nullptr : StringAttr::get(context, name),
      base, bits, /*alignInBits=*/0, offset,
      /*dwarfAddressSpace=*/std::nullopt, /*extraData=*/nullptr);
}

/// `type` as debuggers know it: complex numbers are structures, arrays their
/// address.
static LLVM::DITypeAttr getDebugType(Type type) {
  if (auto array = dyn_cast<ArrayType>(type))
    return getDerivedType(dwarf::DW_TAG_pointer_type, "",
                          getDebugType(array.getElementType()), 64, 0);
  auto number = dyn_cast<ComplexType>(type);
  if (!number)
    return getNumberType(type);
  LLVM::DIBasicTypeAttr part = getNumberType(number.getElementType());
  unsigned width = part.getSizeInBits();
  MLIRContext *context = type.getContext();
  return LLVM::DICompositeTypeAttr::get(
      context, dwarf::DW_TAG_structure_type,
      StringAttr::get(context, "complex" + Twine(2 * width)), /*file=*/nullptr,
      /*line=*/0, /*scope=*/nullptr, /*baseType=*/nullptr, LLVM::DIFlags::Zero,
      2 * width, /*alignInBits=*/0, /*dataLocation=*/nullptr, /*rank=*/nullptr,
      /*allocated=*/nullptr, /*associated=*/nullptr,
      {getDerivedType(dwarf::DW_TAG_member, "real", part, width, 0),
       getDerivedType(dwarf::DW_TAG_member, "imag", part, width, width)});
}

namespace {

struct DebugValueOpLowering : ConvertOpToLLVMPattern<DebugValueOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(DebugValueOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value held = adaptor.getValue();
    if (auto array = dyn_cast<ArrayType>(op.getValue().getType()))
      held = ArrayValue(array, held, b).getPointer();
    else if (held.getType().isInteger(1))
      held = LLVM::ZExtOp::create(b, b.getI8Type(), held);
    LLVM::StoreOp::create(b, held, getSlot(op, held.getType(), rewriter));
    rewriter.eraseOp(op);
    return success();
  }

  /// The slot of a variable, one for all places that set it.
  static Value getSlot(DebugValueOp op, Type memory,
                       ConversionPatternRewriter &rewriter) {
    SmallVector<NamedAttribute> parts = {
        rewriter.getNamedAttr("name", op.getNameAttr()),
        rewriter.getNamedAttr("type", getDebugType(op.getType()))};
    if (IntegerAttr argument = op.getArgumentAttr())
      parts.push_back(rewriter.getNamedAttr("argument", argument));
    Block &entry =
        op->getParentOfType<FunctionOpInterface>().getFunctionBody().front();
    // Slots are the first of what it holds.
    for (Operation &other : entry) {
      if (!isa<LLVM::AllocaOp, LLVM::ConstantOp>(other))
        break;
      auto known = kVariable.get(&other);
      if (known && known.get("name") == parts[0].getValue() &&
          known.get("type") == parts[1].getValue())
        return other.getResult(0);
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(&entry);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value one = LLVM::ConstantOp::create(b, b.getI64Type(), 1);
    auto slot = LLVM::AllocaOp::create(
        b, LLVM::LLVMPointerType::get(op.getContext()), memory, one);
    kVariable.set(slot, rewriter.getDictionaryAttr(parts));
    return slot;
  }
};

} // namespace

void pyk::populateDebuggerPatterns(LLVMTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<DebugValueOpLowering>(converter);
}
