# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A study in parts, an evaluation of its own for each program, which Slurm or GNU parallel starts; and what all of them say.

Each part has a folder of its own, so parts need nothing of one another, and one that was interrupted goes on.
"""

import json
import shlex
import shutil
import subprocess
import sys

from .common import SOURCE, EvaluationError, say, write_whole
from .manifest import HOST
from .store import prepare

ATTEMPTS = 2  # a part that fails, of a machine that went away, say, gets another


class Part:
    def __init__(self, program, out):
        self.name = program.name
        self.out = out / "parts" / program.name
        self.results = self.out / "results.json"
        self.log = self.out / "log"

    def command(self, words):
        words = [sys.executable, SOURCE / "scripts/evaluate", *words, "--programs", self.name, "--out", self.out]
        return shlex.join(map(str, words))

    def read(self):
        """What it found, a machine each."""
        return json.loads(self.results.read_text(encoding="utf-8"))["machines"]


def words_of(options, study):
    """The command line of a part, but for what only that part has."""
    words = [options.study.resolve(), "--machines", ",".join(study.machines), "--compilers", ",".join(study.compilers),
             "--scenarios", ",".join(study.scenarios), "--repetitions", study.repetitions, "--thp", study.thp,
             "--timeout", study.timeout, "--bin", options.bin]
    words += ["--threads", study.threads] if study.threads else []
    return words + (["--sources", options.sources] if options.sources else [])


def write_runner(parts, words, out):
    """A script that runs the part of a number; the manner of both engines."""
    path = out / "parts" / "run"
    cases = "\n".join(f"{number}) exec >{shlex.quote(str(part.log))} 2>&1; exec {part.command(words)} ;;"
                      for number, part in enumerate(parts))
    write_whole(path, f"#!/bin/sh\ncase $1 in\n{cases}\nesac\n")
    path.chmod(0o755)
    return path


def slurm_command(runner, numbers, study, _):
    """A job array; one machine for each job where times are measured."""
    alone = ["--exclusive"] if HOST in study.machines else []
    return ["sbatch", "--wait", "--job-name=minas-evaluate", "--nodes=1", "--ntasks=1", *alone,
            f"--array={','.join(map(str, numbers))}", f"--output={runner.parent}/slurm-%a", "--wrap",
            f"{shlex.quote(str(runner))} $SLURM_ARRAY_TASK_ID"]


def parallel_command(runner, numbers, _, options):
    return ["parallel", "--jobs", str(options.parallel), str(runner), ":::", *map(str, numbers)]


def start(parts, runner, study, options):
    """Runs the parts that have no results. Whether they have then is seen by these, not by the engine's status."""
    missing = [number for number, part in enumerate(parts) if not part.results.exists()]
    if missing:
        make = slurm_command if options.slurm else parallel_command
        command = make(runner, missing, study, options)
        say(f"{len(missing)} of {len(parts)} programs by {command[0]}; what each says is in {runner.parent}/*/log")
        try:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)
        except OSError as error:
            raise EvaluationError(f"{command[0]}: {error.strerror}") from error
    return [part for part in parts if not part.results.exists()]


def spread(options, study):
    """Runs all parts. @return those that have results, those that have none"""
    engine = "sbatch" if options.slurm else "parallel"
    if not shutil.which(engine):
        raise EvaluationError(f"{engine}: no such command; without --slurm and --parallel programs run one after another here")
    parts = [Part(program, options.out) for program in study.programs]
    for part in parts:
        prepare(part.out)
        part.results.unlink(missing_ok=True)
    runner = write_runner(parts, words_of(options, study), options.out)
    for _ in range(ATTEMPTS):
        failed = start(parts, runner, study, options)
        if not failed:
            break
        say(f"no results: {', '.join(part.name for part in failed)}")
    return [part for part in parts if part not in failed], failed
