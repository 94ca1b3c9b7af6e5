#!/bin/sh
# Succeeds on a file with a division in a kernel that stores something.
pyk-opt "$1" | grep -q pyk.floor_div && grep -q pyk.store "$1"
