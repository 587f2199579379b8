# Reads a profile as JSON and compares how regular the accesses of the program are with a bound: "at-most" or "at-least" a part.
import json, sys

relation, bound = sys.argv[1], float(sys.argv[2])
everything = json.load(sys.stdin)["model"]["all"]
regular = everything["predicted"] / everything["misses"]
sys.exit(not (regular <= bound if relation == "at-most" else regular >= bound) and f"regular: {regular}")
