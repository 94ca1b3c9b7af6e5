// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads an `ast` buffer and builds the py dialect, one op for each construct.
//
// Nothing is decided here but the shape of the program: chained comparisons
// become short-circuit conjunctions, `else` of a loop and other constructs that
// kernels cannot have become py.unsupported, which is an error only if it is
// reached. A buffer may come from anywhere, so every access is checked; the
// first thing that is wrong is reported and ends the import.

#include "pyk/Frontend/AstBuffer.h"
#include "Values.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "pyk/Dialect/Py/IR/PyOps.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
namespace json = llvm::json;

namespace {

/// Deepest nesting of an expression, and of blocks. CPython refuses a hundred
/// levels of indentation and some thousand of parentheses; this keeps our own
/// stack safe from other clients.
constexpr unsigned kMaxDepth = 1000;
constexpr unsigned kMaxBlocks = 200;

/// Imports one buffer. Methods that build an expression return its value, or
/// null after an error.
class Importer {
public:
  Importer(StringRef name, MLIRContext *context, SourceText *sources)
      : builder(context), sources(sources),
        bufferLoc(FileLineColLoc::get(context, name, 1, 1)),
        object(ObjectType::get(context)) {}

  OwningOpRef<ModuleOp> importUnit(const json::Object &unit);

private:
  // The parts of a unit.
  LogicalResult importFunction(StringRef id, const json::Object &function,
                               ArrayAttr arguments);
  LogicalResult importBlock(const json::Array &statements, Region &region);
  LogicalResult importStatements(const json::Array &statements);
  LogicalResult importStatement(const json::Object &node);
  LogicalResult importFor(const json::Object &node, Location loc);
  LogicalResult importWhile(const json::Object &node, Location loc);
  LogicalResult importAugmented(const json::Object &node, Location loc);
  LogicalResult assign(const json::Object &target, Value value);
  Value importExpression(const json::Object &node);
  Value importCompare(const json::Object &node, Location loc);
  Value importLogical(StringRef op, const json::Array &values, size_t index,
                      Location loc);
  Value importCall(const json::Object &node, Location loc);
  Value importSlice(const json::Object &node, Location loc);

  // Checked access to the buffer.
  Value child(const json::Object &node, StringRef key);
  const json::Object *objectOf(const json::Object &node, StringRef key);
  const json::Array *arrayOf(const json::Object &node, StringRef key);
  std::optional<StringRef> stringOf(const json::Object &node, StringRef key);
  bool isNull(const json::Object &node, StringRef key);
  LogicalResult malformed(const Twine &what);
  Location locate(const json::Object &node);

  Value none(Location loc) {
    return ConstantOp::create(builder, loc, object,
                              NoneAttr::get(builder.getContext()),
                              StringAttr());
  }
  Value unsupported(Location loc, const Twine &what) {
    return UnsupportedOp::create(builder, loc, object,
                                 builder.getStringAttr(what));
  }

  OpBuilder builder;
  SourceText *sources;
  Location bufferLoc;
  Type object;
  /// File of the function that is being imported.
  StringAttr file;
  unsigned depth = 0, blocks = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

LogicalResult Importer::malformed(const Twine &what) {
  return emitError(bufferLoc) << "malformed ast buffer: " << what;
}

const json::Object *Importer::objectOf(const json::Object &node,
                                       StringRef key) {
  const json::Object *result = node.getObject(key);
  if (!result)
    (void)malformed("expects an object as '" + key + "'");
  return result;
}

const json::Array *Importer::arrayOf(const json::Object &node, StringRef key) {
  const json::Array *result = node.getArray(key);
  if (!result)
    (void)malformed("expects a list as '" + key + "'");
  return result;
}

std::optional<StringRef> Importer::stringOf(const json::Object &node,
                                            StringRef key) {
  std::optional<StringRef> result = node.getString(key);
  if (!result)
    (void)malformed("expects a string as '" + key + "'");
  return result;
}

bool Importer::isNull(const json::Object &node, StringRef key) {
  const json::Value *value = node.get(key);
  return !value || value->kind() == json::Value::Null;
}

Location Importer::locate(const json::Object &node) {
  const json::Array *at = node.getArray("at");
  if (!at || at->size() != 4 || !file)
    return bufferLoc;
  unsigned place[4];
  for (auto [value, part] : llvm::zip(*at, place))
    part = value.getAsInteger().value_or(0);
  return FileLineColRange::get(file, place[0], place[1] + 1, place[2],
                               place[3] + 1);
}

Value Importer::child(const json::Object &node, StringRef key) {
  const json::Object *expression = objectOf(node, key);
  return expression ? importExpression(*expression) : Value();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

OwningOpRef<ModuleOp> Importer::importUnit(const json::Object &unit) {
  std::optional<int64_t> version = unit.getInteger("version");
  if (version != 1) {
    (void)malformed("expects version 1");
    return {};
  }
  std::optional<StringRef> kernel = stringOf(unit, "kernel");
  const json::Array *types = arrayOf(unit, "arguments");
  const json::Object *functions = objectOf(unit, "functions");
  if (!kernel || !types || !functions)
    return {};
  SmallVector<Attribute> arguments;
  for (const json::Value &text : *types) {
    Type type = text.getAsString()
                    ? parseType(*text.getAsString(), builder.getContext())
                    : Type();
    if (!type) {
      (void)malformed("expects a type as argument");
      return {};
    }
    arguments.push_back(TypeAttr::get(type));
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(bufferLoc);
  builder.setInsertionPointToStart(module->getBody());
  // JSON objects have no order: keep that of the keys, so that the same
  // program always gives the same module.
  SmallVector<StringRef> ids;
  for (const auto &entry : *functions)
    ids.push_back(entry.first);
  llvm::sort(ids, [](StringRef a, StringRef b) {
    return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
  });
  if (!llvm::is_contained(ids, *kernel)) {
    (void)malformed("expects a function '" + *kernel + "'");
    return {};
  }
  for (StringRef id : ids) {
    const json::Object *function = objectOf(*functions, id);
    if (!function ||
        failed(importFunction(id, *function,
                              id == *kernel ? builder.getArrayAttr(arguments)
                                            : ArrayAttr())))
      return {};
  }
  return module;
}

LogicalResult Importer::importFunction(StringRef id,
                                       const json::Object &function,
                                       ArrayAttr arguments) {
  std::optional<StringRef> name = stringOf(function, "name");
  std::optional<StringRef> path = stringOf(function, "file");
  const json::Array *parameters = arrayOf(function, "parameters");
  const json::Array *body = arrayOf(function, "body");
  if (!name || !path || !parameters || !body)
    return failure();
  file = builder.getStringAttr(*path);
  if (sources && function.getString("source"))
    sources->add(*path, function.getInteger("line").value_or(1),
                 *function.getString("source"));
  SmallVector<Attribute> names, defaults;
  bool hasDefault = false;
  for (const json::Value &entry : *parameters) {
    const json::Object *parameter = entry.getAsObject();
    if (!parameter)
      return malformed("expects objects in 'parameters'");
    std::optional<StringRef> parameterName = stringOf(*parameter, "name");
    if (!parameterName)
      return failure();
    names.push_back(builder.getStringAttr(*parameterName));
    Attribute value = builder.getUnitAttr();
    if (!isNull(*parameter, "default")) {
      const json::Object *node = objectOf(*parameter, "default");
      if (!node)
        return failure();
      value = importValue(*node, builder, bufferLoc);
      if (!value)
        return failure();
      hasDefault = true;
    }
    defaults.push_back(value);
  }
  Location loc = locate(function);
  if (arguments && arguments.size() != names.size())
    return emitTypingError(loc)
           << "kernel '" << *name << "' takes " << names.size()
           << " arguments but " << arguments.size() << " were given";
  FuncOp func = FuncOp::create(
      builder, loc, builder.getStringAttr(id), builder.getArrayAttr(names),
      hasDefault ? builder.getArrayAttr(defaults) : ArrayAttr(), arguments,
      TypeAttr(), function.getBoolean("device").value_or(false));
  OpBuilder::InsertionGuard guard(builder);
  return importBlock(*body, func.getBody());
}

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
  for (const json::Value &statement : statements) {
    const json::Object *node = statement.getAsObject();
    if (!node)
      return malformed("expects objects as statements");
    if (failed(importStatement(*node)))
      return failure();
    // What follows an exit is dead.
    Block *block = builder.getInsertionBlock();
    if (!block->empty() && isa<BreakOp, ContinueOp, ReturnOp>(block->back()))
      break;
  }
  --blocks;
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
  if (*kind == "assign") {
    const json::Array *targets = arrayOf(node, "targets");
    Value value = targets ? child(node, "value") : Value();
    if (!value)
      return failure();
    for (const json::Value &target : *targets)
      if (!target.getAsObject() || failed(assign(*target.getAsObject(), value)))
        return failure();
    return success();
  }
  if (*kind == "augassign")
    return importAugmented(node, loc);
  if (*kind == "return") {
    Value value = isNull(node, "value") ? none(loc) : child(node, "value");
    if (!value)
      return failure();
    ReturnOp::create(builder, loc, value);
    return success();
  }
  if (*kind == "break") {
    BreakOp::create(builder, loc);
    return success();
  }
  if (*kind == "continue") {
    ContinueOp::create(builder, loc);
    return success();
  }
  if (*kind == "if") {
    const json::Array *body = arrayOf(node, "body");
    const json::Array *orelse = arrayOf(node, "orelse");
    Value condition = body && orelse ? child(node, "test") : Value();
    if (!condition)
      return failure();
    auto op =
        IfOp::create(builder, loc, condition, BoolAttr(), DictionaryAttr());
    return failure(failed(importBlock(*body, op.getThenRegion())) ||
                   failed(importBlock(*orelse, op.getElseRegion())));
  }
  if (*kind == "while")
    return importWhile(node, loc);
  if (*kind == "for")
    return importFor(node, loc);
  if (*kind == "unsupported") {
    std::optional<StringRef> what = stringOf(node, "what");
    if (!what)
      return failure();
    unsupported(loc, *what);
    return success();
  }
  return malformed("does not know the statement '" + *kind + "'");
}

LogicalResult Importer::importWhile(const json::Object &node, Location loc) {
  const json::Array *body = arrayOf(node, "body");
  const json::Array *orelse = arrayOf(node, "orelse");
  if (!body || !orelse)
    return failure();
  if (!orelse->empty())
    unsupported(loc, "'else' of a loop");
  auto op = WhileOp::create(builder, loc, BoolAttr(), DictionaryAttr(),
                            DictionaryAttr());
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op.getCondition());
    Value condition = child(node, "test");
    if (!condition)
      return failure();
    YieldOp::create(builder, condition.getLoc(), condition);
  }
  return importBlock(*body, op.getBody());
}

LogicalResult Importer::importFor(const json::Object &node, Location loc) {
  const json::Array *body = arrayOf(node, "body");
  const json::Array *orelse = arrayOf(node, "orelse");
  const json::Object *target = objectOf(node, "target");
  Value iterable = body && orelse && target ? child(node, "iter") : Value();
  if (!iterable)
    return failure();
  if (!orelse->empty())
    unsupported(loc, "'else' of a loop");
  auto op =
      ForOp::create(builder, loc, iterable, DictionaryAttr(), DictionaryAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&op.getBody());
  if (failed(assign(*target, block->addArgument(object, locate(*target)))))
    return failure();
  return importBlock(*body, op.getBody());
}

static std::optional<BinaryOperator> symbolizeOperator(StringRef op) {
  return llvm::StringSwitch<std::optional<BinaryOperator>>(op)
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
}

LogicalResult Importer::importAugmented(const json::Object &node,
                                        Location loc) {
  std::optional<StringRef> op = stringOf(node, "op");
  const json::Object *target = objectOf(node, "target");
  if (!op || !target)
    return failure();
  std::optional<BinaryOperator> operation = symbolizeOperator(*op);
  if (!operation)
    return malformed("does not know the operator '" + *op + "'");
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
    Value value = combine(SubscriptOp::create(builder, locate(*target), object,
                                              array, index, IntegerAttr()));
    if (!value)
      return failure();
    SetSubscriptOp::create(builder, loc, value, array, index);
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
    SetSubscriptOp::create(builder, loc, value, array, index);
    return success();
  }
  if (*kind == "tuple") {
    const json::Array *items = arrayOf(target, "items");
    if (!items)
      return failure();
    SmallVector<Type> types(items->size(), object);
    auto unpack = UnpackOp::create(builder, loc, types, value);
    for (auto [item, part] : llvm::zip(*items, unpack.getItems()))
      if (!item.getAsObject() || failed(assign(*item.getAsObject(), part)))
        return failure();
    return success();
  }
  if (*kind == "attribute") {
    unsupported(loc, "assignment to an attribute");
    return success();
  }
  if (*kind == "unsupported") {
    importExpression(target);
    return success();
  }
  return malformed("cannot assign to '" + *kind + "'");
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

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
  if (*kind == "const") {
    const json::Object *value = objectOf(node, "value");
    Attribute attribute =
        value ? importValue(*value, builder, bufferLoc) : Attribute();
    if (!attribute)
      return {};
    StringAttr name;
    if (!isNull(node, "name"))
      name = builder.getStringAttr(node.getString("name").value_or(""));
    return ConstantOp::create(builder, loc, object, attribute, name);
  }
  if (*kind == "binop") {
    std::optional<StringRef> op = stringOf(node, "op");
    Value lhs = op ? child(node, "left") : Value();
    Value rhs = lhs ? child(node, "right") : Value();
    if (!rhs)
      return {};
    std::optional<BinaryOperator> operation = symbolizeOperator(*op);
    if (!operation)
      return (void)malformed("does not know the operator '" + *op + "'"),
             Value();
    return BinaryOp::create(builder, loc, object, *operation, lhs, rhs,
                            /*inplace=*/false);
  }
  if (*kind == "unary") {
    std::optional<StringRef> op = stringOf(node, "op");
    Value operand = op ? child(node, "operand") : Value();
    if (!operand)
      return {};
    auto operation = llvm::StringSwitch<std::optional<UnaryOperator>>(*op)
                         .Case("+", UnaryOperator::Plus)
                         .Case("-", UnaryOperator::Minus)
                         .Case("~", UnaryOperator::Invert)
                         .Case("not", UnaryOperator::Not)
                         .Default(std::nullopt);
    if (!operation)
      return (void)malformed("does not know the operator '" + *op + "'"),
             Value();
    return UnaryOp::create(builder, loc, object, *operation, operand);
  }
  if (*kind == "boolop") {
    std::optional<StringRef> op = stringOf(node, "op");
    const json::Array *values = arrayOf(node, "values");
    if (!op || !values)
      return {};
    return importLogical(*op, *values, 0, loc);
  }
  if (*kind == "compare")
    return importCompare(node, loc);
  if (*kind == "ifexp") {
    Value condition = child(node, "test");
    if (!condition)
      return {};
    auto op =
        ConditionalOp::create(builder, loc, object, condition, BoolAttr());
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
                                       IntegerAttr())
                       .getResult()
                 : Value();
  }
  if (*kind == "slice")
    return importSlice(node, loc);
  if (*kind == "tuple") {
    const json::Array *items = arrayOf(node, "items");
    if (!items)
      return {};
    SmallVector<Value> values;
    for (const json::Value &item : *items) {
      if (!item.getAsObject())
        return (void)malformed("expects expressions in 'items'"), Value();
      values.push_back(importExpression(*item.getAsObject()));
      if (!values.back())
        return {};
    }
    return TupleOp::create(builder, loc, object, values);
  }
  if (*kind == "namedexpr") {
    const json::Object *target = objectOf(node, "target");
    Value value = target ? child(node, "value") : Value();
    if (!value || failed(assign(*target, value)))
      return {};
    return value;
  }
  if (*kind == "unsupported") {
    std::optional<StringRef> what = stringOf(node, "what");
    return what ? unsupported(loc, *what) : Value();
  }
  return (void)malformed("does not know the expression '" + *kind + "'"),
         Value();
}

Value Importer::importLogical(StringRef op, const json::Array &values,
                              size_t index, Location loc) {
  if (index >= values.size() || !values[index].getAsObject())
    return (void)malformed("expects expressions in 'values'"), Value();
  Value first = importExpression(*values[index].getAsObject());
  if (!first || index + 1 == values.size())
    return first;
  auto logical = LogicalOp::create(builder, loc, object,
                                   op == "and" ? LogicalOperator::And
                                               : LogicalOperator::Or,
                                   first, BoolAttr());
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&logical.getRhs());
  Value rest = importLogical(op, values, index + 1, loc);
  if (!rest)
    return {};
  YieldOp::create(builder, loc, rest);
  return logical.getResult();
}

Value Importer::importCompare(const json::Object &node, Location loc) {
  const json::Array *ops = arrayOf(node, "ops");
  const json::Array *comparators = arrayOf(node, "comparators");
  Value lhs = ops && comparators ? child(node, "left") : Value();
  if (!lhs)
    return {};
  if (ops->empty() || ops->size() != comparators->size())
    return (void)malformed("expects as many 'ops' as 'comparators'"), Value();
  // a < b < c is (a < b) and (b < c), with b evaluated once.
  OpBuilder::InsertionGuard guard(builder);
  Value result;
  for (size_t i = 0; i != ops->size(); ++i) {
    std::optional<StringRef> op = (*ops)[i].getAsString();
    const json::Object *operand = (*comparators)[i].getAsObject();
    auto operation =
        llvm::StringSwitch<std::optional<CompareOperator>>(op.value_or(""))
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
    if (!operation || !operand)
      return (void)malformed("expects comparisons in 'ops'"), Value();
    Value rhs = importExpression(*operand);
    if (!rhs)
      return {};
    Value compared =
        CompareOp::create(builder, loc, object, *operation, lhs, rhs);
    if (i != 0)
      YieldOp::create(builder, loc, compared);
    Value conjunction = compared;
    if (i + 1 != ops->size()) {
      // Within the region of the outer conjunction, the yield comes last.
      if (i != 0)
        builder.setInsertionPoint(&builder.getInsertionBlock()->back());
      auto logical = LogicalOp::create(
          builder, loc, object, LogicalOperator::And, compared, BoolAttr());
      if (i != 0)
        builder.getInsertionBlock()->back().setOperand(0, logical.getResult());
      builder.createBlock(&logical.getRhs());
      conjunction = logical.getResult();
    }
    if (i == 0)
      result = conjunction;
    lhs = rhs;
  }
  return result;
}

Value Importer::importCall(const json::Object &node, Location loc) {
  const json::Array *args = arrayOf(node, "args");
  Value callee = args ? child(node, "func") : Value();
  if (!callee)
    return {};
  SmallVector<Value> operands;
  for (const json::Value &arg : *args) {
    if (!arg.getAsObject())
      return (void)malformed("expects expressions in 'args'"), Value();
    operands.push_back(importExpression(*arg.getAsObject()));
    if (!operands.back())
      return {};
  }
  SmallVector<Attribute> keywords;
  if (const json::Array *entries = node.getArray("keywords"))
    for (const json::Value &entry : *entries) {
      const json::Object *keyword = entry.getAsObject();
      std::optional<StringRef> name =
          keyword ? stringOf(*keyword, "name") : std::nullopt;
      Value value = name ? child(*keyword, "value") : Value();
      if (!value)
        return {};
      keywords.push_back(builder.getStringAttr(*name));
      operands.push_back(value);
    }
  return CallOp::create(builder, loc, object, callee, operands,
                        keywords.empty() ? ArrayAttr()
                                         : builder.getArrayAttr(keywords),
                        FlatSymbolRefAttr());
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

OwningOpRef<ModuleOp> pyk::importAstBuffer(StringRef buffer, StringRef name,
                                           MLIRContext *context,
                                           SourceText *sources) {
  context->loadDialect<PyDialect>();
  Location loc = FileLineColLoc::get(context, name, 1, 1);
  llvm::Expected<json::Value> parsed = json::parse(buffer);
  if (!parsed) {
    emitError(loc) << "malformed ast buffer: "
                   << llvm::toString(parsed.takeError());
    return {};
  }
  const json::Object *unit = parsed->getAsObject();
  if (!unit) {
    emitError(loc) << "malformed ast buffer: expects an object";
    return {};
  }
  return Importer(name, context, sources).importUnit(*unit);
}
