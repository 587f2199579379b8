# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs' own folders, and what a run of one did."""

import json
import re
import shutil
from dataclasses import dataclass

from . import comparison, modes
from .running import Outcome, call, environment_of_user, run

PREPARING_SECONDS = 600
LONGEST_PLAIN_SECONDS = 300
TIMES_PLAIN = 3
START_SECONDS = 1.0  # mai-run's own, and of reading the machine, for short programs
PATIENCE = 15  # times the wall clock of the plain run: other programs may hold the CPUs


@dataclass
class Observation:
    """One run, as far as it is compared."""

    outcome: Outcome
    stdout: list
    stderr: list
    files: dict
    report: object = None  # what the report file holds, or the reason why that cannot be said


class Bench:
    """Where the programs run, and with what."""

    def __init__(self, work, tools, python, wait):
        self.work = work
        self.wait = wait
        self.tools = tools
        self.python = python
        self.libraries = modes.known_libraries()

    def folder(self, program, *names):
        return self.work.joinpath(program.name, *names)

    def prepare(self, program):
        """Makes a program's input anew."""
        shutil.rmtree(self.folder(program), ignore_errors=True)
        source = self.folder(program, "input")
        source.mkdir(parents=True)
        for name, text in program.files.items():
            path = source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        if program.prepare:
            environment = self.environment(program, source)
            call(["sh", "-euc", program.prepare], cwd=source, env=environment, timeout=PREPARING_SECONDS)

    def environment(self, program, folder):
        return environment_of_user({"HOME": str(folder), **program.environment})

    def command(self, program):
        return [str(self.python) if word == "{python}" else word for word in program.command]

    def run(self, program, name, limit, prefix=(), more=None):
        """Runs it in a fresh copy of its input, with more in its environment."""
        folder = self.folder(program, name)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.folder(program, "input"), folder, symlinks=True)
        environment = {**self.environment(program, folder), **(more or {})}
        (folder / ".run").mkdir()
        outcome = run([*prefix, *self.command(program)], folder, environment, limit, ".run/program")
        return observe(program, folder, outcome)

    def run_plainly(self, program, allocator=None):
        name = f"plain-{allocator}" if allocator else "plain"
        return self.run(program, name, LONGEST_PLAIN_SECONDS, more=preloading(allocator))

    def run_in_mode(self, program, name, limit):
        mode = modes.MODES[name]
        prefix = [self.tools / mode.tool, *mode.options]
        return self.run(program, name, limit, prefix, {**preloading(mode.allocator), **mode.environment})


def preloading(library):
    return {"LD_PRELOAD": library} if library else {}


def observe(program, folder, outcome):
    ignored = [re.compile(pattern) for pattern in program.ignore]
    stderr = modes.without_remarks(outcome.stderr.decode("utf-8", "backslashreplace"))
    return Observation(
        outcome,
        comparison.comparable(outcome.stdout, ignored) if program.compare_stdout else [],
        comparison.comparable(stderr, ignored) if program.compare_stderr else foreign_lines(stderr),
        comparison.contents(folder, program.outputs),
        read_report(folder / modes.REPORT),
    )


def foreign_lines(stderr):
    """What MAi and the dynamic linker say: that is compared always."""
    return [line for line in stderr.splitlines() if re.match(r"mai: |mai-run: |ERROR: ld\.so", line)]


def read_report(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        return f"there is no report: {error.strerror}"
    except ValueError as error:
        return f"the report is no JSON: {error}"


def difference(program, expected, found):
    """What a run did other than the one before, as (kind, sentence), or None."""
    if found.outcome.hangs:
        return "hangs", found.outcome.ending()
    if found.outcome.status != expected.outcome.status:
        return "status", f"expected {expected.outcome.ending()}, found {found.outcome.ending()}; {last_words(found)}"
    if sentence := comparison.difference("standard output", expected.stdout, found.stdout, program.tolerance):
        return "output", sentence
    if sentence := comparison.difference_of_files(expected.files, found.files):
        return "output", sentence
    if sentence := comparison.difference("standard error", expected.stderr, found.stderr, program.tolerance):
        return "stderr", sentence
    return None


def last_words(observation):
    return f"standard error ends with {observation.stderr[-1][:160]!r}" if observation.stderr else "nothing is said"


def wrong_report(observation):
    """Why a report is not that of the program, or None."""
    report = observation.report
    if isinstance(report, str):
        return report
    if not isinstance(report, dict) or "process" not in report:
        return "the report names no process"
    if report["process"] != observation.outcome.process:
        return f"the report is of process {report['process']} ({report.get('program')}), not of the program"
    return None


def slowness(expected, found):
    """How much longer a run took in CPU time, or None where that is not too long."""
    most = TIMES_PLAIN * expected.outcome.cpu_seconds + START_SECONDS
    if found.outcome.cpu_seconds <= most:
        return None
    return f"took {found.outcome.cpu_seconds:.2f} s of CPU time, plainly {expected.outcome.cpu_seconds:.2f} s"


def limit_for(plain, at_least):
    """When a run counts as hanging."""
    return PATIENCE * max(plain.outcome.seconds, plain.outcome.cpu_seconds) + at_least


def check_plain(bench, program):
    """Runs a program plainly, twice. @return the observation, and why it is no test or None"""
    first = bench.run_plainly(program)
    if first.outcome.hangs or first.outcome.status != program.status:
        return first, f"plainly: {first.outcome.ending()}, expected {program.status}; {last_words(first)}"
    again = difference(program, first, bench.run_plainly(program))
    return first, f"two plain runs differ: {again[1]}" if again else None


def check_mode(bench, program, name, plain, timed):
    """@return (kind, sentence): kind is same, or what is wrong"""
    mode = modes.MODES[name]
    if mode.allocator:
        if mode.allocator not in bench.libraries:
            return "skipped", f"{mode.allocator} is not installed"
        with_allocator = bench.run_plainly(program, mode.allocator)
        if found := difference(program, plain, with_allocator):
            return "skipped", f"with {mode.allocator} alone: {found[1]}"
        plain = with_allocator
    observation = bench.run_in_mode(program, name, limit_for(plain, bench.wait))
    found = difference(program, plain, observation)
    if not found and mode.reports and (sentence := wrong_report(observation)):
        found = "report", sentence
    if not found and timed and (sentence := slowness(plain, observation)):
        found = "slow", sentence
    return found or ("same", f"{observation.outcome.cpu_seconds:.2f} s")


