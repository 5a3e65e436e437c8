"""The words and records of citekg: what every other room speaks.

Standard library only, so that a plug-in needs nothing else.
"""
