"""sampled.py FILE.json: whether the estimate for counts.c's `updated` (2000 reads, 1000 writes) is good.

One of 10 is counted, so that the counts have a standard deviation of 14 of 200 and 10 of 100.
"""
import json
import sys

arrays = {a["name"]: a for a in json.load(open(sys.argv[1]))["arrays"]}
updated = arrays["updated"]
good = 1300 < updated["reads"] < 2700 and 500 < updated["writes"] < 1500
print("updated: 2 reads for a write" if good else updated)
