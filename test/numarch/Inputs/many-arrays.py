"""Print a report of MAi with so many arrays, each bigger than the one before: many-arrays.py NUMBER"""

import json
import sys

arrays = [{"name": f"array{i}", "bytes": 4096 * i, "policy": "block", "pages_per_node": {"0": i}}
          for i in range(int(sys.argv[1]))]
print(json.dumps({"mai_report": 1, "program": "p", "page_size": 4096, "arrays": arrays,
                  "threads": []}))
