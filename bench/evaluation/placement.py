# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Joins who makes accesses, from a trace made here, with where pages and threads were on the machine."""

from .common import EvaluationError
from .programs import LINE_BYTES
from .traffic import Memory, Page


def nodes_of_threads(observation, threads, cpus):
    """Of each thread, {node: part of its time}.  `cpus` is the map, None where threads were free."""
    if len(observation.threads) != threads:
        raise EvaluationError(f"the program had {len(observation.threads)} threads and not {threads}")
    result = []
    for number, (_, cpu, allowed, samples) in enumerate(observation.threads):
        if cpus and allowed != [cpus[number]]:
            raise EvaluationError(f"thread {number} could run on the CPUs {allowed} and not just on "
                                  f"{cpus[number]}, as the map wants it")
        seen = {cpus[number]: 1} if cpus else samples or {cpu: 1}
        total = sum(seen.values())
        parts = {}
        for where, count in seen.items():
            node = observation.node_of_cpu[where]
            parts[node] = parts.get(node, 0) + count / total
        result.append(parts)
    return result


def add_page(memory, name, number, node, uses, where):
    """What threads do to one page for the sake of one array; `uses` is (thread, accesses)."""
    for thread, count in uses:
        page = memory.pages.setdefault(number, Page(node))
        for from_node, part in where[thread].items():
            page.add(name, from_node, part * count)


def add_array(memory, name, tallies, array, page_bytes, where):
    start, size, runs = array
    if start % LINE_BYTES:
        raise EvaluationError(f"the array {name} does not begin with a line of the cache")
    memory.add_block(name, start, size, page_bytes)
    number = start // page_bytes
    for node, pages in runs:
        for _ in range(pages):
            first = max(0, number * page_bytes - start) // LINE_BYTES
            end = ((number + 1) * page_bytes - start) // LINE_BYTES
            uses = [(thread, tally.between(first, end)) for thread, tally in tallies.items()]
            add_page(memory, name, number, node, [use for use in uses if use[1]], where)
            number += 1


def joined(observation, counts, where):
    """The memory of a program whose arrays are static."""
    memory = Memory(sorted(set(observation.node_of_cpu.values())),
                    [max(parts, key=parts.get) for parts in where], elsewhere=counts.elsewhere,
                    elsewhere_shared=counts.elsewhere_shared)
    for name, array in observation.arrays.items():
        add_array(memory, name, counts.tallies.get(name, {}), array, observation.page_bytes, where)
    for name in counts.tallies.keys() - observation.arrays.keys():
        memory.unknown += sum(tally.sums[-1] for tally in counts.tallies[name].values())
    return memory


def pages_by_node(observation):
    """{array: {node: pages}}, '-' for pages that nobody has touched."""
    result = {}
    for name, (_, _, runs) in observation.arrays.items():
        pages = result.setdefault(name, {})
        for node, count in runs:
            key = "-" if node is None else str(node)
            pages[key] = pages.get(key, 0) + count
    return result
