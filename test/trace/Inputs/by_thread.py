"""Prints how often each thread accesses an array, by what `mai-trace info --json` says on standard input."""

import json
import sys

for array in json.load(sys.stdin)["arrays"]:
    if array["name"] == sys.argv[1]:
        print(array["name"], *array["accesses_by_thread"])
