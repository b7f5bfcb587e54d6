#!/usr/bin/env python3
"""Tests of which words tools/check_words.py finds, and that the glossary is in order."""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))

import check_words  # noqa: E402

SOURCE = '''// What the turns are.
// Whether not.
#include "turns.hpp"
int kMostTurns = returns("turns");  // The same turn.
/// Whether it
/// goes  on.
bool take_turn(Way way);
'''


def word(text, kind, places=("*",), limit=0):
    return check_words.Word(text, kind, places, "x", limit)


class Words(unittest.TestCase):
    def setUp(self):
        self.source = check_words.read_source("src/a/eights.cpp", SOURCE)

    def count(self, *arguments):
        return check_words.occurrences(word(*arguments), self.source)

    def test_comments_are_runs_of_lines(self):
        self.assertEqual(self.source.comments, ["What the turns are.\nWhether not.", "The same turn.", "Whether it\ngoes  on."])

    def test_parts_of_identifiers_and_words_of_comments(self):
        self.assertEqual(self.count("turns", "part"), 2)
        self.assertEqual(self.count("turn", "part"), 2)
        self.assertEqual(self.count("turn", "code"), 1)
        self.assertEqual(self.count("take turn", "code"), 1)

    def test_names_are_whole(self):
        self.assertEqual(self.count("Way", "name"), 1)
        self.assertEqual(self.count("Wa", "name"), 0)

    def test_openings_and_phrases(self):
        self.assertEqual(self.count("Whether", "opening"), 1)
        self.assertEqual(self.count("What", "opening"), 1)
        self.assertEqual(self.count("goes on", "comment"), 1)

    def test_paths_and_places(self):
        self.assertEqual(self.count("eights", "path"), 1)
        self.assertEqual(self.count("turns", "part", ("src/b", "shaders")), 0)
        self.assertEqual(self.count("turns", "part", ("src/a", "shaders")), 2)

    def test_are_not_counted_where_they_are_allowed(self):
        turns = check_words.Word("turns", "part", ("*",), "x", 0, r"the\s+turns")
        self.assertEqual(check_words.occurrences(turns, self.source), 1)

    def test_docstrings_are_comments(self):
        source = check_words.read_source("tools/a.py", '"""Whether a.\n\nturn\n"""\nx = "turn"  # turn\n')
        self.assertEqual(check_words.occurrences(word("turn", "part"), source), 2)
        self.assertEqual(check_words.occurrences(word("Whether", "opening"), source), 1)

    def test_more_than_the_limit_is_refused(self):
        for limit, lines in ((1, 1), (2, 0)):
            words = [word("turns", "part", limit=limit)]
            found = check_words.counts(words, [self.source])
            self.assertEqual(len(list(check_words.complaints(words, found))), lines)


class Glossary(unittest.TestCase):
    def test_terms_are_in_order(self):
        lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
        terms = [line.split("|")[1].strip().lower() for line in lines if line.startswith("| ")][1:]
        self.assertEqual(terms, sorted(set(terms)))


if __name__ == "__main__":
    unittest.main()
