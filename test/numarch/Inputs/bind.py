"""Bind this process to each of its CPUs in turn, at most eight, and compare what numarch says."""

import json
import os
import subprocess
import sys


def cpus(*options):
    output = subprocess.run([sys.argv[1], "--json", *options], check=True, stdout=subprocess.PIPE)
    return {cpu["os_index"] for cpu in json.loads(output.stdout)["cpus"]}


allowed = os.sched_getaffinity(0)
whole = cpus("--whole")
assert cpus() == allowed, (cpus(), allowed)
assert allowed <= whole, (allowed, whole)
for cpu in sorted(allowed)[:8]:
    os.sched_setaffinity(0, {cpu})
    assert cpus() == {cpu}, (cpus(), cpu)
    assert cpus("--whole") == whole
