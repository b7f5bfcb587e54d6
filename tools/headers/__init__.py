"""Turns the tables in api/ into the public headers."""
