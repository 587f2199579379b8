# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the profile of a program says that was traced on the machine itself: who made accesses, and where
pages and threads were, in one run."""

from .common import EvaluationError
from .profile import STACK, ArrayFinder
from .traffic import Memory, Page

STACKS = "[stack"


class Finder:
    """The name of what a line belongs to: an array, or the stack or the heap that holds none there; None for
    single variables."""

    def __init__(self, arrays, names, line_bytes):
        self.names = names
        inner = [array for array in arrays if array.kind != STACK]
        outer = [array for array in arrays if array.kind == STACK]
        self.finders = [ArrayFinder(each, line_bytes) for each in (inner, outer)]

    def runs(self, lines, level=0):
        """(name, first index, last index + 1) of an ascending list of lines."""
        for array, first, end in self.finders[level].runs(lines):
            if array is not None:
                yield self.names[id(array)], first, end
            elif level:
                yield None, first, end
            else:
                yield from ((name, first + a, first + b)
                            for name, a, b in self.runs(lines[first:end], level + 1))


def nodes_of_threads(profile, threads):
    """The node of OpenMP's thread 0, 1, ..., of as many as the program was to have."""
    where = {thread.number: profile.node_of_cpu.get(thread.cpu) for thread in profile.threads
             if thread.is_openmp}
    if sorted(where) != list(range(threads)):
        raise EvaluationError(f"the program had {len(where)} threads and not {threads}")
    return [where[number] for number in range(threads)]


def shared_lines(threads):
    """The lines that several threads access."""
    first, shared = {}, set()
    for index, thread in enumerate(threads):
        shared.update(line for line in thread.lines if first.setdefault(line, index) != index)
    return shared


def memory_of(profile, names, threads, capacity):
    """`names` maps the profile's arrays, by identity, to what the study calls them."""
    memory = Memory(sorted(profile.nodes), nodes_of_threads(profile, threads), capacity)
    for array in profile.arrays:
        if array.kind != STACK:
            memory.add_block(names[id(array)], array.start, array.bytes, profile.page)
    finder = Finder(profile.arrays, names, profile.line)
    shared = shared_lines(profile.threads)
    for thread in profile.threads:
        node = profile.node_of_cpu.get(thread.cpu)
        lines, accesses = thread.lines, thread.accesses
        for name, first, end in finder.runs(lines):
            if name is None:
                memory.elsewhere += sum(accesses[first:end])
                memory.elsewhere_shared += sum(accesses[i] for i in range(first, end) if lines[i] in shared)
                continue
            is_stack = name.startswith(STACKS)
            for i in range(first, end):
                if is_stack and lines[i] not in shared:
                    continue  # of its own, local wherever it is
                number = lines[i] * profile.line // profile.page
                page = memory.pages.setdefault(number, Page(profile.node_of_page.get(number)))
                page.add(name, node, accesses[i])
    return memory
