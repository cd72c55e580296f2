#!/bin/sh
# Prints this commit's share of ten, 0 to 9: checks that take too long for each run are spread over ten runs. The share is
# the last digit of the number of commits, or comes from the day where a shallow clone does not know that number.
# With a number N: this commit's turn of N, 0 to N - 1. Turns go on after ten commits, so that each turn has all ten shares.
set -eu
cd "$(dirname "$0")/.."
if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
  number=$(git rev-list --count HEAD)
else
  number=$(($(date +%s) / 86400))
fi
if [ $# -eq 0 ]; then echo $((number % 10)); else echo $((number / 10 % $1)); fi
