"""The lexicon: how its tables are read, and how its names are found in a text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.extractors.candidates.lexicon import Entry, Lexicon, read_table
from citekg.schemas.errors import LexiconError

HEADER = "name\ttype\taliases\tfamily\tflags\n"


def table(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "names.tsv"
    path.write_text(HEADER + "".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def lexicon(tmp_path: Path, *rows: str) -> Lexicon:
    return Lexicon.of(read_table(table(tmp_path, *rows)))


def found(known: Lexicon, text: str) -> list[tuple[str, str]]:
    """Return the matched surface forms with the names of their entries, without nested matches."""
    hits: list[tuple[int, int, str]] = []
    for hit in known.find(text):
        if not any(a <= hit.start and hit.end <= b for a, b, _ in hits):
            hits.append((hit.start, hit.end, hit.entry.name))
    return [(text[a:b], name) for a, b, name in hits]


# Tables


def test_a_row_sets_all_fields_of_an_entry(tmp_path: Path) -> None:
    path = table(
        tmp_path, "Kite Net\tModel\tKN?|kite-net\tKite\tumbrella exact context=Sky| wind |AIR"
    )
    assert list(read_table(path)) == [
        Entry(
            name="Kite Net",
            type="Model",
            aliases=("KN", "kite-net"),
            family="Kite",
            umbrella=True,
            exact=True,
            context=("sky", "wind", "air"),
            doubtful=frozenset({"KN"}),
        )
    ]


def test_only_the_name_and_the_type_of_a_row_are_required(tmp_path: Path) -> None:
    assert list(read_table(table(tmp_path, "Kite\tMethod\t\t\t"))) == [Entry("Kite", "Method")]


@pytest.mark.parametrize(
    "row",
    [
        "Kite\tMethod",
        "Kite\tMethod\t\t\t\t",
        "\tMethod\t\t\t",
        "Kite\tRobot\t\t\t",
        "Kite\tmethod\t\t\t",
        "Kite",
    ],
)
def test_the_error_for_an_invalid_row_states_the_file_and_the_line(
    tmp_path: Path, row: str
) -> None:
    path = table(tmp_path, "Good\tMethod\t\t\t", row)
    with pytest.raises(LexiconError) as error:
        list(read_table(path))
    assert str(error.value).startswith(
        f"{path}:3: expected 5 columns, a name and a type of Method, "
    )


@pytest.mark.parametrize("text", ["", "Kite\tMethod\t\t\t\n", "name,type,aliases,family,flags\n"])
def test_a_table_without_a_valid_header_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "names.tsv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(
        LexiconError, match="1: the first line must name the columns name, type, aliases"
    ):
        list(read_table(path))


def test_the_first_of_two_rows_with_the_same_key_defines_the_entry(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "Kite Net\tModel\t\t\t", "kite-net\tMethod\t\t\t")
    assert [(e.name, e.type) for e in known.entries.values()] == [("Kite Net", "Model")]


# Finding


@pytest.mark.parametrize(
    ("row", "text", "surface"),
    [
        ("Kite Net\tModel\t\t\t", "We train Kite Net.", "Kite Net"),
        ("Kite Net\tModel\t\t\t", "We train kite net.", "kite net"),
        ("Kite Net\tModel\t\t\t", "We train Kite-Net.", "Kite-Net"),
        ("Kite Net\tModel\t\t\t", "We train Kite\u2011Net.", "Kite\u2011Net"),
        ("Kite Net\tModel\t\t\t", "We train Kite\nNet.", "Kite\nNet"),
        ("kite search\tMethod\t\t\t", "Kite Search wins.", "Kite Search"),
        ("kite search\tMethod\t\t\t", "many kite searchs here", "kite searchs"),
        ("Kite Net\tModel\t\t\t", "two Kite Nets", "Kite Nets"),
        ("GKO\tMethod\t\t\t", "GKO wins", "GKO"),
        ("GKO\tMethod\t\t\t", "(GKO)-based", "GKO"),
        ("GKO\tMethod\t\t\t", "two GKOs", "GKOs"),
        ("Qwen2.5-VL\tModel\t\t\t", "with Qwen2.5-VL, and", "Qwen2.5-VL"),
        ("Qwen2.5-VL\tModel\t\t\t", "with Qwen 2.5 VL", "Qwen 2.5 VL"),
        ("HumanEval+\tBenchmark\t\t\t", "on HumanEval+.", "HumanEval+"),
        ("C#\tMethod\t\t\t", "in C# now", "C#"),
        ("A*\tMethod\t\t\t", "with A* search", "A*"),
        ("Kite\tMethod\tfirst alias|KT\t\t", "a first alias here", "first alias"),
    ],
)
def test_spelling_variants_and_plurals_of_a_name_are_found(
    tmp_path: Path, row: str, text: str, surface: str
) -> None:
    assert [s for s, _ in found(lexicon(tmp_path, row), text)] == [surface]


@pytest.mark.parametrize(
    ("row", "text"),
    [
        ("GKO\tMethod\t\t\t", "gko in small letters"),
        ("Kite\tMethod\t\t\t", "a kite in the sky"),
        ("GKO\tMethod\t\t\t", "GKO2 and XGKO"),
        ("Llama-3.1\tModel\t\t\t", "Llama-3.2 and Llama-3"),
        ("CIFAR-10\tDataset\t\t\t", "on CIFAR-100"),
        ("Kite Net\tModel\t\t\t", "Kite, Net"),
        ("Kite Net\tModel\t\t\texact", "kite net"),
        ("SAC\tMethod\t\t\t", "a sac of kites"),
        ("IP\tMethod\t\t\t", "an ip"),
    ],
)
def test_text_that_only_resembles_a_name_is_not_matched(
    tmp_path: Path, row: str, text: str
) -> None:
    assert found(lexicon(tmp_path, row), text) == []


def test_exact_names_are_case_sensitive_and_are_found_in_the_plural(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "Kite Net\tModel\t\t\texact")
    assert [s for s, _ in found(known, "Kite Net, Kite-Nets, KITE NET, kite net")] == [
        "Kite Net",
        "Kite-Nets",
    ]


def test_a_longer_match_comes_before_the_shorter_match_inside_it(tmp_path: Path) -> None:
    known = lexicon(
        tmp_path, "Kite\tMethod\t\t\t", "Kite Net\tModel\t\t\t", "Kite Net 2\tModel\t\t\t"
    )
    assert [h.entry.name for h in known.find("Kite Net 2")][:3] == [
        "Kite Net 2",
        "Kite Net",
        "Kite",
    ]


def test_a_name_with_a_context_needs_a_context_word_in_the_text(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "Nest\tBenchmark\t\t\tcontext=bird|egg count")
    assert found(known, "We test on Nest.") == []
    assert found(known, "A Bird task. We test on Nest.") == [("Nest", "Nest")]
    assert found(known, "We test on Nest: an egg count.") == [("Nest", "Nest")]
    assert found(known, "We test on Nest with birdsong.") == []


def test_a_name_is_not_a_context_word_of_itself(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "Nest\tBenchmark\t\t\tcontext=nest")
    assert found(known, "We test on Nest.") == []


def test_if_some_aliases_are_marked_doubtful_only_these_need_the_context(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "Nest Bench\tBenchmark\tNB?|NestB\t\tcontext=bird")
    assert [s for s, _ in found(known, "Nest Bench, NestB and NB")] == ["Nest Bench", "NestB"]
    assert [s for s, _ in found(known, "Nest Bench, NestB and NB of a bird")] == [
        "Nest Bench",
        "NestB",
        "NB",
    ]


def test_the_context_selects_the_sense_of_an_ambiguous_alias(
    tmp_path: Path,
) -> None:
    rows = ("Bird Nest\tBenchmark\tBN?\t\tcontext=bird", "batch norm\tMethod\tBN?\t\tcontext=layer")
    known = lexicon(tmp_path, *rows)
    assert found(known, "BN in every layer") == [("BN", "batch norm")]
    assert found(known, "BN of a bird") == [("BN", "Bird Nest")]
    assert found(known, "BN alone") == []


@given(st.text(alphabet="KiteNe GKO2.+-*()\n", max_size=40))
def test_every_match_begins_and_ends_at_a_word_boundary(text: str) -> None:
    known = Lexicon.of(
        [Entry("Kite Net", "Model"), Entry("GKO", "Method"), Entry("GKO+", "Method", ("K2",))]
    )
    for hit in known.find(text):
        assert text[hit.start : hit.end].strip() == text[hit.start : hit.end] != ""
        assert not text[hit.start - 1 : hit.start].isalnum() or hit.start == 0
        assert not text[hit.end : hit.end + 1].isalnum()


def test_an_empty_lexicon_finds_no_names() -> None:
    assert list(Lexicon.of([]).find("Kite Net on CIFAR-10")) == []


def test_an_acronym_inside_a_name_must_begin_with_a_capital_letter(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "nest search\tMethod\tMARSH search\t\t")
    assert found(known, "MARSH search, Marsh Search") == [
        ("MARSH search", "nest search"),
        ("Marsh Search", "nest search"),
    ]
    assert not found(known, "by marsh search")


def test_case_distinguishes_spellings_that_belong_to_different_entities(
    tmp_path: Path,
) -> None:
    rows = ("KeStrel (data)\tDataset\tKeStrel", "KeStrel-S\tDataset\t", "Kestrel\tModel\t")
    known = lexicon(tmp_path, *(f"{row}\t\t" for row in rows))
    assert found(known, "on KeStrel-S") == [("KeStrel-S", "KeStrel-S")]
    assert found(known, "with Kestrel-S") == [("Kestrel", "Kestrel")]


def test_case_is_ignored_if_both_spellings_belong_to_one_entity(tmp_path: Path) -> None:
    known = lexicon(tmp_path, "KESTREL\tModel\tKestrel\t\t", "KESTREL-2\tModel\t\t\t")
    assert found(known, "with Kestrel-2") == [("Kestrel-2", "KESTREL-2")]


@pytest.mark.parametrize(
    ("long", "may"),
    [
        ("anchored-policy-search", True),
        ("aps-method", True),
        ("aps-with-kite-feather", False),
        ("anchored-pond-search", False),
        ("deep-anchored-policy-search", True),
    ],
)
def test_an_entry_matches_long_forms_with_all_its_words_or_a_head_noun(
    long: str, may: bool
) -> None:
    entry = Entry("anchored policy search", "Method", ("APS",))
    assert entry.may_stand_for(long) == may


@pytest.mark.parametrize(
    ("long", "does"),
    [
        ("anchored-policy-search", True),
        ("anchor-policy-searching", True),
        ("anchored-pond-search", True),
        ("adaptive-pond-search", False),
        ("area-per-second", False),
    ],
)
def test_an_entry_resembles_long_forms_that_share_half_of_their_words(
    long: str, does: bool
) -> None:
    assert Entry("anchored policy search", "Method", ("APS",)).resembles(long) == does
    assert Entry("APS", "Method").resembles(long)
