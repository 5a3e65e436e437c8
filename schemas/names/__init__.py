"""Names: what makes two spellings the same, what a name is a variant of, how it becomes part of an IRI.

Case, typography, dashes and plurals fold; digits, dots, `+`, `*` and every other sign never do, so
Llama-3.1 and Llama-3.2, CIFAR-10 and CIFAR-100, HumanEval and HumanEval+ stay apart.
"""

from citekg.schemas.names.families import broader
from citekg.schemas.names.parsing import Name, key, parse
from citekg.schemas.names.slugs import slug, unslug

__all__ = ["Name", "broader", "key", "parse", "slug", "unslug"]
