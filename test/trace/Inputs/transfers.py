"""Prints how often lines of arrays were transferred, and of these those whose threads use different bytes, by what
`mai-trace info --json` says on standard input."""

import json
import sys

for array in json.load(sys.stdin)["arrays"]:
    print(array["name"], array["transfers"], array["false_transfers"])
