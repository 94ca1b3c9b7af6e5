# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""README's picture of the stages against the pipelines of the compiler.

The picture is read as a reader sees it: a box is named by the text in it, and
an arrow leads from the box that it begins at to the one that it ends at.
"""

import re
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass

import pytest

from pyk import _core
from support.places import ROOT
from support.programs import run_program

SVG = "{http://www.w3.org/2000/svg}"

#: The average width of a letter, in sizes of the font: DejaVu Sans, the widest
#: of those that system-ui stands for, has 0.58 in such text.
WIDEST = 0.6


@dataclass(frozen=True)
class Rectangle:
    left: float
    top: float
    right: float
    bottom: float

    def has(self, x, y):
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True)
class Words:
    text: str
    is_name: bool
    place: Rectangle


def numbers(element, *names):
    return [float(element.get(name)) for name in names]


def words_of(element, size):
    x, y = numbers(element, "x", "y")
    width = len(element.text) * WIDEST * size
    if element.get("text-anchor") == "middle":
        x -= width / 2
    return Words(
        element.text,
        element.get("class") == "name",
        Rectangle(x, y - size, x + width, y + size / 4),
    )


class Picture:
    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        style = root.findtext(f"{SVG}style")
        self.style = style
        (size,) = set(re.findall(r"font: (?:\d+ )?(\d+)px", style))
        self.page = Rectangle(0, 0, *numbers(root, "width", "height"))
        self.words = [
            words_of(text, int(size)) for text in root.iter(f"{SVG}text")
        ]
        self.boxes = {}
        for element in root.iter(f"{SVG}rect"):
            if element.get("class") == "page":
                continue
            x, y, width, height = numbers(element, "x", "y", "width", "height")
            place = Rectangle(x, y, x + width, y + height)
            (name,) = (
                words.text
                for words in self.words
                if words.is_name
                and place.has(words.place.left, words.place.top)
            )
            self.boxes[name] = place
        self.arrows = set()
        for path in root.iter(f"{SVG}path"):
            line = re.fullmatch(r"M(\d+) (\d+) V(\d+)", path.get("d"))
            if line:
                x, top, bottom = map(int, line.groups())
                # The head of the arrow is as long as what is added.
                self.arrows.add((self.at(x, top), self.at(x, bottom + 2)))

    def at(self, x, y):
        (name,) = (
            name for name, place in self.boxes.items() if place.has(x, y)
        )
        return name

    def path(self, name):
        """The boxes from the first to that of the given name."""
        parents = [above for above, below in self.arrows if below == name]
        if not parents:
            return [name]
        (parent,) = parents
        return [*self.path(parent), name]


@pytest.fixture(scope="module")
def picture():
    return Picture(ROOT / "python-dialect-docs/stages.svg")


def test_each_stage_has_one_box(picture):
    stages = [name for name, _ in _core.stages()]
    assert sorted(picture.boxes) == sorted(["Python", *stages])


def test_words_fit(picture):
    for words in picture.words:
        place = words.place
        inside = [
            box
            for box in picture.boxes.values()
            if box.has(place.left, place.top)
        ] or [picture.page]
        for box in inside:
            assert box.has(place.left, place.top), words
            assert box.has(place.right, place.bottom), words


def test_boxes_are_apart(picture):
    boxes = list(picture.boxes.values())
    for i, one in enumerate(boxes):
        assert picture.page.has(one.left, one.top)
        assert picture.page.has(one.right, one.bottom)
        for other in boxes[i + 1 :]:
            assert (
                one.right < other.left
                or other.right < one.left
                or one.bottom < other.top
                or other.bottom < one.top
            )


def test_each_color_has_one_for_the_dark(picture):
    light, dark = picture.style.split("@media (prefers-color-scheme: dark)")

    def colors(text):
        found = re.findall(r"([.\w]+) \{ ([^}]*) \}", text)
        return {
            (name, kind)
            for name, rules in found
            for kind in re.findall(r"(fill|stroke): #", rules)
        }

    assert colors(light) == colors(dark) != set()


PROGRAM = """
import numpy as np
from pyk import cuda

@cuda.jit
def fill(a):
    a[cuda.grid(1)] = 1

fill[1, 32](np.zeros(32))
"""


#: Options, and the last stage of the code that they make.
WAYS = [
    (("--emit=ptx",), "ptx"),
    (("--cpu=simd",), "host"),
    (("--cpu=reference",), "threads"),
]


@pytest.mark.parametrize(("options", "last"), WAYS)
def test_arrows_are_the_way_of_the_compiler(picture, tmp_path, options, last):
    command = run_program(
        *(tmp_path, PROGRAM, "-m", "pyk", "--target=cpu", "--reproduce"),
        *options,
        TMPDIR=str(tmp_path),
    ).stderr
    pipelines = re.findall(r"--pyk-lower-to-(\w+)", command)
    way = picture.path(last)
    assert way[:2] == ["Python", "py"]
    # PTX is printed of stage llvm.
    printed = ["llvm", "ptx"] if "--pyk-print-ptx" in command else []
    assert way[2:] == pipelines + printed


def test_ends_say_where_they_run(picture):
    below = {above for above, _ in picture.arrows}
    ends = {
        name: box for name, box in picture.boxes.items() if name not in below
    }
    targets = dict(_core.stages())
    devices = {"cuda": "GPU", "cpu": "CPU"}
    for name, box in ends.items():
        (label,) = (
            words.text
            for words in picture.words
            if box.bottom < words.place.bottom
            and box.left
            < (words.place.left + words.place.right) / 2
            < box.right
        )
        assert devices[targets[name]] in label
    # Each box leads to one of them.
    assert {name for end in ends for name in picture.path(end)} == set(
        picture.boxes
    )
