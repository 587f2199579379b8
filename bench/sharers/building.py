# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs, traced and as they are, and their inputs."""

from dataclasses import dataclass
from pathlib import Path

from evaluation.common import SOURCE, call


@dataclass
class Built:
    program: Path
    input: Path | None


class Builder:
    def __init__(self, options):
        self.options = options
        self.folder = options.out / "work"
        self.folder.mkdir(parents=True, exist_ok=True)

    def _libraries(self, program):
        if program.is_openmp:
            return ["-fopenmp", "-lm"]
        paths = [word for folder in ("mai", "numarch") for word in (f"-L{self.options.bin.parent / folder}",
                                                                    f"-Wl,-rpath,{self.options.bin.parent / folder}")]
        return ["-pthread", f"-I{SOURCE / 'include'}", *paths, "-lmai", "-lz"]

    def _compile(self, compiler, program, name):
        output = self.folder / name
        call([str(word) for word in (*compiler, "-O2", "-g", program.source, "-o", output, *self._libraries(program))])
        return output

    def _input(self, program, plain, arguments, name):
        """What the program makes by itself, as a file."""
        if not arguments:
            return None
        packed, made = self.folder / f"{name}.packed", self.folder / f"{name}.input"
        call([str(plain), arguments, f"--output={packed}"])
        call([str(plain), f"--unpack={packed}", f"--output={made}"])
        packed.unlink()
        return made

    def plain(self, program, is_real):
        built = self._compile(["gcc"], program, program.name)
        arguments = program.real_input if is_real else program.input
        return Built(built, self._input(program, built, arguments, program.name + (".real" if is_real else "")))

    def traced(self, program):
        plain = self.plain(program, False)
        return Built(self._compile([self.options.bin / "maicc", "--trace"], program, f"{program.name}.traced"), plain.input)
