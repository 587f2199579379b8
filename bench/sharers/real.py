# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs on this machine: how long they take, and what its counters say where it has some."""

import os
import re
import shutil
import statistics
import subprocess
import tempfile

from evaluation.common import EvaluationError, digest

EVENTS = ("node-loads", "node-load-misses", "LLC-load-misses")
TIME = re.compile(r"threads(?: a stage)?, ([0-9.]+) s")


def cpus_of_nodes():
    """By node with CPUs that this process may use."""
    allowed = os.sched_getaffinity(0)
    text = subprocess.run(["numactl", "--hardware"], check=True, capture_output=True, text=True).stdout
    nodes = {int(node): [int(cpu) for cpu in cpus.split() if int(cpu) in allowed]
             for node, cpus in re.findall(r"node (\d+) cpus:([ \d]*)", text)}
    return {node: cpus for node, cpus in nodes.items() if cpus}


class RealMachine:
    is_real = True
    name = "host"

    def __init__(self, options):
        self.options = options
        self.nodes = cpus_of_nodes()
        self.perf = shutil.which("perf")

    def sets_of_cpus(self):
        """What to run on: one thread, two, a node, all nodes."""
        node = next(iter(self.nodes.values()))
        every = [cpu for cpus in self.nodes.values() for cpu in cpus]
        sets = [("one node", node[:count]) for count in (1, 2) if count <= len(node)]
        sets += [("one node", node)] if len(node) > 2 else []
        return sets + ([("all nodes", every)] if len(self.nodes) > 1 else [])

    def key(self, program, built):
        return digest([self.name, self.sets_of_cpus(), self.options.rounds, program.real_sizes], [built.program, *([built.input] if built.input else [])])

    def _command(self, program, way, built, cpus):
        words = ["numactl", f"--physcpubind={','.join(map(str, cpus))}", *(["--interleave=all"] if way.interleaves else []), str(built.program)]
        words += [*program.real_sizes.split(), *way.arguments(program).split()]
        if not program.is_openmp:
            words.append(f"--threads={len(cpus)}")
        return words + ([f"--input={built.input}"] if built.input else [])

    def _counted(self, command):
        """With the counters, where they can be had."""
        if not self.perf:
            return command, None
        counts = tempfile.NamedTemporaryFile("r")
        return [self.perf, "stat", "-x,", "-o", counts.name, "-e", ",".join(EVENTS), *command], counts

    def run_once(self, program, way, built, cpus):
        command, counts = self._counted(self._command(program, way, built, cpus))
        environment = os.environ | {"OMP_NUM_THREADS": str(len(cpus)), "OMP_PROC_BIND": "close" if program.is_openmp else "false",
                                    "MAI_NEIGHBOURS": "0"}
        before = os.times()
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        after = os.times()
        wall = TIME.search(done.stderr)
        if done.returncode or not wall or "VERIFICATION SUCCESSFUL" not in done.stdout:
            raise EvaluationError(f"{program.name}, {way.name}, has not verified: {done.stdout}{done.stderr}")
        used = after.children_user + after.children_system - before.children_user - before.children_system
        return {"wall": float(wall[1]), "cpu": used, "counters": read_counters(counts)}

    def run(self, program, ways, built):
        """Round by round, all ways in turn."""
        found = []
        for place, cpus in self.sets_of_cpus():
            rounds = [{way.name: self.run_once(program, way, built, cpus) for way in ways} for _ in range(self.options.rounds)]
            found.append({"place": place, "threads": len(cpus), "rounds": rounds})
        return found


def read_counters(counts):
    """{event: count} of those that the machine has."""
    if counts is None:
        return {}
    with counts:
        found = re.findall(r"^(\d+),[^,]*,([^,:]+)", counts.read(), re.MULTILINE)
    return {event: int(count) for count, event in found}


def ratios(measured, way, base, what):
    """Of runs that followed each other: the median."""
    return statistics.median(each[way][what] / max(1e-9, each[base][what]) for each in measured["rounds"])


def table(program, measured, ways, base):
    lines = [f"{program.name + ':':26} {'place':>9} {'threads':>7} {'s':>8} {'CPU s':>8} {'of original':>11} {'CPU of it':>9}"]
    for each in measured:
        for way in ways:
            wall, cpu = (statistics.median(one[way.name][what] for one in each["rounds"]) for what in ("wall", "cpu"))
            lines.append(f"{way.name:26} {each['place']:>9} {each['threads']:7} {wall:8.3f} {cpu:8.3f} "
                         f"{ratios(each, way.name, base, 'wall'):11.3f} {ratios(each, way.name, base, 'cpu'):9.3f}")
    return "\n".join(lines)
