# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bench/binaries: the command line, and what is written about it."""

import argparse
import shutil
from pathlib import Path

from . import manifest
from .commandline import check_build, positive, run, write_json
from .installing import Installed, install
from .modes import MODES
from .running import SOURCE, BehaviourError
from .store import Store, digest, digest_of_files
from .trial import Bench, check_mode, check_plain

DESCRIPTION = """\
Runs real programs plainly and under mai-run and mai-trace in several ways, and
tells where these differ: in output, files, exit status or messages; where a
run takes more than 3 times the CPU time or does not end; where a report is of
another process.

Programs that are not installed are skipped. What was found is kept, so that an
interrupted run goes on where it was; a program is run again when its entry,
its tool or MAi has changed. Exit status 1 when something was found, 2 for a
wrong option or list.
"""
LIBRARIES = {
    "mai-run": ("mai/libmai.so", "mai/libmai-run.so", "numarch/libnumarch.so"),
    "mai-trace": ("sample/libmai-record.so",),
}
MARKS = {"same": "=", "skipped": "-", "excepted": "(=)"}
GOOD = set(MARKS)


def list_of(text):
    return [word for word in text.split(",") if word]


def modes_of(text):
    for name in list_of(text):
        if name not in MODES:
            raise argparse.ArgumentTypeError(f"there is no mode '{name}'; there are {', '.join(MODES)}")
    return list_of(text)


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog="bench/binaries", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="the programs, and which are not installed; runs nothing")
    parser.add_argument("--only", type=list_of, metavar="NAMES", help="these programs, such as xz,faiss")
    parser.add_argument("--quick", action="store_true", help="the programs that the test suite runs")
    parser.add_argument("--modes", type=modes_of, default=list(MODES), metavar="NAMES", help=", ".join(MODES))
    parser.add_argument("--install", action="store_true", help="install what the programs need, as root")
    parser.add_argument("--untimed", action="store_true", help="do not judge how long runs take, as long as they end")
    parser.add_argument(
        "--wait", type=positive, default=15, metavar="SECONDS", help="a run hangs that takes so much longer than 15 plain ones"
    )
    parser.add_argument("--again", action="store_true", help="forget what was found before")
    parser.add_argument("--json", type=Path, help="write what was found here")
    parser.add_argument(
        "--manifest", type=Path, default=Path(__file__).parent / "binaries.toml", help="the list of programs"
    )
    parser.add_argument("--build", type=Path, default=SOURCE / "build/release", help="the folder of Minas' build")
    parser.add_argument(
        "--work", type=Path, default=SOURCE / "build/binaries", help="the folder for inputs, outputs and results"
    )
    return parser.parse_args(words)


def select(programs, arguments):
    names = [program.name for program in programs]
    for name in arguments.only or []:
        if name not in names:
            raise BehaviourError(f"--only: there is no program '{name}'; there are {', '.join(names)}")
    return [
        program
        for program in programs
        if (not arguments.only or program.name in arguments.only) and (not arguments.quick or program.quick)
    ]


def versions_of(build, tools):
    """What tells whether a tool of Minas has changed, by its name."""
    return {tool: digest_of_files([build / "bin" / tool, *(build / name for name in LIBRARIES[tool])]) for tool in tools}


class Results:
    """Tries programs, as far as that was not done before."""

    def __init__(self, bench, store, versions, timed):
        self.bench = bench
        self.store = store
        self.versions = versions
        self.timed = timed

    def key(self, program, name):
        mode = MODES[name]
        return digest(vars(program), name, vars(mode), self.versions[mode.tool], self.timed)

    def try_program(self, program, modes):
        """The result of each mode, as {mode: {"kind": ..., "says": ...}}."""
        keys = {name: self.key(program, name) for name in modes}
        missing = [name for name in modes if not self.store.get(keys[name])]
        if missing:
            self.try_modes(program, {name: keys[name] for name in missing})
        return {name: self.store.get(keys[name]) for name in modes}

    def try_modes(self, program, keys):
        self.bench.prepare(program)
        plain, obstacle = check_plain(self.bench, program)
        for name, key in keys.items():
            kind, says = ("unusable", obstacle) if obstacle else check_mode(self.bench, program, name, plain, self.timed)
            if kind not in GOOD and name in program.exceptions:
                kind, says = "excepted", f"{says} ({program.exceptions[name]})"
            self.store.put(
                {
                    "key": key,
                    "program": program.name,
                    "mode": name,
                    "kind": kind,
                    "says": says,
                    "plain_seconds": round(plain.outcome.cpu_seconds, 3),
                }
            )
        if all(self.store.get(key)["kind"] in GOOD for key in keys.values()):
            shutil.rmtree(self.bench.folder(program), ignore_errors=True)


def show_row(name, cells, width):
    print(f"{name:<{width}}", *(f"{cell:>9}" for cell in cells), flush=True)


def try_all(programs, arguments, results, installed):
    """@return all results; a row of the table is written as soon as it is known"""
    width = max([len(program.name) for program in programs] + [8])
    show_row("program", ["plain/s", *arguments.modes], width)
    found = []
    for program in programs:
        if obstacle := installed.obstacle(program):
            print(f"{program.name:<{width}} skipped: {obstacle}")
            found.append({"program": program.name, "mode": None, "kind": "skipped", "says": obstacle})
            continue
        row = results.try_program(program, arguments.modes)
        cells = [MARKS.get(result["kind"], result["kind"]) for result in row.values()]
        show_row(program.name, [f"{next(iter(row.values()))['plain_seconds']:.2f}", *cells], width)
        found += row.values()
    return found


def summarise(found, work):
    counts = {}
    for result in found:
        counts[result["kind"]] = counts.get(result["kind"], 0) + 1
    wrong = [result for result in found if result["kind"] not in GOOD]
    for result in wrong:
        print(f"{result['program']} {result['mode']}: {result['kind']}: {result['says']}")
    if wrong:
        print(f"what they wrote is kept in {work}")
    print(", ".join(f"{kind}: {count}" for kind, count in sorted(counts.items())))
    return bool(wrong)


def show_list(programs, installed):
    for program in programs:
        obstacle = installed.obstacle(program)
        print(f"{program.name:<16} {obstacle or ' '.join(program.packages + program.pypi)}")


def work(arguments):
    programs = select(manifest.read(arguments.manifest, MODES), arguments)
    folder, build = arguments.work.resolve(), arguments.build.resolve()
    python = folder / "python/bin/python"
    if arguments.install:
        install(programs, folder / "python")
    installed = Installed(programs, python)
    if arguments.list:
        show_list(programs, installed)
        return 0
    tools = sorted({MODES[name].tool for name in arguments.modes})
    check_build(build, tools)
    store = Store(folder / "results.jsonl")
    if arguments.again:
        store.results.clear()
    bench = Bench(folder / "runs", build / "bin", python, arguments.wait)
    found = try_all(programs, arguments, Results(bench, store, versions_of(build, tools), not arguments.untimed), installed)
    if arguments.json:
        write_json(arguments.json, found)
    return 1 if summarise(found, bench.work) else 0


def main(words):
    return run("bench/binaries", work, parse_arguments(words))
