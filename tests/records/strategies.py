"""Hypothesis strategies for results: any value that a field may hold, the awkward ones among them."""

from __future__ import annotations

from dataclasses import fields

from hypothesis import strategies as st

from hallumaze_kit.records import BenchmarkResult, MazeConfig
from hallumaze_kit.records.config import CHOICES
from hallumaze_kit.records.result import RANGES

AWKWARD = [
    "",
    "미로를 따라 동쪽으로",
    "\ud800",
    "끝 \udfff",
    "\ud83d\ude00",
    "😀",
    "a\x00b",
    "=1+1",
    '"\r\n"',
    "$float",
    "\u2028",
]
texts = st.sampled_from(AWKWARD) | st.text(st.characters(), max_size=12)
numbers = st.floats() | st.integers(-(10**40), 10**40) | st.sampled_from([-0.0, 2.1, float("inf")])
plain = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
mappings = st.dictionaries(texts | st.integers(0, 9), plain, max_size=3)
configs = st.builds(
    MazeConfig,
    size=st.integers(2, 101),
    use_mirage=st.booleans(),
    step_budget=st.none() | st.integers(1, 10**9),
    **{name: st.sampled_from(allowed) for name, allowed in CHOICES.items()},
)
_BY_TYPE = {
    "str": texts,
    "int": st.integers(-(10**40), 10**40),
    "bool": st.booleans(),
    "float": numbers,
    "tuple[str, ...]": st.lists(texts, max_size=3).map(tuple),
    "tuple[dict": st.lists(mappings, max_size=2).map(tuple),
    "list[str": st.lists(texts, max_size=3),
    "list[dict": st.lists(mappings, max_size=2),
    "dict[str": mappings,
    "MazeConfig": configs,
}


def _of_type(annotation: str) -> st.SearchStrategy:
    base = next(strategy for name, strategy in _BY_TYPE.items() if annotation.startswith(name))
    return st.none() | base if annotation.endswith("| None") else base


def _metric(low: float, high: float) -> st.SearchStrategy:
    """Any number of a range, whole ones and -0.0 among them, or NaN."""
    at_least, at_most = (bound if abs(bound) <= 1 else None for bound in (low, high))
    whole = st.integers(-(10**40) if at_least is None else at_least, 10**40 if at_most is None else at_most)
    fractions = st.floats(at_least, at_most, allow_nan=False, allow_infinity=False)
    return whole | fractions | st.sampled_from([float("nan"), -0.0])


results = st.builds(
    BenchmarkResult,
    provider=texts,
    **{
        f.name: _metric(*RANGES[f.name]) if f.name in RANGES else _of_type(str(f.type))
        for f in fields(BenchmarkResult)
        if f.name not in ("provider", "nan_reasons")
    },
    nan_reasons=st.dictionaries(st.sampled_from(["mei", "ce", "brs"]), texts, max_size=3),
)


def same(one: object, other: object) -> bool:
    """Equal in value and type, down to -0.0, with NaN equal to NaN."""
    return repr(one) == repr(other)
