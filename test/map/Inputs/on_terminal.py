"""What a command writes on a terminal: each line that is left there after "left: ", and what was there before it after "seen: ".
on_terminal.py COMMAND..."""
import os
import pty
import sys

CLEARS = "\r\033[K"  # the line of the cursor
written = bytearray()


def read(terminal):
    written.extend(os.read(terminal, 4096))
    return b"."


output = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # where spawn() copies it to
status = pty.spawn(sys.argv[1:], read)
for line in written.decode().split("\r\n"):
    *seen, left = line.split(CLEARS)
    os.write(output, "".join(f"seen: {text}\n" for text in seen if text).encode())
    os.write(output, f"left: {left}\n".encode() if left else b"")
sys.exit(os.waitstatus_to_exitcode(status))
