"""The questions of the page: answers on the daily papers, compared with the graph's records."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import citekg
from citekg.exports import write
from citekg.exports.graphs.node_link import entity_node, paper_node
from citekg.graph.graph import Graph
from citekg.graph.notebook import write_page
from citekg.schemas.graph import KnowledgeGraph
from citekg.schemas.records import Entity, Mention, Paper, Relation
from citekg.schemas.vocabulary import CITES
from tests.exports.page.browsing import Reader
from tests.sample import sample_graph
from tests.sharing import made_once

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DAILY_PAPERS = Path(__file__).parents[4] / "shared" / "corpus" / "daily-papers"
#: The rows of the table of an answer: for each cell its text, and the keys of the nodes it links to.
ROWS = """title => {
    const heading = [...document.querySelectorAll("#panel h3")].find((h) => h.textContent.startsWith(title));
    const keys = (cell) => [...cell.querySelectorAll("a")].map((a) => new URLSearchParams(a.hash.slice(1)).get("at"));
    const rows = heading.parentElement.querySelectorAll("tr.result");
    return [...rows].map((row) => [...row.cells].map((cell) => ({ text: cell.textContent, keys: keys(cell) })));
}"""


class Claims:
    """The certain claims of a graph by paper, computed from its records."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.by_paper: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for relation in graph.relations:
            if not graph.is_tentative(relation):
                self.by_paper[relation.paper][relation.role].add(relation.entity)
        self.links = [link for link in graph.links if not graph.is_tentative(link)]
        self.results = [result for result in graph.results if not graph.is_tentative(result)]

    def entity(self, name: str) -> str:
        """Return the id of the entity of a name; of several, the one that most papers name."""
        found = [e.id for e in self.graph.entities if name in (e.name, *e.aliases)]
        return max(found, key=lambda e: len(self.naming[e]))

    @cached_property
    def naming(self) -> dict[str, set[str]]:
        """The papers that name each entity."""
        papers: dict[str, set[str]] = defaultdict(set)
        for paper, roles in self.by_paper.items():
            for entity in set().union(*roles.values()):
                papers[entity].add(paper)
        return papers

    def is_data(self, entity: str) -> bool:
        return self.graph.vocabulary.is_data(self.graph.entity_by_id[entity].type)

    def rivals(self, entity: str) -> dict[str, set[str]]:
        """Return the systems that papers compare an entity with, each with these papers."""
        found: dict[str, set[str]] = defaultdict(set)
        for paper, roles in self.by_paper.items():
            compared = roles["comparesTo"] | roles["outperforms"]
            own = roles["introduces"] - compared
            if entity in own | compared:
                for other in compared if entity in own else own | compared:
                    found[other].add(paper)
        for result in self.results:
            sides = [{n.entity for n in names} for names in (result.systems, result.versus)]
            for here, there in (sides, sides[::-1]):
                for other in there if entity in here else ():
                    found[other].add(result.paper)
        known = self.graph.entity_by_id
        return {
            e: p for e, p in found.items() if e in known and e != entity and not self.is_data(e)
        }


def entity_keys(entities: Iterable[str]) -> list[str]:
    return [entity_node(e) for e in entities]


def rows(reader: Reader, title: str) -> list[list[Any]]:
    """Return the rows of a table: of each cell the keys of its nodes, or else its text."""
    found = reader.tab.evaluate(ROWS, title)
    return [[cell["keys"] or cell["text"] for cell in row] for row in found]


def ask(reader: Reader, page: Path, question: str, title: str) -> list[list[Any]]:
    reader.open(page, ask=question)
    while reader.tab.locator("#panel .more:has-text('Show all')").count():
        reader.tab.locator("#panel .more:has-text('Show all')").first.click()
    return rows(reader, title)


@pytest.fixture(scope="module")
def daily(tmp_path_factory: pytest.TempPathFactory) -> Claims:
    """The claims of the daily papers."""
    if not DAILY_PAPERS.is_dir():
        pytest.skip("the daily papers are not on this machine")
    file = made_once(
        "daily.json", lambda path: citekg.build([DAILY_PAPERS]).save(path), tmp_path_factory
    )
    return Claims(citekg.load(file))


@pytest.fixture(scope="module")
def page(daily: Claims, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("questions") / "daily.html"
    write(daily.graph, path, "html")
    return path


@pytest.fixture(scope="module")
def tab(browser: Browser) -> Iterator[Reader]:
    """One tab for all questions; it may neither log messages nor send requests."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    reader = Reader(context.new_page())
    yield reader
    context.close()
    assert reader.messages == []
    assert [url for url in reader.requests if url.startswith("http")] == []


def test_the_extends_answer_lists_the_extending_papers_and_their_entities(
    daily: Claims, page: Path, tab: Reader
) -> None:
    grpo = daily.entity("GRPO")
    expected = {
        paper_node(paper): sorted(
            entity_keys(e for e in roles["introduces"] if e != grpo and not daily.is_data(e))
        )
        for paper, roles in daily.by_paper.items()
        if grpo in roles["extends"]
    }
    found = ask(tab, page, f"extends {entity_node(grpo)}", "Extensions")
    assert {row[1][0]: sorted(row[0]) if row[0] != "not named" else [] for row in found} == expected
    assert len(expected) >= 2


def test_the_path_between_two_entities_is_a_shortest_path(
    daily: Claims, page: Path, tab: Reader
) -> None:
    start, end = daily.entity("PPO"), daily.entity("D4RL")
    near: dict[str, set[str]] = defaultdict(set)
    pairs = [(e, p) for e, papers in daily.naming.items() for p in papers]
    pairs += [
        (i.entity, i.paper)
        for i in daily.graph.introductions
        if i.entity not in daily.graph.tentative_entities
    ]
    families = [(e.id, e.family) for e in daily.graph.entities if e.family in daily.naming]
    for a, b in pairs + [(a, b) for a, b in families if a in daily.naming]:
        near[a].add(b)
        near[b].add(a)
    steps, layer = 0, {start}
    while end not in layer:
        steps, layer = steps + 1, set().union(*(near[node] for node in layer))
    tab.open(page, path=f"{entity_node(start)}>{entity_node(end)}")
    assert tab.tab.locator("#panel .path > li").count() == steps
    assert "D4RL" in tab.text("#panel .path > li:last-child")


def test_the_compared_answer_ranks_rivals_by_the_number_of_papers(
    daily: Claims, page: Path, tab: Reader
) -> None:
    dpo = daily.entity("DPO")
    expected = {entity_node(e): len(papers) for e, papers in daily.rivals(dpo).items()}
    found = ask(tab, page, f"compared {entity_node(dpo)}", "Rivals")
    counts = [(row[0][0], int(row[1])) for row in found]
    assert dict(counts) == expected
    assert [n for _, n in counts] == sorted(expected.values(), reverse=True)
    assert counts[0][1] > 1


def test_the_replaced_answer_lists_the_replacements_and_their_papers(
    daily: Claims, page: Path, tab: Reader
) -> None:
    type_of = {e.id: e.type for e in daily.graph.entities}
    replaced: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for paper, roles in daily.by_paper.items():
        for old in roles["comparesTo"] | roles["outperforms"]:
            if old in roles["extends"] or (old in roles["outperforms"] and old in roles["uses"]):
                new = {e for e in roles["introduces"] if e != old and type_of[e] == type_of[old]}
                replaced[old] |= {(entity_node(e), paper_node(paper)) for e in new}
    older = max(replaced, key=lambda e: (len(replaced[e]), e))
    found = ask(tab, page, f"replaced {entity_node(older)}", "Replacements")
    assert {(new, row[2][0]) for row in found for new in row[0]} == replaced[older] != set()
    ask(tab, page, f"replaced {entity_node(daily.entity('PPO'))}", "Replacements")
    assert replaced[daily.entity("PPO")] == set()
    assert "None in this corpus" in tab.text("#panel")


def test_the_read_answer_ranks_the_papers_that_papers_of_a_topic_build_on(
    daily: Claims, page: Path, tab: Reader
) -> None:
    topic = daily.entity("offline reinforcement learning")
    variants = {topic}
    while more := {e.id for e in daily.graph.entities if e.family in variants} - variants:
        variants |= more
    papers = {
        paper
        for paper, roles in daily.by_paper.items()
        if any(entities & variants for role, entities in roles.items() if role != "mentions")
    }
    builders: dict[str, set[str]] = defaultdict(set)
    for link in daily.links:
        if link.kind != CITES:
            builders[link.cited].add(link.citing)
    all_papers = len(daily.graph.papers)
    scores = {
        paper: len(by & papers) * math.log((all_papers + 1) / len(by))
        for paper, by in builders.items()
        if len(by & papers) > 1
    }
    found = ask(tab, page, f"read {entity_node(topic)}", "Most built on")
    listed = {paper_node(p): (len(builders[p] & papers), len(builders[p])) for p in scores}
    assert {row[0][0]: (int(row[1]), int(row[2])) for row in found}.items() <= listed.items()
    best = sorted(scores.values(), reverse=True)[: len(found)]
    ids = {paper_node(p): p for p in scores}
    assert [scores[ids[row[0][0]]] for row in found] == pytest.approx(best)
    assert len(found) == min(8, len(scores))
    assert f"Over the {len(papers)} papers" in tab.text("#panel")


def test_the_grid_counts_papers_with_a_model_that_evaluate_on_a_benchmark(
    daily: Claims, page: Path, tab: Reader
) -> None:
    type_of = {e.id: e.type for e in daily.graph.entities}
    pairs: Counter[tuple[str, str]] = Counter()
    for roles in daily.by_paper.values():
        models = [e for e in set().union(*roles.values()) if type_of[e] == "Model"]
        tested = [e for e in roles["evaluatesOn"] if type_of[e] == "Benchmark"]
        pairs.update((entity_node(m), entity_node(b)) for m in models for b in tested)
    types = list(daily.graph.vocabulary.types)
    numbers = f"{types.index('Model')}x{types.index('Benchmark')}"
    tab.open(page, pane="grid", grid=f"{numbers}++evaluatesOn")
    cells = tab.tab.evaluate("""() => {
        const key = (cell) => new URLSearchParams(cell.querySelector("a").hash.slice(1)).get("at");
        const columns = [...document.querySelectorAll(".grid thead th")].map(key);
        return [...document.querySelectorAll(".grid tbody tr")].flatMap((row) =>
            columns.map((column, i) => [key(row.cells[0]), column, Number(row.cells[i + 1].textContent)]));
    }""")
    assert {(row, column): count for row, column, count in cells if count}.items() <= pairs.items()
    assert all(pairs[row, column] == count for row, column, count in cells)
    assert sum(count for _, _, count in cells) > 30
    (row, column), count = max(
        ((pair, n) for pair, n in pairs.items() if (*pair, n) in {tuple(c) for c in cells}),
        key=lambda found: found[1],
    )
    names = {entity_node(e.id): e.name for e in daily.graph.entities}
    tab.tab.click(f".grid button[aria-label^='{names[row]} and {names[column]}:']")
    assert len(rows(tab, "Papers")) == count


def test_the_introduced_answer_counts_the_other_papers_that_use_each_entity(
    daily: Claims, page: Path, tab: Reader
) -> None:
    users: dict[str, set[str]] = defaultdict(set)
    for link in daily.links:
        if link.kind != CITES and link.cited in daily.graph.paper_by_id:
            users[link.entity].add(link.citing)
    expected = {entity_node(e): len(papers) for e, papers in users.items()}
    found = ask(tab, page, "introduced", "Introduced here")
    assert {row[0][0]: int(row[3]) for row in found} == expected
    assert found[0][0] == entity_keys([daily.entity("PPO")])


def test_the_beside_answer_lists_data_comparisons_and_rivals_of_both_entities(
    daily: Claims, page: Path, tab: Reader
) -> None:
    ppo, dpo = daily.entity("PPO"), daily.entity("DPO")
    ownership = {"introduces", *daily.graph.vocabulary.adoption_roles}
    data: dict[str, Counter[str]] = {ppo: Counter(), dpo: Counter()}
    for roles in daily.by_paper.values():
        used = set().union(*(roles[r] for r in daily.graph.vocabulary.adoption_roles))
        for system, used_data in data.items():
            if any(system in roles[role] for role in ownership):
                used_data.update(e for e in used if daily.is_data(e))
    question = f"beside {entity_node(ppo)} {entity_node(dpo)}"
    found = ask(tab, page, question, "Benchmarks and data")
    counts = {row[0][0]: [int(n) if n != "–" else 0 for n in row[2:]] for row in found}
    assert counts == {
        entity_node(e): [data[ppo][e], data[dpo][e]] for e in data[ppo].keys() | data[dpo].keys()
    }
    both = daily.rivals(ppo)[dpo]
    assert {row[0][0] for row in rows(tab, "Compared with each other")} == {
        paper_node(p) for p in both
    }
    rivals = [daily.rivals(e) for e in (ppo, dpo)]
    expected = {entity_node(e) for e in rivals[0].keys() | rivals[1].keys()} - set(
        entity_keys([ppo, dpo])
    )
    assert {row[0][0] for row in rows(tab, "Rivals")} == expected


def test_similar_papers_are_ranked_by_shared_rare_entities(
    daily: Claims, page: Path, tab: Reader
) -> None:
    strength = dict.fromkeys(("introduces", "extends"), 3.0)
    strength |= dict.fromkeys(("trainsOn", "uses", "outperforms"), 2.0)
    strength |= {"evaluatesOn": 1.5, "comparesTo": 1.5, "mentions": 0.5}
    papers = len(daily.graph.papers)
    weights: dict[str, dict[str, float]] = defaultdict(dict)
    for paper, roles in daily.by_paper.items():
        for entity in set().union(*roles.values()):
            strongest = max(strength[role] for role, found in roles.items() if entity in found)
            rarity = math.log(papers / len(daily.naming[entity]))
            weights[paper][entity] = strongest * rarity
    given = max(weights, key=lambda p: (len(daily.by_paper[p]["evaluatesOn"]), p))
    own = weights[given]

    def similarity(other: str) -> float:
        common = sum(min(own[e], w) for e, w in weights[other].items() if e in own)
        return common / (sum(own.values()) + sum(weights[other].values()) - common)

    scores = sorted((similarity(p) for p in weights if p != given), reverse=True)
    found = ask(tab, page, f"like {paper_node(given)}", "Similar papers")
    ids = {paper_node(p): p for p in weights}
    assert [similarity(ids[row[0][0]]) for row in found] == pytest.approx(scores[: len(found)])
    assert all(
        sorted(row[1]) == sorted(entity_keys(own.keys() & weights[ids[row[0][0]]].keys()))
        for row in found
    )


def test_an_answer_row_shows_its_evidence_and_the_answer_is_saved_as_csv(
    daily: Claims, page: Path, tab: Reader
) -> None:
    grpo = daily.entity("GRPO")
    tab.open(page, ask=f"extends {entity_node(grpo)}")
    tab.tab.click("#panel .unfold >> nth=0")
    assert tab.tab.locator("#panel tr.sentence blockquote mark").first.inner_text()
    with tab.tab.expect_download() as download:
        tab.tab.click("#panel button:has-text('Save CSV') >> nth=0")
    text = Path(download.value.path()).read_text("utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    extending = {p: r for p, r in daily.by_paper.items() if grpo in r["extends"]}
    assert {line["Paper (key)"] for line in lines} == {paper_node(p) for p in extending}
    assert all(daily.graph.paper_by_id[p].title in text for p in extending)


RUN = sample_graph().run


def graph_of(papers: Iterable[tuple[Paper, dict[str, str]]]) -> KnowledgeGraph:
    """Return a graph of papers with the roles of names in them; names with `Nest` are benchmarks."""
    entities: dict[str, Entity] = {}
    mentions, relations, kept = [], [], []
    for paper, roles in papers:
        kept.append(paper)
        for name, role in roles.items():
            type_ = "Benchmark" if "Nest" in name else "Method"
            entity = Entity(name.lower(), name, type_, (), ((type_, 1),))
            entities[entity.id] = entity
            start = paper.text.index(name)
            sentence = (len(paper.title) + 1, len(paper.text))
            mention = Mention(
                paper.id, entity.id, start, start + len(name), name, type_, sentence, "x", 0.9
            )
            mentions.append(mention)
            relations.append(Relation(paper.id, role, entity.id, 0.9, (mention.id,)))
    return KnowledgeGraph.of(
        papers=kept,
        entities=entities.values(),
        mentions=mentions,
        relations=relations,
        links=(),
        run=RUN,
    )


def dated(year: int, number: int, roles: dict[str, str]) -> tuple[Paper, dict[str, str]]:
    names = ", ".join(roles) or "nothing"
    paper = Paper(f"{year}-{number}", f"Birds {year}-{number}", f"We name {names}.", f"{year}-03")
    return paper, roles


#: By year, the numbers of papers that evaluate on OldNest and on NewNest, of ten papers.
NESTS = {2021: (6, 0), 2022: (5, 1), 2023: (1, 5), 2024: (0, 6)}
BIRDS = [
    dated(year, i, {"OldNest": "evaluatesOn"} if i < old else {"NewNest": "evaluatesOn"} if i < old + new else {})
    for year, (old, new) in NESTS.items()
    for i in range(10)
]  # fmt: skip
HERON = dated(2024, 10, {"Heron": "introduces", "NewNest": "evaluatesOn"})


def test_trends_and_new_papers_are_computed_from_the_dates_of_papers(
    tab: Reader, tmp_path: Path
) -> None:
    page = tmp_path / "dated.html"
    write(graph_of([*BIRDS, HERON]), page, "html")
    assert ask(tab, page, "trends Benchmark", "Rising") == [[["e-newnest"], "5.0 %", "57 %", "13"]]
    assert rows(tab, "Falling") == [[["e-oldnest"], "55 %", "4.8 %", "12"]]
    charts = tab.tab.locator("#panel .multiples svg")
    assert charts.count() == 2
    assert "2021: 0 %" in str(charts.first.get_attribute("aria-label"))
    newest = ask(tab, page, "since 2024", "New papers")
    assert {row[0][0] for row in newest} == {paper_node(f"2024-{i}") for i in range(11)}
    assert rows(tab, "New names") == [[["e-heron"], "Method", "1"]]


def test_the_page_lists_papers_and_names_that_are_new_since_an_earlier_graph(
    tab: Reader, tmp_path: Path
) -> None:
    old, new = tmp_path / "last-week" / "graph.json", tmp_path / "graph.json"
    old.parent.mkdir()
    write(graph_of(BIRDS), old, "json")
    write(graph_of([*BIRDS, HERON]), new, "json")
    tab.open(write_page(new, tmp_path / "since.html", since=old))
    assert tab.text("#panel h2") == "What is new since last-week/graph.json?"
    assert [row[0] for row in rows(tab, "New papers")] == [[paper_node(HERON[0].id)]]
    assert [row[0] for row in rows(tab, "New names")] == [["e-heron"]]


def test_a_question_asks_for_a_node_and_escape_returns_to_its_answer(
    reader: Reader, sample: Path
) -> None:
    reader.open(sample)
    reader.tab.click("#tools button:has-text('Questions')")
    reader.tab.click("#panel [data-question=extends]")
    assert "What extends …?" in reader.text("#chips")
    reader.find("NestBench, a benchmark")
    assert "cannot be chosen here" in reader.text("#chips")
    reader.find("PPO")
    assert reader.text("#panel h2") == "What extends PPO?"
    assert reader.state()["ask"] == "extends e-ppo"
    reader.tab.click("#panel tr.result a >> nth=0")
    assert reader.state()["at"] != ""
    assert "← What extends PPO?" in reader.text("#panel")
    reader.tab.keyboard.press("Escape")
    assert reader.text("#panel h2") == "What extends PPO?"
    reader.tab.keyboard.press("Escape")
    assert not reader.tab.is_visible("#panel")


def test_the_trends_answer_states_that_the_papers_have_no_dates(
    reader: Reader, tmp_path: Path
) -> None:
    undated = [(replace(paper, date=""), roles) for paper, roles in BIRDS[:3]]
    write(graph_of(undated), tmp_path / "undated.html", "html")
    found = ask(reader, tmp_path / "undated.html", "trends Benchmark", "Rising")
    assert found == []
    assert "None in this corpus. Its papers have no dates." in reader.text("#panel")
