"""The example notebooks run completely, and are stored without output."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.paths import ROOT

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
#: Texts that the output of each notebook must contain.
EXPECTED_TEXTS = {
    "explore": (
        "extends | DAPO",
        "<Graph: 65 papers",
        "'link': ",
        "papers stand, step by step, on",
        "<iframe",
    ),
    "questions": ("<Answer: yes>", "ckg:Benchmark", "outperforms", "DeepSeekMath"),
    "your_own": (
        "Merged (1)",
        "0.95 Tail Wind = Tailwind",
        "MultiDiGraph with",
        "load.cypher",
        "# Tailwind",
    ),
}


def test_every_notebook_has_expected_output_texts() -> None:
    assert {notebook.stem for notebook in NOTEBOOKS} == {*EXPECTED_TEXTS}


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_is_stored_without_output(notebook: Path) -> None:
    cells = [
        cell for cell in nbformat.read(notebook, as_version=4).cells if cell.cell_type == "code"
    ]
    assert cells
    assert not [cell for cell in cells if cell.outputs or cell.execution_count]


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda notebook: notebook.stem)
def test_a_notebook_runs_and_shows_the_expected_output(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    written = nbformat.read(notebook, as_version=4)
    folder = {"metadata": {"path": str(tmp_path / "examples" / "notebooks")}}
    nbclient.NotebookClient(written, timeout=250, startup_timeout=120, resources=folder).execute()
    outputs = [out for cell in written.cells if cell.cell_type == "code" for out in cell.outputs]
    assert not [out for out in outputs if out.get("name") == "stderr"]
    shown = "".join(out.get("text", "") + str(out.get("data", "")) for out in outputs)
    assert not re.search(r"\b0 rows", shown)
    for text in EXPECTED_TEXTS[notebook.stem]:
        assert text in shown
