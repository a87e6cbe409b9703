"""Every notebook runs from top to bottom, offline, says what is synthetic, and is kept clean."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from ask.server import Scripted, serving
from nbclient import NotebookClient

pytestmark = pytest.mark.xdist_group("notebooks")  # each is run once, by one worker
ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A notebook by its number, run once; the file itself is not touched."""
    done: dict[str, nbformat.NotebookNode] = {}
    books = tmp_path_factory.mktemp("books").as_posix()

    def run(number: str) -> nbformat.NotebookNode:
        if number not in done:
            (path,) = [path for path in NOTEBOOKS if path.name.startswith(number)]
            notebook = nbformat.read(path, as_version=4)
            for cell in notebook.cells:  # what is pasted goes into a book of its own
                cell.source = cell.source.replace("../results/", f"{books}/")
            with pytest.MonkeyPatch.context() as patch:
                patch.setenv("PYTHONPATH", str(ROOT))
                patch.setenv("PYTHONWARNINGS", "error::UserWarning")
                patch.delenv("MPLBACKEND", raising=False)  # the notebook's own: pictures in the page
                NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
            done[number] = notebook
        return done[number]

    return run


def outputs(notebook) -> list[dict]:
    return [out for cell in notebook.cells if cell.cell_type == "code" for out in cell.outputs]


def texts(notebook) -> str:
    return "\n".join(out.get("text", "") or out.get("data", {}).get("text/plain", "") for out in outputs(notebook))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_and_warns_of_nothing(path, ran):
    shown = outputs(ran(path.name[:2]))
    pictures = ("image/png", "application/vnd.jupyter.widget-view+json")
    assert any(kind in out.get("data", {}) for out in shown for kind in pictures)
    # A progress bar is all that may stand on the error stream.
    errors = "".join(out.text for out in shown if out.output_type == "stream" and out.name == "stderr")
    assert re.sub(r"answers:[^\r\n]*", "", errors).strip() == ""


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_is_kept_clean_with_one_cell_of_parameters(path):
    notebook = json.loads(path.read_text("utf-8"))
    assert notebook["metadata"]["kernelspec"] == {
        "display_name": "Python 3", "language": "python", "name": "python3",
    }  # fmt: skip
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["metadata"].get("tags") for cell in code] == [["parameters"]] + [None] * (len(code) - 1)
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in code)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_heading_is_in_both_languages(path):
    notebook = json.loads(path.read_text("utf-8"))
    told = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    headings = [line for text in told for line in text.splitlines() if line.startswith("#")]
    assert headings and all(re.search("[가-힣]", line) and re.search("[A-Za-z]{4}", line) for line in headings)
    assert all(re.search("[가-힣]", text) and re.search("[A-Za-z]{4}", text) for text in told)


def test_the_first_shows_what_a_flag_gives_away_and_a_wrong_final_path(ran):
    said = texts(ran("01"))
    table = next(
        out["data"]["text/plain"]
        for out in outputs(ran("01"))
        if "flag_on_exit" in out.get("data", {}).get("text/plain", "")
    )
    solved = {tuple(line.split()[:2]): float(line.split()[-3]) for line in table.splitlines() if "v1.1" in line}
    assert set(solved.values()) == {1.0}  # never following a flag leaves every v1.1 maze
    assert "Hall=1" in said and "SR=0.00" in said  # the answer with the wrong final path
    assert "✗" in said


def test_the_second_shows_the_panel_its_tables_and_how_readings_agree(ran):
    shown = [out["data"] for out in outputs(ran("02")) if out.output_type == "execute_result"]
    assert len(shown) == 3, "the panel, the tables, the readings"
    assert all("application/vnd.jupyter.widget-view+json" in data for data in shown)


def test_the_third_computes_what_the_formulas_cannot_see(ran):
    said = texts(ran("03"))
    assert re.search(r"v1\.1 formula +0\.350*\b", said)
    assert re.search(r"this kit +nan", said, re.I) and "no move could be read" in said
    assert re.search(r"their MEI +0\.90*\b", said)
    assert re.search(r"MEI of a perfect answer +0\.90*\b", said)
    early, late = (float(re.search(rf"^\d+ +{step} +\S+ +(\S+)", said, re.M)[1]) for step in (2, 40))
    assert early - late == pytest.approx(0.3 * 38 / 49, abs=2e-3)


def test_the_fourth_asks_nobody_twice_and_counts_every_outcome(ran):
    said = texts(ran("04"))
    assert re.search(r"0 asked anew, 56 rows, equal: True", said)
    assert "API_KEY" in said and "sk-" not in said


def test_the_custom_provider_of_the_fourth_works_as_it_is_printed(tmp_path, monkeypatch):
    told = (ROOT / "notebooks" / "04_run_models.ipynb").read_text("utf-8")
    cells = ["".join(cell["source"]) for cell in json.loads(told)["cells"] if cell["cell_type"] == "markdown"]
    (block,) = [found for cell in cells for found in re.findall(r"```python\n(.*?)```", cell, re.S)]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MINE_API_KEY", "sk-mine-1234567890")
    with serving(Scripted()) as server:
        monkeypatch.setenv("MINE_URL", server.url)
        names: dict = {}
        exec(compile(block, "04_run_models", "exec"), names)
    assert len(names["frame"]) == 3 and set(names["frame"]["outcome"]) == {"answered"}
    assert [body["model"] for body in server.asked] == ["some-model"] * 3


def test_the_fifth_shows_what_v11s_lures_measure(ran):
    said = texts(ran("05"))
    rows = [line.split() for line in said.splitlines() if " never_hint " in line]
    effects = {row[4]: float(row[7]) for row in rows if row[4] in ("v1.1", "balanced")}
    assert effects["v1.1"] <= 0.05 and effects["balanced"] > 0.2


def test_the_seventh_shows_what_the_measures_see(ran):
    said = texts(ran("07"))
    assert re.findall(r"pairs read as another walk +\d+ +(\S+)$", said, re.M) == ["0.0", "0.0"]
    assert re.search(r"^\d+ +brs +slip +40 +-0\.\d+ .* leaks$", said, re.M)  # BRS sees slips …
    assert re.search(r"^\d+ +brs +lure +40 ", said, re.M) and "misses" in said  # … and is meant to see lures
    moves = {name: re.search(rf"^{name} +1\.0 +(\S+) +0\.90?$", said, re.M) for name in ("oracle", "random_walk")}
    assert all(moves.values()), "walking at random and knowing the way: everything solved, the same MEI"
    assert float(moves["oracle"][1]) == 1 and float(moves["random_walk"][1]) > 5
