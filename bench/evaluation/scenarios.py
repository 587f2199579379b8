# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways in which each program is run."""

from dataclasses import dataclass

@dataclass(frozen=True)
class Scenario:
    name: str
    form: str  # of the program: original, in-place, profile, sampled, heap
    map: str  # of its threads: free, best, worst
    interleave: bool
    meaning: str
    trained: bool = False  # under mai-run, with policies from a smaller run


SCENARIOS = {
    scenario.name: scenario
    for scenario in (
        Scenario("first-touch-free", "original", "free", False,
                 "Linux: pages where they are first touched, threads where the kernel has them"),
        Scenario("first-touch", "original", "best", False,
                 "the same, with the threads bound to mai-map's map by OMP_PLACES"),
        Scenario("interleave", "original", "best", True,
                 "under numactl --interleave=all, with the threads bound to the same map"),
        Scenario("mai-run", "original", "best", False,
                 "the original by mai-run -p @FILE, with the policies that mai-trace finds in a run by the "
                 "arguments of `training`", trained=True),
        Scenario("in-place", "in-place", "best", False,
                 "rewritten by mapp-rewrite in place, with the same map in MAI_MAP_FILE"),
        Scenario("in-place-profile", "profile", "best", False,
                 "the same, rewritten with the profile of the original"),
        Scenario("in-place-sampled", "sampled", "best", False,
                 "the same, rewritten with samples that mai-trace record took of the original, which is not traced"),
        Scenario("heap", "heap", "best", False, "rewritten by mapp-rewrite --mode=heap"),
        Scenario("in-place-worst", "in-place", "worst", False,
                 "rewritten in place, with the map of mai-map --worst"),
        Scenario("heap-worst", "heap", "worst", False,
                 "rewritten onto the heap, with the map of mai-map --worst"),
    )
}
# Those that a program can only be in whose accesses are counted apart from where they go.
JOINED_ONLY = ("first-touch-free", "heap", "heap-worst")


@dataclass(frozen=True)
class Level:
    """One of the ways in which a study's own factor lets programs run."""

    name: str
    environment: tuple = ()  # (variable, value)
    arguments: tuple = ()  # more of the program's
    mai_run: tuple = None  # options of mai-run, under which the program then runs


@dataclass(frozen=True)
class Case:
    """A program in one scenario, and at one level of each of the study's own factors; of which there may be
    several runs."""

    program: str  # its name
    compiler: str
    scenario: str
    levels: tuple = ()  # (factor, Level)

    @property
    def name(self):
        return ".".join([self.program, self.compiler, self.scenario, *(level.name for _, level in self.levels)])

    @property
    def way(self):
        """As tables call it."""
        return " ".join([self.scenario, *(level.name for _, level in self.levels)])
