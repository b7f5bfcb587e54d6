"""Figures of the tree for tools/measure_house.py: C++ sources, includes, tests."""
