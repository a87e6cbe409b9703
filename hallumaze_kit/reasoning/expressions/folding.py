"""One spelling for what is written in many: LaTeX, Unicode signs and typographic digits become plain text."""

from __future__ import annotations

import re
import unicodedata

_VULGAR = {
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
_VULGAR_CHARACTERS = re.compile(f"(?<=([0-9]))?([{''.join(_VULGAR)}])")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_SUPERSCRIPT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+")
_SIGNS = str.maketrans(
    {
        "×": "*", "✕": "*", "✖": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "÷": "/", "⁄": "/", "∕": "/",
        "−": "-", "–": "-", "—": "-", "‒": "-", "‐": "-", "‑": "-", "₩": "$", "€": "$", "£": "$", "¥": "$",
        "’": "'", "‘": "'", "“": '"', "”": '"', "≒": "≈", "≃": "≈", "≅": "≈", "\u00a0": " ", "\u202f": " ",
        "\u200b": None, "\ufeff": None, "…": "...",
    }
)  # fmt: skip
_BOLD = re.compile(r"(?<![\d)\s])\*\*|\*\*(?![\d(\s-])|(?<!\S)\*\*(?=[\d(-])|(?<=[\d)])\*\*(?![\d(])")
_FRACTION = re.compile(r"\\[dt]?frac(?![a-zA-Z])")
_TEXTS = re.compile(r"\\(?:text|textbf|textit|mathrm|mathbf|mathit|operatorname|boxed|fbox|mbox)\s*\{")
_NAMES = {
    "times": "*", "cdot": "*", "ast": "*", "div": "/", "approx": "≈", "simeq": "≈", "pm": "±", "pi": "π",
    "Longrightarrow": "⇒", "Rightarrow": "⇒", "implies": "⇒", "rightarrow": "⇒", "to": "⇒", "therefore": "⇒",
    "iff": "⇒", "Leftrightarrow": "⇒", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠",
    "ldots": "...", "dots": "...", "cdots": "...", "sqrt": "√", "circ": "°", "degree": "°", "div{}": "/",
}  # fmt: skip
_COMMAND = re.compile(r"\\([a-zA-Z]+|.)", re.S)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\s*\{[a-zA-Z]{0,20}\*?\}")
_DEEPEST = 12
MIXED = "\u2064"
"""Joins the parts of a mixed number (Unicode's invisible plus)."""
_LONGEST_LATEX = 20_000
"""A longer line is left as it stands: nobody writes a formula of that length."""


def plain(text: str) -> str:
    """The text with one spelling for every sign: `*`, `/`, `-`, `^2`, `1/2`; LaTeX as plain text; no bold marks.

    `2\\tfrac{5}{6}` becomes `2⁤(5/6)` (an invisible plus), `½` `1/2`, `３×４` `3*4`, `x²` `x^2`, `\\text{ days}`
    ` days`.
    """
    if ("\\" in text or "{" in text) and len(text) <= _LONGEST_LATEX:
        text = _without_latex(text)
    if not text.isascii():
        text = _VULGAR_CHARACTERS.sub(lambda m: (" " if m[1] else "") + _VULGAR[m[2]], text)
        text = _SUPERSCRIPT.sub(lambda m: "^" + m[0].translate(_SUPERSCRIPTS), text)
        text = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_SIGNS)
    if "**" in text:
        text = _BOLD.sub("", text)
    return text


def group(text: str, start: int) -> tuple[str, int]:
    """What stands in the braces that open at `start`, and where it ends; without a closing one, all the rest."""
    depth = 0
    for at in range(start, len(text)):
        if text[at] == "{" and (at == 0 or text[at - 1] != "\\"):
            depth += 1
        elif text[at] == "}" and text[at - 1] != "\\":
            depth -= 1
            if depth == 0:
                return text[start + 1 : at], at + 1
    return text[start + 1 :], len(text)


def _argument(text: str, at: int) -> tuple[str, int]:
    """The argument of a LaTeX command at `at`: a group, or one sign."""
    while at < len(text) and text[at] == " ":
        at += 1
    if at >= len(text):
        return "", at
    return group(text, at) if text[at] == "{" else (text[at], at + 1)


def _without_latex(text: str) -> str:
    text = text.replace("{:}", ":").replace("{,}", ",").replace("\\!", "").replace("\\,", " ").replace("\\left", "")
    text = text.replace("\\right", "") if "\\rightarrow" not in text else re.sub(r"\\right(?!arrow)", "", text)
    text = _ENVIRONMENT.sub(" ", text)
    for _ in range(_DEEPEST):
        opened = _TEXTS.search(text)
        if not opened:
            break
        text = _unwrapped(text)
    for _ in range(_DEEPEST):
        if not _FRACTION.search(text):
            break
        text = _fractions(text)
    text = _COMMAND.sub(_named, text)
    if "{" in text:
        text = text.replace("{", "(").replace("}", ")")
    return text


def _unwrapped(text: str) -> str:
    out, at = [], 0
    for opened in _TEXTS.finditer(text):
        if opened.start() < at:
            continue
        inner, end = group(text, opened.end() - 1)
        out += [text[at : opened.start()], " ", inner, " "]
        at = end
    return "".join([*out, text[at:]])


def _fractions(text: str) -> str:
    out, at = [], 0
    for opened in _FRACTION.finditer(text):
        if opened.start() < at:
            continue
        above, end = _argument(text, opened.end())
        below, end = _argument(text, end)
        simple = above.strip().isdigit() and below.strip().isdigit()
        before = text[at : opened.start()]
        if before.rstrip()[-1:].isdigit():
            made = f"{MIXED}({above.strip()}/{below.strip()})" if simple else f"*(({above})/({below}))"
        else:
            made = f"({above.strip()}/{below.strip()})" if simple else f"(({above})/({below}))"
        out += [before, made]
        at = end
    return "".join([*out, text[at:]])


def _named(command: re.Match[str]) -> str:
    name = command[1]
    if name in _NAMES:
        return f" {_NAMES[name]} " if _NAMES[name] not in ("°", "√", "...") else _NAMES[name]
    if name in "$%#&_":
        return name
    return "\n" if name == "\\" else " "
