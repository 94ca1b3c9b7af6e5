# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How inputs are damaged: as text, as a syntax tree, as JSON."""

import ast
import copy
import json
import re

TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
NUMBERS = [
    *("0", "1", "-1", "2", "7", "64", "255", "-9223372036854775808"),
    *("9223372036854775807", "18446744073709551615", "1e400", "1e-400"),
    *("0.5", "1000000000", "4294967296", "-2147483649"),
]
EXPRESSIONS = (
    """
a[0]; a[...]; a[None]; a[::-1]; a[1:2, 0]; a.T; a.shape[0]; a.size; len(a); ()
(1, 2); cuda.grid(2); cuda.threadIdx; cuda.local.array(3, np.int8); math.pi
cuda.shared.array((2, 2), np.float16); cuda.shared.array(0, np.int8); range(3)
math.sqrt; np.float32(1); lambda x: x; [1, 2]; {1: 2}; 'text'; f'{x}'; not x
x if x else a; x < a < 1; [x for x in a]; print(x); cuda.atomic.add(a, 0, 1)
max(a); min(1, 2.5, x); (x := 1); float('nan'); abs(x); round(x, 2); int(x)
bool(a); enumerate(a); zip(a, a); ~x; x @ a; cuda.const.array_like(a); True
__import__; Ellipsis; x.y.z; a[a]; k(a); f(x); -x ** -x; 2 ** 70; 1j; None
cuda.syncthreads(); x is None; x in a; (a, x)[x]; (1, 2.5)[0]; a.reshape(2, 2)
18446744073709551616; -9223372036854775808; x << 64; 1 // 0; x % 0; 1 / 0
""".replace("\n", ";")
    .strip(";")
    .split(";")
)
STATEMENTS = (
    """
break; continue; return; return a; pass; x = 1; x += a; a[0] = x; del x
global x; while x: pass; for x in range(9): pass; for x in a: x = a
if x: return; a = a[1:]; x, a = a, x; raise x; assert x; with x: pass
import os; def g(): pass; class C: pass; x: int = 1; x, (a, x) = x; x = a = x
cuda.syncthreads(); a[:] = x; a[x][0] = 1; x = a.shape; yield; a[0], x = x
while True: x = 1; while x: break; for x in (1, 2.5): a[0] = x; return x, a
for i, x in enumerate(a): a[i] = x; x = cuda.local.array((2, 2), np.float32)
while x < 3: x += 1; return None; x = None; x **= x; a[0] += 1; x = a = 1
""".replace("\n", ";")
    .strip(";")
    .split(";")
)
STRINGS = [
    "",
    "x",
    "a",
    "k",
    "int",
    "si64",
    "%",
    "\x00",
    "é",
    "1" * 50,
    "const",
]
MLIR = """
i1 i8 i16 i32 i64 i128 f16 f32 f64 bf16 index none si64 ui8 tuple<> !py.object
!pyk.array<?xf32,c> !pyk.array<f32,c> !pyk.array<?x?xi8,any> !llvm.ptr
vector<4xf32> memref<?xf32> () {} [] % @k ^bb0 -> : , = true unit dense<0>
attributes {kernel} pyk.return pyk.break pyk.continue pyk.yield pyk.barrier
pyk.if pyk.for pyk.loop py.get py.set py.call scf.if cf.br arith.constant
""".split()


def python_text(text, source):
    """Some tokens exchanged, dropped, doubled; only within functions."""
    start = text.find("def ")
    head, body = text[:start], TOKEN.findall(text[start:])
    for _ in range(source.choice([1, 1, 2, 4])):
        index = source.randrange(len(body))
        other = source.randrange(len(body))
        form = source.randrange(6)
        if form == 0:
            body[index], body[other] = body[other], body[index]
        elif form == 1:
            body[index] = ""
        elif form == 2:
            body.insert(index, body[other])
        elif form == 3:
            body[index] = source.choice(EXPRESSIONS).strip()
        elif form == 4:
            body[index] = source.choice([*NUMBERS, *"+-*/%<>=()[],.:"])
        else:
            lines = "".join(body).split("\n")
            line = source.randrange(len(lines))
            lines.insert(source.randrange(len(lines)), lines[line])
            body = TOKEN.findall("\n".join(lines))
    return head + "".join(body)


def parsed(text, mode):
    """The syntax tree of a piece, or None if this Python has no such."""
    try:
        return ast.parse(text.strip(), mode=mode)
    except SyntaxError:
        return None


def blocks_of(tree):
    """Every list of statements within functions."""
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            for node in ast.walk(function):
                for name in ("body", "orelse"):
                    block = getattr(node, name, None)
                    if isinstance(block, list) and (
                        block or isinstance(node, ast.For | ast.While)
                    ):
                        yield block


def places_of(tree):
    """(node, field, index) of every expression within functions."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for statement in function.body:
            for node in ast.walk(statement):
                for name, value in ast.iter_fields(node):
                    items = value if isinstance(value, list) else [value]
                    for index, item in enumerate(items):
                        if isinstance(item, ast.expr):
                            place = index if items is value else None
                            yield node, name, place, item


def put(place, expression):
    """A copy of an expression in the place of another."""
    node, name, index, _ = place
    expression = copy.deepcopy(expression)
    if index is None:
        setattr(node, name, expression)
    else:
        getattr(node, name)[index] = expression


def python_tree(text, source, other):
    """Statements and expressions moved, exchanged, wrapped, taken over."""
    try:
        tree, donor = ast.parse(text), ast.parse(other)
    except SyntaxError:
        return python_text(text, source)
    for _ in range(source.choice([1, 1, 2, 3, 6])):
        places, blocks = list(places_of(tree)), list(blocks_of(tree))
        form = source.randrange(8)
        if form < 2 and places:
            piece = parsed(source.choice(EXPRESSIONS), "eval")
            put(source.choice(places), piece.body)
        elif form == 2 and places:
            a, b = source.choice(places), source.choice(places)
            put(a, b[3])
        elif form == 3 and places:
            donated = list(places_of(donor))
            if donated:
                put(source.choice(places), source.choice(donated)[3])
        elif form == 4:
            block = source.choice(blocks)
            piece = parsed(source.choice(STATEMENTS), "exec")
            index = source.randrange(len(block) + 1)
            block[index:index] = piece.body if piece else []
        elif form == 5:
            donated = list(blocks_of(donor))
            if donated:
                block = source.choice(blocks)
                piece = source.choice(source.choice(donated) or [ast.Pass()])
                index = source.randrange(len(block) + 1)
                block.insert(index, copy.deepcopy(piece))
        elif form == 6:
            block = source.choice(blocks)
            if block:
                index = source.randrange(len(block))
                head = source.choice(["if x: 0", "while x: 0", "for x in a: 0"])
                (wrapped,) = parsed(head, "exec").body
                wrapped.body = [block[index]]
                block[index] = wrapped
        else:
            block = source.choice(blocks)
            if len(block) > 1:
                del block[source.randrange(len(block))]
    try:
        return ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    except (ValueError, AttributeError, TypeError, RecursionError):
        return python_text(text, source)


def nodes_of(value):
    """(container, key) of everything in a JSON value."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in list(items):
        yield value, key
        yield from nodes_of(item)


def buffer(text, source):
    """Values of a buffer dropped, exchanged, replaced."""
    unit = json.loads(text)
    for _ in range(source.choice([1, 1, 1, 2, 4])):
        nodes = list(nodes_of(unit))
        if not nodes:
            break
        place, key = source.choice(nodes)
        other, other_key = source.choice(nodes)
        form = source.randrange(7)
        if form == 0:
            del place[key]
        elif form == 1:
            place[key] = copy.deepcopy(other[other_key])
        elif form == 2:
            place[key], other[other_key] = other[other_key], place[key]
        elif form == 3:
            place[key] = source.choice(
                [None, True, 0, -1, 2**31, 2**63, 2**64, 1.5, [], {}]
            )
        elif form == 4:
            place[key] = source.choice([*STRINGS, *NUMBERS])
        elif form == 5 and isinstance(place, list):
            place.insert(key, copy.deepcopy(other[other_key]))
        elif isinstance(place[key], str):
            strings = [
                p[k] for p, k in nodes if isinstance(p[k], str)
            ]  # kinds, names, operators
            place[key] = source.choice(strings)
        # An exchange may have made a value part of itself.
        try:
            unit = json.loads(json.dumps(unit))
        except ValueError:
            return text
    return json.dumps(unit)


def mlir(text, source, other):
    """Tokens and lines of a file exchanged, dropped, doubled, taken over."""
    if source.random() < 0.4:
        lines = text.split("\n")
        for _ in range(source.choice([1, 1, 2, 3])):
            index = source.randrange(len(lines))
            form = source.randrange(4)
            if form == 0 and len(lines) > 1:
                del lines[index]
            elif form == 1:
                lines.insert(index, source.choice(lines))
            elif form == 2:
                lines.insert(index, source.choice(other.split("\n")))
            else:
                swap = source.randrange(len(lines))
                lines[index], lines[swap] = lines[swap], lines[index]
        return "\n".join(lines)
    tokens = re.findall(r"[%@!^#]?[\w.]+|\s+|[^\w\s]", text)
    solid = [i for i, token in enumerate(tokens) if not token.isspace()]
    for _ in range(source.choice([1, 1, 1, 2, 4])):
        if not solid:
            break
        index = source.choice(solid)
        token = tokens[index]
        form = source.randrange(6)
        if form == 0:
            tokens[index] = ""
        elif form == 1:
            tokens[index] = source.choice(MLIR)
        elif form == 2:
            tokens[index] = tokens[source.choice(solid)]
        elif form == 3:
            # Another of its kind.
            like = [
                tokens[i]
                for i in solid
                if tokens[i][:1] == token[:1] and len(tokens[i]) > 1
            ]
            tokens[index] = source.choice(like or [token])
        elif form == 4:
            numbers = [i for i in solid if tokens[i].isdigit()]
            if numbers:
                tokens[source.choice(numbers)] = source.choice(NUMBERS)
        else:
            operations = [
                i for i in solid if re.fullmatch(r"[a-z]+\.\w+", tokens[i])
            ]
            if operations:
                a, b = source.choice(operations), source.choice(operations)
                tokens[a] = tokens[b]
    return "".join(tokens)
