// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replaces what only the GPU has. Whatever is not bound here is an error that
// names it: the reference either does what the GPU does or says that it cannot.
// That functions are convergent means nothing on the host, where each thread is
// a sequential program; the attribute went with the original signatures.

#include "../Math/Formulas.h"
#include "BindToHost.h"
#include "pyk/Support/EnterBlock.h"
#include "pyk/Support/GridBarrier.h"
#include "pyk/Support/HintedAccess.h"
#include "pyk/Support/KernelLaunch.h"
#include "pyk/Support/OutsideAccess.h"
#include "pyk/Support/StrayLane.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"

using namespace llvm;
using namespace pyk;

namespace {

/// Binds the calls of one function.
class CallBinder {
public:
  CallBinder(Function &function, Formulas formulas)
      : module(*function.getParent()), thread(function), formulas(formulas) {}

  Error bind(CallInst &call);
  void eraseReplaced();

private:
  Error bindIntrinsic(CallInst &call);
  Error replaceBarrier(CallInst &call, Value *by);
  Value *readRegister(Intrinsic::ID intrinsic);
  Value *computeDot(CallInst &call);
  Value *readClock(CallInst &call, StringRef name);
  Value *callRuntime(CallInst &call, StringRef name,
                     ArrayRef<Value *> more = {}, Type *result = nullptr);
  Value *callOutside(CallInst &call, StringRef runtimeName, StringRef name);
  Error bindPrint(CallInst &call);
  Error bindVote(CallInst &call);
  void bindAccess(CallInst &call, const HintedAccess &access);
  void callAddress(CallInst &call, StringRef address);
  void replace(CallInst &call, Value *by);

  Module &module;
  ThreadContext thread;
  /// Whether the processor has what formulas of functions need.
  Formulas formulas;
  /// Erased at the end: the thread's context inserts before one of them.
  SmallVector<CallInst *> replaced;
};

} // namespace

static Error unknown(StringRef name) {
  return createStringError("cannot run '" + name +
                           "' on the CPU: only the GPU has it");
}

void CallBinder::replace(CallInst &call, Value *by) {
  if (!call.getType()->isVoidTy()) {
    if (isa<Instruction>(by) && !by->hasName())
      by->takeName(&call);
    call.replaceAllUsesWith(by);
  }
  replaced.push_back(&call);
}

void CallBinder::eraseReplaced() {
  for (CallInst *call : replaced)
    call->eraseFromParent();
}

/// The value of a special register, or null if it is not one the host has.
Value *CallBinder::readRegister(Intrinsic::ID intrinsic) {
  IRBuilder<> &builder = thread.getEntryBuilder();
  // The bit of the lane.
  auto own = [&] {
    Value *lane = builder.CreateAnd(thread.getLinearThread(), 31);
    return builder.CreateShl(builder.getInt32(1), lane);
  };
  switch (intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return thread.getThread(0);
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    return thread.getThread(1);
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return thread.getThread(2);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return thread.getBlockDim(0);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return thread.getBlockDim(1);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return thread.getBlockDim(2);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    return thread.getBlockId(0);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    return thread.getBlockId(1);
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
    return thread.getBlockId(2);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return thread.getGridDim(0);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return thread.getGridDim(1);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return thread.getGridDim(2);
  case Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size:
    return thread.getDynamicSharedBytes();
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return builder.CreateAnd(thread.getLinearThread(), 31);
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
    return own();
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
    return builder.CreateSub(own(), builder.getInt32(1));
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
    return builder.CreateOr(own(),
                            builder.CreateSub(own(), builder.getInt32(1)));
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
    return builder.CreateNeg(own());
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
    return builder.CreateXor(builder.CreateNeg(own()), own());
  default:
    return nullptr;
  }
}

/// The products of the bytes of two integers, added to a third.
Value *CallBinder::computeDot(CallInst &call) {
  bool isSigned = call.getIntrinsicID() == Intrinsic::nvvm_idp4a_s_s;
  IRBuilder<> b(&call);
  Value *sum = call.getArgOperand(2);
  auto getByte = [&](unsigned operand, unsigned byte) {
    Value *low = b.CreateTrunc(
        b.CreateLShr(call.getArgOperand(operand), 8 * byte), b.getInt8Ty());
    return b.CreateIntCast(low, sum->getType(), isSigned);
  };
  for (unsigned byte = 0; byte < 4; ++byte)
    sum = b.CreateAdd(sum, b.CreateMul(getByte(0, byte), getByte(1, byte)));
  return sum;
}

/// Calls a function of the runtime that reads a clock.
Value *CallBinder::readClock(CallInst &call, StringRef name) {
  FunctionCallee function = module.getOrInsertFunction(
      name, FunctionType::get(call.getType(), false));
  cast<Function>(function.getCallee())->addFnAttr(Attribute::NoUnwind);
  return IRBuilder<>(&call).CreateCall(function);
}

/// Calls a function of the runtime that takes the block and `more`; it returns
/// a `result`, or nothing.
Value *CallBinder::callRuntime(CallInst &call, StringRef name,
                               ArrayRef<Value *> more, Type *result) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> arguments = {thread.getBlock()};
  append_range(arguments, more);
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee function = module.getOrInsertFunction(
      name,
      FunctionType::get(result ? result : builder.getVoidTy(), types, false));
  cast<Function>(function.getCallee())->addFnAttr(Attribute::NoUnwind);
  return builder.CreateCall(function, arguments);
}

/// Calls `runtimeName` through a function `name` of the module that preserves
/// registers: right programs never make the call, so that its caller must not
/// spill registers for it.
Value *CallBinder::callOutside(CallInst &call, StringRef runtimeName,
                               StringRef name) {
  SmallVector<Value *> told(call.args());
  auto *inner = cast<CallInst>(callRuntime(call, runtimeName, told));
  Function *callee = inner->getCalledFunction();
  Function *keeper = module.getFunction(name);
  if (!keeper) {
    keeper = Function::Create(callee->getFunctionType(),
                              GlobalValue::InternalLinkage, name, module);
    keeper->setCallingConv(CallingConv::PreserveMost);
    for (Attribute::AttrKind kind :
         {Attribute::Cold, Attribute::NoInline, Attribute::NoUnwind})
      keeper->addFnAttr(kind);
    IRBuilder<> builder(
        BasicBlock::Create(module.getContext(), "entry", keeper));
    SmallVector<Value *> arguments;
    for (Argument &argument : keeper->args())
      arguments.push_back(&argument);
    builder.CreateCall(callee, arguments);
    builder.CreateRetVoid();
  }
  inner->setCalledFunction(keeper);
  inner->setCallingConv(CallingConv::PreserveMost);
  return inner;
}

/// True if `format` has those directives only that the runtime knows.
static bool canPrint(StringRef format) {
  while (format.contains('%')) {
    format = format.split('%').second;
    if (!format.consume_front("lld") && !format.consume_front("llu") &&
        !format.consume_front("f") && !format.consume_front("+f") &&
        !format.consume_front("s") && !format.consume_front("%"))
      return false;
  }
  return true;
}

/// Hands what a thread prints to the runtime, together with its block.
Error CallBinder::bindPrint(CallInst &call) {
  StringRef format;
  if (!getConstantStringInfo(call.getArgOperand(0), format) ||
      !canPrint(format))
    return createStringError("expects 'vprintf' to get a constant format of "
                             "%lld, %llu, %f, %+f, %s and %% but got '" +
                             format + "'");
  IRBuilder<> builder(&call);
  Type *pointer = builder.getPtrTy();
  FunctionCallee function = module.getOrInsertFunction(
      "pyk_rt_print", builder.getInt32Ty(), pointer, pointer, pointer);
  cast<Function>(function.getCallee())->addFnAttr(Attribute::NoUnwind);
  replace(call, builder.CreateCall(function,
                                   {thread.getBlock(), call.getArgOperand(0),
                                    call.getArgOperand(1)}));
  return Error::success();
}

/// Only the barrier of the whole block, number 0: the runtime has one a block.
Error CallBinder::replaceBarrier(CallInst &call, Value *by) {
  auto *number = dyn_cast<ConstantInt>(call.getArgOperand(0));
  if (!number || !number->isZero())
    return createStringError("expects barrier 0 but got another in '" +
                             call.getFunction()->getName() + "'");
  replace(call, by);
  return Error::success();
}

/// The same one, which counts those for whom the predicate holds, or, of all,
/// those for whom it does not.
Error CallBinder::bindVote(CallInst &call) {
  Intrinsic::ID kind = call.getIntrinsicID();
  IRBuilder<> b(&call);
  Value *predicate = call.getArgOperand(1);
  bool isAll = kind == Intrinsic::nvvm_barrier_cta_red_and_aligned_all;
  if (isAll)
    predicate = b.CreateNot(predicate);
  FunctionCallee function = module.getOrInsertFunction(
      "pyk_rt_barrier_count", b.getInt32Ty(), b.getPtrTy(), b.getInt32Ty());
  cast<Function>(function.getCallee())->addFnAttr(Attribute::NoUnwind);
  Value *count = b.CreateCall(
      function, {thread.getBlock(), b.CreateZExt(predicate, b.getInt32Ty())});
  if (isAll)
    count = b.CreateIsNull(count);
  else if (kind == Intrinsic::nvvm_barrier_cta_red_or_aligned_all)
    count = b.CreateIsNotNull(count);
  return replaceBarrier(call, count);
}

Error CallBinder::bindIntrinsic(CallInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::nvvm_barrier_cta_sync_aligned_all:
    return replaceBarrier(call, callRuntime(call, "pyk_rt_barrier"));
  case Intrinsic::nvvm_barrier_cta_red_popc_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_and_aligned_all:
  case Intrinsic::nvvm_barrier_cta_red_or_aligned_all:
    return bindVote(call);
  case Intrinsic::nvvm_nanosleep:
    replace(call, callRuntime(call, "pyk_rt_yield"));
    return Error::success();
  case Intrinsic::nvvm_read_ptx_sreg_clock64:
    replace(call, readClock(call, "pyk_rt_clock"));
    return Error::success();
  case Intrinsic::nvvm_read_ptx_sreg_globaltimer:
    replace(call, readClock(call, "pyk_rt_global_timer"));
    return Error::success();
  case Intrinsic::nvvm_idp4a_s_s:
  case Intrinsic::nvvm_idp4a_u_u:
    replace(call, computeDot(call));
    return Error::success();
  case Intrinsic::nvvm_bar_warp_sync:
    replace(call, meetWarp(call, thread));
    return Error::success();
  default:
    break;
  }
  Value *value = readRegister(call.getIntrinsicID());
  if (!value)
    value = computeOfWarp(call, thread);
  if (!value)
    return unknown(call.getCalledOperand()->getName());
  replace(call, value);
  return Error::success();
}

/// On the host such an access is as any other.
void CallBinder::bindAccess(CallInst &call, const HintedAccess &access) {
  IRBuilder<> builder(&call);
  Value *address = call.getArgOperand(0);
  Type *type =
      access.isLoad ? call.getType() : call.getArgOperand(1)->getType();
  Align alignment(type->getIntegerBitWidth() / 8);
  if (access.isLoad)
    replace(call, builder.CreateAlignedLoad(type, address, alignment,
                                            access.isVolatile));
  else
    replace(call, builder.CreateAlignedStore(call.getArgOperand(1), address,
                                             alignment, access.isVolatile));
}

/// Calls the code that this process has at `address`, a number.
void CallBinder::callAddress(CallInst &call, StringRef address) {
  uint64_t number = 0;
  (void)address.getAsInteger(10, number);
  IRBuilder<> builder(&call);
  Value *code =
      builder.CreateIntToPtr(builder.getInt64(number), builder.getPtrTy());
  SmallVector<Value *> arguments(call.args());
  replace(call, builder.CreateCall(call.getFunctionType(), code, arguments));
}

Error CallBinder::bind(CallInst &call) {
  if (call.isInlineAsm())
    return unknown(cast<InlineAsm>(call.getCalledOperand())->getAsmString());
  // Not getCalledFunction(), which is null if the intrinsic is one of an
  // address space that the call no longer has.
  auto *callee = cast<Function>(call.getCalledOperand());
  StringRef name = callee->getName();
  if (name.starts_with("llvm.nvvm."))
    return bindIntrinsic(call);
  if (!callee->isDeclaration() || callee->isIntrinsic())
    return Error::success();
  if (name == "vprintf") {
    return bindPrint(call);
  }
  if (name == kGridBarrierName) {
    replace(call, callRuntime(call, "pyk_rt_grid_barrier"));
    return Error::success();
  }
  if (name == kEnterBlockName) {
    replace(call, thread.enterBlock(call.getArgOperand(0), call));
    return Error::success();
  }
  if (name == kKernelLaunchName) {
    SmallVector<Value *> told(call.args());
    replace(call, callRuntime(call, "pyk_rt_launch", told));
    return Error::success();
  }
  if (name == kStreamName) {
    replace(call, callRuntime(call, "pyk_rt_new_stream", {}, call.getType()));
    return Error::success();
  }
  if (name == kStrayLaneName) {
    replace(call, callRuntime(call, "pyk_rt_stray_lane",
                              {call.getArgOperand(0), call.getArgOperand(1)}));
    return Error::success();
  }
  if (name == kOutsideName) {
    replace(call, callOutside(call, "pyk_rt_outside", "pyk.report_outside"));
    return Error::success();
  }
  if (name == kOutsideLanesName) {
    replace(call, callOutside(call, "pyk_rt_outside_lanes",
                              "pyk.report_outside_lanes"));
    return Error::success();
  }
  if (auto access = parseHintedAccess(name)) {
    bindAccess(call, *access);
    return Error::success();
  }
  if (name.starts_with("__nv_")) {
    Expected<Value *> value = callHostMath(call, formulas);
    if (!value)
      return value.takeError();
    replace(call, *value);
    return Error::success();
  }
  if (Attribute address =
          callee->getFnAttribute(PykDialect::kHostAddressAttrName);
      address.isValid()) {
    callAddress(call, address.getValueAsString());
    return Error::success();
  }
  return createStringError("expects '" + name +
                           "' to be defined but got a declaration");
}

Error pyk::bindCalls(Module &module, const TargetMachine &machine) {
  // Without fused operations they would be as slow as they are long.
  bool hasFormulas = !machine.getTargetTriple().isX86() ||
                     machine.getMCSubtargetInfo()->checkFeatures("+fma");
  if (Error error = splitResults(module))
    return error;
  // Binding adds functions that have nothing to bind.
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (!function.isDeclaration())
      functions.push_back(&function);
  for (Function *function : functions) {
    SmallVector<CallInst *> calls;
    for (Instruction &instruction : instructions(*function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        calls.push_back(call);
    bool takesFormulas = hasFormulas || isReproducible(*function);
    CallBinder binder(*function,
                      takesFormulas ? chooseFormulas(calls) : Formulas::None);
    for (CallInst *call : calls)
      if (Error error = binder.bind(*call))
        return error;
    binder.eraseReplaced();
  }
  return Error::success();
}
