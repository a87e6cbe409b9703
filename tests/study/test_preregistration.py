"""A preregistration seals labels until the analysis is the one that was registered."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hallumaze_kit.errors import FileError, InputError
from hallumaze_kit.study import preregistration
from hallumaze_kit.study.preregistration import SealError, blind, plan, preregister, unseal

KIT = Path(preregistration.KIT)
LABELS = [{"problem": 0, "Y_R": True, "first_bad": None}, {"problem": 1, "Y_R": False, "first_bad": 2}]


def small():
    made = plan()
    made["data"] |= {"n": 12, "k": 2, "seed": 3, "split": "tuning"}
    return made


@pytest.fixture
def analysis(tmp_path):
    file = tmp_path / "code" / "analysis.py"
    file.parent.mkdir()
    file.write_text("def share(x):\n    return sum(x) / len(x)\n")
    return file


def test_labels_come_back_as_they_were_sealed(tmp_path):
    path = preregister(tmp_path / "new" / "registered.json", small())
    table = unseal(path)
    assert len(table) == 24 and list(table.columns) == ["Y_A", "Y_R", "first_bad", "kind", "problem", "shown", "trace"]
    assert unseal().equals(table), "without a path: the one that was written last"
    texts = blind(path)
    assert len(texts) == 12 and all(len(one["traces"]) == 2 for one in texts)
    assert not {"kind", "Y_R", "gold"} & texts[0].keys()


def test_the_record_tells_what_will_be_tested_and_no_label_can_be_read_in_it(tmp_path, analysis):
    path = preregister(tmp_path / "registered.json", small(), [analysis], LABELS)
    record = json.loads(path.read_text("utf-8"))
    assert set(record["plan"]) == {"hypotheses", "metrics", "thresholds", "exclusions", "data"}
    assert set(record["plan"]["hypotheses"]) == {"H1", "H2", "H3", "H4"}
    assert abs(sum(record["plan"]["data"]["mix"].values()) - 1) < 1e-9
    assert list(record["analysis"]) == ["code/analysis.py"]
    assert "first_bad" not in path.read_text("utf-8") and str(tmp_path) not in path.read_text("utf-8")


def test_a_line_of_the_analysis_changed_after_sealing_keeps_the_labels_sealed(tmp_path, analysis):
    path = preregister(tmp_path / "registered.json", small(), [analysis], LABELS)
    assert unseal(path)["Y_R"].tolist() == [True, False]
    before = analysis.read_text()
    analysis.write_text(before.replace("len(x)", "(len(x) - 1)"))
    with pytest.raises(SealError, match=r"sealed.*registered\.json.*Changed: code/analysis\.py"):
        unseal(path)
    analysis.write_text(before)
    assert len(unseal(path)) == 2, "restored, it is the registered analysis again"
    analysis.unlink()
    with pytest.raises(SealError, match=r"gone: code/analysis\.py"):
        unseal(path)


def test_a_changed_line_of_the_kit_itself_is_found(tmp_path):
    copy = tmp_path / "hallumaze_kit"
    shutil.copytree(KIT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        "from hallumaze_kit.study.preregistration import *; from hallumaze_kit.study import preregistration as p\n"
        "import sys; made = p.plan(); made['data'] |= {'n': 4, 'k': 1}\n"
        "p.preregister('r.json', made) if sys.argv[1] == 'seal' else print(len(p.unseal('r.json')))"
    )

    def run(what):
        return subprocess.run([sys.executable, "-c", code, what], cwd=tmp_path, capture_output=True, text=True)

    assert run("seal").returncode == 0
    assert run("unseal").stdout.strip() == "4"
    file = copy / "reasoning" / "rafs.py"
    file.write_text(file.read_text("utf-8").replace("EPSILON = 1e-12", "EPSILON = 1e-6"), "utf-8")
    done = run("unseal")
    assert done.returncode != 0 and "SealError" in done.stderr and "Changed: kit:reasoning/rafs.py" in done.stderr
    file.write_text(file.read_text("utf-8").replace("EPSILON = 1e-6", "EPSILON = 1e-12"), "utf-8")
    (copy / "reasoning" / "another.py").write_text("x = 1\n")
    assert "new: kit:reasoning/another.py" in run("unseal").stderr


def test_a_changed_record_is_found(tmp_path, analysis):
    path = preregister(tmp_path / "registered.json", small(), [analysis], LABELS)
    record = json.loads(path.read_text("utf-8"))
    record["plan"]["thresholds"]["suspect step"] = 0.9
    path.write_text(json.dumps(record), "utf-8")
    with pytest.raises(SealError, match="was changed after it was written"):
        unseal(path)


def test_what_is_registered_is_not_rewritten(tmp_path, analysis):
    path = preregister(tmp_path / "registered.json", small(), [analysis], LABELS)
    with pytest.raises(FileError, match="exists: a preregistration is not rewritten"):
        preregister(path, small(), [analysis], LABELS)


def test_what_is_no_preregistration_is_refused_in_a_sentence(tmp_path, analysis):
    with pytest.raises(FileError, match="no preregistration"):
        unseal(tmp_path / "missing.json")
    (tmp_path / "other.json").write_text('{"a": 1}')
    with pytest.raises(FileError, match="no preregistration of this kit"):
        unseal(tmp_path / "other.json")
    with pytest.raises(InputError, match="analysis"):
        preregister(tmp_path / "r.json", small(), [tmp_path / "missing.py"], LABELS)
    with pytest.raises(InputError, match="plan"):
        preregister(tmp_path / "r.json", {"hypotheses": {}}, [analysis])
