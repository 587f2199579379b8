# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the results amount to: a row for each case, and which of the figures aimed at are reached."""

import statistics

KINDS = ("all", "cache")  # accesses: all, and those that miss the model's cache
JUDGED = ("in-place", "in-place-profile", "in-place-sampled", "heap", "mai-run")  # scenarios
NEAR_BEST = {scenario: 1.10 for scenario in JUDGED} | {"mai-run": 1.15}
FAR_FROM_BEST = 1.35
WORSE_THAN_FIRST_TOUCH = 0.01  # of all accesses
FEWER_THAN_FIRST_TOUCH = 2.0
BALANCED = 1.2
ON_ONE_NODE = 0.9
SAME_TIME = 1.01
GAIN_BY_SAMPLES = 0.95  # of the gain by counts
FEW_PAGES = 2  # an array of less than a page may lie on two


def ratio(value, other):
    """None where there is nothing to compare."""
    if not other:
        return None if value else 1.0
    return value / other


def share(accesses):
    total = accesses["local"] + accesses["remote"]
    return accesses["remote"] / total if total else 0.0


def seconds(results):
    times = [result["seconds"] for result in results if result["seconds"] is not None]
    if not times:
        return None
    return {"median": statistics.median(times), "least": min(times), "most": max(times)}


def total_pages(result):
    total = {}
    for pages in result["pages"].values():
        for node, count in pages.items():
            total[node] = total.get(node, 0) + count
    return dict(sorted(total.items()))


def tiny_arrays(result):
    """Those that have no pages of their own: they lie wherever what is beside them does."""
    return [name for name, pages in result["pages"].items() if sum(pages.values()) <= FEW_PAGES]


def row(results):
    """One case, of all its runs; where accesses go is the first run's."""
    first = results[0]
    accesses = {}
    for kind in KINDS:
        counted = first["accesses"].get(kind)
        if not counted:
            continue
        accesses[kind] = {
            **{name: counted[name] for name in ("local", "remote", "unknown", "imbalance")},
            "remote_share": round(share(counted), 6),
            "best_remote": counted["best"]["remote"],
            "best_imbalance": counted["best"]["imbalance"],
            "of_best": ratio(counted["remote"], counted["best"]["remote"]),
            "policy_remote": counted["best_by_policy"]["remote"],
            "of_policy": ratio(counted["remote"], counted["best_by_policy"]["remote"]),
            "elsewhere": counted["elsewhere"],
            "elsewhere_shared": counted["elsewhere_shared"],
        }
    return {
        **first["case"],
        "verified": all(result["verified"] for result in results),
        "problem": next((result["problem"] for result in results if result.get("problem")), None),
        "runs": len(results),
        "seconds": seconds(results),
        "pages_per_node": total_pages(first),
        "tiny": tiny_arrays(first),
        "accesses": accesses,
        "arrays": {kind: first["accesses"][kind]["arrays"]
                   for kind in KINDS if first["accesses"].get(kind)},
        "said": first.get("said", {}),
    }


class Targets:
    """The figures aimed at, each with what came out."""

    def __init__(self, rows, machine):
        self.rows = {(r["program"], r["compiler"], r["scenario"]): r for r in rows}
        self.list = []
        self._verified(rows)
        for row_ in rows:
            if row_["scenario"] in JUDGED and row_["accesses"] and machine.nodes > 1:
                self._placement(row_)
        if machine.nodes > 1:
            for scenario in JUDGED:
                self._whole_study(scenario, [r for r in rows if r["scenario"] == scenario])
            for row_ in rows:
                if row_["scenario"] == "in-place-sampled":
                    self._beside_counts(row_)
        if machine.nodes == 1 and not machine.is_emulated:
            self._time(rows)

    def _add(self, met, text):
        self.list.append({"met": met, "text": text})

    def _verified(self, rows):
        wrong = [r for r in rows if not r["verified"]]
        names = ", ".join(f"{name_of(r)} {r['scenario']}" for r in wrong)
        self._add(not wrong, f"verified: {len(rows) - len(wrong)} of {len(rows)} cases"
                  + (f"; not {names}" if wrong else ""))

    def _placement(self, mine):
        name = f"{name_of(mine)} {mine['scenario']}"
        near_best = NEAR_BEST[mine["scenario"]]
        linux = self.rows.get((mine["program"], mine["compiler"], "first-touch"))
        for kind in KINDS:
            counted = mine["accesses"].get(kind)
            if not counted:
                continue
            if sum(mine["pages_per_node"].values()) <= FEW_PAGES:
                self._add(True, f"{name}, {kind}: {whole(mine, kind)} accesses to arrays, which are no "
                          "larger than a page: nothing to place")
                continue
            if counted["of_best"] is not None and counted["best_remote"]:
                self._add(counted["of_best"] <= near_best, f"{name}, {kind}: remote accesses "
                          f"{counted['of_best']:.2f} x the best placement's (at most {near_best})")
            if linux and linux["accesses"].get(kind):
                self._beside_linux(name, kind, mine, linux)

    def _whole_study(self, scenario, rows):
        """Over all programs: the mean distance from the best, and those that are far from it or worse than
        before."""
        ratios = {name_of(r): r["accesses"]["all"]["of_best"] for r in rows if r["accesses"].get("all")}
        ratios = {name: value for name, value in ratios.items() if value}
        if len(ratios) < 2:
            return
        mean, near_best = statistics.geometric_mean(ratios.values()), NEAR_BEST[scenario]
        self._add(mean <= near_best, f"{scenario}: remote accesses {mean:.2f} x the best placement's, "
                  f"geometric mean of {len(ratios)} (at most {near_best})")
        far = [f"{name} {value:.2f}" for name, value in ratios.items() if value > FAR_FROM_BEST]
        self._add(not far, f"{scenario}: at most {FAR_FROM_BEST} x in each"
                  + (f"; not {', '.join(far)}" if far else ""))
        worse = [name_of(r) for r in rows if self._is_worse_than_linux(r)]
        self._add(not worse, f"{scenario}: none worse than first touch by more than "
                  f"{WORSE_THAN_FIRST_TOUCH:.0%} of accesses" + (f"; but {', '.join(worse)}" if worse else ""))

    def _is_worse_than_linux(self, mine):
        linux = self.rows.get((mine["program"], mine["compiler"], "first-touch"))
        pair = [each["accesses"].get("all") for each in (mine, linux) if each]
        return len(pair) == 2 and all(pair) and share(pair[0]) > share(pair[1]) + WORSE_THAN_FIRST_TOUCH

    def _beside_linux(self, name, kind, mine, linux):
        now, before = mine["accesses"][kind], linux["accesses"][kind]
        self._add(now["remote"] <= before["remote"], f"{name}, {kind}: remote accesses "
                  f"{now['remote']} and first touch's {before['remote']} (not more)")
        lone = arrays_on_one_node(linux, kind)
        if not lone:
            return
        were = sum(linux["arrays"][kind][array]["remote"] for array in lone)
        are = sum(mine["arrays"][kind].get(array, {}).get("remote", 0) for array in lone)
        fewer = ratio(were, are)
        self._add(fewer is None or fewer >= FEWER_THAN_FIRST_TOUCH,
                  f"{name}, {kind}: {', '.join(lone)}, on one node by first touch, "
                  f"{'no' if fewer is None else f'{fewer:.2f} x fewer'} remote accesses "
                  f"(at least {FEWER_THAN_FIRST_TOUCH} x)")
        if now["imbalance"] is not None:
            self._add(now["imbalance"] <= BALANCED, f"{name}, {kind}: imbalance of nodes "
                      f"{now['imbalance']:.2f}, first touch's {before['imbalance']:.2f} "
                      f"(at most {BALANCED})")

    def _beside_counts(self, sampled):
        """What samples are good for, of what counts of all accesses are."""
        remote = {}
        for scenario in ("first-touch", "in-place-profile", "in-place-sampled"):
            row_ = self.rows.get((sampled["program"], sampled["compiler"], scenario))
            if not row_ or not row_["accesses"]:
                return
            remote[scenario] = row_["accesses"]["all"]["remote"]
        gains = [remote["first-touch"] - remote[scenario] for scenario in ("in-place-sampled", "in-place-profile")]
        if gains[1] > 0:
            self._add(gains[0] >= GAIN_BY_SAMPLES * gains[1], f"{name_of(sampled)}: with samples MApp saves "
                      f"{gains[0] / gains[1]:.3f} of the remote accesses that it saves with counts (at least {GAIN_BY_SAMPLES})")

    def _time(self, rows):
        """On a machine with one node, rewriting should cost nothing."""
        ratios = []
        for row_ in rows:
            original = self.rows.get((row_["program"], row_["compiler"], "first-touch"))
            if row_["scenario"] == "in-place" and original and row_["seconds"] and original["seconds"]:
                pair = row_["seconds"]["median"], original["seconds"]["median"]
                ratios += [pair[0] / pair[1]] if min(pair) > 0 else []
        if ratios:
            mean = statistics.geometric_mean(ratios)
            self._add(mean <= SAME_TIME, f"time on one node, in place / original: {mean:.3f}, geometric "
                      f"mean of {len(ratios)} (at most {SAME_TIME})")


def name_of(row_):
    return f"{row_['program']} {row_['compiler']}"


def arrays_on_one_node(row_, kind):
    """Arrays that several nodes use, and that lie on one: those that one thread has initialised."""
    result = []
    for name, array in row_["arrays"][kind].items():
        if name in row_["tiny"]:
            continue
        served = array["served"].values()
        total = sum(served)
        if len(served) > 1 and total and max(served) >= ON_ONE_NODE * total \
                and array["remote"] > total / 2 and total > 0.01 * whole(row_, kind):
            result.append(name)
    return result


def whole(row_, kind):
    accesses = row_["accesses"][kind]
    return accesses["local"] + accesses["remote"]
