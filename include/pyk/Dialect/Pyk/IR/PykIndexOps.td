// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of a thread in its block and grid.

#ifndef PYK_DIALECT_PYK_IR_PYKINDEXOPS_TD
#define PYK_DIALECT_PYK_IR_PYKINDEXOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"

/// A coordinate or extent along one dimension of the launch; its known range
/// lets analyses narrow arithmetic and drop checks.
class Pyk_IndexOp<string mnemonic, Type type, string what, string example,
                  Trait lanes>
    : Pyk_Op<mnemonic, [
        Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                        ["inferResultRanges"]>,
        Pyk_GoneBy<"gpu">, lanes]> {
  let summary = what;
  let description = "Yields the " # what #
                    " along `dimension`.\n\nExample:\n```mlir\n" # example #
                    "\n```";
  let arguments = (ins Pyk_DimensionAttr:$dimension);
  let results = (outs type:$result);
  let assemblyFormat = "`` $dimension attr-dict `:` type($result)";
}

def Pyk_AlikeInGrid : Pyk_Lanes<"Uniform", "LaneShape()">;
def Pyk_AlikeInBlock : Pyk_Lanes<"Position", "LaneShape::getOfBlock()">;

def Pyk_ThreadIdOp : Pyk_IndexOp<"thread_id", I32,
    "index of the thread in its block", "%tx = pyk.thread_id x : i32",
    Pyk_Lanes<"Position", "LaneShape::getOfThread(getDimension())">>;
def Pyk_BlockIdOp : Pyk_IndexOp<"block_id", I32,
    "index of the block in the grid", "%bx = pyk.block_id x : i32",
    Pyk_AlikeInBlock>;
def Pyk_BlockDimOp : Pyk_IndexOp<"block_dim", I32,
    "number of threads of a block", "%w = pyk.block_dim y : i32",
    Pyk_AlikeInGrid>;
def Pyk_GridDimOp : Pyk_IndexOp<"grid_dim", I32,
    "number of blocks of the grid", "%g = pyk.grid_dim z : i32",
    Pyk_AlikeInGrid>;
// In 32 bits the launch must have less than 2^31 - 2^16 threads along
// `dimension`.
def Pyk_GridOp : Pyk_IndexOp<"grid", AnyTypeOf<[I32, I64]>,
    "index of the thread in the grid", "%i = pyk.grid x : i64",
    Pyk_Lanes<"Position", "LaneShape::getOfGrid(getDimension())">>;
def Pyk_GridSizeOp : Pyk_IndexOp<"grid_size", AnyTypeOf<[I32, I64]>,
    "number of threads of the grid", "%n = pyk.grid_size x : i32",
    Pyk_AlikeInGrid>;

def Pyk_LaneIdOp : Pyk_Op<"lane_id", [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                    ["inferResultRanges"]>,
    Pyk_GoneBy<"gpu">, Pyk_Lanes<"Position">]> {
  let summary = "index of the thread in its warp";
  let description = [{
    Yields a number from 0 to 31: threads are numbered with x fastest, then y,
    then z, and each 32 in a row are a warp.

    Example:
    ```mlir
    %lane = pyk.lane_id : i32
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict `:` type($result)";
}

def Pyk_LaneMaskOp : Pyk_Op<"lane_mask", [Pure, Pyk_Lanes<"Position">]> {
  let summary = "lanes before or behind the thread's own";
  let description = [{
    Yields as bits the lanes that are less than the thread's own (`lt`), less or
    equal (`le`), the same (`eq`), greater (`gt`) or greater or equal (`ge`),
    whether there are threads or not. PTX's `%lanemask_lt` and its like.

    Example:
    ```mlir
    %before = pyk.lane_mask lt
    ```
  }];
  let arguments = (ins Pyk_LaneMaskKindAttr:$kind);
  let results = (outs I32:$result);
  let assemblyFormat = "$kind attr-dict";
}

#endif // PYK_DIALECT_PYK_IR_PYKINDEXOPS_TD
