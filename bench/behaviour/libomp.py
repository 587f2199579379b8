# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libomp's own tests, run by lit, which is told of another compiler or another way to run a program."""

import json
import os
import shlex
import shutil
import subprocess
from pathlib import Path

from .running import BehaviourError, environment_of_user
from .ways import WAYS, Way

LLVM = Path("/usr/lib/llvm-19")
LIT = LLVM / "build/utils/lit/lit.py"
SECONDS_OF_A_TEST = 300
SECONDS_OF_ALL = 7200

SITE = """\
config.test_c_compiler = {compiler!r}
config.test_cxx_compiler = {compiler_cxx!r}
config.test_compiler_features = ["clang", "clang-19", "clang-19.1"]
config.test_compiler_has_omp_h = True
config.test_filecheck = "{llvm}/bin/FileCheck"
config.test_not = "{llvm}/bin/not"
config.test_openmp_flags = "-fopenmp=libomp {level}"
config.test_extra_flags = {flags!r}
config.libomp_obj_root = {objects!r}
config.library_dir = "{llvm}/lib"
config.omp_header_directory = "{llvm}/lib/clang/19/include"
config.operating_system = "Linux"
config.hwloc_library_dir = ""
config.using_hwloc = False
config.has_ompt = True
config.has_ompx_taskgraph = False
config.has_libm = True
config.has_libatomic = False
config.is_standalone_build = True
config.has_omit_frame_pointer_flag = True
config.target_arch = "x86_64"
config.environment.update({environment!r})
lit_config.load_config(config, {main!r})
config.substitutions = [(name, text.replace("%t", {prefix!r} + "%t") if name == "%libomp-run" else text)
                        for name, text in config.substitutions]
"""


def compilers(build, way):
    if way.wrapper is None:
        return f"{LLVM}/bin/clang", f"{LLVM}/bin/clang++"
    options = " ".join(("", *way.wrapper))
    return f"{build}/bin/maicc{options}", f"{build}/bin/maic++{options}"


def flags(build, way):
    if not way.linked:
        return "-w"
    folders = " ".join(f"-L{build / name} -Wl,-rpath,{build / name}" for name in ("mai", "numarch"))
    return f"-w {folders} -Wl,--no-as-needed -lmai"


def prefix(build, way):
    """What stands in front of a program that is run; lit's own limit for a test needs psutil."""
    limit = ["timeout", "-k", "5", str(SECONDS_OF_A_TEST)]
    return shlex.join(limit + ([str(build / "bin/mai-run"), *way.prefix] if way.prefix else [])) + " "


def write_site(build, tests, folder, way, level):
    """lit's configuration for a way."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compiler, compiler_cxx = compilers(build, way)
    environment = {
        "MAICC_CC": f"{LLVM}/bin/clang",
        "MAICC_CXX": f"{LLVM}/bin/clang++",
        "MAI_TRACE_FILE": str(folder / "traced.maiprof"),
        "LC_ALL": "C",
        **way.environment,
    }
    text = SITE.format(
        compiler=compiler,
        compiler_cxx=compiler_cxx,
        llvm=LLVM,
        level=level,
        flags=flags(build, way),
        objects=str(folder),
        environment=environment,
        main=str(tests / "lit.cfg"),
        prefix=prefix(build, way),
    )
    (folder / "lit.site.cfg").write_text(text)


def run_lit(folder, jobs, selection):
    """@return {test: code}"""
    output = folder / "results.json"
    command = ["python3", LIT, "-v", f"-j{jobs}", f"--max-time={SECONDS_OF_ALL}", "--output", output, *selection, folder]
    with (folder / "log").open("wb") as log:
        subprocess.run(
            [str(word) for word in command], stdout=log, stderr=log, env=environment_of_user({}), cwd=folder, check=False
        )
    if not output.exists():
        raise BehaviourError(f"lit could not run libomp's tests: see {folder / 'log'}")
    found = json.loads(output.read_text())["tests"]
    return {test["name"].split(" :: ")[-1]: test["code"] for test in found}


def selection_of(only):
    return [f"--filter={only}"] if only else []


def try_level(build, tests, work, level, names, jobs, only):
    """The results of all tests at a level, as {test: {way: (kind, sentence)}}."""
    found = {}
    for name in (None, *names):
        folder = work / f"libomp{level}-{name or 'plain'}"
        write_site(build, tests, folder, WAYS[name] if name else Way(), level)
        found[name] = run_lit(folder, jobs, selection_of(only))
    return {test: judge(test, found, names) for test in found[None]}


def judge(test, found, names):
    plain = found[None][test]
    if plain not in ("PASS", "XFAIL"):
        return {name: ("uncounted", f"plainly: {plain}") for name in names}
    codes = {name: found[name].get(test, "not run") for name in names}
    return {
        name: ("same", "") if code == plain else ("status", f"expected {plain}, found {code}")
        for name, code in codes.items()
    }


def check_tools():
    if not os.access(LIT, os.R_OK):
        raise BehaviourError(f"{LIT}: expected lit; install Debian's package llvm-19-tools")
