# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line: a manifest, and what of it is to be studied."""

import argparse
import fnmatch
import re
from pathlib import Path

from .common import SOURCE, EvaluationError
from .manifest import COMPILERS, HOST, MOST_CPUS, SETS, read_study
from .scenarios import JOINED_ONLY, SCENARIOS

DESCRIPTION = """\
Measures what the placement of pages and threads does to the memory traffic of
the programs of a study, which a manifest describes (docs/evaluation.md).

    scripts/evaluate bench/studies/npb.yaml
    scripts/evaluate bench/studies/npb.yaml --programs '*.S' --machines 4x2
    scripts/evaluate my-study.yaml --sources ~/src --out results

Each program is built as it is and as MApp places its arrays, and runs in each
scenario. Who accesses which line of memory how often is counted, and the kernel
tells where pages are. So it is known how many accesses are local and remote, of
the program and of each array, how evenly nodes serve them, and how few could be
remote: with each page on the node that accesses it most (best), and with the
best policy for each array (policy).
"""

NOTES = """\
Results are kept in the folder of --out, a file for each run, and used again as
long as programs and settings are the same. So an interrupted study goes on when
the same command is given again; with --slurm or --parallel a program that has
failed is tried once more. The folder then holds results.json
(everything, by array, too), results.csv (a line a case), results.html with
drawings, and table.txt, which is also printed.

In a virtual machine placement is real, and times are not. On a machine of one
node there are no remote accesses, and times show what rewriting costs.

With --design the study is an experiment: its factors are the programs, and the
machines, compilers, scenarios and its own factors, where it has several. Each
repetition is a block, in random order. What explains each metric, with intervals,
is then in design.html and design.txt, and the raw data in observations.csv, which
--design takes in the study's place.

bench/studies/sharing.yaml is a study of another kind, with options of its own: bench/sharing --help.

Exit status: 0 if all programs have verified their results, 1 if not, 2 for a
misuse, 3 for an error, 130 if interrupted.
"""


def list_of(known, what):
    def parse(text):
        words = text.split(",")
        for word in words:
            if word not in known:
                raise argparse.ArgumentTypeError(
                    f"there is no {what} '{word}'; there are {', '.join(known)}")
        return list(dict.fromkeys(words))

    return parse


def machines(text):
    words = text.split(",")
    for word in words:
        match = re.fullmatch(rf"{HOST}|([1-9]\d{{0,2}})x([1-9]\d{{0,2}})", word)
        if not match:
            raise argparse.ArgumentTypeError(
                f"expected {HOST} or nodes x CPUs such as 4x2, found '{word}'")
        if match[1] and int(match[1]) * int(match[2]) > MOST_CPUS:
            raise argparse.ArgumentTypeError(
                f"{word} has {int(match[1]) * int(match[2])} CPUs, at most {MOST_CPUS} do")
    return words


def number_up_to(most):
    def parse(text):
        if not re.fullmatch(r"[1-9]\d{0,8}", text) or int(text) > most:
            raise argparse.ArgumentTypeError(f"expected a number from 1 to {most}, found '{text}'")
        return int(text)

    return parse


def parse_arguments(arguments):
    """(options, study): the study of the manifest, with what the command line chooses of it."""
    scenarios = "".join(f"\n  {each.name:<17} {each.meaning}" for each in SCENARIOS.values())
    parser = argparse.ArgumentParser(
        prog="evaluate", description=DESCRIPTION, epilog=f"scenarios:{scenarios}\n\n{NOTES}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("study", type=Path, help="the manifest")
    option("--design", action="store_true",
           help="analyse the study as an experiment, or again the observations.csv of one")
    option("--programs", metavar="PATTERNS", help="only those with such names, such as 'cg.*,mg.S'")
    option("--set", choices=SETS, help="only the programs of this half of a corpus")
    option("--machines", type=machines, metavar="LIST",
           help=f"instead of the manifest's: {HOST}, which is this machine, or virtual ones of N nodes "
           "with C CPUs each, such as 4x2, 8x2 or 4x8")
    option("--compilers", type=list_of(COMPILERS, "compiler"), metavar="LIST",
           help="of gcc,clang; gcc's programs run on libgomp, clang's on libomp")
    option("--scenarios", type=list_of(SCENARIOS, "scenario"), metavar="LIST", help="of those below")
    option("--repetitions", type=number_up_to(1000), metavar="N",
           help="runs of each case, for times; in rounds")
    option("--threads", type=number_up_to(1024), metavar="N", help="default: the machine's CPUs")
    option("--thp", choices=("always", "madvise", "never"),
           help="the virtual machines' transparent huge pages")
    option("--timeout", type=number_up_to(86400), metavar="SECONDS", help="for one run")
    option("--sources", type=Path, metavar="FOLDER",
           help="where the folders of programs' sources lie (default: beside the manifest)")
    option("--out", type=Path, default=Path("build/evaluation"), metavar="FOLDER",
           help="where results are kept (default: build/evaluation)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--slurm", action="store_true",
                       help="a job array of Slurm's, a program a job; the folder of --out is one that all machines see. "
                       "sbatch's own settings are SBATCH_PARTITION and the like")
    where.add_argument("--parallel", type=number_up_to(1024), metavar="N", help="N programs at a time, by GNU parallel")
    option("--bin", type=Path, default=SOURCE / "build/release/bin", metavar="FOLDER",
           help="where Minas's tools are built (default: build/release/bin)")
    options = parser.parse_args(arguments)
    options.out = options.out.resolve()
    if options.design and options.study.suffix == ".csv":
        return options, None
    if options.design and (options.slurm or options.parallel):
        parser.error("--design: the runs of a block follow one another; not with --slurm or --parallel")
    check_tools(parser, options)
    study = read_study(options.study)
    choose(study, options)
    return options, study


def check_tools(parser, options):
    options.bin = options.bin.resolve()
    options.sources = options.sources and options.sources.resolve()
    for tool in ("mapp-rewrite", "maicc", "mai-trace", "mai-map", "numarch"):
        if not (options.bin / tool).exists():
            parser.error(f"there is no {tool} in {options.bin}; build Minas (cmake --preset release "
                         "&& cmake --build --preset release), or name its folder by --bin")


def choose(study, options):
    """Narrows the study to what the command line asks for."""
    for name in ("machines", "compilers", "scenarios", "repetitions", "threads", "thp", "timeout"):
        if getattr(options, name) is not None:
            setattr(study, name, getattr(options, name))
    names = [program.name for program in study.programs]
    if options.programs:
        study.programs = [program for program in study.programs if any(
            fnmatch.fnmatchcase(program.name, each) for each in options.programs.split(","))]
    if options.set:
        study.programs = [program for program in study.programs if program.set == options.set]
    if not study.programs:
        raise EvaluationError(f"{options.study}: no such programs; there are {', '.join(names)}")


def scenarios_of(program, study):
    """Those of the study that the program can be in."""
    return [name for name in study.scenarios
            if (program.counting == "joined" or name not in JOINED_ONLY)
            and (program.training is not None or not SCENARIOS[name].trained)]
