#!/bin/sh
set -e
make
