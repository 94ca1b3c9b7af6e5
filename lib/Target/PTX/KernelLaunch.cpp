// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device runtime of CUDA 12 and later (libcudadevrt) has a function that
// makes a buffer for the parameters of a kernel, laid out as the kernel's
// parameters are, and one that launches with it. Both say when they cannot: the
// thread then traps, so that the launch by the host fails. Done before anything
// is optimized, so that the values go where they are to be at once.

#include "KernelLaunch.h"
#include "pyk/Support/KernelLaunch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace pyk;

static constexpr StringLiteral kGetBuffer = "__cudaCDP2GetParameterBufferV2";
static constexpr StringLiteral kLaunch = "__cudaCDP2LaunchDeviceV2";
static constexpr StringLiteral kCreateStream =
    "__cudaCDP2StreamCreateWithFlags";

/// CUDA's cudaStreamNonBlocking, which device streams have to be.
static constexpr uint32_t kNonBlocking = 1;

namespace {

class LaunchBinder {
public:
  explicit LaunchBinder(Module &module)
      : module(module), b(module.getContext()), pointer(b.getPtrTy()) {}

  void bindLaunch(CallInst &call);
  void bindStream(CallInst &call);

private:
  Value *addExtents(CallInst &call, unsigned first);
  Value *isTooLarge(CallInst &call);
  Value *addRoom(CallInst &call, Type *type);
  void trapIf(Value *condition, CallInst &before);

  Module &module;
  IRBuilder<> b;
  PointerType *pointer;
};

} // namespace

/// A stack slot of the function of `call`.
Value *LaunchBinder::addRoom(CallInst &call, Type *type) {
  IRBuilder<> atEntry(&*call.getFunction()->getEntryBlock().begin());
  return atEntry.CreateAlloca(type);
}

/// The address of three extents, of which the first is operand `first`.
Value *LaunchBinder::addExtents(CallInst &call, unsigned first) {
  auto *type = llvm::ArrayType::get(b.getInt32Ty(), 3);
  Value *room = addRoom(call, type);
  for (unsigned dimension = 0; dimension < 3; ++dimension)
    b.CreateStore(
        b.CreateTrunc(call.getArgOperand(first + dimension), b.getInt32Ty()),
        b.CreateConstInBoundsGEP2_32(type, room, 0, dimension));
  return room;
}

/// Ends the thread, and so the launch by the host, if `condition` holds.
void LaunchBinder::trapIf(Value *condition, CallInst &before) {
  Instruction *end = SplitBlockAndInsertIfThen(condition, &before,
                                               /*Unreachable=*/true);
  b.SetInsertPoint(end);
  b.CreateIntrinsic(b.getVoidTy(), Intrinsic::trap, {});
  b.SetInsertPoint(&before);
}

/// Whether a number of the shape has more bits than CUDA takes.
Value *LaunchBinder::isTooLarge(CallInst &call) {
  Value *high = b.getInt64(0);
  for (unsigned operand : {1, 2, 3, 4, 5, 6, 8})
    high = b.CreateOr(high, b.CreateLShr(call.getArgOperand(operand), 32));
  return b.CreateIsNotNull(high);
}

void LaunchBinder::bindLaunch(CallInst &call) {
  auto *kernel = cast<Function>(call.getArgOperand(0)->stripPointerCasts());
  b.SetInsertPoint(&call);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  trapIf(isTooLarge(call), call);
  Type *extents = llvm::ArrayType::get(b.getInt32Ty(), 3);
  FunctionCallee getBuffer = module.getOrInsertFunction(
      kGetBuffer, pointer, pointer, pointer, pointer, b.getInt32Ty());
  auto setByValue = [&](auto &function) {
    for (unsigned operand : {1u, 2u}) {
      function.addParamAttr(
          operand, Attribute::getWithByValType(module.getContext(), extents));
      function.addParamAttr(
          operand, Attribute::getWithAlignment(module.getContext(), Align(4)));
    }
  };
  setByValue(*cast<Function>(getBuffer.getCallee()));
  Value *stream = call.getArgOperand(7);
  Value *shared = b.CreateTrunc(call.getArgOperand(8), b.getInt32Ty());
  CallInst *buffer = b.CreateCall(
      getBuffer, {kernel, addExtents(call, 1), addExtents(call, 4), shared});
  setByValue(*buffer);
  trapIf(b.CreateIsNull(buffer), call);
  const DataLayout &layout = module.getDataLayout();
  uint64_t offset = 0;
  Value *addresses = call.getArgOperand(9);
  for (Argument &parameter : kernel->args()) {
    Type *type = parameter.getType();
    Align alignment = layout.getABITypeAlign(type);
    offset = alignTo(offset, alignment);
    Value *address = b.CreateLoad(
        pointer,
        b.CreateConstInBoundsGEP1_32(pointer, addresses, parameter.getArgNo()));
    b.CreateAlignedStore(
        b.CreateLoad(type, address),
        b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), buffer, offset), alignment);
    offset += layout.getTypeStoreSize(type);
  }
  FunctionCallee launch =
      module.getOrInsertFunction(kLaunch, b.getInt32Ty(), pointer, pointer);
  Value *status =
      b.CreateCall(launch, {buffer, b.CreateIntToPtr(stream, pointer)});
  trapIf(b.CreateIsNotNull(status), call);
  call.eraseFromParent();
}

void LaunchBinder::bindStream(CallInst &call) {
  Value *room = addRoom(call, pointer);
  b.SetInsertPoint(&call);
  b.SetCurrentDebugLocation(call.getDebugLoc());
  FunctionCallee create = module.getOrInsertFunction(
      kCreateStream, b.getInt32Ty(), pointer, b.getInt32Ty());
  Value *status = b.CreateCall(create, {room, b.getInt32(kNonBlocking)});
  trapIf(b.CreateIsNotNull(status), call);
  Value *stream = b.CreateLoad(pointer, room);
  call.replaceAllUsesWith(b.CreatePtrToInt(stream, call.getType()));
  call.eraseFromParent();
}

/// The calls of the function called `name`.
static SmallVector<CallInst *> takeCalls(Module &module, StringRef name) {
  SmallVector<CallInst *> calls;
  if (Function *function = module.getFunction(name))
    for (User *user : function->users())
      calls.push_back(cast<CallInst>(user));
  return calls;
}

void pyk::bindKernelLaunches(Module &module) {
  LaunchBinder binder(module);
  for (CallInst *call : takeCalls(module, kStreamName))
    binder.bindStream(*call);
  for (CallInst *call : takeCalls(module, kKernelLaunchName))
    binder.bindLaunch(*call);
  for (StringRef name : {kStreamName, kKernelLaunchName})
    if (Function *function = module.getFunction(name))
      function->eraseFromParent();
}
