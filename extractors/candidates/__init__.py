"""Candidate generation: abbreviations, lexicon, cues, surface forms, tagger, plug-ins."""
