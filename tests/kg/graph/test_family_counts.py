"""The number of papers that name only versions or sizes of a family."""

from __future__ import annotations

from citekg.building.assembling import assemble
from citekg.extractors.candidates.lexicon import Entry, Lexicon
from citekg.graph import entity_report
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Paper
from tests.kg.extractions import RUN, make_extraction, named

KNOWN = Lexicon.of(
    [Entry("Kite2.5", "Model"), Entry("Group Kite Optimization", "Method", ("GKO",))]
)


def graph_of(*names: tuple[str, ...], type_: str = "Model") -> KnowledgeGraph:
    read = [
        make_extraction(
            Paper(f"p{n}", "On kites", " ".join(surfaces)),
            *(named(f"On kites\n{' '.join(surfaces)}", s, type_=type_) for s in surfaces),
        )
        for n, surfaces in enumerate(names)
    ]
    return assemble(read, KNOWN, RUN)


def test_papers_that_name_only_a_variant_of_a_model_are_counted_separately() -> None:
    graph = graph_of(("Kite2.5",), ("Kite2.5-7B",), ("Kite2.5-72B-Instruct",), ("Heron-9",))
    values = entity_report.as_values(graph, "Kite2.5")
    assert (values["papers"], values["papers_of_variants"]) == (1, 2)
    text = entity_report.as_text(graph, "Kite2.5", 5)
    assert text.startswith(
        "Kite2.5: a model that 1 paper names, and 2 more name only its variants\n"
    )


def test_a_paper_that_names_a_model_and_its_variant_is_counted_once() -> None:
    graph = graph_of(("Kite2.5", "Kite2.5-7B"))
    assert entity_report.as_values(graph, "Kite2.5")["papers_of_variants"] == 0


def test_the_report_of_a_method_lists_variants_whose_names_contain_its_name() -> None:
    graph = graph_of(("GKO",), ("Critique-GKO",), ("GKO-λ",), type_="Method")
    variants = entity_report.as_values(graph, "GKO")["variants"]
    assert sorted(v["name"] for v in variants) == ["Critique-GKO", "GKO-λ"]
