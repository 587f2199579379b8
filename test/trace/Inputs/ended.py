"""Starts a program, has a command look at it, and asks for the program's status only when the command has ended."""
import subprocess
import sys

program = subprocess.Popen(["sleep", "1"])
print("status", subprocess.run([*sys.argv[1:], str(program.pid)]).returncode)
program.wait()
