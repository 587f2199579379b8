# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: what is measured, and what is written about it."""

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from . import parsing, run_time
from .common import COMPILERS, SOURCE, BenchmarkError
from .pairs import show_head, show_means

DESCRIPTION = """\
What rewriting costs: the run time of rewritten programs beside the originals,
and that of mapp-rewrite beside the compiler's own parsing. Without an option
that names a part, mapp-rewrite and the NAS kernels are measured.

Both sides of a ratio run in turn, again and again, in one run of this script,
so that whatever else the machine does hits both. Where the minima differ by
more than 2 %, either way, there are as many pairs again, up to four times.
"""


def list_of(text):
    return text.split(",")


def compilers_of(text):
    for name in text.split(","):
        if name not in COMPILERS:
            raise argparse.ArgumentTypeError(f"there is no compiler '{name}'; there are {', '.join(COMPILERS)}")
    return text.split(",")


def threads_of(text):
    try:
        numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = [0]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no list of numbers of threads, such as 1,2")
    return numbers


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def parse_arguments(words):
    parser = argparse.ArgumentParser(
        prog="bench/rewrite", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parts = parser.add_argument_group("what is measured")
    parts.add_argument(
        "--patterns",
        type=list_of,
        nargs="?",
        const=[],
        metavar="NAMES",
        help="the run time of the small kernels of bench/patterns, or of some, such as csr,image",
    )
    parts.add_argument(
        "--kernels", type=list_of, metavar="NAMES", help="the run time of these NAS kernels, such as cg,ft,mg,lu,ep"
    )
    parts.add_argument("--mini-apps", action="store_true", help="the run time of examples/miniapps")
    parts.add_argument(
        "--lines",
        type=positive,
        action="append",
        help="how long mapp-rewrite takes for a generated file of so many lines",
    )
    parser.add_argument("--build", type=Path, default=SOURCE / "build/release", help="the folder of Minas' build")
    parser.add_argument("--class", dest="npb_class", default="A", help="problem size of the NAS kernels")
    parser.add_argument(
        "-D", dest="defines", action="append", default=[], metavar="NAME=VALUE", help="of patterns, such as SIZE=64"
    )
    parser.add_argument("--pairs", type=positive, default=11, help="runs of each side")
    parser.add_argument("--mode", action="append", choices=run_time.MODES)
    parser.add_argument("--compilers", type=compilers_of, default=list(COMPILERS))
    parser.add_argument(
        "--threads", type=threads_of, default=[os.cpu_count()], help="of the programs that run, such as 1,2"
    )
    parser.add_argument("--json", type=Path, help="write what was measured here")
    return parser.parse_args(words)


def programs_wanted(build, work, arguments, everything):
    if arguments.patterns is not None:
        yield from run_time.patterns(arguments.patterns, build, work, arguments.defines)
    if arguments.kernels or everything:
        names = arguments.kernels or ["cg", "ft", "mg", "lu", "ep"]
        yield from run_time.kernels(names, build, work, arguments.npb_class)
    if arguments.mini_apps:
        yield from run_time.mini_apps(build, work)


def measure_part(title, figures, measure):
    print(title)
    show_head(figures)
    results = measure()
    show_means(results, figures)
    return results


def measure(build, work, arguments):
    named = arguments.kernels or arguments.mini_apps or arguments.patterns is not None or arguments.lines
    results = []
    if arguments.lines or not named:
        results += measure_part(
            "mapp-rewrite beside the compiler's parsing",
            parsing.FIGURES,
            lambda: parsing.measure_parsing(build, work, arguments),
        )
    programs = list(programs_wanted(build, work, arguments, not named))
    if programs:
        results += measure_part(
            "programs rewritten beside the originals",
            run_time.FIGURES,
            lambda: run_time.measure_programs(programs, arguments),
        )
    return results


def write_json(path, results):
    machine = {"cpus": os.cpu_count(), "kernel": os.uname().release, "load": os.getloadavg()}
    path.write_text(json.dumps({"machine": machine, "results": results}, indent=1))


def main(words):
    arguments = parse_arguments(words)
    try:
        with tempfile.TemporaryDirectory() as folder:
            results = measure(arguments.build.resolve(), Path(folder), arguments)
    except (BenchmarkError, OSError) as error:
        print(f"bench/rewrite: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    if arguments.json:
        write_json(arguments.json, results)
    return 0
