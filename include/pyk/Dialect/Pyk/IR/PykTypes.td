// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of arrays and of what they hold, and the type constraints that ops
// of the dialect share.

#ifndef PYK_DIALECT_PYK_IR_PYKTYPES_TD
#define PYK_DIALECT_PYK_IR_PYKTYPES_TD

include "pyk/Dialect/Pyk/IR/PykAttributes.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"

def Pyk_RecordType : TypeDef<Pyk_Dialect, "Record"> {
  let mnemonic = "record";
  let summary = "layout of a record in memory";
  let description = [{
    What NumPy's structured dtypes say: `fields` with their names, places and
    types, and the `size` of the whole in bytes. Fields may overlap, and bytes may
    belong to none. No value has this type: it is one of elements, and a record in
    a kernel is an array of it without dimensions. Its address is a multiple of
    `alignment` bytes where that is more than its fields ask for; 1, the default,
    is not printed.

    Constraints:
    - (record_c1) The type of a field is one that an array may have as its
      element, or `none`.
    - (record_c2) Fields lie within `size`, which is not 0.
    - (record_c3) No two fields have one name.
    - (record_c4) `alignment` is a power of two and a factor of `size`.

    Example:
    ```mlir
    !pyk.record<"mass" : f64 at 0, "place" : 3xf32 at 8, size 20>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"FieldAttr">:$fields,
                        "int64_t":$size, "int64_t":$alignment);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<FieldAttr>":$fields,
                                   "int64_t":$size), [{
    return $_get($_ctxt, fields, size, 1);
  }]>];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The position of the field `name`.
    std::optional<unsigned> find(::llvm::StringRef name) const;
    /// The same record with what `convert` makes of the types of its fields.
    RecordType
    mapTypes(::llvm::function_ref<::mlir::Type(::mlir::Type)> convert) const;
  }];
}

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

    A *pointer* is a contiguous array of one dimension whose extent is
    281474976710655, the most that there is: nobody says where it ends. It has no
    size for programs, and indices below 0 are in front of it.

    The address of each element is a multiple of `alignment` bytes: `align 1` means
    any address. By default, which is not printed, that is what its type asks for: a
    number its size, a complex number that of a part, a record the most that its
    fields ask for and its size is a multiple of, or what it says itself. The
    first field of such records may lie at multiples of more than its type asks
    for.

    Constraints:
    - (array_c1) The element type is an integer of 1, 8, 16, 32 or 64 bits, a
      float of 16, 32 or 64 bits, bf16 among them, complex with parts of 32 or
      64 bits, a record, or a type of another dialect that stands for one of
      these.
    - (array_c2) The rank is at most 32.
    - (array_c3) A `readonly` array lies in global or generic memory.
    - (array_c4) `alignment` is a power of two and no more than the default, or
      than 16 where elements do not follow each other: in layout `any`, or
      without dimensions.

    Example:
    ```mlir
    !pyk.array<16x?xf32, c, shared>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "Layout":$layout, "Space":$space, "bool":$readonly,
                        "int64_t":$alignment);
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape,
                                   "::mlir::Type":$elementType,
                                   "Layout":$layout, "Space":$space), [{
    return $_get($_ctxt, shape, elementType, layout, space, false,
                 getNaturalAlignment(elementType));
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
    /// True for what an array may have as its elements.
    static bool isElement(::mlir::Type type);
    /// Bytes that an element of `type` takes in memory.
    static int64_t getBytes(::mlir::Type type);
    /// Of what addresses of elements of `type` are multiples, unless a type says
    /// less.
    static int64_t getNaturalAlignment(::mlir::Type type);
    /// The record that each element is; null for arrays of numbers.
    RecordType getRecord() const {
      return ::llvm::dyn_cast<RecordType>(getElementType());
    }
    /// True for a pointer.
    bool isPointer() const;
    /// True for one record.
    bool isRecord() const { return getRecord() && getRank() == 0; }
    /// What one element is as a value: a number, or an array without dimensions
    /// that is the record.
    ::mlir::Type getElement() const;
    /// One element as an array without dimensions.
    ArrayType getElementView() const {
      return withShape({}, Layout::C);
    }
    /// The same array with elements of another type of the same form.
    ArrayType withElementType(::mlir::Type elementType) const;
    /// An array of the same memory with another shape and layout.
    ArrayType withShape(::llvm::ArrayRef<int64_t> shape, Layout layout) const;
    /// The same array, of which less is known of addresses.
    ArrayType withAlignment(int64_t alignment) const;
    /// The fields of each element: those of a record, or `real` and `imag` of a
    /// complex number.
    ::llvm::SmallVector<FieldAttr> getFields() const;
    /// The type of the field at `position` of all records of the array: its own
    /// dimensions come last.
    ArrayType getFieldType(unsigned position) const;
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
