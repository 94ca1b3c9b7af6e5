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

def Pyk_AtomicKindEnum
    : Pyk_I32Enum<"AtomicKind", "what an atomic operation stores", [
    I32EnumAttrCase<"Add", 0, "add">, I32EnumAttrCase<"And", 1, "and">,
    I32EnumAttrCase<"Or", 2, "or">, I32EnumAttrCase<"Xor", 3, "xor">,
    I32EnumAttrCase<"Inc", 4, "inc">, I32EnumAttrCase<"Dec", 5, "dec">,
    I32EnumAttrCase<"Max", 6, "max">, I32EnumAttrCase<"Min", 7, "min">,
    I32EnumAttrCase<"NanMax", 8, "nanmax">,
    I32EnumAttrCase<"NanMin", 9, "nanmin">,
    I32EnumAttrCase<"Exch", 10, "exch">]>;
def Pyk_AtomicKindAttr
    : EnumAttr<Pyk_Dialect, Pyk_AtomicKindEnum, "atomic_kind"> {
  let assemblyFormat = "$value";
}

def Pyk_ScopeEnum : Pyk_I32Enum<"Scope", "threads that see an order", [
    I32EnumAttrCase<"Block", 0, "block">, I32EnumAttrCase<"Device", 1, "device">,
    I32EnumAttrCase<"System", 2, "system">]>;
def Pyk_ScopeAttr : EnumAttr<Pyk_Dialect, Pyk_ScopeEnum, "scope"> {
  let assemblyFormat = "$value";
}

def Pyk_Float8FormatEnum
    : Pyk_I32Enum<"Float8Format", "how a byte, or its low half, is divided", [
    I32EnumAttrCase<"E5M2", 0, "e5m2">, I32EnumAttrCase<"E4M3", 1, "e4m3">,
    I32EnumAttrCase<"E8M0", 2, "e8m0">, I32EnumAttrCase<"E2M1", 3, "e2m1">]>;
def Pyk_Float8FormatAttr
    : EnumAttr<Pyk_Dialect, Pyk_Float8FormatEnum, "float8_format"> {
  let assemblyFormat = "$value";
}

def Pyk_Float8OverflowEnum
    : Pyk_I32Enum<"Float8Overflow", "what a number becomes that is too large", [
    I32EnumAttrCase<"Saturate", 0, "saturate">,
    I32EnumAttrCase<"Exceed", 1, "exceed">]>;
def Pyk_Float8OverflowAttr
    : EnumAttr<Pyk_Dialect, Pyk_Float8OverflowEnum, "float8_overflow"> {
  let assemblyFormat = "$value";
}

def Pyk_Float8RoundingEnum
    : Pyk_I32Enum<"Float8Rounding", "which of two neighbours is taken", [
    I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Up", 1, "up">,
    I32EnumAttrCase<"TowardZero", 2, "toward_zero">]>;
def Pyk_Float8RoundingAttr
    : EnumAttr<Pyk_Dialect, Pyk_Float8RoundingEnum, "float8_rounding"> {
  let assemblyFormat = "$value";
}

def Pyk_ClockUnitEnum : Pyk_I32Enum<"ClockUnit", "what a clock counts", [
    I32EnumAttrCase<"Cycles", 0, "cycles">,
    I32EnumAttrCase<"Nanoseconds", 1, "nanoseconds">]>;
def Pyk_ClockUnitAttr
    : EnumAttr<Pyk_Dialect, Pyk_ClockUnitEnum, "clock_unit"> {
  let assemblyFormat = "$value";
}

def Pyk_OrderEnum
    : Pyk_I32Enum<"Order", "what an atomic operation orders beside itself", [
    I32EnumAttrCase<"Relaxed", 0, "relaxed">,
    I32EnumAttrCase<"Acquire", 1, "acquire">,
    I32EnumAttrCase<"Release", 2, "release">,
    I32EnumAttrCase<"AcqRel", 3, "acq_rel">,
    I32EnumAttrCase<"SeqCst", 4, "seq_cst">]>;
def Pyk_OrderAttr : EnumAttr<Pyk_Dialect, Pyk_OrderEnum, "order"> {
  let assemblyFormat = "$value";
}

def Pyk_CacheHintEnum
    : Pyk_I32Enum<"CacheHint", "how an access uses the caches", [
    I32EnumAttrCase<"All", 0, "ca">, I32EnumAttrCase<"Global", 1, "cg">,
    I32EnumAttrCase<"Streaming", 2, "cs">, I32EnumAttrCase<"LastUse", 3, "lu">,
    I32EnumAttrCase<"Volatile", 4, "cv">, I32EnumAttrCase<"WriteBack", 5, "wb">,
    I32EnumAttrCase<"WriteThrough", 6, "wt">]>;
def Pyk_CacheHintAttr
    : EnumAttr<Pyk_Dialect, Pyk_CacheHintEnum, "cache_hint"> {
  let assemblyFormat = "$value";
}

def Pyk_ShuffleKindEnum
    : Pyk_I32Enum<"ShuffleKind", "how a shuffle counts lanes", [
    I32EnumAttrCase<"Index", 0, "index">, I32EnumAttrCase<"Up", 1, "up">,
    I32EnumAttrCase<"Down", 2, "down">, I32EnumAttrCase<"Xor", 3, "xor">]>;
def Pyk_ShuffleKindAttr
    : EnumAttr<Pyk_Dialect, Pyk_ShuffleKindEnum, "shuffle_kind"> {
  let assemblyFormat = "$value";
}

def Pyk_LaneMaskKindEnum
    : Pyk_I32Enum<"LaneMaskKind", "how lanes compare with the thread's own", [
    I32EnumAttrCase<"Equal", 0, "eq">, I32EnumAttrCase<"Less", 1, "lt">,
    I32EnumAttrCase<"LessOrEqual", 2, "le">, I32EnumAttrCase<"Greater", 3, "gt">,
    I32EnumAttrCase<"GreaterOrEqual", 4, "ge">]>;
def Pyk_LaneMaskKindAttr
    : EnumAttr<Pyk_Dialect, Pyk_LaneMaskKindEnum, "lane_mask_kind"> {
  let assemblyFormat = "$value";
}

def Pyk_BarrierVoteEnum
    : Pyk_I32Enum<"BarrierVote", "what a barrier tells of its threads", [
    I32EnumAttrCase<"Count", 0, "count">, I32EnumAttrCase<"All", 1, "all">,
    I32EnumAttrCase<"Any", 2, "any">]>;
def Pyk_BarrierVoteAttr
    : EnumAttr<Pyk_Dialect, Pyk_BarrierVoteEnum, "barrier_vote"> {
  let assemblyFormat = "$value";
}

def Pyk_VoteKindEnum
    : Pyk_I32Enum<"VoteKind", "what a vote is about", [
    I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Any", 1, "any">,
    I32EnumAttrCase<"Equal", 2, "equal">]>;
def Pyk_VoteKindAttr : EnumAttr<Pyk_Dialect, Pyk_VoteKindEnum, "vote_kind"> {
  let assemblyFormat = "$value";
}

def Pyk_ParameterKindEnum
    : Pyk_I32Enum<"ParameterKind", "what a kernel parameter carries", [
    I32EnumAttrCase<"Data", 0, "data">, I32EnumAttrCase<"Extent", 1, "extent">,
    I32EnumAttrCase<"Stride", 2, "stride">,
    I32EnumAttrCase<"Scalar", 3, "scalar">,
    I32EnumAttrCase<"Failure", 4, "failure">,
    I32EnumAttrCase<"MemoryFirst", 5, "memory_first">,
    I32EnumAttrCase<"MemoryCount", 6, "memory_count">]>;

def Pyk_SizeTermKindEnum
    : Pyk_I32Enum<"SizeTermKind", "what a term of a size does", [
    I32EnumAttrCase<"Constant", 0, "constant">,
    I32EnumAttrCase<"Signed", 1, "signed">,
    I32EnumAttrCase<"Unsigned", 2, "unsigned">,
    I32EnumAttrCase<"Extent", 3, "extent">,
    I32EnumAttrCase<"Block", 4, "block">,
    I32EnumAttrCase<"Add", 5, "add">, I32EnumAttrCase<"Sub", 6, "sub">,
    I32EnumAttrCase<"Mul", 7, "mul">,
    I32EnumAttrCase<"FloorDiv", 8, "floor_div">,
    I32EnumAttrCase<"FloorMod", 9, "floor_mod">,
    I32EnumAttrCase<"Min", 10, "min">, I32EnumAttrCase<"Max", 11, "max">,
    I32EnumAttrCase<"Length", 12, "length">,
    I32EnumAttrCase<"Place", 13, "place">]>;

def Pyk_BoundTermKindEnum
    : Pyk_I32Enum<"BoundTermKind", "what a term of a bound is", [
    I32EnumAttrCase<"Constant", 0, "constant">,
    I32EnumAttrCase<"Scalar", 1, "scalar">,
    I32EnumAttrCase<"Extent", 2, "extent">,
    I32EnumAttrCase<"Stride", 3, "stride">,
    I32EnumAttrCase<"Thread", 4, "thread">,
    I32EnumAttrCase<"Block", 5, "block">,
    I32EnumAttrCase<"BlockDim", 6, "block_dim">,
    I32EnumAttrCase<"GridDim", 7, "grid_dim">,
    I32EnumAttrCase<"Any", 8, "any">,
    I32EnumAttrCase<"Add", 9, "add">, I32EnumAttrCase<"Sub", 10, "sub">,
    I32EnumAttrCase<"Mul", 11, "mul">, I32EnumAttrCase<"Div", 12, "div">,
    I32EnumAttrCase<"Rem", 13, "rem">, I32EnumAttrCase<"Min", 14, "min">,
    I32EnumAttrCase<"Max", 15, "max">, I32EnumAttrCase<"And", 16, "and">,
    I32EnumAttrCase<"Or", 17, "or">, I32EnumAttrCase<"Shl", 18, "shl">,
    I32EnumAttrCase<"Shr", 19, "shr">,
    I32EnumAttrCase<"Signed", 20, "signed">,
    I32EnumAttrCase<"Unsigned", 21, "unsigned">,
    I32EnumAttrCase<"Either", 22, "either">,
    I32EnumAttrCase<"CutAbove", 23, "cut_above">,
    I32EnumAttrCase<"CutBelow", 24, "cut_below">,
    I32EnumAttrCase<"When", 25, "when">,
    I32EnumAttrCase<"Counter", 26, "counter">,
    I32EnumAttrCase<"Stable", 27, "stable">,
    I32EnumAttrCase<"Inside", 28, "inside">,
    I32EnumAttrCase<"Within", 29, "within">,
    I32EnumAttrCase<"FloorRem", 30, "floor_rem">,
    I32EnumAttrCase<"Difference", 31, "difference">]>;

def Pyk_LaunchFactEnum : I32BitEnumAttr<"LaunchFact", "what a kernel takes for granted", [
    I32BitEnumAttrCaseNone<"None", "none">,
    I32BitEnumAttrCaseBit<"Small", 0, "small">,
    I32BitEnumAttrCaseBit<"Disjoint", 1, "disjoint">,
    I32BitEnumAttrCaseBit<"Written", 2, "written">,
    I32BitEnumAttrCaseBit<"Narrow", 3, "narrow">,
    I32BitEnumAttrCaseBit<"Aligned", 4, "aligned">,
    I32BitEnumAttrCaseBit<"Unit", 5, "unit">]> {
  let cppNamespace = "::pyk";
  let genSpecializedAttr = 0;
}

def Pyk_ConventionEnum
    : Pyk_I32Enum<"Convention", "how an exported function is called", [
    I32EnumAttrCase<"C", 0, "c">, I32EnumAttrCase<"Numba", 1, "numba">]>;

#endif // PYK_DIALECT_PYK_IR_PYKENUMS_TD
