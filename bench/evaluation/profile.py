# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mai-trace exports of a profile: who accessed what how often, and where it was."""

import bisect
import json
import tempfile
from dataclasses import dataclass
from pathlib import Path

from .common import EvaluationError, call

STATIC, BLOCK, STACK, MAPPING = "static", "heap", "stack", "mapping"


@dataclass
class Array:
    kind: str
    start: int
    bytes: int
    name: str
    module: str
    chain: tuple  # (module, offset) of the calls that allocated it, the innermost first


@dataclass
class Thread:
    is_openmp: bool
    number: int
    cpu: int  # or None
    lines: list  # that it accesses, in order
    accesses: list  # to each of these
    in_tasks: int  # or None where tasks were not told apart


class Profile:

    def __init__(self, exported):
        self.line = exported["line_bytes"]
        self.page = exported["page_bytes"]
        self.program = exported["program"]
        self.nodes = exported["nodes"]  # OS indices
        self.node_of_cpu = {each["cpu"]: each["node"] for each in exported["cpus"] if "node" in each}
        self.node_of_page = {each["page"]: each["node"] for each in exported["pages"]}
        self.arrays = [Array(each["kind"], each["start"], each["bytes"], each["name"], each["module"],
                             tuple((call["module"], call["offset"]) for call in each["calls"]))
                       for each in exported["arrays"]]
        self.threads = [Thread(each["openmp"], each["number"], each.get("cpu"), **accesses,
                               in_tasks=each.get("in_tasks"))
                        for each, accesses in zip(exported["threads"], exported["accesses"])]


def load(mai_trace, path):
    try:
        exported = json.loads(call([mai_trace, "export", "--accesses", "--stack", path]))
    except EvaluationError as error:
        raise EvaluationError(f"{error}; remove the profile, and it is made again") from error
    if not exported["complete"]:
        raise EvaluationError(f"{path}: memory for counters ran out while the program was traced "
                              "(MAI_TRACE_MEMORY); trace a smaller input or fewer threads")
    return Profile(exported)


def read(mai_trace, data):
    """The profile in these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "profile"
        path.write_bytes(data)
        return load(mai_trace, path)


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
