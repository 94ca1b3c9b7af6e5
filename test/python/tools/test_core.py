# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The extension module, without a kernel."""

import ast
import gc
import json
import pathlib
import sys
import traceback
import weakref

import pytest

import pyk
from pyk import _core, _errors, cuda
from pyk._frontend import _build, _compiled_texts
from pyk.cuda import errors
from pyk.cuda._host_function import HostFunction


def test_stub_has_the_names_of_the_module():
    stub = pathlib.Path(pyk.__file__).with_name("_core.pyi").read_text()
    tree = ast.parse(stub)

    def names(nodes):
        return {
            node.name
            for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        }

    def public(value):
        return {name for name in vars(value) if not name.startswith("_")}

    assert names(tree.body) == public(_core)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found = getattr(_core, node.name)
            declared = names(node.body)
            assert declared <= set(dir(found))
            assert public(found) <= declared


def test_compile_checks_its_arguments():
    with pytest.raises(TypeError, match="expects bytes or str for source"):
        _core.compile(source=3, target="cpu")
    with pytest.raises(TypeError):
        _core.compile(target="cpu")
    with pytest.raises(TypeError, match="expects str for the names of options"):
        _core.compile(source=STORE, target="cpu", options={1: True})


@pytest.mark.parametrize("target", ["cpu", "cuda"])
def test_arguments_that_no_launch_passes(target):
    """A file may ask for text as an argument; programs cannot."""
    text = """
py.func @k(["s", "n"]) kernel arguments [!py.chars<str, 4>, si64] {
}
"""
    with pytest.raises(
        errors.LoweringError, match="expects arguments that launches can pass"
    ):
        _core.compile(source=text, source_name="<text>", target=target)


def test_kinds_become_classes():
    error = _errors.from_kind("TypingError", "text", "p.py", 3, 5)
    assert type(error) is errors.TypingError
    assert (str(error), error.message) == ("text", "text")
    assert (error.filename, error.lineno, error.column) == ("p.py", 3, 5)
    assert type(_errors.from_kind("ValueError", "x", "", 0, 0)) is ValueError
    support = _errors.from_kind("CudaSupportError", "x", "", 0, 0)
    assert type(support) is errors.CudaSupportError
    for kind in ("Unheard", "print", "type", "located", "KeyboardInterrupt"):
        assert type(_errors.from_kind(kind, "x", "", 0, 0)) is pyk.CompileError


def test_hierarchy():
    assert issubclass(pyk.CompileError, errors.NumbaError)
    for name in (
        *("TypingError", "LoweringError", "UnsupportedError"),
        *("ConstantInferenceError", "RequireLiteralValue"),
    ):
        assert issubclass(getattr(errors, name), pyk.CompileError)
    assert issubclass(errors.NumbaPerformanceWarning, errors.NumbaWarning)


STORE = """
pyk.func @store(%a: !pyk.array<?xf32, c>, %x: f32) attributes {kernel} {
  %i = pyk.grid x : i64
  pyk.store %x, %a[%i] : !pyk.array<?xf32, c>
  pyk.return
}
"""


def test_kernel_for_cuda_cannot_be_loaded_on_the_cpu():
    kernel = _core.compile(source=STORE, target="cuda")
    assert ".entry store" in kernel.ptx
    with pytest.raises(ValueError, match="kernel 'store'"):
        kernel.load(_core.Device.get(0, 0))


def test_without_target_there_is_only_a_text():
    kernel = _core.compile(source=STORE, emit="llvm")
    assert "define ptx_kernel void @store" in kernel.emitted
    assert (kernel.ptx, kernel.manifest) == ("", "")
    with pytest.raises(ValueError, match="kernel 'store'"):
        kernel.load(_core.Device.get(0, 0))


def test_names_come_from_the_compiler():
    assert _core.targets() == ["cpu", "cuda"]
    assert _core.stages() == [
        *[(name, None) for name in ("py", "pyk", "gpu", "nvvm", "llvm")],
        ("ptx", "cuda"),
        ("checked", "cpu"),
        ("simd", "cpu"),
        ("host", "cpu"),
        ("threads", "cpu"),
        ("reference", "cpu"),
    ]
    assert _core.compile_options() == [
        ("assume", "none,launch,scalars,sizes,disjoint,aligned,strides,inside"),
        ("block", ""),
        ("check-bounds", "true|false"),
        ("check-memory", "true|false"),
        ("chip", ""),
        ("cpu", "auto|reference|reversed|simd"),
        ("cpu-level", "native|x86-64|x86-64-v2|x86-64-v3|x86-64-v4|armv8-a"),
        ("debug-info", "none|lines|full"),
        ("fma", "true|false"),
        ("opt", "0|1|2|3"),
        ("report-errors", "true|false"),
        ("reproducible", "true|false"),
        ("tile", ""),
    ]


def test_result_of_a_function():
    source = """
py.func @half(["x"]) kernel arguments [si8] device {
  %x = py.get "x" : !py.object
  %c2 = py.constant(2 : si64) : !py.object
  %half = py.binary truediv %x, %c2 : (!py.object, !py.object) -> !py.object
  py.return %half : !py.object
}
"""
    assert _core.infer_result(source=source) == "f64"
    wrong = source.replace("si8", "!pyk.array<?xf32, c>")
    with pytest.raises(pyk.CompileError, match="<half>:5:11: error: operator"):
        _core.infer_result(source=wrong, source_name="<half>")


def frames(call, error):
    """The files in the traceback of the `error` that `call` raises."""
    with pytest.raises(error) as caught:
        call()
    found = traceback.extract_tb(caught.value.__traceback__)
    return [pathlib.Path(frame.filename).name for frame in found]


@cuda.jit
def kernel(a):
    pass


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: cuda.jit(foo=1), TypeError),
        (lambda: cuda.jit()(3), TypeError),
        (lambda: cuda.grid(1), RuntimeError),
        (lambda: kernel(1), ValueError),
        (lambda: kernel[1], ValueError),
        (lambda: kernel[1, 1]({}), ValueError),
        (lambda: kernel.configure(1, 0), ValueError),
        (lambda: kernel.forall(-1), ValueError),
    ],
)
def test_traceback_has_no_frame_of_pyk(call, error):
    here = pathlib.Path(__file__).name
    assert frames(call, error) == [here, here]


def test_frames_of_the_user_inside_pyk_are_kept():
    class Size:
        def __index__(self):
            return 1 // 0

    here = pathlib.Path(__file__).name
    found = frames(lambda: kernel[Size(), 1], ZeroDivisionError)
    assert found == [here, here, here]


def test_boundary_belongs_to_instances():
    class Thing:
        value = 3

        def method(self, x, *, y=1):
            return self.value + x + y

        wrapped = _core.Boundary(method, _errors.trim)

    assert Thing().wrapped(2, y=5) == 10
    assert Thing.wrapped.__name__ == "method"
    assert Thing.wrapped.__wrapped__ is Thing.method


def fail():
    raise KeyError("mine")


def test_a_failure_to_trim_hides_no_exception():
    def trim(error):
        seen.append(error)
        raise ValueError("trim's")

    seen = []
    with pytest.raises(KeyError, match="mine") as caught:
        _core.Boundary(fail, trim)()
    assert seen == [caught.value]
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "fail"


@pytest.mark.parametrize("place", ["function", "trim"])
def test_boundaries_in_circles_are_collected(place):
    class Callee:
        def __call__(self, *arguments):
            pass

    callee = Callee()
    parts = {"function": fail, "trim": _errors.trim, place: callee}
    callee.boundary = _core.Boundary(**parts)
    alive = weakref.ref(callee)
    del callee, parts
    gc.collect()
    assert alive() is None


def test_boundaries_keep_no_more_than_they_hold():
    def function(self=None):
        """Of the test."""

    boundary = _core.Boundary(function, _errors.trim)
    bound = type("Bound", (), {"method": boundary})()
    kept = [function, function.__doc__, function.__qualname__, boundary]
    kept += [_errors.trim, bound]
    counts = [*map(sys.getrefcount, kept)]
    for _ in range(50):
        assert boundary.__wrapped__ is function
        assert boundary.__doc__ == "Of the test."
        assert boundary.__qualname__ is function.__qualname__
        bound.method()
        boundary()
    assert [*map(sys.getrefcount, kept)] == counts


def test_failures_are_let_go():
    class Mine(Exception):
        pass

    def fail():
        raise Mine

    boundary = _core.Boundary(fail, _errors.trim)
    with pytest.raises(Mine) as caught:
        boundary()
    alive = weakref.ref(caught.value)
    del caught
    gc.collect()
    assert alive() is None


def test_listeners_to_compilations_are_let_go():
    class Listener:
        def __call__(self, source, file):
            seen.append((source, file))

    seen = []
    listener = Listener()
    alive = weakref.ref(listener)
    try:
        _core.listen_to_compile(listener)
        del listener
        compile("x = 1", "<mine>", "exec")
        sys.audit("compiled", "x = 2", "<mine>")
        _core.listen_to_compile(None)
        compile("x = 3", "<mine>", "exec")
    finally:
        _core.listen_to_compile(_compiled_texts._keep)
    assert seen == [(b"x = 1", "<mine>")]
    assert alive() is None


def test_a_keeper_is_one_of_a_device():
    with pytest.raises(TypeError, match="Keeper expects a Device"):
        _core.Keeper(object(), 3)
    device = _core.Device.get(0, 0)
    owner = [1]
    count = sys.getrefcount(owner), sys.getrefcount(device)
    for _ in range(3):
        keeper = _core.Keeper(owner, device)
        assert keeper.owner is owner
    assert sys.getrefcount(device) == count[1] + 1
    del keeper
    assert (sys.getrefcount(owner), sys.getrefcount(device)) == count


def test_captures_that_a_function_has_no_parameters_for():
    def k():
        pass

    buffer = json.loads(_build.build(HostFunction(k), []))
    buffer["functions"]["k"]["captures"] = 53
    with pytest.raises(pyk.CompileError, match="53 captures but got 0"):
        _core.compile(source=json.dumps(buffer), target="cpu")
