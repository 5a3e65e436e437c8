"""The interactive page: the whole graph in one HTML file without external resources.

pyvis stores the nodes and edges and renders the template; the scripts of the page (`viewer`) read
and draw them. All data is embedded as compressed, inert JSON, never as markup or script, and a
Content Security Policy allows only the page's own two scripts and its style sheet.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import warnings
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Any, Final

from citekg.exports.page.page_data import (
    addition_columns,
    detail_columns,
    edge_columns,
    graph_columns,
    node_records,
    paper_texts,
    result_columns,
    topic_columns,
)
from citekg.exports.page.positions import started_positions
from citekg.exports.vocabulary_check import refuse_unknown_claims
from citekg.schemas.garbage_collection import paused_garbage_collection

if TYPE_CHECKING:
    from pyvis.network import Network

    from citekg.schemas.graph import KnowledgeGraph
    from citekg.schemas.page_parts import SparqlParts
    from citekg.schemas.plugins import ExportOptions

#: The modules of the viewer in the order in which they are joined into one script.
SCRIPTS: Final = (
    "compressed.js",
    "topics.js",
    "graph.js",
    "earlier_addresses.js",
    "state.js",
    "edges.js",
    "filters.js",
    "core.js",
    "shapes.js",
    "viewport.js",
    "display.js",
    "elements.js",
    "keyboard_focus.js",
    "topic_labels.js",
    "labels.js",
    "painter.js",
    "camera.js",
    "relaxation.js",
    "legend.js",
    "topic_list.js",
    "chips.js",
    "search_index.js",
    "abstract_search.js",
    "search.js",
    "dialog.js",
    "corrections.js",
    "correction_choices.js",
    "token_requests.js",
    "edit_server.js",
    "corrections_view.js",
    "evidence.js",
    "timeline.js",
    "results.js",
    "entity.js",
    "links_out.js",
    "paper.js",
    "questions/claims.js",
    "questions/lineage.js",
    "questions/comparisons.js",
    "questions/adoption.js",
    "questions/trends.js",
    "questions/reading.js",
    "questions/similarity.js",
    "questions/side_by_side.js",
    "questions/novelty.js",
    "questions/grid_counts.js",
    "questions/questions.js",
    "questions/answer_view.js",
    "questions/questions_panel.js",
    "panel.js",
    "table.js",
    "grid.js",
    "sparql_engine.js",
    "sparql.js",
    "graph_files.js",
    "references.js",
    "reading_list.js",
    "svg_recorder.js",
    "picture_legend.js",
    "picture.js",
    "saving.js",
    "printing.js",
    "pointer.js",
    "keyboard.js",
    "help.js",
    "tools.js",
    "page.js",
    "main.js",
)
#: The style sheets in the order in which they are joined.
STYLES: Final = ("theme.css", "viewer.css", "print.css")
#: The scripts of the worker that answers SPARQL.
WORKER: Final = ("compressed.js", "sparql_worker.js")
#: The options of vis-network, which only controls the camera: no physics and no selection.
CAMERA: Final[dict[str, Any]] = {
    "autoResize": True,
    "physics": {"enabled": False},
    "interaction": {"dragNodes": False, "hover": False, "selectable": False, "zoomSpeed": 0.7},
    "layout": {"improvedLayout": False, "randomSeed": 1},
}
_PAPERS_PER_BLOCK: Final = 64
#: The level of zlib. Level 7 needs 1.4 times as long for columns that are 1.1 % smaller.
_COMPRESSION: Final = 6
#: A comment in JavaScript that takes whole lines.
_COMMENT: Final = re.compile(r"^[ \t]*/\*(?:[^*]|\*(?!/))*\*/[ \t]*\n", re.MULTILINE)


def page(
    graph: KnowledgeGraph, options: ExportOptions, *, editable: bool = False
) -> Iterator[bytes]:
    """Yield the page as UTF-8, always the same bytes for the same graph.

    With `options.evidence` other than `sentence` the page has no abstracts and so no evidence. With
    `options.sparql` it answers SPARQL. An `editable` page may send corrections to its server.
    """
    refuse_unknown_claims(graph)
    with paused_garbage_collection():
        content = _content(graph, options, editable=editable)
    yield content


def _content(graph: KnowledgeGraph, options: ExportOptions, *, editable: bool) -> bytes:
    # A process makes the layout of a large graph and a thread compresses, beside all other work.
    with started_positions(graph) as place, ThreadPoolExecutor(max_workers=1) as thread:
        texts = paper_texts(graph) if options.evidence == "sentence" else []
        blocks = range(0, len(texts), _PAPERS_PER_BLOCK)
        compressed_blocks = thread.map(
            deflate_json, (texts[at : at + _PAPERS_PER_BLOCK] for at in blocks)
        )
        nodes, edges = node_records(graph), edge_columns(graph)
        details = thread.submit(deflate_json, detail_columns(nodes, edges))
        others = result_columns(graph) | topic_columns(graph)
        if options.additions:
            others |= {"additions": addition_columns(graph, options.additions)}
        parts = options.sparql(graph, options) if options.sparql else None
        network = _network()
        place(nodes)
    network.nodes, network.edges, network.options = nodes, edges, CAMERA
    network.templateEnv.globals.update(
        _parts(parts, editable=editable),
        about=json_block(_about(graph, options) | {"editable": editable}),
        columns=lambda nodes, edges: json_block(deflate_json(graph_columns(nodes, edges) | others)),
        details=json_block(details.result()),
        texts=json_block([*compressed_blocks]),
        camera=json_block(CAMERA),
        sparql=json_block(_sparql(parts)) if parts else "",
    )
    return str(network.generate_html()).encode("utf-8")


def deflate_json(value: Any) -> str:
    """Return a JSON value, compressed with zlib and encoded in Base64.

    >>> zlib.decompress(base64.b64decode(deflate_json([1, "ä"]))).decode()
    '[1,"ä"]'
    """
    return _deflate(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8"))


def _deflate(content: bytes) -> str:
    return base64.b64encode(zlib.compress(content, _COMPRESSION)).decode("ascii")


def json_block(value: Any) -> str:
    r"""Return JSON that is safe inside a `<script>` element: `<`, `>` and `&` are escaped.

    >>> print(json_block("</script>&"))
    "\u003c/script\u003e\u0026"
    """
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _network() -> Network:
    """Return an empty pyvis network that renders the viewer's template."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from pyvis.network import Network

    network = Network(directed=True, height="100%", cdn_resources="in_line")
    with as_file(files("citekg.exports.page") / "viewer") as folder:
        network.set_template_dir(str(folder))
        network.templateEnv.get_template(network.path)
    return network


def _parts(sparql: SparqlParts | None, *, editable: bool) -> dict[str, str]:
    """Return the style sheet, the two scripts, and the policy that allows exactly these by hash.

    The policy of an editable page also allows requests to its own server; with SPARQL, its editor
    by hash, WebAssembly, and a worker.
    """
    viewer = files("citekg.exports.page") / "viewer"
    style = "".join((viewer / name).read_text("utf-8") for name in STYLES)
    modules = "\n".join((viewer / name).read_text("utf-8") for name in SCRIPTS)
    script = f'(() => {{\n"use strict";\n{_without_comments(modules)}\n}})();'
    vis = (files("pyvis") / "lib" / "vis-9.1.2" / "vis-network.min.js").read_text("utf-8")
    policy = {
        "default-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
        "img-src": ["data:", "blob:"],
        "style-src": [_digest(style)],
        "script-src": [_digest(vis), _digest(script)],
    }
    if editable:
        policy["connect-src"] = ["'self'"]
    if sparql:
        policy["style-src"].append(_digest(sparql.editor_style))
        policy["script-src"] += [_digest(sparql.editor), "'wasm-unsafe-eval'"]
        policy["worker-src"] = ["blob:"]
    directives = (" ".join((name, *values)) for name, values in policy.items())
    return {"style": style, "vis": vis, "script": script, "policy": "; ".join(directives)}


def _sparql(parts: SparqlParts) -> dict[str, Any]:
    """Return the data of the SPARQL pane of the page, with compressed scripts and engine."""
    viewer = files("citekg.exports.page") / "viewer"
    own = "".join((viewer / name).read_text("utf-8") for name in WORKER)
    worker = f"{_as_script(parts.bindings)}\n{_without_comments(own)}"
    return {
        "quads": deflate_json(parts.quads),
        "engine": _deflate(parts.engine),
        "worker": _deflate(worker.encode("utf-8")),
        "editor": _deflate(parts.editor.encode("utf-8")),
        "editorStyle": _deflate(parts.editor_style.encode("utf-8")),
        "queries": [*parts.queries],
        "prefixes": {**parts.prefixes},
        "licences": parts.licences,
    }


def _without_comments(script: str) -> str:
    """Return a script of the viewer without the comments that take whole lines, a quarter of it."""
    return _COMMENT.sub("", script)


def _as_script(module: str) -> str:
    r"""Return a JavaScript module as a script: in local files, browsers reject workers of modules.

    >>> _as_script("export class A {}\\nnew URL('a', import.meta.url);\\nexport { A };\\n")
    "class A {}\\nnew URL('a', self.location);\\n\\n"
    """
    script = re.sub(r"^export (?=class|function)", "", module, flags=re.MULTILINE)
    script = re.sub(r"^export \{.*\};$", "", script, flags=re.MULTILINE)
    return script.replace("import.meta.url", "self.location")


def _digest(text: str) -> str:
    return (
        "'sha256-"
        + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
        + "'"
    )


def _about(graph: KnowledgeGraph, options: ExportOptions) -> dict[str, Any]:
    """Return the metadata of the page, and its types, roles and kinds of links."""
    from citekg.exports.page.page_data import corpus_facts, entity_types
    from citekg.schemas.vocabulary import (
        BENCHMARK,
        CITES,
        DATASET,
        LINKS,
        MIN_CONFIDENCE,
        PREFIXES,
    )

    return {
        "software": f"{graph.run.software} {graph.run.version}",
        "corpus": corpus_facts(graph, options),
        "base": options.base_iri,
        "block": _PAPERS_PER_BLOCK,
        "certain": round(100 * MIN_CONFIDENCE),
        "prefixes": PREFIXES | dict(graph.vocabulary.namespaces),
        "types": [
            {
                "name": t.name,
                "label": t.label,
                "plural": t.plural,
                "comment": t.comment,
                "iri": t.iri,
                "data": t.like in (BENCHMARK, DATASET),
            }
            for t in entity_types(graph)
        ],
        "roles": [
            {
                "name": r.name,
                "label": r.label,
                "comment": r.comment,
                "iri": r.iri,
                "parent": r.parent or "",
            }
            | {"use": r.name in graph.vocabulary.adoption_roles, "fits": r.fits}
            for r in graph.vocabulary.paper_roles
        ],
        "links": [
            {
                "name": k.name,
                "label": k.label,
                "comment": k.comment,
                "iri": k.iri,
                "use": k.name != CITES,
            }
            for k in LINKS.values()
        ],
    }
