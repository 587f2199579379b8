"""study.py <source> <manifest> <out> [<seed>]: a study of programs that share, with runs whose profiles are made up: a run says so.

Lines from memory of the own node are 1000; from other nodes 3000 of the original, 100 of the transformed one at home."""
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(sys.argv[1]) / "bench"))

from sharers import study  # noqa: E402
from sharers.building import Builder, Built  # noqa: E402
from sharers.programs import HOME  # noqa: E402
from sharers.virtual import VirtualMachine  # noqa: E402


def profile(self, program, way, built):
    print(f"runs {program.name}, {way.name}: {self._command(program, way, built).partition(' ')[2]}")
    counts = {"misses": 1000, "predicted": 900 if way.is_transformed else 100, "local_cache": 10 ** 6, "remote_cache": 50,
              "local_memory": 1000, "remote_memory": 50 if way.name == HOME else 2950}
    array = {"name": f"{program.shared[0]} (here.c:1)", "kind": "heap", "reads": 30, "writes": 10, "where": {"local": 40, "remote": 0},
             "accesses_by_node": [10, 10, 10, 10], "exclusive_pages_by_node": [1, 2, 3, 4], "shared_pages_by_node": [5, 6, 7, 8],
             "accesses_to_shared_pages": 30}
    stack = array | {"name": "[stack]", "kind": "stack", "accesses_to_shared_pages": 0}
    return {"model": {"all": counts}, "arrays": [array, stack]}


def traced(self, program):
    path = self.folder / program.name
    path.write_text(sys.argv[4] if len(sys.argv) > 4 else "")
    return Built(path, None)


VirtualMachine.run, Builder.traced = profile, traced
sys.exit(study.main([sys.argv[2], "--out", sys.argv[3]]))
