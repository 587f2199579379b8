# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A linear model of one metric by all factors, their interactions and blocks: by statsmodels."""

import itertools
import re
import warnings
from dataclasses import dataclass

import numpy
import pandas
from patsy import build_design_matrices
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

LEVELS_OF_CONFIDENCE = (0.90, 0.95)
BLOCKS = "blocks"


@dataclass
class Term:
    """A line of the ANOVA table."""

    name: str
    df: int
    squares: float
    share: float  # of the total sum of squares
    mean_square: float
    f: float = None
    p: float = None


@dataclass
class Estimate:
    """A linear function of the cells' means."""

    name: str
    value: float
    intervals: list  # (low, high) of each level of confidence
    p: float


def levels_of(rows, index):
    """Of one factor, in the order of the data."""
    return list(dict.fromkeys(row.levels[index] for row in rows))


def column(index):
    return f"C(f{index}, Sum)"


class Model:
    """Of values, one a row.  `centre` was taken off each of them."""

    def __init__(self, factors, rows, values, centre=0.0):
        self.names = factors
        self.rows = rows
        self.values = numpy.asarray(values, dtype=float)
        self.centre = centre
        self.levels = {index: levels_of(rows, index) for index in range(len(factors))}
        self.varied = [index for index, levels in self.levels.items() if len(levels) > 1]
        self.blocks = list(dict.fromkeys(row.block for row in rows))
        self.fit = self._fit()

    #===-- Fitting -----------------------------------------------------------------===

    def _frame(self):
        frame = {f"f{index}": [row.levels[index] for row in self.rows] for index in self.varied}
        return pandas.DataFrame({**frame, "b": [row.block for row in self.rows], "y": self.values})

    def _formula(self, order):
        """With all interactions of at most so many factors."""
        terms = [":".join(map(column, group)) for size in range(1, order + 1)
                 for group in itertools.combinations(self.varied, size)]
        return "y ~ " + " + ".join([*(["C(b, Sum)"] if len(self.blocks) > 1 else []), *terms, "1"])

    def _fit(self):
        """As many interactions as the data can tell apart."""
        frame = self._frame()
        for order in range(len(self.varied), 0, -1):
            fit = ols(self._formula(order), frame).fit()
            if fit.df_resid > 0 and fit.df_model + 1 == fit.model.exog.shape[1]:
                return fit
        return None

    @property
    def has_residue(self):
        """Whether there is anything to judge differences by: runs of one cell are not all the same."""
        return self.fit is not None and self.fit.ssr > 1e-24 * max(1.0, float(self.values @ self.values))

    @property
    def mean(self):
        return self.centre + float(self.values.mean())

    def cells(self):
        """{levels: values} of the runs that are alike but for their block."""
        result = {}
        for row, value in zip(self.rows, self.values):
            result.setdefault(row.levels, []).append(value)
        return result

    #===-- Variation ---------------------------------------------------------------===

    def _term_name(self, term):
        if term == "C(b, Sum)":
            return BLOCKS
        return re.sub(r"C\(f(\d+), Sum\)", lambda found: self.names[int(found[1])], term).replace(":", " x ")

    def anova(self):
        """Sums of squares of type II: of each term, beside all that do not contain it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            table = anova_lm(self.fit, typ=2)
        total = float(((self.values - self.values.mean()) ** 2).sum())
        return [self._term(name, line, total) for name, line in table.iterrows()]

    def _term(self, name, line, total):
        df, squares = int(line["df"]), float(line["sum_sq"])
        share = squares / total if total else 0.0
        if name == "Residual":
            return Term("residuals", df, squares, share, squares / df)
        return Term(self._term_name(name), df, squares, share, squares / df, float(line["F"]), float(line["PR(>F)"]))

    #===-- Effects and contrasts ---------------------------------------------------===

    def _weights(self, chosen):
        """Of the parameters, in the mean of all cells with these levels: {factor: level}."""
        grid = [{index: level for index, level in zip(self.varied, cell)}
                for cell in itertools.product(*(self.levels[index] for index in self.varied))]
        grid = [cell for cell in grid if all(cell[index] == level for index, level in chosen.items())]
        frame = [{**{f"f{index}": level for index, level in cell.items()}, "b": block}
                 for cell in grid for block in self.blocks]
        matrix, = build_design_matrices([self.fit.model.data.design_info], pandas.DataFrame(frame))
        return numpy.asarray(matrix).mean(axis=0)

    def _estimate(self, name, weights):
        test = self.fit.t_test(weights)
        intervals = [tuple(map(float, test.conf_int(alpha=1 - level)[0])) for level in LEVELS_OF_CONFIDENCE]
        return Estimate(name, float(test.effect[0]), intervals, float(test.pvalue))

    def effects(self, index):
        """How far the mean of each level of a factor is from the mean of all."""
        everywhere = self._weights({})
        return [self._estimate(level, self._weights({index: level}) - everywhere) for level in self.levels[index]]

    def contrasts(self, index):
        """The differences of a factor's levels: of all, and where another factor has one level."""
        places = [("", {})]
        places += [(f", {level}", {other: level}) for other in self.varied if other != index
                   for level in self.levels[other]]
        return [self._estimate(f"{b} - {a}{name}",
                               self._weights({**where, index: b}) - self._weights({**where, index: a}))
                for a, b in itertools.combinations(self.levels[index], 2) for name, where in places]
