// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes and methods of values, by the class that has them; Members.h says
// which classes a type belongs to. A method takes its object first.

#ifndef PYK_INTRINSICS_MEMBERINTRINSICS_TD
#define PYK_INTRINSICS_MEMBERINTRINSICS_TD

include "pyk/Intrinsics/IntrinsicRules.td"

class Attribute<string owner, string name, Typing typing, LoweringRule rule,
                string doc>
    : PythonIntrinsic<owner # "." # name, typing, rule, doc> {
  let IsValue = true;
}
/// `count` arguments after the object, or any number from there on.
class Method<string owner, string name, Typing typing, LoweringRule rule,
             string doc, int count = 0, bit isOpen = false>
    : PythonIntrinsic<owner # "." # name, typing, rule, doc> {
  let Parameters = !listsplat(Positional, count);
  let Surplus = !if(isOpen, 32, 0);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

class ArrayAttribute<string name, Typing typing, LoweringRule rule, string doc>
    : Attribute<"ndarray", name, typing, rule, doc>;
def : ArrayAttribute<"T", ArrayReversed, MakeArrayReversed,
                     "the array with its dimensions reversed">;
def : ArrayAttribute<"ctypes", ArrayMemory, MakeSame,
                     "the array's memory, whose data is an address">;
def : Attribute<"ctypes", "data", Address, MakeArrayAddress,
                "address of the first element">;
def : ArrayAttribute<"dtype", ArrayElement, MakeNothing,
                     "type of the elements">;
def : ArrayAttribute<"flat", ArrayFlat, MakeArrayFlat,
                     "the elements in the order of the indices">;
class PartOfArray<string name, int position, string doc>
    : ArrayAttribute<name, ArrayPart, MakeArrayPart, doc> {
  let Settings = [Integer<"part", position>];
}
def : PartOfArray<"real", 0, "the real parts">;
def : PartOfArray<"imag", 1, "the imaginary parts of complex numbers">;
def : ArrayAttribute<"itemsize", Whole, MakeArrayItemSize,
                     "bytes of an element">;
def : ArrayAttribute<"nbytes", Whole, MakeArrayBytes, "bytes of all elements">;
def : ArrayAttribute<"ndim", ArrayRank, MakeArrayRank, "number of dimensions">;
def : ArrayAttribute<"shape", ArrayExtents, MakeArrayShape,
                     "extent of each dimension">;
def : ArrayAttribute<"size", ArraySize, MakeArraySize, "number of elements">;
def : ArrayAttribute<"strides", ArrayStrides, MakeArrayStrides,
                     "bytes from one element to the next in each dimension">;

class ArrayMethod<string name, Typing typing, LoweringRule rule, string doc,
                  int count = 0, bit isOpen = false>
    : Method<"ndarray", name, typing, rule, doc, count, isOpen>;
def : ArrayMethod<"fill", ArrayFill, MakeArrayFill,
                  "stores a number in each element", 1>;
def : ArrayMethod<"item", ArrayItem, MakeArrayItem,
                  "the only element of an array">;
def : ArrayMethod<"ravel", ArrayRavel, MakeArrayRavel,
                  "the array in one dimension">;
def : ArrayMethod<"reshape", ArrayReshape, MakeArrayReshape,
                  "the array in another shape, a tuple or one by one; -1 is what is left",
                  0, true>;
def : ArrayMethod<"transpose", ArrayTranspose, MakeArrayTranspose,
                  "the array with its dimensions reversed, or in an order that is given",
                  0, true>;
def : ArrayMethod<"view", ArrayView, MakeArrayView,
                  "the array's memory as elements of another dtype", 1>;

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

class PartOfNumber<string name, int position, string doc>
    : Attribute<"number", name, NumberPart, MakeNumberPart, doc> {
  let Settings = [Integer<"part", position>];
}
def : PartOfNumber<"real", 0, "the real part">;
def : PartOfNumber<"imag", 1, "the imaginary part, 0 of a real number">;
def : Method<"number", "conjugate", NumberItself, MakeConjugate,
             "the number with its imaginary part negated">;
def : Method<"generic", "item", NumberItself, MakeSame, "the number">;
foreach owner = ["int", "float"] in
  def : Method<owner, "view", NumberView, MakeNumberView,
               "the number's bits as one of another dtype", 1>;

//===----------------------------------------------------------------------===//
// Ranges, slices, tuples, text, dtypes
//===----------------------------------------------------------------------===//

class BoundOf<string owner, string name, Typing typing, int position, string doc>
    : Attribute<owner, name, typing, MakeBound, doc> {
  let Settings = [Integer<"bound", position>];
}
multiclass Bounds<string owner, Typing typing> {
  def : BoundOf<owner, "start", typing, 0, "where it begins">;
  def : BoundOf<owner, "stop", typing, 1, "where it ends">;
  def : BoundOf<owner, "step", typing, 2, "the distance of neighbours">;
}
defm : Bounds<"range", RangeBound>;
// A bound that is not given is a number, too, which selects the same.
defm : Bounds<"slice", Whole>;

def : Method<"tuple", "index", ItemIndex, MakeItemIndex,
             "position of the first item that is equal", 1>;

class Search<string owner, string name, int isFromEnd, int isRequired, string doc>
    : Method<owner, name, TextSearch, MakeTextSearch, doc, 1> {
  let Settings = [Integer<"from_end", isFromEnd>,
                  Integer<"required", isRequired>];
}
foreach owner = ["str", "bytes"] in {
  def : Search<owner, "find", 0, 0, "where a part begins first, or -1">;
  def : Search<owner, "index", 0, 1, "where a part begins first">;
  def : Search<owner, "rfind", 1, 0, "where a part begins last, or -1">;
  def : Search<owner, "rindex", 1, 1, "where a part begins last">;
  def : Method<owner, "isascii", TextTest, MakeIsAscii,
               "whether all characters are below 128">;
}

class Component<string name, int position, string doc>
    : Attribute<"vector", name, VectorComponent, MakeVectorComponent, doc> {
  let Settings = [Integer<"component", position>];
}
def : Component<"x", 0, "the first component">;
def : Component<"y", 1, "the second component">;
def : Component<"z", 2, "the third component">;
def : Component<"w", 3, "the fourth component">;

def : Attribute<"dtype", "type", DtypeItself, MakeNothing,
                "the class of the dtype's numbers, which makes them">;
class TextOfDtype<string name, int isName, string doc>
    : Attribute<"dtype", name, DtypeText, MakeNothing, doc> {
  let Settings = [Integer<"name", isName>];
}
def : TextOfDtype<"kind", 0, "a letter for the kind of numbers">;
def : TextOfDtype<"name", 1, "what NumPy calls the numbers">;

#endif // PYK_INTRINSICS_MEMBERINTRINSICS_TD
