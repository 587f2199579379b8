# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/suites: the command line, and what is written about it."""

import argparse
import collections
import concurrent.futures
import hashlib
import re
from pathlib import Path

from . import dejagnu, libomp, sources, validation
from .commandline import check_build, positive, run, write_json
from .exceptions import Exceptions
from .running import SOURCE
from .store import Store, digest, digest_of_files
from .ways import COMPILERS, WAYS, Case, try_case

DESCRIPTION = """\
Runs the compilers' own test suites, or OpenMP's: built plainly, traced (maicc --trace),
linked with MAi, by maicc, and under mai-run. Each must end with the same exit
status in each way in which it passes plainly.

gcc's tests come with Debian's package gcc-12-source, libomp's with the sources
of llvm-toolchain-19, OpenMP's validation suite from its repository (--install).
What was found is kept, so that an interrupted run goes on where it was; a test is
run again when Minas has changed. Exit status 1 when a test has failed that is not
excepted, 2 for a wrong option.
"""
LEVELS = ["-O0", "-O2", "-O3"]
COMPILERS_SUITES = [*dejagnu.SUITES, "libomp"]
ALL_SUITES = [*COMPILERS_SUITES, validation.SUITE]


def one_of(names, what):
    def read(text):
        found = [word for word in text.split(",") if word]
        for word in found:
            if word not in names:
                raise argparse.ArgumentTypeError(f"there is no {what} '{word}'; there are {', '.join(names)}")
        return found

    return read


def levels_of(text):
    return one_of(LEVELS, "level")(",".join(f"-{word.lstrip('-')}" for word in text.split(",")))


def shard_of(text):
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise argparse.ArgumentTypeError(f"expected a part such as 1/4, found '{text}'")
    return int(found[1]), int(found[2])


def pattern_of(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"'{text}' is no regular expression: {error}") from error


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog="bench/suites", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="the tests that are selected; runs nothing")
    parser.add_argument("--install", action="store_true", help="get the suites' sources, as root")
    what = parser.add_argument_group("what is run")
    what.add_argument(
        "--suites",
        type=one_of(ALL_SUITES, "suite"),
        default=COMPILERS_SUITES,
        help=f"{', '.join(ALL_SUITES)}; the compilers' unless told",
    )
    what.add_argument("--only", type=pattern_of, metavar="REGEX", help="the tests in whose name this is found")
    what.add_argument("--sample", type=positive, metavar="N", help="N of all but libomp's tests, always the same")
    what.add_argument("--shard", type=shard_of, metavar="I/N", help="the I-th of N parts of these")
    what.add_argument("--levels", type=levels_of, default=LEVELS, help="O0,O2,O3")
    what.add_argument(
        "--one-level", action="store_true", help="each test at one of the levels only, always the same"
    )
    what.add_argument("--ways", type=one_of(WAYS, "way"), default=list(WAYS), help=", ".join(WAYS))
    what.add_argument("--compilers", type=one_of(COMPILERS, "compiler"), default=["gcc"], help="gcc,clang; of all but libomp's tests")
    parser.add_argument(
        "--wait", type=positive, default=30, metavar="SECONDS", help="a run hangs that takes so much longer than 20 plain ones"
    )
    parser.add_argument("--gcc", type=Path, metavar="FOLDER", help="the sources of gcc, instead of those of the package")
    parser.add_argument("--again", action="store_true", help="forget what was found before")
    parser.add_argument("--jobs", type=positive, default=1, help="how many tests at a time")
    parser.add_argument("--json", type=Path, help="write what was found here")
    parser.add_argument("--exceptions", type=Path, default=Path(__file__).parent / "suites-exceptions.toml")
    parser.add_argument("--build", type=Path, default=SOURCE / "build/release", help="the folder of Minas' build")
    parser.add_argument("--work", type=Path, default=SOURCE / "build/suites", help="the folder for sources and results")
    return parser.parse_args(words)


def number_of(name):
    """The same number for a name always."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16)


def full_name(test):
    return f"{test.suite}/{test.name}"


def select(tests, arguments):
    if arguments.only:
        tests = [test for test in tests if arguments.only.search(full_name(test))]
    if arguments.sample:
        tests = sorted(tests, key=lambda test: number_of(full_name(test)))[: arguments.sample]
    if arguments.shard:
        part, parts = arguments.shard
        tests = [test for test in tests if number_of(full_name(test)) % parts == part - 1]
    return tests


def cases_of(tests, arguments):
    for test in tests:
        levels = arguments.levels
        if arguments.one_level:
            levels = [levels[number_of(test.name) % len(levels)]]
        for compiler in arguments.compilers:
            if COMPILERS[compiler][test.language]:
                yield from (Case(test, compiler, level) for level in levels)


class Results:
    """What is known of each case in each way."""

    def __init__(self, store, build, exceptions):
        self.store = store
        self.exceptions = exceptions
        self.found = []
        names = ["bin/maicc", "bin/mai-run", "bin/mapp-rewrite", "mai/libmai.so", "mai/libmai-run.so", "trace/*.so"]
        self.build = digest_of_files([path for name in names for path in sorted(build.glob(name))])

    def key(self, name, way):
        return digest(name, way, repr(WAYS[way]), self.build)

    def missing(self, name, ways):
        return [way for way in ways if not self.store.get(self.key(name, way))]

    def put(self, name, way, kind, says):
        self.store.put({"key": self.key(name, way), "test": name, "way": way, "kind": kind, "says": says})

    def take(self, test, compiler, level, ways):
        """Counts what is known of a test, and says what is wrong."""
        for way in ways:
            result = dict(self.store.get(self.key(f"{test} {compiler} {level}", way)))
            if result["kind"] not in ("same", "uncounted"):
                if reason := self.exceptions.reason(test, way, level, compiler):
                    result.update(kind="excepted", says=f"{result['says']} ({reason})")
                else:
                    print(f"{result['test']} {way}: {result['kind']}: {result['says']}", flush=True)
            self.found.append(result)


def run_cases(cases, arguments, build, results):
    """Runs what is not known yet, several at a time."""

    def work(case):
        missing = results.missing(case.name, arguments.ways)
        folder = arguments.work.resolve() / "runs" / f"{number_of(case.name) % 10**16:016}"
        return case, try_case(build, case, missing, folder, arguments.wait) if missing else {}

    pool = concurrent.futures.ThreadPoolExecutor(arguments.jobs)
    try:
        for case, found in pool.map(work, cases):
            for way, (kind, says) in found.items():
                results.put(case.name, way, kind, says)
            results.take(full_name(case.test), case.compiler, case.level, arguments.ways)
    finally:
        pool.shutdown(cancel_futures=True)


def run_libomp(arguments, build, tests, results):
    """lit runs all tests of a way at once: what is missing of one makes all run."""
    only = arguments.only.pattern if arguments.only else None
    for level in arguments.levels:
        marker = f"libomp {only or 'all'} clang {level}"
        if missing := results.missing(marker, arguments.ways):
            found = libomp.try_level(build, tests, arguments.work.resolve(), level, missing, arguments.jobs, only)
            for test, ways in found.items():
                for way, (kind, says) in ways.items():
                    results.put(f"libomp/{test} clang {level}", way, kind, says)
            for way in missing:
                results.put(marker, way, "same", " ".join(sorted(found)))
        for test in results.store.get(results.key(marker, arguments.ways[0]))["says"].split():
            results.take(f"libomp/{test}", "clang", level, arguments.ways)


def summarise(results, arguments):
    counts = collections.defaultdict(collections.Counter)
    for result in results.found:
        counts[result["way"]][result["kind"]] += 1
    for way in arguments.ways:
        print(f"{way}: " + ", ".join(f"{kind}: {count}" for kind, count in sorted(counts[way].items())))
    wrong = [result for result in results.found if result["kind"] not in ("same", "uncounted", "excepted")]
    if wrong:
        print(f"what they were built from and wrote is kept in {arguments.work}")
    if not (arguments.only or arguments.sample or arguments.shard):
        for entry in results.exceptions.unused():
            print(f"an exception that was not needed: {', '.join(entry['tests'])}: {entry['reason']}")
    print(f"tests: {len({result['test'] for result in results.found})}, wrong: {len(wrong)}")
    return bool(wrong)


def find_tests(arguments):
    """Of all suites but libomp's, whose tests lit knows."""
    folder = arguments.work.resolve()
    tests = []
    if gcc_suites := [name for name in arguments.suites if name in dejagnu.SUITES]:
        root = arguments.gcc.resolve() if arguments.gcc else sources.gcc_tests(folder)
        tests += [test for name in gcc_suites for test in dejagnu.SUITES[name](root)]
    if validation.SUITE in arguments.suites:
        tests += validation.tests(sources.validation_suite(folder))
    return select(tests, arguments)


def work(arguments):
    if arguments.install:
        sources.install(arguments.work.resolve(), arguments.suites)
    tests = find_tests(arguments)
    if arguments.list:
        print(*map(full_name, tests), sep="\n")
        return 0
    build = arguments.build.resolve()
    check_build(build, ["maicc", "mai-run"])
    store = Store(arguments.work / "results.jsonl")
    if arguments.again:
        store.results.clear()
    results = Results(store, build, Exceptions(arguments.exceptions, WAYS))
    run_cases(cases_of(tests, arguments), arguments, build, results)
    if "libomp" in arguments.suites and not arguments.sample:
        libomp.check_tools()
        run_libomp(arguments, build, sources.libomp_tests(arguments.work.resolve()), results)
    if arguments.json:
        write_json(arguments.json, results.found)
    return 1 if summarise(results, arguments) else 0


def main(words):
    return run("bench/suites", work, parse_arguments(words))
