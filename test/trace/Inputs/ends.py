"""Runs a program and its traced version in many ways: they are to print the same and to end with the same status,
and the traced one is to leave a profile with the array and the signal.

  ends.py PLAIN TRACED WAY..."""

import os
import subprocess
import sys

plain, traced, *ways = sys.argv[1:]
profile = traced + ".maiprof"


def run(program, way, environment):
    result = subprocess.run([program, way], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    return result.returncode, result.stdout


def show(*arguments):
    return subprocess.run(["mai-trace", "info", *arguments, profile], capture_output=True, text=True, check=True).stdout


for way in ways:
    if os.path.exists(profile):
        os.remove(profile)
    expected = run(plain, way, os.environ)
    found = run(traced, way, {**os.environ, "MAI_TRACE_FILE": profile})
    if found != expected:
        sys.exit(f"{way}: {expected}, but traced {found}")
    if not os.path.exists(profile):
        sys.exit(f"{way}: status {found[0]}, no profile")
    if 'array",static,8192,' not in show("--csv"):
        sys.exit(f"{way}: {show('--csv')}")
    status = found[0]
    if status < 0 and f"ended by signal {-status}\n" not in show():
        sys.exit(f"{way}: {show()}")
    print(way, status)
