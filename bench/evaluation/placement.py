# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where accesses go: who makes them, from the trace, joined with where pages and threads were."""

from .common import EvaluationError
from .profile import MAI, MAPPING, STATIC, ArrayFinder
from .programs import LINE_BYTES, plain_name


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


def page_table(observation, counts):
    """For each page of the program's arrays its node, and who accesses how much of which array."""
    size = observation.page_bytes
    table = {}
    for name, (start, _, runs) in observation.arrays.items():
        if start % LINE_BYTES:
            raise EvaluationError(f"the array {name} does not begin with a line of the cache")
        page = start - start % size
        for node, pages in runs:
            for address in range(page, page + pages * size, size):
                uses = table.setdefault(address, (node, []))[1]
                first = max(0, address - start) // LINE_BYTES
                end = (address + size - start) // LINE_BYTES
                for thread, tally in counts.tallies.get(name, {}).items():
                    if count := tally.between(first, end):
                        uses.append((name, thread, count))
            page += pages * size
    return table


class Traffic:
    """Accesses by the node that makes them and the node that serves them."""

    def __init__(self, nodes):
        self.local = self.remote = self.unknown = 0.0
        self.served = dict.fromkeys(nodes, 0.0)

    def add(self, by_node, home):
        for node, count in by_node.items():
            if home is None:
                self.unknown += count
                continue
            self.served[home] = self.served.get(home, 0.0) + count
            if node == home:
                self.local += count
            else:
                self.remote += count

    def summary(self):
        served = sum(self.served.values())
        mean = served / len(self.served) if self.served else 0
        return {
            "local": round(self.local),
            "remote": round(self.remote),
            "unknown": round(self.unknown),
            "served": {str(node): round(count) for node, count in sorted(self.served.items())},
            "imbalance": round(max(self.served.values()) / mean, 4) if mean else None,
        }


def by_node_of(uses, where):
    """The accesses of these uses by the node that they come from."""
    result = {}
    for _, thread, count in uses:
        for node, part in where[thread].items():
            result[node] = result.get(node, 0.0) + part * count
    return result


def traffic(observation, counts, where):
    """Of all arrays, of each, and with each page on the node that accesses it most."""
    nodes = sorted(set(observation.node_of_cpu.values()))
    now, best = Traffic(nodes), Traffic(nodes)
    arrays = {}
    for home, uses in page_table(observation, counts).values():
        by_node = by_node_of(uses, where)
        if not by_node:
            continue
        ideal = max(sorted(by_node), key=by_node.get)
        now.add(by_node, home)
        best.add(by_node, ideal)
        for name in {name for name, _, _ in uses}:
            mine = by_node_of([use for use in uses if use[0] == name], where)
            pair = arrays.setdefault(name, (Traffic(nodes), Traffic(nodes)))
            pair[0].add(mine, home)
            pair[1].add(mine, ideal)
    for name in counts.tallies.keys() - observation.arrays.keys():
        now.unknown += sum(tally.sums[-1] for tally in counts.tallies[name].values())
    return {
        **now.summary(),
        "best": best.summary(),
        "elsewhere": counts.elsewhere,
        "elsewhere_shared": counts.elsewhere_shared,
        "arrays": {name: {**pair[0].summary(), "best_remote": round(pair[1].remote)}
                   for name, pair in sorted(arrays.items())},
    }


def pages_by_node(observation):
    """{array: {node: pages}}, '-' for pages that nobody has touched."""
    result = {}
    for name, (_, _, runs) in observation.arrays.items():
        pages = result.setdefault(name, {})
        for node, count in runs:
            key = "-" if node is None else str(node)
            pages[key] = pages.get(key, 0) + count
    return result


def is_of_mai(array):
    """Arrays that MAi allocates before main() have no names in a profile."""
    return array.kind == MAPPING and array.module.rpartition("/")[2].startswith("libmai.")


def traffic_of_profile(profile, names):
    """What a profile says by itself: of a program that was traced where it was placed."""
    arrays = [each for each in profile.arrays if each.kind in (STATIC, MAI, MAPPING)
              and (is_of_mai(each) or plain_name(each.name) in names)]
    finder = ArrayFinder(arrays, profile.line)
    total = Traffic(profile.nodes)
    for thread, lines, accesses in profile.series:
        cpu = profile.threads[thread][2]
        pairs = sorted(zip(lines, accesses))
        lines, accesses = [line for line, _ in pairs], [count for _, count in pairs]
        for where, first, end in finder.runs(lines):
            for i in range(first, end if where else first):
                home = profile.node_of_page.get(lines[i] * profile.line // profile.page)
                total.add({profile.node_of_cpu.get(cpu): accesses[i]}, home)
    return total.summary()
