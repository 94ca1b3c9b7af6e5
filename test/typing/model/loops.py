# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops: the head joins the entry with what came around in the previous walk.

The condition of `while` is typed twice, before the loop and at its end; `for`
leaves from its head, and defines its target in the body.
"""

import ast

from .definitions import Definition, dead, environment_alive
from .errors import TypingError
from .indexing import index_array
from .symbols import Value
from .types import Array, Iterator, Tuple, plain


class Frame:
    """Where jumps of one loop collect their environments."""

    def __init__(self):
        self.breaks, self.continues = [], []


def assigned(loop):
    """The names that the iterations of a loop assign."""
    parts = [getattr(loop, "target", None), *loop.body]
    return {
        n.id
        for part in filter(None, parts)
        for n in ast.walk(part)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    }


class Loops:
    """The part of `Function` that runs loops."""

    def loop(self, node, entry, run):
        """The head of a loop joins the entry with what came around last time.

        run(environment, frame) walks the body and returns what goes around.
        """
        if node not in self.assigned:
            self.assigned[node] = assigned(node)
        names = self.assigned[node]
        head = dict(entry)
        for name in names:
            key = (node, name, self.copy, "head")
            definition = self.definitions.setdefault(key, Definition(name))
            came = [
                d for d in definition.sources or [] if d is not entry.get(name)
            ]
            definition.sources = [
                d for d in [entry.get(name), *came] if d is not None
            ]
            definition.partial = name not in entry
            self.form(definition, key)
            if definition.sources:
                head[name] = definition
        frame = Frame()
        self.frames.append(frame)
        self.depth += 1
        around = run(head, frame)
        self.depth -= 1
        self.frames.pop()
        for name in names:
            definition = self.definitions[node, name, self.copy, "head"]
            sources = [
                e.get(name) for e in [entry, *around] if environment_alive(e)
            ]
            fresh = [
                d
                for d in dict.fromkeys(sources)
                if d is not None and d is not definition
            ]
            definition.partial = None in sources
            if fresh != definition.sources:
                definition.sources = fresh
                self.changed = True
        return frame

    def do_While(self, node, environment):
        """The condition stands twice: before the loop and at its end."""
        if not self.module.rotate:
            self.plain_while(node, environment)
            return
        copy = self.copy
        true, false = self.test(node.test)
        exits = [dict(environment) if false else dead()]
        if true:

            def run(head, frame):
                self.body(node.body, head)
                bottom = self.join((node, "bottom"), [head, *frame.continues])
                if not environment_alive(bottom):
                    return []
                self.environment, self.copy = bottom, (*copy, node)
                again, done = self.test(node.test)
                self.copy = copy
                exits.append(bottom if done else dead())
                return [bottom] if again else []

            frame = self.loop(node, environment, run)
        else:
            frame = Frame()
        self.finish_loop(node, environment, exits, frame)

    def plain_while(self, node, environment):
        """The condition stands once, at the head.

        What came around leaves with the head, so that the first walk types
        what stands behind the loop as it does where the condition stands twice.
        """
        exits = []

        def run(head, frame):
            self.environment = head
            true, false = self.test(node.test)
            inside = head if true else dead()
            left = dict(head) if false else dead()
            self.body(node.body, inside)
            around = [inside, *frame.continues]
            exits.extend([left, *around] if false else [left])
            return around

        frame = self.loop(node, environment, run)
        self.finish_loop(node, environment, exits, frame)

    def do_For(self, node, environment):
        """The body defines the target; the exit leaves from the head."""
        iterated = self.evaluate(node.iter).type
        element = None
        if isinstance(iterated, Iterator):
            element = iterated.element
        elif (
            isinstance(iterated, Tuple) and len(set(plain(iterated).items)) == 1
        ):
            element = plain(iterated).items[0]
        elif isinstance(iterated, Array):
            element = index_array(iterated, "int64")
        elif iterated is not None:
            self.note(TypingError("call", f"cannot iterate over {iterated}"))
        exits = []

        def run(head, frame):
            exits.append(dict(head))
            self.assign(node.target, Value(element), head)
            self.body(node.body, head)
            return [head, *frame.continues]

        frame = self.loop(node, environment, run)
        self.finish_loop(node, environment, exits, frame)

    def finish_loop(self, node, environment, exits, frame):
        """`else` runs on the normal exits; breaks go around it."""
        normal = self.join((node, "exit"), exits)
        self.depth += 1
        self.body(node.orelse, normal)
        self.depth -= 1
        self.replace(
            environment, self.join((node, "after"), [normal, *frame.breaks])
        )
