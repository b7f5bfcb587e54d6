#!/bin/sh
# As programs do that have to fit to libraries with the strings of before C++11.
set -e
g++ -std=c++14 -D_GLIBCXX_USE_CXX11_ABI=0 ${CXXFLAGS:-} "-I$ASCEND_HOME_PATH/include" -c main.cpp -o main.o
g++ main.o -o main "-L$ASCEND_HOME_PATH/lib64" -lascendcl -lnnopbase -lopapi ${LDFLAGS:-}
