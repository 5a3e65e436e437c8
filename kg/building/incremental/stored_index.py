"""The index of the part files in a folder, which is stored there for the next build.

A part that did not change is not read again (see `citekg.known_digests`).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from citekg.building.incremental.part_files import read_keys
from citekg.building.incremental.part_index import PartIndex
from citekg.known_digests import FileState, has_settled, state_of

if TYPE_CHECKING:
    from citekg.storage.folders import Folder

#: The name of the file with the index of the parts in a folder.
INDEX: Final = "index"
#: The number of parts that are read in every build until they enter the stored index.
_MAX_READ: Final = 64


def index_of(folder: Folder, place: str, names: Sequence[str]) -> PartIndex:
    """Return the index of the part files with these names, which are in a subfolder.

    Incomplete ones have no keys. Raises `FolderError` if the index cannot be stored.
    """
    checked = time.time_ns()
    states = {name: state_of(folder.path_of(name)) for name in names}
    file = f"{place}/{INDEX}"
    index = _stored(folder, file, states) or PartIndex()
    missing = [name for name in names if name not in index.states]
    settled = {
        name: state for name in missing if (state := states[name]) and has_settled(state, checked)
    }
    if len(settled) > _MAX_READ:
        for name, state in settled.items():
            index.add(read_keys(folder, name), name, state)
        folder.write(file, index.to_bytes())
        missing = [name for name in missing if name not in settled]
    for name in missing:
        index.add(read_keys(folder, name), name)
    return index


def _stored(folder: Folder, file: str, states: dict[str, FileState | None]) -> PartIndex | None:
    """Return the stored index, unless it has a part that changed or is missing."""
    try:
        index = PartIndex.of_bytes(folder.read(file))
    except OSError:
        return None
    is_valid = index and all(states.get(name) == state for name, state in index.states.items())
    return index if is_valid else None
