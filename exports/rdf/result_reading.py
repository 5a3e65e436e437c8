"""Reading the reported results of a graph from RDF."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from citekg.exports.rdf import mapping
from citekg.exports.rdf.iris import Iris
from citekg.exports.rdf.mapping import Properties, only_value, read_fields
from citekg.schemas.records import Result, ResultName

_Named = dict[tuple[str, str], list[tuple[int, ResultName]]]


class ResultReader:
    """A reader of results; without evidence, linked names are spelled as their entities.

    `found` are the properties by subject, `nodes` the subjects by class, and `entities` the names
    of the entities by node.
    """

    def __init__(
        self,
        found: Mapping[str, Properties],
        nodes: Mapping[str, Iterable[str]],
        iris: Iris,
        entities: Mapping[str, str],
    ) -> None:
        self._found, self._iris, self._entities = found, iris, entities
        self._spelled = self._names(nodes.get(mapping.RESULT_NAME, ()))
        self._ends = dict(self._spans(nodes.get(mapping.RESULT_ANNOTATION, ())))

    def result(self, node: str) -> Result:
        """Return the result of a node; raises `GraphError`, `ValueError` or `KeyError`."""
        properties = self._found[node]
        fields = read_fields(properties, mapping.RESULT_FIELDS, self._iris)
        first, last = (int(only_value(properties, p)) for p in mapping.SENTENCE)
        start = self._iris.result_start(node)
        for field, property_ in mapping.SLOTS.items():
            fields[field] = self._slot(node, property_)
        end = self._ends.get(node, start + len(fields["value"]))
        return Result(**fields, start=start, end=end, sentence=(first, last))

    def _slot(self, node: str, property_: str) -> tuple[ResultName, ...]:
        spelled = self._spelled.get((node, property_))
        if spelled is not None:
            return tuple(name for _, name in sorted(spelled))
        return tuple(sorted(map(self._name, self._found[node].get(property_, ()))))

    def _name(self, value: str) -> ResultName:
        """Return the name of an entity's node, or else a text."""
        if value in self._entities:
            return ResultName(self._entities[value], self._iris.entity_id(value))
        return ResultName(value)

    def _names(self, nodes: Iterable[str]) -> _Named:
        found: _Named = defaultdict(list)
        for node in nodes:
            properties = self._found[node]
            of, slot, position, text = (
                only_value(properties, p)
                for p in (mapping.IN_RESULT, mapping.SLOT, mapping.POSITION, mapping.NAME_TEXT)
            )
            entity = next(iter(properties.get(mapping.DENOTES, ())), "")
            name = ResultName(text, self._iris.entity_id(entity) if entity else "")
            found[of, slot].append((int(position), name))
        return found

    def _spans(self, nodes: Iterable[str]) -> Iterator[tuple[str, int]]:
        """Yield the node of each annotated result with the end of its value."""
        for node in nodes:
            target = only_value(self._found[node], mapping.TARGET)
            end = only_value(self._found.get(target, {}), mapping.RESULT_SPAN_FIELDS[2].property)
            yield only_value(self._found[node], mapping.BODY), int(end)
