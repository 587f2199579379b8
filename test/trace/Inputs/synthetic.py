"""Writes a profile as mai-trace would of a program with any number of threads: no such machine is needed.

synthetic.py <file> --threads N --nodes N [--well] [--names hostile|ordinary] [--samples N]

It sweeps three arrays that are divided among the threads: u lies on one node, v where it is used, and w is divided
the other way round in one region of six. All threads read a table, and count in one line. --well: every array lies
where it is used and nothing else is shared, so there is nothing to gain. --samples: it has but so many samples of the
accesses. Format: maiprof(5).
"""
import argparse
import collections
import random

LINE, PAGE = 64, 4096
LINES = PAGE // LINE
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&"


def number(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    return number(len(value.encode())) + value.encode()


def numbers(*values):
    return b"".join(map(number, values))


def section(name, contents):
    return name.encode() + len(contents).to_bytes(8, "little") + contents


def groups(entries):
    """Of (unit, contents), ascending: one group."""
    if not entries:
        return number(0)
    out, following = bytearray(number(entries[0][0] + 1)), entries[0][0]
    for unit, contents in entries:
        out += number(unit - following + 1) + contents
        following = unit + 1
    return bytes(out) + numbers(0, 0)


class Array:
    def __init__(self, name, first_page, pages, node_of_page):
        self.name, self.first, self.pages, self.node_of_page = name, first_page, pages, node_of_page

    def line(self, position):
        return self.first * LINES + position


class Program:
    """PAGES_EACH pages of each divided array a thread."""

    PAGES_EACH = 2
    REGIONS = ["initialise", "sweep u", "sweep v", "along", "across", "reduce"]

    def __init__(self, threads, nodes, is_well, name):
        self.threads, self.nodes, self.is_well = threads, nodes, is_well
        home = lambda page: self.node(page // self.PAGES_EACH)  # noqa: E731
        divided = threads * self.PAGES_EACH
        self.u = Array(name, 0x10000, divided, home if is_well else lambda page: 0)
        self.v = Array("v", 0x20000, divided, home)
        self.w = Array("w", 0x30000, divided, home)
        self.table = Array("table", 0x40000, 32, lambda page: 0)
        self.hits = Array("hits", 0x50000, 1, lambda page: 0)
        self.arrays = [self.u, self.v, self.w] + ([] if is_well else [self.table, self.hits])

    def node(self, thread):
        return thread * self.nodes // self.threads

    def part(self, array, thread):
        each = self.PAGES_EACH * LINES
        return {array.line(thread * each + i): (400, 200) for i in range(each)}

    def with_halo(self, array, thread):
        """Its own part, and the first lines of its neighbours'."""
        each = self.PAGES_EACH * LINES
        touched = self.part(array, thread)
        for other in (thread - 1, thread + 1):
            if 0 <= other < self.threads:
                touched[array.line(other * each)] = (40, 0)
        return touched

    def accesses(self, thread, region):
        if region == 1:
            return self.with_halo(self.u, thread)
        if region == 2:
            return self.with_halo(self.v, thread)
        if region == 3 or (region == 4 and self.is_well):
            return self.part(self.w, thread)
        if region == 4:
            return self.part(self.w, self.threads - 1 - thread)
        if region == 5 and not self.is_well:
            table = {self.table.line(i): (300, 0) for i in range(0, self.table.pages * LINES, 16)}
            return table | {self.hits.line(0): (9000, 9000)}
        return {}

    def pages(self):
        for array in self.arrays:
            for page in range(array.pages):
                node = array.node_of_page(page)
                toucher = min(page // self.PAGES_EACH, self.threads - 1) if node else 0
                yield array.first + page, numbers(node + 1, 0, toucher + 1)


def sampled(program, samples):
    """Of all accesses so many, by (thread, region): {line: [reads, writes]}."""
    keys, weights = [], []
    for thread in range(program.threads):
        for region in range(len(program.REGIONS)):
            for line, counts in program.accesses(thread, region).items():
                for kind in range(2):
                    keys.append((thread, region, line, kind))
                    weights.append(counts[kind])
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    for thread, region, line, kind in random.Random(1).choices(keys, weights, k=samples):
        found[thread, region][line][kind] += 1
    return found


def profile(program, samples=0):
    threads, nodes = program.threads, program.nodes
    path = "/home/user/synthetic"
    head = numbers(LINE, PAGE, 1, 0, PAGE, 2 + (32 if samples else 0), 4711, 1750000000, 0, 1 << 20)
    head += text(path) + text("a-machine") + number(2) + text(path) + text(str(threads))
    machine = number(nodes) + b"".join(numbers(n, 64 << 30) for n in range(nodes))
    machine += b"".join(number(10 if a == b else 20) for a in range(nodes) for b in range(nodes))
    machine += number(threads) + b"".join(numbers(t, program.node(t) + 1) for t in range(threads))
    team = number(threads) + b"".join(numbers(0, t, t + 1, 10, 0, 0, 0) for t in range(threads))
    regions = b"".join(number(1) + text(path) + number(4096 + 64 * i) + text(name)
                       for i, name in enumerate(program.REGIONS))
    arrays = b"".join(number(2) + numbers(a.first * PAGE, a.pages * PAGE, 0) + text(a.name) + text(path)
                      + number(1024 + 16 * i) + text("main") for i, a in enumerate(program.arrays))
    places = b"".join(numbers(1, i) + text(f"synthetic.c:{20 + i}\n{a.name}") for i, a in enumerate(program.arrays))
    places += b"".join(numbers(2, i) + text(f"synthetic.c:{40 + 7 * i}") for i in range(len(program.REGIONS)))
    how = text("cpu-clock") + numbers(1, 1000000, samples, samples, samples // 2, samples // 4, 3, 5, 1)
    out = [b"MAIPROF\2", section("HEAD", head), section("SAMP", how) if samples else b"", section("MACH", machine), section("MODS", number(2) + text(path) + number(0)),
           section("THRD", team), section("PHAS", regions + number(0)), section("ARRY", arrays + number(0)),
           section("CALL", numbers(0, 0)), section("PAGE", groups(list(program.pages())))]
    found = sampled(program, samples) if samples else None
    for thread in range(threads):
        for region in range(len(program.REGIONS)):
            touched = sorted((found[thread, region] if samples else program.accesses(thread, region)).items())
            if touched:
                lines = groups([(line, numbers(*counts)) for line, counts in touched])
                out.append(section("LINE", numbers(thread, region + 1) + lines))
    return b"".join(out + [section("PLAC", places + number(0)), section("END ", b"")])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--well", action="store_true")
    parser.add_argument("--samples", type=int, default=0)
    parser.add_argument("--names", choices=["ordinary", "hostile"], default="ordinary")
    args = parser.parse_args()
    name = HOSTILE if args.names == "hostile" else "u"
    with open(args.file, "wb") as file:
        file.write(profile(Program(args.threads, args.nodes, args.well, name), args.samples))


if __name__ == "__main__":
    main()
