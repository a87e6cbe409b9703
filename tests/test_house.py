"""The rules of the house that a machine can check: dependency lists, versions, notebooks, what no file may hold."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKS = {
    "requirements.lock": ("models", "panels", "web"),
    "requirements-tests.lock": ("models", "panels", "web", "tests"),
}


MADE = {
    ".git", ".venv", ".venv-bench", "figures", "results", "build", "dist",
    "__pycache__", ".pytest_cache", ".ruff_cache", ".hypothesis", ".ipynb_checkpoints",
}  # fmt: skip
"""Folders that are made, for a copy without git."""


def files(suffix: str = "") -> list[Path]:
    """The project's own files, new ones too: what git does not ignore; without git, all that is not made."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    git = (ROOT / ".git").exists() and shutil.which("git")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout if git else ""
    found = [ROOT / name for name in listed.split("\0") if name]
    if not found:
        for folder, inner, names in os.walk(ROOT):
            inner[:] = [name for name in inner if name not in MADE and not name.endswith(".egg-info")]
            found += [Path(folder) / name for name in names]
    return sorted(path for path in found if path.is_file() and path.name.endswith(suffix))


def text_of(path: Path) -> str:
    """The text of a file, "" for one that is none."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


def wanted(*extras: str) -> dict[str, Requirement]:
    """The core dependencies and those of `extras`, by canonical name."""
    lines = [*PROJECT["dependencies"], *(line for e in extras for line in PROJECT["optional-dependencies"][e])]
    return {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}


def pinned(lock: str) -> dict[str, Version]:
    """Name and version of every package in a lock."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", (ROOT / lock).read_text("utf-8"), re.M)
    return {canonicalize_name(name): Version(version) for name, version in found}


# ---- one list of dependencies, in three files ----------------------------------------------------


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_holds_every_dependency_in_a_version_that_is_allowed(lock):
    held = pinned(lock)
    for name, requirement in wanted(*LOCKS[lock]).items():
        assert name in held, f"{lock} lacks {name}: run make lock"
        assert requirement.specifier.contains(held[name]), f"{lock} has {name} {held[name]}, pyproject {requirement}"
    assert held["setuptools"] >= Version("77"), "the kit itself is built with the locked setuptools"


def test_the_tests_lock_stands_on_the_other():
    base, tests = pinned("requirements.lock"), pinned("requirements-tests.lock")
    assert base.items() <= tests.items()


@pytest.mark.parametrize("lock", LOCKS)
def test_the_lock_has_hashes_and_no_address(lock):
    text = (ROOT / lock).read_text("utf-8")
    entries = re.split(r"^(?=[a-z])", text, flags=re.M)[1:]
    assert entries and all("--hash=sha256:" in entry for entry in entries)
    for part in ("://", "find-" + "links", "index-" + "url", " @ ", "-e ", "/"):
        assert part not in text, f"{lock} contains {part!r}"


def test_environment_yml_lists_the_same_dependencies():
    text = (ROOT / "environment.yml").read_text("utf-8")
    lines = re.findall(r"^ +- ([A-Za-z][\w.-]*)((?:[<>=!~]\S*)?)$", text, re.M)
    listed = {canonicalize_name(name): Requirement(name + spec).specifier for name, spec in lines}
    own = {name: listed.pop(name) for name in ("conda-forge", "python", "pip", "setuptools")}
    assert str(own["python"]) == PROJECT["requires-python"]
    assert listed == {name: r.specifier for name, r in wanted(*PROJECT["optional-dependencies"]).items()}


def test_the_version_stands_the_same_everywhere():
    import hallumaze_kit

    version = PROJECT["version"]
    assert hallumaze_kit.__version__ == version
    assert re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"), re.M)[1] == version
    assert re.search(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)[1] == version


# ---- what no file may hold -----------------------------------------------------------------------

# Put together from parts, so that this file itself names none of them.
HOSTS = ["pypi" + ".org", "python" + "hosted.org", "npm" + "js.org", "anaconda" + ".org", "anaconda" + ".com",
         "debian" + ".org", "crates" + ".io", "proxy.golang" + ".org"]  # fmt: skip
OPTIONS = ["--index" + "-url", "--extra-index" + "-url", "--find" + "-links", "--trusted" + "-host"]
MACHINE = ["/wo" + "rk/", "/ro" + "ot/", "/tmp/br" + "ief"]


def test_no_file_names_a_registry_an_index_option_or_this_machine():
    found = [
        f"{path.relative_to(ROOT)}: {part}"
        for path in files()
        if (text := text_of(path))
        for part in (*HOSTS, *OPTIONS, *MACHINE)
        if re.search(r"(?<![\w.-])" + re.escape(part) if part in MACHINE else re.escape(part), text)
    ]
    assert not found, "\n".join(found)


def test_no_file_of_the_package_passes_400_lines():
    lengths = {path: len(text_of(path).splitlines()) for path in (ROOT / "hallumaze_kit").rglob("*.py")}
    assert lengths
    assert {path.name: n for path, n in lengths.items() if n > 400} == {}


def notebook_faults(notebook: dict) -> list[str]:
    """What a notebook may not hold: outputs, run counts, functions and classes of its own."""
    found = []
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            if cell["outputs"] or cell["execution_count"] is not None:
                found.append(f"cell {number} has outputs: clear them")
            if re.search(r"^\s*(async\s+def|def|class)\s", source, re.M):
                found.append(f"cell {number} defines a function or class: move it into the package")
    return found


def test_notebooks_hold_calls_and_no_outputs():
    found = {
        path.name: faults
        for path in files(".ipynb")
        if (faults := notebook_faults(json.loads(path.read_text("utf-8"))))
    }
    assert found == {}


def test_the_notebook_check_finds_what_it_should():
    def code(source: str, outputs: tuple = (), count: int | None = None) -> dict:
        return {"cell_type": "code", "source": [source], "outputs": list(outputs), "execution_count": count}

    text = {"cell_type": "markdown", "source": ["class a\ndef b"]}
    assert notebook_faults({"cells": [text, code("x = 1\ndefault = 2\nclassify(x)")]}) == []
    bad = [code("if x:\n    def f(): pass"), code("class A: pass"), code("async def f(): pass"),
           code("x", outputs=({"output_type": "stream"},)), code("x", count=3)]  # fmt: skip
    for cell in bad:
        assert len(notebook_faults({"cells": [cell]})) == 1


def test_ruff_is_content():
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "."], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# ---- what the READMEs show works -----------------------------------------------------------------

READMES = ("README.md", "README.ko.md")


@pytest.mark.parametrize("name", READMES)
def test_the_examples_of_the_readme_run_as_they_stand(tmp_path, name):
    from hallumaze_kit import AnswerBook, read_results

    shown = (ROOT / name).read_text("utf-8")
    asking, comparing, first, second = re.findall(r"^```python\n(.*?)^```", shown, re.M | re.S)
    shutil.copytree(ROOT / "data", tmp_path / "data")
    kept = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    done = subprocess.run([sys.executable, "-c", asking], cwd=elsewhere, env=kept, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.count("careful") == 5, done.stdout + done.stderr
    assert not re.sub(r"answers:[^\r\n]*", "", done.stderr).strip(), "a bar is all that stands on the error stream"
    done = subprocess.run([sys.executable, "-c", comparing], cwd=elsewhere, env=kept, capture_output=True, text=True)
    assert done.returncode == 0 and "difference of means" in done.stdout and "0.80" in done.stdout, done.stderr
    for code in (first, first + second):
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=kept, capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout.strip() and not done.stderr, done.stdout + done.stderr
    with AnswerBook(tmp_path / "results" / "answers.db") as book:
        (result,) = book.results()
    assert result.sr == 1 and result.model == "claude"
    assert read_results(tmp_path / "results" / "results.json") == [result]
    assert len(read_results(tmp_path / "results" / "results.csv")) == 1
    assert (tmp_path / "results" / "maze.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", READMES)
def test_the_readme_names_only_targets_and_files_that_exist(name):
    text = (ROOT / name).read_text("utf-8")
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M)
    assert set(re.findall(r"`?\bmake ([a-z]+)\b", text)) <= set(targets)
    assert all((ROOT / link).exists() for link in re.findall(r"\]\(([^)]+)\)", text))


def test_both_readmes_have_the_same_parts():
    english, korean = ((ROOT / name).read_text("utf-8") for name in READMES)
    for mark in (r"^#+ ", r"^\|", r"^```"):
        assert len(re.findall(mark, english, re.M)) == len(re.findall(mark, korean, re.M)), mark
    prose = [re.sub(r"^```.*?^```", "", text, flags=re.M | re.S) for text in (english, korean)]
    assert set(re.findall(r"`([^`\n]+)`", prose[0])) == set(re.findall(r"`([^`\n]+)`", prose[1]))


# ---- light import --------------------------------------------------------------------------------


def test_importing_the_kit_loads_nothing_heavy():
    heavy = ("numpy", "pandas", "matplotlib", "scipy", "statsmodels", "joblib", "inspect_ai", "ipywidgets", "IPython")
    code = f"import sys, hallumaze_kit; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stdout + done.stderr


# ---- make chooses a Python that works ------------------------------------------------------------

GOOD = """#!/bin/sh
if [ "$1 $2" = "-m venv" ]; then mkdir -p "$4/bin" && echo "$0" > "$4/bin/python" && chmod +x "$4/bin/python"; fi
"""
SHIM = "#!/bin/sh\nexit 127\n"
TOO_OLD = "#!/bin/sh\ncase $2 in *version_info*) exit 1;; esac\n"
BARE = "#!/bin/sh\ncase $2 in *ensurepip*) exit 1;; esac\n"


def make_venv(folder: Path, pythons: dict[str, str], *arguments: str) -> subprocess.CompletedProcess:
    """Run the Makefile's rule for .venv where nothing but `pythons` (name, script) is on the machine."""
    make = shutil.which("make")
    if make is None:
        pytest.skip("make is not on this machine")
    tools = folder / "bin"
    tools.mkdir()
    for tool in ("mkdir", "chmod", "rm", "test"):
        (tools / tool).symlink_to(shutil.which(tool))
    for name, script in pythons.items():
        (tools / name).write_text(script)
        (tools / name).chmod(0o755)
    shutil.copy(ROOT / "Makefile", folder)
    return subprocess.run(
        [make, ".venv/bin/python", *arguments], cwd=folder, env={"PATH": str(tools)}, capture_output=True, text=True
    )


@pytest.mark.parametrize(
    ("pythons", "arguments", "chosen"),
    [
        ({"python3.13": GOOD, "python3.12": GOOD, "python3": GOOD}, (), "python3.13"),
        ({"python3.13": SHIM, "python3.12": TOO_OLD, "python3.11": BARE, "python3": GOOD}, (), "python3"),
        ({"python3.13": GOOD, "python3.11": GOOD}, ("PYTHON=python3.11",), "python3.11"),
    ],
)
def test_make_takes_the_first_python_that_works(tmp_path, pythons, arguments, chosen):
    done = make_venv(tmp_path, pythons, *arguments)
    assert done.returncode == 0, done.stderr
    assert Path((tmp_path / ".venv/bin/python").read_text().strip()).name == chosen


@pytest.mark.parametrize(
    ("pythons", "arguments", "says"),
    [
        ({}, (), "No Python 3.11 or newer found: install one, or name it: make PYTHON=/path/to/python3"),
        ({"python3": TOO_OLD}, (), "No Python 3.11 or newer found"),
        ({"python3": GOOD}, ("PYTHON=/nowhere/python3",), "No Python 3.11 or newer at /nowhere/python3"),
        ({"python3": BARE}, (), "apt install python3-venv"),
    ],
)
def test_make_says_in_one_line_what_is_missing(tmp_path, pythons, arguments, says):
    done = make_venv(tmp_path, pythons, *arguments)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make")]
    assert done.returncode != 0 and len(lines) == 1 and says in lines[0], done.stderr
    assert not (tmp_path / ".venv").exists()


# ---- skips are failures where everything must run ------------------------------------------------

SKIPPING = {
    "test_mark.py": "import pytest\n@pytest.mark.skip(reason='why not')\ndef test_a(): pass\n",
    "test_if.py": "import pytest\n@pytest.mark.skipif(True, reason='why not')\ndef test_a(): pass\n",
    "test_call.py": "import pytest\ndef test_a(): pytest.skip('why not')\n",
    "test_fixture.py": "import pytest\n@pytest.fixture\ndef x(): pytest.skip('why not')\ndef test_a(x): pass\n",
    "test_module.py": "import pytest\npytest.skip('why not', allow_module_level=True)\ndef test_a(): pass\n",
    "test_import.py": "import pytest\npytest.importorskip('no_such_module', reason='why not')\ndef test_a(): pass\n",
}
HONEST = "import pytest\ndef test_a(): pass\n@pytest.mark.xfail(reason='known')\ndef test_b(): assert False\n"


def run_pytest(folder: Path, no_skip: str, *options: str) -> subprocess.CompletedProcess:
    (folder / "conftest.py").write_bytes((ROOT / "tests" / "conftest.py").read_bytes())
    (folder / "pytest.ini").write_text("[pytest]\n")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-ra", *options],
        cwd=folder, env=kept | {"HALLUMAZE_NO_SKIP": no_skip}, capture_output=True, text=True,
    )  # fmt: skip


@pytest.mark.parametrize("name", SKIPPING)
def test_a_skip_fails_where_none_is_allowed(tmp_path, name):
    (tmp_path / name).write_text(SKIPPING[name])
    strict = run_pytest(tmp_path, "1")
    assert strict.returncode in (1, 2) and "HALLUMAZE_NO_SKIP=1 allows no skip" in strict.stdout, strict.stdout
    assert "why not" in strict.stdout and "skipped" not in strict.stdout.splitlines()[-1]


def test_a_skip_fails_under_parallel_workers_too(tmp_path):
    for name, source in SKIPPING.items():
        (tmp_path / name).write_text(source)
    strict = run_pytest(tmp_path, "1", "-n", "2", "--continue-on-collection-errors")
    assert strict.returncode == 1, strict.stdout
    assert strict.stdout.count("HALLUMAZE_NO_SKIP=1 allows no skip") >= len(SKIPPING)


def test_otherwise_a_skip_stays_a_skip(tmp_path):
    for name, source in SKIPPING.items():
        (tmp_path / name).write_text(source)
    (tmp_path / "test_honest.py").write_text(HONEST)
    done = run_pytest(tmp_path, "")
    assert done.returncode == 0 and "1 passed, 6 skipped, 1 xfailed" in done.stdout, done.stdout


def test_an_expected_failure_is_no_skip(tmp_path):
    (tmp_path / "test_honest.py").write_text(HONEST)
    done = run_pytest(tmp_path, "1")
    assert done.returncode == 0 and "1 passed, 1 xfailed" in done.stdout, done.stdout
