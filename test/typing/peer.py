# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ask numba-cuda for the type of a function, with no GPU and no code
generation.

The peer's compile pipeline is run up to and including type inference. A device
function that calls another is served by replacing the one method that would
have compiled the callee with one that only infers it. Nothing here needs a
driver.
"""

import json
import pathlib
import warnings
from types import SimpleNamespace

import numpy as np
from numba import cuda
from numba.cuda import compiler, types, typing, utils
from numba.cuda.core import bytecode, errors
from numba.cuda.core.compiler_machinery import PassManager
from numba.cuda.core.typed_passes import NopythonTypeInference
from numba.cuda.core.untyped_passes import ExtractByteCode
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.flags import CUDAFlags

warnings.simplefilter("ignore")

SCALARS = {
    "bool": types.boolean,
    "none": types.none,
    **{
        f"{sign}int{bits}": getattr(types, f"{sign}int{bits}")
        for sign in ("", "u")
        for bits in (8, 16, 32, 64)
    },
    **{
        name: getattr(types, name) for name in ("float16", "float32", "float64")
    },
    **{name: getattr(types, name) for name in ("complex64", "complex128")},
    "bfloat16": types.bfloat16,
}


class _Inference(compiler.CUDACompiler):
    """The peer's pipeline, cut after type inference."""

    def define_pipelines(self):
        passes = super().define_pipelines()[0].passes
        short = PassManager("inference")
        for implementation, description in passes:
            short.add_pass(implementation, description)
            if implementation is NopythonTypeInference:
                break
        short.finalize()
        return [short]

    def run(self, function):
        """The whole state after inference of one function."""
        self.state.func_id = bytecode.FunctionIdentity.from_function(function)
        ExtractByteCode().run_pass(self.state)
        (manager,) = self.define_pipelines()
        manager.run(self.state)
        return self.state


def infer_state(function, arguments, return_type=None):
    """Infer a Python function for a tuple of the peer's types."""
    from numba.cuda.descriptor import cuda_target

    flags = CUDAFlags()
    flags.no_compile = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.error_model = "numpy"
    with utils.numba_target_override():
        pipeline = _Inference(
            cuda_target.typing_context,
            cuda_target.target_context,
            None,
            tuple(arguments),
            return_type,
            flags,
            {},
        )
        return pipeline.run(function)


class _Overload:
    """The little of a compile result that typing a call looks at."""

    def __init__(self, signature):
        self.signature = signature
        self.fndesc = SimpleNamespace(modname="", qualname="", uid=0)
        self.objectmode = False
        self.entry_point = None


def _infer_device(self, arguments, return_type=None):
    if arguments not in self.overloads:
        with self._compiling_counter:
            state = infer_state(self.py_func, arguments, return_type)
            signature = typing.signature(state.return_type, *arguments)
            self.overloads[arguments] = _Overload(signature)
    return self.overloads[arguments]


CUDADispatcher.compile_device = _infer_device


def parse_type(text):
    """The peer's type for one of our type strings."""
    text = text.strip()
    if text in SCALARS:
        return SCALARS[text]
    if text.startswith("array("):
        element, rank, layout = text[6:-1].split(",")
        return types.Array(SCALARS[element.strip()], int(rank), layout.strip())
    if text.startswith("tuple("):
        return types.Tuple([parse_type(part) for part in _split(text[6:-1])])
    raise ValueError(text)


def _split(text):
    """Split at the commas that are outside every parenthesis."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return parts + [text[start:]] if text else []


def type_name(peer):
    """Our type string for one of the peer's types (literals become plain
    types).
    """
    if isinstance(peer, types.Literal):
        peer = types.unliteral(peer)
    if isinstance(peer, types.Optional):
        return f"optional({type_name(peer.type)})"
    if isinstance(peer, types.BaseTuple):
        return (
            "tuple(" + ", ".join(type_name(part) for part in peer.types) + ")"
        )
    if isinstance(peer, types.Array):
        return f"array({type_name(peer.dtype)}, {peer.ndim}, {peer.layout})"
    for name, known in SCALARS.items():
        if peer == known:
            return name
    return str(peer)


def classify(error):
    """A short class for a refusal, in our words."""
    text = str(error)
    for pattern, name in (
        ("Cannot unify", "unify"),
        ("Can't unify return", "return"),
        ("NameError", "name"),
        ("not defined", "name"),
        ("Unknown attribute", "attribute"),
        ("cannot be determined", "undetermined"),
        ("imprecise type", "undetermined"),
        ("runaway recursion", "recursion"),
        ("return value is undefined", "undefined"),
        ("Only accept returning of array", "return"),
        ("Can't return function", "return"),
        ("Cannot resolve setitem", "index"),
        ("setitem", "index"),
        ("getitem", "index"),
        ("cannot index", "index"),
        ("Tuple index", "index"),
        ("tuple index", "index"),
        ("No implementation of function", "call"),
        ("Invalid use of", "call"),
        ("No conversion", "call"),
    ):
        if pattern in text:
            return name
    return (
        "other"
        if isinstance(error, errors.NumbaError)
        else type(error).__name__
    )


def infer_source(source, arguments, entry="f"):
    """Infer a module's entry: (result, error class, message)."""
    names = {"__name__": "case"}
    exec(compile(source, "<case>", "exec"), names)
    function = names[entry]
    function = getattr(function, "py_func", function)
    try:
        with np.errstate(all="ignore"):
            state = infer_state(
                function, [parse_type(text) for text in arguments]
            )
    except Exception as error:
        lines = [
            line.strip() for line in str(error).splitlines() if line.strip()
        ]
        return None, classify(error), " | ".join(lines[:40])
    return type_name(state.return_type), None, ""


def write(script, header, questions):
    """Writes the JSON file beside a script: by form, and by the types of its
    arguments, the type of the result, or null.

    A form is an expression of `x`, perhaps `y`, and `c`, a bool; `questions`
    are pairs of one and the types of the former.
    """
    answers = {}
    for form, kinds in questions:
        parameters = ", ".join([*"xy"[: len(kinds)], "c"])
        source = f"{header}def f({parameters}):\n    return {form}\n"
        found = infer_source(source, [*kinds, "bool"])[0]
        answers.setdefault(form, {})["; ".join(kinds)] = found
    lines = (
        f"{json.dumps(form)}: {json.dumps(row)}"
        for form, row in answers.items()
    )
    file = pathlib.Path(script).with_suffix(".json")
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


__all__ = [
    "cuda",
    "infer_source",
    "infer_state",
    "parse_type",
    "type_name",
    "write",
]
