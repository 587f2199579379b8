# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured of a run, for the analysis of an experiment: a number, or None where it is not known."""


def counted(result):
    return result["accesses"].get("all") if result["verified"] and not result["problem"] else None


def remote_accesses(result):
    return counted(result) and counted(result)["remote"]


def remote_share(result):
    """In percent."""
    accesses = counted(result)
    total = accesses and accesses["local"] + accesses["remote"]
    return 100 * accesses["remote"] / total if total else None


def imbalance(result):
    return counted(result) and counted(result)["imbalance"]


def seconds(result):
    return result["seconds"] if result["verified"] else None


def own_count(result):
    return result.get("own_count") if result["verified"] else None


def tasks_at_home(result):
    """In percent."""
    tasks = result.get("tasks") if result["verified"] else None
    total = tasks and sum(tasks.values())
    return 100 * tasks["at_home"] / total if total else None


def load(result):
    """The accesses in tasks of the thread that makes most, as a multiple of the mean."""
    work = result.get("work") if counted(result) else None
    total = sum(count or 0 for count in work) if work else 0
    return max(work) * len(result["threads"]) / total if total else None


METRICS = {
    "remote-accesses": remote_accesses,
    "remote-share": remote_share,
    "imbalance": imbalance,
    "seconds": seconds,
    "own-count": own_count,
    "tasks-at-home": tasks_at_home,
    "load": load,
}
