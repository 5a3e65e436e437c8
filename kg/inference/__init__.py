"""Facts derived from extracted ones: known introductions and citation-style links."""
