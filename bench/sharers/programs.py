# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs, the ways in which each runs, what is aimed at, and what the paper says."""

from dataclasses import dataclass

from evaluation.common import SOURCE

POINTS_OF_CPU = 256  # of 160 bytes each: more than a first cache of 32 KiB
FOLDER = SOURCE / "examples/sharing"  # arrays are called as they are there
ONE_NODE = "original, one node"
FIRST_TOUCH, INTERLEAVED = "original, first touch", "original, interleaved"
MOVED, HOME = "transformed, interleaved", "transformed, at home"


@dataclass(frozen=True)
class Program:
    name: str
    is_openmp: bool
    sizes: str        # of a run that is traced, in a virtual machine; {points}: so many for each of its CPUs that caches do not hold them
    real_sizes: str   # of one that is timed
    original: str
    transformed: str
    left: str         # of the transformed: its memory is not at home
    shared: tuple     # how the names of arrays begin that all threads use
    remote: float     # lines from other nodes, of the original's, at most
    input: str = ""   # arguments that make what it reads
    real_input: str = ""

    @property
    def source(self):
        return FOLDER / f"{self.name}.c"

    def sizes_for(self, cpus):
        return self.sizes.format(points=POINTS_OF_CPU * cpus)


PROGRAMS = [
    Program("streamcluster", True, "--points={points} --chunk={points} --fewest=3 --most=5", "--points=16384 --chunk=8192",
            "--shuffle=pointers", "--shuffle=copies", "", ("rows",), 0.1),
    Program("ferret", False, "--images=4096 --queries=128", "--images=65536 --queries=512 --directions=6",
            "--database=shared", "--database=parts", "--home=no", ("features (", "links (", "heads ("), 0.4),
    Program("dedup", False, "", "", "--table=shared", "--table=parts", "--home=no", ("(pipeline.h", "memory (pipeline.h", "entry ("), 0.4,
            "--bytes=1100000", "--bytes=33554432"),
]


@dataclass(frozen=True)
class Way:
    """How a program runs."""
    name: str
    is_transformed: bool = False
    interleaves: bool = False
    is_on_one_node: bool = False

    def arguments(self, program):
        if not self.is_transformed:
            return program.original
        return f"{program.transformed} {program.left if self.interleaves else ''}".strip()


WAYS = [Way(ONE_NODE, is_on_one_node=True), Way(FIRST_TOUCH), Way(INTERLEAVED, interleaves=True),
        Way(MOVED, is_transformed=True, interleaves=True), Way(HOME, is_transformed=True)]

PAPER = ('Z. Majo and T. R. Gross, "(Mis)understanding the NUMA memory system performance of multithreaded workloads", 2013')
PUBLISHED = [  # program, machine, way, speed in times the original's under first touch
    ("streamcluster", "2 nodes x 4 CPUs", INTERLEAVED, 1.21),
    ("streamcluster", "4 nodes x 8 CPUs", INTERLEAVED, 2.06),
    ("streamcluster", "2 nodes x 4 CPUs", HOME, 2.6),
    ("streamcluster", "4 nodes x 8 CPUs", HOME, 3.14),
]
DIFFERENCES = [
    "streamcluster: points are made by a seed, with whole numbers as coordinates; they have 32 dimensions, which is two lines.",
    "ferret: pictures are made by a seed and compared by sums of differences, not by an earth mover's distance.",
    "dedup: what zlib and the kernel access is not seen, and the input is read by fragments, not at once; the key is no SHA-1.",
    "In virtual machines lines are counted by a model of the caches (mai-trace(1)), which are as much smaller as the inputs are.",
]
