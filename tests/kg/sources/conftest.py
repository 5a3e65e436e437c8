"""Fixtures: an input file in the folder where the test runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kg.sources.reading import Written


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    """Writes a text or bytes to the file `x`, in the folder where the test runs."""
    monkeypatch.chdir(tmp_path)

    def into(content: str | bytes) -> str:
        Path("x").write_bytes(content if isinstance(content, bytes) else content.encode())
        return "x"

    return into
