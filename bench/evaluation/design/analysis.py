# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a designed experiment says of each metric: tables, drawings, and sentences between them."""

import math
import statistics
from dataclasses import dataclass, field
from decimal import Decimal

from ..common import EvaluationError
from . import power
from .drawing import drawings_of
from .model import LEVELS_OF_CONFIDENCE, Model
from .transformation import choose


@dataclass
class Table:
    title: str
    header: list
    rows: list


@dataclass
class Section:
    """Of one metric."""

    metric: str
    sentences: list = field(default_factory=list)
    tables: list = field(default_factory=list)
    drawings: list = field(default_factory=list)


def figure(value):
    return "" if value is None else f"{value:.15g}" if abs(value) >= 1e5 else f"{value:.6g}"


def small(value):
    """A probability."""
    return "" if value is None else "< 1e-16" if value < 1e-16 else f"{value:.3g}"


def percent(value):
    return f"{100 * value:.1f} %"


def published_share(published, metric, term):
    shares = [each for each in published if (each.metric, each.term) == (metric, term)]
    return "; ".join(f"{percent(each.share[0])} to {percent(each.share[1])} ({each.source})" for each in shares)


def anova_table(title, model, metric, published):
    compared = any(each.metric == metric for each in published)
    rows = [[term.name, str(term.df), f"{term.squares:.15g}", percent(term.share), f"{term.mean_square:.15g}",
             "" if term.f is None else f"{term.f:.15g}", small(term.p),
             *([published_share(published, metric, term.name)] if compared else [])] for term in model.anova()]
    header = ["term", "df", "sum of squares", "variation", "mean square", "F", "p"]
    return Table(title, header + (["published"] if compared else []), rows)


def cells_table(choice):
    model = choice.model
    rows = []
    for levels, values in model.cells().items():
        mean = model.centre + statistics.fmean(values)
        shown = choice.transformation.back(mean) if choice.transformation.name else mean
        rows.append([*levels, str(len(values)), figure(shown),
                     figure(statistics.stdev(values)) if len(values) > 1 else ""])
    scale = " (back from the transformed scale; deviations are on it)" if choice.transformation.name else ""
    return Table(f"Means{scale}", [*model.names, "runs", "mean", "standard deviation"], rows)


def estimates_table(title, estimates, as_ratio):
    def shown(value):
        return figure(math.exp(value) if as_ratio else value)

    header = ["", "ratio" if as_ratio else "difference"]
    for level in LEVELS_OF_CONFIDENCE:
        header.append(f"{100 * level:.0f} % interval")
    rows = [[each.name, shown(each.value), *(f"{shown(low)} to {shown(high)}" for low, high in each.intervals),
             small(each.p)] for each in estimates]
    return Table(title, header + ["p"], rows)


def tests_table(title, tests):
    return Table(title, ["residuals are", "statistic", "p", "p by Holm"],
                 [[test.name, figure(test.statistic), small(test.p), small(test.corrected)] for test in tests])


def power_table(choice):
    model = choice.model
    difference = power.difference_shown(choice)
    replications = len(model.rows) / len(model.cells())
    rows = []
    for index in model.varied:
        needed = power.replications_needed(model, index, difference)
        now = power.power(model, index, difference, int(replications))
        rows.append([model.names[index], percent(now), f"more than {power.MOST}" if needed is None else str(needed)])
    return Table(f"Power: two levels that differ by {power.SHOWN:.0%} of the mean, at the level {power.ALPHA}",
                 ["factor", f"with the {replications:.3g} replications made",
                  f"replications for a power of {power.WANTED:.0%}"], rows)


def describe(section, plain, choice, published):
    model = choice.model
    as_ratio = choice.transformation.name == "log"
    section.tables.append(anova_table("Analysis of variance", model, section.metric, published))
    if choice.transformation.name:
        section.tables.append(anova_table("The same of the values as they are", plain, section.metric, published))
    section.tables.append(cells_table(choice))
    for index in model.varied:
        section.tables.append(estimates_table(f"Effects of {model.names[index]}, beside the mean of all",
                                              model.effects(index), as_ratio))
    for index in model.varied:
        section.tables.append(estimates_table(f"Contrasts of {model.names[index]}", model.contrasts(index), as_ratio))
    section.tables.append(tests_table("Residuals of the values as they are", choice.before))
    if choice.after:
        section.tables.append(tests_table("Residuals of the transformed values", choice.after))
    section.tables.append(power_table(choice))
    section.drawings = drawings_of(model)


def analyse_metric(observations, metric, published):
    section = Section(metric)
    rows = observations.of(metric)
    if not rows:
        section.sentences.append("no run has it")
        return section
    exact = [row.values[metric] for row in rows]
    centre = sum(exact, Decimal()) / len(exact)
    plain = Model(observations.factors, rows, [float(value - centre) for value in exact], float(centre))
    section.sentences.append(f"{len(rows)} of {len(observations.rows)} runs; mean {figure(plain.mean)}")
    if plain.fit is None:
        section.sentences.append("no model: as many parameters as runs, or factors without a second level")
        return section
    choice = choose(plain, [float(value) for value in exact],
                    lambda values: Model(observations.factors, rows, values))
    section.sentences.append(choice.reason)
    if plain.has_residue:
        describe(section, plain, choice, published)
    else:
        section.tables.append(cells_table(choice))
    return section


def analyse(observations, published=()):
    for each in published:
        if each.metric not in observations.metrics:
            raise EvaluationError(f"{each.source} has figures of {each.metric}, which is not measured here")
    return [analyse_metric(observations, metric, published) for metric in observations.metrics]
