# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which a test of a suite is built and run, beside plainly."""

import shutil
from dataclasses import dataclass, field

from .modes import NEAR
from .running import environment_of_user, run

COMPILERS = {
    "gcc": {"c": ["gcc"], "c++": ["g++"], "fortran": ["gfortran"], "openmp": "-fopenmp"},
    "clang": {"c": ["clang-19"], "c++": ["clang++-19"], "fortran": None, "openmp": "-fopenmp=libomp"},
}
WRAPPERS = {"c": "maicc", "c++": "maic++", "fortran": "maifort"}
VARIABLES = {"c": "MAICC_CC", "c++": "MAICC_CXX", "fortran": "MAICC_FC"}
PLAIN_SECONDS = 60
COMPILING_SECONDS = 300


@dataclass(frozen=True)
class Way:
    """What is other than plainly: the program that is built, or how it is run."""

    wrapper: tuple = None  # options of maicc in front of the compiler
    linked: bool = False
    prefix: tuple = ()  # mai-run's
    environment: dict = field(default_factory=dict)

    @property
    def builds(self):
        return self.wrapper is not None or self.linked


WAYS = {
    "traced": Way(wrapper=("--trace",)),
    "linked": Way(linked=True),
    "maicc": Way(wrapper=()),
    "mai-run": Way(prefix=("-q",)),
    "placed": Way(prefix=("-q", "-p", "*:cyclic", "-s", "1")),
    "tasks": Way(
        prefix=("-q", "-p", "*:block", "-s", "4096"),
        environment=NEAR,
    ),
}


@dataclass(frozen=True)
class Case:
    """A test at a level of optimisation."""

    test: object
    compiler: str
    level: str

    @property
    def name(self):
        return f"{self.test.suite}/{self.test.name} {self.compiler} {self.level}"


class Builder:
    """Builds and runs a case in a folder of its own."""

    def __init__(self, build, case, folder):
        self.build = build
        self.case = case
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def library_options(self):
        folders = [self.build / name for name in ("mai", "numarch")]
        return [option for path in folders for option in (f"-L{path}", f"-Wl,-rpath,{path}")] + ["-lmai"]

    def compiler(self, way):
        language = self.case.test.language
        plainly = COMPILERS[self.case.compiler][language]
        if way.wrapper is None:
            return plainly, {}
        wrapper = [self.build / "bin" / WRAPPERS[language], *way.wrapper]
        return wrapper, {VARIABLES[language]: " ".join(plainly), "MAICC_CC": COMPILERS[self.case.compiler]["c"][0]}

    def sources(self):
        """C++ tests of C's suffix are told to be such."""
        test = self.case.test
        forced = test.language == "c++" and test.sources[0].suffix == ".c"
        return [*(["-x", "c++"] if forced else []), *test.sources, *(["-x", "none"] if forced else [])]

    def compile(self, way, name):
        """@return what the compiler did; the program is then `folder/name`"""
        command, variables = self.compiler(way)
        test = self.case.test
        words = [*command, "-w", COMPILERS[self.case.compiler]["openmp"], self.case.level, *test.options]
        words += [f"-I{test.sources[0].parent}", *self.sources(), "-o", self.folder / name]
        words += [*(self.library_options() if way.linked else []), "-lm"]
        environment = environment_of_user({"TMPDIR": str(self.folder), "LC_ALL": "C", **variables})
        return run(words, self.folder, environment, COMPILING_SECONDS, f"{name}.compile")

    def run(self, way, program, name, limit):
        environment = environment_of_user(
            {
                "OMP_WAIT_POLICY": "passive",  # threads that spin only take time
                "MAI_TRACE_FILE": str(self.folder / f"{name}.maiprof"),
                **self.case.test.environment,
                **way.environment,
            }
        )
        prefix = [self.build / "bin/mai-run", *way.prefix] if way.prefix else []
        return run([*prefix, self.folder / program], self.folder, environment, limit, f"{name}.run")


def passes(test, outcome):
    if outcome.hangs:
        return False
    return outcome.status != 0 if test.should_fail else outcome.status == 0


def try_plain(builder):
    """@return the run, or None, and why the test does not count"""
    compiled = builder.compile(Way(), "plain")
    if compiled.hangs or compiled.status != 0:
        return None, "does not compile plainly"
    outcome = builder.run(Way(), "plain", "plain", PLAIN_SECONDS)
    if not passes(builder.case.test, outcome):
        return None, f"plainly: {outcome.ending()}"
    return outcome, None


def try_way(builder, name, plain, wait):
    """@return (kind, sentence)"""
    way = WAYS[name]
    if way.builds:
        compiled = builder.compile(way, name)
        if compiled.hangs or compiled.status != 0:
            return "compile", f"compiling: {compiled.ending()}: {first_line(compiled)}"
    outcome = builder.run(way, name if way.builds else "plain", name, 20 * plain.seconds + wait)
    if outcome.hangs:
        return "hangs", outcome.ending()
    if outcome.status != plain.status:
        return "status", f"expected status {plain.status}, found {outcome.ending()}: {first_line(outcome)}"
    return "same", ""


def first_line(outcome):
    lines = outcome.stderr.decode("utf-8", "replace").splitlines()
    wrong = [line for line in lines if "error" in line.lower()] or lines or ["nothing is said"]
    return wrong[0][:200]


def try_case(build, case, names, folder, wait):
    """The result of each way, as {name: (kind, sentence)}."""
    builder = Builder(build, case, folder)
    plain, obstacle = try_plain(builder)
    results = {name: ("uncounted", obstacle) if obstacle else try_way(builder, name, plain, wait) for name in names}
    if all(kind in ("same", "uncounted") for kind, _ in results.values()):
        shutil.rmtree(folder, ignore_errors=True)
    return results


