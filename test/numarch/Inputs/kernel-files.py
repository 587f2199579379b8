"""Write a machine as the kernel would describe it under /sys: kernel-files.py FOLDER < machine.xml

The machine is hwloc's XML of packages, cores, caches and nodes.
"""

import pathlib
import sys
import xml.etree.ElementTree

root = pathlib.Path(sys.argv[1]) / "sys/devices/system"
machine = xml.etree.ElementTree.parse(sys.stdin)
CACHE_KINDS = ("Unified", "Data", "Instruction")


def write(path, text):
    path = root / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n")


def members(mask):
    bits = int("".join(word.removeprefix("0x").rjust(8, "0") for word in mask.split(",")), 16)
    return [number for number in range(bits.bit_length()) if bits >> number & 1]


def write_set(path, mask, list_path):
    """In the two forms of the kernel, of which hwloc reads the first."""
    write(path, ",".join(word.removeprefix("0x").rjust(8, "0") for word in mask.split(",")))
    write(list_path, ",".join(map(str, members(mask))))


def objects(kind):
    return [thing for thing in machine.iter("object") if thing.get("type") == kind]


def write_shared(kind, name, old_name, number):
    for thing in objects(kind):
        for cpu in members(thing.get("cpuset")):
            folder = f"cpu/cpu{cpu}/topology"
            write_set(f"{folder}/{name}", thing.get("cpuset"), f"{folder}/{name}_list")
            write(f"{folder}/{old_name}", (root / folder / name).read_text().strip())
            write(f"{folder}/{number}", thing.get("os_index"))


def write_cache(thing):
    """The index is the next one of the CPU, but that of the third level."""
    for cpu in members(thing.get("cpuset")):
        caches = root / f"cpu/cpu{cpu}/cache"
        taken = len(list(caches.glob("index*")))
        folder = f"cpu/cpu{cpu}/cache/index{3 if thing.get('depth') == '3' else taken}"
        write_set(f"{folder}/shared_cpu_map", thing.get("cpuset"), f"{folder}/shared_cpu_list")
        for name, value in (("level", thing.get("depth")),
                            ("type", CACHE_KINDS[int(thing.get("cache_type"))]),
                            ("size", f"{int(thing.get('cache_size')) // 1024}K"),
                            ("coherency_line_size", thing.get("cache_linesize")),
                            ("number_of_sets", 64), ("ways_of_associativity", 8),
                            ("physical_line_partition", 1)):
            write(f"{folder}/{name}", value)


def write_node(thing, row):
    folder = f"node/node{thing.get('os_index')}"
    write_set(f"{folder}/cpumap", thing.get("cpuset"), f"{folder}/cpulist")
    write(f"{folder}/distance", " ".join(map(str, row)))
    write(f"{folder}/meminfo",
          f"Node {thing.get('os_index')} MemTotal: {int(thing.get('local_memory')) // 1024} kB")


def read_distances(count):
    """By OS index of both nodes; without any, what Linux assumes."""
    matrix = machine.find("distances2")
    if matrix is None:
        return lambda source, target: 10 if source == target else 20
    order = [int(word) for indexes in matrix.iter("indexes") for word in indexes.text.split()]
    values = [int(word) for row in matrix.iter("u64values") for word in row.text.split()]
    return lambda source, target: values[order.index(source) * count + order.index(target)]


cpus = sorted(int(cpu.get("os_index")) for cpu in objects("PU"))
for file in ("online", "possible", "present"):
    write(f"cpu/{file}", ",".join(map(str, cpus)))
write_shared("Package", "package_cpus", "core_siblings", "physical_package_id")
write_shared("Core", "core_cpus", "thread_siblings", "core_id")
threads = max(len(members(core.get("cpuset"))) for core in objects("Core"))
write("cpu/smt/active", int(threads > 1))
for level in (1, 2, 3):
    for cache in (*objects(f"L{level}Cache"), *objects(f"L{level}iCache")):
        write_cache(cache)

nodes = sorted(objects("NUMANode"), key=lambda node: int(node.get("os_index")))
numbers = [int(node.get("os_index")) for node in nodes]
for file in ("online", "possible", "has_memory"):
    write(f"node/{file}", ",".join(map(str, numbers)))
distance = read_distances(len(nodes))
for node in nodes:
    write_node(node, [distance(int(node.get("os_index")), number) for number in numbers])
proc = pathlib.Path(sys.argv[1]) / "proc"
proc.mkdir()
(proc / "cpuinfo").write_text("".join(f"processor\t: {cpu}\n\n" for cpu in cpus))
(proc / "meminfo").write_text("MemTotal: 1048576 kB\n")
(proc / "mounts").write_text("")
