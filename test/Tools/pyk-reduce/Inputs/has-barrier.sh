#!/bin/sh
# Interesting (1) is a file with a barrier that pyk-opt accepts.
pyk-opt "$1" >/dev/null 2>&1 && grep -q pyk.barrier "$1" && exit 1
exit 0
