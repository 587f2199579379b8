"""Starts a program, kills it when its profile is there, and starts it with mai-trace for as long.

  checkpoint.py PROFILE COMMAND..."""

import os
import signal
import subprocess
import sys
import time

profile, *command = sys.argv[1:]
if os.path.exists(profile):
    os.remove(profile)
process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
for _ in range(6000):
    if os.path.exists(profile):
        break
    time.sleep(0.01)
os.kill(process.pid, signal.SIGKILL)
print("status", process.wait())
