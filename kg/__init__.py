"""citekg: citation-style knowledge graphs of what papers introduce, use, extend and evaluate on."""
