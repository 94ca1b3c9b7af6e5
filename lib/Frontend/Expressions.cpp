// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of an `ast` buffer.

#include "Importer.h"
#include "Values.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
namespace json = llvm::json;

Value Importer::importExpression(const json::Object &node) {
  std::optional<StringRef> kind = stringOf(node, "k");
  if (!kind)
    return {};
  Location loc = locate(node);
  if (++depth > kMaxDepth) {
    emitUnsupportedError(loc) << "the expression is nested too deeply";
    return {};
  }
  llvm::scope_exit leave([&] { --depth; });
  if (*kind == "name") {
    std::optional<StringRef> id = stringOf(node, "id");
    return id ? GetOp::create(builder, loc, object, *id).getResult() : Value();
  }
  if (*kind == "const")
    return importConstant(node, loc);
  if (*kind == "binop")
    return importBinary(node);
  if (*kind == "unary")
    return importUnary(node, loc);
  if (*kind == "boolop") {
    std::optional<StringRef> op = stringOf(node, "op");
    const json::Array *values = op ? arrayOf(node, "values") : nullptr;
    return values ? importLogical(*op, *values, loc) : Value();
  }
  if (*kind == "compare")
    return importCompare(node, loc);
  if (*kind == "ifexp")
    return importConditional(node, loc);
  if (*kind == "call")
    return importCall(node, loc);
  if (*kind == "attribute") {
    std::optional<StringRef> name = stringOf(node, "attr");
    Value value = name ? child(node, "value") : Value();
    return value ? AttributeOp::create(builder, loc, object, value, *name)
                       .getResult()
                 : Value();
  }
  if (*kind == "subscript") {
    Value value = child(node, "value");
    Value index = value ? child(node, "index") : Value();
    return index ? SubscriptOp::create(builder, loc, object, value, index,
                                       IntegerAttr(), DenseI64ArrayAttr())
                       .getResult()
                 : Value();
  }
  if (*kind == "slice")
    return importSlice(node, loc);
  if (*kind == "tuple") {
    const json::Array *items = arrayOf(node, "items");
    FailureOr<SmallVector<Value>> values = failure();
    SmallVector<int64_t> starred;
    if (items)
      values = importList(*items, "items", &starred);
    return failed(values) ? Value()
                          : TupleOp::create(builder, loc, object, *values,
                                            makePositions(starred))
                                .getResult();
  }
  if (*kind == "closure")
    return importClosure(node, loc);
  if (*kind == "namedexpr") {
    const json::Object *target = objectOf(node, "target");
    Value value = target ? child(node, "value") : Value();
    return value && succeeded(assign(*target, value)) ? value : Value();
  }
  if (*kind == "unsupported")
    return importUnsupported(node, loc);
  (void)malformed("does not know the expression '" + *kind + "'");
  return {};
}

FailureOr<SmallVector<Value>>
Importer::importList(const json::Array &nodes, StringRef key,
                     SmallVectorImpl<int64_t> *starred) {
  SmallVector<Value> values;
  for (const json::Value &entry : nodes) {
    const json::Object *node = entry.getAsObject();
    if (node && starred && node->getString("k") == "starred") {
      starred->push_back(static_cast<int64_t>(values.size()));
      node = objectOf(*node, "value");
    }
    if (!node)
      return malformed("expects expressions in '" + key + "'");
    values.push_back(importExpression(*node));
    if (!values.back())
      return failure();
  }
  return values;
}

DenseI64ArrayAttr Importer::makePositions(ArrayRef<int64_t> positions) {
  return positions.empty() ? DenseI64ArrayAttr()
                           : builder.getDenseI64ArrayAttr(positions);
}

Value Importer::importConstant(const json::Object &node, Location loc) {
  const json::Object *value = objectOf(node, "value");
  Attribute attribute =
      value ? importValue(*value, builder, bufferLoc) : Attribute();
  if (!attribute)
    return {};
  StringAttr name;
  if (!isNull(node, "name")) {
    std::optional<StringRef> text = stringOf(node, "name");
    if (!text)
      return {};
    name = builder.getStringAttr(*text);
  }
  return ConstantOp::create(builder, loc, object, attribute, name);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

std::optional<BinaryOperator> Importer::operatorOf(StringRef op) {
  auto result = llvm::StringSwitch<std::optional<BinaryOperator>>(op)
                    .Case("+", BinaryOperator::Add)
                    .Case("-", BinaryOperator::Sub)
                    .Case("*", BinaryOperator::Mul)
                    .Case("/", BinaryOperator::TrueDiv)
                    .Case("//", BinaryOperator::FloorDiv)
                    .Case("%", BinaryOperator::Mod)
                    .Case("**", BinaryOperator::Pow)
                    .Case("<<", BinaryOperator::LShift)
                    .Case(">>", BinaryOperator::RShift)
                    .Case("&", BinaryOperator::BitAnd)
                    .Case("|", BinaryOperator::BitOr)
                    .Case("^", BinaryOperator::BitXor)
                    .Case("@", BinaryOperator::MatMul)
                    .Default(std::nullopt);
  if (!result)
    (void)malformed("does not know the operator '" + op + "'");
  return result;
}

Value Importer::importBinary(const json::Object &node) {
  Value result = child(node, "first");
  const json::Array *rest = result ? arrayOf(node, "rest") : nullptr;
  if (!rest)
    return {};
  for (const json::Value &item : *rest) {
    const json::Object *operation = item.getAsObject();
    if (!operation) {
      (void)malformed("expects objects in 'rest'");
      return {};
    }
    std::optional<StringRef> op = stringOf(*operation, "op");
    std::optional<BinaryOperator> kind =
        op ? operatorOf(*op) : std::optional<BinaryOperator>();
    Value rhs = kind ? child(*operation, "right") : Value();
    if (!rhs)
      return {};
    result = BinaryOp::create(builder, locate(*operation), object, *kind,
                              result, rhs, /*inplace=*/false);
  }
  return result;
}

Value Importer::importUnary(const json::Object &node, Location loc) {
  std::optional<StringRef> op = stringOf(node, "op");
  Value operand = op ? child(node, "operand") : Value();
  if (!operand)
    return {};
  auto kind = llvm::StringSwitch<std::optional<UnaryOperator>>(*op)
                  .Case("+", UnaryOperator::Plus)
                  .Case("-", UnaryOperator::Minus)
                  .Case("~", UnaryOperator::Invert)
                  .Case("not", UnaryOperator::Not)
                  .Default(std::nullopt);
  if (!kind) {
    (void)malformed("does not know the operator '" + *op + "'");
    return {};
  }
  return UnaryOp::create(builder, loc, object, *kind, operand);
}

Value Importer::importLogical(StringRef op, ArrayRef<json::Value> values,
                              Location loc) {
  if (op != "and" && op != "or") {
    (void)malformed("does not know the operator '" + op + "'");
    return {};
  }
  if (values.empty() || !values.front().getAsObject()) {
    (void)malformed("expects expressions in 'values'");
    return {};
  }
  // a and b and c is a and (b and c).
  if (++depth > kMaxDepth) {
    emitUnsupportedError(loc) << "the expression is nested too deeply";
    return {};
  }
  llvm::scope_exit leave([&] { --depth; });
  Value first = importExpression(*values.front().getAsObject());
  if (!first || values.size() == 1)
    return first;
  auto logical = LogicalOp::create(builder, loc, object,
                                   op == "and" ? LogicalOperator::And
                                               : LogicalOperator::Or,
                                   first, BoolAttr(), DictionaryAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&logical.getRhs());
  Value rest = importLogical(op, values.drop_front(), loc);
  if (!rest)
    return {};
  YieldOp::create(builder, loc, rest);
  return logical.getResult();
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

static std::optional<CompareOperator> symbolizeComparison(StringRef op) {
  return llvm::StringSwitch<std::optional<CompareOperator>>(op)
      .Case("==", CompareOperator::Eq)
      .Case("!=", CompareOperator::Ne)
      .Case("<", CompareOperator::Lt)
      .Case("<=", CompareOperator::Le)
      .Case(">", CompareOperator::Gt)
      .Case(">=", CompareOperator::Ge)
      .Case("is", CompareOperator::Is)
      .Case("is-not", CompareOperator::IsNot)
      .Case("in", CompareOperator::In)
      .Case("not-in", CompareOperator::NotIn)
      .Default(std::nullopt);
}

/// From where `first` begins to where `last` ends, if they are in one file.
static Location span(Location first, Location last, Location other) {
  auto from = dyn_cast<FileLineColRange>(first);
  auto to = dyn_cast<FileLineColRange>(last);
  if (!from || !to || from.getFilename() != to.getFilename())
    return other;
  return FileLineColRange::get(from.getFilename(), from.getStartLine(),
                               from.getStartColumn(), to.getEndLine(),
                               to.getEndColumn());
}

Value Importer::importCompare(const json::Object &node, Location loc) {
  const json::Array *ops = arrayOf(node, "ops");
  const json::Array *comparators = ops ? arrayOf(node, "comparators") : nullptr;
  Value lhs = comparators ? child(node, "left") : Value();
  if (!lhs)
    return {};
  if (ops->empty() || ops->size() != comparators->size()) {
    (void)malformed("expects as many 'ops' as 'comparators'");
    return {};
  }
  return importComparisons(lhs, *ops, *comparators, loc);
}

Value Importer::importComparisons(Value lhs, ArrayRef<json::Value> ops,
                                  ArrayRef<json::Value> comparators,
                                  Location loc) {
  std::optional<CompareOperator> kind =
      symbolizeComparison(ops.front().getAsString().value_or(""));
  if (!kind || !comparators.front().getAsObject()) {
    (void)malformed("expects comparisons in 'ops'");
    return {};
  }
  if (++depth > kMaxDepth) {
    emitUnsupportedError(loc) << "the expression is nested too deeply";
    return {};
  }
  llvm::scope_exit leave([&] { --depth; });
  Value rhs = importExpression(*comparators.front().getAsObject());
  if (!rhs)
    return {};
  Value compared =
      CompareOp::create(builder, span(lhs.getLoc(), rhs.getLoc(), loc), object,
                        *kind, lhs, rhs, FlatSymbolRefAttr());
  if (ops.size() == 1)
    return compared;
  // a < b < c is (a < b) and (b < c), with b evaluated once.
  auto logical = LogicalOp::create(builder, loc, object, LogicalOperator::And,
                                   compared, BoolAttr(), DictionaryAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&logical.getRhs());
  Value rest =
      importComparisons(rhs, ops.drop_front(), comparators.drop_front(), loc);
  if (!rest)
    return {};
  YieldOp::create(builder, loc, rest);
  return logical.getResult();
}

//===----------------------------------------------------------------------===//
// Choices, calls, slices
//===----------------------------------------------------------------------===//

Value Importer::importConditional(const json::Object &node, Location loc) {
  Value condition = child(node, "test");
  if (!condition)
    return {};
  auto op = ConditionalOp::create(builder, loc, object, condition, BoolAttr(),
                                  DictionaryAttr());
  for (auto [key, region] : {std::pair("body", &op.getThenRegion()),
                             std::pair("orelse", &op.getElseRegion())}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(region);
    Value value = child(node, key);
    if (!value)
      return {};
    YieldOp::create(builder, value.getLoc(), value);
  }
  return op.getResult();
}

Value Importer::importCall(const json::Object &node, Location loc) {
  const json::Array *args = arrayOf(node, "args");
  Value callee = args ? child(node, "func") : Value();
  if (!callee)
    return {};
  SmallVector<int64_t> starred;
  FailureOr<SmallVector<Value>> operands = importList(*args, "args", &starred);
  if (failed(operands))
    return {};
  SmallVector<Attribute> keywords;
  if (!isNull(node, "keywords")) {
    const json::Array *entries = arrayOf(node, "keywords");
    if (!entries)
      return {};
    for (const json::Value &entry : *entries) {
      const json::Object *keyword = entry.getAsObject();
      if (!keyword) {
        (void)malformed("expects objects in 'keywords'");
        return {};
      }
      std::optional<StringRef> name = stringOf(*keyword, "name");
      Value value = name ? child(*keyword, "value") : Value();
      if (!value)
        return {};
      keywords.push_back(builder.getStringAttr(*name));
      operands->push_back(value);
    }
  }
  return CallOp::create(builder, loc, object, callee, *operands,
                        keywords.empty() ? ArrayAttr()
                                         : builder.getArrayAttr(keywords),
                        makePositions(starred), FlatSymbolRefAttr(),
                        DenseI64ArrayAttr(), TypeAttr(), IntegerAttr());
}

Value Importer::importClosure(const json::Object &node, Location loc) {
  std::optional<StringRef> function = stringOf(node, "function");
  const json::Array *defaults = function ? arrayOf(node, "defaults") : nullptr;
  if (!defaults)
    return {};
  FailureOr<SmallVector<Value>> values = importList(*defaults, "defaults");
  return failed(values)
             ? Value()
             : ClosureOp::create(builder, loc, object, *function, *values)
                   .getResult();
}

Value Importer::importSlice(const json::Object &node, Location loc) {
  Value bounds[3];
  for (auto [key, bound] :
       llvm::zip(ArrayRef<StringRef>{"lower", "upper", "step"}, bounds)) {
    bound = isNull(node, key) ? none(loc) : child(node, key);
    if (!bound)
      return {};
  }
  return SliceOp::create(builder, loc, object, bounds[0], bounds[1], bounds[2]);
}
