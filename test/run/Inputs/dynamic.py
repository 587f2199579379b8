"""Whether a report has arrays that were watched while the program ran, where the kernel lets root watch them."""

import json
import os
import sys

arrays = json.load(open(sys.argv[1], encoding="utf-8"))["arrays"]
written = sum(array.get("dynamic", {}).get("pages_written", 0) for array in arrays)
if os.geteuid() == 0 and written == 0:
    sys.exit("nothing was watched")
