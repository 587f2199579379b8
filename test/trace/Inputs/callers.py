"""Prints for each chain of calls of a profile which blocks it allocated, by what maiprof(5) says of the format."""
import sys


def sections(contents):
    at = 8
    while contents[at : at + 4] != b"END ":
        length = int.from_bytes(contents[at + 4 : at + 12], "little")
        yield contents[at : at + 4].decode(), contents[at + 12 : at + 12 + length]
        at += 12 + length


class Reader:
    def __init__(self, contents):
        self.contents, self.at = contents, 0

    def number(self):
        value, shift = 0, 0
        while True:
            byte = self.contents[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        length = self.number()
        self.at += length
        return self.contents[self.at - length : self.at].decode()


found = dict(sections(open(sys.argv[1], "rb").read()))
arrays, freed = Reader(found["ARRY"]), {}
while kind := arrays.number():
    start, _, instances = arrays.number(), arrays.number(), arrays.number()
    arrays.text(), arrays.text(), arrays.number(), arrays.text()
    if kind == 2:
        freed[start] = instances
calls, chains, blocks = Reader(found["CALL"]), 0, {}
while count := calls.number():
    chains += 1
    for _ in range(count):
        calls.text(), calls.number()
while start := calls.number():
    chain, number = calls.number(), calls.number()
    assert chain <= chains
    if start in freed:
        blocks.setdefault(chain, []).append((number, freed[start]))
sites, lines = Reader(found["SITE"]), []
while chain := sites.number():
    words = sites.text().split("\n")[:-1]
    names = [f"{place} ({name})" if name else place for place, name in zip(words[::2], words[1::2])]
    numbers = " ".join(str(number) for number, _ in sorted(blocks.get(chain, [])))
    gone = sum(instances for _, instances in blocks.get(chain, []))
    count = f"{gone} freed blocks" if gone else f"{len(blocks.get(chain, []))} block"
    if chain in blocks:
        lines.append(f"{', '.join(names)}: {count}, numbers {numbers}")
print("\n".join(sorted(lines)))
