// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the py dialect from a parsed `ast` buffer.

#ifndef PYK_LIB_FRONTEND_IMPORTER_H
#define PYK_LIB_FRONTEND_IMPORTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "pyk/Support/Diagnostics.h"
#include "llvm/Support/JSON.h"

namespace pyk::py {

/// Deepest nesting of an expression, and of blocks. CPython refuses a hundred
/// levels of indentation (but not of `elif`) and some thousand of parentheses;
/// this keeps our own stack safe from other clients.
inline constexpr unsigned kMaxDepth = 1000;
inline constexpr unsigned kMaxBlocks = 400;

/// One specialization of a function that is called from outside: a kernel, or
/// what code of other languages calls.
struct Entry {
  llvm::StringRef function;
  mlir::ArrayAttr arguments;
  /// What bounds the launches of a kernel; null if nothing does.
  mlir::DenseI32ArrayAttr launchBounds;
  /// How others call what is not launched; null for a kernel.
  ExportAttr exported;
};

/// Imports one buffer. Methods that build an expression return its value, or
/// null after an error.
class Importer {
public:
  Importer(llvm::StringRef name, mlir::MLIRContext *context,
           SourceText *sources);

  mlir::OwningOpRef<mlir::ModuleOp> importUnit(const llvm::json::Object &unit);

private:
  // The parts of a unit (AstBuffer.cpp).
  mlir::TypeAttr importType(const llvm::json::Value &entry,
                            llvm::StringRef what);
  mlir::LogicalResult importFunction(llvm::StringRef id,
                                     const llvm::json::Object &function);
  mlir::FailureOr<Entry> importEntry(const llvm::json::Object &node);
  mlir::LogicalResult importLaunchBounds(const llvm::json::Object &node,
                                         Entry &entry);
  mlir::LogicalResult importExport(const llvm::json::Object &node,
                                   Entry &entry);
  mlir::LogicalResult makeEntry(const Entry &entry, mlir::ModuleOp module);
  /// What a FUNCTION says of code of another language (Foreign.cpp).
  mlir::FailureOr<mlir::Attribute>
  importForeign(const llvm::json::Object &function);
  mlir::LogicalResult
  importParameters(const llvm::json::Array &parameters,
                   llvm::SmallVectorImpl<mlir::Attribute> &names,
                   llvm::SmallVectorImpl<mlir::Attribute> &defaults);

  // Statements (Statements.cpp).
  mlir::LogicalResult importBlock(const llvm::json::Array &statements,
                                  mlir::Region &region);
  mlir::LogicalResult importStatements(const llvm::json::Array &statements);
  mlir::LogicalResult importStatement(const llvm::json::Object &node);
  mlir::LogicalResult importAssign(const llvm::json::Object &node);
  mlir::LogicalResult importAugmented(const llvm::json::Object &node,
                                      mlir::Location loc);
  mlir::LogicalResult importIf(const llvm::json::Object &node,
                               mlir::Location loc);
  mlir::LogicalResult importFor(const llvm::json::Object &node,
                                mlir::Location loc);
  mlir::LogicalResult importWhile(const llvm::json::Object &node,
                                  mlir::Location loc);
  mlir::LogicalResult importLoop(const llvm::json::Array &body,
                                 mlir::Region &bodyRegion,
                                 const llvm::json::Array &orelse,
                                 mlir::Region &orelseRegion);
  mlir::LogicalResult assign(const llvm::json::Object &target,
                             mlir::Value value);
  mlir::LogicalResult unpack(const llvm::json::Array &targets,
                             mlir::Value value, mlir::Location loc);

  // Expressions (Expressions.cpp).
  mlir::Value importExpression(const llvm::json::Object &node);
  mlir::Value importConstant(const llvm::json::Object &node,
                             mlir::Location loc);
  mlir::Value importBinary(const llvm::json::Object &node);
  mlir::Value importUnary(const llvm::json::Object &node, mlir::Location loc);
  mlir::Value importLogical(llvm::StringRef op,
                            llvm::ArrayRef<llvm::json::Value> values,
                            mlir::Location loc);
  mlir::Value importCompare(const llvm::json::Object &node, mlir::Location loc);
  mlir::Value importComparisons(mlir::Value lhs,
                                llvm::ArrayRef<llvm::json::Value> ops,
                                llvm::ArrayRef<llvm::json::Value> comparators,
                                mlir::Location loc);
  mlir::Value importConditional(const llvm::json::Object &node,
                                mlir::Location loc);
  mlir::Value importCall(const llvm::json::Object &node, mlir::Location loc);
  mlir::Value importClosure(const llvm::json::Object &node, mlir::Location loc);
  mlir::Value importSlice(const llvm::json::Object &node, mlir::Location loc);
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  importList(const llvm::json::Array &nodes, llvm::StringRef key,
             llvm::SmallVectorImpl<int64_t> *starred = nullptr);
  mlir::DenseI64ArrayAttr makePositions(llvm::ArrayRef<int64_t> positions);
  std::optional<BinaryOperator> operatorOf(llvm::StringRef op);

  // Checked access to the buffer (AstBuffer.cpp).
  mlir::Value child(const llvm::json::Object &node, llvm::StringRef key);
  const llvm::json::Object *objectOf(const llvm::json::Object &node,
                                     llvm::StringRef key);
  const llvm::json::Array *arrayOf(const llvm::json::Object &node,
                                   llvm::StringRef key);
  std::optional<llvm::StringRef> stringOf(const llvm::json::Object &node,
                                          llvm::StringRef key);
  bool isNull(const llvm::json::Object &node, llvm::StringRef key);
  mlir::LogicalResult malformed(const llvm::Twine &what);
  mlir::Location locate(const llvm::json::Object &node);
  mlir::Value none(mlir::Location loc);
  mlir::Value importUnsupported(const llvm::json::Object &node,
                                mlir::Location loc);

  mlir::OpBuilder builder;
  SourceText *sources;
  mlir::Location bufferLoc;
  mlir::Type object;
  /// True if operators keep to 32 bits.
  bool narrow = false;
  /// File of the function that is being imported.
  mlir::StringAttr file;
  /// Nesting of expressions, of blocks and of the bodies of loops in the
  /// function.
  unsigned depth = 0, blocks = 0, loops = 0;
};

} // namespace pyk::py

#endif // PYK_LIB_FRONTEND_IMPORTER_H
