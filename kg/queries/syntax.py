"""Find the error in a malformed SPARQL query; the engine's lists of expected tokens mislead.

A recursive-descent parser reads the query token by token. It reports the first unexpected token and
the expected ones. The grammar is partial: the parser accepts constructs that it does not know, and
then the error of the engine is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Final

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+|\#[^\r\n]*)
    |(?P<text>\"{3}(?:[^"\\]|\\.|"{1,2}(?!"))*\"{3}
        |'{3}(?:[^'\\]|\\.|'{1,2}(?!'))*'{3}
        |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
    |(?P<open>["'])
    |(?P<iri><[^<>"{}|^`\\\s]*>)
    |(?P<variable>[?$]\w+)
    |(?P<tag>@[A-Za-z][\w-]*|\^\^)
    |(?P<number>[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)
    |(?P<name>(?:[A-Za-z][\w.-]*)?:(?:[\w:%-]|\\.|\.(?=[\w:%-]))*|_:[\w-]+)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<sign>&&|\|\||!=|<=|>=|<<|>>|.)""",
    re.VERBOSE | re.DOTALL,
)
_FORMS: Final = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
_CLAUSES: Final = frozenset("FILTER OPTIONAL UNION MINUS BIND VALUES GRAPH SERVICE SELECT".split())
_MODIFIERS: Final = frozenset("ORDER GROUP HAVING LIMIT OFFSET VALUES".split())
_FUNCTIONS: Final = (
    "STR LANG LANGMATCHES DATATYPE BOUND IRI URI BNODE RAND ABS CEIL FLOOR ROUND CONCAT "
    "STRLEN UCASE LCASE ENCODE_FOR_URI CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER YEAR "
    "MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ NOW UUID STRUUID MD5 SHA1 SHA256 SHA384 "
    "SHA512 COALESCE IF STRLANG STRDT SAMETERM ISIRI ISURI ISBLANK ISLITERAL ISNUMERIC REGEX "
    "SUBSTR REPLACE EXISTS COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT TRIPLE SUBJECT PREDICATE "
    "OBJECT ISTRIPLE ADJUST LANGDIR STRLANGDIR HASLANG HASLANGDIR"
).split()
_CLOSING: Final = {"{": "}", "(": ")", "[": "]"}
_TERM: Final = "a ?variable, a prefixed name, an IRI or a text in quotes"
#: What an incomplete triple lacks, by the number of its terms.
_LACKING: Final = {1: "a property and an object", 2: f"an object: {_TERM}"}


@dataclass(frozen=True, slots=True)
class Token:
    """A token of a query; the last one is of the kind `end`, with an empty text."""

    kind: str
    text: str
    start: int

    @property
    def word(self) -> str:
        """Return the text in capitals, as keywords are compared."""
        return self.text.upper()


class _UnexpectedToken(Exception):
    """The first unexpected token, and what was expected in its place."""

    def __init__(self, token: Token, expected: str) -> None:
        super().__init__(expected)
        self.token = token


def find_syntax_error(sparql: str) -> tuple[int, str] | None:
    """Return the offset of the first error and what was expected, or `None` if unknown."""
    try:
        _Parser([*_tokens(sparql)]).query()
    except _UnexpectedToken as error:
        return error.token.start, str(error)
    return None


def _tokens(sparql: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(sparql):
        if found.lastgroup != "space":
            yield Token(str(found.lastgroup), found[0], found.start())
    yield Token("end", "", len(sparql.rstrip()))


@dataclass
class _Parser:
    """A recursive-descent parser; its methods raise `_UnexpectedToken`."""

    tokens: list[Token]
    at: int = field(default=0)

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def next(self) -> Token:
        token = self.token
        if token.kind == "open":
            raise _UnexpectedToken(token, f"a closing {token.text} for this text")
        self.at += token.kind != "end"
        return token

    def expect(self, text: str, about: str = "") -> None:
        if self.token.word != text:
            raise _UnexpectedToken(self.token, text + about)
        self.next()

    def query(self) -> None:
        while self.token.word in ("PREFIX", "BASE"):
            self.next()
            while self.next().kind not in ("iri", "end"):
                pass
        form = self.next()
        if form.word not in _FORMS:
            near = get_close_matches(form.word, _FORMS, n=1)
            raise _UnexpectedToken(form, near[0] if near else "SELECT, ASK, CONSTRUCT or DESCRIBE")
        if form.word == "SELECT":
            self.selected()
        elif form.word == "CONSTRUCT" and self.token.text == "{":
            self.group()
        while self.token.text != "{" and self.token.kind != "end":
            self.between(form.word)
        if form.word != "DESCRIBE" or self.token.text == "{":
            self.group()
        self.modifiers()
        if self.token.kind != "end":
            raise _UnexpectedToken(
                self.token,
                "the end of the query, or ORDER BY, GROUP BY, HAVING, LIMIT, OFFSET or VALUES",
            )

    def selected(self) -> None:
        """Parse the variables of a SELECT, up to WHERE or its bracket."""
        if self.token.word in ("DISTINCT", "REDUCED"):
            self.next()
        count = 0
        while self.token.kind == "variable" or self.token.text in ("*", "("):
            if self.token.text == "(":
                self.expression(naming=True)
            else:
                self.next()
            count += 1
        if self.token.word in _FUNCTIONS:
            raise _UnexpectedToken(
                self.token,
                f"brackets and a name around an expression: ({self.token.word}(...) AS ?name)",
            )
        if not count:
            raise _UnexpectedToken(self.token, "variables such as ?paper, or *")
        if self.token.word not in ("WHERE", "FROM", "{"):
            raise _UnexpectedToken(
                self.token,
                "WHERE {, or a variable with ? before it"
                if self.token.kind == "word"
                else "WHERE {",
            )

    def between(self, form: str) -> None:
        """Parse what may precede the pattern: WHERE, FROM and the resources of DESCRIBE."""
        token = self.next()
        if token.word == "FROM":
            if self.token.word == "NAMED":
                self.next()
            if self.token.kind not in ("iri", "name"):
                raise _UnexpectedToken(self.token, "an IRI")
        elif token.word == "WHERE" and self.token.text != "{":
            raise _UnexpectedToken(self.token, "{")
        elif form != "DESCRIBE" and token.word != "WHERE" and token.kind not in ("iri", "name"):
            raise _UnexpectedToken(token, "{")

    def group(self) -> None:
        """Parse a pattern in { }: triples, and clauses between them."""
        self.expect("{")
        if self.token.word == "SELECT":
            self.next()
            self.selected()
            if self.token.word == "WHERE":
                self.next()
            self.group()
            self.modifiers()
        else:
            self.triples("}")
        self.expect("}", " to close the {")

    def triples(self, closing: str, terms: int = 0) -> None:
        while self.token.text != closing and self.token.kind != "end":
            token = self.token
            if token.word in _CLAUSES or token.text == "{":
                self.complete(terms, token)
                self.clause()
                terms = 0
            elif token.text in (".", ";", ","):
                self.complete(terms, token)
                self.next()
                terms = {".": 0, ";": 1, ",": 2}[token.text]
                while self.token.text == ";":
                    self.next()
                if token.text == ";" and self.token.text in (".", closing):
                    terms = 3
            else:
                terms = self.term(terms)
        self.complete(terms if closing == "}" or terms > 1 else 0, self.token)

    def complete(self, terms: int, token: Token) -> None:
        if terms in _LACKING:
            raise _UnexpectedToken(token, _LACKING[terms])

    def term(self, terms: int) -> int:
        """Parse a term of a triple or a part of a path; return the number of terms so far."""
        token = self.token
        if token.text in ("]", ")", "}"):
            raise _UnexpectedToken(token, "}" if terms in (0, 3) else _LACKING[terms])
        if terms == 1 and token.text in ("^", "!"):
            self.next()
            return 1
        if terms == 2 and token.text in ("/", "|", "*", "+", "?"):
            self.next()
            return 1 if token.text in "/|" else 2
        if terms == 3 and token.kind == "tag":
            self.next()
            if token.text == "^^":
                self.next()
            return 3
        if terms == 3:
            raise _UnexpectedToken(token, ". or ; or , or }")
        self.operand(terms)
        return terms + 1

    def operand(self, terms: int) -> None:
        token = self.token
        if token.kind == "word" and token.text != "a" and token.text not in ("true", "false"):
            raise _UnexpectedToken(token, _TERM)
        if token.text == "a" and terms != 1:
            raise _UnexpectedToken(token, f"{_TERM}: a is a property")
        if terms == 1 and token.kind in ("text", "number"):
            raise _UnexpectedToken(token, "a property: a ?variable, a prefixed name or an IRI")
        if token.text == "[":
            self.next()
            self.triples("]", 1)
            self.expect("]", " to close the [")
        elif token.text in ("(", "<<"):
            self.skip_nested()
        else:
            self.next()

    def clause(self) -> None:
        token = self.token
        if token.text == "{":
            self.group()
            return
        self.next()
        if token.word == "FILTER":
            self.condition()
        elif token.word == "BIND":
            self.expression(naming=True)
        elif token.word == "VALUES":
            self.values()
        else:
            if token.word in ("GRAPH", "SERVICE"):
                while self.token.text != "{" and self.token.kind != "end":
                    self.next()
            self.group()

    def condition(self) -> None:
        if self.token.word == "NOT":
            self.next()
            if self.token.word != "EXISTS":
                raise _UnexpectedToken(self.token, "EXISTS")
        if self.token.word == "EXISTS":
            self.next()
            self.group()
            return
        if self.token.kind in ("word", "name", "iri"):
            self.function(self.next())
        if self.token.text != "(":
            raise _UnexpectedToken(self.token, "a condition in brackets: FILTER(...)")
        self.expression()

    def function(self, token: Token) -> None:
        """Refuse a word before ( that is not a function."""
        if token.kind == "word" and token.word not in (*_FUNCTIONS, "IN", "AS", "DISTINCT"):
            near = get_close_matches(token.word, _FUNCTIONS, n=1) or [
                name for name in _FUNCTIONS if token.word in name
            ]
            hint = f": did you mean {near[0]}?" if near else ""
            raise _UnexpectedToken(token, f"a function of SPARQL{hint}")

    def expression(self, *, naming: bool = False) -> None:
        """Parse an expression in brackets; with `naming` it must end with AS and a variable."""
        self.expect("(")
        named = not naming
        while self.token.text != ")" and self.token.kind != "end":
            token = self.token
            if token.text in ("}", "]"):
                raise _UnexpectedToken(token, ") to close the (")
            if token.text == "(":
                self.expression()
            elif token.text == "{":
                self.group()
            else:
                self.next()
                if self.token.text == "(":
                    self.function(token)
            if token.word == "AS" and naming:
                named = True
                if self.token.kind != "variable":
                    raise _UnexpectedToken(self.token, "a ?variable")
        if not named and self.token.kind != "end":
            raise _UnexpectedToken(self.token, "AS and a variable for the result: (... AS ?name)")
        self.expect(")", " to close the (")

    def values(self) -> None:
        if self.token.kind != "variable" and self.token.text != "(":
            raise _UnexpectedToken(self.token, "a variable, or several in ( )")
        if self.token.text == "(":
            self.skip_nested()
        else:
            self.next()
        if self.token.text != "{":
            raise _UnexpectedToken(self.token, "{")
        self.next()
        while self.token.text != "}":
            if self.token.kind == "end":
                raise _UnexpectedToken(self.token, "} to close the {")
            if self.token.kind == "variable" or self.token.text in ("{", ")", "."):
                raise _UnexpectedToken(self.token, "a value, or } after the last one")
            if self.token.text == "(":
                self.skip_nested()
            else:
                self.next()
        self.next()

    def skip_nested(self) -> None:
        """Skip brackets with their content."""
        closing = {**_CLOSING, "<<": ">>"}[self.next().text]
        while self.token.text != closing:
            if self.token.kind == "end" or self.token.text in _CLOSING.values():
                raise _UnexpectedToken(self.token, closing)
            if self.token.text in _CLOSING:
                self.skip_nested()
            else:
                self.next()
        self.next()

    def modifiers(self) -> None:
        """Parse what may follow the pattern of a query."""
        while self.token.word in _MODIFIERS:
            token = self.next()
            if token.word in ("ORDER", "GROUP"):
                self.expect("BY")
                if self.token.kind == "end" or self.token.word in _MODIFIERS:
                    raise _UnexpectedToken(self.token, "a variable or an expression in brackets")
            if token.word in ("LIMIT", "OFFSET"):
                if not self.token.text.isdecimal():
                    raise _UnexpectedToken(self.token, "a whole number")
                self.next()
            elif token.word == "VALUES":
                self.values()
            else:
                self.sorted()

    def sorted(self) -> None:
        """Parse variables and expressions, with ASC or DESC."""
        while self.token.kind not in ("end", "open") and self.token.word not in (*_MODIFIERS, "}"):
            token = self.token
            if token.text == "(":
                self.expression()
                continue
            if token.kind not in ("variable", "word", "name", "iri"):
                return
            self.next()
            if token.kind == "word" and token.word not in (*_FUNCTIONS, "ASC", "DESC"):
                raise _UnexpectedToken(token, "a variable or an expression in brackets")
