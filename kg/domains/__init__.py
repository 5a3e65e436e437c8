"""Schema files: the types, roles, names and cues of a field, told without code.

`files` reads YAML and TOML into texts with their places, `vocabularies` makes types and roles of them, `reading` the
rest.
"""

from citekg.domains.reading import read_domain

__all__ = ["read_domain"]
