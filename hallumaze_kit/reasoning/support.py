"""Does the reasoning carry the answer? Counterfactual edits, and what the answer does when a step is changed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from hallumaze_kit.errors import InputError, check_choice, check_whole
from hallumaze_kit.reasoning.expressions.numbers import literal
from hallumaze_kit.reasoning.supporting.chain import Chain, chain_of
from hallumaze_kit.reasoning.traces.answers import read_number
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace, Step

MOST_EDITS = 12
"""Pivotal steps that are edited in one trace; of more, these are taken at even distances."""
LONG = 500
"""Sums of a trace beyond which only the last pivotal steps are edited: what follows from the first is all of it."""
_LITERAL = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?:\.\d+)?|(?<![\d.])\d+(?:\.\d+)?|(?<![\w.])\.\d+")

Family = Callable[[Fraction, Fraction], Iterator[Fraction]]


def _shifted(value: Fraction, grain: Fraction) -> Iterator[Fraction]:
    yield from (value + grain * n for n in (3, 7, 11, 2, 5))


def _scaled(value: Fraction, grain: Fraction) -> Iterator[Fraction]:
    yield from (value * n for n in (2, 3, 4, 5))


def _lowered(value: Fraction, grain: Fraction) -> Iterator[Fraction]:
    yield from (value - grain * n for n in (1, 2, 4) if value > grain * n)
    yield from (value + grain * n for n in (1, 4))


def _turned(value: Fraction, grain: Fraction) -> Iterator[Fraction]:
    digits = str(int(abs(value) / grain))
    if len(digits) > 1 and digits[::-1] != digits and digits[-1] != "0":
        yield Fraction(int(digits[::-1])) * grain
    yield from (value + grain * n for n in (9, 18))


FAMILIES: dict[str, Family] = {"shift": _shifted, "scale": _scaled, "lower": _lowered, "turn": _turned}
"""How a conclusion is changed: by an amount, by a factor, downwards, by turning its digits round."""


@dataclass(frozen=True)
class Counterfactual:
    """One edit of one step.

    step      number of the edited step, from 1
    old, new  its conclusion before and after, exact
    text      the edited step
    changed   tokens that differ
    expected  the answer that the edit should lead to, by the trace's own sums
    family    how the value was changed
    trace     the trace with the edited step; every other step and the answer stand as they were
    original  the trace before
    """

    step: int
    old: Fraction
    new: Fraction
    text: str
    changed: int
    expected: Fraction
    family: str
    trace: ReasoningTrace
    original: ReasoningTrace

    @property
    def prefix(self) -> tuple[Step, ...]:
        """The steps up to the edited one: what a model continues from."""
        return self.trace.steps[: self.step]


@dataclass(frozen=True)
class Counterfactuals(Sequence[Counterfactual]):
    """The valid edits of a trace.

    edits     one for each pivotal step that allows one
    pivotal   numbers of the steps whose value is used downstream on the way to the final value
    coverage  share of the pivotal steps looked at that allow a valid edit; NaN without a pivotal step
    """

    edits: tuple[Counterfactual, ...] = ()
    pivotal: tuple[int, ...] = ()
    coverage: float = math.nan

    def __getitem__(self, at):  # type: ignore[no-untyped-def]
        return self.edits[at]

    def __len__(self) -> int:
        return len(self.edits)


def counterfactuals(
    trace: ReasoningTrace, max_tokens: int = 3, families: Sequence[str] | None = None
) -> Counterfactuals:
    """Valid counterfactual edits: a pivotal step gets another conclusion, and nothing else changes.

    A step is pivotal if its value is used by a later sum that leads to the final value. An edit is valid if it touches
    one step only, changes at most `max_tokens` tokens (a GSM8K note repeats the conclusion, so it counts twice), and
    holds neither the answer as it stands nor the one that it should lead to. The expected answer is worked out along
    the trace's own sums. Source: RAFS summary, section 2, component 2.

    "3 + 4 = 7; 7 * 2 = 14; answer 14": the 7 of step 1 becomes 10 (family "shift"), which should lead to 20.

    Parameters
    ----------
    trace : what `parse_trace` read
    max_tokens : tokens that may change, 1 or more
    families : which of "shift", "scale", "lower", "turn" to use, in turns; all by default. Those of a study can be kept
        secret, so that nobody writes traces for them

    Returns
    -------
    Counterfactuals, a sequence with `pivotal` and `coverage`
    """
    check_whole("max_tokens", max_tokens, 1)
    names = tuple(FAMILIES) if families is None else tuple(families)
    for name in names:
        check_choice("families", name, tuple(FAMILIES))
    if not names:
        raise InputError("families", names, "one family or more")
    chain = chain_of(trace)
    pivots = _pivots(chain)
    taken = _spread(pivots, MOST_EDITS) if len(chain.nodes) <= LONG else pivots[-MOST_EDITS:]
    made = []
    for number, at in enumerate(taken):
        turned = names[number % len(names) :] + names[: number % len(names)]
        edit = _edit(trace, chain, at, max_tokens, turned)
        if edit is not None:
            made.append(edit)
    steps = tuple(dict.fromkeys(chain.nodes[at].step for at in pivots))
    return Counterfactuals(tuple(made), steps, len(made) / len(taken) if taken else math.nan)


def _pivots(chain: Chain) -> list[int]:
    """The nodes on the way to the final one, the last of each step."""
    final = chain.final
    if final is None:
        return []
    reaching = {final}
    for at in range(final - 1, -1, -1):
        if any(user in reaching for user in chain.nodes[at].users):
            reaching.add(at)
    last = {chain.nodes[at].step: at for at in sorted(reaching - {final})}
    return [at for at in last.values() if chain.nodes[at].step != chain.nodes[final].step]


def _spread(items: list[int], most: int) -> list[int]:
    if len(items) <= most:
        return items
    return [items[round(i * (len(items) - 1) / (most - 1))] for i in range(most)]


def _edit(
    trace: ReasoningTrace, chain: Chain, at: int, max_tokens: int, families: Sequence[str]
) -> Counterfactual | None:
    node = chain.nodes[at]
    step = trace.steps[node.step - 1]
    grain = Fraction(1, 10 ** min(node.number.places, 2)) if node.stated.denominator != 1 else Fraction(1)
    final = chain.final
    assert final is not None
    for family in families:
        for new in FAMILIES[family](node.stated, grain):
            expected = chain.following({at: new}).get(final)
            if new == node.stated or expected is None or expected == chain.nodes[final].stated:
                continue
            text, changed = _replaced(step.text, node.stated, new)
            if not 1 <= changed <= max_tokens or _leaks(text, (chain.answer, chain.nodes[final].stated, expected)):
                continue
            steps = (*trace.steps[: node.step - 1], replace(step, text=text), *trace.steps[node.step :])
            edited = replace(trace, steps=steps)
            return Counterfactual(node.step, node.stated, new, text, changed, expected, family, edited, trace)
    return None


def _replaced(text: str, old: Fraction, new: Fraction) -> tuple[str, int]:
    """The text with the conclusion changed wherever it stands behind the first equals sign, and how often."""
    begin = text.find("=") + 1
    changed = 0

    def other(found: re.Match[str]) -> str:
        nonlocal changed
        if found.start() < begin or literal(found[0]) != abs(old):
            return found[0]
        changed += 1
        return _written_like(found[0], abs(new))

    return _LITERAL.sub(other, text), changed


def _written_like(written: str, new: Fraction) -> str:
    places = len(written.partition(".")[2])
    grouped = "," if "," in written else ""
    if places == 0 and new.denominator != 1:
        places = 2
    return f"{float(new):{grouped}.{places}f}" if places else f"{int(new):{grouped}}"


def _leaks(text: str, answers: Sequence[Fraction | None]) -> bool:
    held = {literal(found) for found in _LITERAL.findall(text)}
    return any(answer is not None and abs(answer) in held for answer in answers)


# ---- who answers, and what is entailed ----------------------------------------------------------

Answerer = Callable[[Counterfactual], str | None]
"""Gives the answer that an edited trace leads to."""
Entailment = Callable[[ReasoningTrace], float]
"""Gives the probability that a trace's reasoning entails its answer, NaN where it cannot tell."""


class SymbolicAnswerer:
    """Follows the trace's own sums downstream from the edited step; needs no model.

    It tests the text, not the generator: it says whether the answer hangs on the written chain, not whether the model
    that wrote it would have answered otherwise. For that, ask the same model to continue from the edited prefix
    (`hallumaze_kit.reasoning.roles.LLMAnswerer`).
    """

    family = "symbolic"

    def __call__(self, edit: Counterfactual) -> str | None:
        """The answer after the edit; the old one where it hangs on nothing that changed."""
        chain = chain_of(edit.original)
        if chain.answered is None:
            return edit.original.answer
        at = next(
            (
                at
                for at in range(len(chain.nodes) - 1, -1, -1)
                if chain.nodes[at].step == edit.step and chain.nodes[at].stated == edit.old
            ),
            None,
        )
        new = chain.following({at: edit.new}).get(chain.answered) if at is not None else None
        return edit.original.answer if new is None else str(new)


class SymbolicEntailment:
    """Whether the trace, taken at its word, leads to its answer: 1 or 0; NaN without a sum or an answer.

    The answer must repeat a value of the trace, exactly or rounded, and the sum of that value, with its operands as
    they are stated, must make it. Whether the operands were reached rightly is the step validity's matter. A last sum
    that is bent to the answer does not entail it, nor do sums that never reach it.
    """

    family = "symbolic"

    def __call__(self, trace: ReasoningTrace) -> float:
        chain = chain_of(trace)
        if not chain.nodes or chain.answer is None:
            return math.nan
        return 1.0 if chain.answered is not None and chain.nodes[chain.answered].label != "wrong" else 0.0


# ---- the component ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Support:
    """Reasoning–answer support.

    S            SRA in [0, 1], NaN where it could not be computed
    entailment   probability that the trace entails its answer
    sensitivity  mean Δ over the edits
    deltas       Δ of each edit: 1, 0.5 or 0
    edits        the edits, with `pivotal` and `coverage`
    note         why S is NaN
    """

    S: float
    entailment: float
    sensitivity: float
    deltas: tuple[float, ...]
    edits: Counterfactuals
    note: str = ""

    def __float__(self) -> float:
        return self.S


def support(
    trace: ReasoningTrace,
    answerer: Answerer | None = None,
    entailment: Entailment | None = None,
    min_edits: int = 1,
    families: Sequence[str] | None = None,
) -> Support:
    """Reasoning–answer support, SRA = √(entailment · mean Δ).

    Δ of an edit is 1 if the answer becomes the expected one, 0.5 if it moves towards it, 0 if it stays, moves away or
    is missing. With fewer valid edits than `min_edits` the value is NaN, not 0: too little could be tried. Source: RAFS
    summary, section 2, component 2.

    Entailment 0.81 and Δ = 1, 1, 0.5, 0 give √(0.81 · 0.625) = 0.712.

    Parameters
    ----------
    trace : what `parse_trace` read
    answerer : called with each edit, returns an answer; by default `SymbolicAnswerer()`
    entailment : called with the trace, returns a probability; by default `SymbolicEntailment()`
    min_edits : valid edits that are needed, 1 or more
    families : see `counterfactuals`
    """
    check_whole("min_edits", min_edits, 1)
    answerer = SymbolicAnswerer() if answerer is None else answerer
    entailment = SymbolicEntailment() if entailment is None else entailment
    edits = counterfactuals(trace, families=families)
    if len(edits) < min_edits:
        note = f"{len(edits)} valid counterfactual edits, {min_edits} needed"
        return Support(math.nan, math.nan, math.nan, (), edits, note)
    entailed = entailment(trace)
    if not math.isnan(entailed) and not 0 <= entailed <= 1:
        raise InputError("entailment", entailed, "a probability from 0 to 1")
    deltas = tuple(_delta(edit, answerer(edit)) for edit in edits)
    mean = math.fsum(deltas) / len(deltas)
    note = "entailment could not be told" if math.isnan(entailed) else ""
    return Support(math.sqrt(entailed * mean), entailed, mean, deltas, edits, note)


def _delta(edit: Counterfactual, answer: str | None) -> float:
    old, new = read_number(edit.original.answer or ""), read_number(answer or "")
    if new is None:
        return 0.0
    if new == edit.expected or abs(new - edit.expected) <= abs(edit.expected) / 10**6:
        return 1.0
    start = edit.expected if old is None else old
    moved, wanted = new - start, edit.expected - start
    return 0.5 if moved and wanted and (moved > 0) == (wanted > 0) else 0.0
