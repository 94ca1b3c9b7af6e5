// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registration of everything, for tools.

#include "pyk/InitAll.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Transforms/Passes.h"
#include "pyk/Conversion/Passes.h"
#include "pyk/Conversion/PykToLLVM.h"
#include "pyk/Dialect/Py/IR/PyDialect.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Dialect/Pyk/Analysis/LaneShapeAnalysis.h"
#include "pyk/Dialect/Pyk/Analysis/StructuredFlow.h"
#include "pyk/Dialect/Pyk/IR/PykDialect.h"
#include "pyk/Dialect/Pyk/Transforms/Passes.h"
#include "pyk/Dialect/Simd/Transforms/Passes.h"
#include "pyk/Pipelines/Pipelines.h"
#include "pyk/Target/Backend.h"
#include "pyk/Target/CPU.h"
#include "pyk/Target/LLVMIR.h"
#include "pyk/Target/PTX.h"
#include "pyk/Target/PTX/Passes.h"
#include <mutex>

using namespace mlir;

void pyk::registerAllDialects(DialectRegistry &registry) {
  registry.insert<py::PyDialect, pyk::PykDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, complex::ComplexDialect, DLTIDialect,
                  func::FuncDialect, gpu::GPUDialect, LLVM::LLVMDialect,
                  NVVM::NVVMDialect, math::MathDialect, scf::SCFDialect,
                  ub::UBDialect>();
  func::registerInlinerExtension(registry);
  registerConvertPykToLLVMInterface(registry);
  registerStructuredFlowModels(registry);
  registerLaneModels(registry);
  registerLLVMIRTranslations(registry);
  registerAllBackends();
  for (const TargetBackend *backend : getBackends())
    backend->registerDialects(registry);
}

void pyk::registerAllPasses() {
  py::registerPyPasses();
  registerPykPasses();
  simd::registerSimdPasses();
  registerConvertPyToPykPass();
  registerConvertPykToGPUPass();
  registerConvertPykToNVVMPass();
  registerPykTargetPTXPasses();
  registerCanonicalizerPass();
  registerCSEPass();
  registerConvertGpuOpsToNVVMOpsPass();
}

void pyk::registerAllPipelines() {
  registerPipelines();
  registerCPUPipelines();
}

void pyk::registerAllBackends() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerBackend(createPTXBackend());
    registerBackend(createCPUBackend());
  });
}
