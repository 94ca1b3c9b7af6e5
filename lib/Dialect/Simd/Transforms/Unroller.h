// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes machine vectors in place of compact ones.

#ifndef PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLER_H
#define PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLER_H

#include "Tile.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "pyk/Dialect/Pyk/IR/PykAtomicOps.h"
#include "pyk/Dialect/Pyk/IR/PykMemoryOps.h"
#include "pyk/Dialect/Pyk/IR/PykNumericOps.h"
#include "pyk/Dialect/Simd/IR/SimdOps.h"

namespace pyk::simd {

/// The lanes of one instance of an access, and where each is in its array.
struct Places {
  /// By lane the index of the element; none if the lane reads or writes none.
  llvm::SmallVector<std::optional<int64_t>> elements;
};

/// The work on one function.
class Unroller {
public:
  /// What it writes begins at the place of `builder`, in an empty block.
  explicit Unroller(mlir::OpBuilder &builder)
      : builder(builder), entry(builder.getInsertionBlock()) {}

  /// Writes what `block` does at the place of the builder.
  void visitBlock(mlir::Block &block);
  void map(mlir::Value old, mlir::Value value);
  /// Keeps shared arrays of `kernel` in vectors of `lanes` where it can.
  void promoteArrays(mlir::Block &kernel, int64_t lanes);

private:
  using Values = llvm::SmallVector<mlir::Value>;

  void visit(mlir::Operation *op);
  void visitConstant(mlir::Operation *op, mlir::DenseElementsAttr value);
  void visitBroadcast(mlir::vector::BroadcastOp op);
  void visitExtract(mlir::vector::ExtractOp op);
  void visitReduction(mlir::Operation *op, bool all);
  void visitElementwise(mlir::Operation *op);
  mlir::Operation *callFunction(mlir::Operation *op, mlir::ValueRange vectors);
  void visitFlow(mlir::Operation *op);
  void visitShuffle(ShuffleOp op);
  void visitBallot(BallotOp op);
  void visitCount(CountOp op);
  void visitRun(mlir::Operation *op);
  Values getOfWarp(mlir::Value value, size_t first);
  mlir::Value join(llvm::ArrayRef<mlir::Value> vectors);
  mlir::Value makeBuffer(mlir::Type element, unsigned number = 0,
                         int64_t elements = kWarp);
  SerialOp makeSerial(mlir::Operation *op, mlir::Value array,
                      mlir::Value offset, mlir::Value stored, mlir::Value mask);
  void visitLoad(LoadOp op);
  void prefetchRow(LoadOp op, mlir::Value array, mlir::Value offset);
  void visitStore(StoreOp op);
  void visitSerial(SerialOp op);
  void convertSaturating(SerialOp op, FloatToIntOp conversion);
  void addTogether(SerialOp op, AtomicOp update);
  mlir::Value sumUp(SerialOp op, mlir::Value value);
  mlir::Value countThreads(SerialOp op, mlir::Type type);
  /// What a thread of a serial op gets, and makes of it.
  struct SerialInput {
    mlir::Value value;
    /// From the last one to the first one.
    llvm::SmallVector<mlir::Operation *> conversions;
    /// What reads it, if each thread can do so alone.
    LoadOp load;
    /// The offset that it reads for the first thread, else the room for all.
    mlir::Value begin;
  };
  SerialInput getInput(SerialOp op, mlir::Value value);
  void runPlaces(SerialOp op, const mlir::IRMapping &captured, Dimensions size);
  void runLoop(SerialOp op);
  Values runIf(mlir::Value on, mlir::Location loc, mlir::ValueRange others,
               llvm::function_ref<Values()> run);
  mlir::Value getRoomAt(mlir::Value room, mlir::Type type, mlir::Value index);
  void runAll(SerialOp op, int64_t count, llvm::ArrayRef<SerialInput> inputs,
              llvm::ArrayRef<mlir::Value> rooms,
              const mlir::IRMapping &captured);
  void runMasked(SerialOp op, Dimensions size,
                 llvm::ArrayRef<SerialInput> inputs,
                 llvm::ArrayRef<mlir::Value> rooms,
                 const mlir::IRMapping &captured);
  void runLane(SerialOp op, mlir::Value lane,
               llvm::ArrayRef<SerialInput> inputs,
               llvm::ArrayRef<mlir::Value> rooms,
               const mlir::IRMapping &captured);
  void clone(mlir::Operation *op);
  mlir::Operation *createExpanded(mlir::Operation *op);

  // Shared arrays in registers.
  /// A shared array in vectors, which are variables.
  struct Promoted {
    int64_t lanes;
    mlir::VectorType line;
    Values lines;
    /// What the lines hold, where the block that is written says it; null else.
    Values held;
  };
  void promote(AllocOp array, int64_t lanes);
  bool visitPromoted(mlir::Operation *op);
  mlir::Value readLine(Promoted &array, int64_t line, mlir::Location loc);
  void writeLine(Promoted &array, int64_t line, mlir::Value value,
                 mlir::Location loc);
  void forgetLines();
  bool loadPromoted(LoadOp op);
  bool storePromoted(StoreOp op);
  mlir::Value readPromoted(Promoted &array, const Places &places,
                           mlir::Location loc);
  void writePromoted(Promoted &array, const Places &places, mlir::Value value,
                     mlir::Value on, mlir::Location loc);
  mlir::Value readElement(Promoted &array, int64_t element, mlir::Location loc);
  void writeElement(Promoted &array, int64_t element, mlir::Value value,
                    mlir::Value on, mlir::Location loc);

  // Values.
  const Values &get(mlir::Value value);
  mlir::Value getInstance(mlir::Value value, int64_t row, int64_t strip);
  void set(mlir::Value value, Values instances);
  /// The element of `value`, a compact vector, of one thread: computed as a
  /// number if it can be.
  mlir::Value getElement(mlir::Value value, Dimensions place, unsigned depth);
  mlir::Value extract(mlir::Value vector, mlir::Value lane);
  mlir::Value extract(mlir::Value vector, int64_t lane);
  mlir::Value insert(mlir::Value vector, mlir::Value number, mlir::Value lane);
  mlir::Value makeSplat(mlir::Value number, int64_t lanes);
  mlir::Value makeNumber(int64_t number);
  mlir::Value makeBits(mlir::Value mask);

  // Accesses.
  /// The type that memory has for an element: a bool takes a byte.
  mlir::Type getHeldType(mlir::Type element);
  /// `value`, a number or a vector, as memory has it.
  mlir::Value toHeld(mlir::Value value);
  /// What toHeld made of one with this `element`.
  mlir::Value fromHeld(mlir::Value value, mlir::Type element);
  mlir::Value makePointer(mlir::Value array, mlir::Value offset);
  mlir::Value makePointers(mlir::Value array, mlir::Value offsets);
  mlir::Value divert(mlir::Value pointers, mlir::Value on, mlir::Type held);

  mlir::OpBuilder &builder;
  mlir::Block *entry;
  /// By element type and a number, room for some elements.
  llvm::DenseMap<std::tuple<mlir::Type, unsigned, int64_t>, mlir::Value>
      buffers;
  /// By compact vector its instances, rows before strips; by other value what
  /// stands for it, alone.
  llvm::DenseMap<mlir::Value, Values> values;
  /// Where its instances have been written, for numbers that come later.
  llvm::DenseMap<mlir::Value, mlir::Operation *> lastOps;
  llvm::DenseMap<std::pair<mlir::Value, int64_t>, mlir::Value> elements;
  llvm::DenseMap<mlir::Value, Promoted> promoted;
};

/// The addition of `op` to one element, whatever the thread, of which nobody
/// asks what was there; null if it is something else.
AtomicOp getCommonSum(SerialOp op);

} // namespace pyk::simd

#endif // PYK_LIB_DIALECT_SIMD_TRANSFORMS_UNROLLER_H
