"""Schema files: their keys, their effect on extraction, and the errors that are reported."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from citekg.building.pipeline import configuration_digest, make_pipeline
from citekg.curation.decisions import read_decisions
from citekg.domains import read_domain
from citekg.extractors.candidates.shipped_lexicon import shipped_lexicon
from citekg.schemas.errors import CitekgError, DecisionsError, GraphError, LexiconError, SchemaError
from citekg.schemas.records import Paper
from citekg.schemas.vocabulary import DEFAULT, ROLES, TYPES, EntityType, Role, Vocabulary

YAML = """
prefix: geo
namespace: https://example.org/geo#
extends: [Dataset, introduces, mentions]
lexicon: names.tsv
types:
  Mineral:
    plural: Minerals
    comment: A named mineral.
    link: cites
    names: [quartz, [calcite, calcspar]]
    endings: -ite
  FieldSite:
    like: Dataset
    cues: [drilled at NAME, the NAME site]
    confidence: 0.9
  Dataset:
    cues: [the NAME core collection]
roles:
  findsIn:
    label: finds
    parent: uses
    fits: Mineral
    phrases: [traces of NAME]
  uses:
    phrases: samples of NAME
"""
TOML = """
prefix = "geo"
namespace = "https://example.org/geo#"
extends = ["Dataset", "introduces", "mentions"]
lexicon = "names.tsv"
[types.Mineral]
plural = "Minerals"
comment = "A named mineral."
link = "cites"
names = ["quartz", ["calcite", "calcspar"]]
endings = "-ite"
[types.FieldSite]
like = "Dataset"
cues = ["drilled at NAME", "the NAME site"]
confidence = 0.9
[types.Dataset]
cues = ["the NAME core collection"]
[roles.findsIn]
label = "finds"
parent = "uses"
fits = "Mineral"
phrases = ["traces of NAME"]
[roles.uses]
phrases = "samples of NAME"
"""
ROWS = "name\ttype\taliases\tfamily\tflags\nolivine\tMineral\tperidot\t\t\n"


def schema(folder: Path, text: str, name: str = "schema.yaml", rows: str = ROWS) -> Path:
    (folder / "names.tsv").write_text(rows, encoding="utf-8")
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_equal_yaml_and_toml_schemas_give_the_same_domain(tmp_path: Path) -> None:
    one = read_domain(schema(tmp_path, YAML))
    assert one == read_domain(schema(tmp_path, TOML, "schema.toml"))
    assert (
        one.configuration_text()
        == read_domain(schema(tmp_path, TOML, "schema.toml")).configuration_text()
    )


def test_a_schema_adds_its_types_and_roles_to_those_that_it_extends(tmp_path: Path) -> None:
    vocabulary = read_domain(schema(tmp_path, YAML)).vocabulary
    assert [*vocabulary.types] == ["Dataset", "Mineral", "FieldSite"]
    assert [*vocabulary.roles] == ["introduces", "findsIn", "uses", "mentions"]
    assert vocabulary.types["FieldSite"].label == "field site"
    assert vocabulary.types["FieldSite"].plural == "Field sites"
    assert vocabulary.types["Mineral"].iri == "https://example.org/geo#Mineral"
    assert vocabulary.types["Dataset"] == TYPES["Dataset"]
    assert vocabulary.roles["uses"].fits == ("Dataset", "Mineral", "FieldSite")


def test_the_type_of_an_entity_determines_the_kind_of_link(tmp_path: Path) -> None:
    vocabulary = read_domain(schema(tmp_path, YAML)).vocabulary
    assert vocabulary.link("uses", "FieldSite") == "usesDataFrom"
    assert vocabulary.link("uses", "Mineral") == vocabulary.link("findsIn", "Mineral") == "cites"
    assert vocabulary.is_data("FieldSite")
    assert not vocabulary.is_data("Mineral")


def test_without_extends_all_shipped_types_and_roles_are_kept(tmp_path: Path) -> None:
    vocabulary = read_domain(schema(tmp_path, "types: {Mineral: {names: quartz}}")).vocabulary
    assert [*vocabulary.types] == [*TYPES, "Mineral"]
    assert [*vocabulary.roles] == [*ROLES]
    assert vocabulary.types["Mineral"].iri == "https://w3id.org/citekg/ontology#Mineral"
    assert vocabulary.link("uses", "Mineral") == "usesMethodIn"
    assert "Mineral" not in vocabulary.roles["trainsOn"].fits


def test_extends_none_keeps_only_the_required_roles(tmp_path: Path) -> None:
    domain = read_domain(schema(tmp_path, "extends: none\ntypes: {Mineral: {names: quartz}}"))
    assert [*domain.vocabulary.types] == ["Mineral"]
    assert [*domain.vocabulary.roles] == ["introduces", "uses", "mentions"]
    assert [entry.name for entry in domain.lexicon(shipped_lexicon().rows).rows] == ["quartz"]


def test_an_empty_schema_changes_nothing(tmp_path: Path) -> None:
    domain = read_domain(schema(tmp_path, ""))
    assert domain.vocabulary == DEFAULT
    text = "We train PPO on D4RL and compare it with Qwen2.5-7B. Graph Kite Search (GKS) is a novel planner."
    paper = Paper("p", "A title about PPO", text)
    assert make_pipeline(domain=domain).extract(paper) == make_pipeline().extract(paper)


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        ("colour: red", r"schema.yaml:1: colour: unknown key"),
        (
            "types:\n  Rock:\n    nmaes: [a]",
            r":3: types.Rock.nmaes: unknown key; did you mean names\?",
        ),
        ("types:\n  Rock: {}\n  Rock: {}", r":3: types.Rock: is given twice, first in line 2"),
        ("types:\n  Rock: {}\n  ROCK: {}", r"two terms"),
        (
            "types:\n  Method:\n    label: way",
            r":3: types.Method.label: Method is a shipped term",
        ),
        (
            "roles:\n  uses:\n    label: way",
            r":3: roles.uses.label: uses is a shipped term",
        ),
        (
            "types:\n  rock: {}",
            r":2: types.rock: the name of a type is a capital, then letters and digits",
        ),
        ("types:\n  Rock Type: {}", r"types.Rock Type: the name of a type is a capital"),
        ("types:\n  Paper: {}", r"types.Paper: Paper is a reserved name"),
        ("roles:\n  Finds: {}", r"roles.Finds: the name of a role is a small letter"),
        ("roles:\n  confidence: {}", r"roles.confidence: confidence is a reserved name"),
        ("roles:\n  known: {}", r"roles.known: known is a reserved name"),
        ("types:\n  Rock: {like: Stone}", r":2: types.Rock.like: 'Stone' is none of Method"),
        ("types:\n  Rock: {link: quotes}", r":2: types.Rock.link: 'quotes' is none of extends"),
        ("roles:\n  finds:\n    fits: [Method, Rock]", r":3: roles.finds.fits: 'Rock' is none of"),
        ("roles:\n  finds: {parent: sees}", r"finds below sees"),
        ("roles:\n  finds: {parent: sees}\n  sees: {parent: finds}", r"finds below sees"),
        ("roles:\n  finds: {parent: introduces}", r"introduces cannot be a parent"),
        ("extends: [Method, Rock]", r":1: extends: 'Rock' is none of"),
        ("extends: all", r":1: extends: 'all' is none of default, none"),
        (
            "extends: none\ntypes: {Dataset: {names: a1}}",
            r":2: types.Dataset: extends leaves it out",
        ),
        ("prefix: geo", r":1: prefix: give a namespace too"),
        ("prefix: cito\nnamespace: https://example.org/x#", r":1: prefix: 'cito' is taken"),
        ("prefix: x\nnamespace: 'https://example.org/a b#'", r":2: namespace: .* not a safe IRI"),
        ("prefix: x\nnamespace: https://example.org/x", r":2: namespace: .* ends in / or #"),
        ("prefix: x\nnamespace: 'javascript:alert(1)'", r":2: namespace: .* not a safe IRI"),
        ("prefix: x\nnamespace: https://schema.org/", r":2: namespace: .* belongs to another"),
        ("types:\n  Rock:\n    names: [quartz, '']", r":3: types.Rock.names: the value is empty"),
        ("types:\n  Rock:\n    names: ['--']", r":3: types.Rock.names: a name is empty"),
        ("types:\n  Rock:\n    names: [[]]", r":3: types.Rock.names: a name is empty"),
        (
            "types:\n  Rock: {names: quartz}\n  Stone: {names: Quartz}",
            r"'Quartz' is a name of Rock and of Stone",
        ),
        (
            "types:\n  Rock: {cues: [found there]}",
            r":2: types.Rock.cues: 'found there': write NAME or WORDS once",
        ),
        (
            "types:\n  Rock: {shapes: ['[']}",
            r":2: types.Rock.shapes: .* not a valid regular expression",
        ),
        ("types:\n  Rock: {endings: '-'}", r":2: types.Rock.endings: .* letters"),
        (
            "types:\n  Rock: {confidence: 0.2}",
            r":2: types.Rock.confidence: '0.2' is not a number from 0.5 to 1",
        ),
        ("types:\n  Rock: {confidence: much}", r"'much' is not a number"),
        ("types:\n  Rock: {confidence: nan}", r"'nan' is not a number"),
        (
            "roles:\n  finds: {phrases: [found]}",
            r":2: roles.finds.phrases: 'found': write NAME once",
        ),
        ("types: [Rock]", r":1: types: expected a table"),
        ("types:\n  Rock: stone", r":2: types.Rock: expected a table"),
        ("types: &a {Rock: {}}\nroles: *a", r"has an alias"),
        ("types: {", r"schema.yaml:1: not YAML|schema.yaml:2: not YAML"),
        ("!!python/object:os.system x", r"expected plain text|not YAML|expected a table"),
    ],
)
def test_schema_errors_are_reported_with_their_location(
    tmp_path: Path, text: str, reported: str
) -> None:
    with pytest.raises(SchemaError, match=reported):
        read_domain(schema(tmp_path, text))


def test_errors_in_toml_are_reported_with_the_key(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"schema.toml: types.Rock.like: 'Stone' is none of"):
        read_domain(schema(tmp_path, '[types.Rock]\nlike = "Stone"', "schema.toml"))
    with pytest.raises(SchemaError, match=r"schema.toml: not TOML: "):
        read_domain(schema(tmp_path, "types", "schema.toml"))


def test_missing_unsupported_and_non_utf_8_schema_files_are_reported(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match=r"none.yaml: cannot be read"):
        read_domain(tmp_path / "none.yaml")
    with pytest.raises(SchemaError, match=r"ends in .yaml, .yml or .toml"):
        read_domain(schema(tmp_path, "{}", "schema.json"))
    (tmp_path / "latin.yaml").write_bytes(b"types: \xe9")
    with pytest.raises(SchemaError, match="not UTF-8"):
        read_domain(tmp_path / "latin.yaml")


def test_a_missing_lexicon_is_reported(tmp_path: Path) -> None:
    with pytest.raises(LexiconError, match=r"nowhere.tsv: cannot be read"):
        read_domain(schema(tmp_path, "lexicon: nowhere.tsv"))


@pytest.mark.parametrize(
    ("row", "reported"),
    [("quartz\tRock\t\t\t", "names.tsv:2: expected"), ("\tMineral\t\t\t", "names.tsv:2: expected")],
)
def test_an_invalid_row_of_the_lexicon_is_reported_with_file_and_line(
    tmp_path: Path, row: str, reported: str
) -> None:
    with pytest.raises(LexiconError, match=reported):
        read_domain(schema(tmp_path, YAML, rows=f"{ROWS.splitlines()[0]}\n{row}\n"))


def extracted(path: Path, *texts: str) -> dict[str, tuple[str, list[str]]]:
    reader = make_pipeline(domain=read_domain(path))
    title, text = texts if len(texts) > 1 else ("On rocks", texts[0])
    return {
        e.name: (e.type, [r for r, _, _ in e.roles])
        for e in reader.extract(Paper("p", title, text)).entities
    }


def test_names_endings_and_cues_give_entities_with_their_confidence(tmp_path: Path) -> None:
    reader = make_pipeline(domain=read_domain(schema(tmp_path, YAML)))
    text = "Traces of quartz and zirkonite were drilled at Kola-3. Peridot and calcspar lay there."
    read = reader.extract(Paper("p", "On rocks", text)).entities
    assert {(e.name, e.type, e.confidence) for e in read} == {
        ("quartz", "Mineral", 0.95),
        ("zirkonite", "Mineral", 0.75),
        ("Kola-3", "FieldSite", 0.9),
        ("olivine", "Mineral", 0.95),
        ("calcite", "Mineral", 0.95),
    }
    assert {e.layer for e in read if e.name == "quartz"} == {"lexicon"}


def test_a_name_found_by_a_cue_is_found_everywhere_in_the_paper(tmp_path: Path) -> None:
    reader = make_pipeline(domain=read_domain(schema(tmp_path, YAML)))
    text = "Kola-3 is deep. It was drilled at Kola-3 for years. Kola-3 rests."
    [site] = reader.extract(Paper("p", "On rocks", text)).entities
    assert len(site.spans) == 3


def test_phrases_give_roles_and_the_narrower_role_takes_precedence(tmp_path: Path) -> None:
    path = schema(tmp_path, YAML)
    assert extracted(path, "We took samples of quartz.")["quartz"] == ("Mineral", ["uses"])
    assert extracted(path, "We took samples of quartz. Traces of quartz glow.")["quartz"] == (
        "Mineral",
        ["findsIn"],
    )


def test_a_schema_can_add_cues_to_a_shipped_type(tmp_path: Path) -> None:
    assert (
        extracted(schema(tmp_path, YAML), "We read the Ostra core collection.")["Ostra"][0]
        == "Dataset"
    )


def test_types_that_the_schema_omits_are_not_extracted(tmp_path: Path) -> None:
    text = "We train PPO with Qwen2.5-7B on D4RL. Traces of quartz."
    assert {type_ for type_, _ in extracted(schema(tmp_path, YAML), text).values()} <= {
        "Dataset",
        "Mineral",
    }


def test_a_defined_short_form_is_a_surface_of_the_entity(tmp_path: Path) -> None:
    path = schema(tmp_path, "types: {Illness: {names: stone fever}}")
    read = make_pipeline(domain=read_domain(path)).extract(
        Paper("p", "On rocks", "We met stone fever (SF) in a mine. SF is mild. It spread.")
    )
    [illness] = [e for e in read.entities if e.type == "Illness"]
    assert {"SF", "stone fever"} <= {*illness.surfaces}
    assert illness.confidence == 0.95


def test_the_schema_changes_the_configuration_digest_and_can_be_pickled(tmp_path: Path) -> None:
    domain = read_domain(schema(tmp_path, YAML))
    other = read_domain(schema(tmp_path, YAML.replace("traces of", "crumbs of")))
    digests = [configuration_digest(make_pipeline(domain=d)) for d in (None, domain, other)]
    assert len({*digests}) == 3
    assert pickle.loads(pickle.dumps(domain)) == domain
    assert (
        configuration_digest(make_pipeline(domain=read_domain(schema(tmp_path, YAML))))
        == digests[1]
    )


def test_rows_of_an_additional_lexicon_can_have_types_of_the_schema(
    tmp_path: Path,
) -> None:
    domain = read_domain(schema(tmp_path, YAML))
    additional = tmp_path / "more.tsv"
    additional.write_text(f"{ROWS.splitlines()[0]}\nbasalt\tMineral\t\t\t\n", encoding="utf-8")
    read = make_pipeline(lexicons=[additional], domain=domain).extract(
        Paper("p", "On rocks", "Traces of basalt and quartz.")
    )
    assert {e.name: e.type for e in read.entities} == {"basalt": "Mineral", "quartz": "Mineral"}
    with pytest.raises(LexiconError, match=r"more.tsv:2"):
        make_pipeline(lexicons=[additional])


def test_decisions_are_checked_against_the_types_and_roles_of_the_schema(tmp_path: Path) -> None:
    vocabulary = read_domain(schema(tmp_path, YAML)).vocabulary
    file = tmp_path / "decisions.yaml"
    signed = "author: Ada, date: 2026-01-31, reason: r"
    file.write_text(f"- {{kind: type, name: quartz, type: Mineral, {signed}}}\n", encoding="utf-8")
    assert len(read_decisions(file, vocabulary).entries) == 1
    with pytest.raises(DecisionsError, match="'Mineral' is none of Method"):
        read_decisions(file)
    file.write_text(
        f"- {{kind: role, paper: p, name: quartz, role: extends, {signed}}}\n", encoding="utf-8"
    )
    with pytest.raises(
        DecisionsError, match="'extends' is none of introduces, findsIn, uses, mentions"
    ):
        read_decisions(file, vocabulary)


ROCK = EntityType("Rock", "rock", "Rocks", "", "Method")
ROCK_ROLES = tuple(Role(name, name, ("Rock",), "") for name in ("introduces", "uses", "mentions"))


@pytest.mark.parametrize(
    ("types", "roles", "spaces"),
    [
        ((ROCK, ROCK), ROCK_ROLES, ()),
        ((ROCK,), ROCK_ROLES[1:], ()),
        ((EntityType("Rock", "rock", "Rocks", "", "Stone"),), ROCK_ROLES, ()),
        ((EntityType("Ro ck", "rock", "Rocks", "", "Method"),), ROCK_ROLES, ()),
        ((EntityType("Rock", "rock", "Rocks", "", "Method", namespace="x y#"),), ROCK_ROLES, ()),
        ((EntityType("Rock", "rock", "Rocks", "", "Method", "likes"),), ROCK_ROLES, ()),
        ((ROCK,), (*ROCK_ROLES, Role("finds", "finds", ("Stone",), "")), ()),
        ((ROCK,), (*ROCK_ROLES, Role("finds", "finds", ("Rock",), "", "sees")), ()),
        ((ROCK,), (*ROCK_ROLES, Role("finds", "finds", ("Rock",), "", "finds")), ()),
        ((ROCK,), ROCK_ROLES, (("ckg", "https://example.org/x#"),)),
        ((ROCK,), ROCK_ROLES, (("x", "https://example.org/<x>#"),)),
    ],
)
def test_an_inconsistent_vocabulary_is_rejected(
    types: tuple[EntityType, ...],
    roles: tuple[Role, ...],
    spaces: tuple[tuple[str, str], ...],
) -> None:
    with pytest.raises(GraphError):
        Vocabulary(types, roles, spaces)


def test_schema_errors_are_citekg_errors() -> None:
    assert issubclass(SchemaError, CitekgError)


def test_omitted_roles_do_not_reduce_the_confidence_of_the_other_roles(
    tmp_path: Path,
) -> None:
    schema = tmp_path / "s.yaml"
    schema.write_text("extends: [Dataset, uses, mentions]\n", encoding="utf-8")
    paper = Paper(
        "p",
        "Trees for clinics",
        "We evaluate our trees on the ImageNet dataset. Results on ImageNet are good.",
    )
    extracted = make_pipeline(domain=read_domain(schema)).extract(paper).entities
    assert [(e.name, e.roles[0][0]) for e in extracted] == [("ImageNet", "uses")]
    assert extracted[0].roles[0][1] > 0.3
