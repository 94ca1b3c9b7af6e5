// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ops of pyk have effects on: the memory that an array may be in, and the
// way of control.

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "pyk/InitAll.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace pyk;

/// A line for each op within `text` that has effects, with their resources.
static std::string getEffects(llvm::StringRef text) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    return "no module";
  std::string found;
  module->walk([&](MemoryEffectOpInterface op) {
    SmallVector<MemoryEffects::EffectInstance> effects;
    op.getEffects(effects);
    if (effects.empty())
      return;
    found += op->getName().stripDialect();
    for (const MemoryEffects::EffectInstance &effect : effects)
      found += (isa<MemoryEffects::Read>(effect.getEffect())    ? " reads "
                : isa<MemoryEffects::Write>(effect.getEffect()) ? " writes "
                                                                : " makes ") +
               effect.getResource()->getName().str();
    found += '\n';
  });
  return found;
}

TEST(EffectsTest, AccessesHaveEffectsOnTheirMemory) {
  EXPECT_EQ(getEffects(R"mlir(
    pyk.func @accesses(%a: !pyk.array<i32, c>, %s: !pyk.array<i32, c, shared>,
                       %l: !pyk.array<i32, c, local>,
                       %c: !pyk.array<i32, c, constant>,
                       %g: !pyk.array<i32, c, generic>) {
      %x = pyk.load %a[] : !pyk.array<i32, c>
      %y = pyk.load %c[] : !pyk.array<i32, c, constant>
      %z = pyk.load %g[] : !pyk.array<i32, c, generic>
      pyk.store %x, %s[] : !pyk.array<i32, c, shared>
      pyk.store %x, %l[] : !pyk.array<i32, c, local>
      %old = pyk.atomic add %x, %a[] : !pyk.array<i32, c>
      %was = pyk.atomic_cas %x, %y, %s[] : !pyk.array<i32, c, shared>
      pyk.return
    })mlir"),
            "load reads GlobalMemory\n"
            "load reads ConstantMemory\n"
            "load reads GlobalMemory reads SharedMemory reads LocalMemory\n"
            "store writes SharedMemory\n"
            "store writes LocalMemory\n"
            "atomic reads GlobalMemory writes GlobalMemory\n"
            "atomic_cas reads SharedMemory writes SharedMemory\n"
            "return writes ControlExit\n");
}

TEST(EffectsTest, RecordsAreReadAndWrittenWhereTheyAre) {
  EXPECT_EQ(getEffects(R"mlir(
    pyk.func @records(
        %a: !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c>,
        %s: !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c, shared>) {
      pyk.copy_record %a to %s
          : !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c>,
            !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c, shared>
      pyk.return
    })mlir"),
            "copy_record reads GlobalMemory writes SharedMemory\n"
            "return writes ControlExit\n");
}

// So they are done as often as they are reached.
TEST(EffectsTest, VolatileReadsCountAsWrites) {
  EXPECT_EQ(getEffects(R"mlir(
    pyk.func @reads(
        %a: !pyk.array<i32, c>,
        %r: !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c>,
        %l: !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c, local>) {
      %x = pyk.load volatile %a[] : !pyk.array<i32, c>
      pyk.copy_record volatile %r to %l
          : !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c>,
            !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c, local>
      pyk.return
    })mlir"),
            "load reads GlobalMemory writes GlobalMemory\n"
            "copy_record reads GlobalMemory writes GlobalMemory writes "
            "LocalMemory\n"
            "return writes ControlExit\n");
}

TEST(EffectsTest, ExitsAndBarriersHaveEffectsOfTheirOwn) {
  EXPECT_EQ(getEffects(R"mlir(
    pyk.func @exits(%flag: i1) {
      pyk.loop {
        pyk.barrier
        pyk.check %flag
        pyk.if %flag {
          pyk.break
        }
        pyk.continue
      }
      pyk.return
    })mlir"),
            "barrier reads GlobalMemory writes GlobalMemory reads SharedMemory "
            "writes SharedMemory\n"
            "check reads <Default> writes <Default> writes ControlExit\n"
            "break writes ControlExit\n"
            "continue writes ControlExit\n"
            "return writes ControlExit\n");
}
