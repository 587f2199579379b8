"""Bind this process to each of its CPUs in turn, at most eight, and compare what numarch says."""

import json
import os
import subprocess
import sys


def cpus(*options):
    output = subprocess.run([sys.argv[1], "--json", *options], check=True, stdout=subprocess.PIPE)
    found = json.loads(output.stdout)["cpus"]
    return {cpu["os_index"] for cpu in found}, {cpu["os_index"] for cpu in found if cpu["allowed"]}


bound = os.sched_getaffinity(0)
whole, allowed = cpus()
assert allowed == bound <= whole, (allowed, bound, whole)
assert cpus("--allowed") == (bound, bound), (cpus("--allowed"), bound)
for cpu in sorted(bound)[:8]:
    os.sched_setaffinity(0, {cpu})
    assert cpus("--allowed") == ({cpu}, {cpu}), (cpus("--allowed"), cpu)
    assert cpus() == (whole, {cpu}), (cpus(), cpu)
