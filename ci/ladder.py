"""Follows docs/ladder.md (or another page) in the current folder: writes its files, runs its commands, compares what they
print. Blocks are ```c NAME (a file), ```sh (commands after `$`, and their output), ```sh WORD (only when WORD is given).

    ladder.py PAGE [WORD]...
"""

import re
import subprocess
import sys

page, words = open(sys.argv[1]).read(), sys.argv[2:]
files = commands = 0
# One shell for all, so that what a command exports stays.
shell = subprocess.Popen(["sh"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def run(command):
    shell.stdin.write("{ %s\n} </dev/null\necho \"\n#end $?\"\n" % command)
    shell.stdin.flush()
    lines = []
    for line in shell.stdout:
        if line.startswith("#end "):
            return int(line.split()[1]), "".join(lines)[:-1]
        lines.append(line)
    return -1, "".join(lines)


for kind, name, body in re.findall(r"^```(\w+) ?(\S*)\n(.*?)^```$", page, re.S | re.M):
    if kind == "c" and name:
        open(name, "w").write(body)
        files += 1
    elif kind == "sh" and (not name or name in words):
        for command, expected in re.findall(r"^\$ (.*)\n((?:[^$\n].*\n)*)", body, re.M):
            code, printed = run(command)
            commands += 1
            if code != 0 or printed.rstrip("\n") != expected.rstrip("\n"):
                sys.exit("%s: `%s` gives %d and\n%s\ninstead of\n%s" % (sys.argv[1], command, code, printed, expected))
shell.stdin.close()
print("ladder: %d files, %d commands, all as the page says" % (files, commands))
sys.exit(files < 5 or commands < 10)
