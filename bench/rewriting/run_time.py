# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The run time of rewritten programs beside the originals: small kernels, one for each way of going through memory
(bench/patterns), the NAS kernels, and programs of several files, which maicc builds."""

import functools
import math
import os
import re
import shutil
import tempfile

from .common import COMPILERS, SOURCE, BenchmarkError, call, timed
from .pairs import MOST_ROUNDS, compare

OPTIMISE = ["-O3", "-march=native"]
MODES = ("in-place", "heap")
NPB = SOURCE / "examples/npb"
PATTERNS = SOURCE / "bench/patterns"
MINI_APPS = SOURCE / "examples/miniapps"

# What a program measures itself, without its set-up; and all of the run.
FIGURES = ("timed part", "its CPU", "run's CPU")
SAID = {
    "timed part": re.compile(r"Time +([0-9.]+)"),
    "its CPU": re.compile(r"^ *CPU +([0-9.]+)", re.MULTILINE),
    "checksum": re.compile(r"Checksum +([-+.e0-9]+)"),
}
# Threads add up in any order.
TOLERANCE = 1e-9


def environment_of(threads):
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "GOMP_", "KMP_", "MAI_"))}
    return {**kept, "OMP_NUM_THREADS": str(threads), "OMP_DYNAMIC": "false"}


def run(binary, threads, words=()):
    """What a run takes, and its checksum where it prints one."""
    with tempfile.TemporaryFile("w+") as output:
        elapsed, cpu, _ = timed([binary, *words], output, env=environment_of(threads))
        output.seek(0)
        text = output.read()
    found = {name: pattern.search(text) for name, pattern in SAID.items()}
    said = {name: float(match.group(1)) for name, match in found.items() if match}
    return {"timed part": elapsed, **said, "run's CPU": cpu}


class Program:
    """A program of one file, in the forms original, in-place and heap."""

    def __init__(self, name, source, tools, work, flags):
        self.name = name
        self.words = ()
        self._source = source
        self._tools = tools
        self._work = work
        self._flags = flags
        self.build = functools.cache(self._build)

    def _build(self, compiler, form):
        source, libraries = self._source, []
        if form != "original":
            source = self._rewrite(form)
            libraries = [f"-I{SOURCE / 'include'}"]
            for library in ("mai", "numarch"):
                folder = self._tools / library
                libraries += [f"-L{folder}", f"-Wl,-rpath,{folder}"]
            libraries += ["-lmai"]
        binary = self._work / f"{self.name}.{compiler}.{form}"
        include = f"-I{self._source.parent}"
        command = [*COMPILERS[compiler], *OPTIMISE, *self._flags, include, source, "-o", binary]
        call([*command, *libraries, "-lm"])
        return binary

    def _rewrite(self, form):
        rewritten = self._work / f"{self.name}.{form}.c"
        call(
            [self._tools / "bin/mapp-rewrite", f"--mode={form}", "--quiet", "-o", rewritten, self._source]
            + ["--", "-fopenmp", *self._flags]
        )
        return rewritten


class MiniApp:
    """A program of several files with a Makefile, which maicc rewrites while it is built."""

    def __init__(self, folder, binary, words, tools, work):
        self.name = folder.name
        self.words = words
        self._folder = folder
        self._binary = binary
        self._tools = tools
        self._work = work
        self.build = functools.cache(self._build)

    def _build(self, compiler, form):
        copy = self._work / f"{self.name}.{compiler}.{form}"
        shutil.copytree(self._folder, copy)
        command = COMPILERS[compiler][0]
        environment = {**os.environ, "MAICC_CC": command}
        if form != "original":
            command = self._tools / "bin/maicc"
        # Not -march=native: clang 19 with AVX-512 then computes fem wrongly (not so with -fno-slp-vectorize).
        call(["make", "-C", copy, f"CC={command}", "CFLAGS=-O3"], env=environment)
        return copy / self._binary


def patterns(names, tools, work, defines):
    """The kernels with static arrays, then with malloc(); each with the forms that it is rewritten to."""
    known = sorted(path.stem for path in PATTERNS.glob("*.c"))
    unknown = sorted(set(names) - set(known))
    if unknown:
        raise BenchmarkError(f"there is no pattern '{unknown[0]}'; there are {', '.join(known)}")
    flags = [f"-D{define}" for define in defines]
    for memory, define, modes in (("static", [], MODES), ("malloc", ["-DMALLOC"], MODES[:1])):
        for name in names or known:
            source = PATTERNS / f"{name}.c"
            yield Program(f"{name}.{memory}", source, tools, work, define + flags), modes, memory


def kernels(names, tools, work, npb_class):
    for name in names:
        flags = [f"-DCLASS={npb_class}"]
        yield Program(name, NPB / f"{name}.c", tools, work, flags), MODES, f"NPB, class {npb_class}"


def mini_apps(tools, work):
    apps = (
        ("hydro", "hydro", ("tube", "0.02")),
        ("md", "md", ("10", "50")),
        ("fem", "build/fem", ("32",)),
    )
    for name, binary, words in apps:
        yield MiniApp(MINI_APPS / name, binary, words, tools, work), MODES[:1], "mini-apps"


def check_sums(name, original, other):
    """What is computed must not have changed."""
    sums = [run["checksum"] for run in original + other if "checksum" in run]
    if sums and not all(math.isclose(s, sums[0], rel_tol=TOLERANCE) for s in sums):
        raise BenchmarkError(f"{name}: checksums differ: {sorted(set(sums))}")


def measure_program(program, compiler, mode, threads, pairs):
    """A rewritten program beside the original."""
    original, other = program.build(compiler, "original"), program.build(compiler, mode)
    name = f"{program.name} {compiler}, {threads} threads, {mode}"
    result = compare(
        name,
        FIGURES,
        pairs,
        lambda: run(original, threads, program.words),
        lambda: run(other, threads, program.words),
        rounds=MOST_ROUNDS if pairs > 1 else 1,
    )
    check_sums(name, result["original"], result["other"])
    return result


def measure_programs(programs, arguments):
    programs = list(programs)
    return [
        {
            "group": f"{group}, {mode}, {threads} threads",
            **measure_program(program, compiler, mode, threads, arguments.pairs),
        }
        for mode in arguments.mode or MODES
        for threads in arguments.threads
        for program, modes, group in programs
        if mode in modes
        for compiler in arguments.compilers
    ]
