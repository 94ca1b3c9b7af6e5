// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself; its description is what a newcomer reads first.

#ifndef PYK_DIALECT_PYK_IR_PYKDIALECT_TD
#define PYK_DIALECT_PYK_IR_PYKDIALECT_TD

include "mlir/IR/OpBase.td"

def Pyk_Dialect : Dialect {
  let name = "pyk";
  let cppNamespace = "::pyk";
  let summary = "typed GPU kernels with Python's semantics made explicit";
  let description = [{
    Models what one thread of a GPU kernel does: where it is in the grid, the
    arrays it reads and writes, the barriers at which it meets its block, and
    the loops it may leave early. Everything else is left to upstream dialects:
    arithmetic to `arith` and `math`, complex numbers and their parts to
    `complex`, structured control flow without exits to `scf`. What those would leave undefined has one defined result here:
    division by zero, oversized shifts, conversions out of range.

    A kernel, whole:

    ```mlir
    pyk.func @scale(%a: !pyk.array<?xf32, c>, %factor: f32) attributes {kernel} {
      %i = pyk.grid x : i64
      %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
      %inside = arith.cmpi slt, %i, %n : i64
      scf.if %inside {
        %old = pyk.load %a[%i] : !pyk.array<?xf32, c>
        %new = arith.mulf %old, %factor : f32
        pyk.store %new, %a[%i] : !pyk.array<?xf32, c>
      }
      pyk.return
    }
    ```

    The files: `PykDialect.td` (this one) has the dialect; `PykEnums.td` the
    enumerations; `PykAttributes.td` the interface of a compiled kernel and the
    parts of a record; `PykTypes.td` the types of arrays and records;
    `PykInterfaces.td` what some ops have in common, and `PykOpBase.td` what they
    are made of. Then come the families, each with a header and a source of its
    name: `PykFuncOps.td` (functions and calls), `PykControlOps.td` (loops and
    scopes with exits, and the exits), `PykIndexOps.td` (the thread's place),
    `PykNumericOps.td` (arithmetic with defined results), `PykComplexOps.td`
    (functions of complex numbers), `PykMemoryOps.td` (arrays),
    `PykAtomicOps.td` (elements that threads share), `PykViewOps.td` (arrays
    that share elements), `PykRecordOps.td` (fields of records),
    `PykSyncOps.td` (barriers and fences) and `PykHostOps.td` (printing, failures
    and variables for debuggers). `PykOps.td` and its header only include them all.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Name of the attribute on a gpu.func that holds its `#pyk.abi`.
    static constexpr ::llvm::StringLiteral kAbiAttrName = "pyk.abi";
    /// Name of the attribute on a gpu.module that lists how its kernel may fail:
    /// the codes that it records are positions in the list, from 1.
    static constexpr ::llvm::StringLiteral kFailuresAttrName = "pyk.failures";
    /// Name of the attribute on a kernel, in all stages but llvm, that bounds its
    /// launches: threads of a block at most, blocks of a multiprocessor at least,
    /// blocks of a cluster at most. One to three numbers, as CUDA's
    /// `__launch_bounds__` takes them.
    static constexpr ::llvm::StringLiteral kLaunchBoundsAttrName =
        "pyk.launch_bounds";
    /// Name of the attribute on an entry, in all stages from pyk to gpu, in
    /// which numbers of type f32 too small for a full mantissa may become 0.
    static constexpr ::llvm::StringLiteral kFlushDenormalsAttrName =
        "pyk.flush_denormals";
    /// Name of the attribute on a function, in all stages but llvm, that computes
    /// the same bits on all targets.
    static constexpr ::llvm::StringLiteral kReproducibleAttrName =
        "pyk.reproducible";
    /// Name of the attribute on a kernel, in all stages but llvm, that other
    /// kernels launch, and no host.
    static constexpr ::llvm::StringLiteral kChildAttrName = "pyk.child";
    /// Name of the attribute that holds the `#pyk.facts` of an argument of a
    /// kernel in stage pyk; on kernels of later stages, a list for all arguments.
    static constexpr ::llvm::StringLiteral kFactsAttrName = "pyk.facts";
    /// Name of the attribute on all functions of a module, in stages pyk and gpu,
    /// whose kernels take a small grid for granted.
    static constexpr ::llvm::StringLiteral kSmallGridAttrName = "pyk.small_grid";
    /// Name of the attribute on all functions of a module, in stages pyk and gpu,
    /// none of whose accesses may leave the memory of its array on the CPU.
    static constexpr ::llvm::StringLiteral kGuardedAttrName = "pyk.guarded";
    /// Name of the attribute on a kernel that lists the `#pyk.bound_term`s which
    /// launches prove, from stage checked of the CPU on; in stages pyk and gpu, an
    /// empty list says that they may.
    static constexpr ::llvm::StringLiteral kBoundsAttrName = "pyk.bounds";
    /// Name of the attribute on a kernel, in stages pyk, gpu and simd, that says
    /// which shape all blocks of its launches have: three i32, x first.
    static constexpr ::llvm::StringLiteral kBlockShapeAttrName =
        "pyk.block_shape";
    /// Name of the attribute on a kernel that runs a whole block, in stage simd
    /// and what comes of it: the rows, strips and lanes of its tiles.
    static constexpr ::llvm::StringLiteral kTileAttrName = "simd.tile";
    /// Name of the attribute on a kernel that runs several blocks, neighbours
    /// along x, where there is that of its tiles: how many at most.
    static constexpr ::llvm::StringLiteral kRunAttrName = "simd.run";
    /// Name of the attribute on a kernel in which x and another axis of the grid
    /// have each other's names, in stage simd and what comes of it: the number
    /// of the other one, an i32.
    static constexpr ::llvm::StringLiteral kLaneAxisAttrName = "simd.lane_axis";
    /// Name of the attribute on a kernel, in stage checked, whose vectors hold
    /// fewer threads than others': how many, an i32.
    static constexpr ::llvm::StringLiteral kLanesAttrName = "simd.lanes";
    /// Name of the attribute on a kernel, in stages pyk and gpu, that lists the
    /// `#pyk.size_term`s of the shared memory that its launches add.
    static constexpr ::llvm::StringLiteral kSharedSizesAttrName =
        "pyk.shared_sizes";
    /// Name of the attribute on the device function that is compiled alone, in
    /// all stages but llvm, that holds its `#pyk.export`. From stage gpu on it
    /// stands on what code of other languages calls.
    static constexpr ::llvm::StringLiteral kExportAttrName = "pyk.export";
    /// Name of the attribute on a device function in stage py that is code of
    /// another language: its `#pyk.foreign`.
    static constexpr ::llvm::StringLiteral kForeignAttrName = "pyk.foreign";
    /// Name of the attribute on a function in stages nvvm and llvm, whose code the
    /// CPU has at the address that it gives, a number.
    static constexpr ::llvm::StringLiteral kHostAddressAttrName =
        "pyk.host_address";
    /// Name of the attribute on a stack slot, in stage nvvm, that makes it a
    /// variable of the program: a dictionary of its `name`, its `type`, and its
    /// position among the parameters, `argument`, which others have not.
    static constexpr ::llvm::StringLiteral kVariableAttrName = "pyk.variable";
    /// Name of the attribute on a module that names the chip it is lowered for.
    static constexpr ::llvm::StringLiteral kChipAttrName = "pyk.chip";

    void registerTypes();
    void registerAttributes();
    void registerInliner();
    // One for each family of ops, beside its definitions.
    void registerAtomicOps();
    void registerComplexOps();
    void registerControlOps();
    void registerFuncOps();
    void registerHostOps();
    void registerIndexOps();
    void registerMemoryOps();
    void registerNumericOps();
    void registerRecordOps();
    void registerSyncOps();
    void registerViewOps();
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKDIALECT_TD
