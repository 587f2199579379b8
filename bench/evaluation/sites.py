# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the study calls the arrays of a profile.

Static arrays have their names.  Blocks of the heap are known by the place that allocates them, and by
the callers of a function that allocates for several: name (file:line < caller's file:line).  Places are
lines of the sources, which are the same in all builds of a program.
"""

import re
from pathlib import Path

from .common import call
from .profile import BLOCK, MAPPING, STACK, STATIC
from .programs import plain_name

FRAMES_MAX = 6
OF_OTHERS = re.compile(r"mai_static\.h$|^/usr/|/include/c\+\+/")  # Minas's, and the standard library's
ASSIGNMENT = re.compile(r"([A-Za-z_][\w.>\[\]*-]*)\s*=[^=]")


def lines_of_code(module, offsets):
    """{offset: [(file, line), ...]} of calls, with the functions that were merged into others."""
    if not Path(module).is_file() or not offsets:
        return {}
    said = call(["addr2line", "-a", "-i", "-e", module, *(hex(offset - 1) for offset in offsets)])
    found, frames = [], None
    for line in said.splitlines():
        if re.fullmatch(r"0x[0-9a-f]+", line):
            frames = []
            found.append(frames)
            continue
        path, _, number = line.partition(" ")[0].rpartition(":")
        if number.isdigit() and not OF_OTHERS.search(path):
            frames.append((path, int(number)))
    return dict(zip(offsets, found))


class Places:
    """Of each block of a profile, the lines of the program's own code that allocated it."""

    def __init__(self, profile):
        self.own = profile.program
        chains = {id(array): array.chain
                  for array in profile.arrays if array.kind not in (STATIC, STACK)}
        offsets = sorted({offset for chain in chains.values() for module, offset in chain
                          if self._is_own(module)})
        code = lines_of_code(self.own, offsets)
        self.frames = {key: tuple(frame for module, offset in chain if self._is_own(module)
                                  for frame in code.get(offset, ()))[:FRAMES_MAX]
                       for key, chain in chains.items()}

    def _is_own(self, module):
        return Path(module).name == Path(self.own).name

    def of(self, array):
        return self.frames.get(id(array), ())


def needed_frames(chains):
    """{chain: how many of its frames tell it from the others}."""
    result = dict.fromkeys(chains, 1)
    for depth in range(1, FRAMES_MAX):
        groups = {}
        for chain in chains:
            groups.setdefault(chain[:depth], set()).add(chain[depth:depth + 1])
        for chain in chains:
            if len(groups[chain[:depth]]) > 1 and len(chain) > depth:
                result[chain] = depth + 1
    return result


def variable_at(path, line):
    try:
        code = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()[line - 1]
    except (OSError, IndexError):
        return None
    found = ASSIGNMENT.search(code)
    return found and found[1]


def label(frames):
    places = " < ".join(f"{Path(path).name}:{line}" for path, line in frames)
    variable = variable_at(*frames[-1])
    return f"{variable} ({places})" if variable else places


def names_of(profile):
    """{id of array: name}, and {name: its frames}."""
    places = Places(profile)
    needed = needed_frames({places.of(array) for array in profile.arrays if places.of(array)})
    names, frames = {}, {}
    for array in profile.arrays:
        chain = places.of(array)
        if array.kind in (STATIC, STACK):
            names[id(array)] = plain_name(array.name) if array.kind == STATIC else array.name
        elif chain:
            mine = chain[:needed[chain]]
            names[id(array)] = label(mine)
            frames[label(mine)] = mine
        else:
            kind = {BLOCK: "heap", MAPPING: "mapping"}.get(array.kind, "MAi")
            names[id(array)] = f"{array.name or kind} ({Path(array.module).name})"
    return names, frames
