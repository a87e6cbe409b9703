"""What is shown of an answer, as HTML: everything that was pasted or typed is escaped and runs nothing."""

from __future__ import annotations

import base64
import html
import io
import math
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from hallumaze_kit.maze import MazeEngine
from hallumaze_kit.panels.pasting.state import Row, Shown
from hallumaze_kit.panels.pasting.words import MEANINGS, WARNINGS_KO, WORDS
from hallumaze_kit.panels.trials.words import PROTOCOL_MEANINGS, PROTOCOL_NAMES
from hallumaze_kit.records import METRICS, BenchmarkResult
from hallumaze_kit.records.result import PROTOCOL_METRICS, RANGES
from hallumaze_kit.study.tables import METRIC_NAMES
from hallumaze_kit.trial.interpreting.interpret import interpret, mark, reason_words
from hallumaze_kit.trial.replay import Move
from hallumaze_kit.trial.trace import DeadEnd, Event, Loop, Step, StrategyChange

LONGEST_SHOWN = 100_000
"""Characters of an answer that are shown; the file holds all."""
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


def text(value: object) -> str:
    """Any text as HTML that shows it: markup is escaped, control and direction signs are written out."""
    return _HIDDEN.sub(lambda m: f"⟨{ord(m[0]):04X}⟩", html.escape(str(value).replace("\r\n", "\n")))


def short(name: str, most: int = 60) -> str:
    """A name as it is shown: its beginning, if it is very long."""
    return name if len(name) <= most else f"{name[:most]}…"


def notice(sentence: str, kind: str = "info") -> str:
    """A sentence of the panel, plain text; `kind` is "info", "ask" or "error"."""
    sign = {"info": "✓", "ask": "?", "error": "!"}[kind] if sentence else ""
    return f'<div class="hm-notice hm-{kind}" role="status">{sign} {text(sentence)}</div>' if sentence else ""


def hint(sentence: str, examples: Sequence[str] = ()) -> str:
    """What helps to fill something in; `examples` stand one a line, as they are typed."""
    lines = f'<pre class="hm-examples">{text(chr(10).join(examples))}</pre>' if examples else ""
    return f'<div class="hm-hint">{text(sentence)}{lines}</div>' if sentence else ""


def shown_html(shown: Shown, language: str, more: str = "") -> str:
    """An answer, its walk on the maze, its events, numbers, claims, and the text itself; `more` stands above."""
    words = WORDS[language]
    outcome = dict(interpret(shown.result, language).lines).get("결과" if language == "ko" else "Outcome", "")
    parts = [
        head(shown, _mei(shown.result.mei), outcome, language),
        more,
        _corrected(shown, words),
        f'<div class="hm-columns"><div class="hm-walk">{picture(shown, language)}</div>',
        f"<div>{_claims(shown, words)}{_readings(shown, language)}</div></div>",
        details(words["events"], _events(shown, words), True),
        details(words["numbers"], numbers(shown.result, METRICS, language), True),
        details(words["warnings"], warnings(shown, language), bool(_doubts(shown, words) or shown.result.warnings)),
        details(words["original"], answer_html(shown, words), False),
    ]
    return f'<div class="hm-result">{"".join(parts)}</div>'


def warm() -> None:
    """Load what the first picture needs, so that the first answer is not shown late."""
    from matplotlib import pyplot as plt

    from hallumaze_kit.study.figures import walk_figure

    plt.close(walk_figure(MazeEngine(2, 0), (), "", "ko"))


def picture(shown: Shown, language: str) -> str:
    """The walk drawn on the maze, as an image inside the page, after the moves that the prompt gave."""
    happened = shown.happened
    alt = WORDS[language]["walk_alt"].format(n=len(happened.moves), bad=len(happened.hallucinations))
    return drawn(shown, (*happened.injected, *happened.moves), alt, language)


def drawn(shown: Shown, moves: Sequence[Move], alt: str, language: str) -> str:
    """Moves drawn on the maze of an answer, as an image inside the page."""
    from matplotlib import pyplot as plt

    from hallumaze_kit.study.figures import walk_figure

    figure = walk_figure(shown.maze, moves, "", language, lures=shown.config.use_mirage)
    image = io.BytesIO()
    figure.savefig(image, format="png", dpi=160, metadata={"Software": None})
    plt.close(figure)
    return f'<img alt="{text(alt)}" src="data:image/png;base64,{base64.b64encode(image.getvalue()).decode()}">'


def head(shown: Shown, mark: str, outcome: str, language: str) -> str:
    """The line above a result: its mark, who answered, which maze, how it ended."""
    who = " ".join(short(name) for name in (shown.result.provider, shown.result.model) if name)
    seed = WORDS[language]["at_seed"].format(seed=shown.maze.seed)
    line = f"{who} · {shown.maze.size}×{shown.maze.size} · {seed} · {outcome}"
    return f'<div class="hm-head"><b class="hm-mei">{mark}</b> <span>{text(line)}</span></div>'


def _corrected(shown: Shown, words: dict[str, Any]) -> str:
    """That the reading was corrected: by whom, when, why, and what was changed into what."""
    made = shown.result.corrections
    if not made:
        return ""
    changes: dict[str, list[str]] = {}
    for one in made:
        at, author, reason = (str(one.get(part, "")) for part in ("at", "author", "reason"))
        why = f"{local_time(at)} · {author} · {reason}"
        old, new = (one.get(part) or words["nothing"] for part in ("original", "corrected"))
        changes.setdefault(why, []).append(f"<li>{text(old)} → {text(new)}</li>")
    listed = "".join(f"<li>{text(why)}<ul>{''.join(lines)}</ul></li>" for why, lines in changes.items())
    return f'{notice(words["corrected"].format(n=len(made)), "ask")}<ul class="hm-mended">{listed}</ul>'


def details(title: str, body: str, opened: bool) -> str:
    """A part of the page that opens and closes."""
    return f"<details{' open' if opened else ''}><summary>{text(title)}</summary>{body}</details>"


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    head = "".join(f"<th>{text(name)}</th>" for name in columns)
    body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
    return f'<div class="hm-scroll"><table class="hm-table"><tr>{head}</tr>{body}</table></div>'


# ---- what was said and what happened ----------------------------------------------------------------


def _claims(shown: Shown, words: dict[str, Any]) -> str:
    trace, happened, result = shown.trace, shown.happened, shown.result
    said = words["none"]
    counted = lambda kind: [d for d in happened.declarations if isinstance(d.event, kind)]  # noqa: E731
    of = lambda kind: words["of_true"].format(n=len(counted(kind)), k=sum(d.true is True for d in counted(kind)))  # noqa: E731
    stated = [m.confidence for m in happened.moves if m.confidence is not None]
    right = [m.legal for m in happened.moves if m.confidence is not None]
    reached = trace.final_path is not None and trace.final_path[-1] == shown.maze.exit
    rows = {
        "hallucinations": (
            said if trace.hallucinations is None else trace.hallucinations,
            happened.hallucination_count,
        ),
        "backtracks": (said if trace.backtracks is None else trace.backtracks, happened.backtracks),
        "solved": (
            words["gave_up"]
            if trace.gave_up
            else said
            if trace.final_path is None
            else words["yes" if reached else "no"],
            words["yes" if result.sr == 1 else "no"],
        ),
        "dead_ends": (words["in_text"].format(n=len(trace.dead_ends)), of(DeadEnd)),
        "loops": (words["in_text"].format(n=len(trace.loops)), of(Loop)),
        "confidence": (
            f"{sum(stated) / len(stated):.0%}" if stated else said,
            f"{sum(right) / len(right):.0%}" if right else "–",
        ),
    }
    listed = table(
        words["claim_columns"], ((text(words["claim_rows"][k]), text(a), text(b)) for k, (a, b) in rows.items())
    )
    return f'<div class="hm-claims"><b>{text(words["claims"])}</b>{listed}</div>'


def _readings(shown: Shown, language: str) -> str:
    lines = "".join(
        f"<dt>{text(label)}</dt><dd>{text(said)}</dd>" for label, said in interpret(shown.result, language).lines
    )
    return f'<dl class="hm-readings">{lines}</dl><p class="hm-hint">{text(WORDS[language]["about"])}</p>'


def numbers(result: BenchmarkResult, names: Sequence[str], language: str) -> str:
    """Measures with value, range and meaning; those of a protocol or a hint stand first, where the trial has them."""
    has = [name for name in PROTOCOL_METRICS if not math.isnan(getattr(result, name)) or name in result.nan_reasons]
    labels = METRIC_NAMES[language] | PROTOCOL_NAMES[language]
    meanings = MEANINGS[language] | PROTOCOL_MEANINGS[language]
    rows = []
    for name in (*has, *names):
        value = getattr(result, name)
        why = f" ({reason_words(result.nan_reasons.get(name, ''), language)})" if math.isnan(value) else ""
        low, high = RANGES[name]
        span = f"{low:g} – {high:g}" if high < math.inf else f"≥ {low:g}" if low > -math.inf else "…"
        rows.append((text(labels[name]), text(_value(name, value) + why), text(span), text(meanings[name])))
    return table(WORDS[language]["number_columns"], rows)


def _mei(mei: float) -> str:
    return "MEI –" if math.isnan(mei) else f"MEI {_value('mei', mei)}{mark(mei)}"


def _value(name: str, value: float) -> str:
    if math.isnan(value):
        return "–"
    return f"{value:.0f}" if float(value).is_integer() and RANGES[name][1] != 1 else f"{value:.3f}"


def warnings(shown: Shown, language: str) -> str:
    """What could not be read, and what else is to be said of the result."""
    words = WORDS[language]
    found = [*_doubts(shown, words), *(warning_words(warning, language) for warning in shown.result.warnings)]
    listed = "".join(f"<li>{text(line)}</li>" for line in found)
    return f"<ul>{listed}</ul>" if found else f"<p>{text(words['no_warnings'])}</p>"


def _doubts(shown: Shown, words: dict[str, Any]) -> list[str]:
    """Where what the answer counts of itself and what was read differ: a step may have been missed."""
    counts = {
        "backtracks": (shown.trace.backtracks, shown.happened.backtracks),
        "hallucinations": (shown.trace.hallucinations, shown.happened.hallucination_count),
    }
    return [
        words["doubt"].format(what=words["claim_rows"][what], said=said, found=found)
        for what, (said, found) in counts.items()
        if said is not None and said != found
    ]


def warning_words(warning: str, language: str) -> str:
    """A warning of the reader in `language`; one that has no words in it stays as it was written."""
    for pattern, said in WARNINGS_KO.items() if language == "ko" else ():
        if found := re.fullmatch(pattern, warning, re.DOTALL):
            return said.format(*found.groups())
    return warning


# ---- events and their places --------------------------------------------------------------------------


def _events(shown: Shown, words: dict[str, Any]) -> str:
    rows = []
    for number, (event, verdict, bad) in enumerate(_judged(shown, words), 1):
        where = _where(event)
        confidence = f"{event.confidence:g}%" if isinstance(event, Step) and event.confidence is not None else ""
        quoted = shown.trace.text[slice(*event.span)].replace("\n", " ")[:80]
        quoted = words["mended_words"] if number - 1 in shown.mended else quoted
        css = ' class="hm-bad"' if bad else ""
        what = words["declared"].get(type(event).__name__) or _move(event)
        rows.append(
            (str(number), text(what), text(where), f"<span{css}>{text(verdict)}</span>", text(confidence), text(quoted))
        )
    return table(words["columns"], rows)


def _judged(shown: Shown, words: dict[str, Any]) -> list[tuple[Event, str, bool]]:
    """Each event with its verdict in words, and whether it is one against the subject."""
    moves: dict[int, list[str]] = {}
    for m in shown.happened.moves:
        moves.setdefault(m.source, []).append("retraced" if m.kind == "legal" and m.retraced else m.kind)
    true = {id(d.event): d.true for d in shown.happened.declarations}
    out: list[tuple[Event, str, bool]] = []
    index = -1
    for event in shown.trace.events:
        if isinstance(event, Step):
            index += 1
            kinds = moves.get(index, ["arrival"])
            bad = any(kind in ("wall", "outside", "jump") for kind in kinds)
            out.append((event, ", ".join(words["kinds"][kind] for kind in kinds), bad))
        else:
            fact = true.get(id(event))
            kind = "change" if isinstance(event, StrategyChange) or fact is None else str(fact).lower()
            out.append((event, words["kinds"][kind], fact is False))
    return out


def _move(event: Event) -> str:
    if not isinstance(event, Step):
        return ""
    arrow = f"→ {_cell(event.to)}" if event.to is not None else ""
    return " ".join(part for part in (event.direction, arrow) if part) or "·"


def _where(event: Event) -> str:
    if isinstance(event, StrategyChange):
        return ""
    return _cell(event.cell) if event.cell is not None else ""


def _cell(cell: tuple[int, int] | None) -> str:
    return "" if cell is None else f"({cell[0]},{cell[1]})"


def answer_html(shown: Shown, words: dict[str, Any]) -> str:
    """The answer's text, with each event marked where it stands and numbered as in the list of events."""
    whole = shown.trace.text
    places: dict[tuple[int, int], tuple[list[int], bool]] = {}
    for number, (event, _, bad) in enumerate(_judged(shown, words), 1):
        numbers, worst = places.get(event.span, ([], False))
        places[event.span] = ([*numbers, number], worst or bad)
    kept, at = [], 0
    for (start, end), (numbers, bad) in sorted(places.items()):
        if start < at or end <= start or end > LONGEST_SHOWN:
            continue
        label = f"{numbers[0]}–{numbers[-1]}" if len(numbers) > 1 else str(numbers[0])
        kept.append(text(whole[at:start]))
        kept.append(f'<mark class="{"hm-bad" if bad else "hm-ok"}">{text(whole[start:end])}<sup>{label}</sup></mark>')
        at = end
    kept.append(text(whole[at:LONGEST_SHOWN]))
    cut = notice(words["cut_shown"].format(n=LONGEST_SHOWN), "ask") if len(whole) > LONGEST_SHOWN else ""
    return f'<pre class="hm-text" tabindex="0">{"".join(kept)}</pre>{cut}'


def answer_alone(shown: Shown) -> str:
    """The answer's text without any reading of it, for a second reader."""
    return f'<pre class="hm-text" tabindex="0">{text(shown.answer.text[:LONGEST_SHOWN])}</pre>'


def judged(right: float) -> str:
    """How a judgement of a path came out: "right", "wrong" or "unread"."""
    return "unread" if math.isnan(right) else "right" if right else "wrong"


# ---- lists and tables ---------------------------------------------------------------------------------


def row_line(row: Row, language: str) -> str:
    """A saved answer as one line of the list."""
    words = WORDS[language]
    marks = [
        words["marks"]["deleted"] if row.deleted and row.standing != "first" else "",
        words["standings"].get(row.standing, ""),
        words["marks"]["corrected"] if row.corrected else "",
        words["marks"]["discarded"].format(n=row.discarded) if row.discarded else "",
    ]
    if row.protocol == "probe":
        solved, score = words["protocols"]["probe"], words["judged"][judged(row.right)]
    else:
        solved, score = "–" if math.isnan(row.sr) else f"SR {row.sr:.0f}", _mei(row.mei)
    seed = words["at_seed"].format(seed=row.seed)
    model = f"{short(row.product)} {short(row.model)}".strip() or words["any_model"]
    line = f"{local_time(row.at)} · {model} · {row.size}×{row.size} · {seed} · {solved} · {score}"
    return plain(" · ".join([line, *(m for m in marks if m)]))


def local_time(at: str) -> str:
    """An ISO time to the minute, by the clock of this machine; what is no such time as it was written."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError):
        return at


def plain(line: str) -> str:
    """A line for a list, which takes plain text: control and direction signs are written out."""
    return _HIDDEN.sub(lambda m: f"⟨{ord(m[0]):04X}⟩", line)


def download(path: Path, label: str) -> str:
    """A link that hands a written file to the browser; "" for a large one."""
    data = path.read_bytes()
    if len(data) > 5_000_000:
        return ""
    coded = base64.b64encode(data).decode()
    href = f"data:application/octet-stream;base64,{coded}"
    return f'<a download="{text(path.name)}" href="{href}">{text(label)}</a>'


def frame_html(frame: Any) -> str:
    """A DataFrame as an escaped table, NaN as –, long names shortened."""
    rows = ([text(_of_table(value)) for value in row] for row in frame.itertuples(index=False))
    return table([short(str(name)) for name in frame.columns], rows)


def _of_table(value: object) -> str:
    if isinstance(value, float):
        return "–" if math.isnan(value) else f"{value:.3g}"
    return short(str(value))
