// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entry points: what reads a kernel, and who is told of errors.

#include "pyk/Compiler/Compiler.h"
#include "Compilation.h"
#include "Contexts.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Dialect/Py/Transforms/Passes.h"
#include "pyk/Frontend/AstBuffer.h"
#include "pyk/InitAll.h"
#include "pyk/Support/TextChecks.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace pyk;

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {

/// Most errors that one compilation reports.
constexpr unsigned kMaxErrors = 10;

/// Keeps the errors that are reported in `context`: the first, which says of
/// what class they are, and others about the program, with their texts below.
class ErrorCollector {
public:
  ErrorCollector(MLIRContext *context, const SourceText &sources,
                 RenderedError &error)
      : handler(context, [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            add(error, diagnostic, sources);
          return success();
        }) {}

private:
  void add(RenderedError &error, Diagnostic &diagnostic,
           const SourceText &sources) {
    bool isFirst = error.text.empty();
    // What has no class is about the compiler, after it has met an error.
    if (!isFirst &&
        (diagnostic.getMetadata().empty() || headlines.size() >= kMaxErrors))
      return;
    RenderedError rendered = render(diagnostic, sources);
    // A function that is called twice has its errors twice, which differ in
    // the notes.
    if (!headlines.insert(StringRef(rendered.text).split('\n').first).second)
      return;
    if (isFirst)
      error = std::move(rendered);
    else
      error.text += "\n" + rendered.text;
  }

  llvm::StringSet<> headlines;
  ScopedDiagnosticHandler handler;
};

} // namespace

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

/// True for an `ast` buffer; MLIR text may begin with `{-#`.
static bool isAstBuffer(StringRef source) {
  source = source.ltrim();
  return source.starts_with("{") && !source.starts_with("{-#");
}

/// Reads a module from an `ast` buffer or MLIR text; null after an error.
static OwningOpRef<ModuleOp> read(StringRef source, StringRef sourceName,
                                  MLIRContext *context, SourceText &sources) {
  if (isAstBuffer(source))
    return importAstBuffer(source, sourceName, context, &sources);
  sources.add(sourceName, 1, source);
  if (failed(checkText(source, sourceName, context)))
    return {};
  return parseSourceString<ModuleOp>(source, ParserConfig(context), sourceName);
}

std::unique_ptr<CompiledModule> pyk::compile(StringRef source,
                                             StringRef sourceName,
                                             const CompileOptions &options,
                                             RenderedError &error) {
  PooledContext context(source.size());
  Compilation compilation(options, context.getPasses());
  SourceText sources;
  ErrorCollector collector(context.get(), sources, error);
  compilation.start();
  OwningOpRef<ModuleOp> module =
      read(source, sourceName, context.get(), sources);
  if (!module)
    return nullptr;
  compilation.stop(isAstBuffer(source) ? StringRef(Stage::Py.name) : "read");
  return compilation.run(*module, sources);
}

std::optional<std::string>
pyk::inferResult(StringRef source, StringRef sourceName, RenderedError &error) {
  PooledContext context(source.size());
  SourceText sources;
  ErrorCollector collector(context.get(), sources, error);
  OwningOpRef<ModuleOp> module =
      read(source, sourceName, context.get(), sources);
  if (!module)
    return std::nullopt;
  auto functions = module->getOps<py::FuncOp>();
  auto place = llvm::find_if(
      functions, [](py::FuncOp function) { return function.isEntry(); });
  py::FuncOp entry = place == functions.end() ? py::FuncOp() : *place;
  PassManager pm(context.get());
  py::InferTypesPassOptions options;
  options.allowResult = true;
  pm.addPass(py::createInferTypesPass(options));
  if (failed(pm.run(*module)))
    return std::nullopt;
  std::string text;
  llvm::raw_string_ostream os(text);
  entry.getResult()->print(os);
  return text;
}

std::unique_ptr<CompiledModule> pyk::compile(ModuleOp module,
                                             const CompileOptions &options,
                                             RenderedError &error) {
  registerAllBackends();
  LoweringPasses passes(module.getContext());
  Compilation compilation(options, passes);
  SourceText sources;
  ErrorCollector collector(module.getContext(), sources, error);
  compilation.start();
  return compilation.run(module, sources);
}
