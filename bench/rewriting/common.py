# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where things are, and how commands are run."""

import os
import subprocess
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
COMPILERS = {
    "gcc": ["gcc", "-fopenmp"],
    "clang": ["clang-19", "-fopenmp=libomp"],
}


class BenchmarkError(Exception):
    """What is said to the user before the program ends."""


def call(command, **keywords):
    """Runs a command that builds something."""
    try:
        result = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", **keywords
        )
    except OSError as error:
        raise BenchmarkError(f"{command[0]}: {error.strerror}") from error
    if result.returncode != 0:
        raise BenchmarkError(f"{' '.join(map(str, command))}: status {result.returncode}\n{result.stdout}")


def timed(command, output, **keywords):
    """The seconds of wall clock and of all CPUs that a command takes, and its peak KiB."""
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, **keywords)
    _, status, usage = os.wait4(process.pid, 0)
    elapsed = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise BenchmarkError(f"{' '.join(map(str, command))}: status {process.returncode}")
    return elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss
