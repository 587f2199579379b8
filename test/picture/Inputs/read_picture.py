"""Reads a picture of arrays' pages and prints how many cells each array has.

read_picture.py <picture> [<maps>]: maps has a line "map NAME NODE NODE ..." for each array, with the node of each page
(-1: untouched) and "!" behind those that are not where they belong; then the cells must say the same."""

import collections
import re
import sys
import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"
CELL, CELLS_A_ROW, LEFT, MOST_CELLS = 8, 128, 88, 4096


def squares(path, offset):
    """The places (x, y) of the cells that a path marks."""
    places = re.findall(r"M(\d+) (\d+)", path.get("d"))
    return [(int(x) - offset, int(y) - offset) for x, y in places]


def read_array(group):
    """An array's name, and for each cell its classes."""
    name = group.find(f"{SVG}text/{SVG}tspan").text
    offsets = {"spilled": 3}
    cells = collections.defaultdict(set)
    for path in group.findall(f"{SVG}path"):
        for place in squares(path, offsets.get(path.get("class"), 0)):
            cells[place].add(path.get("class"))
    top = min((y for _, y in cells), default=0)
    numbered = {
        (y - top) // CELL * CELLS_A_ROW + (x - LEFT) // CELL: classes
        for (x, y), classes in cells.items()
    }
    assert sorted(numbered) == list(range(len(numbered))), f"{name}: cells are not in rows"
    return name, [numbered[i] for i in range(len(numbered))]


def expected_cell(pages):
    """The classes of the cell that stands for these pages."""
    nodes = [int(page.rstrip("!")) for page in pages]
    most = max(sorted(set(nodes)), key=nodes.count)
    classes = {"untouched" if most == -1 else f"node{most}"}
    if len(set(nodes)) > 1:
        classes.add("mixed")
    if any(page.endswith("!") for page in pages):
        classes.add("spilled")
    return classes


def expected_cells(pages):
    each = -(-len(pages) // MOST_CELLS)
    return [expected_cell(pages[i : i + each]) for i in range(0, len(pages), each)]


def main():
    maps = {}
    for line in open(sys.argv[2]) if len(sys.argv) > 2 else []:
        if line.startswith("map "):
            name, *pages = line.split()[1:]
            maps[name] = pages
    root = ElementTree.parse(sys.argv[1]).getroot()
    for group in root.findall(f"{SVG}g[@class='array']"):
        name, cells = read_array(group)
        if name in maps:
            assert cells == expected_cells(maps[name]), f"{name}: {cells}"
        print(f"{name}: {len(cells) or 'no'} cells{' as mapped' if name in maps else ''}")


main()
