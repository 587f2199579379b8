"""Write the file of what was measured on the machine of the environment, as a test wants it.

    cache.py [CHANGE]

The file is where `numarch --json` says.  Without a change it has, of nodes i and j, the latency
100 + 50 |i - j| ns and the bandwidths 10000 / (1 + |i - j|) MiB/s, those of one CPU a tenth.
"""

import json
import os
import pathlib
import subprocess
import sys

machine = json.loads(subprocess.run(["numarch", "--json"], check=True, capture_output=True).stdout)
path = pathlib.Path(machine["measurement_file"])
count = len(machine["nodes"])


def table(value):
    return [[value(abs(i - j)) for j in range(count)] for i in range(count)]


good = {
    "minas_measurement": 1,
    "machine": path.stem.removeprefix("numarch-"),
    "bytes": 1 << 26,
    "quick": False,
    "huge_pages": True,
    "nodes": sorted(node["os_index"] for node in machine["nodes"]),
    "latency": table(lambda away: 100 + 50 * away),
}
for operation in ("read", "write", "copy"):
    good[f"{operation}_bandwidth"] = table(lambda away: 10000 / (1 + away))
    good[f"cpu_{operation}_bandwidth"] = table(lambda away: 1000 / (1 + away))


def set_latency(value):
    def change(cache):
        cache["latency"][0][0] = value
    return change


changes = {
    "none": lambda cache: None,
    "quick": lambda cache: cache.update(quick=True),
    "foreign": lambda cache: cache.update(machine="0123456789abcdef"),
    "format": lambda cache: cache.update(minas_measurement=2),
    "zero": set_latency(0),
    "negative": set_latency(-1),
    "huge": set_latency(1e300),
    "text": set_latency("100"),
    "hole": set_latency(None),
    "row": lambda cache: cache["read_bandwidth"][0].pop(),
    "rows": lambda cache: cache["write_bandwidth"].pop(),
    "no-table": lambda cache: cache.pop("copy_bandwidth"),
    "no-nodes": lambda cache: cache.update(nodes=[]),
    "same-node": lambda cache: cache.update(nodes=[0] * count),
    "many-nodes": lambda cache: cache.update(nodes=list(range(2000))),
    "negative-node": lambda cache: cache.update(nodes=[-1, 0]),
    "bytes": lambda cache: cache.update(bytes=0),
}
how = sys.argv[1] if len(sys.argv) > 1 else "none"
path.parent.mkdir(parents=True, exist_ok=True)
path.parent.chmod(0o700)
if how == "pipe":
    os.mkfifo(path)
elif how == "folder":
    path.mkdir()
elif how == "empty":
    path.write_text("")
elif how == "infinite":
    path.write_text(json.dumps(good).replace("100,", "1e999,", 1))
elif how == "deep":
    path.write_text("[" * 100000)
elif how == "cut":
    path.write_text(json.dumps(good)[:-40])
elif how == "big":
    path.touch()
    os.truncate(path, (1 << 26) + 1)
elif how == "anybody":
    path.write_text(json.dumps(good))
    path.chmod(0o666)
elif how in ("open-folder", "linked-folder", "linked-file"):
    path.write_text(json.dumps(good))
    path.chmod(0o600)
    if how == "open-folder":
        path.parent.chmod(0o750)
    else:
        linked = path.parent if how == "linked-folder" else path
        linked.rename(str(linked) + "-elsewhere")
        linked.symlink_to(str(linked) + "-elsewhere")
else:
    changes[how](good)
    path.write_text(json.dumps(good))
    path.chmod(0o600)
