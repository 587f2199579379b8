# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The best static placements, from the counts: page by page, and as far as policies can express it."""

import heapq
from collections import Counter, deque

SLICES_MAX = 64
PARTS = 16  # a block may divide only so many sixteenths of an array, whose rest the last thread has


#===-- Page by page --------------------------------------------------------------===


def best_homes(pages, capacity):
    """{page: node} with the fewest remote accesses of all ways to place pages of which node n holds at
    most capacity[n].  `pages` is {page: {node: accesses}}.

    Each page begins on the node that accesses it most.  While a node is too full, one page more leaves
    it, along the chain of moves that costs least: successive shortest paths, which is exact.
    """
    homes = {page: max(sorted(capacity), key=lambda node, uses=uses: uses.get(node, 0))
             for page, uses in pages.items()}
    if len(pages) > sum(capacity.values()):
        return homes  # more than the machine has at a time: blocks that were freed in between
    load = Counter(homes.values())
    if any(load[node] > capacity[node] for node in capacity):
        Relief(pages, homes, load, capacity).run()
    return homes


class Relief:
    """Moves pages from nodes that are too full."""

    def __init__(self, pages, homes, load, capacity):
        self.pages, self.homes, self.load, self.capacity = pages, homes, load, capacity
        self.queues = {(a, b): [] for a in capacity for b in capacity if a != b}
        for page, node in homes.items():
            self._offer(page, node)

    def _offer(self, page, node):
        """What it costs to move a page away from its node."""
        uses = self.pages[page]
        for other in self.capacity:
            if other != node:
                heapq.heappush(self.queues[node, other], (uses.get(node, 0) - uses.get(other, 0), page))

    def _cheapest(self, a, b):
        """(cost, page) of the page on a that moves to b best; None if a has none."""
        queue = self.queues[a, b]
        while queue and self.homes[queue[0][1]] != a:
            heapq.heappop(queue)
        return queue[0] if queue else None

    def run(self):
        for full in sorted(self.capacity):
            while self.load[full] > self.capacity[full]:
                self._follow(self._cheapest_chain(full))

    def _cheapest_chain(self, start):
        """Moves (from, to) from a full node to one that has room; costs may be negative: Bellman-Ford."""
        cost, before = {start: 0}, {}
        waiting = deque([start])
        while waiting:
            a = waiting.popleft()
            for b in self.capacity:
                move = self._cheapest(a, b) if a != b else None
                if move and (b not in cost or cost[a] + move[0] < cost[b]):
                    cost[b], before[b] = cost[a] + move[0], a
                    waiting.append(b)
        end = min((node for node in cost if self.load[node] < self.capacity[node]), key=cost.get)
        chain = []
        while end != start:
            chain.append((before[end], end))
            end = before[end]
        return chain

    def _follow(self, chain):
        moved = [(self._cheapest(a, b)[1], a, b) for a, b in chain]
        for page, a, b in moved:
            self.homes[page] = b
            self.load[a] -= 1
            self.load[b] += 1
            self._offer(page, b)


#===-- By policy -----------------------------------------------------------------===


def slices_of(pages):
    return [count for count in range(1, min(SLICES_MAX, pages) + 1) if count == 1 or pages // count >= 2]


def policies(nodes, node_of_thread, pages):
    """(name, node of the block's page i) of what a policy can make of a block of so many pages.

    To divide each of several equal slices of the block among the threads is what a division of an
    inner dimension does to whole pages.
    """
    threads = len(node_of_thread)

    def divided(count, order):
        def node(i):
            within = (2 * i + 1) * count % (2 * pages)
            return order[within * threads // (2 * pages)]

        return node

    def leading(parts):
        return lambda i: node_of_thread[min(threads - 1, (2 * i + 1) * threads * PARTS // (2 * pages * parts))]

    for home in nodes:
        yield f"bind:{home}", lambda i, home=home: home
    yield "cyclic", lambda i: nodes[i % len(nodes)]
    if not threads:
        return
    for count in slices_of(pages):
        name = "block" if count == 1 else f"block in {count} slices"
        yield name, divided(count, node_of_thread)
        yield f"{name}, reversed", divided(count, node_of_thread[::-1])
    for parts in range(PARTS // 4, PARTS):
        yield f"block of the first {parts}/{PARTS}", leading(parts)


def apart(blocks):
    """The pages of each block, without those that an earlier one has, too."""
    seen, result = set(), []
    for block in blocks:
        mine = [page for page in block if page not in seen]
        seen.update(mine)
        result += [mine] if mine else []
    return result


def best_policy(blocks, pages, nodes, node_of_thread):
    """(policy, {page: node}) of an array: the policy with the fewest remote accesses.  `blocks` lists the
    pages of each of its blocks, `pages` is {page: Page}.  The policy is applied to each block, or to all as
    rows of one.  To leave pages where they are is a policy, too."""
    blocks = apart(blocks)
    ways = [("", blocks)]
    if len(blocks) > 1:
        ways.append(("rows, ", [[page for block in blocks for page in block]]))
    candidates = {"as it is": {page: pages[page].home for block in blocks for page in block}}
    for prefix, parts in ways:
        made = {}
        for part in parts:
            for name, node_of in policies(nodes, node_of_thread, len(part)):
                made.setdefault(prefix + name, {}).update((page, node_of(i)) for i, page in enumerate(part))
        # Blocks of different sizes have different slices: only what all of them can have.
        candidates |= {name: homes for name, homes in made.items() if len(homes) == sum(map(len, parts))}
    name = max(candidates, key=lambda each: local_accesses(candidates[each], pages))
    return name, candidates[name]


def local_accesses(homes, pages):
    return sum(pages[page].by_node.get(node, 0) for page, node in homes.items())
