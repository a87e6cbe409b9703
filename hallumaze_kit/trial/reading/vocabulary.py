"""The words by which an answer told in sentences is read, in English and Korean.

Each `Words` holds patterns of one meaning; only those of the scripts that a text holds are tried. English patterns are
in small letters and are looked for in the text in small letters, which is much faster than without regard to case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import reduce

_LATIN = re.compile(r"[A-Za-z]{2}")
_HANGUL = re.compile(r"[가-힣]")
_WORD = re.compile(r"[a-z]+|\?")


class Said:
    """A folded text that is asked for several kinds of words; what they share is found once.

    `low` is the text in small letters, `latin` and `hangul` say whether it, or the text `within` which it stands,
    holds two Latin letters in a row, or Hangul.
    """

    __slots__ = ("_stems", "hangul", "latin", "low", "text")

    def __init__(self, text: str, within: Said | None = None) -> None:
        self.text = text
        self.low = text.lower()
        self.latin: bool = within.latin if within else _LATIN.search(text) is not None
        self.hangul: bool = within.hangul if within else not text.isascii() and _HANGUL.search(text) is not None
        self._stems: frozenset[str] | None = None

    @property
    def stems(self) -> frozenset[str]:
        """The first three letters of each English word, and "?": what the text can hold at all."""
        if self._stems is None:
            self._stems = frozenset([word[:3] for word in _WORD.findall(self.low)])
        return self._stems

    def says(self, words: Words) -> bool:
        """Does it hold one of these words?"""
        if self.hangul and words.korean(self.text):
            return True
        return self.latin and not (words.stems and words.stems.isdisjoint(self.stems)) and bool(words.english(self.low))


class Words:
    """Patterns of one meaning in two languages.

    `stems` are the first three letters of the English words without which no English pattern can match, as one text;
    "" means that the patterns are always tried.
    """

    def __init__(self, english: Sequence[str] = (), korean: Sequence[str] = (), stems: str = "") -> None:
        self.english = _finder(english)
        self.korean = _finder(korean)
        self.stems = frozenset(stems.split())


def _finder(patterns: Sequence[str]) -> Callable[[str], object]:
    """Whether one of the patterns is in a text.

    Patterns for the beginning are tried only there; those for the beginning of a word are tried only at words.
    """
    first = [p for p in patterns if p.startswith("^")]
    words = [p[2:] for p in patterns if p.startswith(r"\b")]
    others = [p for p in patterns if not p.startswith(("^", r"\b"))]
    finders: list[Callable[[str], object]] = []
    if first:
        finders.append(re.compile("|".join(first)).match)
    if words:
        finders.append(re.compile(rf"\b(?:{'|'.join(words)})").search)
    if others:
        finders.append(re.compile("|".join(others)).search)
    return reduce(_either, finders)


def _either(one: Callable[[str], object], other: Callable[[str], object]) -> Callable[[str], object]:
    return lambda text: one(text) or other(text)


_CELL = r"[(\[][^)\]]{1,9}[)\]]"
_WAY = r"(?:north|south|east|west|up|down|left|right|[nesw])"
_KO_WAY = r"(?:[동서남북]쪽?|위쪽?|아래쪽?|왼쪽|오른쪽)"
_START = r"^[\s\"'(]{0,4}"

LOOKED = Words(
    (
        # what could be done, or is not
        r"\b(?:would|could(?! only)|might|may|if|can't|cannot|can not|can (?:go|move|turn|choose)"
        r"|don't|doesn't|didn't|won't|not|never)\b",
        # what is open, what is left aside
        r"\b(?:instead of|rather than|leads?|leading|led|opens?|open|opening|closed|blocked|walls?"
        r"|ignor\w{1,4}|skip\w{0,4}|avoid\w{0,3})\b",
        # what there is to decide
        r"\b(?:hints?|flags?|signs?|pointing|dead[\s-]{0,2}ends?|junction|fork|branch(?:es)?|options?|choices?"
        r"|either|neither|only exit|only way)\b",
        # what it looks like
        r"\b(?:exit is|goal is|looks?|seems?|appears?|connects?|says|suggests?|claims?|points?"
        r"|tempting|possible|available|unexplored)\b",
    ),
    (
        r"막[혀힌히혔힘]|막다른|끝[나난]|끊[겨긴기]|갈[린립라]|샛길|빠지는|제외|더 갈",  # where a way ends
        r"뚫[려린]|새는 길|닫[혀힌]|열[려린리]|(?<![가-힣])벽",
        r"힌트|무시|갈림길|선택지|가지 ?않|않[고아는]|대신|이어[지진져]|연결",  # what there is to decide
        r"출구[는가]|출구까지|인데\s|수상|유혹|가능|라면|다면|방향이",
        r"지 ?말|안 ?가|못 ?[가하]|온 ?길|왔던 ?길",  # where not to go
    ),
    "wou cou mig may if can don doe did won not nev ins rat lea led ope clo blo wal ign ski avo hin fla dea jun for "
    "bra opt cho eit nei onl exi goa loo see app con say sug cla poi tem pos ava une sig",
)
"""What is only looked at: open sides, hints, what a branch would lead to."""

NOT_DONE = Words(
    (
        r"\bthe (?:move|step|passage|way) (?:from|between)\b|\bthrough (?:a|the) walls?\b",
        r"\b(?:find\w{0,3}|found|determine|give|provide|compute|is|no|any)"
        r"\s(?:\w{1,8}\s){0,2}(?:path|route|way) from\b",
        r"\b(?:would(?!n't)|might|don't|didn't|doesn't|won't"
        r"|not (?:go|going|take|taking|turn|enter|needed|need|follow))\b",
        r"\b(?:never (?:go|went|take|took)|instead of|rather than|isn't|is not|wasn't|aren't|are not"
        r"|invalid|illegal|impossible)\b",
        r"\?\s{0,3}$",
    ),
    (
        r"[)\]]까지 ?(?:가는|이르는|이어지는) ?(?:경로|길|방법)",
        r"벽을 ?(?:뚫|통과)|가지 ?않|안 ?[가갑간갔]|가지 ?말|않[고기았는]|못 ?[가갑간]|갈 ?수도",
        r"면 .{0,24}(?:좋|막|끝|벽|닫|안 되|돼\?)|라면|다면|\?\s{0,3}$",
    ),
    "thr fro wou mig don did doe won not nev ins rat isn was are inv ill imp ?",
)
"""What is said not to be done, or asked."""

THIRD_PERSON = Words(
    (
        _START + r"(?:(?:and|but|so|the|now|here|since|because|while|where|whereas|which)\s){0,3}"
        rf"(?:{_WAY}|it|that(?: one)?|which|this(?: one)?|there|these|those|the (?:other|\w{{1,8}} branch))"
        r"\s{1,2}(?:(?:branch|side|also|only|just|then|way|path|direction|\([^)]{1,7}\)|from \([^)]{1,7}\))\s){0,3}"
        r"(?:goes|leads|opens|is|was|would|continues|ends|dead|looks|seems|connects|takes|has|gives|just|runs)\b",
    ),
    (
        r"^[^가-힣\d(]{0,6}(?:(?:그런데|하지만|그리고|근데|한편|반면|물론|참고로|만약|혹시)\s{1,2})?"
        rf"(?:{_KO_WAY}|좌측|우측|그쪽|저쪽|이쪽|그 ?길|저 ?길|거기|반대쪽|나머지|[NESW](?:쪽|방향)?)"
        r"(?: ?길| ?방향| ?통로| ?가지)?(?:은|는|도|의|에는|에선|이|가)\s",
        rf"^[^\w(]{{0,4}}{_CELL}(?:은|는|의|도)\s",
        rf"{_KO_WAY}\s?{_CELL}(?:은|는|도)\s",
    ),
    "goe lea ope is was wou con end dea loo see tak has giv jus run",
)
"""The branch or the cell is the subject of the clause, not the walker."""

MOTION = Words(
    (
        r"\b(?:go(?:es|ing)?|went|move[sd]?|moving|head(?:s|ed|ing)?|walk(?:s|ed|ing)?|step(?:s|ped|ping)?"
        r"|turn(?:s|ed|ing)?)\b",
        r"\b(?:tak(?:e|es|ing)|took|continu\w{1,3}|proceed\w{0,3}|travel\w{0,4}|enter\w{0,3}|follow\w{0,3}"
        r"|return\w{0,3}|backtrack\w{0,3})\b",
        r"\b(?:back to|retrac\w{1,3}|reach\w{0,3}|arriv\w{1,3}|came|come"
        r"|push\w{0,3}|keep|drop\w{0,3}|climb\w{0,3}|try|tries|tried)\b",
        r"\b(?:choose|chose|pick\w{0,3}|run down|advance\w?|slide|slid|pass\w{0,3}|cross\w{0,3}|get|got"
        r"|land\w{0,3})\b",
    ),
    (
        r"이동|[으로에] ?[가갑간갔]|갑니다|간다|갔|가자|가요|가면|가서|가 ?[봅보봤]|나아|진행|향[합해하했]",
        r"내려[가갑간왔갔와온]|올라[가갑간왔갔와]|들어[가갑간왔갔와]|되돌아|돌아[가갑간왔갔와옵온]",
        r"지나|도착|꺾|직진|전진|건너|도달|(?:택|선택)[합해하했]|움직|걸어|옮[겨깁긴겼]",
        r"쭉|까지|(?:쪽|방향|[동남북])으로|[위좌우]로|아래로|[동서남북]쪽\s{0,2}[(\[]|밟[아고]|나서서|닿|복귀",
    ),
    "go goe goi wen mov hea wal ste tur tak too con pro tra ent fol ret bac rea arr cam com pus kee dro cli try tri "
    "cho pic run adv sli pas cro get got lan",
)
"""Words of moving."""

MOVED = Words(
    (
        # "I go", "I had to turn", "and then take"
        r"\b(?:i(?:'ll| will| then| just| now| can only| could only| must| have to| had to|'m forced to| am forced to"
        r"| need to|'d)?|and(?: then| i| so)?)\s{1,2}"
        r"(?:go|move|head|walk|step|turn|take|went|moved|headed|walked|stepped|turned|took|continue|continued"
        r"|return|returned|backtrack|backtracked|proceed|enter|entered|follow|followed|try|tried|came|come)\b",
        # "East it is", "So east to (0,1)", "South again"
        rf"\b{_WAY} it is\b",
        rf"^\W{{0,4}}(?:(?:so|then|and|ok(?:ay)?|next),?\s){{0,2}}{_WAY}\s(?:again |then |once more )?"
        r"(?:to|into)\s[(\[]",
        rf"^\W{{0,4}}{_WAY}\s(?:then|instead|again|next)\b",
        r"^\W{0,3}so\s[(\[]",
        # "still at (0,1)", "Back to (0,0)", "from (0,0) to (0,1)"
        r"\b(?:still|back|again|remain|stay|stuck|standing)\s(?:at|in|on)\s{0,2}[(\[]",
        r"^\W{0,4}back (?:to|at|in)\s{0,2}[(\[]",
        rf"\bfrom\s{_CELL}\s(?:on |all the way |straight )?to\s[(\[]",
    ),
    (
        r"이동(?:합|하여|해|했|한다|할게|$|\s{0,2}→|\s{0,2}하면)|[갑간갔](?:니다|다|어|습)|가요",
        r"돌아[가갑간왔갔와옵온]|나왔|나와",
        rf"(?:쪽|방향|[동남북])으로\s{{0,2}}(?:한 칸 )?{_CELL}(?!\s?(?:이|은|는|가|도|의)\s)",
        r"(?:여전히|그대로|아직)\s{0,2}[(\[]",
        r"^\W{0,4}(?:다시|도로)\s{0,2}[(\[]",
    ),
    "go mov hea wal ste tur tak wen too con ret bac pro ent fol tri try cam com it to int the ins aga nex so sti rem "
    "sta stu fro",
)
"""A move told as done, whatever else the clause looks at."""

CONTINUES = Words(
    (
        _START + r"(?:and |& )?(?:then|next|again|after that|finally|from there|from here|and|now|first|afterwards"
        r"|lastly|at last|once more|followed by|on to|to|plus)(?![A-Za-z가-힣])",
    ),
    (
        _START + r"(?:그리고|그다음|그 다음|다음|다시|이어서|이후|마지막으로|그 뒤|거기서|여기서|계속|또"
        r"|곧바로|한 번 더|그런 다음|그 후|그럼|이번엔?|바로|이제|끝으로|방금)(?![가-힣])",
        _START + r"(?:여기|거기|다음으로|다음에)",
    ),
    "the nex aga aft fin fro and now fir las at onc fol on to plu",
)
"""The clause goes on from the one before."""

BACK = Words(
    (r"\b(?:return\w{0,3}|back(?:track\w{0,3})?|retrac\w{1,3}|retreat\w{0,3}|again at)\b",),
    (r"되돌아|돌아|복귀|후진|물러",),
)
"""Going back."""

EITHER = Words((r"\bor\b",), (r"또는|거나|이나\s|혹은",), "or")
"""A choice between ways."""

FROM = re.compile(
    r"(?:\b(?:at|from|in|on|out of|standing at|starting at|start at|leaving|leave|left"
    r"|(?:position|location)\s?(?::|is))|현재|지금)\s{0,3}"
    r"(?:cell\s{1,2}|셀\s{0,2}|위치\s{0,2}|칸\s{0,2}|the\s{1,2}|start(?:ing)?\s{0,2}(?:cell|point)?\s{0,2}){0,2}$",
    re.I,
)
"""Before a cell: the subject says that it stands there."""

SENTENCE_END = re.compile(r"[.!?。;…\n](?:(?<=\n)|(?<!\n)[)\]\"'”’]{0,2}\s{1,3}|(?<=[가-힣.][.!?。])(?=[가-힣A-Z(]))")
"""Where a sentence ends."""
CLAUSE_END_ENGLISH = re.compile(
    r"[,\s—–:](?:(?<=,)\s{1,3}|(?<=:)(?<!position:)(?<!location:)\s{1,2}|(?<=[—–])\s?"
    r"|(?<=\s)(?:-\s|[—–]\s?|(?=→\s{0,3}(?:I\s|so\b|move|go\b|head|choose|take))"
    r"|(?=(?:so|but|because|since|although|though|while|where|which|whereas|hence|thus|therefore|and (?:I|then))\s)))"
)
CLAUSE_END_KOREAN = re.compile(
    r":\s{1,2}|\s?[—–]\s?|(?<=[가-힣A-Za-z)])(?:(?<!에)(?<!여기)(?<!거기)(?<!부터)서|(?<!아)니|니까|(?<!그리)(?<!하)고|하고"
    r"|[는은인]데|지만|며|므로|(?:이|으)?라|더니|다가|는지|나),?\s{1,3}"
)

_NUMBER_WORDS = r"\d{1,2}|one|two|three|four|five|six|한|두|세|네|다섯|여섯"
_BY = r"^[^\S\n]{0,2}(?:으로|로|쪽으로|방향으로)?[^\S\n]{0,2}(?:by |for |for another |another )?"
COUNT_AFTER = re.compile(
    rf"{_BY}([×x*]\s{{0,2}}\d{{1,2}}\b)|{_BY}(twice|thrice|once|{_NUMBER_WORDS})"
    r"(?:\s{0,2}(?:more |further )?(?:cells?|steps?|squares?|times|moves?|spaces?|rooms?|칸|번|회|걸음)"
    r"|(?<=twice)|(?<=thrice)|(?<=once))"
)
COUNT_BEFORE = re.compile(
    rf"({_NUMBER_WORDS})\s{{0,2}}(?:cells?|steps?|squares?|times|moves?|spaces?|칸|번)?\s{{0,2}}"
    r"(?:to the\s{0,2})?$"
)
COUNTED = (
    *"0123456789한두세네칸번", "다섯", "여섯", "one", "two", "three", "four", "five", "six", "to the",
    *(f"{noun}{s}" for noun in ("cell", "step", "square", "move", "space") for s in ("", "s")), "times",
)  # fmt: skip
"""The last words of `COUNT_BEFORE`, looked for before the pattern is."""
_WORDS_OF = ("once one 한", "twice two 두", "thrice three 세", "four 네", "five 다섯", "six 여섯")
NUMBERS = {word: number for number, words in enumerate(_WORDS_OF, 1) for word in words.split()}

GAVE_UP = Words(
    (
        r"\bi\s{1,2}(?:give up|am stuck|am giving up|surrender|'m stuck)|\bgiv(?:e|ing) up",
        r"\b(?:(?:can(?:not|'t|’t)|could(?: not|n't|n’t)|unable to|not able to|failed to|impossible to)"
        r"\s{1,2}(?:\w{1,12}\s){0,2}"
        r"(?:solve|find(?! \w{0,8} ?(?:shorter|other|better|faster|more|error|mistake))"
        r"|complete|finish|escape|determine|reach the exit|help|assist|navigate|continue))",
        r"\bno (?:valid )?(?:path|solution|route|way) (?:exists|to the exit|out|was found|found|can be found)"
        r"|\bunsolvable",
        r"\bthere is no (?:valid )?(?:path|solution|way out)|\b(?:would|'d) rather not\b",
        r"\bi(?:'m| am) sorry,? (?:but )?i (?:can|am unable)",
        r"\bi (?:can't|cannot|won't) (?:help|assist|provide|comply|do th)",
        r"\bi(?:'m| am| was) (?:sorry|not able to|unable to)(?! (?:\w{1,10} )?(?:go|move|turn|head|step))",
    ),
    (
        r"풀 수 없|풀지 못|포기|해결할 수 없|해결하지 못|풀이가 불가능|불가능한 미로",
        r"도와드릴 수 없|도와드리기 어렵|모르겠",
        r"(?:출구|경로|길|답|해)(?:를|을|에|까지|로)?[^.\n]{0,14}"
        r"(?:찾지 못|찾을 수 없|도달하지 못|도달할 수 없|갈 수 없|나갈 수 없|못 찾)",
        r"(?:답변|답)(?:을|은)? ?(?:드리지|하지) ?(?:않|못)|답변할 수 없|진행할 수 없",
        r"더 이상 (?:진행|계속)[^.\n]{0,8}(?:없|못)",
    ),
)
"""The subject gives up or refuses."""
MAY_GIVE_UP = re.compile(
    "giv|stuck|surrender|can't|can’t|annot|could|able to|failed|mpossible|no |unsolvable|orry|rather not|won't"
    "|풀|포기|해결|못|없|불가능|어렵|않|모르겠"
)
"""One of these, in small letters, is in every text that `GAVE_UP` finds; a quick look before it."""
