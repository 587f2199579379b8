"""Starts a program again and again, sends it signals as an impatient user does, several at a time and to it alone or all
of its group, and says how it ended and whether a profile is there.

  impatient.py TRIES PROFILE COMMAND..."""

import os
import random
import signal
import subprocess
import sys
import time

tries, profile, *command = sys.argv[1:]
random.seed(1)
SIGNALS = (signal.SIGINT, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


def send(process, which):
    try:
        (os.killpg if random.random() < 0.5 else os.kill)(process.pid, which)
    except ProcessLookupError:
        pass


for number in range(int(tries)):
    if os.path.exists(profile):
        os.remove(profile)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    process.stdout.read(1)  # it runs
    sent = [random.choice(SIGNALS) for _ in range(random.choice((2, 3, 10)))]
    for which in sent:
        send(process, which)
        time.sleep(random.choice((0, 0, 0.001, 0.01)))
    status = process.wait(60)
    if -status not in sent and status - 128 not in sent:
        sys.exit(f"try {number}: status {status} after {sent}")
    if not os.path.exists(profile):
        sys.exit(f"try {number}: no profile after {sent}")
    subprocess.run(["mai-trace", "info", profile], check=True, stdout=subprocess.DEVNULL)
print("ended by signals")
