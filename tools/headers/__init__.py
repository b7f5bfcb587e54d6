"""Turns the tables in interface/ into the public headers."""
