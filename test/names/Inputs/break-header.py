"""Usage: break-header.py PROGRAM OFFSET BYTES BROKEN: makes a copy of a program in which all bits of some bytes are set."""

import os
import sys

program, offset, count, broken = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
with open(program, "rb") as file:
    content = bytearray(file.read())
content[offset : offset + count] = b"\xff" * count
with open(broken, "wb") as file:
    file.write(content)
os.chmod(broken, 0o755)
