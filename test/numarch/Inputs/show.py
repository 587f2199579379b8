"""Print fields of each object of one kind in the output of `numarch --json`, an object a line."""

import json
import sys

kind, *fields = sys.argv[1:]
for thing in json.load(sys.stdin)[kind]:
    print(*(thing[field] for field in fields))
