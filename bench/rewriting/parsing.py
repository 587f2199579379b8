# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What mapp-rewrite takes beside the compiler's own parsing."""

import subprocess

from .common import SOURCE, timed
from .generated import generated
from .pairs import compare

FIGURES = ("elapsed", "CPU", "memory")


def resources(command):
    return dict(zip(FIGURES, timed(command, subprocess.DEVNULL)))


def measure_rewriting(build, work, program, name, mode, pairs):
    """CPU time, so that other work on the machine does not count, wall-clock time, and peak memory."""
    compiler = ["clang-19", "-fopenmp", "-fsyntax-only", program]
    tool = [build / "bin/mapp-rewrite", f"--mode={mode}", "-o", work / "out.c", program, "--", "-fopenmp"]
    result = compare(
        f"mapp-rewrite, {mode}, {name} / -fsyntax-only",
        FIGURES,
        pairs,
        lambda: resources(compiler),
        lambda: resources(tool),
    )
    return {"group": f"mapp-rewrite, {mode}", **result}


def measure_parsing(build, work, arguments):
    """On generated files of several sizes and on the examples."""
    programs = []
    for lines in arguments.lines or [1000, 5000, 20000, 50000]:
        program = work / f"generated{lines}.c"
        program.write_text(generated(lines))
        programs.append((program, f"{lines} lines"))
    if not arguments.lines:
        programs += [(program, program.name) for program in sorted((SOURCE / "examples/npb").glob("*.c"))]
    return [
        measure_rewriting(build, work, program, name, mode, arguments.pairs)
        for mode in arguments.mode or ["in-place", "heap"]
        for program, name in programs
    ]
