"""Names of entities: normalisation, parsing, broader names, and slugs for IRIs.

Normalisation folds case, typography, dashes and plurals. It keeps digits, dots, `+`, `*` and all
other characters, so that Llama-3.1 and Llama-3.2, CIFAR-10 and CIFAR-100, HumanEval and HumanEval+
stay distinct.
"""

from citekg.schemas.names.families import broader
from citekg.schemas.names.makers import without_maker
from citekg.schemas.names.parsing import Name, is_elided, key, parse
from citekg.schemas.names.slugs import slug, unslug

__all__ = ["Name", "broader", "is_elided", "key", "parse", "slug", "unslug", "without_maker"]
