"""Prints the names of the findings of `minas doctor --json`, and checks that each has a cure."""

import json
import sys

report = json.load(sys.stdin)
assert report["minas_doctor"] == 1 and report["facts"]["machine"]
assert all(finding["what"] and finding["do"] for finding in report["findings"])
print("found:", *(finding["name"] for finding in report["findings"]))
