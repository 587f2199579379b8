# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of cases: what the machine is told to do, and what it says."""

import base64
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from .common import EvaluationError, call, digest, write_whole
from .programs import page_counter_list
from .scenarios import SCENARIOS

MARK = "@evaluate"
PAGE_COUNTER = "page_counter.txt"
PROFILE = "traced.maiprof"
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
    profile: list = None  # in base64

    @property
    def is_verified(self):
        return self.status == 0 and any("VERIFICATION SUCCESSFUL" in line for line in self.output)

    @property
    def profile_bytes(self):
        try:
            return base64.b64decode("".join(self.profile or []), validate=True)
        except ValueError:
            return b""

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
        form = scenario.form
        if case.traced:
            form = "traced" if form == "original" else f"traced-{form}"
        binary = self.programs.build(case.program, case.size, case.compiler, form)
        map_file, cpus = self.map(case.program, case.size, case.compiler, scenario.map == "worst")
        files = [binary, map_file, Path("/usr/bin/env")]
        command = ["env", *VARIABLES, f"OMP_NUM_THREADS={self.threads}",
                   *self._binding(case, scenario, map_file, cpus)]
        if case.traced:
            command += [f"MAI_TRACE_FILE={self.folder / PROFILE}"]
        else:
            page_counter = [self.programs.page_counter(), self._list(case, binary)]
            files += page_counter
            command += [f"LD_PRELOAD={page_counter[0]}", f"PAGE_COUNTER_ARRAYS={page_counter[1]}",
                        f"PAGE_COUNTER={self.folder / PAGE_COUNTER}"]
        command.append(str(binary))
        libraries = [] if scenario.form == "original" else [self.programs.libmai()]
        key = digest([self.machine.key, *command], [*files, *libraries])
        if scenario.interleave:
            command = ["numactl", "--interleave=all", *command]
            files.append(Path(shutil.which("numactl")))
        return Job(case, scenario, binary, cpus, files, command, key)

    def _list(self, case, binary):
        """The file that tells the page counter which arrays there are."""
        original = self.programs.build(case.program, case.size, case.compiler, "original")
        path = self.folder / f"{case.name}.arrays"
        symbols = self.programs.symbols
        write_whole(path, page_counter_list(symbols(original), symbols(binary)))
        return path

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

    @staticmethod
    def _binding(case, scenario, map_file, cpus):
        """Under libomp MAi does not pin the threads of a traced program; the run-time does."""
        if scenario.map == "free":
            return ["OMP_PROC_BIND=false", f"WITNESS_SAMPLE={SAMPLE_MILLISECONDS}"]
        if scenario.form == "original" or case.traced:
            places = ",".join(f"{{{cpu}}}" for cpu in cpus)
            return ["OMP_PROC_BIND=true", f"OMP_PLACES={places}"]
        return [f"MAI_MAP_FILE={map_file}", "MAI_STRICT=1"]


def script_for(jobs, runs, folder, seconds):
    """A shell script that makes all the runs; in rounds, so that what else a machine does hits all alike."""
    text = [f"cd {shlex.quote(str(folder))}"]
    for run, job in runs:
        words = shlex.join(map(str, jobs[job].command))
        text += [
            f"echo '{MARK} begin {run} {job}'",
            f"rm -f {PAGE_COUNTER} {PROFILE}",
            f'env -i PATH="$PATH" timeout -s KILL {seconds} {words} 2>&1 </dev/null',
            f'echo "{MARK} status $?"',
            f"[ ! -f {PAGE_COUNTER} ] || cat {PAGE_COUNTER}",
            f"[ ! -f {PROFILE} ] || {{ echo '{MARK} profile'; base64 {PROFILE}; }}",
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


def take_page_counts(observation, line):
    """One line of the page counter; whether it was the last."""
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
        elif words[:2] == [MARK, "profile"]:
            observation.profile = []
        elif observation.profile is not None:
            observation.profile.append(line)
        elif observation.status is None:
            observation.output.append(line)
        elif words:
            try:
                take_page_counts(observation, line)
            except (ValueError, IndexError) as error:
                raise EvaluationError(f"the page counter says what it never does: {error}") from error
