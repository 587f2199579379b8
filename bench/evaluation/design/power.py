# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many replications would show that two levels of a factor differ by so much: by scipy's noncentral F."""

import math

from scipy import stats

SHOWN = 0.05  # of the mean
ALPHA = 0.05
WANTED = 0.8
MOST = 100000
CERTAIN = 1e4  # a shift with which every design has a power of nearly 1; scipy fails for far larger ones


def difference_shown(choice):
    """On the scale of the model."""
    mean = choice.transformation.back(choice.model.mean) if choice.transformation.name else choice.model.mean
    if not choice.transformation.name:
        return SHOWN * abs(mean)
    return abs(float(choice.transformation.of((1 + SHOWN) * mean) - choice.transformation.of(mean)))


def power(model, index, difference, replications):
    """Of the F test of a factor two of whose levels differ by that much, in a whole design."""
    levels = len(model.levels[index])
    cells = math.prod(len(model.levels[each]) for each in model.varied)
    has_blocks = len(model.blocks) > 1
    parameters = 1 + int(model.fit.df_model) - (len(model.blocks) - 1) + (replications - 1 if has_blocks else 0)
    residual = cells * replications - parameters
    if residual <= 0:
        return 0.0
    shift = cells * replications / levels * difference ** 2 / 2 / model.fit.mse_resid
    limit = stats.f.ppf(1 - ALPHA, levels - 1, residual)
    return float(stats.ncf.sf(limit, levels - 1, residual, min(shift, CERTAIN)))


def replications_needed(model, index, difference):
    """The fewest that have the power that is wanted; None: more than anybody makes."""
    low, high = 1, 2
    while power(model, index, difference, high) < WANTED:
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(model, index, difference, middle) >= WANTED else (middle, high)
    return high
