"""Candidate spans: abbreviations, lexicon, patterns, surface forms, tagger, plug-ins."""
