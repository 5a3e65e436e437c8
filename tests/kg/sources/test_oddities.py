"""Oddities of real data: markup and TeX, institutions in names, slugs, BibTeX concatenation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from citekg.schemas.records import Paper
from citekg.sources import Problem, bibtex, read

DOI = "10.1000/kites.1"
INDEX = "abstract_inverted_index"


def read_all(folder: Path, text: str) -> list[Paper]:
    file = folder / "x"
    file.write_text(text, encoding="utf-8")
    problems: list[Problem] = []
    found = list(read([str(file)], problems.append))
    assert problems == []
    return found


def from_openalex(folder: Path, title: str, abstract: str, **other: Any) -> Paper:
    index = {word: [at] for at, word in enumerate(abstract.split())}
    work = {
        "id": "https://openalex.org/W1",
        "title": title,
        INDEX: index,
        "authorships": [],
        **other,
    }
    return read_all(folder, json.dumps(work))[0]


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (
            "<jats:title>Abstract</jats:title><jats:p>Kites</jats:p> <jats:p>fly.</jats:p>",
            "Kites fly.",
        ),
        (
            "Deep <i>Q</i>-learning on CO<sub>2</sub> by <scp>Kite</scp>",
            "Deep Q-learning on CO2 by Kite",
        ),
        (
            "Sea &amp; sky, R&amp;amp;D, p &lt; 0.05, &#8220;fly&#8221;",
            "Sea & sky, R&D, p < 0.05, “fly”",
        ),
        ("one<br/>two <mml:math><mml:mi>x</mml:mi></mml:math>", "one two x"),
        ("where a <b> c or n<p, q>r and AT&T", "where a <b> c or n<p, q>r and AT&T"),
        ("tokens such as <think> and </think> stay", "tokens such as <think> and </think> stay"),
        ("no names: &nothing; &#xFFFFFFFF; &;", "no names: &nothing; &#xFFFFFFFF; &;"),
    ],
)
def test_html_tags_are_removed_and_character_references_decoded(
    written: str, read_as: str, tmp_path: Path
) -> None:
    paper = from_openalex(tmp_path, written, written)
    assert (paper.title, paper.abstract) == (read_as, read_as)


def test_character_references_in_names_and_venues_are_decoded(tmp_path: Path) -> None:
    people = [{"author": {"display_name": "Bo O&apos;Neil"}}]
    place = {"source": {"display_name": "Man &amp; Cybernetics"}}
    paper = from_openalex(
        tmp_path, "Kites", "They fly.", authorships=people, primary_location=place
    )
    assert (paper.authors, paper.venue) == (("Bo O'Neil",), "Man & Cybernetics")


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        (r"Erd\H{o}s--R\'enyi", "Erdős--Rényi"),
        (r"M\"obius, M{\"o}bius, M\"{o}bius, na\"{\i}ve", "Möbius, Möbius, Möbius, naïve"),
        (r"Ma{\l}y \O rsted, Stra\ss{}e, Lukasz \L{}ukasz", "Mały Ørsted, Straße, Lukasz Łukasz"),
        (
            r"$\hat{x}\.y \v{w}$, 5\% of https://a.example/\~user",
            r"$\hat{x}\.y \v{w}$, 5\% of https://a.example/\~user",
        ),
        (r"\textbf{bold} \=7 \'x", r"\textbf{bold} \=7 \'x"),
    ],
)
def test_tex_accents_in_arxiv_records_are_converted_to_letters(
    written: str, read_as: str, tmp_path: Path
) -> None:
    record = {
        "id": "2405.00001",
        "title": written,
        "abstract": "They fly.",
        "authors_parsed": [[written, "", ""]],
    }
    (paper,) = read_all(tmp_path, json.dumps(record))
    assert (paper.title, paper.authors) == (read_as, (read_as,))


HARVEST = '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><record><metadata>{}</metadata></record></OAI-PMH>'


def test_affiliations_are_removed_from_raw_arxiv_authors(tmp_path: Path) -> None:
    authors = r"Bal\'azs Lark (1 and 2), Bo Wren (2) and Cy Owl ((1) Sky, (2) Sea)"
    inside = f"<id>2405.00001</id><title>T</title><authors>{authors}</authors><abstract>They fly.</abstract>"
    (paper,) = read_all(
        tmp_path,
        HARVEST.format(f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/">{inside}</arXivRaw>'),
    )
    assert paper.authors == ("Balázs Lark", "Bo Wren", "Cy Owl")


def test_dublin_core_venues_are_read_from_identifiers_and_links_from_comments(
    tmp_path: Path,
) -> None:
    reported = ("http://arxiv.org/abs/2405.00001", "Sky 1 (2024)", "doi:10.1000/kites.1")
    inside = "".join(f"<dc:identifier>{one}</dc:identifier>" for one in reported)
    inside += "<dc:title>T</dc:title><dc:description>They fly.</dc:description>"
    inside += "<dc:description>Comment: code at https://kites.example</dc:description>"
    (paper,) = read_all(
        tmp_path, HARVEST.format(f'<dc xmlns:dc="http://purl.org/dc/elements/1.1/">{inside}</dc>')
    )
    assert (paper.venue, paper.doi, paper.links) == (
        "Sky 1 (2024)",
        "10.1000/kites.1",
        ("https://kites.example",),
    )


@pytest.mark.parametrize(
    ("proceeding", "conference", "venue"),
    [
        ("NeurIPS 2018 12", "kites-that-fly-1", "NeurIPS 2018 12"),
        (None, "kites-that-fly-1", ""),
        (None, "ICLR", "ICLR"),
    ],
)
def test_a_papers_with_code_page_slug_is_not_read_as_a_venue(
    proceeding: str | None, conference: str, venue: str, tmp_path: Path
) -> None:
    where = {
        "paper_url": "https://paperswithcode.com/paper/kites",
        "proceeding": proceeding,
        "conference": conference,
    }
    (paper,) = read_all(tmp_path, json.dumps({"title": "T", "abstract": "They fly.", **where}))
    assert paper.venue == venue


@pytest.mark.parametrize(
    ("fields", "date", "venue"),
    [
        ('year = "2020", month = nov # "~16--20"', "2020-11", ""),
        ("year = 2020, month = {16~} # nov", "2020-11", ""),
        ("year = 2020, month = {May--June}, day = 3", "2020-05-03", ""),
        ("year = 2020, month = {Spring}", "2020", ""),
        ('journal = "Proc. of " # SKY # " " # 2024', "", "Proc. of Sky & Sea 2024"),
        ("journal = {A # B}", "", "A # B"),
        ('journal = {The {BERT} # } # sky, note = "a # b"', "", "The BERT # Sky & Sea"),
    ],
)
def test_concatenated_bibtex_values_are_read_as_one_value(
    fields: str, date: str, venue: str, tmp_path: Path
) -> None:
    macro = "@string{sky = {Sky \\& Sea}}\n"
    (paper,) = read_all(
        tmp_path, f"{macro}@article{{k, title = {{T}}, abstract = {{They fly.}}, {fields}}}"
    )
    assert (paper.date, paper.venue) == (date, venue)


def test_web_of_science_column_tags_are_recognised(tmp_path: Path) -> None:
    rows = (
        "PT\tAU\tAF\tTI\tSO\tAB\tPY\tDI",
        "J\tLark, A\tLark, Ada; Wren, Bo\tKites\tSky\tThey fly.\t2024\t10.1000/kites.1",
    )
    (paper,) = read_all(tmp_path, "\n".join(rows))
    assert (paper.id, paper.authors, paper.venue, paper.date) == (
        "10.1000/kites.1",
        ("Ada Lark", "Bo Wren"),
        "Sky",
        "2024",
    )


def read_files(folder: Path, **files: Any) -> tuple[tuple[Paper, ...], list[str]]:
    for name, record in files.items():
        (folder / name).write_text(json.dumps(record), encoding="utf-8")
    problems: list[Problem] = []
    return read([str(folder)], problems.append), [
        str(problem).removeprefix(f"{folder}/") for problem in problems
    ]


BULK = {
    "corpusid": 2718,
    "title": "Kites",
    "externalids": {"DOI": "10.1000/kites.1"},
    "venue": "Sky",
    "year": 2024,
}
OPEN = {"corpusid": 2718, "openaccessinfo": {"externalids": {"DOI": None}}, "abstract": "They fly."}


@pytest.mark.parametrize("ids", [{"DOI": "10.1000/kites.1"}, {"ArXiv": "2405.00001"}, {}])
def test_papers_and_abstracts_of_semantic_scholar_bulk_files_are_merged(
    ids: dict[str, str], tmp_path: Path
) -> None:
    (paper,), problems = read_files(tmp_path, papers=BULK | {"externalids": ids}, abstracts=OPEN)
    assert (paper.title, paper.abstract, paper.venue, problems) == ("Kites", "They fly.", "Sky", [])
    assert paper.id == next(iter(ids.values()), "2718").lower()
    assert len(paper.sources) == 2


def test_a_record_without_title_that_is_not_merged_is_reported_with_its_file_and_line(
    tmp_path: Path,
) -> None:
    papers, problems = read_files(
        tmp_path, a=BULK, b=OPEN | {"corpusid": 2719}, c=OPEN | {"corpusid": None}
    )
    assert [(paper.title, paper.abstract) for paper in papers] == [("Kites", "")]
    assert sorted(problems) == ["b:1: the paper has no title", "c:1: the paper has no title"]


def test_references_of_a_record_without_abstract_are_added_to_the_paper_of_the_same_id(
    tmp_path: Path,
) -> None:
    work: dict[str, Any] = {
        "id": "https://openalex.org/W1",
        "title": "Kites",
        "authorships": [],
        INDEX: None,
    }
    work |= {
        "doi": "https://doi.org/10.48550/arXiv.2405.00001",
        "referenced_works": ["https://openalex.org/W2"],
    }
    (paper,), problems = read_files(
        tmp_path, openalex=work, own={"title": "Kites", "abstract": "They fly.", "id": "2405.00001"}
    )
    assert (paper.abstract, paper.references, problems) == ("They fly.", ("openalex:W2",), [])


def test_records_without_a_title_are_not_merged_by_title(tmp_path: Path) -> None:
    signs = {"title": "???", "abstract": "They fly."}
    papers, problems = read_files(
        tmp_path, a=signs, b={"abstract": "They sink."}, c=signs | {"title": "", "id": "k"}
    )
    assert [(paper.title, paper.abstract) for paper in papers] == [("???", "They fly.")]
    assert problems == ["b:1: the paper has no title", "c:1: the paper has no title"]


PREPRINT = {
    "title": "Kites that learn to fly",
    "abstract": "They fly.",
    "arxiv_id": "2405.00001",
    "authors": ["Ada Lark"],
}
ARTICLE = {
    "title": "Kites That Learn to Fly.",
    "abstract": "They fly!",
    "doi": DOI,
    "authors": ["Lárk, A.", "Bo Wren"],
}


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ({}, 1),
        ({"authors": ["Ada B. Lark Jr."]}, 1),
        ({"authors": ["Bo Wren"]}, 2),
        ({"authors": []}, 2),
        ({"title": "Kites that learn to sink"}, 2),
        ({"id": "mine"}, 2),
        ({"arxiv_id": "2405.00002", "doi": ""}, 2),
    ],
)
def test_a_published_paper_is_merged_with_its_preprint_by_title_and_first_author(
    change: dict[str, Any], count: int, tmp_path: Path
) -> None:
    papers, _ = read_files(tmp_path, preprint=PREPRINT, printed=ARTICLE | change)
    assert len(papers) == count
    if count == 1:
        assert (papers[0].id, papers[0].doi) == ("2405.00001", DOI)


def test_papers_with_a_short_title_are_not_merged_by_title_and_author(tmp_path: Path) -> None:
    assert (
        len(
            read_files(tmp_path, a=PREPRINT | {"title": "Reply"}, b=ARTICLE | {"title": "Reply"})[0]
        )
        == 2
    )


def test_identifiers_take_precedence_over_title_and_author_when_papers_are_merged(
    tmp_path: Path,
) -> None:
    other = {"title": "Kites", "abstract": "They fly.", "arxiv_id": "2405.00009", "doi": DOI}
    papers, _ = read_files(tmp_path, preprint=PREPRINT, printed=ARTICLE, other=other)
    assert {paper.id: len(paper.sources) for paper in papers} == {"2405.00001": 1, "2405.00009": 2}


def test_all_records_of_a_doi_are_merged_with_the_preprint_that_one_of_them_matches(
    tmp_path: Path,
) -> None:
    bare = {"title": "Learning to fly", "abstract": "They fly.", "doi": DOI}
    (paper,), _ = read_files(tmp_path, preprint=PREPRINT, printed=ARTICLE, bare=bare)
    assert len(paper.sources) == 3


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (
            r"see \href{https://a.example} and M{\"u}ller",
            r"see \href{https://a.example} and Müller",
        ),
        (r"\emph{\href{a}} \sqrt", r"\emph{\href{a}} \sqrt"),
        (
            r"{\em all of this} by {\bfseries\itshape bold} \textbf {words}",
            "all of this by bold words",
        ),
        (
            r"$a $ b $ c$ at 5\% of {{BERT}-large}~models --- ``yes'' \LaTeX is",
            "$a $ b $ c$ at 5% of BERT-large models — “yes” LaTeXis",
        ),
        (r"\begin{itemize} \item one \item two \end{itemize}", "* one * two"),
        (
            r"by $$\min \big\{ x, y \big\},$$ where \{x\} \_ a } b {",
            r"by $$\min \big\{ x, y \big\},$$ where {x} _ a b",
        ),
    ],
)
def test_known_latex_is_converted_in_place_and_broken_latex_is_kept(latex: str, text: str) -> None:
    assert " ".join(bibtex._text(latex).split()) == text


def test_bibtex_commands_without_their_arguments_are_kept_as_text(tmp_path: Path) -> None:
    (paper,) = read_all(tmp_path, r"@misc{a, title={Kites \sqrt}, abstract={They \href{fly}.}}")
    assert paper.abstract == r"They \href{fly}."
