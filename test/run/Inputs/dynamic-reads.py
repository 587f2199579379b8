"""Whether a report has an array whose accesses were sampled, where the kernel allows that: x86-64, and root or the kernel's
own default of kernel.perf_event_paranoid."""

import json
import os
import platform
import sys
from pathlib import Path

paranoid = Path("/proc/sys/kernel/perf_event_paranoid")
can_sample = paranoid.exists() and (os.geteuid() == 0 or int(paranoid.read_text()) <= 2)
arrays = json.load(open(sys.argv[1], encoding="utf-8"))["arrays"]
sampled = sum(array.get("dynamic", {}).get("accesses_sampled", 0) for array in arrays)
if platform.machine() == "x86_64" and can_sample and sampled == 0:
    sys.exit("nothing was sampled")
