"""The closing fields of an answer: final path, self-reported counts, confidence log."""

from __future__ import annotations

import re

from hallumaze_kit.maze import Cell
from hallumaze_kit.trial.tokens import CELL, PLACEHOLDER, Token, add, cell_of, tokens

FINAL = re.compile(
    r"(?:final|complete|full|entire|solution|corrected|correct|whole|overall|resulting|escape)[ _-]{0,2}(?:path|route"
    r"|walk|solution)"
    r"|final[ _-]{0,2}answer|(?:최종|전체|정답|완성|탈출|해답|수정|수정된|올바른|확정)[ _]{0,2}(?:경로|루트|답안?|정답|해답|이동)"
    r"|^[\W_]{0,8}(?:path|route|solution|answer|moves?|directions?|sequence|경로|정답|답|이동(?: ?순서| ?방향)?"
    r"|방향)(?=[\W_]{0,4}(?:\([^)\n]{0,24}\))?[\W_]{0,4}[:=])",
    re.I,
)
_SUMMARY = re.compile(
    r"^[\W_]{0,6}(?:정리하면|요약하면|요약|정리|in short|in summary|summary|to sum up|in letters|altogether)[\W_]{0,4}",
    re.I,
)
_FINAL_AFTER = re.compile(
    r"^(?:[^:=→\n(\[]{0,40}(?:\([^)\n]{0,40}\))?[^:=→\n(\[]{0,10}[:=]|\W{0,8}$"
    r"|[\"'\s]{0,4}(?=[(\[]\s{0,3}[(\[]?\s{0,3}\d)"
    r"|\s{1,3}(?:is|was)\b|(?:는|은|가|이)\b)"
)
_PATH_LINE = re.compile(r"^[\s\"'>|•-]{0,8}(?:\d{1,3}[.)]\s{0,3})?(?:→|\(\s{0,3}\d|\[|\{)")
_ONLY_CELL = re.compile(
    r"^[\s\"'>|•*-]{0,8}(?:\d{1,3}[.)]\s{0,3})?[\[(]\s{0,2}\d{1,3}\s{0,2},\s{0,2}\d{1,3}\s{0,2}[\])][\s,→\"'\]]{0,6}$"
)
_LETTERS = re.compile(r"(?<![A-Za-z])([NESWnesw]{1,400})(?![A-Za-z])(?:\s{0,2}[×x*]\s{0,2}(\d{1,2}))?")
_ELISION = re.compile(r"\.\.\.|…|⋯")
_BARE_PAIR = re.compile(r"(?<![\d.,])(\d{1,3})\s{0,1},\s{0,1}(\d{1,3})(?![\d.,])")

BACKTRACKS = (
    re.compile(
        r"(?:backtrack\w{0,5}[ _-]{0,2}(?:count|total|횟수)|number of backtracks?|백트래킹 ?(?:횟수|수)|백트랙 ?(?:횟수|수)"
        r"|되돌아[간온] ?횟수|역추적 ?횟수)[^\n\d(\[,.;]{0,14}(\d{1,4})",
        re.I,
    ),
    re.compile(
        r"(?:백트래킹|백트랙|되돌아[간온감]|되돌아가기|역추적)[^\n\d(\[,.;]{0,12}(\d{1,4})\s{0,2}[회번]|(?:백트래킹"
        r"|백트랙)\s{0,2}[:=]?\s{0,2}(\d{1,4})\b",
        re.I,
    ),
    re.compile(
        r"\bbacktrack(?:ed|s|ing)?\s{0,2}[:=]\s{0,2}(\d{1,4})|\bbacktrack(?:ed)?[^\S\n]{1,2}(\d{1,4}|once|twice|one"
        r"|two|three|zero)\b|\b(\d{1,4}|one|two|three|no|zero)[^\S\n]{1,2}backtrack(?:s|ing)?\b",
        re.I,
    ),
    re.compile(r"(?:백트래킹|되돌아[간온] ?(?:횟수|적|일|것)?)[^\n\d(\[,.;]{0,10}(한|두|세|네|없)", re.I),
)  # fmt: skip
HALLUCINATIONS = (
    re.compile(
        r"(?:hallucinations?[ _-]{0,2}(?:count|total)|number of hallucinations?|환각 ?(?:횟수|수|개수"
        r"|건수))[^\n\d(\[,.;]{0,14}(\d{1,4})",
        re.I,
    ),
    re.compile(
        r"환각(?:\([^)\n]{0,30}\))?[^\n\d(\[,.;]{0,12}(\d{1,4})\s{0,2}[회번개건]|환각\s{0,2}[:=]?\s{0,2}(\d{1,4})\b",
        re.I,
    ),
    re.compile(
        r"\bhallucinations?\s{0,2}[:=]\s{0,2}(\d{1,4})|\b(\d{1,4}|no|zero|one|two"
        r"|three)[^\S\n]{1,2}hallucinations?\b",
        re.I,
    ),
)  # fmt: skip
_WORDS = {"once": 1, "twice": 2, "one": 1, "two": 2, "three": 3, "no": 0, "zero": 0, "한": 1, "두": 2, "세": 3, "네": 4, "없": 0}

LOG = re.compile(r"confidence[ _-]{0,2}(?:log|list|history)|확신도[ _]{0,2}(?:기록|로그|목록|일지)", re.I)
_LOG_ITEM = re.compile(
    r"(?:step|s|스텝|단계|move)?[ _#\"']{0,3}(\d{1,4})(?:\s{0,2}(?:단계|스텝|번))?(?:\s{0,2}(?:-|–|~|to|\.\.)\s{0,2}(?:step"
    r"|스텝)?\s{0,2}(\d{1,4})(?:\s{0,2}(?:단계|스텝|번))?)?"
    r"[\"']?\s{0,2}[:=→]\s{0,2}[\"']?(\d{1,3}(?:\.\d{1,4})?)",
    re.I,
)
MOST_LOG_ITEMS = 100_000
_PLAIN_NUMBER = re.compile(r"(?<![\w.])(\d{1,3}(?:\.\d{1,4})?)(?![\w.])")


_REPORT = re.compile("backtrack|Backtrack|BACKTRACK|백트|되돌|역추적|hallucination|Hallucination|HALLUCINATION|환각")


def report_lines(lines: list[str]) -> list[str]:
    """The lines that can hold a self-report."""
    return [line for line in lines if _REPORT.search(line)]


def reported(patterns: tuple[re.Pattern[str], ...], lines: list[str]) -> int | None:
    """The last number that the strongest pattern finds in the lines, None without one."""
    for pattern in patterns:
        for line in reversed(lines):
            last = None
            for last in pattern.finditer(line):
                pass
            if last is not None:
                word = next(g for g in last.groups() if g is not None).lower()
                return int(word) if word.isdigit() else _WORDS[word]
    return None


_CLOSING_SIGNS = ("path", "route", "walk", "solution", "answer", "move", "direction", "sequence", "경로", "루트", "답", "해", "이동", "방향", "정리", "요약",
                  "short", "summary", "sum up", "letters", "altogether", "log", "list", "history", "기록", "로그", "목록", "일지")  # fmt: skip


_CLOSING = re.compile("|".join(_CLOSING_SIGNS))


def may_close(line: str, step: bool) -> bool:
    """Could the line hold a closing field? A quick look before the patterns; a step's line only if it names one."""
    low = line.lower()
    if step:
        return "path" in low or "경로" in low or "_log" in low
    return _CLOSING.search(low) is not None


def final_label(line: str) -> int | None:
    """Where the content begins, if a line announces a final path."""
    summary = _SUMMARY.match(line)
    if summary and is_move_list(re.sub(r"(?:입니다|이다|이에요|예요)\W{0,3}$", "", line[summary.end() :])):
        return summary.end()
    m = FINAL.search(line)
    if m is None:
        return None
    after = _FINAL_AFTER.match(line[m.end() : m.end() + 120])
    return m.end() + after.end() if after else None


_FENCES = ("text", "txt", "plaintext", "plain", "python", "json", "yaml", "bash", "md", "markdown", "console", "output")


def path_content(lines: list[str], first: int, at: int) -> tuple[str, int]:
    """The text of a final path that begins in line `first` at `at`, and the line after it.

    The path may stand on the following lines (fenced, as LaTeX, one cell a line, as JSON).
    """
    content = lines[first][at:]
    following = first + 1
    while following < len(lines) and following - first < 400:
        line = lines[following]
        empty = not any(c.isalnum() or c in "→↑↓←" for c in line) or line.strip() in _FENCES
        started = bool(CELL.search(content)) or bool(_LETTERS.search(content)) or "→" in content or "↓" in content
        open_end = content.rstrip().endswith(("→", ",", "[", "("))
        if empty and (open_end or not started):
            following += 1
        elif (started and (open_end or _ONLY_CELL.match(line) or line.lstrip().startswith("→")) and _PATH_LINE.match(line)) or (
            (not started or open_end) and is_move_list(line)) or (
            not started and (_PATH_LINE.match(line) or is_move_list(line))
        ):
            content += "\n" + line
            following += 1
        else:
            break
    return content, following


_MOVE_FIRST = re.compile(
    r"\W{0,12}(?:[NESWRLUD→↑↓←](?![a-z]{6})|north|south|east|west|up|down|left|right|[동서남북위왼오아\d])",
    re.I,
)


def is_move_list(line: str) -> bool:
    """The line holds nothing but directions, numbers and signs."""
    if not _MOVE_FIRST.match(line):
        return False
    rest = re.sub(r"(?i)\b(?:north|south|east|west|up|down|left|right)\b|[가-힣]{1,3}쪽|위|아래|[동서남북]|[NESWRLUD]|[→↑↓←,\s\d\[\]\"'().×x>-]", "", line)
    return bool(line.strip()) and not rest.strip()


def read_path(content: str) -> tuple[tuple[Cell, ...] | None, str]:
    """Cells of a final path, or None; and a warning ("" if all is well)."""
    if PLACEHOLDER.search(content[:400]):
        return None, ""
    spots = [(cell_of(m), m.start(), m.end()) for m in CELL.finditer(content)]
    if len(spots) < 2:
        pairs = [((int(m[1]), int(m[2])), m.start(), m.end()) for m in _BARE_PAIR.finditer(content)]
        if len(pairs) >= 2 and "→" in content:
            spots = pairs
    if len(spots) >= 2:
        runs = _runs(content, spots)
        best = max(reversed(runs), key=len)
        if len(best) < 2 and (moves := read_moves(content)):
            return walk_of(moves), ""
        cells = [spot[0] for spot in best]
        path = tuple(c for i, c in enumerate(cells) if i == 0 or c != cells[i - 1])
        inner = content[best[0][1] : best[-1][2]]
        return path, "the final path leaves cells out with an ellipsis" if _ELISION.search(inner) else ""
    if moves := read_moves(content[spots[0][2] :] if spots else content):
        return walk_of(moves), ""
    return ((spots[0][0],) if spots and spots[0][0] == (0, 0) else None), ""


def walk_of(moves: list[str]) -> tuple[Cell, ...]:
    """The cells of moves from the start."""
    cells: list[Cell] = [(0, 0)]
    for direction in moves:
        cells.append(add(cells[-1], direction))
    return tuple(cells)


def _runs(content: str, spots: list[tuple[Cell, int, int]]) -> list[list[tuple[Cell, int, int]]]:
    """Runs of cells that hang together: joined by an arrow, or by signs only."""
    runs = [[spots[0]]]
    for last, spot in zip(spots, spots[1:], strict=False):
        gap = content[last[2] : spot[1]]
        words = re.sub(r"[\s,;|\"'\[\](){}→>.…⋯/:·•\d-]|then|and|그리고", "", gap)
        if ("→" in gap and len(gap) < 80) or not words.strip() or (len(words) <= 1 and words in "NESW"):
            runs[-1].append(spot)
        else:
            runs.append([spot])
    return runs


def read_moves(content: str) -> list[str]:
    """Directions of a path given as moves: `E,E,S`, `EES`, `→↓`, `East, South`, `동, 남`, `E×2`."""
    head = re.sub(r"(?:입니다|이다|이에요|예요|이야)[\W_]{0,3}$", "", content.strip().split("\n\n")[0])
    if re.fullmatch(r"[nesw](?:[\s,→>-]{1,3}[nesw]){1,400}\W{0,3}", head):
        head = head.upper()
    if re.fullmatch(r"[RLUD](?:[\s,→-]{0,3}[RLUD]){2,400}\W{0,3}", head):
        return [{"R": "E", "L": "W", "U": "N", "D": "S"}[c] for c in head if c in "RLUD"]
    runs = [m for m in _LETTERS.finditer(head) if m[1].isupper()]
    longest = max(runs, key=lambda m: len(m[1]), default=None)
    if longest is not None and len(longest[1]) >= 4:
        runs = [longest]
    placed = [(m.start() + i, d) for m in runs for i, d in enumerate(m[1] * int(m[2] or 1))]
    taken = {at for at, _ in placed}
    found: Sequence[Token] = tokens(head, soft=True)
    if not placed and not any(t.kind == "dir" and not t.sign for t in found):
        return [{"↑": "N", "↓": "S", "←": "W", "→": "E"}[c] for c in head if c in "↑↓←→"]
    words = []
    for t in found:
        if t.kind == "dir" and not t.sign and t.start not in taken:
            times = re.match(r"(?:쪽|으로)?\s{0,2}[×x*]\s{0,2}(\d{1,2})", head[t.end : t.end + 10])
            words += [(t.start, str(t.value))] * (int(times[1]) if times else 1)
    return [d for _, d in sorted([*placed, *([] if longest is not None and len(longest[1]) >= 4 else words)])]


def read_log(content: str) -> list[tuple[int, float]]:
    """(step, number as written) of a CONFIDENCE_LOG, ranges written out."""
    items = []
    for m in _LOG_ITEM.finditer(content):
        first, last = int(m[1]), int(m[2] or m[1])
        if first <= last <= first + 10_000 and len(items) < MOST_LOG_ITEMS:
            items += [(step, float(m[3])) for step in range(first, last + 1)]
    if items:
        return items
    return [(i, float(m[1])) for i, m in enumerate(_PLAIN_NUMBER.finditer(content), 1)]
