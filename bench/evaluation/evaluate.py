# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The evaluation: which runs are there, which are missing, and what all of them say."""

import functools
import itertools
import json
import signal
import sys
import time
from dataclasses import replace

from .common import EvaluationError, digest, say, write_whole
from .counts import Tracer
from .figures import Targets, row, share
from .machines import Guest, Host, lines_of, needed_tools
from .options import parse_arguments
from .placement import nodes_of_threads, pages_by_node, traffic, traffic_of_profile
from .profile import read
from .programs import Programs
from .runs import Jobs, observations, script_for
from .scenarios import CACHE_OF_CLASS, SCENARIOS, Case
from .store import Store, lock, prepare
from .tables import csv_of, table_of, targets_of, traced_table_of

OUTPUT_KEPT = 40  # lines of a program that failed


class Evaluation:
    def __init__(self, options):
        self.options = options
        self.machine = self._machine()
        self.threads = options.threads or self.machine.cpus
        work = options.out / "work"
        for folder in (options.out, work):
            prepare(folder)
        self.work = work
        self.lock = lock(options.out)
        self.programs = Programs(options.bin, work, options.flags)
        self.tracer = Tracer(self.programs, work, self.threads)
        self.jobs = Jobs(self.programs, self.tracer, self.machine, self.threads, work)
        self.store = Store(options.out / f"runs.{self.machine.key}.{self.threads}")
        self.counts = functools.lru_cache(maxsize=4)(self.tracer.counts)

    def _machine(self):
        options = self.options
        if options.guest:
            return Guest(*options.guest, options.memory, options.thp)
        return Host(options.bin)

    def cache(self, case):
        return self.options.cache or CACHE_OF_CLASS[case.size]

    def cases(self):
        options = self.options
        cases = [Case(*each) for each in itertools.product(options.programs, options.classes,
                                                           options.compilers, options.scenarios)]
        traced = [replace(case, traced=True) for case in cases
                  if SCENARIOS[case.scenario].map != "free"]
        return cases + (traced if options.traced else [])

    def run(self):
        needed_tools()
        cases = self.cases()
        say(f"{len(cases)} cases on the {self.machine.name}, {self.threads} threads; results in "
            f"{self.options.out}")
        jobs = []
        for case in cases:
            job = self.jobs.job(case)
            traces = [self.tracer.profile(case.program, case.size, case.compiler, cache)
                      for cache in (None, self.cache(case))]
            job.key = digest([job.key, *(path.name for path in traces)])
            jobs.append(job)
        results = {(run, number): self.store.load(job.case, run, job.key)
                   for run in range(1, self.options.runs + 1) for number, job in enumerate(jobs)
                   if run == 1 or not job.case.traced}
        self._fill(jobs, results)
        return self._rows(jobs, results)

    def _rows(self, jobs, results):
        traced = {replace(job.case, traced=False): results[1, number]
                  for number, job in enumerate(jobs) if job.case.traced}
        return [row([results[run, number] for run in range(1, self.options.runs + 1)],
                    traced.get(job.case))
                for number, job in enumerate(jobs) if not job.case.traced]

    def _fill(self, jobs, results):
        """Makes the runs that are missing."""
        pending = [key for key, result in results.items() if result is None]
        if len(pending) < len(results):
            say(f"{len(results) - len(pending)} of {len(results)} runs are there already")
        if not pending:
            return
        seconds = self.options.timeout
        script = script_for(jobs, pending, self.work, seconds)
        files = sorted({str(file) for _, number in pending for file in jobs[number].files})
        lines = lines_of(self.machine, script, files, self.work, seconds, len(pending))
        begin = time.monotonic()
        for done, (run, number, observation) in enumerate(observations(lines), 1):
            job = jobs[number]
            result = self._result(job, run, observation)
            self.store.save(job.case, run, result)
            results[run, number] = result
            self._say_progress(done, len(pending), job.case, result, time.monotonic() - begin)
        missing = [jobs[number].case.name for run, number in pending if results[run, number] is None]
        if missing:
            raise EvaluationError(f"the {self.machine.name} has not run {', '.join(missing)}")

    def _result(self, job, run, observation):
        case = job.case
        result = {
            "key": job.key,
            "case": {"program": case.program, "class": case.size, "compiler": case.compiler,
                     "scenario": case.scenario},
            "run": run,
            "verified": observation.is_verified,
            "status": observation.status,
            "seconds": observation.seconds,
            "map": job.cpus if job.scenario.map != "free" else None,
            "pages": pages_by_node(observation),
            "accesses": {},
            "problem": None,
        }
        try:
            if not observation.is_verified:
                raise EvaluationError(f"exit status {observation.status}, see output")
            if case.traced:
                result["accesses"]["all"] = self._traffic_of_profile(case, observation)
            else:
                where = nodes_of_threads(observation, self.threads, result["map"])
                result["threads"] = where
                for kind, cache in (("all", None), ("cache", self.cache(case))):
                    counts = self.counts(case.program, case.size, case.compiler, cache)
                    result["accesses"][kind] = traffic(observation, counts, where)
        except EvaluationError as error:
            result["problem"] = str(error)
            result["output"] = observation.output[-OUTPUT_KEPT:]
        return result

    def _traffic_of_profile(self, case, observation):
        profile = read(observation.profile_bytes, f"the profile of {case.name}")
        counts = self.counts(case.program, case.size, case.compiler, None)
        return traffic_of_profile(profile, counts.bytes)

    @staticmethod
    def _say_progress(done, total, case, result, elapsed):
        verdict = "verified" if result["verified"] else "NOT VERIFIED"
        said = (result["problem"].splitlines()[0] if result["problem"]
                else f"{share(result['accesses']['all']):.1%} remote")
        left = elapsed / done * (total - done)
        say(f"[{done}/{total}] {case.name}: {verdict}, {said}; about {left:.0f} s to go")


def write_results(evaluation, rows, targets):
    options = evaluation.options
    text = "\n".join([table_of(rows, evaluation.machine, evaluation.threads, options.cache),
                      *([traced_table_of(rows)] if options.traced else []), targets_of(targets)])
    whole = {
        "evaluate": 1,
        "machine": {"name": evaluation.machine.name, "nodes": evaluation.machine.nodes,
                    "cpus": evaluation.machine.cpus, "emulated": evaluation.machine.is_emulated},
        "threads": evaluation.threads,
        "flags": options.flags,
        "caches": {size: options.cache or CACHE_OF_CLASS[size] for size in options.classes},
        "rows": rows,
        "figures": targets,
    }
    write_whole(options.out / "results.json", json.dumps(whole, indent=1) + "\n")
    write_whole(options.out / "results.csv", csv_of(rows))
    write_whole(options.out / "table.txt", text)
    print(text, end="")


def interrupt(*_):
    raise KeyboardInterrupt


def main(arguments):
    options = parse_arguments(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        evaluation = Evaluation(options)
        rows = evaluation.run()
        write_results(evaluation, rows, Targets(rows, evaluation.machine).list)
    except EvaluationError as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        return 130
    return 0 if all(each["verified"] and not each["problem"] for each in rows) else 1
