"""The SPARQL 1.1 Service Description of the endpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from citekg.serving.content_negotiation import TRIPLES

if TYPE_CHECKING:
    import pyoxigraph as ox

_DESCRIPTION: Final = """
PREFIX sd: <http://www.w3.org/ns/sparql-service-description#>
PREFIX formats: <http://www.w3.org/ns/formats/>
PREFIX void: <http://rdfs.org/ns/void#>
<> a sd:Service ;
  sd:endpoint <> ;
  sd:supportedLanguage sd:SPARQL11Query ;
  sd:resultFormat formats:SPARQL_Results_JSON, formats:SPARQL_Results_XML,
    formats:SPARQL_Results_CSV, formats:SPARQL_Results_TSV,
    formats:Turtle, formats:N-Triples, formats:RDF_XML, formats:JSON-LD ;
  sd:defaultDataset <#dataset> .
<#dataset> a sd:Dataset ; sd:defaultGraph <#graph> .
<#graph> a sd:Graph ; void:triples %d .
"""


def describe_service(endpoint: str, store: ox.Store, media_type: str) -> bytes:
    """Return the service description of an endpoint as RDF in a media type of `TRIPLES`."""
    import pyoxigraph as ox

    quads = ox.parse(_DESCRIPTION % len(store), format=ox.RdfFormat.TURTLE, base_iri=endpoint)
    triples = (quad.triple for quad in quads)
    prefixes = {
        "sd": "http://www.w3.org/ns/sparql-service-description#",
        "void": "http://rdfs.org/ns/void#",
    }
    return (
        ox.serialize(triples, format=getattr(ox.RdfFormat, TRIPLES[media_type]), prefixes=prefixes)
        or b""
    )
