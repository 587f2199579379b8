# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether residuals are such that the model holds, and the transformation of a metric that makes them so."""

from dataclasses import dataclass

import numpy
from scipy import optimize, special, stats
from statsmodels.stats.multitest import multipletests

SIGNIFICANT = 0.05
EXPONENTS = (-3.0, 3.0)
SIMPLE = ((0.0, "log"), (1.0, None), (0.5, "square root"), (-1.0, "reciprocal"))


@dataclass
class Test:
    name: str
    statistic: float
    p: float
    corrected: float = None  # by Holm, as several are made


@dataclass
class Transformation:
    """Box and Cox's, by its exponent."""

    exponent: float = 1.0
    name: str = None

    def of(self, values):
        return special.boxcox(values, self.exponent)

    def back(self, value):
        return float(special.inv_boxcox(value, self.exponent))


def residual_tests(model):
    """Are they normal, equally wide in all cells, and do they not grow with what is measured?"""
    residuals, fitted = model.fit.resid, model.fit.fittedvalues
    tests = [Test("normal: Shapiro and Wilk", *map(float, stats.shapiro(residuals)))]
    groups = [values for values in model.cells().values() if len(values) > 2]
    if len(groups) > 1 and any(numpy.ptp(values) > 0 for values in groups):
        tests.append(Test("equal variances: Brown and Forsythe", *map(float, stats.levene(*groups, center="median"))))
    if numpy.ptp(fitted) > 0:
        trend = stats.spearmanr(numpy.abs(residuals), fitted)
        tests.append(Test("no trend: Spearman, of their size with the fit", float(trend[0]), float(trend[1])))
    for test, p in zip(tests, multipletests([test.p for test in tests], method="holm")[1]):
        test.corrected = float(p)
    return tests


def least(tests):
    return min(test.corrected for test in tests)


def exponent_of(values, fit_of):
    """(the most likely exponent, the ends of its 95 % interval), given the model."""
    logarithms = float(numpy.log(values).sum())

    def minus_likelihood(exponent):
        squares = fit_of(special.boxcox(values, exponent)).fit.ssr
        return len(values) / 2 * numpy.log(squares / len(values)) - (exponent - 1) * logarithms

    found = optimize.minimize_scalar(minus_likelihood, bounds=EXPONENTS, method="bounded")
    limit = found.fun + stats.chi2.ppf(0.95, 1) / 2

    def end(outside):
        def beyond(exponent):
            return minus_likelihood(exponent) - limit

        return optimize.brentq(beyond, found.x, outside) if beyond(outside) > 0 else outside

    return float(found.x), (end(EXPONENTS[0]), end(EXPONENTS[1]))


def simplest(exponent, interval):
    """One that has a name, where the data allow it; the logarithm first, as it has ratios."""
    for simple, name in SIMPLE:
        if interval[0] <= simple <= interval[1]:
            return Transformation(simple, name)
    return Transformation(exponent, f"Box and Cox, exponent {exponent:.2f}")


@dataclass
class Choice:
    """What was found, and what follows."""

    transformation: Transformation
    model: object
    before: list  # tests
    after: list = None
    exponent: float = None
    interval: tuple = None

    @property
    def reason(self):
        if not self.before:
            return "not transformed: runs of one cell are all the same"
        if least(self.before) >= SIGNIFICANT:
            return f"not transformed: no test of the residuals is below {SIGNIFICANT}"
        if self.exponent is None:
            return "not transformed: some values are not above 0"
        span = f"exponent {self.exponent:.2f}, 95 % interval {self.interval[0]:.2f} to {self.interval[1]:.2f}"
        if self.transformation.name:
            return f"transformed: {self.transformation.name} ({span})"
        return f"not transformed: it would not help ({span})"


def choose(plain, values, fit_of):
    """`plain`: the model of the values as they are; `fit_of` makes one of others."""
    if not plain.has_residue:
        return Choice(Transformation(), plain, [])
    before = residual_tests(plain)
    if least(before) >= SIGNIFICANT or min(values) <= 0:
        return Choice(Transformation(), plain, before)
    exponent, interval = exponent_of(values, fit_of)
    transformation = simplest(exponent, interval)
    other = fit_of(transformation.of(values))
    after = residual_tests(other)
    if not transformation.name or least(after) <= least(before):
        return Choice(Transformation(), plain, before, after, exponent, interval)
    return Choice(transformation, other, before, after, exponent, interval)
