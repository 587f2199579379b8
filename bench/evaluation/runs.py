# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of cases: what the machine is told to do, and what it says."""

import re
import shlex
from dataclasses import dataclass, field

from .common import EvaluationError, call, digest
from .programs import witness_list
from .scenarios import SCENARIOS

MARK = "@evaluate"
SAMPLE_MILLISECONDS = 100
VARIABLES = ("OMP_WAIT_POLICY=passive", "OMP_DYNAMIC=false", "MAI_VERBOSE=0")


@dataclass
class Job:
    """A case on its way to the machine."""

    case: object
    scenario: object
    binary: object
    cpus: list  # the map: CPU of thread 0, 1, ...
    files: list
    command: list
    key: str  # of everything that the result depends on


@dataclass
class Observation:
    """What one run has shown."""

    status: int = None
    output: list = field(default_factory=list)
    page_bytes: int = 4096
    node_of_cpu: dict = field(default_factory=dict)
    threads: list = field(default_factory=list)  # (CPU, allowed CPUs, {CPU: samples})
    arrays: dict = field(default_factory=dict)  # name: (address, bytes, [(node, pages), ...])

    @property
    def is_verified(self):
        return self.status == 0 and any("VERIFICATION SUCCESSFUL" in line for line in self.output)

    @property
    def seconds(self):
        for line in self.output:
            if found := re.match(r" Time\s+([0-9.]+) s", line):
                return float(found[1])
        return None


class Jobs:
    def __init__(self, programs, tracer, machine, threads, folder):
        self.programs = programs
        self.tracer = tracer
        self.machine = machine
        self.threads = threads
        self.folder = folder
        self._maps = {}

    def job(self, case):
        scenario = SCENARIOS[case.scenario]
        original = self.programs.build(case.program, case.size, case.compiler, "original")
        binary = self.programs.build(case.program, case.size, case.compiler, scenario.form)
        symbols = self.programs.symbols
        list_ = self.folder / f"{case.name}.arrays"
        list_.write_text(witness_list(symbols(original), symbols(binary)), encoding="utf-8")
        worst = scenario.map == "worst"
        map_file, cpus = self.map(case.program, case.size, case.compiler, worst)
        witness = self.programs.witness()
        files = [binary, list_, witness, map_file, "/usr/bin/env"]
        variables = [*VARIABLES, f"OMP_NUM_THREADS={self.threads}", f"LD_PRELOAD={witness}",
                     f"WITNESS_ARRAYS={list_}", f"WITNESS={self.folder / 'witness.txt'}"]
        command = []
        if scenario.interleave:
            files.append(call(["sh", "-c", "command -v numactl"]).strip())
            command = ["numactl", "--interleave=all"]
        variables += self._binding(scenario, map_file, cpus)
        command += ["env", *variables, str(binary)]
        libraries = [] if scenario.form == "original" else [self.programs.libmai()]
        key = digest([self.machine.key, *command], [binary, witness, list_, map_file, *libraries])
        return Job(case, scenario, binary, cpus, files, command, key)

    def map(self, program, size, compiler, worst):
        """The map file that mai-map makes of the profile, and its CPUs."""
        name = f"{program}.{size}.{compiler}.{'worst' if worst else 'best'}.map"
        if name not in self._maps:
            profile = self.tracer.profile(program, size, compiler)
            path = self.folder / name
            call([self.programs.bin / "mai-map", "-q", *self.machine.topology,
                  *(["--worst"] if worst else []), "-o", path, profile])
            text = re.sub("#.*", "", path.read_text(encoding="utf-8"))
            self._maps[name] = path, [int(word) for word in re.split(r"[\s,]+", text.strip())]
        return self._maps[name]

    def _binding(self, scenario, map_file, cpus):
        if scenario.map == "free":
            return ["OMP_PROC_BIND=false", f"WITNESS_SAMPLE={SAMPLE_MILLISECONDS}"]
        if scenario.form == "original":
            places = ",".join(f"{{{cpu}}}" for cpu in cpus)
            return ["OMP_PROC_BIND=true", f"OMP_PLACES={places}"]
        return [f"MAI_MAP_FILE={map_file}", "MAI_STRICT=1"]


def script_for(jobs, runs, folder, seconds):
    """A shell script that makes all the runs; in rounds, so that what else a machine does hits all alike."""
    witness = shlex.quote(str(folder / "witness.txt"))
    text = [f"cd {shlex.quote(str(folder))}"]
    for run, job in runs:
        words = shlex.join(map(str, jobs[job].command))
        text += [
            f"echo '{MARK} begin {run} {job}'",
            f"rm -f {witness}",
            f'env -i PATH="$PATH" timeout -s KILL {seconds} {words} 2>&1 </dev/null',
            f'echo "{MARK} status $?"',
            f"[ ! -f {witness} ] || cat {witness}",
            f"echo '{MARK} end'",
        ]
    return "\n".join(text) + "\n"


def numbers_of(text):
    """0-2,5 as the kernel lists CPUs."""
    result = []
    for part in text.split(",") if text else []:
        first, _, last = part.partition("-")
        result += range(int(first), int(last or first) + 1)
    return result


def take_witness(observation, line):
    """One line of the witness; whether it was the last."""
    word, *rest = line.split()
    if word == "page":
        observation.page_bytes = int(rest[0])
    elif word == "node":
        for cpu in numbers_of(rest[1] if len(rest) > 1 else ""):
            observation.node_of_cpu[cpu] = int(rest[0])
    elif word == "thread":
        samples = {int(cpu): int(count) for cpu, count in (each.split(":") for each in rest[3:])}
        observation.threads.append((int(rest[0]), int(rest[1]), numbers_of(rest[2]), samples))
    elif word == "array":
        pieces = [] if "error" in rest else [piece.split("*") for piece in rest[3:]]
        runs = [(None if node == "-" else int(node), int(pages)) for node, pages in pieces]
        observation.arrays[rest[0]] = (int(rest[1], 16), int(rest[2]), runs)
    elif word != "end":
        raise ValueError(f"'{line}'")


def observations(lines):
    """Collects what a script says into (run, job's number, observation)."""
    observation = run = job = None
    for line in lines:
        words = line.split()
        if words[:2] == [MARK, "begin"]:
            observation, run, job = Observation(), int(words[2]), int(words[3])
        elif observation is None:
            continue
        elif words[:2] == [MARK, "status"]:
            observation.status = int(words[2])
        elif words[:2] == [MARK, "end"]:
            observation.threads.sort()
            yield run, job, observation
            observation = None
        elif observation.status is None:
            observation.output.append(line)
        elif words:
            try:
                take_witness(observation, line)
            except (ValueError, IndexError) as error:
                raise EvaluationError(f"the witness says what it never does: {error}") from error
