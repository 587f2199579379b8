# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs, their classes, and the ways in which each of them is run."""

from dataclasses import dataclass

PROGRAMS = ("cg", "ft", "mg", "lu", "ep")
CLASSES = "SWABC"

# A last-level cache that is to the arrays of a class about what megabytes are to classes B and C:
# the bytes that a thread has of it, in the model.
CACHE_OF_CLASS = {"S": "32K", "W": "128K", "A": "1M", "B": "1M", "C": "1M"}


@dataclass(frozen=True)
class Scenario:
    name: str
    form: str  # of the program: original, in-place, heap
    map: str  # of its threads: free, best, worst
    interleave: bool
    meaning: str


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("first-touch-free", "original", "free", False,
                 "Linux: pages where they are first touched, threads where the kernel has them"),
        Scenario("first-touch", "original", "best", False,
                 "the same, with the threads bound to mai-map's map by OMP_PLACES"),
        Scenario("interleave", "original", "best", True,
                 "under numactl --interleave=all, with the threads bound to the same map"),
        Scenario("in-place", "in-place", "best", False,
                 "rewritten by mapp-rewrite in place, with the same map in MAI_MAP_FILE"),
        Scenario("heap", "heap", "best", False, "rewritten by mapp-rewrite --mode=heap"),
        Scenario("in-place-worst", "in-place", "worst", False,
                 "rewritten in place, with the map of mai-map --worst"),
        Scenario("heap-worst", "heap", "worst", False,
                 "rewritten onto the heap, with the map of mai-map --worst"),
    )
}
QUICK_SCENARIOS = ("first-touch", "in-place", "heap")


@dataclass(frozen=True)
class Case:
    """A program in one scenario, of which there may be several runs."""

    program: str
    size: str  # the class
    compiler: str
    scenario: str
    traced: bool = False  # while it runs on the machine, too

    @property
    def name(self):
        name = f"{self.program}.{self.size}.{self.compiler}.{self.scenario}"
        return f"{name}.traced" if self.traced else name
