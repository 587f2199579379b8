# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawings of a model, as SVG: its residuals, their quantiles beside the normal distribution's, interactions."""

from html import escape

import numpy
from scipy import stats

WIDTH, HEIGHT, MARGIN = 360, 240, 45
COLOURS = ("#4f81bd", "#c0504d", "#7f9a3f", "#8064a2", "#2f8f9d", "#c07a2c", "#555555")


class Scale:
    """From numbers to places between two others."""

    def __init__(self, values, first, last):
        self.low, self.high = float(min(values)), float(max(values))
        self.first, self.last = first, last

    def __call__(self, value):
        span = self.high - self.low
        part = (float(value) - self.low) / span if span else 0.5
        return self.first + part * (self.last - self.first)


def frame(title, x_name, y_name, x, y, parts):
    """A drawing with its axes; the least and the greatest value stand at their ends."""
    bottom, right = HEIGHT - MARGIN, WIDTH - 15
    return "".join([
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" aria-label="{escape(title)}">',
        f'<text x="{MARGIN}" y="14" font-weight="bold">{escape(title)}</text>',
        f'<path d="M{MARGIN} 22V{bottom}H{right}" fill="none" stroke="#888"/>',
        f'<text x="{MARGIN}" y="{bottom + 15}">{x.low:.4g}</text>' if x else "",
        f'<text x="{right}" y="{bottom + 15}" text-anchor="end">{x.high:.4g}</text>' if x else "",
        f'<text x="{(MARGIN + right) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{escape(x_name)}</text>',
        f'<text x="{MARGIN - 4}" y="{bottom}" text-anchor="end">{y.low:.3g}</text>',
        f'<text x="{MARGIN - 4}" y="32" text-anchor="end">{y.high:.3g}</text>',
        f'<text x="12" y="{HEIGHT / 2}" transform="rotate(-90 12 {HEIGHT / 2})" text-anchor="middle">{escape(y_name)}</text>',
        *parts, "</svg>"])


def scales(x, y):
    return Scale(x, MARGIN + 8, WIDTH - 23), Scale(y, HEIGHT - MARGIN - 8, 30)


def points(x_scale, y_scale, x, y):
    return [f'<circle cx="{x_scale(a):.1f}" cy="{y_scale(b):.1f}" r="2.5" fill="{COLOURS[0]}"/>' for a, b in zip(x, y)]


def line(x_scale, y_scale, ends):
    (a, b), (c, d) = ends
    return (f'<line x1="{x_scale(a):.1f}" y1="{y_scale(b):.1f}" x2="{x_scale(c):.1f}" y2="{y_scale(d):.1f}" '
            'stroke="#888" stroke-dasharray="4 3"/>')


def residual_plot(model):
    fitted, residuals = model.fit.fittedvalues + model.centre, model.fit.resid
    x, y = scales(fitted, residuals)
    parts = [line(x, y, ((x.low, 0), (x.high, 0))), *points(x, y, fitted, residuals)]
    return frame("residuals", "fitted value", "residual", x, y, parts)


def quantile_plot(model):
    (expected, found), (slope, intercept, _) = stats.probplot(numpy.asarray(model.fit.resid))
    x, y = scales(expected, found)
    ends = [(value, min(max(intercept + slope * value, y.low), y.high)) for value in (x.low, x.high)]
    return frame("Q-Q plot", "normal quantile", "residual", x, y, [line(x, y, ends), *points(x, y, expected, found)])


def interaction_plot(model, across, lines):
    """The means of the levels of one factor, a line for each level of another."""
    means = {(a, b): numpy.mean([value for cell, values in model.cells().items() for value in values
                                 if cell[across] == a and cell[lines] == b]) + model.centre
             for a in model.levels[across] for b in model.levels[lines]
             if any(cell[across] == a and cell[lines] == b for cell in model.cells())}
    x, y = scales(range(len(model.levels[across])), list(means.values()))
    parts = [f'<text x="{x(i):.1f}" y="{HEIGHT - MARGIN + 15}" text-anchor="middle">{escape(level)}</text>'
             for i, level in enumerate(model.levels[across])]
    for i, level in enumerate(model.levels[lines]):
        colour = COLOURS[i % len(COLOURS)]
        places = [(x(j), y(means[a, level])) for j, a in enumerate(model.levels[across]) if (a, level) in means]
        path = " ".join(f"{a:.1f},{b:.1f}" for a, b in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts.append(f'<text x="{WIDTH - 15}" y="{36 + 14 * i}" text-anchor="end" fill="{colour}">{escape(level)}</text>')
    return frame("means", model.names[across], "", None, y, parts)


def drawings_of(model):
    """All of them; interactions across the factor with more levels."""
    result = [residual_plot(model), quantile_plot(model)]
    for i, a in enumerate(model.varied):
        for b in model.varied[i + 1:]:
            across, lines = sorted((a, b), key=lambda index: -len(model.levels[index]))
            result.append(interaction_plot(model, across, lines))
    return result
