"""Maps five kinds of matrix for a machine, with fewer threads than cores, as many as CPUs and more, and checks
that each map is legal and no dearer than the compact one.

    recorded.py machine.xml...
"""

import random
import re
import subprocess
import sys
import xml.etree.ElementTree

KINDS = {
    "ring": lambda i, j, n: 100 * (abs(i - j) in (1, n - 1)),
    "grid": lambda i, j, n: 100 * (abs(i - j) == 1 and i // 4 == j // 4 or abs(i - j) == 4),
    "cliques": lambda i, j, n: 100 * (i % max(1, n // 6) == j % max(1, n // 6)),
    "random": lambda i, j, n: random.Random(i * j * 7919 + i + j).randrange(1000),
    "alike": lambda i, j, n: 100,
}


def mask(text):
    return int("".join(word.removeprefix("0x").rjust(8, "0") for word in text.split(",")), 16)


def cores_of(file):
    """The CPUs that may be used, in lists by core."""
    root = xml.etree.ElementTree.parse(file).getroot()
    machine = root.find("object")
    allowed = mask(machine.get("allowed_cpuset"))
    cores = [[int(cpu.get("os_index")) for cpu in core.iter("object") if cpu.get("type") == "PU"]
             for core in machine.iter("object") if core.get("type") == "Core"]
    cores = [[cpu for cpu in core if allowed >> cpu & 1] for core in cores]
    return [core for core in cores if core]


def problem(cpus, cores):
    """What is wrong with a map that lists these CPUs, or None."""
    usable = {cpu for core in cores for cpu in core}
    if not set(cpus) <= usable:
        return "a CPU that may not be used"
    loads = [cpus.count(cpu) for cpu in usable]
    if max(loads) - min(loads) > 1:
        return "CPUs are not equally loaded"
    of_cores = [sum(cpus.count(cpu) for cpu in core) for core in cores]
    if min(of_cores) == 0 and max(of_cores) > 1:
        return "two threads on a core while a core is free"
    return None


def check(file, cores, threads, kind):
    rows = [" ".join(str(KINDS[kind](max(i, j), min(i, j), threads)) for j in range(threads))
            for i in range(threads)]
    text = subprocess.run(["mai-map", "-q", "--topology", file, "-"], input="\n".join(rows),
                          text=True, check=True, capture_output=True).stdout
    cpus = [int(word) for line in text.splitlines() if line[0] != "#" for word in line.split()]
    wrong = problem(cpus, cores)
    if len(cpus) != threads:
        wrong = f"{len(cpus)} CPUs"
    costs = re.search(r"^# cost (\S+); (\S+) compact", text, re.M)
    if costs and float(costs[1]) > float(costs[2]) * (1 + 1e-7):
        wrong = f"dearer than compact: {costs[0]}"
    if wrong:
        print(f"{file}, {threads} threads, {kind}: {wrong}")
    return not wrong


def main():
    maps = good = 0
    for file in sys.argv[1:]:
        cores = cores_of(file)
        cpus = sum(map(len, cores))
        for threads in {max(1, len(cores) * 2 // 3), cpus, min(cpus + 3, 100)}:
            for kind in KINDS:
                maps += 1
                good += check(file, cores, threads, kind)
    print("all good" if maps and good == maps else f"{good} of {maps}")


main()
