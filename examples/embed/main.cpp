// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles one kernel of the pyk dialect twice: to PTX, which is printed, and
// for the CPU, where it is launched and its result checked.

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "pyk/Compiler/Compiler.h"
#include "pyk/InitAll.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <vector>

/// y = a * x + y, one thread for each element. A real embedder would rather
/// build this with an OpBuilder, or lower its own dialect to it.
static constexpr llvm::StringLiteral source = R"mlir(
pyk.func @axpy(%a: f32, %x: !pyk.array<?xf32, c>, %y: !pyk.array<?xf32, c>)
    attributes {kernel} {
  %i = pyk.grid x : i64
  %n = pyk.dim %y, 0 : !pyk.array<?xf32, c>
  %inside = arith.cmpi slt, %i, %n : i64
  scf.if %inside {
    %xi = pyk.load %x[%i] : !pyk.array<?xf32, c>
    %yi = pyk.load %y[%i] : !pyk.array<?xf32, c>
    %product = arith.mulf %a, %xi fastmath<contract> : f32
    %sum = arith.addf %product, %yi fastmath<contract> : f32
    pyk.store %sum, %y[%i] : !pyk.array<?xf32, c>
  }
  pyk.return
}
)mlir";

/// Ends the program with a message.
[[noreturn]] static void fail(llvm::StringRef message) {
  llvm::errs() << "embed: " << message << "\n";
  std::exit(1);
}

/// Compiles a copy of `module`, since compiling consumes its contents.
static std::unique_ptr<pyk::CompiledModule>
compile(mlir::ModuleOp module, const pyk::CompileOptions &options) {
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  pyk::RenderedError error;
  auto compiled = pyk::compile(*copy, options, error);
  if (!compiled)
    fail(error.text);
  return compiled;
}

int main() {
  // A context that knows every dialect from pyk to LLVM IR. pyk::compile also
  // takes the text itself, and then brings a context of its own.
  mlir::DialectRegistry registry;
  pyk::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
  if (!module)
    fail("the kernel does not parse");

  // PTX for a given chip, ready for cuModuleLoadData. No toolkit is needed.
  pyk::CompileOptions options;
  options.target = "cuda";
  options.chip = "sm_90";
  llvm::outs() << compile(*module, options)->getCode();

  // Machine code for this CPU. The manifest says what a launch passes.
  options.target = "cpu";
  auto compiled = compile(*module, options);
  llvm::outs() << "manifest: " << compiled->getManifest() << "\n";

  // A launch takes a scalar by the address of its value, and an array by its
  // first element, its shape in elements and its strides in bytes.
  float a = 2;
  std::vector<float> x(1000), y(1000, 1);
  for (size_t i = 0; i != x.size(); ++i)
    x[i] = static_cast<float>(i);
  int64_t shape[] = {1000}, strides[] = {sizeof(float)};
  pyk::KernelArgument arguments[] = {
      {&a}, {x.data(), shape, strides}, {y.data(), shape, strides}};

  // Eight blocks of 128 threads, of which the last 24 do nothing.
  pyk::runtime::LaunchShape launch;
  launch.grid[0] = 8;
  launch.block[0] = 128;
  pyk::runtime::Status status = compiled->getKernel().launch(launch, arguments);
  if (!status.ok())
    fail(status.message());

  for (size_t i = 0; i != y.size(); ++i)
    if (y[i] != 2 * x[i] + 1)
      fail("y[" + std::to_string(i) + "] is wrong");
  llvm::outs() << llvm::format("y: %g %g ... %g\n", y[0], y[1], y[999]);
  return 0;
}
