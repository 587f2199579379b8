"""Breaks what dedup has packed in many ways, and has it unpacked: broken.py DEDUP PACKED."""

import subprocess
import sys

dedup, name = sys.argv[1:]
REFUSED = 2


def unpack(content):
    with open(name, "wb") as file:
        file.write(content)
    done = subprocess.run([dedup, f"--unpack={name}"], capture_output=True, text=True)
    return done.returncode, done.stderr.strip().rpartition(": ")[2]


def tell_others(what, contents):
    others = [status for status in (unpack(content)[0] for content in contents) if status != REFUSED]
    print(f"{what}: {others or 'all refused'}")


subprocess.run([dedup, "--bytes=40000", f"--output={name}"], check=True, capture_output=True)
with open(name, "rb") as file:
    packed = file.read()
print("packed by something else:", unpack(b"PK" + packed[2:])[1])
print("a byte too many:", unpack(packed + b"x")[1])
step = len(packed) // 25
tell_others("cut off", [packed[:at] for at in [*range(0, 40, 8), *range(40, len(packed), step), len(packed) - 1]])
places = [*range(0, 40, 3), *range(40, len(packed), step), *range(len(packed) - 8, len(packed))]
tell_others("changed", [packed[:at] + bytes([packed[at] ^ 0x41]) + packed[at + 1:] for at in places])
