"""Files of reference managers, and tables."""

from __future__ import annotations

ABSTRACT = "We describe a kite that learns to fly. It stays up for an hour."
ANTHOLOGY = r"""@string{sky = "Proceedings of the Sky"}
% a remark
@inproceedings{lark-wren-2024-kites,
    title = "{K}ites \& {\"O}ther Things",
    author = "Lark, Ada  and
      von Wr{\'e}n, Bo  and
      {The Flock and Friends}  and others",
    month = jun,
    year = "2024",
    booktitle = sky,
    url = "https://aclanthology.org/2024.sky-1.7/",
    abstract = "We describe a \textbf{kite} that learns
      to fly. It gains 50% for $x_1$ with \ourkite{}."
}
"""
ARTICLE = r"""@Article{lark24,
  Title = {Kites},
  Author = {Ada Lark},
  Date = {2024-05-06},
  JournalTitle = {Sky},
  DOI = {10.1000/Kites.1}, PDF = {https://sky.example/kites.pdf},
  Abstract = {We describe a kite that learns to fly. It stays up for an hour.},
}
"""
PREPRINT = r"""@misc{lark24kites, title={Kites}, author={Lark, Ada}, year={2024}, eprint={2405.00001},
  archivePrefix={arXiv}, url={https://arxiv.org/abs/2405.00001},
  abstract={We describe a kite that learns to fly. It stays up for an hour.}}
"""
SCHOLAR = r"""@article{lark24kites, title={Kites}, author={Lark, Ada}, year={2024},
  journal={arXiv preprint arXiv:2405.00001v2},
  abstract={We describe a kite that learns to fly. It stays up for an hour.}}
"""
RIS = """TY  - JOUR
TI  - Kites
AU  - Lark, Ada
AU  - Wren, Bo
T2  - Sky
PY  - 2024
DA  - 2024/05/06/
AB  - We describe a kite that learns
to fly. It stays up for an hour.
DO  - 10.1000/Kites.1
UR  - https://sky.example/kites
XX  - what nobody knows
ER  -
"""
TABLE = (
    "Key,Title,Author,Publication Year,Publication Title,DOI,Url,References,Code,Abstract Note\r\n"
    'K1,Kites,"Lark, Ada; Wren, Bo",2024,Sky,10.1000/Kites.1,https://sky.example/kites,'
    '"[""https://doi.org/10.1000/Wind"", ""2305.00009""]",https://code.example/kites,'
    '"We describe a kite that learns to fly.\r\nIt stays up for an hour."\r\n'
)
TABS = f"title\tabstract\tauthors\tdate\tvenue\turl\tarxiv_id\nKites\t{ABSTRACT}\tAda Lark\t2024-05\t\t\t2405.00001v2\n"
