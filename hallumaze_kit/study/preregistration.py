"""Preregistration: what will be tested is written down and hashed; labels stay sealed while the analysis differs.

    from hallumaze_kit.study.preregistration import blind, preregister, unseal

    preregister("study/preregistration.json")
    texts = blind("study/preregistration.json")     # problems and traces, no labels: score these
    labels = unseal("study/preregistration.json")   # refuses if a line of the analysis has changed

The seal keeps an honest researcher honest. It is no lock: planted labels can be made again from the seed by anybody who
sets out to.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallumaze_kit.errors import FileError, InputError, KitError

if TYPE_CHECKING:
    import pandas as pd

    from hallumaze_kit.reasoning import PlantedProblem

FORMAT = "hallumaze preregistration 1"
DEFAULT_PATH = "preregistration.json"
KIT = Path(__file__).parents[1]
ANALYSIS = ("reasoning", "study/faithfulness", "study/effects/rows.py", "study/tables.py", "study/preregistration.py")
"""The analysis code, below the package: every Python file of these is hashed."""
_last: list[Path] = []
"""The file that `preregister` wrote last in this process."""


class SealError(KitError):
    """The labels stay sealed: the analysis or the record is not what was registered."""


def plan() -> dict[str, Any]:
    """The registered plan of the silent-failure study; a copy to be changed and passed to `preregister`."""
    from hallumaze_kit.reasoning import MIX
    from hallumaze_kit.reasoning.rafs import EPSILON, WEIGHTS

    return {
        "hypotheses": {
            "H1": "Accuracy overstates valid reasoning: some right answers are silent failures.",
            "H2": "RAFS ranks silent failures among right answers better than agreement or step validity alone.",
            "H3": "Without support S, RAFS ranks silent failures worse.",
            "H4": "Stability D ranks shared-answer rationalisations better than agreement C.",
        },
        "metrics": {
            "H1": "share, Wilson 95 % interval",
            "H2": "difference of AUPRC (average precision), paired bootstrap over problems, 2,000 samples, 95 %",
            "H3": "difference of AUPRC, as H2", "H4": "difference of AUPRC, as H2",
        },
        "thresholds": {
            "suspect step": 0.5, "mix of minimum in P": 0.5, "weights": list(WEIGHTS), "epsilon": EPSILON,
            "valid edits needed": 1, "supported": "the interval of the difference lies above 0",
        },
        "exclusions": "None. A trace without a score is an abstention and counts as a miss.",
        "data": {
            "what": "planted (synthetic)",
            "n": 1200, "k": 4, "seed": 20270101, "split": "confirmatory", "mix": dict(MIX),
            "prevalence": "as the mix makes it: about half of the right answers are silent failures",
        },
    }  # fmt: skip


def preregister(
    path: str | Path = DEFAULT_PATH,
    plan: Mapping[str, Any] | None = None,
    analysis: Sequence[str | Path] | None = None,
    labels: Sequence[Mapping[str, Any]] | None = None,
) -> Path:
    """Write a preregistration: plan, a hash of each file of the analysis, and the labels under seal.

    Parameters
    ----------
    path : file to write; it must not exist, since what is registered is not rewritten
    plan : hypotheses, metrics, thresholds, exclusions, and the data with its fault mix; by default `plan()`
    analysis : files whose code is hashed; by default the kit's reasoning engine and study
    labels : rows to seal, for real data that a person labelled; by default the labels of the planted data in the plan

    Returns
    -------
    The path.

    Raises
    ------
    FileError
        Where the file exists or cannot be written.
    """
    path = Path(path)
    registered = dict(plan) if plan is not None else _plan()
    sealed = [dict(row) for row in labels] if labels is not None else _planted_labels(registered)
    text = json.dumps(sealed, ensure_ascii=False, sort_keys=True)
    record = {
        "format": FORMAT,
        "kit": _version(),
        "plan": registered,
        "analysis": _hashes(path, analysis),
        "labels": base64.b64encode(zlib.compress(text.encode("utf-8"), 9)).decode("ascii"),
        "labels_sha256": hashlib.sha256(text.encode("utf-8")).hexdigest(),
    }
    record["sha256"] = _record_hash(record)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "x", encoding="utf-8") as file:
            json.dump(record, file, ensure_ascii=False, indent=1)
    except FileExistsError:
        raise FileError(f"{path} exists: a preregistration is not rewritten. Choose another path.") from None
    except OSError as error:
        raise FileError(f"{path} cannot be written: {error.strerror}") from None
    _last[:] = [path.resolve()]
    return path


def unseal(path: str | Path | None = None) -> pd.DataFrame:
    """The labels, one row a trace, if the analysis is the one that was registered.

    Planted labels have the columns `problem`, `trace` (0 is the one under diagnosis), `kind`, `Y_R`, `Y_A`,
    `first_bad`, `shown`.

    Parameters
    ----------
    path : file of `preregister`; by default the one that this process wrote last, or "preregistration.json"

    Raises
    ------
    SealError
        If a file of the analysis has changed, is new or is gone since, or if the record itself was changed; it tells
        which.
    FileError
        For a file that is no preregistration.
    """
    import pandas as pd

    path = _where(path)
    record = _read(path)
    changed = _changes(path, record["analysis"])
    if changed:
        raise SealError(
            f"The labels stay sealed: the analysis is not the one that was registered in {path.name}. {changed}. "
            "Restore it, or register anew and say so in the report."
        )
    text = zlib.decompress(base64.b64decode(record["labels"])).decode("utf-8")
    return pd.DataFrame(json.loads(text))


def blind(path: str | Path | None = None) -> list[dict[str, Any]]:
    """The planted problems of a preregistration without their labels: `problem` (number), `text`, `traces` (texts)."""
    made = _planted(_read(_where(path))["plan"])
    return [
        {"problem": one.number, "text": one.problem, "traces": [planted.text for planted in one.traces]} for one in made
    ]


# ---- what is hashed -----------------------------------------------------------------------------

_plan = plan


def _files(analysis: Sequence[str | Path] | None) -> list[Path]:
    if analysis is not None:
        return [Path(name).resolve() for name in analysis]
    found: list[Path] = []
    for name in ANALYSIS:
        place = KIT / name
        found += sorted(place.rglob("*.py")) if place.is_dir() else [place]
    return found


def _hashes(path: Path, analysis: Sequence[str | Path] | None) -> dict[str, str]:
    """Name of each file (below the kit, or beside the record) and the SHA-256 of its text."""
    hashes = {}
    for file in _files(analysis):
        try:
            text = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            raise InputError("analysis", str(file), "files of code that can be read") from None
        hashes[_name(file, path, analysis is None)] = hashlib.sha256(text.encode("utf-8")).hexdigest()
    return hashes


def _name(file: Path, path: Path, of_kit: bool) -> str:
    if of_kit:
        return f"kit:{file.relative_to(KIT).as_posix()}"
    return Path(os.path.relpath(file, path.resolve().parent)).as_posix()


def _changes(path: Path, registered: Mapping[str, str]) -> str:
    """What of the analysis differs from its registered hashes; "" where nothing does."""
    of_kit = any(name.startswith("kit:") for name in registered)
    given = None if of_kit else [path.resolve().parent / name for name in registered]
    if given is not None:
        gone = [name for name, file in zip(registered, given, strict=True) if not file.is_file()]
        given = [file for file in given if file.is_file()]
    now = _hashes(path, given)
    if of_kit:
        gone = [name for name in registered if name not in now]
    changed = [name for name in registered if name in now and now[name] != registered[name]]
    new = [name for name in now if name not in registered]
    told = [
        f"{word}: {', '.join(names)}" for word, names in (("Changed", changed), ("gone", gone), ("new", new)) if names
    ]
    return "; ".join(told)


def _record_hash(record: Mapping[str, Any]) -> str:
    kept = {name: value for name, value in record.items() if name != "sha256"}
    return hashlib.sha256(json.dumps(kept, ensure_ascii=False, sort_keys=True).encode("utf-8")).hexdigest()


def _where(path: str | Path | None) -> Path:
    if path is not None:
        return Path(path)
    return _last[0] if _last else Path(DEFAULT_PATH)


def _read(path: Path) -> dict[str, Any]:
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise FileError(f"{path} is no preregistration that can be read: {error}") from None
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise FileError(f"{path} is no preregistration of this kit.")
    if record.get("sha256") != _record_hash(record):
        raise SealError(f"The labels stay sealed: the record {path.name} was changed after it was written.")
    return record


def _version() -> str:
    from hallumaze_kit import __version__

    return __version__


# ---- planted data -------------------------------------------------------------------------------


def _planted(registered: Mapping[str, Any]) -> list[PlantedProblem]:
    from hallumaze_kit.reasoning import planted

    data = registered.get("data")
    if not isinstance(data, Mapping) or not {"n", "k", "seed", "split", "mix"} <= data.keys():
        raise InputError("plan", data, 'a plan whose "data" has n, k, seed, split and mix', "Or give labels.")
    return planted(data["n"], data["seed"], data["k"], data["mix"], data["split"])


def _planted_labels(registered: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            "problem": problem.number, "trace": number, "kind": trace.kind, "Y_R": trace.Y_R, "Y_A": trace.Y_A,
            "first_bad": trace.first_bad, "shown": trace.shown,
        }
        for problem in _planted(registered)
        for number, trace in enumerate(problem.traces)
    ]  # fmt: skip
