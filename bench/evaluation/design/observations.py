# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The raw data of a designed experiment: a line a run, with the levels of all factors and what was measured.

The file is CSV.  Columns are called block, order, factor:NAME and metric:NAME; a metric that a run does not have is
empty.  Numbers are kept as they are written: those that agree in many leading digits would lose the others.
"""

import csv
import io
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path

from ..common import EvaluationError

BLOCK, ORDER, FACTOR, METRIC = "block", "order", "factor:", "metric:"


@dataclass
class Observation:
    levels: tuple  # of each factor
    values: dict  # {metric: Decimal}, of those that it has
    block: str = ""
    order: str = ""  # when it was run


@dataclass
class Observations:
    factors: list
    metrics: list
    rows: list = field(default_factory=list)

    def of(self, metric):
        return [row for row in self.rows if metric in row.values]


def text_of(observations):
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([BLOCK, ORDER, *(FACTOR + name for name in observations.factors),
                     *(METRIC + name for name in observations.metrics)])
    for row in observations.rows:
        writer.writerow([row.block, row.order, *row.levels,
                         *(row.values.get(name, "") for name in observations.metrics)])
    return text.getvalue()


def number(text, refuse):
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = None
    if value is None or not value.is_finite():
        refuse(f"a number, found '{text}'")
    return value


def names_with(prefix, header):
    return [column[len(prefix):] for column in header if column.startswith(prefix)]


def read_header(header, refuse):
    known = [column for column in header if column in (BLOCK, ORDER) or column.startswith((FACTOR, METRIC))]
    if not header or known != header:
        found = next((column for column in header if column not in known), "nothing")
        refuse(f"the columns {BLOCK}, {ORDER}, {FACTOR}NAME and {METRIC}NAME, found '{found}'")
    if len(set(header)) < len(header):
        refuse(f"columns of different names, found {', '.join(header)}")
    result = Observations(names_with(FACTOR, header), names_with(METRIC, header))
    if not result.factors or not result.metrics:
        refuse(f"a column {FACTOR}NAME and a column {METRIC}NAME, found {', '.join(header)}")
    return result


def read_row(header, words, refuse):
    if len(words) != len(header):
        refuse(f"{len(header)} columns, found {len(words)}")
    cells = dict(zip(header, words))
    levels = tuple(cells[column] for column in header if column.startswith(FACTOR))
    if "" in levels:
        refuse("a level of each factor, found nothing")
    values = {column[len(METRIC):]: number(cells[column], refuse)
              for column in header if column.startswith(METRIC) and cells[column]}
    return Observation(levels, values, cells.get(BLOCK, ""), cells.get(ORDER, ""))


def read_observations(path):
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise EvaluationError(f"{path}: expected UTF-8, found other bytes at offset {error.start}") from error
    reader = csv.reader(io.StringIO(text))

    def refuse(what):
        raise EvaluationError(f"{path}:{max(reader.line_num, 1)}: expected {what}")

    try:
        header = next(reader, [])
        result = read_header(header, refuse)
        result.rows = [read_row(header, words, refuse) for words in reader if words]
    except csv.Error as error:
        refuse(f"CSV, found {error}")
    if not result.rows:
        refuse("runs, found none")
    return result
