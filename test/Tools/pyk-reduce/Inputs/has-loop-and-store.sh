#!/bin/sh
# Succeeds on a file with a loop and a store that pyk-opt accepts.
pyk-opt "$1" | grep -q scf.for && grep -q pyk.store "$1"
