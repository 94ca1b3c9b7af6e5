// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The array type, and the type constraints that ops of the dialect share.

#ifndef PYK_DIALECT_PYK_IR_PYKTYPES_TD
#define PYK_DIALECT_PYK_IR_PYKTYPES_TD

include "pyk/Dialect/Pyk/IR/PykEnums.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def Pyk_ArrayType : TypeDef<Pyk_Dialect, "Array"> {
  let mnemonic = "array";
  let summary = "array in memory that the kernel does not own";
  let description = [{
    A view of elements of one type, as NumPy's `ndarray`. `shape` holds an
    extent for each dimension, `?` where it is known only at launch; no extent
    means a 0-dimensional array. `layout` is `c` (last dimension contiguous),
    `f` (first dimension contiguous) or `any` (strides known at launch).
    `space` is `global` (the default, not printed), `shared` (one for each
    block), `local` (one for each thread), `constant`, or `generic`: any of them,
    known only when the kernel runs. An array of `readonly` memory (a NumPy array
    that is not writeable) and one in constant memory can be loaded from only.
    An `i1` element occupies one byte. Elements keep their signedness (`si32`)
    in the py dialect and are signless (`i32`) from stage pyk on.

    Constraints:
    - (array_c1) The element type is an integer of 1, 8, 16, 32 or 64 bits or a
      float of 16, 32 or 64 bits.
    - (array_c2) The rank is at most 32.
    - (array_c3) A `readonly` array lies in global or generic memory.

    Example:
    ```mlir
    !pyk.array<16x?xf32, c, shared>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "Layout":$layout, "Space":$space, "bool":$readonly);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                   "::mlir::Type":$elementType,
                                   "Layout":$layout, "Space":$space), [{
    return $_get($_ctxt, shape, elementType, layout, space, false);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    static constexpr int64_t kDynamic = ::mlir::ShapedType::kDynamic;
    int64_t getRank() const { return getShape().size(); }
    bool hasStaticShape() const;
    /// Number of elements; the shape must be static.
    int64_t getNumElements() const;
    /// Bytes that one element takes in memory.
    int64_t getElementBytes() const;
    /// True if no kernel may store to it.
    bool isReadOnly() const {
      return getReadonly() || getSpace() == Space::Constant;
    }
    /// The same array with another element type.
    ArrayType withElementType(::mlir::Type elementType) const;
    /// An array of the same memory with another shape and layout.
    ArrayType withShape(::llvm::ArrayRef<int64_t> shape, Layout layout) const;
    /// What is sure of an array that is of this type or of `other`; null if they
    /// differ in element type or rank.
    ArrayType unifyWith(ArrayType other) const;
  }];
}

/// An array of constant extent that a kernel allocates.
def Pyk_StaticArray : Type<
    And<[Pyk_ArrayType.predicate,
         CPred<"::llvm::cast<::pyk::ArrayType>($_self).hasStaticShape()">]>,
    "array of static shape", "::pyk::ArrayType">;

#endif // PYK_DIALECT_PYK_IR_PYKTYPES_TD
