"""The cache of extractions between builds, and the fingerprints that keep it valid."""
