"""Writes a file as perf record does of a program that uses a static array: mapped_program.py <file> <program> <build-id> [--table]

The program's code is mapped where its linker wanted it (no-pie). Its build-id stands in the record of the mapping, or, with --table, in
the table that older tools write. The machine is perf_data.py's.
"""
import subprocess
import sys

from perf_data import LEVEL_1, LOAD, MMAP2, Writer

BUILD_ID, BASE, OFFSET, SIZE = 2, 0x401000, 0x1000, 1 << 20
MAPPED_BUILD_ID = 1 << 14


def address_of(program, name):
    lines = subprocess.run(["nm", program], check=True, capture_output=True, text=True).stdout.splitlines()
    return next(int(line.split()[0], 16) for line in lines if line.split()[-1] == name)


class Mapped(Writer):
    def __init__(self, program, build_id, in_table):
        super().__init__(big=False, pipe=False, count=0)
        self.program, self.build_id, self.in_table = program, bytes.fromhex(build_id), in_table
        self.array = address_of(program, "used")

    def begin(self):
        identity = bytes(24) if self.in_table else bytes([len(self.build_id), 0, 0, 0]) + self.build_id
        contents = self.number(4000, 4) * 2 + self.numbers(BASE, SIZE, OFFSET) + identity + self.number(5, 4) + self.number(2, 4)
        record = self.record(MMAP2, contents + self.text(self.program) + self.trailer(1001, 4000), 0 if self.in_table else MAPPED_BUILD_ID)
        return [record]

    def accesses(self):
        for i in range(100):
            yield self.sample(101, 4000, 2000 + i, self.array + 8 * i, 0, 50, LOAD | LEVEL_1)

    def features(self):
        whole = super().features()
        entry = self.number(4000, 4) + self.build_id + bytes(4) + self.text(self.program)
        return {BUILD_ID: self.number(0, 4) + self.number(2, 2) + self.number(8 + len(entry), 2) + entry, **whole} if self.in_table else whole


def main():
    path, program, build_id = sys.argv[1:4]
    with open(path, "wb") as file:
        file.write(Mapped(program, build_id, "--table" in sys.argv).whole())


if __name__ == "__main__":
    main()
