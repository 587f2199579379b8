# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Four ranks of four threads, of which 0 and 2, and 1 and 3 share; ranks 0 and 2, and 1 and 3 send most."""

import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
for rank in range(4):
    (folder / f"p.{rank}.csv").write_text("0 1 9 1\n1 0 1 9\n9 1 0 1\n1 9 1 0\n")
(folder / "sent.csv").write_text("rank,rank,bytes\n0,2,1000\n1,3,1000\n0,1,10\n")
