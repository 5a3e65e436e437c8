"""The index of the cache behaves like a dict, whenever its keys are merged into arrays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citekg.building.incremental import part_index
from citekg.building.incremental.part_index import PartIndex
from citekg.sources.keyed_papers import KEY_BYTES

KEYS = st.lists(st.sampled_from([0, 1, 255]), min_size=2, max_size=2).map(
    lambda ends: bytes([ends[0]]) * (KEY_BYTES - 1) + bytes([ends[1]])
)


@given(st.lists(st.tuples(st.lists(KEYS), st.sampled_from("abc"))), st.integers(0, 5))
def test_a_key_maps_to_the_part_that_was_added_last(
    parts: list[tuple[list[bytes], str]], merged: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(part_index, "_MERGED", merged)
        index, expected = PartIndex(), dict[bytes, str]()
        for keys, name in parts:
            index.add(keys, name)
            expected.update(dict.fromkeys(keys, name))
    every = {bytes([a]) * (KEY_BYTES - 1) + bytes([b]) for a in (0, 1, 255) for b in (0, 1, 255)}
    assert {key: index.name(key) for key in every if key in index} == expected
    assert index.contains(b"".join(every)).tolist() == [key in expected for key in every]
    assert bool(index) == bool(parts)
    stored = PartIndex.of_bytes(index.to_bytes())
    assert stored is not None
    assert {key: stored.name(key) for key in every if key in stored} == expected


def test_a_key_that_is_in_no_part_raises_key_error() -> None:
    with pytest.raises(KeyError):
        PartIndex().name(bytes(KEY_BYTES))
