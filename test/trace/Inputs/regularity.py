# Reads a profile as JSON and says how regular the accesses of the program are.
import json, sys

everything = json.load(sys.stdin)["model"]["all"]
regular = everything["predicted"] / everything["misses"]
print("at most 0.3" if regular <= 0.3 else "at least 0.8" if regular >= 0.8 else regular)
