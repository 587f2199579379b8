# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A study as a designed experiment: its runs become observations, and these are analysed.

The analysis itself, in design/, needs Debian's statsmodels; all else does not.
"""

import importlib.util
import os
import subprocess
import sys
from decimal import Decimal

from .common import EvaluationError, write_whole
from .metrics import METRICS
from .store import prepare

DEBIANS_PYTHON = "/usr/bin/python3"
MODULE = "statsmodels"


def need_statistics():
    """Goes on in Debian's Python where this one has no statsmodels."""
    if importlib.util.find_spec(MODULE):
        return
    found = sys.executable != DEBIANS_PYTHON and os.path.exists(DEBIANS_PYTHON) and subprocess.run(
        [DEBIANS_PYTHON, "-c", f"import {MODULE}"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    if not found:
        raise EvaluationError(f"Python has no {MODULE}, which --design needs (scripts/setup installs it)")
    sys.stdout.flush()
    os.execv(DEBIANS_PYTHON, [DEBIANS_PYTHON, *sys.argv])


def observations_of(study, results):
    from .design.observations import Observation, Observations

    names = list(results[0]["factors"])
    varied = [name for name in names if len({result["factors"][name] for result in results}) > 1]
    if not varied:
        raise EvaluationError("this study is no experiment: it has one program, machine, compiler and scenario, and no "
                              "factors of its own")
    rows = []
    for result in results:
        values = {name: METRICS[name](result) for name in study.metrics}
        rows.append(Observation(tuple(result["factors"][name] for name in varied),
                                {name: Decimal(repr(value)) for name, value in values.items() if value is not None},
                                str(result.get("run", "")), str(result.get("order", ""))))
    return Observations(varied, study.metrics, rows)


def write_analysis(out, title, observations, published=(), notes=()):
    from .design.analysis import analyse
    from .design.page import page_of, text_of

    sections = analyse(observations, published)
    text = text_of(sections)
    write_whole(out / "design.txt", text)
    write_whole(out / "design.html", page_of(title, sections, notes))
    print(text, end="")


def analyse_study(out, title, study, results):
    from .design.observations import text_of

    observations = observations_of(study, results)
    write_whole(out / "observations.csv", text_of(observations))
    write_analysis(out, title, observations, study.published, study.notes)


def analyse_again(path, out):
    from .design.observations import read_observations

    prepare(out)
    write_analysis(out, path.stem, read_observations(path))
