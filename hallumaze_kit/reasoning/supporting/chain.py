"""The values of a trace as a graph: each with its sum, the earlier values that the sum uses, and who uses it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor

from hallumaze_kit.reasoning.checking.judging import NOISE, Judged, judged_links
from hallumaze_kit.reasoning.expressions.grammar import (
    Expression,
    NoExpression,
    Undefined,
    applied,
    numbers,
    value,
    variables,
)
from hallumaze_kit.reasoning.expressions.links import RUNNING, lone
from hallumaze_kit.reasoning.expressions.tokens import Number
from hallumaze_kit.reasoning.traces.answers import read_number
from hallumaze_kit.reasoning.traces.trace import ReasoningTrace, Step


@dataclass
class Node:
    """A value that a step concludes.

    step      its number, from 1
    sum       the expression that it is worked out from; None for a value that is only named (x = 19)
    stated    the value as stated
    exact     the value of its sum, as the stated operands make it
    number    the stated number as written
    label     what the sum is called (`LABELS`)
    operands  for each number of the sum, the node that it comes from, or None
    users     the nodes whose sums use it
    names     the variables of its sum
    """

    step: int
    sum: Expression | None
    stated: Fraction
    exact: Fraction
    number: Number
    label: str
    operands: tuple[int | None, ...] = ()
    users: list[int] = field(default_factory=list)
    names: frozenset[str] = frozenset()


class Chain:
    """The nodes of a trace in their order, and the node that its answer repeats."""

    def __init__(self, trace: ReasoningTrace) -> None:
        self.nodes: list[Node] = []
        self._holders: dict[Fraction, int] = {}
        self._named: dict[str, int] = {}
        previous: Fraction | None = None
        for number, step in enumerate(trace.steps, 1):
            for found in _concluded(step, number, previous):
                self._add(found)
                previous = found.stated
        self.answer = None if trace.answer is None else read_number(trace.answer)
        self.answered = self._repeated()

    def _add(self, node: Node) -> None:
        at = len(self.nodes)
        if node.sum is not None:
            node.operands = tuple(self._holders.get(number.value) for number in numbers(node.sum))
            names = node.names = frozenset(variables(node.sum))
            named = [self._named[name] for name in names if name in self._named]
            if RUNNING in names and at:
                named.append(at - 1)
            for source in {source for source in (*node.operands, *named) if source is not None}:
                self.nodes[source].users.append(at)
        elif node.number.unit == "variable":
            self._named[node.number.written] = at
        self.nodes.append(node)
        self._holders[node.stated] = at

    def _repeated(self) -> int | None:
        """The last node whose value is the answer, exactly or rounded."""
        if self.answer is None:
            return None
        for at in range(len(self.nodes) - 1, -1, -1):
            if self.nodes[at].stated == self.answer or abs(self.nodes[at].stated - self.answer) <= NOISE:
                return at
        if self.nodes and self.answer is not None:
            last = self.nodes[-1]
            if last.stated.denominator != 1 and abs(last.stated - self.answer) < 1:
                return len(self.nodes) - 1
        return None

    @property
    def final(self) -> int | None:
        """The node that the trace leads to: what its answer repeats, else its last value."""
        return self.answered if self.answered is not None else (len(self.nodes) - 1 if self.nodes else None)

    def following(self, changed: Mapping[int, Fraction]) -> dict[int, Fraction]:
        """The values of the nodes that follow when some take other values; sums are worked out, habits are kept.

        A value that was rounded is rounded again, one cut to whole things is cut, a dropped sign stays dropped.
        """
        new = dict(changed)
        waiting = deque(sorted(changed))
        queued = set(waiting)
        while waiting:
            for user in self.nodes[waiting.popleft()].users:
                if user in changed or user in queued:
                    continue
                queued.add(user)
                waiting.append(user)
        for at in sorted(queued - set(changed)):
            made = self._worked_out(at, new)
            if made is not None:
                new[at] = made
        return new

    def _worked_out(self, at: int, new: Mapping[int, Fraction]) -> Fraction | None:
        node = self.nodes[at]
        if node.sum is None:
            return None
        replaced = iter([None if source is None else new.get(source) for source in node.operands])
        known: dict[str, Fraction] = {}
        for name in node.names:
            source = at - 1 if name == RUNNING else self._named.get(name)
            if source is not None and source >= 0:
                known[name] = new.get(source, self.nodes[source].stated)
        try:
            exact = _evaluated(node.sum, replaced, known)
        except (NoExpression, Undefined):
            return None
        return _stated_alike(node, exact)


def chain_of(trace: ReasoningTrace) -> Chain:
    """The chain of a trace, built once."""
    held = trace.__dict__.get("_chain")
    if held is None:
        held = trace.__dict__["_chain"] = Chain(trace)
    return held


def _evaluated(expression: Expression, replaced: Iterator[Fraction | None], known: Mapping[str, Fraction]) -> Fraction:
    if isinstance(expression, Number):
        other = next(replaced)
        return expression.value if other is None else other
    if isinstance(expression, str):
        if expression not in known:
            raise NoExpression
        return known[expression]
    return applied(expression[0], [_evaluated(operand, replaced, known) for operand in expression[1:]])


def _stated_alike(node: Node, exact: Fraction) -> Fraction:
    """An exact value as the node's writer would state it."""
    if node.label == "rounded":
        places = max(0, node.number.places)
        if places == 0 and node.stated > node.exact:
            return Fraction(ceil(exact))
        return Fraction(round(exact * 10**places), 10**places)
    if node.label == "cut":
        return Fraction(floor(exact))
    if node.label == "sign":
        return abs(exact)
    if node.label == "percent" and node.exact:
        return exact * node.stated / node.exact
    if node.label == "correct" and node.exact and node.exact != node.stated:
        return exact * node.stated / node.exact  # a unit was converted, or a calculator's noise is kept
    return exact


def _concluded(step: Step, number: int, previous: Fraction | None) -> Iterator[Node]:
    """The nodes of a step, from its links."""
    start: Expression | None = None
    judged = judged_links(step, previous)
    for link, found in zip(step.links, judged, strict=True):
        start = start if link.chained and start is not None else link.left
        if isinstance(link.left, str) and isinstance(link.right, Number) and link.left != RUNNING:
            named = Number(link.right.value, unit="variable", written=link.left)
            yield Node(number, None, link.right.value, link.right.value, named, "correct")
            start = None
            continue
        if found.exact is None or found.stated is None:
            continue
        if found.label == "notation":
            yield Node(number, start, found.exact, found.exact, Number(found.exact), "correct")
            start = None
        elif isinstance(link.right, Number) and not lone(start) and start is not None:
            yield Node(number, _with_sum(start, found), found.stated, found.exact, link.right, found.label)


def _with_sum(start: Expression, found: Judged) -> Expression:
    """The first sum of a chain, where its value is that of the link; else the link's own (or its note's) left side."""
    if start is found.link.left and found.link.noted is None:
        return start
    for candidate in (start, found.link.left, found.link.noted[0] if found.link.noted else None):
        try:
            if candidate is not None and (variables(candidate) or value(candidate) == found.exact):
                return candidate
        except (NoExpression, Undefined):
            continue
    return start
