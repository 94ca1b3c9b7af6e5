// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records: arrays of one of their fields, and records as a whole.

#ifndef PYK_DIALECT_PYK_IR_PYKRECORDOPS_TD
#define PYK_DIALECT_PYK_IR_PYKRECORDOPS_TD

include "pyk/Dialect/Pyk/IR/PykOpBase.td"

def Pyk_FieldOp : Pyk_Op<"field", [Pure, Pyk_ArrayView<>]> {
  let summary = "array of one field of records";
  let description = [{
    Yields the fields `name` of the records of `array`, which it copies nothing of.
    It has the dimensions of `array`, and after them those of the field, if it is
    an array itself. Of one record, an array without dimensions, it is the field.
    Complex numbers have the fields `real` and `imag`.

    Constraints:
    - (field_c1) `array` has records or complex numbers as elements, with a field
      `name` that is of a number or a record.
    - (field_c2) The result has the type of the field as elements, and the space
      and `readonly` of `array`; its extents are those of `array` and then those of
      the field.
    - (field_c3) Its layout is `c` if `array` has no dimensions, else `any`; its
      alignment is what that of `array` and the offset of the field allow.

    Example:
    ```mlir
    %x = pyk.field %points "x"
        : !pyk.array<?x!pyk.record<"x" : f32 at 0, "y" : f32 at 4, size 8>, c>
        to !pyk.array<?xf32, any>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$array, StrAttr:$name);
  let results = (outs Pyk_ArrayType:$result);
  let assemblyFormat = [{
    $array $name attr-dict `:` qualified(type($array)) `to` qualified(type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$array, "unsigned":$position)>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The field in the type of the records.
    FieldAttr getField();
  }];
}

def Pyk_CopyRecordOp : Pyk_Op<"copy_record", [
    Pyk_Lanes<"Memory">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "writes one record over another";
  let description = [{
    Copies all bytes of the record `source` to the record `target`, those between
    fields included. The two may overlap. A `volatile` copy is done each time it is
    reached, because another thread may have changed the record.

    Constraints:
    - (copy_record_c1) Both are arrays without dimensions of the same records.
    - (copy_record_c2) `target` is not read-only.

    Example:
    ```mlir
    pyk.copy_record %a to %b
        : !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c>,
          !pyk.array<!pyk.record<"x" : f32 at 0, size 4>, c>
    ```
  }];
  let arguments = (ins Pyk_ArrayType:$source,
                       Pyk_ArrayType:$target,
                       UnitAttr:$is_volatile);
  let assemblyFormat = [{
    (`volatile` $is_volatile^)? $source `to` $target attr-dict `:` qualified(type($source)) `,`
    qualified(type($target))
  }];
  let hasVerifier = 1;
}

#endif // PYK_DIALECT_PYK_IR_PYKRECORDOPS_TD
