#!/bin/sh
set -e
cmake -S . -B build
cmake --build build
cp build/main main
