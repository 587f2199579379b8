# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How often each thread accesses each line of each array of a program.

That does not depend on where threads and pages are.  So a program is traced once, here, with the
number of threads that it has on the machine in question.
"""

import bisect
import dataclasses
import functools
import itertools
import os
import time
from array import array

from .common import EvaluationError, call, digest, say, write_whole
from .profile import STATIC, ArrayFinder, load
from .programs import LINE_BYTES, plain_name
from .verify import what_is_wrong


class Tally:
    """One thread's accesses to the lines of one array."""

    def __init__(self, pairs):
        pairs.sort()
        self.lines = array("Q", (line for line, _ in pairs))
        self.sums = array("Q", itertools.accumulate((count for _, count in pairs), initial=0))

    def between(self, first, end):
        """Accesses to the lines from first on, below end."""
        return (self.sums[bisect.bisect_left(self.lines, end)]
                - self.sums[bisect.bisect_left(self.lines, first)])


class Counts:
    """Of a whole program: tallies[array][thread], and what goes elsewhere: stacks and the like."""

    def __init__(self, profile):
        self.tallies = {}
        self.bytes = {}
        self.elsewhere = 0
        self.elsewhere_shared = 0
        # Arrays of the program itself, which begin with a line.
        known = [each for each in profile.arrays if each.kind == STATIC
                 and each.module == profile.program and each.start % LINE_BYTES == 0]
        for each in known:
            self.bytes[plain_name(each.name)] = each.bytes
        self._collect(profile, known)

    def _collect(self, profile, known):
        finder = ArrayFinder(known, profile.line)
        pairs = {}
        users = {}
        for index, thread in enumerate(profile.threads):
            for where, first, end in finder.runs(thread.lines):
                lines, accesses = thread.lines[first:end], thread.accesses[first:end]
                if where is None or not thread.is_openmp:
                    self._note_elsewhere(users, index, lines, accesses)
                    continue
                base = where.start // profile.line
                pairs.setdefault((plain_name(where.name), thread.number), []).extend(
                    zip((line - base for line in lines), accesses))
        for (name, thread), list_ in pairs.items():
            self.tallies.setdefault(name, {})[thread] = Tally(list_)
        for counts in users.values():
            self.elsewhere += sum(counts.values())
            self.elsewhere_shared += sum(counts.values()) if len(counts) > 1 else 0

    @staticmethod
    def _note_elsewhere(users, thread, lines, accesses):
        for line, count in zip(lines, accesses):
            counts = users.setdefault(line, {})
            counts[thread] = counts.get(thread, 0) + count


class Tracer:
    """Traces programs on this machine and keeps their profiles, and what the programs said."""

    def __init__(self, forms, folder, threads):
        self.forms = forms
        self.folder = folder
        self.threads = threads
        self.profile = functools.cache(self._profile)
        self.samples = functools.cache(self._samples)
        self.policies = functools.cache(self._policies)

    def guide(self, name, compiler, form):
        """The profile that MApp makes this form with, if it takes one."""
        profiles = {"profile": self.profile, "sampled": self.samples}
        return profiles[form](name, compiler) if form in profiles else None

    def _policies(self, name, compiler):
        """The path of the policies that a run by the arguments of `training` speaks for."""
        program = self.forms.program(name)
        profile = self._profile_of(name, dataclasses.replace(program, arguments=program.training), compiler)
        path = profile.with_suffix(".policies")
        call([self.forms.mai_trace, "policies", "-o", path, profile])
        return path

    def _profile(self, name, compiler, cache=None):
        """The path of a profile; of misses of a cache of that size for each thread if one is given."""
        return self._profile_of(name, self.forms.program(name), compiler, cache)

    def _profile_of(self, name, program, compiler, cache=None):
        binary = self.forms.traced(name, compiler)
        key = digest([self.threads, cache, program.arguments, program.environment], [binary])
        path = self.folder / f"{name}.{compiler}.{cache or 'all'}.{key}.maiprof"
        if path.exists() and path.with_suffix(".said").exists():
            return path
        begin = time.monotonic()
        said = self._trace(program, compiler, binary, cache, path)
        wrong = what_is_wrong(program, 0, said, None)
        if wrong:
            raise EvaluationError(f"{binary} with {self.threads} threads: its result is wrong: {wrong}\n"
                                  f"{said}")
        say(f"traced {name} {compiler}{f', cache {cache}' if cache else ''} with "
            f"{self.threads} threads in {time.monotonic() - begin:.0f} s")
        return path

    def _trace(self, program, compiler, binary, cache, path):
        """What the program says."""
        partial = path.with_suffix(".partial")
        limit = ["--cache", cache] if cache else []
        command = [self.forms.mai_trace, "-q", "--phases", *limit, "-o", partial, binary]
        said = call(["sh", "-c", 'exec "$@" 2>&1', "sh", *command, *program.arguments],
                    env=self._environment(program), cwd=self.forms.place(program, compiler))
        write_whole(path.with_suffix(".said"), said)
        partial.rename(path)
        return said

    def _samples(self, name, compiler):
        """The path of a profile of the original, as it is, by samples."""
        program = self.forms.program(name)
        binary = self.forms.build(name, compiler, "untraced")
        key = digest([self.threads, program.arguments, program.environment], [binary])
        path = self.folder / f"{name}.{compiler}.samples.{key}.maiprof"
        if not path.exists():
            partial = path.with_suffix(".partial")
            call([self.forms.mai_trace, "record", "-q", "-o", partial, binary, *program.arguments],
                 env=self._environment(program), cwd=self.forms.place(program, compiler, "untraced"))
            partial.rename(path)
        return path

    def _environment(self, program):
        return dict(os.environ, OMP_NUM_THREADS=str(self.threads), OMP_DYNAMIC="false",
                    OMP_WAIT_POLICY="passive", OMP_PROC_BIND="false", **program.environment)

    def said(self, name, compiler):
        """The original's output."""
        return self.profile(name, compiler).with_suffix(".said").read_text(encoding="utf-8")

    def counts(self, name, compiler, cache=None):
        return Counts(load(self.forms.mai_trace, self.profile(name, compiler, cache)))
