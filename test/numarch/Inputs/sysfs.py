"""Make a folder in which /sys and /proc describe a machine of our own making: sysfs.py FOLDER

Two packages of two cores; nodes 0 and 2 with CPUs, node 5 with memory behind a link only.
"""

import pathlib
import sys

root = pathlib.Path(sys.argv[1])
NODES = {0: [0, 1], 2: [2, 3], 5: []}
MEMORY = {0: 8 << 20, 2: 8 << 20, 5: 32 << 20}  # KiB
DISTANCES = {0: (10, 21, 28), 2: (21, 10, 28), 5: (28, 28, 10)}


def write(path, text):
    path = root / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n")


def cpu_mask(cpus):
    return f"{sum(1 << cpu for cpu in cpus):x}"


for name in ("cpu/online", "cpu/possible", "cpu/present"):
    write(f"sys/devices/system/{name}", "0-3")
for cpu in range(4):
    topology = f"sys/devices/system/cpu/cpu{cpu}/topology"
    write(f"{topology}/physical_package_id", cpu // 2)
    write(f"{topology}/core_id", cpu % 2)
    for name, cpus in (("core_cpus", [cpu]), ("thread_siblings", [cpu]),
                       ("package_cpus", NODES[cpu // 2 * 2]),
                       ("core_siblings", NODES[cpu // 2 * 2])):
        write(f"{topology}/{name}", cpu_mask(cpus))
    cache = f"sys/devices/system/cpu/cpu{cpu}/cache/index0"
    for name, value in (("level", 2), ("type", "Unified"), ("size", "1024K"),
                        ("coherency_line_size", 64), ("number_of_sets", 1024),
                        ("ways_of_associativity", 16), ("physical_line_partition", 1),
                        ("shared_cpu_map", cpu_mask([cpu]))):
        write(f"{cache}/{name}", value)

write("sys/devices/system/node/online", "0,2,5")
write("sys/devices/system/node/possible", "0-7")
for node, cpus in NODES.items():
    folder = f"sys/devices/system/node/node{node}"
    write(f"{folder}/cpumap", cpu_mask(cpus))
    write(f"{folder}/distance", " ".join(map(str, DISTANCES[node])))
    write(f"{folder}/meminfo", f"Node {node} MemTotal:       {MEMORY[node]} kB\n"
                               f"Node {node} MemFree:        {MEMORY[node] // 2} kB")
    initiators = f"{folder}/access0/initiators"
    nearest = node if cpus else 0
    (root / initiators / f"node{nearest}").mkdir(parents=True)
    for operation in ("read", "write"):
        write(f"{initiators}/{operation}_latency", 90 if cpus else 250)
        write(f"{initiators}/{operation}_bandwidth", 100000 if cpus else 30000)

write("proc/cpuinfo", "\n".join(f"processor\t: {cpu}\n" for cpu in range(4)))
write("proc/meminfo", f"MemTotal: {sum(MEMORY.values())} kB")
write("proc/mounts", "")
