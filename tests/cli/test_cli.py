"""The command line: the document's commands as written, files, going on, errors in one line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
from ask.server import Scripted, serving
from typer.testing import CliRunner

from hallumaze_kit import AnswerBook, MazeConfig, MazeEngine, build_prompt, read_results, run_results
from hallumaze_kit.cli.app import app
from hallumaze_kit.study import running
from hallumaze_kit.study.running import RunInterrupted

ROOT = Path(__file__).parents[2]
CAREFUL = ["--model", "synthetic/careful"]
KEY = "sk-test-5f3c9a1b2d4e"
VARIABLES = ("ANTHROPIC", "OPENAI", "GOOGLE", "DEEPSEEK")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for provider in VARIABLES:
        monkeypatch.delenv(f"{provider}_API_KEY", raising=False)
        monkeypatch.delenv(f"{provider}_MODEL", raising=False)
    return tmp_path


def hallumaze(*arguments, code=0, **more):
    """What a command leaves; `code` is the exit code it must have."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments], prog_name="hallumaze", **more)
    assert done.exit_code == code, done.output + done.stderr + repr(done.exception)
    assert "Traceback" not in done.output + done.stderr
    return done


def one_line(text):
    return text.count("\n") == 1 and text.endswith("\n")


# ---- the document's commands ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "trials", "files"),
    [
        ("--size 7", 1, {".json"}),
        ("--size 9 --runs 5 --csv", 5, {".json", ".csv"}),
        ("--size 7 --seed 42 --runs 10", 10, {".json"}),
        ("--size 7 --no-mirage --seed 42 --output baseline.json", 1, {".json"}),
        ("--size 7 --seed 42 --output mirage.json", 1, {".json"}),
        ("--group A --seed 42 --output group_a.json", 1, {".json"}),
        ("--group B --seed 42 --output group_b.json", 1, {".json"}),
        ("--group C --seed 42 --output group_c.json", 1, {".json"}),
        ("--size 11 --seed 42 --output results_11.json", 1, {".json"}),
        ("--no-confidence --max-tokens 500", 1, {".json"}),
    ],
)
def test_the_documents_commands_run_as_written(folder, line, trials, files):
    arguments = line.split()
    hallumaze(*arguments, *CAREFUL)
    named = arguments[arguments.index("--output") + 1] if "--output" in arguments else None
    place = folder if named else folder / "results"
    written = {path.suffix: path for path in place.iterdir() if path.suffix in (".json", ".csv")}
    assert set(written) == files
    if not named:
        assert written[".json"].stem.startswith("hallumaze_results_20")
    results = read_results(written[".json"])
    assert len(results) == trials and {r.model for r in results} == {"careful"}
    if ".csv" in files:
        assert len(pd.read_csv(written[".csv"])) == trials
    config = results[0].config
    assert config.use_mirage == ("--no-mirage" not in line) and config.use_confidence == ("--no-confidence" not in line)
    if "--group" in arguments:
        assert results[0].ariadne_group == arguments[arguments.index("--group") + 1]


def test_with_a_seed_runs_repeat_the_maze_and_without_one_they_draw_new_ones(folder):
    hallumaze("--size", 5, "--seed", 42, "--runs", 3, "--output", "same.json", *CAREFUL)
    same = read_results(folder / "same.json")
    assert [r.seed for r in same] == [42] * 3 and [r.run for r in same] == [0, 1, 2]
    hallumaze("--size", 5, "--runs", 3, "--output", "new.json", *CAREFUL)
    assert len({r.seed for r in read_results(folder / "new.json")}) == 3


def test_several_seeds_are_several_mazes(folder):
    hallumaze("--size", 5, "--seed", "0-2", "--seed", 7, "--output", "a.json", *CAREFUL)
    assert [r.seed for r in read_results(folder / "a.json")] == [0, 1, 2, 7]


def test_the_numbers_are_those_of_the_library(folder):
    hallumaze(
        "--size", 5, "--seed", "0-3", "--group", "B", "--lang", "en", "--output", "a.json", "--model", "synthetic/hasty"
    )
    config = MazeConfig(size=5, ariadne_mode="B", language="en")
    library = run_results("synthetic/hasty", 5, range(4), config, book="b.db", log_dir=None, progress=False)
    numbers = (
        "sr",
        "mei",
        "ce",
        "brs",
        "hallumaze_score",
        "hallucination_count",
        "detected",
        "nrs",
        "seed",
        "subject_seed",
    )
    shown = [[repr(getattr(r, n)) for n in numbers] for r in read_results(folder / "a.json")]
    assert shown == [[repr(getattr(r, n)) for n in numbers] for r in library]


def test_the_screen_has_the_documents_boxes_marks_and_table():
    done = hallumaze("--size", 5, "--seed", 1, *CAREFUL, "--model", "synthetic/hasty")
    assert "미로 생성됨" in done.output and "크기: 5×5 | 정답 길이: " in done.output
    assert done.output.count("▶ 실행 중: synthetic/") == 2 and "✓ SR=1.00 | MEI=0.900● | CE=" in done.output
    assert "HalluMaze 종합 비교" in done.output and "★ 최고 점수: " in done.output and "[합성]" in done.output
    english = hallumaze("--size", 5, "--seed", 1, "--lang", "en", *CAREFUL).output
    assert "Maze made" in english and "HalluMaze comparison" in english
    assert hallumaze("--size", 5, "--seed", 1, "--quiet", *CAREFUL).output == ""


@pytest.mark.parametrize("more", ["stepwise --view bump", "probe --injection other", "probe", "single --injection own"])
def test_protocols(folder, more):
    protocol, *rest = more.split()
    hallumaze("--size", 5, "--seed", "0-1", "--protocol", protocol, *rest, "--output", "a.json", *CAREFUL)
    results = read_results(folder / "a.json")
    assert {r.config.protocol for r in results} == {protocol} and {r.outcome for r in results} == {"answered"}


# ---- files and going on -----------------------------------------------------------------------------


def test_an_existing_output_is_kept_and_nobody_is_asked(folder):
    (folder / "a.json").write_text("mine")
    done = hallumaze("--size", 5, "--output", "a.json", *CAREFUL, code=2)
    assert "a.json exists and is kept" in done.stderr and one_line(done.stderr)
    assert (folder / "a.json").read_text() == "mine" and not (folder / "a.db").exists()


def test_the_same_command_twice_asks_anew(folder):
    for _ in range(2):
        hallumaze("--size", 5, "--seed", 1, "--quiet", *CAREFUL)
    assert len(list((folder / "results").glob("*.json"))) == 2 == len(list((folder / "results").glob("*.db")))


def test_what_a_killed_run_has_answered_is_not_asked_again(folder):
    run_results("synthetic/careful", 5, range(2), MazeConfig(size=5), book="a.db", log_dir=None, progress=False)
    done = hallumaze("--size", 5, "--seed", "0-3", "--output", "a.json", *CAREFUL)
    assert done.output.count("▶") == 2 and "시행 2개의 답은 이미" in done.output
    assert len(read_results(folder / "a.json")) == 4
    with AnswerBook("a.db") as book:
        assert len(book) == 4


def test_a_killed_run_without_seeds_goes_on_with_the_mazes_it_drew(folder):
    run_results("synthetic/careful", 5, [77, 88], MazeConfig(size=5), book="a.db", log_dir=None, progress=False)
    hallumaze("--size", 5, "--runs", 3, "--output", "a.json", *CAREFUL)
    seeds = [r.seed for r in read_results(folder / "a.json")]
    assert seeds[:2] == [77, 88] and len(set(seeds)) == 3


def test_an_interruption_says_how_to_go_on(monkeypatch):
    def interrupted(*_, **__):
        raise RunInterrupted("stopped")

    monkeypatch.setattr(running, "run_results", interrupted)
    done = hallumaze("--size", 5, "--seed", 3, "--no-mirage", "--output", "a b.json", *CAREFUL, code=130)
    assert one_line(done.stderr)
    assert "hallumaze --size 5 --no-mirage --seed 3 " in done.stderr or "--seed 3" in done.stderr
    assert "--output 'a b.json'" in done.stderr and "--no-mirage" in done.stderr and "a b.db" in done.stderr


# ---- what cannot be done ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says", "code"),
    [
        (["--size", "7"], "There is no model to ask", 2),
        (["--size", "1", *CAREFUL], "size must be", 2),
        (["--runs", "0", *CAREFUL], "runs must be", 2),
        (["--seed", "x", *CAREFUL], "--seed must be", 2),
        (["--seed", "3", "--seed", "3", *CAREFUL], "--seed must be", 2),
        (["--model", "gpt-4o"], "provider/model", 2),
        (["--model", "synthetic/nobody", "--size", "5"], "careful", 2),
        (["--model", "openai/gpt-4o", "--size", "5"], "OPENAI_API_KEY", 1),
        (["--output", "a.txt", *CAREFUL], "must end in .json", 2),
        (["--config", "none.json"], "does not exist", 1),
        (["--size", "5", "prompt"], "stand behind it", 2),
        (["--base-url", "http://127.0.0.1:9/v1"], "--model", 2),
    ],
)
def test_mistakes_are_one_line_and_write_nothing(folder, arguments, says, code):
    done = hallumaze(*arguments, code=code)
    assert says in done.stderr and one_line(done.stderr)
    assert not list(folder.rglob("*.json")) and not list(folder.rglob("*.db"))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--output", "note.txt/deep/a.json"], "note.txt"),
        (["--output", f"{'x' * 300}.json"], "File name too long"),
        (["--book", "note.txt/deep/a.db"], "note.txt/deep/a.db cannot be opened for writing"),
        (["--book", "note.txt"], "note.txt is not an answer book"),
        (["--log-dir", "note.txt"], "The logs cannot be written to note.txt"),
        (["--log-dir", "note.txt/logs"], "The logs cannot be written to note.txt/logs"),
    ],
)
def test_an_impossible_place_is_one_line(folder, arguments, says):
    (folder / "note.txt").write_text("mine " * 300)
    done = hallumaze("--size", 5, "--seed", 1, "--quiet", *CAREFUL, *arguments, code=1)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("이어서 하기: ")]
    assert len(lines) == 1 and says in lines[0], done.stderr
    assert (folder / "note.txt").read_text() == "mine " * 300


def test_a_folder_for_results_that_cannot_be_made_is_one_line(folder):
    (folder / "results").write_text("mine")
    done = hallumaze("--size", 5, "--seed", 1, *CAREFUL, code=1)
    assert "results cannot be made (File exists): name an --output" in done.stderr and one_line(done.stderr)


def test_a_book_that_another_run_asks_for_is_one_line(folder):
    with AnswerBook("a.db") as book, book.one_run():
        done = hallumaze("--size", 5, "--seed", 1, "--quiet", "--output", "a.json", *CAREFUL, code=1)
    assert f"Another run (process {os.getpid()}) is asking for" in done.stderr and one_line(done.stderr)
    assert not (folder / "a.json").exists()


def hears_ctrl_c() -> None:
    """Before a program starts: the background of a shell ignores Ctrl-C, and so does what it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupted(folder, server, *moments):
    """What a command says that is interrupted: when the server was asked so often, then after so many seconds."""
    env = os.environ | {"LAB_API_KEY": KEY, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder / "home")}
    options = ["--model", "openai-api/lab/hang", "--base-url", server.url, "--size", "5", "--seed", "0-9", "--quiet"]
    process = subprocess.Popen(
        [sys.executable, "-m", "hallumaze_kit", *options, "--output", "x.json", "--lang", "en"], cwd=folder, env=env,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=hears_ctrl_c if os.name == "posix" else None,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    for asked, seconds in moments:
        while len(server.asked) < asked and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(seconds)
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    # Python ends itself by the signal where the text of a module was being run; a shell tells 130 for both.
    assert process.returncode in (130, -signal.SIGINT)
    return said


@pytest.mark.parametrize("times", [1, 2, 4])
def test_ctrl_c_however_often_is_one_line(folder, times):
    with serving(Scripted()) as server:
        said = interrupted(folder, server, (3, 0.2), *[(0, 0.1)] * (times - 1))
    assert one_line(said) and "Interrupted; the answers that came are in x.db. Go on with: hallumaze" in said
    with AnswerBook(folder / "x.db") as book:
        assert len(book) == 0


@pytest.mark.parametrize("seconds", [0.3, 0.6, 1.0, 1.5])
def test_ctrl_c_while_it_opens_is_one_line(folder, seconds):
    with serving(Scripted()) as server:
        said = interrupted(folder, server, (0, seconds))
    assert "Interrupted" in said and "Traceback" not in said and one_line(said), said


def test_options_that_are_none():
    assert "No such option" in hallumaze("--nonsense", code=2).stderr
    assert "Invalid value" in hallumaze("--group", "D", *CAREFUL, code=2).stderr


def test_no_network_is_one_line_and_keeps_nothing_back(monkeypatch):
    monkeypatch.setenv("LAB_API_KEY", KEY)
    done = hallumaze(
        "--model",
        "openai-api/lab/x",
        "--base-url",
        "http://127.0.0.1:9/v1",
        "--size",
        5,
        "--max-retries",
        0,
        "--quiet",
        code=1,
    )
    assert "cannot be asked (unreachable" in done.stderr and one_line(done.stderr) and KEY not in done.stderr


# ---- who is asked -----------------------------------------------------------------------------------


@pytest.fixture
def asked(monkeypatch):
    """The models and options that a run is called with; synthetic subjects answer in their place."""
    seen = {}
    real = running.run_results

    def instead(models, sizes, seeds, conditions, runs, **options):
        seen.update(
            models=[m.name for m in models], llms=list(models), size=sizes, seeds=seeds, config=conditions, runs=runs
        )
        return real("synthetic/careful", sizes, seeds, conditions, runs, **options)

    monkeypatch.setattr(running, "run_results", instead)
    return seen


def test_every_provider_with_a_key_is_asked(monkeypatch, asked):
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    monkeypatch.setenv("DEEPSEEK_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza...")
    hallumaze("--size", 5)
    assert asked["models"] == ["anthropic/claude-sonnet-4-20250514", "deepseek/deepseek-reasoner"]


def test_the_environment_chooses_the_model(monkeypatch, asked):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_MODEL", "o3-mini")
    hallumaze("--size", 5)
    assert asked["models"] == ["openai/o3-mini"]


def test_a_configuration_file(folder, monkeypatch, asked):
    (folder / "config.json").write_text(
        json.dumps(
            {
                "maze": {"size": 9, "seed": 4, "use_mirage": False, "language": "en", "runs": 2},
                "models": [
                    {"provider": "openai", "model": "gpt-4o", "api_key": KEY},
                    {"provider": "google", "model": "gemini-2.5-flash", "api_key": "AIza..."},
                    {"model": "deepseek/deepseek-chat", "temperature": 0.5},
                ],
            }
        )
    )
    monkeypatch.setenv("DEEPSEEK_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_API_KEY", "")
    done = hallumaze("--config", "config.json", "--size", 5)
    assert asked["models"] == ["openai/gpt-4o", "deepseek/deepseek-chat"] and asked["llms"][1].temperature == 0.5
    assert (asked["size"], list(asked["seeds"]), asked["runs"]) == (5, [4], 2), "what is typed goes before the file"
    assert asked["config"].language == "en" and not asked["config"].use_mirage
    assert "google/gemini-2.5-flash" in done.stderr and KEY not in done.output + done.stderr
    assert os.environ["OPENAI_API_KEY"] == KEY
    texts = [path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "config.json"]
    assert not any(KEY.encode() in text for text in texts)


def test_the_example_of_a_configuration_holds_no_key_and_is_read(folder):
    example = (ROOT / "config.example.json").read_text("utf-8")
    (folder / "config.json").write_text(example)
    done = hallumaze("--config", "config.json", code=2)
    assert "No model of the configuration file has a key" in done.stderr
    assert "config.json" in (ROOT / ".gitignore").read_text().split()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"), ("[]", "must hold a JSON object"), ('{"models": 5}', "must be a list"),
        ('{"nonsense": 1}', "no option"), ('{"maze": {"depth": 3}}', "no option"),
        ('{"models": [5]}', "provider/model"),
        ('{"maze": {"size": 1}, "models": ["synthetic/careful"]}', "size must be"),
    ],
)  # fmt: skip
def test_a_wrong_configuration_is_one_line(folder, text, says):
    (folder / "config.json").write_text(text)
    done = CliRunner().invoke(app, ["--config", "config.json"])
    assert done.exit_code in (1, 2) and says in done.stderr and one_line(done.stderr)


def test_interactive_asks_what_is_not_given(folder, asked):
    answers = "\n".join(["openai/gpt-4o, synthetic/careful", KEY, "5", "2", "9", "b", "n"])
    done = hallumaze("--interactive", "--output", "a.json", "--lang", "en", input=answers + "\n")
    assert (
        asked["models"] == ["openai/gpt-4o", "synthetic/careful"] and asked["runs"] == 2 and list(asked["seeds"]) == [9]
    )
    assert asked["config"].ariadne_mode == "B" and not asked["config"].use_mirage
    assert os.environ.pop("OPENAI_API_KEY") == KEY and KEY not in done.output


def test_interactive_asks_what_a_configuration_does_not_say(folder, monkeypatch, asked):
    monkeypatch.setenv("DEEPSEEK_API_KEY", KEY)
    models = [
        {"model": "deepseek/deepseek-chat", "temperature": 0.5}, "openai/gpt-4o", "google/gemini-2.5-flash",
        {"model": "synthetic/careful", "max_retries": 1},
    ]  # fmt: skip
    maze = {"size": 9, "use_mirage": False, "language": "en"}
    (folder / "config.json").write_text(json.dumps({"maze": maze, "models": models}))
    answers = [KEY, "", "2", "7", "b"]  # of gpt-4o, of gemini; runs, seed, group
    done = hallumaze("--interactive", "--config", "config.json", "--output", "a.json", input="\n".join(answers) + "\n")
    assert asked["models"] == ["deepseek/deepseek-chat", "openai/gpt-4o", "synthetic/careful"]
    assert [m.temperature for m in asked["llms"]] == [0.5, 0.0, 0.0] and asked["llms"][2].max_retries == 1
    config = asked["config"]
    assert (config.size, config.use_mirage, config.language, config.ariadne_mode) == (9, False, "en", "B")
    assert (asked["runs"], list(asked["seeds"])) == (2, [7]) and "Models (several" not in done.output
    assert os.environ.pop("OPENAI_API_KEY") == KEY and KEY not in done.output
    hallumaze("--interactive", "--config", "config.json", *CAREFUL, "--runs", 1, "--seed", 1, "--group", "A")
    assert asked["models"] == ["synthetic/careful"] and asked["config"].size == 9, "what is typed goes before the file"


def test_interactive_with_a_configuration_that_leaves_nobody(folder):
    (folder / "config.json").write_text(json.dumps({"models": ["openai/gpt-4o"]}))
    done = hallumaze("--interactive", "--config", "config.json", input="\n", code=2)
    assert "남은 모델이 없습니다" in done.stderr and "Traceback" not in done.stderr


def test_interactive_asks_again_and_gives_up():
    again = hallumaze("--interactive", *CAREFUL, "--seed", 1, "--group", "A", input="x\n1\n5\n\ny\n")
    assert again.stderr.count("size must be") == 2
    hallumaze("--interactive", "--model", "openai/gpt-4o", input="\n", code=2)


def test_bare_it_prints_help_where_nobody_can_answer():
    assert "Usage: hallumaze" in hallumaze().output


# ---- the other commands -----------------------------------------------------------------------------


def test_prompt():
    expected = build_prompt(MazeEngine(5, 3), MazeConfig(size=5, language="en"))
    done = hallumaze("prompt", "--size", 5, "--seed", 3, "--lang", "en")
    assert done.output == f"{expected.system}\n\n{expected.user}\n"
    made = json.loads(hallumaze("prompt", "--size", 5, "--seed", 3, "--lang", "en", "--json").output)
    assert made == expected._asdict() | {"seed": 3}
    assert "--seed " in hallumaze("prompt", "--size", 5).stderr, "a drawn seed is told"


def test_score(folder):
    answer = next((ROOT / "data" / "answers").glob("p07*")).read_text("utf-8")
    (folder / "a.txt").write_text(answer, "utf-8")
    done = hallumaze("score", "a.txt", "--size", 5, "--seed", 8008, "--lang", "en")
    assert "✓ SR=1.00" in done.output and "Outcome: SR 1.00" in done.output
    assert "pasted/a.txt" in done.output
    named = hallumaze("score", "-", "--size", 5, "--seed", 8008, "--model", "gpt-4o", input=answer).output
    unnamed = hallumaze("score", "-", "--size", 5, "--seed", 8008, input=answer).output
    assert "pasted/gpt-4o" in named and "pasted/stdin" in unnamed
    piped = hallumaze("score", "-", "--size", 5, "--seed", 8008, "--lang", "en", "--json", input=answer)
    assert json.loads(piped.output)["sr"] == 1
    published = hallumaze("score", "a.txt", "--size", 5, "--seed", 8008, "--conventions", "published", "--json")
    assert json.loads(published.output)["conventions"] == "published"
    assert "cannot be read" in hallumaze("score", "none.txt", "--seed", 1, code=1).stderr
    (folder / "b.txt").write_bytes(b"\xff\xfe\x00")
    assert "no UTF-8 text" in hallumaze("score", "b.txt", "--seed", 1, code=1).stderr


def test_export(folder):
    hallumaze("--size", 5, "--seed", "0-1", "--output", "a.json", "--quiet", *CAREFUL)
    for name in ("b.json", "b.csv", "b.jsonl"):
        assert name in hallumaze("export", "a.db", name).output
        assert "exists" in hallumaze("export", "a.db", name, code=2).stderr
    assert [r.mei for r in read_results(folder / "b.json")] == [r.mei for r in read_results(folder / "a.json")]
    assert len(pd.read_csv(folder / "b.csv")) == 2 and len((folder / "b.jsonl").read_text().splitlines()) == 3
    assert "no answer book" in hallumaze("export", "none.db", "c.json", code=1).stderr
    assert ".json, .csv or .jsonl" in hallumaze("export", "a.db", "c.txt", code=2).stderr


def test_doctor_shows_which_keys_are_set_and_never_one(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GOOGLE_API_KEY", "AIza...")
    done = hallumaze("doctor", "--lang", "en")
    states = {line.split()[0]: " ".join(line.split()[1:]) for line in done.output.splitlines() if "_API_KEY" in line}
    assert states["OPENAI_API_KEY"] == "set" and states["ANTHROPIC_API_KEY"] == "not set"
    assert states["GOOGLE_API_KEY"] == "a placeholder, no key"
    assert (
        KEY not in done.output and "inspect-ai     0.3.285" in done.output and "would ask: openai/gpt-4o" in done.output
    )


def test_lab_says_what_is_missing(monkeypatch, tmp_path):
    from hallumaze_kit.cli import work

    monkeypatch.setattr(work.importlib.util, "find_spec", lambda name: None)
    assert "JupyterLab is not installed" in hallumaze("lab", code=1).stderr
    monkeypatch.undo()
    monkeypatch.setattr(work, "NOTEBOOKS", tmp_path / "none")
    assert "get the repository" in hallumaze("lab", code=1).stderr


def test_as_a_module_help_loads_no_models():
    heavy = "('inspect_ai', 'pandas', 'matplotlib')"
    code = f"import sys; from hallumaze_kit.cli import app; print([m for m in {heavy} if m in sys.modules])"
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-m", "hallumaze_kit", "--help"], env=env, capture_output=True, text=True)
    assert done.returncode == 0 and "Usage: hallumaze" in done.stdout
    loaded = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert loaded.stdout.strip() == "[]", loaded.stderr


# ---- going on with a configuration, a closed pipe, trials that were asked twice --------------------------------


def test_going_on_with_a_configuration_asks_no_more_than_was_asked_for(tmp_path):
    from dataclasses import replace

    from hallumaze_kit.cli.options import chosen
    from hallumaze_kit.cli.running import going_on, place_of
    from hallumaze_kit.cli.settings import settle

    config = tmp_path / "config.json"
    config.write_text(json.dumps({"maze": {"runs": 5}, "models": ["synthetic/careful"]}))
    given = {"config": str(config), "output": str(tmp_path / "x.json")}
    with place_of(given) as place:
        drawn = replace(settle(given), seeds=(1, 2, 3, 4, 5), runs=1)
        again = settle(chosen(going_on(given, drawn, place)))
    assert (again.seeds, again.runs) == (drawn.seeds, 1)


def test_the_files_are_written_before_the_table_is_printed(tmp_path, monkeypatch):
    from hallumaze_kit.cli import running

    def closed(*_):
        raise BrokenPipeError

    monkeypatch.setattr(running._Screen, "line", lambda self, words, **_: closed() if words == "json" else None)
    arguments = ["--size", "5", "--seed", "1", "--model", "synthetic/careful", "--csv"]
    out = tmp_path / "x.json"
    done = CliRunner().invoke(app, [*arguments, "--output", str(out), "--log-dir", str(tmp_path)])
    assert done.exit_code == 1 and out.exists() and out.with_suffix(".csv").exists()


def test_a_trial_that_was_asked_again_is_exported_once(tmp_path):
    maze = MazeEngine(5, 1)
    with AnswerBook(tmp_path / "b.db") as book:
        for outcome, key in (("rate limited", "k"), ("answered", "k"), ("answered", ""), ("answered", "")):
            extra = {"trial_key": key} if key else {}
            book.add("", maze=maze.to_dict(), config=MazeConfig(size=5), model="m", outcome=outcome, extra=extra)
    done = CliRunner().invoke(app, ["export", str(tmp_path / "b.db"), str(tmp_path / "o.json")])
    assert done.exit_code == 0
    assert [result.outcome for result in read_results(tmp_path / "o.json")] == ["answered"] * 3
