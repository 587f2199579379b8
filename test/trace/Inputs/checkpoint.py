"""Starts a program, and kills it when its profile has been written anew since it said something.

  checkpoint.py PROFILE COMMAND..."""

import os
import signal
import subprocess
import sys
import time

NEW_PROFILES = 2  # the first may have been begun before the program said something
TRIES = 6000

profile, *command = sys.argv[1:]


def wait_for_profile():
    for _ in range(TRIES):
        if os.path.exists(profile):
            return
        time.sleep(0.01)


def remove_profile():
    if os.path.exists(profile):
        os.remove(profile)


process = subprocess.Popen(command, stdout=subprocess.PIPE)
process.stdout.read(1)
for _ in range(NEW_PROFILES):
    remove_profile()
    wait_for_profile()
os.kill(process.pid, signal.SIGKILL)
print("status", process.wait())
