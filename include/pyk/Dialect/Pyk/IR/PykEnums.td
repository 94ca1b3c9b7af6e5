// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The enumerations of the pyk dialect.

#ifndef PYK_DIALECT_PYK_IR_PYKENUMS_TD
#define PYK_DIALECT_PYK_IR_PYKENUMS_TD

include "pyk/Dialect/Pyk/IR/PykDialect.td"
include "mlir/IR/EnumAttr.td"

class Pyk_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::pyk";
  let genSpecializedAttr = 0;
}

def Pyk_DimensionEnum : Pyk_I32Enum<"Dimension", "axis of the grid", [
    I32EnumAttrCase<"X", 0, "x">, I32EnumAttrCase<"Y", 1, "y">,
    I32EnumAttrCase<"Z", 2, "z">]>;
def Pyk_DimensionAttr : EnumAttr<Pyk_Dialect, Pyk_DimensionEnum, "dimension"> {
  // Upstream's own parser names the C++ class in its message.
  let assemblyFormat = "custom<Dimension>($value)";
}

def Pyk_LayoutEnum : Pyk_I32Enum<"Layout", "order of an array's elements", [
    I32EnumAttrCase<"C", 0, "c">, I32EnumAttrCase<"F", 1, "f">,
    I32EnumAttrCase<"Any", 2, "any">]>;

def Pyk_SpaceEnum : Pyk_I32Enum<"Space", "memory that holds an array", [
    I32EnumAttrCase<"Global", 0, "global">,
    I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">,
    I32EnumAttrCase<"Constant", 3, "constant">,
    I32EnumAttrCase<"Generic", 4, "generic">]>;

def Pyk_AxisEnum : Pyk_I32Enum<"Axis", "what becomes of a dimension in a view", [
    I32EnumAttrCase<"Index", 0, "index">, I32EnumAttrCase<"Whole", 1, "whole">,
    I32EnumAttrCase<"Part", 2, "part">, I32EnumAttrCase<"Strided", 3, "strided">,
    I32EnumAttrCase<"New", 4, "new">]>;
def Pyk_AxisAttr : EnumAttr<Pyk_Dialect, Pyk_AxisEnum, "axis"> {
  let assemblyFormat = "`<` $value `>`";
}

def Pyk_ParameterKindEnum
    : Pyk_I32Enum<"ParameterKind", "what a kernel parameter carries", [
    I32EnumAttrCase<"Data", 0, "data">, I32EnumAttrCase<"Extent", 1, "extent">,
    I32EnumAttrCase<"Stride", 2, "stride">,
    I32EnumAttrCase<"Scalar", 3, "scalar">,
    I32EnumAttrCase<"Failure", 4, "failure">]>;

#endif // PYK_DIALECT_PYK_IR_PYKENUMS_TD
