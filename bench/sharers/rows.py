# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What profiles of runs say, in numbers, and which of the figures aimed at they reach."""

from evaluation.common import EvaluationError

from .programs import FIRST_TOUCH, HOME, INTERLEAVED, ONE_NODE

SOURCES = ("local_cache", "remote_cache", "local_memory", "remote_memory")
MOST_LOADED = 1.2  # times the even part: 30 % of 4 nodes
OWN, SAME_SHARE = 0.95, 0.10
IRREGULAR, REGULAR = 0.3, 0.8


def own_share(program, profile):
    """Of the accesses to what is shared those from its own node; None where nobody accesses it."""
    shared = [array["where"] for array in profile["arrays"] if array["name"].startswith(program.shared)]
    local, remote = (sum(where[side] for where in shared) for side in ("local", "remote"))
    return local / (local + remote) if local + remote else None


def pages_of(profile):
    """Pages that threads of one node use and of several, and accesses to each; stacks and images apart."""
    kinds = {"stack": "stacks", "static": "images"}
    found = {}
    for array in profile["arrays"]:
        mine = found.setdefault(kinds.get(array["kind"], "other memory"), [0, 0, 0, 0])
        accesses = array["reads"] + array["writes"]
        for i, number in enumerate((sum(array["exclusive_pages_by_node"]), sum(array["shared_pages_by_node"]),
                                    accesses - array["accesses_to_shared_pages"], array["accesses_to_shared_pages"])):
            mine[i] += number
    return {kind: dict(zip(("exclusive", "shared", "to_exclusive", "to_shared"), numbers)) for kind, numbers in found.items()}


def row(program, way, profile):
    counts = profile["model"]["all"]
    served = [sum(nodes) for nodes in zip(*(array["accesses_by_node"] for array in profile["arrays"]))]
    remote = counts["remote_cache"] + counts["remote_memory"]
    return {"program": program.name, "way": way.name} | {source: counts[source] for source in SOURCES} | {
        "remote": remote, "remote_share": remote / max(1, remote + counts["local_memory"]),
        "own_share": own_share(program, profile), "most_loaded": max(served) / max(1, sum(served)),
        "regular": counts["predicted"] / max(1, counts["misses"]), "pages": pages_of(profile)}


def figures(program, rows, nodes):
    """(what is aimed at, what was found, whether that is enough)."""
    by_way = {each["way"]: each for each in rows}
    first, interleaved, home = (by_way[name] for name in (FIRST_TOUCH, INTERLEAVED, HOME))
    part = home["remote"] / max(1, first["remote"])
    share = interleaved["remote_share"] / max(1e-9, first["remote_share"]) - 1
    most_loaded = MOST_LOADED / nodes
    found = [(f"transformed: lines from other nodes at most {program.remote} of the original's", part, part <= program.remote),
             ("interleaved: remote share within 10 % of the original's", share, abs(share) <= SAME_SHARE),
             (f"interleaved: the most loaded node serves at most {100 * most_loaded:.0f} %", interleaved["most_loaded"],
              interleaved["most_loaded"] <= most_loaded)]
    if program.is_openmp:
        return found + [("original: regular at most 0.3", first["regular"], first["regular"] <= IRREGULAR),
                        ("transformed: regular at least 0.8", home["regular"], home["regular"] >= REGULAR)]
    own = home["own_share"]
    if own is None:
        raise EvaluationError(f"{program.name}: what is shared has other names in the profile than {', '.join(program.shared)}")
    return found + [("transformed: of what is shared at least 0.95 from its own node", own, own >= OWN)]


def table(rows):
    """As text."""
    first = next(each for each in rows if each["way"] == FIRST_TOUCH)
    lines = [f"{rows[0]['program'] + ':':26} {'loc. cache':>11} {'rem. cache':>10} {'loc. memory':>11} {'rem. memory':>11} {'of first':>8} "
             f"{'rem. share':>10} {'own of shared':>13} {'most loaded':>11} {'regular':>8}"]
    for each in rows:
        own = "-" if each["own_share"] is None or each["way"] == ONE_NODE else f"{each['own_share']:.3f}"
        lines.append(f"{each['way']:26} {each['local_cache']:11} {each['remote_cache']:10} {each['local_memory']:11} {each['remote_memory']:11} "
                     f"{each['remote'] / max(1, first['remote']):8.3f} {each['remote_share']:10.3f} {own:>13} "
                     f"{each['most_loaded']:11.3f} {each['regular']:8.3f}")
    return "\n".join(lines)
