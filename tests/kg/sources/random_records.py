"""Random records of papers that share keys, and what is compared of merged papers."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from citekg.schemas.records import Paper
from citekg.sources.deduplication import MergedPapers
from citekg.sources.join_keys import title_id

CORPUS = "https://api.semanticscholar.org/CorpusID:"

papers = st.builds(
    Paper,
    st.sampled_from(["", "", "k1", "k2", "27", "10.1000/a", "2405.00001", title_id("Nests")]),
    st.sampled_from(["Kites that learn to fly", "Nests", "nests!", "Rivers", "Dunes", "Tides", ""]),
    st.sampled_from(["", "An abstract."]),
    doi=st.sampled_from(["", "", "10.1000/a", "10.1000/b"]),
    arxiv_id=st.sampled_from(["", "", "2405.00001", "2405.00002"]),
    url=st.sampled_from(["", "", f"{CORPUS}27", f"{CORPUS}28"]),
    authors=st.sampled_from([(), ("Ada Lark",), ("A. Lark", "Bo Wren")]),
)


def everything(merged: MergedPapers) -> tuple[Any, ...]:
    keyed = [(one.id, one.digest, one.text, one.read()) for one in merged.keyed()]
    collisions = [*merged.collisions()]
    return [*merged], keyed, [*merged.merged_sources()], collisions, merged.records, len(merged)
