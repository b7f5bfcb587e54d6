"""Generates the public headers from the tables in interface/."""
