# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of cases: what the machine is told to do, and what it says."""

import base64
import gzip
import itertools
import json
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from .building import Builds
from .common import EvaluationError, call, digest, write_whole
from .programs import Programs, page_counter_list
from .scenarios import SCENARIOS

MARK = "@evaluate"
PAGE_COUNTER = "page_counter.txt"
PROFILE = "traced.maiprof"
REPORT = "report.json"
SAMPLE_MILLISECONDS = 100
BLOCK_BYTES = 256  # smaller blocks of the heap are not told apart; rows of matrices are
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
    place: object  # the folder that it runs in
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
    profile: list = None  # compressed, in base64
    report: list = None  # MAi's

    @property
    def text(self):
        return "\n".join(self.output) + "\n"

    @property
    def profile_bytes(self):
        try:
            return gzip.decompress(base64.b64decode("".join(self.profile or []), validate=True))
        except (ValueError, OSError, EOFError):
            return b""

    @property
    def tasks(self):
        """MAi's tasks at home and elsewhere, or None when it has reported none."""
        try:
            report = json.loads("\n".join(self.report or ["{}"]))
            tasks = report.get("tasks")
            return tasks and {name: sum(int(each[name]) for each in tasks)
                              for name in ("at_home", "stolen_near", "stolen_far")}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise EvaluationError(f"the report says of tasks what it never does: {error}") from error

    def number(self, pattern):
        """What the program says of its time, or of what it counts, if the manifest tells how."""
        found = pattern and pattern.search(self.text)
        return float(found[1]) if found else None


class Forms:
    """The forms of all programs, however each is built."""

    def __init__(self, programs, bin_directory, folder, sources):
        self.bin = bin_directory
        self.mai_trace = bin_directory / "mai-trace"
        self.folder = folder
        self.programs = {program.name: program for program in programs}
        self.joined = Programs(bin_directory, folder, sources)
        self.builds = Builds(bin_directory, folder, sources)

    def program(self, name):
        return self.programs[name]

    def is_joined(self, name):
        return self.programs[name].counting == "joined"

    def build(self, name, compiler, form, profile=None):
        makers = self.joined if self.is_joined(name) else self.builds
        return makers.build(self.programs[name], compiler, form, profile)

    def traced(self, name, compiler):
        """The original, traced."""
        return self.build(name, compiler, "traced" if self.is_joined(name) else "original")

    def place(self, program, compiler, form="original"):
        """Where a program runs: where it is."""
        if program.counting == "joined":
            return self.folder
        return self.builds.binary(program, compiler, form).parent

    def said(self, name, compiler, form):
        """What MApp said when it made this form."""
        if self.is_joined(name):
            return self.joined.said(self.programs[name], form)
        return self.builds.said(self.programs[name], compiler, form)


class Jobs:
    def __init__(self, forms, tracer, machine, threads, folder):
        self.forms = forms
        self.tracer = tracer
        self.machine = machine
        self.threads = threads
        self.folder = folder
        self._maps = {}

    def job(self, case):
        scenario = SCENARIOS[case.scenario]
        program = self.forms.program(case.program)
        traced = program.counting == "traced"
        binary = self.forms.build(case.program, case.compiler, scenario.form,
                                  self.tracer.guide(case.program, case.compiler, scenario.form))
        place = self.forms.place(program, case.compiler, scenario.form)
        map_file, cpus = self.map(case.program, case.compiler, scenario.map == "worst")
        files = [binary, map_file, Path("/usr/bin/env")]
        command = ["env", *VARIABLES, f"OMP_NUM_THREADS={self.threads}",
                   *([] if self._mai_pins(case) else self._binding(traced, scenario, map_file, cpus)),
                   *(f"{name}={value}" for name, value in program.environment.items())]
        if traced:
            files += self.forms.builds.inputs(program, case.compiler, scenario.form)
            command += [f"MAI_TRACE_FILE={self.folder / PROFILE}", f"MAI_TRACE_BLOCK={BLOCK_BYTES}"]
        else:
            page_counter = [self.forms.joined.page_counter(), self._list(case, binary)]
            files += page_counter
            command += [f"LD_PRELOAD={page_counter[0]}", f"PAGE_COUNTER_ARRAYS={page_counter[1]}",
                        f"PAGE_COUNTER={self.folder / PAGE_COUNTER}"]
        command += [f"{name}={value}" for _, level in case.levels for name, value in level.environment]
        libraries = [] if scenario.form == "original" else [self.forms.joined.libmai()]
        launcher, policies = self._launcher(case, map_file)
        if not launcher and scenario.form == "original":
            command.append("MAI_LOOPS=any")  # as without the tracer
        if launcher:
            # Without a folder for the names of the program's data mai-run reads none.
            command += [f"MAI_REPORT={self.folder / REPORT}", f"XDG_CACHE_HOME={self.folder}", *launcher]
            libraries = [self.forms.joined.libmai(), self.forms.joined.libmai_run()]
            files += [self.forms.bin / "mai-run", self.forms.bin / "mai-names", *policies, *libraries]
        command += [str(binary), *program.arguments, *(word for _, level in case.levels for word in level.arguments)]
        key = digest([self.machine.key, program.verify, *command], [*files, *libraries])
        if scenario.interleave:
            command = ["numactl", "--interleave=all", *command]
            files.append(Path(shutil.which("numactl")))
        return Job(case, scenario, binary, cpus, files, command, place, key)

    def _list(self, case, binary):
        """The file that tells the page counter which arrays there are."""
        original = self.forms.build(case.program, case.compiler, "original")
        path = self.folder / f"{case.name}.arrays"
        symbols = self.forms.joined.symbols
        write_whole(path, page_counter_list(symbols(original), symbols(binary)))
        return path

    def map(self, program, compiler, worst):
        """The map file that mai-map makes of the profile, and its CPUs."""
        name = f"{program}.{compiler}.{'worst' if worst else 'best'}.map"
        if name not in self._maps:
            path = self.folder / name
            call([self.forms.bin / "mai-map", "-q", *self.machine.topology,
                  *(["--worst"] if worst else []), "-o", path, self.tracer.profile(program, compiler)])
            text = re.sub("#.*", "", path.read_text(encoding="utf-8"))
            self._maps[name] = path, [int(word) for word in re.split(r"[\s,]+", text.strip())]
        return self._maps[name]

    @staticmethod
    def _mai_pins(case):
        """Under mai-run, as a level of a factor has it; but libomp pins threads of traced programs itself."""
        return case.compiler == "gcc" and any(level.mai_run is not None for _, level in case.levels)

    def _launcher(self, case, map_file):
        """(what stands before the program, the files of policies that it needs)."""
        options, policies = [], []
        if SCENARIOS[case.scenario].trained:
            policies = [self.tracer.policies(case.program, case.compiler)]
            options = ["-p", f"@{policies[0]}"]
        given = [level.mai_run for _, level in case.levels if level.mai_run is not None]
        if not options and not given:
            return [], []
        pins = map_file if self._mai_pins(case) else "none"
        return [str(self.forms.bin / "mai-run"), "-q", "-m", str(pins), *options, *itertools.chain(*given)], policies

    @staticmethod
    def _binding(traced, scenario, map_file, cpus):
        """Under libomp MAi does not pin the threads of a traced program; the run-time does."""
        if scenario.map == "free":
            return ["OMP_PROC_BIND=false", f"PAGE_COUNTER_SAMPLE={SAMPLE_MILLISECONDS}"]
        if scenario.form == "original" or traced:
            places = ",".join(f"{{{cpu}}}" for cpu in cpus)
            return ["OMP_PROC_BIND=true", f"OMP_PLACES={places}"]
        return [f"MAI_MAP_FILE={map_file}", "MAI_STRICT=1"]


def portions(runs, carried, most_bytes):
    """The runs in order, cut so that the files that the machine gets for each portion have at most so many bytes
    (None: any number); a run whose files have more is a portion of its own."""
    result, files = [], {}
    for run in runs:
        own = {file: Path(file).stat().st_size for file in carried(run)}
        files |= own
        if not result or (most_bytes is not None and sum(files.values()) > most_bytes):
            result.append([])
            files = own
        result[-1].append(run)
    return result


def script_for(jobs, runs, folder, seconds):
    """A shell script that makes all the runs; in rounds, so that what else a machine does hits all alike."""
    text = []
    page_counts, profile, report = (shlex.quote(str(folder / name)) for name in (PAGE_COUNTER, PROFILE, REPORT))
    for run, job in runs:
        words = shlex.join(map(str, jobs[job].command))
        text += [
            f"echo '{MARK} begin {run} {job}'",
            f"cd {shlex.quote(str(jobs[job].place))}",
            f"rm -f {page_counts} {profile} {report}",
            f'env -i PATH="$PATH" timeout -s KILL {seconds} {words} 2>&1 </dev/null',
            "status=$?; echo",  # what it said last may lack the end of its line
            f'echo "{MARK} status $status"',
            f"[ ! -f {page_counts} ] || cat {page_counts}",
            f"[ ! -f {report} ] || {{ echo '{MARK} report'; cat {report}; }}",
            f"[ ! -f {profile} ] || {{ echo '{MARK} profile'; gzip -1 -c {profile} | base64; }}",
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
            if observation.output[-1:] == [""]:
                observation.output.pop()
        elif words[:2] == [MARK, "end"]:
            observation.threads.sort()
            yield run, job, observation
            observation = None
        elif words[:2] == [MARK, "profile"]:
            observation.profile = []
        elif words[:2] == [MARK, "report"]:
            observation.report = []
        elif observation.profile is not None:
            observation.profile.append(line)
        elif observation.report is not None:
            observation.report.append(line)
        elif observation.status is None:
            observation.output.append(line)
        elif words:
            try:
                take_page_counts(observation, line)
            except (ValueError, IndexError) as error:
                raise EvaluationError(f"the page counter says what it never does: {error}") from error
