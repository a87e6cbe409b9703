"""Fonts that show Hangul, arrows and the minus sign in matplotlib.

matplotlib's own DejaVu Sans has no Hangul and Nanum has no U+2212, so text is set in a list of
families: the first Hangul family found, DejaVu Sans behind it, glyph by glyph. Fonts are found
by their files, so that an old font cache does not hide a newly installed one, and a font package
is used without importing it.
"""

from __future__ import annotations

import re
import warnings
from functools import cache
from pathlib import Path

HANGUL_FAMILIES = (
    "NanumGothic",
    "Noto Sans KR",
    "Noto Sans CJK KR",
    "Malgun Gothic",
    "Apple SD Gothic Neo",
    "Noto Sans CJK JP",  # what older matplotlib calls the collection file of all Noto CJK fonts
)
LATIN = "DejaVu Sans"
NOTE = (
    "한글 글꼴을 찾지 못해 영어로 표시합니다. 'pip install koreanize-matplotlib'나 "
    "'apt-get install fonts-nanum' 등으로 글꼴을 설치한 뒤 파이썬을 다시 시작하세요. "
    "(No Hangul font was found, so the labels are in English: install one and start Python anew.)"
)
_FILE = re.compile(
    r"(NanumGothic(Bold)?|NotoSansKR|NotoSansCJK(kr)?|malgun|malgunbd|AppleSDGothicNeo)\b.*\.(ttf|otf|ttc)$"
)
_RECORD_LINE = re.compile(r"^([^,\n]+\.(?:ttf|otf|ttc)),", re.M)


@cache
def hangul_family() -> str | None:
    """The first of `HANGUL_FAMILIES` that this machine has, known to matplotlib from now on; None if none."""
    family = _known()
    for find in (_system_files, _package_files):
        if family:
            break
        for file in find():
            _add(file)
        family = _known()
    return family


def families(language: str) -> list[str]:
    """Font families for `fontfamily=` or rcParams["font.family"] in `language` ("ko" or "en").

    In English the Hangul family stands behind, for the names that people give.
    """
    family = hangul_family()
    if family is None:
        return [LATIN]
    return [family, LATIN] if language == "ko" else [LATIN, family]


def shown_language(language: str) -> str:
    """The language that labels can be drawn in: "en", with a warning, where "ko" has no font."""
    if language == "ko" and hangul_family() is None:
        warnings.warn(NOTE, stacklevel=1)  # this line, not the caller's, so that Python shows it once
        return "en"
    return language


def _known() -> str | None:
    from matplotlib import font_manager

    names = {entry.name for entry in font_manager.fontManager.ttflist if Path(entry.fname).exists()}
    return next((family for family in HANGUL_FAMILIES if family in names), None)


def _add(file: str) -> None:
    from matplotlib import font_manager

    try:
        font_manager.fontManager.addfont(file)
    except (OSError, RuntimeError):
        warnings.warn(f"The font file {file} cannot be read and is left out.", stacklevel=2)


def _system_files() -> list[str]:
    """Hangul font files on the system, whatever matplotlib's cache says."""
    from matplotlib import font_manager

    return sorted(file for file in font_manager.findSystemFonts() if _FILE.match(Path(file).name))


def _package_files() -> list[str]:
    """Hangul font files inside installed Python packages, read from the packages' lists of files."""
    from importlib.metadata import distributions

    return sorted(
        str(package.locate_file(name))
        for package in distributions()
        for name in _RECORD_LINE.findall(package.read_text("RECORD") or "")
        if _FILE.match(Path(name).name)
    )
