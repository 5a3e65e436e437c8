"""Custom lexicons: convert names of a local archive to a table for `kg build --lexicon`."""
