# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two sides that run in turn, and what their runs say of each other.

A run is a dictionary: the name of a figure and its value, most of them seconds."""

import math
import statistics

# Until a minimum is sure to be one: where those of the two sides differ by more than this, either way, there are as
# many pairs again.  CPU time tells, which is less at the mercy of other programs than the clock.
DOUBTFUL = 0.02
TELLING = ("its CPU", "run's CPU")
MOST_ROUNDS = 4


def interleave(pairs, measure_original, measure_other):
    """The runs of both sides, measured in turn; the side that goes first changes."""
    original, other = [], []
    for i in range(pairs):
        sides = [(measure_original, original), (measure_other, other)]
        for measure, runs in sides if i % 2 == 0 else reversed(sides):
            runs.append(measure())
    return original, other


def ratios_of(original, other):
    """Of each figure, the ratio of the minima and the median of the pairs' ratios."""
    result = {}
    for figure in original[0]:
        a, b = ([run[figure] for run in runs] for runs in (original, other))
        if min(a) > 0:
            pairs = [y / x for x, y in zip(a, b) if x > 0]
            result[figure] = {"minima": min(b) / min(a), "median": statistics.median(pairs)}
    return result


def is_doubtful(original, other):
    ratios = ratios_of(original, other)
    telling = next((ratios[figure] for figure in TELLING if figure in ratios), None)
    return telling is not None and abs(telling["minima"] - 1) > DOUBTFUL


def compare(name, figures, pairs, measure_original, measure_other, rounds=1):
    """Measures, prints a row of the table, and returns what was measured."""
    original, other = interleave(pairs, measure_original, measure_other)
    for _ in range(rounds - 1):
        if is_doubtful(original, other):
            for runs, more in zip((original, other), interleave(pairs, measure_original, measure_other)):
                runs += more
    result = {
        "name": name,
        "pairs": len(original),
        "ratios": ratios_of(original, other),
        "original": original,
        "other": other,
    }
    show(result, figures)
    return result


def show_head(figures):
    print(f"{'ratio of the minima, median of the pairs':<58} {'':>5}", *(f"{f:>16}" for f in figures))
    print(f"{'':<58} {'pairs':>5}", *(f"{'s':>5} {'min':>5} {'med':>5}"[:17].rjust(16) for _ in figures))


def show(result, figures):
    cells = []
    for figure in figures:
        ratio = result["ratios"].get(figure)
        least = min(run.get(figure, math.inf) for run in result["original"])
        cells.append(f"{least:4.2f} {ratio['minima']:5.3f} {ratio['median']:5.3f}" if ratio else "")
    print(f"{result['name']:<58} {result['pairs']:>5}", *(f"{c:>16}" for c in cells), flush=True)


def show_means(results, figures):
    """Of each group of results the geometric means, and the greatest ratio of minima."""
    for group in dict.fromkeys(result["group"] for result in results):
        members = [result for result in results if result["group"] == group]
        print(f"\n{group}: {len(members)} comparisons")
        for figure in figures:
            ratios = [(r["ratios"][figure], r["name"]) for r in members if figure in r["ratios"]]
            if not ratios:
                continue
            means = (statistics.geometric_mean(r[kind] for r, _ in ratios) for kind in ("minima", "median"))
            worst, name = max((r["minima"], name) for r, name in ratios)
            print(
                f"  {figure:<12} geometric mean of minima {next(means):.3f}, of medians {next(means):.3f}; "
                f"worst of minima {worst:.3f}: {name}",
                flush=True,
            )
