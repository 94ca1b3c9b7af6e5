// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a row of the table of intrinsics can say. scripts/generate-intrinsics
// turns the rows into C++, into Python's names and into the reference page.

#ifndef PYK_INTRINSICS_INTRINSICBASE_TD
#define PYK_INTRINSICS_INTRINSICBASE_TD

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "pyk/Support/ElementTypes.td"

//===----------------------------------------------------------------------===//
// Typing
//===----------------------------------------------------------------------===//

/// One way to call an intrinsic. It is the best one for arguments that convert
/// to `takes` best; they are then converted to `computes`, which is what the
/// lowering gets, and yield `gives`: nothing is None, several are a tuple.
class Overload<list<NumberType> takes, list<NumberType> gives,
               list<NumberType> computes = takes> {
  list<NumberType> Takes = takes;
  list<NumberType> Gives = gives;
  list<NumberType> Computes = computes;
}

/// How the type of a call follows from those of the arguments. `summary` is for
/// the reference page.
class Typing<string summary> {
  string Summary = summary;
}
/// By the best of overloads.
class Overloads<string summary, list<Overload> ways> : Typing<summary> {
  list<Overload> Ways = ways;
}
/// By the overload that takes just these types: nothing is converted to what
/// another one takes.
class ExactOverloads<string summary, list<Overload> ways>
    : Overloads<summary, ways>;
/// By a function of inference, registered under the name of the record
/// (lib/Dialect/Py/Transforms/IntrinsicTyping.h).
class TypingRule<string summary> : Typing<summary>;

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

/// An attribute of the op that is made, or a number for the rule.
class Setting<string name> {
  string Name = name;
}
class Case<string name, EnumAttr attribute, string symbol> : Setting<name> {
  EnumAttr Attribute = attribute;
  string Symbol = symbol;
}
class Text<string name, string value> : Setting<name> {
  string Value = value;
}
class Integer<string name, int value> : Setting<name> {
  int Value = value;
}
/// A float64, as C++ writes it.
class Real<string name, string value> : Setting<name> {
  string Value = value;
}

/// What a call becomes.
class Lowering;
/// Made by a function of the conversion, registered under the name of the record
/// without `Make` (lib/Conversion/PyToPyk/IntrinsicLowering.h).
class LoweringRule : Lowering;
/// Made of `op` by a rule.
class OpWithRule<Op op, LoweringRule rule> : Lowering {
  Op Made = op;
  LoweringRule Rule = rule;
}
/// The op on the arguments, in the types of the overload.
def MakeOp : LoweringRule;
class LowersTo<Op op> : OpWithRule<op, MakeOp>;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

/// A parameter. One with a name can be given by keyword, one
/// with a default can be left out.
class Parameter<string name = "", bit hasDefault = false> {
  string Name = name;
  bit HasDefault = hasDefault;
}
def Positional : Parameter;
def OptionalPositional : Parameter<"", true>;

/// `python` is the canonical name.
class PythonIntrinsic<string python, Typing typing, Lowering lowering,
                      string doc> {
  string Python = python;
  Typing How = typing;
  Lowering Becomes = lowering;
  string Doc = doc;
  list<Setting> Settings = [];
  /// Those of a typing rule. Overloads have what they take, and names for all of
  /// it here, or nothing.
  list<Parameter> Parameters = [];
  /// How many more arguments than parameters there can be.
  int Surplus = 0;
  /// The arguments are what the program gives: an optional is not unwrapped.
  bit TakesOptionals = false;
  /// An attribute, which is not called.
  bit IsValue = false;
}

#endif // PYK_INTRINSICS_INTRINSICBASE_TD
