"""Schema files: the entity types, roles, names and cues of a domain, without code.

`files` parses YAML and TOML into values with their positions, `vocabularies` builds the types and
roles, `reading` the rest.
"""

from citekg.domains.reading import read_domain

__all__ = ["read_domain"]
