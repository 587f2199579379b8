# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The evaluation: which runs are there, which are missing, and what all of them say."""

import functools
import itertools
import json
import random
import signal
import sys
import time

from .cluster import spread
from .common import EvaluationError, digest, interrupt, say, write_whole
from .counts import Tracer
from .experiment import analyse_again, analyse_study, need_statistics
from .figures import Targets, row, share
from .machines import Guest, Host, lines_of, needed_tools
from .manifest import HOST
from .options import parse_arguments, scenarios_of
from .page import page_of
from .placement import joined, nodes_of_threads, pages_by_node
from .profile import STACK, read
from .runs import Forms, Jobs, observations, portions, script_for
from .scenarios import Case
from .sites import names_of
from .sources import Sources
from .store import Store, lock, prepare
from .tables import arrays_table_of, csv_of, table_of, targets_of
from .traced import memory_of
from .traffic import traffic
from .verify import what_is_wrong
from .words import words_on

OUTPUT_KEPT = 40  # lines of a program that failed


def machine_of(name, study, bin_directory):
    if name == HOST:
        return Host(bin_directory)
    return Guest(*map(int, name.split("x")), study.memory, study.thp)


class Evaluation:
    """The study on one machine."""

    def __init__(self, options, study, machine):
        self.study = study
        self.design = options.design
        self.machine = machine
        self.threads = study.threads or machine.cpus
        self.out = options.out
        self.work = options.out / "work"
        prepare(self.work)
        self.forms = Forms(study.programs, options.bin, self.work, Sources(options.sources, self.work))
        self.tracer = Tracer(self.forms, self.work, self.threads)
        self.jobs = Jobs(self.forms, self.tracer, machine, self.threads, self.work)
        self.store = Store(options.out / f"runs.{machine.key}.{self.threads}")
        self.counts = functools.lru_cache(maxsize=4)(self.tracer.counts)

    def cases(self):
        ways = [[(name, level) for level in levels] for name, levels in self.study.factors.items()]
        return [Case(program.name, compiler, scenario, levels) for program in self.study.programs
                for compiler in self.study.compilers for scenario in scenarios_of(program, self.study)
                for levels in itertools.product(*ways)]

    def caches(self, program):
        """The kinds of accesses that are counted, and the size of the model's cache of each."""
        return {"all": None} | ({"cache": program.cache} if program.cache else {})

    def run(self):
        cases = self.cases()
        if not cases:
            raise EvaluationError("these programs can be in none of these scenarios without counting: joined")
        say(f"{len(cases)} cases on the {self.machine.name}, {self.threads} threads; results in "
            f"{self.out}")
        jobs = [self._job(case) for case in cases]
        runs = range(1, self.study.repetitions + 1)
        results = {(run, number): self._known(job, run) for run in runs for number, job in enumerate(jobs)}
        self._fill(jobs, results)
        self.results = list(results.values())
        return [row([results[run, number] for run in runs]) for number in range(len(jobs))]

    def _job(self, case):
        """What is to be run, or, where that cannot be built, the result that says why."""
        try:
            job = self.jobs.job(case)
            traces = [self.tracer.profile(case.program, case.compiler, cache)
                      for cache in self.caches(self.forms.program(case.program)).values()]
        except EvaluationError as error:
            say(f"{case.name}: {error}")
            return self._empty_result(case) | {"problem": str(error)}
        job.key = digest([job.key, *(path.name for path in traces)])
        return job

    def _known(self, job, run):
        """The result that is there already, or None."""
        return job if isinstance(job, dict) else self.store.load(job.case, run, job.key)

    def _empty_result(self, case):
        return {
            "case": {"machine": self.machine.name, "program": case.program,
                     "compiler": case.compiler, "scenario": case.way},
            "factors": {"machine": self.machine.key, "program": case.program, "compiler": case.compiler,
                        "scenario": case.scenario} | {name: level.name for name, level in case.levels},
            "verified": False, "seconds": None, "pages": {}, "accesses": {}, "said": {},
            "problem": None,
        }

    def _order(self, results):
        """Round by round; of a design each is a block, whose runs are in random order."""
        if not self.design:
            return list(results)
        generator = random.Random(self.study.seed)
        order = []
        for _, block in itertools.groupby(results, key=lambda key: key[0]):
            block = list(block)
            order += generator.sample(block, len(block))
        return order

    def _fill(self, jobs, results):
        """Makes the runs that are missing."""
        order = self._order(results)
        pending = [key for key in order if results[key] is None]
        if len(pending) < len(results):
            say(f"{len(results) - len(pending)} of {len(results)} runs are there already")
        if not pending:
            return
        parts = portions(pending, lambda run: self.machine.carried(jobs[run[1]].files),
                         self.machine.most_carried_bytes)
        observed = itertools.chain.from_iterable(self._observe(part, jobs) for part in parts)
        begin = time.monotonic()
        for done, (run, number, observation) in enumerate(observed, 1):
            job = jobs[number]
            result = self._result(job, run, observation) | {"order": order.index((run, number)) + 1}
            self.store.save(job.case, run, result)
            results[run, number] = result
            self._say_progress(done, len(pending), job.case, result, time.monotonic() - begin)
        missing = [jobs[number].case.name for run, number in pending if results[run, number] is None]
        if missing:
            raise EvaluationError(f"the {self.machine.name} has not run {', '.join(missing)}")

    def _observe(self, runs, jobs):
        """Makes runs on the machine: (run, job's number, observation) of each as it ends."""
        seconds = self.study.timeout
        script = script_for(jobs, runs, self.work, seconds)
        files = sorted({str(file) for _, number in runs for file in jobs[number].files})
        return observations(lines_of(self.machine, script, files, self.work, seconds, len(runs)))

    def _result(self, job, run, observation):
        case = job.case
        program = self.forms.program(case.program)
        wrong = what_is_wrong(program, observation.status, observation.text,
                              self.tracer.said(case.program, case.compiler))
        result = self._empty_result(case) | {
            "key": job.key,
            "run": run,
            "verified": wrong is None,
            "status": observation.status,
            "seconds": observation.number(program.time),
            "own_count": observation.number(program.count),
            "map": job.cpus if job.scenario.map != "free" else None,
            "pages": pages_by_node(observation),
            "tasks": observation.tasks,
        }
        try:
            if wrong:
                raise EvaluationError(wrong)
            count = self._count_joined if program.counting == "joined" else self._count_traced
            count(job, observation, result)
        except EvaluationError as error:
            result["problem"] = str(error)
            result["output"] = observation.output[-OUTPUT_KEPT:]
        return result

    def _count_joined(self, job, observation, result):
        """Who makes accesses is known from the trace, where they go from the run."""
        case = job.case
        where = nodes_of_threads(observation, self.threads, result["map"])
        result["threads"] = where
        for kind, cache in self.caches(self.forms.program(case.program)).items():
            counts = self.counts(case.program, case.compiler, cache)
            memory = joined(observation, counts, where)
            memory.capacity = self._capacity(observation.page_bytes)
            result["accesses"][kind] = traffic(memory)
        self._note_words(job, result, {})

    def _count_traced(self, job, observation, result):
        """All is known from the run, which was traced."""
        profile = read(self.forms.mai_trace, observation.profile_bytes)
        names, frames = names_of(profile)
        memory = memory_of(profile, names, self.threads, self._capacity(profile.page))
        result["threads"] = [{str(node): 1} for node in memory.node_of_thread]
        result["accesses"]["all"] = traffic(memory)
        result["work"] = [thread.in_tasks for thread in profile.threads if thread.is_openmp]
        result["pages"] = self._pages(memory, names, profile)
        self._note_words(job, result, frames)

    @staticmethod
    def _pages(memory, names, profile):
        """{array: {node: pages}} of the pages that somebody accesses."""
        result = {names[id(array)]: {} for array in profile.arrays if array.kind != STACK}
        for page in memory.pages.values():
            mine = result.get(page.owner)
            if mine is not None:
                key = "-" if page.home is None else str(page.home)
                mine[key] = mine.get(key, 0) + 1
        return result

    def _capacity(self, page_bytes):
        return {node: size // page_bytes for node, size in self.machine.bytes_of_node.items()}

    def _note_words(self, job, result, frames):
        """What MApp said of each array."""
        if job.scenario.form == "original":
            return
        said = self.forms.said(job.case.program, job.case.compiler, job.scenario.form)
        arrays = result["accesses"]["all"]["arrays"]
        words = {name: words_on(name, frames.get(name, ()), said) for name in arrays}
        result["said"] = {name: each for name, each in words.items() if each}

    @staticmethod
    def _say_progress(done, total, case, result, elapsed):
        verdict = "verified" if result["verified"] else "NOT VERIFIED"
        said = (result["problem"].splitlines()[0] if result["problem"]
                else f"{share(result['accesses']['all']):.1%} remote")
        left = elapsed / done * (total - done)
        say(f"[{done}/{total}] {case.name}: {verdict}, {said}; about {left:.0f} s to go")


def summary(evaluation, rows):
    """(what results.json says of one machine, what the table does)."""
    caches = {program.name: program.cache for program in evaluation.study.programs if program.cache}
    return summary_of(rows, evaluation.machine, evaluation.threads, caches)


def summary_of(rows, machine, threads, caches):
    targets = Targets(rows, machine).list
    text = "\n".join([table_of(rows, machine, threads, caches), arrays_table_of(rows),
                      targets_of(targets)])
    return {
        "machine": {"name": machine.name, "nodes": machine.nodes, "cpus": machine.cpus,
                    "emulated": machine.is_emulated},
        "threads": threads,
        "caches": caches,
        "rows": rows,
        "figures": targets,
    }, text


def write_results(out, summaries):
    rows = [each for whole, _ in summaries for each in whole["rows"]]
    text = "\n".join(table for _, table in summaries)
    whole = {"evaluate": 2, "machines": [each for each, _ in summaries]}
    write_whole(out / "results.json", json.dumps(whole, indent=1) + "\n")
    write_whole(out / "results.csv", csv_of(rows))
    write_whole(out / "results.html", page_of([(each["machine"]["name"], each["rows"], table)
                                               for each, table in summaries]))
    write_whole(out / "table.txt", text)
    print(text, end="")
    return rows


def evaluate(options, study):
    needed_tools()
    prepare(options.out)
    with lock(options.out):
        summaries, results = [], []
        for name in study.machines:
            evaluation = Evaluation(options, study, machine_of(name, study, options.bin))
            summaries.append(summary(evaluation, evaluation.run()))
            results += evaluation.results
        rows = write_results(options.out, summaries)
        if options.design:
            analyse_study(options.out, options.study.stem, study, results)
        return rows


class RecordedMachine:
    """A machine as the results of a part tell of it."""

    def __init__(self, recorded):
        self.name, self.nodes, self.cpus = recorded["name"], recorded["nodes"], recorded["cpus"]
        self.is_emulated = recorded["emulated"]


def joined_summaries(parts):
    """What all parts found, machine by machine."""
    found = {}
    for part in parts:
        for each in part.read():
            found.setdefault((each["machine"]["name"], each["threads"]), []).append(each)
    return [summary_of([row for each in group for row in each["rows"]], RecordedMachine(group[0]["machine"]),
                       group[0]["threads"], {name: cache for each in group for name, cache in each["caches"].items()})
            for group in found.values()]


def evaluate_in_parts(options, study):
    prepare(options.out)
    with lock(options.out):
        finished, failed = spread(options, study)
        rows = write_results(options.out, joined_summaries(finished)) if finished else []
    if failed:
        raise EvaluationError("; ".join(f"{part.name} has no results, see {part.log}" for part in failed))
    return rows


def main(arguments):
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        options, study = parse_arguments(arguments)
        if options.design:
            need_statistics()
        if study is None:
            analyse_again(options.study, options.out)
            return 0
        rows = (evaluate_in_parts if options.slurm or options.parallel else evaluate)(options, study)
    except EvaluationError as error:
        print(f"evaluate: {error}", file=sys.stderr)
        return 3
    except KeyboardInterrupt:
        say("interrupted; the same command goes on from here")
        return 130
    return 0 if all(each["verified"] and not each["problem"] for each in rows) else 1
