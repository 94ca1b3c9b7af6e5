// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements of an `ast` buffer.

#include "Importer.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
namespace json = llvm::json;

LogicalResult Importer::importBlock(const json::Array &statements,
                                    Region &region) {
  OpBuilder::InsertionGuard guard(builder);
  if (region.empty())
    builder.createBlock(&region);
  builder.setInsertionPointToEnd(&region.back());
  return importStatements(statements);
}

LogicalResult Importer::importStatements(const json::Array &statements) {
  if (++blocks > kMaxBlocks)
    return emitUnsupportedError(bufferLoc)
           << "the program is nested too deeply";
  llvm::scope_exit leave([&] { --blocks; });
  for (const json::Value &statement : statements) {
    const json::Object *node = statement.getAsObject();
    if (!node)
      return malformed("expects objects as statements");
    if (failed(importStatement(*node)))
      return failure();
    // What follows an exit is dead.
    Block *block = builder.getInsertionBlock();
    if (!block->empty() &&
        isa<BreakOp, ContinueOp, RaiseOp, ReturnOp>(block->back()))
      break;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

LogicalResult Importer::importStatement(const json::Object &node) {
  std::optional<StringRef> kind = stringOf(node, "k");
  if (!kind)
    return failure();
  Location loc = locate(node);
  if (*kind == "pass")
    return success();
  if (*kind == "expr")
    return success(child(node, "value") != nullptr);
  if (*kind == "assign")
    return importAssign(node);
  if (*kind == "augassign")
    return importAugmented(node, loc);
  if (*kind == "return") {
    Value value = isNull(node, "value") ? none(loc) : child(node, "value");
    if (!value)
      return failure();
    ReturnOp::create(builder, loc, value);
    return success();
  }
  if (*kind == "raise") {
    std::optional<StringRef> error = stringOf(node, "error");
    std::optional<int64_t> exception = node.getInteger("exception");
    if (!error)
      return failure();
    if (!exception || *exception < 0)
      return malformed("expects a number as 'exception'");
    RaiseOp::create(builder, loc, *error, *exception);
    return success();
  }
  if (*kind == "break" || *kind == "continue") {
    if (loops == 0)
      return malformed("expects '" + *kind + "' within a loop");
    if (*kind == "continue")
      ContinueOp::create(builder, loc);
    else
      BreakOp::create(builder, loc);
    return success();
  }
  if (*kind == "if")
    return importIf(node, loc);
  if (*kind == "while")
    return importWhile(node, loc);
  if (*kind == "for")
    return importFor(node, loc);
  if (*kind == "unsupported")
    return success(importUnsupported(node, loc) != nullptr);
  return malformed("does not know the statement '" + *kind + "'");
}

LogicalResult Importer::importAssign(const json::Object &node) {
  const json::Array *targets = arrayOf(node, "targets");
  Value value = targets ? child(node, "value") : Value();
  if (!value)
    return failure();
  for (const json::Value &target : *targets) {
    if (!target.getAsObject())
      return malformed("expects objects in 'targets'");
    if (failed(assign(*target.getAsObject(), value)))
      return failure();
  }
  return success();
}

LogicalResult Importer::importIf(const json::Object &node, Location loc) {
  const json::Array *body = arrayOf(node, "body");
  const json::Array *orelse = arrayOf(node, "orelse");
  Value condition = body && orelse ? child(node, "test") : Value();
  if (!condition)
    return failure();
  auto op = IfOp::create(builder, loc, condition, BoolAttr(), DictionaryAttr());
  return failure(failed(importBlock(*body, op.getThenRegion())) ||
                 failed(importBlock(*orelse, op.getElseRegion())));
}

LogicalResult Importer::importWhile(const json::Object &node, Location loc) {
  const json::Array *body = arrayOf(node, "body");
  const json::Array *orelse = arrayOf(node, "orelse");
  if (!body || !orelse)
    return failure();
  auto op = WhileOp::create(builder, loc, BoolAttr(), DictionaryAttr(),
                            DictionaryAttr(), DictionaryAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getCondition());
    Value condition = child(node, "test");
    if (!condition)
      return failure();
    YieldOp::create(builder, condition.getLoc(), condition);
  }
  return importLoop(*body, op.getBody(), *orelse, op.getOrelse());
}

LogicalResult Importer::importLoop(const json::Array &body, Region &bodyRegion,
                                   const json::Array &orelse,
                                   Region &orelseRegion) {
  ++loops;
  LogicalResult result = importBlock(body, bodyRegion);
  --loops;
  return failed(result) || orelse.empty() ? result
                                          : importBlock(orelse, orelseRegion);
}

LogicalResult Importer::importFor(const json::Object &node, Location loc) {
  const json::Array *body = arrayOf(node, "body");
  const json::Array *orelse = arrayOf(node, "orelse");
  const json::Object *target = objectOf(node, "target");
  Value iterable = body && orelse && target ? child(node, "iter") : Value();
  if (!iterable)
    return failure();
  auto op = ForOp::create(builder, loc, iterable, IntegerAttr(),
                          DictionaryAttr(), DictionaryAttr(), DictionaryAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&op.getBody());
    if (failed(assign(*target, block->addArgument(object, locate(*target)))))
      return failure();
  }
  return importLoop(*body, op.getBody(), *orelse, op.getOrelse());
}

LogicalResult Importer::importAugmented(const json::Object &node,
                                        Location loc) {
  std::optional<StringRef> op = stringOf(node, "op");
  const json::Object *target = objectOf(node, "target");
  if (!op || !target)
    return failure();
  std::optional<BinaryOperator> operation = operatorOf(*op);
  if (!operation)
    return failure();
  auto combine = [&](Value old) -> Value {
    Value operand = old ? child(node, "value") : Value();
    if (!operand)
      return {};
    return BinaryOp::create(builder, loc, object, *operation, old, operand,
                            /*inplace=*/true);
  };
  // The array and the index of `a[i] += v` are evaluated once.
  if (target->getString("k") == StringRef("subscript")) {
    Value array = child(*target, "value");
    Value index = array ? child(*target, "index") : Value();
    if (!index)
      return failure();
    Value value =
        combine(SubscriptOp::create(builder, locate(*target), object, array,
                                    index, IntegerAttr(), DenseI64ArrayAttr()));
    if (!value)
      return failure();
    SetSubscriptOp::create(builder, loc, value, array, index, IntegerAttr());
    return success();
  }
  // So is the record of `r.x += v`.
  if (target->getString("k") == StringRef("attribute")) {
    std::optional<StringRef> name = stringOf(*target, "attr");
    Value record = name ? child(*target, "value") : Value();
    if (!record)
      return failure();
    Value value = combine(
        AttributeOp::create(builder, locate(*target), object, record, *name));
    if (!value)
      return failure();
    SetAttributeOp::create(builder, loc, value, record, *name);
    return success();
  }
  Value value = combine(importExpression(*target));
  return value ? assign(*target, value) : failure();
}

LogicalResult Importer::assign(const json::Object &target, Value value) {
  std::optional<StringRef> kind = stringOf(target, "k");
  if (!kind)
    return failure();
  Location loc = locate(target);
  if (++depth > kMaxDepth)
    return emitUnsupportedError(loc) << "the expression is nested too deeply";
  llvm::scope_exit leave([&] { --depth; });
  if (*kind == "name") {
    std::optional<StringRef> id = stringOf(target, "id");
    if (!id)
      return failure();
    SetOp::create(builder, loc, *id, value, TypeAttr());
    return success();
  }
  if (*kind == "subscript") {
    Value array = child(target, "value");
    Value index = array ? child(target, "index") : Value();
    if (!index)
      return failure();
    SetSubscriptOp::create(builder, loc, value, array, index, IntegerAttr());
    return success();
  }
  if (*kind == "tuple") {
    const json::Array *items = arrayOf(target, "items");
    return items ? unpack(*items, value, loc) : failure();
  }
  if (*kind == "attribute") {
    std::optional<StringRef> name = stringOf(target, "attr");
    Value record = name ? child(target, "value") : Value();
    if (!record)
      return failure();
    SetAttributeOp::create(builder, loc, value, record, *name);
    return success();
  }
  if (*kind == "unsupported") {
    return success(importUnsupported(target, loc) != nullptr);
  }
  return malformed("cannot assign to '" + *kind + "'");
}

LogicalResult Importer::unpack(const json::Array &targets, Value value,
                               Location loc) {
  // What cannot be used is reported before a wrong number of items.
  for (const json::Value &item : targets)
    if (const json::Object *part = item.getAsObject();
        part && part->getString("k") == "unsupported")
      return success(importExpression(*part) != nullptr);
  SmallVector<const json::Object *> parts;
  IntegerAttr starred;
  for (auto [position, item] : llvm::enumerate(targets)) {
    const json::Object *part = item.getAsObject();
    if (part && part->getString("k") == "starred") {
      if (starred)
        return malformed("expects at most one starred target");
      starred = builder.getI64IntegerAttr(static_cast<int64_t>(position));
      part = objectOf(*part, "value");
    }
    if (!part)
      return malformed("expects objects in 'items'");
    parts.push_back(part);
  }
  SmallVector<Type> types(parts.size(), object);
  auto op = UnpackOp::create(builder, loc, types, value, starred);
  for (auto [part, item] : llvm::zip(parts, op.getItems()))
    if (failed(assign(*part, item)))
      return failure();
  return success();
}
