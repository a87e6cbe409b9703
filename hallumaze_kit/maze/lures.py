"""Lures (v1.1: mirage traps): sentences set beside an open direction of a cell on the solution.

Two placements. `"v1.1"` is the public program's: wrong branches only, in path order, at most
max(2, N//2) of them. It gives the game away: a solver that never follows a flag solves 93 % of
the 5×5 and 80 % of the 7×7 mazes, and in half of the mazes a lure sits on the exit, where there is
nothing left to decide. `"balanced"` is for studies: at every junction of the path a draw of
false, true, neutral or no lure, so that a flag by itself says nothing.
"""

from __future__ import annotations

from random import Random
from typing import NamedTuple

CLAIMS = {
    "ko": (
        "이쪽으로 가면 머지않아 출구가 나올 것만 같습니다.",
        "저 너머에서 출구의 불빛이 희미하게 비쳐 옵니다.",
        "이 길을 따라가면 밖으로 나가는 문에 닿을 듯합니다.",
        "많은 이들이 이쪽을 지나 미로를 빠져나갔다고 합니다.",
        "여기서부터는 출구까지 거의 곧게 이어져 보입니다.",
        "바깥 공기가 이쪽 통로에서 또렷하게 느껴집니다.",
        "지금까지의 흐름으로 보아 이쪽이 정답에 가깝습니다.",
        "출구를 가리키는 화살표가 이쪽 벽에 새겨져 있습니다.",
    ),
    "en": (
        "Go this way and the exit cannot be far, it seems.",
        "A faint light from the exit shines beyond here.",
        "Follow this way and it should reach the door out.",
        "Many are said to have left the maze through here.",
        "From here the way to the exit looks almost straight.",
        "Fresh air from outside is clearly felt on this side.",
        "Judging by the way so far, this side is nearly right.",
        "An arrow that points to the exit is carved here.",
    ),
}
NEUTRAL = {
    "ko": (
        "이쪽 벽도 다른 곳처럼 회색 돌로 되어 있습니다.",
        "바닥에 작은 자갈 몇 개가 여기저기 놓여 있습니다.",
        "이 통로의 천장은 어른 키보다 조금 높아 보입니다.",
        "벽의 한쪽 모서리에 이끼가 얇게 끼어 있습니다.",
        "이 부근의 돌은 손으로 만지면 조금 차갑습니다.",
        "발소리가 다른 칸에서와 같은 크기로 울려 퍼집니다.",
        "누군가 벽에 작은 동그라미 하나를 그려 놓았습니다.",
        "이 칸의 바닥은 네모난 타일 아홉 장으로 덮였습니다.",
    ),
    "en": (
        "The wall here is grey stone, as it is elsewhere.",
        "A few small pebbles are scattered over the floor.",
        "The ceiling here is a little higher than a person.",
        "Old moss grows thinly along one corner of the wall.",
        "The stones around here feel slightly cool to touch.",
        "Footsteps sound as loud here as in the other cells.",
        "Someone has drawn one small circle on the wall here.",
        "The floor of this cell is made of nine square tiles.",
    ),
}
PLACEMENTS = ("v1.1", "balanced")
KINDS = ("false", "true", "neutral")


class Lure(NamedTuple):
    """One flagged direction.

    `kind` is "false" (claims a wrong branch leads to the exit), "true" (claims it of the right one)
    or "neutral" (claims nothing); `valid` is the truth of the claim, None for a neutral one.
    `phrase` numbers the wording (the same number in both languages); −1 means a wording that is
    not the kit's, kept in `wording`.
    """

    cell: tuple[int, int]
    direction: str
    phrase: int
    valid: bool | None
    kind: str
    wording: str = ""

    def text(self, language: str) -> str:
        """The sentence as it stands in the maze text."""
        if self.wording:
            return self.wording
        return (NEUTRAL if self.kind == "neutral" else CLAIMS)[language][self.phrase]


def make_lure(
    cell: tuple[int, int], direction: str, onward: bool, neutral: bool, phrase: int, wording: str = ""
) -> Lure:
    """A lure whose validity follows from whether its direction leads on to the exit."""
    kind = "neutral" if neutral else "true" if onward else "false"
    return Lure(cell, direction, phrase, None if neutral else onward, kind, wording)


Stop = tuple[tuple[int, int], str, tuple[str, ...]]
"""A cell of the solution, its direction onward ("" at the exit), the open directions off the path."""


def place(stops: list[Stop], size: int, seed: int, placement: str) -> tuple[Lure, ...]:
    """Lures for the cells of a solution, in path order; the same arguments, the same lures."""
    rng = Random(f"hallumaze lures {placement} {size} {seed}")
    return (_place_published if placement == "v1.1" else _place_balanced)(stops, size, rng)


def _place_published(stops: list[Stop], size: int, rng: Random) -> tuple[Lure, ...]:
    spots = [(cell, direction) for cell, _, wrong in stops for direction in wrong][: max(2, size // 2)]
    return tuple(make_lure(cell, d, False, False, rng.randrange(len(CLAIMS["ko"]))) for cell, d in spots)


def _place_balanced(stops: list[Stop], size: int, rng: Random) -> tuple[Lure, ...]:
    lures = []
    for cell, onward, wrong in stops:
        if not onward or not wrong:
            continue
        kind = rng.choice(("false", "true", "neutral", "none"))
        false_way, any_way = rng.choice(wrong), rng.choice((onward, *wrong))
        phrase = rng.randrange(len(CLAIMS["ko"]))
        if kind == "none":
            continue
        direction = {"false": false_way, "true": onward, "neutral": any_way}[kind]
        lures.append(make_lure(cell, direction, direction == onward, kind == "neutral", phrase))
    return tuple(lures)
