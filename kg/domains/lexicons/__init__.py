"""Lexicons of one's own: names from an archive on this machine, as a table that `kg build --lexicon` takes."""
