# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where accesses go, of a whole program and array by array: now, and by the best static placements."""

from dataclasses import dataclass, field

from .best import best_homes, best_policy


@dataclass
class Page:
    """A page: where it is, and who accesses it for the sake of which array."""

    home: int
    uses: dict = field(default_factory=dict)  # array: {node: accesses}
    by_node: dict = field(default_factory=dict)

    def add(self, name, node, count):
        mine = self.uses.setdefault(name, {})
        mine[node] = mine.get(node, 0.0) + count
        self.by_node[node] = self.by_node.get(node, 0.0) + count

    @property
    def owner(self):
        """The array that it is placed with."""
        return max(sorted(self.uses), key=lambda name: sum(self.uses[name].values()))


@dataclass
class Memory:
    """The pages that a program accesses, and the arrays that lie in them."""

    nodes: list
    node_of_thread: list
    capacity: dict = None  # {node: pages}; None where it does not matter
    pages: dict = field(default_factory=dict)  # {number: Page}
    blocks: dict = field(default_factory=dict)  # {array: [(first page, last page), ...]}
    bytes: dict = field(default_factory=dict)  # {array: bytes}
    unknown: float = 0.0  # accesses to arrays that are not there
    elsewhere: int = 0  # and to single variables
    elsewhere_shared: int = 0  # to such that several threads access

    def add_block(self, name, start, size, page_bytes):
        self.bytes[name] = self.bytes.get(name, 0) + size
        self.blocks.setdefault(name, []).append((start // page_bytes, (start + size - 1) // page_bytes))


class Traffic:
    """Accesses by the node that makes them and the node that serves them."""

    def __init__(self, nodes):
        self.local = self.remote = self.unknown = 0.0
        self.served = dict.fromkeys(nodes, 0.0)

    def add(self, by_node, home):
        for node, count in by_node.items():
            if home is None or node is None:
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


def total(memory, homes):
    result = Traffic(memory.nodes)
    for number, page in memory.pages.items():
        result.add(page.by_node, homes[number])
    return result


def by_array(memory, homes):
    result = {}
    for number, page in memory.pages.items():
        for name, uses in page.uses.items():
            result.setdefault(name, Traffic(memory.nodes)).add(uses, homes[number])
    return result


def homes_by_policy(memory):
    """{page: node} where each array has its best policy, and {array: that policy}."""
    homes = {number: page.home for number, page in memory.pages.items()}
    names = {}
    owner = {number: page.owner for number, page in memory.pages.items()}
    for name, blocks in memory.blocks.items():
        mine = [[number for number in range(first, last + 1) if owner.get(number) == name]
                for first, last in blocks]
        mine = [each for each in mine if each]
        if mine:
            names[name], where = best_policy(mine, memory.pages, memory.nodes, memory.node_of_thread)
            homes |= where
    return homes, names


def traffic(memory):
    """Of all arrays, of each, and the same by the best placements: page by page, and by policies."""
    unlimited = dict.fromkeys(memory.nodes, len(memory.pages))
    best = best_homes({number: page.by_node for number, page in memory.pages.items()},
                      memory.capacity or unlimited)
    by_policy, policies = homes_by_policy(memory)
    now = {number: page.home for number, page in memory.pages.items()}
    arrays, ideal, policy = (by_array(memory, homes) for homes in (now, best, by_policy))
    all_ = total(memory, now)
    all_.unknown += memory.unknown
    return {
        **all_.summary(),
        "elsewhere": memory.elsewhere,
        "elsewhere_shared": memory.elsewhere_shared,
        "best": total(memory, best).summary(),
        "best_by_policy": total(memory, by_policy).summary(),
        "arrays": {name: {**arrays[name].summary(),
                          "bytes": memory.bytes.get(name),
                          "blocks": len(memory.blocks.get(name, ())),
                          "best_remote": round(ideal[name].remote),
                          "policy_remote": round(policy[name].remote),
                          "best_policy": policies.get(name)}
                   for name in sorted(arrays)},
    }
