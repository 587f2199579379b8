# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs in virtual machines: traced, with a model of the caches."""

import json
import shutil
from pathlib import Path

from evaluation.common import SOURCE, EvaluationError, call, digest

from .programs import FOLDER

MARK = "@@@"
WAYS_OF_CACHE = 8


class VirtualMachine:
    """Of nodes x CPUs."""

    is_real = False

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.nodes, self.cpus_of_node = map(int, name.split("x"))

    def threads(self, way):
        return self.cpus_of_node * (1 if way.is_on_one_node else self.nodes)

    def key(self, program, way, built):
        """What a run depends on."""
        return digest([self.name, self.options.cache, self._memory(way), self._command(program, way, built)],
                      [built.program, *([built.input] if built.input else [])])

    def _command(self, program, way, built):
        """What runs, and its arguments."""
        arguments = [program.sizes_for(self.nodes * self.cpus_of_node), way.arguments(program)]
        if not program.is_openmp:
            arguments.append(f"--threads={self.threads(way)}")
        if built.input:
            arguments.append(f"--input={built.input}")
        return " ".join([str(built.program), *arguments])

    @staticmethod
    def _memory(way):
        if way.is_on_one_node:
            return "numactl --cpunodebind=0 --membind=0"
        return "numactl --interleave=all" if way.interleaves else ""

    def _script(self, program, way, built):
        trace = self.options.bin / "mai-trace"
        return (f"{self._memory(way)} {trace} -q --block 64 --model --model-cache {self.options.cache} --model-ways {WAYS_OF_CACHE} "
                f"-o /tmp/p.maiprof {self._command(program, way, built)} >/tmp/out; tail -n 1 /tmp/out; echo {MARK}; "
                f"{trace} info --stack --json /tmp/p.maiprof; echo {MARK}")

    def _environment(self, program, way):
        if not program.is_openmp:
            return []
        threads = self.threads(way)
        return ["--env", f"OMP_NUM_THREADS={threads}", "--env", f"GOMP_CPU_AFFINITY=0-{threads - 1}", "--env", "OMP_WAIT_POLICY=passive"]

    def run(self, program, way, built):
        """The summary of its profile."""
        numactl = shutil.which("numactl")
        files = [self.options.bin / "mai-trace", built.program, numactl, *FOLDER.glob("*.[ch]"), *([built.input] if built.input else [])]
        output = call([str(word) for word in (
            SOURCE / "test/guest/run", "--topology", self.name, "--timeout", self.options.timeout, "--balancing", "off",
            *(word for file in files for word in ("--file", file)), *self._environment(program, way),
            "--env", f"PATH={Path(numactl).parent}:/bin", "--", "/bin/busybox", "sh", "-c", self._script(program, way, built))])
        said, *rest = output.split(MARK)
        if len(rest) != 2 or "VERIFICATION SUCCESSFUL" not in said:
            raise EvaluationError(f"{program.name}, {way.name}, has not verified:\n{output[-2000:]}")
        return json.loads(rest[0])
