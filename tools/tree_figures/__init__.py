"""Figures of the tree for tools/measure_tree.py: C++ sources, includes, tests."""
