"""Writes a file as perf record -e arm_spe// does on machines that we do not have.

spe_data.py <file> [--old] [--threads] [--accesses N]

Two threads on two nodes load and store; packets are those of Arm's statistical profiling extension. --old: as before Linux 6.14;
--threads: each thread's packets are in records of its own, and packets do not tell threads. The samples are printed, as
mai-trace import --list has them. The form: Arm Architecture Reference Manual, perf.data-file-format.txt.
"""
import argparse

from perf_data import DATA, EVENT_DESC, FIELDS, HOSTNAME, LOAD, NUMA_TOPOLOGY, STORE, Writer

UNIT = 9
INFO, TRACE, TIME_CONVERSION, MEMORY_TOPOLOGY = 70, 71, 79, 22
SHIFT, MULTIPLIER, ZERO = 4, 40, 1000
BLOCK = 1 << 27
KERNEL = 0xFFFF000012345678
# What happened, and what is made of it: a first level's hit, a last level's, memory, another node's memory and cache.
EVENTS = ((1 << 2, 0xA), (1 << 2 | 1 << 3 | 1 << 8, 0x42), (1 << 2 | 1 << 3 | 1 << 9, 0x80), (1 << 9 | 1 << 10, 0x100), (1 << 10, 0x400))


class Spe(Writer):
    def __init__(self, old, threads, count):
        super().__init__(False, False, count)
        self.old, self.of_thread = old, threads

    def attribute(self, config):
        size = 112
        whole = self.number(UNIT, 4) + self.number(size, 4) + self.numbers(config, 1024, FIELDS, 0)
        return (whole + self.flags(18)).ljust(size, b"\0")

    def packet(self, head, value, size):
        return bytes([head]) + value.to_bytes(size, "little")

    def access(self, number):
        thread, ticks = number % 2, 100 + 10 * number
        address = DATA + number // 2 * 64 + thread * (1 << 19)
        kind = STORE if number % 8 < 2 else LOAD
        happened, level = EVENTS[number % len(EVENTS)]
        code = KERNEL if number % 16 == 0 else 0x401000 + number % 8 * 4
        time = ZERO + (ticks >> SHIFT) * MULTIPLIER + ((ticks % (1 << SHIFT)) * MULTIPLIER >> SHIFT)
        self.lines.append((time, f"4000/{4000 + thread} [{thread:03}] 0.{time:09}: 0 {code:x} {address:x} {40 + number} {kind | level << 5:x}"))
        privileged = code & ((1 << 56) - 1) | (2 << 61 if code == KERNEL else 0)
        whole = self.packet(0xB0, privileged, 8)
        if not self.of_thread:
            whole += self.packet(0x65, 4000 + thread, 4)
        whole += self.packet(0x49, kind == STORE, 1) + self.packet(0x52, happened, 2) + b"\0\0"
        whole += self.packet(0x98, 40 + number, 2) + self.packet(0x99, 3, 2) + self.packet(0x43, 0xE, 1)
        whole += self.packet(0xB2, address | 0x2B << 56, 8) + self.packet(0xB3, thread * 8 * BLOCK + number * 64, 8)
        return whole + self.packet(0x71, ticks, 8)

    def branch(self):
        return self.packet(0xB0, 0x401000, 8) + self.packet(0x4A, 1, 1) + b"\x20" + self.packet(0xB4, 0x401100, 8) + b"\x01"

    def trace(self, thread):
        packets = b"\xff"  # is none
        for number in range(thread, self.count, 2):
            packets += self.access(number) + self.branch()
        packets += bytes([0x22, 0])
        packets += bytes(-len(packets) % 8)
        of = 4000 + thread if self.of_thread else 0xFFFFFFFF
        head = self.numbers(len(packets), 0, 0) + self.number(thread, 4) + self.number(of, 4) + self.number(thread, 4) + bytes(4)
        return self.record(TRACE, head) + packets

    def begin(self):
        private = (UNIT, 1) if self.old else (1, 2, UNIT, 0)
        conversion = self.numbers(SHIFT, MULTIPLIER, ZERO, 0, 0) + bytes(8)
        heads = [self.record(INFO, self.number(4, 4) + bytes(4) + self.numbers(*private)), self.record(TIME_CONVERSION, conversion)]
        return heads + super().begin()

    def records(self):
        return [*self.begin(), self.trace(0), self.trace(1)]

    def features(self):
        names = self.number(1, 4) + self.number(112, 4) + self.attribute(1) + self.number(1, 4) + self.counted("arm_spe_0//") + self.number(101)
        memory = self.numbers(1, BLOCK, 2)
        for node in range(2):
            memory += self.numbers(node, 16, 16, 0xFF << 8 * node)
        return {HOSTNAME: self.counted("arm-machine"), EVENT_DESC: names, NUMA_TOPOLOGY: super().features()[NUMA_TOPOLOGY],
                MEMORY_TOPOLOGY: memory}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--old", action="store_true")
    parser.add_argument("--threads", action="store_true")
    parser.add_argument("--accesses", type=int, default=400)
    args = parser.parse_args()
    writer = Spe(args.old, args.threads, args.accesses)
    with open(args.file, "wb") as file:
        file.write(writer.whole())
    for _, line in sorted(writer.lines):
        print(line)


if __name__ == "__main__":
    main()
