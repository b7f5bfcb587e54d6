#!/bin/sh
set -e
g++ -std=c++17 ${CXXFLAGS:-} "-I$ASCEND_HOME_PATH/include" main.cpp -o main -ldl ${LDFLAGS:-}
