"""Queries that call another endpoint."""

from __future__ import annotations

CALLS = [
    "SELECT * { SERVICE <U> { ?a ?b ?c } }",
    "SELECT * {SERVICE<U>{?a ?b ?c}}",
    "SELECT * { service SILENT <U> { ?a ?b ?c } }",
    "SELECT * { SERVICESILENT<U>{?a ?b ?c}}",
    "SELECT * { SERVICE # why\n<U>#\r\n{ ?a ?b ?c } }",
    "SELECT * { SERVICE # why\n<U>#\r{ ?a ?b ?c } }",
    "SELECT * { SERVICE # why\n<U>#\rwhy, ?a?\n{ ?a ?b ?c } }",
    "SELECT * { SERVICE #\rwhy\n<U>#\r\n{ ?a ?b ?c } }",
    "SELECT * { SERVICE#>\n<U>\t{ ?a ?b ?c } }",
    "PREFIX x: <U> SELECT * { SERVICE x: { ?a ?b ?c } }",
    "PREFIX service: <U> SELECT * { SERVICE service:x{ ?a ?b ?c } }",
    "BASE <U> SELECT * { SERVICE <x> { ?a ?b ?c } }",
    "SELECT * { ?p dcterms:title ?t SERVICE<U>{ ?a ?b ?c } }",
    "SELECT * { ?p a schema:ScholarlyArticle OPTIONAL { SERVICE <U> { ?a ?b ?c } } }",
    "SELECT * { ?p a schema:ScholarlyArticle FILTER EXISTS { SERVICE <U> { ?a ?b ?c } } }",
    "SELECT * { { SELECT * { SERVICE <U> { ?a ?b ?c } } } }",
    "SELECT * { BIND(<U> AS ?u) SERVICE ?u { ?a ?b ?c } }",
    "SELECT * { BIND(<U> AS ?u\u00b7) SERVICE ?u\u00b7 { ?a ?b ?c } }",
    "CONSTRUCT { ?a ?b ?c } { ?a ?b 1SERVICE<U>{ ?a ?b ?c } }",
    "ASK { ?a ?b true SERVICE<U>{ ?a ?b ?c } }",
    "ASK { ?a ?b 'SERVICE'. SERVICE<U>{ ?a ?b ?c } }",
]
