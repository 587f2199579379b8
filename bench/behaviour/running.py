# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running a program as its user would, and keeping what it did."""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]


class BehaviourError(Exception):
    """What is said to the user before the script ends."""


def say(text):
    print(text, file=sys.stderr, flush=True)


@dataclass
class Outcome:
    """What a program did."""

    process: int
    status: int  # as a shell has it: 128 + the signal
    hangs: bool  # it was stopped when its time was over
    seconds: float  # of wall clock
    cpu_seconds: float
    stdout: bytes
    stderr: bytes

    def ending(self):
        if self.hangs:
            return f"did not end within {self.seconds:.0f} s"
        if self.status > 128:
            return f"status {self.status} ({signal_name(self.status - 128)})"
        return f"status {self.status}"


def signal_name(number):
    try:
        return signal.Signals(number).name
    except ValueError:
        return "not a signal's"


def environment_of_user(more):
    """The environment without what changes how OpenMP programs and MAi work, in one language."""
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MAI_", "OMP_", "GOMP_", "KMP_", "LC_", "LD_"))
    }
    return {**environment, "LC_ALL": "C.UTF-8", "TZ": "UTC", **more}


def kill_group(process, when_late):
    """Ends a program with all that it started."""
    when_late.set()
    stop_rest(process.pid)


def stop_rest(group):
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        pass


def run(command, folder, environment, limit, name="run"):
    """Runs a command for at most `limit` seconds.  Its output goes through files NAME.out and NAME.err of the
    folder: a pipe would wait for children that it leaves behind."""
    paths = folder / f"{name}.out", folder / f"{name}.err"
    late = threading.Event()
    begin = time.perf_counter()
    with paths[0].open("wb") as out, paths[1].open("wb") as err:
        try:
            process = subprocess.Popen(
                [str(word) for word in command],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            raise BehaviourError(f"{command[0]}: {error.strerror}") from error
        timer = threading.Timer(limit, kill_group, (process, late))
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        finally:
            timer.cancel()
            stop_rest(process.pid)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Outcome(
        process.pid,
        128 - process.returncode if process.returncode < 0 else process.returncode,
        late.is_set(),
        time.perf_counter() - begin,
        usage.ru_utime + usage.ru_stime,
        paths[0].read_bytes(),
        paths[1].read_bytes(),
    )


def call(command, **keywords):
    """Runs a command that must succeed."""
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            **keywords,
        )
    except OSError as error:
        raise BehaviourError(f"{command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        raise BehaviourError(f"{' '.join(map(str, command))}: status {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout
