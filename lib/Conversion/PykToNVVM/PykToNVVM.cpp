// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step within MLIR: everything of stage gpu, once it is flat, to the
// LLVM and NVVM dialects, in one conversion.
//
// Why not upstream's convert-gpu-to-nvvm: it sends square roots, absolute
// values and other functions that NVPTX has as instructions through libdevice,
// leaves some math ops unconverted, and gives every device function a C
// wrapper. The patterns are upstream's all the same; only the choice among them
// is ours.

#include "mlir/Conversion/ArithCommon/AttrToLLVMConverter.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ComplexToLLVM/ComplexToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/LLVMCommon/VectorPattern.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Iterators.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Conversion/PykToLLVM.h"
#include "pyk/Dialect/Pyk/IR/PykFacts.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"
#include "llvm/ADT/FloatingPointMode.h"

namespace pyk {
#define GEN_PASS_DEF_CONVERTPYKTONVVMPASS
#include "pyk/Conversion/Passes.h.inc"
} // namespace pyk

using namespace mlir;

namespace {

/// A function of the math dialect that NVPTX has an instruction for.
template <typename Source, typename Target>
using NativeLowering =
    VectorConvertToLLVMPattern<Source, Target,
                               arith::AttrConvertFastMathToLLVM>;

struct CountLeadingZerosOpLowering
    : ConvertOpToLLVMPattern<math::CountLeadingZerosOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(math::CountLeadingZerosOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<LLVM::CountLeadingZerosOp>(
        op, op.getType(), adaptor.getOperand(), /*is_zero_poison=*/false);
    return success();
  }
};

/// A test of the class of each element of a vector. Upstream takes vectors
/// apart, for libdevice's functions of numbers.
template <typename Source, llvm::FPClassTest mask>
struct ClassTestLowering : ConvertOpToLLVMPattern<Source> {
  using ConvertOpToLLVMPattern<Source>::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(Source op, typename Source::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::IsFPClass>(op, op.getType(),
                                                 adaptor.getOperand(), mask);
    return success();
  }
};

/// Hyperbolic tangents that may be approximate, which upstream does not tell
/// from others.
struct FastTanhOpLowering : ConvertOpToLLVMPattern<math::TanhOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(math::TanhOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getType().isF32() ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn))
      return failure();
    rewriter.replaceOpWithNewOp<pyk::LibdeviceOp>(op, op.getType(), "fast_tanh",
                                                  adaptor.getOperand());
    return success();
  }
};

} // namespace

/// Adds what takes precedence over libdevice, and makes its results legal.
static void addNativeMath(LLVMTypeConverter &converter,
                          RewritePatternSet &patterns,
                          ConversionTarget &target) {
  constexpr unsigned overLibdevice = 2;
  patterns.add<NativeLowering<math::AbsFOp, LLVM::FAbsOp>,
               NativeLowering<math::CeilOp, LLVM::FCeilOp>,
               NativeLowering<math::CopySignOp, LLVM::CopySignOp>,
               NativeLowering<math::FloorOp, LLVM::FFloorOp>,
               NativeLowering<math::FmaOp, LLVM::FMAOp>,
               NativeLowering<math::RoundEvenOp, LLVM::RoundEvenOp>,
               NativeLowering<math::RoundOp, LLVM::RoundOp>,
               NativeLowering<math::SqrtOp, LLVM::SqrtOp>,
               NativeLowering<math::TruncOp, LLVM::FTruncOp>>(converter,
                                                              overLibdevice);
  patterns.add<VectorConvertToLLVMPattern<math::CtPopOp, LLVM::CtPopOp>,
               CountLeadingZerosOpLowering, FastTanhOpLowering,
               ClassTestLowering<math::IsFiniteOp, llvm::fcFinite>,
               ClassTestLowering<math::IsInfOp, llvm::fcInf>,
               ClassTestLowering<math::IsNaNOp, llvm::fcNan>,
               ClassTestLowering<math::IsNormalOp, llvm::fcNormal>>(
      converter, overLibdevice);
  target.addLegalOp<LLVM::CopySignOp, LLVM::FAbsOp, LLVM::FCeilOp,
                    LLVM::FFloorOp, LLVM::FMAOp, LLVM::FTruncOp, LLVM::RoundOp,
                    LLVM::RoundEvenOp, LLVM::SqrtOp>();
}

/// The first op of `module`, in the order of the conversion, that cannot be
/// converted; null if all can. Changes nothing.
static Operation *findRefused(gpu::GPUModuleOp module,
                              const ConversionTarget &target,
                              const FrozenRewritePatternSet &patterns) {
  DenseSet<Operation *> convertible;
  ConversionConfig config;
  config.legalizableOps = &convertible;
  ScopedDiagnosticHandler silence(module.getContext(),
                                  [](Diagnostic &) { return success(); });
  // It takes a target that is not const, but only reads it.
  if (failed(applyAnalysisConversion(
          module, const_cast<ConversionTarget &>(target), patterns, config)))
    return nullptr;
  Operation *refused = nullptr;
  module->walk<WalkOrder::PreOrder, ForwardDominanceIterator<>>(
      [&](Operation *op) {
        if (convertible.contains(op))
          return WalkResult::advance();
        refused = op;
        return WalkResult::interrupt();
      });
  return refused;
}

/// Converts `module`; what no pattern takes is reported in our words.
static LogicalResult convert(gpu::GPUModuleOp module,
                             const ConversionTarget &target,
                             const FrozenRewritePatternSet &patterns) {
  SmallVector<Diagnostic> held;
  LogicalResult result = success();
  {
    ScopedDiagnosticHandler hold(
        module.getContext(),
        [&](Diagnostic &diagnostic) { held.push_back(std::move(diagnostic)); });
    result = applyFullConversion(module, target, patterns);
  }
  Operation *refused =
      failed(result) ? findRefused(module, target, patterns) : nullptr;
  // The last to speak is then the driver, which knows no reason; the pattern
  // that refused may have given one. Programs have one gpu.module, so no other
  // thread of the context converts meanwhile.
  if (refused && !held.empty())
    held.pop_back();
  bool hasReason = llvm::any_of(held, [](const Diagnostic &diagnostic) {
    return diagnostic.getSeverity() == DiagnosticSeverity::Error;
  });
  for (Diagnostic &diagnostic : held)
    module.getContext()->getDiagEngine().emit(std::move(diagnostic));
  if (refused && !hasReason)
    emitError(refused->getLoc())
        << "'" << refused->getName()
        << "' op cannot be lowered to stage nvvm with these types";
  return result;
}

/// Tells NVPTX the bounds that a kernel's launches keep to.
static void convertLaunchBounds(gpu::GPUModuleOp module) {
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    auto bounds = pyk::kLaunchBounds.get(kernel);
    if (!bounds)
      continue;
    pyk::kLaunchBounds.take(kernel);
    ArrayRef<int32_t> numbers = bounds.asArrayRef();
    Builder b(kernel);
    // The product counts, whatever the shape of the block.
    kernel->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(),
                    b.getDenseI32ArrayAttr({numbers[0], 1, 1}));
    if (numbers.size() > 1)
      kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(numbers[1]));
    if (numbers.size() > 2)
      kernel->setAttr(NVVM::NVVMDialect::getClusterMaxBlocksAttrName(),
                      b.getI32IntegerAttr(numbers[2]));
  }
}

/// Adds an attribute of LLVM's, which is text.
static void addTextAttribute(LLVM::LLVMFuncOp function, StringRef name,
                             StringRef text) {
  Builder b(function);
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = function.getPassthroughAttr())
    attributes.assign(known.begin(), known.end());
  attributes.push_back(b.getStrArrayAttr({name, text}));
  function.setPassthroughAttr(b.getArrayAttr(attributes));
}

/// Tells the back end for the CPU which kernels run whole blocks, and of how
/// many threads.
static void convertTiles(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (pyk::kTile.take(function)) {
      auto shape = pyk::kBlockShape.get(function);
      int64_t threads = 1;
      for (int32_t extent : shape ? shape.asArrayRef() : ArrayRef<int32_t>())
        threads *= extent;
      addTextAttribute(function, pyk::kTile.name,
                       shape ? std::to_string(threads) : "");
    }
    if (auto run = pyk::kRun.take(function))
      addTextAttribute(function, pyk::kRun.name, std::to_string(run.getInt()));
    if (auto axis = pyk::kLaneAxis.take(function))
      addTextAttribute(function, pyk::kLaneAxis.name,
                       std::to_string(axis.getInt()));
  }
}

/// Tells back ends which functions compute the same bits on all targets.
static void convertReproducible(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (pyk::kReproducible.take(function))
      addTextAttribute(function, pyk::kReproducible.name, "");
}

/// Says in PTX what the code takes for granted: its comment is made from it.
static void convertFacts(gpu::GPUModuleOp module) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    pyk::kBlockShape.take(function);
    pyk::kGuarded.take(function);
    pyk::kBounds.take(function);
    bool hasSmallGrid(pyk::kSmallGrid.take(function));
    auto facts = pyk::kFacts.take(function);
    std::string text = facts ? pyk::stringifyFacts(facts) : "";
    bool isKernel =
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName());
    if (hasSmallGrid && isKernel)
      text += text.empty() ? "grid: small" : "; grid: small";
    if (text.empty())
      continue;
    addTextAttribute(function, pyk::kFacts.name, text);
  }
}

/// The ranges of parameters by kernel. Upstream's lowering of gpu.func keeps
/// attributes of pointers alone.
static llvm::StringMap<SmallVector<Attribute>>
getRanges(gpu::GPUModuleOp module) {
  llvm::StringMap<SmallVector<Attribute>> ranges;
  for (auto kernel : module.getOps<gpu::GPUFuncOp>())
    for (unsigned index = 0; index < kernel.getNumArguments(); ++index)
      ranges[kernel.getName()].push_back(
          kernel.getArgAttr(index, LLVM::LLVMDialect::getRangeAttrName()));
  return ranges;
}

static void setRanges(gpu::GPUModuleOp module,
                      const llvm::StringMap<SmallVector<Attribute>> &ranges) {
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>())
    for (auto [index, range] : llvm::enumerate(ranges.lookup(kernel.getName())))
      if (range)
        kernel.setArgAttr(index, LLVM::LLVMDialect::getRangeAttrName(), range);
}

/// Whether any function computes in half precision.
static bool hasHalfArithmetic(gpu::GPUModuleOp module) {
  return module
      .walk([](LLVM::FastmathFlagsInterface op) {
        bool isHalf = llvm::any_of(op->getResultTypes(), [](Type type) {
          return getElementTypeOrSelf(type).isF16();
        });
        return isHalf ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Tells NVPTX where denormals of f32 may be flushed. It has one switch for f32
/// and f16, whose denormals are numbers that programs use.
static void convertDenormals(gpu::GPUModuleOp module) {
  bool hasHalf = hasHalfArithmetic(module);
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (pyk::kFlushDenormals.take(function) && !hasHalf)
      function.setDenormalFpMathF32("preserve-sign");
}

namespace {

/// How types and ops are converted: the same for all modules of a context.
class NVVMConversion {
public:
  explicit NVVMConversion(MLIRContext *context)
      : converter(context, getOptions(context)), target(*context) {
    configureGpuToNVVMTypeConverter(converter);
    pyk::populatePykToLLVMTypeConversions(converter);
    configureGpuToNVVMConversionLegality(target);
    RewritePatternSet patterns(context);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateComplexToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    populateGpuToNVVMConversionPatterns(converter, patterns);
    populateLibDeviceConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    pyk::populatePykToLLVMPatterns(converter, patterns);
    addNativeMath(converter, patterns, target);
    frozen = std::move(patterns);
  }

  LogicalResult run(gpu::GPUModuleOp module) const {
    return convert(module, target, frozen);
  }

private:
  static LowerToLLVMOptions getOptions(MLIRContext *context) {
    LowerToLLVMOptions options(context);
    options.overrideIndexBitwidth(64);
    return options;
  }

  // The patterns hold on to it.
  LLVMTypeConverter converter;
  LLVMConversionTarget target;
  FrozenRewritePatternSet frozen;
};

struct ConvertPykToNVVMPass
    : pyk::impl::ConvertPykToNVVMPassBase<ConvertPykToNVVMPass> {
  LogicalResult initialize(MLIRContext *context) override {
    conversion = std::make_shared<NVVMConversion>(context);
    return success();
  }

  void runOnOperation() override {
    gpu::GPUModuleOp module = getOperation();
    if (failed(pyk::checkSharedMemory(module)))
      return signalPassFailure();
    auto ranges = getRanges(module);
    if (failed(conversion->run(module)))
      return signalPassFailure();
    setRanges(module, ranges);
    convertTiles(module);
    convertFacts(module);
    convertLaunchBounds(module);
    convertDenormals(module);
    convertReproducible(module);
  }

  std::shared_ptr<const NVVMConversion> conversion;
};

} // namespace
