// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views: arrays that share their elements with another.

#ifndef PYK_DIALECT_PYK_IR_PYKVIEWOPS_TD
#define PYK_DIALECT_PYK_IR_PYKVIEWOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

def Pyk_AxisArrayAttr
    : TypedArrayAttrBase<Pyk_AxisAttr, "what becomes of each dimension">;

def Pyk_ViewOp : Pyk_Op<"view", [
    Pure, Pyk_ArrayView<["getPlacingDimensions", "getViewedIndices"]>]> {
  let summary = "part of an array";
  let description = [{
    Yields an array of elements of `array`, which it copies nothing of. In brackets
    stands what becomes of each dimension of `array`, in order:

    | written | `axes` | in the view |
    | --- | --- | --- |
    | `%i` | `index` | no dimension: the elements at `%i` |
    | `*` | `whole` | the dimension as it is |
    | `%first : %count` | `part` | `%count` elements, from `%first` on |
    | `%first : %count : %step` | `strided` | the same, with every `%step`-th |
    | `new` | `new` | one more dimension, of extent 1; it stands for none of `array` |

    Nothing checks that these are elements of `array`, nor that a count is not
    negative: `pyk.slice_bounds` computes bounds that are right.

    Constraints:
    - (view_c1) `axes` other than `new` are as many as `array` has dimensions.
    - (view_c2) There is one operand for each `index`, two for each `part`, three
      for each `strided`.
    - (view_c3) The result has the element type, space and `readonly` of `array`.
      An extent is that of `array` for `whole`, 1 for `new`, and otherwise dynamic.
    - (view_c4) The result has layout `any`, or the layout of `array` if that is
      sure to last: for `c`, what comes after the first dimension that is kept is
      kept `whole`, and that one is no `strided`; for `f` the same from the end.
      Without dimensions the layout is `c`.

    Example:
    ```mlir
    %row = pyk.view %a[%i, *] : !pyk.array<?x8xf32, c> to !pyk.array<8xf32, c>
    %odd = pyk.view %a[%one : %n : %two, new, *]
        : !pyk.array<?x8xf32, c> to !pyk.array<?x1x8xf32, any>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, Variadic<I64>:$numbers,
                       Pyk_AxisArrayAttr:$axes);
  let results = (outs Pyk_ArrayType:$result);
  // A custom parser, because the punctuation says what the numbers are.
  let assemblyFormat = [{
    $array `` custom<Axes>($numbers, $axes) attr-dict `:`
    qualified(type($array)) `to` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$array, "::mlir::ValueRange":$numbers,
                   "::llvm::ArrayRef<Axis>":$axes, "Layout":$layout)>];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
  let extraClassDeclaration = [{
    /// What becomes of one dimension. Numbers that it does not have are null.
    struct Part {
      Axis axis;
      /// The dimension of the array and of the view; -1 where it has none.
      int64_t source, result;
      /// The index, or the first element.
      ::mlir::Value first;
      ::mlir::Value count, step;
    };
    ::llvm::SmallVector<Part> getParts();
    ::llvm::SmallVector<Axis> getAxisList();

    /// The type of a view of an array of type `source`.
    static ArrayType getViewType(ArrayType source, ::llvm::ArrayRef<Axis> axes,
                                 Layout layout);
    /// True if a view of an array of type `source` may have this layout.
    static bool canHaveLayout(ArrayType source, ::llvm::ArrayRef<Axis> axes,
                              Layout layout);
  }];
}

def Pyk_TransposeOp : Pyk_Op<"transpose", [
    Pure, Pyk_ArrayView<["getViewedIndices"]>]> {
  let summary = "array with its dimensions in another order";
  let description = [{
    Dimension `i` of the result is dimension `order[i]` of `array`.

    Constraints:
    - (transpose_c1) `order` has each dimension of `array` once.
    - (transpose_c2) The result has the element type, space, `readonly` and, in
      their new order, the extents of `array`.
    - (transpose_c3) Its layout is `any`; or that of `array` where `order` changes
      nothing, `f` for `c` and `c` for `f` where it reverses.

    Example:
    ```mlir
    %t = pyk.transpose %a[1, 0] : !pyk.array<4x?xf32, c> to !pyk.array<?x4xf32, f>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, DenseI64ArrayAttr:$order);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat = [{
    $array `` $order attr-dict `:` qualified(type($array)) `to` qualified(type($result))
  }];
  let builders = [
    OpBuilder<(ins "::mlir::Value":$array, "::llvm::ArrayRef<int64_t>":$order,
                   "Layout":$layout)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of an array of type `source` with its dimensions in `order`.
    static ArrayType getTransposedType(ArrayType source,
                                       ::llvm::ArrayRef<int64_t> order,
                                       Layout layout);
    /// True if the result may have this layout.
    static bool canHaveLayout(ArrayType source, ::llvm::ArrayRef<int64_t> order,
                              Layout layout);
  }];
}

def Pyk_ReshapeOp : Pyk_Op<"reshape", [Pure, Pyk_ArrayView<>]> {
  let summary = "array with other extents";
  let description = [{
    Yields the elements of `array`, in their order in memory, as an array with
    other extents; there is one of `extents` for each `?` of the result. Nothing
    checks that the number of elements is the same.

    Constraints:
    - (reshape_c1) `array` has layout `c`, or `f` and one dimension at most; the
      result has layout `c` and the element type, space and `readonly` of `array`.
    - (reshape_c2) There is an extent for each dynamic dimension.

    Example:
    ```mlir
    %m = pyk.reshape %a to (%n) : !pyk.array<?xf32, c> to !pyk.array<?x8xf32, c>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, Variadic<I64>:$extents);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat = [{
    $array `to` `(` $extents `)` attr-dict `:` qualified(type($array)) `to`
    qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Pyk_CastOp : Pyk_Op<"cast", [
    Pure, Pyk_ArrayView<["getViewedIndices"]>]> {
  let summary = "array of which less is known";
  let description = [{
    Yields `array` under a type that says less, so that a variable can hold one of
    several arrays. It is free but where strides must be computed.

    Constraints:
    - (cast_c1) Element type and rank stay.
    - (cast_c2) The layout stays or becomes `any`; each extent stays or becomes
      dynamic; the space stays or becomes `generic`; the alignment does not grow.
    - (cast_c3) What cannot be written stays so.

    Example:
    ```mlir
    %b = pyk.cast %a : !pyk.array<4x?xf32, c> to !pyk.array<?x?xf32, any>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat =
    "$array attr-dict `:` qualified(type($array)) `to` qualified(type($result))";
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Pyk_ReinterpretOp : Pyk_Op<"reinterpret", [Pure, Pyk_ArrayView<>]> {
  let summary = "the same bytes as elements of another type";
  let description = [{
    Yields the bytes of `array` as an array of other elements. If those have another
    size, the last dimension has as many of them as fit.

    Constraints:
    - (reinterpret_c1) Rank, space, `readonly` and layout stay; the alignment does
      not grow.
    - (reinterpret_c2) Where the elements have another size, the layout is `c`, there
      is a dimension, and one size is a multiple of the other. The last extent stays
      dynamic or is the number of elements that fit; the others stay.

    Example:
    ```mlir
    %b = pyk.reinterpret %a : !pyk.array<?x4xf64, c> to !pyk.array<?x8xi32, c>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat =
    "$array attr-dict `:` qualified(type($array)) `to` qualified(type($result))";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The type of an array of type `source` with other elements; null if there
    /// is none.
    static ArrayType getReinterpretedType(ArrayType source,
                                          ::mlir::Type elementType);
  }];
}

def Pyk_ElementOp : Pyk_Op<"element", [
    Pure, AttrSizedOperandSegments, Pyk_ArrayView<>,
    TypesMatchWith<"result is an element of the array", // element_c1
                   "array", "result",
                   "::llvm::cast<::pyk::ArrayType>($_self).getElementView()">]> {
  let summary = "element at an offset in memory";
  let description = [{
    Yields the element that lies `offset` behind the one whose indices are all 0, as
    an array without dimensions. In layouts `c` and `f` the offset counts elements,
    in the order of memory, and in layout `any` bytes. Nothing checks that this is
    an element of `array`. All that stage gpu accesses has this form, in which the
    address is arithmetic: see `pyk-expand-addresses`. `indices` are the program's,
    for messages, where they cannot be told from the offset. `exact` is whether no
    64-bit operation that computed the offset wrapped around; without it, none can:
    see `pyk-resolve-views`.

    Constraints:
    - (element_c1) The result has no dimensions, layout `c` and the element type,
      space, `readonly` and alignment of `array`.

    Example:
    ```mlir
    %row = arith.muli %i, %width : i64
    %offset = arith.addi %row, %j : i64
    %e = pyk.element %a + %offset : !pyk.array<?x?xf32, c>
    %x = pyk.load %e[] : !pyk.array<f32, c>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, I64:$offset,
                       Variadic<I64>:$indices, Optional<I1>:$exact);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat = [{
    $array `+` $offset (`of` `[` $indices^ `]`)? (`if` $exact^)? attr-dict `:`
    qualified(type($array))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$array,
                                 "::mlir::Value":$offset,
                                 CArg<"::mlir::ValueRange", "{}">:$indices)>];
}

def Pyk_SliceBoundsOp : Pyk_Op<"slice_bounds", [
    Pure, AttrSizedOperandSegments, Pyk_GoneBy<"gpu">]> {
  let summary = "elements that a Python slice takes of a dimension";
  let description = [{
    Yields the first element that the slice `lower:upper:step` takes of `extent`
    elements, and how many it takes, as Python defines it: negative bounds count
    from the end, bounds beyond the ends become the ends, and what is left out is
    everything in the direction of `step`, which is 1 unless given. The count is
    never negative; a `step` of 0, an error in Python, takes nothing.

    Example:
    ```mlir
    %first, %count = pyk.slice_bounds %n from %low to %high by %step
    ```
  }];
  let arguments = (ins I64:$extent, Optional<I64>:$lower, Optional<I64>:$upper,
                       Optional<I64>:$step);
  let results = (outs I64:$first, I64:$count);
  let assemblyFormat = [{
    $extent (`from` $lower^)? (`to` $upper^)? (`by` $step^)? attr-dict
  }];
  let hasFolder = 1;
}

def Pyk_DistanceOp : Pyk_Op<"distance", [Pure, Pyk_GoneBy<"gpu">]> {
  let summary = "how far one array lies behind another";
  let description = [{
    Yields the bytes from the element of `from` whose indices are all 0 to that of
    `to`; it may be negative. Unlike `pyk.address` it gives no address away:
    launches may still prove what arrays share no memory.

    Example:
    ```mlir
    %d = pyk.distance %a to %b : !pyk.array<?xf32, c>, !pyk.array<?xf32, any>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$from, Pyk_ArrayType:$to);
  let results = (outs I64:$result);
  let assemblyFormat = [{
    $from `to` $to attr-dict `:` qualified(type($from)) `,` qualified(type($to))
  }];
}

def Pyk_OverlapsOp : Pyk_Op<"overlaps", [Pure, Pyk_GoneBy<"gpu">]> {
  let summary = "whether two arrays overlap";
  let description = [{
    True if the bytes from the first to the last element of one array, in the order
    of memory, and those of the other overlap. Two such arrays need not have an
    element in common, as two columns of a matrix. An array without elements
    overlaps with nothing.

    Example:
    ```mlir
    %o = pyk.overlaps %a, %b : !pyk.array<?xf32, c>, !pyk.array<?xf32, any>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$first, Pyk_ArrayType:$second);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $first `,` $second attr-dict `:` qualified(type($first)) `,` qualified(type($second))
  }];
}

#endif // PYK_DIALECT_PYK_IR_PYKVIEWOPS_TD
