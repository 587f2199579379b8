# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command line."""

import argparse
import re
import shlex
from pathlib import Path

from .common import SOURCE
from .programs import NPB
from .scenarios import CACHE_OF_CLASS, CLASSES, PROGRAMS, QUICK_SCENARIOS, SCENARIOS

MOST_CPUS = 128  # of a virtual machine

DESCRIPTION = """\
Measures what the placement of pages and threads does to the memory traffic of
the NAS kernels CG, FT, MG, LU and EP (examples/npb).

    scripts/evaluate --quick                      minutes, on a virtual machine
    scripts/evaluate --guest 8x2 --classes S,W    8 nodes with 2 CPUs each
    scripts/evaluate --runs 7 --classes B         this machine, with times

Each program is built by each compiler as it is, and rewritten by mapp-rewrite
in place and onto the heap. It is traced once on this machine, with as many
threads as it will have: how often each thread accesses each cache line of each
array does not depend on where pages and threads are. mai-map makes thread maps
of that. Then the program runs in each scenario; when it ends, the kernel is
asked for the node of each page of each array. Both joined say how many accesses
are local and remote, how evenly nodes serve them, and how few could be remote
if each page were on the node that accesses it most.
"""

NOTES = """\
Results are kept in the folder of --out, a file for each run, and used again as
long as programs and settings are the same. So an interrupted evaluation goes
on when the same command is given again. The folder then holds results.json
(everything, by array, too), results.csv (a line a case) and table.txt, which is
also printed.

In a virtual machine placement is real, and times are not. On a machine of one
node there are no remote accesses, and times show what rewriting costs.

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


def shape(text):
    match = re.fullmatch(r"([1-9]\d{0,2})x([1-9]\d{0,2})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"expected nodes x CPUs such as 4x2, found '{text}'")
    nodes, cores = int(match[1]), int(match[2])
    if nodes * cores > MOST_CPUS:
        raise argparse.ArgumentTypeError(f"{text} has {nodes * cores} CPUs, at most {MOST_CPUS} do")
    return nodes, cores


def number_up_to(most):
    def parse(text):
        if not re.fullmatch(r"[1-9]\d{0,8}", text) or int(text) > most:
            raise argparse.ArgumentTypeError(f"expected a number from 1 to {most}, found '{text}'")
        return int(text)

    return parse


def cache_size(text):
    if not re.fullmatch(r"[1-9]\d{0,8}[KMG]?", text):
        raise argparse.ArgumentTypeError(f"expected bytes such as 64K or 1M, found '{text}'")
    return text


def words(text):
    try:
        return shlex.split(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error) from error


def parse_arguments(arguments):
    scenarios = "".join(f"\n  {each.name:<17} {each.meaning}" for each in SCENARIOS.values())
    parser = argparse.ArgumentParser(
        prog="evaluate", description=DESCRIPTION, epilog=f"scenarios:{scenarios}\n\n{NOTES}",
        formatter_class=argparse.RawDescriptionHelpFormatter)
    option = parser.add_argument
    option("--quick", action="store_true",
           help="class S, gcc, the scenarios " + ", ".join(QUICK_SCENARIOS) + ", and a virtual "
           "machine of 4x2 unless told otherwise: minutes on 2 CPUs")
    option("--guest", type=shape, metavar="NxC",
           help="a virtual machine with N nodes of C CPUs each, such as 4x2, 8x2 or 4x8; by "
           "default, this machine")
    option("--programs", type=list_of(PROGRAMS, "program"), default=list(PROGRAMS), metavar="LIST",
           help="of " + ",".join(PROGRAMS) + " (default: all)")
    option("--classes", type=list_of(CLASSES, "class"), metavar="LIST",
           help="of S,W,A,B,C (default: S)", default=["S"])
    option("--compilers", type=list_of(("gcc", "clang"), "compiler"), metavar="LIST",
           help="of gcc,clang; gcc's programs run on libgomp, clang's on libomp (default: both)")
    option("--scenarios", type=list_of(SCENARIOS, "scenario"), metavar="LIST",
           help="of those below (default: all)")
    option("--threads", type=number_up_to(1024), metavar="N", help="default: the machine's CPUs")
    option("--runs", type=number_up_to(1000), metavar="N",
           help="runs of each case, for times; in rounds (default: 1 in a guest, else 5)")
    option("--cache", type=cache_size, metavar="BYTES",
           help="size of the model's cache, one for each thread, 8 ways; default by class: "
           + ", ".join(f"{size} {cache}" for size, cache in CACHE_OF_CLASS.items()))
    option("--flags", type=words, default=["-O3"], help="the compilers' options (default: -O3)")
    option("--memory", type=number_up_to(1 << 20), default=512, metavar="MIB",
           help="memory of each node of the virtual machine (default: 512)")
    option("--thp", choices=("always", "madvise", "never"), default="always",
           help="the virtual machine's transparent huge pages (default: always)")
    option("--traced", action="store_true",
           help="also run each case traced on the machine, and compare the counts")
    option("--timeout", type=number_up_to(86400), default=900, metavar="SECONDS",
           help="for one run (default: 900)")
    option("--out", type=Path, default=Path("build/evaluation"), metavar="FOLDER",
           help="where results are kept (default: build/evaluation)")
    option("--bin", type=Path, default=SOURCE / "build/release/bin", metavar="FOLDER",
           help="where Minas's tools are built (default: build/release/bin)")
    options = parser.parse_args(arguments)
    complete(parser, options)
    return options


def complete(parser, options):
    """Fills in what depends on other options, and checks what is there to be used."""
    if options.quick and not options.guest:
        options.guest = (4, 2)
    options.compilers = options.compilers or (["gcc"] if options.quick else ["gcc", "clang"])
    options.scenarios = options.scenarios or list(QUICK_SCENARIOS if options.quick else SCENARIOS)
    options.runs = options.runs or (1 if options.guest else 5)
    options.bin = options.bin.resolve()
    options.out = options.out.resolve()
    for tool in ("mapp-rewrite", "maicc", "mai-trace", "mai-map", "numarch"):
        if not (options.bin / tool).exists():
            parser.error(f"there is no {tool} in {options.bin}; build Minas (cmake --preset release "
                         "&& cmake --build --preset release), or name its folder by --bin")
    for program in options.programs:
        if not (NPB / f"{program}.c").exists():
            parser.error(f"there is no {program}.c in {NPB}")
