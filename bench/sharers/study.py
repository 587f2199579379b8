# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that share their data, as they are and transformed, in the manner of Majo and Gross (2013).

  bench/sharing [--machine 2x4]... [--program NAME]... [--out build/sharing] [--bin build/release/bin]
  scripts/evaluate bench/studies/sharing.yaml [the same options]

Each program of examples/sharing runs as it is, with memory where it is first touched and interleaved; transformed, interleaved and at
home; and as it is on one node. In a virtual machine of nodes x CPUs, a thread a CPU in loops and in each stage of pipelines, it is
traced with a model of the caches: what lines came from where, which node served most, how regular accesses are, which pages and accesses
are shared, and how much of what is shared comes from the own node. Times mean nothing there. On this machine (--machine host) it is
timed, in rounds, on one node and on all, with the machine's counters where there are some.

The folder of --out holds the raw data, a file a run; results.json, results.txt, which is printed, and results.html, with the paper's
figures beside. The same command goes on with what is missing."""

import argparse
import json
import re
import signal
import sys
from pathlib import Path

from evaluation.common import SOURCE, EvaluationError, interrupt, write_whole

from . import manifest, real, rows
from .building import Builder
from .page import page_of
from .programs import FIRST_TOUCH, PROGRAMS, WAYS
from .real import RealMachine
from .virtual import VirtualMachine


class Store:
    """Raw data, a file each, with the key of what it depends on."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, name, key, make):
        path = self.folder / f"{name.replace(', ', '.').replace(' ', '-')}.json"
        if path.exists():
            kept = json.loads(path.read_text())
            if kept["key"] == key:
                return kept["data"]
        print(f"sharing: {name}", file=sys.stderr, flush=True)
        data = make()
        write_whole(path, json.dumps({"key": key, "data": data}) + "\n")
        return data


def study_virtual(machine, program, builder, store):
    built = builder.traced(program)
    found = []
    for way in WAYS:
        profile = store.get(f"{machine.name}, {program.name}, {way.name}", machine.key(program, way, built),
                            lambda way=way: machine.run(program, way, built))
        found.append(rows.row(program, way, profile))
    figures = rows.figures(program, found, machine.nodes)
    text = rows.table(found) + "".join(f"\n  {'reached' if reached else 'MISSED '}  {value:8.3f}  {aim}" for aim, value, reached in figures)
    return {"machine": machine.name, "program": program.name, "rows": found, "figures": figures}, text


def study_real(machine, program, builder, store):
    built = builder.plain(program, True)
    ways = [way for way in WAYS if not way.is_on_one_node]
    measured = store.get(f"{machine.name}, {program.name}", machine.key(program, built), lambda: machine.run(program, ways, built))
    return ({"machine": machine.name, "program": program.name, "measured": measured},
            real.table(program, measured, ways, FIRST_TOUCH))


def study(options):
    builder, store = Builder(options), Store(options.out / "raw")
    results, texts = [], []
    for name in options.machine:
        machine = RealMachine(options) if name == "host" else VirtualMachine(name, options)
        texts.append(f"\n{'this machine' if machine.is_real else 'virtual machine, ' + name}")
        for program in PROGRAMS:
            if program.name in (options.program or [program.name]):
                result, text = (study_real if machine.is_real else study_virtual)(machine, program, builder, store)
                results.append(result)
                texts.append(text)
                print(text, flush=True)
    write_whole(options.out / "results.json", json.dumps(results, indent=1) + "\n")
    write_whole(options.out / "results.txt", "\n".join(texts) + "\n")
    write_whole(options.out / "results.html", page_of(results, texts))


def machine_name(text):
    if not re.fullmatch(r"host|[1-9]\d*x[1-9]\d*", text):
        raise argparse.ArgumentTypeError(f"expected host, or nodes x CPUs such as 4x8, found '{text}'")
    return text


def complete(options):
    """By the manifest, where there is one."""
    said = manifest.read(options.study) if options.study else {}
    options.machine = options.machine or said.get("machines", ["4x2"])
    options.program = options.program or said.get("programs")
    options.cache = options.cache or said.get("cache", "32K")


def main(arguments):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    parser = argparse.ArgumentParser(prog="sharing", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", nargs="?", type=Path, help="which machines, programs and cache, where no options say so: bench/studies/sharing.yaml")
    parser.add_argument("--machine", action="append", type=machine_name, help="4x2 (default); 2x4 and 4x8 are the paper's; host (may be repeated)")
    parser.add_argument("--program", action="append", choices=[program.name for program in PROGRAMS], help="only this one (may be repeated)")
    parser.add_argument("--out", type=Path, default=SOURCE / "build/sharing")
    parser.add_argument("--bin", type=Path, default=SOURCE / "build/release/bin")
    parser.add_argument("--cache", help="of each node, in the model (default: 32K)")
    parser.add_argument("--rounds", type=int, default=5, help="on this machine (default: 5)")
    parser.add_argument("--timeout", type=int, default=1800, help="seconds of a run in a virtual machine (default: 1800)")
    options = parser.parse_args(arguments)
    options.bin, options.out = options.bin.resolve(), options.out.resolve()
    try:
        complete(options)
        study(options)
    except EvaluationError as error:
        print(f"sharing: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        print("sharing: interrupted; the same command goes on from here", file=sys.stderr)
        return 130
    return 0
