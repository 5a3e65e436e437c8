"""Generic JSON and tables: layouts, notations of ids, dates and authors, and columns."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import citekg
from citekg.building.pipeline import read_papers
from citekg.cli.exit_codes import SKIPPED
from citekg.cli.main import main
from citekg.exports import EXPORTERS
from citekg.schemas.records import Paper
from citekg.sources import Problem, read
from citekg.sources.authors import split_authors
from citekg.sources.dates import parse_date
from citekg.sources.field_names import FIELD_KEYS
from citekg.validation.validate import validate
from tests.kg.sources.reading import Written

FLY, HOLD = "They fly. They stay up for an hour.", "They hold eggs."
KITES, NESTS = {"title": "Kites", "abstract": FLY}, {"title": "Nests", "abstract": HOLD}


def read_all(name: str, input_format: str | None = None) -> tuple[list[Paper], list[str]]:
    problems: list[Problem] = []
    found = read([name], problems.append, input_format)
    return list(found), [f"{'warning ' if p.warning else ''}{p}" for p in sorted(problems)]


def read_one(written: Written, **record: Any) -> tuple[Paper, list[str]]:
    (paper,), problems = read_all(written(json.dumps({**KITES, **record})))
    return paper, problems


# Lists of records

LAYOUTS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "one line": json.dumps,
    "indented": lambda found: json.dumps(found, indent=2),
    "indented by tabs": lambda found: json.dumps(found, indent="\t"),
    "a record a line": lambda found: "[\n" + ",\n".join(map(json.dumps, found)) + "\n]\n",
    "a record a line, brackets beside them": lambda found: (
        "[" + ",\n".join(map(json.dumps, found)) + "]"
    ),
    "a record a line, commas and no brackets": lambda found: ",\n".join(map(json.dumps, found)),
    "objects over several lines": lambda found: "\n".join(
        json.dumps(one, indent=4) for one in found
    ),
    "a list inside an object": lambda found: json.dumps({"papers": found}),
    "a list inside an object, indented": lambda found: json.dumps({"records": found}, indent=1),
    "a byte order mark": lambda found: "\ufeff" + json.dumps(found),
}


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_every_record_of_a_list_is_read_in_each_layout(
    written: Written, layout: Callable[..., str]
) -> None:
    records = [{**KITES, "title": f"Kites {n}"} for n in range(200)]
    found, problems = read_all(written(layout(records)))
    assert ({p.title for p in found}, problems) == ({str(r["title"]) for r in records}, [])


def test_the_source_of_a_list_record_is_the_line_where_it_starts(written: Written) -> None:
    found, _ = read_all(written(json.dumps([KITES, NESTS], indent=1)))
    assert {p.title: p.sources[0].line for p in found} == {"Kites": 2, "Nests": 6}


def test_a_bad_record_of_a_list_on_one_line_is_reported_with_its_number(written: Written) -> None:
    bad = [{"abstract": FLY}, 7, {"title": ["Kites"]}, {**NESTS, "date": "soon"}]
    found, problems = read_all(written(json.dumps([KITES, *bad])))
    assert {p.title for p in found} == {"Kites", "Nests"}
    assert [p.partition(": the date")[0] for p in problems] == [
        "x:1: record 2: the paper has no title",
        "x:1: record 3: a number where an object with title and abstract is expected",
        "x:1: record 4: 'title' is a list where text is expected",
        "warning x:1: record 5",
    ]


def test_a_list_record_with_a_duplicate_key_is_skipped_and_reported(written: Written) -> None:
    text = json.dumps([KITES, NESTS]).replace(
        '"title": "Nests"', '"title": "Nests", "title": "Rivers"'
    )
    found, problems = read_all(written(text))
    assert [p.title for p in found] == ["Kites"]
    assert problems == ["x:1: record 2: 'title' is given twice"]


def test_the_first_non_empty_spelling_of_a_key_is_used(written: Written) -> None:
    paper, problems = read_one(
        written,
        doi="",
        DOI="10.1000/kites",
        URL="https://sky.example/a",
        url="https://sky.example/b",
    )
    assert (paper.doi, paper.url, problems) == ("10.1000/kites", "https://sky.example/a", [])


def test_a_list_without_records_is_reported(written: Written) -> None:
    assert read_all(written("[ ]\n")) == ([], ["x: the JSON holds no record"])


def test_complete_records_of_a_truncated_list_are_kept(written: Written) -> None:
    found, problems = read_all(written(json.dumps([KITES, NESTS])[:-9]))
    assert [p.title for p in found] == ["Kites"]
    assert problems == ["x:1: record 2: the JSON of the record is incomplete"]


# Ids


@pytest.mark.parametrize(
    ("spelled", "kept"),
    [
        ("2402.03300", "2402.03300"),
        ("arXiv:2402.03300v2", "2402.03300"),
        ("ARXIV: 2402.03300V2 [cs.LG]", "2402.03300"),
        ("https://arxiv.org/abs/2402.03300v2", "2402.03300"),
        ("arxiv.org/pdf/2402.03300v2.pdf#page=2", "2402.03300"),
        ("cs/0112017", "cs/0112017"),
        ("arXiv:math.GT/0309136v1", "math.GT/0309136"),
        ("10.48550/arXiv.2402.03300", "2402.03300"),
    ],
)
def test_an_arxiv_id_is_read_in_every_spelling_and_without_its_version(
    written: Written, spelled: str, kept: str
) -> None:
    for key in ("arxiv_id", "arXiv ID", "arxivId", "id", "doi"):
        paper, problems = read_one(written, **{key: spelled})
        assert (paper.id, paper.arxiv_id, problems) == (kept, kept, []), key


def test_records_with_two_spellings_of_one_arxiv_id_are_merged(written: Written) -> None:
    records = [
        {**KITES, "arxiv_id": "arXiv:2402.03300v2"},
        {**KITES, "url": "https://arxiv.org/abs/2402.03300"},
    ]
    found, _ = read_all(written(json.dumps(records)))
    assert [p.id for p in found] == ["2402.03300"]


def test_an_explicit_id_is_kept_in_addition_to_the_arxiv_id(written: Written) -> None:
    paper, _ = read_one(written, id="k1", arxiv_id="arXiv:2402.03300v2")
    assert (paper.id, paper.arxiv_id) == ("k1", "2402.03300")


def test_an_invalid_arxiv_id_is_omitted_with_a_warning(written: Written) -> None:
    paper, problems = read_one(written, arxiv_id="none")
    assert (paper.arxiv_id, problems) == (
        "",
        ["warning x:1: 'none' is not an arXiv id; it is omitted"],
    )


# Dates

DATES = {
    "May 2024": "2024-05",
    "12 Mar 2021": "2021-03-12",
    "March 12th, 2021": "2021-03-12",
    "2024/05": "2024-05",
    "2024/5/6": "2024-05-06",
    "202405": "2024-05",
    "20240506": "2024-05-06",
    "13/05/2024": "2024-05-13",
    "05/13/2024": "2024-05-13",
    "05/2024": "2024-05",
    "Spring 2024": "2024",
    "Q3 2024": "2024",
    "6-8 May 2024": "2024-05",
    "Mon, 6 May 2024 19:18:42 GMT": "2024-05-06",
    "2024-05-06T10:00:00.000Z": "2024-05-06",
    "2024-05-00": "2024-05",
    1714953600: "2024-05-06",
    1714953600000: "2024-05-06",
    1714953600.5: "2024-05-06",
    "1714953600": "2024-05-06",
    2024: "2024",
    "2024.0": "2024",
}


@pytest.mark.parametrize(("value", "kept"), DATES.items(), ids=map(str, DATES))
def test_common_date_notations_are_normalised(written: Written, value: object, kept: str) -> None:
    paper, problems = read_one(written, date=value)
    assert (paper.date, problems) == (kept, [])
    table, problems = read_all(written(f'title,abstract,date\nKites,b,"{value}"\n'))
    assert ([p.date for p in table], problems) == ([kept], [])


@pytest.mark.parametrize(
    "value", ["05/06/2024", "06.05.2024", "31/02/2024", "2024-13-01", "2024-02-31", "2023-2024"]
)
def test_an_ambiguous_or_invalid_date_is_reduced_to_its_certain_part_with_a_warning(
    value: str,
) -> None:
    found = parse_date([value])
    assert found.date in ("2023", "2024", "2024-02")
    assert found.warning.startswith(f"of the date {value!r} only {found.date} is read")


@pytest.mark.parametrize(
    "value", ["soon", "n.d.", 2024.5, True, ["2024"], {"year": 2024}, float("nan"), 24, "9" * 99]
)
def test_an_unreadable_date_is_omitted_with_a_warning_and_the_paper_is_kept(
    written: Written, value: object
) -> None:
    paper, problems = read_one(written, date=value)
    assert (paper.title, paper.date) == ("Kites", "")
    assert [p.partition(" cannot be read")[0].partition(" the date")[0] for p in problems] == [
        "warning x:1:"
    ]


def test_the_year_field_replaces_an_unreadable_date(written: Written) -> None:
    paper, problems = read_one(written, date="n.d.", year=2024)
    assert (paper.date, problems) == ("2024", [])


@given(
    st.one_of(st.text(max_size=30), st.integers(), st.floats(), st.dates().map(str), st.booleans())
)
def test_parse_date_gives_a_date_or_a_warning_for_any_value(value: object) -> None:
    found = parse_date([value])
    assert found.date or found.warning
    assert not found.date or found.date == parse_date([found.date]).date


# Authors


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("Ada Lark", ("Ada Lark",)),
        ("Ada Lark and Bo Wren", ("Ada Lark", "Bo Wren")),
        ("Ada Lark, Bo Wren", ("Ada Lark", "Bo Wren")),
        ("Ada Lark; Bo Wren", ("Ada Lark", "Bo Wren")),
        ("A, B", ("A", "B")),
        ("Lark, Ada; Wren, Bo; ", ("Ada Lark", "Bo Wren")),
        ("Lark, Ada and Wren, Bo", ("Ada Lark", "Bo Wren")),
        ("Ada Lark, Bo Wren, and Cy Owl", ("Ada Lark", "Bo Wren", "Cy Owl")),
        ("Ada Lark, Bo Wren & Cy Owl", ("Ada Lark", "Bo Wren", "Cy Owl")),
        ("Lark, A. B., Wren, B.", ("A. B. Lark", "B. Wren")),
        ("Lark, Ada", ("Ada Lark",)),
        (["Ada Lark", "Bo Wren"], ("Ada Lark", "Bo Wren")),
        ([{"name": "Ada Lark"}, {"given": "Bo", "family": "Wren"}], ("Ada Lark", "Bo Wren")),
        ([{"first_name": "Ada", "lastName": "Lark"}], ("Ada Lark",)),
        ({"name": "Ada Lark"}, ("Ada Lark",)),
    ],
    ids=str,
)
def test_authors_are_read_from_texts_lists_and_objects(
    written: Written, value: object, kept: tuple[str, ...]
) -> None:
    for key in ("authors", "Author"):
        paper, problems = read_one(written, **{key: value})
        assert (paper.authors, problems) == (kept, [])
    if isinstance(value, str):
        assert split_authors(value) == kept


@pytest.mark.parametrize(
    ("field", "value", "stated"),
    [
        ("authors", 7, "'authors' is a number where a list is expected"),
        ("authors", [7], "an author is neither a text nor an object with a name"),
        ("authors", [{"age": 7}], "an author is neither a text nor an object with a name"),
        ("venue", {"city": "Sky"}, "'venue' is an object where text is expected"),
        ("links", [["x"]], "'links' is a list where text is expected"),
    ],
)
def test_an_unreadable_optional_field_is_omitted_with_a_warning(
    written: Written, field: str, value: object, stated: str
) -> None:
    paper, problems = read_one(written, **{field: value})
    assert (paper.title, getattr(paper, field) or None) == ("Kites", None)
    assert problems == [f"warning x:1: {stated}; it is left out"]


# Keys


@pytest.mark.parametrize(
    ("field", "key"), [(field, key) for field, keys in FIELD_KEYS.items() for key in keys]
)
def test_every_key_is_read_in_json_and_in_tables(written: Written, field: str, key: str) -> None:
    values = {
        "date": "2024-05",
        "authors": "Ada Lark",
        "url": "https://sky.example/k",
        "doi": "10.1000/kites",
    }
    values |= {
        "links": "https://code.example/k",
        "references": "2305.00009",
        "arxiv_id": "2405.00001",
    }
    record = {name: text for name, text in KITES.items() if name != field} | {
        key.upper(): values.get(field, "Sky")
    }
    as_json, _ = read_all(written(json.dumps(record)))
    table = "\n".join("\t".join(cells) for cells in (record, record.values()))
    as_table, _ = read_all(written(table))
    for (paper,) in (as_json, as_table):
        assert getattr(paper, field)
        assert paper.title
        assert paper.abstract


# Tables


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_table_is_read_with_every_delimiter_and_encoding_of_excel(
    written: Written, encoding: str, sign: str, line_end: str
) -> None:
    rows = [
        ["Title", "Abstract", "Étiquette"],
        ["Kïtes", "“They” fly – high.", "1"],
        ["Nésts", "Eggs.", "2"],
    ]
    found, problems = read_all(written(line_end.join(map(sign.join, rows)).encode(encoding)))
    assert {(p.title, p.abstract) for p in found} == {
        ("Kïtes", "“They” fly – high."),
        ("Nésts", "Eggs."),
    }
    stated = "warning x:1: not UTF-8 text; read as Windows-1252, as Excel writes it (so are 2 more lines of this file)"
    assert problems == ([stated] if encoding == "cp1252" else [])


def test_windows_1252_is_not_assumed_after_a_line_of_non_ascii_utf8(
    written: Written,
) -> None:
    lines = [b"title,abstract", "Kïtes,b".encode(), "Nésts,b".encode("cp1252")]
    found, problems = read_all(written(b"\n".join(lines)))
    assert [p.title for p in found] == ["Kïtes"]
    assert problems == ["x:3: not UTF-8 text; convert the file to UTF-8"]


def test_the_delimiter_line_of_excel_is_not_read_as_the_header(written: Written) -> None:
    found, problems = read_all(written("sep=;\r\nTitle;Abstract\r\nKites;They fly.\r\n"))
    assert ([p.title for p in found], problems) == (["Kites"], [])


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("header", [["Name", "Text"], ["Title", "Text"]])
@pytest.mark.parametrize("rows", [1, 60])
def test_a_table_with_unknown_columns_is_rejected_and_not_read_as_a_page_dump(
    written: Written, sign: str, header: list[str], rows: int
) -> None:
    table = [
        header,
        *([f"Kites {n}", f'"{FLY} They go up, down, and round."'] for n in range(rows)),
    ]
    found, problems = read_all(written("\n".join(map(sign.join, table))))
    assert found == []
    wanted = ", ".join(field for field in FIELD_KEYS if field != "title")
    columns = ", ".join(map(repr, header))
    assert problems == [
        f"x:1: the columns wanted are title and at least one of {wanted}; found are {columns}"
    ]


@pytest.mark.parametrize(
    "line", ["Kites, nests, and rivers", "Kites: nests; rivers", "a|b testing of kites"]
)
def test_a_page_dump_with_delimiters_in_titles_is_not_read_as_a_table(
    written: Written, line: str
) -> None:
    found, problems = read_all(written(f"{line}\n{FLY}\n{line} again\n{FLY}, 1,000 times. Yes.\n"))
    assert ({p.title for p in found}, problems) == ({line, f"{line} again"}, [])


# Papers without an abstract

TITLE_ONLY_FILES = {
    "bibtex": "@article{k, title={Kites}, author={Lark, Ada}, year={2024}}\n@book{n, title={Nests}}\n",
    "ris": "TY  - JOUR\nTI  - Kites\nER  - \nTY  - JOUR\nTI  - Nests\nER  - \n",
    "csv": 'Authors,Title,Publication,Year\n"Lark, Ada; Wren, Bo; ",Kites,Sky,2024\n,Nests,,\n',
    "jsonl": '{"title": "Kites"}\n{"title": "Nests", "abstract": ""}\n',
    "csl-json": '[{"id": 1, "type": "book", "title": "Kites", "issued": {"date-parts": [[2024]]}},'
    ' {"id": 2, "type": "book", "title": "Nests"}]',
}


@pytest.mark.parametrize(("form", "text"), TITLE_ONLY_FILES.items(), ids=TITLE_ONLY_FILES)
def test_a_record_with_only_a_title_is_a_paper_and_is_not_reported(
    written: Written, form: str, text: str
) -> None:
    found, problems = read_all(written(text))
    assert ({(p.title, p.abstract) for p in found}, problems) == (
        {("Kites", ""), ("Nests", "")},
        [],
    )
    assert read_all("x", form) == (found, [])


def test_a_record_with_only_a_title_is_merged_with_the_paper_of_the_same_title(
    written: Written,
) -> None:
    found, problems = read_all(written(json.dumps([{"title": "Kites", "year": 2024}, KITES])))
    assert ([(p.title, p.abstract, p.date) for p in found], problems) == (
        [("Kites", FLY, "2024")],
        [],
    )


def build(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["build", *arguments, "-o", "out", "-f", "json"])


RECORDS_WITHOUT_ABSTRACT = [
    {"title": "PPO for kites on D4RL", "id": "k1"},
    {"title": "Nests", "id": "k2"},
    {**KITES, "id": "k3"},
]


@pytest.mark.slow
def test_kg_build_reports_how_many_papers_have_no_abstract(written: Written) -> None:
    written(json.dumps(RECORDS_WITHOUT_ABSTRACT))
    assert "2 papers have no abstract" in build("x").stdout
    printed = json.loads(build("x", "--json").stdout)
    assert (printed["papers"], printed["without abstract"], printed["skipped"]) == (3, 2, 0)


@pytest.fixture(scope="module")
def without_abstract(tmp_path_factory: pytest.TempPathFactory) -> citekg.Graph:
    """The graph of three papers, two of which have no abstract."""
    file = tmp_path_factory.mktemp("papers") / "x"
    file.write_text(json.dumps(RECORDS_WITHOUT_ABSTRACT), encoding="utf-8")
    return citekg.build(str(file))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPORTERS)
def test_every_export_format_includes_papers_without_an_abstract(
    without_abstract: citekg.Graph, name: str, tmp_path: Path
) -> None:
    file = tmp_path / f"graph{EXPORTERS[name].suffix}"
    without_abstract.save(file, name)
    assert file.stat().st_size
    if name in ("ttl", "json", "jsonld", "rdf"):
        assert validate(file) == ()
        again = citekg.load(file)
        assert {p.id: p.abstract for p in again.papers} == {"k1": "", "k2": "", "k3": FLY}
        assert [e.sentence for r in again.relations if r.paper == "k1" for e in again.evidence(r)]
    if name == "ttl":
        assert file.read_text(encoding="utf-8").count("dcterms:abstract ") == 1


# Reporting of problems


@pytest.mark.slow
def test_problems_are_listed_in_the_order_of_their_lines(written: Written) -> None:
    lines = [
        json.dumps(KITES),
        *(['{"abstract": "b", "id": "k"}', "{oops", '{"title": "a", "date": "soon"}'] * 4),
    ]
    name = written("\n".join(lines))
    problems = read_papers([name])[1]
    numbers = [int(problem.place.rpartition(":")[2]) for problem in problems]
    assert numbers == sorted(numbers)
    assert {9, 10} < {*numbers}
    result = build(name)
    assert result.exit_code == SKIPPED
    places = [
        line.split(": ")[1]
        for line in result.stderr.splitlines()
        if line.startswith(("skip", "warn"))
    ]
    assert places == [f"x:{number}" for number in numbers]


@pytest.mark.slow
def test_a_warning_does_not_fail_a_build_unless_it_is_strict(written: Written) -> None:
    name = written(json.dumps({**KITES, "date": "soon"}))
    result = build(name, "--json")
    assert (result.exit_code, json.loads(result.stdout)["skipped"]) == (0, 0)
    assert result.stderr.startswith("warning: x:1: the date 'soon' cannot be read")
    assert build(name, "--strict").exit_code == 1
    with pytest.warns(UserWarning, match="the date 'soon' cannot be read"):
        assert len(citekg.build(name).papers) == 1


def test_the_documentation_lists_every_key() -> None:
    documented = (Path(__file__).parents[3] / "docs" / "sources.md").read_text(encoding="utf-8")
    for field, keys in FIELD_KEYS.items():
        assert f"| {field} | {', '.join(f'`{key}`' for key in keys)} |\n" in documented
