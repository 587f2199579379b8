"""Writes a file as perf record does on machines that we do not have.

perf_data.py <file> [--big] [--pipe] [--accesses N] [--cpus LIST]

Two threads on two nodes load and store, as the processor samples it, with latency (WEIGHT_STRUCT) and the memory that
served (data_src). --big: by a machine of the other byte order; --pipe: as perf record -o - writes it. The samples are
printed, as mai-trace import --list has them. --cpus: of each node. The form: perf.data-file-format.txt, linux/perf_event.h.
"""
import argparse

IP, TID, TIME, ADDR, CPU, PERIOD = 1, 2, 4, 8, 0x80, 0x100
DATA_SRC, IDENTIFIER, WEIGHT_STRUCT = 0x8000, 0x10000, 0x1000000
FIELDS = IDENTIFIER | IP | TID | TIME | ADDR | CPU | PERIOD | WEIGHT_STRUCT | DATA_SRC
MMAP2, LOST, COMM, EXIT, THROTTLE, FORK, SAMPLE, UNKNOWN = 10, 2, 3, 4, 5, 7, 9, 55
ROUND, ATTRIBUTE, FEATURE = 68, 64, 80
HOSTNAME, EVENT_DESC, NUMA_TOPOLOGY = 3, 12, 14
LOAD, STORE = 2, 4
LOCAL_MEMORY, REMOTE_MEMORY, LEVEL_1 = 0x80 << 5, 0x100 << 5, (2 | 8) << 5
COMM_EXEC = 1 << 13
DATA = 0x7F0000000000


class Writer:
    def __init__(self, big, pipe, count, cpus=None):
        self.order, self.pipe, self.count, self.cpus = "big" if big else "little", pipe, count, cpus
        self.lines = []

    def number(self, value, size=8):
        return value.to_bytes(size, self.order)

    def numbers(self, *values):
        return b"".join(map(self.number, values))

    def text(self, value):
        whole = value.encode() + b"\0"
        return whole + bytes(-len(whole) % 8)

    def counted(self, value):
        whole = self.text(value)
        return self.number(len(whole), 4) + whole

    def record(self, kind, contents, misc=0):
        return self.number(kind, 4) + self.number(misc, 2) + self.number(8 + len(contents), 2) + contents

    def flags(self, *bits):
        """Bit fields begin at the other end on machines of the other order."""
        return self.number(sum(1 << (63 - bit if self.order == "big" else bit) for bit in bits))

    def attribute(self, config):
        size = 112
        whole = self.number(4, 4) + self.number(size, 4) + self.numbers(config, 1000, FIELDS, 0)
        return (whole + self.flags(18)).ljust(size, b"\0")

    def trailer(self, time, thread, cpu=0, identifier=101):
        return self.number(4000, 4) + self.number(thread, 4) + self.number(time) + self.number(cpu, 4) + bytes(4) + self.number(identifier)

    def sample(self, identifier, thread, time, address, cpu, latency, served):
        code = 0x401000 + identifier
        self.lines.append((time, f"4000/{thread} [{cpu:03}] {time // 10**9}.{time % 10**9:09}: 1000 {code:x} {address:x} {latency} {served:x}"))
        return self.record(SAMPLE, self.numbers(identifier, code) + self.number(4000, 4) + self.number(thread, 4) + self.numbers(time, address)
                           + self.number(cpu, 4) + bytes(4) + self.numbers(1000, latency | 7 << 32, served), misc=2)

    def begin(self):
        program = self.number(4000, 4) + self.number(4000, 4)
        comm = program + self.text("solver") + self.trailer(1000, 4000)
        mapped = program + self.numbers(DATA, 1 << 20, 0) + bytes(24) + self.number(3, 4) + self.number(2, 4)
        fork = self.number(4000, 4) * 2 + self.number(4001, 4) + self.number(4000, 4) + self.number(1002)
        return [self.record(COMM, comm, COMM_EXEC), self.record(MMAP2, mapped + self.text("//anon") + self.trailer(1001, 4000)),
                self.record(FORK, fork + self.trailer(1002, 4001)), self.record(UNKNOWN, bytes(16))]

    def accesses(self):
        """Thread 4000 on node 0 uses the first half, which is there; 4001 on node 1 the second, which is there, too."""
        for i in range(self.count):
            thread, place = i % 2, i // 2 * 64 + i % 2 * (1 << 19)
            served = REMOTE_MEMORY if thread else LOCAL_MEMORY
            kind = STORE if i % 8 < 2 else LOAD
            served = kind | (LEVEL_1 if kind == STORE else served)
            yield self.sample(101 + (kind == STORE), 4000 + thread, 2000 + 10 * i + (30 if i % 4 == 0 else 0), DATA + place, thread, 40 + i, served)
            if i % (self.count // 4) == self.count // 4 - 1:
                yield self.record(ROUND, b"")

    def records(self):
        lost = self.numbers(101, 7) + self.trailer(9000, 4000)
        throttle = self.numbers(9001, 101, 101) + self.trailer(9001, 4000)
        return self.begin() + list(self.accesses()) + [self.record(LOST, lost), self.record(THROTTLE, throttle)]

    def features(self):
        names = self.number(2, 4) + self.number(112, 4)
        for config, identifier, name in ((1, 101, "cpu/mem-loads,ldlat=30/P"), (2, 102, "cpu/mem-stores/P")):
            names += self.attribute(config) + self.number(1, 4) + self.counted(name) + self.number(identifier)
        nodes = self.number(2, 4)
        for node in range(2):
            nodes += self.number(node, 4) + self.numbers(1 << 24, 1 << 20) + self.counted(self.cpus or str(node))
        return {HOSTNAME: self.counted("big-machine"), EVENT_DESC: names, NUMA_TOPOLOGY: nodes}

    def magic(self):
        return b"2ELIFREP" if self.order == "big" else b"PERFILE2"

    def piped(self):
        heads = [self.record(ATTRIBUTE, self.attribute(1) + self.number(101)), self.record(ATTRIBUTE, self.attribute(2) + self.number(102))]
        heads += [self.record(FEATURE, self.number(bit) + contents) for bit, contents in self.features().items()]
        return self.magic() + self.number(16) + b"".join(heads + self.records())

    def whole(self):
        if self.pipe:
            return self.piped()
        head, ids = 104, self.numbers(101, 102)
        attributes_at = head + len(ids)
        attributes = b"".join(self.attribute(1 + i) + self.numbers(head + 8 * i, 8) for i in range(2))
        data_at = attributes_at + len(attributes)
        data = b"".join(self.records())
        features = self.features()
        at = data_at + len(data) + 16 * len(features)
        table = b""
        for contents in features.values():
            table += self.numbers(at, len(contents))
            at += len(contents)
        bits = sum(1 << bit for bit in features)
        start = self.magic() + self.numbers(head, 128, attributes_at, len(attributes), data_at, len(data), 0, 0, bits, 0, 0, 0)
        return start + ids + attributes + data + table + b"".join(features.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--big", action="store_true")
    parser.add_argument("--pipe", action="store_true")
    parser.add_argument("--accesses", type=int, default=400)
    parser.add_argument("--cpus")
    args = parser.parse_args()
    writer = Writer(args.big, args.pipe, args.accesses, args.cpus)
    with open(args.file, "wb") as file:
        file.write(writer.whole())
    for _, line in sorted(writer.lines):
        print(line)


if __name__ == "__main__":
    main()
