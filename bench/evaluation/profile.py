# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads profiles of mai-trace, as maiprof(5) describes them: who accessed what how often, and where it was."""

import bisect
from dataclasses import dataclass, field

from .common import EvaluationError

STATIC, BLOCK, MAI, STACK, MAPPING = 1, 2, 3, 4, 5
OPENMP = 0


@dataclass
class Array:
    kind: int
    start: int
    bytes: int
    name: str
    module: str
    offset: int = 0  # of the code that allocates it
    chain: tuple = ()  # (module, offset) of the calls that led there, the innermost first


@dataclass
class Profile:
    line: int = 0
    page: int = 0
    coarse: bool = False
    program: str = ""
    nodes: list = field(default_factory=list)  # OS indices
    node_of_cpu: dict = field(default_factory=dict)
    threads: list = field(default_factory=list)  # (kind, number, CPU or None)
    arrays: list = field(default_factory=list)
    node_of_page: dict = field(default_factory=dict)  # page number: node
    series: list = field(default_factory=list)  # (thread, lines, accesses)


class Reader:
    """The numbers and texts of a section, one after the other."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length:self.at].decode(errors="replace")


def numbers(data):
    """All numbers of a section that holds nothing else."""
    result = []
    value = shift = 0
    for byte in data:
        if byte < 128:
            result.append(value | byte << shift)
            value = shift = 0
        else:
            value |= (byte & 127) << shift
            shift += 7
    return result


def groups(values, at, width):
    """The entries of groups, each the unit's number and `width` values."""
    while values[at] != 0:
        unit = values[at] - 1
        at += 1
        while values[at] != 0:
            unit += values[at] - 1
            yield unit, values[at + 1:at + 1 + width]
            unit += 1
            at += 1 + width
        at += 1


def read_head(profile, reader):
    profile.line, profile.page = reader.number(), reader.number()
    for _ in range(3):
        reader.number()
    profile.coarse = bool(reader.number() & 1)
    for _ in range(4):
        reader.number()
    profile.program = reader.text()


def read_machine(profile, reader):
    count = reader.number()
    for _ in range(count):
        profile.nodes.append(reader.number())
        reader.number()
    for _ in range(count * count):
        reader.number()
    for _ in range(reader.number()):
        cpu, node = reader.number(), reader.number()
        if node:
            profile.node_of_cpu[cpu] = profile.nodes[node - 1]


def read_threads(profile, reader):
    for _ in range(reader.number()):
        kind, number, cpu, _, _, reads, writes = (reader.number() for _ in range(7))
        profile.threads.append((kind, number, cpu - 1 if cpu else None))
        profile.coarse |= bool(reads or writes)


def read_arrays(profile, reader):
    while kind := reader.number():
        start, size, _ = reader.number(), reader.number(), reader.number()
        name, module, offset, _ = reader.text(), reader.text(), reader.number(), reader.text()
        profile.arrays.append(Array(kind, start, size, name, module, offset))


def read_calls(profile, reader):
    chains = []
    while count := reader.number():
        chains.append(tuple((reader.text(), reader.number()) for _ in range(count)))
    arrays = {array.start: array for array in profile.arrays}
    while start := reader.number():
        chain, _ = reader.number(), reader.number()
        if start in arrays:
            arrays[start].chain = chains[chain - 1]


def read_pages(profile, data):
    for page, (node, _, _) in groups(numbers(data), 0, 3):
        profile.node_of_page[page] = node - 1 if node else None


def read_lines(profile, data):
    read_series(profile, numbers(data))


def read_freed(profile, data):
    read_series(profile, numbers(data)[1:])


def read_parts(profile, data):
    read_series(profile, numbers(data), profile.line)


def read_series(profile, values, units=1):
    """What a thread did to lines, of so many of the section's units."""
    accesses = {}
    for unit, (reads, writes) in groups(values, 2, 2):
        accesses[unit // units] = accesses.get(unit // units, 0) + reads + writes
    profile.series.append((values[0], list(accesses), list(accesses.values())))


def sections(data):
    if data[:8] not in (b"MAIPROF\1", b"MAIPROF\2"):
        raise ValueError("it does not begin as a profile of version 1 or 2 does")
    at = 8
    while at < len(data):
        name = data[at:at + 4].decode("latin-1")
        length = int.from_bytes(data[at + 4:at + 12], "little")
        at += 12 + length
        if at > len(data):
            break
        yield name, data[at - length:at]
        if name == "END ":
            return
    raise ValueError("its end is missing")


def parse(data):
    profile = Profile()
    by_numbers = {"HEAD": read_head, "MACH": read_machine, "THRD": read_threads, "ARRY": read_arrays,
                  "CALL": read_calls}
    by_bytes = {"PAGE": read_pages, "LINE": read_lines, "FREE": read_freed,
                "PART": read_parts}
    for name, contents in sections(data):
        if name in by_numbers:
            by_numbers[name](profile, Reader(contents))
        elif name in by_bytes:
            by_bytes[name](profile, contents)
        profile.coarse |= name == "COAR"
    return profile


def read(data, name):
    """The profile in these bytes; `name` is what errors call it."""
    try:
        profile = parse(data)
    except (ValueError, IndexError) as error:
        raise EvaluationError(f"{name}: not a profile of mai-trace: {error}; remove it, and it is "
                              "made again") from error
    if profile.coarse:
        raise EvaluationError(f"{name}: memory for counters ran out while the program was traced "
                              "(MAI_TRACE_MEMORY); trace a smaller input or fewer threads")
    return profile


def load(path):
    try:
        return read(path.read_bytes(), path)
    except OSError as error:
        raise EvaluationError(f"{path}: {error.strerror}") from error


class ArrayFinder:
    """Finds the array that a line belongs to; lines next to each other are mostly of the same."""

    def __init__(self, arrays, line):
        self.arrays = sorted(arrays, key=lambda array: array.start)
        self.starts = [array.start // line for array in self.arrays]
        self.ends = [-(-(array.start + array.bytes) // line) for array in self.arrays]

    def runs(self, lines):
        """(array or None, first index, last index + 1) of an ascending list of lines."""
        at = 0
        while at < len(lines):
            which = bisect.bisect_right(self.starts, lines[at]) - 1
            inside = which >= 0 and lines[at] < self.ends[which]
            if inside:
                limit = self.ends[which]
            else:
                limit = self.starts[which + 1] if which + 1 < len(self.starts) else lines[-1] + 1
            end = bisect.bisect_left(lines, limit, at)
            yield (self.arrays[which] if inside else None), at, end
            at = end
