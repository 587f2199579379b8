"""Print a machine of our own making as hwloc's XML.

    machines.py NAME [untold | tiers] > machine.xml

untold: hwloc knows nothing of the kind of a memory but its latency and bandwidth, as before 2.10.
tiers: each node has a tier of its own by its number, 1, 2, 3, ...
"""

import sys
from xml.sax.saxutils import quoteattr

GIB = 1 << 30
MIB = 1 << 20
KIB = 1 << 10


class Thing:
    """An object of hwloc's tree; `memory` are its NUMA nodes, `parts` what else is below it."""

    def __init__(self, kind, /, parts=(), memory=(), infos=(), **attributes):
        self.kind, self.parts, self.memory = kind, list(parts), list(memory)
        self.infos, self.attributes = dict(infos), attributes
        self.cpus = {attributes["os_index"]} if kind == "PU" else set()
        for part in self.parts:
            self.cpus |= part.cpus

    def walk(self):
        yield self
        for part in (*self.memory, *self.parts):
            yield from part.walk()


def node(os_index, memory, **more):
    return Thing("NUMANode", os_index=os_index, local_memory=memory, **more)


def cache(level, size, parts, kind=0):
    names = {0: f"L{level}Cache", 1: f"L{level}Cache", 2: f"L{level}iCache"}
    return Thing(names[kind], parts, cache_size=size, depth=level, cache_linesize=64,
                 cache_associativity=8, cache_type=kind)


def cores(first, count, all_cores, smt, l2, l1):
    """Cores as Linux numbers them: the second CPUs of all cores after the first ones."""
    for core in range(first, first + count):
        pus = [Thing("PU", os_index=core + rank * all_cores) for rank in range(smt)]
        core_thing = Thing("Core", pus, os_index=core)
        yield cache(2, l2, [cache(1, l1, [core_thing], kind=1)])


def mask(numbers):
    """"0x00000001,0x00000000": words of 32 bits, the highest first."""
    bits = sum(1 << number for number in numbers)
    words = []
    while bits or not words:
        words.append(f"0x{bits & 0xffffffff:08x}")
        bits >>= 32
    return ",".join(reversed(words))


def epyc():
    """Two EPYC of 64 cores, four nodes each (NPS4), an L3 for every four cores."""
    def numa(index):
        l3s = [cache(3, 16 * MIB, cores(index * 16 + i * 4, 4, 128, 2, 512 * KIB, 32 * KIB))
               for i in range(4)]
        return Thing("Group", l3s, [node(index, 64 * GIB)], kind=0, subkind=0)

    packages = [Thing("Package", [numa(p * 4 + i) for i in range(4)], os_index=p,
                      infos={"CPUModel": "EPYC"}) for p in range(2)]
    distances = [[10 if i == j else 12 if i // 4 == j // 4 else 32 for j in range(8)]
                 for i in range(8)]
    return Thing("Machine", packages), distances, []


def xeon_snc():
    """Two Xeon of 20 cores in two clusters, whose nodes share the package's L3."""
    def numa(index):
        return Thing("Group", cores(index * 10, 10, 40, 2, 1 * MIB, 32 * KIB),
                     [node(index, 48 * GIB)], kind=0, subkind=0)

    packages = [Thing("Package", [cache(3, 28 * MIB, [numa(p * 2), numa(p * 2 + 1)])], os_index=p)
                for p in range(2)]
    distances = [[10 if i == j else 11 if i // 2 == j // 2 else 21 for j in range(4)]
                 for i in range(4)]
    return Thing("Machine", packages), distances, []


def hbm_flat():
    """Two Xeon Max in flat mode, each with ordinary memory and HBM, which has no CPUs."""
    def package(index):
        memory = [node(index, 128 * GIB), node(index + 2, 64 * GIB, subtype="HBM")]
        return Thing("Package", cores(index * 4, 4, 8, 1, 2 * MIB, 48 * KIB), memory,
                     os_index=index)

    packages = [package(p) for p in range(2)]
    distances = [[10, 21, 13, 23], [21, 10, 23, 13], [13, 23, 10, 23], [23, 13, 23, 10]]
    values = []
    for p in range(2):
        initiator = packages[p].cpus
        values += [("Bandwidth", p, initiator, 200000), ("Bandwidth", p + 2, initiator, 700000),
                   ("Latency", p, initiator, 110), ("Latency", p + 2, initiator, 130)]
    return Thing("Machine", packages), distances, values


def grace_hopper():
    """One Grace of 72 cores, its memory, that of the GPU, and nodes for parts of the GPU that are
    empty."""
    empty = [node(index, 0) for index in range(2, 5)]
    gpu = node(1, 96 * GIB, subtype="GPUMemory", infos={"PCIBusID": "0009:01:00.0"})
    l3 = cache(3, 114 * MIB, cores(0, 72, 72, 1, 1 * MIB, 64 * KIB))
    package = Thing("Package", [l3], [node(0, 480 * GIB), gpu, *empty], os_index=0)
    distances = [[10 if i == j else 80 if 1 in (i, j) else 20 for j in range(5)] for i in range(5)]
    return Thing("Machine", [package]), distances, []


def cxl():
    """Two packages, memory behind CXL beside both and non-volatile memory beside the first; the
    firmware tells all latencies and bandwidths."""
    def package(index, memory):
        return Thing("Package", cores(index * 2, 2, 4, 1, 1 * MIB, 32 * KIB), memory,
                     os_index=index)

    packages = [package(0, [node(0, 64 * GIB), node(3, 256 * GIB, subtype="NVM")]),
                package(1, [node(1, 64 * GIB)])]
    latencies = {0: (90, 150), 1: (150, 90), 2: (270, 300), 3: (350, 420)}
    bandwidths = {0: (180000, 80000), 1: (80000, 180000), 2: (50000, 40000), 3: (30000, 20000)}
    values = []
    for p in range(2):
        for target in range(4):
            values.append(("Latency", target, packages[p].cpus, latencies[target][p]))
            values.append(("ReadBandwidth", target, packages[p].cpus, bandwidths[target][p]))
            values.append(("WriteBandwidth", target, packages[p].cpus, bandwidths[target][p] // 2))
    distances = [[10, 21, 24, 28], [21, 10, 24, 38], [24, 24, 10, 38], [28, 38, 38, 10]]
    machine = Thing("Machine", packages, [node(2, 128 * GIB, subtype="CXL-DRAM")])
    return machine, distances, values


def xml(thing, nodes_around, depth):
    nodes = set(nodes_around)
    if thing.kind == "NUMANode":
        nodes = {thing.attributes["os_index"]}
    else:
        nodes |= {part.attributes["os_index"] for part in thing.walk() if part.kind == "NUMANode"}
    sets = {"cpuset": mask(thing.cpus), "complete_cpuset": mask(thing.cpus),
            "nodeset": mask(nodes), "complete_nodeset": mask(nodes)}
    if thing.kind == "Machine":
        sets |= {"os_index": 0, "allowed_cpuset": mask(thing.cpus), "allowed_nodeset": mask(nodes)}
    attributes = {"type": thing.kind, **sets, "gp_index": thing.gp_index, **thing.attributes}
    words = " ".join(f"{name}={quoteattr(str(value))}" for name, value in attributes.items())
    yield f"{' ' * depth}<object {words}>"
    for name, value in thing.infos.items():
        yield f"{' ' * depth} <info name={quoteattr(name)} value={quoteattr(value)}/>"
    inner = nodes_around | {part.attributes["os_index"] for part in thing.memory}
    for part in (*thing.memory, *thing.parts):
        yield from xml(part, inner, depth + 1)
    yield f"{' ' * depth}</object>"


def xml_distances(distances):
    count = len(distances)
    indexes = " ".join(map(str, range(count))) + " "
    values = "".join(f"{value} " for row in distances for value in row)
    yield (f' <distances2 type="NUMANode" nbobjs="{count}" kind="5" name="NUMALatency"'
           ' indexing="os">')
    yield f'  <indexes length="{len(indexes)}">{indexes}</indexes>'
    yield f'  <u64values length="{len(values)}">{values}</u64values>'
    yield " </distances2>"


FLAGS = {"Bandwidth": 5, "ReadBandwidth": 5, "WriteBandwidth": 5, "Latency": 6}


def xml_values(machine, values):
    nodes = {thing.attributes["os_index"]: thing for thing in machine.walk()
             if thing.kind == "NUMANode"}
    for name in sorted({value[0] for value in values}):
        yield f' <memattr name="{name}" flags="{FLAGS[name]}">'
        for attribute, target, initiator, value in values:
            if attribute == name:
                yield (f'  <memattr_value target_obj_gp_index="{nodes[target].gp_index}"'
                       f' target_obj_type="NUMANode" value="{value}"'
                       f' initiator_cpuset="{mask(initiator)}"/>')
        yield " </memattr>"


def main():
    machine, distances, values = globals()[sys.argv[1].replace("-", "_")]()
    untold = "untold" in sys.argv[2:]
    for index, thing in enumerate(machine.walk()):
        thing.gp_index = index + 1
        for part in thing.memory:
            part.cpus = thing.cpus
        if untold and thing.kind == "NUMANode":
            thing.attributes.pop("subtype", None)
            thing.infos = {}
        if "tiers" in sys.argv[2:] and thing.kind == "NUMANode":
            thing.infos["MemoryTier"] = str(thing.attributes["os_index"] + 1)
    print('<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE topology SYSTEM "hwloc2.dtd">')
    print('<topology version="2.0">')
    print("\n".join((*xml(machine, set(), 1), *xml_distances(distances),
                     *xml_values(machine, values))))
    print("</topology>")


main()
