# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which a program is run, beside plainly."""

import re
import subprocess
from dataclasses import dataclass, field

REPORT = "report.json"


@dataclass(frozen=True)
class Mode:
    """A program of Minas with its options; an allocator takes the place of malloc(), in the plain run too."""

    options: tuple = ()
    allocator: str = None
    tool: str = "mai-run"
    environment: dict = field(default_factory=dict)

    @property
    def reports(self):
        return REPORT in self.options


SMALL_BLOCKS = ("-p", "*:cyclic", "-s", "4096")
# On nodes that are not there, but have homes.
NEAR = {"MAI_TASKS": "near", "MAI_LOOPS": "near", "HWLOC_SYNTHETIC": "node:2 pu:1"}

MODES = {
    "run": Mode(),
    "watch": Mode(("-w", "-r", REPORT)),
    "cyclic": Mode(("-p", "*:cyclic", "-s", "1")),
    "report": Mode(("-s", "4096", "-r", REPORT)),
    "block": Mode(("-p", "*:block", "-s", "4096", "-r", REPORT)),
    "dynamic": Mode(("--dynamic", "-s", "4096")),
    "near": Mode(("-q",), environment=NEAR),
    "record": Mode(("record", "-q", "-o", "samples.maiprof", "--"), tool="mai-trace"),
    "jemalloc": Mode(SMALL_BLOCKS, "libjemalloc.so.2"),
    "tcmalloc": Mode(SMALL_BLOCKS, "libtcmalloc_minimal.so.4"),
    "mimalloc": Mode(SMALL_BLOCKS, "libmimalloc.so.2"),
}
ALLOCATOR_PACKAGES = ("libjemalloc2", "libtcmalloc-minimal4", "libmimalloc2.0")

# What mai-run says before it runs a program that it cannot do everything for, and MAi where a program has more
# threads than there are CPUs.
EXPECTED_REMARKS = re.compile(
    r"mai-run: \S+: (needs no OpenMP run-time by itself|no binary|stripped: its static arrays have no names|"
    r"statically linked)|mai: threads share CPUs: "
)


def without_remarks(stderr):
    """What stands on standard error beside that."""
    lines = stderr.splitlines(keepends=True)
    return "".join(line for line in lines if not EXPECTED_REMARKS.match(line))


def known_libraries():
    """The libraries that the dynamic linker finds by their name."""
    cache = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    return {line.split()[0] for line in cache.splitlines() if "=>" in line}
