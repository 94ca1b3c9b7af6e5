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
#include "Importer.h"
#include "Values.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Verifier.h"
#include "pyk/Dialect/Py/IR/Promotion.h"
#include "pyk/Dialect/Pyk/IR/PykOpAttributes.h"

using namespace mlir;
using namespace pyk;
using namespace pyk::py;
namespace json = llvm::json;

Importer::Importer(StringRef name, MLIRContext *context, SourceText *sources)
    : builder(context), sources(sources),
      bufferLoc(FileLineColLoc::get(context, name, 1, 1)),
      object(ObjectType::get(context)) {}

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

Value Importer::none(Location loc) {
  return ConstantOp::create(builder, loc, object,
                            NoneAttr::get(builder.getContext()), StringAttr());
}

Value Importer::importUnsupported(const json::Object &node, Location loc) {
  std::optional<StringRef> what = stringOf(node, "what");
  if (!what)
    return {};
  StringAttr remedy;
  if (!isNull(node, "remedy")) {
    std::optional<StringRef> text = stringOf(node, "remedy");
    if (!text)
      return {};
    remedy = builder.getStringAttr(*text);
  }
  return UnsupportedOp::create(builder, loc, object,
                               builder.getStringAttr(*what), remedy);
}

//===----------------------------------------------------------------------===//
// The unit
//===----------------------------------------------------------------------===//

TypeAttr Importer::importType(const json::Value &entry, StringRef what) {
  StringRef text = entry.getAsString().value_or("");
  Type type;
  {
    // The parser's own message would be about a place within the text.
    ScopedDiagnosticHandler quiet(builder.getContext(),
                                  [](Diagnostic &) { return success(); });
    if (!text.empty())
      type = parseType(text, builder.getContext());
  }
  if (type && isPythonType(type))
    return TypeAttr::get(type);
  (void)malformed("expects a type as " + what + " but got '" + text + "'");
  return {};
}

OwningOpRef<ModuleOp> Importer::importUnit(const json::Object &unit) {
  std::optional<int64_t> version = unit.getInteger("version");
  if (version != 2) {
    (void)malformed("expects version 2");
    return {};
  }
  const json::Array *nodes = arrayOf(unit, "entries");
  const json::Object *functions = objectOf(unit, "functions");
  if (!nodes || !functions)
    return {};
  if (nodes->empty()) {
    (void)malformed("expects an object at least in 'entries'");
    return {};
  }
  if (const json::Object *options = unit.getObject("options"))
    narrow = options->getString("typing") == "narrow";
  SmallVector<Entry> entries;
  for (const json::Value &value : *nodes) {
    const json::Object *node = value.getAsObject();
    if (!node) {
      (void)malformed("expects objects in 'entries'");
      return {};
    }
    FailureOr<Entry> entry = importEntry(*node);
    if (failed(entry))
      return {};
    entries.push_back(*entry);
  }
  OwningOpRef<ModuleOp> module = ModuleOp::create(bufferLoc);
  builder.setInsertionPointToStart(module->getBody());
  // JSON objects have no order: keep that of the keys, so that the same
  // program always gives the same module.
  SmallVector<StringRef> ids;
  for (const auto &function : *functions)
    ids.push_back(function.first);
  llvm::sort(ids, [](StringRef a, StringRef b) {
    return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
  });
  for (StringRef id : ids) {
    const json::Object *function = objectOf(*functions, id);
    if (!function || failed(importFunction(id, *function)))
      return {};
  }
  for (const Entry &entry : entries)
    if (failed(makeEntry(entry, *module)))
      return {};
  return module;
}

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

FailureOr<Entry> Importer::importEntry(const json::Object &node) {
  std::optional<StringRef> function = stringOf(node, "function");
  const json::Array *types = arrayOf(node, "arguments");
  if (!function || !types)
    return failure();
  Entry entry;
  entry.function = *function;
  SmallVector<Attribute> arguments;
  for (const json::Value &type : *types) {
    arguments.push_back(importType(type, "argument"));
    if (!arguments.back())
      return failure();
  }
  entry.arguments = builder.getArrayAttr(arguments);
  if (failed(importLaunchBounds(node, entry)) ||
      failed(importExport(node, entry)))
    return failure();
  return entry;
}

LogicalResult Importer::importLaunchBounds(const json::Object &node,
                                           Entry &entry) {
  const json::Value *value = node.get("launch_bounds");
  if (!value)
    return success();
  const json::Array *numbers = value->getAsArray();
  SmallVector<int32_t> bounds;
  if (numbers)
    for (const json::Value &number : *numbers)
      if (std::optional<int64_t> bound = number.getAsInteger();
          bound && *bound > 0 && llvm::isInt<32>(*bound))
        bounds.push_back(int32_t(*bound));
  if (!numbers || bounds.size() != numbers->size() || bounds.empty() ||
      bounds.size() > 3)
    return malformed("expects one to three numbers above 0 as 'launch_bounds'");
  entry.launchBounds = builder.getDenseI32ArrayAttr(bounds);
  return success();
}

LogicalResult Importer::importExport(const json::Object &node, Entry &entry) {
  if (isNull(node, "export"))
    return success();
  const json::Object *exported = objectOf(node, "export");
  if (!exported)
    return failure();
  std::optional<Convention> convention =
      symbolizeConvention(exported->getString("abi").value_or(""));
  if (!convention)
    return malformed("expects 'c' or 'numba' as 'abi' of 'export'");
  StringRef name = exported->getString("name").value_or("");
  if (name.starts_with("llvm."))
    return malformed("expects a name of C as 'name' of 'export'");
  entry.exported = ExportAttr::get(builder.getContext(), *convention, name);
  return success();
}

/// Makes a function an entry; one that is an entry already is cloned.
LogicalResult Importer::makeEntry(const Entry &entry, ModuleOp module) {
  auto function = module.lookupSymbol<FuncOp>(entry.function);
  if (!function)
    return malformed("expects a function '" + entry.function + "'");
  unsigned given = entry.arguments.size(),
           expected = function.getParameters().size();
  if (given != expected)
    return emitTypingError(function.getLoc())
           << (entry.exported ? "function '" : "kernel '")
           << cast<NameLoc>(function.getLoc()).getName().getValue()
           << "' takes " << expected
           << (expected == 1 ? " argument but " : " arguments but ") << given
           << (given == 1 ? " was given" : " were given");
  if (function.isEntry()) {
    function = function.clone();
    kLaunchBounds.take(function);
    kExport.take(function);
    SymbolTable(module).insert(function, module.getBody()->end());
  }
  function.setArgumentsAttr(entry.arguments);
  function.setKernel(!entry.exported);
  if (entry.launchBounds)
    kLaunchBounds.set(function, entry.launchBounds);
  if (entry.exported)
    kExport.set(function, entry.exported);
  return success();
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult Importer::importParameters(const json::Array &parameters,
                                         SmallVectorImpl<Attribute> &names,
                                         SmallVectorImpl<Attribute> &defaults) {
  for (const json::Value &entry : parameters) {
    const json::Object *parameter = entry.getAsObject();
    if (!parameter)
      return malformed("expects objects in 'parameters'");
    std::optional<StringRef> name = stringOf(*parameter, "name");
    if (!name)
      return failure();
    auto nameAttr = builder.getStringAttr(*name);
    if (llvm::is_contained(names, nameAttr))
      return malformed("expects different names in 'parameters'");
    names.push_back(nameAttr);
    Attribute value = builder.getUnitAttr();
    if (!isNull(*parameter, "default")) {
      const json::Object *node = objectOf(*parameter, "default");
      value = node ? importValue(*node, builder, bufferLoc) : Attribute();
      if (!value)
        return failure();
    }
    defaults.push_back(value);
  }
  return success();
}

LogicalResult Importer::importFunction(StringRef id,
                                       const json::Object &function) {
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
  if (failed(importParameters(*parameters, names, defaults)))
    return failure();
  bool hasDefault = !llvm::all_of(defaults, llvm::IsaPred<UnitAttr>);
  // Messages of a running kernel name the function as its program does.
  Location loc = NameLoc::get(builder.getStringAttr(*name), locate(function));
  TypeAttr result;
  if (const json::Value *declared = function.get("returns")) {
    result = importType(*declared, "result");
    if (!result)
      return failure();
  }
  FuncOp func = FuncOp::create(
      builder, loc, builder.getStringAttr(id), builder.getArrayAttr(names),
      hasDefault ? builder.getArrayAttr(defaults) : ArrayAttr(), ArrayAttr(),
      result, function.getInteger("captures").value_or(0),
      function.getBoolean("variadic").value_or(false), /*kernel=*/false,
      function.getBoolean("device").value_or(false),
      function.getBoolean("library").value_or(false), narrow,
      function.getBoolean("fastmath").value_or(false));
  if (!isNull(function, "foreign")) {
    FailureOr<Attribute> code = importForeign(function);
    if (failed(code))
      return failure();
    kForeign.set(func, cast<ForeignAttr>(*code));
  }
  OpBuilder::InsertionGuard guard(builder);
  depth = blocks = loops = 0;
  if (failed(importBlock(*body, func.getBody())))
    return failure();
  // What a buffer says of its captures is believed from here on.
  return verify(func, /*verifyRecursively=*/false);
}

//===----------------------------------------------------------------------===//
// The buffer
//===----------------------------------------------------------------------===//

/// Deepest nesting of JSON that is parsed at all, since the parser recurses: a
/// level of a program takes at most three.
static constexpr unsigned kMaxJsonDepth = 3 * (kMaxDepth + kMaxBlocks);

/// How deep lists and objects are nested in `buffer`.
static unsigned getJsonDepth(StringRef buffer) {
  unsigned depth = 0, deepest = 0;
  bool isInString = false;
  for (size_t i = 0; i < buffer.size(); ++i) {
    char c = buffer[i];
    if (isInString && c == '\\')
      ++i;
    else if (c == '"')
      isInString = !isInString;
    else if (!isInString && (c == '[' || c == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!isInString && (c == ']' || c == '}') && depth != 0)
      --depth;
  }
  return deepest;
}

OwningOpRef<ModuleOp> pyk::importAstBuffer(StringRef buffer, StringRef name,
                                           MLIRContext *context,
                                           SourceText *sources) {
  context->loadDialect<PyDialect>();
  Location loc = FileLineColLoc::get(context, name, 1, 1);
  if (getJsonDepth(buffer) > kMaxJsonDepth) {
    emitUnsupportedError(loc) << "the program is nested too deeply";
    return {};
  }
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
