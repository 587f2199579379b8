"""Writes a file as perf record does of a run whose accesses take long for one reason: timed_accesses.py <file> <reason> [samples]

Two threads on two nodes. local: each uses memory of its own node. sharing: both write the same pages. contention: both use memory
of node 0, which answers late. imbalance: thread 1 alone waits. The machine is perf_data.py's.
"""
import sys

from perf_data import DATA, LEVEL_1, LOAD, LOCAL_MEMORY, REMOTE_MEMORY, ROUND, Writer

REMOTE_CACHE = 0x400 << 5
HALF = 1 << 19


class Run(Writer):
    def __init__(self, reason, samples):
        super().__init__(big=False, pipe=False, count=samples)
        self.access = getattr(self, reason)

    @staticmethod
    def local(i, thread):
        return thread * HALF + i * 64, 90 + i % 10, LOCAL_MEMORY

    @staticmethod
    def sharing(i, thread):
        if i % 4 < 2:
            return thread * HALF + i * 64, 60, LEVEL_1
        return HALF - 8192 + i % 64 * 64, 400, REMOTE_CACHE

    @staticmethod
    def contention(i, thread):
        return thread * HALF // 2 + i * 64, 320 if i % 4 < 2 else 1400, REMOTE_MEMORY if thread else LOCAL_MEMORY

    @staticmethod
    def imbalance(i, thread):
        is_far = thread and i % 4 < 3
        return thread * HALF + i * 64, 450 if is_far else 90, REMOTE_MEMORY if is_far else LOCAL_MEMORY

    def accesses(self):
        for i in range(self.count):
            thread = i % 2
            place, latency, served = self.access(i // 2, thread)
            yield self.sample(101, 4000 + thread, 2000 + 10 * i, DATA + place, thread, latency, LOAD | served)
            if i % 1000 == 999:
                yield self.record(ROUND, b"")


def main():
    path, reason, samples = sys.argv[1:4]
    with open(path, "wb") as file:
        file.write(Run(reason, int(samples)).whole())


if __name__ == "__main__":
    main()
