"""Builds a program as it is and for tracing, runs both and says whether they do the same.

  same.py OUT LEVELS COMPILER ARGUMENT...      LEVELS: such as O0,O2

The traced one has to print the same, to end with the same status, and to leave a profile. Files begin
with OUT."""

import os
import subprocess
import sys

TOOLS = {"gfortran": ("maifort", "MAICC_FC"), "g++": ("maic++", "MAICC_CXX"), "clang++": ("maic++", "MAICC_CXX")}
out, levels, compiler, *arguments = sys.argv[1:]


def tool():
    for name, wrapper in TOOLS.items():
        if name in os.path.basename(compiler):
            return wrapper
    return "maicc", "MAICC_CC"


def build(command, program, environment):
    result = subprocess.run([*command, "-o", program], env=environment, capture_output=True, text=True)
    if result.returncode != 0 or "Warning" in result.stderr:
        sys.exit(f"{' '.join(command)}: {result.stderr}")


def run(program, environment):
    result = subprocess.run([program], env=environment, capture_output=True, timeout=60)
    return result.returncode, result.stdout


wrapper, variable = tool()
for level in levels.split(","):
    options = ["-w", "-" + level, *arguments]
    profile = out + ".maiprof"
    if os.path.exists(profile):
        os.remove(profile)
    build([compiler, *options], out + ".plain", os.environ)
    build([wrapper, "--trace", *options], out + ".traced", {**os.environ, variable: compiler})
    plain = run(out + ".plain", os.environ)
    traced = run(out + ".traced", {**os.environ, "MAI_TRACE_FILE": profile})
    if plain != traced:
        sys.exit(f"{compiler} {' '.join(options)}: {plain}, but traced {traced}")
    if not os.path.exists(profile):
        sys.exit(f"{compiler} {' '.join(options)}: no profile")
