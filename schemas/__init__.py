"""The shared data model: records, vocabulary, names, errors and plug-in interfaces.

It imports the standard library only, so that a plug-in needs nothing else.
"""
