"""The closing fields of an answer: final path, self-reported counts, confidence log."""

from __future__ import annotations

import re
from itertools import pairwise

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.reading.tokens import CELL, PLACEHOLDER, add, cell_of, tokens

_FINAL = re.compile(
    # "final path", "complete route"
    r"(?:final|complete|full|entire|solution|corrected|correct|whole|overall|resulting|escape)[ _-]{0,2}"
    r"(?:path|route|walk|solution)"
    r"|final[ _-]{0,2}answer"
    r"|(?:최종|전체|정답|완성|탈출|해답|수정|수정된|올바른|확정)[ _]{0,2}(?:경로|루트|답안?|정답|해답|이동)"
)
_FINAL_FIRST = re.compile(
    # "Path (row, col):" at the head of a line
    r"[\W_]{0,8}(?:path|route|solution|answer|moves?|directions?|sequence"
    r"|경로|정답|답|이동(?: ?순서| ?방향)?|방향)(?=[\W_]{0,4}(?:\([^)\n]{0,24}\))?[\W_]{0,4}[:=])"
)
_SUMMARY = re.compile(
    r"^[\W_]{0,6}(?:정리하면|요약하면|요약|정리"
    r"|in short|in summary|summary|to sum up|in letters|altogether)[\W_]{0,4}",
    re.I,
)
_FINAL_AFTER = re.compile(
    r"^(?:[^:=→\n(\[]{0,40}(?:\([^)\n]{0,40}\))?[^:=→\n(\[]{0,10}[:=]"  # " (from start to exit):"
    r"|\W{0,8}$"  # the end of the line
    r"|[\"'\s]{0,4}(?=[(\[]\s{0,3}[(\[]?\s{0,3}\d)"  # the first cell
    r"|\s{1,3}(?:is|was)\b|(?:는|은|가|이)\b)"
)
_PATH_LINE = re.compile(r"^[\s\"'>|•-]{0,8}(?:\d{1,3}[.)]\s{0,3})?(?:→|\(\s{0,3}\d|\[|\{)")
_ONLY_CELL = re.compile(
    r"^[\s\"'>|•*-]{0,8}(?:\d{1,3}[.)]\s{0,3})?"
    r"[\[(]\s{0,2}\d{1,3}\s{0,2},\s{0,2}\d{1,3}\s{0,2}[\])][\s,→\"'\]]{0,6}$"
)
_LETTERS = re.compile(r"(?<![A-Za-z])([NESWnesw]{1,400})(?![A-Za-z])(?:\s{0,2}[×x*]\s{0,2}(\d{1,2}))?")
_ELISION = re.compile(r"\.\.\.|…|⋯")
_BARE_PAIR = re.compile(r"(?<![\d.,])(\d{1,3})\s{0,1},\s{0,1}(\d{1,3})(?![\d.,])")

BACKTRACKS = (
    # the field: "BACKTRACK_COUNT: 2"
    re.compile(
        r"(?:backtrack\w{0,5}[ _-]{0,2}(?:count|total|횟수)|number of backtracks?"
        r"|백트래킹 ?(?:횟수|수)|백트랙 ?(?:횟수|수)|되돌아[간온] ?횟수|역추적 ?횟수)"
        r"[^\n\d(\[,.;]{0,14}(\d{1,4}|none|zero|n/?a\b|unknown|없음|모름)",
        re.I,
    ),
    # a number and its counter: "백트래킹 2회"
    re.compile(
        r"(?:백트래킹|백트랙|되돌아[간온감]|되돌아가기|역추적)[^\n\d(\[,.;]{0,12}(\d{1,4})\s{0,2}[회번]"
        r"|(?:백트래킹|백트랙)\s{0,2}[:=]?\s{0,2}(\d{1,4})\b",
        re.I,
    ),
    # a sentence: "backtracked twice", "no backtracks"
    re.compile(
        r"\bbacktrack(?:ed|s|ing)?\s{0,4}[:=]\s{0,6}(\d{1,4})"
        r"|\bbacktrack(?:ed)?[^\S\n]{1,2}(\d{1,4}|once|twice|one|two|three|zero)\b"
        r"|\b(\d{1,4}|one|two|three|no|zero)[^\S\n]{1,2}backtrack(?:s|ing)?\b",
        re.I,
    ),
    re.compile(r"(?:백트래킹|되돌아[간온] ?(?:횟수|적|일|것)?)[^\n\d(\[,.;]{0,10}(한|두|세|네|없)", re.I),
)
"""Self-reported backtracks, the strongest form first."""
HALLUCINATIONS = (
    re.compile(
        r"(?:hallucinations?[ _-]{0,2}(?:count|total)|number of hallucinations?"
        r"|환각 ?(?:횟수|수|개수|건수))[^\n\d(\[,.;]{0,14}(\d{1,4}|none|zero|n/?a\b|unknown|없음|모름)",
        re.I,
    ),
    re.compile(
        r"환각(?:\([^)\n]{0,30}\))?[^\n\d(\[,.;]{0,12}(\d{1,4})\s{0,2}[회번개건]"
        r"|환각\s{0,2}[:=]?\s{0,2}(\d{1,4})\b",
        re.I,
    ),
    re.compile(
        r"\bhallucinations?\s{0,4}[:=]\s{0,6}(\d{1,4})"
        r"|\b(\d{1,4}|no|zero|one|two|three)[^\S\n]{1,2}hallucinations?\b",
        re.I,
    ),
)
"""Self-reported hallucinations, the strongest form first."""
_WORDS = {
    "none": 0, "없음": 0, "no": 0, "zero": 0, "one": 1, "once": 1, "two": 2, "twice": 2, "three": 3,
    "없": 0, "한": 1, "두": 2, "세": 3, "네": 4,
}  # fmt: skip

LOG = re.compile(r"confidence[ _-]{0,2}(?:log|list|history)|확신도[ _]{0,2}(?:기록|로그|목록|일지)", re.I)
_LOG_ITEM = re.compile(
    r"(?:step|s|스텝|단계|move)?[ _#\"']{0,3}(\d{1,4})(?:\s{0,2}(?:단계|스텝|번))?"  # the step
    r"(?:\s{0,2}(?:-|–|~|to|\.\.)\s{0,2}(?:step|스텝)?\s{0,2}(\d{1,4})(?:\s{0,2}(?:단계|스텝|번))?)?"  # to the last
    r"[\"']?\s{0,2}[:=→]\s{0,2}[\"']?(\d{1,3}(?:\.\d{1,4})?)"  # its confidence
)
MOST_LOG_ITEMS = 100_000
_PLAIN_NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,4})?)(?![\w.])")

_REPORT = re.compile("backtrack|Backtrack|BACKTRACK|백트|되돌|역추적|hallucination|Hallucination|HALLUCINATION|환각")


def report_lines(lines: list[tuple[str, int]]) -> list[str]:
    """The lines that can hold a self-report."""
    return [line for line, _ in lines if line and _REPORT.search(line)]


def reported(patterns: tuple[re.Pattern[str], ...], lines: list[str]) -> int | None:
    """The last number that the strongest pattern finds in the lines; None without one, or if it says "N/A"."""
    for pattern in patterns:
        for line in reversed(lines):
            found = list(pattern.finditer(line))
            if found:
                word = next(g for g in found[-1].groups() if g is not None).lower()
                return int(word) if word.isdigit() else _WORDS.get(word)
    return None


_CLOSING = re.compile(
    "path|route|walk|solution|answer|move|direction|sequence|경로|루트|답|해|이동|방향|정리|요약"
    "|short|summary|sum up|letters|altogether|log|list|history|기록|로그|목록|일지"
)


def may_close(line: str, step: bool) -> bool:
    """Could the line hold a closing field? A quick look before the patterns; a step's line only if it names one."""
    low = line.lower()
    if step:
        return "path" in low or "경로" in low or "_log" in low
    return bool(low) and _CLOSING.search(low) is not None


def final_label(line: str) -> int | None:
    """Where the content begins, if a line announces a final path."""
    summary = _SUMMARY.match(line)
    if summary and is_move_list(_SENTENCE_END.sub("", line[summary.end() :])):
        return summary.end()
    low = line.lower()
    m = _FINAL.search(low)
    if m is None or m.start():
        m = _FINAL_FIRST.match(low) or m
    if m is None:
        return None
    after = _FINAL_AFTER.match(line[m.end() : m.end() + 120])
    return m.end() + after.end() if after else None


_FENCES = (
    "text", "txt", "plaintext", "plain", "python", "json", "yaml", "bash", "md", "markdown", "console", "output",
)  # fmt: skip
MOST_PATH_LINES = 400


def path_content(lines: list[str], first: int, at: int) -> tuple[str, int]:
    """The text of a final path that begins in line `first` at `at`, and the line after it.

    The path may stand on the following lines (fenced, as LaTeX, one cell a line, as JSON).
    """
    content = lines[first][at:]
    following = first + 1
    while following < len(lines) and following - first < MOST_PATH_LINES:
        line = lines[following]
        started = _holds_moves(content)
        unfinished = not started or content.rstrip().endswith(("→", ",", "[", "("))
        if unfinished and _is_empty(line):
            following += 1
        elif _goes_on(line, started, unfinished):
            content += "\n" + line
            following += 1
        else:
            break
    return content, following


def _holds_moves(content: str) -> bool:
    """A cell, a letter of a direction or an arrow: the path has begun."""
    return bool(CELL.search(content) or _LETTERS.search(content)) or "→" in content or "↓" in content


def _is_empty(line: str) -> bool:
    """A line without a word or an arrow, or the language of a fence."""
    return not _CONTENT.search(line) or line.strip() in _FENCES


def _goes_on(line: str, started: bool, unfinished: bool) -> bool:
    """The line belongs to the path above it."""
    if unfinished and (_PATH_LINE.match(line) or is_move_list(line)):
        return True
    alone = _ONLY_CELL.match(line) or line.lstrip().startswith("→")
    return bool(started and alone and _PATH_LINE.match(line))


_CONTENT = re.compile(r"[^\W_]|[→↑↓←]")
_MOVE_FIRST = re.compile(
    r"\W{0,12}(?:[NESWRLUD→↑↓←](?![a-z]{6})|north|south|east|west|up|down|left|right|[동서남북위왼오아\d])",
    re.I,
)
_MOVE_LIST = re.compile(
    r"(?:\b(?:north|south|east|west|up|down|left|right)\b|[가-힣]{1,3}쪽|위|아래|[동서남북]|[neswrlud]"  # directions
    r"|[→↑↓←,\s\d\[\]\"'().×x>-])*+"  # numbers and signs
)
_SENTENCE_END = re.compile(r"(?:입니다|이다|이에요|예요)\W{0,3}$")


def is_move_list(line: str) -> bool:
    """The line holds nothing but directions, numbers and signs."""
    return _MOVE_FIRST.match(line) is not None and _MOVE_LIST.fullmatch(line.lower()) is not None


def read_path(content: str) -> tuple[tuple[Cell, ...] | None, str]:
    """Cells of a final path, or None; and a warning ("" if all is well)."""
    if _CHAIN.fullmatch(content):
        numbers = list(map(int, _NUMBER.findall(content)))
        return _without_repeats(list(zip(numbers[::2], numbers[1::2], strict=True))), ""
    if PLACEHOLDER.search(content[:400]):
        return None, ""
    spots = [(cell_of(m), m.start(), m.end()) for m in CELL.finditer(content)]
    if len(spots) < 2 and "→" in content:
        pairs = [((int(m[1]), int(m[2])), m.start(), m.end()) for m in _BARE_PAIR.finditer(content)]
        spots = pairs if len(pairs) >= 2 else spots
    if len(spots) >= 2:
        runs = _runs(content, spots)
        best = max(reversed(runs), key=len)
        if len(best) < 2 and (moves := read_moves(content)):
            return walk_of(moves), ""
        cells = [spot[0] for spot in best]
        path = _without_repeats(cells)
        inner = content[best[0][1] : best[-1][2]]
        return path, "the final path leaves cells out with an ellipsis" if _ELISION.search(inner) else ""
    if moves := read_moves(content[spots[0][2] :] if spots else content):
        return walk_of(moves), ""
    return ((spots[0][0],) if spots and spots[0][0] == (0, 0) else None), ""


def _without_repeats(cells: list[Cell]) -> tuple[Cell, ...]:
    """The cells without those that repeat the one before."""
    return (cells[0], *[cell for last, cell in pairwise(cells) if cell != last])


def walk_of(moves: list[str]) -> tuple[Cell, ...]:
    """The cells of moves from the start."""
    cells: list[Cell] = [(0, 0)]
    for direction in moves:
        cells.append(add(cells[-1], direction))
    return tuple(cells)


Spot = tuple[Cell, int, int]
"""A cell and where it stands in a text."""

_CHAIN = re.compile(
    r"\s{0,9}\(\d{1,3},\s{0,2}\d{1,3}\)(?:\s{0,3}→\s{0,3}\(\d{1,3},\s{0,2}\d{1,3}\))++[.\s]{0,9}", re.ASCII
)
"""A path as the prompt asks for it: cells joined by arrows, and nothing else."""
_NUMBER = re.compile(r"\d+")
_BETWEEN_CELLS = re.compile(r"[\s,;|\"'\[\](){}→>.…⋯/:·•\d-]|then|and|그리고")


def _runs(content: str, spots: list[Spot]) -> list[list[Spot]]:
    """Runs of cells that hang together: joined by an arrow, or by signs only."""
    runs = [[spots[0]]]
    for last, spot in pairwise(spots):
        if _are_joined(content[last[2] : spot[1]]):
            runs[-1].append(spot)
        else:
            runs.append([spot])
    return runs


def _are_joined(gap: str) -> bool:
    """What stands between two cells joins them."""
    if "→" in gap and len(gap) < 80:
        return True
    words = _BETWEEN_CELLS.sub("", gap)
    return not words.strip() or (len(words) <= 1 and words in "NESW")


_MOVES_END = re.compile(r"(?:입니다|이다|이에요|예요|이야)[\W_]{0,3}$")
_SMALL_LETTERS = re.compile(r"[nesw](?:[\s,→>-]{1,3}[nesw]){1,400}\W{0,3}")
_OTHER_LETTERS = re.compile(r"[RLUD](?:[\s,→-]{0,3}[RLUD]){2,400}\W{0,3}")
_TIMES = re.compile(r"(?:쪽|으로)?\s{0,2}(?:[×x*]\s{0,2}(\d{1,2})|\(\s?[×x*]?(\d{1,2})\s?\))")
_RUN = r"(?:(\d{1,2})\s?[×x*]?\s?([NESW]|[Nn]orth|[Ee]ast|[Ss]outh|[Ww]est|[동서남북](?:쪽)?)|([NESW])(\d{1,2}))(?!\w)"
_RUNS = re.compile(rf"{_RUN}(?:[\s,;→>-]{{1,5}}{_RUN}){{1,400}}\W{{0,3}}")
_ONE_RUN = re.compile(_RUN)
_ONLY_ARROWS = re.compile(r"(?:[→↑↓←\s,()\[\]\"'|-]|\d{1,3}[.):])*")
_BY_LETTER = {"R": "E", "L": "W", "U": "N", "D": "S"}
_BY_ARROW = {"↑": "N", "↓": "S", "←": "W", "→": "E"}
LONG_RUN = 4
"""A run of so many letters of directions (`EESS`) is the whole path."""


def read_moves(content: str) -> list[str]:
    """Directions of a path given as moves: `E,E,S`, `EES`, `→↓`, `East, South`, `동, 남`, `E×2`."""
    head = _MOVES_END.sub("", content.strip().split("\n\n")[0])
    if _SMALL_LETTERS.fullmatch(head):
        head = head.upper()
    if _OTHER_LETTERS.fullmatch(head):
        return [_BY_LETTER[c] for c in head if c in _BY_LETTER]
    if counted := _counted_moves(head):
        return counted
    runs = [m for m in _LETTERS.finditer(head) if m[1].isupper()]
    longest = max(runs, key=lambda m: len(m[1]), default=None)
    if longest is not None and len(longest[1]) >= LONG_RUN:
        return list(longest[1] * int(longest[2] or 1))
    placed = [(m.start() + i, d) for m in runs for i, d in enumerate(m[1] * int(m[2] or 1))]
    words = [t for t in tokens(head, soft=True) if t.kind == "dir" and not t.sign]
    if not placed and not words:
        return [_BY_ARROW[c] for c in head if c in _BY_ARROW] if _ONLY_ARROWS.fullmatch(head) else []
    taken = {at for at, _ in placed}
    for t in words:
        if t.start not in taken:
            times = _TIMES.match(head[t.end : t.end + 10])
            placed += [(t.start, t.value)] * (int(times[1] or times[2]) if times else 1)
    return [d for _, d in sorted(placed)]


def _counted_moves(head: str) -> list[str]:
    """Moves of runs with their lengths, `2S, 1E` or `S2 E1`; none if the numbers only number the moves."""
    if not _RUNS.fullmatch(head):
        return []
    found = [(int(m[1] or m[4]), m[2] or m[3]) for m in _ONE_RUN.finditer(head)]
    if [n for n, _ in found] == list(range(1, len(found) + 1)) and len(found) > 2:
        return []
    return [tokens(way, soft=True)[0].value for n, way in found for _ in range(n)]


def read_log(content: str) -> list[tuple[int, float]]:
    """(step, number as written) of a CONFIDENCE_LOG, ranges written out."""
    items = []
    for m in _LOG_ITEM.finditer(content.lower()):
        first, last = int(m[1]), int(m[2] or m[1])
        if first <= last <= first + 10_000 and len(items) < MOST_LOG_ITEMS:
            items += [(step, float(m[3])) for step in range(first, last + 1)]
    if items:
        return items
    return [(i, float(m[1])) for i, m in enumerate(_PLAIN_NUMBER.finditer(content), 1)]
