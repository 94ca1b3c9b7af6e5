// RUN: pyk-opt %s --split-input-file --verify-diagnostics

// record_c1
// expected-error @below {{expects fields of numbers, records or none but got #pyk.field<"x" : f80 at 0>}}
pyk.func private @field_type(!pyk.array<!pyk.record<"x" : f80 at 0, size 4>, c>)

// -----

// record_c2
// expected-error @below {{expects fields within 4 bytes but got #pyk.field<"x" : 2xf32 at 0>}}
pyk.func private @field_beyond(!pyk.array<!pyk.record<"x" : 2xf32 at 0, size 4>, c>)

// -----

// record_c2
// expected-error @below {{expects a size of 1 or more but got 0}}
pyk.func private @no_bytes(!pyk.array<!pyk.record<size 0>, c>)

// -----

// record_c3
// expected-error @below {{expects fields of different names but got two of 'x'}}
pyk.func private @same_names(!pyk.array<!pyk.record<"x" : i8 at 0, "x" : i8 at 1, size 4>, c>)

// -----

// record_c4
// expected-error @below {{expects an alignment of a power of two that divides the size, 12, but got 8}}
pyk.func private @record_alignment(!pyk.array<!pyk.record<"x" : f32 at 0, size 12, align 8>, c>)

// -----

// record_c4
// expected-error @below {{expects an alignment of a power of two that divides the size, 12, but got 12}}
pyk.func private @no_power_of_two(!pyk.array<!pyk.record<"x" : f32 at 0, size 12, align 12>, c>)

// -----

// array_c4
// expected-error @below {{expects an alignment of a power of two up to 4 but got 8}}
pyk.func private @alignment(!pyk.array<?xf32, c, align 8>)

// -----

// array_c4: elements that do not follow each other may lie at more.
// expected-error @below {{expects an alignment of a power of two up to 16 but got 32}}
pyk.func private @alignment_of_apart(!pyk.array<?xf32, any, align 16>, !pyk.array<f32, c, align 32>)

// -----

// array_c4: elements of 6 bytes that follow each other are not all at 4.
// expected-error @below {{expects an alignment of a power of two up to 2 but got 4}}
pyk.func private @alignment_of_records(!pyk.array<?x!pyk.record<"x" : f32 at 0, size 6>, c, align 4>)

// -----

// field_c1
pyk.func @unknown_field(%a: !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c>) {
  // expected-error @below {{expects records with a field of numbers or records 'y' but got}}
  %y = pyk.field %a "y" : !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c> to !pyk.array<?xi8, any>
  pyk.return
}

// -----

// field_c1
pyk.func @field_of_no_use(%a: !pyk.array<?x!pyk.record<"x" : none at 0, size 1>, c>) {
  // expected-error @below {{expects records with a field of numbers or records 'x' but got}}
  %x = pyk.field %a "x" : !pyk.array<?x!pyk.record<"x" : none at 0, size 1>, c> to !pyk.array<?xi8, any>
  pyk.return
}

// -----

// field_c1
pyk.func @field_of_numbers(%a: !pyk.array<?xf32, c>) {
  // expected-error @below {{expects records with a field of numbers or records 'x' but got '!pyk.array<?xf32, c>'}}
  %x = pyk.field %a "x" : !pyk.array<?xf32, c> to !pyk.array<?xi8, any>
  pyk.return
}

// -----

// field_c2, field_c3: a field of several records is not contiguous.
pyk.func @layout_of_field(%a: !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c>) {
  // expected-error @below {{expects a field of type '!pyk.array<?xi8, any>' but got '!pyk.array<?xi8, c>'}}
  %x = pyk.field %a "x" : !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c> to !pyk.array<?xi8, c>
  pyk.return
}

// -----

// copy_record_c1
pyk.func @copy_of_many(%a: !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c>) {
  // expected-error @below {{expects two records of one type but got}}
  pyk.copy_record %a to %a : !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c>,
                             !pyk.array<?x!pyk.record<"x" : i8 at 0, size 1>, c>
  pyk.return
}

// -----

// copy_record_c2
pyk.func @copy_to_frozen(%a: !pyk.array<!pyk.record<"x" : i8 at 0, size 1>, c, readonly>) {
  // expected-error @below {{expects a record that can be written but got}}
  pyk.copy_record %a to %a : !pyk.array<!pyk.record<"x" : i8 at 0, size 1>, c, readonly>,
                             !pyk.array<!pyk.record<"x" : i8 at 0, size 1>, c, readonly>
  pyk.return
}

// -----

// load_c3
pyk.func @load_of_record(%a: !pyk.array<!pyk.record<"x" : i8 at 0, size 1>, c>) {
  // expected-error @below {{expects an array of numbers but got}}
  %x = pyk.load %a[] : !pyk.array<!pyk.record<"x" : i8 at 0, size 1>, c>
  pyk.return
}

// -----

// store_c4: no op of the dialect yields a record that could be stored.
!record = !pyk.record<"x" : i8 at 0, size 1>
pyk.func @store_to_record(%a: !pyk.array<!record, c>) {
  %r = builtin.unrealized_conversion_cast %a : !pyk.array<!record, c> to !record
  // expected-error @below {{expects an array of numbers but got}}
  pyk.store %r, %a[] : !pyk.array<!record, c>
  pyk.return
}

// -----

// cast_c2
pyk.func @alignment_out_of_nothing(%a: !pyk.array<?xf32, c, align 1>) {
  // expected-error @below {{expects a type that says less than '!pyk.array<?xf32, c, align 1>' but got '!pyk.array<?xf32, c>'}}
  %b = pyk.cast %a : !pyk.array<?xf32, c, align 1> to !pyk.array<?xf32, c>
  pyk.return
}
