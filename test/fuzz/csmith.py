# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of csmith (Yang et al., PLDI 2011), made fit for placing their arrays.

csmith writes no OpenMP, and gives every array an initialiser.  So pragmas say where the arrays belong, and half of
the initialisers become assignments at the start of main(), which is what leaves the heap form a choice.
"""

import random
import re
import subprocess
import tempfile

OPTIONS = ["--max-funcs", "3", "--max-array-dim", "3", "--max-array-len-per-dim", "9", "--max-block-depth", "3",
           "--no-packed-struct", "--max-pointer-depth", "2"]
POLICIES = ["block", "cyclic", "block-cyclic 1"]
ARRAY = re.compile(r"^static ([\w *]+?)(g_\d+)((?:\[\d+\])+) = (\{.*\});", re.MULTILINE)
MAIN = re.compile(r"^int main \(.*\)\n\{\n", re.MULTILINE)


def generate(seed):
    """The files of a program, name: text; none where csmith fails."""
    with tempfile.TemporaryDirectory() as directory:  # it leaves a file where it runs
        made = subprocess.run(["csmith", "--seed", str(seed), *OPTIONS], cwd=directory, capture_output=True,
                              text=True, timeout=600)
    if made.returncode != 0 or not MAIN.search(made.stdout):
        return None
    rng = random.Random(seed)
    names, late = [], []

    def declare(match):
        element, name, extents, value = match.groups()
        names.append(name)
        if "const" in element or rng.randrange(2):
            return match.group(0)
        late.append(name)
        return (f"static {element}{name}{extents};\n"
                f"static void init_{name}(void) {{ static {element}value{extents} = {value};"
                f" memcpy((void *){name}, (const void *)value, sizeof value); }}")

    text = ARRAY.sub(declare, made.stdout)
    text = MAIN.sub(lambda m: m.group(0) + "".join(f"    init_{name}();\n" for name in late), text)
    pragmas = "".join(f"#pragma mapp place({name}: {rng.choice(POLICIES)})\n" for name in names)
    return {"file0.c": "#include <string.h>\n" + pragmas + text}
