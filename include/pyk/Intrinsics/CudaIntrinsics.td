// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of cuda that mean something inside kernels.

#ifndef PYK_INTRINSICS_CUDAINTRINSICS_TD
#define PYK_INTRINSICS_CUDAINTRINSICS_TD

include "pyk/Intrinsics/BuiltinIntrinsics.td"

//===----------------------------------------------------------------------===//
// cuda
//===----------------------------------------------------------------------===//

class Coordinate<string name, Op op, string doc, list<Setting> settings = []>
    : PythonIntrinsic<"cuda." # name, Number, LowersTo<op>, doc> {
  let Settings = settings;
  let IsValue = true;
}
multiclass Coordinates<string name, Op op, string doc> {
  def : PythonIntrinsic<"cuda." # name, Object, MakeNothing, doc> {
    let IsValue = true;
  }
  foreach axis = ["X", "Y", "Z"] in
    def : Coordinate<name # "." # !tolower(axis), op,
                     doc # ", along " # !tolower(axis),
                     [Case<"dimension", Pyk_DimensionAttr, axis>]>;
}
defm : Coordinates<"threadIdx", Pyk_ThreadIdOp,
                   "index of the thread in its block">;
defm : Coordinates<"blockIdx", Pyk_BlockIdOp, "index of the block in the grid">;
defm : Coordinates<"blockDim", Pyk_BlockDimOp, "threads of a block">;
defm : Coordinates<"gridDim", Pyk_GridDimOp, "blocks of the grid">;
def : Coordinate<"laneid", Pyk_LaneIdOp, "index of the thread in its warp">;
def : Coordinate<"warpsize", Arith_ConstantOp, "threads of a warp, 32",
                 [Integer<"value", 32>]>;

class GridPosition<string name, Op op, string doc>
    : PythonIntrinsic<"cuda." # name, GridIndex, OpWithRule<op, MakeGrid>, doc> {
  let Parameters = [Parameter<"ndim">];
}
def : GridPosition<"grid", Pyk_GridOp, "index of the thread in the grid">;
def : GridPosition<"gridsize", Pyk_GridSizeOp, "threads of the grid">;

class Synchronization<string name, Op op, string doc>
    : PythonIntrinsic<"cuda." # name, NoResult, LowersTo<op>, doc>;
def : Synchronization<"syncthreads", Pyk_BarrierOp, "waits for the block">;
class VotingBarrier<string suffix, string vote, string doc>
    : PythonIntrinsic<"cuda.syncthreads_" # suffix, BlockPredicate,
                      LowersTo<Pyk_BarrierOp>, doc> {
  let Settings = [Case<"vote", Pyk_BarrierVoteAttr, vote>];
}
def : VotingBarrier<"count", "Count",
                    "waits for the block; for how many threads something holds">;
def : VotingBarrier<"and", "All",
                    "waits for the block; 1 if something holds for all threads, or 0">;
def : VotingBarrier<"or", "Any",
                    "waits for the block; 1 if something holds for a thread, or 0">;
def : PythonIntrinsic<"cuda.cg.this_grid", GridGroup,
                      OpWithRule<Pyk_GridGroupOp, MakeGridGroup>,
                      "the threads of the grid, as a group">;
def : PythonIntrinsic<"grid_group.sync", GridSync,
                      OpWithRule<Pyk_GridBarrierOp, MakeGridSync>,
                      "waits for the grid; 0">;
class Fence<string suffix, string scope>
    : Synchronization<"threadfence" # suffix, Pyk_FenceOp,
                      "orders the thread's accesses for the threads of the "
                      # !tolower(scope)> {
  let Settings = [Case<"scope", Pyk_ScopeAttr, scope>];
}
def : Fence<"_block", "Block">;
def : Fence<"", "Device">;
def : Fence<"_system", "System">;

class Shuffle<string infix, string kind, string offset, string doc>
    : PythonIntrinsic<"cuda.shfl" # infix # "_sync", Exchange,
                      LowersTo<Pyk_ShuffleOp>, doc> {
  let Settings = [Case<"kind", Pyk_ShuffleKindAttr, kind>];
  let Parameters = [Parameter<"mask">, Parameter<"value">, Parameter<offset>,
                    Parameter<"width", true>];
}
def : Shuffle<"", "Index", "src_lane", "what a lane of the warp gives">;
def : Shuffle<"_up", "Up", "delta",
              "what the lane gives that is so many before">;
def : Shuffle<"_down", "Down", "delta",
              "what the lane gives that is so many behind">;
def : Shuffle<"_xor", "Xor", "lane_mask",
              "what the lane gives that differs in these bits">;

class LaneMaskOf<string name, string kind, string doc>
    : PythonIntrinsic<"cuda.lanemask_" # name, LaneMask,
                      LowersTo<Pyk_LaneMaskOp>, doc> {
  let Settings = [Case<"kind", Pyk_LaneMaskKindAttr, kind>];
}
def : LaneMaskOf<"eq", "Equal", "the thread's lane, as a bit">;
def : LaneMaskOf<"lt", "Less", "the lanes before the thread's own, as bits">;
def : LaneMaskOf<"le", "LessOrEqual",
                 "the lanes up to the thread's own, as bits">;
def : LaneMaskOf<"gt", "Greater", "the lanes behind the thread's own, as bits">;
def : LaneMaskOf<"ge", "GreaterOrEqual",
                 "the lanes from the thread's own on, as bits">;

def : PythonIntrinsic<"cuda.activemask", LaneMask, LowersTo<Pyk_ActiveMaskOp>,
                      "the lanes that make this call together, as bits">;

class OfWarp<string name, Typing typing, Op op, string doc,
             string argument>
    : PythonIntrinsic<"cuda." # name # "_sync", typing, LowersTo<op>, doc> {
  let Parameters = [Parameter<"mask">, Parameter<argument>];
}
class Vote<string name, string kind, string doc>
    : OfWarp<name, WarpPredicate, Pyk_VoteOp, doc, "predicate"> {
  let Settings = [Case<"kind", Pyk_VoteKindAttr, kind>];
}
def : Vote<"all", "All", "whether something holds for all of these lanes">;
def : Vote<"any", "Any", "whether something holds for one of these lanes">;
def : Vote<"eq", "Equal", "whether something holds for all of these lanes or none">;
def : OfWarp<"ballot", WarpBallot, Pyk_BallotOp,
             "those of these lanes for which something holds, as bits",
             "predicate">;
def : OfWarp<"match_any", WarpMatchAny, Pyk_MatchAnyOp,
             "those of these lanes that have the same value, as bits", "value">;
def : OfWarp<"match_all", WarpMatchAll, Pyk_MatchAllOp,
             "these lanes if all have the same value, or 0; and whether they have",
             "value">;
def : PythonIntrinsic<"cuda.syncwarp", WarpMask, LowersTo<Pyk_WarpBarrierOp>,
                      "waits for lanes of the warp"> {
  let Parameters = [Parameter<"mask">];
}

class NewArray<string name, Typing typing, string doc>
    : PythonIntrinsic<"cuda." # name, typing, MakeAlloc, doc> {
  let Parameters = [Parameter<"shape">, Parameter<"dtype">,
                    Parameter<"alignment", true>];
}
def : NewArray<"shared.array", SharedArray, "array shared by the block">;
def : NewArray<"local.array", LocalArray, "array of the thread's own">;
def : Builtin<"const.array_like", ConstantArray, MakeSame,
              "the argument, an array known at compile time, in constant memory",
              1, 1, "cuda">;

class HintedLoadOf<string hint, string kind, string doc>
    : PythonIntrinsic<"cuda.ld" # hint, HintedLoad,
                      OpWithRule<Pyk_LoadOp, MakeHintedLoad>, doc> {
  let Settings = [Case<"cache", Pyk_CacheHintAttr, kind>];
  let Parameters = [Positional, Positional];
}
def : HintedLoadOf<"ca", "All", "an element; all caches keep it">;
def : HintedLoadOf<"cg", "Global", "an element; the device's cache keeps it">;
def : HintedLoadOf<"cs", "Streaming", "an element that is needed once">;
def : HintedLoadOf<"lu", "LastUse", "an element that is not needed again">;
def : HintedLoadOf<"cv", "Volatile",
                   "an element as it is now, whoever has written it">;
class HintedStoreOf<string hint, string kind, string doc>
    : PythonIntrinsic<"cuda.st" # hint, HintedStore,
                      OpWithRule<Pyk_StoreOp, MakeHintedStore>, doc> {
  let Settings = [Case<"cache", Pyk_CacheHintAttr, kind>];
  let Parameters = [Positional, Positional, Positional];
}
def : HintedStoreOf<"wb", "WriteBack", "stores an element in all caches">;
def : HintedStoreOf<"cg", "Global", "stores an element in the device's cache">;
def : HintedStoreOf<"cs", "Streaming", "stores an element that is needed once">;
def : HintedStoreOf<"wt", "WriteThrough",
                    "stores an element in the host's memory, if it is there">;

class CudaAtomic<string name, Typing typing, Lowering lowering, string doc,
                 int count = 3>
    : PythonIntrinsic<"cuda.atomic." # name, typing, lowering, doc> {
  let Parameters = !listconcat(!listsplat(Positional, count),
                               [Parameter<"scope", true>,
                                Parameter<"order", true>]);
}
class AtomicUpdate<string name, string kind, string doc,
                   LoweringRule rule = MakeAtomic>
    : CudaAtomic<name, Atomic, OpWithRule<Pyk_AtomicOp, rule>, doc> {
  let Settings = [Case<"kind", Pyk_AtomicKindAttr, kind>];
}
def : AtomicUpdate<"add", "Add", "adds to an element">;
def : AtomicUpdate<"sub", "Add", "subtracts from an element", MakeAtomicSub>;
def : AtomicUpdate<"and_", "And", "bitwise and into an element">;
def : AtomicUpdate<"or_", "Or", "bitwise or into an element">;
def : AtomicUpdate<"xor", "Xor", "bitwise exclusive or into an element">;
def : AtomicUpdate<"inc", "Inc", "counts an element up; to 0 where it has reached the value">;
def : AtomicUpdate<"dec", "Dec", "counts an element down; to the value from 0 or above it">;
def : AtomicUpdate<"max", "Max", "maximum into an element; NaN is not replaced">;
def : AtomicUpdate<"min", "Min", "minimum into an element; NaN is not replaced">;
def : AtomicUpdate<"nanmax", "NanMax", "maximum into an element; replaces NaN">;
def : AtomicUpdate<"nanmin", "NanMin", "minimum into an element; replaces NaN">;
def : AtomicUpdate<"exch", "Exch", "replaces an element">;
def : CudaAtomic<"cas", AtomicCas, MakeAtomicCas,
                 "replaces an element that is what is expected", 4>;
def : CudaAtomic<"compare_and_swap", AtomicFirstCas, MakeAtomicFirstCas,
                 "replaces element 0 if it is what is expected">;

def : PythonIntrinsic<"cuda.fma", Fma, LowersTo<Math_FmaOp>,
                      "a * b + c, rounded once">;
def : PythonIntrinsic<"cuda.bf16.hfma", BFloat16Fma, LowersTo<Math_FmaOp>,
                      "a * b + c of bfloat16, rounded once">;
foreach prefix = ["", "__"] in
  def : PythonIntrinsic<"cuda.fp16." # prefix # "hfma", Float16Fma,
                        LowersTo<Math_FmaOp>,
                        "a * b + c of float16, rounded once">;

def : PythonIntrinsic<"cuda.nanosleep", Sleep, LowersTo<Pyk_SpinHintOp>,
                      "lets other threads run for up to twice so many nanoseconds">;
def : PythonIntrinsic<"cuda.stream", Address, LowersTo<Pyk_StreamOp>,
                      "a stream for kernels that the kernel launches">;
class Clock<string name, string unit, string doc>
    : PythonIntrinsic<"cuda." # name, Whole, LowersTo<Pyk_ClockOp>, doc> {
  let Settings = [Case<"unit", Pyk_ClockUnitAttr, unit>];
}
foreach name = ["clock", "clock64"] in
  def : Clock<name, "Cycles", "cycles that the processor has run">;
def : Clock<"globaltimer", "Nanoseconds",
            "nanoseconds of a clock that all threads share">;
def : PythonIntrinsic<"cuda.dp4a", ByteProducts,
                      OpWithRule<Pyk_Dot4Op, MakeDot4>,
                      "the products of the bytes of a and b, added to c">;

class BitCount<string name, Op op, string doc>
    : PythonIntrinsic<"cuda." # name, Bits, LowersTo<op>, doc>;
def : BitCount<"clz", Math_CountLeadingZerosOp,
               "number of the bits before the first that is 1">;
def : BitCount<"popc", Math_CtPopOp, "number of the bits that are 1">;

class ShortBits<string name, NumberType from, NumberType to>
    : PythonIntrinsic<"cuda." # name,
                      Overloads<"the type that the name ends in",
                                [Overload<[from], [to]>]>,
                      LowersTo<Arith_BitcastOp>,
                      "the bits of " # from # " as " # to>;
class BFloat16Bits<NumberType from, NumberType to>
    : ShortBits<"bf16." # from # "_as_" # to, from, to>;
def : BFloat16Bits<bfloat16, int16>;
def : BFloat16Bits<bfloat16, uint16>;
def : BFloat16Bits<int16, bfloat16>;
def : BFloat16Bits<uint16, bfloat16>;
// These have the names of CUDA C++.
def : ShortBits<"fp16.__half_as_short", float16, int16>;
def : ShortBits<"fp16.__half_as_ushort", float16, uint16>;
def : ShortBits<"fp16.__short_as_half", int16, float16>;
def : ShortBits<"fp16.__ushort_as_half", uint16, float16>;

#endif // PYK_INTRINSICS_CUDAINTRINSICS_TD
