"""What a build keeps while it goes: readings in part files, so that no paper is read twice.

Papers are read a part at a time (`parts`), by this process, by several (`citekg.building.execution.processes`) or by a cluster
(`clusters`), into a folder (`folders`) that knows every reading by the text it was made from (`kept`) and
by what made it (`fingerprints`).
"""
