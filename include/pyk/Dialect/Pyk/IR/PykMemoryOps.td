// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays: where they come from, their extents, their elements.

#ifndef PYK_DIALECT_PYK_IR_PYKMEMORYOPS_TD
#define PYK_DIALECT_PYK_IR_PYKMEMORYOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"
include "mlir/Dialect/LLVMIR/LLVMOpBase.td"
include "mlir/Interfaces/InferIntRangeInterface.td"

def Pyk_AllocOp : Pyk_Op<"alloc", [
    MemoryEffects<[MemAlloc]>, Pyk_Lanes<"Memory">]> {
  let summary = "array that the block or the thread owns";
  let description = [{
    Yields an uninitialized array: one for each block if its space is `shared`,
    one for each thread and call if it is `local`. Each op is an allocation of
    its own, and a `shared` one is the same each time it is reached. Its address is
    a multiple of `alignment` bytes.

    Constraints:
    - (alloc_c1) The array has layout `c` and space `shared` or `local`.
    - (alloc_c2) `alignment` is a power of two from 16 to 4096.

    Example:
    ```mlir
    %tile = pyk.alloc {alignment = 128} : !pyk.array<16x16xf32, c, shared>
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<I64Attr, "::pyk::kOwnedAlignment">:$alignment);
  let results = (outs Res<Pyk_StaticArray, "", [MemAlloc]>:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Pyk_LaunchSharedOp : Pyk_Op<"launch_shared", [
    MemoryEffects<[MemAlloc]>, Pyk_GoneBy<"pyk">, Pyk_Lanes<"Memory">]> {
  let summary = "array that the block owns, of a size that the launch knows";
  let description = [{
    Yields an uninitialized array in shared memory whose dynamic dimensions have the
    given `extents`. They must follow from arguments of the kernel and the shape of
    the block. Otherwise as `pyk.alloc`.

    Constraints:
    - (launch_shared_c1) The array has layout `c`, space `shared` and an extent for
      each dynamic dimension.
    - (launch_shared_c2) `alignment` is a power of two from 16 to 4096.

    Example:
    ```mlir
    %tile = pyk.launch_shared %m, %n : !pyk.array<?x?xf32, c, shared>
    ```
  }];
  let arguments = (ins Variadic<I64>:$extents,
    DefaultValuedAttr<I64Attr, "::pyk::kOwnedAlignment">:$alignment);
  let results = (outs Res<Pyk_ArrayType, "", [MemAlloc]>:$result);
  let assemblyFormat = "$extents attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Pyk_DynamicSharedOp : Pyk_Op<"dynamic_shared", [
    Pure, AttrSizedOperandSegments, Pyk_Lanes<"Memory">]> {
  let summary = "shared memory whose size the launch gives";
  let description = [{
    Yields an array in the dynamic shared memory of the block, `offset` bytes behind
    its beginning. It has the given `extents`; without any it is 1-dimensional and
    has as many whole elements as fit. All such arrays of a kernel are views of the
    same bytes, whose address is a multiple of each one's `alignment`.

    Constraints:
    - (dynamic_shared_c1) The array has layout `c`, space `shared` and, without
      `extents`, one dynamic dimension.
    - (dynamic_shared_c2) `alignment` is a power of two from 16 to 4096.
    - (dynamic_shared_c3) If there are `extents`, there is one for each dynamic
      dimension.

    Example:
    ```mlir
    %scratch = pyk.dynamic_shared : !pyk.array<?xf32, c, shared>
    %tile = pyk.dynamic_shared at %offset [%m, %n]
        : !pyk.array<?x?xf32, c, shared>
    ```
  }];
  let arguments = (ins Optional<I64>:$offset, Variadic<I64>:$extents,
    DefaultValuedAttr<I64Attr, "::pyk::kOwnedAlignment">:$alignment);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat = [{
    (`at` $offset^)? (`[` $extents^ `]`)? attr-dict `:` qualified(type($result))
  }];
  let builders = [OpBuilder<(ins "::pyk::ArrayType":$result,
                                 "int64_t":$alignment), [{
    build($_builder, $_state, result, ::mlir::Value(), ::mlir::ValueRange(),
          alignment);
  }]>];
  let hasVerifier = 1;
}

def Pyk_ConstantArrayOp : Pyk_Op<"constant_array", [
    Pure, Pyk_Lanes<"Uniform", "LaneShape()">]> {
  let summary = "array of values known at compile time";
  let description = [{
    Yields a read-only array that holds `value`, in C order.

    Constraints:
    - (constant_array_c1) The array has the shape and element type of `value`,
      layout `c` and space `constant`. Of records `value` has the bytes, in one
      more dimension.
    - (constant_array_c2) It has at most 2^24 elements: more would take minutes
      to compile.

    Example:
    ```mlir
    %weights = pyk.constant_array dense<[1.0, 2.0]> : tensor<2xf32>
        : !pyk.array<2xf32, c, constant>
    ```
  }];
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Pyk_StaticArray:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Pyk_DeviceArrayOp : Pyk_Op<"device_array", [
    Pure, Pyk_Lanes<"Uniform", "LaneShape()">]> {
  let summary = "array at an address that is known while compiling";
  let description = [{
    Yields the array in device memory at `address`, with `strides` in bytes if its
    layout is `any`. Who made the module keeps the memory as long as the kernel can
    run.

    Constraints:
    - (device_array_c1) The array is in global memory.
    - (device_array_c2) There is a stride for each dimension if the layout is `any`,
      else none.

    Example:
    ```mlir
    %table = pyk.device_array 4096 : !pyk.array<3x4xf32, c>
    %column = pyk.device_array 4096 strides [16] : !pyk.array<3xf32, any>
    ```
  }];
  let arguments = (ins I64Attr:$address,
                       DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$strides);
  let results = (outs Pyk_StaticArray:$result);
  let assemblyFormat = [{
    $address (`strides` $strides^)? attr-dict `:` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Pyk_FromPointerOp : Pyk_Op<"from_pointer", [
    Pure, AttrSizedOperandSegments, Pyk_Lanes<"Elementwise">]> {
  let summary = "array at an address";
  let description = [{
    Makes an array of the address of its first element, its dynamic `extents` (in
    elements, one for each `?` of the type) and, for layout `any`, its `strides`
    (in bytes, one for each dimension). It is how a kernel of stage gpu
    puts its parameters together.

    Constraints:
    - (from_pointer_c1) There is an extent for each dynamic dimension.
    - (from_pointer_c2) There is a stride for each dimension if the layout is
      `any`, else none.

    Example:
    ```mlir
    %a = pyk.from_pointer %p extents(%n) : !llvm.ptr<1> to !pyk.array<?xf32, c>
    ```
  }];
  let arguments = (ins LLVM_AnyPointer:$pointer, Variadic<I64>:$extents,
                       Variadic<I64>:$strides);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat = [{
    $pointer (`extents` `(` $extents^ `)`)? (`strides` `(` $strides^ `)`)?
    attr-dict `:` qualified(type($pointer)) `to` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Pyk_ToPointerOp : Pyk_Op<"to_pointer", [Pure, Pyk_Lanes<"Elementwise">]> {
  let summary = "address of an array, as a pointer";
  let description = [{
    Yields the address of the element of `array` whose indices are all 0, in the
    address space of the array: what `pyk.from_pointer` is given. Code for vectors
    goes on from there.

    Example:
    ```mlir
    %p = pyk.to_pointer %e : !pyk.array<f32, c> -> !llvm.ptr<1>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array);
  let results = (outs LLVM_AnyPointer:$result);
  let assemblyFormat = [{
    $array attr-dict `:` qualified(type($array)) `->` qualified(type($result))
  }];
}

def Pyk_DimOp : Pyk_Op<"dim", [
    Pure, DeclareOpInterfaceMethods<InferIntRangeInterface,
                                    ["inferResultRangesFromOptional"]>,
    Pyk_Lanes<"Elementwise">]> {
  let summary = "extent of an array in one dimension";
  let description = [{
    Yields the number of elements of `array` along `dimension`, as an i64 unless
    another type is given. In 32 bits there must be less than 2^31 - 2^16 of
    them, of which the fact `narrow` of an argument tells launches.

    Constraints:
    - (dim_c1) `dimension` is less than the rank of `array`.

    Example:
    ```mlir
    %n = pyk.dim %a, 0 : !pyk.array<?xf32, c>
    %m = pyk.dim %a, 0 : !pyk.array<?xf32, c> -> i32
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, I64Attr:$dimension);
  let results = (outs AnyTypeOf<[I32, I64]>:$result);
  let assemblyFormat = [{
    $array `,` $dimension attr-dict `:` qualified(type($array)) ``
    custom<ExtentType>(type($result))
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizeMethod = 1;
}

def Pyk_StrideOp : Pyk_Op<"stride", [Pure, Pyk_Lanes<"Elementwise">]> {
  let summary = "distance between neighbours in one dimension";
  let description = [{
    Yields the bytes from one element of `array` to the next along `dimension`;
    it may be negative.

    Constraints:
    - (stride_c1) `dimension` is less than the rank of `array`.

    Example:
    ```mlir
    %s = pyk.stride %a, 1 : !pyk.array<?x?xf32, any>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, I64Attr:$dimension);
  let results = (outs I64:$result);
  let assemblyFormat = "$array `,` $dimension attr-dict `:` qualified(type($array))";
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Pyk_AddressOp : Pyk_Op<"address", [Pure, Pyk_Lanes<"Memory">]> {
  let summary = "address of an array";
  let description = [{
    Yields where the element of `array` lies whose indices are all 0, as a number:
    an address that is valid in any memory space.

    Example:
    ```mlir
    %address = pyk.address %a : !pyk.array<?xf32, c>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array);
  let results = (outs I64:$result);
  let assemblyFormat = "$array attr-dict `:` qualified(type($array))";
}

def Pyk_LoadOp : Pyk_AccessOp<"load", [
    TypesMatchWith<"result has the element type of the array", // load_c1
                   "array", "result",
                   "::llvm::cast<::pyk::ArrayType>($_self).getElementType()">]> {
  let summary = "reads one element of an array";
  let description = [{
    Reads the element of `array` at `indices`. Nothing checks that they are
    within its extents. A `volatile` read is done each time it is
    reached, because another thread may have changed the element. `cache` is what
    the access does to the caches of a GPU, by PTX's names, all of which are
    hints: `ca` keeps the element in all, `cg` in those of the device, `cs` for
    one access, `lu` until this one, `cv` in none.

    Constraints:
    - (load_c1) `result` has the element type of `array`.
    - (load_c2) `indices` has one entry for each dimension of `array`.
    - (load_c3) `array` has numbers as elements.
    - (load_c4) `cache` is a hint for reads, of integers or floats. It is for
      global memory, and does nothing where elements are less aligned than large.

    Example:
    ```mlir
    %x = pyk.load %a[%i, %j] : !pyk.array<?x?xf32, c>
    %y = pyk.load cache cs %a[%i, %j] : !pyk.array<?x?xf32, c>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array,
                       Variadic<I64>:$indices, UnitAttr:$is_volatile,
                       OptionalAttr<Pyk_CacheHintAttr>:$cache);
  let results = (outs AnyType:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$array,
                                 "::mlir::ValueRange":$indices), [{
    build($_builder, $_state, array, indices, /*is_volatile=*/{}, /*cache=*/{});
  }]>];
  let assemblyFormat = [{
    (`volatile` $is_volatile^)? (`cache` $cache^)? $array `[` $indices `]`
    attr-dict `:` qualified(type($array))
  }];
}

def Pyk_StoreOp : Pyk_AccessOp<"store", [
    TypesMatchWith<"value has the element type of the array", // store_c1
                   "array", "value",
                   "::llvm::cast<::pyk::ArrayType>($_self).getElementType()">]> {
  let summary = "writes one element of an array";
  let description = [{
    Writes `value` to the element of `array` at `indices`. Nothing checks that
    they are within its extents. `cache` is as for `pyk.load`; `wb` writes to the
    caches, `cg` to those of the device, `cs` for one access, `wt` through them.

    Constraints:
    - (store_c1) `value` has the element type of `array`.
    - (store_c2) `indices` has one entry for each dimension of `array`.
    - (store_c3) `array` is not read-only.
    - (store_c4) `array` has numbers as elements.
    - (store_c5) `cache` is a hint for writes; else as load_c4.

    Example:
    ```mlir
    pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
    pyk.store cache wt %x, %a[%i] : !pyk.array<?xf32, c>
    ```
  }];
  let arguments = (ins AnyType:$value,
                       Pyk_ArrayType:$array,
                       Variadic<I64>:$indices,
                       OptionalAttr<Pyk_CacheHintAttr>:$cache);
  let builders = [OpBuilder<(ins "::mlir::Value":$value,
                                 "::mlir::Value":$array,
                                 "::mlir::ValueRange":$indices), [{
    build($_builder, $_state, value, array, indices, /*cache=*/{});
  }]>];
  let assemblyFormat = [{
    (`cache` $cache^)? $value `,` $array `[` $indices `]` attr-dict `:`
    qualified(type($array))
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKMEMORYOPS_TD
